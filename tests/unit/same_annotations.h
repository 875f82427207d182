/* Compares annotated texts: what both of two formats can say must be the same on both sides. */
#ifndef VOUCH_TESTS_SAME_ANNOTATIONS_H
#define VOUCH_TESTS_SAME_ANNOTATIONS_H

#include "convert/annotation_formats.h"

#include <stdio.h>

/* What is different, in words, and of which document; empty: nothing. */
static char annotations_difference[200];

static bool differ(const char *what, uint32_t number)
{
    snprintf(annotations_difference, sizeof annotations_difference, "%s %u", what, number);
    return false;
}

static bool same_number(double a, double b)
{
    return (isnan(a) && isnan(b)) || a == b;
}

static bool same_span(const struct annotated *a, const struct marked_span *x, const struct annotated *b,
                      const struct marked_span *y, uint64_t kept, bool respelled)
{
    bool words = x->from == y->from && x->to == y->to, bytes = x->begin == y->begin && x->end == y->end;
    (void)a, (void)b;
    return (!(kept & KEPT(WORDS)) || words) && (!(kept & KEPT(TEXT)) || bytes) &&
           (respelled || text_equal(x->label, y->label)) &&
           (!(kept & KEPT(SPAN_SCORES)) || same_number(x->score, y->score)) &&
           (respelled || !(kept & KEPT(NOTES)) || text_equal(x->note, y->note));
}

/* Counts relations of a document that are like one of another, in any order. */
static uint32_t count_relations(const struct annotated *a, const struct annotated *b, const struct marked_relation *x,
                                uint64_t kept, bool respelled)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->relations; i++) {
        const struct marked_relation *y = &b->relation[i];
        count += same_span(a, &a->span[x->from], b, &b->span[y->from], kept, respelled) &&
                 same_span(a, &a->span[x->to], b, &b->span[y->to], kept, respelled) &&
                 (respelled || text_equal(x->label, y->label)) &&
                 (!(kept & KEPT(RELATION_SCORES)) || same_number(x->score, y->score));
    }
    return count;
}

static bool same_spans(const struct annotated *a, const struct annotated *b, uint64_t kept, bool respelled)
{
    if (a->spans != b->spans)
        return differ("number of spans", b->spans);
    for (uint32_t i = 0; i < a->spans; i++)
        if (!same_span(a, &a->span[i], b, &b->span[i], kept, respelled))
            return differ("span", i + 1);
    if (!(kept & KEPT(RELATIONS)))
        return true;
    if (a->relations != b->relations)
        return differ("number of relations", b->relations);
    for (uint32_t i = 0; i < a->relations; i++)
        if (count_relations(a, a, &a->relation[i], kept, respelled) !=
            count_relations(a, b, &a->relation[i], kept, respelled))
            return differ("relation", i + 1);
    return true;
}

static bool same_words(const struct annotated *a, const struct annotated *b)
{
    if (a->words != b->words)
        return differ("number of words", b->words);
    for (uint32_t i = 0; i < a->words; i++)
        if (!text_equal(annotated_form(a, i), annotated_form(b, i)))
            return differ("word", i + 1);
    if (a->sentences != b->sentences)
        return differ("number of sentences", b->sentences);
    for (uint32_t i = 0; i < a->sentences; i++)
        if (a->sentence[i].to != b->sentence[i].to)
            return differ("sentence", i + 1);
    return true;
}

static bool same_tree(const struct annotated *a, const struct annotated *b)
{
    for (uint32_t i = 0; i < a->words; i++) {
        uint32_t x = a->head ? a->head[i] : NO_HEAD, y = b->head ? b->head[i] : NO_HEAD;
        if (x != y || (x != NO_HEAD && !text_equal(a->deprel[i], b->deprel[i])))
            return differ("head of word", i + 1);
    }
    return true;
}

static bool same_columns(const struct annotated *a, const struct annotated *b)
{
    for (uint32_t c = 0; c < a->columns; c++) {
        const struct tag_column *other = NULL;
        for (uint32_t d = 0; d < b->columns; d++)
            if (text_equal(a->column[c].name, b->column[d].name))
                other = &b->column[d];
        for (uint32_t i = 0; i < a->words; i++)
            if (!text_equal(a->column[c].cell[i], other ? other->cell[i] : (struct text){"", 0}))
                return differ("cell of word", i + 1);
    }
    return true;
}

static bool is_answer(enum answer_state a, enum answer_state b)
{
    return a == b || (a <= ANSWER_ACCEPTED && b <= ANSWER_ACCEPTED);
}

/* Whether two documents say the same in all that is kept; `respelled`: labels and notes are not compared. */
static bool same_document(const struct annotated *a, const struct annotated *b, uint64_t kept, bool respelled)
{
    annotations_difference[0] = '\0';
    if ((kept & KEPT(TEXT)) && !text_equal(a->text, b->text))
        return differ("text of bytes", b->text.length);
    if (!is_answer(a->state, b->state))
        return differ("state", b->state);
    if ((kept & KEPT(IDS)) && !text_equal(a->id, b->id))
        return differ("id of bytes", b->id.length);
    if ((kept & KEPT(META)) && !text_equal(a->meta, b->meta))
        return differ("meta of bytes", b->meta.length);
    if ((kept & KEPT(ANNOTATORS)) && !text_equal(a->annotator, b->annotator))
        return differ("annotator of bytes", b->annotator.length);
    if ((kept & KEPT(SCORES)) && !same_number(a->score, b->score))
        return differ("score of document", 1);
    return (!(kept & KEPT(WORDS)) || same_words(a, b)) && same_spans(a, b, kept, respelled) &&
           (!(kept & KEPT(TREES)) || same_tree(a, b)) && (!(kept & KEPT(COLUMN_NAMES)) || same_columns(a, b));
}

#endif
