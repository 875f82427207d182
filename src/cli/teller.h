/*
 * Shows the library's events: a line of progress that is redrawn, lines on standard error, and the log of --log.
 */
#ifndef VOUCH_CLI_TELLER_H
#define VOUCH_CLI_TELLER_H

#include "cli/cli.h"

#include <stdio.h>

/* Zero it before first use; it must stay where it is as long as the watch is used. */
struct teller {
    const struct options *options;
    const char *log_name;
    struct progress progress;
    FILE *log; /* JSON lines; NULL: none */
};

/* Returns a watch that shows events as the options ask for, and stops at Ctrl-C once interrupt_catch() was called. */
struct vouch_watch teller_watch(struct teller *teller, const void *options);

/* Opens the file of --log, if it is given (else NULL); false: it cannot be written. */
bool teller_log_open(struct teller *teller, const char *path, struct vouch_error *err);

/* Closes it, if it is open; false: not all of it was written. */
bool teller_log_close(struct teller *teller, struct vouch_error *err);

#endif
