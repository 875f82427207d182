/*
 * Makes the features of relations, once the tree is known: those of the arc, and what the tree around it tells.
 *
 * A relation is chosen for an arc that is there, so its features may look at the whole tree at no cost: one row for
 * each word, where arcs have N. An auxiliary or a preposition among the children of a word, a subject among its
 * siblings, or what its head depends on, often decide what it is. Learning looks at the trees of the treebank, and use
 * at those that were found.
 */
#include "task/arc_codes.h"
#include "task/kin.h"

enum {
    MOST_CHILDREN = 6, /* of a word that are looked at */
    RELATION_ROOM = 2 * PAIRS + 2 * SINGLES + 10 + 5 * MOST_CHILDREN + 2 * MAX_MORPH
};

/* What features are hashed with, so that kinds differ. */
enum {
    GRANDPARENT_TAG = 800,
    GRANDPARENT,
    GRANDPARENT_OF_HEAD,
    CHILDREN,
    CHILDREN_OF_ARC,
    PLACE,
    CHILD_TAG,
    CHILD,
    CHILD_OF_ARC,
    NEXT_TAG, /* on either side: two numbers */
    NEXT = NEXT_TAG + 2,
    SIBLING_TAG = NEXT + 2,
    SIBLING,
    FEATURE_OF_WORD,
    FEATURE_OF_ARC
};

/* A sentence with its tree. */
struct tree_around {
    const struct arc_word *word;
    const uint32_t *head;
    struct kin *kin; /* [N + 1] */
};

/* The arc whose relation is looked for, and codes of its ends. */
struct relation_of {
    uint32_t h, m;
    uint64_t word, arc; /* the tag of the modifier, with the direction; of both */
};

static uint32_t at_most(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

static uint32_t head_of(const struct tree_around *t, uint32_t m)
{
    return m && t->head[m - 1] != OPEN_CHOICE ? t->head[m - 1] : 0;
}

static void add_grandparent(const struct tree_around *t, const struct relation_of *of, struct hashed_row *row)
{
    const struct arc_word *above = word_at(t->word, head_of(t, of->h)), *head = word_at(t->word, of->h);
    add_hashed(row, GRANDPARENT_TAG, above->tag, of->arc, 0);
    add_hashed(row, GRANDPARENT, name_of(above), of->arc, 0);
    add_hashed(row, GRANDPARENT_OF_HEAD, above->tag, name_of(head), of->word);
}

/* Adds how many children the word and its head have, and which of them it is. */
static void add_valency(const struct tree_around *t, const struct relation_of *of, struct hashed_row *row)
{
    const struct kin *own = &t->kin[of->m], *above = &t->kin[of->h];
    uint32_t children = at_most(own->left, 3) + 4 * at_most(own->right, 3), place = 0;
    for (uint32_t c = of->h < of->m ? own->before : own->next; c && (c < of->m) != (c < of->h);
         c = of->h < of->m ? t->kin[c].before : t->kin[c].next)
        place++; /* children between the two */
    add_hashed(row, CHILDREN, children, of->word, 0);
    add_hashed(row, CHILDREN_OF_ARC, children, of->arc, 0);
    add_hashed(row, PLACE, at_most(above->left, 3) + 4 * at_most(above->right, 3), at_most(place, 3), of->arc);
}

static void add_children(const struct tree_around *t, const struct relation_of *of, struct hashed_row *row)
{
    uint32_t count = 0;
    for (uint32_t c = t->kin[of->m].first; c && count < MOST_CHILDREN; c = t->kin[c].next, count++) {
        const struct arc_word *child = word_at(t->word, c);
        bool left = c < of->m;
        add_hashed(row, CHILD_TAG, child->tag, left, of->word);
        add_hashed(row, CHILD, name_of(child), left, of->word);
        add_hashed(row, CHILD_OF_ARC, name_of(child), left, of->arc);
    }
}

static void add_siblings(const struct tree_around *t, const struct relation_of *of, struct hashed_row *row)
{
    const uint32_t beside[2] = {t->kin[of->m].before, t->kin[of->m].next};
    uint32_t count = 0;
    for (uint32_t k = 0; k < 2; k++) {
        add_hashed(row, NEXT_TAG + k, word_at(t->word, beside[k])->tag, of->arc, 0);
        add_hashed(row, NEXT + k, name_of(word_at(t->word, beside[k])), of->arc, 0);
    }
    for (uint32_t c = t->kin[of->h].first; c && count < MOST_CHILDREN; c = t->kin[c].next, count++) {
        uint32_t side = (c < of->m) + 2 * (c < of->h);
        if (c == of->m)
            continue;
        add_hashed(row, SIBLING_TAG, word_at(t->word, c)->tag, side, of->arc);
        add_hashed(row, SIBLING, name_of(word_at(t->word, c)), side, of->arc);
    }
}

/* Adds each of FEATS, all of them: the pairs of arcs look at some. */
static void add_morph(const struct arc_word *word, const struct relation_of *of, struct hashed_row *row)
{
    for (uint32_t k = 0; k < MAX_MORPH && word->morph[k]; k++) {
        add_hashed(row, FEATURE_OF_WORD, word->morph[k], of->word, 0);
        add_hashed(row, FEATURE_OF_ARC, word->morph[k], of->arc, 0);
    }
}

/* Writes what the tree tells of the relation of word m to h; returns how many features. */
static uint32_t tree_row(const struct tree_around *t, uint32_t h, uint32_t m, uint32_t shift, uint32_t *out)
{
    struct hashed_row row = {out, 0, shift};
    uint32_t way = (h < m) + 2 * (h && head_of(t, h) < h);
    uint64_t word = mix(t->word[m - 1].tag, way);
    struct relation_of of = {h, m, word, mix(word_at(t->word, h)->tag, word)};
    add_grandparent(t, &of, &row);
    add_valency(t, &of, &row);
    add_children(t, &of, &row);
    add_siblings(t, &of, &row);
    add_morph(&t->word[m - 1], &of, &row);
    return row.count;
}

/* A head that is open has an open relation: any arc does. */
static uint32_t arc_head(const uint32_t *head, uint32_t m)
{
    return head[m - 1] == OPEN_CHOICE ? 0 : head[m - 1];
}

/* Writes the row of every word's arc. */
SIMD_BODY void write_relations(const struct layout *layout, const struct tree_around *t)
{
    uint32_t count = 0;
    for (uint32_t m = 1; m <= layout->N; m++) {
        struct arc arc = arc_of(layout, arc_head(t->head, m), m);
        layout->start[m - 1] = count;
        count += arc_row(layout, &arc, layout->feature + count);
        count += tree_row(t, arc_head(t->head, m), m, layout->shift, layout->feature + count);
    }
    layout->start[layout->N] = count;
}

SIMD_KERNEL(write_relations, (const struct layout *layout, const struct tree_around *t), (layout, t))

bool relation_parts(const struct arc_word *word, const uint32_t *head, uint32_t N, uint32_t bits,
                    struct scratch *scratch, struct parts *parts, struct vouch_error *err)
{
    struct arc_room room = {.rows = N, .features = RELATION_ROOM, .more = sizeof(struct kin) * ((size_t)N + 1)};
    struct layout *layout = arc_lay_out(word, N, bits, &room, scratch, err);
    if (!layout)
        return false;
    struct tree_around around = {word, head, layout->more};
    find_kin(head, N, around.kin);
    write_relations_for[layout->set](layout, &around);
    *parts = (struct parts){.N = N,
                            .node = {.count = N, .start = layout->start, .feature = layout->feature},
                            .names = arc_names(word, false)};
    return true;
}
