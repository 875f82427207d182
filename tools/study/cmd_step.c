/*
 * Implements vouch step: one step of a study, run by Ninja in the study's folder.
 *
 *     vouch step VERSION NAME [STEP ...] -- COMMAND [ARGUMENT ...]
 *
 * It runs the command in this process, with the parameters that the STEPs chose after its name, and writes what it
 * printed, how long it took and its command line to steps/NAME.json: see record.c. The command writes to a
 * temporary file in place of standard output.
 *
 * A step that finds no other running may use all threads, whose number is in VOUCH_STEP_THREADS; all others use one.
 */
#include "cli/cli.h"

#include "base/watch.h"
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

static bool takes(const struct command *command, const char *name)
{
    for (const struct option_spec *o = command ? command->table->option : NULL; o && o->name; o++)
        if (strcmp(o->name, name) == 0)
            return true;
    return false;
}

/*
 * Returns the number of threads to use. Every step holds a shared lock on the folder of records as long as it runs: a
 * step that gets it exclusively is alone.
 */
static const char *threads_to_use(void)
{
    const char *all = getenv("VOUCH_STEP_THREADS");
    int folder = open("steps", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool alone = folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0;
    if (folder >= 0)
        flock(folder, LOCK_SH);
    return alone && all ? all : "1";
}

/*
 * Sends standard output to a file without a name from now on. What it was before stays open as long as the process
 * lives: Ninja takes its end for that of the step, and would wait for this step before it starts another.
 */
static FILE *divert_output(struct vouch_error *err)
{
    FILE *file = tmpfile();
    if (file && fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0)
        return file;
    fail(err, VOUCH_ERR_IO, "cannot make a temporary file: %s", strerror(errno));
    if (file)
        fclose(file);
    return NULL;
}

/* Makes the command line to write_record: with parameters that were chosen, without options that only tell how to run
 * it. */
static bool complete(int argc, char **argv, int dashes, struct strings *argument, struct vouch_error *err)
{
    bool ok = strings_add(argument, err, "%s", argv[dashes + 1]);
    for (int i = 2; ok && i < dashes; i++) {
        json_t *record = record_read(".", argv[i]);
        ok = record_add_chosen(record, argv[i], argument, err);
        json_decref(record);
    }
    for (int i = dashes + 2; ok && i < argc; i++)
        ok = strings_add(argument, err, "%s", argv[i]);
    return ok;
}

/* Runs it, quietly; returns the exit status. */
static int run(const struct strings *argument, struct vouch_error *err)
{
    const struct command *command = command_named(argument->at[0]);
    struct strings all = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < argument->count; i++)
        ok = strings_add(&all, err, "%s", argument->at[i]);
    if (takes(command, "quiet"))
        ok = ok && strings_add(&all, err, "--quiet");
    if (takes(command, "threads"))
        ok = ok && strings_add(&all, err, "--threads=%s", threads_to_use());
    int status = ok ? command_run((int)all.count, all.at, NULL) : EXIT_FAILED;
    strings_release(&all);
    return status;
}

/* Returns the file after --log; NULL: the result is what the command prints. */
static const char *log_of(const struct strings *argument)
{
    for (size_t i = 0; i + 1 < argument->count; i++)
        if (strcmp(argument->at[i], "--log") == 0)
            return argument->at[i + 1];
    return NULL;
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static bool write_record(const char *name, const struct strings *argument, FILE *printed, double started,
                         struct vouch_error *err)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    json_t *result = record_result(printed, log_of(argument), err);
    const double seconds[] = {seconds_now() - started, seconds_of(used.ru_utime) + seconds_of(used.ru_stime)};
    bool ok = result && record_write(".", name, argument, seconds, result, err);
    json_decref(result);
    return ok;
}

int step_run(int argc, char **argv)
{
    struct vouch_error err = {0};
    struct strings argument = {0};
    double started = seconds_now();
    int dashes = 2;
    while (dashes < argc && strcmp(argv[dashes], "--") != 0)
        dashes++;
    if (dashes + 1 >= argc) {
        showf(stderr, "usage: vouch step VERSION NAME [STEP ...] -- COMMAND [ARGUMENT ...]\n");
        return EXIT_MISUSE;
    }
    bool ok = strcmp(argv[0], vouch_version()) == 0 ||
              fail(&err, VOUCH_ERR_ARGUMENT, "these steps are of vouch %s, and this is %s: run vouch experiment again",
                   argv[0], vouch_version());
    FILE *printed = NULL;
    ok = ok && complete(argc, argv, dashes, &argument, &err) && (printed = divert_output(&err));
    int status = ok ? run(&argument, &err) : EXIT_FAILED;
    if (ok && status == EXIT_DONE)
        ok = write_record(argv[1], &argument, printed, started, &err);
    if (!ok || err.status) { /* the command prints messages of its own */
        showf(stderr, "vouch step: %s\n", err.message);
        status = EXIT_FAILED;
    }
    if (printed)
        fclose(printed);
    strings_release(&argument);
    return status;
}
