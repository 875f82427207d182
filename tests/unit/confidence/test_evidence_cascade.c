/*
 * Tests what is left undrawn: limits that nothing reaches change nothing, whatever is left out the rest is drawn and
 * decided as before, and what the cascade leaves out would hardly ever have changed.
 */
#include "base/random.h"
#include "chain/chain.h"
#include "confidence/evidence.h"
#include "tree/tree.h"

#include "must.h"
#include "simd_sets.h"
#include "test.h"

enum { FEATURES = 60, MOST = 8, LONGEST = 24, WIDEST = 9, K = 50, GROUPS = LONGEST * (LONGEST + 1) };

static const struct cascade_limits never = {INFINITY, INFINITY};

/* What sentences are like. */
struct kind {
    const char *name;
    const struct structure *structure;
    uint32_t N;            /* words; 0: any number */
    uint32_t width;        /* 0: any */
    uint32_t most;         /* features of a row; 0: scores are given, and some are -inf */
    uint32_t edges;        /* features of the edge that all words share; 0: there is no edge */
    double s;              /* where the default limits are tried */
    uint32_t least, in;    /* words that are left out; of their draws at most one in so many may differ */
    bool own, valued, tie; /* variances of their own; features with values; scores often equal, and nothing varies */
};

/* The limits of chains with little but edges, and of trees, are explained in evidence.c. */
static const struct kind kinds[] = {
    {"no edges", &chain_structure, 0, 0, MOST, 0, 0.01, 300, 1000},
    {"no edges, own variances", &chain_structure, 0, 0, MOST, 0, 0.01, 100, 1000, .own = true},
    {"features", &chain_structure, 0, WIDEST, MOST, 1, 0.003, 300, 1000},
    {"values", &chain_structure, 0, WIDEST, MOST, 2, 0.003, 300, 1000, .valued = true},
    {"one feature", &chain_structure, 0, WIDEST, 1, 1, 0.003, 300, 400},
    {"any width", &chain_structure, 0, 0, MOST, 1, 0.003, 300, 1000},
    {"own variances", &chain_structure, 0, 0, MOST, 1, 0.003, 0, 1000, .own = true},
    {"one word", &chain_structure, 1, WIDEST, 1, MOST, 0.003, 50, 1000},
    {"two words", &chain_structure, 2, WIDEST, 1, MOST, 0.003, 50, 1000},
    {"given", &chain_structure, 0, WIDEST, 0, 1, 0.003, 300, 1000},
    {"given, two words", &chain_structure, 2, WIDEST, 0, 1, 0.003, 50, 1000},
    {"given, no edges", &chain_structure, 0, WIDEST, 0, 0, 0.003, 300, 1000},
    {"trees", &tree_structure, 0, 0, MOST, 0, 0.01, 300, 80},
    {"trees, own variances", &tree_structure, 0, 1, MOST, 0, 0.01, 300, 80, .own = true},
    {"trees, ties", &tree_structure, 3, 0, 2, 0, 0, 300, 1000, .tie = true},
    {"given trees", &tree_structure, 0, 1, 0, 0, 0.003, 300, 80},
};

/* A random sentence, its model, and what its draws are made with. */
struct world {
    const struct kind *kind;
    const struct structure *structure;
    struct space space;
    struct parts parts;
    struct drawing drawing;
    uint32_t start[GROUPS + 1], feature[GROUPS * MOST], edge_start[2], edge_feature[MOST];
    float value[GROUPS * MOST];
    float mean[(FEATURES + MOST * WIDEST) * WIDEST + SLACK], var[(FEATURES + MOST * WIDEST) * WIDEST + SLACK];
    struct score_sets given;
    struct scores scores;
    uint32_t best[LONGEST];
    double margin[LONGEST];
    bool drawn[GROUPS];
    struct scratch scratch;
    struct lanes lanes;
    struct noise_work *work;
};

static void make_features(struct world *w, struct rng *rng, uint32_t G)
{
    const struct kind *kind = w->kind;
    for (size_t i = 0; i < space_size(&w->space); i++) {
        w->mean[i] = kind->tie ? (float)rng_below(rng, 3) - 1 : (float)(2 * rng_uniform(rng) - 1);
        w->var[i] = (float)rng_uniform(rng);
    }
    for (uint32_t g = 0; g < G; g++) {
        w->start[g + 1] = w->start[g] + 1 + rng_below(rng, kind->most);
        for (uint32_t i = w->start[g]; i < w->start[g + 1]; i++) {
            w->feature[i] = rng_below(rng, FEATURES);
            w->value[i] = (float)(2 * rng_uniform(rng));
        }
    }
    w->edge_start[1] = kind->edges;
    for (uint32_t i = 0; i < kind->edges; i++)
        w->edge_feature[i] = i;
    w->parts.node = (struct rows){G, w->start, w->feature, kind->valued ? w->value : NULL};
    w->parts.edge = (struct rows){kind->edges > 0, w->edge_start, w->edge_feature, kind->valued ? w->value : NULL};
}

