/*
 * Encodes a treebank.
 *
 * Words, heads, relations and punctuation lie in arrays over all words, and a sentence is its first word and its
 * length. Two kinds of examples are made of them: arcs, whose rows are built at each visit, and the relations of the
 * gold arcs or of chosen ones. Outside scores, if there are any, take the place of the rows.
 */
#include "task/arc_set.h"

void arc_set_release(struct arc_set *set)
{
    free(set->item);
    free(set->own.received);
    free(set->word);
    free(set->head);
    free(set->relation);
    free(set->punctuation);
    for (uint32_t i = 0; set->first && i < set->count; i++)
        free(set->first[i]);
    free(set->first);
    score_list_release(&set->outside_scores);
    *set = (struct arc_set){0};
}

const struct arc_item *arc_set_item(const struct arc_set *set, uint32_t sentence)
{
    return &set->item[sentence_place(&set->own, sentence)];
}

/* Counts one more sentence of the corpus. */
static bool count_sentence(struct arc_set *set, const struct sentence *sentence, struct vouch_error *err)
{
    if (set->sentences == UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "too many sentences: more than 2^32");
    set->sentences++;
    set->all_words += sentence->N;
    set->open += sentence->open;
    return true;
}

bool arc_set_pass(struct arc_set *set, const struct sentence *sentence, struct dictionary *relations,
                  struct vouch_error *err)
{
    for (uint32_t i = 0; i < sentence->N; i++)
        if (!(set->partial && sentence->gold[i].length == 0) && !dictionary_add(relations, sentence->gold[i], err))
            return false;
    return count_sentence(set, sentence, err);
}

static bool make_room(struct arc_set *set, size_t N, struct vouch_error *err)
{
    size_t words = set->words + N;
    return RESERVE(set->item, set->item_capacity, (size_t)set->count + 1, err) &&
           RESERVE(set->word, set->word_capacity, words, err) && RESERVE(set->head, set->head_capacity, words, err) &&
           RESERVE(set->relation, set->relation_capacity, words, err) &&
           RESERVE(set->punctuation, set->punctuation_capacity, words, err) &&
           (!set->first || RESERVE(set->first, set->first_capacity, (size_t)set->count + 1, err));
}

/* Enters a sentence whose words have been appended to the arrays. */
static void enter(struct arc_set *set, uint32_t N)
{
    if (set->first)
        set->first[set->count] = NULL;
    set->item[set->count++] = (struct arc_item){.N = N, .first = set->words};
    set->words += N;
}

bool arc_set_add(struct arc_set *set, const struct sentence *sentence, struct dictionary *relations, bool grow,
                 struct vouch_error *err)
{
    size_t first = set->words, N = sentence->N;
    if (!make_room(set, N, err))
        return false;
    arc_observe(sentence, set->word + first);
    for (size_t i = 0; i < N; i++) {
        set->head[first + i] = sentence->head[i];
        set->relation[first + i] = OPEN_CHOICE;
        set->punctuation[first + i] = is_punctuation(sentence_cell(sentence, (uint32_t)i, 1));
        if (set->partial && sentence->gold[i].length == 0)
            continue;
        uint32_t number =
            grow ? dictionary_add(relations, sentence->gold[i], err) : dictionary_find(relations, sentence->gold[i]);
        if (grow && !number)
            return false;
        set->relation[first + i] = number ? number - 1 : NO_RELATION;
    }
    if (!count_sentence(set, sentence, err))
        return false;
    enter(set, sentence->N);
    set->own.own = set->count;
    return true;
}

bool arc_set_stack(struct arc_set *set, struct vouch_error *err)
{
    bool ok = RESERVE(set->first, set->first_capacity, (size_t)set->count + 1, err);
    for (uint32_t i = 0; ok && i < set->count; i++)
        set->first[i] = NULL;
    return ok;
}

