/* Lets ranks share a tag set: they agree on numbers, and send each other sentences. See tag_set.h. */
#include "task/tag_set.h"

#include "base/buffer.h"

/* ---- Agreeing ---- */

static void rename_features(uint32_t *feature, size_t features, const uint32_t *renamed)
{
    for (size_t i = 0; i < features; i++)
        feature[i] = renamed[feature[i]];
}

/* Values are there for all sentences or for none, and so are names: what one rank has decides for all. */
static bool agree_on_columns(struct tag_set *set, struct vouch_error *err)
{
    int64_t flag[2] = {set->weighted, set->nameless};
    if (!ranks_sum(set->own.ranks, flag, 2, err))
        return false;
    if (flag[0] && !set->weighted) {
        if (!RESERVE(set->node_value, set->node_value_capacity, set->node_features, err))
            return false;
        for (size_t i = 0; i < set->node_features; i++)
            set->node_value[i] = 1;
    }
    set->weighted = flag[0] > 0;
    set->nameless = flag[1] > 0;
    return true;
}

bool tag_set_agree(struct tag_set *set, struct vocabulary_growth *growth, struct vouch_error *err)
{
    uint32_t *node = NULL, *edge = NULL;
    bool ok = agree_on_vocabulary(set->own.ranks, growth, &node, &edge, err);
    if (ok) {
        rename_features(set->node_feature, set->node_features, node);
        rename_features(set->edge_feature, set->edge_features, edge);
    }
    free(node);
    free(edge);
    return ok && agree_on_columns(set, err);
}

/* ---- Sending ---- */

/* The sizes of a sentence, which come before its arrays. */
struct parcel {
    uint32_t N, edge_rows, node_features, edge_features;
};

/* Adds items [first, first + count) of an array, which may be NULL if there are none. */
static bool put(struct buffer *out, const void *array, size_t first, size_t count, size_t size, struct vouch_error *err)
{
    return count == 0 ||
           buffer_add(out, (struct text){(const char *)array + first * size, (uint32_t)(count * size)}, err);
}

static bool pack(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err)
{
    const struct tag_set *set = self;
    const struct tag_item *item = tag_set_item(set, sentence);
    uint32_t N = item->N, names = set->nameless ? 0 : WORD_NAMES;
    struct parcel parcel = {N, item->edge_rows, set->node_start[item->node_start + N],
                            set->edge_start[item->edge_start + item->edge_rows]};
    return put(out, &parcel, 0, 1, sizeof parcel, err) && put(out, set->raw, item->word, N, sizeof *set->raw, err) &&
           put(out, set->gold, item->word, N, sizeof *set->gold, err) &&
           put(out, set->name, item->word * names, (size_t)N * names, sizeof *set->name, err) &&
           put(out, set->vector, item->word * set->D, (size_t)N * set->D, sizeof *set->vector, err) &&
           put(out, set->node_start, item->node_start, (size_t)N + 1, sizeof *set->node_start, err) &&
           put(out, set->edge_start, item->edge_start, (size_t)item->edge_rows + 1, sizeof *set->edge_start, err) &&
           put(out, set->node_feature, item->node_feature, parcel.node_features, sizeof *set->node_feature, err) &&
           put(out, set->node_value, item->node_feature, set->weighted ? parcel.node_features : 0,
               sizeof *set->node_value, err) &&
           put(out, set->edge_feature, item->edge_feature, parcel.edge_features, sizeof *set->edge_feature, err);
}

/* Takes `count` items out of a parcel, for an array from item `first` on, which has room for them or is NULL. */
static void take(const char **from, void *array, size_t first, size_t count, size_t size)
{
    if (count)
        memcpy((char *)array + first * size, *from, count * size);
    *from += count * size;
}

static bool make_room(struct tag_set *set, const struct parcel *p, struct vouch_error *err)
{
    size_t words = set->words + p->N;
    return RESERVE(set->item, set->item_capacity, (size_t)set->count + 1, err) &&
           RESERVE(set->raw, set->raw_capacity, words, err) && RESERVE(set->gold, set->gold_capacity, words + 1, err) &&
           (set->nameless || RESERVE(set->name, set->name_capacity, words * WORD_NAMES, err)) &&
           (!set->D || RESERVE(set->vector, set->vector_capacity, words * set->D, err)) &&
           RESERVE(set->node_start, set->node_start_capacity, set->node_starts + p->N + 1, err) &&
           RESERVE(set->edge_start, set->edge_start_capacity, set->edge_starts + p->edge_rows + 1, err) &&
           RESERVE(set->node_feature, set->node_feature_capacity, set->node_features + p->node_features, err) &&
           (!set->weighted ||
            RESERVE(set->node_value, set->node_value_capacity, set->node_features + p->node_features, err)) &&
           RESERVE(set->edge_feature, set->edge_feature_capacity, set->edge_features + p->edge_features, err);
}

/* Puts a sentence behind those that are here. */
static bool unpack(void *self, const char *bytes, struct vouch_error *err)
{
    struct tag_set *set = self;
    const char **from = &bytes;
    struct parcel p;
    take(from, &p, 0, 1, sizeof p);
    if (!make_room(set, &p, err))
        return false;
    set->item[set->count] = (struct tag_item){.N = p.N,
                                              .edge_rows = p.edge_rows,
                                              .word = set->words,
                                              .node_start = set->node_starts,
                                              .node_feature = set->node_features,
                                              .edge_start = set->edge_starts,
                                              .edge_feature = set->edge_features};
    size_t names = set->nameless ? 0 : WORD_NAMES;
    take(from, set->raw, set->words, p.N, sizeof *set->raw);
    take(from, set->gold, set->words, p.N, sizeof *set->gold);
    take(from, set->name, set->words * names, p.N * names, sizeof *set->name);
    take(from, set->vector, set->words * set->D, (size_t)p.N * set->D, sizeof *set->vector);
    take(from, set->node_start, set->node_starts, (size_t)p.N + 1, sizeof *set->node_start);
    take(from, set->edge_start, set->edge_starts, (size_t)p.edge_rows + 1, sizeof *set->edge_start);
    take(from, set->node_feature, set->node_features, p.node_features, sizeof *set->node_feature);
    take(from, set->node_value, set->node_features, set->weighted ? p.node_features : 0, sizeof *set->node_value);
    take(from, set->edge_feature, set->edge_features, p.edge_features, sizeof *set->edge_feature);
    set->node_starts += (size_t)p.N + 1;
    set->edge_starts += (size_t)p.edge_rows + 1;
    set->node_features += p.node_features;
    set->edge_features += p.edge_features;
    set->words += p.N;
    set->count++;
    return true;
}

bool tag_set_send(struct tag_set *set, const uint32_t *sentence, uint32_t count, struct vouch_error *err)
{
    struct sentence_post post = {set, pack, unpack};
    return sentences_send(&set->own, sentence, count, &post, &set->guest, err);
}
