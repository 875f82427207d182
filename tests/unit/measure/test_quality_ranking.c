/* Tests ranking: examples worked by hand, closed forms, and the mean over all orders of the ties. */
#include "measure/quality.h"

#include "judged_words.h"
#include "test.h"

static struct levels from(const char *verdicts)
{
    struct judged word[64];
    return levels_of(word, words_from(verdicts, word));
}

static struct ranking ranking_of(const char *verdicts)
{
    struct levels levels = from(verdicts);
    struct ranking ranking;
    ranking_measure(&levels, &ranking);
    levels_release(&levels);
    return ranking;
}

/* Sums over all orders in which the words may be inspected. */
struct orders {
    struct judged word[8]; /* [n] in the order of inspection up to `placed` */
    size_t n, placed;
    double count, average_precision, roc, risk, joint, found[RANKING_INSPECTED], inspected[RANKING_RECALLS];
};

/* Measures one order, by the definitions. */
static void add_order(struct orders *all)
{
    double errors = 0, seen = 0, precisions = 0, pairs = 0, risks = 0, joint = 0, n = (double)all->n;
    for (size_t i = 0; i < all->n; i++)
        errors += !all->word[i].right;
    for (size_t i = 0; i < all->n; i++) {
        bool wrong = !all->word[i].right;
        for (size_t p = 0; p < RANKING_INSPECTED; p++) {
            double part = fmin(fmax(ranking_inspected[p] / 100.0 * n - (double)i, 0), 1);
            all->found[p] += wrong * part / errors;
        }
        for (size_t p = 0; p < RANKING_RECALLS; p++)
            if (wrong && seen + 1 == ceil(ranking_recall[p] * errors / 100))
                all->inspected[p] += (double)i + 1;
        risks += (errors - seen) / (n - (double)i);
        joint += (errors - seen) / n;
        seen += wrong;
        precisions += wrong * seen / ((double)i + 1);
        pairs += wrong * ((n - errors) - ((double)i + 1 - seen));
    }
    all->count++;
    all->average_precision += precisions / errors;
    all->roc += pairs / errors / (n - errors);
    all->risk += risks / n;
    all->joint += joint / n;
}

static void try_orders(struct orders *all)
{
    if (all->placed == all->n) {
        add_order(all);
        return;
    }
    double least = INFINITY;
    for (size_t i = all->placed; i < all->n; i++)
        least = fmin(least, all->word[i].confidence);
    for (size_t i = all->placed; i < all->n; i++) {
        if (all->word[i].confidence > least)
            continue;
        struct judged chosen = all->word[i], moved = all->word[all->placed];
        all->word[all->placed] = chosen;
        all->word[i] = moved;
        all->placed++;
        try_orders(all);
        all->placed--;
        all->word[all->placed] = moved;
        all->word[i] = chosen;
    }
}

static void check_against_all_orders(const struct judged *word, size_t n)
{
    struct orders all = {.n = n};
    memcpy(all.word, word, n * sizeof *word);
    try_orders(&all);
    struct levels levels = levels_of(word, n);
    struct ranking ranking;
    ranking_measure(&levels, &ranking);
    assert_near(ranking.average_precision, all.average_precision / all.count, 1e-13);
    assert_near(ranking.area_under_risk_coverage, all.risk / all.count, 1e-13);
    assert_near(ranking.area_under_generalised_risk, all.joint / all.count, 1e-13);
    if (levels.right)
        assert_near(ranking.area_under_roc, all.roc / all.count, 1e-13);
    for (size_t p = 0; p < RANKING_RECALLS; p++) {
        uint64_t wanted = (levels.wrong * ranking_recall[p] + 99) / 100;
        assert_near(ranking.precision[p], (double)wanted * all.count / all.inspected[p], 1e-13);
    }
    for (size_t p = 0; p < RANKING_INSPECTED; p++)
        assert_near(ranking.found[p], all.found[p] / all.count, 1e-13);
    levels_release(&levels);
}

/* All orders of up to 8 words with 1 to 8 different confidences, one of them infinite. */
TEST(ties_count_by_the_mean_over_their_orders)
{
    struct rng rng = rng_new(1, 1);
    for (size_t trial = 0; trial < 400; trial++) {
        struct judged word[8];
        uint32_t n = 1 + rng_below(&rng, trial < 390 ? 7 : 8), values = trial < 390 ? 1 + rng_below(&rng, n) : 1;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t value = rng_below(&rng, values);
            word[i] = (struct judged){.confidence = value ? value : INFINITY, .right = rng_below(&rng, 2)};
        }
        word[0].right = false;
        check_against_all_orders(word, n);
    }
}

