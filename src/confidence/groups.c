/* Splits rows by groups: see groups.h. */
#include "confidence/groups.h"

#include "base/memory.h"
#include "base/random.h"

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Returns the place of `wanted`, which is there, among ascending numbers. */
static size_t place_of(uint32_t wanted, const uint32_t *numbers, size_t count)
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

static size_t distinct(uint32_t *numbers, size_t n)
{
    size_t kept = 0;
    qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    return kept;
}

bool split_groups(const uint32_t *group, size_t n, uint32_t parts, uint64_t seed, uint32_t *part,
                  struct vouch_error *err)
{
    if (n > UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "%zu rows: at most %u can be split", n, UINT32_MAX);
    uint32_t *numbers = new_array(n, sizeof *numbers, err), *turn = new_array(n, sizeof *turn, err);
    bool ok = numbers && turn;
    if (ok) {
        for (size_t i = 0; i < n; i++)
            numbers[i] = group ? group[i] : (uint32_t)i;
        size_t groups = distinct(numbers, n);
        for (size_t g = 0; g < groups; g++)
            turn[g] = (uint32_t)(g % parts);
        struct rng rng = rng_new(seed, 0);
        rng_shuffle(&rng, turn, groups);
        for (size_t i = 0; i < n; i++)
            part[i] = turn[group ? place_of(group[i], numbers, groups) : i];
    }
    free(numbers);
    free(turn);
    return ok;
}
