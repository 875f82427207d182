/*
 * Intervals, bets, risks and significance: see intervals.h. Each part begins with its formulas and their source.
 *
 * Nothing here is resampled, as bootstrap.c does it for the figures of a confidence: the same numbers give the same
 * interval.
 */
#include "measure/intervals.h"

#include "base/elementary.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* ---- Draws ---- */

/*
 * Each of K drawn models agrees with the answer at a word with probability gamma, and nu is the share of those that do.
 * Then (Hoeffding 1963; Bernstein 1946)
 *
 *     P(|gamma - nu| >= eps)  <=  2 exp(-2 K eps^2)
 *     P(|gamma - nu| >= eps)  <=  2 exp(-K eps^2 / (2 (gamma (1 - gamma) + eps/3)))
 *
 * and N words are all closer with probability 1 - delta if the right-hand side is at most delta/N (Mejer and Crammer
 * 2011, on the effect of K). With L = log(2N/delta) the first gives
 *
 *     K >= L / (2 eps^2),     eps = sqrt(L / (2K)).
 *
 * The second is K eps^2 - (2L/3) eps - 2 L v >= 0 with v = gamma (1 - gamma), hence
 *
 *     K >= 2L (v + eps/3) / eps^2,     eps = (2L/3 + sqrt((2L/3)^2 + 8 K L v)) / (2K),
 *
 * the larger root of the quadratic; it is the paper's formula. Bernstein's is the narrower near 0 and 1, Hoeffding's
 * near 0.5. Both bound the same probability, so the narrower one holds at every gamma.
 *
 * At 0 and at 1 all draws are the same, and the true error is none; Bernstein's bound is 2L/3K there, since it must
 * hold close by as well.
 *
 * The end of the interval gamma + eps(gamma) is concave in gamma, as eps is the minimum of a constant and the root of a
 * concave function. Those that reach a threshold t are therefore an interval, which t itself is in: bisection below t
 * finds where it begins.
 */

