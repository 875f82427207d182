/*
 * The page of vouch review: one file, in which suspects are decided and the table is saved that --apply and --decided
 * read. Where the program was built without npm, or a table cannot hold the corpus, the page is a list to be read.
 */
#ifndef VOUCH_CLI_REVIEW_PAGE_H
#define VOUCH_CLI_REVIEW_PAGE_H

#include "base/output.h"
#include "review/review.h"

/* What is said of a list: what it has, how many errors there are, what to do next, and by which command. */
struct review_talk {
    char listed[300], errors[300], next[300], command[1200];
    char table[300]; /* the name of the table */
    char how[80];    /* options that say how the files are to be read */
};

/* Returns why nothing can be decided on a page about these files; NULL: it can. */
const char *review_page_limit(const struct review *review);

/* Makes a name: "corrected" with the extension of the corpus. */
const char *corrected_name(const char *corpus, char *name, size_t room);

bool review_page_write(const struct review *review, const struct review_talk *talk, struct output *out,
                       struct vouch_error *err);

#endif
