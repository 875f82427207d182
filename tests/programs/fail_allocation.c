/*
 * A library to preload: the allocation of number FAIL_ALLOCATION, counted from 1, fails, whatever code makes it. The
 * number of allocations is written to the file named by the environment variable COUNT_ALLOCATIONS, if it is set, when
 * the program ends.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own functions, under names that stay when the usual ones are replaced. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t boundary, size_t size);

#define VISIBLE __attribute__((visibility("default")))

static atomic_long counted, failing;

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    failing = number ? atol(number) : 0;
    counted = 0;
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("COUNT_ALLOCATIONS");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0)
        return;
    dprintf(file, "%ld\n", (long)counted);
    close(file);
}

static bool refused(void)
{
    if (atomic_fetch_add(&counted, 1) + 1 != failing)
        return false;
    errno = ENOMEM;
    return true;
}

VISIBLE void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

VISIBLE void *realloc(void *block, size_t size)
{
    return refused() ? NULL : __libc_realloc(block, size);
}

VISIBLE int posix_memalign(void **block, size_t boundary, size_t size)
{
    void *fresh = refused() ? NULL : __libc_memalign(boundary, size);
    if (!fresh)
        return ENOMEM;
    *block = fresh;
    return 0;
}
