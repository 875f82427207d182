/*
 * Tests repeats: counts of the same words elsewhere, against counting one by
 * one; of labels between neighbours, of whole chunks, of heads and of
 * relations.
 */
#include "review/review.h"

#include "base/random.h"
#include "folder.h"
#include "small_models.h"

#include "must.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { MANY = 200 };
static const struct review_options two_threads = {.common.work.threads = 2};

/* Returns how often a place's context occurs elsewhere with that name. */
static uint32_t times(const struct occurrence *o, size_t count, const struct occurrence *of, uint64_t name)
{
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += o[i].place != of->place && o[i].context == of->context && o[i].name == name;
    return found;
}

static void check_one(const struct occurrence *o, size_t count, const struct occurrence *one,
                      const struct repeat *repeat)
{
    uint32_t others = 0, rival = 0;
    for (size_t i = 0; i < count; i++) {
        others += o[i].place != one->place && o[i].context == one->context;
        if (o[i].name != one->name && times(o, count, one, o[i].name) > rival)
            rival = times(o, count, one, o[i].name);
    }
    assert_int_equal(repeat->others, others);
    assert_int_equal(repeat->same, times(o, count, one, one->name));
    assert_int_equal(repeat->rival, rival);
    for (size_t i = 0; i < count; i++) /* the example is the first place of such a name */
        if (o[i].place == repeat->example && rival) {
            assert_true(o[i].context == one->context && o[i].name != one->name);
            assert_int_equal(times(o, count, one, o[i].name), rival);
        }
    assert_true(rival || repeat->example == one->place);
}

TEST(counts_are_those_of_counting_one_by_one)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct rng rng = rng_new(seed, 0);
        struct occurrence o[MANY];
        struct repeat repeat[MANY];
        for (size_t i = 0; i < MANY; i++)
            o[i] = (struct occurrence){(uint64_t)rng_below(&rng, 30) << seed * 2, rng_below(&rng, 4), i};
        MUST(repeats_count(o, MANY, (uint32_t)(1 + seed % 3), repeat, &err));
        for (size_t i = 0; i < MANY; i++)
            check_one(o, MANY, &o[i], &repeat[i]);
    }
    MUST(repeats_count(NULL, 0, 1, NULL, &err));
}

TEST(odds_follow_the_majority)
{
    struct repeat none = {0}, all = {.others = 9, .same = 9}, half = {.others = 4, .same = 2}, few = {.others = 9};
    assert_true(repeat_odds(&none) == 0);
    assert_float_equal(repeat_odds(&half), 0, 1e-12);
    assert_float_equal(repeat_odds(&all), log(19), 1e-12);
    assert_float_equal(repeat_odds(&few), -log(19), 1e-12);
}

/* Findings as a corpus gives them, which propose `proposed` if that is not NULL. */
static struct finding *given_by(const struct dataset *dataset, uint32_t layer, const uint32_t *proposed)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    size_t words = dataset->words_before(dataset->self, false, examples->count);
    struct finding *finding = new_array(words, sizeof *finding, &err);
    struct scratch scratch = {0};
    size_t w = 0;
    MUST(finding);
    for (uint32_t i = 0; i < examples->count; i++) {
        struct example example;
        MUST(examples->get(examples->self, i, &scratch, &example, &err));
        for (uint32_t n = 0; n < example.parts.N; n++, w++) {
            finding[w].given = example.gold[n];
            finding[w].proposed = proposed ? proposed[w] : example.gold[n];
        }
    }
    scratch_release(&scratch);
    return finding;
}

static void expect(const struct repeat *repeat, uint32_t others, uint32_t same, uint32_t rival)
{
    assert_int_equal(repeat->others, others);
    assert_int_equal(repeat->same, same);
    assert_int_equal(repeat->rival, rival);
}

/* "in Rome ." twice as LOC and once as PER; "New York" as LOC, as LOC and outside of chunks. */
TEST(labels_and_chunks_are_counted)
{
    struct corpus tags = {0};
    small_tag_corpus(&tags, "in IN O\nRome NNP B-LOC\n. . O\n\nin IN O\nRome NNP B-LOC\n. . O\n\n"
                            "in IN O\nRome NNP B-PER\n. . O\n\nNew NNP B-LOC\nYork NNP I-LOC\n\n"
                            "to IN O\nNew NNP B-LOC\nYork NNP I-LOC\n\nNew NNP O\nYork NNP O\n\n");
    struct dataset dataset = tags.dataset;
    struct finding *finding = given_by(&dataset, 0, NULL);
    finding[14].proposed = finding[9].given; /* New York is to be a chunk in the last sentence, too */
    finding[15].proposed = finding[10].given;
    struct review review = {.options = &two_threads, .dataset = &dataset, .finding = {finding}};
    MUST(review_lay_out(&review, &err));
    MUST(name_words(&review, &err) && find_repeats(&review, &err));
    const struct repeat *near = review.repeat[0][REPEAT_NEAR], *chunk = review.repeat[0][REPEAT_CHUNK];
    expect(&near[1], 2, 1, 1);
    expect(&near[7], 2, 0, 2);
    assert_int_equal(near[7].example, 1);
    expect(&near[0], 2, 2, 0);
    expect(&near[9], 1, 0, 1); /* New at the beginning, York behind it */
    expect(&chunk[7], 2, 0, 2);
    expect(&chunk[9], 2, 1, 1);
    expect(&chunk[10], 2, 1, 1);
    expect(&chunk[14], 2, 0, 2);
    assert_int_equal(chunk[14].example, 9);
    expect(&chunk[0], 0, 0, 0); /* no chunk, and none is proposed */
    review_release(&review);
    corpus_release(&tags);
}

/* "old bridge": twice amod of the bridge, once nmod of it, once under fell. */
TEST(heads_and_relations_are_counted)
{
    static const char *const arc[][2] = {{"2", "amod"}, {"2", "amod"}, {"2", "nmod"}, {"3", "amod"}};
    char text[4096], *to = text;
    for (int i = 0; i < 4; i++)
        to += sprintf(to,
                      "1\told\t_\tA\tA\t_\t%s\t%s\t_\t_\n2\tbridge\t_\tN\tN\t_\t3\tsubj\t_\t_\n"
                      "3\tfell\t_\tV\tV\t_\t0\troot\t_\t_\n\n",
                      arc[i][0], arc[i][1]);
    struct corpus trees = {0};
    small_tree_corpus(&trees, text, 12);
    struct dataset dataset = trees.dataset;
    struct review review = {.options = &two_threads,
                            .dataset = &dataset,
                            .finding = {given_by(&dataset, 0, NULL), given_by(&dataset, 1, NULL)}};
    MUST(review_lay_out(&review, &err));
    MUST(name_words(&review, &err) && find_repeats(&review, &err));
    expect(&review.repeat[0][REPEAT_NEAR][0], 3, 2, 1);
    expect(&review.repeat[0][REPEAT_NEAR][9], 3, 0, 3);
    expect(&review.repeat[1][REPEAT_NEAR][0], 2, 1, 1);
    expect(&review.repeat[1][REPEAT_NEAR][6], 2, 0, 2);
    expect(&review.repeat[1][REPEAT_NEAR][9], 0, 0, 0);
    assert_null(review.repeat[0][REPEAT_CHUNK]);
    review_release(&review);
    corpus_release(&trees);
}
