/* Decides what is doubtful, from the confidences of an answer alone: see doubt.h. Linear in the words. */
#include "answer/doubt.h"

#include <math.h>

static double number_at(const double *list, uint32_t i)
{
    return list ? list[i] : NAN;
}

void least_confidence(const struct confidences *confidences, uint32_t N, double *least)
{
    const struct method_confidence *first = confidences->methods > 0 ? confidences->by_method : NULL;
    for (uint32_t i = 0; i < N; i++) /* fmin() ignores a NAN: labels have no relation */
        least[i] = first ? fmin(number_at(first->word, i), number_at(first->relation, i)) : NAN;
    for (uint32_t s = 0; first && s < confidences->spans; s++) {
        const struct span *span = &confidences->span[s];
        double whole = number_at(first->span, s);
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            whole = fmin(whole, least[i]);
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            least[i] = whole;
    }
}

bool doubt_mark(const struct doubt_rule *rule, struct vouch_answer *answer, struct vouch_error *err)
{
    struct arena *arena = &answer->estimates.arena;
    uint32_t N = answer->N;
    double *least;
    bool *doubtful;
    struct text *label;
    if (!rule->marks || !answer->confidences)
        return true;
    if (!ARENA_ARRAY(least, N, arena, err) || !ARENA_ARRAY(doubtful, N, arena, err) ||
        !ARENA_ARRAY(label, N, arena, err))
        return false;
    least_confidence(answer->confidences, N, least);
    for (uint32_t i = 0; i < N; i++) {
        doubtful[i] = is_doubtful(least[i], rule->threshold);
        label[i] = doubtful[i] && rule->replacement ? text_of(rule->replacement)
                   : answer->label                  ? answer->label[i]
                                                    : text_of("_");
    }
    answer->doubtful = doubtful;
    answer->replaced = rule->replacement != NULL;
    if (answer->replaced && (answer->label || answer->head)) /* a document mark has neither */
        answer->label = label;
    return true;
}
