/* Answers compared with gold: see evaluation.h. */
#include "cli/evaluation.h"

#include "cli/confidence_report.h"
#include "cli/eval_report.h"
#include "cli/saving.h"
#include "cli/tree_report.h"
#include "model/model.h"
#include "task/arc_set.h"
#include "task/dictionary.h"

#include <stdio.h>

/* Counts the confidences of one answer. */
static bool take_confidences(struct evaluation *e, const struct sentence *sentence, const struct text *gold,
                             const struct answer *answer, struct vouch_error *err)
{
    if (!answer->confidences)
        return true;
    return confidence_eval_add(&e->confidence_eval, gold, e->parses ? sentence->head : NULL, sentence->N, answer,
                               err) &&
           (!e->lists || eval_words_take(&e->words, sentence, gold, answer, err));
}

/* Counts one tree. */
static bool take_tree(struct evaluation *e, const struct sentence *sentence, const struct answer *answer,
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
    return tree_score_add(&e->trees, &pair, err) && take_confidences(e, sentence, sentence->gold, answer, err);
}

bool evaluation_can_report(const struct settings *settings, struct vouch_error *err)
{
    return (!settings->report || saving_possible(settings->report, settings, err)) &&
           (!settings->csv || saving_folder_possible(settings->csv, err));
}

bool evaluation_take(void *evaluation, const struct sentence *sentence, const struct answer *answer,
                     struct vouch_error *err)
{
    struct evaluation *e = evaluation;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    e->sentences++;
    e->seen += e->model && model_has_seen(e->model, sentence_words_digest(sentence));
    if (e->parses)
        return take_tree(e, sentence, answer, err);
    if (!RESERVE(e->gold, e->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        e->gold[i] = tag_task_gold(e->task, sentence->gold[i]);
        e->known += e->model && dictionary_find(&e->model->labels.written, e->gold[i]) != 0;
    }
    return (!e->model || labels_respell(&e->model->labels, e->gold, sentence->N, &e->work, err)) &&
           tag_score_add(&e->score, e->gold, answer->label, sentence->N, err) &&
           take_confidences(e, sentence, e->gold, answer, err);
}

static json_t *rates_as_json(struct tag_counts counts)
{
    struct tag_rates rates = tag_rates(counts);
    return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I}", "precision", rates.precision, "recall", rates.recall, "f1",
                     rates.f1, "gold", (json_int_t)counts.gold, "guessed", (json_int_t)counts.guessed, "correct",
                     (json_int_t)counts.correct);
}

void print_json(json_t *result)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static json_t *score_as_json(const struct tag_score *score)
{
    json_t *rows = json_object();
    for (size_t i = 0; i < score->rows; i++)
        json_object_setn_new(rows, score->row[i].name, score->row[i].length, rates_as_json(score->row[i].counts));
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:o, s:o}", "unit", score->unit == TAG_CHUNKS ? "chunk" : "word",
                     "words", (json_int_t)score->words, "sentences", (json_int_t)score->sentences, "accuracy",
                     tag_percent(score->right_words, score->words), "sentence_accuracy",
                     tag_percent(score->right_sentences, score->sentences), "all", rates_as_json(score->all),
                     score->unit == TAG_CHUNKS ? "types" : "labels", rows);
}

static bool print_score(const struct settings *settings, const struct tag_score *score, struct vouch_error *err)
{
    char *text = NULL;
    size_t capacity = 0;
    bool ok = tag_score_report(score, &text, &capacity, err);
    if (ok)
        show_text(stdout, text_of(text), "\n");
    free(text);
    if (ok && !settings->quiet) {
        fflush(stdout);
        showf(stderr, "sentences all right: %llu of %llu (%.2f%%)\n", (unsigned long long)score->right_sentences,
              (unsigned long long)score->sentences, tag_percent(score->right_sentences, score->sentences));
    }
    return ok;
}

static void print_evaluation_json(const struct evaluation *e)
{
    json_t *result = e->parses ? tree_report_json(&e->trees, e->labelled) : score_as_json(&e->score);
    if (e->judged)
        json_object_set_new(result, "confidence", confidence_report_json(&e->confidence_eval));
    print_json(result);
}

/* The usual report, then the evaluation of confidence: a short one unless methods are named. */
static bool print_evaluation(const struct evaluation *e, const struct settings *settings, struct vouch_error *err)
{
    if (e->parses)
        tree_report_print(&e->trees, e->labelled, settings->verbose);
    else if (!print_score(settings, &e->score, err))
        return false;
    if (e->judged && settings->confidence)
        confidence_report_print(&e->confidence_eval);
    else if (e->judged)
        confidence_report_brief(&e->confidence_eval);
    return true;
}

void evaluation_release(struct evaluation *e)
{
    tag_score_release(&e->score);
    tree_score_release(&e->trees);
    confidence_eval_release(&e->confidence_eval);
    eval_words_release(&e->words);
    label_work_release(&e->work);
    free(e->gold);
    free(e->punctuation);
}

static bool write_page(const struct evaluation *e, const struct command *command, const struct settings *settings,
                       const char *name, struct vouch_error *err)
{
    char *line = options_provenance(command, settings);
    const struct eval_page page = {.model = name,
                                   .command = line ? line : "",
                                   .file = settings->argument,
                                   .files = settings->arguments,
                                   .score = e->parses ? NULL : &e->score,
                                   .trees = e->parses ? &e->trees : NULL,
                                   .relations = e->labelled,
                                   .confidence_eval = &e->confidence_eval,
                                   .words = &e->words};
    bool ok = eval_report_write(&page, settings->report, err);
    if (ok && !settings->quiet)
        showf(stderr, "%s: open it in a browser\n", settings->report);
    free(line);
    return ok;
}

bool evaluation_report(const struct evaluation *e, const struct command *command, const struct settings *settings,
                       const char *name, struct vouch_error *err)
{
    if (e->score.words + e->trees.all.words == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none",
                    settings->arguments ? settings->argument[0] : "standard input");
    if ((settings->csv && !confidence_report_csv(&e->confidence_eval, settings->csv, err)) ||
        (settings->report && !write_page(e, command, settings, name, err)))
        return false;
    if (!settings->json)
        return print_evaluation(e, settings, err);
    print_evaluation_json(e);
    return true;
}
