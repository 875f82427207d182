/* Implements vouch experiment: the paper's experiments, on the user's data. */
#include "cli/cli.h"

#include "base/spelling.h"
#include "eval/evaluation.h"
#include "train/calibration.h"
#include "options/rows.h"
#include "study/study.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct experiment_options {
    struct options common;
    const char *output, *task, *k_list;
    bool dry_run;
    struct protocol protocol;
};
#define OPTIONS struct experiment_options

static const struct option_spec rows[] = {
    TEXT("output", 'o', output, "DIR", OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
         "the folder for all that is made; what is there already is not made again"),
    TEXT("task", 't', task, "NAME", OPTION_MATTERS,
         "without a plan: what to learn from the files: np, chunk, ner, pos, or dep for trees"),
    INTEGER("folds", 0, protocol.folds, "N", 2, 1000, OPTION_MATTERS, "prediction: parts of the cross-validation"),
    INTEGER("passes", 'n', protocol.passes, "N", 1, 10000, OPTION_MATTERS, "passes over the training data"),
    INTEGER("seeds", 0, protocol.seeds, "N", 1, MOST_SEEDS, OPTION_MATTERS,
            "draw models with N seeds: figures of methods that draw are means over them"),
    INTEGER("repeats", 0, protocol.repeats, "N", 1, 1000, OPTION_MATTERS, "active: how often to repeat it"),
    INTEGER("most", 0, protocol.most, "N", 51, 1e9, OPTION_MATTERS, "active: sentences to label in all"),
    INTEGER("tuning", 0, protocol.tuning, "N", 8, 1e9, OPTION_MATTERS,
            "trees: choose parameters on at most N sentences of the training files"),
    FLAG("dry-run", 0, dry_run, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
         "print the commands that would be run, and run none"),
    WORD("grid", 0, protocol.grid, "NAME", GRID_NAMES, OPTION_MATTERS,
         "values to try for the methods of confidence: full, as many as in the paper, in units of the weights; paper, "
         "the paper's own; or quick, a few"),
    TEXT(
        "k-best", 'k', k_list, "K,...", OPTION_MATTERS,
        "cw and pa learn from the K best answers; 0: 5 for cw, and for pa on labels, else 1; more numbers: prediction, "
        "and all else on answers of cw, once more with each of them; the paper's cw learns from 1"),
    OPTION_SEED,
    INTEGER("threads", 'j', common.work.threads, "N", 1, 256, OPTION_INCIDENTAL,
            "run N commands at a time; the results are the same"),
    OPTIONS_END,
};

/* The paper's ten folds, and enough repetitions for an interval. */
static const struct experiment_options usual = {
    .common = USUAL_COMMON,
    .k_list = "0,1",
    .protocol = {.folds = 10, .passes = 10, .seeds = 10, .repeats = 3, .most = 5000, .tuning = 2000, .grid = "full"},
};

/* Returns the bits of the experiments that are named; 0: there is none of that name. */
static unsigned experiments_named(const char *name)
{
    if (strcmp(name, "all") == 0)
        return (1u << EXPERIMENTS) - 1;
    for (int e = 0; e < EXPERIMENTS; e++)
        if (strcmp(name, experiment_names[e]) == 0)
            return 1u << e;
    return 0;
}

/* Reads "0,1": numbers of answers to learn from, then for comparison; all differ, and only the first may be 0. */
static bool take_k_best(struct protocol *p, const char *list)
{
    int64_t k[1 + STUDY_OTHERS];
    size_t count = 0;
    for (const char *at = list;; at++) {
        char *end;
        if (count > STUDY_OTHERS || *at < '0' || *at > '9')
            return false;
        k[count] = strtoll(at, &end, 10);
        for (size_t i = 0; i < count; i++)
            if (k[i] == k[count] || k[count] == 0)
                return false;
        if (k[count++] > 1000)
            return false;
        at = end;
        if (*at == '\0')
            break;
        if (*at != ',')
            return false;
    }
    p->k_best = k[0];
    p->others = count - 1;
    memcpy(p->other_k, k + 1, p->others * sizeof *k);
    return true;
}

/* Finds the whole path of this program. */
static bool find_program(char *path, size_t room, struct vouch_error *err)
{
    ssize_t length = readlink("/proc/self/exe", path, room);
    if (length < 0)
        return fail(err, VOUCH_ERR_IO, "/proc/self/exe: cannot find the program to run: %s", strerror(errno));
    if ((size_t)length >= room)
        return fail(err, VOUCH_ERR_IO, "/proc/self/exe: expected a path of less than %zu bytes", room);
    path[length] = '\0';
    return true;
}

