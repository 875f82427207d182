/*
 * Implements vouch tune: calibrates a model's confidence on labelled files that
 * it has not learned from, and keeps the result in a model's header if it is asked to.
 */
#include "cli/shared.h"

#include "base/watch.h"
#include "scores/score_files.h"
#include "tune/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_number(double x, int width, int digits)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f", width, digits, x);
}

static void print_voices(const struct model_layer *layer, const struct confidence_model *b)
{
    printf("%-20s %8s %8s %8s %8s %8s\n", "voice", "s (fix)", "s (pc)", "K", "K best", "c");
    for (uint32_t v = 0; v < layer->voices; v++) {
        const struct method_params *k = &b->params[v];
        printf("%-20s %8.3g ", layer->voice[v].name, k->fix);
        if (layer->voice[v].var)
            printf("%8.3g", k->pc);
        else
            printf("%8s", "-");
        printf(" %8u %8u %8.3g\n", k->draws, k->best, k->c);
    }
}

void calibration_print(const struct model_layer *layer, const struct confidence_model *b, uint64_t words)
{
    const double *any = b->method_model[0].figure[UNIT_WORD];
    printf("%s: %.0f words, %.0f wrong\n", layer->name, any[FIGURE_COUNT], any[FIGURE_ERRORS]);
    if (any[FIGURE_COUNT] < (double)words)
        printf("these are the first of %llu words: the parameters are tried, and the methods fitted, on so many, to "
               "save time\n",
               (unsigned long long)words);
    putchar('\n');
    print_voices(layer, b);
    printf("\n%-20s %17s %11s %17s\n", "method", "average precision", "AURC x 1000", "held-out log loss");
    for (uint32_t i = 0; i < b->count; i++) {
        const double *figure = b->method_model[i].figure[UNIT_WORD];
        showf(stdout, "%-20s ", b->method_model[i].name);
        print_number(figure[FIGURE_AP], 17, 4);
        print_number(1000 * figure[FIGURE_AURC], 12, 2);
        print_number(figure[FIGURE_LOSS], 18, 5);
        printf("%s\n", i == b->preferred ? "  preferred" : "");
    }
}

static json_t *layer_json(const json_t *kept)
{
    json_t *methods_found = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(kept, "methods"), name, value)
    {
        json_t *evidence = json_object_get(value, "evidence");
        json_object_set_new(methods_found, name, evidence ? json_incref(evidence) : json_object());
    }
    return json_pack("{s:O, s:O, s:o}", "parameters", json_object_get(kept, "parameters"), "preferred",
                     json_object_get(kept, "preferred"), "methods", methods_found);
}

void calibration_print_json(const json_t *found, uint32_t sentences, size_t words)
{
    json_t *layers = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(found, "layers"), name, value)
    {
        json_object_set_new(layers, name, layer_json(value));
    }
    show_json(
        json_pack("{s:I, s:I, s:o}", "sentences", (json_int_t)sentences, "words", (json_int_t)words, "layers", layers),
        6);
}

/* Returns where the tuned model goes; NULL: it is not kept. */
static const char *target(const struct tune_options *s)
{
    return s->in_place ? s->model : s->output;
}

bool save_again(const struct vouch_model *model, json_t *header, const char *path, struct vouch_error *err)
{
    struct output *out = saving_whole(err) ? output_open(path, err) : NULL;
    return output_close(out, out && model_write_again(out, model, header, err), err);
}

static void print_findings(const struct tune_options *s, const struct vouch_model *model,
                           const struct tuning_result *result)
{
    const struct dataset *dataset = &result->corpus.dataset;
    if (s->json)
        calibration_print_json(result->found.json, dataset->layer[0].dev.count, dataset_words(dataset, true));
    for (uint32_t l = 0; !s->json && l < model->layers; l++) {
        if (l)
            putchar('\n');
        calibration_print(&model->layer[l], &result->found.model[l], 0);
    }
}

