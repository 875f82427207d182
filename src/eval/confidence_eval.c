/*
 * Evaluates confidence: collects the rows of answers, measures every method on them, and gives all figures as JSON.
 *
 * Measuring is one job for every kind of row and method, each O(resamples * rows).
 */
#include "eval/evaluation.h"

#include "base/parallel.h"
#include "confidence/evidence.h"
#include "core/scheme.h"
#include "model/records.h"

#include <math.h>
#include <stdio.h>

const char *const aspect_names[ASPECTS] = {"words", "relations", "inside", "spans", "sentences"};

/* The layer of each aspect, and the kind of its rows. */
static const struct {
    uint32_t layer;
    enum unit unit;
} about[ASPECTS] = {{0, UNIT_WORD}, {1, UNIT_WORD}, {0, UNIT_WORD}, {0, UNIT_SPAN}, {0, UNIT_SENTENCE}};

static bool name_methods(struct confidence_eval *c, const struct estimator *estimator, enum aspect a,
                         struct vouch_error *err)
{
    c->rows[a].method_eval = new_array(c->methods, sizeof *c->rows[a].method_eval, err);
    if (!c->rows[a].method_eval)
        return false;
    for (uint32_t j = 0; j < c->methods; j++) {
        const struct chosen_method *chosen = &estimator->layer[about[a].layer].chosen[j];
        struct method_eval *method_eval = &c->rows[a].method_eval[j];
        memcpy(method_eval->method, chosen->name, sizeof method_eval->method);
        method_eval->calibrated = chosen_is_calibrated_for(estimator, about[a].layer, j, about[a].unit);
        method_eval->bounded = chosen_is_bounded(estimator, about[a].layer, j, about[a].unit);
    }
    return true;
}

bool confidence_eval_init(struct confidence_eval *c, const struct estimator *estimator, struct vouch_error *err)
{
    *c = (struct confidence_eval){.methods = estimator->methods, .trees = estimator->model->trees};
    c->rows[ASPECT_WORDS].present = c->rows[ASPECT_SENTENCES].present = true;
    c->rows[ASPECT_RELATIONS].present = estimator->model->layers > 1;
    c->rows[ASPECT_INSIDE].present = c->rows[ASPECT_SPANS].present = estimator->rules.labels > 0;
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (c->rows[a].present && !name_methods(c, estimator, a, err))
            return false;
    return true;
}

bool confidence_eval_of_file(struct confidence_eval *c, const struct file_method *method, uint32_t count, bool trees,
                             struct vouch_error *err)
{
    *c = (struct confidence_eval){.methods = count, .trees = trees};
    for (enum aspect a = 0; a < ASPECTS; a++) {
        c->rows[a].present = trees ? a != ASPECT_SPANS && a != ASPECT_INSIDE : a != ASPECT_RELATIONS;
        c->rows[a].method_eval = new_array(count, sizeof *c->rows[a].method_eval, err);
        if (!c->rows[a].method_eval)
            return false;
        for (uint32_t j = 0; j < count; j++) {
            struct method_eval *method_eval = &c->rows[a].method_eval[j];
            const struct method *known = method_find(method[j].name, strcspn(method[j].name, "@")); /* "gamma@crf" */
            snprintf(method_eval->method, sizeof method_eval->method, "%s", method[j].name);
            method_eval->calibrated = method[j].calibrated;
            method_eval->unstated = !method[j].stated;
            method_eval->bounded = method[j].calibrated || !known || known->bounded;
        }
    }
    return true;
}

void confidence_eval_settle(struct confidence_eval *c)
{
    for (enum aspect a = 0; a < ASPECTS; a++) {
        struct confidence_eval_rows *r = &c->rows[a];
        bool any = false;
        for (size_t i = 0; r->present && i < r->rows.count * c->methods; i++) {
            double number = r->rows.value[i];
            struct method_eval *method_eval = &r->method_eval[i % c->methods];
            any = any || !isnan(number);
            method_eval->bounded = method_eval->bounded && !(number < 0 || number > 1);
        }
        r->present = any;
    }
}

