/*
 * Tests drawn models: noise_score() and the structures' draws() against K
 * models that are drawn one by one, scored and decoded.
 *
 * Where means are multiples of 1/64, variances powers of four and values small
 * multiples of 1/2, all sums are exact in float, and the choices must be equal,
 * ties included. Elsewhere they must be equal where the drawn scores leave no
 * doubt.
 */
#include "noise_problem.h"

#include <float.h>

/* Compares draw by draw. */
static void check(struct machine *m, struct problem *p, const struct drawing *d)
{
    uint32_t N = p->parts.N, *expected = zeroed(N, sizeof *expected);
    struct scores scores = {0};
    score(m, p, d);
    uint32_t *choice = decode(m);
    for (uint32_t k = 0; k < d->K; k++) {
        double best;
        draw_model(p, d, k);
        MUST(parts_score(&p->parts, &p->space, p->drawn, &scores, &err));
        MUST(m->structure->best(&scores, &m->scratch, expected, &best, &err));
        bool same = memcmp(choice + (size_t)k * N, expected, N * sizeof *expected) == 0;
        if (!same && (p->exact || best - m->structure->score(&scores, choice + (size_t)k * N) > 1e-4))
            fail_msg("%s of %u words, width %u, %u edges, %u draws: draw %u differs", m->structure->name, N,
                     p->space.width, m->scores.E, d->K, k);
    }
    scores_release(&scores);
    free(expected);
    free(choice);
}

/* Gives the first features names, so that draws go by names and by numbers. */
static void name_some(struct noise *noise, struct rng *rng)
{
    enum { NAMED = 20 };
    uint32_t *name = new_array(NAMED, sizeof *name, &err);
    for (uint32_t f = 0; f < NAMED; f++)
        name[f] = (uint32_t)rng_next(rng);
    noise_name_features(noise, name, NAMED);
}

static void check_shape(const struct structure *structure, const struct noise *noise, const struct shape *s, uint32_t K,
                        struct rng *rng)
{
    struct problem p;
    make_problem(&p, s, rng);
    for (int kind = 0; kind < 4; kind++) {
        bool pc = kind % 2;
        struct machine m;
        machine_init(&m, structure);
        struct drawing d = {.noise = noise,
                            .key = rng_next(rng),
                            .K = K,
                            .paired = kind / 2,
                            .s = s->exact ? 0.25 : 0.37,
                            .mean = p.mean,
                            .var = pc ? p.var : NULL};
        check(&m, &p, &d);
        machine_release(&m);
    }
    release(&p);
}

TEST(drawn_chains_are_those_of_drawn_models)
{
    static const uint32_t counts[] = {1, 10, 32, 33, 50, 100};
    struct noise *noise = noise_new(5, &err);
    struct rng rng = rng_new(1, 1);
    name_some(noise, &rng);
    for (uint32_t Y = 1; Y <= 45; Y += Y == 13 ? 32 : 1)
        for (uint32_t kind = 0; kind < 12; kind += SANITIZED ? 5 : 1) {
            uint32_t N = Y == 45 ? 4 : 1 + rng_below(&rng, 9), E[] = {0, 1, N - 1};
            struct shape s = {.N = N,
                              .G = N,
                              .width = Y,
                              .E = E[kind % 3],
                              .most = 12,
                              .valued = kind / 3 % 2 != 0,
                              .exact = kind / 6 != 0};
            check_shape(&chain_structure, noise, &s, counts[rng_below(&rng, Y == 45 ? 3 : 6)], &rng);
        }
    noise_free(noise);
}

TEST(drawn_trees_are_those_of_drawn_models)
{
    struct noise *noise = noise_new(6, &err);
    struct rng rng = rng_new(1, 2);
    for (uint32_t N = 1; N <= 40; N += N == 12 ? 28 : 1)
        for (uint32_t kind = 0; kind < 4; kind++) {
            struct shape s = {
                .N = N, .G = N * (N + 1), .width = 1, .most = 8, .valued = kind % 2 != 0, .exact = kind / 2 != 0};
            check_shape(&tree_structure, noise, &s, N == 40 ? 20 : 50, &rng);
        }
    noise_free(noise);
}

