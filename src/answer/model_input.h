/*
 * Settles the reading options that follow from a model, and checks whether a
 * file that was opened is of the kind that it was learned from.
 */
#ifndef VOUCH_ANSWER_MODEL_INPUT_H
#define VOUCH_ANSWER_MODEL_INPUT_H

#include "text/reader.h"
#include "model/model.h"

/*
 * Fills in options that were left open: trees for a parser; CRFsuite lines for ready-made attributes; the column of the
 * gold label as it was in training, in columns and in CoNLL-U; and, if that was the first column and labels are not
 * read, that words are in the second.
 */
void model_input_settle(const struct vouch_model *model, struct reader_options *reading);

/*
 * Fails if the file does not fit the model. Ready-made attributes are for models learned from such, and for no others.
 * CoNLL-U is for models learned from the same column of it, and for those that look at words alone. Words have vectors
 * if the model learned from such, of the same dimensions, and if both are of a table, of the same one.
 */
bool model_input_fits(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err);

/* Does the same for a file whose words alone are looked at: whether they have vectors does not matter. */
bool model_input_words_fit(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err);

/* Fails if the model looks at the column that it is to guess: `gold` as in struct reader_options. */
bool model_input_gold_apart(const struct vouch_model *model, const struct reader *reader, int gold,
                            struct vouch_error *err);

#endif
