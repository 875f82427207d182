/*
 * Labelling a stream of sentences: in constant memory, on several threads, in
 * input order.
 */
#ifndef VOUCH_APPLY_LABEL_STREAM_H
#define VOUCH_APPLY_LABEL_STREAM_H

#include "corpus/reader.h"
#include "model/model.h"

/* Called for every sentence, in input order. `label` is NULL for a document mark. */
struct label_sink {
    bool (*take)(void *context, const struct sentence *sentence, const struct text *label, struct vouch_error *err);
    void *context;
};

bool label_stream(const struct vouch_model *model, struct reader *reader, uint32_t threads,
                  const struct label_sink *sink, struct vouch_error *err);

#endif
