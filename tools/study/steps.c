/*
 * Lists the steps of a study: see study.h.
 *
 * Steps are the rows of a table, in an order in which they could be run one by one. A row is a name and a command line
 * as a user would type it, in which
 *
 *     @         is the key of the dataset
 *     *         is a member of the row's list: there is a step for each
 *     $         is "-kN" for learners that learn from the N best answers, for comparison; else nothing
 *     %         is the model that has learned with cw: "cw+crf", or for comparison "cw-kN"
 *     >FILE     is a file in OUT that the step makes
 *     <FILE     is one that an earlier step makes, which the step needs; &FILE is needed, but not an argument
 *     TRAIN     are the training files, TEST is the test file, DEV is --dev and the development file if there is one
 *     ALL       are all files that are divided, or else the training files; REST are those for test and development
 *               where labels are counted: for trees the training files count, as in the paper
 *     LEARN:A   is what to learn with the algorithms A, ONCE:A the same in one pass
 *     TUNED:A   are the parameters that other steps chose for the algorithms A
 *     LOG       is a log named after the step, which holds the result
 *
 * and SEED, GRID and so on are the settings of the study. For every other number of answers to learn from the table is
 * gone through again, with the lists for comparison: all that the paper measures on answers of cw, whose learner learns
 * from the best answer. On trees pa learns from the best answer in any case.
 */
#include "study/study.h"

#include "base/memory.h"
#include "report/prose.h"

#include <stdio.h>
#include <string.h>

/* Kinds of datasets; trading needs words outside of chunks, so no parts of speech. */
enum {
    LABELS = 1,
    TREES = 2,
    CHUNKS = 4,
    TYPES = 8,   /* chunks of several types, which can be merged */
    DIVIDED = 16 /* the plan does not say which part is for test */
};
enum { ANY = LABELS | TREES, NO_DATA = 0 };

#define WANTED_BY(experiment) (1u << EXPERIMENT_##experiment)
#define JUDGING (WANTED_BY(RANKING) | WANTED_BY(CALIBRATION))
#define CW_MODEL "-m <models/@.%.vouch TEST"
#define TRADE "trade --json --raw --direction both --confidence all "
#define ONE "-"
#define EACH_K "2 5 10 20 30 40 50 80 100 200"
#define BOUNDS "--draws 10,20,50,100,200,500"

/* The same numbers as in EACH_K. */
const unsigned study_draws[STUDY_DRAWS] = {2, 5, 10, 20, 30, 40, 50, 80, 100, 200};

