/*
 * Signals of chunks and sentences from the probabilities of their parts, and the model fitted to them. All are computed
 * in one loop over the parts; fitting costs a cross-fitted logistic regression.
 */
#include "confidence/joint.h"

#include "base/elementary.h"

#include <math.h>

static const double HALF_VOTE = 0.01; /* added to shares of votes, so that all votes are not certainty */

/* Sums over the parts so far. */
struct parts_so_far {
    double least, log_all;
    uint32_t count;
};

static void add_part(struct parts_so_far *parts, double p)
{
    if (isnan(p))
        return;
    parts->least = fmin(parts->least, p);
    parts->log_all += log_of(fmax(p, 1e-6));
    parts->count++;
}

static double tell(const struct parts_so_far *parts, double around, double *signal)
{
    signal[0] = fine_log_odds(parts->least);
    signal[1] = fine_log_odds(exp_of(parts->log_all));
    signal[2] = fine_log_odds(exp_of(parts->log_all) / fmax(parts->least, 1e-6));
    signal[3] = log_of(fmax(1, parts->count));
    signal[4] = around;
    return parts->least;
}

double joint_of_span(const double *word, uint32_t N, struct extent span, double *signal)
{
    struct parts_so_far parts = {1, 0, 0};
    for (uint32_t n = span.from; n < span.to; n++)
        add_part(&parts, word[n]);
    double left = span.from > 0 ? word[span.from - 1] : 1, right = span.to < N ? word[span.to] : 1;
    return tell(&parts, fine_log_odds(fmin(left, right)), signal);
}

double joint_of_sentence(const double *word, uint32_t N, const struct extent *span, const double *whole, uint32_t spans,
                         double *signal)
{
    struct parts_so_far parts = {1, 0, 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < spans; i++) {
        for (; n < span[i].from; n++)
            add_part(&parts, word[n]);
        add_part(&parts, whole[i]);
        n = span[i].to;
    }
    for (; n < N; n++)
        add_part(&parts, word[n]);
    return tell(&parts, log_of(1 + spans), signal);
}

double joint_own(const struct method *method, double raw)
{
    if (isnan(raw))
        return 0;
    if (!method->bounded)
        return asinh_of(fmin(fmax(raw, -1e6), 1e6));
    return method->votes ? log_of((raw + HALF_VOTE) / (1 - raw + HALF_VOTE)) : fine_log_odds(raw);
}

double joint_apply(const struct logistic *fitted, double least, const double *signal)
{
    return least * logistic_apply(fitted, signal);
}

/* Returns the prior of the standardised weights: a standard deviation of 0.7, however many rows there are. */
static double prior(double right, double wrong)
{
    (void)right, (void)wrong;
    return 2;
}

bool joint_fit(const struct logistic_rows *rows, uint64_t seed, struct logistic *fitted, double *held,
               struct vouch_error *err)
{
    return logistic_cross_fit(rows, prior, seed, fitted, held, err);
}
