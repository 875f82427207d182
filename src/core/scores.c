/* Lays out scores: see scores.h. */
#include "core/scores.h"

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

void scores_release(struct scores *scores)
{
    free(scores->node);
    free(scores->edge);
    *scores = (struct scores){0};
}
