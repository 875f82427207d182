/* A set of digests: see digest_set.h. */
#include "core/digest_set.h"

#include <string.h>

bool digest_set_add(struct digest_set *set, uint64_t digest, struct vouch_error *err)
{
    if (!RESERVE(set->digest, set->capacity, set->count + 1, err))
        return false;
    set->digest[set->count++] = digest;
    return true;
}

bool digest_set_add_all(struct digest_set *set, const struct digest_set *other, struct vouch_error *err)
{
    if (!RESERVE(set->digest, set->capacity, set->count + other->count, err))
        return false;
    if (other->count)
        memcpy(set->digest + set->count, other->digest, sizeof *set->digest * other->count);
    set->count += other->count;
    return true;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void digest_set_close(struct digest_set *set)
{
    size_t kept = 0;
    if (set->count)
        qsort(set->digest, set->count, sizeof *set->digest, by_value);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->digest[i] != set->digest[kept - 1])
            set->digest[kept++] = set->digest[i];
    set->count = kept;
}

bool digest_set_has(const struct digest_set *set, uint64_t digest)
{
    size_t from = 0, to = set->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (set->digest[middle] == digest)
            return true;
        if (set->digest[middle] < digest)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

void digest_set_release(struct digest_set *set)
{
    free(set->digest);
    *set = (struct digest_set){0};
}
