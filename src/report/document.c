/*
 * Writes documents: see document.h.
 *
 * The page and the Markdown are written side by side, part by part, and tables and figures are files of their own as
 * they come. Whether figures can be drawn is tried with one point at the beginning: without gnuplot the page says so
 * once, and has tables alone.
 */
#include "report/document.h"

#include "base/memory.h"
#include "base/buffer.h"
#include "report/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct chart *figure_add(struct figure *figure, const char *name, const char *title, const char *x_label,
                         const char *y_label)
{
    if (figure->broken || !RESERVE(figure->chart, figure->capacity, figure->charts + 1, NULL)) {
        figure->broken = figure->spare.broken = true;
        return &figure->spare;
    }
    struct chart *chart = &figure->chart[figure->charts++];
    chart_init(chart, name, title, x_label, y_label);
    return chart;
}

static void figure_release(struct figure *figure)
{
    for (size_t i = 0; i < figure->charts; i++)
        chart_release(&figure->chart[i]);
    free(figure->chart);
    prose_release(&figure->says);
    *figure = (struct figure){0};
}

static bool make_folder(const struct document *d, const char *name)
{
    char *path = path_in(d->folder, d->err, "%s", name);
    bool ok = path && (mkdir(path, 0777) == 0 || errno == EEXIST ||
                       fail(d->err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", path, strerror(errno)));
    free(path);
    return ok;
}

/* Returns a file in the folder; NULL: an error. */
static struct output *open_file(const struct document *d, const char *kind, const char *name, const char *ending)
{
    char *path = path_in(d->folder, d->err, "%s%s%s", kind, name, ending);
    struct output *out = path ? output_open(path, d->err) : NULL;
    free(path);
    return out;
}

/* Whether figures can be drawn; if not, the page tells why. */
static bool can_draw(struct document *d)
{
    struct vouch_error why = {0};
    struct chart point;
    chart_init(&point, "", "", "", "");
    point.x_from = point.y_from = -1;
    point.x_to = point.y_to = 1;
    chart_add_series(&point, "");
    chart_add_point(&point, 0, 0);
    char *svg = chart_svg(&point, false, &why);
    chart_release(&point);
    if (!svg) {
        char note[sizeof why.message + 32];
        snprintf(note, sizeof note, "No figures here: %s.", why.message);
        document_say(d, "note", note);
    }
    bool drawn = svg;
    free(svg);
    return drawn;
}

void document_begin(struct document *d, const char *path, const char *folder, const char *title, const char *lead,
                    struct vouch_error *err)
{
    *d = (struct document){.folder = folder, .err = err};
    d->ok = !folder || (make_folder(d, "tables") && make_folder(d, "figures"));
    d->page = d->ok ? output_open(path, err) : NULL;
    d->text = d->page && folder ? open_file(d, "", "report", ".md") : NULL;
    d->ok = d->page && (d->text || !folder);
    if (!d->ok)
        return;
    page_begin(d->page, title, lead);
    markdown_put(d->text, "# ", title, "\n\n");
    markdown_put(d->text, "", lead, "\n\n");
    d->figures = can_draw(d);
}

void document_heading(struct document *d, const char *id, const char *text)
{
    if (!d->ok)
        return;
    output_printf(d->page, id ? "<h2 id=\"%s\"" : "<h2", id);
    page_put(d->page, ">", text, "</h2>\n");
    markdown_put(d->text, "## ", text, "\n\n");
}

void document_say(struct document *d, const char *style, const char *text)
{
    if (!d->ok)
        return;
    output_printf(d->page, style ? "<p class=\"%s\"" : "<p", style);
    page_put(d->page, ">", text, "</p>\n");
    markdown_put(d->text, "", text, "\n\n");
}

void document_say_prose(struct document *d, const char *style, struct prose *prose)
{
    char *text = prose_take(prose, d->err);
    d->ok = d->ok && text;
    if (d->ok && *text)
        document_say(d, style, text);
    free(text);
}

void document_point_prose(struct document *d, const char *lead, struct prose *prose)
{
    char *text = prose_take(prose, d->err);
    d->ok = d->ok && text;
    if (d->ok && *text) {
        output_printf(d->page, "<p><b>%s</b>", lead);
        page_put(d->page, " ", text, "</p>\n");
        markdown_put(d->text, "**", lead, "** ");
        markdown_put(d->text, "", text, "\n\n");
    }
    free(text);
}

void document_beside(struct document *d, bool begin)
{
    if (d->ok)
        output_printf(d->page, begin ? "<div class=\"beside\">\n" : "</div>\n");
}

/* Writes one file of a table. */
static bool write_table(const struct document *d, const struct table *table, const char *ending,
                        void (*write)(const struct table *table, struct output *out))
{
    struct output *out = open_file(d, "tables/", table->name, ending);
    if (out)
        write(table, out);
    return output_close(out, out, d->err);
}

void document_table_files(struct document *d, const struct table *table)
{
    d->ok = d->ok && table_whole(table, d->err);
    if (d->ok && d->folder)
        d->ok = write_table(d, table, ".md", table_write_markdown) && write_table(d, table, ".csv", table_write_csv);
    if (d->ok && d->text) {
        table_write_markdown(table, d->text);
        output_printf(d->text, "\n");
    }
}

void document_table(struct document *d, struct table *table)
{
    bool any = table->broken;
    for (size_t j = 0; !any && j < table->columns; j++)
        any = !table_is_empty(table, j);
    if (any) {
        document_table_files(d, table);
        if (d->ok)
            table_write_html(table, d->page);
    }
    table_release(table);
}

/* Writes the files of a chart, and the SVG if there is one. */
static bool write_chart(const struct document *d, const struct chart *chart, const char *svg)
{
    char *path = path_in(d->folder, d->err, "figures/%s.dat", chart->name);
    bool ok = path && chart_write_numbers(chart, path, d->err);
    struct output *out = ok && svg ? open_file(d, "figures/", chart->name, ".svg") : NULL;
    free(path);
    if (out)
        output_write(out, svg, strlen(svg));
    return ok && (!svg || output_close(out, out, d->err));
}

/* Writes a chart, and puts it on the page; one that is alone under its heading has no other there. */
static bool put_chart(struct document *d, const struct chart *chart, bool alone)
{
    char prefix[32], *svg = d->figures ? chart_svg(chart, true, d->err) : NULL;
    bool ok = (svg || !d->figures) && (!d->folder || write_chart(d, chart, svg));
    if (ok && svg && alone) {
        free(svg);
        svg = chart_svg(chart, false, d->err);
        ok = svg != NULL;
    }
    if (ok && svg) {
        snprintf(prefix, sizeof prefix, "f%u-", ++d->drawn);
        page_svg(d->page, svg, prefix);
    }
    free(svg);
    return ok;
}

void document_figure(struct document *d, struct figure *figure)
{
    size_t charts = 0;
    for (size_t i = 0; i < figure->charts; i++)
        charts += !chart_is_empty(&figure->chart[i]);
    if ((figure->broken || figure->says.broken) && d->ok)
        d->ok = fail_memory(d->err);
    bool shown = d->ok && charts;
    const char *title = figure->title ? figure->title : "", *says = figure->says.text ? figure->says.text : "";
    if (shown && d->figures) {
        page_put(d->page, "<figure class=\"card\">\n<figcaption><b>", title, "</b> ");
        page_put(d->page, "", says, "</figcaption>\n<div class=\"panels\">\n");
    }
    markdown_put(shown ? d->text : NULL, "**", title, "** ");
    markdown_put(shown ? d->text : NULL, "", says, d->figures ? " Figures:" : " Numbers:");
    for (size_t i = 0; d->ok && i < figure->charts; i++) {
        figure->chart[i].panel |= charts > 1;
        if (chart_is_empty(&figure->chart[i]))
            continue;
        d->ok = put_chart(d, &figure->chart[i], charts == 1);
        if (d->text)
            output_printf(d->text, " `figures/%s.%s`", figure->chart[i].name, d->figures ? "svg" : "dat");
    }
    markdown_put(d->ok && charts ? d->text : NULL, "", "", "\n\n");
    if (d->ok && charts && d->figures)
        output_printf(d->page, "</div>\n</figure>\n");
    figure_release(figure);
}

bool document_end(struct document *d)
{
    if (d->ok)
        page_end(d->page);
    if (d->folder)
        d->ok = output_close(d->text, d->ok, d->err);
    return output_close(d->page, d->ok, d->err);
}
