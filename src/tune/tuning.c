/*
 * Calibrates a model anew: see tuning.h.
 *
 * The labelled files take the place of the held-out parts of training: the model answers them as a development file,
 * and the rest is train/calibration.h. Weights are not touched; a copy of the header gets what was found.
 */
#include "tune/tuning.h"

#include "base/watch.h"
#include "measure/intervals.h"
#include "task/task.h"
#include "answer/answer_stream.h"
#include "options/rows.h"
#include "answer/model_input.h"
#include "model/records.h"

#include <math.h>

#define OPTIONS struct tune_options
static const struct option_spec tune[] = {
    TEXT("answers", 0, answers, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
         "calibrate another program's numbers instead: FILE holds gold, guess and confidence, or answers to the file "
         "GOLD"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    OPTION_LOG,
    TEXT("model", 'm', model, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ | OPTION_REPLACED,
         "the model to tune"),
    OPTION_SCORES,
    OPTION_OUTPUT_WITH("write the tuned model to this file, whole or not at all; with --answers, the calibration"),
    OPTION_IN_PLACE("write the tuned model to the model's own file; without -o or this, nothing is kept"),
    WORD("grid", 0, grid, "NAME", GRID_NAMES, OPTION_MATTERS,
         "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a "
         "few, as training does"),
    INTEGER("draws", 0, draws, "K", 0, MAX_DRAWS, OPTION_MATTERS, "models to draw for kd-fix and kd-pc; 0 is 50"),
    OPTION_PLAIN_DRAWS(plain_draws),
    REAL("coverage", 0, coverage, "C", 0, 1, OPTION_MATTERS,
         "instead: find out how large sets of choices must be to hold the right one with the probability C, for 'vouch "
         "tag "
         "--sets' and 'vouch parse --sets'; 0 is no"),
    WORD("by", 0, by, "WHAT", "label", OPTION_MATTERS,
         "with --coverage: find a threshold for each label, type of chunks and relation (label), so that each is held "
         "with this probability, where there are enough of it; others share one"),
    OPTIONS_READING,
    OPTION_JSON,
    OPTIONS_WORK,
    OPTIONS_END,
};

static const struct option_rule tune_rules[] = {
    {"answers", NULL, "model", "expected --answers or -m, not both"},
    {"answers", NULL, "coverage", "expected --answers or --coverage, not both"},
    {"answers", "output", "output=-", "expected -o CALIBRATION, the file to write"},
    {"by", "coverage", NULL, "--%s is for sets of choices: expected --coverage"},
    {"columns log", "answers", NULL, "--%s is about a file of answers: expected --answers FILE"},
    {NULL, "model answers", NULL, "expected -m MODEL, or --answers FILE"},
    {NULL, NULL, "output=-", "expected a file to write the model to, found '-'"},
    {"output", NULL, "in-place", "expected -o or --in-place, not both"},
    {"in-place", NULL, "model=-", "expected a file to write the model to, found '-'"},
    {0},
};

static const struct tune_options usual = {.common = USUAL_COMMON, .grid = "full"};

const struct option_table tune_options = {"tune", tune, &usual, sizeof usual, NULL, tune_rules};

bool tuning_prepare(struct tuning_plan *plan, const struct tune_options *options, struct vouch_error *err)
{
    *plan = (struct tuning_plan){.options = options};
    if (options->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least one labelled file");
    if (options->coverage >= 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "nothing is ever quite sure: expected --coverage below 1");
    if (options->by && !(options->coverage > 0))
        return fail(err, VOUCH_ERR_ARGUMENT, "--by is for sets of choices: expected --coverage");
    if (options->coverage > 0 && (option_given(options, "grid") || options->draws || options->plain_draws))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--coverage leaves the model's confidence as it is: expected no --grid, --draws or --plain-draws");
    plan->grids = *grids_named(options->grid);
    plan->grids.words[0] = plan->grids.words[1] = 0; /* methods are compared: each is fitted on all words */
    if (options->draws)
        plan->grids.draws = options->draws;
    plan->grids.plain = options->plain_draws;
    return reading_options(&options->reading, &plan->reading, err);
}

bool tuning_read(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                 struct tuning_result *result, struct vouch_error *err)
{
    const struct tune_options *s = plan->options;
    struct reader_options reading = plan->reading;
    *result = (struct tuning_result){0};
    if (!model->seen.count)
        warn_of_training(watch, model, s->common.argument, s->common.arguments,
                         "answers it better than other files: its confidence in those will be too high");
    if (!corpus_read_for(&result->corpus, model, NULL, &reading, s->common.argument, s->common.arguments, watch, err))
        return false;
    warn_of_seen(watch, result->corpus.dev_seen, result->corpus.dataset.layer[0].dev.count,
                 s->common.arguments == 1 ? s->common.argument[0] : NULL,
                 "confidence in other files will be too high");
    return true;
}

/* Adds what was found, with the files and the command, to `header` under `name`. */
static bool describe(const struct tune_options *s, json_t *found, const char *name, json_t *header)
{
    char *line = options_provenance(s);
    bool ok = json_object_set_new(found, "files", header_files(s->common.argument, s->common.arguments)) == 0 &&
              json_object_set_new(found, "command", header_text(line)) == 0 &&
              json_object_set(header, name, found) == 0;
    free(line);
    return ok;
}

bool tuning_run(const struct tuning_plan *plan, const struct vouch_model *model, const struct vouch_watch *watch,
                struct tuning_result *result, struct vouch_error *err)
{
    struct held_out held = {0};
    struct calibration_plan calibration = {.held = &held,
                                           .grids = &plan->grids,
                                           .work = plan->options->common.work,
                                           .what = "tuning",
                                           .sentences = &result->corpus.dev_words};
    calibration.work.watch = watch;
    bool ok = held_out_dev(&held, &result->corpus.dataset, model->layer, err) &&
              find_confidence(&calibration, &result->found, err);
    held_out_release(&held);
    if (!ok)
        return false;
    json_t *header = result->header = json_copy(model->header);
    ok = describe(plan->options, result->found.json, "confidence", header);
    result->point_gone = ok && json_object_del(header, "operating_point") == 0;
    result->coverage_gone = ok && json_object_del(header, "coverage") == 0;
    return ok || fail_memory(err);
}

void tuning_result_release(struct tuning_result *result)
{
    corpus_release(&result->corpus);
    found_confidence_release(&result->found);
    json_decref(result->header);
    *result = (struct tuning_result){0};
}

/*
 * ---- The thresholds of covering sets ----
 *
 * The model answers the files, and every word gets the set of all choices with their probabilities. A word whose answer
 * is wrong is missed by every threshold above the probability of its right choice; so is a chunk with regard to its
 * right reading, and an arc with regard to the right relation. measure/intervals.h makes a threshold of these
 * probabilities, for words, for chunks and for relations, over sentences: the unit that is exchangeable is the
 * sentence, not the word. Where marks divide the files into documents, it is the document, whose loss is the share of
 * all its words that are missed. Only units that have such things count.
 *
 * One threshold for all covers enough words in the mean, most of which are outside of chunks, and may cover too few of
 * a rare label. By label (Mondrian conformal prediction: Vovk, Gammerman and Shafer 2005), a choice has the threshold
 * of its label, and this is found on the words whose right label it is, over the units that have some; for given labels
 * these are exchangeable as well. Labels that fewer units have than two losses take, 2 / risk, are pooled: they share a
 * threshold, and the promise is for all of them together. While nothing can be promised for the pool, the next rarest
 * label joins it. That looks at what was missed at every threshold as well, which the promise leaves out of account.
 *
 * Probabilities must not have been fitted on the same sentences. So the calibration of the model stays as it is, and
 * text that it was fitted on is refused (answer/measured_text.h).
 */

/* Notes one more thing with a label in the sentence at hand, whose counts begin at `from`. */
static bool count_label(struct covering *c, enum covered what, size_t from, uint32_t label, struct vouch_error *err)
{
    size_t i = from;
    while (i < c->counts[what] && c->count[what][i].label != label)
        i++;
    if (i == c->counts[what]) {
        if (!RESERVE(c->count[what], c->count_capacity[what], i + 1, err))
            return false;
        c->count[what][c->counts[what]++] = (struct covered_count){label, c->sentences, 0};
    }
    c->count[what][i].count++;
    return true;
}

/* Adds what is missed in a sentence. */
static bool take_misses(struct covering *c, const struct covered_sentence *s, enum covered what,
                        struct vouch_error *err)
{
    uint32_t things = covered_count(s, what);
    size_t from = c->counts[what];
    for (uint32_t i = 0; i < things; i++) {
        bool answered;
        double probability = covered_truth(s, what, i, &answered);
        uint32_t label = dictionary_add(&c->labels, covered_label(s, what, i), err);
        if (!label || !count_label(c, what, from, label, err))
            return false;
        if (answered)
            continue;
        if (!RESERVE(c->miss[what], c->miss_capacity[what], c->misses[what] + 1, err))
            return false;
        c->miss[what][c->misses[what]++] =
            (struct covered_miss){isnan(probability) ? 0 : probability, label, c->sentences};
    }
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct covering *c = context;
    struct covered_sentence s = {.N = sentence->N, .answer = answer};
    if (!measured_text_take(&c->text, sentence, err))
        return false;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(c->gold, c->gold_capacity, (size_t)sentence->N + 1, err) ||
        !RESERVE(c->document, c->document_capacity, (size_t)c->sentences + 1, err))
        return false;
    for (uint32_t i = 0; !c->model->trees && i < sentence->N; i++)
        c->gold[i] = task_gold(c->task, sentence->gold[i]);
    if (!c->model->trees && !labels_respell(&c->model->labels, c->gold, sentence->N, &c->work, err))
        return false;
    s.gold = c->model->trees ? sentence->gold : c->gold;
    s.gold_head = c->model->trees ? sentence->head : NULL;
    c->document[c->sentences] = c->text.documents.documents - 1;
    for (enum covered what = 0; what < COVERED; what++)
        if (!take_misses(c, &s, what, err))
            return false;
    c->sentences++;
    return true;
}

static uint32_t unit_of(const struct covering *c, uint32_t sentence)
{
    return has_documents(&c->text.documents) ? c->document[sentence] : sentence;
}

static const char *unit_name(const struct covering *c)
{
    return has_documents(&c->text.documents) ? "document" : "sentence";
}

/* The labels of a group. */
struct label_choice {
    const bool *in; /* [labels + 1]; NULL: all */
};

static bool has_label(struct label_choice choice, uint32_t label)
{
    return !choice.in || choice.in[label];
}

/* Finds the size of each unit, [sentences], in things of the chosen labels, and counts units and things. */
static uint32_t *sizes_of(const struct covering *c, enum covered what, struct label_choice choice,
                          struct covered_group *group, struct vouch_error *err)
{
    uint32_t *size = new_array((size_t)c->sentences + 1, sizeof *size, err);
    group->units = 0;
    group->count = 0;
    for (size_t i = 0; size && i < c->counts[what]; i++) {
        const struct covered_count *one = &c->count[what][i];
        if (!has_label(choice, one->label))
            continue;
        uint32_t *here = &size[unit_of(c, one->sentence)];
        group->units += *here == 0;
        group->count += one->count;
        *here += one->count;
    }
    return size;
}

/* Finds the threshold of a group of labels; *reached is the risk that can be promised. */
static bool find_threshold(const struct covering *c, enum covered what, struct label_choice choice,
                           struct covered_group *group, double *reached, struct vouch_error *err)
{
    uint32_t *size = sizes_of(c, what, choice, group, err);
    struct miss *miss = new_array(c->misses[what] + 1, sizeof *miss, err);
    bool ok = size && miss;
    size_t misses = 0;
    for (size_t i = 0; ok && i < c->misses[what]; i++) {
        const struct covered_miss *one = &c->miss[what][i];
        if (has_label(choice, one->label))
            miss[misses++] = (struct miss){one->score, 1.0 / size[unit_of(c, one->sentence)]};
    }
    group->wrong = misses;
    if (ok)
        group->threshold = conformal_threshold(miss, misses, group->units, 1 - c->options->coverage, reached);
    free(size);
    free(miss);
    return ok;
}

/*
 * Finds the threshold of all labels together, which must be within reach. Only relations may miss it, and have no sets
 * then: those that the model does not know are in none.
 */
static bool find_overall(struct covering *c, enum covered what, struct vouch_error *err)
{
    double reached;
    struct covered_group *all = c->group[what];
    c->groups[what] = 1;
    all->labels = c->labels.table.count;
    if (!find_threshold(c, what, (struct label_choice){NULL}, all, &reached, err))
        return false;
    c->found.has[what] = reached <= 1 - c->options->coverage;
    if (!c->found.has[what])
        all->threshold = NAN;
    c->found.least.of[what] = all->threshold;
    return c->found.has[what] || what == COVERED_RELATIONS ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "expected a coverage of %.9g to be within reach: the most that %u %ss with %s can promise is %.4f",
                c->options->coverage, all->units, unit_name(c), covered_name(what, c->model->trees), 1 - reached);
}

