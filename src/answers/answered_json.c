/* Reads answered JSON lines: the keys that jsonl_write.c writes. See answered.h. */
#include "answers/answered_parts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

void answered_json_release(struct answered_file *file)
{
    json_decref(file->object);
    file->object = NULL;
}

/* Parses the object of the sentence at hand. */
static bool parse(struct answered_file *file, struct vouch_error *err)
{
    struct text line = file->sentence->before;
    answered_json_release(file);
    file->object = json_loadb(line.at, line.length, 0, NULL);
    return file->object || fail_memory(err); /* it was parsed before, so only memory can be missing */
}

static bool has(const struct answered_file *file, const char *key)
{
    return json_is_array(json_object_get(file->object, key));
}

/* Finds the keys of answers and gold: those of vouch or, if there are no others, those of gold. */
static bool choose_keys(struct answered_file *file, struct vouch_error *err)
{
    bool own = file->options.part == GOLD_AND_ANSWERS;
    bool labels = has(file, "predicted"), heads = has(file, "predicted_heads");
    if (labels && heads)
        return answered_refuse(file, 0, err, "found \"predicted\" and \"predicted_heads\": expected one of them");
    if (own && !labels && !heads)
        return answered_refuse(file, 0, err, "expected answers under \"predicted\" or \"predicted_heads\", found none");
    bool second = !labels && !heads; /* the keys of gold hold the answers */
    file->trees = heads || (second && !has(file, "labels") && has(file, "heads"));
    snprintf(file->place[0], sizeof file->place[0], "%s%s", second ? "" : "predicted",
             file->trees ? second ? "heads" : "_heads"
             : second    ? "labels"
                         : "");
    return true;
}

/* Returns the list of estimates: "confidences", or "confidence" as the only one. */
static const json_t *method_of(const struct answered_file *file, size_t m)
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

bool answered_json_settle(struct answered_file *file, struct vouch_error *err)
{
    if (!parse(file, err))
        return false;
    file->trees = file->options.trees;
    if (file->options.part == GOLD_ALONE && (has(file, "predicted") || has(file, "predicted_heads")))
        return answered_refuse(file, 0, err,
                               "found answers beside the gold labels: expected a file of gold alone; vouch eval %s "
                               "measures these answers",
                               answered_path(file));
    if (file->options.part != GOLD_ALONE && !choose_keys(file, err))
        return false;
    snprintf(file->place[1], sizeof file->place[1], "%s", file->trees ? "heads" : "labels");
    const json_t *by_method;
    for (size_t m = 0; file->options.part != GOLD_ALONE && (by_method = method_of(file, m)); m++)
        if (!answered_add_method(file, method_name(by_method), json_is_true(json_object_get(by_method, "calibrated")),
                                 err))
            return false;
    return true;
}

/* Finds the array under `key`, one item for each word; *list is NULL if there is none. */
static bool find_list(const struct answered_file *file, const json_t *object, const char *key, size_t count,
                      const json_t **list, struct vouch_error *err)
{
    *list = json_object_get(object, key);
    if (json_is_null(*list))
        *list = NULL;
    if (*list && (!json_is_array(*list) || json_array_size(*list) != count))
        return answered_refuse(file, 0, err, "expected \"%s\" to be an array of %zu", key, count);
    return true;
}

static bool read_labels(struct answered_file *file, const char *key, uint32_t which, struct text **labels,
                        struct vouch_error *err)
{
    uint32_t N = file->sentence->N;
    const json_t *list;
    if (!find_list(file, file->object, key, N, &list, err) ||
        !RESERVE(file->label[which], file->label_capacity[which], (size_t)N + 1, err))
        return false;
    for (uint32_t i = 0; list && i < N; i++) {
        const json_t *label = json_array_get(list, i);
        if (json_string_length(label) == 0)
            return answered_refuse(file, 0, err, "item %" PRIu32 " of \"%s\": expected a string that is not empty",
                                   i + 1, key);
        file->label[which][i] = (struct text){json_string_value(label), (uint32_t)json_string_length(label)};
    }
    *labels = list ? file->label[which] : NULL;
    return true;
}

static bool read_heads(struct answered_file *file, const char *key, uint32_t which, uint32_t **heads,
                       struct vouch_error *err)
{
    uint32_t N = file->sentence->N;
    const json_t *list;
    if (!find_list(file, file->object, key, N, &list, err) ||
        !RESERVE(file->head[which], file->head_capacity[which], (size_t)N + 1, err))
        return false;
    for (uint32_t i = 0; list && i < N; i++) {
        const json_t *head = json_array_get(list, i);
        json_int_t number = json_integer_value(head);
        if (!json_is_integer(head) || number < 0 || number > (json_int_t)N)
            return answered_refuse(file, 0, err, "item %" PRIu32 " of \"%s\": expected a number from 0 to %" PRIu32,
                                   i + 1, key, N);
        file->head[which][i] = (uint32_t)number;
    }
    *heads = list ? file->head[which] : NULL;
    return true;
}

