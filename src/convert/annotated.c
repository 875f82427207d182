/* See annotated.h. Time: linear in the text, and log n for each span. */
#include "convert/annotated.h"

#include "convert/annotation_formats.h"
#include "core/sentence.h"
#include "text/word_breaks.h"

#include <stdarg.h>

#define LARGEST_TEXT (UINT32_C(1) << 30)

void texts_init(struct annotated_texts *corpus)
{
    *corpus = (struct annotated_texts){.file = ""};
}

void annotated_release(struct annotated *doc)
{
    for (uint32_t i = 0; i < doc->columns; i++)
        free(doc->column[i].cell);
    free(doc->word);
    free(doc->sentence);
    free(doc->span);
    free(doc->relation);
    free(doc->column);
    free(doc->other);
    free(doc->head);
    free(doc->deprel);
}

void texts_release(struct annotated_texts *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        annotated_release(&corpus->document[i]);
    free(corpus->document);
    free(corpus->draft.bytes);
    free(corpus->span_of);
    if (corpus->cuts)
        word_cuts_release(corpus->cuts);
    free(corpus->cuts);
    arena_release(&corpus->arena);
    arena_release(&corpus->scratch);
    texts_init(corpus);
}

struct annotated *texts_add(struct annotated_texts *corpus, uint64_t line, struct vouch_error *err)
{
    if (!RESERVE(corpus->document, corpus->capacity, corpus->count + 1, err))
        return NULL;
    struct text none = {"", 0};
    struct annotated *doc = &corpus->document[corpus->count++];
    *doc = (struct annotated){.corpus = corpus,
                              .line = line,
                              .file = corpus->file,
                              .id = none,
                              .text = none,
                              .annotator = none,
                              .meta = none,
                              .score = NAN};
    corpus->draft.length = 0;
    return doc;
}

bool annotated_name_after(struct annotated *doc, const char *file, const char *extension, struct vouch_error *err)
{
    struct text id = text_of(path_name(file));
    const uint32_t length = (uint32_t)strlen(extension);
    if (id.length > length && text_is((struct text){id.at + id.length - length, length}, extension))
        id.length -= length;
    doc->id = texts_keep(doc->corpus, id, err);
    return doc->id.at != NULL;
}

struct text texts_keep(struct annotated_texts *corpus, struct text text, struct vouch_error *err)
{
    if (text.length == 0)
        return (struct text){"", 0};
    char *copy;
    if (!ARENA_ARRAY(copy, text.length, &corpus->arena, err))
        return (struct text){NULL, 0};
    memcpy(copy, text.at, text.length);
    return (struct text){copy, text.length};
}

bool fail_at(const char *file, uint64_t line, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    struct printed message;
    va_start(args, format);
    printed_make(&message, format, args);
    va_end(args);
    fail(err, VOUCH_ERR_FORMAT, "%s:%llu: %s", file, (unsigned long long)line, message.at);
    printed_release(&message);
    return false;
}

/* ---- Words and sentences ---- */

static bool is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

struct text white_trimmed(struct text text)
{
    while (text.length > 0 && is_white(text.at[0]))
        text = (struct text){text.at + 1, text.length - 1};
    while (text.length > 0 && is_white(text.at[text.length - 1]))
        text.length--;
    return text;
}

static bool put_word(struct annotated *doc, uint32_t from, uint32_t to, struct vouch_error *err)
{
    if (!RESERVE(doc->word, doc->word_capacity, (size_t)doc->words + 1, err))
        return false;
    doc->word[doc->words++] = (struct marked_word){from, to};
    return true;
}

/* Finds the words of the rule, in corpus->cuts. */
static bool cut_by_rule(const struct annotated *doc, struct vouch_error *err)
{
    struct annotated_texts *corpus = doc->corpus;
    if (!corpus->cuts && !(corpus->cuts = new_array(1, sizeof *corpus->cuts, err)))
        return false;
    return cut_words(doc->text, corpus->cuts, err);
}

bool annotated_cut_words_alone(struct annotated *doc, struct vouch_error *err)
{
    if (!cut_by_rule(doc, err))
        return false;
    for (size_t i = 0; i < doc->corpus->cuts->words; i++)
        if (!put_word(doc, (uint32_t)doc->corpus->cuts->word[i].from, (uint32_t)doc->corpus->cuts->word[i].to, err))
            return false;
    return true;
}

bool annotated_cut_words(struct annotated *doc, struct vouch_error *err)
{
    return annotated_cut_words_alone(doc, err) && annotated_cut_sentences(doc, err);
}

