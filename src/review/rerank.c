/*
 * Ranks anew by what was decided.
 *
 * The odds of judge_labels.c become a probability by the curve that planted errors give (error_curve.c), and a
 * regression (refit.c) adds to its log-odds what the decisions have shown:
 *
 *     log-odds(wrong) = log-odds(curve(odds)) + sum over f of weight_f * value_f
 *
 * Rows are the words that were decided on. One that was right is judged as all others are. One that was wrong is judged
 * in the copy that errors were planted in, where it was put back (plant.c), as if it had not been corrected. Features
 * are
 *
 *   - how far each signal, and the labels of the same words elsewhere, should count more or less than they do;
 *   - how many of the words beside it, or of the heads given and proposed, were decided to be wrong, and right: errors
 *     in a chunk come together;
 *   - what is given and what is proposed: a type that is taken for another, an arc that should go down to a child of
 *     the head;
 *   - the word, and the word, the one before and the one behind with what is given: what is always called wrongly;
 *   - the section of the corpus, alone and with what is given and proposed: the habits of its annotator.
 *
 * Spreads were chosen on planted errors (docs/MEASUREMENTS.md). All odds are then on the scale of probabilities, heads
 * and relations alike. Without decisions nothing changes: what the same words are called elsewhere would rank English
 * names a little better from the start, but enters with the first decision.
 *
 * O(words * features * log decisions), and the fit.
 */
#include "base/elementary.h"
#include "review/review.h"

#include "base/hash.h"
#include "fit/logistic.h"

#include <math.h>

enum feature {
    BIAS,
    OF_PROBABILITY,
    OF_VOTES,
    OF_LEARNED,
    OF_MARGIN,
    OF_NEAR,
    OF_CHUNK,
    NEIGHBOUR_WRONG,
    NEIGHBOUR_RIGHT,
    PAIR,
    WORD,
    WORD_GIVEN,
    BEFORE_GIVEN,
    BEHIND_GIVEN,
    SECTION,
    SECTION_PAIR,
    LONG_SECTION_PAIR,
    FEATURES
};

/*
 * How far decisions can move the weight of each feature. Whole chunks hardly count: real corpora have many names that
 * are rightly labelled in different ways.
 */
static const double spread[FEATURES] = {
    [BIAS] = 3,           [OF_PROBABILITY] = 0.05,  [OF_VOTES] = 0.3,      [OF_LEARNED] = 0.4,    [OF_MARGIN] = 0.4,
    [OF_NEAR] = 0.2,      [OF_CHUNK] = 0.02,        [NEIGHBOUR_WRONG] = 1, [NEIGHBOUR_RIGHT] = 1, [PAIR] = 1,
    [WORD] = 0.5,         [WORD_GIVEN] = 0.5,       [BEFORE_GIVEN] = 0.25, [BEHIND_GIVEN] = 0.25, [SECTION] = 0.3,
    [SECTION_PAIR] = 0.6, [LONG_SECTION_PAIR] = 0.6};
enum { SECTIONS = 10, LONG_SECTIONS = 4 };

struct reranking {
    struct review *review;
    uint32_t layer;
    struct error_curve curve;
    struct refit_rows rows; /* the words that were decided */
    struct refit refit;
};

/* Returns a label as a kind: the type of its chunks, or itself. */
static uint64_t type_of(const struct span_rules *rules, uint32_t choice)
{
    return rules && choice < rules->labels ? rules->type[choice] : choice;
}

/* Returns where the proposed head is, seen from the given one: the same, above it, below it, or elsewhere. */
static uint64_t move_of(const struct finding *head, const struct finding *f, uint32_t N)
{
    uint32_t from = f->given, to = f->proposed;
    return from == to                                            ? 0
           : from > 0 && from <= N && head[from - 1].given == to ? 1
           : to > 0 && to <= N && head[to - 1].given == from     ? 2
                                                                 : 3;
}

