/* Tests dictionary and feature index: numbers in order, a layout without history, and distrust of files. */
#include "base/hash.h"
#include "base/random.h"
#include "task/dictionary.h"

#include "test.h"

#include <unistd.h>

enum { MANY = 200000 };

/* Returns the i-th string of an endless list without repetitions; some are long, many share their beginnings. */
static struct text string_number(uint32_t i)
{
    static char string[80];
    int length = snprintf(string, sizeof string, i % 100 == 7 ? "%u-a-rather-long-one-with-a-common-tail" : "w%u", i);
    return (struct text){string, (uint32_t)length};
}

static void add_strings(struct dictionary *dictionary, uint32_t from, uint32_t to)
{
    struct vouch_error err = {0};
    for (uint32_t i = from; i < to; i++)
        assert_int_equal(dictionary_add(dictionary, string_number(i), &err), i + 1);
}

/* The table that the ids give when they enter an empty one of that size in order. */
static void expect_layout(const struct hash_table *table)
{
    struct vouch_error err = {0};
    assert_int_equal(table->mask + 1, hash_table_slots(table->count));
    struct slot *slot = new_array(table->mask + 1, sizeof *slot, &err);
    assert_non_null(slot);
    for (uint32_t id = 1; id <= table->count; id++) {
        uint64_t at = table->hash[id] & table->mask;
        while (slot[at].id)
            at = (at + 1) & table->mask;
        slot[at] = (struct slot){(uint32_t)(table->hash[id] >> 32), id};
    }
    assert_memory_equal(table->slot, slot, (table->mask + 1) * sizeof *slot);
    free(slot);
}

TEST(an_empty_dictionary_has_nothing)
{
    struct dictionary dictionary = {0};
    assert_int_equal(dictionary_find(&dictionary, text_of("x")), 0);
    assert_int_equal(dictionary_find(&dictionary, text_of("")), 0);
    for (uint32_t id = 0; id < 3; id++)
        assert_int_equal(dictionary_text(&dictionary, id).length, 0);
    dictionary_release(&dictionary);
}

TEST(strings_are_numbered_from_one_in_order)
{
    struct dictionary dictionary = {0};
    struct vouch_error err = {0};
    add_strings(&dictionary, 0, MANY);
    assert_int_equal(dictionary.table.count, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        struct text text = string_number(i);
        assert_int_equal(dictionary_find(&dictionary, text), i + 1);
        assert_true(text_equal(dictionary_text(&dictionary, i + 1), text));
    }
    for (uint32_t i = MANY; i < 2 * MANY; i++)
        assert_int_equal(dictionary_find(&dictionary, string_number(i)), 0);
    for (uint32_t i = 0; i < MANY; i += 997)
        assert_int_equal(dictionary_add(&dictionary, string_number(i), &err), i + 1);
    assert_int_equal(dictionary.table.count, MANY);
    dictionary_release(&dictionary);
}

TEST(strings_are_bytes_of_any_kind)
{
    struct dictionary dictionary = {0};
    struct vouch_error err = {0};
    static const struct text text[] = {{"", 0}, {"a\0b", 3}, {"a\0c", 3}, {"a", 1}, {"a\0", 2}, {"\0", 1}, {"\xFF", 1}};
    enum { COUNT = sizeof text / sizeof *text };
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(dictionary_add(&dictionary, text[i], &err), i + 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(dictionary_find(&dictionary, text[i]), i + 1);
        assert_int_equal(dictionary_add(&dictionary, text[i], &err), i + 1);
        assert_true(text_equal(dictionary_text(&dictionary, i + 1), text[i]));
    }
    assert_int_equal(dictionary.table.count, COUNT);
    dictionary_release(&dictionary);
}

TEST(the_empty_string_may_come_first_last_or_alone)
{
    struct vouch_error err = {0};
    for (uint32_t place = 0; place < 40; place++) {
        struct dictionary dictionary = {0};
        add_strings(&dictionary, 0, place);
        assert_int_equal(dictionary_find(&dictionary, text_of("")), 0);
        assert_int_equal(dictionary_add(&dictionary, text_of(""), &err), place + 1);
        assert_int_equal(dictionary_find(&dictionary, text_of("")), place + 1);
        assert_int_equal(dictionary_text(&dictionary, place + 1).length, 0);
        dictionary_release(&dictionary);
    }
}

