/* What a judge of scores from elsewhere is made of: see vouch.h. */
#ifndef VOUCH_API_JUDGE_H
#define VOUCH_API_JUDGE_H

#include "predict/estimator.h"
#include "predict/given_scores.h"

struct vouch_judge {
    struct vouch_model *model; /* without weights */
    struct estimator *estimator;
    struct score_rules rules;
    struct estimate_request request;
    char *named; /* the methods of the request; or NULL */
};

/* A copy of a public structure of `size` bytes as the caller knows it, `least` being the first version's. */
bool take_sized(void *to, size_t known, const void *from, size_t least, struct vouch_error *err);

/* A judge whose header is `header`, which it takes over, asked what `request` says, which is copied. */
vouch_judge *judge_make(json_t *header, const struct estimate_request *request, struct vouch_error *err);

/* The scores of one sentence, checked and taken in by the judge's rules. */
bool judge_take_chain(const vouch_judge *judge, const struct vouch_chain_scores *scores, struct score_sets *to,
                      struct vouch_error *err);
bool judge_take_tree(const vouch_judge *judge, const struct vouch_tree_scores *scores, struct score_sets *to,
                     struct vouch_error *err);

#endif
