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

/* Counts steps of work done by several threads, and tells somebody, one thread at a time. */
struct tally {
    void (*tell)(void *context, uint32_t done, uint32_t of); /* may be NULL */
    void *context;
    uint32_t of;
};
struct tally_keeper;
struct tally_keeper *tally_open(struct tally tally, struct vouch_error *err);
void tally_step(struct tally_keeper *keeper);
void tally_close(struct tally_keeper *keeper);

#endif
