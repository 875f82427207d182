/*
 * Reads a table of another program's answers into memory, divides its rows into sentences and hands these on; writes it
 * as it was read, with one number more for each row. See answer_file.h.
 */
#include "answers/answer_file.h"
#include "base/elementary.h"
#include "text/formats.h"

#include <math.h>

/* Refuses a name that is given twice; a usual one gives way to it if its field may be missing. */
static bool names_differ(struct answer_file *t, struct vouch_error *err)
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
static bool name_fields(struct answer_file *t, const char *columns, struct vouch_error *err)
{
    static const char *const usual[ANSWER_FIELDS] = {"gold", "guess", "confidence", "sentence", "word"};
    uint32_t count = 0, numbers = 0;
    for (uint32_t i = 0; i < ANSWER_FIELDS; i++)
        t->field[i] = text_of(usual[i]);
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

static bool read_bytes(struct answer_file *t, struct input *input, struct vouch_error *err)
{
    const bool kept = t->options.added != NULL;
    struct text line;
    int state;
    while ((state = input_line(input, &line, err)) > 0) {
        bool marked = kept && t->bytes.length == 0 && input_marked(input);
        if ((marked && !buffer_add(&t->kept, text_of(BYTE_ORDER_MARK), err)) ||
            (kept && !(buffer_add(&t->kept, line, err) && buffer_add(&t->kept, input_line_end(input), err))) ||
            !buffer_add(&t->bytes, line, err) || !buffer_put(&t->bytes, '\n', err))
            return false;
    }
    return state == 0;
}

bool answer_line(struct answer_file *t, struct text *line)
{
    while (t->cursor < t->bytes.length) {
        const char *from = t->bytes.bytes + t->cursor, *end = memchr(from, '\n', t->bytes.length - t->cursor);
        *line = (struct text){from, (uint32_t)(end - from)};
        t->cursor += (size_t)line->length + 1;
        t->line++;
        if (!all_blank(*line))
            return true;
        t->blank = true;
    }
    return false;
}

bool answer_number(struct text text, double *number)
{
    bool infinite = text_is(text, "inf") || text_is(text, "-inf");
    return read_number(text, number) && (infinite || isfinite(*number));
}

bool answer_add(struct answer_file *t, struct answer_row row, struct vouch_error *err)
{
    row.line = t->line;
    for (int gold = 0; !t->options.added && gold < 2; gold++)
        if ((gold ? row.gold : row.guess).length == 0)
            return answer_refuse(t, 0, err, "expected a label in %s, found nothing", t->place[gold]);
    if (!RESERVE(t->row, t->row_capacity, t->rows + 1, err))
        return false;
    if (t->blank && t->rows > 0) {
        row.begins = true;
        if (t->boundaries == BOUNDARY_NONE)
            t->boundaries = BOUNDARY_BLANK_LINES;
    }
    t->blank = false;
    if (t->options.log && row.confidence > 0)
        return answer_refuse(t, 0, err, "expected a log-probability, which is at most 0, found %g", row.confidence);
    row.confidence = t->options.log ? exp_of(row.confidence) : row.confidence;
    if ((row.confidence < 0 || row.confidence > 1) && t->outside++ == 0)
        t->example = t->rows;
    t->row[t->rows++] = row;
    return true;
}

/* Returns the row behind the last one of the sentence that begins at row `from`. */
static size_t sentence_end(const struct answer_file *t, size_t from)
{
    size_t to = from + 1;
    while (to < t->rows && !t->row[to].begins)
        to++;
    return to;
}

/* Checks the heads of the sentence of rows from .. to - 1. */
static bool check_heads(const struct answer_file *t, size_t from, size_t to, struct vouch_error *err)
{
    for (size_t i = from; i < to; i++)
        for (int gold = 0; gold < 2; gold++) {
            struct text text = gold ? t->row[i].gold : t->row[i].guess;
            uint32_t head;
            if (!text_whole(text, &head) || head > to - from || head == i - from + 1)
                return answer_refuse(t, t->row[i].line, err,
                                     "expected the number of another word of the sentence, or 0, in %s, found \"%.*s\"",
                                     t->place[gold], excerpt(text), text.at);
        }
    return true;
}

/* Marks where sentences begin, if nothing told them apart; refuses those that are too long, and those that are no trees
   if they must be. */
static bool settle_sentences(struct answer_file *t, struct vouch_error *err)
{
    if (t->boundaries == BOUNDARY_NONE && t->blank && t->separator && !t->heading)
        t->boundaries = BOUNDARY_BLANK_LINES;
    else if (t->boundaries == BOUNDARY_NONE && t->options.together)
        t->boundaries = BOUNDARY_FILE;
    size_t length = 0;
    for (size_t i = 0; i < t->rows; i++) {
        struct answer_row *row = &t->row[i];
        row->begins = row->begins || i == 0 || t->boundaries == BOUNDARY_NONE;
        length = row->begins ? 1 : length + 1;
        if (length > LONGEST_SENTENCE)
            return answer_refuse(t, row->line, err, "sentence longer than %u words", LONGEST_SENTENCE);
        t->held += row->begins && t->held < SENTENCES_AHEAD;
    }
    if (t->relations > 0 && t->relations != t->rows)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected GoldRel for all words or for none, found it for %zu of %zu",
                    t->path, t->relations, t->rows);
    for (size_t from = 0, to; t->trees && from < t->rows; from = to) {
        to = sentence_end(t, from);
        if (!check_heads(t, from, to, err))
            return false;
    }
    return true;
}

