/*
 * The list as one JSON object, with all that a page needs to decide on it: see review.h. The rows are the table itself,
 * byte for byte as --as tsv writes it, so that there is one format, written in review_list.c and read by decisions.c.
 */
#include "review/review.h"

#include "base/hash.h"
#include "task/dictionary.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Returns the array if nothing is missing in it for want of memory, else NULL. */
static json_t *whole(json_t *array, size_t count)
{
    if (json_array_size(array) == count)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *error_json(const struct error_count *errors)
{
    if (errors->items == 0)
        return json_null();
    return json_pack("{s:o, s:f, s:f, s:I, s:I, s:I}", "count",
                     isnan(errors->count) ? json_null() : json_real(errors->count), "least", errors->least, "most",
                     errors->most, "items", (json_int_t)errors->items, "drawn", (json_int_t)errors->drawn, "decided",
                     (json_int_t)errors->decided);
}

static json_t *label_json(const struct review *r)
{
    const struct dictionary *names = review_names(r);
    json_t *all = json_array();
    for (uint32_t i = 1; i <= names->table.count; i++) {
        struct text name = dictionary_text(names, i);
        json_array_append_new(all, json_stringn(name.at, name.length));
    }
    return whole(all, names->table.count);
}

/* The number of the sentence of each row. */
static json_t *place_json(const struct review_list *list)
{
    json_t *all = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(all, json_integer((json_int_t)list->row[i].sentence));
    return whole(all, list->count);
}

/* Heads differ from sentence to sentence, relations do not. */
static struct text without_head(const struct review_list *list, struct text label)
{
    while (list->trees && label.length && label.at[0] >= '0' && label.at[0] <= '9')
        label = (struct text){label.at + 1, label.length - 1};
    return label;
}

/* What makes errors the same: the last word, and the labels given and proposed. */
static bool put_kind(const struct review_list *list, const struct row *row, struct buffer *kind,
                     struct vouch_error *err)
{
    const struct row_word *word = &list->word[row->first];
    kind->length = 0;
    bool ok = buffer_add(kind, list_text(list, word[row->words - 1].form), err);
    for (uint32_t i = 0; ok && i < row->words; i++) {
        struct text given = without_head(list, list_text(list, word[i].given));
        struct text proposed = without_head(list, list_text(list, word[i].proposed));
        ok = buffer_print(kind, err, "\t%.*s\t%.*s", (int)given.length, given.at, (int)proposed.length, proposed.at);
    }
    return ok;
}

/* The number of the group of each row. */
static json_t *group_json(const struct review_list *list, struct vouch_error *err)
{
    struct dictionary kinds = {0};
    struct buffer kind = {0};
    json_t *all = json_array();
    for (size_t i = 0; i < list->count; i++) {
        bool ok = put_kind(list, &list->row[i], &kind, err);
        uint32_t number = ok ? dictionary_add(&kinds, buffer_text(&kind), err) : 0;
        json_array_append_new(all, number ? json_integer(number - 1) : NULL);
    }
    free(kind.bytes);
    dictionary_release(&kinds);
    return whole(all, list->count);
}

json_t *review_json(const struct review *r, struct vouch_error *err)
{
    static const char *const level[] = {"word", "chunk", "entity", "sentence"};
    struct output *table = output_open_memory(err);
    size_t length = 0;
    if (table)
        review_list_write_tsv(&r->list, table);
    const char *text = table ? output_text(table, &length) : NULL;
    char identity[20];
    snprintf(identity, sizeof identity, "%016" PRIx64, text ? hash_bytes(text, length) : 0);
    json_t *all = json_pack("{s:s, s:s%, s:b, s:b, s:s, s:o, s:o, s:o, s:b, s:o, s:I}", "identity", identity, "table",
                            text ? text : "", length, "trees", r->trees, "relations", r->trees && r->layers > 1,
                            "level", level[r->level], "labels", label_json(r), "sentence", place_json(&r->list),
                            "group", group_json(&r->list, err), "audit", r->list.audit.items > 0, "errors",
                            error_json(&r->list.errors), "judged", (json_int_t)r->list.judged);
    output_discard(table);
    if (all && text)
        return all;
    json_decref(all);
    fail_memory(err);
    return NULL;
}

bool review_blank_label(const struct review *r, struct text *name)
{
    const struct dictionary *names = review_names(r);
    for (uint32_t i = 1; i <= names->table.count; i++) {
        uint32_t blank = 0;
        *name = dictionary_text(names, i);
        while (blank < name->length && (unsigned char)name->at[blank] > ' ')
            blank++;
        if (blank < name->length)
            return true;
    }
    return false;
}

bool review_check_labels(const struct review *r, struct vouch_error *err)
{
    struct text name;
    return !review_blank_label(r, &name) ||
           fail(err, VOUCH_ERR_FORMAT,
                "label \"%.*s\" has a blank in it, which separates labels in a table: expected --as jsonl or html",
                excerpt(name), name.at);
}

bool review_rename_files(struct review *r, const char *const *name, struct vouch_error *err)
{
    struct review_list *list = &r->list;
    for (size_t i = 0; i < list->count; i++) {
        struct piece *file = &list->row[i].string[ROW_FILE];
        size_t number = 0;
        while (number < r->options->common.arguments &&
               !text_is(list_text(list, *file), r->options->common.argument[number]))
            number++;
        if (number == r->options->common.arguments)
            continue;
        *file = (struct piece){list->text.length, (uint32_t)strlen(name[number])};
        if (!buffer_add_bytes(&list->text, name[number], strlen(name[number]) + 1, err))
            return false;
    }
    return true;
}
