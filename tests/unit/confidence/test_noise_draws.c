/*
 * Tests drawn models: noise_score() and the structures' draws() against K
 * models that are drawn one by one, scored and decoded.
 *
 * Where means are multiples of 1/64, variances powers of four and values small
 * multiples of 1/2, all sums are exact in float, and the choices must be equal,
 * ties included. Elsewhere they must be equal where the drawn scores leave no
 * doubt.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "confidence/noise.h"
#include "tree/tree.h"

#include <float.h>

#include "must.h"
#include "simd_sets.h"
#include "test.h"

enum { FEATURES = 40, EDGE_FEATURES = 6 };

/* A random model and a random sentence. */
struct problem {
    struct space space;
    struct parts parts;
    uint32_t *start, *feature, *edge_start, *edge_feature;
    float *value, *edge_value;
    float *mean, *var, *drawn;
    bool exact;
};

static void *zeroed(size_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    assert_non_null(array);
    return array;
}

static float random_mean(struct rng *rng, bool exact)
{
    return exact ? (float)((int)rng_below(rng, 65) - 32) / 64 : (float)(2 * rng_uniform(rng) - 1);
}

static float random_var(struct rng *rng, bool exact)
{
    return exact ? (float)ldexp(1, -2 * (int)rng_below(rng, 4)) : (float)rng_uniform(rng);
}

static float random_value(struct rng *rng, bool exact)
{
    return exact ? (float)((int)rng_below(rng, 9) - 4) / 2 : (float)(3 * rng_uniform(rng) - 1);
}

/* Makes rows of up to `most` features. */
static void make_rows(struct rows *rows, uint32_t count, uint32_t most, uint32_t features, uint32_t *start,
                      uint32_t *feature, float *value, struct rng *rng, bool exact)
{
    for (uint32_t g = 0; g < count; g++) {
        uint32_t n = rng_below(rng, most + 1);
        start[g + 1] = start[g] + n;
        for (uint32_t i = start[g]; i < start[g + 1]; i++) {
            feature[i] = rng_below(rng, features);
            if (value)
                value[i] = random_value(rng, exact);
        }
    }
    *rows = (struct rows){count, start, feature, value};
}

struct shape {
    uint32_t N, G, width, E, most;
    bool valued, exact;
    bool same; /* all features of a row: their noise does not even out */
};

static void make_problem(struct problem *p, const struct shape *s, struct rng *rng)
{
    *p = (struct problem){.space = {s->width, FEATURES, EDGE_FEATURES}, .exact = s->exact};
    size_t size = space_size(&p->space) + SLACK;
    p->mean = zeroed(size, sizeof *p->mean);
    p->var = zeroed(size, sizeof *p->var);
    p->drawn = zeroed(size, sizeof *p->drawn);
    for (size_t i = 0; i < size - SLACK; i++) {
        p->mean[i] = random_mean(rng, s->exact);
        p->var[i] = random_var(rng, s->exact);
    }
    for (uint32_t f = 0; f < FEATURES; f += 7) /* never learned */
        memset(p->mean + space_node(&p->space, f), 0, s->width * sizeof *p->mean);
    memset(p->mean + space_edge(&p->space, 3), 0, sizeof *p->mean * s->width * s->width);
    p->start = zeroed(s->G + 1, sizeof *p->start);
    p->feature = zeroed((size_t)s->G * s->most, sizeof *p->feature);
    p->value = s->valued ? zeroed((size_t)s->G * s->most, sizeof *p->value) : NULL;
    p->edge_start = zeroed(s->E + 1, sizeof *p->edge_start);
    p->edge_feature = zeroed(s->E * 3, sizeof *p->edge_feature);
    p->edge_value = s->valued ? zeroed(s->E * 3, sizeof *p->edge_value) : NULL;
    p->parts.N = s->N;
    make_rows(&p->parts.node, s->G, s->most, FEATURES, p->start, p->feature, p->value, rng, s->exact);
    for (uint32_t g = 0; s->same && g < s->G; g++)
        for (uint32_t i = p->start[g]; i < p->start[g + 1]; i++)
            p->feature[i] = 1 + g;
    make_rows(&p->parts.edge, s->E, 3, EDGE_FEATURES, p->edge_start, p->edge_feature, p->edge_value, rng, s->exact);
}

