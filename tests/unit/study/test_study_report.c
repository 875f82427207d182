/* Tests the report of a study: from a few results by hand to files and a page. */
#include "study/study.h"

#include "folder.h"
#include "test.h"

#include <sys/stat.h>

static struct vouch_error err;

/* One dataset with a name to fall over, ranked by two methods and cross-validated. */
static const char results[] =
    "{\"program\": \"vouch\", \"version\": \"1.2\", \"experiments\": [\"ranking\"],"
    " \"settings\": {\"k_best\": \"0,1\"},"
    " \"datasets\": [{\"key\": \"a\", \"name\": \"<x> & it's\", \"task\": \"ner\", \"paper\": \"NER English\", "
    "\"same\": true}],"
    " \"steps\": {"
    "  \"ranking/a/cw+crf/raw\": {\"command\": [\"vouch\", \"eval\", \"<x>.txt\"], \"seconds\": 2.5, \"result\": "
    "   {\"confidence\": {\"words\": {\"methods\": ["
    "     {\"method\": \"kd-fix\", \"average_precision\": 0.5, \"area_under_risk_coverage\": 0.0125,"
    "      \"errors_found\": {\"1\": 0.25},"
    "      \"precision_at_recall\": {\"10\": 0.9, \"20\": 0.8}},"
    "     {\"method\": \"delta\", \"average_precision\": 0.4, \"precision_at_recall\": {\"10\": 0.7, \"20\": "
    "null}}]}}}},"
    "  \"prediction/a/folds-k1\": {\"result\": {\"algorithms\": [{\"algorithm\": \"cw\", \"mean\": 85.25}]}},"
    "  \"ranking/a/cw-k1/raw\": {\"result\": {\"confidence\": {\"words\": {\"methods\": ["
    "     {\"method\": \"kd-fix\", \"average_precision\": 0.45, \"area_under_risk_coverage\": 0.02,"
    "      \"errors_found\": {\"1\": 0.3}}]}}}},"
    "  \"prediction/a/folds\": {\"command\": [\"vouch\", \"eval\"], \"seconds\": 1, \"result\": "
    "   {\"algorithms\": [{\"algorithm\": \"cw\", \"mean\": 87.125}, {\"algorithm\": \"pa\", \"mean\": 86.5}],"
    "    \"t_tests\": [{\"first\": \"cw\", \"second\": \"pa\", \"p\": 0.004}]}}}}";

/* Folders within the folder, which is then empty again. */
FIXTURE(remove_all)
{
    char root[sizeof folder_path];
    static const char *const inner[] = {"tables", "figures"};
    strcpy(root, folder_path);
    for (int i = 0; i < 2; i++) {
        snprintf(folder_path, sizeof folder_path, "%.40s/%s", root, inner[i]);
        if (access(folder_path, F_OK) == 0)
            folder_remove(state);
    }
    strcpy(folder_path, root);
    return folder_remove(state);
}

static void expect(const char *file, const char *part, bool there)
{
    char *text = folder_get(folder_file(file));
    assert_non_null(text);
    if (there != (strstr(text, part) != NULL))
        fail_msg("%s: '%s' is %sthere:\n%.20000s", file, part, there ? "not " : "", text);
    free(text);
}

static void report(void)
{
    folder_put("results.json", results);
    if (!study_report(folder_path, &err))
        fail_msg("%s", err.message);
}

