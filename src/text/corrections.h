/*
 * Corrections are what was decided about the words of a file, so that it can be read as if that were written in it.
 *
 * A word that was decided on has a correction even if it stays as it is.
 */
#ifndef VOUCH_TEXT_CORRECTIONS_H
#define VOUCH_TEXT_CORRECTIONS_H

#include "base/buffer.h"
#include "core/sentence.h"

struct correction {
    uint64_t line;     /* of the sentence, as sentence->number has it */
    uint32_t word;     /* in the sentence, from 0 */
    uint32_t head;     /* of trees: the head that it gets */
    size_t at, length; /* its label, or relation, in corrections->text */
    bool changed;      /* it is not what the file has */
};

/* The corrections of one file, in its order. */
struct corrections {
    const char *path;
    struct correction *item;
    size_t count, capacity;
    struct buffer text;
    uint64_t kept, changed; /* words */
};

bool corrections_add(struct corrections *corrections, struct correction correction, struct text label,
                     struct vouch_error *err);
void corrections_release(struct corrections *corrections);

/*
 * Finds the corrections of a sentence: item[from] .. item[to - 1]. *next, 0 at the beginning of the file, keeps the
 * place to continue from, since sentences come in the order of the file.
 */
void corrections_of(const struct corrections *corrections, const struct sentence *sentence, size_t *next, size_t *from,
                    size_t *to);

/* Applies these to the sentence that was read: labels, or heads and relations. */
void corrections_make(const struct corrections *corrections, size_t from, size_t to, struct sentence *sentence);

#endif
