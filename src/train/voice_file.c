/*
 * The file of a voice in a checkpoint (checkpoint.h): arrays of weights as they were after a pass, and a note about
 * them.
 *
 *     0   magic "VOUCH\r\nC", format version, byte order mark
 *    16   digest of the voice, steps, pass, the step that is now, length of the note, number of arrays
 *    48   the note (JSON text)
 *         each array: number of weights, and what they are at the start; then for every 32 weights a mask of those that
 *         are something else, bit by bit, and these
 *         checksum of all of it
 *
 * It is written on the machine that reads it, or on one like it. Time: linear in the weights. Memory: none; a file that
 * is read is mapped, which is safe because files are replaced by renaming.
 */
#include "train/checkpoint.h"

#include "base/hash.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/output.h"

#include <string.h>

#define ORDER_MARK UINT32_C(0x01020304)

enum { BLOCK = 32, BUFFER = 1 << 16 }; /* weights of a mask; bytes */

static const char magic[8] = {'V', 'O', 'U', 'C', 'H', '\r', '\n', 'C'};

struct preamble {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t digest, steps;
    uint32_t pass;
    float now;
    uint32_t note, arrays;
};

struct array_head {
    uint64_t count;
    float start;
    uint32_t zero;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- Writing ---- */

/* An output whose bytes are summed up on their way. */
struct summed {
    struct output *out;
    XXH3_state_t sum;
    unsigned char buffer[BUFFER];
    size_t used;
};

static void flush(struct summed *to)
{
    XXH3_64bits_update(&to->sum, to->buffer, to->used);
    output_write(to->out, to->buffer, to->used);
    to->used = 0;
}

static void put(struct summed *to, const void *bytes, size_t count)
{
    for (size_t done = 0, n; done < count; done += n) {
        if (to->used == BUFFER)
            flush(to);
        n = least(count - done, BUFFER - to->used);
        memcpy(to->buffer + to->used, (const char *)bytes + done, n);
        to->used += n;
    }
}

/* Writes up to 32 weights: bits are compared, so that a negative zero is kept as well. */
static void put_block(struct summed *to, const float *weight, size_t n, float start)
{
    uint32_t bits[BLOCK], kept[BLOCK + 1] = {0}, usual;
    size_t count = 1;
    memcpy(bits, weight, sizeof *weight * n);
    memcpy(&usual, &start, sizeof usual);
    for (size_t i = 0; i < n; i++) {
        bool differs = bits[i] != usual;
        kept[0] |= (uint32_t)differs << i;
        kept[count] = bits[i];
        count += differs;
    }
    put(to, kept, sizeof *kept * count);
}

static void put_array(struct summed *to, const struct voice_array *array)
{
    struct array_head head = {.count = array->at ? array->count : 0, .start = array->start};
    put(to, &head, sizeof head);
    for (size_t i = 0; i < head.count; i += BLOCK)
        put_block(to, array->at + i, least(BLOCK, head.count - i), head.start);
}

bool voice_file_write(const char *path, const struct voice_record *record, struct vouch_error *err)
{
    struct preamble preamble = {.version = VOICE_FILE_VERSION,
                                .byte_order = ORDER_MARK,
                                .digest = record->digest,
                                .steps = record->steps,
                                .pass = record->pass,
                                .now = record->now,
                                .note = (uint32_t)strlen(record->note),
                                .arrays = VOICE_ARRAYS};
    struct summed *to = new_block(sizeof *to, err); /* at a multiple of 64, as the sum needs it */
    struct output *out = to ? output_open(path, err) : NULL;
    if (!out) {
        free(to);
        return false;
    }
    to->out = out;
    to->used = 0;
    XXH3_64bits_reset(&to->sum);
    memcpy(preamble.magic, magic, sizeof magic);
    put(to, &preamble, sizeof preamble);
    put(to, record->note, preamble.note);
    for (int a = 0; a < VOICE_ARRAYS; a++)
        put_array(to, &record->array[a]);
    flush(to);
    uint64_t sum = XXH3_64bits_digest(&to->sum);
    output_write(out, &sum, sizeof sum);
    free(to);
    return output_commit(out, err);
}

/* ---- Reading ---- */

/* A file in memory, and how far it was read. */
struct opened {
    const char *path;
    const unsigned char *bytes; /* [size] */
    size_t size, at;            /* the size without the checksum */
};

static bool fail_damaged(const struct opened *file, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: the checkpoint is cut off or damaged", file->path);
}

static bool take(struct opened *file, void *into, size_t count, struct vouch_error *err)
{
    if (count > file->size - file->at)
        return fail_damaged(file, err);
    memcpy(into, file->bytes + file->at, count);
    file->at += count;
    return true;
}

static bool take_block(struct opened *file, float *weight, size_t n, float start, struct vouch_error *err)
{
    uint32_t mask = 0;
    float kept[BLOCK];
    if (!take(file, &mask, sizeof mask, err))
        return false;
    if (n < BLOCK && mask >> n)
        return fail_damaged(file, err);
    if (!take(file, kept, sizeof *kept * (size_t)__builtin_popcount(mask), err))
        return false;
    const float *next = kept;
    for (size_t i = 0; i < n; i++)
        weight[i] = mask >> i & 1 ? *next++ : start;
    return true;
}

static bool take_array(struct opened *file, struct voice_array *array, struct vouch_error *err)
{
    struct array_head head;
    if (!take(file, &head, sizeof head, err))
        return false;
    if (head.count != 0 && head.count != array->count)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of %zu weights, found %llu", file->path,
                    array->count, (unsigned long long)head.count);
    array->count = head.count;
    array->start = head.start;
    for (size_t i = 0; i < array->count; i += BLOCK)
        if (!take_block(file, array->at + i, least(BLOCK, array->count - i), head.start, err))
            return false;
    return true;
}

