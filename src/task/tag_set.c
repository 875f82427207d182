/*
 * Encodes a labelled corpus: every sentence is a place in arrays over all words, rows and features.
 *
 * When ranks train, each holds a part of the corpus (core/examples.h). After reading, they agree on the numbers of
 * labels and features, and send the sentences that are held out to the first rank.
 */
#include "task/tag_set.h"

#include "task/label_context.h"

#include "base/buffer.h"

#include <math.h>

void tag_set_release(struct tag_set *set)
{
    free(set->item);
    free(set->own.received);
    free(set->raw);
    free(set->gold);
    free(set->name);
    free(set->vector);
    free(set->node_start);
    free(set->node_feature);
    free(set->node_value);
    free(set->edge_start);
    free(set->edge_feature);
    score_list_release(&set->outside_scores);
    dictionary_release(&set->raw_names);
    label_work_release(&set->work);
    *set = (struct tag_set){0};
}

/* The room that one sentence takes in the arrays. */
struct tag_sizes {
    uint32_t N, edge_rows, node_features, edge_features;
};

static bool make_room(struct tag_set *set, const struct tag_sizes *p, struct vouch_error *err)
{
    return RESERVE(set->item, set->item_capacity, (size_t)set->count + 1, err) &&
           RESERVE(set->raw, set->raw_capacity, set->words + p->N, err) &&
           RESERVE(set->node_start, set->node_start_capacity, set->node_starts + p->N + 1, err) &&
           RESERVE(set->node_feature, set->node_feature_capacity, set->node_features + p->node_features, err) &&
           RESERVE(set->edge_start, set->edge_start_capacity, set->edge_starts + p->edge_rows + 1, err) &&
           RESERVE(set->edge_feature, set->edge_feature_capacity, set->edge_features + p->edge_features, err);
}

/* Appends a sentence; returns where its rows, which the caller fills, are to go. */
static struct tag_item append_item(struct tag_set *set, const struct tag_sizes *p)
{
    struct tag_item item = {.N = p->N,
                            .document = set->document,
                            .edge_rows = p->edge_rows,
                            .word = set->words,
                            .node_start = set->node_starts,
                            .node_feature = set->node_features,
                            .edge_start = set->edge_starts,
                            .edge_feature = set->edge_features};
    set->item[set->count++] = item;
    set->node_starts += (size_t)p->N + 1;
    set->edge_starts += (size_t)p->edge_rows + 1;
    set->node_features += p->node_features;
    set->edge_features += p->edge_features;
    set->words += p->N;
    return item;
}

static void copy_rows(const struct rows *rows, uint32_t *start, uint32_t *feature)
{
    size_t features = rows->start[rows->count];
    memcpy(start, rows->start, sizeof *start * ((size_t)rows->count + 1));
    if (features)
        memcpy(feature, rows->feature, sizeof *feature * features);
}

/* Copies values. From the first weighted sentence on, every feature has a value. */
static bool copy_values(struct tag_set *set, const struct rows *rows, struct vouch_error *err)
{
    size_t features = rows->start[rows->count], from = set->weighted ? set->node_features : 0;
    if (!rows->value && !set->weighted)
        return true;
    if (!RESERVE(set->node_value, set->node_value_capacity, set->node_features + features, err))
        return false;
    for (size_t i = from; i < set->node_features; i++)
        set->node_value[i] = 1;
    for (size_t i = 0; i < features; i++)
        set->node_value[set->node_features + i] = rows->value ? rows->value[i] : 1;
    set->weighted = true;
    return true;
}

static bool copy_names(struct tag_set *set, const struct parts *parts, struct vouch_error *err)
{
    set->nameless |= !parts->names.name;
    if (set->nameless)
        return true;
    if (!RESERVE(set->name, set->name_capacity, (set->words + parts->N) * WORD_NAMES, err))
        return false;
    uint32_t *to = set->name + set->words * WORD_NAMES;
    for (uint32_t n = 0; n < parts->N; n++, to += WORD_NAMES)
        memcpy(to, parts->names.name + (size_t)n * parts->names.stride, sizeof *to * WORD_NAMES);
    return true;
}

