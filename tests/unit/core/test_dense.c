/*
 * Tests dense features against the same features listed one by one with their values: scores, differences, learning and
 * draws. Where all numbers are small whole ones, sums are exact, and results must be equal.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "confidence/noise.h"
#include "learn/learn.h"

#include "must.h"
#include "simd_sets.h"
#include "test.h"

enum { SPARSE = 12, LENGTH = 3, MOST_WORDS = 11, MOST_D = 21, MOST_ROWS = MOST_WORDS * (5 * MOST_D + LENGTH) };

/* A sentence with dense features, and the same with all of them listed, the dense ones first. */
struct pair {
    struct space space;
    struct parts dense, listed;
    float vector[MOST_WORDS * MOST_D], listed_value[MOST_ROWS], sparse_value[MOST_WORDS * LENGTH];
    uint32_t start[MOST_WORDS + 1], feature[MOST_WORDS * LENGTH];
    uint32_t listed_start[MOST_WORDS + 1], listed_feature[MOST_ROWS];
    uint32_t edge_start[2], edge_feature[1], gold[MOST_WORDS];
};

static float number(struct rng *rng, bool whole)
{
    return whole ? (float)rng_below(rng, 9) - 4 : (float)(4 * rng_uniform(rng) - 2);
}

static void list_word(struct pair *p, uint32_t N, uint32_t g, uint32_t *at)
{
    const struct dense *dense = &p->dense.dense;
    p->listed_start[g] = *at;
    for (uint32_t o = 0; o <= 2 * dense->window; o++)
        for (uint32_t d = 0; d < dense->D; d++) {
            int64_t word = (int64_t)g + o - dense->window;
            if (word < 0 || word >= N)
                continue;
            p->listed_feature[*at] = o * dense->D + d;
            p->listed_value[(*at)++] = p->vector[word * dense->D + d];
        }
    for (uint32_t i = p->start[g]; i < p->start[g + 1]; i++) {
        p->listed_feature[*at] = p->feature[i];
        p->listed_value[(*at)++] = p->dense.node.value ? p->sparse_value[i] : 1;
    }
}

/* Makes a sentence of N words; every third has no sparse features. */
static void pair_make(struct rng *rng, struct pair *p, const struct vector_shape *shape, uint32_t width, uint32_t N,
                      bool whole)
{
    uint32_t dense = vector_features(shape), at = 0;
    memset(p, 0, sizeof *p);
    p->space = (struct space){.width = width, .nodes = dense + SPARSE, .edges = 1};
    for (uint32_t i = 0; i < N * shape->D; i++)
        p->vector[i] = rng_below(rng, 7) ? number(rng, whole) : 0;
    for (uint32_t g = 0; g < N; g++)
        p->start[g + 1] = p->start[g] + (g % 3 == 2 ? 0 : LENGTH);
    for (uint32_t i = 0; i < p->start[N]; i++) {
        p->feature[i] = dense + rng_below(rng, SPARSE);
        p->sparse_value[i] = number(rng, whole);
    }
    p->edge_start[1] = 1;
    bool values = rng_below(rng, 2);
    struct rows edge = {N ? 1 : 0, p->edge_start, p->edge_feature, NULL};
    p->dense = (struct parts){.N = N,
                              .node = {N, p->start, p->feature, values ? p->sparse_value : NULL},
                              .edge = edge,
                              .dense = {shape->D, shape->window, p->vector}};
    for (uint32_t g = 0; g < N; g++) {
        list_word(p, N, g, &at);
        p->gold[g] = rng_below(rng, width);
    }
    p->listed_start[N] = at;
    p->listed = (struct parts){.N = N, .node = {N, p->listed_start, p->listed_feature, p->listed_value}, .edge = edge};
}

/* Makes a sentence of any kind. */
static void pair_any(struct rng *rng, struct pair *p, bool whole)
{
    struct vector_shape shape = {.D = 1 + rng_below(rng, MOST_D), .window = rng_below(rng, 3)};
    static const uint32_t widths[] = {1, 2, 3, 4, 5, 9, 12, 16, 17, 33};
    pair_make(rng, p, &shape, widths[rng_below(rng, 10)], rng_below(rng, MOST_WORDS + 1), whole);
}

static float *numbers(struct rng *rng, size_t count, bool whole)
{
    float *array = malloc(sizeof *array * count);
    assert_non_null(array);
    for (size_t i = 0; i < count; i++)
        array[i] = number(rng, whole);
    return array;
}

TEST(scores_are_those_of_listed_features)
{
    struct rng rng = rng_new(1, 0);
    struct scores a = {0}, b = {0};
    for (int round = 0; round < 600; round++) {
        static struct pair p;
        pair_any(&rng, &p, true);
        float *weight = numbers(&rng, space_size(&p.space) + SLACK, true);
        MUST(parts_score(&p.dense, &p.space, weight, &a, &err));
        MUST(parts_score(&p.listed, &p.space, weight, &b, &err));
        assert_memory_equal(a.node, b.node, sizeof *a.node * p.dense.N * p.space.width);
        free(weight);
    }
    scores_release(&a);
    scores_release(&b);
}

