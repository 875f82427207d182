/*
 * Draws figures by gnuplot, from numbers that are kept beside them.
 */
#ifndef VOUCH_REPORT_PLOT_H
#define VOUCH_REPORT_PLOT_H

#include "base/error.h"

#include <stddef.h>

/* One line of a figure, with a band around it if it has one. */
struct plot_series {
    const char *name;         /* NULL or empty: not in the legend */
    const double *x, *y;      /* [points] */
    const double *low, *high; /* [points] a band, or NULL */
    size_t points;
    size_t like;         /* 1 + the series whose colour and dashes it has, for a line of several parts; 0: its own */
    size_t colour, dash; /* 1 + the number of its colour, and of its dashes; 0: as `like` has it */
    bool guide;          /* a thin grey line to measure others by; it has no colour of its own */
};

struct plot {
    const char *title, *x_label, *y_label;
    double x_from, x_to, y_from, y_to; /* NAN: from the numbers */
    bool log_x;
    bool panel;                /* one of several side by side: smaller, with the legend below */
    double bars;               /* not 0: bars instead of lines, and the distance of their groups on the x axis */
    const char *const *x_name; /* [x_names] at x = 0, 1, ...; NULL: numbers */
    size_t x_names;
    const struct plot_series *series; /* [count] */
    size_t count;
};

/*
 * Writes `path`, an SVG for light pages and dark ones, and its numbers beside it: curve.svg from curve.dat. Each
 * appears whole or not at all. Without gnuplot that is an error, which names the package; the numbers stay.
 */
bool plot_draw(const struct plot *plot, const char *path, struct vouch_error *err);

/* Returns the figure alone, without files: its SVG, to free(); NULL with the error set. */
char *plot_svg(const struct plot *plot, struct vouch_error *err);

/* Writes the numbers alone, as they are beside a figure. */
bool plot_write_numbers(const struct plot *plot, const char *path, struct vouch_error *err);

/* Returns where the numbers of a figure go: curve.dat for curve.svg; to free(), NULL with the error set. */
char *plot_path_of_numbers(const char *path, struct vouch_error *err);

/* Whether gnuplot is installed and both files can be written: call it before the work whose result is drawn. */
bool plot_possible(const char *path, struct vouch_error *err);

#endif
