/* Inflates one entry of a zip archive in memory, by libarchive, which also checks its checksum. */
#ifndef VOUCH_BASE_UNZIP_H
#define VOUCH_BASE_UNZIP_H

#include "base/error.h"

#include <stddef.h>

/*
 * Inflates the entry whose local header is at `bytes`, of which there are `length` to the end of the archive, into
 * out[size]. Fails if the entry is damaged, or has not exactly `size` bytes; the message starts with "expected".
 */
bool unzip_entry(const void *bytes, size_t length, void *out, size_t size, struct vouch_error *err);

#endif
