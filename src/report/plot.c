/*
 * Draws figures: see plot.h.
 *
 * A style table changes ground and text for dark pages; it is put where gnuplot
 * writes its own title.
 */
#include "report/plot.h"

#include "base/memory.h"
#include "base/output.h"
#include "report/plot_parts.h"

#include <stdio.h>
#include <string.h>

static const char gnuplot_title[] = "<title>Gnuplot</title>";
static const char style[] = "<style>\n"
                            "#gnuplot_canvas > rect { fill: #fff }\n"
                            "#gnuplot_canvas text { fill: #333; stroke: none }\n"
                            "#gnuplot_canvas text, #gnuplot_canvas tspan { font-family: system-ui, sans-serif }\n"
                            "@media (prefers-color-scheme: dark) {\n"
                            "#gnuplot_canvas > rect { fill: #16181d }\n"
                            "#gnuplot_canvas text { fill: #ddd }\n"
                            "}\n"
                            "</style>";

static void put_escaped(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '&')
            fputs("&amp;", to);
        else if (*c == '<')
            fputs("&lt;", to);
        else if (*c == '>')
            fputs("&gt;", to);
        else
            fputc(*c, to);
}

/* Returns what gnuplot drew, with our title and style; to free(). */
static char *dress(const char *title, FILE *drawn, struct vouch_error *err)
{
    size_t length;
    char *svg = plot_stream_text(drawn, &length, err), *dressed = NULL;
    char *line = svg ? plot_one_line(title, err) : NULL;
    char *at = line ? strstr(svg, gnuplot_title) : NULL;
    FILE *text = at ? open_memstream(&dressed, &length) : NULL;
    if (text) {
        fprintf(text, "%.*s<title>", (int)(at - svg), svg);
        put_escaped(text, line);
        fprintf(text, "</title>\n%s%s", style, at + strlen(gnuplot_title));
    } else if (line) {
        at ? fail_memory(err)
           : fail(err, VOUCH_ERR_IO, "gnuplot: expected an SVG with '%s', found none", gnuplot_title);
    }
    if (text && fclose(text) != 0) {
        free(dressed);
        dressed = NULL;
        fail_memory(err);
    }
    free(line);
    free(svg);
    return dressed;
}

static bool put_comment(FILE *to, const char *before, const char *text, const char *after, struct vouch_error *err)
{
    char *line = plot_one_line(text, err);
    if (line)
        fprintf(to, "%s%s%s", before, line, after);
    bool ok = line;
    free(line);
    return ok;
}

/* Writes the numbers: a block for each series, as gnuplot's "index" counts them. */
static bool put_numbers(FILE *to, const struct plot *plot, struct vouch_error *err)
{
    bool ok = put_comment(to, "# ", plot->title, "\n", err) &&
              put_comment(to, "# columns: ", plot->x_label, "; ", err) &&
              put_comment(to, "", plot->y_label, "; low and high end of the band, NaN if there is none\n", err);
    for (size_t i = 0; ok && i < plot->count; i++) {
        const char *name = plot->series[i].name;
        ok =
            put_comment(to, i ? "\n\n# " : "# ", name ? name : plot->series[plot_series_like(plot, i)].name, "\n", err);
        plot_put_points(to, &plot->series[i]);
    }
    return ok;
}

bool plot_write_numbers(const struct plot *plot, const char *path, struct vouch_error *err)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *text = open_memstream(&bytes, &length);
    bool ok = text ? put_numbers(text, plot, err) : fail_memory(err);
    if (text && fclose(text) != 0 && ok)
        ok = fail_memory(err);
    struct output *out = ok ? output_open(path, err) : NULL;
    if (out)
        output_write(out, bytes, length);
    free(bytes);
    return output_close(out, out, err);
}

char *plot_path_of_numbers(const char *path, struct vouch_error *err)
{
    size_t length = strlen(path);
    if (length >= 4 && strcmp(path + length - 4, ".svg") == 0)
        length -= 4;
    char *name = new_array(length + sizeof ".dat", 1, err);
    if (name)
        snprintf(name, length + sizeof ".dat", "%.*s.dat", (int)length, path);
    return name;
}

char *plot_svg(const struct plot *plot, struct vouch_error *err)
{
    struct plot_streams s = {0};
    char *svg = NULL;
    if (plot_streams_open(&s, err) && plot_put_script(s.in, plot, err) && plot_run(&s, err))
        svg = dress(plot->title, s.out, err);
    plot_streams_close(&s);
    return svg;
}

static bool draw(const struct plot *plot, const char *path, struct vouch_error *err)
{
    struct output *out = output_open(path, err);
    char *svg = out ? plot_svg(plot, err) : NULL;
    if (svg)
        output_write(out, svg, strlen(svg));
    bool ok = svg;
    free(svg);
    return output_close(out, ok, err);
}

static bool is_name(const char *path, struct vouch_error *err)
{
    return strcmp(path, "-") != 0 ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected the name of a file for the figure, found '-'");
}

static bool can_write(const char *path, struct vouch_error *err)
{
    struct output *probe = output_open(path, err);
    output_discard(probe);
    return probe;
}

bool plot_draw(const struct plot *plot, const char *path, struct vouch_error *err)
{
    if (!is_name(path, err))
        return false;
    char *numbers = plot_path_of_numbers(path, err);
    bool written = numbers && plot_write_numbers(plot, numbers, err), ok = written && draw(plot, path, err);
    if (written && !ok)
        fail_within(err, "%s is written, %s is not", numbers, path);
    free(numbers);
    return ok;
}

bool plot_possible(const char *path, struct vouch_error *err)
{
    struct plot_streams s = {0};
    if (!is_name(path, err))
        return false;
    char *numbers = plot_path_of_numbers(path, err);
    bool ok =
        numbers && can_write(numbers, err) && can_write(path, err) && plot_streams_open(&s, err) && plot_run(&s, err);
    plot_streams_close(&s);
    free(numbers);
    return ok;
}
