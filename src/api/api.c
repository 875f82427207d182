/* The public interface over a model: see vouch.h. */
#include "predict/estimator.h"
#include "predict/tagger.h"

#include "vouch_version.h"

#include <math.h>

struct vouch_tagger {
    const struct vouch_model *model;
    struct tagger *tagger;       /* labels alone */
    struct tagger *judge;        /* labels and judges; made when first asked for */
    struct estimator *estimator; /* NULL: not asked for yet, or the model was not calibrated */
    bool asked;                  /* for an estimator */
    struct estimates estimates;
    struct sentence sentence;
    struct text *label;
    size_t label_capacity;
};

static enum vouch_status status_of(bool ok, const struct vouch_error *err)
{
    return ok ? VOUCH_OK : err->status ? err->status : VOUCH_ERR_ARGUMENT;
}

const char *vouch_version(void)
{
    return VOUCH_VERSION;
}

enum vouch_status vouch_model_verify(const vouch_model *model, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    return status_of(model_file_verify(&model->file, err), err);
}

const char *vouch_model_task(const vouch_model *model)
{
    return model->task;
}

const char *vouch_model_header(const vouch_model *model)
{
    return model->header_text;
}

size_t vouch_model_label_count(const vouch_model *model)
{
    return labels_count(&model->labels);
}

const char *vouch_model_label_name(const vouch_model *model, size_t label)
{
    if (label >= labels_count(&model->labels))
        return NULL;
    uint32_t written = dictionary_find(&model->labels.written, labels_name(&model->labels, (uint32_t)label));
    return written ? model->label_name[written - 1] : NULL;
}

size_t vouch_model_columns(const vouch_model *model)
{
    return model->templates.columns ? model->templates.columns : 1;
}

vouch_tagger *vouch_tagger_new(const vouch_model *model, struct vouch_error *err)
{
    struct vouch_tagger *tagger = new_array(1, sizeof *tagger, err);
    if (!tagger)
        return NULL;
    tagger->model = model;
    tagger->tagger = tagger_new(model, NULL, err);
    if (!tagger->tagger) {
        vouch_tagger_free(tagger);
        return NULL;
    }
    return tagger;
}

void vouch_tagger_free(vouch_tagger *tagger)
{
    if (!tagger)
        return;
    tagger_free(tagger->tagger);
    tagger_free(tagger->judge);
    estimator_free(tagger->estimator);
    estimates_release(&tagger->estimates);
    sentence_release(&tagger->sentence);
    free(tagger->label);
    free(tagger);
}

/* Builds the sentence as views of the caller's strings. */
static bool take_cells(struct sentence *s, const char *const *cells, size_t words, size_t columns,
                       struct vouch_error *err)
{
    if (words > 1 << 20 || columns == 0 || columns > 1 << 16 || words * columns > 1 << 26)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most 2^20 words of 1 to 2^16 columns, 2^26 cells in all");
    if (!RESERVE(s->first, s->first_capacity, words + 1, err) ||
        !RESERVE(s->cell, s->cell_capacity, words * columns + 1, err))
        return false;
    for (size_t i = 0; i < words * columns; i++) {
        size_t length = cells[i] ? strlen(cells[i]) : 0;
        if (length == 0 || length > 1 << 26 || utf8_check(cells[i], length) != length)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %zu: expected a string in UTF-8 that is not empty",
                        i / columns + 1);
        s->cell[i] = (struct text){cells[i], (uint32_t)length};
    }
    for (size_t i = 0; i <= words; i++)
        s->first[i] = (uint32_t)(i * columns);
    s->N = (uint32_t)words;
    return true;
}

/* Labels with one of the two taggers; the labels' names. */
static bool label_cells(vouch_tagger *tagger, struct tagger *by, const char *const *cells, size_t words, size_t columns,
                        const char **labels, struct vouch_error *err)
{
    const struct vouch_model *model = tagger->model;
    if (!take_cells(&tagger->sentence, cells, words, columns, err) ||
        !RESERVE(tagger->label, tagger->label_capacity, words + 1, err) ||
        !tagger_label(by, &tagger->sentence, tagger->label, &tagger->estimates, err))
        return false;
    for (size_t i = 0; i < words; i++) {
        uint32_t written = dictionary_find(&model->labels.written, tagger->label[i]);
        labels[i] = written ? model->label_name[written - 1] : "";
    }
    return true;
}

enum vouch_status vouch_tagger_label(vouch_tagger *tagger, const char *const *cells, size_t words, size_t columns,
                                     const char **labels, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    return status_of(label_cells(tagger, tagger->tagger, cells, words, columns, labels, err), err);
}

/* Makes the tagger that judges, once; none if the model was not calibrated. */
static bool make_estimator(vouch_tagger *tagger, struct vouch_error *err)
{
    struct vouch_error reason = {0}; /* no estimator is no error, whatever `err` holds from before */
    struct estimate_request request = {.words_only = true};
    if (!tagger->asked) {
        tagger->estimator = estimator_new(tagger->model, &request, &reason);
        tagger->asked = reason.status == VOUCH_OK;
    }
    if (tagger->estimator && !tagger->judge)
        tagger->judge = tagger_new(tagger->model, tagger->estimator, &reason);
    if (reason.status != VOUCH_OK)
        *err = reason;
    return reason.status == VOUCH_OK;
}

enum vouch_status vouch_tagger_judge(vouch_tagger *tagger, const char *const *cells, size_t words, size_t columns,
                                     const char **labels, double *confidence, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    if (!make_estimator(tagger, err) ||
        !label_cells(tagger, tagger->estimator ? tagger->judge : tagger->tagger, cells, words, columns, labels, err))
        return status_of(false, err);
    bool known = tagger->estimator && chosen_is_calibrated(tagger->estimator, 0);
    for (size_t i = 0; i < words; i++)
        confidence[i] = known ? tagger->estimates.by_method[0].word[i] : NAN;
    return VOUCH_OK;
}

enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells, size_t words, size_t columns,
                                    const char **labels, struct vouch_error *err)
{
    struct vouch_error own = {0};
    err = err ? err : &own;
    vouch_tagger *tagger = vouch_tagger_new(model, err);
    if (!tagger)
        return status_of(false, err);
    enum vouch_status status = vouch_tagger_label(tagger, cells, words, columns, labels, err);
    vouch_tagger_free(tagger);
    return status;
}
