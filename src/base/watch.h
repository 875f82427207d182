/*
 * Passes events of vouch.h to the caller. A watch that is NULL, or has no functions, gets no events and never stops.
 * Several workers can share one watch.
 */
#ifndef VOUCH_BASE_WATCH_H
#define VOUCH_BASE_WATCH_H

#include <stdbool.h>

#include "vouch.h"
#include "base/error.h"

/* Passes on an event; `size`, and strings that must not be NULL, are filled in. */
void watch_tell(const struct vouch_watch *watch, struct vouch_event event);

/* Tells a line, without its end. */
void watch_say(const struct vouch_watch *watch, enum vouch_event_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool watch_stops(const struct vouch_watch *watch);

/* Tells how many sentences were read so far; returns false to stop. */
bool watch_reading(const struct vouch_watch *watch, uint64_t sentences);

/* A piece of work that reports its progress under a name of its own: the context of step_tell(). */
struct step_watch {
    const struct vouch_watch *watch;
    enum vouch_event_kind kind;
    const char *what;
};
void step_tell(void *step_watch, uint32_t done, uint32_t of);

/* Returns seconds since some moment in the past, by a clock that is never set. */
double seconds_now(void);

/*
 * Several workers share one watch, which gets their events in the order of the workers, as if they had worked one after
 * the other: events of a worker are kept until all workers before it have ended. Events of mere progress are dropped
 * instead of being kept.
 */
struct watches;
struct watches *watches_open(const struct vouch_watch *watch, uint32_t workers, struct vouch_error *err);

/* Returns the watch of a worker. It stops when the watch behind it does. */
const struct vouch_watch *watches_of(struct watches *watches, uint32_t worker);

/* Notes that a worker has ended and sends no more events. Every worker must call it. */
void watches_end(struct watches *watches, uint32_t worker);
void watches_close(struct watches *watches); /* NULL is allowed */

#endif
