/* Checks the options of learning: see learning.h. */
#include "train/learning.h"

#include "base/input.h"
#include "options/rows.h"
#include "train/trial_record.h"

#include <stdio.h>
#include <string.h>

enum { RELATION_BITS = 18 }; /* blocks of the relations' features, each as wide as there are relations */

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

static bool choose_features(struct learning *learning, const struct learner_values *values, struct vouch_error *err)
{
    struct corpus_plan *plan = &learning->corpus;
    const char *set = values->features ? values->features : plan->task->features;
    if (values->template && values->features)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --features or --template, not both");
    plan->template_name = set;
    plan->template_chosen = values->features || values->template;
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
    return true;
}

static bool choose_trees(struct learning *learning, const struct learner_values *values, struct vouch_error *err)
{
    if (values->features || values->template)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "parsing has features of its own: expected neither --features nor --template");
    learning->corpus.unlabelled = values->unlabelled;
    learning->corpus.multi_root = values->multi_root;
    learning->corpus.arc_bits = (uint32_t)values->bits;
    learning->corpus.relation_bits = RELATION_BITS;
    return true;
}

/* Defaults: labels and trees need different steps, and different numbers of best answers to learn from. */
static const struct usual {
    double phi, rate;
    uint32_t best_of_pa; /* K */
} of_labels = {PHI_OF_LABELS, RATE_OF_LABELS, 5}, of_trees = {PHI_OF_TREES, RATE_OF_TREES, 1};

/* Returns the value of an option, or `usual` if it is 0, that is, not given. */
static double chosen_or(double chosen, double usual)
{
    return chosen > 0 ? chosen : usual;
}

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
    for (uint32_t i = 0; i < learning->trials; i++)
        if (learning->trial[i].learner == learner)
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: '%s' is there twice", name);
    uint32_t K = values->k_best                    ? (uint32_t)values->k_best
                 : learner == &confidence_weighted ? 5
                 : learner == &passive_aggressive  ? usual->best_of_pa
                                                   : 1;
    learning->trial[learning->trials++] = (struct trial){
        .learner = learner,
        .parameters = {.C = values->C,
                       .phi = chosen_or(values->phi, usual->phi),
                       .variance = values->variance,
                       .covariance = values->covariance,
                       .rate = chosen_or(values->rate, usual->rate),
                       .l2 = values->l2,
                       .K = learner == &perceptron ? 1 : K},
    };
    return true;
}

/* Splits "cw+crf" and looks each name up. */
static bool choose_algorithms(struct learning *learning, const struct learner_values *values, char separator,
                              uint32_t most, struct vouch_error *err)
{
    for (const char *name = values->algorithm; name;) {
        const char *end = strchr(name, separator);
        char one[32];
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        if (learner_named(one) && (learning->trials == most || learning->trials == MAX_TRIALS))
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: expected at most %u algorithms", most);
        if (!add_algorithm(learning, values, one, separator, err))
            return false;
        name = end ? end + 1 : NULL;
    }
    return true;
}

bool learning_prepare(struct learning *learning, const struct learner_values *values,
                      const struct reading_values *reading, char separator, uint32_t most, struct vouch_error *err)
{
    struct corpus_plan *plan = &learning->corpus;
    const struct task *task = values->task ? task_named(values->task) : NULL;
    static const enum scheme inner[] = {
        [LEARN_AS_IOB2] = SCHEME_IOB2, [LEARN_AS_BIOES] = SCHEME_BIOES, [LEARN_AS_KEEP] = SCHEME_NONE};
    *learning = (struct learning){.corpus = {.task = task,
                                             .inner = inner[values->learn_as],
                                             .cutoff = (uint32_t)values->cutoff,
                                             .vector_window = (uint32_t)values->vector_window,
                                             .vector_length = values->vector_length}};
    if (!task)
        return values->task ? fail_value(err, "task", "np, chunk, ner, pos or dep", values->task)
                            : fail(err, VOUCH_ERR_ARGUMENT, "expected --task np, chunk, ner, pos or dep");
    if (task->trees && reading->vectors)
        return fail(err, VOUCH_ERR_ARGUMENT, "--vectors: expected a task that labels words, not dep");
    if (!(task->trees ? choose_trees : choose_features)(learning, values, err) ||
        !choose_algorithms(learning, values, separator, most, err) || !reading_options(reading, &plan->reading, err))
        return false;
    plan->reading.trees = task->trees;
    return true;
}

void learning_release(struct learning *learning)
{
    free(learning->template_text);
    *learning = (struct learning){0};
}
