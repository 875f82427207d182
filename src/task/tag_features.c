/*
 * Turns words into parts, for labelling.
 *
 * The observer (observer.h) notes what the rules see of every word, and their features, which are then collected in the
 * order of the rules. While the vocabulary grows, and for edges, features are looked up here, by keys that are hashed
 * from the numbers of the strings that a rule sees. No string is formatted.
 */
#include "task/tag_features.h"

#include "base/hash.h"

#include <math.h>

/* Ready-made attributes have no rule: this replaces its hash. */
#define ATTRIBUTE_SEED UINT64_C(0xA7781B07E5EED000)
#define VECTOR_SEED UINT64_C(0x7EC70125EED0D0D0)  /* the same for components of vectors */
#define CONTEXT_SEED UINT64_C(0xC0A7E87A15EED000) /* and for features of a first stage's answers */

struct encoder {
    const struct templates *templates;
    const struct vocabulary *vocabulary;
    struct vocabulary *growing; /* the same one if it may grow, else NULL */
    bool shared_edges;          /* no B rule looks at the words */
    struct observer observer;
    uint64_t *key;      /* [rules] */
    struct arena arena; /* of the arrays that follow, made anew for every sentence */
    uint32_t *node_start, *node_feature, *edge_start, *edge_feature;
    float *node_value, *vector;
};

void vocabulary_release(struct vocabulary *vocabulary)
{
    dictionary_release(&vocabulary->strings);
    feature_index_release(&vocabulary->node);
    feature_index_release(&vocabulary->edge);
}

/* Returns the rule number of the first component of vectors. */
static uint32_t vector_rule(const struct templates *templates)
{
    return templates->attributes ? 1 : templates->nodes;
}

/* Whether a rule is behind those of the templates: of components of vectors, or of a first stage's answers. */
static bool is_further_rule(const struct templates *templates, bool edge, uint32_t rule)
{
    uint32_t first = vector_rule(templates);
    return !edge && rule >= first && rule - first < vector_features(&templates->vectors) + templates->context;
}

static uint64_t further_seed(const struct templates *templates, uint32_t rule)
{
    uint32_t number = rule - vector_rule(templates), vectors = vector_features(&templates->vectors);
    return number < vectors ? hash_mix(VECTOR_SEED, number) : hash_mix(CONTEXT_SEED, number - vectors);
}

bool vocabulary_add_context(struct vocabulary *vocabulary, const struct templates *templates, uint32_t *feature,
                            struct vouch_error *err)
{
    for (uint32_t f = 0; f < templates->context; f++) {
        uint32_t rule = vector_rule(templates) + vector_features(&templates->vectors) + f;
        feature[f] = feature_index_add(&vocabulary->node, further_seed(templates, rule), &rule, 1, err);
        if (feature[f] == NO_FEATURE)
            return false;
    }
    return true;
}

void vocabulary_find_context(const struct vocabulary *vocabulary, const struct templates *templates, uint32_t *feature)
{
    for (uint32_t f = 0; f < templates->context; f++)
        feature[f] = feature_index_find(&vocabulary->node, hash_mix(CONTEXT_SEED, f));
}

/* Makes the components of vectors the first features; if they are there already, nothing changes. */
static bool add_components(const struct templates *templates, struct vocabulary *growing, struct vouch_error *err)
{
    for (uint32_t f = 0; f < vector_features(&templates->vectors); f++) {
        uint32_t rule = vector_rule(templates) + f;
        if (feature_index_add(&growing->node, hash_mix(VECTOR_SEED, f), &rule, 1, err) == NO_FEATURE)
            return false;
    }
    return true;
}

