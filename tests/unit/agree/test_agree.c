/*
 * Tests agreement on sentences: units and F1 against counting by hand and by brute force, a pair alone against the same
 * pair among others, and the list of what differs.
 */
#include "agree/agree.h"

#include "answer/answer.h"
#include "base/random.h"
#include "core/scheme.h"

#include "must.h"
#include "test.h"

enum { WORDS = 6, MOST = 4 };

/* The answers to one sentence: labels separated by blanks, "?" open; of trees HEAD:RELATION. NULL: none. */
static void add(struct agreement *g, const char *const *text)
{
    static struct text label[MOST][WORDS];
    static uint32_t head[MOST][WORDS];
    struct annotation by[MOST] = {{0}};
    uint32_t N = 0;
    for (uint32_t a = 0; a < g->annotators; a++) {
        struct text rest = text[a] ? text_of(text[a]) : text_of("");
        uint32_t i = 0;
        for (; rest.length; i++) {
            struct text item = text_cut(&rest, ' '), number = g->trees ? text_cut(&item, ':') : item;
            bool open = text_is(number, "?");
            head[a][i] = NO_VALUE;
            if (g->trees && !open)
                assert_true(text_whole(number, &head[a][i]));
            label[a][i] = open ? (struct text){NULL, 0} : item;
        }
        N = i > N ? i : N;
        if (text[a])
            by[a] = (struct annotation){label[a], g->trees ? head[a] : NULL};
    }
    MUST(agreement_add(g, N, by, &err));
}

static double figure(const struct agreement *g, enum agreement_level level, enum agreement_measure measure, uint32_t a,
                     uint32_t b)
{
    for (size_t f = 0; f < g->figures; f++)
        if (g->figure[f].level == level && g->figure[f].measure == measure && g->figure[f].a == a &&
            g->figure[f].b == b)
            return g->figure[f].value;
    fail_msg("there is no such figure");
    return NAN;
}

TEST(spans_are_compared_whole_and_by_overlap)
{
    struct agreement g = {.annotators = 2};
    add(&g, (const char *[]){"B-PER I-PER O B-LOC", "B-PER O O B-LOC"});
    add(&g, (const char *[]){"I-PER O O O", "O O B-PER I-PER"}); /* IOB1 and IOB2 spell the same chunks */
    MUST(agreement_measure(&g, 10, 1, &err));
    assert_float_equal(figure(&g, LEVEL_SPANS, MEASURE_F1, 0, 1), 2.0 * 1 / (3 + 3), 1e-12);
    assert_float_equal(figure(&g, LEVEL_OVERLAP, MEASURE_F1, 0, 1), 2.0 * 2 / (3 + 3), 1e-12);
    /* Extents: PER/-, -/PER, LOC/LOC, PER/-, -/PER: p = 1/5; a has PER 2, LOC 1, none 2, and so has b: e = 9/25. */
    assert_float_equal(figure(&g, LEVEL_SPANS, MEASURE_KAPPA, 0, 1), (0.2 - 0.36) / 0.64, 1e-12);
    /* Clusters: PER/PER, LOC/LOC, PER/-, -/PER: p = 1/2; PER 2, LOC 1, none 1: e = 6/16. */
    assert_float_equal(figure(&g, LEVEL_OVERLAP, MEASURE_KAPPA, 0, 1), (0.5 - 0.375) / 0.625, 1e-12);
    assert_int_equal(g.disagreements, 3);
    assert_string_equal(g.reading[g.disagreement[0].readings], "B-PER I-PER");
    assert_string_equal(g.reading[g.disagreement[0].readings + 1], "B-PER O");
    agreement_release(&g);
}

TEST(words_are_compared_whatever_the_scheme)
{
    struct agreement g = {.annotators = 2};
    add(&g, (const char *[]){"I-PER I-PER O I-LOC B-LOC", "S-PER S-PER O S-LOC S-LOC"});
    add(&g, (const char *[]){"I-PER I-PER O O O", "B-PER E-PER O O O"});
    MUST(agreement_measure(&g, 10, 1, &err));
    assert_float_equal(figure(&g, LEVEL_SPANS, MEASURE_F1, 0, 1), 2.0 * 3 / (4 + 5), 1e-12);
    /* Nine of ten words are equal in IOB2: B-PER 2 and 3 times, I-PER 2 and 1, B-LOC 2 and 2, O 4 and 4. */
    double e = (2 * 3 + 2 * 1 + 2 * 2 + 4 * 4) / 100.0;
    assert_float_equal(figure(&g, LEVEL_WORDS, MEASURE_KAPPA, 0, 1), (0.9 - e) / (1 - e), 1e-12);
    agreement_release(&g);
}

