/*
 * Turns words into parts: see tag_features.h.
 *
 * First every cell is observed: each view of it becomes the number of a string
 * in the dictionary. Columns with other views than the cell itself go through a
 * small direct-mapped cache, since most words of a text have been seen shortly
 * before. Then every rule hashes the numbers it looks at into a key and the key is looked up; the
 * keys of a word are computed before the first look-up, so that their cache
 * lines arrive together. No string is formatted.
 */
#include "task/tag_features.h"

#include "base/hash.h"

#include <stdio.h>

enum { CACHE_SLOTS = 1 << 13 };

/* Ready-made attributes have no rule: this replaces its hash. */
#define ATTRIBUTE_SEED UINT64_C(0xA7781B07E5EED000)

/* The views of one column, and the last words seen in it. */
struct column {
    uint32_t number;
    uint32_t views;  /* how many */
    uint32_t *view;  /* [views] numbers in templates->view */
    uint64_t *seen;  /* [CACHE_SLOTS] hash of the cell, 0: none; NULL if the cell itself is all that is seen */
    uint32_t *value; /* [CACHE_SLOTS][views] */
};

struct encoder {
    const struct templates *templates;
    const struct vocabulary *vocabulary;
    struct vocabulary *growing; /* the same one if it may grow, else NULL */
    bool shared_edges;          /* no B rule looks at the words */
    struct column *column;      /* [columns] */
    uint32_t columns;
    uint32_t outside[2 * MAX_ROW + 1]; /* string numbers of _B-k and _B+k, at MAX_ROW -/+ k */

    uint32_t *value; /* [reach + N + reach][views] string numbers */
    uint64_t *key;   /* [rules] */
    struct view_buffer buffer;
    uint32_t *node_start, *node_feature, *edge_start, *edge_feature;
    float *node_value;
    uint32_t *name; /* [N][WORD_NAMES] */
    size_t value_capacity, key_capacity, node_start_capacity, node_feature_capacity, edge_start_capacity,
        edge_feature_capacity, node_value_capacity, name_capacity;
};

void vocabulary_release(struct vocabulary *vocabulary)
{
    dictionary_release(&vocabulary->strings);
    feature_index_release(&vocabulary->node);
    feature_index_release(&vocabulary->edge);
}

/* Finds the number of a string, or adds it while growing. False only on failure. */
static bool number_of(struct encoder *e, struct text text, uint32_t *number, struct vouch_error *err)
{
    if (!e->growing) {
        *number = dictionary_find(&e->vocabulary->strings, text);
        return true;
    }
    *number = dictionary_add(&e->growing->strings, text, err);
    return *number != 0;
}

static bool number_outside(struct encoder *e, struct vouch_error *err)
{
    for (int k = 1; k <= e->templates->reach; k++) {
        char before[16], after[16];
        snprintf(before, sizeof before, "_B-%d", k);
        snprintf(after, sizeof after, "_B+%d", k);
        if (!number_of(e, text_of(before), &e->outside[MAX_ROW - k], err) ||
            !number_of(e, text_of(after), &e->outside[MAX_ROW + k], err))
            return false;
    }
    return true;
}

static bool group_views(struct encoder *e, struct vouch_error *err)
{
    const struct templates *t = e->templates;
    e->column = new_array(t->columns, sizeof *e->column, err);
    if (!e->column)
        return false;
    e->columns = t->columns;
    for (uint32_t c = 0; c < t->columns; c++) {
        struct column *column = &e->column[c];
        column->number = c;
        column->view = new_array(t->views, sizeof *column->view, err);
        if (!column->view)
            return false;
        for (uint32_t v = 0; v < t->views; v++)
            if (t->view[v].column == c)
                column->view[column->views++] = v;
        if (column->views > 1 || (column->views && t->view[column->view[0]].kind != VIEW_CELL)) {
            column->seen = new_array(CACHE_SLOTS, sizeof *column->seen, err);
            column->value = new_array((size_t)CACHE_SLOTS * column->views, sizeof *column->value, err);
            if (!column->seen || !column->value)
                return false;
        }
    }
    return true;
}

