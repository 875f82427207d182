/* Opens and writes models: see model.h. */
#include "model/model.h"

#include "core/voice.h"
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

/* Finds a section that must have exactly `need` elements. */
static bool exact_section(const struct model_file *file, const char *name, size_t size, uint64_t need,
                          const void **array, struct vouch_error *err)
{
    uint64_t count;
    if (!model_file_section(file, name, size, array, &count, err))
        return false;
    if (count != need)
        return fail(err, VOUCH_ERR_FORMAT, "%s: section '%s' should have %llu elements and has %llu", file->name, name,
                    (unsigned long long)need, (unsigned long long)count);
    return true;
}

/* Opens a hash table over the file, which must have as many slots as its number of entries calls for. */
static bool open_hash_table(const struct model_file *file, const char *name, uint32_t count, struct hash_table *table,
                            struct vouch_error *err)
{
    const void *slots;
    uint64_t need = count ? hash_table_slots(count) : 0;
    if (!exact_section(file, name, sizeof(struct slot), need, &slots, err))
        return false;
    *table = (struct hash_table){.slot = need ? slots : NULL, .mask = need ? need - 1 : 0, .count = count};
    return true;
}

static bool open_index(const struct model_file *file, const char *kind, uint32_t count, struct feature_index *index,
                       struct vouch_error *err)
{
    char slots[24] = "slots.", record[24] = "record.", start[24] = "start.";
    strncat(slots, kind, 8);
    strncat(record, kind, 8);
    strncat(start, kind, 8);
    const void *records, *starts;
    uint64_t length;
    if (!open_hash_table(file, slots, count, &index->table, err) ||
        !model_file_section(file, record, sizeof(uint32_t), &records, &length, err) ||
        !exact_section(file, start, sizeof(uint64_t), (uint64_t)count + 1, &starts, err))
        return false;
    index->record = records;
    index->records = length;
    index->record_start = starts;
    return true;
}

