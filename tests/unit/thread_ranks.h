/*
 * Ranks that are threads of one process, so that sanitizers see what ranks do: on_thread_ranks() runs a function on
 * each of them, with a seam (base/ranks.h) that joins them by barriers.
 *
 * The seam is strict. Ranks must call its functions in the same order with the same counts, and see the same sizes;
 * what is for one alone reaches no other. A rank that fails ends the others, which fail in their next call.
 * Functions that run on ranks report by their error, with SAY(): cmocka's assertions are for the first thread.
 */
#ifndef VOUCH_TESTS_THREAD_RANKS_H
#define VOUCH_TESTS_THREAD_RANKS_H

#include "base/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 8 };

/* Fails, as a function that runs on a rank, unless the condition holds. */
#define SAY(condition)                                                                                                 \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return rank_fails(err, #condition, __LINE__);                                                              \
    } while (0)

static inline bool rank_fails(struct vouch_error *err, const char *why, int line)
{
    err->status = VOUCH_ERR_FORMAT;
    snprintf(err->message, sizeof err->message, "line %d: %s", line, why);
    return false;
}

/* What a rank brings to a call of the seam. */
struct brought {
    char kind;
    size_t count;
    const void *data;
    const uint64_t *size;
};

struct rank_circle {
    pthread_mutex_t mutex;
    pthread_cond_t all_there;
    uint32_t ranks, waiting;
    uint64_t round;
    bool broken;
    struct brought brought[MOST_RANKS];
};

struct thread_rank {
    struct ranks ranks;
    struct rank_circle *circle;
    bool (*run)(const struct ranks *ranks, void *work, struct vouch_error *err);
    void *work;
    struct vouch_error err;
    bool ok;
    pthread_t thread;
};

/* Waits until all ranks are here; false if one will not come. */
static inline bool circle_wait(struct rank_circle *circle)
{
    pthread_mutex_lock(&circle->mutex);
    uint64_t round = circle->round;
    if (++circle->waiting == circle->ranks) {
        circle->waiting = 0;
        circle->round++;
        pthread_cond_broadcast(&circle->all_there);
    }
    while (!circle->broken && circle->round == round)
        pthread_cond_wait(&circle->all_there, &circle->mutex);
    bool ok = circle->round != round;
    pthread_mutex_unlock(&circle->mutex);
    return ok;
}

static inline void circle_break(struct rank_circle *circle)
{
    pthread_mutex_lock(&circle->mutex);
    circle->broken = true;
    pthread_cond_broadcast(&circle->all_there);
    pthread_mutex_unlock(&circle->mutex);
}

/* Shows the others what this rank brings, and checks that they are in the same call. */
static inline bool circle_meet(struct thread_rank *own, struct brought brought, struct vouch_error *err)
{
    struct rank_circle *circle = own->circle;
    circle->brought[own->ranks.rank] = brought;
    SAY(circle_wait(circle));
    for (uint32_t r = 0; r < circle->ranks; r++) {
        SAY(circle->brought[r].kind == brought.kind);
        SAY(circle->brought[r].count == brought.count);
        SAY(!brought.size || memcmp(circle->brought[r].size, brought.size, sizeof(uint64_t) * circle->ranks) == 0);
    }
    return true;
}

static inline bool thread_ranks_sum(void *self, int64_t *number, size_t count, struct vouch_error *err)
{
    struct thread_rank *own = self;
    if (!circle_meet(own, (struct brought){.kind = 's', .count = count, .data = number}, err))
        return false;
    int64_t *sum = calloc(count + 1, sizeof *sum);
    for (uint32_t r = 0; r < own->circle->ranks; r++)
        for (size_t i = 0; i < count; i++)
            sum[i] += ((const int64_t *)own->circle->brought[r].data)[i];
    bool ok = circle_wait(own->circle) || rank_fails(err, "another rank failed", __LINE__);
    if (count)
        memcpy(number, sum, sizeof *sum * count);
    free(sum);
    return ok;
}

