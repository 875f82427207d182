/*
 * Writes JSON lines: the line that was read (see jsonl.c), in which every key keeps its place, followed by
 *
 *     "predicted": ["B-PER", "O"],
 *     "spans": [{"start": 0, "end": 1, "label": "PER"}]
 *
 * where start and end are token numbers from 0, the end not included; "spans" is there only if every label is a chunk
 * label. The rest of the line stays as it is, unless it holds such keys: these are replaced, and the object is written
 * anew. Trees get "predicted_heads" and "predicted_relations".
 *
 * Answers that are to be corrected by hand replace the gold: they are written under "labels", or "heads" and
 * "relations".
 *
 * With confidences, labels get
 *
 *     "spans": [{"start": 0, "end": 1, "label": "PER", "confidence": 0.9}],
 *     "confidence": {"method": "kd-fix", "calibrated": true, "words": [0.95, 0.99], "sentence": 0.89},
 *     "alternatives": [[{"label": "B-PER", "probability": 0.95}, ...], ...],
 *     "sets": [["B-PER", "B-ORG"], ["O"]],
 *     "doubtful": [0]
 *
 * in which "spans" have "readings" if there are "sets", and trees, in which alternatives have "head" in place of
 * "label", and sets are of heads,
 *
 *     "confidence": {"method": "kd-fix", "calibrated": true, "heads": [...], "relations": [...], "sentence": 0.89}
 *
 * behind all other keys. The sentence may have "minimum", the least of its words, and "whole", the share of drawn
 * models or of best answers that agree with all of it. If there are several estimates "confidence" is the first, and
 * "confidences" is an array of them all, in which those of labels have a key "spans" more: a number for each span.
 * "alternatives" and "doubtful" are there if they were requested. Numbers that were not computed are null; infinity,
 * which JSON cannot write as a number, is the string "inf".
 *
 * Functions that make a JSON value return NULL if memory is short, and adding NULL to something fails in Jansson, so
 * that errors need not be checked one by one.
 */
#include "base/json_read.h"
#include "base/json_write.h"
#include "text/formats.h"

#include "core/scheme.h"

#include <jansson.h>

#define NOWHERE UINT32_MAX

/* What is added to an object: first the keys of answers, then those of confidences. */
enum { ANSWER_KEYS = 4, KEYS = 10 };
static const char *const written_keys[KEYS] = {"predicted", "predicted_heads", "predicted_relations",
                                               "spans",     "confidence",      "confidences",
                                               "sets",      "relation_sets",   "alternatives",
                                               "doubtful"};

/* Whether all labels are chunk labels, except those that have been replaced. */
static bool are_chunk_labels(const struct text *label, uint32_t N, const struct marks *marks)
{
    struct text type;
    for (uint32_t i = 0; i < N; i++) {
        bool replaced = marks->replaced && marks->doubtful[i];
        if (!replaced && !scheme_split(label[i], &type))
            return false;
    }
    return true;
}

/* Appends `item`, which is taken over; returns the list, or NULL after freeing it. */
static json_t *append(json_t *list, json_t *item)
{
    if (json_array_append_new(list, item) == 0)
        return list;
    json_decref(list);
    return NULL;
}

/* A label whose `at` is NULL is open, and so is a head of UINT32_MAX: null. */
static json_t *list_labels(const struct text *label, uint32_t N)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < N; i++)
        list = append(list, label[i].at ? json_stringn(label[i].at, label[i].length) : json_null());
    return list;
}

/* Returns an array of the chunks, or NULL with the error set. */
static json_t *list_spans(const struct text *label, uint32_t N, struct vouch_error *err)
{
    char *prefix = new_array(N, 1, err);
    if (!prefix)
        return NULL;
    json_t *list = json_array();
    scheme_convert(label, N, SCHEME_IOB2, prefix);
    for (uint32_t start = 0, end; list && start < N; start = end) {
        for (end = start + 1; end < N && prefix[end] == 'I';)
            end++;
        struct text type;
        scheme_split(label[start], &type);
        if (prefix[start] == 'B')
            list = append(list, json_pack("{s:I, s:I, s:s%}", "start", (json_int_t)start, "end", (json_int_t)end,
                                          "label", type.at, (size_t)type.length));
    }
    free(prefix);
    if (!list)
        fail_memory(err);
    return list;
}

static json_t *number(double x)
{
    if (isnan(x))
        return json_null();
    if (isinf(x))
        return json_string(x > 0 ? "inf" : "-inf");
    return json_real(x);
}

