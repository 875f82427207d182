/*
 * Writes and reads a model as text: vouch-model(5) describes the lines. Each item has a line, whose fields are
 * separated by tabs:
 *
 *     vouch-dump  2
 *     header  {JSON}
 *     string  TEXT                         the strings, in order of their numbers
 *     node    RULE  VALUE ...              a feature; edge for one of a label pair
 *     block   LAYER  NUMBER                a block of a parser's hashed features; LAYER "first": of a first stage
 *     first                                what follows are a tagger's weights of the feature in its first stage
 *     class   LEXICON  ENTRY  CLASS ...    an entry of a lexicon, and its class in each column
 *     mean.0  FLOAT ...                    the weights of that feature or block in voice 0, if one is not zero
 *     var.0   FLOAT ...                    their variances
 *     word    LAYER  SLOT                  of the layer's counts of answers: 44 bits of a hash and 20 of a count
 *     seen    DIGEST                       of the words of a sentence learned from, ascending
 *     end
 *
 * RULE is the number of the template's line among its kind, VALUE the number of a string. Tabs, newlines and
 * backslashes in strings are escaped. Loading adds strings and features in the same order as training did, which gives
 * the same tables.
 */
#include "base/json_read.h"
#include "model/model.h"

#include "base/input.h"
#include "base/text.h"
#include "model/weight_code.h"
#include "task/task.h"

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

/* Writes the weights at `at` in every voice of a layer. */
static void write_block(const struct model_layer *layer, size_t at, size_t width, struct output *out)
{
    for (uint32_t v = 0; v < layer->voices; v++) {
        write_weights(out, "mean", v, layer->voice[v].mean + at, width);
        if (layer->voice[v].var)
            write_weights(out, "var", v, layer->voice[v].var + at, width);
    }
}

/* Writes one feature of a tagger: what it is, and its weights. */
static bool write_feature(const struct vouch_model *model, bool edge, uint32_t f, struct output *out,
                          struct vouch_error *err)
{
    const struct space *space = &model->layer[0].space;
    const struct feature_index *index = edge ? &model->vocabulary.edge : &model->vocabulary.node;
    uint64_t from = index->record_start[f], to = index->record_start[f + 1];
    if (from >= to || to > index->records)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the records of the features are damaged", model->file.name);
    output_write(out, edge ? "edge" : "node", 4);
    for (uint64_t i = from; i < to; i++)
        output_printf(out, "\t%u", index->record[i]);
    output_write(out, "\n", 1);
    write_block(&model->layer[0], space_block(space, edge, f), space_block_width(space, edge), out);
    if (model_has_first(model)) {
        output_write(out, "first\n", 6);
        write_block(&model->first, space_block(space, edge, f), space_block_width(space, edge), out);
    }
    return true;
}

static void dump_lexicons(const struct lexicons *lexicons, struct output *out)
{
    for (uint32_t i = 0; i < lexicons->count; i++)
        for (uint32_t id = 1; id <= lexicon_entries(&lexicons->item[i]); id++) {
            const struct lexicon *x = &lexicons->item[i];
            struct text entry = dictionary_text(&x->entry, id), classes = dictionary_text(&x->classes, x->row[id]);
            output_printf(out, "class\t%u\t", i);
            output_write(out, entry.at, entry.length);
            output_write(out, "\t", 1);
            output_write(out, classes.at, classes.length);
            output_write(out, "\n", 1);
        }
}

static bool dump_features(const struct vouch_model *model, struct output *out, struct vouch_error *err)
{
    const struct vocabulary *v = &model->vocabulary;
    for (uint32_t id = 1; id <= v->strings.table.count; id++) {
        output_write(out, "string\t", 7);
        write_escaped(out, dictionary_text(&v->strings, id));
        output_write(out, "\n", 1);
    }
    for (int edge = 0; edge < 2; edge++)
        for (uint32_t f = 0; f < feature_index_count(edge ? &v->edge : &v->node); f++)
            if (!write_feature(model, edge, f, out, err))
                return false;
    return true;
}

