/*
 * What every unit test includes: cmocka, the headers of C that it needs, and a way to write a test in one place.
 *
 *     TEST(two_and_two_are_four)
 *     {
 *         assert_int_equal(2 + 2, 4);
 *     }
 *
 * A test is in the list because it is defined: a constructor function puts it there, in the order of the file. The
 * files of a folder are one program, unit_FOLDER, and each file is one test of CTest: `unit_FOLDER test_FILE`.
 */
#ifndef VOUCH_TESTS_TEST_H
#define VOUCH_TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* cmocka's fail() would hide the function of base/error.h: tests say fail_msg("why"). */
#undef fail
#undef fail_msg
#define fail_msg(...)                                                                                                  \
    do {                                                                                                               \
        print_error("ERROR: " __VA_ARGS__);                                                                            \
        print_error("\n");                                                                                             \
        _fail(__FILE__, __LINE__);                                                                                     \
    } while (0)

/* SANITIZED is 1 in a build under a sanitizer, and 0 in others. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* Whether everything is tried: script/test --all sets the variable. */
static inline bool test_all(void)
{
    return getenv("VOUCH_TEST_ALL") != NULL;
}

/* Whether a test has to hurry: sanitizers are many times slower, and do not try everything unless they are told to. */
static inline bool in_a_hurry(void)
{
    return SANITIZED && !test_all();
}

/* Of inputs that are taken in turn, how far apart those are that a test tries. The release build tries them all;
 * sanitizers take every third, or every 13th in a hurry: steps that reach every byte of a number sooner or later. */
static inline unsigned apart(void)
{
    return in_a_hurry() ? 13 : SANITIZED ? 3 : 1;
}

/* The same for inputs that are drawn: how many. */
static inline int fewer(int tries)
{
    return tries > (int)apart() ? tries / (int)apart() : 1;
}

/* Leaves a test that learns for seconds, or that counts how often a claim holds, to the release build if there is a
 * hurry: what it calls is called by other tests under sanitizers, too. */
static inline void takes_long(void)
{
    if (in_a_hurry())
        skip();
}

/* A test; or, without a function, what is set up once for its file. */
struct test_case {
    const char *file;
    int line;
    struct CMUnitTest test;
    struct test_case *next;
};

/* Puts the test into the list, by file and line. It allocates nothing: allocations may be set to fail. */
void test_add(struct test_case *added);

#define TEST_ADD(name, function, setup, teardown)                                                                      \
    __attribute__((constructor)) static void add_##name(void)                                                          \
    {                                                                                                                  \
        static struct test_case added = {__FILE__, __LINE__, {#name, function, setup, teardown, NULL}, NULL};          \
        test_add(&added);                                                                                              \
    }

/* A test with a fixture of its own: `setup` before it and `teardown` after it, each a FIXTURE or NULL. */
#define TEST_WITH(name, setup, teardown)                                                                               \
    static void name(void **test_state);                                                                               \
    TEST_ADD(name, name, setup, teardown)                                                                              \
    static void name(void **test_state __attribute__((unused)))

#define TEST(name) TEST_WITH(name, NULL, NULL)

/* A function that sets up or tears down; it returns 0, or else the tests fail. */
#define FIXTURE(name) static inline int name(void **state __attribute__((unused)))

/* Runs `setup` once before the tests of this file and `teardown` after them; either may be NULL. */
#define FILE_FIXTURE(setup, teardown)                                                                                  \
    TEST_ADD(fixture_of_file, NULL, setup, teardown)                                                                   \
    struct test_case

#endif
