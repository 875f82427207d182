/*
 * Reading sentences: see reader.h. The formats themselves are in the files
 * beside this one; here are opening, recognising and building.
 *
 * A file is recognised by its first 64 KiB, taking only whole lines. In order:
 *
 *   jsonl     the first line that is not blank starts with '{' and then '"' or
 *             '}', and ends with '}'
 *   crfsuite  there are tabs, and of the fields after the first of each line
 *             more than half hold '=', '[' or ':'
 *   conll     there are tabs
 *   plain     it is a single line of several words
 *   plain     lines of one block differ in their number of words, and fewer
 *             than nine in ten have as many as the first (more: a column file
 *             with a mistake in it, which its reader will point out)
 *   plain     there are several lines, no blank one, and more than 12 words in the first
 *   conll     anything else, and the empty file
 *
 * Lines that start with '#' may be comments and are not looked at, unless
 * there are no others.
 *
 * If trees are expected the choice is between jsonl, and conllu if the first
 * line that is neither blank nor a comment has its columns and a number (a
 * file without such a line passes for conllu, too). A file of answers may be
 * any of conll, jsonl and conllu.
 */
#include "corpus/formats.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define PEEK_SIZE ((uint32_t)64 << 10) /* what input_peek() gives if the file is longer */

static const struct format_calls automatic = {.name = "auto"};

const struct format_calls *const format_table[] = {
    [FORMAT_AUTO] = &automatic,    [FORMAT_CONLL] = &conll_calls, [FORMAT_CRFSUITE] = &crfsuite_calls,
    [FORMAT_PLAIN] = &plain_calls, [FORMAT_JSONL] = &jsonl_calls, [FORMAT_CONLLU] = &conllu_calls,
};

const char *format_name(enum format format)
{
    return format_table[format]->name;
}

int format_parse(const char *name)
{
    for (int i = FORMAT_AUTO; i <= FORMAT_CONLLU; i++) {
        if (strcmp(name, format_table[i]->name) == 0)
            return i;
    }
    return -1;
}

/* Takes the first line off `rest`; false if nothing is left. */
static bool cut_line(struct text *rest, struct text *line)
{
    if (rest->length == 0)
        return false;
    const char *newline = memchr(rest->at, '\n', rest->length);
    uint32_t length = newline ? (uint32_t)(newline - rest->at) : rest->length;
    uint32_t step = newline ? length + 1 : length;
    *line = (struct text){rest->at, length};
    if (length > 0 && line->at[length - 1] == '\r')
        line->length--;
    *rest = (struct text){rest->at + step, rest->length - step};
    return true;
}

static bool looks_like_json(struct text rest, bool whole)
{
    struct text line = {0};
    while (cut_line(&rest, &line) && all_blank(line))
        continue;
    uint32_t i = 0, end = line.length;
    while (i < end && is_blank(line.at[i]))
        i++;
    if (i == end || line.at[i] != '{')
        return false;
    do
        i++;
    while (i < end && is_blank(line.at[i]));
    while (end > i && is_blank(line.at[end - 1]))
        end--;
    if (i == end)
        return false;
    bool closed = line.at[end - 1] == '}' || (rest.length == 0 && !whole);
    return closed && (line.at[i] == '"' || line.at[i] == '}');
}

/* What the lines of a file look like, counted. */
struct look {
    uint64_t lines;                 /* with words */
    uint64_t like_first;            /* of these, with as many words as the first */
    uint64_t first;                 /* words of the first line */
    uint64_t in_block;              /* words of the last line, or 0 if that was blank */
    uint64_t blank_lines;           /* between lines with words */
    uint64_t fields, marked_fields; /* between tabs, after the first of a line; with '=', '[' or ':' */
    bool tabs, uneven;              /* some line holds a tab; two lines of a block differ in length */
};

static void look_at_line(struct look *look, struct text line)
{
    uint64_t words = 0, field = 0;
    bool marked = false;
    for (uint32_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        words += !is_blank(c) && (i == 0 || is_blank(line.at[i - 1]));
        marked = marked || c == '=' || c == '[' || c == ':';
        if (c == '\t' || i + 1 == line.length) {
            look->marked_fields += field > 0 && marked;
            look->fields += field > 0;
            marked = false;
            field++;
        }
        look->tabs = look->tabs || c == '\t';
    }
    if (look->lines++ == 0)
        look->first = words;
    look->like_first += words == look->first;
    look->uneven = look->uneven || (look->in_block > 0 && look->in_block != words);
    look->in_block = words;
}

static struct look look_at_lines(struct text rest, bool comments)
{
    struct look look = {0};
    struct text line;
    while (cut_line(&rest, &line)) {
        if (all_blank(line)) {
            look.blank_lines += look.in_block > 0;
            look.in_block = 0;
        } else if (comments || line.at[0] != '#') {
            look_at_line(&look, line);
        }
    }
    return look;
}

