/* Leaves out features without weights: see trim.h. */
#include "model/trim.h"

#include <math.h>

struct trimming {
    const struct vocabulary *from;
    const struct model_layer *layer;
    uint32_t components;     /* of vectors: the first features of words, which are all kept */
    float start[MAX_VOICES]; /* the largest variance of each voice */
    uint32_t *string;        /* [strings + 1] new numbers; 0: not needed */
    uint32_t *feature[2];    /* [nodes], [edges] numbers of the features that are kept */
    uint32_t kept[2];
    struct trimmed *to;
};

static const struct feature_index *index_of(const struct vocabulary *vocabulary, bool edge)
{
    return edge ? &vocabulary->edge : &vocabulary->node;
}

static size_t block_width(const struct space *space, bool edge)
{
    return edge ? (size_t)space->width * space->width : space->width;
}

static size_t block_at(const struct space *space, bool edge, uint32_t f)
{
    return edge ? space_edge(space, f) : space_node(space, f);
}

/* Whether training changed a block of weights in any voice. */
static bool learned(const struct trimming *t, size_t at, size_t width)
{
    for (uint32_t v = 0; v < t->layer->voices; v++) {
        const struct model_voice *voice = &t->layer->voice[v];
        for (size_t i = at; i < at + width; i++)
            if (voice->mean[i] != 0 || (voice->var && voice->var[i] != t->start[v]))
                return true;
    }
    return false;
}

/* Lists the features to keep, and marks the strings that they look at. */
static bool choose(struct trimming *t, bool edge, struct vouch_error *err)
{
    const struct feature_index *index = index_of(t->from, edge);
    const struct space *space = &t->layer->space;
    uint32_t count = feature_index_count(index);
    t->feature[edge] = new_array(count, sizeof **t->feature, err);
    for (uint32_t f = 0; t->feature[edge] && f < count; f++) {
        if ((edge || f >= t->components) && !learned(t, block_at(space, edge, f), block_width(space, edge)))
            continue;
        t->feature[edge][t->kept[edge]++] = f;
        for (uint64_t i = index->record_start[f] + 1; i < index->record_start[f + 1]; i++)
            t->string[index->record[i]] = 1;
    }
    return t->feature[edge];
}

static bool copy_strings(struct trimming *t, struct vouch_error *err)
{
    for (uint32_t id = 1; id <= t->from->strings.table.count; id++)
        if (t->string[id] &&
            !(t->string[id] = dictionary_add(&t->to->vocabulary.strings, dictionary_text(&t->from->strings, id), err)))
            return false;
    return true;
}

/* Copies the records, which are all that is written: no table is made to look them up. */
static bool copy_features(struct trimming *t, bool edge, struct vouch_error *err)
{
    const struct feature_index *index = index_of(t->from, edge);
    struct feature_index *to = edge ? &t->to->vocabulary.edge : &t->to->vocabulary.node;
    to->record = new_array(index->records, sizeof *to->record, err);
    to->record_start = new_array((size_t)t->kept[edge] + 1, sizeof *to->record_start, err);
    if (!to->record || !to->record_start)
        return false;
    to->table.count = t->kept[edge];
    for (uint32_t k = 0; k < t->kept[edge]; k++) {
        uint64_t from = index->record_start[t->feature[edge][k]], end = index->record_start[t->feature[edge][k] + 1];
        for (uint64_t i = from; i < end; i++)
            to->record[to->records++] = i == from ? index->record[i] : t->string[index->record[i]];
        to->record_start[k + 1] = to->records;
    }
    return true;
}

static float *copy_weights(const struct trimming *t, const float *from, struct vouch_error *err)
{
    const struct space *old = &t->layer->space, *new = &t->to->layer.space;
    float *to = new_array(space_size(new) + SLACK, sizeof *to, err);
    for (int edge = 0; to && edge < 2; edge++)
        for (uint32_t k = 0; k < t->kept[edge]; k++)
            memcpy(to + block_at(new, edge, k), from + block_at(old, edge, t->feature[edge][k]),
                   sizeof *to * block_width(old, edge));
    return to;
}

static bool copy_voices(struct trimming *t, struct vouch_error *err)
{
    t->to->layer.space.nodes = t->kept[0];
    t->to->layer.space.edges = t->kept[1];
    for (uint32_t v = 0; v < t->layer->voices; v++) {
        struct model_voice *voice = &t->to->layer.voice[v];
        const struct model_voice *old = &t->layer->voice[v];
        voice->mean = voice->own_mean = copy_weights(t, old->mean, err);
        voice->var = voice->own_var = old->var && voice->mean ? copy_weights(t, old->var, err) : NULL;
        if (!voice->mean || (old->var && !voice->var))
            return false;
    }
    return true;
}

bool trim(const struct model_content *content, struct trimmed *trimmed, struct vouch_error *err)
{
    struct trimming t = {.from = content->vocabulary, .layer = content->layer, .to = trimmed};
    t.components = content->vectors ? vector_features(content->vectors) : 0;
    *trimmed = (struct trimmed){.layer = *content->layer};
    for (uint32_t v = 0; v < MAX_VOICES; v++) {
        struct model_voice *voice = &trimmed->layer.voice[v];
        voice->mean = voice->var = voice->own_mean = voice->own_var = NULL;
        voice->steps.steps = voice->own_steps = NULL;
        for (size_t i = 0; content->layer->voice[v].var && i < space_size(&content->layer->space); i++)
            t.start[v] = fmaxf(t.start[v], content->layer->voice[v].var[i]);
    }
    t.string = new_array((size_t)t.from->strings.table.count + 1, sizeof *t.string, err);
    bool ok = t.string && choose(&t, false, err) && choose(&t, true, err) && copy_strings(&t, err) &&
              copy_features(&t, false, err) && copy_features(&t, true, err) && copy_voices(&t, err);
    free(t.string);
    free(t.feature[0]);
    free(t.feature[1]);
    return ok;
}

void trimmed_release(struct trimmed *trimmed)
{
    for (uint32_t v = 0; v < MAX_VOICES; v++)
        model_voice_release(&trimmed->layer.voice[v]);
    vocabulary_release(&trimmed->vocabulary);
}
