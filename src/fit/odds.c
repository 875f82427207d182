/* Probabilities and odds: see odds.h. */
#include "fit/odds.h"

#include <math.h>

double sigmoid(double z)
{
    return 1 / (1 + exp(-z)); /* exp() may overflow to infinity, which gives the right 0 */
}

static double odds_within(double p, double least)
{
    p = !(p > least) ? least : p < 1 - least ? p : 1 - least;
    return p / (1 - p);
}

double log_odds(double p)
{
    return log(odds_within(p, 1e-6));
}

double fine_odds(double p)
{
    return odds_within(p, 1e-9);
}

double fine_log_odds(double p)
{
    return log(fine_odds(p));
}

double within_fine_odds(double z)
{
    const double most = 20.723265836946411; /* log-odds of 1 - 1e-9 */
    return !(z > -most) ? -most : z < most ? z : most;
}

double short_of_certainty(double p)
{
    const double least = 1e-6;
    return least + (1 - 2 * least) * p;
}

double vote_odds(double share, uint32_t K)
{
    return log((share * K + 0.5) / ((1 - share) * K + 0.5));
}

double softplus(double z)
{
    return z > 0 ? z + log1p(exp(-z)) : log1p(exp(z));
}
