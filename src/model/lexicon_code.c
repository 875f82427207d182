/* Folds and unfolds lexicons: see lexicon_code.h. */
#include "model/lexicon_code.h"

#include "base/hash.h"

#include <stdio.h>

struct lexicon_section lexicon_section(uint32_t i, enum lexicon_part part)
{
    static const char *const names[LEXICON_PARTS] = {"lengths", "bytes", "rows", "class.lengths", "class.bytes"};
    struct lexicon_section section;
    snprintf(section.of, sizeof section.of, "lexicon.%u.%s", i % MOST_LEXICONS, names[part]);
    return section;
}

/* Returns how many bytes the beginnings of two texts share. */
static uint32_t shared(struct text a, struct text b)
{
    uint32_t i = 0;
    while (i < a.length && i < b.length && a.at[i] == b.at[i])
        i++;
    return i;
}

/* Returns how many bits tell so many rows apart. */
static uint32_t bits_for(uint32_t rows)
{
    return rows > 1 ? 32 - (uint32_t)__builtin_clz(rows - 1) : 0;
}

/* ---- Writing ---- */

static bool fold_lengths(const struct dictionary *entry, struct bit_writer *writer, struct vouch_error *err)
{
    struct code_census census[2] = {0};
    uint32_t order[2];
    bool ok = true;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t id = 1; ok && id <= entry->table.count; id++) {
            struct text text = dictionary_text(entry, id);
            uint32_t same = shared(dictionary_text(entry, id - 1), text), number[2] = {same, text.length - same};
            for (int i = 0; ok && i < 2; i++)
                if (pass == 0)
                    census_add(&census[i], number[i]);
                else
                    ok = bits_put_code(writer, number[i], order[i], err);
        }
        for (int i = 0; ok && pass == 0 && i < 2; i++) {
            order[i] = census_order(&census[i]);
            ok = bits_put(writer, order[i], ORDER_BITS, err);
        }
    }
    return ok;
}

static bool put_bytes(struct text text, uint32_t from, struct bit_writer *writer, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t i = from; ok && i < text.length; i++)
        ok = bits_put(writer, (unsigned char)text.at[i], 8, err);
    return ok;
}

/* Writes the bytes of all texts, of entries without those that they share with the one before. */
static bool fold_bytes(const struct dictionary *texts, bool entries, struct bit_writer *writer, struct vouch_error *err)
{
    bool ok = bits_put(writer, 0, 0, err);
    for (uint32_t id = 1; ok && id <= texts->table.count; id++) {
        struct text text = dictionary_text(texts, id);
        ok = put_bytes(text, entries ? shared(dictionary_text(texts, id - 1), text) : 0, writer, err);
    }
    return ok;
}

bool lexicon_fold(const struct lexicon *x, enum lexicon_part part, struct bit_writer *writer, struct vouch_error *err)
{
    uint32_t bits = bits_for(x->classes.table.count);
    bool ok = true;
    switch (part) {
    case LEXICON_LENGTHS:
        return fold_lengths(&x->entry, writer, err);
    case LEXICON_BYTES:
        return fold_bytes(&x->entry, true, writer, err);
    case LEXICON_CLASS_LENGTHS:
        return strings_fold(&x->classes, writer, err);
    case LEXICON_CLASS_BYTES:
        return fold_bytes(&x->classes, false, writer, err);
    default:
        ok = bits_put(writer, 0, 0, err);
        for (uint32_t id = 1; ok && id <= lexicon_entries(x); id++)
            ok = bits_put(writer, x->row[id] - 1, bits, err);
        return ok;
    }
}

/* ---- Reading ---- */

static uint32_t take_order(struct bit_reader *reader)
{
    uint32_t order = (uint32_t)bits_take(reader, ORDER_BITS);
    return order > MOST_ORDER ? bits_end(reader), 0 : order;
}

/* Lengths and bytes of texts, which are read side by side. */
struct text_stream {
    struct bit_reader length, byte;
    bool entries;      /* bytes are shared with the text before */
    uint32_t order[2]; /* of what is shared, and of what follows */
};

