/* Tests the published numbers: that they were copied right, as far as the paper's own averages can tell. */
#include "study/paper.h"

#include "test.h"

static const char *const treebanks[] = {"Arabic",  "Bulgarian", "Chinese", "Czech",    "Danish",
                                        "Dutch",   "English",   "German",  "Japanese", "Portuguese",
                                        "Slovene", "Spanish",   "Swedish", "Turkish"};
static const char *const sequences[] = {"NP chunking", "NER English", "NER Dutch", "NER Spanish"};

/* The mean of a column as the paper rounds it; its own rounding may be off by a unit of the last place. */
static void expect_average(unsigned table, const char *const *row, size_t rows, const char *column, double average)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        sum += paper_number(table, row[i], column);
    if (!(fabs(sum / (double)rows - average) < 0.0011))
        fail_msg("table %u, %s: the mean is %.4f, not %.3f", table, column, sum / (double)rows, average);
}

TEST(columns_have_the_averages_of_the_paper)
{
    static const struct {
        unsigned table;
        const char *column[7];
    } all[] = {
        {5, {"cw", "pa"}},
        {7, {"kd-fix", "kd-pc", "delta", "wkb", "kb", "kd-fix+delta", "random"}},
        {10, {"kd-fix", "kd-pc", "wkb", "random"}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < 7 && all[i].column[j]; j++)
            expect_average(all[i].table, treebanks, 14, all[i].column[j],
                           paper_number(all[i].table, "average", all[i].column[j]));
    expect_average(5, treebanks, 14, "cw complete", 0.366);
    expect_average(5, treebanks, 14, "pa complete", 0.360);
    static const char *const methods[] = {"kd-fix", "kd-pc", "gamma", "wkb", "random"};
    for (size_t j = 0; j < 5; j++)
        expect_average(9, sequences, 4, methods[j], paper_number(9, "average", methods[j]));
}

/* Tables repeat each other in places. */
TEST(tables_agree)
{
    static const char *const methods[] = {"kd-fix", "kd-pc", "delta", "wkb", "kb", "kd-fix+delta", "random"};
    for (size_t j = 0; j < 7; j++)
        assert_true(paper_number(7, "average", methods[j]) == paper_number(8, "average precision", methods[j]));
    static const char *const calibrated[] = {"kd-fix", "kd-pc", "wkb", "random"};
    for (size_t j = 0; j < 4; j++) {
        assert_true(paper_number(9, "average", calibrated[j]) == paper_number(11, "sequences cw", calibrated[j]));
        assert_true(paper_number(10, "average", calibrated[j]) == paper_number(11, "trees cw", calibrated[j]));
    }
    for (size_t i = 0; i < 4; i++) {
        double saved = 1 - paper_number(12, sequences[i], "kd-fix") / paper_number(12, sequences[i], "random");
        assert_true(fabs(saved - paper_number(12, sequences[i], "saved")) < 0.01);
    }
}

TEST(single_numbers_are_found)
{
    assert_true(paper_number(2, "NER Spanish", "words") == 317600);
    assert_true(paper_number(3, "Czech", "words") == 1249000);
    assert_true(paper_number(4, "NER English", "perceptron") == 0.862);
    assert_true(paper_number(6, "5", "kd-fix") == 0.70);
    assert_true(paper_number(9, "np CHUNKING", "gamma") == 0.019);
    assert_true(paper_number(PAPER_TEXT, "trees after one pass", "pa") == 0.812);
    assert_true(paper_number(PAPER_TEXT, "NER Dutch", "merged f1") == 0.94);
}

TEST(what_was_not_published_is_no_number)
{
    assert_true(isnan(paper_number(4, "NER English", "crf")));
    assert_true(isnan(paper_number(4, "Finnish", "cw")));
    assert_true(isnan(paper_number(13, "NER English", "cw")));
    assert_true(isnan(paper_number(11, "sequences pa", "kd-pc")));
    assert_true(isnan(paper_number(PAPER_TEXT, "NER Dutch", "traded precision")));
}

TEST(rows_are_listed)
{
    assert_string_equal(paper_row(2, 0), "NP chunking");
    assert_string_equal(paper_row(3, 13), "Turkish");
    assert_null(paper_row(3, 14));
    assert_null(paper_row(13, 0));
    for (size_t i = 0; paper_row(3, i); i++)
        assert_true(paper_number(3, paper_row(3, i), "words") > 0);
}
