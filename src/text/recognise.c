/*
 * Recognises a format by the first 64 KiB of a file, taking only whole lines.
 *
 * First come formats that vouch does not read, since most of them would pass for one word on each line or for plain
 * text: the table `foreign` tells what such a file looks like and what to do with it. Nothing in it may match a text of
 * words, so each test demands syntax that words do not have, throughout what is seen of the file.
 *
 * Then, in order:
 *
 *   jsonl     it starts with '{' and then a string and ':', or '}'
 *   conllu    the first line of words has its ten columns, with a number, a range or an empty node first, and a number
 *             or "_" for HEAD
 *   crfsuite  there are tabs, and of the fields after the first of each line more than half hold '=', '[' or ':'
 *   conll     there are tabs
 *   plain     it is a single line of several words
 *   plain     lines of one block differ in their number of words, and fewer than nine in ten have as many as the first
 *             (more: a column file with a mistake in it, which its reader will point out); but if nine lines in ten end
 *             in a label, they are refused as columns that differ in number
 *   plain     there are several lines, no blank one, and more than 12 words in the first
 *   conll     anything else, and the empty file
 *
 * Lines that start with '#' may be comments and are not looked at, unless there are no others.
 *
 * If trees are expected the choice is between jsonl, and conllu if the first line that is neither blank nor a comment
 * has its columns and a number (a file without such a line passes for conllu, too). A file of answers may be any of
 * conll, jsonl and conllu.
 *
 * Linear in what is seen. If `--format` names a format, none of this is done.
 */
#include "base/json_read.h"
#include "text/formats.h"

#include "core/scheme.h"

#include <inttypes.h>
#include <jansson.h>

#define PEEK_SIZE ((uint32_t)64 << 10) /* the bytes that input_peek() gives if the file is longer */

/* The beginning of a file. */
struct glimpse {
    struct text all;    /* without the last line if that is cut off, unless there is no other */
    struct text first;  /* the first line that is not blank, without its end */
    bool whole;         /* there is no more */
    bool *lacks_memory; /* set if something could not be looked at */
};

/* Takes the first line off `rest`; false if nothing is left. */
static bool cut_line(struct text *rest, struct text *line)
{
    if (rest->length == 0)
        return false;
    *line = text_cut(rest, '\n');
    line->length -= line->length > 0 && line->at[line->length - 1] == '\r';
    return true;
}

/* Takes the next line that is not blank off `rest`; false if there is none. */
static bool cut_words(struct text *rest, struct text *line)
{
    while (cut_line(rest, line))
        if (!all_blank(*line))
            return true;
    return false;
}

static struct glimpse glimpse_of(struct text ahead)
{
    struct glimpse seen = {.all = ahead, .first = {ahead.at, 0}, .whole = ahead.length < PEEK_SIZE};
    uint32_t complete = ahead.length;
    while (!seen.whole && complete > 0 && ahead.at[complete - 1] != '\n')
        complete--;
    if (complete > 0)
        seen.all.length = complete;
    struct text rest = seen.all, line;
    if (cut_words(&rest, &line))
        seen.first = line;
    return seen;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return is_blank(c) || c == '\n' || c == '\r';
}

static struct text skip(struct text text, uint32_t count)
{
    return (struct text){text.at + count, text.length - count};
}

static struct text skip_space(struct text text)
{
    uint32_t i = 0;
    while (i < text.length && is_space(text.at[i]))
        i++;
    return skip(text, i);
}

static struct text skip_digits(struct text text)
{
    uint32_t i = 0;
    while (i < text.length && is_digit(text.at[i]))
        i++;
    return skip(text, i);
}

/* Whether the text starts with `lower`, in upper or lower case. */
static bool starts_like(struct text text, const char *lower)
{
    uint32_t i = 0;
    for (; lower[i]; i++) {
        char c = i < text.length ? text.at[i] : '\0';
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != lower[i])
            return false;
    }
    return true;
}

