/* Builds charts and writes their numbers: see chart.h. Figures and numbers are two files, each whole or not there. */
#include "report/chart.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns a copy, or NULL with the chart broken. */
static char *copy(struct chart *chart, const char *text)
{
    char *own = new_string(text, strlen(text), NULL);
    chart->broken |= !own;
    return own;
}

void chart_init(struct chart *chart, const char *name, const char *title, const char *x_label, const char *y_label)
{
    *chart = (struct chart){.x_from = NAN, .x_to = NAN, .y_from = NAN, .y_to = NAN};
    chart->name = copy(chart, name);
    chart->title = copy(chart, title);
    chart->x_label = copy(chart, x_label);
    chart->y_label = copy(chart, y_label);
}

void chart_release(struct chart *chart)
{
    for (size_t i = 0; i < chart->count; i++) {
        free(chart->series[i].name);
        free(chart->series[i].point);
    }
    for (size_t i = 0; i < chart->x_names; i++)
        free(chart->x_name[i]);
    free(chart->series);
    free(chart->x_name);
    free(chart->name);
    free(chart->title);
    free(chart->x_label);
    free(chart->y_label);
    *chart = (struct chart){0};
}

/* Returns a new series, or NULL with the chart broken. */
static struct chart_series *new_series(struct chart *chart)
{
    chart->broken |= !RESERVE(chart->series, chart->capacity, chart->count + 1, NULL);
    if (chart->broken)
        return NULL;
    chart->series[chart->count] = (struct chart_series){0};
    return &chart->series[chart->count++];
}

static struct chart_series *last_series(const struct chart *chart)
{
    return chart->broken || !chart->count ? NULL : &chart->series[chart->count - 1];
}

void chart_add_series(struct chart *chart, const char *name)
{
    struct chart_series *s = new_series(chart);
    if (s)
        s->name = copy(chart, name);
}

void chart_add_part(struct chart *chart, size_t whole)
{
    struct chart_series *s = new_series(chart);
    if (s)
        s->like = whole + 1;
}

void chart_add_band(struct chart *chart, double x, double y, double low, double high)
{
    struct chart_series *s = last_series(chart);
    chart->broken |= s && !RESERVE(s->point, s->capacity, s->points + 1, NULL);
    if (!s || chart->broken)
        return;
    s->banded |= !isnan(low) && !isnan(high);
    s->point[s->points++] = (struct chart_point){x, y, low, high};
}

void chart_add_point(struct chart *chart, double x, double y)
{
    if (!isnan(y))
        chart_add_band(chart, x, y, NAN, NAN);
}

void chart_set_style(struct chart *chart, size_t colour, size_t dash)
{
    struct chart_series *s = last_series(chart);
    if (s) {
        s->colour = colour + 1;
        s->dash = dash + 1;
    }
}

void chart_add_guide(struct chart *chart, double x0, double y0, double x1, double y1)
{
    chart_add_series(chart, "");
    chart_add_point(chart, x0, y0);
    chart_add_point(chart, x1, y1);
    if (last_series(chart))
        last_series(chart)->guide = true;
}

void chart_add_x_name(struct chart *chart, const char *name)
{
    chart->broken |= !RESERVE(chart->x_name, chart->x_name_capacity, chart->x_names + 1, NULL);
    if (!chart->broken)
        chart->x_name[chart->x_names++] = copy(chart, name);
}

bool chart_is_empty(const struct chart *chart)
{
    for (size_t i = 0; i < chart->count; i++)
        if (!chart->series[i].guide && chart->series[i].points)
            return false;
    return true;
}

/* Files. */

/* A block for each series, as gnuplot's "index" counts them. */
bool chart_write_numbers(const struct chart *chart, const char *path, struct vouch_error *err)
{
    struct output *out = chart->broken ? NULL : output_open(path, err);
    if (!out)
        return chart->broken ? fail_memory(err) : false;
    output_printf(out, "# ");
    chart_put_text(out, chart->title, SYNTAX_PLAIN);
    output_printf(out, "\n# columns: ");
    chart_put_text(out, chart->x_label, SYNTAX_PLAIN);
    output_printf(out, "; ");
    chart_put_text(out, chart->y_label, SYNTAX_PLAIN);
    output_printf(out, "; low and high end of the band, NaN if there is none\n");
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_series *s = &chart->series[i];
        output_printf(out, i ? "\n\n# " : "# ");
        chart_put_text(out, s->like ? chart->series[s->like - 1].name : s->name, SYNTAX_PLAIN);
        output_printf(out, "\n");
        chart_put_points(out, s);
    }
    return output_commit(out, err);
}

char *chart_path_of_numbers(const char *path, struct vouch_error *err)
{
    size_t length = strlen(path);
    if (length >= 4 && strcmp(path + length - 4, ".svg") == 0)
        length -= 4;
    char *name = new_array(length + sizeof ".dat", 1, err);
    if (name)
        snprintf(name, length + sizeof ".dat", "%.*s.dat", (int)length, path);
    return name;
}

static bool is_name(const char *path, struct vouch_error *err)
{
    return strcmp(path, "-") != 0 ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected the name of a file for the figure, found '-'");
}

bool chart_draw(const struct chart *chart, const char *path, struct vouch_error *err)
{
    char *numbers = is_name(path, err) ? chart_path_of_numbers(path, err) : NULL;
    bool written = numbers && chart_write_numbers(chart, numbers, err);
    struct output *out = written ? output_open(path, err) : NULL;
    char *svg = out ? chart_svg(chart, chart->title, err) : NULL;
    if (svg)
        output_write(out, svg, strlen(svg));
    bool ok = output_close(out, svg, err);
    if (written && !ok)
        fail_within(err, "%s is written, %s is not", numbers, path);
    free(svg);
    free(numbers);
    return ok;
}

static bool can_write(const char *path, struct vouch_error *err)
{
    struct output *probe = output_open(path, err);
    output_discard(probe);
    return probe;
}

bool chart_possible(const char *path, struct vouch_error *err)
{
    char *numbers = is_name(path, err) ? chart_path_of_numbers(path, err) : NULL;
    char *drawn = numbers && can_write(numbers, err) && can_write(path, err) ? gnuplot_run("", 0, err) : NULL;
    bool ok = drawn;
    free(numbers);
    free(drawn);
    return ok;
}
