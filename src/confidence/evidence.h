/*
 * Evidence is what one voice's scores tell about an answer, before a method makes a number of it.
 *
 * The answer is one choice for each word, usually the first voice's best. Evidence costs time, so only the kinds that a
 * method needs are computed; every method of this folder is then arithmetic over the evidence. Neither sees words,
 * features or lattices: they see scores and choices of any structure.
 */
#ifndef VOUCH_CONFIDENCE_EVIDENCE_H
#define VOUCH_CONFIDENCE_EVIDENCE_H

#include "confidence/noise.h"
#include "core/answer_counts.h"
#include "core/scheme.h"
#include "core/structure.h"

/* The kinds of evidence. */
enum evidence_kind {
    EVIDENCE_MARGIN = 1,    /* the best answer without each word's choice */
    EVIDENCE_MARGINALS = 2, /* probabilities of all choices */
    EVIDENCE_KBEST = 4,     /* the K best answers */
    EVIDENCE_FIX = 8,       /* answers of models drawn with one variance for all weights */
    EVIDENCE_PC = 16 /* answers of models drawn with the variance of each weight; of every set of outside scores */
};

/* The parameters of the methods. */
struct method_params {
    uint32_t best;     /* K of the K best answers that KB counts */
    uint32_t weighted; /* K of those that WKB counts; 0: the same */
    uint32_t draws;    /* K of the drawn models */
    bool plain;        /* draws are independent, and the same K models for all sentences, as in the paper */
    double fix;        /* s of KD-Fix; 0: voice_view_suit() chooses one by the weights */
    double pc;         /* s of KD-PC */
    double c;          /* scale of the scores in probabilities */
};
extern const struct method_params default_method_params;

/* Several answers to one sentence, with their weights. */
struct answers {
    uint32_t count;
    uint32_t *choice; /* [count][N] */
    double *weight;   /* [count], or NULL: all 1 */
    double *limit;    /* [N] of draws: the share that agrees on a word if there were any number of them; or NULL */
    size_t choice_capacity, weight_capacity, limit_capacity;
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
    uint32_t sets;             /* the number of sets of outside scores, where `mean` is NULL; 0: it scores by weights */
    const struct noise *noise;
    uint64_t key; /* of its noise */
    struct method_params params;
};

/*
 * Returns the mean square of the weights that were learned, those that are not zero. It is the unit of s, as the effect
 * of a draw depends on the size of the noise beside them: perceptrons count in ones, passive-aggressive learners in
 * hundredths, and the best s lies far below the paper's grid. In this unit it lies between 2.5 and 32, whatever the
 * learner and the corpus (docs/MEASUREMENTS.md).
 */
double unit_of_weights(const struct space *space, const float *mean);

/*
 * Sets what its parameters leave open: s of KD-Fix becomes SUITABLE_S units; on outside scores pi^2 / (6 c^2), the
 * variance of the Gumbel noise under which an answer wins as often as its probability says.
 */
enum { SUITABLE_S = 4 };
void voice_view_suit(struct voice_view *voice);

/*
 * Returns what to draw around for a sentence, of one variance for all weights or (`pc`) of each weight's own.
 *
 * Unless draws are plain, they are antithetic pairs, and each sentence has its own: the key is that of its words, or of
 * its scores where its words are unknown. K models that serve a whole corpus rank all of it with the same luck, which
 * no number of sentences averages out: over seeds, the average precision of KD-Fix varied two to four times as much
 * (docs/MEASUREMENTS.md).
 */
struct drawing voice_drawing(const struct voice_view *voice, const struct parts *parts, const struct scores *scores,
                             bool pc);

/* One thread's working memory for one evidence after the other: nothing in it outlives a call. Zero it at first. */
struct evidence_work {
    struct scratch scratch;
    struct noise_work *noise;
    struct lanes lanes;
    bool *drawn; /* [groups] which of them are drawn */
    size_t drawn_capacity;
    struct scores variance; /* of the noise of parts */
    struct rival *rival;    /* [N][width] */
    size_t rival_capacity;
    double *pairs; /* where a chunk's probability is computed */
    size_t pairs_capacity;
};

/* What one voice tells about the answer to one sentence. Zeroed memory is an empty evidence. */
struct evidence {
    const struct voice_view *voice;
    struct evidence_work *work;
    const struct span_rules *rules; /* which labels the corpus writes alike; NULL: none are */
    uint32_t N;
    size_t options; /* choices of each word, legal or not: the distance between the parts of neighbouring words */
    struct scores scores;
    const uint32_t *choice; /* [N] the answer that is judged */
    uint32_t *best;         /* [N] the voice's own */
    double best_score;
    bool *forced;   /* [N] the word has no other choice */
    double *margin; /* [N] EVIDENCE_MARGIN: how far its best choice is ahead; negative if that is not the answer's, as
                       the voice is then evidence against it, the larger the stronger */
    struct scores marginal; /* EVIDENCE_MARGINALS */
    double log_z;
    struct answers kbest, fix, pc;

    struct scratch messages; /* EVIDENCE_MARGINALS: what structure->neighbours() reads */
    size_t best_capacity, forced_capacity, margin_capacity;
};

/* Fails if the best answer of all is impossible. */
bool answer_is_possible(double best_score, struct vouch_error *err);

/* Returns the probability of choice `y` of word `n`, after EVIDENCE_MARGINALS. */
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

/* ---- The cascade: which groups need not be drawn, since hardly any draw would change the answer there ---- */

