/*
 * Reads answers in CoNLL-U, with gold and confidence beside them: see answer_table.h.
 *
 *   1  Rome  ...  2  nsubj  _  GoldHead=3|GoldRel=obj|HeadConf=0.61|RelConf=0.7
 *
 * The answers are HEAD and DEPREL, or the labels of the column that the caller names; gold and numbers are attributes
 * of MISC: GoldHead, GoldRel, HeadConf and RelConf, or GoldUpos and UposConf for the column UPOS. GoldRel and RelConf
 * may be missing. --columns names other attributes, or columns. Ranges (1-2) and empty words (1.1) are not words.
 */
#include "answers/answer_table.h"

#include "text/formats.h"

#include <stdio.h>
#include <string.h>

enum { KEY = 24 };

/* Where a field is: a column, or an attribute of MISC. */
struct conllu_place {
    uint32_t column; /* from 1; 0: an attribute */
    struct text key;
};

struct conllu_rows {
    struct conllu_place place[FIELD_SENTENCE];
    char room[2][KEY];
    struct text cell[TREE_COLUMNS];
};

/* Divides a line at tabs; false unless it has ten cells. */
static bool take_cells(struct text line, struct text *cell)
{
    return split_tabs(line, cell, TREE_COLUMNS) == TREE_COLUMNS;
}

bool answer_conllu_looks_so(const struct answer_table *t)
{
    size_t at = 0;
    uint64_t number = 0;
    struct text line, cell[TREE_COLUMNS];
    double x;
    while (answer_line(t, &at, &number, &line))
        if (!all_blank(line) && line.at[0] != '#')
            return take_cells(line, cell) && cell[0].length > 0 && strspn(cell[0].at, "0123456789") > 0 &&
                   !read_number(cell[TREE_COLUMNS - 1], &x);
    return false;
}

/* Finds where a field is that the caller names. */
static struct conllu_place place_named(struct text name)
{
    char column[KEY] = "";
    if (name.length < sizeof column)
        memcpy(column, name.at, name.length);
    for (char *c = column; *c; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 32) : *c;
    uint32_t number = column_parse(column);
    bool known = number > 1 && number < TREE_COLUMNS;
    return (struct conllu_place){.column = known ? number : 0, .key = name};
}

static void settle_places(struct answer_table *t, struct conllu_rows *r)
{
    char conf[CONLLU_CONF];
    snprintf(r->room[1], KEY, "%s", conllu_conf(t->column, conf)); /* "UposConf" */
    snprintf(r->room[0], KEY, "Gold%.*s", (int)strcspn(r->room[1], "C"), r->room[1]);
    r->place[FIELD_GOLD] = (struct conllu_place){.key = text_of(r->room[0])};
    r->place[FIELD_GUESS] = (struct conllu_place){.column = t->column ? t->column : COLUMN_HEAD + 1};
    r->place[FIELD_CONFIDENCE] = (struct conllu_place){.key = text_of(r->room[1])};
    for (uint32_t i = 0; i < FIELD_SENTENCE; i++)
        if (t->named[i])
            r->place[i] = place_named(t->field[i]);
    t->trees = r->place[FIELD_GUESS].column == COLUMN_HEAD + 1;
    t->boundaries = BOUNDARY_BLANK_LINES;
    for (int gold = 0; gold < 2; gold++) {
        const struct conllu_place *place = &r->place[gold ? FIELD_GOLD : FIELD_GUESS];
        if (place->column)
            snprintf(t->place[gold], sizeof t->place[gold], "%s", column_name(place->column));
        else
            snprintf(t->place[gold], sizeof t->place[gold], "%.*s of MISC", text_beginning(place->key, 24),
                     place->key.at);
    }
}

/* Finds the value of a field; false if the word has none. */
static bool find(const struct conllu_rows *r, const struct conllu_place *place, struct text *value)
{
    if (!place->column)
        return conllu_attribute(r->cell[COLUMN_MISC], place->key, value) && value->length > 0;
    *value = r->cell[place->column - 1];
    return value->length > 0 && !text_is(*value, "_");
}

