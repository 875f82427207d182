/*
 * Reads answers in columns, and values under headings: see answer_table.h.
 *
 * The first row decides. It is headings if two of gold, guess and confidence are among its cells, separated by commas,
 * semicolons or tabs; also if it has three cells so separated but not three separated by blanks. Where columns are
 * numbered by the caller there are no headings. Quoted cells are those of RFC 4180, but must end on their line; their
 * quotes are taken out in place.
 */
#include "answers/answer_table.h"

#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>

#define NO_COLUMN UINT32_MAX

struct cells {
    char separator; /* ' ' stands for any number of blanks */
    bool headed;
    uint32_t column[ANSWER_FIELDS]; /* from 0, or NO_COLUMN */
    struct text *cell;              /* [count] of the row at hand */
    size_t count, capacity, first;  /* first: as many as the first row has; 0 before it */
    struct text sentence;           /* of the row before */
};

static struct text trimmed(const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (to > from && is_blank(to[-1]))
        to--;
    return (struct text){from, (uint32_t)(to - from)};
}

/* Takes a quoted cell from *at on, and moves *at behind it; its quotes are doubled within it. */
static bool take_quoted(char **at, const char *end, char separator, struct text *cell)
{
    char *from = *at, *to = from, *next = from + 1;
    while (next < end && !(*next == '"' && !(next + 1 < end && next[1] == '"'))) {
        next += *next == '"';
        *to++ = *next++;
    }
    *cell = (struct text){from, (uint32_t)(to - from)};
    *at = next + 1;
    return next < end && (*at == end || **at == separator);
}

static bool add_cell(struct cells *c, struct text cell, struct vouch_error *err)
{
    if (!RESERVE(c->cell, c->capacity, c->count + 1, err))
        return false;
    c->cell[c->count++] = cell;
    return true;
}

/* Divides a line at blanks. */
static bool split_blanks(struct cells *c, struct text line, struct vouch_error *err)
{
    const char *at = line.at, *end = line.at + line.length;
    for (c->count = 0; at < end;) {
        const char *from = at;
        while (at < end && !is_blank(*at))
            at++;
        if (at > from && !add_cell(c, (struct text){from, (uint32_t)(at - from)}, err))
            return false;
        at += at < end;
    }
    return true;
}

static bool split(struct answer_table *t, struct cells *c, struct text line, uint64_t number, struct vouch_error *err)
{
    if (c->separator == ' ')
        return split_blanks(c, line, err);
    char *at = t->bytes.bytes + (line.at - t->bytes.bytes);
    const char *end = line.at + line.length;
    for (c->count = 0;; at++) {
        struct text cell;
        if (c->separator != '\t' && at < end && *at == '"') {
            if (!take_quoted(&at, end, c->separator, &cell))
                return answer_refuse(t, number, err, "expected a quoted cell to end on its line, before '%c'",
                                     c->separator);
        } else {
            const char *from = at;
            while (at < end && *at != c->separator)
                at++;
            cell = trimmed(from, at);
        }
        if (!add_cell(c, cell, err))
            return false;
        if (at >= end)
            return true;
    }
}

/* Counts the cells of a first line, without changing it, and how many of them are names of gold, guess and number. */
static uint32_t look(const struct answer_table *t, struct text line, char separator, uint32_t *names)
{
    uint32_t count = 0;
    const char *at = line.at, *end = line.at + line.length;
    *names = 0;
    while (at <= end) {
        const char *to = at;
        while (to < end && *to != separator)
            to++;
        struct text cell = trimmed(at, to);
        if (cell.length > 1 && cell.at[0] == '"' && cell.at[cell.length - 1] == '"')
            cell = (struct text){cell.at + 1, cell.length - 2};
        for (uint32_t i = 0; i < FIELD_SENTENCE; i++)
            *names += text_equal(cell, t->field[i]);
        count++;
        at = to + 1;
    }
    return count;
}

