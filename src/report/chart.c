/*
 * Builds charts, writes their numbers and draws them by gnuplot: see chart.h. Figures and numbers are two files, each
 * whole or not there.
 *
 * gnuplot reads a script on its standard input, which holds the numbers too, and writes the figure to its standard
 * output. Neither a shell nor the name of a file is involved: gnuplot would run a name that begins with '<'. The
 * streams are temporary files without a name, so that neither program can block the other, as with pipes. The user's
 * start-up files are not read (-d).
 *
 * Texts are in single quotes, within which only the quote itself has a meaning to gnuplot, and never end a line of the
 * script, where a backslash would join it to the next.
 *
 * Lines have the colours of web/style/tokens.css, of which the first six can be told apart with any colour vision, and
 * a pattern of dashes each. gnuplot draws for a light ground; a style table gives what has a colour the one for a dark
 * ground. It is put where gnuplot writes its own title.
 */
#include "report/chart.h"

#include "base/buffer.h"
#include "base/elementary.h"
#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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

static struct chart_series *last_series(const struct chart *chart)
{
    return chart->broken || !chart->count ? NULL : &chart->series[chart->count - 1];
}

static void add_series(struct chart *chart, struct chart_series series)
{
    chart->broken |= !RESERVE(chart->series, chart->capacity, chart->count + 1, NULL);
    if (!chart->broken)
        chart->series[chart->count++] = series;
}

void chart_add_series(struct chart *chart, const char *name)
{
    add_series(chart, (struct chart_series){0});
    if (last_series(chart))
        last_series(chart)->name = copy(chart, name);
}

void chart_add_part(struct chart *chart, size_t whole)
{
    add_series(chart, (struct chart_series){.like = whole + 1});
}

void chart_add_band(struct chart *chart, double x, double y, double low, double high)
{
    struct chart_series *s = last_series(chart);
    chart->broken |= s && !RESERVE(s->point, s->capacity, s->points + 1, NULL);
    if (!s || chart->broken)
        return;
    s->banded |= !isnan(low) && !isnan(high);
    s->point[s->points++] = (struct chart_point){x, y, low, high, NAN};
}

