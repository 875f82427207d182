/*
 * Writes models: see model.h. The header is described, features and strings that are not needed are left out, and every
 * array becomes a stream of bits (weight_code.h, vocabulary_code.h).
 */
#include "model/model.h"

#include "model/lexicon_code.h"
#include "model/vocabulary_code.h"
#include "model/weight_code.h"

#include <math.h>
#include <stdio.h>

/* ---- Trimming ---- */

/*
 * What is written leaves out of a tagger what it does not need: features whose weights are zero in every voice, and
 * whose variances are those that all started from; and strings that no feature is left to look at. They are about half
 * of all, and an unknown feature counts for as much as one with zeros. The others are numbered anew, in the same order.
 */
struct trimmed {
    struct vocabulary vocabulary; /* to be written: features have records, but cannot be looked up */
    struct model_layer layer;     /* its counts are the old one's */
    struct model_layer first;     /* without voices: there is none */
};

struct trimming {
    const struct vocabulary *from;
    const struct model_layer *layer[2]; /* that answers; and the first stage, or NULL */
    uint32_t components;                /* of vectors: the first features of words, which are all kept */
    float start[2][MAX_VOICES];         /* the largest variance of each voice */
    uint32_t *string;                   /* [strings + 1] new numbers; 0: not needed */
    uint32_t *feature[2];               /* [nodes], [edges] numbers of the features that are kept */
    uint32_t kept[2];
    struct trimmed *to;
};

/* Whether training changed a block of weights in any voice. */
static bool learned(const struct trimming *t, size_t at, size_t width)
{
    for (uint32_t l = 0; l < 2 && t->layer[l]; l++)
        for (uint32_t v = 0; v < t->layer[l]->voices; v++) {
            const struct model_voice *voice = &t->layer[l]->voice[v];
            for (size_t i = at; i < at + width; i++)
                if (voice->mean[i] != 0 || (voice->var && voice->var[i] != t->start[l][v]))
                    return true;
        }
    return false;
}

