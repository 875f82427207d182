/*
 * Reads input line by line, and maps files.
 *
 * A file that starts with the magic bytes of a compressed one goes through libarchive, whose raw format returns
 * decompressed blocks; any other is read as it is. Blocks are appended to one buffer, and lines are views into that;
 * only the piece of a line that a block's end cuts off is ever moved, to the front of the buffer:
 *
 *     bytes  [ given out | a line ... \n ... | cut off ]
 *                        begin               scanned   end
 *
 * UTF-8 and NUL bytes are checked once for each block, not for each line: `good` is how far the buffer is known to be
 * sound. A code point cut off by the block's end holds no newline, so a line that ends beyond `good` is a bad line.
 *
 * One block is read at a time and never more than is needed, so that a line written into a pipe is seen before the next
 * one is. Time is linear in the input: no byte is searched or checked twice.
 */
#include "base/input.h"

#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)256 << 10)
#define PEEK ((size_t)64 << 10)
#define LONGEST_LINE ((size_t)64 << 20)

struct input {
    struct archive *archive; /* NULL: not compressed */
    char *name;
    int file; /* STDIN_FILENO, which stays open, or a file of ours; -1: the memory below */
    struct memory {
        const char *at; /* the caller's */
        size_t left;
    } memory;                   /* what is left of it */
    size_t block;               /* bytes to read at a time: BLOCK, or fewer if a memory is shorter */
    char *raw;                  /* [BLOCK] compressed bytes on their way to libarchive */
    size_t ahead;               /* of these, read while looking for magic bytes and not yet handed on */
    struct vouch_error reading; /* the error below libarchive */
    input_pause pause;          /* see input_before_waiting() */
    void *pause_context;
    bool finished;
    bool marked;        /* a byte order mark was skipped */
    struct text ending; /* of the last line */
    uint64_t number;

    char *bytes;
    size_t capacity;
    size_t begin, end; /* what is still to be given out */
    size_t scanned;    /* no newline in begin .. scanned-1 */
    size_t good;       /* sound UTF-8 up to here */
};

