/*
 * Reads and writes CoNLL columns: one word on each line, sentences separated by blank lines.
 *
 * The first line that does not start with '#' decides for the whole file: a tab in it makes tabs the separator, else
 * runs of spaces; and every word must have as many columns as it has. It is found by reading ahead, so that the columns
 * are known as soon as the file is open; the lines up to it are held and read again. (If all start with '#', the first
 * one decides.)
 *
 * A line that starts with '#' in front of a sentence is a comment, unless it has the file's number of columns: "# #
 * B-NP" is a word of CoNLL-2000. Comments at the end of the file belong to a last sentence without words.
 *
 * A document mark is a sentence of its own, whatever surrounds it; if words
 * come directly before it, it is held back and read again.
 *
 * Time is linear, with one copy of each line and none of the cells.
 */
#include "text/formats.h"

#define FARTHEST_AHEAD ((size_t)1 << 20) /* bytes of comments to skip in search of the first word */

/* Does what split_tabs() does, at runs of spaces. */
static uint32_t split_spaces(struct text line, struct text *cell, uint32_t limit)
{
    const char *at = line.at, *end = line.at + line.length;
    for (uint32_t count = 0;; count++) {
        while (at < end && *at == ' ')
            at++;
        if (at == end)
            return count;
        const char *from = at;
        while (at < end && *at != ' ')
            at++;
        if (count < limit)
            cell[count] = (struct text){from, (uint32_t)(at - from)};
    }
}

static uint32_t split(const struct reader *reader, struct text line, struct text *cell, uint32_t limit)
{
    return reader->separator == '\t' ? split_tabs(line, cell, limit) : split_spaces(line, cell, limit);
}

/* Holds a line, and its end with it. */
static bool hold(struct reader *reader, struct text line, struct text ending, struct vouch_error *err)
{
    if (reader->held_at == reader->held_length)
        reader->held_at = reader->held_length = 0;
    size_t whole = (size_t)line.length + ending.length; /* one behind the other */
    if (!RESERVE(reader->held, reader->held_capacity, reader->held_length + whole + 1, err))
        return false;
    memmove(reader->held + reader->held_length, line.at, whole); /* it may be one that was held before */
    reader->held_length += whole;
    return true;
}

static bool choose_gold(struct reader *reader, struct vouch_error *err)
{
    if (reader->gold == GOLD_NONE)
        return true;
    if (reader->gold == GOLD_LAST && reader->columns < 2)
        return fail_line(reader, err, "expected at least 2 columns (word and label), found %u", reader->columns);
    if (reader->gold > (int)reader->columns)
        return fail_line(reader, err, "expected at least %d columns (the last of them the label), found %u",
                         reader->gold, reader->columns);
    reader->gold_column = (reader->gold == GOLD_LAST ? (int)reader->columns : reader->gold) - 1;
    return true;
}

/* Finds separator and columns from line `number`. */
static bool settle(struct reader *reader, struct text line, uint64_t number, struct vouch_error *err)
{
    reader->separator = memchr(line.at, '\t', line.length) ? '\t' : ' ';
    reader->columns = split(reader, line, NULL, 0);
    reader->number = number;
    bool sound = reader->columns <= MOST_COLUMNS ? choose_gold(reader, err)
                                                 : fail_line(reader, err, "more than %u columns", MOST_COLUMNS);
    reader->number = 0;
    return sound;
}

static bool conll_start(struct reader *reader, struct vouch_error *err)
{
    size_t at = 0;
    uint32_t length = 0;
    uint64_t number = 0;
    int got = 1;
    reader->columns = 1;
    while (reader->held_length < FARTHEST_AHEAD) {
        struct text line;
        got = input_line(reader->input, &line, err);
        if (got != 1)
            break;
        size_t from = reader->held_length;
        if (!hold(reader, line, input_line_end(reader->input), err))
            return false;
        bool decides = !all_blank(line) && line.at[0] != '#';
        if (decides || (number == 0 && !all_blank(line))) {
            at = from;
            length = line.length;
            number = input_number(reader->input);
        }
        if (decides)
            break;
    }
    if (got < 0)
        return false;
    bool sound = number == 0 || settle(reader, (struct text){reader->held + at, length}, number, err);
    /* If the first column was asked for as the word's and holds the label, it is the second; at most the last. */
    if (reader->form == 0 && reader->gold_column == 0)
        reader->form = 1;
    if (reader->form >= reader->columns)
        reader->form = reader->columns - 1;
    return sound;
}

