/*
 * Reads and writes a confidence model as JSON: see confidence_model.h.
 *
 *   {"parameters": {"cw": {"K_best": 20, "K": 50, "s_fix": 0.1, "s_pc": 1, "c": 1}, ...},
 *    "preferred": "committee",
 *    "methods": {"kd-fix": {"words": {"kind": "isotonic", "x": [...], "y": [...]}, "spans": {"bias": ...},
 *                           "sentences": {"bias": ...}, "evidence": {"words": {"count": 1000, ...}, ...}}, ...},
 *    "committee": {"logistic": {...}, "boosted": {...}, "after": {...}}, "committee+text": {...}}
 *
 * Every number that is read is checked before it is used, since the file may be damaged or forged.
 */
#include "model/confidence_model.h"

#include "base/spelling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const unit_names[UNITS] = {"words", "spans", "sentences"};
static const char *const figure_names[FIGURES] = {"count", "errors", "ap", "auroc", "aurc", "ece", "brier", "loss"};
static const char *const kind_names[CALIBRATION_KINDS] = {"none", "isotonic", "platt", "beta"};

enum { MAX_TREES = 1000, MAX_KBEST = 1000 };

void confidence_model_init(struct confidence_model *b)
{
    *b = (struct confidence_model){0};
    for (uint32_t v = 0; v < MAX_VOICE_VIEWS; v++)
        b->params[v] = default_method_params;
}

void confidence_model_release(struct confidence_model *b)
{
    for (uint32_t i = 0; i < b->count; i++) {
        calibration_release(&b->method_model[i].calibration);
        for (int u = 0; u < UNITS; u++)
            logistic_release(&b->method_model[i].joint[u]);
    }
    forecaster_release(&b->forecaster);
    discount_release(&b->discount);
    forecaster_release(&b->with_text);
    confidence_model_init(b);
}

static bool fail_without_method(const char *name, size_t length, struct vouch_error *err)
{
    char typed[61], hint[SPELLING_HINT];
    snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    struct spelling spelling = {.typed = typed};
    for (size_t i = 0; methods[i]; i++)
        spelling_try(&spelling, methods[i]->name, strlen(methods[i]->name));
    spelling_try_words(&spelling, "committee " COMMITTEE_TEXT " all none");
    return fail(err, VOUCH_ERR_ARGUMENT,
                "expected a method of confidence (see 'vouch help confidence'), found '%.60s'%s", name,
                spelling_hint(&spelling, "", hint, sizeof hint));
}

bool method_parse(const char *name, const struct model_layer *layer, const struct method **method, uint32_t *of,
                  struct vouch_error *err)
{
    const char *at = strchr(name, '@');
    size_t length = at ? (size_t)(at - name) : strlen(name);
    *method = method_find(name, length);
    *of = 0;
    if (!*method && strcmp(name, "committee") != 0 && strcmp(name, COMMITTEE_TEXT) != 0)
        return fail_without_method(name, length, err);
    if (!at)
        return true;
    for (uint32_t v = 0; v < layer->voices; v++)
        if (strcmp(layer->voice[v].name, at + 1) == 0) {
            *of = v;
            return true;
        }
    return fail(err, VOUCH_ERR_ARGUMENT, "expected a voice of the model after '@', found '%.60s'", name);
}

bool method_suits(const struct method *method, const struct model_voice *voice)
{
    return (!method->variance || voice->var) && (!method->sets || voice->sets > 1);
}

struct method_model *confidence_model_find(struct confidence_model *b, const char *name,
                                           const struct model_layer *layer, struct vouch_error *err)
{
    const struct method *method;
    uint32_t of;
    if (!method_parse(name, layer, &method, &of, err))
        return NULL;
    bool text = strcmp(name, COMMITTEE_TEXT) == 0;
    for (uint32_t i = 0; i < b->count; i++)
        if (b->method_model[i].method == method && b->method_model[i].text == text && b->method_model[i].voice == of)
            return &b->method_model[i];
    if (b->count == MAX_METHOD_MODELS) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d methods", MAX_METHOD_MODELS);
        return NULL;
    }
    bool none = b->preferred == b->count;
    struct method_model *added = &b->method_model[b->count++];
    b->preferred += none;
    *added = (struct method_model){.method = method, .text = text, .voice = of};
    for (int u = 0; u < UNITS; u++)
        for (int k = 0; k < FIGURES; k++)
            added->figure[u][k] = NAN;
    snprintf(added->name, sizeof added->name, "%s%s%s", method ? method->name : name, of ? "@" : "",
             of ? layer->voice[of].name : "");
    return added;
}

