/*
 * Tests the limit of draws: its normal distribution against libm's, and the limit against the share of very many draws
 * that agree, where it is exact (words on their own with one rival) and where it is an approximation.
 */
#include "confidence/draw_limit.h"

#include "method_worlds.h"
#include "test.h"

FILE_FIXTURE(make_noise, drop_noise);

TEST(tails_are_those_of_the_normal_distribution)
{
    for (int i = -2500; i <= 2500; i++) {
        double x = i / 100.0, expected = erfc(x / sqrt(2)) / 2;
        if (!(fabs(normal_tail(x) - expected) <= 2e-7 * expected))
            fail_msg("the tail at %g is %g, expected %g", x, normal_tail(x), expected);
    }
    assert_true(normal_tail(INFINITY) == 0 && normal_tail(-INFINITY) == 1);
}

/* Compares the limits of the first voice with the shares of 1,024 draws; returns the largest difference. */
static double difference(struct world *w, double *bias)
{
    double largest = 0;
    w->voice_set.voice[0].params.draws = MAX_DRAWS;
    w->voice_set.voice[0].params.fix = 0.02;
    MUST(world_ask(w, EVIDENCE_FIX, &err));
    const struct evidence *e = evidence_of(w, 0);
    assert_non_null(e->fix.limit);
    for (uint32_t n = 0; n < w->shape.N; n++) {
        double share = share_of_word(&e->fix, e->choice, e->N, n);
        assert_true(e->fix.limit[n] >= 0 && e->fix.limit[n] <= 1);
        *bias += e->fix.limit[n] - share;
        largest = fmax(largest, fabs(e->fix.limit[n] - share));
    }
    return largest;
}

/* 1,024 draws in pairs differ from their limit by .016 at most, in one deviation. */
TEST(many_draws_are_near_their_limit)
{
    double bias = 0, worst = 0, sum = 0;
    uint32_t words = 0, worlds = 0;
    for (uint32_t round = 0; worlds < 150; round++) {
        struct rng rng = rng_new(round, 3);
        struct shape shape = random_shape(&rng, PLAIN);
        if (shape.tree)
            continue;
        struct world *w = world_new(shape, &rng, noise);
        double off = difference(w, &bias);
        bool exact = w->parts.edge.count == 0 && shape.width == 2;
        if (exact && off > 0.07)
            fail_msg("world %u: the limit is off by %g", round, off);
        worst = fmax(worst, off);
        sum += off;
        words += shape.N;
        worlds++;
        world_free(w);
    }
    if (fabs(bias / words) > 0.01 || worst > 0.3 || sum / worlds > 0.04)
        fail_msg("off by %g in the mean of words, %g in the mean of the worst, %g at most", bias / words, sum / worlds,
                 worst);
}

/* Review asks about choices that are not the voice's own, and that it may not know. */
TEST(a_choice_that_is_unknown_never_wins)
{
    for (uint32_t round = 0; round < 60; round++) {
        struct rng rng = rng_new(round, 5);
        struct shape shape = random_shape(&rng, PLAIN);
        if (shape.tree)
            continue;
        struct world *w = world_new(shape, &rng, noise);
        double limit[LONGEST], other[LONGEST];
        uint32_t choice[LONGEST];
        MUST(world_ask(w, EVIDENCE_FIX, &err));
        struct evidence *e = &w->workspace.evidence[0];
        struct drawing drawing = voice_drawing(e->voice, &w->parts, &e->scores, false);
        struct undrawn sentence = {.drawing = &drawing, .parts = &w->parts, .deviation = 1};
        MUST(draw_limit(e, &sentence, limit, &err));
        memcpy(choice, e->best, sizeof *choice * shape.N);
        e->choice = choice;
        choice[0] = shape.width + round % 2 * 1000000;
        for (uint32_t n = 1; n < shape.N; n++)
            choice[n] = rng_below(&rng, shape.width);
        MUST(draw_limit(e, &sentence, other, &err));
        assert_true(other[0] == 0);
        for (uint32_t n = 1; n < shape.N; n++)
            assert_true(choice[n] == e->best[n] ? other[n] == limit[n] : other[n] >= 0 && other[n] <= 0.5);
        world_free(w);
    }
}

/* Plain draws are the paper's, and have no limit; trees have none. */
TEST(plain_draws_and_trees_have_no_limit)
{
    for (uint32_t round = 0; round < 30; round++) {
        struct rng rng = rng_new(round, 4);
        struct shape shape = random_shape(&rng, PLAIN);
        struct world *w = world_new(shape, &rng, noise);
        w->voice_set.voice[0].params.plain = !shape.tree;
        MUST(world_ask(w, EVIDENCE_FIX, &err));
        assert_null(answers_of(&kd_fix_method, evidence_of(w, 0)).limit);
        world_free(w);
    }
}
