/*
 * Estimates the confidence of a model's answers: see estimator.h.
 *
 * Making an estimator decides what evidence each voice must gather, the union of what the methods need, so that scores,
 * marginals and draws are computed once however many methods there are. A sentence then goes through the methods one by
 * one: words first, then calibrated, then chunks by the numbers of their words, then the sentence. Chunks, sentences
 * and lists of choices belong to the first layer alone; the second has the relations of the first one's arcs.
 */
#include "answer/estimator.h"

#include "answer/choice_sets.h"
#include "answer/layer_voices.h"
#include "base/watch.h"

#include <math.h>

void estimator_free(struct estimator *estimator)
{
    if (!estimator)
        return;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_release(&estimator->layer[l].confidence_model);
    span_rules_release(&estimator->rules);
    noise_free(estimator->noise);
    free(estimator);
}

void estimates_release(struct estimates *o)
{
    arena_release(&o->arena);
    free(o->members.item);
    free(o->readings.item);
    free(o->relations.item);
    *o = (struct estimates){0};
}

/* Reads the confidence model of the layer. */
static bool read_confidence_model(struct estimator *estimator, uint32_t l, struct vouch_error *err)
{
    const struct model_layer *layer = &estimator->model->layer[l];
    const json_t *found;
    struct estimator_layer *of = &estimator->layer[l];
    layer_voice_set(layer, l, layer_structure(estimator->model, l), of->confidence_model.params, NULL, NULL,
                    &of->voice_set);
    uint32_t signals[UNITS] = {committee_word_signals(&of->voice_set), committee_span_signals(&of->voice_set),
                               committee_sentence_signals(&of->voice_set)};
    return confidence_model_known(estimator->model->header, layer->name, &found, estimator->model->file.name, err) &&
           (!found ||
            (confidence_model_read(&of->confidence_model, found, layer, signals, estimator->model->file.name, err) &&
             forecaster_prepare(&of->confidence_model.forecaster, err)));
}

/* Fails unless the committee was fitted with the text, and numbers are calibrated: there are no raw ones. */
static bool text_suits(const struct estimator *estimator, const struct estimator_layer *of, struct vouch_error *err)
{
    const char *name = estimator->model->file.name;
    if (estimator->raw)
        return fail(err, VOUCH_ERR_ARGUMENT, COMMITTEE_TEXT " has no raw numbers: expected it without --raw");
    return of->confidence_model.with_text.fitted ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "%s: this model was not calibrated for " COMMITTEE_TEXT ": train it again, or calibrate it anew with "
                "vouch tune",
                name);
}

/* Adds a method to one layer's methods. */
static bool add_method(struct estimator *estimator, uint32_t l, uint32_t j, const char *name, struct vouch_error *err)
{
    const struct model_layer *layer = &estimator->model->layer[l];
    struct estimator_layer *of = &estimator->layer[l];
    struct chosen_method *chosen = &of->chosen[j];
    const struct method_model *method_model = confidence_model_find(&of->confidence_model, name, layer, err);
    if (!method_model)
        return false;
    *chosen = (struct chosen_method){.method = method_model->method,
                                     .text = method_model->text,
                                     .voice = method_model->voice,
                                     .method_model = method_model};
    snprintf(chosen->name, sizeof chosen->name, "%s", method_model->name);
    if (chosen->text && !text_suits(estimator, of, err))
        return false;
    if (chosen->method && chosen->method->sets && !method_suits(chosen->method, &layer->voice[chosen->voice]))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s needs several sets of scores from elsewhere", chosen->method->name);
    if (chosen->method && chosen->method->variance && !layer->voice[chosen->voice].var)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s needs a confidence-weighted model (train with -a cw), this one is of %s", chosen->method->name,
                    layer->voice[chosen->voice].name);
    if (chosen->method)
        of->needs[chosen->voice] |= chosen->method->needs;
    else
        committee_needs(&of->voice_set, of->needs);
    return true;
}

