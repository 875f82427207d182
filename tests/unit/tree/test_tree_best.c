/*
 * Tests the best one-root tree against brute force for short sentences, and
 * against a plain decoder, which tries every root child in turn, for longer
 * ones.
 */
#include "test.h"
#include "tree_cases.h"

/*
 * The plain decoder: recursive Chu-Liu-Edmonds on words 0 .. n-1 with a given
 * root among them; w[m * n + h] is the score of the arc from h to m.
 */

/* Follows heads from every node; fills `on` with the nodes of a cycle and returns their number. */
static uint32_t plain_cycle(const uint32_t *head, uint32_t n, uint32_t root, bool *on)
{
    for (uint32_t start = 0; start < n; start++) {
        uint32_t at = start, steps = 0, length = 0;
        for (; at != root && steps <= n; steps++)
            at = head[at];
        if (at == root)
            continue;
        memset(on, 0, n);
        for (; !on[at]; at = head[at], length++)
            on[at] = true;
        return length;
    }
    return 0;
}

static void plain_decode(const double *w, uint32_t n, uint32_t root, uint32_t *head);

/* Replaces the cycle `on` of `length` nodes by one node, decodes, and opens it again. */
static void plain_contract(const double *w, uint32_t n, uint32_t root, uint32_t *head, const bool *on, uint32_t length)
{
    uint32_t small = n - length + 1, last = small - 1, outside = 0;
    double *v = calloc((size_t)small * small, sizeof *v);
    uint32_t *old = malloc(n * sizeof *old), *below = malloc(small * sizeof *below), *enter = calloc(n, sizeof *enter),
             *leave = calloc(n, sizeof *leave);
    assert_true(v && old && below && enter && leave);
    for (uint32_t i = 0; i < n; i++)
        if (!on[i])
            old[outside++] = i;
    uint32_t new_root = 0;
    for (uint32_t i = 0; i < last; i++) {
        new_root = old[i] == root ? i : new_root;
        for (uint32_t j = 0; j < last; j++)
            v[i * small + j] = w[old[i] * n + old[j]];
        double in = -INFINITY, out = -INFINITY;
        for (uint32_t k = 0, any = 0; k < n; k++) {
            if (!on[k])
                continue;
            double into = w[k * n + old[i]] - w[k * n + head[k]], from = w[old[i] * n + k];
            if (!any || into > in)
                in = into, enter[old[i]] = k;
            if (!any || from > out)
                out = from, leave[old[i]] = k;
            any = 1;
        }
        v[last * small + i] = in;
        v[i * small + last] = out;
    }
    plain_decode(v, small, new_root, below);
    for (uint32_t i = 0; i < last; i++)
        if (old[i] != root)
            head[old[i]] = below[i] == last ? leave[old[i]] : old[below[i]];
    head[enter[old[below[last]]]] = old[below[last]];
    free(v);
    free(old);
    free(below);
    free(enter);
    free(leave);
}

static void plain_decode(const double *w, uint32_t n, uint32_t root, uint32_t *head)
{
    for (uint32_t m = 0; m < n; m++) {
        head[m] = m == 0 ? 1 : 0;
        for (uint32_t h = 0; h < n && m != root; h++)
            if (h != m && w[m * n + h] > w[m * n + head[m]])
                head[m] = h;
    }
    bool *on = malloc(n);
    assert_non_null(on);
    uint32_t length = plain_cycle(head, n, root, on);
    if (length > 0)
        plain_contract(w, n, root, head, on, length);
    free(on);
}

/* Forbidden arcs are taken as very bad ones, which is exact for the small scores they are used with. */
static double plain_best(const struct scores *s)
{
    uint32_t N = s->N, *head = malloc(N * sizeof *head);
    double *w = malloc((size_t)N * N * sizeof *w), best = -INFINITY;
    assert_true(head && w);
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h < N; h++)
            w[m * N + h] = h == m ? 0 : fmax(weight(s, m, h + 1), -1e8);
    for (uint32_t root = 0; root < N; root++) {
        plain_decode(w, N, root, head);
        double sum = 0;
        for (uint32_t m = 0; m < N; m++)
            sum += weight(s, m, m == root ? 0 : head[m] + 1);
        best = fmax(best, sum);
    }
    free(head);
    free(w);
    return best;
}