static bool take_preamble(struct opened *file, struct voice_record *record, uint32_t *note, struct vouch_error *err)
{
    struct preamble p;
    if (!take(file, &p, sizeof p, err))
        return false;
    if (memcmp(p.magic, magic, sizeof magic) != 0 || p.byte_order != ORDER_MARK || p.arrays != VOICE_ARRAYS)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of this machine, found something else",
                    file->path);
    if (p.version != VOICE_FILE_VERSION)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of format %d, found %u", file->path,
                    VOICE_FILE_VERSION, p.version);
    if (p.digest != record->digest)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a checkpoint of this training, found one of another",
                    file->path);
    record->steps = p.steps;
    record->pass = p.pass;
    record->now = p.now;
    *note = p.note;
    return true;
}

bool voice_file_read(const char *path, struct voice_record *record, struct vouch_error *err)
{
    struct mapped_file map;
    uint64_t sum;
    uint32_t note = 0;
    record->note = NULL;
    if (!mapped_file_init(&map, path, err))
        return false;
    struct opened file = {.path = path, .bytes = map.bytes, .size = map.size - sizeof sum};
    bool ok = map.size >= sizeof(struct preamble) + sizeof sum;
    if (ok)
        memcpy(&sum, file.bytes + file.size, sizeof sum);
    ok = (ok && sum == hash_bytes(file.bytes, file.size)) || fail_damaged(&file, err);
    ok = ok && take_preamble(&file, record, &note, err) && (note <= file.size - file.at || fail_damaged(&file, err));
    record->note = ok ? new_array((size_t)note + 1, 1, err) : NULL;
    ok = record->note && take(&file, record->note, note, err);
    for (int a = 0; ok && a < VOICE_ARRAYS; a++)
        ok = take_array(&file, &record->array[a], err);
    ok = ok && (file.at == file.size || fail_damaged(&file, err));
    mapped_file_release(&map);
    return ok;
}
