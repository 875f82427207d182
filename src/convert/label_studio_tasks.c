/*
 * Label Studio: an array of tasks, or one a line, as it exports and imports them.
 *
 *     [{"id": 1, "data": {"text": "Ada left."}, "annotations": [{"completed_by": 1, "was_cancelled": false,
 *       "result": [{"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
 *                   "value": {"start": 0, "end": 3, "text": "Ada", "labels": ["PER"]}},
 *                  {"type": "relation", "from_id": "a", "to_id": "b", "direction": "right", "labels": ["of"]}]}],
 *       "predictions": [{"model_version": "m1", "score": 0.7, "result": [...]}]}]
 *
 * Offsets count code points, as Label Studio has done since its text was no longer counted in UTF-16; the text of a
 * region, where it is there, proves which of the two it was. A region of several labels is as many spans of one id; a
 * relation to both sides is two. The text is "text" of the data, or its only string.
 *
 * Trees are regions of single words whose control is called "upos", with the part of speech for a label, and relations
 * from heads to dependents. All other data of a task is its meta; what the server keeps about tasks (dates, counts) and
 * results of other kinds, such as choices, are left out, and the latter are counted.
 */
#include "convert/label_studio_tasks.h"

#include "convert/fitting.h"

#include <inttypes.h>
#include <stdio.h>


/* A task at hand: of its maps the second counts UTF-16 units. */
struct task {
    struct json_document data; /* whose object is the task's data */
    struct text text, id, meta;
    struct offset_map map[2];
};

/* Finds the text among the data: "text", or the only string. */
static bool find_text(const struct json_document *document, json_t *data, const char **key, struct vouch_error *err)
{
    const char *name;
    json_t *value;
    uint32_t strings = 0;
    *key = "text";
    if (json_object_get(data, "text") || json_object_get(data, "tokens"))
        return true;
    json_object_foreach(data, name, value)
    {
        if (json_is_string(value)) {
            *key = name;
            strings++;
        }
    }
    return strings == 1 || fail_json(document, err, "\"data\": expected \"text\", or one string, found %u", strings);
}

static bool begin_task(const struct json_document *document, struct task *task, struct vouch_error *err)
{
    json_t *data = json_object_get(document->object, "data");
    const char *key = "text";
    if (!json_is_object(data))
        return fail_json(document, err, "expected a task of Label Studio, an object with \"data\"");
    task->data = *document;
    task->data.object = data;
    if (!find_text(document, data, &key, err))
        return false;
    const char *known[] = {key, "tokens", "words", "sentences", "columns", NULL};
    return keep_json_text(document, json_object_get(data, key), key, &task->text, err) &&
           keep_json_id(document, json_object_get(document->object, "id"), "id", &task->id, err) &&
           keep_json_rest(document->into, data, known, &task->meta, err);
}

/* Begins a document of the task: its text and words. */
static struct annotated *begin_answer(struct task *task, enum answer_state state, struct vouch_error *err)
{
    const struct json_document *data = &task->data;
    struct annotated *doc = texts_add(data->into, data->line, err);
    const json_t *tokens = json_object_get(data->object, "tokens");
    if (!doc)
        return NULL;
    doc->text = task->text;
    doc->id = task->id;
    doc->meta = task->meta;
    doc->state = state;
    doc->spanned = state != ANSWER_NONE;
    if (tokens && !read_json_forms(data, doc, tokens, "tokens", err))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!offset_map_set(&task->map[i], doc->text, i == 0 ? OFFSET_POINTS : OFFSET_UTF16, err))
            return NULL;
    bool words = tokens ? read_json_sentences(data, doc, err) : read_json_words(data, doc, &task->map[0], err);
    return words && read_json_columns(data, doc, err) ? doc : NULL;
}

/* Whether a region's text is what is there; it may have "\n" for the end of a line. */
static bool is_text(struct text found, struct text said)
{
    uint32_t i = 0, j = 0;
    while (i < found.length && j < said.length) {
        bool spelled = found.at[i] == '\n' && said.at[j] == '\\' && j + 1 < said.length && said.at[j + 1] == 'n';
        if (found.at[i] != said.at[j] && !spelled)
            return false;
        i++;
        j += spelled ? 2 : 1;
    }
    return i == found.length && j == said.length;
}

