/*
 * Reads CoNLL-X and CoNLL-U: dependency trees, one word on each line, ten columns separated by tabs, a blank line after
 * each sentence.
 *
 *     ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC
 *
 * Words are numbered 1, 2, 3, ...; HEAD is the number of the word that a word depends on, or 0. A sentence has a HEAD
 * in every word or, with "_", in none; if it may be labelled in part, some heads and relations are open, and a relation
 * is where the head is.
 *
 * Where no trees are expected, a word's label is one of these columns, and heads are not looked at. Its cells are then
 * counted from FORM, not from ID, so that the word is column 0 as in every other format, and a model learned from a
 * treebank labels plain text. Built-in features see FORM alone: the other columns are annotated with the labels, or
 * like them.
 *
 * Lines that start with '#' in front of a sentence are comments; at the end of the file they belong to a last sentence
 * without words. Ranges (1-2: words written as one) and empty nodes (5.1: not written at all) are no words: they are
 * carried along, and only their place is checked.
 *
 * Time is linear, with one copy of each line and none of the cells.
 */
#include "text/formats.h"

#include <inttypes.h>

/* The state of reading a sentence, beside its words. */
struct place {
    uint32_t nodes;      /* empty nodes since the last word */
    uint32_t range_end;  /* last word of the last range, or 0 */
    uint64_t range_line; /* its line */
};

static const char *const column_names[TREE_COLUMNS] = {"id",    "form", "lemma",  "upos", "xpos",
                                                       "feats", "head", "deprel", "deps", "misc"};

uint32_t column_parse(const char *name)
{
    for (uint32_t c = 0; c < TREE_COLUMNS; c++)
        if (strcmp(name, column_names[c]) == 0)
            return c + 1;
    return 0;
}

const char *column_name(uint32_t column)
{
    return column > 0 && column <= TREE_COLUMNS ? column_names[column - 1] : "none";
}

/* Fails unless the column of the labels is named, since none is a better guess than another. */
static bool check_column(const struct reader *reader, struct vouch_error *err)
{
    const char *path = input_name(reader->input);
    uint32_t c = reader->column - 1;
    if (reader->column == 0)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: CoNLL-U has ten columns: expected --column upos, xpos, feats, lemma, deprel or a number, the "
                    "one of the labels (--format conll reads it as columns like others)",
                    path);
    if (reader->column > TREE_COLUMNS || c == COLUMN_ID || c == COLUMN_HEAD || c == COLUMN_MISC)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected the labels of CoNLL-U in one of form, lemma, upos, xpos, feats, deprel and deps, "
                    "found column %u%s",
                    path, reader->column, c == COLUMN_HEAD ? " (trees are for --task dep)" : "");
    return true;
}

static bool conllu_start(struct reader *reader, struct vouch_error *err)
{
    reader->columns = TREE_COLUMNS;
    reader->separator = '\t';
    if (!reader->trees)
        return check_column(reader, err);
    reader->column = COLUMN_DEPREL + 1; /* the label of an arc */
    return true;
}

/* Reads all of `text` as a number without leading zeros, of at most nine digits: no sentence needs more. */
static bool parse_count(struct text text, uint32_t *count)
{
    if (text.length == 0 || text.length > 9 || (text.at[0] == '0' && text.length > 1))
        return false;
    *count = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
        *count = *count * 10 + (uint32_t)(text.at[i] - '0');
    }
    return true;
}

/* Reads two numbers with `mark` between them. */
static bool parse_pair(struct text id, char mark, uint32_t pair[2])
{
    const char *at = memchr(id.at, mark, id.length);
    if (!at)
        return false;
    uint32_t length = (uint32_t)(at - id.at);
    return parse_count((struct text){id.at, length}, &pair[0]) &&
           parse_count((struct text){at + 1, id.length - length - 1}, &pair[1]);
}

static bool check_cells(const struct reader *reader, struct text line, struct text *cell, struct vouch_error *err)
{
    uint32_t found = split_tabs(line, cell, TREE_COLUMNS);
    if (found != TREE_COLUMNS)
        return fail_line(reader, err, "expected %d columns separated by tabs, found %u", TREE_COLUMNS, found);
    for (uint32_t i = 0; i < TREE_COLUMNS; i++)
        if (cell[i].length == 0)
            return fail_line(reader, err, "column %u is empty: expected \"_\" where there is nothing", i + 1);
    return true;
}

static bool check_range(const struct reader *reader, const struct sentence *s, struct place *place,
                        const uint32_t range[2], struct vouch_error *err)
{
    uint32_t next = s->N + 1;
    if (range[0] != next)
        return fail_line(reader, err, "expected a range from word %u on, the next one, found %u-%u", next, range[0],
                         range[1]);
    if (range[1] < range[0])
        return fail_line(reader, err, "expected a range that ends with word %u or later, found %u-%u", next, range[0],
                         range[1]);
    if (next <= place->range_end)
        return fail_line(reader, err, "range %u-%u starts within that of line %" PRIu64 ", which ends with word %u",
                         range[0], range[1], place->range_line, place->range_end);
    place->range_end = range[1];
    place->range_line = reader->number;
    return true;
}

