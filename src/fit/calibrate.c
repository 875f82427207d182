/*
 * Fits and applies calibrations: see calibrate.h.
 *
 * Isotonic regression (Zadrozny and Elkan 2002) joins equal values, pools adjacent violators, joins pools until each
 * holds at least 20 values and one in 2000 of all, and there are few of them, and gives a pool of c values, r of them
 * right, the probability (r + 1/2) / (c + 1). The map is a straight line from one pool's mean to the next: it keeps the
 * ranking where a step function would lose it, and is nearer to the truth if that is smooth. Outside the outermost
 * means it moves on by a hundredth of the distance to the nearer certainty.
 *
 * Platt scaling (Platt 1999) and beta calibration (Kull, Silva Filho and Flach 2017) are logistic regressions on t, and
 * on log(p) and -log(1 - p). Their coefficients must not be negative. The loss is convex, so that the best coefficients
 * allowed are the best among those fits of a subset of the features, the others being zero, whose own coefficients are
 * all positive.
 *
 * Values are sorted once for all fits that are compared, and once more for the one chosen. Equal ones are joined; where
 * there are many, neighbours too, since a fit sees no difference between 4096 points and more. Cost: sorting, and then
 * little.
 */
#include "fit/calibrate.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/order.h"
#include "core/exp_log.h"
#include "fit/logistic.h"

#include <math.h>
#include <string.h>

/* ---- Isotonic regression ---- */

/*
 * Fits isotonic regressions by pooling adjacent violators (Ayer, Brunk, Ewing, Reid
 * and Silverman 1955): pools are stacked from left to right, and as long as the
 * one on top is not above the one below it, the two become one. The shares
 *
 *     g_i = max over j <= i of min over k >= i of right(j..k) / count(j..k)
 *
 * that are left are the least squares and the maximum likelihood solution.
 * Linear: every step of the inner loop removes a pool.
 *
 * With a prior, the share of a pool is no longer the weighted mean of the
 * shares of its halves, and the result is non-decreasing but no optimum.
 */

double pool_share(const struct pool *pool, double prior)
{
    return (pool->right + prior) / (pool->count + 2 * prior);
}

static struct pool joined(const struct pool *a, const struct pool *b)
{
    return (struct pool){a->x + b->x, a->right + b->right, a->count + b->count};
}

/* Compares shares by cross products, exact for counts up to 2^26. */
static bool ascends(const struct pool *low, const struct pool *high, double prior)
{
    return (low->right + prior) * (high->count + 2 * prior) < (high->right + prior) * (low->count + 2 * prior);
}

size_t isotonic_pool(struct pool *pools, size_t count, double prior)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct pool top = pools[i];
        while (kept > 0 && !ascends(&pools[kept - 1], &top, prior))
            top = joined(&pools[--kept], &top);
        pools[kept++] = top;
    }
    return kept;
}

/* Returns the log likelihood of a pool under its own share. */
static double likelihood(const struct pool *pool)
{
    double wrong = pool->count - pool->right, sum = 0;
    if (pool->right > 0)
        sum += pool->right * log_of(pool->right / pool->count);
    if (wrong > 0)
        sum += wrong * log_of(wrong / pool->count);
    return sum;
}

static double cost_of_joining(const struct pool *a, const struct pool *b)
{
    struct pool both = joined(a, b);
    return likelihood(a) + likelihood(b) - likelihood(&both);
}

/* Joins every pool that is too small to the neighbour that costs less. */
static size_t join_small(struct pool *pools, size_t count, double least)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool small = pools[i].count < least, last = i + 1 == count;
        double below = kept > 0 ? cost_of_joining(&pools[kept - 1], &pools[i]) : INFINITY;
        double above = last ? INFINITY : cost_of_joining(&pools[i], &pools[i + 1]);
        if (small && kept > 0 && (last || below <= above))
            pools[kept - 1] = joined(&pools[kept - 1], &pools[i]);
        else if (small && !last)
            pools[i + 1] = joined(&pools[i], &pools[i + 1]);
        else
            pools[kept++] = pools[i];
    }
    return kept;
}

