/*
 * Reads answers in JSON lines, with the keys that jsonl_write.c writes: "labels" or "heads" are gold, "predicted" or
 * "predicted_heads" the answers, "confidence" or "confidences" the numbers. Reads those of other programs as well:
 *
 *   {"word": "Rome", "gold": "B-LOC", "guess": "O", "confidence": 0.31, "sentence": 7}
 *   {"tokens": ["in", "Rome"], "gold": ["O", "B-LOC"], "guess": ["O", "O"], "confidence": [0.99, 0.31]}
 *
 * "labels" may stand for "guess". Strings of a table are kept where the line was: they take less room, since each key
 * is read once. See answer_file.h.
 */
#include "answers/answer_file.h"
#include "base/json_read.h"
#include "text/formats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

/* Parses the object of the sentence at hand. */
static bool parse_again(struct answer_file *file, struct vouch_error *err)
{
    struct text line = file->sentence->before;
    json_decref(file->object);
    file->object = json_read(line.at, line.length, 0, NULL);
    return file->object || fail_memory(err); /* it was parsed before, so only memory can be missing */
}

static bool has(const struct answer_file *file, const char *key)
{
    return json_is_array(json_object_get(file->object, key));
}

/* Finds the keys of answers and gold: those of vouch or, if there are no others, those of gold. */
static bool choose_keys(struct answer_file *file, struct vouch_error *err)
{
    bool own = file->options.parts == GOLD_AND_ANSWERS;
    bool labels = has(file, "predicted"), heads = has(file, "predicted_heads");
    if (labels && heads)
        return answer_refuse(file, 0, err, "found \"predicted\" and \"predicted_heads\": expected one of them");
    if (own && !labels && !heads)
        return answer_refuse(file, 0, err, "expected answers under \"predicted\" or \"predicted_heads\", found none");
    bool second = !labels && !heads; /* the keys of gold hold the answers */
    file->trees = heads || (second && !has(file, "labels") && has(file, "heads"));
    snprintf(file->place[0], sizeof file->place[0], "%s", json_keys[file->trees].place[second]);
    return true;
}

/* Returns the list of estimates: "confidences", or "confidence" as the only one. */
static const json_t *method_of(const struct answer_file *file, size_t m)
{
    const json_t *all = json_object_get(file->object, "confidences");
    const json_t *first = json_object_get(file->object, "confidence");
    return json_is_array(all) ? json_array_get(all, m) : m == 0 && json_is_object(first) ? first : NULL;
}

static struct text method_name(const json_t *by_method)
{
    const char *name = json_string_value(json_object_get(by_method, "method"));
    return name ? text_of(name) : (struct text){0};
}

bool answer_json_settle(struct answer_file *file, struct vouch_error *err)
{
    if (!parse_again(file, err))
        return false;
    file->trees = file->options.trees;
    if (file->options.parts == GOLD_ALONE && (has(file, "predicted") || has(file, "predicted_heads")))
        return answer_refuse(file, 0, err,
                             "found answers beside the gold labels: expected a file of gold alone; vouch eval %s "
                             "measures these answers",
                             file->path);
    if (file->options.parts != GOLD_ALONE && !choose_keys(file, err))
        return false;
    snprintf(file->place[1], sizeof file->place[1], "%s", json_keys[file->trees].place[1]);
    const json_t *by_method;
    for (size_t m = 0; file->options.parts != GOLD_ALONE && (by_method = method_of(file, m)); m++)
        if (!answer_add_method(file, method_name(by_method), json_is_true(json_object_get(by_method, "calibrated")),
                               err))
            return false;
    return true;
}

/* Finds the array under `key`, one item for each word; *list is NULL if there is none. */
static bool find_list(const struct answer_file *file, const json_t *object, const char *key, size_t count,
                      const json_t **list, struct vouch_error *err)
{
    *list = json_object_get(object, key);
    if (json_is_null(*list))
        *list = NULL;
    if (*list && (!json_is_array(*list) || json_array_size(*list) != count))
        return answer_refuse(file, 0, err, "expected \"%s\" to be an array of %zu", key, count);
    return true;
}

