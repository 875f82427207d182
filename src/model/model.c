/*
 * Opens models: see model.h.
 *
 * A file is unfolded in one pass into the arrays and tables that training had; nothing points into it afterwards but
 * the header and the digests of sentences. What the header says is checked before it is believed.
 */
#include "model/model.h"

#include "base/json_read.h"
#include "core/voice.h"
#include "model/lexicon_code.h"
#include "model/vocabulary_code.h"
#include "model/weight_code.h"
#include "task/task.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

struct section_name section_name(const char *layer, const char *what, uint32_t voice)
{
    struct section_name name;
    if (voice < MAX_VOICES)
        snprintf(name.of, sizeof name.of, "%.12s.%s.%u", layer, what, voice);
    else
        snprintf(name.of, sizeof name.of, "%.12s.%s", layer, what);
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
static bool section_of(const struct model_file *file, const char *name, struct section_view *view,
                       struct vouch_error *err)
{
    return model_file_section(file, name, 1, &view->bytes, &view->length, err);
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
    struct section_view stream;
    return section_of(&model->file, name, &stream, err) &&
           (features_unfold(&model->vocabulary, edge, edge ? space->edges : space->nodes, &model->templates, stream,
                            err) ||
            fail_damaged(&model->file, name, err));
}

/* Reads a number of the header, from `least` to `most`. */
static bool number_at(const json_t *object, const char *key, uint32_t least, uint32_t most, uint32_t *number)
{
    json_int_t value = json_integer_value(json_object_get(object, key));
    *number = (uint32_t)value;
    return value >= least && value <= most;
}

bool model_vectors(const json_t *header, const char *name, struct vector_shape *shape, struct vouch_error *err)
{
    const json_t *entry = json_object_get(header, "vectors");
    const char *digest = text_at(entry, "table");
    char *end;
    *shape = (struct vector_shape){0};
    if (!entry)
        return true;
    shape->scale = (float)json_number_value(json_object_get(entry, "scale"));
    shape->digest = strtoull(digest, &end, 16);
    return (number_at(entry, "dimensions", 1, MAX_DIMENSIONS, &shape->D) &&
            number_at(entry, "window", 0, MAX_VECTOR_WINDOW, &shape->window) && isfinite(shape->scale) &&
            shape->scale > 0 && !*end) ||
           fail(err, VOUCH_ERR_FORMAT, "%s: the header's vectors are damaged", name);
}

bool model_lexicons(const json_t *header, const char *name, struct lexicons *lexicons,
                    struct lexicon_size size[MOST_LEXICONS], struct vouch_error *err)
{
    const json_t *list = json_object_get(header, "lexicons");
    bool sound = !list || (json_array_size(list) > 0 && json_array_size(list) <= MOST_LEXICONS);
    for (size_t i = 0; sound && i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i), *source = json_object_get(entry, "source"),
                     *licence = json_object_get(entry, "licence");
        struct text own = text_of(text_at(entry, "name"));
        if (!lexicon_name_fits(own) || lexicons_find(lexicons, own) < lexicons->count)
            return fail(err, VOUCH_ERR_FORMAT, "%s: the header's lexicons are damaged", name);
        struct lexicon *x = lexicons_add(lexicons, own, err);
        if (!x)
            return false;
        sound = number_at(entry, "columns", 1, MOST_CLASS_COLUMNS, &x->columns) &&
                number_at(entry, "entries", 1, INT32_MAX, &size[i].entries) &&
                number_at(entry, "rows", 1, size[i].entries, &size[i].rows) && (!source || json_is_string(source)) &&
                (!licence || json_is_string(licence));
        if (sound &&
            ((source && !(x->source = new_string(json_string_value(source), json_string_length(source), err))) ||
             (licence && !(x->licence = new_string(json_string_value(licence), json_string_length(licence), err)))))
            return false;
    }
    return sound || fail(err, VOUCH_ERR_FORMAT, "%s: the header's lexicons are damaged", name);
}

