/* Implements vouch info, dump and load: what is in a model, as text, and back. */
#include "cli/cli.h"

#include "model/confidence_model.h"
#include "model/model.h"
#include "options/rows.h"
#include "answer/operating_point.h"

#include <math.h>
#include <stdio.h>

struct info_options {
    struct options common;
    const char *model, *output;
    bool verify, show_template, json;
};
static const struct info_options usual = {.common = USUAL_COMMON};
#define OPTIONS struct info_options

static const struct option_spec info_rows[] = {
    OPTION_MODEL,
    FLAG("verify", 0, verify, OPTION_MATTERS, "say that all checksums match, and print the digest"),
    FLAG("show-template", 0, show_template, OPTION_OF_PROGRAM, "print only the feature template"),
    OPTION_JSON,
    OPTION_HELP,
    {0},
};

static const struct option_spec dump_rows[] = {
    OPTION_MODEL,
    OPTION_OUTPUT,
    OPTION_HELP,
    {0},
};

static const struct option_spec load_rows[] = {
    OPTION_OUTPUT_WITH("the model file to write"),
    OPTION_HELP,
    {0},
};

static const struct option_rule one_model[] = {
    {NULL, "model file", "files", "expected one model"},
    {"model", NULL, "file", "expected one model"},
    {0},
};

static const struct option_rule load_rules[] = {
    {NULL, "output", NULL, "expected -o MODEL, the file to write"},
    {NULL, NULL, "files", "expected one text, found %s"},
    {0},
};

static const char *model_path(const struct info_options *settings)
{
    return settings->model ? settings->model : settings->common.argument[0];
}

/* Returns the text under `key`, or "?": a header made by hand may lack it. */
static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "?";
}

static void print_labels(const struct vouch_model *model)
{
    printf("labels      %zu:", vouch_model_label_count(model));
    for (size_t i = 0; i < vouch_model_label_count(model); i++)
        showf(stdout, " %s", vouch_model_label_name(model, i));
    putchar('\n');
}

/* Prints the voices of a layer; `several`: of one of several layers. */
static void print_layer(const struct vouch_model *model, const struct model_layer *layer, bool several)
{
    const json_t *parameters = json_object_get(model->header, "parameters");
    for (uint32_t i = 0; i < layer->voices; i++) {
        const json_t *record = json_object_get(json_object_get(parameters, layer->name), layer->voice[i].name);
        char *text = json_dumps(record, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(6) | JSON_ENCODE_ANY);
        showf(stdout, "voice       %s%s%s%s %s\n", layer->voice[i].name, several ? ", " : "",
              several ? layer->name : "", layer->voice[i].var ? " (mean and variance)" : "", text ? text : "");
        free(text);
    }
}

static void print_voices(const struct vouch_model *model)
{
    bool several = model->layers > 1 || model_has_first(model);
    print_layer(model, &model->first, several);
    for (uint32_t l = 0; l < model->layers; l++)
        print_layer(model, &model->layer[l], several);
}

/* Prints what a model without weights expects of its scores. */
static void print_scores(const struct vouch_model *model)
{
    const json_t *header = model->header, *arcs = json_object_get(header, "arcs");
    const json_t *edges = json_object_get(header, "transitions");
    uint32_t sets = model->layer[0].voice[0].sets;
    if (!model->trees)
        printf("scheme      %s%s\n", scheme_name(model->labels.outer),
               json_is_true(json_object_get(header, "constraints")) ? ", whose constraints hold" : "");
    printf("scores      of another program, by --scores; %u set%s", sets, sets == 1 ? "" : "s");
    if (arcs)
        showf(stdout, "; arcs %s, root %s", text_at(arcs, "order"), text_at(arcs, "root"));
    printf("%s%s\n", json_is_true(json_object_get(header, "padded")) ? "; padded" : "",
           json_is_array(edges) ? "; transitions are kept"
           : edges              ? "; transitions come with the scores"
                                : "");
}

