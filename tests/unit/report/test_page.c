/*
 * Tests pages: what HTML would take for markup is read as text; in figures names do not clash, text stays text, and the
 * page's style holds.
 */
#include "report/page.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;

static char *written(void (*write)(struct output *out, const char *text), const char *text)
{
    struct output *out = output_open(folder_file("page"), &err);
    assert_non_null(out);
    write(out, text);
    assert_true(output_commit(out, &err));
    return folder_get(folder_file("page"));
}

static void write_text(struct output *out, const char *text)
{
    page_text(out, text_of(text));
}

static void write_page(struct output *out, const char *text)
{
    page_begin(out, text, text);
    page_end(out);
}

TEST_IN_FOLDER(markup_is_escaped)
{
    static const char *const cases[][2] = {
        {"", ""},
        {"plain \xC3\xA9", "plain \xC3\xA9"},
        {"<b>", "&lt;b&gt;"},
        {"a&b;", "a&amp;b;"},
        {"&amp;", "&amp;amp;"},
        {"\"'", "&quot;&#39;"},
        {"<", "&lt;"},
        {"x<", "x&lt;"},
        {"</script><script>", "&lt;/script&gt;&lt;script&gt;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *found = written(write_text, cases[i][0]);
        assert_string_equal(found, cases[i][1]);
        free(found);
    }
}

static uint32_t count(const char *text, const char *piece)
{
    uint32_t found = 0;
    for (const char *at = text; (at = strstr(at, piece)); at++)
        found++;
    return found;
}

/* Title, heading and lead are text as well; the page needs nothing from elsewhere. */
TEST_IN_FOLDER(a_page_is_whole)
{
    char *page = written(write_page, "<i>&");
    assert_int_equal(count(page, "&lt;i&gt;&amp;"), 3);
    assert_int_equal(count(page, "<i>"), 0);
    static const char *const pairs[][2] = {
        {"<html", "</html>"},   {"<head>", "</head>"}, {"<title>", "</title>"},      {"<style>", "</style>"},
        {"<body>", "</body>"}, {"<main class", "</main>"}, {"<h1>", "</h1>"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(count(page, pairs[i][0]), 1);
        assert_int_equal(count(page, pairs[i][1]), 1);
    }
    assert_int_equal(count(page, "{"), count(page, "}"));
    assert_int_equal(count(page, "http"), 0);
    assert_int_equal(count(page, "url("), 0);
    assert_int_equal(count(page, "@import"), 0);
    free(page);
}

/* Figures within a page. */

static void expect_svg(const char *svg, const char *expected)
{
    struct output *out = output_open(folder_file("page"), &err);
    assert_non_null(out);
    page_svg(out, svg, "f7-");
    assert_true(output_commit(out, &err));
    char *text = folder_get(folder_file("page"));
    assert_string_equal(text, expected);
    free(text);
}

TEST_IN_FOLDER(names_get_a_prefix)
{
    expect_svg(
        "<?xml version=\"1.0\"?>\n<svg width=\"8\"><g id=\"canvas\"><path id='p1'/><use xlink:href='#p1'/>"
        "<rect fill=\"url(#p1)\"/></g></svg>\n",
        "<svg class=\"plot\" role=\"img\" width=\"8\"><g id=\"f7-canvas\"><path id='f7-p1'/><use xlink:href='#f7-p1'/>"
        "<rect fill=\"url(#f7-p1)\"/></g></svg>\n");
}

TEST_IN_FOLDER(text_stays_as_it_is)
{
    expect_svg("<svg><text>an id='x', url(#y) and href='#z'</text></svg>",
               "<svg class=\"plot\" role=\"img\"><text>an id='x', url(#y) and href='#z'</text></svg>");
}

TEST_IN_FOLDER(its_style_and_empty_groups_are_left_out)
{
    expect_svg("<svg><title>t</title><style>\n#canvas > rect { fill: #fff }\n</style><g "
               "fill=\"none\">\n</g>\n<g>\n<b/></g></svg>",
               "<svg class=\"plot\" role=\"img\"><title>t</title><g>\n<b/></g></svg>");
}

TEST_IN_FOLDER(what_is_no_figure_is_left_out)
{
    expect_svg("", "");
    expect_svg("no figure", "");
    expect_svg("<svg", "<svg class=\"plot\" role=\"img\"");
}
