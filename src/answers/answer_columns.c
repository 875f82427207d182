/*
 * Reads answers in columns. In what tag writes it finds out which column is gold, which the answer, and which are
 * numbers, from the last column on, to the left:
 *
 *   flag           "?" or "_" in every row
 *   sets           "{label|label2}" or "_" in every row, at least one of them no "_"; up to two columns
 *   alternatives   "label:0.93|label2:0.05" or "_", at least one of them no "_"
 *   confidence     numbers or "_", at least one of them a number: as many columns as "# conf_method=" names at the
 *                  beginning of the file, else all that there are
 *   answer, gold
 *
 * Columns count as a flag, sets and alternatives only if numbers are in front of them. Labels may be numbers, too:
 * without that comment, columns of whole numbers alone are confidence only if there is one such column, and all of them
 * are 0 or 1.
 *
 * Of a table of another program the first row decides. It is headings if two of gold, guess and confidence are among
 * its cells, separated by commas, semicolons or tabs; also if it has three cells so separated but not three separated
 * by blanks. Where columns are numbered by the caller there are no headings. Quoted cells are those of RFC 4180, but
 * must end on their line; their quotes are taken out in place. See answer_file.h.
 */
#include "answers/answer_file.h"
#include "base/text.h"
#include "text/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* What the cells of a column may all be taken for. */
enum { FLAGS = 1, NUMBERS = 2, ALTERNATIVES = 4, SETS = 8, WHOLE_NUMBERS = 16, BINARY_NUMBERS = 32 };

/* Returns what a cell other than "_" may be: alternatives end with a colon and a number. */
static unsigned kinds_of(struct text cell)
{
    double number = NAN, of_last;
    uint32_t colon = cell.length;
    while (colon > 0 && cell.at[colon - 1] != ':')
        colon--;
    bool is_number = read_number(cell, &number), set = cell.length > 1 && cell.at[0] == '{';
    bool alternatives = colon > 1 && parse_number((struct text){cell.at + colon, cell.length - colon}, &of_last);
    return (text_is(cell, "?") ? FLAGS : 0) | (is_number ? NUMBERS : 0) | (alternatives ? ALTERNATIVES : 0) |
           (set && cell.at[cell.length - 1] == '}' ? SETS : 0) |
           (isnan(number) || (isfinite(number) && number == floor(number)) ? WHOLE_NUMBERS : 0) |
           (isnan(number) || number == 0 || number == 1 ? BINARY_NUMBERS : 0);
}

/* Returns what all cells of a column are in the sentences ahead, but for "_"; a column of these alone is flags. */
static unsigned column_kinds(const struct answer_file *file, uint32_t column)
{
    unsigned kinds = ~0u;
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++) {
            struct text cell = sentence_cell(&file->ahead[s], i, column);
            if (!text_is(cell, "_"))
                kinds &= kinds_of(cell);
        }
    return kinds == ~0u ? FLAGS : kinds;
}

/* Returns how many columns in front of `end` are confidence. */
static uint32_t count_numbers(const struct answer_file *file, uint32_t end)
{
    uint32_t count = 0;
    unsigned common = ~0u, kinds;
    for (; count < end && (kinds = column_kinds(file, end - count - 1)) & NUMBERS; count++)
        common &= kinds;
    if (file->methods > 0 && count > file->methods)
        return file->methods;
    bool binary = count == 1 && common & BINARY_NUMBERS;
    return common & WHOLE_NUMBERS && file->methods == 0 && !binary ? 0 : count;
}

/* Puts the columns of confidence in place; returns where they begin. */
static uint32_t find_numbers(struct answer_file *file, uint32_t columns, uint32_t *count)
{
    static const unsigned behind[] = {FLAGS, SETS, SETS, ALTERNATIVES}; /* sets of words, and of chunks */
    uint32_t end = columns;
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        end -= end > 0 && column_kinds(file, end - 1) & behind[i];
    *count = count_numbers(file, end);
    return *count > 0 ? end - *count : columns;
}

