/*
 * Examples are the seam between tasks and learning: sentences turned into parts
 * and gold choices.
 *
 * A chain task keeps the rows of every sentence; a task whose groups grow with
 * the square of the sentence can build them anew at each call.
 */
#ifndef VOUCH_CORE_EXAMPLES_H
#define VOUCH_CORE_EXAMPLES_H

#include "core/own_sentences.h"
#include "core/parts.h"
#include "core/structure.h"

struct example {
    struct parts parts;
    const uint32_t *gold; /* [N] */
};

struct examples {
    const struct structure *structure;
    struct space space;
    uint32_t count;
    const void *self;

    /* Gets example i; its arrays stay valid until the next call with the same scratch. */
    bool (*get)(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                struct vouch_error *err);

    struct own_sentences own; /* those that are here, if ranks have the examples between them: no other can be got */
};

/* Some of the examples. */
struct subset {
    const uint32_t *index; /* [count] their numbers; NULL: the first `count` */
    uint32_t count;
};

/* Working memory of answering examples; zero it before first use. */
struct answering {
    struct scratch fetching, decoding;
    struct scores scores;
    uint32_t *choice; /* [N] the best answer to the example answered last */
    size_t choice_capacity;
};
void answering_release(struct answering *work);

/* Gets example i, and the best answer to it under `weights`, in work->choice. */
bool examples_answer(const struct examples *examples, uint32_t i, const float *weights, struct answering *work,
                     struct example *example, struct vouch_error *err);

#endif
