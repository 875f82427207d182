/*
 * Passes events to the caller, and orders those of workers that run side by side: see watch.h.
 *
 * The events of the first worker that has not ended are passed on at once; those of later ones are kept, with copies of
 * their strings, until their turn comes. So the caller hears the same in the same order, whatever the threads.
 */
#include "base/watch.h"

#include "base/buffer.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdarg.h>
#include <time.h>
#include <string.h>

void watch_tell(const struct vouch_watch *watch, struct vouch_event event)
{
    event.size = sizeof event;
    event.what = event.what ? event.what : "";
    event.note = event.note ? event.note : "";
    if (watch && watch->tell)
        watch->tell(watch->context, &event);
}

void watch_say(const struct vouch_watch *watch, enum vouch_event_kind kind, const char *format, ...)
{
    struct printed line;
    va_list args;
    if (!watch || !watch->tell)
        return;
    va_start(args, format);
    printed_make(&line, format, args);
    va_end(args);
    watch_tell(watch, (struct vouch_event){.kind = kind, .number = NAN, .text = line.at});
    printed_release(&line);
}

bool watch_stops(const struct vouch_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->context);
}

bool watch_reading(const struct vouch_watch *watch, uint64_t sentences)
{
    struct vouch_event event = {.kind = VOUCH_EVENT_READING, .what = "reading", .done = sentences, .number = NAN};
    event.note = "sentences";
    watch_tell(watch, event);
    return !watch_stops(watch);
}

void step_tell(void *step_watch, uint32_t done, uint32_t of)
{
    const struct step_watch *step = step_watch;
    watch_tell(step->watch,
               (struct vouch_event){.kind = step->kind, .what = step->what, .done = done, .of = of, .number = NAN});
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- Watches of several workers. An event for which there is no memory is dropped ---- */

/* An event with strings of its own, in one block. */
struct kept {
    struct vouch_event event;
    char *block;
};

struct worker {
    struct watches *watches;
    uint32_t number;
    struct vouch_watch watch;
    bool ended;
    struct kept *kept;
    size_t count, capacity;
};

struct watches {
    const struct vouch_watch *behind;
    struct turns *turns;   /* guards all that follows, and the watch behind */
    uint32_t workers, now; /* `now`: the first worker that has not ended, whose events are passed on at once */
    struct worker *worker; /* [workers] */
};

static void forget(struct worker *worker)
{
    for (size_t i = 0; i < worker->count; i++)
        free(worker->kept[i].block);
    free(worker->kept);
    worker->kept = NULL;
    worker->count = worker->capacity = 0;
}

static void keep(struct worker *worker, const struct vouch_event *event)
{
    enum { STRINGS = 4 };
    struct kept kept = {.event = *event};
    const char **string[STRINGS] = {&kept.event.what, &kept.event.note, &kept.event.text, &kept.event.record};
    size_t length[STRINGS], at = 0;
    for (uint32_t s = 0; s < STRINGS; s++)
        at += length[s] = *string[s] ? strlen(*string[s]) + 1 : 0;
    if (!event->text || !RESERVE(worker->kept, worker->capacity, worker->count + 1, NULL) ||
        !(kept.block = new_array(at, 1, NULL)))
        return;
    at = 0;
    for (uint32_t s = 0; s < STRINGS; at += length[s++])
        if (*string[s])
            *string[s] = memcpy(kept.block + at, *string[s], length[s]);
    worker->kept[worker->count++] = kept;
}

static void tell(void *context, const struct vouch_event *event)
{
    struct worker *worker = context;
    struct watches *watches = worker->watches;
    turns_take(watches->turns);
    if (watches->now == worker->number)
        watch_tell(watches->behind, *event);
    else
        keep(worker, event);
    turns_leave(watches->turns);
}

static int stop(void *context)
{
    return watch_stops(((const struct worker *)context)->watches->behind);
}

struct watches *watches_open(const struct vouch_watch *watch, uint32_t workers, struct vouch_error *err)
{
    struct watches *watches = new_array(1, sizeof *watches, err);
    if (!watches)
        return NULL;
    *watches = (struct watches){.behind = watch, .turns = turns_open(err), .workers = workers};
    watches->worker = watches->turns ? new_array(workers, sizeof *watches->worker, err) : NULL;
    for (uint32_t w = 0; watches->worker && w < workers; w++) {
        struct worker *worker = &watches->worker[w];
        *worker = (struct worker){.watches = watches, .number = w};
        worker->watch = (struct vouch_watch){sizeof worker->watch, worker, tell, stop};
    }
    if (watches->worker)
        return watches;
    watches_close(watches);
    return NULL;
}

const struct vouch_watch *watches_of(struct watches *watches, uint32_t worker)
{
    return &watches->worker[worker].watch;
}

void watches_end(struct watches *watches, uint32_t worker)
{
    turns_take(watches->turns);
    watches->worker[worker].ended = true;
    while (watches->now < watches->workers && watches->worker[watches->now].ended) {
        watches->now++;
        struct worker *next = watches->now < watches->workers ? &watches->worker[watches->now] : NULL;
        for (size_t i = 0; next && i < next->count; i++)
            watch_tell(watches->behind, next->kept[i].event);
        if (next)
            forget(next);
    }
    turns_leave(watches->turns);
}

void watches_close(struct watches *watches)
{
    for (uint32_t w = 0; watches && watches->worker && w < watches->workers; w++)
        forget(&watches->worker[w]);
    if (watches) {
        turns_close(watches->turns);
        free(watches->worker);
    }
    free(watches);
}
