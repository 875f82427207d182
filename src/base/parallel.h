/*
 * Work in parallel over numbered jobs.
 *
 * Jobs are handed out in order. A thread has a number, by which a job finds
 * its own working memory. Results must depend on the job's number alone.
 */
#ifndef VOUCH_BASE_PARALLEL_H
#define VOUCH_BASE_PARALLEL_H

#include "base/error.h"

#include <stdint.h>

typedef bool (*parallel_job)(void *context, uint32_t job, uint32_t thread, struct vouch_error *err);

/*
 * Runs `jobs` jobs on up to `threads` threads, the caller's among them; with
 * one thread, none is started. False if a job failed: no further job starts,
 * and the error is that of the failed job with the lowest number.
 */
bool parallel_run(uint32_t threads, uint32_t jobs, parallel_job run, void *context, struct vouch_error *err);

#endif
