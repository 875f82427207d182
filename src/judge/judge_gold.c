/*
 * Calibrates a judge on sentences whose truth is known: those that a caller adds, or those of a labelled file (vouch
 * judge --gold); see vouch.h and judge.h.
 *
 * The sentences are a dataset all of which is held out, since the model that gave the scores has not learned from them.
 * In a file, more can be noticed: the best of its scores tell whether arcs are in the other order, and whether labels
 * are spelled in another scheme.
 */
#include "answer/layer_voices.h"
#include "answer/model_input.h"
#include "base/error.h"
#include "base/watch.h"
#include "judge/judge.h"
#include "scores/score_files.h"
#include "train/calibration.h"

#include <math.h>
#include <string.h>

struct vouch_judge_gold {
    const struct vouch_model *model;
    const struct score_rules *rules;
    uint32_t count;
    struct score_sets *sentence; /* [count] */
    size_t *start;               /* [count + 1] where the gold of each starts */
    uint32_t *gold;              /* [words] choices; NO_LABEL: none of the labels */
    size_t sentence_capacity, start_capacity, gold_capacity;
    struct digest_set words; /* of the sentences, if these are known */
    struct scratch decoding; /* to check that there is an answer */
    uint32_t *choice;
    size_t choice_capacity;
};

static vouch_judge_gold *gold_new(const struct vouch_model *model, const struct score_rules *rules,
                                  struct vouch_error *err)
{
    struct vouch_judge_gold *gold = new_array(1, sizeof *gold, err);
    if (gold) {
        gold->model = model;
        gold->rules = rules;
    }
    return gold;
}

vouch_judge_gold *vouch_judge_gold_new(const vouch_judge *judge, struct vouch_error *err)
{
    return is_given(judge, "a judge", err) ? gold_new(judge->model, &judge->rules, err) : NULL;
}

void vouch_judge_gold_free(vouch_judge_gold *gold)
{
    if (!gold)
        return;
    for (uint32_t i = 0; i < gold->count; i++)
        score_sets_release(&gold->sentence[i]);
    free(gold->sentence);
    free(gold->start);
    free(gold->gold);
    digest_set_release(&gold->words);
    scratch_release(&gold->decoding);
    free(gold->choice);
    free(gold);
}

/*
 * Appends a sentence, whose scores it takes over, and returns where to write its gold choices. NULL if no answer is
 * possible: when a sentence is added, so that the error does not come in calibration.
 */
static uint32_t *add_scores(vouch_judge_gold *g, struct score_sets *scores, struct vouch_error *err)
{
    size_t N = scores->mean.N, first = g->count ? g->start[g->count] : 0;
    double best;
    if (!RESERVE(g->choice, g->choice_capacity, N + 1, err) ||
        !layer_structure(g->model, 0)->best(&scores->mean, &g->decoding, g->choice, &best, err) ||
        !answer_is_possible(best, err) || !RESERVE(g->sentence, g->sentence_capacity, (size_t)g->count + 1, err) ||
        !RESERVE(g->start, g->start_capacity, (size_t)g->count + 2, err) ||
        !RESERVE(g->gold, g->gold_capacity, first + N + 1, err))
        return NULL;
    g->start[g->count] = first;
    g->sentence[g->count++] = *scores;
    g->start[g->count] = first + N;
    *scores = (struct score_sets){0};
    return g->gold + first;
}

static bool add_chain(vouch_judge_gold *gold, const struct vouch_chain_scores *from, const char *const *labels,
                      struct score_sets *scores, struct vouch_error *err)
{
    if (!judge_take_chain(gold->rules, from, scores, err))
        return false;
    uint32_t N = scores->mean.N;
    for (uint32_t n = 0; n < N; n++)
        if (!labels || !labels[n])
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a gold label, found NULL", (unsigned)n + 1);
    uint32_t *choice = add_scores(gold, scores, err);
    for (uint32_t n = 0; choice && n < N; n++) {
        uint32_t known = dictionary_find(&gold->model->labels.names, text_of(labels[n]));
        choice[n] = known ? known - 1 : NO_LABEL;
    }
    return choice != NULL;
}