static bool open_lexicons(struct vouch_model *model, struct vouch_error *err)
{
    const struct model_file *file = &model->file;
    struct lexicon_size size[MOST_LEXICONS];
    if (!model_lexicons(model->header, file->name, &model->lexicons, size, err))
        return false;
    for (uint32_t i = 0; i < model->lexicons.count; i++) {
        struct lexicon_streams streams;
        for (enum lexicon_part part = 0; part < LEXICON_PARTS; part++)
            if (!section_of(file, lexicon_section(i, part).of, &streams.part[part], err))
                return false;
        if (!lexicon_unfold(&model->lexicons.item[i], size[i].entries, size[i].rows, &streams, err))
            return fail_damaged(file, lexicon_section(i, LEXICON_LENGTHS).of, err);
    }
    return true;
}

bool model_context(const json_t *header, const char *name, const struct tag_labels *labels,
                   struct label_context *context, struct vouch_error *err)
{
    const json_t *entry = json_object_get(header, "context");
    uint32_t sentences;
    if (!entry && !json_object_get(header, "first"))
        return true;
    if (!number_at(entry, "sentences", 1, MAX_CONTEXT, &sentences) || !json_object_get(header, "first") ||
        labels_count(labels) > MAX_CONTEXT_LABELS)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's context is damaged", name);
    return label_context_init(context, sentences, labels, err);
}

/* Opens the templates and the vocabulary of a tagger. */
static bool open_features(struct vouch_model *model, struct vouch_error *err)
{
    const struct model_file *file = &model->file;
    json_int_t count = json_integer_value(json_object_get(model->header, "strings"));
    struct section_view lengths, bytes;
    if (count < 0 || count >= UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's count of strings is out of range", file->name);
    struct template_source source = {model_template(model), file->name, &model->lexicons};
    if (!open_lexicons(model, err) || !templates_parse(&model->templates, &source, err) ||
        !model_context(model->header, file->name, &model->labels, &model->context, err))
        return false;
    model->templates.context = label_context_features(&model->context);
    return model_vectors(model->header, file->name, &model->templates.vectors, err) &&
           section_of(file, "lengths.string", &lengths, err) && section_of(file, "bytes.string", &bytes, err) &&
           (strings_unfold(&model->vocabulary.strings, (uint32_t)count, lengths, bytes, err) ||
            fail_damaged(file, "lengths.string", err)) &&
           open_index(model, false, err) && open_index(model, true, err) &&
           (tag_vectors_fit(&model->templates, &model->vocabulary.node) || fail_damaged(file, "features.node", err));
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
    bool constrained = !model->trees && json_is_true(json_object_get(model->header, "constraints"));
    return model->label_name && (!constrained || labels_transitions(&model->labels, false, &model->transitions, err));
}

/* Reads what the header says of one layer. */
static bool read_layer(const json_t *entry, const char *name, struct model_layer *layer, bool *variance,
                       struct vouch_error *err)
{
    const json_t *voices = json_object_get(entry, "voices");
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
        variance[v] = json_is_true(json_object_get(voice, "variance"));
    }
    return true;
}

bool model_layers(const json_t *header, const char *name, struct layer_list *list, struct vouch_error *err)
{
    const json_t *layers = json_object_get(header, "layers"), *first = json_object_get(header, "first");
    *list = (struct layer_list){.layers = (uint32_t)json_array_size(layers)};
    if (list->layers == 0 || list->layers > MAX_MODEL_LAYERS)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header lists no layers, or too many", name);
    for (uint32_t i = 0; i < list->layers; i++)
        if (!read_layer(json_array_get(layers, i), name, &list->layer[i], list->variance[i], err))
            return false;
    if (first && !read_layer(first, name, &list->first, list->first_variance, err))
        return false;
    return !first || (list->first.voices == 1 && strcmp(list->first.name, FIRST_STAGE) == 0) ||
           fail(err, VOUCH_ERR_FORMAT, "%s: the header's first stage is damaged", name);
}

