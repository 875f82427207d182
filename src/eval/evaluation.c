/*
 * Compares answers with gold: counts labels or trees, measures confidence and sets of choices, and gives all as JSON.
 * Labels and trees part in evaluation_take() and evaluation_json() alone: one of the two scores stays empty.
 */
#include "eval/evaluation.h"

#include "base/buffer.h"
#include "base/watch.h"
#include "model/model.h"
#include "answer/model_input.h"
#include "task/arc_set.h"
#include "task/dictionary.h"
#include "answer/answer_stream.h"

#include <math.h>

/* clang-format off */
#define OPTIONS struct eval_options
static const struct option_spec option[] = {
    OPTION_MODEL,
    OPTION_SCORES,
    TEXT("answers", 0, answers, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
     "measure another program's gold, guess and confidence: columns, CSV, CoNLL-U or JSON lines; or its answers to "
     "GOLD; with -m, calibrated by what 'vouch tune --answers' wrote"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    OPTION_LOG,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    INTEGER("resamples", 0, resamples, "N", 0, 100000, OPTION_MATTERS,
     "samples of the sentences for the intervals, and for the test of ECE; 0 for neither"),
    INTEGER("seeds", 0, seeds, "N", 1, MOST_SEEDS, OPTION_MATTERS,
     "draw models with N seeds: average precision and RMSE of methods that draw are means over these, and intervals "
     "count the luck of the draw"),
    TEXT("csv", 0, csv, "DIR", OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_FOLDER,
     "write curves and bins of confidence into this folder"),
    TEXT("report", 0, report, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN,
     "write a page of all this, with figures and words to look at, to this HTML file"),
    INTEGER("folds", 0, folds, "N", 2, 1000, OPTION_MATTERS,
     "cross-validate the files in N parts instead; several algorithms are compared"),
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS,
     "with --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun phrases"),
    OPTIONS_LEARNING,
    OPTIONS_READING,
    OPTION_JSON,
    FLAG("by-sentence", 0, by_sentence, OPTION_OF_PROGRAM,
     "with --json: also how many words of each sentence are right, so that two models can be compared by sentences"),
    OPTIONS_WORK,
    OPTION_QUIET,
    FLAG("verbose", 'v', common.verbose, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "also print figures by label, by relation and by the distance of heads"),
    OPTION_HELP,
    {0},
};

#define OF_LEARNING \
    "algorithm passes features template lexicon use cutoff learn-as no-constraints k-best C phi covariance variance " \
    "rate l2 vector-window vector-length unlabelled bits multi-root tune"
static const struct option_rule rule[] = {
    {"ranks", "folds", NULL, "ranks share --folds alone: run 'vouch eval', without mpirun"},
    {"answers", NULL, "folds", "expected --answers or --folds, not both"},
    {"model", NULL, "folds", "expected -m or --folds, not both"},
    {"seeds", "model", NULL, "--%s is about models that are drawn around a model: expected -m MODEL"},
    {"by-sentence", "model", NULL, "--%s is about a model's answers: expected -m MODEL"},
    {"by-sentence", "json", NULL, "--%s is a part of the JSON: expected --json"},
    {"columns rows log", "answers", NULL, "--%s is about a file of answers: expected --answers FILE"},
    {"scores offsets", "model", "answers", "--%s is for a model without weights: expected -m MODEL alone"},
    {OF_LEARNING, "folds", NULL, "--%s is for learning: expected --folds with it"},
    {0},
};
/* clang-format on */

static const struct eval_options usual = {
    .common = USUAL_COMMON, .learner = {USUAL_LEARNER("crf", 10)}, .resamples = 200, .seeds = 1};

const struct option_table eval_options = {"eval", option, &usual, sizeof usual, NULL, rule};

/* Answers. */

/* Measures the confidence of one answer; `gold_head` is NULL if the answer is labels. */
static bool take_confidences(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                             const uint32_t *gold_head, const struct vouch_answer *answer, struct vouch_error *err)
{
    struct covered_sentence covered = {sentence->N, gold, gold_head, answer};
    if (!answer->confidences)
        return true;
    return (!e->covers || coverage_tally_add(&e->tally, &covered, &e->coverage.least, err)) &&
           confidence_eval_add(&e->confidence_eval, gold, gold_head, sentence->N, answer, err) &&
           (!e->on_answer || e->on_answer(e->context, sentence, gold, answer, err));
}

