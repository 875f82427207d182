/*
 * Tests transitions against the list of all labelings of short sentences: allowed are those that their scheme would
 * write as they are, by scheme_convert(), which knows nothing of steps.
 */
#include "core/transitions.h"

#include "base/random.h"
#include "chain/chain.h"
#include "core/parts.h"
#include "core/sentence.h"

#include "test.h"

enum { LONGEST = 5, MOST_LABELS = 7 };

static struct vouch_error err;

static const struct {
    enum scheme scheme;
    uint32_t labels;
    const char *label[MOST_LABELS];
} known[] = {{SCHEME_IOB2, 5, {"O", "B-X", "I-X", "B-Y", "I-Y"}},
             {SCHEME_IOB2, 4, {"I-X", "B-Y", "B-X", "O"}},
             {SCHEME_IOB1, 5, {"I-X", "B-X", "O", "I-Y", "B-Y"}},
             {SCHEME_BIOES, 7, {"O", "S-X", "B-X", "I-X", "E-X", "B-Y", "E-Y"}},
             {SCHEME_BIOES, 3, {"E-X", "O", "B-X"}}};

enum { KNOWN = sizeof known / sizeof *known };

static uint32_t names_of(size_t k, struct text *name)
{
    for (uint32_t y = 0; y < known[k].labels; y++)
        name[y] = text_of(known[k].label[y]);
    return known[k].labels;
}

static struct transitions transitions_of(size_t k)
{
    struct text name[MOST_LABELS];
    struct transitions t;
    uint32_t Y = names_of(k, name);
    assert_true(transitions_suffice(known[k].scheme, name, Y));
    assert_true(transitions_init(&t, known[k].scheme, name, Y, &err));
    return t;
}

/* Fills in labeling number `number`; false beyond the last. */
static bool labeling(uint32_t Y, uint32_t N, uint32_t number, uint32_t *y)
{
    for (uint32_t n = 0; n < N; n++, number /= Y)
        y[n] = number % Y;
    return number == 0;
}

/* Whether the scheme writes the labeling's chunks with these labels. */
static bool is_written(size_t k, const uint32_t *y, uint32_t N)
{
    struct text label[LONGEST] = {{0}}, type;
    char prefix[LONGEST];
    for (uint32_t n = 0; n < N; n++)
        label[n] = text_of(known[k].label[y[n]]);
    scheme_convert(label, N, known[k].scheme, prefix);
    for (uint32_t n = 0; n < N; n++)
        if (scheme_split(label[n], &type) != prefix[n])
            return false;
    return true;
}

static bool is_allowed(const struct transitions *t, const uint32_t *y, uint32_t N)
{
    bool allowed;
    assert_true(transitions_allow(t, y, N, &allowed, &err));
    return allowed;
}

TEST(labelings_are_allowed_that_the_scheme_writes)
{
    for (size_t k = 0; k < KNOWN; k++) {
        struct transitions t = transitions_of(k);
        uint32_t y[LONGEST], found[2] = {0};
        for (uint32_t N = 0; N <= 4; N++)
            for (uint32_t i = 0; labeling(t.labels, N, i, y); i++) {
                found[is_allowed(&t, y, N)]++;
                assert_int_equal(is_allowed(&t, y, N), is_written(k, y, N));
            }
        assert_true(found[false] > 10 && found[true] > 10);
        transitions_release(&t);
    }
}

/* Whether a labeling that is written has the labels that are not open. */
static bool can_be_completed(size_t k, const uint32_t *given, uint32_t N)
{
    uint32_t y[LONGEST];
    for (uint32_t i = 0; labeling(known[k].labels, N, i, y); i++) {
        uint32_t n = 0;
        while (n < N && (given[n] == OPEN_CHOICE || given[n] == y[n]))
            n++;
        if (n == N && is_written(k, y, N))
            return true;
    }
    return false;
}

TEST(open_labels_are_completed)
{
    struct rng rng = rng_new(5, 1);
    for (size_t k = 0; k < KNOWN; k++) {
        struct transitions t = transitions_of(k);
        uint32_t found[2] = {0};
        for (int repeat = 0; repeat < 300; repeat++) {
            uint32_t given[LONGEST], N = 1 + rng_below(&rng, 4);
            for (uint32_t n = 0; n < N; n++)
                given[n] = rng_below(&rng, 2) ? OPEN_CHOICE : rng_below(&rng, t.labels);
            bool expected = can_be_completed(k, given, N);
            found[expected]++;
            assert_int_equal(is_allowed(&t, given, N), expected);
        }
        assert_true(found[false] > 10 && found[true] > 10);
        transitions_release(&t);
    }
}

