/* Tests templates: what is read, what is shared, what is refused and where, and what a corpus leaves of them. */
#include "task/template.h"

#include "test.h"

static struct templates parse(const char *text)
{
    struct templates templates = {0};
    struct vouch_error err = {0};
    if (!templates_parse(&templates, &(struct template_source){text, "good.tpl", NULL}, &err))
        fail_msg("%s", err.message);
    return templates;
}

/* Returns the view of a macro, which must be the one of that name. */
static const struct view *view_of(const struct templates *templates, const struct rule *rule, uint32_t m,
                                  struct text name)
{
    assert_true(m < rule->macros);
    assert_true(rule->macro[m].view < templates->views);
    const struct view *view = &templates->view[rule->macro[m].view];
    struct view named = {0};
    assert_true(view_parse(name, &named));
    assert_int_equal(view->kind, named.kind);
    assert_int_equal(view->length, named.length);
    return view;
}

/* The macro as its text would be, rows and columns in brackets. */
static void expect_macro(const struct templates *templates, const struct rule *rule, uint32_t m, const char *expected)
{
    struct text name = {expected, (uint32_t)strcspn(expected, "[")};
    char found[60];
    const struct view *view = view_of(templates, rule, m, name);
    snprintf(found, sizeof found, "%.*s[%d,%u]", (int)name.length, name.at, (int)rule->macro[m].row, view->column);
    assert_string_equal(found, expected);
}

/* Returns the line of a rule, put together again from its skeleton and its macros. */
static const char *line_of(const struct templates *templates, const struct rule *rule)
{
    static char line[200];
    size_t at = 0;
    uint32_t m = 0;
    for (const char *s = rule->skeleton; *s;) {
        size_t length = *s == '%' ? 1 + strcspn(s + 1, "/%") : 1;
        assert_true(at + length + 30 < sizeof line);
        memcpy(line + at, s, length);
        at += length;
        if (*s == '%') {
            const struct view *view = view_of(templates, rule, m, (struct text){s + 1, (uint32_t)length - 1});
            at += (size_t)sprintf(line + at, "[%d,%u]", (int)rule->macro[m++].row, view->column);
        }
        s += length;
    }
    assert_int_equal(m, rule->macros);
    line[at] = '\0';
    return line;
}

TEST(rules_are_read_in_order)
{
    struct templates t = parse("# the words\n"
                               "U00:%x[-2,0]\n"
                               "U01:%x[-1,0]/%lower[0,1]/%suffix3[1,0]\n"
                               "\n"
                               "B\n"
                               "U02:%shape[0,0]\n"
                               "# and pairs of labels\n"
                               "B01:%x[0,2]\n");
    assert_int_equal(t.nodes, 3);
    assert_int_equal(t.edges, 2);
    assert_int_equal(t.columns, 3);
    assert_int_equal(t.reach, 2);
    assert_false(t.attributes);
    assert_string_equal(line_of(&t, &t.node[0]), "U00:%x[-2,0]");
    assert_string_equal(line_of(&t, &t.node[1]), "U01:%x[-1,0]/%lower[0,1]/%suffix3[1,0]");
    assert_string_equal(line_of(&t, &t.node[2]), "U02:%shape[0,0]");
    assert_string_equal(line_of(&t, &t.edge[0]), "B");
    assert_string_equal(line_of(&t, &t.edge[1]), "B01:%x[0,2]");
    assert_int_equal(t.node[0].macros, 1);
    assert_int_equal(t.node[1].macros, 3);
    assert_int_equal(t.edge[0].macros, 0);
    assert_int_equal(t.edge[1].macros, 1);
    expect_macro(&t, &t.node[0], 0, "x[-2,0]");
    expect_macro(&t, &t.node[1], 0, "x[-1,0]");
    expect_macro(&t, &t.node[1], 1, "lower[0,1]");
    expect_macro(&t, &t.node[1], 2, "suffix3[1,0]");
    expect_macro(&t, &t.node[2], 0, "shape[0,0]");
    expect_macro(&t, &t.edge[1], 0, "x[0,2]");
    templates_release(&t);
}

TEST(a_rule_may_have_no_macro)
{
    struct templates t = parse("U00\nB");
    assert_int_equal(t.nodes, 1);
    assert_int_equal(t.edges, 1);
    assert_int_equal(t.node[0].macros, 0);
    assert_int_equal(t.reach, 0);
    templates_release(&t);
}

TEST(a_view_of_a_column_is_kept_once)
{
    struct templates t = parse("U00:%x[0,0]\nU01:%x[-1,0]\nU02:%x[0,0]/%x[1,1]\nU03:%suffix2[0,0]\n"
                               "U04:%suffix3[0,0]\nU05:%suffix3[2,0]\nB01:%x[1,1]\n");
    assert_int_equal(t.views, 4); /* x and two suffixes of column 0, x of column 1 */
    for (uint32_t i = 0; i < t.views; i++)
        for (uint32_t j = 0; j < i; j++)
            assert_false(t.view[i].kind == t.view[j].kind && t.view[i].length == t.view[j].length &&
                         t.view[i].column == t.view[j].column);
    templates_release(&t);
}

