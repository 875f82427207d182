/*
 * Answering labelled files, one after the other: the loop that whatever compares a model's answers with gold shares.
 */
#ifndef VOUCH_USE_ANSWER_FILES_H
#define VOUCH_USE_ANSWER_FILES_H

#include "predict/answer_stream.h"

struct file_answering {
    const struct vouch_model *model;
    const struct estimator *estimator; /* may be NULL */
    struct reader_options reading;     /* settled by model_input_settle() */
    uint32_t threads;
    const struct vouch_watch *watch;                /* asked at every sentence whether to stop; may be NULL */
    void (*begin)(void *context, const char *path); /* told of every file before it is read; may be NULL */
    void *context;
};

/* Standard input if there is no path. Fails where the model would look at the gold column. */
bool answer_files(const struct file_answering *how, char *const *path, size_t paths, const struct answer_sink *sink,
                  struct vouch_error *err);

#endif
