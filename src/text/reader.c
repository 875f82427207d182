/*
 * Opens readers and builds sentences: see reader.h. The formats themselves are in the files beside this one;
 * recognise.c tells them apart.
 *
 * What all formats share is done here after a sentence was read: its words get their vectors, and corrections of
 * earlier rounds are applied, so that whoever reads does not know of either. Trees are checked as they come: a walk
 * from each word to the root finds cycles in linear time.
 */
#include "text/formats.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const struct format_calls automatic = {.name = "auto"};

const struct format_calls *const format_table[] = {
    [FORMAT_AUTO] = &automatic,    [FORMAT_CONLL] = &conll_calls, [FORMAT_CRFSUITE] = &crfsuite_calls,
    [FORMAT_PLAIN] = &plain_calls, [FORMAT_JSONL] = &jsonl_calls, [FORMAT_CONLLU] = &conllu_calls,
};

const char *format_name(enum format format)
{
    return format_table[format]->name;
}

static bool start(struct reader *reader, struct vouch_error *err)
{
    if (reader->gold < GOLD_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a gold column from 1, found %d", reader->gold);
    if (reader->format == FORMAT_AUTO) {
        struct text ahead;
        if (!input_peek(reader->input, &ahead, err) || !recognise(reader, ahead, err))
            return false;
    }
    reader->trees = reader->trees || (reader->answered && reader->format == FORMAT_CONLLU && reader->column == 0);
    if (reader->named && reader->format != FORMAT_CONLLU)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected CoNLL-U, whose columns have names such as '%s', found %s",
                    input_name(reader->input), column_name(reader->column), format_name(reader->format));
    if (reader->report && reader->format != FORMAT_JSONL)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected JSON lines, of which faulty ones can be reported, found %s",
                    input_name(reader->input), format_name(reader->format));
    bool (*begin)(struct reader *, struct vouch_error *) = format_table[reader->format]->start;
    return !begin || begin(reader, err);
}

/* Returns a reader of an input, which it takes over; NULL if the input is NULL, or cannot be read in its format. */
static struct reader *read_from(struct input *input, const struct reader_options *options, struct vouch_error *err)
{
    struct reader *reader = input ? new_array(1, sizeof *reader, err) : NULL;
    if (!reader) {
        input_close(input);
        return NULL;
    }
    reader->input = input;
    reader->format = options->format;
    reader->gold = options->gold;
    reader->trees = options->trees;
    reader->partial = options->partial;
    reader->answered = options->answered;
    reader->form = options->form;
    reader->column = options->column;
    reader->named = options->named;
    reader->report = options->report;
    reader->gold_column = -1;
    reader->separator = ' ';
    if (!start(reader, err)) {
        reader_close(reader);
        return NULL;
    }
    return reader;
}

/* Opens the vectors of the words of `path`, if there are to be some; returns NULL if that fails. */
static struct reader *with_vectors(struct reader *reader, const char *path, const struct reader_options *options,
                                   struct vouch_error *err)
{
    if (!reader || !options->vectors)
        return reader;
    reader->vectors = word_vectors_open(options->vectors, path, err);
    if (reader->vectors) {
        reader->dimensions = reader->vectors->D;
        reader->vector_digest = reader->vectors->digest;
        return reader;
    }
    reader_close(reader);
    return NULL;
}

struct reader *reader_open(const char *path, const struct reader_options *options, struct vouch_error *err)
{
    struct reader *reader = with_vectors(read_from(input_open(path, err), options, err), path, options, err);
    for (size_t i = 0; reader && path && i < options->corrected; i++)
        if (strcmp(options->corrections[i].path, path) == 0)
            reader->corrections = &options->corrections[i];
    return reader;
}

struct reader *reader_open_memory(const void *bytes, size_t length, const struct reader_options *options,
                                  struct vouch_error *err)
{
    struct input *input = input_open_memory(options->name ? options->name : "memory", bytes, length, err);
    return with_vectors(read_from(input, options, err), NULL, options, err);
}

void reader_close(struct reader *reader)
{
    if (!reader)
        return;
    word_vectors_close(reader->vectors);
    input_close(reader->input);
    free(reader->held);
    free(reader->walk);
    free(reader);
}

/* Fails because there are more or fewer words than rows of vectors: `found` of them. */
static bool fail_rows(const struct reader *reader, const char *more, uint64_t found, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: expected %" PRIu64 " words, as many as there are vectors in %s, found %s%" PRIu64,
                input_name(reader->input), reader->vectors->rows, reader->vectors->path, more, found);
}

