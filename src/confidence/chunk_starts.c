/* Finds how likely a chunk begins at a word: see chunk_starts.h. */
#include "confidence/chunk_starts.h"

#include <math.h>

bool chunk_starts(struct evidence *e, const struct span_rules *rules, double *start, struct vouch_error *err)
{
    size_t Y = e->options;
    if (!RESERVE(e->looking->pairs, e->looking->pairs_capacity, Y * Y, err))
        return false;
    double *pairs = e->looking->pairs;
    for (uint32_t n = 0; n < e->N; n++) {
        const bool *opens = n > 0 ? rules->opens : rules->opens + Y * Y; /* the first word follows the outside */
        size_t count = n > 0 ? Y * Y : Y;
        double sum = 0;
        e->voice->structure->neighbours(&e->messages, n, pairs);
        for (size_t i = 0; i < count; i++)
            sum += opens[i] ? pairs[i] : 0;
        start[n] = fmin(1, sum);
    }
    return true;
}