/* Counts one tree. */
static bool take_tree(struct evaluation *e, const struct sentence *sentence, const struct vouch_answer *answer,
                      struct vouch_error *err)
{
    if (!RESERVE(e->punctuation, e->punctuation_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++)
        e->punctuation[i] = is_punctuation(sentence_form(sentence, i));
    struct tree_pair pair = {.N = sentence->N,
                             .gold_head = sentence->head,
                             .head = answer->head,
                             .gold_relation = sentence->gold,
                             .relation = answer->label,
                             .punctuation = e->punctuation};
    e->labelled = answer->label != NULL;
    return tree_score_add(&e->trees, &pair, err) &&
           take_confidences(e, sentence, sentence->gold, sentence->head, answer, err);
}

/* Counts the words of one sentence whose label, or head, is right. */
static bool count_right(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                        const struct vouch_answer *answer, struct vouch_error *err)
{
    uint32_t right = 0;
    if (!e->by_sentence)
        return true;
    if (!RESERVE(e->right, e->right_capacity, e->sentences, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++)
        right += e->parses ? answer->head[i] == sentence->head[i] : text_equal(answer->label[i], gold[i]);
    e->right[e->sentences - 1] = right;
    return true;
}

bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct vouch_answer *answer,
                     struct vouch_error *err)
{
    struct evaluation *e = evaluation;
    if (!measured_text_take(&e->text, sentence, err))
        return false;
    e->tally.documents = e->text.documents;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    e->sentences++;
    if (e->parses)
        return count_right(e, sentence, NULL, answer, err) && take_tree(e, sentence, answer, err);
    if (!RESERVE(e->gold, e->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        e->gold[i] = task_gold(e->task, sentence->gold[i]);
        e->known += e->model && dictionary_find(&e->model->labels.written, e->gold[i]) != 0;
    }
    return (!e->model || labels_respell(&e->model->labels, e->gold, sentence->N, &e->work, err)) &&
           count_right(e, sentence, e->gold, answer, err) &&
           tag_score_add(&e->score, e->gold, answer->label, sentence->N, err) &&
           take_confidences(e, sentence, e->gold, NULL, answer, err);
}

/* Makes the estimator that the options name, or that the model prefers; NULL if there is none. */
static bool make_estimator(struct evaluation *e, const struct vouch_model *model, struct estimator **estimator,
                           struct vouch_error *err)
{
    const struct eval_options *s = e->options;
    struct estimate_request request = {
        .methods = s->confidence.methods, .draws = s->confidence.draws, .redraw = e->redraw, .raw = s->confidence.raw};
    if (!coverage_model_read(&e->coverage, model->header, model->file.name, err))
        return false;
    e->covers = e->coverage.known && !s->confidence.raw && !s->confidence.draws &&
                (!s->confidence.methods || strcmp(s->confidence.methods, e->coverage.method) == 0);
    request.sets = e->covers ? &e->coverage.least : NULL;
    bool none = s->confidence.methods && strcmp(s->confidence.methods, "none") == 0;
    if (!consistency_ask(&s->confidence, &request, err) || (!none && !estimator_make(model, &request, estimator, err)))
        return false;
    warn_of_old_draws(s->common.work.watch, *estimator);
    if (!*estimator && !none && s->confidence.raw)
        return fail_uncalibrated(model, err);
    return *estimator || (!s->csv && !s->report) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--%s: no confidence is measured: expected a method in --confidence",
                s->csv ? "csv" : "report");
}

static void begin_file(void *evaluation, const char *path)
{
    struct evaluation *e = evaluation;
    measured_text_begin(&e->text, path);
    if (e->on_file)
        e->on_file(e->context, path);
}

/* Takes an answer, and tells now and then how many there are. */
static bool take_and_tell(void *evaluation, const struct sentence *sentence, const struct vouch_answer *answer,
                          struct vouch_error *err)
{
    enum { TELL_EVERY = 128 };
    const struct evaluation *e = evaluation;
    if (!evaluation_take(evaluation, sentence, answer, err))
        return false;
    if (e->sentences % TELL_EVERY == 0)
        watch_reading(e->options->common.work.watch, e->sentences); /* the stream asks whether to stop */
    return true;
}

/* Lets the model answer the files of the options, and measures the confidence. */
static bool answer_all(struct evaluation *e, struct estimator *estimator, struct reader_options *reading,
                       struct vouch_error *err)
{
    const struct eval_options *s = e->options;
    struct answer_sink sink = {.take = take_and_tell, .context = e, .watch = s->common.work.watch, .begin = begin_file};
    struct vouch_request request = {
        .model = e->model, .scores = e->scores, .estimator = estimator, .threads = s->common.work.threads};
    model_input_settle(e->model, reading);
    if (!answer_files(&request, reading, s->common.argument, s->common.arguments, &sink, err) ||
        (e->judged && !confidence_eval_measure(&e->confidence_eval, s->resamples, &s->common.work, err)) ||
        (e->covers && !coverage_tally_close(&e->tally, err)))
        return false;
    if (!e->known && e->score.words)
        warn_of_unknown_labels(s->common.work.watch);
    if (!measured_text_end(&e->text, err))
        return false;
    measured_text_warn(&e->text, s->common.work.watch,
                       e->text.learned ? "other files will be answered less well"
                                       : "probabilities hold less well in other files");
    return true;
}

/* Lists the names of the methods that draw models, separated by commas. */
static bool list_drawing_methods(const struct confidence_eval *c, struct buffer *names, struct vouch_error *err)
{
    for (uint32_t j = 0; j < c->methods; j++) {
        const char *name = c->rows[ASPECT_WORDS].method_eval[j].method;
        const struct method *method = method_find(name, strcspn(name, "@"));
        if (method && method->needs & (EVIDENCE_FIX | EVIDENCE_PC) &&
            !buffer_print(names, err, "%s%s", names->length ? "," : "", name))
            return false;
    }
    return true;
}

/* Measures the methods that draw once more with each further seed. */
static bool measure_seeds(struct evaluation *e, const struct vouch_model *model, struct vouch_error *err)
{
    struct eval_options options = *e->options;
    struct buffer names = {0};
    bool ok = !e->judged || options.seeds < 2 || list_drawing_methods(&e->confidence_eval, &names, err);
    const char *drawn = names.bytes;
    ok = ok && (!drawn || options.common.arguments > 0 ||
                fail(err, VOUCH_ERR_ARGUMENT, "--seeds: files are read once for each seed: expected files"));
    for (uint32_t redraw = 1; ok && drawn && redraw < e->options->seeds; redraw++) {
        struct evaluation other = {.options = &options, .redraw = redraw, .scores = e->scores};
        options.confidence.methods = drawn;
        options.common.work.watch = NULL;
        options.csv = options.report = NULL;
        options.by_sentence = false;
        options.resamples = 0;
        options.seeds = 1;
        ok = evaluation_run(&other, model, err);
        if (ok)
            confidence_eval_add_seed(&e->confidence_eval, &other.confidence_eval);
        evaluation_release(&other);
    }
    if (ok && drawn)
        confidence_eval_settle_seeds(&e->confidence_eval);
    free(names.bytes);
    return ok;
}

bool evaluation_run(struct evaluation *e, const struct vouch_model *model, struct vouch_error *err)
{
    struct estimator *estimator = NULL;
    struct reader_options reading;
    if (!reading_options(&e->options->reading, &reading, err) || !measured_text_init(&e->text, model, err) ||
        !make_estimator(e, model, &estimator, err))
        return false;
    e->model = model;
    e->task = task_or_any(model->task);
    e->parses = model->trees;
    e->by_sentence = e->options->by_sentence;
    e->judged = estimator != NULL;
    e->covers = e->covers && estimator;
    tag_score_init(&e->score, tag_unit_of(model->labels.outer));
    bool ok = (!estimator || confidence_eval_init(&e->confidence_eval, estimator, err)) &&
              answer_all(e, estimator, &reading, err) && measure_seeds(e, model, err);
    estimator_free(estimator);
    return ok;
}

void evaluation_release(struct evaluation *e)
{
    tag_score_release(&e->score);
    tree_score_release(&e->trees);
    confidence_eval_release(&e->confidence_eval);
    coverage_tally_release(&e->tally);
    label_work_release(&e->work);
    measured_text_release(&e->text);
    free(e->right);
    free(e->gold);
    free(e->punctuation);
}

/* JSON. */

static json_t *rates_as_json(struct tag_counts counts)
{
    struct tag_rates rates = tag_rates(counts);
    return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I}", "precision", rates.precision, "recall", rates.recall, "f1",
                     rates.f1, "gold", (json_int_t)counts.gold, "guessed", (json_int_t)counts.guessed, "correct",
                     (json_int_t)counts.correct);
}

