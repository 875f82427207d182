/*
 * Tuning finds anew how far a model's answers can be trusted, on labelled files that it has not learned from. The
 * result replaces the old one in the model's header.
 */
#ifndef VOUCH_TUNE_TUNING_H
#define VOUCH_TUNE_TUNING_H

#include "base/output.h"
#include "eval/evaluation.h"
#include "task/dictionary.h"
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
    const char *by; /* "label": thresholds of sets for each; NULL: one for all */
    bool in_place, json, log;
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
 * Calibrates answers of another program, which are in the file that the options name: in any of the formats of
 * eval/file_comparison.h. The first tells whether the options can be followed. Release the calibration in any case.
 */
struct answer_calibration;
bool answers_tunable(const struct tune_options *options, struct vouch_error *err);
bool answers_tune(const struct tune_options *options, struct answer_calibration *found, struct vouch_error *err);

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
    struct covered_group *group[COVERED]; /* [groups] what has a threshold of its own: first all, then by label */
    uint32_t groups[COVERED];
    struct estimator *estimator;
    json_t *header;            /* of the model, with what was found */
    json_t *by_label[COVERED]; /* the thresholds of labels; or NULL */

    /* The answers. */
    struct covered_count { /* things of one label in one sentence */
        uint32_t label, sentence, count;
    } *count[COVERED];
    struct covered_miss { /* a wrong answer */
        double score;     /* the probability of the right choice; 0: it has none */
        uint32_t label, sentence;
    } *miss[COVERED];
    size_t counts[COVERED], count_capacity[COVERED], misses[COVERED], miss_capacity[COVERED];
    struct measured_text text;
    uint32_t sentences, *document; /* [sentences] the document of each */
    size_t document_capacity;
    struct dictionary labels; /* the right choices: labels, types, relations */
    const struct task *task;
    struct text *gold;
    struct label_work work;
    size_t gold_capacity;
};

/* Things whose sets have one threshold: of all labels, of one, or of those that are too rare for their own. */
struct covered_group {
    uint32_t label;  /* in the covering's labels; 0: several */
    uint32_t labels; /* that are in it */
    uint32_t units;  /* sentences, or documents, that have such things */
    uint64_t count, wrong;
    double threshold;
};

/* Returns the name of a group: that of its label, "all", or "others". */
struct text covered_group_name(const struct covering *covering, enum covered what, uint32_t group);

bool covering_run(struct covering *covering, struct vouch_error *err);

/* Returns what was found; NULL if there is no memory. */
json_t *covering_json(const struct covering *covering);
void covering_release(struct covering *covering);

/* Whether labels, or relations, have thresholds of their own or share one, beside the one for all. */
bool covering_by_label(const struct covering *covering);

/*
 * Writes what is guaranteed, for text from the same source as what `source` names, as one plain sentence; it is cut off
 * where `size` ends.
 */
void covering_guarantee(const struct covering *covering, const char *source, char *text, size_t size);

#endif