/* Reads labels under a key, or heads; *found tells whether there are some. */
static bool read_list(struct answer_file *file, const char *key, uint32_t which, bool heads, bool *found,
                      struct vouch_error *err)
{
    uint32_t N = file->sentence->N;
    const json_t *list;
    if (!find_list(file, file->object, key, N, &list, err))
        return false;
    for (uint32_t i = 0; list && i < N; i++) {
        const json_t *item = json_array_get(list, i);
        json_int_t number = json_integer_value(item);
        if (!heads && json_string_length(item) == 0)
            return answer_refuse(file, 0, err, "item %" PRIu32 " of \"%s\": expected a string that is not empty", i + 1,
                                 key);
        if (heads && (!json_is_integer(item) || number < 0 || number > (json_int_t)N))
            return answer_refuse(file, 0, err, "item %" PRIu32 " of \"%s\": expected a number from 0 to %" PRIu32,
                                 i + 1, key, N);
        if (heads)
            file->head[which][i] = (uint32_t)number;
        else
            file->label[which][i] = (struct text){json_string_value(item), (uint32_t)json_string_length(item)};
    }
    *found = list;
    return true;
}

/*
 * Reads answers, or gold (which = 1), under the keys of either: labels, or heads and perhaps relations. *found tells
 * whether there are some.
 */
static bool read_part(struct answer_file *file, bool keys, uint32_t which, struct text **label, uint32_t **head,
                      bool *found, struct vouch_error *err)
{
    const struct json_keys *of = &json_keys[file->trees];
    bool labelled, headed = false;
    if (!read_list(file, of->label[keys], which, false, &labelled, err) ||
        (of->head[keys] && !read_list(file, of->head[keys], which, true, &headed, err)))
        return false;
    *label = labelled ? file->label[which] : NULL;
    *head = headed ? file->head[which] : NULL;
    *found = of->head[keys] ? headed : labelled;
    return true;
}

/* Reads a number; null is NAN, and a string "inf". */
static bool take_number(const struct answer_file *file, const json_t *value, double *number, struct vouch_error *err)
{
    if (json_is_number(value))
        *number = json_number_value(value);
    else if (json_is_string(value)) {
        if (!read_number(text_of(json_string_value(value)), number))
            return answer_refuse(file, 0, err, "expected a number as confidence, found a string");
    } else if (value && !json_is_null(value))
        return answer_refuse(file, 0, err, "expected a number as confidence");
    return true;
}

static bool take_numbers(const struct answer_file *file, const json_t *object, const char *key, uint32_t count,
                         double *number, struct vouch_error *err)
{
    const json_t *list;
    if (!find_list(file, object, key, count, &list, err))
        return false;
    for (uint32_t i = 0; list && i < count; i++)
        if (!take_number(file, json_array_get(list, i), &number[i], err))
            return false;
    return true;
}

static bool read_method(struct answer_file *file, const json_t *by_method, uint32_t m, struct vouch_error *err)
{
    uint32_t N = file->sentence->N;
    struct text name = method_name(by_method);
    if (name.length > 0 && strncmp(file->method[m].name, name.at, METHOD_NAME - 1) != 0)
        return answer_refuse(file, 0, err, "expected confidence by %s, as above, found %.*s", file->method[m].name,
                             excerpt(name), name.at);
    return take_numbers(file, by_method, json_keys[file->trees].numbers, N, answer_words(file, m), err) &&
           take_numbers(file, by_method, "relations", N, answer_relations(file, m), err) &&
           take_numbers(file, by_method, "spans", file->confidences.spans, answer_spans(file, m), err) &&
           take_number(file, json_object_get(by_method, "sentence"), &file->by_method[m].sentence, err);
}

/* Reads the chunks, and the first method's numbers for them. */
static bool read_spans(struct answer_file *file, const json_t *spans, struct vouch_error *err)
{
    for (uint32_t i = 0; i < file->confidences.spans; i++) {
        const json_t *span = json_array_get(spans, i), *type = json_object_get(span, "label");
        json_int_t from = json_integer_value(json_object_get(span, "start"));
        json_int_t to = json_integer_value(json_object_get(span, "end"));
        if (!json_is_string(type) || from < 0 || to <= from || to > (json_int_t)file->sentence->N)
            return answer_refuse(file, 0, err, "span %" PRIu32 ": expected \"start\", \"end\" and \"label\"", i + 1);
        file->span[i] = (struct span){(uint32_t)from, (uint32_t)to, text_of(json_string_value(type))};
        if (!take_number(file, json_object_get(span, "confidence"), &answer_spans(file, 0)[i], err))
            return false;
    }
    return true;
}

static bool read_confidences(struct answer_file *file, struct vouch_error *err)
{
    const json_t *spans = json_object_get(file->object, json_keys[file->trees].spans), *by_method;
    if (!answer_abstain(file, json_is_array(spans) ? (uint32_t)json_array_size(spans) : 0, err) ||
        !read_spans(file, spans, err))
        return false;
    for (uint32_t m = 0; m < file->methods && (by_method = method_of(file, m)); m++)
        if (!read_method(file, by_method, m, err))
            return false;
    return true;
}

