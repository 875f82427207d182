/*
 * Defines MUST(): a test fails with the message of the error if the call does
 * not succeed.
 */
#ifndef VOUCH_TESTS_MUST_H
#define VOUCH_TESTS_MUST_H

#include "vouch.h"

#include "test.h"

static struct vouch_error err;

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", #condition, err.message);                                                               \
    } while (0)

#endif
