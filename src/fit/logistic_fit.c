/*
 * Fits logistic models by Newton's method (iteratively reweighted least squares).
 *
 * With z the score of a row whose target is t, its standardised features u (and a 1 for the bias) and p = sigmoid(z),
 * minimise
 *
 *     F(w) = sum of softplus(z) - t z  +  l2/2 |w|^2
 *     gradient  sum of (p - t) u  +  l2 w,      Hessian  sum of p (1 - p) u u'  +  l2 I
 *
 * Each step solves Hessian * d = gradient by Cholesky's decomposition; if that fails because the Hessian is singular
 * (columns that depend on each other, all rows saturated), something is added to its diagonal. F is convex: halving the
 * step until F falls makes every start converge.
 *
 * Under a ceiling m the probability is q = m p, and the derivatives of a row's loss are
 *
 *     slope  (1 - p) (q - t) / (1 - q),      curvature  (1 - p) (t p + (1 - t) q (1 - 2p + p q) / (1 - q)^2)
 *
 * The second may be negative for a row, and rarely for all: then, too, something is added to the diagonal.
 *
 * Cross-fitting learns once from all rows, whose derivatives are summed by fold. Those of all rows but a fold's are
 * then differences of these sums, so that a fold's first step costs nothing, and further ones, with the same Hessian,
 * only gradients: they are few, since the fold's minimum is near that of all.
 *
 * Where rows are many, Newton's steps begin with a sample of them, and take two or three more with all.
 *
 * Time: about four times n * features^2 / 2. Memory: the standardised rows, and features^2.
 */
#include "base/elementary.h"
#include "fit/logistic.h"

#include "base/memory.h"
#include "core/simd.h"

#include <math.h>
#include <string.h>

enum { LANES = 8, DIM = LOGISTIC_MOST + LANES, STEPS = 100, CHORDS = 20, HALVINGS = 40, FOLDS = 5 };
enum { BLOCK = 64, AT_ONCE = 4, SAMPLE = 8192 /* rows to begin with; more, up to twice as many, are not sampled */ };

/* A step that gains so few nats is the last: it is a ten-thousandth of the standard error of the weights. */
static const double CLOSE = 1e-8;

/* The objective of some rows, with its gradient and Hessian, the lower triangle of which counts. */
struct sums {
    double value, gradient[DIM], hessian[DIM][DIM];
};

/* One problem. The bias is the last of the D parameters. */
struct newton {
    const struct logistic_rows *rows;
    struct logistic *logistic;
    uint32_t D, width; /* width: D rounded up to LANES */
    double l2;
    double target[2];        /* of wrong rows, of right rows */
    size_t *order;           /* [n] the rows that are learned from, part by part */
    size_t start[FOLDS + 1]; /* where each part begins in it */
    double *u;               /* [n + AT_ONCE][width] standardised features, and a 1; then zeros */
    uint32_t parts, without; /* the part that is left out; `parts`: none */
    struct sums *of;         /* [parts] without the prior */
    struct sums all;
    double step[DIM], factor[DIM][DIM];
};

/* ---- Rows ---- */

static double weight_of(const struct logistic_rows *rows, size_t i)
{
    return rows->weight ? rows->weight[i] : 1;
}

/* Means are taken from the first value, so that equal values have exactly zero variance. */
static void standardise(struct logistic *logistic, const struct logistic_rows *rows)
{
    uint32_t F = logistic->features;
    const double *x = rows->x;
    double total = 0;
    for (size_t i = 0; i < rows->n; i++)
        total += weight_of(rows, i);
    for (size_t i = 0; i < rows->n; i++) {
        double share = weight_of(rows, i) / total;
        for (uint32_t j = 0; j < F; j++)
            logistic->mean[j] += (x[i * F + j] - x[j]) * share;
    }
    for (uint32_t j = 0; j < F; j++)
        logistic->mean[j] += x[j];
    for (size_t i = 0; i < rows->n; i++) {
        double share = weight_of(rows, i) / total;
        for (uint32_t j = 0; j < F; j++) {
            double off = x[i * F + j] - logistic->mean[j];
            logistic->scale[j] += off * off * share;
        }
    }
    for (uint32_t j = 0; j < F; j++) {
        double scale = sqrt(logistic->scale[j]);
        logistic->scale[j] = isfinite(scale) && scale > 1e-14 * fabs(logistic->mean[j]) ? scale : 0;
    }
}

