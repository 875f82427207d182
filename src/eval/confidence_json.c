/* Writes how far confidence can be trusted as JSON: see evaluation.h. */
#include "eval/evaluation.h"

#include <math.h>
#include <stdio.h>

/* A figure that is not defined becomes null. */
static json_t *number(double figure)
{
    return isfinite(figure) ? json_real(figure) : json_null();
}

static json_t *pair(struct interval interval)
{
    return isnan(interval.low) ? json_null() : json_pack("[f, f]", interval.low, interval.high);
}

/* Makes an object of figures at certain percentages, with the percentages as keys. */
static json_t *by_percent(const unsigned *percent, const double *figure, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        char key[16];
        snprintf(key, sizeof key, "%u", percent[i]);
        json_object_set_new(object, key, number(figure[i]));
    }
    return object;
}

static json_t *bins(const struct reliability_bin *bin)
{
    json_t *array = json_array();
    for (size_t i = 0; i < RELIABILITY_BINS; i++)
        json_array_append_new(array, json_pack("{s:I, s:I, s:o, s:o}", "count", (json_int_t)bin[i].words, "right",
                                               (json_int_t)bin[i].right, "confidence", number(bin[i].confidence),
                                               "accuracy", number(bin[i].accuracy)));
    return array;
}

static json_t *reliability(const struct reliability *r)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rmse", number(r->rmse), "rmse_floor",
                     number(r->rmse_floor), "ece", number(r->ece), "ece_equal_mass", number(r->ece_equal_mass), "brier",
                     number(r->brier), "log_loss", number(r->log_loss), "confidence", number(r->confidence), "accuracy",
                     number(r->accuracy), "bins", bins(r->bin));
}

static json_t *intervals(const struct method_eval *c)
{
    const struct quality_intervals *i = &c->intervals;
    json_t *object = json_pack("{s:o, s:o}", "average_precision", pair(i->average_precision), "area_under_roc",
                               pair(i->area_under_roc));
    if (c->bounded) {
        json_object_set_new(object, "ece", pair(i->ece));
        json_object_set_new(object, "brier", pair(i->brier));
        json_object_set_new(object, "rmse", pair(i->rmse));
    }
    return object;
}

static json_t *method(const struct method_eval *c, bool resampled)
{
    const struct ranking *r = &c->quality.ranking;
    json_t *object = json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "method", c->method, "calibrated",
                               c->unstated ? json_null() : json_boolean(c->calibrated), "average_precision",
                               number(r->average_precision), "area_under_roc", number(r->area_under_roc),
                               "precision_at_recall", by_percent(ranking_recall, r->precision, RANKING_RECALLS),
                               "errors_found", by_percent(ranking_inspected, r->found, RANKING_INSPECTED),
                               "area_under_risk_coverage", number(r->area_under_risk_coverage));
    json_object_set_new(object, "reliability", c->bounded ? reliability(&c->quality.reliability) : json_null());
    if (resampled)
        json_object_set_new(object, "intervals", intervals(c));
    return object;
}

/* Lists the differences between every two methods on words, on the same samples. */
static json_t *comparisons(const struct confidence_eval *c)
{
    const struct method_eval *method_eval = c->rows[ASPECT_WORDS].method_eval;
    json_t *each = json_array();
    for (size_t i = 0; i < c->comparisons; i++) {
        const struct comparison *one = &c->comparison[i];
        json_t *object =
            json_pack("{s:s, s:s, s:o, s:o}", "first", method_eval[one->first].method, "second",
                      method_eval[one->second].method, "average_precision", number(one->difference[PAIRED_PRECISION]),
                      "average_precision_interval", pair(one->interval[PAIRED_PRECISION]));
        if (!isnan(one->difference[PAIRED_RMSE])) {
            json_object_set_new(object, "rmse", number(one->difference[PAIRED_RMSE]));
            json_object_set_new(object, "rmse_interval", pair(one->interval[PAIRED_RMSE]));
        }
        json_array_append_new(each, object);
    }
    return each;
}

json_t *confidence_eval_json(const struct confidence_eval *c)
{
    json_t *report = json_pack("{s:I}", "resamples", (json_int_t)c->resamples);
    for (enum aspect a = 0; a < ASPECTS; a++) {
        const struct confidence_eval_rows *r = &c->rows[a];
        json_t *each = json_array();
        for (uint32_t j = 0; r->present && j < c->methods; j++)
            json_array_append_new(each, method(&r->method_eval[j], c->resamples > 0));
        json_t *rows = json_pack("{s:I, s:I, s:o}", "count", (json_int_t)r->rows.count, "wrong", (json_int_t)r->wrong,
                                 "methods", each);
        if (a == ASPECT_WORDS && c->comparisons)
            json_object_set_new(rows, "differences", comparisons(c));
        if (r->present)
            json_object_set(report, aspect_names[a], rows);
        json_decref(rows);
    }
    return report;
}
