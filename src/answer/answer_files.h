/*
 * Answers labelled files, one after the other: the loop shared by all that compares a model's answers with gold.
 */
#ifndef VOUCH_ANSWER_ANSWER_FILES_H
#define VOUCH_ANSWER_ANSWER_FILES_H

#include "answer/answer_stream.h"

struct file_answering {
    const struct vouch_model *model;
    const struct estimator *estimator; /* may be NULL */
    struct reader_options reading;     /* settled by model_input_settle() */
    uint32_t threads;
    const struct vouch_watch *watch;                /* checked at every sentence for a request to stop; may be NULL */
    void (*begin)(void *context, const char *path); /* called with every file before it is read; may be NULL */
    void *context;
};

/* Answers the files, or standard input if there is no path. Fails where the model would look at the gold column. */
bool answer_files(const struct file_answering *how, char *const *path, size_t paths, const struct answer_sink *sink,
                  struct vouch_error *err);

#endif
