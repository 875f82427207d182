/*
 * Computes shares of clustered things: see clustered.h.
 *
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
#include "measure/clustered.h"

#include <math.h>

#define NINETY                                                                                                         \
    1.6448536269514722 /* deviations of the normal distribution around its mean, with a probability of 0.9             \
                        */

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
