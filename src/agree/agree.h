/*
 * Agreement of several annotators of the same text: on words, spans and trees, with intervals, and a list of what they
 * differ in.
 *
 *     agreement_add()       the answers of all annotators to a sentence: from files (agree_files()) or from a store
 *     agreement_measure()   units of each level (agree_units.c), then measure/agreement.h
 *     agreement_think()     what a model thinks of the answers in which they differ
 *
 * Levels:
 *
 *     words     the label of every word; chunks are compared as IOB2, whatever the scheme that they are written in
 *     spans     every extent that an annotator marked: its type, or none
 *     overlap   spans that touch, of any annotator, are one thing: its type, or none; edges do not matter
 *     heads     of every word the distance to its head, or that it is the root
 *     arcs      the same and the relation
 *
 * F1 is that of one annotator's spans against the other's: of the same words and type, or, tolerant of edges, with a
 * span of the same type that shares a word. Of trees it is the share of words with the same head (and relation), on
 * which both agree by definition.
 */
#ifndef VOUCH_AGREE_AGREE_H
#define VOUCH_AGREE_AGREE_H

#include "base/output.h"
#include "measure/agreement.h"
#include "model/model.h"
#include "options/rows.h"
#include "task/dictionary.h"

#include <jansson.h>

struct agree_options {
    struct options common; /* the arguments are the files, one for each annotator */
    struct reading_values reading;
    const char *model, *output;
    uint32_t list, resamples;
    bool trees, json;
};
extern const struct option_table agree_options;

enum { MOST_ANNOTATORS = 64 };

/* The answer of one annotator to a sentence. */
struct annotation {
    const struct text *label; /* [N] labels, or relations; at NULL: none for this word; NULL: none for the sentence */
    const uint32_t *head;     /* [N] 0 the root, else a word from 1; NO_VALUE: none for this word; NULL: labels alone */
};

enum agreement_level { LEVEL_WORDS, LEVEL_SPANS, LEVEL_OVERLAP, LEVEL_HEADS, LEVEL_ARCS, AGREEMENT_LEVELS };
enum agreement_measure { MEASURE_ALPHA, MEASURE_KAPPA, MEASURE_F1, AGREEMENT_MEASURES };
extern const char *const agreement_level_names[AGREEMENT_LEVELS];
extern const char *const agreement_measure_names[AGREEMENT_MEASURES];

struct agreement_figure {
    enum agreement_level level;
    enum agreement_measure measure;
    uint32_t a, b; /* the annotators; both 0: all, of alpha */
    double value;  /* NAN: nothing to compare */
    struct interval interval; /* holds it with a probability of 0.95, by resampling sentences */
    uint64_t units;           /* words, or extents, that were compared; of F1, spans of both */
};

/* Words from .. to - 1 of a sentence, about which annotators differ. */
struct disagreement {
    uint32_t sentence, from, to;
    double lead; /* by how much the model thinks the likeliest of the answers likelier than the next; NAN: not known */
    size_t readings; /* place of the first of A in `reading` and `probability` */
};

/* Zero it but for the first two, then add sentences. */
struct agreement {
    uint32_t annotators; /* A */
    bool trees;
    struct dictionary labels;         /* as they were added, and others that units are called by */
    uint32_t *label, *head;           /* [words][A] 0, NO_VALUE: none */
    size_t *first;                    /* [sentences + 1] the first word of each sentence */
    uint32_t sentences;
    size_t label_capacity, head_capacity, first_capacity;
    bool chunks; /* labels spell chunks: set by agreement_measure() */
    struct agreement_units units[AGREEMENT_LEVELS];
    struct agreement_units *pair_units[AGREEMENT_LEVELS]; /* [pairs] of spans, what either marked; NULL: as above */
    struct agreement_matches *matches[AGREEMENT_LEVELS]; /* [pairs][sentences]; NULL: none */
    struct agreement_figure *figure;                     /* [figures] */
    size_t figures, figure_capacity;
    struct disagreement *disagreement; /* [disagreements] in the order of the text, after agreement_sort() by lead */
    size_t disagreements, disagreement_capacity;
    char **reading;      /* [disagreements][A] what an annotator says: labels, or HEAD:RELATION; NULL: nothing */
    double *probability; /* [disagreements][A] by a model; NAN: not known */
    size_t readings, reading_capacity, probability_capacity;
};
void agreement_release(struct agreement *agreement);

/* Adds a sentence of N words with the answers of all annotators. */
bool agreement_add(struct agreement *agreement, uint32_t N, const struct annotation *by /* [A] */,
                   struct vouch_error *err);

/* Measures, with intervals from so many resamples, and lists what differs. */
bool agreement_measure(struct agreement *agreement, uint32_t resamples, uint64_t seed, struct vouch_error *err);

/* Makes the units, the matches and the list of what differs: agree_units.c, for agreement_measure(). */
bool agreement_make_units(struct agreement *agreement, struct vouch_error *err);
bool agreement_has(const struct agreement *agreement, enum agreement_level level); /* whether it is measured */

size_t agreement_pairs(const struct agreement *agreement);                     /* of annotators */
uint32_t agreement_words(const struct agreement *agreement, uint32_t sentence); /* N */

/* The place of what annotator `a` says of a word in `label` and `head`; and its label, "O" if there is none. */
size_t agreement_place(const struct agreement *agreement, uint32_t sentence, uint32_t word, uint32_t a);
struct text agreement_label(const struct agreement *agreement, uint32_t sentence, uint32_t word, uint32_t a);

/* Notes what a model thinks of the words in which annotators differ: its answer has alternatives. Before sorting. */
struct vouch_answer;
void agreement_think(struct agreement *agreement, uint32_t sentence, const struct vouch_answer *answer);

/* Sorts disagreements by lead, largest first: what a model has a clear opinion on, down to what it is unsure of. */
void agreement_sort(struct agreement *agreement);

/* Reads the files, which must have the same words, measures, and asks the model, which may be NULL. */
bool agree_files(struct agreement *agreement, const struct agree_options *options, const struct vouch_model *model,
                 struct vouch_error *err);

/* Returns the result as JSON; `name` [A] are the annotators. NULL with the error set. */
json_t *agreement_json(const struct agreement *agreement, const char *const *name, size_t list,
                       struct vouch_error *err);

#endif
