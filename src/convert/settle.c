/* Completing a document, so that it is as annotated.h says: annotated_settle(). */
#include "convert/annotated.h"

#include "convert/annotation_formats.h"
#include "core/sentence.h"

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

/* Whether a byte is inside of a word, and not at one of its edges. */
static bool inside_word(const struct annotated *doc, uint32_t byte, uint32_t *word)
{
    *word = annotated_word_behind(doc, byte);
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
    uint32_t from = annotated_word_behind(doc, span->begin), to = from;
    if (from == doc->words || doc->word[from].from >= span->end)
        return fail_document(doc, err, "span %u, %.*s: expected words in it, found '%.*s'",
                             (uint32_t)(span - doc->span) + 1, excerpt(span->label), span->label.at,
                             excerpt(annotated_bytes(doc, span->begin, span->end)), doc->text.at + span->begin);
    to = annotated_word_behind(doc, span->end - 1);
    to += to < doc->words && doc->word[to].from < span->end;
    uint32_t begin = doc->word[from].from, end = doc->word[to - 1].to;
    doc->corpus->counts.trimmed += begin != span->begin || end != span->end;
    span->from = from;
    span->to = to;
    span->begin = begin;
    span->end = end;
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

/* Reads the numbers of a range, "3-4", or of an empty node, "3.1". */
static bool read_pair(struct text id, char mark, uint32_t pair[2])
{
    struct text number[2] = {text_cut(&id, mark), id};
    for (int i = 0; i < 2; i++)
        if (number[i].length > 9 || !text_whole(number[i], &pair[i]) ||
            (number[i].at[0] == '0' && number[i].length > 1))
            return false;
    return true;
}

/* Whether a line has the ten columns of CoNLL-U, none of them empty. */
static bool has_ten_columns(struct text line)
{
    uint32_t columns = 0, empty = 0;
    while (line.length > 0) {
        const struct text cell = text_cut(&line, '\t');
        empty += cell.length == 0 || memchr(cell.at, '\n', cell.length) || memchr(cell.at, '\r', cell.length);
        columns++;
    }
    return columns == 10 && empty == 0;
}

/* Checks lines that are no words: their order, and that the numbers of ranges and empty nodes fit their places. */
static bool settle_others(const struct annotated *doc, struct vouch_error *err)
{
    uint32_t nodes = 0, range = 0; /* empty nodes since the last word; the last word of the last range */
    for (uint32_t i = 0; i < doc->others; i++) {
        const struct marked_line *other = &doc->other[i], *before = i > 0 ? other - 1 : NULL;
        const struct marked_sentence *sentence = &doc->sentence[other->sentence];
        struct text rest = other->line, id = text_cut(&rest, '\t');
        uint32_t pair[2], place = 0;
        bool fits = other->sentence < doc->sentences && other->word <= sentence->to && has_ten_columns(other->line);
        if (before && before->sentence == other->sentence) {
            nodes = before->word == other->word ? nodes : 0;
            fits = fits && before->word <= other->word;
        } else {
            nodes = range = 0;
            fits = fits && (!before || before->sentence < other->sentence);
        }
        place = fits ? other->word - sentence->from : 0;
        if (fits && read_pair(id, '.', pair)) {
            fits = pair[0] == place && pair[1] == ++nodes;
        } else {
            fits = fits && read_pair(id, '-', pair) && pair[0] == place + 1 && pair[1] > place && place >= range &&
                   pair[1] <= sentence->to - sentence->from;
            range = fits ? pair[1] : range;
        }
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