static struct encoder *new_encoder(const struct templates *templates, const struct vocabulary *vocabulary,
                                   struct vocabulary *growing, struct vouch_error *err)
{
    struct encoder *e = new_array(1, sizeof *e, err);
    if (!e)
        return NULL;
    *e = (struct encoder){.templates = templates, .vocabulary = vocabulary, .growing = growing, .shared_edges = true};
    for (uint32_t r = 0; r < templates->edges; r++)
        if (templates->edge[r].macros)
            e->shared_edges = false;
    size_t rules = templates->nodes > templates->edges ? templates->nodes : templates->edges;
    if (observer_init(&e->observer, templates, &vocabulary->strings, &vocabulary->node,
                      growing ? &growing->strings : NULL, err) &&
        (e->key = new_array(rules, sizeof *e->key, err)) && (!growing || add_components(templates, growing, err)))
        return e;
    encoder_free(e);
    return NULL;
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
    observer_release(&e->observer);
    free(e->key);
    arena_release(&e->arena);
    free(e);
}

/*
 * Appends the features of the words' rules, or of the edges', at word `t`, from *count on, where there must be room.
 * Keys are made before the first is looked up, so that memory arrives in time.
 */
static bool look_up(struct encoder *e, bool edge, uint32_t t, uint32_t *feature, uint32_t *count,
                    struct vouch_error *err)
{
    const struct rule *rule = edge ? e->templates->edge : e->templates->node;
    const struct places *places = edge ? e->observer.edge : e->observer.node;
    uint32_t rules = edge ? e->templates->edges : e->templates->nodes;
    const struct feature_index *index = edge ? &e->vocabulary->edge : &e->vocabulary->node;
    struct feature_index *growing = !e->growing ? NULL : edge ? &e->growing->edge : &e->growing->node;
    const uint32_t *here = observer_row(&e->observer, t);
    for (uint32_t r = 0; r < rules; r++) {
        e->key[r] = rule_key(&rule[r], &places[r], here);
        hash_table_prefetch(&index->table, e->key[r]);
    }
    for (uint32_t r = 0; r < rules; r++) {
        if (!e->key[r])
            continue;
        uint32_t record[1 + MAX_MACROS] = {rule[r].shape};
        for (uint32_t m = 0; growing && m < rule[r].macros; m++)
            record[1 + m] = here[places[r].string[m]];
        uint32_t f = growing ? feature_index_add(growing, e->key[r], record, 1 + rule[r].macros, err)
                             : feature_index_find(index, e->key[r]);
        if (growing && f == NO_FEATURE)
            return false;
        if (f != NO_FEATURE)
            feature[(*count)++] = f;
    }
    return true;
}

/* Appends the features that the observer found for word `t`, in the order of the rules. */
static void collect(const struct encoder *e, uint32_t t, uint32_t *feature, uint32_t *count)
{
    const uint32_t *here = observer_row(&e->observer, t);
    const int32_t *place = e->observer.feature;
    uint32_t rules = e->templates->nodes, to = *count;
    for (uint32_t r = 0; r < rules; r++) {
        uint32_t f = here[place[r]];
        feature[to] = f;
        to += f != NO_FEATURE;
    }
    *count = to;
}