void chart_add_whisker(struct chart *chart, double x, double y, double low, double high, double count)
{
    struct chart_series *s = last_series(chart);
    chart_add_band(chart, x, y, low, high);
    if (!s || chart->broken)
        return;
    s->whiskers = true;
    s->point[s->points - 1].count = count;
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

/* Drawing. */

enum { MARKED_POINTS = 12, TICKS = 12 }; /* up to here the points of lines are marked, and whole numbers have ticks */

/* For light grounds and for dark ones; then axes and guides, and the grid. */
static const struct {
    const char *light, *dark, *token;
} colours[] = {
    {"#0a5a78", "#7fc8e4", "series-1"}, {"#b23c0c", "#e57a3c", "series-2"}, {"#0a9068", "#3fb389", "series-3"},
    {"#c08800", "#f2cf86", "series-4"}, {"#cf74a8", "#d985b5", "series-5"}, {"#4a9be0", "#5b8fe8", "series-6"},
    {"#7a55c4", "#b49ce1", "series-7"}, {"#6f757d", "#a7adb7", "series-8"}, {"#77771c", "#c2c266", "series-9"},
    {"#a02a1e", "#f4a195", "series-10"}, {"#858b93", "#737b87", "line-strong"}, {"#dcdcd4", "#323943", "line"}};
static const char *const dashes[] = {"solid", "(9,4)", "(2,3)", "(9,3,2,3)", "(5,3)"};
enum { PAINTS = sizeof colours / sizeof *colours, COLOURS = PAINTS - 2, DASHES = sizeof dashes / sizeof *dashes };
#define AXES (colours[COLOURS].light)
#define GRID (colours[COLOURS + 1].light)
#define INK "#1a1d22"
#define GROUND "#ffffff"

static const char gnuplot_title[] = "<title>Gnuplot</title>";
static const char style[] =
    "<style>\n#gnuplot_canvas text { fill: " INK "; stroke: none }\n"
    "#gnuplot_canvas text, #gnuplot_canvas tspan { font-family: system-ui, sans-serif }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "#gnuplot_canvas > rect { fill: #1b1f25 }\n#gnuplot_canvas text { fill: #e9eae6 }\n";

/* Returns the colour as gnuplot writes it. */
static const char *as_drawn(const char *light, char room[24])
{
    unsigned rgb = (unsigned)strtoul(light + 1, NULL, 16);
    snprintf(room, 24, "rgb(%3u, %3u, %3u)", rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
    return room;
}

/* What is drawn in a colour for light grounds has another on dark ones. */
static void put_style(struct output *out)
{
    static const char *const properties[] = {"stroke", "fill", "color"};
    char drawn[24];
    output_printf(out, "%s", style);
    for (size_t i = 0; i < PAINTS; i++)
        for (size_t k = 0; k < 3; k++)
            output_printf(out, "[%s='%s'] { %s: %s }\n", properties[k], as_drawn(colours[i].light, drawn),
                          properties[k], colours[i].dark);
    output_printf(out, "}\n</style>");
}

size_t chart_colour(const char *at, const char **token)
{
    char drawn[24];
    for (size_t i = 0; i < PAINTS; i++) {
        size_t length = strlen(as_drawn(colours[i].light, drawn));
        *token = colours[i].token;
        if (strncmp(at, drawn, length) == 0)
            return length;
    }
    return 0;
}

/* Text and numbers. */

enum syntax { SYNTAX_PLAIN, SYNTAX_QUOTED, SYNTAX_XML };

static const char *escape_of(char c, enum syntax syntax)
{
    if (syntax == SYNTAX_XML && (c == '&' || c == '<' || c == '>'))
        return c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;";
    if (syntax == SYNTAX_QUOTED && c == '\'')
        return "'.\"\\047\".'"; /* neither '' nor "'": gnuplot loses count of quotes in places */
    return (unsigned char)c < ' ' || c == 127 ? " " : NULL;
}

/*
 * Writes text, which may be NULL, in one line of well-formed UTF-8: as it is, within single quotes of gnuplot, or in
 * XML.
 */
static void put_text(struct output *out, const char *text, enum syntax syntax)
{
    size_t length = text ? strlen(text) : 0, bad = text ? utf8_check(text, length) : 0;
    for (size_t i = 0; i < length; i++) {
        const char *escape = i == bad ? "?" : escape_of(text[i], syntax);
        if (i == bad)
            bad = i + 1 + utf8_check(text + i + 1, length - i - 1);
        output_write(out, escape ? escape : text + i, escape ? strlen(escape) : 1);
    }
}

/* Writes a line of the script: `text` in quotes, between `before` and `after`. */
static void quote(struct output *out, const char *before, const char *text, const char *after)
{
    output_printf(out, "%s'", before);
    put_text(out, text, SYNTAX_QUOTED);
    output_printf(out, "'%s\n", after);
}

/* Writes the points of a series, a line for each: x, y and the band's ends; with whiskers also the count. */
static void put_points(struct output *out, const struct chart_series *s)
{
    for (size_t i = 0; i < s->points; i++) {
        const struct chart_point *p = &s->point[i];
        const double number[] = {p->x, p->y, s->banded ? p->low : NAN, s->banded ? p->high : NAN, p->count};
        for (size_t k = 0; k < 4 + (size_t)s->whiskers; k++)
            output_printf(out, isfinite(number[k]) ? " %.9g" : " NaN", number[k]);
        output_printf(out, "\n");
    }
}

/* Axes. */

static void put_range(struct output *out, char axis, double from, double to)
{
    output_printf(out, "set %crange [", axis);
    output_printf(out, isfinite(from) ? "%.9g to " : "* to ", from);
    output_printf(out, isfinite(to) ? "%.9g]\n" : "*]\n", to);
}

/* Finds the least and the greatest number on the axis of x, as far as they are known; returns whether all are whole. */
static bool find_ends(const struct chart *c, double *least, double *greatest)
{
    bool whole = true;
    *least = INFINITY;
    *greatest = 0;
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < c->series[i].points; j++) {
            double x = c->series[i].point[j].x;
            *least = fmin(*least, x);
            *greatest = fmax(*greatest, x);
            whole = whole && x == floor(x);
        }
    *least = isfinite(c->x_from) ? c->x_from : *least;
    *greatest = isfinite(c->x_to) ? c->x_to : *greatest;
    return whole;
}

/* Returns the greatest power of ten that is at most x > 0; for the smallest numbers, one of them. */
static double decade_of(double x)
{
    int n = -308;
    while (n < 308 && ten_to(n + 1) <= x)
        n++;
    return ten_to(n);
}

/* Sets marks at 1, 2, 5, 10, 20 and so on if there are less than three decades, where gnuplot has too few. */
static void put_log_axis(struct output *out, const struct chart *c)
{
    double least, greatest;
    find_ends(c, &least, &greatest);
    output_printf(out, "set logscale x\nset mxtics 1\n");
    if (!(least > 0 && greatest > least))
        return;
    put_range(out, 'x', least * (1 - 1e-6), greatest * (1 + 1e-6)); /* otherwise rounding hides a mark at the end */
    if (greatest > 1000 * least)
        return;
    double decade = decade_of(least);
    output_printf(out, "set xtics (%.9g", decade);
    for (; decade <= greatest; decade *= 10)
        output_printf(out, ", %.9g, %.9g, %.9g", 2 * decade, 5 * decade, 10 * decade);
    output_printf(out, ")\n");
}

/* Puts names along the axis of x, slanted if they would touch. */
static void put_x_names(struct output *out, const struct chart *c)
{
    size_t letters = 0;
    for (size_t i = 0; i < c->x_names; i++)
        letters += strlen(c->x_name[i]) + 2;
    output_printf(out, "set xtics scale 0 %s ( \\\n", letters > (c->panel ? 42 : 90) ? "rotate by 35 right" : "");
    for (size_t i = 0; i < c->x_names; i++) {
        quote(out, i ? ", " : "", c->x_name[i], " \\");
        output_printf(out, " %zu \\\n", i);
    }
    output_printf(out, ") noenhanced\nset grid noxtics\n");
}

/* Returns the room for the names of the lines, beside the axes. */
static size_t legend_width(const struct chart *c)
{
    size_t longest = 0;
    for (size_t i = 0; i < c->count; i++) {
        size_t length = c->series[i].name ? strlen(c->series[i].name) : 0;
        longest = length > longest ? length : longest;
    }
    return longest && !c->panel ? 60 + 7 * (longest < 80 ? longest : 80) : 0;
}

/* Whether the points of a series have counts, and there is a place for them: above a range that is known. */
static bool has_counts(const struct chart *c)
{
    bool any = false;
    for (size_t i = 0; i < c->count; i++)
        any = any || c->series[i].whiskers;
    return any && isfinite(c->y_from) && isfinite(c->y_to);
}

/* Returns the height of something so far above the range, as a share of it. */
static double count_height(const struct chart *c, double share)
{
    return c->y_to + share * (c->y_to - c->y_from);
}

/* Returns how many rows the legend takes below a panel. */
static size_t legend_rows(const struct chart *c)
{
    size_t names = 0, longest = 1;
    for (size_t i = 0; i < c->count; i++) {
        size_t length = c->series[i].name && c->series[i].points ? strlen(c->series[i].name) : 0;
        names += length > 0;
        longest = length > longest ? length : longest;
    }
    size_t columns = 260 / (50 + 7 * longest);
    return columns > 1 ? (names + columns - 1) / columns : names;
}

/* Sets what all figures have in common, and the axes. */
static void put_settings(struct output *out, const struct chart *c, const char *title)
{
    double least, greatest;
    size_t rows = legend_rows(c);
    output_printf(out,
                  "set encoding utf8\n"
                  "set terminal svg size %zu,%d fixed noenhanced rounded font 'Helvetica,%d' background '" GROUND "'\n"
                  "set border 3 linecolor rgb '%s' linewidth 1\n"
                  "set tics out nomirror scale 0.5 textcolor rgb '" INK "'\n"
                  "set grid linetype 1 linecolor rgb '%s' linewidth 1\n"
                  "set key Left reverse samplen 3 spacing 1.3 textcolor rgb '" INK "'\n"
                  "set format '%%g'\n"
                  "set autoscale xfix\n"
                  "set key outside %s\n"
                  "set tmargin %s\n",
                  (c->panel ? 320 : 720) + legend_width(c), c->panel ? 280 + (int)rows * 22 : 460,
                  c->panel ? 13 : 14, AXES, GRID,
                  c->panel ? "bottom center horizontal font ',13' samplen 2.2 spacing 1.15 width 0.5 height 1"
                           : "right top vertical",
                  title && title[0] ? c->panel ? "2.5" : "3.5" : "1");
    if (c->panel) /* no more than needed */
        output_printf(out, "set rmargin 2\n%s", rows || c->x_name ? "" : "set bmargin 3.6\n");
    put_range(out, 'x', c->x_from, c->x_to);
    put_range(out, 'y', c->y_from, c->y_to);
    if (has_counts(c)) /* room for them above the points; large ones are written as 2k, 42k, 3M */
        output_printf(out,
                      "set yrange [%.9g:%.9g]\nset ytics %.9g,%.9g,%.9g\n"
                      "shown(n) = n < 1000 ? sprintf('%%d', n) : n < 999500 ? sprintf('%%.0fk', n / 1000) : "
                      "sprintf('%%.0fM', n / 1e6)\n",
                      c->y_from, count_height(c, 0.3), c->y_from, (c->y_to - c->y_from) / 5, c->y_to);
    if (c->log_y)
        output_printf(out, "set logscale y\n");
    if (c->log_x)
        put_log_axis(out, c);
    else if (find_ends(c, &least, &greatest) && greatest > least && greatest - least <= TICKS) /* a small count */
        output_printf(out, "set xtics 1\n");
    if (c->x_name)
        put_x_names(out, c);
    quote(out, "set xlabel ", c->x_label, " noenhanced textcolor rgb '" INK "'");
    quote(out, "set ylabel ", c->y_label, " noenhanced textcolor rgb '" INK "'");
    quote(out, "set label ", title, " at graph 0,1 offset 0,1.2 left noenhanced font ',16' textcolor rgb '" INK "'");
}

/* Series. */

/* Returns the number of a colour, or of dashes: `own` - 1, or that of the line among those that are no guides. */
static size_t style_number(const struct chart *c, size_t i, size_t own)
{
    size_t whole = c->series[i].like ? c->series[i].like - 1 : i, guides = 0;
    for (size_t j = 0; j < whole; j++)
        guides += c->series[j].guide;
    return own ? own - 1 : whole - guides;
}

static const char *colour_of(const struct chart *c, size_t i)
{
    return colours[style_number(c, i, c->series[i].colour) % COLOURS].light;
}

/* Draws series i: a guide, bars beside those of the others in every group, or a curve. */
static void put_line(struct output *out, const struct chart *c, size_t i)
{
    double width = 0.8 * c->bars / (double)c->count;
    size_t dash = style_number(c, i, c->series[i].dash), most = 0;
    for (size_t j = 0; j < c->count; j++)
        most = c->series[j].points > most ? c->series[j].points : most;
    bool marked = most <= MARKED_POINTS;
    output_printf(out, " $series%zu using ", i);
    if (c->series[i].guide)
        output_printf(out, "1:2 with lines linewidth 1 dashtype solid linecolor rgb '%s' ", AXES);
    else if (c->bars > 0)
        output_printf(out, "($1 + %.9g):2:(%.9g) with boxes fillstyle solid noborder linecolor rgb '%s' ",
                      ((double)i - (double)(c->count - 1) / 2) * width, width * 0.92, colour_of(c, i));
    else if (c->series[i].whiskers)
        output_printf(out, "1:2 with points pointtype 7 pointsize 0.55 linecolor rgb '%s' ", colour_of(c, i));
    else
        output_printf(out, "1:2 with %s linewidth 2.2 dashtype %s %s linecolor rgb '%s' ",
                      marked ? "linespoints" : "lines", dashes[(dash + dash / COLOURS) % DASHES],
                      marked ? "pointtype 7 pointsize 0.4" : "", colour_of(c, i));
}

/* Writes all series with points: bands before all lines, which they would cover. Returns whether there are any. */
static bool put_series(struct output *out, const struct chart *c)
{
    bool any = false;
    for (size_t i = 0; i < c->count; i++)
        if (c->series[i].points && c->series[i].banded) {
            output_printf(out, "%s $series%zu using ", any ? ", \\\n" : "plot", i);
            output_printf(out,
                          c->series[i].whiskers
                              ? "1:3:(0):($4 - $3) with vectors nohead linewidth 1.6 linecolor rgb '%s' notitle"
                              : "1:3:4 with filledcurves fillstyle transparent solid 0.18 noborder linecolor rgb '%s' "
                                "notitle",
                          colour_of(c, i));
            any = true;
        }
    for (size_t i = 0; i < c->count; i++) {
        const struct chart_series *s = &c->series[i];
        if (!s->points)
            continue;
        output_printf(out, any ? ", \\\n" : "plot");
        any = true;
        put_line(out, c, i);
        if (s->name && s->name[0])
            quote(out, "title ", s->name, " noenhanced \\");
        else
            output_printf(out, "notitle \\\n");
    }
    for (size_t i = 0; has_counts(c) && i < c->count; i++)
        if (c->series[i].points && c->series[i].whiskers)
            output_printf(out,
                          ", \\\n $series%zu using 1:(int($0) %% 2 ? %.9g : %.9g):(shown($5)) "
                          "with labels font ',13' textcolor rgb '" INK "' notitle",
                          i, count_height(c, 0.22), count_height(c, 0.1));
    output_printf(out, "\n");
    return any;
}

static bool put_script(struct output *out, const struct chart *c, const char *title, struct vouch_error *err)
{
    if (c->broken)
        return fail_memory(err);
    put_settings(out, c, title);
    for (size_t i = 0; i < c->count; i++) {
        output_printf(out, "$series%zu << end\n", i);
        put_points(out, &c->series[i]);
        output_printf(out, "end\n");
    }
    return put_series(out, c) || fail(err, VOUCH_ERR_ARGUMENT, "nothing to draw");
}

/* Running it. */

/* Returns the whole of a stream, terminated, to free(). */
static char *stream_text(FILE *stream, struct vouch_error *err)
{
    struct buffer text = {0};
    rewind(stream);
    if (buffer_add_bytes(&text, "", 0, err) && buffer_add_stream(&text, stream, err))
        return text.bytes;
    free(text.bytes);
    return NULL;
}

/* Starts gnuplot with these streams and waits for its end; *status becomes its status. */
static bool spawn(FILE *const stream[3], int *status, struct vouch_error *err)
{
    char program[] = "gnuplot", no_settings_of_users[] = "-d";
    posix_spawn_file_actions_t actions;
    pid_t child;
    int error = 0;
    rewind(stream[0]);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return fail_memory(err);
    for (int to = STDIN_FILENO; !error && to <= STDERR_FILENO; to++)
        error = posix_spawn_file_actions_adddup2(&actions, fileno(stream[to]), to);
    if (!error)
        error = posix_spawnp(&child, program, &actions, NULL, (char *[]){program, no_settings_of_users, NULL}, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT || error == EACCES || error == ENOTDIR)
        return fail(err, VOUCH_ERR_IO,
                    "figures are drawn by gnuplot, which was not found: install the package gnuplot-nox");
    if (error)
        return fail(err, VOUCH_ERR_IO, "gnuplot: cannot start: %s", strerror(error));
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "gnuplot: %s", strerror(errno));
    return true;
}

