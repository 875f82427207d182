/*
 * Implements vouch trade: precision against recall, by confidence.
 *
 * A row of the report tells how much one figure gains for so many points that the other loses. The last table tells how
 * much it gains for one point of F1.
 */
#include "answer/model_input.h"
#include "cli/shared.h"

#include "base/output.h"
#include "eval/file_comparison.h"
#include "report/chart.h"
#include "scores/score_files.h"
#include "trade/trade.h"

#include <math.h>
#include <stdio.h>

static void print_head(void)
{
    printf("%-20s %11s %9s %9s %9s %9s\n", "method", "threshold", "precision", "recall", "F1", "changed");
}

static void print_row(const char *method, const struct trade_point *point)
{
    struct tag_rates rates = tag_rates(point->counts);
    showf(stdout, "%-20s %11.9g %9.2f %9.2f %9.2f %9llu", method, point->threshold, rates.precision, rates.recall,
          rates.f1, (unsigned long long)point->changed);
}

static void print_direction(const struct trade *t, enum direction towards)
{
    const struct trade_point *row[TRADE_ROWS];
    printf("\n%s\n\n", towards == TOWARDS_RECALL
                           ? "towards recall: words outside that are trusted less become their second-best label"
                       : t->answers  ? "towards precision: spans that are trusted less than the threshold are left out"
                       : t->by_words ? "towards precision: words in entities that are trusted less become O"
                                     : "towards precision: entities that are trusted less than the threshold become O");
    print_head();
    for (uint32_t m = 0; m < t->methods; m++) {
        size_t rows = trade_rows(trade_curve(t, m, towards), row);
        if (rows == 0)
            showf(stdout, "%-20s %11s\n", t->name[m], "-");
        for (size_t i = 0; i < rows; i++) {
            print_row(i ? "" : t->name[m], row[i]);
            putchar('\n');
        }
    }
}

static void print_within(const struct trade *t, enum direction towards)
{
    double base = rate_of(tag_rates(trade_unchanged(t)->counts), towards);
    printf("\nthe most %s with F1 within one point of the unchanged\n\n", direction_names[towards]);
    print_head();
    for (uint32_t m = 0; m < t->methods; m++) {
        const struct trade_point *point = trade_within_a_point(t, trade_curve(t, m, towards));
        print_row(t->name[m], point);
        printf("  %+.2f\n", rate_of(tag_rates(point->counts), towards) - base);
    }
}

static void print_outside(const struct trade *t)
{
    printf("\nmean confidence of the words outside: %llu rightly, %llu wrongly\n\n%-20s %9s %9s\n",
           (unsigned long long)t->outside[0][true].words, (unsigned long long)t->outside[0][false].words, "method",
           "rightly", "wrongly");
    for (uint32_t m = 0; m < t->methods; m++) {
        printf("%-20s", t->name[m]);
        for (int rightly = 1; rightly >= 0; rightly--)
            if (isfinite(trade_mean_outside(t, m, rightly)))
                printf(" %9.3f", trade_mean_outside(t, m, rightly));
            else
                printf(" %9s", "-");
        putchar('\n');
    }
}

static void print_group(const struct trade_group *g, int width, bool guaranteed)
{
    struct tag_rates rates = tag_rates(g->at.counts);
    show_name(stdout, g->name, width);
    if (g->at.found)
        printf(" %-9s %11.9g %9.2f", direction_names[g->at.direction], g->at.threshold, rates.precision);
    else
        printf(" %-9s %11s %9s", "-", "-", "-");
    printf(" %9.2f %9llu %7.1f", rates.recall, (unsigned long long)g->at.counts.guessed, trade_group_kept(g));
    if (guaranteed && g->at.found)
        printf(" %7u", g->at.cap);
    else if (guaranteed)
        printf(" %7s", "-");
    if (g->at.found)
        printf("   %.2f to %.2f\n", 100 * g->interval.low, 100 * g->interval.high);
    else
        printf("   at most about %.1f%%: all of it becomes O\n", 100 * g->at.best);
}

