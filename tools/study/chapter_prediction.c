/*
 * Writes the chapter on how well the learners predict: the paper's Tables 4 and 5, and how fast they get there.
 *
 * The paper's CW learns from the best answer, its PA for labels from the five best and for trees from the best; here CW
 * usually learns from the five best. Other numbers of answers have columns of their own, last. The paper's numbers are
 * beside learners that learn as the paper's do.
 */
#include "study/chapters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The algorithms that are compared: all, then those that learned from other numbers of answers. */
struct learners {
    char name[4 + 2 * RESULT_OTHERS][16];
    const char *list[4 + 2 * RESULT_OTHERS + 1]; /* ended by NULL */
    size_t count;
};

static void list_learners(struct learners *l, const struct results *r, bool trees)
{
    *l = (struct learners){.count = 0};
    for (size_t j = 0; algorithms[j]; j++)
        snprintf(l->name[l->count++], sizeof l->name[0], "%s", algorithms[j]);
    for (size_t i = 0; i < r->others; i++)
        for (size_t j = 0; j < (trees ? 1u : 2u); j++)
            snprintf(l->name[l->count++], sizeof l->name[0], "%s-k%u", j ? "pa" : "cw", r->other_k[i]);
    for (size_t j = 0; j < l->count; j++)
        l->list[j] = l->name[j];
}

static void say_differences(struct table *t)
{
    size_t different = 0, of = 0;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 1; j < t->columns; j++) {
            of += !isnan(t->row[i].cell[j].p);
            different += t->row[i].cell[j].p < 0.05;
        }
    if (of)
        prose_say(&t->says, "%zu of %zu differences from CW are significant (p < 0.05).", different, of);
}

/* Lists the learners that learn as the paper's do: in the paper's setting, if it was run, or else as is usual here. */
static void list_papers(const struct results *r, char papers[64])
{
    snprintf(papers, 64, "%s pa perceptron", r->setting[0].cw);
}

static void table_of_sequences(struct document *d, const struct results *r)
{
    struct table t;
    struct learners learners;
    char title[128], papers[64];
    list_learners(&learners, r, false);
    list_papers(r, papers);
    snprintf(title, sizeof title, "%s over the folds, in percent (the paper's Table 4)", score_name(r));
    const struct set_table folds = {
        "prediction-sequences",
        title,
        OF_LABELS,
        BETTER_HIGHER,
        .rows = "prediction/@/folds",
        .columns = {{NULL, learners.list, NULL, "prediction/@/folds$:algorithms[^].mean", 2, 1, true,
                     {4, "^", 100, papers}}}};
    set_table(&t, r, &folds);
    size_t row = 0;
    for (EACH_SET(set, r, OF_LABELS)) {
        if (t.broken || !part_at(set, "prediction/@/folds"))
            continue;
        for (size_t j = 1; j < learners.count; j++) {
            double p = figure_at(set, "prediction/@/folds:t_tests[%s,%s].p", algorithms[0], learners.name[j]);
            t.row[row].cell[j].p = isnan(p) ? p_of_scores(set, algorithms[0], learners.name[j]) : p;
        }
        row++;
    }
    say_best(&t, NULL, "");
    say_differences(&t);
    document_table(d, &t);
}

static void table_of_trees(struct document *d, const struct results *r)
{
    struct table t;
    struct learners learners;
    char papers[64];
    list_learners(&learners, r, true);
    list_papers(r, papers);
    const struct set_table heads = {
        "prediction-trees",
        "Right heads and whole trees, in percent (the paper's Table 5)",
        OF_TREES,
        BETTER_HIGHER,
        .measured = true,
        .columns = {
            {"right heads", learners.list, NULL, "prediction/@/*/eval:all.uas", 2, 1, true, {5, "^", 100, papers}},
            {"whole trees", learners.list, NULL, "prediction/@/*/eval:complete", 2, 1, true,
             {5, "^ complete", 100, papers}}}};
    set_table(&t, r, &heads);
    say_best(&t, "right heads", "Heads: ");
    say_best(&t, "whole trees", "Trees: ");
    document_table(d, &t);
}

/* Returns the mean score after pass p of an algorithm over all sets of a kind that have it; NAN if one has not. */
static double mean_after_pass(const struct results *r, bool trees, const char *algorithm, size_t pass, size_t *of)
{
    double sum = 0;
    *of = 0;
    for (EACH_SET(set, r, trees))
        if (passes_of(set, algorithm)) {
            sum += score_of(set, algorithm, pass);
            ++*of;
        }
    return *of ? sum / (double)*of : NAN;
}