/* Lists one of `every` rows, part by part; `part` NULL: they are all of one. */
static void list_rows(struct newton *newton, const uint32_t *part, size_t every)
{
    size_t count = 0;
    for (uint32_t p = 0; p < newton->parts; p++) {
        newton->start[p] = count;
        for (size_t i = 0, turn = 0; i < newton->rows->n; i++)
            if ((!part || part[i] == p) && turn++ % every == 0)
                newton->order[count++] = i;
    }
    newton->start[newton->parts] = count;
}

static bool lay_out(struct newton *newton, const uint32_t *part, size_t every, struct vouch_error *err)
{
    uint32_t F = newton->logistic->features;
    newton->order = new_array(newton->rows->n + 1, sizeof *newton->order, err);
    newton->of = new_array(newton->parts, sizeof *newton->of, err);
    if (!newton->order || !newton->of)
        return false;
    list_rows(newton, part, every);
    size_t n = newton->start[newton->parts];
    newton->u = new_array((n + AT_ONCE) * newton->width, sizeof *newton->u, err);
    for (size_t k = 0; newton->u && k < n; k++) {
        double *u = newton->u + k * newton->width;
        for (uint32_t j = 0; j < F; j++)
            u[j] = logistic_standardised(newton->logistic, newton->rows->x + newton->order[k] * F, j);
        u[F] = 1;
    }
    return newton->u != NULL;
}

static void newton_free(struct newton *newton)
{
    if (newton) {
        free(newton->order);
        free(newton->of);
        free(newton->u);
    }
    free(newton);
}

/* Sets the targets and the first bias by the rows that are not left out. */
static void set_targets(struct newton *newton, double (*prior)(double right, double wrong))
{
    double count[2] = {0, 0};
    for (uint32_t p = 0; p < newton->parts; p++)
        for (size_t k = newton->start[p]; p != newton->without && k < newton->start[p + 1]; k++)
            count[newton->rows->right[newton->order[k]]] += weight_of(newton->rows, newton->order[k]);
    newton->target[0] = 1 / (count[0] + 2);
    newton->target[1] = (count[1] + 1) / (count[1] + 2);
    newton->logistic->bias = log_of((count[1] + 1) / (count[0] + 1));
    if (prior)
        newton->l2 = prior(count[1], count[0]);
}

/* ---- Derivatives ---- */

static double ceiling_of(const struct logistic_rows *rows, size_t i)
{
    return rows->ceiling ? rows->ceiling[i] : 1;
}

/* Returns -t log(m p) - (1 - t) log(1 - m p), without the constant t log m. */
static double loss_of(double z, double target, double ceiling)
{
    if (ceiling == 1)
        return softplus(z) - target * z;
    double room = 1 - ceiling, small = exp_of(-fabs(z)), least = log1p_of(small); /* softplus(-|z|) */
    double wrong = (z > 0 ? log_of(room + small) : log1p_of(room * small)) - least;
    return target * (z > 0 ? least : least - z) - (1 - target) * wrong;
}

/* Rows of which the derivatives are taken. */
struct block {
    const double *u; /* [BLOCK][width] */
    uint32_t width, rows;
    double z[BLOCK], slope[BLOCK], curve[BLOCK];
};