static void release(struct problem *p)
{
    free(p->start);
    free(p->feature);
    free(p->edge_start);
    free(p->edge_feature);
    free(p->value);
    free(p->edge_value);
    free(p->mean);
    free(p->var);
    free(p->drawn);
}

/* Makes the weights of draw k, by definition. */
static void draw_block(struct problem *p, const struct drawing *d, size_t at, size_t width, uint64_t feature,
                       uint32_t k)
{
    bool learned = false;
    for (size_t j = 0; j < width; j++)
        learned |= d->mean[at + j] != 0;
    for (size_t j = 0; j < width; j++) {
        double z = noise_at(d, feature, (uint32_t)j, k) / 128.0;
        double sd = sqrt(d->var ? d->s * (double)d->var[at + j] : d->s);
        p->drawn[at + j] = (float)(d->mean[at + j] + (learned ? sd * z : 0));
    }
}

static void draw_model(struct problem *p, const struct drawing *d, uint32_t k)
{
    for (uint32_t f = 0; f < FEATURES; f++)
        draw_block(p, d, space_node(&p->space, f), p->space.width, f, k);
    for (uint32_t f = 0; f < EDGE_FEATURES; f++)
        draw_block(p, d, space_edge(&p->space, f), (size_t)p->space.width * p->space.width, FEATURES + f, k);
}

struct machine {
    const struct structure *structure;
    struct scratch scratch;
    struct scores scores;
    struct lanes lanes[SIMD_SETS];
    struct noise_work *work[SIMD_SETS];
};

static void machine_init(struct machine *m, const struct structure *structure)
{
    *m = (struct machine){.structure = structure};
}

static void machine_release(struct machine *m)
{
    scratch_release(&m->scratch);
    scores_release(&m->scores);
    for (int set = 0; set < SIMD_SETS; set++) {
        lanes_release(&m->lanes[set]);
        noise_work_free(m->work[set]);
    }
}

static void same_lanes(const struct lanes *a, const struct lanes *b)
{
    size_t edges = (size_t)a->E * a->width * a->width;
    assert_memory_equal(a->node, b->node, sizeof(float) * a->G * a->width * a->stride);
    assert_int_equal(a->E, b->E);
    if (edges)
        assert_memory_equal(a->edge, b->edge, sizeof(float) * edges * a->stride);
}

/* Scores the sentence and all its draws; every instruction set must give the same bits. */
static void score(struct machine *m, struct problem *p, const struct drawing *d)
{
    struct drawing drawing = *d;
    drawing.space = &p->space;
    MUST(parts_score(&p->parts, &p->space, d->mean, &m->scores, &err));
    EACH_SIMD_SET
    {
        if (!m->work[simd_set])
            m->work[simd_set] = noise_work_new(&err);
        MUST(m->work[simd_set]);
        MUST(noise_score(&drawing, &p->parts, &m->scores, m->work[simd_set], &m->lanes[simd_set], &err));
        MUST(lanes_bring(&m->lanes[simd_set], 0, p->parts.node.count, &err));
        same_lanes(&m->lanes[0], &m->lanes[simd_set]);
    }
}

/* Finds the choices of all draws; every instruction set, and blocks of any number of words, must make the same ones. */
static uint32_t *decode(struct machine *m)
{
    static const uint32_t words[] = {0, 1, 2, 7, 16, 1000};
    struct lanes *lanes = &m->lanes[0];
    size_t size = (size_t)lanes->K * lanes->N;
    uint32_t *first = zeroed(size, sizeof *first), *choice = zeroed(size, sizeof *choice);
    EACH_SIMD_SET
    {
        uint32_t *to = simd_set == SIMD_PLAIN ? first : choice;
        memset(to, 0xFF, size * sizeof *to);
        if (m->scratch.bytes)
            memset(m->scratch.bytes, 0xFF, m->scratch.capacity);
        MUST(m->structure->draws(lanes, &m->scratch, to, &err));
        assert_memory_equal(first, to, size * sizeof *to);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        lanes->at_a_time = words[i];
        if (lanes->fill)
            lanes->from = lanes->to = 0;
        MUST(m->structure->draws(lanes, &m->scratch, choice, &err));
        assert_memory_equal(first, choice, size * sizeof *choice);
    }
    lanes->at_a_time = 0;
    free(choice);
    return first;
}

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

