/*
 * Writes the chapter on trading precision for recall and recall for precision, by confidence.
 *
 * Towards precision, entities with less confidence than a threshold are removed, as wholes, or word by word as in the
 * paper. Towards recall, words outside of entities with less confidence become their second-best label, with the types
 * kept or made one. The paper replaces words and counts them; its numbers are beside those of its protocol.
 */
#include "base/order.h"
#include "study/chapters.h"
#include "study/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", "committee", NULL};
static const char *const by_threshold[] = {"kd-fix", "gamma", NULL};
static const size_t colours[] = {0, 3}; /* of these; dashes are for precision, F1 and recall */

/*
 * One kind of trade, by the name that vouch trade has for it, and the step that measures it; with the paper's figures,
 * or NULL.
 */
static const struct bargain {
    const char *name, *other, *step, *file;
    const char *table_title, *title; /* of the table; of the figures, before what they show */
    const char *published_f1, *published;
} bargains[] = {
    {"precision", "recall", "raw", "tradeoff-precision",
     "Most precision of entities, which stand or fall as wholes, with F1 within one point of the unchanged, in percent",
     "Towards precision", NULL, NULL},
    {"precision", "recall", "words", "tradeoff-precision-words",
     "Most precision of words in entities, replaced one by one as in the paper, with F1 within one point of the "
     "unchanged, in percent",
     "Towards precision, word by word", "f1", "traded precision"},
    {"recall", "precision", "words", "tradeoff-recall-types",
     "Most recall of words in entities with F1 within one point of the unchanged, types kept, in percent",
     "Towards recall, types kept", "f1", NULL},
    {"recall", "precision", "merged", "tradeoff-recall",
     "Most recall of words in entities with F1 within one point of the unchanged, types merged, in percent",
     "Towards recall, types merged", "merged f1", "merged traded recall"},
};
enum { BARGAINS = sizeof bargains / sizeof *bargains };

static const json_t *points_of(const json_t *curve)
{
    const json_t *all = json_object_get(curve, "curve");
    return all ? all : json_object_get(curve, "points");
}

static void table_of_best(struct document *doc, const struct results *r, const struct bargain *d)
{
    struct table t;
    char path[64];
    table_init(&t, d->file, d->table_title, "dataset", BETTER_HIGHER);
    prose_begin(&t.says);
    snprintf(path, sizeof path, "within_one_point_of_f1.%s", d->name);
    table_add_column(&t, (struct table_column){.name = d->name, .group = "unchanged", .digits = 2});
    table_add_column(&t, (struct table_column){.name = "F1", .group = "unchanged", .digits = 2, .published_digits = 0});
    add_methods(&t, NULL, methods, 2);
    if (!t.broken)
        t.column[2].published_digits = 0;
    for (size_t i = 0; i < r->sets; i++) {
        const struct result_set *set = &r->set[i];
        const json_t *step = results_step(r, "tradeoff/%s/%s", set->key, d->step), *start;
        if (!step)
            continue;
        start = json_object_get(step, "unchanged");
        add_set(&t, set);
        table_put(&t, 0, number_at(start, d->name));
        put_with_published(&t, 1, number_at(start, "f1"), set,
                           (struct published){PAPER_TEXT, d->published_f1 ? d->published_f1 : "", 100});
        for (size_t j = 0; methods[j]; j++)
            table_put(&t, j + 2, number_at(trade_curve_of(step, methods[j], d->name), path));
        if (d->published)
            table_cell(&t, 2)->published = 100 * published_of(set, PAPER_TEXT, d->published);
    }
    table_add_means(&t, "mean");
    say_best(&t.says, &t, NULL, "");
    document_table(doc, &t);
}

/* Returns where the axis begins: points far below both figures are not shown. */
static double lowest_shown(const json_t *start)
{
    const double far = 40;
    double low = fmin(number_at(start, "precision"), number_at(start, "recall")) - far;
    return low > 0 ? 10 * floor(low / 10) : 0;
}

