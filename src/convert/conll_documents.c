/*
 * CoNLL columns (text/conll.c): a word a line, the last column is the label. Labels of IOB1, IOB2 or BIOES are spans,
 * others a column of tags called "label". The columns between are called 2, 3 and so on. A file of one column has words
 * alone, which nobody has labelled yet.
 *
 * Where -DOCSTART- divides the file, what is behind a mark is one document, else every sentence is. Marks are written
 * if any document has several sentences. Spaces separate columns, or tabs where a cell has a space or there are
 * comments.
 */
#include "convert/read_sentences.h"

#include <stdio.h>

static bool see_labels(struct sentence_reading *reading, void *context, struct vouch_error *err)
{
    const struct sentence *s = reading->sentence;
    (void)err;
    if (s->labelled && !s->boundary && s->N > 0)
        scheme_see(context, s->gold, s->N);
    return true;
}

/* Adds the columns of a word: all but its own and the label's. */
static bool add_columns(struct sentence_reading *reading, struct annotated *doc, uint32_t i, bool plain,
                        struct vouch_error *err)
{
    const struct sentence *s = reading->sentence;
    uint32_t cells = sentence_cells(s, i), last = s->labelled ? cells - 1 : cells, word = doc->words - 1;
    char name[16];
    for (uint32_t c = 0; c < last; c++) {
        if (c == s->form)
            continue;
        snprintf(name, sizeof name, "%u", c + 1);
        if (!put_tag(doc, name, word, sentence_cell(s, i, c), err))
            return false;
    }
    return !plain || put_tag(doc, "label", word, s->gold[i], err);
}

static bool add_sentence(struct sentence_reading *reading, void *context, struct vouch_error *err)
{
    const struct sentence *s = reading->sentence;
    bool plain = s->labelled && *(const enum scheme *)context == SCHEME_NONE;
    if (s->boundary) {
        reading->marked = true;
        return end_document(reading, err);
    }
    if (s->N == 0)
        return true;
    struct annotated *doc = next_document(reading, err);
    if (!doc)
        return false;
    uint32_t first = doc->words;
    for (uint32_t i = 0; i < s->N; i++) {
        struct text gap = {i == 0 ? "\n" : " ", 1};
        if (!annotated_append_word(doc, gap, sentence_form(s, i), err) || !add_columns(reading, doc, i, plain, err))
            return false;
    }
    if (s->labelled && !plain && !annotated_add_labels(doc, first, s->gold, s->N, err))
        return false;
    if (!annotated_end_sentence(doc, err))
        return false;
    struct text *comments = &doc->sentence[doc->sentences - 1].comments;
    *comments = texts_keep(doc->corpus, s->before, err);
    return comments->at && (reading->marked || end_document(reading, err));
}

/* Whether the first line that is not empty has one column. */
static bool has_words_alone(const struct annotated_source *source)
{
    size_t from = 0;
    while (from < source->length && strchr("\r\n", source->bytes[from]))
        from++;
    size_t end = from;
    while (end < source->length && !strchr(" \t\r\n", source->bytes[end]))
        end++;
    return end > from && (end == source->length || strchr("\r\n", source->bytes[end]));
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    struct reader_options options = {.format = FORMAT_CONLL, .gold = has_words_alone(source) ? GOLD_NONE : GOLD_LAST};
    struct scheme_watch watch = {0};
    (void)choices;
    if (!read_sentences(source, &options, into, see_labels, NULL, &watch, err))
        return false;
    enum scheme scheme = watch.words > 0 ? scheme_decide(&watch) : SCHEME_IOB2;
    if (scheme == SCHEME_NONE && watch.plain == 0)
        scheme = SCHEME_IOB2;
    return read_sentences(source, &options, into, add_sentence, NULL, &scheme, err);
}

/* ---- Writing ---- */

struct column_writing {
    struct output *out;
    enum scheme scheme;
    struct text *column; /* [columns] names */
    size_t columns, capacity;
    bool spans, plain, marks, comments;
    char separator;
};

static bool plan_column(struct column_writing *w, struct text name, struct vouch_error *err)
{
    for (size_t i = 0; i < w->columns; i++)
        if (text_equal(w->column[i], name))
            return true;
    if (!RESERVE(w->column, w->capacity, w->columns + 1, err))
        return false;
    w->column[w->columns++] = name;
    return true;
}

static bool has_space(struct text text)
{
    return text.length > 0 && memchr(text.at, ' ', text.length);
}

/* Whether a line can stand as a comment, where tabs separate columns: others would be read as words. */
static bool is_comment(struct text line)
{
    return line.length > 0 && line.at[0] == '#' && !memchr(line.at, '\t', line.length);
}

static bool has_comment(struct text comments)
{
    struct text line;
    uint64_t number = 0;
    while (cut_source_line(&comments, &line, &number))
        if (is_comment(line))
            return true;
    return false;
}

