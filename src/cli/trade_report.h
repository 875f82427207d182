/*
 * Writes curves of precision against recall as text, CSV and figures.
 */
#ifndef VOUCH_CLI_TRADE_REPORT_H
#define VOUCH_CLI_TRADE_REPORT_H

#include "trade/trade_summary.h"

/* Prints the unchanged figures, some rows of every curve, and the gain for one point of F1. */
void trade_report_print(const struct trade *trade);

/* Writes all points of all curves. */
bool trade_report_csv(const struct trade *trade, const char *path, struct vouch_error *err);

/* Draws precision over recall, a line for each method. */
bool trade_report_plot(const struct trade *trade, const char *path, struct vouch_error *err);

#endif
