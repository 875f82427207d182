/*
 * Writes the script that gnuplot reads: see plot_parts.h.
 *
 * Texts are in single quotes, within which only the quote itself has a meaning to gnuplot, and never end a line of the
 * script, where a backslash would join it to the next.
 *
 * The figure has colours that can be told apart with any colour vision (the first six
 * are Okabe and Ito's, "Color Universal Design", 2008) on light grounds and dark ones,
 * and a pattern of dashes for each line. Axes and grid are greys between.
 */
#include "report/plot_parts.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

enum { MARKED_POINTS = 12, TICKS = 12 }; /* up to here the points of lines are marked, and whole numbers have ticks */

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7",
                                      "#56B4E9", "#8F6BD1", "#8A8A8A", "#8C8C2A", "#B5304A"};
static const char *const dashes[] = {"solid", "(9,4)", "(2,3)", "(9,3,2,3)", "(5,3)"};
enum { COLOURS = sizeof colours / sizeof *colours, DASHES = sizeof dashes / sizeof *dashes };

char *plot_one_line(const char *text, struct vouch_error *err)
{
    size_t length = text ? strlen(text) : 0, bad;
    char *copy = new_string(text ? text : "", length, err);
    for (size_t i = 0; copy && i < length; i++)
        if (is_control(copy[i]))
            copy[i] = ' ';
    while (copy && (bad = utf8_check(copy, length)) < length)
        copy[bad] = '?';
    return copy;
}

/* Writes a line of the script: `text` in quotes, between `before` and `after`. */
static bool quote(FILE *to, const char *before, const char *text, const char *after, struct vouch_error *err)
{
    char *line = plot_one_line(text, err);
    if (!line)
        return false;
    fprintf(to, "%s'", before);
    for (const char *c = line; *c; c++)
        if (*c == '\'')
            fputs("'.\"\\047\".'", to); /* neither '' nor "'": gnuplot loses count of quotes in places */
        else
            fputc(*c, to);
    fprintf(to, "'%s\n", after);
    free(line);
    return true;
}

static void put_number(FILE *to, double x)
{
    if (isfinite(x))
        fprintf(to, " %.9g", x);
    else
        fputs(" NaN", to);
}

static bool has_band(const struct plot_series *s)
{
    return s->low && s->high;
}

void plot_put_points(FILE *to, const struct plot_series *s)
{
    for (size_t i = 0; i < s->points; i++) {
        put_number(to, s->x[i]);
        put_number(to, s->y[i]);
        put_number(to, has_band(s) ? s->low[i] : NAN);
        put_number(to, has_band(s) ? s->high[i] : NAN);
        fputc('\n', to);
    }
}

static void put_limit(FILE *to, double limit)
{
    if (isfinite(limit))
        fprintf(to, "%.9g", limit);
    else
        fputc('*', to);
}

static void put_range(FILE *to, const char *axis, double from, double end)
{
    fprintf(to, "set %srange [", axis);
    put_limit(to, from);
    fputs(" to ", to);
    put_limit(to, end);
    fputs("]\n", to);
}

/* Finds the least and the greatest number on the axis of x, as far as they are known. */
static void find_ends(const struct plot *plot, double *least, double *greatest)
{
    *least = INFINITY;
    *greatest = 0;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t j = 0; j < plot->series[i].points; j++) {
            *least = fmin(*least, plot->series[i].x[j]);
            *greatest = fmax(*greatest, plot->series[i].x[j]);
        }
    *least = isfinite(plot->x_from) ? plot->x_from : *least;
    *greatest = isfinite(plot->x_to) ? plot->x_to : *greatest;
}

/* Whether x is a small count. */
static bool counts_few(const struct plot *plot)
{
    double least, greatest;
    find_ends(plot, &least, &greatest);
    for (size_t i = 0; i < plot->count; i++)
        for (size_t j = 0; j < plot->series[i].points; j++)
            if (plot->series[i].x[j] != floor(plot->series[i].x[j]))
                return false;
    return greatest > least && greatest - least <= TICKS;
}