/* Lists the features to keep, and marks the strings that they look at. */
static bool choose(struct trimming *t, bool edge, struct vouch_error *err)
{
    const struct feature_index *index = edge ? &t->from->edge : &t->from->node;
    const struct space *space = &t->layer[0]->space;
    uint32_t count = feature_index_count(index);
    t->feature[edge] = new_array(count, sizeof **t->feature, err);
    for (uint32_t f = 0; t->feature[edge] && f < count; f++) {
        if ((edge || f >= t->components) && !learned(t, space_block(space, edge, f), space_block_width(space, edge)))
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
    const struct feature_index *index = edge ? &t->from->edge : &t->from->node;
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
    const struct space *old = &t->layer[0]->space, *new = &t->to->layer.space;
    float *to = new_array(space_size(new) + SLACK, sizeof *to, err);
    for (int edge = 0; to && edge < 2; edge++)
        for (uint32_t k = 0; k < t->kept[edge]; k++)
            memcpy(to + space_block(new, edge, k), from + space_block(old, edge, t->feature[edge][k]),
                   sizeof *to * space_block_width(old, edge));
    return to;
}

static bool copy_voices(const struct trimming *t, const struct model_layer *from, struct model_layer *to,
                        struct vouch_error *err)
{
    for (uint32_t v = 0; v < from->voices; v++) {
        struct model_voice *voice = &to->voice[v];
        const struct model_voice *old = &from->voice[v];
        voice->mean = voice->own_mean = copy_weights(t, old->mean, err);
        voice->var = voice->own_var = old->var && voice->mean ? copy_weights(t, old->var, err) : NULL;
        if (!voice->mean || (old->var && !voice->var))
            return false;
    }
    return true;
}

/* Begins a layer of the features that are kept, without weights yet; `start` becomes the voices' largest variances. */
static struct model_layer begin_layer(const struct model_layer *from, float *start)
{
    struct model_layer to = *from;
    for (uint32_t v = 0; v < MAX_VOICES; v++) {
        struct model_voice *voice = &to.voice[v];
        voice->mean = voice->var = voice->own_mean = voice->own_var = NULL;
        voice->steps.steps = voice->own_steps = NULL;
        for (size_t i = 0; from->voice[v].var && i < space_size(&from->space); i++)
            start[v] = fmaxf(start[v], from->voice[v].var[i]);
    }
    return to;
}

/* Makes `trimmed` of the vocabulary, the one layer and the first stage of `content`. Release in any case. */
static bool trim(const struct model_content *content, struct trimmed *trimmed, struct vouch_error *err)
{
    const struct model_layer *first = content->first;
    struct trimming t = {.from = content->vocabulary, .layer = {content->layer, first}, .to = trimmed};
    t.components = content->vectors ? vector_features(content->vectors) : 0;
    *trimmed = (struct trimmed){.layer = begin_layer(content->layer, t.start[0])};
    if (first)
        trimmed->first = begin_layer(first, t.start[1]);
    t.string = new_array((size_t)t.from->strings.table.count + 1, sizeof *t.string, err);
    bool ok = t.string && choose(&t, false, err) && choose(&t, true, err) && copy_strings(&t, err) &&
              copy_features(&t, false, err) && copy_features(&t, true, err);
    trimmed->layer.space.nodes = trimmed->first.space.nodes = t.kept[0];
    trimmed->layer.space.edges = trimmed->first.space.edges = t.kept[1];
    ok = ok && copy_voices(&t, content->layer, &trimmed->layer, err) &&
         (!first || copy_voices(&t, first, &trimmed->first, err));
    free(t.string);
    free(t.feature[0]);
    free(t.feature[1]);
    return ok;
}

/* ---- Writing ---- */

/* The sections of a file to write, and what they hold. */
struct sections {
    struct section list[MAX_SECTIONS];
    char name[MAX_SECTIONS][24];
    struct bit_writer stream[MAX_SECTIONS]; /* empty if the bytes belong to the content */
    uint32_t count;
};

/* A tagger has most: of vocabulary, lexicons, the layer with its counts, the first stage, and digests of sentences. */
_Static_assert(4 + MOST_LEXICONS * LEXICON_PARTS + (2 * MAX_VOICES + 1) + 2 + 1 <= MAX_SECTIONS,
               "a model file has room for all sections");

static void add_section(struct sections *sections, const char *name, const void *bytes, uint64_t length)
{
    uint32_t i = sections->count++;
    snprintf(sections->name[i], sizeof sections->name[i], "%s", name);
    sections->list[i] = (struct section){sections->name[i], bytes, length};
}

/* Adds the stream that was filled last, if that succeeded: ok. */
static bool add_stream(struct sections *sections, const char *name, bool ok)
{
    const struct bit_writer *stream = &sections->stream[sections->count];
    if (ok)
        add_section(sections, name, stream->bytes, bits_bytes(stream));
    return ok;
}

static bool add_vocabulary(struct sections *sections, const struct vocabulary *vocabulary, struct vouch_error *err)
{
    const struct dictionary *strings = &vocabulary->strings;
    if (!add_stream(sections, "lengths.string", strings_fold(strings, &sections->stream[sections->count], err)))
        return false;
    add_section(sections, "bytes.string", strings->bytes, strings->size);
    return add_stream(sections, "features.node",
                      features_fold(&vocabulary->node, &sections->stream[sections->count], err)) &&
           add_stream(sections, "features.edge",
                      features_fold(&vocabulary->edge, &sections->stream[sections->count], err));
}

/* Adds the parts of the lexicons, each of which is a stream of bits or of bytes. */
static bool add_lexicons(struct sections *sections, const struct lexicons *lexicons, struct vouch_error *err)
{
    for (uint32_t i = 0; i < lexicons->count; i++)
        for (enum lexicon_part part = 0; part < LEXICON_PARTS; part++)
            if (!add_stream(sections, lexicon_section(i, part).of,
                            lexicon_fold(&lexicons->item[i], part, &sections->stream[sections->count], err)))
                return false;
    return true;
}

static bool add_layer(struct sections *sections, const struct model_layer *layer, struct vouch_error *err)
{
    size_t size = space_size(&layer->space);
    struct weight_array mean = {WEIGHT_MEAN, size, layer->space.width}, var = {WEIGHT_VARIANCE, size, 1};
    bool ok = true;
    for (uint32_t v = 0; ok && v < layer->voices; v++) {
        const struct model_voice *voice = &layer->voice[v];
        struct section_name name = section_name(layer->name, "mean", v);
        ok = add_stream(sections, name.of, weights_fold(&mean, voice->mean, &sections->stream[sections->count], err));
        name = section_name(layer->name, "var", v);
        if (ok && voice->var)
            ok = add_stream(sections, name.of, weights_fold(&var, voice->var, &sections->stream[sections->count], err));
    }
    if (ok && layer->counts.slot)
        ok = add_stream(sections, section_name(layer->name, "counts", NO_VOICE).of,
                        answer_counts_fold(&layer->counts, &sections->stream[sections->count], err));
    return ok;
}

static json_t *describe_layer(const struct model_layer *layer)
{
    json_t *voices = json_array();
    for (uint32_t v = 0; v < layer->voices; v++)
        json_array_append_new(voices, json_pack("{s:s, s:b}", "algorithm", layer->voice[v].name, "variance",
                                                layer->voice[v].var != NULL));
    if (json_array_size(voices) != layer->voices) {
        json_decref(voices);
        return NULL;
    }
    json_int_t slots = layer->counts.slot ? (json_int_t)layer->counts.mask + 1 : 0;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "name", layer->name, "width", (json_int_t)layer->space.width,
                     "nodes", (json_int_t)layer->space.nodes, "edges", (json_int_t)layer->space.edges, "counts", slots,
                     "voices", voices);
}

