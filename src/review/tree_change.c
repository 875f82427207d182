/*
 * Finds what else of a tree must move with an arc.
 *
 * There are two trees, the given one and the proposed one, and a suspect calls for the proposed heads of some words.
 * Alone, these may close a cycle or make a second root. A set of words can be moved if the given heads, with proposed
 * ones for the words of the set, form a tree.
 *
 * 1. If the suspect's own words can be moved, that is the change.
 * 2. Else it is the smallest set with them that can be moved: the best tree over the arcs of both, where a proposed arc
 *    costs 1 and the suspect's given arcs are forbidden (tree_best(); the proposed tree is always one).
 * 3. Sets that can be moved one by one cannot always be moved together. If this one cannot be moved with all that stand
 *    before it in the list, it becomes the words with all that is above them in the proposed tree, and the given roots
 *    with what is above those. From its words, proposed heads lead to the root; from all others the way is as it was,
 *    or leads to one of these. So such a set can be moved together with any other that can be moved.
 *
 * A sentence that was given several roots may keep as many. O(N) for a suspect, O(N^2) if its words do not suffice.
 */
#include "review/review.h"

#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One sentence, and memory for it; arrays are [N], heads from 1, 0 the root. */
struct changing {
    uint32_t N, roots;
    uint32_t *given, *proposed, *mixed, *walk;
    bool *own, *set, *all; /* words of the suspect; of its change; of all changes so far */
    uint32_t *numbers;     /* the arrays above lie in these two */
    bool *flags;
    size_t numbers_capacity, flags_capacity;
    struct scores scores;
    struct scratch scratch;
};

static bool open_sentence(struct changing *c, const struct finding *finding, uint32_t N, struct vouch_error *err)
{
    if (!RESERVE(c->numbers, c->numbers_capacity, (size_t)N * 4 + 1, err) ||
        !RESERVE(c->flags, c->flags_capacity, (size_t)N * 3, err))
        return false;
    c->N = N;
    c->given = c->numbers;
    c->proposed = c->given + N;
    c->mixed = c->proposed + N;
    c->walk = c->mixed + N; /* which has one more */
    c->own = c->flags;
    c->set = c->own + N;
    c->all = c->set + N;
    c->roots = 0;
    for (uint32_t n = 0; n < N; n++) {
        c->given[n] = finding[n].given;
        c->proposed[n] = finding[n].proposed;
        c->roots += c->given[n] == 0;
        c->all[n] = false;
    }
    return true;
}

/* Whether the words of a set can be moved, together with those of another (which may be NULL). */
static bool can_move(struct changing *c, const bool *set, const bool *with)
{
    uint32_t roots = 0;
    for (uint32_t n = 0; n < c->N; n++) {
        c->mixed[n] = set[n] || (with && with[n]) ? c->proposed[n] : c->given[n];
        roots += c->mixed[n] == 0;
        c->walk[n + 1] = 0;
    }
    for (uint32_t i = 1; i <= c->N; i++) {
        uint32_t at = i;
        for (; at > 0 && c->walk[at] == 0; at = c->mixed[at - 1])
            c->walk[at] = i;
        if (at > 0 && c->walk[at] == i)
            return false;
    }
    return roots > 0 && roots <= (c->roots > 1 ? c->roots : 1);
}

static bool find_smallest(struct changing *c, struct vouch_error *err)
{
    uint32_t N = c->N;
    double score;
    if (!scores_shape(&c->scores, N, N * (N + 1), 1, 0, err))
        return false;
    for (size_t i = 0; i < (size_t)N * (N + 1); i++)
        c->scores.node[i] = -INFINITY;
    for (uint32_t n = 0; n < N; n++) {
        c->scores.node[tree_group(N, n, c->proposed[n])] = -1;
        if (!c->own[n] || c->given[n] == c->proposed[n])
            c->scores.node[tree_group(N, n, c->given[n])] = 0;
    }
    if (!tree_best(&c->scores, &c->scratch, c->mixed, &score, err))
        return false;
    for (uint32_t n = 0; n < N; n++)
        c->set[n] = c->mixed[n] != c->given[n];
    return true;
}

/* Makes the set the suspect's words and the given roots, with all that is above them in the proposed tree. */
static void find_safest(struct changing *c)
{
    memset(c->set, 0, sizeof *c->set * c->N);
    for (uint32_t n = 0; n < c->N; n++)
        for (uint32_t at = n + 1; (c->own[n] || c->given[n] == 0) && at > 0 && !c->set[at - 1];
             at = c->proposed[at - 1])
            c->set[at - 1] = true;
}

static bool find_change(struct changing *c, struct vouch_error *err)
{
    memcpy(c->set, c->own, sizeof *c->set * c->N);
    if (!can_move(c, c->set, NULL) && !find_smallest(c, err))
        return false;
    if (!can_move(c, c->set, c->all))
        find_safest(c);
    for (uint32_t n = 0; n < c->N; n++)
        c->all[n] = c->all[n] || c->set[n];
    return true;
}

/* Notes the words that change with `s`, beside its own. */
static bool add_change(struct review *r, struct changing *c, struct suspect *s, struct vouch_error *err)
{
    bool moves = false;
    s->others = r->changes;
    for (uint32_t n = 0; n < c->N; n++) {
        c->own[n] = n >= s->from && n < s->to && c->given[n] != c->proposed[n];
        moves = moves || c->own[n];
    }
    if (!moves)
        return true;
    if (!find_change(c, err) || !RESERVE(r->change, r->change_capacity, r->changes + c->N, err))
        return false;
    for (uint32_t n = 0; n < c->N; n++)
        if (c->set[n] && !c->own[n] && c->given[n] != c->proposed[n])
            r->change[r->changes++] = n;
    s->other_count = (uint32_t)(r->changes - s->others);
    return true;
}

bool find_tree_changes(struct review *r, size_t count, struct vouch_error *err)
{
    struct changing c = {0};
    size_t *order = suspects_by_sentence(r, count, err);
    uint32_t last = UINT32_MAX;
    bool ok = order != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        struct suspect *s = &r->suspect[order[i]];
        if (s->sentence != last)
            ok = open_sentence(&c, r->finding[0] + r->first[s->sentence], words_of(r, s->sentence), err);
        last = s->sentence;
        ok = ok && add_change(r, &c, s, err);
    }
    free(order);
    free(c.numbers);
    free(c.flags);
    scores_release(&c.scores);
    scratch_release(&c.scratch);
    return ok;
}
