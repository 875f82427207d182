/* Checks the options of learning: see learning.h. */
#include "train/learning.h"

#include "base/input.h"
#include "options/reading_options.h"
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

static bool choose_features(struct learning *learning, const struct settings *settings, struct vouch_error *err)
{
    struct tag_plan *plan = &learning->tags;
    const char *set = settings->features ? settings->features : plan->task->features;
    if (settings->template && settings->features)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --features or --template, not both");
    plan->template_name = set;
    plan->template_chosen = settings->features || settings->template;
    plan->template = template_builtin(set);
    if (!plan->template)
        return fail_value(err, "features", "np, chunk, ner, pos or attributes", set);
    if (settings->template) {
        learning->template_text = read_text(settings->template, err);
        if (!learning->template_text)
            return false;
        plan->template = learning->template_text;
        plan->template_name = settings->template;
        plan->template_strict = true;
    }
    return true;
}

static const char *const multi_root_names[] = {
    [MULTI_ROOT_SKIP] = "skip", [MULTI_ROOT_KEEP] = "keep", [MULTI_ROOT_ATTACH] = "attach"};

static bool choose_trees(struct learning *learning, const struct settings *settings, struct vouch_error *err)
{
    int multi_root = MULTI_ROOT_SKIP;
    while (multi_root <= MULTI_ROOT_ATTACH && strcmp(settings->multi_root, multi_root_names[multi_root]) != 0)
        multi_root++;
    if (multi_root > MULTI_ROOT_ATTACH)
        return fail_value(err, "multi-root", "skip, keep or attach", settings->multi_root);
    if (settings->vectors)
        return fail(err, VOUCH_ERR_ARGUMENT, "--vectors: expected a task that labels words, not dep");
    if (settings->features || settings->template)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "parsing has features of its own: expected neither --features nor --template");
    learning->trees = (struct tree_plan){.unlabelled = settings->unlabelled,
                                         .multi_root = (enum multi_root)multi_root,
                                         .arc_bits = (uint32_t)settings->bits,
                                         .relation_bits = RELATION_BITS};
    return true;
}

static bool choose_scheme(struct tag_plan *plan, const char *name, struct vouch_error *err)
{
    if (strcmp(name, "keep") == 0)
        plan->inner = SCHEME_NONE;
    else if (strcmp(name, "iob2") == 0)
        plan->inner = SCHEME_IOB2;
    else if (strcmp(name, "bioes") == 0)
        plan->inner = SCHEME_BIOES;
    else
        return fail_value(err, "learn-as", "iob2, bioes or keep", name);
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
static bool add_algorithm(struct learning *learning, const struct settings *settings, const char *name, char separator,
                          struct vouch_error *err)
{
    const struct learner *learner = learner_named(name);
    const struct usual *usual = learning->parses ? &of_trees : &of_labels;
    if (!learner)
        return fail_value(err, "algorithm",
                          separator == '+' ? "cw, pa, perceptron or crf, several joined by '+'"
                                           : "cw, pa, perceptron or crf, several joined by ','",
                          name);
    for (uint32_t i = 0; i < learning->trials; i++)
        if (learning->trial[i].learner == learner)
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: '%s' is there twice", name);
    uint32_t K = settings->k_best                  ? (uint32_t)settings->k_best
                 : learner == &confidence_weighted ? 5
                 : learner == &passive_aggressive  ? usual->best_of_pa
                                                   : 1;
    learning->trial[learning->trials++] = (struct trial){
        .learner = learner,
        .parameters = {.C = settings->C,
                       .phi = chosen_or(settings->phi, usual->phi),
                       .variance = settings->variance,
                       .covariance = (enum covariance)covariance_parse(settings->covariance),
                       .rate = chosen_or(settings->rate, usual->rate),
                       .l2 = settings->l2,
                       .K = learner == &perceptron ? 1 : K},
    };
    return true;
}

/* Splits "cw+crf" and looks each name up. */
static bool choose_algorithms(struct learning *learning, const struct settings *settings, char separator, uint32_t most,
                              struct vouch_error *err)
{
    if (covariance_parse(settings->covariance) < 0)
        return fail_value(err, "covariance", "full, inverse or exact", settings->covariance);
    for (const char *name = settings->algorithm; name;) {
        const char *end = strchr(name, separator);
        char one[32];
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        if (learner_named(one) && (learning->trials == most || learning->trials == MAX_TRIALS))
            return fail(err, VOUCH_ERR_ARGUMENT, "--algorithm: expected at most %u algorithms", most);
        if (!add_algorithm(learning, settings, one, separator, err))
            return false;
        name = end ? end + 1 : NULL;
    }
    return true;
}

bool learning_prepare(struct learning *learning, const struct settings *settings, char separator, uint32_t most,
                      struct vouch_error *err)
{
    struct tag_plan *plan = &learning->tags;
    const struct task *task = settings->task ? task_named(settings->task) : NULL;
    *learning = (struct learning){.tags = {.task = task,
                                          .cutoff = (uint32_t)settings->cutoff,
                                          .vector_window = (uint32_t)settings->vector_window,
                                          .vector_length = settings->vector_length}};
    if (!task)
        return settings->task ? fail_value(err, "task", "np, chunk, ner, pos or dep", settings->task)
                              : fail(err, VOUCH_ERR_ARGUMENT, "expected --task np, chunk, ner, pos or dep");
    learning->parses = task->trees;
    if (!(task->trees ? choose_trees : choose_features)(learning, settings, err) ||
        !choose_scheme(plan, settings->learn_as, err) || !choose_algorithms(learning, settings, separator, most, err) ||
        !reading_options(settings, &plan->reading, err))
        return false;
    learning->trees.reading = plan->reading;
    learning->trees.reading.trees = true;
    return true;
}

void learning_release(struct learning *learning)
{
    free(learning->template_text);
    *learning = (struct learning){0};
}
