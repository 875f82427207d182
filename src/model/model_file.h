/*
 * The frame of a model file: a header and sections of bytes. vouch-model(5) is its specification.
 *
 *     0   magic "VOUCH\r\n\x1a", format version, byte order mark
 *    16   file size, place and length of the header, number of sections, checksum of header and table
 *    64   section table: name, offset, length, checksum
 *         the header (JSON text), then the sections, each at a multiple of 64 bytes
 *
 * Opening copies the file into memory and checks the frame and bounds; model_file_verify() checks the sections. Mapping
 * would avoid the copy, but if a mapped file is shortened, every program that uses it is ended by SIGBUS, from which a
 * library cannot protect its host. What is unfolded from a file is not shared between processes (threads share it),
 * lies on large pages, and nothing that happens to the file matters any more.
 */
#ifndef VOUCH_MODEL_MODEL_FILE_H
#define VOUCH_MODEL_MODEL_FILE_H

#include "base/error.h"
#include "base/output.h"

enum { MODEL_FORMAT_VERSION = 2, MAX_SECTIONS = 64 };

/* A section to write. */
struct section {
    const char *name; /* at most 23 bytes */
    const void *bytes;
    uint64_t length;
};

/* Writes a whole file; `out` stays open. */
void model_file_write(struct output *out, const char *header, const struct section *section, uint32_t sections);

/* An open file: a copy in memory, which does not change when the file does. */
struct model_file {
    unsigned char *bytes; /* [size] */
    uint64_t size;
    char *name; /* for messages */
    const char *header;
    uint64_t header_length;
    uint32_t sections;
};

bool model_file_open(struct model_file *file, const char *path, struct vouch_error *err);
bool model_file_open_memory(struct model_file *file, const void *bytes, size_t length, struct vouch_error *err);
void model_file_close(struct model_file *file);

/* Finds the section of that name as an array of elements of `size` bytes; fails if it is not there or does not fit. */
bool model_file_section(const struct model_file *file, const char *name, size_t size, const void **array,
                        uint64_t *count, struct vouch_error *err);

/* Returns a digest of the file, by the checksums that it has of all its contents. */
uint64_t model_file_digest(const struct model_file *file);

/* Compares every checksum. */
bool model_file_verify(const struct model_file *file, struct vouch_error *err);

#endif
