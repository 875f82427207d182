/*
 * Sums and collections over ranks, made of the three functions of struct ranks. To collect bytes, the ranks first
 * exchange their sizes, as a sum of arrays in which each has filled in its own entry. The results of a loop are
 * collected in the same way, and then put into the order of the jobs.
 */
#include "base/ranks.h"

#include "base/memory.h"

#include <string.h>

bool ranks_sum(const struct ranks *ranks, int64_t *number, size_t count, struct vouch_error *err)
{
    return !ranks || ranks->sum(ranks->self, number, count, err);
}

bool ranks_unite(const struct ranks *ranks, uint64_t *bits, size_t count, struct vouch_error *err)
{
    return !ranks || ranks->unite(ranks->self, bits, count, err);
}

bool ranks_gather(const struct ranks *ranks, const void *own, size_t size, uint32_t to, struct gathered *gathered,
                  struct vouch_error *err)
{
    uint32_t count = ranks_count(ranks);
    *gathered = (struct gathered){.count = count, .start = new_array((size_t)count + 1, sizeof(uint64_t), err)};
    uint64_t *each = new_array(count, sizeof *each, err);
    bool ok = gathered->start && each, gets = ok && (!ranks || to == FOR_ALL || to == ranks->rank);
    if (ok) {
        each[ranks_own(ranks)] = size;
        ok = ranks_sum(ranks, (int64_t *)each, count, err);
    }
    for (uint32_t r = 0; ok && r < count; r++)
        gathered->start[r + 1] = gathered->start[r] + (gets ? each[r] : 0);
    ok = ok && (gathered->bytes = new_block(gathered->start[count] + 1, err)) != NULL;
    if (ok && ranks)
        ok = ranks->gather(ranks->self, own, each, to, gathered->bytes, err);
    else if (ok && size)
        memcpy(gathered->bytes, own, size);
    free(each);
    return ok;
}

void gathered_release(struct gathered *gathered)
{
    free(gathered->bytes);
    free(gathered->start);
    *gathered = (struct gathered){0};
}

bool ranks_exchange(const struct ranks *ranks, void *result, uint32_t jobs, size_t size, struct vouch_error *err)
{
    struct gathered all = {0};
    char *at = result, *own = ranks ? new_block((jobs / ranks_count(ranks) + 1) * size + 1, err) : NULL;
    size_t count = 0;
    if (!own)
        return !ranks;
    for (uint32_t job = ranks->rank; job < jobs; job += ranks->count)
        memcpy(own + count++ * size, at + job * size, size);
    bool ok = ranks_gather(ranks, own, count * size, FOR_ALL, &all, err);
    for (uint32_t job = 0; ok && job < jobs; job++)
        memcpy(at + job * size, all.bytes + all.start[job % all.count] + job / all.count * size, size);
    gathered_release(&all);
    free(own);
    return ok;
}
