/*
 * Tests the second stage of parsing: which arcs are likely, by listing all trees; that its scores are offsets and
 * weights; and what its features look at.
 */
#include "base/random.h"
#include "task/stacked_arcs.h"
#include "tree/tree.h"

#include "must.h"
#include "test.h"

#include <math.h>

enum { MOST = 4, BITS = 12, LIKELY_BITS = 14 };

static void make_words(struct arc_word *word, uint32_t N, struct rng *rng)
{
    for (uint32_t i = 0; i < N; i++)
        word[i] = (struct arc_word){.form = 10 + rng_below(rng, 50),
                                    .lemma = 10 + rng_below(rng, 40),
                                    .tag = 10 + rng_below(rng, 6),
                                    .ending = 10 + rng_below(rng, 30),
                                    .kind = OTHER_WORDS};
}

/* A first stage with weights at random, and a sentence that it has answered. */
struct answered {
    struct arc_word word[30];
    uint32_t N;
    float *mean;
    struct space space;
    struct weight_steps steps;
    struct first_stage stage;
    struct first_work work;
    struct first_tree *tree;
    struct scratch scratch;
    struct parts parts;
};

static void answer(struct answered *a, uint32_t N, float scale, uint64_t seed)
{
    struct rng rng = rng_new(seed, 1);
    *a = (struct answered){.N = N, .space = {.width = 1, .nodes = 1 << BITS}};
    make_words(a->word, N, &rng);
    a->mean = calloc((1 << BITS) + SLACK, sizeof *a->mean);
    for (uint32_t i = 0; i < 1 << BITS; i++)
        a->mean[i] = scale * (float)(rng_uniform(&rng) - 0.5);
    a->stage = (struct first_stage){BITS, &a->space, a->mean, &a->steps};
    a->tree = first_tree_find(&a->stage, a->word, N, &a->work, &err);
    assert_non_null(a->tree);
    MUST(stacked_parts(a->word, a->tree, LIKELY_BITS, &a->scratch, &a->parts, &err));
}

static void clear(struct answered *a)
{
    free(a->mean);
    free(a->tree);
    first_work_release(&a->work);
    scratch_release(&a->scratch);
}

/* Goes through all trees of N words with one root; sums up exp(score) of all, and of those with each arc. */
static double list_trees(const struct scores *scores, uint32_t N, double *with /* [N][N + 1] */)
{
    uint32_t head[MOST] = {0}, mark[MOST + 1], n = 0;
    double all = 0;
    memset(with, 0, sizeof *with * N * (N + 1));
    while (n < N) {
        if (tree_is_legal(head, N, mark)) {
            double sum = 0;
            for (uint32_t m = 0; m < N; m++)
                sum += (double)scores->node[tree_group(N, m, head[m])];
            all += exp(sum);
            for (uint32_t m = 0; m < N; m++)
                with[tree_group(N, m, head[m])] += exp(sum);
        }
        for (n = 0; n < N && ++head[n] > N; n++)
            head[n] = 0;
    }
    return all;
}

static uint32_t features_of(const struct answered *a, uint32_t m, uint32_t h)
{
    size_t g = tree_group(a->N, m, h);
    return a->parts.node.start[g + 1] - a->parts.node.start[g];
}

TEST(arcs_with_features_are_those_that_a_list_of_all_trees_finds_likely)
{
    uint32_t likely = 0, unlikely = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct answered a;
        double with[MOST * (MOST + 1)];
        uint32_t N = 1 + (uint32_t)seed % MOST;
        answer(&a, N, seed % 3 ? 1.5f : 0.2f, seed);
        double all = list_trees(&a.work.scores, N, with);
        for (uint32_t m = 0; m < N; m++)
            for (uint32_t h = 0; h <= N; h++) {
                double p = with[tree_group(N, m, h)] / all;
                if (h == m + 1 || fabs(p - 0.002) < 1e-5)
                    continue;
                bool found = features_of(&a, m, h) > 1;
                assert_int_equal(found, p > 0.002 || a.tree->head[m] == h);
                likely += found;
                unlikely += !found;
            }
        clear(&a);
    }
    assert_true(likely > 100 && unlikely > 20);
}

