/*
 * Records of steps: what was run, from what, and what came of it.
 *
 *     OUT/steps/NAME.json = {"step", "command", "made_from", "made", "seconds", "cpu_seconds", "result"}
 *
 * "made_from" is a digest of all that the result depends on: the program's
 * version, the command, the steps that it needs (their digests), and the bytes
 * of the files that no step makes. "made" are the files that the step
 * wrote, with their sizes. A record holds if its digest is the one expected,
 * these files are there, and a step that is to choose a parameter chose one.
 */
#ifndef VOUCH_STUDY_STEP_RECORDS_H
#define VOUCH_STUDY_STEP_RECORDS_H

#include "study/study.h"

/* A step that waits, or is done. */
struct progress_of_step {
    uint64_t digest;         /* of what it is made from; known when all that it needs is done */
    struct strings argument; /* with the parameters that others chose */
    json_t *record;          /* NULL: not done */
};

/* Makes all folders that a path leads through. */
bool make_folders(const char *path, struct vouch_error *err);

/* Writes JSON to OUT/NAME, whole or not at all, and its folders. */
bool record_json(const char *out, const char *name, const json_t *value, struct vouch_error *err);

/*
 * All that a step needs being done, fills in its command line and digest, and takes its record if there is one that
 * holds. `of` [steps].
 */
bool step_settle(const struct study *study, const char *out, size_t step, struct progress_of_step *of,
                 struct vouch_error *err);

/* Takes the record of a step away, if there is one. */
bool step_forget(const struct study *study, const char *out, size_t step, struct vouch_error *err);

/* What came of a step. */
struct outcome_of_step {
    json_t *result;
    double seconds, cpu_seconds;
};

/* Makes and writes the record of a step that is done; takes the result. */
bool step_record_write(const struct study *study, const char *out, size_t step, struct progress_of_step *of,
                       const struct outcome_of_step *outcome, struct vouch_error *err);

/*
 * OUT/results.json: the settings, the datasets, the experiments all of whose steps are done, what optional steps that
 * failed said, and every step that is done, with command and result.
 */
bool study_keep_results(const struct study *study, const struct study_run *run, const struct progress_of_step *of,
                        struct vouch_error *err);

#endif
