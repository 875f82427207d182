/*
 * Labelling with a model: words to parts to scores to choices to labels.
 */
#include "chain/chain.h"
#include "predict/estimator.h"
#include "predict/tagger.h"

struct tagger {
    const struct vouch_model *model;
    const struct estimator *estimator;
    struct encoder *encoder;
    struct workspace workspace;
    struct scores scores;
    struct scratch scratch;
    struct label_work work;
    uint32_t *choice;
    size_t choice_capacity;
};

struct tagger *tagger_new(const struct vouch_model *model, const struct estimator *estimator, struct vouch_error *err)
{
    struct tagger *tagger = new_array(1, sizeof *tagger, err);
    if (!tagger)
        return NULL;
    tagger->model = model;
    tagger->estimator = estimator;
    tagger->encoder = encoder_new(&model->templates, &model->vocabulary, err);
    if (!tagger->encoder) {
        tagger_free(tagger);
        return NULL;
    }
    return tagger;
}

void tagger_free(struct tagger *tagger)
{
    if (!tagger)
        return;
    encoder_free(tagger->encoder);
    workspace_release(&tagger->workspace);
    scores_release(&tagger->scores);
    scratch_release(&tagger->scratch);
    label_work_release(&tagger->work);
    free(tagger->choice);
    free(tagger);
}

/* Labels, and judges if there is an estimator. */
static bool choose(struct tagger *tagger, const struct parts *parts, const uint32_t **choice,
                   struct estimates *estimates, struct vouch_error *err)
{
    const struct model_layer *layer = &tagger->model->layer[0];
    double score;
    if (tagger->estimator) {
        bool ok = estimator_estimate(tagger->estimator, 0, parts, &tagger->workspace, estimates, err);
        *choice = tagger->workspace.choice;
        return ok;
    }
    *choice = tagger->choice;
    return parts_score(parts, &layer->space, layer->voice[0].mean, &tagger->scores, err) &&
           chain_structure.best(&tagger->scores, &tagger->scratch, tagger->choice, &score, err);
}

bool tagger_label(struct tagger *tagger, const struct sentence *sentence, struct text *label,
                  struct estimates *estimates, struct vouch_error *err)
{
    struct parts parts;
    const uint32_t *choice;
    return RESERVE(tagger->choice, tagger->choice_capacity, (size_t)sentence->N + 1, err) &&
           encoder_run(tagger->encoder, sentence, &parts, err) && choose(tagger, &parts, &choice, estimates, err) &&
           labels_write(&tagger->model->labels, choice, sentence->N, &tagger->work, label, err);
}
