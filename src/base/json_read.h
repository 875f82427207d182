/*
 * Reading JSON into Jansson's values, without Jansson's reader: that one ends the process, or loses bytes, where memory
 * is missing within a token of 16 bytes and more, and a library must not.
 *
 * What is accepted, the values, and the texts, codes and places of errors are Jansson's (2.14), but a zero byte is
 * never accepted. Where memory is missing, the code is json_error_out_of_memory.
 */
#ifndef VOUCH_BASE_JSON_READ_H
#define VOUCH_BASE_JSON_READ_H

#include <jansson.h>
#include <stdbool.h>

/*
 * Returns the array or object that the text is, or NULL with the error filled in, which may be NULL. Flags are those of
 * Jansson: JSON_REJECT_DUPLICATES, JSON_DISABLE_EOF_CHECK, JSON_DECODE_ANY. If there is a value, error->position is
 * where it ends.
 */
json_t *json_read(const char *bytes, size_t length, size_t flags, json_error_t *error);

/* The same for a terminated text, and for a file, of which nothing can be told if there is no value. */
json_t *json_read_string(const char *text, size_t flags, json_error_t *error);
json_t *json_read_file(const char *path, size_t flags, json_error_t *error);

/* Whether memory was missing. */
static inline bool json_lacked_memory(const json_error_t *error)
{
    return json_error_code(error) == json_error_out_of_memory;
}

#endif
