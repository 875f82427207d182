/*
 * Finds what must move with an arc: see tree_change.h.
 *
 * There are two trees, the given one and the proposed one, and a suspect calls
 * for the proposed heads of some words. Alone, these may close a cycle or make
 * a second root. A set of words can be moved if the given heads, with proposed
 * ones for the words of the set, form a tree.
 *
 * 1. If the suspect's own words can be moved, that is the change.
 * 2. Else it is the smallest set with them that can be moved: the best tree
 *    over the arcs of both, where a proposed arc costs 1 and the suspect's
 *    given arcs are forbidden (tree_best(); the proposed tree is always one).
 * 3. Sets that can be moved one by one cannot always be moved together. If this
 *    one cannot be moved with all that stand before it in the list, it becomes
 *    the words with all that is above them in the proposed tree, and the given
 *    roots with what is above those. From its words, proposed heads lead to the
 *    root; from all others the way is as it was, or leads to one of these. So
 *    such a set can be moved together with any other that can be moved.
 *
 * A sentence that was given several roots may keep as many. O(N) for a
 * suspect, O(N^2) if its words do not suffice.
 */
#include "review/tree_change.h"

#include "tree/tree.h"

#include <math.h>
#include <stdlib.h>

/* One sentence, and memory for it; arrays are [N], heads from 1, 0 the root. */
struct changing {
    uint32_t N, roots;
    uint32_t *given, *proposed, *mixed, *walk;
    bool *own, *set, *all; /* words of the suspect; of its change; of all changes so far */
    size_t capacity, flags;
    uint32_t *numbers;
    bool *bits;
    struct scores scores;
    struct scratch scratch;
};

static bool lay_out(struct changing *c, uint32_t N, struct vouch_error *err)
{
    if (!RESERVE(c->numbers, c->capacity, (size_t)N * 4 + 1, err) || !RESERVE(c->bits, c->flags, (size_t)N * 3, err))
        return false;
    c->N = N;
    c->given = c->numbers;
    c->proposed = c->given + N;
    c->mixed = c->proposed + N;
    c->walk = c->mixed + N; /* which has one more */
    c->own = c->bits;
    c->set = c->own + N;
    c->all = c->set + N;
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

static void add_above(struct changing *c, uint32_t n)
{
    for (; !c->set[n]; n = c->proposed[n] - 1) {
        c->set[n] = true;
        if (c->proposed[n] == 0)
            return;
    }
}

static void find_safest(struct changing *c)
{
    for (uint32_t n = 0; n < c->N; n++)
        c->set[n] = false;
    for (uint32_t n = 0; n < c->N; n++)
        if (c->own[n] || c->given[n] == 0)
            add_above(c, n);
}

static bool find_change(struct changing *c, struct vouch_error *err)
{
    for (uint32_t n = 0; n < c->N; n++)
        c->set[n] = c->own[n];
    if (!can_move(c, c->set, NULL) && !find_smallest(c, err))
        return false;
    if (!can_move(c, c->set, c->all))
        find_safest(c);
    for (uint32_t n = 0; n < c->N; n++)
        c->all[n] = c->all[n] || c->set[n];
    return true;
}

/* The places of a list by sentence, then by rank. */
struct turn {
    uint32_t sentence;
    size_t rank;
};

static int compare_turns(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static bool open_sentence(struct changing *c, const struct finding *finding, uint32_t N, struct vouch_error *err)
{
    if (!lay_out(c, N, err))
        return false;
    c->roots = 0;
    for (uint32_t n = 0; n < N; n++) {
        c->given[n] = finding[n].given;
        c->proposed[n] = finding[n].proposed;
        c->roots += c->given[n] == 0;
        c->all[n] = false;
    }
    return true;
}

/* Notes the words that change with `s`. */
static bool add_change(struct tree_changes *changes, struct changing *c, const struct suspect *s,
                       struct tree_change *change, struct vouch_error *err)
{
    bool moves = false;
    *change = (struct tree_change){.at = changes->words};
    for (uint32_t n = 0; n < c->N; n++) {
        c->own[n] = n >= s->from && n < s->to && c->given[n] != c->proposed[n];
        moves = moves || c->own[n];
    }
    if (!moves)
        return true;
    if (!find_change(c, err) || !RESERVE(changes->word, changes->capacity, changes->words + c->N, err))
        return false;
    for (uint32_t n = 0; n < c->N; n++)
        if (c->set[n] && !c->own[n] && c->given[n] != c->proposed[n])
            changes->word[changes->words++] = n;
    change->count = (uint32_t)(changes->words - change->at);
    return true;
}

bool tree_changes_find(struct tree_changes *changes, const struct review *review, const struct held_out *held,
                       const struct suspect *list, size_t count, struct vouch_error *err)
{
    const struct dataset *dataset = held->dataset;
    struct changing c = {0};
    struct turn *turn = new_array(count + 1, sizeof *turn, err);
    *changes = (struct tree_changes){.of = new_array(count + 1, sizeof *changes->of, err)};
    bool ok = turn && changes->of;
    for (size_t i = 0; ok && i < count; i++)
        turn[i] = (struct turn){list[i].sentence, i};
    if (ok)
        qsort(turn, count, sizeof *turn, compare_turns);
    for (size_t i = 0; ok && i < count; i++) {
        size_t first = dataset->words_before(dataset->self, held->dev, turn[i].sentence);
        size_t end = dataset->words_before(dataset->self, held->dev, turn[i].sentence + 1);
        if (i == 0 || turn[i].sentence != turn[i - 1].sentence)
            ok = open_sentence(&c, review->finding[0] + first, (uint32_t)(end - first), err);
        ok = ok && add_change(changes, &c, &list[turn[i].rank], &changes->of[turn[i].rank], err);
    }
    free(turn);
    free(c.numbers);
    free(c.bits);
    scores_release(&c.scores);
    scratch_release(&c.scratch);
    return ok;
}

void tree_changes_release(struct tree_changes *changes)
{
    free(changes->of);
    free(changes->word);
    *changes = (struct tree_changes){0};
}