static bool encode_nodes(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    uint32_t count = 0;
    if (!ARENA_ARRAY(e->node_feature, (size_t)sentence->N * e->templates->nodes + 1, &e->arena, err))
        return false;
    for (uint32_t w = 0; w < sentence->N; w++) {
        e->node_start[w] = count;
        if (!e->growing)
            collect(e, w, e->node_feature, &count);
        else if (!look_up(e, false, w, e->node_feature, &count, err))
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
    if (!ARENA_ARRAY(e->node_feature, cells, &e->arena, err) || !ARENA_ARRAY(e->node_value, cells, &e->arena, err))
        return false;
    for (uint32_t w = 0; w < sentence->N; w++) {
        e->node_start[w] = count;
        for (uint32_t c = sentence->first[w]; c < sentence->first[w + 1]; c++) {
            uint32_t record[2] = {0}, feature;
            if (!observer_number(&e->observer, sentence->cell[c], &record[1], err))
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
    uint32_t rules = e->templates->edges, count = 0, first = e->shared_edges ? 0 : 1;
    *rows = rules == 0 || sentence->N == 0 ? 0 : e->shared_edges ? 1 : sentence->N - 1;
    if (!ARENA_ARRAY(e->edge_start, (size_t)*rows + 1, &e->arena, err) ||
        !ARENA_ARRAY(e->edge_feature, (size_t)*rows * rules, &e->arena, err))
        return false;
    for (uint32_t r = 0; r < *rows; r++) {
        e->edge_start[r] = count;
        if (!look_up(e, true, first + r, e->edge_feature, &count, err))
            return false;
    }
    e->edge_start[*rows] = count;
    return true;
}

/* Scales the vectors of a sentence; every word must have one if the features are for such. */
static bool encode_vectors(struct encoder *e, const struct sentence *sentence, struct vouch_error *err)
{
    const struct vector_shape *shape = &e->templates->vectors;
    size_t count = (size_t)sentence->N * shape->D;
    if (shape->D == 0 && sentence->dimensions)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected no vectors of words: the features were learned without any");
    if (shape->D != sentence->dimensions && !sentence->dimensions && sentence->N)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a vector of %u numbers for every word, found none", shape->D);
    if (shape->D != sentence->dimensions && sentence->N)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a vector of %u numbers for every word, found %u numbers",
                    shape->D, sentence->dimensions);
    if (!ARENA_ARRAY(e->vector, count, &e->arena, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        e->vector[i] = sentence->vector[i] * shape->scale;
        if (!isfinite(e->vector[i]))
            return fail(err, VOUCH_ERR_FORMAT,
                        "word %zu: expected a vector within the range of float32 after it is multiplied by %g, as the "
                        "model asks, found %g",
                        i / shape->D + 1, (double)shape->scale, (double)sentence->vector[i]);
    }
    return true;
}

bool encoder_run(struct encoder *e, const struct sentence *sentence, struct parts *parts, struct vouch_error *err)
{
    bool attributes = e->templates->attributes;
    uint32_t edge_rows;
    arena_reset(&e->arena);
    if (!ARENA_ARRAY(e->node_start, (size_t)sentence->N + 1, &e->arena, err) ||
        !(attributes ? encode_attributes(e, sentence, err)
                     : observer_run(&e->observer, sentence, err) && encode_nodes(e, sentence, err)) ||
        !encode_edges(e, sentence, &edge_rows, err) || !encode_vectors(e, sentence, err))
        return false;
    *parts = (struct parts){
        .N = sentence->N,
        .node = {.count = sentence->N,
                 .start = e->node_start,
                 .feature = e->node_feature,
                 .value = attributes && sentence->weighted ? e->node_value : NULL},
        .edge = {.count = edge_rows, .start = e->edge_start, .feature = e->edge_feature},
        .dense = {e->templates->vectors.D, e->templates->vectors.window, e->vector},
    };
    if (!attributes) /* ready-made attributes come without words */
        parts->names = (struct word_names){.name = observer_row(&e->observer, 0), .stride = e->observer.stride};
    return true;
}

bool tag_vectors_fit(const struct templates *templates, const struct feature_index *node)
{
    for (uint32_t f = 0; f < vector_features(&templates->vectors); f++)
        if (f >= feature_index_count(node) || node->record[node->record_start[f]] != vector_rule(templates) + f)
            return false;
    return true;
}

uint32_t tag_feature_strings(const struct templates *templates, bool edge, uint32_t rule)
{
    if (is_further_rule(templates, edge, rule))
        return 0;
    if (templates->attributes && !edge)
        return 1;
    if (rule >= (edge ? templates->edges : templates->nodes))
        return UINT32_MAX;
    return (edge ? templates->edge : templates->node)[rule].macros;
}

/* Returns what the keys and the names of a rule's features begin with; rules behind the templates' have nothing else.
 */
static uint64_t seed_of(const struct templates *templates, bool edge, uint32_t rule)
{
    if (is_further_rule(templates, edge, rule))
        return further_seed(templates, rule);
    return templates->attributes && !edge ? ATTRIBUTE_SEED : (edge ? templates->edge : templates->node)[rule].seed;
}

bool tag_feature_key(const struct templates *templates, bool edge, const uint32_t *record, uint32_t length,
                     uint64_t *key)
{
    if (length == 0 || tag_feature_strings(templates, edge, record[0]) != length - 1)
        return false;
    *key = seed_of(templates, edge, record[0]);
    for (uint32_t i = 1; i < length; i++)
        *key = hash_mix(*key, record[i]);
    return true;
}

static void name_features(const struct templates *templates, const struct feature_index *index, bool edge,
                          const uint64_t *string, uint32_t *name)
{
    for (uint32_t f = 0; f < feature_index_count(index); f++) {
        uint64_t from = index->record_start[f], all = seed_of(templates, edge, index->record[from]);
        for (uint64_t i = from + 1; i < index->record_start[f + 1]; i++)
            all = hash_mix(all, string[index->record[i]]);
        name[f] = (uint32_t)(all >> 32);
    }
}

uint32_t *tag_feature_names(const struct templates *templates, const struct vocabulary *vocabulary,
                            struct vouch_error *err)
{
    uint32_t nodes = feature_index_count(&vocabulary->node), edges = feature_index_count(&vocabulary->edge),
             strings = vocabulary->strings.table.count;
    uint32_t *name = new_array((size_t)nodes + edges + 1, sizeof *name, err);
    uint64_t *string = name ? new_array((size_t)strings + 1, sizeof *string, err) : NULL;
    for (uint32_t id = 1; string && id <= strings; id++) {
        struct text text = dictionary_text(&vocabulary->strings, id);
        string[id] = hash_bytes(text.at, text.length);
    }
    if (string) {
        name_features(templates, &vocabulary->node, false, string, name);
        name_features(templates, &vocabulary->edge, true, string, name + nodes);
    } else {
        free(name);
        name = NULL;
    }
    free(string);
    return name;
}

static bool same_record(const struct feature_index *index, uint32_t f, uint32_t g)
{
    const uint64_t *start = index->record_start;
    uint64_t length = start[f + 1] - start[f];
    return start[g + 1] - start[g] == length &&
           memcmp(index->record + start[f], index->record + start[g], sizeof *index->record * length) == 0;
}

/* Copies the records of `index`, of which there are some. */
static bool copy_records(struct feature_index *copy, const struct feature_index *index, struct vouch_error *err)
{
    size_t starts = (size_t)feature_index_count(index) + 1;
    if (!RESERVE(copy->record, copy->record_capacity, index->records + 1, err) ||
        !RESERVE(copy->record_start, copy->record_start_capacity, starts, err))
        return false;
    memcpy(copy->record, index->record, sizeof *copy->record * index->records);
    memcpy(copy->record_start, index->record_start, sizeof *copy->record_start * starts);
    copy->records = index->records;
    return true;
}

/*
 * Enters the features of `index` in their order, each under the key that its record gives. Two may have the same key by
 * chance: the second keeps its number, and is never found, as in the model.
 */
static bool copy_index(struct feature_index *copy, const struct feature_index *index, const struct templates *templates,
                       bool edge, struct vouch_error *err)
{
    uint32_t count = feature_index_count(index);
    if (count > 0 && !copy_records(copy, index, err))
        return false;
    for (uint32_t f = 0; f < count; f++) {
        uint64_t from = index->record_start[f], to = index->record_start[f + 1], key;
        if (from >= to || to > index->records || to - from > 1 + MAX_MACROS ||
            !tag_feature_key(templates, edge, index->record + from, (uint32_t)(to - from), &key))
            return fail(err, VOUCH_ERR_FORMAT, "the records of the features are damaged");
        uint32_t found = feature_index_find(copy, key);
        if (found != NO_FEATURE && same_record(index, found, f))
            return fail(err, VOUCH_ERR_FORMAT, "the records of the features are damaged: two are the same");
        if (!hash_table_add(&copy->table, key, err))
            return false;
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
