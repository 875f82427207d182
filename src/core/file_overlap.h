/*
 * Notices files whose text was read before: a file that is given twice, a copy of it by another name, or one text twice
 * in a file. Sentences that count twice look like more evidence than there is.
 *
 * A sentence is told by the digest of its words, so that paths, compression, ends of lines and labels do not matter. It
 * is there again if a file before this one has it, or if it follows the same sentence as in an earlier document of its
 * own file: within a corpus, short lines such as the name of an agency come many times by nature, but not in the same
 * order. A file counts as read before if half of its sentences are in files before it, or half of what these have is in
 * it, or if half of its sentences are there twice, in the same order; without documents, in any order if each is. A few
 * are in any text: up to 23 of 100 sentences of a corpus of news had come before in it. What is found matters if it is
 * at least a hundredth of everything.
 *
 * Cost: O(n log n) at the end of each file, and at most 32 bytes for each sentence.
 */
#ifndef VOUCH_CORE_FILE_OVERLAP_H
#define VOUCH_CORE_FILE_OVERLAP_H

#include "core/sentence.h"

/* Zero it before first use; release in any case. */
struct file_overlap {
    struct digest_set before; /* sentences of earlier files */
    struct digest_set here;   /* those of the file at hand, */
    struct digest_set pairs;  /* and each with the one before it, once a document, */
    struct digest_set inside; /* but for those of the document at hand, */
    uint32_t document;        /* which has this number; 0: there are none, and all of them count */
    uint64_t last;            /* the digest of the sentence before; 0 if there is none */
    const char *path;         /* of the file at hand, borrowed; NULL: it has no name */

    uint64_t sentences;       /* of all files that were ended */
    const char *again_path;   /* the first file that was read before, */
    uint64_t again_of, again; /* its sentences, and how many of them were there; 0: there is no such file */
    uint64_t repeated;        /* the same of all such files together */
};

/* Begins a file, and ends the one before it. */
bool file_overlap_begin(struct file_overlap *overlap, const char *path, struct vouch_error *err);

/* Takes a sentence of a document, whose number is from 1; 0: it is in none. */
bool file_overlap_add(struct file_overlap *overlap, uint64_t words_digest, uint32_t document, struct vouch_error *err);
bool file_overlap_end(struct file_overlap *overlap, struct vouch_error *err);
void file_overlap_release(struct file_overlap *overlap);

/* Whether a text of which `some` of `all` sentences are known counts as known: a few short ones are in any text. */
static inline bool is_most(uint64_t some, uint64_t all)
{
    return all > 0 && some >= all - some;
}

/* Whether enough was read twice to matter. */
static inline bool has_overlap(const struct file_overlap *overlap)
{
    return overlap->repeated > 0 && 100 * overlap->repeated >= overlap->sentences;
}

#endif
