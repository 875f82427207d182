/*
 * Damage to a model file: bytes that are cut off or flipped; and with checksums that are right again, flipped bits of
 * the header and of sections, and special units. A test gives the function that opens the file at a path and, if that
 * succeeds, does all that can be done with the model: whatever the damage, none of it may do harm.
 */
#ifndef VOUCH_TESTS_DAMAGED_MODEL_H
#define VOUCH_TESTS_DAMAGED_MODEL_H

#include "model/model.h"

#include "model_image.h"
#include "model_seal.h"

#include <fcntl.h>

/* Returns whether the file could be opened, and used. */
typedef bool try_model(const char *path);

/* Opens a model that may be damaged: NULL if it is refused, which names the file. */
static inline vouch_model *open_damaged(const char *path)
{
    err = (struct vouch_error){0};
    vouch_model *model = vouch_model_open(path, &err);
    if (!model) {
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_true(strncmp(err.message, path, strlen(path)) == 0);
    }
    return model;
}

/* Calls what can be called for any model. */
static inline void ask_damaged(const vouch_model *model)
{
    for (size_t y = 0; y <= vouch_model_label_count(model); y++)
        (void)vouch_model_label_name(model, y);
    (void)vouch_model_columns(model);
    assert_non_null(vouch_model_task(model));
    assert_non_null(vouch_model_header(model));
    (void)digest_set_has(&model->seen, 0);
    (void)digest_set_has(&model->seen, UINT64_C(1) << 63);
    if (vouch_model_verify(model, &err) != VOUCH_OK)
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
}

static inline void cut_off(try_model *try)
{
    for (size_t length = 0; length < image_size; length += length < 256 ? 1 : 61)
        assert_false(try(folder_put_bytes("cut", image, length)));
}

static inline uint64_t end_of_header(void)
{
    return number_at(image, AT_HEADER_OFFSET) + number_at(image, AT_HEADER_LENGTH);
}

/* Checksums notice every byte that is not as it was, but between the sections. */
static inline void flip_bytes(try_model *try)
{
    static const unsigned char flips[] = {0x01, 0xFF, 0x80, 0x40};
    char *path = strdup(folder_put_bytes("flipped", image, image_size));
    int fd = open(path, O_RDWR), opened = 0;
    assert_true(fd >= 0);
    for (size_t at = 0; at < image_size; at += 7) {
        unsigned char flipped = image[at] ^ flips[at / 7 % sizeof flips];
        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
        bool open = try(path);
        opened += open;
        if (open && at >= TABLE && at < end_of_header())
            fail_msg("byte %zu of the header is not what it was, and it was not noticed", at);
        assert_int_equal(pwrite(fd, image + at, 1, (off_t)at), 1);
    }
    close(fd);
    free(path);
    assert_true(opened < 100);
}

/* Tries the model with one bit that is another; `bytes` has room for it. */
static inline bool try_flipped(unsigned char *bytes, size_t at, size_t bit, try_model *try)
{
    memcpy(bytes, image, image_size);
    bytes[at] ^= (unsigned char)(1 << bit);
    reseal(bytes, image_size);
    return try(folder_put_bytes("hostile", bytes, image_size));
}

/* Flips a bit of every byte after the header in turn. */
static inline void flip_sections(try_model *try)
{
    unsigned char *bytes = malloc(image_size);
    int opened = 0, refused = 0;
    for (size_t at = end_of_header(); at < image_size; at++) {
        bool open = try_flipped(bytes, at, at % 8, try);
        opened += open;
        refused += !open;
    }
    free(bytes);
    assert_true(opened > 100 && refused > 10);
}

static inline void flip_header(try_model *try)
{
    unsigned char *bytes = malloc(image_size);
    for (size_t at = TABLE; at < end_of_header(); at++)
        for (size_t bit = at % 3; bit < 7; bit += 3)
            try_flipped(bytes, at, bit, try);
    free(bytes);
}

/* Units of weights, and whether a model may have them. */
static const struct special_unit {
    float unit;
    bool possible;
} special_units[] = {{NAN, false}, {INFINITY, false}, {-INFINITY, false}, {3e38f, false}, {-1, false},
                     {0, false},   {-0.0f, false},    {1e-45f, true},     {1e30f, true},  {3, true}};

/* The unit of all weights is a special value: it is refused, or the answer may be any, but there is one. */
static inline void set_units(try_model *try)
{
    unsigned char *bytes = malloc(image_size);
    for (size_t v = 0; v < sizeof special_units / sizeof *special_units; v++) {
        memcpy(bytes, image, image_size);
        for (uint32_t s = 0; s < short_at(image, AT_SECTIONS); s++) {
            size_t entry = TABLE + (size_t)ENTRY * s;
            const char *name = (const char *)image + entry;
            if (strstr(name, ".mean.") || strstr(name, ".var."))
                memcpy(bytes + number_at(image, entry + ENTRY_OFFSET), &special_units[v].unit, sizeof(float));
        }
        reseal(bytes, image_size);
        assert_int_equal(try(folder_put_bytes("special", bytes, image_size)), special_units[v].possible);
    }
    free(bytes);
}

/* All of the above, as tests. */
#define TESTS_OF_DAMAGE(try)                                                                                           \
    TEST(a_model_cut_off_is_refused) { cut_off(try); }                                                                 \
    TEST(no_flipped_byte_does_harm) { flip_bytes(try); }                                                               \
    TEST(no_flip_of_a_section_with_right_checksums_does_harm) { flip_sections(try); }                                  \
    TEST(no_flip_of_the_header_with_a_right_checksum_does_harm) { flip_header(try); }                                  \
    TEST(units_that_are_no_numbers_do_no_harm) { set_units(try); }

#endif