static void print_vectors(const struct vector_shape *vectors)
{
    if (vectors->D == 0)
        return;
    printf("vectors     of %u numbers, times %.6g", vectors->D, (double)vectors->scale);
    if (vectors->window)
        printf("; of %u neighbour%s on either side, too", vectors->window, vectors->window > 1 ? "s" : "");
    if (vectors->digest)
        printf("; from a table with the digest %016llx", (unsigned long long)vectors->digest);
    putchar('\n');
}

static void print_lexicons(const struct lexicons *lexicons)
{
    for (uint32_t i = 0; i < lexicons->count; i++) {
        const struct lexicon *x = &lexicons->item[i];
        printf("lexicon     %s: %u entries, %u column%s of classes\n", x->name, lexicon_entries(x), x->columns,
               s_if_many(x->columns));
        showf(stdout, "            source: %s\n            licence: %s\n", x->source ? x->source : "not stated",
              x->licence ? x->licence : "not stated");
    }
}

static void print_features(const struct vouch_model *model)
{
    if (model->trees) {
        if (model_has_first(model))
            showf(stdout, "features    %s: version %d, hashed into 2^%u blocks of 1\n", model->first.name, ARC_FEATURES,
                  model->first_bits);
        for (uint32_t l = 0; l < model->layers; l++)
            showf(stdout, "features    %s: version %d, hashed into 2^%u blocks of %u\n", model->layer[l].name,
                  ARC_FEATURES, model->bits[l], model->layer[l].space.width);
        return;
    }
    printf("scheme      %s, learned as %s%s\n", scheme_name(model->labels.outer), scheme_name(model->labels.inner),
           model->transitions.allowed ? "; answers keep to it" : "");
    size_t columns = vouch_model_columns(model);
    printf("features    %u of words, %u of label pairs, %u strings; reads %zu column%s\n", model->layer[0].space.nodes,
           model->layer[0].space.edges, model->vocabulary.strings.table.count, columns, columns == 1 ? "" : "s");
    print_vectors(&model->templates.vectors);
    if (model->context.sentences)
        printf("context     %u sentence%s before and after: what the first stage calls the same words\n",
               model->context.sentences, s_if_many(model->context.sentences));
    print_lexicons(&model->lexicons);
}

/* Prints the model that training went on from, if any. */
static void print_from(const struct vouch_model *model)
{
    const json_t *from = json_object_get(model->header, "from"), *training = json_object_get(model->header, "training");
    if (from)
        showf(stdout, "went on     from %s, digest %s; %lld sentences in all, in %zu trainings\n",
              text_at(from, "file"), text_at(from, "digest"),
              (long long)json_integer_value(json_object_get(training, "in_all")),
              json_array_size(json_object_get(from, "history")) + 1);
}

/* Prints the thresholds of a point that has one for each group. */
static void print_groups(const struct operating_point *p)
{
    const char *name;
    json_t *group;
    showf(stdout, "point       by %s%s, a threshold for each %s%s: precision %.2f%%, recall %.2f%%, F1 %.2f of %s\n",
          p->method, p->raw ? " (raw)" : "", p->column ? "value of a column" : "type",
          p->by_words ? ", word by word" : "", p->rates.precision, p->rates.recall, p->rates.f1,
          trade_unit_names[p->unit]);
    json_object_foreach(p->group, name, group)
    {
        const json_t *threshold = json_object_get(group, "threshold");
        if (json_is_null(threshold))
            showf(stdout, "            %s: becomes O\n", name);
        else
            showf(stdout, "            %s: towards %s, threshold %.9g\n", name, text_at(group, "direction"),
                  json_number_value(threshold));
    }
}

/* Prints how models are drawn for the methods that need some, if the confidence was calibrated with such draws. */
static void print_draws(const struct vouch_model *model)
{
    for (uint32_t l = 0; l < model->layers; l++) {
        struct method_params params[MAX_VOICES];
        struct vouch_error err = {0};
        bool known;
        if (!confidence_model_params(model, l, params, &known, &err) || !known)
            continue;
        printf("draws       %s%s%u models, %s\n", model->layers > 1 ? model->layer[l].name : "",
               model->layers > 1 ? ": " : "", params[0].draws,
               params[0].plain ? "plain: independent, the same for all sentences"
                               : "in pairs of opposite noise, for every sentence anew");
    }
}

