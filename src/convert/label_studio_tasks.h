/*
 * Label Studio's tasks, one by one, for files of them (label_studio_tasks.c) and for a server that is sent some.
 */
#ifndef VOUCH_CONVERT_LABEL_STUDIO_TASKS_H
#define VOUCH_CONVERT_LABEL_STUDIO_TASKS_H

#include "convert/json_documents.h"

/* What labelling interfaces call the control of spans, unless --layer says otherwise, and that of words, for trees. */
#define LABEL_STUDIO_SPANS "label"
#define LABEL_STUDIO_WORDS "upos"

/* Reads a task: a document for every annotation and prediction, or one without an answer if there is none. */
bool read_label_studio_task(const struct json_document *document, struct vouch_error *err);

#endif