/* Fails with the last line that gnuplot wrote. */
static void fail_as_told(FILE *messages, struct vouch_error *err)
{
    char *said = stream_text(messages, err);
    size_t length = said ? strlen(said) : 0;
    while (length > 0 && escape_of(said[length - 1], SYNTAX_PLAIN))
        said[--length] = '\0';
    char *line = said ? strrchr(said, '\n') : NULL;
    line = line ? line + 1 : said;
    if (said)
        fail(err, VOUCH_ERR_IO, "gnuplot: %s", length ? line + strspn(line, " ") : "ended without a figure");
    free(said);
}

/* Runs gnuplot on a script; returns what it printed, to free(). If gnuplot is missing the error names the package. */
static char *run_gnuplot(const char *script, size_t length, struct vouch_error *err)
{
    FILE *stream[3] = {NULL};
    char *drawn = NULL;
    int status = 0, open = 0;
    while (open < 3 && (stream[open] = tmpfile()) != NULL)
        open++;
    if (open < 3)
        fail(err, VOUCH_ERR_IO, "cannot create a temporary file: %s", strerror(errno));
    else if (fwrite(script, 1, length, stream[0]) != length || fflush(stream[0]) != 0)
        fail(err, VOUCH_ERR_IO, "cannot write a temporary file: %s", strerror(errno));
    else if (spawn(stream, &status, err)) {
        if (status == 0)
            drawn = stream_text(stream[1], err);
        else
            fail_as_told(stream[2], err);
    }
    while (open-- > 0)
        fclose(stream[open]);
    return drawn;
}

