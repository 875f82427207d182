/* Writes the chapter on how many draws are enough: average precision against K, and what the bounds promise. */
#include "study/chapters.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>

enum { USUAL = 50 };

static bool was_drawn(const struct results *r, const struct result_set *set)
{
    for (size_t k = 0; k < STUDY_DRAWS; k++)
        if (!isnan(precision_with_draws(r, set, study_draws[k])))
            return true;
    return false;
}

/* Returns the mean gain from one number of draws to another over all datasets that have both. */
static double mean_gain(const struct results *r, unsigned from, unsigned to, size_t *n)
{
    double sum = 0;
    *n = 0;
    for (size_t i = 0; i < r->sets; i++) {
        double gain = precision_with_draws(r, &r->set[i], to) - precision_with_draws(r, &r->set[i], from);
        if (isnan(gain))
            continue;
        sum += gain;
        ++*n;
    }
    return sum / (double)*n;
}

static void say_gains(struct prose *prose, const struct results *r)
{
    static const unsigned step[] = {2, 10, 30, 50, 80};
    size_t n;
    for (size_t k = 0; k + 1 < sizeof step / sizeof *step; k++) {
        double gain = mean_gain(r, step[k], step[k + 1], &n);
        if (n)
            prose_say(prose, "%s%+.3f from %u to %u", prose->length ? ", " : "Mean gain in average precision: ", gain,
                      step[k], step[k + 1]);
    }
    if (prose->length)
        prose_say(prose, ".");
}

/* Tells the fewest draws that give 95 % of what the most give. */
static void say_enough(struct prose *prose, const struct results *r)
{
    const unsigned most_drawn = study_draws[STUDY_DRAWS - 1];
    for (size_t i = 0; i < r->sets; i++) {
        double most = precision_with_draws(r, &r->set[i], most_drawn);
        for (size_t k = 0; k < STUDY_DRAWS; k++)
            if (precision_with_draws(r, &r->set[i], study_draws[k]) >= 0.95 * most) {
                if (!prose->length)
                    prose_say(prose, "95 %% of the average precision with %u draws needs: ", most_drawn);
                else
                    prose_say(prose, ", ");
                prose_say(prose, "%s %u", r->set[i].name, study_draws[k]);
                break;
            }
    }
    if (prose->length)
        prose_say(prose, ".");
}

static void table_of_draws(struct document *d, const struct results *r)
{
    struct table t;
    char name[16];
    table_init(&t, "effect-of-k", "Average precision of KD-Fix with K draws", "dataset", BETTER_HIGHER);
    prose_begin(&t.says);
    for (size_t k = 0; k < STUDY_DRAWS; k++) {
        snprintf(name, sizeof name, "%u", study_draws[k]);
        table_add_column(&t, (struct table_column){.name = name, .group = "K", .digits = 3, .rival = true});
    }
    for (size_t i = 0; i < r->sets; i++) {
        if (!was_drawn(r, &r->set[i]))
            continue;
        add_set(&t, &r->set[i]);
        for (size_t k = 0; k < STUDY_DRAWS; k++)
            table_put(&t, k, precision_with_draws(r, &r->set[i], study_draws[k]));
    }
    table_add_means(&t, "mean");
    say_gains(&t.says, r);
    document_table(d, &t);
}

/* Finds the least and the greatest number, rounded outwards to tenths: a guide needs both ends. */
static void find_range(const struct results *r, bool trees, double *low, double *high)
{
    *low = 1;
    *high = 0;
    for (size_t i = 0; i < r->sets; i++)
        for (size_t k = 0; r->set[i].trees == trees && k < STUDY_DRAWS; k++) {
            double precision = precision_with_draws(r, &r->set[i], study_draws[k]);
            *low = fmin(*low, precision);
            *high = fmax(*high, precision);
        }
    *low = floor(*low * 10) / 10;
    *high = fmax(ceil(*high * 10) / 10, *low + 0.1); /* equal numbers need a range, too */
}

static void chart_of_draws(struct figure *f, const struct results *r, bool trees)
{
    struct chart *c = figure_add(f, trees ? "effect-of-k-trees" : "effect-of-k-sequences",
                                 trees ? "Trees" : "Sequences", "draws, K", "average precision of KD-Fix");
    double low, high;
    find_range(r, trees, &low, &high);
    c->x_from = 0;
    c->x_to = study_draws[STUDY_DRAWS - 1];
    c->y_from = low;
    c->y_to = high;
    chart_add_guide(c, USUAL, low, USUAL, high);
    for (size_t i = 0; i < r->sets; i++) {
        if (r->set[i].trees != trees || !was_drawn(r, &r->set[i]))
            continue;
        chart_add_series(c, r->set[i].name);
        for (size_t k = 0; k < STUDY_DRAWS; k++)
            chart_add_point(c, study_draws[k], precision_with_draws(r, &r->set[i], study_draws[k]));
    }
}

