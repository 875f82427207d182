/*
 * Calibrates the numbers of another program: see file_comparison.h. The kind of calibration is chosen by its log loss
 * on held-out sentences (fit/calibrate.h). Time: O(n log n).
 */
#include "eval/file_comparison.h"

#include "base/json_read.h"
#include "model/confidence_model.h"
#include "model/records.h"

#include "vouch_version.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALIBRATION_TITLE "calibration of answers"
enum { CALIBRATION_FORM = 1 };

const char *const answer_kind_names[ANSWER_KINDS] = {"labels", "heads", "spans"};

const char *answer_calibration_kind(const struct answer_calibration *c, enum aspect a)
{
    static const char *const names[CALIBRATION_KINDS] = {"none", "isotonic", "platt", "beta"};
    return names[c->of[a].kind];
}

void answer_calibration_release(struct answer_calibration *c)
{
    for (enum aspect u = 0; u < CALIBRATED_ASPECTS; u++)
        calibration_release(&c->of[u]);
    span_calibration_release(&c->spans);
    digest_set_release(&c->texts);
    json_decref(c->header);
    *c = (struct answer_calibration){0};
}

bool answer_figures_find(const double *number, const bool *right, size_t n, struct answer_figures *figures,
                         struct vouch_error *err)
{
    struct quality quality;
    *figures = (struct answer_figures){NAN, NAN};
    for (size_t i = 0; i < n; i++)
        if (!(number[i] >= 0 && number[i] <= 1))
            return true;
    struct judged *judged = new_array(n + 1, sizeof *judged, err);
    for (size_t i = 0; judged && i < n; i++)
        judged[i] = (struct judged){.confidence = number[i], .right = right[i]};
    bool ok = judged && quality_measure(judged, n, true, &quality, err);
    if (ok)
        *figures = (struct answer_figures){quality.reliability.log_loss, quality.reliability.ece};
    free(judged);
    return ok;
}

static bool fit_aspect(struct answer_calibration *c, enum aspect a, const struct confidence_eval *e, uint64_t seed,
                       struct vouch_error *err)
{
    double loss[CALIBRATION_KINDS];
    size_t n = 0;
    if (!e->rows[a].present)
        return true;
    struct judged *word = confidence_eval_judged(e, a, 0, &n, err);
    double *raw = word ? new_array(2 * n + 1, sizeof *raw, err) : NULL, *held = raw ? raw + n : NULL;
    bool *right = new_array(n + 1, sizeof *right, err);
    uint32_t *group = new_array(n + 1, sizeof *group, err);
    bool ok = raw && right && group;
    for (size_t i = 0; ok && i < n; i++) {
        raw[i] = word[i].confidence;
        right[i] = word[i].right;
        group[i] = word[i].sentence;
        c->wrong[a] += !word[i].right;
    }
    c->count[a] = n;
    const struct calibration_rows rows = {.raw = raw, .right = right, .group = group, .n = n};
    ok = ok && (n == 0 || (calibration_choose(&rows, seed, &c->of[a], loss, err) &&
                           calibration_hold_out(c->of[a].kind, &rows, seed, held, err) &&
                           answer_figures_find(raw, right, n, &c->raw[a], err) &&
                           answer_figures_find(held, right, n, &c->held[a], err)));
    free(raw);
    free(right);
    free(group);
    free(word);
    return ok;
}

bool answer_calibration_fit(struct answer_calibration *c, const struct confidence_eval *e, uint64_t seed,
                            struct vouch_error *err)
{
    c->about = e->trees ? ABOUT_HEADS : ABOUT_LABELS;
    for (enum aspect u = 0; u < CALIBRATED_ASPECTS; u++)
        if (!fit_aspect(c, u, e, seed, err))
            return false;
    return c->count[ASPECT_WORDS] > 0 || fail(err, VOUCH_ERR_FORMAT, "expected a number for words, found none");
}

bool answer_calibration_apply(const struct answer_calibration *c, enum aspect a, double raw, double *probability)
{
    const struct calibration *of = &c->of[a];
    *probability = NAN;
    if (isnan(raw))
        return true;
    if (of->kind == CALIBRATE_NONE || (!of->margin && !(raw >= 0 && raw <= 1)))
        return false;
    *probability = calibration_apply(of, raw);
    return true;
}

static json_t *figures_json(const struct answer_figures *f)
{
    return json_pack("{s:o, s:o}", "log_loss", figure_json(f->log_loss), "ece", figure_json(f->ece));
}

/* Returns the key of an aspect: spans are in the place of words. */
static const char *key_of(const struct answer_calibration *c, enum aspect a)
{
    return aspect_names[a == ASPECT_WORDS && c->about == ABOUT_SPANS ? ASPECT_SPANS : a];
}

