/*
 * Reads lists of spans, and finds them in the bytes of a line: see span_list.h. Time is linear in the text and the
 * list, but for spans without offsets, each of which is looked for in the text.
 */
#include "answers/span_list.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *const list_keys[] = {"spans", "entities", "extractions", NULL};
static const char *const label_keys[] = {"label", "entity_group", "entity", "entity_type", "extraction_class", NULL};
static const char *const score_keys[] = {"score", "confidence", NULL};
static const char *const word_keys[] = {"text", "extraction_text", "word", NULL};

void span_list_release(struct span_list *list)
{
    free(list->byte);
    free(list->span);
    *list = (struct span_list){0};
}

/* Finds the value of the first key that an object has; *key becomes it. NULL: it has none, or null. */
static const json_t *value_of(const json_t *object, const char *const *keys, const char **key)
{
    for (*key = *keys; *keys; keys++) {
        const json_t *value = json_object_get(object, *keys);
        if (value && !json_is_null(value)) {
            *key = *keys;
            return value;
        }
    }
    return NULL;
}

const json_t *span_array(const json_t *line, struct text named, const char **key)
{
    const json_t *value;
    if (named.length == 0)
        return value_of(line, list_keys, key);
    value = json_object_getn(line, named.at, named.length);
    return json_is_null(value) ? NULL : value;
}

static struct text string_of(const json_t *value)
{
    return (struct text){json_string_value(value), (uint32_t)json_string_length(value)};
}

bool span_list_text(struct span_list *list, const json_t *text, struct vouch_error *err)
{
    list->text = json_is_string(text) ? string_of(text) : (struct text){0};
    list->points = 0;
    if (!RESERVE(list->byte, list->byte_capacity, (size_t)list->text.length + 1, err))
        return false;
    for (uint32_t at = 0; at < list->text.length; at += utf8_width(list->text.at[at]))
        list->byte[list->points++] = at;
    list->byte[list->points] = list->text.length;
    return !text || json_is_string(text) || json_is_null(text) ||
           answer_refuse(list->file, 0, err, "\"text\": expected a string");
}

static struct text cut_out(const struct span_list *list, uint32_t from, uint32_t to)
{
    return (struct text){list->text.at + list->byte[from], list->byte[to] - list->byte[from]};
}

/* Counts the code points, and the units of UTF-16, in so many bytes of the text. */
static void count_units(const struct span_list *list, uint32_t bytes, uint32_t *points, uint32_t *units)
{
    *points = *units = 0;
    for (uint32_t at = 0; at < bytes; at += utf8_width(list->text.at[at]), ++*points)
        *units += utf8_width(list->text.at[at]) == 4 ? 2 : 1;
}

/* Tells what the offsets count instead, if that explains them: words that the text has at some place. */
static const char *offsets_explained(const struct span_list *list, const struct found_span *s, struct text words)
{
    if (s->from < list->text.length && words.length <= list->text.length - s->from &&
        memcmp(list->text.at + s->from, words.at, words.length) == 0)
        return "; these count bytes";
    for (uint32_t i = 0; i < list->points; i++) {
        uint32_t points, units;
        if (words.length > list->text.length - list->byte[i] ||
            memcmp(list->text.at + list->byte[i], words.at, words.length) != 0)
            continue;
        count_units(list, list->byte[i], &points, &units);
        if (units == s->from && units != points)
            return "; these count units of UTF-16";
    }
    return "";
}

static bool refuse(const struct span_list *list, const char *name, size_t i, struct vouch_error *err, const char *what)
{
    return answer_refuse(list->file, 0, err, "item %zu of \"%s\": expected %s", i + 1, name, what);
}

/* Reads "start" and "end", or "char_interval"; *there is false if there are none. */
static bool take_offsets(const struct span_list *list, const json_t *item, struct found_span *s, bool *there,
                         const char *name, size_t i, struct vouch_error *err)
{
    const json_t *interval = json_object_get(item, "char_interval");
    const json_t *from = json_object_get(interval ? interval : item, interval ? "start_pos" : "start");
    const json_t *to = json_object_get(interval ? interval : item, interval ? "end_pos" : "end");
    json_int_t first = json_integer_value(from), end = json_integer_value(to);
    s->from = s->to = NO_PLACE;
    *there = (from && !json_is_null(from)) || (to && !json_is_null(to));
    if (!*there)
        return true;
    if (!json_is_integer(from) || !json_is_integer(to) || first < 0 || end <= first || end >= NO_PLACE)
        return refuse(list, name, i, err, "whole numbers, \"start\" and an \"end\" behind it");
    if (list->text.at && end > list->points)
        return answer_refuse(list->file, 0, err,
                             "item %zu of \"%s\": expected offsets up to %" PRIu32
                             ", the characters of the text, found %" JSON_INTEGER_FORMAT,
                             i + 1, name, list->points, end);
    s->from = (uint32_t)first;
    s->to = (uint32_t)end;
    return true;
}

