/*
 * Finds the thresholds of covering sets: see covering.h.
 *
 * The model answers the files, and every word gets the set of all choices with their probabilities. A word whose answer
 * is wrong is missed by every threshold above the probability of its right choice; so is a chunk with regard to its
 * right reading. measure/intervals.h makes a threshold of these probabilities, for words and for chunks, over
 * sentences: the unit that is exchangeable is the sentence, not the word. For chunks, only sentences whose answers have
 * one count.
 *
 * Probabilities must not have been fitted on the same sentences. So the calibration of the model stays as it is, and
 * the files that it was fitted on are refused.
 */
#include "tune/covering.h"

#include "base/watch.h"
#include "measure/intervals.h"
#include "answer/model_input.h"
#include "task/task.h"
#include "model/records.h"
#include "answer/answer_stream.h"

#include <math.h>

/* Adds what is missed in a sentence to c->miss. */
static bool take_misses(struct covering *c, const struct covered_sentence *s, enum covered what,
                        struct vouch_error *err)
{
    uint32_t count = covered_count(s, what);
    for (uint32_t i = 0; i < count; i++) {
        bool answered;
        double probability = covered_truth(s, what, i, &answered);
        if (answered)
            continue;
        if (!RESERVE(c->miss[what], c->miss_capacity[what], c->misses[what] + 1, err))
            return false;
        c->miss[what][c->misses[what]++] = (struct miss){isnan(probability) ? 0 : probability, 1.0 / count};
    }
    c->sentences[what] += count > 0;
    c->count[what] += count;
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct covering *c = context;
    struct covered_sentence s = {.N = sentence->N, .answer = answer};
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(c->gold, c->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; !c->model->trees && i < sentence->N; i++)
        c->gold[i] = task_gold(c->task, sentence->gold[i]);
    if (!c->model->trees && !labels_respell(&c->model->labels, c->gold, sentence->N, c->work, err))
        return false;
    s.gold = c->gold;
    s.gold_head = c->model->trees ? sentence->head : NULL;
    return take_misses(c, &s, COVERED_WORDS, err) && take_misses(c, &s, COVERED_CHUNKS, err);
}

/* Finds the threshold of words, or of chunks if there are any. */
static bool find_threshold(struct covering *c, enum covered what, double *threshold, struct vouch_error *err)
{
    double risk = 1 - c->options->coverage, reached;
    c->wrong[what] = c->misses[what];
    *threshold = conformal_threshold(c->miss[what], c->misses[what], c->sentences[what], risk, &reached);
    if (reached <= risk)
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT,
                "expected a coverage of %.9g to be within reach: the most that %u sentences with %s can promise is "
                "%.4f",
                c->options->coverage, c->sentences[what], covered_names[what], 1 - reached);
}

static bool make_estimator(struct covering *c, struct vouch_error *err)
{
    static const struct set_thresholds all = {0, 0};
    struct estimate_request request = {.sets = &all};
    if (!estimator_make(c->model, &request, &c->estimator, err))
        return false;
    if (!c->estimator)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model was not calibrated: expected one by vouch train, or by vouch tune on other "
                    "sentences",
                    c->model->file.name);
    snprintf(c->found.method, sizeof c->found.method, "%s", c->estimator->layer[0].chosen[0].name);
    return true;
}

static bool answer_all(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    struct answer_sink sink = {.take = take, .context = c, .watch = c->watch};
    struct vouch_request request = {
        .model = c->model, .scores = c->scores, .estimator = c->estimator, .threads = (uint32_t)s->common.work.threads};
    struct reader_options reading;
    if (!reading_options(&s->reading, &reading, err))
        return false;
    model_input_settle(c->model, &reading);
    return answer_files(&request, &reading, s->common.argument, s->common.arguments, &sink, err) &&
           (c->sentences[COVERED_WORDS] > 0 ||
            fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->common.argument[0]));
}

/* Adds what was found to a copy of the model's header. */
static bool describe(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    char *line = options_provenance(s);
    json_t *kept = coverage_model_json(&c->found);
    c->header = json_copy(c->model->header);
    bool ok = json_object_set_new(kept, "sentences", json_integer(c->sentences[COVERED_WORDS])) == 0 &&
              json_object_set_new(kept, "assumes", json_string(COVERAGE_ASSUMES)) == 0 &&
              json_object_set_new(kept, "files", header_files(s->common.argument, s->common.arguments)) == 0 &&
              json_object_set_new(kept, "command", header_text(line)) == 0 &&
              json_object_set(c->header, "coverage", kept) == 0;
    free(line);
    json_decref(kept);
    return ok || fail_memory(err);
}

bool covering_run(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    c->task = task_or_any(c->model->task);
    c->found = (struct coverage_model){.known = true, .target = s->coverage, .least = {1, 1}};
    c->work = new_array(1, sizeof *c->work, err);
    warn_of_training(c->watch, c->model, s->common.argument, s->common.arguments,
                     "answers it better than other files: sets will hold the right choice less often there");
    if (!c->work || !refuse_fitted_on(c->model, s->common.argument, s->common.arguments, err) ||
        !make_estimator(c, err) || !answer_all(c, err) || !find_threshold(c, COVERED_WORDS, &c->found.least.word, err))
        return false;
    c->found.chunks = c->sentences[COVERED_CHUNKS] > 0;
    return (!c->found.chunks || find_threshold(c, COVERED_CHUNKS, &c->found.least.chunk, err)) && describe(c, err);
}

json_t *covering_json(const struct covering *c)
{
    json_t *json = json_pack("{s:f, s:s, s:s}", "coverage", c->found.target, "method", c->found.method, "assumes",
                             COVERAGE_ASSUMES);
    for (enum covered what = 0; what < COVERED; what++)
        if (c->sentences[what] > 0)
            json_object_set_new(json, c->model->trees ? "heads" : covered_names[what],
                                json_pack("{s:i, s:I, s:I, s:f}", "sentences", (int)c->sentences[what], "count",
                                          (json_int_t)c->count[what], "wrong", (json_int_t)c->wrong[what], "threshold",
                                          what == COVERED_WORDS ? c->found.least.word : c->found.least.chunk));
    return json;
}

void covering_release(struct covering *c)
{
    for (enum covered what = 0; what < COVERED; what++)
        free(c->miss[what]);
    if (c->work)
        label_work_release(c->work);
    free(c->work);
    free(c->gold);
    estimator_free(c->estimator);
    json_decref(c->header);
}
