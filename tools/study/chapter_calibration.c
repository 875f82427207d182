/*
 * Writes the chapter on how well confidence is a probability: the paper's Tables 9, 10 and 11, accuracy by bin, and how
 * many words a bin has. Raw numbers, as in the paper, are beside those calibrated on the development file or on
 * held-out parts of the training data.
 */
#include "study/chapters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char cw[] = "cw+crf", pa[] = "pa+crf";
static const char *const raw_methods[] = {"kd-fix", "kd-pc", "gamma", "wkb", "random", "gamma@crf", NULL};
static const char *const calibrated_methods[] = {"kd-fix", "kd-pc",     "delta",     "gamma",
                                                 "wkb",    "gamma@crf", "committee", NULL};
enum { RAW = 6 }; /* columns of raw numbers */

static void table_of_rmse(struct document *d, const struct results *r, bool trees)
{
    struct set_table s;
    set_table_begin(&s, trees ? "calibration-trees" : "calibration-sequences",
                    trees ? "RMSE of confidence, heads by CW (the paper's Table 10)"
                          : "RMSE of confidence, labels by CW (the paper's Table 9)",
                    trees, BETTER_LOWER);
    set_table_methods(&s, "raw", raw_methods, 3, cw, "raw", RMSE, trees ? 10 : 9);
    set_table_methods(&s, "calibrated", calibrated_methods, 3, cw, "calibrated", RMSE, PAPER_NONE);
    set_table_ranked(&s, r, trees, cw);
    say_best(&s.t, "raw", "Raw. ");
    say_best(&s.t, "calibrated", "Calibrated. ");
    document_table(d, &s.t);
}

/* Shows the measure that exact probabilities would have, and how far calibrated ones are from it. */
static void table_of_distance(struct document *d, const struct results *r)
{
    static const char *const names[] = {"RMSE", "floor", "ECE"}, *const figures[] = {"rmse", "rmse_floor", "ece"};
    static const char *const methods[] = {"kd-fix", "gamma@crf", "committee", NULL};
    struct set_table s;
    set_table_begin(&s, "calibration-distance", "How far calibrated confidence is from probability, answers of CW",
                    OF_ANY, BETTER_NEITHER);
    for (size_t j = 0; methods[j]; j++)
        for (size_t k = 0; k < 3; k++)
            set_table_column(&s, (struct table_column){.name = names[k], .group = label_of(methods[j]), .digits = 3},
                             (struct published){0}, JUDGED "%s", cw, "calibrated", methods[j], "reliability.",
                             figures[k]);
    set_table_ranked(&s, r, OF_ANY, cw);
    prose_say(&s.t.says,
              "Exact probabilities would not have an RMSE of 0, since most words are surer than the centre of the "
              "last bin: the floor is what they would have, and differences of a few thousandths above it mean "
              "nothing. ECE is the mean distance of confidence and accuracy in a bin, and has no floor.");
    document_table(d, &s.t);
}

static void add_means(struct table *t, const struct results *r, bool trees, const char *voices, const char *name)
{
    if (isnan(judged_mean(r, trees, voices, "raw", "kd-fix", RMSE)) &&
        isnan(judged_mean(r, trees, voices, "calibrated", "kd-fix", RMSE)))
        return;
    table_add_row(t, name, !are_the_papers(r, trees));
    for (size_t j = 0; raw_methods[j]; j++) {
        double mean = judged_mean(r, trees, voices, "raw", raw_methods[j], RMSE);
        table_put(t, j, mean);
        if (!isnan(mean) && any_of_the_paper(r, trees))
            table_cell(t, j)->published = paper_number(11, name, raw_methods[j]);
    }
    for (size_t j = 0; calibrated_methods[j]; j++)
        table_put(t, RAW + j, judged_mean(r, trees, voices, "calibrated", calibrated_methods[j], RMSE));
}

static void table_of_means(struct document *d, const struct results *r)
{
    struct table t;
    begin_table(&t, "calibration-means", "RMSE of confidence, means (the paper's Table 11, over its own datasets)",
                "answers", BETTER_LOWER);
    add_methods(&t, "raw", raw_methods, 3);
    add_methods(&t, "calibrated", calibrated_methods, 3);
    add_means(&t, r, false, cw, "sequences CW");
    add_means(&t, r, false, pa, "sequences PA");
    add_means(&t, r, true, cw, "trees CW");
    add_means(&t, r, true, pa, "trees PA");
    say_best_of_rows(&t, "Best as they come, ");
    document_table(d, &t);
}