static bool copy_vectors(struct tag_set *set, const struct parts *parts, struct vouch_error *err)
{
    size_t D = set->D = parts->dense.D;
    set->window = parts->dense.window;
    if (D == 0)
        return true;
    if (!RESERVE(set->vector, set->vector_capacity, (set->words + parts->N) * D, err))
        return false;
    memcpy(set->vector + set->words * D, parts->dense.vector, sizeof *set->vector * parts->N * D);
    return true;
}

/* Adds the square lengths of a sentence's vectors. */
static void add_squares(const struct tag_set *set, const struct tag_item *item, double *squares, uint64_t *words)
{
    size_t D = set->D;
    for (size_t w = item->word; w < item->word + item->N; w++) {
        double own = 0;
        for (const float *v = set->vector + w * D; v < set->vector + (w + 1) * D; v++)
            own += (double)*v * *v;
        *squares += own;
        *words += own > 0;
    }
}

/*
 * Finds the mean square length. Sums are rounded, so their order matters: each shard has a sum of its own, and these
 * are added in the order of the shards, whatever the ranks. Ranks exchange the bits of their sums: only one rank has a
 * sum other than 0 for a shard.
 */
static bool mean_square(const struct tag_set *set, double *mean, struct vouch_error *err)
{
    uint32_t shards = set->own.shards ? set->own.shards : 1;
    double *squares = new_array((size_t)shards + 1, sizeof *squares, err), sum = 0;
    uint64_t words = 0;
    for (uint32_t place = 0; squares && place < set->count; place++)
        add_squares(set, &set->item[place], &squares[sentence_number(&set->own, place) % shards], &words);
    int64_t *bits = new_array((size_t)shards + 1, sizeof *bits, err);
    bool ok = squares && bits;
    if (ok) {
        memcpy(bits, squares, sizeof *bits * shards);
        bits[shards] = (int64_t)words;
        ok = ranks_sum(set->own.ranks, bits, (size_t)shards + 1, err);
    }
    if (ok)
        memcpy(squares, bits, sizeof *bits * shards);
    for (uint32_t s = 0; ok && s < shards; s++)
        sum += squares[s];
    *mean = ok && bits[shards] ? sum / (double)bits[shards] : 0;
    free(squares);
    free(bits);
    return ok;
}

bool tag_set_scale(struct tag_set *set, double length, float *scale, struct vouch_error *err)
{
    double mean;
    if (!mean_square(set, &mean, err))
        return false;
    *scale = mean > 0 ? (float)(length / sqrt(mean)) : 1;
    if (!isfinite(*scale) || *scale == 0)
        *scale = 1;
    for (size_t i = 0; i < set->words * set->D; i++)
        set->vector[i] *= *scale;
    return true;
}

/* Counts one more sentence of the corpus. */
static bool count_sentence(struct tag_set *set, const struct text *gold, uint32_t N, struct vouch_error *err)
{
    if (set->sentences == UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "too many sentences: more than 2^32");
    scheme_see(&set->scheme, gold, N);
    for (uint32_t i = 0; i < N; i++)
        set->open += gold[i].length == 0;
    set->sentences++;
    set->all_words += N;
    return true;
}

bool tag_set_pass(struct tag_set *set, const struct text *gold, uint32_t N, struct vouch_error *err)
{
    for (uint32_t i = 0; i < N; i++)
        if (gold[i].length > 0 && !dictionary_add(&set->raw_names, gold[i], err))
            return false;
    return count_sentence(set, gold, N, err);
}

const struct tag_item *tag_set_item(const struct tag_set *set, uint32_t sentence)
{
    return &set->item[sentence_place(&set->own, sentence)];
}

bool tag_set_add(struct tag_set *set, const struct parts *parts, const struct text *gold, struct vouch_error *err)
{
    const struct rows *node = &parts->node, *edge = &parts->edge;
    const struct tag_sizes sizes = {parts->N, edge->count, node->start[node->count], edge->start[edge->count]};
    if (!make_room(set, &sizes, err) || !copy_values(set, node, err) || !copy_names(set, parts, err) ||
        !copy_vectors(set, parts, err))
        return false;
    for (uint32_t i = 0; i < parts->N; i++) {
        set->raw[set->words + i] = gold[i].length > 0 ? dictionary_add(&set->raw_names, gold[i], err) : 0;
        if (gold[i].length > 0 && !set->raw[set->words + i])
            return false;
    }
    if (!count_sentence(set, gold, parts->N, err))
        return false;
    struct tag_item at = append_item(set, &sizes);
    copy_rows(node, set->node_start + at.node_start, set->node_feature + at.node_feature);
    copy_rows(edge, set->edge_start + at.edge_start, set->edge_feature + at.edge_feature);
    set->own.own = set->count;
    return true;
}

