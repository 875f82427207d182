/* Tests parallel work: every job once, threads by number, the first error; and pools, which give jobs back in order. */
#include "base/parallel.h"

#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { MOST_JOBS = 1000, MOST_THREADS = 8, NEVER = MOST_JOBS };

struct work {
    uint32_t threads;
    atomic_uint done[MOST_JOBS];
    atomic_bool busy[MOST_THREADS]; /* a thread of that number is at work */
    int64_t last[MOST_THREADS];     /* the last job of each thread, -1 before */
    pthread_t owner[MOST_THREADS];
    bool owned[MOST_THREADS];
    atomic_uint broken; /* promises not kept: jobs must not assert, as they may run on other threads */
    uint32_t fails[2];  /* jobs that fail */
    pthread_t caller;
    atomic_uint elsewhere; /* jobs that ran on another thread than the caller's */
};

static bool count_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct work *work = context;
    if (job >= MOST_JOBS || thread >= work->threads) {
        work->broken++;
        return true;
    }
    if (atomic_exchange(&work->busy[thread], true))
        work->broken++;
    if (work->last[thread] >= (int64_t)job)
        work->broken++;
    if (work->owned[thread] && !pthread_equal(work->owner[thread], pthread_self()))
        work->broken++;
    work->owned[thread] = true;
    work->owner[thread] = pthread_self();
    work->last[thread] = job;
    work->done[job]++;
    work->elsewhere += !pthread_equal(work->caller, pthread_self());
    atomic_store(&work->busy[thread], false);
    if (job == work->fails[0] || job == work->fails[1])
        return fail(err, VOUCH_ERR_FORMAT, "job %u is bad", job);
    return true;
}

/* A tree of jobs: each but the first needs the one at half its number. */
struct needing {
    atomic_bool done[MOST_JOBS];
    atomic_uint runs, early;
    uint32_t bad;
};

static bool parent_is_done(const void *context, uint32_t job, const bool *done)
{
    (void)context;
    return job == 0 || done[job / 2];
}

static bool needing_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct needing *needing = context;
    (void)thread;
    needing->early += job > 0 && !needing->done[job / 2];
    needing->runs++;
    if (job == needing->bad)
        return fail(err, VOUCH_ERR_FORMAT, "job %u is bad", job);
    needing->done[job] = true;
    return true;
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Job 0 fails only after job 1 has failed. */
static bool fail_last_of_two(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    (void)thread;
    atomic_bool *failed = context;
    for (int i = 0; job == 0 && i < 60000 && !atomic_load(failed); i++)
        nap();
    fail(err, VOUCH_ERR_IO, "job %u is bad", job);
    if (job == 0)
        nap();
    else
        atomic_store(failed, true);
    return false;
}

/* Each job waits until the other has started. */
static bool meet(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    (void)job;
    (void)thread;
    atomic_uint *there = context;
    atomic_fetch_add(there, 1);
    for (int i = 0; i < 60000 && atomic_load(there) < 2; i++)
        nap();
    return atomic_load(there) == 2 || fail(err, VOUCH_ERR_ARGUMENT, "no other thread came");
}

/* Jobs of a pool: slot s holds a number, of which the job makes its square; some take longer than others. */
enum { ROOM = 5, SQUARES = 400 };

struct squares {
    uint32_t number[ROOM], square[ROOM];
    uint32_t bad; /* the first number that makes a job fail */
    atomic_uint begun, ended;
};

static bool square_job(void *context, uint32_t slot, uint32_t thread, struct vouch_error *err)
{
    struct squares *squares = context;
    uint32_t n = squares->number[slot];
    (void)thread;
    squares->begun++;
    if (n % 61 == 7)
        nap();
    squares->square[slot] = n * n;
    squares->ended++;
    return n < squares->bad || fail(err, VOUCH_ERR_FORMAT, "number %u is bad", n);
}

static void work_start(struct work *work, uint32_t threads, uint32_t first_bad, uint32_t second_bad)
{
    memset(work, 0, sizeof *work);
    work->threads = threads;
    work->fails[0] = first_bad;
    work->fails[1] = second_bad;
    work->caller = pthread_self();
    for (int i = 0; i < MOST_THREADS; i++)
        work->last[i] = -1;
}

TEST(every_job_runs_once)
{
    static const uint32_t jobs[] = {0, 1, 2, 7, 8, 9, MOST_JOBS};
    static struct work work;
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++) {
            struct vouch_error err = {0};
            work_start(&work, threads, NEVER, NEVER);
            assert_true(parallel_run(threads, jobs[j], count_job, &work, &err));
            assert_int_equal(err.status, VOUCH_OK);
            for (uint32_t i = 0; i < MOST_JOBS; i++)
                assert_int_equal(work.done[i], i < jobs[j]);
            assert_int_equal(work.broken, 0);
        }
    }
}

TEST(one_thread_is_the_callers)
{
    static struct work work;
    struct vouch_error err = {0};
    work_start(&work, 1, NEVER, NEVER);
    assert_true(parallel_run(1, 100, count_job, &work, &err));
    assert_int_equal(work.elsewhere, 0);
    assert_int_equal(work.last[0], 99);
}

TEST(two_threads_work_at_the_same_time)
{
    atomic_uint there = 0;
    struct vouch_error err = {0};
    assert_true(parallel_run(2, 2, meet, &there, &err));
}

