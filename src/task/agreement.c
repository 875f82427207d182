/* Lets ranks number things alike: see agreement.h. */
#include "task/agreement.h"

#include "base/buffer.h"
#include "base/hash.h"

#include <string.h>

/* ---- How things grew ---- */

bool growth_note(struct growth *growth, uint32_t sentence, uint32_t size, struct vouch_error *err)
{
    uint32_t before = growth->count ? growth->after[growth->count - 1].size : 0;
    if (size == before)
        return true;
    if (!RESERVE(growth->after, growth->capacity, growth->count + 1, err))
        return false;
    growth->after[growth->count].sentence = sentence;
    growth->after[growth->count++].size = size;
    return true;
}

void growth_release(struct growth *growth)
{
    free(growth->after);
    *growth = (struct growth){0};
}

/* ---- One list of the ranks' lists ---- */

/* A thing that a rank has met: its bytes lie in the list that was gathered. */
struct met {
    uint64_t hash;
    const char *bytes;
    uint32_t length, sentence;
};

struct meeting {
    struct gathered gathered;
    struct met *met; /* [count] */
    size_t count;
};

static int by_thing(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    int differ = memcmp(x->bytes, y->bytes, x->length);
    return differ ? differ : (x->sentence > y->sentence) - (x->sentence < y->sentence);
}

