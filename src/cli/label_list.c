/* Reads the names of labels: see label_list.h. */
#include "cli/label_list.h"

#include "base/buffer.h"
#include "base/input.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

enum { MOST_LABELS = 65535 };

void label_list_release(struct label_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    dictionary_release(&list->seen);
    *list = (struct label_list){0};
}

static bool add(struct label_list *list, struct text name, struct vouch_error *err)
{
    if (list->count == MOST_LABELS)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d labels, found more", MOST_LABELS);
    uint32_t number = dictionary_add(&list->seen, name, err);
    if (!number || !RESERVE(list->name, list->capacity, list->count + 1, err))
        return false;
    if (number <= list->count)
        return fail(err, VOUCH_ERR_FORMAT, "label %zu: expected a new name, found '%.*s' again", list->count + 1,
                    excerpt(name), name.at);
    if (!(list->name[list->count] = new_string(name.at, name.length, err)))
        return false;
    list->count++;
    return true;
}

static bool take_value(struct label_list *list, const json_t *value, struct vouch_error *err)
{
    const char *name = json_string_value(value);
    return name ? add(list, text_of(name), err)
                : fail(err, VOUCH_ERR_FORMAT, "label %zu: expected a string, found %s", list->count + 1,
                       value ? "something else" : "nothing under its number");
}

/* Takes an array of names, or an object with the keys "0", "1", ... */
static bool take_json(struct label_list *list, const json_t *json, struct vouch_error *err)
{
    const json_t *named = json_object_get(json, "id2label");
    json = named ? named : json;
    size_t count = json_is_array(json) ? json_array_size(json) : json_object_size(json);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", i);
        ok = take_value(list, json_is_array(json) ? json_array_get(json, i) : json_object_get(json, key), err);
    }
    return ok;
}

/* Adds the label of a line, which has no white space in it. */
static bool add_line(struct label_list *list, struct text line, struct vouch_error *err)
{
    for (uint32_t i = 0; i < line.length; i++)
        if ((unsigned char)line.at[i] <= ' ')
            return fail(err, VOUCH_ERR_FORMAT, "expected a label without white space, found '%.*s'", excerpt(line),
                        line.at);
    return add(list, line, err);
}

/* Reads all lines: as labels, or into `text` if the first begins JSON. */
static bool read_lines(struct label_list *list, struct input *input, struct buffer *text, struct vouch_error *err)
{
    struct text line;
    int got;
    bool json = false, first = true;
    for (uint64_t number = 1; (got = input_line(input, &line, err)) == 1; number++) {
        if (first)
            json = line.length > 0 && (line.at[0] == '{' || line.at[0] == '[');
        first = false;
        if (json ? !buffer_add(text, line, err) || !buffer_put(text, '\n', err)
                 : line.length > 0 && !add_line(list, line, err)) {
            list->line = number;
            return false;
        }
    }
    return got == 0;
}

static bool read_all(struct label_list *list, struct input *input, struct vouch_error *err)
{
    struct buffer text = {0};
    json_error_t problem;
    bool ok = read_lines(list, input, &text, err);
    json_t *json = ok && text.length ? json_loadb(text.bytes, text.length, JSON_REJECT_DUPLICATES, &problem) : NULL;
    if (ok && text.length)
        ok = json ? take_json(list, json, err)
                  : fail(err, VOUCH_ERR_FORMAT, "expected a label a line, or JSON: line %d: %s", problem.line,
                         problem.text);
    json_decref(json);
    free(text.bytes);
    return ok && (list->count > 0 || fail(err, VOUCH_ERR_FORMAT, "expected labels, found none"));
}

bool label_list_read(struct label_list *list, const char *path, struct vouch_error *err)
{
    *list = (struct label_list){0};
    struct input *input = input_open(path, err);
    if (!input)
        return false;
    bool ok = read_all(list, input, err) || (list->line ? fail_within(err, "%s:%" PRIu64, path, list->line)
                                                        : fail_within(err, "%s", path));
    input_close(input);
    return ok;
}
