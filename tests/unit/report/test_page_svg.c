/* Tests figures within a page: names do not clash, text stays text, and the page's style holds. */
#include "report/page.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;

static void expect(const char *svg, const char *expected)
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
    expect(
        "<?xml version=\"1.0\"?>\n<svg width=\"8\"><g id=\"canvas\"><path id='p1'/><use xlink:href='#p1'/>"
        "<rect fill=\"url(#p1)\"/></g></svg>\n",
        "<svg class=\"plot\" role=\"img\" width=\"8\"><g id=\"f7-canvas\"><path id='f7-p1'/><use xlink:href='#f7-p1'/>"
        "<rect fill=\"url(#f7-p1)\"/></g></svg>\n");
}

TEST_IN_FOLDER(text_stays_as_it_is)
{
    expect("<svg><text>an id='x', url(#y) and href='#z'</text></svg>",
           "<svg class=\"plot\" role=\"img\"><text>an id='x', url(#y) and href='#z'</text></svg>");
}

TEST_IN_FOLDER(its_style_and_empty_groups_are_left_out)
{
    expect("<svg><title>t</title><style>\n#canvas > rect { fill: #fff }\n</style><g "
           "fill=\"none\">\n</g>\n<g>\n<b/></g></svg>",
           "<svg class=\"plot\" role=\"img\"><title>t</title><g>\n<b/></g></svg>");
}

TEST_IN_FOLDER(what_is_no_figure_is_left_out)
{
    expect("", "");
    expect("no figure", "");
    expect("<svg", "<svg class=\"plot\" role=\"img\"");
}
