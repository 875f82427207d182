/*
 * Held-out scores are the methods' numbers for held-out answers, with whether the answers are right. Confidence is
 * tuned, fitted and compared on them.
 */
#ifndef VOUCH_TRAIN_HELD_OUT_SCORES_H
#define VOUCH_TRAIN_HELD_OUT_SCORES_H

#include "confidence/committee.h"
#include "core/scheme.h"
#include "measure/quality.h"
#include "train/held_out.h"

/*
 * Words, chunks or sentences of answers whose truth is known: whether each is right, and the numbers that the methods
 * gave it. Zero it before first use, but for `methods` and the widths.
 */
struct score_rows {
    size_t count;
    uint32_t methods, signals, profile_width, called_width;
    bool *right;           /* [count] */
    uint32_t *sentence;    /* [count] */
    uint32_t *label;       /* [count] the label, or relation, of a word, the number of a chunk's type; else 0 */
    struct extent *extent; /* [count] a word's place, a chunk's words, or all words of a sentence */
    double *value;         /* [count][methods]; NAN: no answer */
    double *signal;        /* [count][signals] */
    double *profile;       /* [count][profile_width] what its sentence looks like: committee_profile() */
    double *called;        /* [count][called_width] what the word is called elsewhere in the text: committee_text() */
    size_t right_capacity, sentence_capacity, label_capacity, extent_capacity, value_capacity, signal_capacity,
        profile_capacity, called_capacity;
};

/* Adds a row, whose *value [methods] and *signal [signals] the caller fills in. */
bool score_rows_add(struct score_rows *rows, uint32_t sentence, bool right, double **value, double **signal,
                    struct vouch_error *err);

/* Adds all rows of `from`, which has the same methods and signals unless `to` is empty. */
bool score_rows_join(struct score_rows *to, const struct score_rows *from, struct vouch_error *err);

/*
 * Returns one column of a table that has a row for each unit, such as `value`, with the verdicts; rows without a number
 * are left out. There are *n of them, to free().
 */
struct judged *score_rows_column(const struct score_rows *rows, const double *table /* [count][width] */, size_t width,
                                 size_t column, size_t *n, struct vouch_error *err);

void score_rows_release(struct score_rows *rows);

/* A method, and the voice whose evidence it looks at. */
struct voice_method {
    const struct method *method;
    uint32_t voice;
};

/* The first layer's answers, which the second one's examples are built on: found when they are needed, and kept. */
struct first_answers {
    uint32_t *choice;   /* [words] */
    uint32_t *answered; /* [parts] so many sentences of each have been */
};
bool first_answers_init(struct first_answers *first, const struct held_out *held, struct vouch_error *err);
void first_answers_release(struct first_answers *first);

struct score_plan {
    uint32_t layer;
    struct first_answers *first;       /* NULL is allowed for the first layer */
    const struct voice_method *chosen; /* [methods] */
    uint32_t methods;
    const struct method_params *params; /* [voices] */
    const struct noise *noise;
    bool committee;          /* also take the committee's signals */
    bool text;               /* also take what the text calls the words: each part that is held out is a text */
    bool wholes;             /* also take chunks and sentences */
    size_t most;             /* about so many words are enough; 0: all */
    const struct work *work; /* its seed is that of the losses of simulated sentences */
};

/*
 * All words, all chunks, all sentences. Those of one sentence are neighbours in each, and sentences are in one order in
 * all three. Sentences and words that have no other choice are left out: there is nothing to learn from them. So are
 * words that are open; chunks and sentences are taken where no word is.
 */
struct held_out_scores {
    struct score_rows word, span, sentence;
    struct score_rows simulated; /* words of some sentences after losses, for the committee's discount alone */
};

/* Scores every sentence that is held out, part by part, each in the order of its sentences. Release in any case. */
bool held_out_scores_take(struct held_out_scores *scores, const struct held_out *held, const struct score_plan *plan,
                          struct vouch_error *err);
void held_out_scores_release(struct held_out_scores *scores);

#endif
