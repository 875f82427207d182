/*
 * GLiNER's training data: an array of objects, or one a line,
 *
 *     [{"tokenized_text": ["Ada", "lives", "in", "Bonn"], "ner": [[0, 0, "person"], [3, 3, "city"]],
 *       "relations": [[0, 1, "lives in"]]}]
 *
 * with spans by numbers of words, the last one included, and relations by places in the list of spans, from 0. Spans
 * may overlap. Strings of white space, as spaCy makes them, are no words; numbers are those of the file. Other keys are
 * the document's meta, and stay where they are: GLiNER knows some of them.
 */
#include "convert/fitting.h"
#include "convert/token_records.h"

static const char *const known[] = {"tokenized_text", "ner", "relations", "id", "document", "continues", NULL};

/* The object at hand. */
struct gliner_record {
    const struct json_document *document;
    struct annotated *doc;
    uint32_t word, span; /* the first of this object */
    uint32_t *before;    /* [strings + 1] words in front of each */
};

static bool read_span(const struct gliner_record *record, const json_t *item, struct vouch_error *err)
{
    const struct json_document *document = record->document;
    uint64_t from, to, strings = json_array_size(json_object_get(document->object, "tokenized_text"));
    struct text label;
    if (json_array_size(item) != 3)
        return fail_json(document, err, "\"ner\": expected [first word, last word, label]");
    if (!read_json_count(document, json_array_get(item, 0), "ner", UINT32_MAX, &from, err) ||
        !read_json_count(document, json_array_get(item, 1), "ner", UINT32_MAX, &to, err) ||
        !keep_json_text(document, json_array_get(item, 2), "ner", &label, err))
        return false;
    if (from > to || to >= strings)
        return fail_json(document, err, "\"ner\": expected words from 0 to %lld, found %llu to %llu",
                         (long long)strings - 1, (unsigned long long)from, (unsigned long long)to);
    const uint32_t begin = record->before[from], end = record->before[to + 1];
    if (begin == end)
        return fail_json(document, err, "\"ner\": expected words, found white space from %llu to %llu",
                         (unsigned long long)from, (unsigned long long)to);
    return annotated_add_span(record->doc, record->word + begin, record->word + end, label, err) != NULL;
}

static bool read_relation(const struct gliner_record *record, const json_t *item, struct vouch_error *err)
{
    const struct json_document *document = record->document;
    const uint64_t spans = record->doc->spans - record->span;
    uint64_t end[2];
    struct text label;
    if (json_array_size(item) != 3)
        return fail_json(document, err, "\"relations\": expected [first span, second span, label]");
    for (size_t i = 0; i < 2; i++) {
        if (!read_json_count(document, json_array_get(item, i), "relations", UINT32_MAX, &end[i], err))
            return false;
        if (end[i] >= spans)
            return fail_json(document, err, "\"relations\": expected spans from 0 to %lld, found %llu",
                             (long long)spans - 1, (unsigned long long)end[i]);
    }
    return keep_json_text(document, json_array_get(item, 2), "relations", &label, err) &&
           annotated_add_relation(record->doc, record->span + (uint32_t)end[0], record->span + (uint32_t)end[1], label,
                                  err);
}

static bool read_lists(const struct gliner_record *record, struct vouch_error *err)
{
    const json_t *spans = json_object_get(record->document->object, "ner"), *item;
    const json_t *relations = json_object_get(record->document->object, "relations");
    size_t i;
    if (spans && !json_is_array(spans))
        return fail_json(record->document, err, "\"ner\": expected an array");
    if (relations && !json_is_array(relations))
        return fail_json(record->document, err, "\"relations\": expected an array");
    record->doc->spanned = record->doc->spanned || spans;
    json_array_foreach(spans, i, item) if (!read_span(record, item, err)) return false;
    json_array_foreach(relations, i, item) if (!read_relation(record, item, err)) return false;
    return true;
}

static bool read_record(const struct json_document *document, struct vouch_error *err)
{
    struct annotated *doc = record_begin(document, err);
    if (!doc)
        return false;
    struct gliner_record record = {.document = document, .doc = doc, .word = doc->words, .span = doc->spans};
    return record_words(document, doc, "tokenized_text", &record.before, err) && read_lists(&record, err) &&
           (record_continues(document) ||
            keep_json_rest(document->into, document->object, known, &doc->meta, err)) &&
           record_end(document, doc, err);
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

/* Drops relations between sentences, which are objects of their own, and what the meta calls as the format does. */
static bool fit(struct annotated *doc, struct vouch_error *err)
{
    uint32_t kept = 0, sentence = 0;
    for (uint32_t i = 0; i < doc->spans; i++) {
        while (doc->span[i].from >= doc->sentence[sentence].to)
            sentence++;
        doc->span[i].place = sentence;
    }
    for (uint32_t i = 0; i < doc->relations; i++)
        if (doc->span[doc->relation[i].from].place == doc->span[doc->relation[i].to].place)
            doc->relation[kept++] = doc->relation[i];
    doc->corpus->counts.unsaid[KEPT_RELATIONS] += doc->relations - kept;
    doc->relations = kept;
    return fit_json_meta(doc, known, err);
}

static bool is_inside(const struct marked_span *span, const struct marked_sentence *sentence)
{
    return span->from >= sentence->from && span->from < sentence->to;
}

static void write_spans(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence)
{
    bool any = false;
    output_printf(out, ", \"ner\": [");
    for (uint32_t i = 0; i < doc->spans; i++) {
        const struct marked_span *span = &doc->span[i];
        if (!is_inside(span, sentence))
            continue;
        output_printf(out, "%s[%u, %u, ", any ? ", " : "", span->from - sentence->from, span->to - 1 - sentence->from);
        write_json_text(out, span->label);
        output_printf(out, "]");
        any = true;
    }
    output_printf(out, "]");
}

static void write_relations(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence)
{
    uint32_t first = 0;
    bool any = false;
    while (first < doc->spans && doc->span[first].from < sentence->from)
        first++;
    for (uint32_t i = 0; i < doc->relations; i++) {
        const struct marked_relation *relation = &doc->relation[i];
        if (!is_inside(&doc->span[relation->from], sentence))
            continue;
        output_printf(out, "%s[%u, %u, ", any ? ", " : ", \"relations\": [", relation->from - first,
                      relation->to - first);
        write_json_text(out, relation->label);
        output_printf(out, "]");
        any = true;
    }
    output_printf(out, any ? "]" : "");
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
            write_relations(out, doc, &sentence);
            record_write_keys(out, doc, s, &keys);
            if (s == 0)
                write_json_meta(out, doc);
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
    .kept = KEPT(DOCUMENTS) | KEPT(WORDS) | KEPT(IDS) | KEPT(SENTENCE_IDS) | KEPT(SPANS) | KEPT(OVERLAPS) |
            KEPT(RELATIONS) | KEPT(META) | KEPT(WORDLESS),
    .by_sentence = true,
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
