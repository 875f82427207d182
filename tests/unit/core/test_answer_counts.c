/* Tests counts of answers: as they are defined, without what is left out, whatever the order; and in a file. */
#include "core/answer_counts.h"

#include "base/random.h"
#include "core/sentence.h"

#include "must.h"
#include "test.h"

enum { SENTENCES = 200, WORDS = 8, FORMS = 30, TYPES = 4, NAMES = 2 };

struct corpus {
    uint32_t name[SENTENCES][WORDS][NAMES], label[SENTENCES][WORDS];
};

/* Words of few forms; two forms share a lower case. */
static struct corpus simulate(uint64_t seed)
{
    struct corpus corpus;
    struct rng rng = rng_new(seed, 3);
    for (int s = 0; s < SENTENCES; s++)
        for (int n = 0; n < WORDS; n++) {
            uint32_t form = rng_below(&rng, FORMS);
            corpus.name[s][n][0] = 1000 + form;
            corpus.name[s][n][1] = 5000 + form / 2;
            corpus.label[s][n] = rng_below(&rng, 3) ? form % TYPES : rng_below(&rng, TYPES);
        }
    return corpus;
}

static struct counted_answer answer_of(const struct corpus *corpus, int s)
{
    return (struct counted_answer){
        .names = {.name = corpus->name[s][0], .stride = NAMES}, .N = WORDS, .choice = corpus->label[s]};
}

static struct answer_counts count_all(const struct corpus *corpus, int from, int to, int step)
{
    struct answer_counts counts = {0};
    for (int s = from; s != to; s += step) {
        struct counted_answer answer = answer_of(corpus, s);
        MUST(answer_counts_add(&counts, &answer, &err));
    }
    return counts;
}

/* Whether two words are the same as far as a kind looks: form, lower case, with the word before, with that behind. */
static bool alike(const struct corpus *c, int kind, int s, int n, int t, int m)
{
    const uint32_t (*a)[NAMES] = c->name[s], (*b)[NAMES] = c->name[t];
    if (kind == 0)
        return a[n][0] == b[m][0];
    if (a[n][1] != b[m][1])
        return false;
    int i = kind == 2 ? n - 1 : n + 1, j = kind == 2 ? m - 1 : m + 1;
    bool first = i < 0 || i == WORDS, second = j < 0 || j == WORDS;
    return kind == 1 || (first && second) || (!first && !second && a[i][1] == b[j][1]);
}

/* The signals by their definition, of all sentences but those before `left_out`. */
static void plain_signals(const struct corpus *c, int left_out, int s, int n, double *signal)
{
    double any = 0, answer = 0;
    for (int t = left_out; t < SENTENCES; t++)
        for (int m = 0; m < WORDS; m++) {
            any++;
            answer += c->label[t][m] == c->label[s][n];
        }
    double prior = (answer + 0.5) / (any + 1);
    for (int kind = 0; kind < COUNT_KINDS; kind++) {
        double seen = 0, with = 0;
        for (int t = left_out; t < SENTENCES; t++)
            for (int m = 0; m < WORDS; m++)
                if (alike(c, kind, s, n, t, m)) {
                    seen++;
                    with += c->label[t][m] == c->label[s][n];
                }
        if (kind >= 2 && seen < 2)
            seen = 0;
        if (kind >= 2 && with < 2)
            with = 0;
        double share = (fmin(with, seen) + prior) / (seen + 1);
        signal[2 * kind] = log1p(seen);
        signal[2 * kind + 1] = log(share / (1 - share));
    }
}

static void must_be_as_defined(const struct corpus *corpus, const struct answer_counts *counts, int left_out)
{
    for (int s = 0; s < SENTENCES; s += 7) {
        struct counted_answer answer = answer_of(corpus, s);
        double signal[WORDS][COUNT_SIGNALS + 1], plain[COUNT_SIGNALS];
        answer_counts_signals(counts, &answer, signal[0], COUNT_SIGNALS + 1);
        for (int n = 0; n < WORDS; n++) {
            plain_signals(corpus, left_out, s, n, plain);
            for (int k = 0; k < COUNT_SIGNALS; k++)
                assert_true(fabs(signal[n][k] - plain[k]) < 1e-9);
        }
    }
}

