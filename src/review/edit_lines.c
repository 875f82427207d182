/*
 * Edits the lines of a labelled file: knows where each format has the label of a word, and copies the file with other
 * labels there and every other byte as it was.
 *
 * An edit is a place within a line and its new content. JSON is walked byte by byte, looking only for strings, brackets
 * and commas, since a parser has accepted the line before. Linear in the file; memory grows with the edits.
 */
#include "review/decisions.h"

#include "text/formats.h"

/* An edit: `length` bytes at `at` of a line are replaced by those of the pool from `from` to `to`. */
struct edit {
    uint64_t line;
    size_t at, length, from, to;
};

/* The rest of a line, from `at` on. */
struct walk {
    const char *at, *end;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct walk *w)
{
    while (w->at < w->end && is_space(*w->at))
        w->at++;
}

static bool take(struct walk *w, char c)
{
    skip_blanks(w);
    if (w->at == w->end || *w->at != c)
        return false;
    w->at++;
    return true;
}

/* Takes a string with its quotes. */
static struct text take_string(struct walk *w)
{
    const char *from = w->at;
    if (take(w, '"')) {
        while (w->at < w->end && *w->at != '"')
            w->at += *w->at == '\\' && w->at + 1 < w->end ? 2 : 1;
        w->at += w->at < w->end;
    }
    return (struct text){from, (uint32_t)(w->at - from)};
}

/* Takes a value of any kind, up to the comma or bracket after it. */
static struct text take_value(struct walk *w)
{
    skip_blanks(w);
    const char *from = w->at, *last = w->at;
    for (uint32_t depth = 0; w->at < w->end; last = w->at) {
        char c = *w->at;
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (c == '"')
            take_string(w);
        else
            w->at++;
        if (depth == 0)
            skip_blanks(w);
    }
    while (last > from && is_space(last[-1]))
        last--;
    return (struct text){from, (uint32_t)(last - from)};
}

static uint32_t take_elements(struct walk *w, struct text *element, uint32_t most)
{
    uint32_t count = 0;
    if (!take(w, '['))
        return NO_ELEMENTS;
    if (take(w, ']'))
        return 0;
    do {
        struct text value = take_value(w);
        if (count < most)
            element[count] = value;
        count++;
    } while (take(w, ','));
    return count;
}

uint32_t json_elements(struct text line, const char *key, struct text *element, uint32_t most)
{
    struct walk w = {line.at, line.at + line.length};
    if (!take(&w, '{'))
        return NO_ELEMENTS;
    do {
        skip_blanks(&w);
        struct text name = take_string(&w);
        if (name.length == 0 || !take(&w, ':'))
            return NO_ELEMENTS;
        if (name.length == strlen(key) + 2 && memcmp(name.at + 1, key, name.length - 2) == 0)
            return take_elements(&w, element, most);
        take_value(&w);
    } while (take(&w, ','));
    return NO_ELEMENTS;
}

bool edits_open(struct edits *e, const struct reader *reader, const struct sentence *s, struct vouch_error *err)
{
    const char *key[2] = {s->tree ? "heads" : "labels", "relations"};
    for (int i = 0; i < 2 && reader->format == FORMAT_JSONL; i++) {
        if (!RESERVE(e->element[i], e->element_capacity[i], (size_t)s->N + 1, err))
            return false;
        memset(e->element[i], 0, sizeof *e->element[i] * s->N);
        if (json_elements(s->before, key[i], e->element[i], s->N) != s->N)
            memset(e->element[i], 0, sizeof *e->element[i] * s->N);
    }
    return true;
}

/* Returns the bytes that hold the label or head of a word, its relation or DEPS; empty if a line of JSON has none. */
static struct text find_place(const struct edits *e, enum format format, const struct sentence *s, uint32_t word,
                              enum edited what)
{
    static const uint32_t column[] = {COLUMN_HEAD, COLUMN_DEPREL, COLUMN_DEPS};
    struct text line = s->line[word];
    if (format == FORMAT_JSONL)
        return e->element[what == EDITED_RELATION][word];
    if (format == FORMAT_CRFSUITE)
        return text_cut(&line, '\t');
    if (format == FORMAT_CONLLU && s->tree)
        return sentence_cell(s, word, column[what]);
    return s->gold[word];
}

