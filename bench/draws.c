/*
 * Measures what drawing K models costs, beside one plain prediction and beside
 * K of them.
 *
 *     plain   parts_score() and the best answer
 *     noise   plain, then noise_score(): of independent draws, and of antithetic pairs, which all that follows has
 *     draws   the same, then the structure's draws()
 *     naive   K drawn weight vectors in memory: scored and decoded one by one; "-" where they would take too much
 *
 * Sentences are random: 25 words of 20 or 40 features out of 200,000 for
 * chains; arcs of 60 features out of 2^20 for trees. One feature of every word
 * or arc favours one answer, so that draws agree as those of a trained model
 * do: with the prediction, on the share of words that is given. Numbers are
 * microseconds for each word.
 *
 *     cmake --build --preset release --target bench_draws && build/release/bench_draws [NAME]
 */
#include "base/random.h"
#include "chain/chain.h"
#include "confidence/noise.h"
#include "tree/tree.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

enum { SENTENCES = 16, STRONG = 6, MOST_DRAWN_BYTES = 1 << 29 };

struct bench {
    const struct structure *structure;
    struct space space;
    struct parts parts[SENTENCES];
    struct drawing drawing;
    float *mean, *var;
    float *drawn; /* [K][size] or NULL */
    struct scores scores;
    struct lanes lanes;
    struct noise_work *work;
    struct scratch scratch;
    uint32_t *choice; /* [K][N] */
};

static void must(bool done, const struct vouch_error *err)
{
    if (done)
        return;
    fprintf(stderr, "bench_draws: %s\n", err->message);
    exit(1);
}

static void *make(size_t count, size_t size)
{
    struct vouch_error err = {0};
    void *array = new_large_array(count, size, &err);
    must(array != NULL, &err);
    return array;
}

static struct parts random_parts(const struct space *space, uint32_t N, uint32_t G, uint32_t features, struct rng *rng)
{
    uint32_t *start = make(G + 1, sizeof *start), *feature = make((size_t)G * features, sizeof *feature);
    uint32_t *edge_start = make(2, sizeof *edge_start), *edge = make(1, sizeof *edge);
    for (uint32_t g = 0; g <= G; g++)
        start[g] = g * features;
    for (uint32_t i = 0; i < G * features; i++) {
        double u = rng_uniform(rng); /* some are frequent, most are rare */
        feature[i] = (uint32_t)(u * u * u * space->nodes);
    }
    for (uint32_t g = 0; g < G; g++) /* features 0 .. width - 1 each favour a part, feature `width` none */
        feature[start[g]] = rng_below(rng, space->width);
    if (G > N)
        for (uint32_t m = 0; m < N; m++) {
            uint32_t head = rng_below(rng, m + 1);
            for (uint32_t h = 0; h <= N; h++)
                feature[start[tree_group(N, m, h)]] = h == head ? 0 : 1;
        }
    edge_start[1] = 1;
    return (struct parts){.N = N, .node = {G, start, feature, NULL}, .edge = {space->edges, edge_start, edge, NULL}};
}

static void free_parts(struct parts *parts)
{
    free((void *)(uintptr_t)parts->node.start);
    free((void *)(uintptr_t)parts->node.feature);
    free((void *)(uintptr_t)parts->edge.start);
    free((void *)(uintptr_t)parts->edge.feature);
}

static void plain(struct bench *b, const struct parts *parts)
{
    struct vouch_error err = {0};
    double score;
    must(parts_score(parts, &b->space, b->mean, &b->scores, &err), &err);
    must(b->structure->best(&b->scores, &b->scratch, b->choice, &score, &err), &err);
}

static void noisy(struct bench *b, const struct parts *parts)
{
    struct vouch_error err = {0};
    plain(b, parts);
    must(noise_score(&b->drawing, parts, &b->scores, b->work, &b->lanes, &err), &err);
    must(lanes_bring(&b->lanes, 0, parts->node.count, &err), &err);
}

static void draws(struct bench *b, const struct parts *parts)
{
    struct vouch_error err = {0};
    noisy(b, parts);
    must(b->structure->draws(&b->lanes, &b->scratch, b->choice, &err), &err);
}

static void naive(struct bench *b, const struct parts *parts)
{
    struct vouch_error err = {0};
    double score;
    for (uint32_t k = 0; k < b->drawing.K; k++) {
        must(parts_score(parts, &b->space, b->drawn + k * (space_size(&b->space) + SLACK), &b->scores, &err), &err);
        must(b->structure->best(&b->scores, &b->scratch, b->choice, &score, &err), &err);
    }
}

/* Returns the share of words on which draws agree with the prediction. */
static double agreement(struct bench *b)
{
    uint64_t same = 0, words = 0;
    for (uint32_t i = 0; i < SENTENCES; i++) {
        uint32_t N = b->parts[i].N, *best = make(N, sizeof *best);
        plain(b, &b->parts[i]);
        memcpy(best, b->choice, N * sizeof *best);
        draws(b, &b->parts[i]);
        for (uint32_t k = 0; k < b->drawing.K; k++)
            for (uint32_t t = 0; t < N; t++, words++)
                same += b->choice[(size_t)k * N + t] == best[t];
        free(best);
    }
    return (double)same / (double)words;
}

