/* Measures confidences of any program: see vouch.h. The figures are those of measure/quality.h. */
#include "base/error.h"
#include "base/memory.h"
#include "measure/quality.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Fills in as much as the caller has room for: callers of before the last field have a smaller struct. */
static void fill_in(struct vouch_measures *result, const struct quality *q)
{
    const struct reliability *r = &q->reliability;
    struct vouch_measures all = {.size = result->size,
                                 .answers = q->words,
                                 .wrong = q->errors,
                                 .average_precision = q->ranking.average_precision,
                                 .roc_area = q->ranking.area_under_roc,
                                 .risk_coverage = q->ranking.area_under_risk_coverage,
                                 .calibration_error = r->ece,
                                 .calibration_error_mass = r->ece_equal_mass,
                                 .rmse = r->rmse,
                                 .rmse_floor = r->rmse_floor,
                                 .brier = r->brier,
                                 .log_loss = r->log_loss,
                                 .generalised_risk = q->ranking.area_under_generalised_risk};
    for (size_t i = 0; i < RELIABILITY_BINS; i++)
        all.bin[i] = (struct vouch_bin){r->bin[i].words, r->bin[i].right, r->bin[i].confidence, r->bin[i].accuracy};
    memcpy(result, &all, result->size < sizeof all ? result->size : sizeof all);
}

/* Copies the answers; false for want of memory and for a confidence that is no number. */
static bool take_answers(struct judged *word, const double *confidence, const unsigned char *right, size_t count,
                         bool *probabilities, struct vouch_error *err)
{
    *probabilities = true;
    for (size_t i = 0; i < count; i++) {
        if (isnan(confidence[i]))
            return fail(err, VOUCH_ERR_ARGUMENT, "confidence %zu: expected a number, found NAN", i + 1);
        word[i] = (struct judged){.confidence = confidence[i], .right = right[i] != 0, .sentence = (uint32_t)i};
        *probabilities = *probabilities && confidence[i] >= 0 && confidence[i] <= 1;
    }
    return true;
}

enum vouch_status vouch_measure(const double *confidence, const unsigned char *right, size_t count,
                                struct vouch_measures *result, struct vouch_error *err)
{
    struct quality quality;
    struct judged *word = NULL;
    bool probabilities;
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(result, "room for measures", err) &&
              is_whole(result->size, offsetof(struct vouch_measures, generalised_risk), "vouch_measures", err) &&
              (count == 0 || (is_given(confidence, "confidences", err) && is_given(right, "right and wrong", err)));
    word = ok ? new_array(count, sizeof *word, err) : NULL;
    ok = word && take_answers(word, confidence, right, count, &probabilities, err) &&
         quality_measure(word, count, probabilities, &quality, err);
    if (ok)
        fill_in(result, &quality);
    free(word);
    return status_of(ok, err);
}

/* Tests probabilities by resamples of their sentences. */
static bool test_answers(const struct judged *word, size_t count, const struct bootstrap *how,
                         struct vouch_calibration_test *all, struct vouch_error *err)
{
    struct quality quality;
    struct quality_intervals intervals;
    if (!quality_measure(word, count, true, &quality, err) || !quality_bootstrap(word, count, *how, &intervals, err))
        return false;
    all->calibration_error = quality.reliability.ece;
    all->limit = intervals.calibration.limit;
    all->p = intervals.calibration.p;
    return true;
}

enum vouch_status vouch_test_calibration(const double *confidence, const unsigned char *right, const uint32_t *sentence,
                                         size_t count, uint32_t samples, uint64_t seed,
                                         struct vouch_calibration_test *result, struct vouch_error *err)
{
    struct bootstrap how = {.resamples = samples, .seed = seed, .probabilities = true};
    struct vouch_calibration_test all = {sizeof all, NAN, NAN, NAN};
    bool probabilities;
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(result, "room for the test", err) &&
              is_whole(result->size, sizeof all, "vouch_calibration_test", err) &&
              (count == 0 || (is_given(confidence, "confidences", err) && is_given(right, "right and wrong", err)));
    struct judged *word = ok ? new_array(count, sizeof *word, err) : NULL;
    ok = word && take_answers(word, confidence, right, count, &probabilities, err);
    for (size_t i = 0; ok && sentence && i < count; i++)
        word[i].sentence = sentence[i];
    ok = ok && (count == 0 || !probabilities || test_answers(word, count, &how, &all, err));
    if (ok) {
        all.size = result->size;
        *result = all;
    }
    free(word);
    return status_of(ok, err);
}
