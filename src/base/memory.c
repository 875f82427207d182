/* Growing arrays: see memory.h. */
#include "base/memory.h"

#include <stdint.h>

bool reserve(void **array, size_t *capacity, size_t need, size_t size, struct vouch_error *err)
{
    if (need <= *capacity)
        return true;
    size_t room = *capacity ? *capacity : 16;
    while (room < need)
        room = room > SIZE_MAX / 2 ? need : room * 2;
    if (room > SIZE_MAX / size)
        return fail_memory(err);
    void *grown = realloc(*array, room * size);
    if (!grown)
        return fail_memory(err);
    *array = grown;
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
