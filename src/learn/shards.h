/*
 * Learns in shards: the examples are cut into S parts, which learn side by side and are mixed after every pass. S is
 * part of the algorithm; who computes a shard, and when, is not.
 */
#ifndef VOUCH_LEARN_SHARDS_H
#define VOUCH_LEARN_SHARDS_H

#include "learn/learn.h"

/*
 * Does what train_on() does, for options->shards > 1. Example i belongs to shard i mod S whatever the subset, of which
 * some shards may therefore have few examples, or none.
 */
bool train_shards(const struct examples *examples, struct subset subset, const struct training_options *options,
                  struct voice *voice, bool *stopped, struct vouch_error *err);

#endif
