/*
 * Confidences tell how far an answer can be trusted, by one or more methods. They are plain numbers, passed from the
 * code that computes them to the code that writes them. NAN stands for a number that was not computed.
 *
 * A sentence's raw number is that of its weakest word, as in the paper. The committee's calibrated number of a sentence
 * uses the share of draws that agree with the whole answer as well, and its probability; struct sentence_confidence has
 * the weakest word and that share beside it.
 */
#ifndef VOUCH_CORE_CONFIDENCES_H
#define VOUCH_CORE_CONFIDENCES_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Methods that can be asked for at once, and the length of a name such as "gamma@crf", its end included. */
enum { MAX_METHODS = 24, METHOD_NAME = 40 };

/* A chunk of the answer: words from .. to - 1. */
struct span {
    uint32_t from, to;
    struct text type;
};

/* An alternative for a word: a label, or a head (0 the root, else a word from 1). */
struct alternative {
    struct text label; /* empty for a head */
    uint32_t head;     /* or the choice's number; for a reading, that of a label of this type */
    double probability;
};

/* More numbers of a sentence. */
struct sentence_confidence {
    double minimum; /* the least of its words, as the paper has it */
    double whole;   /* share of the drawn models, or of the best answers, that agree with all of it, or its probability;
                       NAN: not known */
};

/* One method's confidence in one answer. */
struct method_confidence {
    const char *method;       /* such as "kd-fix" */
    bool calibrated;          /* the numbers are probabilities of being right; else they only rank */
    bool margin;              /* they are margins, from 0 up; else they lie between 0 and 1 */
    const double *word;       /* [N] of the label, or of the head */
    const double *relation;   /* [N] of the arc's relation, given its head; or NULL */
    const double *span;       /* [spans] of boundaries and type together; or NULL */
    const struct text *other; /* [N] the likeliest label other than the answer's, empty if there is none; or NULL */
    double sentence;          /* of all words together */
    const struct sentence_confidence *more; /* or NULL */
};

/*
 * A set of choices for each of several things, which holds the right one with a probability that was asked for: those
 * of thing i are choice[first[i]] .. choice[first[i + 1] - 1], likeliest first, the answer's among them.
 */
struct choice_sets {
    const struct alternative *choice;
    const uint32_t *first; /* NULL: there are none */
    bool asked;            /* a document mark has as many columns as a word */
};

struct confidences {
    const struct method_confidence *by_method; /* [methods] in the order of the request */
    uint32_t methods;
    const struct span *span; /* [spans] chunks of the answer; none for trees */
    uint32_t spans;
    const double *start; /* [N] how likely a chunk begins there, by the first method's voice; or NULL */
    /* The likeliest choices of every word, likeliest first, by the first method; fewer where fewer are possible. */
    const struct alternative *alternative; /* [N][alternatives], or NULL */
    const uint32_t *found;                 /* [N] how many of them there are */
    uint32_t alternatives;
    struct choice_sets set;          /* of every word, by the first method */
    struct choice_sets reading;      /* of every span: what its words may be, a type or O if they are no chunk */
    struct choice_sets relation_set; /* of every word in a tree: relations to its head */
};

/* Returns how many choices the set of thing i has; 0 if there are no sets. */
static inline uint32_t choice_set_size(const struct choice_sets *sets, uint32_t i)
{
    return sets->first ? sets->first[i + 1] - sets->first[i] : 0;
}

#endif
