/*
 * Fits methods on held-out scores: words first, then chunks by the probabilities of their words, then sentences by
 * those of their chunks.
 *
 * Each step learns from the probabilities that the one before gives to answers that it has not learned from; the
 * figures that are kept are of such probabilities, too. Those of words that a forecaster has learned from are too good,
 * and chunks would look surer than they are: the ECE with 200 sentences of names was 0.11 then, and is 0.06 so.
 *
 * Cost of each: six fits of each of three kinds; of the committee, which takes longest
 * and is begun first: two forecasters, and trees for the text.
 */
#include "train/calibration.h"

#include "base/parallel.h"
#include "core/exp_log.h"
#include "measure/quality.h"

#include <math.h>

/* A method being fitted, with its numbers for units that it has not learned from. */
struct fit {
    struct confidence_model *confidence_model;
    struct method_model *method_model;
    uint32_t column;
    const struct held_out_scores *scores;
    const struct work *work;
    double *held[UNITS];
    double *word; /* [words] the numbers of all words of all sentences, those without another choice included */
    const double *committee; /* [words] the committee's numbers, if the text is used as well; else NULL */
};

static const struct score_rows *rows_of(const struct fit *f, enum unit unit)
{
    const struct held_out_scores *t = f->scores;
    return unit == UNIT_WORD ? &t->word : unit == UNIT_SPAN ? &t->span : &t->sentence;
}

/* Returns the mean loss of the probabilities p of those rows that are among `some`, which are in the same order. */
static double loss_among(const struct score_rows *u, const double *p, const struct score_rows *some)
{
    double sum = 0;
    for (size_t i = 0, k = 0; i < u->count && k < some->count; i++)
        if (u->sentence[i] == some->sentence[k]) {
            sum += log_loss(p[i], u->right[i]);
            k++;
        }
    return sum / (double)some->count;
}

/* Notes the figures of held-out probabilities, ranked by `rank` [count]. */
static bool note(const struct fit *f, enum unit unit, const double *rank, struct vouch_error *err)
{
    const struct score_rows *u = rows_of(f, unit);
    struct quality ranked, quality = {0};
    double *figure = f->method_model->figure[unit];
    size_t n, m;
    struct judged *judged = score_rows_column(u, f->held[unit], 1, 0, &n, err), *by = NULL;
    bool ok = judged && quality_measure(judged, n, true, &quality, err);
    ranked = quality;
    if (ok && rank != f->held[unit]) {
        by = score_rows_column(u, rank, 1, 0, &m, err);
        ok = by && quality_measure(by, m, false, &ranked, err);
    }
    free(by);
    free(judged);
    if (!ok)
        return false;
    figure[FIGURE_COUNT] = (double)quality.words;
    figure[FIGURE_ERRORS] = (double)quality.errors;
    figure[FIGURE_AP] = ranked.ranking.average_precision;
    figure[FIGURE_AUROC] = ranked.ranking.area_under_roc;
    figure[FIGURE_AURC] = ranked.ranking.area_under_risk_coverage;
    figure[FIGURE_ECE] = quality.reliability.ece;
    figure[FIGURE_BRIER] = quality.reliability.brier;
    figure[FIGURE_LOSS] = loss_among(u, f->held[unit], u);
    return true;
}

static double *column_of(const struct score_rows *u, uint32_t column, struct vouch_error *err)
{
    double *raw = new_array(u->count + 1, sizeof *raw, err);
    for (size_t i = 0; raw && i < u->count; i++)
        raw[i] = u->value[i * u->methods + column];
    return raw;
}

/* Fits a method's words, which its numbers rank as well as their probabilities do. */
static bool fit_method(struct fit *f, struct vouch_error *err)
{
    const struct score_rows *u = &f->scores->word;
    struct calibration *calibration = &f->method_model->calibration;
    double loss[CALIBRATION_KINDS], *raw = column_of(u, f->column, err);
    struct calibration_rows rows = {raw, u->right, u->sentence, u->count};
    bool ok = raw && calibration_choose(&rows, f->work->seed, calibration, loss, err) &&
              calibration_hold_out(calibration->kind, &rows, f->work->seed, f->held[UNIT_WORD], err) &&
              note(f, UNIT_WORD, raw, err);
    free(raw);
    return ok;
}