bool annotated_put_sentence(struct annotated *doc, uint32_t to, struct vouch_error *err)
{
    uint32_t from = doc->sentences ? doc->sentence[doc->sentences - 1].to : 0;
    struct text none = {"", 0};
    if (from >= to)
        return true;
    if (!RESERVE(doc->sentence, doc->sentence_capacity, (size_t)doc->sentences + 1, err))
        return false;
    doc->sentence[doc->sentences++] = (struct marked_sentence){.from = from, .to = to, .id = none, .comments = none};
    return true;
}

bool annotated_end_sentence(struct annotated *doc, struct vouch_error *err)
{
    return annotated_put_sentence(doc, doc->words, err);
}

bool annotated_cut_sentences(struct annotated *doc, struct vouch_error *err)
{
    if (!cut_by_rule(doc, err))
        return false;
    const struct word_cuts *cuts = doc->corpus->cuts;
    uint32_t word = 0;
    for (size_t i = 0; i < cuts->words; i++) {
        if (!cuts->word[i].ends_sentence)
            continue;
        while (word < doc->words && doc->word[word].to <= cuts->word[i].to)
            word++;
        bool between = word == doc->words || doc->word[word].from >= cuts->word[i].to;
        if (between && !annotated_put_sentence(doc, word, err))
            return false;
    }
    return annotated_end_sentence(doc, err);
}

static bool check_form(const struct annotated *doc, struct text form, struct vouch_error *err)
{
    for (uint32_t i = 0; i < form.length; i++)
        if (form.at[i] == '\t' || form.at[i] == '\n' || form.at[i] == '\r' || form.at[i] == '\0')
            return fail_document(doc, err, "word %u: expected no tab or end of a line inside, found '%.*s'",
                                 doc->words + 1, excerpt(form), form.at);
    if (form.length == 0 || white_trimmed(form).length < form.length)
        return fail_document(doc, err, "word %u: expected a word without white space at its ends, found '%.*s'",
                             doc->words + 1, excerpt(form), form.at);
    return true;
}

bool is_blank_word(struct text form)
{
    return form.length == 0 || (!is_cell(form) && !text_is_visible(form));
}

bool annotated_add_word(struct annotated *doc, uint32_t from, uint32_t to, struct vouch_error *err)
{
    if (from > to || to > doc->text.length)
        return fail_document(doc, err, "word %u: expected bytes of a text of %u, found %u to %u", doc->words + 1,
                             doc->text.length, from, to);
    struct text form = annotated_bytes(doc, from, to);
    if (is_blank_word(form)) {
        doc->corpus->counts.blank_words++;
        return true;
    }
    if (doc->words > 0 && from < doc->word[doc->words - 1].to)
        return fail_document(doc, err, "word %u: expected it behind '%.*s', found '%.*s', which overlaps it",
                             doc->words + 1, excerpt(annotated_form(doc, doc->words - 1)),
                             annotated_form(doc, doc->words - 1).at, excerpt(form), form.at);
    return check_form(doc, form, err) && put_word(doc, from, to, err);
}

bool annotated_append_word(struct annotated *doc, struct text gap, struct text form, struct vouch_error *err)
{
    struct buffer *draft = &doc->corpus->draft;
    if (!check_form(doc, form, err))
        return false;
    if (draft->length + gap.length + form.length > LARGEST_TEXT)
        return fail_document(doc, err, "expected a text of %u bytes at most", LARGEST_TEXT);
    if ((draft->length > 0 && !buffer_add(draft, gap, err)) || !buffer_add(draft, form, err))
        return false;
    return put_word(doc, (uint32_t)draft->length - form.length, (uint32_t)draft->length, err);
}

/* ---- Spans, relations, columns, trees ---- */

bool is_cell(struct text text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if (text.at[i] == '\t' || text.at[i] == '\n' || text.at[i] == '\r' || text.at[i] == '\0')
            return false;
    return white_trimmed(text).length == text.length;
}

static struct marked_span *put_span(struct annotated *doc, struct marked_span span, struct vouch_error *err)
{
    if (span.label.length == 0 || !is_cell(span.label)) {
        fail_document(doc, err, "span %u: expected a label on one line without tabs, found '%.*s'", doc->spans + 1,
                      excerpt(span.label), span.label.at);
        return NULL;
    }
    if (!RESERVE(doc->span, doc->span_capacity, (size_t)doc->spans + 1, err))
        return NULL;
    doc->spanned = true;
    span.id = span.note = (struct text){"", 0};
    span.score = NAN;
    doc->span[doc->spans] = span;
    return &doc->span[doc->spans++];
}

