/*
 * A study runs the experiments of Mejer and Crammer, "Confidence Estimation in Structured Prediction", again on other
 * data.
 *
 *     plan -> steps -> records -> results.json -> report
 *
 * A plan lists the datasets. An experiment is a list of steps, and a step is a command line of this program, run in the
 * folder OUT, whose JSON is kept in OUT/steps/NAME.json: every number has the command that gave it. Ninja runs them,
 * several at a time, and none whose record is newer than what it was made from. So every number in a report can be
 * computed again by hand, an interrupted study goes on where it stopped, and the report is a function of results.json.
 */
#ifndef VOUCH_STUDY_STUDY_H
#define VOUCH_STUDY_STUDY_H

#include "base/error.h"

#include <jansson.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A list of strings that grows; all strings are its own. */
struct strings {
    char **at; /* [count] */
    size_t count, capacity;
};
bool strings_add(struct strings *list, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool strings_add_list(struct strings *list, struct vouch_error *err, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
json_t *strings_json(const struct strings *list); /* an array */
void strings_release(struct strings *list);

enum experiment {
    EXPERIMENT_DATA,
    EXPERIMENT_PREDICTION,
    EXPERIMENT_RANKING,
    EXPERIMENT_CALIBRATION,
    EXPERIMENT_EFFECT_OF_K,
    EXPERIMENT_TRADEOFF,
    EXPERIMENT_ACTIVE,
    EXPERIMENTS
};
extern const char *const experiment_names[EXPERIMENTS];

/* The numbers of draws that effect-of-k tries, the fewest first. */
enum { STUDY_DRAWS = 10 };
extern const unsigned study_draws[STUDY_DRAWS];

struct study_dataset {
    char *key, *name, *task;
    char *paper;           /* its row in the paper's tables, or NULL */
    bool same;             /* the paper's own data */
    bool trees;            /* the task is dep */
    int64_t gold;          /* column of the label, from 1; 0: the last */
    struct strings corpus; /* files to be divided; or, if there are none: */
    struct strings train;
    char *dev, *test; /* dev may be NULL */
};

enum { STUDY_OTHERS = 3 };

/* The settings of the experiments. */
struct protocol {
    int64_t folds, passes;
    int64_t k_best;                /* answers that cw and pa learn from; 0: as usual */
    int64_t other_k[STUDY_OTHERS]; /* [others] the same for comparison */
    size_t others;
    int64_t seeds;         /* of drawn models: figures of methods that draw are means over so many */
    int64_t repeats, most; /* of active learning: how often, and sentences to label */
    int64_t tuning;        /* parameters are chosen on at most so many sentences of a treebank */
    int64_t seed;
    const char *grid; /* of the parameters of methods of confidence: "full", "paper" or "quick"; not owned */
};

enum { STEP_NEEDS = 4, STEP_TUNINGS = 2 }; /* at most */

struct step {
    char *name;
    unsigned wanted_by;      /* bit e: experiment e */
    struct strings argument; /* of the program, from the command's name on */
    struct strings outside;  /* files that it reads and no step makes */
    struct strings makes;    /* files in OUT */
    size_t need[STEP_NEEDS]; /* steps before this one whose files it reads, or that chose its parameters */
    size_t needs;
    size_t tuned_by[STEP_TUNINGS]; /* those of them that chose parameters */
    size_t tunings;
    bool optional; /* no step needs it, and some data are not of a kind for it: if it fails it is left out */

    bool due;       /* found out by a run: it was to be run when the run began; */
    json_t *record; /* of what was done; NULL: not done */
};

struct study {
    struct study_dataset *dataset; /* [datasets] */
    size_t datasets, dataset_capacity;
    struct protocol protocol;
    struct step *step; /* [steps] each after those that it needs */
    size_t steps, step_capacity;
};
void study_release(struct study *study);

/* Reads a plan from a JSON file, in which names of files are relative to it. */
bool study_read_plan(struct study *study, const char *path, struct vouch_error *err);

/* Takes a parsed plan, whose files are relative to `folder`; `path` is for messages. */
bool study_take_plan(struct study *study, const json_t *plan, const char *folder, const char *path,
                     struct vouch_error *err);

/* Makes a plan of one dataset, to be divided. */
bool study_plan_files(struct study *study, const char *task, char *const *file, size_t files, struct vouch_error *err);

/* Returns the plan as it was understood. */
json_t *study_plan_json(const struct study *study);

/* Lists the steps of all experiments. */
bool study_make_steps(struct study *study, struct vouch_error *err);

struct study_run {
    const char *out;     /* a folder that study_lock() took */
    const char *program; /* to run; an absolute path */
    unsigned wanted;     /* bit e: experiment e */
    uint32_t threads;    /* steps at a time */
    bool show;           /* Ninja's progress, on standard error */
    bool (*stop)(void);  /* polled during the run; may be NULL */

    size_t run, kept;    /* found out: steps that were run, and that need not be; */
    struct strings left; /* optional ones that failed, each with its message; release it */
};

/*
 * Locks a folder, made if it is not there, for one run alone, until *lock is closed, by its children as well. Fails if
 * another run has locked it; where a file system cannot lock folders, other runs are not kept out.
 */
bool study_lock(const char *out, int *lock, struct vouch_error *err);

/*
 * Runs every step that is wanted and not kept already, and writes OUT/plan.json, OUT/build.ninja and OUT/results.json.
 * Fails if a step fails that is not optional, after the others were run; or with VOUCH_ERR_STOPPED after stop()
 * returned true. Steps that were finished by then are kept.
 */
bool study_run(struct study *study, struct study_run *run, struct vouch_error *err);

/*
 * Returns the command line of every step that is wanted, in order, and whether it is done already: a text to free().
 * Parameters that other steps will choose are missing, and the steps are named. Nothing is run.
 */
char *study_list(struct study *study, const struct study_run *run, struct vouch_error *err);

/* record.c: */

/* Writes JSON to OUT/NAME, whole or not at all. */
bool study_write_json(const char *out, const char *name, const json_t *value, struct vouch_error *err);

/* Returns the record of a step; NULL if it is not there, or damaged. */
json_t *record_read(const char *out, const char *step);

/* Adds the parameter that a step chose, by its record: "--phi" and "0.3". */
bool record_add_chosen(const json_t *record, const char *step, struct strings *argument, struct vouch_error *err);

/* Returns the result of a command that succeeded: what it printed or, unless that is NULL, what its log has. */
json_t *record_result(FILE *printed, const char *log, struct vouch_error *err);

/* Writes the record of a step: arguments from the command's name on, and seconds by the clock and of the processor. */
bool record_write(const char *out, const char *step, const struct strings *argument, const double seconds[2],
                  json_t *result, struct vouch_error *err);

/*
 * Writes OUT/results.json: the settings, the datasets, the experiments all of whose steps are done, the messages of
 * optional steps that failed, and the record of every step that is done.
 */
bool study_write_results(const struct study *study, const struct study_run *run, struct vouch_error *err);

/* report.c: */

/*
 * Reads OUT/results.json and writes OUT/tables/NAME.md and .csv, OUT/figures/NAME.svg and .dat, OUT/report.md and
 * OUT/report.html, each whole or not at all, the page last. Numbers that were not measured are left out, and the page
 * tells which experiments were not run. Without gnuplot there are no figures, and the page tells this.
 */
bool study_report(const char *out, struct vouch_error *err);

#endif