/* Gives scores, of which some are impossible; there is always an answer: label 0, or the root's first child. */
static void give_scores(struct world *w, struct rng *rng, uint32_t G)
{
    struct scores *mean = &w->given.mean;
    uint32_t heads = G / w->parts.N, width = w->space.width;
    MUST(scores_shape(mean, w->parts.N, G, width, w->kind->edges, &err));
    for (size_t i = 0; i < (size_t)G * width; i++) {
        bool may_fail = heads > 1 ? i % heads > 1 : i % width > 0;
        mean->node[i] = may_fail && rng_below(rng, 8) == 0 ? -INFINITY : (float)(2 * rng_uniform(rng) - 1);
    }
    for (size_t i = 0; i < (size_t)w->kind->edges * width * width; i++)
        mean->edge[i] = i > 0 && rng_below(rng, 8) == 0 ? -INFINITY : (float)(2 * rng_uniform(rng) - 1);
    w->parts.node.count = G;
    w->parts.edge.count = w->kind->edges;
    w->parts.score_source = &w->given;
}

static void make_sentence(struct world *w, struct rng *rng)
{
    const struct kind *kind = w->kind;
    bool tree = w->structure == &tree_structure;
    uint32_t N = kind->N ? kind->N : 1 + rng_below(rng, LONGEST), G = tree ? N * (N + 1) : N;
    double best;
    w->space = (struct space){kind->width ? kind->width : tree ? 1 : 1 + rng_below(rng, WIDEST), FEATURES, kind->edges};
    w->parts = (struct parts){.N = N};
    if (kind->most)
        make_features(w, rng, G);
    else
        give_scores(w, rng, G);
    MUST(parts_score(&w->parts, &w->space, w->mean, &w->scores, &err));
    MUST(w->structure->best(&w->scores, &w->scratch, w->best, &best, &err));
    MUST(w->structure->without(&w->scores, w->best, &w->scratch, w->margin, &err));
    for (uint32_t n = 0; n < N; n++)
        w->margin[n] = best - w->margin[n];
    w->drawing.space = &w->space;
    w->drawing.mean = kind->most ? w->mean : NULL;
    w->drawing.K = K;
}

static size_t settle(struct world *w, struct cascade_limits limits)
{
    struct undrawn sentence = {&w->drawing, &w->parts, &w->scores, w->best, w->margin};
    return cascade_settle(&sentence, limits, w->drawn);
}

static void draw_once(struct world *w, bool all, uint32_t at_a_time, uint32_t *choice)
{
    struct drawing drawing = w->drawing;
    drawing.drawn = all ? NULL : w->drawn;
    drawing.answer = w->best;
    MUST(noise_score(&drawing, &w->parts, &w->scores, w->work, &w->lanes, &err));
    w->lanes.at_a_time = at_a_time;
    MUST(w->structure->draws(&w->lanes, &w->scratch, choice, &err));
    w->lanes.at_a_time = 0;
}

/* Draws with what w->drawn leaves out, or all; every instruction set and block must choose alike. */
static void draw(struct world *w, bool all, uint32_t *choice)
{
    uint32_t again[K * LONGEST];
    size_t size = K * w->parts.N * sizeof *choice;
    draw_once(w, all, 0, choice);
    for (uint32_t at_a_time = 0; at_a_time < 4; at_a_time++)
        EACH_SIMD_SET
        {
            draw_once(w, all, at_a_time, again);
            assert_memory_equal(choice, again, size);
        }
}

static void world_init(struct world *w, const struct kind *kind, const struct noise *noise, uint32_t round)
{
    memset(w, 0, sizeof *w);
    w->kind = kind;
    w->structure = kind->structure;
    w->drawing = (struct drawing){.noise = noise, .key = 7 + round, .s = kind->tie ? 0 : 0.05};
    w->drawing.var = kind->own ? w->var : NULL;
    w->work = noise_work_new(&err);
    assert_non_null(w->work);
}

static void world_release(struct world *w)
{
    scores_release(&w->scores);
    scores_release(&w->given.mean);
    scratch_release(&w->scratch);
    lanes_release(&w->lanes);
    noise_work_free(w->work);
}

