/*
 * .npz: arrays of NumPy as the entries of a zip archive, each a .npy file.
 *
 *     local header, bytes          for each entry
 *     central directory            for each entry: name, method, sizes, where its local header is
 *     end of central directory     where it is; with a 64-bit one before it if numbers do not fit
 *
 * Source: APPNOTE.TXT, "ZIP File Format Specification". The directory alone says what there is. numpy.savez() stores
 * entries, and these are used where they are, in the mapped file: their checksums are not looked at, as that would read
 * the file whole. numpy.savez_compressed() deflates them, and these are inflated by libarchive, which checks them.
 * Its streaming reader takes the local header for the beginning of an archive and never looks at what comes before:
 * time depends on the entry alone. Opening takes O(entries log entries), and as long as inflating.
 */
#include "arrays/array_file.h"
#include "base/memory.h"
#include "base/order.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <inttypes.h>

enum { LOCAL = 30, CENTRAL = 46, END = 22, END64 = 56, LOCATOR64 = 20, LONGEST_COMMENT = 65535 };
enum { STORED = 0, DEFLATED = 8, ENCRYPTED = 1 };

/* No deflated byte stands for more bytes than this. */
enum { MOST_INFLATED = 1032 };

struct directory {
    uint64_t entries, size, offset;
};

struct entry {
    struct text name;
    uint64_t flags, method, packed, size; /* bytes in the file, bytes of the .npy */
    uint64_t local, begin;                /* where its local header is, where its bytes are */
};

bool npz_starts(const unsigned char *bytes, size_t size)
{
    return size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
}

static bool within(uint64_t offset, uint64_t length, uint64_t size)
{
    return offset <= size && length <= size - offset;
}

/* Returns where the end of the central directory is: the last place from which a comment reaches the file's end. */
static const unsigned char *find_end(const struct array_file *file)
{
    for (size_t back = END; back <= file->size && back <= END + LONGEST_COMMENT; back++) {
        const unsigned char *at = file->bytes + file->size - back;
        if (memcmp(at, "PK\5\6", 4) == 0 && little(at + 20, 2) == back - END)
            return at;
    }
    return NULL;
}

static bool read_end64(const struct array_file *file, const unsigned char *locator, struct directory *directory)
{
    uint64_t offset = little(locator + 8, 8);
    if (!within(offset, END64, file->size) || memcmp(file->bytes + offset, "PK\6\6", 4) != 0)
        return false;
    const unsigned char *at = file->bytes + offset;
    *directory = (struct directory){little(at + 32, 8), little(at + 40, 8), little(at + 48, 8)};
    return true;
}

static bool find_directory(const struct array_file *file, struct directory *directory, struct vouch_error *err)
{
    const unsigned char *end = find_end(file);
    if (!end)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a .npz file, found a zip archive that ends early", file->name);
    *directory = (struct directory){little(end + 10, 2), little(end + 12, 4), little(end + 16, 4)};
    bool wide = end - file->bytes >= LOCATOR64 && memcmp(end - LOCATOR64, "PK\6\7", 4) == 0;
    if ((wide && !read_end64(file, end - LOCATOR64, directory)) ||
        !within(directory->offset, directory->size, (uint64_t)(end - file->bytes)) ||
        directory->entries > directory->size / CENTRAL)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected a zip archive's central directory inside the file, found %" PRIu64
                    " entries in %" PRIu64 " bytes at %" PRIu64,
                    file->name, directory->entries, directory->size, directory->offset);
    return true;
}

/* Takes 64-bit numbers from the extra fields for those that do not fit 32 bits. */
static bool widen(struct entry *entry, const unsigned char *extra, uint64_t length)
{
    uint64_t *number[] = {&entry->size, &entry->packed, &entry->local};
    bool wanted[3], any = false;
    for (int i = 0; i < 3; i++)
        any |= wanted[i] = *number[i] == UINT32_MAX;
    while (any && length >= 4) {
        uint64_t id = little(extra, 2), size = little(extra + 2, 2), at = 4;
        if (size > length - 4)
            return false;
        for (int i = 0; id == 1 && i < 3; i++) {
            if (!wanted[i])
                continue;
            if (at + 8 > size + 4)
                return false;
            *number[i] = little(extra + at, 8);
            at += 8;
        }
        any &= id != 1;
        extra += size + 4;
        length -= size + 4;
    }
    return !any;
}

