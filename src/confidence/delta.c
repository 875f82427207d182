/*
 * Delta is how far the answer is ahead of the best one that decides a word otherwise:
 *
 *     delta[n] = max_y score(y)  -  max_{y : y_n != answer_n} score(y)
 *
 * Mejer and Crammer, section on margins. The number of a chunk or a sentence is that of its worst word. Cost:
 * max-marginals of a chain, O(N Y^2); one tree with an exchange for every word, O(N^2) on most sentences.
 */
#include "confidence/method.h"

#include <math.h>

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = e->margin[n];
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    (void)self;
    (void)rules;
    (void)err;
    *confidence = smallest(e->margin, at.from, at.to);
    return true;
}

const struct method delta_method = {
    .name = "delta",
    .summary = "margin between the answer and the best one that decides the word otherwise",
    .formula = "best score - best score with another choice for the word",
    .cost = "one more decoding",
    .use = "cheap and good at ranking; its numbers have no scale until calibrated",
    .params = "",
    .looks = LOOK_MARGIN,
    .bounded = false,
    .words = words,
    .span = span,
};
