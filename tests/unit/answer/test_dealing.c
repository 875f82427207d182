/* Tests how sentences are dealt out to ranks. */
#include "answer/dealing.h"

#include "test.h"

/* Deals sentences of these lengths out as rank `rank` of `count` would; returns the dealing, to be released. */
static struct dealing deal(uint32_t rank, uint32_t count, bool trees, const uint32_t *N, size_t sentences)
{
    static struct ranks ranks[8];
    struct dealing dealing;
    ranks[rank] = (struct ranks){.rank = rank, .count = count};
    assert_true(dealing_init(&dealing, &ranks[rank], trees, NULL));
    for (size_t i = 0; i < sentences; i++) {
        assert_true(dealing_deal(&dealing, N[i], NULL));
        assert_int_equal(dealing_last_is_own(&dealing), dealing.owner[i] == rank);
    }
    return dealing;
}

TEST(all_ranks_deal_alike)
{
    const uint32_t N[] = {5, 0, 9, 1, 1, 40, 3, 3, 3, 17, 2};
    enum { COUNT = sizeof N / sizeof *N };
    struct dealing first = deal(0, 4, false, N, COUNT);
    assert_int_equal(first.owner[0], 0);
    for (uint32_t r = 1; r < 4; r++) {
        struct dealing other = deal(r, 4, false, N, COUNT);
        assert_int_equal(other.dealt, COUNT);
        assert_memory_equal(first.owner, other.owner, sizeof *other.owner * COUNT);
        dealing_release(&other);
    }
    dealing_release(&first);
}

TEST(the_idlest_rank_gets_the_next_sentence)
{
    const uint32_t N[] = {4, 3, 3, 3, 2, 2};
    const uint32_t by_words[] = {0, 1, 1, 0, 1, 0}, by_squares[] = {0, 1, 1, 0, 1, 1};
    struct dealing labels = deal(0, 2, false, N, 6), trees = deal(0, 2, true, N, 6);
    assert_memory_equal(labels.owner, by_words, sizeof by_words);
    assert_memory_equal(trees.owner, by_squares, sizeof by_squares);
    dealing_release(&labels);
    dealing_release(&trees);
}

/* A round holds more sentences if there are more ranks, but not any number of words; the next one begins afresh. */
TEST(rounds_end)
{
    struct ranks ranks[] = {{.count = 2}, {.count = 4}};
    size_t sentences[2];
    for (size_t i = 0; i < 2; i++) {
        struct dealing d;
        assert_true(dealing_init(&d, &ranks[i], false, NULL));
        for (dealing_begin_round(&d); !dealing_round_is_full(&d);)
            assert_true(dealing_deal(&d, 10, NULL));
        sentences[i] = d.dealt;
        dealing_begin_round(&d);
        assert_false(dealing_round_is_full(&d));
        assert_true(dealing_deal(&d, 1 << 20, NULL));
        assert_true(dealing_round_is_full(&d));
        assert_int_equal(d.owner[0], 0);
        dealing_release(&d);
    }
    assert_int_equal(sentences[1], 2 * sentences[0]);
}
