/*
 * Runs the steps of a study by Ninja: https://ninja-build.org.
 *
 * OUT/build.ninja has a statement for each step. It makes the step's record and files from the records of the steps
 * that it needs and from the files that no step makes, by the command
 *
 *     vouch step VERSION NAME [STEP ...] -- COMMAND [ARGUMENT ...]
 *
 * where the STEPs are those that chose parameters for it; its messages go to OUT/steps/NAME.err. Ninja runs a step if
 * something that it makes is not there or older than something that it is made from, or if its command was another one
 * the last time; the version is in the command for that reason. The program's path and its number of threads are in the
 * environment, since a change of these must not run steps again.
 */
#include "study/study.h"

#include "base/output.h"
#include "base/buffer.h"
#include "report/prose.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* build.ninja. */

/* Writes a value of a variable, in which Ninja expands what comes after '$'. */
static void put_value(struct prose *to, const char *text)
{
    for (size_t length; *text; text += length) {
        bool dollar = *text == '$';
        length = dollar ? 1 : strcspn(text, "$");
        prose_say(to, "%.*s%s", (int)length, text, dollar ? "$" : "");
    }
}

static void put_argument(struct prose *to, const char *argument)
{
    struct prose quoted = {0};
    prose_say_argument(&quoted, argument);
    prose_say(to, " ");
    put_value(to, quoted.text ? quoted.text : "");
    to->broken |= quoted.broken;
    prose_release(&quoted);
}

/*
 * Writes a step. Files that no step makes are named by variables, whose values may hold any character; a path may not.
 */
static void put_step(struct prose *to, const struct study *study, const struct step *step)
{
    prose_say(to, "\nbuild steps/%s.json", step->name);
    for (size_t i = 0; i < step->makes.count; i++)
        prose_say(to, "%s%s", i ? " " : " | ", step->makes.at[i]);
    prose_say(to, ": step");
    for (size_t i = 0; i < step->needs; i++)
        prose_say(to, " steps/%s.json", study->step[step->need[i]].name);
    for (size_t i = 0; i < step->outside.count; i++)
        prose_say(to, " $file%zu", i + 1);
    prose_say(to, "\n  step = %s\n", step->name);
    for (size_t i = 0; i < step->outside.count; i++) {
        prose_say(to, "  file%zu = ", i + 1);
        put_value(to, step->outside.at[i]);
        prose_say(to, "\n");
    }
    for (size_t i = 0; i < step->tunings; i++)
        prose_say(to, "%s %s", i ? "" : "  tuned_by =", study->step[step->tuned_by[i]].name);
    prose_say(to, "%s  command_line =", step->tunings ? "\n" : "");
    for (size_t i = 0; i < step->argument.count; i++)
        put_argument(to, step->argument.at[i]);
    prose_say(to, "\n");
}

static void put_experiments(struct prose *to, const struct study *study)
{
    for (int e = 0; e < EXPERIMENTS; e++) {
        prose_say(to, "\nbuild %s: phony", experiment_names[e]);
        for (size_t i = 0; i < study->steps; i++)
            if (study->step[i].wanted_by >> e & 1)
                prose_say(to, " $\n    steps/%s.json", study->step[i].name);
        prose_say(to, "\n");
    }
}

/* Returns the whole file; to free(). */
static char *ninja_text(const struct study *study, struct vouch_error *err)
{
    struct prose says = {0};
    prose_say(&says,
              "# The steps of a study, by vouch experiment. VOUCH is the program, VOUCH_STEP_THREADS what a step may\n"
              "# have that finds itself alone.\n"
              "rule step\n"
              "  command = rm -f steps/$step.json && exec \"$${VOUCH:-vouch}\" step %s $step $tuned_by -- "
              "$command_line 2>steps/$step.err\n"
              "  description = $step\n",
              vouch_version());
    /* Active learning comes first, which takes longest: Ninja begins steps in the order of the file. */
    for (unsigned active = 2; active-- > 0;)
        for (size_t i = 0; i < study->steps; i++)
            if ((study->step[i].wanted_by >> EXPERIMENT_ACTIVE & 1) == active)
                put_step(&says, study, &study->step[i]);
    put_experiments(&says, study);
    return prose_take(&says, err);
}

