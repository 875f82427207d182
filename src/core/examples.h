/*
 * Examples are the seam between tasks and learning: sentences turned into parts and gold choices.
 *
 * A chain task keeps the rows of every sentence; a task whose groups grow with the square of the sentence can build
 * them anew at each call.
 *
 * When ranks train, each holds a part of the corpus. Sentence i belongs to shard i mod S, and shard s to rank s mod R.
 * A rank holds the sentences of its shards, in their order, and after them sentences that other ranks have sent: the
 * first rank, which calibrates alone, receives all that are held out, a bounded number. A sentence has the same number
 * on every rank, its number in the corpus. A process that works alone holds all sentences.
 */
#ifndef VOUCH_CORE_EXAMPLES_H
#define VOUCH_CORE_EXAMPLES_H

#include "base/buffer.h"
#include "base/ranks.h"
#include "core/parts.h"
#include "core/sentence.h"
#include "core/structure.h"

#define NOT_HERE UINT32_MAX

struct own_sentences {
    const struct ranks *ranks; /* NULL: every sentence is its own */
    uint32_t shards;           /* S, at least 1; not looked at if the process works alone */
    uint32_t own;              /* how many are its own, once all are known */
    uint32_t *received;        /* [receipts] sentences from other ranks, ascending; the set that owns `own` frees it */
    uint32_t receipts;
};

/* Whether the sentence belongs to this process. */
static inline bool sentence_is_own(const struct own_sentences *own, uint32_t i)
{
    return !own->ranks || i % own->shards % own->ranks->count == own->ranks->rank;
}

/* Returns the place of a sentence among those that are here, or NOT_HERE. Constant time; log n for received ones. */
uint32_t sentence_place(const struct own_sentences *own, uint32_t i);

/* Returns the number that the sentence at a place, one of its own, has in the corpus. */
uint32_t sentence_number(const struct own_sentences *own, uint32_t place);

/* How sentences of a set become bytes, and sentences again. */
struct sentence_post {
    void *self;
    bool (*pack)(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err);
    bool (*unpack)(void *self, const char *bytes, struct vouch_error *err); /* appends it to those that are here */
};

/* Sends the first rank those of `count` sentences that belong to others. own->received is to be freed in any case. */
bool sentences_send(struct own_sentences *own, const uint32_t *sentence, uint32_t count,
                    const struct sentence_post *post, struct vouch_error *err);

struct example {
    struct parts parts;
    const uint32_t *gold; /* [N]; of partly labelled examples OPEN_CHOICE where nothing was decided */
};

/* Returns how many words of `gold` [N] are open. */
static inline uint32_t count_open(const uint32_t *gold, uint32_t N)
{
    uint32_t open = 0;
    for (uint32_t n = 0; n < N; n++)
        open += gold[n] == OPEN_CHOICE;
    return open;
}

struct examples {
    const struct structure *structure;
    struct space space;
    uint32_t count;
    const void *self;

    /* Gets example i; its arrays stay valid until the next call with the same scratch. */
    bool (*get)(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                struct vouch_error *err);

    struct own_sentences own; /* with ranks: the examples that this one holds, the only ones that get() finds */
    bool partial;             /* words may be open */
};

/* Returns how many words of an example are open. */
static inline uint32_t example_open(const struct examples *examples, const struct example *example)
{
    return examples->partial ? count_open(example->gold, example->parts.N) : 0;
}

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
