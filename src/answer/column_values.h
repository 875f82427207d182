/*
 * Surveys the values of those columns of a corpus that have few different ones, such as parts of speech, so that a file
 * with another column in that place is noticed.
 *
 * A model keeps them in its header, as {"2": ["DT", "NN", ...]}, columns counted from 1. A column is kept if features
 * look at it, it is not the word, and it has at most MOST_VALUES values, each ten times on the average.
 */
#ifndef VOUCH_ANSWER_COLUMN_VALUES_H
#define VOUCH_ANSWER_COLUMN_VALUES_H

#include "model/model.h"

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
