/*
 * Lists the steps of a study: see study.h.
 *
 * These are the steps for a dataset of labels, and for one of trees where they
 * differ:
 *
 *     split/KEY            four fifths to learn from, one fifth to test on, unless the plan says which
 *     sample/KEY           trees: some sentences of the training files, to choose parameters on
 *     tuning/KEY/ALG       the parameter of every algorithm, on a held-out quarter of the training files or the sample
 *     data/KEY/...         everything learned once, to count its features
 *     prediction/KEY/folds cross-validation of all algorithms
 *     prediction/KEY/ALG   trees: learned on the training files, measured on the test file after every pass
 *     model/KEY/VOICES     models that are calibrated, on the dev file or else on held-out parts of the training files
 *     ranking/KEY/VOICES/raw and .../calibrated      all methods on the test file
 *     parameters/KEY/...   what was chosen for the methods of confidence
 *     tuning/KEY/cw-kN, prediction/KEY/folds-kN or .../cw-kN, model/KEY/cw-kN, ranking/KEY/cw-kN/raw
 *                          the same with learners that learn from the N best answers, for comparison
 *     effect-of-k/KEY/K    KD-Fix with K draws; effect-of-k/bounds: what is promised for all words
 *     effect-of-k/bounds-of-one   and for one
 *     tradeoff/KEY/...     labels: precision against recall
 *     active/KEY           labels: active learning, from the sentences of pool/KEY
 *
 * Steps are listed in an order in which they could be run one by one.
 */
#include "study/study.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define WANTED_BY(e) (1u << (e))

static const char *const algorithms[] = {"cw", "pa", "crf"}; /* those with a parameter to choose */
enum { CW, PA, CRF, ALGORITHMS };

/* The models whose confidence is measured: the first voice answers. */
static const struct model {
    const char *voices;
    size_t tuned_by[2], tunings;
} models[] = {{"cw+crf", {CW, CRF}, 2}, {"pa+crf", {PA, CRF}, 2}, {"crf", {CRF}, 1}};
enum { MODELS = sizeof models / sizeof *models };

const unsigned study_draws[STUDY_DRAWS] = {2, 5, 10, 20, 30, 40, 50, 60, 70, 80};

/* The state of listing steps. After a failure nothing more is done. */
struct listing {
    struct study *study;
    const struct study_dataset *d;
    int64_t k_best;  /* answers to learn from: the study's own, or others for comparison */
    char suffix[16]; /* of models that learn from other numbers of answers: "-k1" */
    size_t split, sample, pool, tuning[ALGORITHMS], model[MODELS];
    struct step *now;
    bool ok;
    struct vouch_error *err;
};