static void figure_of_draws(struct document *d, const struct results *r)
{
    struct figure f = {0};
    figure_title(&f, "Average precision of KD-Fix against the number of draws; the line is at 50.");
    chart_of_draws(&f, r, false);
    chart_of_draws(&f, r, true);
    say_enough(&f.says, r);
    document_figure(d, &f);
}

/* Adds one row for every number of draws. */
static void add_bounds(struct table *t, const json_t *bounds)
{
    const json_t *shares = json_object_get(bounds, "shares");
    char name[64];
    for (size_t i = 0; i < json_array_size(shares); i++) {
        const json_t *share = json_array_get(shares, i), *rows = json_object_get(share, "intervals");
        snprintf(name, sizeof name, "%.0f", number_at(share, "draws"));
        table_add_row(t, name, false);
        for (size_t j = 0; j < json_array_size(rows); j++) {
            const json_t *row = json_array_get(rows, j);
            double probability = number_at(row, "probability");
            double error = number_at(row, "epsilon");
            if (error >= 1)
                error = NAN; /* nothing is promised */
            if (fabs(probability - 0.5) < 1e-6)
                table_put(t, 0, error);
            if (fabs(probability - 0.95) < 1e-6)
                table_put(t, 1, error);
        }
        table_put(t, 2, number_at(share, "confused.from"));
    }
}

static void table_of_bounds(struct document *d, const json_t *bounds, const char *name, const char *title)
{
    struct table t;
    if (!bounds)
        return;
    table_init(&t, name, title, "draws, K", BETTER_NEITHER);
    prose_begin(&t.says);
    table_add_column(&t, (struct table_column){.name = "error at 0.5", .digits = 3});
    table_add_column(&t, (struct table_column){.name = "error at 0.95", .digits = 3});
    table_add_column(&t, (struct table_column){.name = "0.95 may be confused with", .digits = 3});
    add_bounds(&t, bounds);
    prose_say(
        &t.says,
        "To be within %g of the truth with probability %g, for %.0f %s, Hoeffding's inequality asks for %.0f draws.",
        number_at(bounds, "epsilon"), 1 - number_at(bounds, "delta"), number_at(bounds, "words"),
        number_at(bounds, "words") == 1 ? "word" : "words at once", number_at(bounds, "needed.hoeffding"));
    document_table(d, &t);
}

/* Adds a line for a number of draws: the error, or the ends of the interval as a band. */
static void add_bound(struct chart *c, const json_t *share, bool interval)
{
    const json_t *rows = json_object_get(share, "intervals");
    char name[64];
    snprintf(name, sizeof name, "K = %.0f", number_at(share, "draws"));
    chart_add_series(c, name);
    for (size_t j = 0; j < json_array_size(rows); j++) {
        const json_t *row = json_array_get(rows, j), *ends = json_object_get(row, "bernstein");
        double low = json_number_value(json_array_get(ends, 0)), high = json_number_value(json_array_get(ends, 1));
        if (interval)
            chart_add_band(c, number_at(row, "probability"), low, low, high);
        else
            chart_add_point(c, number_at(row, "probability"), fmin(number_at(row, "epsilon"), 1));
    }
}

/* Whether it is one of the two numbers whose intervals the paper draws: more would cover each other. */
static bool has_interval(const json_t *share)
{
    double K = number_at(share, "draws");
    return K == 50 || K == 500;
}

static void figure_of_bounds(struct document *d, const json_t *bounds)
{
    static const char probability[] = "probability that a draw agrees";
    struct figure f = {0};
    const json_t *shares = json_object_get(bounds, "shares");
    if (number_at(bounds, "words") == 1)
        figure_title(&f, "How far the share of K draws may be from the probability that it estimates, for one word.");
    else
        figure_title(&f, "How far the share of K draws may be from the probability that it estimates, for all words.");
    struct chart *c = figure_add(&f, "bounds-error", "Greatest error", probability, "error");
    c->y_from = 0;
    for (size_t i = 0; i < json_array_size(shares); i++)
        add_bound(c, json_array_get(shares, i), false);
    c = figure_add(&f, "bounds-interval", "Where the share may fall", probability, "share of K");
    c->y_from = 0;
    c->y_to = 1;
    for (size_t i = 0; i < json_array_size(shares); i++) {
        const json_t *share = json_array_get(shares, i);
        if (!has_interval(share))
            continue;
        add_bound(c, share, true);
        prose_say(&f.says, "With %.0f draws, a word of %.2f may get the share of one of 0.95. ",
                  number_at(share, "draws"), number_at(share, "confused.from"));
    }
    document_figure(d, &f);
}

void chapter_draws(struct document *d, const struct results *r)
{
    const json_t *all = results_step(r, "effect-of-k/bounds"), *one = results_step(r, "effect-of-k/bounds-of-one");
    table_of_draws(d, r);
    figure_of_draws(d, r);
    table_of_bounds(d, one, "bounds-of-one", "What K draws can tell apart for one word, by Bernstein's inequality");
    table_of_bounds(d, all, "bounds", "What K draws can tell apart for all words, by Bernstein's inequality");
    figure_of_bounds(d, one ? one : all);
}
