/* The options of learning: see learning.h. */
#include "cli/learning.h"
#include "cli/trial_record.h"

#include "base/input.h"
#include "predict/model_input.h"

#include <stdio.h>
#include <string.h>

enum {
    MANY_LABELS = 500, /* with more, the column probably holds words, not labels */
    RELATION_BITS = 18 /* blocks of the relations' features, each as wide as there are relations */
};

static double *field_C(struct learner_options *options)
{
    return &options->C;
}

static double *field_phi(struct learner_options *options)
{
    return &options->phi;
}

static double *field_rate(struct learner_options *options)
{
    return &options->rate;
}

/* The parameter that is chosen for each learner, and the values that are tried. */
static const struct grid {
    const struct learner *learner;
    const char *name;
    double *(*field)(struct learner_options *options);
    double value[MAX_GRID];
    uint32_t count;
} grids[] = {
    {&passive_aggressive, "C", field_C, {0.003, 0.01, 0.03, 0.1, 0.3, 1}, 6},
    {&confidence_weighted, "phi", field_phi, {0.1, 0.3, 1, 2, 4, 8}, 6},
    {&log_likelihood, "rate", field_rate, {0.05, 0.1, 0.15, 0.25, 0.4, 0.6}, 6},
};

bool learning_tune(struct trial *chosen, const struct trial_plan *plan, struct tuned *tuned, struct vouch_error *err)
{
    const struct grid *grid = NULL;
    *tuned = (struct tuned){0};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (grids[i].learner == chosen->learner)
            grid = &grids[i];
    if (!grid)
        return true;
    struct trial trial[MAX_GRID];
    struct layer_score result[MAX_GRID];
    for (uint32_t i = 0; i < grid->count; i++) {
        trial[i] = *chosen;
        *grid->field(&trial[i].parameters) = grid->value[i];
    }
    struct trial_plan trying = *plan;
    trying.trial = trial;
    trying.trials = grid->count;
    if (!hold_out(&trying, result, err))
        return false;
    tuned->name = grid->name;
    tuned->count = grid->count;
    for (uint32_t i = 0; i < grid->count; i++) {
        tuned->value[i] = grid->value[i];
        tuned->figure[i] = result[i].figure;
        if (result[i].figure > result[tuned->best].figure)
            tuned->best = i;
    }
    *chosen = trial[tuned->best];
    return true;
}

void tuned_say(const struct tuned *tuned, const struct trial *chosen, const struct settings *settings)
{
    if (!tuned->name || settings->quiet)
        return;
    for (uint32_t i = 0; settings->verbose && i < tuned->count; i++)
        showf(stderr, "%-10s %s %-8g held out %.3f\n", chosen->learner->name, tuned->name, tuned->value[i],
              tuned->figure[i]);
    showf(stderr, "%-10s tuned: %s %g (held out %.2f)\n", chosen->learner->name, tuned->name, tuned->value[tuned->best],
          tuned->figure[tuned->best]);
}

json_t *tuned_json(const struct tuned *tuned)
{
    json_t *tried = json_array();
    for (uint32_t i = 0; i < tuned->count; i++)
        json_array_append_new(tried, json_pack("{s:f, s:f}", "value", tuned->value[i], "score", tuned->figure[i]));
    return json_pack("{s:s, s:f, s:o}", "parameter", tuned->name, "value", tuned->value[tuned->best], "tried", tried);
}

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

