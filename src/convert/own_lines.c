/*
 * vouch's own JSON lines (text/jsonl.c), a sentence a line, with all that an annotated text may have but overlaps:
 *
 *     {"tokens": ["Ada", "left"], "labels": ["B-PER", "O"]}
 *     {"tokens": [["Ada", "Ada", "PROPN"], ["left", "leave", "VERB"]], "heads": [2, 0], "relations": ["nsubj", "root"]}
 *
 * What these keys cannot say is in others, where it is there:
 *
 *     entities   [{"from": 0, "to": 1, "label": "PER", "id": "T1", "score": 0.9, "note": "?"}]: the spans that labels
 *                spell, by words, if they have more than a label
 *     links      [{"from": 0, "to": 1, "label": "of"}]: relations between the entities of the document, counted from 0,
 *                in its last line
 *     columns    names of the columns of tokens behind the word; without it they are lemma, upos, xpos, feats if there
 *                are heads, else 2, 3, ...
 *     tags       {"misc": [...]}: other columns of trees
 *     offsets    [[0, 3], [4, 8]]: of words in the text, in code points, if words are not separated by one space
 *     text, annotator, state, score, meta: the document's, in its first line
 *     id, document, continues: see token_records.h; comments, other: of the sentence, as CoNLL-U has them
 *
 * The answer of a document that was not accepted is under "predicted", "predicted_heads" and "predicted_relations", as
 * vouch tag and vouch parse write it: it is nothing to learn from. "spans" beside it, which labels spell, are not read.
 *
 * A file of lines without the keys of documents is one in which each sentence is a document.
 */
#include "convert/fitting.h"
#include "convert/token_records.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const state_names[ANSWER_STATES] = {"given", "accepted", "rejected", "ignored", "predicted", "none"};
/* The keys of an answer: those of gold, and those of one that was not accepted, which must not be learned from. */
static const struct answer_keys {
    const char *labels, *heads, *relations;
} answer_keys[2] = {{"labels", "heads", "relations"}, {"predicted", "predicted_heads", "predicted_relations"}};

static const struct answer_keys *keys_of(const struct annotated *doc)
{
    return &answer_keys[doc->state != ANSWER_GIVEN && doc->state != ANSWER_ACCEPTED];
}

static const char *const known[] = {
    "predicted", "predicted_heads", "predicted_relations", "spans", "tokens", "labels", "heads", "relations",
    "entities", "links", "columns", "tags", "offsets", "text", "annotator", "state", "score", "id", "document",
    "continues", "other", "comments", NULL};

/* The columns that tokens of trees have, in this order. */
static const char *const tree_columns[] = {"lemma", "upos", "xpos", "feats", NULL};
enum { TREE_TAGS = 4 };

/* ---- Reading ---- */

static struct text text_of_json(const json_t *string)
{
    return (struct text){json_string_value(string), (uint32_t)json_string_length(string)};
}

static bool read_state(const struct json_document *document, struct annotated *doc, struct vouch_error *err)
{
    const json_t *value = json_object_get(document->object, "state");
    bool answered = json_object_get(document->object, "labels") || json_object_get(document->object, "heads");
    bool predicted =
        json_object_get(document->object, "predicted") || json_object_get(document->object, "predicted_heads");
    if (!value) {
        doc->state = predicted && !answered ? ANSWER_PREDICTED : ANSWER_GIVEN;
        return true;
    }
    for (int i = 0; i < ANSWER_STATES; i++)
        if (json_is_string(value) && strcmp(json_string_value(value), state_names[i]) == 0) {
            doc->state = (enum answer_state)i;
            return true;
        }
    return fail_json(document, err, "\"state\": expected given, accepted, rejected, ignored, predicted or none");
}

/* Reads what a document's first line says of it. */
static bool read_document(const struct json_document *document, struct annotated *doc, struct vouch_error *err)
{
    const json_t *object = document->object;
    return keep_json_text(document, json_object_get(object, "text"), "text", &doc->text, err) &&
           keep_json_id(document, json_object_get(object, "annotator"), "annotator", &doc->annotator, err) &&
           read_json_score(document, json_object_get(object, "score"), "score", &doc->score, err) &&
           read_state(document, doc, err);
}

