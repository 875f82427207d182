/*
 * Memory of scores, and of sets of scores from another model, with their mean.
 *
 * Arrays have some floats more than their parts, since the scoring kernel writes whole vectors. The mean of several
 * sets is the scores that decide the answer; it is summed in double, in the order of the sets.
 */
#include "core/scores.h"

#include "core/sentence.h"

#include <math.h>
#include <string.h>

/* Room for what spills over the last row, as the scoring kernel writes whole vectors. */
#define SPILL 16

bool scores_shape(struct scores *scores, uint32_t N, uint32_t G, uint32_t width, uint32_t E, struct vouch_error *err)
{
    size_t square = (size_t)width * width;
    scores->N = N;
    scores->G = G;
    scores->width = width;
    scores->E = E;
    scores->edge_step = E > 1 ? (uint32_t)square : 0;
    return RESERVE(scores->node, scores->node_capacity, (size_t)G * width + SPILL, err) &&
           RESERVE(scores->edge, scores->edge_capacity, E * square + SPILL, err);
}

bool scores_zero_like(struct scores *scores, const struct scores *like, struct vouch_error *err)
{
    if (!scores_shape(scores, like->N, like->G, like->width, like->E, err))
        return false;
    memset(scores->node, 0, sizeof *scores->node * like->G * like->width);
    memset(scores->edge, 0, sizeof *scores->edge * like->E * like->width * like->width);
    return true;
}

bool scores_copy(struct scores *scores, const struct scores *from, struct vouch_error *err)
{
    if (!scores_shape(scores, from->N, from->G, from->width, from->E, err))
        return false;
    memcpy(scores->node, from->node, sizeof *scores->node * from->G * from->width);
    memcpy(scores->edge, from->edge, sizeof *scores->edge * from->E * from->width * from->width);
    return true;
}

void scores_rule_out(struct scores *scores, const uint32_t *known)
{
    size_t choices = scores->N ? (size_t)scores->G * scores->width / scores->N : 0; /* of a word: labels or heads */
    for (uint32_t n = 0; n < scores->N; n++)
        for (size_t y = 0; known[n] != OPEN_CHOICE && y < choices; y++)
            if (y != known[n])
                scores->node[n * choices + y] = -INFINITY;
}

void scores_release(struct scores *scores)
{
    free(scores->node);
    free(scores->edge);
    *scores = (struct scores){0};
}

bool score_sets_init(struct score_sets *sets, uint32_t count, struct vouch_error *err)
{
    *sets = (struct score_sets){.sets = count};
    if (count < 2)
        return true;
    sets->set = new_array(count, sizeof *sets->set, err);
    return sets->set != NULL;
}

void score_sets_release(struct score_sets *sets)
{
    for (uint32_t k = 0; sets->set && k < sets->sets; k++)
        scores_release(&sets->set[k]);
    free(sets->set);
    scores_release(&sets->mean);
    *sets = (struct score_sets){0};
}

void score_list_release(struct score_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        score_sets_release(&list->sentence[i]);
    free(list->sentence);
    *list = (struct score_list){0};
}

bool score_sets_shape(struct score_sets *sets, uint32_t N, uint32_t G, uint32_t width, uint32_t E,
                      struct vouch_error *err)
{
    for (uint32_t k = 0; sets->set && k < sets->sets; k++)
        if (!scores_shape(&sets->set[k], N, G, width, E, err))
            return false;
    return scores_shape(&sets->mean, N, G, width, E, err);
}

void score_sets_average(struct score_sets *sets)
{
    struct scores *mean = &sets->mean;
    size_t nodes = (size_t)mean->G * mean->width, edges = (size_t)mean->E * mean->width * mean->width;
    for (size_t i = 0; sets->set && i < nodes + edges; i++) {
        double sum = 0;
        for (uint32_t k = 0; k < sets->sets; k++)
            sum += (double)(i < nodes ? sets->set[k].node[i] : sets->set[k].edge[i - nodes]);
        *(i < nodes ? &mean->node[i] : &mean->edge[i - nodes]) = (float)(sum / sets->sets);
    }
}