TEST(numbers_out_of_range_are_empty)
{
    struct dictionary dictionary = {0};
    add_strings(&dictionary, 0, 100);
    static const uint32_t ids[] = {0, 101, 102, 1000000, UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        assert_int_equal(dictionary_text(&dictionary, ids[i]).length, 0);
    dictionary_release(&dictionary);
}

TEST(slots_are_a_power_of_two_at_most_two_thirds_full)
{
    uint64_t before = 0;
    for (uint32_t count = 0; count < 100000; count++) {
        uint64_t slots = hash_table_slots(count);
        assert_true(slots > 0 && (slots & (slots - 1)) == 0);
        assert_true(2 * slots >= 3 * (uint64_t)count);
        assert_true(slots >= before);
        before = slots;
    }
    assert_true(hash_table_slots(UINT32_MAX) == UINT64_C(1) << 33);
    assert_true(hash_table_slots(UINT32_C(1) << 31) == UINT64_C(1) << 32);
}

TEST(the_layout_depends_on_the_strings_alone)
{
    struct dictionary dictionary = {0};
    for (uint32_t count = 0, next; count < 3000; count = next) {
        next = count + 1 + count / 7;
        add_strings(&dictionary, count, next);
        expect_layout(&dictionary.table);
    }
    dictionary_release(&dictionary);

    struct dictionary straight = {0}, winding = {0};
    struct vouch_error err = {0};
    add_strings(&straight, 0, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        add_strings(&winding, i, i + 1);
        dictionary_find(&winding, string_number(MANY + i));
        dictionary_add(&winding, string_number(i / 2), &err);
    }
    expect_layout(&straight.table);
    assert_int_equal(straight.table.mask, winding.table.mask);
    assert_memory_equal(straight.table.slot, winding.table.slot, (straight.table.mask + 1) * sizeof(struct slot));
    assert_int_equal(straight.size, winding.size);
    assert_memory_equal(straight.bytes, winding.bytes, straight.size);
    assert_memory_equal(straight.start + 1, winding.start + 1, (MANY + 1) * sizeof *straight.start);
    dictionary_release(&straight);
    dictionary_release(&winding);
}

/* Returns a dictionary as a file would give it: arrays of just the size they must have, and no hashes. */
static struct dictionary file_of(const struct dictionary *from)
{
    struct vouch_error err = {0};
    struct dictionary file = {.table = {.mask = from->table.mask, .count = from->table.count}, .size = from->size};
    file.table.slot = new_array(from->table.mask + 1, sizeof *file.table.slot, &err);
    file.start = new_array(from->table.count + 2, sizeof *file.start, &err);
    file.bytes = new_array(from->size, 1, &err);
    assert_true(file.table.slot && file.start && file.bytes);
    memcpy(file.table.slot, from->table.slot, (from->table.mask + 1) * sizeof *file.table.slot);
    memcpy(file.start, from->start, (from->table.count + 2) * sizeof *file.start);
    memcpy(file.bytes, from->bytes, from->size);
    return file;
}

TEST(a_dictionary_works_over_a_file)
{
    struct dictionary dictionary = {0};
    add_strings(&dictionary, 0, 1000);
    struct dictionary file = file_of(&dictionary);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(dictionary_find(&file, string_number(i)), i + 1);
        assert_int_equal(dictionary_find(&file, string_number(1000 + i)), 0);
        assert_true(text_equal(dictionary_text(&file, i + 1), string_number(i)));
    }
    dictionary_release(&file);
    dictionary_release(&dictionary);
}

/* Reads everything there is to read; a sanitizer sees any step out of bounds, the alarm any endless loop. */
static void read_all(const struct dictionary *file)
{
    alarm(200);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t id = dictionary_find(file, string_number(i));
        assert_true(id <= file->table.count);
        struct text text = dictionary_text(file, i);
        assert_true(text.length <= file->size);
        for (uint32_t j = 0; j < text.length; j++)
            assert_true(text.at[j] >= '-');
    }
    alarm(0);
}

TEST(a_file_is_not_trusted)
{
    struct dictionary dictionary = {0};
    add_strings(&dictionary, 0, 100);
    struct rng rng = rng_new(5, 0);
    for (int round = 0; round < 400; round++) {
        struct dictionary file = file_of(&dictionary);
        for (int i = 0; i < 40; i++) {
            uint32_t any = rng_below(&rng, 2) ? rng_next(&rng) : rng_below(&rng, (uint32_t)file.size + 20);
            if (round % 2)
                file.start[rng_below(&rng, file.table.count + 2)] = any;
            else
                file.table.slot[rng_below(&rng, (uint32_t)file.table.mask + 1)].id = any;
        }
        read_all(&file);
        dictionary_release(&file);
    }
    dictionary_release(&dictionary);
}

TEST(a_file_without_a_free_slot_does_not_trap_the_search)
{
    struct dictionary dictionary = {0};
    add_strings(&dictionary, 0, 100);
    for (int same_tag = 0; same_tag <= 1; same_tag++) {
        struct dictionary file = file_of(&dictionary);
        uint64_t hash = hash_bytes("absent", 6);
        for (uint64_t i = 0; i <= file.table.mask; i++)
            if (!file.table.slot[i].id || same_tag)
                file.table.slot[i] = (struct slot){same_tag ? (uint32_t)(hash >> 32) : 0, 1};
        alarm(200);
        assert_int_equal(dictionary_find(&file, text_of("absent")), 0);
        alarm(0);
        dictionary_release(&file);
    }
    dictionary_release(&dictionary);
}