/* Reads the entry of the directory at `at` and moves on to the next. */
static bool read_entry(const struct array_file *file, const unsigned char **at, const unsigned char *end,
                       struct entry *entry, struct vouch_error *err)
{
    const unsigned char *c = *at;
    if (end - c < CENTRAL || memcmp(c, "PK\1\2", 4) != 0)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected an entry of the zip archive's directory at byte %zu, found "
                    "something else",
                    file->name, (size_t)(c - file->bytes));
    uint64_t name = little(c + 28, 2), extra = little(c + 30, 2), comment = little(c + 32, 2);
    *entry = (struct entry){.name = {(const char *)c + CENTRAL, (uint32_t)name},
                            .flags = little(c + 8, 2),
                            .method = little(c + 10, 2),
                            .packed = little(c + 20, 4),
                            .size = little(c + 24, 4),
                            .local = little(c + 42, 4)};
    if ((uint64_t)(end - c) - CENTRAL < name + extra + comment || !widen(entry, c + CENTRAL + name, extra))
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected a whole entry of the zip archive's directory at byte %zu, "
                    "found part of one",
                    file->name, (size_t)(c - file->bytes));
    *at = c + CENTRAL + name + extra + comment;
    return true;
}

/* Takes ".npy" off the name. */
static bool check_name(const struct array_file *file, struct text *name, struct vouch_error *err)
{
    bool sound = !memchr(name->at, '\0', name->length) && utf8_check(name->at, name->length) == name->length;
    if (sound && name->length >= 4 && memcmp(name->at + name->length - 4, ".npy", 4) == 0) {
        name->length -= 4;
        return true;
    }
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected entries whose names end in .npy, found '%.*s'", file->name,
                sound ? excerpt(*name) : 0, name->at);
}

/* Finds the entry's bytes, which must lie before the directory. */
static bool locate(const struct array_file *file, const struct array *array, struct entry *entry, uint64_t limit,
                   struct vouch_error *err)
{
    if (entry->flags & ENCRYPTED || (entry->method != STORED && entry->method != DEFLATED))
        return array_fail(array, err, "expected an entry stored or deflated, found %s method %" PRIu64,
                          entry->flags & ENCRYPTED ? "an encrypted one of" : "compression", entry->method);
    if (!within(entry->local, LOCAL, limit) || memcmp(file->bytes + entry->local, "PK\3\4", 4) != 0)
        return array_fail(array, err, "expected the header of a zip entry at byte %" PRIu64 ", found none",
                          entry->local);
    const unsigned char *local = file->bytes + entry->local;
    uint64_t name = little(local + 26, 2), extra = little(local + 28, 2);
    entry->begin = entry->local + LOCAL + name + extra;
    if (!within(entry->begin, entry->packed, limit))
        return array_fail(array, err,
                          "expected %" PRIu64 " bytes at byte %" PRIu64 " of the file, found that the "
                          "entries end at byte %" PRIu64,
                          entry->packed, entry->begin, limit);
    if (little(local + 8, 2) != entry->method || name != (uint64_t)entry->name.length + 4 ||
        memcmp(local + LOCAL, entry->name.at, name) != 0)
        return array_fail(array, err,
                          "expected the same name and method in the zip archive's directory and in the "
                          "entry, found others");
    return true;
}

static bool fail_entry(struct archive *archive, struct vouch_error *err)
{
    if (archive_errno(archive) == ENOMEM)
        return fail_memory(err);
    const char *why = archive_error_string(archive);
    return fail(err, VOUCH_ERR_FORMAT, "expected a sound entry of a zip archive, found damage: %s",
                why ? why : "it ends early");
}

static bool inflate_entry(struct archive *archive, unsigned char *out, size_t size, struct vouch_error *err)
{
    struct archive_entry *entry;
    if (archive_read_next_header(archive, &entry) != ARCHIVE_OK)
        return fail_entry(archive, err);
    size_t done = 0;
    for (;;) {
        const void *block;
        size_t length;
        la_int64_t offset;
        int status = archive_read_data_block(archive, &block, &length, &offset);
        if (status == ARCHIVE_EOF)
            break;
        if (status != ARCHIVE_OK)
            return fail_entry(archive, err);
        if (length > size - done)
            return fail(err, VOUCH_ERR_FORMAT, "expected %zu bytes, found more", size);
        if (length > 0)
            memcpy(out + done, block, length);
        done += length;
    }
    return done == size || fail(err, VOUCH_ERR_FORMAT, "expected %zu bytes, found %zu", size, done);
}

/*
 * Inflates the entry whose local header is at `bytes`, of which there are `length` to the end of the archive, into
 * out[size]. Fails if the entry is damaged, or has not exactly `size` bytes; the message starts with "expected".
 */
