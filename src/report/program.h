/*
 * Other programs, run as children: gnuplot draws figures, Ninja runs the steps of a study.
 *
 * No shell comes into it. Streams are temporary files without a name, so that neither side waits for the other to read.
 */
#ifndef VOUCH_REPORT_PROGRAM_H
#define VOUCH_REPORT_PROGRAM_H

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

/* What a program reads, prints and says. Zero before program_streams_open(), and close in any case. */
struct program_streams {
    FILE *in, *out, *err;
};
bool program_streams_open(struct program_streams *streams, struct vouch_error *err);
void program_streams_close(struct program_streams *streams);

/* The whole of a stream, terminated, to free(). */
char *program_stream_text(FILE *stream, size_t *length, struct vouch_error *err);

struct program {
    char *const *argument; /* [..., NULL] from its name on, which is looked for as a shell would */
    int in, out, err;      /* file descriptors */
    const char *does;      /* for the message if it is not installed: "figures are drawn by" */
    const char *package;   /* that it is in */
    bool (*stop)(void);    /* asked all the time; once it says yes, the program is told to end. May be NULL */
};

/* Runs a program and waits for its end, *status as waitpid() has it. */
bool program_run(const struct program *program, int *status, struct vouch_error *err);

#endif
