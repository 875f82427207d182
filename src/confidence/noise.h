/*
 * Noise is the difference between a model and K models drawn around it.
 *
 * Draw k of the weight of part j of feature f is
 *
 *     mean + sd * z(f, j, k),      z ~ N(0, 1)
 *
 * with sd = sqrt(s) (KD-Fix) or sqrt(s * var) (KD-PC). z is a pure function of (seed, key, feature, part, draw), so
 * that draws depend neither on threads nor on the order or the sharding of sentences. It is read from a pool of
 * standard normal numbers, made once of Philox's random numbers, in steps of 1/128: a feature's weights are taken
 * sixteen at a time, and each sixteen reads one run of 16 numbers for each lane at an offset hashed from them.
 *
 * Draws come in antithetic pairs (Hammersley and Morton 1956) unless they are to be independent: draw 2i + 1 has the
 * noise of draw 2i with the other sign. What is odd in the noise cancels in a pair, so that a share of votes varies
 * less between seeds, and a pair's noise is read and added up once.
 *
 * Numbers are fixed-point, 16 bits in steps of 1/128 and cut off at four deviations, so that 63 of them can be added in
 * 16 bits. Sums of integers are exact in any order, which is why all instruction sets give the same bits. Runs are laid
 * out by the stride, K rounded up to 32: K = 50 and K = 64 share their draws, K = 100 has others.
 *
 * Only weights that were learned are drawn: a block whose mean is zero throughout was never touched in training (or
 * hashed to a place that never was), and stays zero in every draw. Features that occur in the held-out
 * part alone are in the index, which is made of the whole corpus: with noise, answers would be noisier in calibration
 * than they are in use, where unknown features have no weights at all.
 *
 * Where scores come from elsewhere instead of features, every score has noise of its own: the group is the feature, so
 * that z is a function of (seed, key, place, draw), and the key tells sentences apart.
 */
#ifndef VOUCH_CONFIDENCE_NOISE_H
#define VOUCH_CONFIDENCE_NOISE_H

#include "core/lanes.h"
#include "core/parts.h"

struct noise; /* the pool: read-only once made, shared by threads */

struct noise *noise_new(uint64_t seed, struct vouch_error *err);
void noise_free(struct noise *noise);

/*
 * Tells features apart by their names, 32 bits hashed from what they are, instead of by their numbers: a tagger numbers
 * its features anew when it is saved, and must draw the same models while it is calibrated and from its file. Takes
 * `name` [count], those of words, then those of edges. Call it before noise is shared.
 */
void noise_name_features(struct noise *noise, uint32_t *name, uint64_t count);

/* What to draw around. */
struct drawing {
    const struct noise *noise;
    uint64_t key; /* tells apart voices and layers that share a pool */
    uint32_t K;   /* draws */
    bool paired;  /* in antithetic pairs; with an odd K the last draw has no partner */
    double s;     /* the variance of KD-Fix; of KD-PC the factor of the variances */
    const struct space *space;
    const float *mean; /* [space + SLACK]; NULL where scores come from elsewhere */
    const float *var;  /* as mean: KD-PC; NULL: KD-Fix */
    const bool *drawn; /* [groups] which of them to draw, with `answer` as in struct lanes; NULL: all */
    const uint32_t *answer;
};

/* Fails if s is not a variance. */
bool drawing_is_sound(const struct drawing *drawing, struct vouch_error *err);

/* Working memory of one thread, for any drawing: what it holds is made anew at every call. */
struct noise_work;
struct noise_work *noise_work_new(struct vouch_error *err);
void noise_work_free(struct noise_work *work);

/*
 * Makes `lanes` hold scores (by the mean, as parts_score() made them) + the noise of every draw: each group when
 * lanes_bring() needs it. The arguments, and what they point at, must stay as they are until the last group was made.
 * Time: features * width * K, sixteen to sixty-four lanes in an instruction.
 */
bool noise_score(const struct drawing *drawing, const struct parts *parts, const struct scores *scores,
                 struct noise_work *work, struct lanes *lanes, struct vouch_error *err);

/* Returns the variance of the noise of part j of a group. Time: the features of the group. */
double noise_variance(const struct drawing *drawing, const struct parts *parts, uint32_t group, uint32_t j);

/* Does the same for the edge from one label to another in a row of edges. */
double noise_edge_variance(const struct drawing *drawing, const struct parts *parts, uint32_t edge, uint32_t left,
                           uint32_t right);

/*
 * Makes `variance`, which has the shape of the scores, hold the variances of the noise of groups from .. to - 1, and of
 * all edges: sums over the features that were learned. Time: the features, times the width where each weight has a
 * variance of its own.
 */
void noise_variances(const struct drawing *drawing, const struct parts *parts, uint32_t from, uint32_t to,
                     struct scores *variance);
void noise_edge_variances(const struct drawing *drawing, const struct parts *parts, struct scores *variance);

/* Returns 128 * z of a part in draw k; edge feature e counts as feature space.nodes + e. */
int noise_at(const struct drawing *drawing, uint64_t feature, uint32_t part, uint32_t k);

#endif
