/*
 * Reads answers in CoNLL-U: one tree for each sentence, or the labels of one column, and the confidence that
 * conllu_write.c writes. Where arcs and labels have confidence, comments are about those that were written last, which
 * are last in MISC.
 *
 * Reads those of other programs as well, which have gold and confidence beside them:
 *
 *   1  Rome  ...  2  nsubj  _  GoldHead=3|GoldRel=obj|HeadConf=0.61|RelConf=0.7
 *
 * The answers are HEAD and DEPREL, or the labels of the column that the caller names; gold and numbers are attributes
 * of MISC: GoldHead, GoldRel, HeadConf and RelConf, or GoldUpos and UposConf for the column UPOS. GoldRel and RelConf
 * may be missing. --columns names other attributes, or columns. Ranges (1-2) and empty words (1.1) are not words. See
 * answer_file.h.
 */
#include "answers/answer_file.h"
#include "text/formats.h"

#include <math.h>
#include <stdio.h>

/* Returns the last of a word's cells, which begin with ID if it is of a tree, else with FORM. */
static struct text misc_of(const struct sentence *sentence, uint32_t word)
{
    return sentence_cell(sentence, word, sentence_cells(sentence, word) - 1);
}

static bool has_confidence(struct text misc, uint32_t column, struct text *value)
{
    char room[CONLLU_CONF];
    return conllu_attribute(misc, text_of(conllu_conf(column, room)), value);
}

/* Finds the MISC of the first word of the sentences ahead that has confidence in the content of a column. */
static bool find_confidence(const struct answer_file *file, uint32_t column, struct text *misc)
{
    struct text value;
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++) {
            *misc = misc_of(&file->ahead[s], i);
            if (has_confidence(*misc, column, &value))
                return true;
        }
    return false;
}

/* Refuses a file whose confidence is about something else than the answers that were asked for. */
static bool refuse_other(const struct answer_file *file, struct vouch_error *err)
{
    struct text misc;
    for (uint32_t column = 0; column < TREE_COLUMNS; column++)
        if (find_confidence(file, column, &misc))
            return fail(err, VOUCH_ERR_FORMAT, "%s has confidence in %s, none in %s: expected %s%s", file->path,
                        column ? column_name(column) : "heads", file->place[0], column ? "--column " : "no --column",
                        column ? column_name(column) : "");
    return true;
}

bool answer_conllu_settle(struct answer_file *file, struct vouch_error *err)
{
    uint32_t asked = reader_column(file->reader);
    struct text misc, mine, other;
    file->trees = asked == 0;
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++)
            file->relations |= !text_is(file->ahead[s].gold[i], "_");
    for (uint32_t i = 0; i < 2; i++)
        snprintf(file->place[i], sizeof file->place[i], "%s", asked ? column_name(asked) : "heads");
    if (!find_confidence(file, asked, &misc))
        return file->options.parts == GOLD_ALONE || refuse_other(file, err);
    file->commented = has_confidence(misc, asked, &mine);
    for (uint32_t column = 0; column < TREE_COLUMNS; column++)
        if (has_confidence(misc, column, &other) && other.at > mine.at)
            file->commented = false;
    if (file->commented && conllu_comment(file->sentence->before, text_of("conf_method"), &mine))
        return answer_name_methods(file, mine, ' ', err);
    return answer_add_method(file, (struct text){0}, false, err);
}

/* Reads the number under a key; NAN if there is none. */
static bool take_number(const struct answer_file *file, uint32_t word, struct text misc, struct text key,
                        double *number, struct vouch_error *err)
{
    struct text value;
    if (!conllu_attribute(misc, key, &value) || read_number(value, number))
        return true;
    return answer_refuse(file, answer_file_line(file, word), err, "expected a number after \"%.*s=\", found \"%.*s\"",
                         (int)key.length, key.at, excerpt(value), value.at);
}

static bool read_method(struct answer_file *file, uint32_t m, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    const char *method = file->method[m].name;
    char head_room[CONLLU_KEY], relation_room[CONLLU_KEY], whole_room[CONLLU_KEY];
    char conf[CONLLU_CONF];
    struct text head = conllu_key(conllu_conf(reader_column(file->reader), conf), method, m == 0, head_room);
    struct text relation = conllu_key("RelConf", method, m == 0, relation_room);
    struct text whole = conllu_key("conf", method, m == 0, whole_room), value;
    for (uint32_t i = 0; i < s->N; i++) {
        struct text misc = misc_of(s, i);
        if (!take_number(file, i, misc, head, &answer_words(file, m)[i], err) ||
            !take_number(file, i, misc, relation, &answer_relations(file, m)[i], err))
            return false;
    }
    if (!file->commented || !conllu_comment(s->before, whole, &value) ||
        read_number(value, &file->by_method[m].sentence))
        return true;
    return answer_refuse(file, 0, err, "expected a number after \"# %.*s =\", found \"%.*s\"", (int)whole.length,
                         whole.at, excerpt(value), value.at);
}

