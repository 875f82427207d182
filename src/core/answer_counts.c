/*
 * Counts words, answers and the contexts of arcs in one hash table with linear probing. The table is larger than the
 * caches, and a slot takes as long to arrive from memory as the arithmetic of many words: slots are prefetched some
 * words ahead.
 */
#include "core/answer_counts.h"

#include "base/hash.h"
#include "base/order.h"
#include "core/examples.h"
#include "core/exp_log.h"

#include <string.h>

enum {
    LEAST_SLOTS = 16,
    OFTEN = 7,         /* times in a text: more count as this many */
    KEPT_SLOTS = 8192, /* a larger table is freed, not cleared, between sentences */
    FAR = 4,           /* distances of heads below this are told apart */
    FEW = 2
};
#define MOST_TIMES ((UINT64_C(1) << COUNT_BITS) - 1)
#define PAIR_BIT (UINT64_C(1) << COUNT_BITS) /* of a slot: it counts a pair of neighbours */
#define OUTSIDE UINT32_MAX                   /* the type of labels outside of chunks, however many labels there are */

/* What to look up for one word: its keys of all kinds, alone and with the answer. */
struct keys {
    uint64_t alone[COUNT_KINDS], with[COUNT_KINDS];
    uint64_t any, answer; /* all words, and those with the answer; 0: there is no prior */
};

/* Returns a slot without its count. */
static uint64_t key_of(uint64_t hash, bool pair)
{
    uint64_t key = (hash & ~(MOST_TIMES | PAIR_BIT)) | (pair ? PAIR_BIT : 0);
    return key ? key : MOST_TIMES + 1 + PAIR_BIT;
}

static uint64_t home(const struct answer_counts *counts, uint64_t key)
{
    return key * UINT64_C(0x9E3779B97F4A7C15) >> 20 & counts->mask;
}

/* Returns the slot of a key, or the free one where it would be. */
static uint64_t find(const struct answer_counts *counts, uint64_t key)
{
    uint64_t at = home(counts, key);
    while (counts->slot[at] && (counts->slot[at] & ~MOST_TIMES) != key)
        at = (at + 1) & counts->mask;
    return at;
}

static uint32_t times_here(const struct answer_counts *counts, uint64_t key)
{
    return counts->slot ? (uint32_t)(counts->slot[find(counts, key)] & MOST_TIMES) : 0;
}

/* Returns how often a key was counted, without what is left out; a pair that was seen once counts as not seen. */
static uint32_t times(const struct answer_counts *counts, uint64_t key)
{
    uint32_t all = times_here(counts, key), except = all && counts->except ? times_here(counts->except, key) : 0;
    uint32_t left = all > except ? all - except : 0;
    return key & PAIR_BIT && left < FEW ? 0 : left;
}

/* ---- Keys ---- */

static uint32_t name(const struct counted_answer *a, uint32_t n, uint32_t k)
{
    return n < a->N ? a->names.name[(size_t)n * a->names.stride + k] : 0;
}

/* Makes the keys of a label: the word, in lower case, with the word before, with the word after. */
static void keys_of_label(const struct counted_answer *a, uint32_t n, struct keys *keys)
{
    uint32_t y = a->choice[n], type = !a->rules                               ? y
                                      : a->rules->type[y] == a->rules->labels ? OUTSIDE
                                                                              : a->rules->type[y];
    uint64_t lower = name(a, n, 1);
    uint64_t hash[COUNT_KINDS] = {hash_mix(1, name(a, n, 0)), hash_mix(2, lower),
                                  hash_mix(3, lower << 32 | name(a, n - 1, 1)),
                                  hash_mix(4, lower << 32 | name(a, n + 1, 1))};
    for (uint32_t k = 0; k < COUNT_KINDS; k++) {
        keys->alone[k] = key_of(hash[k], k >= 2);
        keys->with[k] = key_of(hash_mix(hash[k], type), k >= 2);
    }
    keys->any = key_of(hash_mix(5, 0), false);
    keys->answer = key_of(hash_mix(6, type), false);
}

/* Returns the fine tag of word n, or its tag if there is none. */
static uint32_t tree_tag(const struct counted_answer *a, uint32_t n)
{
    return name(a, n, 3) ? name(a, n, 3) : name(a, n, 2);
}