/* Sets marks at 1, 2, 5, 10, 20 and so on if there are less than three decades, where gnuplot has too few. */
static void put_log_axis(FILE *to, const struct plot *plot)
{
    double least, greatest;
    find_ends(plot, &least, &greatest);
    fputs("set logscale x\nset mxtics 1\n", to);
    if (!(least > 0 && greatest > least))
        return;
    put_range(to, "x", least * (1 - 1e-6), greatest * (1 + 1e-6)); /* otherwise rounding hides a mark at the end */
    if (greatest > 1000 * least)
        return;
    double decade = pow(10, floor(log10(least)));
    fprintf(to, "set xtics (%.9g", decade);
    for (; decade <= greatest; decade *= 10)
        fprintf(to, ", %.9g, %.9g, %.9g", 2 * decade, 5 * decade, 10 * decade);
    fputs(")\n", to);
}

/* Returns the room for the names of the lines, beside the axes. */
static size_t legend_width(const struct plot *plot)
{
    size_t longest = 0;
    for (size_t i = 0; i < plot->count; i++) {
        size_t length = plot->series[i].name ? strlen(plot->series[i].name) : 0;
        longest = length > longest ? length : longest;
    }
    return longest && !plot->panel ? 60 + 7 * (longest < 80 ? longest : 80) : 0;
}

/* Puts names along the axis of x, slanted if they would touch. */
static bool put_x_names(FILE *to, const struct plot *plot, struct vouch_error *err)
{
    size_t letters = 0;
    bool ok = true;
    for (size_t i = 0; i < plot->x_names; i++)
        letters += strlen(plot->x_name[i]) + 2;
    fprintf(to, "set xtics scale 0 %s ( \\\n", letters > (plot->panel ? 42 : 90) ? "rotate by 35 right" : "");
    for (size_t i = 0; ok && i < plot->x_names; i++) {
        ok = quote(to, i ? ", " : "", plot->x_name[i], " \\", err);
        fprintf(to, " %zu \\\n", i);
    }
    fputs(") noenhanced\nset grid noxtics\n", to);
    return ok;
}

/* Sets the look of every figure. */
static bool put_look(FILE *to, const struct plot *plot, struct vouch_error *err)
{
    fprintf(to,
            "set encoding utf8\n"
            "set terminal svg size %zu,%d fixed noenhanced rounded font 'Helvetica,14' background '#ffffff'\n",
            (plot->panel ? 480 : 720) + legend_width(plot), plot->panel ? 410 : 460);
    fputs("set border 3 linecolor rgb '#8a8a8a' linewidth 1\n"
          "set tics out nomirror scale 0.5 textcolor rgb '#333333'\n"
          "set grid linetype 1 linecolor rgb '#c0808080' linewidth 1\n"
          "set key Left reverse samplen 3 spacing 1.3 textcolor rgb '#333333'\n"
          "set format '%g'\n"
          "set autoscale xfix\n",
          to);
    fputs(plot->panel
              ? "set key outside bottom center horizontal font ',12' samplen 2.2 spacing 1.15 width 0.5 height 1\n"
              : "set key outside right top vertical\n",
          to);
    fprintf(to, "set tmargin %s\n", plot->title && plot->title[0] ? "3.5" : "1");
    put_range(to, "x", plot->x_from, plot->x_to);
    put_range(to, "y", plot->y_from, plot->y_to);
    if (plot->log_x)
        put_log_axis(to, plot);
    else if (counts_few(plot))
        fputs("set xtics 1\n", to);
    if (plot->x_name && !put_x_names(to, plot, err))
        return false;
    return quote(to, "set xlabel ", plot->x_label, " noenhanced textcolor rgb '#333333'", err) &&
           quote(to, "set ylabel ", plot->y_label, " noenhanced textcolor rgb '#333333'", err) &&
           quote(to, "set label ", plot->title,
                 " at graph 0,1 offset 0,1.2 left noenhanced font ',16' textcolor rgb '#333333'", err);
}