static struct discount_rows profiles_of(const struct score_rows *u, const double *p)
{
    return (struct discount_rows){p, u->profile, u->right, u->sentence, u->count};
}

static bool fit_forecaster(struct fit *f, struct vouch_error *err)
{
    const struct score_rows *u = &f->scores->word;
    struct logistic_rows rows = {
        .x = u->signal, .right = u->right, .n = u->count, .features = u->signals, .group = u->sentence};
    return forecaster_fit(&f->confidence_model->forecaster, &rows, f->work->seed, f->work->threads, f->held[UNIT_WORD],
                          err);
}

static bool fit_unlike(struct fit *f, struct vouch_error *err)
{
    struct discount_rows real = profiles_of(&f->scores->word, NULL), other = profiles_of(&f->scores->simulated, NULL);
    return discount_fit_unlike(&f->confidence_model->discount, &real, &other, f->work->seed, f->work->threads, err);
}

/* Applies discount to held-out words; those of a sentence share most of it. */
static void lower_words(const struct fit *f)
{
    const struct score_rows *u = &f->scores->word;
    const struct shift_discount *discount = &f->confidence_model->discount;
    struct sentence_discount sentence = {0};
    double *held = f->held[UNIT_WORD];
    for (size_t i = 0; discount->fitted && i < u->count; i++) {
        const double *profile = u->profile + i * u->profile_width;
        if (i == 0 || u->sentence[i] != u->sentence[i - 1])
            sentence = discount_of_sentence(discount, profile);
        if (profile[PROFILE_CONCERNED] != 0)
            held[i] = discount_word(discount, &sentence, held[i]);
    }
}

/* Fits the rest of discount on the simulated words, and applies it to the held-out ones. */
static bool fit_discount(struct fit *f, struct vouch_error *err)
{
    const struct score_rows *simulated = &f->scores->simulated;
    double *p = new_array(simulated->count + 1, sizeof *p, err);
    for (size_t i = 0; p && i < simulated->count; i++)
        p[i] = forecaster_apply(&f->confidence_model->forecaster, simulated->signal + i * simulated->signals);
    struct discount_rows other = profiles_of(simulated, p);
    bool ok = p && discount_fit_other(&f->confidence_model->discount, &other, err);
    if (ok)
        lower_words(f);
    free(p);
    return ok && note(f, UNIT_WORD, f->held[UNIT_WORD], err);
}

/* Fits the committee with the text: what words are called elsewhere, beside the committee's own held-out numbers. */
static bool fit_text(struct fit *f, struct vouch_error *err)
{
    const struct score_rows *u = &f->scores->word;
    double *held = f->held[UNIT_WORD], *x = new_array(u->count * COMMITTEE_TEXT_SIGNALS, sizeof *x, err);
    struct logistic_rows rows = {
        .x = x, .right = u->right, .n = u->count, .features = COMMITTEE_TEXT_SIGNALS, .group = u->sentence};
    for (size_t i = 0; x && i < u->count; i++)
        committee_text_row(f->committee[i], u->called + i * u->called_width, x + i * COMMITTEE_TEXT_SIGNALS);
    bool ok = x &&
              forecaster_correct(&f->confidence_model->with_text, &rows, f->work->seed, f->work->threads, held, err) &&
              note(f, UNIT_WORD, held, err);
    free(x);
    return ok;
}

/* Writes the method's own signals of a chunk or a sentence; returns where the signals of the parts go. */
static double *tell_own(const struct fit *f, const struct score_rows *u, size_t i, double *x)
{
    if (f->method_model->method)
        *x++ = joint_own(f->method_model->method, u->value[i * u->methods + f->column]);
    for (uint32_t s = 0; !f->method_model->method && s < u->signals; s++)
        *x++ = u->signal[i * u->signals + s];
    return x;
}

