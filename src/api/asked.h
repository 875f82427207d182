/*
 * Code shared by the functions of vouch.h that work on files: it checks the options and files that were passed, and
 * returns a model or JSON.
 */
#ifndef VOUCH_API_ASKED_H
#define VOUCH_API_ASKED_H

#include "options/rows.h"
#include "base/output.h"

#include <jansson.h>

/* Options that were set by name: options_by_name.c */
struct vouch_options {
    const struct option_table *table;
    void *values;               /* the job's struct */
    char *text[MAX_OPTIONS];    /* what options of kind OPTION_TEXT point to, once they are set */
    struct listed_text {
        const struct option_spec *spec;
        char *text;
    } *listed; /* [listed_count] the earlier values of options that may be set more than once */
    size_t listed_count, listed_capacity;
};

/* The arguments of a function of vouch.h that works on files. */
struct passed {
    const vouch_options *options; /* NULL: the usual ones */
    const char *const *files;
    size_t count;
    const struct vouch_watch *watch;  /* may be NULL */
    const struct option_table *table; /* the options must be of this table */
    const char *least;                /* what at least one file must be: "labelled file"; NULL: the job tells */
};

/* The library's own copy of a job's options, with the watch; their arguments are copies of the caller's file names. */
struct asked {
    void *options; /* the job's struct */
    char **file;   /* [count] */
    size_t count;
};

/* Checks and copies what was passed. Release in any case. */
bool asked_take(struct asked *asked, const struct passed *passed, struct vouch_error *err);
void asked_release(struct asked *asked);

/* Fails if options of answers that are in files were set, for a function that lets a model answer. */
bool asks_a_model(const char *columns, bool log, struct vouch_error *err);

/* Returns the text of a result, which is taken over, with as many digits as the program prints; NULL with an error. */
char *json_text(json_t *json, int digits, struct vouch_error *err);

/* Returns a copy of what was written to memory, to free(), NULL with an error; `out` is freed. */
char *written_text(struct output *out, bool written, struct vouch_error *err);

/* Returns the model that was written to memory, opened; `out` is freed. */
vouch_model *model_written(struct output *out, bool written, struct vouch_error *err);

#endif