TEST(counts_are_as_defined)
{
    struct corpus corpus = simulate(1);
    struct answer_counts counts = count_all(&corpus, 0, SENTENCES, 1);
    MUST(answer_counts_close(&counts, &err));
    must_be_as_defined(&corpus, &counts, 0);
    answer_counts_release(&counts);
}

TEST(what_is_left_out_does_not_count)
{
    enum { LEFT_OUT = 60 };
    struct corpus corpus = simulate(2);
    struct answer_counts all = count_all(&corpus, 0, SENTENCES, 1), part = count_all(&corpus, 0, LEFT_OUT, 1);
    MUST(answer_counts_close(&all, &err));
    struct answer_counts rest = all;
    rest.except = &part;
    must_be_as_defined(&corpus, &rest, LEFT_OUT);
    answer_counts_release(&all);
    answer_counts_release(&part);
}

/* Doubles all counts until they are as large as they can be. */
static void saturate(struct answer_counts *counts)
{
    for (int i = 0; i < COUNT_BITS; i++) {
        struct answer_counts twice = {0};
        MUST(answer_counts_add_all(&twice, counts, &err) && answer_counts_add_all(&twice, counts, &err));
        answer_counts_release(counts);
        *counts = twice;
    }
}

/* Then all words are as many as those with one answer, of which fewer are left out: more of these are left. */
TEST(counts_that_are_full_give_shares_below_one)
{
    enum { LEFT_OUT = 60 };
    const double most = (1 << COUNT_BITS) - 1, left = most - LEFT_OUT * WORDS;
    struct corpus corpus = simulate(6);
    struct answer_counts all = count_all(&corpus, 0, SENTENCES, 1), part = count_all(&corpus, 0, LEFT_OUT, 1);
    saturate(&all);
    all.except = &part;
    for (int s = 0; s < SENTENCES; s++) {
        double signal[WORDS][COUNT_SIGNALS];
        corpus.name[s][WORDS / 2][0] = 1; /* a form that was never counted: its share is the prior */
        struct counted_answer answer = answer_of(&corpus, s);
        answer_counts_signals(&all, &answer, signal[0], COUNT_SIGNALS);
        assert_true(fabs(signal[WORDS / 2][1] - log(2 * left + 1)) < 1e-6);
        for (int n = 0; n < WORDS; n++)
            for (int k = 0; k < COUNT_SIGNALS; k++)
                assert_true(isfinite(signal[n][k]) && fabs(signal[n][k]) < 2 * log(2 * most + 2));
    }
    answer_counts_release(&all);
    answer_counts_release(&part);
}

TEST(the_order_does_not_matter)
{
    struct corpus corpus = simulate(3);
    struct answer_counts first = count_all(&corpus, 0, SENTENCES, 1),
                         second = count_all(&corpus, SENTENCES - 1, -1, -1);
    struct answer_counts sum = {0}, half = count_all(&corpus, 0, 50, 1), rest = count_all(&corpus, 50, SENTENCES, 1);
    MUST(answer_counts_add_all(&sum, &half, &err) && answer_counts_add_all(&sum, &rest, &err));
    MUST(answer_counts_close(&first, &err) && answer_counts_close(&second, &err) && answer_counts_close(&sum, &err));
    assert_int_equal(first.mask, second.mask);
    assert_int_equal(first.mask, sum.mask);
    assert_memory_equal(first.slot, second.slot, sizeof *first.slot * (first.mask + 1));
    assert_memory_equal(first.slot, sum.slot, sizeof *first.slot * (first.mask + 1));
    answer_counts_release(&first);
    answer_counts_release(&second);
    answer_counts_release(&half);
    answer_counts_release(&rest);
    answer_counts_release(&sum);
}

