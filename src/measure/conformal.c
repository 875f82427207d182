/*
 * Implements conformal risk control: see conformal.h.
 *
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
#include "measure/conformal.h"

#include <stdlib.h>

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
