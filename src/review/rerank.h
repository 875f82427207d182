/*
 * Ranks anew by what was decided: errors like those that were found come first, and labels like those that were
 * confirmed come later.
 */
#ifndef VOUCH_REVIEW_RERANK_H
#define VOUCH_REVIEW_RERANK_H

#include "review/review.h"

/* Changes the odds of all findings and trials of a review with decisions; does nothing where none was made. */
bool review_rerank(struct review *review, const struct held_out *held, struct vouch_error *err);

#endif
