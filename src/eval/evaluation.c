/* Compares answers with gold: see evaluation.h. */
#include "eval/evaluation.h"

#include "base/watch.h"
#include "model/model.h"
#include "options/reading_options.h"
#include "answer/consistency.h"
#include "answer/model_input.h"
#include "answer/seen_before.h"
#include "task/arc_set.h"
#include "task/dictionary.h"
#include "train/tag_corpus.h"
#include "answer/answer_files.h"

/* Measures the confidence of one answer; `gold_head` is NULL if the answer is labels. */
static bool take_confidences(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                             const uint32_t *gold_head, const struct answer *answer, struct vouch_error *err)
{
    struct covered_sentence covered = {sentence->N, gold, gold_head, answer};
    if (!answer->confidences)
        return true;
    if (e->covers)
        coverage_tally_add(&e->tally, &covered);
    return confidence_eval_add(&e->confidence_eval, gold, gold_head, sentence->N, answer, err) &&
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
    return tree_score_add(&e->trees, &pair, err) &&
           take_confidences(e, sentence, sentence->gold, sentence->head, answer, err);
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
        e->gold[i] = task_gold(e->task, sentence->gold[i]);
        e->known += e->model && dictionary_find(&e->model->labels.written, e->gold[i]) != 0;
    }
    return (!e->model || labels_respell(&e->model->labels, e->gold, sentence->N, &e->work, err)) &&
           tag_score_add(&e->score, e->gold, answer->label, sentence->N, err) &&
           take_confidences(e, sentence, e->gold, NULL, answer, err);
}

/* Makes the estimator that the settings name, or that the model prefers; NULL if there is none. */
static bool make_estimator(struct evaluation *e, const struct settings *s, const struct vouch_model *model,
                           struct estimator **estimator, struct vouch_error *err)
{
    struct estimate_request request = {.methods = s->confidence, .draws = (uint32_t)s->draws, .raw = s->raw};
    if (!coverage_model_read(&e->coverage, model->header, model->file.name, err))
        return false;
    e->covers =
        e->coverage.known && !s->raw && !s->draws && (!s->confidence || strcmp(s->confidence, e->coverage.method) == 0);
    request.sets = e->covers ? &e->coverage.least : NULL;
    bool none = s->confidence && strcmp(s->confidence, "none") == 0;
    if (!consistency_ask(s, &request, err) || (!none && !estimator_make(model, &request, estimator, err)))
        return false;
    if (!*estimator && !none && s->raw)
        return fail_uncalibrated(model, err);
    return *estimator || (!s->csv && !s->report) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--%s: no confidence is measured: expected a method in --confidence",
                s->csv ? "csv" : "report");
}

static void warn(const struct evaluation *e, const struct evaluation_plan *plan)
{
    const struct settings *s = plan->settings;
    if (!e->known && e->score.words)
        warn_of_unknown_labels(plan->watch);
    warn_of_seen(plan->watch, e->seen, e->sentences, s->arguments == 1 ? s->argument[0] : NULL,
                 "other files will be answered less well");
}

static bool answer_all(struct evaluation *e, const struct estimator *estimator, const struct evaluation_plan *plan,
                       struct reader_options *reading, struct vouch_error *err)
{
    const struct settings *s = plan->settings;
    struct answer_sink sink = {.take = evaluation_take, .context = e};
    model_input_settle(e->model, reading);
    struct file_answering how = {.model = e->model,
                                 .estimator = estimator,
                                 .reading = *reading,
                                 .threads = (uint32_t)s->threads,
                                 .watch = plan->watch,
                                 .begin = plan->begin,
                                 .context = e->context};
    return answer_files(&how, s->argument, s->arguments, &sink, err) &&
           (!e->judged || confidence_eval_measure(&e->confidence_eval, (uint32_t)s->resamples, (uint64_t)s->seed,
                                                  (uint32_t)s->threads, err));
}

bool evaluation_run(struct evaluation *e, const struct vouch_model *model, const struct evaluation_plan *plan,
                    struct vouch_error *err)
{
    struct reader_options reading;
    struct estimator *estimator = NULL;
    if (!reading_options(plan->settings, &reading, err) || !make_estimator(e, plan->settings, model, &estimator, err))
        return false;
    e->model = model;
    e->task = task_or_any(model->task);
    e->parses = model->trees;
    e->judged = estimator != NULL;
    tag_score_init(&e->score, tag_unit_of(model->labels.outer));
    e->covers = e->covers && estimator;
    bool ok = (!estimator || confidence_eval_init(&e->confidence_eval, estimator, err)) &&
              answer_all(e, estimator, plan, &reading, err);
    if (ok)
        warn(e, plan);
    estimator_free(estimator);
    return ok;
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
