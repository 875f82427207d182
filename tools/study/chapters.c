/*
 * Implements what the chapters of the report share: see chapters.h.
 *
 * A method or learner has one name, colour and dash in all figures. The sentence below a table is made of its numbers:
 * which column is best, and in how many rows, so that text and table cannot contradict each other.
 */
#include "study/chapters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const all_methods[] = {"kd-fix",       "kd-pc",  "delta",     "gamma",     "wkb", "kb",
                                   "kd-fix+delta", "random", "gamma@crf", "committee", NULL};
const char *const drawn_methods[] = {"kd-fix", "delta", "gamma", "wkb", "gamma@crf", "committee", NULL};
const char *const algorithms[] = {"cw", "pa", "perceptron", "crf", NULL};

const struct kind_words kind_words[2] = {{"sequences", "labels", "dataset", 2}, {"trees", "heads", "treebank", 3}};

/* The names and styles of methods and algorithms: the same in all figures. */
static const struct line_style {
    const char *name, *label;
    size_t colour, dash;
} styles[] = {
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
enum { STYLES = sizeof styles / sizeof *styles };

static const struct line_style *style_of(const char *name)
{
    for (size_t i = 0; i < STYLES; i++)
        if (strcmp(name, styles[i].name) == 0)
            return &styles[i];
    return NULL;
}

const char *label_of(const char *name)
{
    const struct line_style *style = style_of(name);
    return style ? style->label : name;
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
    const struct line_style *style = style_of(name);
    chart_add_series(chart, label_of(name));
    if (style)
        chart_set_style(chart, style->colour, style->dash);
}

void add_points(struct chart *chart, const json_t *list, const char *x, const char *y)
{
    size_t i;
    json_t *point;
    json_array_foreach(list, i, point) chart_add_point(chart, number_at(point, x), number_at(point, y));
}

void set_ranges(struct chart *chart, double x_from, double x_to, double y_from, double y_to)
{
    chart->x_from = x_from;
    chart->x_to = x_to;
    chart->y_from = y_from;
    chart->y_to = y_to;
}

/* Tables. */

void begin_table(struct table *table, const char *name, const char *title, const char *corner, enum better better)
{
    table_init(table, name, title, corner, better);
    prose_begin(&table->says);
}

static void add_columns(struct table *table, const struct columns *c)
{
    char label[LABEL_SIZE];
    for (size_t i = 0; c->names[i]; i++)
        table_add_column(table, (struct table_column){c->labels ? c->labels[i] : label_of_algorithm(c->names[i], label),
                                                      c->group, c->digits, c->published_digits,
                                                      c->rivals && strcmp(c->names[i], "random") != 0});
}

void add_methods(struct table *table, const char *group, const char *const *methods, int digits)
{
    add_columns(table, &(struct columns){group, methods, .digits = digits, .published_digits = digits, .rivals = true});
}

/* Returns a path, or the name of a column, with the signs replaced for a name; to free(), NULL: no memory. */
static char *fill(const char *text, const char *name)
{
    struct prose full = {0};
    const char *suffix = strstr(name, "-k");
    suffix = suffix ? suffix : name + strlen(name);
    for (; *text; text++)
        if (*text == '^')
            prose_say(&full, "%.*s", (int)(suffix - name), name);
        else if (*text == '*' || *text == '$' || *text == '?')
            prose_say(&full, "%s", *text == '*' ? name : *text == '$' ? suffix : ranking_numbers(name));
        else
            prose_say(&full, "%c", *text);
    return prose_take(&full, NULL);
}

bool has_word(const char *list, const char *word)
{
    for (size_t length; *list; list += length + (list[length] == ' ')) {
        length = strcspn(list, " ");
        if (length == strlen(word) && memcmp(list, word, length) == 0)
            return true;
    }
    return false;
}

void say_edge(struct prose *edges, const char *name, double value, double lowest, double highest)
{
    const double slack = 1e-6; /* parameters are kept with nine digits */
    if (fabs(value - lowest) <= slack * fabs(lowest) || fabs(value - highest) <= slack * fabs(highest))
        prose_say(edges, "%s%s (%.3g)", edges->length ? "; " : "", name, value);
}

void put_edges(struct table *table, struct prose *edges)
{
    if (edges->length)
        prose_say(&table->says, "%sAt an end of the values that were tried, so that the best may lie beyond: %s.",
                  table->says.length ? " " : "", edges->text);
    table->says.broken |= edges->broken;
    prose_release(edges);
}

static double number_in(const struct result_set *set, const struct columns *c, const char *name)
{
    char *path = fill(c->path, name);
    double number = path ? figure_at(set, "%s", path) : NAN;
    free(path);
    return number;
}

static void fill_cell(struct table_cell *cell, const struct result_set *set, const struct columns *c, const char *name)
{
    cell->number = number_in(set, c, name);
    if (!(c->published.scale > 0) || (c->published.only && !has_word(c->published.only, name)) ||
        (isnan(cell->number) && !c->published.always))
        return;
    char *column = fill(c->published.column, name);
    cell->published = column ? c->published.scale * published_of(set, c->published.table, column) : NAN;
    free(column);
}

/* Returns the name of column j, and which columns it is one of; NULL: there are fewer. */
static const char *column_name(const struct set_table *s, size_t j, const struct columns **columns)
{
    for (*columns = s->columns; *columns < s->columns + COLUMN_GROUPS && (*columns)->names; ++*columns)
        for (size_t i = 0; (*columns)->names[i]; i++)
            if (j-- == 0)
                return (*columns)->names[i];
    return NULL;
}

static bool has_row(const struct set_table *s, const struct result_set *set)
{
    const struct columns *c;
    const char *name;
    bool any = !s->measured;
    for (size_t j = 0; !any && (name = column_name(s, j, &c)); j++)
        any = !isnan(number_in(set, c, name));
    return any && (!s->rows || part_at(set, "%s", s->rows)) && (!s->voices || was_ranked(set, s->voices));
}

void set_table(struct table *table, const struct results *r, const struct set_table *s)
{
    const struct columns *c;
    const char *name;
    begin_table(table, s->name, s->title, kind_words[s->kind == OF_TREES].set, s->better);
    for (c = s->columns; c < s->columns + COLUMN_GROUPS && c->names; c++)
        add_columns(table, c);
    for (EACH_SET(set, r, s->kind)) {
        if (!has_row(s, set))
            continue;
        table_add_row(table, set->name, !set->same);
        for (size_t j = 0; (name = column_name(s, j, &c)); j++)
            fill_cell(table_cell(table, j), set, c, name);
    }
    if (!s->no_means)
        table_add_means(table, "mean");
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
static void two_best(const struct table *table, const struct table_row *row, const char *group, size_t best[2])
{
    double sign = table->better == BETTER_LOWER ? -1 : 1;
    best[0] = best[1] = table->columns;
    for (size_t j = 0; j < table->columns; j++) {
        size_t place = 0;
        if (!in_group(table, j, group) || isnan(row->cell[j].number))
            continue;
        while (place < 2 && best[place] < table->columns &&
               sign * row->cell[j].number <= sign * row->cell[best[place]].number)
            place++;
        if (place == 0)
            best[1] = best[0];
        if (place < 2)
            best[place] = j;
    }
}

void say_best(struct table *table, const char *group, const char *lead)
{
    size_t best[2], wins, of;
    if (table->broken || table->rows == 0)
        return;
    const struct table_row *means = table_means(table), *row = means ? means : &table->row[0];
    size_t often = most_wins(table, group, &wins, &of);
    if (!means && table->rows > 1) {
        if (often < table->columns)
            prose_say(&table->says, "%sMost often best: %s, in %zu of %zu rows. ", lead, table->column[often].name,
                      wins, of);
        return;
    }
    two_best(table, row, group, best);
    if (best[1] == table->columns)
        return;
    prose_say(&table->says, "%s%s ", lead, means ? "Best in the mean:" : "Best:");
    for (size_t i = 0; i < 2; i++)
        prose_say(&table->says, "%s%s (%.*f)", i ? ", then " : "", table->column[best[i]].name,
                  table->column[best[i]].digits, row->cell[best[i]].number);
    if (means && often < table->columns)
        prose_say(&table->says, "; most often best: %s, in %zu of %zu rows", table->column[often].name, wins, of);
    prose_say(&table->says, ". ");
}

void say_best_of_rows(struct table *table, const char *lead)
{
    struct prose *says = &table->says;
    for (size_t i = 0; i < table->rows; i++) {
        size_t best = table_best_of(table, &table->row[i]);
        if (best < table->columns)
            prose_say(says, "%s%s: %s", says->length ? "; " : lead, table->row[i].name, table->column[best].name);
    }
    prose_end(says, ".");
}

struct chart *add_set_chart(struct figure *figure, const char *name, const struct result_set *set, const char *x_label,
                            const char *y_label)
{
    char file[256];
    snprintf(file, sizeof file, "%s-%s", name, set->key);
    return figure_add(figure, file, set->name, x_label, y_label);
}

/* Datasets. */

bool is_the_papers(const char *method, bool trees)
{
    return !trees || strcmp(method, "gamma") != 0;
}

size_t sets_of(const struct results *results, bool trees)
{
    size_t n = 0;
    for (EACH_SET(set, results, trees))
        n++;
    return n;
}

bool any_of_the_paper(const struct results *r, bool trees)
{
    for (EACH_SET(set, r, trees))
        if (set->paper)
            return true;
    return false;
}

bool are_the_papers(const struct results *results, bool trees)
{
    size_t papers = 0, same = 0;
    while (paper_row(kind_words[trees].sizes, papers))
        papers++;
    for (EACH_SET(set, results, trees))
        same += set->same;
    return same == papers && sets_of(results, trees) == papers;
}

const char *in_the_mean(size_t n)
{
    return n > 1 ? " in the mean" : "";
}

const char *score_name(const struct results *r)
{
    for (EACH_SET(set, r, OF_ANY)) {
        const char *score = json_string_value(part_at(set, "prediction/@/folds:score"));
        if (score && strcmp(score, "accuracy") == 0)
            return "F1, or accuracy where there are no chunks";
    }
    return "F1";
}
