/*
 * vouch review --apply: decisions from an edited list into the corpus.
 *
 * The list is the table that `vouch review` writes, found by the names in its
 * first line, in any order and with any others beside them. Spreadsheets may
 * have put quotes around fields: around all of them, which the first line
 * shows, or around those that hold a quote, which is then doubled.
 */
#include "cli/review_apply.h"

#include "base/input.h"
#include "base/path.h"
#include "cli/saving.h"
#include "corpus/amend.h"
#include "options/reading_options.h"
#include "task/task.h"

#include <inttypes.h>
#include <stdio.h>

enum column { FILE_NAME, LINE, WORD, WORDS, GIVEN, PROPOSED, DECISION, TEXT, LAYER, ALSO, COLUMNS };
static const char *const column_names[COLUMNS] = {"file",     "line",     "word", "words", "given",
                                                  "proposed", "decision", "text", "layer", "also"};
enum { NEEDED = TEXT, MOST_FIELDS = 256 }; /* the columns before TEXT must be there */
#define NOWHERE UINT32_MAX

/* A row on which something was decided. */
struct decided {
    char *bytes;
    const char *file;
    struct amendment amendment; /* whose texts are in `bytes` */
};

struct decisions {
    const char *path;
    uint64_t number;         /* of the line that is being read */
    uint32_t place[COLUMNS]; /* of each column, from 0, or NOWHERE */
    uint32_t fields;
    bool quoted, trees;
    struct decided *row;
    size_t rows, capacity;
    uint64_t kept, open; /* rows that stay as given; rows without a decision */
    uint64_t elsewhere;  /* decided rows of other files */
};

static void decisions_release(struct decisions *d)
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
    char *field[MOST_FIELDS];
    d->fields = split_fields(line, field);
    d->quoted = field[0][0] == '"';
    if (d->fields == 1)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s:1: expected the table that vouch review writes, with columns separated by tabs, found no tab",
                    d->path);
    for (int c = 0; c < COLUMNS; c++) {
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

/* The columns of a line; those that it does not have are empty. */
static bool read_columns(const struct decisions *d, char *line, char *column[COLUMNS], struct vouch_error *err)
{
    static char nothing[1] = "";
    char *field[MOST_FIELDS];
    uint32_t fields = split_fields(line, field);
    if (fields > d->fields)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected %" PRIu32 " columns, found %" PRIu32, d->path,
                    d->number, d->fields, fields);
    for (int c = 0; c < COLUMNS; c++)
        column[c] = d->place[c] < fields ? unquote(field[d->place[c]], d->quoted) : nothing;
    return true;
}

/* A whole number from 1. */
static bool read_number(const struct decisions *d, char *const column[COLUMNS], enum column c, uint64_t most,
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
           fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected a number from 1 as \"%s\", found \"%.40s\"", d->path,
                d->number, column_names[c], column[c]);
}

/* Without blanks at its ends. */
static struct text trim(const char *string)
{
    struct text text = text_of(string);
    while (text.length > 0 && text.at[0] == ' ')
        text = (struct text){text.at + 1, text.length - 1};
    while (text.length > 0 && text.at[text.length - 1] == ' ')
        text.length--;
    return text;
}

/* Takes over `line`. */
static bool read_row(struct decisions *d, char *line, struct vouch_error *err)
{
    char *column[COLUMNS] = {0};
    uint64_t at, word, words;
    if (!RESERVE(d->row, d->capacity, d->rows + 1, err)) {
        free(line);
        return false;
    }
    d->row[d->rows++] = (struct decided){.bytes = line}; /* released with the others, also on failure */
    if (!read_columns(d, line, column, err))
        return false;
    struct text decision = trim(column[DECISION]);
    bool right = text_is(decision, "-"), accepted = text_is(decision, "+"), open = decision.length == 0;
    d->trees = d->trees || strcmp(column[LAYER], "arc") == 0 || strcmp(column[LAYER], "relation") == 0;
    if (right || open) {
        d->kept += right;
        d->open += open;
        free(line);
        d->rows--;
        return true;
    }
    if (!read_number(d, column, LINE, UINT64_MAX / 16, &at, err) ||
        !read_number(d, column, WORD, UINT32_MAX / 2, &word, err) ||
        !read_number(d, column, WORDS, UINT32_MAX / 2, &words, err))
        return false;
    struct decided *row = &d->row[d->rows - 1];
    row->file = column[FILE_NAME];
    row->amendment = (struct amendment){.line = at,
                                        .word = (uint32_t)word,
                                        .words = (uint32_t)words,
                                        .given = text_of(column[GIVEN]),
                                        .wanted = accepted ? text_of(column[PROPOSED]) : decision,
                                        .also = text_of(accepted ? column[ALSO] : ""),
                                        .by_hand = !accepted,
                                        .number = d->number};
    if (d->place[TEXT] != NOWHERE)
        row->amendment.text = text_of(column[TEXT]);
    return true;
}

