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

/* ---- Spans, relations, columns, trees ---- */

/* Whether a label or a tag can stand in a column: there is no tab, end of a line or white space at its ends. */
static bool is_cell(struct text text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if (text.at[i] == '\t' || text.at[i] == '\n' || text.at[i] == '\r' || text.at[i] == '\0')
            return false;
    return white_trimmed(text).length == text.length;
}

/* Checks columns; what was not filled is empty. */
static bool settle_columns(struct annotated *doc, struct vouch_error *err)
{
    for (uint32_t c = 0; c < doc->columns; c++) {
        struct tag_column *column = annotated_column(doc, doc->column[c].name, err);
        if (!column)
            return false;
        for (uint32_t i = 0; i < doc->words; i++) {
            if (text_is(column->cell[i], "_"))
                column->cell[i].length = 0;
            if (!is_cell(column->cell[i]))
                return fail_document(doc, err, "word %u, %.*s: expected a tag on one line without tabs, found '%.*s'",
                                     i + 1, excerpt(column->name), column->name.at, excerpt(column->cell[i]),
                                     column->cell[i].at);
        }
    }
    return true;
}

static bool has_tags(const struct tag_column *column, uint32_t words)
{
    uint32_t i = 0;
    while (i < words && column->cell[i].length == 0)
        i++;
    return i < words;
}

static bool check_name(const struct annotated *doc, struct text name, const char *what, struct vouch_error *err)
{
    return is_cell(name) || fail_document(doc, err, "expected the %s on one line without tabs, found '%.*s'", what,
                                          excerpt(name), name.at);
}

/* Checks names and relations, which formats of lines must be able to write. */
static bool settle_names(const struct annotated *doc, struct vouch_error *err)
{
    if (!check_name(doc, doc->id, "name of a document", err) || !check_name(doc, doc->annotator, "annotator", err))
        return false;
    for (uint32_t i = 0; i < doc->sentences; i++)
        if (!check_name(doc, doc->sentence[i].id, "name of a sentence", err))
            return false;
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!check_name(doc, doc->span[i].id, "name of a span", err))
            return false;
    for (uint32_t i = 0; i < doc->relations; i++)
        if (!check_name(doc, doc->relation[i].id, "name of a relation", err) ||
            !check_name(doc, doc->relation[i].label, "label of a relation", err))
            return false;
    for (uint32_t i = 0; i < doc->columns; i++)
        if (!check_name(doc, doc->column[i].name, "name of a column", err))
            return false;
    return true;
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

bool annotated_word_at(const struct annotated *doc, uint32_t begin, uint32_t end, uint32_t *word)
{
    *word = word_behind(doc, begin);
    return *word < doc->words && doc->word[*word].from == begin && doc->word[*word].to == end;
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
    span->from = from;
    span->to = to;
    span->begin = begin;
    span->end = end;
    return true;
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
            if (text_is(doc->deprel[from + i], "_"))
                doc->deprel[from + i].length = 0;
            if (!check_name(doc, doc->deprel[from + i], "relation of a word", err))
                return false;
        }
        uint32_t on_cycle = heads_cycle(head, N, walk);
        arena_reset(&doc->corpus->scratch);
        if (on_cycle)
            return fail_document(doc, err, "sentence %u: expected a tree, found a cycle of heads at word %u", s + 1,
                                 on_cycle);
    }
    return true;
}

/* Brings comments into their form: lines that are not blank, each with its LF. */
static bool settle_comments(struct annotated *doc, struct vouch_error *err)
{
    struct annotated_texts *corpus = doc->corpus;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        struct text rest = doc->sentence[s].comments, line;
        uint64_t number = 0;
        corpus->draft.length = 0;
        while (cut_source_line(&rest, &line, &number))
            if (white_trimmed(line).length > 0 &&
                (!buffer_add(&corpus->draft, line, err) || !buffer_put(&corpus->draft, '\n', err)))
                return false;
        if (!text_equal(buffer_text(&corpus->draft), doc->sentence[s].comments))
            doc->sentence[s].comments = texts_keep(corpus, buffer_text(&corpus->draft), err);
        if (!doc->sentence[s].comments.at)
            return false;
    }
    corpus->draft.length = 0;
    return true;
}

/* Reads the number of a range, "3-4", or of an empty node, "3.1". */
static bool read_pair(struct text id, char mark, uint32_t pair[2])
{
    struct text number[2] = {text_cut(&id, mark), id};
    for (int i = 0; i < 2; i++)
        if (number[i].length > 9 || !text_whole(number[i], &pair[i]) || (number[i].at[0] == '0' && number[i].length > 1))
            return false;
    return true;
}

