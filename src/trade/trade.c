/*
 * Runs vouch trade: a model answers labelled files, the curves are measured (trade_curves.c), and the point that was
 * asked for is chosen among them, or proved on other sentences than it was planned by (guarantee.c).
 */
#include "trade/trade.h"

#include "answer/model_input.h"
#include "answer/answer_stream.h"
#include "model/records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define OPTIONS struct trade_options
static const struct option_spec option[] = {
    TEXT("model", 'm', model, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPLACED,
     "the model to use; with --answers, the calibration, or none"),
    TEXT("answers", 0, answers, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
     "trade by another program's spans instead: JSON lines with their scores, and with the right spans, or the file "
     "GOLD"),
    OPTION_COLUMNS,
    OPTION_LOG,
    OPTION_SCORES,
    OPTION_CONFIDENCE,
    CHOICE("direction", 0, direction, "WHICH", "precision, recall or both", OPTION_MATTERS,
     "precision: leave out entities of low confidence; recall: label words that are outside with low confidence; or "
     "both"),
    FLAG("merge-types", 0, merge_types, OPTION_MATTERS, "read all types of entities as one"),
    CHOICE("drop", 0, drop, "WHAT", "entities or words", OPTION_MATTERS,
     "what becomes O: whole entities, or single words, as in the paper"),
    CHOICE("unit", 0, unit, "WHAT", "entities or words", OPTION_MATTERS,
     "what to count: entities, or the words in them"),
    REAL("precision", 0, precision, "P", 0, 1, OPTION_MATTERS,
     "choose the threshold of the most recall with at least this precision; -o or --in-place keeps it"),
    REAL("recall", 0, recall, "R", 0, 1, OPTION_MATTERS,
     "choose that of the most precision with at least this recall"),
    REAL("guarantee", 0, guarantee, "G", 0, 1, OPTION_MATTERS,
     "with --precision or --recall: choose a threshold that has this much on text from the same source, with the "
     "probability G; 0 is none"),
    TEXT("by", 0, by, "WHAT", OPTION_MATTERS,
     "with --precision or --recall: a threshold for each type of entities (type), or for the sentences whose first "
     "word has the same value in a column (its number); each has the guarantee by itself"),
    TEXT("output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_REPLACED,
     "with --precision or --recall: write the model with its threshold to this file, whole or not at all"),
    OPTION_IN_PLACE("do the same to the model's own file; without either, nothing is kept"),
    TEXT("csv", 0, csv, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
     "write all points of all curves into this file"),
    TEXT("plot", 0, plot, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_FIGURE,
     "draw precision over recall as an SVG, by gnuplot, and write its numbers beside it (.dat)"),
    OPTION_VECTORS,
    CHOICE("format", 0, reading.format, "NAME", "auto, conll, crfsuite, plain, jsonl or conllu", OPTION_MATTERS,
     "input format: conll, crfsuite, jsonl or conllu; auto recognises it"),
    OPTION_COLUMN,
    INTEGER("gold", 0, reading.gold, "N", 0, 65536, OPTION_MATTERS,
     "column of the gold label, from 1 (CoNLL columns); 0 is the one that training took"),
    OPTION_JSON,
    OPTION_THREADS,
    OPTIONS_END,
};
/* clang-format on */

static const struct option_rule rules[] = {
    {NULL, "model answers", NULL, "expected -m MODEL, or --answers FILE"},
    {NULL, "file answers", NULL, "expected at least one labelled file"},
    {"columns log", "answers", NULL, "--%s is about a file of answers: expected --answers FILE"},
    {"scores offsets vectors column gold in-place", NULL, "answers", "--%s is for a model: expected no --answers"},
    {"output in-place", "precision recall", NULL,
     "--%s is for the model with its threshold: expected --precision or --recall"},
    {"output", NULL, "in-place", "expected -o or --in-place, not both"},
    {"by", "precision recall", NULL, "--%s is for thresholds: expected --precision or --recall"},
    {NULL, NULL, "output=-", "expected a file to write the model to, found '-'"},
    {"output", "model", NULL, "--%s is for a calibration with its threshold: expected -m CALIBRATION"},
    {"in-place", NULL, "model=-", "expected a file to write the model to, found '-'"},
    {0},
};