/* What is behind the weights of dense features is read, and must not matter. */
TEST(instruction_sets_give_the_same_bits)
{
    struct rng rng = rng_new(2, 0);
    for (int round = 0; round < 300; round++) {
        static struct pair p;
        static float score[SIMD_SETS][MOST_WORDS * 40], coef[SIMD_SETS][MOST_D * 3 * 40];
        pair_any(&rng, &p, false);
        size_t width = p.space.width, stride = (width + 3) / 4 * 4, D = p.dense.dense.D;
        float *weight = numbers(&rng, space_size(&p.space) + SLACK, false), by[40] = {0};
        memset(score, 0, sizeof score);
        memset(coef, 0, sizeof coef);
        for (size_t j = 0; j < width; j++)
            by[j] = number(&rng, false);
        EACH_SIMD_SET
        {
            dense_score(&p.dense.dense, p.dense.N, weight, width, score[simd_set]);
            dense_outer(&(struct dense_outer){coef[simd_set], 3 * stride, stride, D, p.vector, by});
            assert_memory_equal(score[0], score[simd_set], sizeof score[0]);
            assert_memory_equal(coef[0], coef[simd_set], sizeof coef[0]);
        }
        for (size_t i = space_size(&p.space); i < space_size(&p.space) + SLACK; i++)
            weight[i] = NAN;
        memset(score[1], 0, sizeof score[1]);
        dense_score(&p.dense.dense, p.dense.N, weight, width, score[1]);
        assert_memory_equal(score[0], score[1], sizeof score[0]);
        free(weight);
    }
}

/* Lists a lane as a vector of all weights. */
static float *lane_of(const struct diff *diff, const struct space *space, uint32_t lane)
{
    struct entry *entry = malloc(sizeof *entry * (diff_size(diff) + 1));
    float *all = calloc(space_size(space), sizeof *all);
    assert_non_null(entry);
    assert_non_null(all);
    size_t count = diff_entries(diff, lane, entry);
    for (size_t i = 0; i < count; i++) {
        assert_true(entry[i].at < space_size(space) && entry[i].coef != 0);
        all[entry[i].at] += entry[i].coef;
    }
    free(entry);
    return all;
}

TEST(differences_are_those_of_listed_features)
{
    enum { MOST_LANES = 4 };
    struct rng rng = rng_new(3, 0);
    for (int round = 0; round < 400; round++) {
        static struct pair p;
        struct diff a, b;
        struct scores c = {0};
        double gram[2][MOST_LANES * MOST_LANES];
        pair_any(&rng, &p, true);
        MUST(diff_init(&a, &p.space, &err));
        MUST(diff_init(&b, &p.space, &err));
        for (int again = 0; again < 3; again++) {
            uint32_t lanes = 1 + rng_below(&rng, MOST_LANES);
            diff_clear(&a, lanes);
            diff_clear(&b, lanes);
            MUST(scores_shape(&c, p.dense.N, p.dense.N, p.space.width, p.dense.edge.count, &err));
            for (uint32_t lane = 0; lane < lanes; lane++) {
                for (size_t i = 0; i < (size_t)p.dense.N * p.space.width; i++)
                    c.node[i] = i / p.space.width % 3 == 1 || rng_below(&rng, 3) ? 0 : number(&rng, true);
                for (size_t i = 0; i < (size_t)p.dense.edge.count * p.space.width * p.space.width; i++)
                    c.edge[i] = number(&rng, true);
                MUST(diff_add(&a, lane, &p.dense, &c, &err));
                MUST(diff_add(&b, lane, &p.listed, &c, &err));
            }
            diff_gram(&a, gram[0]);
            diff_gram(&b, gram[1]);
            assert_memory_equal(gram[0], gram[1], sizeof gram[0][0] * lanes * lanes);
            for (uint32_t lane = 0; lane < lanes; lane++) {
                float *left = lane_of(&a, &p.space, lane), *right = lane_of(&b, &p.space, lane);
                for (size_t i = 0; i < space_size(&p.space); i++)
                    assert_true(left[i] == right[i]);
                free(left);
                free(right);
            }
        }
        scores_release(&c);
        diff_release(&a);
        diff_release(&b);
    }
}

enum { SENTENCES = 30 };

/* Sentences of one shape, as learning sees them. */
struct corpus {
    struct pair pair[SENTENCES];
    bool listed;
};

