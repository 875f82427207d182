/*
 * Ranks anew by what was decided: see rerank.h.
 *
 * The odds of review.c become a probability by the curve that planted errors
 * give (error_curve.c), and a regression (refit.c) adds to its log-odds what
 * the decisions have shown:
 *
 *     log-odds(wrong) = bias - slope * odds + sum over f of weight_f * value_f
 *
 * Rows are the words that were decided on. One that was right is judged as all
 * others are. One that was wrong is judged in the copy that errors were planted
 * in, where it was put back (plant.c), as if it had not been corrected.
 * Features are
 *
 *   - how far each signal, and the labels of the same words elsewhere, should
 *     count more or less than they do;
 *   - how many of the words beside it, or of the heads given and proposed, were
 *     decided to be wrong, and right: errors in a chunk come together;
 *   - what is given and what is proposed: a type that is taken for another, an
 *     arc that should go down to a child of the head;
 *   - the word, and the word, the one before and the one behind with what is
 *     given: what is always called wrongly;
 *   - the stretch of the corpus, alone and with what is given and proposed: the
 *     habits of its annotator.
 *
 * Spreads were chosen on planted errors (docs/MEASUREMENTS.md). All odds are
 * then on the scale of probabilities, heads and relations alike.
 *
 * O(words * features * log decisions) beside the fit.
 */
#include "review/rerank.h"

#include "base/hash.h"
#include "fit/logistic.h"
#include "review/refit.h"

#include <math.h>
#include <stdlib.h>

enum feature {
    BIAS,
    OF_PROBABILITY,
    OF_VOTES,
    OF_LEARNED,
    OF_MARGIN,
    OF_NEAR,
    OF_CHUNK,
    BESIDE_WRONG,
    BESIDE_RIGHT,
    PAIR,
    WORD,
    WORD_GIVEN,
    BEFORE_GIVEN,
    BEHIND_GIVEN,
    STRETCH,
    STRETCH_PAIR,
    LONG_STRETCH_PAIR,
    FEATURES
};

/*
 * How far decisions can move the weight of each feature. Whole chunks hardly count: real corpora have many names that
 * are rightly labelled in different ways.
 */
static const double spread[FEATURES] = {
    [BIAS] = 3,           [OF_PROBABILITY] = 0.05,  [OF_VOTES] = 0.3,      [OF_LEARNED] = 0.4,    [OF_MARGIN] = 0.4,
    [OF_NEAR] = 0.2,      [OF_CHUNK] = 0.02,        [BESIDE_WRONG] = 1,    [BESIDE_RIGHT] = 1,    [PAIR] = 1,
    [WORD] = 0.5,         [WORD_GIVEN] = 0.5,       [BEFORE_GIVEN] = 0.25, [BEHIND_GIVEN] = 0.25, [STRETCH] = 0.3,
    [STRETCH_PAIR] = 0.6, [LONG_STRETCH_PAIR] = 0.6};
enum { STRETCHES = 10, LONG_STRETCHES = 4 };

struct reranking {
    struct review *review;
    const struct held_out *held;
    const struct dataset *dataset;
    const struct repeats *repeats;
    uint32_t layer, sentences;
    struct error_curve curve;
    double expected, without[CURVE_GROUPS]; /* errors in all, by the curves of all sentences and of all but a group */
    struct refit refit;
    uint32_t *sentence_of; /* [words] */
    double *offset;        /* of the rows that were decided */
    bool *wrong;
    size_t *start;
    struct refit_feature *feature;
    size_t rows;
};

static size_t first_word(const struct reranking *r, uint32_t i)
{
    return r->dataset->words_before(r->dataset->self, r->held->dev, i);
}

/* The given and the proposed choice, as a kind: types, relations, or where the head should move. */
struct kind {
    uint64_t given, proposed;
};

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

static struct kind kind_of(const struct reranking *r, const struct finding *f, size_t first, uint32_t n, uint32_t N)
{
    const struct review *review = r->review;
    if (!r->dataset->given || r->layer == 1)
        return (struct kind){type_of(r->layer == 0 ? r->dataset->rules : NULL, f->given),
                             type_of(r->layer == 0 ? r->dataset->rules : NULL, f->proposed)};
    uint64_t what = review->layers > 1 ? review->finding[1][first + n].given : r->repeats->tag[first + n];
    return (struct kind){what, move_of(review->finding[0] + first, f, N)};
}

static double within(double value, double limit)
{
    return fmin(fmax(value, -limit), limit);
}

static void put(struct refit_feature *feature, size_t *count, enum feature of, uint64_t what, double value)
{
    if (value != 0)
        feature[(*count)++] = (struct refit_feature){hash_mix(of + 1, what), value, spread[of]};
}

