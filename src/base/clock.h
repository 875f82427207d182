/*
 * Measures how long things take.
 */
#ifndef VOUCH_BASE_CLOCK_H
#define VOUCH_BASE_CLOCK_H

/* Returns seconds since some moment in the past, by a clock that is never set. */
double seconds_now(void);

#endif
