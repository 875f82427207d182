/*
 * Reads JSON lines: one object on each line, one sentence in each object.
 *
 *     {"tokens": ["Ada", "lives"], "labels": ["B-PER", "O"], ...}
 *
 * A token is a string or an array of strings, its columns; all tokens of a file have the same number of them. "labels"
 * are the gold labels and may be missing or null. The whole line is kept in `before`, for jsonl_write.c.
 *
 * If trees are expected, a token's columns are FORM, LEMMA, UPOS, XPOS and FEATS, of which all but the first may be
 * missing, and the gold tree is
 *
 *     "heads": [2, 0], "relations": ["nsubj", "root"]
 *
 * with token numbers from 1, and 0 for the root. Heads may come without relations.
 *
 * If sentences may be labelled in part, null stands for an open label, head or relation; a relation is open where its
 * head is.
 */
#include "base/json_read.h"
#include "text/formats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

const struct json_keys json_keys[2] = {{.place = {"predicted", "labels"},
                                        .label = {"predicted", "labels"},
                                        .numbers = "words",
                                        .spans = "spans",
                                        .choice = "label"},
                                       {.place = {"predicted_heads", "heads"},
                                        .head = {"predicted_heads", "heads"},
                                        .label = {"predicted_relations", "relations"},
                                        .numbers = "heads",
                                        .choice = "head"}};

/* How words of labels are read, and words of trees. */
static const struct line_kind {
    bool (*begin)(struct reader *reader, struct sentence *s, struct vouch_error *err);
    uint32_t most;     /* columns of a token */
    const char *label; /* for messages */
} kinds[2] = {{sentence_begin, MOST_COLUMNS, "label"}, {tree_begin, COLUMN_HEAD - COLUMN_FORM, "relation"}};

static struct text text_of_json(const json_t *string)
{
    return (struct text){json_string_value(string), (uint32_t)json_string_length(string)};
}

static bool is_word(const json_t *value)
{
    return json_is_string(value) && json_string_length(value) > 0;
}

static const json_t *column_of(const json_t *token, size_t c)
{
    return json_is_array(token) ? json_array_get(token, c) : token;
}

/* Returns how many columns token `i` has, which must be as many as the file's other tokens; else 0, with the error. */
static uint32_t count_columns(struct reader *reader, const json_t *token, uint32_t i, struct vouch_error *err)
{
    uint32_t most = kinds[reader->trees].most;
    size_t columns = json_is_array(token) ? json_array_size(token) : 1;
    for (size_t c = 0; c < columns; c++)
        if (!is_word(column_of(token, c)))
            columns = 0;
    if (columns == 0)
        return fail_line(reader, err, "token %u: expected a string or an array of strings, none of them empty", i + 1);
    if (columns > most)
        return fail_line(reader, err, "token %u: more than %u columns", i + 1, most);
    if (reader->columns == 0)
        reader->columns = (uint32_t)columns;
    if (columns != reader->columns)
        return fail_line(reader, err, "token %u: expected %u columns, found %zu", i + 1, reader->columns, columns);
    return (uint32_t)columns;
}

/* Adds a word with its label or relation; the cells of a tree are those of CoNLL-U, "_" where the token has none. */
static bool add_word(struct reader *reader, struct sentence *into, const json_t *token, const json_t *label,
                     struct vouch_error *err)
{
    const bool tree = into->tree;
    uint32_t i = into->N, columns = count_columns(reader, token, i, err), form = into->form;
    if (columns == 0)
        return false;
    const bool open = reader->partial && (label ? json_is_null(label) : tree);
    if (label && !is_word(label) && !open)
        return fail_line(reader, err, "%s %u: expected a string that is not empty%s", kinds[tree].label, i + 1,
                         json_is_null(label) && !reader->partial ? " (null is an open one, for train --partial)" : "");
    char id[16];
    snprintf(id, sizeof id, "%" PRIu32, i + 1);
    size_t bytes = sizeof id + (label ? json_string_length(label) : 0); /* "_" takes that of the NUL */
    for (uint32_t c = 0; c < columns; c++)
        bytes += json_string_length(column_of(token, c));
    if (!(tree ? tree_room(reader, into, bytes, err) : sentence_room(reader, into, bytes, columns, err)))
        return false;

