/* Tests bets on a mean against all sequences of outcomes, and intervals of clustered shares against Wilson's. */
#include "base/random.h"
#include "measure/intervals.h"

#include "test.h"

/* A variable of mean 0 with a few outcomes, the last of which is a sentence full of errors. */
static const double outcome[] = {0.2, 0, -0.8, -1.6}, chance[] = {0.6, 0.28, 0.06, 0.045}, rest = 0.015;
enum { OUTCOMES = 4 };

static double mean_of_outcomes(void)
{
    double mean = 0;
    for (int i = 0; i < OUTCOMES; i++)
        mean += outcome[i] * chance[i];
    return mean;
}

/* Returns the probability that `left` more values let the bet reach 1/level, every sequence of outcomes one by one. */
static double chance_to_win(struct bet bet, int left, double level)
{
    double sum = 0, last = -mean_of_outcomes() / rest;
    if (bet_won(&bet, level))
        return 1;
    if (left == 0)
        return 0;
    for (int i = 0; i <= OUTCOMES; i++) {
        struct bet next = bet;
        bet_take(&next, i < OUTCOMES ? outcome[i] : last);
        sum += (i < OUTCOMES ? chance[i] : rest) * chance_to_win(next, left - 1, level);
    }
    return sum;
}

/* A mean of 0 is ruled out no more often than the level says: exactly, for as many values as can be listed. */
TEST(all_sequences)
{
    static const double levels[] = {0.9, 0.8, 0.5};
    double before;
    assert_true(fabs(chance[0] + chance[1] + chance[2] + chance[3] + rest - 1) < 1e-12);
    assert_true(mean_of_outcomes() > -1e-12); /* so that the last outcome is not above 0 */
    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        before = 0;
        for (int n = 0; n <= 7; n++) {
            struct bet bet;
            bet_init(&bet, 0.8, 4);
            for (int i = 0; i < 30; i++)
                bet_plan(&bet, 0.1);
            double won = chance_to_win(bet, n, levels[l]);
            assert_true(won <= levels[l] + 1e-12);
            assert_true(won >= before); /* more values never take back what was shown */
            before = won;
        }
        assert_true(levels[l] < 0.9 || before > 0); /* the test can be won at all */
    }
}

/* Sentences of `kept` entities, each wrong with a probability that is the sentence's own. */
static double one_sentence(struct rng *rng, double P, double right, uint32_t *kept, uint32_t *wrong)
{
    double rate = (1 - right) * (rng_uniform(rng) < 0.2 ? 3 : 0.5);
    *kept = rng_below(rng, 5);
    *wrong = 0;
    for (uint32_t k = 0; k < *kept; k++)
        *wrong += rng_uniform(rng) < rate;
    return (1 - P) * (*kept - *wrong) - P * *wrong;
}

static int count_won(double right, uint32_t sentences, int runs)
{
    const double P = 0.9;
    int won = 0;
    for (int run = 0; run < runs; run++) {
        struct rng rng = rng_new(7, (uint64_t)run);
        uint32_t kept, wrong;
        struct bet bet;
        bet_init(&bet, P, 4);
        for (uint32_t i = 0; i < sentences / 4; i++)
            bet_plan(&bet, one_sentence(&rng, P, right, &kept, &wrong));
        for (uint32_t i = 0; i < sentences; i++)
            bet_take(&bet, one_sentence(&rng, P, right, &kept, &wrong));
        won += bet_won(&bet, 0.1);
    }
    return won;
}

/* Precision that is just what is to be ruled out passes at most a tenth of the time; more sentences find more. */
TEST(simulated)
{
    enum { RUNS = 1000 };
    assert_true(count_won(0.9, 500, RUNS) <= 0.1 * RUNS + 3 * sqrt(0.09 * RUNS));
    int few = count_won(0.93, 200, RUNS), more = count_won(0.93, 800, RUNS), most = count_won(0.93, 3200, RUNS);
    assert_true(few < more && more < most);
    assert_true(most > 0.95 * RUNS);
}

TEST(caps)
{
    struct bet one, other;
    bet_init(&one, 0.9, 3);
    bet_init(&other, 0.9, 3);
    for (int i = 0; i < 100; i++) {
        bet_plan(&one, 0.1);
        bet_plan(&other, 0.1);
    }
    assert_true(bet_outlook(&one, 200) > bet_outlook(&one, 100));
    bet_take(&one, -2.7);
    bet_take(&other, -90); /* counts as three errors */
    assert_true(one.wealth == other.wealth && one.sum == other.sum && one.squares == other.squares);
    assert_true(one.wealth >= log(0.25) && one.wealth < 0);
    bet_init(&one, 0.9, 3);
    for (int i = 0; i < 100; i++) {
        bet_plan(&one, -0.1);
        bet_take(&one, 0.1); /* nothing is at stake while the mean seems to be below 0 */
    }
    assert_true(one.wealth == 0 && bet_outlook(&one, 100) == 0);
}

static double wilson(double p, double m, double z, double sign)
{
    return (p + z * z / (2 * m) + sign * z * sqrt(p * (1 - p) / m + z * z / (4 * m * m))) / (1 + z * z / m);
}

TEST(intervals)
{
    const double z = 1.6448536269514722;
    struct clustered single = {0}, pairs = {0}, sure = {0}, empty = {0};
    for (int i = 0; i < 200; i++) {
        clustered_add(&single, i % 4 != 0, 1);
        clustered_add(&pairs, i % 4 ? 2 : 0, 2); /* the same, everything twice */
        clustered_add(&sure, 2, 2);
    }
    struct interval of_single = clustered_interval(&single), of_pairs = clustered_interval(&pairs);
    double worth = 200 * 199 / 200.0; /* by the variance over n - 1 */
    assert_true(fabs(clustered_share(&single) - 0.75) < 1e-12 && fabs(clustered_share(&pairs) - 0.75) < 1e-12);
    assert_true(fabs(of_single.low - wilson(0.75, worth, z, -1)) < 1e-9);
    assert_true(fabs(of_single.high - wilson(0.75, worth, z, 1)) < 1e-9);
    assert_true(fabs(of_pairs.low - of_single.low) < 1e-9 && fabs(of_pairs.high - of_single.high) < 1e-9);
    struct interval of_sure = clustered_interval(&sure);
    assert_true(of_sure.high <= 1 && of_sure.low < 1 && of_sure.low > 0.97);
    assert_true(clustered_interval(&empty).low == 0 && clustered_interval(&empty).high == 1);
    assert_true(isnan(clustered_share(&empty)));
}

/* The interval holds the truth about nine times in ten, though errors go together. */
TEST(covers)
{
    enum { RUNS = 1000 };
    int held = 0;
    for (int run = 0; run < RUNS; run++) {
        struct rng rng = rng_new(11, (uint64_t)run);
        struct clustered sum = {0};
        uint32_t kept, wrong;
        for (int i = 0; i < 300; i++) {
            one_sentence(&rng, 0.9, 0.85, &kept, &wrong);
            clustered_add(&sum, kept - wrong, kept);
        }
        struct interval interval = clustered_interval(&sum);
        held += interval.low <= 0.85 && 0.85 <= interval.high;
    }
    assert_true(held > 0.87 * RUNS && held < 0.93 * RUNS);
}