static bool add_to_all(struct estimator *estimator, const char *name, struct vouch_error *err)
{
    if (estimator->methods == MAX_METHODS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d methods of confidence", MAX_METHODS);
    for (uint32_t l = 0; l < estimator->model->layers; l++)
        if (!add_method(estimator, l, estimator->methods, name, err))
            return false;
    estimator->methods++;
    return true;
}

/* Adds every method that the model supports: of the first voice all, of the others those that were calibrated. */
static bool add_every(struct estimator *estimator, struct vouch_error *err)
{
    const struct model_layer *layer = &estimator->model->layer[0];
    const struct confidence_model *confidence_model = &estimator->layer[0].confidence_model;
    uint32_t fitted = confidence_model->count;
    for (size_t m = 0; methods[m]; m++)
        if (method_suits(methods[m], &layer->voice[0]) && !add_to_all(estimator, methods[m]->name, err))
            return false;
    for (uint32_t b = 0; b < fitted; b++)
        if (confidence_model->method_model[b].voice > 0 &&
            !add_to_all(estimator, confidence_model->method_model[b].name, err))
            return false;
    return add_to_all(estimator, "committee", err);
}

static bool add_named(struct estimator *estimator, const char *names, struct vouch_error *err)
{
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[METHOD_NAME];
        if (length == 0 || length >= sizeof name)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected names of methods separated by commas, found '%.60s'", names);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!(strcmp(name, "all") == 0 ? add_every(estimator, err) : add_to_all(estimator, name, err)))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

/* Adds the method that each layer prefers, or another. False without an error if there is neither. */
static bool add_preferred(struct estimator *estimator, const char *otherwise, struct vouch_error *err)
{
    for (uint32_t l = 0; l < estimator->model->layers; l++) {
        const struct confidence_model *confidence_model = &estimator->layer[l].confidence_model;
        if (confidence_model->preferred >= confidence_model->count)
            return otherwise && add_named(estimator, otherwise, err);
        if (!add_method(estimator, l, 0, confidence_model->method_model[confidence_model->preferred].name, err))
            return false;
    }
    estimator->methods = 1;
    return true;
}

/* Adds the evidence that alternatives need: methods without votes take them from the marginals of their voice. */
static void add_marginals(struct estimator_layer *of, uint32_t count)
{
    for (uint32_t j = 0; j < count; j++)
        if (!of->chosen[j].method || !of->chosen[j].method->votes)
            of->needs[of->chosen[j].voice] |= EVIDENCE_MARGINALS;
}

/* Sets the voices' parameters, K if the request has one, and the evidence that alternatives need. */
static void prepare_voice_sets(struct estimator *estimator, const struct estimate_request *request)
{
    for (uint32_t l = 0; l < estimator->model->layers; l++) {
        struct estimator_layer *of = &estimator->layer[l];
        const struct model_layer *layer = &estimator->model->layer[l];
        for (uint32_t v = 0; request->draws && v < layer->voices; v++)
            of->confidence_model.params[v].draws = request->draws;
        layer_voice_set(layer, l, layer_structure(estimator->model, l), of->confidence_model.params, estimator->noise,
                        l == 0 ? estimator_rules(estimator) : NULL, &of->voice_set);
        if (l == 0)
            add_marginals(of, request->others                            ? estimator->methods
                              : request->alternatives || estimator->sets ? 1
                                                                         : 0);
        else if (estimator->sets && !isnan(estimator->least.of[COVERED_RELATIONS]))
            add_marginals(of, 1);
        if (l == 0 && (estimator->starts || (estimator->sets && estimator->rules.labels)))
            of->needs[of->chosen[0].voice] |= EVIDENCE_MARGINALS;
    }
}

/* Tells the features of a tagger apart as when it was calibrated, whose features had other numbers. */
static bool name_features(struct estimator *estimator, struct vouch_error *err)
{
    const struct vocabulary *vocabulary = &estimator->model->vocabulary;
    uint32_t *name = tag_feature_names(&estimator->model->templates, vocabulary, err);
    if (name)
        noise_name_features(estimator->noise, name,
                            (uint64_t)feature_index_count(&vocabulary->node) + feature_index_count(&vocabulary->edge));
    return name;
}

/* Makes the noise of the draws only if a method draws, since it takes milliseconds. */
static bool prepare_noise(struct estimator *estimator, uint32_t redraw, struct vouch_error *err)
{
    const json_t *seed = json_object_get(json_object_get(estimator->model->header, "confidence"), "seed");
    unsigned needs = 0;
    for (uint32_t l = 0; l < estimator->model->layers; l++)
        for (uint32_t v = 0; v < estimator->model->layer[l].voices; v++)
            needs |= estimator->layer[l].needs[v] & (estimator->model->layer[l].voice[v].sets ? EVIDENCE_FIX : ~0u);
    if (!(needs & (EVIDENCE_FIX | EVIDENCE_PC)))
        return true;
    estimator->noise = noise_new((seed ? (uint64_t)json_integer_value(seed) : 1) + redraw, err);
    return estimator->noise && (estimator->model->trees || name_features(estimator, err));
}

static bool prepare(struct estimator *estimator, const struct estimate_request *request, struct vouch_error *err)
{
    if (estimator->labels && !labels_span_rules(estimator->labels, &estimator->rules, err))
        return false;
    for (uint32_t l = 0; l < estimator->model->layers; l++)
        if (!read_confidence_model(estimator, l, err))
            return false;
    if (!(request->methods ? add_named(estimator, request->methods, err)
                           : add_preferred(estimator, request->otherwise, err)) ||
        !prepare_noise(estimator, request->redraw, err))
        return false;
    prepare_voice_sets(estimator, request);
    return true;
}

struct estimator *estimator_new(const struct vouch_model *model, const struct estimate_request *request,
                                struct vouch_error *err)
{
    struct estimator *estimator = new_array(1, sizeof *estimator, err);
    if (!estimator)
        return NULL;
    *estimator = (struct estimator){.model = model,
                                    .labels = model_word_labels(model),
                                    .raw = request->raw,
                                    .spans = !request->words_only,
                                    .sentences = !request->words_only,
                                    .alternatives = request->alternatives,
                                    .expected = request->expected,
                                    .sets = request->sets != NULL,
                                    .others = request->others && !model->trees,
                                    .starts = request->starts && !model->trees};
    if (request->sets)
        estimator->least = *request->sets;
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_init(&estimator->layer[l].confidence_model);
    if (prepare(estimator, request, err))
        return estimator;
    estimator_free(estimator);
    return NULL;
}

bool estimator_make(const struct vouch_model *model, const struct estimate_request *request,
                    struct estimator **estimator, struct vouch_error *err)
{
    struct vouch_error reason = {0}; /* apart from an error that `err` may hold already */
    *estimator = estimator_new(model, request, &reason);
    if (reason.status != VOUCH_OK && err)
        *err = reason;
    return reason.status == VOUCH_OK;
}

void warn_of_old_draws(const struct vouch_watch *watch, const struct estimator *estimator)
{
    const struct vouch_model *model = estimator ? estimator->model : NULL;
    if (!model || !estimator->noise || model->trees || model_lacks_weights(model))
        return;
    const json_t *layers = json_object_get(json_object_get(model->header, "confidence"), "layers");
    const json_t *parameters = json_object_get(json_object_get(layers, model->layer[0].name), "parameters");
    const json_t *first = json_object_get(parameters, model->layer[0].voice[0].name);
    if (first && !json_object_get(first, "paired"))
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: %s: an older version of vouch, which drew models in another way, calibrated its "
                  "confidence: 'vouch tune' calibrates it anew",
                  model->file.name);
}

bool fail_uncalibrated(const struct vouch_model *model, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_ARGUMENT, "%s: this model was not calibrated: expected a method in --confidence",
                model->file.name);
}

