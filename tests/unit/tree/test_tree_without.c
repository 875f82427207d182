/*
 * Tests the best tree in which a word has another head: against brute force for
 * short sentences, against one decoding for every word for longer ones.
 */
#include "tree/contraction.h"
#include "test.h"
#include "tree_cases.h"

/* Returns the best of all trees in which word m does not have `head`; the list is sorted. */
static double listed_without(const struct problem *p, uint32_t m, uint32_t head)
{
    for (uint32_t i = 0; i < p->trees; i++)
        if (p->all[i].head[m] != head)
            return p->all[i].score;
    return -INFINITY;
}

/* Returns the same by decoding again with the arc forbidden. */
static double decoded_without(struct problem *p, uint32_t m, uint32_t head)
{
    struct vouch_error err = {0};
    uint32_t *choice = malloc(p->scores.N * sizeof *choice);
    float *score_of_arc = arc(&p->scores, m, head), saved = *score_of_arc;
    double score;
    assert_non_null(choice);
    *score_of_arc = -INFINITY;
    CHECK(p, tree_best(&p->scores, dirty(p), choice, &score, &err));
    *score_of_arc = saved;
    free(choice);
    return score;
}

static void check_without(struct problem *p, bool listed)
{
    uint32_t N = p->scores.N, *choice = malloc(N * sizeof *choice);
    double *score = malloc(N * sizeof *score), best;
    struct vouch_error err = {0};
    assert_true(choice && score);
    CHECK(p, tree_best(&p->scores, dirty(p), choice, &best, &err));
    CHECK(p, tree_without(&p->scores, choice, dirty(p), score, &err));
    for (uint32_t m = 0; m < N; m++) {
        uint32_t head = choice[m] / p->scores.width;
        CHECK(p, score[m] <= best);
        CHECK(p, close_to(p, score[m], listed ? listed_without(p, m, head) : decoded_without(p, m, head)));
    }
    free(choice);
    free(score);
}

TEST(short_sentences_agree_with_brute_force)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 1);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= SHORT; N++)
            for (int repeat = 0; repeat < fewer(400); repeat++) {
                make_scores(p, &rng, N);
                list_all(p);
                check_without(p, true);
            }
    release(p);
}

TEST(longer_sentences_agree_with_a_decoding_for_every_word)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 2);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= 200; N += N >= 40 ? 80 : in_a_hurry() ? 3 : 1)
            for (int repeat = 0; repeat < (N < 40 ? fewer(15) : 1); repeat++) {
                make_scores(p, &rng, N);
                check_without(p, false);
            }
    release(p);
}

/* Arcs from the root that all words prefer, or that none does, and sets within sets. */
TEST(many_roots_and_nested_cycles_agree_with_a_decoding_for_every_word)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 3);
    for (p->kind = RANDOM; p->kind <= TIED; p->kind++)
        for (int repeat = 0; repeat < 400; repeat++) {
            uint32_t N = 2 + rng_below(&rng, 40);
            float root = (float)rng_below(&rng, 9) - 4, near = (float)rng_below(&rng, 3);
            make_scores(p, &rng, N);
            for (uint32_t m = 0; m < N; m++)
                for (uint32_t h = 0; h <= N; h++)
                    if (h != m + 1)
                        *arc(&p->scores, m, h) += h == 0 ? root : -near * fabsf((float)h - (float)m - 1);
            check_without(p, false);
        }
    release(p);
}

/* If the caller's tree is not the decoder's but as good, the decoder's is the answer where they differ. */
TEST(any_best_tree_will_do)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 4);
    struct vouch_error err = {0};
    p->kind = TIED;
    for (int repeat = 0; repeat < 2000; repeat++) {
        uint32_t N = 1 + rng_below(&rng, SHORT), ties = 0;
        double score[SHORT];
        make_scores(p, &rng, N);
        list_all(p);
        while (ties < p->trees && p->all[ties].score == p->all[0].score)
            ties++;
        const uint32_t *head = p->all[rng_below(&rng, ties)].head;
        CHECK(p, tree_without(&p->scores, head, dirty(p), score, &err));
        for (uint32_t m = 0; m < N; m++)
            CHECK(p, score[m] == listed_without(p, m, head[m]));
    }
    release(p);
}

/* The bound that saves work never hides a tree that scores more than the bound. */
TEST(only_trees_that_score_no_more_than_asked_are_passed_over)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 7);
    struct vouch_error err = {0};
    for (p->kind = RANDOM; p->kind <= MOSTLY_FORBIDDEN; p->kind++)
        for (int repeat = 0; repeat < 200; repeat++) {
            uint32_t N = 2 + rng_below(&rng, 24), heads[26];
            struct contraction c;
            make_scores(p, &rng, N);
            assert_true(contraction_open(&c, &p->scores, 0, dirty(p), &err));
            contraction_fill(&c);
            if (!contraction_solve(&c))
                continue;
            contraction_ready(&c);
            for (uint32_t v = 1; v <= N; v++) {
                if (!contraction_exclude(&c, v, -INFINITY, heads))
                    continue;
                double score = contraction_score(&c, heads);
                CHECK(p, contraction_exclude(&c, v, score - 1e-6, heads));
                CHECK(p, contraction_score(&c, heads) == score);
            }
        }
    release(p);
}

TEST(damaged_scores_do_no_harm)
{
    static const float damage[] = {NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f};
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 5);
    struct vouch_error err = {0};
    for (int repeat = 0; repeat < 4000; repeat++) {
        uint32_t N = 1 + rng_below(&rng, 12), choice[12], share = 1 + rng_below(&rng, 9);
        double best, score[12];
        make_scores(p, &rng, N);
        for (uint32_t i = 0; i < N * (N + 1); i++)
            if (rng_below(&rng, share) == 0)
                p->scores.node[i] = damage[rng_below(&rng, 5)];
        CHECK(p, tree_best(&p->scores, dirty(p), choice, &best, &err));
        CHECK(p, tree_without(&p->scores, choice, dirty(p), score, &err));
        for (uint32_t m = 0; m < N; m++)
            CHECK(p, score[m] <= best);
    }
    release(p);
}

TEST(a_single_word_has_no_other_head)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(4, 6);
    struct vouch_error err = {0};
    double score = 1;
    make_scores(p, &rng, 1);
    assert_true(tree_without(&p->scores, &(uint32_t){0}, &p->scratch, &score, &err));
    assert_true(score == -INFINITY);
    make_scores(p, &rng, 0);
    assert_true(tree_without(&p->scores, NULL, &p->scratch, NULL, &err));
    release(p);
}
