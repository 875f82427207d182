/*
 * A feature index maps (rule, values) to feature numbers.
 *
 * A feature is a rule of the template and the numbers of the strings it saw.
 * Its key is hashed from those numbers: no string is made. A slot keeps 32 bits
 * of the key, and its place limits the rest: a new feature passes four others
 * on average if the table is two thirds full, fewer before (Knuth 1998, 6.4),
 * and is taken for each with probability 2^-32. So two of F features are taken
 * for one with probability F / 2^30 at most, which for ten million features is
 * below one in a hundred; in return a look-up costs one cache line. The record
 * of each feature tells what it stands for. Its key is made again from that when
 * a model is opened, trimmed or learned on from, and `vouch dump` shows it.
 */
#ifndef VOUCH_TASK_FEATURE_INDEX_H
#define VOUCH_TASK_FEATURE_INDEX_H

#include "task/dictionary.h"

#define NO_FEATURE UINT32_MAX

struct feature_index {
    struct hash_table table;      /* id = feature + 1 */
    const uint32_t *record;       /* for each feature: the rule, then its values */
    const uint64_t *record_start; /* [count + 1] */
    uint64_t records;             /* numbers in `record` */
    uint32_t *own_record;         /* the same two arrays */
    uint64_t *own_record_start;
    size_t record_capacity, record_start_capacity;
};

static inline uint32_t feature_index_count(const struct feature_index *index)
{
    return index->table.count;
}

/* Returns the feature under `key`, or NO_FEATURE. */
static inline uint32_t feature_index_find(const struct feature_index *index, uint64_t key)
{
    const struct hash_table *table = &index->table;
    if (!table->slot)
        return NO_FEATURE;
    uint32_t tag = (uint32_t)(key >> 32);
    uint64_t i = key & table->mask;
    for (uint64_t probes = 0; probes <= table->mask; probes++, i = (i + 1) & table->mask) {
        struct slot slot = table->slot[i];
        if (!slot.id)
            return NO_FEATURE;
        if (slot.tag == tag)
            return slot.id <= table->count ? slot.id - 1 : NO_FEATURE;
    }
    return NO_FEATURE;
}

/* Asks for the memory that looking up `key` will read. */
static inline void feature_index_prefetch(const struct feature_index *index, uint64_t key)
{
    hash_table_prefetch(&index->table, key);
}

/* Finds or adds the feature under `key`; `record` is kept for a new one. NO_FEATURE on failure. */
uint32_t feature_index_add(struct feature_index *index, uint64_t key, const uint32_t *record, uint32_t length,
                           struct vouch_error *err);

void feature_index_release(struct feature_index *index);

#endif
