/*
 * Tests the model file's frame: what is written is read back, and whatever is
 * not such a file, by accident or by design, is refused with a reason.
 */
#include "base/output.h"
#include "model/model_file.h"

#include "folder.h"
#include "model_seal.h"
#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char header[] =
    "{\"task\":\"test\",\"note\":\"a header of some length, so that sections start further on\"}";
static const float floats[] = {1.5f, -2, 0, 1e30f};
static const uint64_t wide[] = {1, UINT64_MAX, 3};
static char bulk[700];

static const struct section sections[] = {
    {"floats", floats, sizeof floats},     {"wide.numbers", wide, sizeof wide}, {"nothing", "", 0},
    {"a.name.of.23.bytes.long", "abc", 3}, {"bulk", bulk, sizeof bulk},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

static struct vouch_error err;

/* What another process does to the file while it is read. */
static void (*meanwhile)(void);

ssize_t __real_read(int file, void *bytes, size_t count);
ssize_t __wrap_read(int file, void *bytes, size_t count);
ssize_t __wrap_read(int file, void *bytes, size_t count)
{
    ssize_t got = __real_read(file, bytes, meanwhile && count > 100 ? 100 : count);
    void (*act)(void) = meanwhile;
    meanwhile = NULL;
    if (act)
        act();
    return got;
}

static unsigned char *image; /* the good file */
static size_t image_size;

static const char *write_file(const char *name, const char *text, const struct section *section, uint32_t count)
{
    const char *path = folder_file(name);
    struct output *out = output_open(path, &err);
    assert_non_null(out);
    model_file_write(out, text, section, count);
    assert_true(output_commit(out, &err));
    return path;
}

FIXTURE(make_image)
{
    if (folder_make(state) != 0)
        return -1;
    for (size_t i = 0; i < sizeof bulk; i++)
        bulk[i] = (char)(i * 31);
    image = folder_get_bytes(write_file("good", header, sections, SECTIONS), &image_size);
    return 0;
}

FIXTURE(drop_image)
{
    free(image);
    return folder_remove(state);
}

FILE_FIXTURE(make_image, drop_image);

static void put_short(unsigned char *bytes, size_t at, uint32_t number)
{
    memcpy(bytes + at, &number, sizeof number);
}

static unsigned char *copy_of_image(void)
{
    unsigned char *copy = malloc(image_size);
    memcpy(copy, image, image_size);
    return copy;
}

/* Reads every byte that an open file offers. */
static void use(const struct model_file *file)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < file->header_length; i++)
        sum += (unsigned char)file->header[i];
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const void *array;
        uint64_t count;
        struct vouch_error own = {0};
        if (!model_file_section(file, sections[s].name, 1, &array, &count, &own)) {
            assert_int_equal(own.status, VOUCH_ERR_FORMAT);
            continue;
        }
        for (uint64_t i = 0; i < count; i++)
            sum += ((const unsigned char *)array)[i];
    }
    (void)*(volatile uint64_t *)&sum;
}

/* The error must name the file and say what kind it is. */
static void expect_refusal(const char *path, const char *reason)
{
    struct model_file file;
    err = (struct vouch_error){0};
    if (model_file_open(&file, path, &err))
        fail_msg("a damaged file was opened; expected '%s'", reason);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_true(strncmp(err.message, path, strlen(path)) == 0);
    if (!strstr(err.message, reason))
        fail_msg("expected '%s', got '%s'", reason, err.message);
    assert_null(file.bytes);
}

static void expect_image_refused(const unsigned char *bytes, const char *reason)
{
    expect_refusal(folder_put_bytes("damaged", bytes, image_size), reason);
}

static void cut_off(void)
{
    assert_int_equal(truncate(folder_file("victim"), 128), 0);
}

static void write_over(void)
{
    int fd = open(folder_file("victim"), O_WRONLY);
    assert_int_equal(pwrite(fd, image, image_size, 0), image_size);
    assert_int_equal(futimens(fd, (struct timespec[]){{1, 0}, {1, 0}}), 0); /* clocks of file systems are coarse */
    close(fd);
}

