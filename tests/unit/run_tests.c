/*
 * Runs the tests of the files that are named (`unit_base test_text`), or of all that are linked with it. A file that
 * has no test is a failure. The status is 0 if all passed.
 */
#include "simd_sets.h"
#include "test.h"

enum { MOST_TESTS = 200 }; /* in a file */

static struct test_case *all;

enum simd simd_set = SIMD_SETS;
uint32_t simd_chosen;

enum simd __wrap_simd_best(void);
enum simd __real_simd_best(void);

enum simd __wrap_simd_best(void)
{
    if (simd_set == SIMD_SETS)
        return __real_simd_best();
    simd_chosen++;
    return simd_set;
}

enum simd simd_next(void)
{
    return simd_set < __real_simd_best() ? (enum simd)(simd_set + 1) : SIMD_SETS;
}

void test_add(struct test_case *added)
{
    struct test_case **place = &all;
    for (; *place; place = &(*place)->next) {
        int order = strcmp((*place)->file, added->file);
        if (order > 0 || (order == 0 && (*place)->line > added->line))
            break;
    }
    added->next = *place;
    *place = added;
}

/* "test_text" of "/somewhere/tests/unit/base/test_text.c" */
static void name_of_file(const char *file, char *name, size_t size)
{
    const char *slash = strrchr(file, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : file);
    name[strcspn(name, ".")] = '\0';
}

/* Runs the file's tests, the first of which is given. Returns the number of those that failed. */
static int run_file(const struct test_case *first, const char *name)
{
    struct CMUnitTest tests[MOST_TESTS];
    size_t count = 0;
    CMFixtureFunction setup = NULL, teardown = NULL;
    for (const struct test_case *c = first; c && strcmp(c->file, first->file) == 0; c = c->next) {
        if (!c->test.test_func) {
            setup = c->test.setup_func;
            teardown = c->test.teardown_func;
        } else if (count < MOST_TESTS)
            tests[count++] = c->test;
        else
            return fprintf(stderr, "%s has more than %d tests\n", name, MOST_TESTS);
    }
    if (count == 0)
        return fprintf(stderr, "%s has no test\n", name);
    return _cmocka_run_group_tests(name, tests, count, setup, teardown);
}

/* Runs the tests of the file of that name, or of all files if it is NULL. Returns the number that failed. */
static int run(const char *wanted)
{
    int failed = 0, files = 0;
    for (const struct test_case *c = all, *before = NULL; c; before = c, c = c->next) {
        char name[256];
        name_of_file(c->file, name, sizeof name);
        bool first = !before || strcmp(before->file, c->file) != 0;
        if (!first || (wanted && strcmp(wanted, name) != 0))
            continue;
        files++;
        failed += run_file(c, name);
    }
    return files ? failed : fprintf(stderr, "no test in %s\n", wanted ? wanted : "this program");
}

int main(int argc, char **argv)
{
    int failed = argc > 1 ? 0 : run(NULL);
    for (int k = 1; k < argc; k++)
        failed += run(argv[k]);
    return failed != 0;
}