void confidence_eval_release(struct confidence_eval *c)
{
    for (enum aspect a = 0; a < ASPECTS; a++) {
        score_rows_release(&c->rows[a].rows);
        for (uint32_t j = 0; c->rows[a].method_eval && j < c->methods; j++)
            free(c->rows[a].method_eval[j].by_label);
        free(c->rows[a].method_eval);
    }
    dictionary_release(&c->known);
    free(c->label);
    free(c->comparison);
    *c = (struct confidence_eval){0};
}

bool gold_span(const struct text *gold, uint32_t N, struct span span, struct text *type)
{
    struct text outside = text_of("O");
    if (!scheme_starts(span.from ? gold[span.from - 1] : outside, gold[span.from]))
        return false;
    uint32_t last = span.from;
    while (!scheme_ends(gold[last], last + 1 < N ? gold[last + 1] : outside))
        last++;
    scheme_split(gold[span.from], type);
    return last + 1 == span.to;
}

/* Returns the number of a label; 0 for none, or if there is no memory. */
static uint32_t number_of(struct confidence_eval *c, struct text label, struct vouch_error *err)
{
    return label.length ? dictionary_add(&c->known, label, err) : 0;
}

/* One answer of a sentence: word, relation or chunk i, or 0 for the whole. */
struct answered {
    uint32_t i;
    bool right;
    struct text label; /* may be empty */
};

/* Adds a row for an answer, with the number of every method. */
static bool add_row(struct confidence_eval *c, enum aspect a, struct answered one,
                    const struct confidences *confidences, struct vouch_error *err)
{
    struct confidence_eval_rows *r = &c->rows[a];
    double *number, *unused;
    r->rows.methods = c->methods;
    if (!score_rows_add(&r->rows, c->sentences, one.right, &number, &unused, err))
        return false;
    for (uint32_t j = 0; j < c->methods; j++) {
        const struct method_confidence *by = &confidences->by_method[j];
        number[j] = a == ASPECT_WORDS || a == ASPECT_INSIDE ? by->word[one.i]
                    : a == ASPECT_RELATIONS                 ? by->relation[one.i]
                    : a == ASPECT_SPANS                     ? by->span[one.i]
                                                            : by->sentence;
    }
    r->rows.label[r->rows.count - 1] = number_of(c, one.label, err);
    r->wrong += !one.right;
    return !one.label.length || r->rows.label[r->rows.count - 1];
}

bool confidence_eval_add(struct confidence_eval *c, const struct text *gold, const uint32_t *gold_head, uint32_t N,
                         const struct vouch_answer *answer, struct vouch_error *err)
{
    const struct confidences *of = answer->confidences;
    const struct text none = text_of("");
    bool all_right = true, relations = c->rows[ASPECT_RELATIONS].present && answer->label;
    for (uint32_t n = 0; n < N; n++) {
        struct text label = answer->label ? answer->label[n] : none;
        bool right = gold_head ? answer->head[n] == gold_head[n] : text_equal(label, gold[n]);
        bool inside = c->rows[ASPECT_INSIDE].present && scheme_inside(label);
        all_right = all_right && right;
        if (!add_row(c, ASPECT_WORDS, (struct answered){n, right, label}, of, err) ||
            (inside && !add_row(c, ASPECT_INSIDE, (struct answered){n, right, none}, of, err)) ||
            (relations &&
             !add_row(c, ASPECT_RELATIONS, (struct answered){n, text_equal(label, gold[n]), label}, of, err)))
            return false;
    }
    for (uint32_t i = 0; c->rows[ASPECT_SPANS].present && i < of->spans; i++) {
        struct text type;
        bool right = gold_span(gold, N, of->span[i], &type) && text_equal(type, of->span[i].type);
        if (!add_row(c, ASPECT_SPANS, (struct answered){i, right, of->span[i].type}, of, err))
            return false;
    }
    if (!add_row(c, ASPECT_SENTENCES, (struct answered){0, all_right, none}, of, err))
        return false;
    c->sentences++;
    return true;
}