bool model_arc_features(const json_t *header, const char *name, struct vouch_error *err)
{
    const json_t *version = json_object_get(header, "arc_features");
    json_int_t found = version ? json_integer_value(version) : 1;
    return found == ARC_FEATURES ||
           fail(err, VOUCH_ERR_FORMAT,
                "%s: expected features of arcs of version %d, found %lld, which %s version of vouch wrote: %s", name,
                ARC_FEATURES, (long long)found, found < ARC_FEATURES ? "an older" : "a newer",
                found < ARC_FEATURES ? "train it again" : "use that one, or train it again");
}

/* Finds how many bits number the blocks of a layer whose features are hashed. */
static bool hashed_bits(const struct space *space, uint32_t *bits)
{
    for (*bits = 4; *bits <= 30; ++*bits)
        if (space->nodes == UINT32_C(1) << *bits)
            return space->edges == 0;
    return false;
}

/* Decoding relies on what is checked here. */
bool model_take_layers(struct vouch_model *model, const struct layer_list *list)
{
    const struct space *own = &list->layer[0].space, *second = &list->layer[1].space, *first = &list->first.space;
    uint32_t labels = labels_count(&model->labels), *bits = model->bits;
    bool staged = list->first.voices > 0;
    memcpy(model->layer, list->layer, sizeof model->layer);
    model->layers = list->layers;
    model->first = list->first;
    if (!model->trees)
        return list->layers == 1 && own->width == labels &&
               (!staged || (first->width == labels && first->nodes == own->nodes && first->edges == own->edges));
    return own->width == 1 && hashed_bits(own, &bits[0]) &&
           (!staged || (first->width == 1 && hashed_bits(first, &model->first_bits))) &&
           (list->layers == 1 || (second->width == labels && hashed_bits(second, &bits[1])));
}

/* Opens the weights of a voice, or its variances; their step in *step. */
static float *open_weights(const struct model_file *file, const char *name, const struct space *space,
                           enum weight_kind kind, float *step, struct vouch_error *err)
{
    struct weight_array array = {kind, space_size(space), space->width};
    struct section_view stream;
    if (!section_of(file, name, &stream, err))
        return NULL;
    float *weight = weights_unfold(&array, stream.bytes, stream.length, SLACK, step, err);
    if (!weight)
        fail_damaged(file, name, err);
    return weight;
}

/* Whether the features of a layer are those of arcs, which are summed in steps. */
static bool sums_steps(const struct vouch_model *model, const struct model_layer *layer)
{
    return model->trees && layer == (model_has_first(model) ? &model->first : &model->layer[0]);
}

static bool open_voice(const struct vouch_model *model, struct model_layer *layer, uint32_t v, bool variance,
                       struct vouch_error *err)
{
    struct model_voice *voice = &layer->voice[v];
    struct section_name mean = section_name(layer->name, "mean", v), var = section_name(layer->name, "var", v);
    float unit;
    voice->mean = voice->own_mean =
        open_weights(&model->file, mean.of, &layer->space, WEIGHT_MEAN, &voice->steps.step, err);
    if (voice->mean && variance)
        voice->var = voice->own_var = open_weights(&model->file, var.of, &layer->space, WEIGHT_VARIANCE, &unit, err);
    return voice->mean && (!variance || voice->var) &&
           (!sums_steps(model, layer) || model_voice_count_steps(voice, &layer->space, err));
}

static bool open_layers(struct vouch_model *model, struct vouch_error *err)
{
    struct layer_list list;
    if (!model_layers(model->header, model->file.name, &list, err))
        return false;
    if (!model_take_layers(model, &list))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's layers do not fit its task", model->file.name);
    for (uint32_t i = 0; i < list.layers; i++)
        for (uint32_t v = 0; v < list.layer[i].voices; v++)
            if (!open_voice(model, &model->layer[i], v, list.variance[i][v], err))
                return false;
    for (uint32_t v = 0; v < list.first.voices; v++)
        if (!open_voice(model, &model->first, v, list.first_variance[v], err))
            return false;
    return true;
}