TEST(long_rows_do_not_overflow)
{
    struct noise *noise = noise_new(7, &err);
    struct rng rng = rng_new(1, 3);
    for (uint32_t most = 60; most <= 700; most += 160) {
        struct shape s = {.N = 7, .G = 7, .width = 3, .E = 1, .most = most, .exact = true};
        check_shape(&chain_structure, noise, &s, 40, &rng);
        s.same = true;
        check_shape(&chain_structure, noise, &s, 40, &rng);
    }
    noise_free(noise);
}

/* Scores in the lanes as they come: ties, -inf, and (for trees) +inf. */
static void fill_lanes(float *to, size_t count, struct rng *rng, int kind)
{
    static const float extreme[] = {-INFINITY, 0, 0, 0, 0, 0, FLT_MAX, INFINITY};
    for (size_t i = 0; i < count; i++) {
        if (kind == 4) {
            to[i] = extreme[rng_below(rng, 8)];
            continue;
        }
        to[i] = kind == 0 ? (float)rng_below(rng, 3) : (float)(rng_uniform(rng) * 4096 - 2048) / 64;
        if (kind >= 1 && rng_below(rng, 8) < (uint32_t)(kind == 1 ? 0 : kind == 2 ? 2 : 6))
            to[i] = -INFINITY;
        if (kind == 1)
            to[i] = (float)floor((double)to[i]);
    }
}

static void one_draw(const struct lanes *lanes, uint32_t k, struct scores *scores)
{
    MUST(scores_shape(scores, lanes->N, lanes->G, lanes->width, lanes->E, &err));
    for (size_t i = 0; i < (size_t)lanes->G * lanes->width; i++)
        scores->node[i] = lanes->node[i * lanes->stride + k];
    for (size_t i = 0; i < (size_t)lanes->E * lanes->width * lanes->width; i++)
        scores->edge[i] = lanes->edge[i * lanes->stride + k];
}

static void check_lanes(const struct structure *structure, uint32_t N, uint32_t width, uint32_t E, uint32_t K, int kind,
                        struct rng *rng)
{
    struct machine m;
    machine_init(&m, structure);
    struct lanes *lanes = &m.lanes[0];
    uint32_t G = structure == &tree_structure ? N * (N + 1) : N, *expected = zeroed(N, sizeof *expected);
    MUST(lanes_shape(lanes, &(struct lanes){.N = N, .G = G, .width = width, .E = E, .K = K}, &err));
    assert_int_equal((uintptr_t)lanes->node % 64, 0);
    assert_int_equal((uintptr_t)lanes->edge % 64, 0);
    fill_lanes(lanes->node, (size_t)G * width * lanes->stride, rng, kind);
    fill_lanes(lanes->edge, (size_t)E * width * width * lanes->stride, rng, kind);
    uint32_t *choice = decode(&m);
    for (uint32_t k = 0; k < K; k++) {
        double best;
        one_draw(lanes, k, &m.scores);
        MUST(structure->best(&m.scores, &m.scratch, expected, &best, &err));
        for (uint32_t t = 0; t < N; t++)
            if (choice[(size_t)k * N + t] != expected[t])
                fail_msg("%s of %u words, width %u, %u edges, kind %d: word %u of draw %u is %u, expected %u",
                         structure->name, N, width, E, kind, t, k, choice[(size_t)k * N + t], expected[t]);
    }
    free(expected);
    free(choice);
    machine_release(&m);
}

