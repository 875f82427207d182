/*
 * Judges of scores from elsewhere: see vouch.h.
 *
 * A judge is a model without weights, rules that its scores must keep to, and what is asked of its answers: the same
 * request as for a trained model.
 */
#ifndef VOUCH_JUDGE_JUDGE_H
#define VOUCH_JUDGE_JUDGE_H

#include "answer/predictor.h"
#include "answer/request.h"
#include "scores/score_files.h"
#include "text/reader.h"

struct vouch_judge {
    struct vouch_model *model;   /* without weights */
    struct vouch_request *asked; /* of that model */
    struct score_rules rules;
    struct answer_options options; /* that the request was made of */
    char *text[2];                 /* of these: the methods, and what is written below the threshold; or NULL */
};

/* Copies a public structure of `size` bytes as the caller knows it, `least` being the first version's. */
bool take_sized(void *to, size_t known, const void *from, size_t least, struct vouch_error *err);

/*
 * Returns the header of a judge of these labels, or of trees if `labels` is NULL: all that is known of it, with nothing
 * calibrated. To json_decref(); NULL with an error.
 */
json_t *judge_header(const char *const *labels, size_t count, const struct vouch_judge_options *options,
                     struct vouch_error *err);

/* Makes a model without weights of a header, which it takes over; NULL is allowed, after an error. */
vouch_model *judge_model(json_t *header, struct vouch_error *err);

/*
 * Makes a judge of a header, which it takes over, that answers as the options of vouch tag say: confidence, doubt and
 * the operating point, which are copied.
 */
vouch_judge *judge_make(json_t *header, const struct answer_options *options, struct vouch_error *err);

/* Check the scores of one sentence by the judge's rules, and take them in. */
bool judge_take_chain(const struct score_rules *rules, const struct vouch_chain_scores *scores, struct score_sets *to,
                      struct vouch_error *err);
bool judge_take_tree(const struct score_rules *rules, const struct vouch_tree_scores *scores, struct score_sets *to,
                     struct vouch_error *err);

/* The calibration of another program's scores on a labelled file: vouch judge --gold. */
struct judge_calibration {
    const struct answer_options *options;
    struct reader_options reading;
    /* found: */
    uint64_t sentences, words;
    vouch_judge *calibrated;
    json_t *header; /* of its model, with where the gold is, so that later commands find it */
};

/* Reads --gold and calibrates the model, whose scores are in the files. Release in any case. */
bool judge_calibration_run(struct judge_calibration *calibration, const struct vouch_model *model,
                           const struct score_files *files, struct vouch_error *err);
void judge_calibration_release(struct judge_calibration *calibration);

#endif
