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
__attribute__((format(printf, 3, 4))) static size_t begin(struct listing *l, unsigned wanted_by, const char *format,
                                                          ...)
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

/* Adds the words of a formatted text, separated by blanks; >FILE is a file in OUT that the step makes. */
__attribute__((format(printf, 2, 3))) static void put(struct listing *l, const char *format, ...)
{
    struct strings text = {0};
    char *rest;
    va_list args;
    va_start(args, format);
    l->ok = l->ok && strings_add_list(&text, l->err, format, args);
    va_end(args);
    for (char *word = l->ok ? strtok_r(text.at[0], " ", &rest) : NULL; word && l->ok;
         word = strtok_r(NULL, " ", &rest)) {
        bool makes = word[0] == '>';
        l->ok = strings_add(&l->now->argument, l->err, "%s", word + makes) &&
                (!makes || strings_add(&l->now->makes, l->err, "%s", word + 1));
    }
    strings_release(&text);
}

/* Adds a file that no step makes. */
static void put_outside(struct listing *l, const char *file)
{
    l->ok = l->ok && strings_add(&l->now->argument, l->err, "%s", file) &&
            strings_add(&l->now->outside, l->err, "%s", file);
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

/* Adds a log, named after the step, which holds the result. */
static void put_log(struct listing *l)
{
    put(l, "--log >logs/%s.jsonl", l->ok ? l->now->name : "");
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
        put(l, "data/%s.train.txt", l->d->key);
        after(l, l->split);
    } else
        put_all_outside(l, &l->d->train);
}

/* Adds the test file, after an option or "". */
static void put_test_file(struct listing *l, const char *option)
{
    put(l, "%s", option);
    if (l->d->corpus.count) {
        put(l, "data/%s.test.txt", l->d->key);
        after(l, l->split);
    } else
        put_outside(l, l->d->test);
}

/* Adds what to learn, and how: one `algorithm`, or several. */
static void put_learning(struct listing *l, const char *algorithm, int64_t passes)
{
    put(l, "--task %s -a %s --passes %lld%s", l->d->task, algorithm, (long long)passes,
        l->d->trees ? " --unlabelled" : "");
    if (l->d->gold)
        put(l, "--gold %lld", (long long)l->d->gold);
    if (l->k_best)
        put(l, "--k-best %lld", (long long)l->k_best);
    if (l->study->protocol.seed != 1)
        put(l, "--seed %lld", (long long)l->study->protocol.seed);
}

static void list_split(struct listing *l)
{
    const long long seed = l->study->protocol.seed;
    if (l->d->corpus.count) {
        l->split = begin(l, 0, "split/%s", l->d->key);
        put(l, "split --json --seed %lld -o >data/%s.train.txt --rest >data/%s.test.txt", seed, l->d->key, l->d->key);
        put_all_outside(l, &l->d->corpus);
    }
    if (l->d->trees) {
        l->sample = begin(l, 0, "sample/%s", l->d->key);
        put(l, "split --json --seed %lld --count %lld -o >data/%s.tuning.txt", seed,
            (long long)l->study->protocol.tuning, l->d->key);
        put_training_files(l);
    }
}

static void list_tuning(struct listing *l, size_t a)
{
    l->tuning[a] = begin(l, 0, "tuning/%s/%s%s", l->d->key, algorithms[a], l->suffix);
    put(l, "train");
    put_learning(l, algorithms[a], l->study->protocol.passes);
    put(l, "--tune --no-calibrate");
    put_log(l);
    put(l, "-o /dev/null");
    if (l->d->trees) {
        put(l, "data/%s.tuning.txt", l->d->key);
        after(l, l->sample);
    } else
        put_training_files(l);
}

/* Lists the steps that count: for labels everything, for trees the training files, as in the paper. */
static void list_data(struct listing *l)
{
    size_t train = begin(l, WANTED_BY(EXPERIMENT_DATA), "data/%s/train", l->d->key);
    put(l, "train");
    put_learning(l, "cw", 1);
    put(l, "--no-calibrate");
    put_log(l);
    put(l, "-o >models/%s.data.vouch", l->d->key);
    put_all_outside(l, l->d->corpus.count ? &l->d->corpus : &l->d->train);
    if (!l->d->trees && l->d->dev)
        put_outside(l, l->d->dev);
    if (!l->d->trees && l->d->test)
        put_outside(l, l->d->test);
    begin(l, WANTED_BY(EXPERIMENT_DATA), "data/%s/info", l->d->key);
    put(l, "info --json models/%s.data.vouch", l->d->key);
    after(l, train);
}

/* Lists the cross-validation of algorithms. */
static void list_folds(struct listing *l, const char *which)
{
    begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/folds%s", l->d->key, l->suffix);
    put(l, "eval --json --tune --folds %lld", (long long)l->study->protocol.folds);
    put_learning(l, which, l->study->protocol.passes);
    put_all_outside(l, l->d->corpus.count ? &l->d->corpus : &l->d->train);
}

static void list_tree_prediction(struct listing *l, size_t a)
{
    const char *key = l->d->key, *name = algorithms[a];
    size_t model = begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/%s%s", key, name, l->suffix);
    put(l, "train");
    put_learning(l, name, l->study->protocol.passes);
    put_tuned(l, a);
    put(l, "--no-calibrate");
    put_test_file(l, "--dev");
    put_log(l);
    put(l, "-o >models/%s.prediction.%s%s.vouch", key, name, l->suffix);
    put_training_files(l);
    begin(l, WANTED_BY(EXPERIMENT_PREDICTION), "prediction/%s/%s%s/eval", key, name, l->suffix);
    put(l, "eval --json --confidence none -m models/%s.prediction.%s%s.vouch", key, name, l->suffix);
    put_test_file(l, "");
    after(l, model);
}