/* Adds a word: a piece of the text if there are offsets, else it is appended. */
static bool read_word(const struct json_document *document, struct annotated *doc, const json_t *token,
                      const json_t *offsets, const struct offset_map *map, struct vouch_error *err)
{
    const json_t *word = json_is_array(token) ? json_array_get(token, 0) : token;
    if (!json_is_string(word))
        return fail_json(document, err, "\"tokens\": expected strings, or arrays of strings");
    struct text form = text_of_json(word), gap = {" ", 1};
    uint32_t from, to;
    if (!offsets) {
        uint32_t ended = doc->sentences ? doc->sentence[doc->sentences - 1].to : 0;
        gap.at = doc->words == ended ? "\n" : " ";
        return annotated_append_word(doc, gap, form, err);
    }
    if (json_array_size(offsets) != 2)
        return fail_json(document, err, "\"offsets\": expected two for every word");
    if (!read_json_offset(document, json_array_get(offsets, 0), "offsets", map, &from, err) ||
        !read_json_offset(document, json_array_get(offsets, 1), "offsets", map, &to, err))
        return false;
    struct text found = from <= to ? annotated_bytes(doc, from, to) : (struct text){"", 0};
    if (!text_equal(found, form))
        return fail_json(document, err, "\"offsets\": expected '%.*s' at %lld, found '%.*s'", excerpt(form), form.at,
                         (long long)json_integer_value(json_array_get(offsets, 0)), excerpt(found), found.at);
    return annotated_add_word(doc, from, to, err);
}

static bool read_words(const struct json_document *document, struct annotated *doc, const json_t *tokens,
                       struct vouch_error *err)
{
    const json_t *offsets = json_object_get(document->object, "offsets");
    struct offset_map map = {0};
    bool placed = offsets && doc->text.length > 0, done = true;
    if (!json_is_array(tokens))
        return fail_json(document, err, "expected \"tokens\", an array");
    if (placed && json_array_size(offsets) != json_array_size(tokens))
        return fail_json(document, err, "\"offsets\": expected %zu, one a word", json_array_size(tokens));
    if (!placed && doc->text.length > 0 && doc->corpus->draft.length == 0) {
        if (json_array_size(tokens) > 0)
            return fail_json(document, err, "expected \"offsets\" of words beside a \"text\"");
        return true;
    }
    done = !placed || offset_map_set(&map, doc->text, OFFSET_POINTS, err);
    for (size_t i = 0; done && i < json_array_size(tokens); i++)
        done =
            read_word(document, doc, json_array_get(tokens, i), placed ? json_array_get(offsets, i) : NULL, &map, err);
    offset_map_release(&map);
    return done;
}

/* Writes the name of column c of tokens, from 1, into `room`, unless the file has it. */
static struct text column_name(const struct json_document *document, size_t c, char room[32])
{
    const json_t *names = json_object_get(document->object, "columns");
    if (json_is_string(json_array_get(names, c - 1)))
        return text_of_json(json_array_get(names, c - 1));
    if ((json_object_get(document->object, "heads") || json_object_get(document->object, "predicted_heads")) &&
        c <= TREE_TAGS)
        return text_of(tree_columns[c - 1]);
    snprintf(room, 32, "%zu", c + 1);
    return text_of(room);
}

/* Adds a column, if it is not there: those of a file are in its order. */
static struct tag_column *put_column(struct annotated *doc, struct text name, struct vouch_error *err)
{
    struct text lasting = texts_keep(doc->corpus, name, err);
    return lasting.at ? annotated_column(doc, lasting, err) : NULL;
}

static bool put_cell(const struct json_document *document, struct annotated *doc, struct text name, uint32_t word,
                     const json_t *cell, struct vouch_error *err)
{
    struct text kept;
    if (!cell || json_is_null(cell))
        return true;
    if (!keep_json_text(document, cell, "tokens", &kept, err))
        return false;
    if (kept.length == 0 || text_is(kept, "_"))
        return true;
    struct tag_column *column = put_column(doc, name, err);
    if (!column)
        return false;
    column->cell[word] = kept;
    return true;
}