/* Finds out how the rows are written, from the first. */
static bool settle_separator(const struct answer_table *t, struct cells *c, struct text line, struct vouch_error *err)
{
    static const char separators[] = ",;\t";
    uint32_t names, most = 1;
    bool tabs = memchr(line.at, '\t', line.length) != NULL;
    if (!split_blanks(c, line, err))
        return false;
    c->separator = tabs ? '\t' : ' ';
    for (const char *s = separators; *s; s++) {
        uint32_t count = look(t, line, *s, &names);
        if (!t->numbered && names > most) {
            most = names;
            c->separator = *s;
            c->headed = true;
        } else if (most == 1 && *s != '\t' && count >= FIELD_SENTENCE && c->count < FIELD_SENTENCE) {
            c->separator = *s;
            c->headed = !t->numbered;
        }
    }
    return true;
}

static bool find_heading(const struct answer_table *t, struct cells *c, uint32_t i, uint64_t number,
                         struct vouch_error *err)
{
    char found[160] = "";
    c->column[i] = NO_COLUMN;
    for (uint32_t j = 0; j < c->count; j++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%.*s", j ? ", " : "", excerpt(c->cell[j]), c->cell[j].at);
        if (!text_equal(c->cell[j], t->field[i]))
            continue;
        if (c->column[i] != NO_COLUMN)
            return answer_refuse(t, number, err, "expected one column \"%.*s\", found two", excerpt(t->field[i]),
                                 t->field[i].at);
        c->column[i] = j;
    }
    if (c->column[i] != NO_COLUMN || (i >= FIELD_SENTENCE && !t->named[i]))
        return true;
    return answer_refuse(t, number, err, "expected a column \"%.*s\", found %.*s (--columns names others)",
                         excerpt(t->field[i]), t->field[i].at, text_beginning(text_of(found), 120), found);
}

static bool find_number(const struct answer_table *t, struct cells *c, uint32_t i, uint64_t number,
                        struct vouch_error *err)
{
    uint64_t column = 0;
    if (!t->numbered)
        return answer_refuse(t, number, err, "expected headings, \"%.*s\" among them, found a row without",
                             excerpt(t->field[i]), t->field[i].at);
    for (uint32_t j = 0; j < t->field[i].length && column <= MOST_COLUMNS; j++)
        column = column * 10 + (uint64_t)(t->field[i].at[j] - '0');
    c->column[i] = (uint32_t)column - 1;
    return (column > 0 && column <= c->count) ||
           answer_refuse(t, number, err, "expected columns up to %.*s, counted from 1, found %zu columns",
                         excerpt(t->field[i]), t->field[i].at, c->count);
}

/* Refuses headings among which there is already the name of the numbers that will be added. */
static bool added_is_new(const struct answer_table *t, const struct cells *c, uint64_t number, struct vouch_error *err)
{
    for (size_t j = 0; t->added && c->headed && j < c->count; j++)
        if (text_is(c->cell[j], t->added))
            return answer_refuse(t, number, err, "expected no column \"%s\", which would be added, found one",
                                 t->added);
    return true;
}

/* Finds the column of each field in the first row, or in front of its end. */
static bool settle_columns(struct answer_table *t, struct cells *c, uint64_t number, struct vouch_error *err)
{
    if (c->count < FIELD_SENTENCE && !t->added)
        return answer_refuse(t, number, err,
                             "expected gold, guess and confidence in three columns at least, found %zu column%s",
                             c->count, c->count == 1 ? "" : "s");
    if (c->count > MOST_COLUMNS)
        return answer_refuse(t, number, err, "expected at most %u columns, found %zu", MOST_COLUMNS, c->count);
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++) {
        bool absent = i == FIELD_SENTENCE || c->count == FIELD_SENTENCE || (t->added && c->count < FIELD_SENTENCE);
        if (t->added && i != FIELD_CONFIDENCE && i != FIELD_WORD)
            c->column[i] = NO_COLUMN;
        else if (c->headed || t->named[i]) {
            if (!(c->headed ? find_heading : find_number)(t, c, i, number, err))
                return false;
        } else if (t->numbered || i < FIELD_SENTENCE)
            c->column[i] = t->numbered ? NO_COLUMN : (uint32_t)(c->count + i) - FIELD_SENTENCE;
        else
            c->column[i] = absent || i != FIELD_WORD ? NO_COLUMN : 0;
    }
    if (!c->headed && t->numbered && c->column[FIELD_WORD] == NO_COLUMN && c->column[FIELD_GOLD] > 0)
        c->column[FIELD_WORD] = 0;
    for (int gold = 0; gold < 2 && !t->added; gold++) {
        uint32_t i = gold ? FIELD_GOLD : FIELD_GUESS;
        if (c->headed)
            snprintf(t->place[gold], sizeof t->place[gold], "column \"%.*s\"", text_beginning(t->field[i], 24),
                     t->field[i].at);
        else
            snprintf(t->place[gold], sizeof t->place[gold], "column %" PRIu32, c->column[i] + 1);
    }
    if (c->column[FIELD_SENTENCE] != NO_COLUMN)
        t->boundaries = BOUNDARY_SENTENCE_FIELD;
    return added_is_new(t, c, number, err);
}