/* Draws three lines for each method: precision, F1 and recall. */
static void chart_of_threshold(struct figure *f, const json_t *step, const struct result_set *set,
                               const struct bargain *d)
{
    static const char *const figures[] = {"precision", "f1", "recall"}, *const names[] = {"precision", "F1", "recall"};
    char name[128];
    snprintf(name, sizeof name, "%s-threshold", d->file);
    struct chart *c = add_set_chart(f, name, set, "threshold of confidence", "%");
    const json_t *start = json_object_get(step, "unchanged");
    c->x_from = 0;
    c->x_to = 1;
    c->y_to = 100;
    c->y_from = lowest_shown(start);
    for (size_t j = 0; by_threshold[j]; j++) {
        const json_t *points = points_of(trade_curve_of(step, by_threshold[j], d->name));
        for (size_t k = 0; k < 3; k++) {
            snprintf(name, sizeof name, "%s, %s", label_of(by_threshold[j]), names[k]);
            chart_add_series(c, name);
            chart_set_look(c, colours[j], k);
            for (size_t p = 0; p < json_array_size(points); p++)
                chart_add_point(c, number_at(json_array_get(points, p), "threshold"),
                                number_at(json_array_get(points, p), figures[k]));
        }
    }
}

/* Returns the point of a curve with the most of a figure: beyond it, both fall. */
static size_t best_on(const json_t *points, const char *figure)
{
    struct best best = {0};
    for (size_t p = 0; p < json_array_size(points); p++)
        best_offer(&best, p, number_at(json_array_get(points, p), figure));
    return best.row;
}

static void chart_of_trade(struct figure *f, const json_t *step, const struct result_set *set, const struct bargain *d)
{
    char name[128];
    const json_t *start = json_object_get(step, "unchanged");
    snprintf(name, sizeof name, "%s-curve", d->file);
    struct chart *c = add_set_chart(f, name, set, "recall, %", "precision, %");
    for (size_t j = 0; methods[j]; j++) {
        const json_t *points = points_of(trade_curve_of(step, methods[j], d->name));
        add_line(c, methods[j]);
        if (json_array_size(points))
            chart_add_point(c, number_at(start, "recall"), number_at(start, "precision"));
        for (size_t p = 0; p <= best_on(points, d->name) && p < json_array_size(points); p++)
            chart_add_point(c, number_at(json_array_get(points, p), "recall"),
                            number_at(json_array_get(points, p), "precision"));
    }
}

/* Returns the most of a figure on a curve, as long as the other one is at least so high. */
static double most_on(const json_t *points, const char *figure, const char *other, double least)
{
    double most = NAN;
    for (size_t p = 0; p < json_array_size(points); p++) {
        const json_t *point = json_array_get(points, p);
        if (number_at(point, other) >= least)
            most = fmax(most, number_at(point, figure));
    }
    return most;
}

/* Adds what the paper has for the most that a method reaches: " (95 in the paper)". */
static void say_published(struct prose *prose, const struct result_set *set, const struct bargain *d,
                          const char *method)
{
    char column[48];
    snprintf(column, sizeof column, "most %s %s", d->name, method);
    double published = d->published ? published_of(set, PAPER_TEXT, column) : NAN;
    if (!isnan(published))
        prose_say(prose, " (%.0f in the paper)", 100 * published);
}

/* Tells how far KD-Fix and Gamma get, at whatever cost. */
static void say_most(struct prose *prose, const struct results *r, const struct bargain *d)
{
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "tradeoff/%s/%s", r->set[i].key, d->step);
        double start = number_at(json_object_get(step, "unchanged"), d->name);
        double kd = most_on(points_of(trade_curve_of(step, "kd-fix", d->name)), d->name, d->name, 0);
        double gamma = most_on(points_of(trade_curve_of(step, "gamma", d->name)), d->name, d->name, 0);
        if (isnan(kd) || isnan(gamma))
            continue;
        if (prose->length)
            prose_say(prose, "; ");
        else
            prose_say(prose, "The most %s, at whatever cost of %s. ", d->name, d->other);
        prose_say(prose, "%s: from %.1f up to %.1f by KD-Fix", r->set[i].name, start, kd);
        say_published(prose, &r->set[i], d, "kd-fix");
        prose_say(prose, " and %.1f by Gamma", gamma);
        say_published(prose, &r->set[i], d, "gamma");
    }
    if (prose->length)
        prose_say(prose, ".");
}

