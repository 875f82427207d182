/*
 * vouch tune: calibrates a model's confidence on labelled files that it has not
 * learned from, and keeps the result in its header.
 */
#include "cli/answering.h"
#include "cli/calibrated.h"
#include "cli/cli.h"
#include "cli/learning.h"
#include "cli/saving.h"

#include "base/clock.h"
#include "calibrate/calibration.h"
#include "core/lanes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, true, "the model to tune"},
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, true,
     "the model file to write, whole or not at all; if not given, the model itself is replaced"},
    {"grid", 0, OPTION_TEXT, AT(grid), "NAME", 0, 0, false,
     "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a few, "
     "as training does"},
    {"draws", 0, OPTION_INTEGER, AT(draws), "K", 0, MAX_DRAWS, false, "models to draw for kd-fix and kd-pc; 0 is 50"},
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

/* One run of the command. */
struct tuning {
    const struct command *command;
    const struct settings *settings;
    const struct vouch_model *model;
    struct reader_options reading;
    struct grids grids;
    struct learned_corpus corpus;
    struct held_out held;
    struct confidence_model confidence_model[MAX_MODEL_LAYERS];
    json_t *confidence;
    struct progress progress;
};

/* The result replaces the model, unless an output file is given. */
static const char *target(const struct settings *settings)
{
    return settings->output ? settings->output : settings->model;
}

static void tell(void *context, uint32_t done, uint32_t of)
{
    struct tuning *t = context;
    progress_draw(&t->progress, "tuning", done, of, "");
}

/* Tries values, fits, and makes the JSON that the header keeps. */
static bool find_out(struct tuning *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct calibration_plan plan = {.held = &t->held,
                                    .grids = &t->grids,
                                    .seed = (uint64_t)s->seed,
                                    .threads = (uint32_t)s->threads,
                                    .tell = tell,
                                    .context = t,
                                    .stop = interrupt_seen};
    progress_start(&t->progress, s);
    bool ok = held_out_dev(&t->held, &t->corpus.dataset, t->model->layer, err) &&
              calibration_run(&plan, t->confidence_model, err);
    progress_clear(&t->progress);
    if (!ok)
        return false;
    char *line = options_provenance(t->command, s);
    t->confidence = calibration_json(&plan, t->confidence_model);
    bool kept = json_object_set_new(t->confidence, "files", saving_files(s)) == 0 &&
                json_object_set_new(t->confidence, "command", saving_text(line)) == 0;
    free(line);
    return kept || fail_memory(err);
}

static bool save(const struct tuning *t, struct vouch_error *err)
{
    json_t *header = json_copy(t->model->header);
    bool ok = (header && json_object_set(header, "confidence", t->confidence) == 0) || fail_memory(err);
    /* The threshold of the operating point was chosen for the old numbers. */
    bool moved = ok && json_object_del(header, "operating_point") == 0;
    struct output *out = ok && saving_whole(err) ? output_open(target(t->settings), err) : NULL;
    ok = out && model_write_again(out, t->model, header, err);
    json_decref(header);
    ok = output_close(out, ok, err);
    if (ok && moved && !t->settings->quiet)
        showf(stderr,
              "the operating point was removed, since confidence has changed: choose it again with vouch trade\n");
    return ok;
}

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

static void print_layer(const struct model_layer *layer, const struct confidence_model *b)
{
    const struct method_model *any = &b->method_model[0];
    printf("%s: %.0f words, %.0f wrong\n\n", layer->name, any->figure[UNIT_WORD][FIGURE_COUNT],
           any->figure[UNIT_WORD][FIGURE_ERRORS]);
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

static void print_json(const struct tuning *t)
{
    json_t *layers = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(t->confidence, "layers"), name, value)
    {
        json_object_set_new(layers, name, layer_json(value));
    }
    uint32_t sentences = t->corpus.dataset.layer[0].dev.count;
    json_t *result = json_pack("{s:I, s:I, s:o}", "sentences", (json_int_t)sentences, "words",
                               (json_int_t)t->corpus.dataset.words_before(t->corpus.dataset.self, true, sentences),
                               "layers", layers);
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static void print_findings(const struct tuning *t)
{
    if (t->settings->json) {
        print_json(t);
        return;
    }
    for (uint32_t l = 0; l < t->model->layers; l++) {
        if (l)
            putchar('\n');
        print_layer(&t->model->layer[l], &t->confidence_model[l]);
    }
}

static int run_tuning(struct tuning *t)
{
    const struct settings *s = t->settings;
    struct vouch_error err = {0};
    double started = seconds_now();
    if (!saving_model_possible(target(s), s, &err))
        return failed(t->command, &err);
    vouch_model *model = vouch_model_open(s->model, &err);
    t->model = model;
    if (model)
        answering_warn_of_training(s, model,
                                   "answers it better than other files: its confidence in those will be too high");
    bool ok = model && learned_corpus_borrow(&t->corpus, model, &t->reading, s, &err);
    if (ok)
        interrupt_catch(); /* before this, Ctrl-C may end the program at once */
    ok = ok && find_out(t, &err) && save(t, &err);
    if (ok)
        print_findings(t);
    if (ok && !s->quiet) {
        fflush(stdout);
        for (uint32_t l = 0; l < model->layers; l++)
            calibrated_warn(model->layer[l].name, &t->confidence_model[l]);
        showf(stderr, "wrote %s, %.1f s\n", target(s), seconds_now() - started);
    }
    learned_corpus_release(&t->corpus);
    held_out_release(&t->held);
    json_decref(t->confidence);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(t->command, &err);
}

static int tune(const struct command *command, struct settings *settings)
{
    struct tuning t = {.command = command, .settings = settings};
    const struct grids *grids = grids_named(settings->grid);
    if (!settings->model)
        return misuse(command, "expected -m MODEL");
    if (strcmp(target(settings), "-") == 0)
        return misuse(command, "expected a file to write the model to, found '-'");
    if (settings->arguments == 0)
        return misuse(command, "expected at least one labelled file");
    if (!grids)
        return misuse_value(command, "grid", "quick, full or paper", settings->grid);
    int status = reading_prepare(&t.reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    t.grids = *grids;
    if (settings->draws)
        t.grids.draws = (uint32_t)settings->draws;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_init(&t.confidence_model[l]);
    status = run_tuning(&t);
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_release(&t.confidence_model[l]);
    return status;
}

const struct command tune_command = {
    .name = "tune",
    .arguments = "-m MODEL DEV...",
    .summary = "calibrate a model's confidence on labelled files",
    .about = "Lets the model answer DEV, labelled files that it was not trained on, and calibrates its confidence: "
             "chooses the parameters of the methods by held-out log loss, fits the probabilities, and replaces the "
             "calibration in the model's header. The answers of the model stay the same. Ctrl-C leaves the model as "
             "it was.",
    .example = "  vouch tune -m ner.vouch testa.txt\n"
               "  vouch tune -m ner.vouch -o tuned.vouch --grid quick --draws 100 testa.txt\n",
    .option = options,
    .run = tune,
};
