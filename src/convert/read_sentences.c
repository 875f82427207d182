/* See read_sentences.h. */
#include "convert/read_sentences.h"

bool read_sentences(const struct annotated_source *source, const struct reader_options *options,
                    struct annotated_texts *into, sentence_call each, sentence_call last, void *context,
                    struct vouch_error *err)
{
    struct sentence sentence = {0};
    struct sentence_reading reading = {.sentence = &sentence, .into = into};
    struct reader_options named = *options;
    named.name = source->name;
    struct reader *reader = reader_open_memory(source->bytes, source->length, &named, err);
    enum reading found = READ_FAILED;
    bool done = reader != NULL;
    while (done && (found = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        done = each(&reading, context, err);
    done = done && found == READ_END && (!last || last(&reading, context, err)) && end_document(&reading, err);
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