struct marked_span *annotated_add_piece(struct annotated *doc, uint64_t begin, uint64_t end, struct text label,
                                        struct vouch_error *err)
{
    if (begin > end || end > doc->text.length) {
        fail_document(doc, err, "span %u: expected bytes of a text of %u, found %llu to %llu", doc->spans + 1,
                      doc->text.length, (unsigned long long)begin, (unsigned long long)end);
        return NULL;
    }
    return put_span(doc, (struct marked_span){.begin = (uint32_t)begin, .end = (uint32_t)end, .label = label}, err);
}

struct marked_span *annotated_add_span(struct annotated *doc, uint32_t from, uint32_t to, struct text label,
                                       struct vouch_error *err)
{
    if (from >= to || to > doc->words) {
        fail_document(doc, err, "span %u: expected some of %u words, found words %u to %u", doc->spans + 1, doc->words,
                      from, to);
        return NULL;
    }
    struct marked_span span = {from, to, doc->word[from].from, doc->word[to - 1].to, .label = label};
    return put_span(doc, span, err);
}

struct marked_relation *annotated_add_relation(struct annotated *doc, uint32_t from, uint32_t to, struct text label,
                                               struct vouch_error *err)
{
    if (from >= doc->spans || to >= doc->spans) {
        fail_document(doc, err, "relation %u: expected two of %u spans", doc->relations + 1, doc->spans);
        return NULL;
    }
    if (!RESERVE(doc->relation, doc->relation_capacity, (size_t)doc->relations + 1, err))
        return NULL;
    struct marked_relation *relation = &doc->relation[doc->relations++];
    *relation = (struct marked_relation){from, to, .label = label, .id = {"", 0}, .score = NAN};
    return relation;
}

bool annotated_find_span(const struct annotated *doc, struct text id, uint32_t *span)
{
    for (*span = 0; *span < doc->spans; (*span)++)
        if (text_equal(doc->span[*span].id, id))
            return true;
    return false;
}

const struct tag_column *annotated_has_column(const struct annotated *doc, const char *name)
{
    for (uint32_t i = 0; i < doc->columns; i++)
        if (text_is(doc->column[i].name, name))
            return &doc->column[i];
    return NULL;
}

struct text annotated_cell(const struct annotated *doc, struct text name, uint32_t word)
{
    for (uint32_t c = 0; c < doc->columns; c++)
        if (text_equal(doc->column[c].name, name) && doc->column[c].cell[word].length > 0)
            return doc->column[c].cell[word];
    return text_of("_");
}

struct tag_column *annotated_column(struct annotated *doc, struct text name, struct vouch_error *err)
{
    uint32_t i = 0;
    while (i < doc->columns && !text_equal(doc->column[i].name, name))
        i++;
    if (i == doc->columns) {
        if (!RESERVE(doc->column, doc->column_capacity, (size_t)doc->columns + 1, err))
            return NULL;
        doc->column[i] = (struct tag_column){.name = name};
        doc->columns++;
    }
    struct tag_column *column = &doc->column[i];
    size_t had = column->filled;
    if (!RESERVE(column->cell, column->capacity, (size_t)doc->words, err))
        return NULL;
    for (; had < doc->words; had++)
        column->cell[had] = (struct text){"", 0};
    column->filled = doc->words;
    return column;
}

bool annotated_begin_tree(struct annotated *doc, struct vouch_error *err)
{
    if (!RESERVE(doc->head, doc->head_capacity, (size_t)doc->words, err) ||
        !RESERVE(doc->deprel, doc->deprel_capacity, (size_t)doc->words, err))
        return false;
    for (; doc->headed < doc->words; doc->headed++) {
        doc->head[doc->headed] = NO_HEAD;
        doc->deprel[doc->headed] = (struct text){"", 0};
    }
    return true;
}

bool annotated_is_plain(const struct annotated *doc)
{
    uint32_t at = 0;
    for (uint32_t s = 0; s < doc->sentences; s++)
        for (uint32_t i = doc->sentence[s].from; i < doc->sentence[s].to; i++) {
            uint32_t gap = i > 0;
            if (doc->word[i].from != at + gap || (gap && doc->text.at[at] != (i == doc->sentence[s].from ? '\n' : ' ')))
                return false;
            at = doc->word[i].to;
        }
    return at == doc->text.length;
}

bool annotated_ruled(const struct annotated *doc, bool *words, bool *sentences, struct vouch_error *err)
{
    struct annotated again = {.corpus = doc->corpus, .file = doc->file, .line = doc->line, .text = doc->text};
    if (!cut_by_rule(doc, err))
        return false;
    const struct word_cuts *cuts = doc->corpus->cuts;
    *words = cuts->words == doc->words;
    for (uint32_t i = 0; *words && i < doc->words; i++)
        *words = cuts->word[i].from == doc->word[i].from && cuts->word[i].to == doc->word[i].to;
    again.word = doc->word;
    again.words = doc->words;
    bool done = annotated_cut_sentences(&again, err);
    *sentences = done && again.sentences == doc->sentences;
    for (uint32_t i = 0; *sentences && i < doc->sentences; i++)
        *sentences = again.sentence[i].to == doc->sentence[i].to;
    free(again.sentence);
    return done;
}