/* Makes the keys of an arc: the word, its lemma and its tag with the tag of the head, and the word with the head. */
static void keys_of_arc(const struct counted_answer *a, uint32_t n, struct keys *keys)
{
    uint32_t head = a->choice[n], h = head - 1, right = head > n + 1;
    uint64_t far = head == 0 ? 0 : right ? head - n - 1 : n + 1 - head;
    uint64_t tag_of_head = head ? tree_tag(a, h) : 1, side = head ? 2 + right : 1;
    uint64_t form = hash_mix(7, name(a, n, 0)), lemma = hash_mix(8, name(a, n, 1)),
             of_tag = hash_mix(9, tree_tag(a, n));
    *keys =
        (struct keys){.alone = {key_of(form, false), key_of(lemma, false), key_of(of_tag, false), key_of(form, false)},
                      .with = {key_of(hash_mix(form, tag_of_head << 8 | side), false),
                               key_of(hash_mix(lemma, tag_of_head << 8 | side), false),
                               key_of(hash_mix(of_tag, tag_of_head << 8 | (far < FAR ? far : FAR) << 4 | side), false),
                               key_of(hash_mix(hash_mix(form, head ? name(a, h, 0) : 1), side), true)}};
}

static void keys_of(const struct counted_answer *a, uint32_t n, struct keys *keys)
{
    if (a->names.heads)
        keys_of_arc(a, n, keys);
    else
        keys_of_label(a, n, keys);
}

/* Returns the number of kinds that are used: the first ones. */
static uint32_t kinds_of(const struct answer_counts *counts)
{
    return counts->text ? TEXT_KINDS : COUNT_KINDS;
}

/* ---- Contexts of arcs ---- */

enum { ROOT_TAG = 1, NO_TAG = 2, VALENCY = 3 /* more dependents on one side count as this many */ };

static uint64_t tag_of_head(const struct counted_answer *tree, uint32_t head)
{
    return head ? tree_tag(tree, head - 1) : ROOT_TAG;
}

/* Returns where a head is, seen from word number `from`, counted from 1: the root, to the left, to the right. */
static uint64_t side(uint32_t from, uint32_t head)
{
    return head == 0 ? 1 : 2 + (head > from);
}

/* Returns the tag of the first word on the way from `from` to `to` that depends on `head`. Both count from 1. */
static uint64_t first_dependent(const struct counted_answer *tree, uint32_t head, uint32_t from, uint32_t to)
{
    for (uint32_t m = from; m != to; m = from < to ? m + 1 : m - 1)
        if (tree->choice[m - 1] == head)
            return tree_tag(tree, m - 1);
    return NO_TAG;
}

/* Returns how many words depend on `head`, on its left and right, word number w among them. */
static uint64_t valency(const struct counted_answer *tree, uint32_t w, uint32_t head)
{
    uint64_t left = 0, right = 0;
    for (uint32_t m = 1; m <= tree->N; m++)
        if (m == w || tree->choice[m - 1] == head)
            *(m < head ? &left : &right) += 1;
    return (left < VALENCY ? left : VALENCY) << 8 | (right < VALENCY ? right : VALENCY);
}

/* Sets one context: the hash `alone`, and that of it with `context`. */
static void set(struct context_hashes *hashes, enum tree_context which, uint64_t alone, uint64_t context)
{
    hashes->alone[which] = alone;
    hashes->with[which] = hash_mix(hash_mix(alone, 100 + which), context);
}

void tree_context(const struct counted_answer *tree, uint32_t n, uint32_t head, struct context_hashes *hashes)
{
    uint32_t w = n + 1, above = head ? tree->choice[head - 1] : 0;
    uint64_t of_head = tag_of_head(tree, head) << 8 | side(w, head);
    uint64_t grandparent = head ? tag_of_head(tree, above) << 8 | side(head, above) : 0;
    uint64_t arc = hash_mix(hash_mix(10, tree_tag(tree, n)), of_head);
    uint32_t inwards = head > w ? w + 1 : w - 1, outwards = head > w ? w - 1 : w + 1;
    set(hashes, CONTEXT_GRANDPARENT, arc, grandparent);
    set(hashes, CONTEXT_INNER, arc, first_dependent(tree, head, inwards, head));
    set(hashes, CONTEXT_OUTER, arc, first_dependent(tree, head, outwards, head > w ? 0 : tree->N + 1));
    set(hashes, CONTEXT_VALENCY, hash_mix(11, tag_of_head(tree, head)), valency(tree, w, head));
    set(hashes, CONTEXT_LEMMA, hash_mix(12, head ? name(tree, head - 1, 1) : ROOT_TAG),
        (uint64_t)tree_tag(tree, n) << 8 | side(w, head));
    set(hashes, CONTEXT_WORD_GRANDPARENT, hash_mix(hash_mix(13, name(tree, n, 0)), of_head), grandparent);
    set(hashes, CONTEXT_DEPENDENTS, arc,
        hash_mix(first_dependent(tree, w, 1, w), first_dependent(tree, w, tree->N, w)));
}

/* ---- Counting ---- */