static const struct trade_options usual = {
    .common = USUAL_COMMON, .direction = DIRECTIONS, .precision = -1, .recall = -1};

const struct option_table trade_options = {"trade", option, &usual, sizeof usual, NULL, rules};

bool trade_wants_point(const struct trade_options *o)
{
    return o->precision >= 0 || o->recall >= 0;
}

/* Reads what groups are by. */
static bool read_by(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *o = t->options;
    char *end;
    if (!o->by)
        return true;
    if (!trade_wants_point(o))
        return fail(err, VOUCH_ERR_ARGUMENT, "--by is for thresholds: expected --precision or --recall");
    if (strcmp(o->by, "type") == 0)
        return !o->merge_types || fail(err, VOUCH_ERR_ARGUMENT, "expected --by type or --merge-types, not both");
    unsigned long column = strtoul(o->by, &end, 10);
    t->column = (uint32_t)column;
    return (*end == '\0' && *o->by >= '0' && *o->by <= '9' && column > 0 && column <= 65536) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--by: expected type or the number of a column, found '%s'", o->by);
}

bool trade_prepare(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *o = t->options;
    if (o->confidence.methods && strcmp(o->confidence.methods, "none") == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "trading goes by confidence: expected a method in --confidence, found 'none'");
    if (o->precision >= 0 && o->recall >= 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected --precision or --recall, not both: the other one is what is left");
    if (o->guarantee > 0 && !trade_wants_point(o))
        return fail(err, VOUCH_ERR_ARGUMENT, "--guarantee says how surely: expected --precision or --recall with it");
    if (o->guarantee >= 1 || (o->guarantee > 0 && (o->precision >= 1 || o->recall >= 1)))
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected %s below 1",
                    o->guarantee >= 1 ? "--guarantee" : "--precision or --recall");
    for (enum direction d = 0; d < DIRECTIONS; d++)
        t->towards[d] = o->direction == d || o->direction == DIRECTIONS;
    t->unit = o->unit;
    t->merge_types = o->merge_types;
    t->by_words = o->drop == TRADE_WORDS;
    return read_by(t, err) && reading_options(&o->reading, &t->reading, err);
}

/* Notes the group of the next sentence. */
static bool take_group(struct trade *t, const struct sentence *sentence, struct vouch_error *err)
{
    if (sentence->attributes || t->column > sentence_cells(sentence, 0))
        return fail(err, VOUCH_ERR_FORMAT, "--by %u: expected a sentence of at least as many columns", t->column);
    struct text value = sentence_cell(sentence, 0, t->column - 1);
    if (value.at == sentence_form(sentence, 0).at)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--by %u: these are the words: expected a column that tells which sentences belong together",
                    t->column);
    if (value.at == sentence->gold[0].at)
        return fail(err, VOUCH_ERR_ARGUMENT, "--by %u: this is the gold label, which text to be labelled does not have",
                    t->column);
    if (!RESERVE(t->group_of, t->group_capacity, (size_t)t->sentences + 1, err))
        return false;
    t->group_of[t->sentences] = dictionary_add(&t->group_name, column_group(sentence, t->column), err);
    return t->group_of[t->sentences] != 0;
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct trade *t = context;
    if (!measured_text_take(&t->text, sentence, err))
        return false;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(t->gold_text, t->gold_text_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        t->gold_text[i] = task_gold(t->task, sentence->gold[i]);
        t->known += dictionary_find(&t->model->labels.written, t->gold_text[i]) != 0;
    }
    return labels_decided(&t->model->labels, t->gold_text, sentence->N, err) &&
           (!t->column || take_group(t, sentence, err)) && trade_add(t, t->gold_text, sentence->N, answer, err);
}

