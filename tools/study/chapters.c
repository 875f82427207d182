/*
 * Implements what the chapters of the report share: see chapters.h.
 *
 * A method or learner has one name, colour and dash in all figures. The sentence below a table is made of its numbers:
 * which column is best, and in how many rows, so that text and table cannot contradict each other.
 */
#include "study/chapters.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const all_methods[] = {"kd-fix",       "kd-pc",  "delta",     "gamma",     "wkb", "kb",
                                   "kd-fix+delta", "random", "gamma@crf", "committee", NULL};
const char *const drawn_methods[] = {"kd-fix", "delta", "gamma", "wkb", "gamma@crf", "committee", NULL};
const char *const algorithms[] = {"cw", "pa", "perceptron", "crf", NULL};

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

void set_table_begin(struct set_table *s, const char *name, const char *title, int kind, enum better better)
{
    begin_table(&s->t, name, title, kind == OF_TREES ? "treebank" : "dataset", better);
}

void set_table_column(struct set_table *s, struct table_column column, struct published published, const char *path,
                      ...)
{
    size_t j = s->t.columns;
    va_list args;
    if (j == MOST_COLUMNS)
        return;
    va_start(args, path);
    vsnprintf(s->path[j], PATH_SIZE, path, args);
    va_end(args);
    snprintf(s->paper_column[j], sizeof s->paper_column[j], "%s", published.column ? published.column : "");
    s->published[j] = published;
    table_add_column(&s->t, column);
}

static struct table_column column_of(const char *method, const char *group, int digits)
{
    return (struct table_column){.name = label_of(method),
                                 .group = group,
                                 .digits = digits,
                                 .published_digits = digits,
                                 .rival = strcmp(method, "random") != 0};
}

void add_methods(struct table *table, const char *group, const char *const *methods, int digits)
{
    for (; *methods; methods++)
        table_add_column(table, column_of(*methods, group, digits));
}

void set_table_methods(struct set_table *s, const char *group, const char *const *methods, int digits,
                       const char *voices, const char *numbers, const char *figure, unsigned paper)
{
    for (; *methods; methods++)
        set_table_column(s, column_of(*methods, group, digits), (struct published){paper, *methods, 1}, JUDGED, voices,
                         numbers ? numbers : ranking_numbers(*methods), *methods, figure);
}

bool set_table_row(struct set_table *s, const struct results *r, const struct result_set *set, const char *path)
{
    if (path && !part_at(r, set, "%s", path))
        return false;
    table_add_row(&s->t, set->name, !set->same);
    for (size_t j = 0; j < s->t.columns; j++) {
        struct table_cell *cell = table_cell(&s->t, j);
        cell->number = figure_at(r, set, "%s", s->path[j]);
        if (!isnan(cell->number))
            cell->published = published_of(set, s->published[j].table, s->paper_column[j]) * s->published[j].scale;
    }
    return true;
}

void set_table_ranked(struct set_table *s, const struct results *r, int kind, const char *voices)
{
    for (EACH_SET(set, r, kind))
        if (was_ranked(r, set, voices))
            set_table_row(s, r, set, NULL);
    table_add_means(&s->t, "mean");
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

static void say_number(struct table *table, const struct table_row *row, size_t j)
{
    prose_say(&table->says, "%s (%.*f)", table->column[j].name, table->column[j].digits, row->cell[j].number);
}

void say_best(struct table *table, const char *group, const char *lead)
{
    size_t first, second, wins, of;
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
    two_best(table, row, group, &first, &second);
    if (second == table->columns)
        return;
    prose_say(&table->says, "%s%s ", lead, means ? "Best in the mean:" : "Best:");
    say_number(table, row, first);
    prose_say(&table->says, ", then ");
    say_number(table, row, second);
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
    if (says->length)
        prose_say(says, ".");
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
    while (paper_row(trees ? 3 : 2, papers))
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
        const char *score = json_string_value(part_at(r, set, "prediction/@/folds:score"));
        if (score && strcmp(score, "accuracy") == 0)
            return "F1, or accuracy where there are no chunks";
    }
    return "F1";
}