/* Says how surely each group has what was asked for, and how surely all of them do. */
static void print_guarantees(const struct trade *t)
{
    const struct operating_point *p = &t->point;
    uint32_t met = 0;
    for (uint32_t g = 0; g < t->groups; g++)
        met += t->group[g].at.found;
    printf("guaranteed: %s of at least %.2f%% with a probability of %.9g for each group by itself, where a %s counts\n"
           "at most as many errors of the group as 'errors' says",
           direction_names[p->wanted], p->target, p->guarantee, trade_unit_called(t));
    if (met > 1)
        printf("; for all %u at once use --guarantee %.9g", met, 1 - (1 - p->guarantee) / met);
    putchar('\n');
}

/* Prints the thresholds of groups, and how far they hold. */
static void print_groups(const struct trade *t)
{
    const struct operating_point *p = &t->point;
    char by[32] = "type";
    int width = 12;
    if (t->column)
        snprintf(by, sizeof by, "column %u", t->column);
    for (uint32_t g = 0; g < t->groups; g++)
        width = name_width(t->group[g].name) > width ? name_width(t->group[g].name) : width;
    printf("\nchosen by %s, a threshold for each group: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n\n", p->method,
           p->rates.precision, p->rates.recall, p->rates.f1);
    printf("%-*s %-9s %11s %9s %9s %9s %7s%s   90 %% interval of the %s, by %ss\n", width, by, "towards", "threshold",
           "precision", "recall", "answers", "left %", p->guarantee > 0 ? "  errors" : "", direction_names[p->wanted],
           trade_unit_called(t));
    for (uint32_t g = 0; g < t->groups; g++)
        print_group(&t->group[g], width, p->guarantee > 0);
    putchar('\n');
    if (p->guarantee > 0)
        print_guarantees(t);
    if (p->documents)
        printf("documents are the units: there are %u\n", p->documents);
}

/* Prints the point that was chosen, and how far it holds. */
static void print_point(const struct trade *t)
{
    const struct operating_point *p = &t->point;
    const char *which = direction_names[p->wanted];
    showf(stdout, "\nchosen: towards %s by %s, threshold %.9g: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n",
          direction_names[p->direction], p->method, p->threshold, p->rates.precision, p->rates.recall, p->rates.f1);
    if (p->guarantee > 0)
        printf("guaranteed: %s of at least %.2f%% with a probability of %.9g, where a %s counts at most %u "
               "errors\n",
               which, p->target, p->guarantee, trade_unit_called(t), p->cap);
    printf("90 %% interval of the %s, by ", which);
    if (p->documents)
        printf("%u documents", p->documents);
    else
        printf("%ss", trade_unit_called(t));
    printf(": %.2f%% to %.2f%%\n", p->low, p->high);
}

static void print_source(const struct trade_options *s)
{
    showf(stdout, "holds for text from the same source as %s%s; text of another kind may have less\n",
          s->answers ? s->answers : s->common.argument[0],
          !s->answers && s->common.arguments > 1 ? " and the other files" : "");
}

static void print_trade(const struct trade *t)
{
    const struct trade_point *base = trade_unchanged(t);
    struct tag_rates rates = tag_rates(base->counts);
    printf("%s%s: %llu in gold, %llu in the answers, %llu correct\n", trade_counted(t),
           t->merge_types ? ", of any type" : "", (unsigned long long)base->counts.gold,
           (unsigned long long)base->counts.guessed, (unsigned long long)base->counts.correct);
    printf("unchanged: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n", rates.precision, rates.recall, rates.f1);
    if (!t->answers)
        print_outside(t);
    for (enum direction d = 0; d < DIRECTIONS; d++)
        if (trade_curve(t, 0, d)->points)
            print_direction(t, d);
    for (enum direction d = 0; d < DIRECTIONS; d++)
        if (trade_curve(t, 0, d)->points)
            print_within(t, d);
    if (!t->chosen)
        return;
    if (t->group)
        print_groups(t);
    else
        print_point(t);
    print_source(t->options);
}

