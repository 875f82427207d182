/* See token_records.h. */
#include "convert/token_records.h"

bool record_continues(const struct json_document *document)
{
    return json_is_true(json_object_get(document->object, "continues")) && document->into->count > document->before;
}

struct annotated *record_begin(const struct json_document *document, struct vouch_error *err)
{
    struct annotated_texts *into = document->into;
    if (record_continues(document))
        return &into->document[into->count - 1];
    if (into->count > document->before && !annotated_settle(&into->document[into->count - 1], err))
        return NULL;
    struct annotated *doc = texts_add(into, document->line, err);
    bool done = doc && keep_json_id(document, json_object_get(document->object, "document"), "document", &doc->id, err);
    return done ? doc : NULL;
}

bool record_words(const struct json_document *document, struct annotated *doc, const char *key, uint32_t **before,
                  struct vouch_error *err)
{
    const json_t *list = json_object_get(document->object, key), *word;
    const uint32_t first = doc->words;
    struct text gap = {first > 0 ? "\n" : " ", 1};
    size_t i;
    if (!json_is_array(list))
        return fail_json(document, err, "expected \"%s\", an array of strings", key);
    if (before && !ARENA_ARRAY(*before, json_array_size(list) + 1, &doc->corpus->arena, err))
        return false;
    json_array_foreach(list, i, word)
    {
        if (!json_is_string(word))
            return fail_json(document, err, "\"%s\": word %zu: expected a string", key, i + 1);
        struct text form = {json_string_value(word), (uint32_t)json_string_length(word)};
        bool blank = before && is_blank_word(form);
        if (before)
            (*before)[i] = doc->words - first;
        doc->corpus->counts.blank_words += blank;
        if (!blank && !annotated_append_word(doc, gap, form, err))
            return false;
        gap.at = blank ? gap.at : " ";
    }
    if (before)
        (*before)[i] = doc->words - first;
    return true;
}

bool record_meta(const struct json_document *document, struct annotated *doc, const char *const *known,
                 struct vouch_error *err)
{
    static const char *const none[] = {NULL};
    json_t *meta = json_object_get(document->object, "meta"), *value;
    const char *key;
    bool alone = json_is_object(meta);
    if (record_continues(document))
        return true;
    json_object_foreach(document->object, key, value)
    {
        alone = alone && (value == meta || text_among(text_of(key), known));
    }
    return keep_json_rest(document->into, alone ? meta : document->object, alone ? none : known, &doc->meta, err);
}

bool record_end(const struct json_document *document, struct annotated *doc, struct vouch_error *err)
{
    uint32_t before = doc->sentences;
    struct text id;
    if (!annotated_end_sentence(doc, err) ||
        !keep_json_id(document, json_object_get(document->object, "id"), "id", &id, err))
        return false;
    if (doc->sentences > before)
        doc->sentence[before].id = id;
    return true;
}

bool record_read_all(const struct annotated_source *source, const struct format_choices *choices,
                     struct annotated_texts *into, json_document_call each, struct vouch_error *err)
{
    size_t before = into->count;
    return read_json_documents(source, choices, into, each, err) &&
           (into->count == before || annotated_settle(&into->document[into->count - 1], err));
}

void record_write_words(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence,
                        const char *key)
{
    output_printf(out, "{\"%s\": [", key);
    for (uint32_t i = sentence->from; i < sentence->to; i++) {
        output_printf(out, i > sentence->from ? ", " : "");
        write_json_text(out, annotated_form(doc, i));
    }
    output_printf(out, "]");
}

struct record_keys record_keys_of(const struct annotated_texts *corpus)
{
    struct record_keys keys = {0};
    for (size_t i = 0; i < corpus->count; i++) {
        const struct annotated *doc = &corpus->document[i];
        keys.continues = keys.continues || doc->sentences > 1;
        keys.documents = keys.documents || doc->id.length > 0;
        for (uint32_t s = 0; s < doc->sentences; s++)
            keys.ids = keys.ids || doc->sentence[s].id.length > 0;
    }
    return keys;
}

static void write_id(struct output *out, const char *key, struct text id)
{
    output_printf(out, ", \"%s\": ", key);
    if (id.length > 0)
        write_json_text(out, id);
    else
        output_printf(out, "null");
}

void record_write_keys(struct output *out, const struct annotated *doc, uint32_t sentence,
                       const struct record_keys *keys)
{
    if (keys->ids)
        write_id(out, "id", record_sentence(doc, sentence).id);
    if (keys->documents)
        write_id(out, "document", sentence == 0 ? doc->id : (struct text){"", 0});
    if (keys->continues)
        output_printf(out, ", \"continues\": %s", sentence > 0 ? "true" : "false");
}

void record_write_meta(struct output *out, const struct annotated *doc, uint32_t sentence)
{
    if (sentence == 0 && doc->meta.length > 0)
        output_printf(out, ", \"meta\": %.*s", (int)doc->meta.length, doc->meta.at);
}
