/*
 * Tests the training loop on a toy problem that can be learned without error.
 *
 * Words 0 and 1 are outside (label O); words 2 and 3 make up chunks, the first
 * of each labelled B and the others I. The word alone cannot tell B from I, the
 * label before it can: B costs nothing after O or at the start, I after B or I.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "learn/learn.h"

#include "test.h"

enum { O, B, I, Y, WORDS = 4, LONGEST = 8, MOST = 3000, PASSES = 10, SMALL = 60 };

struct toy {
    uint32_t N[MOST], word[MOST][LONGEST], gold[MOST][LONGEST];
    uint32_t broken; /* get() of this sentence fails */
};

static struct toy toy;
static struct vouch_error err;

static bool toy_get(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                    struct vouch_error *error)
{
    static const uint32_t start[LONGEST + 1] = {0, 1, 2, 3, 4, 5, 6, 7, 8}, edge[] = {0};
    (void)scratch;
    const struct toy *t = self;
    if (i == t->broken) {
        error->status = VOUCH_ERR_IO;
        snprintf(error->message, sizeof error->message, "sentence %u is broken", i);
        return false;
    }
    *example = (struct example){.parts = {.N = t->N[i],
                                          .node = {.count = t->N[i], .start = start, .feature = t->word[i]},
                                          .edge = {.count = 1, .start = start, .feature = edge}},
                                .gold = t->gold[i]};
    return true;
}

static struct examples toy_examples(uint32_t count)
{
    return (struct examples){.structure = &chain_structure,
                             .space = {.width = Y, .nodes = WORDS, .edges = 1},
                             .count = count,
                             .self = &toy,
                             .get = toy_get};
}

FIXTURE(make_toy)
{
    struct rng rng = rng_new(42, 1);
    toy.broken = UINT32_MAX;
    for (uint32_t i = 0; i < MOST; i++) {
        toy.N[i] = i ? 1 + rng_below(&rng, LONGEST) : 4;
        for (uint32_t t = 0; t < toy.N[i]; t++) {
            uint32_t word = i ? rng_below(&rng, WORDS) : t;
            toy.word[i][t] = word;
            toy.gold[i][t] = word < 2 ? O : t && toy.gold[i][t - 1] != O ? I : B;
        }
    }
    return 0;
}

FILE_FIXTURE(make_toy, NULL);

static const uint32_t *numbers(void)
{
    static uint32_t number[MOST];
    for (uint32_t i = 0; i < MOST; i++)
        number[i] = i;
    return number;
}

static struct training_options options_for(const struct learner *learner)
{
    return (struct training_options){.learner = learner,
                                     .parameters = {.C = 1, .phi = 1, .variance = 1, .rate = 0.5, .l2 = 0.01, .K = 1},
                                     .passes = PASSES,
                                     .seed = 7};
}

/* Trains on the first `count` sentences; the caller releases the voice. */
static bool train(struct training_options options, uint32_t count, struct voice *voice)
{
    struct examples examples = toy_examples(count);
    bool stopped;
    if (!train_voice(&examples, (struct subset){numbers(), count}, &options, voice, &stopped, &err))
        fail_msg("%s", err.message);
    return stopped;
}

/* Wrong words among the first `count` sentences. */
static uint32_t errors_of(const float *weight, uint32_t count)
{
    struct examples examples = toy_examples(count);
    struct scores scores = {0};
    struct scratch scratch = {0};
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct example example;
        uint32_t choice[LONGEST];
        double score;
        assert_true(toy_get(&toy, i, &scratch, &example, &err));
        assert_true(parts_score(&example.parts, &examples.space, weight, &scores, &err));
        assert_true(chain_viterbi(&scores, &scratch, choice, &score, &err));
        for (uint32_t t = 0; t < example.parts.N; t++)
            wrong += choice[t] != example.gold[t];
    }
    scores_release(&scores);
    scratch_release(&scratch);
    return wrong;
}

static uint32_t toy_words(void)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < MOST; i++)
        words += toy.N[i];
    return words;
}

static uint32_t averaged_errors(const struct voice *voice, uint32_t count)
{
    float *weight = malloc(sizeof *weight * (voice->size + SLACK));
    voice_average(voice, weight);
    for (size_t i = 0; i < voice->size; i++)
        assert_true(isfinite(weight[i]));
    uint32_t wrong = errors_of(weight, count);
    free(weight);
    return wrong;
}

static bool same_bits(const float *a, const float *b, size_t count)
{
    return (!a && !b) || (a && b && memcmp(a, b, sizeof *a * count) == 0);
}

static bool same_voice(const struct voice *a, const struct voice *b)
{
    return a->size == b->size && a->steps == b->steps && same_bits(a->mean, b->mean, a->size + SLACK) &&
           same_bits(a->late, b->late, a->size) && same_bits(a->var, b->var, a->size) &&
           same_bits(a->square, b->square, a->size);
}

