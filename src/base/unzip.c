/*
 * Inflates one entry of a zip archive: see unzip.h.
 *
 * libarchive's streaming reader takes the local header for the beginning of an archive and never looks at what comes
 * before: time depends on the entry alone.
 */
#include "base/unzip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

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

bool unzip_entry(const void *bytes, size_t length, void *out, size_t size, struct vouch_error *err)
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