    uint32_t cells = tree ? TREE_COLUMNS : columns;
    struct text *cell = into->cell + into->first[i], nothing = {into->bytes, 0};
    if (tree) {
        nothing = sentence_keep(reader, into, text_of("_"));
        cell[COLUMN_ID] = sentence_keep(reader, into, text_of(id));
    }
    for (uint32_t c = 0; c < cells - form; c++)
        cell[form + c] = c < columns ? sentence_keep(reader, into, text_of_json(column_of(token, c))) : nothing;
    into->line[i] = cell[form];
    into->end[i] = (struct text){cell[form].at, 0};
    into->gold[i] = label && !open ? sentence_keep(reader, into, text_of_json(label)) : nothing;
    into->gold[i].length = open ? 0 : into->gold[i].length;
    into->open += open && !tree;
    sentence_word(reader, into, cells);
    return true;
}

/* Fails with the keys that are there in place of the one that is missing. */
static bool refuse_keys(const struct reader *reader, json_t *object, struct vouch_error *err)
{
    enum { MOST = 8 };
    char keys[200] = "";
    size_t used = 0, count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        struct text name = text_of(key);
        if (count++ < MOST && used < sizeof keys / 2)
            used += (size_t)snprintf(keys + used, sizeof keys - used, "%s\"%.*s\"", used ? ", " : "", excerpt(name),
                                     name.at);
    }
    if (count == 0)
        return fail_line(reader, err, "expected \"tokens\", found no keys");
    return fail_line(reader, err, "expected \"tokens\", found key%s %s%s", count == 1 ? "" : "s", keys,
                     count > MOST ? ", ..." : "");
}

/* Returns the array of tokens, or NULL with the error set. */
static const json_t *find_tokens(const struct reader *reader, json_t *object, struct vouch_error *err)
{
    const json_t *tokens = json_object_get(object, "tokens");
    if (json_is_array(tokens))
        return tokens;
    if (json_is_object(object) && !tokens)
        refuse_keys(reader, object, err);
    else
        fail_line(reader, err, tokens ? "expected \"tokens\" to be an array" : "expected a JSON object");
    return NULL;
}

/* Finds the gold array under `key`, one item for each of `count` tokens; NULL if there is none or gold is not read. */
static bool find_gold(const struct reader *reader, const json_t *object, const char *key, size_t count,
                      const json_t **list, struct vouch_error *err)
{
    *list = json_object_get(object, key);
    if (reader->gold == GOLD_NONE || json_is_null(*list))
        *list = NULL;
    if (*list && !json_is_array(*list))
        return fail_line(reader, err, "expected \"%s\" to be an array", key);
    if (*list && json_array_size(*list) != count)
        return fail_line(reader, err, "expected %zu %s, one for each token, found %zu", count, key,
                         json_array_size(*list));
    return true;
}

/* Notes that a head is open. */
static bool open_head(const struct reader *reader, struct sentence *s, uint32_t i, struct vouch_error *err)
{
    s->head[i] = OPEN_CHOICE;
    s->open++;
    return s->gold[i].length == 0 ||
           fail_line(reader, err, "relation %u: expected null where the head is null, found \"%.*s\"", i + 1,
                     excerpt(s->gold[i]), s->gold[i].at);
}

static bool read_heads(struct reader *reader, struct sentence *s, const json_t *heads, struct vouch_error *err)
{
    for (uint32_t i = 0; i < s->N; i++) {
        const json_t *head = json_array_get(heads, i);
        json_int_t number = json_integer_value(head);
        if (reader->partial && json_is_null(head)) {
            if (!open_head(reader, s, i, err))
                return false;
            continue;
        }
        if (!json_is_integer(head) || number < 0 || number > (json_int_t)s->N)
            return fail_line(reader, err, "head %u: expected a number from 0 to %u%s", i + 1, s->N,
                             json_is_null(head) ? " (null is an open one, for train --partial)" : "");
        s->head[i] = (uint32_t)number;
    }
    return tree_check(reader, s, err);
}