TEST(the_largest_rule_is_accepted)
{
    struct templates t = parse("U00:%x[-16,0]/%x[16,9]\n"
                               "U01:%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]"
                               "%x[0,0]\n");
    assert_int_equal(t.reach, MAX_ROW);
    assert_int_equal(t.columns, 10);
    assert_int_equal(t.node[1].macros, MAX_MACROS);
    templates_release(&t);
}

TEST(rules_that_differ_only_in_their_rows_share_their_features)
{
    struct templates t = parse("U:%x[-1,0]\nU:%x[0,0]\nU:%x[1,0]\nU01:%x[0,0]\nU:%lower[0,0]\nU:%x[0,0]/%x[1,0]\n"
                               "U:%x[-1,0]/%x[0,0]\nU:%x[0,0]|%x[1,0]\n");
    assert_int_equal(t.nodes, 8);
    static const uint32_t like[] = {0, 0, 0, 3, 4, 5, 5, 7};
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t j = 0; j < 8; j++) {
            bool same = like[i] == like[j];
            assert_int_equal(t.node[i].shape == t.node[j].shape, same);
            assert_int_equal(t.node[i].seed == t.node[j].seed, same);
            assert_int_equal(strcmp(t.node[i].skeleton, t.node[j].skeleton) == 0, same);
        }
    }
    templates_release(&t);
}

TEST(a_shape_is_the_first_rule_of_its_skeleton)
{
    struct templates t = parse("U:%x[-1,0]\nU:%x[0,0]\nU1:%x[1,0]\nU:%x[2,0]\nU2:%x[0,0]\n");
    static const uint32_t shape[] = {0, 0, 2, 0, 4};
    uint32_t found[5];
    for (uint32_t i = 0; i < 5; i++)
        found[i] = t.node[i].shape;
    templates_release(&t);
    assert_memory_equal(found, shape, sizeof shape);
}

TEST(what_a_rule_is_does_not_depend_on_the_others)
{
    struct templates alone = parse("U07:%x[0,0]/%x[1,0]\n");
    struct templates among = parse("U01:%x[0,0]\nB\nU07:%x[0,0]/%x[1,0]\n");
    assert_true(alone.node[0].seed == among.node[1].seed);
    assert_string_equal(alone.node[0].skeleton, among.node[1].skeleton);
    templates_release(&alone);
    templates_release(&among);
}

/* The text has its fault on line `line` and nowhere else. */
static void expect_refused(const char *text, unsigned line)
{
    struct templates templates = {0};
    struct vouch_error err = {0};
    char place[40];
    snprintf(place, sizeof place, "bad.tpl:%u:", line);
    bool accepted = templates_parse(&templates, &(struct template_source){text, "bad.tpl", NULL}, &err);
    templates_release(&templates);
    if (accepted)
        fail_msg("accepted: %s", text);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    if (!strstr(err.message, place))
        fail_msg("'%s' does not say '%s'", err.message, place);
}

TEST(faults_are_reported_with_their_line)
{
    expect_refused("Q00:%x[0,0]\n", 1);
    expect_refused("U00:%x[0,0]\n\n# more\nhello\n", 4);
    expect_refused("U00:%x[0,0]\nU01:%y[0,0]\n", 2);
    expect_refused("B\nU01:%suffix[0,0]\n", 2);
    expect_refused("B\nU01:%suffix10[0,0]\n", 2);
    expect_refused("U00:%x[0,0\n", 1);
    expect_refused("U00:%x[0]\n", 1);
    expect_refused("U00:%x[0,]\n", 1);
    expect_refused("U00:%x[,0]\n", 1);
    expect_refused("U00:%x[]\n", 1);
    expect_refused("U00:%x[a,0]\n", 1);
    expect_refused("U00:%x[0,b]\n", 1);
    expect_refused("U00:%x[0,0,0]\n", 1);
    expect_refused("U00:%x[0,-1]\n", 1);
    expect_refused("U00:%x\n", 1);
    expect_refused("U00:%\n", 1);
    expect_refused("U00:%[0,0]\n", 1);
    expect_refused("U00:100%\n", 1);
    expect_refused("B\nB\nB00:%x[0,0\n", 3);
    expect_refused("U00:%x[0,0]/%x[0,x]", 1);
}

TEST(numbers_out_of_range_are_refused)
{
    expect_refused("U00:%x[17,0]\n", 1);
    expect_refused("U00:%x[-17,0]\n", 1);
    expect_refused("U00:%x[99999999999999999999,0]\n", 1);
    expect_refused("U00:%x[-99999999999999999999,0]\n", 1);
    expect_refused("U00:%x[4294967296,0]\n", 1);
    expect_refused("U00:%x[0,99999999999999999999]\n", 1);
    expect_refused("U00:%x[0,4294967296]\n", 1);
    expect_refused("U00:%x[0,4294967295]\n", 1); /* one more than this is the number of columns */
    expect_refused("B\nU01:%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]%x[0,0]"
                   "%x[0,0]\n",
                   2);
}