static bool place_gold(struct answer_file *file, uint32_t columns, struct vouch_error *err)
{
    bool alone = file->options.parts == GOLD_ALONE;
    uint32_t before = alone ? columns : file->answer_column; /* gold is in front of it */
    if (file->options.gold > (int)before)
        return answer_refuse(file, 0, err, "expected gold labels in column %d, found %s%" PRIu32, file->options.gold,
                             alone ? "columns up to " : "the answers in column ", alone ? columns : before + 1);
    if (before == 0)
        return answer_refuse(file, 0, err, "expected gold labels in front of the answers, found no column there");
    file->gold_column = file->options.gold > 0 ? (uint32_t)file->options.gold - 1 : before - 1;
    snprintf(file->place[1], sizeof file->place[1], "column %" PRIu32, file->gold_column + 1);
    bool numbers = column_kinds(file, file->gold_column) & NUMBERS;
    if (alone ? !numbers : numbers == !!(column_kinds(file, file->answer_column) & NUMBERS))
        return true;
    uint32_t column = numbers ? file->gold_column : file->answer_column; /* it cannot be compared with labels */
    struct text cell = sentence_cell(file->sentence, 0, column);
    return answer_refuse(
        file, 0, err, "column %" PRIu32 " is numbers (\"%.*s\"): expected %s", column + 1, excerpt(cell), cell.at,
        column == file->gold_column ? "gold labels, whose column --gold N names" : "answers behind the gold labels");
}

bool answer_columns_settle(struct answer_file *file, struct vouch_error *err)
{
    uint32_t columns = reader_columns(file->reader), named = file->methods, count;
    if (file->options.parts == GOLD_ALONE) {
        file->methods = 0;
        return place_gold(file, columns, err);
    }
    file->first_number = find_numbers(file, columns, &count);
    if (count < named)
        return answer_refuse(file, 0, err,
                             "expected %" PRIu32 " columns of confidence, as the file says at its beginning, found "
                             "%" PRIu32,
                             named, count);
    while (file->methods < count)
        if (!answer_add_method(file, (struct text){0}, false, err))
            return false;
    if (file->first_number == 0)
        return answer_refuse(file, 0, err, "expected answers in front of the columns of numbers, found none");
    file->answer_column = file->first_number - 1;
    snprintf(file->place[0], sizeof file->place[0], "column %" PRIu32, file->answer_column + 1);
    return file->options.parts == ANSWERS_ALONE || place_gold(file, columns, err);
}

bool answer_columns_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    bool gold = file->options.parts != ANSWERS_ALONE, answers = file->options.parts != GOLD_ALONE;
    if (!answer_abstain(file, 0, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        file->label[0][i] = answers ? sentence_cell(s, i, file->answer_column) : (struct text){0};
        file->label[1][i] = gold ? sentence_cell(s, i, file->gold_column) : (struct text){0};
    }
    into->label = answers ? file->label[0] : NULL;
    into->gold = gold ? file->label[1] : NULL;
    for (uint32_t m = 0; m < file->methods; m++)
        for (uint32_t i = 0; i < s->N; i++) {
            struct text cell = sentence_cell(s, i, file->first_number + m);
            if (!read_number(cell, &answer_words(file, m)[i]))
                return answer_refuse(file, answer_file_line(file, i), err,
                                     "expected a number, the confidence, in column %" PRIu32
                                     ", as above, found \"%.*s\"",
                                     file->first_number + m + 1, excerpt(cell), cell.at);
        }
    return true;
}

#define NO_COLUMN UINT32_MAX

struct cells {
    char separator; /* ' ' stands for any number of blanks */
    bool headed;
    uint32_t column[ANSWER_FIELDS]; /* from 0, or NO_COLUMN */
    struct text *cell;              /* [count] of the row at hand */
    size_t count, capacity, first;  /* first: as many as the first row has; 0 before it */
    struct text sentence;           /* of the row before */
};

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

static bool split(struct answer_file *t, struct cells *c, struct text line, struct vouch_error *err)
{
    if (c->separator == ' ')
        return split_blanks(c, line, err);
    char *at = t->bytes.bytes + (line.at - t->bytes.bytes);
    const char *end = line.at + line.length;
    for (c->count = 0;; at++) {
        struct text cell;
        if (c->separator != '\t' && at < end && *at == '"') {
            if (!take_quoted(&at, end, c->separator, &cell))
                return answer_refuse(t, 0, err, "expected a quoted cell to end on its line, before '%c'", c->separator);
        } else {
            const char *from = at;
            while (at < end && *at != c->separator)
                at++;
            cell = text_trim((struct text){from, (uint32_t)(at - from)});
        }
        if (!add_cell(c, cell, err))
            return false;
        if (at >= end)
            return true;
    }
}