/* Whether the bytes are UTF-16: its mark, or a NUL in every second place of the first few. */
static bool is_utf16(const struct glimpse *seen)
{
    const char *at = seen->all.at;
    uint32_t length = seen->all.length < 64 ? seen->all.length & ~1u : 64, zeros[2] = {0, 0};
    if (length >= 2 && (memcmp(at, "\xFF\xFE", 2) == 0 || memcmp(at, "\xFE\xFF", 2) == 0))
        return true;
    for (uint32_t i = 0; i < length; i++)
        zeros[i & 1] += at[i] == '\0';
    return length >= 4 && ((zeros[0] == length / 2 && zeros[1] == 0) || (zeros[1] == length / 2 && zeros[0] == 0));
}

/* Whether a text begins with a JSON value, or with one whose end is not there; what follows it is in *rest. */
enum json_extent { JSON_NOT, JSON_CUT_OFF, JSON_COMPLETE };

static enum json_extent find_json(const struct glimpse *seen, struct text text, struct text *rest)
{
    json_error_t error;
    json_t *value = json_read(text.at, text.length, JSON_DISABLE_EOF_CHECK, &error);
    *rest = skip_space(skip(text, value ? (uint32_t)error.position : text.length));
    json_decref(value);
    *seen->lacks_memory |= !value && json_lacked_memory(&error);
    return value                                                          ? JSON_COMPLETE
           : json_error_code(&error) == json_error_premature_end_of_input ? JSON_CUT_OFF
                                                                          : JSON_NOT;
}

/* Whether the text starts with "{", a string and ":", or with "{" and "}", as words do not. */
static bool opens_object(struct text text)
{
    if (text.length == 0 || text.at[0] != '{')
        return false;
    text = skip_space(skip(text, 1));
    if (text.length == 0 || text.at[0] != '"')
        return text.length > 0 && text.at[0] == '}';
    uint32_t i = 1;
    while (i < text.length && text.at[i] != '"' && text.at[i] != '\n')
        i += text.at[i] == '\\' ? 2 : 1;
    text = i < text.length && text.at[i] == '"' ? skip_space(skip(text, i + 1)) : (struct text){text.at, 0};
    return text.length > 0 && text.at[0] == ':';
}

/* Returns all that is seen, without a character at its end that may be cut off. */
static struct text whole_characters(const struct glimpse *seen)
{
    struct text text = skip_space(seen->all);
    while (!seen->whole && text.length > 0 && (text.at[text.length - 1] & 0x80))
        text.length--;
    return text;
}

/* Whether it is arrays of objects, of strings or of such arrays, on one line or on many. */
static bool is_json_array(const struct glimpse *seen)
{
    struct text text = whole_characters(seen), inside = text, rest;
    while (inside.length > 0 && (inside.at[0] == '[' || is_space(inside.at[0])))
        inside = skip(inside, 1);
    bool begins = opens_object(inside) || (inside.length > 0 && inside.at[0] == '"');
    if (!begins || text.at[0] != '[')
        return false;
    enum json_extent found = find_json(seen, text, &rest);
    return found == JSON_COMPLETE ? rest.length == 0 || rest.at[0] == '[' : found == JSON_CUT_OFF && !seen->whole;
}

/* Whether it is an object of which the first line is only a part. */
static bool is_pretty_json(const struct glimpse *seen)
{
    struct text text = whole_characters(seen), rest;
    if (!opens_object(text) || find_json(seen, seen->first, &rest) != JSON_CUT_OFF)
        return false;
    enum json_extent found = find_json(seen, text, &rest);
    bool several = seen->first.at + seen->first.length < text.at + text.length;
    return several && (found == JSON_COMPLETE || (found == JSON_CUT_OFF && !seen->whole));
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-' || c == '.' ||
           c == ':';
}