static json_t *numbers(const double *x, size_t n)
{
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(array, json_real(x[i]));
    return array;
}

json_t *calibration_describe(const struct calibration *c)
{
    json_t *json = json_pack("{s:s, s:b, s:f}", "kind", kind_names[c->kind], "margin", c->margin, "limit", c->limit);
    if (c->kind == CALIBRATE_ISOTONIC) {
        json_object_set_new(json, "x", numbers(c->x, c->points));
        json_object_set_new(json, "y", numbers(c->y, c->points));
    } else {
        json_object_set_new(json, "a", json_real(c->a));
        json_object_set_new(json, "b", json_real(c->b));
        json_object_set_new(json, "c", json_real(c->c));
    }
    return json;
}

static json_t *logistic_json(const struct logistic *l)
{
    return json_pack("{s:f, s:o, s:o, s:o}", "bias", l->bias, "weight", numbers(l->weight, l->features), "mean",
                     numbers(l->mean, l->features), "scale", numbers(l->scale, l->features));
}

static json_t *boost_json(const struct boost *b)
{
    size_t nodes = ((size_t)1 << b->depth) - 1;
    json_t *feature = json_array();
    for (size_t i = 0; i < b->trees * nodes; i++)
        json_array_append_new(feature, json_integer(b->feature[i]));
    return json_pack("{s:i, s:i, s:o, s:o, s:o}", "trees", (int)b->trees, "depth", (int)b->depth, "feature", feature,
                     "threshold", numbers(b->threshold, b->trees * nodes), "leaf",
                     numbers(b->leaf, b->trees * (nodes + 1)));
}

json_t *forecaster_describe(const struct forecaster *f)
{
    json_t *json = json_pack("{s:o, s:o}", "logistic", logistic_json(&f->logistic), "boosted", boost_json(&f->boost));
    if (f->after.kind != CALIBRATE_NONE)
        json_object_set_new(json, "after", calibration_describe(&f->after));
    return json;
}

static json_t *discount_json(const struct shift_discount *c)
{
    return json_pack("{s:o, s:f, s:o}", "unlike", forecaster_describe(&c->unlike), "balance", c->balance, "other",
                     logistic_json(&c->other));
}

static json_t *figures_json(const struct method_model *method_model)
{
    json_t *json = json_object();
    for (int u = 0; u < UNITS; u++) {
        const double *figure = method_model->figure[u];
        if (isnan(figure[FIGURE_COUNT]))
            continue;
        json_t *of = json_object();
        for (int k = 0; k < FIGURES; k++)
            if (k <= FIGURE_ERRORS)
                json_object_set_new(of, figure_names[k], json_integer((json_int_t)figure[k]));
            else if (isfinite(figure[k]))
                json_object_set_new(of, figure_names[k], json_real(figure[k]));
        json_object_set_new(json, unit_names[u], of);
    }
    return json;
}

static json_t *method_model_json(const struct method_model *method_model)
{
    json_t *json = json_object();
    if (method_model->calibration.kind != CALIBRATE_NONE)
        json_object_set_new(json, unit_names[UNIT_WORD], calibration_describe(&method_model->calibration));
    for (int u = UNIT_SPAN; u < UNITS; u++)
        if (method_model->joint[u].features)
            json_object_set_new(json, unit_names[u], logistic_json(&method_model->joint[u]));
    json_object_set_new(json, "evidence", figures_json(method_model));
    return json;
}

json_t *method_params_json(const struct method_params *k)
{
    return json_pack("{s:i, s:i, s:i, s:b, s:f, s:f, s:f}", "K_best", (int)k->best, "K_weighted",
                     (int)(k->weighted ? k->weighted : k->best), "K", (int)k->draws, "paired", !k->plain, "s_fix",
                     k->fix, "s_pc", k->pc, "c", k->c);
}

json_t *confidence_model_json(const struct confidence_model *b, const struct model_layer *layer)
{
    json_t *parameters = json_object(), *list = json_object();
    for (uint32_t v = 0; v < layer->voices; v++)
        json_object_set_new(parameters, layer->voice[v].name, method_params_json(&b->params[v]));
    for (uint32_t i = 0; i < b->count; i++)
        json_object_set_new(list, b->method_model[i].name, method_model_json(&b->method_model[i]));
    json_t *json = json_pack("{s:o, s:o}", "parameters", parameters, "methods", list);
    if (b->forecaster.fitted)
        json_object_set_new(json, "committee", forecaster_describe(&b->forecaster));
    if (b->discount.fitted)
        json_object_set_new(json, "caution", discount_json(&b->discount));
    if (b->with_text.fitted)
        json_object_set_new(json, COMMITTEE_TEXT, forecaster_describe(&b->with_text));
    if (b->preferred < b->count)
        json_object_set_new(json, "preferred", json_string(b->method_model[b->preferred].name));
    return json;
}