struct judged *confidence_eval_judged(const struct confidence_eval *c, enum aspect a, uint32_t j, size_t *n,
                                      struct vouch_error *err)
{
    const struct confidence_eval_rows *r = &c->rows[a];
    struct judged *judged = score_rows_column(&r->rows, r->rows.value, c->methods, j, n, err);
    for (size_t i = 0; judged && r->method_eval[j].bounded && i < *n; i++)
        judged[i].confidence = fmin(fmax(judged[i].confidence, 0), 1); /* rounding may carry a sum of shares past 1 */
    return judged;
}

struct measuring {
    struct confidence_eval *confidence_eval;
    const struct work *work;
    double *kept; /* [methods][PAIRED][resamples] of the words; NULL: there is nothing to compare */
};

/* Measures the rows of one label, judged [n]. */
static bool measure_label(const struct judged *judged, size_t n, struct bootstrap how, struct label_eval *label,
                          struct vouch_error *err)
{
    struct quality quality;
    struct quality_intervals intervals = {.calibration = {NAN, NAN}};
    if (!quality_measure(judged, n, true, &quality, err) ||
        (how.resamples && n && !quality_bootstrap(judged, n, how, &intervals, err)))
        return false;
    *label = (struct label_eval){.count = n,
                                 .wrong = quality.errors,
                                 .confidence = quality.reliability.confidence,
                                 .accuracy = quality.reliability.accuracy,
                                 .ece = quality.reliability.ece,
                                 .calibration = intervals.calibration};
    return true;
}

/* Measures method j on the rows of every label. O(labels * rows). */
static bool measure_labels(const struct confidence_eval *c, enum aspect a, uint32_t j, struct bootstrap how,
                           struct vouch_error *err)
{
    const struct score_rows *rows = &c->rows[a].rows;
    struct method_eval *method_eval = &c->rows[a].method_eval[j];
    free(method_eval->by_label);
    method_eval->by_label = NULL;
    if (!c->labels || !rows->count || a == ASPECT_INSIDE || a == ASPECT_SENTENCES || !method_eval->bounded)
        return true;
    struct judged *judged = new_array(rows->count, sizeof *judged, err);
    method_eval->by_label = judged ? new_array(c->labels, sizeof *method_eval->by_label, err) : NULL;
    bool ok = method_eval->by_label;
    how.kept = NULL;
    for (uint32_t k = 0; ok && k < c->labels; k++) {
        size_t n = 0;
        for (size_t i = 0; i < rows->count; i++) {
            double number = rows->value[i * c->methods + j];
            if (rows->label[i] == c->label[k].number && !isnan(number))
                judged[n++] = (struct judged){fmin(fmax(number, 0), 1), rows->sentence[i], rows->right[i]};
        }
        ok = measure_label(judged, n, how, &method_eval->by_label[k], err);
    }
    free(judged);
    return ok;
}

static bool measure_method(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct measuring *m = context;
    const struct confidence_eval *c = m->confidence_eval;
    enum aspect a = (enum aspect)(job / c->methods);
    uint32_t j = job % c->methods;
    (void)thread;
    if (!c->rows[a].present)
        return true;
    struct method_eval *method_eval = &c->rows[a].method_eval[j];
    const struct interval none = {NAN, NAN};
    struct bootstrap how = {.resamples = c->resamples,
                            .seed = m->work->seed,
                            .threads = m->work->threads,
                            .probabilities = method_eval->bounded};
    size_t n;
    if (a == ASPECT_WORDS && m->kept)
        how.kept = m->kept + (size_t)j * PAIRED * c->resamples;
    struct judged *judged = confidence_eval_judged(c, a, j, &n, err);
    method_eval->intervals = (struct quality_intervals){none, none, none, none, {NAN, NAN}};
    bool ok = judged && quality_measure(judged, n, method_eval->bounded, &method_eval->quality, err) &&
              (c->resamples == 0 || n == 0 || quality_bootstrap(judged, n, how, &method_eval->intervals, err)) &&
              measure_labels(c, a, j, how, err);
    free(judged);
    return ok;
}

