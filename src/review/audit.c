/*
 * Audits: counts the errors of a corpus from decisions about a few labels that were drawn at random.
 *
 * Whatever a model says about its doubts, it cannot say how many errors there are: those of a kind that it repeats look
 * right to it. Decisions about a random sample can, if it is known how likely each item was to be drawn.
 *
 * The design. The items that can be listed (words, chunks or sentences) are split by suspicion into two strata, the
 * most suspect and the rest, and from each of them a simple random sample is drawn without replacement. Let N be the
 * size of a stratum, n the number that is drawn from it, and k how many of these are decided to be wrong. An item of
 * the stratum is drawn with probability n / N, and the Horvitz-Thompson estimate of all errors,
 *
 *     count = sum over strata of N k / n,
 *
 * is unbiased: it is prediction-powered inference where the prediction is constant within a stratum. The first stratum
 * has twice as many items as errors are expected, and a quarter of the draws; that is a matter of efficiency alone. All
 * others are drawn with equal probability, as errors that are not expected may be anywhere: where n draws find none,
 * about 2.7 N / n of them can still be there, and that is largest where n / N is smallest.
 *
 * The interval. The number of errors t of a stratum is bounded by inverting the hypergeometric distribution of k,
 *
 *     most  = the largest  t with P(K <= k | t) > chance
 *     least = the smallest t with P(K >= k | t) > chance
 *
 * (Clopper and Pearson 1934, for finite populations), which is exact however few errors are found. The bounds of the
 * strata are added up. Each of the four fails with at most the probability below; these sum to a tenth, so that by the
 * union bound the interval holds with probability 0.9 at least, whatever the errors are like: nothing is assumed of
 * models, of probabilities, or of large samples. Chances are not equal, as the upper bound of the rest is by far the
 * most expensive.
 *
 *                   most suspect   the rest
 *     least is wrong    0.020        0.005
 *     most is wrong     0.005        0.070
 *
 * Intervals by the normal approximation are shorter, and wrong: where no error is found in the rest, they take it to
 * have none. Combining the strata into one exact test, the worst case over all ways to share out the errors, would be
 * shorter by about a twentieth where chances are equal, and needs a search.
 *
 * What was not decided is taken as right for the lower bound and as wrong for the upper one, and so are rows that are
 * missing from the table. Then there is no estimate: the rows that were left open may be the hard ones. A stratum
 * without any row may have no errors at all, or errors alone. Decisions about items that were not drawn do not count.
 * The draw depends on the seed and on what was decided before it, so that a later audit, of what is left, is
 * independent of an earlier one.
 *
 * O(items) to draw; O(log N * sqrt(n)) to count.
 */
#include "base/elementary.h"
#include "review/review.h"

#include "base/hash.h"
#include "base/random.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { SUSPECTS_SHARE = 4, TWICE = 2, STREAM = 2 };
static const double least_is_wrong[AUDIT_STRATA] = {0.020, 0.005}, most_is_wrong[AUDIT_STRATA] = {0.005, 0.070};

static const char *const unit_name[AUDIT_UNITS] = {"item", "word", "chunk", "sentence"};

const char *audit_unit_name(enum audit_unit unit)
{
    return unit_name[unit];
}

struct audit audit_plan(uint64_t items, double expected, uint64_t wanted)
{
    wanted = wanted < items ? wanted : items;
    uint64_t drawn = wanted / SUSPECTS_SHARE, size = drawn ? (uint64_t)ceil(TWICE * expected) : 0;
    size = size < items / SUSPECTS_SHARE ? size : items / SUSPECTS_SHARE;
    size = size > drawn ? size : drawn;
    drawn = wanted - drawn > items - size ? wanted - (items - size) : drawn; /* the rest may be too few */
    return (struct audit){.items = items, .stratum = {{size, drawn, 0, 0}, {items - size, wanted - drawn, 0, 0}}};
}

/* Chooses items in turn, each with the probability that as many are still to be drawn as are left (Fan et al. 1962). */
void audit_draw(const struct audit *audit, uint64_t seed, uint64_t decided, unsigned char *stratum)
{
    struct rng rng = rng_new(seed, hash_mix(STREAM, decided));
    for (int s = 0; s < AUDIT_STRATA; s++) {
        uint64_t wanted = audit->stratum[s].drawn;
        for (uint64_t left = audit->stratum[s].size; left > 0; left--, stratum++) {
            *stratum = rng_below(&rng, (uint32_t)left) < wanted ? (unsigned char)(s + 1) : 0;
            wanted -= *stratum > 0;
        }
    }
}

static double log_choose(double n, double k)
{
    return lgamma_of(n + 1) - lgamma_of(k + 1) - lgamma_of(n - k + 1);
}