TEST(arcs_are_compared_by_heads_and_relations)
{
    struct agreement g = {.annotators = 2, .trees = true};
    add(&g, (const char *[]){"2:a 0:root 2:b", "2:a 0:root 1:b"});
    add(&g, (const char *[]){"0:root 1:a", "0:root 1:c"});
    MUST(agreement_measure(&g, 10, 1, &err));
    assert_float_equal(figure(&g, LEVEL_HEADS, MEASURE_F1, 0, 1), 0.8, 1e-12);
    assert_float_equal(figure(&g, LEVEL_ARCS, MEASURE_F1, 0, 1), 0.6, 1e-12);
    /* Distances: 1 1, root root, -1 -2, root root, -1 -1: e = (1 1 + 2 2 + 2 1) / 25. */
    assert_float_equal(figure(&g, LEVEL_HEADS, MEASURE_KAPPA, 0, 1), (0.8 - 7 / 25.0) / (1 - 7 / 25.0), 1e-12);
    assert_int_equal(g.disagreements, 2);
    assert_string_equal(g.reading[g.disagreement[1].readings], "1:a");
    assert_string_equal(g.reading[g.disagreement[1].readings + 1], "1:c");
    agreement_release(&g);
}

TEST(what_an_annotator_left_open_is_not_compared)
{
    struct agreement g = {.annotators = 3};
    add(&g, (const char *[]){"N V D", "N ? ?", NULL});
    add(&g, (const char *[]){"N N N", NULL, "V N ?"});
    MUST(agreement_measure(&g, 10, 1, &err));
    for (size_t f = 0; f < g.figures; f++)
        if (g.figure[f].measure == MEASURE_KAPPA)
            assert_int_equal(g.figure[f].units, g.figure[f].b == 1 ? 1 : g.figure[f].a == 0 ? 2 : 0);
    assert_int_equal(g.figure[0].units, 3);
    assert_int_equal(g.disagreements, 1);
    assert_null(g.reading[g.disagreement[0].readings + 1]);
    agreement_release(&g);
}

TEST(a_span_beside_an_open_word_may_be_longer)
{
    struct agreement g = {.annotators = 2};
    add(&g, (const char *[]){"B-X I-X O B-Y O", "B-X ? O B-Y O"});
    add(&g, (const char *[]){"O B-X I-X I-X O", "O ? I-X I-X O"});
    MUST(agreement_measure(&g, 10, 1, &err));
    assert_float_equal(figure(&g, LEVEL_SPANS, MEASURE_F1, 0, 1), 1, 0); /* of Y alone */
    for (size_t f = 0; f < g.figures; f++)
        if (g.figure[f].level == LEVEL_SPANS)
            assert_int_equal(g.figure[f].units, g.figure[f].measure == MEASURE_F1 ? 2 : 1);
    agreement_release(&g);
}

/* Makes labels of chunks at random. */
static const char *random_labels(struct rng *random, uint32_t a)
{
    static char text[MOST][64];
    static const char *const label[] = {"O", "B-X", "I-X", "B-Y", "I-Y"};
    text[a][0] = '\0';
    for (int i = 0; i < WORDS; i++)
        snprintf(text[a] + strlen(text[a]), 8, "%s%s", i ? " " : "", label[rng_below(random, 5)]);
    return text[a];
}

/* Counts chunks of `one` that `other` has, word by word, by the rules of conlleval. */
static void count_chunks(const char *one, const char *other, double *all, double *found)
{
    struct text x[WORDS + 1], y[WORDS + 1], rest = text_of(one), also = text_of(other), type, kind;
    for (int i = 0; i < WORDS; i++) {
        x[i] = text_cut(&rest, ' ');
        y[i] = text_cut(&also, ' ');
    }
    x[WORDS] = y[WORDS] = text_of("O");
    for (int i = 0, end; i < WORDS; i++) {
        if (!scheme_starts(i ? x[i - 1] : x[WORDS], x[i]))
            continue;
        for (end = i; !scheme_ends(x[end], x[end + 1]);)
            end++;
        int last = i;
        bool same = scheme_starts(i ? y[i - 1] : y[WORDS], y[i]);
        scheme_split(x[i], &type);
        scheme_split(y[i], &kind);
        while (same && !scheme_ends(y[last], y[last + 1]))
            last++;
        (*all)++;
        *found += same && last == end && text_equal(type, kind);
    }
}