/*
 * Rebuilds `index` with the features seen often enough, the first `known`, and
 * those that look at nothing (a plain B); renamed[f] is the new number, or NO_FEATURE.
 */
static bool keep_features(struct feature_index *index, uint32_t *renamed, const uint32_t *seen, uint32_t known,
                          uint32_t cutoff, struct vouch_error *err)
{
    struct feature_index kept = {0};
    for (uint32_t f = 0; f < feature_index_count(index); f++) {
        uint64_t from = index->record_start[f];
        uint32_t length = (uint32_t)(index->record_start[f + 1] - from);
        renamed[f] = NO_FEATURE;
        if (f >= known && seen[f] < cutoff && length > 1)
            continue;
        renamed[f] = feature_index_add(&kept, index->table.hash[f + 1], index->record + from, length, err);
        if (renamed[f] == NO_FEATURE) {
            feature_index_release(&kept);
            return false;
        }
    }
    feature_index_release(index);
    *index = kept;
    return true;
}

/* The rows of one kind, of words or of edges, of all sentences. */
struct row_store {
    bool edge;
    struct feature_index *index;
    uint32_t known; /* features that are never cut */
    uint32_t *start, *feature;
    float *value;
    size_t features;
};

/* Rewrites the rows of one sentence from `from` with the new numbers, to `to`; returns where they end. */
static size_t rename_rows(struct row_store *store, uint32_t *start, uint32_t rows, const uint32_t *renamed, size_t from,
                          size_t to)
{
    size_t begin = to;
    uint32_t read = 0;
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t end = start[r + 1];
        start[r] = (uint32_t)(to - begin);
        for (; read < end; read++) {
            uint32_t feature = renamed[store->feature[from + read]];
            if (feature == NO_FEATURE)
                continue;
            if (store->value)
                store->value[to] = store->value[from + read];
            store->feature[to++] = feature;
        }
    }
    start[rows] = (uint32_t)(to - begin);
    return to;
}

/* Adds up what all ranks have counted. */
static bool sum_counts(const struct ranks *ranks, uint32_t *seen, size_t count, struct vouch_error *err)
{
    if (!ranks)
        return true;
    int64_t *sum = new_array(count, sizeof *sum, err);
    for (size_t i = 0; sum && i < count; i++)
        sum[i] = seen[i];
    bool ok = sum && ranks_sum(ranks, sum, count, err);
    for (size_t i = 0; ok && i < count; i++)
        seen[i] = sum[i] < UINT32_MAX ? (uint32_t)sum[i] : UINT32_MAX;
    free(sum);
    return ok;
}

/* Counts features, rebuilds the index, and rewrites every sentence. */
static bool cut_kind(struct tag_set *set, struct row_store *store, uint32_t cutoff, struct vouch_error *err)
{
    bool edge = store->edge;
    size_t count = feature_index_count(store->index), to = 0;
    uint32_t *seen = new_array(count, sizeof *seen, err), *renamed = new_array(count, sizeof *renamed, err);
    bool ok = seen && renamed;
    for (size_t i = 0; ok && i < store->features; i++)
        seen[store->feature[i]] += seen[store->feature[i]] < UINT32_MAX;
    ok = ok && sum_counts(set->own.ranks, seen, count, err) &&
         keep_features(store->index, renamed, seen, store->known, cutoff, err);
    for (uint32_t s = 0; ok && s < set->count; s++) {
        struct tag_item *item = &set->item[s];
        size_t *at = edge ? &item->edge_feature : &item->node_feature, from = *at;
        *at = to;
        to = rename_rows(store, store->start + (edge ? item->edge_start : item->node_start),
                         edge ? item->edge_rows : item->N, renamed, from, to);
    }
    if (ok)
        store->features = to;
    free(seen);
    free(renamed);
    return ok;
}

