/*
 * Fits a model of confidence on held-out answers: the parameters of the methods, by log loss after calibration; a
 * calibration for each method; the committee's forecasters; and which method to prefer.
 */
#ifndef VOUCH_TRAIN_CALIBRATION_H
#define VOUCH_TRAIN_CALIBRATION_H

#include "model/confidence_model.h"
#include "train/held_out.h"

enum { MOST_TRIED = 32 };

/* The parameters that are tried. */
enum param {
    PARAM_FIX,  /* the variance of KD-Fix, in units of the weights' */
    PARAM_PC,   /* the factor of the variances of KD-PC */
    PARAM_C,    /* the scale of probabilities, in units of the weights' */
    PARAM_BEST, /* how many of the best answers */
    PARAMS
};

/*
 * Values to try. The effect of a variance or a scale depends on the size of the weights, which differs a hundredfold
 * between learners: they are tried in units of the mean square of the weights that were learned, and of one over its
 * root.
 */
struct grids {
    bool literal; /* the variance and the scale are used as they are, without a unit */
    struct {
        uint32_t count;
        double value[MOST_TRIED]; /* [count] */
    } of[PARAMS];
    uint32_t draws;  /* K of the drawn models */
    size_t words[2]; /* about how many words to try them, and fit methods, on: of chains, of trees; 0: all */
};

/*
 * quick_grids has a few values, for training; full_grids as many as the paper tries; paper_grids the paper's own,
 * whatever the weights are. grids_named() finds them by "quick", "full" and "paper"; NULL: there is no such grid.
 */
extern const struct grids quick_grids, full_grids, paper_grids;
const struct grids *grids_named(const char *name);

/*
 * Training cuts its corpus into `parts`, and holds out `held` of them: as many as give enough words to calibrate on, at
 * most all, and none if there are too few sentences.
 */
struct cut {
    uint32_t parts, held;
};
struct cut calibration_cut(const struct dataset *dataset);

/* A value that was tried. */
struct tried {
    const char *layer, *voice, *parameter; /* "s_fix", "s_pc", "c" or "K_best" */
    double value;
    double average_precision; /* of finding errors with it; NAN: there was none to find */
    double risk_coverage;     /* the area under that curve */
    double loss; /* mean held-out log loss of its numbers when calibrated: the value with the least is chosen */
};

struct calibration_plan {
    const struct held_out *held;
    const struct grids *grids;
    double unit; /* the unit of s and c where scores come from elsewhere; 0: that of the voices' weights */
    uint64_t seed;
    uint32_t threads;
    /* Called after every step with the progress, and at every step to ask whether to stop. May be NULL. */
    void (*tell)(void *context, uint32_t done, uint32_t of);
    void (*tried)(void *context, const struct tried *tried); /* called with every value; may be NULL */
    void *context;
    bool (*stop)(void *context);
};

/* Fits one `struct confidence_model` for each layer; release them in any case. */
bool calibration_run(const struct calibration_plan *plan, struct confidence_model *confidence_model /* [layers] */,
                     struct vouch_error *err);

/* Returns the whole confidence model, as the model's header keeps it. */
json_t *calibration_json(const struct calibration_plan *plan, const struct confidence_model *confidence_model);

#endif
