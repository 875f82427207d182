/*
 * Checks the options of learning, and keeps parameters in headers: see learning.h. IOB1 is learned as IOB2 and written
 * back as IOB1; BIOES was measured and gains nothing. Plain vouch train learns crf alone: beside a voice with
 * probabilities and the counts, draws and a second voice add next to nothing, and cost more than all the rest.
 */
#include "train/learning.h"

#include "base/input.h"

#include <stdio.h>
#include <string.h>

/* Blocks of the relations' features, each as wide as there are relations; and those of arcs in a second stage. */
enum { RELATION_BITS = 18, SECOND_BITS = 19 };

/* Reads a whole file as text; an input of a few lines. */
static char *read_text(const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    char *text = NULL;
    size_t capacity = 0, length = 0;
    struct text line;
    int more = input ? 1 : -1;
    while (more == 1 && (more = input_line(input, &line, err)) == 1) {
        if (!RESERVE(text, capacity, length + line.length + 2, err))
            break;
        memcpy(text + length, line.at, line.length);
        length += line.length;
        text[length++] = '\n';
        text[length] = '\0';
    }
    input_close(input);
    if (more == 0 && !text)
        fail(err, VOUCH_ERR_FORMAT, "%s: expected a template, found an empty file", path);
    if (more != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Reads the lexicons, and shows them to a built-in set of features. */
static bool choose_lexicons(struct learning *learning, const struct learner_values *values, struct vouch_error *err)
{
    struct corpus_plan *plan = &learning->corpus;
    if (values->lexicons.count == 0)
        return true;
    plan->lexicons = learning->lexicons = new_array(1, sizeof *learning->lexicons, err);
    if (!learning->lexicons || !lexicons_read(learning->lexicons, values->lexicons.item, values->lexicons.count, err))
        return false;
    if (!values->template)
        plan->template = learning->template_text = template_with_lexicons(plan->template, learning->lexicons, err);
    return plan->template != NULL;
}

static bool choose_features(struct learning *learning, const struct learner_values *values, struct vouch_error *err)
{
    struct corpus_plan *plan = &learning->corpus;
    const char *set = values->features ? values->features : plan->task->features;
    if (values->template && values->features)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --features or --template, not both");
    plan->template_name = set;
    if (values->template && values->use)
        return fail(err, VOUCH_ERR_ARGUMENT, "a template names its columns: expected --use or --template, not both");
    plan->template_chosen = values->features || values->template || values->use;
    plan->columns_used = values->use;
    plan->template = template_builtin(set);
    if (!plan->template)
        return fail_value(err, "features", "np, chunk, ner, pos or attributes", set);
    if (values->template) {
        learning->template_text = read_text(values->template, err);
        if (!learning->template_text)
            return false;
        plan->template = learning->template_text;
        plan->template_name = values->template;
        plan->template_strict = true;
    }
    return choose_lexicons(learning, values, err);
}

static bool choose_trees(struct learning *learning, const struct learner_values *values, struct vouch_error *err)
{
    if (values->features || values->template || values->use)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "parsing has features of its own: expected none of --features, --template and --use");
    if (values->lexicons.count)
        return fail(err, VOUCH_ERR_ARGUMENT, "--lexicon: expected a task that labels words, not dep");
    learning->corpus.unlabelled = values->unlabelled;
    learning->corpus.multi_root = values->multi_root;
    learning->corpus.arc_bits = values->bits;
    learning->corpus.relation_bits = RELATION_BITS;
    learning->corpus.second_bits = SECOND_BITS;
    return true;
}

/* Defaults: labels and trees need different steps, and different numbers of best answers to learn from. */
static const struct usual {
    double phi, rate;
    uint32_t best_of_pa; /* K */
} of_labels = {PHI_OF_LABELS, RATE_OF_LABELS, 5}, of_trees = {PHI_OF_TREES, RATE_OF_TREES, 1};

/* Adds one of the algorithms that are named, with its parameters. */
static bool add_algorithm(struct learning *learning, const struct learner_values *values, const char *name,
                          char separator, struct vouch_error *err)
{
    const struct learner *learner = learner_named(name);
    const struct usual *usual = learning->corpus.task->trees ? &of_trees : &of_labels;
    if (!learner)
        return fail_value(err, "algorithm",
                          separator == '+' ? "cw, pa, perceptron or crf, several joined by '+'"
                                           : "cw, pa, perceptron or crf, several joined by ','",
                          name);
    for (uint32_t i = 0; i < learning->voices; i++)
        if (learning->trial[0][i].learner == learner)
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: '%s' is there twice", name);
    uint32_t K = values->k_best                    ? values->k_best
                 : learner == &confidence_weighted ? 5
                 : learner == &passive_aggressive  ? usual->best_of_pa
                                                   : 1;
    struct learner_options parameters = {.C = values->C,
                                         .phi = values->phi > 0 ? values->phi : usual->phi,
                                         .variance = values->variance,
                                         .covariance = values->covariance,
                                         .rate = values->rate > 0 ? values->rate : usual->rate,
                                         .l2 = values->l2,
                                         .K = learner == &perceptron ? 1 : K};
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        learning->trial[l][learning->voices] = (struct trial){learner, parameters};
    learning->voices++;
    return true;
}

/* Splits "cw+crf" and looks each name up. */
static bool choose_algorithms(struct learning *learning, const struct learner_values *values, char separator,
                              struct vouch_error *err)
{
    for (const char *name = values->algorithm; name;) {
        const char *end = strchr(name, separator);
        char one[32];
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        if (learner_named(one) && learning->voices == MAX_VOICES)
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: expected at most %u algorithms", MAX_VOICES);
        if (!add_algorithm(learning, values, one, separator, err))
            return false;
        name = end ? end + 1 : NULL;
    }
    return true;
}

bool learning_prepare(struct learning *learning, const struct learner_values *values,
                      const struct reading_values *reading, const struct work *work, char separator,
                      struct vouch_error *err)
{
    struct corpus_plan *plan = &learning->corpus;
    const struct task *task = values->task ? task_named(values->task) : NULL;
    static const enum scheme inner[] = {
        [LEARN_AS_IOB2] = SCHEME_IOB2, [LEARN_AS_BIOES] = SCHEME_BIOES, [LEARN_AS_KEEP] = SCHEME_NONE};
    *learning = (struct learning){.corpus = {.task = task,
                                             .inner = inner[values->learn_as],
                                             .constrained = !values->no_constraints,
                                             .cutoff = values->cutoff,
                                             .vector_window = values->vector_window,
                                             .vector_length = values->vector_length},
                                  .passes = values->passes,
                                  .tune = values->tune,
                                  .work = *work};
    if (!task)
        return values->task ? fail_value(err, "task", "np, chunk, ner, pos or dep", values->task)
                            : fail(err, VOUCH_ERR_ARGUMENT, "expected --task np, chunk, ner, pos or dep");
    if (task->trees && reading->vectors)
        return fail(err, VOUCH_ERR_ARGUMENT, "--vectors: expected a task that labels words, not dep");
    if (!(task->trees ? choose_trees : choose_features)(learning, values, err) ||
        !choose_algorithms(learning, values, separator, err) || !reading_options(reading, &plan->reading, err))
        return false;
    plan->reading.trees = task->trees;
    return true;
}

void learning_release(struct learning *learning)
{
    free(learning->template_text);
    if (learning->lexicons)
        lexicons_release(learning->lexicons);
    free(learning->lexicons);
    *learning = (struct learning){0};
}

struct training_options learning_options(const struct learning *learning, const struct trial *trial, uint32_t passes,
                                         bool one_of_several)
{
    return (struct training_options){.learner = trial->learner,
                                     .parameters = trial->parameters,
                                     .passes = passes,
                                     .shards = learning->shards,
                                     .threads =
                                         one_of_several && !learns_together(learning) ? 1 : learning->work.threads,
                                     .seed = learning->work.seed};
}

/* ---- Parameters in headers ---- */

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

static double *number_in(struct learner_options *parameters, const struct number *number)
{
    return (double *)(void *)((char *)parameters + number->offset);
}

double *trial_parameter(struct trial *trial, const char *name)
{
    int i = 0;
    while (strcmp(numbers[i].name, name) != 0)
        i++;
    return number_in(&trial->parameters, &numbers[i]);
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
static const json_t *wanted(const json_t *record, const char *key, const char *option, const void *options)
{
    return option_given(options, option) ? NULL : json_object_get(record, key);
}

bool trial_recall(struct trial *trial, const json_t *record, const void *options, struct vouch_error *err)
{
    const json_t *found;
    bool sound = true;
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].learner == trial->learner &&
            (found = wanted(record, numbers[i].name, numbers[i].name, options))) {
            double value = json_number_value(found);
            sound = sound && json_is_number(found) && value >= numbers[i].least && value <= numbers[i].most;
            *number_in(&trial->parameters, &numbers[i]) = value;
        }
    if (trial->learner == &confidence_weighted && (found = wanted(record, "covariance", "covariance", options))) {
        int covariance = COVARIANCE_EXACT;
        while (covariance >= 0 &&
               !(json_is_string(found) && strcmp(json_string_value(found), covariance_names[covariance]) == 0))
            covariance--;
        sound = sound && covariance >= 0;
        trial->parameters.covariance = (enum covariance)(covariance < 0 ? 0 : covariance);
    }
    if (trial->learner != &log_likelihood && (found = wanted(record, "k_best", "k-best", options))) {
        json_int_t K = json_integer_value(found);
        sound = sound && K >= 1 && K <= MOST_BEST;
        trial->parameters.K = trial->learner == &perceptron ? 1 : (uint32_t)K;
    }
    return sound || fail(err, VOUCH_ERR_FORMAT, "the header's parameters of %s are damaged", trial->learner->name);
}
