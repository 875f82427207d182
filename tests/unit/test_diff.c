/* Tests difference vectors against dense ones, and lazy averaging against the average of all steps. */
#include "base/random.h"
#include "core/diff.h"
#include "core/voice.h"

#include <math.h>

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { NODES = 31, EDGES = 4, MOST_WIDTH = 9, MOST_LANES = 6, MOST_WORDS = 8, MOST_FEATURES = 80 };
enum { MOST_SIZE = NODES * MOST_WIDTH + EDGES * MOST_WIDTH * MOST_WIDTH };

/* Small whole numbers: every sum is exact, so that results must be equal. */
static float whole(struct rng *rng)
{
    return (float)rng_below(rng, 9) - 4;
}

struct row_store {
    uint32_t start[MOST_WORDS + 1], feature[MOST_FEATURES];
    float value[MOST_FEATURES];
};

struct world {
    struct rng rng;
    struct space space;
    struct diff diff;
    struct row_store node, edge;
    struct parts parts;
    struct scores coefficient;
    double dense[MOST_LANES][MOST_SIZE];
};

static void world_start(struct world *world, uint32_t width, uint32_t edges, uint64_t seed)
{
    struct vouch_error err = {0};
    memset(world, 0, sizeof *world);
    world->rng = rng_new(seed, 0);
    world->space = (struct space){width, NODES, edges};
    assert_true(diff_init(&world->diff, &world->space, &err));
}

static void world_end(struct world *world)
{
    diff_release(&world->diff);
    scores_release(&world->coefficient);
}

static size_t count_blocks(const struct diff *diff)
{
    return (size_t)diff->kind[0].count + diff->kind[1].count;
}

static void world_clear(struct world *world, uint32_t lanes)
{
    diff_clear(&world->diff, lanes);
    memset(world->dense, 0, sizeof world->dense);
    assert_int_equal(count_blocks(&world->diff), 0);
    assert_int_equal(world->diff.lanes, lanes);
}

/* Rows of no features, if there are none to choose from. */
static struct rows rows_make(struct rng *rng, struct row_store *store, uint32_t count, uint32_t features, bool values)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < count; g++) {
        store->start[g] = at;
        for (uint32_t length = features ? rng_below(rng, 9) : 0; length > 0; length--, at++) {
            store->feature[at] = rng_below(rng, features);
            store->value[at] = whole(rng);
        }
    }
    store->start[count] = at;
    return (struct rows){count, store->start, store->feature, values ? store->value : NULL};
}

/* A sentence of N words; edge_rows is 0, 1 or N - 1. Every third row has coefficients that are all zero. */
static void sentence_make(struct world *world, uint32_t N, uint32_t edge_rows, bool values)
{
    struct vouch_error err = {0};
    size_t width = world->space.width;
    world->parts = (struct parts){
        .N = N,
        .node = rows_make(&world->rng, &world->node, N, NODES, values),
        .edge = rows_make(&world->rng, &world->edge, edge_rows, world->space.edges, values),
    };
    assert_true(scores_shape(&world->coefficient, N, N, world->space.width, edge_rows, &err));
    bool sparse =
        rng_below(&world->rng, 4) == 0; /* one coefficient in eight, so that those that are zero are skipped */
    for (size_t i = 0; i < N * width; i++)
        world->coefficient.node[i] =
            i / width % 3 == 1 || (sparse && rng_below(&world->rng, 8)) ? 0 : whole(&world->rng);
    for (size_t i = 0; i < edge_rows * width * width; i++)
        world->coefficient.edge[i] = i / (width * width) % 3 == 1 ? 0 : whole(&world->rng);
}

static void dense_add(double *dense, const struct rows *rows, const float *coefficient, size_t size)
{
    for (uint32_t g = 0; g < rows->count; g++)
        for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++)
            for (size_t j = 0; j < size; j++)
                dense[rows->feature[i] * size + j] += (rows->value ? rows->value[i] : 1) * coefficient[g * size + j];
}

static void add_to_lane(struct world *world, uint32_t lane)
{
    struct vouch_error err = {0};
    size_t width = world->space.width;
    assert_true(diff_add(&world->diff, lane, &world->parts, &world->coefficient, &err));
    dense_add(world->dense[lane], &world->parts.node, world->coefficient.node, width);
    dense_add(world->dense[lane] + NODES * width, &world->parts.edge, world->coefficient.edge, width * width);
}

