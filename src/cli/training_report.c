/*
 * What vouch train says while it works: progress, a line and a score after every pass, and the log.
 */
#include "cli/training.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool training_log_open(struct training_run *run)
{
    const char *path = run->settings->log;
    run->log = fopen(path, "w");
    return run->log || fail(&run->err, VOUCH_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
}

void training_log(struct training_run *run, json_t *event)
{
    char *line = event ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    if (run->log && line)
        fprintf(run->log, "%s\n", line), fflush(run->log);
    free(line);
    json_decref(event);
}

/* The log must have arrived on the disk, too. */
bool training_log_close(struct training_run *run)
{
    bool ok = !run->log || (fflush(run->log) == 0 && !ferror(run->log));
    return ok || fail(&run->err, VOUCH_ERR_IO, "%s: cannot write the log", run->settings->log);
}

/* "cw", or "cw relation" where a model has several layers. */
static const char *voice_title(const struct training_run *run, char *title, size_t room)
{
    const char *name = run->learning.trial[run->current].learner->name;
    const char *layer = run->corpus.dataset.layers > 1 ? run->corpus.dataset.layer[run->current_layer].name : "";
    snprintf(title, room, "%s%s%s", name, layer[0] ? " " : "", layer);
    return title;
}

/* Keeps the voice as it is after this pass if none before was as good; the first of equals is kept. */
static bool keep_if_best(struct training_run *run, const struct training *now, double figure)
{
    struct model_voice *kept = &run->layer[run->current_layer].voice[run->current];
    if (run->best_pass && figure <= run->best_figure)
        return false;
    model_voice_release(kept);
    run->best_pass = now->pass;
    run->best_figure = figure;
    return model_voice_keep(kept, now->voice, run->learning.trial[run->current].learner->name, &run->err);
}

void training_tell_kept(struct training_run *run, json_t *record)
{
    char title[40];
    voice_title(run, title, sizeof title);
    json_object_set_new(record, "pass", json_integer(run->best_pass));
    training_log(run, json_pack("{s:s, s:s, s:i}", "event", "kept", "voice", title, "pass", (int)run->best_pass));
    if (!run->settings->quiet)
        showf(stderr, "%-10s kept pass %u\n", title, run->best_pass);
}

/* Measures on the development set; a few words for the user in `said`. */
static void measure_dev(struct training_run *run, const struct training *now, json_t *event, char *said, size_t room)
{
    const struct dataset *dataset = &run->corpus.dataset;
    struct layer_score score = {0};
    voice_average(now->voice, run->weights);
    if (!dataset->measure_dev(dataset->self, run->current_layer, run->weights, &score, &run->err))
        return;
    if (score.chunks)
        snprintf(said, room, "  dev P %.2f R %.2f F1 %.2f accuracy %.2f", score.precision, score.recall, score.f1,
                 score.accuracy);
    else
        snprintf(said, room, "  dev accuracy %.2f", score.accuracy);
    char title[40];
    json_t *measured = layer_score_json(&score);
    json_object_set(event, "dev", measured);
    if (!run->settings->best_pass || keep_if_best(run, now, score.figure))
        json_object_set(run->dev_scores, voice_title(run, title, sizeof title), measured);
    json_decref(measured);
}

/* After a pass: the dev score, a line for the user, an event for the log. */
static void report_pass(struct training_run *run, const struct training *now)
{
    char said[80] = "", title[40];
    voice_title(run, title, sizeof title);
    json_t *event = json_pack("{s:s, s:s, s:i, s:f, s:f}", "event", "pass", "voice", title, "pass", (int)now->pass,
                              "loss", now->loss, "seconds", seconds_now() - run->pass_started);
    if (run->settings->dev)
        measure_dev(run, now, event, said, sizeof said);
    training_log(run, event);
    progress_clear(&run->progress);
    if (!run->settings->quiet)
        showf(stderr, "%-10s pass %2u/%u  loss %.5f%s\n", title, now->pass, now->passes, now->loss, said);
    run->pass_started = seconds_now();
}

bool training_tell(void *context, const struct training *now)
{
    struct training_run *run = context;
    char what[80], note[64], title[40];
    snprintf(what, sizeof what, "%-10s pass %2u/%u", voice_title(run, title, sizeof title), now->pass, now->passes);
    snprintf(note, sizeof note, " loss %.5f", now->loss);
    if (now->seen == now->examples)
        report_pass(run, now);
    else
        progress_draw(&run->progress, what, now->seen, now->examples, note);
    return !interrupt_seen() && run->err.status == VOUCH_OK;
}

bool training_tell_reading(void *context, uint64_t sentences)
{
    struct training_run *run = context;
    progress_draw(&run->progress, "reading", sentences, 0, "sentences");
    return !interrupt_seen();
}

void training_tell_tuning(void *context, uint32_t done, uint32_t of)
{
    struct training_run *run = context;
    progress_draw(&run->progress, "tuning", done, of, "");
}

void training_tell_held_out(void *context, uint32_t done, uint32_t of)
{
    struct training_run *run = context;
    progress_draw(&run->progress, "learning on parts, to calibrate", done, of, "");
}

void training_tell_calibrating(void *context, uint32_t done, uint32_t of)
{
    struct training_run *run = context;
    progress_draw(&run->progress, "calibrating", done, of, "");
}