static bool write_csv(const struct trade *t, const char *path, struct vouch_error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    output_printf(out, "method,direction,threshold,precision,recall,f1,gold,guessed,correct,changed\n");
    for (uint32_t i = 0; i < t->methods * DIRECTIONS; i++)
        for (size_t p = 0; p < t->curve[i].points; p++) {
            const struct trade_curve *curve = &t->curve[i];
            const struct trade_point *point = &curve->point[p];
            struct tag_rates rates = tag_rates(point->counts);
            output_printf(out, "%s,%s,%.9g,%.4f,%.4f,%.4f,%llu,%llu,%llu,%llu\n", t->name[curve->method],
                          direction_names[curve->direction], point->threshold, rates.precision, rates.recall, rates.f1,
                          (unsigned long long)point->counts.gold, (unsigned long long)point->counts.guessed,
                          (unsigned long long)point->counts.correct, (unsigned long long)point->changed);
        }
    return output_commit(out, err);
}

/* Adds a point, unless it cannot be distinguished from the last one. */
static void draw_to(struct chart *chart, const struct trade_point *point)
{
    const double visible = 0.1;
    struct tag_rates rates = tag_rates(point->counts);
    const struct chart_series *s = chart->broken ? NULL : &chart->series[chart->count - 1];
    const struct chart_point *last = s && s->points ? &s->point[s->points - 1] : NULL;
    if (!last || !(fabs(last->x - rates.recall) < visible && fabs(last->y - rates.precision) < visible))
        chart_add_band(chart, rates.recall, rates.precision, NAN, NAN);
}

/* Draws each method from the surest few to the unchanged answer, and on to the most recall: beyond, both fall. */
static bool write_plot(const struct trade *t, const char *path, struct vouch_error *err)
{
    struct chart chart;
    chart_init(&chart, "", "Precision against recall, by confidence", "recall, %", "precision, %");
    for (uint32_t m = 0; m < t->methods; m++) {
        const struct trade_curve *down = trade_curve(t, m, TOWARDS_PRECISION), *up = trade_curve(t, m, TOWARDS_RECALL);
        const struct trade_point *most = trade_best(up, TOWARDS_RECALL, 0, 0);
        chart_add_series(&chart, t->name[m]);
        for (size_t i = down->points; i > 0; i--)
            draw_to(&chart, &down->point[i - 1]);
        for (const struct trade_point *point = up->point; most && point <= most; point++)
            draw_to(&chart, point);
    }
    bool ok = chart_draw(&chart, path, err);
    chart_release(&chart);
    return ok;
}

/* Returns where the model with its threshold goes; NULL: it is not kept. */
static const char *target(const struct trade_options *s)
{
    return s->in_place ? s->model : s->output;
}

/* Writes the calibration of spans with the point, if a file is named for it. */
static bool save_spans(const struct trade *t, json_t *point, struct vouch_error *err)
{
    if (!t->options->output)
        return true;
    struct output *out = output_open(t->options->output, err);
    return output_close(out, out && answer_calibration_keep(t->calibration, point, out, err), err);
}

static bool save(const struct trade *t, json_t *point, struct vouch_error *err)
{
    if (t->answers)
        return save_spans(t, point, err);
    json_t *header = operating_point_header(t->model, point, err);
    bool ok = header && save_again(t->model, header, target(t->options), err);
    json_decref(header);
    return ok;
}

/* Prints what to do next. */
static void say_next(const struct trade *t)
{
    if (t->options->common.quiet)
        return;
    fflush(stdout);
    const char *scores = t->options->source.scores ? " --scores FILE" : "", *many = t->groups > 1 ? "s" : "";
    if (t->answers && t->chosen && t->options->output)
        showf(stderr, "wrote %s: 'vouch tag --answers FILE -m %s --operating-point' leaves out what is below\n",
              t->options->output, t->options->output);
    else if (t->answers)
        showf(stderr, "'vouch trade --precision P -m CALIBRATION -o FILE' chooses a threshold and keeps it\n");
    else if (t->chosen && !target(t->options))
        showf(stderr,
              "the model is as it was: -o FILE, or --in-place, keeps the threshold%s in a model, with which 'vouch "
              "tag%s --operating-point' labels\n",
              many, scores);
    else if (t->chosen)
        showf(stderr, "wrote %s: 'vouch tag -m %s%s --operating-point' labels with the chosen threshold%s\n",
              target(t->options), target(t->options), scores, many);
    else
        showf(stderr, "'vouch trade --precision P' (or --recall R) chooses a threshold, and -o FILE keeps it in a "
                      "model\n");
}

