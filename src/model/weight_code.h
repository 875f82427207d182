/*
 * The weights of a voice are rounded when learning ends, and take a few bits each in a file.
 *
 * Weights are multiples of a step, which all weights of a voice share: errors of single weights add up in the scores,
 * where small and large weights count alike, so the error should be the same for all. With n(b) the norm of block b of
 * `width` weights,
 *
 *     step = the power of two nearest to u / 32,   u^2 = mean of n(b)^2 over the blocks that are not zero
 *
 * but at least 2^(t - 20), where 2^t is the smallest power of two above all weights.
 *
 * Rounding is done when learning ends, in model_voice_keep(), through which held-out models go as well: what is
 * calibrated, measured and written is the same. Halves (11 bits each) would be more exact for small weights, which do
 * not need it, and five times as long; dropping weights below several steps costs more accuracy than a coarser step.
 *
 * A score of a hundred weights is then off by about a twelfth of one of them; answers and confidence do not suffer
 * (docs/MEASUREMENTS.md). Weights that are multiples of some power of two already, at most 2^24 times as large, stay as
 * they are, so that rounding twice is rounding once.
 *
 * Variances are powers 2^(-p/16) for integers p, within 2.2 % of what they were. What is written of one is q = p - p0,
 * where p0 is that of the largest, from which all started. If some are left out of a file, p0 may be another one, but
 * the others are what they were to the last bit, since each is the float nearest to a power that only p tells.
 *
 * In a file the integers are a stream of bits (base/bits.h): exponential Golomb codes come within a sixth of the
 * entropy without a table to build, store and check. Of every 32 weights in turn it holds one bit, 1 if any of the
 * integers is not 0; then the 32 bits that tell which; then these, one after the other: q as the code of 2 (|q| - 1),
 * plus 1 if it is negative, for weights, and of q - 1 for variances. Unfolding is one pass: some four nanoseconds for
 * each weight that is not zero.
 */
#ifndef VOUCH_MODEL_WEIGHT_CODE_H
#define VOUCH_MODEL_WEIGHT_CODE_H

#include "base/bits.h"

enum weight_kind { WEIGHT_MEAN, WEIGHT_VARIANCE };

/* The weights of one voice, or their variances: finite numbers, variances not negative. */
struct weight_array {
    enum weight_kind kind;
    size_t size;
    uint32_t width; /* of a block */
};

/* Rounds all numbers in place. Returns the step that weights are multiples of. */
float weights_round(const struct weight_array *array, float *weight);

/* Appends numbers that weights_round() made to a stream, exactly; others are rounded. */
bool weights_fold(const struct weight_array *array, const float *weight, struct bit_writer *writer,
                  struct vouch_error *err);

/*
 * Returns the numbers in a stream of `length` bytes, followed by `slack` zeros, on large pages; free() them. Weights
 * are multiples of *step. NULL if there is no memory, with the error set, or if the stream is damaged, without.
 */
float *weights_unfold(const struct weight_array *array, const void *bytes, uint64_t length, size_t slack, float *step,
                      struct vouch_error *err);

/*
 * Finds what multiples of the step the weights are, in steps [size]. False if some have more than 16 bits, or if the
 * step is not a power of two from 2^-100 to 2^100: sums of 512 weights would not be exact.
 */
bool weights_count_steps(const float *weight, size_t size, float step, int16_t *steps);

#endif
