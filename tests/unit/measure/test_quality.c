/* Tests quality: everything at once, words that count several times, and intervals by resampling. */
#include "measure/quality.h"

#include "judged_words.h"
#include "test.h"

static struct quality quality_of(const struct judged *word, size_t n, bool probabilities)
{
    struct quality quality;
    struct vouch_error err;
    assert_true(quality_measure(word, n, probabilities, &quality, &err));
    return quality;
}

static struct quality_intervals intervals_of(const struct judged *word, size_t n, struct bootstrap how)
{
    struct quality_intervals intervals;
    struct vouch_error err;
    assert_true(quality_bootstrap(word, n, how, &intervals, &err));
    return intervals;
}

TEST(margins_are_ranked_and_not_binned)
{
    const struct judged word[] = {{-1, 0, false}, {7, 0, true}, {INFINITY, 1, true}};
    struct quality q = quality_of(word, 3, false);
    assert_true(q.words == 3 && q.errors == 1);
    assert_true(q.ranking.average_precision == 1);
    assert_true(isnan(q.reliability.ece) && isnan(q.reliability.rmse) && q.reliability.bin[19].words == 0);
    struct quality_intervals i = intervals_of(word, 3, (struct bootstrap){.seed = 1});
    assert_true(i.average_precision.high == 1);
    assert_true(isnan(i.calibration.p) && isnan(i.brier.high) && isnan(i.rmse.low));
}

TEST(what_is_no_probability_is_refused)
{
    struct quality q;
    struct quality_intervals i;
    struct vouch_error err;
    const struct bootstrap how = {.probabilities = true};
    const struct judged above = {.confidence = 1.5}, below = {.confidence = -0.25}, none = {.confidence = NAN};
    assert_false(quality_measure(&above, 1, true, &q, &err));
    assert_string_equal(err.message, "a confidence of 1.5 is not a probability");
    assert_false(quality_measure(&below, 1, true, &q, &err));
    assert_string_equal(err.message, "a confidence of -0.25 is not a probability");
    assert_false(quality_bootstrap(&above, 1, how, &i, &err));
    assert_false(quality_bootstrap(&none, 1, how, &i, &err));
    assert_string_equal(err.message, "the confidence of word 1 is not a number");
}

/* Resamples are the same on any number of threads, in any order of the sentences. */
TEST(intervals_do_not_depend_on_threads)
{
    struct judged word[300];
    for (uint32_t i = 0; i < 300; i++)
        word[i] = (struct judged){(i * 37 % 100) / 100.0, i / 7, i * 37 % 100 > 20 + i % 50};
    struct quality_intervals one = intervals_of(word, 300, (struct bootstrap){.seed = 3, .probabilities = true});
    for (uint32_t threads = 2; threads <= 5; threads++) {
        struct bootstrap how = {.seed = 3, .threads = threads, .probabilities = true};
        struct quality_intervals several = intervals_of(word, 300, how);
        assert_memory_equal(&one, &several, sizeof one);
    }
    assert_true(one.brier.low < one.brier.high && one.average_precision.low < one.average_precision.high);
}

/* Levels with weighted counts measure as words that are written out. */
TEST(weights_are_repetitions)
{
    struct rng rng = rng_new(2, 2);
    struct judged once[30], often[300];
    struct level level[30];
    struct levels weighted = {.level = level, .levels = 30};
    size_t n = 0;
    for (size_t i = 0; i < 30; i++) {
        once[i] = (struct judged){.confidence = (double)(i + 1) / 31, .right = rng_below(&rng, 3) > 0};
        uint32_t times = rng_below(&rng, 10);
        uint32_t right = once[i].right ? times : 0;
        level[i] = (struct level){once[i].confidence, times - right, right};
        weighted.wrong += times - right;
        weighted.right += right;
        for (uint32_t t = 0; t < times; t++)
            often[n++] = once[i];
    }
    struct quality q = quality_of(often, n, true);
    struct ranking ranking;
    struct reliability reliability;
    ranking_measure(&weighted, &ranking);
    reliability_measure(&weighted, &reliability);
    assert_memory_equal(&ranking, &q.ranking, sizeof ranking);
    assert_true(reliability.ece == q.reliability.ece && reliability.rmse == q.reliability.rmse);
    assert_true(reliability.brier == q.reliability.brier && reliability.log_loss == q.reliability.log_loss);
    assert_true(reliability.ece_equal_mass == q.reliability.ece_equal_mass);
}

/*
 * For words that are right as often as their confidence, the true RMSE is near the floor, and below what is measured.
 */
TEST(intervals_reach_down_to_the_true_value)
{
    takes_long();
    enum { WORDS = 20000, TRIALS = 12 };
    static struct judged word[WORDS];
    size_t held = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        draw_words(word, WORDS, 100 + trial);
        double floor = quality_of(word, WORDS, true).reliability.rmse_floor;
        struct interval rmse =
            intervals_of(word, WORDS, (struct bootstrap){.resamples = 100, .seed = trial, .probabilities = true}).rmse;
        held += rmse.low <= floor && floor <= rmse.high;
    }
    assert_true(held > TRIALS / 2);
}