static bool find_out(const struct tuning_plan *plan, const struct vouch_model *model, struct tuning_result *result,
                     struct vouch_error *err)
{
    const struct vouch_watch *watch = plan->options->common.work.watch;
    bool ok = tuning_read(plan, model, watch, result, err);
    if (ok)
        interrupt_catch(); /* a Ctrl-C before this needs no handling */
    ok = ok && tuning_run(plan, model, watch, result, err);
    progress_clear(&plan->options->common);
    const char *kept = target(plan->options);
    ok = ok && (!kept || save_again(model, result->header, kept, err));
    if (ok && kept && result->point_gone && !plan->options->common.quiet)
        showf(stderr,
              "the operating point was removed, since confidence has changed: choose it again with vouch trade\n");
    if (ok && kept && result->coverage_gone && !plan->options->common.quiet)
        showf(stderr, "the thresholds of sets were removed, since confidence has changed: find them again with "
                      "--coverage\n");
    if (ok) {
        print_findings(plan->options, model, result);
        fflush(stdout);
    }
    for (uint32_t l = 0; ok && l < model->layers; l++)
        warn_of_few_errors(watch, model->layer[l].name, &result->found.model[l]);
    return ok;
}

/* Returns the width of the names of all groups. */
static int group_width(const struct covering *c)
{
    int width = 12;
    for (enum covered what = 0; what < COVERED; what++)
        for (uint32_t g = 0; g < c->groups[what]; g++) {
            int more = name_width(covered_group_name(c, what, g));
            width = more > width ? more : width;
        }
    return width;
}

static void print_group(const struct covering *c, enum covered what, uint32_t g)
{
    const struct covered_group *group = &c->group[what][g];
    struct text name = covered_group_name(c, what, g);
    char others[32];
    if (!group->label && g > 0) {
        snprintf(others, sizeof others, "%u others", group->labels);
        name = text_of(others);
    }
    printf("%-10s", g == 0 ? covered_name(what, c->model->trees) : "");
    if (c->options->by) {
        putchar(' ');
        show_name(stdout, name, group_width(c));
    }
    printf(" %9u %9llu %9llu ", group->units, (unsigned long long)group->count, (unsigned long long)group->wrong);
    if (isnan(group->threshold))
        printf("%11s  too many are unknown to the model: no sets\n", "-");
    else
        printf("%11.6g\n", group->threshold);
}

static void print_guarantee(const struct covering *c)
{
    const struct options *common = &c->options->common;
    char source[600], guarantee[1600];
    snprintf(source, sizeof source, "%.500s%s", common->argument[0],
             common->arguments > 1 ? " and the other files" : "");
    covering_guarantee(c, source, guarantee, sizeof guarantee);
    showf(stdout, "\n%s%s\n", guarantee,
          covering_by_label(c) ? "; the row 'all' has what one threshold for all would be" : "");
}

static void print_covering(const struct covering *c)
{
    bool documents = has_documents(&c->text.documents);
    showf(stdout, "sets of choices by %s, for a coverage of %.9g%s", c->found.method, c->found.target,
          c->options->by ? " of every label" : "");
    if (documents)
        printf(", by %u documents", c->text.documents.documents);
    printf("\n\n%-10s", "");
    if (c->options->by)
        printf(" %-*s", group_width(c), "label");
    printf(" %9s %9s %9s %11s\n", documents ? "documents" : "sentences", "of", "wrong", "threshold");
    for (enum covered what = 0; what < COVERED; what++)
        for (uint32_t g = 0; g < c->groups[what]; g++)
            print_group(c, what, g);
    print_guarantee(c);
}

/* Says how to keep what was found. */
static void say_unkept(const struct tune_options *s, const char *found)
{
    fflush(stdout);
    if (!s->common.quiet)
        showf(stderr, "the model is as it was: -o FILE, or --in-place, keeps %s in a model\n", found);
}