TEST_WITH(numbers_get_where_they_belong, folder_make, remove_all)
{
    report();
    expect("tables/prediction-sequences.csv",
           "dataset,CW,PA,PA (published),PA (p),\"CW, 1-best\",\"CW, 1-best (published)\",published on\n"
           "<x> & it's,87.125,86.5,87,0.004,85.25,87.7,the same data\n",
           true);
    expect("tables/ranking-sequences-cw-k1.md", "| \\<x\\> & it's | 0.450 |", true);
    expect("tables/systems-sequences.csv",
           "dataset,\"AURC, %: CW, KD-Fix\",\"AURC, %: CW, 1-best, KD-Fix\",\"average precision: CW, KD-Fix\","
           "\"average precision: CW, 1-best, KD-Fix\"\n<x> & it's,1.25,2,0.5,0.45\n",
           true);
    expect("tables/prediction-sequences.md", "| **87.12** | 86.50\\*\\* (87.0) | 85.25 (87.7) |", true);
    expect("tables/ranking-sequences.md", "| \\<x\\> & it's | **0.500** | 0.400 |", true);
    expect("tables/errors-found.md", "| 25.0 |", true); /* the paper's CW learns from the best answer */
    expect("tables/errors-found-k1.md", "30.0 (20.0)", true);
    expect("tables/claims.md", "| holds in part |", false);
    expect("tables/claims.md", "| does not hold | holds |", true);
    expect("tables/claims.md",
           "As in the paper: sequences: CW, 1-best 85.25, PA 86.50 (0/1). As usual here: sequences: CW 87.12, PA 86.50 "
           "(1/1)",
           true);
    expect("figures/finding-errors-a.dat", "# KD-Fix\n 10 90 NaN NaN\n 20 80 NaN NaN\n", true);
    expect("figures/finding-errors-a.svg", "</svg>", true);
    expect("report.md", " Figures: `figures/finding-errors-a.svg`", true);
    expect("report.html", "<span class=\"verdict\">holds</span>", true);
    expect("report.html", "by vouch 1.2.", true);
    expect("report.html", "<code>vouch eval &#39;&lt;x&gt;.txt&#39;</code>", true);
    expect("report.html", "2.5 s", true);
}

/* A seed to the last digit; a command that a shell reads as it was, on one line whatever its names hold. */
TEST_WITH(what_was_run_can_be_run_again, folder_make, remove_all)
{
    folder_put("results.json",
               "{\"datasets\": [], \"settings\": {\"seed\": 1234567, \"share\": 0.25}, \"steps\": {"
               "\"data/a\": {\"command\": [\"vouch\", \"info\", \"\", \"my corpus\", \"it's\", \"a\\n# b\"]}}}");
    if (!study_report(folder_path, &err))
        fail_msg("%s", err.message);
    expect("report.md", "Settings: seed 1234567, share 0.25\n", true);
    expect("report.md", "\n    vouch info '' 'my corpus' 'it'\\''s' $'a\\012# b'\n", true);
    expect("report.html", "<code>vouch info &#39;&#39; &#39;my corpus&#39; ", true);
}

TEST_WITH(any_name_is_only_text, folder_make, remove_all)
{
    report();
    expect("report.html", "<x>", false);
    expect("report.html", "&lt;x&gt; &amp; it&#39;s", true);
    expect("report.md", "on \\<x\\> & it's, by vouch 1.2.", true);
    expect("report.md", "<x> &", false);
}

