/* Answers sentences one by one, and labels in one call: see vouch.h and workers.h. */
#include "api/workers.h"

#include "base/error.h"

#include <math.h>

struct vouch_worker {
    struct answerer answerer;
    struct kept_answer kept;
};

bool answerer_init(struct answerer *a, const struct vouch_request *request, struct vouch_error *err)
{
    *a = (struct answerer){.request = request};
    a->predictor = predictor_new(request->model, request->estimator, err);
    return a->predictor != NULL;
}

void answerer_release(struct answerer *a)
{
    predictor_free(a->predictor);
    sentence_release(&a->tree);
    *a = (struct answerer){0};
}

void kept_answer_release(struct kept_answer *kept)
{
    answer_release(&kept->answer);
    prediction_release(&kept->prediction);
    changing_release(&kept->changing);
    *kept = (struct kept_answer){0};
}

/* Fails with an argument error if the model cannot answer such a sentence. */
static bool fits(const struct vouch_model *model, const vouch_sentence *sentence, struct vouch_error *err)
{
    const struct sentence *s = sentence->view;
    uint32_t columns = model->templates.columns;
    bool trees = model->trees;
    if (s->N == 0 || s->boundary)
        return true;
    if (trees ? s->attributes || (!s->tree && !sentence->given) : s->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence read for a model that %s",
                    trees ? "parses" : "labels");
    if (s->attributes != model->templates.attributes)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence of %s, from which the model was learned",
                    model->templates.attributes ? "ready-made attributes" : "cells");
    for (uint32_t i = 0; sentence->given && !s->attributes && i < s->N; i++)
        if (sentence_cells(s, i) < columns)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u columns, found %u", columns,
                        sentence_cells(s, i));
    return true;
}

/* Lets the model answer, unless the sentence has no words. */
static bool ask_model(struct answerer *a, const struct sentence *s, struct prediction *prediction,
                      struct vouch_error *err)
{
    if (s->N == 0)
        return predictor_abstain(a->predictor, 0, prediction, err);
    bool make_tree = a->request->model->trees && !s->tree && !s->boundary;
    if (make_tree && !sentence_as_tree(s, &a->tree, err))
        return false;
    return predictor_answer(a->predictor, make_tree ? &a->tree : s, prediction, err);
}

bool answerer_answer(struct answerer *a, const vouch_sentence *sentence, struct kept_answer *kept,
                     struct vouch_error *err)
{
    const struct vouch_request *request = a->request;
    return fits(request->model, sentence, err) && ask_model(a, sentence->view, &kept->prediction, err) &&
           request_settle(request, sentence->view->N, &kept->changing, &kept->prediction.answer, &kept->answer, err);
}

vouch_worker *vouch_worker_new(const vouch_request *request, struct vouch_error *err)
{
    struct vouch_worker *worker = is_given(request, "a request", err) ? new_array(1, sizeof *worker, err) : NULL;
    if (worker && answerer_init(&worker->answerer, request, err))
        return worker;
    vouch_worker_free(worker);
    return NULL;
}

void vouch_worker_free(vouch_worker *worker)
{
    if (!worker)
        return;
    answerer_release(&worker->answerer);
    kept_answer_release(&worker->kept);
    free(worker);
}

const vouch_answer *vouch_worker_answer(vouch_worker *worker, const vouch_sentence *sentence, struct vouch_error *err)
{
    if (!is_given(worker, "a worker", err) || !is_given(sentence, "a sentence", err) ||
        !answerer_answer(&worker->answerer, sentence, &worker->kept, err))
        return NULL;
    return &worker->kept.answer;
}

/* Makes a request for words alone; NULL if the model does not label. */
static vouch_request *ask_for_labels(const vouch_model *model, bool confidence, struct vouch_error *err)
{
    struct settings settings;
    options_init(&tag_options, &settings);
    if (!confidence)
        settings.confidence.methods = "none";
    if (is_given(model, "a model", err) && !model->trees)
        return request_new(model, &settings, true, err);
    if (model)
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that labels, found one that parses", model->file.name);
    return NULL;
}

enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells, size_t words, size_t columns,
                                    const char **labels, double *confidence, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    if (words > 0 && !is_given(labels, "room for labels", err))
        return VOUCH_ERR_ARGUMENT;
    vouch_request *request = ask_for_labels(model, confidence != NULL, err);
    vouch_worker *worker = request ? vouch_worker_new(request, err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(err) : NULL;
    const vouch_answer *answer = sentence && vouch_sentence_set_cells(sentence, cells, words, columns, err) == VOUCH_OK
                                     ? vouch_worker_answer(worker, sentence, err)
                                     : NULL;
    bool calibrated = answer && vouch_answer_is_calibrated(answer, 0);
    for (size_t i = 0; answer && i < words; i++) {
        labels[i] = vouch_answer_label(answer, i);
        if (confidence)
            confidence[i] = calibrated ? vouch_answer_confidence(answer, 0, i) : NAN;
    }
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    return status_of(answer != NULL, err);
}
