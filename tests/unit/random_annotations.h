/*
 * Makes annotated texts at random, out of what formats stumble over: tabs and ends of lines, characters that cannot be
 * seen, words that look like marks, spans that touch, nest and overlap, documents without words.
 *
 * Choices come from random numbers, or from bytes that a fuzzer chooses.
 */
#ifndef VOUCH_TESTS_RANDOM_ANNOTATIONS_H
#define VOUCH_TESTS_RANDOM_ANNOTATIONS_H

#include "base/random.h"
#include "convert/annotated.h"

#include <stdio.h>

struct dice {
    struct rng rng;
    const uint8_t *bytes; /* NULL: numbers are random; else zero behind the last */
    size_t length;
};

static uint32_t roll(struct dice *dice, uint32_t below)
{
    if (!dice->bytes)
        return rng_below(&dice->rng, below);
    uint32_t byte = dice->length > 0 ? *dice->bytes : 0;
    dice->bytes += dice->length > 0;
    dice->length -= dice->length > 0;
    return byte % below;
}

#define PICK(dice, list) text_of((list)[roll(dice, sizeof(list) / sizeof *(list))])

/* What stands for itself on one line: words, tags, labels, names. */
static const char *const random_cells[] = {
    "Ada", "x", "_", "-DOCSTART-x", "#", "# text = x", "O", "B-", "B-PER", "I-PER", "E-X", "S-X", "L-X", "\\", "\\t",
    "|", "*", "[1]", "a|b",
    "a b", "a;b", "a_b", "->", "\"", "\"q\"", "e\xCC\x81", "\xCC\x81", "\xF0\x9F\x98\x80",
    "\xF0\x9F\x98\x80\xE2\x80\x8D\xF0\x9F\x98\x80",
    "\xE2\x80\xA8", "a\xE2\x80\xA9z", "\xC2\xA0", "\xC2\x85", "\xEF\xBB\xBF", "\xEF\xBB\xBFx", "\x01", "a\x1Fz",
    "a\x0Bz", "a\x0Cz", "\x7F", "0", "7", "007", "4294967295",
    "12345678901", "T1", "R1", "T01", "span-1", "span-999999999", "word-1", "NER=B-X", "SpaceAfter=No",
    "A=1|SpaceAfter=No", "SpacesAfter=\\n", "||a|",
    "newdoc", "null", "{}", "a@b", "1-1", "score=1", "PER", "NamedEntity", ".", "\xE4\xBD\xA0\xE5\xA5\xBD", "%s%n",
    "1-2\\.1"};

static const char *const random_gaps[] = {" ", " ", " ", "", "", "\n", "  ", "\t", "\r\n", "\n\n", "\xC2\xA0",
    "\xE2\x80\xA8", " x ", "|=\\", "\n ", "\x0C", "\\n", "\r"};
static const char *const random_notes[] = {"?", "score=1 x", "score=", "a\tb", "a\nb", " a ", "score=0.5", "\r", "#"};
static const char *const random_columns[] = {"2", "3", "lemma", "upos", "xpos", "feats", "deps", "misc", "label",
    "text", "meta", "", "id", "pos tags", "7", "ner_tags", "tokens"};
static const char *const random_metas[] = {"{\"source\": \"web\"}", "{\"text\": 1, \"n\": [1, 2.5, null, true]}",
    "{\"meta\": {}, \"\": {}}", "{\"tokens\": [\"a\"], \"label\": [], \"entities\": 0}",
    "{\"id\": 1, \"spans\": 2, \"score\": 0.5, \"answer\": \"x\"}",
    "{\"words\": [], \"sentences\": [], \"columns\": []}", "{\"document\": \"\\u0001\\\"\\\\\", \"x\": -1e-07}"};
static const char *const random_comments[] = {"# a\n", "#\n", "# text = b\n", "# sent_id = 9\n# z\n", "# newdoc\n",
    "# newdoc id = q\n", "no mark\n", "#\ta\n", "# a\tb\tc\n", "\n# c\r\n"};

static struct text random_cell(struct dice *dice)
{
    return PICK(dice, random_cells);
}

/* A name of something, which half of them do not have. */
static struct text random_name(struct dice *dice)
{
    return roll(dice, 2) ? random_cell(dice) : (struct text){"", 0};
}

static double random_score(struct dice *dice)
{
    static const double scores[] = {0.5, 1, 0, -0.0, 1e-300, 0.1, 123456789.125};
    return roll(dice, 2) ? NAN : scores[roll(dice, sizeof scores / sizeof *scores)];
}

/* Makes the text, its words and its sentences. */
static bool random_words(struct dice *dice, struct annotated *doc, struct vouch_error *err)
{
    struct buffer text = {0};
    uint32_t N = roll(dice, 8), from[8], to[8];
    bool plain = roll(dice, 3) == 0, done = true;
    for (uint32_t i = 0; done && i < N; i++) {
        struct text gap = plain ? text_of(i > 0 ? " " : "") : PICK(dice, random_gaps);
        done = buffer_add(&text, gap, err);
        from[i] = (uint32_t)text.length;
        done = done && buffer_add(&text, random_cell(dice), err);
        to[i] = (uint32_t)text.length;
    }
    if (!plain && roll(dice, 2))
        done = done && buffer_add(&text, PICK(dice, random_gaps), err);
    doc->text = texts_keep(doc->corpus, buffer_text(&text), err);
    free(text.bytes);
    if (roll(dice, 8) == 0)
        return done && annotated_cut_words(doc, err);
    for (uint32_t i = 0; done && i < N; i++)
        done = annotated_add_word(doc, from[i], to[i], err) && (roll(dice, 4) > 0 || annotated_end_sentence(doc, err));
    return done && annotated_end_sentence(doc, err);
}

