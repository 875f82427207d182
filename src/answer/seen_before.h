/*
 * Warns that a model has learned from a file: figures measured, or calibrated, on it look better than they are.
 */
#ifndef VOUCH_ANSWER_SEEN_BEFORE_H
#define VOUCH_ANSWER_SEEN_BEFORE_H

#include "model/model.h"

/* Warns of each of the files that the model was trained on; `then` tells the consequence. */
void warn_of_training(const struct vouch_watch *watch, const struct vouch_model *model, char *const *path, size_t paths,
                      const char *then);

/*
 * Fails if the model's confidence was fitted on one of the files, by its name: a promise made on them would not hold.
 */
bool refuse_fitted_on(const struct vouch_model *model, char *const *path, size_t paths, struct vouch_error *err);

/* Warns that the model has none of the gold labels of the files that it is measured on. */
void warn_of_unknown_labels(const struct vouch_watch *watch);

/* Warns if half of the sentences (of file `where`, if not NULL) were learned from; `then` tells the consequence. */
void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then);

#endif
