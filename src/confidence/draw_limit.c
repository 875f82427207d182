/*
 * Computes the limit of draws by rivals: see draw_limit.h for what it is and what it leaves out.
 *
 * Words that were not settled are taken in runs, as draws are: words between two settled ones are a chain of their own.
 */
#include "confidence/draw_limit.h"

#include "base/elementary.h"

#include <math.h>

enum { POINTS = 5 }; /* of the rule, on either side of 0 */

/* Rivals that are this many deviations behind win one at a time. */
static const double far_behind = 4.5;

/*
 * The tail is the density times Mills' ratio, which is smooth in t = 1 / (1 + x / 3): a polynomial of degree 9, fitted
 * to it from x = 0 to 25 by least squares, is off by less than one part in ten million.
 */
double normal_tail(double x)
{
    static const double ratio[] = {4.649956163e-06, 0.3331727488, 0.3356612895, 0.2776715442, 0.3131617007,
                                   -0.158623127,    0.5806548895, -0.705515274, 0.3364905882, -0.0593648393};
    double t = 1 / (1 + fabs(x) / 3), sum = 0;
    for (int i = sizeof ratio / sizeof *ratio; i-- > 0;)
        sum = sum * t + ratio[i];
    double tail = 0.3989422804014327 * exp_of(-x * x / 2) * sum;
    return x < 0 ? 1 - tail : tail;
}

/* Returns how many deviations of their difference a rival lies behind; noise that is 0 never lets it win. */
static double deviations(const struct rival *rival)
{
    double variance = rival->answer + rival->own;
    return variance > 0 && rival->own > 0 ? rival->behind / sqrt(variance) : INFINITY;
}

/* Returns the limit of a word with Y rivals, one of which is the best answer itself; overwrites them. */
static double limit_among(struct rival *rival, uint32_t Y, uint32_t best)
{
    static const double point[POINTS] = {0.4849357075154976, 1.465989094391158, 2.484325841638955, 3.581823483551927,
                                         4.859462828332312};
    static const double weight[POINTS] = {0.3446423349320191, 0.1354837029802678, 0.01911158050077029,
                                          0.0007580709343122177, 4.310652630718288e-06};
    uint32_t near = 0;
    double limit = 0, tails = 0;
    for (uint32_t y = 0; y < Y; y++) {
        double behind = y != best ? deviations(&rival[y]) : INFINITY, own = sqrt(rival[y].own);
        if (behind > far_behind)
            tails += behind < INFINITY ? normal_tail(behind) : 0;
        else
            rival[near++] = (struct rival){rival[y].behind / own, sqrt(rival[y].answer) / own, 0};
    }
    for (int i = 0; near > 0 && i < 2 * POINTS; i++) {
        double z = i < POINTS ? point[i] : -point[i - POINTS], none = weight[i % POINTS];
        for (uint32_t r = 0; r < near; r++)
            none *= normal_tail(-(rival[r].behind + rival[r].answer * z));
        limit += none;
    }
    return fmax(0, fmin(1, near > 0 ? limit : 1) - tails);
}

/* Finds the limits of a run of words that were not settled. */
static bool limit_of_run(struct evidence *e, const struct undrawn *u, uint32_t from, uint32_t to, double *limit,
                         struct vouch_error *err)
{
    struct evidence_work *work = e->work;
    struct rival_query query = {&e->scores, &work->variance, e->best, from, to};
    uint32_t Y = (uint32_t)e->options;
    noise_variances(u->drawing, u->parts, from, to, &work->variance);
    if (!RESERVE(work->rival, work->rival_capacity, (size_t)(to - from) * Y, err) ||
        !e->voice->structure->rivals(&query, &work->scratch, work->rival, err))
        return false;
    for (uint32_t n = from; n < to; n++) {
        struct rival *rival = work->rival + (size_t)(n - from) * Y;
        for (uint32_t y = 0; evidence_respelled(e) && y < Y; y++)
            if (y != e->choice[n] && evidence_alike(e, n, y))
                rival[y].behind = INFINITY; /* it agrees */
        limit[n] = e->choice[n] == e->best[n] ? limit_among(rival, Y, e->best[n])
                   : e->choice[n] < Y         ? normal_tail(deviations(&rival[e->choice[n]]))
                                              : 0; /* a choice that the voice does not know */
    }
    return true;
}

/* Returns how far the best choice of word n of a chain without edges is ahead. */
static double ahead(const struct evidence *e, uint32_t n)
{
    const float *node = e->scores.node + n * e->options;
    float second = -INFINITY;
    for (uint32_t y = 0; y < e->options; y++)
        second = y != e->best[n] && node[y] > second ? node[y] : second;
    return (double)node[e->best[n]] - (double)second;
}

bool draw_limit(struct evidence *e, const struct undrawn *u, double *limit, struct vouch_error *err)
{
    const struct scores *s = &e->scores;
    const bool *drawn = u->drawing->drawn;
    struct scores *variance = &e->work->variance;
    if (!scores_shape(variance, s->N, s->G, s->width, s->E, err))
        return false;
    noise_edge_variances(u->drawing, u->parts, variance);
    for (uint32_t n = 0, to; n < e->N; n = to) {
        for (to = n; to < e->N && (!drawn || drawn[to]); to++)
            ;
        if (to > n && !limit_of_run(e, u, n, to, limit, err))
            return false;
        if (to < e->N) {
            double tail = normal_tail((s->E ? fabs(e->margin[to]) : ahead(e, to)) / u->deviation);
            limit[to] = e->choice[to] == e->best[to] ? 1 - tail : tail;
            to++;
        }
    }
    return true;
}
