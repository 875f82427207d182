/*
 * A power cut: of the writes that were not synced to the disk, any may be lost.
 *
 * unsynced_watch() puts a file system of SQLite's (VFS) in front of the usual one, which notes what every write and
 * truncation replaces until the file is synced. unsynced_cut() takes back notes, each with probability 1/2 or, in one
 * cut of four, all, and ends the process. A write is taken back in sectors of 512 bytes, of which a disk may have
 * written some.
 *
 * The index of the log is in shared memory, which a cut loses: the file is removed.
 */
#ifndef VOUCH_TESTS_UNSYNCED_H
#define VOUCH_TESTS_UNSYNCED_H

#include "base/random.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { UNSYNCED_STATUS = 77, UNSYNCED_SECTOR = 512, UNSYNCED_FILES = 8 };

/* What a write replaced: `length` bytes at `at`, and the size of the file. */
struct unsynced_note {
    struct unsynced_note *before;
    sqlite3_int64 at, size;
    int length;
    char bytes[];
};

/* The files that were opened, by name; they keep their notes when they are closed. */
struct unsynced_file {
    char name[512];
    struct unsynced_note *last;
};
static struct unsynced_file unsynced_files[UNSYNCED_FILES];
static sqlite3_vfs unsynced_vfs, *usual_vfs;

/* An open file: the usual one is behind it in memory. */
struct unsynced_open {
    sqlite3_file base;
    struct unsynced_file *file; /* NULL: it is not watched */
};

static inline sqlite3_file *usual_of(sqlite3_file *file)
{
    return (sqlite3_file *)((struct unsynced_open *)file + 1);
}

static inline void unsynced_note(sqlite3_file *file, sqlite3_int64 at, int length)
{
    struct unsynced_open *open = (struct unsynced_open *)file;
    if (!open->file)
        return;
    struct unsynced_note *note = calloc(1, sizeof *note + (size_t)length);
    if (!note)
        abort();
    *note = (struct unsynced_note){.before = open->file->last, .at = at, .length = length};
    usual_of(file)->pMethods->xFileSize(usual_of(file), &note->size);
    usual_of(file)->pMethods->xRead(usual_of(file), note->bytes, length, at); /* zeros behind the end */
    open->file->last = note;
}

static inline void unsynced_forget(struct unsynced_file *file)
{
    while (file && file->last) {
        struct unsynced_note *note = file->last;
        file->last = note->before;
        free(note);
    }
}

static int watched_close(sqlite3_file *file)
{
    return usual_of(file)->pMethods->xClose(usual_of(file));
}

static int watched_read(sqlite3_file *file, void *into, int length, sqlite3_int64 at)
{
    return usual_of(file)->pMethods->xRead(usual_of(file), into, length, at);
}

static int watched_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 at)
{
    unsynced_note(file, at, length);
    return usual_of(file)->pMethods->xWrite(usual_of(file), bytes, length, at);
}

static int watched_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    sqlite3_int64 now = 0;
    usual_of(file)->pMethods->xFileSize(usual_of(file), &now);
    if (now > size)
        unsynced_note(file, size, (int)(now - size));
    return usual_of(file)->pMethods->xTruncate(usual_of(file), size);
}

static int watched_sync(sqlite3_file *file, int flags)
{
    int state = usual_of(file)->pMethods->xSync(usual_of(file), flags);
    if (state == SQLITE_OK)
        unsynced_forget(((struct unsynced_open *)file)->file);
    return state;
}

static int watched_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return usual_of(file)->pMethods->xFileSize(usual_of(file), size);
}

static int watched_lock(sqlite3_file *file, int level)
{
    return usual_of(file)->pMethods->xLock(usual_of(file), level);
}

static int watched_unlock(sqlite3_file *file, int level)
{
    return usual_of(file)->pMethods->xUnlock(usual_of(file), level);
}

static int watched_reserved(sqlite3_file *file, int *out)
{
    return usual_of(file)->pMethods->xCheckReservedLock(usual_of(file), out);
}

