/*
 * Tests contexts of arcs: two arcs have the same hash exactly where their descriptions, written out, are the same; a
 * counts counts them so; and the signals of the tree around an arc are as they are defined.
 */
#include "fit/logistic.h"
#include "confidence/committee.h"

#include "base/random.h"

#include "must.h"
#include "test.h"

enum { SENTENCES = 40, N = 7, NAMES = 4, TAGS = 3, LEMMAS = 4 };

struct sentence_case {
    uint32_t name[N][NAMES], head[N];
};

/* Word i hangs from a word before it in a random order, so that arcs cross. */
static struct sentence_case simulate(struct rng *rng)
{
    struct sentence_case s;
    uint32_t order[N];
    for (uint32_t i = 0; i < N; i++) {
        uint32_t at = rng_below(rng, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (uint32_t i = 0; i < N; i++) {
        uint32_t lemma = rng_below(rng, LEMMAS), tag = lemma % TAGS;
        memcpy(s.name[i], (uint32_t[]){100 + 2 * lemma + rng_below(rng, 2), 200 + lemma, 300 + tag, 0},
               sizeof s.name[i]);
        s.head[order[i]] = i ? order[rng_below(rng, i)] + 1 : 0;
    }
    return s;
}

static struct counted_answer answer_of(const struct sentence_case *s)
{
    return (struct counted_answer){
        .names = {.name = s->name[0], .stride = NAMES, .heads = true}, .N = N, .choice = s->head};
}

/* Returns the tags of the words that hang from `head`, other than word w, in order; w and heads count from 1. */
static uint32_t dependents(const struct sentence_case *s, uint32_t head, uint32_t w, uint32_t *found)
{
    uint32_t count = 0;
    for (uint32_t m = 1; m <= N; m++)
        if (m != w && s->head[m - 1] == head)
            found[count++] = m;
    return count;
}

static const char *tag_of(const struct sentence_case *s, uint32_t w, char *text)
{
    sprintf(text, "%u", w == 0 ? 0 : s->name[w - 1][2]);
    return text;
}

/* What has a context, and the context, in words. */
static void describe(const struct sentence_case *s, uint32_t n, uint32_t head, enum tree_context which, char *alone,
                     char *context)
{
    uint32_t w = n + 1, at[N], count = dependents(s, head, w, at), inner = 0, outer = 0, left = w<head, right = w> head;
    uint32_t above = head ? s->head[head - 1] : 0;
    char own[16], of_head[16], grandparent[32], a[16], b[16];
    const char *side = head == 0 ? "root" : head > w ? "right" : "left";
    for (uint32_t i = 0; i < count; i++) {
        bool same_side = (at[i] < head) == (w < head), between = (at[i] > w) == (head > w);
        left += at[i] < head;
        right += at[i] > head;
        if (same_side && between && (!inner || (head > w ? at[i] < inner : at[i] > inner)))
            inner = at[i];
        if (same_side && !between && (!outer || (head > w ? at[i] > outer : at[i] < outer)))
            outer = at[i];
    }
    sprintf(grandparent, "%s %d", head ? tag_of(s, above, a) : "none", !head ? 0 : above == 0 ? 1 : 2 + (above > head));
    sprintf(alone, "%s %s %s", tag_of(s, w, own), tag_of(s, head, of_head), side);
    if (which == CONTEXT_GRANDPARENT)
        strcpy(context, grandparent);
    else if (which == CONTEXT_INNER)
        strcpy(context, inner ? tag_of(s, inner, a) : "none");
    else if (which == CONTEXT_OUTER)
        strcpy(context, outer ? tag_of(s, outer, a) : "none");
    else if (which == CONTEXT_VALENCY) {
        strcpy(alone, of_head);
        sprintf(context, "%u %u", left < 3 ? left : 3, right < 3 ? right : 3);
    } else if (which == CONTEXT_LEMMA) {
        sprintf(alone, "%u", head ? s->name[head - 1][1] : 0);
        sprintf(context, "%s %s", own, side);
    } else if (which == CONTEXT_WORD_GRANDPARENT) {
        sprintf(alone, "%u %s %s", s->name[n][0], of_head, side);
        strcpy(context, grandparent);
    } else {
        count = dependents(s, w, 0, at);
        sprintf(context, "%s %s", count && at[0] < w ? tag_of(s, at[0], a) : "none",
                count && at[count - 1] > w ? tag_of(s, at[count - 1], b) : "none");
    }
}

TEST(same_hash_for_the_same_context)
{
    struct rng rng = rng_new(1, 0);
    enum { CASES = 60 };
    static char alone[CASES][TREE_CONTEXTS][64], context[CASES][TREE_CONTEXTS][64];
    static struct context_hashes hashes[CASES];
    for (int i = 0; i < CASES; i++) {
        struct sentence_case s = simulate(&rng);
        struct counted_answer tree = {answer_of(&s).names, N, s.head, NULL};
        uint32_t n = rng_below(&rng, N), head = i % 2 ? s.head[n] : rng_below(&rng, N + 1);
        if (head == n + 1)
            head = 0;
        tree_context(&tree, n, head, &hashes[i]);
        for (int c = 0; c < TREE_CONTEXTS; c++)
            describe(&s, n, head, c, alone[i][c], context[i][c]);
    }
    for (int i = 0; i < CASES; i++)
        for (int j = 0; j < CASES; j++)
            for (int c = 0; c < TREE_CONTEXTS; c++) {
                bool same = strcmp(alone[i][c], alone[j][c]) == 0;
                assert_int_equal(hashes[i].alone[c] == hashes[j].alone[c], same);
                assert_int_equal(hashes[i].with[c] == hashes[j].with[c],
                                 same && strcmp(context[i][c], context[j][c]) == 0);
            }
}

/* Shares by counting descriptions, of the answer's head and of others. */
TEST(contexts_are_counted)
{
    struct rng rng = rng_new(2, 0);
    static struct sentence_case corpus[SENTENCES];
    struct answer_counts counts = {0};
    for (int s = 0; s < SENTENCES; s++) {
        corpus[s] = simulate(&rng);
        struct counted_answer answer = answer_of(&corpus[s]);
        MUST(answer_counts_add(&counts, &answer, &err));
    }
    MUST(answer_counts_close(&counts, &err));
    for (int i = 0; i < 30; i++) {
        const struct sentence_case asked = i % 3 ? simulate(&rng) : corpus[i];
        struct counted_answer answer = answer_of(&asked);
        uint32_t n = rng_below(&rng, N), head = i % 2 ? asked.head[n] : (n + 2) % (N + 1);
        struct context_hashes keys;
        answer_counts_find_contexts(&counts, &answer, n, head, &keys);
        struct context_signals found = answer_counts_contexts(&counts, &keys);
        for (int c = 0; c < TREE_CONTEXTS; c++) {
            char alone[64], context[64], other[64], others_context[64];
            double seen = 0, with = 0;
            describe(&asked, n, head, c, alone, context);
            for (int s = 0; s < SENTENCES; s++)
                for (uint32_t m = 0; m < N; m++) {
                    describe(&corpus[s], m, corpus[s].head[m], c, other, others_context);
                    bool same = strcmp(alone, other) == 0;
                    seen += same;
                    with += same && strcmp(context, others_context) == 0;
                }
            double share = (with + 0.05) / (seen + 1);
            assert_true(found.times[c] == seen);
            assert_true(fabs(found.odds[c] - share / (1 - share)) < 1e-9);
        }
    }
    answer_counts_release(&counts);
}

/*
 * The tree 1 <- 2 -> 4, 3 <- 5, root 2 and 5 under 2: the arc from 3 to 5 crosses that from 4 to 2. The likeliest other
 * head of word 4 is 3.
 */
TEST(the_tree_around_an_arc)
{
    enum { WORDS = 5 };
    const uint32_t head[WORDS] = {2, 0, 5, 2, 2};
    const uint32_t name[WORDS][NAMES] = {{1, 1, 1, 0}, {2, 2, 2, 0}, {3, 3, 3, 0}, {4, 4, 4, 0}, {5, 5, 5, 0}};
    float marginal[WORDS * (WORDS + 1)] = {0};
    double row[WORDS][1 + TREE_SIGNALS] = {{5}, {4}, {3}, {2}, {1}}, *signal; /* odds, then signals */
    struct answer_counts counts = {0};
    struct voice_set voice_set = {.voices = 1, .counts = &counts, .heads = true};
    struct workspace workspace = {.voice_set = &voice_set,
                                  .N = WORDS,
                                  .names = {.name = name[0], .stride = NAMES, .heads = true},
                                  .choice = head};
    workspace.evidence[0].options = WORDS + 1;
    workspace.evidence[0].marginal.node = marginal;
    marginal[3 * (WORDS + 1) + 2] = 0.6f;
    marginal[3 * (WORDS + 1) + 3] = 0.3f;
    marginal[3 * (WORDS + 1) + 5] = 0.1f;
    tree_signals(&workspace, row[0], 1 + TREE_SIGNALS, &row[0][1]);
    signal = &row[3][1];
    assert_true(signal[0] == 2. - 4);                             /* the head is two words to the left */
    assert_true(signal[1] == 1);                                  /* one arc is crossed */
    assert_true(signal[2] == 4);                                  /* the odds of the head's own arc */
    assert_true(signal[3] == 0 && signal[4] == fine_log_odds(1)); /* no dependents */
    assert_true(signal[5] == 1);                                  /* the least sure of the siblings 1 and 5 */
    assert_true(fabs(signal[6] - fine_log_odds(0.3f)) < 1e-12 && signal[7] == 3. - 2);
    signal = &row[1][1]; /* the root */
    assert_true(signal[0] == 0 && signal[2] == fine_log_odds(1) && signal[3] == 3 && signal[4] == 1);
    for (int k = 0; k < TREE_SIGNALS; k++)
        assert_true(isfinite(signal[k]));
}
