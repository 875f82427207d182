/*
 * Reviews labelled files, from options to a list: see review.h for the stages.
 *
 * With a model, that judges. Without one, models are learned from the files themselves, each part judged by what was
 * learned from the others. Sentences are dealt out one by one, unlike those that calibration holds out: errors in a
 * corpus are found best by models that know as much about it as they can, the same document included. Every model
 * learns all passes by itself (held_out_plan.further is 0), as each pass is watched.
 *
 * Decisions of earlier rounds are read first: the files are then read as if they had been written there.
 */
#include "review/review.h"

#include "answer/model_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns how many of `count` items `inspect` asks for: "20", "5%" or "all"; 0 if it is none of these. */
static size_t how_many(const char *inspect, size_t count)
{
    char *end;
    double number = strtod(inspect, &end);
    bool share = strcmp(end, "%") == 0;
    if (strcmp(inspect, "all") == 0)
        return count;
    if (end == inspect || (*end && !share) || !(number > 0) || (share ? number > 100 : number != floor(number)))
        return 0;
    number = share ? ceil((double)count * number / 100) : number;
    return number < (double)count ? (size_t)number : count;
}

bool review_prepare(struct review *r, struct vouch_error *err)
{
    const char *inspect = r->options->inspect;
    r->level = r->options->level == REVIEW_ENTITIES ? REVIEW_CHUNKS : r->options->level;
    if (how_many(inspect, 1) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--inspect: expected a number, a share as in 5%%, or all, found '%s'",
                    inspect);
    if (r->options->model || r->model)
        return reading_options(&r->options->reading, &r->reading, err);
    if (!learning_prepare(&r->learning, &r->options->learner, &r->options->reading, &r->options->common.work, '+', err))
        return false;
    r->reading = r->learning.corpus.reading;
    return true;
}

/* Reads the files as the model sees them. If it has learned from them, it takes their errors for right. */
static bool read_to_judge(struct review *r, struct vouch_error *err)
{
    const struct options *common = &r->options->common;
    char then[100];
    snprintf(then, sizeof then, "takes its errors for right: leave out -m, and use --task %s", r->model->task);
    warn_of_training(common->work.watch, r->model, common->argument, common->arguments, then);
    for (uint32_t l = 0; l < r->model->layers; l++) {
        bool calibrated;
        if (!confidence_model_params(r->model, l, r->params[l], &calibrated, err))
            return false;
        for (uint32_t v = 0; v < MAX_VOICE_VIEWS && !calibrated; v++)
            r->params[l][v] = default_method_params;
    }
    return corpus_read_for(&r->corpus, r->model, r->scores, &r->reading, common->argument, common->arguments,
                           common->work.watch, err);
}

static bool read_to_learn(struct review *r, struct vouch_error *err)
{
    const struct options *common = &r->options->common;
    if (!corpus_read(&r->corpus, &r->learning.corpus, common->argument, common->arguments, common->work.watch, err))
        return false;
    corpus_tell(&r->corpus, &r->learning.corpus, common->work.watch);
    return true;
}

bool review_lay_out(struct review *r, struct vouch_error *err)
{
    const struct dataset *dataset = r->dataset;
    r->trees = dataset->trees;
    r->layers = dataset->layers;
    r->sentences = r->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    r->words = dataset->words_before(dataset->self, r->dev, r->sentences);
    r->first = new_array((size_t)r->sentences + 1, sizeof *r->first, err);
    r->sentence_of = r->first ? new_array(r->words + 1, sizeof *r->sentence_of, err) : NULL;
    if (!r->sentence_of)
        return false;
    for (uint32_t i = 0; i < r->sentences; i++) {
        r->first[i + 1] = dataset->words_before(dataset->self, r->dev, i + 1);
        for (size_t w = r->first[i]; w < r->first[i + 1]; w++)
            r->sentence_of[w] = i;
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        for (uint32_t v = 0; v < MAX_VOICE_VIEWS && !r->model; v++)
            r->params[l][v] = default_method_params;
    return true;
}

/* Lets the readers of the corpus see the files as they were decided to be; none: as they are. */
static void set_corrections(struct review *r, const struct decided *decided)
{
    struct reader_options *reading[] = {&r->reading, &r->learning.corpus.reading};
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
        reading[i]->corrections = decided->file;
        reading[i]->corrected = decided->files;
    }
}