static bool read_gold(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    bool found, alone = file->options.parts == GOLD_ALONE;
    if (!read_part(file, 1, 1, &into->gold, &into->gold_head, &found, err))
        return false;
    return found || answer_refuse(file, 0, err, "expected gold %s under the key \"%s\", found none%s%s", file->place[1],
                                  file->place[1], alone ? "" : "; if they are in another file: vouch eval GOLD ",
                                  alone ? "" : file->path);
}

static bool read_answers(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    bool found, second = file->place[0][0] != 'p'; /* under the keys of gold */
    return read_part(file, second, 0, &into->label, &into->head, &found, err) &&
           (found || answer_refuse(file, 0, err, "expected answers under the key \"%s\", found none", file->place[0]));
}

bool answer_json_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    return parse_again(file, err) && (file->options.parts == ANSWERS_ALONE || read_gold(file, into, err)) &&
           (file->options.parts == GOLD_ALONE || read_answers(file, into, err)) &&
           (file->methods == 0 || read_confidences(file, err));
}

struct objects {
    struct answer_file *file;
    json_t *before;            /* the object of the line before */
    char *room;                /* for strings, within the line */
    bool arrays;               /* lines are sentences */
    bool any;                  /* a line was read */
    enum answer_field leading; /* tells how many words a line has: gold, or the numbers if there is no other */
};

/* Returns the value of a field, under its own key or the other one that it may have; NULL if there is none. */
static const json_t *value_of(const struct objects *o, enum answer_field field)
{
    static const char *const others[ANSWER_FIELDS] = {[FIELD_GUESS] = "labels", [FIELD_WORD] = "tokens"};
    const struct text key = o->file->field[field];
    const json_t *value = json_object_getn(o->file->object, key.at, key.length);
    if (!value && others[field] && !o->file->options.columns)
        value = json_object_get(o->file->object, others[field]);
    return json_is_null(value) ? NULL : value;
}

static struct text keep(struct objects *o, const json_t *string)
{
    size_t length = json_string_length(string);
    struct text kept = {o->room, (uint32_t)length};
    memcpy(o->room, json_string_value(string), length);
    o->room += length;
    return kept;
}

static const char *kind_of(const json_t *value)
{
    return json_is_string(value)    ? "a string"
           : json_is_number(value)  ? "a number"
           : json_is_array(value)   ? "an array"
           : json_is_object(value)  ? "an object"
           : json_is_boolean(value) ? "true or false"
                                    : "null";
}

/* Returns item i of a field, or the value itself if lines are words. */
static const json_t *item_of(const struct objects *o, enum answer_field field, size_t i)
{
    const json_t *value = value_of(o, field);
    return o->arrays ? json_array_get(value, i) : value;
}

static bool refuse_item(const struct objects *o, enum answer_field field, size_t i, const char *expected,
                        struct vouch_error *err)
{
    const struct text key = o->file->field[field];
    char place[40] = "";
    if (o->arrays)
        snprintf(place, sizeof place, "item %zu of ", i + 1);
    return answer_refuse(o->file, 0, err, "%s\"%.*s\": expected %s, found %s", place, excerpt(key), key.at, expected,
                         kind_of(item_of(o, field, i)));
}

/* Reads the word, of which only the first string counts if it is an array of columns. */
static struct text take_word(struct objects *o, size_t i)
{
    const json_t *word = item_of(o, FIELD_WORD, i);
    if (json_is_array(word))
        word = json_array_get(word, 0);
    return json_is_string(word) ? keep(o, word) : text_of("");
}

static bool take_item(struct objects *o, size_t i, struct vouch_error *err)
{
    const json_t *gold = item_of(o, FIELD_GOLD, i), *guess = item_of(o, FIELD_GUESS, i),
                 *confidence = item_of(o, FIELD_CONFIDENCE, i);
    if (!json_is_string(gold) && !o->file->options.added)
        return refuse_item(o, FIELD_GOLD, i, "a label", err);
    if (!json_is_string(guess) && !o->file->options.added)
        return refuse_item(o, FIELD_GUESS, i, "a label", err);
    if (!json_is_number(confidence))
        return refuse_item(o, FIELD_CONFIDENCE, i, "a number, the confidence", err);
    struct answer_row row = {.confidence = json_number_value(confidence)};
    row.word = take_word(o, i);
    if (!o->file->options.added) {
        row.gold = keep(o, gold);
        row.guess = keep(o, guess);
    }
    if (o->arrays)
        row.begins = i == 0;
    else if (o->file->boundaries == BOUNDARY_SENTENCE_FIELD) {
        const struct text key = o->file->field[FIELD_SENTENCE];
        row.begins = !json_equal(value_of(o, FIELD_SENTENCE), json_object_getn(o->before, key.at, key.length));
    }
    return answer_add(o->file, row, err);
}

