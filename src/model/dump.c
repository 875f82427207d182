/*
 * A model as text: see dump.h. One line an item, fields separated by tabs:
 *
 *     vouch-dump  1
 *     header  {JSON}
 *     string  TEXT                         the strings, in order of their numbers
 *     node    RULE  VALUE ...              a feature; edge for one of a label pair
 *     mean.0  FLOAT ...                    the feature's weights in voice 0, if one is not zero
 *     var.0   FLOAT ...                    their variances
 *     end
 *
 * RULE is the number of the template's line among its kind, VALUE the number
 * of a string. Tabs, newlines and backslashes in strings are escaped. Loading
 * adds strings and features in the same order as training did, which gives the
 * same tables.
 */
#include "model/dump.h"

#include "base/input.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

static void write_escaped(struct output *out, struct text text)
{
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        const char *escaped = c == '\t' ? "\\t" : c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\\' ? "\\\\" : NULL;
        if (escaped)
            output_write(out, escaped, 2);
        else
            output_write(out, &c, 1);
    }
}

static void write_weights(struct output *out, const char *kind, uint32_t voice, const float *weight, size_t width)
{
    bool empty = true;
    for (size_t j = 0; j < width; j++)
        empty = empty && weight[j] == 0 && !signbit(weight[j]);
    if (empty)
        return;
    output_printf(out, "%s.%u", kind, voice);
    for (size_t j = 0; j < width; j++)
        output_printf(out, "\t%a", (double)weight[j]);
    output_write(out, "\n", 1);
}

/* One feature: what it is, and its block in every voice. */
static bool write_feature(const struct vouch_model *model, const struct feature_index *index, const char *kind,
                          uint32_t f, struct output *out, struct vouch_error *err)
{
    uint64_t from = index->record_start[f], to = index->record_start[f + 1];
    if (from >= to || to > index->records)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the records of the features are damaged", model->file.name);
    output_write(out, kind, strlen(kind));
    for (uint64_t i = from; i < to; i++)
        output_printf(out, "\t%u", index->record[i]);
    output_write(out, "\n", 1);
    bool edge = index == &model->vocabulary.edge;
    size_t at = edge ? space_edge(&model->space, f) : space_node(&model->space, f);
    size_t width = edge ? (size_t)model->space.width * model->space.width : model->space.width;
    for (uint32_t v = 0; v < model->voices; v++) {
        write_weights(out, "mean", v, model->voice[v].mean + at, width);
        if (model->voice[v].var)
            write_weights(out, "var", v, model->voice[v].var + at, width);
    }
    return true;
}

bool model_dump(const struct vouch_model *model, struct output *out, struct vouch_error *err)
{
    const struct vocabulary *v = &model->vocabulary;
    output_printf(out, "vouch-dump\t%d\nheader\t%s\n", MODEL_FORMAT_VERSION, model->header_text);
    for (uint32_t id = 1; id <= v->strings.table.count; id++) {
        output_write(out, "string\t", 7);
        write_escaped(out, dictionary_text(&v->strings, id));
        output_write(out, "\n", 1);
    }
    for (uint32_t f = 0; f < feature_index_count(&v->node); f++)
        if (!write_feature(model, &v->node, "node", f, out, err))
            return false;
    for (uint32_t f = 0; f < feature_index_count(&v->edge); f++)
        if (!write_feature(model, &v->edge, "edge", f, out, err))
            return false;
    output_write(out, "end\n", 4);
    return true;
}

/* A model being read from text. */
struct loading {
    struct input *input;
    json_t *header;
    struct templates templates;
    struct vocabulary vocabulary;
    struct tag_labels labels;
    struct space space;
    struct model_voice voice[MAX_VOICES];
    float *mean[MAX_VOICES], *var[MAX_VOICES];
    uint32_t voices;
    size_t at, width; /* block of the feature read last */
    char *unescaped;
    size_t unescaped_capacity;
};

static bool wrong(const struct loading *l, struct vouch_error *err, const char *expected)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected %s", input_name(l->input),
                (unsigned long long)input_number(l->input), expected);
}

