/*
 * Makes a model of files: see training.h for the stages.
 *
 * A model may have a first stage: a parser's by --stages, whose trees the arcs of the second look at (learn_first()); a
 * tagger's by --context, whose labels of the sentences around become features (train/corpus_context.h). Either is
 * learned before the rest, and answers every sentence by a model that has not learned from it (train/cross_fitting.h).
 * The corpus then shows the second stage's examples, and nothing after that knows of two.
 *
 * The model and the models of held-out parts, which confidence is calibrated on, are learned side by side if there are
 * threads: neither needs anything of the other, unless a parameter is tuned first. Held-out models learn in three
 * fifths of the passes. With 6 passes instead of 10, probabilities are as good as those of models that learn all of the
 * rest in all passes; with 4 they are too high by 0.3 % on noun phrases (docs/MEASUREMENTS.md).
 */
#include "train/training.h"

#include "base/parallel.h"
#include "base/watch.h"
#include "train/calibration.h"
#include "train/corpus_context.h"
#include "train/cross_fitting.h"
#include "answer/model_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_RATE 0.2 /* steps of the second stage, in those of the first */

static bool read_corpus(const struct training_plan *plan, const struct vouch_watch *watch, struct corpus *corpus,
                        struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    const struct corpus_plan *reading = &plan->learning.corpus;
    if (!corpus_read(corpus, reading, s->common.argument, s->common.arguments, watch, err) ||
        (s->dev && !corpus_read_dev(corpus, reading, s->dev, err)))
        return false;
    corpus_tell(corpus, reading, watch);
    if (plan->from && corpus->dataset.trees)
        watch_say(watch, VOUCH_EVENT_NOTE, "going on from %s; new relations: %u", s->from,
                  corpus_new_labels(corpus, plan->from));
    else if (plan->from)
        watch_say(watch, VOUCH_EVENT_NOTE, "going on from %s; new labels: %u, new features: %u", s->from,
                  corpus_new_labels(corpus, plan->from),
                  feature_index_count(&corpus->vocabulary.node) - plan->from->layer[0].space.nodes);
    if (s->dev)
        warn_of_seen(watch, corpus->dev_seen, corpus->dataset.layer[0].dev.count, s->dev,
                     "scores and confidence on it will look better than they are");
    return true;
}

/* Whether a first stage is to be learned; that of a model to go on from stays as it is. */
static bool needs_first(const struct training_plan *plan, const struct training_result *result)
{
    return plan->options.stages == 2 && result->corpus.dataset.trees && !plan->from && can_be_first(&plan->learning) &&
           cross_fitting_fits(&result->corpus.dataset);
}

static bool will_calibrate(const struct training_plan *plan)
{
    const struct train_options *s = &plan->options;
    return !s->no_calibrate && (!plan->from || s->dev);
}

/*
 * Gets answers that were held out: the development set's, or those of models learned on other parts of the corpus.
 *
 * Held-out models share what they learn, and make fewer passes than the model that they stand for: first over what none
 * of them holds out, then over what each may learn besides. More passes find errors no better.
 *
 * A part that is held out alone shares with no other. Where all fifths are held out, the corpus is small
 * (calibration_cut()) and soon learned as often as it takes. Where all tenths are, from 100,000 to 111,000 words, there
 * is nothing to begin with either, but models are shared all the same: in all passes, ten models would learn nine times
 * the corpus, and now they learn 3.4 times the corpus in three fifths of the passes.
 */
static bool hold_out_answers(const struct learning *learning, const struct model_layer *layer, struct side_jobs jobs,
                             struct held_out *held, struct vouch_error *err)
{
    if (learning->measure)
        return held_out_dev(held, learning->dataset, layer, err);
    struct cut cut = calibration_cut(learning->dataset);
    if (learning->staged) /* the same parts, so that the first stage has not learned from what is held out either */
        cut = (struct cut){FITTING_PARTS, (cut.held * FITTING_PARTS + cut.parts - 1) / cut.parts};
    struct held_out_plan plan = {.learning = learning,
                                 .parts = cut.parts,
                                 .held = cut.held,
                                 .passes = learning->passes,
                                 .what = "learning on parts, to calibrate",
                                 .side_jobs = jobs};
    if (cut.held != 1 && !(cut.held == 5 && cut.parts == 5))
        plan.passes = plan.further = shared_passes(learning->passes);
    return held_out_learn(held, &plan, err);
}