/* Checks that gold, guess, numbers and words are there, and equally many; finds how many. */
static bool count_items(const struct objects *o, size_t *count, struct vouch_error *err)
{
    const struct answer_file *t = o->file;
    const struct text lead = t->field[o->leading];
    *count = o->arrays ? json_array_size(value_of(o, o->leading)) : 1;
    for (enum answer_field i = 0; i < ANSWER_FIELDS; i++) {
        const json_t *value = value_of(o, i);
        const struct text key = t->field[i];
        bool optional = i == FIELD_WORD && !value && !t->named[i];
        if (i == FIELD_SENTENCE || optional || (t->options.added && i != FIELD_CONFIDENCE))
            continue;
        if (!value)
            return answer_refuse(
                t, 0, err, "expected the key \"%.*s\", found none (--columns names others)%s", excerpt(key), key.at,
                json_object_get(t->object, "predicted") ? "; files that vouch wrote: vouch eval FILE" : "");
        if (o->arrays && !json_is_array(value))
            return answer_refuse(t, 0, err, "\"%.*s\": expected an array, as of \"%.*s\", found %s", excerpt(key),
                                 key.at, excerpt(lead), lead.at, kind_of(value));
        if (o->arrays && json_array_size(value) != *count)
            return answer_refuse(t, 0, err, "\"%.*s\": expected an array of %zu, as of \"%.*s\", found one of %zu",
                                 excerpt(key), key.at, *count, excerpt(lead), lead.at, json_array_size(value));
    }
    return true;
}

/* Decides by the first object whether lines are sentences or words; the others must be alike. */
static bool settle_lines(struct objects *o, struct vouch_error *err)
{
    bool arrays = json_is_array(value_of(o, o->leading));
    bool sentence = value_of(o, FIELD_SENTENCE) != NULL && !o->file->options.added;
    struct answer_file *t = o->file;
    if (!o->any) {
        o->arrays = arrays;
        t->boundaries = arrays ? BOUNDARY_JSON_LINES : sentence ? BOUNDARY_SENTENCE_FIELD : BOUNDARY_NONE;
        for (int gold = 0; gold < 2; gold++) {
            struct text key = t->field[gold ? FIELD_GOLD : FIELD_GUESS];
            snprintf(t->place[gold], sizeof t->place[gold], "\"%.*s\"", text_beginning(key, 24), key.at);
        }
    }
    o->any = true;
    if (arrays != o->arrays && value_of(o, o->leading))
        return answer_refuse(t, 0, err, "expected %s, as above, found %s", o->arrays ? "arrays" : "one word",
                             arrays ? "arrays" : "one word");
    bool needed =
        t->boundaries == BOUNDARY_SENTENCE_FIELD || (t->named[FIELD_SENTENCE] && !arrays && !t->options.added);
    if (!arrays && needed != sentence)
        return answer_refuse(t, 0, err, "expected %s key \"%.*s\", as in %s, found %s", needed ? "the" : "no",
                             excerpt(t->field[FIELD_SENTENCE]), t->field[FIELD_SENTENCE].at,
                             t->rows ? "lines above" : "--columns", sentence ? "one" : "none");
    return true;
}

static bool take_object(struct objects *o, struct text line, struct vouch_error *err)
{
    struct answer_file *t = o->file;
    json_error_t why;
    json_decref(o->before);
    o->before = t->object;
    t->object = json_read(line.at, line.length, JSON_REJECT_DUPLICATES, &why);
    o->room = t->bytes.bytes + (line.at - t->bytes.bytes);
    if (!t->object && json_lacked_memory(&why))
        return fail_memory(err);
    if (!t->object)
        return answer_refuse(t, 0, err, "expected a JSON object: %s", why.text);
    if (!json_is_object(t->object))
        return answer_refuse(t, 0, err, "expected a JSON object, found %s", kind_of(t->object));
    if (t->options.added && json_object_get(t->object, t->options.added))
        return answer_refuse(t, 0, err, "expected no key \"%s\", which would be added, found one", t->options.added);
    size_t count;
    if (!settle_lines(o, err) || !count_items(o, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!take_item(o, i, err))
            return false;
    return true;
}

bool answer_json_rows(struct answer_file *t, struct vouch_error *err)
{
    struct objects o = {.file = t, .leading = t->options.added ? FIELD_CONFIDENCE : FIELD_GOLD};
    struct text line;
    bool ok = !t->numbered || fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected keys of JSON lines, found numbers");
    while (ok && answer_line(t, &line))
        ok = take_object(&o, line, err);
    json_decref(o.before);
    return ok;
}
