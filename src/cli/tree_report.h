/*
 * Printing how well trees were found.
 */
#ifndef VOUCH_CLI_TREE_REPORT_H
#define VOUCH_CLI_TREE_REPORT_H

#include "measure/tree_score.h"

/* The table, and with `more` one row a relation and one a distance. */
void tree_report_print(const struct tree_score *score, bool labelled, bool more);

#endif