/* Puts groups of fewer units first. */
static int by_units(const void *left, const void *right)
{
    const struct covered_group *a = left, *b = right;
    return a->units != b->units ? (a->units > b->units) - (a->units < b->units)
                                : (a->label > b->label) - (a->label < b->label);
}

/* Lists the labels that there are, each as a group of its own, those of fewer units first; *labels of them. */
static bool list_labels(const struct covering *c, enum covered what, bool *one, struct covered_group *group,
                        uint32_t *labels, struct vouch_error *err)
{
    *labels = 0;
    for (uint32_t label = 1; label <= c->labels.table.count; label++) {
        struct covered_group *g = &group[*labels];
        one[label] = true;
        uint32_t *size = sizes_of(c, what, (struct label_choice){one}, g, err);
        one[label] = false;
        if (!size)
            return false;
        free(size);
        g->label = label;
        g->labels = 1;
        *labels += g->units > 0;
    }
    qsort(group, *labels, sizeof *group, by_units);
    return true;
}

/* Labels that share a threshold. */
struct label_pool {
    bool *in; /* [labels + 1] */
    struct covered_group group;
    double reached; /* the risk that can be promised */
};

static bool pool_add(const struct covering *c, enum covered what, struct label_pool *pool, uint32_t label,
                     struct vouch_error *err)
{
    pool->in[label] = true;
    pool->group.labels++;
    return find_threshold(c, what, (struct label_choice){pool->in}, &pool->group, &pool->reached, err);
}