TEST(every_learner_learns_the_toy)
{
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (uint32_t K = 1; K <= 5; K += 4) {
            struct training_options options = options_for(*learner);
            struct voice voice;
            options.parameters.K = K;
            assert_false(train(options, SMALL, &voice));
            uint32_t wrong = averaged_errors(&voice, SMALL);
            if (wrong)
                fail_msg("%s, K = %u: %u words are still wrong", (*learner)->name, K, wrong);
            assert_int_equal(averaged_errors(&voice, MOST), 0); /* and what holds for these holds for all */
            voice_release(&voice);
        }
}

TEST(every_covariance_learns_the_toy)
{
    for (int covariance = COVARIANCE_FULL; covariance <= COVARIANCE_EXACT; covariance++) {
        struct training_options options = options_for(&confidence_weighted);
        struct voice voice;
        options.parameters.covariance = (enum covariance)covariance;
        assert_false(train(options, SMALL, &voice));
        uint32_t wrong = averaged_errors(&voice, SMALL);
        if (wrong)
            fail_msg("covariance %d: %u words are still wrong", covariance, wrong);
        for (size_t i = 0; i < voice.size; i++)
            assert_true(voice.var[i] > 0 && voice.var[i] <= 1);
        voice_release(&voice);
    }
}

TEST(the_same_seed_gives_the_same_bits_and_another_does_not)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct training_options options = options_for(*learner);
        struct voice one, again, other;
        options.passes = 2;
        train(options, SMALL, &one);
        train(options, SMALL, &again);
        options.seed = 8;
        train(options, SMALL, &other);
        assert_true(same_voice(&one, &again));
        if (same_voice(&one, &other))
            fail_msg("%s does not depend on the seed", (*learner)->name);
        voice_release(&one);
        voice_release(&again);
        voice_release(&other);
    }
}

/* The average is that of the weights after each step. */
TEST(averaging_is_the_mean_over_the_steps)
{
    struct space space = {.width = 2, .nodes = 3, .edges = 0};
    struct voice_needs needs = {0};
    struct voice voice;
    struct rng rng = rng_new(3, 1);
    double sum[6] = {0};
    float average[6 + SLACK];
    assert_true(voice_init(&voice, &space, &needs, &err));
    voice_average(&voice, average);
    for (int i = 0; i < 6; i++)
        assert_true(average[i] == 0);
    for (int step = 1; step <= 100; step++) {
        voice_tick(&voice);
        for (int change = 0; change < 3; change++)
            voice_change(&voice, rng_below(&rng, 6), (float)rng_uniform(&rng) - 0.3f);
        voice_average(&voice, average);
        for (int i = 0; i < 6; i++) {
            sum[i] += voice.mean[i];
            assert_float_equal(average[i], sum[i] / step, 1e-3);
        }
    }
    for (int i = 0; i < SLACK; i++)
        assert_true(average[6 + i] == 0);
    voice_release(&voice);
}

/* Notes the calls of tell(). */
struct telling {
    uint32_t calls, ends, last_pass, last_seen, examples;
    uint32_t stop_pass, stop_seen; /* stops at the first call at or after these; 0: never */
    double loss[PASSES + 1];       /* at the end of each pass */
};

static bool listen(void *context, const struct training *training)
{
    struct telling *t = context;
    assert_int_equal(training->passes, PASSES);
    assert_int_equal(training->examples, t->examples);
    assert_true(training->pass >= 1 && training->pass <= PASSES);
    assert_true(training->seen >= 1 && training->seen <= training->examples);
    if (training->pass == t->last_pass)
        assert_true(training->seen > t->last_seen);
    else {
        assert_int_equal(training->pass, t->last_pass + 1);
        assert_true(t->last_pass == 0 || t->last_seen == t->examples);
    }
    assert_non_null(training->voice);
    assert_true(training->voice->steps == (uint64_t)(training->pass - 1) * t->examples + training->seen);
    assert_true(isfinite(training->loss) && training->loss >= 0);
    t->calls++;
    t->last_pass = training->pass;
    t->last_seen = training->seen;
    if (training->seen == training->examples) {
        t->ends++;
        t->loss[training->pass] = training->loss;
    }
    return !t->stop_pass || training->pass < t->stop_pass ||
           (training->pass == t->stop_pass && training->seen < t->stop_seen);
}

TEST(passes_and_sentences_are_counted)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct telling t = {.examples = MOST};
        struct training_options options = options_for(*learner);
        struct voice voice;
        options.tell = listen;
        options.context = &t;
        assert_false(train(options, MOST, &voice));
        assert_int_equal(t.ends, PASSES);
        assert_true(t.calls > 2 * PASSES); /* also within a pass */
        assert_int_equal(t.last_seen, MOST);
        assert_true(voice.steps == (uint64_t)PASSES * MOST);
        voice_release(&voice);
    }
}

TEST(stopping_after_a_pass_leaves_what_was_learned)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct telling t = {.examples = MOST, .stop_pass = 2, .stop_seen = MOST};
        struct training_options options = options_for(*learner);
        struct voice voice;
        options.tell = listen;
        options.context = &t;
        assert_true(train(options, MOST, &voice));
        assert_int_equal(t.last_pass, 2);
        assert_true(voice.steps == 2 * MOST);
        assert_true(averaged_errors(&voice, MOST) < toy_words() / 100);
        voice_release(&voice);
    }
}

