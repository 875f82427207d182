/* A corpus of random sentences to learn from: two features a word, of which most are in few sentences, or in none. */
#ifndef VOUCH_TESTS_RANDOM_CORPUS_H
#define VOUCH_TESTS_RANDOM_CORPUS_H

#include "base/random.h"
#include "chain/chain.h"
#include "core/examples.h"

#include "must.h"

enum { WIDTH = 3, NODES = 200, LONGEST = 6, COUNT = 40 };

static struct random_corpus {
    uint32_t N[COUNT], start[LONGEST + 1], feature[COUNT][2 * LONGEST], gold[COUNT][LONGEST];
    uint32_t broken; /* get() of this sentence fails */
} corpus = {.broken = COUNT};

static inline bool corpus_get(const void *self, uint32_t i, struct scratch *scratch, struct example *example,
                              struct vouch_error *error)
{
    static const uint32_t one[] = {0, 1}, edge[] = {0};
    const struct random_corpus *c = self;
    (void)scratch;
    if (i == c->broken) {
        error->status = VOUCH_ERR_IO;
        snprintf(error->message, sizeof error->message, "sentence %u is broken", i);
        return false;
    }
    *example = (struct example){.parts = {.N = c->N[i],
                                          .node = {.count = c->N[i], .start = c->start, .feature = c->feature[i]},
                                          .edge = {.count = 1, .start = one, .feature = edge}},
                                .gold = c->gold[i]};
    return true;
}

static const struct examples examples = {.structure = &chain_structure,
                                         .space = {.width = WIDTH, .nodes = NODES, .edges = 1},
                                         .count = COUNT,
                                         .self = &corpus,
                                         .get = corpus_get};

FIXTURE(draw_corpus)
{
    struct rng rng = rng_new(7, 1);
    for (uint32_t n = 0; n <= LONGEST; n++)
        corpus.start[n] = 2 * n;
    for (uint32_t i = 0; i < COUNT; i++) {
        corpus.N[i] = 1 + rng_below(&rng, LONGEST);
        for (uint32_t n = 0; n < corpus.N[i]; n++) {
            corpus.feature[i][2 * n] = rng_below(&rng, 10);
            corpus.feature[i][2 * n + 1] = 10 + rng_below(&rng, NODES - 20); /* the last ten are never seen */
            corpus.gold[i][n] = (corpus.feature[i][2 * n] + rng_below(&rng, 2)) % WIDTH;
        }
    }
    return 0;
}

#endif
