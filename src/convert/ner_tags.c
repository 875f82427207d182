/*
 * Hugging Face's data sets of names: one object a line,
 *
 *     {"id": "0", "tokens": ["Ada", "left"], "ner_tags": [1, 0], "ner_tags_names": ["B-PER", "O"]}
 *
 * "ner_tags" are labels, or their numbers, whose names are in the data set's card and not in its lines: --names gives
 * them, or "ner_tags_names" does, which we write beside the numbers so that a file says what it means. Lists of strings
 * or numbers that are as long as the tokens, "pos_tags" for instance, are columns of tags. Other keys are meta.
 *
 * Numbers are given out in the order O, then B- and I- (or more) of each type, types in the order of the alphabet, so
 * that they do not depend on the order of sentences; --names decides otherwise.
 */
#include "convert/fitting.h"
#include "convert/token_records.h"

#include <stdio.h>

static const char *const known[] = {"tokens", "ner_tags", "ner_tags_names", "id", "document", "continues", NULL};

/* Finds name `number` of a list that is separated by commas; empty if there is none. */
static struct text name_at(const char *names, uint64_t number)
{
    struct text rest = names ? text_of(names) : (struct text){"", 0}, name = {"", 0};
    for (uint64_t i = 0; i <= number; i++) {
        if (rest.length == 0)
            return (struct text){"", 0};
        name = text_trim(text_cut(&rest, ','));
    }
    return name;
}

/* Finds the label of a word: a string, or a number that has a name. */
static bool find_label(const struct json_document *document, const json_t *tag, const json_t *name, struct text *label,
                       struct vouch_error *err)
{
    uint64_t number = 0;
    if (json_is_string(tag))
        name = tag;
    else if (!read_json_count(document, tag, "ner_tags", 65535, &number, err))
        return false;
    *label = json_is_string(name) ? (struct text){json_string_value(name), (uint32_t)json_string_length(name)}
                                  : name_at(document->choices->names, number);
    return label->length > 0 || fail_json(document, err,
                                          "\"ner_tags\": expected names of labels, found the number %llu: --names "
                                          "O,B-PER,... says what it stands for",
                                          (unsigned long long)number);
}

static bool read_tags(const struct json_document *document, struct annotated *doc, uint32_t first,
                      struct vouch_error *err)
{
    const json_t *tags = json_object_get(document->object, "ner_tags");
    const json_t *names = json_object_get(document->object, "ner_tags_names");
    uint32_t N = doc->words - first;
    struct text *label;
    if (!tags || json_is_null(tags))
        return true;
    if (json_array_size(tags) != N || (names && !json_is_null(names) && json_array_size(names) != N))
        return fail_json(document, err, "\"ner_tags\": expected %u, one a token, found %zu", N, json_array_size(tags));
    if (!ARENA_ARRAY(label, N, &doc->corpus->scratch, err))
        return false;
    bool done = true;
    for (uint32_t i = 0; done && i < N; i++)
        done = find_label(document, json_array_get(tags, i), json_array_get(names, i), &label[i], err);
    done = done && annotated_add_labels(doc, first, label, N, err);
    arena_reset(&doc->corpus->scratch);
    return done;
}

/* Whether a value is as many strings, or as many numbers, as there are words. */
static bool is_column(const json_t *list, uint32_t N)
{
    if (!json_is_array(list) || json_array_size(list) != N || N == 0)
        return false;
    for (uint32_t i = 0; i < N; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_null(item) && !json_is_integer(item) && !json_is_string(item))
            return false;
    }
    return true;
}

/* Reads columns, and takes them out of the object, of which what is left is meta. */
static bool read_columns(const struct json_document *document, struct annotated *doc, uint32_t first,
                         struct vouch_error *err)
{
    json_t *list;
    const char *key;
    void *next;
    json_object_foreach_safe(document->object, next, key, list)
    {
        if (text_among(text_of(key), known) || !is_column(list, doc->words - first))
            continue;
        struct text name = texts_keep(doc->corpus, text_of(key), err);
        struct tag_column *column = name.at ? annotated_column(doc, name, err) : NULL;
        for (uint32_t i = first; column && i < doc->words; i++)
            if (!keep_json_id(document, json_array_get(list, i - first), key, &column->cell[i], err))
                return false;
        if (!column)
            return false;
        json_object_del(document->object, key);
    }
    return true;
}

static bool read_record(const struct json_document *document, struct vouch_error *err)
{
    struct annotated *doc = record_begin(document, err);
    if (!doc)
        return false;
    uint32_t first = doc->words;
    bool done = record_words(document, doc, "tokens", NULL, err) && read_tags(document, doc, first, err) &&
                read_columns(document, doc, first, err);
    return done && record_meta(document, doc, known, err) && record_end(document, doc, err);
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    return record_read_all(source, choices, into, read_record, err);
}

static bool recognise(struct text beginning)
{
    return json_beginning_has(beginning, "tokens") && json_beginning_has(beginning, "ner_tags");
}

/* ---- Writing ---- */

/* The types of a corpus, or the names that were given. */
struct tag_names {
    struct text *type; /* [types] in the order of the alphabet */
    size_t types, capacity;
    const char *given;
    enum scheme scheme;
};

