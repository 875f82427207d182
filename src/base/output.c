/*
 * Writes output that appears whole or not at all: see output.h.
 *
 * The temporary file is ".vouch-PID-N.tmp" beside the real one, so that the rename stays within one file system. Its
 * bytes are on the disk before it takes the name, or a power cut could leave an empty file of that name.
 *
 * While it is written it is locked, and the kernel drops the lock of a process that is killed. So a temporary that
 * another process can lock is abandoned, on any host that shares the folder, and is removed by the next output there.
 * The number of a process would say nothing about those of other hosts and containers.
 *
 * A new file is made with mode 0666, to which the kernel applies the umask (it cannot be read without changing it for
 * every thread). One that replaces another is its owner's alone until it gets the other's permissions. Symbolic links
 * are followed, even to a file that is not there yet.
 *
 * A name that exists and is not a regular file (a terminal, a pipe, /dev/null) is written in place. The first error is
 * kept and all later writes are dropped. In memory the buffer grows instead of being written. A spool is memory first,
 * and then a file that was made in TMPDIR, or /tmp, and lost its name at once: it is gone when the process is.
 */
#define _DEFAULT_SOURCE /* flock() */
#include "base/output.h"

#include "base/memory.h"
#include "base/buffer.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)256 << 10)
#define TEMPORARY_NAME_SIZE 48
#define TEMPORARY_NAMES 1000
#define LINKS 40 /* as many as the kernel follows */

struct output {
    int file;
    int error;       /* errno of the first write that failed, or 0 */
    bool standard;   /* standard output, which is not closed */
    bool memory;     /* nothing but the buffer */
    size_t limit;    /* of a spool: memory up to here; 0: it is none */
    char *path;      /* for messages, as given */
    char *target;    /* the name to take at commit, */
    char *folder;    /* in this folder */
    char *temporary; /* the name until then; NULL if written in place */
    bool replaces;   /* there is a file of that name, */
    mode_t mode;     /* and these are its permissions */
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

/* Returns the folder of a file, as a string to free(). */
static char *folder_of(const char *path, struct vouch_error *err)
{
    size_t length = (size_t)(path_name(path) - path);
    return length > 0 ? new_string(path, length, err) : new_string(".", 1, err);
}

static bool is_temporary(const char *name)
{
    long process;
    int number, end = 0;
    return sscanf(name, ".vouch-%ld-%d.tmp%n", &process, &number, &end) == 2 && end > 0 && !name[end];
}

/* Whether `name` is a regular file of this user; *about becomes its status. */
static bool is_own_file(int folder, const char *name, struct stat *about)
{
    return fstatat(folder, name, about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(about->st_mode) &&
           about->st_uid == geteuid();
}

/* Removes an abandoned temporary: under the lock, and if the name is still that file's. */
static void remove_abandoned(int folder, const char *name)
{
    struct stat locked, named;
    if (!is_own_file(folder, name, &named))
        return;
    int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &locked) == 0 && is_own_file(folder, name, &named) &&
        named.st_dev == locked.st_dev && named.st_ino == locked.st_ino)
        unlinkat(folder, name, 0);
    close(file);
}

/* Removes files that killed programs left in the folder. Nothing depends on it: errors are ignored. */
static void clean_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (is_temporary(entry->d_name))
            remove_abandoned(dirfd(folder), entry->d_name);
    closedir(folder);
}

/*
 * Creates and locks the temporary; false with errno set. Where files cannot be locked, a missing lock means nothing.
 * Between creation and lock another program may have taken the file for abandoned: then it has no name any more.
 */
static bool create_temporary(struct output *out)
{
    struct stat about;
    out->file = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, out->replaces ? 0600 : 0666);
    if (out->file < 0)
        return false;
    while (flock(out->file, LOCK_EX) != 0 && errno == EINTR)
        ;
    if (fstat(out->file, &about) == 0 && about.st_nlink > 0)
        return true;
    close(out->file);
    out->file = -1;
    errno = EEXIST;
    return false;
}