static bool is_poor(const struct covered_group *group, double reached, double risk)
{
    return group->units < 2 / risk || reached > risk;
}

/*
 * Finds the thresholds of labels by how often they come, the rarest first. Those for which units are too few or nothing
 * can be promised go to the pool, which is the last group if there is any. If a frequent one leaves the pool too poor,
 * the rarest of those that had a threshold of their own join it as well: at the latest with all of them, it has the
 * threshold of all labels together, which is within reach.
 */
static bool find_by_label(struct covering *c, enum covered what, bool *pooled, bool *one, struct vouch_error *err)
{
    double risk = 1 - c->options->coverage, reached;
    struct covered_group *group = c->group[what] + 1;
    struct label_pool pool = {.in = pooled};
    uint32_t labels, own = 0, joined = 0;
    if (!list_labels(c, what, one, group, &labels, err))
        return false;
    for (uint32_t i = 0; i < labels; i++) {
        struct covered_group g = group[i];
        one[g.label] = true;
        if (!find_threshold(c, what, (struct label_choice){one}, &g, &reached, err))
            return false;
        one[g.label] = false;
        if (is_poor(&g, reached, risk) || (pool.group.labels > 0 && is_poor(&pool.group, pool.reached, risk))) {
            if (!pool_add(c, what, &pool, g.label, err))
                return false;
        } else
            group[own++] = g;
    }
    while (joined < own && pool.group.labels > 0 && is_poor(&pool.group, pool.reached, risk))
        if (!pool_add(c, what, &pool, group[joined++].label, err))
            return false;
    memmove(group, group + joined, (own - joined) * sizeof *group);
    own -= joined;
    if (pool.group.labels > 0) {
        c->found.least.of[what] = pool.group.threshold;
        group[own++] = pool.group;
    }
    c->groups[what] += own;
    return true;
}