/* Returns an array of list[place[0]] .. list[place[count - 1]], null where there is no such place; `place` NULL: all.
 */
static json_t *numbers(const double *list, const uint32_t *place, uint32_t count)
{
    if (!list && !place)
        return json_null();
    json_t *array = json_array();
    for (uint32_t i = 0; array && i < count; i++) {
        uint32_t at = place ? place[i] : i;
        array = append(array, number(at == NOWHERE ? NAN : number_at(list, at)));
    }
    return array;
}

/* Returns the place of each written span among those that were judged; replaced labels may have made others. */
static uint32_t *find_places(const struct confidences *confidences, const json_t *spans, struct vouch_error *err)
{
    size_t count = json_array_size(spans);
    uint32_t *place = new_array(count, sizeof *place, err);
    uint32_t next = 0; /* both lists are in the order of words */
    for (size_t i = 0; place && i < count; i++) {
        const json_t *span = json_array_get(spans, i);
        uint32_t from = (uint32_t)json_integer_value(json_object_get(span, "start"));
        uint32_t to = (uint32_t)json_integer_value(json_object_get(span, "end"));
        while (next < confidences->spans && confidences->span[next].from < from)
            next++;
        bool found =
            next < confidences->spans && confidences->span[next].from == from && confidences->span[next].to == to;
        place[i] = found ? next : NOWHERE;
    }
    return place;
}

/* Returns a label, or a head. */
static json_t *choice_json(const struct alternative *choice, bool head)
{
    return head ? json_integer(choice->head)
                : json_stringn(choice->label.length ? choice->label.at : "", choice->label.length);
}

/* Returns the members of set i: labels or heads, or types. */
static json_t *members(const struct choice_sets *sets, uint32_t i, bool heads)
{
    json_t *list = json_array();
    for (uint32_t k = 0; list && k < choice_set_size(sets, i); k++)
        list = append(list, choice_json(&sets->choice[sets->first[i] + k], heads));
    return list;
}

/* Gives every span its confidence, and its readings if there are any. */
static bool estimate_spans(json_t *spans, const struct confidences *confidences, const uint32_t *place)
{
    const double *list = confidences->methods > 0 ? confidences->by_method->span : NULL;
    for (size_t i = 0; i < json_array_size(spans); i++) {
        double x = place[i] == NOWHERE ? NAN : number_at(list, place[i]);
        json_t *span = json_array_get(spans, i), *readings = NULL;
        if (confidences->reading.first)
            readings = place[i] == NOWHERE ? json_null() : members(&confidences->reading, place[i], false);
        if (json_object_set_new(span, "confidence", number(x)) != 0 ||
            (confidences->reading.first && json_object_set_new(span, "readings", readings) != 0))
            return false;
    }
    return true;
}

/* Describes what one method says of the answer. */
static json_t *method_json(const struct method_confidence *o, uint32_t N, bool tree)
{
    json_t *object = json_pack("{s:s, s:b, s:o}", "method", o->method, "calibrated", o->calibrated,
                               json_keys[tree].numbers, numbers(o->word, NULL, N));
    if (object && (!tree || json_object_set_new(object, "relations", numbers(o->relation, NULL, N)) == 0) &&
        json_object_set_new(object, "sentence", number(o->sentence)) == 0 &&
        (!o->more || (json_object_set_new(object, "minimum", number(o->more->minimum)) == 0 &&
                      json_object_set_new(object, "whole", number(o->more->whole)) == 0)))
        return object;
    json_decref(object);
    return NULL;
}

/* Adds "confidence" and, for several estimates, "confidences"; `place` is NULL if there are no spans. */
static bool add_methods(json_t *object, const struct confidences *confidences, uint32_t N, bool tree,
                        const uint32_t *place, uint32_t spans)
{
    if (confidences->methods == 0)
        return true;
    if (json_object_set_new(object, "confidence", method_json(confidences->by_method, N, tree)) != 0)
        return false;
    if (confidences->methods == 1)
        return true;
    json_t *all = json_array();
    for (uint32_t m = 0; all && m < confidences->methods; m++) {
        json_t *one = method_json(&confidences->by_method[m], N, tree);
        all = append(all, one);
        if (all && place &&
            json_object_set_new(one, "spans", numbers(confidences->by_method[m].span, place, spans)) != 0) {
            json_decref(all);
            all = NULL;
        }
    }
    return json_object_set_new(object, "confidences", all) == 0;
}