static bool refuse_missing(const struct answer_table *t, const struct conllu_place *place, uint64_t line,
                           struct vouch_error *err)
{
    return answer_refuse(t, line, err, "expected %s%.*s, found none (--columns names others)%s",
                         place->column ? column_name(place->column) : "the attribute of MISC ",
                         place->column ? 0 : excerpt(place->key), place->column ? "" : place->key.at,
                         text_starts(place->key, "Gold") ? "; if gold is a file of its own: --answers FILE GOLD" : "");
}

static bool take_number(const struct answer_table *t, struct text text, uint64_t line, double *number,
                        struct vouch_error *err)
{
    return answer_number(text, number) ||
           answer_refuse(t, line, err, "expected a number, the confidence, found \"%.*s\"", excerpt(text), text.at);
}

/* Reads gold, answer and number of the relation, of which the first and the last may be missing. */
static bool take_relation(struct answer_table *t, const struct conllu_rows *r, struct answer_row *row,
                          struct vouch_error *err)
{
    struct text number;
    row->relation_confidence = NAN;
    if (!t->trees || !conllu_attribute(r->cell[COLUMN_MISC], text_of("GoldRel"), &row->gold_relation))
        return true;
    row->relation = r->cell[COLUMN_DEPREL];
    t->relations++;
    return !conllu_attribute(r->cell[COLUMN_MISC], text_of("RelConf"), &number) ||
           take_number(t, number, row->line, &row->relation_confidence, err);
}

static bool take_word(struct answer_table *t, struct conllu_rows *r, struct text line, uint64_t number,
                      struct vouch_error *err)
{
    struct answer_row row = {.line = number};
    struct text confidence;
    if (!take_cells(line, r->cell))
        return answer_refuse(t, number, err, "expected the ten columns of CoNLL-U, separated by tabs");
    if (memchr(r->cell[0].at, '-', r->cell[0].length) || memchr(r->cell[0].at, '.', r->cell[0].length))
        return true;
    row.word = r->cell[COLUMN_FORM];
    if (!find(r, &r->place[FIELD_GOLD], &row.gold))
        return refuse_missing(t, &r->place[FIELD_GOLD], number, err);
    if (!find(r, &r->place[FIELD_GUESS], &row.guess))
        return refuse_missing(t, &r->place[FIELD_GUESS], number, err);
    if (!find(r, &r->place[FIELD_CONFIDENCE], &confidence))
        return refuse_missing(t, &r->place[FIELD_CONFIDENCE], number, err);
    return take_number(t, confidence, number, &row.confidence, err) && take_relation(t, r, &row, err) &&
           answer_add(t, row, err);
}

/* Checks the heads of the sentence of rows from .. to - 1. */
static bool check_heads(const struct answer_table *t, size_t from, size_t to, struct vouch_error *err)
{
    for (size_t i = from; i < to; i++)
        for (int gold = 0; gold < 2; gold++) {
            struct text text = gold ? t->row[i].gold : t->row[i].guess;
            uint32_t head;
            if (!text_whole(text, &head) || head > to - from || head == i - from + 1)
                return answer_refuse(t, t->row[i].line, err,
                                     "expected the number of another word of the sentence, or 0, in %s, found \"%.*s\"",
                                     t->place[gold], excerpt(text), text.at);
        }
    return true;
}

bool answer_conllu_check(const struct answer_table *t, struct vouch_error *err)
{
    if (t->relations > 0 && t->relations != t->rows)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected GoldRel for all words or for none, found it for %zu of %zu",
                    t->name, t->relations, t->rows);
    for (size_t from = 0, to; t->trees && from < t->rows; from = to) {
        to = from + 1;
        while (to < t->rows && !t->row[to].begins)
            to++;
        if (!check_heads(t, from, to, err))
            return false;
    }
    return true;
}

bool answer_conllu_read(struct answer_table *t, struct vouch_error *err)
{
    struct conllu_rows r = {0};
    struct text line;
    size_t at = 0;
    uint64_t number = 0;
    bool ok = !t->numbered || fail(err, VOUCH_ERR_ARGUMENT,
                                   "--columns: expected names of columns or of attributes of MISC, found numbers");
    settle_places(t, &r);
    while (ok && answer_line(t, &at, &number, &line)) {
        if (all_blank(line))
            t->blank = true;
        else if (line.at[0] != '#')
            ok = take_word(t, &r, line, number, err);
    }
    return ok;
}
