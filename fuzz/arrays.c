/*
 * Opens any bytes as a file of arrays, reads every array of it as floats and as integers, and takes them for sentences.
 */
#include "fuzz.h"

#include "arrays/array_file.h"

enum { MOST = 1 << 12 };

static void read_array(const struct array *array)
{
    static float real[MOST];
    static int64_t whole[MOST];
    uint64_t values = array_values(array, 0), first = values > MOST ? values - MOST : 0;
    struct vouch_error err = {0};
    fuzz_told(array_floats(array, first, values - first, real, &err), &err);
    fuzz_told(array_integers(array, first, values - first, whole, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct array_file *file = array_file_open_memory("fuzzed", bytes, length, &err);
    if (!fuzz_told(file != NULL, &err))
        return 0;
    for (size_t i = 0; i < file->count; i++)
        read_array(&file->array[i]);
    const struct array **each = array_file_sentences(file, &err);
    fuzz_told(each != NULL, &err);
    free(each);
    array_file_free(file);
    return 0;
}
