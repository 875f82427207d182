/* Implements what the chapters of the report share: see chapters.h. */
#include "study/chapters.h"

#include "study/paper.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const all_methods[] = {"kd-fix",       "kd-pc",  "delta",     "gamma",     "wkb", "kb",
                                   "kd-fix+delta", "random", "gamma@crf", "committee", NULL};
const char *const drawn_methods[] = {"kd-fix", "delta", "gamma", "wkb", "gamma@crf", "committee", NULL};
const char *const algorithms[] = {"cw", "pa", "perceptron", "crf", NULL};

/* The names and looks of methods and algorithms: the same in all figures. */
static const struct look {
    const char *name, *label;
    size_t colour, dash;
} looks[] = {
    {"kd-fix", "KD-Fix", 0, 0},
    {"kd-pc", "KD-PC", 5, 1},
    {"delta", "Delta", 2, 2},
    {"gamma", "Gamma", 3, 3},
    {"wkb", "WKB", 4, 4},
    {"kb", "KB", 8, 3},
    {"random", "Random", 7, 2},
    {"kd-fix+delta", "KD-Fix+Delta", 6, 1},
    {"gamma@crf", "CRF marginals", 1, 1},
    {"committee", "Committee", 9, 0},
    {"cw", "CW", 0, 0},
    {"pa", "PA", 1, 1},
    {"perceptron", "Perceptron", 2, 2},
    {"crf", "CRF", 3, 3},
};
enum { LOOKS = sizeof looks / sizeof *looks };

static const struct look *look_of(const char *name)
{
    for (size_t i = 0; i < LOOKS; i++)
        if (strcmp(name, looks[i].name) == 0)
            return &looks[i];
    return NULL;
}

const char *label_of(const char *name)
{
    const struct look *look = look_of(name);
    return look ? look->label : name;
}

const char *label_of_algorithm(const char *name, char label[LABEL_SIZE])
{
    const char *suffix = strstr(name, "-k");
    char base[16];
    snprintf(base, sizeof base, "%.*s", suffix ? (int)(suffix - name) : (int)strlen(name), name);
    if (suffix)
        snprintf(label, LABEL_SIZE, "%s, %.4s-best", label_of(base), suffix + 2);
    else
        snprintf(label, LABEL_SIZE, "%s", label_of(base));
    return label;
}

void add_line(struct chart *chart, const char *name)
{
    const struct look *look = look_of(name);
    chart_add_series(chart, label_of(name));
    if (look)
        chart_set_look(chart, look->colour, look->dash);
}

void put_with_published(struct table *table, size_t column, double number, const struct result_set *set,
                        struct published published)
{
    table_put(table, column, number);
    if (!isnan(number))
        table_cell(table, column)->published = published_of(set, published.table, published.column) * published.scale;
}

void add_set(struct table *table, const struct result_set *set)
{
    table_add_row(table, set->name, !set->same);
}

void add_methods(struct table *table, const char *group, const char *const *methods, int digits)
{
    for (; *methods; methods++)
        table_add_column(table, (struct table_column){.name = label_of(*methods),
                                                      .group = group,
                                                      .digits = digits,
                                                      .published_digits = digits,
                                                      .rival = strcmp(*methods, "random") != 0});
}

static bool in_group(const struct table *table, size_t column, const char *group)
{
    return table->column[column].rival && strcmp(table->column[column].group, group ? group : "") == 0;
}

/*
 * Returns the column of a group that wins most often, and in how many rows there was a comparison; among equals none.
 */
static size_t most_wins(const struct table *table, const char *group, size_t *wins, size_t *of)
{
    size_t best = table->columns, rows;
    *wins = *of = 0;
    for (size_t j = 0; j < table->columns; j++) {
        size_t w = in_group(table, j, group) ? table_wins(table, j, &rows) : 0;
        if (w > *wins) {
            *wins = w;
            *of = rows;
            best = j;
        } else if (w == *wins) {
            best = table->columns;
        }
    }
    return best;
}