/* Prints the operating point of vouch tag --operating-point, if there is one. */
static void print_point(const struct vouch_model *model)
{
    struct operating_point p;
    struct vouch_error err = {0};
    bool known;
    if (!operating_point_read(model->header, &p, &known, model->file.name, &err)) {
        showf(stdout, "point       %s\n", err.message);
        return;
    }
    if (!known)
        return;
    if (p.group)
        print_groups(&p);
    else
        showf(stdout,
              "point       towards %s by %s%s, threshold %.9g%s%s: precision %.2f%%, recall %.2f%%, F1 %.2f of %s\n",
              direction_names[p.direction], p.method, p.raw ? " (raw)" : "", p.threshold,
              p.by_words ? ", word by word" : "", p.merge_types ? ", types merged" : "", p.rates.precision,
              p.rates.recall, p.rates.f1, trade_unit_names[p.unit]);
    if (p.guarantee > 0)
        printf("            guaranteed: %s of at least %.2f%% with a probability of %.9g%s\n",
               direction_names[p.wanted], p.target, p.guarantee, p.group ? ", for each by itself" : "");
    if (isfinite(p.low))
        printf("            90 %% interval of the %s: %.2f%% to %.2f%%; " POINT_ASSUMES "\n", direction_names[p.wanted],
               p.low, p.high);
}

/* Prints the coverage of vouch tag --sets, if there is one. */
static void print_coverage(const struct vouch_model *model)
{
    struct coverage_model c;
    struct vouch_error err = {0};
    if (!coverage_model_read(&c, model->header, model->file.name, &err))
        showf(stdout, "coverage    %s\n", err.message);
    else if (c.known)
        showf(stdout, "coverage    %.9g by %s: sets of choices with a probability of at least %.6g%s\n", c.target,
              c.method, c.least.of[COVERED_WORDS],
              c.has[COVERED_CHUNKS]      ? ", and readings of chunks"
              : c.has[COVERED_RELATIONS] ? ", and relations"
                                         : "");
    for (enum covered what = COVERED_CHUNKS; c.known && what < COVERED; what++)
        if (c.has[what])
            printf("            with at least %.6g; see vouch-tune(1) for what they promise\n", c.least.of[what]);
    for (enum covered what = 0; c.known && what < COVERED; what++)
        if (c.least.by_label[what])
            printf("            %zu labels of %s have thresholds of their own\n",
                   json_object_size(c.least.by_label[what]), covered_names[what]);
}

/* Prints what the model learned from, or which program did the learning. */
static void print_training(const struct vouch_model *model)
{
    const json_t *training = json_object_get(model->header, "training");
    if (json_object_get(model->header, "imported")) {
        showf(stdout, "imported    from %s\n", text_at(model->header, "imported"));
        return;
    }
    const json_t *labelled = json_object_get(training, "labelled");
    char part[60] = "";
    if (labelled)
        snprintf(part, sizeof part, ", %lld of them labelled", (long long)json_integer_value(labelled));
    showf(stdout, "trained on  %lld sentences, %lld words%s, digest %s\n",
          (long long)json_integer_value(json_object_get(training, "sentences")),
          (long long)json_integer_value(json_object_get(training, "words")), part, text_at(training, "digest"));
    print_from(model);
    printf("remembers   %zu different sentences\n", model->seen.count);
    printf("passes      %lld, seed %lld%s\n", (long long)json_integer_value(json_object_get(model->header, "passes")),
           (long long)json_integer_value(json_object_get(model->header, "seed")),
           json_is_true(json_object_get(model->header, "interrupted")) ? "; interrupted before the last" : "");
}

