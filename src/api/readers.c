/* Reads sentences from files and from memory: see vouch.h. */
#include "api/readers.h"

#include "api/options_by_name.h"
#include "api/requests.h"
#include "api/sentences.h"
#include "base/error.h"
#include "options/settings.h"
#include "answer/model_input.h"
#include "task/task.h"

/* Settles how to read: without options, as the command for the model does. Commands that answer look for no gold. */
static bool settle(const vouch_model *model, const vouch_options *options, struct reader_options *reading,
                   struct vouch_error *err)
{
    const struct option_table *table = options ? vouch_options_table(options)
                                       : model ? request_options(model)
                                               : &tag_options;
    struct settings usual;
    options_init(table, &usual);
    const struct settings *settings = options ? vouch_options_values(options) : &usual;
    bool answers = table == &tag_options || table == &parse_options;
    if (!(answers ? reading_options_to_answer : reading_options)(&settings->reading, reading, err))
        return false;
    reading->trees = table == &parse_options || (settings->learner.task && task_or_any(settings->learner.task)->trees);
    if (model)
        model_input_settle(model, reading);
    return true;
}

/* Takes over `reader`. NULL if that is NULL, or if the model cannot answer what it reads. */
static vouch_reader *wrap(struct reader *reader, bool trees, const vouch_model *model, struct vouch_error *err)
{
    struct vouch_reader *made =
        reader && (!model || model_input_fits(model, reader, err)) ? new_array(1, sizeof *made, err) : NULL;
    if (made)
        *made = (struct vouch_reader){reader, trees};
    else
        reader_close(reader);
    return made;
}

vouch_reader *vouch_reader_open(const char *path, const vouch_model *model, const vouch_options *options,
                                struct vouch_error *err)
{
    struct reader_options reading;
    if (!is_given(path, "the path of a file", err) || !settle(model, options, &reading, err))
        return NULL;
    return wrap(reader_open(path, &reading, err), reading.trees, model, err);
}

vouch_reader *vouch_reader_open_memory(const void *bytes, size_t length, const vouch_model *model,
                                       const vouch_options *options, struct vouch_error *err)
{
    struct reader_options reading;
    if (!is_given(bytes, "the bytes of a file", err) || !settle(model, options, &reading, err))
        return NULL;
    return wrap(reader_open_memory(bytes, length, &reading, err), reading.trees, model, err);
}

void vouch_reader_close(vouch_reader *reader)
{
    if (!reader)
        return;
    reader_close(reader->reader);
    free(reader);
}

int vouch_reader_next(vouch_reader *reader, vouch_sentence *sentence, struct vouch_error *err)
{
    if (!is_given(reader, "a reader", err) || !is_given(sentence, "a sentence", err))
        return READ_FAILED;
    if (sentence->given)
        sentence_release(&sentence->own); /* cells that the caller set are laid out in another way */
    sentence->given = false;
    enum reading result = reader_next(reader->reader, &sentence->own, err);
    if (result != READ_SENTENCE)
        sentence->own.N = 0;
    return result;
}