size_t isotonic_thin(struct pool *pools, size_t count, double least, size_t most)
{
    count = join_small(pools, count, least);
    while (count > most && count > 1) {
        struct best best = {0};
        for (size_t i = 0; i + 1 < count; i++)
            best_offer(&best, i, -cost_of_joining(&pools[i], &pools[i + 1]));
        pools[best.row] = joined(&pools[best.row], &pools[best.row + 1]);
        count--;
        for (size_t i = best.row + 1; i < count; i++)
            pools[i] = pools[i + 1];
    }
    return count;
}

/* ---- Calibrations ---- */

enum { HOLD_OUT_PARTS = 5, POINTS = 4096 };

static const double APART = 1e-9;    /* probabilities of knots differ by this much at least */
static const double ASIDE = 1e-6;    /* and their places by this, as a model file has nine digits */
static const double OUTWARDS = 0.01; /* of the distance to the nearer certainty, beyond the outermost pools */
static const double WEAK = 1e-3;     /* prior of the parametric kinds, only to keep them finite */

/* All values t that are not NAN, ascending. */
struct sorted {
    struct keyed *value; /* [n] the row, and whether it is right */
    size_t n;
};

/* The points to learn from, ascending: values that are joined. */
struct sample {
    struct pool *point; /* [n] */
    size_t n;
    double count; /* of values */
};

double calibration_transform(const struct calibration *calibration, double raw)
{
    if (!calibration->margin)
        return fine_log_odds(raw);
    return fmin(fmax(copysign(log1p_of(fabs(raw)), raw), -calibration->limit), calibration->limit);
}

/* Decides what t is, by all values. */
static void choose_transform(const struct calibration_rows *r, struct calibration *calibration)
{
    double most = 0;
    *calibration = (struct calibration){0};
    for (size_t i = 0; i < r->n; i++) {
        calibration->margin |= r->raw[i] < 0 || r->raw[i] > 1;
        if (isfinite(r->raw[i]))
            most = fmax(most, fabs(r->raw[i]));
    }
    calibration->limit = calibration->margin ? log1p_of(most) + 1 : 0;
}

static bool sort_values(const struct calibration *calibration, const struct calibration_rows *r, struct sorted *sorted,
                        struct vouch_error *err)
{
    *sorted = (struct sorted){.value = new_array(r->n, sizeof *sorted->value, err)};
    if (!sorted->value)
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (!isnan(r->raw[i]))
            sorted->value[sorted->n++] =
                (struct keyed){order_key(calibration_transform(calibration, r->raw[i])), i << 1 | r->right[i]};
    return sort_keyed(sorted->value, sorted->n, err);
}

/* Collects the values whose part, if `part` is given, is not `without`. */
static bool collect(const struct sorted *sorted, const uint32_t *part, uint32_t without, struct sample *sample,
                    struct vouch_error *err)
{
    double least = (double)(sorted->n / POINTS), last = NAN;
    *sample = (struct sample){.point = new_array(sorted->n, sizeof *sample->point, err)};
    for (size_t i = 0; sample->point && i < sorted->n; i++) {
        const struct keyed *value = &sorted->value[i];
        double t = order_number(value->key);
        if (part && part[value->value >> 1] == without)
            continue;
        if (sample->n == 0 || (t != last && sample->point[sample->n - 1].count >= least))
            sample->point[sample->n++] = (struct pool){0};
        struct pool *point = &sample->point[sample->n - 1];
        point->x += t;
        point->right += value->value & 1;
        point->count += 1;
        sample->count += 1;
        last = t;
    }
    return sample->point != NULL;
}

static double place_of(const struct pool *point)
{
    return point->x / point->count;
}

/* Returns the loss of giving all values of a point the probability p. */
static double point_loss(const struct pool *point, double p)
{
    double wrong = point->count - point->right;
    return (point->right > 0 ? point->right * log_loss(p, true) : 0) + (wrong > 0 ? wrong * log_loss(p, false) : 0);
}

/* ---- Isotonic ---- */

static void add_knot(struct calibration *calibration, double x, double y)
{
    uint32_t at = calibration->points++;
    calibration->x[at] = x;
    calibration->y[at] = at ? fmax(y, calibration->y[at - 1] + APART) : y;
}

/* Returns how far a probability is from the nearer certainty. */
static double doubt(double p)
{
    return fmin(p, 1 - p);
}

