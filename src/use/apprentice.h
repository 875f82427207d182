/*
 * An apprentice: the voices of a subject while its sentences are being
 * labelled one after the other. It learns anew, learns on, is measured, and
 * says how sure it is of a sentence that it has not been told about.
 */
#ifndef VOUCH_USE_APPRENTICE_H
#define VOUCH_USE_APPRENTICE_H

#include "model/confidence_model.h"
#include "train/trials.h"
#include "use/selection.h"

/* How sentences are asked about. */
struct inquiry {
    char name[METHOD_NAME + 8];  /* as it was asked for */
    const struct method *method; /* NULL: the committee */
    uint32_t voice;
    enum sentence_score score;
};

/* Whether sentences are taken as they come. */
static inline bool inquiry_is_random(const struct inquiry *inquiry)
{
    return inquiry->method == &random_method;
}

/* What is known of voices before they have learned, for inquiry_parse(): names, and a `var` that is NULL or not. */
void inquiry_voices(struct model_layer *layer, const struct trial *trial, uint32_t voices);

/*
 * "kd-fix", "gamma@crf/mean", ...: a method of confidence over the voices in `layer`, of which only names and
 * whether there are variances are looked at.
 */
bool inquiry_parse(struct inquiry *inquiry, const char *name, const struct model_layer *layer, struct vouch_error *err);

struct apprentice_plan {
    const struct subject *subject;
    const struct trial *trial; /* [voices] the first answers */
    uint32_t voices;
    uint32_t passes;
    uint64_t seed;
    const struct inquiry *inquiry;
    uint32_t draws; /* K of drawn models; 0: as usual */
    const struct noise *noise;
    bool (*stop)(void); /* asked now and then whether to give up; may be NULL */
};

struct apprentice;
struct apprentice *apprentice_new(const struct apprentice_plan *plan, struct vouch_error *err);
void apprentice_free(struct apprentice *apprentice);

/* From nothing, on these examples. Of the voices, only the first and those that are asked; of a second layer, the
 * first. */
bool apprentice_learn(struct apprentice *apprentice, const uint32_t *example, uint32_t count, struct vouch_error *err);

/*
 * From what it knows, on some examples more; the first layer alone, which is the one that is asked about. It begins
 * with averaged weights and does not average again: of a few steps after thousands nothing would be left in an average.
 * A prior, which has been served, is not served again.
 */
bool apprentice_learn_on(struct apprentice *apprentice, const uint32_t *example, uint32_t count,
                         struct vouch_error *err);

/*
 * On the subject's dev sentences, in percent: its first layer's figure; with two layers, the words both of whose
 * answers are right.
 */
bool apprentice_measure(struct apprentice *apprentice, double *figure, struct vouch_error *err);

/* How sure it is of example i: of labels, or of heads. */
bool apprentice_ask(struct apprentice *apprentice, uint32_t i, double *number, struct vouch_error *err);

/* The weights of a voice, as they answer: for tests. */
const struct voice *apprentice_voice(const struct apprentice *apprentice, uint32_t layer, uint32_t voice);

#endif