static size_t most_passes(const struct results *r, bool trees)
{
    size_t most = 0;
    for (EACH_SET(set, r, trees))
        for (size_t j = 0; algorithms[j]; j++) {
            size_t passes = json_array_size(passes_of(set, algorithms[j]));
            most = passes > most ? passes : most;
        }
    return most;
}

/* Tells the scores after the first pass, and what the others add. */
static void say_passes(struct prose *prose, const struct results *r, bool trees)
{
    size_t last = most_passes(r, trees), of = 0;
    for (size_t j = 0; algorithms[j]; j++) {
        double first = mean_after_pass(r, trees, algorithms[j], 1, &of);
        double end = mean_after_pass(r, trees, algorithms[j], last, &of);
        if (isnan(first) || isnan(end))
            continue;
        prose_say(prose, "%s%s %.1f after one pass", prose->length ? "; " : "", label_of(algorithms[j]), first);
        if (last > 1)
            prose_say(prose, ", %.1f after %zu", end, last);
    }
    if (prose->length)
        prose_say(prose, " (%s%s).", trees ? "right heads" : score_name(r), in_the_mean(of));
}

static void figure_of_sequences(struct document *d, const struct results *r)
{
    struct figure f = {.title = "Precision and recall after each pass, means over the folds."};
    for (EACH_SET(set, r, OF_LABELS)) {
        struct chart *c = add_set_chart(&f, "passes", set, "recall, %", "precision, %");
        for (size_t j = 0; algorithms[j]; j++) {
            add_line(c, algorithms[j]);
            add_points(c, passes_of(set, algorithms[j]), "recall", "precision");
        }
    }
    say_passes(&f.says, r, false);
    document_figure(d, &f);
}

static void figure_of_trees(struct document *d, const struct results *r)
{
    struct figure f = {0};
    size_t last = most_passes(r, true), of;
    struct chart *c = figure_add(&f, "passes-trees", "Right heads after each pass", "pass", "right heads, %");
    f.title = "Right heads after each pass, means over the treebanks.";
    for (size_t j = 0; algorithms[j]; j++) {
        add_line(c, algorithms[j]);
        for (size_t p = 1; p <= last; p++)
            chart_add_point(c, (double)p, mean_after_pass(r, true, algorithms[j], p, &of));
    }
    say_passes(&f.says, r, true);
    document_figure(d, &f);
}

/* Shows what was tried and chosen on training data: the one parameter of each learner. */
static void table_of_parameters(struct document *d, const struct results *r)
{
    struct table t;
    struct learners learners;
    char label[LABEL_SIZE], other[RESULT_OTHERS][64], name[256];
    const char *names[] = {"phi of CW", "C of PA", "", "rate of CRF", other[0], other[1], other[2]};
    list_learners(&learners, r, true);
    for (size_t j = 4; j < learners.count; j++)
        snprintf(other[j - 4], sizeof other[0], "phi of %s", label_of_algorithm(learners.name[j], label));
    const struct set_table parameters = {
        "parameters",     "Parameters of the learners, chosen on a held-out quarter of training data",
        OF_ANY,           BETTER_NEITHER,
        .no_means = true, .columns = {{NULL, learners.list, names, "tuning/@/*:tuned.value", 4}}};
    set_table(&t, r, &parameters);
    prose_say(&t.says,
              "The models of the later chapters learned with these, but for active learning, which has the defaults.");
    struct prose edges = {0};
    for (EACH_SET(set, r, OF_ANY))
        for (size_t j = 0; j < learners.count; j++) {
            const json_t *tuned = part_at(set, "tuning/@/%s:tuned", learners.name[j]);
            const json_t *tried = json_object_get(tuned, "tried");
            size_t last = json_array_size(tried) ? json_array_size(tried) - 1 : 0;
            double value = number_at(tuned, "value"), low = number_at(json_array_get(tried, 0), "value");
            size_t at = value == low ? 0 : last, next = at ? last - 1 : 1; /* if it is at an end */
            snprintf(name, sizeof name, "%s of %s, %+.2f points over the value next to it",
                     label_of_algorithm(learners.name[j], label), set->name,
                     number_at(json_array_get(tried, at), "score") - number_at(json_array_get(tried, next), "score"));
            say_edge(&edges, name, value, low, number_at(json_array_get(tried, last), "value"));
        }
    put_edges(&t, &edges);
    document_table(d, &t);
}

void chapter_prediction(struct document *d, const struct results *r)
{
    table_of_sequences(d, r);
    figure_of_sequences(d, r);
    table_of_trees(d, r);
    figure_of_trees(d, r);
    table_of_parameters(d, r);
}
