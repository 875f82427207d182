/*
 * Reads answers in JSON lines: see answer_table.h.
 *
 *   {"word": "Rome", "gold": "B-LOC", "guess": "O", "confidence": 0.31, "sentence": 7}
 *   {"tokens": ["in", "Rome"], "gold": ["O", "B-LOC"], "guess": ["O", "O"], "confidence": [0.99, 0.31]}
 *
 * "labels" may stand for "guess". Strings are kept where the line was: they take less room, since each key is read
 * once.
 */
#include "answers/answer_table.h"

#include "text/formats.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

struct objects {
    struct answer_table *table;
    json_t *object, *before; /* the line at hand, and the one before if its sentence counts */
    uint64_t line;
    char *room;  /* for strings, within the line */
    bool arrays; /* lines are sentences */
    bool any;    /* a line was read */
};

/* Returns the value of a field, under its own key or the other one that it may have; NULL if there is none. */
static const json_t *value_of(const struct objects *o, enum answer_field field)
{
    static const char *const others[ANSWER_FIELDS] = {[FIELD_GUESS] = "labels", [FIELD_WORD] = "tokens"};
    const struct text key = o->table->field[field];
    const json_t *value = json_object_getn(o->object, key.at, key.length);
    if (!value && others[field] && o->table->usual)
        value = json_object_get(o->object, others[field]);
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
    const struct text key = o->table->field[field];
    char place[40] = "";
    if (o->arrays)
        snprintf(place, sizeof place, "item %zu of ", i + 1);
    return answer_refuse(o->table, o->line, err, "%s\"%.*s\": expected %s, found %s", place, excerpt(key), key.at,
                         expected, kind_of(item_of(o, field, i)));
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
    if (!json_is_string(gold) && !o->table->added)
        return refuse_item(o, FIELD_GOLD, i, "a label", err);
    if (!json_is_string(guess) && !o->table->added)
        return refuse_item(o, FIELD_GUESS, i, "a label", err);
    if (!json_is_number(confidence))
        return refuse_item(o, FIELD_CONFIDENCE, i, "a number, the confidence", err);
    struct answer_row row = {.confidence = json_number_value(confidence), .line = o->line};
    row.word = take_word(o, i);
    if (!o->table->added) {
        row.gold = keep(o, gold);
        row.guess = keep(o, guess);
    }
    if (o->arrays)
        row.begins = i == 0;
    else if (o->table->boundaries == BOUNDARY_SENTENCE_FIELD) {
        const struct text key = o->table->field[FIELD_SENTENCE];
        row.begins = !json_equal(value_of(o, FIELD_SENTENCE), json_object_getn(o->before, key.at, key.length));
    }
    return answer_add(o->table, row, err);
}

/* Returns the field that tells how many words a line has: gold, or the numbers if there is no other. */
static enum answer_field leading_field(const struct objects *o)
{
    return o->table->added ? FIELD_CONFIDENCE : FIELD_GOLD;
}

/* Checks that gold, guess, numbers and words are there, and equally many; returns how many, or -1. */
static json_int_t count_items(const struct objects *o, struct vouch_error *err)
{
    const enum answer_field leading = leading_field(o);
    const struct text lead = o->table->field[leading];
    size_t count = json_array_size(value_of(o, leading));
    for (enum answer_field i = 0; i < ANSWER_FIELDS; i++) {
        const json_t *value = value_of(o, i);
        const struct text key = o->table->field[i];
        bool optional = i == FIELD_WORD && !value && !o->table->named[i];
        if (i == FIELD_SENTENCE || optional || (o->table->added && i != FIELD_CONFIDENCE))
            continue;
        if (!value) {
            answer_refuse(o->table, o->line, err, "expected the key \"%.*s\", found none (--columns names others)%s",
                          excerpt(key), key.at,
                          json_object_get(o->object, "predicted") ? "; files that vouch wrote: vouch eval FILE" : "");
            return -1;
        }
        if (o->arrays && !json_is_array(value)) {
            answer_refuse(o->table, o->line, err, "\"%.*s\": expected an array, as of \"%.*s\", found %s", excerpt(key),
                          key.at, excerpt(lead), lead.at, kind_of(value));
            return -1;
        }
        if (o->arrays && json_array_size(value) != count) {
            answer_refuse(o->table, o->line, err,
                          "\"%.*s\": expected an array of %zu, as of \"%.*s\", found one of %zu", excerpt(key), key.at,
                          count, excerpt(lead), lead.at, json_array_size(value));
            return -1;
        }
    }
    return o->arrays ? (json_int_t)count : 1;
}

