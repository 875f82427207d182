/* Calibrates on scores from elsewhere: see given_gold.h. */
#include "judge/given_gold.h"

#include "train/calibrate_learned.h"

#include "scores/given_scores.h"

#include <math.h>

void given_gold_release(struct given_gold *gold)
{
    for (uint32_t i = 0; i < gold->count; i++)
        score_sets_release(&gold->sentence[i]);
    free(gold->sentence);
    free(gold->start);
    free(gold->gold);
    *gold = (struct given_gold){0};
}

uint32_t *given_gold_add(struct given_gold *gold, struct score_sets *sentence, struct vouch_error *err)
{
    size_t N = sentence->mean.N, first = gold->count ? gold->start[gold->count] : 0;
    if (!RESERVE(gold->sentence, gold->sentence_capacity, (size_t)gold->count + 1, err) ||
        !RESERVE(gold->start, gold->start_capacity, (size_t)gold->count + 2, err) ||
        !RESERVE(gold->gold, gold->gold_capacity, first + N + 1, err))
        return NULL;
    gold->start[gold->count] = first;
    gold->sentence[gold->count++] = *sentence;
    gold->start[gold->count] = first + N;
    *sentence = (struct score_sets){0};
    return gold->gold + first;
}

static bool get(const void *self, uint32_t i, struct scratch *scratch, struct example *example, struct vouch_error *err)
{
    const struct given_gold *gold = self;
    (void)scratch;
    (void)err;
    *example = (struct example){given_parts(&gold->sentence[i]), gold->gold + gold->start[i]};
    return true;
}

static bool compare(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct given_gold *gold = self;
    const uint32_t *truth = gold->gold + gold->start[answer->number];
    (void)err;
    for (uint32_t n = 0; n < gold->sentence[answer->number].mean.N; n++)
        right[n] = answer->choice[n] == truth[n];
    return true;
}

static size_t words_before(const void *self, bool dev, uint32_t i)
{
    const struct given_gold *gold = self;
    (void)dev;
    return i ? gold->start[i] : 0;
}

static uint32_t words_of(const void *self, bool dev, uint32_t i)
{
    const struct given_gold *gold = self;
    (void)dev;
    return gold->sentence[i].mean.N;
}

/* Returns how far a word's scores lie apart: the mean, over words, of the variance of those that are possible. */
static double spread_of_scores(const struct given_gold *gold)
{
    double all = 0;
    size_t words = 0;
    for (uint32_t i = 0; i < gold->count; i++) {
        const struct scores *mean = &gold->sentence[i].mean;
        size_t options = mean->N ? (size_t)mean->G * mean->width / mean->N : 0;
        for (size_t n = 0; n < mean->N; n++, words++) {
            double sum = 0, squares = 0, count = 0;
            for (size_t y = 0; y < options; y++) {
                double x = (double)mean->node[n * options + y];
                bool possible = isfinite(x);
                sum += possible ? x : 0;
                count += possible;
            }
            for (size_t y = 0; y < options; y++) {
                double x = (double)mean->node[n * options + y];
                squares += isfinite(x) ? (x - sum / count) * (x - sum / count) : 0;
            }
            all += squares / count;
        }
    }
    return all > 0 ? all / (double)words : 1;
}

/*
 * The values that are tried, in units of the spread of the scores. Logits and log-probabilities of a model that is
 * neither too sure nor too unsure are best at c = 1, whatever their spread, which is from 1 to 10 for most.
 */
static const struct grids score_grids = {
    .of = {[PARAM_FIX] = {8, {0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2}},
           [PARAM_C] = {8, {0.25, 0.5, 1, 2, 3, 4.5, 7, 10}},
           [PARAM_BEST] = {4, {5, 10, 20, 40}}},
    .draws = 50,
    .words = {40000, 6000},
};

json_t *given_gold_calibrate(const struct given_gold *gold, const struct given_plan *plan, struct vouch_error *err)
{
    const struct model_layer *layer = &plan->model->layer[0];
    struct examples examples = {
        .structure = plan->structure, .space = layer->space, .count = gold->count, .self = gold, .get = get};
    struct dataset dataset = {.layers = 1,
                              .layer = {{.name = layer->name, .examples = {.structure = plan->structure}}},
                              .self = gold,
                              .rules = plan->rules,
                              .compare = compare,
                              .words_before = words_before,
                              .words_of = words_of};
    struct grids grids = score_grids;
    struct confidence_model confidence_model;
    struct held_out held = {0};
    json_t *json = NULL;
    dataset.layer[0].dev = examples;
    grids.draws = plan->draws;
    confidence_model_init(&confidence_model);
    struct calibration_plan calibration = {
        .held = &held, .grids = &grids, .unit = spread_of_scores(gold), .seed = plan->seed, .threads = plan->threads};
    struct step_watch step = {plan->watch, VOUCH_EVENT_CALIBRATING, "calibrating"};
    calibration_watched(&calibration, &step);
    if (held_out_dev(&held, &dataset, layer, err) && calibration_run(&calibration, &confidence_model, err)) {
        json = calibration_json(&calibration, &confidence_model);
        if (!json)
            fail_memory(err);
    }
    confidence_model_release(&confidence_model);
    held_out_release(&held);
    return json;
}
