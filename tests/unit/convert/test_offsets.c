/* Tests offsets of characters against counting them one by one. */
#include "convert/offsets.h"

#include "base/random.h"
#include "must.h"

/* Returns the units of the characters in front of a byte, or -1 inside of one. */
static long count_units(struct text text, uint32_t byte, enum offset_unit unit)
{
    long units = 0;
    uint32_t at = 0;
    while (at < byte) {
        unsigned width = utf8_width(text.at[at]);
        units += unit == OFFSET_BYTES ? (long)width : unit == OFFSET_UTF16 && width == 4 ? 2 : 1;
        at += width;
    }
    return at == byte ? units : -1;
}

static void check_text(struct text text)
{
    struct offset_map map = {0};
    for (enum offset_unit unit = OFFSET_BYTES; unit <= OFFSET_UTF16; unit++) {
        uint32_t found;
        MUST(offset_map_set(&map, text, unit, &err));
        long next = 0;
        for (uint32_t byte = 0; byte <= text.length; byte++) {
            long units = count_units(text, byte, unit);
            if (units < 0)
                continue;
            assert_int_equal(offset_of_byte(&map, byte), units);
            assert_true(byte_of_offset(&map, (uint64_t)units, &found));
            assert_int_equal(found, byte);
            for (; next < units; next++) /* those between are inside of a character */
                assert_false(byte_of_offset(&map, (uint64_t)next, &found));
            next = units + 1;
        }
        assert_int_equal(map.units, count_units(text, text.length, unit));
        assert_false(byte_of_offset(&map, (uint64_t)map.units + 1, &found));
    }
    offset_map_release(&map);
}

TEST(offsets_of_random_texts_are_those_counted_one_by_one)
{
    static const char *const characters[] = {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    struct rng rng = rng_new(7, 0);
    char bytes[1200];
    for (int round = 0; round < 200; round++) {
        uint32_t length = 0, count = rng_below(&rng, 300);
        for (uint32_t i = 0; i < count; i++) {
            const char *character = characters[rng_below(&rng, 5)];
            memcpy(bytes + length, character, strlen(character));
            length += (uint32_t)strlen(character);
        }
        check_text((struct text){bytes, length});
    }
}

TEST(texts_of_whole_blocks_and_of_nothing)
{
    char bytes[128];
    memset(bytes, 'x', sizeof bytes);
    check_text((struct text){bytes, 0});
    check_text((struct text){bytes, 64});
    check_text((struct text){bytes, 128});
}
