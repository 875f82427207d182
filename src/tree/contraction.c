/*
 * Finds the best tree with one root child: Chu and Liu (1965) and Edmonds (1967), as contraction on a dense graph
 * (Tarjan 1977), with arcs from the root exchanged one by one while there are too many (Gabow and Tarjan 1984; for
 * parsing Zmigrod, Vieira and Cotterell 2020).
 *
 * Every word takes its best head. Where arcs close a cycle C, its nodes become one set s, which is entered by taking an
 * arc in exchange for one of C's:
 *
 *     row[s][h] = max over v in C of (row[v][h] - pick[v])    for heads h outside s
 *
 * and takes its best head in turn, until no cycle is left. Rows are indexed by word, whatever sets the words are in by
 * then: a contraction is a few maxima of whole rows, and columns are never touched. Members keep their rows. So there
 * are no back-pointers: when the sets are opened, from the largest to the smallest, the member at which an arc enters
 * is found again as the best one.
 *
 * One root child: if an arc from the root cost p more, fewer would be taken, and a tree with one that is best for any p
 * is the best with one. As p grows, the node that first prefers another head is the one that loses least by it. It
 * takes this head. Either there is an arc less from the root; or a cycle is closed and becomes a set, which for this p
 * still prefers the root. The last loss is the `penalty`. There is no large constant in which sums would lose their
 * digits, and where the words' best heads are a legal tree (the usual case) finding them is all the work.
 *
 * Without arc e into word v (contraction_exclude): e was taken by the largest node z entered at v. Only sets around z
 * depend on that. These are dissolved, z takes its next best head, and contraction continues from there with arcs from
 * the root at their penalty. No set has a positive pick, so
 *
 *     score - (pick[z] - next[z]) - sum of pick[s] over the dissolved sets s
 *
 * is never less than the score that will be found.
 *
 * The best of all other trees with the same root child (contraction_exchange): it is enough that one node, again the
 * largest that is entered at some word v, takes another head, from outside the subtree of v (Camerini, Fratta and
 * Maffioli 1980). For let B be any other tree, and open the sets from the largest to the smallest until an arc f of B
 * enters a node z, as yet unopened, in which our tree has another arc, from outside what is below z. Until then B has
 * entered every set as we do. So B pays for f what our tree would: slack at z, and a second entry into every set around
 * z that f enters.
 *
 * Ties: a node takes its lowest best head, the root (0) being the lowest; of the nodes that lose equally by giving up
 * the root, the highest gives it up; a set is entered at the first of its best members, from where its cycle was
 * closed.
 *
 * Rounding: the answer is exact where sums and differences of the scores are exact in double; otherwise another tree
 * may be better by their rounding. NaN counts as -inf, and +inf as the largest float from when a word first looks for
 * its head: no row ever yields NaN.
 *
 * Cost: O(N^2) to fill the rows, O(N^2) to solve: sets have at most 2N members in all, and each is a row. Memory
 * O(N^2).
 */
#include "tree/contraction.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = 8 };

static bool check(const struct scores *scores, struct vouch_error *err)
{
    unsigned N = scores->N;
    if (scores->width != 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "a tree of %u words has %u scores for each arc, expected one", N,
                    (unsigned)scores->width);
    if (scores->G != (uint64_t)N * ((uint64_t)N + 1))
        return fail(err, VOUCH_ERR_ARGUMENT, "a tree of %u words has %u groups of scores, expected %llu", N,
                    (unsigned)scores->G, (unsigned long long)N * ((unsigned long long)N + 1));
    return true;
}

