/*
 * Evidence is what one voice's scores tell about an answer, before a method
 * makes a number of it.
 *
 * The answer is one choice for each word, usually the first voice's best.
 * Looking costs time, so only what a method needs is computed; every method of
 * this folder is then arithmetic over the evidence. Neither sees words,
 * features or lattices: they see scores and choices of any structure.
 */
#ifndef VOUCH_CONFIDENCE_EVIDENCE_H
#define VOUCH_CONFIDENCE_EVIDENCE_H

#include "confidence/noise.h"
#include "core/span_rules.h"
#include "core/structure.h"

/* The kinds of evidence. */
enum look {
    LOOK_MARGIN = 1,    /* the best answer without each word's choice */
    LOOK_MARGINALS = 2, /* probabilities of all choices */
    LOOK_KBEST = 4,     /* the K best answers */
    LOOK_FIX = 8,       /* answers of models drawn with one variance for all weights */
    LOOK_PC = 16        /* answers of models drawn with the variance of each weight; of every set of given scores */
};

/* The parameters of the methods. */
struct method_params {
    uint32_t best;  /* K of the K best answers */
    uint32_t draws; /* K of the drawn models */
    double fix;     /* s of KD-Fix; 0: voice_view_suit() chooses one by the weights */
    double pc;      /* s of KD-PC */
    double c;       /* scale of the scores in probabilities */
};
extern const struct method_params default_method_params;

/* Several answers to one sentence, with their weights. */
struct answers {
    uint32_t count;
    uint32_t *choice; /* [count][N] */
    double *weight;   /* [count], or NULL: all 1 */
    size_t choice_capacity, weight_capacity;
};

/*
 * A voice as evidence sees it: its weights, and where its draws come from; or, with `sets`, scores from elsewhere,
 * which come with the parts.
 */
struct voice_view {
    const struct structure *structure;
    const struct space *space;
    const float *mean, *var;   /* var may be NULL */
    struct weight_steps steps; /* the same as `mean`, if it has any */
    uint32_t sets;             /* the number of sets of given scores, where `mean` is NULL; 0: it scores by weights */
    const struct noise *noise;
    uint64_t key; /* of its noise */
    struct method_params params;
};

/*
 * Returns the mean square of the weights that were learned, those that are not zero. It is the unit of s, as the effect
 * of a draw depends on the size of the noise beside them. Perceptrons count in ones, passive-aggressive learners in
 * hundredths.
 */
double unit_of_weights(const struct space *space, const float *mean);

/* Whether a voice has draws of its own kind, beside those with one variance: variances, or several sets of scores. */
static inline bool voice_view_has_own_draws(const struct voice_view *voice)
{
    return voice->var || voice->sets > 1;
}

/*
 * Sets what its parameters leave open: s of KD-Fix becomes SUITABLE_S units; on given scores pi^2 / (6 c^2), the
 * variance of the Gumbel noise under which an answer wins as often as its probability says.
 */
enum { SUITABLE_S = 4 };
void voice_view_suit(struct voice_view *voice);

/* One thread's working memory for one evidence after the other: nothing in it outlives a call. Zero it at first. */
struct looking {
    struct scratch scratch;
    struct noise_work *noise;
    struct lanes lanes;
    bool *drawn; /* [groups] see cascade.h */
    size_t drawn_capacity;
    double *pairs; /* where a chunk's probability is computed */
    size_t pairs_capacity;
};

void looking_release(struct looking *looking);

struct evidence {
    const struct voice_view *voice;
    struct looking *looking;
    const struct span_rules *rules; /* which labels the corpus writes alike; NULL: none are */
    uint32_t N;
    size_t options; /* choices of each word, legal or not: the distance between the parts of neighbouring words */
    struct scores scores;
    const uint32_t *choice; /* [N] the answer that is judged */
    uint32_t *best;         /* [N] the voice's own */
    double best_score;
    bool *forced;   /* [N] the word has no other choice */
    double *margin; /* [N] LOOK_MARGIN: how far its best choice is ahead; negative if that is not the answer's */
    struct scores marginal; /* LOOK_MARGINALS */
    double log_z;
    struct answers kbest, fix, pc;

    struct scratch messages; /* LOOK_MARGINALS: what structure->neighbours() reads */
    size_t best_capacity, forced_capacity, margin_capacity;
};

/* Fails if the best answer of all is impossible. */
bool answer_is_possible(double best_score, struct vouch_error *err);

/*
 * Scores the parts and finds the voice's own best answer. `looking` must stay valid. Fails if scores that were given
 * leave no answer possible.
 */
bool evidence_open(struct evidence *evidence, const struct voice_view *voice, const struct parts *parts,
                   struct looking *looking, struct vouch_error *err);

/* Looks at `looks` with respect to `choice`, which must stay valid. */
bool evidence_look(struct evidence *evidence, const struct parts *parts, const uint32_t *choice, unsigned looks,
                   struct vouch_error *err);

/* Zeroed memory is an empty evidence. */
void evidence_release(struct evidence *evidence);

/* Returns the probability of choice `y` of word `n`, after LOOK_MARGINALS. */
static inline double evidence_marginal(const struct evidence *e, uint32_t n, uint32_t y)
{
    return (double)e->marginal.node[n * e->options + y];
}

/* Whether choices may be written alike. */
static inline bool evidence_respelled(const struct evidence *e)
{
    return e->rules && e->rules->respelled;
}

/* Whether the corpus writes choice `y` of word `n` as it writes the answer's, after the answer's word before. */
static inline bool evidence_alike(const struct evidence *e, uint32_t n, uint32_t y)
{
    return span_alike(e->rules, n > 0 ? e->choice[n - 1] : e->rules->labels, e->choice[n], y);
}

/*
 * Returns the probability of all choices that are written as the answer's is: 1 minus the sum of the others.
 * Probabilities are floats, and near 1 the answer's own would lose the difference in its last bits.
 */
static inline double evidence_of_answer(const struct evidence *e, uint32_t n)
{
    bool respelled = evidence_respelled(e);
    double own = 0, others = 0;
    for (uint32_t y = 0; y < e->options; y++)
        if (y == e->choice[n] || (respelled && evidence_alike(e, n, y)))
            own += evidence_marginal(e, n, y);
        else
            others += evidence_marginal(e, n, y);
    return own > 0 ? own / (own + others) : 0;
}

#endif
