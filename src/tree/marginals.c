/*
 * Computes the marginals of one-root trees under p(tree) proportional to exp(scale * score), by the matrix-tree theorem
 * (Koo et al. 2007), without forming a Laplacian.
 *
 * Let a(h, m) = exp(scale * score) be the weight of the arc from h to m. Words are eliminated one by one, in the manner
 * of Grassmann, Taksar and Heyman (1985): for k = N .. 2, over what is left,
 *
 *     s_k      = sum of a(h, k) over the words h < k      (not the root)
 *     p(h)     = a(h, k) / s_k                            (of the root, too)
 *     a(h, m) += p(h) a(k, m)   for h != m
 *     Z        = a(root, 1) s_2 s_3 ... s_N
 *
 * These are the Schur complements of the Laplacian, but its diagonal is summed afresh each time instead of being
 * updated, so nothing is ever subtracted, and Z has almost full relative accuracy whatever the weights are. That the
 * root is missing from s_k makes it take one word only: it is the limit of ever smaller weights of its arcs. The
 * marginals are a(h, m) g(h, m), where g = d log Z / d a comes from differentiating the above backwards, k = 2 .. N:
 *
 *     g(root, 1) = 1 / a(root, 1),  and then, with a and p as they were when k was eliminated,
 *     d(h)       = sum over the words m < k, m != h, of g(h, m) a(k, m)
 *     mean       = sum over h < k of p(h) d(h)            (how many words depend on k, on average)
 *     g(k, m)    = sum over h < k, h != m, of p(h) g(h, m)
 *     g(h, k)    = (1 + d(h) - mean) / s_k,  g(root, k) = d(root) / s_k
 *
 * Only here is something subtracted. It is harmless: a(h, k) g(h, k) is at most p(h) + p(h) d(h) - p(h) mean, no term
 * of which exceeds N, so that what is lost is small beside 1. Inverting the Laplacian instead takes differences of its
 * inverse, which are lost as soon as words prefer each other, in a cycle, by more than the 16 digits of a double.
 *
 * The linear way: the arcs of every word are divided by its heaviest from a word, the root's then by the heaviest of
 * them all; the word that has it is eliminated last, for most likely it depends on the root, and the others lead to it.
 * Let S be the product, over the words m, of the sum of a(h, m) over words h, at first. These sums do not grow, and Z
 * <= N S. Whatever underflows, below e^-700, at the start or later, belongs to trees of at most N^2 e^-700 S, and
 * there are fewer than N^3 such losses: if Z >= e^-600 S, all of them together are less than rounding. Then no g
 * exceeds N e^600 either. That bound is tested, and so are the sums of the marginals.
 *
 * Otherwise it goes by logarithms: when all good trees need arcs that are hundreds of nats worse than others. A number
 * is exp(scale * score + rest), where `score` is a sum and difference of scores, in most cases exact, so that ties
 * remain ties however large scores are. Every word's marginals are normalised.
 *
 * Cost: N^3 multiplications and additions, like an inversion, and N^2 exponentials; by logarithms up to N^3
 * exponentials and N^3 / 3 logarithms. O(N^2) memory.
 */
#include "base/elementary.h"
#include "tree/tree.h"

#include "core/exp_log.h"

#include <math.h>
#include <string.h>

#define LOWEST (-700.0)      /* exp() of less is taken for zero */
#define LEAST_LOG_Z (-600.0) /* of log Z - log S, for the linear way */
#define TOLERANCE 1e-9       /* of its marginals and their sums */

/* Returns exp(scale * (x - top)), for x <= top; 0 where x is -inf, though the exponent is NaN if scale is 0. */
static inline double weigh(double scale, double x, double top)
{
    double exponent = scale * (x - top);
    return exponent >= LOWEST ? exp_of(exponent) : 0.0;
}

/* Returns the place of a word, from 1; `last`, eliminated last, changes places with word 1. */
static inline size_t place_of(size_t word, size_t last)
{
    return word == 1 ? last : word == last ? 1 : word;
}

static inline float *arc_at(const struct scores *scores, size_t word, size_t head)
{
    return scores->node + tree_group(scores->N, (uint32_t)word - 1, (uint32_t)head);
}

