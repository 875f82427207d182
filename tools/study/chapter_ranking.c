/*
 * Writes the chapter on how well confidence finds the errors: the paper's Tables 6, 7 and 8, its figure of average
 * precision, and precision against recall.
 *
 * Words are inspected from the least sure up. All methods of a table of average precision judge the same answers; where
 * learners with answers of their own are compared, it is by the area under the risk-coverage curve.
 */
#include "base/order.h"
#include "study/chapters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char cw[] = "cw+crf", pa[] = "pa+crf", precision[] = "average_precision";

/*
 * Shows the average precision of all methods: on the answers of CW, as it learns usually and otherwise, and of PA. The
 * paper's numbers are beside those of CW that learned as the paper's.
 */
static void tables_of_precision(struct document *d, const struct results *r, bool trees)
{
    for (size_t i = 0; i < r->others + 2; i++) {
        const bool first = i == 0, last = i > r->others;
        char learner[16], name[48], title[128], label[LABEL_SIZE], path[PATH_SIZE];
        snprintf(learner, sizeof learner, first ? "cw" : last ? "pa" : "cw-k%u", first || last ? 0 : r->other_k[i - 1]);
        snprintf(name, sizeof name, "ranking-%s%s%s", kind_words[trees].many, first ? "" : "-", first ? "" : learner);
        const char *voices = first ? cw : last ? pa : learner;
        const bool papers = trees && strcmp(voices, r->setting[0].voices) == 0;
        snprintf(title, sizeof title, "Average precision, %s by %s%s", kind_words[trees].answers,
                 label_of_algorithm(learner, label), papers ? " (the paper's Table 7)" : "");
        snprintf(path, sizeof path, JUDGED_BY("%s", "?", "average_precision"), voices);
        const struct set_table ranked = {
            /* for sequences the paper has only bars */
            name,
            title,
            trees,
            BETTER_HIGHER,
            .voices = voices,
            .columns = {{NULL, all_methods, NULL, path, 3, 3, true, {7, "*", papers ? 1 : 0}}}};
        struct table t;
        set_table(&t, r, &ranked);
        say_best(&t, NULL, "");
        double half = half_interval(r, trees, voices);
        if (!isnan(half)) /* how far a number may be off by the choice of test sentences, and of drawn models */
            prose_say(&t.says,
                      "95 %% intervals of a single number, sentences and seeds drawn again, are \xc2\xb1%.3f%s.", half,
                      in_the_mean(sets_of(r, trees)));
        document_table(d, &t);
    }
}

/* One method on the answers of one model. */
struct system {
    char voices[16], learner[LABEL_SIZE];
    const char *method, *label;
};

enum { MOST_SYSTEMS = 6 + RESULT_OTHERS };

static size_t list_systems(const struct results *r, struct system system[MOST_SYSTEMS])
{
    static const struct system usual[] = {
        {"cw+crf", "CW", "kd-fix", "KD-Fix"}, {"cw+crf", "CW", "committee", "Committee"},
        {"pa+crf", "PA", "kd-fix", "KD-Fix"}, {"pa+crf", "PA", "committee", "Committee"},
        {"crf", "CRF", "gamma", "marginals"}, {"crf", "CRF", "committee", "Committee"},
    };
    size_t n = 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        for (size_t k = 0; i == 2 && k < r->others; k++) { /* after CW */
            struct system *other = &system[n++];
            *other = (struct system){.method = "kd-fix", .label = "KD-Fix"};
            snprintf(other->voices, sizeof other->voices, "cw-k%u", r->other_k[k]);
            label_of_algorithm(other->voices, other->learner);
        }
        system[n++] = usual[i];
    }
    return n;
}

/* Returns the share of words, in percent, whose answer by a model is wrong. */
static double wrong_of(const struct result_set *set, const char *voices)
{
    const json_t *words = part_at(set, "ranking/@/%s/raw:confidence.words", voices);
    return 100 * number_at(words, "wrong") / number_at(words, "count");
}

