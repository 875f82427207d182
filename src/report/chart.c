/* Builds charts: see chart.h. */
#include "report/chart.h"

#include "base/memory.h"

#include <math.h>
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
    *chart = (struct chart){.look = {.x_from = NAN, .x_to = NAN, .y_from = NAN, .y_to = NAN}};
    chart->name = copy(chart, name);
    chart->title = copy(chart, title);
    chart->x_label = copy(chart, x_label);
    chart->y_label = copy(chart, y_label);
}

void chart_release(struct chart *chart)
{
    for (size_t i = 0; i < chart->count; i++) {
        struct chart_series *s = &chart->series[i];
        free(s->name);
        free(s->x);
        free(s->y);
        free(s->low);
        free(s->high);
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

void chart_add_series(struct chart *chart, const char *name)
{
    if (chart->broken || !RESERVE(chart->series, chart->capacity, chart->count + 1, NULL)) {
        chart->broken = true;
        return;
    }
    chart->series[chart->count++] = (struct chart_series){.name = copy(chart, name)};
}

void chart_add_band(struct chart *chart, double x, double y, double low, double high)
{
    struct chart_series *s = chart->broken || !chart->count ? NULL : &chart->series[chart->count - 1];
    if (!s || isnan(y))
        return;
    size_t n = s->points;
    if (!RESERVE(s->x, s->x_capacity, n + 1, NULL) || !RESERVE(s->y, s->y_capacity, n + 1, NULL) ||
        !RESERVE(s->low, s->low_capacity, n + 1, NULL) || !RESERVE(s->high, s->high_capacity, n + 1, NULL)) {
        chart->broken = true;
        return;
    }
    s->x[n] = x;
    s->y[n] = y;
    s->low[n] = low;
    s->high[n] = high;
    s->banded |= !isnan(low) && !isnan(high);
    s->points++;
}

void chart_add_point(struct chart *chart, double x, double y)
{
    chart_add_band(chart, x, y, NAN, NAN);
}

void chart_set_look(struct chart *chart, size_t colour, size_t dash)
{
    if (chart->broken || !chart->count)
        return;
    chart->series[chart->count - 1].colour = colour + 1;
    chart->series[chart->count - 1].dash = dash + 1;
}

void chart_add_guide(struct chart *chart, double x0, double y0, double x1, double y1)
{
    chart_add_series(chart, "");
    chart_add_point(chart, x0, y0);
    chart_add_point(chart, x1, y1);
    if (!chart->broken)
        chart->series[chart->count - 1].guide = true;
}

void chart_add_x_name(struct chart *chart, const char *name)
{
    if (chart->broken || !RESERVE(chart->x_name, chart->x_name_capacity, chart->x_names + 1, NULL))
        chart->broken = true;
    else
        chart->x_name[chart->x_names++] = copy(chart, name);
}

bool chart_is_empty(const struct chart *chart)
{
    for (size_t i = 0; i < chart->count; i++)
        if (!chart->series[i].guide && chart->series[i].points)
            return false;
    return true;
}

/* Returns the series of the plot, to free(). Guides come first, so that lines lie over them. */
static struct plot_series *series_of(const struct chart *chart, struct vouch_error *err)
{
    struct plot_series *series = new_array(chart->count, sizeof *series, err);
    size_t to = 0;
    for (int guides = 1; series && guides >= 0; guides--)
        for (size_t i = 0; i < chart->count; i++) {
            const struct chart_series *s = &chart->series[i];
            if (s->guide == (guides == 1))
                series[to++] = (struct plot_series){.name = s->name,
                                                    .x = s->x,
                                                    .y = s->y,
                                                    .low = s->banded ? s->low : NULL,
                                                    .high = s->banded ? s->high : NULL,
                                                    .points = s->points,
                                                    .colour = s->colour,
                                                    .dash = s->dash,
                                                    .guide = s->guide};
        }
    return series;
}

static bool plot_of(const struct chart *chart, struct plot *plot, struct plot_series **series, struct vouch_error *err)
{
    *series = NULL;
    if (chart->broken)
        return fail_memory(err);
    *series = series_of(chart, err);
    *plot = chart->look;
    plot->title = chart->title;
    plot->x_label = chart->x_label;
    plot->y_label = chart->y_label;
    plot->x_name = (const char *const *)chart->x_name;
    plot->x_names = chart->x_names;
    plot->series = *series;
    plot->count = chart->count;
    return *series;
}

bool chart_write_numbers(const struct chart *chart, const char *path, struct vouch_error *err)
{
    struct plot plot;
    struct plot_series *series;
    bool ok = plot_of(chart, &plot, &series, err) && plot_write_numbers(&plot, path, err);
    free(series);
    return ok;
}

char *chart_svg(const struct chart *chart, const char *title, struct vouch_error *err)
{
    struct plot plot;
    struct plot_series *series;
    bool ok = plot_of(chart, &plot, &series, err);
    plot.title = title;
    char *svg = ok ? plot_svg(&plot, err) : NULL;
    free(series);
    return svg;
}
