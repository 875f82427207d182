/* Tests k-means: every word is in the class of the nearest mean once nothing moves, whatever the threads. */
#include "base/random.h"
#include "cluster/cluster.h"

#include "folder.h"
#include "must.h"
#include "test.h"

enum { WORDS = 300, D = 5 };

/* Writes a table of words around some directions, and reads it. */
static void make_points(struct word_points *points, uint32_t directions, uint64_t seed)
{
    struct rng rng = rng_new(seed, 0);
    char *text = calloc(1, 64 * (size_t)WORDS + 64), *at = text;
    at += sprintf(at, "%d %d\n", WORDS, D);
    for (int w = 0; w < WORDS; w++) {
        at += sprintf(at, "w%d", w);
        for (int d = 0; d < D; d++)
            at += sprintf(at, " %.3f", ((uint32_t)d == (uint32_t)w % directions % D ? 3 : 0) + rng_uniform(&rng) - 0.5);
        at += sprintf(at, "\n");
    }
    *points = (struct word_points){0};
    MUST(word_points_read(points, folder_put("table", text), &err));
    free(text);
    assert_int_equal(points->words.table.count, WORDS);
    assert_int_equal(points->D, D);
}

static void find_classes(const struct word_points *points, uint32_t K, uint32_t fitted, uint32_t threads,
                         uint32_t *class)
{
    struct work work = {.seed = 1, .threads = threads};
    struct kmeans_plan plan = {K, fitted, 100, &work};
    struct cluster_progress progress = {NULL, 0, 100};
    MUST(kmeans(points, &plan, &progress, class, &err));
    assert_int_equal(progress.step, 100);
}

TEST_IN_FOLDER(every_word_is_in_the_class_of_the_nearest_mean)
{
    for (uint32_t K = 2; K <= 70; K += 17) {
        struct word_points points;
        uint32_t class[WORDS], count[70] = {0};
        double mean[70][D] = {{0}};
        make_points(&points, 5, K);
        find_classes(&points, K, WORDS, 1, class);
        for (int w = 0; w < WORDS; w++) {
            assert_true(class[w] < K);
            count[class[w]]++;
            for (int d = 0; d < D; d++)
                mean[class[w]][d] += points.vector[w * D + d];
        }
        for (int w = 0; w < WORDS; w++) {
            double distance[70];
            for (uint32_t k = 0; k < K; k++) {
                distance[k] = 0;
                for (int d = 0; d < D; d++) {
                    double away = points.vector[w * D + d] - mean[k][d] / count[k];
                    distance[k] += away * away;
                }
            }
            for (uint32_t k = 0; k < K; k++)
                if (count[k])
                    assert_true(distance[class[w]] <= distance[k] + 1e-5);
        }
        word_points_release(&points);
    }
}

TEST_IN_FOLDER(words_that_point_one_way_are_one_class)
{
    struct word_points points;
    uint32_t class[WORDS];
    make_points(&points, 2, 9);
    find_classes(&points, 2, 100, 1, class); /* the others are put where they belong as well */
    for (int w = 0; w < WORDS; w++)
        assert_int_equal(class[w], class[w % 2]);
    assert_int_not_equal(class[0], class[1]);
    word_points_release(&points);
}

TEST_IN_FOLDER(threads_do_not_matter)
{
    struct word_points points;
    uint32_t one[WORDS], three[WORDS];
    make_points(&points, 5, 11);
    find_classes(&points, 33, 200, 1, one);
    find_classes(&points, 33, 200, 3, three);
    assert_memory_equal(one, three, sizeof one);
    word_points_release(&points);
}

static void refuse(const char *table, const char *message)
{
    struct word_points points = {0};
    err = (struct vouch_error){0};
    assert_false(word_points_read(&points, folder_put("bad", table), &err));
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    word_points_release(&points);
}

TEST_IN_FOLDER(what_is_no_table_is_refused)
{
    refuse("", "expected lines of a word and its vector, found none");
    refuse("3 2\n", "expected lines of a word and its vector, found none");
    refuse("a 1 2\nb 1\n", ":2: expected as many numbers as in the first line");
    refuse("a 1 2\nb 1 2 3\n", ":2: expected no more numbers than in the first line");
    refuse("a 1 2\nb 1 x\n", ":2: expected numbers within the range of float32");
    refuse("a 1e99 2\n", ":1: expected numbers within the range of float32");
    refuse("a\n", ":1: expected a word and 1 to 1024 numbers");
    refuse(" a 1\n", ":1: expected a word and 1 to 1024 numbers");
    struct word_points points = {0};
    MUST(word_points_read(&points, folder_put("twice", "a 3 4\na 1 0\nb 0 0\n"), &err));
    assert_int_equal(points.words.table.count, 2);
    assert_true(points.vector[0] == 0.6f && points.vector[1] == 0.8f && points.vector[2] == 0); /* of length 1, or 0 */
    word_points_release(&points);
}