static const struct step_row {
    unsigned data, wanted_by; /* kinds of datasets, bits of experiments */
    const char *name, *command;
    const char *each, *compared; /* lists of members, separated by blanks; for comparison: NULL: no step */
    bool with_last;              /* its steps follow those of the row above member by member, whose list it has */
    bool optional;
} rows[] = {
    {DIVIDED, 0, .name = "split/@", "split --json --seed SEED -o >data/@.train.txt --rest >data/@.test.txt ALL"},
    {TREES, 0, .name = "sample/@", "split --json --seed SEED --count TUNING -o >data/@.tuning.txt TRAIN"},
    {LABELS, 0, "tuning/@/*$", "train LEARN:* --tune --no-calibrate LOG -o /dev/null TRAIN", .each = "cw pa crf",
     .compared = "cw"},
    {TREES, 0, "tuning/@/*$", "train LEARN:* --tune --no-calibrate LOG -o /dev/null <data/@.tuning.txt",
     .each = "cw pa crf", .compared = "cw"},
    {ANY, WANTED_BY(DATA), .name = "data/@/train", "train ONCE:cw --no-calibrate LOG -o >models/@.data.vouch ALL REST"},
    {ANY, WANTED_BY(DATA), .name = "data/@/info", "info --json <models/@.data.vouch"},
    {TREES, WANTED_BY(PREDICTION), "prediction/@/*$",
     "train LEARN:* TUNED:* --no-calibrate --dev TEST LOG -o >models/@.prediction.*$.vouch TRAIN", .each = "cw pa crf",
     .compared = "cw"},
    {TREES, WANTED_BY(PREDICTION), "prediction/@/*$/eval",
     "eval --json --by-sentence --confidence none -m models/@.prediction.*$.vouch TEST &models/@.prediction.*$.vouch",
     .compared = "cw", .with_last = true},
    {TREES, WANTED_BY(PREDICTION), "prediction/@/*$/first",
     "train ONCE:* TUNED:* --no-calibrate LOG -o >models/@.first.*$.vouch TRAIN", .each = "cw pa", .compared = "cw"},
    {TREES, WANTED_BY(PREDICTION), "prediction/@/*$/first/eval",
     "eval --json --by-sentence --confidence none -m models/@.first.*$.vouch TEST &models/@.first.*$.vouch",
     .compared = "cw", .with_last = true},
    {LABELS, WANTED_BY(PREDICTION), "prediction/@/folds$", "eval --json --tune --folds FOLDS LEARN:* ALL",
     .each = "cw,pa,perceptron,crf", .compared = "cw,pa"},
    {ANY, 0, "model/@/*$", "train LEARN:* TUNED:* --grid GRID --plain-draws DEV LOG -o >models/@.*$.vouch TRAIN",
     .each = "cw+crf pa+crf crf", .compared = "cw"},
    {ANY, JUDGING, "ranking/@/*$/raw", "eval --json --confidence all --raw --seeds SEEDS -m <models/@.*$.vouch TEST",
     .each = "cw+crf pa+crf crf", .compared = "cw"},
    {ANY, JUDGING, "ranking/@/*/calibrated", "eval --json --confidence all --seeds SEEDS -m <models/@.*.vouch TEST",
     .with_last = true},
    {ANY, JUDGING, "parameters/@/*$", "info --json <models/@.*$.vouch", .each = "cw+crf pa+crf", .compared = "cw"},
    {ANY, WANTED_BY(EFFECT_OF_K), "effect-of-k/@/*$",
     "eval --json --confidence kd-fix --raw --resamples 0 --seeds SEEDS --draws * " CW_MODEL, EACH_K, EACH_K},
    {CHUNKS, WANTED_BY(TRADEOFF), "tradeoff/@/raw$", TRADE CW_MODEL, ONE, ONE, .optional = true},
    {CHUNKS, WANTED_BY(TRADEOFF), "tradeoff/@/words$", TRADE "--drop words --unit words " CW_MODEL, ONE, ONE,
     .optional = true},
    {TYPES, WANTED_BY(TRADEOFF), "tradeoff/@/merged$", TRADE "--merge-types --unit words " CW_MODEL, ONE, ONE,
     .optional = true},
    {LABELS, 0, .name = "pool/@", "split --json --share 1 -o >data/@.pool.txt TRAIN"},
    {LABELS, WANTED_BY(ACTIVE), "active/@$",
     "active --json --confidence * LEARN:cw+crf --plain-draws --most MOST --repeats REPEATS --pool <data/@.pool.txt "
     "--test TEST",
     "kd-fix,gamma,committee,random", "kd-fix,kd-pc,delta,gamma,random", .optional = true},
    {NO_DATA, WANTED_BY(EFFECT_OF_K), .name = "effect-of-k/bounds", "draws --json --words 500000 " BOUNDS},
    {NO_DATA, WANTED_BY(EFFECT_OF_K), .name = "effect-of-k/bounds-of-one", "draws --json --words 1 " BOUNDS},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The state of listing steps. After a failure nothing more is done. */
struct listing {
    struct study *study;
    const struct study_dataset *d;
    const char *member;
    int64_t k_best;  /* answers to learn from: the study's own, or others for comparison */
    char suffix[16]; /* of models that learn from other numbers of answers: "-k1" */
    struct step *now;
    bool ok;
    struct vouch_error *err;
};

/* Returns a part of a row with @, * and $ filled in; to free(), NULL after a failure. */
static char *fill(struct listing *l, const char *text)
{
    struct prose says = {0};
    for (; *text; text++) {
        char other[] = {*text, '\0'};
        if (*text == '%')
            prose_say(&says, "cw%s", l->suffix[0] ? l->suffix : "+crf");
        else
            prose_say(&says, "%s",
                      *text == '@' ? l->d->key : *text == '*' ? l->member : *text == '$' ? l->suffix : other);
    }
    char *filled = prose_take(&says, l->err);
    l->ok = l->ok && filled;
    return filled;
}

/* Adds arguments, separated by blanks. */
__attribute__((format(printf, 2, 3))) static void put(struct listing *l, const char *format, ...)
{
    struct strings text = {0};
    char *rest;
    va_list args;
    va_start(args, format);
    l->ok = l->ok && strings_add_list(&text, l->err, format, args);
    va_end(args);
    for (char *word = l->ok ? strtok_r(text.at[0], " ", &rest) : NULL; word && l->ok; word = strtok_r(NULL, " ", &rest))
        l->ok = strings_add(&l->now->argument, l->err, "%s", word);
    strings_release(&text);
}

/* Adds files that no step makes. */
static void put_outside(struct listing *l, char *const *file, size_t count)
{
    for (size_t i = 0; i < count && file[i]; i++)
        l->ok = l->ok && strings_add(&l->now->argument, l->err, "%s", file[i]) &&
                strings_add(&l->now->outside, l->err, "%s", file[i]);
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

/* Notes that this step needs the one that makes the file. */
static void need_file(struct listing *l, const char *file)
{
    for (size_t i = 0; i < l->study->steps; i++)
        for (size_t m = 0; m < l->study->step[i].makes.count; m++)
            if (strcmp(l->study->step[i].makes.at[m], file) == 0)
                after(l, i);
}

/* Adds a file that is divided from others, "train" or "test", or the files that the plan has for it. */
static void put_part(struct listing *l, const char *part, char *const *file, size_t count)
{
    char name[64];
    snprintf(name, sizeof name, "data/%s.%s.txt", l->d->key, part);
    if (l->d->corpus.count) {
        put(l, "%s", name);
        need_file(l, name);
    } else {
        put_outside(l, file, count);
    }
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

/* Adds the parameters that other steps chose for algorithms, "cw+crf". */
static void put_tuned(struct listing *l, const char *algorithms)
{
    char name[128];
    for (size_t length; *algorithms; algorithms += length + (algorithms[length] == '+')) {
        length = strcspn(algorithms, "+");
        snprintf(name, sizeof name, "tuning/%s/%.*s%s", l->d->key, (int)length, algorithms, l->suffix);
        for (size_t i = 0; i < l->study->steps; i++) {
            if (strcmp(l->study->step[i].name, name) != 0)
                continue;
            after(l, i);
            if (l->ok && l->now->tunings < STEP_TUNINGS)
                l->now->tuned_by[l->now->tunings++] = i;
        }
    }
}

/* Adds a file in OUT that the step makes. */
static void put_made(struct listing *l, const char *file)
{
    put(l, "%s", file);
    l->ok = l->ok && strings_add(&l->now->makes, l->err, "%s", file);
}

/* Adds a word of a command, as the table above has it. */
static void put_word(struct listing *l, const char *word)
{
    const struct protocol *p = &l->study->protocol;
    const struct study_dataset *d = l->d;
    const struct {
        const char *word;
        int64_t value;
    } settings[] = {{"SEED", p->seed}, {"SEEDS", p->seeds}, {"FOLDS", p->folds},     {"TUNING", p->tuning},
                    {"MOST", p->most}, {"REPEATS", p->repeats}, {word, 0}};
    size_t setting = 0;
    while (strcmp(word, settings[setting].word) != 0)
        setting++;
    char log[256];
    if (setting + 1 < sizeof settings / sizeof *settings) {
        put(l, "%lld", (long long)settings[setting].value);
    } else if (strcmp(word, "GRID") == 0) {
        put(l, "%s", p->grid);
    } else if (strcmp(word, "LOG") == 0) {
        snprintf(log, sizeof log, "logs/%s.jsonl", l->now->name);
        put(l, "--log");
        put_made(l, log);
    } else if (strcmp(word, "TRAIN") == 0) {
        put_part(l, "train", d->train.at, d->train.count);
    } else if (strcmp(word, "TEST") == 0) {
        put_part(l, "test", &d->test, 1);
    } else if (strcmp(word, "DEV") == 0) {
        put(l, d->dev ? "--dev" : "");
        put_outside(l, &d->dev, 1);
    } else if (strcmp(word, "ALL") == 0) {
        put_outside(l, d->corpus.at, d->corpus.count);
        put_outside(l, d->train.at, d->train.count);
    } else if (strcmp(word, "REST") == 0) {
        put_outside(l, &d->dev, !d->trees);
        put_outside(l, &d->test, !d->trees);
    } else if (strncmp(word, "LEARN:", 6) == 0) {
        put_learning(l, word + 6, p->passes);
    } else if (strncmp(word, "ONCE:", 5) == 0) {
        put_learning(l, word + 5, 1);
    } else if (strncmp(word, "TUNED:", 6) == 0) {
        put_tuned(l, word + 6);
    } else if (word[0] == '>') {
        put_made(l, word + 1);
    } else if (word[0] == '<' || word[0] == '&') {
        put(l, "%s", word[0] == '<' ? word + 1 : "");
        need_file(l, word + 1);
    } else {
        put(l, "%s", word);
    }
}

static void list_step(struct listing *l, const struct step_row *row)
{
    struct study *study = l->study;
    char *name = fill(l, row->name), *command = fill(l, row->command), *rest;
    l->ok = l->ok && RESERVE(study->step, study->step_capacity, study->steps + 1, l->err);
    if (l->ok) {
        l->now = &study->step[study->steps++];
        *l->now = (struct step){.name = name, .wanted_by = row->wanted_by, .optional = row->optional};
        name = NULL;
    }
    for (char *word = l->ok ? strtok_r(command, " ", &rest) : NULL; word && l->ok; word = strtok_r(NULL, " ", &rest))
        put_word(l, word);
    free(command);
    free(name);
}

/* Lists the steps of all rows for some kinds of data; rows that stay together take turns, member by member. */
static void list_rows(struct listing *l, unsigned data, bool compared)
{
    for (const struct step_row *row = rows, *next; l->ok && row < rows + ROWS; row = next) {
        const char *list = compared ? row->compared : row->each ? row->each : "-";
        for (next = row + 1; next < rows + ROWS && next->with_last;)
            next++;
        for (size_t length; list && *list && (row->data ? row->data & data : !data);
             list += length + (list[length] == ' ')) {
            char member[64];
            length = strcspn(list, " ");
            snprintf(member, sizeof member, "%.*s", (int)length, list);
            l->member = member;
            for (const struct step_row *each = row; each < next; each++)
                if (!compared || each->compared)
                    list_step(l, each);
        }
    }
}

bool study_make_steps(struct study *study, struct vouch_error *err)
{
    const struct protocol *p = &study->protocol;
    struct listing l = {.study = study, .ok = true, .err = err};
    for (size_t i = 0; i < study->datasets; i++) {
        const struct study_dataset *d = l.d = &study->dataset[i];
        bool chunks = !d->trees && strcmp(d->task, "pos") != 0, types = chunks && strcmp(d->task, "np") != 0;
        unsigned data = (d->trees ? TREES : LABELS) | (chunks ? CHUNKS : 0u) | (types ? TYPES : 0u) |
                        (d->corpus.count ? DIVIDED : 0u);
        l.k_best = p->k_best;
        l.suffix[0] = '\0';
        list_rows(&l, data, false);
        for (size_t other = 0; other < p->others; other++) {
            l.k_best = p->other_k[other];
            snprintf(l.suffix, sizeof l.suffix, "-k%lld", (long long)l.k_best);
            list_rows(&l, data, true);
        }
    }
    list_rows(&l, NO_DATA, false);
    /* Steps that a wanted step needs are wanted, too. */
    for (size_t i = study->steps; l.ok && i-- > 0;)
        for (size_t n = 0; n < study->step[i].needs; n++)
            study->step[study->step[i].need[n]].wanted_by |= study->step[i].wanted_by;
    return l.ok;
}
