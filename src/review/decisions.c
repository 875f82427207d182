/*
 * Reads the table of decisions: see decisions.h.
 *
 * Columns are found by the names in the first line, in any order and with any
 * others beside them. Spreadsheets may have put quotes around fields: around
 * all of them, which the first line shows, or around those that hold a quote,
 * which is then doubled.
 */
#include "review/decisions.h"

#include "base/input.h"
#include "base/path.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const column_names[DECISION_COLUMNS] = {"file",     "line",     "word", "words", "given",
                                                           "proposed", "decision", "text", "layer", "also"};
enum { NEEDED = DECISION_TEXT, MOST_FIELDS = 256 }; /* the columns before TEXT must be there */
#define NOWHERE UINT32_MAX

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

static bool read_header(struct decisions *d, char *line, struct vouch_error *err)
{
    char *field[MOST_FIELDS] = {line};
    d->fields = split_fields(line, field);
    d->quoted = field[0][0] == '"';
    if (d->fields == 1)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s:1: expected the table that vouch review writes, with columns separated by tabs, found no tab",
                    d->path);
    for (int c = 0; c < DECISION_COLUMNS; c++) {
        d->place[c] = NOWHERE;
        for (uint32_t i = 0; i < d->fields && i < MOST_FIELDS; i++)
            if (d->place[c] == NOWHERE && strcmp(unquote(field[i], true), column_names[c]) == 0)
                d->place[c] = i;
        if (d->place[c] == NOWHERE && c < NEEDED)
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:1: expected the table that vouch review writes, found no column \"%s\"", d->path,
                        column_names[c]);
    }
    return true;
}

/* Reads the columns of a line; those that it does not have are empty. */
static bool read_columns(const struct decisions *d, char *line, char *column[DECISION_COLUMNS], struct vouch_error *err)
{
    static char nothing[1] = "";
    char *field[MOST_FIELDS];
    uint32_t fields = split_fields(line, field);
    if (fields > d->fields)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected %" PRIu32 " columns, found %" PRIu32, d->path,
                    d->number, d->fields, fields);
    for (int c = 0; c < DECISION_COLUMNS; c++)
        column[c] = d->place[c] < fields ? unquote(field[d->place[c]], d->quoted) : nothing;
    return true;
}

/* Reads a whole number from 1. */
static bool read_number(const struct decisions *d, char *const column[DECISION_COLUMNS], enum decision_column c,
                        uint64_t most, uint64_t *value, struct vouch_error *err)
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
           fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected a number from 1 as \"%s\", found \"%.40s\"", d->path,
                d->number, column_names[c], column[c]);
}

/* Returns the string without blanks at its ends. */
static struct text trim(const char *string)
{
    struct text text = text_of(string);
    while (text.length > 0 && text.at[0] == ' ')
        text = (struct text){text.at + 1, text.length - 1};
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    return text;
}

static bool is_of_trees(const char *layer)
{
    return strcmp(layer, "arc") == 0 || strcmp(layer, "relation") == 0;
}

/* Whether the row is left out: nothing was decided, or it keeps the corpus as it is and such rows are not read. */
static bool is_passed_over(struct decisions *d, struct text decision)
{
    bool right = text_is(decision, "-"), open = decision.length == 0;
    d->kept += right;
    d->open += open;
    return open || (right && !d->with_kept);
}

static struct amendment amendment_of(const struct decisions *d, char *const column[DECISION_COLUMNS],
                                     struct text decision)
{
    bool right = text_is(decision, "-"), accepted = text_is(decision, "+");
    struct text wanted = right      ? text_of(column[DECISION_GIVEN])
                         : accepted ? text_of(column[DECISION_PROPOSED])
                                    : decision;
    return (struct amendment){.given = text_of(column[DECISION_GIVEN]),
                              .text = d->place[DECISION_TEXT] != NOWHERE ? text_of(column[DECISION_TEXT])
                                                                         : (struct text){0},
                              .wanted = wanted,
                              .also = text_of(accepted ? column[DECISION_ALSO] : ""),
                              .by_hand = !accepted && !right,
                              .source = d->path,
                              .number = d->number};
}

/* Reads a row; takes over `line`. */
static bool read_row(struct decisions *d, char *line, struct vouch_error *err)
{
    char *column[DECISION_COLUMNS] = {0};
    uint64_t at, word, words;
    if (!RESERVE(d->row, d->capacity, d->rows + 1, err)) {
        free(line);
        return false;
    }
    d->row[d->rows++] = (struct decided_row){.bytes = line}; /* released with the others, also on failure */
    if (!read_columns(d, line, column, err))
        return false;
    struct text decision = trim(column[DECISION_ITSELF]);
    d->trees = d->trees || is_of_trees(column[DECISION_LAYER]);
    if (is_passed_over(d, decision)) {
        free(line);
        d->rows--;
        return true;
    }
    if (!read_number(d, column, DECISION_LINE, UINT64_MAX / 16, &at, err) ||
        !read_number(d, column, DECISION_WORD, UINT32_MAX / 2, &word, err) ||
        !read_number(d, column, DECISION_WORDS, UINT32_MAX / 2, &words, err))
        return false;
    struct decided_row *row = &d->row[d->rows - 1];
    row->file = column[DECISION_FILE];
    row->amendment = amendment_of(d, column, decision);
    row->amendment.line = at;
    row->amendment.word = (uint32_t)word;
    row->amendment.words = (uint32_t)words;
    return true;
}

bool decisions_read(struct decisions *d, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    int more = -1;
    bool ok = input != NULL;
    d->path = path;
    while (ok && (more = input_line(input, &line, err)) == 1) {
        char *copy = new_string(line.at, line.length, err);
        d->number = input_number(input);
        if (copy && d->number == 1) {
            ok = read_header(d, copy, err);
            free(copy);
        } else if (copy && copy[0])
            ok = read_row(d, copy, err);
        else {
            ok = copy != NULL;
            free(copy);
        }
    }
    if (ok && more == 0 && d->number == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected the table that vouch review writes, found an empty file", path);
    input_close(input);
    return ok && more == 0;
}

bool decisions_about(struct decisions *d, const char *path, struct vouch_error *err)
{
    bool exact = false;
    const char *alike = NULL;
    for (size_t i = 0; i < d->rows; i++)
        exact = exact || strcmp(d->row[i].file, path) == 0;
    size_t kept = 0;
    for (size_t i = 0; i < d->rows; i++) {
        struct decided_row row = d->row[i];
        bool fits = strcmp(exact ? row.file : path_name(row.file), exact ? path : path_name(path)) == 0;
        if (fits && alike && strcmp(alike, row.file) != 0)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about one file called %s, found %s and %s",
                        d->path, path_name(path), alike, row.file);
        alike = fits ? row.file : alike;
        d->row[i] = d->row[kept];
        d->row[kept] = row;
        kept += fits;
    }
    d->elsewhere = d->rows - kept;
    return true;
}