TEST(built_in_sets_parse)
{
    static const char *const names[] = {"np", "chunk", "ner", "pos"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_non_null(template_builtin(names[i]));
        struct templates t = parse(template_builtin(names[i]));
        assert_true(t.nodes > 0);
        assert_true(t.edges > 0);
        assert_true(t.columns >= 1);
        assert_false(t.attributes);
        templates_release(&t);
    }
    assert_null(template_builtin("nonsense"));
    assert_null(template_builtin(""));
}

TEST(attributes_are_a_set_without_rules)
{
    assert_non_null(template_builtin("attributes"));
    struct templates t = parse(template_builtin("attributes"));
    assert_true(t.attributes);
    assert_int_equal(t.nodes, 0);
    assert_int_equal(t.columns, 0);
    templates_release(&t);
}

/* Either is refused beside the other: a rule that is silently ignored would surprise its writer. */
TEST(attributes_and_rules_do_not_mix)
{
    struct templates t = {0};
    struct vouch_error err = {0};
    bool accepted =
        templates_parse(&t, &(struct template_source){"attributes\nU00:%x[0,0]\nB\n", "mixed.tpl", NULL}, &err);
    uint32_t rules = t.nodes;
    templates_release(&t);
    assert_true(!accepted || rules == 0);
}

static const char four[] = "# a comment\n"
                           "U00:%x[0,0]\n"
                           "U01:%x[0,1]\n"
                           "U02:%x[0,2]\n"
                           "U03:%x[-1,0]/%x[0,2]\n"
                           "U04\n"
                           "B\n"
                           "B01:%x[0,1]\n";

/* The rules that are left, one after another, each ended by a blank: U lines first. */
static void expect_left(uint32_t columns, int gold, bool strict, const char *expected)
{
    struct vouch_error err = {0};
    char *left = template_restrict(&(struct template_source){four, "four.tpl", NULL}, columns, gold, strict, &err);
    assert_non_null(left);
    struct templates t = parse(left);
    char found[400] = "";
    for (uint32_t i = 0; i < t.nodes; i++)
        strcat(strcat(found, line_of(&t, &t.node[i])), " ");
    for (uint32_t i = 0; i < t.edges; i++)
        strcat(strcat(found, line_of(&t, &t.edge[i])), " ");
    assert_string_equal(found, expected);
    templates_release(&t);
    free(left);
}

TEST(rules_about_missing_columns_are_dropped)
{
    const char *all = "U00:%x[0,0] U01:%x[0,1] U02:%x[0,2] U03:%x[-1,0]/%x[0,2] U04 B B01:%x[0,1] ";
    expect_left(9, -1, false, all);
    expect_left(3, -1, false, all);
    expect_left(2, -1, false, "U00:%x[0,0] U01:%x[0,1] U04 B B01:%x[0,1] ");
    expect_left(1, -1, false, "U00:%x[0,0] U04 B ");
}

TEST(rules_about_the_gold_column_are_dropped)
{
    expect_left(3, 0, false, "U01:%x[0,1] U02:%x[0,2] U04 B B01:%x[0,1] ");
    expect_left(3, 1, false, "U00:%x[0,0] U02:%x[0,2] U03:%x[-1,0]/%x[0,2] U04 B ");
    expect_left(3, 2, false, "U00:%x[0,0] U01:%x[0,1] U04 B B01:%x[0,1] ");
    expect_left(2, 1, false, "U00:%x[0,0] U04 B ");
}

TEST(strictness_keeps_all_or_refuses)
{
    struct vouch_error err = {0};
    expect_left(3, -1, true, "U00:%x[0,0] U01:%x[0,1] U02:%x[0,2] U03:%x[-1,0]/%x[0,2] U04 B B01:%x[0,1] ");
    expect_left(4, 3, true, "U00:%x[0,0] U01:%x[0,1] U02:%x[0,2] U03:%x[-1,0]/%x[0,2] U04 B B01:%x[0,1] ");
    assert_null(template_restrict(&(struct template_source){four, "four.tpl", NULL}, 2, -1, true, &err));
    assert_non_null(strstr(err.message, "four.tpl:4:"));
    assert_null(template_restrict(&(struct template_source){four, "four.tpl", NULL}, 3, 0, true, &err));
    assert_non_null(strstr(err.message, "four.tpl:2:"));
    assert_null(template_restrict(&(struct template_source){four, "four.tpl", NULL}, 3, 1, true, &err));
    assert_non_null(strstr(err.message, "four.tpl:3:"));
}

TEST(restricting_refuses_what_parsing_refuses)
{
    for (int strict = 0; strict <= 1; strict++) {
        struct vouch_error err = {0};
        assert_null(template_restrict(&(struct template_source){"U00:%x[0,0]\nU01:%zzz[0,0]\n", "bad.tpl", NULL}, 5, -1,
                                      strict, &err));
        assert_non_null(strstr(err.message, "bad.tpl:2:"));
    }
}
