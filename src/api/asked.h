/*
 * What the functions of vouch.h that work on files share: checking the options and files that were passed, and
 * returning a model or JSON.
 */
#ifndef VOUCH_API_ASKED_H
#define VOUCH_API_ASKED_H

#include "api/options_by_name.h"
#include "base/output.h"

#include <jansson.h>

/* Settings of our own, whose arguments are copies of the caller's names of files. */
struct asked {
    struct settings settings;
    char **file; /* [count] */
    size_t count;
};

/* Takes what the caller passed: options of that table, or NULL for the usual ones. Release in any case. */
bool asked_take(struct asked *asked, const vouch_options *options, const struct option_table *table,
                const char *const *files, size_t count, struct vouch_error *err);
void asked_release(struct asked *asked);

/* Whether a watch, which may be NULL, has its size. */
bool watch_is_whole(const struct vouch_watch *watch, struct vouch_error *err);

/* The text of a result, which is taken over, with as many digits as the program prints; NULL with an error. */
char *json_text(json_t *json, int digits, struct vouch_error *err);

/* The model that was written to memory, opened; `out` is freed. */
vouch_model *model_written(struct output *out, bool written, struct vouch_error *err);

#endif
