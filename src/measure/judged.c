/* Sorts judged words into levels: see judged.h. Each word is a level at first; equal ones are then joined. */
#include "measure/judged.h"

#include "base/memory.h"

#include <math.h>

static int by_confidence(const void *a, const void *b)
{
    double x = ((const struct level *)a)->confidence, y = ((const struct level *)b)->confidence;
    return (x > y) - (x < y);
}

static void join_equal(struct levels *levels, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct level word = levels->level[i];
        if (levels->levels == 0 || levels->level[levels->levels - 1].confidence < word.confidence)
            levels->level[levels->levels++] = (struct level){.confidence = word.confidence};
        levels->level[levels->levels - 1].wrong += word.wrong;
        levels->level[levels->levels - 1].right += word.right;
    }
}

bool levels_init(struct levels *levels, const struct judged *word, size_t n, struct vouch_error *err)
{
    *levels = (struct levels){0};
    for (size_t i = 0; i < n; i++)
        if (isnan(word[i].confidence))
            return fail(err, VOUCH_ERR_ARGUMENT, "the confidence of word %zu is not a number", i + 1);
    levels->level = new_array(n, sizeof *levels->level, err);
    if (!levels->level)
        return false;
    for (size_t i = 0; i < n; i++) {
        levels->level[i] = (struct level){word[i].confidence, !word[i].right, word[i].right};
        levels->wrong += !word[i].right;
        levels->right += word[i].right;
    }
    qsort(levels->level, n, sizeof *levels->level, by_confidence);
    join_equal(levels, n);
    return true;
}

void levels_release(struct levels *levels)
{
    free(levels->level);
    *levels = (struct levels){0};
}

size_t level_of(const struct levels *levels, double confidence)
{
    size_t low = 0, high = levels->levels - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (levels->level[middle].confidence < confidence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