/* Whether training did not change a block, which is then left out. */
static bool untouched(const struct model_layer *layer, size_t at)
{
    for (uint32_t v = 0; v < layer->voices; v++)
        for (uint32_t j = 0; j < layer->space.width; j++) {
            const struct model_voice *voice = &layer->voice[v];
            if (voice->mean[at + j] != 0 || signbit(voice->mean[at + j]) || (voice->var && voice->var[at + j] != 0))
                return false;
        }
    return true;
}

/* Writes the hashed features of a layer, of which only the weights are known. */
static void dump_blocks(const struct model_layer *layer, const char *number, struct output *out)
{
    for (uint32_t f = 0; f < layer->space.nodes; f++) {
        size_t at = space_node(&layer->space, f);
        if (untouched(layer, at))
            continue;
        output_printf(out, "block\t%s\t%u\n", number, f);
        write_block(layer, at, layer->space.width, out);
    }
}

static void dump_layers(const struct vouch_model *model, struct output *out)
{
    static const char *const numbers[MAX_MODEL_LAYERS] = {"0", "1"};
    for (uint32_t i = 0; i < model->layers; i++)
        dump_blocks(&model->layer[i], numbers[i], out);
    if (model_has_first(model))
        dump_blocks(&model->first, "first", out);
}

bool model_dump(const struct vouch_model *model, struct output *out, struct vouch_error *err)
{
    output_printf(out, "vouch-dump\t%d\nheader\t%s\n", MODEL_FORMAT_VERSION, model->header_text);
    if (model_lacks_weights(model))
        return output_write(out, "end\n", 4), true;
    if (model->trees)
        dump_layers(model, out);
    else if (dump_lexicons(&model->lexicons, out), !dump_features(model, out, err))
        return false;
    for (uint32_t i = 0; i < model->layers; i++) {
        uint64_t at = 0, slot;
        while (answer_counts_next(&model->layer[i].counts, &at, &slot))
            output_printf(out, "word\t%u\t%016llx\n", i, (unsigned long long)slot);
    }
    for (size_t i = 0; i < model->seen.count; i++)
        output_printf(out, "seen\t%016llx\n", (unsigned long long)model->seen.digest[i]);
    output_write(out, "end\n", 4);
    return true;
}

/* The state of reading a model from text. */
struct loading {
    struct input *input;
    struct vouch_model *model; /* that is being made; NULL before its header */
    struct lexicon_size lexicon_size[MOST_LEXICONS];
    struct digest_set seen;
    struct model_layer *current; /* layer of the block read last */
    size_t at, width;            /* its place among the weights, and its width */
    char *unescaped;
    size_t unescaped_capacity;
};

/* Makes the arrays of all voices of a layer, as large as the header tells. */
static bool make_voices(struct model_layer *layer, const bool *variance, struct vouch_error *err)
{
    for (uint32_t v = 0; v < layer->voices; v++) {
        size_t size = space_size(&layer->space) + SLACK;
        struct model_voice *voice = &layer->voice[v];
        voice->mean = voice->own_mean = new_array(size, sizeof(float), err);
        if (variance[v])
            voice->var = voice->own_var = new_array(size, sizeof(float), err);
        if (!voice->mean || (variance[v] && !voice->var))
            return false;
    }
    return true;
}

static bool make_layers(struct vouch_model *model, const struct layer_list *list, struct vouch_error *err)
{
    for (uint32_t i = 0; i < list->layers; i++)
        if (!make_voices(&model->layer[i], list->variance[i], err))
            return false;
    return make_voices(&model->first, list->first_variance, err);
}

static bool load_context(struct vouch_model *model, const char *place, struct vouch_error *err)
{
    bool ok = model_context(model->header, place, &model->labels, &model->context, err);
    model->templates.context = ok ? label_context_features(&model->context) : 0;
    return ok;
}