static double figure_of(const struct method_eval *method_eval, int figure)
{
    const struct quality *q = &method_eval->quality;
    return figure == PAIRED_PRECISION ? q->ranking.average_precision : q->reliability.rmse;
}

/* Finds the intervals of the differences of all pairs of methods on words. */
static bool compare(struct confidence_eval *c, const double *kept, struct vouch_error *err)
{
    const struct confidence_eval_rows *words = &c->rows[ASPECT_WORDS];
    size_t each = (size_t)PAIRED * c->resamples;
    double *scratch = new_array(c->resamples, sizeof *scratch, err);
    c->comparison = scratch ? new_array((size_t)c->methods * c->methods, sizeof *c->comparison, err) : NULL;
    for (uint32_t a = 0; c->comparison && a < c->methods; a++)
        for (uint32_t b = a + 1; b < c->methods; b++) {
            const struct method_eval *first = &words->method_eval[a], *second = &words->method_eval[b];
            if (first->quality.words != words->rows.count || second->quality.words != words->rows.count)
                continue; /* they were not resampled alike */
            struct comparison *pair = &c->comparison[c->comparisons++];
            *pair = (struct comparison){.first = a, .second = b};
            for (int f = 0; f < PAIRED; f++) {
                memcpy(scratch, kept + a * each + (size_t)f * c->resamples, c->resamples * sizeof *scratch);
                pair->difference[f] = figure_of(first, f) - figure_of(second, f);
                pair->interval[f] = difference_interval(scratch, kept + b * each + (size_t)f * c->resamples,
                                                        c->resamples, pair->difference[f]);
            }
        }
    free(scratch);
    return c->comparison != NULL;
}

static int by_name(const void *a, const void *b)
{
    struct text x = ((const struct eval_label *)a)->name, y = ((const struct eval_label *)b)->name;
    int order = memcmp(x.at, y.at, x.length < y.length ? x.length : y.length);
    return order ? order : (x.length > y.length) - (x.length < y.length);
}

struct eval_label *labels_by_name(const struct dictionary *labels, struct vouch_error *err)
{
    uint32_t count = labels->table.count;
    struct eval_label *label = new_array(count, sizeof *label, err);
    for (uint32_t id = 1; label && id <= count; id++)
        label[id - 1] = (struct eval_label){dictionary_text(labels, id), id};
    if (label)
        qsort(label, count, sizeof *label, by_name);
    return label;
}

/* Lists the labels of all rows. */
static bool list_labels(struct confidence_eval *c, struct vouch_error *err)
{
    free(c->label);
    c->label = labels_by_name(&c->known, err);
    c->labels = c->label ? c->known.table.count : 0;
    return c->label != NULL;
}

bool confidence_eval_measure(struct confidence_eval *c, uint32_t resamples, const struct work *work,
                             struct vouch_error *err)
{
    struct measuring measuring = {.confidence_eval = c, .work = work};
    bool pairs = resamples > 0 && c->methods > 1 && c->rows[ASPECT_WORDS].rows.count > 0;
    c->resamples = resamples;
    if (!list_labels(c, err))
        return false;
    if (pairs && !(measuring.kept = new_array((size_t)c->methods * PAIRED * resamples, sizeof(double), err)))
        return false;
    /* Words are most of the work, and methods may be one: resamples of each are made in parallel, if there are any. */
    bool ok = parallel_run(resamples ? 1 : work->threads, ASPECTS * c->methods, measure_method, &measuring, err) &&
              (!pairs || compare(c, measuring.kept, err));
    free(measuring.kept);
    return ok;
}

/* Seeds. */

static void add_figures(struct method_eval *to, const struct method_eval *from)
{
    for (int f = 0; f < PAIRED; f++)
        to->by_seed[f][to->seeds] = figure_of(from, f);
    to->seeds++;
}

