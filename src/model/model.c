/* Opens and writes models: see model.h. */
#include "model/model.h"

#include "core/voice.h"
#include "model/trim.h"
#include "model/vocabulary_code.h"
#include "model/weight_code.h"
#include "task/task.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* The sections of one voice: "label.mean.0", "label.var.0". */
struct voice_names {
    char mean[24], var[24];
};

static struct voice_names names_of(const char *layer, uint32_t voice)
{
    struct voice_names names;
    snprintf(names.mean, sizeof names.mean, "%.12s.mean.%u", layer, voice % 10);
    snprintf(names.var, sizeof names.var, "%.12s.var.%u", layer, voice % 10);
    return names;
}

/* The section of a layer's lexicon. */
struct lexicon_name {
    char of[24];
};

static struct lexicon_name lexicon_name(const char *layer)
{
    struct lexicon_name name;
    snprintf(name.of, sizeof name.of, "%.12s.lexicon", layer);
    return name;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

const char *model_template(const struct vouch_model *model)
{
    return text_at(model->header, "template");
}

/* Finds a section as it lies in the file. */
static bool section_of(const struct model_file *file, const char *name, struct stretch *stretch,
                       struct vouch_error *err)
{
    return model_file_section(file, name, 1, &stretch->bytes, &stretch->length, err);
}

/* Says that a section cannot be read, unless there is no memory, which was said. */
static bool fail_damaged(const struct model_file *file, const char *name, struct vouch_error *err)
{
    if (err && err->status == VOUCH_ERR_MEMORY)
        return false;
    return fail(err, VOUCH_ERR_FORMAT, "%s: section '%s' is damaged, or does not fit the header", file->name, name);
}

static bool open_index(struct vouch_model *model, bool edge, struct vouch_error *err)
{
    const struct space *space = &model->layer[0].space;
    const char *name = edge ? "features.edge" : "features.node";
    struct stretch stream;
    return section_of(&model->file, name, &stream, err) &&
           (features_unfold(&model->vocabulary, edge, edge ? space->edges : space->nodes, &model->templates, stream,
                            err) ||
            fail_damaged(&model->file, name, err));
}

/* Opens the templates and the vocabulary of a tagger. */
static bool open_features(struct vouch_model *model, struct vouch_error *err)
{
    const struct model_file *file = &model->file;
    json_int_t count = json_integer_value(json_object_get(model->header, "strings"));
    struct stretch lengths, bytes;
    if (count < 0 || count >= UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's count of strings is out of range", file->name);
    return templates_parse(&model->templates, model_template(model), file->name, err) &&
           section_of(file, "lengths.string", &lengths, err) && section_of(file, "bytes.string", &bytes, err) &&
           (strings_unfold(&model->vocabulary.strings, (uint32_t)count, lengths, bytes, err) ||
            fail_damaged(file, "lengths.string", err)) &&
           open_index(model, false, err) && open_index(model, true, err);
}

static bool parse_scheme(const char *name, enum scheme *scheme)
{
    for (enum scheme s = SCHEME_NONE; s <= SCHEME_BIOES; s++)
        if (strcmp(scheme_name(s), name) == 0) {
            *scheme = s;
            return true;
        }
    return false;
}

bool model_labels(const json_t *header, const char *name, struct tag_labels *labels, struct vouch_error *err)
{
    const json_t *list = json_object_get(header, "labels"), *scheme = json_object_get(header, "scheme");
    size_t count = json_array_size(list);
    if (!parse_scheme(text_at(scheme, "inner"), &labels->inner) ||
        !parse_scheme(text_at(scheme, "outer"), &labels->outer))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header names no known label scheme", name);
    if (count == 0 || count > MAX_WIDTH)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header lists no labels, or too many", name);
    for (size_t y = 0; y < count; y++) {
        const char *label = json_string_value(json_array_get(list, y));
        if (!label || dictionary_find(&labels->names, text_of(label)))
            return fail(err, VOUCH_ERR_FORMAT, "%s: the header's labels are damaged", name);
        if (!dictionary_add(&labels->names, text_of(label), err))
            return false;
    }
    return labels_close(labels, err);
}

static bool open_labels(struct vouch_model *model, struct vouch_error *err)
{
    if (!model_labels(model->header, model->file.name, &model->labels, err))
        return false;
    uint32_t written = model->labels.written.table.count;
    model->label_name = new_array(written, sizeof *model->label_name, err);
    for (uint32_t i = 0; model->label_name && i < written; i++) {
        struct text name = dictionary_text(&model->labels.written, i + 1);
        if (!(model->label_name[i] = new_string(name.at, name.length, err)))
            return false;
    }
    return model->label_name != NULL;
}

/* Reads a number of the header, from `least` to `most`. */
static bool number_at(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *number)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    *number = (uint32_t)value;
    return value >= least && value <= most;
}

bool model_layers(const json_t *header, const char *name, struct layer_list *list, struct vouch_error *err)
{
    const json_t *layers = json_object_get(header, "layers");
    *list = (struct layer_list){.layers = (uint32_t)json_array_size(layers)};
    if (list->layers == 0 || list->layers > MAX_MODEL_LAYERS)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header lists no layers, or too many", name);
    for (uint32_t i = 0; i < list->layers; i++) {
        const json_t *entry = json_array_get(layers, i), *voices = json_object_get(entry, "voices");
        struct model_layer *layer = &list->layer[i];
        layer->voices = (uint32_t)json_array_size(voices);
        snprintf(layer->name, sizeof layer->name, "%s", text_at(entry, "name"));
        if (!number_at(entry, "width", 1, MAX_WIDTH, &layer->space.width) ||
            !number_at(entry, "nodes", 0, UINT32_MAX - 1, &layer->space.nodes) ||
            !number_at(entry, "edges", 0, UINT32_MAX - 1, &layer->space.edges) || layer->voices == 0 ||
            layer->voices > MAX_VOICES)
            return fail(err, VOUCH_ERR_FORMAT, "%s: the header's layers are damaged", name);
        for (uint32_t v = 0; v < layer->voices; v++) {
            const json_t *voice = json_array_get(voices, v);
            snprintf(layer->voice[v].name, sizeof layer->voice[v].name, "%s", text_at(voice, "algorithm"));
            list->variance[i][v] = json_is_true(json_object_get(voice, "variance"));
        }
    }
    return true;
}

/* Finds how many bits number the blocks of a layer whose features are hashed. */
static bool hashed_bits(const struct space *space, uint32_t *bits)
{
    for (*bits = 4; *bits <= 30; ++*bits)
        if (space->nodes == UINT32_C(1) << *bits)
            return space->edges == 0;
    return false;
}

/* Checks that the layers are those of the task, on which decoding relies. */
bool model_layers_fit(const struct layer_list *list, bool trees, uint32_t labels, uint32_t *bits)
{
    const struct space *first = &list->layer[0].space, *second = &list->layer[1].space;
    if (!trees)
        return list->layers == 1 && first->width == labels;
    return first->width == 1 && hashed_bits(first, &bits[0]) &&
           (list->layers == 1 || (second->width == labels && hashed_bits(second, &bits[1])));
}

/* Opens the weights of a voice, or its variances; their step in *step. */
static float *open_weights(const struct model_file *file, const char *name, const struct space *space,
                           enum weight_kind kind, float *step, struct vouch_error *err)
{
    struct weight_array array = {kind, space_size(space), space->width};
    struct stretch stream;
    if (!section_of(file, name, &stream, err))
        return NULL;
    float *weight = weights_unfold(&array, stream.bytes, stream.length, SLACK, step, err);
    if (!weight)
        fail_damaged(file, name, err);
    return weight;
}

static bool open_voice(struct vouch_model *model, uint32_t i, uint32_t v, bool variance, struct vouch_error *err)
{
    struct model_layer *layer = &model->layer[i];
    struct model_voice *voice = &layer->voice[v];
    struct voice_names names = names_of(layer->name, v);
    float unit;
    voice->mean = voice->own_mean =
        open_weights(&model->file, names.mean, &layer->space, WEIGHT_MEAN, &voice->steps.step, err);
    if (voice->mean && variance)
        voice->var = voice->own_var = open_weights(&model->file, names.var, &layer->space, WEIGHT_VARIANCE, &unit, err);
    return voice->mean && (!variance || voice->var) &&
           (!model->trees || i > 0 || model_voice_count_steps(voice, &layer->space, err));
}

static bool open_layers(struct vouch_model *model, struct vouch_error *err)
{
    struct layer_list list;
    if (!model_layers(model->header, model->file.name, &list, err))
        return false;
    if (!model_layers_fit(&list, model->trees, labels_count(&model->labels), model->bits))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's layers do not fit its task", model->file.name);
    memcpy(model->layer, list.layer, sizeof model->layer);
    model->layers = list.layers;
    for (uint32_t i = 0; i < list.layers; i++)
        for (uint32_t v = 0; v < list.layer[i].voices; v++)
            if (!open_voice(model, i, v, list.variance[i][v], err))
                return false;
    return true;
}

/* Opens each layer's lexicon; a model of ready-made attributes has none. */
static bool open_lexicons(struct vouch_model *model, struct vouch_error *err)
{
    for (uint32_t i = 0; i < model->layers; i++) {
        const json_t *entry = json_array_get(json_object_get(model->header, "layers"), i);
        json_int_t slots = json_integer_value(json_object_get(entry, "lexicon"));
        struct lexicon *lexicon = &model->layer[i].lexicon;
        struct lexicon_name name = lexicon_name(model->layer[i].name);
        struct stretch stream;
        if (slots == 0)
            continue;
        if (!section_of(&model->file, name.of, &stream, err))
            return false;
        if (!lexicon_unfold(lexicon, stream, err) || (json_int_t)lexicon->mask != slots - 1)
            return fail_damaged(&model->file, name.of, err);
    }
    return true;
}

/* Opens the digests of the sentences that it learned from; there may be none. */
static bool open_seen(struct vouch_model *model, struct vouch_error *err)
{
    json_int_t count = json_integer_value(json_object_get(model->header, "seen"));
    const void *digests;
    uint64_t found;
    if (count == 0)
        return true;
    if (!model_file_section(&model->file, "seen", sizeof(uint64_t), &digests, &found, err))
        return false;
    if (count < 0 || (uint64_t)count != found)
        return fail_damaged(&model->file, "seen", err);
    model->seen = (struct digest_set){.digest = digests, .count = (size_t)count};
    return true;
}

static void take_task(struct vouch_model *model)
{
    model->task = text_at(model->header, "task");
    model->trees = task_or_any(model->task)->trees;
}

static bool open_header(struct vouch_model *model, struct vouch_error *err)
{
    json_error_t problem;
    model->header = json_loadb(model->file.header, model->file.header_length, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(model->header))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is not JSON: %s", model->file.name, problem.text);
    if (model->file.header_length > INT_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is too long", model->file.name);
    model->header_text = new_string(model->file.header, model->file.header_length, err);
    take_task(model);
    return model->header_text != NULL;
}

/* Opens everything but the header of a model with weights. */
static bool open_weighted(struct vouch_model *model, struct vouch_error *err)
{
    return open_labels(model, err) && open_layers(model, err) && open_lexicons(model, err) && open_seen(model, err) &&
           (model->trees || open_features(model, err));
}

/* Makes a layer of that name and width without weights: its scores come from elsewhere. */
static bool open_given(struct vouch_model *model, const char *name, uint32_t width, struct vouch_error *err)
{
    const json_t *entry = json_array_get(json_object_get(model->header, "layers"), 0);
    const json_t *voice = json_array_get(json_object_get(entry, "voices"), 0);
    struct layer_list list;
    if (!model_layers(model->header, model->file.name, &list, err))
        return false;
    model->layers = 1;
    model->layer[0] = list.layer[0];
    const struct space *space = &list.layer[0].space;
    return (list.layers == 1 && list.layer[0].voices == 1 && space->width == width && space_size(space) == 0 &&
            strcmp(list.layer[0].name, name) == 0 &&
            number_at(voice, "sets", 1, MAX_SETS, &model->layer[0].voice[0].sets)) ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected the layer of scores from elsewhere", model->file.name);
}

/* Opens everything but the header of a model without weights. */
static bool open_unweighted(struct vouch_model *model, struct vouch_error *err)
{
    return model->trees ? open_given(model, "arc", 1, err)
                        : open_labels(model, err) && open_given(model, "label", labels_count(&model->labels), err);
}

/* Whether the header is that of a model without weights: its first voice has sets of scores. */
static bool header_lacks_weights(const json_t *header)
{
    const json_t *layer = json_array_get(json_object_get(header, "layers"), 0);
    return json_object_get(json_array_get(json_object_get(layer, "voices"), 0), "sets") != NULL;
}

/* Makes a model of its file, if that could be opened; else NULL. */
static struct vouch_model *open_parts(struct vouch_model *model, bool opened, struct vouch_error *err)
{
    if (opened && model_file_verify(&model->file, err) && open_header(model, err) &&
        (header_lacks_weights(model->header) ? open_unweighted : open_weighted)(model, err))
        return model;
    vouch_model_close(model);
    return NULL;
}

vouch_model *vouch_model_open(const char *path, struct vouch_error *err)
{
    if (!path)
        fail(err, VOUCH_ERR_ARGUMENT, "expected the path of a model, found NULL");
    struct vouch_model *model = path ? new_array(1, sizeof *model, err) : NULL;
    return model ? open_parts(model, model_file_open(&model->file, path, err), err) : NULL;
}

vouch_model *vouch_model_open_memory(const void *bytes, size_t length, struct vouch_error *err)
{
    if (!bytes)
        fail(err, VOUCH_ERR_ARGUMENT, "expected the bytes of a model, found NULL");
    struct vouch_model *model = bytes ? new_array(1, sizeof *model, err) : NULL;
    return model ? open_parts(model, model_file_open_memory(&model->file, bytes, length, err), err) : NULL;
}

vouch_model *model_of_scores(const char *header, const char *name, struct vouch_error *err)
{
    struct vouch_model *model = new_array(1, sizeof *model, err);
    if (!model)
        return NULL;
    json_error_t problem;
    model->file.name = new_string(name, strlen(name), err);
    model->header_text = new_string(header, strlen(header), err);
    model->header = json_loads(header, JSON_REJECT_DUPLICATES, &problem);
    take_task(model);
    bool ok = model->file.name && model->header_text;
    if (ok && !json_is_object(model->header))
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected JSON: %s", name, problem.text);
    if (ok && open_unweighted(model, err))
        return model;
    vouch_model_close(model);
    return NULL;
}

void vouch_model_close(vouch_model *model)
{
    if (!model)
        return;
    if (model->close_given)
        model->close_given(model->given);
    for (uint32_t i = 0; model->label_name && i < model->labels.written.table.count; i++)
        free(model->label_name[i]);
    free(model->label_name);
    for (uint32_t i = 0; i < model->layers; i++) {
        for (uint32_t v = 0; v < model->layer[i].voices; v++)
            model_voice_release(&model->layer[i].voice[v]);
        lexicon_release(&model->layer[i].lexicon);
    }
    vocabulary_release(&model->vocabulary);
    labels_release(&model->labels);
    templates_release(&model->templates);
    free(model->header_text);
    json_decref(model->header);
    model_file_close(&model->file);
    free(model);
}

/* The sections of a file to write, and what they hold. */
struct sections {
    struct section list[MAX_SECTIONS];
    char name[MAX_SECTIONS][24];
    struct bit_writer stream[MAX_SECTIONS]; /* empty if the bytes belong to the content */
    uint32_t count;
};

static void sections_release(struct sections *sections)
{
    for (uint32_t i = 0; i < MAX_SECTIONS; i++)
        free(sections->stream[i].bytes);
}

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

/* Returns the stream of the next section. */
static struct bit_writer *next_stream(struct sections *sections)
{
    return &sections->stream[sections->count];
}

static bool add_vocabulary(struct sections *sections, const struct vocabulary *vocabulary, struct vouch_error *err)
{
    const struct dictionary *strings = &vocabulary->strings;
    if (!add_stream(sections, "lengths.string", strings_fold(strings, next_stream(sections), err)))
        return false;
    add_section(sections, "bytes.string", strings->bytes, strings->size);
    return add_stream(sections, "features.node", features_fold(&vocabulary->node, next_stream(sections), err)) &&
           add_stream(sections, "features.edge", features_fold(&vocabulary->edge, next_stream(sections), err));
}

static bool add_layer(struct sections *sections, const struct model_layer *layer, struct vouch_error *err)
{
    size_t size = space_size(&layer->space);
    struct weight_array mean = {WEIGHT_MEAN, size, layer->space.width}, var = {WEIGHT_VARIANCE, size, 1};
    bool ok = true;
    for (uint32_t v = 0; ok && v < layer->voices; v++) {
        const struct model_voice *voice = &layer->voice[v];
        struct voice_names names = names_of(layer->name, v);
        ok = add_stream(sections, names.mean, weights_fold(&mean, voice->mean, next_stream(sections), err));
        if (ok && voice->var)
            ok = add_stream(sections, names.var, weights_fold(&var, voice->var, next_stream(sections), err));
    }
    if (ok && layer->lexicon.slot)
        ok = add_stream(sections, lexicon_name(layer->name).of,
                        lexicon_fold(&layer->lexicon, next_stream(sections), err));
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
    json_int_t slots = layer->lexicon.slot ? (json_int_t)layer->lexicon.mask + 1 : 0;
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o}", "name", layer->name, "width", (json_int_t)layer->space.width,
                     "nodes", (json_int_t)layer->space.nodes, "edges", (json_int_t)layer->space.edges, "lexicon", slots,
                     "voices", voices);
}

