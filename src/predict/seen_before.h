/*
 * Warnings that a model has learned from a file: what is measured or calibrated on it looks better than it is.
 */
#ifndef VOUCH_PREDICT_SEEN_BEFORE_H
#define VOUCH_PREDICT_SEEN_BEFORE_H

#include "model/model.h"

/* Warns of each of the files that the model was trained on; `then` says what comes of it. */
void warn_of_training(const struct vouch_watch *watch, const struct vouch_model *model, char *const *path, size_t paths,
                      const char *then);

/* Fails if the model's confidence was fitted on one of the files, by its name: what they promise would not hold. */
bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err);

/* Warns that the model knows none of the gold labels of the files that it is measured on. */
void warn_of_unknown_labels(const struct vouch_watch *watch);

/* Warns if half of the sentences (of file `where`, if not NULL) were learned from; `then` says what comes of it. */
void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then);

#endif