/* Finds the bytes of a region, by code points unless its text proves that it counts UTF-16 units. */
static bool find_region(const struct task *task, const struct annotated *doc, const json_t *value, uint32_t byte[2],
                        struct vouch_error *err)
{
    const struct json_document *document = &task->data;
    const json_t *said = json_object_get(value, "text");
    uint64_t offset[2];
    static const char *const key[2] = {"start", "end"};
    for (int i = 0; i < 2; i++)
        if (!read_json_count(document, json_object_get(value, key[i]), key[i], UINT32_MAX, &offset[i], err))
            return false;
    bool forced = document->choices->given_unit;
    for (int unit = 0; unit < 2; unit++) {
        const struct offset_map *map = &task->map[unit];
        if (forced && document->choices->unit != map->unit)
            continue;
        if (offset[0] <= offset[1] && byte_of_offset(map, offset[0], &byte[0]) &&
            byte_of_offset(map, offset[1], &byte[1]) &&
            (!json_is_string(said) ||
             is_text(annotated_bytes(doc, byte[0], byte[1]),
                     (struct text){json_string_value(said), (uint32_t)json_string_length(said)})))
            return true;
    }
    const struct offset_map *map = &task->map[0];
    if (forced && document->choices->unit == OFFSET_BYTES)
        return fail_json(document, err, "region: expected offsets that count code points or UTF-16 units: Label Studio "
                                        "never counts bytes");
    if (!json_is_string(said) || offset[0] > offset[1] || !byte_of_offset(map, offset[0], &byte[0]) ||
        !byte_of_offset(map, offset[1], &byte[1]))
        return fail_json(document, err,
                         "region: expected offsets into a text of %u characters, found %" PRIu64 " to %" PRIu64,
                         map->units, offset[0], offset[1]);
    struct text found = annotated_bytes(doc, byte[0], byte[1]);
    return fail_json(document, err, "region: expected '%s' at %" PRIu64 " to %" PRIu64 ", found '%.*s'",
                     json_string_value(said), offset[0], offset[1], excerpt(found), found.at);
}

/* Reads the note of a region: the first of the texts of its meta. */
static bool read_note(const struct task *task, const json_t *region, struct text *note, struct vouch_error *err)
{
    const json_t *texts = json_object_get(json_object_get(region, "meta"), "text");
    return keep_json_text(&task->data, json_is_array(texts) ? json_array_get(texts, 0) : texts, "meta", note, err);
}

static bool add_region(const struct task *task, struct annotated *doc, const json_t *region, struct vouch_error *err)
{
    const json_t *value = json_object_get(region, "value"), *labels = json_object_get(value, "labels");
    uint32_t byte[2];
    struct text label, id, note;
    double score;
    if (json_array_size(labels) == 0)
        return fail_json(&task->data, err, "region: expected a \"value\" with \"start\", \"end\" and \"labels\"");
    if (!find_region(task, doc, value, byte, err) ||
        !keep_json_id(&task->data, json_object_get(region, "id"), "id", &id, err) ||
        !read_json_score(&task->data, json_object_get(region, "score"), "score", &score, err) ||
        !read_note(task, region, &note, err))
        return false;
    for (size_t i = 0; i < json_array_size(labels); i++) {
        if (!keep_json_text(&task->data, json_array_get(labels, i), "labels", &label, err))
            return false;
        struct marked_span *span = annotated_add_piece(doc, byte[0], byte[1], label, err);
        if (!span)
            return false;
        span->id = id;
        span->score = score;
        span->note = note;
    }
    return true;
}

static bool add_arrow(const struct task *task, struct annotated *doc, uint32_t from, uint32_t to, const json_t *labels,
                      struct vouch_error *err)
{
    struct text label = {"", 0};
    for (size_t i = 0; i == 0 || i < json_array_size(labels); i++)
        if (!keep_json_text(&task->data, json_array_get(labels, i), "labels", &label, err) ||
            !annotated_add_relation(doc, from, to, label, err))
            return false;
    return true;
}

static bool add_link(const struct task *task, struct annotated *doc, const json_t *link, struct vouch_error *err)
{
    static const char *const key[2] = {"from_id", "to_id"};
    const json_t *labels = json_object_get(link, "labels");
    const char *direction = json_string_value(json_object_get(link, "direction"));
    uint32_t end[2];
    for (int i = 0; i < 2; i++) {
        const char *id = json_string_value(json_object_get(link, key[i]));
        if (!id || id[0] == '\0' || !annotated_find_span(doc, text_of(id), &end[i]))
            return fail_json(&task->data, err, "relation: expected \"%s\" to be the id of a region, found '%s'", key[i],
                             id ? id : "");
    }
    bool left = direction && strcmp(direction, "left") == 0, both = direction && strcmp(direction, "bi") == 0;
    return (left || add_arrow(task, doc, end[0], end[1], labels, err)) &&
           (!(left || both) || add_arrow(task, doc, end[1], end[0], labels, err));
}

