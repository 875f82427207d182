/*
 * Tests learning from sentences that are labelled in part against lists of all answers: short chains and trees in which
 * every part has a feature of its own, so that weights are scores. A learner that looks on compares what it is given
 * with the derivative of the probability of all answers that agree with what was decided, or with the best of these.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "learn/sentence_loop.h"
#include "tree/tree.h"

#include "test.h"

enum { LONGEST = 4, Y = 3, MOST_ANSWERS = 700, MOST_WEIGHTS = 64, MOST_K = 5, ROUNDS = 60 };

/* A sentence, all answers to it, and what was decided. */
struct world {
    bool tree;
    uint32_t N, edge_rows;
    uint32_t start[LONGEST * (LONGEST + 1) + 1], feature[LONGEST * (LONGEST + 1)];
    struct space space;
    uint32_t answer[MOST_ANSWERS][LONGEST], answers;
    uint32_t gold[LONGEST];
};

static struct world world;
static struct vouch_error err;

static void list_answers(struct world *w)
{
    uint32_t choices = w->tree ? w->N + 1 : Y, all = 1, mark[LONGEST + 1];
    for (uint32_t n = 0; n < w->N; n++)
        all *= choices;
    w->answers = 0;
    for (uint32_t number = 0; number < all; number++) {
        uint32_t *y = w->answer[w->answers], rest = number;
        for (uint32_t n = 0; n < w->N; n++, rest /= choices)
            y[n] = rest % choices;
        bool itself = false;
        for (uint32_t n = 0; n < w->N; n++)
            itself |= w->tree && y[n] == n + 1;
        w->answers += !w->tree || (!itself && tree_is_legal(y, w->N, mark));
        assert_true(w->answers < MOST_ANSWERS);
    }
}

static void make_world(struct world *w, bool tree, uint32_t N, uint32_t edge_rows)
{
    uint32_t groups = tree ? N * (N + 1) : N;
    *w = (struct world){.tree = tree, .N = N, .edge_rows = edge_rows};
    for (uint32_t g = 0; g < groups; g++)
        w->start[g + 1] = (w->feature[g] = g) + 1;
    w->space = (struct space){.width = tree ? 1 : Y, .nodes = groups, .edges = edge_rows};
    assert_true(space_size(&w->space) <= MOST_WEIGHTS);
    list_answers(w);
}

/* Decides some words of one of the answers, so that at least one agrees; the others are open. */
static void decide(struct world *w, struct rng *rng, uint32_t of_four)
{
    const uint32_t *truth = w->answer[rng_below(rng, w->answers)];
    for (uint32_t n = 0; n < w->N; n++)
        w->gold[n] = rng_below(rng, 4) < of_four ? truth[n] : OPEN_CHOICE;
}

static bool agrees(const struct world *w, const uint32_t *y)
{
    for (uint32_t n = 0; n < w->N; n++)
        if (w->gold[n] != OPEN_CHOICE && w->gold[n] != y[n])
            return false;
    return true;
}

/* weight . phi(y), by the definition of the parts; count[i] becomes how often weight i is in it. */
static double score_of(const struct world *w, const double *weight, const uint32_t *y, double *count)
{
    double sum = 0;
    memset(count, 0, sizeof *count * MOST_WEIGHTS);
    for (uint32_t n = 0; n < w->N; n++)
        count[w->tree ? n * (w->N + 1) + y[n] : n * Y + y[n]]++;
    for (uint32_t n = 1; n < w->N && w->edge_rows; n++)
        count[space_edge(&w->space, w->edge_rows == 1 ? 0 : n - 1) + y[n - 1] * Y + y[n]]++;
    for (size_t i = 0; i < space_size(&w->space); i++)
        sum += weight[i] * count[i];
    return sum;
}

/* The log of the probability of all answers that agree. */
static double log_agreement(const struct world *w, const double *weight)
{
    double all = 0, agreeing = 0, count[MOST_WEIGHTS];
    for (uint32_t a = 0; a < w->answers; a++) {
        double e = exp(score_of(w, weight, w->answer[a], count));
        all += e;
        agreeing += agrees(w, w->answer[a]) ? e : 0;
    }
    return log(agreeing / all);
}

