/*
 * Compares answers that are in files with gold, in the same file or in one of its own: labels or trees, and the
 * confidence that they come with.
 *
 *     file_comparison_prepare() -> file_comparison_open() -> file_comparison_run() -> an evaluation
 */
#ifndef VOUCH_EVAL_FILE_COMPARISON_H
#define VOUCH_EVAL_FILE_COMPARISON_H

#include "answers/answer_file.h"
#include "eval/answer_calibration.h"
#include "eval/evaluation.h"

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
