/* A model: opening and writing. See model.h. */
#include "model/model.h"

#include "chain/chain.h"

#include <limits.h>

/* Names of the sections of one voice: "mean.0", "var.0", ... */
struct voice_names {
    char mean[24], var[24];
};

static struct voice_names names_of(uint32_t voice)
{
    struct voice_names names = {"mean.0", "var.0"};
    names.mean[5] = names.var[4] = (char)('0' + voice);
    return names;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* The whole array must be there: `need` elements exactly. */
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

/* A table over the file: as many slots as its number of entries calls for. */
static bool open_table(const struct model_file *file, const char *name, uint32_t count, struct table *table,
                       struct vouch_error *err)
{
    const void *slots;
    uint64_t need = count ? table_slots(count) : 0;
    if (!exact_section(file, name, sizeof(struct slot), need, &slots, err))
        return false;
    *table = (struct table){
        .slot = need ? (struct slot *)(uintptr_t)slots : NULL, .mask = need ? need - 1 : 0, .count = count};
    return true;
}

static bool count_at(const struct vouch_model *model, const char *key, uint32_t *count, struct vouch_error *err)
{
    json_int_t value = json_integer_value(json_object_get(json_object_get(model->header, "counts"), key));
    if (value < 0 || value >= UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's count of %s is out of range", model->file.name, key);
    *count = (uint32_t)value;
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
    if (!open_table(file, slots, count, &index->table, err) ||
        !model_file_section(file, record, sizeof(uint32_t), &records, &length, err) ||
        !exact_section(file, start, sizeof(uint64_t), (uint64_t)count + 1, &starts, err))
        return false;
    index->record = (uint32_t *)(uintptr_t)records;
    index->records = length;
    index->record_start = (uint64_t *)(uintptr_t)starts;
    return true;
}

static bool open_vocabulary(struct vouch_model *model, struct vouch_error *err)
{
    const struct model_file *file = &model->file;
    struct dictionary *strings = &model->vocabulary.strings;
    uint32_t count = 0, nodes = 0, edges = 0;
    const void *start, *bytes;
    if (!count_at(model, "strings", &count, err) || !count_at(model, "nodes", &nodes, err) ||
        !count_at(model, "edges", &edges, err) || !open_table(file, "slots.string", count, &strings->table, err) ||
        !exact_section(file, "start.string", sizeof(uint32_t), (uint64_t)count + 2, &start, err) ||
        !model_file_section(file, "bytes.string", 1, &bytes, &strings->size, err) ||
        !open_index(file, "node", nodes, &model->vocabulary.node, err) ||
        !open_index(file, "edge", edges, &model->vocabulary.edge, err))
        return false;
    strings->start = (uint32_t *)(uintptr_t)start;
    strings->bytes = (char *)(uintptr_t)bytes;
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

static char *copy_text(struct text text, struct vouch_error *err)
{
    char *copy = new_array((size_t)text.length + 1, 1, err);
    if (copy)
        memcpy(copy, text.at, text.length);
    return copy;
}

bool model_labels(const json_t *header, const char *name, struct tag_labels *labels, struct vouch_error *err)
{
    const json_t *list = json_object_get(header, "labels"), *scheme = json_object_get(header, "scheme");
    size_t count = json_array_size(list);
    if (!parse_scheme(text_at(scheme, "inner"), &labels->inner) ||
        !parse_scheme(text_at(scheme, "outer"), &labels->outer))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header names no known label scheme", name);
    if (count == 0 || count > MAX_LABELS)
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
    for (uint32_t i = 0; model->label_name && i < written; i++)
        if (!(model->label_name[i] = copy_text(dictionary_text(&model->labels.written, i + 1), err)))
            return false;
    return model->label_name != NULL;
}

static bool open_voices(struct vouch_model *model, struct vouch_error *err)
{
    const json_t *voices = json_object_get(model->header, "voices");
    model->space = (struct space){.width = labels_count(&model->labels),
                                  .nodes = feature_index_count(&model->vocabulary.node),
                                  .edges = feature_index_count(&model->vocabulary.edge)};
    uint64_t need = (uint64_t)space_size(&model->space) + SLACK;
    if (json_array_size(voices) == 0 || json_array_size(voices) > MAX_VOICES)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header lists no voices, or too many", model->file.name);
    for (uint32_t i = 0; i < json_array_size(voices); i++) {
        const json_t *entry = json_array_get(voices, i);
        struct model_voice *voice = &model->voice[i];
        struct voice_names names = names_of(i);
        const void *mean, *var = NULL;
        strncpy(voice->name, text_at(entry, "algorithm"), sizeof voice->name - 1);
        if (!exact_section(&model->file, names.mean, sizeof(float), need, &mean, err) ||
            (json_is_true(json_object_get(entry, "variance")) &&
             !exact_section(&model->file, names.var, sizeof(float), need, &var, err)))
            return false;
        voice->mean = mean;
        voice->var = var;
        model->voices++;
    }
    return true;
}

static bool open_header(struct vouch_model *model, struct vouch_error *err)
{
    json_error_t problem;
    model->header = json_loadb(model->file.header, model->file.header_length, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(model->header))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is not JSON: %s", model->file.name, problem.text);
    if (model->file.header_length > INT_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header is too long", model->file.name);
    model->header_text = copy_text((struct text){model->file.header, (uint32_t)model->file.header_length}, err);
    model->task = text_at(model->header, "task");
    return model->header_text &&
           templates_parse(&model->templates, text_at(model->header, "template"), model->file.name, err);
}

vouch_model *vouch_model_open(const char *path, struct vouch_error *err)
{
    struct vouch_model *model = new_array(1, sizeof *model, err);
    if (!model)
        return NULL;
    if (model_file_open(&model->file, path, err) && open_header(model, err) && open_vocabulary(model, err) &&
        open_labels(model, err) && open_voices(model, err))
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

const struct structure *model_structure(const struct vouch_model *model)
{
    (void)model;
    return &chain_structure;
}

bool model_describe(json_t *header, const char *task, const char *template, const struct tag_labels *labels,
                    const struct model_voice *voice, uint32_t voices, struct vouch_error *err)
{
    json_t *names = json_array(), *described = json_array();
    for (uint32_t y = 0; y < labels_count(labels); y++) {
        struct text name = labels_name(labels, y);
        json_array_append_new(names, json_stringn(name.at, name.length));
    }
    for (uint32_t i = 0; i < voices; i++)
        json_array_append_new(described,
                              json_pack("{s:s, s:b}", "algorithm", voice[i].name, "variance", voice[i].var != NULL));
    /* Every value is handed over, whatever became of the others. */
    bool ok = json_array_size(names) == labels_count(labels) && json_array_size(described) == voices;
    ok &= json_object_set_new(header, "task", json_string(task)) == 0;
    ok &= json_object_set_new(header, "labels", names) == 0;
    ok &= json_object_set_new(
              header, "scheme",
              json_pack("{s:s, s:s}", "inner", scheme_name(labels->inner), "outer", scheme_name(labels->outer))) == 0;
    ok &= json_object_set_new(header, "voices", described) == 0;
    ok &= json_object_set_new(header, "template", json_string(template)) == 0;
    return ok || fail_memory(err);
}

/* The sections of an index, appended to `section`. */
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

bool model_write(struct output *out, const struct model_content *content, struct vouch_error *err)
{
    static const char *const node[] = {"slots.node", "record.node", "start.node"};
    static const char *const edge[] = {"slots.edge", "record.edge", "start.edge"};
    const struct vocabulary *v = content->vocabulary;
    struct section section[9 + 2 * MAX_VOICES];
    struct voice_names names[MAX_VOICES];
    uint32_t count = string_sections(&v->strings, section);
    count += index_sections(&v->node, node, section + count);
    count += index_sections(&v->edge, edge, section + count);
    uint64_t bytes = sizeof(float) * ((uint64_t)space_size(&content->space) + SLACK);
    for (uint32_t i = 0; i < content->voices; i++) {
        names[i] = names_of(i);
        section[count++] = (struct section){names[i].mean, content->voice[i].mean, bytes};
        if (content->voice[i].var)
            section[count++] = (struct section){names[i].var, content->voice[i].var, bytes};
    }
    json_t *counts =
        json_pack("{s:I, s:I, s:I}", "strings", (json_int_t)v->strings.table.count, "nodes",
                  (json_int_t)feature_index_count(&v->node), "edges", (json_int_t)feature_index_count(&v->edge));
    char *header = counts && json_object_set_new(content->header, "counts", counts) == 0
                       ? json_dumps(content->header, JSON_COMPACT | JSON_REAL_PRECISION(9))
                       : NULL;
    if (!header)
        return fail_memory(err);
    model_file_write(out, header, section, count);
    free(header);
    return true;
}