static bool shape_marginal(struct scores *marginal, const struct scores *scores, struct vouch_error *err)
{
    if (!scores_shape(marginal, scores->N, scores->G, 1, 0, err))
        return false;
    for (size_t m = 1; m <= scores->N; m++)
        *arc_at(marginal, m, m) = 0;
    return true;
}

/* ---- linear ---- */

struct linear {
    const struct scores *scores;
    struct scores *marginal;
    double scale;
    size_t N, stride, last;
    double *weight; /* [N + 1][stride] a at the start: row the word, column the head, 0 the root */
    double *share;  /* [N + 1][stride] a as the elimination goes on; columns h < k of row k end as p */
    double *slope;  /* [N + 1][stride] g; columns m < k of row k hold a(k, m) until they are needed */
    double *pivot;  /* [N + 1] s */
    double *effect; /* [stride] d */
};

/* Returns the column up to which a loop over h < k runs: columns beyond k are zero, or unimportant. */
static inline size_t padded(size_t k)
{
    return (k + 3) / 4 * 4;
}

static bool linear_open(struct linear *linear, const struct scores *scores, double scale, struct scratch *scratch,
                        struct vouch_error *err)
{
    size_t N = scores->N, stride = padded(N + 1), square = (N + 1) * stride;
    if (!scratch_reserve(scratch, (3 * square + 2 * stride) * sizeof(double), err))
        return false;
    *linear = (struct linear){.scores = scores, .scale = scale, .N = N, .stride = stride};
    linear->weight = (double *)scratch->bytes;
    linear->share = linear->weight + square;
    linear->slope = linear->share + square;
    linear->pivot = linear->slope + square;
    linear->effect = linear->pivot + stride;
    memset(linear->weight, 0, 3 * square * sizeof(double));
    return true;
}

/*
 * Fills a row of `weight`, divided by its heaviest arc from a word. The root's is still to be
 * divided by exp(scale * *lead) to be so, too. Returns the score divided by, -inf if there is none.
 */
static double weigh_word(const struct linear *linear, size_t word, double *lead)
{
    size_t N = linear->N;
    double *weight = linear->weight + word * linear->stride, *score = linear->effect, top = -INFINITY;
    for (size_t h = 0; h <= N; h++) {
        if (h == word)
            continue;
        score[h] = (double)*arc_at(linear->scores, word, h);
        top = h > 0 && score[h] > top ? score[h] : top;
    }
    *lead = score[0] - top;
    score[0] = score[word] = -INFINITY;
    for (size_t h = 1; h <= N; h++) {
        double exponent = linear->scale * (score[h] - top);
        score[h] = exponent >= LOWEST ? exponent : -INFINITY;
    }
    exp_all(score, N + 1);
    memcpy(weight + 1, score + 1, N * sizeof *weight);
    return top;
}

static void swap_with_first(double *matrix, size_t N, size_t stride, size_t last)
{
    for (size_t h = 0; h < stride; h++) {
        double kept = matrix[stride + h];
        matrix[stride + h] = matrix[last * stride + h];
        matrix[last * stride + h] = kept;
    }
    for (size_t m = 1; m <= N; m++) {
        double *row = matrix + m * stride, kept = row[1];
        row[1] = row[last];
        row[last] = kept;
    }
}

/* Fills `weight` and chooses `last`; the divisors go to *log_z. False if some word needs the root. */
static bool weigh_words(struct linear *linear, double *log_z)
{
    size_t N = linear->N, stride = linear->stride;
    double *lead = linear->pivot, top = 0;
    linear->last = 1;
    for (size_t m = 1; m <= N; m++) {
        top += weigh_word(linear, m, &lead[m]);
        if (!(top > -INFINITY))
            return false;
        if (lead[m] > lead[linear->last])
            linear->last = m;
    }
    double most = lead[linear->last];
    for (size_t m = 1; m <= N; m++)
        linear->weight[m * stride] = weigh(linear->scale, lead[m], most);
    *log_z = linear->scale * (top + most);
    swap_with_first(linear->weight, N, stride, linear->last);
    return true;
}