TEST(jobs_wait_for_those_that_they_need)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++)
        for (uint32_t jobs = 0; jobs <= MOST_JOBS; jobs = 3 * jobs + 1) {
            struct needing needing = {.bad = NEVER};
            struct vouch_error err = {0};
            assert_true(parallel_run_when(threads, jobs, parent_is_done, needing_job, &needing, &err));
            assert_int_equal(needing.runs, jobs);
            assert_int_equal(needing.early, 0);
        }
}

TEST(jobs_that_need_a_bad_one_are_not_begun)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        struct needing needing = {.bad = 1};
        struct vouch_error err = {0};
        assert_false(parallel_run_when(threads, MOST_JOBS, parent_is_done, needing_job, &needing, &err));
        assert_string_equal(err.message, "job 1 is bad");
        assert_int_equal(needing.early, 0);
    }
}

TEST(a_failure_stops_the_work)
{
    static struct work work;
    struct vouch_error err = {0};
    work_start(&work, 1, 37, 60);
    assert_false(parallel_run(1, 100, count_job, &work, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_string_equal(err.message, "job 37 is bad");
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(work.done[i], i <= 37);
}

/* Jobs are handed out in order: whatever the threads, the first bad job has started before the work stops. */
TEST(the_error_is_that_of_the_first_bad_job)
{
    static struct work work;
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        for (uint32_t repeat = 0; repeat < 20; repeat++) {
            struct vouch_error err = {0};
            work_start(&work, threads, 37 + repeat, 38 + repeat);
            assert_false(parallel_run(threads, MOST_JOBS, count_job, &work, &err));
            char expected[40];
            snprintf(expected, sizeof expected, "job %u is bad", 37 + repeat);
            assert_string_equal(err.message, expected);
            for (uint32_t i = 0; i < MOST_JOBS; i++)
                assert_true(work.done[i] == 1 || (i > 37 + repeat && work.done[i] == 0));
            assert_int_equal(work.broken, 0);
        }
    }
}

TEST(an_earlier_job_that_fails_later_still_gives_the_error)
{
    atomic_bool failed = false;
    struct vouch_error err = {0};
    assert_false(parallel_run(2, 50, fail_last_of_two, &failed, &err));
    assert_true(failed);
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_string_equal(err.message, "job 0 is bad");
}

TEST(the_error_may_be_left_out)
{
    static struct work work;
    for (uint32_t threads = 1; threads <= 2; threads++) {
        work_start(&work, threads, 5, NEVER);
        assert_false(parallel_run(threads, 10, count_job, &work, NULL));
    }
}

/* Adds as many as there is room for, in batches of `batch`, and collects; returns how many were collected. */
static uint32_t collect_squares(struct pool *pool, struct squares *squares, uint32_t batch, struct vouch_error *err)
{
    uint32_t added = 0, collected = 0, slot;
    while (collected < SQUARES) {
        enum job_state state = pool_jobs(pool) > 0 ? pool_oldest(pool, &slot, err) : JOB_OPEN;
        if (state == JOB_FAILED)
            return collected;
        if (state == JOB_DONE) {
            assert_int_equal(squares->number[slot], collected);
            assert_int_equal(squares->square[slot], collected * collected);
            squares->square[slot] = UINT32_MAX;
            pool_collect(pool);
            collected++;
        } else if (added < SQUARES && ROOM - pool_jobs(pool) > 0) {
            uint32_t count = 0;
            while (count < batch && count < ROOM - pool_jobs(pool) && added < SQUARES)
                squares->number[pool_slot(pool, count++)] = added++;
            pool_add(pool, count);
            assert_true(pool_jobs(pool) <= ROOM);
        } else {
            pool_help(pool);
        }
    }
    assert_int_equal(pool_jobs(pool), 0);
    return collected;
}

TEST(a_pool_gives_jobs_back_in_order)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        for (uint32_t batch = 1; batch <= ROOM; batch++) {
            struct squares squares = {.bad = NEVER};
            struct vouch_error err = {0};
            struct pool *pool = pool_open(threads, ROOM, square_job, &squares, &err);
            assert_non_null(pool);
            assert_int_equal(collect_squares(pool, &squares, batch, &err), SQUARES);
            assert_int_equal(squares.begun, SQUARES);
            pool_close(pool);
        }
    }
}

TEST(a_pool_gives_back_all_jobs_before_the_first_bad_one)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        for (uint32_t bad = 0; bad < 70; bad++) {
            struct squares squares = {.bad = bad};
            struct vouch_error err = {0};
            char expected[40];
            snprintf(expected, sizeof expected, "number %u is bad", bad);
            struct pool *pool = pool_open(threads, ROOM, square_job, &squares, &err);
            assert_non_null(pool);
            assert_int_equal(collect_squares(pool, &squares, 2, &err), bad);
            assert_string_equal(err.message, expected);
            pool_close(pool);
            assert_true(squares.begun > bad && squares.begun <= bad + ROOM);
        }
    }
}

TEST(a_pool_drops_jobs_that_were_not_begun)
{
    for (uint32_t threads = 1; threads <= MOST_THREADS; threads++) {
        struct squares squares = {.bad = NEVER};
        struct pool *pool = pool_open(threads, ROOM, square_job, &squares, NULL);
        assert_non_null(pool);
        for (uint32_t i = 0; i < ROOM; i++)
            squares.number[i] = 7; /* takes its time */
        pool_add(pool, ROOM);
        pool_close(pool);
        assert_int_equal(squares.begun, squares.ended);
        assert_true(threads > 1 || squares.begun == 0);
    }
    pool_close(NULL);
}