/* Adds a knot for each pool, and one at each end of the range, unless a pool is there. */
static void add_knots(const struct pool *pools, size_t count, struct calibration *calibration)
{
    double high = calibration->margin ? calibration->limit : fine_log_odds(1), low = -high;
    for (size_t i = 0; i < count; i++) {
        double x = fmin(fmax(pools[i].x / pools[i].count, low), high), y = pool_share(&pools[i], 0.5);
        if (i == 0 && x > low + ASIDE)
            add_knot(calibration, low, y - doubt(y) * OUTWARDS);
        if (calibration->points == 0 || x > calibration->x[calibration->points - 1] + ASIDE)
            add_knot(calibration, x, y);
    }
    double top = calibration->y[calibration->points - 1];
    if (calibration->x[calibration->points - 1] + ASIDE < high)
        add_knot(calibration, high, top + doubt(top) * OUTWARDS);
}

static bool fit_isotonic(const struct sample *sample, struct calibration *calibration, struct vouch_error *err)
{
    struct pool *pools = new_array(sample->n, sizeof *pools, err);
    calibration->x = new_array(CALIBRATION_POINTS, sizeof *calibration->x, err);
    calibration->y = new_array(CALIBRATION_POINTS, sizeof *calibration->y, err);
    bool ok = pools && calibration->x && calibration->y;
    if (ok) {
        memcpy(pools, sample->point, sizeof *pools * sample->n);
        size_t count = isotonic_pool(pools, sample->n, 0);
        count = isotonic_thin(pools, count, fmax(20, sample->count / 2000), CALIBRATION_POINTS - 2);
        count = isotonic_pool(pools, count, 0.5);
        add_knots(pools, count, calibration);
    }
    free(pools);
    return ok;
}

