/*
 * An estimator holds the methods that were asked for, ready to judge a model's answers.
 *
 * It is made once from a model and read-only after that; every thread has working memory of its own. Each layer of the
 * model is judged by the same methods.
 */
#ifndef VOUCH_ANSWER_ESTIMATOR_H
#define VOUCH_ANSWER_ESTIMATOR_H

#include "confidence/expected_counts.h"
#include "core/confidences.h"
#include "model/confidence_model.h"
#include "model/model.h"

/* One method as it was asked for. */
struct chosen_method {
    char name[METHOD_NAME];
    const struct method *method; /* NULL: the committee */
    bool text;                   /* the committee with the text */
    uint32_t voice;
    const struct method_model *method_model; /* its calibration */
};

/*
 * Which promises of the probabilities are added up (see confidence/expected_counts.h): none; those of words and, for
 * labels, of their features, which cost nothing; or all.
 */
enum expectation { EXPECT_NOTHING, EXPECT_WORDS, EXPECT_ALL };

struct estimator {
    const struct vouch_model *model;
    const struct tag_labels *labels; /* of the first layer's choices; NULL: they are heads */
    struct noise *noise;             /* NULL if no method draws */
    struct span_rules rules;
    bool raw;              /* leave the numbers uncalibrated */
    bool spans, sentences; /* whether chunks and sentences are judged as well */
    uint32_t alternatives; /* of every word; 0: none */
    bool others;           /* each method's likeliest label that is not the answer */
    bool sets;             /* sets of choices, readings and relations that are as likely as this: */
    struct set_thresholds least;
    bool starts; /* how likely a chunk begins at each word */
    enum expectation expected;
    uint32_t methods;
    struct estimator_layer {
        struct confidence_model confidence_model;
        struct chosen_method chosen[MAX_METHODS];
        struct voice_set voice_set;
        unsigned needs[MAX_VOICE_VIEWS];
    } layer[MAX_MODEL_LAYERS];
};

/* A request for an estimator. */
struct estimate_request {
    const char *methods;   /* names, separated by commas; "all"; NULL: what the model prefers */
    const char *otherwise; /* if it prefers none; NULL: then there is no estimator */
    uint32_t alternatives; /* likeliest choices of every word; 0: none */
    uint32_t draws;        /* K of drawn models; 0: as the model has it */
    uint32_t redraw;       /* they are drawn with another seed: the model's plus so much */
    bool others;           /* by every method, the likeliest label of each word that is not the answer; not of trees */
    bool raw;              /* leave the numbers uncalibrated */
    const struct set_thresholds *sets; /* sets of choices of every word, and of readings of chunks; NULL: none */
    bool starts;     /* how likely a chunk begins at each word, by the first method's voice; if labels spell any */
    bool words_only; /* chunks and sentences are left out: their numbers are NAN */
    enum expectation expected; /* by the first voice; EXPECT_ALL needs a method that looks at probabilities */
};

/*
 * Returns NULL, with status VOUCH_OK, if no method is named and the model prefers none: it was not calibrated. NULL
 * with an error for a method that does not exist, or that the model does not support.
 */
struct estimator *estimator_new(const struct vouch_model *model, const struct estimate_request *request,
                                struct vouch_error *err);
/* Does the same, but returns false for an error, and true with *estimator NULL if no method is preferred. */
bool estimator_make(const struct vouch_model *model, const struct estimate_request *request,
                    struct estimator **estimator, struct vouch_error *err);

/* Warns if a method draws models and the model's confidence was calibrated on draws that an older version made. */
void warn_of_old_draws(const struct vouch_watch *watch, const struct estimator *estimator);

/* Returns false, with the error that no method was named and the model prefers none, where an estimator is needed. */
bool fail_uncalibrated(const struct vouch_model *model, struct vouch_error *err);
void estimator_free(struct estimator *estimator);

/* Whether a method uses the text, which workspaces must then have; and the span rules by which it counts. */
bool estimator_uses_text(const struct estimator *estimator);
const struct span_rules *estimator_rules(const struct estimator *estimator);

/* Whether the numbers of chosen method `j` are probabilities: those of words, and those of any unit of any layer. */
bool chosen_is_calibrated(const struct estimator *estimator, uint32_t j);
bool chosen_is_calibrated_for(const struct estimator *estimator, uint32_t layer, uint32_t j, enum unit unit);

/* Whether they lie between 0 and 1, probabilities or not; else they are margins. */
bool chosen_is_bounded(const struct estimator *estimator, uint32_t layer, uint32_t j, enum unit unit);

/* The confidences of one answer, in memory of their own. Zero it before first use. */
struct estimates {
    struct confidences confidences;
    struct expected_counts expected; /* of the first layer; all 0: it was not asked for */
    struct method_confidence by_method[MAX_METHODS];
    struct sentence_confidence sentence[MAX_METHODS];
    struct arena arena;    /* of the answer, and of all arrays here; the caller resets it before an answer */
    double *number;        /* of every method */
    double *signal;        /* working memory */
    struct extent *extent; /* [spans] the same words as those of the confidences */
    struct member_list {   /* of all sets; it grows */
        struct alternative *item;
        size_t capacity;
    } members, readings, relations;
};
void estimates_release(struct estimates *estimates);

/* Makes estimates for a sentence that was not judged: every number is NAN. */
bool estimator_abstain(const struct estimator *estimator, uint32_t N, struct estimates *estimates,
                       struct vouch_error *err);

/*
 * Answers by the first voice of a layer, into workspace->choice [N], and judges the answer. Words (and, in the first
 * layer, chunks and sentence) go to `estimates`; in the second layer, the words are relations. Spans get their types
 * from `model`'s labels.
 */
bool estimator_estimate(const struct estimator *estimator, uint32_t layer, const struct parts *parts,
                        struct workspace *workspace, struct estimates *estimates, struct vouch_error *err);

#endif