/* Lays out the words of all sentences, one after the other; a word without a row has no other choice. */
static bool spread_words(struct fit *f, struct vouch_error *err)
{
    const struct score_rows *words = &f->scores->word, *sentences = &f->scores->sentence;
    size_t all = 0, first = 0, row = 0;
    for (size_t i = 0; i < sentences->count; i++)
        all += sentences->extent[i].to;
    f->word = new_array(all + 1, sizeof *f->word, err);
    for (size_t i = 0; f->word && i < all; i++)
        f->word[i] = 1;
    for (size_t i = 0; f->word && i < sentences->count; first += sentences->extent[i++].to) {
        while (words->sentence[row] != sentences->sentence[i]) /* some words of that sentence are open */
            row++;
        for (; row < words->count && words->sentence[row] == sentences->sentence[i]; row++)
            f->word[first + words->extent[row].from] = f->held[UNIT_WORD][row];
    }
    return f->word != NULL;
}

/* Fills in the signals of chunks, which come sentence by sentence, in the same order. */
static void tell_spans(const struct fit *f, double *x, double *least)
{
    const struct score_rows *spans = &f->scores->span, *sentences = &f->scores->sentence;
    const double *word = f->word;
    size_t sentence = 0;
    for (size_t i = 0; i < spans->count; i++) {
        for (; sentences->sentence[sentence] != spans->sentence[i]; sentence++)
            word += sentences->extent[sentence].to;
        x = tell_own(f, spans, i, x);
        least[i] = joint_of_span(word, sentences->extent[sentence].to, spans->extent[i], x);
        x += JOINT_SIGNALS;
    }
}

static void tell_sentences(const struct fit *f, double *x, double *least)
{
    const struct score_rows *spans = &f->scores->span, *sentences = &f->scores->sentence;
    size_t word = 0, first = 0, end = 0;
    for (size_t i = 0; i < sentences->count; i++, first = end) {
        uint32_t N = sentences->extent[i].to;
        while (end < spans->count && spans->sentence[end] == sentences->sentence[i])
            end++;
        x = tell_own(f, sentences, i, x);
        least[i] = joint_of_sentence(f->word + word, N, spans->count ? spans->extent + first : NULL,
                                     f->held[UNIT_SPAN] + first, (uint32_t)(end - first), x);
        x += JOINT_SIGNALS;
        word += N;
    }
}

static bool fit_joint(struct fit *f, enum unit unit, struct vouch_error *err)
{
    const struct score_rows *u = rows_of(f, unit);
    const uint32_t committee[UNITS] = {0, f->scores->span.signals, f->scores->sentence.signals};
    uint32_t features = method_model_signals(f->method_model, unit, committee);
    if (u->count == 0)
        return true;
    double *x = new_array(u->count * features, sizeof *x, err), *least = new_array(u->count, sizeof *least, err);
    bool ok = x && least;
    if (ok) {
        (unit == UNIT_SPAN ? tell_spans : tell_sentences)(f, x, least);
        struct logistic_rows rows = {
            .x = x, .right = u->right, .ceiling = least, .n = u->count, .features = features, .group = u->sentence};
        ok = joint_fit(&rows, f->work->seed, &f->method_model->joint[unit], f->held[unit], err) &&
             note(f, unit, f->held[unit], err);
    }
    free(x);
    free(least);
    return ok;
}

static bool fit_wholes(struct fit *f, struct vouch_error *err)
{
    return spread_words(f, err) && fit_joint(f, UNIT_SPAN, err) && fit_joint(f, UNIT_SENTENCE, err);
}

/* Makes room for the fit of method model `b`. */
static bool fit_init(struct fit *f, struct confidence_model *confidence_model, uint32_t b,
                     const struct method_rows *rows, struct vouch_error *err)
{
    bool ok = true;
    *f = (struct fit){.confidence_model = confidence_model,
                      .method_model = &confidence_model->method_model[b],
                      .column = b,
                      .scores = confidence_model->method_model[b].method ? rows->methods : rows->committee,
                      .work = rows->work};
    for (enum unit u = 0; ok && u < UNITS; u++) {
        f->held[u] = new_array(rows_of(f, u)->count + 1, sizeof *f->held[u], err);
        ok = f->held[u] != NULL;
    }
    return ok;
}

