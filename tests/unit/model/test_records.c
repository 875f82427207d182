/*
 * Tests what headers keep: digests of sentences there and back, damaged ones, members whose names are not
 * UTF-8, strings that are not, and files that have no name.
 */
#include "model/records.h"

#include "base/hash.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

TEST(digests_are_known_again)
{
    struct rng rng = rng_new(3, 0);
    for (uint32_t count = 0; count < 300; count = 2 * count + 1) {
        struct digest_set set = {0}, read = {0};
        for (uint32_t i = 0; i < count; i++)
            MUST(digest_set_add(&set, hash_mix(1, rng_next(&rng)), &err));
        digest_set_close(&set);
        json_t *string = digests_json(&set);
        assert_int_equal(json_string_length(string), 8 * set.count);
        MUST(digests_read(string, &read, &err));
        for (size_t i = 0; i < set.count; i++)
            assert_true(digest_set_has(&read, kept_digest(set.digest[i])));
        for (uint32_t i = 0; i < 100; i++)
            assert_false(digest_set_has(&read, kept_digest(hash_mix(2, rng_next(&rng)))));
        json_decref(string);
        digest_set_release(&set);
        digest_set_release(&read);
    }
}

TEST(damaged_digests_are_refused)
{
    static const char *const texts[] = {"0", "0123456", "012345678", "0123456g", "0123456A", "+0000001"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct digest_set read = {0};
        struct vouch_error found = {0};
        json_t *string = json_string(texts[i]);
        assert_false(digests_read(string, &read, &found));
        assert_int_equal(found.status, VOUCH_ERR_FORMAT);
        json_decref(string);
        digest_set_release(&read);
    }
    struct digest_set read = {0};
    struct vouch_error found = {0};
    assert_false(digests_read(json_true(), &read, &found));
    digest_set_release(&read);
}

TEST(names_of_members_are_utf8)
{
    json_t *object = json_object();
    struct vouch_error found = {0};
    MUST(set_named(object, text_of("B-\xc3\x96"), json_integer(3), &err));
    assert_int_equal(json_integer_value(json_object_get(object, "B-\xc3\x96")), 3);
    assert_false(set_named(object, text_of("B-\xff"), json_integer(4), &found));
    assert_int_equal(found.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(found.message, "UTF-8"));
    found = (struct vouch_error){0};
    assert_false(set_named(object, text_of("B-X"), NULL, &found)); /* a value for which there was no memory */
    assert_int_equal(found.status, VOUCH_ERR_MEMORY);
    assert_int_equal(json_object_size(object), 1);
    json_decref(object);
}

static void check_text(const char *given, const char *expected)
{
    json_t *text = header_text(given);
    assert_non_null(text);
    assert_string_equal(json_string_value(text), expected);
    json_decref(text);
}

TEST(a_byte_that_is_not_utf8_becomes_a_question_mark)
{
    check_text("a\xff.txt", "a?.txt");
    check_text("", "");
}

TEST(a_file_that_is_only_open_is_memory)
{
    check_text("/proc/self/fd/100", "(memory)");
    check_text("vouch train --dev /proc/self/fd/7 /proc/self/fd/12345 a", "vouch train --dev (memory) (memory) a");
    check_text("/proc/self/fd/x /proc/self/fd", "(memory)x /proc/self/fd");
}