static bool has_type(const json_t *item, const char *type)
{
    const char *found = json_string_value(json_object_get(item, "type"));
    return found && strcmp(found, type) == 0;
}

static bool is_word_region(const json_t *item)
{
    const char *control = json_string_value(json_object_get(item, "from_name"));
    return has_type(item, "labels") && control && strcmp(control, LABEL_STUDIO_WORDS) == 0;
}

/* Makes a tree of spans that are words, and of relations between them. */
static bool make_tree(struct annotated *doc, uint32_t spans, struct vouch_error *err)
{
    uint32_t kept = 0;
    struct tag_column *upos = NULL;
    if (!annotated_begin_tree(doc, err))
        return false;
    for (uint32_t i = spans; i < doc->spans; i++) {
        uint32_t word;
        if (!annotated_word_at(doc, doc->span[i].begin, doc->span[i].end, &word))
            return fail_document(
                doc, err, "region of \"" LABEL_STUDIO_WORDS "\": expected one word, found '%.*s'",
                excerpt(annotated_bytes(doc, doc->span[i].begin, doc->span[i].end)), doc->text.at + doc->span[i].begin);
        doc->span[i].place = word;
        if (!upos && !(upos = annotated_column(doc, text_of("upos"), err)))
            return false;
        if (!text_is(doc->span[i].label, "_"))
            upos->cell[word] = doc->span[i].label;
    }
    for (uint32_t i = 0; i < doc->relations; i++) {
        const struct marked_relation *arc = &doc->relation[i];
        if (arc->from < spans && arc->to < spans) {
            doc->relation[kept++] = *arc;
            continue;
        }
        if (arc->from < spans || arc->to < spans)
            return fail_document(doc, err, "relation %u: expected two words or two spans, found one of each", i + 1);
        uint32_t word = doc->span[arc->to].place;
        if (doc->head[word] != NO_HEAD)
            return fail_document(doc, err, "relation %u: expected one head of '%.*s', found two", i + 1,
                                 excerpt(annotated_form(doc, word)), annotated_form(doc, word).at);
        doc->head[word] = arc->from == arc->to ? 0 : doc->span[arc->from].place + 1;
        doc->deprel[word] = arc->label;
    }
    doc->relations = kept;
    doc->spans = spans;
    doc->spanned = spans > 0;
    return true;
}

/* Reads spans, then the words of trees, then relations; the last make a tree of the second. */
static bool read_result(const struct task *task, struct annotated *doc, const json_t *result, struct vouch_error *err)
{
    const json_t *item;
    size_t i;
    if (result && !json_is_array(result))
        return fail_json(&task->data, err, "\"result\": expected an array");
    json_array_foreach(result, i, item) if (has_type(item, "labels") && !is_word_region(item) &&
                                            !add_region(task, doc, item, err)) return false;
    uint32_t spans = doc->spans;
    json_array_foreach(result, i, item) if (is_word_region(item) && !add_region(task, doc, item, err)) return false;
    json_array_foreach(result, i, item)
    {
        if (has_type(item, "relation") && !add_link(task, doc, item, err))
            return false;
        doc->corpus->counts.other += !has_type(item, "relation") && !has_type(item, "labels");
    }
    return (doc->spans == spans || make_tree(doc, spans, err)) && annotated_settle(doc, err);
}

/* Reads who made an annotation: a number, a name, or an object with one of these. */
static bool read_annotator(const struct task *task, const json_t *who, struct text *annotator, struct vouch_error *err)
{
    if (json_is_object(who))
        who = json_object_get(who, "email") ? json_object_get(who, "email") : json_object_get(who, "id");
    return keep_json_id(&task->data, who, "completed_by", annotator, err);
}

static bool read_annotation(struct task *task, const json_t *annotation, struct vouch_error *err)
{
    bool skipped = json_is_true(json_object_get(annotation, "was_cancelled"));
    struct annotated *doc = begin_answer(task, skipped ? ANSWER_IGNORED : ANSWER_ACCEPTED, err);
    return doc && read_annotator(task, json_object_get(annotation, "completed_by"), &doc->annotator, err) &&
           read_result(task, doc, json_object_get(annotation, "result"), err);
}