/* The same sentence gives the same lanes, whatever was scored before it with the same memory. */
TEST(order_does_not_matter)
{
    enum { SENTENCES = 6 };
    struct noise *noise = noise_new(9, &err);
    struct rng rng = rng_new(1, 6);
    struct problem p[SENTENCES];
    static const uint32_t E[SENTENCES] = {1, 1, 4, 0, 1, 1};
    for (int i = 0; i < SENTENCES; i++) {
        struct shape s = {.N = 5, .G = 5, .width = 4, .E = E[i], .most = 6, .valued = i == 4};
        make_problem(&p[i], &s, &rng);
        memcpy(p[i].mean, p[0].mean, sizeof(float) * space_size(&p[0].space));
    }
    p[5].edge_start[1] = p[0].edge_start[1]; /* the same edges as the first */
    memcpy(p[5].edge_feature, p[0].edge_feature, sizeof(uint32_t) * p[0].edge_start[1]);
    struct drawing d = {.noise = noise, .key = 3, .K = 40, .s = 0.7, .mean = p[0].mean};
    struct machine m;
    machine_init(&m, &chain_structure);
    for (int visit = 0; visit < 60; visit++) {
        uint32_t i = rng_below(&rng, SENTENCES);
        struct machine fresh;
        machine_init(&fresh, &chain_structure);
        score(&m, &p[i], &d);
        score(&fresh, &p[i], &d);
        same_lanes(&m.lanes[0], &fresh.lanes[0]);
        machine_release(&fresh);
    }
    machine_release(&m);
    for (int i = 0; i < SENTENCES; i++)
        release(&p[i]);
    noise_free(noise);
}

/* A feature that is renamed has other noise; one whose number changes has the same. */
TEST(noise_goes_by_the_names_of_features)
{
    static const uint32_t names[2][3] = {{17, 4, 900}, {900, 17, 5}};
    struct noise *noise[2];
    struct drawing d[2];
    for (int i = 0; i < 2; i++) {
        uint32_t *name = new_array(3, sizeof *name, &err);
        memcpy(name, names[i], sizeof names[i]);
        noise[i] = noise_new(1, &err);
        noise_name_features(noise[i], name, 3);
        d[i] = (struct drawing){.noise = noise[i], .key = 4, .K = 50};
    }
    uint32_t equal = 0;
    for (uint32_t j = 0; j < 40; j++)
        for (uint32_t k = 0; k < 50; k++) {
            assert_int_equal(noise_at(&d[0], 0, j, k), noise_at(&d[1], 1, j, k));
            assert_int_equal(noise_at(&d[0], 2, j, k), noise_at(&d[1], 0, j, k));
            assert_int_equal(noise_at(&d[0], 3, j, k), noise_at(&d[1], 3, j, k));
            equal += noise_at(&d[0], 1, j, k) == noise_at(&d[1], 2, j, k);
        }
    assert_in_range(equal, 0, 40 * 50 / 20);
    noise_free(noise[0]);
    noise_free(noise[1]);
}

TEST(draws_depend_on_seed_key_feature_part_and_draw)
{
    struct noise *noise = noise_new(1, &err), *same = noise_new(1, &err), *other = noise_new(2, &err);
    for (int paired = 0; paired < 2; paired++) {
        const struct drawing d = {.noise = noise, .key = 4, .K = 50, .paired = paired};
        struct drawing same_seed = d, other_seed = d, other_key = d;
        same_seed.noise = same;
        other_seed.noise = other;
        other_key.key = 5;
        uint32_t equal[5] = {0}, tries = 0;
        for (uint32_t f = 0; f < 500; f++)
            for (uint32_t j = 0; j < 40; j += 3, tries++) {
                uint32_t k = f % 24;
                int z = noise_at(&d, f, j, k);
                assert_int_equal(z, noise_at(&same_seed, f, j, k));
                equal[0] += z == noise_at(&other_seed, f, j, k);
                equal[1] += z == noise_at(&other_key, f, j, k);
                equal[2] += z == noise_at(&d, f + 1, j, k);
                equal[3] += z == noise_at(&d, f, j + 1, k);
                equal[4] += z == noise_at(&d, f, j, k + 2);
                assert_true(!paired || noise_at(&d, f, j, k ^ 1) == -z);
            }
        for (int i = 0; i < 5; i++) /* two of them are equal in one of 450 cases */
            assert_in_range(equal[i], 0, tries / 150);
    }
    noise_free(noise);
    noise_free(same);
    noise_free(other);
}