static bool make_room(struct answer_counts *counts, size_t slots, struct vouch_error *err)
{
    struct answer_counts larger = {.mask = slots - 1, .own = new_large_array(slots, sizeof *larger.own, err)};
    if (!larger.own)
        return false;
    larger.slot = larger.own;
    for (uint64_t i = 0; counts->slot && i <= counts->mask; i++)
        if (counts->slot[i])
            larger.own[find(&larger, counts->slot[i] & ~MOST_TIMES)] = counts->slot[i];
    free(counts->own);
    counts->own = larger.own;
    counts->slot = larger.own;
    counts->mask = larger.mask;
    return true;
}

/* Returns the slots for so many keys: a power of two, at most three quarters full. */
static size_t slots_for(size_t count)
{
    size_t slots = LEAST_SLOTS;
    while (slots - slots / 4 < count)
        slots *= 2;
    return slots;
}

static bool count(struct answer_counts *counts, uint64_t key, uint64_t more, struct vouch_error *err)
{
    size_t slots = counts->own ? counts->mask + 1 : 0;
    if (slots - slots / 4 < counts->count + 1 && !make_room(counts, slots_for(counts->count + 1), err))
        return false;
    uint64_t *slot = &counts->own[find(counts, key)], sum = (*slot & MOST_TIMES) + more;
    counts->count += *slot == 0;
    *slot = key | (sum < MOST_TIMES ? sum : MOST_TIMES);
    return true;
}

/* Counts an arc in its contexts. Four of them begin with the tags of word and head, which are counted once. */
static bool add_contexts(struct answer_counts *counts, const struct counted_answer *a, uint32_t n,
                         struct vouch_error *err)
{
    struct context_hashes hashes;
    bool ok = true;
    tree_context(a, n, a->choice[n], &hashes);
    for (uint32_t c = 0; ok && c < TREE_CONTEXTS; c++) {
        bool counted = c > 0 && hashes.alone[c] == hashes.alone[0];
        ok = (counted || count(counts, key_of(hashes.alone[c], false), 1, err)) &&
             count(counts, key_of(hashes.with[c], false), 1, err);
    }
    return ok;
}

bool answer_counts_add(struct answer_counts *counts, const struct counted_answer *a, struct vouch_error *err)
{
    struct keys keys;
    bool ok = true, contexts = a->names.heads && count_open(a->choice, a->N) == 0;
    for (uint32_t n = 0; ok && a->names.name && n < a->N; n++) {
        if (a->choice[n] == OPEN_CHOICE)
            continue;
        keys_of(a, n, &keys);
        for (uint32_t k = 0; ok && k < kinds_of(counts); k++)
            ok = ((k > 0 && keys.alone[k] == keys.alone[0]) || count(counts, keys.alone[k], 1, err)) &&
                 count(counts, keys.with[k], 1, err);
        if (keys.any)
            ok = ok && count(counts, keys.any, 1, err) && count(counts, keys.answer, 1, err);
        if (contexts)
            ok = ok && add_contexts(counts, a, n, err);
    }
    return ok;
}

bool answer_counts_next(const struct answer_counts *counts, uint64_t *at, uint64_t *slot)
{
    while (counts->slot && *at <= counts->mask)
        if ((*slot = counts->slot[(*at)++]))
            return true;
    return false;
}

void answer_counts_prefetch(const struct answer_counts *counts, uint64_t slot)
{
    __builtin_prefetch(&counts->slot[home(counts, slot & ~MOST_TIMES)], 1);
}

bool answer_counts_add_slot(struct answer_counts *counts, uint64_t slot, struct vouch_error *err)
{
    return count(counts, slot & ~MOST_TIMES, slot & MOST_TIMES, err);
}

bool answer_counts_expect(struct answer_counts *counts, size_t more, struct vouch_error *err)
{
    size_t slots = slots_for(counts->count + more);
    return (counts->own && slots <= counts->mask + 1) || make_room(counts, slots, err);
}

bool answer_counts_add_all(struct answer_counts *counts, const struct answer_counts *other, struct vouch_error *err)
{
    uint64_t at = 0, slot;
    if (other->count && !answer_counts_expect(counts, other->count, err))
        return false;
    while (answer_counts_next(other, &at, &slot))
        if (!answer_counts_add_slot(counts, slot, err))
            return false;
    return true;
}

bool answer_counts_close(struct answer_counts *counts, struct vouch_error *err)
{
    size_t kept = 0;
    if (!counts->own)
        return true;
    for (uint64_t i = 0; i <= counts->mask; i++) {
        uint64_t slot = counts->own[i];
        if (slot && !(slot & PAIR_BIT && (slot & MOST_TIMES) < FEW))
            counts->own[kept++] = slot;
    }
    if (!sort_keys(counts->own, kept, err))
        return false;
    struct answer_counts closed = {.count = kept, .mask = slots_for(kept) - 1};
    closed.own = new_large_array(closed.mask + 1, sizeof *closed.own, err);
    closed.slot = closed.own;
    for (size_t i = 0; closed.own && i < kept; i++)
        closed.own[find(&closed, counts->own[i] & ~MOST_TIMES)] = counts->own[i];
    answer_counts_release(counts);
    *counts = closed;
    return closed.own != NULL;
}