/* Splits off the text up to the next tab. */
static struct text next_field(struct text *line)
{
    const char *tab = line->length ? memchr(line->at, '\t', line->length) : NULL;
    struct text field = {line->at, tab ? (uint32_t)(tab - line->at) : line->length};
    uint32_t used = field.length + (tab != NULL);
    *line = (struct text){line->at + used, line->length - used};
    return field;
}

static bool parse_number(struct text field, uint32_t *number)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < field.length; i++) {
        if (field.at[i] < '0' || field.at[i] > '9' || value > UINT32_MAX)
            return false;
        value = value * 10 + (uint64_t)(field.at[i] - '0');
    }
    *number = (uint32_t)value;
    return field.length > 0 && value < UINT32_MAX;
}

static bool parse_float(struct text field, float *value)
{
    char digits[64], *end;
    if (field.length == 0 || field.length >= sizeof digits)
        return false;
    memcpy(digits, field.at, field.length);
    digits[field.length] = '\0';
    double parsed = strtod(digits, &end);
    *value = (float)parsed;
    return *end == '\0' && isfinite(parsed) && fabs(parsed) <= FLT_MAX;
}

/* Number of features, as the header promises; the arrays of weights are made from it. */
static bool load_header(struct loading *l, struct text line, struct vouch_error *err)
{
    json_error_t problem;
    l->header = json_loadb(line.at, line.length, JSON_REJECT_DUPLICATES, &problem);
    if (!l->header)
        return wrong(l, err, "a header in JSON");
    const json_t *counts = json_object_get(l->header, "counts"), *voices = json_object_get(l->header, "voices");
    json_int_t nodes = json_integer_value(json_object_get(counts, "nodes"));
    json_int_t edges = json_integer_value(json_object_get(counts, "edges"));
    const char *template = json_string_value(json_object_get(l->header, "template"));
    size_t count = json_array_size(voices);
    if (nodes < 0 || nodes >= UINT32_MAX || edges < 0 || edges >= UINT32_MAX || count == 0 || count > MAX_VOICES ||
        !template)
        return wrong(l, err, "a header with template, counts and voices");
    char place[300];
    snprintf(place, sizeof place, "%.250s:%llu", input_name(l->input), (unsigned long long)input_number(l->input));
    if (!model_labels(l->header, place, &l->labels, err))
        return false;
    l->space = (struct space){.width = labels_count(&l->labels), .nodes = (uint32_t)nodes, .edges = (uint32_t)edges};
    for (uint32_t v = 0; v < count; v++) {
        const json_t *entry = json_array_get(voices, v);
        size_t size = space_size(&l->space) + SLACK;
        l->voice[v].mean = l->mean[v] = new_array(size, sizeof(float), err);
        if (!l->mean[v])
            return false;
        if (json_is_true(json_object_get(entry, "variance"))) {
            l->voice[v].var = l->var[v] = new_array(size, sizeof(float), err);
            if (!l->var[v])
                return false;
        }
        l->voices++;
    }
    return templates_parse(&l->templates, template, input_name(l->input), err);
}

static bool load_string(struct loading *l, struct text line, struct vouch_error *err)
{
    if (!RESERVE(l->unescaped, l->unescaped_capacity, (size_t)line.length + 1, err))
        return false;
    uint32_t to = 0;
    for (uint32_t i = 0; i < line.length; i++) {
        char c = line.at[i];
        if (c == '\\' && i + 1 < line.length) {
            char escaped = line.at[++i];
            c = escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped;
        }
        l->unescaped[to++] = c;
    }
    uint32_t before = l->vocabulary.strings.table.count;
    uint32_t id = dictionary_add(&l->vocabulary.strings, (struct text){l->unescaped, to}, err);
    if (id && id != before + 1)
        return wrong(l, err, "a string that was not there before");
    return id != 0;
}