static bool damaged(const char *name, struct vouch_error *err)
{
    if (err && err->status == VOUCH_ERR_MEMORY)
        return false;
    return fail(err, VOUCH_ERR_FORMAT, "%s: the header's confidence is damaged", name);
}

/* Reads exactly `n` finite numbers. */
static bool fill_numbers(const json_t *array, size_t n, double *x)
{
    if (!json_is_array(array) || json_array_size(array) != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        x[i] = json_number_value(json_array_get(array, i));
        if (!json_is_number(json_array_get(array, i)) || !isfinite(x[i]))
            return false;
    }
    return true;
}

/* Does the same into memory to be freed. */
static bool read_numbers(const json_t *array, size_t n, double **x, struct vouch_error *err)
{
    if (!json_is_array(array) || json_array_size(array) != n)
        return false;
    *x = new_array(n + 1, sizeof **x, err);
    return *x && fill_numbers(array, n, *x);
}

/* Reads a finite number, not less than `least`. */
static bool number_at(const json_t *object, const char *key, double least, double *x)
{
    const json_t *found = json_object_get(object, key);
    *x = json_number_value(found);
    return json_is_number(found) && isfinite(*x) && *x >= least;
}

static bool whole_at(const json_t *object, const char *key, json_int_t least, json_int_t most, uint32_t *x)
{
    const json_t *found = json_object_get(object, key);
    json_int_t value = json_integer_value(found);
    *x = (uint32_t)value;
    return json_is_integer(found) && value >= least && value <= most;
}

static bool ascends(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (!(x[i - 1] < x[i]))
            return false;
    return true;
}

static bool read_isotonic(struct calibration *c, const json_t *json, struct vouch_error *err)
{
    size_t points = json_array_size(json_object_get(json, "x"));
    if (points < 1 || points > CALIBRATION_POINTS)
        return false;
    c->points = (uint32_t)points;
    return read_numbers(json_object_get(json, "x"), points, &c->x, err) &&
           read_numbers(json_object_get(json, "y"), points, &c->y, err) && ascends(c->x, points) &&
           ascends(c->y, points) && c->y[0] >= 0 && c->y[points - 1] <= 1;
}

bool calibration_read(struct calibration *c, const json_t *json, struct vouch_error *err)
{
    const json_t *margin = json_object_get(json, "margin");
    const char *kind = json_string_value(json_object_get(json, "kind"));
    c->kind = CALIBRATE_NONE;
    for (int i = 1; kind && i < CALIBRATION_KINDS; i++)
        if (strcmp(kind, kind_names[i]) == 0)
            c->kind = (enum calibration_kind)i;
    c->margin = json_is_true(margin);
    if (c->kind == CALIBRATE_NONE || !json_is_boolean(margin) || !number_at(json, "limit", 0, &c->limit))
        return false;
    if (c->kind == CALIBRATE_ISOTONIC)
        return read_isotonic(c, json, err);
    bool beta = c->kind == CALIBRATE_BETA;
    return number_at(json, "a", 0, &c->a) && number_at(json, "b", beta ? 0 : -INFINITY, &c->b) &&
           number_at(json, "c", -INFINITY, &c->c) && !(beta && c->margin);
}

static bool read_logistic(struct logistic *l, const json_t *json, uint32_t features, struct vouch_error *err)
{
    return logistic_init(l, features, err) && number_at(json, "bias", -INFINITY, &l->bias) &&
           fill_numbers(json_object_get(json, "weight"), features, l->weight) &&
           fill_numbers(json_object_get(json, "mean"), features, l->mean) &&
           fill_numbers(json_object_get(json, "scale"), features, l->scale);
}

static bool read_boost(struct boost *b, const json_t *json, uint32_t features, struct vouch_error *err)
{
    const json_t *feature = json_object_get(json, "feature");
    b->features = features;
    if (!whole_at(json, "trees", 0, MAX_TREES, &b->trees) || !whole_at(json, "depth", 1, BOOST_DEEPEST, &b->depth))
        return false;
    size_t nodes = ((size_t)1 << b->depth) - 1, all = b->trees * nodes;
    b->feature = new_array(all + 1, sizeof *b->feature, err);
    if (!b->feature || !json_is_array(feature) || json_array_size(feature) != all)
        return false;
    for (size_t i = 0; i < all; i++) {
        const json_t *one = json_array_get(feature, i);
        json_int_t f = json_integer_value(one);
        if (!json_is_integer(one) || f < 0 || f >= features)
            return false;
        b->feature[i] = (uint32_t)f;
    }
    return read_numbers(json_object_get(json, "threshold"), all, &b->threshold, err) &&
           read_numbers(json_object_get(json, "leaf"), b->trees * (nodes + 1), &b->leaf, err);
}

