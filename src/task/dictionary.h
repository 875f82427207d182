/*
 * A dictionary maps strings to numbers from 1, and back; 0 is "not there". A feature index does so for features.
 *
 * Both use open addressing with linear probing over 8-byte slots (32 bits of the hash and the number); of a dictionary
 * the string itself is compared on a match. The layout is a function of the sequence of strings alone, so a file needs
 * only these: to enter them again costs about what reading the table would. One that was read from a file is laid out
 * at once, and does not grow.
 */
#ifndef VOUCH_TASK_DICTIONARY_H
#define VOUCH_TASK_DICTIONARY_H

#include "base/memory.h"
#include "base/text.h"

struct slot {
    uint32_t tag; /* high half of the hash */
    uint32_t id;  /* 0: free */
};

/* The table that the dictionary and the feature index share. */
struct hash_table {
    struct slot *slot; /* [mask + 1] */
    uint64_t mask;
    uint32_t count; /* ids are 1 .. count */
    uint64_t *hash; /* [count + 1] of each id if the table can grow; NULL if it was laid out at once */
    size_t slot_capacity, hash_capacity;
};

struct dictionary {
    struct hash_table table;
    uint32_t *start; /* [count + 2] id's bytes are start[id] .. start[id + 1] */
    char *bytes;
    uint64_t size; /* bytes */
    size_t start_capacity, bytes_capacity;
};

/* Returns the number of slots for `count` ids: a power of two, at most two thirds full. */
uint64_t hash_table_slots(uint32_t count);

/* Adds the next id under `hash`; returns it, or 0 with the error set. */
uint32_t hash_table_add(struct hash_table *table, uint64_t hash, struct vouch_error *err);

/*
 * Lays a table out that will not grow: makes room for `count` ids, then enters them one by one, in order. That gives
 * the same slots as adding them.
 */
bool hash_table_prepare(struct hash_table *table, uint32_t count, struct vouch_error *err);
void hash_table_enter(struct hash_table *table, uint32_t id, uint64_t hash);

/* Prefetches the memory that looking up `hash` will read. */
static inline void hash_table_prefetch(const struct hash_table *table, uint64_t hash)
{
    if (table->slot)
        __builtin_prefetch(&table->slot[hash & table->mask]);
}

uint32_t dictionary_find(const struct dictionary *dictionary, struct text text);

/* The same if the hash of the text is known; hash_table_prefetch() ahead of it lets memory arrive in time. */
uint32_t dictionary_find_hashed(const struct dictionary *dictionary, struct text text, uint64_t hash);

uint32_t dictionary_add(struct dictionary *dictionary, struct text text, struct vouch_error *err); /* or finds */
struct text dictionary_text(const struct dictionary *dictionary, uint32_t id); /* empty if out of range */

/* Makes a copy that can grow, with the same numbers, of any dictionary. Fails if two strings are the same. */
bool dictionary_copy(struct dictionary *copy, const struct dictionary *dictionary, struct vouch_error *err);
void dictionary_release(struct dictionary *dictionary);

#define NO_FEATURE UINT32_MAX

/*
 * A feature index maps (rule, values) to feature numbers.
 *
 * A feature is a rule of the template and the numbers of the strings it saw. Its key is hashed from those numbers: no
 * string is made. A slot keeps 32 bits of the key, and its place limits the rest: a new feature passes four others on
 * average if the table is two thirds full, fewer before (Knuth 1998, 6.4), and is taken for each with probability
 * 2^-32. So two of F features are taken for one with probability F / 2^30 at most, which for ten million features is
 * below one in a hundred; in return a look-up costs one cache line. The record of each feature tells what it stands
 * for. Its key is made again from that when a model is opened, trimmed or learned on from, and `vouch dump` shows it.
 */
struct feature_index {
    struct hash_table table; /* id = feature + 1 */
    uint32_t *record;        /* for each feature: the rule, then its values */
    uint64_t *record_start;  /* [count + 1] */
    uint64_t records;        /* numbers in `record` */
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

/* Finds or adds the feature under `key`; `record` is kept for a new one. NO_FEATURE on failure. */
uint32_t feature_index_add(struct feature_index *index, uint64_t key, const uint32_t *record, uint32_t length,
                           struct vouch_error *err);

void feature_index_release(struct feature_index *index);

#endif
