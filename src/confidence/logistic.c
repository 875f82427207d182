/*
 * Fits logistic models by Newton's method (iteratively reweighted least squares).
 *
 * With z the score of a row whose target is t, its standardised features u
 * (and a 1 for the bias) and p = sigmoid(z), minimise
 *
 *     F(w) = sum of softplus(z) - t z  +  l2/2 |w|^2
 *     gradient  sum of (p - t) u  +  l2 w,      Hessian  sum of p (1 - p) u u'  +  l2 I
 *
 * Each step solves Hessian * d = gradient by Cholesky's decomposition; if that
 * fails because the Hessian is singular (columns that depend on each other, all
 * rows saturated), something is added to its diagonal. F is convex: halving the
 * step until F falls makes every start converge.
 *
 * Under a ceiling m the probability is q = m p, and with r = (1 - p) / (1 - q)
 * the derivatives of a row's loss are those above times r:
 *
 *     slope  (q - t) r,      curvature  m p (1 - p) r
 *
 * the second being its expectation (Fisher scoring), which is never negative.
 *
 * Time: about ten times n * features^2 / 2. Memory: features^2; the rows are
 * standardised one by one as they pass.
 */
#include "confidence/logistic.h"

#include "base/memory.h"
#include "confidence/groups.h"
#include "core/simd.h"

#include <math.h>
#include <string.h>

enum { DIM = LOGISTIC_MOST + 1, STEPS = 100, HALVINGS = 40, FOLDS = 5 };

/* One problem, with its gradient and Hessian. The bias is the last of the D parameters. */
struct newton {
    const struct logistic_rows *rows;
    struct logistic *logistic;
    uint32_t D;
    double l2;
    double target[2]; /* of wrong rows, of right rows */
    double gradient[DIM], step[DIM];
    double hessian[DIM][DIM], factor[DIM][DIM]; /* lower triangles */
};

double sigmoid(double z)
{
    return 1 / (1 + exp(-z)); /* exp() may overflow to infinity, which gives the right 0 */
}

static double odds_within(double p, double least)
{
    p = !(p > least) ? least : p < 1 - least ? p : 1 - least;
    return p / (1 - p);
}

double log_odds(double p)
{
    return log(odds_within(p, 1e-6));
}

double fine_odds(double p)
{
    return odds_within(p, 1e-9);
}

double fine_log_odds(double p)
{
    return log(fine_odds(p));
}

double within_fine_odds(double z)
{
    const double most = 20.723265836946411; /* log-odds of 1 - 1e-9 */
    return !(z > -most) ? -most : z < most ? z : most;
}

double short_of_certainty(double p)
{
    const double least = 1e-6;
    return least + (1 - 2 * least) * p;
}

double vote_odds(double share, uint32_t K)
{
    return log((share * K + 0.5) / ((1 - share) * K + 0.5));
}

double softplus(double z)
{
    return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z));
}

static double standardised(const struct logistic *logistic, const double *x, uint32_t j)
{
    return logistic->scale[j] > 0 ? (x[j] - logistic->mean[j]) / logistic->scale[j] : 0;
}

double logistic_score(const struct logistic *logistic, const double *x)
{
    double z = logistic->bias;
    for (uint32_t j = 0; j < logistic->features; j++)
        if (logistic->weight[j] != 0)
            z += logistic->weight[j] * standardised(logistic, x, j);
    return z;
}

/* Adds weight * (x - mean) / scale. */
SIMD_BODY void add_signal(const double *restrict x, const double by[3], size_t n, double *restrict score)
{
    double weight = by[0], mean = by[1], scale = by[2];
    for (size_t i = 0; i < n; i++)
        score[i] += weight * ((x[i] - mean) / scale);
}

SIMD_KERNEL(add_signal, (const double *x, const double by[3], size_t n, double *score), (x, by, n, score))