static bool add_tree(vouch_judge_gold *gold, const struct vouch_tree_scores *from, const size_t *heads,
                     struct score_sets *scores, struct vouch_error *err)
{
    if (!judge_take_tree(gold->rules, from, scores, err))
        return false;
    uint32_t N = scores->mean.N;
    if (N && !heads)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected %u gold heads, found NULL", (unsigned)N);
    for (uint32_t n = 0; n < N; n++)
        if (heads[n] > N || heads[n] == n + 1)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %u: expected a gold head from 0 to %u, found %zu",
                        (unsigned)n + 1, (unsigned)N, heads[n]);
    uint32_t *choice = add_scores(gold, scores, err);
    for (uint32_t n = 0; choice && n < N; n++)
        choice[n] = (uint32_t)heads[n];
    return choice != NULL;
}

enum vouch_status vouch_judge_gold_chain(vouch_judge_gold *gold, const struct vouch_chain_scores *from,
                                         const char *const *labels, struct vouch_error *err)
{
    struct score_sets scores = {0};
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(gold, "gold", err) && score_sets_init(&scores, gold->rules->sets, err) &&
              add_chain(gold, from, labels, &scores, err);
    score_sets_release(&scores);
    return status_of(ok, err);
}

enum vouch_status vouch_judge_gold_tree(vouch_judge_gold *gold, const struct vouch_tree_scores *from,
                                        const size_t *heads, struct vouch_error *err)
{
    struct score_sets scores = {0};
    err = err ? err : &(struct vouch_error){0};
    bool ok = is_given(gold, "gold", err) && score_sets_init(&scores, gold->rules->sets, err) &&
              add_tree(gold, from, heads, &scores, err);
    score_sets_release(&scores);
    return status_of(ok, err);
}

static bool get(const void *self, uint32_t i, struct scratch *scratch, struct example *example, struct vouch_error *err)
{
    const struct vouch_judge_gold *gold = self;
    (void)scratch;
    (void)err;
    *example = (struct example){parts_from_scores(&gold->sentence[i]), gold->gold + gold->start[i]};
    return true;
}

static bool compare(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct vouch_judge_gold *gold = self;
    const uint32_t *truth = gold->gold + gold->start[answer->number];
    (void)err;
    for (uint32_t n = 0; n < gold->sentence[answer->number].mean.N; n++)
        right[n] = answer->choice[n] == truth[n];
    return true;
}

static size_t words_before(const void *self, bool dev, uint32_t i)
{
    const struct vouch_judge_gold *gold = self;
    (void)dev;
    return i ? gold->start[i] : 0;
}

static uint32_t words_of(const void *self, bool dev, uint32_t i)
{
    const struct vouch_judge_gold *gold = self;
    (void)dev;
    return gold->sentence[i].mean.N;
}

/* Returns how far a word's scores lie apart: the mean, over words, of the variance of those that are possible. */
static double spread_of_scores(const struct vouch_judge_gold *gold)
{
    double all = 0;
    size_t words = 0;
    for (uint32_t i = 0; i < gold->count; i++) {
        const struct scores *mean = &gold->sentence[i].mean;
        size_t options = mean->N ? (size_t)mean->G * mean->width / mean->N : 0;
        for (size_t n = 0; n < mean->N; n++, words++) {
            double sum = 0, squares = 0, count = 0;
            for (size_t y = 0; y < options; y++) {
                double x = (double)mean->node[n * options + y];
                bool possible = isfinite(x);
                sum += possible ? x : 0;
                count += possible;
            }
            for (size_t y = 0; y < options; y++) {
                double x = (double)mean->node[n * options + y];
                squares += isfinite(x) ? (x - sum / count) * (x - sum / count) : 0;
            }
            all += squares / count;
        }
    }
    return all > 0 ? all / (double)words : 1;
}

/*
 * The values that are tried, in units of the spread of the scores. Logits and log-probabilities of a model that is
 * neither too sure nor too unsure are best at c = 1, whatever their spread, which is from 1 to 10 for most.
 */