static double interpolate(const struct calibration *calibration, double t)
{
    const double *x = calibration->x, *y = calibration->y;
    uint32_t low = 0, high = calibration->points - 1;
    if (t <= x[low])
        return y[low];
    if (t >= x[high])
        return y[high];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (x[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return fmin(y[low] + (y[high] - y[low]) * ((t - x[low]) / (x[high] - x[low])), y[high]);
}

/* ---- Platt and beta ---- */

static double feature(enum calibration_kind kind, uint32_t which, double t)
{
    if (kind == CALIBRATE_PLATT)
        return t;
    return which == 0 ? -softplus(-t) : softplus(t);
}

/* Returns the sum over features of a[j] * feature, plus a[2]. */
static double line(enum calibration_kind kind, const double a[3], double t)
{
    double z = a[2];
    for (uint32_t j = 0; j < 2; j++)
        if (a[j] != 0)
            z += a[j] * feature(kind, j, t);
    return z;
}

/* One sample being fitted by a parametric kind, and room for its features. */
struct regression {
    enum calibration_kind kind;
    const struct sample *sample;
    double *x;      /* [2 n][2] those of right values, then those of wrong ones */
    double *weight; /* [2 n] how many there are */
    bool *right;    /* [2 n] */
};

/* Fits the features whose bit is in `mask`; a[2] is the bias. */
static bool fit_subset(struct regression *r, uint32_t mask, double a[3], struct vouch_error *err)
{
    const struct sample *sample = r->sample;
    uint32_t used[2], features = 0;
    for (uint32_t j = 0; j < 2; j++)
        if (mask >> j & 1)
            used[features++] = j;
    size_t n = 0;
    for (size_t i = 0; i < sample->n; i++) {
        const struct pool *point = &sample->point[i];
        const double count[2] = {point->count - point->right, point->right};
        for (int right = 0; right < 2; right++) {
            if (!(count[right] > 0))
                continue;
            r->right[n] = right;
            r->weight[n] = count[right];
            for (uint32_t f = 0; f < features; f++)
                r->x[n * features + f] = feature(r->kind, used[f], place_of(point));
            n++;
        }
    }
    struct logistic fitted;
    struct logistic_rows rows = {.x = r->x, .right = r->right, .n = n, .features = features, .weight = r->weight};
    if (!logistic_fit(&rows, WEAK, &fitted, err))
        return false;
    a[0] = a[1] = 0;
    a[2] = fitted.bias;
    for (uint32_t f = 0; f < features; f++)
        if (fitted.scale[f] > 0) {
            a[used[f]] = fitted.weight[f] / fitted.scale[f];
            a[2] -= a[used[f]] * fitted.mean[f];
        }
    logistic_release(&fitted);
    return true;
}

static double loss_of(const struct regression *r, const double a[3])
{
    double loss = 0;
    for (size_t i = 0; i < r->sample->n; i++) {
        const struct pool *point = &r->sample->point[i];
        loss += point_loss(point, short_of_certainty(sigmoid(line(r->kind, a, place_of(point)))));
    }
    return loss;
}

/* Finds the best fit without a negative coefficient: of all features, else of one of them, else of none. */
static bool fit_parametric(enum calibration_kind kind, const struct sample *sample, struct calibration *calibration,
                           struct vouch_error *err)
{
    static const uint32_t platt[] = {1, 0}, beta[] = {3, 1, 2, 0};
    const uint32_t *masks = kind == CALIBRATE_PLATT ? platt : beta;
    struct regression r = {kind, sample, new_array(4 * sample->n, sizeof *r.x, err),
                           new_array(2 * sample->n, sizeof *r.weight, err),
                           new_array(2 * sample->n, sizeof *r.right, err)};
    double a[4][3] = {{0}};
    struct best best = {0};
    bool ok = r.x && r.weight && r.right, done = false;
    for (uint32_t m = 0; ok && !done; m++) {
        ok = fit_subset(&r, masks[m], a[m], err);
        bool allowed = ok && a[m][0] >= 0 && a[m][1] >= 0;
        if (allowed)
            best_offer(&best, m, -loss_of(&r, a[m]));
        done = masks[m] == 0 || (allowed && m == 0);
    }
    const double *chosen = a[best.row];
    calibration->a = chosen[0];
    calibration->b = kind == CALIBRATE_PLATT ? chosen[2] : chosen[1];
    calibration->c = kind == CALIBRATE_PLATT ? 0 : chosen[2];
    free(r.x);
    free(r.weight);
    free(r.right);
    return ok;
}

/* ---- All of them ---- */

/* Learns from the sample; t is chosen already. */
static bool fit(enum calibration_kind kind, const struct sample *sample, struct calibration *calibration,
                struct vouch_error *err)
{
    calibration->kind = kind;
    bool ok = kind == CALIBRATE_NONE;
    if (kind == CALIBRATE_ISOTONIC)
        ok = fit_isotonic(sample, calibration, err);
    else if (kind != CALIBRATE_NONE)
        ok = fit_parametric(kind, sample, calibration, err);
    if (!ok)
        calibration_release(calibration);
    return ok;
}

bool calibration_fit(enum calibration_kind kind, const struct calibration_rows *rows, struct calibration *calibration,
                     struct vouch_error *err)
{
    struct sorted sorted;
    struct sample sample = {0};
    choose_transform(rows, calibration);
    if (kind == CALIBRATE_BETA && calibration->margin)
        return fail(err, VOUCH_ERR_ARGUMENT, "beta calibration: expected confidences between 0 and 1");
    bool ok = sort_values(calibration, rows, &sorted, err) && collect(&sorted, NULL, 0, &sample, err);
    if (ok && sample.n == 0)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "calibration: expected a confidence to learn from");
    ok = ok && fit(kind, &sample, calibration, err);
    free(sorted.value);
    free(sample.point);
    return ok;
}

/* Returns line() of beta calibration, with one exponential and one logarithm for both features. */
static double beta_line(const struct calibration *calibration, double t)
{
    double small = log1p_of(exp_of(-fabs(t))),
           z = calibration->c; /* softplus(t) and softplus(-t) are small and small + |t| */
    if (calibration->a != 0)
        z -= calibration->a * (t < 0 ? small - t : small);
    if (calibration->b != 0)
        z += calibration->b * (t > 0 ? small + t : small);
    return z;
}

static double apply(const struct calibration *calibration, double t)
{
    const double platt[3] = {calibration->a, 0, calibration->b};
    switch (calibration->kind) {
    case CALIBRATE_ISOTONIC:
        return interpolate(calibration, t);
    case CALIBRATE_PLATT:
        return short_of_certainty(sigmoid(line(CALIBRATE_PLATT, platt, t)));
    case CALIBRATE_BETA:
        return short_of_certainty(sigmoid(beta_line(calibration, t)));
    default:
        return calibration->margin ? t : sigmoid(t);
    }
}

double calibration_apply(const struct calibration *calibration, double raw)
{
    if (isnan(raw) || calibration->kind == CALIBRATE_NONE)
        return raw;
    return apply(calibration, calibration_transform(calibration, raw));
}

double calibration_apply_odds(const struct calibration *calibration, double odds)
{
    if (isnan(odds) || calibration->kind == CALIBRATE_NONE || calibration->margin)
        return calibration_apply(calibration, sigmoid(odds));
    return apply(calibration, within_fine_odds(odds));
}

/* Adds to *loss what `kind`, learned from the one sample, loses on the other. */
static bool hold_out(enum calibration_kind kind, const struct calibration *blank, const struct sample *learned,
                     const struct sample *held, double *loss, struct vouch_error *err)
{
    struct calibration calibration = *blank;
    if (!fit(kind, learned, &calibration, err))
        return false;
    for (size_t i = 0; i < held->n; i++)
        *loss += point_loss(&held->point[i], apply(&calibration, place_of(&held->point[i])));
    calibration_release(&calibration);
    return true;
}

/* Finds the losses of all kinds that apply; none if a half is empty. */
static bool compare(const struct calibration *blank, const struct sample half[2], double loss[CALIBRATION_KINDS],
                    struct vouch_error *err)
{
    for (enum calibration_kind kind = CALIBRATE_NONE; kind < CALIBRATION_KINDS; kind++) {
        bool applies = blank->margin ? kind == CALIBRATE_ISOTONIC || kind == CALIBRATE_PLATT : kind != CALIBRATE_PLATT;
        double sum = 0;
        loss[kind] = NAN;
        if (!applies || half[0].n == 0 || half[1].n == 0)
            continue;
        if (!hold_out(kind, blank, &half[0], &half[1], &sum, err) ||
            !hold_out(kind, blank, &half[1], &half[0], &sum, err))
            return false;
        loss[kind] = sum / (half[0].count + half[1].count);
    }
    return true;
}

bool calibration_hold_out(enum calibration_kind kind, const struct calibration_rows *r, uint64_t seed, double *held,
                          struct vouch_error *err)
{
    struct calibration blank;
    struct sorted sorted = {0};
    uint32_t *part = new_array(r->n, sizeof *part, err);
    choose_transform(r, &blank);
    bool ok =
        part && split_groups(r->group, r->n, HOLD_OUT_PARTS, seed, part, err) && sort_values(&blank, r, &sorted, err);
    for (uint32_t p = 0; ok && p < HOLD_OUT_PARTS; p++) {
        struct calibration calibration = blank;
        struct sample others;
        ok = collect(&sorted, part, p, &others, err);
        bool learns = ok && others.n > 0;
        ok = ok && (!learns || fit(kind, &others, &calibration, err));
        for (size_t i = 0; ok && i < r->n; i++)
            if (part[i] == p)
                held[i] = isnan(r->raw[i]) ? NAN : learns ? calibration_apply(&calibration, r->raw[i]) : 0.5;
        calibration_release(&calibration);
        free(others.point);
    }
    free(sorted.value);
    free(part);
    return ok;
}

bool calibration_choose(const struct calibration_rows *r, uint64_t seed, struct calibration *calibration,
                        double loss[CALIBRATION_KINDS], struct vouch_error *err)
{
    struct sample half[2] = {{0}};
    struct sorted sorted = {0};
    uint32_t *part = new_array(r->n, sizeof *part, err);
    choose_transform(r, calibration);
    bool ok = part && split_groups(r->group, r->n, 2, seed, part, err) && sort_values(calibration, r, &sorted, err);
    for (uint32_t h = 0; ok && h < 2; h++)
        ok = collect(&sorted, part, h, &half[h], err);
    ok = ok && compare(calibration, half, loss, err);
    struct best best = {.row = CALIBRATE_PLATT};
    for (enum calibration_kind kind = CALIBRATE_ISOTONIC; ok && kind < CALIBRATION_KINDS; kind++)
        best_offer(&best, kind, -loss[kind]);
    free(sorted.value);
    free(part);
    free(half[0].point);
    free(half[1].point);
    return ok && calibration_fit((enum calibration_kind)best.row, r, calibration, err);
}

void calibration_release(struct calibration *calibration)
{
    free(calibration->x);
    free(calibration->y);
    *calibration = (struct calibration){0};
}