static json_t *alternatives_of(const struct confidences *confidences, uint32_t word, bool tree)
{
    if (!confidences->alternative || !confidences->found)
        return json_null();
    json_t *list = json_array();
    for (uint32_t a = 0; list && a < confidences->found[word]; a++) {
        const struct alternative *one = &confidences->alternative[(size_t)word * confidences->alternatives + a];
        list = append(list, json_pack("{s:o, s:o}", json_keys[tree].choice, choice_json(one, tree), "probability",
                                      number(one->probability)));
    }
    return list;
}

/* Adds the relations of each word that may be right. */
static bool add_relation_sets(json_t *object, const struct confidences *confidences, uint32_t N)
{
    json_t *all = json_array();
    for (uint32_t i = 0; all && i < N; i++)
        all = append(all, members(&confidences->relation_set, i, false));
    return json_object_set_new(object, "relation_sets", all) == 0;
}

/* Adds a list for each word under a key: its set, or its alternatives. */
static bool add_choices(json_t *object, const char *key, const struct confidences *confidences, uint32_t N, bool sets,
                        bool tree)
{
    json_t *all = json_array();
    for (uint32_t i = 0; all && i < N; i++)
        all = append(all, sets ? members(&confidences->set, i, tree) : alternatives_of(confidences, i, tree));
    return json_object_set_new(object, key, all) == 0;
}

static bool add_doubtful(json_t *object, const struct marks *marks, uint32_t N)
{
    if (!marks_flag(marks))
        return true;
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < N; i++)
        if (marks->doubtful[i])
            list = append(list, json_integer(i));
    return json_object_set_new(object, "doubtful", list) == 0;
}

/* Returns what confidences add, or NULL with the error set; takes over `spans`, NULL if there are none. */
static json_t *rate(const struct marks *marks, uint32_t N, bool tree, json_t *spans, struct vouch_error *err)
{
    const struct confidences *confidences = marks->confidences;
    uint32_t *place = spans ? find_places(confidences, spans, err) : NULL;
    json_t *object = json_object();
    bool done = object &&
                (!spans || (place && estimate_spans(spans, confidences, place) &&
                            json_object_set(object, "spans", spans) == 0)) &&
                add_methods(object, confidences, N, tree, place, (uint32_t)json_array_size(spans)) &&
                (confidences->alternatives == 0 || add_choices(object, "alternatives", confidences, N, false, tree)) &&
                (!confidences->set.first || add_choices(object, "sets", confidences, N, true, tree)) &&
                (!confidences->relation_set.first || add_relation_sets(object, confidences, N)) &&
                add_doubtful(object, marks, N);
    free(place);
    json_decref(spans);
    if (done)
        return object;
    json_decref(object);
    fail_memory(err);
    return NULL;
}

/* Removes from an object that was read the keys that confidences write. */
static void forget_confidences(json_t *object, bool tree)
{
    for (size_t i = ANSWER_KEYS; i < KEYS; i++)
        json_object_del(object, written_keys[i]);
    if (!tree)
        json_object_del(object, "spans");
}

static int pass_on(const char *bytes, size_t count, void *out)
{
    output_write(out, bytes, count);
    return 0;
}

/* Returns the object that was read, or NULL with the error set. */
static json_t *read_again(const struct sentence *sentence, struct vouch_error *err)
{
    json_error_t error;
    json_t *object = json_read(sentence->before.at, sentence->before.length, 0, &error);
    if (json_is_object(object))
        return object;
    if (!object && json_lacked_memory(&error)) {
        fail_memory(err);
        return NULL;
    }
    json_decref(object);
    fail(err, VOUCH_ERR_ARGUMENT, "JSON lines can be written only for JSON lines that were read");
    return NULL;
}

/* Writes the keys of both objects; `more` may be NULL. Confidence has six digits, other numbers all of theirs. */
static bool write_keys(struct output *out, json_t *object, const json_t *more, struct vouch_error *err)
{
    write_json_members(out, object, false);
    output_write(out, ",", json_object_size(more) > 0);
    if (more && json_dump_callback(more, pass_on, out, JSON_COMPACT | JSON_EMBED | JSON_REAL_PRECISION(6)) != 0)
        return fail_memory(err);
    return true;
}

static bool write_object(struct output *out, json_t *object, const json_t *more, struct vouch_error *err)
{
    output_write(out, "{", 1);
    bool done = write_keys(out, object, more, err);
    output_write(out, "}", 1);
    return done;
}

/* Writes the end of the line. */
static void write_object_end(struct output *out, const struct writer_options *options, const struct sentence *s)
{
    write_text(out, !options->alone || s->after.length > 0 ? s->after : newline_of(s));
}