/* Returns what was written, or NULL with the error set. */
static const char *written(const struct output *out, size_t *length, struct vouch_error *err)
{
    const char *text = output_text(out, length);
    if (!text)
        fail_memory(err);
    return text;
}

/* Returns what gnuplot drew, with our title and style; to free(). */
static char *add_style(struct output *out, const char *title, const char *drawn, struct vouch_error *err)
{
    const char *at = strstr(drawn, gnuplot_title);
    size_t length;
    if (!at) {
        fail(err, VOUCH_ERR_IO, "gnuplot: expected an SVG with '%s', found none", gnuplot_title);
        return NULL;
    }
    output_empty(out);
    output_write(out, drawn, (size_t)(at - drawn));
    output_printf(out, "<title>");
    put_text(out, title, SYNTAX_XML);
    output_printf(out, "</title>\n");
    put_style(out);
    output_write(out, at + strlen(gnuplot_title), strlen(at + strlen(gnuplot_title)));
    const char *text = written(out, &length, err);
    return text ? new_string(text, length, err) : NULL;
}

char *chart_svg(const struct chart *chart, bool titled, struct vouch_error *err)
{
    struct output *out = output_open_memory(err);
    size_t length = 0;
    bool scripted = out && put_script(out, chart, titled ? chart->title : "", err);
    const char *script = scripted ? written(out, &length, err) : NULL;
    char *drawn = script ? run_gnuplot(script, length, err) : NULL;
    char *svg = drawn ? add_style(out, chart->title, drawn, err) : NULL;
    free(drawn);
    output_discard(out);
    return svg;
}

