/*
 * Declares what the targets share. A target is one function that takes any bytes and must return 0: libFuzzer calls it
 * with inputs that cover more and more of the code, replay.c with the files that it is given.
 */
#ifndef VOUCH_FUZZ_FUZZ_H
#define VOUCH_FUZZ_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create(): include this header first */
#endif
#include "base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* Writes the bytes to a file in memory, with the same name each time; returns its path. */
static inline const char *fuzz_file(const void *bytes, size_t length)
{
    static char path[64];
    static int file = -1;
    if (file < 0 && (file = memfd_create("fuzzed", MFD_CLOEXEC)) >= 0)
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, bytes, length, 0) != (ssize_t)length)
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
