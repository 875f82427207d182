/*
 * Tests the numbers of noise: what they depend on and what not, that drawn models agree as often as with independent
 * Gaussian noise, and their variance against theory.
 */
#include "noise_problem.h"

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
