/*
 * A chart is a figure of lines or bars that grows point by point; gnuplot draws it as an SVG for light pages and dark
 * ones, and its numbers are kept beside it.
 *
 * A failed allocation is noted and reported when the chart is drawn.
 */
#ifndef VOUCH_REPORT_CHART_H
#define VOUCH_REPORT_CHART_H

#include "base/output.h"

#include <stddef.h>

struct chart_point {
    double x, y;      /* y NAN: a gap in the line */
    double low, high; /* the ends of a band around it; NAN: none */
    double count;     /* of what it is made, written above it, if the range of y is known; NAN: nothing */
};

struct chart_series {
    char *name; /* empty: not in the legend; NULL: that of the series that it is a part of */
    struct chart_point *point;
    size_t points, capacity;
    size_t like;         /* 1 + the series whose colour and dashes it has, for a line of several parts; 0: its own */
    size_t colour, dash; /* 1 + the number of its colour, and of its dashes; 0: as `like` has it */
    bool guide;          /* a thin grey line to measure others by; it has no colour of its own */
    bool banded;
    bool whiskers; /* points that no line joins, each with its band as a whisker */
};

/* After chart_init(), ranges, log_x, log_y, panel and bars may be changed. */
struct chart {
    char *name; /* of its files */
    char *title, *x_label, *y_label;
    double x_from, x_to, y_from, y_to; /* NAN: from the numbers */
    bool log_x, log_y;
    bool panel;  /* one of several side by side: smaller, with the legend below */
    double bars; /* not 0: bars instead of lines, and the distance of their groups on the x axis */
    char **x_name;
    size_t x_names, x_name_capacity; /* at x = 0, 1, ...; none: numbers */
    struct chart_series *series;
    size_t count, capacity;
    bool broken;
};

/* Texts are copied. Release in any case. */
void chart_init(struct chart *chart, const char *name, const char *title, const char *x_label, const char *y_label);
void chart_release(struct chart *chart);

/* Add a series, and points or bands to the last series. chart_add_point() leaves out a point without a y. */
void chart_add_series(struct chart *chart, const char *name);
void chart_add_point(struct chart *chart, double x, double y);
void chart_add_band(struct chart *chart, double x, double y, double low, double high);

/* Adds a point with a whisker and a count; the last series then is of such points. */
void chart_add_whisker(struct chart *chart, double x, double y, double low, double high, double count);

/* Adds a series that is a part of the line of series `whole`. */
void chart_add_part(struct chart *chart, size_t whole);

/* Gives the last series the colour and the dashes that a series of that number would have. */
void chart_set_style(struct chart *chart, size_t colour, size_t dash);

/* Adds a thin grey line; before all series, so that they lie over it. */
void chart_add_guide(struct chart *chart, double x0, double y0, double x1, double y1);

/* Adds a name on the axis of x; the first is at x = 0. */
void chart_add_x_name(struct chart *chart, const char *name);

/* Whether the chart has no points but those of guides. */
bool chart_is_empty(const struct chart *chart);

/*
 * Writes `path`, an SVG, and its numbers beside it: curve.svg from curve.dat. Each appears whole or not at all. Without
 * gnuplot that is an error, which names the package; the numbers stay.
 */
bool chart_draw(const struct chart *chart, const char *path, struct vouch_error *err);

/* Writes the numbers alone, as they are beside a figure. */
bool chart_write_numbers(const struct chart *chart, const char *path, struct vouch_error *err);

/* Returns where the numbers of a figure go: curve.dat for curve.svg; to free(), NULL with the error set. */
char *chart_path_of_numbers(const char *path, struct vouch_error *err);

/* Whether gnuplot is installed and both files can be written: call it before the work whose result is drawn. */
bool chart_possible(const char *path, struct vouch_error *err);

/*
 * Returns how many bytes at `at`, in a figure, are one of its colours; *token becomes its name in web/style/tokens.css.
 * 0: none.
 */
size_t chart_colour(const char *at, const char **token);

/* Returns the figure alone, its SVG, to free(); NULL with the error set. `titled`: its title is written on it, too. */
char *chart_svg(const struct chart *chart, bool titled, struct vouch_error *err);

#endif
