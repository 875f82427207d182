/* Trades precision against recall on labelled files: see trading.h. */
#include "trade/trading.h"

#include "answer/model_input.h"
#include "answer/seen_before.h"
#include "task/task.h"
#include "answer/answer_files.h"
#include "trade/guarantee.h"
#include "trade/trade_summary.h"

#include <stdio.h>
#include <string.h>

bool trading_wants_point(const struct settings *s)
{
    return s->precision >= 0 || s->recall >= 0;
}

bool trading_prepare(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    bool both = strcmp(s->direction, "both") == 0, words = strcmp(s->unit, trade_unit_names[TRADE_WORDS]) == 0;
    bool by_words = strcmp(s->by, trade_unit_names[TRADE_WORDS]) == 0;
    if (s->confidence && strcmp(s->confidence, "none") == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "trading goes by confidence: expected a method in --confidence, found 'none'");
    for (enum direction d = 0; d < DIRECTIONS; d++)
        t->towards[d] = both || strcmp(s->direction, direction_names[d]) == 0;
    if (!t->towards[TOWARDS_PRECISION] && !t->towards[TOWARDS_RECALL])
        return fail_value(err, "direction", "precision, recall or both", s->direction);
    if (!words && strcmp(s->unit, trade_unit_names[TRADE_ENTITIES]) != 0)
        return fail_value(err, "unit", "entities or words", s->unit);
    if (!by_words && strcmp(s->by, trade_unit_names[TRADE_ENTITIES]) != 0)
        return fail_value(err, "by", "entities or words", s->by);
    if (s->precision >= 0 && s->recall >= 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected --precision or --recall, not both: the other one is what is left");
    if (s->guarantee > 0 && !trading_wants_point(s))
        return fail(err, VOUCH_ERR_ARGUMENT, "--guarantee says how surely: expected --precision or --recall with it");
    if (s->guarantee >= 1 || (s->guarantee > 0 && (s->precision >= 1 || s->recall >= 1)))
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected %s below 1",
                    s->guarantee >= 1 ? "--guarantee" : "--precision or --recall");
    t->trade.unit = words ? TRADE_WORDS : TRADE_ENTITIES;
    t->trade.merge_types = s->merge_types;
    t->trade.by_words = by_words;
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct trading *t = context;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(t->gold, t->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        t->gold[i] = task_gold(t->task, sentence->gold[i]);
        t->known += dictionary_find(&t->model->labels.written, t->gold[i]) != 0;
    }
    return trade_add(&t->trade, t->gold, sentence->N, answer, err);
}

static bool make_estimator(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct estimate_request request = {
        .methods = s->confidence, .others = t->towards[TOWARDS_RECALL], .draws = (uint32_t)s->draws, .raw = s->raw};
    if (!estimator_make(t->model, &request, &t->estimator, err))
        return false;
    if (!t->estimator)
        return fail_uncalibrated(t->model, err);
    t->trade.methods = t->estimator->methods;
    for (uint32_t j = 0; j < t->estimator->methods; j++)
        t->trade.name[j] = t->estimator->layer[0].chosen[j].name;
    return true;
}

static bool fits(const struct trading *t, struct vouch_error *err)
{
    if (t->model->trees)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected a model that labels entities or chunks, found one that parses", t->model->file.name);
    if (t->model->labels.outer == SCHEME_NONE)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected a model that labels entities or chunks, found labels that stand for themselves",
                    t->model->file.name);
    return true;
}

bool trading_open(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    if (!fits(t, err) || (s->guarantee > 0 && !refuse_fitted_on(t->model, s->argument, s->arguments, err)))
        return false;
    t->task = task_or_any(t->model->task);
    t->trade.scheme = t->model->labels.outer;
    model_input_settle(t->model, &t->reading);
    return make_estimator(t, err);
}

static bool answer_all(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct answer_sink sink = {.take = take, .context = t};
    struct file_answering how = {.model = t->model,
                                 .estimator = t->estimator,
                                 .reading = t->reading,
                                 .threads = (uint32_t)s->threads,
                                 .watch = t->watch};
    bool ok = answer_files(&how, s->argument, s->arguments, &sink, err);
    if (ok && t->trade.words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->argument[0]);
    return ok;
}