/* --column: a number is a column of any file that has columns, a name one of CoNLL-U. */
static int choose_column(struct reader_options *reading, const struct command *command, const struct settings *settings)
{
    enum { MOST = 65536 };
    const char *name = settings->column;
    char *end;
    if (!name) {
        reading->column = settings->gold > 0 ? (uint32_t)settings->gold : 0;
        return EXIT_DONE;
    }
    if (settings->gold)
        return misuse(command, "expected --column or --gold, not both");
    unsigned long number = strtoul(name, &end, 10);
    bool digits = name[0] >= '0' && name[0] <= '9' && !*end;
    reading->named = !digits;
    reading->column = digits && number <= MOST ? (uint32_t)number : digits ? 0 : column_parse(name);
    if (reading->column == 0)
        return misuse(command,
                      "--column: expected form, lemma, upos, xpos, feats, deprel, deps, or a number from 1, found '%s'",
                      name);
    reading->gold = digits ? (int)number : reading->gold;
    return EXIT_DONE;
}

int reading_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings)
{
    int format = format_parse(settings->format);
    if (format < 0)
        return misuse_value(command, "format", "auto, conll, crfsuite, plain, jsonl or conllu", settings->format);
    *reading = (struct reader_options){.format = (enum format)format, .gold = (int)settings->gold};
    return choose_column(reading, command, settings);
}

static int choose_features(struct learning *learning, const struct command *command, const struct settings *settings)
{
    struct tag_plan *plan = &learning->plan;
    const char *set = settings->features ? settings->features : plan->task->features;
    if (settings->template && settings->features)
        return misuse(command, "expected --features or --template, not both");
    plan->template_name = set;
    plan->template_chosen = settings->features || settings->template;
    plan->template = template_builtin(set);
    if (!plan->template)
        return misuse_value(command, "features", "np, chunk, ner, pos or attributes", set);
    if (settings->template) {
        struct vouch_error err = {0};
        learning->template_text = read_text(settings->template, &err);
        if (!learning->template_text)
            return failed(command, &err);
        plan->template = learning->template_text;
        plan->template_name = settings->template;
        plan->template_strict = true;
    }
    return EXIT_DONE;
}

static const char *const multi_root_names[] = {
    [MULTI_ROOT_SKIP] = "skip", [MULTI_ROOT_KEEP] = "keep", [MULTI_ROOT_ATTACH] = "attach"};

static int choose_trees(struct learning *learning, const struct command *command, const struct settings *settings)
{
    int multi_root = MULTI_ROOT_SKIP;
    while (multi_root <= MULTI_ROOT_ATTACH && strcmp(settings->multi_root, multi_root_names[multi_root]) != 0)
        multi_root++;
    if (multi_root > MULTI_ROOT_ATTACH)
        return misuse_value(command, "multi-root", "skip, keep or attach", settings->multi_root);
    if (settings->features || settings->template)
        return misuse(command, "parsing has features of its own: expected neither --features nor --template");
    learning->trees = (struct tree_plan){.unlabelled = settings->unlabelled,
                                         .multi_root = (enum multi_root)multi_root,
                                         .arc_bits = (uint32_t)settings->bits,
                                         .relation_bits = RELATION_BITS};
    return EXIT_DONE;
}

static int choose_scheme(struct tag_plan *plan, const struct command *command, const char *name)
{
    if (strcmp(name, "keep") == 0)
        plan->inner = SCHEME_NONE;
    else if (strcmp(name, "iob2") == 0)
        plan->inner = SCHEME_IOB2;
    else if (strcmp(name, "bioes") == 0)
        plan->inner = SCHEME_BIOES;
    else
        return misuse_value(command, "learn-as", "iob2, bioes or keep", name);
    return EXIT_DONE;
}

/* An option that is 0 unless it was given. */
static double chosen_or(double chosen, double usual)
{
    return chosen > 0 ? chosen : usual;
}

