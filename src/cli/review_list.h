/*
 * Writes the list of `vouch review`: a table, JSON lines, or a page.
 */
#ifndef VOUCH_CLI_REVIEW_LIST_H
#define VOUCH_CLI_REVIEW_LIST_H

#include "base/output.h"
#include "review/listing.h"

bool listing_write_tsv(const struct listing *listing, struct output *out, struct vouch_error *err);
bool listing_write_jsonl(const struct listing *listing, struct output *out, struct vouch_error *err);

/* The texts of the page: how many errors to expect, what to do next, and by which command. */
struct listing_talk {
    char expected[300], next[300], command[1200];
};
void listing_write_page(const struct listing *listing, const struct listing_talk *talk, struct output *out);

#endif
