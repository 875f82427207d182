/*
 * Reads answered CoNLL-U: one tree for each sentence, or the labels of one column, and the confidence that
 * conllu_confidences.c writes. See answered.h.
 *
 * Where arcs and labels have confidence, comments are about those that were written last, which are last in MISC.
 */
#include "answers/answered_parts.h"

#include <stdio.h>

/* Reads "kd-fix (calibrated), delta (raw)". */
static bool name_methods(struct answered_file *file, struct text names, struct vouch_error *err)
{
    while (names.length > 0) {
        const char *comma = memchr(names.at, ',', names.length);
        struct text one = {names.at, comma ? (uint32_t)(comma - names.at) : names.length};
        uint32_t step = one.length + (comma != NULL);
        names = (struct text){names.at + step, names.length - step};
        while (one.length > 0 && is_blank(one.at[0]))
            one = (struct text){one.at + 1, one.length - 1};
        const char *blank = memchr(one.at, ' ', one.length);
        struct text name = {one.at, blank ? (uint32_t)(blank - one.at) : one.length};
        struct text state = {one.at + name.length, one.length - name.length};
        if (!answered_add_method(file, name, text_starts(state, " (calibrated"), err))
            return false;
    }
    return true;
}

static bool any_relation(const struct answered_file *file)
{
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++)
            if (!text_is(file->ahead[s].gold[i], "_"))
                return true;
    return false;
}

static struct text misc_of(const struct answered_file *file, const struct sentence *sentence, uint32_t word)
{
    return sentence_cell(sentence, word, file->trees ? COLUMN_MISC : COLUMN_MISC - COLUMN_FORM);
}

static bool has_confidence(struct text misc, uint32_t column, struct text *value)
{
    char room[CONLLU_CONF];
    return conllu_attribute(misc, text_of(conllu_conf(column, room)), value);
}

/* Finds the MISC of the first word of the sentences ahead that has confidence in the content of a column. */
static bool find_confidence(const struct answered_file *file, uint32_t column, struct text *misc)
{
    struct text value;
    for (uint32_t s = 0; s < file->held; s++)
        for (uint32_t i = 0; i < file->ahead[s].N; i++) {
            *misc = misc_of(file, &file->ahead[s], i);
            if (has_confidence(*misc, column, &value))
                return true;
        }
    return false;
}

/* Refuses a file whose confidence is about something else than the answers that were asked for. */
static bool refuse_other(const struct answered_file *file, struct vouch_error *err)
{
    struct text misc;
    for (uint32_t column = 0; column < TREE_COLUMNS; column++)
        if (find_confidence(file, column, &misc))
            return fail(err, VOUCH_ERR_FORMAT, "%s has confidence in %s, none in %s: expected %s%s",
                        answered_path(file), column ? column_name(column) : "heads", file->place[0],
                        column ? "--column " : "no --column", column ? column_name(column) : "");
    return true;
}

bool answered_trees_settle(struct answered_file *file, struct vouch_error *err)
{
    uint32_t asked = reader_column(file->reader);
    struct text misc, mine, other;
    file->trees = asked == 0;
    file->relations = any_relation(file);
    for (uint32_t i = 0; i < 2; i++)
        snprintf(file->place[i], sizeof file->place[i], "%s", asked ? column_name(asked) : "heads");
    if (!find_confidence(file, asked, &misc))
        return file->options.part == GOLD_ALONE || refuse_other(file, err);
    file->commented = has_confidence(misc, asked, &mine);
    for (uint32_t column = 0; column < TREE_COLUMNS; column++)
        if (has_confidence(misc, column, &other) && other.at > mine.at)
            file->commented = false;
    if (file->commented && conllu_comment(file->sentence->before, text_of("conf_method"), &mine))
        return name_methods(file, mine, err);
    return answered_add_method(file, (struct text){0}, false, err);
}

/* Reads the number under a key; NAN if there is none. */
static bool take_number(const struct answered_file *file, uint32_t word, struct text misc, struct text key,
                        double *number, struct vouch_error *err)
{
    struct text value;
    if (!conllu_attribute(misc, key, &value) || read_number(value, number))
        return true;
    return answered_refuse(file, word, err, "expected a number after \"%.*s=\", found \"%.*s\"", (int)key.length,
                           key.at, excerpt(value), value.at);
}

static bool read_method(struct answered_file *file, uint32_t m, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    const char *method = file->method[m].name;
    char head_room[CONLLU_KEY], relation_room[CONLLU_KEY], whole_room[CONLLU_KEY];
    char conf[CONLLU_CONF];
    struct text head = conllu_key(conllu_conf(reader_column(file->reader), conf), method, m == 0, head_room);
    struct text relation = conllu_key("RelConf", method, m == 0, relation_room);
    struct text whole = conllu_key("conf", method, m == 0, whole_room), value;
    for (uint32_t i = 0; i < s->N; i++) {
        struct text misc = misc_of(file, s, i);
        if (!take_number(file, i, misc, head, &answered_words(file, m)[i], err) ||
            !take_number(file, i, misc, relation, &answered_relations(file, m)[i], err))
            return false;
    }
    if (!file->commented || !conllu_comment(s->before, whole, &value) ||
        read_number(value, &file->by_method[m].sentence))
        return true;
    return answered_refuse(file, 0, err, "expected a number after \"# %.*s =\", found \"%.*s\"", (int)whole.length,
                           whole.at, excerpt(value), value.at);
}

bool answered_trees_read(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    bool gold = file->options.part == GOLD_ALONE;
    if (!s->labelled)
        return answered_refuse(file, 0, err, "expected heads, found none");
    *(gold ? &into->gold_head : &into->head) = file->trees ? s->head : NULL;
    *(gold ? &into->gold : &into->label) = file->relations || !file->trees ? s->gold : NULL;
    if (!answered_abstain(file, 0, err))
        return false;
    for (uint32_t m = 0; m < file->methods; m++)
        if (!read_method(file, m, err))
            return false;
    return true;
}
