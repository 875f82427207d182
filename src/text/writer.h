/*
 * Writes answers: the same file, completed.
 *
 *   conll     the word's line unchanged, a separator, the label
 *   plain     word/label pairs, separated as the words were
 *   crfsuite  the label alone, as CRFsuite does
 *   jsonl     the object that was read, with "predicted" and "spans" added
 *   conllu    the column of the labels replaced, everything else unchanged
 *
 * Lines end as they did, and blank lines stay.
 *
 * A document mark is carried through with the label O (JSON: unchanged). A
 * faulty sentence is replaced by an object with "error" and "line".
 *
 * Trees are written as they were read:
 *
 *   conllu    HEAD and DEPREL replaced; comments, ranges, empty nodes and all other columns unchanged
 *   jsonl     the object that was read, with "predicted_heads" and "predicted_relations" added
 *
 * With confidences, these are written as well:
 *
 *   conll     a column for each method; with alternatives one more, "label:0.93|label2:0.05"; with sets one with
 *             "{label|label2}" and, of chunks, one with their readings at their first words, "{PER|O}"
 *   plain     word/label/0.93, by the first method; then the set
 *   crfsuite  label:0.93, and a colon and a number for every further method; then the set
 *   jsonl     "confidence" in every span and for the whole; see jsonl_write.c
 *   conllu    UposConf, UposAlt, UposSet and UposReadings, or as the column is called, in MISC; of trees HeadConf,
 *             RelConf, HeadAlt and HeadSet; "# conf" and "# conf_method" in front; see conllu_write.c
 *
 * Numbers have six digits. A number that was not computed is "_", in CoNLL-U
 * nothing at all, in JSON null; infinity is "inf", in JSON a string.
 */
#ifndef VOUCH_TEXT_WRITER_H
#define VOUCH_TEXT_WRITER_H

#include "base/output.h"
#include "core/confidences.h"
#include "text/reader.h"

#include <math.h>

struct writer_options {
    enum format format;
    char separator;       /* of CoNLL columns */
    uint32_t column;      /* of the labels in CoNLL-U, as reader_column() has it */
    bool alone;           /* the sentence is taken out of its file: it needs an end of its own */
    bool keeps_relations; /* of a tree in CoNLL-U that comes without them; if false, they become "_" */
};

static inline struct writer_options writer_options_for(const struct reader *reader)
{
    return (struct writer_options){.format = reader->format, .separator = reader->separator};
}

/*
 * What a writer gets beside the answer, in which doubtful labels or relations have been replaced if there is a
 * replacement. Writers do not decide what is doubtful: see answer/doubt.h.
 */
struct marks {
    const struct confidences *confidences; /* NULL: there are none */
    const bool *doubtful;                  /* [N], or NULL: there is no threshold */
    bool replaced;                         /* doubtful answers have been replaced: there is nothing to flag */
};

/*
 * Writes a sentence with its answer: labels, or a tree if there are heads, of which only `alone` and `keeps_relations`
 * of the options matter. `marks` is NULL if there are no confidences. If there are, pass them for a document mark as
 * well, with the same methods, so that all lines have as many columns; their numbers are not looked at. Spans are in
 * the order of words.
 */
bool write_sentence(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const uint32_t *head /* [N] 0 for the root, else a word's number from 1; NULL: labels */,
                    const struct text *label /* [N] labels; of a tree relations, NULL if they are unknown */,
                    const struct marks *marks, struct vouch_error *err);

/*
 * Writes a sentence as it was read, with the comments before it and a blank line after it, even if it had none. Nothing
 * is added: for files of sentences that are to be labelled.
 */
void write_as_read(struct output *out, const struct writer_options *options, const struct sentence *sentence);

/*
 * Does the same with an answer that is to be corrected by hand, and then trained on: as write_sentence()
 * without confidences, but CRFsuite lines are written whole, with the label in its place, and in JSON
 * lines the keys are those of gold.
 */
bool write_to_correct(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                      const uint32_t *head /* [N]; NULL: labels */, const struct text *label /* [N] */,
                      struct vouch_error *err);

/*
 * Writes a comment at the beginning of a file of CoNLL columns, which names the
 * methods whose numbers follow, and tells whether they are calibrated:
 *
 *     # conf_method=kd-fix:calibrated,delta:raw
 *
 * There is one space in it, so that no reader takes it for a word, which has three columns or more. Trees and JSON
 * lines hold this themselves, and get nothing; formats without comments are refused.
 */
bool write_header(struct output *out, const struct writer_options *options,
                  const struct method_confidence *by_method /* [count] */, uint32_t count, struct vouch_error *err);

#endif