bool tag_set_cut(struct tag_set *set, struct vocabulary *vocabulary, const struct vocabulary *known, uint32_t cutoff,
                 struct vouch_error *err)
{
    if (cutoff <= 1)
        return true;
    struct row_store node = {.index = &vocabulary->node,
                             .known = known ? feature_index_count(&known->node) : 0,
                             .start = set->node_start,
                             .feature = set->node_feature,
                             .value = set->weighted ? set->node_value : NULL,
                             .features = set->node_features};
    struct row_store edge = {.edge = true,
                             .index = &vocabulary->edge,
                             .known = known ? feature_index_count(&known->edge) : 0,
                             .start = set->edge_start,
                             .feature = set->edge_feature,
                             .features = set->edge_features};
    bool ok = cut_kind(set, &node, cutoff, err) && cut_kind(set, &edge, cutoff, err);
    set->node_features = node.features;
    set->edge_features = edge.features;
    return ok;
}

/* Returns the gold label of a word of one of the sentences here. */
static struct text gold_of(const struct tag_set *set, const struct tag_item *item, uint32_t word)
{
    return dictionary_text(&set->raw_names, set->raw[item->word + word]);
}

struct text tag_set_gold(const struct tag_set *set, uint32_t sentence, uint32_t word)
{
    return gold_of(set, tag_set_item(set, sentence), word);
}

/* Turns gold labels of all sentences into choices; new ones are added to `growing`, if it is not NULL. */
static bool choose_all(struct tag_set *set, const struct tag_labels *labels, struct dictionary *growing,
                       struct growth *growth, struct vouch_error *err)
{
    if (!RESERVE(set->gold, set->gold_capacity, set->words + 1, err))
        return false;
    for (uint32_t s = 0; s < set->count; s++) {
        const struct tag_item *item = &set->item[s];
        uint32_t *gold = set->gold + item->word;
        if (!RESERVE(set->work.text, set->work.text_capacity, (size_t)item->N + 1, err))
            return false;
        for (uint32_t i = 0; i < item->N; i++)
            set->work.text[i] = gold_of(set, item, i);
        if (!labels_choose(labels, growing, set->work.text, item->N, &set->work, gold, err) ||
            (growth && !growth_note(growth, sentence_number(&set->own, s), labels_count(labels), err)))
            return false;
    }
    return true;
}

bool tag_set_resolve(struct tag_set *set, const struct tag_labels *labels, struct vouch_error *err)
{
    return choose_all(set, labels, NULL, NULL, err);
}

/* Gives the labels that the ranks have found the same numbers on all ranks. */
static bool number_labels_alike(struct tag_set *set, struct tag_labels *labels, uint32_t known,
                                const struct growth *growth, struct vouch_error *err)
{
    uint32_t *renamed = new_array((size_t)labels_count(labels) + 1, sizeof *renamed, err);
    bool ok = renamed && number_names_alike(set->own.ranks, &labels->names, known, growth, renamed, err);
    for (size_t i = 0; ok && i < set->words; i++)
        if (set->gold[i] != OPEN_CHOICE)
            set->gold[i] = renamed[set->gold[i] + 1] - 1;
    free(renamed);
    return ok;
}

/* Turns gold labels into choices; new labels are added, and then all are known. */
static bool learn_labels(struct tag_set *set, struct tag_labels *labels, struct vouch_error *err)
{
    struct growth growth = {0};
    uint32_t known = labels_count(labels);
    bool ok = choose_all(set, labels, &labels->names, &growth, err) &&
              (!set->own.ranks || number_labels_alike(set, labels, known, &growth, err));
    growth_release(&growth);
    if (!ok)
        return false;
    if (labels_count(labels) > MAX_WIDTH)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d different labels, found %u: is it the right column?",
                    MAX_WIDTH, labels_count(labels));
    return labels_close(labels, err);
}

bool tag_set_close(struct tag_set *set, enum scheme inner, struct tag_labels *labels, struct vouch_error *err)
{
    labels->outer = scheme_decide(&set->scheme);
    labels->inner = labels_scheme(labels->outer, inner);
    return learn_labels(set, labels, err);
}

