/* Reports what a simulation of active learning found: see active_report.h. */
#include "simulation/active_report.h"

#include "base/output.h"
#include "report/plot.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 12, LEAST_WORDS = 8, LEAST_SCORE = 7, INTERVAL_WIDTH = 7, SECONDS_AN_HOUR = 3600 };

/* Returns the step between the points of a curve that make a row. */
static uint32_t row_step(const struct active_report *r)
{
    return r->outcome->points > ROWS ? (r->outcome->points + ROWS - 2) / ROWS : 1;
}

static bool is_row(const struct active_report *r, uint32_t p)
{
    return p % row_step(r) == 0 || p + 1 == r->outcome->points;
}

/* Finds the number of sentences labelled at point p, if any run got there. */
static bool sentences_at(const struct active_report *r, uint32_t p, uint32_t *sentences)
{
    for (uint32_t i = 0; i < r->outcome->runs; i++)
        if (r->outcome->curve[i].points > p) {
            *sentences = r->outcome->curve[i].point[p].sentences;
            return true;
        }
    return false;
}

static bool has_intervals(const struct active_report *r)
{
    return r->summary->repeats > 1;
}

static int score_width(const struct active_report *r)
{
    int name = (int)strlen(r->score) + 2, own = name > LEAST_SCORE ? name : LEAST_SCORE;
    return has_intervals(r) ? own + INTERVAL_WIDTH : own;
}

/* Returns the width of the column of words, such that the method's name fits over its two columns. */
static int words_width(const struct active_report *r)
{
    int width = LEAST_WORDS;
    for (uint32_t w = 0; w < r->summary->ways; w++) {
        int need = (int)strlen(r->plan->strategy[w].name) + 2 - score_width(r);
        width = need > width ? need : width;
    }
    return width;
}

/* Prints "91.23", or "91.23 ±0.42", to the right of `width` columns. */
static void print_score(double score, double interval, int width)
{
    if (isnan(score))
        printf("%*s", width, "-");
    else if (isnan(interval))
        printf("%*.2f", width, score);
    else
        printf("%*.2f ±%5.2f", width - INTERVAL_WIDTH, score, interval);
}

static void print_point(const struct active_report *r, const struct active_way *way, uint32_t p)
{
    if (p >= way->points) {
        printf("%*s%*s", words_width(r), "-", score_width(r), "-");
        return;
    }
    printf("%*.0f", words_width(r), way->mean[p].cost);
    print_score(way->mean[p].score, way->interval[p], score_width(r));
}

static void print_curves(const struct active_report *r)
{
    uint32_t sentences, shown = 0, points = 0;
    printf("%9s", "");
    for (uint32_t w = 0; w < r->summary->ways; w++)
        printf("%*s", words_width(r) + score_width(r), r->plan->strategy[w].name);
    printf("\n%9s", "sentences");
    for (uint32_t w = 0; w < r->summary->ways; w++)
        printf("%*s%*s", words_width(r), "words", score_width(r), r->score);
    printf("\n");
    for (uint32_t p = 0; p < r->outcome->points && sentences_at(r, p, &sentences); p++) {
        points++;
        if (!is_row(r, p))
            continue;
        printf("%9u", sentences);
        for (uint32_t w = 0; w < r->summary->ways; w++)
            print_point(r, &r->summary->way[w], p);
        printf("\n");
        shown++;
    }
    if (shown < points)
        printf("(%u of %u measurements; --csv and --json have all)\n", shown, points);
}

static void print_number(double x, int width, int digits, const char *unit)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f%s", width - (int)strlen(unit), digits, x, unit);
}

/*
 * Prints how many words, and how many hours of labelling, each method needs for
 * the last score of random; and the area under its curve.
 */
static void print_ways(const struct active_report *r)
{
    const struct active_summary *s = r->summary;
    bool random = !isnan(s->target);
    char reach[32], area[48];
    snprintf(reach, sizeof reach, "%s %.2f after", r->score, s->target);
    snprintf(area, sizeof area, "%s up to %.0f words", r->score, s->area_to);
    printf("%-20s", "method");
    if (random)
        printf(" %22s %8s %8s %8s", reach, "saved", "time", "saved");
    printf(" %28s%s\n", area, random && has_intervals(r) ? "         p" : "");
    for (uint32_t w = 0; w < s->ways; w++) {
        const struct active_way *way = &s->way[w];
        printf("%-20s", r->plan->strategy[w].name);
        if (random) {
            print_number(way->reach, 23, 0, " words");
            print_number(way->saved, 9, 1, " %");
            print_number(way->reach_seconds / SECONDS_AN_HOUR, 9, 2, " h");
            print_number(way->saved_seconds, 9, 1, " %");
        }
        print_score(way->area, way->area_interval, 29);
        if (random && has_intervals(r))
            print_number(way->p, 10, 4, "");
        printf("\n");
    }
}

