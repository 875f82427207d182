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

/* Returns the p of the paired t-test between two algorithms over the folds. */
static double p_of(const json_t *folds, const char *a, const char *b)
{
    const json_t *tests = json_object_get(folds, "t_tests");
    for (size_t i = 0; i < json_array_size(tests); i++) {
        const json_t *test = json_array_get(tests, i);
        const char *first = json_string_value(json_object_get(test, "first"));
        const char *second = json_string_value(json_object_get(test, "second"));
        if (first && second && ((!strcmp(first, a) && !strcmp(second, b)) || (!strcmp(first, b) && !strcmp(second, a))))
            return number_at(test, "p");
    }
    return NAN;
}

enum { MOST_COLUMNS = 4 + 2 * RESULT_OTHERS };

/* The columns of a table: all algorithms, then those that learned from other numbers of answers. */
struct columns {
    char name[MOST_COLUMNS][16];
    size_t count;
};

static struct columns columns_of(const struct results *r, bool trees)
{
    struct columns c = {.count = 0};
    for (size_t j = 0; algorithms[j]; j++)
        snprintf(c.name[c.count++], sizeof c.name[0], "%s", algorithms[j]);
    for (size_t i = 0; i < r->others; i++)
        for (size_t j = 0; j < (trees ? 1u : 2u); j++)
            snprintf(c.name[c.count++], sizeof c.name[0], "%s-k%u", j ? "pa" : "cw", r->other_k[i]);
    return c;
}

/* Makes the name of the paper's column of an algorithm: it has one of each. */
static void published_name(const char *name, const char *what, char text[48])
{
    snprintf(text, 48, "%.*s%s", (int)strcspn(name, "-"), name, what);
}

static void add_columns(struct table *t, const struct columns *c, const char *group)
{
    char label[LABEL_SIZE];
    for (size_t j = 0; j < c->count; j++)
        table_add_column(t, (struct table_column){.name = label_of_algorithm(c->name[j], label),
                                                  .group = group,
                                                  .digits = 2,
                                                  .published_digits = 1,
                                                  .rival = true});
}

static void say_differences(struct prose *prose, const struct table *t)
{
    size_t different = 0, of = 0;
    for (size_t i = 0; i < t->rows; i++)
        for (size_t j = 1; j < t->columns; j++) {
            of += !isnan(t->row[i].cell[j].p);
            different += t->row[i].cell[j].p < 0.05;
        }
    if (of)
        prose_say(prose, "%zu of %zu differences from CW are significant (p < 0.05).", different, of);
}

static void table_of_sequences(struct document *d, const struct results *r)
{
    struct table t;
    struct columns columns = columns_of(r, false);
    char title[128], published[48];
    snprintf(title, sizeof title, "%s over the folds, in percent (the paper's Table 4)", score_name(r));
    table_init(&t, "prediction-sequences", title, "dataset", BETTER_HIGHER);
    prose_begin(&t.says);
    add_columns(&t, &columns, NULL);
    for (size_t i = 0; i < r->sets; i++) {
        const struct result_set *set = &r->set[i];
        const json_t *folds = results_step(r, "prediction/%s/folds", set->key);
        if (set->trees || !folds)
            continue;
        add_set(&t, set);
        for (size_t j = 0; j < columns.count; j++) {
            const char *name = columns.name[j];
            double p = p_of(folds, algorithms[0], name);
            published_name(name, "", published);
            put_with_published(&t, j, score_of(r, set, name), set, (struct published){4, published, 100});
            if (j > 0)
                table_cell(&t, j)->p = isnan(p) ? p_of_scores(r, set, algorithms[0], name) : p;
        }
    }
    table_add_means(&t, "mean");
    say_best(&t.says, &t, NULL, "");
    say_differences(&t.says, &t);
    document_table(d, &t);
}

static bool was_parsed(const struct results *r, const struct result_set *set)
{
    for (size_t j = 0; algorithms[j]; j++)
        if (results_step(r, "prediction/%s/%s/eval", set->key, algorithms[j]))
            return true;
    return false;
}