static bool load_feature(struct loading *l, struct text line, bool edge, struct vouch_error *err)
{
    struct feature_index *index = edge ? &l->vocabulary.edge : &l->vocabulary.node;
    uint32_t record[1 + MAX_MACROS], length = 0, before = feature_index_count(index);
    while (line.length && length < 1 + MAX_MACROS)
        if (!parse_number(next_field(&line), &record[length++]))
            return wrong(l, err, "the number of a rule, then numbers of strings");
    uint64_t key;
    for (uint32_t i = 1; i < length; i++)
        if (record[i] == 0 || record[i] > l->vocabulary.strings.table.count)
            return wrong(l, err, "numbers of strings that were listed before");
    if (line.length || !tag_feature_key(&l->templates, edge, record, length, &key))
        return wrong(l, err, "a rule of the template, and as many strings as it looks at");
    if (before >= (edge ? l->space.edges : l->space.nodes))
        return wrong(l, err, "no more features than the header counts");
    uint32_t feature = feature_index_add(index, key, record, length, err);
    if (feature == NO_FEATURE)
        return false;
    if (feature != before)
        return wrong(l, err, "a feature that was not there before");
    l->at = edge ? space_edge(&l->space, feature) : space_node(&l->space, feature);
    l->width = edge ? (size_t)l->space.width * l->space.width : l->space.width;
    return true;
}

static bool load_weights(struct loading *l, float *const *array, struct text kind, struct text line,
                         struct vouch_error *err)
{
    uint32_t voice = (uint32_t)(kind.at[kind.length - 1] - '0');
    if (voice >= l->voices || !array[voice] || !l->width)
        return wrong(l, err, "weights of a voice of the header, after a feature");
    for (size_t j = 0; j < l->width; j++)
        if (!parse_float(next_field(&line), &array[voice][l->at + j]))
            return wrong(l, err, "one finite number for every label");
    return line.length == 0 || wrong(l, err, "one finite number for every label");
}

static bool load_line(struct loading *l, struct text line, bool *ended, struct vouch_error *err)
{
    struct text kind = next_field(&line);
    if (text_is(kind, "header") && !l->header)
        return load_header(l, line, err);
    if (!l->header)
        return wrong(l, err, "a header in JSON");
    if (text_is(kind, "string"))
        return load_string(l, line, err);
    if (text_is(kind, "node") || text_is(kind, "edge"))
        return load_feature(l, line, text_is(kind, "edge"), err);
    if (kind.length == 6 && text_starts(kind, "mean."))
        return load_weights(l, l->mean, kind, line, err);
    if (kind.length == 5 && text_starts(kind, "var."))
        return load_weights(l, l->var, kind, line, err);
    *ended = text_is(kind, "end");
    return *ended || wrong(l, err, "string, node, edge, mean.N, var.N or end");
}

static bool load_lines(struct loading *l, struct vouch_error *err)
{
    struct text line;
    int more = input_line(l->input, &line, err);
    bool ended = false;
    if (more == 1 && !text_is(line, "vouch-dump\t1"))
        return wrong(l, err, "'vouch-dump' and the format's version 1");
    while (more == 1 && !ended && (more = input_line(l->input, &line, err)) == 1)
        if (!load_line(l, line, &ended, err))
            return false;
    if (more < 0)
        return false;
    if (!ended)
        return wrong(l, err, "a last line 'end': the text is cut off");
    json_int_t strings = json_integer_value(json_object_get(json_object_get(l->header, "counts"), "strings"));
    if (feature_index_count(&l->vocabulary.node) != l->space.nodes ||
        feature_index_count(&l->vocabulary.edge) != l->space.edges || l->vocabulary.strings.table.count != strings)
        return wrong(l, err, "as many strings and features as the header counts");
    return true;
}

bool model_load(const char *path, struct output *out, struct vouch_error *err)
{
    struct loading l = {.input = input_open(path, err)};
    bool ok = l.input && load_lines(&l, err);
    if (ok) {
        struct model_content content = {
            .header = l.header, .vocabulary = &l.vocabulary, .space = l.space, .voice = l.voice, .voices = l.voices};
        ok = model_write(out, &content, err);
    }
    for (uint32_t v = 0; v < MAX_VOICES; v++)
        free(l.mean[v]), free(l.var[v]);
    free(l.unescaped);
    vocabulary_release(&l.vocabulary);
    labels_release(&l.labels);
    templates_release(&l.templates);
    json_decref(l.header);
    input_close(l.input);
    return ok;
}
