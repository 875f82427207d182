/*
 * Fits a confidence model: see calibration.h.
 *
 * Parameters that do not concern each other are tried at the same time: one round of scores tries the i-th value of
 * every grid. Then the committee, which has many signals to weigh, is fitted on all held-out words; every method, which
 * has one number, on those that parameters were tried on. Draws and K-best lists cost more than all the rest, and are
 * not taken of more words than that.
 */
#include "train/calibration.h"

#include "base/order.h"
#include "measure/quality.h"
#include "model/records.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

const struct grids quick_grids = {
    .of = {[PARAM_FIX] = {4, {2, 5, 12, 30}},
           [PARAM_PC] = {4, {0.1, 0.3, 1, 3}},
           [PARAM_C] = {4, {0.03, 0.06, 0.12, 0.25}},
           [PARAM_BEST] = {3, {10, 20, 30}},
           [PARAM_WEIGHTED] = {3, {10, 20, 30}}},
    .draws = 50,
    .words = {20000, 4000},
};

#define PAPER_K {8, {10, 20, 30, 40, 50, 60, 70, 80}}
#define MORE_K {10, {10, 20, 30, 40, 50, 60, 70, 80, 120, 160}}

/* Has as many values as the paper: twenty of s, thirty of c, each over two decades; K from 10 to 80, and two more. */
const struct grids full_grids = {
    .of = {[PARAM_FIX] = {20, {0.5, 0.7, 0.9, 1.2, 1.5, 2, 2.5, 3.2, 4, 5, 6.5, 8, 10, 13, 16, 20, 26, 32, 41, 50}},
           [PARAM_PC] = {20, {0.05, 0.07, 0.09, 0.12, 0.15, 0.2, 0.25, 0.32, 0.4, 0.5,
                              0.65, 0.8,  1,    1.3,  1.6,  2,   2.6,  3.2,  4.1, 5}},
           [PARAM_C] = {30, {0.01,  0.012, 0.014, 0.016, 0.019, 0.022, 0.026, 0.03,  0.036, 0.042,
                             0.049, 0.058, 0.067, 0.079, 0.092, 0.108, 0.127, 0.148, 0.174, 0.2,
                             0.24,  0.28,  0.33,  0.38,  0.45,  0.53,  0.62,  0.73,  0.85,  1}},
           [PARAM_BEST] = MORE_K,
           [PARAM_WEIGHTED] = MORE_K},
    .draws = 50,
};

/* The paper gives the number of its values and their ends; here they are evenly spaced by ratio. */
#define PAPER_S                                                                                                        \
    {                                                                                                                  \
        20,                                                                                                            \
        {                                                                                                              \
            0.01, 0.0127, 0.0162, 0.0207, 0.0264, 0.0336, 0.0428, 0.0546, 0.0695, 0.0886, 0.113, 0.144, 0.183, 0.234,  \
                0.298, 0.379, 0.483, 0.616, 0.785, 1                                                                   \
        }                                                                                                              \
    }
const struct grids paper_grids = {
    .of = {[PARAM_FIX] = PAPER_S,
           [PARAM_PC] = PAPER_S,
           [PARAM_C] = {30, {0.01,   0.0122, 0.0148, 0.018, 0.022, 0.0267, 0.0325, 0.0396, 0.0482, 0.0587,
                             0.0715, 0.087,  0.106,  0.129, 0.157, 0.191,  0.233,  0.283,  0.345,  0.42,
                             0.511,  0.622,  0.757,  0.922, 1.12,  1.37,   1.66,   2.02,   2.46,   3}},
           [PARAM_BEST] = PAPER_K,
           [PARAM_WEIGHTED] = PAPER_K},
    .draws = 50,
    .literal = true,
};

const struct grids *grids_named(const char *name)
{
    return strcmp(name, "quick") == 0   ? &quick_grids
           : strcmp(name, "full") == 0  ? &full_grids
           : strcmp(name, "paper") == 0 ? &paper_grids
                                        : NULL;
}