static bool read_prediction(struct task *task, const json_t *prediction, struct vouch_error *err)
{
    struct annotated *doc = begin_answer(task, ANSWER_PREDICTED, err);
    return doc &&
           keep_json_id(&task->data, json_object_get(prediction, "model_version"), "model_version", &doc->annotator,
                        err) &&
           read_json_score(&task->data, json_object_get(prediction, "score"), "score", &doc->score, err) &&
           read_result(task, doc, json_object_get(prediction, "result"), err);
}

static bool read_answers(struct task *task, json_t *object, struct vouch_error *err)
{
    const json_t *annotations = json_object_get(object, "annotations"), *answer;
    const json_t *predictions = json_object_get(object, "predictions");
    size_t i, answers;
    if (!annotations)
        annotations = json_object_get(object, "completions"); /* as it was called before version 1 */
    answers = json_array_size(annotations) + json_array_size(predictions);
    if (answers > 1 && task->id.length == 0) {
        char name[32];
        snprintf(name, sizeof name, "task-%zu", task->data.into->count + 1);
        if (!(task->id = texts_keep(task->data.into, text_of(name), err)).at)
            return false;
    }
    json_array_foreach(annotations, i, answer) if (!read_annotation(task, answer, err)) return false;
    json_array_foreach(predictions, i, answer) if (!read_prediction(task, answer, err)) return false;
    if (answers > 0)
        return true;
    struct annotated *doc = begin_answer(task, ANSWER_NONE, err);
    return doc && annotated_settle(doc, err);
}

bool read_label_studio_task(const struct json_document *document, struct vouch_error *err)
{
    struct task task = {0};
    bool done = begin_task(document, &task, err) && read_answers(&task, document->object, err);
    offset_map_release(&task.map[0]);
    offset_map_release(&task.map[1]);
    return done;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    return read_json_documents(source, choices, into, read_label_studio_task, err);
}

static bool recognise(struct text beginning)
{
    return json_beginning_has(beginning, "data") &&
           (json_beginning_has(beginning, "annotations") || json_beginning_has(beginning, "predictions"));
}

/* ---- Writing ---- */

/*
 * Who annotated is a number or an address, and predictions alone have scores. A tree without spans says that these were
 * not looked for, an annotation without a tree that they were.
 */
static bool fit(struct annotated *doc, struct vouch_error *err)
{
    static const char *const known[] = {"text", "tokens", "words", "sentences", "columns", NULL};
    static const struct naming any = {.prefix = "span-", .any = true, .others = "word-"};
    struct conversion_counts *counts = &doc->corpus->counts;
    struct text who = doc->annotator;
    bool predicted = doc->state == ANSWER_PREDICTED, none = doc->state == ANSWER_NONE;
    bool named = !none && (json_id_is_number(who) || (who.length > 0 && memchr(who.at, '@', who.length)));
    if (!predicted && !named) {
        counts->unsaid[KEPT_ANNOTATORS] += who.length > 0;
        doc->annotator = (struct text){"", 0};
    }
    if (!predicted) {
        counts->unsaid[KEPT_SCORES] += !isnan(doc->score);
        doc->score = NAN;
    }
    doc->spanned = !none && (doc->spans > 0 || !doc->head);
    return fit_json_meta(doc, known, err) && fit_span_names(doc, &any, true, err);
}

struct result_writing {
    struct output *out;
    const struct annotated *doc;
    const char *spans; /* the control's name */
    struct offset_map map;
    uint32_t items;
};

static void begin_item(struct result_writing *w)
{
    output_printf(w->out, w->items++ > 0 ? ",\n    " : "\n    ");
}

static void write_place(const struct result_writing *w, uint32_t begin, uint32_t end)
{
    output_printf(w->out, "{\"start\": %u, \"end\": %u, \"text\": ", offset_of_byte(&w->map, begin),
                  offset_of_byte(&w->map, end));
    write_json_text(w->out, annotated_bytes(w->doc, begin, end));
    output_printf(w->out, ", \"labels\": [");
}

/* Whether a span is one more label of the region before it. */
static bool same_region(const struct annotated *doc, uint32_t span)
{
    return span > 0 && text_equal(doc->span[span - 1].id, doc->span[span].id);
}

