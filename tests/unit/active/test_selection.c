/* Tests choosing sentences: the order, which are passed over, and a shortlist against a sort of everything. */
#include "base/random.h"
#include "active/selection.h"

#include "test.h"

static struct vouch_error err;

TEST(names_say_how_a_method_is_used)
{
    char method[12];
    enum sentence_score score;
    assert_true(score_parse("kd-fix", method, sizeof method, &score, &err));
    assert_string_equal(method, "kd-fix");
    assert_int_equal(score, SCORE_LEAST);
    assert_true(score_parse("gamma@crf/mean", method, sizeof method, &score, &err));
    assert_string_equal(method, "gamma@crf");
    assert_int_equal(score, SCORE_MEAN);
    assert_true(score_parse("kd-pc/bald", method, sizeof method, &score, &err));
    assert_int_equal(score, SCORE_BALD);
    assert_true(score_parse("gamma/length", method, sizeof method, &score, &err));
    assert_int_equal(score, SCORE_LENGTH);
    assert_true(score_parse("gamma/entities", method, sizeof method, &score, &err));
    assert_int_equal(score, SCORE_ENTITIES);
    assert_true(score_parse("gamma/density", method, sizeof method, &score, &err));
    assert_int_equal(score, SCORE_DENSITY);
    assert_true(score_counts_chunks(SCORE_ENTITIES) && score_counts_chunks(SCORE_DENSITY));
    assert_false(score_counts_chunks(SCORE_LEAST) || score_counts_chunks(SCORE_MEAN) ||
                 score_counts_chunks(SCORE_BALD));
    assert_false(score_parse("kd-pc/best", method, sizeof method, &score, &err));
    assert_string_equal(
        err.message,
        "expected a method, alone or with /mean, /length, /bald, /entities or /density, found 'kd-pc/best'");
    assert_false(score_parse("kd-pc/mean/mean", method, sizeof method, &score, &err));
    assert_false(score_parse("kd-pc/", method, sizeof method, &score, &err));
    assert_false(score_parse("much-too-long", method, sizeof method, &score, &err));
}

TEST(a_sentence_is_as_sure_as_its_words)
{
    struct sureness s = {0};
    assert_true(isinf(sureness_of(&s, SCORE_LEAST)));
    sureness_add(&s, NAN);
    sureness_add(&s, INFINITY);
    assert_true(isinf(sureness_of(&s, SCORE_MEAN)));
    sureness_add(&s, 3);
    sureness_add(&s, -1);
    sureness_add(&s, 4);
    assert_true(sureness_of(&s, SCORE_LEAST) == -1);
    assert_true(sureness_of(&s, SCORE_MEAN) == 2);
    assert_true(sureness_of(&s, SCORE_LENGTH) == -4);
}

/* Words that are all alike: the least of many is small, and no smaller than is usual. */
TEST(long_sentences_are_not_less_sure_by_length_alone)
{
    enum { SENTENCES = 20000 };
    struct rng rng = rng_new(3, 1);
    double least[2] = {0}, beside[2] = {0};
    for (int i = 0; i < SENTENCES; i++)
        for (int k = 0; k < 2; k++) {
            struct sureness s = {0};
            for (int n = 0; n < (k ? 40 : 5); n++)
                sureness_add(&s, rng_uniform(&rng));
            least[k] += sureness_of(&s, SCORE_LEAST) / SENTENCES;
            beside[k] += sureness_of(&s, SCORE_LENGTH) / SENTENCES;
        }
    assert_true(least[1] < least[0] / 5);
    assert_true(fabs(beside[0] - 1) < 0.03 && fabs(beside[1] - 1) < 0.03);
}

TEST(many_entities_come_first)
{
    struct sureness s = {0}, long_one = {0};
    assert_true(isinf(sureness_of(&s, SCORE_ENTITIES)) && isinf(sureness_of(&s, SCORE_DENSITY)));
    sureness_add_start(&s, 0.75);
    sureness_add_start(&s, 0.25);
    sureness_add(&s, 7); /* how sure the words are makes no difference */
    assert_true(sureness_of(&s, SCORE_ENTITIES) == -1);
    assert_true(sureness_of(&s, SCORE_DENSITY) == -0.5);
    for (int n = 0; n < 8; n++)
        sureness_add_start(&long_one, 0.25);
    assert_true(sureness_of(&long_one, SCORE_ENTITIES) < sureness_of(&s, SCORE_ENTITIES));
    assert_true(sureness_of(&long_one, SCORE_DENSITY) > sureness_of(&s, SCORE_DENSITY));
}

