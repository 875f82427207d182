/*
 * Runs a study: see study.h. It finds out what is to be run, lets Ninja (https://ninja-build.org) run it, and gathers
 * the records.
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

#include "base/buffer.h"
#include "base/memory.h"
#include "base/output.h"
#include "report/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
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
    struct prose quoted = {0};
    for (size_t i = 0; i < step->argument.count; i++) {
        prose_say(&quoted, " ");
        prose_say_argument(&quoted, step->argument.at[i]);
    }
    put_value(to, quoted.text ? quoted.text : "");
    to->broken |= quoted.broken;
    prose_release(&quoted);
    prose_say(to, "\n");
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
    for (int e = 0; e < EXPERIMENTS; e++) {
        prose_say(&says, "\nbuild %s: phony", experiment_names[e]);
        for (size_t i = 0; i < study->steps; i++)
            if (study->step[i].wanted_by >> e & 1)
                prose_say(&says, " $\n    steps/%s.json", study->step[i].name);
        prose_say(&says, "\n");
    }
    return prose_take(&says, err);
}

static bool write_ninja(const struct study *study, const char *out, struct vouch_error *err)
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

/* Finds out which steps would have to be run now. Nothing is written, but Ninja makes their folders. */
static bool find_due(struct study *study, const char *out, struct vouch_error *err)
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

/* Runs the experiments that are wanted. A step that fails is no error here, but a missing Ninja is. */
static bool run_ninja(const struct study_run *run, struct vouch_error *err)
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

/* The study. */

/* Makes all folders on a path. */
static bool make_folders(const char *path, struct vouch_error *err)
{
    char *copy = new_string(path, strlen(path), err);
    bool ok = copy != NULL;
    for (char *slash = copy; ok && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
        *slash = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            ok = fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", copy, strerror(errno));
    }
    free(copy);
    return ok;
}

bool study_lock(const char *out, int *lock, struct vouch_error *err)
{
    char *folder = path_in(out, err, "%s", "");
    bool ok = folder && make_folders(folder, err);
    *lock = ok ? open(folder, O_RDONLY | O_DIRECTORY) : -1;
    free(folder);
    if (ok && *lock < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", out, strerror(errno));
    if (ok && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(*lock);
        ok = fail(err, VOUCH_ERR_IO, "%s: is being written by another run", out);
    }
    return ok;
}

static bool is_wanted(const struct study_run *run, const struct step *step)
{
    return step->wanted_by & run->wanted;
}

/* Finds the end of a step's messages, as one line: words[room]. */
static void last_messages(const char *out, const struct step *step, char *words, size_t room)
{
    char *path = path_in(out, NULL, "steps/%s.err", step->name);
    FILE *said = path ? fopen(path, "rb") : NULL;
    size_t got = 0;
    if (said) {
        if (fseek(said, -(long)(room - 1), SEEK_END) != 0)
            rewind(said);
        got = fread(words, 1, room - 1, said);
        fclose(said);
    }
    while (got > 0 && words[got - 1] == '\n')
        got--;
    words[got] = '\0';
    for (size_t i = 0; i < got; i++)
        if (words[i] == '\n')
            words[i] = ' ';
    free(path);
}

/*
 * Finds out what became of the steps that were to be run. One that is not done failed, or waits for one that did; as
 * steps come after those that they need, the first of them failed.
 */
static bool find_outcome(const struct study *study, struct study_run *run, struct vouch_error *err)
{
    char words[400];
    for (size_t i = 0; i < study->steps; i++) {
        const struct step *step = &study->step[i];
        if (!is_wanted(run, step))
            continue;
        if (step->record) {
            run->kept += !step->due;
            run->run += step->due;
            continue;
        }
        if (!step->due)
            return fail(err, VOUCH_ERR_FORMAT, "%s/steps/%s.json: is damaged: remove it", run->out, step->name);
        last_messages(run->out, step, words, sizeof words);
        const char *why = words[0] ? words : "ended without saying why";
        if (!step->optional)
            return fail(err, VOUCH_ERR_ARGUMENT, "%s: %s", step->name, why);
        if (!strings_add(&run->left, err, "%s: %s", step->name, why))
            return false;
    }
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool run_steps(struct study *study, struct study_run *run, struct vouch_error *err)
{
    json_t *plan = study_plan_json(study);
    bool any_due = false, ok = (plan || fail_memory(err)) && study_write_json(run->out, "plan.json", plan, err) &&
                               write_ninja(study, run->out, err) && find_due(study, run->out, err);
    for (size_t i = 0; ok && i < study->steps; i++)
        any_due = any_due || (study->step[i].due && is_wanted(run, &study->step[i]));
    ok = ok && (!any_due || run_ninja(run, err));
    json_decref(plan);
    if (run->stop && run->stop())
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return ok;
}

/* Reads the record of a step, unless it is due and nobody has run it. */
static void read_record(struct step *step, const char *out, bool run)
{
    json_decref(step->record);
    step->record = run || !step->due ? record_read(out, step->name) : NULL;
}

bool study_run(struct study *study, struct study_run *run, struct vouch_error *err)
{
    run->run = run->kept = 0;
    bool ok = run_steps(study, run, err);
    for (size_t i = 0; ok && i < study->steps; i++)
        read_record(&study->step[i], run->out, is_wanted(run, &study->step[i]));
    ok = ok && find_outcome(study, run, err);
    if (ok && run->left.count)
        qsort(run->left.at, run->left.count, sizeof *run->left.at, by_name);
    return ok && study_write_results(study, run, err);
}

/* Writes one step: its name, which steps choose parameters for it, and the command. */
static void list_step(struct prose *says, const struct study *study, const struct step *step,
                      const struct strings *argument, bool known)
{
    prose_say(says, "# %s%s", step->name, step->record ? " (done)" : "");
    for (size_t i = 0; !known && i < step->tunings; i++)
        prose_say(says, "%s%s", i ? " and " : ", with what ", study->step[step->tuned_by[i]].name);
    prose_say(says, "%s\nvouch", known || !step->tunings ? "" : step->tunings > 1 ? " choose" : " chooses");
    for (size_t i = 0; i < argument->count; i++) {
        prose_say(says, " ");
        prose_say_argument(says, argument->at[i]);
    }
    prose_say(says, "\n");
}

char *study_list(struct study *study, const struct study_run *run, struct vouch_error *err)
{
    struct prose says = {0};
    bool ok = find_due(study, run->out, err);
    for (size_t i = 0; ok && i < study->steps; i++) {
        struct step *step = &study->step[i];
        struct strings argument = {0}; /* the name of the command, the parameters that other steps chose, its own */
        bool known = true;
        read_record(step, run->out, false);
        for (size_t t = 0; t < step->tunings; t++)
            known = known && study->step[step->tuned_by[t]].record;
        if (!is_wanted(run, step))
            continue;
        for (size_t a = 0; ok && a < step->argument.count; a++) {
            ok = strings_add(&argument, err, "%s", step->argument.at[a]);
            for (size_t t = 0; ok && known && a == 0 && t < step->tunings; t++) {
                const struct step *chose = &study->step[step->tuned_by[t]];
                ok = record_add_chosen(chose->record, chose->name, &argument, err);
            }
        }
        if (ok)
            list_step(&says, study, step, &argument, known);
        strings_release(&argument);
    }
    char *text = ok ? prose_take(&says, err) : NULL;
    prose_release(&says);
    return text;
}
