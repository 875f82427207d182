/* See read_sentences.h. */
#include "convert/read_sentences.h"

#include <stdio.h>

/* Puts the name of the file in place of "memory", which messages of a reader of memory begin with. */
static bool blame_source(const struct annotated_source *source, struct vouch_error *err)
{
    char message[sizeof err->message];
    if (err && strncmp(err->message, "memory", 6) == 0) {
        snprintf(message, sizeof message, "%s", err->message + 6);
        fail(err, err->status, "%s%s", source->name, message);
    }
    return false;
}

bool read_sentences(const struct annotated_source *source, const struct reader_options *options,
                    struct annotated_texts *into, sentence_call each, sentence_call last, void *context,
                    struct vouch_error *err)
{
    struct sentence sentence = {0};
    struct sentence_reading reading = {.sentence = &sentence, .into = into};
    struct reader *reader = reader_open_memory(source->bytes, source->length, options, err);
    if (!reader)
        return blame_source(source, err);
    enum reading found;
    bool done = true;
    while (done && (found = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        done = each(&reading, context, err);
    if (done && found == READ_FAILED)
        done = blame_source(source, err);
    done = done && (!last || last(&reading, context, err)) && end_document(&reading, err);
    sentence_release(&sentence);
    reader_close(reader);
    return done;
}

struct annotated *next_document(struct sentence_reading *reading, struct vouch_error *err)
{
    if (!reading->open && !texts_add(reading->into, reading->sentence->number, err))
        return NULL;
    reading->open = true;
    return &reading->into->document[reading->into->count - 1];
}

bool end_document(struct sentence_reading *reading, struct vouch_error *err)
{
    bool open = reading->open;
    reading->open = false;
    return !open || annotated_settle(&reading->into->document[reading->into->count - 1], err);
}

bool put_tag(struct annotated *doc, const char *name, uint32_t word, struct text tag, struct vouch_error *err)
{
    const struct tag_column *had = annotated_has_column(doc, name);
    if (text_is(tag, "_"))
        return true;
    struct text lasting = had ? had->name : texts_keep(doc->corpus, text_of(name), err);
    struct text kept = texts_keep(doc->corpus, tag, err);
    struct tag_column *column = lasting.at && kept.at ? annotated_column(doc, lasting, err) : NULL;
    if (!column)
        return false;
    column->cell[word] = kept;
    return true;
}
