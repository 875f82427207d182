/*
 * Tests simulated losses: rows against taking features one by one, whether they are there or made when asked for; and
 * what is common, counted by one thread and by several.
 */
#include "train/losses.h"

#include "base/hash.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

enum { SENTENCES = 40, WORDS = 7, EACH = 8, ROWS = WORDS * EACH, MOST = 12, FEATURES = 300, COMMON = 50, STRIDE = 4 };

/* The rows of a sentence. */
struct bank {
    uint32_t start[ROWS + 1], feature[ROWS * MOST], name[WORDS * STRIDE];
    float value[ROWS * MOST];
};

static struct banks {
    struct bank bank[SENTENCES];
    bool made, valued;
} banks;

static void fill(uint64_t seed)
{
    struct rng rng = rng_new(seed, 0);
    for (uint32_t i = 0; i < SENTENCES; i++) {
        struct bank *b = &banks.bank[i];
        uint32_t count = 0;
        for (uint32_t g = 0; g < ROWS; g++) {
            b->start[g] = count;
            for (uint32_t k = rng_below(&rng, MOST + 1); k > 0; k--) {
                b->value[count] = (float)rng_uniform(&rng);
                b->feature[count++] = k == 1 ? rng_below(&rng, 3) : rng_below(&rng, FEATURES); /* three are common */
            }
        }
        b->start[ROWS] = count;
        for (uint32_t n = 0; n < WORDS * STRIDE; n++)
            b->name[n] = rng_below(&rng, 5);
    }
}

/* Makes rows, at most three at a time. */
static void make(void *maker, uint32_t from, uint32_t to, struct rows *rows)
{
    struct bank *b = maker;
    rows->count = to - from < 3 ? to - from : 3;
    rows->start = b->start + from;
    rows->feature = b->feature;
}

/* Would be asked by an opened parser. */
static void sum(void *maker, const struct weight_steps *weights, float *score)
{
    (void)maker;
    (void)weights;
    (void)score;
    fail_msg("the scores of all features were asked for");
}

static bool get(const void *self, uint32_t i, struct scratch *scratch, struct example *example, struct vouch_error *e)
{
    struct bank *b = &banks.bank[i];
    (void)self;
    (void)scratch;
    (void)e;
    *example = (struct example){.parts = {.N = WORDS, .node = {.count = ROWS}, .names = {b->name, STRIDE, true}}};
    if (banks.made) {
        example->parts.make = make;
        example->parts.sum = sum;
        example->parts.maker = b;
    } else {
        example->parts.node = (struct rows){ROWS, b->start, b->feature, banks.valued ? b->value : NULL};
    }
    return true;
}

static bool is_lost(uint64_t seed, double share, uint64_t kind, uint64_t a, uint64_t b)
{
    return (double)(hash_mix(hash_mix(hash_mix(seed, kind), a), b) >> 11) * 0x1p-53 < share;
}

static void check_sentence(const struct losses *t, const struct loss *loss, uint32_t i, const struct parts *lossy)
{
    const struct bank *b = &banks.bank[i];
    uint32_t at = 0;
    assert_true(!lossy->make && !lossy->sum && lossy->node.count == ROWS);
    for (uint32_t g = 0; g < ROWS; g++) {
        uint32_t n = g / EACH, as = n;
        if (is_lost(t->seed, loss->mistaken, 2, i, n))
            as = (uint32_t)(hash_mix(hash_mix(t->seed, i), n) % WORDS);
        assert_int_equal(lossy->node.start[g], at);
        for (uint32_t k = b->start[as * EACH + g % EACH]; k < b->start[as * EACH + g % EACH + 1]; k++) {
            uint32_t what = t->name ? t->name[b->feature[k]] : b->feature[k];
            if ((uint64_t)t->seen[b->feature[k]] * COMMON <= t->rows && is_lost(t->seed, loss->forgotten, 0, what, 0))
                continue;
            assert_int_equal(lossy->node.feature[at], b->feature[k]);
            if (banks.valued)
                assert_true(lossy->node.value[at] == b->value[k]);
            at++;
        }
    }
    assert_int_equal(lossy->node.start[ROWS], at);
    assert_true(banks.valued == (lossy->node.value != NULL));
}

TEST(rows_lose_what_is_lost)
{
    static const struct loss loss[] = {{0, 0, NULL}, {0.3, 0, NULL}, {1, 0, NULL}, {0, 0.5, NULL}, {0.6, 0.4, NULL}};
    uint32_t sentence[SENTENCES];
    for (uint32_t i = 0; i < SENTENCES; i++)
        sentence[i] = i;
    struct held_part part = {.sentence = sentence, .count = SENTENCES};
    struct examples examples = {.space = {.width = 1, .nodes = FEATURES}, .get = get};
    struct losses losses = {.seed = 5};
    struct lossy lossy = {0};
    struct scratch scratch = {0};
    for (uint32_t kind = 0; kind < 4; kind++) {
        banks.made = kind == 1;
        banks.valued = kind == 2;
        fill(kind);
        if (kind == 3) { /* features are told by their names */
            MUST(losses.name = new_array(FEATURES, sizeof *losses.name, &err));
            for (uint32_t f = 0; f < FEATURES; f++)
                losses.name[f] = (uint32_t)hash_mix(77, f);
        }
        MUST(losses_survey(&losses, &part, &examples, 1, 1 + kind, &err));
        for (uint32_t i = 0; i < SENTENCES; i++)
            for (size_t l = 0; l < sizeof loss / sizeof *loss; l++) {
                struct example example;
                MUST(get(NULL, i, &scratch, &example, &err));
                assert_true(losses_apply_to(&example.parts));
                MUST(losses_take(&losses, &loss[l], i, &lossy, &example.parts, &err));
                check_sentence(&losses, &loss[l], i, &example.parts);
            }
    }
    lossy_release(&lossy);
    losses_release(&losses);
}

TEST(threads_count_the_same)
{
    uint32_t sentence[SENTENCES];
    fill(9);
    for (uint32_t i = 0; i < SENTENCES; i++)
        sentence[i] = SENTENCES - 1 - i;
    struct examples examples = {.space = {.width = 1, .nodes = FEATURES}, .get = get};
    for (uint32_t count = 0; count <= SENTENCES; count += 13)
        for (uint32_t every = 1; every <= 4; every += 3) {
            struct held_part part = {.sentence = sentence, .count = count};
            struct losses one = {0}, many = {0};
            MUST(losses_survey(&one, &part, &examples, every, 1, &err));
            assert_int_equal(one.words, (count + every - 1) / every * WORDS);
            for (uint32_t threads = 2; threads <= 6; threads++) {
                MUST(losses_survey(&many, &part, &examples, every, threads, &err));
                assert_int_equal(many.rows, one.rows);
                assert_int_equal(many.words, one.words);
                assert_memory_equal(many.seen, one.seen, sizeof *one.seen * FEATURES);
                assert_memory_equal(many.named, one.named, sizeof *one.named << 16);
            }
            losses_release(&one);
            losses_release(&many);
        }
}
