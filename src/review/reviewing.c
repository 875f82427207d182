/* Reviews labelled files: see reviewing.h. */
#include "review/reviewing.h"

#include "options/reading_options.h"
#include "answer/model_input.h"
#include "answer/seen_before.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const review_level_names[] = {"word", "chunk", "sentence"};
enum { LEVELS = sizeof review_level_names / sizeof *review_level_names };

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

static bool find_level(struct reviewing *r, struct vouch_error *err)
{
    const char *level = r->settings->level;
    int l = 0;
    if (strcmp(level, "entity") == 0)
        level = review_level_names[REVIEW_CHUNKS];
    while (l < LEVELS && strcmp(level, review_level_names[l]) != 0)
        l++;
    r->level = (enum review_level)l;
    return l < LEVELS || fail_value(err, "level", "word, chunk, entity or sentence", level);
}

/* Settles how to read the files: as the model does, or to learn from them. */
static bool prepare_reading(struct reviewing *r, struct vouch_error *err)
{
    if (r->settings->model || r->model)
        return reading_options(r->settings, &r->reading, err);
    if (!learning_prepare(&r->learning, r->settings, '+', MAX_VOICES, err))
        return false;
    r->reading = r->learning.parses ? r->learning.trees.reading : r->learning.tags.reading;
    return true;
}

bool reviewing_prepare(struct reviewing *r, struct vouch_error *err)
{
    const char *inspect = r->settings->inspect;
    if (!find_level(r, err))
        return false;
    if (how_many(inspect, 1) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--inspect: expected a number, a share as in 5%%, or all, found '%s'",
                    inspect);
    return prepare_reading(r, err);
}

static bool read_to_learn(struct reviewing *r, const struct labelled_files *files, struct vouch_error *err)
{
    if (!learned_corpus_read(&r->corpus, &r->learning, files, r->watch, err))
        return false;
    learned_corpus_tell(&r->corpus, &r->learning, r->watch);
    return true;
}

/* Reads the files as the model sees them. If it has learned from them, it takes their errors for right. */
static bool read_to_judge(struct reviewing *r, const struct labelled_files *files, struct vouch_error *err)
{
    char then[100];
    bool ok = true;
    snprintf(then, sizeof then, "takes its errors for right: leave out -m, and use --task %s", r->model->task);
    warn_of_training(r->watch, r->model, files->path, files->paths, then);
    for (uint32_t l = 0; ok && l < r->model->layers; l++)
        ok = confidence_model_params(r->model, l, r->params[l], &r->tuned[l], err);
    return ok && learned_corpus_borrow(&r->corpus, r->model, &r->reading, files, r->watch, err);
}

static bool has_decisions(const struct reviewing *r)
{
    return r->decided.kept + r->decided.changed > 0;
}

/* Reads the decisions, so that the files are read as if they were written there. */
static bool read_decided(struct reviewing *r, struct vouch_error *err)
{
    if (r->settings->decided.count == 0)
        return true;
    if (r->model)
        model_input_settle(r->model, &r->reading);
    if (!decided_read(&r->decided, r->settings, &r->reading, err))
        return false;
    struct reader_options *reading[] = {&r->reading, &r->learning.tags.reading, &r->learning.trees.reading};
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
        reading[i]->corrections = r->decided.file;
        reading[i]->corrected = r->decided.files;
    }
    return true;
}

/* Finds the decided words in the corpus. From here on the files are read as they are. */
static bool place_decided(struct reviewing *r, struct vouch_error *err)
{
    r->reading.corrections = NULL;
    r->reading.corrected = 0;
    struct decided_place place = {
        .settings = r->settings, .reading = r->reading, .corpus = &r->corpus, .dev = r->model != NULL};
    return !has_decisions(r) || decided_place(&r->decided, &place, err);
}

