/*
 * A lexicon in a file is five streams of bits (base/bits.h), whose lengths of text are codes:
 *
 *     lengths        of each entry, in ascending order of bytes: how many bytes it shares with the one before, and how
 *                    many follow; before them the orders of the two codes
 *     bytes          what follows
 *     rows           the row of classes of each entry, from 0, in as many bits as the last row needs
 *     class.lengths  the length of each row, behind the order of the code
 *     class.bytes    the rows, whose classes are separated by tabs
 *
 * What is read is checked, since files may be damaged or hostile: entries ascend, are words with single blanks between
 * them, and have classes in all columns. Time: linear in the bytes, and one look-up in a table for each entry.
 */
#ifndef VOUCH_MODEL_LEXICON_CODE_H
#define VOUCH_MODEL_LEXICON_CODE_H

#include "model/vocabulary_code.h"
#include "task/lexicon.h"

enum lexicon_part {
    LEXICON_LENGTHS,
    LEXICON_BYTES,
    LEXICON_ROWS,
    LEXICON_CLASS_LENGTHS,
    LEXICON_CLASS_BYTES,
    LEXICON_PARTS
};

struct lexicon_streams {
    struct section_view part[LEXICON_PARTS];
};

/* Returns the name of the section of a part of lexicon number i, from 0: "lexicon.0.lengths". */
struct lexicon_section {
    char of[24];
};
struct lexicon_section lexicon_section(uint32_t i, enum lexicon_part part);

bool lexicon_fold(const struct lexicon *lexicon, enum lexicon_part part, struct bit_writer *writer,
                  struct vouch_error *err);

/*
 * Fills in a lexicon that has its name and its columns. Fails if a stream is damaged, without setting the error, or if
 * there is no memory.
 */
bool lexicon_unfold(struct lexicon *lexicon, uint32_t entries, uint32_t rows, const struct lexicon_streams *streams,
                    struct vouch_error *err);

#endif
