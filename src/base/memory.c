/*
 * Arrays and arenas over malloc().
 *
 * For large arrays the system is asked for large pages (madvise): weights and tables are read at random places, and
 * each page takes an entry of the processor's address cache. An arena cuts its arrays from blocks, each twice as large
 * as the one before.
 */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20, CACHE_LINE = 64 };

/* Returns the capacity to grow to. */
static size_t doubled(size_t capacity, size_t need)
{
    size_t room = capacity ? capacity : 16;
    while (room < need)
        room = room > SIZE_MAX / 2 ? need : room * 2;
    return room;
}

bool reserve(void **array, size_t *capacity, size_t need, size_t size, struct vouch_error *err)
{
    size_t room = doubled(*capacity, need);
    void *grown = room > SIZE_MAX / size ? NULL : realloc(*array, room * size);
    if (!grown)
        return fail_memory(err);
    *array = grown;
    *capacity = room;
    return true;
}

bool reserve_aligned(void **array, size_t *capacity, size_t need, size_t size, struct vouch_error *err)
{
    size_t room = doubled(*capacity, need);
    void *fresh;
    if (room > SIZE_MAX / size || posix_memalign(&fresh, CACHE_LINE, room * size) != 0)
        return fail_memory(err);
    free(*array);
    *array = fresh;
    *capacity = room;
    return true;
}

void *new_array(size_t count, size_t size, struct vouch_error *err)
{
    void *array = calloc(count ? count : 1, size);
    if (!array)
        fail_memory(err);
    return array;
}

char *new_string(const char *bytes, size_t length, struct vouch_error *err)
{
    char *string = new_array(length + 1, 1, err);
    if (string)
        memcpy(string, bytes, length);
    return string;
}

void *new_block(size_t size, struct vouch_error *err)
{
    bool large = size >= LARGE_PAGE;
    void *block;
    if (posix_memalign(&block, large ? LARGE_PAGE : CACHE_LINE, size ? size : 1) != 0) {
        fail_memory(err);
        return NULL;
    }
    if (large)
        madvise(block, size, MADV_HUGEPAGE); /* a hint: without it access is only slower */
    return block;
}

void *new_large_array(size_t count, size_t size, struct vouch_error *err)
{
    if (size == 0 || count > (SIZE_MAX - LARGE_PAGE) / size || count * size < LARGE_PAGE)
        return new_array(count, size, err);
    void *array = new_block(count * size, err);
    if (array)
        memset(array, 0, count * size);
    return array;
}

struct arena_block {
    struct arena_block *next;
    size_t size;
    _Alignas(max_align_t) char bytes[];
};

void *arena_array(struct arena *arena, size_t count, size_t size, struct vouch_error *err)
{
    enum { LEAST = 1 << 10, APART = _Alignof(max_align_t) };
    if (count > (SIZE_MAX - sizeof(struct arena_block) - LEAST) / size) {
        fail_memory(err);
        return NULL;
    }
    size_t need = (count * size + APART) / APART * APART; /* never nothing */
    if (!arena->block || arena->block->size - arena->used < need) {
        size_t room = arena->wanted > need ? arena->wanted : need + LEAST;
        struct arena_block *block = malloc(sizeof *block + room);
        if (!block) {
            fail_memory(err);
            return NULL;
        }
        block->next = arena->block;
        block->size = room;
        arena->block = block;
        arena->wanted = 2 * room;
        arena->used = 0;
    }
    arena->used += need;
    return arena->block->bytes + arena->used - need;
}

char *arena_string(struct arena *arena, const char *bytes, size_t length, struct vouch_error *err)
{
    char *string = arena_array(arena, length + 1, 1, err);
    if (!string)
        return NULL;
    if (length > 0)
        memcpy(string, bytes, length);
    string[length] = '\0';
    return string;
}

void arena_reset(struct arena *arena)
{
    size_t all = 0;
    arena->used = 0;
    if (!arena->block || !arena->block->next)
        return;
    for (const struct arena_block *block = arena->block; block; block = block->next)
        all += block->size;
    arena_release(arena);
    arena->wanted = all;
}

void arena_release(struct arena *arena)
{
    while (arena->block) {
        struct arena_block *block = arena->block;
        arena->block = block->next;
        free(block);
    }
    *arena = (struct arena){0};
}