/*
 * So many held-out words are enough to calibrate on: fewer heads than labels, because heads are wrong more often. A
 * model that learns without a fifth of the corpus errs more often than the final one, so that probabilities come out
 * too low. Without a tenth it is nearer to the final one: where a few tenths have enough words, tenths are held out.
 * Of a corpus that is many times as large, one part that has enough is: its size does not grow with the corpus.
 */
enum { WORDS_ENOUGH = 100000, HEADS_ENOUGH = 15000, WORDS_FOR_TENTHS = 100000, MANY_TIMES = 10 };

static bool is_of_trees(const struct dataset *dataset, uint32_t layer)
{
    return dataset->layer[layer].examples.structure == &tree_structure;
}

struct cut calibration_cut(const struct dataset *dataset)
{
    uint32_t sentences = dataset->layer[0].examples.count;
    size_t words = dataset->decided;
    struct cut cut = {.parts = words >= WORDS_FOR_TENTHS && !is_of_trees(dataset, 0) ? 10 : 5};
    if (words > MANY_TIMES * WORDS_ENOUGH)
        cut.parts = (uint32_t)(words / WORDS_ENOUGH);
    if (sentences < HELD_OUT_LEAST * cut.parts)
        return cut;
    size_t enough = is_of_trees(dataset, 0) ? HEADS_ENOUGH : WORDS_ENOUGH, held = enough * cut.parts / (words + 1) + 1;
    cut.held = held < cut.parts ? (uint32_t)held : cut.parts;
    return cut;
}

struct fitting {
    const struct calibration_plan *plan;
    const struct noise *noise;
    struct first_answers *first;
    uint32_t number;                 /* of the layer */
    const struct model_layer *layer; /* of the first part: tells what each voice has */
    double unit[MAX_VOICE_VIEWS];    /* of the weights of each voice */
    struct confidence_model *confidence_model;
    uint32_t done, steps;
};