static int watched_control(sqlite3_file *file, int what, void *argument)
{
    return usual_of(file)->pMethods->xFileControl(usual_of(file), what, argument);
}

static int watched_sector(sqlite3_file *file)
{
    return usual_of(file)->pMethods->xSectorSize(usual_of(file));
}

static int watched_traits(sqlite3_file *file)
{
    (void)file;
    return 0; /* nothing is promised: no write is atomic or in order */
}

static int watched_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory)
{
    return usual_of(file)->pMethods->xShmMap(usual_of(file), page, size, extend, memory);
}

static int watched_shm_lock(sqlite3_file *file, int from, int count, int flags)
{
    return usual_of(file)->pMethods->xShmLock(usual_of(file), from, count, flags);
}

static void watched_barrier(sqlite3_file *file)
{
    usual_of(file)->pMethods->xShmBarrier(usual_of(file));
}

static int watched_unmap(sqlite3_file *file, int remove)
{
    return usual_of(file)->pMethods->xShmUnmap(usual_of(file), remove);
}

static const sqlite3_io_methods watched_methods = {
    2,             watched_close,  watched_read,     watched_write,   watched_truncate, watched_sync, watched_size,
    watched_lock,  watched_unlock, watched_reserved, watched_control, watched_sector,   watched_traits, watched_map,
    watched_shm_lock, watched_barrier, watched_unmap, NULL, NULL};

static int watched_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
    struct unsynced_open *open = (struct unsynced_open *)file;
    (void)vfs;
    memset(open, 0, sizeof *open);
    int state = usual_vfs->xOpen(usual_vfs, name, usual_of(file), flags, out);
    if (state != SQLITE_OK)
        return state;
    open->base.pMethods = &watched_methods;
    for (int i = 0; name && i < UNSYNCED_FILES && !open->file; i++)
        if (!unsynced_files[i].name[0] || strcmp(unsynced_files[i].name, name) == 0)
            open->file = &unsynced_files[i];
    if (open->file)
        snprintf(open->file->name, sizeof open->file->name, "%s", name);
    return state;
}

/* Puts the watching file system in front; false if SQLite does not let it. */
static inline bool unsynced_watch(void)
{
    usual_vfs = sqlite3_vfs_find(NULL);
    if (!usual_vfs)
        return false;
    unsynced_vfs = *usual_vfs;
    unsynced_vfs.zName = "unsynced";
    unsynced_vfs.szOsFile = (int)sizeof(struct unsynced_open) + usual_vfs->szOsFile;
    unsynced_vfs.xOpen = watched_open;
    return sqlite3_vfs_register(&unsynced_vfs, 1) == SQLITE_OK;
}

/* Takes back what a note says, whole or in sectors. */
static inline void unsynced_restore(int file, const struct unsynced_note *note, struct rng *random, bool all)
{
    for (int at = 0; at < note->length; at += UNSYNCED_SECTOR) {
        int length = note->length - at < UNSYNCED_SECTOR ? note->length - at : UNSYNCED_SECTOR;
        if ((all || rng_below(random, 2)) && pwrite(file, note->bytes + at, (size_t)length, note->at + at) != length)
            abort();
    }
    if ((all || rng_below(random, 2)) && ftruncate(file, note->size) != 0)
        abort();
}

/* Cuts the power. */
static inline void unsynced_cut(struct rng *random)
{
    bool all = rng_below(random, 4) == 0;
    char index[520];
    for (int i = 0; i < UNSYNCED_FILES && unsynced_files[i].name[0]; i++) {
        int file = open(unsynced_files[i].name, O_RDWR);
        for (struct unsynced_note *note = unsynced_files[i].last; file >= 0 && note; note = note->before)
            unsynced_restore(file, note, random, all);
        snprintf(index, sizeof index, "%.511s-shm", unsynced_files[i].name);
        unlink(index);
    }
    _exit(UNSYNCED_STATUS);
}

#endif
