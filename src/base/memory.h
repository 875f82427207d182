/*
 * All memory of the library is allocated here: as arrays that grow, as arrays of a fixed size, or as an arena.
 *
 * An array that grows is a pointer and a capacity in elements, both zero at first. RESERVE makes room for at least
 * `need` elements, doubling so that appending is linear in total; sizes are checked for overflow; on failure the old
 * array stays as it was and the error is set. free() releases.
 *
 * No array is NULL, not even one of no elements: C does not allow copying nothing from NULL, nor adding 0 to it.
 */
#ifndef VOUCH_BASE_MEMORY_H
#define VOUCH_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

/* Returns a zeroed array of `count` elements, or NULL with the error set. Never NULL for count 0. */
void *new_array(size_t count, size_t size, struct vouch_error *err);

/* Returns a terminated copy of `length` bytes, or NULL with the error set. */
char *new_string(const char *bytes, size_t length, struct vouch_error *err);

/*
 * Returns bytes that are not zeroed, for callers that fill them at once; at a multiple of 64, on large pages if there
 * are many. free() releases.
 */
void *new_block(size_t size, struct vouch_error *err);

/*
 * Does what new_array() does for large arrays that are read at random: on large pages where the system has them, which
 * saves address translation. free() releases.
 */
void *new_large_array(size_t count, size_t size, struct vouch_error *err);

/*
 * An arena allocates arrays that are all released at once, such as those of the answer to one sentence. arena_reset()
 * releases the arrays and keeps the memory, as one block of the size that was needed. Zero it before first use.
 */
struct arena {
    struct arena_block *block; /* the newest, in front of the others */
    size_t used, wanted;       /* bytes of the newest; the size of the next */
};
void *arena_array(struct arena *arena, size_t count, size_t size, struct vouch_error *err); /* not zeroed */
char *arena_string(struct arena *arena, const char *bytes, size_t length, struct vouch_error *err); /* terminated */
void arena_reset(struct arena *arena);
void arena_release(struct arena *arena);

/* Sets `array` to a new array of `count` elements of its type; false, with the error set, without memory. */
#define ARENA_ARRAY(array, count, arena, err)                                                                          \
    (((array) = arena_array((arena), (count), sizeof *(array), (err))) != NULL)

/* Return a product and a sum of sizes; SIZE_MAX, which cannot be allocated, if that is too large. */
static inline size_t size_times(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

static inline size_t size_plus(size_t a, size_t b)
{
    size_t sum;
    return __builtin_add_overflow(a, b, &sum) ? SIZE_MAX : sum;
}

/* Makes room for `need` elements. */
#define RESERVE(array, capacity, need, err)                                                                            \
    (((array) && (need) <= (capacity)) || reserve((void **)&(array), &(capacity), (need), sizeof *(array), (err)))
bool reserve(void **array, size_t *capacity, size_t need, size_t size, struct vouch_error *err);

/* Does the same on a boundary of 64 bytes; the old content is lost if it grows. */
bool reserve_aligned(void **array, size_t *capacity, size_t need, size_t size, struct vouch_error *err);
#define RESERVE_ALIGNED(array, capacity, need, err)                                                                    \
    (((array) && (need) <= (capacity)) ||                                                                              \
     reserve_aligned((void **)&(array), &(capacity), (need), sizeof *(array), (err)))

#endif