static bool read_columns(const struct json_document *document, struct annotated *doc, uint32_t first,
                         const json_t *tokens, struct vouch_error *err)
{
    json_t *tags = json_object_get(document->object, "tags"), *list;
    const char *name;
    char room[32];
    for (size_t c = 1; c < json_array_size(json_array_get(tokens, 0)); c++)
        if (!put_column(doc, column_name(document, c, room), err))
            return false;
    for (uint32_t i = first; i < doc->words; i++) {
        const json_t *token = json_array_get(tokens, i - first);
        for (size_t c = 1; c < json_array_size(token); c++)
            if (!put_cell(document, doc, column_name(document, c, room), i, json_array_get(token, c), err))
                return false;
    }
    json_object_foreach(tags, name, list)
    {
        if (json_array_size(list) != doc->words - first)
            return fail_json(document, err, "\"tags\": expected a tag for every word");
        if (doc->words > first && !put_column(doc, text_of(name), err))
            return false;
        for (uint32_t i = first; i < doc->words; i++)
            if (!put_cell(document, doc, text_of(name), i, json_array_get(list, i - first), err))
                return false;
    }
    return true;
}

static bool read_tree(const struct json_document *document, struct annotated *doc, uint32_t first,
                      struct vouch_error *err)
{
    const struct answer_keys *keys = keys_of(doc);
    const json_t *heads = json_object_get(document->object, keys->heads), *relations, *head;
    uint32_t N = doc->words - first;
    relations = json_object_get(document->object, keys->relations);
    if (!heads || json_is_null(heads))
        return true;
    if (json_array_size(heads) != N || (json_is_array(relations) && json_array_size(relations) != N))
        return fail_json(document, err, "\"heads\": expected %u, and as many relations, one a word", N);
    if (!annotated_begin_tree(doc, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        uint64_t up;
        head = json_array_get(heads, i);
        if (!json_is_null(head)) {
            if (!read_json_count(document, head, "heads", N, &up, err))
                return false;
            doc->head[first + i] = up == 0 ? 0 : first + (uint32_t)up;
        }
        struct text relation;
        if (!keep_json_text(document, json_array_get(relations, i), "relations", &relation, err))
            return false;
        doc->deprel[first + i] = text_is(relation, "_") ? (struct text){"", 0} : relation;
    }
    return true;
}

/* Finds out whether the labels of a file are all of a scheme. */
static bool see_labels(const struct json_document *document, struct vouch_error *err)
{
    (void)err;
    for (int k = 0; k < 2; k++) {
        const json_t *labels = json_object_get(document->object, answer_keys[k].labels);
        struct text type;
        for (size_t i = 0; i < json_array_size(labels); i++)
            if (json_is_string(json_array_get(labels, i)) &&
                scheme_split(text_of_json(json_array_get(labels, i)), &type) == 0)
                document->into->plain_labels = true;
    }
    return true;
}

/* Reads labels: those of a scheme are spans, others a column. */
static bool read_labels(const struct json_document *document, struct annotated *doc, uint32_t first,
                        struct vouch_error *err)
{
    const json_t *labels = json_object_get(document->object, keys_of(doc)->labels);
    uint32_t N = doc->words - first;
    struct text *label;
    bool plain = doc->corpus->plain_labels, done = true;
    if (!labels || json_is_null(labels))
        return true;
    if (json_array_size(labels) != N)
        return fail_json(document, err, "\"labels\": expected %u, one a word, found %zu", N, json_array_size(labels));
    if (!ARENA_ARRAY(label, N, &doc->corpus->scratch, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        const json_t *item = json_array_get(labels, i);
        if (!json_is_string(item) || json_string_length(item) == 0)
            done = fail_json(document, err, "\"labels\": expected strings that are not empty");
        label[i] = done ? text_of_json(item) : (struct text){"", 0};
    }
    for (uint32_t i = 0; done && plain && i < N; i++)
        done = put_cell(document, doc, text_of("label"), first + i, json_array_get(labels, i), err);
    done = done && (plain || annotated_add_labels(doc, first, label, N, err));
    arena_reset(&doc->corpus->scratch);
    return done;
}

/* Adds to a span what its entity says; the two must be the same span. */
static bool read_entity(const struct json_document *document, uint32_t first, struct marked_span *span,
                        const json_t *entity, struct vouch_error *err)
{
    uint64_t from, to;
    struct text label;
    if (!read_json_count(document, json_object_get(entity, "from"), "from", UINT32_MAX, &from, err) ||
        !read_json_count(document, json_object_get(entity, "to"), "to", UINT32_MAX, &to, err) ||
        !keep_json_text(document, json_object_get(entity, "label"), "label", &label, err))
        return false;
    if (first + from != span->from || first + to != span->to || !text_equal(label, span->label))
        return fail_json(document, err,
                         "\"entities\": expected those that the labels spell, '%.*s' from %u to %u, found '%.*s' from "
                         "%" PRIu64 " to %" PRIu64,
                         excerpt(span->label), span->label.at, span->from - first, span->to - first, excerpt(label),
                         label.at, from, to);
    return keep_json_id(document, json_object_get(entity, "id"), "id", &span->id, err) &&
           keep_json_text(document, json_object_get(entity, "note"), "note", &span->note, err) &&
           read_json_score(document, json_object_get(entity, "score"), "score", &span->score, err);
}

static bool read_entities(const struct json_document *document, struct annotated *doc, uint32_t first, uint32_t before,
                          struct vouch_error *err)
{
    const json_t *entities = json_object_get(document->object, "entities"), *links, *link;
    size_t i;
    uint64_t from, to;
    if (entities && json_array_size(entities) != doc->spans - before)
        return fail_json(document, err, "\"entities\": expected %u, as the labels spell, found %zu",
                         doc->spans - before, json_array_size(entities));
    for (uint32_t k = before; entities && k < doc->spans; k++)
        if (!read_entity(document, first, &doc->span[k], json_array_get(entities, k - before), err))
            return false;
    links = json_object_get(document->object, "links");
    json_array_foreach(links, i, link)
    {
        struct text label;
        if (!read_json_count(document, json_object_get(link, "from"), "from", UINT32_MAX, &from, err) ||
            !read_json_count(document, json_object_get(link, "to"), "to", UINT32_MAX, &to, err) ||
            !keep_json_text(document, json_object_get(link, "label"), "label", &label, err))
            return false;
        struct marked_relation *relation = annotated_add_relation(doc, (uint32_t)from, (uint32_t)to, label, err);
        if (!relation || !keep_json_id(document, json_object_get(link, "id"), "id", &relation->id, err) ||
            !read_json_score(document, json_object_get(link, "score"), "score", &relation->score, err))
            return false;
    }
    return true;
}

/* Reads [[word, line], ...]: lines of CoNLL-U that are no words, in front of a word of the sentence. */
static bool read_other(const struct json_document *document, struct annotated *doc, uint32_t first,
                       struct vouch_error *err)
{
    const json_t *list = json_object_get(document->object, "other"), *item;
    size_t i;
    uint64_t word;
    struct text line;
    json_array_foreach(list, i, item)
    {
        if (!read_json_count(document, json_array_get(item, 0), "other", doc->words - first, &word, err) ||
            !keep_json_text(document, json_array_get(item, 1), "other", &line, err) ||
            !RESERVE(doc->other, doc->other_capacity, (size_t)doc->others + 1, err))
            return false;
        doc->other[doc->others++] = (struct marked_line){first + (uint32_t)word, doc->sentences, line};
    }
    return true;
}

static bool read_record(const struct json_document *document, struct vouch_error *err)
{
    const json_t *tokens = json_object_get(document->object, "tokens");
    bool continues = record_continues(document);
    struct annotated *doc = record_begin(document, err);
    struct text comments;
    if (!doc || (!continues && !read_document(document, doc, err)))
        return false;
    uint32_t first = doc->words, spans = doc->spans, before = doc->sentences;
    if (!read_words(document, doc, tokens, err))
        return false;
    if (doc->words - first != json_array_size(tokens))
        return fail_json(document, err, "\"tokens\": expected words, found white space");
    if (!read_columns(document, doc, first, tokens, err) || !read_tree(document, doc, first, err) ||
        !read_labels(document, doc, first, err) || !read_entities(document, doc, first, spans, err) ||
        !read_other(document, doc, first, err) ||
        !keep_json_text(document, json_object_get(document->object, "comments"), "comments", &comments, err) ||
        !record_meta(document, doc, known, err) || !record_end(document, doc, err))
        return false;
    if (doc->sentences > before)
        doc->sentence[before].comments = comments;
    return true;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    into->plain_labels = false;
    return read_json_documents(source, choices, into, see_labels, err) &&
           record_read_all(source, choices, into, read_record, err);
}

static bool recognise(struct text beginning)
{
    bool placed = json_beginning_has(beginning, "offsets") || !json_beginning_has(beginning, "text");
    return json_beginning_has(beginning, "tokens") && placed && !json_beginning_has(beginning, "ner_tags") &&
           !json_beginning_has(beginning, "spans");
}

/* ---- Writing ---- */

/* What the lines of a corpus have: all tokens of a file have the same columns. */
struct own_writing {
    struct output *out;
    struct record_keys keys;
    enum scheme scheme;
    bool trees, plain; /* there are trees; labels are a column of tags */
    struct column_list column; /* those that tokens hold */
};

static bool has_column(const struct own_writing *w, struct text name)
{
    return column_list_find(&w->column, name) < w->column.count;
}

/* Whether a column is what "labels" are. */
static bool is_label(const struct own_writing *w, struct text name)
{
    return w->plain && text_is(name, "label");
}

static bool plan_columns(struct own_writing *w, const struct annotated_texts *corpus, struct vouch_error *err)
{
    bool tags = false;
    for (size_t i = 0; i < corpus->count; i++)
        w->trees = w->trees || corpus->document[i].head;
    w->plain = fit_plain_labels(corpus);
    for (size_t i = 0; i < corpus->count; i++)
        for (uint32_t c = 0; c < corpus->document[i].columns; c++) {
            struct text name = corpus->document[i].column[c].name;
            tags = tags || text_among(name, tree_columns);
            if (!w->trees && !is_label(w, name) && !column_list_add(&w->column, name, false, err))
                return false;
        }
    for (int c = 0; w->trees && tags && c < TREE_TAGS; c++)
        if (!column_list_add(&w->column, text_of(tree_columns[c]), false, err))
            return false;
    return true;
}

/* Whether a sentence has a tree, or a part of one. */
static bool has_heads(const struct annotated *doc, const struct marked_sentence *sentence)
{
    for (uint32_t i = sentence->from; doc->head && i < sentence->to; i++)
        if (doc->head[i] != NO_HEAD || doc->deprel[i].length > 0)
            return true;
    return false;
}

static void write_tokens(const struct own_writing *w, const struct annotated *doc,
                         const struct marked_sentence *sentence)
{
    bool usual = true, heads = has_heads(doc, sentence);
    char name[32];
    output_printf(w->out, "{\"tokens\": [");
    for (uint32_t i = sentence->from; i < sentence->to; i++) {
        output_printf(w->out, "%s%s", i > sentence->from ? ", " : "", w->column.count > 0 ? "[" : "");
        write_json_text(w->out, annotated_form(doc, i));
        for (size_t c = 0; c < w->column.count; c++) {
            output_printf(w->out, ", ");
            write_json_text(w->out, annotated_cell(doc, w->column.name[c], i));
        }
        output_printf(w->out, w->column.count > 0 ? "]" : "");
    }
    output_printf(w->out, "]");
    for (size_t c = 0; c < w->column.count; c++) {
        snprintf(name, sizeof name, "%zu", c + 2);
        usual = usual && text_is(w->column.name[c], heads && c < TREE_TAGS ? tree_columns[c] : name);
    }
    if (usual)
        return;
    output_printf(w->out, ", \"columns\": [");
    for (size_t c = 0; c < w->column.count; c++) {
        output_printf(w->out, c > 0 ? ", " : "");
        write_json_text(w->out, w->column.name[c]);
    }
    output_printf(w->out, "]");
}

static bool write_labels(const struct own_writing *w, const struct annotated *doc, uint32_t s, struct vouch_error *err)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    const uint32_t *span_of = annotated_span_of_word(doc, err);
    const struct tag_column *plain = w->plain ? annotated_has_column(doc, "label") : NULL;
    uint32_t tagged = 0;
    if (!span_of)
        return false;
    for (uint32_t i = sentence.from; plain && i < sentence.to; i++)
        tagged += plain->cell[i].length > 0;
    if (!doc->spanned && tagged == 0)
        return true;
    output_printf(w->out, ", \"%s\": [", keys_of(doc)->labels);
    for (uint32_t i = sentence.from; i < sentence.to; i++) {
        output_printf(w->out, i > sentence.from ? ", " : "");
        if (plain)
            write_json_text(w->out, plain->cell[i].length > 0 ? plain->cell[i] : text_of("_"));
        else
            write_json_label(w->out, annotated_prefix(doc, span_of, s, i, w->scheme),
                             span_of[i] == NO_SPAN ? (struct text){"", 0} : doc->span[span_of[i]].label);
    }
    output_printf(w->out, "]");
    return true;
}

static void write_tree(const struct own_writing *w, const struct annotated *doc, const struct marked_sentence *sentence)
{
    bool relations = false;
    for (uint32_t i = sentence->from; doc->head && i < sentence->to; i++)
        relations = relations || doc->deprel[i].length > 0;
    if (has_heads(doc, sentence)) {
        output_printf(w->out, ", \"%s\": [", keys_of(doc)->heads);
        for (uint32_t i = sentence->from; i < sentence->to; i++)
            if (doc->head[i] == NO_HEAD)
                output_printf(w->out, "%snull", i > sentence->from ? ", " : "");
            else
                output_printf(w->out, "%s%u", i > sentence->from ? ", " : "",
                              doc->head[i] == 0 ? 0 : doc->head[i] - sentence->from);
        output_printf(w->out, "]");
    }
    if (!relations)
        return;
    output_printf(w->out, ", \"%s\": [", keys_of(doc)->relations);
    for (uint32_t i = sentence->from; i < sentence->to; i++) {
        output_printf(w->out, i > sentence->from ? ", " : "");
        write_json_text(w->out, doc->deprel[i].length > 0 ? doc->deprel[i] : text_of("_"));
    }
    output_printf(w->out, "]");
}

/* Writes the columns that tokens do not hold. */
static void write_tags(const struct own_writing *w, const struct annotated *doc, const struct marked_sentence *sentence)
{
    bool any = false;
    for (uint32_t c = 0; c < doc->columns; c++) {
        struct text name = doc->column[c].name;
        if (has_column(w, name) || is_label(w, name))
            continue;
        output_printf(w->out, any ? ", " : ", \"tags\": {");
        any = true;
        write_json_text(w->out, name);
        output_printf(w->out, ": [");
        for (uint32_t i = sentence->from; i < sentence->to; i++) {
            output_printf(w->out, i > sentence->from ? ", " : "");
            write_json_text(w->out, annotated_cell(doc, name, i));
        }
        output_printf(w->out, "]");
    }
    output_printf(w->out, any ? "}" : "");
}

static void write_entities(const struct own_writing *w, const struct annotated *doc, uint32_t s)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    bool more = false, any = false;
    for (uint32_t i = 0; i < doc->spans; i++)
        more = more || doc->span[i].id.length > 0 || doc->span[i].note.length > 0 || !isnan(doc->span[i].score);
    for (uint32_t i = 0; more && i < doc->spans; i++) {
        const struct marked_span *span = &doc->span[i];
        if (span->from < sentence.from || span->from >= sentence.to)
            continue;
        output_printf(w->out, "%s{\"from\": %u, \"to\": %u", any ? ", " : ", \"entities\": [",
                      span->from - sentence.from, span->to - sentence.from);
        any = true;
        write_json_member(w->out, "label", span->label);
        write_json_member(w->out, "id", span->id);
        write_json_member(w->out, "note", span->note);
        write_json_score(w->out, span->score);
        output_printf(w->out, "}");
    }
    output_printf(w->out, any ? "]" : "");
    for (uint32_t i = 0; s + 1 >= doc->sentences && i < doc->relations; i++) {
        const struct marked_relation *relation = &doc->relation[i];
        output_printf(w->out, "%s{\"from\": %u, \"to\": %u", i > 0 ? ", " : ", \"links\": [", relation->from,
                      relation->to);
        write_json_member(w->out, "label", relation->label);
        write_json_member(w->out, "id", relation->id);
        write_json_score(w->out, relation->score);
        output_printf(w->out, i + 1 == doc->relations ? "}]" : "}");
    }
}

