/*
 * Computes the marginals of a chain under p(y) proportional to exp(scale * score(y)) (forward-backward, Baum et al.
 * 1970), in one of two ways.
 *
 * Linear, with every word's forward row scaled to sum to one (Rabiner 1989):
 *
 *     w[t][y]     = exp(scale * (node[t][y] - max_y node[t][y]))
 *     M_t[l][y]   = exp(scale * (edge_t[l][y] - max edge_t))
 *     alpha[t][y] = w[t][y] * sum_l alpha[t-1][l] M_t[l][y] / c_t,   c_t so that the row sums to one
 *     in[t][y]    = w[t][y] * beta[t][y] / c_t
 *     beta[t-1][l] = sum_y M_t[l][y] in[t][y],   beta[N-1] = 1
 *     p(t, y) = alpha[t][y] beta[t][y],   p(t, l, y) = alpha[t-1][l] M_t[l][y] in[t][y]
 *
 * A shared M is factored out of the sum of pair marginals, which leaves an outer product for each word. log Z is the
 * sum of the maxima and of log c_t, where logarithms are taken of products of many c_t.
 *
 * The linear way is taken if scale * (max - min) <= 300 in every edge block, of the entries that are not -inf. Without
 * any that are, M >= e^-300, so c_t >= e^-300, and neither forward nor backward factors of two labels of one word
 * differ by more than e^300 except through w. An entry lost to underflow (below e^-708) therefore has a marginal below
 * e^-708 e^300 e^300 = e^-108, which is zero as a float anyway.
 *
 * With entries of -inf, as labels of chunks may not follow each other in any order, M has zeros, and what a word's best
 * label leaves of the others may be all that can be completed. So the factors are looked at: an entry lost has a
 * marginal below e^-708 beta, and a lost w one below e^-708 beta / c_t. If beta <= e^300 and c_t >= e^-200 throughout,
 * these are below e^-208; else it is all done again by logarithms, which scores of learned models hardly ever need.
 *
 * Without edges p(t, y) is w[t][y], divided by the sum of its row.
 *
 * Otherwise (edges that are far apart) everything is in logarithms: sums are taken relative to their largest
 * term, rows relative to their largest entry, and the marginals of every word are normalised on their own, so that they
 * sum to one whatever has been lost to the rounding of huge scores.
 *
 * Either way alpha and in (its logarithm) are left in the scratch memory, and with them the marginals of any two
 * neighbours: chain_neighbours().
 *
 * Cost: O(N Y^2) time, with N Y exponentials and Y^2 for each edge block, or 3 N Y^2 of them by logarithms, O(N Y)
 * without edges; O(N Y + E Y^2) memory. O(Y^2) for two neighbours.
 */
#include "base/elementary.h"
#include "chain/lattice.h"
#include "core/exp_log.h"

#include <string.h>

#define WIDEST 300.0 /* scale * (largest - smallest edge) that the linear way takes */

/* The largest beta and 1 / c_t with which it is good enough where edges are -inf: e^300 and e^200. */
#define LARGEST_BETA 1e130
#define LARGEST_UNSCALE 1e86

/* ---- linear ---- */

struct linear {
    const struct scores *scores;
    double scale;
    size_t Y, rows, stride, blocks;
    bool gaps;       /* some edges are -inf */
    double *weight;  /* [N + 2][stride] w, which the backward pass turns into in; zero behind the last word */
    double *alpha;   /* [N + 1][stride] zero behind the last word */
    double *unscale; /* [N] 1 / c_t */
    double *block;   /* [blocks][rows][stride] M */
    double *turned;  /* [rows][stride] one M, transposed */
    double *pairs;   /* [Y][stride] from right to left label: sums of in * alpha */
    double *beta;    /* [stride] of the word last visited: in the end of the first */
    bool *sound;     /* whether nothing was lost that counts */
};