static bool load_header(struct loading *l, struct text line, struct vouch_error *err)
{
    json_error_t problem;
    char place[300];
    snprintf(place, sizeof place, "%.250s:%llu", input_name(l->input), (unsigned long long)input_number(l->input));
    json_t *header = json_read(line.at, line.length, JSON_REJECT_DUPLICATES, &problem);
    if (!header)
        return json_lacked_memory(&problem) ? fail_memory(err) : input_wrong(l->input, err, "a header in JSON");
    if (header_lacks_weights(header)) { /* there is nothing else to load */
        char *text = json_dumps(header, JSON_COMPACT | JSON_REAL_PRECISION(9));
        l->model = text ? model_of_scores(text, place, err) : NULL;
        free(text);
        json_decref(header);
        return text ? l->model != NULL : fail_memory(err);
    }
    struct vouch_model *model = l->model = new_array(1, sizeof *model, err);
    if (!model) {
        json_decref(header);
        return false;
    }
    model->header = header;
    model->task = json_string_value(json_object_get(header, "task"));
    model->trees = model->task && task_or_any(model->task)->trees;
    if (!model->task || (!model->trees && !json_is_string(json_object_get(header, "template"))))
        return input_wrong(l->input, err, "a header with a task, and a template if that is not dep");
    struct layer_list list;
    if (model->trees && !model_arc_features(header, place, err))
        return false;
    if (!model_labels(header, place, &model->labels, err) || !model_layers(header, place, &list, err))
        return false;
    if (!model_take_layers(model, &list))
        return input_wrong(l->input, err, "layers that fit the task and its labels");
    struct template_source source = {model_template(model), place, &model->lexicons};
    return make_layers(model, &list, err) &&
           (model->trees || (model_lexicons(header, place, &model->lexicons, l->lexicon_size, err) &&
                             templates_parse(&model->templates, &source, err) &&
                             model_vectors(header, place, &model->templates.vectors, err) &&
                             load_context(model, place, err)));
}

static bool load_class(struct loading *l, struct text line, struct vouch_error *err)
{
    uint32_t number;
    if (!text_whole(text_cut(&line, '\t'), &number) || number >= l->model->lexicons.count)
        return input_wrong(l->input, err, "the number of a lexicon, an entry of it, and its classes");
    struct lexicon *x = &l->model->lexicons.item[number];
    struct text entry = text_cut(&line, '\t');
    if (!lexicon_entry_fits(x, entry, line) || dictionary_find(&x->entry, entry))
        return input_wrong(l->input, err,
                           "an entry of a lexicon that was not there before, and a class in each column");
    return lexicon_add(x, entry, line, err);
}

/* Lays lexicons out, and checks that they have as many entries as the header counts. */
static bool close_lexicons(struct loading *l, struct vouch_error *err)
{
    struct lexicons *lexicons = &l->model->lexicons;
    for (uint32_t i = 0; i < lexicons->count; i++) {
        struct lexicon *x = &lexicons->item[i];
        const struct lexicon_size *size = &l->lexicon_size[i];
        if (lexicon_entries(x) != size->entries || x->classes.table.count != size->rows)
            return input_wrong(l->input, err, "as many entries of lexicons, and rows of classes, as the header counts");
        if (!lexicon_close(x, err))
            return false;
    }
    return true;
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
    uint32_t before = l->model->vocabulary.strings.table.count;
    uint32_t id = dictionary_add(&l->model->vocabulary.strings, (struct text){l->unescaped, to}, err);
    if (id && id != before + 1)
        return input_wrong(l->input, err, "a string that was not there before");
    return id != 0;
}

static bool load_feature(struct loading *l, struct text line, bool edge, struct vouch_error *err)
{
    struct feature_index *index = edge ? &l->model->vocabulary.edge : &l->model->vocabulary.node;
    uint32_t record[1 + MAX_MACROS], length = 0, before = feature_index_count(index);
    while (line.length && length < 1 + MAX_MACROS)
        if (!text_whole(text_cut(&line, '\t'), &record[length++]))
            return input_wrong(l->input, err, "the number of a rule, then numbers of strings");
    uint64_t key;
    for (uint32_t i = 1; i < length; i++)
        if (record[i] == 0 || record[i] > l->model->vocabulary.strings.table.count)
            return input_wrong(l->input, err, "numbers of strings that were listed before");
    if (line.length || !tag_feature_key(&l->model->templates, edge, record, length, &key))
        return input_wrong(l->input, err, "a rule of the template, and as many strings as it looks at");
    const struct space *space = &l->model->layer[0].space;
    if (before >= (edge ? space->edges : space->nodes))
        return input_wrong(l->input, err, "no more features than the header counts");
    uint32_t feature = feature_index_add(index, key, record, length, err);
    if (feature == NO_FEATURE)
        return false;
    if (feature != before)
        return input_wrong(l->input, err, "a feature that was not there before");
    l->current = &l->model->layer[0];
    l->at = space_block(space, edge, feature);
    l->width = space_block_width(space, edge);
    return true;
}