/* Writes and prints what was found. */
static bool report(const struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    json_t *point = t->chosen ? trade_record(t, err) : NULL;
    bool ok = (point || !t->chosen) && (!s->csv || write_csv(t, s->csv, err)) &&
              (!s->plot || write_plot(t, s->plot, err)) && (!point || !target(s) || save(t, point, err));
    if (ok && s->json)
        show_json(trade_json(t, point), 9);
    else if (ok)
        print_trade(t);
    json_decref(point);
    return ok;
}

static bool run_trading(struct trade *t, struct vouch_error *err)
{
    const struct options *common = &t->options->common;
    if (!trade_open(t, err))
        return false;
    if (!t->model->seen.count)
        warn_of_training(common->work.watch, t->model, common->argument, common->arguments,
                         "answers it better than other files: precision and recall will be lower there");
    answering_say_methods(common, t->estimator);
    interrupt_catch();
    return trade_run(t, err) && report(t, err);
}

/* Trades by the spans of another program. */
static int trade_answers(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    struct answer_calibration calibration = {0};
    t->calibration = s->model ? &calibration : NULL;
    bool ok = saving_possible(s, err) && (!s->model || answer_calibration_read(&calibration, s->model, err)) &&
              trade_open_spans(t, err);
    if (ok)
        interrupt_catch();
    ok = ok && trade_run(t, err) && report(t, err);
    if (ok)
        say_next(t);
    trade_release(t);
    answer_calibration_release(&calibration);
    return done_if(ok);
}

static int trade(void *options, struct vouch_error *err)
{
    struct trade_options *s = options;
    struct trade t = {.options = s};
    if (!trade_prepare(&t, err))
        return EXIT_MISUSE;
    if (s->answers)
        return trade_answers(&t, err);
    bool ok = saving_model_possible(target(s), s, err) && saving_possible(s, err);
    struct score_files *files = NULL;
    vouch_model *model = ok ? open_with_scores(s->model, &s->source, &files, err) : NULL;
    t.model = model;
    t.scores = files;
    ok = model && run_trading(&t, err);
    if (ok)
        say_next(&t);
    trade_release(&t);
    score_files_free(files);
    vouch_model_close(model);
    return done_if(ok);
}

const struct command trade_command = {
    .name = "trade",
    .arguments = "-m MODEL FILE... | --answers FILE [-m CALIBRATION] [GOLD]",
    .summary = "trade precision against recall, by confidence",
    .about =
        "Lets the model answer FILE, labelled files that it was not trained on, and shows how precision and recall "
        "of entities (or chunks) change if those of low confidence are left out, and if words that are outside "
        "with low confidence are labelled. With --precision or --recall it chooses the threshold "
        "that keeps this figure and has most of the other; -o or --in-place keeps it in a model, for 'vouch tag "
        "--operating-point'. With --guarantee, other text from the same source will have this figure as well; with "
        "--by, every type of entities, or every value of a column, has it by a threshold of its own. With --answers, "
        "the same for spans that another program has found and scored: those of low scores, or of low probabilities "
        "by a calibration, are left out, and the threshold is kept in the calibration that -o names.",
    .example = "  vouch trade -m ner.vouch testa.txt\n"
               "  vouch trade -m ner.vouch --confidence kd-fix,gamma,committee --csv curves.csv testa.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 testa.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 --guarantee 0.9 -o precise.vouch testa.txt\n"
               "  vouch tag -m precise.vouch --operating-point input.txt\n"
               "  vouch trade -m ner.vouch --precision 0.95 --guarantee 0.9 --by type --in-place testa.txt\n"
               "  vouch trade --answers spans.jsonl -m spans.json --precision 0.95 --guarantee 0.9 -o point.json\n",
    .table = &trade_options,
    .run = trade,
};
