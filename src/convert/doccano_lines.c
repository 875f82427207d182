/*
 * doccano: one object a line, in two forms, as it exports projects without and with relations,
 *
 *     {"id": 1, "text": "Ada left.", "label": [[0, 3, "PER"]], "Comments": []}
 *     {"id": 1, "text": "Ada left.", "entities": [{"id": 7, "label": "PER", "start_offset": 0, "end_offset": 3}],
 *      "relations": [{"id": 8, "from_id": 7, "to_id": 9, "type": "of"}], "Comments": []}
 *
 * Offsets count code points. The second form is written, for all, where any document has relations, or names of spans:
 * doccano reads a file as one or the other. Other keys are what it calls the meta of an example, and carries through,
 * as it does "words" and "sentences".
 */
#include "convert/fitting.h"
#include "convert/json_documents.h"

static const char *const known[] = {"id",        "text",  "label",     "labels", "entities",
                                    "relations", "words", "sentences", NULL};

static bool read_piece(const struct json_document *document, struct annotated *doc, const struct offset_map *map,
                       const json_t *item, struct vouch_error *err)
{
    bool tuple = json_is_array(item);
    const json_t *start = tuple ? json_array_get(item, 0) : json_object_get(item, "start_offset");
    const json_t *end = tuple ? json_array_get(item, 1) : json_object_get(item, "end_offset");
    const json_t *name = tuple ? json_array_get(item, 2) : json_object_get(item, "label");
    uint32_t begin, stop;
    struct text label;
    if (tuple ? json_array_size(item) != 3 : !json_is_object(item))
        return fail_json(document, err, "expected spans of doccano: [start, end, label], or objects");
    if (!read_json_offset(document, start, "start_offset", map, &begin, err) ||
        !read_json_offset(document, end, "end_offset", map, &stop, err) ||
        !keep_json_text(document, name, "label", &label, err))
        return false;
    if (begin > stop)
        return fail_json(document, err, "expected a span that ends behind its start");
    struct marked_span *span = annotated_add_piece(doc, begin, stop, label, err);
    return span && (tuple || keep_json_id(document, json_object_get(item, "id"), "id", &span->id, err));
}

/* Finds the span of an id that a relation names. */
static bool find_end(const struct json_document *document, const struct annotated *doc, const json_t *relation,
                     const char *key, uint32_t *span, struct vouch_error *err)
{
    struct text id;
    if (!keep_json_id(document, json_object_get(relation, key), key, &id, err))
        return false;
    return (id.length > 0 && annotated_find_span(doc, id, span)) ||
           fail_json(document, err, "\"relations\": expected \"%s\" to be the id of an entity, found '%.*s'", key,
                     excerpt(id), id.at);
}

static bool read_relation(const struct json_document *document, struct annotated *doc, const json_t *item,
                          struct vouch_error *err)
{
    uint32_t from, to;
    struct text label;
    if (!find_end(document, doc, item, "from_id", &from, err) || !find_end(document, doc, item, "to_id", &to, err) ||
        !keep_json_text(document, json_object_get(item, "type"), "type", &label, err))
        return false;
    struct marked_relation *relation = annotated_add_relation(doc, from, to, label, err);
    return relation && keep_json_id(document, json_object_get(item, "id"), "id", &relation->id, err);
}

/* Returns the array of spans, under the name that was given or one of the usual ones. */
static const json_t *find_spans(const struct json_document *document)
{
    static const char *const usual[] = {"entities", "label", "labels"};
    const json_t *list = document->choices->layer ? json_object_get(document->object, document->choices->layer) : NULL;
    for (int i = 0; !list && i < 3; i++)
        list = json_object_get(document->object, usual[i]);
    return list;
}

static bool read_answer(const struct json_document *document, struct annotated *doc, struct offset_map *map,
                        struct vouch_error *err)
{
    const json_t *spans = find_spans(document), *item;
    size_t i;
    enum offset_unit unit = document->choices->given_unit ? document->choices->unit : OFFSET_POINTS;
    if (!offset_map_set(map, doc->text, OFFSET_POINTS, err) || !read_json_words(document, doc, map, err) ||
        !offset_map_set(map, doc->text, unit, err))
        return false;
    if (spans && !json_is_array(spans) && !json_is_null(spans))
        return fail_json(document, err, "expected an array of spans");
    doc->spanned = spans != NULL;
    json_array_foreach(spans, i, item) if (!read_piece(document, doc, map, item, err)) return false;
    json_array_foreach(json_object_get(document->object, "relations"), i,
                       item) if (!read_relation(document, doc, item, err)) return false;
    return annotated_settle(doc, err);
}