bool tag_set_join(struct tag_set *set, struct tag_labels *labels, struct vouch_error *err)
{
    enum scheme outer = labels->outer, found = scheme_decide(&set->scheme);
    if (labels->inner != SCHEME_NONE && found == SCHEME_NONE)
        return fail(err, VOUCH_ERR_FORMAT, "expected labels of chunks in %s, found some that follow no scheme",
                    scheme_name(outer));
    labels->outer = labels->inner == SCHEME_NONE ? SCHEME_NONE : found; /* the scheme to read it by */
    bool ok = learn_labels(set, labels, err);
    labels->outer = outer;
    return ok;
}

/* ---- Sharing with other ranks ---- */

static void rename_features(uint32_t *feature, size_t features, const uint32_t *renamed)
{
    for (size_t i = 0; i < features; i++)
        feature[i] = renamed[feature[i]];
}

/* Either all sentences have values or none, on all ranks, and likewise names. */
static bool share_columns(struct tag_set *set, struct vouch_error *err)
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

bool tag_set_number_alike(struct tag_set *set, struct vocabulary_growth *growth, struct vouch_error *err)
{
    uint32_t *node = NULL, *edge = NULL;
    bool ok = number_vocabulary_alike(set->own.ranks, growth, &node, &edge, err);
    if (ok) {
        rename_features(set->node_feature, set->node_features, node);
        rename_features(set->edge_feature, set->edge_features, edge);
    }
    free(node);
    free(edge);
    return ok && share_columns(set, err);
}

/* Adds the items from .. from + count - 1 of an array, which may be NULL if there are none. */
static bool put(struct buffer *out, const void *array, size_t from, size_t count, size_t size, struct vouch_error *err)
{
    return count == 0 || buffer_add_bytes(out, (const char *)array + from * size, count * size, err);
}

static bool pack(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err)
{
    const struct tag_set *set = self;
    const struct tag_item *at = tag_set_item(set, sentence);
    size_t N = at->N, names = set->nameless ? 0 : WORD_NAMES, rows = at->edge_rows;
    struct tag_sizes p = {at->N, at->edge_rows, set->node_start[at->node_start + N],
                          set->edge_start[at->edge_start + rows]};
    return put(out, &p, 0, 1, sizeof p, err) && put(out, set->raw, at->word, N, sizeof *set->raw, err) &&
           put(out, set->gold, at->word, N, sizeof *set->gold, err) &&
           put(out, set->name, at->word * names, N * names, sizeof *set->name, err) &&
           put(out, set->vector, at->word * set->D, N * set->D, sizeof *set->vector, err) &&
           put(out, set->node_start, at->node_start, N + 1, sizeof *set->node_start, err) &&
           put(out, set->edge_start, at->edge_start, rows + 1, sizeof *set->edge_start, err) &&
           put(out, set->node_feature, at->node_feature, p.node_features, sizeof *set->node_feature, err) &&
           put(out, set->node_value, at->node_feature, set->weighted ? p.node_features : 0, sizeof *set->node_value,
               err) &&
           put(out, set->edge_feature, at->edge_feature, p.edge_features, sizeof *set->edge_feature, err);
}

/* Takes `count` items out of a parcel into an array that has room for them, from its item `at` on. */
static void take(const char **from, void *array, size_t at, size_t count, size_t size)
{
    if (count)
        memcpy((char *)array + at * size, *from, count * size);
    *from += count * size;
}

/* Appends a sentence. */
static bool unpack(void *self, const char *bytes, struct vouch_error *err)
{
    struct tag_set *set = self;
    const char **from = &bytes;
    struct tag_sizes p;
    take(from, &p, 0, 1, sizeof p);
    size_t words = set->words + p.N, features = set->node_features + p.node_features;
    if (!make_room(set, &p, err) || !RESERVE(set->gold, set->gold_capacity, words + 1, err) ||
        (!set->nameless && !RESERVE(set->name, set->name_capacity, words * WORD_NAMES, err)) ||
        (set->D && !RESERVE(set->vector, set->vector_capacity, words * set->D, err)) ||
        (set->weighted && !RESERVE(set->node_value, set->node_value_capacity, features, err)))
        return false;
    struct tag_item at = append_item(set, &p);
    size_t N = p.N, names = set->nameless ? 0 : WORD_NAMES, rows = p.edge_rows;
    take(from, set->raw, at.word, N, sizeof *set->raw);
    take(from, set->gold, at.word, N, sizeof *set->gold);
    take(from, set->name, at.word * names, N * names, sizeof *set->name);
    take(from, set->vector, at.word * set->D, N * set->D, sizeof *set->vector);
    take(from, set->node_start, at.node_start, N + 1, sizeof *set->node_start);
    take(from, set->edge_start, at.edge_start, rows + 1, sizeof *set->edge_start);
    take(from, set->node_feature, at.node_feature, p.node_features, sizeof *set->node_feature);
    take(from, set->node_value, at.node_feature, set->weighted ? p.node_features : 0, sizeof *set->node_value);
    take(from, set->edge_feature, at.edge_feature, p.edge_features, sizeof *set->edge_feature);
    return true;
}

