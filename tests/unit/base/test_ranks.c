/* Tests what ranks add up and collect, by fakes that know what the other ranks have. */
#include "base/ranks.h"

#include "test.h"

/* What three ranks have. */
static const char *const texts[3] = {"one", "", "three"};
static struct ranks fake;

/* Adds the others' sizes, which each rank puts into a number of its own. */
static bool add_lengths(void *self, int64_t *number, size_t count, struct vouch_error *err)
{
    (void)self, (void)err;
    for (uint32_t r = 0; r < count; r++)
        if (r != fake.rank)
            number[r] += (int64_t)strlen(texts[r]);
    return true;
}

static bool join_texts(void *self, const char *own, const uint64_t *size, uint32_t whom, char *all,
                       struct vouch_error *err)
{
    (void)self, (void)err;
    assert_memory_equal(own, texts[fake.rank], size[fake.rank]);
    for (uint32_t r = 0; r < 3; r++) {
        assert_int_equal(size[r], strlen(texts[r]));
        if (whom == FOR_ALL || whom == fake.rank)
            memcpy(all, texts[r], size[r]);
        all += size[r];
    }
    return true;
}

static const struct ranks *rank(uint32_t number)
{
    fake = (struct ranks){.rank = number, .count = 3, .sum = add_lengths, .gather = join_texts};
    return &fake;
}

TEST(alone_there_is_nothing_to_do)
{
    int64_t number = 7;
    uint64_t bits = 5;
    double result[2] = {1, 2};
    struct gathered all;
    assert_int_equal(ranks_count(NULL), 1);
    assert_true(ranks_first(NULL) && ranks_do(NULL, 4));
    assert_int_equal(ranks_share(NULL, 9), 9);
    assert_true(ranks_sum(NULL, &number, 1, NULL) && ranks_unite(NULL, &bits, 1, NULL));
    assert_true(ranks_exchange(NULL, result, 2, sizeof *result, NULL));
    assert_true(number == 7 && bits == 5 && result[0] == 1 && result[1] == 2);
    assert_true(ranks_gather(NULL, "mine", 4, FOR_FIRST, &all, NULL));
    assert_int_equal(all.count, 1);
    assert_int_equal(all.start[1], 4);
    assert_memory_equal(all.bytes, "mine", 4);
    gathered_release(&all);
    assert_true(ranks_gather(NULL, NULL, 0, FOR_ALL, &all, NULL));
    assert_int_equal(all.start[1], 0);
    gathered_release(&all);
}

TEST(bytes_lie_in_the_order_of_ranks)
{
    for (uint32_t r = 0; r < 3; r++) {
        struct gathered all;
        assert_true(ranks_gather(rank(r), texts[r], strlen(texts[r]), FOR_ALL, &all, NULL));
        assert_int_equal(all.count, 3);
        assert_memory_equal(all.bytes, "onethree", 8);
        assert_true(all.start[0] == 0 && all.start[1] == 3 && all.start[2] == 3 && all.start[3] == 8);
        gathered_release(&all);
    }
}

TEST(the_first_alone_gets_what_is_for_the_first)
{
    struct gathered all;
    assert_true(ranks_gather(rank(0), texts[0], strlen(texts[0]), FOR_FIRST, &all, NULL));
    assert_int_equal(all.start[3], 8);
    assert_memory_equal(all.bytes, "onethree", 8);
    gathered_release(&all);
    assert_true(ranks_gather(rank(2), texts[2], strlen(texts[2]), FOR_FIRST, &all, NULL));
    assert_int_equal(all.start[3], 0);
    gathered_release(&all);
}

/* Every job is one rank's, whatever their numbers. */
TEST(jobs_are_dealt_out_in_turn)
{
    for (uint32_t jobs = 0; jobs < 8; jobs++) {
        uint32_t sum = 0;
        for (uint32_t r = 0; r < 3; r++) {
            uint32_t own = 0;
            for (uint32_t job = 0; job < jobs; job++)
                own += ranks_do(rank(r), job);
            assert_int_equal(own, ranks_share(rank(r), jobs));
            sum += own;
        }
        assert_int_equal(sum, jobs);
    }
}

/* Seven jobs of one byte on three ranks: results of rank r are r, r + 3, r + 6. */
static const char *const made[3] = {"adg", "be", "cf"};

static bool add_sizes(void *self, int64_t *number, size_t count, struct vouch_error *err)
{
    (void)self, (void)err;
    for (uint32_t r = 0; r < count; r++)
        if (r != fake.rank)
            number[r] += (int64_t)strlen(made[r]);
    return true;
}

static bool join_made(void *self, const char *own, const uint64_t *size, uint32_t whom, char *all,
                      struct vouch_error *err)
{
    (void)self, (void)err;
    assert_true(whom == FOR_ALL);
    assert_memory_equal(own, made[fake.rank], size[fake.rank]);
    memcpy(all, "adgbecf", 7);
    return true;
}

TEST(results_come_back_in_the_order_of_jobs)
{
    for (uint32_t r = 0; r < 3; r++) {
        char result[] = ".......";
        for (uint32_t k = 0; k < strlen(made[r]); k++)
            result[r + 3 * k] = made[r][k];
        fake = (struct ranks){.rank = r, .count = 3, .sum = add_sizes, .gather = join_made};
        assert_true(ranks_exchange(&fake, result, 7, 1, NULL));
        assert_string_equal(result, "abcdefg");
    }
}