static double sum_words(const double *row, size_t k)
{
    double even = 0, odd = 0;
    for (size_t h = 1; h + 1 < k; h += 2) {
        odd += row[h];
        even += row[h + 1];
    }
    return k % 2 ? even + odd : even + odd + row[k - 1];
}

/* Turns row k, from which all words after k are eliminated, into p; zero from k on. */
SIMD_BODY void make_pivot(const struct linear *linear, size_t k)
{
    double *p = linear->share + k * linear->stride, sum = sum_words(p, k), by = 1 / sum;
    linear->pivot[k] = sum;
    for (size_t h = 0; h < k; h++)
        p[h] *= by;
    for (size_t h = k; h < padded(k + 1); h++)
        p[h] = 0;
}

/* Makes row += a * p + b * q. */
SIMD_BODY void add_two(double *restrict row, double a, const double *restrict p, double b, const double *restrict q,
                       size_t width)
{
    for (size_t h = 0; h < width; h++)
        row[h] += a * p[h] + b * q[h];
}

/* Eliminates words k and k - 1: two at a time halve the traffic. */
SIMD_BODY void eliminate_two(const struct linear *linear, size_t k)
{
    size_t stride = linear->stride, width = padded(k);
    double *p = linear->share + k * stride, *q = p - stride;
    double *a = linear->slope + k * stride, *b = a - stride;
    make_pivot(linear, k);
    a[k - 1] = q[k];
    for (size_t h = 0; h < k; h++)
        q[h] += a[k - 1] * p[h];
    make_pivot(linear, k - 1);
    for (size_t m = 1; m < k - 1; m++) {
        double *row = linear->share + m * stride;
        a[m] = row[k];
        b[m] = row[k - 1] + a[m] * p[k - 1];
        add_two(row, a[m], p, b[m], q, width);
    }
}

/* Eliminates words as long as there are three. */
SIMD_BODY void eliminate(const struct linear *linear)
{
    for (size_t k = linear->N; k >= 3; k -= 2)
        eliminate_two(linear, k);
}

SIMD_KERNEL(eliminate, (const struct linear *linear), (linear))

/* Eliminates all words but the first. False if the result cannot be trusted. */
static bool linear_forward(const struct linear *linear, double *log_z)
{
    size_t N = linear->N, stride = linear->stride;
    double log_tree = 0, log_free = 0;
    for (size_t m = 1; m <= N; m++)
        log_free += log_of(sum_words(linear->weight + m * stride, N + 1));
    memcpy(linear->share, linear->weight, (N + 1) * stride * sizeof(double));
    eliminate_for[simd_best()](linear);
    double *first = linear->share + stride;
    if (N % 2 == 0) {
        make_pivot(linear, 2);
        linear->slope[2 * stride + 1] = first[2];
        first[0] += first[2] * linear->share[2 * stride];
    }
    linear->pivot[1] = first[0];
    for (size_t k = 1; k <= N; k++)
        log_tree += log_of(linear->pivot[k]);
    *log_z += log_tree;
    return isfinite(log_tree) && log_tree - log_free >= LEAST_LOG_Z;
}

/* Makes d, and column k of g, from two rows at a time; row 0, which is zero, makes their number even. */
SIMD_BODY void gather(const struct linear *linear, size_t k)
{
    size_t stride = linear->stride, width = padded(k);
    const double *restrict p = linear->share + k * stride, *a = linear->slope + k * stride;
    double *restrict effect = linear->effect;
    memset(effect, 0, width * sizeof *effect);
    for (size_t m = k % 2; m < k; m += 2) {
        double *restrict row = linear->slope + m * stride, *restrict next = row + stride;
        double by = a[m], next_by = a[m + 1], sum[2] = {0, 0}, next_sum[2] = {0, 0};
        for (size_t h = 0; h < width; h += 2) {
            effect[h] += by * row[h] + next_by * next[h];
            effect[h + 1] += by * row[h + 1] + next_by * next[h + 1];
            sum[0] += p[h] * row[h];
            sum[1] += p[h + 1] * row[h + 1];
            next_sum[0] += p[h] * next[h];
            next_sum[1] += p[h + 1] * next[h + 1];
        }
        row[k] = sum[0] + sum[1];
        next[k] = next_sum[0] + next_sum[1];
    }
}