bool trade_open(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    struct estimate_request request = {.methods = s->confidence.methods,
                                       .others = t->towards[TOWARDS_RECALL],
                                       .draws = s->confidence.draws,
                                       .raw = s->confidence.raw};
    if (t->model->trees || t->model->labels.outer == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that labels entities or chunks, found %s",
                    t->model->file.name, t->model->trees ? "one that parses" : "labels that stand for themselves");
    if (s->guarantee > 0 && !refuse_fitted_on(t->model, s->common.argument, s->common.arguments, err))
        return false;
    if (!measured_text_init(&t->text, t->model, err))
        return false;
    t->task = task_or_any(t->model->task);
    t->scheme = t->model->labels.outer;
    model_input_settle(t->model, &t->reading);
    if (!estimator_make(t->model, &request, &t->estimator, err))
        return false;
    if (!t->estimator)
        return fail_uncalibrated(t->model, err);
    warn_of_old_draws(s->common.work.watch, t->estimator);
    t->methods = t->estimator->methods;
    for (uint32_t j = 0; j < t->methods; j++)
        t->name[j] = t->estimator->layer[0].chosen[j].name;
    return true;
}

/* Finds the point that measures what was asked for, or more. */
static bool find_measured(const struct trade *t, const struct guarantee *asked, struct guaranteed *at,
                          struct vouch_error *err)
{
    const struct trade_curve *curve;
    const struct trade_point *reach;
    enum direction wanted = asked->wanted;
    if (!trade_find(t, wanted, 100 * asked->target, &curve, &reach)) {
        struct tag_rates rates = tag_rates(reach->counts);
        return fail(
            err, VOUCH_ERR_ARGUMENT,
            "expected a %s of %.2f%% to be within reach: the most is %.2f%%, with a %s of %.2f%%, by %s towards "
            "%s at a threshold of %.9g",
            direction_names[wanted], 100 * asked->target, rate_of(rates, wanted), direction_names[opposite(wanted)],
            rate_of(rates, opposite(wanted)), t->name[curve->method], direction_names[curve->direction],
            reach->threshold);
    }
    *at = (struct guaranteed){curve->method, curve->direction, reach->threshold, reach->counts, 0, true, asked->target};
    return true;
}

/* Finds the point that has what was asked for on other text as well, with the probability that was asked for. */
static bool find_guaranteed(const struct trade *t, const struct guarantee *asked, struct guaranteed *at,
                            struct vouch_error *err)
{
    double guarantee = t->options->guarantee;
    if (!guarantee_find(t, asked, at, err))
        return false;
    if (at->found)
        return true;
    if (at->best <= 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "no %s can be guaranteed with a probability of %.9g by %u %ss",
                    direction_names[asked->wanted], guarantee, trade_units(t), trade_unit_called(t));
    return fail(err, VOUCH_ERR_ARGUMENT,
                "a %s of %.2f%% cannot be guaranteed with a probability of %.9g by %u %ss: the most that can is "
                "about %.1f%%",
                direction_names[asked->wanted], 100 * asked->target, guarantee, trade_units(t), trade_unit_called(t),
                100 * at->best);
}

