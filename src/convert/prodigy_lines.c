/*
 * Prodigy: one object a line,
 *
 *     {"text": "Ada left.", "tokens": [{"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": true}, ...],
 *      "spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "PER"}],
 *      "relations": [{"head": 1, "child": 0, "label": "nsubj", "head_span": {...}, "child_span": {...}}],
 *      "answer": "accept", "meta": {...}, "_input_hash": 1, "_annotator_id": "ada"}
 *
 * Offsets count code points; token_end is the last word itself. Without tokens words are found by rule. Tokens of white
 * space, as spaCy makes them, are no words; numbers of tokens are those of the file. Relations are between tokens. One
 * whose head and child are spans of the list is a relation between these; the others are the arcs of a tree, in which
 * the root is its own head. Where two spans of a place have the same label, "id" of head_span says which it is. Further
 * keys of a token are its tags, further keys of the object are kept beside "meta".
 */
#include "convert/fitting.h"
#include "convert/json_documents.h"

static const char *const known[] = {"text",  "tokens",        "spans",    "relations", "answer", "sentences",
                                    "score", "_annotator_id", "document", "words",     NULL};
static const char *const of_token[] = {"text", "start", "end", "id", "ws", "disabled", NULL};
static const struct {
    const char *name;
    enum answer_state state;
} answers[] = {{"accept", ANSWER_ACCEPTED}, {"reject", ANSWER_REJECTED}, {"ignore", ANSWER_IGNORED}};

/* The line at hand: where its tokens are among words; NO_WORD if it is white space. */
#define NO_WORD UINT32_MAX
struct prodigy_line {
    const struct json_document *document;
    struct annotated *doc;
    struct offset_map map, points;
    uint32_t *word; /* [tokens] */
    size_t tokens;
};

static bool read_tags(const struct prodigy_line *line, json_t *token, uint32_t word, struct vouch_error *err)
{
    json_t *value;
    const char *key;
    json_object_foreach(token, key, value)
    {
        if (text_among(text_of(key), of_token) || !json_is_string(value))
            continue;
        struct text name = texts_keep(line->doc->corpus, text_of(key), err);
        struct tag_column *column = name.at ? annotated_column(line->doc, name, err) : NULL;
        if (!column || !keep_json_text(line->document, value, key, &column->cell[word], err))
            return false;
    }
    return true;
}

static bool read_token(struct prodigy_line *line, json_t *token, size_t i, struct vouch_error *err)
{
    const struct json_document *document = line->document;
    const json_t *form = json_object_get(token, "text");
    uint32_t from, to, before = line->doc->words;
    if (!read_json_offset(document, json_object_get(token, "start"), "start", &line->map, &from, err) ||
        !read_json_offset(document, json_object_get(token, "end"), "end", &line->map, &to, err))
        return false;
    struct text found = from <= to ? annotated_bytes(line->doc, from, to) : (struct text){"", 0};
    if (json_is_string(form) && !text_is(found, json_string_value(form)))
        return fail_json(document, err, "token %zu: expected '%s', found '%.*s' at its offsets", i,
                         json_string_value(form), excerpt(found), found.at);
    if (!annotated_add_word(line->doc, from, to, err))
        return false;
    line->word[i] = line->doc->words > before ? before : NO_WORD;
    return line->word[i] == NO_WORD || read_tags(line, token, line->word[i], err);
}

static bool read_tokens(struct prodigy_line *line, struct vouch_error *err)
{
    const json_t *list = json_object_get(line->document->object, "tokens");
    line->tokens = json_array_size(list);
    if (!list)
        return read_json_words(line->document, line->doc, &line->points, err);
    if (!json_is_array(list))
        return fail_json(line->document, err, "\"tokens\": expected an array");
    if (!ARENA_ARRAY(line->word, line->tokens, &line->doc->corpus->arena, err))
        return false;
    for (size_t i = 0; i < line->tokens; i++)
        if (!read_token(line, json_array_get(list, i), i, err))
            return false;
    return read_json_sentences(line->document, line->doc, err);
}

/* Checks the words that a span names beside its characters. */
static bool check_tokens(const struct prodigy_line *line, const json_t *item, const struct marked_span *span,
                         struct vouch_error *err)
{
    const json_t *first = json_object_get(item, "token_start"), *last = json_object_get(item, "token_end");
    uint64_t from, to;
    if (!line->word || !first || !last)
        return true;
    if (!read_json_count(line->document, first, "token_start", UINT32_MAX, &from, err) ||
        !read_json_count(line->document, last, "token_end", UINT32_MAX, &to, err))
        return false;
    if (from > to || to >= line->tokens)
        return fail_json(line->document, err, "\"spans\": expected tokens from 0 to %lld, found %llu to %llu",
                         (long long)line->tokens - 1, (unsigned long long)from, (unsigned long long)to);
    const struct marked_word *word = line->doc->word;
    bool same = line->word[from] == NO_WORD || line->word[to] == NO_WORD ||
                (word[line->word[from]].from == span->begin && word[line->word[to]].to == span->end);
    struct text found = annotated_bytes(line->doc, span->begin, span->end);
    return same ||
           fail_json(line->document, err, "\"spans\": expected tokens %llu to %llu at the offsets, found '%.*s' there",
                     (unsigned long long)from, (unsigned long long)to, excerpt(found), found.at);
}

