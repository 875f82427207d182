/*
 * Output that appears whole or not at all: see output.h.
 *
 * The temporary file is ".vouch-PID-N.tmp" beside the real one, so that the
 * rename stays within one file system. It is opened with O_EXCL and mode 0666
 * rather than by mkstemp(): the kernel then applies the umask, which cannot be
 * read without changing it for every thread. A file that is replaced keeps its
 * permissions, and one reached through a symbolic link is replaced where it is.
 *
 * What exists and is not a regular file (a terminal, a pipe, /dev/null) is
 * written in place. The first error is kept and all later writes are dropped.
 * In memory the buffer grows instead of being written.
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "base/output.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)256 << 10)
#define TEMPORARY_NAME_SIZE 48
#define TEMPORARY_NAMES 1000

struct output {
    int file;
    int error;       /* errno of the first write that failed, or 0 */
    bool standard;   /* standard output: not ours to close */
    bool memory;     /* nothing but the buffer */
    char *path;      /* for messages, as given */
    char *target;    /* the name to take at commit */
    char *temporary; /* the name until then; NULL if written in place */
    char *buffer;    /* [room] */
    size_t room, used;
    uint64_t position;
};

static void write_through(struct output *out, const char *bytes, size_t count)
{
    while (count > 0 && !out->error) {
        ssize_t written = write(out->file, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

/* Opens a new file in the folder of out->target. */
static bool open_temporary(struct output *out, struct vouch_error *err)
{
    const char *slash = strrchr(out->target, '/');
    int folder = slash ? (int)(slash - out->target + 1) : 0;
    size_t room = (size_t)folder + TEMPORARY_NAME_SIZE;
    out->temporary = new_array(room, 1, err);
    if (!out->temporary)
        return false;
    for (int i = 0; i < TEMPORARY_NAMES; i++) {
        snprintf(out->temporary, room, "%.*s.vouch-%ld-%d.tmp", folder, out->target, (long)getpid(), i);
        out->file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (out->file >= 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    fail(err, VOUCH_ERR_IO, "%s: cannot create: %s", out->path, strerror(errno));
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

static bool open_path(struct output *out, struct vouch_error *err)
{
    struct stat about;
    bool exists = stat(out->path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode))
        return fail(err, VOUCH_ERR_IO, "%s: cannot create: %s", out->path, strerror(EISDIR));
    if (exists && !S_ISREG(about.st_mode)) {
        out->file = open(out->path, O_WRONLY | O_CLOEXEC);
        return out->file >= 0 || fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", out->path, strerror(errno));
    }
    out->target = exists ? realpath(out->path, NULL) : NULL;
    if (!out->target)
        out->target = new_string(out->path, strlen(out->path), err);
    if (!out->target || !open_temporary(out, err))
        return false;
    if (exists && fchmod(out->file, about.st_mode & 0777) != 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot create: %s", out->path, strerror(errno));
    return true;
}

struct output *output_open(const char *path, struct vouch_error *err)
{
    struct output *out = new_array(1, sizeof *out, err);
    if (!out)
        return NULL;
    out->standard = !path || strcmp(path, "-") == 0;
    out->file = out->standard ? STDOUT_FILENO : -1;
    if (!RESERVE(out->buffer, out->room, BUFFER, err)) {
        output_discard(out);
        return NULL;
    }
    const char *name = out->standard ? "standard output" : path;
    out->path = new_string(name, strlen(name), err);
    if (!out->path || (!out->standard && !open_path(out, err))) {
        output_discard(out);
        return NULL;
    }
    return out;
}

struct output *output_open_memory(struct vouch_error *err)
{
    struct output *out = new_array(1, sizeof *out, err);
    if (!out)
        return NULL;
    out->memory = true;
    out->file = -1;
    if (RESERVE(out->buffer, out->room, 1, err))
        return out;
    output_discard(out);
    return NULL;
}

const char *output_text(const struct output *out, size_t *length)
{
    *length = out->used;
    return out->error ? NULL : out->buffer;
}

void output_empty(struct output *out)
{
    out->used = 0;
}

void output_flush(struct output *out)
{
    if (out->memory)
        return;
    write_through(out, out->buffer, out->used);
    out->used = 0;
}

void output_write(struct output *out, const void *bytes, size_t count)
{
    out->position += count;
    if (out->memory && !RESERVE(out->buffer, out->room, out->used + count + 1, NULL)) {
        out->error = ENOMEM;
        return;
    }
    if (count > out->room - out->used) {
        output_flush(out);
        if (count >= out->room) {
            write_through(out, bytes, count);
            return;
        }
    }
    if (count > 0) {
        memcpy(out->buffer + out->used, bytes, count);
        out->used += count;
    }
}

/* What vsnprintf() could not fit: formatted apart, as it may be longer than the buffer. */
static void print_long(struct output *out, size_t length, const char *format, va_list args)
{
    char *text = new_array(length + 1, 1, NULL);
    if (!text) {
        out->error = out->error ? out->error : ENOMEM;
        return;
    }
    vsnprintf(text, length + 1, format, args);
    output_write(out, text, length);
    free(text);
}

void output_printf(struct output *out, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t room = out->room - out->used;
    int length = vsnprintf(out->buffer + out->used, room, format, args);
    if (length < 0) {
        out->error = out->error ? out->error : errno;
    } else if ((size_t)length < room) {
        out->used += (size_t)length;
        out->position += (size_t)length;
    } else {
        print_long(out, (size_t)length, format, again);
    }
    va_end(again);
    va_end(args);
}

uint64_t output_position(const struct output *out)
{
    return out->position;
}

static void close_file(struct output *out)
{
    if (out->file >= 0 && !out->standard && close(out->file) != 0 && !out->error)
        out->error = errno;
    out->file = -1;
}

bool output_commit(struct output *out, struct vouch_error *err)
{
    output_flush(out);
    close_file(out);
    if (!out->error && out->temporary) {
        if (rename(out->temporary, out->target) == 0) {
            free(out->temporary);
            out->temporary = NULL;
        } else {
            out->error = errno;
        }
    }
    bool done = !out->error;
    if (!done)
        fail(err, VOUCH_ERR_IO, "%s: cannot write: %s", out->path, strerror(out->error));
    output_discard(out);
    return done;
}

void output_discard(struct output *out)
{
    if (!out)
        return;
    if (!out->temporary)
        output_flush(out);
    close_file(out);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    free(out->target);
    free(out->path);
    free(out->buffer);
    free(out);
}

bool output_close(struct output *out, bool ok, struct vouch_error *err)
{
    if (ok)
        return output_commit(out, err);
    output_discard(out);
    return false;
}
