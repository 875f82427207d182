/* Answers examples: see examples.h. */
#include "core/examples.h"

void answering_release(struct answering *work)
{
    scratch_release(&work->fetching);
    scratch_release(&work->decoding);
    scores_release(&work->scores);
    free(work->choice);
    *work = (struct answering){0};
}

bool examples_answer(const struct examples *examples, uint32_t i, const float *weights, struct answering *work,
                     struct example *example, struct vouch_error *err)
{
    double score;
    return examples->get(examples->self, i, &work->fetching, example, err) &&
           RESERVE(work->choice, work->choice_capacity, (size_t)example->parts.N + 1, err) &&
           parts_score(&example->parts, &examples->space, weights, &work->scores, err) &&
           examples->structure->best(&work->scores, &work->decoding, work->choice, &score, err);
}
