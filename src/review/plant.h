/*
 * Plants errors in a copy of a corpus's labels, to learn how errors look.
 */
#ifndef VOUCH_REVIEW_PLANT_H
#define VOUCH_REVIEW_PLANT_H

#include "review/decided.h"

/* Choices of all words, one sentence after the other, some of which were changed. */
struct planted {
    uint32_t *choice;   /* [words] */
    bool *changed;      /* [words] */
    bool *restored;     /* [words] errors of the corpus that were put back */
    uint32_t *sentence; /* [count] ascending: those with an error, one each, or with some that were put back */
    uint32_t count;
};

/* What to plant in. */
struct plant_plan {
    const struct dataset *dataset;
    bool dev;
    uint32_t sentences;
    bool heads;                     /* choices are heads, from 1; 0 is the root */
    uint32_t options;               /* else: the number of choices */
    const struct span_rules *rules; /* chunks are changed as a whole; NULL: single words are */
    uint32_t errors;                /* about how many to plant */
    const struct decided *decided;  /* sentences with words that were decided on get no errors but their own, which are
                                       put back; may be NULL */
    uint32_t layer;                 /* the layer of the choices */
    uint64_t seed;
};

/*
 * Plants errors in a copy of `given`, [words] choices; a sentence with a choice that the model does not have stays as
 * it is. Release in any case.
 */
bool plant_errors(struct planted *planted, const struct plant_plan *plan, const uint32_t *given,
                  struct vouch_error *err);
void planted_release(struct planted *planted);

#endif
