/*
 * Beliefs: what a layer of a model has learned about its own reliability.
 *
 * The parameters of the methods, for each method a calibration of words,
 * chunks and sentences with the evidence for it, and the committee's
 * forecasters. All of it is fitted on answers that were held out, and kept in
 * the model's header under "confidence".
 */
#ifndef VOUCH_MODEL_BELIEFS_H
#define VOUCH_MODEL_BELIEFS_H

#include "confidence/committee.h"
#include "confidence/forecaster.h"
#include "model/model.h"

enum { MAX_BELIEFS = 40, BELIEF_NAME = 40 };

enum unit { UNIT_WORD, UNIT_SPAN, UNIT_SENTENCE, UNITS };
extern const char *const unit_names[UNITS]; /* "words", "spans", "sentences" */

/* One method of one voice. */
struct belief {
    char name[BELIEF_NAME];      /* "kd-fix", or "gamma@crf" for another voice than the first */
    const struct method *method; /* NULL: the committee */
    uint32_t voice;
    struct calibration calibration[UNITS]; /* kind CALIBRATE_NONE: none */
    json_t *evidence;                      /* figures on held-out answers, or NULL */
};

struct beliefs {
    struct knobs knobs[MAX_SEATS];
    struct belief belief[MAX_BELIEFS];
    uint32_t count;
    struct forecaster forecaster[UNITS]; /* the committee's */
    uint32_t preferred;                  /* the belief to go by if nothing else is asked for; count: none */
};

/* Default knobs, nothing calibrated. */
void beliefs_init(struct beliefs *beliefs);
void beliefs_release(struct beliefs *beliefs);

/*
 * Method and voice of a name such as "kd-fix" or "gamma@crf"; "committee" has no method: NULL. Without '@' it is the
 * first voice.
 */
bool belief_parse(const char *name, const struct model_layer *layer, const struct method **method, uint32_t *voice,
                  struct vouch_error *err);

/*
 * The belief called `name` (a method, or METHOD@VOICE with a voice of the layer); a new one, uncalibrated, if it is
 * none of those fitted. NULL with an error if there is no such thing.
 */
struct belief *beliefs_find(struct beliefs *beliefs, const char *name, const struct model_layer *layer,
                            struct vouch_error *err);

/* A figure on held-out answers, such as "count", "errors", "ap" or "loss"; NAN if it is not known. */
double belief_figure(const struct belief *belief, enum unit unit, const char *key);

/* What a model's header knows of a layer; *known is NULL if it was not calibrated. `name` is for messages. */
bool beliefs_known(const json_t *header, const char *layer, const json_t **known, const char *name,
                   struct vouch_error *err);

/* As JSON, and back; `name` is for messages, `signals` is how many of them the committee's forecasters must take. */
json_t *beliefs_json(const struct beliefs *beliefs, const struct model_layer *layer);
bool beliefs_read(struct beliefs *beliefs, const json_t *json, const struct model_layer *layer,
                  const uint32_t signals[UNITS], const char *name, struct vouch_error *err);

#endif