/* Chooses the point that was asked for, as the header keeps it. */
static bool choose(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    const struct guarantee asked = {.wanted = s->precision >= 0 ? TOWARDS_PRECISION : TOWARDS_RECALL,
                                    .target = s->precision >= 0 ? s->precision : s->recall,
                                    .level = 1 - s->guarantee};
    struct guaranteed at;
    struct interval interval = {NAN, NAN};
    if (s->by ? !trade_choose_groups(t, &asked, &at, err)
              : !(s->guarantee > 0 ? find_guaranteed : find_measured)(t, &asked, &at, err) ||
                    !guarantee_interval(t, &at, asked.wanted, &interval, err))
        return false;
    t->point = (struct operating_point){.direction = at.direction,
                                        .threshold = at.threshold,
                                        .group = t->point_groups,
                                        .column = t->column,
                                        .merge_types = s->merge_types,
                                        .by_words = t->by_words,
                                        .raw = s->confidence.raw,
                                        .draws = s->confidence.draws,
                                        .unit = t->unit,
                                        .rates = tag_rates(at.counts),
                                        .wanted = asked.wanted,
                                        .target = 100 * asked.target,
                                        .low = 100 * interval.low,
                                        .high = 100 * interval.high,
                                        .guarantee = s->guarantee,
                                        .cap = at.cap,
                                        .documents = has_documents(&t->text.documents) ? trade_units(t) : 0};
    snprintf(t->point.method, sizeof t->point.method, "%s", t->name[at.method]);
    t->chosen = true;
    return true;
}

static void begin_file(void *context, const char *path)
{
    struct trade *t = context;
    measured_text_begin(&t->text, path);
}

/* Warns of text that is no evidence; where something is to be guaranteed, it fails. */
static bool check_text(struct trade *t, struct vouch_error *err)
{
    const struct options *common = &t->options->common;
    if (!measured_text_end(&t->text, err) || (t->options->guarantee > 0 && !measured_text_proves(&t->text, err)))
        return false;
    measured_text_warn(&t->text, common->work.watch,
                       t->text.learned ? "precision and recall will be lower in other files"
                                       : "other files may not reach what a threshold reaches here");
    if (trade_wants_point(t->options))
        warn_of_unmarked(&t->text, common->work.watch);
    return true;
}

/* Lets the model answer the files. */
static bool answer_all(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    struct answer_sink sink = {.take = take, .context = t, .watch = s->common.work.watch, .begin = begin_file};
    struct vouch_request request = {
        .model = t->model, .scores = t->scores, .estimator = t->estimator, .threads = s->common.work.threads};
    if (!answer_files(&request, &t->reading, s->common.argument, s->common.arguments, &sink, err))
        return false;
    if (t->words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->common.argument[0]);
    if (!t->known)
        warn_of_unknown_labels(s->common.work.watch);
    return true;
}