static bool read_lines(struct answer_file *t, const char *path, struct vouch_error *err)
{
    t->path = path && strcmp(path, "-") != 0 ? path : "standard input";
    struct input *input = name_fields(t, t->options.columns, err) ? input_open(path, err) : NULL;
    bool ok = input && read_bytes(t, input, err);
    input_close(input);
    return ok;
}

struct answer_file *answer_lines_open(const char *path, struct vouch_error *err)
{
    struct answer_file *t = new_array(1, sizeof *t, err);
    if (!t || read_lines(t, path, err))
        return t;
    answer_file_close(t);
    return NULL;
}

bool answer_table_open(struct answer_file *t, const char *path, struct vouch_error *err)
{
    enum format format = t->options.format;
    if (!read_lines(t, path, err))
        return false;
    struct text line;
    bool spans = (format == FORMAT_AUTO || format == FORMAT_JSONL) && answer_spans_looks_so(t);
    t->cursor = t->line = 0;
    bool objects = format == FORMAT_JSONL ||
                   (format == FORMAT_AUTO && answer_line(t, &line) && line.at[strspn(line.at, " \t")] == '{');
    t->cursor = t->line = 0;
    bool conllu = format == FORMAT_CONLLU ||
                  (format == FORMAT_AUTO && !objects && !t->numbered && !t->options.added && answer_conllu_looks_so(t));
    t->cursor = t->line = 0;
    t->blank = false;
    return (spans     ? answer_spans_rows
            : objects ? answer_json_rows
            : conllu  ? answer_conllu_rows
                      : answer_columns_rows)(t, err) &&
           settle_sentences(t, err) && answer_add_method(t, (struct text){0}, false, err);
}

static void take_labels(struct answer_file *t, const struct answer_row *row, struct file_answer *into)
{
    for (uint32_t i = 0; i < t->sentence->N; i++) {
        t->label[0][i] = row[i].guess;
        t->label[1][i] = row[i].gold;
    }
    into->label = t->label[0];
    into->gold = t->label[1];
}

static void take_trees(struct answer_file *t, const struct answer_row *row, struct file_answer *into)
{
    for (uint32_t i = 0; i < t->sentence->N; i++) {
        t->label[0][i] = row[i].relation;
        t->label[1][i] = row[i].gold_relation;
        text_whole(row[i].guess, &t->head[0][i]); /* checked when it was read */
        text_whole(row[i].gold, &t->head[1][i]);
        answer_relations(t, 0)[i] = row[i].relation_confidence;
    }
    into->head = t->head[0];
    into->gold_head = t->head[1];
    into->label = t->relations > 0 ? t->label[0] : NULL;
    into->gold = t->relations > 0 ? t->label[1] : NULL;
}