static bool unzip_entry(const void *bytes, size_t length, void *out, size_t size, struct vouch_error *err)
{
    struct archive *archive = archive_read_new();
    if (!archive)
        return fail_memory(err);
    archive_read_support_format_zip_streamable(archive);
    bool ok = archive_read_open_memory(archive, bytes, length) == ARCHIVE_OK ? inflate_entry(archive, out, size, err)
                                                                             : fail_entry(archive, err);
    archive_read_free(archive);
    return ok;
}

/* Returns the inflated entry, which the file owns. */
static const unsigned char *inflate(struct array_file *file, const struct array *array, const struct entry *entry,
                                    struct vouch_error *err)
{
    if (entry->size / MOST_INFLATED > entry->packed || entry->size > SIZE_MAX) {
        array_fail(array, err,
                   "expected at most %d times as many bytes as are deflated, found %" PRIu64 " from %" PRIu64,
                   MOST_INFLATED, entry->size, entry->packed);
        return NULL;
    }
    unsigned char *bytes = new_block((size_t)entry->size, err);
    if (!bytes || !array_file_own(file, bytes, err))
        return NULL;
    struct vouch_error why = {0};
    if (unzip_entry(file->bytes + entry->local, file->size - (size_t)entry->local, bytes, (size_t)entry->size, &why))
        return bytes;
    if (why.status == VOUCH_ERR_MEMORY)
        fail_memory(err);
    else
        array_fail(array, err, "%s", why.message);
    return NULL;
}

static bool load_entry(struct array_file *file, struct array *array, const struct entry *entry, struct vouch_error *err)
{
    if (entry->method == STORED && entry->size != entry->packed)
        return array_fail(array, err, "expected %" PRIu64 " bytes, found %" PRIu64 " stored", entry->size,
                          entry->packed);
    const unsigned char *bytes =
        entry->method == STORED ? file->bytes + entry->begin : inflate(file, array, entry, err);
    return bytes && npy_array(array, bytes, (size_t)entry->size, err);
}

/* Entries that share bytes would be read as different arrays, and inflated to more than the file could hold. */
static bool check_overlap(const struct array_file *file, const struct entry *entry, struct vouch_error *err)
{
    struct keyed *range = new_array(file->count, sizeof *range, err);
    bool ok = range != NULL;
    for (size_t i = 0; ok && i < file->count; i++)
        range[i] = (struct keyed){entry[i].local, entry[i].begin + entry[i].packed};
    ok = ok && sort_keyed(range, file->count, err);
    for (size_t i = 1; ok && i < file->count; i++)
        ok = range[i].key >= range[i - 1].value ||
             fail(err, VOUCH_ERR_FORMAT,
                  "%s: expected entries that do not overlap, found one at byte %" PRIu64
                  " before the end of another at %" PRIu64,
                  file->name, range[i].key, range[i - 1].value);
    free(range);
    return ok;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool check_names(const struct array_file *file, struct vouch_error *err)
{
    const char **name = new_array(file->count, sizeof *name, err);
    if (!name)
        return false;
    for (size_t i = 0; i < file->count; i++)
        name[i] = file->array[i].name;
    qsort(name, file->count, sizeof *name, by_name);
    bool ok = true;
    for (size_t i = 1; ok && i < file->count; i++)
        ok = strcmp(name[i - 1], name[i]) != 0 ||
             fail(err, VOUCH_ERR_FORMAT, "%s: expected each name once, found '%.*s' twice", file->name,
                  excerpt(text_of(name[i])), name[i]);
    free(name);
    return ok;
}

/* Finds all entries: nothing of them is read before all are known to be in places of their own. */
static bool read_directory(struct array_file *file, const struct directory *directory, struct entry *entry,
                           struct vouch_error *err)
{
    const unsigned char *at = file->bytes + directory->offset, *end = at + directory->size;
    for (uint64_t i = 0; i < directory->entries; i++) {
        if (!read_entry(file, &at, end, &entry[i], err) || !check_name(file, &entry[i].name, err))
            return false;
        const struct array *array = array_file_add(file, entry[i].name, err);
        if (!array || !locate(file, array, &entry[i], directory->offset, err))
            return false;
    }
    if (at != end)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected %" PRIu64 " entries in the zip archive's directory, found more", file->name,
                    directory->entries);
    return check_overlap(file, entry, err) && check_names(file, err);
}

bool npz_open(struct array_file *file, struct vouch_error *err)
{
    struct directory directory = {0, 0, 0};
    if (!find_directory(file, &directory, err))
        return false;
    struct entry *entry = new_array((size_t)directory.entries, sizeof *entry, err);
    bool ok = entry && read_directory(file, &directory, entry, err);
    for (size_t i = 0; ok && i < file->count; i++)
        ok = load_entry(file, &file->array[i], &entry[i], err);
    free(entry);
    return ok;
}