/* Begins a step whose name is formatted; returns its number. */
static size_t begin(struct listing *l, unsigned wanted_by, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static size_t begin(struct listing *l, unsigned wanted_by, const char *format, ...)
{
    struct study *study = l->study;
    struct strings name = {0};
    va_list args;
    va_start(args, format);
    l->ok = l->ok && RESERVE(study->step, study->step_capacity, study->steps + 1, l->err) &&
            strings_add_list(&name, l->err, format, args);
    va_end(args);
    if (!l->ok) {
        strings_release(&name);
        return 0;
    }
    l->now = &study->step[study->steps];
    *l->now = (struct step){.name = name.at[0], .wanted_by = wanted_by};
    free(name.at);
    return study->steps++;
}

/* Adds arguments up to NULL. */
static void put(struct listing *l, ...)
{
    va_list args;
    va_start(args, l);
    for (const char *word; (word = va_arg(args, const char *)) != NULL;)
        l->ok = l->ok && strings_add(&l->now->argument, l->err, "%s", word);
    va_end(args);
}

static void put_number(struct listing *l, const char *option, int64_t number)
{
    put(l, option, NULL);
    l->ok = l->ok && strings_add(&l->now->argument, l->err, "%lld", (long long)number);
}

static void put_outside(struct listing *l, const char *file)
{
    put(l, file, NULL);
    l->ok = l->ok && strings_add(&l->now->outside, l->err, "%s", file);
}

static void put_all_outside(struct listing *l, const struct strings *files)
{
    for (size_t i = 0; i < files->count; i++)
        put_outside(l, files->at[i]);
}

/* Notes that this step needs another one. */
static void after(struct listing *l, size_t step)
{
    for (size_t i = 0; l->ok && i < l->now->needs; i++)
        if (l->now->need[i] == step)
            return;
    l->ok = l->ok && (l->now->needs < STEP_NEEDS ||
                      fail(l->err, VOUCH_ERR_ARGUMENT, "%s: needs more than %d steps", l->now->name, STEP_NEEDS));
    if (l->ok)
        l->now->need[l->now->needs++] = step;
}

/* Adds a file in OUT, after its option unless that is NULL. */
static void put_inside(struct listing *l, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void put_inside(struct listing *l, const char *option, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (option)
        put(l, option, NULL);
    l->ok = l->ok && strings_add_list(&l->now->argument, l->err, format, args);
    va_end(args);
}

/* Notes that the step makes the file that was added last. */
static void makes_it(struct listing *l)
{
    l->ok = l->ok && strings_add(&l->now->makes, l->err, "%s", l->now->argument.at[l->now->argument.count - 1]);
}

/* Adds a log, named after the step, which holds the result. */
static void put_log(struct listing *l)
{
    put_inside(l, "--log", "logs/%s.jsonl", l->ok ? l->now->name : "");
    makes_it(l);
}

/* Adds the parameter that another step chose. */
static void put_tuned(struct listing *l, size_t algorithm)
{
    after(l, l->tuning[algorithm]);
    l->ok =
        l->ok && (l->now->tunings < STEP_TUNINGS ||
                  fail(l->err, VOUCH_ERR_ARGUMENT, "%s: takes more than %d parameters", l->now->name, STEP_TUNINGS));
    if (l->ok)
        l->now->tuned_by[l->now->tunings++] = l->tuning[algorithm];
}

static void put_training_files(struct listing *l)
{
    if (l->d->corpus.count) {
        put_inside(l, NULL, "data/%s.train.txt", l->d->key);
        after(l, l->split);
    } else
        put_all_outside(l, &l->d->train);
}

static void put_test_file(struct listing *l, const char *option)
{
    if (l->d->corpus.count) {
        put_inside(l, option, "data/%s.test.txt", l->d->key);
        after(l, l->split);
    } else {
        if (option)
            put(l, option, NULL);
        put_outside(l, l->d->test);
    }
}

/* Adds what to learn, and how: one `algorithm`, or several. */
static void put_learning(struct listing *l, const char *algorithm, int64_t passes)
{
    put(l, "--task", l->d->task, "-a", algorithm, NULL);
    put_number(l, "--passes", passes);
    if (l->d->trees)
        put(l, "--unlabelled", NULL);
    if (l->d->gold)
        put_number(l, "--gold", l->d->gold);
    if (l->k_best)
        put_number(l, "--k-best", l->k_best);
    if (l->study->protocol.seed != 1)
        put_number(l, "--seed", l->study->protocol.seed);
}

static void list_split(struct listing *l)
{
    if (l->d->corpus.count) {
        l->split = begin(l, 0, "split/%s", l->d->key);
        put(l, "split", "--json", NULL);
        put_number(l, "--seed", l->study->protocol.seed);
        put_inside(l, "-o", "data/%s.train.txt", l->d->key);
        makes_it(l);
        put_inside(l, "--rest", "data/%s.test.txt", l->d->key);
        makes_it(l);
        put_all_outside(l, &l->d->corpus);
    }
    if (l->d->trees) {
        l->sample = begin(l, 0, "sample/%s", l->d->key);
        put(l, "split", "--json", NULL);
        put_number(l, "--seed", l->study->protocol.seed);
        put_number(l, "--count", l->study->protocol.tuning);
        put_inside(l, "-o", "data/%s.tuning.txt", l->d->key);
        makes_it(l);
        put_training_files(l);
    }
}

static void list_tuning(struct listing *l, size_t a)
{
    l->tuning[a] = begin(l, 0, "tuning/%s/%s%s", l->d->key, algorithms[a], l->suffix);
    put(l, "train", NULL);
    put_learning(l, algorithms[a], l->study->protocol.passes);
    put(l, "--tune", "--no-calibrate", NULL);
    put_log(l);
    put(l, "-o", "/dev/null", NULL);
    if (l->d->trees) {
        put_inside(l, NULL, "data/%s.tuning.txt", l->d->key);
        after(l, l->sample);
    } else
        put_training_files(l);
}

/* Makes a command that prints the header of a model, which step `made` has made. */
static void put_info(struct listing *l, size_t made)
{
    put(l, "info", "--json", NULL);
    after(l, made);
}

/* Lists the steps that count: for labels everything, for trees the training files, as in the paper. */
static void list_data(struct listing *l)
{
    size_t train = begin(l, WANTED_BY(EXPERIMENT_DATA), "data/%s/train", l->d->key);
    put(l, "train", NULL);
    put_learning(l, "cw", 1);
    put(l, "--no-calibrate", NULL);
    put_log(l);
    put_inside(l, "-o", "models/%s.data.vouch", l->d->key);
    makes_it(l);
    put_all_outside(l, l->d->corpus.count ? &l->d->corpus : &l->d->train);
    if (!l->d->trees && l->d->dev)
        put_outside(l, l->d->dev);
    if (!l->d->trees && l->d->test)
        put_outside(l, l->d->test);
    begin(l, WANTED_BY(EXPERIMENT_DATA), "data/%s/info", l->d->key);
    put_info(l, train);
    put_inside(l, NULL, "models/%s.data.vouch", l->d->key);
}

/* Lists the cross-validation of algorithms. */
static void list_folds(struct listing *l, const char *which)
{
    begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/folds%s", l->d->key, l->suffix);
    put(l, "eval", "--json", "--tune", NULL);
    put_number(l, "--folds", l->study->protocol.folds);
    put_learning(l, which, l->study->protocol.passes);
    put_all_outside(l, l->d->corpus.count ? &l->d->corpus : &l->d->train);
}

static void list_tree_prediction(struct listing *l, size_t a)
{
    const char *key = l->d->key, *name = algorithms[a];
    size_t model = begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/%s%s", key, name, l->suffix);
    put(l, "train", NULL);
    put_learning(l, name, l->study->protocol.passes);
    put_tuned(l, a);
    put(l, "--no-calibrate", NULL);
    put_test_file(l, "--dev");
    put_log(l);
    put_inside(l, "-o", "models/%s.prediction.%s%s.vouch", key, name, l->suffix);
    makes_it(l);
    put_training_files(l);
    begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/%s%s/eval", key, name, l->suffix);
    put(l, "eval", "--json", "--confidence", "none", NULL);
    put_inside(l, "-m", "models/%s.prediction.%s%s.vouch", key, name, l->suffix);
    put_test_file(l, NULL);
    after(l, model);
}

/* Lists the training of a model whose confidence is calibrated; returns its step. */
static size_t list_model(struct listing *l, const struct model *m)
{
    size_t model = begin(l, 0, "model/%s/%s%s", l->d->key, m->voices, l->suffix);
    put(l, "train", NULL);
    put_learning(l, m->voices, l->study->protocol.passes);
    for (size_t t = 0; t < m->tunings; t++)
        put_tuned(l, m->tuned_by[t]);
    put(l, "--grid", l->study->protocol.grid, NULL);
    if (l->d->dev) {
        put(l, "--dev", NULL);
        put_outside(l, l->d->dev);
    }
    put_log(l);
    put_inside(l, "-o", "models/%s.%s%s.vouch", l->d->key, m->voices, l->suffix);
    makes_it(l);
    put_training_files(l);
    return model;
}

/* Adds the model that step `made` has made, and the test file. */
static void put_model_of(struct listing *l, const char *voices, size_t made)
{
    put_inside(l, "-m", "models/%s.%s%s.vouch", l->d->key, voices, l->suffix);
    after(l, made);
    put_test_file(l, NULL);
}

static void put_model(struct listing *l, size_t m)
{
    put_model_of(l, models[m].voices, l->model[m]);
}

static void begin_ranking(struct listing *l, const char *voices, bool raw)
{
    unsigned wanted_by = WANTED_BY(EXPERIMENT_RANKING) | WANTED_BY(EXPERIMENT_CALIBRATION);
    begin(l, wanted_by, "ranking/%s/%s%s/%s", l->d->key, voices, l->suffix, raw ? "raw" : "calibrated");
    put(l, "eval", "--json", "--confidence", "all", NULL);
    if (raw)
        put(l, "--raw", NULL);
}

static void list_ranking(struct listing *l)
{
    for (size_t m = 0; m < MODELS; m++)
        for (int raw = 1; raw >= 0; raw--) {
            begin_ranking(l, models[m].voices, raw);
            put_model(l, m);
        }
}

/*
 * Lists steps for learners that learn from the K best answers, where K is not the study's: how well they predict, and
 * how well confidence finds the errors of cw. On trees pa learns from the best one in any case.
 */
static void list_comparisons(struct listing *l)
{
    static const struct model alone = {"cw", {CW}, 1};
    const struct protocol *p = &l->study->protocol;
    for (size_t i = 0; i < p->others; i++) {
        l->k_best = p->other_k[i];
        snprintf(l->suffix, sizeof l->suffix, "-k%lld", (long long)l->k_best);
        list_tuning(l, CW);
        if (l->d->trees)
            list_tree_prediction(l, CW);
        else
            list_folds(l, "cw,pa");
        size_t model = list_model(l, &alone);
        begin_ranking(l, alone.voices, true);
        put_model_of(l, alone.voices, model);
    }
    l->k_best = p->k_best;
    l->suffix[0] = '\0';
}

/* Lists steps that show the parameters chosen for the methods, for the models whose first voice is the paper's. */
static void list_parameters(struct listing *l)
{
    unsigned wanted_by = WANTED_BY(EXPERIMENT_RANKING) | WANTED_BY(EXPERIMENT_CALIBRATION);
    for (size_t m = 0; m < MODELS; m++) {
        if (models[m].tunings < 2)
            continue;
        begin(l, wanted_by, "parameters/%s/%s", l->d->key, models[m].voices);
        put_info(l, l->model[m]);
        put_inside(l, NULL, "models/%s.%s.vouch", l->d->key, models[m].voices);
    }
}

static void list_effect_of_k(struct listing *l)
{
    for (size_t i = 0; i < STUDY_DRAWS; i++) {
        begin(l, WANTED_BY(EXPERIMENT_EFFECT_OF_K), "effect-of-k/%s/%u", l->d->key, study_draws[i]);
        put(l, "eval", "--json", "--confidence", "kd-fix", "--raw", "--resamples", "0", NULL);
        put_number(l, "--draws", study_draws[i]);
        put_model(l, 0);
    }
}

/* Lists a step that shows what K draws promise for so many words, whatever the data. */
static void list_bounds(struct listing *l, const char *name, const char *words)
{
    begin(l, WANTED_BY(EXPERIMENT_EFFECT_OF_K), "%s", name);
    put(l, "draws", "--json", "--words", words, "--draws", "10,20,50,100,200,500", NULL);
}

/*
 * Lists the steps of trading, which needs words outside of chunks, so no parts of speech; with one type there is
 * nothing to merge.
 */
static void list_tradeoff(struct listing *l)
{
    static const char *const ways[] = {"raw", "words", "merged"};
    size_t count = strcmp(l->d->task, "np") == 0 ? 2 : 3;
    for (size_t w = 0; w < count; w++) {
        begin(l, WANTED_BY(EXPERIMENT_TRADEOFF), "tradeoff/%s/%s", l->d->key, ways[w]);
        put(l, "trade", "--json", "--raw", "--direction", "both", "--confidence", "all", NULL);
        if (w == 1)
            put(l, "--by", "words", NULL);
        if (w == 2)
            put(l, "--merge-types", NULL);
        if (w >= 1)
            put(l, "--unit", "words", NULL); /* as the paper counts */
        put_model(l, 0);
        if (l->ok)
            l->now->optional = true;
    }
}

/* Lists a step that puts the training sentences in one file, to choose from. */
static void list_pool(struct listing *l)
{
    l->pool = begin(l, 0, "pool/%s", l->d->key);
    put(l, "split", "--json", "--share", "1", NULL);
    put_inside(l, "-o", "data/%s.pool.txt", l->d->key);
    makes_it(l);
    put_training_files(l);
}

static void list_active(struct listing *l)
{
    const struct protocol *p = &l->study->protocol;
    begin(l, WANTED_BY(EXPERIMENT_ACTIVE), "active/%s", l->d->key);
    put(l, "active", "--json", "--confidence", "kd-fix,kd-pc,delta,gamma,gamma@crf,committee,random", NULL);
    put_learning(l, "cw+crf", p->passes);
    put_number(l, "--most", p->most);
    put_number(l, "--repeats", p->repeats);
    put_inside(l, "--pool", "data/%s.pool.txt", l->d->key);
    after(l, l->pool);
    put_test_file(l, "--test");
    if (l->ok)
        l->now->optional = true;
}

static void list_dataset(struct listing *l)
{
    const struct study_dataset *d = l->d;
    list_split(l);
    for (size_t a = 0; a < ALGORITHMS; a++)
        list_tuning(l, a);
    list_data(l);
    for (size_t a = 0; d->trees && a < ALGORITHMS; a++)
        list_tree_prediction(l, a);
    if (!d->trees)
        list_folds(l, "cw,pa,perceptron,crf");
    for (size_t m = 0; m < MODELS; m++)
        l->model[m] = list_model(l, &models[m]);
    list_ranking(l);
    list_parameters(l);
    list_effect_of_k(l);
    if (!d->trees && strcmp(d->task, "pos") != 0)
        list_tradeoff(l);
    if (!d->trees) {
        list_pool(l);
        list_active(l);
    }
    list_comparisons(l);
}

bool study_make_steps(struct study *study, struct vouch_error *err)
{
    struct listing l = {.study = study, .k_best = study->protocol.k_best, .ok = true, .err = err};
    for (size_t i = 0; i < study->datasets; i++) {
        l.d = &study->dataset[i];
        list_dataset(&l);
    }
    list_bounds(&l, "effect-of-k/bounds", "500000");
    list_bounds(&l, "effect-of-k/bounds-of-one", "1");
    /* Steps that a wanted step needs are wanted, too. */
    for (size_t i = study->steps; l.ok && i-- > 0;)
        for (size_t n = 0; n < study->step[i].needs; n++)
            study->step[study->step[i].need[n]].wanted_by |= study->step[i].wanted_by;
    return l.ok;
}
