/*
 * Tests features of what the same words are called around: by their definition, over random documents, with the
 * sentence itself left out.
 */
#include "task/label_context.h"

#include "base/random.h"

#include "must.h"
#include "test.h"
#include "words_of.h"

enum { SENTENCES = 40, WORDS = 7, FIRST = 100 };

struct story {
    uint32_t N[SENTENCES], word[SENTENCES][WORDS], label[SENTENCES][WORDS], document[SENTENCES];
};

static struct story simulate(struct rng *rng, uint32_t labels)
{
    struct story s;
    uint32_t document = 1;
    for (uint32_t i = 0; i < SENTENCES; i++) {
        document += rng_below(rng, 12) == 0;
        s.document[i] = document;
        s.N[i] = rng_below(rng, WORDS + 1);
        for (uint32_t n = 0; n < WORDS; n++) {
            s.word[i][n] = rng_below(rng, 2) ? rng_below(rng, 6) * 8192 : rng_below(rng, 300);
            s.label[i][n] = rng_below(rng, 3) ? s.word[i][n] % labels : rng_below(rng, labels);
        }
    }
    return s;
}

static void labels_of(struct tag_labels *labels, const char *names)
{
    struct text name[20];
    uint32_t count = words_of(names, name);
    *labels = (struct tag_labels){.inner = SCHEME_NONE};
    for (uint32_t y = 0; y < count; y++)
        MUST(dictionary_add(&labels->names, name[y], &err));
    labels->inner = labels->outer = scheme_of_labels(name, count);
}

/* Returns v of a word by its definition; V if it is nowhere around. */
static uint32_t value_by_hand(const struct story *s, const struct label_context *c, uint32_t i, uint32_t word)
{
    uint32_t in[20] = {0}, outside = 0, inside = 0, top = 0;
    for (uint32_t j = 0; j < SENTENCES; j++)
        for (uint32_t n = 0; n < s->N[j]; n++) {
            bool near = j != i && j + c->sentences >= i && j <= i + c->sentences && s->document[j] == s->document[i];
            if (!near || s->word[j][n] != word)
                continue;
            uint32_t type = c->type[s->label[j][n]];
            outside += type == c->types;
            inside += type < c->types;
            in[type]++;
        }
    for (uint32_t t = 0; t < c->types; t++)
        top = in[t] > in[top] ? t : top;
    if (outside + inside == 0)
        return 1 + 3 * c->types;
    if (inside == 0)
        return 0;
    return 1 + 3 * top + (outside == 0 ? 2 : inside >= outside ? 1 : 0);
}

/* Asks with the sentences of a window alone, as they pass by. */
static void ask(const struct story *s, const struct label_context *c, uint32_t i, struct context_work *work,
                struct further_rows *rows)
{
    struct first_answer around[SENTENCES];
    uint32_t from = i > c->sentences ? i - c->sentences : 0, count = 0;
    for (uint32_t j = from; j < SENTENCES && j <= i + c->sentences; j++)
        around[count++] = (struct first_answer){s->N[j], s->document[j], s->word[j], 1, s->label[j]};
    MUST(label_context_run(c, around, count, i - from, work, rows, &err));
}

static void check(const struct story *s, const struct label_context *c, uint32_t i, const struct further_rows *rows)
{
    uint32_t V = 1 + 3 * c->types;
    assert_int_equal(rows->N, s->N[i]);
    for (uint32_t n = 0; n < s->N[i]; n++) {
        uint32_t at = rows->start[n];
        for (uint32_t place = 0; place < 5; place++) {
            int64_t m = (int64_t)n + place - 2;
            uint32_t v = m >= 0 && m < s->N[i] ? value_by_hand(s, c, i, s->word[i][m]) : V;
            if (v < V && c->feature[place * V + v] != NO_FEATURE)
                assert_int_equal(rows->feature[at++], c->feature[place * V + v]);
        }
        assert_int_equal(at, rows->start[n + 1]);
    }
}

static void compare(const char *names, uint32_t types)
{
    struct rng rng = rng_new(3, types);
    struct tag_labels labels;
    struct context_work work = {0};
    struct further_rows rows = {0};
    labels_of(&labels, names);
    for (uint32_t sentences = 1; sentences <= 9; sentences += 4) {
        struct label_context c;
        struct story s = simulate(&rng, labels_count(&labels));
        MUST(label_context_init(&c, sentences, &labels, &err));
        assert_int_equal(c.types, types);
        assert_int_equal(label_context_features(&c), 5 * (1 + 3 * types));
        for (uint32_t f = 0; f < label_context_features(&c); f++)
            c.feature[f] = f % 7 ? FIRST + f : NO_FEATURE;
        for (uint32_t i = 0; i < SENTENCES; i++) {
            ask(&s, &c, i, &work, &rows);
            check(&s, &c, i, &rows);
        }
        label_context_release(&c);
    }
    context_work_release(&work);
    further_rows_release(&rows);
    labels_release(&labels);
}

TEST(features_are_those_of_the_definition)
{
    compare("O B-X I-X B-Y I-Y", 2);
    compare("I-X B-Y O B-X S-Z", 3);
    compare("NN VB JJ", 3);
}

TEST(rows_are_joined_in_order)
{
    uint32_t start[] = {0, 2, 2, 3}, feature[] = {4, 5, 6}, more_start[] = {0, 1, 2, 2}, more[] = {8, 9};
    float value[] = {2, 3, 4};
    static const uint32_t expected[] = {4, 5, 8, 9, 6};
    static const float weights[] = {2, 3, 1, 1, 4};
    struct further_rows further = {.N = 3, .start = more_start, .feature = more};
    for (int weighted = 0; weighted < 2; weighted++) {
        struct joined_rows joined = {0};
        struct rows rows = {3, start, feature, weighted ? value : NULL};
        MUST(join_rows(&joined, &further, &rows, &err));
        assert_memory_equal(rows.feature, expected, sizeof expected);
        assert_int_equal(rows.start[1] * 100 + rows.start[2] * 10 + rows.start[3], 345);
        assert_true(!rows.value == !weighted);
        if (weighted)
            assert_memory_equal(rows.value, weights, sizeof weights);
        joined_rows_release(&joined);
    }
}
