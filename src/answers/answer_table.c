/* Reads a file of answers into memory and divides its rows into sentences: see answer_table.h. */
#include "answers/answer_table.h"

#include "text/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool answer_refuse(const struct answer_table *table, uint64_t line, struct vouch_error *err, const char *format, ...)
{
    char what[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", table->name, line, what);
}

bool answer_number(struct text text, double *number)
{
    bool infinite = text_is(text, "inf") || text_is(text, "-inf");
    return read_number(text, number) && (infinite || isfinite(*number));
}

bool answer_add(struct answer_table *t, struct answer_row row, struct vouch_error *err)
{
    for (int gold = 0; !t->added && gold < 2; gold++)
        if ((gold ? row.gold : row.guess).length == 0)
            return answer_refuse(t, row.line, err, "expected a label in %s, found nothing", t->place[gold]);
    if (!RESERVE(t->row, t->row_capacity, t->rows + 1, err))
        return false;
    if (t->blank && t->rows > 0) {
        row.begins = true;
        if (t->boundaries == BOUNDARY_NONE)
            t->boundaries = BOUNDARY_BLANK_LINES;
    }
    t->blank = false;
    if (!(row.confidence >= 0 && row.confidence <= 1) && t->outside++ == 0)
        t->example = t->rows;
    t->row[t->rows++] = row;
    return true;
}

bool answer_line(const struct answer_table *t, size_t *at, uint64_t *line, struct text *into)
{
    if (*at >= t->bytes.length)
        return false;
    const char *from = t->bytes.bytes + *at, *end = memchr(from, '\n', t->bytes.length - *at);
    *into = (struct text){from, (uint32_t)(end - from)};
    *at += (size_t)into->length + 1;
    ++*line;
    return true;
}

/* Refuses a name that is given twice; a usual one gives way to it if its field may be missing. */
static bool names_differ(struct answer_table *t, struct vouch_error *err)
{
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++)
        for (uint32_t j = 0; j < ANSWER_FIELDS; j++) {
            if (i == j || !text_equal(t->field[i], t->field[j]))
                continue;
            uint32_t optional = j >= FIELD_SENTENCE && !t->named[j] ? j : i;
            if (optional < FIELD_SENTENCE || t->named[optional])
                return fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected different columns, found '%.*s' twice",
                            excerpt(t->field[i]), t->field[i].at);
            t->field[optional] = text_of(optional == FIELD_WORD ? "\n" : "\n\n"); /* the names of no column */
        }
    return true;
}

/* Divides GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]]; an empty name is the usual one. */
static bool name_fields(struct answer_table *t, const char *columns, struct vouch_error *err)
{
    static const char *const usual[ANSWER_FIELDS] = {"gold", "guess", "confidence", "sentence", "word"};
    uint32_t count = 0, numbers = 0;
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++)
        t->field[i] = text_of(usual[i]);
    t->usual = columns == NULL;
    for (const char *at = columns; at; count++) {
        struct text name = {at, (uint32_t)strcspn(at, ",")};
        if (count < ANSWER_FIELDS && name.length > 0) {
            t->field[count] = name;
            t->named[count] = true;
            numbers += strspn(at, "0123456789") == name.length;
        }
        at = at[name.length] ? at + name.length + 1 : NULL;
    }
    if (columns && (count < FIELD_SENTENCE || count > ANSWER_FIELDS))
        return fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected GOLD,GUESS,CONFIDENCE[,SENTENCE[,WORD]], found '%s'",
                    columns);
    t->numbered = numbers > 0;
    for (uint32_t i = 0; numbers > 0 && i < ANSWER_FIELDS; i++) {
        bool number = t->named[i] && strspn(t->field[i].at, "0123456789") == t->field[i].length;
        if (number != (t->named[i] || i < FIELD_SENTENCE))
            return fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected only names or only numbers, found '%s'", columns);
    }
    return names_differ(t, err);
}

static bool read_bytes(struct answer_table *t, struct input *input, struct vouch_error *err)
{
    struct text line;
    int state;
    while ((state = input_line(input, &line, err)) > 0) {
        bool marked = t->added && t->bytes.length == 0 && input_marked(input);
        if ((marked && !buffer_add(&t->kept, text_of(BYTE_ORDER_MARK), err)) ||
            (t->added && !(buffer_add(&t->kept, line, err) && buffer_add(&t->kept, input_line_end(input), err))) ||
            !buffer_add(&t->bytes, line, err) || !buffer_put(&t->bytes, '\n', err))
            return false;
    }
    return state == 0;
}

/* Whether the first line that is not blank begins an object. */
static bool begins_with_object(const struct answer_table *t)
{
    size_t at = 0;
    uint64_t number = 0;
    struct text line;
    while (answer_line(t, &at, &number, &line))
        if (!all_blank(line))
            return line.at[strspn(line.at, " \t")] == '{';
    return false;
}

/* Marks where sentences begin, if nothing told them apart, and refuses those that are too long. */
static bool settle_sentences(struct answer_table *t, struct vouch_error *err)
{
    size_t length = 0;
    if (t->boundaries == BOUNDARY_NONE && t->blank && t->separator && !t->heading)
        t->boundaries = BOUNDARY_BLANK_LINES;
    else if (t->boundaries == BOUNDARY_NONE && t->together)
        t->boundaries = BOUNDARY_FILE;
    for (size_t i = 0; i < t->rows; i++) {
        struct answer_row *row = &t->row[i];
        row->begins = row->begins || i == 0 || t->boundaries == BOUNDARY_NONE;
        length = row->begins ? 1 : length + 1;
        if (length > LONGEST_SENTENCE)
            return answer_refuse(t, row->line, err, "sentence longer than %u words", LONGEST_SENTENCE);
    }
    return true;
}

bool answer_table_read(struct answer_table *t, const char *path, const char *columns, enum format format,
                       struct vouch_error *err)
{
    t->name = path && strcmp(path, "-") != 0 ? path : "standard input";
    struct input *input = name_fields(t, columns, err) ? input_open(path, err) : NULL;
    bool ok = input && read_bytes(t, input, err);
    input_close(input);
    if (!ok)
        return false;
    bool objects = format == FORMAT_JSONL || (format == FORMAT_AUTO && begins_with_object(t));
    bool conllu = format == FORMAT_CONLLU ||
                  (format == FORMAT_AUTO && !objects && !t->numbered && !t->added && answer_conllu_looks_so(t));
    return (objects  ? answer_objects_read(t, err)
            : conllu ? answer_conllu_read(t, err)
                     : answer_cells_read(t, format, err)) &&
           settle_sentences(t, err) && answer_conllu_check(t, err);
}

void answer_table_release(struct answer_table *t)
{
    free(t->row);
    free(t->bytes.bytes);
    free(t->kept.bytes);
    *t = (struct answer_table){0};
}