TEST(errors_first_is_perfect)
{
    struct ranking r = ranking_of("--++++++++");
    assert_true(r.average_precision == 1 && r.area_under_roc == 1);
    for (size_t p = 0; p < RANKING_RECALLS; p++)
        assert_true(r.precision[p] == 1);
    assert_near(r.found[0], 0.05, 1e-15); /* a tenth of a word of ten, of two errors */
    assert_near(r.found[1], 0.25, 1e-15);
    assert_near(r.found[2], 0.5, 1e-15);
    assert_near(r.area_under_risk_coverage, (1 / 9.0 + 2 / 10.0) / 10, 1e-15);
}

TEST(errors_last_is_worst)
{
    struct ranking r = ranking_of("++++++++--");
    assert_near(r.average_precision, (1 / 9.0 + 2 / 10.0) / 2, 1e-15);
    assert_true(r.area_under_roc == 0 && r.found[2] == 0);
    assert_near(r.precision[0], 1 / 9.0, 1e-15);
    assert_near(r.precision[8], 2 / 10.0, 1e-15);
    double risks = 0;
    for (int i = 1; i <= 10; i++)
        risks += fmin(i, 2) / i;
    assert_near(r.area_under_risk_coverage, risks / 10, 1e-15);
}

/* Errors at places 1, 3 and 6 of 6. */
TEST(an_example_worked_by_hand)
{
    struct ranking r = ranking_of("-+-++-");
    assert_near(r.average_precision, (1 / 1.0 + 2 / 3.0 + 3 / 6.0) / 3, 1e-15);
    assert_near(r.area_under_roc, 5 / 9.0, 1e-15);
    assert_near(r.precision[0], 1, 1e-15);
    assert_near(r.precision[4], 2 / 3.0, 1e-15);
    assert_near(r.precision[8], 3 / 6.0, 1e-15);
    assert_near(r.found[2], 0.6 / 3, 1e-15);
    assert_near(r.area_under_risk_coverage, (1 / 1.0 + 1 / 2.0 + 1 / 3.0 + 2 / 4.0 + 2 / 5.0 + 3 / 6.0) / 6, 1e-15);
    assert_near(r.area_under_generalised_risk, (1 + 1 + 1 + 2 + 2 + 3) / 36.0, 1e-15);
}

/* One error among m tied words: the mean of 1/j. Two words of two: the one error is first or second. */
TEST(all_tied_is_chance)
{
    assert_near(ranking_of("(-+)").average_precision, 0.75, 1e-15);
    assert_near(ranking_of("(-++++)").average_precision, (1 + 1 / 2.0 + 1 / 3.0 + 1 / 4.0 + 1 / 5.0) / 5, 1e-15);
    struct ranking r = ranking_of("(-+-+-++++++++++++++++)");
    assert_near(r.area_under_roc, 0.5, 1e-15);
    assert_near(r.found[1], 0.05, 1e-15);
    assert_near(r.area_under_risk_coverage, 3 / 21.0, 1e-15);
    assert_near(r.precision[4], 4 / 22.0, 1e-15);
}

/* Of many tied words, average precision is the share of errors, but for the first few places. */
TEST(large_levels_keep_their_digits)
{
    struct level level = {0.5, 30000, 970000};
    struct levels levels = {&level, 1, level.wrong, level.right};
    double sum = 0, k = 30000, m = 1000000;
    for (double j = m; j >= 1; j--)
        sum += (1 + (j - 1) * (k - 1) / (m - 1)) / j / m;
    assert_near(average_precision(&levels), sum, 1e-12);
    assert_near(area_under_risk_coverage(&levels), 0.03, 1e-12);
}

TEST(what_is_not_defined_is_nan)
{
    struct ranking none = ranking_of(""), right = ranking_of("+(++)"), wrong = ranking_of("-(--)");
    assert_true(isnan(none.average_precision) && isnan(none.area_under_roc) && isnan(none.area_under_risk_coverage));
    assert_true(isnan(right.average_precision) && isnan(right.area_under_roc));
    assert_true(right.area_under_risk_coverage == 0 && right.area_under_generalised_risk == 0);
    assert_true(isnan(none.area_under_generalised_risk));
    assert_true(isnan(wrong.area_under_roc));
    assert_near(wrong.average_precision, 1, 1e-15);
    assert_near(wrong.area_under_risk_coverage, 1, 1e-15);
    for (size_t p = 0; p < RANKING_RECALLS; p++) {
        assert_true(isnan(none.precision[p]) && isnan(right.precision[p]));
        assert_near(wrong.precision[p], 1, 1e-15);
    }
    for (size_t p = 0; p < RANKING_INSPECTED; p++) {
        assert_true(isnan(none.found[p]) && isnan(right.found[p]));
        assert_near(wrong.found[p], ranking_inspected[p] / 100.0, 1e-15);
    }
}

