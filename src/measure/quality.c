/*
 * Measures a confidence as a ranking and as a probability. Every measure is one loop over the levels or over the bins;
 * bootstrap.c finds the intervals.
 */
#include "measure/quality.h"

#include "base/memory.h"
#include "base/order.h"
#include "core/exp_log.h"

#include <math.h>

static uint64_t words_of(const struct level *level)
{
    return level->wrong + level->right;
}

/* Makes a level of all words of one confidence. */
static void join_equal(struct levels *levels, const struct keyed *word, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || word[i - 1].key < word[i].key)
            levels->level[levels->levels++] = (struct level){.confidence = order_number(word[i].key)};
        levels->level[levels->levels - 1].wrong += !word[i].value;
        levels->level[levels->levels - 1].right += word[i].value;
    }
}

bool levels_init(struct levels *levels, const struct judged *word, size_t n, struct vouch_error *err)
{
    *levels = (struct levels){0};
    for (size_t i = 0; i < n; i++)
        if (isnan(word[i].confidence))
            return fail(err, VOUCH_ERR_ARGUMENT, "the confidence of word %zu is not a number", i + 1);
    levels->level = new_array(n, sizeof *levels->level, err);
    struct keyed *sorted = levels->level ? new_array(n, sizeof *sorted, err) : NULL;
    for (size_t i = 0; sorted && i < n; i++) {
        sorted[i] = (struct keyed){order_key(word[i].confidence), word[i].right};
        levels->wrong += !word[i].right;
        levels->right += word[i].right;
    }
    bool ok = sorted && sort_keyed(sorted, n, err);
    if (ok)
        join_equal(levels, sorted, n);
    else
        levels_release(levels);
    free(sorted);
    return ok;
}

void levels_release(struct levels *levels)
{
    free(levels->level);
    *levels = (struct levels){0};
}

