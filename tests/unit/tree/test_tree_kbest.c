/*
 * Tests the K best one-root trees: against all trees for short sentences,
 * against a plain partition, which decodes once for every word of every tree,
 * for longer ones.
 */
#include "test.h"
#include "tree_cases.h"

static bool same(const uint32_t *a, const uint32_t *b, uint32_t N)
{
    return N == 0 || memcmp(a, b, N * sizeof *a) == 0;
}

/* What holds of any list: legal, distinct, sorted, each with its own score, the first tree_best()'s. */
static void check_list(struct problem *p, const uint32_t *choice, const double *score, uint32_t found)
{
    uint32_t N = p->scores.N, *head = malloc(2 * N * sizeof *head), *best = head + N;
    struct vouch_error err = {0};
    double best_score;
    assert_non_null(head);
    CHECK(p, tree_best(&p->scores, dirty(p), best, &best_score, &err));
    CHECK(p, found >= 1 && score[0] == best_score && same(choice, best, N));
    for (uint32_t k = 0; k < found; k++) {
        memcpy(head, choice + k * N, N * sizeof *head);
        CHECK(p, plainly_legal(head, N));
        CHECK(p, sum_of(&p->scores, head) == score[k]);
        CHECK(p, k == 0 || score[k] <= score[k - 1]);
        for (uint32_t i = 0; i < k; i++)
            CHECK(p, !same(choice + i * N, choice + k * N, N));
    }
    free(head);
}

static void check_kbest(struct problem *p, uint32_t K)
{
    static uint32_t choice[(MOST_TREES + 3) * SHORT];
    static double score[MOST_TREES + 3];
    uint32_t N = p->scores.N, found = 99, finite = p->finite ? p->finite : 1;
    struct vouch_error err = {0};
    CHECK(p, tree_kbest(&p->scores, K, dirty(p), choice, score, &found, &err));
    CHECK(p, found == (finite < K ? finite : K));
    check_list(p, choice, score, found);
    for (uint32_t k = 0; k < found; k++)
        CHECK(p, close_to(p, score[k], p->all[k].score));
    for (uint32_t k = 0; k < found && p->finite; k++) {
        bool unique = (k == 0 || p->all[k - 1].score > p->all[k].score) &&
                      (k + 1 == p->trees || p->all[k].score > p->all[k + 1].score);
        for (uint32_t m = 0; m < N && unique && tolerance(p) == 0; m++)
            CHECK(p, choice[k * N + m] / p->scores.width == p->all[k].head[m]);
    }
}

TEST(short_sentences_agree_with_brute_force)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 1);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= SHORT; N++)
            for (int repeat = 0; repeat < 100; repeat++) {
                make_scores(p, &rng, N);
                list_all(p);
                check_kbest(p, 1);
                check_kbest(p, 2);
                check_kbest(p, 3 + rng_below(&rng, 20));
            }
    release(p);
}

TEST(asking_for_more_trees_than_exist_gives_all)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 2);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= SHORT; N++)
            for (int repeat = 0; repeat < (N < SHORT ? 60 : 5); repeat++) {
                make_scores(p, &rng, N);
                list_all(p);
                check_kbest(p, p->trees);
                check_kbest(p, p->trees + 3);
            }
    release(p);
}

/*
 * The plain partition: a candidate's trees share the heads of words 0 .. fixed-1
 * with it, and lack some heads of word `fixed`. Its own tree given out, it is
 * split by the first word at which a tree differs from it.
 */
enum { MOST = 24, PLAIN_K = 40, PLAIN_CANDIDATES = PLAIN_K * MOST + 1 };

struct candidate {
    uint32_t head[MOST], fixed;
    bool lacks[MOST + 1]; /* heads of word `fixed` */
    double score;
    bool given;
};

static void forbid(struct scores *s, uint32_t m, uint32_t head)
{
    *arc(s, m, head) = -INFINITY;
}

static void decode_candidate(struct problem *p, struct scores *work, struct candidate *candidate)
{
    uint32_t N = p->scores.N, choice[MOST];
    struct vouch_error err = {0};
    memcpy(work->node, p->scores.node, sizeof *work->node * work->G * work->width);
    for (uint32_t m = 0; m < candidate->fixed; m++)
        for (uint32_t h = 0; h <= N; h++)
            if (h != candidate->head[m])
                forbid(work, m, h);
    for (uint32_t h = 0; h <= N && candidate->fixed < N; h++)
        if (candidate->lacks[h])
            forbid(work, candidate->fixed, h);
    CHECK(p, tree_best(work, dirty(p), choice, &candidate->score, &err));
    for (uint32_t m = 0; m < N; m++)
        candidate->head[m] = choice[m] / work->width;
}

