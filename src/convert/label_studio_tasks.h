/*
 * Label Studio's tasks, one by one, for files of them (label_studio_tasks.c) and for a server that is sent some.
 */
#ifndef VOUCH_CONVERT_LABEL_STUDIO_TASKS_H
#define VOUCH_CONVERT_LABEL_STUDIO_TASKS_H

#include "convert/json_documents.h"

/* Reads a task: a document for every annotation and prediction, or one without an answer if there is none. */
bool read_label_studio_task(const struct json_document *document, struct vouch_error *err);

/*
 * Writes the array of regions and relations that a document is as a "result". `spans`, `words` and `text` are the names
 * that the labelling interface gives to the control of spans, to that of words, for trees, and to the text.
 */
struct label_studio_names {
    const char *spans, *words, *text;
};
extern const struct label_studio_names label_studio_names; /* "label", "upos", "text" */
bool write_label_studio_result(struct output *out, const struct annotated *doc, const struct label_studio_names *names,
                               struct vouch_error *err);

#endif
