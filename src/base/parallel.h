/*
 * Runs numbered jobs in parallel: all at once, or as they come.
 *
 * Jobs are handed out in order, those that need others once they can begin. A thread has a number, by which a job finds
 * its own working memory. Results must depend on the job's number alone.
 *
 * Layers, held-out models and the fits of the committee are jobs that name those they need (parallel_run_when()). They
 * start as threads become free, instead of in steps that wait for the slowest, and the bytes do not depend on the
 * order.
 */
#ifndef VOUCH_BASE_PARALLEL_H
#define VOUCH_BASE_PARALLEL_H

#include "base/error.h"

#include <stdint.h>

typedef bool (*parallel_job)(void *context, uint32_t job, uint32_t thread, struct vouch_error *err);

/*
 * Runs `jobs` jobs on up to `threads` threads, the caller's among them; with one thread, none is started. False if a
 * job failed: no further job starts, and the error is that of the failed job with the lowest number.
 */
bool parallel_run(uint32_t threads, uint32_t jobs, parallel_job run, void *context, struct vouch_error *err);

/*
 * Does the same with jobs that need the results of earlier ones: a thread begins the first job for which ready() is
 * true. ready() is called by one thread at a time, and again whenever a job is done.
 */
typedef bool (*parallel_ready)(const void *context, uint32_t job, const bool *done /* [jobs] */);
bool parallel_run_when(uint32_t threads, uint32_t jobs, parallel_ready ready, parallel_job run, void *context,
                       struct vouch_error *err);

/*
 * A pool of threads runs jobs that come one after the other, and whose results are collected in the same order.
 *
 * Everything here is called by the thread that opened the pool, which adds jobs, lends a hand with them, and collects
 * them, the oldest first. A job has a slot, from 0 to room - 1, in which the caller puts the task and finds the result:
 * the slot is the caller's before the job is added and from when it is done until it is collected, and is the job's own
 * in between. Slots are used in turns.
 */
struct pool;

/* Opens a pool; `threads` counts the caller's, and with one thread, none is started. NULL on failure. */
struct pool *pool_open(uint32_t threads, uint32_t room, parallel_job run, void *context, struct vouch_error *err);
/* Waits for the jobs that have been begun; those that have not are dropped. NULL is allowed. */
void pool_close(struct pool *pool);

/* Returns the slot of a job that will be added after `ahead` others. At most the room less pool_jobs() may be added. */
uint32_t pool_slot(const struct pool *pool, uint32_t ahead);
void pool_add(struct pool *pool, uint32_t jobs);

/* Returns how many jobs have been added and not collected. */
uint32_t pool_jobs(const struct pool *pool);

/*
 * The state of the oldest job, of which there must be one, and its slot. After a job has failed, no later one is begun,
 * and the error is that of the first in order: a caller that collects up to a failed job sees what one thread would
 * have seen.
 */
enum job_state { JOB_OPEN, JOB_DONE, JOB_FAILED };
enum job_state pool_oldest(struct pool *pool, uint32_t *slot, struct vouch_error *err);
void pool_collect(struct pool *pool);

/* Runs a job that no thread has begun; if there is none, waits until the oldest, which must be open, is done. */
void pool_help(struct pool *pool);

/* A mutex: what is done between turns_take() and turns_leave() is done by one thread at a time. */
struct turns;
struct turns *turns_open(struct vouch_error *err);
void turns_take(struct turns *turns);
void turns_leave(struct turns *turns);
void turns_close(struct turns *turns); /* NULL is allowed */

/* Counts steps of work done by several threads, and tells the caller, one thread at a time. */
struct tally {
    void (*tell)(void *context, uint32_t done, uint32_t of); /* may be NULL */
    void *context;
    uint32_t of;
};
struct shared_tally;
struct shared_tally *tally_open(struct tally tally, struct vouch_error *err);
void tally_step(struct shared_tally *shared);
void tally_close(struct shared_tally *shared);

#endif
