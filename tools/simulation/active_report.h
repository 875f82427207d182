/*
 * Prints, saves and draws what a simulation of active learning found.
 */
#ifndef VOUCH_SIMULATION_ACTIVE_REPORT_H
#define VOUCH_SIMULATION_ACTIVE_REPORT_H

#include "simulation/active_summary.h"

struct active_report {
    const struct active_plan *plan;
    const struct active_outcome *outcome;
    const struct active_summary *summary;
    const char *task, *score; /* "np", "F1" */
};

/* Prints the curves, at about a dozen points, and their summary. */
void active_report_print(const struct active_report *report);

/* Prints everything as JSON. */
void active_report_json(const struct active_report *report);

/* Writes a row for every measurement: method, repeat, sentences, words, score. */
bool active_report_csv(const struct active_report *report, const char *path, struct vouch_error *err);

/* Draws score over words, on a logarithmic scale. */
bool active_report_plot(const struct active_report *report, const char *path, struct vouch_error *err);

#endif