bool chosen_is_calibrated_for(const struct estimator *estimator, uint32_t l, uint32_t j, enum unit unit)
{
    const struct chosen_method *chosen = &estimator->layer[l].chosen[j];
    const struct method_model *method_model = chosen->method_model;
    if (estimator->raw)
        return false;
    if (unit != UNIT_WORD)
        return method_model->joint[unit].features > 0;
    const struct confidence_model *all = &estimator->layer[l].confidence_model;
    return chosen->method       ? method_model->calibration.kind != CALIBRATE_NONE
           : method_model->text ? all->with_text.fitted
                                : all->forecaster.fitted;
}

bool estimator_uses_text(const struct estimator *estimator)
{
    for (uint32_t j = 0; estimator && j < estimator->methods; j++)
        if (estimator->layer[0].chosen[j].text)
            return true;
    return false;
}

const struct span_rules *estimator_rules(const struct estimator *estimator)
{
    return estimator->rules.labels ? &estimator->rules : NULL;
}

bool chosen_is_calibrated(const struct estimator *estimator, uint32_t j)
{
    return chosen_is_calibrated_for(estimator, 0, j, UNIT_WORD);
}

bool chosen_is_bounded(const struct estimator *estimator, uint32_t l, uint32_t j, enum unit unit)
{
    const struct method *method = estimator->layer[l].chosen[j].method;
    return !method || method->bounded || chosen_is_calibrated_for(estimator, l, j, unit);
}

