/* Splits rows by groups: see groups.h. */
#include "fit/groups.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"

/* Returns the place of `wanted`, which is there, among ascending numbers. */
static size_t place_of(uint32_t wanted, const uint64_t *numbers, size_t count)
{
    size_t low = 0;
    while (count > 1) {
        size_t half = count / 2;
        if (numbers[low + half] <= wanted)
            low += half;
        count -= half;
    }
    return low;
}

/* Lists the groups, ascending, each once. */
static bool distinct(const uint32_t *group, size_t n, uint64_t *numbers, size_t *groups, struct vouch_error *err)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || group[i] != group[i - 1])
            numbers[count++] = group[i];
    if (!sort_keys(numbers, count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    *groups = kept;
    return true;
}

bool split_groups(const uint32_t *group, size_t n, uint32_t parts, uint64_t seed, uint32_t *part,
                  struct vouch_error *err)
{
    if (n > UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "%zu rows: at most %u can be split", n, UINT32_MAX);
    uint64_t *numbers = new_array(n, sizeof *numbers, err);
    uint32_t *turn = new_array(n, sizeof *turn, err);
    size_t groups = n;
    bool ok = numbers && turn && (!group || distinct(group, n, numbers, &groups, err));
    if (ok) {
        for (size_t g = 0; g < groups; g++)
            turn[g] = (uint32_t)(g % parts);
        struct rng rng = rng_new(seed, 0);
        rng_shuffle(&rng, turn, groups);
        for (size_t i = 0; i < n; i++)
            part[i] = !group                              ? turn[i]
                      : i > 0 && group[i] == group[i - 1] ? part[i - 1]
                                                          : turn[place_of(group[i], numbers, groups)];
    }
    free(numbers);
    free(turn);
    return ok;
}
