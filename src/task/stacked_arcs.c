/*
 * Makes the parts of the second stage: see stacked_arcs.h.
 *
 * Features are hashed like those of arcs, some forty for each likely arc. Where an arc's neighbours do not exist, the
 * feature says so. What does not look at the head is left out: it would be the same for all arcs of a word.
 *
 * Time: O(N^2) to lay out the rows, nearly all of which have one feature; the features of likely arcs.
 */
#include "task/stacked_arcs.h"

#include "task/arc_codes.h"
#include "task/kin.h"
#include "tree/tree.h"

#include <math.h>

#define LIKELY 0.002f
#define UNLIKELY (-8.0f)

enum { MOST_STACKED = 48 };

void first_work_release(struct first_work *work)
{
    scratch_release(&work->encoding);
    scratch_release(&work->decoding);
    scores_release(&work->scores);
    scores_release(&work->marginal);
    *work = (struct first_work){0};
}

/* ---- The first stage's answer ---- */

static const uint32_t *tree_start(const struct first_tree *tree)
{
    return tree->head + tree->N;
}

static const struct likely_arc *tree_arcs(const struct first_tree *tree)
{
    return (const struct likely_arc *)(const void *)(tree_start(tree) + tree->N + 1);
}

static size_t tree_size(uint32_t N, uint32_t arcs)
{
    return sizeof(struct first_tree) + (2 * (size_t)N + 1) * sizeof(uint32_t) + arcs * sizeof(struct likely_arc);
}

size_t first_tree_size(const struct first_tree *tree)
{
    return tree_size(tree->N, tree->arcs);
}

size_t first_tree_sent(const char *bytes)
{
    struct first_tree tree;
    memcpy(&tree, bytes, sizeof tree);
    return first_tree_size(&tree);
}

/* Returns the step of a probability. */
static uint32_t odds_of(float p)
{
    static const float from[] = {0.01f, 0.03f, 0.1f, 0.25f, 0.5f, 0.75f, 0.9f, 0.97f, 0.99f, 0.999f};
    uint32_t step = 0;
    while (step < sizeof from / sizeof *from && p >= from[step])
        step++;
    return step;
}

static bool is_likely(const struct first_work *work, const uint32_t *head, uint32_t N, uint32_t m, uint32_t h)
{
    return h != m + 1 && (work->marginal.node[tree_group(N, m, h)] >= LIKELY || head[m] == h);
}

/* Lists the likely arcs of word m; returns how many. */
static uint32_t list_arcs(const struct first_work *work, const uint32_t *head, uint32_t N, uint32_t m,
                          struct likely_arc *arc)
{
    uint32_t count = 0;
    float best = -INFINITY;
    for (uint32_t h = 0; h <= N; h++)
        if (is_likely(work, head, N, m, h)) {
            size_t g = tree_group(N, m, h);
            arc[count++] = (struct likely_arc){h, work->scores.node[g], odds_of(work->marginal.node[g])};
            best = fmaxf(best, work->scores.node[g]);
        }
    for (uint32_t k = 0; k < count; k++)
        arc[k].offset -= best;
    return count;
}

/* Makes what is said of a sentence that was scored, with these heads. */
static struct first_tree *make_tree(const struct first_work *work, const uint32_t *head, uint32_t N,
                                    struct vouch_error *err)
{
    uint32_t arcs = 0;
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h <= N; h++)
            arcs += is_likely(work, head, N, m, h);
    struct first_tree *tree = new_array(tree_size(N, arcs), 1, err);
    if (!tree)
        return NULL;
    tree->N = N;
    tree->arcs = arcs;
    memcpy(tree->head, head, sizeof *head * N);
    uint32_t *start = tree->head + N;
    struct likely_arc *arc = (struct likely_arc *)(void *)(start + N + 1);
    for (uint32_t m = 0; m < N; m++)
        start[m + 1] = start[m] + list_arcs(work, head, N, m, arc + start[m]);
    return tree;
}

struct first_tree *first_tree_find(const struct first_stage *stage, const struct arc_word *word, uint32_t N,
                                   struct first_work *work, struct vouch_error *err)
{
    struct parts parts;
    double score, log_z;
    if (!arc_parts(word, N, stage->bits, &work->encoding, &parts, err) ||
        !parts_score_steps(&parts, stage->space, stage->mean, stage->steps, &work->scores, err) ||
        !scratch_reserve(&work->encoding, sizeof(uint32_t) * ((size_t)N + 1), err))
        return NULL;
    uint32_t *head = (uint32_t *)(void *)work->encoding.bytes; /* features are not needed any more */
    if (!tree_best(&work->scores, &work->decoding, head, &score, err) ||
        !tree_marginals(&work->scores, 1, &work->decoding, &work->marginal, &log_z, err))
        return NULL;
    return make_tree(work, head, N, err);
}

/* ---- Features ---- */

enum { STACKED = 900, UNLIKELY_ARC = 99 }; /* what features are hashed with */

static const struct arc_word nothing = {.form = 3, .lemma = 3, .tag = 3};

