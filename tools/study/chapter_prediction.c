/*
 * Writes the chapter on how well the learners predict: the paper's Tables 4 and 5, and how fast they get there.
 *
 * The paper's learners learn from the best answer; here CW and PA for labels learn from the five best. Other numbers of
 * answers have columns of their own, last.
 */
#include "study/chapters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The algorithms that are compared: all, then those that learned from other numbers of answers. */
struct learners {
    char name[4 + 2 * RESULT_OTHERS][16];
    size_t count;
};

static struct learners learners_of(const struct results *r, bool trees)
{
    struct learners l = {.count = 0};
    for (size_t j = 0; algorithms[j]; j++)
        snprintf(l.name[l.count++], sizeof l.name[0], "%s", algorithms[j]);
    for (size_t i = 0; i < r->others; i++)
        for (size_t j = 0; j < (trees ? 1u : 2u); j++)
            snprintf(l.name[l.count++], sizeof l.name[0], "%s-k%u", j ? "pa" : "cw", r->other_k[i]);
    return l;
}

/* Adds a column for each. The paper has one for each algorithm, whatever number of answers is learned from. */
static void add_learners(struct set_table *s, const struct learners *l, const char *group, bool trees,
                         const char *figure)
{
    char label[LABEL_SIZE], paper_column[32];
    for (size_t j = 0; j < l->count; j++) {
        const char *name = l->name[j], *suffix = name + strcspn(name, "-");
        const struct table_column column = {label_of_algorithm(name, label), group, 2, 1, true};
        const struct published published = {trees ? 5 : 4, paper_column, 100};
        snprintf(paper_column, sizeof paper_column, "%.*s%s", (int)(suffix - name), name,
                 strcmp(figure, "complete") == 0 ? " complete" : "");
        if (trees)
            set_table_column(s, column, published, "prediction/@/%s/eval:%s", name, figure);
        else
            set_table_column(s, column, published, "prediction/@/folds%s:algorithms[%.*s].%s", suffix,
                             (int)(suffix - name), name, figure);
    }
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

static void table_of_sequences(struct document *d, const struct results *r)
{
    struct set_table s;
    struct learners learners = learners_of(r, false);
    char title[128];
    snprintf(title, sizeof title, "%s over the folds, in percent (the paper's Table 4)", score_name(r));
    set_table_begin(&s, "prediction-sequences", title, OF_LABELS, BETTER_HIGHER);
    add_learners(&s, &learners, NULL, false, "mean");
    for (EACH_SET(set, r, OF_LABELS)) {
        bool added = set_table_row(&s, r, set, "prediction/@/folds");
        for (size_t j = 1; added && j < learners.count; j++) {
            double p = figure_at(r, set, "prediction/@/folds:t_tests[%s,%s].p", algorithms[0], learners.name[j]);
            table_cell(&s.t, j)->p = isnan(p) ? p_of_scores(r, set, algorithms[0], learners.name[j]) : p;
        }
    }
    table_add_means(&s.t, "mean");
    say_best(&s.t, NULL, "");
    say_differences(&s.t);
    document_table(d, &s.t);
}

static void table_of_trees(struct document *d, const struct results *r)
{
    struct set_table s;
    struct learners learners = learners_of(r, true);
    set_table_begin(&s, "prediction-trees", "Right heads and whole trees, in percent (the paper's Table 5)", OF_TREES,
                    BETTER_HIGHER);
    add_learners(&s, &learners, "right heads", true, "all.uas");
    add_learners(&s, &learners, "whole trees", true, "complete");
    for (EACH_SET(set, r, OF_TREES)) {
        bool parsed = false;
        for (size_t j = 0; algorithms[j]; j++)
            parsed = parsed || part_at(r, set, "prediction/@/%s/eval", algorithms[j]);
        if (parsed)
            set_table_row(&s, r, set, NULL);
    }
    table_add_means(&s.t, "mean");
    say_best(&s.t, "right heads", "Heads: ");
    say_best(&s.t, "whole trees", "Trees: ");
    document_table(d, &s.t);
}

/* Returns the mean score after pass p of an algorithm over all sets of a kind that have it; NAN if one has not. */
static double mean_after_pass(const struct results *r, bool trees, const char *algorithm, size_t pass, size_t *of)
{
    double sum = 0;
    *of = 0;
    for (EACH_SET(set, r, trees))
        if (passes_of(r, set, algorithm)) {
            sum += score_after_pass(r, set, algorithm, pass);
            ++*of;
        }
    return *of ? sum / (double)*of : NAN;
}

static size_t most_passes(const struct results *r, bool trees)
{
    size_t most = 0;
    for (EACH_SET(set, r, trees))
        for (size_t j = 0; algorithms[j]; j++) {
            size_t passes = json_array_size(passes_of(r, set, algorithms[j]));
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
        if (!isnan(first) && !isnan(end))
            prose_say(prose, "%s%s %.1f after one pass", prose->length ? "; " : "", label_of(algorithms[j]), first);
        if (!isnan(first) && !isnan(end) && last > 1)
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
            add_points(c, passes_of(r, set, algorithms[j]), "recall", "precision");
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
    static const char *const names[] = {"phi of CW", "C of PA", "", "rate of CRF"};
    struct set_table s;
    struct learners learners = learners_of(r, true);
    char name[64], label[LABEL_SIZE];
    set_table_begin(&s, "parameters", "Parameters of the learners, chosen on a held-out quarter of training data",
                    OF_ANY, BETTER_NEITHER);
    for (size_t j = 0; j < learners.count; j++) {
        snprintf(name, sizeof name, "phi of %s", label_of_algorithm(learners.name[j], label));
        set_table_column(&s,
                         (struct table_column){.name = j < sizeof names / sizeof *names ? names[j] : name, .digits = 3},
                         (struct published){0}, "tuning/@/%s:tuned.value", learners.name[j]);
    }
    for (EACH_SET(set, r, OF_ANY))
        set_table_row(&s, r, set, NULL);
    prose_say(&s.t.says,
              "The models of the later chapters learned with these, but for active learning, which has the defaults.");
    document_table(d, &s.t);
}

void chapter_prediction(struct document *d, const struct results *r)
{
    table_of_sequences(d, r);
    figure_of_sequences(d, r);
    table_of_trees(d, r);
    figure_of_trees(d, r);
    table_of_parameters(d, r);
}