TEST(ties_and_forbidden_parts_are_decided_as_by_best)
{
    struct rng rng = rng_new(1, 4);
    for (int round = 0; round < fewer(40); round++)
        for (int kind = 0; kind < 5; kind++) {
            uint32_t N = 1 + rng_below(&rng, 8), K = 1 + rng_below(&rng, 70);
            uint32_t width = 1 + rng_below(&rng, round == 0 ? 45 : 7), E[] = {0, 1, N - 1};
            for (int e = 0; kind < 4 && e < 3; e++)
                check_lanes(&chain_structure, N, width, E[e], K, kind, &rng);
            check_lanes(&tree_structure, N, 1, 0, K, kind, &rng);
        }
}

TEST(drawing_with_no_variance_is_predicting)
{
    struct noise *noise = noise_new(8, &err);
    struct rng rng = rng_new(1, 5);
    for (int round = 0; round < 8; round++) {
        bool tree = round % 2 != 0;
        struct shape s = {
            .N = 6, .G = tree ? 42 : 6, .width = tree ? 1 : 3, .E = tree ? 0 : 1, .most = 9, .valued = round > 3};
        const struct structure *structure = tree ? &tree_structure : &chain_structure;
        struct problem p;
        struct machine m;
        uint32_t best[6];
        double top;
        make_problem(&p, &s, &rng);
        machine_init(&m, structure);
        struct drawing d = {.noise = noise, .K = 50, .mean = p.mean, .var = round % 4 < 2 ? NULL : p.var};
        score(&m, &p, &d);
        uint32_t *choice = decode(&m);
        MUST(structure->best(&m.scores, &m.scratch, best, &top, &err));
        for (uint32_t k = 0; k < 50; k++)
            assert_memory_equal(choice + k * 6, best, sizeof best);
        free(choice);
        machine_release(&m);
        release(&p);
    }
    noise_free(noise);
}

/* Lanes are sums of floats, best() is of doubles: they may differ where the two best are as near as a word's floats. */
TEST(long_chains_are_as_exact_as_short_ones)
{
    enum { N = 60000, Y = 7, FEATURE = 500 };
    struct noise *noise = noise_new(8, &err);
    struct rng rng = rng_new(1, 8);
    struct space space = {Y, FEATURE, 1};
    uint32_t *start = zeroed(N + 1, sizeof *start), *feature = zeroed(N, sizeof *feature);
    uint32_t edge_start[] = {0, 1}, edge = 0;
    float *mean = zeroed(space_size(&space) + SLACK, sizeof *mean);
    for (size_t i = 0; i < space_size(&space); i++)
        mean[i] = (float)(12 * rng_uniform(&rng) + (i < FEATURE * Y ? 6 : 0)); /* scores that add up */
    for (uint32_t t = 0; t < N; t++) {
        start[t + 1] = t + 1;
        feature[t] = rng_below(&rng, FEATURE);
    }
    struct parts parts = {.N = N, .node = {N, start, feature, NULL}, .edge = {1, edge_start, &edge, NULL}};
    struct problem p = {.space = space, .mean = mean, .parts = parts};
    struct machine m;
    machine_init(&m, &chain_structure);
    struct drawing d = {.noise = noise, .K = 3, .mean = mean};
    score(&m, &p, &d);
    uint32_t *choice = zeroed((size_t)d.K * N, sizeof *choice), *best = zeroed(N, sizeof *best);
    MUST(chain_structure.draws(&m.lanes[0], &m.scratch, choice, &err));
    double top, *without = zeroed(N, sizeof *without);
    MUST(chain_structure.best(&m.scores, &m.scratch, best, &top, &err));
    MUST(chain_structure.without(&m.scores, best, &m.scratch, without, &err));
    for (uint32_t k = 0; k < d.K; k++)
        for (uint32_t t = 0; t < N; t++)
            if (choice[(size_t)k * N + t] != best[t] && top - without[t] > 2e-4)
                fail_msg("word %u of draw %u is %u, though %u is best by %g", t, k, choice[(size_t)k * N + t], best[t],
                         top - without[t]);
    machine_release(&m);
    free(start);
    free(feature);
    free(mean);
    free(choice);
    free(best);
    free(without);
    noise_free(noise);
}
