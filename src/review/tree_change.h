/*
 * Finds what else of a tree must move with an arc.
 */
#ifndef VOUCH_REVIEW_TREE_CHANGE_H
#define VOUCH_REVIEW_TREE_CHANGE_H

#include "review/review.h"

/* Words that change with each of a list of suspects, beside its own: word[at] .. of suspect of[i]. */
struct tree_changes {
    struct tree_change {
        size_t at;
        uint32_t count;
    } * of;         /* [count of the list] */
    uint32_t *word; /* numbers in their sentences, from 0, ascending */
    size_t words, capacity;
};

/*
 * Finds the changes for the first `count` of a list over trees. Each change by itself turns the given tree into a tree,
 * and so do all of them together. Release in any case.
 */
bool tree_changes_find(struct tree_changes *changes, const struct review *review, const struct held_out *held,
                       const struct suspect *list, size_t count, struct vouch_error *err);
void tree_changes_release(struct tree_changes *changes);

#endif