bool review_read(struct review *r, struct vouch_error *err)
{
    if (r->options->decided.count > 0) {
        if (r->model)
            model_input_settle(r->model, &r->reading);
        if (!decided_read(r, err))
            return false;
    }
    set_corrections(r, &r->decided);
    if (!(r->model ? read_to_judge : read_to_learn)(r, err))
        return false;
    set_corrections(r, &(struct decided){0});
    r->dataset = &r->corpus.dataset;
    r->dev = r->model != NULL;
    if (!review_lay_out(r, err) || (r->decided.kept + r->decided.changed > 0 && !decided_place(r, err)))
        return false;
    return r->level != REVIEW_CHUNKS || r->dataset->rules ||
           fail(err, VOUCH_ERR_ARGUMENT, "--level: expected word or sentence, as these labels spell no chunks");
}

const struct dictionary *review_names(const struct review *r)
{
    return corpus_names(&r->corpus, r->dev);
}

/* Makes the models that judge, none of which has learned from the sentences that it judges. */
static bool learn_judges(struct review *r, struct vouch_error *err)
{
    const struct review_options *s = r->options;
    if (r->model)
        return held_out_dev(&r->held, r->dataset, r->model->layer, err);
    r->learning.dataset = r->dataset;
    r->learning.work.watch = s->common.work.watch;
    r->training = (struct held_out_plan){.learning = &r->learning,
                                         .parts = s->folds,
                                         .held = s->folds,
                                         .passes = r->learning.passes,
                                         .scattered = true,
                                         .follow = !r->trees, /* for arcs it is worth less than their probability */
                                         .what = "learning on parts"};
    return held_out_learn(&r->held, &r->training, err);
}

bool review_judge(struct review *r, struct vouch_error *err)
{
    if (!learn_judges(r, err) || !judge_labels(r, err) || !find_repeats(r, err) || !rerank(r, err) ||
        !list_suspects(r, err))
        return false;
    size_t wanted = r->options->audit, count = wanted < r->suspects ? wanted : r->suspects;
    if (wanted == 0)
        count = how_many(r->options->inspect, r->suspects);
    r->list.errors = audit_count(&r->decided.audit);
    return (wanted == 0 || draw_audit(r, err)) && (!r->trees || find_tree_changes(r, count, err)) &&
           list_rows(r, count, err);
}

bool review_reread(const struct review *r,
                   bool (*take)(void *context, const struct reread *at, struct vouch_error *err), void *context,
                   struct vouch_error *err)
{
    const struct review_options *s = r->options;
    struct reread at = {0};
    bool ok = true;
    for (; ok && at.file < s->common.arguments; at.file++) {
        enum reading state = READ_FAILED;
        at.reader = reader_open(s->common.argument[at.file], &r->reading, err);
        while (ok && at.reader && (state = reader_next(at.reader, &at.sentence, err)) == READ_SENTENCE) {
            if (at.sentence.N == 0 || at.sentence.boundary)
                continue;
            ok = at.i < r->sentences && words_of(r, at.i) == at.sentence.N;
            ok = ok ? take(context, &at, err)
                    : fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was judged",
                           s->common.argument[at.file]);
            at.i++;
        }
        reader_close(at.reader);
        ok = ok && state == READ_END;
    }
    sentence_release(&at.sentence);
    return ok && (at.i == r->sentences || fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was judged",
                                               s->common.argument[s->common.arguments - 1]));
}

void review_release(struct review *r)
{
    review_list_release(&r->list);
    free(r->change);
    free(r->suspect);
    for (uint32_t l = 0; l < MAX_LAYERS; l++) {
        free(r->finding[l]);
        free(r->trial_finding[l]);
        free(r->planted[l].choice);
        free(r->planted[l].changed);
        free(r->planted[l].restored);
        free(r->planted[l].sentence);
        free(r->planted[l].kind);
        for (int k = 0; k < REPEAT_KINDS; k++)
            free(r->repeat[l][k]);
    }
    free(r->form);
    free(r->tag);
    free(r->first);
    free(r->sentence_of);
    contexts_release(&r->contexts);
    decided_release(&r->decided);
    held_out_release(&r->held);
    corpus_release(&r->corpus);
    learning_release(&r->learning);
}