/* What is learned of the whole corpus, and of parts: the model, to calibrate it; or its first stage. */
struct stage {
    const struct learning *learning;
    struct learned_voices *learned;
    struct held_out *held;
    bool first;
};

static bool learn_on_parts(const struct stage *stage, const struct learning *learning, struct side_jobs jobs,
                           struct vouch_error *err)
{
    return stage->first ? cross_fit(stage->held, learning, "learning on parts, for the second stage", jobs, err)
                        : hold_out_answers(learning, NULL, jobs, stage->held, err);
}

/*
 * Learning the model beside learning on parts. The watch hears of one thing at a time: of the parts when the model is
 * learned, but for warnings.
 */
struct side_by_side {
    const struct learning *learning; /* of the model */
    const struct vouch_watch *watch;
    struct learned_voices *learned;
    struct turns *turns;             /* guards the watch, and what follows */
    uint32_t done;                   /* layers of the model that are learned, or cannot be */
    bool model_failed, parts_failed; /* one of the two cannot be learned, so the other is not needed */
    bool stopped;                    /* the watch has asked to stop */
};

static void tell_of_model(void *context, const struct vouch_event *event)
{
    struct side_by_side *both = context;
    turns_take(both->turns);
    watch_tell(both->watch, *event);
    turns_leave(both->turns);
}

static void tell_of_parts(void *context, const struct vouch_event *event)
{
    struct side_by_side *both = context;
    turns_take(both->turns);
    if (both->done == both->learning->dataset->layers || event->kind == VOUCH_EVENT_WARNING)
        watch_tell(both->watch, *event);
    turns_leave(both->turns);
}

static int stop_both(void *context)
{
    struct side_by_side *both = context;
    turns_take(both->turns);
    both->stopped = both->stopped || watch_stops(both->watch);
    bool stop = both->model_failed || both->parts_failed || both->stopped;
    turns_leave(both->turns);
    return stop;
}

/* Learns a layer. If the parts have failed, theirs is the error to tell, not that the model was stopped for it. */
static bool learn_layer(void *context, uint32_t layer, struct vouch_error *err)
{
    struct side_by_side *both = context;
    bool ok = learn_voices_of(both->learning, both->learned, layer, err);
    turns_take(both->turns);
    ok = ok || both->parts_failed;
    both->done++;
    both->model_failed = both->model_failed || !ok;
    turns_leave(both->turns);
    return ok;
}

/* If learning on parts is stopped, that is no failure: what was learned of the model is kept. */
static void give_up_parts(void *context, const struct vouch_error *err)
{
    struct side_by_side *both = context;
    turns_take(both->turns);
    both->parts_failed = both->parts_failed || err->status != VOUCH_ERR_STOPPED;
    turns_leave(both->turns);
}

/*
 * Whether the model and the parts can be learned at the same time: nothing of the one is needed for the other. The
 * shards of a model have a use for all threads by themselves.
 */
static bool are_independent(const struct training_plan *plan, const struct stage *stage)
{
    const struct train_options *s = &plan->options;
    bool needs_parts = stage->first || (will_calibrate(plan) && !s->dev && !s->learner.tune &&
                                        calibration_cut(stage->learning->dataset).held > 0);
    return needs_parts && s->common.work.threads > 1 && s->shards == 1 && !s->common.work.ranks;
}

