/*
 * Vocabularies and counts of answers take a few bits for each number in a file (base/bits.h), and are laid out anew
 * when they are read: the layout of a hash table follows from what is entered, in which order.
 *
 *     strings    their lengths; the bytes are apart
 *     features   how many numbers follow; of each the number of its rule, then those of its strings, of which the rule
 *                knows how many there are
 *     counts     the number of keys; then, ascending, of each the distance from the one before, and its count
 *
 * Every stream begins with the orders of its codes. Time: a look-up in a large table for every string, feature and key,
 * some twenty nanoseconds.
 */
#ifndef VOUCH_MODEL_VOCABULARY_CODE_H
#define VOUCH_MODEL_VOCABULARY_CODE_H

#include "base/bits.h"
#include "core/answer_counts.h"
#include "task/tag_features.h"

/* A section of a file that is being read. */
struct section_view {
    const void *bytes;
    uint64_t length;
};

bool strings_fold(const struct dictionary *strings, struct bit_writer *lengths, struct vouch_error *err);
bool features_fold(const struct feature_index *index, struct bit_writer *writer, struct vouch_error *err);
bool answer_counts_fold(const struct answer_counts *counts, struct bit_writer *writer, struct vouch_error *err);

/*
 * Each fails if the stream is damaged, without setting the error, or if there is no memory. Release what they fill in
 * any case. `count` is the number of strings or features.
 */
bool strings_unfold(struct dictionary *strings, uint32_t count, struct section_view lengths, struct section_view bytes,
                    struct vouch_error *err);
bool features_unfold(struct vocabulary *vocabulary, bool edge, uint32_t count, const struct templates *templates,
                     struct section_view stream, struct vouch_error *err); /* after the strings */
bool answer_counts_unfold(struct answer_counts *counts, struct section_view stream, struct vouch_error *err);

#endif