/* ---- Looking up ---- */

#define ARC_PRIOR 0.05 /* the share of a head that was never counted */

enum { AHEAD = 4 }; /* words whose slots are fetched before they are needed */

static void fetch(const struct answer_counts *counts, uint64_t key)
{
    if (counts->slot)
        __builtin_prefetch(&counts->slot[home(counts, key)]);
}

/* Makes the keys of a word, and fetches their slots. */
static void fetch_keys(const struct answer_counts *counts, const struct counted_answer *a, uint32_t n,
                       struct keys *keys)
{
    keys_of(a, n, keys);
    for (uint32_t k = 0; k < kinds_of(counts); k++) {
        fetch(counts, keys->alone[k]);
        fetch(counts, keys->with[k]);
    }
}

/*
 * Returns a share, which is below 1 if the prior is. Counts end at MOST_TIMES, and then less may have been left out of
 * some than of all.
 */
static double share_of(uint32_t some, uint32_t all, double prior)
{
    return ((some < all ? some : all) + prior) / (all + 1.0);
}

/* Returns the odds of the share. Nothing else was counted if its key was not: most pairs of words are new. */
static double odds_of(const struct answer_counts *counts, uint32_t all, uint64_t with, double prior)
{
    double p = share_of(all ? times(counts, with) : 0, all, prior);
    return p / (1 - p);
}

/* Fills in the signals of one word. */
static void ask_word(const struct answer_counts *counts, const struct keys *keys, double prior, double *signal)
{
    for (uint32_t k = 0; k < kinds_of(counts); k++) {
        uint32_t all = times(counts, keys->alone[k]);
        signal[2 * k] = 1.0 + (counts->text && all > OFTEN ? OFTEN : all);
        signal[2 * k + 1] = odds_of(counts, all, keys->with[k], prior);
    }
    log_all(signal, 2 * (size_t)kinds_of(counts));
}

void answer_counts_signals(const struct answer_counts *counts, const struct counted_answer *a, double *signal,
                           size_t stride)
{
    struct keys keys[AHEAD];
    double prior = ARC_PRIOR;
    uint64_t of_answer = 0; /* the key of the answer that `prior` belongs to */
    for (uint32_t n = 0; !a->names.name && n < a->N; n++)
        memset(signal + n * stride, 0, sizeof *signal * 2 * kinds_of(counts));
    for (uint32_t n = 0; a->names.name && n < a->N && n < AHEAD; n++)
        fetch_keys(counts, a, n, &keys[n]);
    for (uint32_t n = 0; a->names.name && n < a->N; n++, signal += stride) {
        struct keys *of_word = &keys[n % AHEAD];
        if (of_word->answer != of_answer)
            prior = share_of(times(counts, of_word->answer), times(counts, of_word->any), 0.5);
        of_answer = of_word->answer;
        ask_word(counts, of_word, prior, signal);
        if (a->N - n > AHEAD)
            fetch_keys(counts, a, n + AHEAD, of_word);
    }
}

void answer_counts_find_contexts(const struct answer_counts *counts, const struct counted_answer *a, uint32_t n,
                                 uint32_t head, struct context_hashes *keys)
{
    *keys = (struct context_hashes){{0}, {0}};
    if (!a->names.name)
        return;
    tree_context(a, n, head, keys);
    for (uint32_t c = 0; c < TREE_CONTEXTS; c++) {
        keys->alone[c] = key_of(keys->alone[c], false);
        keys->with[c] = key_of(keys->with[c], false);
        fetch(counts, keys->alone[c]);
        fetch(counts, keys->with[c]);
    }
}

struct context_signals answer_counts_contexts(const struct answer_counts *counts, const struct context_hashes *keys)
{
    struct context_signals signals = {{0}, {0}};
    for (uint32_t c = 0; c < TREE_CONTEXTS; c++) {
        bool counted = c > 0 && keys->alone[c] == keys->alone[0];
        signals.times[c] = counted ? signals.times[0] : times(counts, keys->alone[c]);
        signals.odds[c] = keys->alone[c] ? odds_of(counts, signals.times[c], keys->with[c], ARC_PRIOR) : 1;
    }
    return signals;
}

void answer_counts_clear(struct answer_counts *counts)
{
    if (counts->mask >= KEPT_SLOTS)
        answer_counts_release(counts);
    if (counts->own)
        memset(counts->own, 0, sizeof *counts->own * (counts->mask + 1));
    counts->count = 0;
    counts->except = NULL;
    counts->text = false;
}

void answer_counts_release(struct answer_counts *counts)
{
    free(counts->own);
    *counts = (struct answer_counts){0};
}
