/*
 * Measures rankings: see ranking.h.
 *
 * Ties: let a level have k errors among m words, after t words with e errors at
 * less confident levels. In a random order the j-th word of the level is an
 * error with probability k/m, and then (k-1)/(m-1) of the j-1 words before it
 * are expected to be. The level therefore adds to the sum of precisions
 *
 *     sum_j k/m * (e + 1 + (j-1) b) / (t + j)  =  k/m * (b m + (e + 1 - b (t + 1)) H),
 *     b = (k-1)/(m-1),  H = 1/(t+1) + ... + 1/(t+m)
 *
 * and to the sum of risks, t and e now counting more confident words,
 *
 *     sum_j (e + j k/m) / (t + j)  =  k + (e - t k/m) H.
 *
 * The q-th of the k errors is expected at place q (m+1)/(k+1) of the level.
 *
 * Cost: O(words) for H, O(levels) for the rest; no memory. H is summed, not
 * taken as a difference of logarithms, which would lose digits at small levels.
 */
#include "measure/ranking.h"

#include <math.h>

const unsigned ranking_recall[RANKING_RECALLS] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
const unsigned ranking_inspected[RANKING_INSPECTED] = {1, 5, 10};

/* Words and errors among them. */
struct seen {
    uint64_t words, errors;
};

static uint64_t words_of(const struct level *level)
{
    return level->wrong + level->right;
}

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

void ranking_measure(const struct levels *levels, struct ranking *ranking)
{
    ranking->average_precision = average_precision(levels);
    ranking->area_under_roc = area_under_roc(levels);
    ranking->area_under_risk_coverage = area_under_risk_coverage(levels);
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
