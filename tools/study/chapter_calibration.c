/*
 * Writes the chapter on how well confidence is a probability: the paper's Tables 9, 10 and 11, accuracy by bin, and how
 * many words a bin has. Raw numbers, as in the paper, are beside those calibrated on the development file or on
 * held-out parts of the training data.
 */
#include "study/chapters.h"
#include "study/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char cw[] = "cw+crf", pa[] = "pa+crf";
static const char *const raw_methods[] = {"kd-fix", "kd-pc", "gamma", "wkb", "random", "gamma@crf", NULL};
static const char *const calibrated_methods[] = {"kd-fix", "kd-pc",     "delta",     "gamma",
                                                 "wkb",    "gamma@crf", "committee", NULL};
enum { RAW = 6 }; /* columns of raw numbers */

static void add_columns(struct table *t)
{
    add_methods(t, "raw", raw_methods, 3);
    add_methods(t, "calibrated", calibrated_methods, 3);
}

static void table_of_rmse(struct document *d, const struct results *r, bool trees)
{
    struct table t;
    table_init(&t, trees ? "calibration-trees" : "calibration-sequences",
               trees ? "RMSE of confidence, heads by CW (the paper's Table 10)"
                     : "RMSE of confidence, labels by CW (the paper's Table 9)",
               trees ? "treebank" : "dataset", BETTER_LOWER);
    prose_begin(&t.says);
    add_columns(&t);
    for (size_t i = 0; i < r->sets; i++) {
        const struct result_set *set = &r->set[i];
        if (set->trees != trees || !was_ranked(r, set, cw))
            continue;
        add_set(&t, set);
        for (size_t j = 0; raw_methods[j]; j++)
            put_with_published(&t, j, rmse_of(r, set, cw, false, raw_methods[j]), set,
                               (struct published){trees ? 10 : 9, raw_methods[j], 1});
        for (size_t j = 0; calibrated_methods[j]; j++)
            table_put(&t, RAW + j, rmse_of(r, set, cw, true, calibrated_methods[j]));
    }
    table_add_means(&t, "mean");
    say_best(&t.says, &t, "raw", "Raw. ");
    say_best(&t.says, &t, "calibrated", "Calibrated. ");
    document_table(d, &t);
}

/* Shows the measure that exact probabilities would have, and how far calibrated ones are from it. */
static void table_of_distance(struct document *d, const struct results *r)
{
    static const struct {
        const char *name, *path;
    } figures[] = {{"RMSE", "reliability.rmse"}, {"floor", "reliability.rmse_floor"}, {"ECE", "reliability.ece"}};
    static const char *const methods[] = {"kd-fix", "gamma@crf", "committee", NULL};
    struct table t;
    table_init(&t, "calibration-distance", "How far calibrated confidence is from probability, answers of CW",
               "dataset", BETTER_NEITHER);
    prose_begin(&t.says);
    for (size_t j = 0; methods[j]; j++)
        for (size_t k = 0; k < 3; k++)
            table_add_column(
                &t, (struct table_column){.name = figures[k].name, .group = label_of(methods[j]), .digits = 3});
    for (size_t i = 0; i < r->sets; i++) {
        if (!was_ranked(r, &r->set[i], cw))
            continue;
        table_add_row(&t, r->set[i].name, false);
        for (size_t j = 0; methods[j]; j++)
            for (size_t k = 0; k < 3; k++)
                table_put(&t, 3 * j + k, number_at(judged_words(r, &r->set[i], cw, true, methods[j]), figures[k].path));
    }
    table_add_means(&t, "mean");
    prose_say(&t.says,
              "Exact probabilities would not have an RMSE of 0, since most words are surer than the centre of the "
              "last bin: the floor is what they would have, and differences of a few thousandths above it mean "
              "nothing. ECE is the mean distance of confidence and accuracy in a bin, and has no floor.");
    document_table(d, &t);
}