/* Returns the method's numbers, as lay_out() arranges them: N of the words, N of their relations, one of each span. */
static double *numbers_of(const struct estimates *o, uint32_t N, uint32_t j)
{
    return o->number + ((size_t)N * 2 + o->confidences.spans) * j;
}

static double *words_of(const struct estimation *h)
{
    uint32_t N = h->workspace->N;
    return numbers_of(h->estimates, N, h->j) + (h->l == 0 ? 0 : N);
}

/* Returns the method's own number of the whole sentence; NAN if it has numbers of words only. */
static double whole_of(const struct estimation *h)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    return chosen->method->whole ? chosen->method->whole(chosen->method, &h->workspace->evidence[chosen->voice]) : NAN;
}

/* Corrects the committee's numbers of the words by what they are called elsewhere in the text. */
static bool correct_by_text(const struct estimation *h, struct vouch_error *err)
{
    double *word = words_of(h), *called = h->estimates->signal, row[COMMITTEE_TEXT_SIGNALS];
    if (!committee_text(h->workspace, called, err))
        return false;
    for (uint32_t n = 0; n < h->workspace->N; n++, called += TEXT_SIGNALS) {
        committee_text_row(word[n], called, row);
        word[n] = forecaster_apply(&h->layer->confidence_model.with_text, row);
    }
    return true;
}

/* Estimates the words by the calibrated committee, whose signals are left in h->estimates->signal. */
static bool ask_committee(const struct estimation *h, struct vouch_error *err)
{
    const struct confidence_model *model = &h->layer->confidence_model;
    const struct workspace *s = h->workspace;
    double *word = words_of(h), *signal = h->estimates->signal, profile[PROFILE_SIGNALS];
    committee_words(s, signal);
    committee_sentence_profile(s, signal, profile);
    struct sentence_discount discount = discount_of_sentence(&model->discount, profile);
    forecaster_apply_rows(&model->forecaster, signal, s->N, word);
    for (uint32_t n = 0; n < s->N; n++)
        if (committee_concerns(s, n))
            word[n] = discount_word(&model->discount, &discount, word[n]);
    return !h->layer->chosen[h->j].text || correct_by_text(h, err);
}

static bool estimate_words(const struct estimation *h, struct vouch_error *err)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    const struct workspace *s = h->workspace;
    if (!chosen->method && chosen_is_calibrated_for(h->estimator, h->l, h->j, UNIT_WORD))
        return ask_committee(h, err);
    if (chosen->method)
        chosen->method->words(chosen->method, &s->evidence[chosen->voice], words_of(h));
    else
        committee_plain(s, words_of(h));
    return true;
}

/* Calibrates the numbers of the words. A word that has no other choice gets the largest number there is. */
static void settle_words(const struct estimation *h)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    double *word = words_of(h), surest = chosen_is_bounded(h->estimator, h->l, h->j, UNIT_WORD) ? 1 : INFINITY;
    bool translates = chosen->method && chosen_is_calibrated_for(h->estimator, h->l, h->j, UNIT_WORD);
    for (uint32_t n = 0; n < h->workspace->N; n++) {
        if (h->workspace->evidence[0].forced[n])
            word[n] = surest;
        else if (translates)
            word[n] = calibration_apply(&chosen->method_model->calibration, word[n]);
    }
}