SIMD_BODY void linear_backward(const struct linear *linear)
{
    size_t stride = linear->stride;
    double *effect = linear->effect;
    linear->slope[stride] = 1 / linear->pivot[1];
    for (size_t k = 2; k <= linear->N; k++) {
        const double *p = linear->share + k * stride;
        double *slope = linear->slope + k * stride, by = 1 / linear->pivot[k], mean = 0;
        gather(linear, k);
        for (size_t h = 0; h < k; h++)
            mean += p[h] * effect[h];
        for (size_t h = 1; h < k; h++) {
            double g = (1 - mean + effect[h]) * by;
            slope[h] = g > 0 ? g : 0;
        }
        slope[0] = effect[0] * by;
    }
}

SIMD_KERNEL(linear_backward, (const struct linear *linear), (linear))

/* Writes the marginals, made in `weight`; false if they do not sum to one. */
static bool linear_write(const struct linear *linear)
{
    size_t N = linear->N, stride = linear->stride, last = linear->last;
    double roots = 0;
    for (size_t m = 1; m <= N; m++) {
        double *probability = linear->weight + m * stride, kept;
        for (size_t h = 0; h < stride; h++)
            probability[h] *= linear->slope[m * stride + h];
        roots += probability[0];
        if (!(fabs(probability[0] + sum_words(probability, N + 1) - 1) <= TOLERANCE))
            return false;
        kept = probability[1];
        probability[1] = probability[last];
        probability[last] = kept;
        for (size_t h = 0; h <= N; h++)
            *arc_at(linear->marginal, place_of(m, last), h) = (float)probability[h];
    }
    return fabs(roots - 1) <= TOLERANCE;
}

bool tree_marginals_linear(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                           double *log_z, struct vouch_error *err)
{
    struct linear linear;
    if (!shape_marginal(marginal, scores, err) || !linear_open(&linear, scores, scale, scratch, err))
        return false;
    linear.marginal = marginal;
    if (weigh_words(&linear, log_z) && linear_forward(&linear, log_z)) {
        linear_backward_for[simd_best()](&linear);
        if (linear_write(&linear))
            return true;
    }
    return fail(err, VOUCH_ERR_ARGUMENT, "the marginals of these scores need logarithms");
}

/* ---- by logarithms ---- */

/* The number exp(scale * score + rest); zero if score is -inf. */
struct power {
    double score, rest;
};

static const struct power ZERO = {-INFINITY, 0};

static inline bool is_zero(struct power a)
{
    return a.score == -INFINITY;
}

static inline struct power times(struct power a, struct power b)
{
    return (struct power){a.score + b.score, a.rest + b.rest};
}

/* Returns a / b, for b other than zero. */
static inline struct power over(struct power a, struct power b)
{
    return (struct power){a.score - b.score, a.rest - b.rest};
}

/* Returns log (a / b), neither of them zero. */
static inline double log_ratio(struct power a, struct power b, double scale)
{
    return scale * (a.score - b.score) + (a.rest - b.rest);
}

static struct power plus(struct power a, struct power b, double scale)
{
    if (is_zero(a) || is_zero(b))
        return is_zero(a) ? b : a;
    double ratio = log_ratio(a, b, scale);
    struct power larger = ratio > 0 ? a : b;
    if (fabs(ratio) < 40)
        larger.rest += log1p_of(exp_of(-fabs(ratio)));
    return larger;
}

static struct power largest(const struct power *x, size_t count, double scale)
{
    struct power top = ZERO;
    for (size_t i = 0; i < count; i++)
        if (!is_zero(x[i]) && (is_zero(top) || log_ratio(x[i], top, scale) > 0))
            top = x[i];
    return top;
}

static struct power add_up(const struct power *x, size_t count, double scale)
{
    struct power top = largest(x, count, scale);
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += is_zero(x[i]) ? 0 : exp_of(log_ratio(x[i], top, scale));
    return is_zero(top) ? top : (struct power){top.score, top.rest + log_of(total)};
}