static void fit_release(struct fit *f)
{
    free(f->word);
    for (enum unit u = 0; u < UNITS; u++)
        free(f->held[u]);
}

/* The jobs of fitting: the committees' in the order in which they need each other, then a method each. */
enum { FORECAST, UNLIKE, DISCOUNT, COMMITTEE_WHOLES, TEXT, METHODS };

struct fits {
    struct confidence_model *confidence_model;
    const struct method_rows *rows;
    double *loss;
    struct fit committee, text;
    bool with_text;
};

static bool method_fit(const struct fits *fits, uint32_t b, struct vouch_error *err)
{
    struct fit f;
    const struct score_rows *words = &fits->rows->methods->word;
    fits->loss[b] = NAN;
    if (!fits->confidence_model->method_model[b].method || words->count == 0)
        return true;
    bool ok = fit_init(&f, fits->confidence_model, b, fits->rows, err) && fit_method(&f, err) && fit_wholes(&f, err);
    if (ok)
        fits->loss[b] = loss_among(words, f.held[UNIT_WORD], words);
    fit_release(&f);
    return ok;
}

static bool is_ready(const void *context, uint32_t job, const bool *done)
{
    (void)context;
    return job == DISCOUNT                          ? done[FORECAST] && done[UNLIKE]
           : job == COMMITTEE_WHOLES || job == TEXT ? done[DISCOUNT]
                                                    : true;
}

static bool run_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct fits *fits = context;
    (void)thread;
    if (job >= METHODS)
        return method_fit(fits, job - METHODS, err);
    if (fits->rows->committee->word.count == 0)
        return true;
    switch (job) {
    case FORECAST:
        return fit_forecaster(&fits->committee, err);
    case UNLIKE:
        return fit_unlike(&fits->committee, err);
    case DISCOUNT:
        return fit_discount(&fits->committee, err);
    case COMMITTEE_WHOLES:
        return fit_wholes(&fits->committee, err);
    default:
        return !fits->with_text || (fit_text(&fits->text, err) && fit_wholes(&fits->text, err));
    }
}

bool methods_fit(struct confidence_model *confidence_model, const struct method_rows *rows, double *loss,
                 struct vouch_error *err)
{
    const struct score_rows *words = &rows->committee->word;
    struct fits fits = {.confidence_model = confidence_model, .rows = rows, .loss = loss};
    uint32_t committee = 0, text = 0, count = confidence_model->count;
    while (confidence_model->method_model[committee].method)
        committee++;
    while (text < count && !confidence_model->method_model[text].text)
        text++;
    fits.with_text = text < count && words->called_width > 0;
    bool ok = fit_init(&fits.committee, confidence_model, committee, rows, err) &&
              (!fits.with_text || fit_init(&fits.text, confidence_model, text, rows, err));
    fits.text.committee = fits.committee.held[UNIT_WORD];
    ok = ok && parallel_run_when(rows->work->threads, METHODS + count, is_ready, run_job, &fits, err);
    if (ok && words->count > 0)
        loss[committee] = loss_among(words, fits.committee.held[UNIT_WORD], &rows->methods->word);
    fit_release(&fits.committee);
    fit_release(&fits.text);
    return ok;
}

bool calibrated_loss(const struct score_rows *u, uint32_t column, uint64_t seed, double *loss, struct vouch_error *err)
{
    *loss = NAN;
    if (u->count == 0)
        return true;
    struct calibration calibration = {0};
    double losses[CALIBRATION_KINDS], *raw = column_of(u, column, err);
    struct calibration_rows rows = {raw, u->right, u->sentence, u->count};
    bool ok = raw && calibration_choose(&rows, seed, &calibration, losses, err);
    if (ok)
        *loss = losses[calibration.kind];
    calibration_release(&calibration);
    free(raw);
    return ok;
}