bool reviewing_read(struct reviewing *r, struct vouch_error *err)
{
    struct labelled_files files = {.path = r->settings->argument, .paths = r->settings->arguments};
    if (!read_decided(r, err) || !(r->model ? read_to_judge(r, &files, err) : read_to_learn(r, &files, err)) ||
        !place_decided(r, err))
        return false;
    return r->level != REVIEW_CHUNKS || r->corpus.dataset.rules ||
           fail(err, VOUCH_ERR_ARGUMENT, "--level: expected word or sentence, as these labels spell no chunks");
}

const struct dictionary *reviewing_names(const struct reviewing *r)
{
    if (r->corpus.dataset.layers > 1)
        return &r->corpus.trees.relations.names;
    return r->model ? &r->corpus.tags.dev.raw_names : &r->corpus.tags.set.raw_names;
}

/* Makes the models that judge, none of which has learned from the sentences that it judges. */
static bool hold_out_answers(struct reviewing *r, struct vouch_error *err)
{
    const struct settings *s = r->settings;
    if (r->model)
        return held_out_dev(&r->held, &r->corpus.dataset, r->model->layer, err);
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        memcpy(r->trial[l], r->learning.trial, sizeof r->trial[l][0] * r->learning.trials);
    r->lesson = (struct step_watch){r->watch, VOUCH_EVENT_HOLDING_OUT, "learning on parts"};
    r->lessons =
        (struct held_out_plan){.dataset = &r->corpus.dataset,
                               .trial = (const struct trial(*)[MAX_VOICES])r->trial,
                               .voices = r->learning.trials,
                               .passes = (uint32_t)s->passes,
                               .seed = (uint64_t)s->seed,
                               .threads = (uint32_t)s->threads,
                               .ranks = s->ranks,
                               .parts = (uint32_t)s->folds,
                               .held = (uint32_t)s->folds,
                               .scattered = true,
                               .watch = !r->learning.parses, /* for arcs it is worth less than their probability */
                               .tell = step_tell,
                               .context = &r->lesson,
                               .stop = step_stop};
    return held_out_learn(&r->held, &r->lessons, err);
}

static bool judge(struct reviewing *r, struct vouch_error *err)
{
    struct review_plan plan = {.held = &r->held,
                               .lessons = r->model ? NULL : &r->lessons,
                               .decided = has_decisions(r) ? &r->decided : NULL,
                               .seed = (uint64_t)r->settings->seed,
                               .threads = (uint32_t)r->settings->threads,
                               .ranks = r->settings->ranks,
                               .watch = r->watch};
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        plan.params[l] = r->tuned[l] ? r->params[l] : NULL;
    return review_run(&r->review, &plan, err) && review_list(&r->review, &r->held, r->level, &r->suspects, err);
}

/* Lists as many as were asked for, with their words. */
static bool list(struct reviewing *r, struct vouch_error *err)
{
    r->source = (struct listing_source){.settings = r->settings,
                                        .reading = r->reading,
                                        .corpus = &r->corpus,
                                        .held = &r->held,
                                        .dev = r->model != NULL,
                                        .parses = r->corpus.dataset.given != NULL,
                                        .review = &r->review,
                                        .suspect = r->suspects.item,
                                        .count = how_many(r->settings->inspect, r->suspects.count)};
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        r->source.draws[l] = r->tuned[l] ? r->params[l]->draws : default_method_params.draws;
    return review_expect(&r->suspects, r->source.count, &r->among, err) &&
           review_expect(&r->suspects, r->suspects.count, &r->all, err) && listing_make(&r->listing, &r->source, err);
}

bool reviewing_judge(struct reviewing *r, struct vouch_error *err)
{
    return hold_out_answers(r, err) && judge(r, err) && list(r, err);
}

void reviewing_release(struct reviewing *r)
{
    listing_release(&r->listing);
    suspects_release(&r->suspects);
    review_release(&r->review);
    decided_release(&r->decided);
    held_out_release(&r->held);
    learned_corpus_release(&r->corpus);
    learning_release(&r->learning);
}