/* Adds to the header what opening needs. */
static bool describe(const struct model_content *content, struct vouch_error *err)
{
    json_t *header = content->header, *names = json_array(), *layers = json_array();
    const struct tag_labels *labels = content->labels;
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
    if (content->vocabulary) {
        json_int_t strings = content->vocabulary->strings.table.count;
        ok &= json_object_set_new(header, "template", json_string(content->template)) == 0;
        ok &= json_object_set_new(header, "strings", json_integer(strings)) == 0;
    }
    if (content->seen && content->seen->count)
        ok &= json_object_set_new(header, "seen", json_integer((json_int_t)content->seen->count)) == 0;
    return ok || fail_memory(err);
}

/* Writes a file of that header. */
static bool write_content(struct output *out, const char *header, const struct model_content *content,
                          struct vouch_error *err)
{
    struct sections *sections = new_array(1, sizeof *sections, err);
    const struct digest_set *seen = content->seen;
    bool ok = sections && (!content->vocabulary || add_vocabulary(sections, content->vocabulary, err));
    for (uint32_t i = 0; ok && i < content->layers; i++)
        ok = add_layer(sections, &content->layer[i], err);
    if (ok && seen && seen->count)
        add_section(sections, "seen", seen->digest, sizeof *seen->digest * seen->count);
    if (ok)
        model_file_write(out, header, sections->list, sections->count);
    if (sections)
        sections_release(sections);
    free(sections);
    return ok;
}