/* The sentence, and the first stage's tree. */
struct around {
    const struct arc_word *word;
    const uint32_t *head;
    uint32_t N, shift;
    struct kin *kin; /* [N + 1] */
};

static const struct arc_word *word_of(const struct around *a, uint32_t t)
{
    return word_at(a->word, t);
}

/* Returns a neighbour, which may not exist. */
static const struct arc_word *neighbour(const struct around *a, uint32_t t)
{
    return t ? &a->word[t - 1] : &nothing;
}

static uint64_t fine_of(const struct arc_word *word)
{
    return word->fine ? word->fine : word->tag;
}

/* Adds template `number`, which sees these. */
static void add(struct hashed_row *row, uint32_t number, uint64_t a, uint64_t b, uint64_t c)
{
    add_hashed(row, STACKED + number, a, b, c);
}

static uint32_t head_of(const struct around *a, uint32_t t)
{
    return t ? a->head[t - 1] : 0;
}

static uint32_t at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

/* Whether word `m` is an ancestor of `h` in the tree, so that the arc from h to m alone would make a cycle. */
static bool descends(const struct around *a, uint32_t h, uint32_t m)
{
    for (; h; h = head_of(a, h))
        if (h == m)
            return true;
    return false;
}

/* Counts the words between the ends whose arc in the tree crosses this one. */
static uint32_t crossings(const struct around *a, uint32_t h, uint32_t m)
{
    uint32_t low = h < m ? h : m, high = h < m ? m : h, count = 0;
    for (uint32_t t = low + 1; t < high; t++)
        count += head_of(a, t) < low || head_of(a, t) > high;
    return count;
}

/* The children of the head beside the modifier, on its side: nearer to the head, farther; and one of the other side. */
struct siblings {
    uint32_t inner, outer, other;
};

static struct siblings find_siblings(const struct around *a, uint32_t h, uint32_t m)
{
    struct siblings s = {0};
    for (uint32_t c = a->kin[h].first; c; c = a->kin[c].next) {
        if (c == m)
            continue;
        bool same_side = (c < h) == (m < h), nearer = h < m ? c < m : c > m;
        if (!same_side)
            s.other = m > h || !s.other ? c : s.other; /* the nearest to the head */
        else if (nearer)
            s.inner = h < m || !s.inner ? c : s.inner; /* the nearest to the modifier */
        else
            s.outer = h > m || !s.outer ? c : s.outer;
    }
    return s;
}

/* What the head is to the modifier in the tree. */
enum standing { HEAD, CHILD, GRANDPARENT, SIBLING, BELOW, ELSEWHERE };

static enum standing standing_of(const struct around *a, uint32_t h, uint32_t m)
{
    uint32_t own = head_of(a, m);
    return own == h                      ? HEAD
           : h && head_of(a, h) == m     ? CHILD
           : own && head_of(a, own) == h ? GRANDPARENT
           : h && head_of(a, h) == own   ? SIBLING
           : descends(a, h, m)           ? BELOW
                                         : ELSEWHERE;
}

/* What the neighbours of the modifier depend on: bits. */
static uint32_t beside(const struct around *a, uint32_t h, uint32_t m)
{
    uint32_t left = m > 1 ? head_of(a, m - 1) : a->N + 1, right = m < a->N ? head_of(a, m + 1) : a->N + 1;
    return (left == h) + 2 * (right == h) + 4 * (left == m) + 8 * (right == m);
}

static void add_arc(const struct around *a, uint32_t h, const struct likely_arc *arc, uint32_t m,
                    struct hashed_row *row)
{
    const struct arc_word *H = word_of(a, h), *M = word_of(a, m), *own = word_of(a, head_of(a, m));
    uint32_t way = h == 0 ? 0 : h < m ? 1 : 2, distance = h ? arc_distance(h, m) : 0;
    enum standing standing = standing_of(a, h, m);
    uint64_t ends = mix(mix(H->tag, M->tag), way), said = arc->odds + 16 * (standing == HEAD);
    add(row, 0, said, 0, 0);
    add(row, 1, said, M->tag, way);
    add(row, 2, said, ends, 0);
    add(row, 3, said, mix(M->tag, H->tag), distance);
    add(row, 4, standing, ends, distance);
    add(row, 5, standing, name_of(M), H->tag);
    add(row, 6, standing, name_of(H), M->tag);
    add(row, 7, standing, ends, own->tag);
    add(row, 8, beside(a, h, m), ends, 0);
    add(row, 9, at_most(crossings(a, h, m), 2), ends, 0);
    add(row, 10, at_most(crossings(a, h, m), 2), standing, 0);
}

static void add_grandparent(const struct around *a, uint32_t h, uint32_t m, struct hashed_row *row)
{
    uint32_t g = head_of(a, h), way = (h < m) + 2 * (g < h) + 4 * (g < m);
    const struct arc_word *H = word_of(a, h), *M = word_of(a, m), *G = h ? word_of(a, g) : &nothing;
    const struct arc_word *above = h && g ? word_of(a, head_of(a, g)) : &nothing;
    uint64_t ends = mix(mix(H->tag, M->tag), way);
    add(row, 11, ends, G->tag, 0);
    add(row, 12, name_of(M), H->tag, mix(G->tag, way));
    add(row, 13, M->tag, name_of(H), mix(G->tag, way));
    add(row, 14, ends, name_of(G), 0);
    add(row, 15, fine_of(M), fine_of(H), mix(fine_of(G), way));
    add(row, 16, ends, G->tag, above->tag);
}