/* Returns a standard normal number that is not from the pool. */
static double normal(struct rng *rng)
{
    double u = 1 - rng_uniform(rng), v = rng_uniform(rng);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

enum { SMALL = 5, LABELS = 3, ROW = 10, DRAWS = 50, CHAINS = 400 };

/* Scores under weights with Gaussian noise that is drawn directly. */
static void draw_directly(const struct problem *p, const struct scores *scores, double s, struct scores *drawn,
                          struct rng *rng)
{
    float *noise = zeroed(space_size(&p->space) + SLACK, sizeof *noise);
    struct scores sum = {0};
    for (size_t i = 0; i < space_size(&p->space); i++)
        noise[i] = (float)(sqrt(s) * normal(rng));
    for (uint32_t f = 0; f < FEATURES; f += 7)
        memset(noise + space_node(&p->space, f), 0, p->space.width * sizeof *noise);
    memset(noise + space_edge(&p->space, 3), 0, sizeof *noise * p->space.width * p->space.width);
    MUST(parts_score(&p->parts, &p->space, noise, &sum, &err));
    MUST(scores_shape(drawn, scores->N, scores->G, scores->width, scores->E, &err));
    for (size_t i = 0; i < (size_t)scores->G * scores->width; i++)
        drawn->node[i] = scores->node[i] + sum.node[i];
    for (size_t i = 0; i < (size_t)scores->E * scores->width * scores->width; i++)
        drawn->edge[i] = scores->edge[i] + sum.edge[i];
    scores_release(&sum);
    free(noise);
}

static double agreement(const uint32_t *choice, uint32_t K, const uint32_t *best)
{
    uint32_t same = 0;
    for (uint32_t k = 0; k < K; k++)
        for (uint32_t t = 0; t < SMALL; t++)
            same += choice[k * SMALL + t] == best[t];
    return same / (double)(K * SMALL);
}

/*
 * The share of draws that agree with the prediction, by the pool and by noise drawn directly: the mean difference
 * over CHAINS random chains, each of its own key and weights, is 0 but for chance. It is further than 3.9 standard
 * errors from 0 with a probability of 1e-4. The seeds are fixed.
 */
TEST(draws_agree_as_often_as_with_independent_noise)
{
    struct noise *noise = noise_new(10, &err);
    struct rng rng = rng_new(1, 7);
    double sum = 0, squares = 0, level = 0;
    struct scores drawn = {0};
    for (uint32_t i = 0; i < CHAINS; i++) {
        struct shape s = {.N = SMALL, .G = SMALL, .width = LABELS, .E = 1, .most = ROW};
        struct problem p;
        struct machine m;
        uint32_t best[SMALL], direct[DRAWS * SMALL];
        double top;
        make_problem(&p, &s, &rng);
        machine_init(&m, &chain_structure);
        struct drawing d = {.noise = noise, .key = i, .K = DRAWS, .s = 0.09, .mean = p.mean};
        score(&m, &p, &d);
        uint32_t *choice = decode(&m);
        MUST(chain_viterbi(&m.scores, &m.scratch, best, &top, &err));
        for (uint32_t k = 0; k < DRAWS; k++) {
            draw_directly(&p, &m.scores, d.s, &drawn, &rng);
            MUST(chain_viterbi(&drawn, &m.scratch, direct + k * SMALL, &top, &err));
        }
        double difference = agreement(choice, DRAWS, best) - agreement(direct, DRAWS, best);
        level += agreement(choice, DRAWS, best) / CHAINS;
        sum += difference;
        squares += difference * difference;
        free(choice);
        machine_release(&m);
        release(&p);
    }
    double mean = sum / CHAINS, error = sqrt((squares / CHAINS - mean * mean) / CHAINS);
    if (fabs(mean) > 3.9 * error)
        fail_msg("the agreement is off by %g, with a standard error of %g", mean, error);
    assert_true(level > 0.6 && level < 0.95); /* there is something to see */
    assert_true(error < 0.005);
    scores_release(&drawn);
    noise_free(noise);
}

/*
 * The noise of a score of n features of value 1 has mean 0 and variance n s. Over T scores of DRAWS draws, sums of
 * squares divided by n s have a mean of 1 with a standard error of sqrt(2 / (T DRAWS)); collisions in the pool and
 * its finite size add less than 0.01. Bounds: 3.9 standard errors (1e-4) and 0.01.
 */
TEST(score_noise_has_the_variance_of_theory)
{
    enum { T = 2000, N = 30, K = 50 };
    struct noise *noise = noise_new(11, &err);
    struct space space = {.width = 1, .nodes = T * N};
    float *mean = zeroed(space_size(&space) + SLACK, sizeof *mean);
    uint32_t *start = zeroed(T + 1, sizeof *start), *feature = zeroed(T * N, sizeof *feature), none = 0;
    for (uint32_t i = 0; i < T * N; i++) {
        mean[i] = 1;
        feature[i] = i;
    }
    for (uint32_t g = 0; g <= T; g++)
        start[g] = g * N;
    struct parts parts = {.N = T, .node = {T, start, feature, NULL}, .edge = {0, &none, NULL, NULL}};
    struct scores scores = {0};
    struct lanes lanes = {0};
    struct noise_work *work = noise_work_new(&err);
    struct drawing d = {.noise = noise, .key = 1, .K = K, .s = 4, .space = &space, .mean = mean};
    MUST(parts_score(&parts, &space, mean, &scores, &err));
    MUST(noise_score(&d, &parts, &scores, work, &lanes, &err));
    MUST(lanes_bring(&lanes, 0, T, &err));
    double sum = 0, squares = 0;
    for (size_t g = 0; g < T; g++)
        for (size_t k = 0; k < K; k++) {
            double z = ((double)lanes.node[g * lanes.stride + k] - scores.node[g]) / sqrt(4 * N);
            sum += z;
            squares += z * z;
        }
    double variance = squares / (T * K), bound = 3.9 * sqrt(2.0 / (T * K)) + 0.01;
    assert_true(fabs(sum / (T * K)) < 3.9 / sqrt(T * K) + 0.005 * sqrt(N)); /* a pool's mean is off by up to 0.005 */
    if (fabs(variance - 1) > bound)
        fail_msg("a variance of %g, expected 1 within %g", variance, bound);
    noise_work_free(work);
    lanes_release(&lanes);
    scores_release(&scores);
    free(start);
    free(feature);
    free(mean);
    noise_free(noise);
}

TEST(wrong_arguments_are_refused)
{
    struct lanes lanes = {0};
    struct scratch scratch = {0};
    uint32_t choice[8];
    assert_false(lanes_shape(&lanes, &(struct lanes){.N = 2, .G = 2, .width = 2, .E = 0, .K = 0}, &err));
    assert_string_equal(err.message, "0 draws, expected 1 to 1024");
    assert_false(lanes_shape(&lanes, &(struct lanes){.N = 2, .G = 2, .width = 2, .E = 0, .K = MAX_DRAWS + 1}, &err));
    assert_false(lanes_shape(
        &lanes, &(struct lanes){.N = UINT32_MAX, .G = UINT32_MAX, .width = UINT32_MAX, .E = 1, .K = MAX_DRAWS}, &err));
    assert_int_equal(err.status, VOUCH_ERR_MEMORY);
    assert_true(lanes_shape(&lanes, &(struct lanes){.N = 2, .G = 2, .width = 0, .E = 0, .K = 4}, &err));
    assert_false(chain_draws(&lanes, &scratch, choice, &err));
    assert_string_equal(err.message, "a chain of 2 words has no labels to choose from");
    assert_true(lanes_shape(&lanes, &(struct lanes){.N = 2, .G = 2, .width = 1, .E = 0, .K = 4}, &err));
    assert_false(tree_draws(&lanes, &scratch, choice, &err));
    assert_string_equal(err.message, "a tree of 2 words has 2 groups of scores, expected 6");
    assert_true(lanes_shape(&lanes, &(struct lanes){.N = 0, .G = 0, .width = 0, .E = 0, .K = 4}, &err));
    assert_true(chain_draws(&lanes, &scratch, NULL, &err));
    assert_true(tree_draws(&lanes, &scratch, NULL, &err));

    struct space space = {.width = 1};
    uint32_t none = 0;
    struct parts parts = {.node = {0, &none, NULL, NULL}, .edge = {0, &none, NULL, NULL}};
    struct scores scores = {0};
    struct drawing d = {.K = 4, .s = -1, .space = &space};
    assert_false(noise_score(&d, &parts, &scores, NULL, &lanes, &err));
    assert_string_equal(err.message, "a variance of -1, expected a finite one of at least 0");
    lanes_release(&lanes);
    scratch_release(&scratch);
    noise_free(NULL);
    noise_work_free(NULL);
}