/* Lists the training of a model whose confidence is calibrated; returns its step. */
static size_t list_model(struct listing *l, const struct model *m)
{
    size_t model = begin(l, 0, "model/%s/%s%s", l->d->key, m->voices, l->suffix);
    put(l, "train");
    put_learning(l, m->voices, l->study->protocol.passes);
    for (size_t t = 0; t < m->tunings; t++)
        put_tuned(l, m->tuned_by[t]);
    put(l, "--grid %s", l->study->protocol.grid);
    if (l->d->dev) {
        put(l, "--dev");
        put_outside(l, l->d->dev);
    }
    put_log(l);
    put(l, "-o >models/%s.%s%s.vouch", l->d->key, m->voices, l->suffix);
    put_training_files(l);
    return model;
}

/* Adds the model that step `made` has made, and the test file. */
static void put_model(struct listing *l, const char *voices, size_t made)
{
    put(l, "-m models/%s.%s%s.vouch", l->d->key, voices, l->suffix);
    after(l, made);
    put_test_file(l, "");
}

static void list_ranking(struct listing *l, const char *voices, size_t made, bool raw)
{
    begin(l, WANTED_BY(EXPERIMENT_RANKING) | WANTED_BY(EXPERIMENT_CALIBRATION), "ranking/%s/%s%s/%s", l->d->key, voices,
          l->suffix, raw ? "raw" : "calibrated");
    put(l, "eval --json --confidence all%s", raw ? " --raw" : "");
    put_model(l, voices, made);
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
        list_ranking(l, alone.voices, list_model(l, &alone), true);
    }
    l->k_best = p->k_best;
    l->suffix[0] = '\0';
}

/* Lists steps that show the parameters chosen for the methods, for the models whose first voice is the paper's. */
static void list_parameters(struct listing *l)
{
    for (size_t m = 0; m < MODELS; m++) {
        if (models[m].tunings < 2)
            continue;
        begin(l, WANTED_BY(EXPERIMENT_RANKING) | WANTED_BY(EXPERIMENT_CALIBRATION), "parameters/%s/%s", l->d->key,
              models[m].voices);
        put(l, "info --json models/%s.%s.vouch", l->d->key, models[m].voices);
        after(l, l->model[m]);
    }
}

static void list_effect_of_k(struct listing *l)
{
    for (size_t i = 0; i < STUDY_DRAWS; i++) {
        begin(l, WANTED_BY(EXPERIMENT_EFFECT_OF_K), "effect-of-k/%s/%u", l->d->key, study_draws[i]);
        put(l, "eval --json --confidence kd-fix --raw --resamples 0 --draws %u", study_draws[i]);
        put_model(l, models[0].voices, l->model[0]);
    }
}

/* Lists a step that shows what K draws promise for so many words, whatever the data. */
static void list_bounds(struct listing *l, const char *name, const char *words)
{
    begin(l, WANTED_BY(EXPERIMENT_EFFECT_OF_K), "%s", name);
    put(l, "draws --json --words %s --draws 10,20,50,100,200,500", words);
}

/*
 * Lists the steps of trading, which needs words outside of chunks, so no parts of speech; with one type there is
 * nothing to merge. Words are counted as the paper does.
 */
static void list_tradeoff(struct listing *l)
{
    static const char *const ways[] = {"raw", "words", "merged"};
    static const char *const options[] = {"", " --by words --unit words", " --merge-types --unit words"};
    size_t count = strcmp(l->d->task, "np") == 0 ? 2 : 3;
    for (size_t w = 0; w < count; w++) {
        begin(l, WANTED_BY(EXPERIMENT_TRADEOFF), "tradeoff/%s/%s", l->d->key, ways[w]);
        put(l, "trade --json --raw --direction both --confidence all%s", options[w]);
        put_model(l, models[0].voices, l->model[0]);
        if (l->ok)
            l->now->optional = true;
    }
}

/* Lists a step that puts the training sentences in one file, to choose from, and active learning. */
static void list_active(struct listing *l)
{
    const struct protocol *p = &l->study->protocol;
    l->pool = begin(l, 0, "pool/%s", l->d->key);
    put(l, "split --json --share 1 -o >data/%s.pool.txt", l->d->key);
    put_training_files(l);
    begin(l, WANTED_BY(EXPERIMENT_ACTIVE), "active/%s", l->d->key);
    put(l, "active --json --confidence kd-fix,kd-pc,delta,gamma,gamma@crf,committee,random");
    put_learning(l, "cw+crf", p->passes);
    put(l, "--most %lld --repeats %lld --pool data/%s.pool.txt", (long long)p->most, (long long)p->repeats, l->d->key);
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
    for (size_t m = 0; m < MODELS; m++)
        for (int raw = 1; raw >= 0; raw--)
            list_ranking(l, models[m].voices, l->model[m], raw);
    list_parameters(l);
    list_effect_of_k(l);
    if (!d->trees && strcmp(d->task, "pos") != 0)
        list_tradeoff(l);
    if (!d->trees)
        list_active(l);
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
