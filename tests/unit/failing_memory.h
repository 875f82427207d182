/*
 * Runs code out of memory everywhere: the k-th allocation fails, for k = 1, 2,
 * 3, ... until nothing fails any more. Each time the call must fail cleanly:
 * with false and a message, and (as the sanitizers check) without a leak or a
 * crash.
 *
 * The linker puts the functions below in place of malloc(), calloc(), realloc()
 * and posix_memalign() as our code calls them. Jansson is told to use one of
 * them, too, but it sometimes overlooks a failure of its own: there a success
 * is accepted. Other libraries allocate as usual.
 */
#ifndef VOUCH_TESTS_FAILING_MEMORY_H
#define VOUCH_TESTS_FAILING_MEMORY_H

#include "train/held_out_scores.h"
#include "fit/calibrate.h"
#include "fit/forecaster.h"
#include "fit/logistic.h"
#include "confidence/noise.h"
#include "text/writer.h"
#include "measure/quality.h"
#include "model/model.h"
#include "answer/answer_stream.h"
#include "answer/estimator.h"
#include "train/cross_validation.h"
#include "tree/tree.h"
#include "simulation/simulation.h"
#include "review/review.h"
#include "active/selection.h"
#include "trade/trade.h"

#include "folder.h"
#include "answer/predictor.h"
#include "small_models.h"
#include "test.h"
#include "tiny.h"

#include <errno.h>
#include <stdatomic.h>

void *__real_malloc(size_t size);

void *__real_calloc(size_t count, size_t size);

void *__real_realloc(void *block, size_t size);

int __real_posix_memalign(void **block, size_t alignment, size_t size);

void *__wrap_malloc(size_t size);

void *__wrap_calloc(size_t count, size_t size);

void *__wrap_realloc(void *block, size_t size);

int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

static atomic_long left = -1; /* allocations until one fails; below zero: none will */

static atomic_bool lasting; /* once one has failed, so do all that follow */

static atomic_bool ours; /* one of our own has failed */

static atomic_bool theirs; /* one of Jansson's */

static bool fails_now(atomic_bool *noted)
{
    long before = atomic_load(&left);
    while (before >= 0) {
        long after = before > 0 ? before - 1 : lasting ? 0 : -1;
        if (!atomic_compare_exchange_weak(&left, &before, after))
            continue;
        if (before == 0)
            atomic_store(noted, true);
        return before == 0;
    }
    return false;
}

void *__wrap_malloc(size_t size)
{
    return fails_now(&ours) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now(&ours) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails_now(&ours) ? NULL : __real_realloc(block, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails_now(&ours) ? ENOMEM : __real_posix_memalign(block, alignment, size);
}

static void *jansson_malloc(size_t size)
{
    return fails_now(&theirs) ? NULL : __real_malloc(size);
}

/* For FILE_FIXTURE. */
FIXTURE(jansson_fails_too)
{
    json_set_alloc_funcs(jansson_malloc, free);
    return 0;
}

/* The call that is tried again and again; `context` is its own. */
typedef bool (*attempt)(void *context, struct vouch_error *err);


/* Set by a test that must not leave out any; sanitizers take some of them, as of everything. */
static bool leaving_none_out;

/* Lets each allocation fail; with `keep_failing`, every third with all that follow it, which tests the clean-up. */
static void fail_each(attempt run, void *context, bool keep_failing)
{
    enum { MOST = 20000 };
    long k = 0;
    unsigned step = (test_all() || SANITIZED ? 1 : 2) * apart() * (keep_failing ? 3 : 1);
    for (; k < MOST; k += leaving_none_out ? apart() : step) {
        struct vouch_error err = {0};
        atomic_store(&lasting, keep_failing);
        atomic_store(&ours, false);
        atomic_store(&theirs, false);
        atomic_store(&left, k);
        bool ok = run(context, &err);
        atomic_store(&left, -1);
        if (ok && !ours && !theirs)
            break;
        if (ok && ours)
            fail_msg("allocation %ld failed and it was not noticed", k + 1);
        if (!ok && (err.status == VOUCH_OK || !err.message[0]))
            fail_msg("allocation %ld failed without a message", k + 1);
        if (!ok && ours && err.status != VOUCH_ERR_MEMORY)
            fail_msg("allocation %ld failed, and the message is: %s", k + 1, err.message);
    }
    assert_true(k > 0);
    assert_true(k < MOST);
}

static void fail_every_one(attempt run, void *context)
{
    fail_each(run, context, false);
    fail_each(run, context, true);
}

/* Reads all sentences of a file. */
static inline bool read_to_end(const char *path, const struct reader_options *options, struct vouch_error *err)
{
    struct reader *reader = reader_open(path, options, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    while (reader && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        continue;
    sentence_release(&sentence);
    reader_close(reader);
    return state == READ_END;
}

static void must(bool done, const struct vouch_error *err)
{
    if (!done)
        fail_msg("%s", err->message);
}

#endif
