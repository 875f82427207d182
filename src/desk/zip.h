/*
 * Writes an archive of files in zip, whose bytes depend on the files' names and contents alone.
 *
 * It is not in base/, so that the library only reads with libarchive: to write, libarchive's static library needs
 * libxml2, and the Python wheel has neither.
 */
#ifndef VOUCH_DESK_ZIP_H
#define VOUCH_DESK_ZIP_H

#include "base/error.h"
#include "base/output.h"

struct zip;

/* Begins an archive in an output, which stays the caller's. NULL on failure. */
struct zip *zip_open(struct output *out, struct vouch_error *err);
bool zip_add(struct zip *zip, const char *name, const void *bytes, size_t length, struct vouch_error *err);

/* Finishes the archive if `ok`, and frees; returns whether all succeeded. NULL is allowed if not `ok`. */
bool zip_close(struct zip *zip, bool ok, struct vouch_error *err);

#endif