static void add_means(struct table *t, const struct results *r, bool trees, const char *voices, const char *name)
{
    if (isnan(rmse_mean(r, trees, voices, false, "kd-fix")) && isnan(rmse_mean(r, trees, voices, true, "kd-fix")))
        return;
    table_add_row(t, name, !are_the_papers(r, trees));
    for (size_t j = 0; raw_methods[j]; j++) {
        double mean = rmse_mean(r, trees, voices, false, raw_methods[j]);
        table_put(t, j, mean);
        if (!isnan(mean) && any_of_the_paper(r, trees))
            table_cell(t, j)->published = paper_number(11, name, raw_methods[j]);
    }
    for (size_t j = 0; calibrated_methods[j]; j++)
        table_put(t, RAW + j, rmse_mean(r, trees, voices, true, calibrated_methods[j]));
}

static void table_of_means(struct document *d, const struct results *r)
{
    struct table t;
    table_init(&t, "calibration-means", "RMSE of confidence, means (the paper's Table 11, over its own datasets)",
               "answers", BETTER_LOWER);
    prose_begin(&t.says);
    add_columns(&t);
    add_means(&t, r, false, cw, "sequences CW");
    add_means(&t, r, false, pa, "sequences PA");
    add_means(&t, r, true, cw, "trees CW");
    add_means(&t, r, true, pa, "trees PA");
    say_best_of_rows(&t.says, &t, "Best as they come, ");
    document_table(d, &t);
}

/* Draws accuracy against the centre of each bin that has enough words to tell. */
static void chart_of_bins(struct figure *f, const struct results *r, const struct result_set *set, bool calibrated,
                          const char *const *methods)
{
    enum { FEW = 5 };
    char name[256], title[256];
    snprintf(name, sizeof name, "accuracy-%s-%s", calibrated ? "calibrated" : "raw", set->key);
    snprintf(title, sizeof title, "%s, %s", set->name, calibrated ? "calibrated" : "raw");
    struct chart *c = figure_add(f, name, title, "confidence", "share that is right");
    c->x_from = c->y_from = 0;
    c->x_to = c->y_to = 1;
    chart_add_guide(c, 0, 0, 1, 1);
    for (size_t j = 0; methods[j]; j++) {
        const json_t *method = judged_words(r, set, cw, calibrated, methods[j]);
        const json_t *bins = json_object_get(json_object_get(method, "reliability"), "bins");
        size_t n = json_array_size(bins);
        add_line(c, methods[j]);
        for (size_t b = 0; b < n; b++)
            if (number_at(json_array_get(bins, b), "count") >= FEW)
                chart_add_point(c, ((double)b + 0.5) / (double)n, number_at(json_array_get(bins, b), "accuracy"));
    }
}

/* Tells whether confidence is above or below accuracy, method by method. */
static void say_sides(struct prose *prose, const struct results *r, bool trees)
{
    for (size_t j = 0; raw_methods[j]; j++) {
        double gap = 0;
        size_t n = 0;
        if (strcmp(raw_methods[j], "random") == 0)
            continue;
        for (size_t i = 0; i < r->sets; i++)
            if (r->set[i].trees == trees && was_ranked(r, &r->set[i], cw)) {
                const json_t *method = judged_words(r, &r->set[i], cw, false, raw_methods[j]);
                gap += number_at(method, "reliability.confidence") - number_at(method, "reliability.accuracy");
                n++;
            }
        if (n && !isnan(gap))
            prose_say(prose, "%s%s %+.3f",
                      prose->length ? ", " : "Mean confidence minus accuracy, raw: ", label_of(raw_methods[j]),
                      round(1000 * gap / (double)n) / 1000 + 0.0 /* never -0 */);
    }
    if (prose->length)
        prose_say(prose, ". Above the line is too pessimistic, below too sure.");
}

