/* Tests votes on trees against all trees of short sentences. */
#include "vote/vote.h"

#include "base/random.h"
#include "tree/tree.h"

#include "must.h"
#include "test.h"

enum { MOST_WORDS = 5, VOTERS = 5 };

static void next_heads(uint32_t *head, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++) {
        if (++head[i] <= N)
            return;
        head[i] = 0;
    }
}

static void random_tree(uint32_t *head, uint32_t N, struct rng *random)
{
    uint32_t mark[MOST_WORDS + 1];
    do
        for (uint32_t i = 0; i < N; i++)
            head[i] = (uint32_t)rng_below(random, N + 1);
    while (!tree_is_legal(head, N, mark));
}

/* Returns the most votes that the arcs of a tree have together. */
static uint32_t most_votes(const uint32_t *const *head, uint32_t K, uint32_t N)
{
    uint32_t most = 0, tree[MOST_WORDS] = {0}, mark[MOST_WORDS + 1], all = 1;
    for (uint32_t i = 0; i < N; i++)
        all *= N + 1;
    for (uint32_t n = 0; n < all; n++, next_heads(tree, N)) {
        uint32_t votes = 0;
        if (!tree_is_legal(tree, N, mark))
            continue;
        for (uint32_t k = 0; k < K; k++)
            for (uint32_t i = 0; i < N; i++)
                votes += head[k][i] == tree[i];
        most = votes > most ? votes : most;
    }
    return most;
}

TEST(the_tree_has_the_most_votes_and_each_arc_its_commonest_relation)
{
    static const char *const names[] = {"a", "b", "c"};
    struct tree_votes votes = {0};
    struct rng random;
    random = rng_new(4, 0);
    for (int round = 0; round < fewer(2000); round++) {
        uint32_t N = 1 + (uint32_t)rng_below(&random, MOST_WORDS), K = 1 + (uint32_t)rng_below(&random, VOTERS);
        uint32_t head[VOTERS][MOST_WORDS], mark[MOST_WORDS + 1];
        struct text relation[VOTERS][MOST_WORDS];
        const uint32_t *heads[VOTERS];
        const struct text *relations[VOTERS];
        for (uint32_t k = 0; k < K; k++) {
            random_tree(head[k], N, &random);
            for (uint32_t i = 0; i < N; i++)
                relation[k][i] = text_of(names[rng_below(&random, 3)]);
            heads[k] = head[k];
            relations[k] = relation[k];
        }
        MUST(tree_votes_count(&votes, N, K, heads, relations, &err));
        assert_true(tree_is_legal(votes.head, N, mark));
        uint32_t found = 0;
        for (uint32_t i = 0; i < N; i++) {
            uint32_t arcs = 0, of_arc[3] = {0}, of_all[3] = {0}, mine = (uint32_t)(votes.relation[i].at[0] - 'a');
            for (uint32_t k = 0; k < K; k++) {
                arcs += head[k][i] == votes.head[i];
                of_arc[relation[k][i].at[0] - 'a'] += head[k][i] == votes.head[i];
                of_all[relation[k][i].at[0] - 'a']++;
            }
            found += arcs;
            assert_float_equal(votes.head_share[i], (double)arcs / K, 0);
            assert_float_equal(votes.relation_share[i], (double)of_all[mine] / K, 0);
            for (uint32_t r = 0; r < 3; r++)
                assert_true(arcs ? of_arc[mine] >= of_arc[r] : of_all[mine] >= of_all[r]);
        }
        assert_int_equal(found, most_votes(heads, K, N));
    }
    tree_votes_release(&votes);
}

TEST(without_relations_there_are_none)
{
    struct tree_votes votes = {0};
    const uint32_t head[] = {0, 1};
    const uint32_t *heads[] = {head, head};
    MUST(tree_votes_count(&votes, 2, 2, heads, NULL, &err));
    assert_int_equal(votes.head[1], 1);
    assert_true(isnan(votes.relation_share[1]));
    tree_votes_release(&votes);
}
