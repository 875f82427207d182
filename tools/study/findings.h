/*
 * Writes the short answer: where the paper's methods win, where they lose, and what the CRF and the committee add.
 */
#ifndef VOUCH_STUDY_FINDINGS_H
#define VOUCH_STUDY_FINDINGS_H

#include "report/document.h"
#include "study/claims.h"

/* Writes paragraphs, each of which is left out if its numbers were not measured. */
void findings_write(struct document *document, const struct results *results, const struct claim claim[CLAIMS]);

#endif