/* Kinds of simulated words: right as often as stated, and more or less together; or less often. */
enum kind { INDEPENDENT, TOGETHER, ALIKE, TOO_SURE };

/* Draws words, most near 1, in sentences of ten; those of a sentence are right together if their draws are shared. */
static void draw_kind(struct judged *word, size_t n, enum kind kind, uint64_t seed)
{
    struct rng rng = rng_new(seed, 78);
    double shared = 0;
    for (size_t i = 0; i < n; i++) {
        double p = 1 - pow(rng_uniform(&rng), 4), own = rng_uniform(&rng);
        if (i % 10 == 0)
            shared = rng_uniform(&rng);
        bool shares = kind == ALIKE || (kind == TOGETHER && rng_uniform(&rng) < 0.5);
        double truth = kind == TOO_SURE ? p - 0.2 * p * (1 - p) : p;
        word[i] = (struct judged){p, (uint32_t)(i / 10), (shares ? shared : own) < truth};
    }
}

/* Returns in how many trials the test finds at 5 % that the numbers are no probabilities. */
static size_t rejected(enum kind kind, size_t n, uint64_t trials)
{
    static struct judged word[20000];
    size_t count = 0;
    for (uint64_t trial = 0; trial < trials; trial++) {
        draw_kind(word, n, kind, 1000 * kind + trial);
        struct bootstrap how = {.resamples = 99, .seed = trial, .probabilities = true};
        struct calibration_test test = intervals_of(word, n, how).calibration;
        count += test.p <= 0.05;
        assert_true(test.p > 0 && test.p <= 1 && test.limit > 0);
    }
    return count;
}

/*
 * Of exact numbers the test rejects a twentieth, also if words of a sentence err together; of others most. The bounds
 * are those between which a binomial count of that share lies in 998 of 1,000 cases.
 */
TEST(the_test_of_calibration_keeps_its_level)
{
    takes_long();
    const bool all = test_all();
    const size_t trials = all ? 200 : 50, least = all ? 2 : 0, most = all ? 20 : 8;
    size_t found[] = {rejected(INDEPENDENT, 500, trials), rejected(INDEPENDENT, 3000, trials),
                      rejected(TOGETHER, 3000, trials), rejected(ALIKE, 3000, trials), rejected(TOO_SURE, 20000, 10)};
    printf("rejected of %zu: %zu %zu %zu %zu; of 10: %zu\n", trials, found[0], found[1], found[2], found[3], found[4]);
    for (int i = 0; i < 4; i++)
        assert_true(found[i] >= least && found[i] <= most);
    assert_true(found[4] >= 8);
}

/* The limit is what the test rejects by, and an ECE of exact numbers is about that much by chance. */
TEST(the_limit_is_the_tests)
{
    static struct judged word[5000];
    for (uint64_t trial = 0; trial < 20; trial++) {
        draw_kind(word, 5000, trial % 2 ? TOO_SURE : INDEPENDENT, 7000 + trial);
        double ece = quality_of(word, 5000, true).reliability.ece;
        struct bootstrap how = {.resamples = 999, .seed = trial, .probabilities = true};
        struct calibration_test test = intervals_of(word, 5000, how).calibration;
        assert_true(ece > test.limit ? test.p <= 0.052 : test.p >= 0.048);
    }
}

static double check_holds(struct interval interval, double figure)
{
    assert_true(0 <= interval.low && interval.low <= figure && figure <= interval.high && interval.high <= 1);
    assert_true(interval.low < interval.high);
    return interval.high - interval.low;
}

TEST(intervals_hold_the_figures_and_shrink)
{
    enum { FEW = 1000, MANY = 50000 };
    struct judged *word = calloc(MANY, sizeof *word);
    double width[2][4];
    draw_words(word, MANY, 11);
    for (size_t many = 0; many < 2; many++) {
        size_t n = many ? MANY : FEW;
        struct quality q = quality_of(word, n, true);
        struct quality_intervals i = intervals_of(word, n, (struct bootstrap){.seed = 4, .probabilities = true});
        width[many][0] = check_holds(i.average_precision, q.ranking.average_precision);
        width[many][1] = check_holds(i.area_under_roc, q.ranking.area_under_roc);
        width[many][2] = check_holds(i.brier, q.reliability.brier);
        width[many][3] = check_holds(i.rmse, q.reliability.rmse);
    }
    for (size_t f = 0; f < 4; f++)
        assert_true(width[1][f] < width[0][f] / 3);
    free(word);
}

