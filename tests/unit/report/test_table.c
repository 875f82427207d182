/* Tests tables: what is bold, what is missing, and any text as nothing but text, in all three formats. */
#include "report/table.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;

/* Returns what a writer writes, to free(). */
static char *written(const struct table *table, void (*write)(const struct table *table, struct output *out))
{
    assert_true(table_whole(table, &err));
    struct output *out = output_open(folder_file("table"), &err);
    assert_non_null(out);
    write(table, out);
    assert_true(output_commit(out, &err));
    return folder_get(folder_file("table"));
}

static void expect(const struct table *table, void (*write)(const struct table *table, struct output *out),
                   const char *part, bool there)
{
    char *text = written(table, write);
    if (there != (strstr(text, part) != NULL))
        fail_msg("'%s' is %sthere:\n%s", part, there ? "not " : "", text);
    free(text);
}

/* Two rivals and a column beside. */
static void begin(struct table *table, enum better better)
{
    table_init(table, "name", "a title", "dataset", better);
    table_add_column(table, (struct table_column){.name = "A", .digits = 2, .published_digits = 1, .rival = true});
    table_add_column(table, (struct table_column){.name = "B", .digits = 2, .published_digits = 1, .rival = true});
    table_add_column(table, (struct table_column){.name = "chance", .digits = 2});
}

static void add(struct table *table, const char *name, double a, double b, double chance)
{
    table_add_row(table, name, false);
    table_put(table, 0, a);
    table_put(table, 1, b);
    table_put(table, 2, chance);
}

TEST_IN_FOLDER(the_best_of_a_row_is_bold)
{
    struct table s;
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 0.5, 0.25, 0.9);    /* a column that is no rival is never best */
    add(&s, "tie", 0.5001, 0.4999, 0); /* numbers that look equal are equal */
    add(&s, "alone", NAN, 0.25, 0);    /* and a single rival is not best */
    expect(&s, table_write_markdown, "| one | **0.50** | 0.25 | 0.90 |\n", true);
    expect(&s, table_write_markdown, "| tie | **0.50** | **0.50** | 0.00 |\n", true);
    expect(&s, table_write_markdown, "| alone | \xe2\x80\x93 | 0.25 | 0.00 |\n", true);
    expect(&s, table_write_html, "<td class=\"number\"><b>0.50</b></td><td class=\"number\">0.25</td>", true);
    size_t of;
    assert_int_equal(table_wins(&s, 0, &of), 2);
    assert_int_equal(of, 2);
    assert_int_equal(table_wins(&s, 1, &of), 1);
    table_release(&s);
}

TEST_IN_FOLDER(lower_can_be_better)
{
    struct table s;
    begin(&s, BETTER_LOWER);
    add(&s, "one", 0.5, 0.25, 0.1);
    expect(&s, table_write_markdown, "| one | 0.50 | **0.25** | 0.10 |\n", true);
    assert_int_equal(table_best_of(&s, &s.row[0]), 1);
    table_release(&s);
}

TEST_IN_FOLDER(neither_end_need_be)
{
    struct table s;
    begin(&s, BETTER_NEITHER);
    add(&s, "one", 0.5, 0.25, 0.1);
    expect(&s, table_write_markdown, "**0", false);
    assert_int_equal(table_best_of(&s, &s.row[0]), s.columns);
    table_release(&s);
}

TEST_IN_FOLDER(groups_compete_among_themselves)
{
    struct table s;
    table_init(&s, "name", "a title", "dataset", BETTER_HIGHER);
    for (int i = 0; i < 4; i++)
        table_add_column(
            &s, (struct table_column){.name = i % 2 ? "B" : "A", .group = i < 2 ? "raw" : "made", .rival = true});
    table_add_row(&s, "one", false);
    for (size_t i = 0; i < 4; i++)
        table_put(&s, i, (double)i);
    expect(&s, table_write_markdown, "| dataset | raw: A | raw: B | made: A | made: B |\n", true);
    expect(&s, table_write_markdown, "| one | 0 | **1** | 2 | **3** |\n", true);
    expect(&s, table_write_html, "colspan=\"2\" scope=\"colgroup\">raw</th>", true);
    expect(&s, table_write_csv, "dataset,raw: A,raw: B,made: A,made: B\none,0,1,2,3\n", true);
    table_release(&s);
}

TEST_IN_FOLDER(means_are_of_all_rows_or_none)
{
    struct table s;
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 1, 2, NAN);
    table_cell(&s, 0)->published = 3;
    table_cell(&s, 1)->published = 4;
    add(&s, "two", 2, NAN, NAN);
    table_cell(&s, 0)->published = 5;
    table_add_means(&s, "mean");
    const struct table_row *means = table_means(&s);
    assert_non_null(means);
    assert_true(fabs(means->cell[0].number - 1.5) < 1e-12);
    assert_true(fabs(means->cell[0].published - 4) < 1e-12);
    assert_true(isnan(means->cell[1].number) && isnan(means->cell[1].published));
    expect(&s, table_write_markdown, "| mean | 1.50 (4.0) | \xe2\x80\x93 |\n", true); /* and no third column */
    table_release(&s);
}

TEST_IN_FOLDER(one_row_has_no_mean)
{
    struct table s;
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 1, 2, 3);
    table_add_means(&s, "mean");
    assert_null(table_means(&s));
    assert_int_equal(s.rows, 1);
    table_release(&s);
}