struct logarithmic {
    const struct scores *scores;
    double scale;
    size_t N, stride, last;
    struct power *weight; /* [N + 1][stride] as in struct linear */
    struct power *share;  /* [N + 1][stride] a; columns h < k of row k end as p, columns k > m of row m as a(k, m) */
    struct power *slope;  /* [N + 1][stride] */
    struct power *pivot;  /* [stride] */
    struct power *effect; /* [stride] */
    struct power *term;   /* [stride] */
};

static bool logarithmic_open(struct logarithmic *lg, const struct scores *scores, double scale, struct scratch *scratch,
                             struct vouch_error *err)
{
    size_t N = scores->N, stride = N + 1, square = stride * stride;
    if (!scratch_reserve(scratch, 3 * (square + stride) * sizeof(struct power), err))
        return false;
    *lg = (struct logarithmic){.scores = scores, .scale = scale, .N = N, .stride = stride};
    lg->weight = (struct power *)scratch->bytes;
    lg->share = lg->weight + square;
    lg->slope = lg->share + square;
    lg->pivot = lg->slope + square;
    lg->effect = lg->pivot + stride;
    lg->term = lg->effect + stride;
    return true;
}

static bool allowed(const struct scores *scores, size_t word, size_t head)
{
    return word != head && *arc_at(scores, word, head) > -INFINITY;
}

/* Whether all words can descend from `top`. Uses the memory of `term` and `effect`. */
static bool all_descend(const struct logarithmic *lg, size_t top)
{
    uint32_t *found = (uint32_t *)lg->term, count = 1;
    bool *seen = (bool *)lg->effect;
    memset(seen, 0, (lg->N + 1) * sizeof *seen);
    found[0] = (uint32_t)top;
    seen[top] = true;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t m = 1; m <= lg->N; m++)
            if (!seen[m] && allowed(lg->scores, m, found[i])) {
                seen[m] = true;
                found[count++] = m;
            }
    return count == lg->N;
}

/* Chooses `last` so that a tree hangs from it: then no pivot is zero. False if there is no tree. */
static bool choose_last(struct logarithmic *lg)
{
    for (lg->last = 1; lg->last <= lg->N; lg->last++)
        if (allowed(lg->scores, lg->last, 0) && all_descend(lg, lg->last))
            return true;
    return false;
}

static void weigh_arcs(const struct logarithmic *lg)
{
    for (size_t m = 1; m <= lg->N; m++)
        for (size_t h = 0; h <= lg->N; h++) {
            size_t word = place_of(m, lg->last), head = h ? place_of(h, lg->last) : 0;
            struct power arc = {(double)*arc_at(lg->scores, word, head), 0};
            lg->weight[m * lg->stride + h] = h == m ? ZERO : arc;
        }
}

static double logarithmic_forward(const struct logarithmic *lg)
{
    size_t N = lg->N, stride = lg->stride;
    memcpy(lg->share, lg->weight, stride * stride * sizeof *lg->share);
    struct power z = {0, 0};
    for (size_t k = N; k >= 2; k--) {
        struct power *p = lg->share + k * stride;
        lg->pivot[k] = add_up(p + 1, k - 1, lg->scale);
        z = times(z, lg->pivot[k]);
        for (size_t m = 1; m < k; m++) {
            struct power *row = lg->share + m * stride, by = over(row[k], lg->pivot[k]);
            for (size_t h = 0; h < k && !is_zero(by); h++)
                row[h] = plus(row[h], times(by, p[h]), lg->scale);
        }
        for (size_t h = 0; h < k; h++)
            p[h] = over(p[h], lg->pivot[k]);
    }
    lg->pivot[1] = lg->share[stride];
    z = times(z, lg->pivot[1]);
    return lg->scale * z.score + z.rest;
}

/* Returns a + b for a number b of either sign; zero if that is negative. */
static struct power plus_number(struct power a, double b, double scale)
{
    double size = is_zero(a) ? -INFINITY : scale * a.score + a.rest;
    double total = size > 0 ? 1 + b * exp_of(-size) : exp_of(size) + b;
    if (!(total > 0))
        return ZERO;
    return size > 0 ? (struct power){a.score, a.rest + log_of(total)} : (struct power){0, log_of(total)};
}