TEST(levels_are_sorted_and_counted)
{
    const struct judged word[] = {{INFINITY, 0, true}, {0.0, 1, true}, {3, 1, false}, {-0.0, 2, false}, {3, 9, false}};
    struct levels levels = levels_of(word, 5);
    assert_int_equal(levels.levels, 3);
    assert_true(levels.wrong == 3 && levels.right == 2);
    assert_true(levels.level[0].wrong == 1 && levels.level[0].right == 1 && levels.level[0].confidence == 0);
    assert_true(levels.level[1].wrong == 2 && levels.level[1].right == 0 && levels.level[1].confidence == 3);
    assert_true(levels.level[2].wrong == 0 && levels.level[2].right == 1 && isinf(levels.level[2].confidence));
    for (size_t i = 0; i < 5; i++)
        assert_true(levels.level[level_of(&levels, word[i].confidence)].confidence == word[i].confidence);
    levels_release(&levels);
    struct vouch_error err;
    assert_false(levels_init(&levels, &(struct judged){.confidence = NAN}, 1, &err));
    assert_string_equal(err.message, "the confidence of word 1 is not a number");
}

/* Levels without words, which resampling leaves, change nothing. */
TEST(empty_levels_are_passed_over)
{
    struct level full[] = {{1, 2, 1}, {2, 0, 3}, {3, 1, 4}};
    struct level holes[] = {{0, 0, 0}, {1, 2, 1}, {1.5, 0, 0}, {2, 0, 3}, {3, 1, 4}, {4, 0, 0}};
    struct levels a = {full, 3, 3, 8}, b = {holes, 6, 3, 8};
    struct ranking x, y;
    ranking_measure(&a, &x);
    ranking_measure(&b, &y);
    assert_memory_equal(&x, &y, sizeof x);
    struct curve_point p[6], q[6];
    size_t points = risk_coverage_curve(&a, p, 6);
    assert_int_equal(points, risk_coverage_curve(&b, q, 6));
    assert_memory_equal(p, q, points * sizeof *p);
    points = precision_recall_curve(&a, p, 6);
    assert_int_equal(points, precision_recall_curve(&b, q, 6));
    assert_memory_equal(p, q, points * sizeof *p);
}

TEST(curves_have_a_point_a_level)
{
    struct levels levels = from("-(+-)+(-++)");
    struct curve_point point[CURVE_POINTS];
    assert_int_equal(precision_recall_curve(&levels, point, CURVE_POINTS), 3);
    const double precision[3][2] = {{1 / 3.0, 1}, {2 / 3.0, 2 / 3.0}, {1, 3 / 7.0}};
    for (size_t i = 0; i < 3; i++) {
        assert_near(point[i].x, precision[i][0], 1e-15);
        assert_near(point[i].y, precision[i][1], 1e-15);
    }
    assert_true(point[0].confidence == levels.level[0].confidence);
    assert_int_equal(risk_coverage_curve(&levels, point, CURVE_POINTS), 4);
    const double risk[4][2] = {{3 / 7.0, 1 / 3.0}, {4 / 7.0, 1 / 4.0}, {6 / 7.0, 2 / 6.0}, {1, 3 / 7.0}};
    for (size_t i = 0; i < 4; i++) {
        assert_near(point[i].x, risk[i][0], 1e-15);
        assert_near(point[i].y, risk[i][1], 1e-15);
    }
    levels_release(&levels);
}

TEST(long_curves_are_thinned_over_their_length)
{
    enum { WORDS = 30000, MOST = 100 };
    struct judged *word = calloc(WORDS, sizeof *word);
    draw_words(word, WORDS, 3);
    struct levels levels = levels_of(word, WORDS);
    struct curve_point point[MOST];
    for (size_t curve = 0; curve < 2; curve++) {
        size_t points = (curve ? precision_recall_curve : risk_coverage_curve)(&levels, point, MOST);
        assert_int_equal(points, MOST);
        assert_true(point[MOST - 1].x == 1);
        assert_near(point[MOST - 1].y, (double)levels.wrong / WORDS, curve ? 0.1 : 1e-15);
        for (size_t i = 0; i + 1 < MOST; i++)
            assert_near(point[i].x, (double)i / (MOST - 1), 1.5 / (double)levels.wrong);
    }
    levels_release(&levels);
    free(word);
}