static double within(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

/* The features of a finding while they are gathered. */
struct features {
    struct refit_feature *feature; /* [FEATURES] */
    size_t count, row;
};

static void put(struct features *to, enum feature of, uint64_t what, double value)
{
    if (value != 0)
        to->feature[to->count++] = (struct refit_feature){hash_mix(of + 1, what), value, spread[of], to->row};
}

static void put_signals(const struct reranking *r, const struct finding *f, size_t word, struct features *to)
{
    struct repeat *const *repeat = r->review->repeat[r->layer];
    put(to, BIAS, 0, 1);
    put(to, OF_PROBABILITY, 0, -within((double)f->signal[SIGNAL_PROBABILITY], 8));
    put(to, OF_VOTES, 0, -(double)f->signal[SIGNAL_VOTES]);
    put(to, OF_LEARNED, 0, -within((double)f->signal[SIGNAL_LEARNED], 4));
    put(to, OF_MARGIN, 0, -within((double)f->signal[SIGNAL_MARGIN], 4));
    put(to, OF_NEAR, 0, repeat[REPEAT_NEAR] ? -repeat_odds(&repeat[REPEAT_NEAR][word]) : 0);
    put(to, OF_CHUNK, 0, repeat[REPEAT_CHUNK] ? -repeat_odds(&repeat[REPEAT_CHUNK][word]) : 0);
}

/* Counts the neighbours that were decided to be wrong, and right: words before and behind, or heads in trees. */
static void put_neighbours(const struct review *r, size_t first, uint32_t n, uint32_t N, struct features *to)
{
    const struct finding *head = &r->finding[0][first + n];
    uint32_t neighbour[2] = {n - 1, n + 1}, states[3] = {0};
    if (r->trees) {
        neighbour[0] = head->given - 1; /* the root is no word */
        neighbour[1] = head->proposed != head->given ? head->proposed - 1 : UINT32_MAX;
    }
    for (int i = 0; i < 2; i++)
        if (neighbour[i] < N)
            states[decided_state(r, first + neighbour[i])]++;
    put(to, NEIGHBOUR_WRONG, 0, states[DECIDED_WRONG]);
    put(to, NEIGHBOUR_RIGHT, 0, states[DECIDED_RIGHT]);
}

/* Fills in the features of a finding as those of a row; returns how many there are. */
static size_t describe(const struct reranking *r, const struct finding *f, size_t word, size_t row,
                       struct refit_feature feature[FEATURES])
{
    const struct review *review = r->review;
    const struct span_rules *rules = r->layer == 0 ? review->dataset->rules : NULL;
    struct features to = {.feature = feature, .row = row};
    uint32_t i = review->sentence_of[word], N = words_of(review, i);
    size_t first = review->first[i];
    uint32_t n = (uint32_t)(word - first), *form = review->form + first;
    /* what is given and what is proposed, as kinds: types, relations, or where the head should move */
    uint64_t given = type_of(rules, f->given), proposed = type_of(rules, f->proposed);
    if (chooses_heads(review, r->layer)) {
        given = review->layers > 1 ? review->finding[1][word].given : review->tag[word];
        proposed = move_of(review->finding[0] + first, f, N);
    }
    uint64_t pair = hash_mix(given, proposed), section = (uint64_t)i * SECTIONS / review->sentences;
    put_signals(r, f, word, &to);
    put_neighbours(review, first, n, N, &to);
    put(&to, PAIR, pair, 1);
    put(&to, WORD, form[n], 1);
    put(&to, WORD_GIVEN, hash_mix(form[n], given), 1);
    put(&to, BEFORE_GIVEN, hash_mix(n > 0 ? form[n - 1] : 0, given), 1);
    put(&to, BEHIND_GIVEN, hash_mix(n + 1 < N ? form[n + 1] : 0, given), 1);
    put(&to, SECTION, section, 1);
    put(&to, SECTION_PAIR, hash_mix(section, pair), 1);
    put(&to, LONG_SECTION_PAIR, hash_mix((uint64_t)i * LONG_SECTIONS / review->sentences, pair), 1);
    return to.count;
}

static double curve_at(const struct reranking *r, const struct finding *f)
{
    return error_curve_odds(&r->curve, (double)f->odds);
}

/* Returns the finding about a word as the files give it. */
static const struct finding *as_given(const struct reranking *r, size_t w)
{
    bool restored = r->review->planted[r->layer].restored[w];
    return &(restored ? r->review->trial_finding : r->review->finding)[r->layer][w];
}

/* Fits the curve from odds to the probability of an error to all given labels and to the planted errors. */
static bool fit_curve(struct reranking *r, struct vouch_error *err)
{
    const struct review *review = r->review;
    const struct planted *errors = &review->planted[r->layer];
    struct planted_odds planted;
    double *given = new_array(review->words + 1, sizeof *given, err);
    bool ok = planted_odds_init(&planted, review->words, err) && given;
    for (size_t w = 0; ok && w < review->words; w++) {
        given[w] = (double)as_given(r, w)->odds;
        if (errors->changed[w]) {
            planted.odds[planted.count] = (double)review->trial_finding[r->layer][w].odds;
            planted.kind[planted.count++] = errors->kind[review->sentence_of[w]];
        }
    }
    ok = ok && error_curve_fit(&r->curve, given, review->words, &planted, err);
    free(given);
    planted_odds_release(&planted);
    return ok;
}

/*
 * Whether the word is a row of the regression. Relations are judged as those of the corrected heads: where a head was
 * wrong, nothing is known of the relation to the given one.
 */
static bool is_row(const struct reranking *r, size_t w)
{
    return decided_state(r->review, w) != DECIDED_NOT && !(r->layer == 1 && r->review->planted[0].restored[w]);
}

static bool gather_rows(struct reranking *r, struct vouch_error *err)
{
    struct refit_rows *rows = &r->rows;
    size_t count = 0;
    for (size_t w = 0; w < r->review->words; w++)
        count += is_row(r, w);
    *rows = (struct refit_rows){.row = new_array(count + 1, sizeof *rows->row, err),
                                .feature = new_array(count * FEATURES + 1, sizeof *rows->feature, err)};
    if (!rows->row || !rows->feature)
        return false;
    for (size_t w = 0; w < r->review->words; w++) {
        if (!is_row(r, w))
            continue;
        const struct finding *f = as_given(r, w);
        rows->features += describe(r, f, w, rows->n, rows->feature + rows->features);
        rows->row[rows->n++] = (struct refit_row){curve_at(r, f), r->review->planted[r->layer].restored[w]};
    }
    return true;
}

/* Sets the odds that it is right, corrected by the weights that were fitted. */
static void rate(const struct reranking *r, struct finding *f, size_t w)
{
    struct refit_feature feature[FEATURES];
    size_t count = describe(r, f, w, 0, feature);
    f->odds = (float)-(curve_at(r, f) + refit_apply(&r->refit, feature, count));
}

static bool rerank_layer(struct reranking *r, struct vouch_error *err)
{
    bool ok = fit_curve(r, err) && gather_rows(r, err) && refit_fit(&r->refit, &r->rows, err);
    for (size_t w = 0; ok && w < r->review->words; w++) {
        rate(r, &r->review->finding[r->layer][w], w);
        rate(r, &r->review->trial_finding[r->layer][w], w);
    }
    free(r->rows.row);
    free(r->rows.feature);
    r->rows = (struct refit_rows){0};
    refit_release(&r->refit);
    return ok;
}

/* The review's odds are then those of probabilities, and its curve says so. */
bool rerank(struct review *review, struct vouch_error *err)
{
    struct reranking r = {.review = review};
    bool ok = true;
    if (!review->decided.state)
        return true;
    for (; ok && r.layer < review->layers; r.layer++)
        ok = rerank_layer(&r, err);
    review->curve = (struct error_curve){.bias = {0}, .slope = {1}, .kinds = 1};
    return ok;
}