TEST(a_file_that_changes_while_it_is_read_is_refused)
{
    void (*const change[])(void) = {cut_off, write_over};
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        const char *path = folder_put_bytes("victim", image, image_size);
        struct model_file file;
        meanwhile = change[i];
        assert_false(model_file_open(&file, path, &err));
        assert_int_equal(err.status, VOUCH_ERR_IO);
        assert_non_null(strstr(err.message, "victim: the file was changed while it was read"));
        assert_null(file.bytes);
    }
}

/* `cp new.vouch old.vouch` empties the old file first: programs that have it open must not notice. */
TEST(an_open_file_does_not_depend_on_its_name)
{
    const char *path = folder_put_bytes("victim", image, image_size);
    struct model_file file;
    assert_true(model_file_open(&file, path, &err));
    assert_int_equal(truncate(path, 0), 0);
    use(&file);
    assert_true(model_file_verify(&file, &err));
    assert_memory_equal(file.bytes, image, image_size);
    model_file_close(&file);
}

TEST(what_is_written_is_read_back)
{
    struct model_file file;
    assert_true(model_file_open(&file, folder_file("good"), &err));
    assert_int_equal(file.size, image_size);
    assert_int_equal(file.sections, SECTIONS);
    assert_int_equal(file.header_length, strlen(header));
    assert_memory_equal(file.header, header, strlen(header));
    for (uint32_t s = 0; s < SECTIONS; s++) {
        const void *array;
        uint64_t count;
        assert_true(model_file_section(&file, sections[s].name, 1, &array, &count, &err));
        assert_true(count == sections[s].length);
        assert_true(count == 0 || memcmp(array, sections[s].bytes, count) == 0);
        assert_int_equal((uintptr_t)array % 64, 0);
        assert_int_equal(((const unsigned char *)array - file.bytes) % 64, 0);
    }
    assert_true(model_file_verify(&file, &err));
    model_file_close(&file);
    model_file_close(&file);
}

