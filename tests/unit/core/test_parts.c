/* Tests the scoring kernel against a plain sum over the features in their order: equal to the last bit. */
#include "base/random.h"
#include "core/parts.h"

#include "test.h"

enum { NODES = 23, EDGES = 5, MOST_ROWS = 12, MOST_FEATURES = 200 };

enum edges { EDGES_NONE, EDGES_SHARED, EDGES_EACH };

/* Rows with their own memory. */
struct row_store {
    uint32_t start[MOST_ROWS + 1], feature[MOST_FEATURES];
    float value[MOST_FEATURES];
};

struct world {
    struct rng rng;
    struct space space;
    float *weight;
    struct row_store node, edge;
    struct parts parts;
    struct scores scores;
};

static float any_float(struct rng *rng)
{
    return (float)((rng_uniform(rng) - 0.5) * 8);
}

/* Exactly as much memory as is promised, with a slack that spoils every sum it gets into. */
static void weights_make(struct world *world)
{
    size_t size = space_size(&world->space);
    world->weight = malloc((size + SLACK) * sizeof *world->weight);
    assert_non_null(world->weight);
    for (size_t i = 0; i < size + SLACK; i++)
        world->weight[i] = i < size ? any_float(&world->rng) : NAN;
}

/* Rows of 0 to 15 features, some of them repeated, the first and the last feature among them. */
static struct rows rows_make(struct world *world, struct row_store *store, uint32_t count, uint32_t features,
                             bool values)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < count; g++) {
        store->start[g] = at;
        uint32_t length = g == 1 ? 0 : rng_below(&world->rng, 16);
        for (uint32_t i = 0; i < length; i++, at++) {
            store->feature[at] = i == 3 ? features - 1 : i == 4 ? 0 : rng_below(&world->rng, features);
            store->value[at] = any_float(&world->rng);
        }
    }
    store->start[count] = at;
    return (struct rows){count, store->start, store->feature, values ? store->value : NULL};
}

static void world_make(struct world *world, uint32_t width, uint32_t N, enum edges edges, bool values)
{
    world->space = (struct space){width, NODES, EDGES};
    weights_make(world);
    uint32_t edge_rows = edges == EDGES_NONE ? 0 : edges == EDGES_SHARED ? 1 : N - 1;
    world->parts = (struct parts){
        .N = N,
        .node = rows_make(world, &world->node, N, NODES, values),
        .edge = rows_make(world, &world->edge, edge_rows, EDGES, values),
    };
}

static void expect_row(const struct rows *rows, uint32_t g, const float *block, size_t size, const float *found)
{
    uint32_t strands = size == 1 ? 4 : 1; /* a block of one part is summed by every fourth feature */
    for (size_t j = 0; j < size; j++) {
        volatile float sum[4] = {0};
        for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
            volatile float term = block[rows->feature[i] * size + j];
            if (rows->value)
                term = rows->value[i] * term;
            uint32_t strand = (i - rows->start[g]) % strands;
            sum[strand] = sum[strand] + term;
        }
        volatile float left = sum[0] + sum[1], right = sum[2] + sum[3];
        float expected = left + right;
        assert_memory_equal(&found[j], &expected, sizeof expected);
    }
}

static void expect_scores(struct world *world)
{
    struct vouch_error err = {0};
    const struct space *space = &world->space;
    const struct parts *parts = &world->parts;
    struct scores *scores = &world->scores;
    size_t width = space->width, square = width * width;
    assert_true(parts_score(parts, space, world->weight, scores, &err));
    assert_int_equal(scores->N, parts->N);
    assert_int_equal(scores->G, parts->node.count);
    assert_int_equal(scores->width, width);
    assert_int_equal(scores->E, parts->edge.count);
    for (uint32_t g = 0; g < parts->node.count; g++)
        expect_row(&parts->node, g, world->weight, width, scores->node + g * width);
    const float *edge_weight = world->weight + NODES * width;
    for (uint32_t e = 0; e < parts->edge.count; e++)
        expect_row(&parts->edge, e, edge_weight, square, scores->edge + e * square);
    for (uint32_t right = 1; parts->edge.count > 0 && right < parts->N; right++) {
        size_t block = parts->edge.count == 1 ? 0 : right - 1;
        assert_ptr_equal(scores_edge(scores, right), scores->edge + block * square);
    }
}