TEST(stopping_within_a_pass_leaves_what_was_learned)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct telling t = {.examples = MOST, .stop_pass = 1, .stop_seen = 256};
        struct training_options options = options_for(*learner);
        struct voice voice;
        options.tell = listen;
        options.context = &t;
        assert_true(train(options, MOST, &voice));
        assert_int_equal(t.last_pass, 1);
        assert_in_range(t.last_seen, 256, 256 + 15); /* it is called at least every 16 sentences */
        assert_true(t.last_seen < MOST && voice.steps == t.last_seen);
        assert_true(averaged_errors(&voice, MOST) < toy_words() / 10);
        voice_release(&voice);
    }
}

/* Callbacks change nothing; stopping after pass n is training for n passes. */
TEST(telling_does_not_change_what_is_learned)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct telling t = {.examples = SMALL, .stop_pass = 3, .stop_seen = SMALL};
        struct training_options options = options_for(*learner);
        struct voice stopped, silent;
        options.tell = listen;
        options.context = &t;
        assert_true(train(options, SMALL, &stopped));
        options.tell = NULL;
        options.passes = 3;
        assert_false(train(options, SMALL, &silent));
        assert_true(same_voice(&stopped, &silent));
        voice_release(&stopped);
        voice_release(&silent);
    }
}

TEST(the_loss_of_likelihood_falls_from_pass_to_pass)
{
    struct telling t = {.examples = SMALL};
    struct training_options options = options_for(&log_likelihood);
    struct voice voice;
    options.parameters.rate = 0.1;
    options.parameters.l2 = 0;
    options.tell = listen;
    options.context = &t;
    assert_false(train(options, SMALL, &voice));
    assert_true(t.loss[1] < log(Y)); /* what knowing nothing costs */
    for (int pass = 2; pass <= PASSES; pass++)
        if (t.loss[pass] >= t.loss[pass - 1])
            fail_msg("pass %d: %g nats a word after %g", pass, t.loss[pass], t.loss[pass - 1]);
    assert_true(t.loss[PASSES] < t.loss[1] / 2);
    voice_release(&voice);
}

/* Before anything is learned every labelling of N words costs N log Y nats. */
TEST(likelihood_reports_nats_a_word)
{
    struct telling t = {.examples = 1};
    struct training_options options = options_for(&log_likelihood);
    struct voice voice;
    options.tell = listen;
    options.context = &t;
    assert_false(train(options, 1, &voice));
    assert_float_equal(t.loss[1], log(Y), 1e-5);
    voice_release(&voice);
}

/* At first all scores are zero and ties go to label 0, O: of sentence 0, O O B I, half is wrong. */
TEST(large_margin_learners_report_wrong_words_a_word)
{
    for (const struct learner *const *learner = learners; *learner != &log_likelihood; learner++) {
        struct telling t = {.examples = 1};
        struct training_options options = options_for(*learner);
        struct voice voice;
        options.tell = listen;
        options.context = &t;
        assert_false(train(options, 1, &voice));
        assert_true(t.loss[1] == 0.5);
        assert_true(t.loss[PASSES] == 0);
        voice_release(&voice);
    }
}

TEST(only_the_subset_is_looked_at)
{
    static const uint32_t subset[] = {5, 17, 3};
    struct examples examples = toy_examples(MOST);
    struct training_options options = options_for(&perceptron);
    struct telling t = {.examples = 3};
    struct voice voice;
    bool stopped;
    options.tell = listen;
    options.context = &t;
    toy.broken = 4;
    assert_true(train_voice(&examples, (struct subset){subset, 3}, &options, &voice, &stopped, &err));
    assert_true(voice.steps == 3 * PASSES);
    toy.broken = UINT32_MAX;
    voice_release(&voice);
}

TEST(an_example_that_cannot_be_had_is_an_error)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct examples examples = toy_examples(SMALL);
        struct training_options options = options_for(*learner);
        struct voice voice;
        bool stopped;
        err = (struct vouch_error){0};
        toy.broken = 20;
        assert_false(train_voice(&examples, (struct subset){numbers(), SMALL}, &options, &voice, &stopped, &err));
        assert_int_equal(err.status, VOUCH_ERR_IO);
        assert_string_equal(err.message, "sentence 20 is broken");
        toy.broken = UINT32_MAX;
    }
}

TEST(nothing_to_learn_from_leaves_a_voice_of_zeros)
{
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (int empty = 0; empty < 2; empty++) {
            struct training_options options = options_for(*learner);
            struct voice voice;
            options.passes = empty ? PASSES : 0;
            assert_false(train(options, empty ? 0 : SMALL, &voice));
            float average[WORDS * Y + Y * Y + SLACK];
            assert_int_equal(voice.size, WORDS * Y + Y * Y);
            voice_average(&voice, average);
            for (size_t i = 0; i < voice.size + SLACK; i++)
                assert_true(average[i] == 0);
            voice_release(&voice);
        }
}