struct logarithmic {
    const struct scores *scores;
    double scale;
    double *node;  /* [N][Y] scaled, to which the backward pass adds beta: log in */
    double *alpha; /* [N][Y] less the largest of the row */
    double *block; /* [Y][Y] the scaled edge block that was loaded last */
    double *term;  /* [Y][Y] terms of a sum */
    double *pairs; /* [Y][Y] pair marginals, summed over positions if they share a block */
    double *beta;  /* [Y] of the word last visited: in the end of the first */
};

/* The beginning of the scratch memory: how the marginals were made, and where everything is. */
struct messages {
    bool in_logarithms;
    union {
        struct linear linear;
        struct logarithmic logarithmic;
    };
};

static bool linear_open(struct linear *linear, const struct scores *scores, double scale, struct scratch *scratch,
                        struct vouch_error *err)
{
    size_t N = scores->N, rows = lattice_rows(scores->width), stride = lattice_stride(scores->width);
    size_t blocks = scores->E, square = blocks ? rows * stride : 0;
    size_t doubles = (2 * N + 4) * stride + (blocks + 2) * square + N;
    if (!scratch_reserve(scratch, sizeof(struct messages) + doubles * sizeof(double), err))
        return false;
    *linear = (struct linear){.scores = scores, .scale = scale, .Y = scores->width};
    linear->rows = rows;
    linear->stride = stride;
    linear->blocks = blocks;
    linear->weight = (double *)(scratch->bytes + sizeof(struct messages));
    linear->alpha = linear->weight + (N + 2) * stride;
    linear->block = linear->alpha + (N + 1) * stride;
    linear->turned = linear->block + blocks * square;
    linear->pairs = linear->turned + square;
    linear->beta = linear->pairs + square;
    linear->unscale = linear->beta + stride;
    memset(linear->block, 0, (blocks + 2) * square * sizeof(double));
    memset(linear->weight + N * stride, 0, 2 * stride * sizeof(double));
    memset(linear->alpha + N * stride, 0, stride * sizeof(double));
    return true;
}

static double *block_at(const struct linear *linear, size_t right)
{
    return linear->block + (linear->blocks > 1 ? (right - 1) * linear->rows * linear->stride : 0);
}

/* Returns the smallest of the scores of an edge block that are finite; `top` if none is. */
static float smallest_finite(const float *edge, size_t count, float top)
{
    float bottom = top;
    for (size_t i = 0; i < count; i++)
        bottom = edge[i] < bottom && edge[i] > -INFINITY ? edge[i] : bottom;
    return bottom;
}

/* Fills `block` and adds the divisors of its entries to *log_z; false if entries are too far apart for this way. */
static bool weigh_edges(struct linear *linear, double *log_z)
{
    const struct scores *s = linear->scores;
    size_t Y = linear->Y, stride = linear->stride;
    for (size_t e = 0; s->N > 1 && e < linear->blocks; e++) {
        double *block = linear->block + e * linear->rows * stride;
        const float *edge = s->edge + e * Y * Y;
        float bottom, top = lattice_largest(edge, Y * Y, &bottom);
        bool gaps = bottom == -INFINITY;
        if (gaps)
            bottom = smallest_finite(edge, Y * Y, top);
        if (top == -INFINITY || linear->scale * ((double)top - (double)bottom) > WIDEST)
            return false;
        linear->gaps = linear->gaps || gaps;
        for (size_t l = 0; l < Y; l++) {
            for (size_t r = 0; r < Y; r++)
                block[l * stride + r] =
                    edge[l * Y + r] > -INFINITY ? linear->scale * ((double)edge[l * Y + r] - (double)top) : -INFINITY;
            exp_all(block + l * stride, Y);
        }
        *log_z += linear->scale * (double)top * (linear->blocks > 1 ? 1.0 : (double)(s->N - 1));
    }
    return true;
}

