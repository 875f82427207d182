/*
 * Measures what decoding a tree costs, against the length of the sentence: the
 * best tree, the K best, marginals, and margins, beside N plain decodes. Scores
 * are random but like those of a trained model: one head of every word stands
 * out.
 *
 *     cmake --build --preset release --target bench_trees && build/release/bench_trees
 */
#include "base/random.h"
#include "tree/tree.h"

#include <stdio.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum { SENTENCES = 16, K_FEW = 5, K_MANY = 50 };

struct bench {
    struct scores scores[SENTENCES], marginal;
    struct scratch scratch;
    uint32_t N;
    uint32_t *choice; /* [K_MANY][N] */
    double *score;    /* [max(K_MANY, N)] */
};

/* Fills in scores like those of a trained model: noise, and a head that stands out; these heads are seldom a tree. */
static bool fill(struct scores *s, uint32_t N, struct rng *rng, struct vouch_error *err)
{
    if (!scores_shape(s, N, N * (N + 1), 1, 0, err))
        return false;
    for (size_t i = 0; i < (size_t)N * (N + 1); i++)
        s->node[i] = (float)(4 * rng_uniform(rng));
    for (uint32_t m = 0; m < N; m++) {
        uint32_t reach = 1 + rng_below(rng, 4), head = m >= reach ? m - reach + 1 : rng_below(rng, N + 1);
        s->node[tree_group(N, m, head == m + 1 ? 0 : head)] += 3;
    }
    return true;
}

static bool best(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    return tree_best(s, &b->scratch, b->choice, b->score, err);
}

static bool few(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    uint32_t found;
    return tree_kbest(s, K_FEW, &b->scratch, b->choice, b->score, &found, err);
}

static bool many(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    uint32_t found;
    return tree_kbest(s, K_MANY, &b->scratch, b->choice, b->score, &found, err);
}

static bool marginals(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    double log_z;
    return tree_marginals(s, 1, &b->scratch, &b->marginal, &log_z, err);
}

static bool margins(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    return best(b, s, err) && tree_without(s, b->choice, &b->scratch, b->score, err);
}

static bool decodes(struct bench *b, const struct scores *s, struct vouch_error *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->N; i++)
        ok = best(b, s, err);
    return ok;
}

/* Returns microseconds for each sentence: the best of a few rounds of at least 20 ms each. */
static double measure(struct bench *b, bool (*run)(struct bench *, const struct scores *, struct vouch_error *))
{
    struct vouch_error err;
    double least = 0;
    for (int round = 0; round < 3; round++) {
        double started = seconds(), spent = 0;
        uint64_t done = 0;
        for (; spent < 0.02; spent = seconds() - started)
            for (uint32_t i = 0; i < SENTENCES; i++, done++)
                if (!run(b, &b->scores[i], &err)) {
                    fprintf(stderr, "bench_trees: %s\n", err.message);
                    exit(1);
                }
        double each = spent / (double)done * 1e6;
        least = round == 0 || each < least ? each : least;
    }
    return least;
}

int main(void)
{
    static const uint32_t lengths[] = {10, 20, 40, 80, 160};
    struct vouch_error err = {0};
    struct bench b = {0};
    b.choice = new_array(K_MANY * 160, sizeof *b.choice, &err);
    b.score = new_array(256, sizeof *b.score, &err);
    if (!b.choice || !b.score)
        return 1;
    printf("microseconds a sentence\n%6s %9s %9s %9s %10s %9s %11s\n", "words", "best", "5 best", "50 best",
           "marginals", "margins", "N decodes");
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        struct rng rng = rng_new(1, l);
        b.N = lengths[l];
        for (uint32_t i = 0; i < SENTENCES; i++)
            if (!fill(&b.scores[i], b.N, &rng, &err))
                return 1;
        printf("%6u %9.2f %9.1f %9.1f %10.1f %9.1f %11.1f\n", b.N, measure(&b, best), measure(&b, few),
               measure(&b, many), measure(&b, marginals), measure(&b, margins), measure(&b, decodes));
    }
    for (uint32_t i = 0; i < SENTENCES; i++)
        scores_release(&b.scores[i]);
    scores_release(&b.marginal);
    scratch_release(&b.scratch);
    free(b.choice);
    free(b.score);
    return 0;
}