static void expect_scores_of_width(struct world *world, uint32_t width)
{
    for (uint32_t N = 1; N <= MOST_ROWS; N++) {
        for (enum edges edges = EDGES_NONE; edges <= EDGES_EACH; edges++) {
            for (int values = 0; values <= 1; values++) {
                world_make(world, width, N, edges, values);
                expect_scores(world);
                free(world->weight);
            }
        }
    }
}

TEST(every_width_gives_the_plain_sum)
{
    static struct world world;
    world.rng = rng_new(1, 0);
    for (uint32_t width = 1; width <= 20; width++)
        expect_scores_of_width(&world, width);
    expect_scores_of_width(&world, 45);
    scores_release(&world.scores);
}

/* Scores are used again for the next sentence, whatever its size: nothing of the last one may show. */
TEST(what_was_in_the_scores_before_does_not_matter)
{
    static struct world world;
    static const uint32_t widths[] = {45, 1, 17, 3, 20, 2};
    world.rng = rng_new(2, 0);
    for (int i = 0; i < 60; i++) {
        uint32_t N = 1 + rng_below(&world.rng, MOST_ROWS);
        world_make(&world, widths[i % 6], N, (enum edges)(i % 3), i % 2);
        for (size_t j = 0; j < world.scores.node_capacity; j++)
            world.scores.node[j] = NAN;
        for (size_t j = 0; j < world.scores.edge_capacity; j++)
            world.scores.edge[j] = NAN;
        expect_scores(&world);
        free(world.weight);
    }
    scores_release(&world.scores);
}

/* Adding 1 to 2^25 changes nothing; the order of the features decides what is left. */
TEST(features_are_added_in_their_order)
{
    struct space space = {1, 3, 0};
    float weight[3 + SLACK] = {33554432.0f, 1.0f, -33554432.0f};
    static const uint32_t start[] = {0, 3, 6}, feature[] = {0, 1, 2, 0, 2, 1};
    struct parts parts = {.N = 2, .node = {2, start, feature, NULL}};
    struct scores scores = {0};
    struct vouch_error err = {0};
    assert_true(parts_score(&parts, &space, weight, &scores, &err));
    assert_true(scores.node[0] == 0);
    assert_true(scores.node[1] == 1);
    scores_release(&scores);
}

TEST(groups_need_not_be_words)
{
    struct space space = {2, 2, 0};
    float weight[4 + SLACK] = {1, 2, 10, 20};
    static const uint32_t start[] = {0, 1, 2, 4, 4, 5, 7}, feature[] = {0, 1, 0, 1, 1, 0, 0};
    static const float expected[] = {1, 2, 10, 20, 11, 22, 0, 0, 10, 20, 2, 4};
    struct parts parts = {.N = 2, .node = {6, start, feature, NULL}};
    struct scores scores = {0};
    struct vouch_error err = {0};
    assert_true(parts_score(&parts, &space, weight, &scores, &err));
    assert_int_equal(scores.N, 2);
    assert_int_equal(scores.G, 6);
    assert_memory_equal(scores.node, expected, sizeof expected);
    scores_release(&scores);
}

TEST(weights_lie_nodes_first_then_edges)
{
    struct space space = {4, 100, 7};
    assert_int_equal(space_node(&space, 0), 0);
    assert_int_equal(space_node(&space, 99), 396);
    assert_int_equal(space_edge(&space, 0), 400);
    assert_int_equal(space_edge(&space, 6), 496);
    assert_int_equal(space_size(&space), 512);
    struct space large = {4000, 4000000, 1000};
    assert_true(space_size(&large) == (size_t)4000 * 4000000 + (size_t)1000 * 4000 * 4000);
}
