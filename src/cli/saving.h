/*
 * What the commands that write files share.
 */
#ifndef VOUCH_CLI_SAVING_H
#define VOUCH_CLI_SAVING_H

#include "cli/cli.h"

#include <jansson.h>

/* Whether the outputs that the options name are different files, also where they do not exist yet. */
bool saving_apart(const struct settings *settings, struct vouch_error *err);

/*
 * Whether there is any use in the work: the file can be written (nobody wants to learn of a missing folder after an
 * hour), and is none of the inputs: `settings`' arguments, and the files that its options name.
 */
bool saving_possible(const char *output, const struct settings *settings, struct vouch_error *err);

/* The same of a model, which may take the place of the one that it is made from. */
bool saving_model_possible(const char *output, const struct settings *settings, struct vouch_error *err);

/* The same of answers, which may take the place of what was asked; NULL is standard output. */
bool saving_answers_possible(const char *output, const struct settings *settings, struct vouch_error *err);

/* Whether files can be written into the folder, which may yet have to be made. */
bool saving_folder_possible(const char *folder, struct vouch_error *err);

/* As saving_possible(), of a figure and the numbers beside it, and gnuplot is there. */
bool saving_figure_possible(const char *output, const struct settings *settings, struct vouch_error *err);

/*
 * Reports and headers are built from many small JSON values. Nobody asks after each whether there was memory for it, so
 * it is noted here: from saving_watch_memory() on, saving_whole() is false if one is missing.
 */
void saving_watch_memory(void);
bool saving_whole(struct vouch_error *err);

/* A string for the header; a byte that is not UTF-8 (file names may have some) becomes '?'. NULL is a missing one. */
json_t *saving_text(const char *string);

/* The files of the command line, as such strings. */
json_t *saving_files(const struct settings *settings);

#endif
