/*
 * Reads tables of decisions.
 *
 * Columns are found by the names in the first line, in any order and with any others beside them. Spreadsheets may have
 * put quotes around fields: around all of them, which the first line shows, or around those that hold a quote, which is
 * then doubled.
 */
#include "review/decisions.h"

#include "base/input.h"
#include "base/buffer.h"

#include <inttypes.h>
#include <stdio.h>

enum column { FILE_NAME, LINE, WORD, WORDS, GIVEN, PROPOSED, DECISION, TEXT, LAYER, ALSO, AUDIT, COLUMNS };
static const char *const column_names[COLUMNS] = {"file",     "line", "word",  "words", "given", "proposed",
                                                  "decision", "text", "layer", "also",  "audit"};
enum { NEEDED = TEXT, MOST_FIELDS = 256 }; /* the columns before TEXT must be there */
#define NOWHERE UINT32_MAX

/* The table that is being read. */
struct table {
    const char *path;
    uint64_t number;         /* of the line */
    uint32_t place[COLUMNS]; /* of each column, from 0, or NOWHERE */
    uint32_t fields;
    bool quoted;
};

void decisions_release(struct decisions *d)
{
    for (size_t i = 0; i < d->rows; i++)
        free(d->row[i].bytes);
    free(d->row);
}

/* Removes the quotes that a spreadsheet put around a field, in place. */
static char *unquote(char *field, bool all)
{
    size_t length = strlen(field), to = 0;
    bool doubled = false;
    if (length < 2 || field[0] != '"' || field[length - 1] != '"')
        return field;
    for (size_t i = 1; i + 1 < length; i++)
        if (field[i] == '"') {
            if (i + 2 >= length || field[i + 1] != '"')
                return field;
            doubled = true;
            i++;
        }
    if (!doubled && !all)
        return field;
    for (size_t i = 1; i + 1 < length; i++) {
        field[to++] = field[i];
        i += field[i] == '"';
    }
    field[to] = '\0';
    return field;
}

/* Ends every field by a zero; returns how many there are, of which the first MOST_FIELDS are in `field`. */
static uint32_t split_fields(char *line, char *field[MOST_FIELDS])
{
    uint32_t count = 0;
    for (char *at = line; at; count++) {
        char *tab = strchr(at, '\t');
        if (tab)
            *tab = '\0';
        if (count < MOST_FIELDS)
            field[count] = at;
        at = tab ? tab + 1 : NULL;
    }
    return count;
}

static bool read_header(struct table *t, char *line, struct vouch_error *err)
{
    char *field[MOST_FIELDS] = {line};
    t->fields = split_fields(line, field);
    t->quoted = field[0][0] == '"';
    if (t->fields == 1)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s:1: expected the table that vouch review writes, with columns separated by tabs, found no tab",
                    t->path);
    for (int c = 0; c < COLUMNS; c++) {
        t->place[c] = NOWHERE;
        for (uint32_t i = 0; i < t->fields && i < MOST_FIELDS; i++)
            if (t->place[c] == NOWHERE && strcmp(unquote(field[i], true), column_names[c]) == 0)
                t->place[c] = i;
        if (t->place[c] == NOWHERE && c < NEEDED)
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:1: expected the table that vouch review writes, found no column \"%s\"", t->path,
                        column_names[c]);
    }
    return true;
}

/* Reads the columns of a line; those that it does not have are empty. */
static bool read_columns(const struct table *t, char *line, char *column[COLUMNS], struct vouch_error *err)
{
    static char nothing[1] = "";
    char *field[MOST_FIELDS];
    uint32_t fields = split_fields(line, field);
    if (fields > t->fields)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected %" PRIu32 " columns, found %" PRIu32, t->path,
                    t->number, t->fields, fields);
    for (int c = 0; c < COLUMNS; c++)
        column[c] = t->place[c] < fields ? unquote(field[t->place[c]], t->quoted) : nothing;
    return true;
}

/* Reads a whole number from 1. */
static bool read_number(const struct table *t, char *const column[COLUMNS], enum column c, uint64_t most,
                        uint64_t *value, struct vouch_error *err)
{
    *value = 0;
    for (const char *at = column[c]; *at; at++) {
        if (*at < '0' || *at > '9' || *value > most / 10) {
            *value = 0;
            break;
        }
        *value = *value * 10 + (uint64_t)(*at - '0');
    }
    return (*value > 0 && *value <= most) ||
           fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected a number from 1 as \"%s\", found \"%.40s\"", t->path,
                t->number, column_names[c], column[c]);
}