static bool read_line(const struct json_document *document, struct vouch_error *err)
{
    struct offset_map map = {0};
    struct annotated *doc = texts_add(document->into, document->line, err);
    if (doc && !json_is_string(json_object_get(document->object, "text")))
        return fail_json(document, err, "expected \"text\", a string");
    bool done = doc && keep_json_text(document, json_object_get(document->object, "text"), "text", &doc->text, err) &&
                keep_json_id(document, json_object_get(document->object, "id"), "id", &doc->id, err) &&
                keep_json_rest(document->into, document->object, known, &doc->meta, err) &&
                read_answer(document, doc, &map, err);
    offset_map_release(&map);
    return done;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    return read_json_documents(source, choices, into, read_line, err);
}

static bool recognise(struct text beginning)
{
    return json_beginning_has(beginning, "text") && !json_beginning_has(beginning, "tokens") &&
           (json_beginning_has(beginning, "label") || json_beginning_has(beginning, "labels") ||
            json_beginning_has(beginning, "entities"));
}

/* ---- Writing ---- */

static bool has_names(const struct annotated *doc)
{
    bool found = doc->relations > 0;
    for (uint32_t i = 0; i < doc->spans; i++)
        found = found || doc->span[i].id.length > 0;
    return found;
}

/* Names are numbers; what the meta calls as the format's own keys are called is lost. */
static bool fit(struct annotated *doc, struct vouch_error *err)
{
    static const struct naming numbers = {.prefix = ""};
    return fit_json_meta(doc, known, err) &&
           (!has_names(doc) ||
            (fit_span_names(doc, &numbers, false, err) && fit_relation_names(doc, &numbers, err)));
}

static void write_name(struct output *out, const char *key, struct text name)
{
    output_printf(out, "%s%.*s", key, (int)name.length, name.at);
}

static void write_entities(struct output *out, const struct annotated *doc, const struct offset_map *map)
{
    output_printf(out, ", \"entities\": [");
    for (uint32_t i = 0; i < doc->spans; i++) {
        output_printf(out, i > 0 ? ", {" : "{");
        if (doc->span[i].id.length > 0) {
            write_name(out, "\"id\": ", doc->span[i].id);
            output_printf(out, ", ");
        }
        output_printf(out, "\"label\": ");
        write_json_text(out, doc->span[i].label);
        output_printf(out, ", \"start_offset\": %u, \"end_offset\": %u}", offset_of_byte(map, doc->span[i].begin),
                      offset_of_byte(map, doc->span[i].end));
    }
    output_printf(out, "], \"relations\": [");
    for (uint32_t i = 0; i < doc->relations; i++) {
        const struct marked_relation *relation = &doc->relation[i];
        write_name(out, i > 0 ? ", {\"id\": " : "{\"id\": ", relation->id);
        write_name(out, ", \"from_id\": ", doc->span[relation->from].id);
        write_name(out, ", \"to_id\": ", doc->span[relation->to].id);
        output_printf(out, ", \"type\": ");
        write_json_text(out, relation->label);
        output_printf(out, "}");
    }
    output_printf(out, "]");
}

static void write_tuples(struct output *out, const struct annotated *doc, const struct offset_map *map)
{
    output_printf(out, ", \"label\": [");
    for (uint32_t i = 0; i < doc->spans; i++) {
        output_printf(out, "%s[%u, %u, ", i > 0 ? ", " : "", offset_of_byte(map, doc->span[i].begin),
                      offset_of_byte(map, doc->span[i].end));
        write_json_text(out, doc->span[i].label);
        output_printf(out, "]");
    }
    output_printf(out, "]");
}

static bool write_line(struct output *out, const struct annotated *doc, struct offset_map *map, bool entities,
                       struct vouch_error *err)
{
    output_printf(out, "{");
    if (doc->id.length > 0) {
        output_printf(out, "\"id\": ");
        write_json_id(out, doc->id);
        output_printf(out, ", ");
    }
    output_printf(out, "\"text\": ");
    write_json_text(out, doc->text);
    if (!offset_map_set(map, doc->text, OFFSET_POINTS, err))
        return false;
    if (entities)
        write_entities(out, doc, map);
    else
        write_tuples(out, doc, map);
    bool done = write_json_words(out, doc, map, err);
    write_json_meta(out, doc);
    return done;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    bool entities = false;
    (void)companion, (void)choices;
    for (size_t i = 0; i < corpus->count; i++)
        entities = entities || has_names(&corpus->document[i]);
    return write_json_lines(out, corpus, write_line, entities, err);
}

const struct annotation_format doccano_format = {
    .name = "doccano",
    .extension = ".jsonl",
    .title = "doccano's JSON lines",
    .kept = KEPT(TEXT) | KEPT(WORDS) | KEPT(DOCUMENTS) | KEPT(IDS) | KEPT(SPANS) | KEPT(OVERLAPS) | KEPT(SPAN_IDS) |
            KEPT(RELATIONS) | KEPT(RELATION_IDS) | KEPT(META) | KEPT(WORDLESS),
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
