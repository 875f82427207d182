/* Tests how sentences are shared among ranks. */
#include "answer/answer_stream.h"

#include "test.h"

/* Deals sentences of these lengths out as rank `rank` of `count` would; returns the round, to be released. */
static struct rank_round deal(uint32_t rank, uint32_t count, bool trees, const uint32_t *N, size_t sentences)
{
    static struct ranks ranks[8];
    struct rank_round round;
    ranks[rank] = (struct ranks){.rank = rank, .count = count};
    assert_true(rank_round_init(&round, &ranks[rank], trees, NULL));
    for (size_t i = 0; i < sentences; i++) {
        assert_true(rank_round_add(&round, N[i], NULL));
    }
    return round;
}

TEST(all_ranks_deal_alike)
{
    const uint32_t N[] = {5, 0, 9, 1, 1, 40, 3, 3, 3, 17, 2};
    enum { COUNT = sizeof N / sizeof *N };
    struct rank_round first = deal(0, 4, false, N, COUNT);
    assert_int_equal(first.owner[0], 0);
    for (uint32_t r = 1; r < 4; r++) {
        struct rank_round other = deal(r, 4, false, N, COUNT);
        assert_int_equal(other.count, COUNT);
        assert_memory_equal(first.owner, other.owner, sizeof *other.owner * COUNT);
        rank_round_release(&other);
    }
    rank_round_release(&first);
}

TEST(the_idlest_rank_gets_the_next_sentence)
{
    const uint32_t N[] = {4, 3, 3, 3, 2, 2};
    const uint32_t by_words[] = {0, 1, 1, 0, 1, 0}, by_squares[] = {0, 1, 1, 0, 1, 1};
    struct rank_round labels = deal(0, 2, false, N, 6), trees = deal(0, 2, true, N, 6);
    assert_memory_equal(labels.owner, by_words, sizeof by_words);
    assert_memory_equal(trees.owner, by_squares, sizeof by_squares);
    rank_round_release(&labels);
    rank_round_release(&trees);
}

/* A round holds more sentences if there are more ranks, but not any number of words; the next one begins afresh. */
TEST(rounds_end)
{
    struct ranks ranks[] = {{.count = 2}, {.count = 4}};
    size_t sentences[2];
    for (size_t i = 0; i < 2; i++) {
        struct rank_round d;
        assert_true(rank_round_init(&d, &ranks[i], false, NULL));
        for (rank_round_begin(&d); !rank_round_is_full(&d);)
            assert_true(rank_round_add(&d, 10, NULL));
        sentences[i] = d.count;
        rank_round_begin(&d);
        assert_false(rank_round_is_full(&d));
        assert_true(rank_round_add(&d, 1 << 20, NULL));
        assert_true(rank_round_is_full(&d));
        assert_int_equal(d.owner[0], 0);
        rank_round_release(&d);
    }
    assert_int_equal(sentences[1], 2 * sentences[0]);
}
