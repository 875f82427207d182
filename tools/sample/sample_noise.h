/*
 * Adds noise to the synthetic corpus. Private to sample*.c.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_NOISE_H
#define VOUCH_SAMPLE_SAMPLE_NOISE_H

#include "sample/sample.h"

#define SAMPLE_SALT UINT64_C(0x73616D706C650001) /* keeps these streams apart from others of the same seed */

/*
 * Replaces a share options->noise of the labels or heads by something wrong but legal, and marks the words. Sentence
 * `number` draws from stream 2 number + 1.
 */
void add_noise(const struct sample_options *options, uint64_t number, struct sample_sentence *s);

#endif
