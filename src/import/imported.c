/*
 * Makes a vouch model of what was read from another program's model: see import.h.
 *
 * A table has the reader of each program; everything after reading is the same for all. Weights are rounded here by the
 * largest of them, so that the usual rounding of a model, which is coarser, leaves them alone. Time: in proportion to
 * the weights.
 */
#include "import/import.h"

#include "model/confidence_model.h"

#include "vouch_version.h"

#include <math.h>
#include <stdio.h>

enum { KEPT_BITS = 24, LOWEST_EXPONENT = -149 };

bool foreign_templates(struct foreign *foreign, const char *name, struct vouch_error *err)
{
    size_t size = strlen(name) + sizeof ": template";
    char *place = new_array(size, 1, err);
    if (!place)
        return false;
    snprintf(place, size, "%s: template", name);
    foreign->template = foreign->own_template.bytes ? foreign->own_template.bytes : "";
    bool ok = templates_parse(&foreign->templates, &(struct template_source){foreign->template, place, NULL}, err);
    free(place);
    return ok;
}

bool foreign_weights(struct foreign *foreign, struct vouch_error *err)
{
    foreign->space = (struct space){.width = labels_count(&foreign->labels),
                                    .nodes = feature_index_count(&foreign->vocabulary.node),
                                    .edges = feature_index_count(&foreign->vocabulary.edge)};
    foreign->mean = new_array(space_size(&foreign->space) + SLACK, sizeof *foreign->mean, err);
    return foreign->mean != NULL;
}

bool foreign_label(struct foreign *foreign, struct text label, const char *name, struct vouch_error *err)
{
    uint32_t before = labels_count(&foreign->labels);
    bool one_cell = label.length > 0;
    for (uint32_t i = 0; i < label.length; i++)
        one_cell = one_cell && label.at[i] != '\t' && label.at[i] != '\n' && label.at[i] != '\r' && label.at[i];
    if (!one_cell || utf8_check(label.at, label.length) != label.length ||
        dictionary_find(&foreign->labels.names, label))
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: label %u: expected a new name in UTF-8 that is not empty, without tabs and line ends", name,
                    before + 1);
    return dictionary_add(&foreign->labels.names, label, err) != 0;
}

/* Finds in which scheme the labels spell chunks, unless it is given, and fixes their spelling. */
static bool close_labels(struct tag_labels *labels, const char *scheme, struct vouch_error *err)
{
    uint32_t count = labels_count(labels);
    struct text *name = new_array(count, sizeof *name, err);
    if (!name)
        return false;
    for (uint32_t y = 0; y < count; y++)
        name[y] = labels_name(labels, y);
    labels->inner = scheme_of_labels(name, count);
    free(name);
    if (scheme && !scheme_named(scheme, &labels->inner))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a scheme, " SCHEME_NAMES ", found '%.60s'", scheme);
    labels->outer = labels->inner;
    return labels_close(labels, err);
}

/*
 * Rounds to multiples of 2^(t - 24), where 2^t is the smallest power of two above all weights: the largest weights stay
 * the floats that they are, and weights_round() leaves all of them alone.
 */
static void round_to_largest(float *weight, size_t size)
{
    float most = 0;
    for (size_t i = 0; i < size; i++)
        most = fabsf(weight[i]) > most ? fabsf(weight[i]) : most;
    if (most == 0)
        return;
    int exponent = ilogbf(most) + 1 - KEPT_BITS;
    double unit = ldexp(1, exponent > LOWEST_EXPONENT ? exponent : LOWEST_EXPONENT);
    for (size_t i = 0; i < size; i++)
        weight[i] = (float)(rint(weight[i] / unit) * unit);
}

/* Describes where the model came from, and that its scores are log-probabilities as they are: c = 1. */
static json_t *describe(const char *from)
{
    json_t *confidence =
        json_pack("{s:i, s:i, s:{s:{s:{s:o}, s:{}}}}", "form", CONFIDENCE_MODEL_FORM, "seed", 1, "layers", "label",
                  "parameters", "crf", method_params_json(&default_method_params), "methods");
    return json_pack("{s:s, s:s, s:s, s:o}", "program", "vouch", "version", VOUCH_VERSION, "imported", from,
                     "confidence", confidence);
}

static bool write_foreign(struct foreign *foreign, const struct foreign_kind *kind, struct output *out,
                          struct vouch_error *err)
{
    if (!close_labels(&foreign->labels, kind->scheme, err))
        return false;
    round_to_largest(foreign->mean, space_size(&foreign->space));
    struct model_layer layer = {
        .name = "label", .space = foreign->space, .voice = {{.name = "crf", .mean = foreign->mean}}, .voices = 1};
    struct model_content content = {.header = describe(kind->program),
                                    .task = foreign->labels.inner == SCHEME_NONE ? "pos" : "chunk",
                                    .template = foreign->template,
                                    .labels = &foreign->labels,
                                    .vocabulary = &foreign->vocabulary,
                                    .layer = &layer,
                                    .layers = 1};
    bool ok = content.header ? model_write(out, &content, err) : fail_memory(err);
    json_decref(content.header);
    return ok;
}

/* The programs whose models can be read. */
static const struct program {
    const char *name;
    bool (*read)(struct foreign *foreign, const char *path, struct vouch_error *err);
} programs[] = {{"crfsuite", crfsuite_model_read}, {"crfpp", crfpp_model_read}, {"wapiti", wapiti_model_read}};

bool import_write(const struct foreign_kind *kind, const char *path, struct output *out, struct vouch_error *err)
{
    const struct program *program = NULL;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, kind->program) == 0)
            program = &programs[i];
    if (!program)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a program whose models can be read, %s, found '%.60s'",
                    IMPORT_PROGRAMS, kind->program);
    struct foreign foreign = {0};
    bool ok = program->read(&foreign, path, err) && write_foreign(&foreign, kind, out, err);
    labels_release(&foreign.labels);
    templates_release(&foreign.templates);
    vocabulary_release(&foreign.vocabulary);
    free(foreign.own_template.bytes);
    free(foreign.mean);
    return ok;
}