/* A rank lists what it met in one sentence in order, so that places in the list tell the turn. */
static int by_turn(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Adds a thing to the list that this rank will show. */
static bool list(struct buffer *own, uint32_t sentence, const void *bytes, uint32_t length, struct vouch_error *err)
{
    uint32_t head[2] = {sentence, length};
    return buffer_add(own, (struct text){(const char *)head, sizeof head}, err) &&
           buffer_add(own, (struct text){bytes, length}, err);
}

/* Reads the next thing of a list, at *at. */
static struct met next_met(const char *list, uint64_t *at)
{
    uint32_t head[2];
    memcpy(head, list + *at, sizeof head);
    struct met met = {.bytes = list + *at + sizeof head, .length = head[1], .sentence = head[0]};
    met.hash = hash_bytes(met.bytes, met.length);
    *at += sizeof head + head[1];
    return met;
}

/* Collects the lists and puts every thing once, in the order in which the corpus has them. Release in any case. */
static bool meet(const struct ranks *ranks, const struct buffer *own, struct meeting *meeting, struct vouch_error *err)
{
    *meeting = (struct meeting){0};
    if (!ranks_gather(ranks, own->bytes, own->length, FOR_ALL, &meeting->gathered, err))
        return false;
    uint64_t end = meeting->gathered.start[meeting->gathered.count];
    size_t all = 0, kept = 0;
    for (uint64_t at = 0; at < end; all++)
        next_met(meeting->gathered.bytes, &at);
    struct met *met = meeting->met = new_array(all, sizeof *met, err);
    if (!met)
        return false;
    for (uint64_t at = 0, i = 0; at < end; i++)
        met[i] = next_met(meeting->gathered.bytes, &at);
    qsort(met, all, sizeof *met, by_thing);
    for (size_t i = 0; i < all; i++)
        if (!kept || met[kept - 1].hash != met[i].hash || met[kept - 1].length != met[i].length ||
            memcmp(met[kept - 1].bytes, met[i].bytes, met[i].length) != 0)
            met[kept++] = met[i];
    qsort(met, kept, sizeof *met, by_turn);
    meeting->count = kept;
    return true;
}

static void meeting_release(struct meeting *meeting)
{
    gathered_release(&meeting->gathered);
    free(meeting->met);
}

/* ---- Names ---- */

static bool list_names(const struct dictionary *names, uint32_t known, const struct growth *growth, struct buffer *own,
                       struct vouch_error *err)
{
    uint32_t id = known + 1;
    for (size_t g = 0; g < growth->count; g++)
        for (; id <= growth->after[g].size; id++) {
            struct text name = dictionary_text(names, id);
            if (!list(own, growth->after[g].sentence, name.at, name.length, err))
                return false;
        }
    return true;
}

/* Makes a dictionary of the first `known` names and of what was met. */
static bool number_names(struct dictionary *agreed, const struct dictionary *names, uint32_t known,
                         const struct meeting *meeting, struct vouch_error *err)
{
    for (uint32_t id = 1; id <= known; id++)
        if (!dictionary_add(agreed, dictionary_text(names, id), err))
            return false;
    for (size_t i = 0; i < meeting->count; i++)
        if (!dictionary_add(agreed, (struct text){meeting->met[i].bytes, meeting->met[i].length}, err))
            return false;
    return true;
}

bool agree_on_names(const struct ranks *ranks, struct dictionary *names, uint32_t known, const struct growth *growth,
                    uint32_t *renamed, struct vouch_error *err)
{
    struct buffer own = {0};
    struct meeting meeting = {0};
    struct dictionary agreed = {0};
    bool ok = list_names(names, known, growth, &own, err) && meet(ranks, &own, &meeting, err) &&
              number_names(&agreed, names, known, &meeting, err);
    for (uint32_t id = 1; ok && id <= names->table.count; id++)
        renamed[id] = dictionary_find(&agreed, dictionary_text(names, id));
    if (ok) {
        dictionary_release(names);
        *names = agreed;
    } else
        dictionary_release(&agreed);
    meeting_release(&meeting);
    free(own.bytes);
    return ok;
}

/* ---- Features ---- */

/* Features of words, or of edges, while strings get the numbers `string`. */
struct features {
    const struct templates *templates;
    const struct feature_index *index;
    uint32_t known;
    bool edge;
    const uint32_t *string;
};

/* Returns the record of a feature, with the numbers that strings have now. */
static uint32_t rewrite(const struct features *f, uint32_t feature, uint32_t record[1 + MAX_MACROS])
{
    uint64_t from = f->index->record_start[feature];
    uint32_t length = (uint32_t)(f->index->record_start[feature + 1] - from);
    memcpy(record, f->index->record + from, sizeof *record * length);
    for (uint32_t i = 1; i < length; i++)
        record[i] = f->string[record[i]];
    return length;
}

static bool list_features(const struct features *f, const struct growth *growth, struct buffer *own,
                          struct vouch_error *err)
{
    uint32_t feature = f->known, record[1 + MAX_MACROS];
    for (size_t g = 0; g < growth->count; g++)
        for (; feature < growth->after[g].size; feature++) {
            uint32_t length = rewrite(f, feature, record);
            if (!list(own, growth->after[g].sentence, record, length * (uint32_t)sizeof *record, err))
                return false;
        }
    return true;
}

static bool number_feature(const struct features *f, struct feature_index *agreed, const uint32_t *record,
                           uint32_t length, struct vouch_error *err)
{
    uint64_t key;
    return (tag_feature_key(f->templates, f->edge, record, length, &key) ||
            fail(err, VOUCH_ERR_FORMAT, "another rank has features of other templates")) &&
           feature_index_add(agreed, key, record, length, err) != NO_FEATURE;
}

static bool number_features(const struct features *f, struct feature_index *agreed, const struct meeting *meeting,
                            struct vouch_error *err)
{
    uint32_t record[1 + MAX_MACROS];
    for (uint32_t feature = 0; feature < f->known; feature++) {
        uint32_t length = rewrite(f, feature, record);
        if (!number_feature(f, agreed, record, length, err))
            return false;
    }
    for (size_t i = 0; i < meeting->count; i++) {
        const struct met *met = &meeting->met[i];
        memcpy(record, met->bytes, met->length < sizeof record ? met->length : sizeof record);
        if (!number_feature(f, agreed, record, met->length / (uint32_t)sizeof *record, err))
            return false;
    }
    return true;
}

static void find_renamed(const struct features *f, const struct feature_index *agreed, uint32_t *renamed)
{
    uint32_t record[1 + MAX_MACROS];
    for (uint32_t feature = 0; feature < feature_index_count(f->index); feature++) {
        uint64_t key = 0;
        uint32_t length = rewrite(f, feature, record);
        tag_feature_key(f->templates, f->edge, record, length, &key);
        renamed[feature] = feature_index_find(agreed, key);
    }
}

static bool agree_on_features(const struct ranks *ranks, const struct features *f, struct feature_index *index,
                              const struct growth *growth, uint32_t **renamed, struct vouch_error *err)
{
    struct buffer own = {0};
    struct meeting meeting = {0};
    struct feature_index agreed = {0};
    *renamed = new_array(feature_index_count(index), sizeof **renamed, err);
    bool ok = *renamed && list_features(f, growth, &own, err) && meet(ranks, &own, &meeting, err) &&
              number_features(f, &agreed, &meeting, err);
    if (ok) {
        find_renamed(f, &agreed, *renamed);
        feature_index_release(index);
        *index = agreed;
    } else
        feature_index_release(&agreed);
    meeting_release(&meeting);
    free(own.bytes);
    return ok;
}

/* ---- Vocabularies ---- */

bool vocabulary_growth_note(struct vocabulary_growth *growth, uint32_t sentence, struct vouch_error *err)
{
    const struct vocabulary *v = growth->vocabulary;
    return growth_note(&growth->strings, sentence, v->strings.table.count, err) &&
           growth_note(&growth->node, sentence, feature_index_count(&v->node), err) &&
           growth_note(&growth->edge, sentence, feature_index_count(&v->edge), err);
}

void vocabulary_growth_release(struct vocabulary_growth *growth)
{
    growth_release(&growth->strings);
    growth_release(&growth->node);
    growth_release(&growth->edge);
}

bool agree_on_vocabulary(const struct ranks *ranks, struct vocabulary_growth *growth, uint32_t **node, uint32_t **edge,
                         struct vouch_error *err)
{
    struct vocabulary *own = growth->vocabulary;
    const struct vocabulary *known = growth->known;
    uint32_t *string = new_array((size_t)own->strings.table.count + 1, sizeof *string, err);
    struct features of_words = {growth->templates, &own->node, known ? feature_index_count(&known->node) : 0, false,
                                string};
    struct features of_edges = {growth->templates, &own->edge, known ? feature_index_count(&known->edge) : 0, true,
                                string};
    bool ok = string &&
              agree_on_names(ranks, &own->strings, known ? known->strings.table.count : 0, &growth->strings, string,
                             err) &&
              agree_on_features(ranks, &of_words, &own->node, &growth->node, node, err) &&
              agree_on_features(ranks, &of_edges, &own->edge, &growth->edge, edge, err);
    free(string);
    return ok;
}
