/* Surveys the values of columns: see column_values.h. Linear in the words; a look-up for each column that was kept. */
#include "answer/column_values.h"

#include <stdio.h>
#include <stdlib.h>

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