/* Whether there is a declaration; or lines throughout begin with an opening tag and end with its closing tag. */
static bool is_markup(const struct glimpse *seen)
{
    struct text first = skip_space(seen->first), rest = seen->all, line, last = {0};
    if (starts_like(first, "<?xml") || starts_like(first, "<!doctype") || starts_like(first, "<html>") ||
        starts_like(first, "<html "))
        return true;
    uint32_t name = 1;
    while (name < first.length && is_name(first.at[name]))
        name++;
    const char *close = first.length > 0 ? memchr(first.at, '>', first.length) : NULL;
    if (first.length < 3 || first.at[0] != '<' || name == 1 || !close || !seen->whole ||
        skip_space(skip(first, (uint32_t)(close - first.at) + 1)).length > 0)
        return false;
    while (cut_words(&rest, &line))
        last = skip_space(line);
    return last.length >= name + 2 && text_starts(last, "</") && memcmp(last.at + 2, first.at + 1, name - 1) == 0 &&
           last.at[name + 1] == '>' && skip_space(skip(last, name + 2)).length == 0;
}

/* Whether the line is "T1", a tab, "ORG 0 5", a tab and the text. */
static bool is_brat_entity(struct text line)
{
    struct text cell[3];
    if (split_tabs(line, cell, 3) != 3 || cell[0].at[0] != 'T')
        return false;
    struct text offsets = cell[1];
    while (offsets.length > 0 && offsets.at[0] != ' ')
        offsets = skip(offsets, 1);
    for (int i = 0; i < 2; i++) {
        if (offsets.length < 2 || offsets.at[0] != ' ' || !is_digit(offsets.at[1]))
            return false;
        offsets = skip_digits(skip(offsets, 1));
    }
    return offsets.length == 0 || offsets.at[0] == ';';
}

/* Whether every line is an annotation, and one of them an entity. */
static bool is_brat(const struct glimpse *seen)
{
    struct text rest = seen->all, line;
    bool entity = false;
    while (cut_words(&rest, &line)) {
        if (!strchr("TREAMN#*", line.at[0]))
            return false;
        struct text number = skip(line, 1), behind = skip_digits(number);
        bool numbered = behind.length < number.length || line.at[0] == '*' || line.at[0] == '#';
        if (!numbered || behind.length == 0 || behind.at[0] != '\t')
            return false;
        entity = entity || is_brat_entity(line);
    }
    return entity;
}

static bool is_webanno(const struct glimpse *seen)
{
    return text_starts(seen->first, "#FORMAT=WebAnno");
}

/* Whether a cell is a usual heading of a column. */
static bool is_heading(struct text cell)
{
    static const char *const names[] = {"word",  "words",  "token", "tokens", "form", "lemma",    "text",
                                        "label", "labels", "tag",   "tags",   "ner",  "ner_tag",  "ner_tags",
                                        "pos",   "chunk",  "upos",  "xpos",   "iob",  "sentence", "sentence #"};
    if (cell.length > 1 && cell.at[0] == '"' && cell.at[cell.length - 1] == '"')
        cell = (struct text){cell.at + 1, cell.length - 2};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (cell.length == strlen(names[i]) && starts_like(cell, names[i]))
            return true;
    return false;
}

/* Whether the first line has headings with commas or semicolons between, and the other lines as many of these. */
static bool is_csv(const struct glimpse *seen)
{
    const char mark = memchr(seen->first.at, ';', seen->first.length) ? ';' : ',';
    struct text head = seen->first, rest = seen->all, line;
    uint32_t fields = 1, headings = 0;
    for (uint32_t i = 0, from = 0; i <= head.length; i++)
        if (i == head.length || head.at[i] == mark) {
            headings += is_heading((struct text){head.at + from, i - from});
            fields += i < head.length;
            from = i + 1;
        }
    if (headings < 2 || opens_object(skip_space(head)))
        return false;
    uint64_t lines = 0, marked = 0;
    while (cut_words(&rest, &line)) {
        uint32_t found = 1;
        for (uint32_t i = 0; i < line.length; i++)
            found += line.at[i] == mark;
        lines++;
        marked += found >= fields;
    }
    return lines > 1 && marked == lines;
}