static struct encoder *new_encoder(const struct templates *templates, const struct vocabulary *vocabulary,
                                   struct vocabulary *growing, struct vouch_error *err)
{
    struct encoder *e = new_array(1, sizeof *e, err);
    if (!e)
        return NULL;
    e->templates = templates;
    e->vocabulary = vocabulary;
    e->growing = growing;
    e->shared_edges = true;
    for (uint32_t r = 0; r < templates->edges; r++)
        if (templates->edge[r].macros)
            e->shared_edges = false;
    size_t rules = templates->nodes > templates->edges ? templates->nodes : templates->edges;
    if (!group_views(e, err) || !number_outside(e, err) || !RESERVE(e->key, e->key_capacity, rules + 1, err)) {
        encoder_free(e);
        return NULL;
    }
    return e;
}

struct encoder *encoder_new(const struct templates *templates, const struct vocabulary *vocabulary,
                            struct vouch_error *err)
{
    return new_encoder(templates, vocabulary, NULL, err);
}

struct encoder *encoder_new_growing(const struct templates *templates, struct vocabulary *vocabulary,
                                    struct vouch_error *err)
{
    return new_encoder(templates, vocabulary, vocabulary, err);
}

void encoder_free(struct encoder *e)
{
    if (!e)
        return;
    for (uint32_t c = 0; c < e->columns; c++) {
        free(e->column[c].view);
        free(e->column[c].seen);
        free(e->column[c].value);
    }
    free(e->column);
    free(e->value);
    free(e->name);
    free(e->key);
    free(e->buffer.bytes);
    free(e->node_start);
    free(e->node_feature);
    free(e->node_value);
    free(e->edge_start);
    free(e->edge_feature);
    free(e);
}

/* Observes one cell through every view of its column: value[view] for each. */
static bool observe_cell(struct encoder *e, struct column *column, struct text cell, uint32_t *value,
                         struct vouch_error *err)
{
    uint32_t *cached = NULL;
    uint64_t hash = 0, slot = 0;
    if (column->seen) {
        hash = hash_bytes(cell.at, cell.length) | 1;
        slot = (hash >> 20) % CACHE_SLOTS;
        cached = column->value + slot * column->views;
        if (column->seen[slot] == hash) {
            for (uint32_t i = 0; i < column->views; i++)
                value[column->view[i]] = cached[i];
            return true;
        }
        column->seen[slot] = 0;
    }
    for (uint32_t i = 0; i < column->views; i++) {
        struct text seen;
        uint32_t number = 0;
        if (!view_apply(&e->templates->view[column->view[i]], cell, &e->buffer, &seen, err) ||
            (seen.at && !number_of(e, seen, &number, err)))
            return false;
        value[column->view[i]] = number;
        if (cached)
            cached[i] = number;
    }
    if (column->seen)
        column->seen[slot] = hash;
    return true;
}

static bool observe(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    uint32_t views = e->templates->views, reach = (uint32_t)e->templates->reach;
    if (!RESERVE(e->value, e->value_capacity, ((size_t)sentence->N + 2 * reach) * views + 1, err))
        return false;
    for (uint32_t k = 1; k <= reach; k++) {
        uint32_t *before = e->value + (size_t)(reach - k) * views;
        uint32_t *after = e->value + ((size_t)reach + sentence->N + k - 1) * views;
        for (uint32_t v = 0; v < views; v++) {
            before[v] = e->outside[MAX_ROW - k];
            after[v] = e->outside[MAX_ROW + k];
        }
    }
    for (uint32_t t = 0; t < sentence->N; t++) {
        uint32_t *value = e->value + ((size_t)reach + t) * views;
        if (sentence_cells(sentence, t) < e->columns)
            return fail(err, VOUCH_ERR_FORMAT, "expected at least %u columns, found %u", e->columns,
                        sentence_cells(sentence, t));
        for (uint32_t c = 0; c < e->columns; c++)
            if (e->column[c].views && !observe_cell(e, &e->column[c], sentence_cell(sentence, t, c), value, err))
                return false;
    }
    return true;
}

/* Returns the key of a rule at a word whose observations start at `here`; 0 if one of its cells shows nothing. */
static inline uint64_t rule_key(const struct rule *rule, const uint32_t *here, uint32_t views)
{
    uint64_t key = rule->seed;
    for (uint32_t m = 0; m < rule->macros; m++) {
        uint32_t value = here[(ptrdiff_t)rule->macro[m].row * (ptrdiff_t)views + rule->macro[m].view];
        if (!value)
            return 0;
        key = hash_mix(key, value);
    }
    return key;
}