/* The standard deviations of the noise that count as beyond doubt: for margins, and for differences of scores. */
struct cascade_limits {
    double margin, score;
};
extern const struct cascade_limits default_cascade_limits;

/* A sentence before it is drawn. */
struct undrawn {
    const struct drawing *drawing;
    const struct parts *parts;
    const struct scores *scores;
    const uint32_t *best; /* [N] the best answer */
    const double *margin; /* [N] how far it is ahead, of either sign; where there are edges */
    double deviation;     /* found: of the noise of the difference of two choices of a word, at most */
};

/* Sets drawn[g] of every group; returns how many are to be drawn: all, where limits are infinite. */
size_t cascade_settle(struct undrawn *sentence, struct cascade_limits limits, bool *drawn /* [G] */);

/* ---- Methods ---- */

/*
 * The interface of methods: a method makes numbers of evidence.
 *
 * There is one for every word, for every chunk of the answer, and for the sentence as a whole: the larger, the likelier
 * right. Raw numbers only rank, whatever their range; calibrate.h makes probabilities of them.
 */
struct method {
    const char *name;
    const char *summary; /* one line */
    const char *formula;
    const char *cost;
    const char *use;    /* when to use it */
    const char *params; /* which parameters it has: some of "K", "s", "c" */
    unsigned needs;     /* the evidence that it needs */
    bool variance;      /* only for voices that have variances of their weights */
    bool sets;          /* only for several sets of scores from elsewhere */
    bool bounded;       /* numbers from 0 to 1; else margins, from 0 up */

    bool votes;    /* it counts the votes of answers_of() */
    bool weighted; /* which count by their weights */

    /* Numbers of all words. */
    void (*words)(const struct method *self, const struct evidence *evidence, double *confidence /* [N] */);

    /* The number of one chunk. */
    bool (*span)(const struct method *self, struct evidence *evidence, const struct span_rules *rules,
                 struct extent span, double *confidence, struct vouch_error *err);

    /* The number of the whole answer: a share of draws or answers, a joint probability; NULL: it has none. */
    double (*whole)(const struct method *self, const struct evidence *evidence);
};

/* All methods but the committee, which uses several voices: see committee.h. */
extern const struct method *const methods[]; /* the last is NULL */
const struct method *method_find(const char *name, size_t length);

/* Returns the answers whose votes the method counts. */
struct answers answers_of(const struct method *method, const struct evidence *evidence);

/* Returns the smallest of the words' numbers: the paper's confidence of a sentence. 1 if there are none. */
double smallest(const double *confidence, uint32_t from, uint32_t to);

/* Return the share of the answers that have the word's choice, the chunk, or everything. */
double share_of_word(const struct answers *answers, const uint32_t *choice, uint32_t N, uint32_t word);
double share_of_span(const struct answers *answers, const uint32_t *choice, uint32_t N, const struct span_rules *rules,
                     struct extent span);
double share_of_whole(const struct answers *answers, const uint32_t *choice, uint32_t N);

/*
 * Finds the probability that an answer has a chunk of just these words and of this type, a number of rules->type, by
 * the voice's marginals: gamma's for any chunk, be it the answer's or not. After EVIDENCE_MARGINALS.
 */
bool marginal_of_chunk(struct evidence *evidence, const struct span_rules *rules, struct extent span, uint32_t type,
                       double *probability, struct vouch_error *err);

extern const struct method delta_method, gamma_method, kb_method, wkb_method, kd_fix_method, kd_pc_method,
    kd_fix_delta_method, kd_pc_delta_method, votes_method, votes_delta_method, random_method;

/* ---- Voice sets ---- */

/*
 * A voice set is the voices of a layer, ready to judge an answer.
 *
 * The first voice gives the answer: adding the normalised scores of several is not better by more than 0.2 of F1 than
 * the better of two (docs/MEASUREMENTS.md). All of them may judge it. The methods decide what evidence is needed, so a
 * voice set is opened on a sentence, evidence is gathered, then methods are applied: voice_set_open(),
 * voice_set_gather(), method->words() and the like on evidence[v], or committee.h.
 */
enum { MAX_VOICE_VIEWS = 8 };

struct voice_set {
    struct voice_view voice[MAX_VOICE_VIEWS];
    uint32_t voices;
    const struct span_rules *rules;     /* NULL: answers have no chunks */
    const struct answer_counts *counts; /* of the words learned from; NULL or without slots: they were not counted */
    bool heads;                         /* choices are heads, and answers trees */
    bool draws; /* the committee uses drawn models: no voice was learned by its likelihood, so none has probabilities */
};

/* One thread's working memory; zero it before first use. */
struct workspace {
    const struct voice_set *voice_set;
    uint32_t N;
    struct evidence evidence[MAX_VOICE_VIEWS];
    struct evidence_work work;
    struct word_names names; /* of the words of the sentence */
    const uint32_t *choice;  /* [N] the answer: the first voice's best */
    const struct answer_counts *text; /* of the text, this sentence's too, for committee_text(); or NULL */
    struct answer_counts sentence;    /* of this sentence, which is left out */
};

/* Scores the parts by every voice that will be looked at (needs[v] != 0), and answers by the first. */
bool voice_set_open(const struct voice_set *voice_set, struct workspace *workspace, const struct parts *parts,
                    const unsigned *needs /* [voices] */, struct vouch_error *err);
bool voice_set_gather(struct workspace *workspace, const struct parts *parts, const unsigned *needs,
                      struct vouch_error *err);
void workspace_release(struct workspace *workspace);

#endif