TEST(sections_come_as_arrays_of_elements)
{
    struct model_file file;
    const void *array;
    uint64_t count;
    assert_true(model_file_open(&file, folder_file("good"), &err));
    assert_true(model_file_section(&file, "floats", sizeof(float), &array, &count, &err));
    assert_int_equal(count, 4);
    assert_true(((const float *)array)[3] == 1e30f);
    assert_true(model_file_section(&file, "wide.numbers", sizeof(uint64_t), &array, &count, &err));
    assert_int_equal(count, 3);
    assert_true(((const uint64_t *)array)[1] == UINT64_MAX);
    assert_true(model_file_section(&file, "nothing", sizeof(uint64_t), &array, &count, &err));
    assert_int_equal(count, 0);

    err = (struct vouch_error){0};
    assert_false(model_file_section(&file, "bulk", 16, &array, &count, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_non_null(strstr(err.message, folder_file("good")));
    assert_non_null(strstr(err.message, "'bulk'"));
    model_file_close(&file);
}

TEST(a_section_that_is_not_there_is_named)
{
    static const char *const absent[] = {"float", "floats2", "Floats", "", "a.name.of.23.bytes.long.and.more"};
    struct model_file file;
    assert_true(model_file_open(&file, folder_file("good"), &err));
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        const void *array;
        uint64_t count;
        char quoted[64];
        err = (struct vouch_error){0};
        snprintf(quoted, sizeof quoted, "'%s'", absent[i]);
        assert_false(model_file_section(&file, absent[i], 1, &array, &count, &err));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_non_null(strstr(err.message, folder_file("good")));
        assert_non_null(strstr(err.message, quoted));
    }
    model_file_close(&file);
}

TEST(files_of_no_and_of_most_sections)
{
    struct section many[MAX_SECTIONS];
    char name[MAX_SECTIONS][24];
    struct model_file file;
    for (uint32_t i = 0; i < MAX_SECTIONS; i++) {
        snprintf(name[i], sizeof name[i], "section.%u", i);
        many[i] = (struct section){name[i], bulk, i};
    }
    assert_true(model_file_open(&file, write_file("many", "{}", many, MAX_SECTIONS), &err));
    assert_true(model_file_verify(&file, &err));
    for (uint32_t i = 0; i < MAX_SECTIONS; i++) {
        const void *array;
        uint64_t count;
        assert_true(model_file_section(&file, name[i], 1, &array, &count, &err));
        assert_true(count == i && memcmp(array, bulk, i) == 0);
    }
    model_file_close(&file);

    assert_true(model_file_open(&file, write_file("none", "", NULL, 0), &err));
    assert_int_equal(file.header_length, 0);
    assert_true(model_file_verify(&file, &err));
    model_file_close(&file);
}

TEST(the_same_content_gives_the_same_bytes)
{
    size_t size;
    unsigned char *again = folder_get_bytes(write_file("again", header, sections, SECTIONS), &size);
    assert_int_equal(size, image_size);
    assert_memory_equal(again, image, size);
    assert_int_equal(size % 64, 0);
    free(again);
}

TEST(what_is_no_file_is_an_error)
{
    struct model_file file;
    err = (struct vouch_error){0};
    assert_false(model_file_open(&file, folder_file("absent"), &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_non_null(strstr(err.message, folder_file("absent")));
    assert_false(model_file_open(&file, folder_path, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_non_null(strstr(err.message, "directory"));
    expect_refusal("/dev/null", "expected a vouch model");
    expect_refusal(folder_put("text", "This is a text and not a model, and it is longer than a preamble is."),
                   "expected a vouch model");
}

TEST(a_file_cut_off_anywhere_is_refused)
{
    for (size_t length = 0; length < image_size; length++)
        expect_refusal(folder_put_bytes("cut", image, length),
                       length < 64 ? "expected a vouch model" : "cut off or damaged");
}

TEST(a_file_that_goes_on_too_long_is_refused)
{
    unsigned char *longer = calloc(1, image_size + 64);
    memcpy(longer, image, image_size);
    expect_refusal(folder_put_bytes("long", longer, image_size + 1), "damaged");
    expect_refusal(folder_put_bytes("long", longer, image_size + 64), "damaged");
    free(longer);
}

/* What the frame's checksum or a check of its own guards; the rest of the preamble means nothing. */
static bool guarded(size_t at)
{
    return at < AT_SECTIONS + 4 || (at >= AT_SUM && at < AT_SUM + 8) ||
           (at >= TABLE && at < number_at(image, AT_HEADER_OFFSET) + strlen(header));
}

static const struct section *section_at(size_t at)
{
    for (uint32_t s = 0; s < SECTIONS; s++) {
        uint64_t offset = number_at(image, TABLE + (size_t)s * ENTRY + ENTRY_OFFSET);
        if (at >= offset && at < offset + sections[s].length)
            return &sections[s];
    }
    return NULL;
}

static void check_flip(const char *path, size_t at)
{
    struct model_file file;
    err = (struct vouch_error){0};
    bool open = model_file_open(&file, path, &err);
    if (open == guarded(at))
        fail_msg("byte %zu: %s", at, open ? "opened" : err.message);
    if (!open) {
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_true(strncmp(err.message, path, strlen(path)) == 0);
        return;
    }
    use(&file);
    const struct section *damaged = section_at(at);
    if (model_file_verify(&file, &err) == (damaged != NULL))
        fail_msg("byte %zu: verifying says the opposite of what is true", at);
    if (damaged)
        assert_non_null(strstr(err.message, damaged->name));
    model_file_close(&file);
}

TEST(every_flipped_byte_is_noticed_or_harmless)
{
    static const unsigned char flips[] = {0x01, 0x80, 0xFF};
    const char *path = folder_put_bytes("flipped", image, image_size);
    assert_true(image_size > 1024);
    int fd = open(path, O_RDWR);
    assert_true(fd >= 0);
    for (size_t at = 0; at < image_size; at++)
        for (size_t f = 0; f < sizeof flips; f++) {
            unsigned char flipped = image[at] ^ flips[f];
            assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
            check_flip(path, at);
            assert_int_equal(pwrite(fd, image + at, 1, (off_t)at), 1);
        }
    close(fd);
}

TEST(a_foreign_file_is_told_apart)
{
    unsigned char *bytes = copy_of_image();
    bytes[0] = 'v';
    expect_image_refused(bytes, "expected a vouch model, found something else");
    memcpy(bytes, image, image_size);
    memcpy(bytes, "VOUCH\n\x1a", 8); /* as a text-mode transfer would leave it */
    expect_image_refused(bytes, "expected a vouch model, found something else");
    memcpy(bytes, image, image_size);
    put_short(bytes, AT_VERSION, 1);
    expect_image_refused(bytes,
                         "expected model format 2, found 1, which an older version of vouch wrote: train it again");
    put_short(bytes, AT_VERSION, MODEL_FORMAT_VERSION + 1);
    expect_image_refused(bytes, "expected model format 2, found 3, which a newer version of vouch wrote");
    memcpy(bytes, image, image_size);
    put_short(bytes, AT_BYTE_ORDER, 0x04030201);
    expect_image_refused(bytes, "byte order");
    free(bytes);
}

/* A file of the other byte order has every number the other way round, its version too. */
TEST(the_other_byte_order_is_recognised_before_the_version)
{
    unsigned char *bytes = copy_of_image();
    put_short(bytes, AT_BYTE_ORDER, 0x04030201);
    put_short(bytes, AT_VERSION, 0x01000000);
    expect_image_refused(bytes, "byte order");
    free(bytes);
}

TEST(a_hostile_section_is_refused_though_the_checksum_is_right)
{
    const uint64_t size = image_size;
    const uint64_t hostile[][2] = {
        /* offset, length */
        {size, 1},        {size + 64, 0},        {size - 64, 65},
        {0, size + 1},    {UINT64_MAX - 63, 64}, {UINT64_MAX - 63, 128},
        {64, UINT64_MAX}, {64, UINT64_MAX - 63}, {UINT64_C(1) << 63, UINT64_C(1) << 63},
        {65, 4},          {640 + 32, 4},
    };
    for (uint32_t s = 0; s < SECTIONS; s++)
        for (size_t h = 0; h < sizeof hostile / sizeof *hostile; h++) {
            unsigned char *bytes = copy_of_image();
            put_number(bytes, TABLE + (size_t)s * ENTRY + ENTRY_OFFSET, hostile[h][0]);
            put_number(bytes, TABLE + (size_t)s * ENTRY + ENTRY_LENGTH, hostile[h][1]);
            reseal(bytes, image_size);
            expect_image_refused(bytes, "section table is damaged");
            free(bytes);
        }
}

TEST(a_name_that_does_not_end_is_refused)
{
    unsigned char *bytes = copy_of_image();
    memset(bytes + TABLE, 'x', ENTRY_OFFSET);
    reseal(bytes, image_size);
    expect_image_refused(bytes, "section table is damaged");
    free(bytes);
}

TEST(a_hostile_preamble_is_refused)
{
    const uint64_t size = image_size;
    const uint64_t headers[][2] = {{size, 1},       {0, size + 1},   {size + 1, 0},
                                   {UINT64_MAX, 1}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX}};
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        unsigned char *bytes = copy_of_image();
        put_number(bytes, AT_HEADER_OFFSET, headers[h][0]);
        put_number(bytes, AT_HEADER_LENGTH, headers[h][1]);
        expect_image_refused(bytes, "section table is damaged");
        free(bytes);
    }
    const uint32_t counts[] = {SECTIONS + 1, MAX_SECTIONS, MAX_SECTIONS + 1, UINT32_MAX, 0x80000000u, 0x04000001u};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        unsigned char *bytes = copy_of_image();
        put_short(bytes, AT_SECTIONS, counts[c]);
        expect_image_refused(bytes, "damaged");
        free(bytes);
    }
    const uint64_t sizes[] = {0, 64, size - 1, size + 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *bytes = copy_of_image();
        put_number(bytes, AT_SIZE, sizes[i]);
        expect_image_refused(bytes, "cut off or damaged");
        free(bytes);
    }
}

/* Sections may lie on top of each other: reading them is safe all the same. */
TEST(every_flip_of_the_frame_with_a_right_checksum_is_safe)
{
    uint64_t end = number_at(image, AT_HEADER_OFFSET) + strlen(header);
    for (size_t at = TABLE; at < end; at++)
        for (int bit = 0; bit < 8; bit++) {
            unsigned char *bytes = copy_of_image();
            struct model_file file;
            bytes[at] ^= (unsigned char)(1 << bit);
            reseal(bytes, image_size);
            const char *path = folder_put_bytes("hostile", bytes, image_size);
            err = (struct vouch_error){0};
            if (model_file_open(&file, path, &err)) {
                use(&file);
                struct vouch_error own = {0};
                if (!model_file_verify(&file, &own))
                    assert_int_equal(own.status, VOUCH_ERR_FORMAT);
                model_file_close(&file);
            } else
                assert_int_equal(err.status, VOUCH_ERR_FORMAT);
            free(bytes);
        }
}