static bool step(struct fitting *f, struct vouch_error *err)
{
    struct step_watch now = {f->plan->work.watch, VOUCH_EVENT_CALIBRATING, f->plan->what};
    step_tell(&now, ++f->done, f->steps);
    return !watch_stops(now.watch) || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

static struct score_plan score_plan_of(const struct fitting *f, const struct voice_method *chosen, uint32_t count,
                                       const struct method_params *params)
{
    return (struct score_plan){.layer = f->number,
                               .first = f->first,
                               .chosen = chosen,
                               .methods = count,
                               .params = params,
                               .noise = f->noise,
                               .work = &f->plan->work};
}

/* The method by which the values of each parameter are judged. */
static const struct method *const tried_by[PARAMS] = {&kd_fix_method, &kd_pc_method, &gamma_method, &kb_method,
                                                       &wkb_method};

/* Returns the number of rounds: as many as the longest grid has values. */
static uint32_t rounds_of(const struct grids *grids)
{
    uint32_t most = 0;
    for (enum param param = 0; param < PARAMS; param++)
        most = grids->of[param].count > most ? grids->of[param].count : most;
    return most;
}

/*
 * Sets a parameter to the i-th value of its grid; `unit` is that of the voice's weights; the paper's grids have none.
 */
static void turn(struct method_params *params, enum param param, const struct grids *grids, uint32_t i, double unit)
{
    double value = grids->of[param].value[i];
    unit = grids->literal ? 1 : unit;
    if (param == PARAM_FIX)
        params->fix = value * unit;
    else if (param == PARAM_PC)
        params->pc = value;
    else if (param == PARAM_C)
        params->c = value / sqrt(unit);
    else
        *(param == PARAM_BEST ? &params->best : &params->weighted) = (uint32_t)value;
}

/*
 * Finds the mean held-out log loss of a column of numbers once it is calibrated, and tells that and how well the
 * numbers rank the words: of a voice, with the values of its parameters that are tried, one of which it judges.
 */
static bool measure_tried(const struct fitting *f, const struct score_rows *words, uint32_t column, uint32_t v,
                          const struct method_params *params, enum param param, double *loss, struct vouch_error *err)
{
    static const char *const names[PARAMS] = {"s_fix", "s_pc", "c", "K_best", "K_weighted"};
    const double value =
        (const double[]){params->fix, params->pc, params->c, params->best, params->weighted}[param];
    struct quality quality;
    size_t n;
    struct judged *judged = score_rows_column(words, words->value, words->methods, column, &n, err);
    bool ok = judged && quality_measure(judged, n, false, &quality, err) &&
              calibrated_loss(words, column, f->plan->work.seed, loss, err);
    free(judged);
    if (!ok)
        return false;
    json_t *record = json_pack("{s:s, s:s, s:s, s:s, s:f}", "event", "tried", "layer", f->layer->name, "voice",
                               f->layer->voice[v].name, "parameter", names[param], "value", value);
    if (!isnan(quality.ranking.average_precision)) /* there was an error to find */
        json_object_set_new(record, "average_precision", json_real(quality.ranking.average_precision));
    if (!isnan(quality.ranking.area_under_risk_coverage))
        json_object_set_new(record, "area_under_risk_coverage", json_real(quality.ranking.area_under_risk_coverage));
    if (!isnan(*loss))
        json_object_set_new(record, "log_loss", json_real(*loss));
    watch_record(f->plan->work.watch,
                 (struct vouch_event){.kind = VOUCH_EVENT_TRIED, .what = names[param], .number = value}, record);
    return true;
}

/* A round tries the i-th value of every parameter of every voice. */
struct round {
    uint32_t i, methods;
    struct method_params params[MAX_VOICE_VIEWS];
    struct voice_method chosen[MAX_VOICE_VIEWS * PARAMS];
    enum param param[MAX_VOICE_VIEWS * PARAMS]; /* [methods] the parameter that the method is to judge */
};

static void plan_round(const struct fitting *f, uint32_t i, struct round *r)
{
    const struct grids *grids = f->plan->grids;
    *r = (struct round){.i = i};
    for (uint32_t v = 0; v < f->layer->voices; v++) {
        r->params[v] = f->confidence_model->params[v];
        for (enum param param = 0; param < PARAMS; param++)
            if (i < grids->of[param].count && method_suits(tried_by[param], &f->layer->voice[v])) {
                turn(&r->params[v], param, grids, i, f->unit[v]);
                r->param[r->methods] = param;
                r->chosen[r->methods++] = (struct voice_method){tried_by[param], v};
            }
    }
}

/*
 * Keeps the values whose calibrated numbers predict held-out errors better than all before. Average precision looks at
 * the least sure words only: a scale that is best by it may give most of the others one and the same number.
 */
static bool keep_best(struct fitting *f, const struct round *r, const struct score_rows *words,
                      struct best (*best)[PARAMS] /* [voices] */, struct vouch_error *err)
{
    for (uint32_t q = 0; q < r->methods; q++) {
        uint32_t v = r->chosen[q].voice;
        enum param param = r->param[q];
        double loss;
        if (!measure_tried(f, words, q, v, &r->params[v], param, &loss, err))
            return false;
        if (best_offer(&best[v][param], r->i, -loss))
            turn(&f->confidence_model->params[v], param, f->plan->grids, r->i, f->unit[v]);
    }
    return true;
}

/* Returns about how many words parameters are tried, and methods fitted, on; 0: all. */
static size_t words_to_try(const struct fitting *f)
{
    return f->plan->grids->words[is_of_trees(f->plan->held->dataset, f->number)];
}

static bool tune_params(struct fitting *f, struct vouch_error *err)
{
    const struct grids *grids = f->plan->grids;
    struct best best[MAX_VOICE_VIEWS][PARAMS] = {{{0}}};
    for (uint32_t i = 0; i < rounds_of(grids); i++) {
        struct round round;
        struct held_out_scores scores;
        plan_round(f, i, &round);
        struct score_plan plan = score_plan_of(f, round.chosen, round.methods, round.params);
        plan.most = words_to_try(f);
        bool ok =
            held_out_scores_take(&scores, f->plan->held, &plan, err) && keep_best(f, &round, &scores.word, best, err);
        held_out_scores_release(&scores);
        if (!ok || !step(f, err))
            return false;
    }
    return true;
}

/* Whether the committee can also use the text: the words of training were counted, so they have names. */
static bool uses_text(const struct fitting *f)
{
    return f->layer->counts.slot != NULL;
}

/*
 * Adds every method of the first voice, those of the others that add something new, then the committee, and last the
 * committee with the text.
 */
static bool add_method_models(struct fitting *f, struct vouch_error *err)
{
    for (uint32_t v = 0; v < f->layer->voices; v++)
        for (size_t m = 0; methods[m]; m++) {
            char name[METHOD_NAME];
            bool basic = methods[m] == &delta_method || methods[m] == &gamma_method || methods[m] == &kd_fix_method;
            if (!method_suits(methods[m], &f->layer->voice[v]) || (v > 0 && !basic))
                continue;
            snprintf(name, sizeof name, "%s@%s", methods[m]->name, f->layer->voice[v].name);
            if (!confidence_model_find(f->confidence_model, name, f->layer, err))
                return false;
        }
    return confidence_model_find(f->confidence_model, "committee", f->layer, err) &&
           (!uses_text(f) || confidence_model_find(f->confidence_model, COMMITTEE_TEXT, f->layer, err));
}

/* Lists all methods but the committees, in their order; returns how many there are. */
static uint32_t all_methods(const struct fitting *f, struct voice_method *chosen)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->confidence_model->count; i++)
        if (f->confidence_model->method_model[i].method)
            chosen[count++] = (struct voice_method){f->confidence_model->method_model[i].method,
                                                    f->confidence_model->method_model[i].voice};
    return count;
}

