/*
 * Finds what need not be drawn: see cascade.h.
 *
 * The noise of a part is a sum over its features, of variance v, and so is that
 * of an edge, of variance u (see noise_variance()). Two choices of a word between
 * neighbours that stay differ in a part and in e edges each, e = 2 in a chain of
 * three words or more, so that the noise of their difference has the variance
 *
 *     sd^2 = 2 (v + e u)
 *
 * v and u being the largest of the answer's in the sentence. What is many sd
 * behind does not win in any of K draws:
 *
 *     words with edges   word n keeps its label if its margin > c sd
 *     otherwise          a part is drawn if its score >= that of the answer's part - c sd;
 *                        a word with no such part but its own keeps its choice
 *
 * Limits of this:
 * - A margin is that of the best answer with another label, which may change
 *   neighbours as well, use an edge again, and so vary more than one word does:
 *   its c is larger. Where words have a single feature, in long sentences, up to
 *   one in 400 draws of a word that is left out would have changed it.
 * - A draw of a tree changes a word's head also to make room for another's. So
 *   an arc that is not drawn still has its score, and may be taken, if without
 *   the noise that it would have. With scores at random, where trees are far from
 *   every word's best head, that is another head in one of 100 draws of a word
 *   that is left out.
 * - Variances of each weight's own are larger for choices that were hardly ever
 *   tried than for the answer's, whose v is taken. For arcs it must do: where
 *   rivals vary much more than the answer, draws would change words that are left
 *   out. With several choices in a group hardly any word would be beyond doubt, so
 *   that all is drawn.
 *
 * All is drawn as well in chains of few labels, where drawing costs as little as
 * margins, and in chains of given scores with edges: every edge has as much noise
 * as a word there, and few words are beyond that.
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

bool cascade_pays(const struct parts *parts, const struct scores *scores, bool own_variances)
{
    if (scores->N == 0 || (own_variances && scores->width > 1))
        return false;
    return scores->E == 0 || (scores->E == 1 && scores->width > FEW_LABELS && !parts->given);
}

/*
 * Draws the groups of word n with a part of at least this score, and the answer's if there is any such part. Groups are
 * heads if there are several, and the word itself is none.
 */
static size_t draw_near(const struct undrawn *u, uint32_t n, float least, bool *drawn)
{
    size_t width = u->scores->width, groups = u->scores->G / u->scores->N, own = u->best[n], count = 0;
    const float *score = u->scores->node + n * groups * width;
    for (size_t g = 0; g < groups; g++, score += width) {
        bool near = false, itself = groups > 1 && g == n + 1;
        for (size_t j = 0; !itself && j < width; j++)
            near |= !(score[j] < least) && g * width + j != own;
        drawn[g] = near;
        count += near;
    }
    bool alone = count > 0 && !drawn[own / width];
    drawn[own / width] |= alone;
    return count + alone;
}

/* Returns the standard deviation of the difference of two choices of a word, from the answer's parts that vary most. */
static double deviation(const struct undrawn *u)
{
    uint32_t N = u->scores->N, width = u->scores->width, groups = u->scores->G / N;
    uint32_t edges = u->scores->E == 0 ? 0 : N > 2 ? 2 : N - 1;
    double node = 0, edge = 0;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t group = n * groups + u->best[n] / width;
        node = fmax(node, noise_variance(u->drawing, u->parts, group, u->best[n] % width));
        if (edges > 0 && n > 0)
            edge = fmax(edge, noise_edge_variance(u->drawing, u->parts, 0, u->best[n - 1], u->best[n]));
    }
    return sqrt(2 * (node + edges * edge));
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