static void figure_of_bins(struct document *d, const struct results *r, bool trees)
{
    static const char *const drawn_raw[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", NULL};
    static const char *const drawn_calibrated[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", "committee", NULL};
    struct figure f = {0};
    figure_title(&f, trees ? "Predicted against actual accuracy of heads, by bins of confidence."
                           : "Predicted against actual accuracy of labels, by bins of confidence.");
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees == trees) {
            chart_of_bins(&f, r, &r->set[i], false, drawn_raw);
            chart_of_bins(&f, r, &r->set[i], true, drawn_calibrated);
        }
    say_sides(&f.says, r, trees);
    document_figure(d, &f);
}

/* Counts the words of a bin, and how many of them are right. */
static void bin_counts(const json_t *bin, double *all, double *right)
{
    *all = number_at(bin, "count");
    *right = *all > 0 ? *all * number_at(bin, "accuracy") : 0;
}

static const json_t *bins_of(const struct results *r, const struct result_set *set, double *words, double *right)
{
    const json_t *bins =
        json_object_get(json_object_get(judged_words(r, set, cw, false, "kd-fix"), "reliability"), "bins");
    *words = *right = 0;
    for (size_t b = 0; b < json_array_size(bins); b++) {
        double n, ok;
        bin_counts(json_array_get(bins, b), &n, &ok);
        *words += n;
        *right += ok;
    }
    return bins;
}

static void chart_of_population(struct figure *f, const struct results *r, const struct result_set *set)
{
    static const char *const names[] = {"all", "wrong", "right"}; /* blue, vermilion, green */
    double words, right, n, ok;
    const json_t *bins = bins_of(r, set, &words, &right);
    size_t count = json_array_size(bins);
    struct chart *c = add_set_chart(f, "population", set, "confidence of KD-Fix", "share of the words, %");
    c->bars = count ? 1.0 / (double)count : 0;
    c->x_from = c->y_from = 0;
    c->x_to = 1;
    c->y_to = 100;
    for (size_t s = 0; s < 3; s++) {
        chart_add_series(c, names[s]);
        for (size_t b = 0; b < count; b++) {
            bin_counts(json_array_get(bins, b), &n, &ok);
            double part = s == 0 ? n : s == 2 ? ok : n - ok, whole = s == 0 ? words : s == 2 ? right : words - right;
            chart_add_point(c, ((double)b + 0.5) / (double)count, whole > 0 ? 100 * part / whole : NAN);
        }
    }
}

/* Describes the top bin in the mean of all datasets. */
static void say_population(struct prose *prose, const struct results *r, bool trees)
{
    double all = 0, wrong = 0, words, right, n, ok;
    size_t sets = 0;
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *bins = bins_of(r, &r->set[i], &words, &right);
        if (r->set[i].trees != trees || !(words > right))
            continue;
        bin_counts(json_array_get(bins, json_array_size(bins) - 1), &n, &ok);
        all += 100 * n / words;
        wrong += 100 * (n - ok) / (words - right);
        sets++;
    }
    if (sets)
        prose_say(prose, "The top bin holds %.0f %% of the words and %.0f %% of the errors%s.", all / (double)sets,
                  wrong / (double)sets, in_the_mean(sets));
}

static void figure_of_population(struct document *d, const struct results *r, bool trees)
{
    struct figure f = {0};
    figure_title(&f, trees ? "How many heads lie in each bin of KD-Fix: of all, of the right, of the wrong."
                           : "How many labels lie in each bin of KD-Fix: of all, of the right, of the wrong.");
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees == trees)
            chart_of_population(&f, r, &r->set[i]);
    say_population(&f.says, r, trees);
    document_figure(d, &f);
}

void chapter_calibration(struct document *d, const struct results *r)
{
    table_of_rmse(d, r, false);
    figure_of_bins(d, r, false);
    figure_of_population(d, r, false);
    table_of_rmse(d, r, true);
    figure_of_bins(d, r, true);
    figure_of_population(d, r, true);
    table_of_means(d, r);
    table_of_distance(d, r);
}