/* The paper's mean would be of other rows than ours. */
TEST_IN_FOLDER(what_is_published_of_other_data_has_no_mean)
{
    struct table s;
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 1, 2, NAN);
    table_cell(&s, 0)->published = 3;
    table_add_row(&s, "two", true);
    table_put(&s, 0, 3);
    table_cell(&s, 0)->published = 4;
    table_add_means(&s, "mean");
    assert_true(isnan(table_means(&s)->cell[0].published));
    expect(&s, table_write_markdown, "| one | 1.00 (3.0) |", true);
    expect(&s, table_write_markdown, "| two | **3.00** (*4.0*) |", false); /* alone in its row: not bold */
    expect(&s, table_write_markdown, "| two | 3.00 (*4.0*) |", true);
    expect(&s, table_write_html, "<span class=\"published\">3.0</span>", true);
    expect(&s, table_write_html, "<span class=\"published\"><i>4.0</i></span>", true);
    expect(&s, table_write_csv,
           "dataset,A,A (published),B,published on\none,1,3,2,the same data\ntwo,3,4,,other data\nmean,2,,,\n", true);
    table_release(&s);
}

TEST_IN_FOLDER(what_is_not_published_was_measured_on_nothing)
{
    struct table s;
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 1, NAN, NAN);
    table_cell(&s, 0)->published = 3;
    table_add_row(&s, "two", true);
    table_put(&s, 0, 2);
    expect(&s, table_write_csv, "dataset,A,A (published),published on\none,1,3,the same data\ntwo,2,,\n", true);
    table_cell(&s, 1)->published = 4; /* in a column that is left out */
    expect(&s, table_write_csv, "\ntwo,2,,\n", true);
    table_release(&s);
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 1, NAN, NAN);
    table_cell(&s, 0)->published = 3;
    add(&s, "two", 2, NAN, NAN);
    table_cell(&s, 0)->published = 4;
    table_add_means(&s, "mean");
    expect(&s, table_write_csv, "\nmean,1.5,3.5,the same data\n", true);
    table_release(&s);
}

TEST_IN_FOLDER(tests_are_stars)
{
    struct table s;
    const double p[] = {0.0009, 0.009, 0.049, 0.05};
    const char *const stars[] = {"\\*\\*\\* |", "\\*\\* |", "\\* |", "1.00 |"};
    const char *const sup[] = {"<sup>***</sup>", "<sup>**</sup>", "<sup>*</sup>", "1.00</td>"};
    for (size_t i = 0; i < 4; i++) {
        begin(&s, BETTER_HIGHER);
        add(&s, "one", 2, 1, NAN);
        table_cell(&s, 1)->p = p[i];
        expect(&s, table_write_markdown, stars[i], true);
        expect(&s, table_write_html, sup[i], true);
        table_release(&s);
    }
    begin(&s, BETTER_HIGHER);
    add(&s, "one", 2, 1, NAN);
    table_cell(&s, 1)->p = 0.25;
    expect(&s, table_write_csv, "dataset,A,B,B (p)\none,2,1,0.25\n", true);
    table_release(&s);
}

TEST_IN_FOLDER(any_text_is_only_text)
{
    struct table s;
    table_init(&s, "name", "<b>&", "a|b", BETTER_NEITHER);
    table_add_column(&s, (struct table_column){.name = "\"x\",*y*"});
    table_add_row(&s, "<script>\n|_1_|", false);
    table_put_text(&s, 0, "a,\"b\"\n<i>");
    expect(&s, table_write_html, "<b>&lt;b&gt;&amp;</b>", true);
    expect(&s, table_write_html, "<script>", false);
    expect(&s, table_write_html, "&lt;script&gt;", true);
    expect(&s, table_write_html, "<i>", false);
    expect(&s, table_write_markdown, "| \\<script\\> \\|\\_1\\_\\| | a,\"b\" \\<i\\> |\n", true);
    expect(&s, table_write_markdown, "| a\\|b | \"x\",\\*y\\* |\n", true);
    expect(&s, table_write_csv, "a|b,\"\"\"x\"\",*y*\"\n\"<script>\n|_1_|\",\"a,\"\"b\"\"\n<i>\"\n", true);
    table_release(&s);
}

TEST_IN_FOLDER(thousands_are_set_apart_for_readers)
{
    struct table s;
    const double number[] = {999, 1000, 1234567, -1000, 12345.5};
    const char *const text[] = {"| 999 |", "| 1,000 |", "| 1,234,567 |", "| -1,000 |", "| 12,345.50 |"};
    for (size_t i = 0; i < 5; i++) {
        table_init(&s, "name", "a title", "dataset", BETTER_NEITHER);
        table_add_column(&s, (struct table_column){.name = "A", .digits = i == 4 ? 2 : 0});
        table_add_row(&s, "one", false);
        table_put(&s, 0, number[i]);
        expect(&s, table_write_markdown, text[i], true);
        table_release(&s);
    }
    table_init(&s, "name", "a title", "dataset", BETTER_NEITHER);
    table_add_column(&s, (struct table_column){.name = "A"});
    table_add_row(&s, "one", false);
    table_put(&s, 0, 1234567);
    expect(&s, table_write_csv, "one,1234567\n", true);
    table_release(&s);
}