static bool read_span(const struct prodigy_line *line, const json_t *item, struct vouch_error *err)
{
    uint32_t begin, end;
    struct text label;
    if (!read_json_offset(line->document, json_object_get(item, "start"), "start", &line->map, &begin, err) ||
        !read_json_offset(line->document, json_object_get(item, "end"), "end", &line->map, &end, err) ||
        !keep_json_text(line->document, json_object_get(item, "label"), "label", &label, err))
        return false;
    if (begin > end)
        return fail_json(line->document, err, "\"spans\": expected a span that ends behind its start");
    struct marked_span *span = annotated_add_piece(line->doc, begin, end, label, err);
    return span && check_tokens(line, item, span, err) &&
           keep_json_id(line->document, json_object_get(item, "id"), "id", &span->id, err) &&
           keep_json_text(line->document, json_object_get(item, "note"), "note", &span->note, err) &&
           read_json_score(line->document, json_object_get(item, "score"), "score", &span->score, err);
}

/* Finds the span of the list that a relation has for its head or child. */
static bool find_end(const struct prodigy_line *line, const json_t *end, uint32_t *span)
{
    const json_t *label = json_object_get(end, "label"), *id = json_object_get(end, "id");
    uint32_t byte[2];
    static const char *const key[2] = {"start", "end"};
    for (int i = 0; i < 2; i++) {
        const json_t *offset = json_object_get(end, key[i]);
        if (!json_is_integer(offset) || json_integer_value(offset) < 0 ||
            !byte_of_offset(&line->map, (uint64_t)json_integer_value(offset), &byte[i]))
            return false;
    }
    for (*span = 0; *span < line->doc->spans; (*span)++) {
        const struct marked_span *found = &line->doc->span[*span];
        if (found->begin == byte[0] && found->end == byte[1] && json_is_string(label) &&
            text_is(found->label, json_string_value(label)) &&
            (!id || json_id_is(id, found->id)))
            return true;
    }
    return false;
}

static bool find_word(const struct prodigy_line *line, const json_t *item, const char *key, uint32_t *word,
                      struct vouch_error *err)
{
    uint64_t token;
    size_t tokens = line->word ? line->tokens : line->doc->words;
    if (!read_json_count(line->document, json_object_get(item, key), key, UINT32_MAX, &token, err))
        return false;
    if (token >= tokens)
        return fail_json(line->document, err, "\"relations\": expected a token from 0 to %lld, found %llu",
                         (long long)tokens - 1, (unsigned long long)token);
    *word = line->word ? line->word[token] : (uint32_t)token;
    return *word != NO_WORD || fail_json(line->document, err, "\"relations\": expected a word, found white space");
}

static bool read_arc(const struct prodigy_line *line, const json_t *item, struct text label, struct vouch_error *err)
{
    struct annotated *doc = line->doc;
    uint32_t head, child;
    if (!find_word(line, item, "head", &head, err) || !find_word(line, item, "child", &child, err) ||
        !annotated_begin_tree(doc, err))
        return false;
    if (doc->head[child] != NO_HEAD)
        return fail_json(line->document, err, "\"relations\": expected one head of '%.*s', found two",
                         excerpt(annotated_form(doc, child)), annotated_form(doc, child).at);
    doc->head[child] = head == child ? 0 : head + 1;
    doc->deprel[child] = label;
    return true;
}

static bool read_relation(const struct prodigy_line *line, const json_t *item, struct vouch_error *err)
{
    uint32_t from, to;
    struct text label;
    if (!keep_json_text(line->document, json_object_get(item, "label"), "label", &label, err))
        return false;
    if (!find_end(line, json_object_get(item, "head_span"), &from) ||
        !find_end(line, json_object_get(item, "child_span"), &to))
        return read_arc(line, item, label, err);
    struct marked_relation *relation = annotated_add_relation(line->doc, from, to, label, err);
    return relation && keep_json_id(line->document, json_object_get(item, "id"), "id", &relation->id, err) &&
           read_json_score(line->document, json_object_get(item, "score"), "score", &relation->score, err);
}