/* Learns the model and what is learned on parts, which is complete or empty. */
static bool learn_both(struct side_by_side *both, const struct stage *stage, struct vouch_error *err)
{
    struct vouch_watch of_model = {sizeof of_model, both, tell_of_model, stop_both};
    struct vouch_watch of_parts = {sizeof of_parts, both, tell_of_parts, stop_both};
    struct learning model = *stage->learning, parts = *stage->learning;
    model.work.watch = &of_model;
    parts.work.watch = &of_parts;
    both->learning = &model;
    if (!learn_voices_begin(&model, both->learned, err))
        return false;
    struct side_jobs jobs = {model.dataset->layers, learn_layer, give_up_parts, both};
    bool ok = learn_on_parts(stage, &parts, jobs, err);
    if (!ok)
        held_out_release(stage->held); /* what is there of them is of no use */
    if (!ok && !both->model_failed && err->status == VOUCH_ERR_STOPPED) {
        *err = (struct vouch_error){0};
        ok = true;
    }
    return learn_voices_end(&model, both->learned, ok, err);
}

/* Learns the model and, if there are threads for it, what is learned on parts. */
static bool learn_stage(const struct training_plan *plan, const struct stage *stage, bool *stopped,
                        struct vouch_error *err)
{
    bool ok;
    if (are_independent(plan, stage)) {
        struct side_by_side both = {
            .watch = stage->learning->work.watch, .learned = stage->learned, .turns = turns_open(err)};
        ok = both.turns && learn_both(&both, stage, err);
        *stopped = both.stopped;
        turns_close(both.turns);
    } else
        ok = learn_voices(stage->learning, stage->learned, err);
    *stopped = *stopped || stage->learned->stopped;
    return ok;
}

/*
 * Makes the model of the first stage alone, when learning is stopped before there is a second. Fails if there is
 * nothing to keep.
 */
static bool keep_first_alone(struct training_result *result, struct vouch_error *err)
{
    struct learned_voices *kept = &result->voices;
    json_t *parameters = json_object_get(result->first.parameters, FIRST_STAGE);
    const char *name = result->corpus.dataset.layer[0].name;
    if (!result->first.layers)
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    *kept = result->first;
    kept->stopped = true;
    result->first = (struct learned_voices){0};
    snprintf(kept->layer[0].name, sizeof kept->layer[0].name, "%s", name);
    return (json_object_set(kept->parameters, name, parameters) == 0 &&
            json_object_del(kept->parameters, FIRST_STAGE) == 0) ||
           fail_memory(err);
}

/*
 * The second stage begins where the first has come to, and learns in smaller steps: in steps as large, it relied on few
 * features too much, and its probabilities ranked errors worse (docs/MEASUREMENTS.md).
 */
static void settle_second(struct learning *learning)
{
    learning->trial[0][0].parameters.rate *= SECOND_RATE;
}

/* Learns a parser's first stage, and has it answer every sentence, unless it is stopped. */
static bool learn_first(const struct training_plan *plan, struct training_result *result, struct vouch_error *err)
{
    struct dataset dataset = corpus_first_stage(&result->corpus);
    struct learning learning = result->learning;
    struct held_out held = {0};
    struct stage stage = {&learning, &result->first, &held, true};
    learning.dataset = &dataset;
    learning.tune = false;
    bool ok = learn_stage(plan, &stage, &result->stopped, err);
    if (ok && !result->stopped && held.parts == 0) {
        ok = learn_on_parts(&stage, &learning, (struct side_jobs){0}, err);
        result->stopped = !ok && err->status == VOUCH_ERR_STOPPED;
    }
    ok = ok &&
         (result->stopped || corpus_stack(&result->corpus, &held, result->first.layer, learning.work.threads, err));
    held_out_release(&held);
    if (!ok && result->stopped && err->status == VOUCH_ERR_STOPPED) {
        *err = (struct vouch_error){0};
        ok = true;
    }
    return ok;
}

