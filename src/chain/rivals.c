/*
 * Finds the rivals of the best answer: for word t and label y, how far the best labelling with label y at word t lies
 * behind the answer a, and how much noise their difference has. Only some words may change, those from `from` to
 * `to` - 1; the others keep the answer's labels.
 *
 * The best labellings of what is to the left and to the right of (t, y) are those of the max-marginals (chain.c).
 * Beside its score each has two sums of variances v, over the parts where it differs from the answer: that of the
 * answer's parts, and of its own:
 *
 *     score[t][y]  = max_l (score[t-1][l] + edge[l][y]) + node[t][y],     l* the lowest that gives it
 *     answer[t][y] = answer[t-1][l*] + v(a_t) if y != a_t + v(a_t-1, a_t) if (l*, y) != (a_t-1, a_t)
 *     own[t][y]    = own[t-1][l*]    + v(y)   if y != a_t + v(l*, y)      if (l*, y) != (a_t-1, a_t)
 *
 * and the same from the right. Noise counts as independent between words: features of different places are mostly
 * different ones. Cost: O(n Y^2) time and O(n Y) memory for n words.
 */
#include "chain/chain.h"

#include <math.h>

/* The best labelling of the words on one side of a label. */
struct side {
    double score, answer, own;
};

/* Adds an edge between words right - 1 and right. */
static struct side with_edge(const struct rival_query *q, struct side side, uint32_t right, uint32_t l, uint32_t r)
{
    if (q->scores->E == 0)
        return side;
    size_t Y = q->scores->width;
    side.score += (double)scores_edge(q->scores, right)[l * Y + r];
    if (l != q->choice[right - 1] || r != q->choice[right]) {
        const float *variance = scores_edge(q->variance, right);
        side.answer += (double)variance[q->choice[right - 1] * Y + q->choice[right]];
        side.own += (double)variance[l * Y + r];
    }
    return side;
}

/* Adds a word. */
static struct side with_word(const struct rival_query *q, struct side side, uint32_t t, uint32_t y)
{
    size_t at = (size_t)t * q->scores->width;
    side.score += (double)q->scores->node[at + y];
    if (y != q->choice[t]) {
        side.answer += (double)q->variance->node[at + q->choice[t]];
        side.own += (double)q->variance->node[at + y];
    }
    return side;
}

/* Finds what is to the left of label y of word t, from that of the word before, whose labels' sides are `before`. */
static struct side left_of(const struct rival_query *q, const struct side *before, uint32_t t, uint32_t y)
{
    size_t Y = q->scores->width;
    const float *edge = q->scores->E ? scores_edge(q->scores, t) + y : NULL;
    uint32_t from = 0;
    double top = -INFINITY;
    for (uint32_t l = 0; l < Y; l++) {
        double score = before[l].score + (edge ? (double)edge[l * Y] : 0);
        from = score > top ? l : from;
        top = score > top ? score : top;
    }
    return with_edge(q, before[from], t, from, y);
}

/* Finds what is to the right of label y of word t; `after`: of the labels of the next word, with this word. */
static struct side right_of(const struct rival_query *q, const struct side *after, uint32_t t, uint32_t y)
{
    size_t Y = q->scores->width;
    const float *edge = q->scores->E ? scores_edge(q->scores, t + 1) + y * Y : NULL;
    uint32_t to = 0;
    double top = -INFINITY;
    for (uint32_t r = 0; r < Y; r++) {
        double score = after[r].score + (edge ? (double)edge[r] : 0);
        to = score > top ? r : to;
        top = score > top ? score : top;
    }
    return with_edge(q, after[to], t + 1, y, to);
}

bool chain_rivals(const struct rival_query *q, struct scratch *scratch, struct rival *rival, struct vouch_error *err)
{
    const uint32_t *choice = q->choice, from = q->from, to = q->to;
    size_t Y = q->scores->width, words = to - from;
    if (words == 0)
        return true;
    if (!scratch_reserve(scratch, (words + 2) * Y * sizeof(struct side), err))
        return false;
    struct side *left = (struct side *)scratch->bytes, *right = left + words * Y, *after = right + Y;
    struct side none = {0};
    for (uint32_t t = from; t < to; t++)
        for (uint32_t y = 0; y < Y; y++) {
            struct side side = t > from   ? left_of(q, left + (t - 1 - from) * Y, t, y)
                               : from > 0 ? with_edge(q, none, t, choice[t - 1], y)
                                          : none;
            left[(t - from) * Y + y] = with_word(q, side, t, y);
        }
    double best = 0;
    for (uint32_t t = to; t-- > from;) {
        for (uint32_t y = 0; y < Y; y++)
            right[y] = t + 1 < to          ? right_of(q, after, t, y)
                       : to < q->scores->N ? with_edge(q, none, to, y, choice[to])
                                           : none;
        for (uint32_t y = 0; y < Y; y++)
            after[y] = with_word(q, right[y], t, y);
        const struct side *l = left + (t - from) * Y;
        if (t + 1 == to)
            best = l[choice[t]].score + right[choice[t]].score;
        for (uint32_t y = 0; y < Y; y++)
            rival[(t - from) * Y + y] = (struct rival){fmax(0, best - (l[y].score + right[y].score)),
                                                       l[y].answer + right[y].answer, l[y].own + right[y].own};
    }
    return true;
}
