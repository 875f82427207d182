/*
 * Takes in scores from elsewhere: checks them, and lays them out as the
 * decoders read them. Everything after scores then works as it does with a
 * model's own.
 */
#ifndef VOUCH_SCORES_SCORE_INPUT_H
#define VOUCH_SCORES_SCORE_INPUT_H

#include "core/parts.h"
#include "model/model.h"

/* The shape that scores must have. It never changes once made, and threads share it. */
struct score_rules {
    uint32_t sets;                   /* K */
    const struct tag_labels *labels; /* of chains; NULL: trees */
    bool *
        allows; /* [Y + 1][Y + 1] whether the right label may follow the left one, Y being the outside; NULL: all may */
};

/* Makes the rules of a model of scores: with constraints, labels follow each other as their scheme writes them. */
bool score_rules_init(struct score_rules *rules, const struct vouch_model *model, struct vouch_error *err);
void score_rules_release(struct score_rules *rules);

/* Take one sentence in; `to` was made for as many sets. Every fault is an argument error that tells its place. */
bool score_input_chain(struct score_sets *to, const struct vouch_chain_scores *from, const struct score_rules *rules,
                       struct vouch_error *err);
bool score_input_tree(struct score_sets *to, const struct vouch_tree_scores *from, const struct score_rules *rules,
                      struct vouch_error *err);

#endif
