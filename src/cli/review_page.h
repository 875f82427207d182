/*
 * Writes the list of `vouch review` as a page.
 */
#ifndef VOUCH_CLI_REVIEW_PAGE_H
#define VOUCH_CLI_REVIEW_PAGE_H

#include "review/review.h"

/* The texts of the page: how many errors to expect, what to do next, and by which command. */
struct review_talk {
    char expected[300], next[300], command[1200];
};
void review_page_write(const struct review_list *list, const struct review_talk *talk, struct output *out);

#endif