/* Fills `weight` and adds its divisors to *log_z; false if a word has no label. */
static bool weigh_nodes(const struct linear *linear, double *log_z)
{
    size_t N = linear->scores->N, Y = linear->Y, stride = linear->stride;
    for (size_t t = 0; t < N; t++) {
        const float *node = linear->scores->node + t * Y;
        double *weight = linear->weight + t * stride;
        float bottom, top = lattice_largest(node, Y, &bottom);
        if (top == -INFINITY)
            return false;
        for (size_t y = 0; y < Y; y++)
            weight[y] = node[y] > -INFINITY ? linear->scale * ((double)node[y] - (double)top) : -INFINITY;
        for (size_t y = Y; y < stride; y++)
            weight[y] = -INFINITY;
        *log_z += linear->scale * (double)top;
    }
    exp_all(linear->weight, N * stride);
    return true;
}

/* Makes to[r] = sum_l from[l] * block[l][r]. */
SIMD_BODY void sum_product(const double *restrict from, const double *restrict block, double *restrict to, size_t rows,
                           size_t stride)
{
    for (size_t r = 0; r < stride; r++)
        to[r] = from[0] * block[r] + from[1] * block[stride + r] + from[2] * block[2 * stride + r];
    for (size_t l = 3; l < rows; l += 3) {
        const double *row = block + l * stride;
        double a = from[l], b = from[l + 1], c = from[l + 2];
        for (size_t r = 0; r < stride; r++)
            to[r] += a * row[r] + b * row[stride + r] + c * row[2 * stride + r];
    }
}

SIMD_BODY double scale_to_one(double *row, size_t stride)
{
    double even = 0, odd = 0;
    for (size_t i = 0; i < stride; i += 2) {
        even += row[i];
        odd += row[i + 1];
    }
    double by = 1.0 / (even + odd);
    for (size_t i = 0; i < stride; i++)
        row[i] *= by;
    return by;
}

/* Runs the forward pass, and adds to *log_z. */
SIMD_BODY void linear_forward(const struct linear *linear, double *log_z, size_t rows, size_t stride)
{
    double product = 1;
    for (size_t t = 0; t < linear->scores->N; t++) {
        double *alpha = linear->alpha + t * stride;
        const double *weight = linear->weight + t * stride;
        if (t == 0 || linear->blocks == 0) {
            memcpy(alpha, weight, stride * sizeof *alpha);
        } else {
            sum_product(alpha - stride, block_at(linear, t), alpha, rows, stride);
            for (size_t y = 0; y < stride; y++)
                alpha[y] *= weight[y];
        }
        linear->unscale[t] = scale_to_one(alpha, stride);
        product *= linear->unscale[t];
        if (product > 1e150 || product < 1e-150) {
            *log_z -= log_of(product);
            product = 1;
        }
    }
    *log_z -= log_of(product);
}

/* Adds the outer products of in[t .. t+2] and alpha[t-1 .. t+1] to `pairs`. */
SIMD_BODY void add_pairs(const struct linear *linear, size_t t, size_t stride)
{
    const double *restrict alpha = linear->alpha + (t - 1) * stride, *in = linear->weight + t * stride;
    for (size_t r = 0; r < linear->Y; r++) {
        double *restrict row = linear->pairs + r * stride;
        double a = in[r], b = in[stride + r], c = in[2 * stride + r];
        for (size_t l = 0; l < stride; l++)
            row[l] += a * alpha[l] + b * alpha[stride + l] + c * alpha[2 * stride + l];
    }
}

/* Writes the pair marginals, summed over the positions that share the block. */
SIMD_BODY void write_shared_pairs(const struct linear *linear, float *edge, size_t stride)
{
    size_t N = linear->scores->N, Y = linear->Y;
    for (size_t t = 1; t < N; t += 3)
        add_pairs(linear, t, stride);
    for (size_t l = 0; l < Y; l++)
        for (size_t r = 0; r < Y; r++)
            edge[l * Y + r] = (float)(linear->pairs[r * stride + l] * linear->block[l * stride + r]);
}

/* Computes the pair marginals of words t - 1 and t; `pairs` is [Y][Y]. */
static void linear_pairs(const struct linear *linear, size_t t, double *pairs)
{
    size_t Y = linear->Y, stride = linear->stride;
    const double *alpha = linear->alpha + (t - 1) * stride, *in = linear->weight + t * stride;
    const double *block = linear->blocks ? block_at(linear, t) : NULL;
    for (size_t l = 0; l < Y; l++)
        for (size_t r = 0; r < Y; r++)
            pairs[l * Y + r] = alpha[l] * (block ? block[l * stride + r] : 1) * in[r];
}