static bool write_offsets(const struct own_writing *w, const struct annotated *doc, uint32_t s, struct vouch_error *err)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    struct offset_map map = {0};
    if (annotated_is_plain(doc))
        return true;
    if (s == 0)
        write_json_member(w->out, "text", doc->text);
    if (!offset_map_set(&map, doc->text, OFFSET_POINTS, err))
        return false;
    output_printf(w->out, ", \"offsets\": [");
    for (uint32_t i = sentence.from; i < sentence.to; i++)
        output_printf(w->out, "%s[%u, %u]", i > sentence.from ? ", " : "", offset_of_byte(&map, doc->word[i].from),
                      offset_of_byte(&map, doc->word[i].to));
    output_printf(w->out, "]");
    offset_map_release(&map);
    return true;
}

static void write_others(const struct own_writing *w, const struct annotated *doc, uint32_t s)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    bool any = false;
    write_json_member(w->out, "comments", sentence.comments);
    for (uint32_t i = 0; i < doc->others; i++) {
        if (doc->other[i].sentence != s)
            continue;
        output_printf(w->out, "%s[%u, ", any ? ", " : ", \"other\": [", doc->other[i].word - sentence.from);
        any = true;
        write_json_text(w->out, doc->other[i].line);
        output_printf(w->out, "]");
    }
    output_printf(w->out, any ? "]" : "");
}