/* The blocks hold what the dense vectors hold, and no feature has two. */
static void expect_blocks(const struct world *world)
{
    const struct diff *diff = &world->diff;
    size_t width = world->space.width, size = space_size(&world->space);
    static double found[MOST_LANES][MOST_SIZE];
    static bool taken[MOST_SIZE];
    memset(found, 0, sizeof found);
    memset(taken, 0, sizeof taken);
    FOR_BLOCKS(diff, blocks, b)
    {
        size_t at = block_at(blocks, b);
        bool node = at < NODES * width;
        assert_int_equal(blocks->width, node ? width : width * width);
        assert_true(at + blocks->width <= size);
        assert_false(taken[at]);
        taken[at] = true;
        for (uint32_t k = 0; k < diff->lanes; k++)
            for (uint32_t j = 0; j < blocks->stride; j++) {
                float coef = block_lane(diff, blocks, b, k)[j];
                if (j < blocks->width)
                    found[k][at + j] = coef;
                else
                    assert_true(coef == 0);
            }
    }
    for (uint32_t k = 0; k < diff->lanes; k++)
        for (size_t i = 0; i < size; i++)
            assert_true(found[k][i] == world->dense[k][i]);
}

/* The entries of a lane are what is not zero of its dense vector. */
static void expect_entries(const struct world *world, uint32_t lane)
{
    static struct entry list[2 * MOST_SIZE];
    static double found[MOST_SIZE];
    size_t size = space_size(&world->space), count;
    assert_true(diff_size(&world->diff) < sizeof list / sizeof *list);
    memset(found, 0, sizeof found);
    count = diff_entries(&world->diff, lane, list);
    for (size_t i = 0; i < count; i++) {
        assert_true(list[i].coef != 0 && list[i].at < size && found[list[i].at] == 0);
        found[list[i].at] = list[i].coef;
    }
    for (size_t i = 0; i < size; i++)
        assert_true(found[i] == world->dense[lane][i]);
}

static void expect_products(struct world *world)
{
    size_t size = space_size(&world->space);
    static float weight[MOST_SIZE];
    for (size_t i = 0; i < size; i++)
        weight[i] = whole(&world->rng);
    for (uint32_t a = 0; a < world->diff.lanes; a++) {
        double dot = 0;
        for (size_t i = 0; i < size; i++)
            dot += weight[i] * world->dense[a][i];
        assert_true(diff_dot(&world->diff, a, weight) == dot);
        expect_entries(world, a);
        for (uint32_t b = 0; b < world->diff.lanes; b++) {
            double inner = 0;
            for (size_t i = 0; i < size; i++)
                inner += world->dense[a][i] * world->dense[b][i];
            assert_true(diff_inner(&world->diff, a, b) == inner);
        }
    }
}

static void compare_with_dense_vectors(uint32_t edges)
{
    static struct world world;
    for (uint32_t width = 1; width <= MOST_WIDTH; width++) {
        world_start(&world, width, edges, width);
        for (uint32_t round = 0; round < 60; round++) {
            uint32_t lanes = 1 + round % MOST_LANES, N = 1 + rng_below(&world.rng, MOST_WORDS);
            world_clear(&world, lanes);
            sentence_make(&world, N, round % 3 == 0 ? 0 : round % 3 == 1 ? 1 : N - 1, round % 2);
            for (uint32_t k = 0; k < lanes; k++)
                add_to_lane(&world, k);
            expect_blocks(&world);
            expect_products(&world);
        }
        world_end(&world);
    }
}

static void lanes_are_dense_vectors_without_their_zeros(void **state)
{
    (void)state;
    compare_with_dense_vectors(EDGES);
}

/* Rules that look at the words make a row for every edge, even if no feature of theirs was kept. */
static void rows_of_edges_may_have_no_features_at_all(void **state)
{
    (void)state;
    compare_with_dense_vectors(0);
}

/* Different sentences, the same lane again, lanes in any order, lanes left out. */
static void lanes_may_be_added_to_in_any_order(void **state)
{
    (void)state;
    static struct world world;
    world_start(&world, 5, EDGES, 77);
    for (uint32_t round = 0; round < 40; round++) {
        uint32_t lanes = 2 + rng_below(&world.rng, MOST_LANES - 1);
        world_clear(&world, lanes);
        for (uint32_t i = 0; i < 7; i++) {
            sentence_make(&world, 6, i % 2 ? 1 : 5, i % 3 == 0);
            add_to_lane(&world, rng_below(&world.rng, lanes - 1));
        }
        expect_blocks(&world);
        expect_products(&world);
        assert_true(diff_inner(&world.diff, lanes - 1, lanes - 1) == 0);
    }
    world_end(&world);
}