static bool start_texts(struct text_stream *stream, struct section_view lengths, struct section_view bytes)
{
    if (!bits_start(&stream->length, lengths.bytes, lengths.length) ||
        !bits_start(&stream->byte, bytes.bytes, bytes.length))
        return false;
    stream->order[0] = stream->entries ? take_order(&stream->length) : 0;
    stream->order[1] = take_order(&stream->length);
    return true;
}

/* Reads text number `id` to the end of the dictionary's bytes. */
static bool take_text(struct text_stream *stream, struct dictionary *texts, uint32_t id, struct vouch_error *err)
{
    struct text before = dictionary_text(texts, id - 1);
    uint64_t same = stream->entries ? bits_take_code(&stream->length, stream->order[0]) : 0;
    uint64_t more = bits_take_code(&stream->length, stream->order[1]);
    if (bits_over(&stream->length) || same > before.length || more > stream->byte.end / 8 ||
        texts->size + same + more > UINT32_MAX)
        return false;
    if (!RESERVE(texts->bytes, texts->bytes_capacity, texts->size + same + more + 1, err))
        return false;
    char *to = texts->bytes + texts->size;
    memcpy(to, texts->bytes + texts->start[id - 1], same);
    for (uint64_t i = 0; i < more; i++)
        to[same + i] = (char)bits_take(&stream->byte, 8);
    texts->size += same + more;
    texts->start[id + 1] = (uint32_t)texts->size;
    return !bits_over(&stream->byte) && utf8_check(to, same + more) == same + more;
}

/* Reads `count` texts; entries must ascend, and no row may be there twice. */
static bool take_texts(struct text_stream *stream, struct dictionary *texts, uint32_t count, struct vouch_error *err)
{
    if (count > stream->length.end || !hash_table_prepare(&texts->table, count, err) ||
        !RESERVE(texts->start, texts->start_capacity, (size_t)count + 2, err) ||
        !RESERVE(texts->bytes, texts->bytes_capacity, 1, err))
        return false;
    texts->start[0] = texts->start[1] = 0;
    for (uint32_t id = 1; id <= count; id++) {
        if (!take_text(stream, texts, id, err))
            return false;
        struct text before = dictionary_text(texts, id - 1), text = dictionary_text(texts, id);
        uint32_t same = shared(before, text);
        if (stream->entries && id > 1 &&
            (same == text.length ||
             (same < before.length && (unsigned char)before.at[same] > (unsigned char)text.at[same])))
            return false;
        uint64_t hash = hash_bytes(text.at, text.length);
        if (!stream->entries && dictionary_find_hashed(texts, text, hash))
            return false;
        hash_table_enter(&texts->table, id, hash);
    }
    return true;
}

/* Reads the row of every entry, and checks what the entries are. */
static bool take_rows(struct lexicon *x, struct section_view stream, struct vouch_error *err)
{
    struct bit_reader reader;
    uint32_t entries = lexicon_entries(x), rows = x->classes.table.count, bits = bits_for(rows), known = 0;
    if (!bits_start(&reader, stream.bytes, stream.length) ||
        !RESERVE(x->row, x->row_capacity, (size_t)entries + 1, err))
        return false;
    for (uint32_t id = 1; id <= entries; id++) {
        uint32_t row = x->row[id] = (uint32_t)bits_take(&reader, bits) + 1;
        if (row > rows || row > known + 1 ||
            !lexicon_entry_fits(x, dictionary_text(&x->entry, id), dictionary_text(&x->classes, row)))
            return false;
        known = row > known ? row : known;
    }
    return !bits_over(&reader) && known == rows;
}

bool lexicon_unfold(struct lexicon *x, uint32_t entries, uint32_t rows, const struct lexicon_streams *streams,
                    struct vouch_error *err)
{
    const struct section_view *part = streams->part;
    struct text_stream words = {.entries = true}, classes = {0};
    return start_texts(&words, part[LEXICON_LENGTHS], part[LEXICON_BYTES]) &&
           take_texts(&words, &x->entry, entries, err) &&
           start_texts(&classes, part[LEXICON_CLASS_LENGTHS], part[LEXICON_CLASS_BYTES]) &&
           take_texts(&classes, &x->classes, rows, err) && take_rows(x, part[LEXICON_ROWS], err) &&
           lexicon_complete(x, err);
}