/* Draws accuracy against the centre of each bin that has enough words to tell. */
static void chart_of_bins(struct figure *f, const struct results *r, const struct result_set *set, bool calibrated,
                          const char *const *methods)
{
    enum { FEW = 5 };
    const char *numbers = calibrated ? "calibrated" : "raw";
    char name[256], title[256];
    snprintf(name, sizeof name, "accuracy-%s-%s", numbers, set->key);
    snprintf(title, sizeof title, "%s, %s", set->name, numbers);
    struct chart *c = figure_add(f, name, title, "confidence", "share that is right");
    set_ranges(c, 0, 1, 0, 1);
    chart_add_guide(c, 0, 0, 1, 1);
    for (size_t j = 0; methods[j]; j++) {
        const json_t *bins = part_at(r, set, JUDGED, cw, numbers, methods[j], "reliability.bins");
        size_t b, n = json_array_size(bins);
        json_t *bin;
        add_line(c, methods[j]);
        json_array_foreach(bins, b, bin)
        {
            if (number_at(bin, "count") >= FEW)
                chart_add_point(c, ((double)b + 0.5) / (double)n, number_at(bin, "accuracy"));
        }
    }
}

/* Tells whether confidence is above or below accuracy, method by method. */
static void say_sides(struct prose *prose, const struct results *r, bool trees)
{
    for (size_t j = 0; raw_methods[j]; j++) {
        double gap = 0;
        size_t n = 0;
        for (EACH_SET(set, r, trees))
            if (was_ranked(r, set, cw)) {
                const json_t *method = part_at(r, set, JUDGED, cw, "raw", raw_methods[j], "reliability");
                gap += number_at(method, "confidence") - number_at(method, "accuracy");
                n++;
            }
        if (n && !isnan(gap) && strcmp(raw_methods[j], "random") != 0)
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
    struct figure f = {.title = trees ? "Predicted against actual accuracy of heads, by bins of confidence."
                                      : "Predicted against actual accuracy of labels, by bins of confidence."};
    for (EACH_SET(set, r, trees)) {
        chart_of_bins(&f, r, set, false, drawn_raw);
        chart_of_bins(&f, r, set, true, drawn_calibrated);
    }
    say_sides(&f.says, r, trees);
    document_figure(d, &f);
}

/* Counts the words of a bin, those that are wrong, and those that are right; adds them to sum[3]. */
static const double *count_bin(const json_t *bin, double sum[3], double count[3])
{
    count[0] = number_at(bin, "count");
    count[2] = count[0] > 0 ? count[0] * number_at(bin, "accuracy") : 0;
    count[1] = count[0] - count[2];
    for (size_t s = 0; sum && s < 3; s++)
        sum[s] += count[s];
    return count;
}

/* Returns the bins of KD-Fix, and the sums of their counts. */
static const json_t *bins_of(const struct results *r, const struct result_set *set, double sum[3])
{
    const json_t *bins = part_at(r, set, JUDGED, cw, "raw", "kd-fix", "reliability.bins");
    double count[3];
    sum[0] = sum[1] = sum[2] = 0;
    for (size_t b = 0; b < json_array_size(bins); b++)
        count_bin(json_array_get(bins, b), sum, count);
    sum[1] = sum[0] - sum[2];
    return bins;
}

static void chart_of_population(struct figure *f, const struct results *r, const struct result_set *set)
{
    static const char *const names[] = {"all", "wrong", "right"}; /* blue, vermilion, green */
    double sum[3], count[3];
    const json_t *bins = bins_of(r, set, sum);
    size_t n = json_array_size(bins);
    struct chart *c = add_set_chart(f, "population", set, "confidence of KD-Fix", "share of the words, %");
    c->bars = n ? 1.0 / (double)n : 0;
    set_ranges(c, 0, 1, 0, 100);
    for (size_t s = 0; s < 3; s++) {
        chart_add_series(c, names[s]);
        for (size_t b = 0; b < n; b++) {
            double part = count_bin(json_array_get(bins, b), NULL, count)[s];
            chart_add_point(c, ((double)b + 0.5) / (double)n, sum[s] > 0 ? 100 * part / sum[s] : NAN);
        }
    }
}

static void figure_of_population(struct document *d, const struct results *r, bool trees)
{
    struct figure f = {0};
    double all = 0, wrong = 0, sum[3], top[3];
    size_t sets = 0;
    f.title = trees ? "How many heads lie in each bin of KD-Fix: of all, of the right, of the wrong."
                    : "How many labels lie in each bin of KD-Fix: of all, of the right, of the wrong.";
    for (EACH_SET(set, r, trees)) {
        const json_t *bins = bins_of(r, set, sum);
        chart_of_population(&f, r, set);
        if (!(sum[0] > sum[2]))
            continue;
        count_bin(json_array_get(bins, json_array_size(bins) - 1), NULL, top);
        all += 100 * top[0] / sum[0];
        wrong += 100 * top[1] / sum[1];
        sets++;
    }
    if (sets)
        prose_say(&f.says, "The top bin holds %.0f %% of the words and %.0f %% of the errors%s.", all / (double)sets,
                  wrong / (double)sets, in_the_mean(sets));
    document_figure(d, &f);
}

void chapter_calibration(struct document *d, const struct results *r)
{
    for (int trees = 0; trees < 2; trees++) {
        table_of_rmse(d, r, trees);
        figure_of_bins(d, r, trees);
        figure_of_population(d, r, trees);
    }
    table_of_means(d, r);
    table_of_distance(d, r);
}