/* Learns the model, on the answers of a first stage if it is to have one; and, if it can, what it is calibrated on. */
static bool learn_all(const struct training_plan *plan, struct training_result *result, struct held_out *held,
                      struct vouch_error *err)
{
    struct stage stage = {&result->learning, &result->voices, held, false};
    if (plan->options.context) {
        if (!context_learn(&result->corpus, plan->options.context, &result->learning, &result->first, err))
            return false;
        result->learning.staged = true;
    } else if (needs_first(plan, result)) {
        if (!learn_first(plan, result, err) || result->stopped)
            return result->stopped && keep_first_alone(result, err);
        answer_counts_release(&result->first.layer[0].counts); /* it judges nothing */
        result->learning.staged = true;
        settle_second(&result->learning);
    }
    return learn_stage(plan, &stage, &result->stopped, err);
}

static bool same_voices(const struct learned_voices *learned, const struct vouch_model *from)
{
    bool same = learned->layers == from->layers;
    for (uint32_t l = 0; same && l < learned->layers; l++)
        same = learned->layer[l].voices == from->layer[l].voices;
    return same;
}

/*
 * Keeps the calibration of the model to go on from, which holds, more or less, for one that has learned a little more.
 * It does not hold if there are new labels, or other voices, whose signals the committee uses.
 */
static bool keep_confidence(const struct training_plan *plan, struct training_result *result, struct vouch_error *err)
{
    if (!plan->from)
        return true;
    json_t *known = json_object_get(plan->from->header, "confidence");
    result->outdated = !json_is_object(known)                               ? OUTDATED_NONE
                       : corpus_new_labels(&result->corpus, plan->from) > 0 ? OUTDATED_LABELS
                       : !same_voices(&result->voices, plan->from)          ? OUTDATED_VOICES
                                                                            : OUTDATED_KEPT;
    if (result->outdated != OUTDATED_KEPT)
        return true;
    result->confidence = json_copy(known);
    return (result->confidence && json_object_set_new(result->confidence, "carried_over", json_true()) == 0) ||
           fail_memory(err);
}

const char *outdated_words(enum outdated outdated)
{
    static const char *const words[] = {
        [OUTDATED_NOT] = NULL,
        [OUTDATED_NONE] = "there is no calibrated confidence, as before",
        [OUTDATED_KEPT] = "confidence is kept as it was calibrated before",
        [OUTDATED_LABELS] = "confidence was dropped: it was calibrated when there were fewer labels",
        [OUTDATED_VOICES] = "confidence was dropped: it was calibrated when there were fewer voices"};
    return words[outdated];
}

