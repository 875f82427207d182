/*
 * Predictions for tasks of Label Studio: a text in, regions with scores out.
 *
 * The text is cut into words and sentences by rule (text/word_breaks.h), and offsets are counted in code points, as
 * Label Studio counts them. Names are one region a span. Trees are one region a word, whose label is its part of
 * speech, and a relation from every head to its dependent; the score of an arc is that of the dependent's region, as
 * relations have none. Labels that the project does not offer are left out, and so are regions, in trees relations,
 * whose score is below the control's threshold.
 *
 * The score of a region is the probability that it is right; that of a task, that all its sentences are. Further
 * predictions are the next best readings of the whole text: the K best of each sentence, combined. The score of one is
 * that of the best, times how likely it is beside the best by the model's scores; a region that the best does not have
 * is as likely as the least likely of its labels.
 */
#ifndef VOUCH_SERVE_TASK_PREDICTIONS_H
#define VOUCH_SERVE_TASK_PREDICTIONS_H

#include "base/buffer.h"
#include "convert/offsets.h"
#include "serve/label_config.h"
#include "serve/served_models.h"
#include "text/word_breaks.h"

#include <jansson.h>

enum { MOST_PREDICTIONS = 20 };

/* What answers a project, and the memory to do it. */
struct task_predictor {
    struct models *models;
    const struct label_config *config;
    const struct served_model *model;  /* that labels or parses */
    const struct served_model *tagger; /* of parts of speech, for one that parses; NULL: they are not known */
    const char *version;
    uint32_t best; /* predictions a task */

    struct lent_worker lent, tagging;
    vouch_sentence *sentence;
    struct word_cuts cuts;
    struct offset_map offsets;
    struct buffer forms;
    const char **cell; /* [words][columns] */
    size_t cell_capacity;
};

/* Prepares to answer; models, configuration and version must stay until it is released, in any case. */
bool task_predictor_init(struct task_predictor *predictor, struct vouch_error *err);
void task_predictor_release(struct task_predictor *predictor);

/*
 * Returns the predictions for a text, a list, the best last: of several, Label Studio shows the one that came last, and
 * begins annotations with it. NULL on failure.
 */
json_t *task_predictions(struct task_predictor *predictor, struct text text, struct vouch_error *err);

/* Returns how many of the model's labels the list offers. */
size_t labels_offered(const vouch_model *model, const struct label_list *list);

#endif
