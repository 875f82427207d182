/*
 * The contexts of an arc in a tree are what an arc-factored model does not see, as keys of a lexicon.
 *
 * Each context tells what is beside the arc: the head of its head, the nearest dependent of the same head on either
 * side, how many dependents the head has, which kind of word a head's lemma takes, the head of the head for a given
 * word, and the outermost dependents of the word itself. A lexicon counts how often training saw the arc, and how often
 * it saw it in this context; an arc in a context that is rare for it is wrong more often than its score tells. The
 * parts are those of second-order parsing (McDonald and Pereira 2006; Carreras 2007).
 *
 * Cost: O(N) for an arc.
 */
#ifndef VOUCH_CORE_TREE_CONTEXT_H
#define VOUCH_CORE_TREE_CONTEXT_H

#include "core/parts.h"

enum tree_context {
    CONTEXT_GRANDPARENT,      /* tags of word and head; with the tag of the head's head */
    CONTEXT_INNER,            /* the same; with the tag of the nearest dependent between word and head */
    CONTEXT_OUTER,            /* the same; with that of the nearest one beyond the word */
    CONTEXT_VALENCY,          /* tag of the head; with how many dependents it has on its left and right */
    CONTEXT_LEMMA,            /* lemma of the head; with the tag of the word */
    CONTEXT_WORD_GRANDPARENT, /* the word and the tag of its head; with the tag of the head's head */
    CONTEXT_DEPENDENTS,       /* tags of word and head; with those of the word's outermost dependents */
    TREE_CONTEXTS
};

/* The words of a sentence and the head of each: 0 is the root, i + 1 word i. */
struct tree_view {
    struct word_names names;
    uint32_t N;
    const uint32_t *head; /* [N] */
};

/* Hashes of the arc's own tags or words, and of these with the context. */
struct context_hashes {
    uint64_t alone[TREE_CONTEXTS], with[TREE_CONTEXTS];
};

/* Finds the contexts of word n if its head were `head`, all other words keeping theirs. */
void tree_context(const struct tree_view *tree, uint32_t n, uint32_t head, struct context_hashes *hashes);

/* Returns the fine tag of word n, or its tag if there is none. */
uint32_t tree_tag(const struct tree_view *tree, uint32_t n);

#endif