/* Computes the scores: eight sums a row, which are then added up. */
SIMD_BODY void score_block(struct block *block, const double *weight)
{
    for (uint32_t r = 0; r < block->rows; r++) {
        const double *u = block->u + (size_t)r * block->width;
        double sum[LANES] = {0};
        for (uint32_t j = 0; j < block->width; j += LANES)
            for (uint32_t k = 0; k < LANES; k++)
                sum[k] += weight[j + k] * u[j + k];
        block->z[r] = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
}
SIMD_KERNEL(score_block, (struct block * block, const double *weight), (block, weight))

/* Adds the rows to a row of sums, each `by` times. */
SIMD_BODY void add_times(double *to, const double *u, uint32_t width, uint32_t end, const double by[AT_ONCE])
{
    for (uint32_t j = 0; j < end; j += LANES)
        for (uint32_t k = j; k < j + LANES; k++)
            to[k] = to[k] + by[0] * u[k] + by[1] * u[width + k] + by[2] * u[2 * width + k] + by[3] * u[3 * width + k];
}

SIMD_BODY void add_slopes(const struct block *block, struct sums *sums)
{
    for (uint32_t r = 0; r < block->rows; r += AT_ONCE)
        add_times(sums->gradient, block->u + (size_t)r * block->width, block->width, block->width, block->slope + r);
}
SIMD_KERNEL(add_slopes, (const struct block *block, struct sums *sums), (block, sums))

SIMD_BODY void add_curves(const struct block *block, struct sums *sums, uint32_t D)
{
    for (uint32_t r = 0; r < block->rows; r += AT_ONCE) {
        const double *u = block->u + (size_t)r * block->width, *curve = block->curve + r;
        for (uint32_t j = 0; j < D; j++) {
            double bent[AT_ONCE];
            for (uint32_t k = 0; k < AT_ONCE; k++)
                bent[k] = curve[k] * u[k * block->width + j];
            add_times(sums->hessian[j], u, block->width, j + 1, bent);
        }
    }
}
SIMD_KERNEL(add_curves, (const struct block *block, struct sums *sums, uint32_t D), (block, sums, D))

/* Finds the derivatives of the loss by the score of each row; rows beyond the block's count nothing. */
static void bend_block(const struct newton *newton, size_t first, struct block *block)
{
    for (uint32_t r = 0; r < block->rows; r++) {
        size_t i = newton->order[first + r];
        double z = block->z[r], target = newton->target[newton->rows->right[i]], weight = weight_of(newton->rows, i);
        double ceiling = ceiling_of(newton->rows, i), p = sigmoid(z), q = ceiling * p, other = 1 - q;
        double slope = p - target, curve = p * (1 - p);
        if (ceiling < 1) {
            slope = (1 - p) * (q - target) / other;
            curve = (1 - p) * (target * p + (1 - target) * q * (1 - 2 * p + p * q) / (other * other));
        }
        block->slope[r] = weight * slope;
        block->curve[r] = weight * curve;
    }
    for (uint32_t r = block->rows; r < block->rows + AT_ONCE - 1 && r < BLOCK; r++)
        block->slope[r] = block->curve[r] = 0;
}

/* Returns the loss of a block. */
static double value_block(const struct newton *newton, size_t first, const struct block *block)
{
    double value = 0;
    for (uint32_t r = 0; r < block->rows; r++) {
        size_t i = newton->order[first + r];
        value += weight_of(newton->rows, i) *
                 loss_of(block->z[r], newton->target[newton->rows->right[i]], ceiling_of(newton->rows, i));
    }
    return value;
}

/* Adds the rows of a part to the gradient; with `curves`, to the value and the Hessian as well. */
static void add_part(const struct newton *newton, uint32_t part, bool curves, struct sums *sums)
{
    double weight[DIM] = {0};
    struct block block = {.width = newton->width};
    enum simd simd = simd_best();
    memcpy(weight, newton->logistic->weight, sizeof *weight * newton->logistic->features);
    weight[newton->logistic->features] = newton->logistic->bias;
    for (size_t k = newton->start[part]; k < newton->start[part + 1]; k += BLOCK) {
        size_t left = newton->start[part + 1] - k;
        block.rows = left < BLOCK ? (uint32_t)left : BLOCK;
        block.u = newton->u + k * newton->width;
        score_block_for[simd](&block, weight);
        bend_block(newton, k, &block);
        add_slopes_for[simd](&block, sums);
        if (!curves)
            continue;
        sums->value += value_block(newton, k, &block);
        add_curves_for[simd](&block, sums, newton->D);
    }
}

static void add_sums(struct sums *to, const struct sums *from, uint32_t D)
{
    to->value += from->value;
    for (uint32_t j = 0; j < D; j++) {
        to->gradient[j] += from->gradient[j];
        for (uint32_t k = 0; k <= j; k++)
            to->hessian[j][k] += from->hessian[j][k];
    }
}

/* Adds what the prior adds. */
static void add_prior(struct newton *newton, bool curves)
{
    const struct logistic *logistic = newton->logistic;
    double squares = 0;
    for (uint32_t j = 0; j < logistic->features; j++) {
        squares += logistic->weight[j] * logistic->weight[j];
        newton->all.gradient[j] += newton->l2 * logistic->weight[j];
        if (curves)
            newton->all.hessian[j][j] = logistic->scale[j] == 0 ? 1 : newton->all.hessian[j][j] + newton->l2;
    }
    newton->all.value += newton->l2 / 2 * squares;
}

/* Adds up the sums of all parts but the one left out. */
static void add_parts(struct newton *newton)
{
    memset(&newton->all, 0, sizeof newton->all);
    for (uint32_t p = 0; p < newton->parts; p++)
        if (p != newton->without)
            add_sums(&newton->all, &newton->of[p], newton->D);
    add_prior(newton, true);
}

/* Returns the objective at the present weights; its derivatives, by part and of all, are known afterwards. */
static double differentiate(struct newton *newton)
{
    for (uint32_t p = 0; p < newton->parts; p++)
        if (p != newton->without) {
            memset(&newton->of[p], 0, sizeof newton->of[p]);
            add_part(newton, p, true, &newton->of[p]);
        }
    add_parts(newton);
    return newton->all.value;
}

/* Finds the gradient alone; the Hessian stays as it was. */
static void find_gradient(struct newton *newton)
{
    memset(newton->all.gradient, 0, sizeof newton->all.gradient);
    for (uint32_t p = 0; p < newton->parts; p++)
        if (p != newton->without)
            add_part(newton, p, false, &newton->all);
    add_prior(newton, false);
}

/* ---- Steps ---- */

/* Makes factor * factor' = hessian + extra * I; false if that is not positive definite. */
static bool decompose(struct newton *newton, double extra)
{
    for (uint32_t j = 0; j < newton->D; j++)
        for (uint32_t k = 0; k <= j; k++) {
            double sum = newton->all.hessian[j][k] + (j == k ? extra : 0);
            for (uint32_t m = 0; m < k; m++)
                sum -= newton->factor[j][m] * newton->factor[k][m];
            if (j == k && !(sum > 1e-12 * fabs(newton->all.hessian[j][j])))
                return false;
            newton->factor[j][k] = j == k ? sqrt(sum) : sum / newton->factor[k][k];
        }
    return true;
}

/* Decomposes the Hessian, with as little extra as possible. */
static bool factorise(struct newton *newton)
{
    double greatest = 0, extra = 0;
    for (uint32_t j = 0; j < newton->D; j++)
        greatest = fmax(greatest, newton->all.hessian[j][j]);
    for (int tries = 0; !decompose(newton, extra); tries++) {
        if (tries == 40)
            return false;
        extra = extra > 0 ? extra * 10 : fmax(greatest, 1e-200) * 1e-10;
    }
    return true;
}

/* Makes step = (factor * factor')^-1 gradient. */
static void solve(struct newton *newton)
{
    double *step = newton->step;
    for (uint32_t j = 0; j < newton->D; j++) {
        step[j] = newton->all.gradient[j];
        for (uint32_t k = 0; k < j; k++)
            step[j] -= newton->factor[j][k] * step[k];
        step[j] /= newton->factor[j][j];
    }
    for (uint32_t j = newton->D; j-- > 0;) {
        for (uint32_t k = j + 1; k < newton->D; k++)
            step[j] -= newton->factor[k][j] * step[k];
        step[j] /= newton->factor[j][j];
    }
}

static void move(struct newton *newton, double by)
{
    uint32_t F = newton->logistic->features;
    for (uint32_t j = 0; j < F; j++)
        newton->logistic->weight[j] -= by * newton->step[j];
    newton->logistic->bias -= by * newton->step[F];
}

static double steepest(const struct newton *newton)
{
    double most = 0;
    for (uint32_t j = 0; j < newton->D; j++)
        most = fmax(most, fabs(newton->all.gradient[j]));
    return most;
}

/* Returns the fall of F if it were the parabola of its derivatives. */
static double expected_fall(const struct newton *newton)
{
    double sum = 0;
    for (uint32_t j = 0; j < newton->D; j++)
        sum += newton->all.gradient[j] * newton->step[j];
    return sum / 2;
}

/*
 * Halves the step until F falls, and finds its derivatives there. Returns false at the minimum: a step that gains next
 * to nothing is taken without a check and is the last.
 */
static bool descend_once(struct newton *newton, double *value)
{
    double by = 1, after;
    move(newton, by);
    if (expected_fall(newton) <= CLOSE)
        return false;
    for (int halvings = 0; !((after = differentiate(newton)) <= *value); halvings++) {
        if (halvings == HALVINGS) {
            move(newton, -by);
            return false;
        }
        move(newton, -by / 2);
        by /= 2;
    }
    *value = after;
    return true;
}

static void descend(struct newton *newton)
{
    double value = differentiate(newton), enough = 1e-11 * (double)newton->start[newton->parts];
    for (int steps = 0; steps < STEPS && steepest(newton) > enough && factorise(newton); steps++) {
        solve(newton);
        if (!descend_once(newton, &value))
            return;
    }
}

/*
 * Goes from the minimum of all rows to that of all but a part: with the Hessian of that place, as long as steps become
 * smaller, else with its own.
 */
static void descend_without(struct newton *newton)
{
    double last = INFINITY;
    add_parts(newton);
    bool goes = factorise(newton);
    for (int chords = 0; goes && last > CLOSE; chords++) {
        if (chords > 0)
            find_gradient(newton);
        solve(newton);
        double fall = expected_fall(newton);
        goes = fall < last / 2 && chords < CHORDS;
        last = fall;
        if (goes)
            move(newton, 1);
    }
    if (!goes)
        descend(newton);
}

/* ---- Fits ---- */

static bool finite_rows(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool ceilings_fit(const struct logistic_rows *rows)
{
    for (size_t i = 0; rows->ceiling && i < rows->n; i++)
        if (!(rows->ceiling[i] > 0 && rows->ceiling[i] <= 1))
            return false;
    return true;
}

static bool check(const struct logistic_rows *rows, struct vouch_error *err)
{
    if (rows->n == 0 || rows->features > LOGISTIC_MOST)
        return fail(err, VOUCH_ERR_ARGUMENT, "logistic regression: expected rows and at most %d features",
                    LOGISTIC_MOST);
    if (!finite_rows(rows->x, rows->n * rows->features) || !ceilings_fit(rows))
        return fail(err, VOUCH_ERR_ARGUMENT, "logistic regression: expected finite features and ceilings in (0, 1]");
    return true;
}

/* Returns the problem of one of `every` rows in so many parts, for a model that is standardised already. */
static struct newton *newton_new(const struct logistic_rows *rows, struct logistic *logistic, const uint32_t *part,
                                 size_t every, struct vouch_error *err)
{
    struct newton *newton = new_array(1, sizeof *newton, err);
    if (!newton)
        return NULL;
    uint32_t D = rows->features + 1, parts = part ? FOLDS : 1;
    *newton = (struct newton){.rows = rows, .logistic = logistic, .D = D, .parts = parts, .without = parts};
    newton->width = (D + LANES - 1) / LANES * LANES;
    if (lay_out(newton, part, every, err))
        return newton;
    newton_free(newton);
    return NULL;
}

/* Finds weights to begin with, from a sample of the rows. */
static bool begin(const struct logistic_rows *rows, struct logistic *logistic, double l2, struct vouch_error *err)
{
    size_t every = rows->n / SAMPLE;
    if (every < 2)
        return true;
    struct newton *sample = newton_new(rows, logistic, NULL, every, err);
    if (!sample)
        return false;
    set_targets(sample, NULL);
    sample->l2 = l2 / (double)every;
    descend(sample);
    newton_free(sample);
    return true;
}

/* Fits all rows, and leaves the problem solved, for folds to start from; NULL on failure. */
static struct newton *fit_all(const struct logistic_rows *rows, double (*prior)(double, double), double l2,
                              const uint32_t *part, struct logistic *logistic, struct vouch_error *err)
{
    struct newton *newton = NULL;
    if (check(rows, err) && logistic_init(logistic, rows->features, err)) {
        standardise(logistic, rows);
        newton = newton_new(rows, logistic, part, 1, err);
    }
    if (newton) {
        newton->l2 = l2;
        set_targets(newton, prior);
        if (begin(rows, logistic, newton->l2, err)) {
            descend(newton);
            return newton;
        }
    }
    newton_free(newton);
    logistic_release(logistic);
    return NULL;
}

bool logistic_fit(const struct logistic_rows *rows, double l2, struct logistic *logistic, struct vouch_error *err)
{
    *logistic = (struct logistic){0};
    if (!(l2 >= 0))
        return fail(err, VOUCH_ERR_ARGUMENT, "logistic regression: expected a prior of at least 0");
    struct newton *newton = fit_all(rows, NULL, l2, NULL, logistic, err);
    bool ok = newton != NULL;
    newton_free(newton);
    return ok;
}

/* Finds the probabilities of a fold's rows, starting from the fit of all rows. */
static void hold_out(struct newton *newton, uint32_t fold, const struct logistic *all, double (*prior)(double, double),
                     double *held)
{
    const struct logistic_rows *rows = newton->rows;
    struct logistic *logistic = newton->logistic;
    size_t others = newton->start[newton->parts] - (newton->start[fold + 1] - newton->start[fold]);
    newton->without = fold;
    set_targets(newton, prior);
    memcpy(logistic->weight, all->weight, sizeof *all->weight * all->features);
    logistic->bias = all->bias;
    if (others > 0)
        descend_without(newton);
    for (size_t k = newton->start[fold]; k < newton->start[fold + 1]; k++) {
        size_t i = newton->order[k];
        double share = others ? logistic_apply(logistic, rows->x + i * rows->features) : 0.5;
        held[i] = ceiling_of(rows, i) * share;
    }
}

bool logistic_cross_fit(const struct logistic_rows *rows, double (*prior)(double right, double wrong), uint64_t seed,
                        struct logistic *logistic, double *held, struct vouch_error *err)
{
    struct logistic work = {0};
    struct newton *newton = NULL;
    struct sums *of = new_array(FOLDS, sizeof *of, err);
    uint32_t *part = new_array(rows->n + 1, sizeof *part, err);
    *logistic = (struct logistic){0};
    if (of && part && split_groups(rows->group, rows->n, FOLDS, seed, part, err) &&
        logistic_init(&work, rows->features, err))
        newton = fit_all(rows, prior, 0, part, logistic, err);
    if (newton) {
        memcpy(of, newton->of, sizeof *of * FOLDS);
        memcpy(work.mean, logistic->mean, sizeof *work.mean * rows->features);
        memcpy(work.scale, logistic->scale, sizeof *work.scale * rows->features);
        newton->logistic = &work;
    }
    for (uint32_t fold = 0; newton && fold < FOLDS; fold++) {
        memcpy(newton->of, of, sizeof *of * FOLDS);
        hold_out(newton, fold, logistic, prior, held);
    }
    bool ok = newton != NULL;
    newton_free(newton);
    logistic_release(&work);
    free(of);
    free(part);
    return ok;
}
