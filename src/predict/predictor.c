/* Answering one sentence: see predictor.h. */
#include "predict/predictor.h"

#include "predict/parser.h"
#include "predict/tagger.h"

struct predictor {
    const struct vouch_model *model;
    const struct estimator *estimator;
    struct tagger *tagger; /* one of these two */
    struct parser *parser;
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
    if (model->trees)
        p->parser = parser_new(model, estimator, err);
    else
        p->tagger = tagger_new(model, estimator, err);
    if (p->parser || p->tagger)
        return p;
    predictor_free(p);
    return NULL;
}

void predictor_free(struct predictor *p)
{
    if (!p)
        return;
    tagger_free(p->tagger);
    parser_free(p->parser);
    free(p);
}

static bool make_room(struct prediction *to, uint32_t N, struct vouch_error *err)
{
    return RESERVE(to->label, to->label_capacity, (size_t)N + 1, err) &&
           RESERVE(to->head, to->head_capacity, (size_t)N + 1, err);
}

bool predictor_abstain(const struct predictor *p, uint32_t N, struct prediction *to, struct vouch_error *err)
{
    if (!make_room(to, N, err))
        return false;
    to->answer = (struct answer){.head = p->parser ? to->head : NULL,
                                 .confidences = p->estimator ? &to->estimates.confidences : NULL};
    return !p->estimator || estimator_abstain(p->estimator, N, &to->estimates, err);
}

bool predictor_answer(struct predictor *p, const struct sentence *sentence, struct prediction *to,
                      struct vouch_error *err)
{
    if (sentence->boundary)
        return predictor_abstain(p, sentence->N, to, err);
    if (!make_room(to, sentence->N, err))
        return false;
    to->answer = (struct answer){.label = p->tagger || p->model->layers > 1 ? to->label : NULL,
                                 .head = p->parser ? to->head : NULL,
                                 .confidences = p->estimator ? &to->estimates.confidences : NULL};
    return p->parser ? parser_parse(p->parser, sentence, to->head, to->label, &to->estimates, err)
                     : tagger_label(p->tagger, sentence, to->label, &to->estimates, err);
}
