/*
 * Writes the report of a study: tables, figures and one page, also as Markdown, made of OUT/results.json alone.
 */
#ifndef VOUCH_STUDY_REPORT_H
#define VOUCH_STUDY_REPORT_H

#include "base/error.h"

/*
 * Reads OUT/results.json and writes OUT/tables/NAME.md and .csv, OUT/figures/NAME.svg and .dat, OUT/report.md and
 * OUT/report.html, each whole or not at all, the page last. Numbers that were not measured are left out, and the page
 * tells which experiments were not run. Without gnuplot there are no figures, and the page tells this.
 */
bool study_report(const char *out, struct vouch_error *err);

#endif
