/* Tests figures: both files, any text, what is missing, and what cannot be written. */
#include "report/plot.h"

#include "folder.h"
#include "test.h"

#include <sys/stat.h>

static struct vouch_error err;
static const double xs[] = {1, 2, 40}, ys[] = {0.25, NAN, 0.5}, low[] = {0, 0.1, 0.2}, high[] = {1, 0.9, 0.8};

static struct plot plot_of(const struct plot_series *series, size_t count)
{
    return (struct plot){.title = "a title",
                         .x_label = "draws",
                         .y_label = "share",
                         .x_from = NAN,
                         .x_to = NAN,
                         .y_from = 0,
                         .y_to = 1,
                         .series = series,
                         .count = count};
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
    const struct plot_series series[] = {{.name = "plain", .x = xs, .y = ys, .points = 3},
                                         {.name = "banded", .x = xs, .y = low, .low = low, .high = high, .points = 3}};
    struct plot plot = plot_of(series, 2);
    assert_true(plot_draw(&plot, folder_file("a.svg"), &err));
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
    const struct plot_series series[] = {{.name = name, .x = xs, .y = low, .points = 3},
                                         {.name = "bad \xff\xfe utf-8 \xc3\xa4", .x = xs, .y = high, .points = 3},
                                         {.name = quote, .x = xs, .y = high, .points = 3},
                                         {.name = "'' @m ' @m '''", .x = xs, .y = high, .points = 3}};
    struct plot plot = plot_of(series, 4);
    plot.title = "<script>\n&";
    plot.x_label = "x\\";
    plot.y_label = quote;
    plot.log_x = true;
    if (!plot_draw(&plot, folder_file("< touch harm.svg"), &err))
        fail_msg("%s", err.message);
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
    const struct plot_series series[] = {{.name = "a", .x = xs, .y = low, .points = 3}};
    struct plot plot = plot_of(series, 1);
    char *path = strdup(getenv("PATH"));
    assert_true(plot_possible(folder_file("a.svg"), &err));
    assert_int_equal(folder_count(), 0);
    setenv("PATH", folder_path, 1);
    bool possible = plot_possible(folder_file("a.svg"), &err), drawn = plot_draw(&plot, folder_file("a.svg"), &err);
    setenv("PATH", path, 1);
    free(path);
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
    const struct plot_series series[] = {{.name = "a", .x = xs, .y = low, .points = 3}};
    struct plot plot = plot_of(series, 1);
    char *path = strdup(getenv("PATH"));
    folder_put("gnuplot", "#!/bin/sh\necho first >&2\necho '  no terminal' >&2\nexit 1\n");
    assert_int_equal(chmod(folder_file("gnuplot"), 0755), 0);
    setenv("PATH", folder_path, 1);
    bool drawn = plot_draw(&plot, folder_file("a.svg"), &err);
    assert_non_null(strstr(err.message, "a.svg is not: gnuplot: no terminal"));
    folder_put("gnuplot", "#!/bin/sh\necho '<svg></svg>'\n");
    bool odd = plot_draw(&plot, folder_file("a.svg"), &err);
    setenv("PATH", path, 1);
    free(path);
    assert_false(drawn);
    assert_false(odd);
    assert_non_null(strstr(err.message, "gnuplot: expected an SVG"));
    assert_int_equal(folder_count(), 2); /* gnuplot and the numbers */
}

TEST_IN_FOLDER(what_cannot_be_drawn_is_an_error)
{
    const struct plot_series series[] = {{.name = "a", .x = xs, .y = low, .points = 3}, {.name = "empty"}};
    struct plot plot = plot_of(series, 2), none = plot_of(series + 1, 1);
    assert_false(plot_draw(&plot, folder_file("missing/a.svg"), &err));
    assert_non_null(strstr(err.message, "missing/a.dat: cannot create"));
    assert_false(plot_possible(folder_file("missing/a.svg"), &err));
    assert_false(plot_draw(&plot, "-", &err));
    assert_string_equal(err.message, "expected the name of a file for the figure, found '-'");
    assert_false(plot_draw(&none, folder_file("b.svg"), &err));
    assert_non_null(strstr(err.message, "b.svg is not: nothing to draw"));
    assert_true(plot_draw(&plot, folder_file("c"), &err));
    expect_text("c.dat", "# empty\n", true);
    expect_text("c", ">a<", true);
    expect_text("c", ">empty<", false);
}

/* A line of two parts has one colour, and another line has another. */
TEST_IN_FOLDER(a_line_may_have_several_parts)
{
    struct plot_series series[] = {{.name = "a", .x = xs, .y = low, .points = 3},
                                   {.x = xs, .y = high, .points = 3, .like = 1}};
    struct plot plot = plot_of(series, 2);
    assert_true(plot_draw(&plot, folder_file("a.svg"), &err));
    expect_text("a.svg", "213,  94,   0", false);
    series[1].like = 0;
    assert_true(plot_draw(&plot, folder_file("a.svg"), &err));
    expect_text("a.svg", "213,  94,   0", true);
}

/* Bars: one for each point, in groups that have names, whatever these are. */
TEST_IN_FOLDER(bars_stand_in_named_groups)
{
    const double groups[] = {0, 1}, heights[] = {0.5, 1};
    const char *const names[] = {"it's \\", "<b>, 2)"};
    const struct plot_series series[] = {{.name = "a", .x = groups, .y = heights, .points = 2},
                                         {.name = "b", .x = groups, .y = heights, .points = 2}};
    struct plot plot = plot_of(series, 2);
    plot.bars = 1;
    plot.x_name = names;
    plot.x_names = 2;
    plot.x_from = -0.6;
    plot.x_to = 1.6;
    if (!plot_draw(&plot, folder_file("a.svg"), &err))
        fail_msg("%s", err.message);
    expect_text("a.svg", ">it's \\<", true);
    expect_text("a.svg", ">&lt;b>, 2)<", true);
    expect_text("a.svg", "213,  94,   0", true);
}

/* A guide is grey and takes no colour from the lines; looks can be chosen one by one. */
TEST_IN_FOLDER(looks_can_be_chosen)
{
    struct plot_series series[] = {{.x = xs, .y = high, .points = 3, .guide = true},
                                   {.name = "a", .x = xs, .y = low, .points = 3}};
    struct plot plot = plot_of(series, 2);
    plot.panel = true;
    assert_true(plot_draw(&plot, folder_file("a.svg"), &err));
    expect_text("a.svg", "  0, 114, 178", true); /* the first colour */
    expect_text("a.svg", "213,  94,   0", false);
    series[1].colour = 2;
    char *svg = plot_svg(&plot, &err);
    assert_non_null(svg);
    assert_non_null(strstr(svg, "213,  94,   0"));
    free(svg);
}
