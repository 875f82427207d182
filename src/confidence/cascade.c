/*
 * Finds what need not be drawn: see cascade.h.
 *
 * The noise of a part is a sum over its features, of variance v (see
 * noise_variance()), and that of the difference between two parts about
 * sd^2 = 2v, v being the largest of the answer's parts in the sentence. What is
 * many sd behind does not win in any of K draws:
 *
 *     words with edges   word n keeps its label if its margin > c sd
 *     otherwise          a part is drawn if its score >= that of the answer's part - c sd;
 *                        a word with no such part but its own keeps its choice
 *
 * A margin is that of the best answer with another label, which may change
 * neighbours as well and so vary more than one word does: its c is larger. A
 * draw of a tree changes a word's head also to make room for another's. So an
 * arc that is not drawn still has its score, and may be taken.
 *
 * The variances of confidence-weighted voices are large for choices that were
 * never tried. With several choices in a group hardly any word is beyond doubt
 * then, and all is drawn. The same goes for chains of few labels, where drawing
 * costs as little as margins.
 *
 * Cost: the features of one part for each word; O(N) a word for trees.
 */
#include "confidence/cascade.h"

#include <math.h>

enum { FEW_LABELS = 4 };

const struct cascade_limits default_cascade_limits = {.margin = 4.4, .score = 3.5};

bool cascade_needs_margins(const struct scores *scores)
{
    return scores->E > 0;
}

bool cascade_pays(const struct scores *scores, bool own_variances)
{
    if (scores->N == 0 || (own_variances && scores->width > 1))
        return false;
    return scores->E == 0 || (scores->E == 1 && scores->width > FEW_LABELS);
}

/* Draws the groups of word n with a part of at least this score, and the answer's if there is any such part. */
static size_t draw_near(const struct undrawn *u, uint32_t n, float least, bool *drawn)
{
    size_t width = u->scores->width, groups = u->scores->G / u->scores->N, own = u->best[n], count = 0;
    const float *score = u->scores->node + n * groups * width;
    for (size_t g = 0; g < groups; g++, score += width) {
        bool near = false;
        for (size_t j = 0; j < width; j++)
            near |= !(score[j] < least) && g * width + j != own;
        drawn[g] = near;
        count += near;
    }
    bool alone = count > 0 && !drawn[own / width];
    drawn[own / width] |= alone;
    return count + alone;
}

/* Returns the standard deviation of the difference of two parts, from the answer's part that varies most. */
static double deviation(const struct undrawn *u)
{
    uint32_t width = u->scores->width, groups = u->scores->G / u->scores->N;
    double most = 0;
    for (uint32_t n = 0; n < u->scores->N; n++) {
        uint32_t group = n * groups + u->best[n] / width;
        double variance = noise_variance(u->drawing, u->parts, group, u->best[n] % width);
        most = variance > most ? variance : most;
    }
    return sqrt(2 * most);
}

size_t cascade_settle(const struct undrawn *u, struct cascade_limits limits, bool *drawn)
{
    const struct scores *scores = u->scores;
    uint32_t N = scores->N, groups = N ? scores->G / N : 0;
    double sd = N ? deviation(u) : 0;
    size_t count = 0;
    for (uint32_t n = 0; n < N; n++, drawn += groups)
        if (cascade_needs_margins(scores))
            count += drawn[0] = !(fabs(u->margin[n]) > limits.margin * sd);
        else {
            double own = (double)scores->node[(size_t)n * groups * scores->width + u->best[n]];
            count += draw_near(u, n, (float)(own - limits.score * sd), drawn);
        }
    return count;
}