struct text covered_group_name(const struct covering *c, enum covered what, uint32_t g)
{
    const struct covered_group *group = &c->group[what][g];
    return group->label ? dictionary_text(&c->labels, group->label) : text_of(g == 0 ? "all" : "others");
}

/* Collects the thresholds of labels for the model. */
static bool keep_by_label(struct covering *c, enum covered what, struct vouch_error *err)
{
    c->by_label[what] = json_object();
    for (uint32_t g = 1; g < c->groups[what]; g++)
        if (c->group[what][g].label &&
            !set_named(c->by_label[what], covered_group_name(c, what, g), json_real(c->group[what][g].threshold), err))
            return false;
    c->found.least.by_label[what] = c->by_label[what];
    return true;
}

/* Finds all thresholds for one kind of things, if there are any. Heads have no labels. */
static bool find_thresholds(struct covering *c, enum covered what, struct vouch_error *err)
{
    size_t labels = (size_t)c->labels.table.count + 1;
    if (c->counts[what] == 0)
        return true;
    c->group[what] = new_array(labels + 2, sizeof **c->group, err);
    if (!c->group[what] || !find_overall(c, what, err))
        return false;
    if (!c->options->by || !c->found.has[what] || (what == COVERED_WORDS && c->model->trees))
        return true;
    bool *pooled = new_array(labels, sizeof *pooled, err), *one = new_array(labels, sizeof *one, err);
    bool ok = pooled && one && find_by_label(c, what, pooled, one, err) && keep_by_label(c, what, err);
    free(pooled);
    free(one);
    return ok;
}

