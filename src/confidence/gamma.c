/*
 * Gamma is the probability of the word's choice, if scores were log-probabilities:
 *
 *     gamma[n] = P(y_n = answer_n),      P(y) ~ exp(c * score(y))
 *
 * where labels that the corpus writes alike, as S-X and B-X in IOB2, are equal.
 *
 * Mejer and Crammer, section on marginals; for a log-likelihood voice and c = 1 these are the marginals of a CRF. By
 * forward-backward, O(N Y^2), or the matrix-tree theorem, O(N^3). The paper has none for trees.
 *
 * A chunk's number is exact as well: the probability that an answer has a chunk of the same words and type there,
 * however it is spelled. These are conditions on neighbours (core/span_rules.h). Answers are a Markov chain, so with
 * the probabilities of neighbours p_n(l, r) and of words p_n(l) = sum_r p_n+1(l, r)
 *
 *     mass[from][r] = sum_l p_from(l, r)                    over l, r that open the chunk
 *     mass[n+1][r]  = sum_l mass[n][l] p_n+1(l, r) / p_n(l)  over l, r that close it at n = to - 1 and nowhere else
 *
 * and the chunk has the sum of mass[to]. O(Y^2) for each word of the chunk. The number of a sentence is the probability
 * of the whole answer.
 */
#include "confidence/method.h"

#include <math.h>

static void words(const struct method *self, const struct evidence *e, double *confidence)
{
    (void)self;
    for (uint32_t n = 0; n < e->N; n++)
        confidence[n] = evidence_of_answer(e, n);
}

/* A chunk of the answer, and how likely it is up to one of its words. */
struct walk {
    const struct span_rules *rules;
    struct extent at;
    size_t Y;
    double *pairs; /* [Y][Y] of a word and the next one */
    double *mass;  /* [Y] of the chunk as far as a word, by the word's label */
    double *next;  /* [Y] */
};

static bool walk_open(struct walk *walk, struct evidence *e, struct vouch_error *err)
{
    size_t Y = walk->Y;
    if (!RESERVE(e->looking->pairs, e->looking->pairs_capacity, (Y + 2) * Y, err))
        return false;
    walk->pairs = e->looking->pairs;
    walk->mass = walk->pairs + Y * Y;
    walk->next = walk->mass + Y;
    return true;
}

/* Fills `mass` for the first word; the outside before the sentence's first word counts as a label. */
static void enter(const struct walk *walk, uint32_t type)
{
    size_t Y = walk->Y, lefts = walk->at.from ? Y : 1;
    for (size_t r = 0; r < Y; r++) {
        walk->mass[r] = 0;
        for (size_t l = 0; l < lefts && walk->rules->type[r] == type; l++)
            if (walk->rules->opens[(walk->at.from ? l : Y) * Y + r])
                walk->mass[r] += walk->pairs[l * Y + r];
    }
}

/* Goes on to the next word, before which the chunk ends or does not. */
static void step(struct walk *walk, bool ends)
{
    size_t Y = walk->Y;
    double *swap = walk->mass;
    for (size_t r = 0; r < Y; r++)
        walk->next[r] = 0;
    for (size_t l = 0; l < Y; l++) {
        const double *row = walk->pairs + l * Y;
        const bool *closes = walk->rules->closes + l * (Y + 1);
        double all = 0;
        for (size_t r = 0; r < Y; r++)
            all += row[r];
        for (size_t r = 0; all > 0 && r < Y; r++)
            if (closes[r] == ends)
                walk->next[r] += walk->mass[l] * (row[r] / all);
    }
    walk->mass = walk->next;
    walk->next = swap;
}

bool marginal_of_chunk(struct evidence *e, const struct span_rules *rules, struct extent at, uint32_t type,
                       double *probability, struct vouch_error *err)
{
    const struct structure *structure = e->voice->structure;
    struct walk walk = {.rules = rules, .at = at, .Y = e->options};
    if (!walk_open(&walk, e, err))
        return false;
    structure->neighbours(&e->messages, at.from, walk.pairs);
    enter(&walk, type);
    for (uint32_t n = at.from + 1; n <= at.to && n < e->N; n++) {
        structure->neighbours(&e->messages, n, walk.pairs);
        step(&walk, n == at.to);
    }
    double sum = 0;
    for (size_t y = 0; y < walk.Y; y++)
        if (at.to < e->N || rules->closes[y * (walk.Y + 1) + walk.Y])
            sum += walk.mass[y];
    *probability = fmin(1, sum);
    return true;
}

static bool span(const struct method *self, struct evidence *e, const struct span_rules *rules, struct extent at,
                 double *confidence, struct vouch_error *err)
{
    (void)self;
    return marginal_of_chunk(e, rules, at, rules->type[e->choice[at.from]], confidence, err);
}

static double whole(const struct method *self, const struct evidence *e)
{
    (void)self;
    return fmin(1, exp(e->voice->params.c * e->voice->structure->score(&e->scores, e->choice) - e->log_z));
}

const struct method gamma_method = {
    .name = "gamma",
    .summary = "marginal probability of the word's choice",
    .formula = "sum of exp(c * score) over the answers with the word's choice / over all answers",
    .cost = "one forward-backward pass; for trees one matrix inversion",
    .use = "of a crf voice: its marginals; of others: c must be tuned",
    .params = "c",
    .looks = LOOK_MARGINALS,
    .bounded = true,
    .words = words,
    .span = span,
    .whole = whole,
};