/* Describes the lexicons; NULL: there was no memory. */
static json_t *describe_lexicons(const struct lexicons *lexicons)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < lexicons->count; i++) {
        const struct lexicon *x = &lexicons->item[i];
        json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:I, s:s*, s:s*}", "name", x->name, "columns",
                                              (json_int_t)x->columns, "entries", (json_int_t)lexicon_entries(x), "rows",
                                              (json_int_t)x->classes.table.count, "source", x->source, "licence",
                                              x->licence));
    }
    if (json_array_size(list) == lexicons->count)
        return list;
    json_decref(list);
    return NULL;
}

/* Adds to the header what opening needs. */
static bool describe(const struct model_content *content, struct vouch_error *err)
{
    json_t *header = content->header, *names = json_array(), *layers = json_array();
    const struct tag_labels *labels = content->labels;
    const struct vector_shape *shape = content->vectors;
    for (uint32_t y = 0; y < labels_count(labels); y++) {
        struct text name = labels_name(labels, y);
        json_array_append_new(names, json_stringn(name.at, name.length));
    }
    for (uint32_t i = 0; i < content->layers; i++)
        json_array_append_new(layers, describe_layer(&content->layer[i]));
    bool ok = json_array_size(names) == labels_count(labels) && json_array_size(layers) == content->layers;
    ok &= json_object_set_new(header, "task", json_string(content->task)) == 0;
    ok &= json_object_set_new(header, "labels", names) == 0;
    ok &= json_object_set_new(
              header, "scheme",
              json_pack("{s:s, s:s}", "inner", scheme_name(labels->inner), "outer", scheme_name(labels->outer))) == 0;
    ok &= json_object_set_new(header, "layers", layers) == 0;
    if (!content->vocabulary)
        ok &= json_object_set_new(header, "arc_features", json_integer(ARC_FEATURES)) == 0;
    if (content->first)
        ok &= json_object_set_new(header, "first", describe_layer(content->first)) == 0;
    if (content->vocabulary) {
        json_int_t strings = content->vocabulary->strings.table.count;
        ok &= json_object_set_new(header, "template", json_string(content->template)) == 0;
        ok &= json_object_set_new(header, "strings", json_integer(strings)) == 0;
    }
    if (content->lexicons && content->lexicons->count)
        ok &= json_object_set_new(header, "lexicons", describe_lexicons(content->lexicons)) == 0;
    if (shape && shape->D) {
        char digest[20] = "";
        if (shape->digest)
            snprintf(digest, sizeof digest, "%016llx", (unsigned long long)shape->digest);
        json_t *vectors = json_pack("{s:I, s:I, s:f, s:s}", "dimensions", (json_int_t)shape->D, "window",
                                    (json_int_t)shape->window, "scale", (double)shape->scale, "table", digest);
        ok &= json_object_set_new(header, "vectors", vectors) == 0;
    }
    if (content->seen && content->seen->count)
        ok &= json_object_set_new(header, "seen", json_integer((json_int_t)content->seen->count)) == 0;
    return ok || fail_memory(err);
}

