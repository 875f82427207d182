/*
 * A confidence model is what calibration found out about the answers of one layer of a model.
 *
 * It holds the parameters of the methods and, for each method, a calibration of words (for the committee a forecaster),
 * models that make the probability of a chunk and of a sentence from those of its words, and figures of how good they
 * are. All of it is fitted on held-out answers, and kept in the model's header under "confidence".
 */
#ifndef VOUCH_MODEL_CONFIDENCE_MODEL_H
#define VOUCH_MODEL_CONFIDENCE_MODEL_H

#include "confidence/shift_discount.h"
#include "fit/forecaster.h"
#include "confidence/joint.h"
#include "core/confidences.h"
#include "model/model.h"

enum { MAX_METHOD_MODELS = 40 };

enum unit { UNIT_WORD, UNIT_SPAN, UNIT_SENTENCE, UNITS };
extern const char *const unit_names[UNITS]; /* "words", "spans", "sentences" */

/* Figures of how good a confidence is, measured on held-out answers that it was not fitted on. */
enum confidence_figure {
    FIGURE_COUNT,
    FIGURE_ERRORS,
    FIGURE_AP,
    FIGURE_AUROC,
    FIGURE_AURC,
    FIGURE_ECE,
    FIGURE_BRIER,
    FIGURE_LOSS, /* mean log loss, in nats */
    FIGURES
};

/* With fewer errors than this, calibrated probabilities tell little more than the share of errors. */
enum { ERRORS_ENOUGH = 30 };

/* One method of one voice. */
struct method_model {
    char name[METHOD_NAME];      /* "kd-fix", or "gamma@crf" for another voice than the first */
    const struct method *method; /* NULL: the committee */
    bool text;                   /* the committee with the text */
    uint32_t voice;
    struct calibration calibration; /* of words; kind CALIBRATE_NONE: none, and always for the committee */
    struct logistic joint[UNITS];   /* of chunks and sentences, given their parts; without features: none */
    double figure[UNITS][FIGURES];  /* NAN: not known */
};

struct confidence_model {
    struct method_params params[MAX_VOICE_VIEWS];
    struct method_model method_model[MAX_METHOD_MODELS];
    uint32_t count;
    struct forecaster forecaster;   /* of words, the committee's */
    struct shift_discount discount; /* lowers its probabilities */
    struct forecaster with_text;    /* of words, that of the committee with the text */
    uint32_t preferred;             /* the method to use if none is named; count: there is none */
};

/* Writes and reads a calibration of a kind other than CALIBRATE_NONE; reading may fail without setting the error. */
json_t *calibration_describe(const struct calibration *calibration);
bool calibration_read(struct calibration *calibration, const json_t *json, struct vouch_error *err);

/* Write and read a forecaster of so many signals likewise. */
json_t *forecaster_describe(const struct forecaster *forecaster);
bool forecaster_read(struct forecaster *forecaster, const json_t *json, uint32_t signals, struct vouch_error *err);

/* Sets default parameters, with nothing calibrated. */
void confidence_model_init(struct confidence_model *confidence_model);
void confidence_model_release(struct confidence_model *confidence_model);

/*
 * Finds method and voice of a name such as "kd-fix" or "gamma@crf". The method is NULL for "committee", and for
 * COMMITTEE_TEXT, the committee with the text. Without '@' the voice is the first.
 */
#define COMMITTEE_TEXT "committee+text"
bool method_parse(const char *name, const struct model_layer *layer, const struct method **method, uint32_t *voice,
                  struct vouch_error *err);

/* Whether a voice supports a method: some need variances, some several sets of scores. */
bool method_suits(const struct method *method, const struct model_voice *voice);

/*
 * Returns the model of the method called `name` (a method, or METHOD@VOICE with a voice of the layer); a new one,
 * uncalibrated, if it is none of those fitted. NULL with an error if there is no such method.
 */
struct method_model *confidence_model_find(struct confidence_model *confidence_model, const char *name,
                                           const struct model_layer *layer, struct vouch_error *err);

/* Returns the number of signals of a method's joint probabilities: its own one or the committee's, and the parts'. */
uint32_t method_model_signals(const struct method_model *method_model, enum unit unit, const uint32_t committee[UNITS]);

/*
 * Reads the confidence model of a layer from a model's header; *known is NULL if it was not calibrated. Fails if
 * another version of the program calibrated it, in another form. `name` is for messages.
 */
enum { CONFIDENCE_MODEL_FORM = 4 };
bool confidence_model_known(const json_t *header, const char *layer, const json_t **known, const char *name,
                            struct vouch_error *err);

/* Reads only the parameters of the voices of a layer; *known is false if it was not calibrated. */
bool confidence_model_params(const struct vouch_model *model, uint32_t layer,
                             struct method_params *params /* [voices] */, bool *known, struct vouch_error *err);

/* Describes the parameters of the methods of one voice. */
json_t *method_params_json(const struct method_params *params);

/* Write it as JSON, and read it back; `name` is for messages, `signals` the number that forecasters must take. */
json_t *confidence_model_json(const struct confidence_model *confidence_model, const struct model_layer *layer);
bool confidence_model_read(struct confidence_model *confidence_model, const json_t *json,
                           const struct model_layer *layer, const uint32_t signals[UNITS], const char *name,
                           struct vouch_error *err);

/* What has sets of choices: words, of labels or heads; chunks of the answer, of readings; arcs, of relations. */
enum covered { COVERED_WORDS, COVERED_CHUNKS, COVERED_RELATIONS, COVERED };
extern const char *const covered_names[COVERED]; /* "words", "chunks", "relations" */

/* A choice whose probability is at least this is in the set; the answer is in any case. */
struct set_thresholds {
    double of[COVERED];        /* NAN for relations: they have no sets */
    json_t *by_label[COVERED]; /* borrowed: of labels, types or relations that have their own, by name; or NULL */
};

/*
 * A coverage model holds thresholds of probability such that sets of choices hold the right one as often as was asked
 * for. It is found by tune/tuning.c and kept as JSON in the header's "coverage".
 */
struct coverage_model {
    bool known;
    double target; /* the share of a sentence's words, and chunks, whose sets hold the right choice, in the mean */
    char method[METHOD_NAME]; /* whose probabilities these are */
    struct set_thresholds least;
    bool has[COVERED]; /* there was something to find a threshold on */
    bool documents;    /* the mean is over documents, not sentences */
};

/* Returns the model as JSON, which shares the thresholds of labels; NULL if there is no memory. */
json_t *coverage_model_json(const struct coverage_model *model);

/*
 * Reads what the header has, which must outlive the model; `known` says whether it has any. Fails if it is damaged;
 * `name` is for messages.
 */
bool coverage_model_read(struct coverage_model *model, const json_t *header, const char *name, struct vouch_error *err);

#endif
