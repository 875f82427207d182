/*
 * Learns in the background: see learner.h.
 *
 * Students wait in a list that runs through themselves, so that asking needs no memory and cannot fail. One mutex
 * guards the list and their states; no student is called while it is held. The thread has the lowest priority that the
 * system gives (nice 19, which Linux keeps by thread).
 */
#define _GNU_SOURCE
#include "desk/learner.h"

#include "base/memory.h"
#include "base/watch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct learner {
    const struct vouch_watch *outer;
    struct vouch_watch watch; /* of the rounds */
    struct student *first;    /* of those that wait; NULL: none */
    bool busy;                /* a student learns */
    atomic_bool ending;
    pthread_mutex_t lock;
    pthread_cond_t asked, done;
    pthread_t thread;
    bool started;
};

static int stops(void *context)
{
    struct learner *learner = context;
    return atomic_load(&learner->ending) || watch_stops(learner->outer);
}

/* With the lock, which is given up meanwhile: lets the first of those that wait learn. */
static void let_learn(struct learner *learner)
{
    struct student *student = learner->first;
    struct vouch_error err = {0};
    learner->first = student->behind;
    learner->busy = true;
    student->now.state = LEARNING_NOW;
    pthread_mutex_unlock(&learner->lock);
    double began = seconds_now();
    bool ok = student->round(student->context, &learner->watch, &err);
    if (!ok && !stops(learner))
        watch_say(learner->outer, VOUCH_EVENT_WARNING, "%s: %s", student->name, err.message);
    pthread_mutex_lock(&learner->lock);
    learner->busy = false;
    if (student->now.state == LEARNING_NOW)
        student->now.state = LEARNING_IDLE;
    student->now.rounds += ok;
    student->now.seconds = seconds_now() - began;
    snprintf(student->now.trouble, sizeof student->now.trouble, "%s", ok ? "" : err.message);
}

static void *work(void *context)
{
    struct learner *learner = context;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
    pthread_mutex_lock(&learner->lock);
    while (!atomic_load(&learner->ending)) {
        if (learner->first) {
            let_learn(learner);
            continue;
        }
        pthread_cond_broadcast(&learner->done);
        pthread_cond_wait(&learner->asked, &learner->lock);
    }
    pthread_cond_broadcast(&learner->done);
    pthread_mutex_unlock(&learner->lock);
    return NULL;
}

struct learner *learner_open(const struct vouch_watch *watch, struct vouch_error *err)
{
    struct learner *learner = new_array(1, sizeof *learner, err);
    if (!learner)
        return NULL;
    learner->outer = watch;
    learner->watch = (struct vouch_watch){.size = sizeof learner->watch, .context = learner, .stop = stops};
    pthread_mutex_init(&learner->lock, NULL);
    pthread_cond_init(&learner->asked, NULL);
    pthread_cond_init(&learner->done, NULL);
    learner->started = pthread_create(&learner->thread, NULL, work, learner) == 0;
    if (learner->started)
        return learner;
    fail(err, VOUCH_ERR_MEMORY, "the thread that learns could not be started");
    learner_close(learner);
    return NULL;
}

void learner_close(struct learner *learner)
{
    if (!learner)
        return;
    pthread_mutex_lock(&learner->lock);
    atomic_store(&learner->ending, true);
    pthread_cond_signal(&learner->asked);
    pthread_mutex_unlock(&learner->lock);
    if (learner->started)
        pthread_join(learner->thread, NULL);
    pthread_mutex_destroy(&learner->lock);
    pthread_cond_destroy(&learner->asked);
    pthread_cond_destroy(&learner->done);
    free(learner);
}

void learner_ask(struct learner *learner, struct student *student)
{
    pthread_mutex_lock(&learner->lock);
    if (student->now.state != LEARNING_WAITING) {
        struct student **last = &learner->first;
        while (*last)
            last = &(*last)->behind;
        *last = student;
        student->behind = NULL;
        student->now.state = LEARNING_WAITING;
        pthread_cond_signal(&learner->asked);
    }
    pthread_mutex_unlock(&learner->lock);
}

struct student_state learner_state(struct learner *learner, const struct student *student)
{
    pthread_mutex_lock(&learner->lock);
    struct student_state state = student->now;
    pthread_mutex_unlock(&learner->lock);
    return state;
}

const char *learning_state_name(enum learning_state state)
{
    static const char *const name[] = {"idle", "waiting", "learning"};
    return name[state];
}

void learner_wait(struct learner *learner)
{
    pthread_mutex_lock(&learner->lock);
    while ((learner->first || learner->busy) && !atomic_load(&learner->ending))
        pthread_cond_wait(&learner->done, &learner->lock);
    pthread_mutex_unlock(&learner->lock);
}
