/* Answered CoNLL-U: one tree a sentence, and the confidence that conllu_trust.c writes. See answered.h. */
#include "corpus/answered_parts.h"

/* "kd-fix (calibrated), delta (raw)". */
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

bool answered_trees_settle(struct answered_file *file, struct vouch_error *err)
{
    const struct sentence *first = file->sentence;
    struct text value;
    file->trees = true;
    file->relations = any_relation(file);
    if (conllu_comment(first->before, text_of("conf_method"), &value))
        return name_methods(file, value, err);
    return !conllu_attribute(sentence_cell(first, 0, COLUMN_MISC), text_of("HeadConf"), &value) ||
           answered_add_method(file, (struct text){0}, false, err);
}

/* The number under a key; NAN if there is none. */
static bool take_number(const struct answered_file *file, uint32_t word, struct text misc, struct text key,
                        double *number, struct vouch_error *err)
{
    struct text value;
    if (!conllu_attribute(misc, key, &value) || read_number(value, number))
        return true;
    return answered_refuse(file, word, err, "expected a number after \"%.*s=\", found \"%.*s\"", (int)key.length,
                           key.at, excerpt(value), value.at);
}

static bool read_opinion(struct answered_file *file, uint32_t m, struct vouch_error *err)
{
    const struct sentence *s = file->sentence;
    const char *method = file->method[m].name;
    char head_room[CONLLU_KEY], relation_room[CONLLU_KEY], whole_room[CONLLU_KEY];
    struct text head = conllu_key("HeadConf", method, m == 0, head_room);
    struct text relation = conllu_key("RelConf", method, m == 0, relation_room);
    struct text whole = conllu_key("conf", method, m == 0, whole_room), value;
    for (uint32_t i = 0; i < s->N; i++) {
        struct text misc = sentence_cell(s, i, COLUMN_MISC);
        if (!take_number(file, i, misc, head, &answered_words(file, m)[i], err) ||
            !take_number(file, i, misc, relation, &answered_relations(file, m)[i], err))
            return false;
    }
    if (!conllu_comment(s->before, whole, &value) || read_number(value, &file->opinion[m].sentence))
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
    *(gold ? &into->gold_head : &into->head) = s->head;
    *(gold ? &into->gold : &into->label) = file->relations ? s->gold : NULL;
    if (!answered_abstain(file, 0, err))
        return false;
    for (uint32_t m = 0; m < file->methods; m++)
        if (!read_opinion(file, m, err))
            return false;
    return true;
}
