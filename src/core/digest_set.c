/* Implements sets of digests: see digest_set.h. */
#include "core/digest_set.h"

#include "base/order.h"

#include <string.h>

bool digest_set_add(struct digest_set *set, uint64_t digest, struct vouch_error *err)
{
    return digest_set_add_all(set, &(struct digest_set){.digest = &digest, .count = 1}, err);
}

bool digest_set_add_all(struct digest_set *set, const struct digest_set *other, struct vouch_error *err)
{
    if (!RESERVE(set->own, set->capacity, set->count + other->count, err))
        return false;
    set->digest = set->own;
    if (other->count)
        memcpy(set->own + set->count, other->digest, sizeof *set->own * other->count);
    set->count += other->count;
    return true;
}

void digest_set_close(struct digest_set *set)
{
    size_t kept = 0;
    if (set->count)
        qsort(set->own, set->count, sizeof *set->own, ascending_u64);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->own[i] != set->own[kept - 1])
            set->own[kept++] = set->own[i];
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
    free(set->own);
    *set = (struct digest_set){0};
}
