/* Opens files of arrays: see array_file.h. */
#include "arrays/array_file.h"

#include "arrays/array_formats.h"
#include "base/memory.h"

#include <stdio.h>

static const struct {
    bool (*starts)(const unsigned char *bytes, size_t size);
    bool (*open)(struct array_file *file, struct vouch_error *err);
} format[] = {{npy_starts, npy_open}, {npz_starts, npz_open}, {safetensors_starts, safetensors_open}};

static bool open_bytes(struct array_file *file, struct vouch_error *err)
{
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        if (format[i].starts(file->bytes, file->size))
            return format[i].open(file, err);
    }
    char found[8 * 3 + 1] = " nothing";
    for (size_t i = 0; i < 8 && i < file->size; i++)
        snprintf(found + 3 * i, 4, " %02x", file->bytes[i]);
    return fail(err, VOUCH_ERR_FORMAT, "%s: expected a .npy, .npz or safetensors file, found one that starts with%s",
                file->name, found);
}

static struct array_file *file_new(const char *name, struct vouch_error *err)
{
    struct array_file *file = new_array(1, sizeof *file, err);
    if (file && (file->name = new_string(name, strlen(name), err)))
        return file;
    free(file);
    return NULL;
}

/* Reads what is in it; NULL, and everything is freed, if that fails. */
static struct array_file *opened(struct array_file *file, struct vouch_error *err)
{
    if (open_bytes(file, err))
        return file;
    array_file_free(file);
    return NULL;
}

struct array_file *array_file_open(const char *path, struct vouch_error *err)
{
    struct array_file *file = file_new(path, err);
    if (!file)
        return NULL;
    if (!mapped_file_init(&file->map, path, err)) {
        array_file_free(file);
        return NULL;
    }
    file->bytes = file->map.bytes;
    file->size = file->map.size;
    return opened(file, err);
}

struct array_file *array_file_open_memory(const char *name, const void *bytes, size_t size, struct vouch_error *err)
{
    struct array_file *file = file_new(name, err);
    if (!file)
        return NULL;
    file->bytes = bytes;
    file->size = size;
    return opened(file, err);
}

void array_file_free(struct array_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->owns; i++)
        free(file->owned[i]);
    free(file->owned);
    free(file->array);
    mapped_file_release(&file->map);
    free(file->name);
    free(file);
}

bool array_file_own(struct array_file *file, void *block, struct vouch_error *err)
{
    if (RESERVE(file->owned, file->owned_capacity, file->owns + 1, err)) {
        file->owned[file->owns++] = block;
        return true;
    }
    free(block);
    return false;
}

struct array *array_file_add(struct array_file *file, struct text name, struct vouch_error *err)
{
    char *copy = new_string(name.at, name.length, err);
    if (!copy || !array_file_own(file, copy, err) || !RESERVE(file->array, file->capacity, file->count + 1, err))
        return NULL;
    struct array *array = &file->array[file->count++];
    *array = (struct array){.file = file->name, .name = copy};
    return array;
}

const struct array *array_file_find(const struct array_file *file, const char *name, struct vouch_error *err)
{
    if (!name && file->count == 1)
        return file->array;
    for (size_t i = 0; name && i < file->count; i++) {
        if (strcmp(file->array[i].name, name) == 0)
            return &file->array[i];
    }
    if (!name)
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected one array, or the name of one, found %zu arrays", file->name,
             file->count);
    else
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected an array '%.40s', found none of that name among %zu", file->name,
             name, file->count);
    return NULL;
}