static void write_region(struct result_writing *w, uint32_t i)
{
    const struct marked_span *span = &w->doc->span[i];
    begin_item(w);
    output_printf(w->out, "{\"id\": ");
    write_json_text(w->out, span->id);
    write_json_member(w->out, "from_name", text_of(w->spans));
    output_printf(w->out, ", \"to_name\": \"text\", \"type\": \"labels\", \"value\": ");
    write_place(w, span->begin, span->end);
    write_json_text(w->out, span->label);
    for (uint32_t more = i + 1; more < w->doc->spans && same_region(w->doc, more); more++) {
        output_printf(w->out, ", ");
        write_json_text(w->out, w->doc->span[more].label);
    }
    output_printf(w->out, "]}");
    write_json_score(w->out, span->score);
    if (span->note.length > 0) {
        output_printf(w->out, ", \"meta\": {\"text\": [");
        write_json_text(w->out, span->note);
        output_printf(w->out, "]}");
    }
    output_printf(w->out, "}");
}

static void write_relation(struct result_writing *w, const struct marked_relation *relation)
{
    begin_item(w);
    output_printf(w->out, "{\"type\": \"relation\", \"from_id\": ");
    write_json_text(w->out, w->doc->span[relation->from].id);
    output_printf(w->out, ", \"to_id\": ");
    write_json_text(w->out, w->doc->span[relation->to].id);
    output_printf(w->out, ", \"direction\": \"right\", \"labels\": [");
    if (relation->label.length > 0)
        write_json_text(w->out, relation->label);
    output_printf(w->out, "]}");
}

/* Writes a region for every word, and relations from heads; the root's is to itself. */
static void write_tree(struct result_writing *w)
{
    const struct annotated *doc = w->doc;
    const struct tag_column *upos = annotated_has_column(doc, "upos");
    for (uint32_t i = 0; i < doc->words; i++) {
        begin_item(w);
        output_printf(w->out,
                      "{\"id\": \"word-%u\", \"from_name\": \"" LABEL_STUDIO_WORDS
                      "\", \"to_name\": \"text\", \"type\": \"labels\", \"value\": ",
                      i + 1);
        write_place(w, doc->word[i].from, doc->word[i].to);
        write_json_text(w->out, upos && upos->cell[i].length > 0 ? upos->cell[i] : text_of("_"));
        output_printf(w->out, "]}}");
    }
    for (uint32_t i = 0; i < doc->words; i++) {
        if (doc->head[i] == NO_HEAD)
            continue;
        begin_item(w);
        output_printf(w->out,
                      "{\"type\": \"relation\", \"from_id\": \"word-%u\", \"to_id\": \"word-%u\", \"direction\": "
                      "\"right\", \"labels\": [",
                      doc->head[i] == 0 ? i + 1 : doc->head[i], i + 1);
        if (doc->deprel[i].length > 0)
            write_json_text(w->out, doc->deprel[i]);
        output_printf(w->out, "]}");
    }
}

static bool write_result(struct output *out, const struct annotated *doc, const char *spans, struct vouch_error *err)
{
    struct result_writing w = {.out = out, .doc = doc, .spans = spans};
    if (!offset_map_set(&w.map, doc->text, OFFSET_POINTS, err))
        return false;
    output_printf(out, "[");
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!same_region(doc, i))
            write_region(&w, i);
    for (uint32_t i = 0; i < doc->relations; i++)
        write_relation(&w, &doc->relation[i]);
    if (doc->head)
        write_tree(&w);
    output_printf(out, "]");
    offset_map_release(&w.map);
    return true;
}

/* Writes who annotated: a number, or an address. */
static void write_annotator(struct output *out, struct text who)
{
    if (who.length == 0)
        return;
    output_printf(out, json_id_is_number(who) ? "\"completed_by\": " : "\"completed_by\": {\"email\": ");
    write_json_id(out, who);
    output_printf(out, json_id_is_number(who) ? ", " : "}, ");
}

static bool write_answer(struct output *out, const struct annotated *doc, const char *spans, struct vouch_error *err)
{
    output_printf(out, "{");
    if (doc->state != ANSWER_PREDICTED) {
        write_annotator(out, doc->annotator);
        output_printf(out, "\"was_cancelled\": %s, \"result\": ", doc->state == ANSWER_IGNORED ? "true" : "false");
    } else {
        output_printf(out, "\"model_version\": ");
        write_json_text(out, doc->annotator);
        output_printf(out, ", \"score\": ");
        write_json_number(out, doc->score);
        output_printf(out, ", \"result\": ");
    }
    bool done = write_result(out, doc, spans, err);
    output_printf(out, "}");
    return done;
}