static bool random_spans(struct dice *dice, struct annotated *doc, struct vouch_error *err)
{
    doc->spanned = roll(dice, 4) > 0;
    for (uint32_t n = roll(dice, 6); n > 0 && doc->words > 0; n--) {
        uint32_t from = roll(dice, doc->words), length = 1 + roll(dice, 3);
        uint32_t to = from + length < doc->words ? from + length : doc->words;
        struct marked_span *span = annotated_add_span(doc, from, to, random_cell(dice), err);
        if (!span)
            return false;
        span->id = random_name(dice);
        span->score = random_score(dice);
        span->note = roll(dice, 4) ? (struct text){"", 0} : PICK(dice, random_notes);
    }
    for (uint32_t n = roll(dice, 3); n > 0 && doc->spans > 0; n--) {
        uint32_t from = roll(dice, doc->spans), to = roll(dice, doc->spans);
        struct marked_relation *relation = annotated_add_relation(doc, from, to, random_name(dice), err);
        if (!relation)
            return false;
        relation->id = random_name(dice);
        relation->score = random_score(dice);
    }
    return true;
}

static bool random_tags(struct dice *dice, struct annotated *doc, struct vouch_error *err)
{
    for (uint32_t n = roll(dice, 4); n > 0; n--) {
        struct tag_column *column = annotated_column(doc, PICK(dice, random_columns), err);
        if (!column)
            return false;
        for (uint32_t i = 0; i < doc->words; i++)
            column->cell[i] = random_name(dice);
    }
    return true;
}

/* Heads are words in front, so that there is no cycle. */
static bool random_tree(struct dice *dice, struct annotated *doc, struct vouch_error *err)
{
    uint32_t open = roll(dice, 3);
    if (!annotated_begin_tree(doc, err))
        return false;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        uint32_t first = doc->sentence[s].from, none = roll(dice, 4) == 0;
        for (uint32_t i = first; i < doc->sentence[s].to; i++) {
            uint32_t up = roll(dice, i - first + 1);
            doc->head[i] = none || (open == 1 && roll(dice, 3) == 0) ? NO_HEAD : up == 0 ? 0 : first + up;
            doc->deprel[i] = random_name(dice);
        }
    }
    return true;
}

/* Lines of CoNLL-U that are no words: a range in front of a word, an empty node behind one. */
static bool random_lines(struct dice *dice, struct annotated *doc, struct vouch_error *err)
{
    static const char *const misc[] = {"_", "SpaceAfter=No", "SpacesAfter=\\n\\s", "x|y", "NER=O"};
    for (uint32_t s = 0; s < doc->sentences; s++) {
        uint32_t first = doc->sentence[s].from, N = doc->sentence[s].to - first, word = roll(dice, N);
        char line[100];
        bool range = roll(dice, 2);
        struct text kept = PICK(dice, misc);
        if (roll(dice, 2))
            continue;
        if (range)
            snprintf(line, sizeof line, "%u-%u\tab\t_\t_\t_\t_\t_\t_\t_\t%.*s", word + 1,
                     word + 1 + roll(dice, N - word), (int)kept.length, kept.at);
        else
            snprintf(line, sizeof line, "%u.1\tab\t_\t_\t_\t_\t_\t_\t_\t_", word);
        kept = texts_keep(doc->corpus, text_of(line), err);
        if (!kept.at || !RESERVE(doc->other, doc->other_capacity, (size_t)doc->others + 1, err))
            return false;
        doc->other[doc->others++] = (struct marked_line){first + word, s, kept};
    }
    return true;
}

static bool random_document(struct dice *dice, struct annotated_texts *corpus, struct vouch_error *err)
{
    struct annotated *doc = texts_add(corpus, 1, err);
    if (!doc || !random_words(dice, doc, err))
        return false;
    doc->id = random_name(dice);
    doc->annotator = random_name(dice);
    doc->score = random_score(dice);
    doc->state = roll(dice, 2) ? ANSWER_GIVEN : (enum answer_state)roll(dice, ANSWER_STATES);
    doc->meta = roll(dice, 3) ? (struct text){"", 0} : PICK(dice, random_metas);
    for (uint32_t s = 0; s < doc->sentences; s++) {
        doc->sentence[s].id = random_name(dice);
        doc->sentence[s].comments = roll(dice, 4) ? (struct text){"", 0} : PICK(dice, random_comments);
    }
    bool answered = doc->state != ANSWER_NONE;
    return (!answered || random_spans(dice, doc, err)) && random_tags(dice, doc, err) &&
           (!answered || roll(dice, 3) || random_tree(dice, doc, err)) &&
           (roll(dice, 4) || random_lines(dice, doc, err)) && annotated_settle(doc, err);
}

/* Makes up to four documents. */
static bool random_texts(struct dice *dice, struct annotated_texts *corpus, struct vouch_error *err)
{
    texts_init(corpus);
    for (uint32_t n = 1 + roll(dice, 4); n > 0; n--)
        if (!random_document(dice, corpus, err))
            return false;
    return true;
}

#endif
