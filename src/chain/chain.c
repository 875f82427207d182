/*
 * The chain as a structure: its table, the best labelling (Viterbi 1967), the best with another label for a word, and
 * what parts a labelling switches on.
 *
 * The recurrence and its layout are in lattice.h. Rounding is monotone, so the answer is exact: no labelling has a
 * larger score when its parts are added from left to right in double. Ties go to the lowest last label, then, going
 * left, to the lowest label that gives the best score.
 *
 * Where every labelling is -inf the answer is the labelling of all zeros.
 *
 * Without edges every word takes its own best label, the lowest of equals.
 *
 * Cost: O(N Y^2) time, O(N Y + Y^2) memory; O(N Y) without edges.
 */
#include "chain/lattice.h"

#include <assert.h>
#include <math.h>

bool lattice_check(const struct scores *scores, struct vouch_error *err)
{
    if (scores->width == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "a chain of %u words has no labels to choose from", (unsigned)scores->N);
    return true;
}

float lattice_largest(const float *x, size_t count, float *bottom)
{
    float top[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, low[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (size_t j = 0; j < 4; j++) {
            top[j] = x[i + j] > top[j] ? x[i + j] : top[j];
            low[j] = x[i + j] < low[j] ? x[i + j] : low[j];
        }
    for (; i < count; i++) {
        top[0] = x[i] > top[0] ? x[i] : top[0];
        low[0] = x[i] < low[0] ? x[i] : low[0];
    }
    for (size_t j = 1; j < 4; j++) {
        top[0] = top[j] > top[0] ? top[j] : top[0];
        low[0] = low[j] < low[0] ? low[j] : low[0];
    }
    *bottom = low[0];
    return top[0];
}

static void widen(double *restrict block, const float *restrict edge, size_t Y, size_t stride)
{
    for (size_t l = 0; l < Y; l++)
        for (size_t r = 0; r < Y; r++)
            block[l * stride + r] = edge ? (double)edge[l * Y + r] : 0.0;
}

static void prepare_block(const struct lattice *lattice)
{
    const struct scores *s = lattice->scores;
    for (size_t i = 0; i < lattice->rows * lattice->stride; i++)
        lattice->block[i] = -INFINITY;
    if (s->edge_step == 0)
        widen(lattice->block, s->E ? s->edge : NULL, s->width, lattice->stride);
}

/* Returns the edge block between `right - 1` and `right`, widened unless it is the one that all words share. */
static const double *edge_block(const struct lattice *lattice, uint32_t right)
{
    const struct scores *s = lattice->scores;
    if (s->edge_step != 0)
        widen(lattice->block, scores_edge(s, right), s->width, lattice->stride);
    return lattice->block;
}

SIMD_BODY void forward_among(const struct lattice *lattice, size_t rows, size_t stride)
{
    const struct scores *scores = lattice->scores;
    size_t Y = scores->width;
    for (size_t t = 1; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        double *row = lattice->best + t * stride;
        max_plus(row - stride, edge_block(lattice, (uint32_t)t), row, rows, stride);
        for (size_t y = 0; y < Y; y++)
            row[y] += (double)node[y];
    }
}

SIMD_BODY void forward(const struct lattice *lattice)
{
    LATTICE_FLAT(forward_among, lattice->scores->width, lattice);
}

SIMD_KERNEL(forward, (const struct lattice *lattice), (lattice))

bool lattice_forward(struct lattice *lattice, const struct scores *scores, size_t more, struct scratch *scratch,
                     struct vouch_error *err)
{
    size_t N = scores->N, Y = scores->width, rows = lattice_rows(Y), stride = lattice_stride(Y);
    size_t doubles = (N + rows) * stride;
    if (!lattice_check(scores, err) || !scratch_reserve(scratch, doubles * sizeof(double) + more, err))
        return false;
    double *best = (double *)scratch->bytes;
    *lattice = (struct lattice){scores, rows, stride, best, best + N * stride, (char *)(best + doubles)};
    prepare_block(lattice);

    for (size_t y = 0; y < stride; y++)
        best[y] = y < Y ? (double)scores->node[y] : -INFINITY;
    forward_for[simd_best()](lattice);
    return true;
}

uint32_t lattice_top(const struct lattice *lattice, uint32_t t)
{
    const double *row = lattice->best + t * lattice->stride;
    uint32_t top = 0;
    for (uint32_t y = 1; y < lattice->scores->width; y++)
        top = row[y] > row[top] ? y : top;
    return top;
}

uint32_t lattice_before(const struct lattice *lattice, uint32_t t, uint32_t label)
{
    const double *row = lattice->best + t * lattice->stride, *left = row - lattice->stride;
    uint32_t from = 0;
    while (from + 1 < lattice->scores->width && lattice_extend(lattice, left[from], t, from, label) != row[label])
        from++;
    return from;
}

void lattice_trace(const struct lattice *lattice, uint32_t t, uint32_t label, uint32_t *choice)
{
    choice[t] = label;
    for (; t > 0; t--)
        choice[t - 1] = label = lattice_before(lattice, t, label);
}

/* Finds the answer to a chain without edges, whose words are labelled one by one; false if a word has no label. */
static bool best_alone(const struct scores *scores, uint32_t *choice, double *score)
{
    size_t Y = scores->width;
    for (size_t t = 0; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        float bottom, top = lattice_largest(node, Y, &bottom);
        if (!(top > -INFINITY))
            return false;
        for (choice[t] = 0; choice[t] + 1 < Y && node[choice[t]] != top;)
            choice[t]++;
        *score += (double)top;
    }
    return true;
}

bool chain_viterbi(const struct scores *scores, struct scratch *scratch, uint32_t *choice, double *score,
                   struct vouch_error *err)
{
    *score = 0;
    if (scores->N == 0)
        return true;
    struct lattice lattice;
    if (scores->E == 0 && best_alone(scores, choice, score))
        return true;
    if (!lattice_forward(&lattice, scores, 0, scratch, err))
        return false;
    uint32_t last = scores->N - 1, label = lattice_top(&lattice, last);
    *score = lattice.best[last * lattice.stride + label];
    lattice_trace(&lattice, last, label, choice);
    assert(isnan(*score) || lattice_verified(scores, choice, *score));
    return true;
}

/* ---- Max-marginals ---- */

/*
 * Finds, for every word and label, the score of the best labelling that goes through it:
 *
 *     back[N-1][y]  = 0
 *     back[t][y]    = max_r (edge_{t+1}[y][r] + (node[t+1][r] + back[t+1][r]))
 *     through[t][y] = best[t][y] + back[t][y]           (best: see lattice.h)
 *
 * The two sums meet in the middle of the chain and so round differently from one taken left to right. Margins must not
 * turn negative by that, so no entry counts as more than the best score. An entry is -inf where no labelling of finite
 * score goes through it.
 *
 * Cost: O(N Y^2) time, O(N Y + Y^2) memory; the second best of every word takes O(N Y) without edges.
 */
SIMD_BODY void backward_among(const struct lattice *lattice, double *turned, double *back, double *through, size_t rows,
                              size_t stride)
{
    const struct scores *s = lattice->scores;
    size_t Y = s->width;
    double *onward = back + stride; /* [stride] node + back of the word to the right */
    for (size_t i = 0; i < rows * stride; i++)
        turned[i] = -INFINITY;
    for (size_t y = 0; y < stride; y++) {
        back[y] = 0;
        onward[y] = -INFINITY;
    }
    for (size_t t = s->N; t-- > 0;) {
        for (size_t y = 0; y < Y; y++)
            through[t * Y + y] = lattice->best[t * stride + y] + back[y];
        if (t == 0)
            break;
        for (size_t y = 0; y < Y; y++)
            onward[y] = (double)s->node[t * Y + y] + back[y];
        if (s->edge_step != 0 || t + 1 == s->N)
            turn_block(edge_block(lattice, (uint32_t)t), turned, Y, stride);
        max_plus(onward, turned, back, rows, stride);
    }
}

SIMD_BODY void backward(const struct lattice *lattice, double *turned, double *back, double *through)
{
    LATTICE_FLAT(backward_among, lattice->scores->width, lattice, turned, back, through);
}

SIMD_KERNEL(backward, (const struct lattice *lattice, double *turned, double *back, double *through),
            (lattice, turned, back, through))

/* Finds the scores of a chain without edges, where a word that changes its label changes nothing else. */
static bool without_alone(const struct scores *scores, const uint32_t *choice, double *score)
{
    size_t Y = scores->width;
    double best = 0;
    for (size_t t = 0; t < scores->N; t++) {
        const float *node = scores->node + t * Y;
        float bottom, left = lattice_largest(node, choice[t], &bottom);
        float right = lattice_largest(node + choice[t] + 1, Y - choice[t] - 1, &bottom);
        float other = left > right ? left : right, top = other > node[choice[t]] ? other : node[choice[t]];
        if (!(top > -INFINITY))
            return false;
        score[t] = (double)other - (double)top;
        best += (double)top;
    }
    for (size_t t = 0; t < scores->N; t++)
        score[t] += best;
    return true;
}

bool chain_without(const struct scores *scores, const uint32_t *choice, struct scratch *scratch, double *score,
                   struct vouch_error *err)
{
    if (scores->N == 0)
        return true;
    if (scores->E == 0 && scores->width > 0 && without_alone(scores, choice, score))
        return true;
    struct lattice lattice;
    size_t Y = scores->width, cells = scores->N * Y, square = lattice_rows(Y) * lattice_stride(Y);
    if (!lattice_forward(&lattice, scores, (cells + square + 2 * lattice_stride(Y)) * sizeof(double), scratch, err))
        return false;
    double *through = (double *)lattice.rest, *turned = through + cells, *back = turned + square;
    backward_for[simd_best()](&lattice, turned, back, through);
    uint32_t last = scores->N - 1;
    double top = lattice.best[last * lattice.stride + lattice_top(&lattice, last)];
    for (uint32_t t = 0; t < scores->N; t++) {
        score[t] = -INFINITY;
        for (uint32_t y = 0; y < Y; y++) {
            double own = through[t * Y + y] < top ? through[t * Y + y] : top;
            if (y != choice[t] && own > score[t])
                score[t] = own;
        }
    }
    return true;
}

/* ---- The parts of a labelling: O(N) ---- */

static void mark(const uint32_t *choice, float by, struct scores *coefficient)
{
    size_t Y = coefficient->width;
    for (size_t t = 0; t < coefficient->N; t++) {
        coefficient->node[t * Y + choice[t]] += by;
        if (t > 0 && coefficient->E)
            coefficient->edge[(t - 1) * coefficient->edge_step + choice[t - 1] * Y + choice[t]] += by;
    }
}

static void contrast(const uint32_t *gold, const uint32_t *choice, struct scores *coefficient, struct contrast *rows)
{
    size_t Y = coefficient->width;
    rows->nodes = rows->edges = 0;
    for (uint32_t t = 0; t < coefficient->N; t++) {
        bool differs = gold[t] != choice[t];
        if (differs) {
            coefficient->node[t * Y + gold[t]]++;
            coefficient->node[t * Y + choice[t]]--;
            rows->node[rows->nodes++] = t;
        }
        if (t == 0 || !coefficient->E || (!differs && gold[t - 1] == choice[t - 1]))
            continue;
        float *edge = coefficient->edge + (t - 1) * (size_t)coefficient->edge_step;
        edge[gold[t - 1] * Y + gold[t]]++;
        edge[choice[t - 1] * Y + choice[t]]--;
        if (coefficient->edge_step != 0 || rows->edges == 0)
            rows->edge[rows->edges++] = coefficient->edge_step != 0 ? t - 1 : 0;
    }
}

static double score(const struct scores *scores, const uint32_t *choice)
{
    if (scores->N == 0)
        return 0;
    double sum = (double)scores->node[choice[0]];
    for (uint32_t t = 1; t < scores->N; t++)
        sum = (sum + lattice_edge(scores, t, choice[t - 1], choice[t])) +
              (double)scores->node[(size_t)t * scores->width + choice[t]];
    return sum;
}

const struct structure chain_structure = {
    .name = "chain",
    .best = chain_viterbi,
    .kbest = chain_kbest,
    .marginals = chain_forward_backward,
    .neighbours = chain_neighbours,
    .without = chain_without,
    .draws = chain_draws,
    .rivals = chain_rivals,
    .mark = mark,
    .contrast = contrast,
    .score = score,
};