static bool read_answer(struct prodigy_line *line, struct vouch_error *err)
{
    const json_t *object = line->document->object, *answer = json_object_get(object, "answer"), *item;
    size_t i;
    for (i = 0; i < sizeof answers / sizeof *answers; i++)
        if (json_is_string(answer) && strcmp(json_string_value(answer), answers[i].name) == 0)
            line->doc->state = answers[i].state;
    if (answer && line->doc->state == ANSWER_GIVEN)
        return fail_json(line->document, err, "\"answer\": expected accept, reject or ignore");
    line->doc->spanned = json_object_get(object, "spans") != NULL;
    json_array_foreach(json_object_get(object, "spans"), i, item) if (!read_span(line, item, err)) return false;
    json_array_foreach(json_object_get(object, "relations"), i, item) if (!read_relation(line, item, err)) return false;
    return annotated_settle(line->doc, err);
}

static bool read_object(struct prodigy_line *line, struct vouch_error *err)
{
    const struct json_document *document = line->document;
    json_t *object = document->object;
    struct annotated *doc = line->doc;
    const json_t *who = json_object_get(object, "_annotator_id");
    if (!json_is_string(json_object_get(object, "text")))
        return fail_json(document, err, "expected \"text\", a string");
    enum offset_unit unit = document->choices->given_unit ? document->choices->unit : OFFSET_POINTS;
    return keep_json_text(document, json_object_get(object, "text"), "text", &doc->text, err) &&
           keep_json_id(document, json_object_get(object, "document"), "document", &doc->id, err) &&
           keep_json_id(document, who ? who : json_object_get(object, "_session_id"), "_annotator_id", &doc->annotator,
                        err) &&
           read_json_score(document, json_object_get(object, "score"), "score", &doc->score, err) &&
           keep_json_rest(document->into, object, known, &doc->meta, err) &&
           offset_map_set(&line->map, doc->text, unit, err) &&
           offset_map_set(&line->points, doc->text, OFFSET_POINTS, err) && read_tokens(line, err) &&
           read_answer(line, err);
}

static bool read_line(const struct json_document *document, struct vouch_error *err)
{
    struct prodigy_line line = {.document = document, .doc = texts_add(document->into, document->line, err)};
    bool done = line.doc && read_object(&line, err);
    offset_map_release(&line.map);
    offset_map_release(&line.points);
    return done;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    return read_json_documents(source, choices, into, read_line, err);
}

static bool recognise(struct text beginning)
{
    return json_beginning_has(beginning, "text") && !json_beginning_has(beginning, "label") &&
           !json_beginning_has(beginning, "offsets") &&
           (json_beginning_has(beginning, "_input_hash") || json_beginning_has(beginning, "answer") ||
            json_beginning_has(beginning, "spans"));
}

/* ---- Writing ---- */

/* Whether two spans of one place have the same label, so that a relation must say which of them it means. */
static bool has_twins(const struct annotated *doc)
{
    for (uint32_t i = 0; i < doc->spans; i++)
        for (uint32_t j = i + 1; j < doc->spans && doc->span[j].from == doc->span[i].from &&
                                 doc->span[j].to == doc->span[i].to; j++)
            if (text_equal(doc->span[i].label, doc->span[j].label))
                return true;
    return false;
}

/* Returns the first word that has a tag in a column. */
static uint32_t first_tag(const struct tag_column *column)
{
    uint32_t i = 0;
    while (column->cell[i].length == 0)
        i++;
    return i;
}

/* Puts columns into the order in which tokens have them first, which is that in which they are read. */
static void order_columns(struct annotated *doc)
{
    for (uint32_t c = 1; c < doc->columns; c++)
        for (uint32_t d = c; d > 0 && first_tag(&doc->column[d]) < first_tag(&doc->column[d - 1]); d--) {
            const struct tag_column column = doc->column[d];
            doc->column[d] = doc->column[d - 1];
            doc->column[d - 1] = column;
        }
}

static bool fit(struct annotated *doc, struct vouch_error *err)
{
    static const struct naming any = {.prefix = "span-", .any = true};
    fit_columns(doc, of_token, KEPT_COLUMNS);
    order_columns(doc);
    return fit_json_meta(doc, known, err) &&
           (doc->relations == 0 || !has_twins(doc) || fit_span_names(doc, &any, false, err));
}