/* It is neither invented nor silently missing. */
TEST_WITH(what_was_not_run_is_not_there, folder_make, remove_all)
{
    report();
    expect("report.html", "href=\"#ranking\"", true);
    expect("report.html", "href=\"#active\"", false);
    expect("report.html", "data, effect-of-k, tradeoff, active: not run, so there is nothing about them here.", true);
    expect("report.html", "not tested here", true);
    assert_int_not_equal(access(folder_file("tables/active.md"), F_OK), 0);
    expect("tables/ranking-sequences.md", "Committee", false);
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

TEST_WITH(figures_share_no_names, folder_make, remove_all)
{
    report();
    char *text = folder_get(folder_file("report.html"));
    assert_non_null(text);
    assert_true(count(text, "<svg ") > 1);
    assert_int_equal(count(text, "-gnuplot_canvas\""), count(text, "<svg "));
    assert_int_equal(count(text, "id=\"f1-gnuplot_canvas\""), 1);
    assert_int_equal(count(text, "id=\"gnuplot_canvas\""), 0);
    assert_int_equal(count(text, "<script"), 0);
    assert_int_equal(count(text, "http://www.w3.org"),
                     2 * count(text, "<svg ")); /* names of XML, and nothing to load */
    assert_int_equal(count(text, "://"), 2 * count(text, "<svg "));
    free(text);
}

TEST_WITH(without_gnuplot_there_is_all_but_figures, folder_make, remove_all)
{
    char *path = strdup(getenv("PATH"));
    setenv("PATH", folder_path, 1);
    report();
    setenv("PATH", path, 1);
    free(path);
    expect("report.html", "No figures here: figures are drawn by gnuplot, which was not found", true);
    expect("report.html", "<svg", false);
    expect("report.md", "No figures here: ", true);
    expect("report.md", " Numbers: `figures/finding-errors-a.dat`", true);
    expect("report.md", ".svg", false);
    expect("figures/finding-errors-a.dat", "# KD-Fix\n", true);
    assert_int_not_equal(access(folder_file("figures/finding-errors-a.svg"), F_OK), 0);
    expect("tables/ranking-sequences.md", "**0.500**", true);
}

TEST_WITH(what_is_no_result_is_an_error, folder_make, remove_all)
{
    assert_false(study_report(folder_path, &err));
    assert_non_null(strstr(err.message, "results.json"));
    folder_put("results.json", "{\"datasets\": [");
    assert_false(study_report(folder_path, &err));
    assert_non_null(strstr(err.message, "results.json:1: "));
    folder_put("results.json", "[]");
    assert_false(study_report(folder_path, &err));
    assert_non_null(strstr(err.message, "expected the results of a study"));
    assert_int_equal(folder_count(), 1);
    folder_put("results.json", "{\"datasets\": [], \"steps\": {}}");
    assert_true(study_report(folder_path, &err));
    expect("report.html", "nothing about them here", true);
}

/* Nor is there half a page. */
TEST_WITH(a_table_that_cannot_be_written_is_an_error, folder_make, remove_all)
{
    assert_int_equal(mkdir(folder_file("tables"), 0777), 0);
    assert_int_equal(mkdir(folder_file("tables/claims.md"), 0777), 0);
    folder_put("results.json", results);
    assert_false(study_report(folder_path, &err));
    assert_non_null(strstr(err.message, "tables/claims.md"));
    assert_int_not_equal(access(folder_file("report.html"), F_OK), 0);
    assert_int_not_equal(access(folder_file("report.md"), F_OK), 0);
}

/* Steps whose results are of another shape than they should be. */
TEST_WITH(odd_results_do_no_harm, folder_make, remove_all)
{
    folder_put("results.json",
               "{\"datasets\": [{\"key\": \"a\", \"task\": \"ner\"}, {\"key\": \"t\", \"task\": \"dep\"}], \"steps\": {"
               "\"ranking/a/cw+crf/raw\": 3, \"ranking/t/cw+crf/raw\": {\"result\": {\"confidence\": []}},"
               "\"prediction/a/folds\": {\"result\": {\"algorithms\": [1, {\"algorithm\": 2}], \"t_tests\": \"x\"}},"
               "\"active/a\": {\"result\": {\"methods\": {}}}, \"tradeoff/a/raw\": {\"result\": {\"curves\": [null]}},"
               "\"effect-of-k/bounds\": {\"result\": {\"shares\": [{}]}}, \"data/a/info\": {\"result\": \"no\"}}}");
    if (!study_report(folder_path, &err))
        fail_msg("%s", err.message);
    expect("report.html", "</html>", true);
    expect("report.html", "nan", false);
}

/* A claim about three numbers of draws, on the datasets that have all three. */
TEST_WITH(draws_that_are_missing_do_not_count, folder_make, remove_all)
{
#define WITH_DRAWS(step, number)                                                                                       \
    "\"effect-of-k/" step "\": {\"result\": {\"confidence\": {\"words\": {\"methods\": [{\"method\": \"kd-fix\", "     \
    "\"average_precision\": " number "}]}}}}"
    folder_put("results.json", "{\"datasets\": [{\"key\": \"a\", \"task\": \"ner\"}, {\"key\": \"t\", \"task\": "
                               "\"dep\"}], \"steps\": {" WITH_DRAWS("a/2", "0.5") "," WITH_DRAWS(
                                   "t/2", "0.25") "," WITH_DRAWS("t/50", "0.5") "," WITH_DRAWS("t/80", "0.5") "}}");
    if (!study_report(folder_path, &err))
        fail_msg("%s", err.message);
    expect("tables/claims.md", "0.250 with 2 draws, 0.500 with 50, 0.500 with 80;", true);
    expect("report.html", "nan", false);
}