bool contraction_open(struct contraction *c, const struct scores *scores, size_t more, struct scratch *scratch,
                      struct vouch_error *err)
{
    if (!check(scores, err))
        return false;
    size_t N = scores->N, nodes = 3 * N, stride = (N + LANES) / LANES * LANES;
    size_t doubles = nodes * stride + 3 * (N + 1), words = 3 * nodes + 3 * (N + 1);
    words += words % 2;
    size_t bytes = doubles * sizeof(double) + 2 * nodes * sizeof(struct node) + words * sizeof(uint32_t);
    if (more > SIZE_MAX - bytes)
        return fail_memory(err);
    if (!scratch_reserve(scratch, bytes + more, err))
        return false;
    *c = (struct contraction){.scores = scores, .N = scores->N, .stride = stride};
    c->row = (double *)scratch->bytes;
    c->root_score = c->row + nodes * stride;
    c->loss = c->root_score + N + 1;
    c->hidden = c->loss + N + 1;
    c->node = (struct node *)(c->hidden + N + 1);
    c->kept = c->node + nodes;
    c->top = (uint32_t *)(c->kept + nodes);
    c->kept_top = c->top + nodes;
    c->mark = c->kept_top + nodes;
    c->root = c->mark + nodes;
    c->heads = c->root + N + 1;
    c->entered = c->heads + N + 1;
    c->rest = scratch->bytes + bytes;
    return true;
}

/* NaN counts as -inf. */
static void fill(double *restrict to, const float *restrict score, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = larger((double)score[i], -INFINITY);
}

void contraction_fill(struct contraction *c)
{
    for (uint32_t v = 1; v <= c->N; v++) {
        const float *score = c->scores->node + tree_group(c->N, v - 1, 0);
        double *row = row_of(c, v);
        fill(row, score, v);
        row[v] = -INFINITY;
        fill(row + v + 1, score + v + 1, c->N - v);
        for (size_t h = c->N + 1; h < c->stride; h++)
            row[h] = -INFINITY;
        c->root_score[v] = row[0];
    }
}

static double row_max(const double *row, size_t stride)
{
    double top[LANES];
    for (size_t j = 0; j < LANES; j++)
        top[j] = row[j];
    for (size_t h = LANES; h < stride; h += LANES)
        for (size_t j = 0; j < LANES; j++)
            top[j] = larger(row[h + j], top[j]);
    for (size_t half = LANES / 2; half > 0; half /= 2)
        for (size_t j = 0; j < half; j++)
            top[j] = larger(top[j + half], top[j]);
    return top[0];
}

static uint32_t lowest_head(const double *row, uint32_t h, double score)
{
    while (row[h] != score)
        h++;
    return h;
}

/* Replaces +inf by the largest float, which is then the word's best score. */
static double bound_row(struct contraction *c, uint32_t v)
{
    double *row = row_of(c, v);
    for (uint32_t h = 0; h <= c->N; h++)
        row[h] = row[h] < FLT_MAX ? row[h] : FLT_MAX;
    c->root_score[v] = c->root_score[v] < FLT_MAX ? c->root_score[v] : FLT_MAX;
    return FLT_MAX;
}

/* Lets node v take its best head; false if there is none. */
static bool take_best(struct contraction *c, uint32_t v)
{
    const double *row = row_of(c, v);
    double top = row_max(row, c->stride);
    if (top == INFINITY)
        top = bound_row(c, v);
    c->node[v].pick = top;
    c->node[v].head = lowest_head(row, 0, top);
    return top > -INFINITY;
}

/* Returns the score of the best head that is not the root. */
static double best_but_root(struct contraction *c, uint32_t v)
{
    double *row = row_of(c, v), root = row[0];
    row[0] = -INFINITY;
    double top = row_max(row, c->stride);
    row[0] = root;
    return top;
}

/* Makes to[h] = max over two members of (row[h] - pick). */
static void merge_two(const struct contraction *c, double *restrict to, uint32_t x, uint32_t y)
{
    const double *restrict left = row_of(c, x), *restrict right = row_of(c, y);
    double by = c->node[x].pick, other = c->node[y].pick;
    for (size_t h = 0; h < c->stride; h++)
        to[h] = larger(left[h] - by, right[h] - other);
}

static void merge(const struct contraction *c, double *restrict to, uint32_t x)
{
    const double *restrict from = row_of(c, x);
    double by = c->node[x].pick;
    for (size_t h = 0; h < c->stride; h++)
        to[h] = larger(to[h], from[h] - by);
}