/* Counts the cells of a first line, without changing it, and how many of them are names of gold, guess and number. */
static uint32_t count_cells(const struct answer_file *t, struct text line, char separator, uint32_t *names)
{
    uint32_t count = 1;
    *names = 0;
    for (uint32_t i = 0; i < line.length; i++)
        count += line.at[i] == separator;
    for (uint32_t c = 0; c < count; c++) {
        struct text cell = text_trim(text_cut(&line, separator));
        if (cell.length > 1 && cell.at[0] == '"' && cell.at[cell.length - 1] == '"')
            cell = (struct text){cell.at + 1, cell.length - 2};
        for (uint32_t i = 0; i < FIELD_SENTENCE; i++)
            *names += text_equal(cell, t->field[i]);
    }
    return count;
}

/* Finds out how the rows are written, from the first. */
static bool settle_separator(const struct answer_file *t, struct cells *c, struct text line, struct vouch_error *err)
{
    static const char separators[] = ",;\t";
    uint32_t names, most = 1;
    bool tabs = memchr(line.at, '\t', line.length) != NULL;
    if (!split_blanks(c, line, err))
        return false;
    c->separator = tabs ? '\t' : ' ';
    for (const char *s = separators; *s; s++) {
        uint32_t count = count_cells(t, line, *s, &names);
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

static bool find_heading(const struct answer_file *t, struct cells *c, uint32_t i, struct vouch_error *err)
{
    char found[160] = "";
    c->column[i] = NO_COLUMN;
    for (uint32_t j = 0; j < c->count; j++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%s%.*s", j ? ", " : "", excerpt(c->cell[j]), c->cell[j].at);
        if (!text_equal(c->cell[j], t->field[i]))
            continue;
        if (c->column[i] != NO_COLUMN)
            return answer_refuse(t, 0, err, "expected one column \"%.*s\", found two", excerpt(t->field[i]),
                                 t->field[i].at);
        c->column[i] = j;
    }
    if (c->column[i] != NO_COLUMN || (i >= FIELD_SENTENCE && !t->named[i]))
        return true;
    return answer_refuse(t, 0, err, "expected a column \"%.*s\", found %.*s (--columns names others)",
                         excerpt(t->field[i]), t->field[i].at, text_beginning(text_of(found), 120), found);
}

static bool find_number(const struct answer_file *t, struct cells *c, uint32_t i, struct vouch_error *err)
{
    uint64_t column = 0;
    if (!t->numbered)
        return answer_refuse(t, 0, err, "expected headings, \"%.*s\" among them, found a row without",
                             excerpt(t->field[i]), t->field[i].at);
    for (uint32_t j = 0; j < t->field[i].length && column <= MOST_COLUMNS; j++)
        column = column * 10 + (uint64_t)(t->field[i].at[j] - '0');
    c->column[i] = (uint32_t)column - 1;
    return (column > 0 && column <= c->count) ||
           answer_refuse(t, 0, err, "expected columns up to %.*s, counted from 1, found %zu columns",
                         excerpt(t->field[i]), t->field[i].at, c->count);
}

/* Finds the column of each field in the first row, or in front of its end. */
static bool settle_columns(struct answer_file *t, struct cells *c, struct vouch_error *err)
{
    if (c->count < FIELD_SENTENCE && !t->options.added)
        return answer_refuse(t, 0, err,
                             "expected gold, guess and confidence in three columns at least, found %zu column%s",
                             c->count, c->count == 1 ? "" : "s");
    if (c->count > MOST_COLUMNS)
        return answer_refuse(t, 0, err, "expected at most %u columns, found %zu", MOST_COLUMNS, c->count);
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++) {
        bool absent =
            i == FIELD_SENTENCE || c->count == FIELD_SENTENCE || (t->options.added && c->count < FIELD_SENTENCE);
        if (t->options.added && i != FIELD_CONFIDENCE && i != FIELD_WORD)
            c->column[i] = NO_COLUMN;
        else if (c->headed || t->named[i]) {
            if (!(c->headed ? find_heading : find_number)(t, c, i, err))
                return false;
        } else if (t->numbered || i < FIELD_SENTENCE)
            c->column[i] = t->numbered ? NO_COLUMN : (uint32_t)(c->count + i) - FIELD_SENTENCE;
        else
            c->column[i] = absent || i != FIELD_WORD ? NO_COLUMN : 0;
    }
    if (!c->headed && t->numbered && c->column[FIELD_WORD] == NO_COLUMN && c->column[FIELD_GOLD] > 0)
        c->column[FIELD_WORD] = 0;
    for (int gold = 0; gold < 2 && !t->options.added; gold++) {
        uint32_t i = gold ? FIELD_GOLD : FIELD_GUESS;
        if (c->headed)
            snprintf(t->place[gold], sizeof t->place[gold], "column \"%.*s\"", text_beginning(t->field[i], 24),
                     t->field[i].at);
        else
            snprintf(t->place[gold], sizeof t->place[gold], "column %" PRIu32, c->column[i] + 1);
    }
    if (c->column[FIELD_SENTENCE] != NO_COLUMN)
        t->boundaries = BOUNDARY_SENTENCE_FIELD;
    for (size_t j = 0; t->options.added && c->headed && j < c->count; j++)
        if (text_is(c->cell[j], t->options.added))
            return answer_refuse(t, 0, err, "expected no column \"%s\", which would be added, found one",
                                 t->options.added);
    return true;
}

static bool take_confidence(const struct answer_file *t, const struct cells *c, double *confidence,
                            struct vouch_error *err)
{
    uint32_t column = c->column[FIELD_CONFIDENCE];
    struct text cell = c->cell[column];
    if (answer_number(cell, confidence))
        return true;
    const char *hint =
        t->options.added || c->headed || c->count != TREE_COLUMNS ? "" : "; if this is CoNLL-U: --format conllu";
    return answer_refuse(t, 0, err, "expected a number, the confidence, in column %" PRIu32 ", found %s%.*s%s%s",
                         column + 1, cell.length ? "\"" : "nothing", excerpt(cell), cell.at, cell.length ? "\"" : "",
                         hint);
}

/* Returns the cell of a field; empty if the table has no such column. */
static struct text cell_of(const struct cells *c, enum answer_field field)
{
    return c->column[field] == NO_COLUMN ? text_of("") : c->cell[c->column[field]];
}

static bool take_row(struct answer_file *t, struct cells *c, struct vouch_error *err)
{
    const uint32_t *column = c->column;
    if (c->count != c->first)
        return answer_refuse(t, 0, err, "expected %zu columns, as above, found %zu", c->first, c->count);
    struct answer_row row = {
        .gold = cell_of(c, FIELD_GOLD), .guess = cell_of(c, FIELD_GUESS), .word = cell_of(c, FIELD_WORD)};
    if (text_is(row.word, DOCUMENT_MARK)) {
        t->blank = true;
        return true;
    }
    if (column[FIELD_SENTENCE] != NO_COLUMN) {
        struct text sentence = c->cell[column[FIELD_SENTENCE]];
        if (sentence.length == 0)
            return answer_refuse(t, 0, err, "expected the sentence in column %" PRIu32 ", found nothing",
                                 column[FIELD_SENTENCE] + 1);
        row.begins = t->rows > 0 && !text_equal(sentence, c->sentence);
        c->sentence = sentence;
    }
    return take_confidence(t, c, &row.confidence, err) && answer_add(t, row, err);
}

static bool take_line(struct answer_file *t, struct cells *c, struct text line, struct vouch_error *err)
{
    bool first = c->first == 0;
    if (first && c->separator == 0 && !settle_separator(t, c, line, err))
        return false;
    if (!split(t, c, line, err) || (first && !settle_columns(t, c, err)))
        return false;
    if (first) {
        c->first = c->count;
        t->separator = c->separator == ' ' && memchr(line.at, '\t', line.length) ? '\t' : c->separator;
        t->heading = c->headed ? t->line : 0;
    }
    return (first && c->headed) || take_row(t, c, err);
}

bool answer_columns_rows(struct answer_file *t, struct vouch_error *err)
{
    struct cells c = {.separator = t->options.format == FORMAT_CONLL ? ' ' : 0};
    struct text line;
    bool ok = true;
    while (ok && answer_line(t, &line))
        if (c.first > 0 || !text_starts(line, "# conf_method="))
            ok = take_line(t, &c, line, err);
    free(c.cell);
    return ok;
}
