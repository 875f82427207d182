/* Writes the chapter on what to label next: learning curves, and the words that are saved (the paper's Table 12). */
#include "study/chapters.h"

#include "base/order.h"

#include <math.h>

static const char *const methods[] = {"random", "kd-fix", "kd-pc", "delta", "gamma", "gamma@crf", "committee", NULL};

static void table_of_savings(struct document *d, const struct results *r)
{
    static const char *const words[] = {"random", "kd-fix", NULL};
    static const struct set_table savings = {
        "active",
        "Words to label until the score is that of random choice at the end (the paper's Table 12)",
        OF_ANY,
        BETTER_HIGHER,
        .rows = "active/@",
        .columns = {{"words", words, NULL, "active/@:methods[*].reached_after", .published = {12, "*", 1}},
                    {"saved, %", methods + 1, NULL, "active/@:methods[*].saved", .digits = 1, .rivals = true,
                     .published = {12, "saved", 100, "kd-fix", .always = true}}}};
    struct table t;
    set_table(&t, r, &savings);
    say_best(&t, "saved, %", "Saved: ");
    document_table(d, &t);
}

/* Tells which way of choosing has the largest area under its curve, and whether it differs from random. */
static void say_areas(struct prose *prose, const struct result_set *set)
{
    struct best best = {0};
    for (size_t j = 0; methods[j]; j++)
        best_offer(&best, j, figure_at(set, "active/@:methods[%s].area", methods[j]));
    if (!best.any)
        return;
    double p = figure_at(set, "active/@:methods[%s].p", methods[best.row]);
    prose_say(prose, "%s%s: %s has the highest mean score on the way (%.1f, random %.1f", prose->length ? "; " : "",
              set->name, label_of(methods[best.row]), best.score, figure_at(set, "active/@:methods[random].area"));
    if (!isnan(p))
        prose_say(prose, ", p = %.3f", p);
    prose_say(prose, ")");
}

static void figure_of_learning(struct document *d, const struct results *r)
{
    struct figure f = {.title = "Score against the words labelled, by the way sentences are chosen."};
    for (EACH_SET(set, r, OF_ANY)) {
        if (!part_at(set, "active/@"))
            continue;
        const char *score = json_string_value(part_at(set, "active/@:score"));
        struct chart *c = add_set_chart(&f, "active", set, "words labelled", score ? score : "score");
        c->log_x = true;
        for (size_t j = 0; methods[j]; j++) {
            add_line(c, methods[j]);
            add_points(c, part_at(set, "active/@:methods[%s].mean", methods[j]), "words", "score");
        }
        say_areas(&f.says, set);
    }
    prose_end(&f.says, ".");
    document_figure(d, &f);
}

void chapter_active(struct document *d, const struct results *r)
{
    table_of_savings(d, r);
    figure_of_learning(d, r);
}
