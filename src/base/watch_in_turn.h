/*
 * Lets several threads tell one watch what they do, as if they had worked one after the other: what a worker tells
 * before its turn is kept until all workers before it have ended. Mere progress is not kept.
 */
#ifndef VOUCH_BASE_WATCH_IN_TURN_H
#define VOUCH_BASE_WATCH_IN_TURN_H

#include "base/error.h"
#include "base/watch.h"

struct watches;
struct watches *watches_open(const struct vouch_watch *watch, uint32_t workers, struct vouch_error *err);

/* Returns the watch of a worker. It stops when the watch behind it does. */
const struct vouch_watch *watches_of(struct watches *watches, uint32_t worker);

/* Says that a worker has ended, as every worker must, and has nothing more to tell. */
void watches_end(struct watches *watches, uint32_t worker);
void watches_close(struct watches *watches); /* NULL is allowed */

#endif
