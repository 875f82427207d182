/*
 * Refits a ranking to decisions, by a logistic regression around a prior.
 *
 *     P(row i is wrong) = sigmoid(offset_i + sum over its features f of weight_f * value_if)
 *
 * The weights w minimise
 *
 *     sum over i of the log loss + sum over f of w_f^2 / (2 spread_f^2)
 *
 * so that without decisions all of them are 0, and few decisions move them little: the prior is the ranking as it was.
 * Coordinates take turns. The second derivative along one of them is at most
 *
 *     h_f = 1 / spread_f^2 + sum over i of value_if^2 / 4
 *
 * and a step of gradient / h_f never raises the objective (Boehning and Lindsay 1988); as it is strictly convex, the
 * steps end in its one minimum. Sums run over rows in their order: the result is the same everywhere.
 *
 * O(sweeps * features of all rows); at most SWEEPS of them.
 */
#include "review/review.h"

#include "base/order.h"
#include "fit/logistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 1000 };
static const double close_enough = 1e-7;

static int compare_features(const void *a, const void *b)
{
    const struct refit_feature *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Takes a step along a weight whose features are from .. end - 1; `z` [n] are the log-odds as they are now. */
static double improve(const struct refit_rows *rows, const struct refit_feature *from, const struct refit_feature *end,
                      double *weight, double *z)
{
    double prior = 1 / (from->spread * from->spread), gradient = -*weight * prior, bound = prior;
    for (const struct refit_feature *f = from; f < end; f++) {
        gradient += f->value * ((rows->row[f->row].wrong ? 1 : 0) - sigmoid(z[f->row]));
        bound += f->value * f->value / 4;
    }
    double step = gradient / bound;
    *weight += step;
    for (const struct refit_feature *f = from; f < end; f++)
        z[f->row] += step * f->value;
    return fabs(step);
}

bool refit_fit(struct refit *refit, const struct refit_rows *rows, struct vouch_error *err)
{
    size_t features = rows->features;
    struct refit_feature *feature = new_array(features + 1, sizeof *feature, err); /* by their keys */
    size_t *first = new_array(features + 1, sizeof *first, err); /* those of weight k are first[k] .. */
    double *z = new_array(rows->n + 1, sizeof *z, err);
    *refit = (struct refit){.key = new_array(features + 1, sizeof *refit->key, err),
                            .weight = new_array(features + 1, sizeof *refit->weight, err)};
    bool ok = feature && first && z && refit->key && refit->weight;
    for (size_t i = 0; ok && i < rows->n; i++)
        z[i] = rows->row[i].offset;
    if (ok && features) {
        memcpy(feature, rows->feature, sizeof *feature * features);
        qsort(feature, features, sizeof *feature, compare_features);
    }
    for (size_t k = 0; ok && k < features; k++)
        if (k == 0 || feature[k].key != feature[k - 1].key) {
            refit->key[refit->count] = feature[k].key;
            first[refit->count++] = k;
        }
    if (ok)
        first[refit->count] = features;
    double largest = INFINITY;
    for (int sweep = 0; ok && sweep < SWEEPS && largest >= close_enough; sweep++) {
        largest = 0;
        for (size_t k = 0; k < refit->count; k++)
            largest = fmax(largest, improve(rows, feature + first[k], feature + first[k + 1], &refit->weight[k], z));
    }
    free(feature);
    free(first);
    free(z);
    return ok;
}

void refit_release(struct refit *refit)
{
    free(refit->key);
    free(refit->weight);
    *refit = (struct refit){0};
}

double refit_apply(const struct refit *refit, const struct refit_feature *feature, size_t count)
{
    double sum = 0;
    for (size_t i = 0; refit->count && i < count; i++) {
        const uint64_t *key = bsearch(&feature[i].key, refit->key, refit->count, sizeof *key, ascending_u64);
        sum += key ? refit->weight[key - refit->key] * feature[i].value : 0;
    }
    return sum;
}