static void write_pairs(const struct linear *linear, size_t t, float *edge)
{
    size_t square = linear->Y * linear->Y;
    linear_pairs(linear, t, linear->pairs);
    for (size_t i = 0; i < square; i++)
        edge[i] = (float)linear->pairs[i];
}

/* Whether the factors of word t leave nothing out that counts: see above. NaN does not pass. */
SIMD_BODY bool are_sound(const struct linear *linear, size_t t, const double *beta)
{
    bool sound = linear->unscale[t] <= LARGEST_UNSCALE;
    for (size_t y = 0; y < linear->Y; y++)
        sound = sound && beta[y] <= LARGEST_BETA;
    return sound;
}

SIMD_BODY void linear_backward(const struct linear *linear, struct scores *marginal, size_t rows, size_t stride)
{
    size_t N = linear->scores->N, Y = linear->Y;
    double *beta = linear->beta;
    bool sound = true;
    for (size_t y = 0; y < stride; y++)
        beta[y] = 1;
    for (size_t t = N; t-- > 0;) {
        const double *alpha = linear->alpha + t * stride;
        sound = sound && (!linear->gaps || are_sound(linear, t, beta));
        double *in = linear->weight + t * stride;
        for (size_t y = 0; y < Y; y++)
            marginal->node[t * Y + y] = (float)(alpha[y] * beta[y]);
        if (t == 0)
            break;
        for (size_t y = 0; y < stride; y++)
            in[y] *= beta[y] * linear->unscale[t];
        if (linear->blocks == 0)
            continue;
        if (linear->blocks > 1 || t == N - 1)
            turn_block(block_at(linear, t), linear->turned, Y, stride);
        if (marginal->E > 1)
            write_pairs(linear, t, marginal->edge + (t - 1) * marginal->edge_step);
        sum_product(in, linear->turned, beta, rows, stride);
    }
    if (marginal->E == 1 && N > 1)
        write_shared_pairs(linear, marginal->edge, stride);
    *linear->sound = sound;
}

SIMD_BODY void both_ways_among(const struct linear *linear, struct scores *marginal, double *log_z, size_t rows,
                               size_t stride)
{
    linear_forward(linear, log_z, rows, stride);
    linear_backward(linear, marginal, rows, stride);
}

SIMD_BODY void both_ways(const struct linear *linear, struct scores *marginal, double *log_z)
{
    LATTICE_FLAT(both_ways_among, linear->Y, linear, marginal, log_z);
}

SIMD_KERNEL(both_ways, (const struct linear *linear, struct scores *marginal, double *log_z), (linear, marginal, log_z))

/* ---- by logarithms ---- */

static double scaled(double scale, float x)
{
    return x > -INFINITY ? scale * (double)x : -INFINITY;
}

static double largest_of(const double *x, size_t count)
{
    double top = x[0];
    for (size_t i = 1; i < count; i++)
        top = larger(top, x[i]);
    return top;
}

/* Returns log sum exp(x), -inf for a sum of nothing. */
static double log_sum(const double *x, size_t count)
{
    double top = largest_of(x, count), sum = 0;
    if (top == -INFINITY)
        return top;
    for (size_t i = 0; i < count; i++)
        sum += exp_of(x[i] - top);
    return top + log_of(sum);
}

/* Turns logarithms into probabilities, in place; at least one is finite. */
static void normalise(double *x, size_t count)
{
    double top = largest_of(x, count), sum = 0;
    for (size_t i = 0; i < count; i++) {
        x[i] = exp_of(x[i] - top);
        sum += x[i];
    }
    for (size_t i = 0; i < count; i++)
        x[i] /= sum;
}