static void check_best(struct problem *p, double expected)
{
    uint32_t N = p->scores.N, *choice = malloc(3 * N * sizeof *choice), *again = choice + N, *head = again + N;
    struct vouch_error err = {0};
    double score = NAN, score_again = NAN;
    assert_non_null(choice);
    CHECK(p, tree_best(&p->scores, dirty(p), choice, &score, &err));
    CHECK(p, close_to(p, score, expected));
    CHECK(p, legal(p, choice, N));
    memcpy(head, choice, N * sizeof *head);
    CHECK(p, plainly_legal(head, N));
    CHECK(p, sum_of(&p->scores, head) == score);
    CHECK(p, tree_best(&p->scores, dirty(p), again, &score_again, &err));
    CHECK(p, memcmp(choice, again, N * sizeof *choice) == 0);
    for (uint32_t m = 0; m < N && score == -INFINITY; m++)
        CHECK(p, head[m] == m);
    free(choice);
}

TEST(the_best_tree_is_the_first_of_all_trees)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 1);
    for (p->kind = 0; p->kind < KINDS; p->kind++)
        for (uint32_t N = 1; N <= SHORT; N++)
            for (int repeat = 0; repeat < fewer(400); repeat++) {
                make_scores(p, &rng, N);
                list_all(p);
                check_best(p, p->all[0].score);
            }
    release(p);
}

TEST(longer_sentences_agree_with_the_plain_decoder)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 2);
    for (p->kind = 0; p->kind <= LARGE; p->kind++)
        for (uint32_t N = 1; N <= 130; N = N < 24 ? N + 1 : N < 60 ? N + 9 : N + 70)
            for (int repeat = 0; repeat < (N < 24 ? fewer(20) : N < 60 ? fewer(4) : 1); repeat++) {
                make_scores(p, &rng, N);
                check_best(p, plain_best(&p->scores));
            }
    release(p);
}

/* Long cycles within cycles: a word's best head is the next word, and shorter ways back cost ever more. */
TEST(nested_cycles_agree_with_the_plain_decoder)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 3);
    for (uint32_t N = 2; N <= 66; N += 8) {
        make_scores(p, &rng, N);
        for (uint32_t m = 0; m < N; m++)
            for (uint32_t h = 0; h <= N; h++)
                if (h != m + 1)
                    *arc(&p->scores, m, h) -= h == 0 ? 0 : 8 * fabsf((float)h - (float)m - 2);
        check_best(p, plain_best(&p->scores));
        for (uint32_t m = 0; m < N; m++)
            *arc(&p->scores, m, 0) -= 2000;
        check_best(p, plain_best(&p->scores));
        for (uint32_t m = 0; m < N; m++)
            *arc(&p->scores, m, 0) += 4000;
        check_best(p, plain_best(&p->scores));
    }
    release(p);
}

TEST(adding_to_all_arcs_from_the_root_changes_no_head)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 4);
    struct vouch_error err = {0};
    for (int repeat = 0; repeat < 300; repeat++) {
        uint32_t N = 1 + rng_below(&rng, 40), first[40], choice[40];
        double score, moved;
        make_scores(p, &rng, N);
        assert_true(tree_best(&p->scores, dirty(p), first, &score, &err));
        for (int by = -24; by <= 24; by += 8) {
            for (uint32_t m = 0; m < N; m++)
                *arc(&p->scores, m, 0) += (float)by;
            assert_true(tree_best(&p->scores, dirty(p), choice, &moved, &err));
            CHECK(p, moved == score + by && memcmp(choice, first, N * sizeof *choice) == 0);
            for (uint32_t m = 0; m < N; m++)
                *arc(&p->scores, m, 0) -= (float)by;
        }
    }
    release(p);
}