void confidence_eval_add_seed(struct confidence_eval *c, const struct confidence_eval *other)
{
    for (uint32_t i = 0; i < other->methods; i++)
        for (uint32_t j = 0; j < c->methods; j++) {
            const struct method_eval *from = &other->rows[ASPECT_WORDS].method_eval[i];
            struct method_eval *to = &c->rows[ASPECT_WORDS].method_eval[j];
            if (strcmp(from->method, to->method) != 0 || to->seeds == MOST_SEEDS)
                continue;
            if (to->seeds == 0)
                add_figures(to, to);
            add_figures(to, from);
        }
}

/*
 * Moves an interval of a figure to the mean over seeds, and widens it by the interval of that: sentences and seeds are
 * drawn independently of each other, so that squares add up.
 */
static struct interval over_seeds(struct interval sentences, double figure, const double *by_seed, uint32_t seeds)
{
    double mean = sample_mean(by_seed, seeds), half = sample_interval(by_seed, seeds);
    double down = figure - sentences.low, up = sentences.high - figure;
    return (struct interval){mean - sqrt(down * down + half * half), mean + sqrt(up * up + half * half)};
}

static void settle_difference(struct comparison *pair, const struct method_eval *first,
                              const struct method_eval *second)
{
    uint32_t seeds = first->seeds > second->seeds ? first->seeds : second->seeds;
    double difference[MOST_SEEDS];
    for (int f = 0; seeds && f < PAIRED; f++) {
        for (uint32_t s = 0; s < seeds; s++)
            difference[s] = (first->seeds ? first->by_seed[f][s] : figure_of(first, f)) -
                            (second->seeds ? second->by_seed[f][s] : figure_of(second, f));
        pair->interval[f] = over_seeds(pair->interval[f], pair->difference[f], difference, seeds);
        pair->difference[f] = sample_mean(difference, seeds);
    }
}

void confidence_eval_settle_seeds(struct confidence_eval *c)
{
    struct method_eval *all = c->rows[ASPECT_WORDS].method_eval;
    for (size_t i = 0; i < c->comparisons; i++)
        settle_difference(&c->comparison[i], &all[c->comparison[i].first], &all[c->comparison[i].second]);
    for (uint32_t j = 0; j < c->methods; j++) {
        struct method_eval *m = &all[j];
        double *figure[PAIRED] = {&m->quality.ranking.average_precision, &m->quality.reliability.rmse};
        struct interval *interval[PAIRED] = {&m->intervals.average_precision, &m->intervals.rmse};
        for (int f = 0; m->seeds && f < PAIRED; f++) {
            *interval[f] = over_seeds(*interval[f], *figure[f], m->by_seed[f], m->seeds);
            *figure[f] = sample_mean(m->by_seed[f], m->seeds);
        }
    }
}

/* JSON. */

static json_t *figures_by_seed(const struct method_eval *m)
{
    static const char *const names[PAIRED] = {"average_precision", "rmse"};
    json_t *seeds = json_object();
    for (int f = 0; f < PAIRED; f++) {
        json_t *list = json_array();
        for (uint32_t s = 0; s < m->seeds; s++)
            json_array_append_new(list, figure_json(m->by_seed[f][s]));
        json_object_set_new(seeds, names[f], list);
    }
    return seeds;
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
        json_object_set_new(object, key, figure_json(figure[i]));
    }
    return object;
}

static json_t *bins(const struct reliability_bin *bin)
{
    json_t *array = json_array();
    for (size_t i = 0; i < RELIABILITY_BINS; i++)
        json_array_append_new(array, json_pack("{s:I, s:I, s:o, s:o}", "count", (json_int_t)bin[i].words, "right",
                                               (json_int_t)bin[i].right, "confidence", figure_json(bin[i].confidence),
                                               "accuracy", figure_json(bin[i].accuracy)));
    return array;
}

/* Adds the test of an ECE, if there was one. */
static void set_test(json_t *object, const struct calibration_test *test)
{
    if (isnan(test->p))
        return;
    json_object_set_new(object, "ece_limit", figure_json(test->limit));
    json_object_set_new(object, "ece_p", figure_json(test->p));
}