/* Runs vouch tune --coverage: finds how large sets must be; the confidence stays as it is. */
static int run_covering(const struct tune_options *s, struct vouch_error *err)
{
    struct score_files *files = NULL;
    vouch_model *model =
        saving_model_possible(target(s), s, err) ? open_with_scores(s->model, &s->source, &files, err) : NULL;
    struct covering c = {.options = s, .model = model, .scores = files, .watch = s->common.work.watch};
    interrupt_catch();
    bool ok = model && covering_run(&c, err) && (!target(s) || save_again(model, c.header, target(s), err));
    json_t *json = ok && s->json ? covering_json(&c) : NULL;
    ok = ok && (json || !s->json || fail_memory(err));
    if (json)
        show_json(json, 6);
    else if (ok)
        print_covering(&c);
    if (ok && !target(s))
        say_unkept(s, "the thresholds");
    else if (ok && !s->common.quiet) {
        fflush(stdout);
        showf(stderr, "wrote %s: 'vouch %s -m %s%s --sets' writes the sets\n", target(s),
              model->trees ? "parse" : "tag", target(s), s->source.scores ? " --scores FILE" : "");
    }
    covering_release(&c);
    score_files_free(files);
    vouch_model_close(model);
    return done_if(ok);
}

/* Fails for a model without weights, whose methods have other values to try. */
static bool has_weights(const struct vouch_model *model, struct vouch_error *err)
{
    return !model_lacks_weights(model) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "%s: this model has no weights: expected --coverage, or 'vouch judge -m MODEL --scores FILE --gold "
                "FILE' to calibrate it anew",
                model->file.name);
}

static int run_tuning(const struct tuning_plan *plan, struct vouch_error *err)
{
    const struct tune_options *s = plan->options;
    struct tuning_result result = {0};
    double started = seconds_now();
    vouch_model *model = saving_model_possible(target(s), s, err) ? vouch_model_open(s->model, err) : NULL;
    struct score_files *none = NULL; /* which is checked */
    bool ok = model && has_weights(model, err) && score_files_open_for(model, &s->source, &none, err) &&
              find_out(plan, model, &result, err);
    if (ok && !target(s))
        say_unkept(s, "what was found");
    else if (ok && !s->common.quiet)
        showf(stderr, "wrote %s, %.1f s\n", target(s), seconds_now() - started);
    tuning_result_release(&result);
    vouch_model_close(model);
    return done_if(ok);
}

static int tune(void *options, struct vouch_error *err)
{
    const struct tune_options *settings = options;
    struct tuning_plan plan;
    if (settings->answers)
        return tune_answers(settings, err);
    if (!tuning_prepare(&plan, settings, err))
        return EXIT_MISUSE;
    return settings->coverage > 0 ? run_covering(settings, err) : run_tuning(&plan, err);
}

const struct command tune_command = {
    .name = "tune",
    .arguments = "-m MODEL DEV... | --answers FILE [GOLD] -o CALIBRATION",
    .summary = "calibrate a model's confidence on labelled files",
    .about = "Lets the model answer DEV, labelled files that it was not trained on, and calibrates its confidence: "
             "chooses the parameters of the methods by held-out log loss, and fits the probabilities. -o writes the "
             "model with this calibration, --in-place replaces that in the model itself; without either, it is only "
             "printed. The answers of the model stay the same. Ctrl-C leaves the model as it was. With --coverage, it "
             "finds out instead how large sets of choices must be to hold the right one.",
    .example = "  vouch tune -m ner.vouch -o tuned.vouch testa.txt\n"
               "  vouch tune -m ner.vouch --in-place --grid quick --draws 100 testa.txt\n"
               "  vouch tune -m ner.vouch --coverage 0.99 testa.txt\n"
               "  vouch tune -m ner.vouch --coverage 0.95 --by label -o sets.vouch testa.txt\n",
    .table = &tune_options,
    .run = tune,
};
