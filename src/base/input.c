/*
 * Input, line by line: see input.h.
 *
 * libarchive's raw format hands out decompressed blocks. Each is appended to
 * one buffer, and lines are views into that; only the piece of a line that a
 * block's end cuts off is ever moved, to the front of the buffer:
 *
 *     bytes  [ given out | a line ... \n ... | cut off ]
 *                        begin               scanned   end
 *
 * UTF-8 and NUL bytes are checked once a block, not once a line: `good` is how
 * far the buffer is known to be sound. A code point cut off by the block's end
 * holds no newline, so a line that ends beyond `good` is a bad line.
 *
 * One block is read at a time and never more than is needed, so that a line
 * written into a pipe is seen before the next one is. Time is linear in the
 * input: no byte is searched or checked twice.
 */
#include "base/input.h"

#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)256 << 10)
#define PEEK ((size_t)64 << 10)
#define LONGEST_LINE ((size_t)64 << 20)

struct input {
    struct archive *archive;
    char *name;
    int file; /* closed at the end, or -1 for standard input */
    bool finished;
    uint64_t number;

    char *bytes;
    size_t capacity;
    size_t begin, end; /* what is still to be given out */
    size_t scanned;    /* no newline in begin .. scanned-1 */
    size_t good;       /* sound UTF-8 up to here */
};

static bool fail_archive(struct input *input, struct vouch_error *err)
{
    if (archive_errno(input->archive) == ENOMEM)
        return fail_memory(err);
    const char *why = archive_error_string(input->archive);
    return fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", input->name, why ? why : "unknown error");
}

static void check_block(struct input *input)
{
    const char *from = input->bytes + input->good;
    size_t length = input->end - input->good;
    const char *nul = memchr(from, '\0', length);
    input->good += utf8_check(from, nul ? (size_t)(nul - from) : length);
}

/* Appends the next block, or finds that there is none. */
static bool read_block(struct input *input, struct vouch_error *err)
{
    const void *block;
    size_t size;
    la_int64_t offset;
    int status = archive_read_data_block(input->archive, &block, &size, &offset);
    if (status == ARCHIVE_EOF) {
        input->finished = true;
        return true;
    }
    if (status != ARCHIVE_OK)
        return fail_archive(input, err);

    if (input->begin > 0) {
        memmove(input->bytes, input->bytes + input->begin, input->end - input->begin);
        input->end -= input->begin;
        input->scanned -= input->begin;
        input->good -= input->begin;
        input->begin = 0;
    }
    if (!RESERVE(input->bytes, input->capacity, input->end + size, err))
        return false;
    memcpy(input->bytes + input->end, block, size);
    input->end += size;
    check_block(input);
    return true;
}

static bool skip_byte_order_mark(struct input *input, struct vouch_error *err)
{
    static const char mark[] = "\xEF\xBB\xBF";
    while (!input->finished && input->end < 3 && memcmp(input->bytes, mark, input->end) == 0) {
        if (!read_block(input, err))
            return false;
    }
    if (input->end >= 3 && memcmp(input->bytes, mark, 3) == 0)
        input->begin = input->scanned = 3;
    return true;
}

static bool open_archive(struct input *input, struct vouch_error *err)
{
    struct archive *archive = input->archive = archive_read_new();
    if (!archive)
        return fail_memory(err);
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);

    int file = input->file < 0 ? STDIN_FILENO : input->file;
    if (archive_read_open_fd(archive, file, BLOCK) != ARCHIVE_OK)
        return fail_archive(input, err);
    struct archive_entry *entry;
    int status = archive_read_next_header(archive, &entry);
    if (status == ARCHIVE_EOF) {
        /* Compressed data cut off before its first block looks empty, but leaves an error. */
        input->finished = true;
        return archive_errno(archive) == 0 || fail_archive(input, err);
    }
    return status == ARCHIVE_OK || fail_archive(input, err);
}

static bool open_file(struct input *input, const char *path, struct vouch_error *err)
{
    input->file = open(path, O_RDONLY | O_CLOEXEC);
    if (input->file < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    struct stat about;
    if (fstat(input->file, &about) == 0 && S_ISDIR(about.st_mode))
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(EISDIR));
    return true;
}

struct input *input_open(const char *path, struct vouch_error *err)
{
    bool standard = !path || strcmp(path, "-") == 0;
    const char *name = standard ? "standard input" : path;
    struct input *input = new_array(1, sizeof *input, err);
    if (!input)
        return NULL;
    input->file = -1;
    input->name = new_array(strlen(name) + 1, 1, err);
    if (!input->name)
        goto failed;
    strcpy(input->name, name);
    if (!RESERVE(input->bytes, input->capacity, 2 * BLOCK, err))
        goto failed;
    if (!standard && !open_file(input, path, err))
        goto failed;
    if (!open_archive(input, err) || !skip_byte_order_mark(input, err))
        goto failed;
    return input;

failed:
    input_close(input);
    return NULL;
}

void input_close(struct input *input)
{
    if (!input)
        return;
    archive_read_free(input->archive);
    if (input->file >= 0)
        close(input->file);
    free(input->bytes);
    free(input->name);
    free(input);
}

const char *input_name(const struct input *input)
{
    return input->name;
}

uint64_t input_number(const struct input *input)
{
    return input->number;
}

static int refuse_long(struct input *input, struct vouch_error *err)
{
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": line longer than %zu MiB", input->name, input->number + 1,
         LONGEST_LINE >> 20);
    return -1;
}

static int refuse_bytes(struct input *input, struct vouch_error *err)
{
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s at byte %zu", input->name, input->number + 1,
         input->bytes[input->good] ? "invalid UTF-8" : "NUL", input->good - input->begin + 1);
    return -1;
}

int input_line(struct input *input, struct text *line, struct vouch_error *err)
{
    const char *newline;
    while (!(newline = memchr(input->bytes + input->scanned, '\n', input->end - input->scanned))) {
        input->scanned = input->end;
        if (input->finished)
            break;
        if (input->end - input->begin > LONGEST_LINE)
            return refuse_long(input, err);
        if (!read_block(input, err))
            return -1;
    }
    if (!newline && input->begin == input->end)
        return 0;

    size_t stop = newline ? (size_t)(newline - input->bytes) : input->end;
    size_t length = stop - input->begin;
    if (length > LONGEST_LINE)
        return refuse_long(input, err);
    if (stop > input->good)
        return refuse_bytes(input, err);
    const char *at = input->bytes + input->begin;
    if (length > 0 && at[length - 1] == '\r')
        length--;
    *line = (struct text){at, (uint32_t)length};
    input->begin = input->scanned = newline ? stop + 1 : stop;
    input->number++;
    return 1;
}

bool input_peek(struct input *input, struct text *ahead, struct vouch_error *err)
{
    while (!input->finished && input->end - input->begin < PEEK) {
        if (!read_block(input, err))
            return false;
    }
    size_t length = input->end - input->begin;
    *ahead = (struct text){input->bytes + input->begin, (uint32_t)(length < PEEK ? length : PEEK)};
    return true;
}