static uint32_t plain_kbest(struct problem *p, double *score)
{
    static struct candidate list[PLAIN_CANDIDATES];
    struct scores work = {0};
    struct vouch_error err = {0};
    uint32_t N = p->scores.N, count = 1, found = 0;
    assert_true(scores_zero_like(&work, &p->scores, &err));
    list[0] = (struct candidate){0};
    decode_candidate(p, &work, &list[0]);
    for (; found < PLAIN_K; found++) {
        struct candidate *best = NULL;
        for (uint32_t i = 0; i < count; i++)
            if (!list[i].given && list[i].score > (best ? best->score : -INFINITY))
                best = &list[i];
        if (!best)
            break;
        best->given = true;
        score[found] = best->score;
        for (uint32_t m = best->fixed; m < N; m++) {
            struct candidate *next = &list[count++];
            *next = (struct candidate){.fixed = m};
            memcpy(next->head, best->head, sizeof next->head);
            if (m == best->fixed)
                memcpy(next->lacks, best->lacks, sizeof next->lacks);
            next->lacks[best->head[m]] = true;
            decode_candidate(p, &work, next);
        }
    }
    scores_release(&work);
    return found;
}

static void check_against_partition(struct problem *p)
{
    static uint32_t choice[PLAIN_K * MOST];
    double score[PLAIN_K], expected[PLAIN_K];
    uint32_t found = 0, plain = plain_kbest(p, expected);
    struct vouch_error err = {0};
    CHECK(p, tree_kbest(&p->scores, PLAIN_K, dirty(p), choice, score, &found, &err));
    CHECK(p, found == (plain ? plain : 1));
    check_list(p, choice, score, found);
    for (uint32_t k = 0; k < plain; k++)
        CHECK(p, close_to(p, score[k], expected[k]));
}

TEST(longer_sentences_agree_with_the_plain_partition)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 3);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 6; N <= MOST; N += 3)
            for (int repeat = 0; repeat < 4; repeat++) {
                make_scores(p, &rng, N);
                check_against_partition(p);
            }
    release(p);
}

TEST(many_roots_and_nested_cycles_agree_with_the_plain_partition)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 4);
    for (p->kind = RANDOM; p->kind <= TIED; p->kind++)
        for (int repeat = 0; repeat < 60; repeat++) {
            uint32_t N = 4 + rng_below(&rng, 16);
            float root = (float)rng_below(&rng, 9) - 4, near = (float)rng_below(&rng, 3);
            make_scores(p, &rng, N);
            for (uint32_t m = 0; m < N; m++)
                for (uint32_t h = 0; h <= N; h++)
                    if (h != m + 1)
                        *arc(&p->scores, m, h) += h == 0 ? root : -near * fabsf((float)h - (float)m - 1);
            check_against_partition(p);
        }
    release(p);
}

TEST(long_lists_of_long_sentences_begin_with_the_shorter_lists)
{
    enum { K = 60 };
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 5);
    struct vouch_error err = {0};
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= 200; N = N < 30 ? N + 7 : N + 82) {
            uint32_t *choice = malloc(2 * K * N * sizeof *choice), *few = choice + K * N, found, found_few;
            double score[K], few_score[K];
            assert_non_null(choice);
            make_scores(p, &rng, N);
            CHECK(p, tree_kbest(&p->scores, K, dirty(p), choice, score, &found, &err));
            CHECK(p, tree_kbest(&p->scores, K / 4, dirty(p), few, few_score, &found_few, &err));
            check_list(p, choice, score, found);
            CHECK(p, found_few == (found < K / 4 ? found : K / 4));
            for (uint32_t k = 0; k < found_few; k++)
                CHECK(p, score[k] == few_score[k]);
            CHECK(p, tree_kbest(&p->scores, K / 4, dirty(p), choice, score, &found, &err));
            CHECK(p, found == found_few && same(choice, few, found * N));
            free(choice);
        }
    release(p);
}

TEST(damaged_scores_still_give_legal_trees)
{
    static const float damage[] = {NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f};
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 6);
    struct vouch_error err = {0};
    for (int repeat = 0; repeat < 1500; repeat++) {
        uint32_t N = 1 + rng_below(&rng, 9), choice[20 * 9], share = 1 + rng_below(&rng, 9);
        uint32_t found = 0;
        double score[20];
        make_scores(p, &rng, N);
        for (uint32_t i = 0; i < N * (N + 1); i++)
            if (rng_below(&rng, share) == 0)
                p->scores.node[i] = damage[rng_below(&rng, 5)];
        CHECK(p, tree_kbest(&p->scores, 20, dirty(p), choice, score, &found, &err));
        CHECK(p, found >= 1);
        for (uint32_t k = 0; k < found; k++)
            CHECK(p, legal(p, choice + k * N, N));
    }
    release(p);
}

TEST(no_trees_and_no_words)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(3, 7);
    struct vouch_error err = {0};
    uint32_t found = 9, choice[3];
    double score = 1;
    make_scores(p, &rng, 0);
    assert_true(tree_kbest(&p->scores, 4, &p->scratch, NULL, &score, &found, &err));
    assert_true(found == 1 && score == 0);
    make_scores(p, &rng, 3);
    assert_true(tree_kbest(&p->scores, 0, &p->scratch, NULL, NULL, &found, &err));
    assert_int_equal(found, 0);
    assert_true(scores_shape(&p->scores, 3, 12, 0, 0, &err));
    assert_false(tree_kbest(&p->scores, 2, &p->scratch, choice, &score, &found, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_int_equal(found, 0);
    release(p);
}
