#include "test.h"

#include "serve/crew.h"

#include <pthread.h>
#include <time.h>

struct counted {
    struct task task; /* first */
    pthread_mutex_t *lock;
    int *running, *most, *done;
};

static void count(struct task *task)
{
    struct counted *c = (struct counted *)task;
    pthread_mutex_lock(c->lock);
    ++*c->running;
    *c->most = *c->running > *c->most ? *c->running : *c->most;
    pthread_mutex_unlock(c->lock);
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    pthread_mutex_lock(c->lock);
    --*c->running;
    ++*c->done;
    pthread_mutex_unlock(c->lock);
}

TEST(jobs_get_half_of_the_threads_and_everything_is_done)
{
    enum { TASKS = 40 };
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int running[2] = {0}, most[2] = {0}, done[2] = {0};
    struct counted task[TASKS];
    struct crew *crew = crew_new(4, TASKS, TASKS, NULL);
    assert_non_null(crew);
    for (int i = 0; i < TASKS; i++) {
        bool job = i % 2;
        task[i] = (struct counted){{.run = count, .job = job}, &lock, &running[job], &most[job], &done[job]};
        assert_true(crew_reserve(crew, job));
        crew_add(crew, &task[i].task);
    }
    crew_free(crew);
    assert_int_equal(done[0], TASKS / 2);
    assert_int_equal(done[1], TASKS / 2);
    assert_true(most[1] <= 2);
    assert_true(most[0] <= 4);
}

TEST(there_is_room_for_so_many_of_each_kind)
{
    struct crew *crew = crew_new(1, 4, 3, NULL);
    assert_non_null(crew);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(crew_reserve(crew, true), i < 3);
        assert_int_equal(crew_reserve(crew, false), i < 4);
    }
    crew_free(crew);
}
