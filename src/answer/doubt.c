/* Decides what is doubtful: see doubt.h. */
#include "answer/doubt.h"

static double number_at(const double *list, uint32_t i)
{
    return list ? list[i] : NAN;
}

void doubt_of_labels(const struct confidences *confidences, uint32_t N, double *least)
{
    const struct method_confidence *first = confidences->methods > 0 ? confidences->by_method : NULL;
    for (uint32_t i = 0; i < N; i++)
        least[i] = first ? number_at(first->word, i) : NAN;
    for (uint32_t s = 0; first && s < confidences->spans; s++) {
        const struct span *span = &confidences->span[s];
        double whole = number_at(first->span, s);
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            whole = fmin(whole, least[i]); /* fmin() ignores a NAN */
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            least[i] = whole;
    }
}

void doubt_of_arcs(const struct confidences *confidences, uint32_t N, double *least)
{
    const struct method_confidence *first = confidences->methods > 0 ? confidences->by_method : NULL;
    for (uint32_t i = 0; i < N; i++)
        least[i] = first ? fmin(number_at(first->word, i), number_at(first->relation, i)) : NAN;
}

void doubts_release(struct doubts *d)
{
    free(d->least);
    free(d->doubtful);
    free(d->answer);
    *d = (struct doubts){0};
}

/* Marks answers by d->least, and replaces doubtful ones in answers [N] (NULL: unknown) if a replacement is set. */
static bool settle(struct doubts *d, uint32_t N, const struct text **answer, struct marks *marks,
                   struct vouch_error *err)
{
    if (!RESERVE(d->doubtful, d->doubtful_capacity, (size_t)N + 1, err) ||
        !RESERVE(d->answer, d->answer_capacity, (size_t)N + 1, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        d->doubtful[i] = is_doubtful(d->least[i], d->threshold);
        d->answer[i] = d->doubtful[i] ? d->replacement : *answer ? (*answer)[i] : text_of("_");
    }
    marks->doubtful = d->doubtful;
    marks->replaced = d->replacement.length > 0;
    if (marks->replaced)
        *answer = d->answer;
    return true;
}

/* Whether there are confidences to compare with: a faulty sentence has no answer. */
static bool begin(const struct doubts *d, const struct sentence *sentence, const struct confidences *confidences,
                  struct marks *marks)
{
    *marks = (struct marks){.confidences = confidences};
    return confidences && !isnan(d->threshold) && !sentence->faulty;
}

bool doubts_mark_labels(struct doubts *d, const struct sentence *sentence, const struct confidences *confidences,
                        const struct text **label, struct marks *marks, struct vouch_error *err)
{
    if (!begin(d, sentence, confidences, marks))
        return true;
    if (!RESERVE(d->least, d->least_capacity, (size_t)sentence->N + 1, err))
        return false;
    doubt_of_labels(sentence->boundary ? &(struct confidences){0} : confidences, sentence->N, d->least);
    return settle(d, sentence->N, label, marks, err);
}

bool doubts_mark_tree(struct doubts *d, const struct sentence *sentence, const struct confidences *confidences,
                      struct tree_answer *tree, struct marks *marks, struct vouch_error *err)
{
    if (!begin(d, sentence, confidences, marks))
        return true;
    if (!RESERVE(d->least, d->least_capacity, (size_t)sentence->N + 1, err))
        return false;
    doubt_of_arcs(confidences, sentence->N, d->least);
    return settle(d, sentence->N, &tree->relation, marks, err);
}