static void a_feature_that_occurs_again_is_counted_again(void **state)
{
    (void)state;
    struct space space = {2, 3, 1};
    struct diff diff = {0};
    struct vouch_error err = {0};
    static const uint32_t node_start[] = {0, 3, 5}, node_feature[] = {1, 1, 2, 1, 0};
    static const uint32_t edge_start[] = {0, 1}, edge_feature[] = {0};
    float node[] = {1, -1, 10, 20}, edge[] = {1, 2, 3, 4};
    struct parts parts = {
        .N = 2, .node = {2, node_start, node_feature, NULL}, .edge = {1, edge_start, edge_feature, NULL}};
    struct scores coefficient = {.N = 2, .G = 2, .width = 2, .E = 1, .node = node, .edge = edge};
    static const float unit[] = {1, 10, 100, 1000, 10000, 100000, 1, 10, 100, 1000};
    assert_true(diff_init(&diff, &space, &err));
    diff_clear(&diff, 1);
    assert_true(diff_add(&diff, 0, &parts, &coefficient, &err));
    assert_int_equal(count_blocks(&diff), 4);
    /* feature 0: (10, 20), feature 1: (12, 18), feature 2: (1, -1), edge: (1, 2, 3, 4) */
    assert_true(diff_dot(&diff, 0, unit) == 10 + 200 + 1200 + 18000 + 10000 - 100000 + 4321);
    assert_true(diff_inner(&diff, 0, 0) == 100 + 400 + 144 + 324 + 1 + 1 + 1 + 4 + 9 + 16);
    diff_release(&diff);
}

static void rows_of_zeros_cost_nothing(void **state)
{
    (void)state;
    static struct world world;
    struct vouch_error err = {0};
    world_start(&world, 4, EDGES, 5);
    world_clear(&world, 3);
    sentence_make(&world, 7, 6, true);
    memset(world.coefficient.node, 0, 7 * 4 * sizeof(float));
    memset(world.coefficient.edge, 0, 6 * 16 * sizeof(float));
    assert_true(diff_add(&world.diff, 1, &world.parts, &world.coefficient, &err));
    assert_int_equal(count_blocks(&world.diff), 0);
    assert_true(diff_inner(&world.diff, 1, 1) == 0);
    world_end(&world);
}

static void clearing_forgets_everything(void **state)
{
    (void)state;
    static struct world world;
    world_start(&world, 3, EDGES, 6);
    for (uint32_t lanes = MOST_LANES; lanes > 0; lanes--) {
        world_clear(&world, lanes);
        for (uint32_t f = 0; f < NODES; f++)
            assert_int_equal(world.diff.kind[0].slot[f], 0);
        for (uint32_t f = 0; f < EDGES; f++)
            assert_int_equal(world.diff.kind[1].slot[f], 0);
        sentence_make(&world, 8, 7, false);
        add_to_lane(&world, lanes - 1);
        FOR_BLOCKS(&world.diff, blocks, b)
        assert_int_equal(blocks->slot[blocks->feature[b]], b + 1);
    }
    world_end(&world);
}

static void vectors_grow_as_needed(void **state)
{
    (void)state;
    enum { MANY = 5000, LANES = 5 };
    struct space space = {7, MANY, 0};
    struct diff diff = {0};
    struct vouch_error err = {0};
    uint32_t *start = new_array(MANY + 1, sizeof *start, &err), *feature = new_array(MANY, sizeof *feature, &err);
    struct scores coefficient = {0};
    assert_true(start && feature && scores_shape(&coefficient, MANY, MANY, 7, 0, &err));
    for (uint32_t i = 0; i < MANY; i++) {
        start[i + 1] = i + 1;
        feature[i] = MANY - 1 - i;
    }
    for (uint32_t i = 0; i < MANY * 7; i++)
        coefficient.node[i] = (float)(i % 5 + 1);
    struct parts parts = {.N = MANY, .node = {MANY, start, feature, NULL}};
    assert_true(diff_init(&diff, &space, &err));
    diff_clear(&diff, LANES);
    for (uint32_t k = 0; k < LANES; k++)
        assert_true(diff_add(&diff, k, &parts, &coefficient, &err));
    assert_int_equal(count_blocks(&diff), MANY);
    for (uint32_t k = 0; k < LANES; k++)
        assert_true(diff_inner(&diff, 0, k) == MANY * 7 / 5 * (1 + 4 + 9 + 16 + 25));
    diff_release(&diff);
    scores_release(&coefficient);
    free(start);
    free(feature);
}

/* The mean after every step, one after another, and their plain average. */
struct averaging {
    struct rng rng;
    struct voice voice;
    double mean[MOST_SIZE], sum[MOST_SIZE];
};

static void averaging_start(struct averaging *a, uint64_t seed)
{
    struct vouch_error err = {0};
    memset(a, 0, sizeof *a);
    a->rng = rng_new(seed, 0);
    assert_true(voice_init(&a->voice, &(struct space){3, 10, 2}, &(struct voice_needs){0}, &err));
    assert_int_equal(a->voice.size, 48);
}