static bool logarithmic_open(struct logarithmic *lg, const struct scores *scores, double scale, struct scratch *scratch,
                             struct vouch_error *err)
{
    size_t Y = scores->width, cells = scores->N * Y, square = Y * Y;
    if (!scratch_reserve(scratch, sizeof(struct messages) + (2 * cells + 3 * square + Y) * sizeof(double), err))
        return false;
    *lg = (struct logarithmic){.scores = scores, .scale = scale};
    lg->node = (double *)(scratch->bytes + sizeof(struct messages));
    lg->alpha = lg->node + cells;
    lg->block = lg->alpha + cells;
    lg->term = lg->block + square;
    lg->pairs = lg->term + square;
    lg->beta = lg->pairs + square;
    for (size_t i = 0; i < cells; i++)
        lg->node[i] = scaled(scale, scores->node[i]);
    for (size_t i = 0; i < square; i++) {
        lg->block[i] = scores->E ? scaled(scale, scores->edge[i]) : 0;
        lg->pairs[i] = 0;
    }
    return true;
}

static void load_block(const struct logarithmic *lg, size_t right)
{
    size_t square = (size_t)lg->scores->width * lg->scores->width;
    if (lg->scores->edge_step == 0)
        return;
    for (size_t i = 0; i < square; i++)
        lg->block[i] = scaled(lg->scale, scores_edge(lg->scores, (uint32_t)right)[i]);
}

/* Subtracts the largest entry from the row, and adds it to *log_z; false if there is none. */
static bool shift(double *row, size_t Y, double *log_z)
{
    double top = largest_of(row, Y);
    if (top == -INFINITY)
        return false;
    for (size_t y = 0; y < Y; y++)
        row[y] -= top;
    *log_z += top;
    return true;
}

static bool logarithmic_forward(const struct logarithmic *lg, double *log_z)
{
    size_t N = lg->scores->N, Y = lg->scores->width;
    *log_z = 0;
    memcpy(lg->alpha, lg->node, Y * sizeof *lg->alpha);
    if (!shift(lg->alpha, Y, log_z))
        return false;
    for (size_t t = 1; t < N; t++) {
        double *alpha = lg->alpha + t * Y, *left = alpha - Y;
        load_block(lg, t);
        for (size_t y = 0; y < Y; y++) {
            for (size_t l = 0; l < Y; l++)
                lg->term[l] = left[l] + lg->block[l * Y + y];
            alpha[y] = log_sum(lg->term, Y) + lg->node[t * Y + y];
        }
        if (!shift(alpha, Y, log_z))
            return false;
    }
    *log_z += log_sum(lg->alpha + (N - 1) * Y, Y);
    return true;
}

/* Computes the pair marginals of words t - 1 and t, whose block is loaded. */
static void log_pairs(const struct logarithmic *lg, size_t t, double *pairs)
{
    size_t Y = lg->scores->width;
    const double *left = lg->alpha + (t - 1) * Y, *in = lg->node + t * Y;
    for (size_t l = 0; l < Y; l++)
        for (size_t r = 0; r < Y; r++)
            pairs[l * Y + r] = left[l] + lg->block[l * Y + r] + in[r];
    normalise(pairs, Y * Y);
}

static void add_log_pairs(const struct logarithmic *lg, size_t t)
{
    size_t Y = lg->scores->width;
    log_pairs(lg, t, lg->term);
    for (size_t i = 0; i < Y * Y; i++)
        lg->pairs[i] += lg->term[i];
}

static void write_log_pairs(const struct logarithmic *lg, float *edge)
{
    size_t square = (size_t)lg->scores->width * lg->scores->width;
    for (size_t i = 0; i < square; i++) {
        edge[i] = (float)lg->pairs[i];
        lg->pairs[i] = 0;
    }
}

