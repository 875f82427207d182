/* Divides a corpus in two, sentence by sentence, at random. */
#ifndef VOUCH_TEXT_SPLIT_H
#define VOUCH_TEXT_SPLIT_H

#include "text/reader.h"

struct split_plan {
    char *const *file; /* [files] that can be read twice */
    size_t files;
    enum format format;
    double share;   /* of the sentences that go to `first`, if `count` is 0 */
    uint64_t count; /* sentences that go to `first`; all, if there are fewer */
    uint64_t seed;
    const char *first, *rest; /* files to write; rest may be NULL */
};

struct split_part {
    uint64_t sentences, words;
};

/*
 * Writes every sentence to one of the two, as it was read and in the order of reading; document marks go to neither.
 * Each file appears whole or not at all. The files are read twice.
 */
bool split_corpus(const struct split_plan *plan, struct split_part part[2], struct vouch_error *err);

#endif
