/* Threads for what takes long: see crew.h. */
#include "serve/crew.h"

#include "base/memory.h"

#include <pthread.h>

struct crew {
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t come;  /* a task was added, a job has ended, or no more will come */
    struct task *first, **last;
    uint32_t room[2], taken[2]; /* places for texts and jobs; how many are reserved */
    uint32_t jobs;              /* that run now */
    bool closing;
    uint32_t threads;
    pthread_t thread[64]; /* [threads] */
};

/* With the lock: takes the first task that may begin out of the queue; NULL: there is none. */
static struct task *take_first(struct crew *c)
{
    for (struct task **at = &c->first; *at; at = &(*at)->next)
        if (!(*at)->job || c->jobs < (c->threads + 1) / 2) {
            struct task *task = *at;
            *at = task->next;
            if (!*at)
                c->last = at;
            c->jobs += task->job;
            return task;
        }
    return NULL;
}

static void *work(void *context)
{
    struct crew *c = context;
    pthread_mutex_lock(&c->lock);
    for (;;) {
        struct task *task = take_first(c);
        if (!task && c->closing && !c->first)
            break;
        if (!task) {
            pthread_cond_wait(&c->come, &c->lock);
            continue;
        }
        bool job = task->job;
        pthread_mutex_unlock(&c->lock);
        task->run(task); /* after which it may be gone */
        pthread_mutex_lock(&c->lock);
        c->jobs -= job;
        c->taken[job]--;
        if (job)
            pthread_cond_broadcast(&c->come);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

struct crew *crew_new(uint32_t threads, uint32_t texts, uint32_t jobs, struct vouch_error *err)
{
    struct crew *c = new_array(1, sizeof *c, err);
    if (!c)
        return NULL;
    c->room[0] = texts;
    c->room[1] = jobs;
    c->last = &c->first;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->come, NULL);
    uint32_t most = sizeof c->thread / sizeof *c->thread, started = 0;
    c->threads = threads < most ? threads : most;
    while (started < c->threads && pthread_create(&c->thread[started], NULL, work, c) == 0)
        started++;
    if (started == c->threads)
        return c;
    pthread_mutex_lock(&c->lock);
    c->threads = started;
    pthread_mutex_unlock(&c->lock);
    crew_free(c);
    fail(err, VOUCH_ERR_MEMORY, "cannot start threads");
    return NULL;
}

void crew_free(struct crew *c)
{
    if (!c)
        return;
    pthread_mutex_lock(&c->lock);
    c->closing = true;
    uint32_t threads = c->threads;
    pthread_cond_broadcast(&c->come);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < threads; i++)
        pthread_join(c->thread[i], NULL);
    pthread_cond_destroy(&c->come);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

bool crew_reserve(struct crew *c, bool job)
{
    pthread_mutex_lock(&c->lock);
    bool room = c->taken[job] < c->room[job] && !c->closing;
    c->taken[job] += room;
    pthread_mutex_unlock(&c->lock);
    return room;
}

void crew_add(struct crew *c, struct task *task)
{
    pthread_mutex_lock(&c->lock);
    task->next = NULL;
    *c->last = task;
    c->last = &task->next;
    pthread_cond_signal(&c->come);
    pthread_mutex_unlock(&c->lock);
}
