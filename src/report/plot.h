/*
 * Figures, drawn by gnuplot from numbers that are kept beside them.
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
    size_t like; /* 1 + the series whose colour and dashes it has, for a line of several parts; 0: its own */
};

struct plot {
    const char *title, *x_label, *y_label;
    double x_from, x_to, y_from, y_to; /* NAN: as the numbers have it */
    bool log_x;
    const struct plot_series *series; /* [count] */
    size_t count;
};

/*
 * Writes `path`, an SVG for light pages and dark ones, and its numbers beside it: curve.svg from curve.dat. Each
 * appears whole or not at all. Without gnuplot that is an error, which names the package; the numbers stay.
 */
bool plot_draw(const struct plot *plot, const char *path, struct vouch_error *err);

/* Whether gnuplot is there and both files can be written: nobody wants to learn that after an hour of work. */
bool plot_possible(const char *path, struct vouch_error *err);

#endif
