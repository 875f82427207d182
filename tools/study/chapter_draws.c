/* Writes the chapter on how many draws are enough: average precision against K, and what the bounds promise. */
#include "study/chapters.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>

enum { USUAL = 50 };

static bool was_drawn(const struct result_set *set, const char *suffix)
{
    for (size_t k = 0; k < STUDY_DRAWS; k++)
        if (!isnan(precision_with_draws(set, study_draws[k], suffix)))
            return true;
    return false;
}

/* Tells the mean gain from one number of draws to another over all datasets that have both, and how sure it is. */
static void say_gains(struct prose *prose, const struct results *r, const char *suffix)
{
    static const unsigned step[] = {2, 10, 30, 50, 80, 200};
    double seeds = number_at(r->root, "settings.seeds");
    for (size_t k = 0; k + 1 < sizeof step / sizeof *step; k++) {
        double sum = 0, squares = 0, n = 0;
        for (EACH_SET(set, r, OF_ANY)) {
            struct gap gap = gap_of_draws(set, step[k], step[k + 1], suffix);
            double gain =
                precision_with_draws(set, step[k + 1], suffix) - precision_with_draws(set, step[k], suffix);
            if (isnan(gain))
                continue;
            sum += gain;
            squares += (gap.high - gap.low) * (gap.high - gap.low) / 4;
            n++;
        }
        if (!(n > 0))
            continue;
        prose_say(prose, "%s%+.3f", prose->length ? ", " : "Mean gain in average precision: ", sum / n);
        if (!isnan(squares))
            prose_say(prose, " \xc2\xb1%.3f", sqrt(squares) / n);
        prose_say(prose, " from %u to %u", step[k], step[k + 1]);
    }
    if (prose->length && seeds > 1)
        prose_say(prose, " (95 %% intervals over %.0f seeds of draws, of which every number is the mean)", seeds);
    prose_end(prose, ".");
}

/* Tells the fewest draws that give 95 % of what the most give. */
static void say_enough(struct prose *prose, const struct results *r, const char *suffix)
{
    const unsigned most_drawn = study_draws[STUDY_DRAWS - 1];
    for (EACH_SET(set, r, OF_ANY)) {
        double enough = 0.95 * precision_with_draws(set, most_drawn, suffix);
        size_t k = 0;
        while (k < STUDY_DRAWS && !(precision_with_draws(set, study_draws[k], suffix) >= enough))
            k++;
        if (k == STUDY_DRAWS)
            continue;
        prose_say(prose, prose->length ? ", " : "95 %% of the average precision with %u draws needs: ", most_drawn);
        prose_say(prose, "%s %u", set->name, study_draws[k]);
    }
    prose_end(prose, ".");
}

static void table_of_draws(struct document *d, const struct results *r, const struct setting *setting)
{
    char file[32], title[96], label[LABEL_SIZE], path[PATH_SIZE];
    snprintf(file, sizeof file, "effect-of-k%s", setting->suffix);
    snprintf(title, sizeof title, "Average precision of KD-Fix with K draws, answers of %s",
             label_of_algorithm(setting->cw, label));
    snprintf(path, sizeof path, "effect-of-k/@/*%s:confidence.words.methods[kd-fix].average_precision",
             setting->suffix);
    char name[STUDY_DRAWS][16];
    const char *names[STUDY_DRAWS + 1] = {NULL};
    for (size_t k = 0; k < STUDY_DRAWS; k++) {
        snprintf(name[k], sizeof name[k], "%u", study_draws[k]);
        names[k] = name[k];
    }
    const struct set_table draws = {
        file,
        title,
        OF_ANY,
        BETTER_HIGHER,
        .measured = true,
        .columns = {{"K", names, NULL, path, 3, 0, true}}};
    struct table t;
    set_table(&t, r, &draws);
    say_gains(&t.says, r, setting->suffix);
    document_table(d, &t);
}

static void chart_of_draws(struct figure *f, const struct results *r, bool trees, const char *suffix)
{
    struct chart *c = figure_add(f, trees ? "effect-of-k-trees" : "effect-of-k-sequences",
                                 trees ? "Trees" : "Sequences", "draws, K", "average precision of KD-Fix");
    double low = 1, high = 0; /* rounded outwards to tenths: a guide needs both ends */
    for (EACH_SET(set, r, trees))
        for (size_t k = 0; k < STUDY_DRAWS; k++) {
            low = fmin(low, precision_with_draws(set, study_draws[k], suffix));
            high = fmax(high, precision_with_draws(set, study_draws[k], suffix));
        }
    low = floor(low * 10) / 10;
    high = fmax(ceil(high * 10) / 10, low + 0.1); /* equal numbers need a range, too */
    set_ranges(c, 0, study_draws[STUDY_DRAWS - 1], low, high);
    chart_add_guide(c, USUAL, low, USUAL, high);
    for (EACH_SET(set, r, trees)) {
        if (!was_drawn(set, suffix))
            continue;
        chart_add_series(c, set->name);
        for (size_t k = 0; k < STUDY_DRAWS; k++)
            chart_add_point(c, study_draws[k], precision_with_draws(set, study_draws[k], suffix));
    }
}

