/*
 * Tests contexts of words: features that a word owns are left out, others stay; words are doubted as the definition
 * says, against brute force.
 */
#include "base/random.h"
#include "review/review.h"

#include "must.h"
#include "test.h"

#include <math.h>

enum { MOST = 300, TYPES = 3, LABELS = 5 };

/* Labels 0 .. 4: two of a type, two of another, and one outside. */
static uint32_t type_of[LABELS] = {0, 0, 1, 1, 2}, label_of[TYPES] = {0, 2, 4};

static double log_probability(const struct contexts *c, size_t word, uint32_t type)
{
    return log((double)c->probability[word * TYPES + type] + 0.05);
}

/* Returns the odds of word w by its definition; *places are those that it shares, 0 if it is judged by itself. */
static double odds_by_definition(const struct review *r, const struct finding *before, size_t w, uint32_t *places)
{
    double all = 0, same = 0, sum[TYPES] = {0}, best = -INFINITY;
    uint32_t own = type_of[before[w].given];
    for (size_t v = 0; v < r->words; v++)
        if (r->form[v] == r->form[w]) {
            all++;
            if (type_of[before[v].given] != own)
                continue;
            same++;
            for (uint32_t t = 0; t < TYPES; t++)
                sum[t] += log_probability(&r->contexts, v, t);
        }
    for (uint32_t t = 0; t < TYPES; t++)
        best = t != own ? fmax(best, sum[t]) : best;
    double lead = sum[own] - best, odds = 10 + 2 * lead;
    bool doubted = same >= 3 && same >= 0.3 * all && lead < -same && odds < (double)before[w].odds;
    *places = doubted ? (uint32_t)same : 0;
    return doubted ? odds : (double)before[w].odds;
}

TEST(words_are_doubted_as_defined)
{
    struct span_rules rules = {.labels = LABELS};
    struct dataset dataset = {.rules = &rules};
    uint32_t form[MOST], doubted = 0, kept = 0;
    float probability[MOST * TYPES];
    struct finding finding[MOST], before[MOST];
    struct rng rng = rng_new(7, 0);
    for (int round = 0; round < 20; round++) {
        struct review r = {.dataset = &dataset, .words = (size_t)MOST, .form = form};
        r.contexts =
            (struct contexts){.type_of = type_of, .label_of = label_of, .types = TYPES, .probability = probability};
        for (size_t w = 0; w < MOST; w++) {
            form[w] = rng_below(&rng, 40);
            finding[w] = (struct finding){.given = (form[w] + (rng_below(&rng, 3) == 0)) % LABELS,
                                          .odds = (float)rng_below(&rng, 40) - 10};
            for (uint32_t t = 0; t < TYPES; t++)
                probability[w * TYPES + t] = (float)rng_below(&rng, 1000) / 1000;
        }
        memcpy(before, finding, sizeof before);
        MUST(contexts_doubt(&r, finding, &err));
        for (size_t w = 0; w < MOST; w++) {
            uint32_t places;
            assert_float_equal(finding[w].odds, odds_by_definition(&r, before, w, &places), 1e-4);
            assert_int_equal(finding[w].places, places);
            assert_true(places == 0 || type_of[finding[w].suggested] != type_of[finding[w].given]);
            doubted += places > 0;
            kept += places == 0;
        }
    }
    assert_true(doubted > 30 && kept > 100);
}

/* Without types, as for trees, and with labels that are not known, nothing changes. */
TEST(what_is_not_known_stays)
{
    struct span_rules rules = {.labels = LABELS};
    struct dataset dataset = {.rules = &rules};
    uint32_t form[4] = {1, 1, 1, 1};
    float probability[4 * TYPES] = {0};
    struct finding finding[4];
    struct review r = {.dataset = &dataset, .words = 4, .form = form};
    for (int w = 0; w < 4; w++)
        finding[w] = (struct finding){.given = NO_LABEL, .odds = 30};
    MUST(contexts_doubt(&r, finding, &err));
    r.contexts =
        (struct contexts){.type_of = type_of, .label_of = label_of, .types = TYPES, .probability = probability};
    MUST(contexts_doubt(&r, finding, &err));
    for (int w = 0; w < 4; w++)
        assert_true(finding[w].odds == 30 && finding[w].places == 0);
}

TEST(features_that_a_word_owns_are_left_out)
{
    uint32_t form[3] = {0, 11, 12}, owner[6] = {11, 12, NO_OWNER, 11, 12, NO_OWNER};
    static const uint32_t start[3] = {0, 4, 7}, feature[7] = {0, 1, 2, 3, 3, 4, 5};
    static const float value[7] = {1, 2, 3, 4, 5, 6, 7};
    struct review r = {.form = form, .contexts = {.owner = owner}};
    struct parts parts = {.N = 2, .node = {2, start, feature, value}};
    struct stripped to = {0};
    MUST(contexts_strip(&r, &parts, 1, &to, &err));
    assert_int_equal(to.parts.node.start[1], 2);
    assert_int_equal(to.parts.node.start[2], 4);
    static const uint32_t left[4] = {1, 2, 3, 5};
    static const float of[4] = {2, 3, 5, 7};
    assert_memory_equal(to.parts.node.feature, left, sizeof left);
    assert_memory_equal(to.parts.node.value, of, sizeof of);
    parts.node.value = NULL;
    MUST(contexts_strip(&r, &parts, 1, &to, &err));
    assert_null(to.parts.node.value);
    assert_memory_equal(to.parts.node.feature, left, sizeof left);
    stripped_release(&to);
}
