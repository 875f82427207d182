/* Measures how steady answers were from pass to pass: see fluctuation.h. */
#include "active/fluctuation.h"

#include <string.h>

void fluctuation_release(struct fluctuation *f)
{
    free(f->weights);
    answering_release(&f->work);
    *f = (struct fluctuation){0};
}

bool fluctuation_begin(struct fluctuation *f, size_t size, uint32_t passes, struct vouch_error *err)
{
    f->passes = 0;
    f->size = size;
    return RESERVE(f->weights, f->capacity, size * passes, err);
}

void fluctuation_keep(struct fluctuation *f, const float *weights)
{
    memcpy(f->weights + f->size * f->passes++, weights, sizeof *weights * f->size);
}

bool fluctuation_words(struct fluctuation *f, const struct examples *examples, const struct parts *parts,
                       double *steady, struct vouch_error *err)
{
    struct answering *work = &f->work;
    uint32_t N = parts->N;
    double score;
    if (!RESERVE(work->choice, work->choice_capacity, (size_t)N * 2 + 1, err))
        return false;
    uint32_t *now = work->choice, *before = now + N;
    for (uint32_t n = 0; n < N; n++)
        steady[n] = 1;
    for (uint32_t p = 0; p < f->passes; p++) {
        uint32_t *swap = before;
        before = now;
        now = swap;
        if (!parts_score(parts, &examples->space, f->weights + f->size * p, &work->scores, err) ||
            !examples->structure->best(&work->scores, &work->decoding, now, &score, err))
            return false;
        for (uint32_t n = 0; p > 0 && n < N; n++)
            steady[n] -= (now[n] != before[n]) / (double)(f->passes - 1);
    }
    return true;
}