static json_t *score_as_json(const struct tag_score *score)
{
    json_t *rows = json_object();
    for (size_t i = 0; i < score->rows; i++)
        json_object_setn_new(rows, score->row[i].name, score->row[i].length, rates_as_json(score->row[i].counts));
    if (score->unit == TAG_SPANS)
        return json_pack("{s:s, s:I, s:o, s:o}", "unit", "span", "texts", (json_int_t)score->sentences, "all",
                         rates_as_json(score->all), "types", rows);
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:o, s:o}", "unit", score->unit == TAG_CHUNKS ? "chunk" : "word",
                     "words", (json_int_t)score->words, "sentences", (json_int_t)score->sentences, "accuracy",
                     tag_percent(score->right_words, score->words), "sentence_accuracy",
                     tag_percent(score->right_sentences, score->sentences), "all", rates_as_json(score->all),
                     score->unit == TAG_CHUNKS ? "types" : "labels", rows);
}

static json_t *attachment_json(const struct attachment *a, bool labelled)
{
    return json_pack("{s:I, s:f, s:o*, s:o*}", "words", (json_int_t)a->words, "uas", tag_percent(a->heads, a->words),
                     "las", labelled ? json_real(tag_percent(a->labelled, a->words)) : NULL, "las_universal",
                     labelled ? json_real(tag_percent(a->universal, a->words)) : NULL);
}

