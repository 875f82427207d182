/* Writes and reads parameters as JSON: see trial_record.h. */
#include "train/trial_record.h"

#include <string.h>

static const char *const covariance_names[] = {
    [COVARIANCE_FULL] = "full", [COVARIANCE_INVERSE] = "inverse", [COVARIANCE_EXACT] = "exact"};

enum { MOST_BEST = 1000 }; /* as --k-best */

/* The numbers that learners read: key and option have the same name. */
static const struct number {
    const struct learner *learner;
    const char *name;
    size_t offset; /* in struct learner_options */
    double least, most;
} numbers[] = {
    {&passive_aggressive, "C", offsetof(struct learner_options, C), 1e-9, 1e9},
    {&confidence_weighted, "phi", offsetof(struct learner_options, phi), 0, 1e9},
    {&confidence_weighted, "variance", offsetof(struct learner_options, variance), 1e-9, 1e9},
    {&log_likelihood, "rate", offsetof(struct learner_options, rate), 1e-9, 1e9},
    {&log_likelihood, "l2", offsetof(struct learner_options, l2), 0, 1e9},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers };

int covariance_parse(const char *name)
{
    for (int i = COVARIANCE_FULL; i <= COVARIANCE_EXACT; i++)
        if (strcmp(name, covariance_names[i]) == 0)
            return i;
    return -1;
}

static double *number_in(struct learner_options *parameters, const struct number *number)
{
    return (double *)(void *)((char *)parameters + number->offset);
}

void trial_describe(const struct trial *trial, json_t *record)
{
    struct learner_options parameters = trial->parameters;
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].learner == trial->learner)
            json_object_set_new(record, numbers[i].name, json_real(*number_in(&parameters, &numbers[i])));
    if (trial->learner == &confidence_weighted)
        json_object_set_new(record, "covariance", json_string(covariance_names[parameters.covariance]));
    if (trial->learner != &log_likelihood)
        json_object_set_new(record, "k_best", json_integer(parameters.K));
}

/* Returns the value under `key`, unless the option of that name was given. */
static const json_t *wanted(const json_t *record, const char *key, const char *option, const struct settings *settings)
{
    return option_given(settings, option) ? NULL : json_object_get(record, key);
}

bool trial_recall(struct trial *trial, const json_t *record, const struct settings *settings, struct vouch_error *err)
{
    const json_t *found;
    bool sound = true;
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].learner == trial->learner &&
            (found = wanted(record, numbers[i].name, numbers[i].name, settings))) {
            double value = json_number_value(found);
            sound = sound && json_is_number(found) && value >= numbers[i].least && value <= numbers[i].most;
            *number_in(&trial->parameters, &numbers[i]) = value;
        }
    if (trial->learner == &confidence_weighted && (found = wanted(record, "covariance", "covariance", settings))) {
        int covariance = json_is_string(found) ? covariance_parse(json_string_value(found)) : -1;
        sound = sound && covariance >= 0;
        trial->parameters.covariance = (enum covariance)(covariance < 0 ? 0 : covariance);
    }
    if (trial->learner != &log_likelihood && (found = wanted(record, "k_best", "k-best", settings))) {
        json_int_t K = json_integer_value(found);
        sound = sound && K >= 1 && K <= MOST_BEST;
        trial->parameters.K = trial->learner == &perceptron ? 1 : (uint32_t)K;
    }
    return sound || fail(err, VOUCH_ERR_FORMAT, "the header's parameters of %s are damaged", trial->learner->name);
}