/* Gives every word of a sentence its vector; document marks have none. */
static bool add_vectors(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    uint32_t D = reader->vectors->D;
    uint64_t rows = reader->vectors->rows;
    if (s->faulty && rows != UINT64_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: %s", input_name(reader->input), s->fault);
    if (s->N == 0 || s->boundary)
        return true;
    if (rows - s->place.words < s->N)
        return fail_rows(reader, "more than ", rows, err);
    if (!RESERVE(s->vector, s->vector_capacity, (size_t)s->N * D, err))
        return false;
    for (uint32_t w = 0; w < s->N; w++)
        if (!word_vectors_fetch(reader->vectors, s->place.words + w, sentence_form(s, w), s->vector + (size_t)w * D,
                                err))
            return false;
    s->dimensions = D;
    return true;
}

/* Applies corrections to the sentence that was read: labels, or heads and relations. */
static void make_corrections(const struct corrections *c, size_t from, size_t to, struct sentence *s)
{
    for (size_t i = from; i < to; i++) {
        const struct correction *made = &c->item[i];
        if (made->word >= s->N)
            continue;
        s->gold[made->word] = (struct text){c->text.bytes + made->at, (uint32_t)made->length};
        if (s->tree)
            s->head[made->word] = made->head;
    }
    s->roots = 0;
    for (uint32_t n = 0; s->tree && n < s->N; n++)
        s->roots += s->head[n] == 0;
}

enum reading reader_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    enum reading state = format_table[reader->format]->next(reader, into, err);
    if (state == READ_SENTENCE) {
        into->place = reader->place;
        if (!into->boundary && !into->rest)
            sentence_place_pass(&reader->place, into->N);
    }
    into->dimensions = 0;
    if (reader->vectors && state == READ_SENTENCE && !add_vectors(reader, into, err))
        return READ_FAILED;
    if (reader->vectors && state == READ_END && reader->vectors->rows != UINT64_MAX &&
        reader->vectors->rows != reader->place.words)
        return fail_rows(reader, "", reader->place.words, err) ? READ_END : READ_FAILED;
    if (state == READ_SENTENCE && reader->corrections) {
        size_t from, to;
        corrections_of(reader->corrections, into, &reader->next_correction, &from, &to);
        make_corrections(reader->corrections, from, to, into);
    }
    return state;
}

uint32_t reader_columns(const struct reader *reader)
{
    return reader->format == FORMAT_CONLL || reader->format == FORMAT_CONLLU ? reader->columns : 1;
}

uint32_t reader_column(const struct reader *reader)
{
    return reader->format == FORMAT_CONLLU && !reader->trees ? reader->column : 0;
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
    for (uint32_t i = 1; s->leads && i <= word; i++)
        for (uint32_t c = 0; c < s->lead[i].length; c++)
            number += s->lead[i].at[c] == '\n';
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

/*
 * Reads a line that was held, or the next of the input. Held lines were the first of the file, or the last one read, so
 * that counting stays right.
 */
int next_line(struct reader *reader, struct text *line, struct vouch_error *err)
{
    if (reader->held_at < reader->held_length) {
        const char *at = reader->held + reader->held_at;
        size_t left = reader->held_length - reader->held_at;
        const char *newline = memchr(at, '\n', left);
        size_t whole = newline ? (size_t)(newline - at) + 1 : left, length = newline ? whole - 1 : whole;
        length -= newline && length > 0 && at[length - 1] == '\r';
        *line = (struct text){at, (uint32_t)length};
        reader->ending = (struct text){at + length, (uint32_t)(whole - length)};
        reader->held_at += whole;
        reader->number++;
        return 1;
    }
    int got = input_line(reader->input, line, err);
    reader->ending = got == 1 ? input_line_end(reader->input) : (struct text){"", 0};
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
    s->N = s->roots = s->open = s->form = s->further.N = 0;
    s->weighted = s->labelled = s->attributes = s->leads = s->tree = s->boundary = s->faulty = s->rest = false;
    s->number = reader->number + 1;
    if (!RESERVE(s->bytes, s->bytes_capacity, 1, err) || !RESERVE(s->first, s->first_capacity, 1, err))
        return false;
    s->first[0] = 0;
    s->before = s->skipped = s->after = (struct text){s->bytes, 0};
    return true;
}

static void rebase(struct text *view, size_t count, const char *from, const char *to)
{
    for (size_t i = 0; i < count; i++)
        view[i].at = to + (view[i].at - from);
}

/* Makes room for more bytes. Doubling keeps the moves linear in total, and rare once the longest sentence was seen. */
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
    rebase(s->end, s->N, s->bytes, grown);
    rebase(&s->skipped, 1, s->bytes, grown);
    rebase(&s->before, 1, s->bytes, grown);
    rebase(&s->after, 1, s->bytes, grown);
    if (s->leads)
        rebase(s->lead, (size_t)s->N + 1, s->bytes, grown);
    free(s->bytes);
    s->bytes = grown;
    s->bytes_capacity = capacity;
    return true;
}

bool sentence_carry(struct reader *reader, struct sentence *s, struct text *view, struct text line,
                    struct vouch_error *err)
{
    if (!sentence_room(reader, s, (size_t)line.length + reader->ending.length, 0, err))
        return false;
    if (view->length == 0)
        view->at = s->bytes + reader->used;
    sentence_keep(reader, s, line);
    sentence_keep(reader, s, reader->ending);
    view->length += line.length + reader->ending.length;
    return true;
}