static bool get_world(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                      struct vouch_error *error)
{
    static const uint32_t edge_start[] = {0, 1, 2, 3}, edge_feature[] = {0, 1, 2};
    const struct world *w = self;
    uint32_t groups = w->tree ? w->N * (w->N + 1) : w->N;
    (void)i, (void)scratch, (void)error;
    *example = (struct example){
        .parts = {.N = w->N,
                  .node = {.count = groups, .start = w->start, .feature = w->feature},
                  .edge = {.count = w->edge_rows, .start = edge_start, .feature = edge_feature}},
        .gold = w->gold};
    return true;
}

static struct examples world_examples(bool partial)
{
    return (struct examples){.structure = world.tree ? &tree_structure : &chain_structure,
                             .space = world.space,
                             .count = 1,
                             .partial = partial,
                             .self = &world,
                             .get = get_world};
}

/* ---- The learner that looks on ---- */

static struct {
    struct rng rng;
    uint32_t updates;
    double gap;      /* the largest so far */
    double expected; /* loss of the sentence that was seen last */
} seen;

/* Reads lane `lane` of the difference, weight by weight. */
static void read_lane(const struct diff *diff, uint32_t lane, struct scratch *work, double *coefficient)
{
    assert_true(scratch_reserve(work, sizeof(struct entry) * (diff_size(diff) + 1), &err));
    struct entry *entry = (struct entry *)(void *)work->bytes;
    size_t count = diff_entries(diff, lane, entry);
    memset(coefficient, 0, sizeof *coefficient * MOST_WEIGHTS);
    for (size_t i = 0; i < count; i++)
        coefficient[entry[i].at] += entry[i].coef;
}

/* Moves the weights somewhere else, and decides other words. */
static void move_on(struct voice *voice)
{
    for (size_t i = 0; i < space_size(&world.space); i++)
        voice->mean[i] = (float)(4 * rng_uniform(&seen.rng) - 2);
    do
        decide(&world, &seen.rng, 1 + rng_below(&seen.rng, 4));
    while (count_open(world.gold, world.N) == world.N);
    seen.updates++;
}

static void weights_of(const struct voice *voice, double *weight)
{
    for (size_t i = 0; i < space_size(&world.space); i++)
        weight[i] = voice->mean[i];
}

static bool see_gradient(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                         const double *loss, struct scratch *work, struct vouch_error *error)
{
    double weight[MOST_WEIGHTS], gradient[MOST_WEIGHTS];
    const double h = 1e-5;
    (void)options, (void)error;
    weights_of(voice, weight);
    read_lane(diff, 0, work, gradient);
    seen.expected = -log_agreement(&world, weight);
    seen.gap = fmax(seen.gap, fabs(loss[0] - seen.expected) / 10);
    for (size_t i = 0; i < space_size(&world.space); i++) {
        double kept = weight[i];
        weight[i] = kept + h;
        double more = log_agreement(&world, weight);
        weight[i] = kept - h;
        double less = log_agreement(&world, weight);
        weight[i] = kept;
        seen.gap = fmax(seen.gap, fabs(gradient[i] - (more - less) / (2 * h)));
    }
    move_on(voice);
    return true;
}

static struct voice_needs keeps_nothing(const struct learner_options *options)
{
    (void)options;
    return (struct voice_needs){0};
}

/* Lets a learner see the sentence of `world` ROUNDS times. */
static void look_on(const struct learner *learner, uint32_t K, uint64_t stream)
{
    struct examples examples = world_examples(true);
    struct training_options options = {.learner = learner, .parameters = {.K = K}, .passes = ROUNDS, .seed = 1};
    struct voice voice;
    bool stopped;
    memset(&seen, 0, sizeof seen);
    seen.rng = rng_new(31, stream);
    decide(&world, &seen.rng, 4);
    world.gold[0] = OPEN_CHOICE;
    if (!train_voice(&examples, (struct subset){NULL, 1}, &options, &voice, &stopped, &err))
        fail_msg("%s", err.message);
    voice_release(&voice);
}

