/*
 * Agreement of annotators.
 *
 * Cohen's kappa (1960) of two annotators is (p - e) / (1 - e): p is the share of units with equal values, e the share
 * that independent annotators with the same habits would have, the sum over categories of the product of how often each
 * uses it.
 *
 * Krippendorff's alpha (1980; "Computing Krippendorff's alpha-reliability", 2011), for nominal data, is 1 - D / E, for
 * any number of annotators, of whom some may have left values out. A unit with m values has m (m - 1) ordered pairs of
 * them, each of which weighs 1 / (m - 1), so that every value weighs 1; units with fewer than two do not count. With n
 * values, n_c of which are c,
 *
 *     D = 1 / n       sum over units of (pairs that differ) / (m - 1)
 *     E = 1 / n(n-1)  sum over c of n_c (n - n_c)
 *
 * Time: O(units A + categories) for kappa, and the same for alpha, as pairs that differ are counted by a walk over the
 * values of a unit, O(A^2) for the few that annotators there are.
 *
 * Intervals: sentences are drawn with replacement, since the words of one are not independent (as in bootstrap.c). A
 * sentence that was drawn k times has k times its units.
 */
#include "measure/agreement.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

void agreement_units_release(struct agreement_units *units)
{
    free(units->value);
    free(units->sentence);
    *units = (struct agreement_units){0};
}

uint32_t *agreement_units_add(struct agreement_units *units, uint32_t sentence, struct vouch_error *err)
{
    uint32_t A = units->annotators;
    if (!RESERVE(units->value, units->value_capacity, (units->units + 1) * A, err) ||
        !RESERVE(units->sentence, units->sentence_capacity, units->units + 1, err))
        return NULL;
    uint32_t *value = units->value + units->units * A;
    for (uint32_t a = 0; a < A; a++)
        value[a] = NO_VALUE;
    units->sentence[units->units++] = sentence;
    return value;
}

/* Returns how often a unit counts. */
static double weight_of(const struct agreement_units *units, size_t u, const uint32_t *times)
{
    return times ? times[units->sentence[u]] : 1;
}

/* Counts the values of a unit, and the ordered pairs of them that differ. */
static uint32_t count_pairs(const uint32_t *value, uint32_t A, uint32_t *differ)
{
    uint32_t m = 0;
    *differ = 0;
    for (uint32_t a = 0; a < A; a++) {
        if (value[a] == NO_VALUE)
            continue;
        m++;
        for (uint32_t b = 0; b < a; b++)
            *differ += 2 * (value[b] != NO_VALUE && value[b] != value[a]);
    }
    return m;
}

double krippendorff_alpha(const struct agreement_units *units, const uint32_t *times, double *count)
{
    double n = 0, observed = 0, expected = 0;
    uint32_t A = units->annotators, differ;
    memset(count, 0, units->categories * sizeof *count);
    for (size_t u = 0; u < units->units; u++) {
        const uint32_t *value = units->value + u * A;
        uint32_t m = count_pairs(value, A, &differ);
        double weight = weight_of(units, u, times);
        if (m < 2 || weight == 0)
            continue;
        n += weight * m;
        observed += weight * differ / (m - 1);
        for (uint32_t a = 0; a < A; a++)
            if (value[a] != NO_VALUE)
                count[value[a]] += weight;
    }
    for (uint32_t c = 0; c < units->categories; c++)
        expected += count[c] * (n - count[c]);
    return expected > 0 ? 1 - observed / n / (expected / (n * (n - 1))) : NAN;
}

double cohen_kappa(const struct agreement_units *units, uint32_t a, uint32_t b, const uint32_t *times, double *count)
{
    double n = 0, equal = 0, chance = 0, *of_a = count, *of_b = count + units->categories;
    memset(count, 0, 2 * units->categories * sizeof *count);
    for (size_t u = 0; u < units->units; u++) {
        const uint32_t *value = units->value + u * units->annotators;
        double weight = weight_of(units, u, times);
        if (value[a] == NO_VALUE || value[b] == NO_VALUE || weight == 0)
            continue;
        n += weight;
        equal += value[a] == value[b] ? weight : 0;
        of_a[value[a]] += weight;
        of_b[value[b]] += weight;
    }
    for (uint32_t c = 0; c < units->categories; c++)
        chance += of_a[c] * of_b[c];
    return n > 0 && chance < n * n ? (equal / n - chance / (n * n)) / (1 - chance / (n * n)) : NAN;
}

uint64_t agreement_units_count(const struct agreement_units *units, uint32_t a, uint32_t b)
{
    uint64_t count = 0;
    uint32_t differ;
    for (size_t u = 0; u < units->units; u++) {
        const uint32_t *value = units->value + u * units->annotators;
        count += a == b ? count_pairs(value, units->annotators, &differ) >= 2
                        : value[a] != NO_VALUE && value[b] != NO_VALUE;
    }
    return count;
}

double matches_f1(const struct agreement_matches *matches, uint32_t sentences, const uint32_t *times)
{
    struct agreement_matches sum = {0};
    for (uint32_t s = 0; s < sentences; s++) {
        double weight = times ? times[s] : 1;
        sum.first += weight * matches[s].first;
        sum.first_found += weight * matches[s].first_found;
        sum.second += weight * matches[s].second;
        sum.second_found += weight * matches[s].second_found;
    }
    if (sum.first + sum.second == 0)
        return NAN;
    if (sum.first_found == 0 || sum.second_found == 0)
        return 0;
    double one = sum.first_found / sum.first, other = sum.second_found / sum.second;
    return 2 * one * other / (one + other);
}

void resample_sentences(uint64_t seed, uint64_t number, uint32_t sentences, uint32_t *times)
{
    struct rng random = rng_new(seed, number);
    memset(times, 0, sentences * sizeof *times);
    for (uint32_t i = 0; i < sentences; i++)
        times[rng_below(&random, sentences)]++;
}

struct interval resampled_interval(double *values, uint32_t n, double share, double value)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    if (known == 0 || isnan(value))
        return (struct interval){NAN, NAN};
    qsort(values, known, sizeof *values, ascending_double);
    uint32_t out = (uint32_t)((1 - share) / 2 * known + 1e-9); /* 5 % of 100 are 5, however 0.05 is rounded */
    double low = values[out], high = values[known - 1 - out];
    return (struct interval){low < value ? low : value, high > value ? high : value};
}