static int text_order(const void *left, const void *right)
{
    const struct text *a = left, *b = right;
    uint32_t least = a->length < b->length ? a->length : b->length;
    int order = least > 0 ? memcmp(a->at, b->at, least) : 0;
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

static bool collect_types(struct tag_names *names, const struct annotated_texts *corpus, struct vouch_error *err)
{
    for (size_t d = 0; d < corpus->count; d++)
        for (uint32_t i = 0; i < corpus->document[d].spans; i++) {
            const struct text *label = &corpus->document[d].span[i].label;
            if (names->types > 0 && text_equal(names->type[names->types - 1], *label))
                continue;
            if (!RESERVE(names->type, names->capacity, names->types + 1, err))
                return false;
            names->type[names->types++] = *label;
        }
    size_t kept = 0;
    if (names->types > 0)
        qsort(names->type, names->types, sizeof *names->type, text_order);
    for (size_t i = 0; i < names->types; i++)
        if (i == 0 || !text_equal(names->type[i], names->type[kept - 1]))
            names->type[kept++] = names->type[i];
    names->types = kept;
    return true;
}

/* Finds the number of a label; false if it is not among the names that were given. */
static bool number_of(const struct tag_names *names, char prefix, struct text type, uint64_t *number)
{
    if (names->given) {
        struct text name;
        for (*number = 0; (name = name_at(names->given, *number)).length > 0; (*number)++)
            if (prefix == 'O' ? text_is(name, "O")
                              : name.length == type.length + 2 && name.at[0] == prefix && name.at[1] == '-' &&
                                    memcmp(name.at + 2, type.at, type.length) == 0)
                return true;
        return false;
    }
    static const char letters[] = "BIES";
    const struct text *found =
        prefix == 'O' ? NULL : bsearch(&type, names->type, names->types, sizeof type, text_order);
    uint64_t each = names->scheme == SCHEME_BIOES ? 4 : 2;
    *number = found ? 1 + (uint64_t)(found - names->type) * each + (uint64_t)(strchr(letters, prefix) - letters) : 0;
    return true;
}

static bool write_tags(struct output *out, const struct annotated *doc, uint32_t s, const struct tag_names *names,
                       struct vouch_error *err)
{
    struct marked_sentence sentence = record_sentence(doc, s);
    const uint32_t *span_of = annotated_span_of_word(doc, err);
    if (!span_of)
        return false;
    output_printf(out, ", \"ner_tags\": [");
    for (int named = 0; named < 2; named++) {
        output_printf(out, named ? "], \"ner_tags_names\": [" : "");
        for (uint32_t i = sentence.from; i < sentence.to; i++) {
            char prefix = annotated_prefix(doc, span_of, s, i, names->scheme);
            struct text type = span_of[i] == NO_SPAN ? (struct text){"", 0} : doc->span[span_of[i]].label;
            uint64_t number;
            if (!number_of(names, prefix, type, &number))
                return fail_document(doc, err, "--names: expected a name for '%c%s%.*s', found none", prefix,
                                     type.length ? "-" : "", excerpt(type), type.at);
            output_printf(out, i > sentence.from ? ", " : "");
            if (named)
                write_json_label(out, prefix, type);
            else
                output_printf(out, "%llu", (unsigned long long)number);
        }
    }
    output_printf(out, "]");
    return true;
}

static bool fit(struct annotated *doc, struct vouch_error *err)
{
    static const char *const meta[] = {"meta", NULL};
    (void)err;
    fit_columns(doc, known, KEPT_COLUMNS);
    fit_columns(doc, meta, KEPT_COLUMNS);
    return true;
}

/* Writes columns: as numbers if all of a column's cells are such. */
static void write_columns(struct output *out, const struct annotated *doc, const struct marked_sentence *sentence)
{
    for (uint32_t c = 0; c < doc->columns; c++) {
        const struct tag_column *column = &doc->column[c];
        output_printf(out, ", ");
        write_json_text(out, column->name);
        output_printf(out, ": [");
        for (uint32_t i = sentence->from; i < sentence->to; i++) {
            output_printf(out, i > sentence->from ? ", " : "");
            if (column->cell[i].length == 0)
                output_printf(out, "null");
            else
                write_json_id(out, column->cell[i]);
        }
        output_printf(out, "]");
    }
}

static bool write_all(struct output *out, const struct annotated_texts *corpus, const struct tag_names *names,
                      struct vouch_error *err)
{
    struct record_keys keys = record_keys_of(corpus);
    for (size_t i = 0; i < corpus->count; i++) {
        const struct annotated *doc = &corpus->document[i];
        for (uint32_t s = 0; s < record_count(doc); s++) {
            struct marked_sentence sentence = record_sentence(doc, s);
            record_write_words(out, doc, &sentence, "tokens");
            if (!write_tags(out, doc, s, names, err))
                return false;
            write_columns(out, doc, &sentence);
            record_write_keys(out, doc, s, &keys);
            record_write_meta(out, doc, s);
            output_printf(out, "}\n");
        }
    }
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct tag_names names = {.given = choices->names, .scheme = choices->scheme};
    (void)companion;
    bool done = collect_types(&names, corpus, err) && write_all(out, corpus, &names, err);
    free(names.type);
    return done;
}

const struct annotation_format ner_tags_format = {
    .name = "ner_tags",
    .extension = ".jsonl",
    .title = "Hugging Face's ner_tags",
    .kept = KEPT(DOCUMENTS) | KEPT(WORDS) | KEPT(IDS) | KEPT(SENTENCE_IDS) | KEPT(SPANS) | KEPT(COLUMNS) |
            KEPT(COLUMN_NAMES) | KEPT(UD_COLUMNS) | KEPT(META) | KEPT(WORDLESS),
    .by_sentence = true,
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
