/*
 * vouch trade: precision against recall, by confidence.
 */
#include "cli/answering.h"
#include "cli/cli.h"
#include "cli/learning.h"
#include "cli/saving.h"
#include "cli/trade_report.h"

#include "predict/model_input.h"
#include "task/tag_task.h"

#include <stdio.h>
#include <string.h>

static const struct option_spec options[] = {
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, true, "the model to use"},
    OPTION_CONFIDENCE,
    {"direction", 0, OPTION_TEXT, AT(direction), "WHICH", 0, 0, false,
     "precision: leave out entities of low confidence; recall: label words that are outside with low confidence; or "
     "both"},
    {"merge-types", 0, OPTION_FLAG, AT(merge_types), NULL, 0, 0, false, "read all types of entities as one"},
    {"by", 0, OPTION_TEXT, AT(by), "WHAT", 0, 0, false,
     "what becomes O: whole entities, or single words, as in the paper"},
    {"unit", 0, OPTION_TEXT, AT(unit), "WHAT", 0, 0, false, "what to count: entities, or the words in them"},
    {"precision", 0, OPTION_REAL, AT(precision), "P", 0, 1, false,
     "choose the threshold of the most recall with at least this precision, and keep it in the model"},
    {"recall", 0, OPTION_REAL, AT(recall), "R", 0, 1, false,
     "choose that of the most precision with at least this recall"},
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, true,
     "with --precision or --recall: the model file to write, whole or not at all; if not given, the model itself is "
     "replaced"},
    {"csv", 0, OPTION_TEXT, AT(csv), "FILE", 0, 0, true, "write all points of all curves into this file"},
    {"plot", 0, OPTION_TEXT, AT(plot), "FILE", 0, 0, true,
     "draw precision over recall as an SVG, by gnuplot, and write its numbers beside it (.dat)"},
    {"format", 0, OPTION_TEXT, AT(format), "NAME", 0, 0, false,
     "input format: conll, crfsuite, jsonl or conllu; auto recognises it"},
    OPTION_COLUMN,
    {"gold", 0, OPTION_INTEGER, AT(gold), "N", 0, 65536, false,
     "column of the gold label, from 1 (CoNLL columns); 0 is the one that training took"},
    OPTION_JSON,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

/* One run of the command. */
struct trading {
    const struct command *command;
    const struct settings *settings;
    const struct vouch_model *model;
    const struct tag_task *task;
    struct reader_options reading;
    struct estimator *estimator;
    struct trade trade;
    bool towards[DIRECTIONS];
    uint64_t known; /* words whose gold label the model knows */
    struct text *gold;
    size_t gold_capacity;
    bool chosen; /* a point was asked for and found, with what follows */
    struct operating_point point;
    json_t *kept; /* as the header has it */
};

static bool wants_point(const struct settings *s)
{
    return s->precision >= 0 || s->recall >= 0;
}

static const char *target(const struct settings *s)
{
    return s->output ? s->output : s->model;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct trading *t = context;
    if (interrupt_seen())
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(t->gold, t->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        t->gold[i] = tag_task_gold(t->task, sentence->gold[i]);
        t->known += dictionary_find(&t->model->labels.written, t->gold[i]) != 0;
    }
    return trade_add(&t->trade, t->gold, sentence->N, answer, err);
}

static bool make_estimator(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct estimate_request request = {
        .methods = s->confidence, .others = t->towards[TOWARDS_RECALL], .draws = (uint32_t)s->draws, .raw = s->raw};
    if (!answering_request(s, t->model, &request, &t->estimator, err))
        return false;
    if (!t->estimator)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: this model was not calibrated: expected a method in --confidence",
                    s->model);
    t->trade.methods = t->estimator->methods;
    for (uint32_t j = 0; j < t->estimator->methods; j++)
        t->trade.name[j] = t->estimator->layer[0].chosen[j].name;
    return true;
}