/* Probabilities of the second stage are those of all trees by offset plus weights, and no arc is impossible. */
TEST(marginals_of_the_second_stage_are_those_of_all_trees)
{
    struct space space = {.width = 1, .nodes = 1 << LIKELY_BITS};
    float *weight = calloc((1 << LIKELY_BITS) + SLACK, sizeof *weight);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct answered a;
        struct scores scores = {0}, marginal = {0};
        struct scratch scratch = {0};
        struct rng rng = rng_new(seed, 2);
        double with[MOST * (MOST + 1)], log_z;
        uint32_t N = 1 + (uint32_t)seed % MOST;
        for (uint32_t i = 0; i < 1 << LIKELY_BITS; i++)
            weight[i] = 0.3f * (float)(rng_uniform(&rng) - 0.5);
        answer(&a, N, 1.5f, seed);
        MUST(parts_score(&a.parts, &space, weight, &scores, &err));
        for (uint32_t m = 0; m < N; m++)
            for (uint32_t h = 0; h <= N; h++) {
                size_t g = tree_group(N, m, h);
                float sum = 0;
                for (uint32_t k = a.parts.node.start[g]; k < a.parts.node.start[g + 1]; k++)
                    sum += weight[a.parts.node.feature[k]];
                assert_true(fabsf(scores.node[g] - (sum + a.parts.offset[g])) < 1e-4f);
            }
        MUST(tree_marginals(&scores, 1, &scratch, &marginal, &log_z, &err));
        double all = list_trees(&scores, N, with);
        assert_true(fabs(log_z - log(all)) < 1e-4);
        for (uint32_t m = 0; m < N; m++)
            for (uint32_t h = 0; h <= N; h++)
                if (h != m + 1) {
                    double p = with[tree_group(N, m, h)] / all;
                    assert_true(fabs((double)marginal.node[tree_group(N, m, h)] - p) < 1e-5);
                    assert_true(N == 1 || marginal.node[tree_group(N, m, h)] > 0);
                }
        scores_release(&scores);
        scores_release(&marginal);
        scratch_release(&scratch);
        clear(&a);
    }
    free(weight);
}

/* Without weights of its own, the second stage answers with the first one's tree. */
TEST(the_second_stage_begins_with_the_answer_of_the_first)
{
    struct space space = {.width = 1, .nodes = 1 << LIKELY_BITS};
    float *none = calloc((1 << LIKELY_BITS) + SLACK, sizeof *none);
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct answered a;
        struct scores scores = {0};
        struct scratch scratch = {0};
        uint32_t choice[30], N = 1 + (uint32_t)seed % 30;
        double score, first;
        answer(&a, N, 1, seed);
        MUST(tree_best(&a.work.scores, &scratch, choice, &first, &err));
        assert_memory_equal(choice, a.tree->head, sizeof *choice * N);
        MUST(parts_score(&a.parts, &space, none, &scores, &err));
        MUST(tree_best(&scores, &scratch, choice, &score, &err));
        assert_memory_equal(choice, a.tree->head, sizeof *choice * N);
        scores_release(&scores);
        scratch_release(&scratch);
        clear(&a);
    }
    free(none);
}

/* Another tree around an arc changes its features. */
TEST(features_look_at_the_tree_around_an_arc)
{
    struct answered a;
    struct scratch scratch = {0};
    struct parts parts;
    answer(&a, 12, 0.1f, 3); /* nearly all arcs are likely */
    uint32_t *head = a.tree->head, changed = 0, likely = 0;
    uint32_t moved = 5, old = head[moved - 1], other = old == 9 ? 8 : 9;
    head[moved - 1] = other;
    MUST(stacked_parts(a.word, a.tree, LIKELY_BITS, &scratch, &parts, &err));
    for (uint32_t m = 0; m < 12; m++)
        for (uint32_t h = 0; h <= 12; h++) {
            size_t g = tree_group(12, m, h);
            uint32_t from = a.parts.node.start[g], to = parts.node.start[g], count = features_of(&a, m, h);
            if (count <= 1)
                continue;
            bool same = memcmp(a.parts.node.feature + from, parts.node.feature + to, sizeof from * count) == 0;
            likely++;
            changed += !same;
            if (m + 1 == moved || h == other || h == old) /* its own arcs; those that would be beside it, or were */
                assert_false(same);
        }
    assert_true(likely > 60 && changed < likely);
    scratch_release(&scratch);
    clear(&a);
}

TEST(a_tree_that_is_sent_has_its_size)
{
    struct answered a;
    answer(&a, 7, 1, 1);
    size_t size = first_tree_size(a.tree);
    char *bytes = malloc(size + 1);
    memcpy(bytes + 1, a.tree, size); /* at an odd address */
    assert_int_equal(first_tree_sent(bytes + 1), size);
    free(bytes);
    clear(&a);
}
