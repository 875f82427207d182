/*
 * Writes the chapter on trading precision for recall and recall for precision, by confidence.
 *
 * Towards precision, entities with less confidence than a threshold are removed, as wholes, or word by word as in the
 * paper. Towards recall, words outside of entities with less confidence become their second-best label, with the types
 * kept or made one. The paper replaces words and counts them; its numbers are beside those of its protocol, in which CW
 * learns from the best answer. Figures are of CW as it learns usually here.
 */
#include "base/order.h"
#include "study/chapters.h"

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
static const struct trade_kind {
    const char *name, *other, *step, *file;
    const char *table_title, *title; /* of the table; of the figures, before what they show */
    const char *published_f1, *published;
} trades[] = {
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
enum { TRADES = sizeof trades / sizeof *trades };

/* Returns the points of a curve of one method, in the setting with that suffix: all, or those that are printed. */
static const json_t *points_of(const struct result_set *set, const struct trade_kind *b, const char *suffix,
                               const char *method)
{
    const json_t *curve = part_at(set, "tradeoff/@/%s%s:curves[%s,%s]", b->step, suffix, method, b->name);
    const json_t *all = json_object_get(curve, "curve");
    return all ? all : json_object_get(curve, "points");
}

/* Returns a figure of the answers before anything is traded. */
static double unchanged(const struct result_set *set, const struct trade_kind *b, const char *suffix,
                        const char *figure)
{
    return figure_at(set, "tradeoff/@/%s%s:unchanged.%s", b->step, suffix, figure);
}

/* Shows all settings side by side, the paper's first. */
static void table_of_best(struct document *doc, const struct results *r, const struct trade_kind *b)
{
    struct table t;
    char step[PATH_SIZE], before[2][PATH_SIZE], path[2][PATH_SIZE], label[2][LABEL_SIZE], at_first[2][LABEL_SIZE + 16];
    const char *const figures[] = {b->name, "f1", NULL}, *const names[] = {b->name, "F1"};
    snprintf(step, sizeof step, "tradeoff/@/%s", b->step);
    struct set_table best = {b->file, b->table_title, OF_ANY, BETTER_HIGHER, .rows = step};
    for (size_t i = 0; i < r->settings; i++) {
        const struct setting *setting = &r->setting[i];
        label_of_algorithm(setting->cw, label[i]);
        snprintf(at_first[i], sizeof at_first[i], "%.40s, unchanged", label[i]);
        snprintf(before[i], sizeof before[i], "tradeoff/@/%s%s:unchanged.*", b->step, setting->suffix);
        snprintf(path[i], sizeof path[i], "tradeoff/@/%s%s:curves[*,%s].within_one_point_of_f1.%s", b->step,
                 setting->suffix, b->name, b->name);
        best.columns[2 * i] =
            (struct columns){at_first[i], figures, names, before[i], .digits = 2,
                             .published = {PAPER_TEXT, b->published_f1, i == 0 && b->published_f1 ? 100 : 0, "f1"}};
        best.columns[2 * i + 1] = (struct columns){
            label[i], methods, NULL, path[i], .digits = 2, .rivals = true,
            .published = {PAPER_TEXT, b->published, i == 0 && b->published ? 100 : 0, "kd-fix", .always = true}};
    }
    set_table(&t, r, &best);
    for (size_t i = 0; i < r->settings; i++)
        say_best(&t, label[i], i ? "As usual here. " : "");
    document_table(doc, &t);
}

/* Draws three lines for each method: precision, F1 and recall. */
static void chart_of_threshold(struct figure *f, const struct result_set *set, const struct trade_kind *b)
{
    static const char *const figures[] = {"precision", "f1", "recall"}, *const names[] = {"precision", "F1", "recall"};
    const double far = 40; /* points far below both figures are not shown */
    double low = fmin(unchanged(set, b, "", "precision"), unchanged(set, b, "", "recall")) - far;
    char name[128];
    snprintf(name, sizeof name, "%s-threshold", b->file);
    struct chart *c = add_set_chart(f, name, set, "threshold of confidence", "%");
    set_ranges(c, 0, 1, low > 0 ? 10 * floor(low / 10) : 0, 100);
    for (size_t j = 0; by_threshold[j]; j++)
        for (size_t k = 0; k < 3; k++) {
            snprintf(name, sizeof name, "%s, %s", label_of(by_threshold[j]), names[k]);
            chart_add_series(c, name);
            chart_set_style(c, colours[j], k);
            add_points(c, points_of(set, b, "", by_threshold[j]), "threshold", figures[k]);
        }
}

/* Draws precision against recall, as far as the point with the most of the figure: beyond it, both fall. */
static void chart_of_trade(struct figure *f, const struct result_set *set, const struct trade_kind *b)
{
    char name[128];
    snprintf(name, sizeof name, "%s-curve", b->file);
    struct chart *c = add_set_chart(f, name, set, "recall, %", "precision, %");
    for (size_t j = 0; methods[j]; j++) {
        const json_t *points = points_of(set, b, "", methods[j]);
        struct best best = {0};
        add_line(c, methods[j]);
        if (json_array_size(points))
            chart_add_point(c, unchanged(set, b, "", "recall"), unchanged(set, b, "", "precision"));
        for (size_t p = 0; p < json_array_size(points); p++)
            best_offer(&best, p, number_at(json_array_get(points, p), b->name));
        for (size_t p = 0; p <= best.row && p < json_array_size(points); p++)
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

/* Tells how far KD-Fix and Gamma get, at whatever cost, as in the paper; and there. */
static void say_most(struct prose *prose, const struct results *r, const struct trade_kind *b)
{
    const char *suffix = r->setting[0].suffix;
    char label[LABEL_SIZE];
    for (EACH_SET(set, r, OF_ANY)) {
        double most[2];
        for (size_t j = 0; j < 2; j++)
            most[j] = most_on(points_of(set, b, suffix, by_threshold[j]), b->name, b->name, 0);
        if (isnan(most[0]) || isnan(most[1]))
            continue;
        prose_say(prose, prose->length ? "; " : "The most %s by %s, at whatever cost of %s. ", b->name,
                  label_of_algorithm(r->setting[0].cw, label), b->other);
        prose_say(prose, "%s: from %.1f up to", set->name, unchanged(set, b, suffix, b->name));
        for (size_t j = 0; j < 2; j++) {
            char column[48];
            snprintf(column, sizeof column, "most %s %s", b->name, by_threshold[j]);
            double published = b->published ? published_of(set, PAPER_TEXT, column) : NAN;
            prose_say(prose, "%s %.1f by %s", j ? " and" : "", most[j], label_of(by_threshold[j]));
            if (!isnan(published))
                prose_say(prose, " (%.0f in the paper)", 100 * published);
        }
    }
    prose_end(prose, ".");
}

/* Tells how little recall is gained with the types kept, and at what cost, as the paper does. */
static void say_gained(struct prose *prose, const struct results *r, const struct trade_kind *b)
{
    bool types_kept = strcmp(b->name, "recall") == 0 && !b->published;
    for (EACH_SET(set, r, OF_ANY)) {
        double gained = published_of(set, PAPER_TEXT, "recall gained");
        if (!types_kept || isnan(gained) || !part_at(set, "tradeoff/@/%s", b->step))
            continue;
        prose_say(prose,
                  "%sIn the paper recall of names improves at most by %.0f points, while precision drops by about "
                  "%.0f.",
                  prose->length ? " " : "", 100 * gained, 100 * published_of(set, PAPER_TEXT, "precision lost"));
        return;
    }
}

/* Tells what ten points of the other figure buy, in the mean. */
static void say_price(struct prose *prose, const struct results *r, const struct trade_kind *b)
{
    const double price = 10;
    size_t n = 0;
    for (size_t j = 0; methods[j]; j++) {
        double sum = 0;
        n = 0;
        for (EACH_SET(set, r, OF_ANY)) {
            if (!part_at(set, "tradeoff/@/%s", b->step))
                continue;
            double least = unchanged(set, b, "", b->other) - price;
            sum += most_on(points_of(set, b, "", methods[j]), b->name, b->other, least) -
                   unchanged(set, b, "", b->name);
            n++;
        }
        if (n && !isnan(sum))
            prose_say(prose, "%s%s %+.1f", prose->length ? ", " : "", label_of(methods[j]), sum / (double)n);
    }
    if (prose->length)
        prose_say(prose, ": the %s that ten points of %s buy%s.", b->name, b->other, in_the_mean(n));
}

static void figures_of(struct document *doc, const struct results *r, const struct trade_kind *b)
{
    char against_threshold[128], against_recall[128];
    struct figure threshold = {.title = against_threshold}, curve = {.title = against_recall};
    snprintf(against_threshold, sizeof against_threshold, "%s: precision, F1 and recall against the threshold.",
             b->title);
    snprintf(against_recall, sizeof against_recall, "%s: precision against recall.", b->title);
    for (EACH_SET(set, r, OF_ANY)) {
        if (!part_at(set, "tradeoff/@/%s", b->step))
            continue;
        chart_of_threshold(&threshold, set, b);
        chart_of_trade(&curve, set, b);
    }
    say_most(&threshold.says, r, b);
    say_gained(&threshold.says, r, b);
    document_figure(doc, &threshold);
    say_price(&curve.says, r, b);
    document_figure(doc, &curve);
}

/* Shows how sure methods are of words outside of entities: those that should be in one, and those that should not; in
   the paper's setting, whose numbers are beside. */
static void table_of_outside(struct document *doc, const struct results *r)
{
    static const char *const judges[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", NULL};
    const struct setting *setting = &r->setting[0];
    char rows[PATH_SIZE], wrongly[PATH_SIZE], rightly[PATH_SIZE], title[160], label[LABEL_SIZE];
    snprintf(rows, sizeof rows, "tradeoff/@/raw%s:outside", setting->suffix);
    snprintf(wrongly, sizeof wrongly, "tradeoff/@/raw%s:outside[*].wrongly.confidence", setting->suffix);
    snprintf(rightly, sizeof rightly, "tradeoff/@/raw%s:outside[*].rightly.confidence", setting->suffix);
    snprintf(title, sizeof title, "Mean raw confidence of the words that %s has outside of entities, wrongly and "
             "rightly so", label_of_algorithm(setting->cw, label));
    const struct set_table outside = {
        "tradeoff-outside",
        title,
        OF_ANY,
        BETTER_NEITHER,
        .rows = rows,
        .columns = {{"wrongly", judges, NULL, wrongly, 3, 2, .published = {PAPER_TEXT, "outside wrongly", 1, "kd-fix"}},
                    {"rightly", judges, NULL, rightly, 3, 2,
                     .published = {PAPER_TEXT, "outside rightly", 1, "kd-fix"}}}};
    struct table t;
    set_table(&t, r, &outside);
    prose_release(&t.says); /* nothing is said */
    document_table(doc, &t);
}

void chapter_tradeoff(struct document *doc, const struct results *r)
{
    for (size_t i = 0; i < TRADES; i++) {
        table_of_best(doc, r, &trades[i]);
        figures_of(doc, r, &trades[i]);
    }
    table_of_outside(doc, r);
}
