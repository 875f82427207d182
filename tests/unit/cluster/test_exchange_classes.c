/* Tests the exchange algorithm against its criterion, computed plainly: rounds never lower it, and no move raises it.
 */
#include "base/random.h"
#include "cluster/cluster.h"

#include "folder.h"
#include "must.h"
#include "test.h"

enum { MOST_WORDS_HERE = 40, SENTENCES = 120, OTHERS = 3 };

/* Writes a text in which verbs follow nouns, and reads its neighbours. */
static void make_text(struct neighbours *n, uint32_t most, uint64_t seed)
{
    struct rng rng = rng_new(seed, 1);
    char *text = calloc(1, 200 * (size_t)SENTENCES), *at = text;
    for (int s = 0; s < SENTENCES; s++) {
        uint32_t pairs = 1 + rng_below(&rng, 4);
        for (uint32_t i = 0; i < pairs; i++)
            at += sprintf(at, "%snoun%u verb%u", i ? " " : "", rng_below(&rng, 1 + rng_below(&rng, 10)),
                          rng_below(&rng, 1 + rng_below(&rng, 8)));
        at += sprintf(at, "\n");
    }
    char path[600], *argument[] = {path, NULL};
    snprintf(path, sizeof path, "%s", folder_put("text", text));
    struct cluster_options options = *(const struct cluster_options *)cluster_options.usual;
    options.common.argument = argument;
    options.common.arguments = 1;
    options.words = most;
    *n = (struct neighbours){0};
    MUST(neighbours_read(n, &options, &err));
    free(text);
}

static double f(double n)
{
    return n > 0 ? n * log(n) : 0;
}

/* The criterion by its definition. */
static double criterion(const struct neighbours *n, uint32_t K, const uint32_t *class)
{
    static double pairs[MOST_WORDS_HERE][MOST_WORDS_HERE];
    double left[MOST_WORDS_HERE] = {0}, right[MOST_WORDS_HERE] = {0}, sum = 0;
    uint32_t words = n->words.table.count, C = K + OTHERS;
    memset(pairs, 0, sizeof pairs);
    for (uint32_t w = 1; w <= words + OTHERS; w++)
        for (size_t i = n->next_start[w]; i < n->next_start[w + 1]; i++) {
            uint32_t v = n->next[i].word, g = w <= words ? class[w] : K + w - words - 1,
                     h = v <= words ? class[v] : K + v - words - 1;
            pairs[g][h] += n->next[i].times;
            left[g] += n->next[i].times;
            right[h] += n->next[i].times;
        }
    for (uint32_t g = 0; g < C; g++) {
        sum -= f(left[g]) + f(right[g]);
        for (uint32_t h = 0; h < C; h++)
            sum += f(pairs[g][h]);
    }
    return sum;
}

TEST_IN_FOLDER(rounds_raise_the_criterion_until_no_move_does)
{
    for (uint32_t K = 2; K <= 6; K += 2)
        for (uint32_t most = 6; most <= 30; most += 24) {
            struct neighbours n;
            uint32_t class[MOST_WORDS_HERE];
            double before = -INFINITY;
            make_text(&n, most, K);
            uint32_t words = n.words.table.count;
            assert_true(words <= most && words + OTHERS < MOST_WORDS_HERE);
            for (uint32_t rounds = 1; rounds <= 32; rounds *= 2) {
                struct exchange_plan plan = {K, rounds, NULL};
                MUST(exchange(&n, &plan, class, &err));
                double now = criterion(&n, K, class);
                assert_true(now >= before - 1e-9);
                before = now;
            }
            for (uint32_t w = 1; w <= words; w++) {
                uint32_t own = class[w];
                for (class[w] = 0; class[w] < K; class[w]++)
                    assert_true(criterion(&n, K, class) <= before + 1e-9);
                class[w] = own;
            }
            neighbours_release(&n);
        }
}

TEST_IN_FOLDER(words_with_the_same_neighbours_are_one_class)
{
    struct neighbours n;
    uint32_t class[MOST_WORDS_HERE], noun = UINT32_MAX, verb = UINT32_MAX;
    make_text(&n, 30, 5);
    struct exchange_plan plan = {2, 30, NULL};
    MUST(exchange(&n, &plan, class, &err));
    for (uint32_t w = 1; w <= n.words.table.count; w++) {
        uint32_t *kind = dictionary_text(&n.words, w).at[0] == 'n' ? &noun : &verb;
        *kind = *kind == UINT32_MAX ? class[w] : *kind;
        assert_int_equal(class[w], *kind);
    }
    assert_int_not_equal(noun, verb);
    neighbours_release(&n);
}

TEST_IN_FOLDER(neighbours_are_counted)
{
    struct neighbours n = {0};
    char path[600], *argument[] = {path, NULL};
    snprintf(path, sizeof path, "%s", folder_put("text", "a b a b\na a\nc a\n"));
    struct cluster_options options = *(const struct cluster_options *)cluster_options.usual;
    options.common.argument = argument;
    options.common.arguments = 1;
    options.words = 2; /* c is one of the rest, 3; sentences begin with 4 and end with 5 */
    MUST(neighbours_read(&n, &options, &err));
    assert_int_equal(n.words.table.count, 2);
    assert_true(text_is(dictionary_text(&n.words, 1), "a"));
    assert_int_equal(n.times[1], 5);
    static const uint32_t expected[][3] = {{1, 1, 1}, {1, 2, 2}, {1, 5, 2}, {2, 1, 1},
                                           {2, 5, 1}, {3, 1, 1}, {4, 1, 2}, {4, 3, 1}};
    size_t i = 0;
    for (uint32_t w = 1; w <= 5; w++)
        for (size_t k = n.next_start[w]; k < n.next_start[w + 1]; k++, i++) {
            assert_true(i < sizeof expected / sizeof *expected);
            assert_int_equal(w, expected[i][0]);
            assert_int_equal(n.next[k].word, expected[i][1]);
            assert_int_equal(n.next[k].times, expected[i][2]);
        }
    assert_int_equal(i, sizeof expected / sizeof *expected);
    assert_int_equal(n.before_start[6] - n.before_start[1], 8);
    neighbours_release(&n);
}