/* Opens a new file in the folder of out->target. */
static bool open_temporary(struct output *out, struct vouch_error *err)
{
    out->folder = folder_of(out->target, err);
    size_t room = out->folder ? strlen(out->folder) + TEMPORARY_NAME_SIZE : 0;
    out->temporary = out->folder ? new_array(room, 1, err) : NULL;
    if (!out->temporary)
        return false;
    clean_folder(out->folder);
    bool done = false;
    errno = EEXIST;
    for (int i = 0; i < TEMPORARY_NAMES && !done && errno == EEXIST; i++) {
        snprintf(out->temporary, room, "%s/.vouch-%ld-%d.tmp", out->folder, (long)getpid(), i);
        done = create_temporary(out);
    }
    if (done)
        return true;
    fail(err, VOUCH_ERR_IO, "%s: cannot create: %s", out->path, strerror(errno));
    free(out->temporary);
    out->temporary = NULL;
    return false;
}

/* Returns where a link at `path` leads, as a string to free(); NULL without an error if it is none. */
static char *linked_from(const char *path, struct vouch_error *err)
{
    char to[PATH_MAX];
    ssize_t length = readlink(path, to, sizeof to - 1);
    if (length < 0)
        return NULL;
    to[length] = '\0';
    if (to[0] == '/')
        return new_string(to, (size_t)length, err);
    char *folder = folder_of(path, err);
    char *target = folder ? path_in(folder, err, "%s", to) : NULL;
    free(folder);
    return target;
}

/* Finds the name at the end of all links, whether there is a file or not. */
static bool find_target(struct output *out, struct vouch_error *err)
{
    struct vouch_error own = {0};
    out->target = new_string(out->path, strlen(out->path), &own);
    for (int i = 0; out->target && i <= LINKS; i++) {
        char *next = linked_from(out->target, &own);
        if (!next && own.status == VOUCH_OK)
            return true;
        free(out->target);
        out->target = next;
    }
    if (own.status != VOUCH_OK)
        return fail_memory(err);
    return fail(err, VOUCH_ERR_IO, "%s: cannot create: %s", out->path, strerror(ELOOP));
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
    out->replaces = exists;
    if (exists)
        out->mode = about.st_mode & 0777;
    return find_target(out, err) && open_temporary(out, err);
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

struct output *output_open_spool(size_t limit, struct vouch_error *err)
{
    struct output *out = output_open_memory(err);
    if (out)
        out->limit = limit;
    return out;
}

int output_spooled(struct output *out)
{
    output_flush(out);
    return out->file;
}

bool output_whole(const struct output *out, struct vouch_error *err)
{
    if (out->error == ENOMEM)
        return fail_memory(err);
    return !out->error || fail(err, VOUCH_ERR_IO, "cannot write: %s", strerror(out->error));
}

void output_empty(struct output *out)
{
    out->used = 0;
    if (!out->limit)
        return;
    if (out->file >= 0)
        close(out->file);
    out->file = -1;
    out->memory = true;
    out->error = 0;
}

/* Moves a spool from memory to a file. */
static void spill(struct output *out)
{
    const char *folder = getenv("TMPDIR");
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s/vouch-XXXXXX", folder && *folder ? folder : "/tmp");
    out->memory = false;
    out->file = mkstemp(name);
    if (out->file < 0 || unlink(name) != 0 || fcntl(out->file, F_SETFD, FD_CLOEXEC) != 0)
        out->error = errno;
    output_flush(out);
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
    if (out->memory && out->limit && out->used + count > out->limit)
        spill(out);
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

/* Writes text that vsnprintf() could not fit: formatted apart, as it may be longer than the buffer. */
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

/* Closes the file. One written in place may fail only now; a temporary failed before, at fsync(). */
static void close_file(struct output *out)
{
    if (out->file >= 0 && !out->standard && close(out->file) != 0 && !out->error)
        out->error = errno;
    out->file = -1;
}

/* Makes renames in the folder durable. The file is there even if this fails. */
static void sync_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    fsync(folder);
    close(folder);
}

/* Gives the temporary its name, once its bytes are safe, and while it is locked: see remove_abandoned(). */
static void name_file(struct output *out)
{
    if ((out->replaces && fchmod(out->file, out->mode) != 0) || fsync(out->file) != 0 ||
        rename(out->temporary, out->target) != 0) {
        out->error = errno;
        return;
    }
    free(out->temporary);
    out->temporary = NULL;
    sync_folder(out->folder);
}

bool output_commit(struct output *out, struct vouch_error *err)
{
    output_flush(out);
    if (!out->error && out->temporary)
        name_file(out);
    close_file(out);
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
    free(out->folder);
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
