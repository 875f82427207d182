/*
 * Declares what the commands that write files share.
 */
#ifndef VOUCH_CLI_SAVING_H
#define VOUCH_CLI_SAVING_H

#include "cli/cli.h"

#include <jansson.h>

/* Fails if two of the outputs that the options name are one file, even if it does not exist yet. */
bool saving_apart(const void *options, struct vouch_error *err);

/*
 * Whether the file can be written, and is none of the inputs: the arguments, and the files that options
 * name. Called before the work, so that a missing folder is not found an hour later.
 */
bool saving_possible(const char *output, const void *options, struct vouch_error *err);

/* Does the same for a model, which may replace the one that it is made from. */
bool saving_model_possible(const char *output, const void *options, struct vouch_error *err);

/* Does what saving_possible() does, for answers; NULL is standard output. */
bool saving_answers_possible(const char *output, const void *options, struct vouch_error *err);

/* Whether files can be written into the folder, which need not exist yet. */
bool saving_folder_possible(const char *folder, struct vouch_error *err);

/* Does what saving_possible() does, for a figure and the numbers beside it; gnuplot must be installed. */
bool saving_figure_possible(const char *output, const void *options, struct vouch_error *err);

/*
 * Reports and headers are built from many small JSON values, whose allocation is not checked one by one. Failures are
 * recorded instead: after saving_watch_memory(), saving_whole() is false if an allocation has failed.
 */
void saving_watch_memory(void);
bool saving_whole(struct vouch_error *err);

/*
 * Returns a string for the header; a byte that is not UTF-8 (file names may have some) becomes '?'. NULL if memory is
 * short.
 */
json_t *saving_text(const char *string);

#endif
