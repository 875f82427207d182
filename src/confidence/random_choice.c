/*
 * Random numbers show what a ranking by luck finds.
 *
 * They are a pure function of the sentence's scores and the word's place, so
 * that they depend neither on threads nor on the order of sentences.
 */
#include "base/hash.h"
#include "confidence/method.h"

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    uint64_t sentence = hash_bytes(e->scores.node, sizeof(float) * e->scores.G * e->scores.width);
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = (double)(hash_mix(sentence, n) >> 11) * 0x1p-53;
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    (void)self;
    (void)rules;
    (void)err;
    uint64_t sentence = hash_bytes(e->scores.node, sizeof(float) * e->scores.G * e->scores.width);
    *confidence = (double)(hash_mix(hash_mix(sentence, at.from), at.to) >> 11) * 0x1p-53;
    return true;
}

const struct method random_method = {
    .name = "random",
    .summary = "luck, for comparison",
    .formula = "uniform in 0 .. 1",
    .cost = "nothing",
    .use = "the floor that every other method must leave behind",
    .params = "",
    .bounded = true,
    .words = words,
    .span = span,
};
