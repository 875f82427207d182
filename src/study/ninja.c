/* Steps run by Ninja: see ninja.h. */
#include "study/ninja.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/path.h"
#include "report/program.h"
#include "report/prose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* build.ninja. */

/* A value of a variable, in which Ninja expands what comes after '$'. */
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

/* The number of a file among those that no step makes, from 1; 0: it is new. */
static size_t file_number(const struct strings *files, const char *file)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i], file) == 0)
            return i + 1;
    return 0;
}

/* In the place of a file stands a variable, whose value may hold any character; a path may not. */
static bool put_files(struct prose *to, const struct study *study, struct strings *files, struct vouch_error *err)
{
    for (size_t i = 0; i < study->steps; i++)
        for (size_t f = 0; f < study->step[i].outside.count; f++) {
            const char *file = study->step[i].outside.at[f];
            if (file_number(files, file))
                continue;
            if (!strings_add(files, err, "%s", file))
                return false;
            prose_say(to, "file%zu = ", files->count);
            put_value(to, file);
            prose_say(to, "\n");
        }
    return true;
}

static void put_step(struct prose *to, const struct study *study, const struct step *step, const struct strings *files)
{
    prose_say(to, "\nbuild steps/%s.json", step->name);
    for (size_t i = 0; i < step->makes.count; i++)
        prose_say(to, "%s%s", i ? " " : " | ", step->makes.at[i]);
    prose_say(to, ": step");
    for (size_t i = 0; i < step->needs; i++)
        prose_say(to, " steps/%s.json", study->step[step->need[i]].name);
    for (size_t i = 0; i < step->outside.count; i++)
        prose_say(to, " $file%zu", file_number(files, step->outside.at[i]));
    prose_say(to, "\n  step = %s\n", step->name);
    for (size_t i = 0; i < step->tunings; i++)
        prose_say(to, "%s %s", i ? "" : "  tuned_by =", study->step[step->tuned_by[i]].name);
    prose_say(to, "%s  command_line =", step->tunings ? "\n" : "");
    for (size_t i = 0; i < step->argument.count; i++)
        put_argument(to, step->argument.at[i]);
    prose_say(to, "\n");
}

/* Ninja begins steps in the order of their statements, as far as it can. Active learning takes longest. */
static void put_steps(struct prose *to, const struct study *study, const struct strings *files)
{
    for (unsigned active = 2; active-- > 0;)
        for (size_t i = 0; i < study->steps; i++)
            if ((study->step[i].wanted_by >> EXPERIMENT_ACTIVE & 1) == active)
                put_step(to, study, &study->step[i], files);
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

/* The whole file; to free(). */
static char *ninja_text(const struct study *study, struct vouch_error *err)
{
    struct prose says = {0};
    struct strings files = {0};
    prose_say(&says,
              "# The steps of a study, by vouch experiment. VOUCH is the program, VOUCH_STEP_THREADS what a step may\n"
              "# have that finds itself alone.\n"
              "rule step\n"
              "  command = exec \"$${VOUCH:-vouch}\" step %s $step $tuned_by -- $command_line 2>steps/$step.err\n"
              "  description = $step\n\n",
              vouch_version());
    bool ok = put_files(&says, study, &files, err);
    put_steps(&says, study, &files);
    put_experiments(&says, study);
    char *text = ok ? prose_take(&says, err) : NULL;
    prose_release(&says);
    strings_release(&files);
    return text;
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

/* Adds words up to NULL. */
static bool say(struct strings *word, struct vouch_error *err, ...)
{
    va_list args;
    bool ok = true;
    va_start(args, err);
    for (const char *next; ok && (next = va_arg(args, const char *)) != NULL;)
        ok = strings_add(word, err, "%s", next);
    va_end(args);
    return ok;
}

/* Runs Ninja, whose words they are, to its end. */
static bool call_ninja(struct strings *word, struct program *ninja, int *status, struct vouch_error *err)
{
    if (!RESERVE(word->at, word->capacity, word->count + 1, err))
        return false;
    word->at[word->count] = NULL;
    ninja->argument = word->at;
    ninja->does = "steps are run by";
    ninja->package = "ninja-build";
    return program_run(ninja, status, err);
}

/* Marks the steps that are named, each on a line of its own. */
static void mark(const struct study *study, char *lines, bool *due)
{
    char *rest;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        for (size_t i = 0; i < study->steps; i++)
            due[i] = due[i] || strcmp(study->step[i].name, line) == 0;
}

/* The names of steps as Ninja prints them in a dry run, or what it says; to free(). */
static char *ask_ninja(const char *text, const char *out, struct program_streams *s, struct vouch_error *err)
{
    struct strings word = {0};
    int status = 0;
    size_t length;
    if (fputs(text, s->in) < 0 || fflush(s->in) != 0) {
        fail(err, VOUCH_ERR_IO, "cannot write a temporary file: %s", strerror(errno));
        return NULL;
    }
    rewind(s->in);
    setenv("NINJA_STATUS", "", 1);
    struct program ninja = {.in = fileno(s->in), .out = fileno(s->out), .err = fileno(s->err)};
    bool ok =
        say(&word, err, "ninja", "-C", out, "-f", "/dev/stdin", "-n", NULL) && call_ninja(&word, &ninja, &status, err);
    strings_release(&word);
    char *said = ok ? program_stream_text(status ? s->err : s->out, &length, err) : NULL;
    if (!said || status == 0)
        return said;
    fail(err, VOUCH_ERR_IO, "%.*s", (int)strcspn(said, "\n"), said);
    free(said);
    return NULL;
}

bool ninja_find_due(const struct study *study, const char *out, bool *due, struct vouch_error *err)
{
    struct program_streams s = {0};
    char *log = path_in(out, err, ".ninja_log"), *text = log ? ninja_text(study, err) : NULL, *lines = NULL;
    bool ok = text, new = log &&access(log, F_OK) != 0;
    for (size_t i = 0; i < study->steps; i++)
        due[i] = new;
    if (ok && !new) {
        lines = program_streams_open(&s, err) ? ask_ninja(text, out, &s, err) : NULL;
        ok = lines;
    }
    if (lines)
        mark(study, lines, due);
    program_streams_close(&s);
    free(lines);
    free(text);
    free(log);
    return ok;
}

bool ninja_run(const struct study_run *run, struct vouch_error *err)
{
    struct strings word = {0};
    char threads[16];
    int status, nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0)
        return fail(err, VOUCH_ERR_IO, "/dev/null: cannot open: %s", strerror(errno));
    snprintf(threads, sizeof threads, "%u", run->threads);
    setenv("VOUCH", run->program, 1);
    setenv("VOUCH_STEP_THREADS", threads, 1);
    setenv("NINJA_STATUS", "[%f/%t] ", 1);
    bool ok = say(&word, err, "ninja", "-C", run->out, "-k", "0", "-j", threads, NULL);
    for (int e = 0; e < EXPERIMENTS; e++)
        if (run->wanted >> e & 1)
            ok = ok && say(&word, err, experiment_names[e], NULL);
    struct program ninja = {
        .in = nothing, .out = run->show >= 0 ? run->show : nothing, .err = STDERR_FILENO, .stop = run->stop};
    ok = ok && call_ninja(&word, &ninja, &status, err);
    strings_release(&word);
    close(nothing);
    return ok;
}