void logistic_scores(const struct logistic *logistic, const double *x, size_t n, double *score)
{
    enum simd set = simd_best();
    for (size_t i = 0; i < n; i++)
        score[i] = logistic->bias;
    for (uint32_t j = 0; j < logistic->features; j++, x += n)
        if (logistic->weight[j] != 0 && logistic->scale[j] > 0)
            add_signal_for[set](x, (double[3]){logistic->weight[j], logistic->mean[j], logistic->scale[j]}, n, score);
}

bool logistic_first(struct logistic *logistic, uint32_t features, struct vouch_error *err)
{
    *logistic = (struct logistic){.features = features};
    logistic->weight = new_array(features, sizeof *logistic->weight, err);
    logistic->mean = new_array(features, sizeof *logistic->mean, err);
    logistic->scale = new_array(features, sizeof *logistic->scale, err);
    if (!logistic->weight || !logistic->mean || !logistic->scale)
        return false;
    logistic->weight[0] = logistic->scale[0] = 1;
    return true;
}

double logistic_apply(const struct logistic *logistic, const double *x)
{
    return sigmoid(logistic_score(logistic, x));
}

/* Means are taken from the first value, so that equal values have exactly zero variance. */
static void standardise(struct logistic *logistic, const double *x, size_t n)
{
    uint32_t F = logistic->features;
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < F; j++)
            logistic->mean[j] += (x[i * F + j] - x[j]) / (double)n;
    for (uint32_t j = 0; j < F; j++)
        logistic->mean[j] += x[j];
    for (size_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < F; j++) {
            double off = x[i * F + j] - logistic->mean[j];
            logistic->scale[j] += off * off / (double)n;
        }
    for (uint32_t j = 0; j < F; j++) {
        double scale = sqrt(logistic->scale[j]);
        logistic->scale[j] = isfinite(scale) && scale > 1e-14 * fabs(logistic->mean[j]) ? scale : 0;
    }
}

static double ceiling_of(const struct logistic_rows *rows, size_t i)
{
    return rows->ceiling ? rows->ceiling[i] : 1;
}

/* Returns -t log(m p) - (1 - t) log(1 - m p), without the constant t log m. */
static double loss_of(double z, double target, double ceiling)
{
    if (ceiling == 1)
        return softplus(z) - target * z;
    double room = 1 - ceiling;
    double wrong = z > 0 ? log(room + exp(-z)) - log1p(exp(-z)) : log1p(room * exp(z)) - log1p(exp(z));
    return target * softplus(-z) - (1 - target) * wrong;
}

/* Adds a row whose standardised features and 1 are u [D], and whose score is z, to the derivatives. */
static void add_row(struct newton *newton, size_t i, const double *u, double z)
{
    double ceiling = ceiling_of(newton->rows, i), p = sigmoid(z), q = ceiling * p;
    double ratio = ceiling == 1 ? 1 : (1 - p) / (1 - q);
    double slope = (q - newton->target[newton->rows->right[i]]) * ratio, curve = q * (1 - p) * ratio;
    for (uint32_t j = 0; j < newton->D; j++) {
        double bent = curve * u[j], *row = newton->hessian[j];
        newton->gradient[j] += slope * u[j];
        for (uint32_t k = 0; k <= j; k++)
            row[k] += bent * u[k];
    }
}

/* Returns the objective at the present weights; its derivatives are in gradient and hessian afterwards. */
static double differentiate(struct newton *newton)
{
    const struct logistic *logistic = newton->logistic;
    const struct logistic_rows *rows = newton->rows;
    uint32_t F = logistic->features;
    double sum = 0, squares = 0;
    memset(newton->gradient, 0, sizeof newton->gradient);
    memset(newton->hessian, 0, sizeof newton->hessian);
    for (size_t i = 0; i < rows->n; i++) {
        double u[DIM], z = logistic->bias;
        for (uint32_t j = 0; j < F; j++) {
            u[j] = standardised(logistic, rows->x + i * F, j);
            z += logistic->weight[j] * u[j];
        }
        u[F] = 1;
        sum += loss_of(z, newton->target[rows->right[i]], ceiling_of(rows, i));
        add_row(newton, i, u, z);
    }
    for (uint32_t j = 0; j < F; j++) {
        squares += logistic->weight[j] * logistic->weight[j];
        newton->gradient[j] += newton->l2 * logistic->weight[j];
        newton->hessian[j][j] += newton->l2;
        if (logistic->scale[j] == 0)
            newton->hessian[j][j] = 1;
    }
    return sum + newton->l2 / 2 * squares;
}