/* Reports what was found, in one line for each layer. */
static void tell_calibrated(const struct found_confidence *found, const struct learned_voices *learned,
                            const struct vouch_watch *watch)
{
    for (uint32_t l = 0; l < learned->layers; l++) {
        const struct method_model *best = &found->model[l].method_model[found->model[l].preferred];
        const double *figure = best->figure[UNIT_WORD];
        char line[240], precision[40] = "";
        if (!isnan(figure[FIGURE_AP])) /* undefined without errors */
            snprintf(precision, sizeof precision, ", average precision %.3f", figure[FIGURE_AP]);
        snprintf(line, sizeof line, "calibrated %s confidence on %.0f held-out words, %.0f wrong: %s%s",
                 learned->layer[l].name, figure[FIGURE_COUNT], figure[FIGURE_ERRORS], best->name, precision);
        watch_tell(watch, (struct vouch_event){.kind = VOUCH_EVENT_CALIBRATED,
                                               .what = learned->layer[l].name,
                                               .done = l + 1,
                                               .of = learned->layers,
                                               .number = figure[FIGURE_AP],
                                               .text = line});
        warn_of_few_errors(watch, learned->layer[l].name, &found->model[l]);
    }
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sends the first rank the sentences that are held out, of which there are not many: see calibration_cut(). */
static bool send_held_out(struct corpus *corpus, const struct held_out *held, struct vouch_error *err)
{
    uint32_t count = 0, *sentence = new_array(corpus->dataset.layer[0].examples.count, sizeof *sentence, err);
    for (uint32_t p = 0; sentence && !held->dev && p < held->parts; p++)
        for (uint32_t k = 0; k < held->part[p].count; k++)
            sentence[count++] = held->part[p].sentence[k];
    if (sentence)
        qsort(sentence, count, sizeof *sentence, by_number);
    bool ok = sentence && corpus_send(corpus, sentence, count, err);
    free(sentence);
    return ok;
}

/* Finds how far the answers can be trusted. If it is stopped, what was learned stays, uncalibrated. */
static bool calibrate_model(const struct training_plan *plan, struct training_result *result, struct held_out *held,
                            struct vouch_error *err)
{
    const struct train_options *s = &plan->options;
    struct learning learning = result->learning;
    const struct work *work = &learning.work;
    if (!will_calibrate(plan) || result->stopped)
        return keep_confidence(plan, result, err);
    if (!s->dev && !calibration_cut(learning.dataset).held) {
        watch_say(work->watch, VOUCH_EVENT_NOTE, "too few sentences to calibrate confidence on");
        return true;
    }
    memcpy(learning.trial, result->voices.trial, sizeof learning.trial); /* with the parameters that were chosen */
    struct found_confidence found = {0};
    struct grids grids = *grids_named(s->grid);
    grids.plain = s->plain_draws;
    struct calibration_plan calibration = {.held = held,
                                           .grids = &grids,
                                           .work = *work,
                                           .what = "calibrating",
                                           .sentences = s->dev ? &result->corpus.dev_words : NULL};
    bool ok =
        (held->parts > 0 || hold_out_answers(&learning, result->voices.layer, (struct side_jobs){0}, held, err)) &&
        (!work->ranks || send_held_out(&result->corpus, held, err));
    if (ok && !ranks_first(work->ranks)) /* which has everything now, and does the rest */
        return true;
    ok = ok && held_out_counts(held, result->voices.layer, work->threads, err) &&
         find_confidence(&calibration, &found, err);
    if (ok) {
        tell_calibrated(&found, &result->voices, work->watch);
        result->confidence = json_incref(found.json);
    } else if (err->status == VOUCH_ERR_STOPPED) {
        *err = (struct vouch_error){0};
        result->stopped = true;
        ok = keep_confidence(plan, result, err);
    }
    found_confidence_release(&found);
    return ok;
}

bool training_run(const struct training_plan *plan, const struct vouch_watch *watch, struct training_result *result,
                  struct vouch_error *err)
{
    struct held_out held = {0};
    *result = (struct training_result){.learning = plan->learning};
    result->learning.dataset = &result->corpus.dataset;
    result->learning.work.watch = watch;
    bool ok = training_checkpoint_open(plan, result, err) && read_corpus(plan, watch, &result->corpus, err) &&
              training_checkpoint_begin(plan, result, err) && learn_all(plan, result, &held, err) &&
              calibrate_model(plan, result, &held, err) && training_describe(plan, result, err);
    held_out_release(&held);
    return ok;
}

void training_result_release(struct training_result *result)
{
    learned_voices_release(&result->voices);
    learned_voices_release(&result->first);
    corpus_release(&result->corpus);
    checkpoint_close(result->checkpoint);
    json_decref(result->confidence);
    json_decref(result->header);
    *result = (struct training_result){0};
}

/* Returns the first stage: the one that was learned, or that of the model to go on from; NULL: there is none. */
static const struct model_layer *first_layer(const struct training_plan *plan, const struct training_result *result)
{
    return result->first.layers                        ? result->first.layer
           : plan->from && model_has_first(plan->from) ? &plan->from->first
                                                       : NULL;
}

bool training_write(const struct training_plan *plan, const struct training_result *result, struct output *out,
                    struct vouch_error *err)
{
    const struct corpus *corpus = &result->corpus;
    struct model_content content = {.header = result->header,
                                    .task = plan->options.learner.task,
                                    .template = corpus->template,
                                    .labels = &corpus->labels,
                                    .vocabulary = corpus->dataset.trees ? NULL : &corpus->vocabulary,
                                    .lexicons = corpus->lexicons,
                                    .first = first_layer(plan, result),
                                    .vectors = &corpus->templates.vectors,
                                    .layer = result->voices.layer,
                                    .layers = result->voices.layers,
                                    .seen = &corpus->seen};
    return model_write(out, &content, err);
}