/* A method is preferred if its loss is below this share of the committee's; smaller gains are noise. */
#define CLEARLY 0.98

/*
 * Prefers the committee, unless another method predicts held-out words clearly better, by log loss: average precision
 * looks at the least sure words only, and may prefer a scale that gives all others one number. `random` is never
 * preferred, nor is the committee with the text, whose numbers depend on the sentences around.
 */
static void prefer(struct confidence_model *confidence_model, const double *loss)
{
    const struct method_model *method_model = confidence_model->method_model;
    uint32_t committee = 0;
    while (method_model[committee].method)
        committee++;
    struct best best = {.row = committee};
    best_offer(&best, committee, -loss[committee] * CLEARLY);
    for (uint32_t b = 0; b < committee; b++)
        if (method_model[b].method != &random_method)
            best_offer(&best, b, -loss[b]);
    confidence_model->preferred = (uint32_t)best.row;
}

/* Takes the scores of all words for the committee, and of some for the methods; the same, if methods use all. */
static bool take_scores(const struct fitting *f, struct held_out_scores *all, struct held_out_scores *some,
                        struct vouch_error *err)
{
    struct voice_method chosen[MAX_METHOD_MODELS];
    struct score_plan plan = score_plan_of(f, chosen, all_methods(f, chosen), f->confidence_model->params);
    plan.wholes = f->number == 0;
    plan.most = words_to_try(f);
    if (plan.most > 0) {
        if (!held_out_scores_take(some, f->plan->held, &plan, err))
            return false;
        plan.methods = 0;
        plan.most = 0;
    }
    plan.committee = true;
    plan.text = uses_text(f);
    return held_out_scores_take(all, f->plan->held, &plan, err);
}

static bool fit_methods(struct fitting *f, struct vouch_error *err)
{
    struct held_out_scores all = {0}, some = {0};
    struct method_rows rows = {&all, words_to_try(f) ? &some : &all, &f->plan->work};
    double loss[MAX_METHOD_MODELS]; /* of each method, on words that all have judged */
    bool ok = take_scores(f, &all, &some, err) && step(f, err) && methods_fit(f->confidence_model, &rows, loss, err) &&
              step(f, err);
    if (ok)
        prefer(f->confidence_model, loss);
    held_out_scores_release(&all);
    held_out_scores_release(&some);
    return ok;
}