static bool answer_files(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct answer_sink sink = {take, t};
    bool ok = true;
    for (size_t i = 0; ok && i < s->arguments; i++) {
        struct reader *reader = reader_open(s->argument[i], &t->reading, err);
        ok = reader && model_input_gold_apart(t->model, reader, t->reading.gold, err) &&
             answer_stream(t->model, t->estimator, reader, (uint32_t)s->threads, &sink, err);
        reader_close(reader);
    }
    if (ok && t->trade.words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->argument[0]);
    if (ok && !t->known && !s->quiet)
        showf(stderr, "warning: the model knows none of the gold labels: is it the right column (--gold)?\n");
    return ok;
}

static bool fits(const struct trading *t, struct vouch_error *err)
{
    if (model_parses(t->model))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected a model that labels entities or chunks, found one that parses", t->settings->model);
    if (t->model->labels.outer == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected a model that labels entities or chunks, found labels that stand for themselves",
                    t->settings->model);
    return true;
}

/* The point that was asked for, as the header keeps it. */
static bool choose(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    enum direction wanted = s->precision >= 0 ? TOWARDS_PRECISION : TOWARDS_RECALL;
    double amount = 100 * (s->precision >= 0 ? s->precision : s->recall);
    const struct trade_curve *curve;
    const struct trade_point *reach, *found = trade_find(&t->trade, wanted, amount, &curve, &reach);
    struct tag_rates rates = tag_rates(reach->counts);
    if (!found)
        return fail(
            err, VOUCH_ERR_ARGUMENT,
            "expected a %s of %.2f%% to be within reach: the most is %.2f%%, with a %s of %.2f%%, by %s towards "
            "%s at a threshold of %.9g",
            direction_names[wanted], amount, rate_of(rates, wanted), direction_names[opposite(wanted)],
            rate_of(rates, opposite(wanted)), t->trade.name[curve->method], direction_names[curve->direction],
            reach->threshold);
    t->point = (struct operating_point){.direction = curve->direction,
                                        .threshold = found->threshold,
                                        .merge_types = s->merge_types,
                                        .by_words = t->trade.by_words,
                                        .raw = s->raw,
                                        .draws = (uint32_t)s->draws,
                                        .unit = t->trade.unit,
                                        .rates = rates,
                                        .wanted = wanted,
                                        .target = amount};
    snprintf(t->point.method, sizeof t->point.method, "%s", t->trade.name[curve->method]);
    char *line = options_provenance(t->command, s);
    t->kept = operating_point_json(&t->point);
    t->chosen = json_object_set_new(t->kept, "files", saving_files(s)) == 0 &&
                json_object_set_new(t->kept, "command", saving_text(line)) == 0;
    free(line);
    return t->chosen || fail_memory(err);
}

static bool save(const struct trading *t, struct vouch_error *err)
{
    json_t *header = json_copy(t->model->header);
    bool ok = (header && json_object_set(header, "operating_point", t->kept) == 0) || fail_memory(err);
    struct output *out = ok && saving_whole(err) ? output_open(target(t->settings), err) : NULL;
    ok = out && model_write_again(out, t->model, header, err);
    json_decref(header);
    return output_close(out, ok, err);
}

static bool find_out(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    if (!make_estimator(t, err) || !answer_files(t, err) ||
        !trade_measure(&t->trade, t->towards, (uint32_t)s->threads, err))
        return false;
    return (!wants_point(s) || choose(t, err)) && (!s->csv || trade_report_csv(&t->trade, s->csv, err)) &&
           (!s->plot || trade_report_plot(&t->trade, s->plot, err)) && (!t->chosen || save(t, err));
}