size_t level_of(const struct levels *levels, double confidence)
{
    size_t low = 0, high = levels->levels - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (levels->level[middle].confidence < confidence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- Rankings ---- */

/*
 * Ties: let a level have k errors among m words, after t words with e errors at less confident levels. In a random
 * order the j-th word of the level is an error with probability k/m, and then (k-1)/(m-1) of the j-1 words before it
 * are expected to be. The level therefore adds to the sum of precisions
 *
 *     sum_j k/m * (e + 1 + (j-1) b) / (t + j)  =  k/m * (b m + (e + 1 - b (t + 1)) H),
 *     b = (k-1)/(m-1),  H = 1/(t+1) + ... + 1/(t+m)
 *
 * and to the sum of risks, t and e now counting more confident words,
 *
 *     sum_j (e + j k/m) / (t + j)  =  k + (e - t k/m) H
 *
 * and to that of generalised risks, which are shares of all words,
 *
 *     sum_j (e + j k/m)  =  m e + k (m + 1) / 2.
 *
 * The q-th of the k errors is expected at place q (m+1)/(k+1) of the level.
 *
 * Cost: O(words) for H, O(levels) for the rest; no memory. H is summed, not taken as a difference of logarithms, which
 * would lose digits at small levels.
 */
const unsigned ranking_recall[RANKING_RECALLS] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
const unsigned ranking_inspected[RANKING_INSPECTED] = {1, 5, 10};

/* Words and errors among them. */
struct seen {
    uint64_t words, errors;
};

static void see(struct seen *seen, const struct level *level)
{
    seen->words += words_of(level);
    seen->errors += level->wrong;
}

/* Returns H. */
static double harmonic_sum(uint64_t after, uint64_t terms)
{
    double sum = 0;
    for (uint64_t j = 1; j <= terms; j++)
        sum += 1 / (double)(after + j);
    return sum;
}

static double precisions_of(const struct level *level, struct seen before)
{
    double k = (double)level->wrong, m = (double)words_of(level);
    double t = (double)before.words, e = (double)before.errors;
    if (m == 1)
        return (e + 1) / (t + 1);
    double b = (k - 1) / (m - 1);
    return k / m * (b * m + (e + 1 - b * (t + 1)) * harmonic_sum(before.words, words_of(level)));
}

double average_precision(const struct levels *levels)
{
    struct seen before = {0};
    double sum = 0;
    for (size_t i = 0; i < levels->levels; i++) {
        if (levels->level[i].wrong)
            sum += precisions_of(&levels->level[i], before);
        see(&before, &levels->level[i]);
    }
    return levels->wrong ? sum / (double)levels->wrong : NAN;
}

double area_under_roc(const struct levels *levels)
{
    if (!levels->wrong || !levels->right)
        return NAN;
    double pairs = 0, more_confident = (double)levels->right;
    for (size_t i = 0; i < levels->levels; i++) {
        double wrong = (double)levels->level[i].wrong, right = (double)levels->level[i].right;
        more_confident -= right;
        pairs += wrong * (more_confident + right / 2);
    }
    return pairs / (double)levels->wrong / (double)levels->right;
}

double precision_at_recall(const struct levels *levels, unsigned percent)
{
    uint64_t wanted = (levels->wrong * percent + 99) / 100;
    struct seen before = {0};
    for (size_t i = 0; wanted && i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        if (before.errors + level->wrong >= wanted) {
            double spacing = (double)(words_of(level) + 1) / (double)(level->wrong + 1);
            return (double)wanted / ((double)before.words + (double)(wanted - before.errors) * spacing);
        }
        see(&before, level);
    }
    return NAN;
}

double errors_found(const struct levels *levels, double share)
{
    if (!levels->wrong)
        return NAN;
    double left = share * (double)(levels->wrong + levels->right), found = 0;
    for (size_t i = 0; left > 0 && i < levels->levels; i++) {
        double words = (double)words_of(&levels->level[i]), wrong = (double)levels->level[i].wrong;
        found += left < words ? wrong * left / words : wrong;
        left -= words;
    }
    return found / (double)levels->wrong;
}

double area_under_risk_coverage(const struct levels *levels)
{
    struct seen before = {0};
    double sum = 0;
    for (size_t i = levels->levels; i-- > 0;) {
        const struct level *level = &levels->level[i];
        uint64_t words = words_of(level);
        if (words && before.errors + level->wrong) {
            double share = (double)level->wrong / (double)words;
            double rest = (double)before.errors - (double)before.words * share;
            sum += (double)level->wrong + rest * harmonic_sum(before.words, words);
        }
        see(&before, level);
    }
    return before.words ? sum / (double)before.words : NAN;
}

double area_under_generalised_risk(const struct levels *levels)
{
    struct seen before = {0};
    double sum = 0;
    for (size_t i = levels->levels; i-- > 0;) {
        const struct level *level = &levels->level[i];
        double words = (double)words_of(level);
        sum += words * (double)before.errors + (double)level->wrong * (words + 1) / 2;
        see(&before, level);
    }
    return before.words ? sum / (double)before.words / (double)before.words : NAN;
}

void ranking_measure(const struct levels *levels, struct ranking *ranking)
{
    ranking->average_precision = average_precision(levels);
    ranking->area_under_roc = area_under_roc(levels);
    ranking->area_under_risk_coverage = area_under_risk_coverage(levels);
    ranking->area_under_generalised_risk = area_under_generalised_risk(levels);
    for (size_t i = 0; i < RANKING_RECALLS; i++)
        ranking->precision[i] = precision_at_recall(levels, ranking_recall[i]);
    for (size_t i = 0; i < RANKING_INSPECTED; i++)
        ranking->found[i] = errors_found(levels, ranking_inspected[i] / 100.0);
}

/* The state of drawing a curve: the number of points, and the cell in which the next may lie. */
struct drawing {
    struct curve_point *point;
    size_t points, most;
    bool thin;
    double next;
};

static void draw(struct drawing *drawing, struct curve_point point)
{
    double cell = floor(point.x * (double)(drawing->most - 1));
    if (drawing->thin && cell < drawing->next)
        return;
    drawing->point[drawing->points++] = point;
    drawing->next = cell + 1;
}

size_t precision_recall_curve(const struct levels *levels, struct curve_point *point, size_t most)
{
    size_t with_errors = 0;
    for (size_t i = 0; i < levels->levels; i++)
        with_errors += levels->level[i].wrong > 0;
    struct drawing drawing = {.point = point, .most = most, .thin = with_errors > most};
    struct seen seen = {0};
    for (size_t i = 0; i < levels->levels; i++) {
        see(&seen, &levels->level[i]);
        double errors = (double)seen.errors;
        if (levels->level[i].wrong)
            draw(&drawing, (struct curve_point){errors / (double)levels->wrong, errors / (double)seen.words,
                                                levels->level[i].confidence});
    }
    return drawing.points;
}

size_t risk_coverage_curve(const struct levels *levels, struct curve_point *point, size_t most)
{
    struct drawing drawing = {.point = point, .most = most, .thin = levels->levels > most};
    double words = (double)(levels->wrong + levels->right);
    struct seen seen = {0};
    for (size_t i = levels->levels; i-- > 0;) {
        see(&seen, &levels->level[i]);
        if (words_of(&levels->level[i]))
            draw(&drawing, (struct curve_point){(double)seen.words / words, (double)seen.errors / (double)seen.words,
                                                levels->level[i].confidence});
    }
    return drawing.points;
}

/* ---- Probabilities ---- */

static double mean(double sum, const struct levels *levels)
{
    uint64_t words = levels->wrong + levels->right;
    return words ? sum / (double)words : NAN;
}

size_t reliability_bin_of(double confidence)
{
    size_t j = (size_t)(confidence * RELIABILITY_BINS);
    return j < RELIABILITY_BINS ? j : RELIABILITY_BINS - 1;
}

void reliability_bins(const struct levels *levels, struct reliability_bin *bin)
{
    for (size_t j = 0; j < RELIABILITY_BINS; j++)
        bin[j] = (struct reliability_bin){0};
    for (size_t i = 0; i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        size_t j = reliability_bin_of(level->confidence);
        bin[j].words += level->wrong + level->right;
        bin[j].right += level->right;
        bin[j].confidence += (double)words_of(level) * level->confidence;
    }
    for (size_t j = 0; j < RELIABILITY_BINS; j++) {
        double words = (double)bin[j].words;
        bin[j].confidence = words > 0 ? bin[j].confidence / words : NAN;
        bin[j].accuracy = words > 0 ? (double)bin[j].right / words : NAN;
    }
}

double bins_rmse(const struct reliability_bin *bin, enum rmse_of of)
{
    double squares = 0, words = 0;
    for (size_t j = 0; j < RELIABILITY_BINS; j++) {
        if (!bin[j].words)
            continue;
        double off =
            (2 * (double)j + 1) / (2 * RELIABILITY_BINS) - (of == OF_ACCURACY ? bin[j].accuracy : bin[j].confidence);
        squares += (double)bin[j].words * off * off;
        words += (double)bin[j].words;
    }
    return words > 0 ? sqrt(squares / words) : NAN;
}

double bins_ece(const struct reliability_bin *bin)
{
    double sum = 0, words = 0;
    for (size_t j = 0; j < RELIABILITY_BINS; j++) {
        if (!bin[j].words)
            continue;
        sum += (double)bin[j].words * fabs(bin[j].accuracy - bin[j].confidence);
        words += (double)bin[j].words;
    }
    return words > 0 ? sum / words : NAN;
}

/* Words are counted in parts of 1/20, so that bins are filled exactly: n words are 20 n parts, n for each bin. */
double ece_equal_mass(const struct levels *levels)
{
    uint64_t size = levels->wrong + levels->right, room = size;
    double sum = 0, excess = 0; /* of the bin: sum over its parts of right - confidence */
    for (size_t i = 0; i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        uint64_t words = level->wrong + level->right, left = words * RELIABILITY_BINS;
        double off = words ? (double)level->right / (double)words - level->confidence : 0;
        while (left > 0) {
            uint64_t part = left < room ? left : room;
            excess += (double)part * off;
            left -= part;
            room -= part;
            if (room == 0) {
                sum += fabs(excess);
                excess = 0;
                room = size;
            }
        }
    }
    return size ? sum / ((double)size * RELIABILITY_BINS) : NAN;
}

double brier_score(const struct levels *levels)
{
    double sum = 0;
    for (size_t i = 0; i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        double p = level->confidence;
        sum += (double)level->wrong * p * p + (double)level->right * (1 - p) * (1 - p);
    }
    return mean(sum, levels);
}

/* Returns the mean of log_loss() (core/exp_log.h). */
static double mean_log_loss(const struct levels *levels)
{
    double sum = 0;
    for (size_t i = 0; i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        if (level->wrong)
            sum += (double)level->wrong * log_loss(level->confidence, false);
        if (level->right)
            sum += (double)level->right * log_loss(level->confidence, true);
    }
    return mean(sum, levels);
}

void reliability_measure(const struct levels *levels, struct reliability *reliability)
{
    reliability_bins(levels, reliability->bin);
    reliability->rmse = bins_rmse(reliability->bin, OF_ACCURACY);
    reliability->rmse_floor = bins_rmse(reliability->bin, OF_CONFIDENCE);
    reliability->ece = bins_ece(reliability->bin);
    reliability->ece_equal_mass = ece_equal_mass(levels);
    reliability->brier = brier_score(levels);
    reliability->log_loss = mean_log_loss(levels);
    double mass = 0;
    for (size_t i = 0; i < levels->levels; i++)
        mass += (double)words_of(&levels->level[i]) * levels->level[i].confidence;
    reliability->confidence = mean(mass, levels);
    reliability->accuracy = mean((double)levels->right, levels);
}

/* ---- Both ---- */

bool check_probabilities(const struct levels *levels, struct vouch_error *err)
{
    if (levels->levels == 0)
        return true;
    double least = levels->level[0].confidence, most = levels->level[levels->levels - 1].confidence;
    if (least < 0 || most > 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "a confidence of %g is not a probability", least < 0 ? least : most);
    return true;
}

bool quality_measure(const struct judged *word, size_t n, bool probabilities, struct quality *quality,
                     struct vouch_error *err)
{
    const struct levels nothing = {0};
    struct levels levels;
    if (!levels_init(&levels, word, n, err))
        return false;
    bool good = !probabilities || check_probabilities(&levels, err);
    if (good) {
        quality->words = n;
        quality->errors = levels.wrong;
        ranking_measure(&levels, &quality->ranking);
        reliability_measure(probabilities ? &levels : &nothing, &quality->reliability);
    }
    levels_release(&levels);
    return good;
}
