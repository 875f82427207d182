/* Answers compared with gold: see evaluation.h. */
#include "use/evaluation.h"

#include "model/model.h"
#include "task/arc_set.h"
#include "task/dictionary.h"
#include "train/tag_corpus.h"

/* What confidence says of one answer. */
static bool take_confidences(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                             const struct answer *answer, struct vouch_error *err)
{
    if (!answer->confidences)
        return true;
    return confidence_eval_add(&e->confidence_eval, gold, e->parses ? sentence->head : NULL, sentence->N, answer,
                               err) &&
           (!e->look || e->look(e->context, sentence, gold, answer, err));
}

/* Counts one tree. */
static bool take_tree(struct evaluation *e, const struct sentence *sentence, const struct answer *answer,
                      struct vouch_error *err)
{
    if (!RESERVE(e->punctuation, e->punctuation_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++)
        e->punctuation[i] = is_punctuation(sentence_form(sentence, i));
    struct tree_pair pair = {.N = sentence->N,
                             .gold_head = sentence->head,
                             .head = answer->head,
                             .gold_relation = sentence->gold,
                             .relation = answer->label,
                             .punctuation = e->punctuation};
    e->labelled = answer->label != NULL;
    return tree_score_add(&e->trees, &pair, err) && take_confidences(e, sentence, sentence->gold, answer, err);
}

bool evaluation_of_model(struct evaluation *e, const struct vouch_model *model, const struct estimator *estimator,
                         struct vouch_error *err)
{
    e->model = model;
    e->task = tag_task_or_any(model->task);
    e->parses = model_parses(model);
    e->judged = estimator != NULL;
    tag_score_init(&e->score, tag_unit_of(model->labels.outer));
    return !estimator || confidence_eval_init(&e->confidence_eval, estimator, err);
}

bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct answer *answer,
                     struct vouch_error *err)
{
    struct evaluation *e = evaluation;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    e->sentences++;
    e->seen += e->model && model_has_seen(e->model, sentence_words_digest(sentence));
    if (e->parses)
        return take_tree(e, sentence, answer, err);
    if (!RESERVE(e->gold, e->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        e->gold[i] = tag_task_gold(e->task, sentence->gold[i]);
        e->known += e->model && dictionary_find(&e->model->labels.written, e->gold[i]) != 0;
    }
    return (!e->model || labels_respell(&e->model->labels, e->gold, sentence->N, &e->work, err)) &&
           tag_score_add(&e->score, e->gold, answer->label, sentence->N, err) &&
           take_confidences(e, sentence, e->gold, answer, err);
}

void evaluation_release(struct evaluation *e)
{
    tag_score_release(&e->score);
    tree_score_release(&e->trees);
    confidence_eval_release(&e->confidence_eval);
    label_work_release(&e->work);
    free(e->gold);
    free(e->punctuation);
}
