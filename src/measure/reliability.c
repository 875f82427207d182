/* Measures reliability: see reliability.h. Every measure is one walk over the levels or over the bins. */
#include "measure/reliability.h"

#include "core/log_loss.h"

#include <math.h>

static double mean(double sum, const struct levels *levels)
{
    uint64_t words = levels->wrong + levels->right;
    return words ? sum / (double)words : NAN;
}

/* Returns the sum of the confidences of a level's words. */
static double mass_of(const struct level *level)
{
    return (double)(level->wrong + level->right) * level->confidence;
}

void reliability_bins(const struct levels *levels, struct reliability_bin *bin)
{
    for (size_t j = 0; j < RELIABILITY_BINS; j++)
        bin[j] = (struct reliability_bin){0};
    for (size_t i = 0; i < levels->levels; i++) {
        const struct level *level = &levels->level[i];
        size_t j = (size_t)(level->confidence * RELIABILITY_BINS);
        if (j >= RELIABILITY_BINS)
            j = RELIABILITY_BINS - 1;
        bin[j].words += level->wrong + level->right;
        bin[j].right += level->right;
        bin[j].confidence += mass_of(level);
    }
    for (size_t j = 0; j < RELIABILITY_BINS; j++) {
        double words = (double)bin[j].words;
        bin[j].confidence = words > 0 ? bin[j].confidence / words : NAN;
        bin[j].accuracy = words > 0 ? (double)bin[j].right / words : NAN;
    }
}

static double centre(size_t j)
{
    return (2 * (double)j + 1) / (2 * RELIABILITY_BINS);
}

/* Returns sqrt(sum_j n_j (b_j - c_j)^2 / sum_j n_j), c being the accuracy or the mean confidence. */
static double rmse_from_centres(const struct reliability_bin *bin, bool accuracy)
{
    double squares = 0, words = 0;
    for (size_t j = 0; j < RELIABILITY_BINS; j++) {
        if (!bin[j].words)
            continue;
        double off = centre(j) - (accuracy ? bin[j].accuracy : bin[j].confidence);
        squares += (double)bin[j].words * off * off;
        words += (double)bin[j].words;
    }
    return words > 0 ? sqrt(squares / words) : NAN;
}

double bins_rmse(const struct reliability_bin *bin)
{
    return rmse_from_centres(bin, true);
}

double bins_rmse_floor(const struct reliability_bin *bin)
{
    return rmse_from_centres(bin, false);
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

double mean_log_loss(const struct levels *levels)
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
    reliability->rmse = bins_rmse(reliability->bin);
    reliability->rmse_floor = bins_rmse_floor(reliability->bin);
    reliability->ece = bins_ece(reliability->bin);
    reliability->ece_equal_mass = ece_equal_mass(levels);
    reliability->brier = brier_score(levels);
    reliability->log_loss = mean_log_loss(levels);
    double mass = 0;
    for (size_t i = 0; i < levels->levels; i++)
        mass += mass_of(&levels->level[i]);
    reliability->confidence = mean(mass, levels);
    reliability->accuracy = mean((double)levels->right, levels);
}