static bool fail_archive(struct input *input, struct vouch_error *err)
{
    if (input->reading.status != VOUCH_OK && err)
        *err = input->reading;
    if (input->reading.status != VOUCH_OK)
        return false;
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

/* Whether a read would wait. False if that cannot be found out: then the input is read. */
static bool would_wait(const struct input *input)
{
    struct pollfd question = {.fd = input->file, .events = POLLIN};
    return poll(&question, 1, 0) == 0;
}

static ssize_t read_memory(struct memory *memory, void *to, size_t room)
{
    size_t count = memory->left < room ? memory->left : room;
    memcpy(to, memory->at, count);
    memory->at += count;
    memory->left -= count;
    return (ssize_t)count;
}

/* Reads what is there, up to `room` bytes: 0 at the end, -1 with the error set. A signal ends the waiting. */
static ssize_t read_raw(struct input *input, void *to, size_t room, struct vouch_error *err)
{
    if (input->file < 0)
        return read_memory(&input->memory, to, room);
    if (input->pause && would_wait(input) && !input->pause(input->pause_context, err))
        return -1;
    ssize_t count = read(input->file, to, room);
    if (count < 0 && errno == EINTR)
        fail(err, VOUCH_ERR_STOPPED, "%s: interrupted while reading", input->name);
    else if (count < 0)
        fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", input->name, strerror(errno));
    return count;
}

/* Gives compressed bytes to libarchive. */
static la_ssize_t give_raw(struct archive *archive, void *context, const void **bytes)
{
    struct input *input = context;
    ssize_t count = (ssize_t)input->ahead;
    *bytes = input->raw;
    input->ahead = 0;
    if (count == 0)
        count = read_raw(input, input->raw, BLOCK, &input->reading);
    if (count < 0)
        archive_set_error(archive, EIO, "%s", input->reading.message);
    return count;
}

/* Moves the remaining bytes to the front and makes room for `size` bytes after them. */
static bool make_room(struct input *input, size_t size, struct vouch_error *err)
{
    if (input->begin > 0) {
        memmove(input->bytes, input->bytes + input->begin, input->end - input->begin);
        input->end -= input->begin;
        input->scanned -= input->begin;
        input->good -= input->begin;
        input->begin = 0;
    }
    return RESERVE(input->bytes, input->capacity, input->end + size, err);
}

/* Appends the next block, or finds that there is none. */
static bool read_block(struct input *input, struct vouch_error *err)
{
    if (!input->archive) {
        if (!make_room(input, input->block, err))
            return false;
        ssize_t count = read_raw(input, input->bytes + input->end, input->block, err);
        if (count < 0)
            return false;
        input->end += (size_t)count;
        input->finished = count == 0;
    } else {
        const void *block;
        size_t size;
        la_int64_t offset;
        int status = archive_read_data_block(input->archive, &block, &size, &offset);
        input->finished = status == ARCHIVE_EOF;
        if (input->finished)
            return true;
        if (status != ARCHIVE_OK)
            return fail_archive(input, err);
        if (!make_room(input, size, err))
            return false;
        memcpy(input->bytes + input->end, block, size);
        input->end += size;
    }
    check_block(input);
    return true;
}

static bool skip_byte_order_mark(struct input *input, struct vouch_error *err)
{
    static const char mark[] = BYTE_ORDER_MARK;
    while (!input->finished && input->end < 3 && memcmp(input->bytes, mark, input->end) == 0) {
        if (!read_block(input, err))
            return false;
    }
    input->marked = input->end >= 3 && memcmp(input->bytes, mark, 3) == 0;
    if (input->marked)
        input->begin = input->scanned = 3;
    return true;
}

/* Whether `bytes` start like a compressed file; sets *more if it takes more bytes to tell. */
static bool looks_compressed(const char *bytes, size_t count, bool *more)
{
    static const struct {
        const char *bytes;
        size_t length;
    } magic[] = {{"\x1f\x8b", 2}, {"\xfd\x37zXZ", 5}, {"\x28\xb5\x2f\xfd", 4}, {"BZh", 3}};
    *more = false;
    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++) {
        size_t known = count < magic[i].length ? count : magic[i].length;
        if (memcmp(bytes, magic[i].bytes, known) != 0)
            continue;
        if (known == magic[i].length)
            return true;
        *more = true;
    }
    return false;
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
    if (archive_read_open(archive, input, NULL, give_raw, NULL) != ARCHIVE_OK)
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

/* Reads the first bytes and decides how the rest is read. */
static bool start_reading(struct input *input, struct vouch_error *err)
{
    bool compressed = false, more = true;
    while (more && !input->finished) {
        if (!make_room(input, input->block, err))
            return false;
        ssize_t count = read_raw(input, input->bytes + input->end, input->block - input->end, err);
        if (count < 0)
            return false;
        input->end += (size_t)count;
        input->finished = count == 0;
        compressed = looks_compressed(input->bytes, input->end, &more);
    }
    if (!compressed) {
        check_block(input);
        return true;
    }
    input->raw = new_array(BLOCK, 1, err);
    if (!input->raw)
        return false;
    memcpy(input->raw, input->bytes, input->end);
    input->ahead = input->end;
    input->end = 0;
    return open_archive(input, err);
}

static bool cannot_open(const char *path, int why, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(why));
}

static bool open_file(struct input *input, const char *path, struct vouch_error *err)
{
    struct stat about;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return cannot_open(path, errno, err);
    input->file = file;
    return fstat(file, &about) != 0 || !S_ISDIR(about.st_mode) || cannot_open(path, EISDIR, err);
}

/* Returns an input of that name, which reads from standard input until it is given a file. */
static struct input *input_new(const char *name, size_t block, struct vouch_error *err)
{
    struct input *input = new_array(1, sizeof *input, err);
    if (!input)
        return NULL;
    input->file = STDIN_FILENO;
    input->block = block;
    input->name = new_string(name, strlen(name), err);
    if (input->name && RESERVE(input->bytes, input->capacity, 2 * block, err))
        return input;
    input_close(input);
    return NULL;
}

/* Reads the beginning; NULL, and everything is freed, if that fails. */
static struct input *input_start(struct input *input, struct vouch_error *err)
{
    if (start_reading(input, err) && skip_byte_order_mark(input, err))
        return input;
    input_close(input);
    return NULL;
}

