/*
 * Repeats are the same words in other places, with the labels that they have there.
 *
 * A label that contradicts all others of its like is suspect to a person, too: the counts can be looked up in the file.
 */
#ifndef VOUCH_REVIEW_REPEATS_H
#define VOUCH_REVIEW_REPEATS_H

#include "train/held_out.h"

#include <stddef.h>
#include <stdint.h>

struct finding;

/* An occurrence of something in a place: what it is, and what it is called there. */
struct occurrence {
    uint64_t context, name;
    size_t place;
};

/* Other places with the same context. */
struct repeat {
    uint32_t others;
    uint32_t same;  /* of these: called the same */
    uint32_t rival; /* of these: called by the name that is most frequent among all other names */
    size_t example; /* the first place with that name; its own place if there is no rival */
};

/*
 * Counts the others of each of `count` occurrences, into repeat[place]; a place may occur once. Of rivals that are
 * equally frequent, the one that comes first counts. O(n log n), where contexts are hashes of 64 bits.
 */
bool repeats_count(const struct occurrence *occurrence, size_t count, uint32_t threads, struct repeat *repeat,
                   struct vouch_error *err);

enum repeat_kind {
    REPEAT_NEAR, /* labels and heads: the word with both neighbours; relations: the word with its head */
    REPEAT_CHUNK /* labels of chunks: the words of the chunk that is given or, outside of chunks, proposed */
};
enum { REPEAT_KINDS = 2 };

struct repeats {
    uint32_t *form, *tag;                        /* [words] hashes; tag is 0 where there is none, as with labels */
    struct repeat *of[MAX_LAYERS][REPEAT_KINDS]; /* [words]; NULL: not counted */
};

/* Counts in all sentences, whose findings are finding[layer][word]. Release in any case. */
bool repeats_find(struct repeats *repeats, const struct held_out *held, struct finding *const *finding,
                  uint32_t threads, struct vouch_error *err);
void repeats_release(struct repeats *repeats);

/* Returns the log-odds that a label is right by the labels of the same words alone; 0 if there are none. */
double repeat_odds(const struct repeat *repeat);

#endif
