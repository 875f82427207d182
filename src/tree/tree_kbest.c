/*
 * Finds the K best one-root trees, exact and in order, by partition in the manner of Lawler (1972), as Camerini, Fratta
 * and Maffioli (1980) and Hall (2007) do for spanning trees, and Zmigrod, Vieira and Cotterell (2021) for those with
 * one root child.
 *
 * A part is the set of trees that have some arcs and lack some others. Its best tree, the base, has been given out; the
 * best of the rest lacks some arc of the base. It becomes a candidate, with the word that this arc goes to. Giving out
 * a candidate splits its part in two: the trees that have the arc, whose base stays, and those that lack it, whose base
 * is the candidate. Parts are disjoint, so no tree comes twice.
 *
 * To find the best of the rest of a part, solve the part; then either one exchange gives it (contraction_exchange), or
 * it has another root child (contraction_exclude). If, among equals, solving gives another tree than the base, that
 * tree is the answer.
 *
 * Only as many candidates are kept as may still be given out, sorted; trees that score no more than the last of them
 * are not searched for.
 *
 * The order is by score; among equals, by when they were found: the part which has the arc before the part which lacks
 * it, the exchange at the lowest word, and another root child last. The first is tree_best()'s. Where sums are rounded,
 * the others are sorted by their rounded sums, of which one may then exceed the first's by a rounding error.
 *
 * Trees of score -inf do not count, unless there are no others: then the one that tree_best() gives is returned.
 *
 * Cost: two parts for every tree given out, each O(N^2), and a place among the candidates: O(K N^2 + K^2) time,
 * O(N^2 + K N) memory.
 */
#include "tree/contraction.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define NONE SIZE_MAX

/* A part: the parent part's trees that have, or lack, the arc from `head` to `word`. */
struct part {
    size_t parent;
    uint32_t word, head;
    bool has;
};

struct candidate {
    double score;
    size_t part;
    uint32_t base; /* the number of the tree given out */
    uint32_t word; /* it has another head than in the base */
    uint32_t slot; /* where its heads are; kept when it is dropped, for another */
};

struct search {
    struct contraction c;
    uint32_t K, N, found;
    uint32_t waiting;            /* candidates: candidate[found .. found + waiting) */
    double *rows;                /* [N][stride] of the words, as filled */
    struct candidate *candidate; /* [K] */
    struct part *part;           /* [2K] */
    size_t parts;
    uint32_t *heads;        /* [K][N + 1] of the candidates, by slot */
    uint32_t *trees;        /* [K][N + 1] of the trees given out */
    uint32_t *other, *best; /* [N + 1] */
    bool *bound;            /* [N + 1] words whose arc the part prescribes */
};

/* Returns K, or the number of one-root trees, N^(N - 1), if that is less. */
static uint32_t limited(uint32_t K, uint32_t N)
{
    uint64_t count = 1;
    for (uint32_t v = 1; v < N && count < K; v++)
        count *= N;
    return count < K ? (uint32_t)count : K;
}

static bool search_open(struct search *s, const struct scores *scores, uint32_t K, struct scratch *scratch,
                        struct vouch_error *err)
{
    size_t N = scores->N, row = (N + 16) * sizeof(double), heads = (N + 1) * sizeof(uint32_t);
    size_t trees = size_plus(size_times(K, 2), 2), each = sizeof(struct candidate) + 2 * sizeof(struct part);
    size_t bytes =
        size_plus(size_plus(size_times(N, row), size_times(K, each)), size_plus(size_times(trees, heads), N + 1));
    *s = (struct search){.K = K, .N = scores->N};
    if (!contraction_open(&s->c, scores, bytes, scratch, err))
        return false;
    s->rows = (double *)s->c.rest;
    s->candidate = (struct candidate *)(s->rows + N * s->c.stride);
    s->part = (struct part *)(s->candidate + K);
    s->heads = (uint32_t *)(s->part + 2 * (size_t)K);
    s->trees = s->heads + K * (N + 1);
    s->other = s->trees + K * (N + 1);
    s->best = s->other + N + 1;
    s->bound = (bool *)(s->best + N + 1);
    for (uint32_t k = 0; k < K; k++)
        s->candidate[k].slot = k;
    contraction_fill(&s->c);
    memcpy(s->rows, s->c.row, N * s->c.stride * sizeof *s->rows);
    return true;
}

static uint32_t *tree_of(const struct search *s, uint32_t k)
{
    return s->trees + (size_t)k * (s->N + 1);
}

static void keep_only(struct search *s, uint32_t word, uint32_t head)
{
    double *row = row_of(&s->c, word), score = row[head];
    for (uint32_t h = 0; h <= s->N; h++)
        row[h] = -INFINITY;
    row[head] = score;
    s->bound[word] = true;
    for (uint32_t v = 1; v <= s->N && head == 0; v++)
        if (v != word)
            row_of(&s->c, v)[0] = -INFINITY;
}