static bool write_sentence(const struct own_writing *w, const struct annotated *doc, uint32_t s,
                           struct vouch_error *err)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    write_tokens(w, doc, &sentence);
    if (!write_labels(w, doc, s, err))
        return false;
    write_tree(w, doc, &sentence);
    write_tags(w, doc, &sentence);
    write_entities(w, doc, s);
    write_others(w, doc, s);
    if (s == 0) {
        write_json_member(w->out, "annotator", doc->annotator);
        if (doc->state != ANSWER_GIVEN)
            output_printf(w->out, ", \"state\": \"%s\"", state_names[doc->state]);
        write_json_score(w->out, doc->score);
    }
    if (!write_offsets(w, doc, s, err))
        return false;
    record_write_keys(w->out, doc, s, &w->keys);
    record_write_meta(w->out, doc, s);
    output_printf(w->out, "}\n");
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct own_writing w = {.out = out, .keys = record_keys_of(corpus), .scheme = choices->scheme};
    (void)companion;
    bool done = plan_columns(&w, corpus, err);
    for (size_t i = 0; done && i < corpus->count; i++)
        for (uint32_t s = 0; done && s < record_count(&corpus->document[i]); s++)
            done = write_sentence(&w, &corpus->document[i], s, err);
    free(w.column.name);
    return done;
}

const struct annotation_format own_lines_format = {
    .name = "jsonl",
    .extension = ".jsonl",
    .title = "vouch's JSON lines",
    .kept = ~(KEPT(OVERLAPS) | KEPT(STATES)),
    .states = ~0u,
    .to_learn_from = true,
    .by_sentence = true,
    .recognise = recognise,
    .read = read,
    .write = write,
};
