/* Compares annotated texts, field by field. */
#ifndef VOUCH_TESTS_SAME_ANNOTATIONS_H
#define VOUCH_TESTS_SAME_ANNOTATIONS_H

#include "convert/annotation_formats.h"

#include <stdio.h>

#define ALL_KINDS UINT64_MAX

/* What is different, in words, and of which item; empty: nothing. */
static char annotations_difference[400];

static bool differ(const char *what, uint32_t number, struct text a, struct text b)
{
    snprintf(annotations_difference, sizeof annotations_difference, "%s %u: '%.*s', then '%.*s'", what, number,
             excerpt(a), a.at, excerpt(b), b.at);
    return false;
}

static bool same_text(const char *what, uint32_t number, struct text a, struct text b)
{
    return text_equal(a, b) || differ(what, number, a, b);
}

static bool same_count(const char *what, uint64_t a, uint64_t b)
{
    char room[2][32];
    snprintf(room[0], sizeof room[0], "%llu", (unsigned long long)a);
    snprintf(room[1], sizeof room[1], "%llu", (unsigned long long)b);
    return a == b || differ(what, 0, text_of(room[0]), text_of(room[1]));
}

static bool same_number(const char *what, uint32_t number, double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b || differ(what, number, (struct text){"", 0}, (struct text){"", 0});
}

static bool same_span(const struct marked_span *x, const struct marked_span *y, uint32_t i, uint64_t kinds)
{
    return (!(kinds & KEPT(WORDS)) ||
            (same_count("first word of a span", x->from, y->from) && same_count("end of a span", x->to, y->to))) &&
           (!(kinds & KEPT(TEXT)) ||
            (same_count("first byte of a span", x->begin, y->begin) && same_count("end of a span", x->end, y->end))) &&
           (!(kinds & KEPT(SPANS)) || same_text("label of span", i, x->label, y->label)) &&
           (!(kinds & KEPT(SPAN_IDS)) || same_text("name of span", i, x->id, y->id)) &&
           (!(kinds & KEPT(SPAN_SCORES)) || same_number("score of span", i, x->score, y->score)) &&
           (!(kinds & KEPT(NOTES)) || same_text("note of span", i, x->note, y->note));
}

/* Counts the relations of a document that are like one of another, in any order. */
static uint32_t count_relations(const struct annotated *b, const struct marked_relation *x, uint64_t kinds)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->relations; i++) {
        const struct marked_relation *y = &b->relation[i];
        bool scored = x->score == y->score || (isnan(x->score) && isnan(y->score));
        count += x->from == y->from && x->to == y->to &&
                 (!(kinds & KEPT(SPANS)) || text_equal(x->label, y->label)) &&
                 (!(kinds & KEPT(RELATION_IDS)) || text_equal(x->id, y->id)) &&
                 (!(kinds & KEPT(RELATION_SCORES)) || scored);
    }
    return count;
}

static bool same_spans(const struct annotated *a, const struct annotated *b, uint64_t kinds)
{
    if (!same_count("number of spans", a->spans, b->spans))
        return false;
    for (uint32_t i = 0; i < a->spans; i++)
        if (!same_span(&a->span[i], &b->span[i], i + 1, kinds))
            return false;
    if (!(kinds & KEPT(RELATIONS)))
        return true;
    if (!same_count("number of relations", a->relations, b->relations))
        return false;
    for (uint32_t i = 0; i < a->relations; i++)
        if (count_relations(a, &a->relation[i], kinds) != count_relations(b, &a->relation[i], kinds))
            return differ("relation", i + 1, a->relation[i].label, b->relation[i].label);
    return true;
}

static bool same_words(const struct annotated *a, const struct annotated *b)
{
    if (!same_count("number of words", a->words, b->words) ||
        !same_count("number of sentences", a->sentences, b->sentences))
        return false;
    for (uint32_t i = 0; i < a->words; i++)
        if (!same_text("word", i + 1, annotated_form(a, i), annotated_form(b, i)))
            return false;
    for (uint32_t i = 0; i < a->sentences; i++)
        if (!same_count("end of a sentence", a->sentence[i].to, b->sentence[i].to))
            return false;
    return true;
}

static bool same_sentences(const struct annotated *a, const struct annotated *b, uint64_t kinds)
{
    for (uint32_t i = 0; i < a->sentences; i++) {
        const struct marked_sentence *x = &a->sentence[i], *y = &b->sentence[i];
        if (((kinds & KEPT(SENTENCE_IDS)) && !same_text("name of sentence", i + 1, x->id, y->id)) ||
            ((kinds & KEPT(COMMENTS)) && !same_text("comments of sentence", i + 1, x->comments, y->comments)))
            return false;
    }
    if (!(kinds & KEPT(OTHER_LINES)))
        return true;
    if (!same_count("number of other lines", a->others, b->others))
        return false;
    for (uint32_t i = 0; i < a->others; i++)
        if (!same_count("place of a line", a->other[i].word, b->other[i].word) ||
            !same_count("sentence of a line", a->other[i].sentence, b->other[i].sentence) ||
            !same_text("line", i + 1, a->other[i].line, b->other[i].line))
            return false;
    return true;
}

static bool same_tree(const struct annotated *a, const struct annotated *b)
{
    for (uint32_t i = 0; i < a->words; i++) {
        struct text none = {"", 0}, x = a->head ? a->deprel[i] : none, y = b->head ? b->deprel[i] : none;
        if (!same_count("head", a->head ? a->head[i] : NO_HEAD, b->head ? b->head[i] : NO_HEAD) ||
            !same_text("relation of word", i + 1, x, y))
            return false;
    }
    return true;
}

/* Whether every tag of a document is one of another. */
static bool has_cells(const struct annotated *a, const struct annotated *b)
{
    for (uint32_t c = 0; c < a->columns; c++)
        for (uint32_t i = 0; i < a->words; i++) {
            struct text name = a->column[c].name;
            if (!same_text("tag of word", i + 1, annotated_cell(a, name, i), annotated_cell(b, name, i)))
                return false;
        }
    return true;
}

static bool is_answer(enum answer_state a, enum answer_state b)
{
    return a == b || (a <= ANSWER_ACCEPTED && b <= ANSWER_ACCEPTED);
}

/* Whether two documents say the same, of these kinds of things. */
static bool same_document(const struct annotated *a, const struct annotated *b, uint64_t kinds)
{
    annotations_difference[0] = '\0';
    return (!(kinds & KEPT(TEXT)) || same_text("text", 1, a->text, b->text)) &&
           (!(kinds & KEPT(STATES)) || is_answer(a->state, b->state) || same_count("state", a->state, b->state)) &&
           (!(kinds & KEPT(IDS)) || same_text("name of document", 1, a->id, b->id)) &&
           (!(kinds & KEPT(META)) || same_text("meta", 1, a->meta, b->meta)) &&
           (!(kinds & KEPT(ANNOTATORS)) || same_text("annotator", 1, a->annotator, b->annotator)) &&
           (!(kinds & KEPT(SCORES)) || same_number("score of document", 1, a->score, b->score)) &&
           (!(kinds & KEPT(UNLABELLED)) || same_count("spanned", a->spanned, b->spanned)) &&
           (!(kinds & KEPT(WORDS)) || (same_words(a, b) && same_sentences(a, b, kinds))) &&
           same_spans(a, b, kinds) && (!(kinds & KEPT(TREES)) || same_tree(a, b)) &&
           (!(kinds & KEPT(COLUMNS)) || (has_cells(a, b) && has_cells(b, a)));
}

#endif