static void print_json(const struct trading *t)
{
    json_t *result = trade_report_json(&t->trade);
    if (t->chosen)
        json_object_set(result, "operating_point", t->kept);
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static void print_findings(const struct trading *t)
{
    const struct operating_point *p = &t->point;
    if (t->settings->json) {
        print_json(t);
        return;
    }
    trade_report_print(&t->trade);
    if (t->chosen)
        showf(stdout, "\nchosen: towards %s by %s, threshold %.9g: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n",
              direction_names[p->direction], p->method, p->threshold, p->rates.precision, p->rates.recall, p->rates.f1);
}

/* What to do next. */
static void say_next(const struct trading *t)
{
    if (t->settings->quiet)
        return;
    fflush(stdout);
    if (t->chosen)
        showf(stderr, "wrote %s: 'vouch tag -m %s --operating-point' labels with the chosen threshold\n",
              target(t->settings), target(t->settings));
    else
        showf(stderr, "'vouch trade --precision P' (or --recall R) chooses a threshold and keeps it in the model\n");
}

/* Whether all outputs can be written. */
static bool outputs_possible(const struct settings *s, struct vouch_error *err)
{
    return (!wants_point(s) || saving_model_possible(target(s), s, err)) &&
           (!s->csv || saving_possible(s->csv, s, err)) && (!s->plot || saving_figure_possible(s->plot, s, err));
}

static int run_trading(struct trading *t)
{
    struct vouch_error err = {0};
    if (!outputs_possible(t->settings, &err))
        return failed(t->command, &err);
    vouch_model *model = vouch_model_open(t->settings->model, &err);
    t->model = model;
    bool ok = model && fits(t, &err);
    if (ok) {
        t->task = tag_task_or_any(model->task);
        t->trade.scheme = model->labels.outer;
        model_input_settle(model, &t->reading);
        answering_warn_of_training(t->settings, model,
                                   "answers it better than other files: precision and recall will be lower there");
        interrupt_catch();
        ok = find_out(t, &err);
    }
    if (ok) {
        print_findings(t);
        say_next(t);
    }
    trade_release(&t->trade);
    estimator_free(t->estimator);
    json_decref(t->kept);
    free(t->gold);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(t->command, &err);
}

static int trade(const struct command *command, struct settings *s)
{
    bool both = strcmp(s->direction, "both") == 0, words = strcmp(s->unit, trade_unit_names[TRADE_WORDS]) == 0;
    bool by_words = strcmp(s->by, trade_unit_names[TRADE_WORDS]) == 0;
    struct trading t = {.command = command, .settings = s};
    if (!s->model)
        return misuse(command, "expected -m MODEL");
    if (s->arguments == 0)
        return misuse(command, "expected at least one labelled file");
    if (s->confidence && strcmp(s->confidence, "none") == 0)
        return misuse(command, "trading goes by confidence: expected a method in --confidence, found 'none'");
    for (enum direction d = 0; d < DIRECTIONS; d++)
        t.towards[d] = both || strcmp(s->direction, direction_names[d]) == 0;
    if (!t.towards[TOWARDS_PRECISION] && !t.towards[TOWARDS_RECALL])
        return misuse_value(command, "direction", "precision, recall or both", s->direction);
    if (!words && strcmp(s->unit, trade_unit_names[TRADE_ENTITIES]) != 0)
        return misuse_value(command, "unit", "entities or words", s->unit);
    if (!by_words && strcmp(s->by, trade_unit_names[TRADE_ENTITIES]) != 0)
        return misuse_value(command, "by", "entities or words", s->by);
    if (s->precision >= 0 && s->recall >= 0)
        return misuse(command, "expected --precision or --recall, not both: the other one is what is left");
    if (s->output && !wants_point(s))
        return misuse(command, "--output is for the model with its threshold: expected --precision or --recall");
    if (strcmp(target(s), "-") == 0)
        return misuse(command, "expected a file to write the model to, found '-'");
    t.trade.unit = words ? TRADE_WORDS : TRADE_ENTITIES;
    t.trade.merge_types = s->merge_types;
    t.trade.by_words = by_words;
    int status = reading_prepare(&t.reading, command, s);
    return status == EXIT_DONE ? run_trading(&t) : status;
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
        "--operating-point'.",
    .example = "  vouch trade -m ner.vouch testa.txt\n"
               "  vouch trade -m ner.vouch --confidence kd-fix,gamma,committee --csv curves.csv testa.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 testa.txt\n"
               "  vouch tag -m ner.vouch --operating-point input.txt\n",
    .option = options,
    .run = trade,
};