/* Runs the steps that are due, and prints what to do next. */
static int run_study(const struct experiment_options *s, struct study *study, struct study_run *run,
                     struct vouch_error *err)
{
    char program[4096];
    int lock;
    if (!find_program(program, sizeof program, err) || !study_lock(s->output, &lock, err))
        return EXIT_FAILED;
    run->program = program;
    run->show = !s->common.quiet && isatty(STDERR_FILENO);
    run->stop = interrupt_seen;
    interrupt_catch();
    bool ok = study_run(study, run, err) && study_report(s->output, err);
    close(lock);
    if (interrupt_seen()) { /* other failures do not matter then */
        showf(stderr, "interrupted: the same command goes on from here\n");
        return EXIT_INTERRUPTED;
    }
    if (!ok)
        return EXIT_FAILED;
    for (size_t i = 0; i < run->left.count; i++)
        showf(stderr, "warning: left out: %s\n", run->left.at[i]);
    if (!s->common.quiet)
        showf(stderr, "%zu step%s run, %zu kept: look at %s/report.html; %s/results.json has all numbers\n", run->run,
              run->run == 1 ? "" : "s", run->kept, s->output, s->output);
    *err = (struct vouch_error){0}; /* the warnings have said it */
    return done_if(run->left.count == 0);
}

static bool fail_experiment(const char *found, struct vouch_error *err)
{
    static const char names[] = "data, prediction, ranking, calibration, effect-of-k, tradeoff, active or all";
    struct spelling spelling = {.typed = found};
    char hint[SPELLING_HINT];
    spelling_try_words(&spelling, names);
    return fail(err, VOUCH_ERR_ARGUMENT, "expected %s, found %s%s", names, found,
                spelling_hint(&spelling, "", hint, sizeof hint));
}

/* Finds which experiments are wanted, as bits, and by which protocol. */
static bool prepare(const struct experiment_options *s, struct protocol *protocol, unsigned *wanted,
                    struct vouch_error *err)
{
    *wanted = s->common.arguments ? experiments_named(s->common.argument[0]) : 0;
    if (!*wanted)
        return fail_experiment(s->common.arguments ? s->common.argument[0] : "nothing", err);
    if (!s->output || !s->output[0])
        return fail(err, VOUCH_ERR_ARGUMENT, "expected -o DIR, the folder for all that is made");
    if (s->common.arguments < 2 || (!s->task && s->common.arguments > 2))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected one plan, or --task and the files of a corpus");
    return take_k_best(protocol, s->k_list) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "--k-best: expected up to %d different numbers from 1 to 1000, or 0 first, found '%s'",
                1 + STUDY_OTHERS, s->k_list);
}

static int experiment(void *options, struct vouch_error *err)
{
    const struct experiment_options *s = options;
    struct study study = {.protocol = s->protocol};
    unsigned wanted;
    if (!prepare(s, &study.protocol, &wanted, err))
        return EXIT_MISUSE;
    struct study_run run = {.out = s->output, .wanted = wanted, .threads = (uint32_t)s->common.work.threads};
    signal(SIGCHLD, SIG_DFL); /* if it was inherited as ignored, waitpid() would not tell how a child ended */
    study.protocol.seed = (int64_t)s->common.work.seed;
    bool ok = s->task ? study_plan_files(&study, s->task, s->common.argument + 1, s->common.arguments - 1, err)
                      : study_read_plan(&study, s->common.argument[1], err);
    ok = ok && study_make_steps(&study, err);
    bool any = false;
    for (size_t i = 0; i < study.steps; i++)
        any = any || (study.step[i].wanted_by & wanted);
    if (ok && !any)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "%s: none of the datasets is of a kind that it is for",
                  s->common.argument[0]);
    char *list = ok && s->dry_run ? study_list(&study, &run, err) : NULL;
    if (list)
        fputs(list, stdout);
    ok = ok && (list || !s->dry_run);
    free(list);
    int status = !ok ? EXIT_FAILED : s->dry_run ? EXIT_DONE : run_study(s, &study, &run, err);
    study_release(&study);
    strings_release(&run.left);
    return status;
}

static const struct option_table experiment_table = {"experiment", rows, &usual, sizeof usual, NULL, NULL};

const struct command experiment_command = {
    .name = "experiment",
    .arguments = "NAME -o DIR PLAN | NAME -o DIR --task TASK FILE...",
    .summary = "run the paper's experiments on your data",
    .about =
        "Reruns the experiments of Mejer and Crammer, Confidence Estimation in Structured Prediction, on datasets that "
        "a plan names, or on the sentences of some files. NAME is data, prediction, ranking, calibration, effect-of-k, "
        "tradeoff, active or all. An experiment is a list of commands of this program; what each of them prints is "
        "kept in DIR, and is not computed again if the same experiment is run once more: what was interrupted goes on "
        "where it stopped.",
    .example = "  vouch experiment all -o paper -j 2 plan.json\n"
               "  vouch experiment ranking -o mine --task ner --passes 5 corpus.txt\n",
    .table = &experiment_table,
    .run = experiment,
};