/* Finds out what columns there are, whether documents need marks, and whether tabs must separate. */
static bool plan(struct column_writing *w, const struct annotated_texts *corpus, struct vouch_error *err)
{
    bool spaces = false;
    for (size_t i = 0; i < corpus->count; i++)
        w->spans = w->spans || corpus->document[i].spanned;
    for (size_t d = 0; d < corpus->count; d++) {
        const struct annotated *doc = &corpus->document[d];
        w->marks = w->marks || doc->sentences > 1;
        for (uint32_t c = 0; c < doc->columns; c++) {
            bool label = !w->spans && text_is(doc->column[c].name, "label");
            w->plain = w->plain || label;
            if (!label && !plan_column(w, doc->column[c].name, err))
                return false;
            for (uint32_t i = 0; i < doc->words; i++)
                spaces = spaces || has_space(doc->column[c].cell[i]);
        }
        for (uint32_t i = 0; i < doc->words; i++) {
            spaces = spaces || has_space(annotated_form(doc, i));
            if (text_is(annotated_form(doc, i), "-DOCSTART-"))
                return fail_document(doc, err, "expected words, found -DOCSTART-, which CoNLL columns take for a mark");
        }
        for (uint32_t i = 0; i < doc->spans; i++)
            spaces = spaces || has_space(doc->span[i].label);
        for (uint32_t i = 0; i < doc->sentences; i++)
            w->comments = w->comments || has_comment(doc->sentence[i].comments);
    }
    w->comments = w->comments && (w->columns > 0 || w->spans || w->plain);
    w->separator = spaces || w->comments ? '\t' : ' ';
    if (spaces && w->columns == 0 && !w->spans && !w->plain)
        return fail(err, VOUCH_ERR_FORMAT, "expected labels or words without spaces: where there are words alone, "
                                           "CoNLL columns take a space for the end of a word");
    return true;
}

static void write_cell(const struct column_writing *w, struct text cell)
{
    output_printf(w->out, "%c", w->separator);
    output_write(w->out, cell.at, cell.length);
}

static void write_comments(const struct column_writing *w, const struct annotated *doc, struct text comments)
{
    struct text line;
    uint64_t number = 0, lost = 0;
    while (cut_source_line(&comments, &line, &number))
        if (w->comments && is_comment(line))
            output_printf(w->out, "%.*s\n", (int)line.length, line.at);
        else
            lost++;
    doc->corpus->counts.unsaid[KEPT_COMMENTS] += lost > 0;
}

static bool write_words(const struct column_writing *w, const struct annotated *doc, uint32_t s,
                        struct vouch_error *err)
{
    const struct marked_sentence *sentence = &doc->sentence[s];
    const uint32_t *span_of = annotated_span_of_word(doc, err);
    if (!span_of)
        return false;
    write_comments(w, doc, sentence->comments);
    for (uint32_t i = sentence->from; i < sentence->to; i++) {
        struct text form = annotated_form(doc, i);
        output_write(w->out, form.at, form.length);
        for (size_t c = 0; c < w->columns; c++)
            write_cell(w, annotated_cell(doc, w->column[c], i));
        if (w->plain)
            write_cell(w, annotated_cell(doc, text_of("label"), i));
        if (w->spans) {
            char prefix = annotated_prefix(doc, span_of, s, i, w->scheme);
            output_printf(w->out, "%c%c", w->separator, prefix);
            if (span_of[i] != NO_SPAN)
                output_printf(w->out, "-%.*s", (int)doc->span[span_of[i]].label.length, doc->span[span_of[i]].label.at);
        }
        output_printf(w->out, "\n");
    }
    output_printf(w->out, "\n");
    return true;
}

static void write_mark(const struct column_writing *w)
{
    output_printf(w->out, "-DOCSTART-");
    size_t cells = w->columns + (w->plain || w->spans);
    for (size_t c = 0; c < cells; c++)
        write_cell(w, text_of(c + 1 < cells ? "-X-" : "O"));
    output_printf(w->out, "\n\n");
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct column_writing w = {.out = out, .scheme = choices->scheme};
    (void)companion;
    bool done = plan(&w, corpus, err);
    for (size_t i = 0; done && i < corpus->count; i++) {
        if (w.marks)
            write_mark(&w);
        for (uint32_t s = 0; done && s < corpus->document[i].sentences; s++)
            done = write_words(&w, &corpus->document[i], s, err);
    }
    free(w.column);
    return done;
}

const struct annotation_format conll_format = {
    .name = "conll",
    .extension = ".conll",
    .title = "CoNLL columns",
    .kept = KEPT(DOCUMENTS) | KEPT(WORDS) | KEPT(SPANS) | KEPT(COLUMNS) | KEPT(UD_COLUMNS) | KEPT(COMMENTS),
    .by_sentence = true,
    .read = read,
    .write = write,
};