/* Makes a set of the cycle that x is on; it has no head yet. */
static uint32_t contract(struct contraction *c, uint32_t x)
{
    struct node *node = c->node;
    uint32_t set = c->nodes++, y = c->top[node[x].head], last = x;
    double *row = row_of(c, set);
    node[set] = (struct node){.member = x};
    merge_two(c, row, x, y);
    node[x].parent = set;
    while (y != x) {
        node[last].sibling = y;
        node[y].parent = set;
        last = y;
        y = c->top[node[y].head];
        if (y != x)
            merge(c, row, y);
    }
    node[last].sibling = 0;
    for (uint32_t h = 1; h <= c->N; h++)
        if (node[c->top[h]].parent == set) {
            c->top[h] = set;
            row[h] = -INFINITY;
        }
    return set;
}

/* Lets every word take its best head, and contracts cycles as they are met. */
static bool take_heads(struct contraction *c)
{
    c->nodes = c->N + 1;
    c->top[0] = 0;
    for (uint32_t v = 1; v <= c->N; v++) {
        c->node[v].parent = c->mark[v] = 0;
        c->top[v] = v;
        if (!take_best(c, v))
            return false;
    }
    for (uint32_t v = 1; v <= c->N; v++)
        for (uint32_t x = c->top[v]; x != 0 && (c->mark[x] == 0 || c->mark[x] == v); x = c->top[c->node[x].head]) {
            if (c->mark[x] == v) {
                x = contract(c, x);
                if (!take_best(c, x))
                    return false;
            }
            c->mark[x] = v;
        }
    return true;
}

/* Whether the arcs taken lead from x back to x, if not to the root. */
static bool on_cycle(const struct contraction *c, uint32_t x)
{
    uint32_t y = x;
    do
        y = c->top[c->node[y].head];
    while (y != 0 && y != x);
    return y == x;
}

static void list_roots(struct contraction *c)
{
    c->roots = 0;
    for (uint32_t x = 1; x < c->nodes; x++)
        if (c->node[x].parent == 0 && c->node[x].head == 0)
            c->root[c->roots++] = x;
}

static void note_loss(struct contraction *c, uint32_t i)
{
    c->loss[i] = c->node[c->root[i]].pick - best_but_root(c, c->root[i]);
}

/* Returns the node that loses least by giving up the root, of those that depend on it. */
static uint32_t cheapest_root(const struct contraction *c)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < c->roots; i++)
        if (c->loss[i] < c->loss[best] || (c->loss[i] == c->loss[best] && c->root[i] > c->root[best]))
            best = i;
    return best;
}

/* Exchanges arcs from the root until there is one; false if it cannot be done. */
static bool leave_one_root(struct contraction *c)
{
    list_roots(c);
    if (c->roots == 1)
        return true;
    for (uint32_t i = 0; i < c->roots; i++)
        note_loss(c, i);
    while (c->roots > 1) {
        uint32_t i = cheapest_root(c), x = c->root[i];
        if (!(c->loss[i] < INFINITY))
            return false;
        c->penalty = larger(c->penalty, c->loss[i]);
        c->node[x].pick = best_but_root(c, x);
        c->node[x].head = lowest_head(row_of(c, x), 1, c->node[x].pick);
        if (on_cycle(c, x)) {
            x = c->root[i] = contract(c, x);
            c->node[x].head = 0;
            c->node[x].pick = row_of(c, x)[0];
            note_loss(c, i);
        } else {
            c->roots--;
            c->root[i] = c->root[c->roots];
            c->loss[i] = c->loss[c->roots];
        }
    }
    return true;
}

/* Returns the member at which an arc from h enters a set. */
static uint32_t entry(const struct contraction *c, uint32_t set, uint32_t h)
{
    uint32_t best = c->node[set].member;
    double top = row_of(c, best)[h] - c->node[best].pick;
    for (uint32_t y = c->node[best].sibling; y != 0; y = c->node[y].sibling) {
        double score = row_of(c, y)[h] - c->node[y].pick;
        if (score > top) {
            top = score;
            best = y;
        }
    }
    return best;
}