static const struct grids score_grids = {
    .of = {[PARAM_FIX] = {8, {0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2}},
           [PARAM_C] = {8, {0.25, 0.5, 1, 2, 3, 4.5, 7, 10}},
           [PARAM_BEST] = {4, {5, 10, 20, 40}},
           [PARAM_WEIGHTED] = {4, {5, 10, 20, 40}}},
    .draws = 50,
    .words = {40000, 6000},
};

/*
 * Fits a confidence model, with draws as `drawn` has them, and returns a copy of the model's header that has it: to
 * json_decref(); NULL on failure.
 */
static json_t *calibrate(const vouch_judge_gold *gold, const struct method_params *drawn, uint32_t threads,
                         const struct vouch_watch *watch, struct vouch_error *err)
{
    const struct model_layer *layer = &gold->model->layer[0];
    const json_t *seed = json_object_get(json_object_get(gold->model->header, "confidence"), "seed");
    struct span_rules rules = {0};
    const struct structure *structure = layer_structure(gold->model, 0);
    struct examples examples = {
        .structure = structure, .space = layer->space, .count = gold->count, .self = gold, .get = get};
    struct dataset dataset = {.layers = 1,
                              .layer = {{.name = layer->name, .examples = {.structure = structure}}},
                              .self = gold,
                              .compare = compare,
                              .words_before = words_before,
                              .words_of = words_of};
    struct grids grids = score_grids;
    struct found_confidence found = {0};
    struct held_out held = {0};
    json_t *header = NULL;
    if (gold->count == 0 || gold->start[gold->count] == 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected sentences to calibrate on, found none");
        return NULL;
    }
    if (!gold->model->trees && !labels_span_rules(&gold->model->labels, &rules, err))
        return NULL;
    dataset.layer[0].dev = examples;
    dataset.rules = rules.labels ? &rules : NULL;
    grids.draws = drawn->draws;
    grids.plain = drawn->plain;
    struct calibration_plan calibration = {.held = &held,
                                           .grids = &grids,
                                           .unit = spread_of_scores(gold),
                                           .work = {(uint64_t)json_integer_value(seed), threads, NULL, watch},
                                           .what = "calibrating",
                                           .sentences = &gold->words};
    if (held_out_dev(&held, &dataset, layer, err) && find_confidence(&calibration, &found, err)) {
        header = json_deep_copy(gold->model->header);
        if (!header || json_object_set(header, "confidence", found.json) != 0) {
            fail_memory(err);
            json_decref(header);
            header = NULL;
        }
        json_object_del(header, "operating_point"); /* of the numbers before */
        json_object_del(header, "coverage");
    }
    found_confidence_release(&found);
    held_out_release(&held);
    span_rules_release(&rules);
    return header;
}

vouch_judge *vouch_judge_calibrate(const vouch_judge *judge, const vouch_judge_gold *gold, unsigned threads,
                                   const struct vouch_watch *watch, struct vouch_error *err)
{
    if (!is_given(judge, "a judge", err) || !is_given(gold, "gold", err) ||
        (watch && !is_whole(watch->size, sizeof *watch, "vouch_watch", err)))
        return NULL;
    if (gold->model != judge->model) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected gold that was made for this judge");
        return NULL;
    }
    const struct method_params *params = judge->asked->estimator->layer[0].confidence_model.params;
    json_t *header = calibrate(gold, params, threads ? threads : 1, watch, err);
    struct answer_options options = judge->options;
    options.doubt.sets = options.operating_point = false; /* until they are found for the new numbers */
    return header ? judge_make(header, &options, err) : NULL;
}

/* The state of reading the gold. */
struct gathering {
    const struct vouch_model *model;
    const struct score_files *files;
    struct vouch_judge_gold *gold;
    struct score_work work;
    struct score_files *turned; /* the same arcs in the other order; NULL: labels */
    struct score_work turned_work;
    uint64_t best[2];       /* words whose gold head has the best score, in the order that was given and in the other */
    uint64_t as_spelled[2]; /* words whose gold label has the best score: as the model spells it, and as the file does;
                               counted where these differ */
    struct text *label;     /* [N] as the model spells it */
    size_t label_capacity;
    struct label_work respelling;
    uint64_t known; /* words whose gold is among the choices that the model has */
};