/* Opens the templates and the vocabulary of a tagger. */
static bool open_features(struct vouch_model *model, struct vouch_error *err)
{
    const struct model_file *file = &model->file;
    const struct space *space = &model->layer[0].space;
    struct dictionary *strings = &model->vocabulary.strings;
    json_int_t count = json_integer_value(json_object_get(model->header, "strings"));
    const void *start, *bytes;
    if (count < 0 || count >= UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's count of strings is out of range", file->name);
    if (!templates_parse(&model->templates, model_template(model), file->name, err) ||
        !open_hash_table(file, "slots.string", (uint32_t)count, &strings->table, err) ||
        !exact_section(file, "start.string", sizeof(uint32_t), (uint64_t)count + 2, &start, err) ||
        !model_file_section(file, "bytes.string", 1, &bytes, &strings->size, err) ||
        !open_index(file, "node", space->nodes, &model->vocabulary.node, err) ||
        !open_index(file, "edge", space->edges, &model->vocabulary.edge, err))
        return false;
    strings->start = start;
    strings->bytes = bytes;
    return true;
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

static bool open_layers(struct vouch_model *model, struct vouch_error *err)
{
    struct layer_list list;
    if (!model_layers(model->header, model->file.name, &list, err))
        return false;
    memcpy(model->layer, list.layer, sizeof model->layer);
    model->layers = list.layers;
    for (uint32_t i = 0; i < list.layers; i++)
        for (uint32_t v = 0; v < list.layer[i].voices; v++) {
            struct voice_names names = names_of(list.layer[i].name, v);
            uint64_t need = (uint64_t)space_size(&list.layer[i].space) + SLACK;
            const void *mean, *var = NULL;
            if (!exact_section(&model->file, names.mean, sizeof(float), need, &mean, err) ||
                (list.variance[i][v] && !exact_section(&model->file, names.var, sizeof(float), need, &var, err)))
                return false;
            model->layer[i].voice[v].mean = mean;
            model->layer[i].voice[v].var = var;
        }
    return model_layers_fit(&list, model->trees, labels_count(&model->labels), model->bits) ||
           fail(err, VOUCH_ERR_FORMAT, "%s: the header's layers do not fit its task", model->file.name);
}

/* Opens each layer's lexicon; an old model, and one of ready-made attributes, has none. */
static bool open_lexicons(struct vouch_model *model, struct vouch_error *err)
{
    for (uint32_t i = 0; i < model->layers; i++) {
        const json_t *entry = json_array_get(json_object_get(model->header, "layers"), i);
        json_int_t slots = json_integer_value(json_object_get(entry, "lexicon"));
        const void *slot;
        if (slots == 0)
            continue;
        if (slots < 0 ||
            !exact_section(&model->file, lexicon_name(model->layer[i].name).of, sizeof(uint64_t), (uint64_t)slots,
                           &slot, err) ||
            !lexicon_view(&model->layer[i].lexicon, slot, (uint64_t)slots))
            return fail(err, VOUCH_ERR_FORMAT, "%s: the lexicon is damaged", model->file.name);
    }
    return true;
}

/* Opens the digests of the sentences that it learned from; there may be none. */
static bool open_seen(struct vouch_model *model, struct vouch_error *err)
{
    json_int_t count = json_integer_value(json_object_get(model->header, "seen"));
    const void *digests;
    if (count == 0)
        return true;
    if (count < 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's count of sentences seen is out of range",
                    model->file.name);
    if (!exact_section(&model->file, "seen", sizeof(uint64_t), (uint64_t)count, &digests, err))
        return false;
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

/* Makes a model of its file, if that could be opened; else NULL. */
static struct vouch_model *open_parts(struct vouch_model *model, bool opened, struct vouch_error *err)
{
    if (opened && open_header(model, err) && open_labels(model, err) && open_layers(model, err) &&
        open_lexicons(model, err) && open_seen(model, err) && (model->trees || open_features(model, err)))
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
    if (ok && (model->trees ? open_given(model, "arc", 1, err)
                            : open_labels(model, err) && open_given(model, "label", labels_count(&model->labels), err)))
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
    labels_release(&model->labels);
    templates_release(&model->templates);
    free(model->header_text);
    json_decref(model->header);
    model_file_close(&model->file);
    free(model);
}

/* Appends the sections of an index to `section`; returns how many there are. */
static uint32_t index_sections(const struct feature_index *index, const char *const name[3], struct section *section)
{
    static const uint64_t zero;
    uint64_t count = feature_index_count(index);
    section[0] =
        (struct section){name[0], index->table.slot, count ? sizeof *index->table.slot * (index->table.mask + 1) : 0};
    section[1] = (struct section){name[1], index->record, sizeof *index->record * index->records};
    section[2] =
        (struct section){name[2], count ? index->record_start : &zero, sizeof *index->record_start * (count + 1)};
    return 3;
}

static uint32_t string_sections(const struct dictionary *strings, struct section *section)
{
    static const uint32_t zeros[2];
    uint64_t count = strings->table.count;
    section[0] = (struct section){"slots.string", strings->table.slot,
                                  count ? sizeof *strings->table.slot * (strings->table.mask + 1) : 0};
    section[1] = (struct section){"start.string", count ? strings->start : zeros, sizeof *strings->start * (count + 2)};
    section[2] = (struct section){"bytes.string", strings->bytes, strings->size};
    return 3;
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

bool model_write(struct output *out, const struct model_content *content, struct vouch_error *err)
{
    static const char *const node[] = {"slots.node", "record.node", "start.node"};
    static const char *const edge[] = {"slots.edge", "record.edge", "start.edge"};
    const struct vocabulary *v = content->vocabulary;
    struct section section[10 + (1 + 2 * MAX_VOICES) * MAX_MODEL_LAYERS];
    struct lexicon_name lexicon[MAX_MODEL_LAYERS];
    struct voice_names names[MAX_MODEL_LAYERS][MAX_VOICES];
    uint32_t count = v ? string_sections(&v->strings, section) : 0;
    if (v) {
        count += index_sections(&v->node, node, section + count);
        count += index_sections(&v->edge, edge, section + count);
    }
    for (uint32_t i = 0; i < content->layers; i++) {
        const struct model_layer *layer = &content->layer[i];
        uint64_t bytes = sizeof(float) * ((uint64_t)space_size(&layer->space) + SLACK);
        for (uint32_t k = 0; k < layer->voices; k++) {
            names[i][k] = names_of(layer->name, k);
            section[count++] = (struct section){names[i][k].mean, layer->voice[k].mean, bytes};
            if (layer->voice[k].var)
                section[count++] = (struct section){names[i][k].var, layer->voice[k].var, bytes};
        }
        lexicon[i] = lexicon_name(layer->name);
        if (layer->lexicon.slot)
            section[count++] = (struct section){lexicon[i].of, layer->lexicon.slot,
                                                sizeof *layer->lexicon.slot * (layer->lexicon.mask + 1)};
    }
    if (content->seen && content->seen->count)
        section[count++] =
            (struct section){"seen", content->seen->digest, sizeof *content->seen->digest * content->seen->count};
    char *header = describe(content, err) ? json_dumps(content->header, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    if (!header)
        return fail_memory(err);
    model_file_write(out, header, section, count);
    free(header);
    return true;
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
    if (var)
        memcpy(var, learned->var, sizeof *var * learned->size);
    return true;
}

void model_voice_release(struct model_voice *voice)
{
    free(voice->own_mean);
    free(voice->own_var);
    *voice = (struct model_voice){0};
}

bool model_write_again(struct output *out, const struct vouch_model *model, json_t *header, struct vouch_error *err)
{
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
