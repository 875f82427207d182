/*
 * A file mapped into memory, read-only: pages are read when they are looked at, and shared with other processes.
 *
 * A file that is made shorter while it is mapped ends the process (SIGBUS) when the missing part is looked at: replace
 * files by renaming. Only regular files can be mapped.
 */
#ifndef VOUCH_BASE_MAPPED_FILE_H
#define VOUCH_BASE_MAPPED_FILE_H

#include "base/error.h"

#include <stddef.h>

struct mapped_file {
    const void *bytes; /* [size]; not NULL, even for an empty file, which is not mapped */
    size_t size;
    void *map; /* the same bytes, to be unmapped; NULL of an empty file */
};

/* Maps the file; release it with mapped_file_release(). On failure there is nothing to release. */
bool mapped_file_init(struct mapped_file *file, const char *path, struct vouch_error *err);

void mapped_file_release(struct mapped_file *file); /* a zeroed one is allowed */

#endif
