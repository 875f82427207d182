/*
 * GLiNER's training data: an array of objects, or one a line,
 *
 *     [{"tokenized_text": ["Ada", "lives", "in", "Bonn"], "ner": [[0, 0, "person"], [3, 3, "city"]]}]
 *
 * with spans by numbers of words, the last one included. Spans may overlap. Other keys are the document's meta.
 */
#include "convert/token_records.h"

static const char *const known[] = {"tokenized_text", "ner", "id", "document", "continues", NULL};

static bool read_span(const struct json_document *document, struct annotated *doc, uint32_t first, const json_t *item,
                      struct vouch_error *err)
{
    uint64_t from, to, words = doc->words - first;
    struct text label;
    if (json_array_size(item) != 3)
        return fail_json(document, err, "\"ner\": expected [first word, last word, label]");
    if (!read_json_count(document, json_array_get(item, 0), "ner", UINT32_MAX, &from, err) ||
        !read_json_count(document, json_array_get(item, 1), "ner", UINT32_MAX, &to, err) ||
        !keep_json_text(document, json_array_get(item, 2), "ner", &label, err))
        return false;
    if (from > to || to >= words)
        return fail_json(document, err, "\"ner\": expected words from 0 to %lld, found %llu to %llu",
                         (long long)words - 1, (unsigned long long)from, (unsigned long long)to);
    return annotated_add_span(doc, first + (uint32_t)from, first + (uint32_t)to + 1, label, err) != NULL;
}

static bool read_record(const struct json_document *document, struct vouch_error *err)
{
    const json_t *spans = json_object_get(document->object, "ner"), *item;
    struct annotated *doc = record_begin(document, err);
    size_t i;
    if (!doc)
        return false;
    uint32_t first = doc->words;
    if (!record_words(document, doc, json_object_get(document->object, "tokenized_text"), "tokenized_text", err))
        return false;
    if (spans && !json_is_array(spans))
        return fail_json(document, err, "\"ner\": expected an array");
    doc->spanned = doc->spanned || spans;
    json_array_foreach(spans, i, item) if (!read_span(document, doc, first, item, err)) return false;
    return record_end(document, doc, known, err);
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    return record_read_all(source, choices, into, read_record, err);
}

static bool recognise(struct text beginning)
{
    return json_beginning_has(beginning, "tokenized_text");
}

static void write_spans(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence)
{
    bool any = false;
    output_printf(out, ", \"ner\": [");
    for (uint32_t i = 0; i < doc->spans; i++) {
        const struct marked_span *span = &doc->span[i];
        if (span->from < sentence->from || span->from >= sentence->to)
            continue;
        output_printf(out, "%s[%u, %u, ", any ? ", " : "", span->from - sentence->from, span->to - 1 - sentence->from);
        write_json_text(out, span->label);
        output_printf(out, "]");
        any = true;
    }
    output_printf(out, "]");
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct record_keys keys = record_keys_of(corpus);
    bool any = false;
    (void)companion, (void)choices, (void)err;
    output_printf(out, "[");
    for (size_t i = 0; i < corpus->count; i++) {
        const struct annotated *doc = &corpus->document[i];
        for (uint32_t s = 0; s < record_count(doc); s++, any = true) {
            struct marked_sentence sentence = record_sentence(doc, s);
            output_printf(out, any ? ",\n" : "\n");
            record_write_words(out, doc, &sentence, "tokenized_text");
            write_spans(out, doc, &sentence);
            record_write_keys(out, doc, s, &keys);
            output_printf(out, "}");
        }
    }
    output_printf(out, "\n]\n");
    return true;
}

const struct annotation_format gliner_format = {
    .name = "gliner",
    .extension = ".json",
    .title = "GLiNER's training JSON",
    .kept = KEPT(DOCUMENTS) | KEPT(WORDS) | KEPT(IDS) | KEPT(SENTENCE_IDS) | KEPT(SPANS) | KEPT(OVERLAPS) | KEPT(META) |
            KEPT(WORDLESS),
    .by_sentence = true,
    .recognise = recognise,
    .read = read,
    .write = write,
};