size_t plot_series_like(const struct plot *plot, size_t i)
{
    return plot->series[i].like ? plot->series[i].like - 1 : i;
}

/* Returns the number of series i among those that have colours: guides have none. */
static size_t among_coloured(const struct plot *plot, size_t i)
{
    size_t guides = 0;
    for (size_t j = 0; j < i; j++)
        guides += plot->series[j].guide;
    return i - guides;
}

/* Returns the number of a look: `own` - 1, or that of the series itself or of the one that it is a part of. */
static size_t look_of(const struct plot *plot, size_t i, size_t own)
{
    return own ? own - 1 : among_coloured(plot, plot_series_like(plot, i));
}

static const char *colour_of(const struct plot *plot, size_t i)
{
    return colours[look_of(plot, i, plot->series[i].colour) % COLOURS];
}

/* Draws bands, before all lines, which they would cover; `*first` is whether nothing was drawn yet. */
static void put_bands(FILE *to, const struct plot *plot, bool *first)
{
    for (size_t i = 0; i < plot->count; i++)
        if (plot->series[i].points && has_band(&plot->series[i])) {
            fprintf(to,
                    "%s $series%zu using 1:3:4 with filledcurves fillstyle transparent solid 0.18 noborder "
                    "linecolor rgb '%s' notitle",
                    *first ? "plot" : ", \\\n", i, colour_of(plot, i));
            *first = false;
        }
}

/* Draws the bars of series i, beside those of the others in every group. */
static void put_bars(FILE *to, const struct plot *plot, size_t i)
{
    double width = 0.8 * plot->bars / (double)plot->count;
    fprintf(to, " $series%zu using ($1 + %.9g):2:(%.9g) with boxes fillstyle solid noborder linecolor rgb '%s' ", i,
            ((double)i - (double)(plot->count - 1) / 2) * width, width * 0.92, colour_of(plot, i));
}

static void put_curve(FILE *to, const struct plot *plot, size_t i)
{
    size_t dash = look_of(plot, i, plot->series[i].dash), most = 0;
    for (size_t j = 0; j < plot->count; j++)
        most = plot->series[j].points > most ? plot->series[j].points : most;
    bool marked = most <= MARKED_POINTS;
    fprintf(to, " $series%zu using 1:2 with %s linewidth 2.2 dashtype %s %s linecolor rgb '%s' ", i,
            marked ? "linespoints" : "lines", dashes[(dash + dash / COLOURS) % DASHES],
            marked ? "pointtype 7 pointsize 0.4" : "", colour_of(plot, i));
}

static bool put_line(FILE *to, const struct plot *plot, size_t i, bool first, struct vouch_error *err)
{
    const struct plot_series *s = &plot->series[i];
    bool named = s->name && s->name[0];
    fputs(first ? "plot" : ", \\\n", to);
    if (s->guide)
        fprintf(to, " $series%zu using 1:2 with lines linewidth 1 dashtype solid linecolor rgb '#8a8a8a' ", i);
    else if (plot->bars > 0)
        put_bars(to, plot, i);
    else
        put_curve(to, plot, i);
    if (named)
        return quote(to, "title ", s->name, " noenhanced \\", err);
    fputs("notitle \\\n", to);
    return true;
}

bool plot_put_script(FILE *to, const struct plot *plot, struct vouch_error *err)
{
    bool first = true, ok = put_look(to, plot, err);
    for (size_t i = 0; i < plot->count; i++) {
        fprintf(to, "$series%zu << end\n", i);
        plot_put_points(to, &plot->series[i]);
        fputs("end\n", to);
    }
    put_bands(to, plot, &first);
    for (size_t i = 0; ok && i < plot->count; i++)
        if (plot->series[i].points) {
            ok = put_line(to, plot, i, first, err);
            first = false;
        }
    fputs("\n", to);
    if (ok && first)
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing to draw");
    return ok && (fflush(to) == 0 || fail(err, VOUCH_ERR_IO, "cannot write a temporary file: %s", strerror(errno)));
}