double bound_of(double words, double delta)
{
    return log_of(2 * words / delta);
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

struct interval draws_interval(double L, double K, double gamma)
{
    return interval_around(gamma, fmin(hoeffding_error(L, K), bernstein_error(L, K, gamma)));
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

/* ---- Clusters ---- */

/*
 * Clusters i are independent of each other, the k_i things in one of them, r_i of which count, are not. The share
 * p = sum r / sum k has about the variance (Cochran 1977, on ratio estimates)
 *
 *     V = n/(n-1) sum (r_i - p k_i)^2 / (sum k)^2
 *
 * where independent things would have p (1 - p) / sum k. As many independent things as have the variance V are put
 * into Wilson's interval (1927),
 *
 *     (p + z^2/2m +- z sqrt(p (1 - p)/m + z^2/4m^2)) / (1 + z^2/m),     m = sum k * min(1, p (1 - p) / (V sum k)),
 *
 * which is not empty at p = 0 and 1. Only sums are kept: O(1) for each cluster.
 */
/* Deviations of the normal distribution around its mean, with a probability of 0.9. */
#define NINETY 1.6448536269514722

void clustered_add(struct clustered *sum, double right, double of)
{
    sum->clusters++;
    sum->right += right;
    sum->of += of;
    sum->right_square += right * right;
    sum->cross += right * of;
    sum->of_square += of * of;
}

double clustered_share(const struct clustered *sum)
{
    return sum->of > 0 ? sum->right / sum->of : NAN;
}

struct interval clustered_interval(const struct clustered *s)
{
    double p = clustered_share(s), z = NINETY, m = s->of;
    if (!(s->of > 0))
        return (struct interval){0, 1};
    double squares = s->right_square - 2 * p * s->cross + p * p * s->of_square;
    double variance = s->clusters > 1 ? s->clusters / (s->clusters - 1) * squares / (s->of * s->of) : 0;
    if (variance * s->of > p * (1 - p))
        m = p * (1 - p) / variance;
    if (!(m > 0))
        m = fmin(s->clusters, s->of);
    double middle = (p + z * z / (2 * m)) / (1 + z * z / m);
    double half = z * sqrt(p * (1 - p) / m + z * z / (4 * m * m)) / (1 + z * z / m);
    return (struct interval){fmax(0, middle - half), fmin(1, middle + half)};
}

/* ---- Bets ---- */

/*
 * A capital of 1 is bet on every value z_i >= -b: with the share l_i of it, chosen before z_i is seen,
 *
 *     K_i = K_i-1 (1 + l_i z_i),      0 <= l_i <= 3 / (4 b).
 *
 * If the mean is at most 0, whatever came before, K is a nonnegative supermartingale, and reaches 1/d with a
 * probability of at most d (Ville 1939). So the mean is above 0, at level d, once the capital has been 1/d. The share
 * that makes the capital grow fastest is about the mean of z over its mean square, which is estimated from the values
 * before: Waudby-Smith and Ramdas (2024), "Estimating means of bounded random variables by betting", who call it
 * aGRAPA. z needs no upper bound, and its distribution may be any.
 *
 * Estimates begin with values that are not bet on (bet_plan()), and with one error, so that the squares are never 0.
 * O(1) for each value. docs/MEASUREMENTS.md compares it with the bounds of Hoeffding and Bentkus, and with exact
 * binomials.
 */
#define MOST_AT_STAKE 0.75

void bet_init(struct bet *bet, double unit, double cap)
{
    *bet = (struct bet){.floor = unit * cap, .sum = -unit, .squares = unit * unit, .count = 1};
}

static double share_of(const struct bet *bet)
{
    return fmax(0, fmin(bet->sum / bet->squares, MOST_AT_STAKE / bet->floor));
}

void bet_plan(struct bet *bet, double value)
{
    value = fmax(value, -bet->floor);
    bet->sum += value;
    bet->squares += value * value;
    bet->count++;
}

void bet_take(struct bet *bet, double value)
{
    bet->wealth += log1p_of(share_of(bet) * fmax(value, -bet->floor));
    bet->most = fmax(bet->most, bet->wealth);
    bet_plan(bet, value);
}

double bet_outlook(const struct bet *bet, double n)
{
    double share = share_of(bet);
    return n / bet->count * share * (bet->sum - share * bet->squares / 2);
}

bool bet_won(const struct bet *bet, double level)
{
    return bet->most >= -log_of(level);
}

/* ---- Conformal risk control ---- */

/*
 * Sentence i loses L_i(t), the share of its words whose sets miss the right choice if they hold the choices with
 * probabilities of at least t. It never falls as t grows. If sentences 1 to n and a further one are exchangeable, then
 * (Angelopoulos, Bates, Fisch, Lei and Schuster 2022, "Conformal risk control")
 *
 *     t = sup { t : (L_1(t) + ... + L_n(t) + 1) / (n + 1) <= a }    gives    E L_n+1(t) <= a.
 *
 * A word whose answer is right is never missed; another one is if the probability of its right choice is below t. So
 * the sum is a step function: its steps are added by ascending probability, until the next one would be too much. O(M
 * log M) for M such words.
 */
static int by_score(const void *a, const void *b)
{
    const struct miss *x = a, *y = b;
    return (x->score > y->score) - (x->score < y->score);
}

double conformal_threshold(struct miss *miss, size_t misses, size_t sentences, double risk, double *reached)
{
    double n = (double)sentences, allowed = risk * (n + 1) - 1, lost = 0;
    size_t i = 0;
    if (misses > 0)
        qsort(miss, misses, sizeof *miss, by_score);
    while (i < misses && miss[i].score <= 0) /* these are missed at every threshold */
        lost += miss[i++].share;
    *reached = lost > allowed ? (lost + 1) / (n + 1) : risk;
    if (lost > allowed)
        return 0;
    for (; i < misses; i++) {
        lost += miss[i].share;
        if (lost > allowed)
            return miss[i].score;
    }
    return 1;
}

/* ---- Significance ---- */

/*
 * Student's t over differences d = a - b of n pairs is mean(d) * sqrt(n) / s(d), with v = n - 1 degrees of freedom, and
 * its two-sided probability is
 *
 *     p = I_x(v/2, 1/2),  x = v / (v + t^2)
 *
 * (Abramowitz and Stegun 1964, 26.7.1 with 26.5.27), I being the regularised incomplete beta function. I_x(a, b) = x^a
 * (1-x)^b / (a B(a, b)) * 1/(1 + c1/(1 + c2/(1 + ...))) with
 *
 *     c_2m   =  m (b - m) x / ((a + 2m - 1)(a + 2m))
 *     c_2m+1 = -(a + m)(a + b + m) x / ((a + 2m)(a + 2m + 1))
 *
 * (DLMF 8.17.22), evaluated from the front by Lentz's method as modified by Thompson and Barnett (1986). It converges
 * fast for x < (a + 1)/(a + b + 2), in O(sqrt(max(a, b))) steps; elsewhere I_x(a, b) = 1 - I_{1-x}(b, a).
 *
 * Means are taken from the first value, so that equal values have exactly zero variance.
 */
double sample_mean(const double *x, size_t n)
{
    if (n == 0)
        return NAN;
    double sum = 0;
    for (size_t i = 1; i < n; i++)
        sum += x[i] - x[0];
    return x[0] + sum / (double)n;
}

double sample_deviation(const double *x, size_t n)
{
    if (n < 2)
        return NAN;
    double mean = sample_mean(x, n), squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

static double away_from_zero(double x)
{
    return fabs(x) < DBL_MIN ? DBL_MIN : x;
}

/* Returns 1/(1 + c1/(1 + c2/(1 + ...))) for x < (a + 1)/(a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double numerator = 1, denominator = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = denominator;
    for (double m = 1; m < 1e6; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        denominator = 1 / away_from_zero(1 + even * denominator);
        numerator = away_from_zero(1 + even / numerator);
        value *= numerator * denominator;
        denominator = 1 / away_from_zero(1 + odd * denominator);
        numerator = away_from_zero(1 + odd / numerator);
        value *= numerator * denominator;
        if (fabs(numerator * denominator - 1) <= DBL_EPSILON)
            break;
    }
    return value;
}

/* Returns I_x(a, b); y is 1 - x, passed on its own because x may be close to 1. */
static double incomplete_beta(double a, double b, double x, double y)
{
    if (x <= 0)
        return 0;
    if (y <= 0)
        return 1;
    double front = exp_of(lgamma_of(a + b) - lgamma_of(a) - lgamma_of(b) + a * log_of(x) + b * log_of(y));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, y) / b;
}

double student_two_sided(double t, size_t freedom)
{
    double v = (double)freedom, ratio = t * t / v;
    return incomplete_beta(v / 2, 0.5, 1 / (1 + ratio), 1 / (1 + 1 / ratio));
}

double student_critical(double p, size_t freedom)
{
    double low = 0, high = 1;
    while (student_two_sided(high, freedom) > p && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200 && low < high; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        if (student_two_sided(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double sample_interval(const double *x, size_t n)
{
    return n < 2 ? NAN : student_critical(0.05, n - 1) * sample_deviation(x, n) / sqrt((double)n);
}

bool paired_t_test(const double *a, const double *b, size_t n, struct t_test *test)
{
    *test = (struct t_test){NAN, NAN, n ? n - 1 : 0, NAN};
    if (n < 2)
        return false;
    double first = a[0] - b[0], sum = 0, squares = 0;
    for (size_t i = 1; i < n; i++)
        sum += a[i] - b[i] - first;
    double mean = first + sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (a[i] - b[i] - mean) * (a[i] - b[i] - mean);
    double error = sqrt(squares / (double)(n - 1) / (double)n);
    if (!isfinite(mean) || !isfinite(error))
        return false;
    test->difference = mean;
    test->t = mean == 0 ? 0 : mean / error;
    test->p = student_two_sided(test->t, n - 1);
    return true;
}