static json_t *reliability(const struct reliability *r, const struct calibration_test *test)
{
    json_t *json =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rmse", figure_json(r->rmse), "rmse_floor",
                  figure_json(r->rmse_floor), "ece", figure_json(r->ece), "ece_equal_mass",
                  figure_json(r->ece_equal_mass), "brier", figure_json(r->brier), "log_loss", figure_json(r->log_loss),
                  "confidence", figure_json(r->confidence), "accuracy", figure_json(r->accuracy), "bins", bins(r->bin));
    set_test(json, test);
    return json;
}

/* Makes an object of the figures of every label that has answers; NULL: there are no labels. */
static json_t *by_label(const struct confidence_eval *all, const struct method_eval *c)
{
    json_t *object = c->by_label ? json_object() : NULL;
    for (uint32_t k = 0; object && k < all->labels; k++) {
        const struct label_eval *label = &c->by_label[k];
        json_t *one = json_pack("{s:I, s:I, s:o, s:o, s:o}", "count", (json_int_t)label->count, "wrong",
                                (json_int_t)label->wrong, "confidence", figure_json(label->confidence), "accuracy",
                                figure_json(label->accuracy), "ece", figure_json(label->ece));
        set_test(one, &label->calibration);
        if (label->count)
            json_object_setn(object, all->label[k].name.at, all->label[k].name.length, one);
        json_decref(one);
    }
    return object;
}

static json_t *method(const struct confidence_eval *all, const struct method_eval *c, bool resampled)
{
    const struct ranking *r = &c->quality.ranking;
    const struct quality_intervals *i = &c->intervals;
    json_t *intervals = NULL;
    if (resampled)
        intervals = json_pack("{s:o, s:o, s:o*, s:o*}", "average_precision", pair(i->average_precision),
                              "area_under_roc", pair(i->area_under_roc), "brier", c->bounded ? pair(i->brier) : NULL,
                              "rmse", c->bounded ? pair(i->rmse) : NULL);
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o*, s:o*, s:o*}", "method", c->method,
                     "calibrated", c->unstated ? json_null() : json_boolean(c->calibrated), "average_precision",
                     figure_json(r->average_precision), "area_under_roc", figure_json(r->area_under_roc),
                     "precision_at_recall", by_percent(ranking_recall, r->precision, RANKING_RECALLS), "errors_found",
                     by_percent(ranking_inspected, r->found, RANKING_INSPECTED), "area_under_risk_coverage",
                     figure_json(r->area_under_risk_coverage), "area_under_generalised_risk",
                     figure_json(r->area_under_generalised_risk), "reliability",
                     c->bounded ? reliability(&c->quality.reliability, &i->calibration) : json_null(), "labels",
                     by_label(all, c), "intervals", intervals, "by_seed",
                     c->seeds ? figures_by_seed(c) : NULL);
}

/* Lists the differences between every two methods on words, on the same samples. */
static json_t *comparisons(const struct confidence_eval *c)
{
    const struct method_eval *method_eval = c->rows[ASPECT_WORDS].method_eval;
    json_t *each = json_array();
    for (size_t i = 0; i < c->comparisons; i++) {
        const struct comparison *one = &c->comparison[i];
        bool rmse = !isnan(one->difference[PAIRED_RMSE]);
        json_array_append_new(each, json_pack("{s:s, s:s, s:o, s:o, s:o*, s:o*}", "first",
                                              method_eval[one->first].method, "second", method_eval[one->second].method,
                                              "average_precision", figure_json(one->difference[PAIRED_PRECISION]),
                                              "average_precision_interval", pair(one->interval[PAIRED_PRECISION]),
                                              "rmse", rmse ? figure_json(one->difference[PAIRED_RMSE]) : NULL,
                                              "rmse_interval", rmse ? pair(one->interval[PAIRED_RMSE]) : NULL));
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
            json_array_append_new(each, method(c, &r->method_eval[j], c->resamples > 0));
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