json_t *answer_calibration_json(const struct answer_calibration *c)
{
    json_t *json = json_pack("{s:s, s:i, s:s}", "vouch", CALIBRATION_TITLE, "form", CALIBRATION_FORM, "about",
                             answer_kind_names[c->about]);
    if (c->log)
        json_object_set_new(json, "log", json_true());
    for (enum aspect u = 0; u < CALIBRATED_ASPECTS; u++)
        if (c->of[u].kind != CALIBRATE_NONE)
            json_object_set_new(json, key_of(c, u),
                                json_pack("{s:I, s:I, s:o, s:o, s:o}", "count", (json_int_t)c->count[u], "wrong",
                                          (json_int_t)c->wrong[u], "raw", figures_json(&c->raw[u]), "held_out",
                                          figures_json(&c->held[u]), "calibration", calibration_describe(&c->of[u])));
    if (c->about == ABOUT_SPANS)
        span_calibration_describe(&c->spans, json_object_get(json, key_of(c, ASPECT_WORDS)));
    return json;
}

static bool write_whole(const json_t *json, struct output *out)
{
    char *text = json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (text)
        output_printf(out, "%s\n", text);
    free(text);
    return text;
}

bool answer_calibration_write(const struct answer_calibration *c, const char *file, const char *command,
                              struct output *out, struct vouch_error *err)
{
    json_t *json = answer_calibration_json(c);
    bool ok = json && json_object_set_new(json, "file", header_text(file)) == 0 &&
              json_object_set_new(json, "command", header_text(command)) == 0 &&
              json_object_set_new(json, "version", json_string(VOUCH_VERSION)) == 0 &&
              (!c->texts.count || json_object_set_new(json, "texts", digests_json(&c->texts)) == 0);
    ok = ok && write_whole(json, out);
    json_decref(json);
    return ok || fail_memory(err);
}

bool answer_calibration_keep(const struct answer_calibration *c, json_t *point, struct output *out,
                             struct vouch_error *err)
{
    json_t *json = json_copy(c->header);
    bool ok = json && json_object_set(json, "operating_point", point) == 0 && write_whole(json, out);
    json_decref(json);
    return ok || fail_memory(err);
}

/* Reads the calibration of an aspect if it is there. */
static bool read_aspect(struct answer_calibration *c, enum aspect a, const json_t *json, struct vouch_error *err)
{
    const json_t *kept = json_object_get(json_object_get(json, key_of(c, a)), "calibration");
    return kept ? calibration_read(&c->of[a], kept, err) : a != ASPECT_WORDS;
}

static bool read_json(struct answer_calibration *c, const json_t *json, struct vouch_error *err)
{
    const char *title = json_string_value(json_object_get(json, "vouch"));
    const char *about = json_string_value(json_object_get(json, "about"));
    if (!title || !about || strcmp(title, CALIBRATION_TITLE) != 0 ||
        json_integer_value(json_object_get(json, "form")) != CALIBRATION_FORM)
        return false;
    while (c->about < ANSWER_KINDS && strcmp(about, answer_kind_names[c->about]) != 0)
        c->about++;
    c->log = json_is_true(json_object_get(json, "log"));
    return c->about < ANSWER_KINDS && read_aspect(c, ASPECT_WORDS, json, err) &&
           read_aspect(c, ASPECT_RELATIONS, json, err) &&
           (c->about != ABOUT_SPANS || span_calibration_read(&c->spans, json_object_get(json, "spans"), err));
}

/* Takes over what was read; NULL: it was none, or there is no memory. */
static bool take_json(struct answer_calibration *c, json_t *json, const json_error_t *problem, const char *name,
                      struct vouch_error *err)
{
    struct vouch_error why = {0};
    bool ok = json && read_json(c, json, &why);
    c->header = json;
    if (!ok && (why.status == VOUCH_ERR_MEMORY || (!json && json_lacked_memory(problem))))
        return fail_memory(err);
    return ok || fail(err, VOUCH_ERR_FORMAT, "%s: expected a calibration, as 'vouch tune --answers' writes it", name);
}

bool answer_calibration_read(struct answer_calibration *c, const char *path, struct vouch_error *err)
{
    json_error_t problem;
    json_t *json = json_read_file(path, JSON_REJECT_DUPLICATES, &problem);
    if (!json && json_error_code(&problem) == json_error_cannot_open_file)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    return take_json(c, json, &problem, path, err);
}

bool answer_calibration_parse(struct answer_calibration *c, const char *text, struct vouch_error *err)
{
    json_error_t problem;
    return take_json(c, json_read_string(text, JSON_REJECT_DUPLICATES, &problem), &problem, "calibration", err);
}