/* Splits "cw+crf" and looks each name up. */
static int choose_algorithms(struct learning *learning, const struct command *command, const struct settings *settings,
                             char separator, uint32_t most)
{
    int covariance = covariance_parse(settings->covariance);
    if (covariance < 0)
        return misuse_value(command, "covariance", "full, inverse or exact", settings->covariance);
    for (const char *name = settings->algorithm; name;) {
        const char *end = strchr(name, separator);
        char one[32];
        snprintf(one, sizeof one, "%.*s", end ? (int)(end - name) : (int)strlen(name), name);
        const struct learner *learner = learner_named(one);
        if (!learner)
            return misuse_value(command, "algorithm",
                                separator == '+' ? "cw, pa, perceptron or crf, several joined by '+'"
                                                 : "cw, pa, perceptron or crf, several joined by ','",
                                one);
        if (learning->trials == most || learning->trials == MAX_TRIALS)
            return misuse(command, "--algorithm: expected at most %u algorithms", most);
        for (uint32_t i = 0; i < learning->trials; i++)
            if (learning->trial[i].learner == learner)
                return misuse(command, "--algorithm: '%s' is there twice", one);
        bool many = learner == &confidence_weighted || (learner == &passive_aggressive && !learning->parses);
        uint32_t K = settings->k_best ? (uint32_t)settings->k_best : many ? 5 : 1;
        learning->trial[learning->trials++] = (struct trial){
            .learner = learner,
            .parameters = {.C = settings->C,
                           .phi = chosen_or(settings->phi, learning->parses ? PHI_OF_TREES : PHI_OF_LABELS),
                           .variance = settings->variance,
                           .covariance = (enum covariance)covariance,
                           .rate = chosen_or(settings->rate, learning->parses ? RATE_OF_TREES : RATE_OF_LABELS),
                           .l2 = settings->l2,
                           .K = learner == &perceptron ? 1 : K},
        };
        name = end ? end + 1 : NULL;
    }
    return EXIT_DONE;
}

int learning_prepare(struct learning *learning, const struct command *command, const struct settings *settings,
                     char separator, uint32_t most)
{
    struct tag_plan *plan = &learning->plan;
    plan->task = settings->task ? tag_task_named(settings->task) : NULL;
    plan->cutoff = (uint32_t)settings->cutoff;
    learning->parses = settings->task && strcmp(settings->task, "dep") == 0;
    if (!plan->task && !learning->parses)
        return settings->task ? misuse_value(command, "task", "np, chunk, ner, pos or dep", settings->task)
                              : misuse(command, "expected --task np, chunk, ner, pos or dep");
    int status =
        learning->parses ? choose_trees(learning, command, settings) : choose_features(learning, command, settings);
    if (status == EXIT_DONE)
        status = choose_scheme(plan, command, settings->learn_as);
    if (status == EXIT_DONE)
        status = choose_algorithms(learning, command, settings, separator, most);
    if (status == EXIT_DONE)
        status = reading_prepare(&plan->reading, command, settings);
    learning->trees.reading = plan->reading;
    learning->trees.reading.trees = true;
    return status;
}

bool learning_read(const struct learning *learning, const struct settings *settings, const char *dev,
                   const struct reading_watch *watch, struct learned_corpus *corpus, struct vouch_error *err)
{
    bool ok;
    if (learning->parses) {
        ok = tree_corpus_read(&corpus->trees, &learning->trees, settings->argument, settings->arguments, watch, err) &&
             (!dev || tree_corpus_read_dev(&corpus->trees, &learning->trees, dev, err));
        corpus->dataset = tree_dataset(&corpus->trees);
    } else {
        ok = tag_corpus_read(&corpus->tags, &learning->plan, settings->argument, settings->arguments, watch, err) &&
             (!dev || tag_corpus_read_dev(&corpus->tags, &learning->plan, dev, err));
        corpus->dataset = tag_dataset(&corpus->tags);
    }
    return ok;
}

/* Warns if the model knows none of the gold labels: it is then not the model for these files. */
static void warn_of_unknown_labels(const struct tag_set *dev)
{
    for (uint64_t i = 0; i < dev->words; i++)
        if (dev->gold[i] != NO_LABEL)
            return;
    showf(stderr, "warning: the model knows none of the gold labels: is it the right column (--gold)?\n");
}