/* Shows what the bounds promise, one row for every number of draws. */
static void table_of_bounds(struct document *d, const json_t *bounds, const char *name, const char *title)
{
    static const char *const columns[] = {"error at 0.5", "error at 0.95", "0.95 may be confused with"};
    struct table t;
    char draws[64];
    size_t i, k;
    json_t *share, *row;
    if (!bounds)
        return;
    begin_table(&t, name, title, "draws, K", BETTER_NEITHER);
    for (size_t j = 0; j < 3; j++)
        table_add_column(&t, (struct table_column){.name = columns[j], .digits = 3});
    json_array_foreach(json_object_get(bounds, "shares"), i, share)
    {
        snprintf(draws, sizeof draws, "%.0f", number_at(share, "draws"));
        table_add_row(&t, draws, false);
        json_array_foreach(json_object_get(share, "intervals"), k, row)
        {
            double probability = number_at(row, "probability"), error = number_at(row, "epsilon");
            for (size_t j = 0; j < 2; j++)
                if (fabs(probability - (j ? 0.95 : 0.5)) < 1e-6)
                    table_put(&t, j, error >= 1 ? NAN : error); /* from 1 on nothing is promised */
        }
        table_put(&t, 2, number_at(share, "confused.from"));
    }
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
    char name[64];
    size_t i;
    json_t *row;
    snprintf(name, sizeof name, "K = %.0f", number_at(share, "draws"));
    chart_add_series(c, name);
    json_array_foreach(json_object_get(share, "intervals"), i, row)
    {
        const json_t *ends = json_object_get(row, "bernstein");
        double low = json_number_value(json_array_get(ends, 0)), high = json_number_value(json_array_get(ends, 1));
        if (interval)
            chart_add_band(c, number_at(row, "probability"), low, low, high);
        else
            chart_add_point(c, number_at(row, "probability"), fmin(number_at(row, "epsilon"), 1));
    }
}

static void figure_of_bounds(struct document *d, const json_t *bounds)
{
    static const char probability[] = "probability that a draw agrees";
    struct figure f = {0};
    size_t i;
    json_t *share, *shares = json_object_get(bounds, "shares");
    f.title = number_at(bounds, "words") == 1
                  ? "How far the share of K draws may be from the probability that it estimates, for one word."
                  : "How far the share of K draws may be from the probability that it estimates, for all words.";
    struct chart *c = figure_add(&f, "bounds-error", "Greatest error", probability, "error");
    c->y_from = 0;
    json_array_foreach(shares, i, share) add_bound(c, share, false);
    c = figure_add(&f, "bounds-interval", "Where the share may fall", probability, "share of K");
    set_ranges(c, NAN, NAN, 0, 1);
    json_array_foreach(shares, i, share)
    {
        double K = number_at(share, "draws");
        if (K != 50 && K != 500) /* the paper draws these two: more would cover each other */
            continue;
        add_bound(c, share, true);
        prose_say(&f.says, "With %.0f draws, a word of %.2f may get the share of one of 0.95. ", K,
                  number_at(share, "confused.from"));
    }
    document_figure(d, &f);
}

void chapter_draws(struct document *d, const struct results *r)
{
    const json_t *all = step_result(r, "effect-of-k/bounds"), *one = step_result(r, "effect-of-k/bounds-of-one");
    char title[128], label[LABEL_SIZE];
    struct figure f = {.title = title};
    snprintf(title, sizeof title,
             "Average precision of KD-Fix on answers of %s against the number of draws; the line is at 50.",
             label_of_algorithm(r->setting[0].cw, label));
    const char *suffix = r->setting[0].suffix;
    for (size_t i = 0; i < r->settings; i++)
        table_of_draws(d, r, &r->setting[i]);
    chart_of_draws(&f, r, false, suffix);
    chart_of_draws(&f, r, true, suffix);
    say_enough(&f.says, r, suffix);
    document_figure(d, &f);
    table_of_bounds(d, one, "bounds-of-one", "What K draws can tell apart for one word, by Bernstein's inequality");
    table_of_bounds(d, all, "bounds", "What K draws can tell apart for all words, by Bernstein's inequality");
    figure_of_bounds(d, one ? one : all);
}