static void add_siblings(const struct around *a, uint32_t h, uint32_t m, struct hashed_row *row)
{
    struct siblings s = find_siblings(a, h, m);
    const struct arc_word *H = word_of(a, h), *M = word_of(a, m), *G = h ? word_of(a, head_of(a, h)) : &nothing;
    const struct arc_word *inner = neighbour(a, s.inner), *outer = neighbour(a, s.outer),
                          *other = neighbour(a, s.other);
    uint64_t ends = mix(mix(H->tag, M->tag), h < m);
    add(row, 17, ends, inner->tag, 0);
    add(row, 18, ends, outer->tag, 0);
    add(row, 19, ends, inner->tag, outer->tag);
    add(row, 20, ends, other->tag, 0);
    add(row, 21, name_of(M), H->tag, inner->tag);
    add(row, 22, M->tag, name_of(H), inner->tag);
    add(row, 23, ends, name_of(inner), 0);
    add(row, 24, ends, name_of(outer), 0);
    add(row, 25, ends, inner->tag, G->tag);
    add(row, 26, fine_of(M), fine_of(H), fine_of(inner));
    add(row, 27, name_of(M), mix(H->tag, h < m), name_of(inner));
}

static void add_children(const struct around *a, uint32_t h, uint32_t m, struct hashed_row *row)
{
    const struct kin *own = &a->kin[m], *of_head = &a->kin[h];
    const struct arc_word *H = word_of(a, h), *M = word_of(a, m);
    const struct arc_word *first = neighbour(a, own->first), *last = neighbour(a, own->last);
    bool here = head_of(a, m) == h, right = h < m;
    uint32_t left_of_head = of_head->left - (here && !right), right_of_head = of_head->right - (here && right);
    uint64_t ends = mix(mix(H->tag, M->tag), right);
    add(row, 28, ends, first->tag, 0);
    add(row, 29, ends, last->tag, 0);
    add(row, 30, ends, name_of(first), 0);
    add(row, 31, ends, name_of(last), 0);
    add(row, 32, ends, at_most(own->left, 3), at_most(own->right, 3));
    add(row, 33, name_of(M), mix(H->tag, right), at_most(own->left, 3));
    add(row, 34, ends, at_most(left_of_head, 3), at_most(right_of_head, 3));
    add(row, 35, name_of(H), mix(M->tag, right), at_most(right ? right_of_head : left_of_head, 3));
}

/* ---- Parts ---- */

/* Writes the features of word m's arcs; `offset` [N + 1]. Returns the number of features before the next word. */
static uint32_t add_word(const struct around *a, const struct first_tree *tree, uint32_t m, uint32_t count,
                         uint32_t *start, uint32_t *feature, float *offset)
{
    const struct likely_arc *arc = tree_arcs(tree) + tree_start(tree)[m - 1];
    const struct likely_arc *end = tree_arcs(tree) + tree_start(tree)[m];
    for (uint32_t h = 0; h <= a->N; h++) {
        struct hashed_row row = {feature + count, 0, a->shift};
        start[h] = count;
        offset[h] = UNLIKELY;
        if (arc < end && arc->head == h) {
            add_arc(a, h, arc, m, &row);
            add_grandparent(a, h, m, &row);
            add_siblings(a, h, m, &row);
            add_children(a, h, m, &row);
            offset[h] = arc++->offset;
        } else if (h != m)
            add(&row, UNLIKELY_ARC, 0, 0, 0);
        count += row.count;
    }
    return count;
}

bool stacked_parts(const struct arc_word *word, const struct first_tree *tree, uint32_t bits, struct scratch *scratch,
                   struct parts *parts, struct vouch_error *err)
{
    size_t N = tree->N, groups = N * (N + 1), numbers = groups + (size_t)tree->arcs * MOST_STACKED;
    size_t kin = (N + 1) * sizeof(struct kin);
    if (!scratch_reserve(scratch, kin + groups * sizeof(float) + (groups + 1 + numbers) * sizeof(uint32_t), err))
        return false;
    struct around around = {word, tree->head, tree->N, 32 - bits, (struct kin *)(void *)scratch->bytes};
    float *offset = (float *)(void *)(scratch->bytes + kin);
    uint32_t *start = (uint32_t *)(void *)(offset + groups), *feature = start + groups + 1, count = 0;
    find_kin(around.head, tree->N, around.kin);
    for (uint32_t m = 1; m <= tree->N; m++) {
        size_t from = tree_group(tree->N, m - 1, 0);
        count = add_word(&around, tree, m, count, start + from, feature, offset + from);
    }
    start[groups] = count;
    *parts = (struct parts){.N = tree->N,
                            .node = {.count = (uint32_t)groups, .start = start, .feature = feature},
                            .offset = offset,
                            .names = arc_names(word, true)};
    return true;
}
