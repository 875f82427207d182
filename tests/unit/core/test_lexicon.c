/* Tests the lexicon: counts as they are defined, without what is left out, whatever the order; and in a file. */
#include "core/lexicon.h"

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

static struct lexicon_answer answer_of(const struct corpus *corpus, int s)
{
    return (struct lexicon_answer){
        .names = {.name = corpus->name[s][0], .stride = NAMES}, .N = WORDS, .choice = corpus->label[s]};
}

static struct lexicon count_all(const struct corpus *corpus, int from, int to, int step)
{
    struct lexicon lexicon = {0};
    for (int s = from; s != to; s += step) {
        struct lexicon_answer answer = answer_of(corpus, s);
        MUST(lexicon_add(&lexicon, &answer, &err));
    }
    return lexicon;
}

/* Whether two words are the same as far as a kind looks: form, lower case, with the word before, with that behind. */
static bool alike(const struct corpus *c, int kind, int s, int n, int t, int m)
{
    const uint32_t(*a)[NAMES] = c->name[s], (*b)[NAMES] = c->name[t];
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
    for (int kind = 0; kind < LEXICON_KINDS; kind++) {
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

static void must_be_as_defined(const struct corpus *corpus, const struct lexicon *lexicon, int left_out)
{
    for (int s = 0; s < SENTENCES; s += 7) {
        struct lexicon_answer answer = answer_of(corpus, s);
        double signal[WORDS][LEXICON_SIGNALS + 1], plain[LEXICON_SIGNALS];
        lexicon_signals(lexicon, &answer, signal[0], LEXICON_SIGNALS + 1);
        for (int n = 0; n < WORDS; n++) {
            plain_signals(corpus, left_out, s, n, plain);
            for (int k = 0; k < LEXICON_SIGNALS; k++)
                assert_true(fabs(signal[n][k] - plain[k]) < 1e-9);
        }
    }
}

TEST(counts_are_as_defined)
{
    struct corpus corpus = simulate(1);
    struct lexicon lexicon = count_all(&corpus, 0, SENTENCES, 1);
    MUST(lexicon_close(&lexicon, &err));
    must_be_as_defined(&corpus, &lexicon, 0);
    lexicon_release(&lexicon);
}

TEST(what_is_left_out_does_not_count)
{
    enum { LEFT_OUT = 60 };
    struct corpus corpus = simulate(2);
    struct lexicon all = count_all(&corpus, 0, SENTENCES, 1), part = count_all(&corpus, 0, LEFT_OUT, 1);
    MUST(lexicon_close(&all, &err));
    struct lexicon rest = all;
    rest.except = &part;
    must_be_as_defined(&corpus, &rest, LEFT_OUT);
    lexicon_release(&all);
    lexicon_release(&part);
}

/* Doubles all counts until they are as large as they can be. */
static void saturate(struct lexicon *lexicon)
{
    for (int i = 0; i < COUNT_BITS; i++) {
        struct lexicon twice = {0};
        MUST(lexicon_add_all(&twice, lexicon, &err) && lexicon_add_all(&twice, lexicon, &err));
        lexicon_release(lexicon);
        *lexicon = twice;
    }
}

/* Then all words are as many as those with one answer, of which fewer are left out: more of these are left. */
TEST(counts_that_are_full_give_shares_below_one)
{
    enum { LEFT_OUT = 60 };
    const double most = (1 << COUNT_BITS) - 1, left = most - LEFT_OUT * WORDS;
    struct corpus corpus = simulate(6);
    struct lexicon all = count_all(&corpus, 0, SENTENCES, 1), part = count_all(&corpus, 0, LEFT_OUT, 1);
    saturate(&all);
    all.except = &part;
    for (int s = 0; s < SENTENCES; s++) {
        double signal[WORDS][LEXICON_SIGNALS];
        corpus.name[s][WORDS / 2][0] = 1; /* a form that was never counted: its share is the prior */
        struct lexicon_answer answer = answer_of(&corpus, s);
        lexicon_signals(&all, &answer, signal[0], LEXICON_SIGNALS);
        assert_true(fabs(signal[WORDS / 2][1] - log(2 * left + 1)) < 1e-6);
        for (int n = 0; n < WORDS; n++)
            for (int k = 0; k < LEXICON_SIGNALS; k++)
                assert_true(isfinite(signal[n][k]) && fabs(signal[n][k]) < 2 * log(2 * most + 2));
    }
    lexicon_release(&all);
    lexicon_release(&part);
}

TEST(the_order_does_not_matter)
{
    struct corpus corpus = simulate(3);
    struct lexicon first = count_all(&corpus, 0, SENTENCES, 1), second = count_all(&corpus, SENTENCES - 1, -1, -1);
    struct lexicon sum = {0}, half = count_all(&corpus, 0, 50, 1), rest = count_all(&corpus, 50, SENTENCES, 1);
    MUST(lexicon_add_all(&sum, &half, &err) && lexicon_add_all(&sum, &rest, &err));
    MUST(lexicon_close(&first, &err) && lexicon_close(&second, &err) && lexicon_close(&sum, &err));
    assert_int_equal(first.mask, second.mask);
    assert_int_equal(first.mask, sum.mask);
    assert_memory_equal(first.slot, second.slot, sizeof *first.slot * (first.mask + 1));
    assert_memory_equal(first.slot, sum.slot, sizeof *first.slot * (first.mask + 1));
    lexicon_release(&first);
    lexicon_release(&second);
    lexicon_release(&half);
    lexicon_release(&rest);
    lexicon_release(&sum);
}

/* Slot by slot, as a text of a model has them. */
TEST(it_can_be_written_and_read)
{
    struct corpus corpus = simulate(4);
    struct lexicon lexicon = count_all(&corpus, 0, SENTENCES, 1), again = {0};
    MUST(lexicon_close(&lexicon, &err));
    uint64_t at = 0, slot;
    size_t count = 0;
    for (; lexicon_next(&lexicon, &at, &slot); count++)
        MUST(lexicon_add_slot(&again, slot, &err));
    assert_int_equal(count, lexicon.count);
    MUST(lexicon_close(&again, &err));
    assert_memory_equal(lexicon.slot, again.slot, sizeof *lexicon.slot * (lexicon.mask + 1));
    lexicon_release(&lexicon);
    lexicon_release(&again);
}

TEST(an_empty_one_says_nothing)
{
    struct corpus corpus = simulate(5);
    struct lexicon lexicon = {0};
    struct lexicon_answer answer = answer_of(&corpus, 0);
    double signal[WORDS][LEXICON_SIGNALS];
    MUST(lexicon_close(&lexicon, &err));
    lexicon_signals(&lexicon, &answer, signal[0], LEXICON_SIGNALS);
    for (int n = 0; n < WORDS; n++)
        for (int k = 0; k < LEXICON_SIGNALS; k++)
            assert_true(isfinite(signal[n][k]) && (k % 2 || signal[n][k] == 0));
    answer.names.name = NULL; /* words without names */
    lexicon_signals(&lexicon, &answer, signal[0], LEXICON_SIGNALS);
    for (int n = 0; n < WORDS; n++)
        for (int k = 0; k < LEXICON_SIGNALS; k++)
            assert_true(signal[n][k] == 0);
}

/* Of arcs: a head that the word always had is told apart from one that it never had. */
TEST(arcs_are_counted_by_their_heads)
{
    enum { N = 3 };
    const uint32_t name[N][4] = {{11, 21, 31, 0}, {12, 22, 32, 0}, {13, 23, 33, 0}};
    const uint32_t usual[N] = {2, 0, 2}, unusual[N] = {3, 0, 1};
    struct lexicon lexicon = {0};
    struct lexicon_answer answer = {.names = {.name = name[0], .stride = 4, .heads = true}, .N = N, .choice = usual};
    double expected[N][LEXICON_SIGNALS], odd[N][LEXICON_SIGNALS];
    for (int i = 0; i < 10; i++)
        MUST(lexicon_add(&lexicon, &answer, &err));
    MUST(lexicon_close(&lexicon, &err));
    lexicon_signals(&lexicon, &answer, expected[0], LEXICON_SIGNALS);
    answer.choice = unusual;
    lexicon_signals(&lexicon, &answer, odd[0], LEXICON_SIGNALS);
    for (int kind = 0; kind < LEXICON_KINDS; kind++) {
        assert_true(fabs(expected[0][2 * kind] - log1p(10)) < 1e-12);
        assert_true(expected[0][2 * kind + 1] > 2 && odd[0][2 * kind + 1] < -4);
        assert_true(expected[1][2 * kind + 1] == odd[1][2 * kind + 1]);
    }
    lexicon_release(&lexicon);
}

/* Counting one label of a sentence and then the other is counting both. */
TEST(open_words_are_not_counted)
{
    struct corpus corpus = simulate(9);
    struct lexicon whole = {0}, parts = {0};
    for (int s = 0; s < SENTENCES; s++) {
        struct lexicon_answer answer = answer_of(&corpus, s);
        MUST(lexicon_add(&whole, &answer, &err));
        for (int part = 0; part < 2; part++) {
            uint32_t label[WORDS];
            for (int n = 0; n < WORDS; n++)
                label[n] = (n * 7 + s) % 3 == 0 ? corpus.label[s][n] : OPEN_CHOICE;
            for (int n = 0; part == 1 && n < WORDS; n++)
                label[n] = label[n] == OPEN_CHOICE ? corpus.label[s][n] : OPEN_CHOICE;
            answer.choice = label;
            MUST(lexicon_add(&parts, &answer, &err));
        }
    }
    MUST(lexicon_close(&whole, &err) && lexicon_close(&parts, &err));
    assert_int_equal(whole.count, parts.count);
    assert_int_equal(whole.mask, parts.mask);
    assert_memory_equal(whole.slot, parts.slot, (whole.mask + 1) * sizeof *whole.slot);
    lexicon_release(&whole);
    lexicon_release(&parts);
}