/* Notes that a head is open. */
static bool open_head(const struct reader *reader, struct sentence *s, struct text relation, struct vouch_error *err)
{
    s->head[s->N] = OPEN_CHOICE;
    s->open++;
    return is_open(reader, relation) ||
           fail_line(reader, err, "expected DEPREL to be open where HEAD is (\"?\" or \"_\"), found \"%.*s\"",
                     excerpt(relation), relation.at);
}

/* Reads a head. The first word decides whether the sentence has heads, unless some may be open. */
static bool read_head(const struct reader *reader, struct sentence *s, const struct text *cells,
                      struct vouch_error *err)
{
    struct text cell = cells[COLUMN_HEAD];
    bool given = !text_is(cell, "_");
    if (is_open(reader, cell))
        return open_head(reader, s, cells[COLUMN_DEPREL], err);
    if (s->N == 0 && !reader->partial)
        s->labelled = given;
    if (given != s->labelled)
        return fail_line(reader, err, "expected HEAD in every word or in none: this word has %s, word 1 has %s",
                         given ? "one" : "none", given ? "none" : "one");
    s->head[s->N] = 0;
    if (given && !parse_count(cell, &s->head[s->N]))
        return fail_line(reader, err, "expected HEAD to be 0 or a word's number, found \"%.*s\"", excerpt(cell),
                         cell.at);
    return true;
}

static bool add_word(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    if (!tree_room(reader, into, (size_t)line.length + reader->ending.length, err))
        return false;
    line = sentence_keep_line(reader, into, line);
    struct text cell[TREE_COLUMNS];
    split_tabs(line, cell, TREE_COLUMNS);

    uint32_t number = 0;
    if (!parse_count(cell[COLUMN_ID], &number) || number != into->N + 1)
        return fail_line(reader, err, "expected word %u, found \"%.*s\" in its place", into->N + 1,
                         excerpt(cell[COLUMN_ID]), cell[COLUMN_ID].at);
    into->line[into->N] = line;
    into->gold[into->N] = (struct text){line.at, 0};
    if (reader->gold != GOLD_NONE) {
        struct text label = cell[reader->column - 1];
        if (into->tree && !read_head(reader, into, cell, err))
            return false;
        if (!into->tree)
            label = sentence_gold(reader, into, label);
        else if (is_open(reader, label))
            label.length = 0;
        into->gold[into->N] = label;
    }
    uint32_t from = COLUMN_FORM - into->form; /* ID, of trees */
    memcpy(into->cell + into->first[into->N], cell + from, sizeof *cell * (TREE_COLUMNS - from));
    sentence_word(reader, into, TREE_COLUMNS - from);
    return true;
}

static bool add_line(struct reader *reader, struct sentence *into, struct place *place, struct text line,
                     struct vouch_error *err)
{
    struct text *lead = &into->lead[into->N];
    if (line.at[0] == '#') {
        if (into->N > 0 || lead->length > 0)
            return fail_line(reader, err, "expected comments in front of the sentence, found one within");
        return sentence_carry(reader, into, &into->before, line, err);
    }
    struct text cell[TREE_COLUMNS];
    if (!check_cells(reader, line, cell, err))
        return false;
    uint32_t pair[2];
    if (parse_pair(cell[COLUMN_ID], '-', pair))
        return check_range(reader, into, place, pair, err) && sentence_carry(reader, into, lead, line, err);
    if (parse_pair(cell[COLUMN_ID], '.', pair)) {
        place->nodes++;
        if (pair[0] != into->N || pair[1] != place->nodes)
            return fail_line(reader, err, "expected an empty node here to be %u.%u, found %u.%u", into->N, place->nodes,
                             pair[0], pair[1]);
        return sentence_carry(reader, into, lead, line, err);
    }
    place->nodes = 0;
    return add_word(reader, into, line, err);
}

static bool end_sentence(struct reader *reader, struct sentence *s, const struct place *place, struct vouch_error *err)
{
    if (s->N == 0 && s->lead[0].length > 0)
        return fail_line(reader, err, "expected word 1, found the end of the sentence");
    if (place->range_end > s->N) {
        reader->number = place->range_line;
        return fail_line(reader, err,
                         "expected a range within the sentence, which ends with word %u, found %u as its end", s->N,
                         place->range_end);
    }
    return !s->labelled || !s->tree || tree_check(reader, s, err);
}

static enum reading conllu_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    if (!tree_begin(reader, into, err))
        return READ_FAILED;
    into->labelled = reader->gold != GOLD_NONE;
    struct place place = {0};
    struct text line;
    int got;
    while ((got = next_line(reader, &line, err)) == 1) {
        bool blank = all_blank(line), ended = blank && (into->N > 0 || into->lead[0].length > 0);
        if (!(blank ? sentence_blank(reader, into, line, err) : add_line(reader, into, &place, line, err)))
            return READ_FAILED;
        if (ended)
            break;
    }
    return got < 0 || !end_sentence(reader, into, &place, err) ? READ_FAILED : sentence_last(into);
}

const struct format_calls conllu_calls = {
    .name = "conllu", .start = conllu_start, .next = conllu_next, .write = conllu_write};
