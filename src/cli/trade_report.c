/*
 * Reports how precision was traded against recall: see trade_report.h.
 *
 * A row tells how much one figure gains for so many points that the other
 * loses. The last table tells how much it gains for one point of F1.
 */
#include "cli/trade_report.h"

#include "base/output.h"
#include "cli/show.h"
#include "report/plot.h"

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

void trade_report_print(const struct trade *t)
{
    const struct trade_point *base = trade_unchanged(t);
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

/* Draws a method from the surest few to the unchanged answer, and on to the most recall: beyond, both figures fall. */
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
