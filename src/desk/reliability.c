/* Shares that were right by probability: see reliability.h. */
#include "desk/reliability.h"

#include "base/memory.h"
#include "base/order.h"
#include "measure/intervals.h"

#include <math.h>
#include <stdlib.h>

/* Measures the things whose probability lies in a range; `chosen` are in the order of their sentences. */
static struct rated_bin measure(const struct rated *chosen, size_t count, double from, double to)
{
    struct rated_bin bin = {0};
    struct clustered sum = {0};
    double right = 0, of = 0;
    for (size_t i = 0; i < count; i++) {
        if (chosen[i].shown >= from && chosen[i].shown < to) {
            bin.things++;
            bin.shown += chosen[i].shown;
            right += chosen[i].right;
            of++;
        }
        if (of > 0 && (i + 1 == count || chosen[i + 1].sentence != chosen[i].sentence)) {
            clustered_add(&sum, right, of);
            right = of = 0;
        }
    }
    struct interval interval = clustered_interval(&sum);
    bin.shown /= (double)bin.things;
    bin.right = (struct figure){clustered_share(&sum), interval.low, interval.high};
    return bin;
}

/* Divides by sorted probabilities; equal ones are never divided, so that a bin may have more than its share. */
static void find_bins(const struct rated *chosen, const double *sorted, size_t count, struct rated_summary *to)
{
    size_t bins = count / LEAST_IN_BIN < MOST_BINS ? count / LEAST_IN_BIN : MOST_BINS, from = 0;
    for (size_t b = 1; b <= bins && from < count; b++) {
        size_t end = b == bins ? count : count * b / bins;
        while (end < count && end > 0 && sorted[end] == sorted[end - 1])
            end++;
        if (end < from + LEAST_IN_BIN && end < count)
            continue;
        if (count - end < LEAST_IN_BIN)
            end = count;
        to->bin[to->bins++] = measure(chosen, count, sorted[from], end < count ? sorted[end] : INFINITY);
        from = end;
    }
}

bool rated_summarise(const struct rated *rated, size_t count, uint32_t type, struct rated_summary *to,
                      struct vouch_error *err)
{
    struct rated *chosen = new_array(count, sizeof *chosen, err);
    double *sorted = new_array(count, sizeof *sorted, err);
    bool ok = chosen && sorted;
    *to = (struct rated_summary){0};
    for (size_t i = 0; ok && i < count; i++)
        if (type == RATED_ALL || rated[i].type == type) {
            chosen[to->things] = rated[i];
            sorted[to->things++] = rated[i].shown;
        }
    if (ok && to->things < LEAST_RATED)
        to->missing = LEAST_RATED - to->things;
    else if (ok) {
        qsort(sorted, to->things, sizeof *sorted, ascending_double);
        to->all = measure(chosen, to->things, -INFINITY, INFINITY);
        find_bins(chosen, sorted, to->things, to);
    }
    free(chosen);
    free(sorted);
    return ok;
}
