/*
 * Refits a ranking to decisions, by a logistic regression around a prior.
 *
 *     P(row i is wrong) = sigmoid(offset_i + sum over its features f of weight_f * value_if)
 *
 * The weights w minimise
 *
 *     sum over i of the log loss + sum over f of w_f^2 / (2 spread_f^2)
 *
 * so that without decisions all of them are 0, and few decisions move them
 * little: the prior is the ranking as it was. Coordinates take turns. The
 * second derivative along one of them is at most
 *
 *     h_f = 1 / spread_f^2 + sum over i of value_if^2 / 4
 *
 * and a step of gradient / h_f never raises the objective (Boehning and
 * Lindsay 1988); as it is strictly convex, the steps end in its one minimum.
 * Sums run over rows in their order: the result is the same everywhere.
 *
 * O(sweeps * features of all rows); at most SWEEPS of them.
 */
#include "review/review.h"

#include "fit/logistic.h"

#include <math.h>

enum { SWEEPS = 1000 };
static const double close_enough = 1e-7;

/* A feature of one row, sorted by key. */
struct weighted {
    uint64_t key;
    uint32_t row;
    double value, spread;
};

static int compare_weighted(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The state of a fit. Entries of weight k are entry[first[k]] .. entry[first[k + 1] - 1]. */
struct fitting {
    const struct refit_rows *rows;
    struct refit *to;
    struct weighted *entry;
    size_t *first;
    double *z; /* [n] log-odds as they are now */
};

static double improve(const struct fitting *f, size_t k)
{
    const struct weighted *from = f->entry + f->first[k], *end = f->entry + f->first[k + 1];
    double prior = 1 / (from->spread * from->spread), gradient = -f->to->weight[k] * prior, bound = prior;
    for (const struct weighted *e = from; e < end; e++) {
        gradient += e->value * ((f->rows->wrong[e->row] ? 1 : 0) - sigmoid(f->z[e->row]));
        bound += e->value * e->value / 4;
    }
    double step = gradient / bound;
    f->to->weight[k] += step;
    for (const struct weighted *e = from; e < end; e++)
        f->z[e->row] += step * e->value;
    return fabs(step);
}

static bool lay_out(struct fitting *f, struct vouch_error *err)
{
    const struct refit_rows *rows = f->rows;
    size_t entries = rows->n ? rows->start[rows->n] : 0;
    f->entry = new_array(entries + 1, sizeof *f->entry, err);
    f->first = new_array(entries + 1, sizeof *f->first, err);
    f->z = new_array(rows->n + 1, sizeof *f->z, err);
    f->to->key = new_array(entries + 1, sizeof *f->to->key, err);
    f->to->weight = new_array(entries + 1, sizeof *f->to->weight, err);
    if (!f->entry || !f->first || !f->z || !f->to->key || !f->to->weight)
        return false;
    for (size_t i = 0; i < rows->n; i++) {
        f->z[i] = rows->offset[i];
        for (size_t k = rows->start[i]; k < rows->start[i + 1]; k++)
            f->entry[k] =
                (struct weighted){rows->feature[k].key, (uint32_t)i, rows->feature[k].value, rows->feature[k].spread};
    }
    if (entries)
        qsort(f->entry, entries, sizeof *f->entry, compare_weighted);
    for (size_t k = 0; k < entries; k++)
        if (k == 0 || f->entry[k].key != f->entry[k - 1].key) {
            f->to->key[f->to->count] = f->entry[k].key;
            f->first[f->to->count++] = k;
        }
    f->first[f->to->count] = entries;
    return true;
}

bool refit_fit(struct refit *refit, const struct refit_rows *rows, struct vouch_error *err)
{
    struct fitting f = {.rows = rows, .to = refit};
    *refit = (struct refit){0};
    bool ok = lay_out(&f, err);
    for (int sweep = 0; ok && sweep < SWEEPS; sweep++) {
        double largest = 0;
        for (size_t k = 0; k < refit->count; k++)
            largest = fmax(largest, improve(&f, k));
        if (largest < close_enough)
            break;
    }
    free(f.entry);
    free(f.first);
    free(f.z);
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
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = refit->count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (refit->key[middle] < feature[i].key)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < refit->count && refit->key[low] == feature[i].key)
            sum += refit->weight[low] * feature[i].value;
    }
    return sum;
}
