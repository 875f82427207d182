/*
 * How good a model is on blind sentences, and what more labelled ones would bring.
 *
 * Blind sentences are drawn by a rule that does not look at any model, are labelled without a suggestion, and are never
 * learned from: so they are a sample of the text, and what is counted on them is an estimate without bias. Sentences
 * are the units of that sample; words and chunks of one sentence are not independent.
 *
 * F1 is a share, too: of `of` = chunks in gold + chunks in the answer, `right` = twice those in both; attachment is
 * that of words with the right head. measure/intervals.h has the interval of such a share, which holds it with a
 * probability of 0.9.
 *
 * The forecast is a power law through two points. With n labelled words the error is e(n) = a n^-b (Hestness et al.
 * 2017 found this for many tasks). e2 is the model's own, for n2 words; e1 is that of models which have learned from
 * half of what was decided, n1 words, on the same blind sentences, so that what is hard about these cancels out. Then,
 * with r = log((n2 + m) / n2) / log(n2 / n1),
 *
 *     e(n2 + m) = e2 (e2 / e1)^r        log e3 = (1 + r) log e2 - r log e1
 *
 * n counts words, not sentences, because sentences are chosen: the first ones that a model is unsure of are short, and
 * later ones are several times as long, so that a law in sentences promises too little. The words m of the next
 * decisions are those of the sentences that come next in the queue, without the share of blind ones, which teach
 * nothing.
 *
 * and the gain is e2 - e3. Its variance has three sources. One is the sample of blind sentences, by the influence of
 * each on log e1 and log e2 (delta method). Another is the luck of training, told by how much two models differ that
 * learned from one half each. And the law itself is off: sentences are chosen, and a round may choose well or badly. In
 * simulations with English names and Danish trees the gain was off by about 0.08 of the error for that reason
 * (docs/MEASUREMENTS.md), which is the third.
 */
#ifndef VOUCH_DESK_OUTLOOK_H
#define VOUCH_DESK_OUTLOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One blind sentence, counted for one model. */
struct blind_counts {
    double right, of;
};

/* A figure with its interval, which holds it with a probability of 0.9; all are NAN if there is none. */
struct figure {
    double value, low, high;
};

/* Fewer than this many sentences, or things in them, are too few to tell anything. */
enum { LEAST_BLIND = 20, LEAST_THINGS = 20 };

/* Returns the share that is right. */
struct figure blind_share(const struct blind_counts *count, size_t sentences);

/* Returns how many more blind sentences it takes until there are enough for a figure: 0 if there are. */
size_t blind_missing(const struct blind_counts *count, size_t sentences);

/* The sentences that come next in the queue. */
struct upcoming {
    const double *words; /* [count + 1] words of the next i sentences that are learned from, together */
    size_t count;
    double mean;   /* words of a sentence after all of these */
    double blind;  /* the share of decisions that are not learned from, */
    double blinds; /* as long as there are so many blind sentences */
};

/* Returns how many sentences, or words, of so many decisions are learned from. */
double upcoming_sentences(const struct upcoming *next, double decisions);
double upcoming_words(const struct upcoming *next, double decisions);

/* What a forecast is made of: the same blind sentences, counted for three models. */
struct outlook {
    const struct blind_counts *all;     /* [sentences] of the model that has learned from everything, */
    const struct blind_counts *half[2]; /* [sentences] and of those that learned from either half of what was decided */
    size_t sentences;
    double labelled;      /* n2: words that the first has learned from */
    double labelled_half; /* n1: and the others, in the mean */
    const struct upcoming *next;
    double more; /* how many more decisions */
};

/* Returns the gain in the share that is right; NAN if there is too little to tell. */
struct figure outlook_gain(const struct outlook *outlook);

/* Labelling more hardly pays if a hundred more decisions are expected to bring less than this. */
#define WORTH_IT 0.005

/*
 * Returns after how many more decisions that is so, looking no further than `most`: a figure of `most` says that it is
 * beyond. The interval is that of the law's slope, by the sample of blind sentences and the luck of training.
 */
struct figure outlook_worth(const struct outlook *outlook, double most);

#endif
