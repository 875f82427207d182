/* Opens vectors of words: see word_vectors.h. */
#include "text/word_vectors.h"

#include "arrays/array_formats.h"
#include "text/word_table.h"
#include "base/memory.h"
#include "core/dense.h"

#include <inttypes.h>
#include <math.h>

struct open_vectors {
    char *path;
    struct array_file *file; /* NULL: a table */
    const struct array *array;
    struct word_table table;
    uint32_t D;
};

static void close_vectors(void *self)
{
    struct open_vectors *v = self;
    if (!v)
        return;
    array_file_free(v->file);
    word_table_release(&v->table);
    free(v->path);
    free(v);
}

/* Returns the name with the corpus in place of every '%', to free(). */
static char *name_for(const char *name, const char *corpus, struct vouch_error *err)
{
    bool read_from_file = corpus && strcmp(corpus, "-") != 0;
    size_t marks = 0, to = 0;
    for (const char *s = name; *s; s++)
        marks += *s == '%';
    if (marks > 0 && !read_from_file) {
        fail(err, VOUCH_ERR_ARGUMENT, "vectors '%.200s': expected a corpus in a file, whose name stands for '%%'",
             name);
        return NULL;
    }
    char *path = new_array(strlen(name) + marks * (marks ? strlen(corpus) : 0) + 1, 1, err);
    for (const char *s = name; path && *s; s++) {
        if (*s != '%') {
            path[to++] = *s;
            continue;
        }
        memcpy(path + to, corpus, strlen(corpus));
        to += strlen(corpus);
    }
    return path;
}

/* Whether a file holds arrays; false with the error set if it cannot be read. */
static bool holds_arrays(const char *path, bool *arrays, struct vouch_error *err)
{
    struct mapped_file map;
    if (!mapped_file_init(&map, path, err))
        return false;
    *arrays = npy_starts(map.bytes, map.size) || npz_starts(map.bytes, map.size) ||
              safetensors_starts(map.bytes, map.size);
    mapped_file_release(&map);
    return true;
}

static bool open_array(struct open_vectors *v, struct vouch_error *err)
{
    v->file = array_file_open(v->path, err);
    v->array = v->file ? array_file_find(v->file, NULL, err) : NULL;
    if (!v->array)
        return false;
    if (v->array->rank != 2 || !array_has_floats(v->array))
        return array_fail(v->array, err, "expected floating-point numbers in two dimensions, found %u of type '%s'",
                          v->array->rank, v->array->type.name);
    if (v->array->shape[1] < 1 || v->array->shape[1] > MAX_DIMENSIONS)
        return array_fail(v->array, err, "expected vectors of 1 to %d numbers, found %" PRIu64, MAX_DIMENSIONS,
                          v->array->shape[1]);
    v->D = (uint32_t)v->array->shape[1];
    return true;
}

static bool open_table(struct open_vectors *v, struct vouch_error *err)
{
    bool ok = word_table_init(&v->table, v->path, err);
    v->D = v->table.D;
    return ok;
}

static void *open_vectors(const char *name, const char *corpus, struct vouch_error *err)
{
    struct open_vectors *v = new_array(1, sizeof *v, err);
    bool arrays = false;
    if (!v)
        return NULL;
    v->path = name_for(name, corpus, err);
    if (v->path && holds_arrays(v->path, &arrays, err) && (arrays ? open_array : open_table)(v, err))
        return v;
    close_vectors(v);
    return NULL;
}

static uint32_t dimensions(const void *self)
{
    return ((const struct open_vectors *)self)->D;
}

static uint64_t digest(const void *self)
{
    return ((const struct open_vectors *)self)->table.digest;
}

static const char *path_of(const void *self)
{
    return ((const struct open_vectors *)self)->path;
}

static uint64_t rows(const void *self)
{
    const struct open_vectors *v = self;
    return v->array ? v->array->shape[0] : UINT64_MAX;
}

static bool fetch_row(const struct open_vectors *v, uint64_t row, float *vector, struct vouch_error *err)
{
    if (!array_float_rows(v->array, row, row + 1, vector, err))
        return false;
    for (uint32_t d = 0; d < v->D; d++)
        if (!isfinite(vector[d]))
            return array_fail(v->array, err, "value [%" PRIu64 ", %u]: expected a finite number, found %g", row, d,
                              (double)vector[d]);
    return true;
}

static bool fetch(void *self, uint64_t row, struct text word, float *vector, struct vouch_error *err)
{
    struct open_vectors *v = self;
    const float *found;
    if (v->array)
        return fetch_row(v, row, vector, err);
    if (!word_table_find(&v->table, word, &found, err))
        return false;
    if (found)
        memcpy(vector, found, sizeof *vector * v->D);
    else
        memset(vector, 0, sizeof *vector * v->D);
    return true;
}

const struct vector_source word_vectors = {
    .open = open_vectors,
    .close = close_vectors,
    .dimensions = dimensions,
    .digest = digest,
    .path = path_of,
    .rows = rows,
    .fetch = fetch,
};