/* Decides by the first object whether lines are sentences or words; the others must be alike. */
static bool settle_lines(struct objects *o, struct vouch_error *err)
{
    bool arrays = json_is_array(value_of(o, leading_field(o)));
    bool sentence = value_of(o, FIELD_SENTENCE) != NULL && !o->table->added;
    struct answer_table *t = o->table;
    if (!o->any) {
        o->arrays = arrays;
        t->boundaries = arrays ? BOUNDARY_JSON_LINES : sentence ? BOUNDARY_SENTENCE_FIELD : BOUNDARY_NONE;
        for (int gold = 0; gold < 2; gold++) {
            struct text key = t->field[gold ? FIELD_GOLD : FIELD_GUESS];
            snprintf(t->place[gold], sizeof t->place[gold], "\"%.*s\"", text_beginning(key, 24), key.at);
        }
    }
    o->any = true;
    if (arrays != o->arrays && value_of(o, leading_field(o)))
        return answer_refuse(t, o->line, err, "expected %s, as above, found %s", o->arrays ? "arrays" : "one word",
                             arrays ? "arrays" : "one word");
    bool needed = t->boundaries == BOUNDARY_SENTENCE_FIELD || (t->named[FIELD_SENTENCE] && !arrays && !t->added);
    if (!arrays && needed != sentence)
        return answer_refuse(t, o->line, err, "expected %s key \"%.*s\", as in %s, found %s", needed ? "the" : "no",
                             excerpt(t->field[FIELD_SENTENCE]), t->field[FIELD_SENTENCE].at,
                             t->rows ? "lines above" : "--columns", sentence ? "one" : "none");
    return true;
}

static bool take_object(struct objects *o, struct text line, struct vouch_error *err)
{
    json_error_t why;
    json_decref(o->before);
    o->before = o->object;
    o->object = json_loadb(line.at, line.length, JSON_REJECT_DUPLICATES, &why);
    o->room = o->table->bytes.bytes + (line.at - o->table->bytes.bytes);
    if (!o->object)
        return answer_refuse(o->table, o->line, err, "expected a JSON object: %s", why.text);
    if (!json_is_object(o->object))
        return answer_refuse(o->table, o->line, err, "expected a JSON object, found %s", kind_of(o->object));
    if (o->table->added && json_object_get(o->object, o->table->added))
        return answer_refuse(o->table, o->line, err, "expected no key \"%s\", which would be added, found one",
                             o->table->added);
    if (!settle_lines(o, err))
        return false;
    json_int_t count = count_items(o, err);
    for (json_int_t i = 0; i < count; i++)
        if (!take_item(o, (size_t)i, err))
            return false;
    return count >= 0;
}

bool answer_objects_read(struct answer_table *t, struct vouch_error *err)
{
    struct objects o = {.table = t};
    struct text line;
    size_t at = 0;
    bool ok = !t->numbered || fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected keys of JSON lines, found numbers");
    while (ok && answer_line(t, &at, &o.line, &line)) {
        if (all_blank(line))
            t->blank = true;
        else
            ok = take_object(&o, line, err);
    }
    json_decref(o.object);
    json_decref(o.before);
    return ok;
}
