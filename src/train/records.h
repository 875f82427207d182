/*
 * What learning leaves behind as JSON: records that go with events, scores, strings for a model's header.
 */
#ifndef VOUCH_TRAIN_RECORDS_H
#define VOUCH_TRAIN_RECORDS_H

#include "base/watch.h"
#include "train/dataset.h"

#include <jansson.h>

/* Tells an event with a record, which is taken over; NULL, for which there was no memory, is left out. */
void watch_record(const struct vouch_watch *watch, struct vouch_event event, json_t *record);

/* What the weights of a layer achieve: precision, recall and F1 where there are chunks, and accuracy. */
json_t *layer_score_json(const struct layer_score *score);

/* A string for a header; a byte that is not UTF-8 (file names may have some) becomes '?'. NULL: there was no memory. */
json_t *header_text(const char *string);

/* Names of files as such strings. */
json_t *header_files(char *const *path, size_t paths);

#endif