bool sentence_blank(struct reader *reader, struct sentence *s, struct text line, struct vouch_error *err)
{
    struct text *view = s->N > 0 ? &s->after : s->before.length > 0 ? &s->before : &s->skipped;
    return sentence_carry(reader, s, view, line, err);
}

bool tree_begin(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    if (!sentence_begin(reader, s, err) || !RESERVE(s->lead, s->lead_capacity, 1, err))
        return false;
    s->lead[0] = (struct text){s->bytes, 0};
    s->leads = true;
    s->tree = reader->trees;
    s->form = reader->trees ? COLUMN_FORM : 0;
    return true;
}

bool tree_room(struct reader *reader, struct sentence *s, size_t bytes, struct vouch_error *err)
{
    if (!sentence_room(reader, s, bytes, TREE_COLUMNS, err) ||
        !RESERVE(s->lead, s->lead_capacity, (size_t)s->N + 2, err) ||
        !RESERVE(s->head, s->head_capacity, (size_t)s->N + 1, err))
        return false;
    s->lead[s->N + 1] = (struct text){s->bytes, 0};
    return true;
}

/* Fails unless every head is 0, another word or open, and some head is 0 or open. */
static bool check_heads(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    for (uint32_t i = 0; i < s->N; i++) {
        uint32_t head = s->head[i];
        s->roots += head == 0;
        if ((head <= s->N && head != i + 1) || head == OPEN_CHOICE)
            continue;
        reader->number = reader_line(reader, s, i);
        if (head > s->N)
            return fail_line(reader, err, "expected the head of word %u to be a number from 0 to %u, found %u", i + 1,
                             s->N, head);
        return fail_line(reader, err, "expected the head of word %u to be another word or 0, found itself", i + 1);
    }
    if (s->roots > 0 || s->open > 0)
        return true;
    reader->number = reader_line(reader, s, 0);
    return fail_line(reader, err, "expected a root among the %u words (one whose head is 0), found none", s->N);
}

static bool refuse_cycle(struct reader *reader, const struct sentence *s, uint32_t word, struct vouch_error *err)
{
    uint32_t first = word, length = 0, at = word;
    do {
        at = s->head[at - 1];
        first = at < first ? at : first;
        length++;
    } while (at != word);
    reader->number = reader_line(reader, s, first - 1);
    return fail_line(reader, err, "expected a tree, found a cycle of %u words from word %u back to itself", length,
                     first);
}

/* Heads are a tree (or several, one for each root) if there is a root and no cycle. */
bool tree_check(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    s->roots = 0;
    if (s->N == 0)
        return true;
    if (!check_heads(reader, s, err) || !RESERVE(reader->walk, reader->walk_capacity, (size_t)s->N + 1, err))
        return false;
    uint32_t word = heads_cycle(s->head, s->N, reader->walk);
    return word == 0 || refuse_cycle(reader, s, word, err);
}

bool is_open(const struct reader *reader, struct text label)
{
    uint32_t c = reader->column - 1;
    bool nothing = reader->format == FORMAT_CONLLU && c != COLUMN_UPOS && c != COLUMN_DEPREL;
    return reader->partial && (text_is(label, "?") || (text_is(label, "_") && !nothing));
}

struct text sentence_gold(const struct reader *reader, struct sentence *s, struct text label)
{
    if (!is_open(reader, label))
        return label;
    s->open++;
    return (struct text){label.at, 0};
}

bool fail_without_gold(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err)
{
    const char *what = sentence->tree ? "heads" : "labels";
    if (reader->format == FORMAT_JSONL)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold %s under the key \"%s\", found none", what, what);
    return fail(err, VOUCH_ERR_FORMAT, "expected gold %s, found none", what);
}

bool reader_blame(const struct reader *reader, const struct sentence *sentence, struct vouch_error *err)
{
    bool plain = reader->format == FORMAT_PLAIN;
    return fail_within(err, "%s:%" PRIu64 "%s", reader_path(reader), sentence->number,
                       plain ? " (read as plain lines, one sentence each: see --format)" : "");
}

/* ---- Corrections ---- */

bool corrections_add(struct corrections *c, struct correction correction, struct text label, struct vouch_error *err)
{
    correction.at = c->text.length;
    correction.length = label.length;
    if (!RESERVE(c->item, c->capacity, c->count + 1, err) || !buffer_add(&c->text, label, err))
        return false;
    c->item[c->count++] = correction;
    c->changed += correction.changed;
    c->kept += !correction.changed;
    return true;
}

void corrections_release(struct corrections *c)
{
    free(c->item);
    free(c->text.bytes);
    *c = (struct corrections){0};
}

void corrections_of(const struct corrections *c, const struct sentence *sentence, size_t *next, size_t *from,
                    size_t *to)
{
    while (*next < c->count && c->item[*next].line < sentence->number)
        (*next)++;
    *from = *next;
    while (*next < c->count && c->item[*next].line == sentence->number)
        (*next)++;
    *to = *next;
}