/* A number beyond the last has no text; that must not make it a match for the empty string. */
TEST(a_file_cannot_pass_off_a_foreign_number_as_the_empty_string)
{
    struct dictionary dictionary = {0};
    add_strings(&dictionary, 0, 100);
    struct dictionary file = file_of(&dictionary);
    uint64_t hash = hash_bytes("", 0);
    for (uint64_t i = 0; i <= file.table.mask; i++)
        file.table.slot[i] = (struct slot){(uint32_t)(hash >> 32), 1000000};
    uint32_t found = dictionary_find(&file, text_of(""));
    dictionary_release(&file);
    dictionary_release(&dictionary);
    assert_int_equal(found, 0);
}

static uint64_t key_number(uint32_t i)
{
    return hash_mix(UINT64_C(0x12345), i);
}

TEST(features_are_numbered_from_zero_in_order)
{
    struct feature_index index = {0};
    struct vouch_error err = {0};
    assert_int_equal(feature_index_find(&index, 0), NO_FEATURE);
    assert_int_equal(feature_index_find(&index, key_number(0)), NO_FEATURE);
    assert_int_equal(feature_index_count(&index), 0);
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t record[4] = {i % 7, i, i / 2, i / 3};
        assert_int_equal(feature_index_add(&index, key_number(i), record, 1 + i % 4, &err), i);
        assert_int_equal(feature_index_add(&index, key_number(i / 2), record, 4, &err), i / 2);
    }
    assert_int_equal(feature_index_count(&index), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(feature_index_find(&index, key_number(i)), i);
        assert_int_equal(feature_index_find(&index, key_number(MANY + i)), NO_FEATURE);
    }
    expect_layout(&index.table);
    feature_index_release(&index);
}

TEST(a_feature_remembers_its_first_record)
{
    struct feature_index index = {0};
    struct vouch_error err = {0};
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t record[5] = {i, i + 1, i + 2, i + 3, i + 4}, other[5] = {9, 9, 9, 9, 9};
        assert_int_equal(feature_index_add(&index, key_number(i), record, 1 + i % 5, &err), i);
        assert_int_equal(feature_index_add(&index, key_number(i), other, 5, &err), i);
    }
    assert_int_equal(index.record_start[5000], index.records);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(index.record_start[i + 1] - index.record_start[i], 1 + i % 5);
        for (uint32_t j = 0; j < 1 + i % 5; j++)
            assert_int_equal(index.record[index.record_start[i] + j], i + j);
    }
    feature_index_release(&index);
}

/* Keys that meet in one slot, or have the same upper half, or are all zeros or ones. */
TEST(keys_that_are_alike_are_told_apart)
{
    struct feature_index index = {0};
    struct vouch_error err = {0};
    static const uint64_t key[] = {0,
                                   UINT64_MAX,
                                   UINT64_C(1) << 32,
                                   UINT64_C(2) << 32,
                                   UINT64_C(3) << 32,
                                   UINT64_C(0x500000001),
                                   UINT64_C(0x600000001),
                                   UINT64_C(0x700000000) | UINT32_MAX,
                                   UINT64_C(0x800000000) | UINT32_MAX};
    enum { COUNT = sizeof key / sizeof *key };
    uint32_t record = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(feature_index_add(&index, key[i], &record, 1, &err), i);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(feature_index_find(&index, key[i]), i);
    assert_int_equal(feature_index_find(&index, UINT64_C(9) << 32), NO_FEATURE);
    feature_index_release(&index);
}

TEST(a_feature_index_over_a_file_is_not_trusted)
{
    struct feature_index index = {0};
    struct vouch_error err = {0};
    uint32_t record = 0;
    for (uint32_t i = 0; i < 100; i++)
        feature_index_add(&index, key_number(i), &record, 1, &err);
    uint64_t slots = index.table.mask + 1;
    struct slot *slot = new_array(slots, sizeof *slot, &err);
    assert_non_null(slot);
    struct feature_index file = {.table = {.slot = slot, .mask = index.table.mask, .count = 100}};
    memcpy(slot, index.table.slot, slots * sizeof *slot);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(feature_index_find(&file, key_number(i)), i);
    for (uint64_t i = 0; i < slots; i++)
        slot[i].id = slot[i].id ? UINT32_MAX - (uint32_t)i : 101;
    alarm(200);
    for (uint32_t i = 0; i < 200; i++)
        assert_int_equal(feature_index_find(&file, key_number(i)), NO_FEATURE);
    alarm(0);
    free(slot);
    feature_index_release(&index);
}
