/* Makes judged words for tests, from strings or at random. */
#ifndef VOUCH_TESTS_JUDGED_WORDS_H
#define VOUCH_TESTS_JUDGED_WORDS_H

#include "base/random.h"
#include "measure/quality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Makes words by verdict, '-' wrong and '+' right, from confidence 0.01 up in steps of 0.01; those within brackets are
 * tied.
 */
static inline size_t words_from(const char *verdicts, struct judged *word)
{
    size_t n = 0;
    double confidence = 0.01;
    bool tied = false;
    for (const char *v = verdicts; *v; v++) {
        if (*v == '(' || *v == ')')
            tied = *v == '(';
        else
            word[n++] = (struct judged){.confidence = confidence, .right = *v == '+'};
        if (!tied)
            confidence += 0.01;
    }
    return n;
}

static inline struct levels levels_of(const struct judged *word, size_t n)
{
    struct levels levels;
    struct vouch_error err;
    if (!levels_init(&levels, word, n, &err)) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return levels;
}

/* Draws probabilities, most near 1, in sentences of ten words that are right as often as these tell. */
static inline void draw_words(struct judged *word, size_t n, uint64_t seed)
{
    struct rng rng = rng_new(seed, 77);
    for (size_t i = 0; i < n; i++) {
        double p = 1 - pow(rng_uniform(&rng), 4);
        word[i] = (struct judged){.confidence = p, .sentence = (uint32_t)(i / 10), .right = rng_uniform(&rng) < p};
    }
}

#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double value_ = (value), expected_ = (expected);                                                               \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                                                \
            fail_msg("%.17g is not within %g of %.17g", value_, (double)(tolerance), expected_);                       \
    } while (0)

#endif