/* Appends a label as the file spells it: quoted in JSON, with backslashes where needed. */
static bool spell(struct buffer *into, struct text label, bool quoted, bool escaped, struct vouch_error *err)
{
    bool ok = !quoted || buffer_put(into, '"', err);
    for (uint32_t i = 0; ok && i < label.length; i++) {
        unsigned char c = (unsigned char)label.at[i];
        bool special = c == '\\' || (quoted && c == '"');
        if (quoted && c < ' ')
            ok = buffer_print(into, err, "\\u%04x", c);
        else
            ok = (!escaped || !special || buffer_put(into, '\\', err)) && buffer_put(into, label.at[i], err);
    }
    return ok && (!quoted || buffer_put(into, '"', err));
}

bool edits_add(struct edits *e, const struct reader *reader, const struct sentence *s, uint32_t word,
               enum edited what, struct text label, bool *found, struct vouch_error *err)
{
    bool json = reader->format == FORMAT_JSONL;
    struct text old = find_place(e, reader->format, s, word, what);
    *found = !json || old.length > 0;
    if (!*found)
        return true;
    if (!RESERVE(e->edit, e->capacity, e->count + 1, err))
        return false;
    struct edit *edit = &e->edit[e->count++];
    *edit = (struct edit){.line = reader_line(reader, s, word),
                          .at = (size_t)(old.at - (json ? s->before : s->line[word]).at),
                          .length = old.length,
                          .from = e->pool.length};
    bool quoted = json && old.at[0] == '"' && label.at;
    label = label.at ? label : text_of("null");
    bool ok = spell(&e->pool, label, quoted, quoted || reader->format == FORMAT_CRFSUITE, err);
    edit->to = e->pool.length;
    return ok;
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Writes a line with its edits, from *next on; false if they do not fit. */
static bool copy_line(const struct edits *e, struct output *out, struct text line, size_t *next)
{
    size_t at = 0;
    uint64_t number = e->edit[*next].line;
    for (; *next < e->count && e->edit[*next].line == number; (*next)++) {
        const struct edit *edit = &e->edit[*next];
        if (edit->at < at || edit->at + edit->length > line.length)
            return false;
        output_write(out, line.at + at, edit->at - at);
        output_write(out, e->pool.bytes + edit->from, edit->to - edit->from);
        at = edit->at + edit->length;
    }
    output_write(out, line.at + at, line.length - at);
    return true;
}

/* Writes a line that may have edits, those from *next on. */
static void write_line(const struct edits *e, struct output *out, struct text line, uint64_t number, size_t *next)
{
    if (*next == e->count || e->edit[*next].line != number || !copy_line(e, out, line, next))
        write_text(out, line);
}

void edits_write_sentence(struct edits *e, struct output *out, const struct reader *reader, const struct sentence *s)
{
    size_t next = 0;
    bool json = reader->format == FORMAT_JSONL;
    if (e->count)
        qsort(e->edit, e->count, sizeof *e->edit, compare_edits);
    if (json)
        write_line(e, out, s->before, s->number, &next);
    else
        write_text(out, s->before);
    for (uint32_t i = 0; !json && i < s->N; i++) {
        if (s->leads)
            write_text(out, s->lead[i]);
        write_line(e, out, s->line[i], reader_line(reader, s, i), &next);
        write_text(out, s->end[i]);
    }
    if (!json && s->leads && s->N > 0)
        write_text(out, s->lead[s->N]);
    write_text(out, s->after);
    e->count = e->pool.length = 0;
}

bool edits_write(struct edits *e, struct output *out, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    size_t next = 0;
    int more = -1;
    if (e->count)
        qsort(e->edit, e->count, sizeof *e->edit, compare_edits);
    if (input && input_marked(input))
        output_write(out, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK));
    while (input && (more = input_line(input, &line, err)) == 1) {
        if (next == e->count || e->edit[next].line != input_number(input))
            write_text(out, line);
        else if (!copy_line(e, out, line, &next))
            break;
        write_text(out, input_line_end(input));
    }
    input_close(input);
    if (more == 1 || (more == 0 && next < e->count))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was read", path);
    return more == 0;
}

void edits_release(struct edits *e)
{
    free(e->edit);
    free(e->pool.bytes);
    free(e->element[0]);
    free(e->element[1]);
}