static void put_parsed(struct table *t, const struct columns *c, const struct results *r, const struct result_set *set)
{
    char published[48];
    for (size_t j = 0; j < c->count; j++) {
        const json_t *eval = results_step(r, "prediction/%s/%s/eval", set->key, c->name[j]);
        published_name(c->name[j], "", published);
        put_with_published(t, j, number_at(eval, "all.uas"), set, (struct published){5, published, 100});
        published_name(c->name[j], " complete", published);
        put_with_published(t, j + c->count, number_at(eval, "complete"), set, (struct published){5, published, 100});
    }
}

static void table_of_trees(struct document *d, const struct results *r)
{
    struct table t;
    struct columns columns = columns_of(r, true);
    table_init(&t, "prediction-trees", "Right heads and whole trees, in percent (the paper's Table 5)", "treebank",
               BETTER_HIGHER);
    prose_begin(&t.says);
    add_columns(&t, &columns, "right heads");
    add_columns(&t, &columns, "whole trees");
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees && was_parsed(r, &r->set[i])) {
            add_set(&t, &r->set[i]);
            put_parsed(&t, &columns, r, &r->set[i]);
        }
    table_add_means(&t, "mean");
    say_best(&t.says, &t, "right heads", "Heads: ");
    say_best(&t.says, &t, "whole trees", "Trees: ");
    document_table(d, &t);
}

/* Returns the mean score after pass p of an algorithm over all sets of a kind that have it; NAN if one has not. */
static double mean_after_pass(const struct results *r, bool trees, const char *algorithm, size_t pass, size_t *of)
{
    double sum = 0;
    *of = 0;
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees == trees && passes_of(r, &r->set[i], algorithm)) {
            sum += score_after_pass(r, &r->set[i], algorithm, pass);
            ++*of;
        }
    return *of ? sum / (double)*of : NAN;
}

static size_t most_passes(const struct results *r, bool trees)
{
    size_t most = 0;
    for (size_t i = 0; i < r->sets; i++)
        for (size_t j = 0; algorithms[j]; j++)
            if (r->set[i].trees == trees) {
                size_t passes = json_array_size(passes_of(r, &r->set[i], algorithms[j]));
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
    struct figure f = {0};
    figure_title(&f, "Precision and recall after each pass, means over the folds.");
    for (size_t i = 0; i < r->sets; i++) {
        if (r->set[i].trees)
            continue;
        struct chart *c = add_set_chart(&f, "passes", &r->set[i], "recall, %", "precision, %");
        for (size_t j = 0; algorithms[j]; j++) {
            const json_t *passes = passes_of(r, &r->set[i], algorithms[j]);
            add_line(c, algorithms[j]);
            for (size_t p = 0; p < json_array_size(passes); p++)
                chart_add_point(c, number_at(json_array_get(passes, p), "recall"),
                                number_at(json_array_get(passes, p), "precision"));
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
    figure_title(&f, "Right heads after each pass, means over the treebanks.");
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
    struct table t;
    struct columns columns = columns_of(r, true);
    char name[64], label[LABEL_SIZE];
    table_init(&t, "parameters", "Parameters of the learners, chosen on a held-out quarter of training data", "dataset",
               BETTER_NEITHER);
    prose_begin(&t.says);
    for (size_t j = 0; j < columns.count; j++) {
        snprintf(name, sizeof name, "phi of %s", label_of_algorithm(columns.name[j], label));
        table_add_column(
            &t, (struct table_column){.name = j < sizeof names / sizeof *names ? names[j] : name, .digits = 3});
    }
    for (size_t i = 0; i < r->sets; i++) {
        table_add_row(&t, r->set[i].name, false);
        for (size_t j = 0; j < columns.count; j++)
            table_put(&t, j, number_at(results_step(r, "tuning/%s/%s", r->set[i].key, columns.name[j]), "tuned.value"));
    }
    prose_say(&t.says,
              "The models of the later chapters learned with these, but for active learning, which has the defaults.");
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