/*
 * Looks for the words of a span without offsets: behind those of the same words that come before it in the list. If
 * there is no such place, it repeats the last of these.
 */
static void look_for(const struct span_list *list, struct found_span *s)
{
    uint32_t at = 0, bytes = list->text.length;
    for (size_t k = 0; k < list->count; k++)
        if (list->span[k].to != NO_PLACE && text_equal(list->span[k].words, s->words)) {
            at = list->byte[list->span[k].to];
            s->from = list->span[k].from;
            s->to = list->span[k].to;
        }
    while (s->words.length > 0 && at + s->words.length <= bytes &&
           memcmp(list->text.at + at, s->words.at, s->words.length) != 0)
        at += utf8_width(list->text.at[at]);
    if (s->words.length == 0 || at + s->words.length > bytes)
        return;
    uint32_t low = 0, high = list->points;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->byte[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    s->from = s->to = low;
    while (list->byte[s->to] < at + s->words.length)
        s->to++;
}

/* Finds the place of a span, and its words. */
static bool take_place(const struct span_list *list, const json_t *item, struct found_span *s, const char *name,
                       size_t i, struct vouch_error *err)
{
    bool there;
    const char *key;
    const json_t *said = value_of(item, word_keys, &key);
    s->words = json_is_string(said) ? string_of(said) : text_of("");
    if (!take_offsets(list, item, s, &there, name, i, err))
        return false;
    if (!there && (!list->text.at || s->words.length == 0))
        return refuse(list, name, i, err, "\"start\" and \"end\", or words of a \"text\" that the line has");
    if (!there)
        look_for(list, s);
    if (!there || !list->text.at)
        return true;
    struct text words = cut_out(list, s->from, s->to);
    if (json_is_string(said) && strcmp(key, "text") == 0 && !text_equal(words, s->words))
        return answer_refuse(list->file, 0, err,
                             "item %zu of \"%s\": expected offsets of \"%.*s\", counted in code points, found those of "
                             "\"%.*s\"%s",
                             i + 1, name, excerpt(s->words), s->words.at, excerpt(words), words.at,
                             offsets_explained(list, s, s->words));
    s->words = words;
    return true;
}

/* Whether an item goes on with the word, or the entity, of the last span: I- of the same type, and next to it. */
static bool goes_on(const struct found_span *last, const json_t *before, const json_t *item,
                    const struct found_span *s, struct text type)
{
    const json_t *index = json_object_get(item, "index"), *previous = json_object_get(before, "index");
    if (!text_equal(last->label, type) || last->from == NO_PLACE || s->from == NO_PLACE || s->from < last->to)
        return false;
    return json_is_integer(index) && json_is_integer(previous)
               ? json_integer_value(index) == json_integer_value(previous) + 1
               : s->from <= last->to + 1;
}

/* Adds an item that goes on to the last span. */
static void join(struct span_list *list, const struct found_span *s)
{
    struct found_span *last = &list->span[list->count - 1];
    last->score = (last->score * last->items + s->score) / (last->items + 1);
    last->items++;
    last->to = s->to;
    if (list->text.at)
        last->words = cut_out(list, last->from, last->to);
}

static bool take_score(const struct span_list *list, const json_t *item, struct text named, struct found_span *s,
                       const char *name, size_t i, struct vouch_error *err)
{
    const char *key = "score";
    const json_t *others = json_object_get(item, "others");
    const json_t *score = named.length ? json_object_getn(item, named.at, named.length)
                                       : value_of(item, score_keys, &key);
    struct text shown = named.length ? named : text_of(key);
    if (!json_is_number(score))
        return answer_refuse(list->file, 0, err,
                             "item %zu of \"%s\": expected a number, \"%.*s\"; spans without one can be counted: vouch "
                             "vote",
                             i + 1, name, excerpt(shown), shown.at);
    s->score = json_number_value(score);
    s->others = json_is_number(others) ? json_number_value(others) : NAN;
    return true;
}

static bool take_item(struct span_list *list, const json_t *array, size_t i, const char *name,
                      const struct text *score, struct vouch_error *err)
{
    const json_t *item = json_array_get(array, i);
    struct found_span s = {.score = NAN, .others = NAN, .item = (uint32_t)i, .items = 1};
    const char *key;
    if (!json_is_object(item))
        return refuse(list, name, i, err, "an object, a span");
    const json_t *label = value_of(item, label_keys, &key);
    if (json_string_length(label) == 0)
        return refuse(list, name, i, err, "a \"label\" that is a string and not empty");
    s.label = string_of(label);
    if (text_is(s.label, "O"))
        return true;
    if (!take_place(list, item, &s, name, i, err) || (score && !take_score(list, item, *score, &s, name, i, err)))
        return false;
    bool piece = strcmp(key, "entity") == 0 && s.label.length > 2 && s.label.at[1] == '-' &&
                 (s.label.at[0] == 'B' || s.label.at[0] == 'I');
    struct text type = piece ? (struct text){s.label.at + 2, s.label.length - 2} : s.label;
    const struct found_span *last = list->count ? &list->span[list->count - 1] : NULL;
    if (piece && s.label.at[0] == 'I' && last && last->item + last->items == i &&
        goes_on(last, json_array_get(array, i - 1), item, &s, type)) {
        join(list, &s);
        return true;
    }
    s.label = type;
    if (!RESERVE(list->span, list->span_capacity, list->count + 1, err))
        return false;
    list->span[list->count++] = s;
    return true;
}

bool span_list_read(struct span_list *list, const json_t *array, const char *name, const struct text *score,
                    struct vouch_error *err)
{
    list->count = 0;
    if (!json_is_array(array))
        return answer_refuse(list->file, 0, err, "\"%s\": expected an array of spans", name);
    for (size_t i = 0; i < json_array_size(array); i++)
        if (!take_item(list, array, i, name, score, err))
            return false;
    return true;
}

bool same_span(const struct found_span *a, const struct found_span *b)
{
    return a->from == b->from && a->to == b->to && text_equal(a->label, b->label) &&
           (a->from != NO_PLACE || text_equal(a->words, b->words));
}

/* Bytes of a line. It was read before, so it is well-formed; nothing is read behind its end if it is not. */

static uint32_t skip_blanks(struct text line, uint32_t at)
{
    while (at < line.length && memchr(" \t\r\n", line.at[at], 4))
        at++;
    return at;
}

/* Returns where a string ends that begins at `at`. */
static uint32_t string_end(struct text line, uint32_t at)
{
    for (at++; at < line.length && line.at[at] != '"'; at++)
        at += line.at[at] == '\\';
    return at < line.length ? at + 1 : line.length;
}

/* Returns where a value ends. */
static uint32_t value_end(struct text line, uint32_t at)
{
    uint32_t depth = 0;
    while (at < line.length) {
        char c = line.at[at];
        if (depth == 0 && memchr(",]} \t\r\n", c, 7))
            return at;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        at = c == '"' ? string_end(line, at) : at + 1;
        if (depth == 0 && memchr("}]\"", c, 3))
            return at;
    }
    return at;
}

bool json_next_item(struct text array, uint32_t *at, struct text *item)
{
    uint32_t from = skip_blanks(array, *at);
    from = from < array.length ? skip_blanks(array, from + 1) : from; /* behind "[" or "," */
    if (from >= array.length || array.at[from] == ']')
        return false;
    uint32_t to = value_end(array, from);
    *item = (struct text){array.at + from, to - from};
    *at = to;
    return to > from;
}

struct text json_value_text(struct text line, const char *key)
{
    uint32_t at = skip_blanks(line, 0);
    while (at < line.length && line.at[at] != '}') {
        uint32_t name = skip_blanks(line, at + 1), behind = name < line.length ? string_end(line, name) : name;
        uint32_t colon = skip_blanks(line, behind), from = skip_blanks(line, colon + 1), to = value_end(line, from);
        if (to <= from)
            break;
        if (behind - name == strlen(key) + 2 && memcmp(line.at + name + 1, key, strlen(key)) == 0)
            return (struct text){line.at + from, to - from};
        at = skip_blanks(line, to);
    }
    return (struct text){0};
}
