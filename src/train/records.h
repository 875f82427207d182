/*
 * Makes the JSON records of learning: those that go with events, scores, strings for a model's header.
 */
#ifndef VOUCH_TRAIN_RECORDS_H
#define VOUCH_TRAIN_RECORDS_H

#include "base/watch.h"
#include "train/dataset.h"

#include <jansson.h>

/* Tells an event with a record, which is taken over; NULL, if there was no memory for it, is left out. */
void watch_record(const struct vouch_watch *watch, struct vouch_event event, json_t *record);

/* Returns a layer's scores: precision, recall and F1 where there are chunks, and accuracy. */
json_t *layer_score_json(const struct layer_score *score);

/*
 * Returns a string for a header; a byte that is not UTF-8 (file names may have some) becomes '?'. NULL: there was no
 * memory.
 */
json_t *header_text(const char *string);

/* Returns names of files as such strings. */
json_t *header_files(char *const *path, size_t paths);

#endif