/* Compares learners with answers, and errors, of their own. */
static void table_of_systems(struct document *d, const struct results *r, bool trees)
{
    static const char *const groups[] = {"wrong, %", "AURC, %", "average precision"};
    struct system system[MOST_SYSTEMS];
    struct table t;
    size_t n = list_systems(r, system);
    begin_table(&t, trees ? "systems-trees" : "systems-sequences",
                trees ? "Learners and methods together: heads" : "Learners and methods together: labels",
                kind_words[trees].set, BETTER_LOWER);
    for (size_t g = 0; g < 3; g++)
        for (size_t j = 0; j < n; j++) {
            char name[96];
            snprintf(name, sizeof name, g ? "%s, %s" : "%s", system[j].learner, system[j].label);
            table_add_column(
                &t, (struct table_column){.name = name, .group = groups[g], .digits = g ? 3 : 2, .rival = g == 1});
        }
    for (EACH_SET(set, r, trees)) {
        if (!was_ranked(set, cw))
            continue;
        table_add_row(&t, set->name, false);
        for (size_t j = 0; j < n; j++) {
            const char *voices = system[j].voices;
            if (j == 0 || strcmp(system[j - 1].voices, voices) != 0)
                table_put(&t, j, wrong_of(set, voices));
            table_put(&t, n + j, 100 * ranking_of(set, voices, system[j].method, "area_under_risk_coverage"));
            table_put(&t, 2 * n + j, ranking_of(set, voices, system[j].method, precision));
        }
    }
    table_add_means(&t, "mean");
    say_best(&t, groups[1], "AURC: ");
    if (t.rows)
        prose_say(&t.says,
                  "Average precision is higher where more answers are wrong, so that it compares methods on the same "
                  "answers only. AURC, the area under the risk-coverage curve, counts both the errors and where they "
                  "stand: the share of wrong answers among the surest, in the mean over all shares of the words that "
                  "are kept. The lower, the better.");
    document_table(d, &t);
}

/* Draws bars for every method on a model's answers, and tells what chance would find, against what is found. */
static void add_bars(struct figure *f, const struct results *r, bool trees, const char *voices, const char *answers)
{
    char name[48], title[32];
    double chance = ranking_mean(r, trees, voices, "random", precision);
    double found = ranking_mean(r, trees, voices, "kd-fix", precision);
    snprintf(name, sizeof name, "average-precision%s-%.2s", trees ? "-trees" : "", voices);
    snprintf(title, sizeof title, "Answers of %s", answers);
    struct chart *c = figure_add(f, name, title, "", "average precision");
    c->bars = 1;
    for (size_t j = 0; all_methods[j]; j++) {
        size_t group = 0;
        add_line(c, all_methods[j]);
        for (EACH_SET(set, r, trees))
            if (was_ranked(set, voices)) {
                if (j == 0)
                    chart_add_x_name(c, set->name);
                chart_add_point(c, (double)group++, ranking_of(set, voices, all_methods[j], precision));
            }
    }
    set_ranges(c, -0.6, (double)c->x_names - 0.4, 0, NAN);
    if (!isnan(chance) && !isnan(found))
        prose_say(&f->says, "%sOn %s's answers KD-Fix has an average precision of %.3f%s; random order has %.3f.",
                  f->says.length ? " " : "", answers, found, in_the_mean(sets_of(r, trees)), chance);
}

/* Draws the figures side by side if there are few datasets, as in the paper; else each as wide as the page. */
static void figures_of_bars(struct document *d, const struct results *r, bool trees)
{
    enum { FEW = 5 };
    struct figure f = {.title = trees ? "Average precision of every method, heads."
                                      : "Average precision of every method, labels."};
    add_bars(&f, r, trees, cw, "CW");
    if (sets_of(r, trees) > FEW) {
        document_figure(d, &f);
        f.title = trees ? "The same, heads by PA." : "The same, labels by PA.";
    }
    add_bars(&f, r, trees, pa, "PA");
    document_figure(d, &f);
}

/* Tells what is found in the first twentieth of the words. */
static void say_found(struct prose *prose, const struct results *r)
{
    static const char *const methods[] = {"kd-fix", "delta", "gamma@crf", "committee", NULL};
    for (int trees = 0; trees < 2; trees++) {
        size_t said = 0;
        for (size_t j = 0; methods[j]; j++) {
            double share = 100 * ranking_mean(r, trees, cw, methods[j], "errors_found.5");
            if (isnan(share))
                continue;
            if (!said++)
                prose_say(prose, "%sThe least sure 5 %% of the words of %s hold%s: by", prose->length ? " " : "",
                          kind_words[trees].many, in_the_mean(sets_of(r, trees)));
            prose_say(prose, "%s %s %.0f %%", said > 1 ? "," : "", label_of(methods[j]), share);
        }
        if (said)
            prose_say(prose, " of the errors.");
    }
    if (prose->length)
        prose_say(prose, " The fewer words are wrong, the more of the errors a share of the words can hold: shares of "
                         "different datasets, and the paper's, cannot be compared, the order of methods can.");
}