TEST(the_gradient_is_the_derivative_of_the_probability_of_all_that_agrees)
{
    static const struct learner looking = {
        .name = "looking", .need = NEED_MARGINALS, .keeps = keeps_nothing, .update = see_gradient};
    for (uint32_t tree = 0; tree < 2; tree++)
        for (uint32_t N = 2; N <= LONGEST; N++)
            for (uint32_t edges = 0; edges <= (tree ? 0 : N - 1); edges += edges == 1 && N > 2 ? N - 2 : 1) {
                make_world(&world, tree, N, edges);
                look_on(&looking, 1, tree * 100 + N * 10 + edges);
                assert_int_equal(seen.updates, ROUNDS);
                if (seen.gap > 2e-3) /* coefficients below 1e-3 are left out */
                    fail_msg("tree %u, %u words, %u edge rows: off by %g", tree, N, edges, seen.gap);
            }
}

/* ---- Large-margin learners ---- */

/* Finds the best of all answers, or of those that agree. */
static uint32_t best_of(const double *weight, bool agreeing)
{
    uint32_t best = world.answers;
    double top = -INFINITY, count[MOST_WEIGHTS];
    for (uint32_t a = 0; a < world.answers; a++) {
        double score = score_of(&world, weight, world.answer[a], count);
        if (score > top && (!agreeing || agrees(&world, world.answer[a]))) {
            top = score;
            best = a;
        }
    }
    return best;
}

/* Returns the rank of an answer whose parts the target has more by `lane`; `answers` if there is none. */
static uint32_t answer_of_lane(const double *weight, const double *target, const double *lane)
{
    for (uint32_t a = 0; a < world.answers; a++) {
        double count[MOST_WEIGHTS], gap = 0;
        score_of(&world, weight, world.answer[a], count);
        for (size_t i = 0; i < space_size(&world.space); i++)
            gap = fmax(gap, fabs(target[i] - count[i] - lane[i]));
        if (gap < 1e-6)
            return a;
    }
    return world.answers;
}

static bool see_choices(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                        const double *loss, struct scratch *work, struct vouch_error *error)
{
    double weight[MOST_WEIGHTS], target[MOST_WEIGHTS], lane[MOST_WEIGHTS], worst = INFINITY, count[MOST_WEIGHTS];
    bool taken[MOST_ANSWERS] = {false};
    (void)error;
    weights_of(voice, weight);
    if (seen.updates == 0) { /* all weights are zero, and all answers as good as each other */
        move_on(voice);
        return true;
    }
    score_of(&world, weight, world.answer[best_of(weight, true)], target);
    for (uint32_t k = 0; k < diff->lanes; k++) {
        read_lane(diff, k, work, lane);
        uint32_t a = answer_of_lane(weight, target, lane);
        assert_true(a < world.answers);
        assert_false(taken[a] || agrees(&world, world.answer[a]));
        assert_int_equal(loss[k], wrong_decided(world.gold, world.answer[a], world.N));
        taken[a] = true;
        worst = fmin(worst, score_of(&world, weight, world.answer[a], count));
    }
    uint32_t better = 0; /* every wrong answer that is better than one of the lanes is a lane, or K are better */
    for (uint32_t a = 0; a < world.answers; a++)
        better += score_of(&world, weight, world.answer[a], count) > worst && !taken[a] &&
                  !agrees(&world, world.answer[a]);
    assert_int_equal(better, 0);
    assert_true(diff->lanes <= options->K);
    move_on(voice);
    return true;
}

TEST(the_target_is_the_best_answer_that_agrees)
{
    static const struct learner looking = {
        .name = "looking", .need = NEED_CHOICES, .keeps = keeps_nothing, .update = see_choices};
    for (uint32_t tree = 0; tree < 2; tree++)
        for (uint32_t K = 1; K <= MOST_K; K += MOST_K - 1) {
            make_world(&world, tree, LONGEST, tree ? 0 : 1);
            look_on(&looking, K, 1000 + tree * 10 + K);
            assert_true(seen.updates > 1);
        }
}

/* ---- What is not decided ---- */

static uint32_t told_passes;
static double told_loss;

static bool note_loss(void *context, const struct training *training)
{
    (void)context;
    told_passes++;
    told_loss = training->loss;
    return true;
}

/* Learns the sentence for five passes; `weight` [MOST_WEIGHTS] becomes the mean. */
static void learn(const struct learner *learner, bool partial, float *weight)
{
    struct examples examples = world_examples(partial);
    struct training_options options = {.learner = learner,
                                       .parameters = {.C = 1, .phi = 1, .variance = 1, .rate = 0.5, .l2 = 0.01, .K = 1},
                                       .passes = 5,
                                       .seed = 1,
                                       .tell = note_loss};
    struct voice voice;
    bool stopped;
    told_passes = 0;
    assert_true(train_voice(&examples, (struct subset){NULL, 1}, &options, &voice, &stopped, &err));
    memset(weight, 0, sizeof *weight * MOST_WEIGHTS);
    memcpy(weight, voice.mean, sizeof *weight * space_size(&world.space));
    voice_release(&voice);
}

