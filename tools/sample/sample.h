/*
 * Makes a synthetic corpus: news-like sentences from a seeded grammar.
 *
 * Every sentence comes with parts of speech, chunks, named entities and a dependency tree, all read off one derivation.
 * Names are shared by people, places and firms, so that context must decide, and sometimes cannot.
 *
 * Sentence i of a seed is a pure function of the two: any part of the corpus can be made alone, on any machine, and has
 * the same bytes.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_H
#define VOUCH_SAMPLE_SAMPLE_H

#include "base/buffer.h"

/* The kind of label to learn: the last of the columns. */
enum sample_kind {
    SAMPLE_POS,   /* form, part of speech (Penn Treebank tags) */
    SAMPLE_CHUNK, /* form, part of speech, chunk: NP, VP, PP, ADJP, ADVP, SBAR, PRT in IOB2 */
    SAMPLE_NP,    /* the same with chunks other than NP left out */
    SAMPLE_NER,   /* form, part of speech, chunk, entity: PER, LOC, ORG, MISC in IOB2 */
    SAMPLE_DEP    /* CoNLL-U: a dependency tree; sentences of their own, of which some have crossing arcs */
};

/* The labels of a word. */
enum sample_layer { LAYER_POS, LAYER_CHUNK, LAYER_NER, SAMPLE_LAYERS };

struct sample_options {
    uint64_t seed;
    uint64_t first; /* number of the sentence at index 0; a test set begins where the training set ends */
    enum sample_kind
        kind;     /* whose labels (or heads) the noise replaces; for SAMPLE_NP the chunks are noun phrases only */
    double noise; /* share of these labels, or heads, that are replaced, 0 .. 1; the text stays the same */
    bool held_out_names; /* about half of the names never occur without this */
};

struct sample_word {
    struct text form;
    const char *label[SAMPLE_LAYERS]; /* static strings */
    uint32_t head;                    /* number of the word it depends on, from 1; 0 for the root */
    const char *relation;             /* static */
    bool noisy;                       /* its label in the layer of options.kind, or its head, is not the true one */
};

/* Zero it before first use; it owns its memory, which only grows and is used again. */
struct sample_sentence {
    uint64_t number; /* in the corpus of its seed, from 0 */
    uint32_t N;
    struct sample_word *word; /* [N] */
    char *bytes;              /* the forms, one after the other, not separated */
    size_t bytes_used, bytes_capacity, word_capacity;
};

void sample_release(struct sample_sentence *sentence);

/* Makes sentence number options->first + index. */
bool sample_sentence(const struct sample_options *options, uint64_t index, struct sample_sentence *out,
                     struct vouch_error *err);

/*
 * Appends the sentence, one word on each line, and an empty line: as CoNLL columns separated by spaces; for SAMPLE_DEP
 * as CoNLL-U, with its number and its words separated by spaces in comments. Lemmas are of nouns and verbs; names keep
 * their capitals.
 */
bool sample_write(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                  struct vouch_error *err);

/* Returns the kind called "pos", "chunk", "np", "ner" or "dep", or -1. */
int sample_kind_parse(const char *name);

#endif