/* Describes the content in its header, and writes both as they are. */
static bool write_described(struct output *out, const struct model_content *content, struct vouch_error *err)
{
    char *header = describe(content, err) ? json_dumps(content->header, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (!header)
        return fail_memory(err);
    bool ok = write_content(out, header, content, err);
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
    bool ok = trim(content, &trimmed, err) && write_described(out, &smaller, err);
    trimmed_release(&trimmed);
    return ok;
}

bool model_voice_keep(struct model_voice *kept, const struct voice *learned, const char *name, struct vouch_error *err)
{
    float *mean = new_array(learned->size + SLACK, sizeof *mean, err);
    float *var = mean && learned->var ? new_array(learned->size + SLACK, sizeof *var, err) : NULL;
    *kept = (struct model_voice){.mean = mean, .var = var, .own_mean = mean, .own_var = var};
    snprintf(kept->name, sizeof kept->name, "%s", name);
    if (!mean || (learned->var && !var))
        return false;
    voice_average(learned, mean);
    for (size_t i = 0; i < learned->size; i++)
        if (!isfinite(mean[i]))
            return fail(err, VOUCH_ERR_ARGUMENT,
                        "%s: training diverged: use a smaller rate or scale the feature values", name);
    kept->steps.step = weights_round(&(struct weight_array){WEIGHT_MEAN, learned->size, learned->space.width}, mean);
    if (var) {
        memcpy(var, learned->var, sizeof *var * learned->size);
        weights_round(&(struct weight_array){WEIGHT_VARIANCE, learned->size, 1}, var);
    }
    return true;
}

bool model_voice_count_steps(struct model_voice *voice, const struct space *space, struct vouch_error *err)
{
    size_t size = space_size(space) + SLACK;
    voice->own_steps = new_block(sizeof *voice->own_steps * size, err);
    if (voice->own_steps && weights_count_steps(voice->mean, size, voice->steps.step, voice->own_steps))
        voice->steps.steps = voice->own_steps;
    return voice->own_steps != NULL;
}

void model_voice_release(struct model_voice *voice)
{
    free(voice->own_mean);
    free(voice->own_var);
    free(voice->own_steps);
    *voice = (struct model_voice){0};
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
                                    .vocabulary = model->trees ? NULL : &model->vocabulary,
                                    .layer = model->layer,
                                    .layers = model->layers,
                                    .seen = &model->seen};
    return model_write(out, &content, err);
}
