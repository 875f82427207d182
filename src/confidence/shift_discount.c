/*
 * Fits and applies the shift discount. Fitting costs a forecaster that learns from one row for each sentence, and a
 * logistic regression.
 *
 * Two fits follow each other: a forecaster of sentences tells simulated ones from real ones, and a logistic model finds
 * how often words are right in simulated text. The log-odds of the first are shifted from the mixture that it was
 * fitted on to the small share of other text that is expected. What depends on the sentence alone is computed once for
 * all its words.
 */
#include "confidence/shift_discount.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

/* The share of sentences of other text that is expected: what more of it would cost is in docs/MEASUREMENTS.md. */
#define OTHER_TEXT 0.005
#define PRIOR 1.0 /* on the weights of the model of simulated words */

void discount_release(struct shift_discount *c)
{
    forecaster_release(&c->unlike);
    logistic_release(&c->other);
    *c = (struct shift_discount){0};
}

/* Fills in what a sentence looks like: its profile, and the shares that are unknown. */
static void tell_unlike(const double *profile, double *x)
{
    memcpy(x, profile + PROFILE_LENGTH, sizeof *x * (PROFILE_SIGNALS - PROFILE_LENGTH));
    for (uint32_t k = 0; k < 2 * COUNT_KINDS; k++)
        x[PROFILE_SIGNALS - PROFILE_LENGTH + k] = profile[PROFILE_UNKNOWN + k] / (profile[PROFILE_COUNTED] + 1);
}

struct sentence_discount discount_of_sentence(const struct shift_discount *c, const double *profile)
{
    struct sentence_discount sentence = {0};
    double x[OTHER_FEATURES];
    if (!c->fitted)
        return sentence;
    x[0] = c->other.mean[0];
    tell_unlike(profile, x + 1);
    sentence.d = sigmoid(log_odds(forecaster_apply(&c->unlike, x + 1)) + c->balance);
    sentence.odds = logistic_score(&c->other, x);
    return sentence;
}

double discount_word(const struct shift_discount *c, const struct sentence_discount *sentence, double p)
{
    if (!c->fitted || isnan(p))
        return p;
    double scale = c->other.scale[0], own = scale > 0 ? (log_odds(p) - c->other.mean[0]) / scale : 0;
    return p + sentence->d * fmin(0, sigmoid(sentence->odds + c->other.weight[0] * own) - p);
}

/* Adds a row for every sentence, whose words are neighbours; returns how many there are then. */
static size_t tell_sentences(const struct discount_rows *r, bool simulated, size_t n, double *x, bool *is,
                             uint32_t *group)
{
    for (size_t i = 0; i < r->n; i++) {
        if (i > 0 && r->sentence[i] == r->sentence[i - 1])
            continue;
        tell_unlike(r->profile + i * PROFILE_SIGNALS, x + n * UNLIKE_FEATURES);
        is[n] = simulated;
        group[n++] = r->sentence[i];
    }
    return n;
}

bool discount_fit_unlike(struct shift_discount *c, const struct discount_rows *real,
                         const struct discount_rows *simulated, uint64_t seed, uint32_t threads,
                         struct vouch_error *err)
{
    if (real->n == 0 || simulated->n == 0)
        return true;
    struct arena arena = {0};
    size_t most = real->n + simulated->n;
    double *x, *held;
    bool *is, ok = false;
    uint32_t *group;
    if (ARENA_ARRAY(x, most * UNLIKE_FEATURES, &arena, err) && ARENA_ARRAY(held, most, &arena, err) &&
        ARENA_ARRAY(is, most, &arena, err) && ARENA_ARRAY(group, most, &arena, err)) {
        size_t like = tell_sentences(real, false, 0, x, is, group);
        size_t n = tell_sentences(simulated, true, like, x, is, group);
        struct logistic_rows rows = {.x = x, .right = is, .n = n, .features = UNLIKE_FEATURES, .group = group};
        c->balance = log_of((double)like / (double)(n - like)) + log_odds(OTHER_TEXT);
        ok = forecaster_fit(&c->unlike, &rows, seed, threads, held, err);
    }
    arena_release(&arena);
    return ok;
}

bool discount_fit_other(struct shift_discount *c, const struct discount_rows *r, struct vouch_error *err)
{
    if (!c->unlike.fitted)
        return true;
    double *x = new_array(r->n * OTHER_FEATURES + 1, sizeof *x, err);
    bool *right = new_array(r->n + 1, sizeof *right, err), ok = x && right;
    size_t n = 0;
    for (size_t i = 0; ok && i < r->n; i++) {
        const double *profile = r->profile + i * PROFILE_SIGNALS;
        if (profile[PROFILE_CONCERNED] == 0)
            continue;
        x[n * OTHER_FEATURES] = log_odds(r->p[i]);
        tell_unlike(profile, x + n * OTHER_FEATURES + 1);
        right[n++] = r->right[i];
    }
    struct logistic_rows rows = {.x = x, .right = right, .n = n, .features = OTHER_FEATURES};
    c->fitted = ok && n > 0;
    ok = ok && (n == 0 || logistic_fit(&rows, PRIOR, &c->other, err));
    free(x);
    free(right);
    return ok;
}
