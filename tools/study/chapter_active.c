/* Writes the chapter on what to label next: learning curves, and the words that are saved (the paper's Table 12). */
#include "study/chapters.h"

#include "base/order.h"

#include <math.h>

static const char *const methods[] = {"random", "kd-fix", "kd-pc", "delta", "gamma", "gamma@crf", "committee", NULL};

/* Tells that the paper's words cannot be those of as many random sentences of the same corpus. */
static void say_lengths(struct prose *prose, const struct results *r, const char *suffix)
{
    size_t said = 0;
    for (EACH_SET(set, r, OF_ANY)) {
        const json_t *curve = part_at(set, "active/@%s:methods[random].mean", suffix);
        const json_t *last = json_array_get(curve, json_array_size(curve) - 1);
        double sentences = number_at(last, "sentences"), words = number_at(last, "words");
        double published = published_of(set, 12, "random");
        if (!set->same || isnan(words) || isnan(published) || sentences < 5000 || words < 1.2 * published)
            continue;
        prose_say(prose, "%s%s %.0f thousand words (the paper: %.0f)",
                  said++ ? ", " : "The paper's words cannot be those of its 5,000 random sentences, which have, of ",
                  set->name, words / 1000, published / 1000);
    }
    if (said)
        prose_say(prose, ": only shares can be compared. ");
}

static void table_of_savings(struct document *d, const struct results *r, const struct setting *setting)
{
    static const char *const words[] = {"random", "kd-fix", NULL}, *const drawn[] = {"kd-fix", "kd-pc", NULL};
    const bool papers = setting == r->setting;
    char name[32], title[160], label[LABEL_SIZE], step[32], reached[PATH_SIZE], saved[PATH_SIZE], interval[PATH_SIZE];
    snprintf(name, sizeof name, "active%s", setting->suffix);
    snprintf(title, sizeof title, "Words to label until %s scores as with random choice at the end%s",
             label_of_algorithm(setting->cw, label), papers ? " (the paper's Table 12)" : "");
    snprintf(step, sizeof step, "active/@%s", setting->suffix);
    snprintf(reached, sizeof reached, "%s:methods[*].reached_after", step);
    snprintf(saved, sizeof saved, "%s:methods[*].saved", step);
    snprintf(interval, sizeof interval, "%s:methods[*].saved_interval", step);
    const struct set_table savings = {
        name,
        title,
        OF_ANY,
        BETTER_HIGHER,
        .rows = step,
        .columns = {{"words", words, NULL, reached, .published = {12, "*", papers}},
                    {"saved, %", methods + 1, NULL, saved, .digits = 1, .rivals = true,
                     .published = {12, "saved", papers ? 100 : 0, "kd-fix", .always = true}},
                    {"\xc2\xb1, %", drawn, NULL, interval, .digits = 1}}};
    struct table t;
    set_table(&t, r, &savings);
    if (papers)
        say_lengths(&t.says, r, setting->suffix);
    say_best(&t, "saved, %", "Saved: ");
    bool known = false;
    for (EACH_SET(set, r, OF_ANY))
        known = known || !isnan(figure_at(set, "%s:methods[kd-fix].saved_interval", step));
    if (known)
        prose_say(&t.says, "\xc2\xb1 is half of the 95 %% interval of what is saved, by the jackknife over repeats.");
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
    for (size_t i = 0; i < r->settings; i++)
        table_of_savings(d, r, &r->setting[i]);
    figure_of_learning(d, r);
}