bool arc_set_answer(struct arc_set *set, uint32_t sentence, const struct first_stage *stage, struct first_work *work,
                    struct vouch_error *err)
{
    uint32_t place = sentence_place(&set->own, sentence);
    const struct arc_item *item = &set->item[place];
    set->first[place] = first_tree_find(stage, set->word + item->first, item->N, work, err);
    return set->first[place] != NULL;
}

static bool pack(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err)
{
    const struct arc_set *set = self;
    const struct arc_item *item = arc_set_item(set, sentence);
    const struct first_tree *said = set->first ? set->first[sentence_place(&set->own, sentence)] : NULL;
    size_t N = item->N, first = item->first;
    return (!said || buffer_add_bytes(out, said, first_tree_size(said), err)) &&
           buffer_add_bytes(out, &item->N, sizeof item->N, err) &&
           buffer_add_bytes(out, set->word + first, N * sizeof *set->word, err) &&
           buffer_add_bytes(out, set->head + first, N * sizeof *set->head, err) &&
           buffer_add_bytes(out, set->relation + first, N * sizeof *set->relation, err) &&
           buffer_add_bytes(out, set->punctuation + first, N * sizeof *set->punctuation, err);
}

static const char *take(const char *from, void *items, size_t size)
{
    memcpy(items, from, size);
    return from + size;
}

static bool unpack(void *self, const char *bytes, struct vouch_error *err)
{
    struct arc_set *set = self;
    uint32_t N;
    size_t first = set->words;
    struct first_tree *said = NULL;
    if (set->first) {
        size_t size = first_tree_sent(bytes);
        said = new_array(size, 1, err);
        if (!said)
            return false;
        bytes = take(bytes, said, size);
    }
    bytes = take(bytes, &N, sizeof N);
    if (!make_room(set, N, err)) {
        free(said);
        return false;
    }
    bytes = take(bytes, set->word + first, N * sizeof *set->word);
    bytes = take(bytes, set->head + first, N * sizeof *set->head);
    bytes = take(bytes, set->relation + first, N * sizeof *set->relation);
    take(bytes, set->punctuation + first, N * sizeof *set->punctuation);
    enter(set, N);
    if (said)
        set->first[set->count - 1] = said;
    return true;
}

bool arc_set_send(struct arc_set *set, const uint32_t *sentence, uint32_t count, struct vouch_error *err)
{
    struct sentence_post post = {set, pack, unpack};
    return sentences_send(&set->own, sentence, count, &post, err);
}

static bool get_arcs(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                     struct vouch_error *err)
{
    const struct arc_set *set = self;
    const struct arc_item *item = arc_set_item(set, i);
    example->gold = set->head + item->first;
    if (set->outside_scores.count) {
        example->parts = parts_from_scores(&set->outside_scores.sentence[i]);
        return true;
    }
    if (set->first)
        return stacked_parts(set->word + item->first, set->first[sentence_place(&set->own, i)], set->second_bits,
                             scratch, &example->parts, err);
    return arc_parts(set->word + item->first, item->N, set->arc_bits, scratch, &example->parts, err);
}

static bool relations_given(const struct arc_set *set, const uint32_t *head, uint32_t i, struct scratch *scratch,
                            struct example *example, struct vouch_error *err)
{
    const struct arc_item *item = arc_set_item(set, i);
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
    return (struct examples){
        .structure = trees,
        .space = {.width = 1, .nodes = UINT32_C(1) << (set->first ? set->second_bits : set->arc_bits)},
        .count = set->sentences,
        .partial = set->partial,
        .self = set,
        .own = set->own,
        .get = get_arcs};
}

struct examples arc_set_relations(const struct arc_set *set, uint32_t relations, const struct structure *chains)
{
    return (struct examples){.structure = chains,
                             .space = {.width = relations, .nodes = UINT32_C(1) << set->relation_bits},
                             .count = set->sentences,
                             .partial = set->partial,
                             .self = set,
                             .own = set->own,
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
