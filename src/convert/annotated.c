/* See annotated.h. Time: linear in the text, and log n for each span. */
#include "convert/annotated.h"

#include "convert/annotation_formats.h"
#include "core/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#if __has_include("text/word_breaks.h")
#include "text/word_breaks.h"
#else
struct word_cuts {
    struct word_cut {
        size_t from, to;
        bool ends_sentence;
    } *word;
    size_t words, capacity;
};
static void word_cuts_release(struct word_cuts *cuts)
{
    free(cuts->word);
}
static bool is_letter(char c)
{
    return (c & 0x80) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool cut_words(struct text text, struct word_cuts *cuts, struct vouch_error *err)
{
    cuts->words = 0;
    for (uint32_t i = 0; i < text.length;) {
        uint32_t from = i;
        while (i < text.length && is_letter(text.at[i]))
            i++;
        if (i == from)
            i++;
        if (strchr(" \t\r\n\f\v", text.at[from]))
            continue;
        if (!RESERVE(cuts->word, cuts->capacity, cuts->words + 1, err))
            return false;
        cuts->word[cuts->words++] = (struct word_cut){from, i, text.at[from] == '.'};
    }
    if (cuts->words > 0)
        cuts->word[cuts->words - 1].ends_sentence = true;
    return true;
}
#endif

#define LARGEST_TEXT (UINT32_C(1) << 30)

void corpus_init(struct corpus *corpus)
{
    *corpus = (struct corpus){.file = ""};
}

static void release_document(struct annotated *doc)
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

void corpus_release(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        release_document(&corpus->document[i]);
    free(corpus->document);
    free(corpus->draft.bytes);
    if (corpus->cuts)
        word_cuts_release(corpus->cuts);
    free(corpus->cuts);
    arena_release(&corpus->arena);
    arena_release(&corpus->scratch);
    corpus_init(corpus);
}

struct annotated *corpus_add(struct corpus *corpus, uint64_t line, struct vouch_error *err)
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

void corpus_drop(struct corpus *corpus, size_t number)
{
    release_document(&corpus->document[number]);
    memmove(corpus->document + number, corpus->document + number + 1,
            (corpus->count - number - 1) * sizeof *corpus->document);
    corpus->count--;
}

struct text corpus_keep(struct corpus *corpus, struct text text, struct vouch_error *err)
{
    if (text.length == 0)
        return (struct text){"", 0};
    char *copy;
    if (!ARENA_ARRAY(copy, text.length, &corpus->arena, err))
        return (struct text){NULL, 0};
    memcpy(copy, text.at, text.length);
    return (struct text){copy, text.length};
}

bool fail_document(const struct annotated *doc, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    struct printed line;
    va_start(args, format);
    printed_make(&line, format, args);
    va_end(args);
    fail(err, VOUCH_ERR_FORMAT, "%s:%llu: %s", doc->file, (unsigned long long)doc->line, line.at);
    printed_release(&line);
    return false;
}

/* ---- Words and sentences ---- */

static bool is_white(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct text white_trimmed(struct text text)
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

bool annotated_cut_words(struct annotated *doc, struct vouch_error *err)
{
    struct corpus *corpus = doc->corpus;
    if (!corpus->cuts && !(corpus->cuts = new_array(1, sizeof *corpus->cuts, err)))
        return false;
    if (!cut_words(doc->text, corpus->cuts, err))
        return false;
    for (size_t i = 0; i < corpus->cuts->words; i++) {
        const struct word_cut *cut = &corpus->cuts->word[i];
        if (!put_word(doc, (uint32_t)cut->from, (uint32_t)cut->to, err) ||
            (cut->ends_sentence && !annotated_end_sentence(doc, err)))
            return false;
    }
    doc->ruled = true;
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

bool annotated_add_word(struct annotated *doc, uint32_t from, uint32_t to, struct vouch_error *err)
{
    if (from > to || to > doc->text.length)
        return fail_document(doc, err, "word %u: expected bytes of a text of %u, found %u to %u", doc->words + 1,
                             doc->text.length, from, to);
    struct text form = annotated_bytes(doc, from, to);
    if (white_trimmed(form).length == 0) {
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

bool annotated_end_sentence(struct annotated *doc, struct vouch_error *err)
{
    uint32_t from = doc->sentences ? doc->sentence[doc->sentences - 1].to : 0;
    struct text none = {"", 0};
    if (from == doc->words)
        return true;
    if (!RESERVE(doc->sentence, doc->sentence_capacity, (size_t)doc->sentences + 1, err))
        return false;
    doc->sentence[doc->sentences++] =
        (struct marked_sentence){.from = from, .to = doc->words, .id = none, .comments = none};
    return true;
}

/* ---- Spans, relations, columns, trees ---- */

static struct marked_span *put_span(struct annotated *doc, struct marked_span span, struct vouch_error *err)
{
    if (span.label.length == 0) {
        fail_document(doc, err, "span %u: expected a label, found none", doc->spans + 1);
        return NULL;
    }
    if (!RESERVE(doc->span, doc->span_capacity, (size_t)doc->spans + 1, err))
        return NULL;
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
    for (uint32_t i = 0; i < doc->words; i++) {
        doc->head[i] = NO_HEAD;
        doc->deprel[i] = (struct text){"", 0};
    }
    return true;
}

/* ---- Settling ---- */

/* Returns the first word that ends behind a byte; the number of words if there is none. */
static uint32_t word_behind(const struct annotated *doc, uint32_t byte)
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

/* Whether a byte is inside of a word, and not at one of its edges. */
static bool inside_word(const struct annotated *doc, uint32_t byte, uint32_t *word)
{
    *word = word_behind(doc, byte);
    return *word < doc->words && doc->word[*word].from < byte;
}

/* Cuts a word in two; what counts words moves along. */
static bool cut_word(struct annotated *doc, uint32_t word, uint32_t byte, struct vouch_error *err)
{
    if (doc->columns > 0 || doc->head)
        return fail_document(doc, err, "word %u, '%.*s', cannot be cut: it has tags or a head", word + 1,
                             excerpt(annotated_form(doc, word)), annotated_form(doc, word).at);
    if (!RESERVE(doc->word, doc->word_capacity, (size_t)doc->words + 1, err))
        return false;
    memmove(doc->word + word + 1, doc->word + word, (doc->words - word) * sizeof *doc->word);
    doc->words++;
    doc->word[word].to = doc->word[word + 1].from = byte;
    for (uint32_t i = 0; i < doc->sentences; i++) {
        doc->sentence[i].from += doc->sentence[i].from > word;
        doc->sentence[i].to += doc->sentence[i].to > word;
    }
    doc->corpus->counts.cut++;
    doc->ruled = false;
    return true;
}

static bool refuse_edge(const struct annotated *doc, const struct marked_span *span, uint32_t word,
                        struct vouch_error *err)
{
    struct text found = annotated_bytes(doc, span->begin, span->end), form = annotated_form(doc, word);
    struct annotated place = *doc;
    place.line = span->line ? span->line : doc->line;
    return fail_document(&place, err,
                         "span %u, %.*s: expected edges between words, found '%.*s', which ends or begins inside of "
                         "'%.*s' (--edges cut or --edges widen takes it)",
                         (uint32_t)(span - doc->span) + 1, excerpt(span->label), span->label.at, excerpt(found),
                         found.at, excerpt(form), form.at);
}

/* Sees to it that both edges of a span are between words. */
static bool settle_edges(struct annotated *doc, struct marked_span *span, struct vouch_error *err)
{
    uint32_t *edge[2] = {&span->begin, &span->end}, word;
    bool wider = false;
    for (int side = 0; side < 2; side++) {
        if (!inside_word(doc, *edge[side], &word))
            continue;
        if (doc->corpus->edges == EDGES_REFUSE)
            return refuse_edge(doc, span, word, err);
        if (doc->corpus->edges == EDGES_CUT && !cut_word(doc, word, *edge[side], err))
            return false;
        if (doc->corpus->edges == EDGES_WIDEN) {
            *edge[side] = side == 0 ? doc->word[word].from : doc->word[word].to;
            wider = true;
        }
    }
    doc->corpus->counts.widened += wider;
    return true;
}

/* Finds the words of a span whose edges are between words. */
static bool settle_words(struct annotated *doc, struct marked_span *span, struct vouch_error *err)
{
    uint32_t from = word_behind(doc, span->begin), to = from;
    if (from == doc->words || doc->word[from].from >= span->end)
        return fail_document(doc, err, "span %u, %.*s: expected words in it, found '%.*s'",
                             (uint32_t)(span - doc->span) + 1, excerpt(span->label), span->label.at,
                             excerpt(annotated_bytes(doc, span->begin, span->end)), doc->text.at + span->begin);
    to = word_behind(doc, span->end - 1);
    to += to < doc->words && doc->word[to].from < span->end;
    uint32_t begin = doc->word[from].from, end = doc->word[to - 1].to;
    doc->corpus->counts.trimmed += begin != span->begin || end != span->end;
    *span = (struct marked_span){from, to, begin, end, span->label, span->id, span->score, span->line, span->note};
    return true;
}

/* Checks that heads are words of the same sentence, and no cycle. */
static bool settle_tree(struct annotated *doc, struct vouch_error *err)
{
    for (uint32_t s = 0; s < doc->sentences; s++) {
        uint32_t from = doc->sentence[s].from, N = doc->sentence[s].to - from, *head, *walk;
        if (!ARENA_ARRAY(head, N, &doc->corpus->scratch, err) || !ARENA_ARRAY(walk, N + 1, &doc->corpus->scratch, err))
            return false;
        for (uint32_t i = 0; i < N; i++) {
            uint32_t up = doc->head[from + i];
            if (up != 0 && up != NO_HEAD && (up <= from || up > from + N || up == from + i + 1))
                return fail_document(doc, err,
                                     "sentence %u, word %u: expected a head among the other words, found %lld", s + 1,
                                     i + 1, (long long)up - from);
            head[i] = up == 0 || up == NO_HEAD ? 0 : up - from;
        }
        uint32_t on_cycle = heads_cycle(head, N, walk);
        arena_reset(&doc->corpus->scratch);
        if (on_cycle)
            return fail_document(doc, err, "sentence %u: expected a tree, found a cycle of heads at word %u", s + 1,
                                 on_cycle);
    }
    return true;
}

bool annotated_settle(struct annotated *doc, struct vouch_error *err)
{
    struct corpus *corpus = doc->corpus;
    if (corpus->draft.length > 0) {
        doc->text = corpus_keep(corpus, buffer_text(&corpus->draft), err);
        corpus->draft.length = 0;
        if (!doc->text.at)
            return false;
    }
    if (!annotated_end_sentence(doc, err))
        return false;
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!settle_edges(doc, &doc->span[i], err))
            return false;
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!settle_words(doc, &doc->span[i], err))
            return false;
    for (uint32_t i = 0; i < doc->columns; i++)
        if (!annotated_column(doc, doc->column[i].name, err))
            return false;
    return !doc->head || settle_tree(doc, err);
}

bool annotated_is_ruled(struct annotated *doc, bool *ruled, struct vouch_error *err)
{
    struct annotated again = {.corpus = doc->corpus, .file = doc->file, .line = doc->line, .text = doc->text};
    *ruled = true;
    bool done = doc->ruled || annotated_cut_words(&again, err);
    if (done && !doc->ruled) {
        *ruled = again.words == doc->words && again.sentences == doc->sentences &&
                 (doc->words == 0 || memcmp(again.word, doc->word, doc->words * sizeof *doc->word) == 0);
        for (uint32_t i = 0; *ruled && i < doc->sentences; i++)
            *ruled = again.sentence[i].to == doc->sentence[i].to;
        doc->ruled = *ruled;
    }
    release_document(&again);
    return done;
}