static bool read_decisions(struct decisions *d, const char *path, struct vouch_error *err)
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

/*
 * Which rows are about the file at `path`: those that name it so, or if there are none, those whose file has the same
 * name in another folder. The others are dropped; it is an error if none is left, or if two files have that name.
 */
static bool keep_rows_of(struct decisions *d, const char *path, struct vouch_error *err)
{
    bool exact = false;
    const char *alike = NULL;
    for (size_t i = 0; i < d->rows; i++)
        exact = exact || strcmp(d->row[i].file, path) == 0;
    size_t kept = 0;
    for (size_t i = 0; i < d->rows; i++) {
        struct decided row = d->row[i];
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
    if (d->rows > 0 && kept == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about %s, found some about %s alone", d->path, path,
                    d->row[0].file);
    return true;
}

/* Writes the corpus with the decided rows of this file. */
static bool write_corpus(const struct decisions *d, const struct settings *s, struct reader_options *reading,
                         struct amended *done, struct vouch_error *err)
{
    size_t count = d->rows - d->elsewhere;
    struct amendment *list = new_array(count, sizeof *list, err);
    for (size_t i = 0; list && i < count; i++)
        list[i] = d->row[i].amendment;
    struct amendments asked = {.source = d->path, .list = list, .count = count, .new_labels = s->new_labels};
    struct output *out = list ? output_open(s->output, err) : NULL;
    reading->trees =
        d->trees || (reading->format == FORMAT_CONLLU && !reading->column) || (s->task && task_or_any(s->task)->trees);
    bool ok = out && amend(out, s->argument[0], reading, &asked, done, err);
    free(list);
    return output_close(out, ok, err);
}

/* Warns of chunks that begin in the middle after decisions about single words. */
static void warn_of_scheme(const struct amended *done)
{
    bool one = done->faults == 1;
    if (done->faults == 0)
        return;
    if (done->scheme == SCHEME_IOB2)
        showf(stderr, "warning: %" PRIu64 " chunk%s now begin%s with I-", done->faults, one ? "" : "s", one ? "s" : "");
    else
        showf(stderr, "warning: %" PRIu64 " label%s now %s not as %s spells chunks", done->faults, one ? "" : "s",
              one ? "is" : "are", scheme_name(done->scheme));
    showf(stderr, ": --level chunk decides about whole entities\n");
}

static void say(const struct decisions *d, const struct settings *s, const struct amended *done)
{
    uint64_t changed = done->changed;
    size_t used = d->rows - d->elsewhere;
    bool named = s->output && strcmp(s->output, "-") != 0;
    showf(stderr,
          "%s %s: %" PRIu64 " word%s changed by %zu decision%s; %" PRIu64 " row%s left as given, %" PRIu64
          " not decided\n",
          named ? "wrote" : "wrote to", named ? s->output : "standard output", changed, changed == 1 ? "" : "s", used,
          used == 1 ? "" : "s", d->kept, d->kept == 1 ? "" : "s", d->open);
    warn_of_scheme(done);
    if (d->elsewhere)
        showf(stderr, "%" PRIu64 " decision%s about other files: give --apply each of them in its turn\n", d->elsewhere,
              d->elsewhere == 1 ? " is" : "s are");
    if (changed)
        showf(stderr, "next: train on the corrected file, or review it again: with fewer errors to learn from, others "
                      "come to light\n");
    else
        showf(stderr, "next: put + or a label into the decision column of %s where the corpus is wrong\n", d->path);
}

int review_apply(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct decisions d = {0};
    struct reader_options reading;
    struct amended done = {0};
    if (settings->model)
        return misuse(command, "--apply needs no model: expected no -m");
    if (settings->arguments != 1)
        return misuse(command, "expected the one file to correct, found %zu", settings->arguments);
    if (!reading_options(settings, &reading, &err))
        return misused(command, &err);
    bool named = settings->output && strcmp(settings->output, "-") != 0;
    bool ok = (!named || saving_possible(settings->output, settings, &err)) &&
              read_decisions(&d, settings->apply, &err) && keep_rows_of(&d, settings->argument[0], &err) &&
              write_corpus(&d, settings, &reading, &done, &err);
    if (ok && !settings->quiet)
        say(&d, settings, &done);
    if (!ok && done.refusals > 1)
        showf(stderr, "%.*s", (int)done.refused.length, done.refused.bytes);
    amended_release(&done);
    decisions_release(&d);
    return ok ? EXIT_DONE : failed(command, &err);
}