enum reading answer_table_next(struct answer_file *t, struct file_answer *into, struct vouch_error *err)
{
    struct sentence *s = &t->ahead[0];
    if (t->next_row >= t->rows)
        return READ_END;
    size_t from = t->next_row, to = sentence_end(t, from);
    uint32_t N = (uint32_t)(to - from), spans = 0;
    if (t->spans)
        answer_spans_count(t, from, to, &N, &spans);
    if (!RESERVE(s->first, s->first_capacity, (size_t)N + 1, err) || !RESERVE(s->cell, s->cell_capacity, N, err) ||
        !answer_room(t, N, err))
        return READ_FAILED;
    s->N = N;
    s->number = t->row[from].line;
    s->first[N] = N;
    t->sentence = s;
    if (!answer_abstain(t, spans, err))
        return READ_FAILED;
    for (uint32_t i = 0; i < N && !t->spans; i++) {
        const struct answer_row *row = &t->row[from + i];
        s->first[i] = i;
        s->cell[i] = row->word;
        answer_words(t, 0)[i] = row->confidence;
    }
    *into = (struct file_answer){.sentence = s, .confidences = &t->confidences};
    if (t->spans)
        answer_spans_take(t, from, to, into);
    else
        (t->trees ? take_trees : take_labels)(t, &t->row[from], into);
    t->row_at_hand = from;
    t->next_row = to;
    t->at += t->at < t->held;
    return READ_SENTENCE;
}

/* Writes a line of JSON: its object, up to the end, and a key with a number, or an array for the rows of the line. */
static void complete_object(const struct answer_file *t, const double *number, size_t *row, struct text line,
                            uint64_t at, struct output *out)
{
    uint32_t end = line.length;
    bool arrays = t->boundaries == BOUNDARY_JSON_LINES;
    while (end > 1 && line.at[end - 1] != '}')
        end--;
    for (end--; end > 1 && is_blank(line.at[end - 1]);)
        end--;
    output_write(out, line.at, end);
    output_printf(out, ", \"%s\": %s", t->options.added, arrays ? "[" : "");
    for (size_t first = *row; *row < t->rows && t->row[*row].line == at; ++*row) {
        output_printf(out, "%s", *row > first ? ", " : "");
        write_number(out, number[*row]);
    }
    output_printf(out, "%s}", arrays ? "]" : "");
}

/* Writes a row of cells, or the headings, or a row without a number. */
static void complete_cells(const struct answer_file *t, const double *number, size_t *row, struct text line,
                           uint64_t at, struct output *out)
{
    bool numbered = *row < t->rows && t->row[*row].line == at;
    write_text(out, line);
    if (!numbered && at != t->heading && text_starts(line, "# conf_method="))
        return;
    output_write(out, &t->separator, 1);
    if (numbered)
        write_number(out, number[(*row)++]);
    else
        output_printf(out, "%s", at == t->heading ? t->options.added : "_");
}

const char *answer_write_mark(const struct answer_file *t, struct output *out)
{
    const size_t mark = strlen(BYTE_ORDER_MARK);
    if (t->kept.length < mark || memcmp(t->kept.bytes, BYTE_ORDER_MARK, mark) != 0)
        return t->kept.bytes;
    output_write(out, t->kept.bytes, mark);
    return t->kept.bytes + mark;
}

bool answer_file_complete(const struct answer_file *t, const double *number, struct output *out,
                          struct vouch_error *err)
{
    const char *from = answer_write_mark(t, out), *to = from ? t->kept.bytes + t->kept.length : NULL;
    size_t row = 0;
    for (uint64_t at = 1; from < to; at++) {
        const char *newline = memchr(from, '\n', (size_t)(to - from)), *behind = newline ? newline + 1 : to;
        const char *end = newline ? newline : to;
        end -= newline && end > from && end[-1] == '\r';
        struct text line = {from, (uint32_t)(end - from)};
        if (!all_blank(line))
            (t->separator ? complete_cells : complete_object)(t, number, &row, line, at, out);
        output_write(out, end, (size_t)(behind - end));
        from = behind;
    }
    return row == t->rows || fail(err, VOUCH_ERR_FORMAT, "%s: expected a line for each row", t->path);
}