/* Returns the figure that the settings ask for; *share becomes how much of it. */
static enum direction wanted_of(const struct settings *s, double *share)
{
    *share = s->precision >= 0 ? s->precision : s->recall;
    return s->precision >= 0 ? TOWARDS_PRECISION : TOWARDS_RECALL;
}

/* Finds the point that measures what was asked for, or more. */
static bool find_measured(struct trading *t, struct guaranteed *at, struct vouch_error *err)
{
    const struct trade_curve *curve;
    const struct trade_point *reach;
    double amount;
    enum direction wanted = wanted_of(t->settings, &amount);
    if (!trade_find(&t->trade, wanted, 100 * amount, &curve, &reach)) {
        struct tag_rates rates = tag_rates(reach->counts);
        return fail(
            err, VOUCH_ERR_ARGUMENT,
            "expected a %s of %.2f%% to be within reach: the most is %.2f%%, with a %s of %.2f%%, by %s towards "
            "%s at a threshold of %.9g",
            direction_names[wanted], 100 * amount, rate_of(rates, wanted), direction_names[opposite(wanted)],
            rate_of(rates, opposite(wanted)), t->trade.name[curve->method], direction_names[curve->direction],
            reach->threshold);
    }
    *at = (struct guaranteed){curve->method, curve->direction, reach->threshold, reach->counts, 0, true, amount};
    return true;
}

/* Finds the point that has what was asked for on other text as well, with the probability that was asked for. */
static bool find_guaranteed(struct trading *t, struct guaranteed *at, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    struct guarantee asked = {.level = 1 - s->guarantee};
    asked.wanted = wanted_of(s, &asked.target);
    memcpy(asked.towards, t->towards, sizeof asked.towards);
    if (!guarantee_find(&t->trade, &asked, at, err))
        return false;
    if (at->found)
        return true;
    if (at->best <= 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "no %s can be guaranteed with a probability of %.9g by %u sentences",
                    direction_names[asked.wanted], s->guarantee, t->trade.sentences);
    return fail(err, VOUCH_ERR_ARGUMENT,
                "a %s of %.2f%% cannot be guaranteed with a probability of %.9g by %u sentences: the most that can is "
                "about %.1f%%",
                direction_names[asked.wanted], 100 * asked.target, s->guarantee, t->trade.sentences, 100 * at->best);
}

/* Chooses the point that was asked for, as the header keeps it. */
static bool choose(struct trading *t, struct vouch_error *err)
{
    const struct settings *s = t->settings;
    double amount;
    enum direction wanted = wanted_of(s, &amount);
    struct guaranteed at;
    struct interval interval;
    if (!(s->guarantee > 0 ? find_guaranteed : find_measured)(t, &at, err) ||
        !guarantee_interval(&t->trade, &at, wanted, &interval, err))
        return false;
    t->point = (struct operating_point){.direction = at.direction,
                                        .threshold = at.threshold,
                                        .merge_types = s->merge_types,
                                        .by_words = t->trade.by_words,
                                        .raw = s->raw,
                                        .draws = (uint32_t)s->draws,
                                        .unit = t->trade.unit,
                                        .rates = tag_rates(at.counts),
                                        .wanted = wanted,
                                        .target = 100 * amount,
                                        .low = 100 * interval.low,
                                        .high = 100 * interval.high,
                                        .guarantee = s->guarantee,
                                        .cap = at.cap};
    snprintf(t->point.method, sizeof t->point.method, "%s", t->trade.name[at.method]);
    t->chosen = true;
    return true;
}

bool trading_run(struct trading *t, struct vouch_error *err)
{
    if (!answer_all(t, err))
        return false;
    if (!t->known)
        warn_of_unknown_labels(t->watch);
    return trade_measure(&t->trade, t->towards, (uint32_t)t->settings->threads, err) &&
           (!trading_wants_point(t->settings) || choose(t, err));
}

json_t *trading_record(const struct trading *t, struct vouch_error *err)
{
    char *command = settings_provenance(t->settings, &trade_options);
    json_t *record = operating_point_record(&t->point, t->settings->argument, t->settings->arguments, command, err);
    free(command);
    return record;
}

json_t *trading_json(const struct trading *t, json_t *record)
{
    json_t *result = trade_json(&t->trade);
    if (!record || json_object_set(result, "operating_point", record) == 0)
        return result;
    json_decref(result);
    return NULL;
}

void trading_release(struct trading *t)
{
    trade_release(&t->trade);
    estimator_free(t->estimator);
    free(t->gold);
}