TEST(damaged_scores_still_give_a_legal_tree)
{
    static const float damage[] = {NAN, INFINITY, -INFINITY, 3.4e38f, -3.4e38f};
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 5);
    struct vouch_error err = {0};
    for (int repeat = 0; repeat < 6000; repeat++) {
        uint32_t N = 1 + rng_below(&rng, 12), choice[12], share = 1 + rng_below(&rng, 9);
        double score;
        make_scores(p, &rng, N);
        for (uint32_t i = 0; i < N * (N + 1); i++)
            if (rng_below(&rng, share) == 0)
                p->scores.node[i] = damage[rng_below(&rng, 5)];
        CHECK(p, tree_best(&p->scores, dirty(p), choice, &score, &err));
        CHECK(p, legal(p, choice, N));
        CHECK(p, !isnan(score) && score < INFINITY);
    }
    release(p);
}

TEST(nan_counts_as_forbidden)
{
    struct problem *p = new_problem();
    struct rng rng = rng_new(2, 6);
    p->kind = FORBIDDEN;
    for (int repeat = 0; repeat < 2000; repeat++) {
        make_scores(p, &rng, 1 + rng_below(&rng, SHORT));
        list_all(p);
        if (p->finite == 0)
            continue;
        for (uint32_t i = 0; i < p->scores.G; i++)
            if (p->scores.node[i] == -INFINITY)
                p->scores.node[i] = NAN;
        check_best(p, p->all[0].score);
    }
    release(p);
}

TEST(equal_scores_go_to_the_lowest_heads)
{
    struct problem *p = new_problem();
    struct vouch_error err = {0};
    uint32_t choice[7];
    double score;
    assert_true(scores_shape(&p->scores, 7, 56, 1, 0, &err));
    for (uint32_t i = 0; i < 56; i++)
        p->scores.node[i] = 1;
    assert_true(tree_best(&p->scores, &p->scratch, choice, &score, &err));
    assert_true(score == 7);
    for (uint32_t m = 0; m < 7; m++)
        assert_int_equal(choice[m], m == 0 ? 0 : 1);
    release(p);
}

TEST(a_sentence_without_words_has_the_empty_tree)
{
    struct problem *p = new_problem();
    struct vouch_error err = {0};
    double score = 1;
    assert_true(scores_shape(&p->scores, 0, 0, 1, 0, &err));
    assert_true(tree_best(&p->scores, &p->scratch, NULL, &score, &err));
    assert_true(score == 0);
    assert_true(legal(p, NULL, 0));
    release(p);
}

TEST(scores_of_another_shape_are_errors)
{
    struct problem *p = new_problem();
    struct vouch_error err = {0};
    uint32_t choice[3];
    double score;
    assert_true(scores_shape(&p->scores, 3, 12, 0, 0, &err));
    assert_false(tree_best(&p->scores, &p->scratch, choice, &score, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "a tree of 3 words has 0 scores for each arc, expected one");
    assert_true(scores_shape(&p->scores, 3, 9, 1, 0, &err));
    assert_false(tree_best(&p->scores, &p->scratch, choice, &score, &err));
    assert_string_equal(err.message, "a tree of 3 words has 9 groups of scores, expected 12");
    release(p);
}

TEST(legality_agrees_with_the_plain_check)
{
    struct problem *p = new_problem();
    for (uint32_t N = 1; N <= 4; N++)
        for (uint32_t i = 0; i < 6 * 6 * 6 * 6; i++) {
            uint32_t head[4];
            for (uint32_t m = 0, rest = i; m < 4; m++, rest /= 6)
                head[m] = rest % 6;
            assert_int_equal(legal(p, head, N), plainly_legal(head, N));
        }
    release(p);
}