/* Opens all sets: a member that is not entered from outside keeps the arc that it took. */
static void open_sets(struct contraction *c, uint32_t *heads, uint32_t *entered)
{
    memset(c->mark, 0, c->nodes * sizeof *c->mark);
    for (uint32_t x = c->nodes - 1; x > 0; x--) {
        if (c->mark[x] != 0 || c->node[x].parent == x)
            continue;
        uint32_t v = x, h = c->node[x].head;
        while (v > c->N) {
            v = entry(c, v, h);
            c->mark[v] = 1;
        }
        heads[v] = h;
        if (entered)
            entered[v] = x;
    }
}

double contraction_score(const struct contraction *c, const uint32_t *heads)
{
    double sum = 0;
    const double *row = c->row;
    for (uint32_t v = 1; v <= c->N; v++, row += c->stride)
        sum += heads[v] == 0 ? c->root_score[v] : row[heads[v]];
    return sum;
}

bool contraction_solve(struct contraction *c)
{
    c->penalty = 0;
    if (!take_heads(c) || !leave_one_root(c)) {
        for (uint32_t v = 1; v <= c->N; v++)
            c->heads[v] = v - 1;
        c->score = -INFINITY;
        return false;
    }
    open_sets(c, c->heads, c->entered);
    c->score = contraction_score(c, c->heads);
    assert(tree_is_legal(c->heads + 1, c->N, c->mark));
    return true;
}

void contraction_ready(struct contraction *c)
{
    if (c->penalty == 0)
        return;
    for (uint32_t x = 1; x < c->nodes; x++)
        row_of(c, x)[0] -= c->penalty;
    c->node[c->root[0]].pick -= c->penalty;
}

/* Hides the arc taken into v from the rows of all nodes up to z, the largest that it enters. */
static void hide(struct contraction *c, uint32_t v, uint32_t z)
{
    uint32_t h = c->heads[v], x = v;
    double *hidden = c->hidden;
    *hidden++ = row_of(c, v)[h];
    row_of(c, v)[h] = -INFINITY;
    while (x != z) {
        x = c->node[x].parent;
        uint32_t y = entry(c, x, h);
        *hidden++ = row_of(c, x)[h];
        row_of(c, x)[h] = row_of(c, y)[h] - c->node[y].pick;
    }
}

static void unhide(struct contraction *c, uint32_t v, uint32_t z)
{
    const double *hidden = c->hidden;
    uint32_t h = c->heads[v];
    for (uint32_t x = v; x != z; x = c->node[x].parent)
        row_of(c, x)[h] = *hidden++;
    row_of(c, z)[h] = *hidden;
}

/* Whether v is on the way from h to the root. */
static bool below(const struct contraction *c, uint32_t h, uint32_t v)
{
    while (h != 0 && h != v)
        h = c->heads[h];
    return h != 0;
}

/* Dissolves the sets around z; their members are the largest nodes now. */
static void dissolve_around(struct contraction *c, uint32_t z)
{
    struct node *node = c->node;
    for (uint32_t set = node[z].parent, next; set != 0; set = next) {
        next = node[set].parent;
        for (uint32_t y = node[set].member; y != 0; y = node[y].sibling)
            if (node[y].parent == set)
                node[y].parent = 0;
        node[set].parent = set;
    }
    for (uint32_t x = c->nodes - 1; x > 0; x--)
        c->top[x] = node[x].parent == 0 || node[x].parent == x ? x : c->top[node[x].parent];
}

/* Continues contraction: z has a new head, which may have closed a cycle. */
static bool go_on(struct contraction *c, uint32_t z)
{
    while (on_cycle(c, z)) {
        z = contract(c, z);
        if (!take_best(c, z))
            return false;
    }
    return leave_one_root(c);
}

static bool rebuild(struct contraction *c, uint32_t z, struct node changed, uint32_t *heads)
{
    uint32_t nodes = c->nodes;
    double penalty = c->penalty;
    memcpy(c->kept, c->node, nodes * sizeof *c->node);
    memcpy(c->kept_top, c->top, nodes * sizeof *c->top);
    if (changed.parent != 0)
        dissolve_around(c, z);
    c->node[z].head = changed.head;
    c->node[z].pick = changed.pick;
    bool found = go_on(c, z);
    if (found)
        open_sets(c, heads, NULL);
    c->nodes = nodes;
    c->penalty = penalty;
    memcpy(c->node, c->kept, nodes * sizeof *c->node);
    memcpy(c->top, c->kept_top, nodes * sizeof *c->top);
    return found;
}

