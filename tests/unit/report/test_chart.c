/* Tests figures: both files, any text, what is missing, and what cannot be written. */
#include "report/chart.h"

#include "report/web.h"

#include "folder.h"
#include "test.h"

#include <sys/stat.h>

static struct vouch_error err;
static const double xs[] = {1, 2, 40}, ys[] = {0.25, NAN, 0.5}, low[] = {0, 0.1, 0.2}, high[] = {1, 0.9, 0.8};

/* Adds a line of three points, with a band if `high_end` is not NULL. */
static void add_line(struct chart *chart, const char *name, const double *y, const double *high_end)
{
    chart_add_series(chart, name);
    for (size_t i = 0; i < 3; i++)
        chart_add_band(chart, xs[i], y[i], high_end ? y[i] : NAN, high_end ? high_end[i] : NAN);
}

static struct chart chart_new(const char *title, const char *x_label, const char *y_label)
{
    struct chart chart;
    chart_init(&chart, "", title, x_label, y_label);
    chart.y_from = 0;
    chart.y_to = 1;
    return chart;
}

static struct chart chart_of_one_line(void)
{
    struct chart chart = chart_new("a title", "draws", "share");
    add_line(&chart, "a", low, NULL);
    return chart;
}

static void expect_text(const char *file, const char *text, bool there)
{
    char *found = folder_get(folder_file(file));
    assert_non_null(found);
    if (there != (strstr(found, text) != NULL))
        fail_msg("%s: '%s' is %sthere:\n%s", file, text, there ? "not " : "", found);
    free(found);
}

