/*
 * Declares what the targets share. A target is one function that takes any bytes and must return 0: libFuzzer calls it
 * with inputs that cover more and more of the code, replay.c with the files that it is given.
 */
#ifndef VOUCH_FUZZ_FUZZ_H
#define VOUCH_FUZZ_FUZZ_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Writes the bytes to a file, with the same name each time; returns its path. */
static inline const char *fuzz_file(const void *bytes, size_t length)
{
    static char path[64];
    static FILE *file;
    if (!file && (file = tmpfile()))
        snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    if (!file || ftruncate(fileno(file), 0) != 0 || pwrite(fileno(file), bytes, length, 0) != (ssize_t)length)
        abort();
    return path;
}

/* Checks that a failure has a status and a message; returns `ok`. */
static inline bool fuzz_told(bool ok, const struct vouch_error *err)
{
    if (!ok && (err->status == VOUCH_OK || !err->message[0]))
        abort();
    return ok;
}

#endif
