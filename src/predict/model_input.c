/* Checks what a model can read: see model_input.h. */
#include "predict/model_input.h"

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

bool model_input_fits(const struct vouch_model *model, const struct reader *reader, struct vouch_error *err)
{
    bool crfsuite = reader_format(reader) == FORMAT_CRFSUITE;
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
                format_name(reader_format(reader)));
}

bool model_input_gold_apart(const struct vouch_model *model, const struct reader *reader, int gold,
                            struct vouch_error *err)
{
    uint32_t column = reader_column(reader);
    if (model_lacks_weights(model))
        return true;
    if (column && !model_looks_past(model, column - 2)) /* cells are counted from FORM, the second column */
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a column that the model's features do not look at, found %s",
                    reader_path(reader), column_name(column));
    uint32_t columns = reader_columns(reader), at = gold == GOLD_LAST ? columns : (uint32_t)gold;
    if (reader_format(reader) != FORMAT_CONLL || columns < 2 || at > model->templates.columns ||
        model_looks_past(model, at - 1))
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected %u columns beside the label, as the model reads, found %u",
                reader_path(reader), model->templates.columns, columns - 1);
}
