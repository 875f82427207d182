/*
 * Opens any bytes as a file of arrays, reads every array of it as floats and as integers, and takes them for sentences
 * in every layout.
 */
#include "fuzz.h"

#include "arrays/sentence_rows.h"

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

static void read_sentences(const struct sentence_layout *layout)
{
    static float real[MOST];
    struct vouch_error err = {0};
    struct sentence_rows rows;
    bool ok = fuzz_told(sentence_rows_init(&rows, layout, &err), &err);
    for (uint64_t i = 0; ok && i < rows.count && i < 100; i++) {
        struct sentence_shape shape = sentence_rows_shape(&rows, i);
        uint64_t values = shape.rows * shape.width;
        if (values <= MOST && shape.sets <= MOST && values * shape.sets <= MOST)
            fuzz_told(sentence_rows_read(&rows, i, real, &err), &err);
    }
    sentence_rows_release(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct array_file *file = array_file_open_memory("fuzzed", bytes, length, &err);
    if (!fuzz_told(file != NULL, &err))
        return 0;
    for (size_t i = 0; i < file->count; i++)
        read_array(&file->array[i]);
    for (int way = 0; way < 8; way++) {
        struct sentence_layout layout = {.file = file, .padded = way & 1, .sets = way & 2};
        read_sentences(&layout);
        if (file->count < 2)
            continue;
        layout.array = &file->array[0];
        *(way & 4 ? &layout.offsets : &layout.lengths) = &file->array[1];
        read_sentences(&layout);
    }
    array_file_free(file);
    return 0;
}
