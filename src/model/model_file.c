/*
 * Reads and writes model files: see model_file.h.
 *
 * The frame is two structs of 64 bytes, written as they lie in memory; a file of the other byte order is told by its
 * mark. Opening checks the frame with its own checksum, and that every section lies within the file. Sections have
 * checksums of their own, so that what is damaged can be named. A file that changes while it is read is refused.
 */
#include "model/model_file.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[8] = {'V', 'O', 'U', 'C', 'H', '\r', '\n', '\x1a'};

enum { ALIGNMENT = 64, BYTE_ORDER_MARK = 0x01020304 };

struct preamble {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t size;
    uint64_t header_offset, header_length;
    uint32_t sections, reserved;
    uint64_t frame_sum; /* checksum of the section table and the header */
    uint64_t padding;
};

struct entry {
    char name[24];
    uint64_t offset, length, sum;
    char padding[16];
};

_Static_assert(sizeof(struct preamble) == 64 && sizeof(struct entry) == 64, "the frame is laid out by hand");

static uint64_t aligned(uint64_t offset)
{
    return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void pad_to(struct output *out, uint64_t start, uint64_t offset)
{
    static const char zeros[ALIGNMENT];
    uint64_t at = output_position(out) - start;
    if (at < offset)
        output_write(out, zeros, offset - at);
}

static uint64_t frame_sum(const struct entry *table, uint32_t sections, const char *header, uint64_t length)
{
    return hash_mix(hash_bytes(table, sizeof *table * sections), hash_bytes(header, length));
}

void model_file_write(struct output *out, const char *header, const struct section *section, uint32_t sections)
{
    struct entry table[MAX_SECTIONS] = {0};
    uint64_t start = output_position(out), header_length = strlen(header);
    struct preamble preamble = {.version = MODEL_FORMAT_VERSION,
                                .byte_order = BYTE_ORDER_MARK,
                                .header_offset = sizeof preamble + sizeof *table * sections,
                                .header_length = header_length,
                                .sections = sections};
    memcpy(preamble.magic, magic, sizeof magic);
    uint64_t offset = aligned(preamble.header_offset + header_length);
    for (uint32_t i = 0; i < sections; i++) {
        memcpy(table[i].name, section[i].name, strnlen(section[i].name, sizeof table[i].name - 1));
        table[i].offset = offset;
        table[i].length = section[i].length;
        table[i].sum = hash_bytes(section[i].bytes, section[i].length);
        offset = aligned(offset + section[i].length);
    }
    preamble.size = offset;
    preamble.frame_sum = frame_sum(table, sections, header, header_length);
    output_write(out, &preamble, sizeof preamble);
    output_write(out, table, sizeof *table * sections);
    output_write(out, header, header_length);
    for (uint32_t i = 0; i < sections; i++) {
        pad_to(out, start, table[i].offset);
        output_write(out, section[i].bytes, section[i].length);
    }
    pad_to(out, start, preamble.size);
}

static const struct preamble *preamble_of(const struct model_file *file)
{
    return (const struct preamble *)(const void *)file->bytes;
}

static const struct entry *table_of(const struct model_file *file)
{
    return (const struct entry *)(const void *)(file->bytes + sizeof(struct preamble));
}

/* Fills file->bytes. Fails if the file changes meanwhile, as it would be read half old, half new. */
static bool read_bytes(struct model_file *file, int fd, const struct stat *before, struct vouch_error *err)
{
    uint64_t done = 0;
    while (done < file->size) {
        ssize_t count = read(fd, file->bytes + done, (size_t)(file->size - done));
        if (count < 0 && errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "%s: cannot read: %s", file->name, strerror(errno));
        if (count == 0)
            break;
        done += count > 0 ? (uint64_t)count : 0;
    }
    struct stat after;
    if (done < file->size || fstat(fd, &after) != 0 || before->st_size != after.st_size ||
        before->st_mtim.tv_sec != after.st_mtim.tv_sec || before->st_mtim.tv_nsec != after.st_mtim.tv_nsec)
        return fail(err, VOUCH_ERR_IO, "%s: the file was changed while it was read: write a new one and rename it",
                    file->name);
    return true;
}

/* Reads the file; the caller must call check_frame(). */
static bool read_file(struct model_file *file, struct vouch_error *err)
{
    int fd = open(file->name, O_RDONLY | O_CLOEXEC);
    struct stat about;
    bool opened = fd >= 0 && fstat(fd, &about) == 0;
    if (opened && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        opened = false;
    }
    if (!opened) {
        fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", file->name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return false;
    }
    bool ok = (S_ISREG(about.st_mode) && (uint64_t)about.st_size >= sizeof(struct preamble)) ||
              fail(err, VOUCH_ERR_FORMAT, "%s: expected a vouch model, found something else", file->name);
    if (ok) {
        file->size = (uint64_t)about.st_size;
        file->bytes = new_block((size_t)file->size, err);
        ok = file->bytes && read_bytes(file, fd, &about, err);
    }
    close(fd);
    return ok;
}

static bool within(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

static bool check_frame(struct model_file *file, struct vouch_error *err)
{
    const struct preamble *p = preamble_of(file);
    const char *name = file->name;
    if (memcmp(p->magic, magic, sizeof magic) != 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a vouch model, found something else", name);
    if (p->byte_order != BYTE_ORDER_MARK)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the model was written on a machine of the other byte order", name);
    if (p->version != MODEL_FORMAT_VERSION)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected model format %d, found %u, which %s version of vouch wrote: %s", name,
                    MODEL_FORMAT_VERSION, p->version, p->version < MODEL_FORMAT_VERSION ? "an older" : "a newer",
                    p->version < MODEL_FORMAT_VERSION ? "train it again" : "use that one, or train it again");
    if (p->size != file->size)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %llu bytes, found %llu: the file is cut off or damaged", name,
                    (unsigned long long)p->size, (unsigned long long)file->size);
    if (p->sections > MAX_SECTIONS || !within(sizeof *p, sizeof(struct entry) * p->sections, file->size) ||
        !within(p->header_offset, p->header_length, file->size))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the section table is damaged", name);
    file->sections = p->sections;
    file->header = (const char *)file->bytes + p->header_offset;
    file->header_length = p->header_length;
    const struct entry *table = table_of(file);
    if (p->frame_sum != frame_sum(table, file->sections, file->header, file->header_length))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's checksum does not match: the file is damaged", name);
    for (uint32_t i = 0; i < file->sections; i++)
        if (!within(table[i].offset, table[i].length, file->size) || table[i].offset % ALIGNMENT ||
            table[i].name[sizeof table[i].name - 1])
            return fail(err, VOUCH_ERR_FORMAT, "%s: the section table is damaged", name);
    return true;
}

bool model_file_open(struct model_file *file, const char *path, struct vouch_error *err)
{
    *file = (struct model_file){.name = new_string(path, strlen(path), err)};
    if (file->name && read_file(file, err) && check_frame(file, err))
        return true;
    model_file_close(file);
    return false;
}

bool model_file_open_memory(struct model_file *file, const void *bytes, size_t length, struct vouch_error *err)
{
    static const char name[] = "model in memory";
    *file = (struct model_file){.name = new_string(name, strlen(name), err)};
    if (file->name && length < sizeof(struct preamble))
        fail(err, VOUCH_ERR_FORMAT, "%s: expected a vouch model, found something else", name);
    else if (file->name && (file->bytes = new_block(length, err))) {
        memcpy(file->bytes, bytes, length);
        file->size = length;
        if (check_frame(file, err))
            return true;
    }
    model_file_close(file);
    return false;
}

void model_file_close(struct model_file *file)
{
    free(file->bytes);
    free(file->name);
    *file = (struct model_file){0};
}

bool model_file_section(const struct model_file *file, const char *name, size_t size, const void **array,
                        uint64_t *count, struct vouch_error *err)
{
    const struct entry *table = table_of(file);
    for (uint32_t i = 0; i < file->sections; i++) {
        if (strcmp(table[i].name, name) != 0)
            continue;
        if (table[i].length % size)
            return fail(err, VOUCH_ERR_FORMAT, "%s: section '%s' is damaged", file->name, name);
        *array = file->bytes + table[i].offset;
        *count = table[i].length / size;
        return true;
    }
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected a section '%s', found none", file->name, name);
}

uint64_t model_file_digest(const struct model_file *file)
{
    return preamble_of(file)->frame_sum;
}

bool model_file_verify(const struct model_file *file, struct vouch_error *err)
{
    const struct entry *table = table_of(file);
    for (uint32_t i = 0; i < file->sections; i++)
        if (hash_bytes(file->bytes + table[i].offset, table[i].length) != table[i].sum)
            return fail(err, VOUCH_ERR_FORMAT, "%s: the checksum of section '%s' does not match: the file is damaged",
                        file->name, table[i].name);
    return true;
}