static enum format recognise(struct text ahead)
{
    bool whole = ahead.length < PEEK_SIZE;
    if (looks_like_json(ahead, whole))
        return FORMAT_JSONL;
    uint32_t complete = ahead.length;
    while (!whole && complete > 0 && ahead.at[complete - 1] != '\n')
        complete--;
    if (complete > 0)
        ahead.length = complete;

    struct look look = look_at_lines(ahead, false);
    if (look.lines == 0)
        look = look_at_lines(ahead, true);
    if (look.tabs)
        return 2 * look.marked_fields > look.fields ? FORMAT_CRFSUITE : FORMAT_CONLL;
    bool single = look.lines == 1 && look.first > 1;
    bool uneven = look.uneven && 10 * look.like_first < 9 * look.lines;
    bool long_lines = look.lines > 1 && look.blank_lines == 0 && look.first > 12;
    return single || uneven || long_lines ? FORMAT_PLAIN : FORMAT_CONLL;
}

static bool recognise_trees(struct reader *reader, struct text ahead, struct vouch_error *err)
{
    bool whole = ahead.length < PEEK_SIZE;
    reader->format = looks_like_json(ahead, whole) ? FORMAT_JSONL : FORMAT_CONLLU;
    if (reader->format == FORMAT_JSONL)
        return true;
    struct text rest = ahead, line;
    uint64_t number = 0;
    do {
        if (!cut_line(&rest, &line))
            return true;
        number++;
    } while (all_blank(line) || line.at[0] == '#');

    bool cut_off = rest.length == 0 && !whole;
    uint32_t columns = split_tabs(line, NULL, 0);
    bool numbered = line.at[0] >= '0' && line.at[0] <= '9';
    if (numbered && (columns == TREE_COLUMNS || (cut_off && columns < TREE_COLUMNS)))
        return true;
    reader->number = number;
    return fail_line(
        reader, err,
        "expected CoNLL-X or CoNLL-U (%d columns separated by tabs, the first a number), found %u column%s%s",
        TREE_COLUMNS, columns, columns == 1 ? "" : "s", numbered ? "" : ", the first no number");
}

/* Whether the first line that is neither blank nor a comment is a word of a tree: ten columns, of which the first and
 * HEAD are numbers. */
static bool looks_like_trees(struct text rest)
{
    struct text line, cell[TREE_COLUMNS];
    do {
        if (!cut_line(&rest, &line))
            return false;
    } while (all_blank(line) || line.at[0] == '#');
    double number;
    return split_tabs(line, cell, TREE_COLUMNS) == TREE_COLUMNS && text_starts(cell[COLUMN_ID], "1") &&
           read_number(cell[COLUMN_HEAD], &number);
}

static enum format recognise_answered(struct text ahead)
{
    if (looks_like_json(ahead, ahead.length < PEEK_SIZE))
        return FORMAT_JSONL;
    return looks_like_trees(ahead) ? FORMAT_CONLLU : FORMAT_CONLL;
}

static bool start(struct reader *reader, const char *path, const struct reader_options *options,
                  struct vouch_error *err)
{
    if (options->gold < GOLD_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a gold column from 1, found %d", options->gold);
    reader->input = input_open(path, err);
    if (!reader->input)
        return false;
    if (reader->format == FORMAT_AUTO) {
        struct text ahead;
        if (!input_peek(reader->input, &ahead, err))
            return false;
        if (options->answered)
            reader->format = recognise_answered(ahead);
        else if (!reader->trees)
            reader->format = recognise(ahead);
        else if (!recognise_trees(reader, ahead, err))
            return false;
    }
    bool (*look)(struct reader *, struct vouch_error *) = format_table[reader->format]->start;
    return !look || look(reader, err);
}

struct reader *reader_open(const char *path, const struct reader_options *options, struct vouch_error *err)
{
    struct reader *reader = new_array(1, sizeof *reader, err);
    if (!reader)
        return NULL;
    reader->format = options->format;
    reader->gold = options->gold;
    reader->trees = options->trees;
    reader->form = options->form;
    reader->gold_column = -1;
    reader->separator = ' ';
    if (!start(reader, path, options, err)) {
        reader_close(reader);
        return NULL;
    }
    return reader;
}

void reader_close(struct reader *reader)
{
    if (!reader)
        return;
    input_close(reader->input);
    free(reader->held);
    free(reader->walk);
    free(reader);
}

enum reading reader_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    return format_table[reader->format]->next(reader, into, err);
}

enum format reader_format(const struct reader *reader)
{
    return reader->format;
}

