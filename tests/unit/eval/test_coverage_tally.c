/* Tests the coverage of sets: three small sentences of two documents, counted by hand. */
#include "eval/evaluation.h"

#include "test.h"

#define LABEL(name) {.label = {name, 1}, .probability = 0.5}

/* Adds a sentence whose words have these right labels, and these sets. */
static void add(struct coverage_tally *t, const char *gold, struct alternative *choice, uint32_t *first,
                const struct set_thresholds *least)
{
    uint32_t N = (uint32_t)strlen(gold);
    struct text label[4], answered[4];
    struct confidences confidences = {.set = {.choice = choice, .first = first, .asked = true}};
    struct vouch_answer answer = {.label = answered, .confidences = &confidences};
    struct vouch_error err = {0};
    for (uint32_t i = 0; i < N; i++) {
        label[i] = (struct text){gold + i, 1};
        answered[i] = choice[first[i]].label;
    }
    struct covered_sentence sentence = {.N = N, .gold = label, .answer = &answer};
    assert_true(coverage_tally_add(t, &sentence, least, &err));
}

static void assert_figures(const struct covered_tally *t, enum covered_unit unit, double units, double mean, double all)
{
    struct coverage_figures f = coverage_figures(t, unit);
    assert_true(f.units == units && fabs(f.mean - mean) < 1e-9 && fabs(f.share - all) < 1e-9);
}

TEST(shares_are_means_over_sentences_and_documents)
{
    struct coverage_tally t = {.documents = {.documents = 1, .marks = 1}};
    struct set_thresholds least = {.by_label = {json_pack("{s:f}", "A", 0.3)}};
    struct vouch_error err = {0};
    add(&t, "AB", (struct alternative[]){LABEL("A"), LABEL("A")}, (uint32_t[]){0, 1, 2}, &least);
    add(&t, "AA", (struct alternative[]){LABEL("A"), LABEL("B"), LABEL("A")}, (uint32_t[]){0, 1, 3}, &least);
    t.documents.documents = 2;
    add(&t, "B", (struct alternative[]){LABEL("A"), LABEL("B")}, (uint32_t[]){0, 2}, &least);
    assert_true(coverage_tally_close(&t, &err));

    assert_figures(&t.all[COVERED_WORDS], BY_SENTENCES, 3, 100 * (0.5 + 1 + 1) / 3, 100 * 4 / 5.);
    assert_figures(&t.all[COVERED_WORDS], BY_DOCUMENTS, 2, 100 * (3 / 4. + 1) / 2, 100 * 4 / 5.);
    assert_true(t.all[COVERED_WORDS].choices == 7 && t.all[COVERED_WORDS].single == 3);
    assert_int_equal(t.labels.table.count, 2);
    assert_figures(coverage_of_label(&t, COVERED_WORDS, 0), BY_SENTENCES, 2, 100, 100);
    assert_figures(coverage_of_label(&t, COVERED_WORDS, 0), BY_DOCUMENTS, 1, 100, 100);
    assert_figures(coverage_of_label(&t, COVERED_WORDS, 1), BY_SENTENCES, 2, 50, 50);
    assert_figures(&t.others[COVERED_WORDS], BY_DOCUMENTS, 2, 50, 50); /* B has no threshold of its own */
    assert_null(coverage_of_label(&t, COVERED_CHUNKS, 0));
    coverage_tally_release(&t);
    json_decref(least.by_label[COVERED_WORDS]);
}