/* Returns the sentence's number: a joint probability, or the smallest of its words' if that is not calibrated. */
static double estimate_sentence(const struct estimation *h)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    const struct estimates *o = h->estimates;
    const double *word = words_of(h);
    double signal[MAX_SIGNALS + JOINT_SIGNALS], *x = signal;
    uint32_t N = h->workspace->N, n = 0;
    while (n < N && h->workspace->evidence[0].forced[n])
        n++;
    if (n == N || !chosen_is_calibrated_for(h->estimator, h->l, h->j, UNIT_SENTENCE))
        return smallest(word, 0, N);
    if (chosen->method)
        *x++ = joint_own(chosen->method, whole_of(h));
    else {
        committee_sentence(h->workspace, x);
        x += committee_sentence_signals(&h->layer->voice_set);
    }
    double least = joint_of_sentence(word, N, o->extent, o->by_method[h->j].span, o->confidences.spans, x);
    return joint_apply(&chosen->method_model->joint[UNIT_SENTENCE], least, signal);
}

/*
 * Finds the least number of a word, and the method's number for the whole answer. For a committee, that is the share of
 * the first voice's draws that agree with it, or its probability by the first voice.
 */
static void estimate_whole(const struct estimation *h)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    struct sentence_confidence *more = &h->estimates->sentence[h->j];
    more->minimum = smallest(words_of(h), 0, h->workspace->N);
    more->whole = chosen->method ? whole_of(h) : committee_whole(h->workspace);
    h->estimates->by_method[h->j].more = more;
}

static bool estimate_span(const struct estimation *h, struct extent span, double *confidence, struct vouch_error *err)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    const double *word = words_of(h);
    double signal[MAX_SIGNALS + JOINT_SIGNALS], *x = signal;
    bool calibrated = chosen_is_calibrated_for(h->estimator, h->l, h->j, UNIT_SPAN);
    if (chosen->method) {
        if (!chosen->method->span(chosen->method, &h->workspace->evidence[chosen->voice], &h->estimator->rules, span,
                                  confidence, err))
            return false;
        *x++ = joint_own(chosen->method, *confidence);
    } else if (calibrated) {
        if (!committee_span(h->workspace, span, x, err))
            return false;
        x += committee_span_signals(&h->layer->voice_set);
    } else
        *confidence = smallest(word, span.from, span.to);
    if (calibrated) {
        double least = joint_of_span(word, h->workspace->N, span, x);
        *confidence = joint_apply(&chosen->method_model->joint[UNIT_SPAN], least, signal);
    }
    return true;
}

static bool estimate_spans(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    double *span = numbers_of(o, h->workspace->N, h->j) + (size_t)h->workspace->N * 2;
    for (uint32_t i = 0; h->estimator->rules.labels && i < o->confidences.spans; i++)
        if (!estimate_span(h, o->extent[i], &span[i], err))
            return false;
    return true;
}

/* Finds the chunks of the answer, with their types. */
static bool find_spans(const struct estimator *estimator, const struct workspace *s, struct estimates *o,
                       struct vouch_error *err)
{
    struct extent at = {0, 0};
    struct span *span;
    o->confidences.spans = 0;
    if (!estimator->spans || !estimator->rules.labels)
        return true;
    if (!ARENA_ARRAY(span, s->N, &o->arena, err) || !ARENA_ARRAY(o->extent, s->N, &o->arena, err))
        return false;
    o->confidences.span = span;
    while (span_next(&estimator->rules, s->choice, s->N, at.to, &at)) {
        struct text type;
        scheme_split(labels_name(estimator->labels, s->choice[at.from]), &type);
        o->extent[o->confidences.spans] = at;
        span[o->confidences.spans++] = (struct span){at.from, at.to, type};
    }
    return true;
}

/*
 * Makes room for every method's numbers: words, relations, spans. Working memory is for the signals of all words, and
 * for the choices of one, of which there are at most `options`.
 */