/* Finds the best and the next best number of a row, among the columns of a group; `columns` if there is none. */
static void two_best(const struct table *table, const struct table_row *row, const char *group, size_t *first,
                     size_t *second)
{
    double sign = table->better == BETTER_LOWER ? -1 : 1;
    *first = *second = table->columns;
    for (size_t j = 0; j < table->columns; j++) {
        if (!in_group(table, j, group) || isnan(row->cell[j].number))
            continue;
        if (*first == table->columns || sign * row->cell[j].number > sign * row->cell[*first].number) {
            *second = *first;
            *first = j;
        } else if (*second == table->columns || sign * row->cell[j].number > sign * row->cell[*second].number) {
            *second = j;
        }
    }
}

static void say_number(struct prose *prose, const struct table *table, const struct table_row *row, size_t j)
{
    prose_say(prose, "%s (%.*f)", table->column[j].name, table->column[j].digits, row->cell[j].number);
}

/* Tells, where there are no means, which column is best in most rows. */
static void say_wins(struct prose *prose, const struct table *table, const char *group, const char *lead)
{
    size_t wins, of, often = most_wins(table, group, &wins, &of);
    if (often < table->columns)
        prose_say(prose, "%sMost often best: %s, in %zu of %zu rows. ", lead, table->column[often].name, wins, of);
}

void say_best(struct prose *prose, const struct table *table, const char *group, const char *lead)
{
    size_t first, second, wins, of;
    if (table->broken || table->rows == 0)
        return;
    const struct table_row *means = table_means(table), *row = means ? means : &table->row[0];
    if (!means && table->rows > 1) {
        say_wins(prose, table, group, lead);
        return;
    }
    two_best(table, row, group, &first, &second);
    if (second == table->columns)
        return;
    size_t often = most_wins(table, group, &wins, &of);
    prose_say(prose, "%s%s ", lead, means ? "Best in the mean:" : "Best:");
    say_number(prose, table, row, first);
    prose_say(prose, ", then ");
    say_number(prose, table, row, second);
    if (means && often < table->columns)
        prose_say(prose, "; most often best: %s, in %zu of %zu rows", table->column[often].name, wins, of);
    prose_say(prose, ". ");
}

void say_best_of_rows(struct prose *prose, const struct table *table, const char *lead)
{
    for (size_t i = 0; i < table->rows; i++) {
        size_t best = table_best_of(table, &table->row[i]);
        if (best < table->columns)
            prose_say(prose, "%s%s: %s", prose->length ? "; " : lead, table->row[i].name, table->column[best].name);
    }
    if (prose->length)
        prose_say(prose, ".");
}

struct chart *add_set_chart(struct figure *figure, const char *name, const struct result_set *set, const char *x_label,
                            const char *y_label)
{
    char file[256];
    snprintf(file, sizeof file, "%s-%s", name, set->key);
    return figure_add(figure, file, set->name, x_label, y_label);
}

size_t sets_of(const struct results *results, bool trees)
{
    size_t n = 0;
    for (size_t i = 0; i < results->sets; i++)
        n += results->set[i].trees == trees;
    return n;
}

bool is_the_papers(const char *method, bool trees)
{
    return !trees || strcmp(method, "gamma") != 0;
}

bool any_of_the_paper(const struct results *r, bool trees)
{
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].paper && r->set[i].trees == trees)
            return true;
    return false;
}

bool are_the_papers(const struct results *results, bool trees)
{
    size_t papers = 0, same = 0;
    while (paper_row(trees ? 3 : 2, papers))
        papers++;
    for (size_t i = 0; i < results->sets; i++)
        same += results->set[i].trees == trees && results->set[i].same;
    return same == papers && sets_of(results, trees) == papers;
}

const char *in_the_mean(size_t n)
{
    return n > 1 ? " in the mean" : "";
}

const char *score_name(const struct results *r)
{
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *step = results_step(r, "prediction/%s/folds", r->set[i].key);
        const char *score = json_string_value(json_object_get(step, "score"));
        if (score && strcmp(score, "accuracy") == 0)
            return "F1, or accuracy where there are no chunks";
    }
    return "F1";
}

const char *noun_of(size_t n, bool trees)
{
    return trees ? (n == 1 ? "treebank" : "treebanks") : (n == 1 ? "dataset" : "datasets");
}