TEST_IN_FOLDER(the_numbers_stand_beside_the_figure)
{
    struct chart chart = chart_new("a title", "draws", "share");
    add_line(&chart, "plain", ys, NULL);
    add_line(&chart, "banded", low, high);
    assert_true(chart_draw(&chart, folder_file("a.svg"), &err));
    chart_release(&chart);
    assert_int_equal(folder_count(), 2);
    char *numbers = folder_get(folder_file("a.dat"));
    assert_string_equal(numbers, "# a title\n"
                                 "# columns: draws; share; low and high end of the band, NaN if there is none\n"
                                 "# plain\n 1 0.25 NaN NaN\n 2 NaN NaN NaN\n 40 0.5 NaN NaN\n\n\n"
                                 "# banded\n 1 0 0 1\n 2 0.1 0.1 0.9\n 40 0.2 0.2 0.8\n");
    free(numbers);
    const char *const parts[] = {
        "<title>a title</title>", "prefers-color-scheme: dark", ">plain<", ">banded<", ">draws<", ">share<", "</svg>"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        expect_text("a.svg", parts[i], true);
}

/* Text with every character that has a meaning to a shell, gnuplot or XML stays text. */
TEST_IN_FOLDER(any_text_is_only_text)
{
    const char *harm = folder_file("harm");
    char name[600], quote[600];
    snprintf(name, sizeof name, "it's <b>&amp; \"q\" a_{b}^c `touch %s` @m %%d\n\t$x \\", harm);
    snprintf(quote, sizeof quote, "'; system('touch %s'); '", harm);
    struct chart chart = chart_new("<script>\n&", "x\\", quote);
    add_line(&chart, name, low, NULL);
    add_line(&chart, "bad \xff\xfe utf-8 \xc3\xa4", high, NULL);
    add_line(&chart, quote, high, NULL);
    add_line(&chart, "'' @m ' @m '''", high, NULL);
    chart.log_x = true;
    if (!chart_draw(&chart, folder_file("< touch harm.svg"), &err))
        fail_msg("%s", err.message);
    chart_release(&chart);
    assert_int_equal(folder_count(), 2);
    expect_text("< touch harm.svg", "<title>&lt;script&gt; &amp;</title>", true);
    expect_text("< touch harm.svg", "it's &lt;b>&amp;amp; \"q\" a_{b}^c `touch ", true);
    expect_text("< touch harm.svg", "` @m %d  $x \\<", true);
    expect_text("< touch harm.svg", "bad ?? utf-8 \xc3\xa4", true);
    expect_text("< touch harm.svg", "'; system('touch ", true);
    expect_text("< touch harm.svg", ">'' @m ' @m '''<", true);
    expect_text("< touch harm.dat", "# bad ?? utf-8 \xc3\xa4\n", true);
}

TEST_IN_FOLDER(without_gnuplot_the_numbers_stay)
{
    struct chart chart = chart_of_one_line();
    char *path = strdup(getenv("PATH"));
    assert_true(chart_possible(folder_file("a.svg"), &err));
    assert_int_equal(folder_count(), 0);
    setenv("PATH", folder_path, 1);
    bool possible = chart_possible(folder_file("a.svg"), &err), drawn = chart_draw(&chart, folder_file("a.svg"), &err);
    setenv("PATH", path, 1);
    free(path);
    chart_release(&chart);
    assert_false(possible);
    assert_false(drawn);
    const char *expected = "a.svg is not: figures are drawn by gnuplot, which was not found: install the package "
                           "gnuplot-nox";
    assert_string_equal(strstr(err.message, "a.svg"), expected);
    assert_non_null(strstr(err.message, "a.dat is written, "));
    assert_int_equal(folder_count(), 1);
    expect_text("a.dat", "# a\n 1 0 NaN NaN\n", true);
}

/* A gnuplot that fails: its last line is passed on, and there is no figure. */
TEST_IN_FOLDER(a_failing_gnuplot_is_quoted)
{
    struct chart chart = chart_of_one_line();
    char *path = strdup(getenv("PATH"));
    folder_put("gnuplot", "#!/bin/sh\necho first >&2\necho '  no terminal' >&2\nexit 1\n");
    assert_int_equal(chmod(folder_file("gnuplot"), 0755), 0);
    setenv("PATH", folder_path, 1);
    bool drawn = chart_draw(&chart, folder_file("a.svg"), &err);
    assert_non_null(strstr(err.message, "a.svg is not: gnuplot: no terminal"));
    folder_put("gnuplot", "#!/bin/sh\necho '<svg></svg>'\n");
    bool odd = chart_draw(&chart, folder_file("a.svg"), &err);
    setenv("PATH", path, 1);
    free(path);
    chart_release(&chart);
    assert_false(drawn);
    assert_false(odd);
    assert_non_null(strstr(err.message, "gnuplot: expected an SVG"));
    assert_int_equal(folder_count(), 2); /* gnuplot and the numbers */
}

TEST_IN_FOLDER(what_cannot_be_drawn_is_an_error)
{
    struct chart chart = chart_of_one_line(), none = chart_new("a title", "draws", "share");
    chart_add_series(&chart, "empty");
    chart_add_series(&none, "empty");
    assert_false(chart_draw(&chart, folder_file("missing/a.svg"), &err));
    assert_non_null(strstr(err.message, "missing/a.dat: cannot create"));
    assert_false(chart_possible(folder_file("missing/a.svg"), &err));
    assert_false(chart_draw(&chart, "-", &err));
    assert_string_equal(err.message, "expected the name of a file for the figure, found '-'");
    assert_false(chart_draw(&none, folder_file("b.svg"), &err));
    assert_non_null(strstr(err.message, "b.svg is not: nothing to draw"));
    assert_true(chart_draw(&chart, folder_file("c"), &err));
    expect_text("c.dat", "# empty\n", true);
    expect_text("c", ">a<", true);
    expect_text("c", ">empty<", false);
    chart_release(&chart);
    chart_release(&none);
}

/* A line of two parts has one colour, and another line has another. */
TEST_IN_FOLDER(a_line_may_have_several_parts)
{
    struct chart chart = chart_of_one_line();
    chart_add_part(&chart, 0);
    for (size_t i = 0; i < 3; i++)
        chart_add_point(&chart, xs[i], high[i]);
    assert_true(chart_draw(&chart, folder_file("a.svg"), &err));
    expect_text("a.svg", " stroke='rgb(178,  60,  12)", false);
    chart.series[1].like = 0;
    assert_true(chart_draw(&chart, folder_file("a.svg"), &err));
    expect_text("a.svg", " stroke='rgb(178,  60,  12)", true);
    chart_release(&chart);
}

/* Bars: one for each point, in groups that have names, whatever these are. */
TEST_IN_FOLDER(bars_stand_in_named_groups)
{
    struct chart chart = chart_new("a title", "draws", "share");
    for (size_t i = 0; i < 2; i++) {
        chart_add_series(&chart, i ? "b" : "a");
        chart_add_point(&chart, 0, 0.5);
        chart_add_point(&chart, 1, 1);
    }
    chart.bars = 1;
    chart_add_x_name(&chart, "it's \\");
    chart_add_x_name(&chart, "<b>, 2)");
    chart.x_from = -0.6;
    chart.x_to = 1.6;
    if (!chart_draw(&chart, folder_file("a.svg"), &err))
        fail_msg("%s", err.message);
    chart_release(&chart);
    expect_text("a.svg", ">it's \\<", true);
    expect_text("a.svg", ">&lt;b>, 2)<", true);
    expect_text("a.svg", "fill = 'rgb(178,  60,  12)", true);
}

/* A guide is grey and takes no colour from the lines; looks can be chosen one by one. */
TEST_IN_FOLDER(looks_can_be_chosen)
{
    struct chart chart = chart_new("a title", "draws", "share");
    chart_add_guide(&chart, xs[0], high[0], xs[2], high[2]);
    add_line(&chart, "a", low, NULL);
    chart.panel = true;
    assert_true(chart_draw(&chart, folder_file("a.svg"), &err));
    expect_text("a.svg", " stroke='rgb( 10,  90, 120)", true); /* the first colour */
    expect_text("a.svg", " stroke='rgb(178,  60,  12)", false);
    chart_set_style(&chart, 1, 0);
    char *svg = chart_svg(&chart, false, &err);
    assert_non_null(svg);
    assert_non_null(strstr(svg, " stroke='rgb(178,  60,  12)"));
    free(svg);
    chart_release(&chart);
}

/* A page has the colours of figures, and on a dark ground a figure has the page's. */
TEST(colours_are_those_of_pages)
{
    struct chart chart = chart_of_one_line();
    char *svg = chart_svg(&chart, false, &err), token[64], both[64];
    const char *name;
    size_t colours = 0;
    assert_non_null(svg);
    for (const char *at = svg; (at = strstr(at, "[stroke='rgb(")) != NULL; at++, colours++) {
        unsigned r, g, b;
        char dark[8];
        assert_int_equal(sscanf(at, "[stroke='rgb(%u, %u, %u)'] { stroke: %7s }", &r, &g, &b, dark), 4);
        assert_int_equal(chart_colour(at + strlen("[stroke='"), &name), strlen("rgb(  0,   0,   0)"));
        snprintf(token, sizeof token, "--%s: light-dark(", name);
        snprintf(both, sizeof both, "#%02x%02x%02x, %s);", r, g, b, dark);
        const char *there = strstr(web_style.at, token);
        assert_non_null(there);
        assert_memory_equal(there + strlen(token), both, strlen(both));
    }
    assert_true(colours > 6);
    assert_int_equal(chart_colour("rgb(  1,   2,   3)", &name), 0);
    free(svg);
    chart_release(&chart);
}
