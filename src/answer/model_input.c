/* Checks what a model can read, by its header and its templates: see model_input.h. */
#include "answer/model_input.h"
#include "text/word_vectors.h"

#include "base/watch.h"

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
    if (column && !model_looks_past(model, column - 2)) /* cells are counted from FORM, the second column */
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a column that the model's features do not look at, found %s",
                    reader_path(reader), column_name(column));
    uint32_t columns = reader_columns(reader), at = gold == GOLD_LAST ? columns : (uint32_t)gold;
    if (reader->format != FORMAT_CONLL || columns < 2 || at > model->templates.columns ||
        model_looks_past(model, at - 1))
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

void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then)
{
    if (sentences && seen >= sentences - seen)
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %llu of %llu sentence%s%s%s %s learned from: %s",
                  (unsigned long long)seen, (unsigned long long)sentences, sentences == 1 ? "" : "s",
                  where ? " of " : "", where ? where : "", seen == 1 ? "was" : "were", then);
}

void warn_of_unknown_labels(const struct vouch_watch *watch)
{
    watch_say(watch, VOUCH_EVENT_WARNING,
              "warning: the model knows none of the gold labels: is it the right column (--gold)?");
}

bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err)
{
    const json_t *files = json_object_get(json_object_get(model->header, "confidence"), "files");
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
