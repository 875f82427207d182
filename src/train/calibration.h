/*
 * Fits a model of confidence on held-out answers: the parameters of the methods, by log loss after calibration; a
 * calibration for each method; the committee's forecasters; and which method to prefer.
 */
#ifndef VOUCH_TRAIN_CALIBRATION_H
#define VOUCH_TRAIN_CALIBRATION_H

#include "model/confidence_model.h"
#include "model/forecast_model.h"
#include "train/held_out_scores.h"

enum { MOST_TRIED = 32 };

/* The parameters that are tried. */
enum param {
    PARAM_FIX,  /* the variance of KD-Fix, in units of the weights' */
    PARAM_PC,   /* the factor of the variances of KD-PC */
    PARAM_C,    /* the scale of probabilities, in units of the weights' */
    PARAM_BEST, /* how many of the best answers, by KB */
    PARAM_WEIGHTED, /* the same, by WKB */
    PARAMS
};

/*
 * Values to try. The effect of a variance or a scale depends on the size of the weights, which differs a hundredfold
 * between learners: they are tried in units of the mean square of the weights that were learned, and of one over its
 * root. The mean square of the weights of pa is a hundredth of that of cw, and the best s with it, far below the values
 * that the paper tries. In these units the best s lies between 2.5 and 32 and the best c between 0.07 and 0.28,
 * whatever the learner and the corpus (docs/MEASUREMENTS.md); where nothing was tuned, s is 4.
 */
struct grids {
    bool literal; /* the variance and the scale are used as they are, without a unit */
    struct {
        uint32_t count;
        double value[MOST_TRIED]; /* [count] */
    } of[PARAMS];
    uint32_t draws;  /* K of the drawn models */
    bool plain;      /* these are independent, and the same for all sentences */
    size_t words[2]; /* about how many words to try them, and fit methods, on: of chains, of trees; 0: all */
};

/*
 * quick_grids has a few values, for training; full_grids as many as the paper tries; paper_grids the paper's own,
 * whatever the weights are. grids_named() finds them by "quick", "full" and "paper"; NULL: there is no such grid.
 */
extern const struct grids quick_grids, full_grids, paper_grids;
#define GRID_NAMES "quick, full or paper"
const struct grids *grids_named(const char *name);

/*
 * Training cuts its corpus into `parts`, and holds out `held` of them: as many as give enough words to calibrate on, at
 * most all, and none if there are too few sentences.
 */
struct cut {
    uint32_t parts, held;
};
struct cut calibration_cut(const struct dataset *dataset);

/* The answers to calibrate on, and what to try. */
struct calibration_plan {
    const struct held_out *held;
    const struct grids *grids;
    double unit; /* the unit of s and c where scores come from elsewhere; 0: that of the voices' weights */
    struct work work;
    const char *what; /* "calibrating", the name of the step in events */
    const struct digest_set *sentences; /* of the answers, to be kept: those learned from are known anyway; or NULL */
};

/* What was found, for each layer. */
struct found_confidence {
    struct confidence_model model[MAX_MODEL_LAYERS];
    uint32_t layers;
    json_t *json; /* as a header keeps it, with how figures follow probabilities on text that is unlike this */
};

/* Finds how far the answers can be trusted. The watch is told the progress and what was tried. Release in any case. */
bool find_confidence(const struct calibration_plan *plan, struct found_confidence *found, struct vouch_error *err);
void found_confidence_release(struct found_confidence *found);

/* Warns of each kind of answer that had too few held-out errors to calibrate on. */
void warn_of_few_errors(const struct vouch_watch *watch, const char *layer,
                        const struct confidence_model *confidence_model);

/* What to fit on. */
struct method_rows {
    const struct held_out_scores *committee; /* has the committee's signals */
    const struct held_out_scores *methods;   /* has the methods' numbers, of all these sentences or some of them */
    const struct work *work;
};

/*
 * Fits all methods of the model, of which one is the committee. The values of number `b` are column `b` of the scores
 * if it is a method's; the committee's are the signals. The committee with the text learns from the committee's words.
 * loss [count] is the mean log loss, in nats, of those held-out words that methods are fitted on; NAN with the text and
 * without words.
 */
bool methods_fit(struct confidence_model *confidence_model, const struct method_rows *rows, double *loss,
                 struct vouch_error *err);

/*
 * Finds the mean log loss, in nats, of held-out words if one column of their values is calibrated; NAN without words.
 */
bool calibrated_loss(const struct score_rows *words, uint32_t column, uint64_t seed, double *loss,
                     struct vouch_error *err);

/*
 * Finds how figures follow the probabilities when text is unlike the training text. Fits on the answers of the first
 * layer, whose voices have `params`.
 */
bool shift_fit(const struct held_out *held, const struct method_params *params, const struct work *work,
               struct forecast_model *model, struct vouch_error *err);

#endif
