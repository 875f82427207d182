/*
 * Calibrates a model anew: see tuning.h.
 *
 * The labelled files take the place of the held-out parts of training: the model answers them as a development file,
 * and the rest is train/calibration.h. Weights are not touched; a copy of the header gets what was found.
 */
#include "tune/tuning.h"

#include "base/watch.h"
#include "measure/intervals.h"
#include "task/task.h"
#include "answer/answer_stream.h"
#include "options/rows.h"
#include "answer/model_input.h"
#include "model/records.h"

#include <math.h>

#define OPTIONS struct tune_options
static const struct option_spec tune[] = {
    TEXT("answers", 0, answers, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
         "calibrate another program's numbers instead: FILE holds gold, guess and confidence, or answers to the file "
         "GOLD"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    TEXT("model", 'm', model, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPLACED,
         "the model to tune"),
    OPTION_SCORES,
    OPTION_OUTPUT_WITH("the model file to write, whole or not at all; if not given, the model itself is replaced; with "
                       "--answers, the calibration to write"),
    WORD("grid", 0, grid, "NAME", GRID_NAMES, OPTION_MATTERS,
         "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a "
         "few, as training does"),
    INTEGER("draws", 0, draws, "K", 0, MAX_DRAWS, OPTION_MATTERS, "models to draw for kd-fix and kd-pc; 0 is 50"),
    OPTION_PLAIN_DRAWS(plain_draws),
    REAL("coverage", 0, coverage, "C", 0, 1, OPTION_MATTERS,
         "instead: find out how large sets of choices must be to hold the right one with the probability C, for 'vouch "
         "tag "
         "--sets' and 'vouch parse --sets'; 0 is no"),
    OPTIONS_READING,
    OPTION_JSON,
    OPTIONS_WORK,
    OPTIONS_END,
};

static const struct option_rule tune_rules[] = {
    {"answers", NULL, "model", "expected --answers or -m, not both"},
    {"answers", NULL, "coverage", "expected --answers or --coverage, not both"},
    {"answers", "output", "output=-", "expected -o CALIBRATION, the file to write"},
    {"columns", "answers", NULL, "--columns is about a file of answers: expected --answers FILE"},
    {NULL, "model answers", NULL, "expected -m MODEL, or --answers FILE"},
    {NULL, NULL, "output=-", "expected a file to write the model to, found '-'"},
    {"model=-", "output", NULL, "expected a file to write the model to, found '-'"},
    {0},
};

static const struct tune_options usual = {.common = USUAL_COMMON, .grid = "full"};

const struct option_table tune_options = {"tune", tune, &usual, sizeof usual, NULL, tune_rules};

bool tuning_prepare(struct tuning_plan *plan, const struct tune_options *options, struct vouch_error *err)
{
    *plan = (struct tuning_plan){.options = options};
    if (options->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one labelled file");
    if (options->coverage >= 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected --coverage below 1");
    if (options->coverage > 0 && (option_given(options, "grid") || options->draws || options->plain_draws))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--coverage leaves the model's confidence as it is: expected no --grid, --draws or --plain-draws");
    plan->grids = *grids_named(options->grid);
    plan->grids.words[0] = plan->grids.words[1] = 0; /* methods are compared: each is fitted on all words */
    if (options->draws)
        plan->grids.draws = options->draws;
    plan->grids.plain = options->plain_draws;
    return reading_options(&options->reading, &plan->reading, err);
}

bool tuning_read(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                 struct tuning_result *result, struct vouch_error *err)
{
    const struct tune_options *s = plan->options;
    struct reader_options reading = plan->reading;
    *result = (struct tuning_result){0};
    warn_of_training(watch, model, s->common.argument, s->common.arguments,
                     "answers it better than other files: its confidence in those will be too high");
    return corpus_read_for(&result->corpus, model, NULL, &reading, s->common.argument, s->common.arguments, watch, err);
}

/* Adds what was found, with the files and the command, to `header` under `name`. */
static bool describe(const struct tune_options *s, json_t *found, const char *name, json_t *header)
{
    char *line = options_provenance(s);
    bool ok = json_object_set_new(found, "files", header_files(s->common.argument, s->common.arguments)) == 0 &&
              json_object_set_new(found, "command", header_text(line)) == 0 &&
              json_object_set(header, name, found) == 0;
    free(line);
    return ok;
}

bool tuning_run(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                struct tuning_result *result, struct vouch_error *err)
{
    struct held_out held = {0};
    struct calibration_plan calibration = {
        .held = &held, .grids = &plan->grids, .work = plan->options->common.work, .what = "tuning"};
    calibration.work.watch = watch;
    bool ok = held_out_dev(&held, &result->corpus.dataset, model->layer, err) &&
              find_confidence(&calibration, &result->found, err);
    held_out_release(&held);
    if (!ok)
        return false;
    json_t *header = result->header = json_copy(model->header);
    ok = describe(plan->options, result->found.json, "confidence", header);
    result->point_gone = ok && json_object_del(header, "operating_point") == 0;
    result->coverage_gone = ok && json_object_del(header, "coverage") == 0;
    return ok || fail_memory(err);
}

void tuning_result_release(struct tuning_result *result)
{
    corpus_release(&result->corpus);
    found_confidence_release(&result->found);
    json_decref(result->header);
    *result = (struct tuning_result){0};
}

/*
 * ---- The thresholds of covering sets ----
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
    if (!c->model->trees && !labels_respell(&c->model->labels, c->gold, sentence->N, &c->work, err))
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
        .model = c->model, .scores = c->scores, .estimator = c->estimator, .threads = s->common.work.threads};
    struct reader_options reading;
    if (!reading_options(&s->reading, &reading, err))
        return false;
    model_input_settle(c->model, &reading);
    return answer_files(&request, &reading, s->common.argument, s->common.arguments, &sink, err) &&
           (c->sentences[COVERED_WORDS] > 0 ||
            fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->common.argument[0]));
}

bool covering_run(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    c->task = task_or_any(c->model->task);
    c->found = (struct coverage_model){.known = true, .target = s->coverage, .least = {1, 1}};
    warn_of_training(c->watch, c->model, s->common.argument, s->common.arguments,
                     "answers it better than other files: sets will hold the right choice less often there");
    if (!refuse_fitted_on(c->model, s->common.argument, s->common.arguments, err) || !make_estimator(c, err) ||
        !answer_all(c, err) || !find_threshold(c, COVERED_WORDS, &c->found.least.word, err))
        return false;
    c->found.chunks = c->sentences[COVERED_CHUNKS] > 0;
    if (c->found.chunks && !find_threshold(c, COVERED_CHUNKS, &c->found.least.chunk, err))
        return false;
    json_t *kept = coverage_model_json(&c->found);
    c->header = json_copy(c->model->header);
    bool ok = json_object_set_new(kept, "sentences", json_integer(c->sentences[COVERED_WORDS])) == 0 &&
              json_object_set_new(kept, "assumes", json_string(COVERAGE_ASSUMES)) == 0 &&
              describe(s, kept, "coverage", c->header);
    json_decref(kept);
    return ok || fail_memory(err);
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
    label_work_release(&c->work);
    free(c->gold);
    estimator_free(c->estimator);
    json_decref(c->header);
}