static inline bool thread_ranks_unite(void *self, uint64_t *bits, size_t count, struct vouch_error *err)
{
    struct thread_rank *own = self;
    if (!circle_meet(own, (struct brought){.kind = 'u', .count = count, .data = bits}, err))
        return false;
    uint64_t *all = calloc(count + 1, sizeof *all);
    for (uint32_t r = 0; r < own->circle->ranks; r++)
        for (size_t i = 0; i < count; i++)
            all[i] |= ((const uint64_t *)own->circle->brought[r].data)[i];
    bool ok = circle_wait(own->circle) || rank_fails(err, "another rank failed", __LINE__);
    if (count)
        memcpy(bits, all, sizeof *all * count);
    free(all);
    return ok;
}

static inline bool thread_ranks_gather(void *self, const char *bytes, const uint64_t *size, uint32_t whom, char *all,
                                       struct vouch_error *err)
{
    struct thread_rank *own = self;
    struct brought brought = {.kind = 'g', .count = whom, .data = bytes, .size = size};
    if (!circle_meet(own, brought, err))
        return false;
    for (uint32_t r = 0; r < own->circle->ranks && (whom == FOR_ALL || own->ranks.rank == whom); r++) {
        if (size[r])
            memcpy(all, own->circle->brought[r].data, size[r]);
        all += size[r];
    }
    return circle_wait(own->circle) || rank_fails(err, "another rank failed", __LINE__);
}

static inline void *thread_rank_run(void *data)
{
    struct thread_rank *own = data;
    own->ok = own->run(&own->ranks, own->work, &own->err);
    if (!own->ok)
        circle_break(own->circle);
    return NULL;
}

/* Of the ranks that failed, gives the error of one that did not fail because another had. */
static inline bool thread_ranks_result(const struct thread_rank *rank, uint32_t count, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t r = 0; r < count; r++)
        if (!rank[r].ok && (ok || !strstr(rank[r].err.message, "circle_wait"))) {
            ok = false;
            err->status = rank[r].err.status;
            snprintf(err->message, sizeof err->message, "rank %u of %u: %.400s", r, count, rank[r].err.message);
        }
    return ok;
}

/* Runs the function on `count` ranks; rank r gets the memory at `work` + r * `size`. */
static inline bool on_thread_ranks(uint32_t count, bool (*run)(const struct ranks *, void *, struct vouch_error *),
                                   void *work, size_t size, struct vouch_error *err)
{
    struct rank_circle circle = {.ranks = count};
    struct thread_rank rank[MOST_RANKS];
    pthread_mutex_init(&circle.mutex, NULL);
    pthread_cond_init(&circle.all_there, NULL);
    for (uint32_t r = 0; r < count; r++) {
        rank[r] = (struct thread_rank){
            .circle = &circle, .run = run, .work = work ? (char *)work + r * size : NULL};
        rank[r].ranks = (struct ranks){.rank = r,
                                       .count = count,
                                       .self = &rank[r],
                                       .sum = thread_ranks_sum,
                                       .unite = thread_ranks_unite,
                                       .gather = thread_ranks_gather};
        if (pthread_create(&rank[r].thread, NULL, thread_rank_run, &rank[r]) != 0)
            abort();
    }
    for (uint32_t r = 0; r < count; r++)
        pthread_join(rank[r].thread, NULL);
    pthread_cond_destroy(&circle.all_there);
    pthread_mutex_destroy(&circle.mutex);
    return thread_ranks_result(rank, count, err);
}

/* The same in a test, which fails if a rank does. Include this file after cmocka.h to use it. */
#define ON_RANKS(count, run, work)                                                                                     \
    do {                                                                                                               \
        struct vouch_error error_ = {0};                                                                               \
        if (!on_thread_ranks(count, run, work, sizeof *(work), &error_))                                               \
            fail_msg("%s", error_.message);                                                                            \
    } while (0)

#endif