static void put_signals(const struct reranking *r, const struct finding *f, size_t word, struct refit_feature *feature,
                        size_t *count)
{
    struct repeat *const *repeat = r->repeats->of[r->layer];
    put(feature, count, BIAS, 0, 1);
    put(feature, count, OF_PROBABILITY, 0, -within((double)f->signal[SIGNAL_PROBABILITY], 8));
    put(feature, count, OF_VOTES, 0, -(double)f->signal[SIGNAL_VOTES]);
    put(feature, count, OF_LEARNED, 0, -within((double)f->signal[SIGNAL_LEARNED], 4));
    put(feature, count, OF_MARGIN, 0, -within((double)f->signal[SIGNAL_MARGIN], 4));
    put(feature, count, OF_NEAR, 0, repeat[REPEAT_NEAR] ? -repeat_odds(&repeat[REPEAT_NEAR][word]) : 0);
    put(feature, count, OF_CHUNK, 0, repeat[REPEAT_CHUNK] ? -repeat_odds(&repeat[REPEAT_CHUNK][word]) : 0);
}

/* Finds the words beside a word; in trees, the heads that are given and proposed. UINT32_MAX: there is none. */
static void find_beside(const struct reranking *r, const struct finding *head, uint32_t n, uint32_t N,
                        uint32_t beside[2])
{
    if (r->dataset->given) {
        beside[0] = head[n].given - 1; /* the root is no word */
        beside[1] = head[n].proposed != head[n].given ? head[n].proposed - 1 : UINT32_MAX;
    } else {
        beside[0] = n - 1;
        beside[1] = n + 1;
    }
    for (int i = 0; i < 2; i++)
        beside[i] = beside[i] < N ? beside[i] : UINT32_MAX;
}

static void put_beside(const struct reranking *r, size_t first, uint32_t n, uint32_t N, struct refit_feature *feature,
                       size_t *count)
{
    uint32_t beside[2], states[3] = {0};
    find_beside(r, r->review->finding[0] + first, n, N, beside);
    for (int i = 0; i < 2; i++)
        if (beside[i] != UINT32_MAX)
            states[decided_state(r->review->decided, first + beside[i])]++;
    put(feature, count, BESIDE_WRONG, 0, states[DECIDED_WRONG]);
    put(feature, count, BESIDE_RIGHT, 0, states[DECIDED_RIGHT]);
}

/* Fills in the features of a finding; returns how many there are. */
static size_t describe(const struct reranking *r, const struct finding *f, size_t word,
                       struct refit_feature feature[FEATURES])
{
    uint32_t i = r->sentence_of[word];
    size_t first = first_word(r, i), count = 0;
    uint32_t N = (uint32_t)(first_word(r, i + 1) - first), n = (uint32_t)(word - first);
    const uint32_t *form = r->repeats->form + first;
    struct kind kind = kind_of(r, f, first, n, N);
    uint64_t pair = hash_mix(kind.given, kind.proposed);
    uint64_t stretch = (uint64_t)i * STRETCHES / r->sentences;
    uint64_t long_stretch = (uint64_t)i * LONG_STRETCHES / r->sentences;
    put_signals(r, f, word, feature, &count);
    put_beside(r, first, n, N, feature, &count);
    put(feature, &count, PAIR, pair, 1);
    put(feature, &count, WORD, form[n], 1);
    put(feature, &count, WORD_GIVEN, hash_mix(form[n], kind.given), 1);
    put(feature, &count, BEFORE_GIVEN, hash_mix(n > 0 ? form[n - 1] : 0, kind.given), 1);
    put(feature, &count, BEHIND_GIVEN, hash_mix(n + 1 < N ? form[n + 1] : 0, kind.given), 1);
    put(feature, &count, STRETCH, stretch, 1);
    put(feature, &count, STRETCH_PAIR, hash_mix(stretch, pair), 1);
    put(feature, &count, LONG_STRETCH_PAIR, hash_mix(long_stretch, pair), 1);
    return count;
}

/*
 * Returns the odds of review.c plus the mean margin while the word was learned, which improves them
 * (docs/MEASUREMENTS.md).
 */
static double odds_of(const struct finding *f)
{
    return (double)f->odds + 2 * (double)f->signal[SIGNAL_MARGIN];
}

static double curve_at(const struct reranking *r, const struct finding *f)
{
    return r->curve.bias - r->curve.slope * odds_of(f);
}

/* Returns the finding about a word as the files give it. */
static const struct finding *as_given(const struct reranking *r, size_t w)
{
    bool restored = r->review->planted[r->layer].restored[w];
    return &(restored ? r->review->trial : r->review->finding)[r->layer][w];
}

