/*
 * Fits a forecaster: see forecaster.h.
 *
 * Cost: a logistic regression for each fold, and of all rows.
 */
#include "fit/forecaster.h"

#include "base/memory.h"
#include "fit/groups.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 5 };

/*
 * Most rows are right and sure, and all alike: some stand for the others. The trees learn from right rows with
 * probability p at a rate of DOUBTS (1 - p), about as many as there are errors times DOUBTS, and at least from one in
 * EVERY.
 */
enum { DOUBTS = 8, EVERY = 16 };

void forecaster_release(struct forecaster *f)
{
    logistic_release(&f->logistic);
    boost_release(&f->boost);
    forest_release(&f->forest);
    calibration_release(&f->after);
    *f = (struct forecaster){0};
}

/* Returns the calibrated probability of the log-odds of logistic model and trees. */
static double settle(const struct forecaster *f, double odds)
{
    return f->after.kind == CALIBRATE_NONE ? short_of_certainty(sigmoid(odds))
                                           : calibration_apply_odds(&f->after, odds);
}

double forecaster_apply(const struct forecaster *f, const double *x)
{
    if (!f->fitted)
        return NAN;
    return settle(f, boost_apply(&f->boost, within_fine_odds(logistic_score(&f->logistic, x)), x));
}

bool forecaster_prepare(struct forecaster *f, struct vouch_error *err)
{
    return !f->fitted || f->boost.trees == 0 || forest_init(&f->forest, &f->boost, err);
}

/* Makes turned [features][FOREST_ROWS] of rows; rows beyond `count` repeat the last one. */
static void turn_rows(const double *x, uint32_t features, size_t count, double (*turned)[FOREST_ROWS])
{
    for (size_t k = 0; k < FOREST_ROWS; k++) {
        const double *row = x + (k < count ? k : count - 1) * features;
        for (uint32_t j = 0; j < features; j++)
            turned[j][k] = row[j];
    }
}

void forecaster_apply_rows(const struct forecaster *f, const double *x, size_t n, double *p)
{
    uint32_t features = f->logistic.features;
    double turned[LOGISTIC_MOST][FOREST_ROWS], score[FOREST_ROWS];
    if (!f->fitted || (f->boost.trees > 0 && f->forest.trees == 0)) {
        for (size_t i = 0; i < n; i++)
            p[i] = forecaster_apply(f, x + i * features);
        return;
    }
    for (size_t i = 0; i < n; i += FOREST_ROWS) {
        size_t count = n - i < FOREST_ROWS ? n - i : FOREST_ROWS;
        turn_rows(x + i * features, features, count, turned);
        logistic_scores(&f->logistic, &turned[0][0], FOREST_ROWS, score);
        for (size_t k = 0; k < count; k++)
            score[k] = within_fine_odds(score[k]);
        forest_add(&f->forest, &turned[0][0], count, score);
        for (size_t k = 0; k < count; k++)
            p[i + k] = settle(f, score[k]);
    }
}

/* Returns the strength of the prior: one more than the number of errors. */
static double prior(double right, double wrong)
{
    (void)right;
    return wrong + 1;
}

/* Adds trees to the logistic model: `before` [n] are its held-out log-odds, and become those of both. */
static bool add_trees(const struct logistic_rows *r, uint64_t seed, uint32_t threads, struct boost *boost,
                      double *before, struct vouch_error *err)
{
    double *start = new_array(r->n + 1, sizeof *start, err);
    uint32_t *part = new_array(r->n + 1, sizeof *part, err);
    float *weight = new_array(r->n + 1, sizeof *weight, err);
    struct boost_rows rows = {.x = r->x,
                              .right = r->right,
                              .start = start,
                              .weight = weight,
                              .part = part,
                              .n = r->n,
                              .features = r->features,
                              .parts = FOLDS};
    bool ok = start && part && weight && split_groups(r->group, r->n, FOLDS, seed, part, err);
    double turns = 0; /* a row is learned from when their sum passes a whole number */
    for (size_t i = 0; ok && i < r->n; i++) {
        double rate = r->right[i] ? fmin(1, fmax(DOUBTS * (1 - before[i]), 1.0 / EVERY)) : 1, last = floor(turns);
        start[i] = fine_log_odds(before[i]);
        turns += r->right[i] ? rate : 0;
        weight[i] = !r->right[i] ? 1 : floor(turns) > last ? (float)(1 / rate) : 0;
    }
    ok = ok && boost_fit(&rows, &boost_defaults, threads, boost, before, err);
    for (size_t i = 0; ok && i < r->n; i++)
        before[i] = sigmoid(before[i]);
    free(start);
    free(part);
    free(weight);
    return ok;
}

bool forecaster_fit(struct forecaster *f, const struct logistic_rows *r, uint64_t seed, uint32_t threads, double *held,
                    struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS], *before = new_array(r->n + 1, sizeof *before, err);
    struct calibration_rows rows = {before, r->right, r->group, r->n};
    *f = (struct forecaster){.fitted = true};
    bool ok = before && logistic_cross_fit(r, prior, seed, &f->logistic, before, err) &&
              add_trees(r, seed, threads, &f->boost, before, err) &&
              calibration_choose(&rows, seed, &f->after, loss, err);
    if (ok && isnan(loss[f->after.kind])) { /* Too few groups to see whether a calibration helps: better none. */
        calibration_release(&f->after);
        memcpy(held, before, sizeof *held * r->n);
    } else
        ok = ok && calibration_hold_out(f->after.kind, &rows, seed, held, err);
    free(before);
    return ok;
}

bool forecaster_correct(struct forecaster *f, const struct logistic_rows *r, uint64_t seed, uint32_t threads,
                        double *held, struct vouch_error *err)
{
    *f = (struct forecaster){.fitted = true};
    for (size_t i = 0; i < r->n; i++)
        held[i] = sigmoid(r->x[i * r->features]);
    return logistic_first(&f->logistic, r->features, err) && add_trees(r, seed, threads, &f->boost, held, err);
}
