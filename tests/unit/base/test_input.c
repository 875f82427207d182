/* Tests input: lines, their ends and numbers, compression, and what is refused. */
#include "base/input.h"

#include "folder.h"
#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

static struct vouch_error err;

static void expect_error(const char *path, const char *message)
{
    char whole[600];
    snprintf(whole, sizeof whole, "%s%s", path, message);
    assert_string_equal(err.message, whole);
}

static struct input *must_open(const char *path)
{
    struct input *input = input_open(path, &err);
    if (!input)
        fail_msg("%s", err.message);
    return input;
}

static void expect_line(struct input *input, const char *expected)
{
    struct text line;
    if (input_line(input, &line, &err) != 1)
        fail_msg("no line where \"%s\" was expected: %s", expected, err.message);
    assert_int_equal(line.length, strlen(expected));
    assert_memory_equal(line.at, expected, line.length);
}

static void expect_end(struct input *input)
{
    struct text line;
    assert_int_equal(input_line(input, &line, &err), 0);
    assert_int_equal(input_line(input, &line, &err), 0);
    input_close(input);
}

/* Opens `text` as a file and expects its lines, separated by '|' in `lines`. */
static void expect_lines(const char *text, const char *lines)
{
    struct input *input = must_open(folder_put("lines", text));
    char copy[100];
    strcpy(copy, lines);
    uint64_t number = 0;
    for (char *line = copy, *bar; line; line = bar) {
        bar = strchr(line, '|');
        if (bar)
            *bar++ = '\0';
        assert_int_equal(input_number(input), number++);
        expect_line(input, line);
    }
    assert_int_equal(input_number(input), number);
    expect_end(input);
}

TEST_IN_FOLDER(lines_come_without_their_ends)
{
    expect_lines("one\ntwo\n\nfour\n", "one|two||four");
    expect_lines("\n", "");
    expect_lines("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
}

TEST_IN_FOLDER(carriage_returns_before_newlines_are_dropped)
{
    expect_lines("one\r\n\r\ntwo\r\n", "one||two");
    expect_lines("a\rb\n", "a\rb");
    expect_lines("a\r\r\n", "a\r");
}

TEST_IN_FOLDER(the_last_line_needs_no_newline)
{
    expect_lines("one\ntwo", "one|two");
    expect_lines("one", "one");
    expect_lines("one\r\ntwo\r", "one|two");
}

TEST_IN_FOLDER(the_end_of_a_line_is_known)
{
    static const char *const ends[] = {"\n", "\r\n", "\n", "\r\n", ""};
    struct input *input = must_open(folder_put("ends", "one\ntwo\r\n\n\r\nfive"));
    struct text line;
    assert_false(input_marked(input));
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        assert_int_equal(input_line(input, &line, &err), 1);
        assert_true(text_is(input_line_end(input), ends[i]));
    }
    expect_end(input);
    input = must_open(folder_put("ends", "\xEF\xBB\xBFone\r"));
    assert_true(input_marked(input));
    assert_int_equal(input_line(input, &line, &err), 1);
    assert_true(text_is(input_line_end(input), "\r"));
    expect_end(input);
}

TEST_IN_FOLDER(a_byte_order_mark_is_skipped_at_the_start_only)
{
    expect_lines("\xEF\xBB\xBFone\n\xEF\xBB\xBFtwo\n", "one|\xEF\xBB\xBFtwo");
    struct input *input = must_open(folder_put("mark", "\xEF\xBB\xBF"));
    expect_end(input);
}

TEST_IN_FOLDER(an_empty_file_is_just_the_end)
{
    struct input *input = must_open(folder_put("empty", ""));
    struct text ahead;
    assert_true(input_peek(input, &ahead, &err));
    assert_int_equal(ahead.length, 0);
    expect_end(input);
}

TEST_IN_FOLDER(files_that_cannot_be_opened_are_named)
{
    const char *path = folder_file("nowhere");
    assert_null(input_open(path, &err));
    expect_error(path, ": cannot open: No such file or directory");
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_null(input_open(folder_path, &err));
    expect_error(folder_path, ": cannot open: Is a directory");
    assert_null(input_open(path, NULL));

    path = folder_put("secret", "x\n");
    chmod(path, 0);
    if (geteuid() != 0) {
        assert_null(input_open(path, &err));
        expect_error(path, ": cannot open: Permission denied");
    }
    input_close(NULL);
}

