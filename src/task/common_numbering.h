/*
 * Gives strings, labels and features the same numbers on all ranks, after each rank has numbered its own.
 *
 * A process that works alone numbers things (strings, labels or features) in the order in which its sentences have
 * them. So each rank notes in which sentence it first met each thing. Every thing is sent to one rank, chosen by its
 * 64-bit hash, which sorts what it receives by hash and keeps of equal things the one that was met first. Then all
 * ranks get the list of all things, and number them by the sentence in which they were first met, and by their turn in
 * it. A process that reads all sentences gives the same numbers, so dictionaries, weights and the model file are the
 * same, byte for byte, and no code after reading knows of another numbering.
 *
 * Time: n log n in the number n of different things, and in the things that one rank receives; memory and messages
 * likewise.
 */
#ifndef VOUCH_TASK_COMMON_NUMBERING_H
#define VOUCH_TASK_COMMON_NUMBERING_H

#include "base/ranks.h"
#include "task/tag_features.h"

/* How many things were known after which sentence: an entry for each sentence that has new ones. */
struct growth {
    struct {
        uint32_t sentence, size;
    } * after; /* [count] */
    size_t count, capacity;
};

/* Notes that `size` things were known after a sentence. */
bool growth_note(struct growth *growth, uint32_t sentence, uint32_t size, struct vouch_error *err);
void growth_release(struct growth *growth);

/*
 * Numbers the names of all ranks. The first `known` are the same on all ranks and keep their numbers; renamed
 * [count + 1] has the new number of every old one.
 */
bool number_names_alike(const struct ranks *ranks, struct dictionary *names, uint32_t known,
                        const struct growth *growth, uint32_t *renamed, struct vouch_error *err);

/* A vocabulary that is to be numbered, how it grew, and the one that all ranks started from; NULL: an empty one. */
struct vocabulary_growth {
    const struct templates *templates;
    struct vocabulary *vocabulary;
    const struct vocabulary *known;
    struct growth strings, node, edge;
};
bool vocabulary_growth_note(struct vocabulary_growth *growth, uint32_t sentence, struct vouch_error *err);
void vocabulary_growth_release(struct vocabulary_growth *growth);

/* Numbers strings and features; node and edge [features] get the new number of every old one. Free them in any case. */
bool number_vocabulary_alike(const struct ranks *ranks, struct vocabulary_growth *growth, uint32_t **node,
                             uint32_t **edge, struct vouch_error *err);

#endif