TEST(ties_go_to_the_short_sentence_and_then_to_the_first)
{
    struct candidate c[] = {
        {0.5, 9, 7}, {0.5, 3, 8}, {INFINITY, 1, 0}, {0.5, 3, 2}, {0.25, 40, 5}, {0.75, 1, 1},
    };
    const uint32_t expected[] = {5, 2, 8, 7, 1, 0};
    candidates_rank(c, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(c[i].index, expected[i]);
}

TEST(sets_have_every_number_once_in_order)
{
    struct number_set set = {0};
    assert_true(number_set_fill(&set, (const uint32_t[]){5, 1, 5, 4000000000, 1, 0}, 6, &err));
    assert_int_equal(set.count, 4);
    assert_memory_equal(set.item, ((const uint32_t[]){0, 1, 5, 4000000000}), 16);
    assert_true(number_set_fill(&set, NULL, 0, &err));
    assert_int_equal(set.count, 0);
    number_set_release(&set);
}

TEST(overlap_is_what_is_shared_of_all)
{
    struct number_set a = {.item = (uint32_t[]){1, 2, 3}, .count = 3},
                      b = {.item = (uint32_t[]){2, 3, 4, 5}, .count = 4}, none = {0};
    assert_true(number_set_overlap(&a, &b) == 2.0 / 5);
    assert_true(number_set_overlap(&b, &a) == 2.0 / 5);
    assert_true(number_set_overlap(&a, &a) == 1);
    assert_true(number_set_overlap(&a, &none) == 0);
    assert_true(number_set_overlap(&none, &none) == 0);
}

/* Candidate i has the numbers of row i: 0 and 1 share one half, 0 and 2 all, 3 nothing with any other. */
static const uint32_t rows[][4] = {{1, 2, 3, 1}, {1, 2, 4, 1}, {1, 2, 3, 1}, {9, 9, 9, 9}, {1, 2, 4, 8}};
static uint32_t looked_at;

static bool row_of(void *context, uint32_t index, struct number_set *set, struct vouch_error *error)
{
    (void)context;
    looked_at++;
    return number_set_fill(set, rows[index], 4, error);
}

static void expect_choice(double most, bool fill, uint32_t wanted, const uint32_t *expected, uint32_t count)
{
    const struct candidate ranked[] = {{0, 1, 0}, {1, 1, 1}, {2, 1, 2}, {3, 1, 3}, {4, 1, 4}};
    struct variety variety = {.most = most, .fill = fill, .numbers_of = row_of};
    uint32_t chosen[8], found;
    looked_at = 0;
    assert_true(candidates_choose(ranked, 5, wanted, &variety, chosen, &found, &err));
    assert_int_equal(found, count);
    assert_memory_equal(chosen, expected, count * sizeof *chosen);
}

TEST(near_duplicates_are_passed_over)
{
    expect_choice(0, false, 3, (const uint32_t[]){0, 1, 2}, 3);
    assert_int_equal(looked_at, 0);
    expect_choice(0.5, false, 3, (const uint32_t[]){0, 1, 3}, 3); /* no more than one half is allowed */
    expect_choice(0.49, false, 3, (const uint32_t[]){0, 3, 4}, 3);
    expect_choice(1, false, 3, (const uint32_t[]){0, 1, 2}, 3);
    expect_choice(0.5, false, 1, (const uint32_t[]){0}, 1);
    assert_int_equal(looked_at, 1);
}

TEST(too_few_others_are_filled_up_with_the_best_of_those)
{
    expect_choice(0.1, false, 4, (const uint32_t[]){0, 3}, 2);
    expect_choice(0.1, true, 4, (const uint32_t[]){0, 3, 1, 2}, 4);
    expect_choice(0.1, true, 8, (const uint32_t[]){0, 3, 1, 2, 4}, 5);
}

/* --- shortlists -------------------------------------------------------- */

/* Returns a sentence of these words, one cell each. */
static struct sentence sentence_of(const char *const *word, uint32_t N)
{
    static uint32_t first[17];
    static struct text cell[16];
    for (uint32_t i = 0; i < N; i++) {
        first[i] = i;
        cell[i] = text_of(word[i]);
    }
    first[N] = N;
    return (struct sentence){.N = N, .first = first, .cell = cell};
}

static void offer(struct shortlist *list, const char *const *word, uint32_t N, double number, const char *text)
{
    struct sentence s = sentence_of(word, N);
    if (shortlist_wants(list, number, N))
        assert_true(shortlist_add(list, &s, &(struct offer){number, 2 * number, text, strlen(text)}, &err));
}

static void expect_texts(struct shortlist *list, const char *expected)
{
    char all[256] = "";
    uint32_t count;
    assert_true(shortlist_close(list, &count, &err));
    for (uint32_t i = 0; i < count; i++) {
        size_t length;
        const char *text = shortlist_text(list, i, &length);
        strncat(all, text, length);
    }
    assert_string_equal(all, expected);
    shortlist_free(list);
}

TEST(what_was_chosen_is_what_there_is_to_label)
{
    struct shortlist *list = shortlist_new(2, 0, &err);
    static const char *const word[] = {"a", "b", "c", "d"};
    uint32_t count;
    offer(list, word, 4, 3, "surest\n");
    offer(list, word, 1, 1, "least\n");
    offer(list, word, 3, 2, "less\n");
    assert_true(shortlist_close(list, &count, &err));
    struct labelling all = shortlist_labelling(list);
    assert_true(all.sentences == 2 && all.words == 4 && all.changes == 2 + 4); /* twice the number: see offer() */
    shortlist_free(list);
}

TEST(words_that_are_known_are_not_new)
{
    struct shortlist *list = shortlist_new(1, 0, &err);
    static const char *const ab[] = {"a", "b"}, *const ba[] = {"b", "a"}, *const joined[] = {"ab"};
    bool new;
    struct sentence s = sentence_of(ab, 2);
    assert_true(shortlist_know(list, &s, &new, &err) && new);
    s = sentence_of(ba, 2);
    assert_true(shortlist_know(list, &s, &new, &err) && new);
    s = sentence_of(joined, 1);
    assert_true(shortlist_know(list, &s, &new, &err) && new);
    s = sentence_of(ab, 2);
    assert_true(shortlist_know(list, &s, &new, &err) && !new);
    shortlist_free(list);
}

TEST(thousands_of_sentences_can_be_known)
{
    struct shortlist *list = shortlist_new(1, 0, &err);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++) {
            char word[16];
            bool new;
            snprintf(word, sizeof word, "w%d", i);
            const char *const words[] = {word};
            struct sentence s = sentence_of(words, 1);
            assert_true(shortlist_know(list, &s, &new, &err));
            assert_int_equal(new, round == 0);
        }
    shortlist_free(list);
}