/* One step with `changes` changes, which may fall on the same weight. */
static void averaging_step(struct averaging *a, uint32_t changes, double grain)
{
    voice_tick(&a->voice);
    for (uint32_t i = 0; i < changes; i++) {
        size_t at = rng_below(&a->rng, (uint32_t)a->voice.size);
        float by = (float)(whole(&a->rng) * grain);
        voice_change(&a->voice, at, by);
        a->mean[at] += by;
    }
    for (size_t i = 0; i < a->voice.size; i++)
        a->sum[i] += a->mean[i];
}

static void expect_average(struct averaging *a, uint32_t steps, double tolerance)
{
    size_t room = a->voice.size + SLACK;
    float *average = malloc(room * sizeof *average);
    assert_non_null(average);
    memset(average, 0xFF, room * sizeof *average);
    voice_average(&a->voice, average);
    assert_int_equal(a->voice.steps, steps);
    for (size_t i = 0; i < a->voice.size; i++) {
        assert_true(fabs(a->voice.mean[i] - a->mean[i]) <= tolerance);
        assert_true(fabs(average[i] - a->sum[i] / steps) <= tolerance);
    }
    for (size_t i = a->voice.size; i < room; i++)
        assert_true(average[i] == 0 && a->voice.mean[i] == 0);
    free(average);
}

/* Powers of two for the number of steps, eighths for the changes: all sums are exact. */
static void averaging_gives_the_average_of_all_steps(void **state)
{
    (void)state;
    static struct averaging a;
    averaging_start(&a, 1);
    for (uint32_t steps = 1; steps <= 256; steps++) {
        averaging_step(&a, rng_below(&a.rng, 12), 0.125);
        if ((steps & (steps - 1)) == 0)
            expect_average(&a, steps, 0);
        else
            expect_average(&a, steps, 1e-5);
    }
    voice_release(&a.voice);
}

static void averaging_stays_close_over_many_steps(void **state)
{
    (void)state;
    static struct averaging a;
    averaging_start(&a, 2);
    for (uint32_t steps = 1; steps <= 20000; steps++)
        averaging_step(&a, 3, 0.0137);
    expect_average(&a, 20000, 1e-3);
    voice_release(&a.voice);
}

static void steps_without_a_change_count(void **state)
{
    (void)state;
    static struct averaging a;
    averaging_start(&a, 3);
    averaging_step(&a, 0, 1);
    averaging_step(&a, 20, 1);
    averaging_step(&a, 0, 1);
    averaging_step(&a, 0, 1);
    expect_average(&a, 4, 0);
    voice_release(&a.voice);
}

static void the_average_of_no_steps_is_zero(void **state)
{
    (void)state;
    static struct averaging a;
    averaging_start(&a, 4);
    float average[48 + SLACK];
    memset(average, 0xFF, sizeof average);
    voice_average(&a.voice, average);
    for (size_t i = 0; i < 48 + SLACK; i++)
        assert_true(average[i] == 0);
    voice_release(&a.voice);
}

static void a_voice_keeps_what_the_learner_needs(void **state)
{
    (void)state;
    struct voice voice;
    struct vouch_error err = {0};
    struct space space = {2, 3, 1};
    assert_true(voice_init(&voice, &space, &(struct voice_needs){0}, &err));
    assert_null(voice.var);
    assert_null(voice.square);
    voice_release(&voice);
    struct voice_needs both = {.variance = true, .squares = true, .variance_start = 0.5f, .squares_start = 2};
    assert_true(voice_init(&voice, &space, &both, &err));
    assert_int_equal(voice.steps, 0);
    for (size_t i = 0; i < voice.size; i++)
        assert_true(voice.mean[i] == 0 && voice.late[i] == 0 && voice.var[i] == 0.5f && voice.square[i] == 2);
    voice_release(&voice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_dense_vectors_without_their_zeros),
        cmocka_unit_test(rows_of_edges_may_have_no_features_at_all),
        cmocka_unit_test(lanes_may_be_added_to_in_any_order),
        cmocka_unit_test(a_feature_that_occurs_again_is_counted_again),
        cmocka_unit_test(rows_of_zeros_cost_nothing),
        cmocka_unit_test(clearing_forgets_everything),
        cmocka_unit_test(vectors_grow_as_needed),
        cmocka_unit_test(averaging_gives_the_average_of_all_steps),
        cmocka_unit_test(averaging_stays_close_over_many_steps),
        cmocka_unit_test(steps_without_a_change_count),
        cmocka_unit_test(the_average_of_no_steps_is_zero),
        cmocka_unit_test(a_voice_keeps_what_the_learner_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
