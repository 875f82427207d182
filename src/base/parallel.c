/*
 * Runs work in parallel: see parallel.h. It uses POSIX threads, and is the only file that starts any.
 *
 * Jobs of a pool are numbered as they are added, and three counts tell where each of them is:
 *
 *     [ collected | begun, some of them finished | added | room ]
 *
 * One lock guards the counts and what is finished. A thread holds it between two jobs, never during one, and only
 * sleeping threads are woken: as long as there are jobs, a thread takes the lock once for each job.
 */
#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>

enum { MAX_THREADS = 256 };

struct helper {
    struct pool *pool;
    uint32_t number; /* from 1: 0 is the caller */
    pthread_t thread;
};

struct pool {
    parallel_job run;
    parallel_ready ready; /* NULL: jobs are begun in order */
    void *context;
    uint32_t room, helpers;
    struct helper *helper; /* [helpers] */

    pthread_mutex_t lock; /* of all that follows; `added` and `collected` change in the caller's thread alone */
    pthread_cond_t come;  /* jobs were added, or no more will be */
    pthread_cond_t done;  /* the oldest job is finished */
    uint64_t added, begun, collected; /* with `ready`, all jobs before `begun` are, and maybe later ones */
    bool *taken;                      /* [room] with `ready`: has been begun; else NULL */
    bool *finished;                   /* [room] */
    uint32_t idle;                    /* helpers that wait for jobs */
    bool waiting;                     /* the caller waits for the oldest job */
    bool closing;                     /* no job is to be begun any more */
    uint64_t failed;                  /* lowest number of a failed job, */
    struct vouch_error error;         /* and its error */
};

static bool can_begin(const struct pool *pool)
{
    return pool->begun < pool->added && pool->failed == UINT64_MAX && !pool->closing;
}

/* Finds the first job that is ready, and begins it; false if there is none now. */
static bool begin_job(struct pool *pool, uint64_t *job)
{
    if (!can_begin(pool))
        return false;
    *job = pool->begun;
    if (!pool->ready) {
        pool->begun++;
        return true;
    }
    while (*job < pool->added && (pool->taken[*job] || !pool->ready(pool->context, (uint32_t)*job, pool->finished)))
        ++*job;
    if (*job == pool->added)
        return false;
    pool->taken[*job] = true;
    while (pool->begun < pool->added && pool->taken[pool->begun])
        pool->begun++;
    return true;
}

/* Runs a job that has been begun. The lock is held before and after. */
static void run_job(struct pool *pool, uint64_t job, uint32_t thread)
{
    struct vouch_error err = {0};
    uint32_t slot = (uint32_t)(job % pool->room);
    pthread_mutex_unlock(&pool->lock);
    bool ok = pool->run(pool->context, slot, thread, &err);
    pthread_mutex_lock(&pool->lock);
    pool->finished[slot] = true;
    if (!ok && job < pool->failed) {
        pool->failed = job;
        pool->error = err;
    }
    if (pool->ready)
        pthread_cond_broadcast(&pool->come);
    if (pool->waiting && job == pool->collected)
        pthread_cond_signal(&pool->done);
}

static void *assist(void *argument)
{
    struct helper *helper = argument;
    struct pool *pool = helper->pool;
    uint64_t job;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        if (begin_job(pool, &job)) {
            run_job(pool, job, helper->number);
        } else {
            pool->idle++;
            pthread_cond_wait(&pool->come, &pool->lock);
            pool->idle--;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

struct pool *pool_open(uint32_t threads, uint32_t room, parallel_job run, void *context, struct vouch_error *err)
{
    struct pool *pool = new_array(1, sizeof *pool, err);
    if (!pool)
        return NULL;
    *pool = (struct pool){.run = run, .context = context, .room = room, .failed = UINT64_MAX};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->come, NULL);
    pthread_cond_init(&pool->done, NULL);
    uint32_t wanted = threads > MAX_THREADS ? MAX_THREADS : threads;
    pool->finished = new_array(room, sizeof *pool->finished, err);
    pool->helper = new_array(wanted, sizeof *pool->helper, err);
    if (!pool->finished || !pool->helper) {
        pool_close(pool);
        return NULL;
    }
    while (pool->helpers + 1 < wanted) {
        struct helper *helper = &pool->helper[pool->helpers];
        *helper = (struct helper){.pool = pool, .number = pool->helpers + 1};
        if (pthread_create(&helper->thread, NULL, assist, helper) != 0)
            break; /* fewer threads do the same work */
        pool->helpers++;
    }
    return pool;
}

/* Lets the helpers finish what they have begun. */
static void dismiss(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->come);
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->helpers; i++)
        pthread_join(pool->helper[i].thread, NULL);
    pool->helpers = 0;
}

