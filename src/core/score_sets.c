/* Implements score sets: see score_sets.h. */
#include "core/score_sets.h"

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
