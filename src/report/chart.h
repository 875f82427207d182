/*
 * A chart is a plot that owns its numbers and grows point by point.
 *
 * A failed allocation is noted and reported when the chart is drawn.
 */
#ifndef VOUCH_REPORT_CHART_H
#define VOUCH_REPORT_CHART_H

#include "report/plot.h"

struct chart_series {
    char *name;
    double *x, *y, *low, *high; /* [points] */
    size_t points, x_capacity, y_capacity, low_capacity, high_capacity;
    size_t colour, dash; /* as in struct plot_series */
    bool guide, banded;
};

/* After chart_init(), `look` may be changed: ranges, log_x, bars, panel. */
struct chart {
    char *name;       /* of its files */
    struct plot look; /* without series and names */
    char *title, *x_label, *y_label;
    struct chart_series *series;
    size_t count, capacity;
    char **x_name;
    size_t x_names, x_name_capacity;
    bool broken;
};

/* Texts are copied. Release in any case. */
void chart_init(struct chart *chart, const char *name, const char *title, const char *x_label, const char *y_label);
void chart_release(struct chart *chart);

/* Add a series, and points or bands to the last series. A point without a y is left out. */
void chart_add_series(struct chart *chart, const char *name);
void chart_add_point(struct chart *chart, double x, double y);
void chart_add_band(struct chart *chart, double x, double y, double low, double high);

/* Gives the last series the colour and the dashes that a series of that number would have. */
void chart_set_look(struct chart *chart, size_t colour, size_t dash);

/* Adds a thin grey line. */
void chart_add_guide(struct chart *chart, double x0, double y0, double x1, double y1);

/* Adds a name on the axis of x; the first is at x = 0. */
void chart_add_x_name(struct chart *chart, const char *name);

/* Whether the chart has no points. */
bool chart_is_empty(const struct chart *chart);

/* Do what plot_write_numbers() does, and plot_svg() with any title. */
bool chart_write_numbers(const struct chart *chart, const char *path, struct vouch_error *err);
char *chart_svg(const struct chart *chart, const char *title, struct vouch_error *err);

#endif