static void gathering_release(struct gathering *g)
{
    vouch_judge_gold_free(g->gold);
    score_work_release(&g->work);
    score_work_release(&g->turned_work);
    score_files_free(g->turned);
    label_work_release(&g->respelling);
    free(g->label);
}

/* Returns the label of word n that scores best, in the first set. */
static struct text best_label(const struct vouch_model *model, const struct vouch_chain_scores *scores, uint32_t n)
{
    const float *score = scores->node + (size_t)n * scores->labels;
    uint32_t best = 0;
    for (uint32_t y = 1; y < scores->labels; y++)
        best = score[y] > score[best] ? y : best;
    return labels_name(&model->labels, best);
}

/* Counts which spelling of gold the scores follow. */
static void compare_spellings(struct gathering *g, const struct sentence *sentence,
                              const struct vouch_chain_scores *scores)
{
    for (uint32_t n = 0; n < sentence->N; n++)
        if (!text_equal(sentence->gold[n], g->label[n])) {
            struct text best = best_label(g->model, scores, n);
            g->as_spelled[0] += text_equal(best, g->label[n]);
            g->as_spelled[1] += text_equal(best, sentence->gold[n]);
        }
}

static bool add_labels(struct gathering *g, const struct sentence *sentence, struct score_sets *taken,
                       struct vouch_error *err)
{
    const struct tag_labels *labels = &g->model->labels;
    struct vouch_chain_scores scores;
    uint32_t N = sentence->N;
    if (!RESERVE(g->label, g->label_capacity, (size_t)N + 1, err))
        return false;
    memcpy(g->label, sentence->gold, sizeof *g->label * N);
    if (!labels_respell(labels, g->label, N, &g->respelling, err) ||
        !score_files_chain(g->files, &sentence->place, N, &g->work, &scores, err))
        return false;
    compare_spellings(g, sentence, &scores);
    uint32_t *choice = score_input_chain(taken, &scores, g->gold->rules, err) ? add_scores(g->gold, taken, err) : NULL;
    for (uint32_t n = 0; choice && n < N; n++) {
        uint32_t known = dictionary_find(&labels->names, g->label[n]);
        g->known += known != 0;
        choice[n] = known ? known - 1 : NO_LABEL;
    }
    return choice != NULL;
}

/* Returns the number of words whose gold head scores best. */
static uint64_t count_best(const struct vouch_tree_scores *scores, const uint32_t *head)
{
    size_t N = scores->words, nodes = N + 1;
    uint64_t count = 0;
    for (size_t m = 1; m <= N; m++) {
        size_t best = m == 1 ? 2 : 1;
        for (size_t h = 0; h <= N; h++)
            if (h != m && (best > N || scores->arc[h * nodes + m] > scores->arc[best * nodes + m]))
                best = h;
        count += best == head[m - 1];
    }
    return count;
}

static bool add_heads(struct gathering *g, const struct sentence *sentence, struct score_sets *taken,
                      struct vouch_error *err)
{
    struct vouch_tree_scores scores, turned;
    uint32_t N = sentence->N;
    if (!score_files_tree(g->files, &sentence->place, N, &g->work, &scores, err))
        return false;
    g->known += N;
    g->best[0] += count_best(&scores, sentence->head);
    if (score_files_tree(g->turned, &sentence->place, N, &g->turned_work, &turned, NULL))
        g->best[1] += count_best(&turned, sentence->head);
    uint32_t *choice = score_input_tree(taken, &scores, g->gold->rules, err) ? add_scores(g->gold, taken, err) : NULL;
    if (choice)
        memcpy(choice, sentence->head, sizeof *choice * N);
    return choice != NULL;
}

