/*
 * Sorts by the bytes of a key, the lowest byte first: see order.h. One pass counts all bytes of all keys; then each
 * byte in which keys differ costs a pass that moves the items, which keeps the order of the bytes below it
 * (Knuth 5.2.5).
 */
#include "base/order.h"

#include "base/memory.h"

enum { BYTES = 8, VALUES = 256 };

/* Items of `words` words each, the first of which is the key. Compiled for each number of words. */
static inline uint64_t *sort_items(uint64_t *item, uint64_t *room, size_t n, size_t words)
{
    size_t count[BYTES][VALUES] = {{0}};
    for (size_t i = 0; i < n; i++)
        for (uint32_t b = 0; b < BYTES; b++)
            count[b][item[i * words] >> 8 * b & 0xff]++;
    for (uint32_t b = 0; b < BYTES; b++) {
        if (count[b][item[0] >> 8 * b & 0xff] == n)
            continue;
        size_t before = 0;
        for (uint32_t v = 0; v < VALUES; v++) {
            size_t here = count[b][v];
            count[b][v] = before;
            before += here;
        }
        for (size_t i = 0; i < n; i++) {
            const uint64_t *from = item + i * words;
            uint64_t *to = room + count[b][from[0] >> 8 * b & 0xff]++ * words;
            for (size_t w = 0; w < words; w++)
                to[w] = from[w];
        }
        uint64_t *sorted = room;
        room = item;
        item = sorted;
    }
    return item;
}

static bool sort_with_room(uint64_t *item, size_t n, size_t words, struct vouch_error *err)
{
    if (n < 2)
        return true;
    uint64_t *room = new_array(n * words, sizeof *room, err);
    if (!room)
        return false;
    const uint64_t *sorted = words == 1 ? sort_items(item, room, n, 1) : sort_items(item, room, n, 2);
    if (sorted != item)
        memcpy(item, sorted, sizeof *item * n * words);
    free(room);
    return true;
}

bool sort_keyed(struct keyed *item, size_t n, struct vouch_error *err)
{
    return sort_with_room(&item->key, n, 2, err);
}

bool sort_keys(uint64_t *key, size_t n, struct vouch_error *err)
{
    return sort_with_room(key, n, 1, err);
}
