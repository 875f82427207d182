/* Archives in zip, by libarchive: see zip.h. */
#include "desk/zip.h"

#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

#define YEAR_1980 315532800 /* the first second that zip can tell: files have no time of their own */

struct zip {
    struct archive *archive;
    struct output *out;
};

static la_ssize_t put(struct archive *archive, void *context, const void *bytes, size_t count)
{
    struct zip *zip = context;
    (void)archive;
    output_write(zip->out, bytes, count);
    return (la_ssize_t)count;
}

static bool check(struct zip *zip, int status, struct vouch_error *err)
{
    if (status >= ARCHIVE_WARN)
        return true;
    return fail(err, VOUCH_ERR_IO, "cannot write an archive: %s", archive_error_string(zip->archive));
}

struct zip *zip_open(struct output *out, struct vouch_error *err)
{
    struct zip *zip = new_array(1, sizeof *zip, err);
    if (!zip)
        return NULL;
    zip->out = out;
    zip->archive = archive_write_new();
    bool ok = zip->archive ? check(zip, archive_write_set_format_zip(zip->archive), err) &&
                                 check(zip, archive_write_set_bytes_in_last_block(zip->archive, 1), err) &&
                                 check(zip, archive_write_open(zip->archive, zip, NULL, put, NULL), err)
                           : fail_memory(err);
    if (ok)
        return zip;
    zip_close(zip, false, err);
    return NULL;
}

bool zip_add(struct zip *zip, const char *name, const void *bytes, size_t length, struct vouch_error *err)
{
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return fail_memory(err);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)length);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_mtime(entry, YEAR_1980, 0);
    bool ok = check(zip, archive_write_header(zip->archive, entry), err) &&
              (archive_write_data(zip->archive, bytes, length) == (la_ssize_t)length ||
               check(zip, ARCHIVE_FATAL, err));
    archive_entry_free(entry);
    return ok;
}

bool zip_close(struct zip *zip, bool ok, struct vouch_error *err)
{
    if (!zip)
        return false;
    ok = ok && check(zip, archive_write_close(zip->archive), err);
    archive_write_free(zip->archive);
    free(zip);
    return ok;
}
