/* Makes files of arrays byte by byte: .npy, .npz and safetensors. Include it after cmocka.h. */
#ifndef VOUCH_TESTS_ARRAY_BYTES_H
#define VOUCH_TESTS_ARRAY_BYTES_H

#include "arrays/array_file.h"

#include "test.h"

enum { ROOM = 1 << 14 };

struct image {
    unsigned char bytes[ROOM];
    size_t size;
};

static inline void put(struct image *image, const void *bytes, size_t size)
{
    if (size > sizeof image->bytes - image->size)
        abort();
    if (size > 0)
        memcpy(image->bytes + image->size, bytes, size);
    image->size += size;
}

/* Puts a number, the least significant byte first. */
static inline void put_little(struct image *image, uint64_t n, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        put(image, &(unsigned char){(unsigned char)(n >> 8 * i)}, 1);
}

static inline struct image npy_of_header(int version, const char *header, const void *data, size_t size)
{
    struct image image = {.size = 0};
    put(&image, "\x93NUMPY", 6);
    put_little(&image, (uint64_t)version, 2);
    put_little(&image, strlen(header), version == 1 ? 2 : 4);
    put(&image, header, strlen(header));
    put(&image, data, size);
    return image;
}

static inline struct image npy_of(const char *descr, const char *shape, const void *data, size_t size)
{
    char header[200];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }  \n", descr, shape);
    return npy_of_header(1, header, data, size);
}

static inline struct image safetensors_of(const char *header, const void *data, size_t size)
{
    struct image image = {.size = 0};
    put_little(&image, strlen(header), 8);
    put(&image, header, strlen(header));
    put(&image, data, size);
    return image;
}

static inline uint32_t crc32_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* One entry of a zip archive. Deflated ones are one block that is not compressed: 5 bytes and the content. */
struct zipped {
    const char *name;
    const struct image *content;
    bool deflate;
};

/* What local headers and the directory have in common. Sizes that are `wide` are in an extra field of 28 bytes. */
static inline void put_zip_fields(struct image *zip, const struct zipped *entry, bool central, bool wide)
{
    size_t size = entry->content->size;
    put(zip, central ? "PK\1\2" : "PK\3\4", 4);
    put_little(zip, 20, central ? 4 : 2); /* versions */
    put_little(zip, 0, 2);                /* flags */
    put_little(zip, entry->deflate ? 8 : 0, 2);
    put_little(zip, 0, 4); /* time and date */
    put_little(zip, crc32_of(entry->content->bytes, size), 4);
    put_little(zip, wide ? UINT32_MAX : size + (entry->deflate ? 5 : 0), 4);
    put_little(zip, wide ? UINT32_MAX : size, 4);
    put_little(zip, strlen(entry->name), 2);
    put_little(zip, wide ? 28 : 0, 2);
}

static inline void put_zip_directory(struct image *zip, const struct zipped *entry, size_t local, bool wide)
{
    put_zip_fields(zip, entry, true, wide);
    put(zip, (const char[10]){0}, 10); /* comment, disk, attributes */
    put_little(zip, wide ? UINT32_MAX : local, 4);
    put(zip, entry->name, strlen(entry->name));
    if (!wide)
        return;
    put_little(zip, 1, 2);
    put_little(zip, 24, 2);
    put_little(zip, entry->content->size, 8);
    put_little(zip, entry->content->size + (entry->deflate ? 5 : 0), 8);
    put_little(zip, local, 8);
}

static inline void put_zip_end(struct image *zip, size_t count, size_t directory, bool wide)
{
    size_t end = zip->size;
    if (wide) {
        put(zip, "PK\6\6", 4);
        put_little(zip, 44, 8);
        put(zip, (const char[12]){0}, 12); /* versions, disks */
        put_little(zip, count, 8);
        put_little(zip, count, 8);
        put_little(zip, end - directory, 8);
        put_little(zip, directory, 8);
        put(zip, "PK\6\7\0\0\0\0", 8);
        put_little(zip, end, 8);
        put_little(zip, 1, 4);
    }
    put(zip, "PK\5\6\0\0\0\0", 8);
    put_little(zip, wide ? UINT16_MAX : count, 2);
    put_little(zip, wide ? UINT16_MAX : count, 2);
    put_little(zip, wide ? UINT32_MAX : end - directory, 4);
    put_little(zip, wide ? UINT32_MAX : directory, 4);
    put_little(zip, 0, 2);
}

/* An archive; with 64-bit numbers in the directory if it is `wide`. */
static inline struct image zip_made(const struct zipped *entry, size_t count, bool wide)
{
    struct image zip = {.size = 0};
    size_t local[16];
    for (size_t i = 0; i < count; i++) {
        local[i] = zip.size;
        put_zip_fields(&zip, &entry[i], false, false);
        put(&zip, entry[i].name, strlen(entry[i].name));
        if (entry[i].deflate) {
            put_little(&zip, 1, 1);
            put_little(&zip, entry[i].content->size, 2);
            put_little(&zip, ~(uint64_t)entry[i].content->size, 2);
        }
        put(&zip, entry[i].content->bytes, entry[i].content->size);
    }
    size_t directory = zip.size;
    for (size_t i = 0; i < count; i++)
        put_zip_directory(&zip, &entry[i], local[i], wide);
    put_zip_end(&zip, count, directory, wide);
    return zip;
}

static inline struct image zip_of(const struct zipped *entry, size_t count)
{
    return zip_made(entry, count, false);
}

/* Formats of good_arrays(): .npy, safetensors, .npz, .npz with 64-bit numbers. */
enum { GOOD_FORMATS = 4 };

/* A good file: "scores" [2, 2] and, but for .npy, "offsets" [3], which is deflated in a .npz. */
static inline struct image good_arrays(int format)
{
    static const float data[] = {1, 2, 3, -1};
    static const int64_t offsets[] = {0, 1, 2};
    struct image real = npy_of("<f4", "(2, 2)", data, sizeof data);
    struct image whole = npy_of("<i8", "(3,)", offsets, sizeof offsets);
    if (format == 0)
        return real;
    if (format == 1) {
        struct image both = {.size = 0};
        put(&both, data, sizeof data);
        put(&both, offsets, sizeof offsets);
        return safetensors_of("{\"__metadata__\":{\"format\":\"pt\"},\"offsets\":{\"dtype\":\"I64\",\"shape\":[3],"
                              "\"data_offsets\":[16,40]},\"scores\":{\"dtype\":\"F32\",\"shape\":[2,2],"
                              "\"data_offsets\":[0,16]}}",
                              both.bytes, both.size);
    }
    return zip_made((const struct zipped[]){{"scores.npy", &real, false}, {"offsets.npy", &whole, true}}, 2,
                    format == 3);
}

/* Opens a file of these bytes that the test keeps; fails the test if that fails. */
static inline struct array_file *must_open_image(const struct image *image)
{
    struct vouch_error why = {0};
    struct array_file *file = array_file_open_memory("made", image->bytes, image->size, &why);
    if (!file)
        fail_msg("%s", why.message);
    return file;
}

#endif
