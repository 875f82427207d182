/*
 * Judges the scores of sentences, with one worker for each thread; and collects the gold that a judge is calibrated on:
 * see vouch.h.
 */
#include "api/asked.h"
#include "judge/judge.h"
#include "base/error.h"
#include "judge/given_gold.h"
#include "chain/chain.h"
#include "tree/tree.h"

struct vouch_judge_worker {
    const vouch_judge *judge;
    struct score_sets scores;
    struct predictor *predictor;
    vouch_answer answer;
};

vouch_judge_worker *vouch_judge_worker_new(const vouch_judge *judge, struct vouch_error *err)
{
    struct vouch_judge_worker *worker = new_array(1, sizeof *worker, err);
    if (!worker)
        return NULL;
    worker->judge = judge;
    if (score_sets_init(&worker->scores, judge->rules.sets, err) &&
        (worker->predictor = predictor_new(&judge->asked, err)))
        return worker;
    vouch_judge_worker_free(worker);
    return NULL;
}

void vouch_judge_worker_free(vouch_judge_worker *worker)
{
    if (!worker)
        return;
    score_sets_release(&worker->scores);
    predictor_free(worker->predictor);
    answer_release(&worker->answer);
    free(worker);
}

/* Returns the answer to the scores that were taken in. */
static const vouch_answer *judge_given(vouch_judge_worker *w, struct vouch_error *err)
{
    return predictor_answer_scores(w->predictor, &w->scores, &w->answer, err) ? &w->answer : NULL;
}

const vouch_answer *vouch_judge_chain(vouch_judge_worker *worker, const struct vouch_chain_scores *scores,
                                      struct vouch_error *err)
{
    return judge_take_chain(worker->judge, scores, &worker->scores, err) ? judge_given(worker, err) : NULL;
}

const vouch_answer *vouch_judge_tree(vouch_judge_worker *worker, const struct vouch_tree_scores *scores,
                                     struct vouch_error *err)
{
    return judge_take_tree(worker->judge, scores, &worker->scores, err) ? judge_given(worker, err) : NULL;
}

struct vouch_judge_gold {
    const vouch_judge *judge;
    struct given_gold given;
    struct answering work;
};

vouch_judge_gold *vouch_judge_gold_new(const vouch_judge *judge, struct vouch_error *err)
{
    struct vouch_judge_gold *gold = new_array(1, sizeof *gold, err);
    if (gold)
        gold->judge = judge;
    return gold;
}

void vouch_judge_gold_free(vouch_judge_gold *gold)
{
    if (!gold)
        return;
    given_gold_release(&gold->given);
    answering_release(&gold->work);
    free(gold);
}

static const struct structure *structure_of(const vouch_judge *judge)
{
    return judge->rules.labels ? &chain_structure : &tree_structure;
}

/* Fails if no answer is possible: when a sentence is added, so that the error does not come in calibration. */
static bool check_possible(vouch_judge_gold *gold, const struct score_sets *scores, struct vouch_error *err)
{
    double best;
    return RESERVE(gold->work.choice, gold->work.choice_capacity, (size_t)scores->mean.N + 1, err) &&
           structure_of(gold->judge)->best(&scores->mean, &gold->work.decoding, gold->work.choice, &best, err) &&
           answer_is_possible(best, err);
}

/* Appends a sentence, and returns where to write its gold choices. */
static uint32_t *add(vouch_judge_gold *gold, struct score_sets *scores, struct vouch_error *err)
{
    return check_possible(gold, scores, err) ? given_gold_add(&gold->given, scores, err) : NULL;
}

static bool add_chain(vouch_judge_gold *gold, const struct vouch_chain_scores *from, const char *const *labels,
                      struct score_sets *scores, struct vouch_error *err)
{
    if (!judge_take_chain(gold->judge, from, scores, err))
        return false;
    uint32_t N = scores->mean.N;
    for (uint32_t n = 0; n < N; n++)
        if (!labels || !labels[n])
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a gold label, found NULL", (unsigned)n + 1);
    uint32_t *choice = add(gold, scores, err);
    for (uint32_t n = 0; choice && n < N; n++) {
        uint32_t known = dictionary_find(&gold->judge->model->labels.names, text_of(labels[n]));
        choice[n] = known ? known - 1 : NO_LABEL;
    }
    return choice != NULL;
}

static bool add_tree(vouch_judge_gold *gold, const struct vouch_tree_scores *from, const size_t *heads,
                     struct score_sets *scores, struct vouch_error *err)
{
    if (!judge_take_tree(gold->judge, from, scores, err))
        return false;
    uint32_t N = scores->mean.N;
    if (N && !heads)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected %u gold heads, found NULL", (unsigned)N);
    for (uint32_t n = 0; n < N; n++)
        if (heads[n] > N || heads[n] == n + 1)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a gold head from 0 to %u, found %zu",
                        (unsigned)n + 1, (unsigned)N, heads[n]);
    uint32_t *choice = add(gold, scores, err);
    for (uint32_t n = 0; choice && n < N; n++)
        choice[n] = (uint32_t)heads[n];
    return choice != NULL;
}

enum vouch_status vouch_judge_gold_chain(vouch_judge_gold *gold, const struct vouch_chain_scores *from,
                                         const char *const *labels, struct vouch_error *err)
{
    struct vouch_error own = {0};
    struct score_sets scores;
    err = err ? err : &own;
    bool ok = score_sets_init(&scores, gold->judge->rules.sets, err) && add_chain(gold, from, labels, &scores, err);
    score_sets_release(&scores);
    return status_of(ok, err);
}

enum vouch_status vouch_judge_gold_tree(vouch_judge_gold *gold, const struct vouch_tree_scores *from,
                                        const size_t *heads, struct vouch_error *err)
{
    struct vouch_error own = {0};
    struct score_sets scores;
    err = err ? err : &own;
    bool ok = score_sets_init(&scores, gold->judge->rules.sets, err) && add_tree(gold, from, heads, &scores, err);
    score_sets_release(&scores);
    return status_of(ok, err);
}

vouch_judge *vouch_judge_calibrate(const vouch_judge *judge, const vouch_judge_gold *gold, unsigned threads,
                                   const struct vouch_watch *watch, struct vouch_error *err)
{
    const struct estimator *estimator = judge->asked.estimator;
    const json_t *confidence = json_object_get(judge->model->header, "confidence");
    if (!watch_is_whole(watch, err))
        return NULL;
    if (gold->judge != judge) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected gold that was made for this judge");
        return NULL;
    }
    if (gold->given.count == 0 || gold->given.start[gold->given.count] == 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected sentences to calibrate on, found none");
        return NULL;
    }
    struct given_plan plan = {.model = judge->model,
                              .structure = structure_of(judge),
                              .rules = estimator->rules.labels ? &estimator->rules : NULL,
                              .draws = estimator->layer[0].confidence_model.params[0].draws,
                              .seed = (uint64_t)json_integer_value(json_object_get(confidence, "seed")),
                              .threads = threads ? threads : 1,
                              .watch = watch};
    json_t *fitted = given_gold_calibrate(&gold->given, &plan, err);
    json_t *header = fitted ? json_deep_copy(judge->model->header) : NULL;
    if (fitted && (!header || json_object_set_new(header, "confidence", fitted) != 0)) {
        fail_memory(err);
        json_decref(header);
        header = NULL;
    }
    return header ? judge_make(header, &judge->request, err) : NULL;
}
