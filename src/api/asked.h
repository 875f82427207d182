/*
 * Code shared by the functions of vouch.h that work on files: it checks the options and files that were passed, and
 * returns a model or JSON.
 */
#ifndef VOUCH_API_ASKED_H
#define VOUCH_API_ASKED_H

#include "options/rows.h"
#include "base/output.h"

#include <jansson.h>

/* Returns the job's struct of options that were set by name, as it is now, and its table. Owned by `options`. */
const void *vouch_options_values(const vouch_options *options);
const struct option_table *vouch_options_table(const vouch_options *options);

/* The library's own copy of a job's options, whose arguments are copies of the caller's file names. */
struct asked {
    void *options; /* the job's struct */
    char **file;   /* [count] */
    size_t count;
};

/* Takes the caller's options of that table, or NULL for the usual ones, and files. Release in any case. */
bool asked_take(struct asked *asked, const vouch_options *options, const struct option_table *table,
                const char *const *files, size_t count, struct vouch_error *err);
void asked_release(struct asked *asked);

/* Fails if a watch, which may be NULL, is smaller than its type. */
bool watch_is_whole(const struct vouch_watch *watch, struct vouch_error *err);

/* Returns the text of a result, which is taken over, with as many digits as the program prints; NULL with an error. */
char *json_text(json_t *json, int digits, struct vouch_error *err);

/* Returns the model that was written to memory, opened; `out` is freed. */
vouch_model *model_written(struct output *out, bool written, struct vouch_error *err);

#endif
