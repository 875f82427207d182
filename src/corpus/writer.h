/*
 * Writing answers: the same file, completed.
 *
 *   conll     the word's line unchanged, a separator, the label
 *   plain     word/label pairs, separated by spaces
 *   crfsuite  the label alone, as CRFsuite does
 *   jsonl     the object that was read, with "predicted" and "spans" added
 *
 * A document mark is carried through with the label O (JSON: unchanged).
 *
 * Trees, written as they were read:
 *
 *   conllu    HEAD and DEPREL replaced; comments, ranges, empty nodes and all other columns unchanged
 *   jsonl     the object that was read, with "predicted_heads" and "predicted_relations" added
 */
#ifndef VOUCH_CORPUS_WRITER_H
#define VOUCH_CORPUS_WRITER_H

#include "base/output.h"
#include "corpus/reader.h"

struct writer_options {
    enum format format;
    char separator; /* of CoNLL columns */
};

bool write_labelled(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const struct text *label /* [N] */, struct vouch_error *err);

struct tree_answer {
    const uint32_t *head;        /* [N] 0 for the root, else a word's number from 1 */
    const struct text *relation; /* [N], or NULL: unknown */
};

bool write_tree(struct output *out, const struct sentence *sentence, const struct tree_answer *answer,
                struct vouch_error *err);

#endif
