/* Writes the chapter on what to label next: learning curves, and the words that are saved (the paper's Table 12). */
#include "study/chapters.h"

#include "base/order.h"

#include <math.h>

static const char *const methods[] = {"random", "kd-fix", "kd-pc", "delta", "gamma", "gamma@crf", "committee", NULL};

static void table_of_savings(struct document *d, const struct results *r)
{
    struct set_table s;
    set_table_begin(&s, "active",
                    "Words to label until the score is that of random choice at the end (the paper's Table 12)", OF_ANY,
                    BETTER_HIGHER);
    set_table_column(&s, (struct table_column){.name = "Random", .group = "words"}, (struct published){12, "random", 1},
                     "active/@:methods[random].reached_after");
    set_table_column(&s, (struct table_column){.name = "KD-Fix", .group = "words"}, (struct published){12, "kd-fix", 1},
                     "active/@:methods[kd-fix].reached_after");
    for (size_t j = 1; methods[j]; j++)
        set_table_column(
            &s, (struct table_column){.name = label_of(methods[j]), .group = "saved, %", .digits = 1, .rival = true},
            (struct published){0}, "active/@:methods[%s].saved", methods[j]);
    for (EACH_SET(set, r, OF_ANY))
        if (set_table_row(&s, r, set, "active/@"))
            table_cell(&s.t, 2)->published = 100 * published_of(set, 12, "saved"); /* by KD-Fix */
    table_add_means(&s.t, "mean");
    say_best(&s.t, "saved, %", "Saved: ");
    document_table(d, &s.t);
}

/* Tells which way of choosing has the largest area under its curve, and whether it differs from random. */
static void say_areas(struct prose *prose, const struct results *r, const struct result_set *set)
{
    struct best best = {0};
    for (size_t j = 0; methods[j]; j++)
        best_offer(&best, j, figure_at(r, set, "active/@:methods[%s].area", methods[j]));
    if (!best.any)
        return;
    double p = figure_at(r, set, "active/@:methods[%s].p", methods[best.row]);
    prose_say(prose, "%s%s: %s has the highest mean score on the way (%.1f, random %.1f", prose->length ? "; " : "",
              set->name, label_of(methods[best.row]), best.score, figure_at(r, set, "active/@:methods[random].area"));
    if (!isnan(p))
        prose_say(prose, ", p = %.3f", p);
    prose_say(prose, ")");
}

static void figure_of_learning(struct document *d, const struct results *r)
{
    struct figure f = {.title = "Score against the words labelled, by the way sentences are chosen."};
    for (EACH_SET(set, r, OF_ANY)) {
        if (!part_at(r, set, "active/@"))
            continue;
        const char *score = json_string_value(part_at(r, set, "active/@:score"));
        struct chart *c = add_set_chart(&f, "active", set, "words labelled", score ? score : "score");
        c->log_x = true;
        for (size_t j = 0; methods[j]; j++) {
            add_line(c, methods[j]);
            add_points(c, part_at(r, set, "active/@:methods[%s].mean", methods[j]), "words", "score");
        }
        say_areas(&f.says, r, set);
    }
    if (f.says.length)
        prose_say(&f.says, ".");
    document_figure(d, &f);
}

void chapter_active(struct document *d, const struct results *r)
{
    table_of_savings(d, r);
    figure_of_learning(d, r);
}
