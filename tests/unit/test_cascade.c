/*
 * Tests what is left undrawn: limits that nothing reaches change nothing,
 * whatever is left out the rest is drawn and decided as before, and what the
 * cascade leaves out would hardly ever have changed.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "confidence/cascade.h"
#include "tree/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "must.h"

enum { FEATURES = 60, MOST = 8, LONGEST = 24, WIDEST = 9, K = 50, GROUPS = LONGEST * (LONGEST + 1) };

static const struct cascade_limits never = {INFINITY, INFINITY};

/* A random sentence, its model, and what its draws are made with. */
struct world {
    const struct structure *structure;
    struct space space;
    struct parts parts;
    struct drawing drawing;
    uint32_t start[GROUPS + 1], feature[GROUPS * MOST], edge_start[2], edge_feature[1];
    float mean[FEATURES * WIDEST + WIDEST * WIDEST + SLACK], var[FEATURES * WIDEST + WIDEST * WIDEST + SLACK];
    struct scores scores;
    uint32_t best[LONGEST];
    double margin[LONGEST];
    bool drawn[GROUPS];
    struct scratch scratch;
    struct lanes lanes;
    struct noise_work *work;
};

static void make_sentence(struct world *w, struct rng *rng, uint32_t N, uint32_t width, uint32_t E)
{
    bool tree = w->structure == &tree_structure;
    uint32_t G = tree ? N * (N + 1) : N;
    double best;
    w->space = (struct space){width, FEATURES, 1};
    for (size_t i = 0; i < space_size(&w->space); i++) {
        w->mean[i] = (float)(2 * rng_uniform(rng) - 1);
        w->var[i] = (float)rng_uniform(rng);
    }
    for (uint32_t g = 0; g < G; g++) {
        w->start[g + 1] = w->start[g] + 1 + rng_below(rng, MOST);
        for (uint32_t i = w->start[g]; i < w->start[g + 1]; i++)
            w->feature[i] = rng_below(rng, FEATURES);
    }
    w->edge_start[1] = 1;
    w->parts = (struct parts){.N = N, .node = {G, w->start, w->feature, NULL}};
    w->parts.edge = (struct rows){E, w->edge_start, w->edge_feature, NULL};
    MUST(parts_score(&w->parts, &w->space, w->mean, &w->scores, &err));
    MUST(w->structure->best(&w->scores, &w->scratch, w->best, &best, &err));
    MUST(w->structure->without(&w->scores, w->best, &w->scratch, w->margin, &err));
    for (uint32_t n = 0; n < N; n++)
        w->margin[n] = best - w->margin[n];
    w->drawing.space = &w->space;
    w->drawing.mean = w->mean;
    w->drawing.K = K;
}

static size_t settle(struct world *w, struct cascade_limits limits)
{
    struct undrawn sentence = {&w->drawing, &w->parts, &w->scores, w->best, w->margin};
    return cascade_settle(&sentence, limits, w->drawn);
}

/* Draws with what w->drawn leaves out, or all; every instruction set and block must choose alike. */
static void draw(struct world *w, bool all, uint32_t *choice)
{
    bool (*draws)(enum simd, struct lanes *, struct scratch *, uint32_t *, struct vouch_error *) =
        w->structure == &tree_structure ? tree_draws_with : chain_draws_with;
    struct drawing drawing = w->drawing;
    uint32_t again[K * LONGEST];
    size_t size = K * w->parts.N * sizeof *choice;
    drawing.drawn = all ? NULL : w->drawn;
    drawing.answer = w->best;
    for (uint32_t at_a_time = 0; at_a_time < 4; at_a_time++)
        for (int set = 0; set <= (int)simd_best(); set++) {
            bool first = set == 0 && at_a_time == 0;
            noise_work_use(w->work, (enum simd)set);
            MUST(noise_score(&drawing, &w->parts, &w->scores, w->work, &w->lanes, &err));
            w->lanes.at_a_time = at_a_time;
            MUST(draws((enum simd)set, &w->lanes, &w->scratch, first ? choice : again, &err));
            if (!first)
                assert_memory_equal(choice, again, size);
        }
    w->lanes.at_a_time = 0;
}

static void world_init(struct world *w, const struct structure *structure, const struct noise *noise, bool own)
{
    memset(w, 0, sizeof *w);
    w->structure = structure;
    w->drawing = (struct drawing){.noise = noise, .key = 7, .s = 0.05, .var = own ? w->var : NULL};
    w->work = noise_work_new(&err);
    assert_non_null(w->work);
}

