/*
 * Turns words into parts, for parsing: the features of arcs (arc_features.c) and of their relations
 * (relation_features.c).
 *
 * Features are hashed into a table of 2^bits blocks: no dictionary, no index, no string in the model. All N^2 arcs of a
 * sentence are scored, so a look-up must cost one memory access, and an index of all the features that wrong arcs have
 * would be far larger than the weights that matter. From 2^20 weights on, collisions cost no accuracy
 * (docs/MEASUREMENTS.md).
 *
 * Relations come after the tree: to score every arc with every one of R relations would cost R times the memory and
 * most of R times the time of scoring arcs.
 *
 * A sentence is first observed: each word becomes a few numbers, hashes of its form, lemma, tags and so on. They are
 * all that a treebank keeps of a sentence, so memory grows with the words, not with the arcs.
 */
#ifndef VOUCH_TASK_ARC_FEATURES_H
#define VOUCH_TASK_ARC_FEATURES_H

#include "core/parts.h"
#include "core/sentence.h"
#include "core/simd.h"
#include "core/structure.h"

/*
 * The features of arcs and relations, as a model's header names them: another number, other features. It is to be
 * raised with every change that makes features of the same words other than they were.
 */
enum { ARC_FEATURES = 2 };

enum {
    MAX_MORPH = 8,    /* features of FEATS */
    MORPH_PAIRED = 4, /* those of them that are seen in pairs */
    MAX_TREE = 2000   /* words of a sentence: computations that grow with their cube take seconds */
};

/* Kinds of words; those that are counted between the ends of an arc come first. */
enum word_kind { VERBS, MARKS, CONJUNCTIONS, OTHER_WORDS, COUNTED_KINDS = OTHER_WORDS };

/* A word as hashes; 0 is "nothing". */
struct arc_word {
    uint32_t form, lemma, tag, fine, feats, ending; /* tag: UPOS; fine: XPOS, if it differs */
    uint32_t morph[MAX_MORPH];                      /* each of FEATS, as far as they go; 0 after the last */
    enum word_kind kind;
};

/* Whether all characters of a word are punctuation: CoNLL-X leaves such words out of its scores. */
bool is_punctuation(struct text form);

/* Observes every word of a sentence of ten columns: word [N]. */
void arc_observe(const struct sentence *sentence, struct arc_word *word);

/*
 * Makes the parts of all arcs: one row for each (word, head), as tree/tree.h
 * lays them out, made when they are needed (see struct parts) in `scratch`.
 */
bool arc_parts(const struct arc_word *word, uint32_t N, uint32_t bits, struct scratch *scratch, struct parts *parts,
               struct vouch_error *err);

/*
 * Makes the parts of the relations, given the heads (0 the root, else a word from 1): one row for each word. See
 * relation_features.c.
 */
bool relation_parts(const struct arc_word *word, const uint32_t *head, uint32_t N, uint32_t bits,
                    struct scratch *scratch, struct parts *parts, struct vouch_error *err);

#endif
