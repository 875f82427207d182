/*
 * Tests learning in shards: against a plain implementation that copies whole voices and mixes them in double precision,
 * and with different numbers of threads, which must not change a bit.
 */
#include "learn/sentence_loop.h"

#include "random_corpus.h"

enum { PASSES = 5, MOST_SHARDS = 8 };

FILE_FIXTURE(draw_corpus, NULL);

static struct training_options options_of(const struct learner *learner, uint32_t shards, uint32_t threads)
{
    return (struct training_options){.learner = learner,
                                     .parameters = {.C = 1, .phi = 1, .variance = 1, .rate = 0.25, .l2 = 0.05, .K = 2},
                                     .passes = PASSES,
                                     .seed = 3,
                                     .shards = shards,
                                     .threads = threads};
}

static const struct subset all = {NULL, COUNT};

/* Of four shards, the last has none of these, and the first and the third have three each. */
static const uint32_t some_index[] = {5, 2, 8, 12, 22, 16, 6};
static const struct subset some = {some_index, 7};

static void learn_subset(struct voice *voice, struct subset subset, const struct training_options *options)
{
    bool stopped;
    assert_true(train_voice(&examples, subset, options, voice, &stopped, &err));
    assert_false(stopped);
}

static void learn(struct voice *voice, const struct training_options *options)
{
    learn_subset(voice, all, options);
}

/* ---- A plain implementation ---- */

struct plain {
    const struct training_options *options;
    struct subset subset;
    struct voice mixed, own[MOST_SHARDS];
    uint32_t order[MOST_SHARDS][COUNT], count[MOST_SHARDS];
};

static void learn_plainly(struct plain *p, uint32_t s, uint32_t pass)
{
    struct sentence_loop loop;
    struct rng rng = rng_new(p->options->seed, (uint64_t)(s + 1) << 32 | pass);
    double loss = 0;
    uint64_t words = 0;
    rng_shuffle(&rng, p->order[s], p->count[s]);
    assert_true(voice_go_on(&p->own[s], &p->mixed, &err));
    assert_true(sentence_loop_init(&loop, &examples, p->options, &p->own[s], &err));
    for (uint32_t i = 0; i < p->count[s]; i++)
        assert_true(sentence_loop_learn(&loop, p->order[s][i], &loss, &words, &err));
    sentence_loop_release(&loop);
}

/* Mixes weight i; average[i] becomes the mean of the shards' averages in this pass. */
static void mix_plainly(struct plain *p, size_t i, double *average)
{
    double mean = 0, of_averages = 0, inverse = 0, square = 0, share = 0;
    for (uint32_t s = 0; s < p->options->shards; s++) {
        const struct voice *own = &p->own[s];
        double part = (double)p->count[s] / p->subset.count;
        if (own->mean[i] == p->mixed.mean[i] && own->late[i] == 0)
            continue;
        share += part;
        mean += part * (double)own->mean[i];
        of_averages += part * ((double)own->mean[i] - (double)own->late[i] / (double)own->steps);
        inverse += own->var ? part / (double)own->var[i] : 0;
        square += own->square ? part * (double)own->square[i] : 0;
    }
    average[i] = share > 0 ? of_averages / share : (double)p->mixed.mean[i];
    if (share == 0)
        return;
    p->mixed.mean[i] = (float)(mean / share);
    if (p->mixed.var)
        p->mixed.var[i] = (float)(share / inverse);
    if (p->mixed.square)
        p->mixed.square[i] = (float)(square / share);
}

/* Learns in the way that the first comment of shards.c describes, and returns the averaged weights. */
static void learn_all_plainly(struct plain *p, double *answer)
{
    size_t size = space_size(&examples.space);
    double *average = calloc(size, sizeof *average);
    uint32_t first = PASSES / 2 + 1;
    assert_true(voice_start(&examples, p->options, &p->mixed, &err));
    for (uint32_t i = 0; i < p->subset.count; i++) {
        uint32_t number = p->subset.index ? p->subset.index[i] : i, s = number % p->options->shards;
        p->order[s][p->count[s]++] = number;
    }
    for (uint32_t pass = 1; pass <= PASSES; pass++) {
        for (uint32_t s = 0; s < p->options->shards; s++)
            learn_plainly(p, s, pass);
        for (size_t i = 0; i < size; i++)
            mix_plainly(p, i, average);
        for (uint32_t s = 0; s < p->options->shards; s++)
            voice_release(&p->own[s]);
        p->mixed.now = 0;
        voice_restart(&p->mixed);
        if (p->options->learner->end_pass) /* in the last step, of which the average has one share */
            p->options->learner->end_pass(&p->options->parameters, &p->mixed);
        for (size_t i = 0; i < size && pass >= first; i++)
            answer[i] += average[i] / (PASSES - first + 1);
    }
    free(average);
}

