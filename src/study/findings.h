/*
 * The short answer: where the paper's methods win, where they lose, and what the CRF and the committee add.
 */
#ifndef VOUCH_STUDY_FINDINGS_H
#define VOUCH_STUDY_FINDINGS_H

#include "report/document.h"
#include "study/claims.h"

/* As paragraphs, each left out if nothing was measured that it could say. */
void findings_write(struct document *document, const struct results *results, const struct claim claim[CLAIMS]);

#endif