/* Opens each layer's counts of answers; a model of ready-made attributes has none. Older files call them a lexicon. */
static bool open_counts(struct vouch_model *model, struct vouch_error *err)
{
    for (uint32_t i = 0; i < model->layers; i++) {
        const json_t *entry = json_array_get(json_object_get(model->header, "layers"), i);
        const char *key = json_object_get(entry, "counts") ? "counts" : "lexicon";
        json_int_t slots = json_integer_value(json_object_get(entry, key));
        struct answer_counts *counts = &model->layer[i].counts;
        struct section_name name = section_name(model->layer[i].name, key, NO_VOICE);
        struct section_view stream;
        if (slots == 0)
            continue;
        if (!section_of(&model->file, name.of, &stream, err))
            return false;
        if (!answer_counts_unfold(counts, stream, err) || (json_int_t)counts->mask != slots - 1)
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
    model->header = json_read(model->file.header, model->file.header_length, JSON_REJECT_DUPLICATES, &problem);
    if (!model->header && json_lacked_memory(&problem))
        return fail_memory(err);
    if (!json_is_object(model->header))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is not JSON: %s", model->file.name, problem.text);
    if (model->file.header_length > INT_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is too long", model->file.name);
    model->header_text = new_string(model->file.header, model->file.header_length, err);
    take_task(model);
    return model->header_text != NULL;
}

/* Makes a layer of that name and width without weights: its scores come from elsewhere. */
static bool open_outside(struct vouch_model *model, const char *name, uint32_t width, struct vouch_error *err)
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
    return model->trees ? open_outside(model, "arc", 1, err)
                        : open_labels(model, err) && open_outside(model, "label", labels_count(&model->labels), err);
}

bool header_lacks_weights(const json_t *header)
{
    const json_t *layer = json_array_get(json_object_get(header, "layers"), 0);
    return json_object_get(json_array_get(json_object_get(layer, "voices"), 0), "sets") != NULL;
}

/* Makes a model of its file, if that could be opened; else NULL. */
static struct vouch_model *open_parts(struct vouch_model *model, bool opened, struct vouch_error *err)
{
    bool ok = opened && model_file_verify(&model->file, err) && open_header(model, err);
    if (ok && header_lacks_weights(model->header))
        ok = open_unweighted(model, err);
    else if (ok)
        ok = (!model->trees || model_arc_features(model->header, model->file.name, err)) && open_labels(model, err) &&
             open_layers(model, err) && open_counts(model, err) && open_seen(model, err) &&
             (model->trees || open_features(model, err));
    if (ok) {
        vocabulary_find_context(&model->vocabulary, &model->templates, model->context.feature);
        return model;
    }
    vouch_model_close(model);
    return NULL;
}

vouch_model *vouch_model_open(const char *path, struct vouch_error *err)
{
    if (!path || !*path)
        fail(err, VOUCH_ERR_ARGUMENT, "expected the path of a model, found %s", path ? "an empty one" : "NULL");
    struct vouch_model *model = path && *path ? new_array(1, sizeof *model, err) : NULL;
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
    model->header = json_read_string(header, JSON_REJECT_DUPLICATES, &problem);
    take_task(model);
    bool ok = model->file.name && model->header_text;
    if (ok && !model->header && json_lacked_memory(&problem))
        ok = fail_memory(err);
    else if (ok && !json_is_object(model->header))
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
    for (uint32_t i = 0; model->label_name && i < model->labels.written.table.count; i++)
        free(model->label_name[i]);
    free(model->label_name);
    for (uint32_t i = 0; i < model->layers; i++) {
        for (uint32_t v = 0; v < model->layer[i].voices; v++)
            model_voice_release(&model->layer[i].voice[v]);
        answer_counts_release(&model->layer[i].counts);
    }
    for (uint32_t v = 0; v < model->first.voices; v++)
        model_voice_release(&model->first.voice[v]);
    vocabulary_release(&model->vocabulary);
    transitions_release(&model->transitions);
    label_context_release(&model->context);
    labels_release(&model->labels);
    templates_release(&model->templates);
    lexicons_release(&model->lexicons);
    free(model->header_text);
    json_decref(model->header);
    model_file_close(&model->file);
    free(model);
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
