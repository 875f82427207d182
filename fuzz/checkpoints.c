/*
 * Reads voices of a checkpoint. The first byte is the number of weights of an array, the second chooses the arrays that
 * there are; the rest is the file without its checksum, which is computed here, and of the digest that it says it has:
 * a file of another digest or with a wrong checksum is refused before anything else of it is read.
 */
#include "fuzz.h"

#include "base/hash.h"
#include "train/checkpoint.h"

enum { AT_DIGEST = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 2 + AT_DIGEST + sizeof(uint64_t))
        return 0;
    struct vouch_error err = {0};
    struct voice_record record = {0};
    float *memory[VOICE_ARRAYS]; /* exactly as much as there are weights, so that a sanitizer sees any other */
    for (int a = 0; a < VOICE_ARRAYS; a++) {
        size_t count = bytes[1] >> a & 1 ? bytes[0] : 0;
        memory[a] = malloc(count * sizeof(float));
        record.array[a] = (struct voice_array){.at = count ? memory[a] : NULL, .count = count};
    }
    size_t size = length - 2;
    uint8_t *file = malloc(size + sizeof(uint64_t));
    if (!file)
        abort();
    memcpy(file, bytes + 2, size);
    memcpy(file + size, &(uint64_t){hash_bytes(file, size)}, sizeof(uint64_t));
    memcpy(&record.digest, file + AT_DIGEST, sizeof record.digest);
    if (fuzz_told(voice_file_read(fuzz_file(file, size + sizeof(uint64_t)), &record, &err), &err)) {
        if (!record.note)
            abort();
        for (int a = 0; a < VOICE_ARRAYS; a++)
            if (record.array[a].count != 0 && record.array[a].count != bytes[0])
                abort();
    }
    free(record.note);
    free(file);
    for (int a = 0; a < VOICE_ARRAYS; a++)
        free(memory[a]);
    return 0;
}