/* Fills `effect`, and column k of `slope`. */
static void logarithmic_gather(const struct logarithmic *lg, size_t k)
{
    size_t stride = lg->stride;
    const struct power *p = lg->share + k * stride;
    for (size_t h = 0; h < k; h++) {
        for (size_t m = 1; m < k; m++)
            lg->term[m] = m == h ? ZERO : times(lg->slope[m * stride + h], lg->share[m * stride + k]);
        lg->effect[h] = add_up(lg->term + 1, k - 1, lg->scale);
    }
    for (size_t m = 1; m < k; m++) {
        struct power *slope = lg->slope + m * stride;
        for (size_t h = 0; h < k; h++)
            lg->term[h] = m == h ? ZERO : times(p[h], slope[h]);
        slope[k] = add_up(lg->term, k, lg->scale);
    }
}

static void logarithmic_backward(const struct logarithmic *lg)
{
    size_t stride = lg->stride;
    lg->slope[stride] = over((struct power){0, 0}, lg->pivot[1]);
    for (size_t k = 2; k <= lg->N; k++) {
        const struct power *p = lg->share + k * stride;
        struct power *slope = lg->slope + k * stride;
        double mean = 0;
        logarithmic_gather(lg, k);
        for (size_t h = 0; h < k; h++) {
            struct power children = times(p[h], lg->effect[h]);
            /* the bound is exceeded only where digits of scores have been lost */
            mean += is_zero(children) ? 0 : fmin(exp_of(lg->scale * children.score + children.rest), (double)k);
        }
        slope[0] = over(lg->effect[0], lg->pivot[k]);
        for (size_t h = 1; h < k; h++)
            slope[h] = over(plus_number(lg->effect[h], 1 - mean, lg->scale), lg->pivot[k]);
    }
}

static void logarithmic_write(const struct logarithmic *lg, struct scores *marginal)
{
    size_t stride = lg->stride;
    for (size_t m = 1; m <= lg->N; m++) {
        size_t word = place_of(m, lg->last);
        for (size_t h = 0; h <= lg->N; h++)
            lg->term[h] = h == m ? ZERO : times(lg->weight[m * stride + h], lg->slope[m * stride + h]);
        struct power total = add_up(lg->term, lg->N + 1, lg->scale);
        for (size_t h = 0; h <= lg->N; h++) {
            double probability = is_zero(lg->term[h]) ? 0 : exp_of(log_ratio(lg->term[h], total, lg->scale));
            *arc_at(marginal, word, h ? place_of(h, lg->last) : 0) = (float)probability;
        }
    }
}

bool tree_marginals_logarithmic(const struct scores *scores, double scale, struct scratch *scratch,
                                struct scores *marginal, double *log_z, struct vouch_error *err)
{
    struct logarithmic lg;
    if (!shape_marginal(marginal, scores, err) || !logarithmic_open(&lg, scores, scale, scratch, err))
        return false;
    if (!choose_last(&lg))
        return fail(err, VOUCH_ERR_ARGUMENT, "no tree has a finite score");
    weigh_arcs(&lg);
    *log_z = logarithmic_forward(&lg);
    logarithmic_backward(&lg);
    logarithmic_write(&lg, marginal);
    return true;
}

bool tree_marginals(const struct scores *scores, double scale, struct scratch *scratch, struct scores *marginal,
                    double *log_z, struct vouch_error *err)
{
    *log_z = 0;
    if (!(scale >= 0 && scale <= 1e100))
        return fail(err, VOUCH_ERR_ARGUMENT, "the scale of marginals must be between 0 and 1e100, not %g", scale);
    if (scores->N == 0)
        return scores_shape(marginal, 0, 0, 1, 0, err);
    if (scores->width != 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "a tree of %u words has %u scores for each arc, expected one", scores->N,
                    scores->width);
    struct vouch_error doubt = {0};
    if (tree_marginals_linear(scores, scale, scratch, marginal, log_z, &doubt))
        return true;
    if (doubt.status == VOUCH_ERR_MEMORY)
        return fail_memory(err);
    return tree_marginals_logarithmic(scores, scale, scratch, marginal, log_z, err);
}