/* Formats that are not read: what they look like or how they begin, their names, and advice. */
static const struct foreign {
    bool (*is)(const struct glimpse *seen);
    const char *magic; /* if there is no such function */
    bool text;         /* it could be read as words, if --format says so */
    const char *name, *advice;
} foreign[] = {
    {is_utf16, NULL, false, "UTF-16", "expected UTF-8, as iconv -f UTF-16 -t UTF-8 makes it"},
    {NULL, "VOUCH\r\n\x1a", false, "a model of vouch", "expected text; models are given by -m"},
    {NULL, "PK\x03\x04", false, "a ZIP archive", "expected text"},
    {NULL, "%PDF-", false, "PDF", "expected text"},
    {is_json_array, NULL, true, "a JSON array", "expected JSON lines, one object a line, as jq -c '.[]' makes them"},
    {is_pretty_json, NULL, true, "JSON over several lines", "expected one object a line, as jq -c . makes them"},
    {is_markup, NULL, true, "XML or HTML", "expected text without markup"},
    {is_brat, NULL, true, "brat's annotations", "expected labels beside their words, in columns or JSON lines"},
    {is_webanno, NULL, true, "WebAnno TSV", "expected CoNLL columns, as WebAnno exports them, too"},
    {is_csv, NULL, true, "comma-separated values", "expected columns separated by tabs or spaces, without headings"},
};

/* Counts of what the lines of a file look like. */
struct line_counts {
    uint64_t lines;                 /* with words */
    uint64_t like_first;            /* of these, with as many words as the first */
    uint64_t labelled;              /* of these, with several words of which the last is a label */
    uint64_t first;                 /* words of the first line */
    uint64_t in_block;              /* words of the last line, or 0 if that was blank */
    uint64_t blank_lines;           /* between lines with words */
    uint64_t odd, odd_words;        /* the number of the first line with more or fewer words than the first; these */
    uint64_t fields, marked_fields; /* between tabs, after the first of a line; with '=', '[' or ':' */
    bool tabs, uneven;              /* some line holds a tab; two lines of a block differ in length */
};

/* Whether the last word is O or a chunk's label. */
static bool ends_in_label(struct text line)
{
    while (line.length > 0 && is_blank(line.at[line.length - 1]))
        line.length--;
    uint32_t from = line.length;
    while (from > 0 && !is_blank(line.at[from - 1]))
        from--;
    struct text type;
    return from > 0 && scheme_split(skip(line, from), &type) != 0;
}

static void count_line(struct line_counts *counts, struct text line, uint64_t number)
{
    uint64_t words = 0, field = 0;
    bool marked = false;
    for (uint32_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        words += !is_blank(c) && (i == 0 || is_blank(line.at[i - 1]));
        marked = marked || c == '=' || c == '[' || c == ':';
        if (c == '\t' || i + 1 == line.length) {
            counts->marked_fields += field > 0 && marked;
            counts->fields += field > 0;
            marked = false;
            field++;
        }
        counts->tabs = counts->tabs || c == '\t';
    }
    if (counts->lines++ == 0)
        counts->first = words;
    if (words != counts->first && counts->odd == 0) {
        counts->odd = number;
        counts->odd_words = words;
    }
    counts->like_first += words == counts->first;
    counts->labelled += ends_in_label(line);
    counts->uneven = counts->uneven || (counts->in_block > 0 && counts->in_block != words);
    counts->in_block = words;
}

static struct line_counts count_lines(struct text rest, bool comments)
{
    struct line_counts counts = {0};
    struct text line;
    for (uint64_t number = 1; cut_line(&rest, &line); number++) {
        if (all_blank(line)) {
            counts.blank_lines += counts.in_block > 0;
            counts.in_block = 0;
        } else if (comments || line.at[0] != '#') {
            count_line(&counts, line, number);
        }
    }
    return counts;
}

/* Finds the first line that is neither blank nor a comment, and its number; false if there is none. */
static bool find_words(const struct glimpse *seen, struct text *line, uint64_t *number)
{
    struct text rest = seen->all;
    *number = 0;
    do {
        if (!cut_line(&rest, line))
            return false;
        (*number)++;
    } while (all_blank(*line) || line->at[0] == '#');
    return true;
}