static void expect_refusal(const void *bytes, size_t length, int lines_before, const char *message)
{
    const char *path = folder_put_bytes("bad", bytes, length);
    struct input *input = must_open(path);
    struct text line;
    for (int i = 0; i < lines_before; i++)
        assert_int_equal(input_line(input, &line, &err), 1);
    assert_int_equal(input_line(input, &line, &err), -1);
    expect_error(path, message);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    input_close(input);
}

TEST_IN_FOLDER(bad_bytes_are_named_with_their_line)
{
    expect_refusal("one\ntwo\nth\xFFree\nfour\n", 19, 2, ":3: invalid UTF-8 at byte 3");
    expect_refusal("\xC0\xAF\n", 3, 0, ":1: invalid UTF-8 at byte 1");
    expect_refusal("one\nab\xC3\n", 8, 1, ":2: invalid UTF-8 at byte 3");
    expect_refusal("one\nab\xE2\x82", 8, 1, ":2: invalid UTF-8 at byte 3");
    expect_refusal("\xED\xA0\x80\n", 4, 0, ":1: invalid UTF-8 at byte 1");
    expect_refusal("one\ntw\0o\n", 9, 1, ":2: NUL at byte 3");
    expect_refusal("\xEF\xBB\xBFone\0", 7, 0, ":1: NUL at byte 4");
}

/* Lines of every length around the block size of 256 KiB, with code points of two bytes lying across its end. */
TEST_IN_FOLDER(lines_and_code_points_may_lie_across_blocks)
{
    size_t block = (size_t)256 << 10, room = 3 * block;
    char *text = malloc(room);
    for (size_t length = block - 3; length <= block + 3; length++) {
        size_t end = 0;
        memset(text, 'x', length);
        end += length;
        memcpy(text + end, "\xC3\xA9\xC3\xA9\r\n", 6);
        end += 6;
        memset(text + end, 'y', 2 * block - 20);
        end += 2 * block - 20;
        memcpy(text + end, "\nlast", 5);
        end += 5;

        struct input *input = must_open(folder_put_bytes("long", text, end));
        struct text line;
        assert_int_equal(input_line(input, &line, &err), 1);
        assert_int_equal(line.length, length + 4);
        assert_memory_equal(line.at, text, line.length);
        assert_int_equal(input_line(input, &line, &err), 1);
        assert_int_equal(line.length, 2 * block - 20);
        assert_memory_equal(line.at, text + length + 6, line.length);
        expect_line(input, "last");
        expect_end(input);
    }
    free(text);
}

TEST_IN_FOLDER(a_bad_byte_far_into_the_file_is_found)
{
    size_t lines = 100000;
    char *text = malloc(10 * lines);
    for (size_t i = 0; i < lines; i++)
        memcpy(text + 10 * i, "\xE2\x82\xAC 23456\n", 10);
    text[10 * 99998 + 5] = '\x80';
    expect_refusal(text, 10 * lines, 99998, ":99999: invalid UTF-8 at byte 6");
    free(text);
}

TEST_IN_FOLDER(a_line_of_more_than_64_mebibytes_is_refused)
{
    size_t limit = (size_t)64 << 20;
    char *text = malloc(limit + 6);
    memset(text, 'x', limit + 6);
    memcpy(text, "one\n", 4);
    expect_refusal(text, limit + 5, 1, ":2: line longer than 64 MiB");

    struct input *input = must_open(folder_put_bytes("longest", text, limit + 4));
    struct text line;
    expect_line(input, "one");
    assert_int_equal(input_line(input, &line, &err), 1);
    assert_int_equal(line.length, limit);
    expect_end(input);
    free(text);
}

TEST_IN_FOLDER(peeking_consumes_nothing)
{
    struct input *input = must_open(folder_put("peek", "\xEF\xBB\xBFone\ntwo\n"));
    struct text ahead;
    assert_true(input_peek(input, &ahead, &err));
    assert_true(text_is(ahead, "one\ntwo\n"));
    expect_line(input, "one");
    assert_true(input_peek(input, &ahead, &err));
    assert_true(text_is(ahead, "two\n"));
    expect_line(input, "two");
    expect_end(input);
}

TEST_IN_FOLDER(peeking_gives_no_more_than_64_kibibytes)
{
    size_t length = (size_t)600 << 10;
    char *text = malloc(length);
    memset(text, '\n', length);
    struct input *input = must_open(folder_put_bytes("peek", text, length));
    struct text ahead, line;
    assert_true(input_peek(input, &ahead, &err));
    assert_int_equal(ahead.length, 64 << 10);
    for (size_t i = 0; i < length - 100; i++)
        assert_int_equal(input_line(input, &line, &err), 1);
    assert_true(input_peek(input, &ahead, &err));
    assert_int_equal(ahead.length, 100);
    input_close(input);
    free(text);
}

