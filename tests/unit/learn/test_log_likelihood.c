/*
 * Tests the steps of the log-likelihood learner against their definition, byte
 * for byte: blocks of any width, gradients that are mostly zero or not at all.
 */
#include "base/random.h"
#include "learn/learn.h"

#include "test.h"

enum { NODES = 90, EDGES = 2, GROUPS = 12, LENGTH = 9, MOST_WIDTH = 41, MOST_SIZE = NODES * MOST_WIDTH + 2 * 41 * 41 };

static struct vouch_error err;

/* A sentence of GROUPS rows, one edge row, and a gradient. */
struct sentence_parts {
    uint32_t start[GROUPS + 1], feature[GROUPS * LENGTH], edge_start[2], edge_feature[1];
    struct parts parts;
    struct scores gradient;
};

static void make_sentence(struct rng *rng, const struct space *space, struct sentence_parts *s)
{
    uint32_t width = space->width, often = 1 + rng_below(rng, 12); /* one coefficient in so many is not zero */
    for (uint32_t i = 0; i < GROUPS * LENGTH; i++)
        s->feature[i] = rng_below(rng, NODES);
    for (uint32_t g = 0; g <= GROUPS; g++)
        s->start[g] = g * LENGTH;
    s->edge_start[1] = 1;
    s->edge_feature[0] = rng_below(rng, EDGES);
    s->parts = (struct parts){
        .N = GROUPS, .node = {GROUPS, s->start, s->feature, NULL}, .edge = {1, s->edge_start, s->edge_feature, NULL}};
    assert_true(scores_shape(&s->gradient, GROUPS, GROUPS, width, 1, &err));
    for (uint32_t i = 0; i < GROUPS * width; i++)
        s->gradient.node[i] = rng_below(rng, often) ? 0 : (float)(rng_uniform(rng) - 0.5);
    for (uint32_t i = 0; i < width * width; i++)
        s->gradient.edge[i] = rng_below(rng, often) ? 0 : (float)(rng_uniform(rng) - 0.5);
}

/* The gradient of every weight, in the order of the rows. */
static void add_up(const struct sentence_parts *s, const struct space *space, float *gradient)
{
    memset(gradient, 0, sizeof *gradient * space_size(space));
    for (uint32_t i = 0; i < GROUPS * LENGTH; i++)
        for (uint32_t j = 0; j < space->width; j++)
            gradient[space_node(space, s->feature[i]) + j] += s->gradient.node[i / LENGTH * space->width + j];
    for (uint32_t j = 0; j < space->width * space->width; j++)
        gradient[space_edge(space, s->edge_feature[0]) + j] += s->gradient.edge[j];
}

struct plain {
    float mean[MOST_SIZE], late[MOST_SIZE], square[MOST_SIZE], gradient[MOST_SIZE];
};

static void step(struct plain *p, size_t size, float rate, float now)
{
    for (size_t i = 0; i < size; i++) {
        if (p->gradient[i] == 0)
            continue;
        p->square[i] += p->gradient[i] * p->gradient[i];
        float by = rate * p->gradient[i] / sqrtf(p->square[i]);
        p->mean[i] += by;
        p->late[i] += now * by;
    }
}

static void shrink(struct plain *p, size_t size, float pull, float now)
{
    for (size_t i = 0; i < size; i++) {
        float by = -p->mean[i] * (1 - 1 / (1 + pull / sqrtf(p->square[i])));
        p->mean[i] += by;
        p->late[i] += now * by;
    }
}

TEST(steps_are_those_of_the_definition)
{
    static const uint32_t widths[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 40, 41};
    static struct plain plain;
    struct learner_options options = {.rate = 0.3, .l2 = 0.5};
    struct voice_needs needs = log_likelihood.keeps(&options);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        struct space space = {widths[w], NODES, EDGES};
        struct sentence_parts sentence = {0};
        struct scratch work = {0};
        struct voice voice;
        struct diff diff;
        struct rng rng = rng_new(7, w);
        size_t size = space_size(&space);
        double loss = 0;
        plain = (struct plain){0};
        for (size_t i = 0; i < size; i++)
            plain.square[i] = 1;
        assert_true(voice_init(&voice, &space, &needs, &err) && diff_init(&diff, &space, &err));
        for (uint32_t round = 0; round < 30; round++) {
            make_sentence(&rng, &space, &sentence);
            add_up(&sentence, &space, plain.gradient);
            voice_tick(&voice);
            diff_clear(&diff, 1);
            assert_true(diff_add(&diff, 0, &sentence.parts, &sentence.gradient, &err));
            assert_true(log_likelihood.update(&options, &voice, &diff, &loss, &work, &err));
            step(&plain, size, (float)options.rate, voice.now);
            if (round % 10 == 9) {
                log_likelihood.end_pass(&options, &voice);
                shrink(&plain, size, (float)(options.l2 * options.rate), voice.now);
            }
        }
        assert_memory_equal(voice.mean, plain.mean, sizeof *plain.mean * size);
        assert_memory_equal(voice.late, plain.late, sizeof *plain.late * size);
        assert_memory_equal(voice.square, plain.square, sizeof *plain.square * size);
        voice_release(&voice);
        diff_release(&diff);
        scores_release(&sentence.gradient);
        scratch_release(&work);
    }
}
