/* Shares on blind sentences, and the forecast of what more labels bring: see outlook.h. O(sentences). */
#include "desk/outlook.h"

#include "base/elementary.h"
#include "measure/intervals.h"

#include <math.h>

#define NINETY 1.6448536269514722 /* a normal variate is within this distance with probability 0.9 */
#define LAW 0.08                  /* how far off the law is, as a share of the error: see outlook.h */
static const struct figure unknown = {NAN, NAN, NAN};

static struct clustered sum_of(const struct blind_counts *count, size_t sentences)
{
    struct clustered sum = {0};
    for (size_t i = 0; i < sentences; i++)
        clustered_add(&sum, count[i].right, count[i].of);
    return sum;
}

struct figure blind_share(const struct blind_counts *count, size_t sentences)
{
    struct clustered sum = sum_of(count, sentences);
    if (blind_missing(count, sentences) > 0)
        return unknown;
    struct interval interval = clustered_interval(&sum);
    return (struct figure){clustered_share(&sum), interval.low, interval.high};
}

size_t blind_missing(const struct blind_counts *count, size_t sentences)
{
    double things = sum_of(count, sentences).of;
    size_t by_sentences = sentences < LEAST_BLIND ? LEAST_BLIND - sentences : 0;
    if (things >= LEAST_THINGS)
        return by_sentences;
    double each = things > 0 ? things / (double)sentences : 1;
    size_t by_things = (size_t)ceil((LEAST_THINGS - things) / each);
    return by_things > by_sentences ? by_things : by_sentences;
}

/* Sums over the sentences of what is wrong and of all things. */
struct wrong {
    double wrong, of;
};

static struct wrong wrong_of(const struct blind_counts *count, size_t sentences)
{
    struct clustered sum = sum_of(count, sentences);
    return (struct wrong){sum.of - sum.right, sum.of};
}

/* The influence of a sentence on the logarithm of the share that is wrong. */
static double influence(struct blind_counts c, struct wrong sum)
{
    return (c.of - c.right) / sum.wrong - c.of / sum.of;
}

struct figure outlook_gain(const struct outlook *o)
{
    struct wrong all = wrong_of(o->all, o->sentences), half[2];
    for (int h = 0; h < 2; h++)
        half[h] = wrong_of(o->half[h], o->sentences);
    if (blind_missing(o->all, o->sentences) > 0 || !(o->labelled_half > 0) || !(o->labelled > o->labelled_half) ||
        !(all.wrong > 0) || !(half[0].wrong > 0) || !(half[1].wrong > 0))
        return unknown;
    double log_half[2] = {log_of(half[0].wrong / half[0].of), log_of(half[1].wrong / half[1].of)};
    double e2 = all.wrong / all.of, log1 = (log_half[0] + log_half[1]) / 2;
    double r = log_of((o->labelled + o->more) / o->labelled) / log_of(o->labelled / o->labelled_half);
    double e3 = exp_of((1 + r) * log_of(e2) - r * log1);
    double by_all = e2 - (1 + r) * e3, by_half = r * e3; /* derivatives of the gain by log e2 and log e1 */
    double variance = 0;
    for (size_t i = 0; i < o->sentences; i++) {
        double of_halves = (influence(o->half[0][i], half[0]) + influence(o->half[1][i], half[1])) / 2;
        double by = by_all * influence(o->all[i], all) + by_half * of_halves;
        variance += by * by;
    }
    /* One training's own variance, as the halves tell: e1 is the mean of two, e2 and the future model are one each. */
    double apart = log_half[0] - log_half[1], luck = apart * apart / 2;
    variance += luck * (by_half * by_half / 2 + by_all * by_all + e3 * e3) + LAW * e2 * LAW * e2;
    double gain = e2 - e3, margin = NINETY * sqrt(variance);
    return (struct figure){gain, gain - margin, gain + margin};
}