bool forecaster_read(struct forecaster *f, const json_t *json, uint32_t signals, struct vouch_error *err)
{
    const json_t *after = json_object_get(json, "after");
    f->fitted = true;
    return read_logistic(&f->logistic, json_object_get(json, "logistic"), signals, err) &&
           read_boost(&f->boost, json_object_get(json, "boosted"), signals, err) &&
           (!after || calibration_read(&f->after, after, err));
}

static bool read_discount(struct shift_discount *c, const json_t *json, struct vouch_error *err)
{
    c->fitted = true;
    return forecaster_read(&c->unlike, json_object_get(json, "unlike"), UNLIKE_FEATURES, err) &&
           number_at(json, "balance", -INFINITY, &c->balance) &&
           read_logistic(&c->other, json_object_get(json, "other"), OTHER_FEATURES, err);
}

/* Limits far beyond sensible values, but within which scores stay finite. */
#define LARGEST_S 1e12
#define LARGEST_C 1e12

uint32_t method_model_signals(const struct method_model *method_model, enum unit unit, const uint32_t committee[UNITS])
{
    return (method_model->method ? 1 : committee[unit]) + JOINT_SIGNALS;
}

static bool read_method_model(struct method_model *method_model, const json_t *json, const uint32_t signals[UNITS],
                              struct vouch_error *err)
{
    const json_t *words = json_object_get(json, unit_names[UNIT_WORD]);
    if (words && (!method_model->method || !calibration_read(&method_model->calibration, words, err)))
        return false;
    for (enum unit u = UNIT_SPAN; u < UNITS; u++) {
        const json_t *found = json_object_get(json, unit_names[u]);
        if (found &&
            !read_logistic(&method_model->joint[u], found, method_model_signals(method_model, u, signals), err))
            return false;
    }
    /* The figures are copied: the header belongs to the model, which several threads may be reading. */
    for (int u = 0; u < UNITS; u++)
        for (int k = 0; k < FIGURES; k++) {
            const json_t *of = json_object_get(json_object_get(json, "evidence"), unit_names[u]);
            const json_t *figure = json_object_get(of, figure_names[k]);
            method_model->figure[u][k] = json_is_number(figure) ? json_number_value(figure) : NAN;
        }
    return true;
}

/* Reads all methods. Each may be there once. */
static bool read_methods(struct confidence_model *b, json_t *json, const struct model_layer *layer,
                         const uint32_t signals[UNITS], struct vouch_error *err)
{
    const char *key;
    json_t *value;
    if (!json_is_object(json))
        return false;
    json_object_foreach(json, key, value)
    {
        uint32_t before = b->count;
        struct method_model *method_model = confidence_model_find(b, key, layer, err);
        if (!method_model || b->count == before || !json_is_object(value) ||
            !read_method_model(method_model, value, signals, err))
            return false;
    }
    return true;
}

bool confidence_model_known(const json_t *header, const char *layer, const json_t **known, const char *name,
                            struct vouch_error *err)
{
    const json_t *confidence = json_object_get(header, "confidence");
    *known = json_object_get(json_object_get(confidence, "layers"), layer);
    json_int_t form = json_integer_value(json_object_get(confidence, "form"));
    if (*known && form != CONFIDENCE_MODEL_FORM)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: its confidence was calibrated by another version of vouch: calibrate it anew with vouch tune, "
                    "or train it again",
                    name);
    return !confidence || json_is_object(*known) || damaged(name, err);
}

static bool read_all_params(struct method_params *params, const json_t *json, const struct model_layer *layer,
                            const char *name, struct vouch_error *err)
{
    for (uint32_t v = 0; v < layer->voices; v++) {
        const json_t *own = json_object_get(json_object_get(json, "parameters"), layer->voice[v].name);
        struct method_params *k = &params[v];
        if (!whole_at(own, "K_best", 1, MAX_KBEST, &k->best) || !whole_at(own, "K", 1, MAX_DRAWS, &k->draws) ||
            !number_at(own, "s_fix", 0, &k->fix) || k->fix > LARGEST_S || !number_at(own, "s_pc", 0, &k->pc) ||
            k->pc > LARGEST_S || !number_at(own, "c", 0, &k->c) || k->c <= 0 || k->c > LARGEST_C)
            return damaged(name, err);
        const json_t *paired = json_object_get(own, "paired");
        k->weighted = k->best; /* older models have one K for both, and plain draws alone */
        if ((json_object_get(own, "K_weighted") && !whole_at(own, "K_weighted", 1, MAX_KBEST, &k->weighted)) ||
            (paired && !json_is_boolean(paired)))
            return damaged(name, err);
        k->plain = !json_is_true(paired);
    }
    return true;
}