static void write_tokens(struct output *out, const struct annotated *doc, const struct offset_map *map)
{
    output_printf(out, ", \"tokens\": [");
    for (uint32_t i = 0; i < doc->words; i++) {
        uint32_t to = doc->word[i].to;
        output_printf(out, i > 0 ? ", {\"text\": " : "{\"text\": ");
        write_json_text(out, annotated_form(doc, i));
        output_printf(out, ", \"start\": %u, \"end\": %u, \"id\": %u, \"ws\": %s",
                      offset_of_byte(map, doc->word[i].from), offset_of_byte(map, to), i,
                      to < doc->text.length && doc->text.at[to] == ' ' ? "true" : "false");
        for (uint32_t c = 0; c < doc->columns; c++) {
            if (doc->column[c].cell[i].length == 0)
                continue;
            output_printf(out, ", ");
            write_json_text(out, doc->column[c].name);
            output_printf(out, ": ");
            write_json_text(out, doc->column[c].cell[i]);
        }
        output_printf(out, "}");
    }
    output_printf(out, "]");
}

static void write_place(struct output *out, const struct marked_span *span, const struct offset_map *map)
{
    output_printf(out, "{\"start\": %u, \"end\": %u, \"token_start\": %u, \"token_end\": %u, \"label\": ",
                  offset_of_byte(map, span->begin), offset_of_byte(map, span->end), span->from, span->to - 1);
    write_json_text(out, span->label);
}

static void write_more(struct output *out, struct text id, struct text note, double score)
{
    write_json_id_member(out, "id", id);
    write_json_member(out, "note", note);
    write_json_score(out, score);
}

static void write_spans(struct output *out, const struct annotated *doc, const struct offset_map *map)
{
    output_printf(out, ", \"spans\": [");
    for (uint32_t i = 0; i < doc->spans; i++) {
        output_printf(out, i > 0 ? ", " : "");
        write_place(out, &doc->span[i], map);
        write_more(out, doc->span[i].id, doc->span[i].note, doc->span[i].score);
        output_printf(out, "}");
    }
    output_printf(out, "]");
}

static void write_relations(struct output *out, const struct annotated *doc, const struct offset_map *map)
{
    bool any = false;
    output_printf(out, ", \"relations\": [");
    for (uint32_t i = 0; i < doc->relations; i++, any = true) {
        const struct marked_relation *relation = &doc->relation[i];
        const struct marked_span *head = &doc->span[relation->from], *child = &doc->span[relation->to];
        output_printf(out, "%s{\"head\": %u, \"child\": %u, \"label\": ", any ? ", " : "", head->to - 1, child->to - 1);
        write_json_text(out, relation->label);
        output_printf(out, ", \"head_span\": ");
        write_place(out, head, map);
        write_json_id_member(out, "id", head->id);
        output_printf(out, "}, \"child_span\": ");
        write_place(out, child, map);
        write_json_id_member(out, "id", child->id);
        output_printf(out, "}");
        write_more(out, relation->id, (struct text){"", 0}, relation->score);
        output_printf(out, "}");
    }
    for (uint32_t i = 0; doc->head && i < doc->words; i++) {
        if (doc->head[i] == NO_HEAD)
            continue;
        output_printf(out, "%s{\"head\": %u, \"child\": %u, \"label\": ", any ? ", " : "",
                      doc->head[i] == 0 ? i : doc->head[i] - 1, i);
        write_json_text(out, doc->deprel[i]);
        output_printf(out, "}");
        any = true;
    }
    output_printf(out, "]");
}

static bool write_line(struct output *out, const struct annotated *doc, struct offset_map *map, bool detailed,
                       struct vouch_error *err)
{
    bool words, sentences;
    (void)detailed;
    if (!offset_map_set(map, doc->text, OFFSET_POINTS, err) || !annotated_ruled(doc, &words, &sentences, err))
        return false;
    output_printf(out, "{\"text\": ");
    write_json_text(out, doc->text);
    write_tokens(out, doc, map);
    if (doc->spanned)
        write_spans(out, doc, map);
    if (doc->relations > 0 || doc->head)
        write_relations(out, doc, map);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (doc->state == answers[i].state)
            output_printf(out, ", \"answer\": \"%s\"", answers[i].name);
    if (!sentences)
        write_json_sentences(out, doc);
    write_json_member(out, "_annotator_id", doc->annotator);
    write_json_member(out, "document", doc->id);
    write_json_score(out, doc->score);
    write_json_meta(out, doc);
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    (void)companion, (void)choices;
    return write_json_lines(out, corpus, write_line, false, err);
}

const struct annotation_format prodigy_format = {
    .name = "prodigy",
    .extension = ".jsonl",
    .title = "Prodigy's JSON lines",
    .kept = ~(KEPT(SENTENCE_IDS) | KEPT(COMMENTS) | KEPT(OPEN_HEADS) | KEPT(OTHER_LINES) | KEPT(STATES)),
    .states = 1u << ANSWER_REJECTED | 1u << ANSWER_IGNORED,
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
