/* Finds the contexts of arcs: see tree_context.h. */
#include "core/tree_context.h"

#include "base/hash.h"

enum { ROOT_TAG = 1, NO_TAG = 2, VALENCY = 3 /* more dependents on one side count as this many */ };

static uint32_t name(const struct tree_view *tree, uint32_t n, uint32_t k)
{
    return tree->names.name[(size_t)n * tree->names.stride + k];
}

uint32_t tree_tag(const struct tree_view *tree, uint32_t n)
{
    return name(tree, n, 3) ? name(tree, n, 3) : name(tree, n, 2);
}

static uint64_t tag_of_head(const struct tree_view *tree, uint32_t head)
{
    return head ? tree_tag(tree, head - 1) : ROOT_TAG;
}

/* Returns where a head is, seen from word number `from`, counted from 1: the root, to the left, to the right. */
static uint64_t side(uint32_t from, uint32_t head)
{
    return head == 0 ? 1 : 2 + (head > from);
}

/* Returns the tag of the first word on the way from `from` to `to` that depends on `head`. Both count from 1. */
static uint64_t first_dependent(const struct tree_view *tree, uint32_t head, uint32_t from, uint32_t to)
{
    for (uint32_t m = from; m != to; m = from < to ? m + 1 : m - 1)
        if (tree->head[m - 1] == head)
            return tree_tag(tree, m - 1);
    return NO_TAG;
}

/* Return the tag of the nearest dependent of `head` on word w's side of it: towards the head, and away from it. */
static uint64_t inner_sibling(const struct tree_view *tree, uint32_t w, uint32_t head)
{
    return head > w ? first_dependent(tree, head, w + 1, head) : first_dependent(tree, head, w - 1, head);
}

static uint64_t outer_sibling(const struct tree_view *tree, uint32_t w, uint32_t head)
{
    return head > w ? first_dependent(tree, head, w - 1, 0) : first_dependent(tree, head, w + 1, tree->N + 1);
}

/* Returns how many words depend on `head`, on its left and right, word number w among them. */
static uint64_t valency(const struct tree_view *tree, uint32_t w, uint32_t head)
{
    uint64_t left = 0, right = 0;
    for (uint32_t m = 1; m <= tree->N; m++)
        if (m == w || tree->head[m - 1] == head)
            *(m < head ? &left : &right) += 1;
    return (left < VALENCY ? left : VALENCY) << 8 | (right < VALENCY ? right : VALENCY);
}

static uint64_t outermost_dependents(const struct tree_view *tree, uint32_t w)
{
    return hash_mix(first_dependent(tree, w, 1, w), first_dependent(tree, w, tree->N, w));
}

/* Sets one context: the hash `alone`, and that of it with `context`. */
static void set(struct context_hashes *hashes, enum tree_context which, uint64_t alone, uint64_t context)
{
    hashes->alone[which] = alone;
    hashes->with[which] = hash_mix(hash_mix(alone, 100 + which), context);
}

void tree_context(const struct tree_view *tree, uint32_t n, uint32_t head, struct context_hashes *hashes)
{
    uint32_t w = n + 1, above = head ? tree->head[head - 1] : 0;
    uint64_t of_head = tag_of_head(tree, head) << 8 | side(w, head);
    uint64_t grandparent = head ? tag_of_head(tree, above) << 8 | side(head, above) : 0;
    uint64_t arc = hash_mix(hash_mix(10, tree_tag(tree, n)), of_head);
    set(hashes, CONTEXT_GRANDPARENT, arc, grandparent);
    set(hashes, CONTEXT_INNER, arc, inner_sibling(tree, w, head));
    set(hashes, CONTEXT_OUTER, arc, outer_sibling(tree, w, head));
    set(hashes, CONTEXT_VALENCY, hash_mix(11, tag_of_head(tree, head)), valency(tree, w, head));
    set(hashes, CONTEXT_LEMMA, hash_mix(12, head ? name(tree, head - 1, 1) : ROOT_TAG),
        (uint64_t)tree_tag(tree, n) << 8 | side(w, head));
    set(hashes, CONTEXT_WORD_GRANDPARENT, hash_mix(hash_mix(13, name(tree, n, 0)), of_head), grandparent);
    set(hashes, CONTEXT_DEPENDENTS, arc, outermost_dependents(tree, w));
}