bool confidence_model_params(const struct vouch_model *model, uint32_t l, struct method_params *params, bool *known,
                             struct vouch_error *err)
{
    const struct model_layer *layer = &model->layer[l];
    const json_t *found;
    if (!confidence_model_known(model->header, layer->name, &found, model->file.name, err))
        return false;
    *known = found != NULL;
    return !found || read_all_params(params, found, layer, model->file.name, err);
}

bool confidence_model_read(struct confidence_model *b, const json_t *json, const struct model_layer *layer,
                           const uint32_t signals[UNITS], const char *name, struct vouch_error *err)
{
    const json_t *committee = json_object_get(json, "committee"), *discount = json_object_get(json, "caution");
    const json_t *with_text = json_object_get(json, COMMITTEE_TEXT);
    if (!read_all_params(b->params, json, layer, name, err))
        return false;
    if ((committee && !forecaster_read(&b->forecaster, committee, signals[UNIT_WORD], err)) ||
        (discount && !read_discount(&b->discount, discount, err)) ||
        (with_text && !forecaster_read(&b->with_text, with_text, COMMITTEE_TEXT_SIGNALS, err)) ||
        !read_methods(b, json_object_get(json, "methods"), layer, signals, err))
        return damaged(name, err);
    const json_t *preferred = json_object_get(json, "preferred");
    b->preferred = b->count;
    for (uint32_t i = 0; json_is_string(preferred) && i < b->count; i++)
        if (strcmp(b->method_model[i].name, json_string_value(preferred)) == 0)
            b->preferred = i;
    return !preferred || b->preferred < b->count || damaged(name, err);
}

const char *const covered_names[COVERED] = {"words", "chunks", "relations"};

json_t *coverage_model_json(const struct coverage_model *model)
{
    json_t *json = json_pack("{s:f, s:s}", "coverage", model->target, "method", model->method);
    json_t *by_label = json_object();
    bool ok = json && by_label;
    for (enum covered what = 0; ok && what < COVERED; what++)
        ok = (!model->has[what] ||
              json_object_set_new(json, covered_names[what], json_real(model->least.of[what])) == 0) &&
             (!model->least.by_label[what] ||
              json_object_set(by_label, covered_names[what], model->least.by_label[what]) == 0);
    ok = ok && (json_object_size(by_label) == 0 || json_object_set(json, "by_label", by_label) == 0);
    json_decref(by_label);
    if (!ok)
        json_decref(json);
    return ok ? json : NULL;
}

/* Whether every label has a threshold; NULL is no table. */
static bool label_thresholds_sound(json_t *table)
{
    const char *label;
    json_t *least;
    json_object_foreach(table, label, least)
    {
        if (!json_is_number(least) || !(json_number_value(least) >= 0 && json_number_value(least) <= 1))
            return false;
    }
    return !table || json_is_object(table);
}

bool coverage_model_read(struct coverage_model *model, const json_t *header, const char *name, struct vouch_error *err)
{
    const json_t *json = json_object_get(header, "coverage"), *by_label = json_object_get(json, "by_label");
    const char *method = json_string_value(json_object_get(json, "method"));
    *model = (struct coverage_model){.known = json != NULL, .least.of = {1, 1, NAN}};
    if (!json)
        return true;
    model->documents = json_object_get(json, "documents") != NULL;
    bool ok = method && strlen(method) < sizeof model->method && number_at(json, "coverage", 0, &model->target) &&
              model->target <= 1 && json_object_get(json, covered_names[COVERED_WORDS]) &&
              (!by_label || json_is_object(by_label));
    for (enum covered what = 0; ok && what < COVERED; what++) {
        model->has[what] = json_object_get(json, covered_names[what]) != NULL;
        model->least.by_label[what] = json_object_get(by_label, covered_names[what]);
        ok = (!model->has[what] || number_at(json, covered_names[what], 0, &model->least.of[what])) &&
             !(model->least.of[what] > 1) && label_thresholds_sound(model->least.by_label[what]);
    }
    if (!ok)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's coverage is damaged", name);
    memcpy(model->method, method, strlen(method) + 1);
    return true;
}