static bool load_block(struct loading *l, struct text line, struct vouch_error *err)
{
    struct text name = text_cut(&line, '\t');
    uint32_t layer = 0, number;
    bool first = text_is(name, "first") && model_has_first(l->model);
    if (!(first || (text_whole(name, &layer) && layer < l->model->layers)) ||
        !text_whole(text_cut(&line, '\t'), &number) || line.length)
        return input_wrong(l->input, err, "the numbers of a layer and of a block in it");
    struct model_layer *current = first ? &l->model->first : &l->model->layer[layer];
    if (number >= current->space.nodes)
        return input_wrong(l->input, err, "the numbers of a layer and of a block in it");
    l->current = current;
    l->at = space_node(&current->space, number);
    l->width = current->space.width;
    return true;
}

/* Turns from the weights of a tagger's feature to those of its first stage. */
static bool load_first(struct loading *l, struct vouch_error *err)
{
    if (l->model->trees || !model_has_first(l->model) || !l->width)
        return input_wrong(l->input, err, "a header with a first stage, and a feature before");
    l->current = &l->model->first;
    return true;
}

static bool load_weights(struct loading *l, bool mean, struct text kind, struct text line, struct vouch_error *err)
{
    uint32_t v = (uint32_t)(kind.at[kind.length - 1] - '0');
    const struct model_voice *voice = v < MAX_VOICES && l->width ? &l->current->voice[v] : NULL;
    float *array = !voice ? NULL : mean ? voice->own_mean : voice->own_var;
    if (!array)
        return input_wrong(l->input, err, "weights of a voice of the header, after a feature");
    for (size_t j = 0; j < l->width; j++) {
        double weight;
        if (!parse_real(text_cut(&line, '\t'), &weight) || fabs(weight) > FLT_MAX)
            return input_wrong(l->input, err, "one finite number for every label");
        array[l->at + j] = (float)weight;
    }
    return line.length == 0 || input_wrong(l->input, err, "one finite number for every label");
}

/* Parses sixteen hexadecimal digits. */
static bool parse_digest(struct text field, uint64_t *digest)
{
    *digest = 0;
    for (uint32_t i = 0; i < field.length; i++) {
        char c = field.at[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0)
            return false;
        *digest = *digest << 4 | (uint64_t)digit;
    }
    return field.length == 16;
}

static bool load_word(struct loading *l, struct text line, struct vouch_error *err)
{
    uint32_t layer;
    uint64_t slot;
    if (!text_whole(text_cut(&line, '\t'), &layer) || layer >= l->model->layers || !parse_digest(line, &slot) || !slot)
        return input_wrong(l->input, err, "the number of a layer, and 16 hexadecimal digits");
    return answer_counts_add_slot(&l->model->layer[layer].counts, slot, err);
}

static bool load_seen(struct loading *l, struct text line, struct vouch_error *err)
{
    uint64_t digest;
    if (!parse_digest(line, &digest) || (l->seen.count && digest <= l->seen.digest[l->seen.count - 1]))
        return input_wrong(l->input, err, "a digest of 16 hexadecimal digits, larger than the one before");
    return digest_set_add(&l->seen, digest, err);
}