void active_report_print(const struct active_report *r)
{
    const struct dataset *dataset = r->plan->dataset;
    printf("%s: %u sentences to choose from, %u to measure on; ", r->task, dataset->layer[0].examples.count,
           dataset->layer[0].dev.count);
    if (has_intervals(r))
        printf("means of %u repeats, ± is a 95 %% interval (Student's t)\n\n", r->summary->repeats);
    else
        printf("one repeat\n\n");
    print_curves(r);
    printf("\n");
    print_ways(r);
}

static json_t *number(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

/* Lists every run of one way, as it was measured. */
static json_t *runs_json(const struct active_report *r, uint32_t w)
{
    json_t *runs = json_array();
    for (uint32_t k = 0; k < r->plan->repeats; k++) {
        const struct active_curve *curve = &r->outcome->curve[(size_t)w * r->plan->repeats + k];
        json_t *points = json_array();
        for (uint32_t p = 0; p < curve->points; p++)
            json_array_append_new(points,
                                  json_pack("{s:I, s:I, s:f, s:f}", "sentences", (json_int_t)curve->point[p].sentences,
                                            "words", (json_int_t)curve->point[p].words, "seconds",
                                            curve->point[p].seconds, "score", curve->point[p].score));
        json_array_append_new(runs, points);
    }
    return runs;
}

static json_t *way_json(const struct active_report *r, uint32_t w)
{
    const struct active_way *way = &r->summary->way[w];
    json_t *mean = json_array();
    for (uint32_t p = 0; p < way->points; p++) {
        uint32_t sentences = 0;
        sentences_at(r, p, &sentences);
        json_array_append_new(mean, json_pack("{s:I, s:f, s:f, s:f, s:o}", "sentences", (json_int_t)sentences, "words",
                                              way->mean[p].cost, "seconds", way->time[p].cost, "score",
                                              way->mean[p].score, "interval", number(way->interval[p])));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "method", r->plan->strategy[w].name,
                     "reached_after", number(way->reach), "saved", number(way->saved), "reached_after_seconds",
                     number(way->reach_seconds), "saved_seconds", number(way->saved_seconds), "area", number(way->area),
                     "area_interval", number(way->area_interval), "p", number(way->p), "mean", mean, "runs",
                     runs_json(r, w));
}

void active_report_json(const struct active_report *r)
{
    json_t *ways = json_array();
    for (uint32_t w = 0; w < r->summary->ways; w++)
        json_array_append_new(ways, way_json(r, w));
    json_t *result = json_pack("{s:s, s:s, s:I, s:b, s:o, s:o, s:o}", "task", r->task, "score", r->score, "repeats",
                               (json_int_t)r->summary->repeats, "interrupted", r->outcome->stopped, "target",
                               number(r->summary->target), "area_to", number(r->summary->area_to), "methods", ways);
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

bool active_report_csv(const struct active_report *r, const char *path, struct vouch_error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    output_printf(out, "method,repeat,sentences,words,seconds,score\n");
    for (uint32_t i = 0; i < r->outcome->runs; i++) {
        const struct active_curve *curve = &r->outcome->curve[i];
        for (uint32_t p = 0; p < curve->points; p++)
            output_printf(out, "%s,%u,%u,%zu,%.1f,%.4f\n", r->plan->strategy[i / r->plan->repeats].name,
                          i % r->plan->repeats + 1, curve->point[p].sentences, curve->point[p].words,
                          curve->point[p].seconds, curve->point[p].score);
    }
    return output_commit(out, err);
}

/* Fills in the numbers of a line, in `from` [4][points]: words, score, and its band. */
static void fill_series(struct plot_series *series, const char *name, const struct active_way *way, bool band,
                        double *from)
{
    double *x = from, *y = x + way->points, *low = y + way->points, *high = low + way->points;
    for (uint32_t p = 0; p < way->points; p++) {
        x[p] = way->mean[p].cost;
        y[p] = way->mean[p].score;
        low[p] = y[p] - way->interval[p];
        high[p] = y[p] + way->interval[p];
    }
    *series = (struct plot_series){
        .name = name, .x = x, .y = y, .low = band ? low : NULL, .high = band ? high : NULL, .points = way->points};
}

bool active_report_plot(const struct active_report *r, const char *path, struct vouch_error *err)
{
    const struct active_summary *s = r->summary;
    struct plot_series *series = new_array(s->ways, sizeof *series, err);
    double *numbers = new_array((size_t)s->ways * 4 * r->outcome->points, sizeof *numbers, err);
    char title[64];
    snprintf(title, sizeof title, "%s: what to label next", r->task);
    struct plot plot = {.title = title,
                        .x_label = "words labelled",
                        .y_label = r->score,
                        .x_from = NAN,
                        .x_to = NAN,
                        .y_from = NAN,
                        .y_to = NAN,
                        .log_x = true,
                        .series = series};
    bool ok = series && numbers;
    for (uint32_t w = 0; ok && w < s->ways; w++)
        if (s->way[w].points)
            fill_series(&series[plot.count++], r->plan->strategy[w].name, &s->way[w], has_intervals(r),
                        numbers + (size_t)w * 4 * r->outcome->points);
    ok = ok && plot_draw(&plot, path, err);
    free(series);
    free(numbers);
    return ok;
}