/* Makes factor * factor' = hessian + extra * I; false if that is not positive definite. */
static bool decompose(struct newton *newton, double extra)
{
    for (uint32_t j = 0; j < newton->D; j++)
        for (uint32_t k = 0; k <= j; k++) {
            double sum = newton->hessian[j][k] + (j == k ? extra : 0);
            for (uint32_t m = 0; m < k; m++)
                sum -= newton->factor[j][m] * newton->factor[k][m];
            if (j == k && !(sum > 1e-12 * newton->hessian[j][j]))
                return false;
            newton->factor[j][k] = j == k ? sqrt(sum) : sum / newton->factor[k][k];
        }
    return true;
}

/* Makes step = (hessian + extra * I)^-1 gradient, with as little extra as possible. */
static bool solve(struct newton *newton)
{
    double greatest = 0, extra = 0;
    for (uint32_t j = 0; j < newton->D; j++)
        greatest = fmax(greatest, newton->hessian[j][j]);
    for (int tries = 0; !decompose(newton, extra); tries++) {
        if (tries == 40)
            return false;
        extra = extra > 0 ? extra * 10 : fmax(greatest, 1e-200) * 1e-10;
    }
    double *step = newton->step;
    for (uint32_t j = 0; j < newton->D; j++) {
        step[j] = newton->gradient[j];
        for (uint32_t k = 0; k < j; k++)
            step[j] -= newton->factor[j][k] * step[k];
        step[j] /= newton->factor[j][j];
    }
    for (uint32_t j = newton->D; j-- > 0;) {
        for (uint32_t k = j + 1; k < newton->D; k++)
            step[j] -= newton->factor[k][j] * step[k];
        step[j] /= newton->factor[j][j];
    }
    return true;
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
        most = fmax(most, fabs(newton->gradient[j]));
    return most;
}

/* Returns the fall of F if it were the parabola of its derivatives. */
static double expected_fall(const struct newton *newton)
{
    double sum = 0;
    for (uint32_t j = 0; j < newton->D; j++)
        sum += newton->gradient[j] * newton->step[j];
    return sum / 2;
}

/*
 * Halves the step until F falls, and finds its derivatives there. Returns false at the minimum: a step whose gain is
 * below rounding is taken without a check and is the last.
 */
static bool descend_once(struct newton *newton, double *value)
{
    double by = 1, after;
    move(newton, by);
    if (expected_fall(newton) <= 1e-12 * fabs(*value))
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
    double value = differentiate(newton);
    for (int steps = 0; steps < STEPS; steps++)
        if (steepest(newton) <= 1e-11 * (double)newton->rows->n || !solve(newton) || !descend_once(newton, &value))
            return;
}

