/*
 * Gamma: the probability of the word's choice, if scores were log-probabilities.
 *
 *     gamma[n] = P(y_n = answer_n),      P(y) ~ exp(c * score(y))
 *
 * Mejer and Crammer, section on marginals; for a log-likelihood voice and c = 1
 * these are the marginals of a CRF. By forward-backward, O(N Y^2), or the
 * matrix-tree theorem, O(N^3). The paper has none for trees; this has.
 *
 * A chunk is exact as well: everything that would change it is forbidden, and
 * what is left of the normaliser is its probability. Of a sentence, the
 * probability of the whole answer.
 */
#include "confidence/method.h"

#include <math.h>
#include <string.h>

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = evidence_marginal(e, n, e->choice[n]);
}

/* Forbids label y of word n wherever `keep` says so. */
static void forbid(struct evidence *e, const struct span_rules *rules, struct extent at, uint32_t n)
{
    float *row = e->constrained.node + n * e->options;
    for (uint32_t y = 0; y < rules->labels; y++) {
        bool keep = n < at.from ? rules->opens[(size_t)y * rules->labels + e->choice[at.from]]
                    : n < at.to ? y == e->choice[n]
                                : rules->closes[(size_t)e->choice[at.to - 1] * (rules->labels + 1) + y];
        if (!keep)
            row[y] = -INFINITY;
    }
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    (void)self;
    const struct scores *s = &e->scores;
    struct scores *c = &e->constrained;
    if (!scores_shape(c, s->N, s->G, s->width, s->E, err))
        return false;
    memcpy(c->node, s->node, sizeof(float) * s->G * s->width);
    if (s->E)
        memcpy(c->edge, s->edge, sizeof(float) * s->E * s->width * s->width);
    for (uint32_t n = at.from ? at.from - 1 : 0; n < s->N && n <= at.to; n++)
        forbid(e, rules, at, n);
    double log_z;
    if (!e->witness->structure->marginals(c, e->witness->knobs.c, &e->scratch, &e->unused, &log_z, err))
        return false;
    *confidence = fmin(1, exp(log_z - e->log_z));
    return true;
}

static double whole(const struct method *self, const struct evidence *e)
{
    (void)self;
    return fmin(1, exp(e->witness->knobs.c * e->witness->structure->score(&e->scores, e->choice) - e->log_z));
}

const struct method gamma_method = {
    .name = "gamma",
    .summary = "marginal probability of the word's choice",
    .formula = "sum of exp(c * score) over the answers with the word's choice / over all answers",
    .cost = "one forward-backward pass; for trees one matrix inversion",
    .use = "of a crf voice: its marginals; of others: c must be tuned",
    .knobs = "c",
    .looks = LOOK_MARGINALS,
    .bounded = true,
    .words = words,
    .span = span,
    .whole = whole,
};
