/*
 * Runs the steps of a study by Ninja: https://ninja-build.org.
 *
 * OUT/build.ninja has a statement for each step. It makes the step's record and files from the records of the steps
 * that it needs and from the files that no step makes, by the command
 *
 *     vouch step VERSION NAME [STEP ...] -- COMMAND [ARGUMENT ...]
 *
 * where the STEPs are those that chose parameters for it; its messages go to OUT/steps/NAME.err. Ninja runs a step if
 * something that it makes is not there or older than something that it is made from, or if its command was another one
 * the last time; the version is in the command for that reason. The program's path and its number of threads are in the
 * environment, since a change of these must not run steps again.
 */
#ifndef VOUCH_STUDY_NINJA_H
#define VOUCH_STUDY_NINJA_H

#include "study/study.h"

/* Writes OUT/build.ninja. */
bool ninja_write(const struct study *study, const char *out, struct vouch_error *err);

/* Finds out which steps would have to be run now: due[steps]. Nothing is written, but Ninja makes their folders. */
bool ninja_find_due(const struct study *study, const char *out, bool *due, struct vouch_error *err);

/* Runs the experiments that are wanted. A step that fails is no error here, but a missing Ninja is. */
bool ninja_run(const struct study_run *run, struct vouch_error *err);

#endif
