/*
 * Learns from the annotations of a Label Studio project.
 *
 * Of each task counts one annotation: the ground truth if one is marked as that, else the latest that is not skipped.
 * The text is cut into words by the same rule as for predictions; a span that ends inside of a word takes the whole
 * word. A task that cannot be read is left out, and counted. Names are learned as chunks; trees give a tagger of parts
 * of speech, too, unless there is one label alone.
 *
 * With a model to go on from, it is vouch train --from; else a model is learned from the annotations alone.
 */
#ifndef VOUCH_SERVE_ANNOTATED_TRAINING_H
#define VOUCH_SERVE_ANNOTATED_TRAINING_H

#include "base/buffer.h"
#include "serve/label_config.h"

struct annotated_training {
    const struct label_config *config;
    const vouch_model *base; /* to go on from, NULL: none; and its file: */
    const char *base_path;
    const char *base_tagger_path; /* for trees, that of the tagger */
    const struct vouch_watch *watch;
};

struct annotated_models {
    vouch_model *model, *tagger; /* the caller's to close; there may be no tagger */
    uint64_t tasks, left_out;    /* learned from; and not, since they could not be read */
    struct vouch_error why;      /* the first of those was left out */
};

/* Learns from tasks as Label Studio exports them. */
bool annotated_train(const struct annotated_training *training, const struct buffer *export,
                     struct annotated_models *models, struct vouch_error *err);

#endif
