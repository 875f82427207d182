/*
 * CoNLL columns (text/conll.c): a word a line, the last column is the label. Labels of IOB1, IOB2 or BIOES are spans,
 * others a column of tags called "label". The columns between are called 2, 3 and so on. A sentence all of whose labels
 * are "_" is not labelled yet; so are those of a file of one column, which has words alone.
 *
 * Where -DOCSTART- divides the file, what is behind a mark is one document, else every sentence is. Marks are written
 * if any document has several sentences. Spaces separate columns, or tabs where a cell has a space or there are
 * comments.
 */
#include "convert/fitting.h"
#include "convert/read_sentences.h"

#include <stdio.h>

static bool is_labelled(const struct sentence *s)
{
    uint32_t i = 0;
    while (s->labelled && i < s->N && text_is(s->gold[i], "_"))
        i++;
    return s->labelled && i < s->N;
}

static bool see_labels(struct sentence_reading *reading, void *context, struct vouch_error *err)
{
    const struct sentence *s = reading->sentence;
    (void)err;
    if (is_labelled(s) && !s->boundary)
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
    if (is_labelled(s) && !plain && !annotated_add_labels(doc, first, s->gold, s->N, err))
        return false;
    if (!annotated_end_sentence(doc, err))
        return false;
    struct text *comments = &doc->sentence[doc->sentences - 1].comments;
    *comments = texts_keep(doc->corpus, s->before, err);
    return comments->at && (reading->marked || end_document(reading, err));
}

/* Finds out whether a file has words alone: one column. What else is wrong with it is said when it is read. */
static bool has_words_alone(const struct annotated_source *source, bool *alone, struct vouch_error *err)
{
    struct reader_options options = {.format = FORMAT_CONLL, .gold = GOLD_NONE};
    struct vouch_error why = {0};
    struct reader *reader = reader_open_memory(source->bytes, source->length, &options, &why);
    *alone = reader && reader->columns == 1;
    reader_close(reader);
    return why.status != VOUCH_ERR_MEMORY || fail_memory(err);
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    struct reader_options options = {.format = FORMAT_CONLL};
    struct scheme_watch watch = {0};
    bool alone;
    (void)choices;
    if (!has_words_alone(source, &alone, err))
        return false;
    options.gold = alone ? GOLD_NONE : GOLD_LAST;
    if (!read_sentences(source, &options, into, see_labels, NULL, &watch, err))
        return false;
    enum scheme scheme = watch.words > 0 ? scheme_decide(&watch) : SCHEME_IOB2;
    if (scheme == SCHEME_NONE && watch.plain == 0)
        scheme = SCHEME_IOB2;
    return read_sentences(source, &options, into, add_sentence, NULL, &scheme, err);
}

/* ---- Writing ---- */

/* Whether a column is that of the labels; `plain` as fit_plain_labels() has it. */
static bool is_label(struct text name, bool plain)
{
    return plain && text_is(name, "label");
}

static bool list_columns(const struct annotated_texts *corpus, struct column_list *list, struct vouch_error *err)
{
    const bool plain = fit_plain_labels(corpus);
    for (size_t d = 0; d < corpus->count; d++)
        for (uint32_t c = 0; c < corpus->document[d].columns; c++) {
            struct text name = corpus->document[d].column[c].name;
            if (!is_label(name, plain) && !column_list_add(list, name, true, err))
                return false;
        }
    return true;
}

/* Whether a line can stand as a comment, where tabs separate columns: others would be read as words. */
static bool is_comment(struct text line)
{
    return line.length > 0 && line.at[0] == '#' && !memchr(line.at, '\t', line.length);
}

/* Keeps the lines that can be comments, if any can; counts a sentence that loses some. */
static bool fit_comments(struct annotated *doc, bool any, struct vouch_error *err)
{
    for (uint32_t s = 0; s < doc->sentences; s++) {
        struct text all = doc->sentence[s].comments, rest = all, line;
        struct buffer kept = {0};
        uint64_t number = 0;
        bool done = true;
        while (done && cut_source_line(&rest, &line, &number))
            if (any && is_comment(line))
                done = buffer_add(&kept, line, err) && buffer_put(&kept, '\n', err);
        if (done && kept.length < all.length) {
            doc->corpus->counts.unsaid[KEPT_COMMENTS]++;
            doc->sentence[s].comments = texts_keep(doc->corpus, buffer_text(&kept), err);
            done = doc->sentence[s].comments.at != NULL;
        }
        free(kept.bytes);
        if (!done)
            return false;
    }
    return true;
}

/*
 * Columns are called by their numbers. The first line that does not begin with # says what a file's columns are: there
 * are no comments where all words do.
 */
static bool fit(struct annotated_texts *corpus, struct vouch_error *err)
{
    struct column_list list = {0};
    bool plain = fit_plain_labels(corpus), comments = false, done = list_columns(corpus, &list, err);
    char name[32];
    for (size_t d = 0; d < corpus->count; d++) {
        const struct annotated *doc = &corpus->document[d];
        comments = comments || doc->sentences > 1;
        for (uint32_t i = 0; i < doc->words; i++)
            comments = comments || annotated_form(doc, i).at[0] != '#';
    }
    for (size_t d = 0; done && d < corpus->count; d++) {
        struct annotated *doc = &corpus->document[d];
        for (uint32_t c = 0; done && c < doc->columns; c++) {
            struct text *named = &doc->column[c].name;
            if (is_label(*named, plain))
                continue;
            snprintf(name, sizeof name, "%zu", column_list_find(&list, *named) + 2);
            corpus->counts.unsaid[KEPT_COLUMN_NAMES] += !text_is(*named, name);
            *named = texts_keep(corpus, text_of(name), err);
            done = named->at != NULL;
        }
        done = done && fit_comments(doc, comments, err);
    }
    free(list.name);
    return done;
}

