/*
 * Deals rows out to parts so that the rows of a group (the words of a sentence)
 * stay together.
 */
#ifndef VOUCH_FIT_GROUPS_H
#define VOUCH_FIT_GROUPS_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Sets part[i] in 0 .. parts-1 for n rows: the groups are shuffled and dealt
 * out in turn, so that parts differ by one group at most; with fewer groups
 * than parts the last parts are empty. `group` NULL: every row is a group. A
 * pure function of its arguments. O(n log n).
 */
bool split_groups(const uint32_t *group, size_t n, uint32_t parts, uint64_t seed, uint32_t *part,
                  struct vouch_error *err);

#endif