/* Calls `check` for so many random sentences of a kind. */
static void in_worlds(const struct kind *kind, uint32_t rounds, void (*check)(struct world *w, struct rng *rng))
{
    struct noise *noise = noise_new(3, &err);
    struct world *w = malloc(sizeof *w);
    assert_non_null(noise);
    assert_non_null(w);
    for (uint32_t i = 0; i < rounds; i++) {
        struct rng rng = rng_new(11, i);
        world_init(w, kind, noise, i);
        make_sentence(w, &rng);
        check(w, &rng);
        world_release(w);
    }
    free(w);
    noise_free(noise);
}

static void in_all_worlds(void (*check)(struct world *w, struct rng *rng))
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        in_worlds(&kinds[i], in_a_hurry() ? 1 : (uint32_t)fewer(40), check);
}

static void check_never(struct world *w, struct rng *rng)
{
    uint32_t plain[K * LONGEST], choice[K * LONGEST];
    (void)rng;
    assert_true(settle(w, never) > 0 || w->parts.N * w->space.width == 1 || w->space.width == 1);
    for (uint32_t n = 0; n < w->parts.N && w->structure == &tree_structure; n++)
        assert_false(w->drawn[tree_group(w->parts.N, n, n + 1)]);
    draw(w, true, plain);
    draw(w, false, choice);
    assert_memory_equal(plain, choice, K * w->parts.N * sizeof *choice);
}

TEST(limits_that_nothing_reaches_change_nothing)
{
    in_all_worlds(check_never);
}

/* Makes the scores of draw k out of plain lanes: chains keep their labels where nothing is drawn, trees their scores.
 */
static void one_draw(const struct world *w, const struct lanes *plain, uint32_t k, struct scores *to)
{
    size_t width = w->space.width;
    bool tree = w->structure == &tree_structure;
    MUST(scores_copy(to, &w->scores, &err));
    for (size_t i = 0; i < w->scores.G * width; i++)
        if (w->drawn[i / width])
            to->node[i] = lanes_node(plain, i / width)[i % width * plain->stride + k];
        else if (!tree)
            to->node[i] = i % width == w->best[i / width] ? 0 : -INFINITY;
    for (size_t i = 0; i < w->scores.E * width * width; i++)
        to->edge[i] = plain->edge[i * plain->stride + k];
}

static void check_some(struct world *w, struct rng *rng)
{
    uint32_t choice[K * LONGEST], expected[LONGEST], N = w->parts.N;
    struct lanes plain = {0};
    struct scores one = {0};
    for (uint32_t g = 0; g < w->scores.G; g++)
        w->drawn[g] = rng_below(rng, 3) > 0;
    draw(w, false, choice);
    MUST(noise_score(&w->drawing, &w->parts, &w->scores, w->work, &plain, &err));
    MUST(lanes_bring(&plain, 0, w->scores.G, &err));
    for (uint32_t k = 0; k < K; k++) {
        double best;
        one_draw(w, &plain, k, &one);
        MUST(w->structure->best(&one, &w->scratch, expected, &best, &err));
        assert_true(best - w->structure->score(&one, choice + (size_t)k * N) < 1e-4);
    }
    scores_release(&one);
    lanes_release(&plain);
}

TEST(the_rest_is_drawn_and_decided_as_before)
{
    in_all_worlds(check_some);
}

static size_t undrawn, others;

/* Whether no part of word n is drawn. */
static bool is_settled(const struct world *w, uint32_t n)
{
    uint32_t groups = w->scores.G / w->parts.N;
    return !memchr(w->drawn + (size_t)n * groups, true, groups * sizeof *w->drawn);
}

static void check_others(struct world *w, struct rng *rng)
{
    uint32_t plain[K * LONGEST], choice[K * LONGEST], N = w->parts.N;
    (void)rng;
    if (w->drawing.var && w->space.width > 1)
        return; /* cascade_pays() says no */
    w->drawing.s = w->kind->s;
    settle(w, default_cascade_limits);
    draw_once(w, true, 0, plain);
    draw_once(w, false, 0, choice);
    for (uint32_t n = 0; n < N; n++) {
        undrawn += is_settled(w, n);
        for (uint32_t k = 0; k < K && is_settled(w, n); k++)
            others += plain[(size_t)k * N + n] != choice[(size_t)k * N + n];
    }
}

TEST(what_is_left_out_hardly_ever_changes)
{
    takes_long();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        undrawn = others = 0;
        in_worlds(&kinds[i], 300, check_others);
        assert_true(undrawn >= kinds[i].least);
        if (others * kinds[i].in > undrawn * K)
            fail_msg("%s: %zu words are left out, and %zu of their %zu draws differ", kinds[i].name, undrawn, others,
                     undrawn * K);
    }
}

TEST(a_bad_variance_is_refused)
{
    const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++)
        assert_false(drawing_is_sound(&(struct drawing){.s = bad[i]}, &err));
    MUST(drawing_is_sound(&(struct drawing){.s = 0}, &err));
}
