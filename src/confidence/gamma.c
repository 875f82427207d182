/*
 * Gamma: the probability of the word's choice, if scores were log-probabilities.
 *
 *     gamma[n] = P(y_n = answer_n),      P(y) ~ exp(c * score(y))
 *
 * where labels that the corpus writes alike, as S-X and B-X in IOB2, are equal.
 *
 * Mejer and Crammer, section on marginals; for a log-likelihood voice and c = 1
 * these are the marginals of a CRF. By forward-backward, O(N Y^2), or the
 * matrix-tree theorem, O(N^3). The paper has none for trees; this has.
 *
 * A chunk is exact as well. It can be spelled in several ways (I- for B- where
 * nothing goes before it; see core/scheme.h), which are told apart by their first
 * and last labels. For each such pair everything that would change the chunk is
 * forbidden, which takes no more than forbidding labels of single words, and
 * what is left of the normaliser is a share of its probability: two passes in
 * IOB, four in BIOES. Of a sentence, the probability of the whole answer.
 */
#include "confidence/method.h"

#include <math.h>
#include <string.h>

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = evidence_written(e, n);
}

/* A chunk, and the labels of its first and last word. */
struct spelling {
    const struct span_rules *rules;
    struct extent at;
    uint32_t first, last;
};

static bool opens(const struct span_rules *rules, uint32_t left, uint32_t here)
{
    return rules->opens[(size_t)left * rules->labels + here];
}

/* Whether word n may have label y. Inside, what neither starts nor ends a chunk between the first and the last label.
 */
static bool allowed(const struct spelling *s, uint32_t n, uint32_t y)
{
    if (n < s->at.from)
        return opens(s->rules, y, s->first);
    if (n >= s->at.to)
        return s->rules->closes[(size_t)s->last * (s->rules->labels + 1) + y];
    if (n == s->at.from)
        return y == s->first;
    if (n == s->at.to - 1)
        return y == s->last;
    return !opens(s->rules, s->first, y) && !opens(s->rules, y, s->last) &&
           s->rules->type[y] == s->rules->type[s->first];
}

/* Forbids what is not allowed; false if nothing is left. */
static bool constrain(struct evidence *e, const struct spelling *s)
{
    memcpy(e->constrained.node, e->scores.node, sizeof(float) * e->scores.G * e->scores.width);
    for (uint32_t n = s->at.from ? s->at.from - 1 : 0; n < e->N && n <= s->at.to; n++) {
        float *row = e->constrained.node + n * e->options;
        bool left = false;
        for (uint32_t y = 0; y < s->rules->labels; y++) {
            if (!allowed(s, n, y))
                row[y] = -INFINITY;
            left = left || row[y] > -INFINITY;
        }
        if (!left)
            return false;
    }
    return true;
}

/* Whether the two may be the first and the last label of a chunk of that type; if others are between, they decide. */
static bool possible(const struct spelling *s, uint32_t type)
{
    uint32_t length = s->at.to - s->at.from;
    if (s->rules->type[s->first] != type || s->rules->type[s->last] != type)
        return false;
    return length == 1 ? s->first == s->last : length > 2 || !opens(s->rules, s->first, s->last);
}

/* Adds the probability of one spelling. */
static bool add_spelling(struct evidence *e, const struct spelling *s, double *sum, struct vouch_error *err)
{
    double log_z;
    if (!constrain(e, s))
        return true;
    if (!e->witness->structure->marginals(&e->constrained, e->witness->knobs.c, &e->scratch, &e->unused, &log_z, err))
        return false;
    *sum += exp(log_z - e->log_z);
    return true;
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    (void)self;
    const struct scores *scores = &e->scores;
    uint32_t type = rules->type[e->choice[at.from]];
    if (!scores_shape(&e->constrained, scores->N, scores->G, scores->width, scores->E, err))
        return false;
    if (scores->E)
        memcpy(e->constrained.edge, scores->edge, sizeof(float) * scores->E * scores->width * scores->width);
    double sum = 0;
    struct spelling s = {.rules = rules, .at = at};
    for (s.first = 0; s.first < rules->labels; s.first++)
        for (s.last = 0; s.last < rules->labels; s.last++)
            if (possible(&s, type) && !add_spelling(e, &s, &sum, err))
                return false;
    *confidence = fmin(1, sum);
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
