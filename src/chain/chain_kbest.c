/*
 * Finds the K best labellings of a chain, exact and in order, by recursive enumeration (Jimenez and Marzal 1999; for
 * hypergraphs Huang and Chiang 2005, algorithm 3).
 *
 * A state is a word and a label. Its list holds labellings of the words up to there, best first; the first comes from
 * the Viterbi pass. The next one is the best of Y heads: head[l] is the best item of the state (t-1, l) that has not
 * been extended into this state yet. Only the list from which the last item came has to move on, so a further labelling
 * needs at most one further item at every word: down the chain until one is known, and up again. Nothing is done for
 * states that are never needed.
 *
 * Order: by score; then by the lowest last label; then by the lowest predecessor, then by the rank in its list, which
 * is the same order one word to the left. Where sums are exact, ties are thus broken by the label of the rightmost word
 * that differs. The first labelling is Viterbi's.
 *
 * Labellings of score -inf do not count, unless there are no others: then the one that Viterbi gives is returned.
 *
 * Cost: O(N Y^2 + K N Y) time, O(min(K, Y) N Y + K N) memory. Making the K-best list of every state costs O(K N Y^2),
 * and was dropped for that.
 */
#include "chain/lattice.h"

#include <assert.h>
#include <string.h>

#define NONE SIZE_MAX          /* there is no such item */
#define UNKNOWN (SIZE_MAX - 1) /* not computed yet */

/*
 * Item t * stride + y is the Viterbi item of the state (t, y), and item N * stride that of the root, which all last
 * labels lead to. Further items are numbered on from there and kept in `item`.
 */
struct item {
    double score;
    size_t from; /* the item of the word to the left that it extends */
    size_t next; /* the item after it in its state's list */
    uint32_t label;
};

/* A state whose list has more than its first item, or tried to. */
struct state {
    size_t last;    /* the last item of the list */
    size_t second;  /* the item after the Viterbi item */
    uint32_t taken; /* label of the head that the last item came from */
};

struct search {
    struct lattice lattice;
    size_t Y, viterbi_items, items, states;
    struct item *item;
    struct state *state;
    size_t *head;  /* [states][Y] */
    double *reach; /* [states][Y] score of each head, extended into the state; -inf if there is none */
    size_t *path;  /* [N + 1] the states passed on the way down, by word; the root at N */
    size_t *open;  /* [N * stride] 1 + number of the state, 0 if it has not been opened */
};

/* Returns K, or the number of labellings if that is less. */
static uint32_t bounded(uint32_t K, const struct scores *scores)
{
    uint64_t count = 1;
    for (uint32_t t = 0; t < scores->N && count < K && scores->width > 1; t++)
        count *= scores->width;
    return count < K ? (uint32_t)count : K;
}

static bool search_open(struct search *search, const struct scores *scores, uint32_t K, struct scratch *scratch,
                        struct vouch_error *err)
{
    size_t N = scores->N, Y = scores->width, cells = size_times(N, lattice_stride(Y));
    size_t items = size_times(K - 1, N);
    size_t states = size_plus(items < N * Y ? items : N * Y, 1);
    size_t bytes = size_plus(size_times(items, sizeof(struct item)), size_times(states, sizeof(struct state)));
    bytes = size_plus(bytes, size_times(size_times(states, Y), sizeof(double) + sizeof(size_t)));
    bytes = size_plus(bytes, size_times(size_plus(N + 1, cells), sizeof(size_t)));
    if (bytes > SIZE_MAX / 2)
        return fail_memory(err);
    if (!lattice_forward(&search->lattice, scores, bytes, scratch, err))
        return false;
    search->Y = Y;
    search->viterbi_items = cells + 1;
    search->items = search->states = 0;
    search->item = (struct item *)search->lattice.rest;
    search->reach = (double *)(search->item + items);
    search->state = (struct state *)(search->reach + states * Y);
    search->head = (size_t *)(search->state + states);
    search->path = search->head + states * Y;
    search->open = search->path + N + 1;
    memset(search->open, 0, cells * sizeof *search->open);
    return true;
}

static double item_score(const struct search *search, size_t item)
{
    return item < search->viterbi_items ? search->lattice.best[item] : search->item[item - search->viterbi_items].score;
}

/* Takes the lowest of the best heads. */
static void take_best_head(const struct search *search, size_t state)
{
    const double *reach = search->reach + state * search->Y;
    double most = reach[0];
    uint32_t taken = 0;
    for (uint32_t l = 1; l < search->Y; l++) {
        taken = reach[l] > most ? l : taken;
        most = larger(reach[l], most);
    }
    search->state[state].taken = taken;
}

/* Returns the score of `item`, which ends in `from`, extended to word t and label; the root at N adds nothing. */
static double extended(const struct search *search, size_t item, uint32_t t, uint32_t from, uint32_t label)
{
    if (item == NONE)
        return -INFINITY;
    double score = item_score(search, item);
    return t == search->lattice.scores->N ? score : lattice_extend(&search->lattice, score, t, from, label);
}

