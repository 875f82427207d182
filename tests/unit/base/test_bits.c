/* Tests streams of bits: what was put in comes out, at every length; what is cut off or damaged ends. */
#include "base/bits.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

static struct bit_reader reader_of(const struct bit_writer *writer)
{
    struct bit_reader reader;
    assert_true(bits_start(&reader, writer->bytes, bits_bytes(writer)));
    return reader;
}

TEST(bits_come_out_as_they_went_in)
{
    struct bit_writer writer = {0};
    struct rng rng = rng_new(1, 1);
    uint64_t value[5000];
    uint32_t bits[5000];
    for (int i = 0; i < 5000; i++) {
        bits[i] = rng_below(&rng, BITS_AT_ONCE + 1);
        value[i] = rng_next(&rng) & ((UINT64_C(1) << bits[i]) - 1);
        MUST(bits_put(&writer, value[i], bits[i], &err));
    }
    struct bit_reader reader = reader_of(&writer);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(bits_take(&reader, bits[i]), value[i]);
    assert_false(bits_over(&reader));
    assert_int_equal(bits_take(&reader, 8), 0);
    assert_true(bits_over(&reader));
    assert_int_equal(bits_take(&reader, 56), 0);
    free(writer.bytes);
}

/* Small numbers, those around powers of two, and the largest, in every order. */
TEST(numbers_come_out_as_they_went_in)
{
    for (uint32_t order = 0; order <= MOST_ORDER; order++) {
        struct bit_writer writer = {0};
        uint64_t x[500], count = 0, all = 0;
        for (uint64_t i = 0; i < 100; i++)
            x[count++] = i;
        for (uint32_t power = 3; power < MOST_BELOW; power++)
            for (uint64_t i = 0; i < 3; i++)
                x[count++] = (UINT64_C(1) << power) - 1 + i;
        x[count++] = (UINT64_C(1) << (MOST_BELOW + 1)) - 1 - (UINT64_C(1) << order);
        for (uint64_t i = 0; i < count; i++) {
            MUST(bits_put_code(&writer, x[i], order, &err));
            all += code_bits(x[i], order);
        }
        assert_int_equal(writer.count, all);
        struct bit_reader reader = reader_of(&writer);
        for (uint64_t i = 0; i < count; i++)
            assert_int_equal(bits_take_code(&reader, order), x[i]);
        assert_false(bits_over(&reader));
        free(writer.bytes);
    }
}

TEST(the_order_is_the_best_one)
{
    struct rng rng = rng_new(2, 1);
    for (int round = 0; round < 20; round++) {
        struct code_census census = {0};
        uint64_t bits[MOST_ORDER + 1] = {0};
        uint32_t limit = UINT32_C(2) << rng_below(&rng, 11);
        for (int i = 0; i < 1000; i++) {
            uint64_t x = rng_below(&rng, limit);
            census_add(&census, x);
            for (uint32_t order = 0; order <= MOST_ORDER; order++)
                bits[order] += code_bits(x, order);
        }
        uint32_t best = census_order(&census);
        for (uint32_t order = 0; order <= MOST_ORDER; order++)
            assert_true(bits[best] < bits[order] || (bits[best] == bits[order] && best <= order));
    }
}

/* Any bytes whatever: reading stays within them, and says when it is over. */
TEST(rubbish_ends)
{
    struct rng rng = rng_new(3, 1);
    for (int round = 0; round < 2000; round++) {
        uint64_t length = BITS_SLACK + rng_below(&rng, 40);
        unsigned char *bytes = malloc(length); /* sanitizers watch both ends */
        for (uint64_t i = 0; i < length; i++)
            bytes[i] = round % 3 ? (unsigned char)rng_next(&rng) : 0;
        struct bit_reader reader;
        assert_true(bits_start(&reader, bytes, length));
        for (int i = 0; i < 400; i++)
            (void)bits_take_code(&reader, rng_below(&rng, MOST_ORDER + 1));
        assert_true(bits_over(&reader));
        free(bytes);
    }
    struct bit_reader reader;
    assert_false(bits_start(&reader, "", 0));
    assert_false(bits_start(&reader, "1234567", BITS_SLACK - 1));
}