static bool lay_out(const struct estimator *estimator, uint32_t N, size_t options, struct estimates *o,
                    struct vouch_error *err)
{
    bool relations = estimator->model->layers > 1;
    size_t each = (size_t)N * 2 + o->confidences.spans, signals = (size_t)N * MAX_SIGNALS;
    if (!ARENA_ARRAY(o->number, each * estimator->methods, &o->arena, err) ||
        !ARENA_ARRAY(o->signal, signals > options ? signals : options, &o->arena, err))
        return false;
    for (size_t i = 0; i < each * estimator->methods; i++)
        o->number[i] = NAN;
    for (uint32_t j = 0; j < estimator->methods; j++) {
        double *from = numbers_of(o, N, j);
        o->by_method[j] = (struct method_confidence){.method = estimator->layer[0].chosen[j].name,
                                                     .calibrated = chosen_is_calibrated(estimator, j),
                                                     .margin = !chosen_is_bounded(estimator, 0, j, UNIT_WORD),
                                                     .word = from,
                                                     .relation = relations ? from + N : NULL,
                                                     .span = estimator->rules.labels ? from + (size_t)N * 2 : NULL,
                                                     .sentence = NAN};
    }
    o->confidences = (struct confidences){
        .by_method = o->by_method,
        .methods = estimator->methods,
        .span = o->confidences.span,
        .spans = o->confidences.spans,
        .set.asked = estimator->sets,
        .reading.asked = estimator->sets && estimator->rules.labels,
    };
    return true;
}

bool estimator_abstain(const struct estimator *estimator, uint32_t N, struct estimates *o, struct vouch_error *err)
{
    o->confidences.spans = 0;
    o->expected = (struct expected_counts){0};
    if (!lay_out(estimator, N, 0, o, err))
        return false;
    o->confidences.alternatives = estimator->alternatives; /* a document mark has as many columns as a word */
    return true;
}

/* Finds what the first voice's probabilities promise (see confidence/expected_counts.h), if they were computed. */
static bool expected(const struct estimator *estimator, const struct parts *parts, struct workspace *workspace,
                     struct expected_counts *to, struct vouch_error *err)
{
    bool all = estimator->expected == EXPECT_ALL;
    *to = (struct expected_counts){0};
    if (estimator->expected == EXPECT_NOTHING || !(estimator->layer[0].needs[0] & EVIDENCE_MARGINALS))
        return true;
    return expected_counts_of(to, &workspace->evidence[0], all || estimator->labels ? parts : NULL,
                              all && estimator->rules.labels ? &estimator->rules : NULL, err);
}

bool estimator_estimate(const struct estimator *estimator, uint32_t l, const struct parts *parts,
                        struct workspace *workspace, struct estimates *estimates, struct vouch_error *err)
{
    const struct estimator_layer *layer = &estimator->layer[l];
    if (estimator_uses_text(estimator) && !workspace->text)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    COMMITTEE_TEXT
                    " needs the text around a sentence: expected a file, a stream or a batch of sentences");
    if (!voice_set_open(&layer->voice_set, workspace, parts, layer->needs, err) ||
        !voice_set_gather(workspace, parts, layer->needs, err))
        return false;
    if (l == 0 && (!find_spans(estimator, workspace, estimates, err) ||
                   !lay_out(estimator, workspace->N, workspace->evidence[0].options, estimates, err) ||
                   !expected(estimator, parts, workspace, &estimates->expected, err)))
        return false;
    struct estimation h = {
        .estimator = estimator, .layer = layer, .l = l, .workspace = workspace, .estimates = estimates};
    for (h.j = 0; h.j < estimator->methods; h.j++) {
        if (!estimate_words(&h, err))
            return false;
        settle_words(&h);
        if (l == 0 && estimator->spans && !estimate_spans(&h, err))
            return false;
        if (l == 0 && estimator->sentences) {
            estimates->by_method[h.j].sentence = estimate_sentence(&h);
            estimate_whole(&h);
        }
    }
    h.j = 0;
    if (estimator->methods == 0)
        return true;
    if (l > 0)
        return !estimator->sets || isnan(estimator->least.of[COVERED_RELATIONS]) || list_relation_sets(&h, err);
    return (!estimator->alternatives || list_alternatives(&h, err)) && (!estimator->sets || list_sets(&h, err)) &&
           (!estimator->others || list_others(&h, err)) &&
           (!estimator->starts || !estimator->rules.labels || list_starts(&h, err));
}
