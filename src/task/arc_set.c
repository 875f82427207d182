/* Encodes a treebank: see arc_set.h. */
#include "task/arc_set.h"

#include <utf8proc.h>

void arc_set_release(struct arc_set *set)
{
    free(set->item);
    free(set->word);
    free(set->head);
    free(set->relation);
    free(set->punctuation);
    score_list_release(&set->given);
    *set = (struct arc_set){0};
}

bool is_punctuation(struct text form)
{
    for (uint32_t i = 0; i < form.length; i += utf8_width(form.at[i])) {
        utf8proc_int32_t point = 0;
        utf8proc_iterate((const utf8proc_uint8_t *)form.at + i, (utf8proc_ssize_t)(form.length - i), &point);
        utf8proc_category_t category = utf8proc_category(point);
        if (category < UTF8PROC_CATEGORY_PC || category > UTF8PROC_CATEGORY_PO)
            return false;
    }
    return form.length > 0;
}

bool arc_set_add(struct arc_set *set, const struct sentence *sentence, struct dictionary *relations, bool grow,
                 struct vouch_error *err)
{
    size_t first = set->words, N = sentence->N;
    if (!RESERVE(set->item, set->item_capacity, (size_t)set->count + 1, err) ||
        !RESERVE(set->word, set->word_capacity, first + N, err) ||
        !RESERVE(set->head, set->head_capacity, first + N, err) ||
        !RESERVE(set->relation, set->relation_capacity, first + N, err) ||
        !RESERVE(set->punctuation, set->punctuation_capacity, first + N, err))
        return false;
    arc_observe(sentence, set->word + first);
    for (size_t i = 0; i < N; i++) {
        uint32_t number =
            grow ? dictionary_add(relations, sentence->gold[i], err) : dictionary_find(relations, sentence->gold[i]);
        if (grow && !number)
            return false;
        set->head[first + i] = sentence->head[i];
        set->relation[first + i] = number ? number - 1 : NO_RELATION;
        set->punctuation[first + i] = is_punctuation(sentence_cell(sentence, (uint32_t)i, 1));
    }
    set->item[set->count++] = (struct arc_item){.N = sentence->N, .first = first};
    set->words += N;
    return true;
}

static bool get_arcs(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                     struct vouch_error *err)
{
    const struct arc_set *set = self;
    const struct arc_item *item = &set->item[i];
    example->gold = set->head + item->first;
    if (set->given.count) {
        example->parts = given_parts(&set->given.sentence[i]);
        return true;
    }
    return arc_parts(set->word + item->first, item->N, set->arc_bits, scratch, &example->parts, err);
}

static bool relations_given(const struct arc_set *set, const uint32_t *head, uint32_t i, struct scratch *scratch,
                            struct example *example, struct vouch_error *err)
{
    const struct arc_item *item = &set->item[i];
    example->gold = set->relation + item->first;
    return relation_parts(set->word + item->first, head + item->first, item->N, set->relation_bits, scratch,
                          &example->parts, err);
}

static bool get_relations(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                          struct vouch_error *err)
{
    const struct arc_set *set = self;
    return relations_given(set, set->head, i, scratch, example, err);
}

static bool get_relations_of_chosen(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                                    struct vouch_error *err)
{
    const struct chosen_arcs *chosen = self;
    return relations_given(chosen->set, chosen->head, i, scratch, example, err);
}

struct examples arc_set_arcs(const struct arc_set *set, const struct structure *trees)
{
    return (struct examples){.structure = trees,
                             .space = {.width = 1, .nodes = UINT32_C(1) << set->arc_bits},
                             .count = set->count,
                             .self = set,
                             .get = get_arcs};
}

struct examples arc_set_relations(const struct arc_set *set, uint32_t relations, const struct structure *chains)
{
    return (struct examples){.structure = chains,
                             .space = {.width = relations, .nodes = UINT32_C(1) << set->relation_bits},
                             .count = set->count,
                             .self = set,
                             .get = get_relations};
}

struct examples chosen_arcs_relations(const struct chosen_arcs *chosen, uint32_t relations,
                                      const struct structure *chains)
{
    struct examples examples = arc_set_relations(chosen->set, relations, chains);
    examples.self = chosen;
    examples.get = get_relations_of_chosen;
    return examples;
}
