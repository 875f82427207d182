/*
 * The file of a checkpoint: arrays of weights as they were after a pass, and a note about them.
 *
 *     0   magic "VOUCH\r\nC", format version, byte order mark
 *    16   digest of the voice, steps, pass, the step that is now, length of the note, number of arrays
 *    48   the note (JSON text)
 *         each array: number of weights, and what they are at the start; then for every 32 weights a mask of those that
 *         are something else, bit by bit, and these
 *         checksum of all of it
 *
 * It is written on the machine that reads it, or on one like it. Time: linear in the weights. Memory: none to write,
 * the file to read.
 */
#ifndef VOUCH_TRAIN_VOICE_FILE_H
#define VOUCH_TRAIN_VOICE_FILE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { VOICE_FILE_VERSION = 1, VOICE_ARRAYS = 6 };

/* The weights of one kind. */
struct voice_array {
    float *at; /* [count]; NULL: not there, and then the count is 0 */
    size_t count;
    float start; /* their value before anything was learned */
};

struct voice_record {
    uint64_t digest; /* digest of what is learned, and from what */
    uint64_t steps;
    uint32_t pass;
    float now;
    char *note;
    struct voice_array array[VOICE_ARRAYS];
};

/* Writes a file, whole or not at all. */
bool voice_file_write(const char *path, const struct voice_record *record, struct vouch_error *err);

/*
 * Reads a file of the digest `record->digest`. The arrays have room for their counts, which the file must have as well;
 * one that the file does not have gets the count 0, and its weights stay. The note is to free(). A file that is damaged
 * or of another voice is VOUCH_ERR_FORMAT.
 */
bool voice_file_read(const char *path, struct voice_record *record, struct vouch_error *err);

#endif