/* Whether that line is the first word of a sentence of CoNLL-X or CoNLL-U, or the range or empty node before it. */
static bool is_conllu(const struct glimpse *seen)
{
    struct text line, cell[TREE_COLUMNS];
    uint64_t number;
    if (!find_words(seen, &line, &number) || split_tabs(line, cell, TREE_COLUMNS) != TREE_COLUMNS)
        return false;
    struct text behind = skip_digits(cell[COLUMN_ID]), head = cell[COLUMN_HEAD];
    bool numbered =
        text_is(cell[COLUMN_ID], "1") || text_starts(cell[COLUMN_ID], "1-") || text_starts(cell[COLUMN_ID], "0.");
    numbered = numbered && (behind.length == 0 || skip_digits(skip(behind, 1)).length == 0);
    return numbered && (text_is(head, "_") || (head.length > 0 && skip_digits(head).length == 0));
}

static bool recognise_labels(struct reader *reader, const struct glimpse *seen, struct vouch_error *err)
{
    if (is_conllu(seen)) {
        reader->format = FORMAT_CONLLU;
        return true;
    }
    struct line_counts c = count_lines(seen->all, false);
    if (c.lines == 0)
        c = count_lines(seen->all, true);
    if (c.tabs) {
        reader->format = 2 * c.marked_fields > c.fields ? FORMAT_CRFSUITE : FORMAT_CONLL;
        return true;
    }
    bool single = c.lines == 1 && c.first > 1;
    bool uneven = c.uneven && 10 * c.like_first < 9 * c.lines;
    bool long_lines = c.lines > 1 && c.blank_lines == 0 && c.first > 12;
    if (uneven && 10 * c.labelled >= 9 * c.lines) {
        reader->number = c.odd;
        return fail_line(reader, err,
                         "looks like CoNLL columns, whose lines end in labels, but the first line has %" PRIu64
                         " of them and this one %" PRIu64
                         ": expected as many on every line (--format plain reads lines "
                         "of words)",
                         c.first, c.odd_words);
    }
    reader->format = single || uneven || long_lines ? FORMAT_PLAIN : FORMAT_CONLL;
    return true;
}

static bool recognise_trees(struct reader *reader, const struct glimpse *seen, struct vouch_error *err)
{
    struct text line;
    uint64_t number;
    reader->format = FORMAT_CONLLU;
    if (!find_words(seen, &line, &number))
        return true;
    bool cut_off = line.at + line.length == seen->all.at + seen->all.length && !seen->whole;
    uint32_t columns = split_tabs(line, NULL, 0);
    bool numbered = is_digit(line.at[0]);
    if (numbered && (columns == TREE_COLUMNS || (cut_off && columns < TREE_COLUMNS)))
        return true;
    reader->number = number;
    return fail_line(
        reader, err,
        "expected CoNLL-X or CoNLL-U (%d columns separated by tabs, the first a number), found %u column%s%s",
        TREE_COLUMNS, columns, columns == 1 ? "" : "s", numbered ? "" : ", the first no number");
}

bool recognise(struct reader *reader, struct text ahead, struct vouch_error *err)
{
    struct glimpse seen = glimpse_of(ahead);
    bool lacks_memory = false;
    seen.lacks_memory = &lacks_memory;
    for (const struct foreign *f = foreign; f < foreign + sizeof foreign / sizeof *foreign; f++)
        if (f->is ? f->is(&seen) : text_starts(seen.all, f->magic))
            return fail(err, VOUCH_ERR_FORMAT, "%s: looks like %s: %s%s", input_name(reader->input), f->name, f->advice,
                        f->text ? " (or say what it is by --format)" : "");
    if (lacks_memory)
        return fail_memory(err);
    if (opens_object(skip_space(seen.first))) {
        reader->format = FORMAT_JSONL;
        return true;
    }
    if (reader->answered) {
        reader->format = is_conllu(&seen) ? FORMAT_CONLLU : FORMAT_CONLL;
        return true;
    }
    return reader->trees ? recognise_trees(reader, &seen, err) : recognise_labels(reader, &seen, err);
}