/* Compresses `text` with the filter; "none" writes it as it is. */
static const char *compress_file(const char *filter, const char *text, size_t length)
{
    const char *path = folder_file(filter);
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_pathname(entry, "data");
    assert_int_equal(archive_write_set_format_raw(archive), ARCHIVE_OK);
    assert_int_equal(archive_write_add_filter_by_name(archive, filter), ARCHIVE_OK);
    assert_int_equal(archive_write_set_bytes_in_last_block(archive, 1), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(archive, path), ARCHIVE_OK);
    assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(archive, text, length), length);
    assert_int_equal(archive_write_close(archive), ARCHIVE_OK);
    archive_write_free(archive);
    archive_entry_free(entry);
    return path;
}

/* Numbered lines that do not compress to nothing. */
static char *numbered_lines(uint32_t lines, size_t *length)
{
    char *text = malloc((size_t)lines * 24);
    uint32_t random = 1;
    *length = 0;
    for (uint32_t i = 0; i < lines; i++) {
        random = random * 1664525 + 1013904223;
        *length += (size_t)sprintf(text + *length, "%u %u\n", i, random);
    }
    return text;
}

TEST_IN_FOLDER(compressed_files_are_read_like_others)
{
    static const char *const filter[] = {"gzip", "xz", "zstd", "bzip2"};
    size_t length;
    char *text = numbered_lines(50000, &length);
    for (size_t f = 0; f < sizeof filter / sizeof *filter; f++) {
        struct input *input = must_open(compress_file(filter[f], text, length));
        struct text line;
        const char *at = text;
        while (input_line(input, &line, &err) == 1) {
            assert_memory_equal(line.at, at, line.length);
            assert_true(at[line.length] == '\n');
            at += line.length + 1;
        }
        assert_int_equal(at - text, length);
        assert_int_equal(input_number(input), 50000);
        input_close(input);

        input = must_open(compress_file(filter[f], "\xEF\xBB\xBFone\r\ntwo", 11));
        expect_line(input, "one");
        expect_line(input, "two");
        expect_end(input);
    }
    free(text);
}

TEST_IN_FOLDER(truncated_compressed_files_are_refused)
{
    static const uint32_t lines[] = {1, 1000, 50000};
    for (size_t i = 0; i < 3; i++) {
        size_t length;
        char *text = numbered_lines(lines[i], &length);
        char path[100];
        strcpy(path, compress_file("gzip", text, length));
        free(text);
        struct stat about;
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(truncate(path, about.st_size - 9), 0);

        struct input *input = input_open(path, &err);
        struct text line;
        int got = -1;
        while (input && (got = input_line(input, &line, &err)) == 1)
            continue;
        assert_int_equal(got, -1);
        expect_error(path, ": cannot read: truncated gzip input");
        assert_int_equal(err.status, VOUCH_ERR_IO);
        input_close(input);
    }
}

/* A line must come out before the writer has written the next: `vouch tag` is used as a filter. */
TEST_IN_FOLDER(standard_input_is_read_as_it_comes)
{
    int ends[2], keep = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[0], STDIN_FILENO);
    alarm(200);
    assert_int_equal(write(ends[1], "the first line\n", 15), 15);
    struct input *input = must_open("-");
    assert_string_equal(input_name(input), "standard input");
    expect_line(input, "the first line");
    assert_int_equal(write(ends[1], "more\nand", 8), 8);
    expect_line(input, "more");
    close(ends[1]);
    expect_line(input, "and");
    expect_end(input);
    alarm(0);
    close(ends[0]);
    dup2(keep, STDIN_FILENO);
    close(keep);
}

TEST_IN_FOLDER(reading_goes_on_behind_a_bad_line)
{
    static const char text[] = "\xFFone\ntwo\nth\0ree\n\xC3\nf\xC3\xBC"
                               "nf\nsix\xFF";
    struct input *input = input_open(folder_put_bytes("in", text, sizeof text - 1), &err);
    struct text line;
    assert_int_equal(input_line(input, &line, &err), -1);
    expect_line(input, "two");
    assert_int_equal(input_line(input, &line, &err), -1);
    assert_int_equal(input_line(input, &line, &err), -1);
    expect_line(input, "f\xC3\xBC"
                       "nf");
    assert_int_equal(input_number(input), 5);
    assert_int_equal(input_line(input, &line, &err), -1);
    assert_int_equal(input_line(input, &line, &err), 0);
    input_close(input);
}