bool trade_run(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    if (!(t->answers ? trade_read_spans : answer_all)(t, err) || !check_text(t, err))
        return false;
    if (t->words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected spans, found none", t->answers->path);
    return trade_measure(t, s->common.work.threads, err) && (!trade_wants_point(s) || choose(t, err));
}

json_t *trade_record(const struct trade *t, struct vouch_error *err)
{
    char *command = options_provenance(t->options);
    const char *answers = t->options->answers;
    char *name = answers ? new_string(answers, strlen(answers), err) : NULL;
    json_t *record = !answers ? operating_point_record(&t->point, t->options->common.argument,
                                                       t->options->common.arguments, command, err)
                     : name   ? operating_point_record(&t->point, &name, 1, command, err)
                              : NULL;
    free(name);
    free(command);
    return record;
}

/* What reports show. A row answers a question: how much of one figure can be gained for so many points of the other? */

#define POINT_OF_F1 1.0

static const double losses[TRADE_ROWS] = {0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50}; /* points of the other figure */

const struct trade_point *trade_unchanged(const struct trade *t)
{
    const struct trade_curve *first = trade_curve(t, 0, TOWARDS_PRECISION);
    return first->points ? first->point : trade_curve(t, 0, TOWARDS_RECALL)->point;
}

const struct trade_point *trade_within_a_point(const struct trade *t, const struct trade_curve *curve)
{
    return trade_best(curve, curve->direction, tag_rates(trade_unchanged(t)->counts).f1 - POINT_OF_F1, 0);
}

size_t trade_rows(const struct trade_curve *curve, const struct trade_point **row)
{
    struct tag_rates base = tag_rates(curve->point[0].counts);
    double other = curve->direction == TOWARDS_PRECISION ? base.recall : base.precision;
    size_t rows = 0;
    for (size_t i = 0; i < TRADE_ROWS && losses[i] < other; i++) {
        const struct trade_point *point = trade_best(curve, curve->direction, 0, other - losses[i]);
        if (point != curve->point && (rows == 0 || point != row[rows - 1]))
            row[rows++] = point;
    }
    return rows;
}

double trade_mean_outside(const struct trade *t, uint32_t method, bool rightly)
{
    const struct trade_outside *outside = &t->outside[method][rightly];
    return outside->words ? outside->sum / (double)outside->words : NAN;
}

static json_t *point_json(const struct trade_point *point)
{
    struct tag_rates rates = tag_rates(point->counts);
    return json_pack("{s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "threshold", point->threshold, "precision", rates.precision,
                     "recall", rates.recall, "f1", rates.f1, "guessed", (json_int_t)point->counts.guessed, "correct",
                     (json_int_t)point->counts.correct, "changed", (json_int_t)point->changed);
}

/* Returns the curve without points that differ too little from the last one to be seen in a plot. */
static json_t *line_json(const struct trade_curve *curve)
{
    const double visible = 0.25; /* points of precision or recall */
    struct tag_rates last = {0};
    json_t *line = json_array();
    for (size_t i = 0; i < curve->points; i++) {
        struct tag_rates now = tag_rates(curve->point[i].counts);
        if (i > 0 && i + 1 < curve->points && fabs(now.precision - last.precision) < visible &&
            fabs(now.recall - last.recall) < visible)
            continue;
        last = now;
        json_array_append_new(line, json_pack("{s:f, s:f, s:f, s:f}", "threshold", curve->point[i].threshold,
                                              "precision", now.precision, "recall", now.recall, "f1", now.f1));
    }
    return line;
}

static json_t *curve_json(const struct trade *t, const struct trade_curve *curve)
{
    const struct trade_point *row[TRADE_ROWS];
    size_t rows = trade_rows(curve, row);
    json_t *points = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(points, point_json(row[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "method", t->name[curve->method], "direction",
                     direction_names[curve->direction], "points", points, "within_one_point_of_f1",
                     point_json(trade_within_a_point(t, curve)), "last", point_json(&curve->point[curve->points - 1]),
                     "curve", line_json(curve));
}

/*
 * Returns {"method", "rightly": {"words", "confidence"}, "wrongly": {...}} of every method; confidence is null if it
 * has no mean.
 */
static json_t *outside_json(const struct trade *t)
{
    static const char *const names[] = {"wrongly", "rightly"};
    json_t *each = json_array();
    for (uint32_t m = 0; m < t->methods; m++) {
        json_t *method = json_pack("{s:s}", "method", t->name[m]);
        for (int rightly = 1; rightly >= 0; rightly--)
            json_object_set_new(method, names[rightly],
                                json_pack("{s:I, s:o}", "words", (json_int_t)t->outside[m][rightly].words, "confidence",
                                          figure_json(trade_mean_outside(t, m, rightly))));
        json_array_append_new(each, method);
    }
    return each;
}

json_t *trade_json(const struct trade *t, json_t *record)
{
    json_t *curves = json_array();
    for (enum direction d = 0; d < DIRECTIONS; d++)
        for (uint32_t m = 0; trade_curve(t, 0, d)->points && m < t->methods; m++)
            json_array_append_new(curves, curve_json(t, trade_curve(t, m, d)));
    return json_pack("{s:I, s:I, s:s, s:s, s:b, s:I, s:o, s:o, s:o, s:O*}", "sentences", (json_int_t)t->sentences,
                     "words", (json_int_t)t->words, "unit", trade_counted(t), "drop",
                     t->by_words ? trade_unit_names[TRADE_WORDS] : trade_counted(t), "merge_types", t->merge_types,
                     "gold", (json_int_t)trade_unchanged(t)->counts.gold, "unchanged", point_json(trade_unchanged(t)),
                     "outside", outside_json(t), "curves", curves, "operating_point", record);
}