static void check_learner(const struct learner *learner, struct subset subset, uint32_t shards)
{
    struct training_options options = options_of(learner, shards, 1);
    struct plain plain = {.options = &options, .subset = subset};
    struct voice voice;
    size_t size = space_size(&examples.space);
    double *expected = calloc(size, sizeof *expected);
    float *average = calloc(size + SLACK, sizeof *average);
    learn_all_plainly(&plain, expected);
    learn_subset(&voice, subset, &options);
    voice_average(&voice, average);
    double tolerance = learner->end_pass ? 2e-3 : 1e-4, largest = 0;
    for (size_t i = 0; i < size; i++) {
        if (fabs((double)voice.mean[i] - (double)plain.mixed.mean[i]) > 1e-4)
            fail_msg("%s, %u shards, weight %zu: %g instead of %g", learner->name, shards, i, (double)voice.mean[i],
                     (double)plain.mixed.mean[i]);
        if (voice.var && fabs((double)voice.var[i] - (double)plain.mixed.var[i]) > 1e-4)
            fail_msg("%s, %u shards, variance %zu: %g instead of %g", learner->name, shards, i, (double)voice.var[i],
                     (double)plain.mixed.var[i]);
        if (fabs((double)average[i] - expected[i]) > tolerance)
            fail_msg("%s, %u shards, average %zu: %g instead of %g", learner->name, shards, i, (double)average[i],
                     expected[i]);
        largest = fmax(largest, fabs(expected[i]));
    }
    assert_true(largest > 0.1);
    voice_release(&voice);
    voice_release(&plain.mixed);
    free(expected);
    free(average);
}

TEST(test_as_defined)
{
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (uint32_t shards = 2; shards <= MOST_SHARDS; shards += 3)
            check_learner(*learner, all, shards);
}

/* A sentence's shard is its number in the corpus modulo S, whichever other sentences are learned. */
TEST(test_subset)
{
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (uint32_t shards = 2; shards <= 8; shards *= 2)
            check_learner(*learner, some, shards);
}

/* ---- Promises ---- */

TEST(test_threads_change_nothing)
{
    for (const struct learner *const *learner = learners; *learner; learner++)
        for (uint32_t shards = 2; shards <= 7; shards += 5) {
            struct training_options options = options_of(*learner, shards, 1);
            struct voice one, many;
            learn(&one, &options);
            for (options.threads = 2; options.threads <= 5; options.threads++) {
                learn(&many, &options);
                assert_memory_equal(one.mean, many.mean, sizeof *one.mean * one.size);
                assert_memory_equal(one.late, many.late, sizeof *one.late * one.size);
                if (one.var)
                    assert_memory_equal(one.var, many.var, sizeof *one.var * one.size);
                voice_release(&many);
            }
            voice_release(&one);
        }
}

/* More shards than sentences are as many as there are sentences: the others are empty. */
TEST(test_more_shards_than_sentences)
{
    struct training_options exact = options_of(&perceptron, COUNT, 2), more = options_of(&perceptron, 1000, 2);
    struct voice a, b;
    learn(&a, &exact);
    learn(&b, &more);
    assert_memory_equal(a.mean, b.mean, sizeof *a.mean * a.size);
    voice_release(&a);
    voice_release(&b);
}

static bool stop_in_second_pass(void *context, const struct training *now)
{
    (void)context;
    return now->pass < 2;
}

/* What was learned before a stop is kept. */
TEST(test_stopped)
{
    struct training_options options = options_of(&confidence_weighted, 2, 2);
    struct voice voice;
    bool stopped = false;
    double sum = 0;
    options.tell = stop_in_second_pass;
    assert_true(train_voice(&examples, (struct subset){NULL, COUNT}, &options, &voice, &stopped, &err));
    assert_true(stopped);
    for (size_t i = 0; i < voice.size; i++)
        sum += fabs((double)voice.mean[i]);
    assert_true(sum > 0);
    voice_release(&voice);
}

TEST(test_failure)
{
    struct training_options options = options_of(&perceptron, 4, 2);
    struct voice voice;
    bool stopped;
    corpus.broken = 17;
    assert_false(train_voice(&examples, (struct subset){NULL, COUNT}, &options, &voice, &stopped, &err));
    assert_string_equal(err.message, "sentence 17 is broken");
    corpus.broken = COUNT;
}