TEST(a_shortlist_is_the_beginning_of_the_whole_order)
{
    enum { OFFERED = 200 };
    static const char *const word[16] = {"a", "b", "c", "d", "e", "f", "g", "h",
                                         "i", "j", "k", "l", "m", "n", "o", "p"};
    struct rng rng = rng_new(7, 1);
    for (uint32_t n = 1; n < 40; n += 3) {
        struct candidate all[OFFERED];
        struct shortlist *heap = shortlist_new(n, 0, &err), *every = shortlist_new(n, 1, &err);
        char text[OFFERED][8], expected[256] = "";
        for (uint32_t i = 0; i < OFFERED; i++) {
            all[i] = (struct candidate){rng_below(&rng, 9), 1 + rng_below(&rng, 16), i};
            snprintf(text[i], sizeof text[i], "%u,", i);
            offer(heap, word, all[i].words, all[i].number, text[i]);
            offer(every, word, all[i].words, all[i].number, text[i]);
        }
        candidates_rank(all, OFFERED);
        for (uint32_t i = 0; i < n; i++)
            strcat(expected, text[all[i].index]);
        expect_texts(heap, expected);
        expect_texts(every, expected);
    }
}

TEST(a_shortlist_passes_over_near_duplicates)
{
    static const char *const a[] = {"the", "old", "bridge", "fell"}, *const b[] = {"the", "new", "bridge", "fell"},
                             *const c[] = {"nobody", "saw", "it"};
    struct shortlist *list = shortlist_new(3, 0.5, &err);
    offer(list, a, 4, 0.3, "a");
    offer(list, b, 4, 0.2, "b");
    offer(list, c, 3, 0.9, "c");
    expect_texts(list, "bc");
    list = shortlist_new(3, 0.6, &err); /* they share three of five */
    offer(list, a, 4, 0.3, "a");
    offer(list, b, 4, 0.2, "b");
    offer(list, c, 3, 0.9, "c");
    expect_texts(list, "bac");
}

TEST(an_empty_list_has_nothing)
{
    expect_texts(shortlist_new(3, 0, &err), "");
    expect_texts(shortlist_new(3, 0.5, &err), "");
}