bool tag_set_send(struct tag_set *set, const uint32_t *sentence, uint32_t count, struct vouch_error *err)
{
    struct sentence_post post = {set, pack, unpack};
    return sentences_send(&set->own, sentence, count, &post, err);
}

/* ---- Further features ---- */

bool tag_set_extend(struct tag_set *set,
                    bool (*find)(void *context, uint32_t place, struct further_rows *rows, struct vouch_error *err),
                    void *context, struct vouch_error *err)
{
    struct tag_set wider = {.weighted = set->weighted};
    struct joined_rows joined = {0};
    struct further_rows further = {0};
    bool ok = true;
    for (uint32_t place = 0; ok && place < set->count; place++) {
        struct tag_item *item = &set->item[place];
        struct rows rows = {item->N, set->node_start + item->node_start, set->node_feature + item->node_feature,
                            set->weighted ? set->node_value + item->node_feature : NULL};
        ok = find(context, place, &further, err) && join_rows(&joined, &further, &rows, err) &&
             RESERVE(wider.node_feature, wider.node_feature_capacity, wider.node_features + rows.start[item->N] + 1,
                     err) &&
             copy_values(&wider, &rows, err);
        if (!ok)
            break;
        copy_rows(&rows, set->node_start + item->node_start, wider.node_feature + wider.node_features);
        item->node_feature = wider.node_features;
        wider.node_features += rows.start[item->N];
    }
    joined_rows_release(&joined);
    further_rows_release(&further);
    if (!ok) {
        free(wider.node_feature);
        free(wider.node_value);
        return false;
    }
    free(set->node_feature);
    free(set->node_value);
    set->node_feature = wider.node_feature;
    set->node_value = wider.node_value;
    set->node_features = wider.node_features;
    set->node_feature_capacity = wider.node_feature_capacity;
    set->node_value_capacity = wider.node_value_capacity;
    return true;
}

/* ---- As learning sees it ---- */

static bool get(const void *self, uint32_t i, struct scratch *scratch, struct example *example, struct vouch_error *err)
{
    (void)scratch, (void)err;
    const struct tag_set *set = self;
    const struct tag_item *item = tag_set_item(set, i);
    *example = (struct example){
        .parts = {.N = item->N,
                  .node = {.count = item->N,
                           .start = set->node_start + item->node_start,
                           .feature = set->node_feature + item->node_feature,
                           .value = set->weighted ? set->node_value + item->node_feature : NULL},
                  .edge = {.count = item->edge_rows,
                           .start = set->edge_start + item->edge_start,
                           .feature = set->edge_feature + item->edge_feature},
                  .dense = {set->D, set->window, set->D ? set->vector + item->word * set->D : NULL},
                  .names = {.name = set->nameless ? NULL : set->name + item->word * WORD_NAMES, .stride = WORD_NAMES}},
        .gold = set->gold + item->word,
    };
    parts_restrict(&example->parts, set->transitions);
    if (set->outside_scores.count)
        example->parts = parts_from_scores(&set->outside_scores.sentence[i]);
    return true;
}

struct examples tag_set_examples(const struct tag_set *set, const struct vocabulary *vocabulary,
                                 const struct tag_labels *labels, const struct structure *structure)
{
    return (struct examples){
        .structure = structure,
        .space = {.width = labels_count(labels),
                  .nodes = feature_index_count(&vocabulary->node),
                  .edges = feature_index_count(&vocabulary->edge)},
        .count = set->sentences,
        .partial = set->partial,
        .self = set,
        .own = set->own,
        .get = get,
    };
}
