/*
 * Labelling with a model: words to parts to scores to choices to labels.
 */
#include "chain/chain.h"
#include "model/model.h"

struct tagger {
    const struct vouch_model *model;
    struct encoder *encoder;
    struct scores scores;
    struct scratch scratch;
    struct label_work work;
    uint32_t *choice;
    size_t choice_capacity;
};

struct tagger *tagger_new(const struct vouch_model *model, struct vouch_error *err)
{
    if (model_parses(model)) {
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that labels, found one that parses", model->file.name);
        return NULL;
    }
    struct tagger *tagger = new_array(1, sizeof *tagger, err);
    if (!tagger)
        return NULL;
    tagger->model = model;
    /* The encoder does not grow the vocabulary, which is therefore only read. */
    tagger->encoder = encoder_new(&model->templates, (struct vocabulary *)(uintptr_t)&model->vocabulary, false, err);
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
    scores_release(&tagger->scores);
    scratch_release(&tagger->scratch);
    label_work_release(&tagger->work);
    free(tagger->choice);
    free(tagger);
}

bool tagger_label(struct tagger *tagger, const struct sentence *sentence, struct text *label, struct vouch_error *err)
{
    const struct vouch_model *model = tagger->model;
    struct parts parts;
    double score;
    return RESERVE(tagger->choice, tagger->choice_capacity, (size_t)sentence->N + 1, err) &&
           encoder_run(tagger->encoder, sentence, &parts, err) &&
           parts_score(&parts, &model->layer[0].space, model->layer[0].voice[0].mean, &tagger->scores, err) &&
           chain_structure.best(&tagger->scores, &tagger->scratch, tagger->choice, &score, err) &&
           labels_write(&model->labels, tagger->choice, sentence->N, &tagger->work, label, err);
}
