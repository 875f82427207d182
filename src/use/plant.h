/*
 * Errors planted in a copy of what a corpus gives, to learn how errors look.
 */
#ifndef VOUCH_USE_PLANT_H
#define VOUCH_USE_PLANT_H

#include "use/decided.h"

/* Choices of all words, one sentence after the other, some of which were changed. */
struct planted {
    uint32_t *choice;   /* [words] */
    bool *changed;      /* [words] */
    bool *restored;     /* [words] errors that the corpus had, and that were put back */
    uint32_t *sentence; /* [count] ascending: those with an error, one each, or with some that were put back */
    uint32_t count;
};

/* What to plant in. */
struct plant_plan {
    const struct dataset *dataset;
    bool dev;
    uint32_t sentences;
    bool heads;                     /* choices are heads, from 1; 0 is the root */
    uint32_t options;               /* else: so many there are */
    const struct span_rules *rules; /* chunks are changed as a whole; NULL: words are */
    uint32_t errors;                /* about so many */
    const struct decided *decided;  /* sentences with words that were decided on get no errors but their own, which are
                                       put back; may be NULL */
    uint32_t layer;                 /* of which the choices are */
    uint64_t seed;
};

/* `given`: [words] choices; sentences that have one which is none stay as they are. Release in any case. */
bool plant_errors(struct planted *planted, const struct plant_plan *plan, const uint32_t *given,
                  struct vouch_error *err);
void planted_release(struct planted *planted);

#endif