/* Returns the probability that a sample has k of the `errors` in the stratum. */
static double chance_of(double size, double drawn, double k, double errors)
{
    return exp_of(log_choose(errors, k) + log_choose(size - errors, drawn - k) - log_choose(size, drawn));
}

/*
 * Returns the probability that a sample has at most `found` of them. Terms fall on both sides of the most probable
 * number; those below 2^-60 of the sum are left out, since a table may claim a sample of billions.
 */
static double chance_of_at_most(double size, double drawn, double found, double errors)
{
    double least = fmax(0, drawn - (size - errors)), most = fmin(found, errors), sum = 0, term = 1;
    double top = fmin(floor((drawn + 1) * (errors + 1) / (size + 2)), most);
    for (double k = top; k >= least && term > sum * 0x1p-60; k--)
        sum += term = chance_of(size, drawn, k, errors);
    term = 1;
    for (double k = fmax(top + 1, least); k <= most && term > sum * 0x1p-60; k++)
        sum += term = chance_of(size, drawn, k, errors);
    return sum;
}

uint64_t most_errors(uint64_t size, uint64_t drawn, uint64_t found, double chance)
{
    uint64_t most = found, beyond = size - (drawn - found) + 1; /* what is found is there, what is right is not */
    while (beyond - most > 1) {
        uint64_t middle = most + (beyond - most) / 2;
        bool possible = chance_of_at_most((double)size, (double)drawn, (double)found, (double)middle) > chance;
        *(possible ? &most : &beyond) = middle;
    }
    return most;
}

uint64_t least_errors(uint64_t size, uint64_t drawn, uint64_t found, double chance)
{
    return size - most_errors(size, drawn, drawn - found, chance); /* what is no error is right */
}

struct error_count audit_count(const struct audit *audit)
{
    struct error_count all = {.items = audit->items, .unknown = audit->items, .unit = audit->unit};
    uint64_t least = 0, most = 0;
    for (int s = 0; s < AUDIT_STRATA; s++) {
        const struct audit_stratum *of = &audit->stratum[s];
        uint64_t decided = of->wrong + of->right;
        if (of->size == 0)
            continue;
        all.unknown -= of->size;
        least += least_errors(of->size, of->drawn, of->wrong, least_is_wrong[s]);
        most += most_errors(of->size, of->drawn, of->drawn - of->right, most_is_wrong[s]);
        all.count += (double)of->size * (double)of->wrong / (double)decided;
        all.drawn += of->drawn;
        all.decided += decided;
    }
    all.count = all.unknown > 0 || all.decided < all.drawn ? NAN : all.count;
    all.least = (double)least;
    all.most = (double)(most + all.unknown);
    return all;
}

void audit_write(const struct audit *audit, uint32_t stratum, char *text, size_t room)
{
    const struct audit_stratum *of = &audit->stratum[stratum - 1];
    snprintf(text, room, "%s %" PRIu32 ":%" PRIu64 "/%" PRIu64 "/%" PRIu64, unit_name[audit->unit], stratum, of->drawn,
             of->size, audit->items);
}

/* Reads the unit before a blank; without a blank it is any item. */
static bool read_unit(struct text *text, enum audit_unit *unit)
{
    struct text rest = *text, name = text_cut(&rest, ' ');
    *unit = AUDIT_ITEMS;
    if (name.length == text->length)
        return true;
    *text = rest;
    while (*unit < AUDIT_UNITS && !text_is(name, unit_name[*unit]))
        (*unit)++;
    return *unit < AUDIT_UNITS;
}

bool audit_read(struct text text, struct audit_place *place)
{
    uint32_t number[4] = {0};
    enum audit_unit unit;
    if (!read_unit(&text, &unit))
        return false;
    for (int i = 0; i < 4; i++)
        if (!text_whole(text_cut(&text, i ? '/' : ':'), &number[i]) || number[i] == 0)
            return false;
    *place = (struct audit_place){number[0], number[1], number[2], number[3], unit};
    return text.length == 0 && place->stratum <= AUDIT_STRATA && place->drawn <= place->size &&
           place->size <= place->items;
}

bool audit_note(struct audit *audit, const struct audit_place *place, bool wrong)
{
    struct audit_stratum *of = &audit->stratum[place->stratum - 1];
    const struct audit_stratum *other = &audit->stratum[AUDIT_STRATA - place->stratum];
    if (audit->items == 0) {
        audit->items = place->items;
        audit->unit = place->unit;
    }
    if (of->size == 0)
        *of = (struct audit_stratum){.size = place->size, .drawn = place->drawn};
    (*(wrong ? &of->wrong : &of->right))++;
    return audit->items == place->items && audit->unit == place->unit && of->size == place->size &&
           of->drawn == place->drawn && of->size + other->size <= audit->items && of->wrong + of->right <= of->drawn;
}
