/*
 * Tuning finds anew how far a model's answers can be trusted, on labelled files that it has not learned from. The
 * result replaces the old one in the model's header.
 */
#ifndef VOUCH_TUNE_TUNING_H
#define VOUCH_TUNE_TUNING_H

#include "base/output.h"
#include "eval/evaluation.h"
#include "train/calibration.h"

/* The options of vouch tune, as given. */
struct tune_options {
    struct options common;
    struct reading_values reading;
    struct score_values source;
    const char *model, *output, *answers, *columns;
    enum row_sentences rows;
    const char *grid; /* of values to try for the methods of confidence */
    uint32_t draws;
    bool plain_draws;
    double coverage;
    bool json;
};
extern const struct option_table tune_options;

/* The options of vouch tune, checked. */
struct tuning_plan {
    const struct tune_options *options;
    struct reader_options reading;
    struct grids grids;
};

/* Must not be moved. */
struct tuning_result {
    struct corpus corpus; /* the sentences that the model answers are its dev file */
    struct found_confidence found;
    json_t *header;     /* of the model, with what was found */
    bool point_gone;    /* an operating point was dropped, as its threshold was for other numbers */
    bool coverage_gone; /* and so were the thresholds of sets */
};

bool tuning_prepare(struct tuning_plan *plan, const struct tune_options *options, struct vouch_error *err);

/* Reads the files as the model sees them, then lets it answer. Release the result in any case, before the model. */
bool tuning_read(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                 struct tuning_result *result, struct vouch_error *err);
bool tuning_run(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                struct tuning_result *result, struct vouch_error *err);
void tuning_result_release(struct tuning_result *result);

/*
 * Thresholds by which sets of choices hold the right one as often as was asked for, found on labelled files that the
 * model has not learned from, and kept in its header. Set the first four fields, and zero the rest. Release in any
 * case.
 */
struct covering {
    const struct tune_options *options; /* of vouch tune, with a coverage */
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights; else NULL */
    const struct vouch_watch *watch;  /* may be NULL */

    struct coverage_model found;
    uint32_t sentences[COVERED]; /* sentences that have words, and those whose answers have chunks */
    uint64_t count[COVERED];     /* words or chunks in them */
    uint64_t wrong[COVERED];     /* of these, those whose answer is wrong */
    struct estimator *estimator;
    json_t *header; /* of the model, with what was found */

    struct miss *miss[COVERED]; /* [misses] */
    size_t misses[COVERED], miss_capacity[COVERED];
    const struct task *task;
    struct text *gold;
    struct label_work work;
    size_t gold_capacity;
};

bool covering_run(struct covering *covering, struct vouch_error *err);

/* Returns what was found; NULL if there is no memory. */
json_t *covering_json(const struct covering *covering);
void covering_release(struct covering *covering);

/* What is promised, and for which text, in one plain sentence. */
#define COVERAGE_ASSUMES                                                                                               \
    "in the mean over sentences from the same source as the files it was found on, at most the other share of a "      \
    "sentence's words, and of its predicted chunks, have sets without the right choice"

#endif