static bool finite_rows(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool logistic_init(struct logistic *logistic, uint32_t features, struct vouch_error *err)
{
    *logistic = (struct logistic){.features = features};
    logistic->weight = new_array(features, sizeof *logistic->weight, err);
    logistic->mean = new_array(features, sizeof *logistic->mean, err);
    logistic->scale = new_array(features, sizeof *logistic->scale, err);
    return logistic->weight && logistic->mean && logistic->scale;
}

static bool ceilings_fit(const struct logistic_rows *rows)
{
    for (size_t i = 0; rows->ceiling && i < rows->n; i++)
        if (!(rows->ceiling[i] > 0 && rows->ceiling[i] <= 1))
            return false;
    return true;
}

bool logistic_fit(const struct logistic_rows *rows, double l2, struct logistic *logistic, struct vouch_error *err)
{
    size_t n = rows->n;
    uint32_t features = rows->features;
    *logistic = (struct logistic){0};
    if (n == 0 || features > LOGISTIC_MOST || !(l2 >= 0))
        return fail(err, VOUCH_ERR_ARGUMENT, "logistic regression: expected rows and at most %d features",
                    LOGISTIC_MOST);
    if (!finite_rows(rows->x, n * features) || !ceilings_fit(rows))
        return fail(err, VOUCH_ERR_ARGUMENT, "logistic regression: expected finite features and ceilings in (0, 1]");
    struct newton *newton = new_array(1, sizeof *newton, err);
    if (!newton || !logistic_init(logistic, features, err)) {
        free(newton);
        logistic_release(logistic);
        return false;
    }
    size_t good = 0;
    for (size_t i = 0; i < n; i++)
        good += rows->right[i];
    *newton = (struct newton){.rows = rows, .logistic = logistic, .D = features + 1, .l2 = l2};
    newton->target[0] = 1 / ((double)(n - good) + 2);
    newton->target[1] = ((double)good + 1) / ((double)good + 2);
    logistic->bias = log(((double)good + 1) / ((double)(n - good) + 1));
    standardise(logistic, rows->x, n);
    descend(newton);
    free(newton);
    return true;
}

void logistic_release(struct logistic *logistic)
{
    free(logistic->weight);
    free(logistic->mean);
    free(logistic->scale);
    *logistic = (struct logistic){0};
}

/* Returns the rows, of `size` bytes each, that are not in part `without`, copied together in their order, to free(). */
static void *rows_without(uint32_t without, const uint32_t *part, size_t n, const void *rows, size_t size,
                          struct vouch_error *err)
{
    char *kept = new_array(n + 1, size, err), *to = kept;
    const char *from = rows;
    for (size_t i = 0; kept && i < n; i++, from += size)
        if (part[i] != without) {
            memcpy(to, from, size);
            to += size;
        }
    return kept;
}

/* Finds the probabilities of fold `fold`, by a model of the others. */
static bool hold_out(const struct logistic_rows *r, double (*prior)(const struct logistic_rows *), const uint32_t *part,
                     uint32_t fold, double *held, struct vouch_error *err)
{
    struct logistic logistic = {0};
    double *x = rows_without(fold, part, r->n, r->x, sizeof *x * r->features, err);
    double *ceiling = r->ceiling ? rows_without(fold, part, r->n, r->ceiling, sizeof *ceiling, err) : NULL;
    bool *right = rows_without(fold, part, r->n, r->right, sizeof *right, err);
    struct logistic_rows others = {.x = x, .right = right, .ceiling = ceiling, .features = r->features};
    for (size_t i = 0; i < r->n; i++)
        others.n += part[i] != fold;
    bool ok = x && right && (ceiling || !r->ceiling) &&
              (others.n == 0 || logistic_fit(&others, prior(&others), &logistic, err));
    for (size_t i = 0; ok && i < r->n; i++)
        if (part[i] == fold) {
            double share = others.n ? logistic_apply(&logistic, r->x + i * r->features) : 0.5;
            held[i] = r->ceiling ? r->ceiling[i] * share : share;
        }
    logistic_release(&logistic);
    free(x);
    free(ceiling);
    free(right);
    return ok;
}

bool logistic_hold_out(const struct logistic_rows *rows, double (*prior)(const struct logistic_rows *), uint64_t seed,
                       double *held, struct vouch_error *err)
{
    uint32_t *part = new_array(rows->n + 1, sizeof *part, err);
    bool ok = part && split_groups(rows->group, rows->n, FOLDS, seed, part, err);
    for (uint32_t fold = 0; ok && fold < FOLDS; fold++)
        ok = hold_out(rows, prior, part, fold, held, err);
    free(part);
    return ok;
}