/* Whether the object has keys of answers or of confidences, which are then replaced. */
static bool has_answers(const json_t *object)
{
    for (size_t i = 0; i < KEYS; i++)
        if (json_object_get(object, written_keys[i]))
            return true;
    return false;
}

/* Writes the object as it was read, byte for byte, with `added` and `more` after its other keys. */
static bool write_completed(struct output *out, const struct sentence *sentence, json_t *added,
                            const json_t *more, struct vouch_error *err)
{
    struct text line = sentence->before;
    uint32_t close = line.length, last;
    while (close > 0 && line.at[close - 1] != '}')
        close--;
    for (last = close - 1; last > 0 && is_blank(line.at[last - 1]);)
        last--;
    output_write(out, line.at, last);
    output_write(out, ",", line.at[last - 1] != '{');
    bool done = write_keys(out, added, more, err);
    output_write(out, line.at + last, line.length - last);
    return done;
}

bool jsonl_write_fault(struct output *out, const struct sentence *sentence, struct vouch_error *err)
{
    size_t length = utf8_check(sentence->fault, strlen(sentence->fault)); /* messages may be cut short */
    json_t *object = json_pack("{s:s%, s:I}", "error", sentence->fault, length, "line", (json_int_t)sentence->number);
    bool done = object && write_object(out, object, NULL, err);
    json_decref(object);
    write_text(out, newline_of(sentence));
    return done || fail_memory(err);
}

static json_t *list_heads(const uint32_t *head, uint32_t N)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < N; i++)
        list = append(list, head[i] == UINT32_MAX ? json_null() : json_integer(head[i]));
    return list;
}

/* Adds the answers to `object`; keys with confidence go to *more. */
static bool add_answers(json_t *object, json_t **more, const uint32_t *head, const struct text *label, uint32_t N,
                        const struct marks *marks, struct vouch_error *err)
{
    const struct json_keys *keys = &json_keys[head != NULL];
    json_t *spans = NULL;
    if (marks->confidences)
        forget_confidences(object, head);
    if ((head && json_object_set_new(object, keys->head[0], list_heads(head, N)) != 0) ||
        (label && json_object_set_new(object, keys->label[0], list_labels(label, N)) != 0))
        return fail_memory(err);
    if (!head && are_chunk_labels(label, N, marks) && !(spans = list_spans(label, N, err)))
        return false;
    if (marks->confidences) {
        *more = rate(marks, N, head, spans, err);
        return *more != NULL;
    }
    return !spans || json_object_set_new(object, "spans", spans) == 0 || fail_memory(err);
}

/*
 * Keys are added to the object itself if it had an answer already, and it is written anew; else to a new one, and the
 * line is completed.
 */
bool jsonl_write(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                 const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err)
{
    write_front(out, options, sentence);
    if (!head && (sentence->boundary || (sentence->N == 0 && sentence->before.length == 0))) {
        write_text(out, sentence->before);
        write_object_end(out, options, sentence);
        return true;
    }
    json_t *object = read_again(sentence, err), *more = NULL;
    bool anew = has_answers(object);
    json_t *added = anew ? json_incref(object) : json_object();
    bool done = object && (added || fail_memory(err)) &&
                add_answers(added, &more, head, label, sentence->N, marks, err) &&
                (anew ? write_object(out, added, more, err) : write_completed(out, sentence, added, more, err));
    write_object_end(out, options, sentence);
    json_decref(object);
    json_decref(added);
    json_decref(more);
    return done;
}

/* Puts the answers in place of gold, and removes those under other keys, which would contradict the corrected gold. */
static bool put_gold(json_t *object, const struct sentence *sentence, const struct text *label, const uint32_t *head,
                     struct vouch_error *err)
{
    for (size_t i = 0; i < ANSWER_KEYS; i++)
        json_object_del(object, written_keys[i]);
    const struct json_keys *keys = &json_keys[head != NULL];
    bool done = !head || json_object_set_new(object, keys->head[1], list_heads(head, sentence->N)) == 0;
    if (!label)
        json_object_del(object, keys->label[1]);
    else
        done = done && json_object_set_new(object, keys->label[1], list_labels(label, sentence->N)) == 0;
    return done || fail_memory(err);
}

bool jsonl_write_gold(struct output *out, const struct sentence *sentence, const struct text *label,
                      const uint32_t *head, struct vouch_error *err)
{
    json_t *object = read_again(sentence, err);
    bool done = object && put_gold(object, sentence, label, head, err) && write_object(out, object, NULL, err);
    write_text(out, newline_of(sentence));
    json_decref(object);
    return done;
}
