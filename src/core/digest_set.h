/*
 * A set of digests is collected in any order, then sorted, and searched by
 * halving.
 */
#ifndef VOUCH_CORE_DIGEST_SET_H
#define VOUCH_CORE_DIGEST_SET_H

#include "base/memory.h"

#include <stdint.h>

struct digest_set {
    const uint64_t *digest; /* [count]; once closed ascending, and none twice */
    size_t count, capacity;
    uint64_t *own; /* the same array if digests can be added; NULL for a view */
};

bool digest_set_add(struct digest_set *set, uint64_t digest, struct vouch_error *err);
bool digest_set_add_all(struct digest_set *set, const struct digest_set *other, struct vouch_error *err);

/* Sorts the digests that were added. Time: n log n. */
void digest_set_close(struct digest_set *set);

/*
 * Whether a closed set holds `digest`. Time: log n. If the set is not sorted, the answer may be wrong, but memory stays
 * safe.
 */
bool digest_set_has(const struct digest_set *set, uint64_t digest);

void digest_set_release(struct digest_set *set);

#endif