static bool write_data(struct output *out, const struct annotated *doc, struct vouch_error *err)
{
    struct offset_map map = {0};
    output_printf(out, "\"data\": {\"text\": ");
    write_json_text(out, doc->text);
    bool done = offset_map_set(&map, doc->text, OFFSET_POINTS, err) && write_json_words(out, doc, &map, err);
    write_json_columns(out, doc, doc->head ? "upos" : NULL);
    write_json_meta(out, doc);
    output_printf(out, "}");
    offset_map_release(&map);
    return done;
}

/* Whether each column of a document but that of the answer is one of another. */
static bool has_columns(const struct annotated *doc, const struct annotated *other)
{
    for (uint32_t c = 0; c < doc->columns; c++) {
        if (doc->head && text_is(doc->column[c].name, "upos"))
            continue;
        for (uint32_t i = 0; i < doc->words; i++) {
            struct text tag = annotated_cell(doc, doc->column[c].name, i);
            if (!text_equal(tag, annotated_cell(other, doc->column[c].name, i)))
                return false;
        }
    }
    return true;
}

static bool same_words(const struct annotated *a, const struct annotated *b)
{
    bool same = a->words == b->words && a->sentences == b->sentences;
    for (uint32_t i = 0; same && i < a->words; i++)
        same = a->word[i].from == b->word[i].from && a->word[i].to == b->word[i].to;
    for (uint32_t i = 0; same && i < a->sentences; i++)
        same = a->sentence[i].to == b->sentence[i].to;
    return same;
}

/*
 * Whether a document is one more answer about the text of the one before it: all but the answer must be the same. A
 * text without an answer is a task of its own, and predictions come behind annotations.
 */
static bool same_task(const struct annotated *before, const struct annotated *doc)
{
    bool ordered = before->state != ANSWER_NONE && doc->state != ANSWER_NONE &&
                   (before->state != ANSWER_PREDICTED || doc->state == ANSWER_PREDICTED);
    return ordered && doc->id.length > 0 && text_equal(before->id, doc->id) && text_equal(before->text, doc->text) &&
           text_equal(before->meta, doc->meta) && same_words(before, doc) && !before->head == !doc->head &&
           has_columns(before, doc) && has_columns(doc, before);
}

/* Writes the answers of one kind of the documents of a task. */
static bool write_answers(struct output *out, const struct annotated *doc, size_t count, bool predicted,
                          const char *spans, struct vouch_error *err)
{
    uint32_t written = 0;
    output_printf(out, ",\n  \"%s\": [", predicted ? "predictions" : "annotations");
    for (size_t i = 0; i < count; i++)
        if (doc[i].state != ANSWER_NONE && (doc[i].state == ANSWER_PREDICTED) == predicted) {
            output_printf(out, written++ > 0 ? ", " : "");
            if (!write_answer(out, &doc[i], spans, err))
                return false;
        }
    output_printf(out, "]");
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    (void)companion;
    const char *spans = choices->layer ? choices->layer : LABEL_STUDIO_SPANS;
    output_printf(out, "[");
    for (size_t i = 0, next; i < corpus->count; i = next) {
        const struct annotated *doc = &corpus->document[i];
        next = i + 1;
        while (next < corpus->count && same_task(doc, &corpus->document[next]))
            next++;
        output_printf(out, i > 0 ? ",\n{" : "\n{");
        if (doc->id.length > 0) {
            output_printf(out, "\"id\": ");
            write_json_id(out, doc->id);
            output_printf(out, ", ");
        }
        if (!write_data(out, doc, err) || !write_answers(out, doc, next - i, false, spans, err) ||
            !write_answers(out, doc, next - i, true, spans, err))
            return false;
        output_printf(out, "}");
    }
    output_printf(out, "\n]\n");
    return true;
}

const struct annotation_format label_studio_format = {
    .name = "label-studio",
    .extension = ".json",
    .title = "Label Studio JSON",
    .kept = ~(KEPT(SENTENCE_IDS) | KEPT(COMMENTS) | KEPT(RELATION_SCORES) | KEPT(RELATION_IDS) | KEPT(OPEN_HEADS) |
              KEPT(OTHER_LINES) | KEPT(STATES)),
    .states = 1u << ANSWER_IGNORED | 1u << ANSWER_PREDICTED | 1u << ANSWER_NONE,
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