static double wrong_in_trees(const struct results *r, const char *voices)
{
    double sum = 0, n = 0;
    for (EACH_SET(set, r, OF_TREES))
        if (was_ranked(set, voices)) {
            sum += wrong_of(set, voices);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

/* Adds three rows of a dataset, one for every share of the words, or of all treebanks together if there is none. */
static void add_found(struct table *t, const struct results *r, const struct result_set *set, const char *voices)
{
    static const char *const percent[] = {"1", "5", "10"};
    bool english = set && set->paper && strcasecmp(set->paper, "NER English") == 0 &&
                   strcmp(voices, r->setting[0].voices) == 0;
    char name[256], path[32];
    for (size_t k = 0; k < 3; k++) {
        const char *of = set ? set->name : sets_of(r, true) > 1 ? "mean of the treebanks" : "the treebank";
        snprintf(name, sizeof name, "%s, %s\xc2\xa0%%", of, percent[k]);
        snprintf(path, sizeof path, "errors_found.%s", percent[k]);
        table_add_row(t, name, set && !set->same);
        table_put(t, 0, set ? wrong_of(set, voices) : wrong_in_trees(r, voices));
        for (size_t j = 0; all_methods[j]; j++) {
            double share = 100 * (set ? ranking_of(set, voices, all_methods[j], path)
                                      : ranking_mean(r, true, voices, all_methods[j], path));
            table_put(t, j + 1, share);
            if (english && !isnan(share))
                table_cell(t, j + 1)->published = 100 * paper_number(6, percent[k], all_methods[j]);
        }
    }
}

/* Shows Table 6, on answers of CW in a setting. */
static void table_of_found(struct document *d, const struct results *r, const struct setting *setting)
{
    struct table t;
    const char *voices = setting->voices;
    char name[32], title[128], label[LABEL_SIZE];
    snprintf(name, sizeof name, "errors-found%s", setting->suffix);
    snprintf(title, sizeof title, "Errors of %s found in the least sure words, in percent of all%s",
             label_of_algorithm(setting->cw, label), setting == r->setting ? " (the paper's Table 6)" : "");
    begin_table(&t, name, title, "dataset, share of the words inspected", BETTER_HIGHER);
    table_add_column(&t, (struct table_column){.name = "wrong, %", .digits = 1});
    add_methods(&t, NULL, all_methods, 1);
    for (EACH_SET(set, r, OF_LABELS))
        if (was_ranked(set, voices))
            add_found(&t, r, set, voices);
    if (!isnan(ranking_mean(r, true, voices, "kd-fix", "errors_found.1")))
        add_found(&t, r, NULL, voices);
    if (strcmp(voices, cw) == 0)
        say_found(&t.says, r);
    document_table(d, &t);
}

/* Adds a row of Table 8: means over all treebanks; without the paper's if `paper_row` is NULL. */
static void add_means(struct table *t, const struct results *r, const char *voices, const char *path, const char *name,
                      const char *paper_row)
{
    char row[128], label[LABEL_SIZE];
    snprintf(row, sizeof row, "%s, answers of %s", name,
             voices == pa ? "PA" : label_of_algorithm(voices == cw ? "cw" : voices, label));
    if (isnan(ranking_mean(r, true, voices, "random", path)))
        return;
    table_add_row(t, row, !are_the_papers(r, true));
    for (size_t j = 0; all_methods[j]; j++) {
        double mean = ranking_mean(r, true, voices, all_methods[j], path);
        table_put(t, j, mean);
        if (paper_row && !isnan(mean) && any_of_the_paper(r, true))
            table_cell(t, j)->published = paper_number(8, paper_row, all_methods[j]);
    }
}

static void table_of_means(struct document *d, const struct results *r)
{
    static const struct {
        const char *path, *name, *paper_row;
    } rows[] = {
        {"average_precision", "average precision", "average precision"},
        {"precision_at_recall.10", "precision when 10 % are found", "precision at 10"},
        {"precision_at_recall.90", "precision when 90 % are found", "precision at 90"},
    };
    struct table t;
    begin_table(&t, "ranking-trees-means", "Trees, means over the treebanks (the paper's Table 8, over its own)",
                "figure", BETTER_HIGHER);
    add_methods(&t, NULL, all_methods, 3);
    for (size_t s = 0; s < r->settings; s++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            add_means(&t, r, *r->setting[s].suffix ? r->setting[s].voices : cw, rows[i].path, rows[i].name,
                      s == 0 ? rows[i].paper_row : NULL);
    add_means(&t, r, pa, "average_precision", "average precision", "average precision pa");
    say_best_of_rows(&t, "Best by ");
    document_table(d, &t);
}

/* Returns the method with the highest mean of a figure. */
static const char *best_method(const struct results *r, bool trees, const char *path, double *most)
{
    struct best best = {0};
    for (size_t j = 0; drawn_methods[j]; j++)
        best_offer(&best, j, ranking_mean(r, trees, cw, drawn_methods[j], path));
    *most = best.score;
    return best.any ? drawn_methods[best.row] : NULL;
}

static void figure_of_curves(struct document *d, const struct results *r, bool trees)
{
    struct figure f = {.title = trees ? "Precision against recall of finding wrong heads."
                                      : "Precision against recall of finding wrong labels."};
    char key[48];
    for (EACH_SET(set, r, trees)) {
        struct chart *c = add_set_chart(&f, "finding-errors", set, "errors found, %", "precision, %");
        set_ranges(c, 0, 100, 0, 100);
        for (size_t j = 0; drawn_methods[j]; j++) {
            add_line(c, drawn_methods[j]);
            for (int percent = 10; percent <= 100; percent += 10) {
                snprintf(key, sizeof key, "precision_at_recall.%d", percent);
                chart_add_point(c, percent, 100 * ranking_of(set, cw, drawn_methods[j], key));
            }
        }
    }
    double early, late;
    const char *first = best_method(r, trees, "precision_at_recall.10", &early);
    const char *last = best_method(r, trees, "precision_at_recall.90", &late);
    if (first && last)
        prose_say(&f.says,
                  "Most precise when a tenth of the errors is found: %s (%.3f of what was inspected is wrong); when "
                  "nine tenths are: %s (%.3f).",
                  label_of(first), early, label_of(last), late);
    document_figure(d, &f);
}

/* Shows the parameters of the methods, as the headers of the models have them. */
static void table_of_parameters(struct document *d, const struct results *r)
{
    static const char one[] = "cw-k1";
    static const struct {
        const char *group, *voices, *voice, *name, *parameter;
        int digits;
    } columns[] = {
        {"CW, 1-best", one, "cw", "s, KD-Fix", "s_fix", 3}, {"CW, 1-best", one, "cw", "s, KD-PC", "s_pc", 2},
        {"CW, 1-best", one, "cw", "c, Gamma", "c", 2},      {"CW, 1-best", one, "cw", "K, KB", "K_best", 0},
        {"CW, 1-best", one, "cw", "K, WKB", "K_weighted", 0}, {"CW", cw, "cw", "s, KD-Fix", "s_fix", 3},
        {"CW", cw, "cw", "s, KD-PC", "s_pc", 2},            {"CW", cw, "cw", "c, Gamma", "c", 2},
        {"CW", cw, "cw", "K, KB", "K_best", 0},             {"CW", cw, "cw", "K, WKB", "K_weighted", 0},
        {"PA", pa, "pa", "s, KD-Fix", "s_fix", 5},          {"PA", pa, "pa", "c, Gamma", "c", 1},
        {"PA", pa, "pa", "K, KB", "K_best", 0},             {"PA", pa, "pa", "K, WKB", "K_weighted", 0},
        {"CRF", cw, "crf", "c, marginals", "c", 2},
    };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    struct table t;
    struct prose edges = {0};
    char name[256];
    begin_table(&t, "method-parameters", "Parameters of the methods, those of the least log loss on held-out data",
                "dataset", BETTER_NEITHER);
    for (size_t j = 0; j < COLUMNS; j++)
        table_add_column(
            &t, (struct table_column){.name = columns[j].name, .group = columns[j].group, .digits = columns[j].digits});
    for (EACH_SET(set, r, OF_ANY)) {
        table_add_row(&t, set->name, false);
        for (size_t j = 0; j < COLUMNS; j++) {
            double chosen = figure_at(set, "parameters/@/%s:confidence.layers.%s.parameters.%s.%s", columns[j].voices,
                                      set->trees ? "arc" : "label", columns[j].voice, columns[j].parameter);
            const json_t *ends =
                part_at(set, "model/@/%s:tried.%s.%s", columns[j].voices, columns[j].voice, columns[j].parameter);
            table_put(&t, j, chosen);
            snprintf(name, sizeof name, "%s, %s, %s", columns[j].group, columns[j].name, set->name);
            say_edge(&edges, name, chosen, number_of(json_array_get(ends, 0)), number_of(json_array_get(ends, 1)));
        }
    }
    const char *grid = json_string_value(part_in(r->root, "settings.grid"));
    prose_say(&t.says, "%s With c = 1 the CRF's marginals would be its own.",
              grid && strcmp(grid, "paper") == 0
                  ? "The values of s and c that were tried are the paper's, whatever the size of the weights."
                  : "Values of s and c are tried in units of the weights, whose size differs between learners.");
    put_edges(&t, &edges);
    document_table(d, &t);
}

void chapter_ranking(struct document *d, const struct results *r)
{
    for (int trees = 0; trees < 2; trees++) {
        figures_of_bars(d, r, trees);
        tables_of_precision(d, r, trees);
        table_of_systems(d, r, trees);
        if (trees)
            table_of_means(d, r);
        for (size_t i = 0; !trees && i < r->settings; i++)
            table_of_found(d, r, &r->setting[i]);
        figure_of_curves(d, r, trees);
    }
    table_of_parameters(d, r);
}
