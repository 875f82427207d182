/*
 * Tests changes of trees: whatever two trees there are, every change by itself
 * makes a tree of the given one, with no more roots than it had, and so do all
 * of a list together; the first of a list changes as few words as can be.
 */
#include "base/random.h"
#include "review/review.h"

#include "must.h"
#include "test.h"

enum { MOST = 12 };

/* A random tree: each word, in a random order, hangs from one before it; the first `roots` of them from 0. */
static void random_tree(struct rng *rng, uint32_t N, uint32_t roots, uint32_t *head)
{
    uint32_t order[MOST];
    for (uint32_t i = 0; i < N; i++)
        order[i] = i;
    rng_shuffle(rng, order, N);
    for (uint32_t i = 0; i < N; i++)
        head[order[i]] = i < roots ? 0 : order[rng_below(rng, i)] + 1;
}

static bool is_tree(const uint32_t *head, uint32_t N, uint32_t most)
{
    uint32_t roots = 0;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t at = n + 1, steps = 0;
        roots += head[n] == 0;
        while (at > 0 && steps++ <= N)
            at = head[at - 1];
        if (at > 0)
            return false;
    }
    return roots > 0 && roots <= most;
}

/* The given heads, with those proposed where a bit of `moved` is set. */
static bool can_move(const struct finding *f, uint32_t N, uint32_t moved, uint32_t most)
{
    uint32_t head[MOST];
    for (uint32_t n = 0; n < N; n++)
        head[n] = moved >> n & 1 ? f[n].proposed : f[n].given;
    return is_tree(head, N, most);
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* Returns the fewest words, `word` among them, that can be moved. */
static uint32_t fewest(const struct finding *f, uint32_t N, uint32_t word, uint32_t most)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t moved = 0; moved < 1u << N; moved++) {
        bool real = moved >> word & 1;
        for (uint32_t n = 0; n < N; n++)
            real = real && (!(moved >> n & 1) || f[n].given != f[n].proposed);
        if (real && count_bits(moved) < best && can_move(f, N, moved, most))
            best = count_bits(moved);
    }
    return best;
}

static void check_changes(struct rng *rng, uint32_t N, uint32_t roots)
{
    uint32_t given[MOST], proposed[MOST], order[MOST];
    struct finding f[MOST];
    struct suspect list[MOST];
    size_t start[] = {0, N};
    struct review review = {.layers = 1, .sentences = 1, .words = N, .first = start, .finding = {f}, .suspect = list};
    random_tree(rng, N, roots, given);
    random_tree(rng, N, 1, proposed);
    bool alike = rng_below(rng, 2); /* the two have heads in common */
    for (uint32_t n = 0; n < N; n++) {
        proposed[n] = alike && rng_below(rng, 2) ? given[n] : proposed[n];
        f[n] = (struct finding){.given = given[n], .proposed = proposed[n]};
        order[n] = n;
    }
    if (!is_tree(proposed, N, 1))
        return;
    rng_shuffle(rng, order, N);
    for (uint32_t n = 0; n < N; n++)
        list[n] = (struct suspect){.from = order[n], .to = order[n] + 1};
    MUST(find_tree_changes(&review, N, &err));
    uint32_t all = 0, first = true;
    for (uint32_t i = 0; i < N; i++) {
        uint32_t moved = f[order[i]].given != f[order[i]].proposed ? 1u << order[i] : 0;
        for (uint32_t k = 0; k < list[i].other_count; k++) {
            uint32_t n = review.change[list[i].others + k];
            assert_true(n != order[i] && n < N && f[n].given != f[n].proposed);
            moved |= 1u << n;
        }
        assert_true(can_move(f, N, moved, roots));
        if (moved && first)
            assert_int_equal(count_bits(moved), roots == 1 ? fewest(f, N, order[i], roots) : count_bits(moved));
        first = first && !moved;
        all |= moved;
        assert_true(can_move(f, N, all, roots));
    }
    free(review.change);
}

TEST(changes_leave_trees)
{
    struct rng rng = rng_new(5, 0);
    for (int round = 0; round < 6000; round++) {
        uint32_t N = 1 + rng_below(&rng, MOST / 2);
        check_changes(&rng, N, 1 + (N > 2 && round % 4 == 0));
    }
    for (int round = 0; round < 300; round++)
        check_changes(&rng, MOST, 1);
}