bool ninja_write(const struct study *study, const char *out, struct vouch_error *err)
{
    char *text = ninja_text(study, err), *path = text ? path_in(out, err, "build.ninja") : NULL;
    struct output *to = path ? output_open(path, err) : NULL;
    if (to)
        output_write(to, text, strlen(text));
    free(path);
    free(text);
    return output_close(to, to != NULL, err);
}

/* Ninja. */

enum { NOT_FOUND = 127 }; /* the status of a shell whose command does not exist */
static const char unless_found[] = "command -v ninja >/dev/null || exit 127; ";

static bool check_status(int status, struct vouch_error *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return fail(err, VOUCH_ERR_IO, "steps are run by ninja, which was not found: install the package ninja-build");
    return true;
}

/* Does a dry run, whose file is `steps`: Ninja prints the name of every step that it would run. */
static bool dry_run(struct study *study, const char *out, FILE *steps, struct vouch_error *err)
{
    struct prose says = {0};
    prose_say(&says, "%sNINJA_STATUS= exec ninja -f /dev/fd/%d -n -C ", unless_found, fileno(steps));
    prose_say_argument(&says, out);
    char *call = prose_take(&says, err), *line = NULL;
    FILE *printed = call ? popen(call, "r") : NULL;
    size_t room = 0;
    while (printed && getline(&line, &room, printed) > 0) {
        line[strcspn(line, "\n")] = '\0';
        for (size_t i = 0; i < study->steps; i++)
            study->step[i].due |= strcmp(study->step[i].name, line) == 0;
    }
    int status = printed ? pclose(printed) : -1;
    free(line);
    free(call);
    return check_status(status, err) &&
           (status == 0 || fail(err, VOUCH_ERR_IO, "%s: ninja cannot tell what is to be run", out));
}

bool ninja_find_due(struct study *study, const char *out, struct vouch_error *err)
{
    char *log = path_in(out, err, ".ninja_log"), *text = log ? ninja_text(study, err) : NULL;
    bool ok = text, new = log &&access(log, F_OK) != 0;
    for (size_t i = 0; i < study->steps; i++)
        study->step[i].due = new;
    if (ok && !new) {
        FILE *steps = tmpfile();
        ok = (steps && fputs(text, steps) >= 0 && fflush(steps) == 0) ||
             fail(err, VOUCH_ERR_IO, "cannot write a temporary file: %s", strerror(errno));
        ok = ok && dry_run(study, out, steps, err);
        if (steps)
            fclose(steps);
    }
    free(text);
    free(log);
    return ok;
}

/* Runs a command in a shell, and polls it every few milliseconds, so that no signal between two waits is missed. */
static bool run_shell(char *command, bool (*stop)(void), int *status, struct vouch_error *err)
{
    static const struct timespec moment = {0, 20 * 1000000};
    char shell[] = "/bin/sh", option[] = "-c";
    pid_t child;
    bool told = false;
    int error = posix_spawn(&child, shell, NULL, NULL, (char *const[]){shell, option, command, NULL}, environ);
    if (error)
        return fail(err, VOUCH_ERR_IO, "%s: cannot start: %s", shell, strerror(error));
    for (pid_t ended; (ended = waitpid(child, status, WNOHANG)) != child; nanosleep(&moment, NULL)) {
        if (ended < 0 && errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "cannot find out how ninja ended: %s", strerror(errno));
        if (!told && stop && stop())
            told = kill(child, SIGTERM) == 0;
    }
    return true;
}

bool ninja_run(const struct study_run *run, struct vouch_error *err)
{
    struct prose says = {0};
    int status;
    prose_say(&says, "%sVOUCH_STEP_THREADS=%u NINJA_STATUS='[%%f/%%t] ' VOUCH=", unless_found, run->threads);
    prose_say_argument(&says, run->program);
    prose_say(&says, " exec ninja -k 0 -j %u -C ", run->threads);
    prose_say_argument(&says, run->out);
    for (int e = 0; e < EXPERIMENTS; e++)
        prose_say(&says, "%s%s", run->wanted >> e & 1 ? " " : "", run->wanted >> e & 1 ? experiment_names[e] : "");
    prose_say(&says, " </dev/null %s", run->show ? ">&2" : ">/dev/null");
    char *call = prose_take(&says, err);
    bool ok = call && run_shell(call, run->stop, &status, err) && check_status(status, err);
    free(call);
    return ok;
}
