/* Implements the feature index: see feature_index.h. */
#include "task/feature_index.h"

uint32_t feature_index_add(struct feature_index *index, uint64_t key, const uint32_t *record, uint32_t length,
                           struct vouch_error *err)
{
    uint32_t found = feature_index_find(index, key);
    if (found != NO_FEATURE)
        return found;
    size_t count = index->table.count;
    if (!RESERVE(index->own_record_start, index->record_start_capacity, count + 2, err) ||
        !RESERVE(index->own_record, index->record_capacity, index->records + length, err) ||
        !hash_table_add(&index->table, key, err))
        return NO_FEATURE;
    index->own_record_start[count] = index->records;
    memcpy(index->own_record + index->records, record, sizeof *record * length);
    index->records += length;
    index->own_record_start[count + 1] = index->records;
    index->record = index->own_record;
    index->record_start = index->own_record_start;
    return (uint32_t)count;
}

void feature_index_release(struct feature_index *index)
{
    hash_table_release(&index->table);
    free(index->own_record_start);
    free(index->own_record);
    *index = (struct feature_index){0};
}