void pool_close(struct pool *pool)
{
    if (!pool)
        return;
    dismiss(pool);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->come);
    pthread_mutex_destroy(&pool->lock);
    free(pool->finished);
    free(pool->taken);
    free(pool->helper);
    free(pool);
}

uint32_t pool_jobs(const struct pool *pool)
{
    return (uint32_t)(pool->added - pool->collected);
}

uint32_t pool_slot(const struct pool *pool, uint32_t ahead)
{
    return (uint32_t)((pool->added + ahead) % pool->room);
}

void pool_add(struct pool *pool, uint32_t jobs)
{
    pthread_mutex_lock(&pool->lock);
    for (uint32_t i = 0; i < jobs; i++)
        pool->finished[pool_slot(pool, i)] = false;
    pool->added += jobs;
    if (pool->idle > 0 && jobs == 1)
        pthread_cond_signal(&pool->come);
    else if (pool->idle > 0)
        pthread_cond_broadcast(&pool->come);
    pthread_mutex_unlock(&pool->lock);
}

enum job_state pool_oldest(struct pool *pool, uint32_t *slot, struct vouch_error *err)
{
    *slot = (uint32_t)(pool->collected % pool->room);
    pthread_mutex_lock(&pool->lock);
    bool failed = pool->failed == pool->collected;
    enum job_state state = failed ? JOB_FAILED : pool->finished[*slot] ? JOB_DONE : JOB_OPEN;
    if (failed && err)
        *err = pool->error;
    pthread_mutex_unlock(&pool->lock);
    return state;
}

void pool_collect(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->collected++;
    pthread_mutex_unlock(&pool->lock);
}

void pool_help(struct pool *pool)
{
    uint64_t job;
    pthread_mutex_lock(&pool->lock);
    if (begin_job(pool, &job)) {
        run_job(pool, job, 0);
    } else {
        pool->waiting = true;
        while (!pool->finished[pool->collected % pool->room])
            pthread_cond_wait(&pool->done, &pool->lock);
        pool->waiting = false;
    }
    pthread_mutex_unlock(&pool->lock);
}

bool parallel_run(uint32_t threads, uint32_t jobs, parallel_job run, void *context, struct vouch_error *err)
{
    return parallel_run_when(threads, jobs, NULL, run, context, err);
}

bool parallel_run_when(uint32_t threads, uint32_t jobs, parallel_ready ready, parallel_job run, void *context,
                       struct vouch_error *err)
{
    struct pool *pool = pool_open(threads < jobs ? threads : jobs, jobs, run, context, err);
    uint64_t job;
    if (!pool)
        return false;
    if (ready && !(pool->taken = new_array(jobs, sizeof *pool->taken, err))) {
        pool_close(pool);
        return false;
    }
    pthread_mutex_lock(&pool->lock);
    pool->ready = ready;
    pool->added = jobs;
    pthread_cond_broadcast(&pool->come);
    while (can_begin(pool))
        if (begin_job(pool, &job))
            run_job(pool, job, 0);
        else
            pthread_cond_wait(&pool->come, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    dismiss(pool);
    bool ok = pool->failed == UINT64_MAX;
    if (!ok && err)
        *err = pool->error;
    pool_close(pool);
    return ok;
}

struct turns {
    pthread_mutex_t lock;
};

struct turns *turns_open(struct vouch_error *err)
{
    struct turns *turns = new_array(1, sizeof *turns, err);
    if (turns)
        pthread_mutex_init(&turns->lock, NULL);
    return turns;
}

void turns_take(struct turns *turns)
{
    pthread_mutex_lock(&turns->lock);
}

void turns_leave(struct turns *turns)
{
    pthread_mutex_unlock(&turns->lock);
}

void turns_close(struct turns *turns)
{
    if (turns)
        pthread_mutex_destroy(&turns->lock);
    free(turns);
}

struct shared_tally {
    struct tally tally;
    uint32_t done;
    pthread_mutex_t lock;
};

struct shared_tally *tally_open(struct tally tally, struct vouch_error *err)
{
    struct shared_tally *shared = new_array(1, sizeof *shared, err);
    if (shared) {
        shared->tally = tally;
        pthread_mutex_init(&shared->lock, NULL);
    }
    return shared;
}

void tally_step(struct shared_tally *shared)
{
    pthread_mutex_lock(&shared->lock);
    shared->done++;
    if (shared->tally.tell)
        shared->tally.tell(shared->tally.context, shared->done, shared->tally.of);
    pthread_mutex_unlock(&shared->lock);
}

void tally_close(struct shared_tally *shared)
{
    if (shared)
        pthread_mutex_destroy(&shared->lock);
    free(shared);
}
