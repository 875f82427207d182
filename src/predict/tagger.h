/*
 * Labelling sentences with a model, with or without confidence.
 */
#ifndef VOUCH_PREDICT_TAGGER_H
#define VOUCH_PREDICT_TAGGER_H

#include "model/model.h"

/*
 * One thread's working memory over a model. tagger_label() gives the labels of a sentence in the corpus's spelling;
 * they stay valid as long as the model. With an estimator, which must outlive the tagger, it also gives estimates of
 * them; without one, `estimator` and `estimates` are NULL.
 */
struct estimator;
struct estimates;
struct tagger;
struct tagger *tagger_new(const struct vouch_model *model, const struct estimator *estimator, struct vouch_error *err);
void tagger_free(struct tagger *tagger);
bool tagger_label(struct tagger *tagger, const struct sentence *sentence, struct text *label,
                  struct estimates *estimates, struct vouch_error *err);

#endif