uint32_t reader_columns(const struct reader *reader)
{
    return reader->format == FORMAT_CONLL || reader->format == FORMAT_CONLLU ? reader->columns : 1;
}

char reader_separator(const struct reader *reader)
{
    return reader->separator;
}

const char *reader_path(const struct reader *reader)
{
    return input_name(reader->input);
}

uint64_t reader_line(const struct reader *reader, const struct sentence *s, uint32_t word)
{
    if (reader->format == FORMAT_JSONL || reader->format == FORMAT_PLAIN)
        return s->number;
    uint64_t number = s->number + word;
    for (uint32_t i = 1; s->tree && i <= word; i++) {
        for (uint32_t c = 0; c < s->lead[i].length; c++)
            number += s->lead[i].at[c] == '\n';
    }
    return number;
}

bool fail_line(const struct reader *reader, struct vouch_error *err, const char *format, ...)
{
    char what[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", input_name(reader->input), reader->number, what);
}

/* Lines read ahead were the first of the file, or the last that was read: the count goes on by itself. */
int next_line(struct reader *reader, struct text *line, struct vouch_error *err)
{
    if (reader->held_at < reader->held_length) {
        const char *at = reader->held + reader->held_at;
        const char *newline = memchr(at, '\n', reader->held_length - reader->held_at);
        *line = (struct text){at, (uint32_t)(newline - at)};
        reader->held_at += line->length + (size_t)1;
        reader->number++;
        return 1;
    }
    int got = input_line(reader->input, line, err);
    reader->number += got == 1;
    return got;
}

uint32_t split_tabs(struct text line, struct text *cell, uint32_t limit)
{
    const char *at = line.at, *end = line.at + line.length;
    for (uint32_t count = 0;; at++) {
        const char *from = at;
        while (at < end && *at != '\t')
            at++;
        if (count < limit)
            cell[count] = (struct text){from, (uint32_t)(at - from)};
        count++;
        if (at == end)
            return count;
    }
}

bool sentence_begin(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    reader->used = 0;
    s->N = s->roots = s->form = 0;
    s->weighted = s->labelled = s->attributes = s->tree = s->boundary = false;
    s->number = reader->number + 1;
    if (!RESERVE(s->bytes, s->bytes_capacity, 1, err) || !RESERVE(s->first, s->first_capacity, 1, err))
        return false;
    s->first[0] = 0;
    s->before = (struct text){s->bytes, 0};
    return true;
}

static void rebase(struct text *view, size_t count, const char *from, const char *to)
{
    for (size_t i = 0; i < count; i++)
        view[i].at = to + (view[i].at - from);
}

/* Doubling keeps the moves linear in total, and rare once the longest sentence was seen. */
bool sentence_grow(struct reader *reader, struct sentence *s, size_t bytes, struct vouch_error *err)
{
    size_t need = reader->used + bytes;
    if (need > LARGEST_SENTENCE)
        return fail_line(reader, err, "sentence larger than %zu MiB", LARGEST_SENTENCE >> 20);
    char *grown = NULL;
    size_t capacity = 0;
    if (!RESERVE(grown, capacity, need > 4096 ? need : 4096, err))
        return false;
    memcpy(grown, s->bytes, reader->used);
    rebase(s->cell, s->first[s->N], s->bytes, grown);
    rebase(s->gold, s->N, s->bytes, grown);
    rebase(s->line, s->N, s->bytes, grown);
    rebase(&s->before, 1, s->bytes, grown);
    if (s->tree)
        rebase(s->lead, (size_t)s->N + 1, s->bytes, grown);
    free(s->bytes);
    s->bytes = grown;
    s->bytes_capacity = capacity;
    return true;
}

bool sentence_carry(struct reader *reader, struct sentence *s, struct text *view, struct text line,
                    struct vouch_error *err)
{
    if (!sentence_room(reader, s, (size_t)line.length + 1, 0, err))
        return false;
    if (view->length == 0)
        view->at = s->bytes + reader->used;
    sentence_keep(reader, s, line);
    sentence_keep(reader, s, text_of("\n"));
    view->length += line.length + 1;
    return true;
}

bool fail_without_gold(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err)
{
    const char *what = sentence->tree ? "heads" : "labels";
    if (reader_format(reader) == FORMAT_JSONL)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold %s under the key \"%s\", found none", what, what);
    return fail(err, VOUCH_ERR_FORMAT, "expected gold %s, found none", what);
}

bool reader_blame(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err)
{
    bool plain = reader_format(reader) == FORMAT_PLAIN;
    return fail_within(err, "%s:%" PRIu64 "%s", reader_path(reader), sentence->number,
                       plain ? " (read as plain lines, one sentence each: see --format)" : "");
}
