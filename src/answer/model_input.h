/*
 * Settles the reading options that follow from a model, checks whether a file that was opened is of the kind that it
 * was learned from, and warns of files that it has learned from: figures measured, or calibrated, on them look better
 * than they are.
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

/*
 * Warns of each of the files that the model was trained on, by its name; `then` tells the consequence. Where sentences
 * are at hand, measured_text_warn() knows better.
 */
void warn_of_training(const struct vouch_watch *watch, const struct vouch_model *model, char *const *path, size_t paths,
                      const char *then);

/*
 * Fails if the confidence of a model that does not keep the sentences it was tuned on (older versions of vouch made
 * such) was tuned on one of the files, by its name; see measured_text.h for the others.
 */
bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err);

/* Warns that the model has none of the gold labels of the files that it is measured on. */
void warn_of_unknown_labels(const struct vouch_watch *watch);

/*
 * The values of those columns of a corpus that have few different ones, such as parts of speech, so that a file with
 * another column in that place is noticed.
 *
 * A model keeps them in its header, as {"2": ["DT", "NN", ...]}, columns counted from 1. A column is kept if features
 * look at it, it is not the word, and it has at most MOST_VALUES values, each ten times on the average.
 */
enum { MOST_VALUES = 256, MOST_VALUED_COLUMNS = 8 };

/* One column: its values in training, and what was found since. */
struct column_values {
    uint32_t column; /* from 0 */
    struct dictionary values;
    bool many;             /* there are too many to keep, or they are not known */
    uint64_t known;        /* rows that a model's values stand for, at least */
    uint64_t rows, unseen; /* all rows; those with a value that training did not see */
    char example[200];     /* one of these, or its beginning */
};

struct column_survey {
    struct column_values column[MOST_VALUED_COLUMNS];
    uint32_t columns;
};

/* Begins a survey of the columns that the templates look at; release in any case. */
void column_survey_init(struct column_survey *survey, const struct templates *templates);
void column_survey_release(struct column_survey *survey);

/* Collects the values of a sentence. */
bool column_survey_add(struct column_survey *survey, const struct sentence *sentence, struct vouch_error *err);

/* Returns the values as a header keeps them; NULL if there are none, or no memory. */
json_t *column_survey_json(const struct column_survey *survey);

/* Reads the values from a model's header; a column that is missing or damaged there counts as unknown. */
bool column_survey_read(struct column_survey *survey, const struct vouch_model *model, struct vouch_error *err);

/* Compares a sentence with the survey. */
void column_survey_compare(struct column_survey *survey, const struct sentence *sentence);

/* Returns a column that holds, in most of at least 20 rows, values that training never saw; NULL if there is none. */
const struct column_values *column_survey_odd(const struct column_survey *survey);

#endif
