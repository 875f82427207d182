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

/* Shows answers of CW in a setting; the paper's numbers are beside those of its own. */
static void table_of_rmse(struct document *d, const struct results *r, bool trees, const struct setting *setting)
{
    const bool papers = setting == r->setting;
    char name[48], title[128], raw[PATH_SIZE], calibrated[PATH_SIZE], label[LABEL_SIZE];
    snprintf(name, sizeof name, "calibration-%s%s", kind_words[trees].many, setting->suffix);
    snprintf(title, sizeof title, "RMSE of confidence, %s by %s%s", kind_words[trees].answers,
             label_of_algorithm(setting->cw, label),
             !papers ? ""
             : trees ? " (the paper's Table 10)"
                     : " (the paper's Table 9)");
    snprintf(raw, sizeof raw, JUDGED_BY("%s", "raw", RMSE), setting->voices);
    snprintf(calibrated, sizeof calibrated, JUDGED_BY("%s", "calibrated", RMSE), setting->voices);
    const struct set_table rmse = {
        name,
        title,
        trees,
        BETTER_LOWER,
        .voices = setting->voices,
        .columns = {{"raw", raw_methods, NULL, raw, 3, 3, true, {trees ? 10 : 9, "*", papers}},
                    {"calibrated", calibrated_methods, NULL, calibrated, 3, 3, true}}};
    struct table t;
    set_table(&t, r, &rmse);
    say_best(&t, "raw", "Raw. ");
    say_best(&t, "calibrated", "Calibrated. ");
    document_table(d, &t);
}

/* Shows the measure that exact probabilities would have, and how far calibrated ones are from it. */
static void table_of_distance(struct document *d, const struct results *r)
{
    static const char *const figures[] = {"rmse", "rmse_floor", "ece", NULL}, *const names[] = {"RMSE", "floor", "ECE"};
#define DISTANCE(method) "ranking/@/cw+crf/calibrated:confidence.words.methods[" method "].reliability.*"
    static const struct set_table distance = {"calibration-distance",
                                              "How far calibrated confidence is from probability, answers of CW",
                                              OF_ANY,
                                              BETTER_NEITHER,
                                              .voices = cw,
                                              .columns = {{"KD-Fix", figures, names, DISTANCE("kd-fix"), 3},
                                                          {"CRF marginals", figures, names, DISTANCE("gamma@crf"), 3},
                                                          {"Committee", figures, names, DISTANCE("committee"), 3}}};
    struct table t;
    set_table(&t, r, &distance);
    prose_say(&t.says,
              "Exact probabilities would not have an RMSE of 0, since most words are surer than the centre of the "
              "last bin: the floor is what they would have, and differences of a few thousandths above it mean "
              "nothing. ECE is the mean distance of confidence and accuracy in a bin, and has no floor.");
    document_table(d, &t);
}