static void print_info(const struct vouch_model *model)
{
    showf(stdout, "task        %s\n", model->task);
    if (vouch_model_label_count(model) > 0)
        print_labels(model);
    if (model_lacks_weights(model))
        print_scores(model);
    else {
        print_features(model);
        print_voices(model);
        print_training(model);
    }
    print_draws(model);
    print_point(model);
    print_coverage(model);
    if (!json_object_get(model->header, "imported"))
        showf(stdout, "command     %s\n", text_at(model->header, "command"));
    showf(stdout, "written by  vouch %s\n", text_at(model->header, "version"));
    printf("file        %llu bytes\n", (unsigned long long)model->file.size);
}

/*
 * Counts the known features of words; for a parser, whose features are hashed, the weights of arcs that are not zero.
 */
static size_t count_features(const struct vouch_model *model)
{
    const struct model_layer *layer = &model->layer[0];
    if (!model->trees)
        return layer->space.nodes;
    size_t used = 0;
    for (size_t i = 0; i < space_size(&layer->space); i++)
        used += layer->voice[0].mean[i] != 0;
    return used;
}

static void print_json(const struct vouch_model *model)
{
    json_t *header = json_copy(model->header);
    json_object_set_new(header, "features", json_integer((json_int_t)count_features(model)));
    show_json(header, 9);
}

static int info(void *options, struct vouch_error *err)
{
    struct info_options *settings = options;
    vouch_model *model = vouch_model_open(model_path(settings), err);
    if (!model)
        return EXIT_FAILED;
    int status = EXIT_DONE;
    if (settings->verify && vouch_model_verify(model, err) != VOUCH_OK)
        status = EXIT_FAILED;
    else if (settings->show_template)
        fputs(text_at(model->header, "template"), stdout);
    else if (settings->json)
        print_json(model);
    else {
        print_info(model);
        if (settings->verify)
            printf("digest      %016llx\nchecksums   all match\n", (unsigned long long)model_file_digest(&model->file));
    }
    vouch_model_close(model);
    return status;
}

static int dump(void *options, struct vouch_error *err)
{
    struct info_options *settings = options;
    if (!saving_possible(settings, err))
        return EXIT_FAILED;
    vouch_model *model = vouch_model_open(model_path(settings), err);
    struct output *out = model ? output_open(settings->output, err) : NULL;
    bool ok = out && model_dump(model, out, err);
    ok = output_close(out, ok, err);
    vouch_model_close(model);
    return done_if(ok);
}

static int load(void *options, struct vouch_error *err)
{
    struct info_options *settings = options;
    struct output *out = saving_possible(settings, err) ? output_open(settings->output, err) : NULL;
    bool ok = out && model_load(settings->common.arguments ? settings->common.argument[0] : NULL, out, err);
    ok = output_close(out, ok, err);
    return done_if(ok);
}

static const struct option_table info_table = {"info", info_rows, &usual, sizeof usual, NULL, one_model};

const struct command info_command = {
    .name = "info",
    .arguments = "MODEL",
    .summary = "say what is in a model and where it came from",
    .about = "Prints a model's task, labels, features, voices with their parameters, and provenance: the command line, "
             "the seed, the training data's size and digest.",
    .example = "  vouch info ner.vouch\n",
    .table = &info_table,
    .run = info,
};

static const struct option_table dump_table = {"dump", dump_rows, &usual, sizeof usual, NULL, one_model};

const struct command dump_command = {
    .name = "dump",
    .arguments = "MODEL",
    .summary = "print a model as text",
    .about = "Prints every string, feature and weight of a model as lines of text, with floats in hexadecimal: nothing "
             "is lost, and 'vouch load' makes the same model again, byte for byte. vouch-model(5) describes the lines.",
    .example = "  vouch dump ner.vouch | less\n",
    .table = &dump_table,
    .run = dump,
};

static const struct option_table load_table = {"load", load_rows, &usual, sizeof usual, NULL, load_rules};

const struct command load_command = {
    .name = "load",
    .arguments = "-o MODEL [TEXT]",
    .summary = "make a model from the text that dump prints",
    .about = "Reads what 'vouch dump' printed (standard input if TEXT is not given) and writes the model that it "
             "describes.",
    .example = "  vouch dump ner.vouch | vouch load -o same.vouch\n",
    .table = &load_table,
    .run = load,
};
