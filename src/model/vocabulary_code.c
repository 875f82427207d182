/*
 * Folds and unfolds strings, features and counts of answers: see vocabulary_code.h.
 *
 * Tables are larger than the caches, and keys are entered at random places. So keys are decoded some ahead of where
 * they are entered, and the slots that they lead to are asked for meanwhile. A stream that ends early, or holds numbers
 * out of range, is refused.
 */
#include "model/vocabulary_code.h"

#include "base/hash.h"
#include "base/order.h"

enum {
    RECORDS_BITS = 40,
    AHEAD = 32 /* entries are read this far ahead of being entered, so that the memory of many is on its way */
};

static uint32_t take_order(struct bit_reader *reader)
{
    uint32_t order = (uint32_t)bits_take(reader, ORDER_BITS);
    if (order > MOST_ORDER)
        bits_end(reader);
    return order > MOST_ORDER ? 0 : order;
}

/* ---- Strings ---- */

bool strings_fold(const struct dictionary *strings, struct bit_writer *lengths, struct vouch_error *err)
{
    struct code_census census = {0};
    for (uint32_t id = 1; id <= strings->table.count; id++)
        census_add(&census, dictionary_text(strings, id).length);
    uint32_t order = census_order(&census);
    bool ok = bits_put(lengths, order, ORDER_BITS, err);
    for (uint32_t id = 1; ok && id <= strings->table.count; id++)
        ok = bits_put_code(lengths, dictionary_text(strings, id).length, order, err);
    return ok;
}

bool strings_unfold(struct dictionary *strings, uint32_t count, struct section_view lengths, struct section_view bytes,
                    struct vouch_error *err)
{
    struct bit_reader reader;
    *strings = (struct dictionary){.size = bytes.length};
    if (!bits_start(&reader, lengths.bytes, lengths.length) || count > reader.end || bytes.length > UINT32_MAX ||
        !hash_table_prepare(&strings->table, count, err))
        return false;
    strings->start = new_array((size_t)count + 2, sizeof *strings->start, err);
    strings->bytes = new_array(bytes.length, 1, err);
    if (!strings->start || !strings->bytes)
        return false;
    memcpy(strings->bytes, bytes.bytes, bytes.length);
    uint32_t order = take_order(&reader), at = 0;
    for (uint32_t id = 1; id <= count; id++) {
        uint64_t length = bits_take_code(&reader, order);
        if (bits_over(&reader) || length > bytes.length - at)
            return false;
        hash_table_enter(&strings->table, id, hash_bytes(strings->bytes + at, length));
        strings->start[id + 1] = at += (uint32_t)length;
    }
    return at == bytes.length;
}

/* ---- Features ---- */

bool features_fold(const struct feature_index *index, struct bit_writer *writer, struct vouch_error *err)
{
    struct code_census rules = {0}, strings = {0};
    uint32_t count = feature_index_count(index);
    for (uint32_t f = 0; f < count; f++)
        for (uint64_t i = index->record_start[f]; i < index->record_start[f + 1]; i++)
            census_add(i == index->record_start[f] ? &rules : &strings, index->record[i]);
    uint32_t of_rules = census_order(&rules), of_strings = census_order(&strings);
    bool ok = bits_put(writer, index->records, RECORDS_BITS, err) && bits_put(writer, of_rules, ORDER_BITS, err) &&
              bits_put(writer, of_strings, ORDER_BITS, err);
    for (uint32_t f = 0; f < count; f++)
        for (uint64_t i = index->record_start[f]; ok && i < index->record_start[f + 1]; i++)
            ok = bits_put_code(writer, index->record[i], i == index->record_start[f] ? of_rules : of_strings, err);
    return ok;
}

static bool strings_known(const uint32_t *record, uint32_t length, uint32_t strings)
{
    for (uint32_t i = 1; i < length; i++)
        if (record[i] == 0 || record[i] > strings)
            return false;
    return true;
}

/* A stream of bits from which the records of features are read. */
struct feature_stream {
    struct bit_reader reader;
    uint64_t records; /* numbers in all records */
    uint32_t order[2];
    const struct templates *templates;
    bool edge;
    uint32_t strings;
};

/* Reads the record of a feature to `record`, where there is room; returns its length, 0 if it is damaged. */
static uint32_t take_record(struct feature_stream *stream, uint32_t *record)
{
    struct bit_reader *reader = &stream->reader;
    uint64_t rule = bits_take_code(reader, stream->order[0]);
    uint32_t length =
        1 + (rule > UINT32_MAX ? UINT32_MAX : tag_feature_strings(stream->templates, stream->edge, (uint32_t)rule));
    record[0] = (uint32_t)rule;
    for (uint32_t i = 1; i < length; i++) {
        uint64_t string = bits_take_code(reader, stream->order[1]);
        record[i] = string > UINT32_MAX ? 0 : (uint32_t)string;
    }
    return bits_over(reader) ? 0 : length;
}

