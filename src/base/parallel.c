/* Work in parallel: see parallel.h. POSIX threads; the only file that starts any. */
#include "base/parallel.h"

#include "base/memory.h"

#include <pthread.h>

enum { MAX_THREADS = 256 };

struct crew {
    pthread_mutex_t lock;
    uint32_t next, jobs;
    uint32_t failed; /* lowest number of a failed job */
    struct vouch_error error;
    parallel_job run;
    void *context;
};

struct worker {
    struct crew *crew;
    uint32_t number;
    pthread_t thread;
};

static bool take(struct crew *crew, uint32_t *job)
{
    pthread_mutex_lock(&crew->lock);
    bool more = crew->next < crew->jobs && crew->failed == UINT32_MAX;
    if (more)
        *job = crew->next++;
    pthread_mutex_unlock(&crew->lock);
    return more;
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct crew *crew = worker->crew;
    uint32_t job;
    while (take(crew, &job)) {
        struct vouch_error err = {0};
        if (crew->run(crew->context, job, worker->number, &err))
            continue;
        pthread_mutex_lock(&crew->lock);
        if (job < crew->failed) {
            crew->failed = job;
            crew->error = err;
        }
        pthread_mutex_unlock(&crew->lock);
    }
    return NULL;
}

bool parallel_run(uint32_t threads, uint32_t jobs, parallel_job run, void *context, struct vouch_error *err)
{
    struct crew crew = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .jobs = jobs, .failed = UINT32_MAX, .run = run, .context = context};
    struct worker worker[MAX_THREADS];
    uint32_t wanted = threads < jobs ? threads : jobs, started = 1;
    if (wanted > MAX_THREADS)
        wanted = MAX_THREADS;
    worker[0] = (struct worker){.crew = &crew, .number = 0};
    for (; started < wanted; started++) {
        worker[started] = (struct worker){.crew = &crew, .number = started};
        if (pthread_create(&worker[started].thread, NULL, work, &worker[started]) != 0)
            break; /* fewer threads do the same work */
    }
    work(&worker[0]);
    for (uint32_t i = 1; i < started; i++)
        pthread_join(worker[i].thread, NULL);
    pthread_mutex_destroy(&crew.lock);
    if (crew.failed != UINT32_MAX && err)
        *err = crew.error;
    return crew.failed == UINT32_MAX;
}

struct tally_keeper {
    struct tally tally;
    uint32_t done;
    pthread_mutex_t lock;
};

struct tally_keeper *tally_open(struct tally tally, struct vouch_error *err)
{
    struct tally_keeper *keeper = new_array(1, sizeof *keeper, err);
    if (keeper) {
        keeper->tally = tally;
        pthread_mutex_init(&keeper->lock, NULL);
    }
    return keeper;
}

void tally_step(struct tally_keeper *keeper)
{
    pthread_mutex_lock(&keeper->lock);
    keeper->done++;
    if (keeper->tally.tell)
        keeper->tally.tell(keeper->tally.context, keeper->done, keeper->tally.of);
    pthread_mutex_unlock(&keeper->lock);
}

void tally_close(struct tally_keeper *keeper)
{
    if (keeper)
        pthread_mutex_destroy(&keeper->lock);
    free(keeper);
}