TEST(a_sentence_in_which_all_is_open_teaches_nothing)
{
    for (const struct learner *const *l = learners; *l; l++)
        for (uint32_t tree = 0; tree < 2; tree++) {
            float weight[MOST_WEIGHTS], nothing[MOST_WEIGHTS] = {0};
            make_world(&world, tree, LONGEST, tree ? 0 : 1);
            for (uint32_t n = 0; n < LONGEST; n++)
                world.gold[n] = OPEN_CHOICE;
            learn(*l, true, weight);
            assert_memory_equal(weight, nothing, sizeof weight);
            assert_int_equal(told_passes, 5);
            assert_true(told_loss == 0);
        }
}

TEST(a_sentence_in_which_all_is_decided_is_learned_as_ever)
{
    for (const struct learner *const *l = learners; *l; l++)
        for (uint32_t tree = 0; tree < 2; tree++) {
            float weight[MOST_WEIGHTS], as_ever[MOST_WEIGHTS];
            make_world(&world, tree, LONGEST, tree ? 0 : 1);
            memcpy(world.gold, world.answer[world.answers / 3], sizeof world.gold);
            learn(*l, false, as_ever);
            learn(*l, true, weight);
            assert_memory_equal(weight, as_ever, sizeof weight);
        }
}

TEST(every_learner_comes_to_agree_with_what_is_decided)
{
    struct rng rng = rng_new(32, 1);
    for (const struct learner *const *l = learners; *l; l++)
        for (uint32_t tree = 0; tree < 2; tree++)
            for (uint32_t times = 0; times < 10; times++) {
                float weight[MOST_WEIGHTS + SLACK] = {0};
                make_world(&world, tree, LONGEST, tree ? 0 : 1);
                decide(&world, &rng, 2);
                learn(*l, true, weight);
                struct examples examples = world_examples(true);
                struct answering work = {0};
                struct example example;
                assert_true(examples_answer(&examples, 0, weight, &work, &example, &err));
                assert_int_equal(wrong_decided(world.gold, work.choice, world.N), 0);
                answering_release(&work);
            }
}

/* Long trees in which the root is decided, too: marginals may go by logarithms there. */
TEST(decided_arcs_are_certain_in_long_trees)
{
    enum { WORDS = 60 };
    struct rng rng = rng_new(33, 1);
    struct scores scores = {0}, agreeing = {0}, marginal = {0};
    struct scratch scratch = {0};
    uint32_t gold[WORDS];
    double log_z, log_agreeing;
    assert_true(scores_shape(&scores, WORDS, WORDS * (WORDS + 1), 1, 0, &err));
    for (uint32_t i = 0; i < scores.G; i++)
        scores.node[i] = (float)(8 * rng_uniform(&rng));
    for (uint32_t n = 0; n < WORDS; n++) /* a tree whose words depend on earlier ones */
        gold[n] = n % 3 ? OPEN_CHOICE : n ? 1 + rng_below(&rng, n) : 0;
    assert_true(scores_that_agree(&scores, gold, &agreeing, &err));
    assert_true(tree_marginals(&scores, 1, &scratch, &marginal, &log_z, &err));
    assert_true(tree_marginals(&agreeing, 1, &scratch, &marginal, &log_agreeing, &err));
    assert_true(log_agreeing < log_z);
    for (uint32_t n = 0; n < WORDS; n++) {
        double sum = 0;
        for (uint32_t h = 0; h <= WORDS; h++)
            sum += marginal.node[tree_group(WORDS, n, h)];
        assert_true(fabs(sum - 1) < 1e-5);
        if (gold[n] != OPEN_CHOICE)
            assert_true(fabs(marginal.node[tree_group(WORDS, n, gold[n])] - 1) < 1e-5);
        assert_true(n == 0 || marginal.node[tree_group(WORDS, n, 0)] == 0);
    }
    scores_release(&scores);
    scores_release(&agreeing);
    scores_release(&marginal);
    scratch_release(&scratch);
}