/* Finds the best tree with another arc into z, of which only the best, of score `pick`, is known yet. */
static bool replace(struct contraction *c, uint32_t v, uint32_t z, double pick, uint32_t *heads)
{
    struct node taken = c->node[z], changed = taken;
    changed.pick = pick;
    changed.head = lowest_head(row_of(c, z), 0, pick);
    bool same_roots = (changed.head == 0) == (taken.head == 0);
    if (taken.parent != 0 || !same_roots || below(c, changed.head, v))
        return rebuild(c, z, changed, heads);
    if (z == v) {
        memcpy(heads, c->heads, (c->N + 1) * sizeof *heads);
        heads[v] = changed.head;
    } else {
        c->node[z] = changed;
        open_sets(c, heads, NULL);
        c->node[z] = taken;
    }
    return true;
}

bool contraction_exclude(struct contraction *c, uint32_t v, double least, uint32_t *heads)
{
    uint32_t z = c->entered[v];
    hide(c, v, z);
    double pick = row_max(row_of(c, z), c->stride);
    double bound = c->score - (c->node[z].pick - pick);
    for (uint32_t set = c->node[z].parent; set != 0; set = c->node[set].parent)
        bound -= c->node[set].pick;
    bool found = bound > least && replace(c, v, z, pick, heads);
    unhide(c, v, z);
    assert(!found || (tree_is_legal(heads + 1, c->N, c->mark) && heads[v] != c->heads[v]));
    return found;
}

/* Marks the words below v with v, and others with 0. */
static void mark_below(struct contraction *c, uint32_t v)
{
    const uint32_t unknown = UINT32_MAX;
    for (uint32_t x = 1; x <= c->N; x++)
        c->mark[x] = unknown;
    c->mark[0] = 0;
    c->mark[v] = v;
    for (uint32_t u = 1; u <= c->N; u++) {
        uint32_t x = u;
        while (c->mark[x] == unknown)
            x = c->heads[x];
        uint32_t answer = c->mark[x];
        for (x = u; c->mark[x] == unknown; x = c->heads[x])
            c->mark[x] = answer;
    }
}

/*
 * Returns the score of z's best head that is neither the root nor below v; perhaps less if it is not more than `least`.
 */
static double best_outside(struct contraction *c, uint32_t v, uint32_t z, double least, uint32_t *head)
{
    const double *row = row_of(c, z);
    double *outside = row_of(c, c->nodes), top = best_but_root(c, z);
    if (!(top > least))
        return -INFINITY;
    *head = lowest_head(row, 1, top);
    if (!below(c, *head, v))
        return top;
    mark_below(c, v);
    memcpy(outside, row, c->stride * sizeof *outside);
    for (uint32_t h = 0; h <= c->N; h++)
        if (h == 0 || c->mark[h] == v)
            outside[h] = -INFINITY;
    top = row_max(outside, c->stride);
    *head = lowest_head(outside, 1, top);
    return top;
}

uint32_t contraction_exchange(struct contraction *c, const bool *fixed, double least, uint32_t *heads)
{
    uint32_t word = 0, head = 0, other = 0;
    double loss = c->score - least;
    for (uint32_t v = 1; v <= c->N; v++) {
        if (fixed[v] || c->heads[v] == 0)
            continue;
        uint32_t z = c->entered[v];
        hide(c, v, z);
        double lost = c->node[z].pick - best_outside(c, v, z, c->node[z].pick - loss, &other);
        unhide(c, v, z);
        if (lost < loss) {
            loss = lost;
            word = v;
            head = other;
        }
    }
    if (word == 0)
        return 0;
    uint32_t z = c->entered[word], taken = c->node[z].head;
    hide(c, word, z);
    c->node[z].head = head;
    open_sets(c, heads, NULL);
    c->node[z].head = taken;
    unhide(c, word, z);
    assert(tree_is_legal(heads + 1, c->N, c->mark) && heads[word] != c->heads[word]);
    return word;
}
