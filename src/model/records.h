/* Makes the JSON records of learning: those that go with events, and strings for a model's header. */
#ifndef VOUCH_MODEL_RECORDS_H
#define VOUCH_MODEL_RECORDS_H

#include "base/watch.h"

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

/* Returns names of files as such strings. */
json_t *header_files(char *const *path, size_t paths);

#endif