static bool fit_layer(struct fitting *f, struct vouch_error *err)
{
    for (uint32_t v = 0; v < f->layer->voices; v++) {
        f->confidence_model->params[v].draws = f->plan->grids->draws;
        f->confidence_model->params[v].plain = f->plan->grids->plain;
        f->unit[v] = f->plan->unit > 0 ? f->plan->unit : unit_of_weights(&f->layer->space, f->layer->voice[v].mean);
        f->confidence_model->params[v].fix = SUITABLE_S * f->unit[v];
    }
    return tune_params(f, err) && add_method_models(f, err) && fit_methods(f, err);
}

static json_t *found_json(const struct calibration_plan *plan, const struct found_confidence *found)
{
    const struct held_out *held = plan->held;
    json_t *layers = json_object();
    for (uint32_t l = 0; l < held->layers; l++) {
        const struct model_layer *layer = &held->part[0].layer[l];
        json_object_set_new(layers, layer->name, confidence_model_json(&found->model[l], layer));
    }
    return json_pack("{s:i, s:I, s:s, s:i, s:o}", "form", CONFIDENCE_MODEL_FORM, "seed", (json_int_t)plan->work.seed,
                     "fitted_on", held->dev ? "development data" : "held-out parts of the training data", "parts",
                     (int)held->parts, "layers", layers);
}

static bool fit_layers(const struct calibration_plan *plan, struct found_confidence *found, struct vouch_error *err)
{
    const struct held_out *held = plan->held;
    struct noise *noise = dataset_noise(held->dataset, plan->work.seed, err);
    struct first_answers first;
    struct fitting f = {
        .plan = plan, .noise = noise, .first = &first, .steps = held->layers * (rounds_of(plan->grids) + 2)};
    bool ok = first_answers_init(&first, held, err) && noise;
    for (uint32_t l = 0; ok && l < held->layers; l++) {
        f.number = l;
        f.layer = &held->part[0].layer[l];
        f.confidence_model = &found->model[l];
        ok = fit_layer(&f, err);
    }
    first_answers_release(&first);
    noise_free(noise);
    return ok;
}

bool find_confidence(const struct calibration_plan *plan, struct found_confidence *found, struct vouch_error *err)
{
    struct forecast_model forecast;
    *found = (struct found_confidence){.layers = plan->held->layers};
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_init(&found->model[l]);
    if (!fit_layers(plan, found, err))
        return false;
    found->json = found_json(plan, found);
    if (!found->json || (plan->sentences && plan->sentences->count &&
                         json_object_set_new(found->json, "sentences", digests_json(plan->sentences)) != 0))
        return fail_memory(err);
    return shift_fit(plan->held, found->model[0].params, &plan->work, &forecast, err) &&
           (!forecast.fitted || json_object_set_new(found->json, "forecast", forecast_model_json(&forecast)) == 0 ||
            fail_memory(err));
}

void found_confidence_release(struct found_confidence *found)
{
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        confidence_model_release(&found->model[l]);
    json_decref(found->json);
    *found = (struct found_confidence){0};
}

void warn_of_few_errors(const struct vouch_watch *watch, const char *layer,
                        const struct confidence_model *confidence_model)
{
    static const char *const names[UNITS][2] = {{"word", "words"}, {"chunk", "chunks"}, {"sentence", "sentences"}};
    const struct method_model *most = &confidence_model->method_model[0]; /* the method that has judged most answers */
    for (uint32_t b = 0; b < confidence_model->count; b++)
        if (confidence_model->method_model[b].figure[UNIT_WORD][FIGURE_COUNT] > most->figure[UNIT_WORD][FIGURE_COUNT])
            most = &confidence_model->method_model[b];
    char counts[UNITS * 40] = "";
    for (enum unit u = 0; confidence_model->count && u < UNITS; u++)
        if (most->figure[u][FIGURE_COUNT] > 0 && most->figure[u][FIGURE_ERRORS] < ERRORS_ENOUGH) {
            double errors = most->figure[u][FIGURE_ERRORS];
            size_t used = strlen(counts);
            snprintf(counts + used, sizeof counts - used, "%s %.0f wrong %s", used ? "," : "", errors,
                     names[u][errors != 1]);
        }
    if (*counts)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: too few errors to calibrate %s confidence on:%s; with fewer than %d the numbers stay "
                  "near the share of right answers",
                  layer, counts, ERRORS_ENOUGH);
}
