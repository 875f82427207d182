/*
 * Checks what a model can read, by its header and its templates: see model_input.h.
 *
 * What must fail fails when a file is opened: a format, column or vectors other than those learned from. What only
 * looks wrong is a warning: a column that features look at is compared with the values that it had in training, kept in
 * the header while they are few, and if most rows have values that training never saw, the columns are probably not
 * those of training.
 */
#include "answer/model_input.h"

#include "base/watch.h"
#include "text/word_vectors.h"

#include <stdio.h>
#include <string.h>

/* Returns the column of CoNLL-U that the model learned, from 1; 0 if it learned from another format. */
static uint32_t learned_column(const struct vouch_model *model)
{
    const char *name = json_string_value(json_object_get(model->header, "column"));
    return name ? column_parse(name) : 0;
}

void model_input_settle(const struct vouch_model *model, struct reader_options *reading)
{
    reading->trees = model->trees;
    if (reading->format == FORMAT_AUTO && model->templates.attributes)
        reading->format = FORMAT_CRFSUITE;
    if (reading->column == 0)
        reading->column = learned_column(model);
    int gold = (int)json_integer_value(json_object_get(model->header, "gold"));
    if (reading->gold == GOLD_LAST)
        reading->gold = gold;
    else if (reading->gold == GOLD_NONE && gold == 1)
        reading->form = 1;
}

/* Fails if words do not have such vectors as the model learned from. */
static bool vectors_fit(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err)
{
    const struct vector_shape *shape = &model->templates.vectors;
    uint32_t found = reader->dimensions;
    uint64_t digest = reader->vector_digest;
    if (shape->D == found && (!shape->digest || !digest || digest == shape->digest))
        return true;
    if (!found)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected --vectors: the model was learned with vectors of words, of %u numbers each",
                    reader_path(reader), shape->D);
    if (!shape->D)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected no --vectors: the model was learned without",
                    reader_path(reader));
    if (shape->D != found)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected vectors of %u numbers, as the model was learned with, found %u",
                    reader->vectors->path, shape->D, found);
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: expected the table of vectors that the model was learned with (digest %016llx), found another "
                "(%016llx)",
                reader->vectors->path, (unsigned long long)shape->digest, (unsigned long long)digest);
}

bool model_input_fits(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err)
{
    return model_input_words_fit(model, reader, err) && vectors_fit(model, reader, err);
}

bool model_input_words_fit(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err)
{
    bool crfsuite = reader->format == FORMAT_CRFSUITE;
    if (model_lacks_weights(model)) /* it looks at no word */
        return true;
    uint32_t column = reader_column(reader), learned = learned_column(model);
    if (column && learned && column != learned)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected --column %s, which the model learned, found %s",
                    reader_path(reader), column_name(learned), column_name(column));
    if (column && !learned && !crfsuite && model->templates.columns > 1)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected a model learned from CoNLL-U, or one whose features look at words alone: this one "
                    "looks at %u columns",
                    reader_path(reader), model->templates.columns);
    if (crfsuite == model->templates.attributes)
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "%s: %s, found %s", reader_path(reader),
                crfsuite ? "expected columns, which the model's features look at"
                         : "expected CRFsuite lines, from which the model was learned",
                format_name(reader->format));
}

bool model_input_gold_apart(const struct vouch_model *model, const struct reader *reader, int gold,
                            struct vouch_error *err)
{
    uint32_t column = reader_column(reader);
    if (model_lacks_weights(model))
        return true;
    if (column && templates_see(&model->templates, column - 2)) /* cells are counted from FORM, the second column */
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a column that the model's features do not look at, found %s",
                    reader_path(reader), column_name(column));
    uint32_t columns = reader_columns(reader), at = gold == GOLD_LAST ? columns : (uint32_t)gold;
    if (reader->format != FORMAT_CONLL || columns < 2 || at > model->templates.columns ||
        !templates_see(&model->templates, at - 1))
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected %u columns beside the label, as the model reads, found %u",
                reader_path(reader), model->templates.columns, columns - 1);
}

void warn_of_training(const struct vouch_watch *watch, const struct vouch_model *model, char *const *path, size_t paths,
                      const char *then)
{
    const json_t *files = json_object_get(json_object_get(model->header, "training"), "files");
    for (size_t f = 0; f < json_array_size(files); f++)
        for (size_t i = 0; i < paths; i++) {
            const char *file = json_string_value(json_array_get(files, f));
            if (file && strcmp(file, path[i]) == 0)
                watch_say(watch, VOUCH_EVENT_WARNING, "warning: the model was trained on %s and %s", file, then);
        }
}

void warn_of_unknown_labels(const struct vouch_watch *watch)
{
    watch_say(watch, VOUCH_EVENT_WARNING,
              "warning: the model knows none of the gold labels: is it the right column (--gold)?");
}

bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err)
{
    const json_t *confidence = json_object_get(model->header, "confidence");
    const json_t *files = json_object_get(confidence, "sentences") ? NULL : json_object_get(confidence, "files");
    for (size_t k = 0; k < paths; k++)
        for (size_t i = 0; i < json_array_size(files); i++) {
            const char *file = json_string_value(json_array_get(files, i));
            if (file && strcmp(file, path[k]) == 0)
                return fail(err, VOUCH_ERR_ARGUMENT,
                            "%s: the model's confidence was tuned on this file: expected other sentences, whose "
                            "probabilities are not fitted to them",
                            file);
        }
    return true;
}

/* The values of columns: linear in the words; a look-up for each column that was kept. */
enum { OFTEN = 10, FEWEST_ROWS = 20 };

void column_survey_init(struct column_survey *survey, const struct templates *templates)
{
    *survey = (struct column_survey){0};
    for (uint32_t v = 0; v < templates->views; v++) {
        uint32_t column = templates->view[v].column, c = 0;
        while (c < survey->columns && survey->column[c].column != column)
            c++;
        if (c == survey->columns && c < MOST_VALUED_COLUMNS)
            survey->column[survey->columns++].column = column;
    }
}

void column_survey_release(struct column_survey *survey)
{
    for (uint32_t c = 0; c < MOST_VALUED_COLUMNS; c++)
        dictionary_release(&survey->column[c].values);
    *survey = (struct column_survey){0};
}

/* Whether the sentence has that column, and it is not that of the words themselves. */
static bool describes(const struct sentence *s, uint32_t column)
{
    return s->N > 0 && !s->boundary && !s->attributes && column != s->form && column < sentence_cells(s, 0);
}

bool column_survey_add(struct column_survey *survey, const struct sentence *sentence, struct vouch_error *err)
{
    for (uint32_t c = 0; c < survey->columns; c++) {
        struct column_values *column = &survey->column[c];
        bool looked = !column->many && describes(sentence, column->column);
        for (uint32_t i = 0; looked && i < sentence->N; i++) {
            if (!dictionary_add(&column->values, sentence_cell(sentence, i, column->column), err))
                return false;
            column->rows++;
        }
        column->many = column->many || column->values.table.count > MOST_VALUES;
    }
    return true;
}

/* Returns the values of one column as an array. */
static json_t *list_values(const struct column_values *column)
{
    json_t *list = json_array();
    for (uint32_t i = 1; list && i <= column->values.table.count; i++) {
        struct text value = dictionary_text(&column->values, i);
        if (json_array_append_new(list, json_stringn(value.at, value.length)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

json_t *column_survey_json(const struct column_survey *survey)
{
    json_t *object = NULL;
    for (uint32_t c = 0; c < survey->columns; c++) {
        const struct column_values *column = &survey->column[c];
        uint64_t values = column->values.table.count;
        char name[16];
        if (column->many || values == 0 || column->rows + column->known < OFTEN * values)
            continue;
        snprintf(name, sizeof name, "%u", column->column + 1);
        object = object ? object : json_object();
        if (!object || json_object_set_new(object, name, list_values(column)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

bool column_survey_read(struct column_survey *survey, const struct vouch_model *model, struct vouch_error *err)
{
    const json_t *kept = json_object_get(model->header, "columns");
    column_survey_init(survey, &model->templates);
    for (uint32_t c = 0; c < survey->columns; c++) {
        struct column_values *column = &survey->column[c];
        char name[16];
        snprintf(name, sizeof name, "%u", column->column + 1);
        const json_t *list = json_object_get(kept, name);
        for (size_t i = 0; i < json_array_size(list) && i < MOST_VALUES; i++) {
            const json_t *value = json_array_get(list, i);
            struct text text = {json_string_value(value), (uint32_t)json_string_length(value)};
            if (text.length > 0 && !dictionary_add(&column->values, text, err))
                return false;
        }
        column->many = column->values.table.count == 0;
        column->known = OFTEN * (uint64_t)column->values.table.count;
    }
    return true;
}

void column_survey_compare(struct column_survey *survey, const struct sentence *sentence)
{
    for (uint32_t c = 0; c < survey->columns; c++) {
        struct column_values *column = &survey->column[c];
        bool looked = !column->many && describes(sentence, column->column);
        for (uint32_t i = 0; looked && i < sentence->N; i++) {
            struct text cell = sentence_cell(sentence, i, column->column);
            column->rows++;
            if (dictionary_find(&column->values, cell))
                continue;
            if (column->unseen++ == 0)
                snprintf(column->example, sizeof column->example, "%.*s", excerpt(cell), cell.at);
        }
    }
}

const struct column_values *column_survey_odd(const struct column_survey *survey)
{
    for (uint32_t c = 0; c < survey->columns; c++) {
        const struct column_values *column = &survey->column[c];
        if (column->rows >= FEWEST_ROWS && 2 * column->unseen > column->rows)
            return column;
    }
    return NULL;
}