/* Reads a number; null is NAN, and a string "inf". */
static bool take_number(const struct answered_file *file, const json_t *value, double *number, struct vouch_error *err)
{
    if (json_is_number(value))
        *number = json_number_value(value);
    else if (json_is_string(value)) {
        if (!read_number(text_of(json_string_value(value)), number))
            return answered_refuse(file, 0, err, "expected a number as confidence, found a string");
    } else if (value && !json_is_null(value))
        return answered_refuse(file, 0, err, "expected a number as confidence");
    return true;
}

static bool take_numbers(const struct answered_file *file, const json_t *object, const char *key, uint32_t count,
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

static bool read_method(struct answered_file *file, const json_t *by_method, uint32_t m, struct vouch_error *err)
{
    uint32_t N = file->sentence->N;
    struct text name = method_name(by_method);
    if (name.length > 0 && strncmp(file->method[m].name, name.at, METHOD_NAME - 1) != 0)
        return answered_refuse(file, 0, err, "expected confidence by %s, as above, found %.*s", file->method[m].name,
                               excerpt(name), name.at);
    return take_numbers(file, by_method, file->trees ? "heads" : "words", N, answered_words(file, m), err) &&
           take_numbers(file, by_method, "relations", N, answered_relations(file, m), err) &&
           take_numbers(file, by_method, "spans", file->confidences.spans, answered_spans(file, m), err) &&
           take_number(file, json_object_get(by_method, "sentence"), &file->by_method[m].sentence, err);
}

/* Reads the chunks, and the first method's numbers for them. */
static bool read_spans(struct answered_file *file, const json_t *spans, struct vouch_error *err)
{
    for (uint32_t i = 0; i < file->confidences.spans; i++) {
        const json_t *span = json_array_get(spans, i), *type = json_object_get(span, "label");
        json_int_t from = json_integer_value(json_object_get(span, "start"));
        json_int_t to = json_integer_value(json_object_get(span, "end"));
        if (!json_is_string(type) || from < 0 || to <= from || to > (json_int_t)file->sentence->N)
            return answered_refuse(file, 0, err, "span %" PRIu32 ": expected \"start\", \"end\" and \"label\"", i + 1);
        file->span[i] = (struct span){(uint32_t)from, (uint32_t)to, text_of(json_string_value(type))};
        if (!take_number(file, json_object_get(span, "confidence"), &answered_spans(file, 0)[i], err))
            return false;
    }
    return true;
}

static bool read_confidences(struct answered_file *file, struct vouch_error *err)
{
    const json_t *spans = file->trees ? NULL : json_object_get(file->object, "spans"), *by_method;
    if (!answered_abstain(file, json_is_array(spans) ? (uint32_t)json_array_size(spans) : 0, err) ||
        !read_spans(file, spans, err))
        return false;
    for (uint32_t m = 0; m < file->methods && (by_method = method_of(file, m)); m++)
        if (!read_method(file, by_method, m, err))
            return false;
    return true;
}

static bool read_gold(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    if (!read_labels(file, file->trees ? "relations" : "labels", 1, &into->gold, err) ||
        (file->trees && !read_heads(file, "heads", 1, &into->gold_head, err)))
        return false;
    if (file->trees ? into->gold_head != NULL : into->gold != NULL)
        return true;
    bool alone = file->options.part == GOLD_ALONE;
    return answered_refuse(file, 0, err, "expected gold %s under the key \"%s\", found none%s%s", file->place[1],
                           file->place[1], alone ? "" : "; if they are in another file: vouch eval GOLD ",
                           alone ? "" : answered_path(file));
}

static bool read_answers(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    bool second = file->place[0][0] != 'p'; /* under the keys of gold */
    const char *labels = file->trees ? second ? "relations" : "predicted_relations" : file->place[0];
    if (!read_labels(file, labels, 0, &into->label, err) ||
        (file->trees && !read_heads(file, file->place[0], 0, &into->head, err)))
        return false;
    if (file->trees ? !into->head : !into->label)
        return answered_refuse(file, 0, err, "expected answers under the key \"%s\", found none", file->place[0]);
    return true;
}

bool answered_json_read(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    return parse(file, err) && (file->options.part == ANSWERS_ALONE || read_gold(file, into, err)) &&
           (file->options.part == GOLD_ALONE || read_answers(file, into, err)) &&
           (file->methods == 0 || read_confidences(file, err));
}