/* Adds means over a kind of data, beside the paper's over its own. */
static void add_means(struct table *t, const struct results *r, bool trees, const char *voices)
{
    char name[48], paper[32];
    if (isnan(judged_mean(r, trees, voices, "raw", "kd-fix", RMSE)) &&
        isnan(judged_mean(r, trees, voices, "calibrated", "kd-fix", RMSE)))
        return;
    snprintf(paper, sizeof paper, "%s %s", kind_words[trees].many, voices == pa ? "PA" : "CW");
    snprintf(name, sizeof name, "%s%s", paper, voices == pa || voices == cw ? "" : ", 1-best");
    table_add_row(t, name, !are_the_papers(r, trees));
    for (size_t j = 0; raw_methods[j]; j++) {
        double mean = judged_mean(r, trees, voices, "raw", raw_methods[j], RMSE);
        table_put(t, j, mean);
        if (!isnan(mean) && any_of_the_paper(r, trees) && (voices == pa || strcmp(voices, r->setting[0].voices) == 0))
            table_cell(t, j)->published = paper_number(11, paper, raw_methods[j]);
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
    for (int trees = 0; trees < 2; trees++) {
        if (r->settings > 1)
            add_means(&t, r, trees, r->setting[0].voices);
        add_means(&t, r, trees, cw);
        add_means(&t, r, trees, pa);
    }
    say_best_of_rows(&t, "Best as they come, ");
    document_table(d, &t);
}

/* Draws accuracy against the centre of each bin that has enough words to tell. */
static void chart_of_bins(struct figure *f, const struct result_set *set, const char *numbers)
{
    static const char *const methods[] = {"kd-fix", "kd-pc", "gamma", "wkb", "gamma@crf", "committee"};
    enum { FEW = 5 };
    char name[256], title[256];
    snprintf(name, sizeof name, "accuracy-%s-%s", numbers, set->key);
    snprintf(title, sizeof title, "%s, %s", set->name, numbers);
    struct chart *c = figure_add(f, name, title, "confidence", "share that is right");
    set_ranges(c, 0, 1, 0, 1);
    chart_add_guide(c, 0, 0, 1, 1);
    for (size_t j = 0; j < (strcmp(numbers, "raw") == 0 ? 5 : 6); j++) { /* the committee has no raw numbers */
        const json_t *bins = part_at(set, JUDGED, cw, numbers, methods[j], "reliability.bins");
        add_line(c, methods[j]);
        for (size_t b = 0, n = json_array_size(bins); b < n; b++) {
            const json_t *bin = json_array_get(bins, b);
            if (number_at(bin, "count") >= FEW)
                chart_add_point(c, ((double)b + 0.5) / (double)n, number_at(bin, "accuracy"));
        }
    }
}

/* Tells whether confidence is above or below accuracy, method by method. */
static void say_sides(struct prose *prose, const struct results *r, bool trees)
{
    for (size_t j = 0; raw_methods[j]; j++) {
        double gap = 0, n = 0;
        for (EACH_SET(set, r, trees))
            if (was_ranked(set, cw)) {
                const json_t *method = part_at(set, JUDGED, cw, "raw", raw_methods[j], "reliability");
                gap += number_at(method, "confidence") - number_at(method, "accuracy");
                n++;
            }
        if (n > 0 && !isnan(gap) && strcmp(raw_methods[j], "random") != 0)
            prose_say(prose, "%s%s %+.3f",
                      prose->length ? ", " : "Mean confidence minus accuracy, raw: ", label_of(raw_methods[j]),
                      round(1000 * gap / n) / 1000 + 0.0 /* never -0 */);
    }
    prose_end(prose, ". Above the line is too pessimistic, below too sure.");
}

static void figure_of_bins(struct document *d, const struct results *r, bool trees)
{
    struct figure f = {.title = trees ? "Predicted against actual accuracy of heads, by bins of confidence."
                                      : "Predicted against actual accuracy of labels, by bins of confidence."};
    for (EACH_SET(set, r, trees)) {
        chart_of_bins(&f, set, "raw");
        chart_of_bins(&f, set, "calibrated");
    }
    say_sides(&f.says, r, trees);
    document_figure(d, &f);
}

/* Counts the words of bins, those that are wrong, and those that are right. */
static void count_bins(const json_t *bins, size_t from, size_t to, double count[3])
{
    count[0] = count[2] = 0;
    for (size_t b = from; b < to; b++) {
        const json_t *bin = json_array_get(bins, b);
        double words = number_at(bin, "count");
        count[0] += words;
        count[2] += words > 0 ? words * number_at(bin, "accuracy") : 0;
    }
    count[1] = count[0] - count[2];
}

/* Draws how many words of a dataset lie in each bin; returns the bins. */
static const json_t *chart_of_population(struct figure *f, const struct result_set *set)
{
    static const char *const names[] = {"all", "wrong", "right"}; /* blue, vermilion, green */
    const json_t *bins = part_at(set, JUDGED, cw, "raw", "kd-fix", "reliability.bins");
    size_t n = json_array_size(bins);
    double sum[3], part[3];
    count_bins(bins, 0, n, sum);
    struct chart *c = add_set_chart(f, "population", set, "confidence of KD-Fix", "share of the words, %, log scale");
    c->bars = n ? 1.0 / (double)n : 0;
    c->log_y = true; /* nearly all words are in the top bin */
    set_ranges(c, 0, 1, 0.01, 100);
    for (size_t s = 0; s < 3; s++) {
        chart_add_series(c, names[s]);
        for (size_t b = 0; b < n; b++) {
            count_bins(bins, b, b + 1, part);
            chart_add_point(c, ((double)b + 0.5) / (double)n, sum[s] > 0 ? 100 * part[s] / sum[s] : NAN);
        }
    }
    return bins;
}

static void figure_of_population(struct document *d, const struct results *r, bool trees)
{
    struct figure f = {.title = trees
                                    ? "How many heads lie in each bin of KD-Fix: of all, of the right, of the wrong."
                                    : "How many labels lie in each bin of KD-Fix: of all, of the right, of the wrong."};
    double all = 0, wrong = 0, sum[3], top[3];
    size_t sets = 0;
    for (EACH_SET(set, r, trees)) {
        const json_t *bins = chart_of_population(&f, set);
        size_t n = json_array_size(bins);
        count_bins(bins, 0, n, sum);
        if (!(sum[0] > sum[2]))
            continue;
        count_bins(bins, n - 1, n, top);
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
        for (size_t i = 0; i < r->settings; i++)
            table_of_rmse(d, r, trees, &r->setting[i]);
        figure_of_bins(d, r, trees);
        figure_of_population(d, r, trees);
    }
    table_of_means(d, r);
    table_of_distance(d, r);
}
