/*
 * How precision was traded against recall: see trade_report.h.
 *
 * A row says how much one figure gains for so many points that the other
 * loses. The last table says how much it gains for one point of F1.
 */
#include "cli/trade_report.h"

#include "base/output.h"
#include "cli/show.h"
#include "report/plot.h"

#include <math.h>
#include <stdio.h>

static const double losses[] = {0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50}; /* points of the other figure */
enum { LOSSES = sizeof losses / sizeof *losses };

#define POINT_OF_F1 1.0

/* The unchanged answer, which is where all curves start. */
static const struct trade_point *unchanged(const struct trade *t)
{
    const struct trade_curve *first = trade_curve(t, 0, TOWARDS_PRECISION);
    return first->points ? first->point : trade_curve(t, 0, TOWARDS_RECALL)->point;
}

static const struct trade_point *within_a_point(const struct trade *t, const struct trade_curve *curve)
{
    return trade_best(curve, curve->direction, tag_rates(unchanged(t)->counts).f1 - POINT_OF_F1, 0);
}

/* Points of a curve worth a row, [LOSSES]; how many. */
static size_t choose_rows(const struct trade_curve *curve, const struct trade_point **row)
{
    struct tag_rates base = tag_rates(curve->point[0].counts);
    double other = curve->direction == TOWARDS_PRECISION ? base.recall : base.precision;
    size_t rows = 0;
    for (size_t i = 0; i < LOSSES && losses[i] < other; i++) {
        const struct trade_point *point = trade_best(curve, curve->direction, 0, other - losses[i]);
        if (point != curve->point && (rows == 0 || point != row[rows - 1]))
            row[rows++] = point;
    }
    return rows;
}

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
    const struct trade_point *row[LOSSES];
    printf("\n%s\n\n", towards == TOWARDS_RECALL
                           ? "towards recall: words outside that are trusted less become their second-best label"
                       : t->by_words ? "towards precision: words in entities that are trusted less become O"
                                     : "towards precision: entities that are trusted less than the threshold become O");
    print_head();
    for (uint32_t m = 0; m < t->methods; m++) {
        size_t rows = choose_rows(trade_curve(t, m, towards), row);
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
    double base = rate_of(tag_rates(unchanged(t)->counts), towards);
    printf("\nthe most %s with F1 within one point of the unchanged\n\n", direction_names[towards]);
    print_head();
    for (uint32_t m = 0; m < t->methods; m++) {
        const struct trade_point *point = within_a_point(t, trade_curve(t, m, towards));
        print_row(t->name[m], point);
        printf("  %+.2f\n", rate_of(tag_rates(point->counts), towards) - base);
    }
}

/* The mean number of words outside of entities that should be there, or should not; NAN: there are none. */
static double mean_outside(const struct trade *t, uint32_t method, bool rightly)
{
    const struct trade_outside *outside = &t->outside[method][rightly];
    return outside->words ? outside->sum / (double)outside->words : NAN;
}

static void print_outside(const struct trade *t)
{
    printf("\nmean confidence of the words outside: %llu rightly, %llu wrongly\n\n%-20s %9s %9s\n",
           (unsigned long long)t->outside[0][true].words, (unsigned long long)t->outside[0][false].words, "method",
           "rightly", "wrongly");
    for (uint32_t m = 0; m < t->methods; m++) {
        printf("%-20s", t->name[m]);
        for (int rightly = 1; rightly >= 0; rightly--)
            if (isfinite(mean_outside(t, m, rightly)))
                printf(" %9.3f", mean_outside(t, m, rightly));
            else
                printf(" %9s", "-");
        putchar('\n');
    }
}

void trade_report_print(const struct trade *t)
{
    const struct trade_point *base = unchanged(t);
    struct tag_rates rates = tag_rates(base->counts);
    printf("%s%s: %llu in gold, %llu in the answers, %llu correct\n", trade_unit_names[t->unit],
           t->merge_types ? ", of any type" : "", (unsigned long long)base->counts.gold,
           (unsigned long long)base->counts.guessed, (unsigned long long)base->counts.correct);
    printf("unchanged: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n", rates.precision, rates.recall, rates.f1);
    print_outside(t);
    for (enum direction d = 0; d < DIRECTIONS; d++)
        if (trade_curve(t, 0, d)->points)
            print_direction(t, d);
    for (enum direction d = 0; d < DIRECTIONS; d++)
        if (trade_curve(t, 0, d)->points)
            print_within(t, d);
}

static json_t *point_json(const struct trade_point *point)
{
    struct tag_rates rates = tag_rates(point->counts);
    return json_pack("{s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "threshold", point->threshold, "precision", rates.precision,
                     "recall", rates.recall, "f1", rates.f1, "guessed", (json_int_t)point->counts.guessed, "correct",
                     (json_int_t)point->counts.correct, "changed", (json_int_t)point->changed);
}