TEST(f1_of_spans_is_what_counting_gives_and_a_pair_does_not_depend_on_others)
{
    struct rng random = rng_new(4, 0);
    for (int round = 0; round < fewer(200); round++) {
        struct agreement three = {.annotators = 3}, two = {.annotators = 2};
        double one = 0, one_found = 0, other = 0, other_found = 0;
        for (int s = 0; s < 3; s++) {
            const char *text[3];
            for (uint32_t a = 0; a < 3; a++)
                text[a] = random_labels(&random, a);
            add(&three, text);
            add(&two, (const char *[]){text[0], text[2]});
            count_chunks(text[0], text[2], &one, &one_found);
            count_chunks(text[2], text[0], &other, &other_found);
        }
        MUST(agreement_measure(&three, 10, 1, &err));
        MUST(agreement_measure(&two, 10, 1, &err));
        if (three.chunks && two.chunks) {
            if (one + other > 0)
                assert_float_equal(figure(&two, LEVEL_SPANS, MEASURE_F1, 0, 1), 2 * one_found / (one + other), 1e-9);
            assert_true(one_found == other_found);
            for (enum agreement_level l = LEVEL_WORDS; l <= LEVEL_OVERLAP; l++)
                for (enum agreement_measure m = MEASURE_KAPPA; m <= (l ? MEASURE_F1 : MEASURE_KAPPA); m++) {
                    double x = figure(&three, l, m, 0, 2), y = figure(&two, l, m, 0, 1);
                    assert_true((isnan(x) && isnan(y)) || fabs(x - y) < 1e-12);
                }
        }
        agreement_release(&three);
        agreement_release(&two);
    }
}

TEST(the_model_decides_the_order)
{
    struct agreement g = {.annotators = 2};
    const struct alternative alternative[] = {{text_of("N"), 0, 0.6}, {text_of("V"), 1, 0.4}, {text_of("N"), 0, 0.9},
                                              {text_of("V"), 1, 0.1}, {text_of("N"), 0, 0.7}, {text_of("V"), 1, 0.3}};
    const uint32_t found[] = {2, 2, 2};
    const struct confidences confidences = {.alternative = alternative, .found = found, .alternatives = 2};
    const struct vouch_answer answer = {.N = 3, .confidences = &confidences};
    add(&g, (const char *[]){"N N D", "V V V"});
    MUST(agreement_measure(&g, 10, 1, &err));
    agreement_think(&g, 0, &answer);
    agreement_sort(&g);
    assert_int_equal(g.disagreement[0].from, 1); /* 0.9 against 0.1, */
    assert_int_equal(g.disagreement[1].from, 2); /* 0.3 against nothing, */
    assert_int_equal(g.disagreement[2].from, 0); /* 0.6 against 0.4 */
    assert_true(isnan(g.probability[g.disagreement[1].readings])); /* the model does not know D */
    agreement_release(&g);
}

TEST(the_same_seed_gives_the_same_intervals)
{
    struct agreement g = {.annotators = 2}, again = {.annotators = 2};
    struct rng random = rng_new(4, 0);
    for (int s = 0; s < 20; s++) {
        const char *text[] = {random_labels(&random, 0), random_labels(&random, 1)};
        add(&g, text);
        add(&again, text);
    }
    MUST(agreement_measure(&g, 50, 9, &err));
    MUST(agreement_measure(&again, 50, 9, &err));
    for (size_t f = 0; f < g.figures; f++) {
        assert_memory_equal(&g.figure[f].interval, &again.figure[f].interval, sizeof g.figure[f].interval);
        assert_true(g.figure[f].interval.low < g.figure[f].value && g.figure[f].value < g.figure[f].interval.high);
    }
    agreement_release(&g);
    agreement_release(&again);
}