/* Fills the scores of the Viterbi items at the left, extended to word t and label; see extended(). */
static void reach_out(const struct search *search, uint32_t t, uint32_t label, double *restrict reach)
{
    const struct lattice *lattice = &search->lattice;
    const struct scores *scores = lattice->scores;
    const double *best = lattice->best + (t - 1) * lattice->stride;
    size_t Y = search->Y;
    memcpy(reach, best, Y * sizeof *reach);
    if (t == scores->N)
        return;
    const float *edge = scores->E ? scores_edge(scores, t) + label : NULL;
    double node = (double)scores->node[t * Y + label];
    for (size_t l = 0; l < Y; l++)
        reach[l] = (best[l] + (edge ? (double)edge[l * Y] : 0.0)) + node;
}

/* Opens the state of word t > 0 (or the root, t = N) with the Viterbi items to its left as heads. */
static size_t open_state(struct search *search, uint32_t t, uint32_t label)
{
    size_t state = search->states++, first = (size_t)(t - 1) * search->lattice.stride;
    for (uint32_t l = 0; l < search->Y; l++)
        search->head[state * search->Y + l] = first + l;
    reach_out(search, t, label, search->reach + state * search->Y);
    search->state[state] = (struct state){.last = first + search->lattice.stride + label, .second = UNKNOWN};
    take_best_head(search, state);
    return state;
}

/* Returns where the item after `item`, one of the list of `state`, is noted. */
static size_t *link_after(struct search *search, size_t item, size_t state)
{
    return item < search->viterbi_items ? &search->state[state].second
                                        : &search->item[item - search->viterbi_items].next;
}

/* Returns the state of word t > 0 and `label`, opened if it was not. */
static size_t state_at(struct search *search, uint32_t t, uint32_t label)
{
    size_t *open = search->open + (size_t)t * search->lattice.stride + label;
    if (*open == 0)
        *open = 1 + open_state(search, t, label);
    return *open - 1;
}

/*
 * Notes in path[] which state each word's last item came from, down to the first state where the item to move on to is
 * known; returns the word to its right.
 */
static uint32_t descend(struct search *search)
{
    uint32_t t = search->lattice.scores->N;
    for (; t > 1; t--) {
        size_t state = search->path[t];
        uint32_t taken = search->state[state].taken;
        size_t left = search->path[t - 1] = state_at(search, t - 1, taken);
        if (*link_after(search, search->head[state * search->Y + taken], left) != UNKNOWN)
            break;
    }
    return t;
}

/* Appends the next item to the list of the state path[t]; returns its number, or NONE. */
static size_t append(struct search *search, uint32_t t, uint32_t label)
{
    size_t state = search->path[t], *heads = search->head + state * search->Y;
    double *reach = search->reach + state * search->Y;
    uint32_t taken = search->state[state].taken;
    heads[taken] = t == 1 ? NONE : *link_after(search, heads[taken], search->path[t - 1]);
    reach[taken] = extended(search, heads[taken], t, taken, label);
    take_best_head(search, state);
    taken = search->state[state].taken;

    size_t found = NONE;
    if (reach[taken] > -INFINITY) {
        found = search->viterbi_items + search->items;
        search->item[search->items++] = (struct item){reach[taken], heads[taken], UNKNOWN, label};
    }
    *link_after(search, search->state[state].last, state) = found;
    search->state[state].last = found;
    return found;
}

/* Returns the item after the root's last one, or NONE. */
static size_t next_at_root(struct search *search)
{
    uint32_t N = search->lattice.scores->N;
    for (uint32_t t = descend(search); t < N; t++)
        append(search, t, search->state[search->path[t + 1]].taken);
    return append(search, N, 0);
}

/* Writes the labelling that ends in `item`; where it meets the best one in a Viterbi item, the rest is the same. */
static void write_labels(const struct search *search, size_t item, const uint32_t *best, uint32_t *choice)
{
    uint32_t t = search->lattice.scores->N;
    for (item = search->item[item - search->viterbi_items].from; item >= search->viterbi_items;
         item = search->item[item - search->viterbi_items].from)
        choice[--t] = search->item[item - search->viterbi_items].label;
    t--; /* items of the first word are Viterbi items */
    choice[t] = (uint32_t)(item - t * search->lattice.stride);
    for (; t > 0 && choice[t] != best[t]; t--)
        choice[t - 1] = lattice_before(&search->lattice, t, choice[t]);
    memcpy(choice, best, t * sizeof *choice);
}

bool chain_kbest(const struct scores *scores, uint32_t K, struct scratch *scratch, uint32_t *choice, double *score,
                 uint32_t *found, struct vouch_error *err)
{
    *found = 0;
    K = bounded(K, scores);
    if (K <= 1 || scores->N == 0) {
        if (K != 0 && !chain_viterbi(scores, scratch, choice, score, err))
            return false;
        *found = K;
        return true;
    }
    struct search search;
    if (!search_open(&search, scores, K, scratch, err))
        return false;
    uint32_t N = scores->N, label = lattice_top(&search.lattice, N - 1);
    score[0] = search.lattice.best[(N - 1) * search.lattice.stride + label];
    lattice_trace(&search.lattice, N - 1, label, choice);
    *found = 1;
    if (score[0] == -INFINITY)
        return true;

    search.path[N] = open_state(&search, N, 0);
    for (; *found < K; ++*found) {
        size_t item = next_at_root(&search);
        if (item == NONE)
            break;
        score[*found] = item_score(&search, item);
        write_labels(&search, item, choice, choice + (size_t)*found * N);
        assert(lattice_verified(scores, choice + (size_t)*found * N, score[*found]));
    }
    return true;
}
