/* Tests thresholds of sets against their definition: tried one by one over random sentences. */
#include "base/random.h"
#include "measure/intervals.h"

#include "test.h"

enum { SENTENCES = 40, WORDS = 6, MOST = SENTENCES * WORDS };

/* Sentences of up to WORDS words, some of which are wrong; scores have few values, so that there are ties. */
static size_t draw(struct rng *rng, uint32_t sentences, double worst, struct miss *miss)
{
    size_t count = 0;
    for (uint32_t i = 0; i < sentences; i++) {
        uint32_t N = 1 + rng_below(rng, WORDS);
        for (uint32_t n = 0; n < N; n++)
            if (rng_uniform(rng) < 0.4)
                miss[count++] = (struct miss){fmax(worst, rng_below(rng, 10) / 10.0), 1.0 / N};
    }
    return count;
}

/* Returns the sum of the losses at a threshold. */
static double lost(const struct miss *miss, size_t count, double threshold)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (miss[i].score < threshold || miss[i].score <= 0)
            sum += miss[i].share;
    return sum;
}

TEST(the_definition)
{
    struct miss miss[MOST];
    int refused = 0, all = 0, between = 0;
    for (uint32_t run = 0; run < 2000; run++) {
        struct rng rng = rng_new(5, run);
        uint32_t sentences = 1 + rng_below(&rng, SENTENCES);
        size_t count = draw(&rng, sentences, rng_below(&rng, 2) ? 0 : 0.05, miss);
        double risk = rng_uniform(&rng) / 2, reached;
        double t = conformal_threshold(miss, count, sentences, risk, &reached), n = sentences;
        if ((lost(miss, count, 0) + 1) / (n + 1) > risk + 1e-9) {
            assert_true(fabs(reached - (lost(miss, count, 0) + 1) / (n + 1)) < 1e-9);
            refused++;
            continue;
        }
        assert_true(reached == risk);
        assert_true((lost(miss, count, t) + 1) / (n + 1) <= risk + 1e-9);
        all += t == 1;
        between += t < 1;
        if (t < 1) /* anything larger is too much */
            assert_true((lost(miss, count, t + 1e-6) + 1) / (n + 1) > risk - 1e-9);
    }
    assert_true(refused > 100 && all > 100 && between > 100);
}

/* A further sentence loses no more than is allowed, in the mean over all that may be drawn. */
TEST(the_promise)
{
    enum { RUNS = 4000, N = 30 };
    const double risk = 0.2;
    struct miss miss[MOST], further[WORDS];
    double loss = 0, squares = 0;
    for (uint32_t run = 0; run < RUNS; run++) {
        struct rng rng = rng_new(6, run);
        double reached, t = conformal_threshold(miss, draw(&rng, N, 0.05, miss), N, risk, &reached);
        double here = lost(further, draw(&rng, 1, 0.05, further), t);
        assert_true(reached == risk);
        loss += here / RUNS;
        squares += here * here / RUNS;
    }
    assert_true(loss <= risk + 3 * sqrt((squares - loss * loss) / RUNS));
    assert_true(loss >= risk - 0.1); /* and not by keeping everything */
}

TEST(few_sentences)
{
    struct miss miss[1] = {{0.5, 1}};
    double reached;
    assert_true(conformal_threshold(miss, 0, 8, 0.1, &reached) == 0 && fabs(reached - 1 / 9.0) < 1e-12);
    assert_true(conformal_threshold(miss, 0, 9, 0.1, &reached) == 1 && reached == 0.1);
    assert_true(conformal_threshold(miss, 1, 9, 0.1, &reached) == 0.5 && reached == 0.1);
    assert_true(conformal_threshold(miss, 1, 19, 0.1, &reached) == 1 && reached == 0.1);
}
