/*
 * A dictionary maps strings to numbers from 1, and back; 0 is "not there".
 *
 * It uses open addressing with linear probing over 8-byte slots (32 bits of the
 * hash and the number); the string itself is compared on a match. The layout is
 * a function of the sequence of strings alone, so a file needs only these. A
 * dictionary that was read from a file is laid out at once, and does not grow.
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
    const struct slot *slot; /* [mask + 1] */
    uint64_t mask;
    uint32_t count;        /* ids are 1 .. count */
    struct slot *own_slot; /* the same as `slot` */
    uint64_t *hash;        /* [count + 1] of each id if the table can grow; NULL if it was laid out at once */
    size_t slot_capacity, hash_capacity;
};

struct dictionary {
    struct hash_table table;
    const uint32_t *start; /* [count + 2] id's bytes are start[id] .. start[id + 1] */
    const char *bytes;
    uint64_t size;       /* bytes */
    uint32_t *own_start; /* the same two arrays */
    char *own_bytes;
    size_t start_capacity, bytes_capacity;
};

/* Returns the number of slots for `count` ids: a power of two, at most two thirds full. */
uint64_t hash_table_slots(uint32_t count);

/* Adds the next id under `hash`; returns it, or 0 with the error set. */
uint32_t hash_table_add(struct hash_table *table, uint64_t hash, struct vouch_error *err);
void hash_table_release(struct hash_table *table);

/*
 * Lays a table out that will not grow: makes room for `count` ids, then enters them one by one, in order. That gives
 * the same slots as adding them.
 */
bool hash_table_prepare(struct hash_table *table, uint32_t count, struct vouch_error *err);
void hash_table_enter(struct hash_table *table, uint32_t id, uint64_t hash);

/* Asks for the memory that looking up `hash` will read. */
static inline void hash_table_prefetch(const struct hash_table *table, uint64_t hash)
{
    if (table->slot)
        __builtin_prefetch(&table->slot[hash & table->mask]);
}

uint32_t dictionary_find(const struct dictionary *dictionary, struct text text);

/* The same if the hash of the text is known, and to be called ahead of it, so that memory arrives in time. */
uint32_t dictionary_find_hashed(const struct dictionary *dictionary, struct text text, uint64_t hash);
static inline void dictionary_prefetch(const struct dictionary *dictionary, uint64_t hash)
{
    hash_table_prefetch(&dictionary->table, hash);
}

uint32_t dictionary_add(struct dictionary *dictionary, struct text text, struct vouch_error *err); /* or finds */
struct text dictionary_text(const struct dictionary *dictionary, uint32_t id); /* empty if out of range */

/* Makes a copy that can grow, with the same numbers, of any dictionary. Fails if two strings are the same. */
bool dictionary_copy(struct dictionary *copy, const struct dictionary *dictionary, struct vouch_error *err);
void dictionary_release(struct dictionary *dictionary);

#endif
