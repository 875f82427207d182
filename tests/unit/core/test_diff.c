/* Tests difference vectors against dense ones, and lazy averaging against the average of all steps. */
#include "base/random.h"
#include "chain/chain.h"
#include "core/diff.h"
#include "core/voice.h"
#include "tree/tree.h"

#include "test.h"

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

/* Every third row has coefficients that are all zero. */
static void coefficients_make(struct world *world)
{
    size_t width = world->space.width, N = world->parts.N, edge_rows = world->parts.edge.count;
    bool sparse =
        rng_below(&world->rng, 4) == 0; /* one coefficient in eight, so that those that are zero are skipped */
    for (size_t i = 0; i < N * width; i++)
        world->coefficient.node[i] =
            i / width % 3 == 1 || (sparse && rng_below(&world->rng, 8)) ? 0 : whole(&world->rng);
    for (size_t i = 0; i < edge_rows * width * width; i++)
        world->coefficient.edge[i] = i / (width * width) % 3 == 1 ? 0 : whole(&world->rng);
}

/* A sentence of N words; edge_rows is 0, 1 or N - 1. */
static void sentence_make(struct world *world, uint32_t N, uint32_t edge_rows, bool values)
{
    struct vouch_error err = {0};
    world->parts = (struct parts){
        .N = N,
        .node = rows_make(&world->rng, &world->node, N, NODES, values),
        .edge = rows_make(&world->rng, &world->edge, edge_rows, world->space.edges, values),
    };
    assert_true(scores_shape(&world->coefficient, N, N, world->space.width, edge_rows, &err));
    coefficients_make(world);
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

/* Returns the coefficients of block b in one lane: [stride]. */
static const float *block_lane(const struct diff *diff, const struct blocks *blocks, uint32_t b, uint32_t lane)
{
    return blocks->coef + ((size_t)(blocks->width == 1 ? b : blocks->vector[b]) * diff->lanes + lane) * blocks->stride;
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

static double lane_dot(const struct diff *diff, uint32_t lane, const float *weight)
{
    static struct entry list[2 * MOST_SIZE];
    return entries_dot(list, diff_entries(diff, lane, list), weight);
}

static void expect_products(struct world *world)
{
    size_t size = space_size(&world->space);
    static float weight[MOST_SIZE];
    for (size_t i = 0; i < size; i++)
        weight[i] = whole(&world->rng);
    double gram[MOST_LANES * MOST_LANES];
    diff_gram(&world->diff, gram);
    for (uint32_t a = 0; a < world->diff.lanes; a++) {
        double dot = 0;
        for (size_t i = 0; i < size; i++)
            dot += weight[i] * world->dense[a][i];
        assert_true(lane_dot(&world->diff, a, weight) == dot);
        expect_entries(world, a);
        for (uint32_t b = 0; b < world->diff.lanes; b++) {
            double inner = 0;
            for (size_t i = 0; i < size; i++)
                inner += world->dense[a][i] * world->dense[b][i];
            assert_true(gram[a * world->diff.lanes + b] == inner);
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

TEST(lanes_are_dense_vectors_without_their_zeros)
{
    compare_with_dense_vectors(EDGES);
}

/* Rules that look at the words make a row for every edge, even if no feature of theirs was kept. */
TEST(rows_of_edges_may_have_no_features_at_all)
{
    compare_with_dense_vectors(0);
}

/* The same lane again, lanes in any order, lanes left out. */
TEST(lanes_may_be_added_to_in_any_order)
{
    static struct world world;
    world_start(&world, 5, EDGES, 77);
    for (uint32_t round = 0; round < 40; round++) {
        uint32_t lanes = 2 + rng_below(&world.rng, MOST_LANES - 1);
        world_clear(&world, lanes);
        sentence_make(&world, 6, round % 2 ? 1 : 5, round % 3 == 0);
        for (uint32_t i = 0; i < 7; i++) {
            coefficients_make(&world);
            add_to_lane(&world, rng_below(&world.rng, lanes - 1));
        }
        expect_blocks(&world);
        expect_products(&world);
    }
    world_end(&world);
}

TEST(a_feature_that_occurs_again_is_counted_again)
{
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
    assert_true(lane_dot(&diff, 0, unit) == 10 + 200 + 1200 + 18000 + 10000 - 100000 + 4321);
    double square;
    diff_gram(&diff, &square);
    assert_true(square == 100 + 400 + 144 + 324 + 1 + 1 + 1 + 4 + 9 + 16);
    diff_release(&diff);
}

TEST(rows_of_zeros_cost_nothing)
{
    static struct world world;
    struct vouch_error err = {0};
    world_start(&world, 4, EDGES, 5);
    world_clear(&world, 3);
    sentence_make(&world, 7, 6, true);
    memset(world.coefficient.node, 0, 7 * 4 * sizeof(float));
    memset(world.coefficient.edge, 0, 6 * 16 * sizeof(float));
    assert_true(diff_add(&world.diff, 1, &world.parts, &world.coefficient, &err));
    assert_int_equal(count_blocks(&world.diff), 0);
    expect_products(&world);
    world_end(&world);
}

TEST(clearing_forgets_everything)
{
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

TEST(vectors_grow_as_needed)
{
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
    double gram[LANES * LANES];
    diff_gram(&diff, gram);
    for (uint32_t k = 0; k < LANES; k++)
        assert_true(gram[k] == MANY * 7 / 5 * (1 + 4 + 9 + 16 + 25));
    diff_release(&diff);
    scores_release(&coefficient);
    free(start);
    free(feature);
}

static void random_choice(const struct scores *shape, struct rng *rng, uint32_t *choice)
{
    for (uint32_t n = 0; n < shape->N; n++)
        choice[n] = rng_below(rng, shape->G == shape->N ? shape->width : (shape->N + 1) * shape->width);
}

/* Gold minus a choice has ones where the two differ, in rows that are listed once and in order. */
static void expect_contrast(const struct structure *structure, const struct scores *shape, struct rng *rng)
{
    struct vouch_error err = {0};
    struct scores marked = {0}, contrasted = {0};
    uint32_t gold[MOST_WORDS], choice[MOST_WORDS], node[2 * MOST_WORDS], edge[MOST_WORDS];
    struct contrast rows = {.node = node, .edge = edge};
    size_t width = shape->width, square = width * width;
    assert_true(scores_zero_like(&marked, shape, &err) && scores_zero_like(&contrasted, shape, &err));
    random_choice(shape, rng, gold);
    random_choice(shape, rng, choice);
    for (uint32_t n = 0; n < shape->N; n++)
        choice[n] = rng_below(rng, 2) ? gold[n] : choice[n];
    structure->mark(gold, 1, &marked);
    structure->mark(choice, -1, &marked);
    structure->contrast(gold, choice, &contrasted, &rows);
    assert_memory_equal(marked.node, contrasted.node, shape->G * width * sizeof(float));
    assert_memory_equal(marked.edge, contrasted.edge, shape->E * square * sizeof(float));
    for (uint32_t i = 1; i < rows.nodes; i++)
        assert_true(node[i - 1] < node[i]);
    for (uint32_t i = 1; i < rows.edges; i++)
        assert_true(edge[i - 1] < edge[i]);
    for (uint32_t i = 0; i < rows.nodes; i++)
        memset(contrasted.node + node[i] * width, 0, width * sizeof(float));
    for (uint32_t i = 0; i < rows.edges; i++)
        memset(contrasted.edge + edge[i] * square, 0, square * sizeof(float));
    for (size_t i = 0; i < shape->G * width; i++)
        assert_true(contrasted.node[i] == 0);
    for (size_t i = 0; i < shape->E * square; i++)
        assert_true(contrasted.edge[i] == 0);
    scores_release(&marked);
    scores_release(&contrasted);
}

TEST(choices_are_contrasted_by_rows)
{
    struct rng rng = rng_new(41, 0);
    struct vouch_error err = {0};
    struct scores shape = {0};
    for (uint32_t round = 0; round < 600; round++) {
        uint32_t N = 1 + rng_below(&rng, MOST_WORDS), width = 1 + rng_below(&rng, 5);
        if (round % 4 == 0) {
            assert_true(scores_shape(&shape, N, N * (N + 1), 1, 0, &err));
            expect_contrast(&tree_structure, &shape, &rng);
            continue;
        }
        assert_true(scores_shape(&shape, N, N, width, round % 4 == 1 ? 0 : round % 4 == 2 ? 1 : N - 1, &err));
        expect_contrast(&chain_structure, &shape, &rng);
    }
    scores_release(&shape);
}

/* Rows that are left out, being zero, make no difference, not even to the order of the entries. */
TEST(rows_may_be_listed)
{
    static struct world world, listed;
    static struct entry whole_list[2 * MOST_SIZE], list[2 * MOST_SIZE];
    struct vouch_error err = {0};
    for (uint32_t round = 0; round < 60; round++) {
        uint32_t lanes = 1 + round % MOST_LANES, node[MOST_WORDS], edge[MOST_WORDS];
        world_start(&world, 1 + round % MOST_WIDTH, EDGES, 90 + round);
        world_start(&listed, 1 + round % MOST_WIDTH, EDGES, 0);
        world_clear(&world, lanes);
        world_clear(&listed, lanes);
        sentence_make(&world, MOST_WORDS, round % 2 ? 1 : MOST_WORDS - 1, round % 3 == 0);
        for (uint32_t k = 0; k < lanes; k++) {
            coefficients_make(&world);
            add_to_lane(&world, k);
            struct contrast rows = {.node = node, .edge = edge};
            for (uint32_t g = 0; g < MOST_WORDS; g++)
                if (g % 3 != 1)
                    node[rows.nodes++] = g;
            for (uint32_t g = 0; g < world.parts.edge.count; g++)
                if (g % 3 != 1)
                    edge[rows.edges++] = g;
            assert_true(diff_add_some(&listed.diff, k, &world.parts, &world.coefficient, &rows, &err));
        }
        for (uint32_t k = 0; k < lanes; k++) {
            size_t count = diff_entries(&world.diff, k, whole_list);
            assert_int_equal(diff_entries(&listed.diff, k, list), count);
            for (size_t i = 0; i < count; i++)
                assert_true(list[i].at == whole_list[i].at && list[i].coef == whole_list[i].coef);
        }
        world_end(&world);
        world_end(&listed);
    }
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
TEST(averaging_gives_the_average_of_all_steps)
{
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

TEST(averaging_stays_close_over_many_steps)
{
    static struct averaging a;
    averaging_start(&a, 2);
    for (uint32_t steps = 1; steps <= 20000; steps++)
        averaging_step(&a, 3, 0.0137);
    expect_average(&a, 20000, 1e-3);
    voice_release(&a.voice);
}

TEST(steps_without_a_change_count)
{
    static struct averaging a;
    averaging_start(&a, 3);
    averaging_step(&a, 0, 1);
    averaging_step(&a, 20, 1);
    averaging_step(&a, 0, 1);
    averaging_step(&a, 0, 1);
    expect_average(&a, 4, 0);
    voice_release(&a.voice);
}

TEST(the_average_of_no_steps_is_zero)
{
    static struct averaging a;
    averaging_start(&a, 4);
    float average[48 + SLACK];
    memset(average, 0xFF, sizeof average);
    voice_average(&a.voice, average);
    for (size_t i = 0; i < 48 + SLACK; i++)
        assert_true(average[i] == 0);
    voice_release(&a.voice);
}

TEST(a_voice_keeps_what_the_learner_needs)
{
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
