/* Adds up what probabilities promise: see promise.h. */
#include "confidence/promise.h"

#include <math.h>

void promise_add(struct promise *sum, const struct promise *t)
{
    sum->sentences += t->sentences;
    sum->words += t->words;
    sum->features += t->features;
    sum->right += t->right;
    sum->chunks += t->chunks;
    sum->agreed += t->agreed;
    sum->gold += t->gold;
}

double promise_share(const struct promise *t, enum share share, double *count)
{
    const double of[SHARES] = {t->words, t->chunks, t->gold, (t->chunks + t->gold) / 2};
    if (count)
        *count = of[share];
    return of[share] > 0 ? fmin(1, (share == SHARE_ACCURACY ? t->right : t->agreed) / of[share]) : NAN;
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

/* Returns the expected number of chunks that begin at word n. */
static double openings(struct evidence *e, const struct span_rules *rules, uint32_t n)
{
    double *pairs = e->looking->pairs, sum = 0;
    size_t Y = e->options, lefts = n ? Y : 1;
    e->voice->structure->neighbours(&e->messages, n, pairs);
    for (size_t l = 0; l < lefts; l++)
        for (size_t r = 0; r < Y; r++)
            if (rules->opens[(n ? l : Y) * Y + r])
                sum += pairs[l * Y + r];
    return sum;
}

static bool promise_chunks(struct promise *t, struct evidence *e, const struct span_rules *rules,
                           struct vouch_error *err)
{
    struct extent span = {0, 0};
    double p;
    if (!RESERVE(e->looking->pairs, e->looking->pairs_capacity, (e->options + 2) * e->options, err))
        return false;
    for (uint32_t n = 0; n < e->N; n++)
        t->gold += openings(e, rules, n);
    while (span_next(rules, e->choice, e->N, span.to, &span)) {
        if (!gamma_method.span(&gamma_method, e, rules, span, &p, err))
            return false;
        t->chunks++;
        t->agreed += p;
    }
    return true;
}

bool promise_answer(struct promise *t, struct evidence *e, const struct parts *parts, const struct span_rules *rules,
                    struct vouch_error *err)
{
    *t = (struct promise){.sentences = 1, .words = e->N, .features = NAN};
    if (parts && !parts->given && parts->node.count && e->voice->mean)
        t->features = known_features(parts, e->voice->space, e->voice->mean) * e->N / parts->node.count;
    for (uint32_t n = 0; n < e->N; n++)
        t->right += evidence_of_answer(e, n);
    return !rules || promise_chunks(t, e, rules, err);
}