/* Tells how little recall is gained with the types kept, and at what cost, as the paper does. */
static void say_gained(struct prose *prose, const struct results *r, const struct bargain *d)
{
    bool types_kept = strcmp(d->name, "recall") == 0 && !d->published;
    for (size_t i = 0; types_kept && i < r->sets; i++) {
        double gained = published_of(&r->set[i], PAPER_TEXT, "recall gained");
        double lost = published_of(&r->set[i], PAPER_TEXT, "precision lost");
        if (isnan(gained) || !results_step(r, "tradeoff/%s/%s", r->set[i].key, d->step))
            continue;
        prose_say(prose,
                  "%sIn the paper recall of names improves at most by %.0f points, while precision drops by about "
                  "%.0f.",
                  prose->length ? " " : "", 100 * gained, 100 * lost);
        return;
    }
}

/* Tells what ten points of the other figure buy, in the mean. */
static void say_price(struct prose *prose, const struct results *r, const struct bargain *d)
{
    const double price = 10;
    size_t n = 0;
    for (size_t j = 0; methods[j]; j++) {
        double sum = 0;
        n = 0;
        for (size_t i = 0; i < r->sets; i++) {
            const json_t *step = results_step(r, "tradeoff/%s/%s", r->set[i].key, d->step);
            const json_t *start = json_object_get(step, "unchanged");
            if (!step)
                continue;
            sum += most_on(points_of(trade_curve_of(step, methods[j], d->name)), d->name, d->other,
                           number_at(start, d->other) - price) -
                   number_at(start, d->name);
            n++;
        }
        if (n && !isnan(sum))
            prose_say(prose, "%s%s %+.1f", prose->length ? ", " : "", label_of(methods[j]), sum / (double)n);
    }
    if (prose->length)
        prose_say(prose, ": the %s that ten points of %s buy%s.", d->name, d->other, in_the_mean(n));
}

static void figures_of(struct document *doc, const struct results *r, const struct bargain *d)
{
    struct figure threshold = {0}, curve = {0};
    char title[128];
    snprintf(title, sizeof title, "%s: precision, F1 and recall against the threshold.", d->title);
    figure_title(&threshold, title);
    snprintf(title, sizeof title, "%s: precision against recall.", d->title);
    figure_title(&curve, title);
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "tradeoff/%s/%s", r->set[i].key, d->step);
        if (!step)
            continue;
        chart_of_threshold(&threshold, step, &r->set[i], d);
        chart_of_trade(&curve, step, &r->set[i], d);
    }
    say_most(&threshold.says, r, d);
    say_gained(&threshold.says, r, d);
    document_figure(doc, &threshold);
    say_price(&curve.says, r, d);
    document_figure(doc, &curve);
}

/* Shows how sure methods are of words outside of entities: those that should be in one, and those that should not. */
static void table_of_outside(struct document *doc, const struct results *r)
{
    static const char *const judges[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", NULL};
    static const char *const groups[] = {"wrongly", "rightly"}, *const published[] = {"outside wrongly",
                                                                                      "outside rightly"};
    static const char *const paths[] = {"wrongly.confidence", "rightly.confidence"};
    enum { JUDGES = sizeof judges / sizeof *judges - 1 };
    struct table t;
    table_init(&t, "tradeoff-outside", "Mean raw confidence of the words outside of entities, wrongly and rightly so",
               "dataset", BETTER_NEITHER);
    for (size_t g = 0; g < 2; g++)
        add_methods(&t, groups[g], judges, 3);
    for (size_t j = 0; !t.broken && j < t.columns; j++)
        t.column[j].published_digits = 2;
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "tradeoff/%s/raw", r->set[i].key);
        const json_t *outside = json_object_get(step, "outside");
        if (!outside)
            continue;
        add_set(&t, &r->set[i]);
        for (size_t g = 0; g < 2; g++)
            for (size_t j = 0; judges[j]; j++)
                put_with_published(&t, g * JUDGES + j, number_at(element_with(outside, "method", judges[j]), paths[g]),
                                   &r->set[i], (struct published){j ? PAPER_NONE : PAPER_TEXT, published[g], 1});
    }
    table_add_means(&t, "mean");
    document_table(doc, &t);
}

void chapter_tradeoff(struct document *doc, const struct results *r)
{
    for (size_t i = 0; i < BARGAINS; i++) {
        table_of_best(doc, r, &bargains[i]);
        figures_of(doc, r, &bargains[i]);
    }
    table_of_outside(doc, r);
}