/* Returns microseconds for each word: the best of a few rounds of at least 30 ms each. */
static double measure(struct bench *b, void (*run)(struct bench *, const struct parts *))
{
    double least = 0;
    for (int round = 0; round < 3; round++) {
        double started = seconds(), spent = 0;
        uint64_t words = 0;
        for (; spent < 0.03; spent = seconds() - started)
            for (uint32_t i = 0; i < SENTENCES; i++) {
                run(b, &b->parts[i]);
                words += b->parts[i].N;
            }
        double each = spent / (double)words * 1e6;
        least = round == 0 || each < least ? each : least;
    }
    return least;
}

/* Draws K weight vectors around the mean; uniform noise is good enough to be scored. */
static void draw_vectors(struct bench *b)
{
    size_t size = space_size(&b->space) + SLACK;
    b->drawn = NULL;
    if (size * b->drawing.K > MOST_DRAWN_BYTES / sizeof(float))
        return;
    struct rng rng = rng_new(3, 3);
    b->drawn = make(size * b->drawing.K, sizeof *b->drawn);
    for (size_t i = 0; i < size * b->drawing.K; i++)
        b->drawn[i] = b->mean[i % size] + (float)(rng_next(&rng) % 256) / 1024;
}

static void report(struct bench *b, const char *what, uint32_t K)
{
    b->drawing.K = K;
    b->drawing.var = NULL;
    draw_vectors(b);
    struct vouch_error err = {0};
    b->work = noise_work_new(&err);
    must(b->work != NULL, &err);
    double one = measure(b, plain);
    b->drawing.paired = false;
    double apart = measure(b, noisy);
    b->drawing.paired = true;
    double scored = measure(b, noisy), all = measure(b, draws), agreed = agreement(b);
    noise_work_free(b->work);
    b->work = noise_work_new(&err);
    must(b->work != NULL, &err);
    b->drawing.var = b->var;
    double pc = measure(b, draws);
    noise_work_free(b->work);
    printf("%-18s %4u %6.3f %8.3f %8.3f %8.3f %6.2f %8.3f %8.3f %7.2f %8.3f %7.2f", what, K, agreed, one, apart - one,
           scored - one, (scored - one) / (apart - one), all - scored, all, all / one, pc, pc / one);
    if (b->drawn) {
        double each = measure(b, naive);
        printf(" %8.2f %7.1f\n", each, each / one);
    } else
        printf(" %8s %7s\n", "-", "-");
    free(b->drawn);
}

/* If set, only benchmarks whose name contains this are run. */
static const char *wanted;

static void bench(const struct structure *structure, const struct space *space, uint32_t N, uint32_t features,
                  const struct noise *noise, const char *what)
{
    if (wanted && !strstr(what, wanted))
        return;
    static const uint32_t counts[] = {10, 50, 200};
    struct bench b = {.structure = structure, .space = *space};
    struct rng rng = rng_new(1, N);
    size_t size = space_size(space) + SLACK;
    b.mean = make(size, sizeof *b.mean);
    b.var = make(size, sizeof *b.var);
    for (size_t i = 0; i < size; i++) {
        b.mean[i] = (float)(rng_uniform(&rng) - 0.5);
        b.var[i] = (float)rng_uniform(&rng);
    }
    for (uint32_t f = 0; f <= space->width; f++)
        for (uint32_t j = 0; j < space->width; j++)
            b.mean[f * space->width + j] = f == j ? STRONG : 0;
    for (uint32_t i = 0; i < SENTENCES; i++)
        b.parts[i] = random_parts(space, N, structure == &tree_structure ? N * (N + 1) : N, features, &rng);
    b.choice = make((size_t)200 * N, sizeof *b.choice);
    b.drawing = (struct drawing){.noise = noise, .s = 0.01, .space = &b.space, .mean = b.mean};
    for (int c = 0; c < 3; c++)
        report(&b, what, counts[c]);
    for (uint32_t i = 0; i < SENTENCES; i++)
        free_parts(&b.parts[i]);
    scores_release(&b.scores);
    lanes_release(&b.lanes);
    scratch_release(&b.scratch);
    free(b.choice);
    free(b.mean);
    free(b.var);
}

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : NULL;
    struct vouch_error err = {0};
    double started = seconds();
    struct noise *noise = noise_new(1, &err);
    must(noise != NULL, &err);
    printf("the pool takes %.1f ms\nmicroseconds a word\n", (seconds() - started) * 1e3);
    printf("%-18s %4s %6s %8s %8s %8s %6s %8s %8s %7s %8s %7s %8s %7s\n", "", "K", "agree", "plain", "+noise", "+pairs",
           "ratio", "+decode", "kd-fix", "ratio", "kd-pc", "ratio", "naive", "ratio");
    static const struct {
        uint32_t Y, features;
        const char *name;
    } chains[] = {{3, 20, "chain, Y=3, F=20"},
                  {3, 40, "chain, Y=3, F=40"},
                  {9, 40, "chain, Y=9, F=40"},
                  {45, 40, "chain, Y=45, F=40"}};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        bench(&chain_structure, &(struct space){chains[i].Y, 200000, 1}, 25, chains[i].features, noise, chains[i].name);
    bench(&chain_structure, &(struct space){40, 200000, 0}, 25, 40, noise, "no edges, Y=40");
    bench(&tree_structure, &(struct space){1, 1 << 20, 0}, 10, 60, noise, "tree, N=10");
    bench(&tree_structure, &(struct space){1, 1 << 20, 0}, 20, 60, noise, "tree, N=20");
    bench(&tree_structure, &(struct space){1, 1 << 20, 0}, 40, 60, noise, "tree, N=40");
    noise_free(noise);
    return 0;
}