static bool add(struct judge_calibration *j, struct gathering *g, struct reader *reader,
                const struct sentence *sentence, struct vouch_error *err)
{
    if (!sentence->labelled)
        return fail_without_gold(reader, sentence, err);
    j->sentences++;
    j->words += sentence->N;
    if (watch_stops(j->options->common.work.watch))
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
    struct score_sets taken;
    bool ok = score_sets_init(&taken, g->gold->rules->sets, err) &&
              (g->model->trees ? add_heads : add_labels)(g, sentence, &taken, err);
    score_sets_release(&taken);
    return ok && digest_set_add(&g->gold->words, sentence_words_digest(sentence), err);
}

static bool read_gold(struct judge_calibration *j, struct gathering *g, struct reader *reader, struct vouch_error *err)
{
    struct sentence sentence = {0};
    enum reading state;
    bool ok = true;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        if (!sentence.boundary && sentence.N > 0)
            ok = add(j, g, reader, &sentence, err) || reader_blame(reader, &sentence, err);
    sentence_release(&sentence);
    digest_set_close(&g->gold->words);
    struct sentence_place end = reader->place;
    return ok && state == READ_END && score_files_end(g->files, &end, err);
}

/* Fails if the gold heads tell that the order of the arcs is the other one. */
static bool check_order(const struct judge_calibration *j, const struct gathering *g, struct vouch_error *err)
{
    const json_t *arcs = json_object_get(g->model->header, "arcs");
    const char *order = json_string_value(json_object_get(arcs, "order"));
    if (g->best[1] <= g->best[0] + j->words / 20)
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: with --arcs %s, %.1f %% of the gold heads score best, but %.1f %% in the other order: expected "
                "the other order",
                j->options->source.scores, order ? order : "?", 100 * (double)g->best[0] / (double)j->words,
                100 * (double)g->best[1] / (double)j->words);
}

/* Fails if the scores spell chunks as the gold does, and not as the model is said to. */
static bool check_scheme(const struct judge_calibration *j, const struct gathering *g, struct vouch_error *err)
{
    if (g->as_spelled[1] <= g->as_spelled[0])
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: the best labels follow the gold as it is spelled, not as %s spells it: expected --scheme with the "
                "scheme of %s",
                j->options->source.scores, scheme_name(g->model->labels.outer), j->options->judge.gold);
}

static bool run(struct judge_calibration *j, struct gathering *g, struct reader *reader, struct vouch_error *err)
{
    struct answer_options plain;
    const struct work *work = &j->options->common.work;
    struct method_params params[MAX_VOICES] = {default_method_params};
    bool known;
    if (!(g->gold = gold_new(g->model, &g->files->rules, err)) || !read_gold(j, g, reader, err))
        return false;
    if (j->words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", reader_path(reader));
    if (!g->known)
        warn_of_unknown_labels(work->watch);
    if (!check_order(j, g, err) || !check_scheme(j, g, err) ||
        !confidence_model_params(g->model, 0, params, &known, err))
        return false;
    json_t *header = calibrate(g->gold, params, work->threads, work->watch, err);
    options_init(&tag_options, &plain);
    j->calibrated = header ? judge_make(header, &plain, err) : NULL;
    if (!j->calibrated)
        return false;
    j->header = json_copy(j->calibrated->model->header);
    if (reader_column(reader))
        json_object_set_new(j->header, "column", json_string(column_name(reader_column(reader))));
    else if (j->reading.gold > 0)
        json_object_set_new(j->header, "gold", json_integer(j->reading.gold));
    return j->header || fail_memory(err);
}

bool judge_calibration_run(struct judge_calibration *j, const struct vouch_model *model,
                           const struct score_files *files, struct vouch_error *err)
{
    struct gathering g = {.model = model, .files = files};
    model_input_settle(model, &j->reading);
    struct reader *reader = reader_open(j->options->judge.gold, &j->reading, err);
    bool ok = reader != NULL;
    if (ok && model->trees) {
        struct score_layout other = score_layout_of(model);
        other.modifier_first = !other.modifier_first;
        ok = (g.turned = score_files_open(&other, &j->options->source, err)) != NULL;
    }
    ok = ok && run(j, &g, reader, err);
    reader_close(reader);
    gathering_release(&g);
    return ok;
}

void judge_calibration_release(struct judge_calibration *j)
{
    json_decref(j->header);
    vouch_judge_free(j->calibrated);
}