static bool add_words(struct reader *reader, struct sentence *into, json_t *object, struct vouch_error *err)
{
    const char *head_key = json_keys[into->tree].head[1], *label_key = json_keys[into->tree].label[1];
    const json_t *tokens = find_tokens(reader, object, err), *heads = NULL, *labels;
    if (!tokens)
        return false;
    size_t count = json_array_size(tokens);
    if ((head_key && !find_gold(reader, object, head_key, count, &heads, err)) ||
        !find_gold(reader, object, label_key, count, &labels, err))
        return false;
    if (head_key && labels && !heads)
        return fail_line(reader, err, "expected \"%s\" where there are \"%s\"", head_key, label_key);
    for (size_t i = 0; i < count; i++)
        if (!add_word(reader, into, json_array_get(tokens, i), labels ? json_array_get(labels, i) : NULL, err))
            return false;
    into->labelled = (head_key ? heads : labels) != NULL;
    into->boundary = !head_key && into->N == 1 && text_is(into->cell[0], DOCUMENT_MARK);
    return !heads || read_heads(reader, into, heads, err);
}

static bool read_object(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    if (!sentence_room(reader, into, (size_t)line.length + reader->ending.length, 0, err))
        return false;
    into->before = sentence_keep(reader, into, line);
    into->after = sentence_keep(reader, into, reader->ending);
    into->number = reader->number;
    json_error_t error;
    json_t *object = json_read(line.at, line.length, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        return json_lacked_memory(&error)
                   ? fail_memory(err)
                   : fail_line(reader, err, "invalid JSON at column %d: %s", error.column, error.text);
    const char *fault = json_string_value(json_object_get(object, "error"));
    bool in_place = reader->answered && fault &&
                    !json_object_get(object, "tokens"); /* it is in place of an answer: see the writer */
    bool sound = in_place ? sentence_set_fault(into, fault, err) : add_words(reader, into, object, err);
    json_decref(object);
    return sound;
}

/* Makes a faulty sentence of an error, without its file and line; errors that are not about the line stay errors. */
static enum reading report_fault(struct reader *reader, struct sentence *into, const struct vouch_error *found,
                                 struct vouch_error *err)
{
    char place[sizeof found->message];
    reader->number = input_number(reader->input);
    int length = snprintf(place, sizeof place, "%s:%" PRIu64 ": ", input_name(reader->input), reader->number);
    bool placed = length > 0 && strncmp(found->message, place, (size_t)length) == 0;
    if (found->status != VOUCH_ERR_FORMAT) {
        if (err)
            *err = *found;
        return READ_FAILED;
    }
    reader->number--; /* beginning a sentence adds one */
    if (!kinds[reader->trees].begin(reader, into, err))
        return READ_FAILED;
    reader->number++;
    return sentence_set_fault(into, found->message + (placed ? length : 0), err) ? READ_SENTENCE : READ_FAILED;
}

static enum reading jsonl_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    if (!kinds[reader->trees].begin(reader, into, err))
        return READ_FAILED;
    struct vouch_error found = {0}, *told = reader->report ? &found : err;
    uint32_t columns = reader->columns;
    struct text line;
    int got;
    while ((got = next_line(reader, &line, told)) == 1 && all_blank(line))
        if (!sentence_blank(reader, into, line, err))
            return READ_FAILED;
    if (got == 0)
        return sentence_last(into);
    if (got == 1 && read_object(reader, into, line, told))
        return READ_SENTENCE;
    reader->columns = columns; /* a faulty line does not decide for the other lines */
    return reader->report ? report_fault(reader, into, &found, err) : READ_FAILED;
}

const struct format_calls jsonl_calls = {.name = "jsonl", .next = jsonl_next, .write = jsonl_write};
