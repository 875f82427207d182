/*
 * Dictionaries, the feature index and the hash table that both use.
 *
 * A table that is full is laid out anew with all its numbers in order, so that the layout does not depend on how it
 * grew.
 */
#include "task/dictionary.h"

#include "base/hash.h"

uint64_t hash_table_slots(uint32_t count)
{
    uint64_t slots = 16;
    while (2 * slots < 3 * ((uint64_t)count + 1))
        slots *= 2;
    return slots;
}

void hash_table_enter(struct hash_table *table, uint32_t id, uint64_t hash)
{
    uint64_t i = hash & table->mask;
    while (table->slot[i].id)
        i = (i + 1) & table->mask;
    table->slot[i] = (struct slot){.tag = (uint32_t)(hash >> 32), .id = id};
}

/* Lays all ids out anew, in order, so that the layout does not depend on how the table grew. */
static bool rebuild(struct hash_table *table, uint64_t slots, struct vouch_error *err)
{
    if (!RESERVE(table->slot, table->slot_capacity, slots, err))
        return false;
    memset(table->slot, 0, sizeof *table->slot * slots);
    table->mask = slots - 1;
    for (uint32_t id = 1; id <= table->count; id++)
        hash_table_enter(table, id, table->hash[id]);
    return true;
}

uint32_t hash_table_add(struct hash_table *table, uint64_t hash, struct vouch_error *err)
{
    if (table->count >= UINT32_MAX - 2)
        return fail(err, VOUCH_ERR_ARGUMENT, "too many entries: more than 2^32");
    uint32_t id = table->count + 1;
    uint64_t slots = hash_table_slots(id);
    if (!RESERVE(table->hash, table->hash_capacity, (size_t)id + 1, err))
        return 0;
    if ((!table->slot || slots > table->mask + 1) && !rebuild(table, slots, err))
        return 0;
    table->hash[id] = hash;
    table->count = id;
    hash_table_enter(table, id, hash);
    return id;
}

bool hash_table_prepare(struct hash_table *table, uint32_t count, struct vouch_error *err)
{
    uint64_t slots = count ? hash_table_slots(count) : 0;
    *table = (struct hash_table){.count = count, .mask = slots ? slots - 1 : 0};
    if (slots)
        table->slot = new_large_array(slots, sizeof *table->slot, err);
    return !slots || table->slot;
}

static void hash_table_release(struct hash_table *table)
{
    free(table->slot);
    free(table->hash);
    *table = (struct hash_table){0};
}

struct text dictionary_text(const struct dictionary *dictionary, uint32_t id)
{
    if (id == 0 || id > dictionary->table.count)
        return (struct text){"", 0};
    uint32_t from = dictionary->start[id], to = dictionary->start[id + 1];
    if (from > to || to > dictionary->size)
        return (struct text){"", 0};
    return (struct text){dictionary->bytes + from, to - from};
}

uint32_t dictionary_find_hashed(const struct dictionary *dictionary, struct text text, uint64_t hash)
{
    const struct hash_table *table = &dictionary->table;
    if (!table->slot)
        return 0;
    uint32_t tag = (uint32_t)(hash >> 32);
    uint64_t i = hash & table->mask;
    for (uint64_t probes = 0; probes <= table->mask; probes++, i = (i + 1) & table->mask) {
        struct slot slot = table->slot[i];
        if (!slot.id)
            return 0;
        if (slot.tag == tag && slot.id <= table->count && text_equal(dictionary_text(dictionary, slot.id), text))
            return slot.id;
    }
    return 0;
}

uint32_t dictionary_find(const struct dictionary *dictionary, struct text text)
{
    return dictionary_find_hashed(dictionary, text, hash_bytes(text.at, text.length));
}

uint32_t dictionary_add(struct dictionary *dictionary, struct text text, struct vouch_error *err)
{
    uint64_t hash = hash_bytes(text.at, text.length);
    uint32_t id = dictionary_find_hashed(dictionary, text, hash);
    if (id)
        return id;
    if (dictionary->size + text.length > UINT32_MAX)
        return fail(err, VOUCH_ERR_ARGUMENT, "too many distinct words: more than 4 GiB of text");
    size_t count = dictionary->table.count;
    if (!RESERVE(dictionary->start, dictionary->start_capacity, count + 3, err) ||
        !RESERVE(dictionary->bytes, dictionary->bytes_capacity, dictionary->size + text.length + 1, err))
        return 0;
    id = hash_table_add(&dictionary->table, hash, err);
    if (!id)
        return 0;
    if (id == 1)
        dictionary->start[0] = dictionary->start[1] = 0;
    memcpy(dictionary->bytes + dictionary->size, text.at, text.length);
    dictionary->size += text.length;
    dictionary->start[id + 1] = (uint32_t)dictionary->size;
    return id;
}

bool dictionary_copy(struct dictionary *copy, const struct dictionary *dictionary, struct vouch_error *err)
{
    *copy = (struct dictionary){0};
    for (uint32_t id = 1; id <= dictionary->table.count; id++) {
        uint32_t added = dictionary_add(copy, dictionary_text(dictionary, id), err);
        if (!added)
            return false;
        if (added != id)
            return fail(err, VOUCH_ERR_FORMAT, "the dictionary is damaged: two strings are the same");
    }
    return true;
}

void dictionary_release(struct dictionary *dictionary)
{
    hash_table_release(&dictionary->table);
    free(dictionary->start);
    free(dictionary->bytes);
    *dictionary = (struct dictionary){0};
}

uint32_t feature_index_add(struct feature_index *index, uint64_t key, const uint32_t *record, uint32_t length,
                           struct vouch_error *err)
{
    uint32_t found = feature_index_find(index, key);
    if (found != NO_FEATURE)
        return found;
    size_t count = index->table.count;
    if (!RESERVE(index->record_start, index->record_start_capacity, count + 2, err) ||
        !RESERVE(index->record, index->record_capacity, index->records + length, err) ||
        !hash_table_add(&index->table, key, err))
        return NO_FEATURE;
    index->record_start[count] = index->records;
    memcpy(index->record + index->records, record, sizeof *record * length);
    index->records += length;
    index->record_start[count + 1] = index->records;
    return (uint32_t)count;
}

void feature_index_release(struct feature_index *index)
{
    hash_table_release(&index->table);
    free(index->record_start);
    free(index->record);
    *index = (struct feature_index){0};
}
