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

double upcoming_sentences(const struct upcoming *next, double decisions)
{
    return decisions - fmin(decisions * next->blind, next->blinds);
}

double upcoming_words(const struct upcoming *next, double decisions)
{
    double sentences = upcoming_sentences(next, decisions), whole = floor(sentences);
    if (whole >= (double)next->count)
        return next->words[next->count] + (sentences - (double)next->count) * next->mean;
    const double *at = &next->words[(size_t)whole];
    return at[0] + (sentences - whole) * (at[1] - at[0]);
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

/* The power law through both points. */
struct law {
    struct wrong all, half[2];
    double e2, log_ratio; /* log e1 - log e2 */
    double apart;         /* log of the errors of the two halves: their difference */
    double doublings;     /* log(n2 / n1) */
};

static bool law_of(const struct outlook *o, struct law *law)
{
    law->all = wrong_of(o->all, o->sentences);
    for (int h = 0; h < 2; h++)
        law->half[h] = wrong_of(o->half[h], o->sentences);
    if (blind_missing(o->all, o->sentences) > 0 || !(o->labelled_half > 0) || !(o->labelled > o->labelled_half) ||
        !(law->all.wrong > 0) || !(law->half[0].wrong > 0) || !(law->half[1].wrong > 0))
        return false;
    double log_half[2];
    for (int h = 0; h < 2; h++)
        log_half[h] = log_of(law->half[h].wrong / law->half[h].of);
    law->e2 = law->all.wrong / law->all.of;
    law->log_ratio = (log_half[0] + log_half[1]) / 2 - log_of(law->e2);
    law->apart = log_half[0] - log_half[1];
    law->doublings = log_of(o->labelled / o->labelled_half);
    return true;
}

/* The exponent r after `more` decisions. */
static double doublings_after(const struct outlook *o, const struct law *law, double more)
{
    return log_of((o->labelled + upcoming_words(o->next, more)) / o->labelled) / law->doublings;
}

/* The error after `more` decisions, if the logarithm of e1 / e2 were `log_ratio`. */
static double error_after(const struct outlook *o, const struct law *law, double log_ratio, double more)
{
    return law->e2 * exp_of(-log_ratio * doublings_after(o, law, more));
}

static double influence_of_halves(const struct outlook *o, const struct law *law, size_t i)
{
    return (influence(o->half[0][i], law->half[0]) + influence(o->half[1][i], law->half[1])) / 2;
}

struct figure outlook_gain(const struct outlook *o)
{
    struct law law;
    if (!law_of(o, &law))
        return unknown;
    double r = doublings_after(o, &law, o->more);
    double e2 = law.e2, e3 = error_after(o, &law, law.log_ratio, o->more);
    double by_all = e2 - (1 + r) * e3, by_half = r * e3; /* derivatives of the gain by log e2 and log e1 */
    double variance = 0;
    for (size_t i = 0; i < o->sentences; i++) {
        double by = by_all * influence(o->all[i], law.all) + by_half * influence_of_halves(o, &law, i);
        variance += by * by;
    }
    /* One training's own variance, as the halves tell: e1 is the mean of two, e2 and the future model are one each. */
    double luck = law.apart * law.apart / 2;
    variance += luck * (by_half * by_half / 2 + by_all * by_all + e3 * e3) + LAW * e2 * LAW * e2;
    double gain = e2 - e3, margin = NINETY * sqrt(variance);
    return (struct figure){gain, gain - margin, gain + margin};
}

/* After how many a hundred more bring less than WORTH_IT; `most` if they still bring more there. */
static double worth_until(const struct outlook *o, const struct law *law, double log_ratio, double most)
{
    for (double more = 0; more < most; more += 10)
        if (error_after(o, law, log_ratio, more) - error_after(o, law, log_ratio, more + 100) < WORTH_IT)
            return more;
    return most;
}

struct figure outlook_worth(const struct outlook *o, double most)
{
    struct law law;
    if (!law_of(o, &law))
        return unknown;
    double variance = law.apart * law.apart / 2 * 1.5;
    for (size_t i = 0; i < o->sentences; i++) {
        double by = influence_of_halves(o, &law, i) - influence(o->all[i], law.all);
        variance += by * by;
    }
    double margin = NINETY * sqrt(variance);
    double value = worth_until(o, &law, law.log_ratio, most);
    double flat = worth_until(o, &law, law.log_ratio - margin, most);
    double steep = worth_until(o, &law, law.log_ratio + margin, most);
    return (struct figure){value, fmin(value, fmin(flat, steep)), fmax(value, fmax(flat, steep))};
}
