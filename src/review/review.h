/*
 * A review finds what is probably wrong in a labelled corpus.
 *
 * Every label that the corpus gives is judged as if it were an answer, by
 * models that did not learn from its sentence: the log-odds that the voices
 * give it, the votes of drawn models, and, where the voices were learned for
 * the purpose, how well the label could be learned at all. Labels that all of
 * these reject come first. How probable an error is follows from errors that
 * are planted in a copy and judged in the same way.
 */
#ifndef VOUCH_REVIEW_REVIEW_H
#define VOUCH_REVIEW_REVIEW_H

#include "base/watch.h"
#include "model/confidence_model.h"
#include "train/held_out.h"
#include "review/decided.h"
#include "review/error_curve.h"
#include "review/plant.h"
#include "review/repeats.h"

struct review_plan {
    const struct held_out *held;                    /* all sentences must be in one of its parts */
    const struct held_out_plan *lessons;            /* the plan by which it was learned; NULL: it was there already */
    const struct method_params *params[MAX_LAYERS]; /* [voices] of each layer; NULL: the defaults */
    const struct decided *decided;                  /* what is known from earlier rounds; NULL: nothing is */
    uint64_t seed;
    uint32_t threads;
    const struct ranks *ranks;       /* that share the judging; NULL: there are none */
    const struct vouch_watch *watch; /* told VOUCH_EVENT_JUDGING, from one thread at a time; may be NULL */
};

/* The signals for or against a label, as log-odds that it is right. */
enum review_signal { SIGNAL_PROBABILITY, SIGNAL_VOTES, SIGNAL_LEARNED, SIGNAL_MARGIN, REVIEW_SIGNALS };

/* What was found about the label, head or relation that one word was given. */
struct finding {
    uint32_t given, proposed;     /* choices; `given` may be one that the model does not know (NO_LABEL, NO_RELATION) */
    float odds;                   /* log-odds that it is right, of all evidence together: what findings are ranked by */
    float probability;            /* that the voices give it */
    float margin;                 /* how far it is ahead of all others; negative: behind */
    float votes;                  /* share of the drawn models that give it */
    float learned;                /* its mean probability while it was being learned; NAN: it was not watched */
    float signal[REVIEW_SIGNALS]; /* 0 where there is none */
};

struct review {
    uint32_t layers;
    size_t words;
    struct finding *finding[MAX_LAYERS]; /* [words], one sentence after the other */
    struct planted planted[MAX_LAYERS];
    struct finding *trial[MAX_LAYERS]; /* [words] the same for what was planted in that layer, and for the labels of the
                                          files that were decided to be wrong; else as in `finding` */
    struct repeats repeats;            /* what the same words are called elsewhere */
    const struct decided *decided;     /* the plan's, which must outlive the review; NULL: nothing was decided */
    struct error_curve curve;          /* with decisions: from odds to the probability of an error */
};

/* Judges all labels of the plan. Release the review in any case. */
bool review_run(struct review *review, const struct review_plan *plan, struct vouch_error *err);
void review_release(struct review *review);

/*
 * What is listed: words; chunks, where given and proposed ones that overlap are
 * one item; or sentences. A list has all of them, right or wrong.
 */
enum review_level { REVIEW_WORDS, REVIEW_CHUNKS, REVIEW_SENTENCES };

struct suspect {
    uint32_t sentence;     /* number of the example */
    uint32_t from, to;     /* its words */
    uint32_t layer, worst; /* where the odds are lowest: a layer, and a word of the sentence */
    double odds, margin;   /* of the worst word */
    double error;          /* probability that anything in it is wrong; falls as the odds rise */
    bool differs;          /* something else is proposed */
};

struct suspects {
    struct suspect *item; /* [count] most suspect first */
    size_t count;
    struct error_curve curve;
};

/* Chunks need the dataset's span rules. Release in any case. */
bool review_list(const struct review *review, const struct held_out *held, enum review_level level,
                 struct suspects *list, struct vouch_error *err);
void suspects_release(struct suspects *list);

/* Estimates how many errors there are among the first `count`. */
bool review_expect(const struct suspects *list, size_t count, struct expected_errors *expected,
                   struct vouch_error *err);

#endif