/* Files. */

/* A block for each series, as gnuplot's "index" counts them. */
bool chart_write_numbers(const struct chart *chart, const char *path, struct vouch_error *err)
{
    struct output *out = chart->broken ? NULL : output_open(path, err);
    if (!out)
        return chart->broken ? fail_memory(err) : false;
    output_printf(out, "# ");
    put_text(out, chart->title, SYNTAX_PLAIN);
    output_printf(out, "\n# columns: ");
    put_text(out, chart->x_label, SYNTAX_PLAIN);
    output_printf(out, "; ");
    put_text(out, chart->y_label, SYNTAX_PLAIN);
    output_printf(out, "; low and high end of the band, NaN if there is none\n");
    for (size_t i = 0; i < chart->count; i++) {
        const struct chart_series *s = &chart->series[i];
        output_printf(out, i ? "\n\n# " : "# ");
        put_text(out, s->like ? chart->series[s->like - 1].name : s->name, SYNTAX_PLAIN);
        output_printf(out, "\n");
        put_points(out, s);
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
    char *svg = out ? chart_svg(chart, true, err) : NULL;
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
    char *drawn = numbers && can_write(numbers, err) && can_write(path, err) ? run_gnuplot("", 0, err) : NULL;
    bool ok = drawn;
    free(numbers);
    free(drawn);
    return ok;
}