struct column_writing {
    struct output *out;
    enum scheme scheme;
    struct column_list column;
    bool labels, plain, marks; /* there is a column of labels; it is that of tags called "label" */
    char separator;
};

static bool has_space(struct text text)
{
    return text.length > 0 && memchr(text.at, ' ', text.length);
}

/* Whether tabs must separate columns: a word, a label or a tag has a space, or there are comments. */
static bool needs_tabs(const struct annotated *doc)
{
    bool tabs = false;
    for (uint32_t i = 0; i < doc->words; i++)
        tabs = tabs || has_space(annotated_form(doc, i));
    for (uint32_t c = 0; c < doc->columns; c++)
        for (uint32_t i = 0; i < doc->words; i++)
            tabs = tabs || has_space(doc->column[c].cell[i]);
    for (uint32_t i = 0; i < doc->spans; i++)
        tabs = tabs || has_space(doc->span[i].label);
    for (uint32_t i = 0; i < doc->sentences; i++)
        tabs = tabs || doc->sentence[i].comments.length > 0;
    return tabs;
}

/* Finds out what columns there are, whether documents need marks, and whether tabs must separate. */
static bool plan(struct column_writing *w, const struct annotated_texts *corpus, struct vouch_error *err)
{
    bool tabs = false, spans = false;
    for (size_t d = 0; d < corpus->count; d++) {
        const struct annotated *doc = &corpus->document[d];
        spans = spans || doc->spanned;
        tabs = tabs || needs_tabs(doc);
        w->marks = w->marks || doc->sentences > 1;
        for (uint32_t i = 0; i < doc->words; i++)
            if (text_is(annotated_form(doc, i), "-DOCSTART-"))
                return fail_document(doc, err, "expected words, found -DOCSTART-, which CoNLL columns take for a mark");
    }
    w->plain = fit_plain_labels(corpus);
    w->separator = tabs ? '\t' : ' ';
    if (!list_columns(corpus, &w->column, err))
        return false;
    w->labels = spans || w->plain || tabs || w->column.count > 0;
    return true;
}

static void write_cell(const struct column_writing *w, struct text cell)
{
    output_printf(w->out, "%c", w->separator);
    output_write(w->out, cell.at, cell.length);
}

static bool write_words(const struct column_writing *w, const struct annotated *doc, uint32_t s,
                        struct vouch_error *err)
{
    const struct marked_sentence *sentence = &doc->sentence[s];
    const uint32_t *span_of = annotated_span_of_word(doc, err);
    if (!span_of)
        return false;
    output_write(w->out, sentence->comments.at, sentence->comments.length);
    for (uint32_t i = sentence->from; i < sentence->to; i++) {
        struct text form = annotated_form(doc, i);
        output_write(w->out, form.at, form.length);
        for (size_t c = 0; c < w->column.count; c++)
            write_cell(w, annotated_cell(doc, w->column.name[c], i));
        if (w->labels && !doc->spanned) {
            write_cell(w, w->plain ? annotated_cell(doc, text_of("label"), i) : text_of("_"));
        } else if (w->labels) {
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
    for (size_t c = 0; c < w->column.count; c++)
        write_cell(w, text_of("-X-"));
    if (w->labels)
        write_cell(w, text_of("O"));
    output_printf(w->out, "\n\n");
}

/* Writes a byte order mark in front of a word that begins with one, as the first of a file is none of a word's. */
static void write_beginning(const struct column_writing *w, const struct annotated *doc)
{
    if (!w->marks && doc->sentence[0].comments.length == 0 && text_starts(annotated_form(doc, 0), BYTE_ORDER_MARK))
        output_printf(w->out, "%s", BYTE_ORDER_MARK);
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct column_writing w = {.out = out, .scheme = choices->scheme};
    (void)companion;
    bool done = plan(&w, corpus, err);
    if (done && corpus->count > 0)
        write_beginning(&w, corpus->document);
    for (size_t i = 0; done && i < corpus->count; i++) {
        if (w.marks)
            write_mark(&w);
        for (uint32_t s = 0; done && s < corpus->document[i].sentences; s++)
            done = write_words(&w, &corpus->document[i], s, err);
    }
    free(w.column.name);
    return done;
}

const struct annotation_format conll_format = {
    .name = "conll",
    .extension = ".conll",
    .title = "CoNLL columns",
    .kept = KEPT(DOCUMENTS) | KEPT(WORDS) | KEPT(SPANS) | KEPT(UNLABELLED) | KEPT(COLUMNS) | KEPT(UD_COLUMNS) |
            KEPT(COMMENTS),
    .by_sentence = true,
    .read = read,
    .fit_corpus = fit,
    .write = write,
};