/* Reads the next record to the end of the index's records, and finds its key. */
static bool take_feature(struct feature_stream *stream, struct feature_index *index, uint64_t *key)
{
    uint32_t *record = index->record + index->records, length = take_record(stream, record);
    index->records += length;
    return index->records <= stream->records && strings_known(record, length, stream->strings) &&
           tag_feature_key(stream->templates, stream->edge, record, length, key);
}

bool features_unfold(struct vocabulary *vocabulary, bool edge, uint32_t count, const struct templates *templates,
                     struct section_view view, struct vouch_error *err)
{
    struct feature_index *index = edge ? &vocabulary->edge : &vocabulary->node;
    struct feature_stream stream = {.templates = templates, .edge = edge, .strings = vocabulary->strings.table.count};
    uint64_t key[AHEAD];
    *index = (struct feature_index){0};
    if (!bits_start(&stream.reader, view.bytes, view.length) || count > stream.reader.end ||
        !hash_table_prepare(&index->table, count, err))
        return false;
    stream.records = bits_take(&stream.reader, RECORDS_BITS);
    stream.order[0] = take_order(&stream.reader);
    stream.order[1] = take_order(&stream.reader);
    if (stream.records > stream.reader.end)
        return false;
    index->record = new_block(sizeof *index->record * (stream.records + 1 + MAX_MACROS), err);
    index->record_start = new_block(sizeof *index->record_start * ((size_t)count + 1), err);
    if (!index->record || !index->record_start)
        return false;
    index->record_start[0] = 0;
    for (uint64_t f = 0; f < (uint64_t)count + AHEAD; f++) {
        if (f >= AHEAD && f - AHEAD < count)
            hash_table_enter(&index->table, (uint32_t)(f - AHEAD) + 1, key[f % AHEAD]);
        if (f >= count)
            continue;
        if (!take_feature(&stream, index, &key[f % AHEAD]))
            return false;
        index->record_start[f + 1] = index->records;
        hash_table_prefetch(&index->table, key[f % AHEAD]);
    }
    return !bits_over(&stream.reader) && index->records == stream.records;
}

/* ---- Counts of answers ---- */

static bool fold_slots(const uint64_t *slot, size_t count, struct bit_writer *writer, struct vouch_error *err)
{
    struct code_census gaps = {0}, times = {0};
    const uint64_t mask = (UINT64_C(1) << COUNT_BITS) - 1;
    uint64_t before = 0;
    for (size_t i = 0; i < count; before = slot[i++] >> COUNT_BITS) {
        census_add(&gaps, (slot[i] >> COUNT_BITS) - before);
        census_add(&times, slot[i] & mask);
    }
    uint32_t of_gaps = census_order(&gaps), of_times = census_order(&times);
    bool ok = bits_put(writer, count, 32, err) && bits_put(writer, of_gaps, ORDER_BITS, err) &&
              bits_put(writer, of_times, ORDER_BITS, err);
    before = 0;
    for (size_t i = 0; ok && i < count; before = slot[i++] >> COUNT_BITS)
        ok = bits_put_code(writer, (slot[i] >> COUNT_BITS) - before, of_gaps, err) &&
             bits_put_code(writer, slot[i] & mask, of_times, err);
    return ok;
}

bool answer_counts_fold(const struct answer_counts *counts, struct bit_writer *writer, struct vouch_error *err)
{
    uint64_t *slot = new_array(counts->count, sizeof *slot, err), at = 0;
    size_t count = 0;
    while (slot && count < counts->count && answer_counts_next(counts, &at, &slot[count]))
        count++;
    bool ok = slot && sort_keys(slot, count, err) && fold_slots(slot, count, writer, err);
    free(slot);
    return ok;
}

bool answer_counts_unfold(struct answer_counts *counts, struct section_view stream, struct vouch_error *err)
{
    struct bit_reader reader;
    *counts = (struct answer_counts){0};
    if (!bits_start(&reader, stream.bytes, stream.length))
        return false;
    size_t count = bits_take(&reader, 32);
    uint32_t of_gaps = take_order(&reader), of_times = take_order(&reader);
    if (count > reader.end || !answer_counts_expect(counts, count, err))
        return false;
    uint64_t key = 0, slot[AHEAD];
    for (size_t i = 0; i < count + AHEAD && !bits_over(&reader); i++) {
        if (i >= AHEAD && i - AHEAD < count && !answer_counts_add_slot(counts, slot[i % AHEAD], err))
            return false;
        if (i >= count)
            continue;
        key += bits_take_code(&reader, of_gaps);
        uint64_t times = bits_take_code(&reader, of_times);
        if (key >> (64 - COUNT_BITS) || times >> COUNT_BITS || !(key || times))
            return false;
        slot[i % AHEAD] = key << COUNT_BITS | times;
        answer_counts_prefetch(counts, slot[i % AHEAD]);
    }
    return !bits_over(&reader);
}