static bool make_estimator(struct covering *c, struct vouch_error *err)
{
    static const struct set_thresholds all = {0};
    struct estimate_request request = {.sets = &all};
    if (!estimator_make(c->model, &request, &c->estimator, err))
        return false;
    if (!c->estimator)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model was not calibrated: expected one by vouch train, or by vouch tune on other "
                    "sentences",
                    c->model->file.name);
    warn_of_old_draws(c->watch, c->estimator);
    snprintf(c->found.method, sizeof c->found.method, "%s", c->estimator->layer[0].chosen[0].name);
    return true;
}

static void begin_file(void *context, const char *path)
{
    struct covering *c = context;
    measured_text_begin(&c->text, path);
}

static bool answer_all(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    struct answer_sink sink = {.take = take, .context = c, .watch = c->watch, .begin = begin_file};
    struct vouch_request request = {
        .model = c->model, .scores = c->scores, .estimator = c->estimator, .threads = s->common.work.threads};
    struct reader_options reading;
    if (!reading_options(&s->reading, &reading, err))
        return false;
    model_input_settle(c->model, &reading);
    return answer_files(&request, &reading, s->common.argument, s->common.arguments, &sink, err) &&
           (c->sentences > 0 ||
            fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->common.argument[0])) &&
           measured_text_end(&c->text, err) && measured_text_proves(&c->text, err);
}

bool covering_by_label(const struct covering *c)
{
    return c->groups[COVERED_WORDS] > 1 || c->groups[COVERED_RELATIONS] > 1;
}

void covering_guarantee(const struct covering *c, const char *source, char *text, size_t size)
{
    const char *unit = unit_name(c);
    double percent = 100 * (1 - c->found.target);
    bool chunks = c->groups[COVERED_CHUNKS] > 0, relations = c->found.has[COVERED_RELATIONS];
    if (!covering_by_label(c))
        snprintf(text, size,
                 "in the mean over %ss from the same source as %s, at most %.4g %% of a %s's %s have sets without the "
                 "right %s",
                 unit, source, percent, unit,
                 relations ? "words, and of its relations,"
                 : chunks  ? "words, and of its predicted chunks,"
                           : "words",
                 c->model->trees && !relations ? "head" : "choice");
    else
        snprintf(text, size,
                 "for every %s, in the mean over %ss from the same source as %s that have it, at most %.4g %% of a "
                 "%s's %s it is%s have sets without it; those that share a threshold count as one%s",
                 relations ? "relation" : "label", unit, source, percent, unit,
                 relations ? "arcs whose right relation" : "words whose right label",
                 chunks ? ", and of chunks likewise," : "",
                 c->model->trees ? "; of all words, as few have sets without the right head" : "");
}

/* Says so if thresholds by label were asked for and no label has one. */
static void warn_if_shared(const struct covering *c)
{
    for (enum covered what = 0; c->options->by && what < COVERED; what++)
        if (c->groups[what] == 2 && !c->group[what][1].label)
            watch_say(c->watch, VOUCH_EVENT_WARNING,
                      "warning: --by label: these %ss are too few for any of %s to have a threshold of its own: all "
                      "share one",
                      unit_name(c),
                      what == COVERED_WORDS    ? "the labels of words"
                      : what == COVERED_CHUNKS ? "the types of chunks"
                                               : "the relations");
    if (c->options->by && !covering_by_label(c))
        watch_say(c->watch, VOUCH_EVENT_WARNING, "warning: --by label: heads have no labels, and there are no sets of "
                                                 "relations: it changes nothing");
}