static bool add_word(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    uint32_t columns = reader->columns;
    if (!sentence_room(reader, into, (size_t)line.length + reader->ending.length, columns, err))
        return false;
    line = sentence_keep_line(reader, into, line);
    struct text *end = &into->end[into->N];
    for (; reader->separator == ' ' && line.at[line.length - 1] == ' '; line.length--)
        *end = (struct text){end->at - 1, end->length + 1};
    struct text *cell = into->cell + into->first[into->N];
    uint32_t found = split(reader, line, cell, columns);
    if (found != columns)
        return fail_line(reader, err, "expected %u columns, found %u", columns, found);
    for (uint32_t i = 0; reader->separator == '\t' && i < columns; i++)
        if (cell[i].length == 0)
            return fail_line(reader, err, "column %u is empty", i + 1);
    into->line[into->N] = line;
    into->gold[into->N] = reader->gold_column >= 0 ? sentence_gold(reader, into, cell[reader->gold_column])
                                                   : (struct text){line.at, 0};
    sentence_word(reader, into, columns);
    return true;
}

static bool is_mark(const struct reader *reader, struct text line)
{
    size_t length = sizeof DOCUMENT_MARK - 1;
    return line.at[0] == '-' && text_starts(line, DOCUMENT_MARK) &&
           (line.length == length || line.at[length] == reader->separator);
}

static enum reading conll_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    if (!sentence_begin(reader, into, err))
        return READ_FAILED;
    into->labelled = reader->gold_column >= 0;
    into->form = reader->form;
    struct text line;
    int got;
    while ((got = next_line(reader, &line, err)) == 1) {
        if (all_blank(line)) {
            if (!sentence_blank(reader, into, line, err))
                return READ_FAILED;
            if (into->N > 0)
                return READ_SENTENCE;
        } else if (is_mark(reader, line)) {
            if (into->N > 0) {
                reader->number--;
                return hold(reader, line, reader->ending, err) ? READ_SENTENCE : READ_FAILED;
            }
            into->boundary = true;
            return add_word(reader, into, line, err) ? READ_SENTENCE : READ_FAILED;
        } else if (into->N == 0 && line.at[0] == '#' && split(reader, line, NULL, 0) != reader->columns) {
            if (!sentence_carry(reader, into, &into->before, line, err))
                return READ_FAILED;
        } else if (!add_word(reader, into, line, err)) {
            return READ_FAILED;
        }
    }
    return got < 0 ? READ_FAILED : sentence_last(into);
}

/* Writes "label:0.93 label2:0.05", or "_". */
static void write_alternatives(struct output *out, const struct confidences *confidences, uint32_t word)
{
    uint32_t count = confidences->alternative && confidences->found ? confidences->found[word] : 0;
    for (uint32_t a = 0; a < count; a++) {
        const struct alternative *other = &confidences->alternative[(size_t)word * confidences->alternatives + a];
        output_write(out, "|", a > 0);
        write_text(out, other->label);
        output_write(out, ":", 1);
        write_number(out, other->probability);
    }
    output_write(out, "_", count == 0);
}

/* Writes "{label label2}", or "_". */
static void write_set(struct output *out, char separator, const struct choice_sets *sets, uint32_t i)
{
    uint32_t count = i == UINT32_MAX ? 0 : choice_set_size(sets, i);
    output_write(out, &separator, 1);
    write_members(out, sets, i, count);
    output_write(out, "_", count == 0);
}

/* The columns after the label; a document mark has as many as a word. */
static void write_confidences(struct output *out, char separator, const struct sentence *sentence,
                              const struct marks *marks, uint32_t word)
{
    static const struct confidences silent = {0};
    const struct confidences *confidences = marks->confidences;
    for (uint32_t m = 0; m < confidences->methods; m++) {
        output_write(out, &separator, 1);
        write_number(out, sentence->boundary ? NAN : number_at(confidences->by_method[m].word, word));
    }
    if (confidences->alternatives > 0) {
        output_write(out, &separator, 1);
        write_alternatives(out, sentence->boundary ? &silent : confidences, word);
    }
    if (confidences->set.asked)
        write_set(out, separator, sentence->boundary ? &silent.set : &confidences->set, word);
    if (confidences->reading.asked)
        write_set(out, separator, &confidences->reading, sentence->boundary ? UINT32_MAX : span_at(confidences, word));
    if (marks_flag(marks)) {
        output_write(out, &separator, 1);
        output_write(out, marks->doubtful[word] ? "?" : "_", 1);
    }
}

static void conll_write_word(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                             uint32_t word, struct text label, const struct marks *marks)
{
    write_text(out, sentence->line[word]);
    output_write(out, &options->separator, 1);
    write_text(out, label);
    if (marks->confidences)
        write_confidences(out, options->separator, sentence, marks, word);
}

const struct format_calls conll_calls = {
    .name = "conll", .start = conll_start, .next = conll_next, .write_word = conll_write_word};
