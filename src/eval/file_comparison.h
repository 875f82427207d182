/*
 * Compares answers that are in files with gold, in the same file or in one of its own: labels or trees, and the
 * confidence that they come with.
 *
 *     file_comparison_prepare() -> file_comparison_open() -> file_comparison_run() -> an evaluation
 *
 * The numbers that they come with can be calibrated by such an evaluation, and the calibration applied to other files.
 */
#ifndef VOUCH_EVAL_FILE_COMPARISON_H
#define VOUCH_EVAL_FILE_COMPARISON_H

#include "answers/answer_file.h"
#include "answer/request.h"
#include "base/output.h"
#include "eval/evaluation.h"
#include "fit/forecaster.h"

/*
 * The calibration of another program's numbers: answer_calibration.c. It is a function of the number alone, fitted on
 * answers whose gold is known, that gives the probability of a label or head, or of a relation, to be right; of spans
 * it may look at more than the number: span_calibration.c. It is kept as a file of JSON, which says what it was fitted
 * on.
 */

/* What numbers are about. */
enum answer_kind { ABOUT_LABELS, ABOUT_HEADS, ABOUT_SPANS, ANSWER_KINDS };
extern const char *const answer_kind_names[ANSWER_KINDS]; /* "labels", "heads", "spans" */

static inline enum answer_kind answer_kind_of(const struct answer_file *file)
{
    return file->spans ? ABOUT_SPANS : file->trees ? ABOUT_HEADS : ABOUT_LABELS;
}

/* What the probability of a span is a function of. */
enum span_way { SPANS_BY_SCORE, SPANS_BY_TYPE, SPANS_BY_SIGNALS, SPAN_WAYS };
extern const char *const span_way_names[SPAN_WAYS]; /* "score", "types", "signals" */

struct span_calibration {
    enum span_way way;
    double loss[SPAN_WAYS]; /* log loss on texts that were held out; NAN: was not tried */
    char **type;            /* [types] the most frequent first */
    double *constant, *slope; /* [types] by which log-odds of the score become those of the type */
    uint32_t types;
    struct forecaster forecaster; /* of the last way */
};

/* The aspects that are calibrated: words, whose numbers are about labels or heads, and relations. */
#define CALIBRATED_ASPECTS ASPECT_INSIDE

/* How good numbers are as probabilities; NAN: they are none, or not known. */
struct answer_figures {
    double log_loss, ece; /* log loss in nats */
};

/* Zero it before first use; release it in any case. */
struct answer_calibration {
    enum answer_kind about;                         /* words' numbers; those of spans are in their place */
    bool log;                                       /* they are log-probabilities */
    struct calibration of[CALIBRATED_ASPECTS];      /* CALIBRATE_NONE: there are no numbers of this kind */
    struct span_calibration spans;                  /* beside the first of these */
    struct digest_set texts;                        /* that spans were fitted on */
    json_t *header;                                 /* all of it as it was read, with its operating point; or NULL */
    uint64_t count[CALIBRATED_ASPECTS];             /* of numbers */
    uint64_t wrong[CALIBRATED_ASPECTS];             /* answers that they were about */
    struct answer_figures raw[CALIBRATED_ASPECTS];  /* of the numbers as they came, */
    struct answer_figures held[CALIBRATED_ASPECTS]; /* and of calibrations of other sentences */
};

void answer_calibration_release(struct answer_calibration *calibration);

/* Fits by the rows of an evaluation of one method, whose sentences stay together. */
bool answer_calibration_fit(struct answer_calibration *calibration, const struct confidence_eval *rows, uint64_t seed,
                            struct vouch_error *err);

/* Fits by the spans of a file, whose texts stay together. */
bool answer_calibration_fit_spans(struct answer_calibration *calibration, const struct answer_file *file,
                                  const struct work *work, struct vouch_error *err);

/* Returns the probabilities of the spans of a file, [rows], to free(). `name` is the calibration's, for messages. */
double *answer_calibration_of_spans(const struct answer_calibration *calibration, const struct answer_file *file,
                                    const char *name, struct vouch_error *err);

/* Measures numbers as probabilities of `right` [n]. */
bool answer_figures_find(const double *number, const bool *right, size_t n, struct answer_figures *figures,
                         struct vouch_error *err);

/* Add what is known of spans to JSON, and read it; release it. Reading may fail without setting the error. */
bool span_calibration_describe(const struct span_calibration *calibration, json_t *into);
bool span_calibration_read(struct span_calibration *calibration, const json_t *json, struct vouch_error *err);
void span_calibration_release(struct span_calibration *calibration);

/* Returns the name of the way in which numbers of an aspect are calibrated, for messages. */
const char *answer_calibration_kind(const struct answer_calibration *calibration, enum aspect aspect);

/* Finds the probability of a number; NAN stays NAN. False if the number is outside of the range that was fitted. */
bool answer_calibration_apply(const struct answer_calibration *calibration, enum aspect aspect, double raw,
                              double *probability);

/* Describes the calibration and its figures; NULL if memory is short. */
json_t *answer_calibration_json(const struct answer_calibration *calibration);

/* Writes that with the name of the file, and the command that made it; reads it again. */
bool answer_calibration_write(const struct answer_calibration *calibration, const char *file, const char *command,
                              struct output *out, struct vouch_error *err);
bool answer_calibration_read(struct answer_calibration *calibration, const char *path, struct vouch_error *err);

/* Writes one that was read, with an operating point. */
bool answer_calibration_keep(const struct answer_calibration *calibration, json_t *point, struct output *out,
                             struct vouch_error *err);

/* Reads it from the text of such a file. */
bool answer_calibration_parse(struct answer_calibration *calibration, const char *text, struct vouch_error *err);

/*
 * Writes the file of answers that the options of vouch tag name, with the probabilities of its answers:
 * answer_completion.c. Spans are marked as doubtful, or left out, if the options ask for it. `name` is the
 * calibration's, for messages.
 */
bool answers_complete(const struct answer_options *options, const struct answer_calibration *calibration,
                      const char *name, struct output *out, struct vouch_error *err);

/*
 * The comparison: file_comparison.c
 */

/* Set the first fields of the evaluation, and `calibration`; zero the rest. Release in any case. */
struct file_comparison {
    struct evaluation e;                          /* the result; its options name the files, which no model answers */
    const struct answer_calibration *calibration; /* that makes probabilities of the file's numbers; or NULL */

    struct reader_options reading;
    struct answer_file *answers, *gold; /* gold is NULL if one file holds both */
    struct tag_score labels;            /* beside the chunks in `e`; which of them counts is known at the end */
    struct scheme_watch spelled;        /* how gold spells its chunks */
    bool respelled; /* chunks of gold and of answers are spelled by different schemes: both are rewritten to IOB2 */
    char *spelling[2];
    size_t spelling_capacity[2];
    uint32_t method[MAX_METHODS]; /* those of the file that were asked for */
    uint32_t methods;
    struct method_confidence by_method[MAX_METHODS];
    double *calibrated; /* [2][N] of words and relations */
    size_t calibrated_capacity;
};

/* Checks the options. */
bool file_comparison_prepare(struct file_comparison *comparison, struct vouch_error *err);

/* Opens the files that the options name, and finds out what they hold: FILE, GOLD and SYSTEM, or --answers. */
bool file_comparison_open(struct file_comparison *comparison, struct vouch_error *err);

/* Reads and counts everything, and measures the confidence. */
bool file_comparison_run(struct file_comparison *comparison, struct vouch_error *err);
void file_comparison_release(struct file_comparison *comparison);

#endif