uint32_t annotated_word_behind(const struct annotated *doc, uint32_t byte)
{
    uint32_t low = 0, high = doc->words;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (doc->word[middle].to > byte)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool annotated_word_at(const struct annotated *doc, uint32_t begin, uint32_t end, uint32_t *word)
{
    *word = annotated_word_behind(doc, begin);
    return *word < doc->words && doc->word[*word].from == begin && doc->word[*word].to == end;
}

static bool has_tags(const struct tag_column *column, uint32_t words)
{
    uint32_t i = 0;
    while (i < words && column->cell[i].length == 0)
        i++;
    return i < words;
}

void annotated_drop_tree(struct annotated *doc)
{
    free(doc->head);
    free(doc->deprel);
    doc->head = NULL;
    doc->deprel = NULL;
    doc->headed = 0;
    doc->head_capacity = doc->deprel_capacity = 0;
}

void annotated_drop_empty(struct annotated *doc)
{
    uint32_t kept = 0, known = 0;
    for (uint32_t c = 0; c < doc->columns; c++)
        if (has_tags(&doc->column[c], doc->words))
            doc->column[kept++] = doc->column[c];
        else
            free(doc->column[c].cell);
    doc->columns = kept;
    for (uint32_t i = 0; doc->head && i < doc->words; i++)
        known += doc->head[i] != NO_HEAD || doc->deprel[i].length > 0;
    if (known == 0)
        annotated_drop_tree(doc);
}

bool annotated_keep_text(struct annotated *doc, struct vouch_error *err)
{
    struct annotated_texts *corpus = doc->corpus;
    if (corpus->draft.length > 0)
        doc->text = texts_keep(corpus, buffer_text(&corpus->draft), err);
    corpus->draft.length = 0;
    return doc->text.at != NULL;
}

/* ---- Labels of words ---- */

bool annotated_add_labels(struct annotated *doc, uint32_t first, const struct text *label, uint32_t N,
                          struct vouch_error *err)
{
    struct text outside = {"O", 1}, type;
    doc->spanned = true;
    for (uint32_t i = 0, from = 0; i < N; i++) {
        if (scheme_split(label[i], &type) == 0 || (type.length == 0 && !text_equal(label[i], outside)))
            return fail_document(doc, err, "word %u: expected O or a label with B-, I-, E- or S-, found '%.*s'",
                                 first + i + 1, excerpt(label[i]), label[i].at);
        if (scheme_starts(i > 0 ? label[i - 1] : outside, label[i]))
            from = i;
        if (!scheme_inside(label[i]) || !scheme_ends(label[i], i + 1 < N ? label[i + 1] : outside))
            continue;
        type = texts_keep(doc->corpus, type, err);
        if (!type.at || !annotated_add_span(doc, first + from, first + i + 1, type, err))
            return false;
    }
    return true;
}

const uint32_t *annotated_span_of_word(const struct annotated *doc, struct vouch_error *err)
{
    struct annotated_texts *corpus = doc->corpus;
    if (!RESERVE(corpus->span_of, corpus->span_of_capacity, (size_t)doc->words + 1, err))
        return NULL;
    for (uint32_t i = 0; i <= doc->words; i++)
        corpus->span_of[i] = NO_SPAN;
    for (uint32_t i = 0; i < doc->spans; i++)
        for (uint32_t w = doc->span[i].from; w < doc->span[i].to; w++)
            corpus->span_of[w] = i;
    return corpus->span_of;
}

char annotated_prefix(const struct annotated *doc, const uint32_t *span_of, uint32_t sentence, uint32_t word,
                      enum scheme scheme)
{
    uint32_t here = span_of[word];
    if (here == NO_SPAN)
        return 'O';
    const struct marked_span *span = &doc->span[here];
    bool first = word == span->from, last = word + 1 == span->to;
    if (scheme == SCHEME_BIOES)
        return first && last ? 'S' : first ? 'B' : last ? 'E' : 'I';
    if (scheme != SCHEME_IOB1)
        return first ? 'B' : 'I';
    bool touches = first && word > doc->sentence[sentence].from && span_of[word - 1] != NO_SPAN &&
                   text_equal(doc->span[span_of[word - 1]].label, span->label);
    return touches ? 'B' : 'I';
}