bool learned_corpus_borrow(struct learned_corpus *c, const struct vouch_model *model, struct reader_options *reading,
                           const struct settings *settings, struct vouch_error *err)
{
    bool parses = model_parses(model), ok = true;
    model_input_settle(model, reading);
    struct tag_plan tags = {.reading = *reading};
    struct tree_plan trees = {.reading = *reading};
    if (parses)
        tree_corpus_borrow(&c->trees, model);
    else
        ok = tag_corpus_borrow(&c->tags, model, err);
    for (size_t i = 0; ok && i < settings->arguments; i++)
        ok = parses ? tree_corpus_read_dev(&c->trees, &trees, settings->argument[i], err)
                    : tag_corpus_read_dev(&c->tags, &tags, settings->argument[i], err);
    c->dataset = parses ? tree_dataset(&c->trees) : tag_dataset(&c->tags);
    if (!ok || settings->quiet)
        return ok;
    if (!parses)
        warn_of_unknown_labels(&c->tags.dev);
    uint32_t sentences = c->dataset.layer[0].dev.count;
    say_read(sentences, c->dataset.words_before(c->dataset.self, true, sentences));
    return true;
}

void learned_corpus_release(struct learned_corpus *corpus)
{
    tag_corpus_release(&corpus->tags);
    tree_corpus_release(&corpus->trees);
}

/* The ending of a plural. */
static const char *s_if_many(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void say_read(uint32_t sentences, size_t words)
{
    showf(stderr, "read %u sentence%s, %zu word%s\n", sentences, s_if_many(sentences), words, s_if_many(words));
}

static const char *const multi_root_done[] = {[MULTI_ROOT_SKIP] = "skipped",
                                              [MULTI_ROOT_KEEP] = "kept",
                                              [MULTI_ROOT_ATTACH] = "attached to the first root the others of"};

void learned_corpus_say(const struct learning *learning, const struct learned_corpus *corpus)
{
    const struct tag_corpus *c = &corpus->tags;
    const struct tree_corpus *t = &corpus->trees;
    if (learning->parses) {
        uint32_t relations = labels_count(&t->relations);
        showf(stderr, "read %u tree%s, %zu word%s (%s); %u relation%s\n", t->set.count, s_if_many(t->set.count),
              t->set.words, s_if_many(t->set.words), format_name(t->format), relations, s_if_many(relations));
        if (t->multi_root)
            showf(stderr, "%s %u sentence%s with several roots%s\n", multi_root_done[learning->trees.multi_root],
                  t->multi_root, s_if_many(t->multi_root),
                  learning->trees.multi_root == MULTI_ROOT_SKIP ? " (--multi-root)" : "");
        return;
    }
    uint32_t labels = labels_count(&c->labels);
    showf(stderr, "read %u sentence%s, %llu word%s (%s); %u label%s, scheme %s", c->set.count, s_if_many(c->set.count),
          (unsigned long long)c->set.words, s_if_many(c->set.words), format_name(c->format), labels, s_if_many(labels),
          scheme_name(c->labels.outer));
    if (c->labels.inner != c->labels.outer)
        showf(stderr, " (learned as %s)", scheme_name(c->labels.inner));
    showf(stderr, "; %u features\n", feature_index_count(&c->vocabulary.node));
    if (labels > MANY_LABELS)
        showf(stderr, "warning: %u different labels: is it the right column (--gold)?\n", labels);
    if (labels == 1)
        showf(stderr, "warning: every word has the same label: is it the right task and column (--gold)?\n");
}

void learning_release(struct learning *learning)
{
    free(learning->template_text);
}

json_t *layer_score_json(const struct layer_score *score)
{
    if (!score->chunks)
        return json_pack("{s:f}", "accuracy", score->accuracy);
    return json_pack("{s:f, s:f, s:f, s:f}", "precision", score->precision, "recall", score->recall, "f1", score->f1,
                     "accuracy", score->accuracy);
}
