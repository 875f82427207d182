/* Sorts judged words into levels: see judged.h. */
#include "measure/judged.h"

#include "base/memory.h"
#include "base/order.h"

#include <math.h>

/* Makes a level of all words of one confidence. */
static void join_equal(struct levels *levels, const struct keyed *word, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || word[i - 1].key < word[i].key)
            levels->level[levels->levels++] = (struct level){.confidence = order_number(word[i].key)};
        levels->level[levels->levels - 1].wrong += !word[i].value;
        levels->level[levels->levels - 1].right += word[i].value;
    }
}

bool levels_init(struct levels *levels, const struct judged *word, size_t n, struct vouch_error *err)
{
    *levels = (struct levels){0};
    for (size_t i = 0; i < n; i++)
        if (isnan(word[i].confidence))
            return fail(err, VOUCH_ERR_ARGUMENT, "the confidence of word %zu is not a number", i + 1);
    levels->level = new_array(n, sizeof *levels->level, err);
    struct keyed *sorted = levels->level ? new_array(n, sizeof *sorted, err) : NULL;
    for (size_t i = 0; sorted && i < n; i++) {
        sorted[i] = (struct keyed){order_key(word[i].confidence), word[i].right};
        levels->wrong += !word[i].right;
        levels->right += word[i].right;
    }
    bool ok = sorted && sort_keyed(sorted, n, err);
    if (ok)
        join_equal(levels, sorted, n);
    else
        levels_release(levels);
    free(sorted);
    return ok;
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