/* The Brier score is a mean: of independent words its interval is 2 * 1.96 standard errors wide. */
TEST(the_interval_of_a_mean_is_the_known_one)
{
    takes_long();
    enum { WORDS = 5000 };
    static struct judged word[WORDS];
    draw_words(word, WORDS, 12);
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < WORDS; i++) {
        word[i].sentence = i;
        double loss = (word[i].right - word[i].confidence) * (word[i].right - word[i].confidence);
        sum += loss;
        squares += loss * loss;
    }
    double mean = sum / WORDS, error = sqrt((squares / WORDS - mean * mean) / WORDS);
    struct bootstrap how = {.resamples = 2000, .probabilities = true};
    struct interval wide = intervals_of(word, WORDS, how).brier;
    assert_near(wide.low, mean - 1.96 * error, 0.2 * error);
    assert_near(wide.high, mean + 1.96 * error, 0.2 * error);
    how.share = 0.5;
    struct interval half = intervals_of(word, WORDS, how).brier;
    assert_near(half.low, mean - 0.6745 * error, 0.1 * error);
    assert_near(half.high, mean + 0.6745 * error, 0.1 * error);
}

/* Words that repeat within a sentence add nothing new: whole sentences are drawn. */
TEST(sentences_are_drawn_whole)
{
    enum { WORDS = 2000, TIMES = 4 };
    static struct judged word[WORDS], repeated[WORDS * TIMES];
    draw_words(word, WORDS, 13);
    for (size_t i = 0; i < WORDS * TIMES; i++)
        repeated[i] = word[i % WORDS];
    const struct bootstrap how = {.seed = 8, .probabilities = true};
    struct interval once = intervals_of(word, WORDS, how).brier;
    struct interval often = intervals_of(repeated, WORDS * TIMES, how).brier;
    assert_near(often.low, once.low, 1e-12);
    assert_near(often.high, once.high, 1e-12);
}

TEST(only_the_seed_decides)
{
    static struct judged word[1000], renamed[1000];
    draw_words(word, 1000, 14);
    for (size_t i = 0; i < 1000; i++) {
        renamed[i] = word[i];
        renamed[i].sentence = word[i].sentence * 40000000u;
    }
    struct bootstrap how = {.seed = 8, .probabilities = true};
    struct quality_intervals a = intervals_of(word, 1000, how), b = intervals_of(renamed, 1000, how);
    assert_memory_equal(&a, &b, sizeof a);
    how.seed = 9;
    b = intervals_of(word, 1000, how);
    assert_true(a.brier.low != b.brier.low);
}

/*
 * Two confidences in the same words, of which one is a little worse everywhere: their intervals overlap by far, that of
 * their difference does not hold 0. A confidence and itself cannot be told apart.
 */
TEST(differences_are_surer_than_figures)
{
    enum { WORDS = 4000, SAMPLES = 100 };
    static struct judged good[WORDS], bad[WORDS];
    static double a[PAIRED * SAMPLES], b[PAIRED * SAMPLES];
    struct rng rng = rng_new(5, 1);
    for (uint32_t i = 0; i < WORDS; i++) {
        bool right = rng_below(&rng, 10) > 0;
        double sure = right ? rng_uniform(&rng) : 0.7 * rng_uniform(&rng);
        good[i] = (struct judged){sure, i / 10, right};
        bad[i] = (struct judged){!right && i % 8 == 0 ? 0.95 : sure, i / 10, right};
    }
    struct interval of_good =
        intervals_of(good, WORDS, (struct bootstrap){.resamples = SAMPLES, .seed = 1, .kept = a}).average_precision;
    struct interval of_bad =
        intervals_of(bad, WORDS, (struct bootstrap){.resamples = SAMPLES, .seed = 1, .kept = b}).average_precision;
    double figure = quality_of(good, WORDS, false).ranking.average_precision -
                    quality_of(bad, WORDS, false).ranking.average_precision;
    assert_true(of_bad.high > of_good.low);
    struct interval between = difference_interval(a, b, SAMPLES, figure);
    assert_true(between.low > 0 && between.low <= figure && figure <= between.high);
    struct interval none = difference_interval(b, b, SAMPLES, 0);
    assert_true(none.low == 0 && none.high == 0);
    assert_true(isnan(b[PAIRED_RMSE * SAMPLES])); /* margins have none */
    assert_true(isnan(difference_interval(b + PAIRED_RMSE * SAMPLES, a, SAMPLES, 0).low));
}

TEST(what_is_not_defined_has_no_interval)
{
    const struct judged right[] = {{0.5, 0, true}, {0.75, 1, true}};
    struct quality_intervals i = intervals_of(right, 2, (struct bootstrap){.probabilities = true});
    assert_true(isnan(i.average_precision.low) && isnan(i.area_under_roc.high));
    assert_near(i.brier.high, 0.25, 1e-15);
    i = intervals_of(NULL, 0, (struct bootstrap){.probabilities = true});
    assert_true(isnan(i.average_precision.low) && isnan(i.brier.low) && isnan(i.calibration.p));
    /* A lone error is missing from many resamples: the others count. */
    const struct judged lone[] = {{0.25, 0, false}, {0.5, 1, true}, {0.75, 2, true}};
    i = intervals_of(lone, 3, (struct bootstrap){.probabilities = true});
    assert_true(i.average_precision.low <= 1 && i.average_precision.high == 1);
}
