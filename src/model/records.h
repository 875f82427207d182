/* Makes the JSON records of learning: those that go with events, and strings for a model's header. */
#ifndef VOUCH_MODEL_RECORDS_H
#define VOUCH_MODEL_RECORDS_H

#include "base/watch.h"
#include "core/sentence.h"

#include <jansson.h>

/* Tells an event with a record, which is taken over; NULL, if there was no memory for it, is left out. */
void watch_record(const struct vouch_watch *watch, struct vouch_event event, json_t *record);

/*
 * Returns a string for a header; a byte that is not UTF-8 (file names may have some) becomes '?', the path of a file
 * that is only open, /proc/self/fd/N, "(memory)". NULL: there was no memory.
 */
json_t *header_text(const char *string);

/* Returns a number; null if it is not finite, which JSON has no word for. */
json_t *figure_json(double figure);

/*
 * A closed set of digests of sentences as a string: eight hexadecimal digits for each, the upper half of its digest, so
 * that 3,000 sentences take 24 kB in a header. Two sentences have the same half once in four billion times, which does
 * not matter where the question is whether half of a text is known. digests_read() makes a set of these halves, to be
 * asked for kept_digest(); release it in any case.
 */
json_t *digests_json(const struct digest_set *set);
bool digests_read(const json_t *string, struct digest_set *set, struct vouch_error *err);

static inline uint64_t kept_digest(uint64_t digest)
{
    return digest >> 32;
}

/* Sets a member of an object to a value, which is taken over. Fails without memory, and if the name is not UTF-8. */
bool set_named(json_t *object, struct text name, json_t *value, struct vouch_error *err);

/* Returns names of files as such strings. */
json_t *header_files(char *const *path, size_t paths);

#endif
