/*
 * Prints how well trees were found.
 */
#ifndef VOUCH_CLI_TREE_REPORT_H
#define VOUCH_CLI_TREE_REPORT_H

#include "measure/tree_score.h"

/* Prints the table, and with `more` one row for each relation and one for each distance. */
void tree_report_print(const struct tree_score *score, bool labelled, bool more);

#endif
