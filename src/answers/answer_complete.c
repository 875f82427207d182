/* Writes a table of answers as it was read, with one number more for each row: see answer_table.h. */
#include "answers/answer_table.h"

#include "base/input.h"
#include "text/formats.h"

struct completing {
    const struct answer_table *table;
    const double *number;
    size_t row; /* the next one */
    struct output *out;
};

/* Writes a line of JSON: its object, up to the end, and a key with a number, or an array for the rows of the line. */
static void complete_object(struct completing *c, struct text line, uint64_t at)
{
    const struct answer_table *t = c->table;
    uint32_t end = line.length;
    bool arrays = t->boundaries == BOUNDARY_JSON_LINES;
    while (end > 1 && line.at[end - 1] != '}')
        end--;
    for (end--; end > 1 && is_blank(line.at[end - 1]);)
        end--;
    output_write(c->out, line.at, end);
    output_printf(c->out, ", \"%s\": %s", t->added, arrays ? "[" : "");
    for (size_t first = c->row; c->row < t->rows && t->row[c->row].line == at; c->row++) {
        output_printf(c->out, "%s", c->row > first ? ", " : "");
        write_number(c->out, c->number[c->row]);
    }
    output_printf(c->out, "%s}", arrays ? "]" : "");
}

/* Writes a row of cells, or the headings, or a row without a number. */
static void complete_cells(struct completing *c, struct text line, uint64_t at)
{
    const struct answer_table *t = c->table;
    bool numbered = c->row < t->rows && t->row[c->row].line == at;
    output_write(c->out, line.at, line.length);
    if (!numbered && at != t->heading && text_starts(line, "# conf_method="))
        return;
    output_write(c->out, &t->separator, 1);
    if (numbered)
        write_number(c->out, c->number[c->row++]);
    else
        output_printf(c->out, "%s", at == t->heading ? t->added : "_");
}

bool answer_table_complete(const struct answer_table *t, const double *number, struct output *out,
                           struct vouch_error *err)
{
    struct completing c = {.table = t, .number = number, .out = out};
    const char *from = t->kept.bytes, *to = from ? from + t->kept.length : NULL;
    const size_t mark = strlen(BYTE_ORDER_MARK);
    if (from && t->kept.length >= mark && memcmp(from, BYTE_ORDER_MARK, mark) == 0) {
        output_write(out, from, mark);
        from += mark;
    }
    for (uint64_t at = 1; from < to; at++) {
        const char *newline = memchr(from, '\n', (size_t)(to - from)), *behind = newline ? newline + 1 : to;
        const char *end = newline ? newline : to;
        end -= newline && end > from && end[-1] == '\r';
        struct text line = {from, (uint32_t)(end - from)};
        if (!all_blank(line))
            (t->separator ? complete_cells : complete_object)(&c, line, at);
        output_write(out, end, (size_t)(behind - end));
        from = behind;
    }
    return c.row == t->rows || fail(err, VOUCH_ERR_FORMAT, "%s: expected a line for each row", t->name);
}
