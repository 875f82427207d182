/*
 * Reads the names of labels, in the order in which scores have them: a label on each line; or JSON, an array of names,
 * an object from numbers to names, or one that has such an object under "id2label", as the configuration of a model of
 * the Transformers library does.
 */
#ifndef VOUCH_CLI_LABEL_LIST_H
#define VOUCH_CLI_LABEL_LIST_H

#include "base/error.h"
#include "task/dictionary.h"

#include <stddef.h>

struct label_list {
    char **name; /* [count] */
    size_t count, capacity;
    struct dictionary seen; /* the same names */
    uint64_t line;          /* that was refused; 0: none, or JSON */
};

/* Reads the file; release the list in any case. */
bool label_list_read(struct label_list *list, const char *path, struct vouch_error *err);
void label_list_release(struct label_list *list);

#endif
