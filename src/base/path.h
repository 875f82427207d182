/*
 * Makes and splits names of files.
 */
#ifndef VOUCH_BASE_PATH_H
#define VOUCH_BASE_PATH_H

#include "base/error.h"

/* Returns "FOLDER/NAME", where NAME is formatted; to free(), or NULL with the error set. */
char *path_in(const char *folder, struct vouch_error *err, const char *name, ...) __attribute__((format(printf, 3, 4)));

/* Returns what comes after the last '/', a part of `path`. */
const char *path_name(const char *path);

#endif
