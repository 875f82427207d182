/*
 * Makes a temporary folder for a test's files, and reads and writes whole
 * files. Use as TEST_IN_FOLDER(name), or with FILE_FIXTURE(folder_make,
 * folder_remove) for one that the tests of a file share.
 */
#ifndef VOUCH_TESTS_FOLDER_H
#define VOUCH_TESTS_FOLDER_H

#include "test.h"

#include <dirent.h>
#include <limits.h>
#include <unistd.h>

/* A test with a folder of its own. */
#define TEST_IN_FOLDER(name) TEST_WITH(name, folder_make, folder_remove)

static char folder_path[256];

FIXTURE(folder_make)
{
    const char *above = getenv("TMPDIR");
    snprintf(folder_path, sizeof folder_path, "%s/vouch-test-XXXXXX", above && *above ? above : "/tmp");
    return mkdtemp(folder_path) ? 0 : -1;
}

/* Counts the files in the folder. */
static inline int folder_count(void)
{
    DIR *folder = opendir(folder_path);
    int count = -2;
    while (folder && readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static inline const char *folder_file(const char *name)
{
    static char paths[4][PATH_MAX];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%.400s/%.3000s", folder_path, name);
    return path;
}

FIXTURE(folder_remove)
{
    DIR *folder = opendir(folder_path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        remove(folder_file(entry->d_name));
    closedir(folder);
    return rmdir(folder_path);
}

/* Writes `length` bytes and returns the file's path. */
static inline const char *folder_put_bytes(const char *name, const void *bytes, size_t length)
{
    const char *path = folder_file(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        abort();
    return path;
}

static inline const char *folder_put(const char *name, const char *text)
{
    return folder_put_bytes(name, text, strlen(text));
}

/* Returns the bytes of the file and their number, terminated; free() them. NULL if it is not there. */
static inline unsigned char *folder_get_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t room = 1 << 16;
    unsigned char *bytes = malloc(room);
    *length = 0;
    for (size_t got; bytes && (got = fread(bytes + *length, 1, room - *length - 1, file)) > 0;) {
        *length += got;
        if (room - *length < 2)
            bytes = realloc(bytes, room *= 2);
    }
    fclose(file);
    if (!bytes)
        abort();
    bytes[*length] = '\0';
    return bytes;
}

/* The same of a text. */
static inline char *folder_get(const char *path)
{
    size_t length = 0;
    return (char *)folder_get_bytes(path, &length);
}

#endif
