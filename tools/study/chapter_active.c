/* Writes the chapter on what to label next: learning curves, and the words that are saved (the paper's Table 12). */
#include "study/chapters.h"

#include "base/order.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const methods[] = {"random", "kd-fix", "kd-pc", "delta", "gamma", "gamma@crf", "committee", NULL};

static const json_t *way_of(const json_t *step, const char *method)
{
    return element_with(json_object_get(step, "methods"), "method", method);
}

static void put_words(struct table *t, const json_t *step, const struct result_set *set)
{
    size_t column = 0;
    put_with_published(t, column++, number_at(way_of(step, "random"), "reached_after"), set,
                       (struct published){12, "random", 1});
    put_with_published(t, column++, number_at(way_of(step, "kd-fix"), "reached_after"), set,
                       (struct published){12, "kd-fix", 1});
    for (size_t j = 1; methods[j]; j++, column++) {
        table_put(t, column, number_at(way_of(step, methods[j]), "saved"));
        if (strcmp(methods[j], "kd-fix") == 0)
            table_cell(t, column)->published = 100 * published_of(set, 12, "saved");
    }
}

static void table_of_savings(struct document *d, const struct results *r)
{
    struct table t;
    table_init(&t, "active",
               "Words to label until the score is that of random choice at the end (the paper's Table 12)", "dataset",
               BETTER_HIGHER);
    prose_begin(&t.says);
    table_add_column(&t, (struct table_column){.name = "Random", .group = "words"});
    table_add_column(&t, (struct table_column){.name = "KD-Fix", .group = "words"});
    for (size_t j = 1; methods[j]; j++)
        table_add_column(
            &t, (struct table_column){.name = label_of(methods[j]), .group = "saved, %", .digits = 1, .rival = true});
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "active/%s", r->set[i].key);
        if (!step)
            continue;
        add_set(&t, &r->set[i]);
        put_words(&t, step, &r->set[i]);
    }
    table_add_means(&t, "mean");
    say_best(&t.says, &t, "saved, %", "Saved: ");
    document_table(d, &t);
}

static void chart_of_learning(struct figure *f, const json_t *step, const struct result_set *set)
{
    const char *score = json_string_value(json_object_get(step, "score"));
    struct chart *c = add_set_chart(f, "active", set, "words labelled", score ? score : "score");
    c->log_x = true;
    for (size_t j = 0; methods[j]; j++) {
        const json_t *mean = json_object_get(way_of(step, methods[j]), "mean");
        add_line(c, methods[j]);
        for (size_t p = 0; p < json_array_size(mean); p++)
            chart_add_point(c, number_at(json_array_get(mean, p), "words"),
                            number_at(json_array_get(mean, p), "score"));
    }
}

/* Tells which way of choosing has the largest area under its curve, and whether it differs from random. */
static void say_areas(struct prose *prose, const struct results *r)
{
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "active/%s", r->set[i].key);
        struct best best = {0};
        for (size_t j = 0; methods[j]; j++)
            best_offer(&best, j, number_at(way_of(step, methods[j]), "area"));
        if (!best.any)
            continue;
        const char *name = methods[best.row];
        double p = number_at(way_of(step, name), "p");
        prose_say(prose, "%s%s: %s has the highest mean score on the way (%.1f, random %.1f", prose->length ? "; " : "",
                  r->set[i].name, label_of(name), best.score, number_at(way_of(step, "random"), "area"));
        if (!isnan(p))
            prose_say(prose, ", p = %.3f", p);
        prose_say(prose, ")");
    }
    if (prose->length)
        prose_say(prose, ".");
}

static void figure_of_learning(struct document *d, const struct results *r)
{
    struct figure f = {0};
    figure_title(&f, "Score against the words labelled, by the way sentences are chosen.");
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "active/%s", r->set[i].key);
        if (step)
            chart_of_learning(&f, step, &r->set[i]);
    }
    say_areas(&f.says, r);
    document_figure(d, &f);
}

void chapter_active(struct document *d, const struct results *r)
{
    table_of_savings(d, r);
    figure_of_learning(d, r);
}
