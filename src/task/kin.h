/*
 * The neighbours that words have in a tree, for features that look at it: of relations (relation_features.c), and of
 * arcs in a second stage (stacked_arcs.c).
 */
#ifndef VOUCH_TASK_KIN_H
#define VOUCH_TASK_KIN_H

#include "core/sentence.h"

#include <string.h>

/* A word, or the root; 0 where there is no such word. Children are in the order of the sentence. */
struct kin {
    uint32_t first, last;  /* child */
    uint32_t before, next; /* child of the same head */
    uint32_t left, right;  /* the number of children on either side */
};

/* Finds them for the root and N words: kin [N + 1]. Words whose head is open have none. */
static inline void find_kin(const uint32_t *head, uint32_t N, struct kin *kin)
{
    memset(kin, 0, sizeof *kin * ((size_t)N + 1));
    for (uint32_t m = 1; m <= N; m++) {
        uint32_t h = head[m - 1];
        if (h == OPEN_CHOICE)
            continue;
        uint32_t before = kin[h].last;
        kin[m].before = before;
        if (before)
            kin[before].next = m;
        else
            kin[h].first = m;
        kin[h].last = m;
        kin[h].left += m < h;
        kin[h].right += m > h;
    }
}

#endif
