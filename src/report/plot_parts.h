/*
 * Declares what the files of plot.h share. These are
 *
 *   plot.c          the figure and its numbers, as files
 *   plot_script.c   the script that gnuplot reads
 *   plot_gnuplot.c  running it
 */
#ifndef VOUCH_REPORT_PLOT_PARTS_H
#define VOUCH_REPORT_PLOT_PARTS_H

#include "report/plot.h"

#include <stdio.h>

/* gnuplot's streams: temporary files without a name. Zero before plot_streams_open(), and close in any case. */
struct plot_streams {
    FILE *in, *out, *err;
};
bool plot_streams_open(struct plot_streams *streams, struct vouch_error *err);
void plot_streams_close(struct plot_streams *streams);

/* Returns the whole of a stream, terminated, to free(). */
char *plot_stream_text(FILE *stream, size_t *length, struct vouch_error *err);

/* Runs gnuplot on the content of `in`. If gnuplot is missing the error names the package. */
bool plot_run(const struct plot_streams *streams, struct vouch_error *err);

/* Writes the script for gnuplot, with all numbers. */
bool plot_put_script(FILE *to, const struct plot *plot, struct vouch_error *err);

/* Writes the numbers of a series, a line for each point: x, y and the band's ends. */
void plot_put_points(FILE *to, const struct plot_series *series);

/* Returns the series that series i is a part of, or itself. */
size_t plot_series_like(const struct plot *plot, size_t i);

/* Whether a character would end a line, in a comment, a script or an XML text. */
static inline bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 127;
}

/* Returns `text` (which may be NULL) in one line of well-formed UTF-8, to free(). */
char *plot_one_line(const char *text, struct vouch_error *err);

#endif