/* Returns the number of a rule's feature, which may be new; NO_FEATURE: there was no memory. */
static uint32_t add_feature(struct feature_index *index, const struct rule *rule, const uint32_t *here, uint32_t views,
                            uint64_t key, struct vouch_error *err)
{
    uint32_t record[1 + MAX_MACROS] = {rule->shape};
    for (uint32_t m = 0; m < rule->macros; m++)
        record[1 + m] = here[(ptrdiff_t)rule->macro[m].row * (ptrdiff_t)views + rule->macro[m].view];
    return feature_index_add(index, key, record, 1 + rule->macros, err);
}

/*
 * Appends the features of the words' rules, or of the edges', at word `t` to `feature`, from *count on, where there
 * must be room.
 */
static bool apply_rules(struct encoder *e, bool edge, uint32_t t, uint32_t *feature, uint32_t *count,
                        struct vouch_error *err)
{
    const struct rule *rule = edge ? e->templates->edge : e->templates->node;
    uint32_t rules = edge ? e->templates->edges : e->templates->nodes, views = e->templates->views;
    const struct feature_index *index = edge ? &e->vocabulary->edge : &e->vocabulary->node;
    struct feature_index *growing = !e->growing ? NULL : edge ? &e->growing->edge : &e->growing->node;
    const uint32_t *here = e->value + ((size_t)e->templates->reach + t) * views;
    for (uint32_t r = 0; r < rules; r++) {
        e->key[r] = rule_key(&rule[r], here, views);
        if (index->table.slot)
            __builtin_prefetch(hash_table_home(&index->table, e->key[r]));
    }
    for (uint32_t r = 0; r < rules; r++) {
        if (!e->key[r])
            continue;
        uint32_t f = growing ? add_feature(growing, &rule[r], here, views, e->key[r], err)
                             : feature_index_find(index, e->key[r]);
        if (growing && f == NO_FEATURE)
            return false;
        if (f != NO_FEATURE)
            feature[(*count)++] = f;
    }
    return true;
}

static bool encode_nodes(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    const struct templates *t = e->templates;
    uint32_t count = 0;
    if (!RESERVE(e->node_feature, e->node_feature_capacity, (size_t)sentence->N * t->nodes + 1, err))
        return false;
    for (uint32_t w = 0; w < sentence->N; w++) {
        e->node_start[w] = count;
        if (!apply_rules(e, false, w, e->node_feature, &count, err))
            return false;
    }
    e->node_start[sentence->N] = count;
    return true;
}

/* Encodes ready-made attributes: every cell is a feature, with its value. */
static bool encode_attributes(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    size_t cells = sentence->first[sentence->N];
    uint32_t count = 0;
    if (!RESERVE(e->node_feature, e->node_feature_capacity, cells + 1, err) ||
        !RESERVE(e->node_value, e->node_value_capacity, cells + 1, err))
        return false;
    for (uint32_t w = 0; w < sentence->N; w++) {
        e->node_start[w] = count;
        for (uint32_t c = sentence->first[w]; c < sentence->first[w + 1]; c++) {
            uint32_t record[2] = {0}, feature;
            if (!number_of(e, sentence->cell[c], &record[1], err))
                return false;
            if (!record[1])
                continue;
            uint64_t key = hash_mix(ATTRIBUTE_SEED, record[1]);
            feature = e->growing ? feature_index_add(&e->growing->node, key, record, 2, err)
                                 : feature_index_find(&e->vocabulary->node, key);
            if (e->growing && feature == NO_FEATURE)
                return false;
            if (feature == NO_FEATURE)
                continue;
            e->node_value[count] = sentence->weighted ? sentence->value[c] : 1;
            e->node_feature[count++] = feature;
        }
    }
    e->node_start[sentence->N] = count;
    return true;
}

/* Encodes edges: one row for all positions if no rule looks at the words, else one for each word but the first. */
static bool encode_edges(struct encoder *e, const struct sentence *sentence, uint32_t *rows, struct vouch_error *err)
{
    const struct templates *t = e->templates;
    *rows = t->edges == 0 || sentence->N == 0 ? 0 : e->shared_edges ? 1 : sentence->N - 1;
    uint32_t count = 0, first = e->shared_edges ? 0 : 1;
    if (!RESERVE(e->edge_start, e->edge_start_capacity, (size_t)*rows + 1, err) ||
        !RESERVE(e->edge_feature, e->edge_feature_capacity, (size_t)*rows * t->edges + 1, err))
        return false;
    for (uint32_t r = 0; r < *rows; r++) {
        e->edge_start[r] = count;
        if (!apply_rules(e, true, first + r, e->edge_feature, &count, err))
            return false;
    }
    e->edge_start[*rows] = count;
    return true;
}

