/* Implements vouch trade: precision against recall, by confidence. */
#include "cli/answering.h"
#include "cli/cli.h"
#include "cli/saving.h"
#include "cli/teller.h"
#include "cli/trade_report.h"

#include "options/reading_options.h"
#include "scores/score_files.h"
#include "trade/trading.h"

#include <stdio.h>
#include <string.h>

static const char *target(const struct settings *s)
{
    return s->output ? s->output : s->model;
}

static bool save(const struct trading *t, json_t *point, struct vouch_error *err)
{
    json_t *header = operating_point_header(t->model, point, err);
    struct output *out = header && saving_whole(err) ? output_open(target(t->settings), err) : NULL;
    bool ok = out && model_write_again(out, t->model, header, err);
    json_decref(header);
    return output_close(out, ok, err);
}

static void print_json(const struct trading *t, json_t *point)
{
    json_t *result = trading_json(t, point);
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

/* Prints how far the chosen point holds. */
static void print_promise(const struct operating_point *p, const struct settings *s)
{
    const char *which = direction_names[p->wanted];
    if (p->guarantee > 0)
        printf("guaranteed: %s of at least %.2f%% with a probability of %.9g, where a sentence counts at most %u "
               "errors\n",
               which, p->target, p->guarantee, p->cap);
    printf("90 %% interval of the %s, by sentences: %.2f%% to %.2f%%\n", which, p->low, p->high);
    showf(stdout, "holds for text from the same source as %s%s; text of another kind may have less\n", s->argument[0],
          s->arguments > 1 ? " and the other files" : "");
}

static void print_findings(const struct trading *t)
{
    const struct operating_point *p = &t->point;
    trade_report_print(&t->trade);
    if (t->chosen) {
        showf(stdout, "\nchosen: towards %s by %s, threshold %.9g: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n",
              direction_names[p->direction], p->method, p->threshold, p->rates.precision, p->rates.recall, p->rates.f1);
        print_promise(p, t->settings);
    }
}

/* Prints what to do next. */
static void say_next(const struct trading *t)
{
    if (t->settings->quiet)
        return;
    fflush(stdout);
    if (t->chosen)
        showf(stderr, "wrote %s: 'vouch tag -m %s%s --operating-point' labels with the chosen threshold\n",
              target(t->settings), target(t->settings), t->settings->scores ? " --scores FILE" : "");
    else
        showf(stderr, "'vouch trade --precision P' (or --recall R) chooses a threshold and keeps it in the model\n");
}

/* Whether all outputs can be written. */
static bool outputs_possible(const struct settings *s, struct vouch_error *err)
{
    return (!trading_wants_point(s) || saving_model_possible(target(s), s, err)) &&
           (!s->csv || saving_possible(s->csv, s, err)) && (!s->plot || saving_figure_possible(s->plot, s, err));
}

/* Writes and prints what was found. */
static bool report(const struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    json_t *point = t->chosen ? trading_record(t, err) : NULL;
    bool ok = (point || !t->chosen) && (!s->csv || trade_report_csv(&t->trade, s->csv, err)) &&
              (!s->plot || trade_report_plot(&t->trade, s->plot, err)) && (!point || save(t, point, err));
    if (ok && s->json)
        print_json(t, point);
    else if (ok)
        print_findings(t);
    json_decref(point);
    return ok;
}

static bool run_trading(struct trading *t, struct vouch_error *err)
{
    if (!trading_open(t, err))
        return false;
    answering_warn_of_training(t->settings, t->model,
                               "answers it better than other files: precision and recall will be lower there");
    answering_say_methods(t->settings, t->estimator);
    interrupt_catch();
    return trading_run(t, err) && report(t, err);
}

static int trade(const struct command *command, struct settings *s)
{
    struct vouch_error err = {0};
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, s);
    struct trading t = {.settings = s, .watch = &watch};
    if (!s->model)
        return misuse(command, "expected -m MODEL");
    if (s->arguments == 0)
        return misuse(command, "expected at least one labelled file");
    if (!trading_prepare(&t, &err))
        return misused(command, &err);
    if (s->output && !trading_wants_point(s))
        return misuse(command, "--output is for the model with its threshold: expected --precision or --recall");
    if (strcmp(target(s), "-") == 0)
        return misuse(command, "expected a file to write the model to, found '-'");
    if (!reading_options(s, &t.reading, &err))
        return misused(command, &err);
    vouch_model *model = outputs_possible(s, &err) ? vouch_model_open(s->model, &err) : NULL;
    t.model = model;
    bool ok = model && score_files_bind(model, s, &err) && run_trading(&t, &err);
    if (ok)
        say_next(&t);
    trading_release(&t);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(command, &err);
}

const struct command trade_command = {
    .name = "trade",
    .arguments = "-m MODEL FILE...",
    .summary = "trade precision against recall, by confidence",
    .about =
        "Lets the model answer FILE, labelled files that it was not trained on, and shows how precision and recall "
        "of entities (or chunks) change if those of low confidence are left out, and if words that are outside "
        "with low confidence are labelled. With --precision or --recall it chooses the threshold "
        "that keeps this figure and has most of the other, and keeps it in the model for 'vouch tag "
        "--operating-point'. With --guarantee, other text from the same source will have this figure as well.",
    .example = "  vouch trade -m ner.vouch testa.txt\n"
               "  vouch trade -m ner.vouch --confidence kd-fix,gamma,committee --csv curves.csv testa.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 testa.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 --guarantee 0.9 testa.txt\n"
               "  vouch tag -m ner.vouch --operating-point input.txt\n",
    .table = &trade_options,
    .run = trade,
};
