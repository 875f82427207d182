/* Tests files that NumPy itself has written. Skipped, with a word, where Debian's python3-numpy is not installed. */
#include "arrays/array_file.h"

#include "folder.h"

#include "must.h"
#include "test.h"

/* Every array is numpy.arange(24).reshape(2, 3, 4), less 3, but for the sentences and "more". */
static const char script[] =
    "import io, sys, zipfile, numpy as np\n"
    "x = np.arange(24).reshape(2, 3, 4) - 3\n"
    "types = ['<f2', '>f2', '<f4', '>f4', '<f8', '>f8', '|i1', '<i2', '>i2', '<i4', '>i4', '<i8', '>i8']\n"
    "for i, t in enumerate(types):\n"
    "    np.save(f'{sys.argv[1]}/{i}.npy', x.astype(t))\n"
    "np.save(f'{sys.argv[1]}/fortran.npy', np.asfortranarray(x.astype('<f4')))\n"
    "for version in [1, 2, 3]:\n"
    "    with open(f'{sys.argv[1]}/version{version}.npy', 'wb') as f:\n"
    "        np.lib.format.write_array(f, x.astype('<f4'), version=(version, 0))\n"
    "sentences = [np.full((n, 2), n, dtype='<f4') for n in range(12)]\n"
    "np.savez(f'{sys.argv[1]}/stored.npz', *sentences)\n"
    "np.savez_compressed(f'{sys.argv[1]}/deflated.npz', **{str(i): s for i, s in enumerate(sentences)})\n"
    "np.savez_compressed(f'{sys.argv[1]}/large.npz', zeros=np.zeros((3000, 300), '<f4'), more=np.float64(1))\n"
    "class Pipe(io.RawIOBase):\n"
    "    def __init__(self, file): self.file = file\n"
    "    def writable(self): return True\n"
    "    def write(self, bytes): return self.file.write(bytes)\n"
    "for method in [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]:\n"
    "    with open(f'{sys.argv[1]}/piped{method}.npz', 'wb') as f, zipfile.ZipFile(Pipe(f), 'w', method) as z:\n"
    "        for i, s in enumerate(sentences):\n"
    "            with z.open(f'{i}.npy', 'w') as entry: np.lib.format.write_array(entry, s)\n"
    "np.save(f'{sys.argv[1]}/names.npy', np.array(['O', 'B-PER']))\n";

static bool numpy_writes(void)
{
    char command[400];
    if (system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) {
        print_message("skipped: /usr/bin/python3 has no numpy (Debian: python3-numpy)\n");
        return false;
    }
    snprintf(command, sizeof command, "/usr/bin/python3 '%.250s' '%.100s'", folder_put("write.py", script),
             folder_path);
    assert_int_equal(system(command), 0);
    return true;
}

static struct array_file *must_open(const char *name)
{
    struct array_file *file = array_file_open(folder_file(name), &err);
    MUST(file);
    return file;
}

/* Expects the rows of `x` in the script. */
static void expect_counted(const char *name)
{
    struct array_file *file = must_open(name);
    const struct array *array = array_file_find(file, NULL, &err);
    MUST(array);
    assert_int_equal(array->rank, 3);
    assert_true(array->shape[0] == 2 && array->shape[1] == 3 && array->shape[2] == 4);
    float real[12];
    int64_t whole[12];
    if (array_has_floats(array))
        MUST(array_floats(array, 12, 12, real, &err));
    else
        MUST(array_integers(array, 12, 12, whole, &err));
    for (int i = 0; i < 12; i++)
        assert_true(array_has_floats(array) ? real[i] == (float)(i + 9) : whole[i] == i + 9);
    array_file_free(file);
}

static void expect_sentences(const char *name)
{
    struct array_file *file = must_open(name);
    const struct array **each = array_file_sentences(file, &err);
    MUST(each);
    assert_int_equal(file->count, 12);
    for (uint64_t i = 0; i < 12; i++) {
        float value[24];
        assert_true(each[i]->rank == 2 && each[i]->shape[0] == i && each[i]->shape[1] == 2);
        MUST(array_floats(each[i], 0, 2 * i, value, &err));
        for (uint64_t v = 0; v < 2 * i; v++)
            assert_true(value[v] == (float)i);
    }
    free(each);
    array_file_free(file);
}

TEST_IN_FOLDER(files_of_numpy_are_read)
{
    if (!numpy_writes())
        skip();
    for (int i = 0; i < 13; i++) {
        char name[20];
        snprintf(name, sizeof name, "%d.npy", i);
        expect_counted(name);
    }
    expect_counted("fortran.npy");
    expect_counted("version1.npy");
    expect_counted("version2.npy");
    expect_counted("version3.npy");
    expect_sentences("stored.npz");
    expect_sentences("deflated.npz");
    expect_sentences("piped0.npz"); /* sizes come after the entries, as in archives that are written to a pipe */
    expect_sentences("piped8.npz");

    struct array_file *file = must_open("large.npz");
    const struct array *zeros = array_file_find(file, "zeros", &err);
    MUST(zeros);
    float row[300];
    MUST(array_floats(zeros, 2999 * 300, 300, row, &err));
    assert_true(row[0] == 0 && row[299] == 0);
    const struct array *more = array_file_find(file, "more", &err);
    MUST(more);
    assert_false(array_floats(more, 0, 2, row, &err));
    assert_non_null(strstr(err.message, "array 'more': expected 2 values from value 0 on, found 1 in all"));
    MUST(array_floats(more, 0, 1, row, &err));
    assert_true(row[0] == 1);
    array_file_free(file);
    array_file_free(must_open("names.npy"));
}
