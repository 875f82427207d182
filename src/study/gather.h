/*
 * OUT/results.json: the settings, the datasets, the experiments all of whose steps are done, what optional steps that
 * failed said, and every step that is done, with command and result.
 */
#ifndef VOUCH_STUDY_GATHER_H
#define VOUCH_STUDY_GATHER_H

#include "study/study.h"

/* record[steps]: NULL where a step is not done. */
bool study_write_results(const struct study *study, const struct study_run *run, json_t *const *record,
                         struct vouch_error *err);

#endif
