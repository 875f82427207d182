/*
 * Which sentences of a corpus this process holds, and where.
 *
 * Sentence i belongs to shard i mod S, and shard s to rank s mod R. A rank holds the sentences of its shards, in their
 * order, and behind them its guests: sentences of other ranks that it was sent. A process that works alone holds all.
 */
#ifndef VOUCH_CORE_OWN_SENTENCES_H
#define VOUCH_CORE_OWN_SENTENCES_H

#include "base/buffer.h"
#include "base/ranks.h"

#define NOT_HERE UINT32_MAX

struct own_sentences {
    const struct ranks *ranks; /* NULL: every sentence is its own */
    uint32_t shards;           /* S, at least 1; not looked at if the process works alone */
    const uint32_t *guest;     /* [guests] in ascending order */
    uint32_t guests;
    uint32_t own; /* how many are its own, once all are known */
};

/* Whether the sentence belongs to this process. */
static inline bool sentence_is_own(const struct own_sentences *own, uint32_t i)
{
    return !own->ranks || i % own->shards % own->ranks->count == own->ranks->rank;
}

/* Returns the place of a sentence among those that are here, or NOT_HERE. Constant time; for guests, log of guests. */
uint32_t sentence_place(const struct own_sentences *own, uint32_t i);

/* Returns the number that the sentence at a place, one of its own, has in the corpus. */
uint32_t sentence_number(const struct own_sentences *own, uint32_t place);

/* How sentences of a set become bytes, and sentences again. */
struct sentence_post {
    void *self;
    bool (*pack)(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err);
    bool (*unpack)(void *self, const char *bytes, struct vouch_error *err); /* puts it behind those that are here */
};

/*
 * Sends the first rank those of `count` sentences that belong to others: they become its guests. *guest gets their
 * numbers, and is to be freed in any case.
 */
bool sentences_send(struct own_sentences *own, const uint32_t *sentence, uint32_t count,
                    const struct sentence_post *post, uint32_t **guest, struct vouch_error *err);

#endif