/* Reads a row; takes over `line`. Nothing is added for one without a decision. */
static bool read_row(struct decisions *d, const struct table *t, char *line, struct vouch_error *err)
{
    char *column[COLUMNS] = {0};
    uint64_t at, word, words;
    if (!RESERVE(d->row, d->capacity, d->rows + 1, err)) {
        free(line);
        return false;
    }
    struct decision *row = &d->row[d->rows++];
    *row = (struct decision){.bytes = line, .source = t->path, .number = t->number};
    if (!read_columns(t, line, column, err))
        return false;
    struct text decision = text_trim(text_of(column[DECISION]));
    bool right = text_is(decision, "-") || text_is(decision, "-!");
    bool accepted = text_is(decision, "+"), open = decision.length == 0;
    d->trees = d->trees || strcmp(column[LAYER], "arc") == 0 || strcmp(column[LAYER], "relation") == 0;
    d->kept += right;
    d->open += open;
    if (open || (right && !d->with_kept)) {
        free(line);
        d->rows--;
        return true;
    }
    if (!read_number(t, column, LINE, UINT64_MAX / 16, &at, err) ||
        !read_number(t, column, WORD, UINT32_MAX / 2, &word, err) ||
        !read_number(t, column, WORDS, UINT32_MAX / 2, &words, err))
        return false;
    row->file = column[FILE_NAME];
    row->line = at;
    row->word = (uint32_t)word;
    row->words = (uint32_t)words;
    row->given = text_of(column[GIVEN]);
    row->text = t->place[TEXT] != NOWHERE ? text_of(column[TEXT]) : (struct text){0};
    row->wanted = right ? row->given : accepted ? text_of(column[PROPOSED]) : decision;
    row->also = text_of(accepted ? column[ALSO] : "");
    row->by_hand = !accepted && !right;
    return !d->with_kept || column[AUDIT][0] == '\0' || audit_read(text_of(column[AUDIT]), &row->place) ||
           fail(err, VOUCH_ERR_FORMAT,
                "%s:%" PRIu64 ": expected UNIT STRATUM:DRAWN/SIZE/ITEMS as \"audit\", found \"%.40s\"", t->path,
                t->number, column[AUDIT]);
}

bool decisions_read(struct decisions *d, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct table t = {.path = path};
    struct text line;
    int more = -1;
    bool ok = input != NULL;
    while (ok && (more = input_line(input, &line, err)) == 1) {
        char *copy = new_string(line.at, line.length, err);
        t.number = input_number(input);
        if (copy && t.number > 1 && copy[0]) {
            ok = read_row(d, &t, copy, err);
            continue;
        }
        ok = copy && (t.number > 1 || read_header(&t, copy, err));
        free(copy);
    }
    if (ok && more == 0 && t.number == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected the table that vouch review writes, found an empty file", path);
    input_close(input);
    return ok && more == 0;
}

/* Finds the rows of one table about a file; the table's are row[from] .. row[to - 1]. */
static bool table_about(struct decision *row, size_t from, size_t to, const char *path, size_t *found,
                        struct vouch_error *err)
{
    bool exact = false;
    const char *alike = NULL;
    for (size_t i = from; i < to; i++)
        exact = exact || strcmp(row[i].file, path) == 0;
    for (size_t i = from; i < to; i++) {
        row[i].about = strcmp(exact ? row[i].file : path_name(row[i].file), exact ? path : path_name(path)) == 0;
        if (!row[i].about)
            continue;
        if (alike && strcmp(alike, row[i].file) != 0)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about one file called %s, found %s and %s",
                        row[i].source, path_name(path), alike, row[i].file);
        alike = row[i].file;
        row[i].used = true;
        (*found)++;
    }
    return true;
}

bool decisions_about(struct decisions *d, const char *path, size_t *found, struct vouch_error *err)
{
    *found = 0;
    for (size_t from = 0, to; from < d->rows; from = to) {
        for (to = from + 1; to < d->rows && d->row[to].source == d->row[from].source;)
            to++;
        if (!table_about(d->row, from, to, path, found, err))
            return false;
    }
    return true;
}

bool table_words(const struct sentence *sentence, uint32_t from, uint32_t to, struct buffer *into,
                 struct vouch_error *err)
{
    size_t start = into->length;
    for (uint32_t i = from; i < to; i++)
        if ((i > from && !buffer_put(into, ' ', err)) || !buffer_add(into, sentence_form(sentence, i), err))
            return false;
    for (size_t c = start; c < into->length; c++)
        if ((unsigned char)into->bytes[c] < ' ')
            into->bytes[c] = ' ';
    return true;
}

bool table_labels(const struct sentence *sentence, uint32_t from, uint32_t to, bool relations, struct buffer *into,
                  struct vouch_error *err)
{
    for (uint32_t i = from; i < to; i++) {
        char head[16] = "";
        if (sentence->tree)
            snprintf(head, sizeof head, "%" PRIu32 "%s", sentence->head[i], relations ? ":" : "");
        if ((i > from && !buffer_put(into, ' ', err)) || !buffer_add(into, text_of(head), err) ||
            ((!sentence->tree || relations) && !buffer_add(into, sentence->gold[i], err)))
            return false;
    }
    return true;
}