static void world_release(struct world *w)
{
    scores_release(&w->scores);
    scratch_release(&w->scratch);
    lanes_release(&w->lanes);
    noise_work_free(w->work);
}

/* Calls `check` for random chains with and without edges, and for trees, with one variance and with several. */
static void in_worlds(void (*check)(struct world *w, struct rng *rng))
{
    struct noise *noise = noise_new(3, &err);
    struct world *w = malloc(sizeof *w);
    assert_non_null(noise);
    assert_non_null(w);
    for (uint32_t i = 0; i < 120; i++) {
        struct rng rng = rng_new(11, i);
        bool tree = i % 3 == 2;
        world_init(w, tree ? &tree_structure : &chain_structure, noise, i % 2);
        make_sentence(w, &rng, 1 + rng_below(&rng, LONGEST), 1 + rng_below(&rng, tree ? 3 : WIDEST), i % 3 == 1);
        check(w, &rng);
        world_release(w);
    }
    free(w);
    noise_free(noise);
}

static void check_never(struct world *w, struct rng *rng)
{
    uint32_t plain[K * LONGEST], choice[K * LONGEST];
    (void)rng;
    assert_true(settle(w, never) > 0 || w->parts.N * w->space.width == 1 || w->space.width == 1);
    draw(w, true, plain);
    draw(w, false, choice);
    assert_memory_equal(plain, choice, K * w->parts.N * sizeof *choice);
}

static void limits_that_nothing_reaches_change_nothing(void **state)
{
    (void)state;
    in_worlds(check_never);
}

/* Makes the scores of draw k out of plain lanes: chains keep their labels where nothing is drawn, trees their scores.
 */
static void one_draw(const struct world *w, const struct lanes *plain, uint32_t k, struct scores *to)
{
    size_t width = w->space.width;
    bool tree = w->structure == &tree_structure;
    MUST(scores_copy(to, &w->scores, &err));
    for (size_t i = 0; i < w->scores.G * width; i++)
        if (w->drawn[i / width])
            to->node[i] = lanes_node(plain, i / width)[i % width * plain->stride + k];
        else if (!tree)
            to->node[i] = i % width == w->best[i / width] ? 0 : -INFINITY;
    for (size_t i = 0; i < w->scores.E * width * width; i++)
        to->edge[i] = plain->edge[i * plain->stride + k];
}

static void check_some(struct world *w, struct rng *rng)
{
    uint32_t choice[K * LONGEST], expected[LONGEST], N = w->parts.N;
    struct lanes plain = {0};
    struct scores one = {0};
    for (uint32_t g = 0; g < w->scores.G; g++)
        w->drawn[g] = rng_below(rng, 3) > 0;
    draw(w, false, choice);
    MUST(noise_score(&w->drawing, &w->parts, &w->scores, w->work, &plain, &err));
    MUST(lanes_bring(&plain, 0, w->scores.G, &err));
    for (uint32_t k = 0; k < K; k++) {
        double best;
        one_draw(w, &plain, k, &one);
        MUST(w->structure->best(&one, &w->scratch, expected, &best, &err));
        assert_true(best - w->structure->score(&one, choice + (size_t)k * N) < 1e-4);
    }
    scores_release(&one);
    lanes_release(&plain);
}

static void the_rest_is_drawn_and_decided_as_before(void **state)
{
    (void)state;
    in_worlds(check_some);
}

static size_t undrawn, other, all;

static void check_others(struct world *w, struct rng *rng)
{
    uint32_t plain[K * LONGEST], choice[K * LONGEST], N = w->parts.N;
    (void)rng;
    w->drawing.s = 0.01;
    if (w->drawing.var && w->space.width > 1)
        return; /* cascade_pays() says no */
    undrawn += w->scores.G - settle(w, default_cascade_limits);
    draw(w, true, plain);
    draw(w, false, choice);
    for (uint32_t i = 0; i < K * N; i++)
        other += plain[i] != choice[i];
    all += (size_t)K * N;
}

static void what_is_left_out_hardly_changes_a_draw(void **state)
{
    (void)state;
    undrawn = other = all = 0;
    in_worlds(check_others);
    assert_true(undrawn > 200);
    if (other * 500 > all)
        fail_msg("%zu of %zu choices differ", other, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_that_nothing_reaches_change_nothing),
        cmocka_unit_test(the_rest_is_drawn_and_decided_as_before),
        cmocka_unit_test(what_is_left_out_hardly_changes_a_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