/* Describes the content in its header, and writes both as they are. */
static bool write_described(struct output *out, const struct model_content *content, struct vouch_error *err)
{
    char *header = describe(content, err) ? json_dumps(content->header, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (!header)
        return fail_memory(err);
    struct sections *sections = new_array(1, sizeof *sections, err);
    const struct digest_set *seen = content->seen;
    bool ok = sections && (!content->vocabulary || add_vocabulary(sections, content->vocabulary, err)) &&
              (!content->lexicons || add_lexicons(sections, content->lexicons, err));
    for (uint32_t i = 0; ok && i < content->layers; i++)
        ok = add_layer(sections, &content->layer[i], err);
    ok = ok && (!content->first || add_layer(sections, content->first, err));
    if (ok && seen && seen->count)
        add_section(sections, "seen", seen->digest, sizeof *seen->digest * seen->count);
    if (ok)
        model_file_write(out, header, sections->list, sections->count);
    for (uint32_t i = 0; sections && i < MAX_SECTIONS; i++)
        free(sections->stream[i].bytes);
    free(sections);
    free(header);
    return ok;
}

bool model_write(struct output *out, const struct model_content *content, struct vouch_error *err)
{
    if (!content->vocabulary)
        return write_described(out, content, err);
    struct trimmed trimmed;
    struct model_content smaller = *content;
    smaller.vocabulary = &trimmed.vocabulary;
    smaller.layer = &trimmed.layer;
    smaller.first = content->first ? &trimmed.first : NULL;
    bool ok = trim(content, &trimmed, err) && write_described(out, &smaller, err);
    for (uint32_t v = 0; v < MAX_VOICES; v++) {
        model_voice_release(&trimmed.layer.voice[v]);
        model_voice_release(&trimmed.first.voice[v]);
    }
    vocabulary_release(&trimmed.vocabulary);
    return ok;
}

bool model_write_scores(struct output *out, const json_t *header, struct vouch_error *err)
{
    char *text = json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (!text)
        return fail_memory(err);
    model_file_write(out, text, NULL, 0);
    free(text);
    return true;
}

bool model_write_again(struct output *out, const struct vouch_model *model, json_t *header, struct vouch_error *err)
{
    if (model_lacks_weights(model))
        return model_write_scores(out, header, err);
    struct model_content content = {.header = header,
                                    .task = model->task,
                                    .template = model_template(model),
                                    .labels = &model->labels,
                                    .lexicons = &model->lexicons,
                                    .vocabulary = model->trees ? NULL : &model->vocabulary,
                                    .vectors = &model->templates.vectors,
                                    .layer = model->layer,
                                    .layers = model->layers,
                                    .first = model_has_first(model) ? &model->first : NULL,
                                    .seen = &model->seen};
    return model_write(out, &content, err);
}