struct input *input_open(const char *path, struct vouch_error *err)
{
    bool standard = !path || strcmp(path, "-") == 0;
    struct input *input = input_new(standard ? "standard input" : path, BLOCK, err);
    if (!input || standard || open_file(input, path, err))
        return input ? input_start(input, err) : NULL;
    input_close(input);
    return NULL;
}

struct input *input_open_memory(const char *name, const void *bytes, size_t length, struct vouch_error *err)
{
    struct input *input = input_new(name, length < BLOCK ? length + 1 : BLOCK, err);
    if (!input)
        return NULL;
    input->file = -1;
    input->memory = (struct memory){bytes, length};
    return input_start(input, err);
}

void input_close(struct input *input)
{
    if (!input)
        return;
    archive_read_free(input->archive);
    if (input->file > STDIN_FILENO)
        close(input->file);
    free(input->raw);
    free(input->bytes);
    free(input->name);
    free(input);
}

void input_before_waiting(struct input *input, input_pause call, void *context)
{
    input->pause = call;
    input->pause_context = context;
}

const char *input_name(const struct input *input)
{
    return input->name;
}

uint64_t input_number(const struct input *input)
{
    return input->number;
}

bool input_wrong(const struct input *input, struct vouch_error *err, const char *expected)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected %s", input_name(input),
                (unsigned long long)input_number(input), expected);
}

static int refuse_long(struct input *input, struct vouch_error *err)
{
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": line longer than %zu MiB", input->name, input->number + 1,
         LONGEST_LINE >> 20);
    return -1;
}

/* Fails, and skips the line that ends at `stop`; the bytes after it are checked anew. */
static int refuse_bytes(struct input *input, size_t stop, struct vouch_error *err)
{
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s at byte %zu", input->name, input->number + 1,
         input->bytes[input->good] ? "invalid UTF-8" : "NUL", input->good - input->begin + 1);
    input->begin = input->scanned = input->good = stop < input->end ? stop + 1 : stop;
    input->number++;
    check_block(input);
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
        return refuse_bytes(input, stop, err);
    const char *at = input->bytes + input->begin;
    if (length > 0 && at[length - 1] == '\r')
        length--;
    *line = (struct text){at, (uint32_t)length};
    input->begin = input->scanned = newline ? stop + 1 : stop;
    input->ending = (struct text){at + length, (uint32_t)(input->bytes + input->begin - at - length)};
    input->number++;
    return 1;
}

struct text input_line_end(const struct input *input)
{
    return input->ending;
}

bool input_read_all(struct input *input, struct buffer *to, size_t most, struct vouch_error *err)
{
    struct text line;
    int found;
    while ((found = input_line(input, &line, err)) > 0) {
        if (!buffer_add(to, line, err) || !buffer_add(to, input->ending, err))
            return false;
        if (to->length > most)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected a file of %zu bytes at most", input_name(input), most);
    }
    return found == 0;
}

bool input_marked(const struct input *input)
{
    return input->marked;
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

/* ---- Mapped files ---- */

static bool map(struct mapped_file *file, int fd, const char *path, struct vouch_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return cannot_open(path, errno, err);
    if (S_ISDIR(about.st_mode))
        return cannot_open(path, EISDIR, err);
    if (!S_ISREG(about.st_mode))
        return fail(err, VOUCH_ERR_IO, "%s: expected a file, found a pipe or a device, which cannot be mapped", path);
    if ((uint64_t)about.st_size > SIZE_MAX)
        return fail_memory(err);
    static const char none[1]; /* nothing can be mapped of an empty file */
    *file = (struct mapped_file){.bytes = none, .size = (size_t)about.st_size};
    if (file->size == 0)
        return true;
    file->bytes = file->map = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file->map != MAP_FAILED)
        return true;
    *file = (struct mapped_file){0};
    return fail(err, VOUCH_ERR_IO, "%s: cannot map: %s", path, strerror(errno));
}

bool mapped_file_init(struct mapped_file *file, const char *path, struct vouch_error *err)
{
    *file = (struct mapped_file){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer does not make us wait */
    if (fd < 0)
        return cannot_open(path, errno, err);
    bool ok = map(file, fd, path, err);
    close(fd);
    return ok;
}

void mapped_file_release(struct mapped_file *file)
{
    if (file->map)
        munmap(file->map, file->size);
    *file = (struct mapped_file){0};
}