static bool get(const void *self, uint32_t i, struct scratch *scratch, struct example *example, struct vouch_error *e)
{
    (void)scratch, (void)e;
    const struct corpus *corpus = self;
    const struct pair *p = &corpus->pair[i];
    *example = (struct example){.parts = corpus->listed ? p->listed : p->dense, .gold = p->gold};
    return true;
}

static void learn(struct corpus *corpus, const struct learner *learner, bool listed, struct voice *voice)
{
    corpus->listed = listed;
    struct examples examples = {&chain_structure, corpus->pair[0].space, SENTENCES, corpus, get};
    struct training_options options = {.learner = learner,
                                       .parameters = {.C = 0.05, .phi = 1, .variance = 1, .rate = 0.1, .l2 = 0.05},
                                       .passes = 2,
                                       .seed = 5};
    options.parameters.K = learner == &perceptron ? 1 : 3;
    bool stopped;
    MUST(train_voice(&examples, (struct subset){NULL, SENTENCES}, &options, voice, &stopped, &err));
}

/* Two passes are few enough for rounding not to change what is learned from. */
TEST(learning_is_that_of_listed_features)
{
    static struct corpus corpus;
    struct rng rng = rng_new(4, 0);
    struct vector_shape shape = {.D = 10, .window = 1};
    for (int i = 0; i < SENTENCES; i++)
        pair_make(&rng, &corpus.pair[i], &shape, 5, 2 + rng_below(&rng, 6), false);
    for (size_t i = 0; learners[i]; i++) {
        struct voice a, b;
        learn(&corpus, learners[i], false, &a);
        learn(&corpus, learners[i], true, &b);
        double size = 0;
        for (size_t w = 0; w < a.size; w++) {
            size = fmax(size, fabs((double)a.mean[w]));
            if (fabs((double)a.mean[w] - b.mean[w]) > 2e-4)
                fail_msg("%s: weight %zu is %g, expected %g", learners[i]->name, w, (double)a.mean[w],
                         (double)b.mean[w]);
            if (a.var && fabs((double)a.var[w] / b.var[w] - 1) > 2e-4)
                fail_msg("%s: variance %zu is %g, expected %g", learners[i]->name, w, (double)a.var[w],
                         (double)b.var[w]);
        }
        assert_true(size > 0.01);
        voice_release(&a);
        voice_release(&b);
    }
}

/* Returns the score of word g, label j in draw k, by its definition. */
static double drawn(const struct pair *p, const struct drawing *d, uint32_t g, uint32_t j, uint32_t k)
{
    double sum = 0;
    const struct rows *rows = &p->listed.node;
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        size_t at = space_node(&p->space, rows->feature[i]) + j;
        double z = noise_at(d, rows->feature[i], j, k) / 128.0;
        sum += rows->value[i] * (d->mean[at] + sqrt(d->s * (d->var ? (double)d->var[at] : 1)) * z);
    }
    return sum;
}

TEST(draws_are_those_of_single_weights)
{
    enum { K = 40 };
    struct rng rng = rng_new(5, 0);
    struct noise *noise = noise_new(7, &err);
    struct noise_work *work = noise_work_new(&err);
    struct scores scores = {0};
    struct lanes lanes = {0}, first = {0};
    MUST(noise && work);
    for (int round = 0; round < 60; round++) {
        static struct pair p;
        pair_any(&rng, &p, false);
        size_t size = space_size(&p.space);
        float *mean = numbers(&rng, size + SLACK, false), *var = numbers(&rng, size + SLACK, false);
        for (size_t i = 0; i < size; i++)
            var[i] = fabsf(var[i]);
        struct drawing d = {.noise = noise, .key = 3, .K = K, .s = 0.5, .space = &p.space, .mean = mean};
        d.var = round % 2 ? var : NULL;
        MUST(parts_score(&p.dense, &p.space, mean, &scores, &err));
        EACH_SIMD_SET
        {
            struct lanes *to = simd_set ? &lanes : &first;
            MUST(noise_score(&d, &p.dense, &scores, work, to, &err));
            MUST(lanes_bring(to, 0, p.dense.N, &err));
            assert_memory_equal(to->node, first.node, sizeof *to->node * p.dense.N * p.space.width * first.stride);
        }
        for (uint32_t g = 0; g < p.dense.N; g++)
            for (uint32_t j = 0; j < p.space.width; j++) {
                for (uint32_t k = 0; k < K; k++) {
                    double expected = drawn(&p, &d, g, j, k);
                    assert_true(fabs(lanes_node(&first, g)[j * first.stride + k] - expected) < 1e-3);
                }
                double theirs = noise_variance(&d, &p.listed, g, j);
                assert_true(fabs(noise_variance(&d, &p.dense, g, j) - theirs) <= 1e-9 * theirs);
            }
        free(mean);
        free(var);
    }
    noise_work_free(work);
    lanes_release(&lanes);
    lanes_release(&first);
    scores_release(&scores);
    noise_free(noise);
}
