/*
 * The record of a step holds what was run, and its result:
 *
 *     OUT/steps/NAME.json = {"step", "command", "seconds", "cpu_seconds", "result"}
 *
 * The result is the JSON that the command printed; for one that writes a
 * training log it is {"passes", "tuned"}, made of the log's events.
 */
#ifndef VOUCH_STUDY_RECORD_H
#define VOUCH_STUDY_RECORD_H

#include "study/study.h"

#include <stdio.h>

/* Writes JSON to OUT/NAME, whole or not at all. */
bool study_write_json(const char *out, const char *name, const json_t *value, struct vouch_error *err);

/* Returns the record of a step; NULL if it is not there, or damaged. */
json_t *record_read(const char *out, const char *step);

/* Adds the parameter that a step chose, by its record: "--phi" and "0.3". */
bool record_add_chosen(const json_t *record, const char *step, struct strings *argument, struct vouch_error *err);

/* Returns the result of a command that succeeded: what it printed or, unless that is NULL, what its log has. */
json_t *record_result(FILE *printed, const char *log, struct vouch_error *err);

/* A step that is done. */
struct step_done {
    const char *name;
    const struct strings *argument; /* of the program, from the command's name on */
    double seconds, cpu_seconds;
    json_t *result;
};
bool record_write(const char *out, const struct step_done *step, struct vouch_error *err);

/*
 * Writes OUT/results.json: the settings, the datasets, the experiments all of whose steps are done, the messages of
 * optional steps that failed, and the record of every step that is done; record[steps], NULL where it is not.
 */
bool study_write_results(const struct study *study, const struct study_run *run, json_t *const *record,
                         struct vouch_error *err);

#endif