/* The whole curve, without points that cannot be distinguished from the last one in a drawing. */
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
    const struct trade_point *row[LOSSES];
    size_t rows = choose_rows(curve, row);
    json_t *points = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(points, point_json(row[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "method", t->name[curve->method], "direction",
                     direction_names[curve->direction], "points", points, "within_one_point_of_f1",
                     point_json(within_a_point(t, curve)), "last", point_json(&curve->point[curve->points - 1]),
                     "curve", line_json(curve));
}

/* {"method", "rightly": {"words", "confidence"}, "wrongly": {...}} of every method; confidence null: it has no mean. */
static json_t *outside_json(const struct trade *t)
{
    static const char *const names[] = {"wrongly", "rightly"};
    json_t *each = json_array();
    for (uint32_t m = 0; m < t->methods; m++) {
        json_t *method = json_pack("{s:s}", "method", t->name[m]);
        for (int rightly = 1; rightly >= 0; rightly--) {
            double mean = mean_outside(t, m, rightly);
            json_object_set_new(method, names[rightly],
                                json_pack("{s:I, s:o}", "words", (json_int_t)t->outside[m][rightly].words, "confidence",
                                          isfinite(mean) ? json_real(mean) : json_null()));
        }
        json_array_append_new(each, method);
    }
    return each;
}

json_t *trade_report_json(const struct trade *t)
{
    json_t *curves = json_array();
    for (enum direction d = 0; d < DIRECTIONS; d++)
        for (uint32_t m = 0; trade_curve(t, 0, d)->points && m < t->methods; m++)
            json_array_append_new(curves, curve_json(t, trade_curve(t, m, d)));
    return json_pack("{s:I, s:I, s:s, s:s, s:b, s:I, s:o, s:o, s:o}", "sentences", (json_int_t)t->sentences, "words",
                     (json_int_t)t->words, "unit", trade_unit_names[t->unit], "by",
                     trade_unit_names[t->by_words ? TRADE_WORDS : TRADE_ENTITIES], "merge_types", t->merge_types,
                     "gold", (json_int_t)unchanged(t)->counts.gold, "unchanged", point_json(unchanged(t)), "outside",
                     outside_json(t), "curves", curves);
}

bool trade_report_csv(const struct trade *t, const char *path, struct vouch_error *err)
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

/* A line that grows. */
struct line {
    double *x, *y;
    size_t points, x_capacity, y_capacity;
};

/* Adds a point, unless it cannot be distinguished from the last one. */
static bool draw_to(struct line *line, const struct trade_point *point, struct vouch_error *err)
{
    const double visible = 0.1;
    struct tag_rates rates = tag_rates(point->counts);
    size_t n = line->points;
    if (n && fabs(line->x[n - 1] - rates.recall) < visible && fabs(line->y[n - 1] - rates.precision) < visible)
        return true;
    if (!RESERVE(line->x, line->x_capacity, n + 1, err) || !RESERVE(line->y, line->y_capacity, n + 1, err))
        return false;
    line->x[n] = rates.recall;
    line->y[n] = rates.precision;
    line->points++;
    return true;
}

/* From the surest few to the unchanged answer, and on to the most recall: beyond, both figures fall. */
static bool draw_method(const struct trade *t, uint32_t m, struct line *line, struct vouch_error *err)
{
    const struct trade_curve *down = trade_curve(t, m, TOWARDS_PRECISION), *up = trade_curve(t, m, TOWARDS_RECALL);
    bool ok = true;
    for (size_t i = down->points; ok && i > 0; i--)
        ok = draw_to(line, &down->point[i - 1], err);
    const struct trade_point *most = trade_best(up, TOWARDS_RECALL, 0, 0);
    for (const struct trade_point *point = up->point; ok && most && point <= most; point++)
        ok = draw_to(line, point, err);
    return ok;
}

bool trade_report_plot(const struct trade *t, const char *path, struct vouch_error *err)
{
    struct line line[MAX_METHODS] = {0};
    struct plot_series series[MAX_METHODS] = {0};
    struct plot plot = {.title = "Precision against recall, by confidence",
                        .x_label = "recall, %",
                        .y_label = "precision, %",
                        .x_from = NAN,
                        .x_to = NAN,
                        .y_from = NAN,
                        .y_to = NAN,
                        .series = series,
                        .count = t->methods};
    bool ok = true;
    for (uint32_t m = 0; ok && m < t->methods; m++) {
        ok = draw_method(t, m, &line[m], err);
        series[m] = (struct plot_series){.name = t->name[m], .x = line[m].x, .y = line[m].y, .points = line[m].points};
    }
    ok = ok && plot_draw(&plot, path, err);
    for (uint32_t m = 0; m < t->methods; m++) {
        free(line[m].x);
        free(line[m].y);
    }
    return ok;
}