/* Sets every arc that no tree of the part has to -inf in the rows. */
static void restrict_to(struct search *s, size_t part)
{
    memcpy(s->c.row, s->rows, s->N * s->c.stride * sizeof *s->rows);
    memset(s->bound, 0, (s->N + 1) * sizeof *s->bound);
    for (; part != NONE; part = s->part[part].parent) {
        const struct part *p = &s->part[part];
        if (p->has)
            keep_only(s, p->word, p->head);
        else
            row_of(&s->c, p->word)[p->head] = -INFINITY;
    }
}

/* Returns the score that a candidate must exceed to be of use. */
static double least_useful(const struct search *s)
{
    return s->waiting < s->K - s->found ? -INFINITY : s->candidate[s->found + s->waiting - 1].score;
}

static void add_candidate(struct search *s, struct candidate next, const uint32_t *heads)
{
    if (!(next.score > least_useful(s)))
        return;
    if (s->waiting < s->K - s->found)
        s->waiting++;
    uint32_t i = s->found + s->waiting - 1;
    next.slot = s->candidate[i].slot;
    memcpy(s->heads + (size_t)next.slot * (s->N + 1), heads, (s->N + 1) * sizeof *heads);
    for (; i > s->found && s->candidate[i - 1].score < next.score; i--)
        s->candidate[i] = s->candidate[i - 1];
    s->candidate[i] = next;
}

/* Makes s->other, a tree of the part other than its base, the best so far, if it is. */
static void improve(struct search *s, struct candidate *next, uint32_t word)
{
    double score = contraction_score(&s->c, s->other);
    if (!(score > next->score))
        return;
    next->word = word;
    next->score = score;
    uint32_t *swap = s->best;
    s->best = s->other;
    s->other = swap;
}

/* Finds the best tree of the part other than its base, if it is of use. */
static void search_part(struct search *s, size_t part, uint32_t base)
{
    struct contraction *c = &s->c;
    struct candidate next = {.score = least_useful(s), .part = part, .base = base};
    restrict_to(s, part);
    if (!contraction_solve(c))
        return;
    uint32_t differs = 1, root = 1;
    while (differs <= s->N && c->heads[differs] == tree_of(s, base)[differs])
        differs++;
    if (differs <= s->N) {
        next.word = differs;
        next.score = c->score;
        add_candidate(s, next, c->heads);
        return;
    }
    contraction_ready(c);
    uint32_t word = contraction_exchange(c, s->bound, next.score, s->other);
    if (word != 0)
        improve(s, &next, word);
    while (c->heads[root] != 0)
        root++;
    if (!s->bound[root] && contraction_exclude(c, root, next.score, s->other))
        improve(s, &next, root);
    if (next.word != 0)
        add_candidate(s, next, s->best);
}

static size_t new_part(struct search *s, const struct candidate *from, bool has)
{
    s->part[s->parts] = (struct part){from->part, from->word, tree_of(s, from->base)[from->word], has};
    return s->parts++;
}

/* Gives out the best candidate and searches both halves of its part. */
static void give_out(struct search *s, double *score)
{
    struct candidate from = s->candidate[s->found];
    uint32_t k = s->found++;
    s->waiting--;
    score[k] = from.score;
    memcpy(tree_of(s, k), s->heads + (size_t)from.slot * (s->N + 1), (s->N + 1) * sizeof *s->trees);
    if (s->found == s->K)
        return;
    search_part(s, new_part(s, &from, true), from.base);
    search_part(s, new_part(s, &from, false), k);
}

/* Writes the trees, moving up those that only rounding had put behind. */
static void write_sorted(const struct search *s, uint32_t *choice, double *score)
{
    size_t N = s->N;
    for (size_t k = 0; k < s->found; k++) {
        double own = score[k];
        size_t i = k;
        for (; i > 1 && score[i - 1] < own; i--) {
            score[i] = score[i - 1];
            memcpy(choice + i * N, choice + (i - 1) * N, N * sizeof *choice);
        }
        score[i] = own;
        memcpy(choice + i * N, tree_of(s, (uint32_t)k) + 1, N * sizeof *choice);
    }
}

bool tree_kbest(const struct scores *scores, uint32_t K, struct scratch *scratch, uint32_t *choice, double *score,
                uint32_t *found, struct vouch_error *err)
{
    *found = 0;
    K = limited(K, scores->N);
    if (K <= 1) {
        if (K != 0 && !tree_best(scores, scratch, choice, score, err))
            return false;
        *found = K;
        return true;
    }
    struct search s;
    if (!search_open(&s, scores, K, scratch, err))
        return false;
    bool finite = contraction_solve(&s.c);
    score[0] = s.c.score;
    memcpy(tree_of(&s, 0), s.c.heads, (s.N + 1) * sizeof *s.trees);
    s.found = 1;
    if (finite)
        search_part(&s, NONE, 0);
    while (s.waiting > 0)
        give_out(&s, score);
    write_sorted(&s, choice, score);
    *found = s.found;
    for (uint32_t k = 0; k < s.found; k++)
        assert(tree_verified(scores, choice + (size_t)k * scores->N, score[k], scratch));
    return true;
}