static json_t *tree_score_json(const struct tree_score *score, bool labelled)
{
    json_t *distances = json_object(), *relations = json_object();
    for (uint32_t d = 0; d < DISTANCES; d++)
        json_object_set_new(distances, tree_distance_name[d], attachment_json(&score->distance[d], labelled));
    for (size_t i = 0; labelled && i < score->rows; i++) {
        const struct tag_row *row = &score->row[i];
        json_object_set_new(relations, row->name,
                            json_pack("{s:I, s:I, s:I, s:I}", "gold", (json_int_t)row->counts.gold, "guessed",
                                      (json_int_t)row->counts.guessed, "heads", (json_int_t)row->heads, "correct",
                                      (json_int_t)row->counts.correct));
    }
    return json_pack("{s:I, s:o, s:o, s:f, s:f, s:f, s:f, s:o, s:o}", "sentences", (json_int_t)score->sentences, "all",
                     attachment_json(&score->all, labelled), "without_punctuation",
                     attachment_json(&score->words_only, labelled), "root",
                     tag_percent(score->right_roots, score->sentences), "complete",
                     tag_percent(score->complete, score->sentences), "complete_labelled",
                     tag_percent(score->complete_labelled, score->sentences), "one_root",
                     tag_percent(score->one_root, score->sentences), "distances", distances, "relations", relations);
}

json_t *evaluation_json(const struct evaluation *e)
{
    json_t *result = e->parses ? tree_score_json(&e->trees, e->labelled) : score_as_json(&e->score);
    json_t *right = e->right ? json_array() : NULL;
    for (uint64_t i = 0; right && i < e->sentences; i++)
        json_array_append_new(right, json_integer(e->right[i]));
    if (right)
        json_object_set_new(result, "right_by_sentence", right);
    if (e->judged)
        json_object_set_new(result, "confidence", confidence_eval_json(&e->confidence_eval));
    if (e->covers) {
        json_t *sets = coverage_tally_json(&e->tally, e->parses);
        json_object_set_new(sets, "coverage", json_real(100 * e->coverage.target));
        json_object_set_new(result, "sets", sets);
    }
    return result;
}