/* Fits the curve from odds to the probability of an error to all given labels and to the planted errors. */
static bool fit_curve(struct reranking *r, struct vouch_error *err)
{
    size_t words = r->review->words, errors = 0;
    struct rated *given = new_array(words + 1, sizeof *given, err);
    struct rated *planted = new_array(words + 1, sizeof *planted, err);
    bool ok = given && planted;
    for (size_t w = 0; ok && w < words; w++) {
        given[w] = (struct rated){odds_of(as_given(r, w)), r->sentence_of[w]};
        if (r->review->planted[r->layer].changed[w])
            planted[errors++] = (struct rated){odds_of(&r->review->trial[r->layer][w]), r->sentence_of[w]};
    }
    ok = ok && error_curve_fit(&r->curve, given, words, planted, errors, err);
    for (size_t w = 0; ok && w < words; w++) {
        r->expected += sigmoid(r->curve.bias - r->curve.slope * given[w].odds);
        for (int g = 0; g < CURVE_GROUPS; g++)
            r->without[g] += sigmoid(r->curve.bias_without[g] - r->curve.slope_without[g] * given[w].odds);
    }
    free(given);
    free(planted);
    return ok;
}

/*
 * Whether the word is a row of the regression. Relations are judged as those of the corrected heads: where a head was
 * wrong, nothing is known of the relation to the given one.
 */
static bool is_row(const struct reranking *r, size_t w)
{
    const struct decided *decided = r->review->decided;
    bool moved = r->layer == 1 && r->review->planted[0].restored[w];
    return decided_state(decided, w) != DECIDED_NOT && !moved;
}

static bool gather_rows(struct reranking *r, struct vouch_error *err)
{
    size_t rows = 0, features = 0;
    for (size_t w = 0; w < r->review->words; w++)
        rows += is_row(r, w);
    r->offset = new_array(rows + 1, sizeof *r->offset, err);
    r->wrong = new_array(rows + 1, sizeof *r->wrong, err);
    r->start = new_array(rows + 1, sizeof *r->start, err);
    r->feature = new_array(rows * FEATURES + 1, sizeof *r->feature, err);
    if (!r->offset || !r->wrong || !r->start || !r->feature)
        return false;
    for (size_t w = 0; w < r->review->words; w++) {
        if (!is_row(r, w))
            continue;
        const struct finding *f = as_given(r, w);
        r->offset[r->rows] = curve_at(r, f);
        r->wrong[r->rows++] = r->review->planted[r->layer].restored[w];
        features += describe(r, f, w, r->feature + features);
        r->start[r->rows] = features;
    }
    return true;
}

static void release_rows(struct reranking *r)
{
    free(r->offset);
    free(r->wrong);
    free(r->start);
    free(r->feature);
    refit_release(&r->refit);
    r->rows = 0;
}

/* Sets the odds that it is right, corrected by the weights that were fitted. */
static void rate(const struct reranking *r, struct finding *f, size_t w)
{
    struct refit_feature feature[FEATURES];
    size_t count = describe(r, f, w, feature);
    f->odds = (float)-(curve_at(r, f) + refit_apply(&r->refit, feature, count));
}

static bool rerank_layer(struct reranking *r, struct vouch_error *err)
{
    bool ok = fit_curve(r, err) && gather_rows(r, err);
    struct refit_rows rows = {r->offset, r->wrong, r->start, r->feature, r->rows};
    ok = ok && refit_fit(&r->refit, &rows, err);
    for (size_t w = 0; ok && w < r->review->words; w++) {
        rate(r, &r->review->finding[r->layer][w], w);
        rate(r, &r->review->trial[r->layer][w], w);
    }
    release_rows(r);
    return ok;
}

/*
 * Sets the review's curve. The odds are now those of probabilities. How far these depend on a few sentences is taken
 * from the curves that they began with, as one factor for all of them.
 */
static void settle_curve(const struct reranking *r)
{
    struct error_curve *curve = &r->review->curve;
    *curve = (struct error_curve){.bias = 0, .slope = 1};
    for (int g = 0; g < CURVE_GROUPS; g++) {
        curve->bias_without[g] = r->expected > 0 && r->without[g] > 0 ? log(r->without[g] / r->expected) : 0;
        curve->slope_without[g] = 1;
    }
}

bool review_rerank(struct review *review, const struct held_out *held, struct vouch_error *err)
{
    struct reranking r = {.review = review, .held = held, .dataset = held->dataset, .repeats = &review->repeats};
    if (!review->decided)
        return true;
    r.sentences = held->dev ? r.dataset->layer[0].dev.count : r.dataset->layer[0].examples.count;
    r.sentence_of = new_array(review->words + 1, sizeof *r.sentence_of, err);
    for (uint32_t i = 0; r.sentence_of && i < r.sentences; i++)
        for (size_t w = first_word(&r, i); w < first_word(&r, i + 1); w++)
            r.sentence_of[w] = i;
    bool ok = r.sentence_of != NULL;
    for (r.layer = 0; ok && r.layer < review->layers; r.layer++)
        ok = rerank_layer(&r, err);
    settle_curve(&r);
    free(r.sentence_of);
    return ok;
}