/* Slot by slot, as a text of a model has them. */
TEST(it_can_be_written_and_read)
{
    struct corpus corpus = simulate(4);
    struct answer_counts counts = count_all(&corpus, 0, SENTENCES, 1), again = {0};
    MUST(answer_counts_close(&counts, &err));
    uint64_t at = 0, slot;
    size_t count = 0;
    for (; answer_counts_next(&counts, &at, &slot); count++)
        MUST(answer_counts_add_slot(&again, slot, &err));
    assert_int_equal(count, counts.count);
    MUST(answer_counts_close(&again, &err));
    assert_memory_equal(counts.slot, again.slot, sizeof *counts.slot * (counts.mask + 1));
    answer_counts_release(&counts);
    answer_counts_release(&again);
}

TEST(an_empty_one_says_nothing)
{
    struct corpus corpus = simulate(5);
    struct answer_counts counts = {0};
    struct counted_answer answer = answer_of(&corpus, 0);
    double signal[WORDS][COUNT_SIGNALS];
    MUST(answer_counts_close(&counts, &err));
    answer_counts_signals(&counts, &answer, signal[0], COUNT_SIGNALS);
    for (int n = 0; n < WORDS; n++)
        for (int k = 0; k < COUNT_SIGNALS; k++)
            assert_true(isfinite(signal[n][k]) && (k % 2 || signal[n][k] == 0));
    answer.names.name = NULL; /* words without names */
    answer_counts_signals(&counts, &answer, signal[0], COUNT_SIGNALS);
    for (int n = 0; n < WORDS; n++)
        for (int k = 0; k < COUNT_SIGNALS; k++)
            assert_true(signal[n][k] == 0);
}

/* Of arcs: a head that the word always had is told apart from one that it never had. */
TEST(arcs_are_counted_by_their_heads)
{
    enum { N = 3 };
    const uint32_t name[N][4] = {{11, 21, 31, 0}, {12, 22, 32, 0}, {13, 23, 33, 0}};
    const uint32_t usual[N] = {2, 0, 2}, unusual[N] = {3, 0, 1};
    struct answer_counts counts = {0};
    struct counted_answer answer = {.names = {.name = name[0], .stride = 4, .heads = true}, .N = N, .choice = usual};
    double expected[N][COUNT_SIGNALS], odd[N][COUNT_SIGNALS];
    for (int i = 0; i < 10; i++)
        MUST(answer_counts_add(&counts, &answer, &err));
    MUST(answer_counts_close(&counts, &err));
    answer_counts_signals(&counts, &answer, expected[0], COUNT_SIGNALS);
    answer.choice = unusual;
    answer_counts_signals(&counts, &answer, odd[0], COUNT_SIGNALS);
    for (int kind = 0; kind < COUNT_KINDS; kind++) {
        assert_true(fabs(expected[0][2 * kind] - log1p(10)) < 1e-12);
        assert_true(expected[0][2 * kind + 1] > 2 && odd[0][2 * kind + 1] < -4);
        assert_true(expected[1][2 * kind + 1] == odd[1][2 * kind + 1]);
    }
    answer_counts_release(&counts);
}

/* Counting one label of a sentence and then the other is counting both. */
TEST(open_words_are_not_counted)
{
    struct corpus corpus = simulate(9);
    struct answer_counts whole = {0}, parts = {0};
    for (int s = 0; s < SENTENCES; s++) {
        struct counted_answer answer = answer_of(&corpus, s);
        MUST(answer_counts_add(&whole, &answer, &err));
        for (int part = 0; part < 2; part++) {
            uint32_t label[WORDS];
            for (int n = 0; n < WORDS; n++)
                label[n] = (n * 7 + s) % 3 == 0 ? corpus.label[s][n] : OPEN_CHOICE;
            for (int n = 0; part == 1 && n < WORDS; n++)
                label[n] = label[n] == OPEN_CHOICE ? corpus.label[s][n] : OPEN_CHOICE;
            answer.choice = label;
            MUST(answer_counts_add(&parts, &answer, &err));
        }
    }
    MUST(answer_counts_close(&whole, &err) && answer_counts_close(&parts, &err));
    assert_int_equal(whole.count, parts.count);
    assert_int_equal(whole.mask, parts.mask);
    assert_memory_equal(whole.slot, parts.slot, (whole.mask + 1) * sizeof *whole.slot);
    answer_counts_release(&whole);
    answer_counts_release(&parts);
}