static bool take_confidence(const struct answer_table *t, const struct cells *c, uint64_t number, double *confidence,
                            struct vouch_error *err)
{
    uint32_t column = c->column[FIELD_CONFIDENCE];
    struct text cell = c->cell[column];
    if (answer_number(cell, confidence))
        return true;
    const char *hint = t->added || c->headed || c->count != TREE_COLUMNS ? "" : "; if this is CoNLL-U: --format conllu";
    return answer_refuse(t, number, err, "expected a number, the confidence, in column %" PRIu32 ", found %s%.*s%s%s",
                         column + 1, cell.length ? "\"" : "nothing", excerpt(cell), cell.at, cell.length ? "\"" : "",
                         hint);
}

/* Returns the cell of a field; empty if the table has no such column. */
static struct text cell_of(const struct cells *c, enum answer_field field)
{
    return c->column[field] == NO_COLUMN ? text_of("") : c->cell[c->column[field]];
}

static bool take_row(struct answer_table *t, struct cells *c, uint64_t number, struct vouch_error *err)
{
    const uint32_t *column = c->column;
    if (c->count != c->first)
        return answer_refuse(t, number, err, "expected %zu columns, as above, found %zu", c->first, c->count);
    struct answer_row row = {.gold = cell_of(c, FIELD_GOLD),
                             .guess = cell_of(c, FIELD_GUESS),
                             .word = cell_of(c, FIELD_WORD),
                             .line = number};
    if (text_is(row.word, DOCUMENT_MARK)) {
        t->blank = true;
        return true;
    }
    if (column[FIELD_SENTENCE] != NO_COLUMN) {
        struct text sentence = c->cell[column[FIELD_SENTENCE]];
        if (sentence.length == 0)
            return answer_refuse(t, number, err, "expected the sentence in column %" PRIu32 ", found nothing",
                                 column[FIELD_SENTENCE] + 1);
        row.begins = t->rows > 0 && !text_equal(sentence, c->sentence);
        c->sentence = sentence;
    }
    return take_confidence(t, c, number, &row.confidence, err) && answer_add(t, row, err);
}

static bool take_line(struct answer_table *t, struct cells *c, struct text line, uint64_t number,
                      struct vouch_error *err)
{
    bool first = c->first == 0;
    if (first && c->separator == 0 && !settle_separator(t, c, line, err))
        return false;
    if (!split(t, c, line, number, err) || (first && !settle_columns(t, c, number, err)))
        return false;
    if (first) {
        c->first = c->count;
        t->separator = c->separator == ' ' && memchr(line.at, '\t', line.length) ? '\t' : c->separator;
        t->heading = c->headed ? number : 0;
    }
    return (first && c->headed) || take_row(t, c, number, err);
}

bool answer_cells_read(struct answer_table *t, enum format format, struct vouch_error *err)
{
    struct cells c = {.separator = format == FORMAT_CONLL ? ' ' : 0};
    struct text line;
    size_t at = 0;
    uint64_t number = 0;
    bool ok = true;
    while (ok && answer_line(t, &at, &number, &line)) {
        if (all_blank(line))
            t->blank = true;
        else if (c.first > 0 || !text_starts(line, "# conf_method="))
            ok = take_line(t, &c, line, number, err);
    }
    free(c.cell);
    return ok;
}