/* Names each word by its first cell. Ready-made attributes come without words. */
static bool name_words(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    static const struct view in_lower_case = {.kind = VIEW_LOWER};
    if (!RESERVE(e->name, e->name_capacity, (size_t)sentence->N * WORD_NAMES + 1, err))
        return false;
    for (uint32_t n = 0; n < sentence->N; n++) {
        struct text word = sentence_cell(sentence, n, 0), lower;
        if (!view_apply(&in_lower_case, word, &e->buffer, &lower, err))
            return false;
        e->name[n * WORD_NAMES] = (uint32_t)hash_bytes(word.at, word.length);
        e->name[n * WORD_NAMES + 1] = (uint32_t)hash_bytes(lower.at, lower.length);
    }
    return true;
}

bool encoder_run(struct encoder *e, const struct sentence *sentence, struct parts *parts, struct vouch_error *err)
{
    bool attributes = e->templates->attributes;
    uint32_t edge_rows;
    if (!RESERVE(e->node_start, e->node_start_capacity, (size_t)sentence->N + 1, err) || !observe(e, sentence, err) ||
        !(attributes ? encode_attributes(e, sentence, err) : encode_nodes(e, sentence, err)) ||
        !encode_edges(e, sentence, &edge_rows, err) || (!attributes && !name_words(e, sentence, err)))
        return false;
    *parts = (struct parts){
        .N = sentence->N,
        .node = {.count = sentence->N,
                 .start = e->node_start,
                 .feature = e->node_feature,
                 .value = attributes && sentence->weighted ? e->node_value : NULL},
        .edge = {.count = edge_rows, .start = e->edge_start, .feature = e->edge_feature},
        .names = {.name = attributes ? NULL : e->name, .stride = WORD_NAMES},
    };
    return true;
}

uint32_t tag_feature_strings(const struct templates *templates, bool edge, uint32_t rule)
{
    if (templates->attributes && !edge)
        return 1;
    if (rule >= (edge ? templates->edges : templates->nodes))
        return UINT32_MAX;
    return (edge ? templates->edge : templates->node)[rule].macros;
}

bool tag_feature_key(const struct templates *templates, bool edge, const uint32_t *record, uint32_t length,
                     uint64_t *key)
{
    if (length == 0 || tag_feature_strings(templates, edge, record[0]) != length - 1)
        return false;
    *key = templates->attributes && !edge ? ATTRIBUTE_SEED : (edge ? templates->edge : templates->node)[record[0]].seed;
    for (uint32_t i = 1; i < length; i++)
        *key = hash_mix(*key, record[i]);
    return true;
}

/* Adds the features of `index` in their order, each under the key that its record gives. */
static bool copy_index(struct feature_index *copy, const struct feature_index *index, const struct templates *templates,
                       bool edge, struct vouch_error *err)
{
    for (uint32_t f = 0; f < feature_index_count(index); f++) {
        uint64_t from = index->record_start[f], to = index->record_start[f + 1], key;
        if (from >= to || to > index->records || to - from > 1 + MAX_MACROS ||
            !tag_feature_key(templates, edge, index->record + from, (uint32_t)(to - from), &key))
            return fail(err, VOUCH_ERR_FORMAT, "the records of the features are damaged");
        uint32_t number = feature_index_add(copy, key, index->record + from, (uint32_t)(to - from), err);
        if (number == NO_FEATURE)
            return false;
        if (number != f)
            return fail(err, VOUCH_ERR_FORMAT, "the records of the features are damaged: two are the same");
    }
    return true;
}

bool vocabulary_copy(struct vocabulary *copy, const struct vocabulary *vocabulary, const struct templates *templates,
                     struct vouch_error *err)
{
    *copy = (struct vocabulary){0};
    return dictionary_copy(&copy->strings, &vocabulary->strings, err) &&
           copy_index(&copy->node, &vocabulary->node, templates, false, err) &&
           copy_index(&copy->edge, &vocabulary->edge, templates, true, err);
}
