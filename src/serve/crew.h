/*
 * Threads for what takes long, so that the threads of connections never wait. Two kinds of work share them: texts of
 * more than a few kilobytes, and jobs that may take minutes, which get at most half of the threads. Work that is begun
 * is done in the order in which it came. The queue is bounded: a task beyond it is refused, to be tried again.
 */
#ifndef VOUCH_SERVE_CREW_H
#define VOUCH_SERVE_CREW_H

#include "base/error.h"

#include <stdint.h>

struct crew;
struct task {
    struct task *next; /* of crew.c */
    void (*run)(struct task *task);
    bool job; /* may take minutes */
};

/* Starts that many threads; at most so many texts, and jobs, may wait or run. NULL on failure. */
struct crew *crew_new(uint32_t threads, uint32_t texts, uint32_t jobs, struct vouch_error *err);

/* Ends the threads, once all tasks are done. NULL is allowed. */
void crew_free(struct crew *crew);

/* Asks for room for a task, which must then be added; false if there is none. */
bool crew_reserve(struct crew *crew, bool job);
void crew_add(struct crew *crew, struct task *task);

#endif