static void make_scores(struct scores *scores, struct rng *rng, uint32_t N, uint32_t Y, bool each)
{
    assert_true(scores_shape(scores, N, N, Y, each ? N - 1 : 1, &err));
    for (size_t i = 0; i < (size_t)N * Y; i++)
        scores->node[i] = (float)(4 * rng_uniform(rng) - 2);
    for (size_t i = 0; i < (size_t)scores->E * Y * Y; i++)
        scores->edge[i] = (float)(4 * rng_uniform(rng) - 2);
}

/* Scores of what is allowed stay as they are, all others become -inf; so the decoders have the best of the former. */
static void check_ruled_out(size_t k, const struct transitions *t, const struct scores *before,
                            const struct scores *after)
{
    uint32_t y[LONGEST], choice[LONGEST], N = before->N;
    double top = -INFINITY, score;
    struct scratch scratch = {0};
    for (uint32_t i = 0; labeling(t->labels, N, i, y); i++) {
        score = chain_structure.score(before, y);
        bool written = is_written(k, y, N);
        assert_true(chain_structure.score(after, y) == (written ? score : -INFINITY));
        top = written ? fmax(top, score) : top;
    }
    assert_true(chain_viterbi(after, &scratch, choice, &score, &err));
    assert_true(score == top && is_written(k, choice, N));
    scratch_release(&scratch);
}

TEST(all_others_are_ruled_out)
{
    struct rng rng = rng_new(5, 2);
    struct scores before = {0}, after = {0};
    for (size_t k = 0; k < KNOWN; k++) {
        struct transitions t = transitions_of(k);
        for (uint32_t N = 1; N <= 4; N++)
            for (int each = 0; each < 2; each++) {
                make_scores(&before, &rng, N, t.labels, each);
                assert_true(scores_copy(&after, &before, &err));
                transitions_rule_out(&t, &after);
                check_ruled_out(k, &t, &before, &after);
            }
        transitions_release(&t);
    }
    scores_release(&before);
    scores_release(&after);
}

TEST(parts_without_edges_get_some)
{
    static const uint32_t start[] = {0, 1, 2, 3}, feature[] = {0, 1, 2};
    struct transitions t = transitions_of(0);
    struct space space = {.width = t.labels, .nodes = 3};
    float weight[3 * MOST_LABELS + SLACK] = {0};
    struct parts parts = {.N = 3, .node = {.count = 3, .start = start, .feature = feature}};
    struct scores scores = {0};
    struct scratch scratch = {0};
    uint32_t choice[3];
    double score;
    for (uint32_t n = 0; n < 3; n++)
        weight[n * t.labels + 2 + 2 * (n % 2)] = 9; /* I-X I-Y I-X */
    for (int restricted = 0; restricted < 2; restricted++) {
        parts_restrict(&parts, restricted ? &t : NULL);
        assert_true(parts_score(&parts, &space, weight, &scores, &err));
        assert_true(chain_viterbi(&scores, &scratch, choice, &score, &err));
        assert_true(score == (restricted ? 9 : 27));
        assert_int_equal(is_written(0, choice, 3), restricted);
    }
    scores_release(&scores);
    scratch_release(&scratch);
    transitions_release(&t);
}

static bool suffice(enum scheme scheme, const char *a, const char *b, const char *c)
{
    struct text name[] = {text_of(a), text_of(b), text_of(c)};
    return transitions_suffice(scheme, name, 3);
}

TEST(labels_suffice_if_every_chunk_can_begin_and_end)
{
    assert_true(suffice(SCHEME_IOB2, "O", "B-X", "I-X"));
    assert_false(suffice(SCHEME_IOB2, "O", "B-X", "I-Y"));
    assert_false(suffice(SCHEME_IOB2, "B-Y", "B-X", "I-X"));
    assert_false(suffice(SCHEME_IOB2, "O", "B-X", "NN"));
    assert_true(suffice(SCHEME_IOB1, "O", "I-Y", "I-X"));
    assert_false(suffice(SCHEME_IOB1, "O", "I-Y", "B-X"));
    assert_true(suffice(SCHEME_BIOES, "O", "S-X", "S-Y"));
    assert_true(suffice(SCHEME_BIOES, "B-X", "O", "E-X"));
    assert_true(suffice(SCHEME_BIOES, "U-X", "O", "S-Y"));
    assert_false(suffice(SCHEME_BIOES, "B-X", "O", "E-Y"));
    assert_false(suffice(SCHEME_NONE, "O", "B-X", "I-X"));
}

TEST(without_transitions_all_are_allowed)
{
    static const uint32_t y[] = {2, 1, OPEN_CHOICE};
    struct transitions none = {0};
    assert_true(is_allowed(&none, y, 3));
}
