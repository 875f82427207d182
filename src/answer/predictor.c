/* Answers one sentence, from words to parts to scores to choices: see predictor.h. */
#include "answer/predictor.h"

#include "answer/layer_voices.h"
#include "scores/score_files.h"
#include "answer/text_lexicon.h"
#include "task/arc_features.h"

struct predictor {
    const struct vouch_model *model;
    const struct estimator *estimator;
    struct text_lexicon *counted; /* where answers are counted instead of given; NULL: they are given */
    struct encoder *encoder;      /* of words to label; NULL: the model parses, or has no weights */
    struct score_sets given;      /* of a model without weights */
    struct score_work reading;
    struct workspace workspace[MAX_MODEL_LAYERS];
    struct scores scores;
    struct scratch encoding, decoding;
    struct label_work work;
    struct arc_word *word;
    uint32_t *choice;
    size_t word_capacity, choice_capacity;
};

void prediction_release(struct prediction *p)
{
    free(p->label);
    free(p->head);
    estimates_release(&p->estimates);
    *p = (struct prediction){0};
}

struct predictor *predictor_new(const struct vouch_model *model, const struct estimator *estimator,
                                struct vouch_error *err)
{
    struct predictor *p = new_array(1, sizeof *p, err);
    if (!p)
        return NULL;
    *p = (struct predictor){.model = model, .estimator = estimator};
    bool lacks = model_lacks_weights(model);
    if (lacks ? score_sets_init(&p->given, model->layer[0].voice[0].sets, err)
              : model->trees || (p->encoder = encoder_new(&model->templates, &model->vocabulary, err)))
        return p;
    predictor_free(p);
    return NULL;
}

void predictor_free(struct predictor *p)
{
    if (!p)
        return;
    encoder_free(p->encoder);
    score_sets_release(&p->given);
    score_work_release(&p->reading);
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        workspace_release(&p->workspace[l]);
    scores_release(&p->scores);
    scratch_release(&p->encoding);
    scratch_release(&p->decoding);
    label_work_release(&p->work);
    free(p->word);
    free(p->choice);
    free(p);
}

void predictor_use_text(struct predictor *p, const struct text_lexicon *text)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        p->workspace[l].text = &text->layer[l];
}

void predictor_count(struct predictor *p, struct text_lexicon *counted)
{
    p->counted = counted;
}

/* Finds the best choice of one layer in `choice`, counted, or judged if there is an estimator. */
static bool choose(struct predictor *p, uint32_t l, const struct parts *parts, uint32_t *choice,
                   struct estimates *estimates, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[l];
    const struct model_voice *voice = &layer->voice[0];
    double score;
    if (!p->estimator || p->counted)
        return parts_score_steps(parts, &layer->space, voice->mean, &voice->steps, &p->scores, err) &&
               layer_structure(p->model, l)->best(&p->scores, &p->decoding, choice, &score, err) &&
               (!p->counted || text_lexicon_add(p->counted, l, parts, choice, err));
    if (!estimator_estimate(p->estimator, l, parts, &p->workspace[l], estimates, err))
        return false;
    memcpy(choice, p->workspace[l].choice, sizeof *choice * parts->N);
    return true;
}

static bool find_labels(struct predictor *p, const struct sentence *sentence, struct prediction *to,
                        struct vouch_error *err)
{
    struct parts parts;
    return encoder_run(p->encoder, sentence, &parts, err) && choose(p, 0, &parts, p->choice, &to->estimates, err) &&
           labels_write(&p->model->labels, p->choice, sentence->N, &p->work, to->label, err);
}

static bool find_relations(struct predictor *p, uint32_t N, struct prediction *to, struct vouch_error *err)
{
    struct parts parts;
    if (!relation_parts(p->word, to->head, N, p->model->bits[1], &p->encoding, &parts, err) ||
        !choose(p, 1, &parts, p->choice, &to->estimates, err))
        return false;
    for (uint32_t i = 0; i < N; i++)
        to->label[i] = labels_name(&p->model->labels, p->choice[i]);
    return true;
}

/* Finds the tree first, then the relation of each of its arcs. */
static bool find_tree(struct predictor *p, const struct sentence *sentence, struct prediction *to,
                      struct vouch_error *err)
{
    struct parts parts;
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!RESERVE(p->word, p->word_capacity, (size_t)sentence->N + 1, err))
        return false;
    arc_observe(sentence, p->word);
    return arc_parts(p->word, sentence->N, p->model->bits[0], &p->encoding, &parts, err) &&
           choose(p, 0, &parts, to->head, &to->estimates, err) &&
           (p->model->layers < 2 || find_relations(p, sentence->N, to, err));
}

/* Finds labels or heads by scores from elsewhere. */
static bool find_by_scores(struct predictor *p, const struct sentence *sentence, struct prediction *to,
                           struct vouch_error *err)
{
    const struct score_files *files = p->model->given;
    if (!files)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has no weights, and judges the scores of another program: expected these scores",
                    p->model->file.name);
    if (!score_files_take(files, sentence, &p->reading, &p->given, err))
        return false;
    struct parts parts = given_parts(&p->given);
    if (p->model->trees)
        return choose(p, 0, &parts, to->head, &to->estimates, err);
    return choose(p, 0, &parts, p->choice, &to->estimates, err) &&
           labels_write(&p->model->labels, p->choice, sentence->N, &p->work, to->label, err);
}

/* Makes room for an answer to N words. */
static bool begin(const struct predictor *p, uint32_t N, struct prediction *to, struct vouch_error *err)
{
    if (!RESERVE(to->label, to->label_capacity, (size_t)N + 1, err) ||
        !RESERVE(to->head, to->head_capacity, (size_t)N + 1, err))
        return false;
    to->answer = (struct answer){.head = p->model->trees ? to->head : NULL,
                                 .confidences = p->estimator ? &to->estimates.confidences : NULL,
                                 .promise = p->estimator ? &to->estimates.promise : NULL};
    return true;
}

bool predictor_abstain(const struct predictor *p, uint32_t N, struct prediction *to, struct vouch_error *err)
{
    return begin(p, N, to, err) && (!p->estimator || estimator_abstain(p->estimator, N, &to->estimates, err));
}

bool predictor_answer(struct predictor *p, const struct sentence *sentence, struct prediction *to,
                      struct vouch_error *err)
{
    if (sentence->boundary)
        return predictor_abstain(p, sentence->N, to, err);
    if (!begin(p, sentence->N, to, err) || !RESERVE(p->choice, p->choice_capacity, (size_t)sentence->N + 1, err))
        return false;
    to->answer.label = !p->model->trees || p->model->layers > 1 ? to->label : NULL;
    if (!(model_lacks_weights(p->model) ? find_by_scores : p->encoder ? find_labels : find_tree)(p, sentence, to, err))
        return false;
    if (p->counted)
        to->answer = (struct answer){0};
    return true;
}