/* Checks the lines that are no words: numbers of ranges and empty nodes must be those of their places. */
static bool settle_others(const struct annotated *doc, struct vouch_error *err)
{
    uint32_t nodes = 0, range = 0; /* empty nodes since the last word; the last word of the last range */
    for (uint32_t i = 0; i < doc->others; i++) {
        const struct marked_line *other = &doc->other[i], *before = i > 0 ? other - 1 : NULL;
        struct text line = other->line, id = text_cut(&line, '\t');
        uint32_t pair[2], tabs = 1, empty = 0, place = 0, N = 0;
        for (uint32_t j = 0; j < line.length; j++) {
            tabs += line.at[j] == '\t';
            empty += line.at[j] == '\n' || line.at[j] == '\r' || (line.at[j] == '\t' && j > 0 && line.at[j - 1] == '\t');
        }
        empty += line.length == 0 || line.at[0] == '\t' || line.at[line.length - 1] == '\t';
        if (!before || before->sentence != other->sentence)
            nodes = range = 0;
        else if (before->word != other->word)
            nodes = 0;
        if (other->sentence < doc->sentences) {
            place = other->word - doc->sentence[other->sentence].from;
            N = doc->sentence[other->sentence].to - doc->sentence[other->sentence].from;
        }
        bool after = !before || before->sentence < other->sentence ||
                     (before->sentence == other->sentence && before->word <= other->word);
        bool fits = after && place <= N && N > 0 && tabs == 9 && empty == 0;
        if (fits && read_pair(id, '.', pair))
            fits = pair[0] == place && pair[1] == ++nodes;
        else if (fits && read_pair(id, '-', pair) && pair[0] == place + 1 && pair[1] > place && pair[1] <= N && place >= range)
            range = pair[1];
        else
            fits = false;
        if (!fits)
            return fail_document(doc, err, "expected a range or an empty node of CoNLL-U for its place, found '%.*s'",
                                 excerpt(other->line), other->line.at);
    }
    return true;
}

/* Whether a score is none, or finite; it is no negative zero. */
static bool settle_score(double *score)
{
    *score += 0.0;
    return isnan(*score) || isfinite(*score);
}

/* Checks scores, and that there is an answer if the state says so. */
static bool settle_answer(struct annotated *doc, struct vouch_error *err)
{
    bool finite = settle_score(&doc->score);
    for (uint32_t i = 0; i < doc->spans; i++)
        finite = settle_score(&doc->span[i].score) && finite;
    for (uint32_t i = 0; i < doc->relations; i++)
        finite = settle_score(&doc->relation[i].score) && finite;
    if (!finite)
        return fail_document(doc, err, "expected finite scores");
    return doc->state != ANSWER_NONE || (!doc->spanned && doc->spans == 0 && !doc->head) ||
           fail_document(doc, err, "expected no labels and no tree where there is no answer yet");
}

/* Spans in the order of the text, and the longer first. */
static int span_order(const void *left, const void *right)
{
    const struct marked_span *a = left, *b = right;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to > b->to ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Sorts spans; relations go along. */
static bool sort_spans(struct annotated *doc, struct vouch_error *err)
{
    uint32_t *now;
    bool sorted = true;
    for (uint32_t i = 0; i < doc->spans; i++) {
        doc->span[i].place = i;
        sorted = sorted && (i == 0 || span_order(&doc->span[i - 1], &doc->span[i]) < 0);
    }
    if (sorted)
        return true;
    if (!ARENA_ARRAY(now, doc->spans, &doc->corpus->scratch, err))
        return false;
    qsort(doc->span, doc->spans, sizeof *doc->span, span_order);
    for (uint32_t i = 0; i < doc->spans; i++)
        now[doc->span[i].place] = i;
    for (uint32_t i = 0; i < doc->relations; i++) {
        doc->relation[i].from = now[doc->relation[i].from];
        doc->relation[i].to = now[doc->relation[i].to];
    }
    arena_reset(&doc->corpus->scratch);
    return true;
}

bool annotated_keep_text(struct annotated *doc, struct vouch_error *err)
{
    struct annotated_texts *corpus = doc->corpus;
    if (corpus->draft.length > 0)
        doc->text = texts_keep(corpus, buffer_text(&corpus->draft), err);
    corpus->draft.length = 0;
    return doc->text.at != NULL;
}

bool annotated_settle(struct annotated *doc, struct vouch_error *err)
{
    if (!annotated_keep_text(doc, err) || !annotated_end_sentence(doc, err))
        return false;
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!settle_edges(doc, &doc->span[i], err))
            return false;
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!settle_words(doc, &doc->span[i], err))
            return false;
    if (!settle_names(doc, err) || !settle_columns(doc, err) || !settle_comments(doc, err) || !settle_others(doc, err))
        return false;
    if (doc->head && (!annotated_begin_tree(doc, err) || !settle_tree(doc, err)))
        return false;
    annotated_drop_empty(doc);
    return settle_answer(doc, err) && sort_spans(doc, err);
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
