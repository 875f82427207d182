/*
 * Expected counts of words and chunks: the probabilities of the answer's words and chunks are summed, and so are, for
 * the chunks of gold, the probabilities that one begins at a word. One loop over the words, one over the chunks.
 */
#include "confidence/expected_counts.h"

#include <math.h>

void expected_counts_add(struct expected_counts *sum, const struct expected_counts *more)
{
    sum->sentences += more->sentences;
    sum->words += more->words;
    sum->features += more->features;
    sum->words_right += more->words_right;
    sum->chunks += more->chunks;
    sum->chunks_right += more->chunks_right;
    sum->chunks_gold += more->chunks_gold;
}

double expected_share(const struct expected_counts *c, enum share share, double *count)
{
    const double of[SHARES] = {c->words, c->chunks, c->chunks_gold, (c->chunks + c->chunks_gold) / 2};
    if (count)
        *count = of[share];
    return of[share] > 0 ? fmin(1, (share == SHARE_ACCURACY ? c->words_right : c->chunks_right) / of[share]) : NAN;
}

static bool is_zero(const float *block, uint32_t width)
{
    uint32_t j = 0;
    while (j < width && block[j] == 0)
        j++;
    return j == width;
}

/* Returns how many features have a weight that is not zero. */
static double known_features(const struct parts *parts, const struct space *space, const float *weight)
{
    uint64_t known = 0;
    struct rows rows;
    for (uint32_t g = 0; g < parts->node.count; g += rows.count) {
        rows = parts_rows(parts, g, parts->node.count);
        uint32_t end = rows.start[rows.count], k = rows.start[0];
        for (; space->width == 1 && k < end; k++)
            known += weight[rows.feature[k]] != 0;
        for (; k < end; k++)
            known += !is_zero(weight + space_node(space, rows.feature[k]), space->width);
    }
    return (double)known;
}

/* Returns the expected number of chunks that begin at word n; the first word follows the outside. */
static double openings(struct evidence *e, const struct span_rules *rules, uint32_t n)
{
    size_t Y = e->options, count = n > 0 ? Y * Y : Y;
    const bool *opens = n > 0 ? rules->opens : rules->opens + Y * Y;
    double *pairs = e->work->pairs, sum = 0;
    e->voice->structure->neighbours(&e->messages, n, pairs);
    for (size_t i = 0; i < count; i++)
        sum += opens[i] ? pairs[i] : 0;
    return sum;
}

bool chunk_starts(struct evidence *e, const struct span_rules *rules, double *start, struct vouch_error *err)
{
    if (!RESERVE(e->work->pairs, e->work->pairs_capacity, e->options * e->options, err))
        return false;
    for (uint32_t n = 0; n < e->N; n++)
        start[n] = fmin(1, openings(e, rules, n));
    return true;
}

static bool count_chunks(struct expected_counts *c, struct evidence *e, const struct span_rules *rules,
                         struct vouch_error *err)
{
    struct extent span = {0, 0};
    double p;
    if (!RESERVE(e->work->pairs, e->work->pairs_capacity, e->options * e->options, err))
        return false;
    for (uint32_t n = 0; n < e->N; n++)
        c->chunks_gold += openings(e, rules, n);
    while (span_next(rules, e->choice, e->N, span.to, &span)) {
        if (!gamma_method.span(&gamma_method, e, rules, span, &p, err))
            return false;
        c->chunks++;
        c->chunks_right += p;
    }
    return true;
}

bool expected_counts_of(struct expected_counts *c, struct evidence *e, const struct parts *parts,
                        const struct span_rules *rules, struct vouch_error *err)
{
    *c = (struct expected_counts){.sentences = 1, .words = e->N, .features = NAN};
    if (parts && !parts->score_source && parts->node.count && e->voice->mean)
        c->features = known_features(parts, e->voice->space, e->voice->mean) * e->N / parts->node.count;
    for (uint32_t n = 0; n < e->N; n++)
        c->words_right += evidence_of_answer(e, n);
    return !rules || count_chunks(c, e, rules, err);
}