static void logarithmic_backward(const struct logarithmic *lg, struct scores *marginal)
{
    size_t N = lg->scores->N, Y = lg->scores->width;
    double unused = 0;
    for (size_t y = 0; y < Y; y++)
        lg->beta[y] = 0;
    for (size_t t = N; t-- > 0;) {
        double *in = lg->node + t * Y;
        for (size_t y = 0; y < Y; y++)
            lg->term[y] = lg->alpha[t * Y + y] + lg->beta[y];
        normalise(lg->term, Y);
        for (size_t y = 0; y < Y; y++)
            marginal->node[t * Y + y] = (float)lg->term[y];
        if (t == 0)
            break;
        load_block(lg, t);
        for (size_t y = 0; y < Y; y++)
            in[y] += lg->beta[y];
        if (marginal->E)
            add_log_pairs(lg, t);
        if (marginal->E > 1)
            write_log_pairs(lg, marginal->edge + (t - 1) * marginal->edge_step);
        for (size_t l = 0; l < Y; l++) {
            for (size_t r = 0; r < Y; r++)
                lg->term[r] = lg->block[l * Y + r] + in[r];
            lg->beta[l] = log_sum(lg->term, Y);
        }
        shift(lg->beta, Y, &unused);
    }
    if (marginal->E == 1)
        write_log_pairs(lg, marginal->edge);
}

static bool no_labelling(struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_ARGUMENT, "no labelling has a finite score");
}

/* Does it the linear way; *sound says whether that was good enough. */
static bool linear_run(struct linear *linear, struct scores *marginal, double *log_z, bool *sound,
                       struct vouch_error *err)
{
    *sound = false;
    linear->sound = sound;
    if (!weigh_edges(linear, log_z))
        return true;
    if (!weigh_nodes(linear, log_z))
        return no_labelling(err);
    both_ways_for[simd_best()](linear, marginal, log_z);
    return true;
}

static bool logarithmic_run(struct logarithmic *lg, struct scores *marginal, double *log_z, struct vouch_error *err)
{
    if (!logarithmic_forward(lg, log_z))
        return no_labelling(err);
    logarithmic_backward(lg, marginal);
    return true;
}

bool chain_forward_backward(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                            double *log_z, struct vouch_error *err)
{
    *log_z = 0;
    if (!(scale >= 0 && scale <= 1e100))
        return fail(err, VOUCH_ERR_ARGUMENT, "the scale of marginals must be between 0 and 1e100, not %g", scale);
    if (!scores_zero_like(marginal, scores, err))
        return false;
    if (scores->N == 0)
        return true;
    if (!lattice_check(scores, err))
        return false;

    struct messages messages = {0};
    struct linear *linear = &messages.linear;
    struct logarithmic *lg = &messages.logarithmic;
    if (!linear_open(linear, scores, scale, scratch, err))
        return false;
    bool sound;
    if (!linear_run(linear, marginal, log_z, &sound, err))
        return false;
    messages.in_logarithms = !sound;
    if (messages.in_logarithms &&
        (!logarithmic_open(lg, scores, scale, scratch, err) || !logarithmic_run(lg, marginal, log_z, err)))
        return false;
    memcpy(scratch->bytes, &messages, sizeof messages);
    return true;
}

/* Fills row 0 of `pairs`: the marginals of the first word. */
static void first_word(const struct messages *messages, size_t Y, double *pairs)
{
    const struct linear *linear = &messages->linear;
    const struct logarithmic *lg = &messages->logarithmic;
    memset(pairs, 0, Y * Y * sizeof *pairs);
    for (size_t y = 0; y < Y; y++)
        pairs[y] = messages->in_logarithms ? lg->alpha[y] + lg->beta[y] : linear->alpha[y] * linear->beta[y];
    if (messages->in_logarithms)
        normalise(pairs, Y);
}

void chain_neighbours(const struct scratch *scratch, uint32_t n, double *pairs)
{
    struct messages messages;
    memcpy(&messages, scratch->bytes, sizeof messages);
    const struct linear *linear = &messages.linear;
    size_t Y = messages.in_logarithms ? messages.logarithmic.scores->width : linear->Y;
    if (n == 0) {
        first_word(&messages, Y, pairs);
    } else if (messages.in_logarithms) {
        load_block(&messages.logarithmic, n);
        log_pairs(&messages.logarithmic, n, pairs);
    } else {
        linear_pairs(linear, n, pairs);
    }
}