bool answer_conllu_read(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    bool gold = file->options.parts == GOLD_ALONE;
    if (!s->labelled)
        return answer_refuse(file, 0, err, "expected heads, found none");
    *(gold ? &into->gold_head : &into->head) = file->trees ? s->head : NULL;
    *(gold ? &into->gold : &into->label) = file->relations || !file->trees ? s->gold : NULL;
    if (!answer_abstain(file, 0, err))
        return false;
    for (uint32_t m = 0; m < file->methods; m++)
        if (!read_method(file, m, err))
            return false;
    return true;
}

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

bool answer_conllu_looks_so(struct answer_file *t)
{
    struct text line, cell[TREE_COLUMNS];
    double x;
    while (answer_line(t, &line))
        if (line.at[0] != '#')
            return split_tabs(line, cell, TREE_COLUMNS) == TREE_COLUMNS && cell[0].length > 0 &&
                   strspn(cell[0].at, "0123456789") > 0 && !read_number(cell[TREE_COLUMNS - 1], &x);
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

static void settle_places(struct answer_file *t, struct conllu_rows *r)
{
    char conf[CONLLU_CONF];
    snprintf(r->room[1], KEY, "%s", conllu_conf(t->options.column, conf)); /* "UposConf" */
    snprintf(r->room[0], KEY, "Gold%.*s", (int)strcspn(r->room[1], "C"), r->room[1]);
    r->place[FIELD_GOLD] = (struct conllu_place){.key = text_of(r->room[0])};
    r->place[FIELD_GUESS] = (struct conllu_place){.column = t->options.column ? t->options.column : COLUMN_HEAD + 1};
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

/* Finds the value of a field of the word; refuses a word that has none. */
static bool find(const struct answer_file *t, const struct conllu_rows *r, enum answer_field field, struct text *value,
                 struct vouch_error *err)
{
    const struct conllu_place *place = &r->place[field];
    bool found;
    if (place->column) {
        *value = r->cell[place->column - 1];
        found = value->length > 0 && !text_is(*value, "_");
    } else
        found = conllu_attribute(r->cell[COLUMN_MISC], place->key, value) && value->length > 0;
    return found ||
           answer_refuse(t, 0, err, "expected %s%.*s, found none (--columns names others)%s",
                         place->column ? column_name(place->column) : "the attribute of MISC ",
                         place->column ? 0 : excerpt(place->key), place->column ? "" : place->key.at,
                         text_starts(place->key, "Gold") ? "; if gold is a file of its own: --answers FILE GOLD" : "");
}

static bool read_confidence(const struct answer_file *t, struct text text, double *number, struct vouch_error *err)
{
    return answer_number(text, number) ||
           answer_refuse(t, 0, err, "expected a number, the confidence, found \"%.*s\"", excerpt(text), text.at);
}

/* Reads gold, answer and number of the relation, of which the first and the last may be missing. */
static bool take_relation(struct answer_file *t, const struct conllu_rows *r, struct answer_row *row,
                          struct vouch_error *err)
{
    struct text number;
    row->relation_confidence = NAN;
    if (!t->trees || !conllu_attribute(r->cell[COLUMN_MISC], text_of("GoldRel"), &row->gold_relation))
        return true;
    row->relation = r->cell[COLUMN_DEPREL];
    t->relations++;
    return !conllu_attribute(r->cell[COLUMN_MISC], text_of("RelConf"), &number) ||
           read_confidence(t, number, &row->relation_confidence, err);
}

static bool take_word(struct answer_file *t, struct conllu_rows *r, struct text line, struct vouch_error *err)
{
    struct answer_row row = {0};
    struct text confidence;
    if (split_tabs(line, r->cell, TREE_COLUMNS) != TREE_COLUMNS)
        return answer_refuse(t, 0, err, "expected the ten columns of CoNLL-U, separated by tabs");
    if (memchr(r->cell[0].at, '-', r->cell[0].length) || memchr(r->cell[0].at, '.', r->cell[0].length))
        return true;
    row.word = r->cell[COLUMN_FORM];
    return find(t, r, FIELD_GOLD, &row.gold, err) && find(t, r, FIELD_GUESS, &row.guess, err) &&
           find(t, r, FIELD_CONFIDENCE, &confidence, err) && read_confidence(t, confidence, &row.confidence, err) &&
           take_relation(t, r, &row, err) && answer_add(t, row, err);
}

bool answer_conllu_rows(struct answer_file *t, struct vouch_error *err)
{
    struct conllu_rows r = {0};
    struct text line;
    bool ok = !t->numbered || fail(err, VOUCH_ERR_ARGUMENT,
                                   "--columns: expected names of columns or of attributes of MISC, found numbers");
    settle_places(t, &r);
    while (ok && answer_line(t, &line))
        ok = line.at[0] == '#' || take_word(t, &r, line, err);
    return ok;
}
