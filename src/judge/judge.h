/* Declares the parts of a judge of scores from elsewhere: see vouch.h. */
#ifndef VOUCH_JUDGE_JUDGE_H
#define VOUCH_JUDGE_JUDGE_H

#include "answer/predictor.h"
#include "scores/given_scores.h"

struct vouch_judge {
    struct vouch_model *model;  /* without weights */
    struct vouch_request asked; /* of that model */
    struct score_rules rules;
    struct estimate_request request;
    char *named; /* the methods of the request; or NULL */
};

/* Copies a public structure of `size` bytes as the caller knows it, `least` being the first version's. */
bool take_sized(void *to, size_t known, const void *from, size_t least, struct vouch_error *err);

/* Makes a judge whose header is `header`, which it takes over, for a copy of `request`. */
vouch_judge *judge_make(json_t *header, const struct estimate_request *request, struct vouch_error *err);

/* Check the scores of one sentence by the judge's rules, and take them in. */
bool judge_take_chain(const vouch_judge *judge, const struct vouch_chain_scores *scores, struct score_sets *to,
                      struct vouch_error *err);
bool judge_take_tree(const vouch_judge *judge, const struct vouch_tree_scores *scores, struct score_sets *to,
                     struct vouch_error *err);

#endif
