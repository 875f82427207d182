/*
 * Bounds the error of a share of draws: see bounds.h.
 *
 * Each of K drawn models agrees with the answer at a word with probability gamma,
 * and nu is the share of those that do. Then (Hoeffding 1963; Bernstein 1946)
 *
 *     P(|gamma - nu| >= eps)  <=  2 exp(-2 K eps^2)
 *     P(|gamma - nu| >= eps)  <=  2 exp(-K eps^2 / (2 (gamma (1 - gamma) + eps/3)))
 *
 * and N words are all closer with probability 1 - delta if the right-hand side is
 * at most delta/N (Mejer and Crammer 2011, on the effect of K). With
 * L = log(2N/delta) the first gives
 *
 *     K >= L / (2 eps^2),     eps = sqrt(L / (2K)).
 *
 * The second is K eps^2 - (2L/3) eps - 2 L v >= 0 with v = gamma (1 - gamma), hence
 *
 *     K >= 2L (v + eps/3) / eps^2,     eps = (2L/3 + sqrt((2L/3)^2 + 8 K L v)) / (2K),
 *
 * the larger root of the quadratic; it is the paper's formula. Bernstein's is the
 * narrower near 0 and 1, Hoeffding's near 0.5. Both bound the same probability,
 * so the narrower one holds at every gamma.
 *
 * At 0 and at 1 all draws are the same, and the true error is none; Bernstein's
 * bound is 2L/3K there, since it must hold close by as well.
 *
 * The end of the interval gamma + eps(gamma) is concave in gamma, as eps is the
 * minimum of a constant and the root of a concave function. Those that reach a
 * threshold t are therefore an interval, which t itself is in: bisection below t
 * finds where it begins.
 */
#include "measure/bounds.h"

#include <math.h>

double bound_of(double words, double delta)
{
    return log(2 * words / delta);
}

double hoeffding_error(double L, double K)
{
    return sqrt(L / (2 * K));
}

double bernstein_error(double L, double K, double gamma)
{
    double half = 2 * L / 3;
    return (half + sqrt(half * half + 8 * K * L * gamma * (1 - gamma))) / (2 * K);
}

double hoeffding_draws(double L, double epsilon)
{
    return ceil(L / (2 * epsilon * epsilon));
}

double bernstein_draws(double L, double epsilon, double gamma)
{
    return ceil(2 * L * (gamma * (1 - gamma) + epsilon / 3) / (epsilon * epsilon));
}

struct interval interval_around(double gamma, double error)
{
    return (struct interval){fmax(0, gamma - error), fmin(1, gamma + error)};
}

static double narrower_error(double L, double K, double gamma)
{
    return fmin(hoeffding_error(L, K), bernstein_error(L, K, gamma));
}

struct interval draws_interval(double L, double K, double gamma)
{
    return interval_around(gamma, narrower_error(L, K, gamma));
}

double confused_from(double L, double K, double gamma)
{
    double least = draws_interval(L, K, gamma).low, below = 0, reaches = least;
    if (draws_interval(L, K, 0).high >= least)
        return 0;
    while (reaches - below > 1e-9) {
        double middle = (below + reaches) / 2;
        if (draws_interval(L, K, middle).high >= least)
            reaches = middle;
        else
            below = middle;
    }
    return reaches;
}