static bool add_units(const struct covering *c, json_t *json)
{
    char guarantee[1024];
    covering_guarantee(c, "the files it was found on", guarantee, sizeof guarantee);
    return json_object_set_new(json, "sentences", json_integer(c->sentences)) == 0 &&
           json_object_set_new(json, "assumes", json_string(guarantee)) == 0 &&
           (!has_documents(&c->text.documents) ||
            json_object_set_new(json, "documents", json_integer(c->text.documents.documents)) == 0);
}

bool covering_run(struct covering *c, struct vouch_error *err)
{
    const struct tune_options *s = c->options;
    c->task = task_or_any(c->model->task);
    c->found = (struct coverage_model){.known = true, .target = s->coverage, .least.of = {1, 1, NAN}};
    if (!c->model->seen.count)
        warn_of_training(c->watch, c->model, s->common.argument, s->common.arguments,
                         "answers it better than other files: sets will hold the right choice less often there");
    if (!refuse_fitted_on(c->model, s->common.argument, s->common.arguments, err) ||
        !measured_text_init(&c->text, c->model, err) || !make_estimator(c, err) || !answer_all(c, err))
        return false;
    warn_of_unmarked(&c->text, c->watch);
    for (enum covered what = 0; what < COVERED; what++)
        if (!find_thresholds(c, what, err))
            return false;
    warn_if_shared(c);
    json_t *kept = coverage_model_json(&c->found);
    c->header = json_copy(c->model->header);
    bool ok = add_units(c, kept) && describe(s, kept, "coverage", c->header);
    json_decref(kept);
    return ok || fail_memory(err);
}

static json_t *group_json(const struct covering *c, const struct covered_group *g)
{
    const char *units = has_documents(&c->text.documents) ? "documents" : "sentences";
    return json_pack("{s:i, s:I, s:I, s:o}", units, (int)g->units, "count", (json_int_t)g->count, "wrong",
                     (json_int_t)g->wrong, "threshold", isnan(g->threshold) ? json_null() : json_real(g->threshold));
}

/* Returns the thresholds of one kind of things; NULL if there is no memory. */
static json_t *kind_json(const struct covering *c, enum covered what)
{
    json_t *all = group_json(c, c->group[what]), *each = json_object();
    bool ok = all && each;
    for (uint32_t g = 1; ok && g < c->groups[what]; g++) {
        const struct covered_group *group = &c->group[what][g];
        json_t *one = group_json(c, group);
        if (group->label)
            ok = one && set_named(each, covered_group_name(c, what, g), json_incref(one), NULL);
        else
            ok = one && json_object_set_new(one, "labels", json_integer(group->labels)) == 0 &&
                 json_object_set(all, "others", one) == 0;
        json_decref(one);
    }
    ok = ok && (c->groups[what] < 2 || json_object_set(all, "by_label", each) == 0);
    json_decref(each);
    if (ok)
        return all;
    json_decref(all);
    return NULL;
}

json_t *covering_json(const struct covering *c)
{
    json_t *json = json_pack("{s:f, s:s}", "coverage", c->found.target, "method", c->found.method);
    bool ok = json && add_units(c, json);
    for (enum covered what = 0; ok && what < COVERED; what++)
        ok = !c->groups[what] ||
             json_object_set_new(json, covered_name(what, c->model->trees), kind_json(c, what)) == 0;
    if (ok)
        return json;
    json_decref(json);
    return NULL;
}

void covering_release(struct covering *c)
{
    for (enum covered what = 0; what < COVERED; what++) {
        free(c->group[what]);
        free(c->count[what]);
        free(c->miss[what]);
        json_decref(c->by_label[what]);
    }
    free(c->document);
    measured_text_release(&c->text);
    dictionary_release(&c->labels);
    label_work_release(&c->work);
    free(c->gold);
    estimator_free(c->estimator);
    json_decref(c->header);
}