static bool load_line(struct loading *l, struct text line, bool *ended, struct vouch_error *err)
{
    struct text kind = text_cut(&line, '\t');
    if (text_is(kind, "header") && !l->model)
        return load_header(l, line, err);
    if (!l->model)
        return input_wrong(l->input, err, "a header in JSON");
    if (model_lacks_weights(l->model) && !text_is(kind, "end"))
        return input_wrong(l->input, err, "end: a model without weights has nothing else");
    if (text_is(kind, "class"))
        return load_class(l, line, err);
    if (text_is(kind, "string"))
        return load_string(l, line, err);
    if (text_is(kind, "node") || text_is(kind, "edge"))
        return load_feature(l, line, text_is(kind, "edge"), err);
    if (text_is(kind, "block"))
        return load_block(l, line, err);
    if (text_is(kind, "first") && !line.length)
        return load_first(l, err);
    if (kind.length == 6 && text_starts(kind, "mean."))
        return load_weights(l, true, kind, line, err);
    if (kind.length == 5 && text_starts(kind, "var."))
        return load_weights(l, false, kind, line, err);
    if (text_is(kind, "word"))
        return load_word(l, line, err);
    if (text_is(kind, "seen"))
        return load_seen(l, line, err);
    *ended = text_is(kind, "end");
    return *ended ||
           input_wrong(l->input, err, "class, string, node, edge, block, first, mean.N, var.N, word, seen or end");
}

/* Checks that the features of a tagger are those that the header counts. */
static bool check_features(const struct loading *l, struct vouch_error *err)
{
    const struct vocabulary *v = &l->model->vocabulary;
    const struct space *space = &l->model->layer[0].space;
    json_int_t strings = json_integer_value(json_object_get(l->model->header, "strings"));
    if (feature_index_count(&v->node) != space->nodes || feature_index_count(&v->edge) != space->edges ||
        v->strings.table.count != strings)
        return input_wrong(l->input, err, "as many strings and features as the header counts");
    return tag_vectors_fit(&l->model->templates, &v->node) ||
           input_wrong(l->input, err, "components of vectors as the first features, in their order");
}

static bool load_lines(struct loading *l, struct vouch_error *err)
{
    struct text line;
    int more = input_line(l->input, &line, err);
    bool ended = false;
    if (more == 1 && !text_is(line, "vouch-dump\t2"))
        return input_wrong(l->input, err, "'vouch-dump' and the format's version 2");
    while (more == 1 && !ended && (more = input_line(l->input, &line, err)) == 1)
        if (!load_line(l, line, &ended, err))
            return false;
    if (more < 0)
        return false;
    if (!ended)
        return input_wrong(l->input, err, "a last line 'end': the text is cut off");
    const struct vouch_model *model = l->model;
    if (model_lacks_weights(model))
        return true;
    if (!model->trees && (!check_features(l, err) || !close_lexicons(l, err)))
        return false;
    json_int_t seen = json_integer_value(json_object_get(model->header, "seen"));
    return (json_int_t)l->seen.count == seen ||
           input_wrong(l->input, err, "as many digests of sentences as the header counts");
}

static void round_layer(const struct model_layer *layer)
{
    size_t size = space_size(&layer->space);
    for (uint32_t v = 0; v < layer->voices; v++) {
        weights_round(&(struct weight_array){WEIGHT_MEAN, size, layer->space.width}, layer->voice[v].own_mean);
        if (layer->voice[v].var)
            weights_round(&(struct weight_array){WEIGHT_VARIANCE, size, 1}, layer->voice[v].own_var);
    }
}

/* Closes counts and rounds weights, as training does; those of a text that was not edited stay as they are. */
static bool finish(struct vouch_model *model, struct vouch_error *err)
{
    for (uint32_t i = 0; i < model->layers && !model_lacks_weights(model); i++) {
        if (!answer_counts_close(&model->layer[i].counts, err))
            return false;
        round_layer(&model->layer[i]);
    }
    round_layer(&model->first);
    return true;
}

bool model_load(const char *path, struct output *out, struct vouch_error *err)
{
    struct loading l = {.input = input_open(path, err)};
    bool ok = l.input && load_lines(&l, err) && finish(l.model, err);
    if (ok) {
        l.model->seen = l.seen;
        ok = model_write_again(out, l.model, l.model->header, err);
    }
    vouch_model_close(l.model);
    free(l.unescaped);
    digest_set_release(&l.seen);
    input_close(l.input);
    return ok;
}
