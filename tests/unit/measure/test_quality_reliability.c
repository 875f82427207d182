/* Tests reliability: examples worked by hand, closed forms, and edges. */
#include "measure/quality.h"

#include "judged_words.h"
#include "test.h"

static struct reliability reliability_of(const struct judged *word, size_t n)
{
    struct levels levels = levels_of(word, n);
    struct reliability reliability;
    reliability_measure(&levels, &reliability);
    levels_release(&levels);
    return reliability;
}

TEST(an_example_worked_by_hand)
{
    const struct judged word[] = {{0.62, 0, true}, {0.64, 0, false}, {0.97, 1, true}, {1.0, 1, true}, {0.96, 2, false}};
    struct reliability r = reliability_of(word, 5);
    assert_int_equal(r.bin[12].words, 2);
    assert_int_equal(r.bin[12].right, 1);
    assert_near(r.bin[12].confidence, 0.63, 1e-15);
    assert_near(r.bin[12].accuracy, 0.5, 1e-15);
    assert_int_equal(r.bin[19].words, 3);
    assert_near(r.bin[19].confidence, 2.93 / 3, 1e-15);
    assert_near(r.bin[19].accuracy, 2 / 3.0, 1e-15);
    assert_true(r.bin[0].words == 0 && isnan(r.bin[0].accuracy) && isnan(r.bin[0].confidence));
    double low = 0.625 - 0.5, high = 0.975 - 2 / 3.0;
    assert_near(r.rmse, sqrt((2 * low * low + 3 * high * high) / 5), 1e-15);
    low = 0.625 - 0.63, high = 0.975 - 2.93 / 3;
    assert_near(r.rmse_floor, sqrt((2 * low * low + 3 * high * high) / 5), 1e-15);
    assert_near(r.ece, (2 * 0.13 + 2.93 - 2) / 5, 1e-15);
    assert_near(r.brier, (0.38 * 0.38 + 0.64 * 0.64 + 0.03 * 0.03 + 0.96 * 0.96) / 5, 1e-15);
    assert_near(r.log_loss, -(log(0.62) + log(0.36) + log(0.97) + log(0.04)) / 5, 1e-14);
    assert_near(r.confidence, 4.19 / 5, 1e-15);
    assert_near(r.accuracy, 0.6, 1e-15);
    /* Five words fill four of the twenty bins each. */
    assert_near(r.ece_equal_mass, (0.38 + 0.64 + 0.96 + 0.03 + 0) / 5, 1e-15);
}

TEST(edges_belong_to_the_bin_above)
{
    for (size_t j = 0; j <= RELIABILITY_BINS; j++) {
        const struct judged edge = {.confidence = (double)j / RELIABILITY_BINS, .right = true};
        struct reliability r = reliability_of(&edge, 1);
        assert_int_equal(r.bin[j < RELIABILITY_BINS ? j : RELIABILITY_BINS - 1].words, 1);
        if (j == 0)
            continue;
        const struct judged below = {.confidence = nextafter(edge.confidence, 0) - 1e-15, .right = true};
        r = reliability_of(&below, 1);
        assert_int_equal(r.bin[j - 1].words, 1);
    }
}

TEST(certain_words_give_the_floor_of_the_paper)
{
    struct judged word[2000];
    for (size_t i = 0; i < 2000; i++)
        word[i] = (struct judged){.confidence = 0.999 + 0.001 * (double)(i % 2), .right = i != 0};
    struct reliability r = reliability_of(word, 2000);
    assert_near(r.rmse_floor, 0.0245, 1e-12);
    assert_near(r.rmse, r.rmse_floor, 1e-12);
    assert_near(r.ece, 0, 1e-12);
}

/* Bins whose accuracy is their mean confidence: the score is the floor, and calibration errors are nothing. */
TEST(exact_probabilities_score_the_floor)
{
    struct level level[] = {{0.25, 3, 1}, {0.5, 50, 50}, {0.75, 10, 30}, {1, 0, 7}};
    struct levels levels = {level, 4, 63, 88};
    struct reliability r;
    reliability_measure(&levels, &r);
    assert_near(r.rmse, r.rmse_floor, 1e-15);
    assert_near(r.rmse, 0.025, 1e-15);
    assert_near(r.ece, 0, 1e-15);
    assert_near(r.ece_equal_mass, 0, 1e-15);
}

/* With many words that are right as often as their confidence, the score falls to the floor, and errors to nothing. */
TEST(drawn_probabilities_come_near)
{
    enum { WORDS = 200000 };
    struct judged *word = calloc(WORDS, sizeof *word);
    draw_words(word, WORDS, 5);
    struct reliability r = reliability_of(word, WORDS);
    assert_near(r.rmse, r.rmse_floor, 0.003);
    assert_near(r.ece, 0, 0.004);
    assert_near(r.ece_equal_mass, 0, 0.004);
    /* For p = 1 - u^4: the mean is 4/5, and that of p (1 - p) is 1/5 - 1/9. */
    assert_near(r.confidence, 0.8, 0.003);
    assert_near(r.accuracy, 0.8, 0.003);
    assert_near(r.brier, 1 / 5.0 - 1 / 9.0, 0.003);
    free(word);
}

/* Forty words in pairs: every bin has two. */
TEST(equal_mass_follows_the_words)
{
    struct judged word[40];
    double sum = 0;
    for (size_t i = 0; i < 40; i++)
        word[i] = (struct judged){.confidence = 0.9 + 0.001 * (double)i, .right = i % 4 == 0};
    for (size_t i = 0; i < 40; i += 2)
        sum += fabs((i % 4 == 0) - word[i].confidence - word[i + 1].confidence);
    assert_near(reliability_of(word, 40).ece_equal_mass, sum / 40, 1e-14);
}

/* A level wider than a bin is divided evenly: 30 of 40 words at 0.8, two thirds of them right, and ten at 0.9. */
TEST(equal_mass_divides_ties)
{
    struct level level[] = {{0.8, 10, 20}, {0.9, 0, 10}};
    struct levels levels = {level, 2, 10, 30};
    assert_near(ece_equal_mass(&levels), (30 * (0.8 - 20 / 30.0) + 10 * 0.1) / 40, 1e-15);
    /* 31 and 9: one word of the first level shares its bin with one of the second. */
    struct level uneven[] = {{0.8, 0, 31}, {0.9, 9, 0}};
    struct levels mixed = {uneven, 2, 9, 31};
    assert_near(ece_equal_mass(&mixed), (30 * 0.2 + 0.9 - 0.2 + 8 * 0.9) / 40, 1e-15);
}

TEST(log_loss_is_clipped)
{
    const struct judged word[] = {{1, 0, false}, {0, 0, true}, {1, 0, true}, {0, 0, false}};
    struct reliability r = reliability_of(word, 4);
    assert_near(r.log_loss, log(1e6) / 2, 1e-12);
    assert_near(r.brier, 0.5, 1e-15);
}

TEST(without_words_all_is_nan)
{
    struct reliability r = reliability_of(NULL, 0);
    const double all[] = {r.rmse, r.rmse_floor, r.ece, r.ece_equal_mass, r.brier, r.log_loss, r.confidence, r.accuracy};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(isnan(all[i]) && !signbit(all[i]));
}
