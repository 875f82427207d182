/* Tests labels: learned in one scheme, written in another, and back without a change. */
#include "task/tag_labels.h"

#include "core/sentence.h"

#include "test.h"
#include "words_of.h"

enum { MOST_WORDS = 40 };

/* Learns one sentence and checks how it is spelled inside. */
static void learn(struct tag_labels *labels, struct label_work *work, const char *gold, const char *inner)
{
    struct vouch_error err = {0};
    struct text outer[MOST_WORDS], expected[MOST_WORDS];
    uint32_t choice[MOST_WORDS], N = words_of(gold, outer);
    assert_true(labels_choose(labels, &labels->names, outer, N, work, choice, &err));
    assert_int_equal(words_of(inner, expected), N);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(choice[i] < labels_count(labels));
        assert_true(text_equal(labels_name(labels, choice[i]), expected[i]));
    }
}

static uint32_t choice_of(const struct tag_labels *labels, struct text name)
{
    for (uint32_t y = 0; y < labels_count(labels); y++)
        if (text_equal(labels_name(labels, y), name))
            return y;
    fail_msg("no label %.*s", (int)name.length, name.at);
    return 0;
}

/* Writes a sequence of inner labels and checks the outer ones. */
static void expect_written(const struct tag_labels *labels, struct label_work *work, const char *inner,
                           const char *outer)
{
    struct vouch_error err = {0};
    struct text name[MOST_WORDS], written[MOST_WORDS];
    uint32_t choice[MOST_WORDS] = {0}, N = words_of(inner, name);
    char found[400] = "";
    for (uint32_t i = 0; i < N; i++)
        choice[i] = choice_of(labels, name[i]);
    assert_true(labels_write(labels, choice, N, work, written, &err));
    for (uint32_t i = 0; i < N; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%.*s", i ? " " : "", (int)written[i].length,
                 written[i].at);
    assert_string_equal(found, outer);
}

static struct tag_labels labels_start(enum scheme inner, enum scheme outer)
{
    return (struct tag_labels){.inner = inner, .outer = outer};
}

static void labels_end(struct tag_labels *labels, struct label_work *work)
{
    labels_release(labels);
    label_work_release(work);
}

static void close_labels(struct tag_labels *labels)
{
    struct vouch_error err = {0};
    assert_true(labels_close(labels, &err));
}

TEST(labels_are_numbered_as_they_come)
{
    struct tag_labels labels = labels_start(SCHEME_BIOES, SCHEME_IOB1);
    struct label_work work = {0};
    learn(&labels, &work, "I-X I-X O I-Y B-Y I-Y I-Y", "B-X E-X O S-Y B-Y I-Y E-Y");
    static const char *const names[] = {"B-X", "E-X", "O", "S-Y", "B-Y", "I-Y", "E-Y"};
    assert_int_equal(labels_count(&labels), 7);
    for (uint32_t y = 0; y < 7; y++)
        assert_true(text_is(labels_name(&labels, y), names[y]));
    learn(&labels, &work, "O I-X", "O S-X");
    assert_int_equal(labels_count(&labels), 8);
    assert_true(text_is(labels_name(&labels, 7), "S-X"));
    assert_int_equal(labels_name(&labels, 8).length, 0);
    labels_end(&labels, &work);
}

TEST(a_corpus_in_iob1_is_learned_in_iob2)
{
    struct tag_labels labels = labels_start(SCHEME_IOB2, SCHEME_IOB1);
    struct label_work work = {0};
    learn(&labels, &work, "I-X I-X O I-Y B-Y I-Y I-X", "B-X I-X O B-Y B-Y I-Y B-X");
    learn(&labels, &work, "I-X", "B-X");
    learn(&labels, &work, "O O", "O O");
    close_labels(&labels);
    expect_written(&labels, &work, "B-X I-X O B-Y B-Y I-Y B-X", "I-X I-X O I-Y B-Y I-Y I-X");
    expect_written(&labels, &work, "B-X", "I-X");
    expect_written(&labels, &work, "O O", "O O");
    labels_end(&labels, &work);
}

/* Spellings that the corpus never needed: two chunks of one type side by side, and all letters of BIOES. */
TEST(what_was_never_seen_can_be_written)
{
    struct tag_labels labels = labels_start(SCHEME_IOB2, SCHEME_IOB1);
    struct label_work work = {0};
    learn(&labels, &work, "I-X I-X O", "B-X I-X O");
    close_labels(&labels);
    expect_written(&labels, &work, "B-X B-X I-X O", "I-X B-X I-X O");
    labels_end(&labels, &work);

    labels = labels_start(SCHEME_IOB2, SCHEME_BIOES);
    learn(&labels, &work, "B-X I-X E-X", "B-X I-X I-X");
    close_labels(&labels);
    expect_written(&labels, &work, "B-X B-X I-X", "S-X B-X E-X");
    labels_end(&labels, &work);
}

/* What no corpus would contain is read as conlleval reads it. */
TEST(broken_sequences_are_written_as_chunks)
{
    struct tag_labels labels = labels_start(SCHEME_BIOES, SCHEME_IOB1);
    struct label_work work = {0};
    learn(&labels, &work, "I-X I-X I-X O I-X O I-Y", "B-X I-X E-X O S-X O S-Y");
    close_labels(&labels);
    expect_written(&labels, &work, "B-X O", "I-X O");
    expect_written(&labels, &work, "O I-X", "O I-X");
    expect_written(&labels, &work, "E-X E-X", "I-X B-X");
    expect_written(&labels, &work, "B-X S-Y I-X", "I-X I-Y I-X");
    expect_written(&labels, &work, "S-X I-X E-X", "I-X B-X I-X");
    labels_end(&labels, &work);
}

static const char *const scheme_letters[] = {"O", "I-X", "B-X", "I-Y", "B-Y"};

/* In IOB1, B-X stands only after a word of type X. */
static bool is_iob1(const uint32_t *letter, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++)
        if ((letter[i] == 2 || letter[i] == 4) && (i == 0 || (letter[i - 1] + 1) / 2 != (letter[i] + 1) / 2))
            return false;
    return true;
}

TEST(every_short_sentence_comes_back_as_it_was)
{
    enum { N = 5, ALL = 5 * 5 * 5 * 5 * 5 };
    for (enum scheme inner = SCHEME_IOB1; inner <= SCHEME_BIOES; inner++) {
        struct tag_labels labels = labels_start(inner, SCHEME_IOB1);
        struct label_work work = {0};
        struct vouch_error err = {0};
        static uint32_t choice[ALL][N];
        uint32_t right = 0;
        for (int closed = 0; closed <= 1; closed++) {
            for (uint32_t code = 0; code < ALL; code++) {
                struct text gold[N], written[N];
                uint32_t letter[N];
                for (uint32_t i = 0, rest = code; i < N; i++, rest /= 5)
                    gold[i] = text_of(scheme_letters[letter[i] = rest % 5]);
                if (!is_iob1(letter, N))
                    continue;
                if (!closed) {
                    assert_true(labels_choose(&labels, &labels.names, gold, N, &work, choice[code], &err));
                    continue;
                }
                assert_true(labels_write(&labels, choice[code], N, &work, written, &err));
                for (uint32_t i = 0; i < N; i++)
                    assert_true(text_equal(written[i], gold[i]));
                right++;
            }
            if (!closed)
                close_labels(&labels);
        }
        assert_true(right > 500);
        assert_int_equal(labels_count(&labels), inner == SCHEME_BIOES ? 9 : 5);
        labels_end(&labels, &work);
    }
}

TEST(labels_without_a_scheme_stand_for_themselves)
{
    struct tag_labels labels = labels_start(SCHEME_NONE, SCHEME_NONE);
    struct label_work work = {0};
    const char *gold = "NN VBZ B-X I-Y NN O . S-Q";
    learn(&labels, &work, gold, gold);
    assert_int_equal(labels_count(&labels), 7);
    close_labels(&labels);
    expect_written(&labels, &work, gold, gold);
    expect_written(&labels, &work, "I-Y I-Y S-Q", "I-Y I-Y S-Q");
    labels_end(&labels, &work);
}

TEST(written_labels_outlive_the_next_sentence)
{
    struct tag_labels labels = labels_start(SCHEME_IOB2, SCHEME_IOB1);
    struct label_work work = {0};
    struct vouch_error err = {0};
    struct text first[2], second[1];
    learn(&labels, &work, "I-X B-X", "B-X B-X");
    close_labels(&labels);
    uint32_t choice[2] = {0, 0};
    assert_true(labels_write(&labels, choice, 2, &work, first, &err));
    assert_true(labels_write(&labels, choice, 1, &work, second, &err));
    label_work_release(&work);
    assert_true(text_is(first[0], "I-X"));
    assert_true(text_is(first[1], "B-X"));
    assert_true(text_is(second[0], "I-X"));
    labels_release(&labels);
}

TEST(types_may_contain_anything)
{
    struct tag_labels labels = labels_start(SCHEME_BIOES, SCHEME_IOB2);
    struct label_work work = {0};
    learn(&labels, &work, "B-a-b I-a-b B-\xC3\xA9 O", "B-a-b E-a-b S-\xC3\xA9 O");
    close_labels(&labels);
    expect_written(&labels, &work, "B-a-b E-a-b S-\xC3\xA9 O", "B-a-b I-a-b B-\xC3\xA9 O");
    labels_end(&labels, &work);
}

TEST(sentences_may_be_empty_or_long)
{
    enum { LONG = 5000 };
    struct tag_labels labels = labels_start(SCHEME_BIOES, SCHEME_IOB1);
    struct label_work work = {0};
    struct vouch_error err = {0};
    static struct text gold[LONG], written[LONG];
    static uint32_t choice[LONG];
    assert_true(labels_choose(&labels, &labels.names, gold, 0, &work, choice, &err));
    for (uint32_t i = 0; i < LONG; i++)
        gold[i] = text_of(i % 7 == 3 ? "O" : "I-X");
    assert_true(labels_choose(&labels, &labels.names, gold, LONG, &work, choice, &err));
    close_labels(&labels);
    assert_true(labels_write(&labels, choice, LONG, &work, written, &err));
    for (uint32_t i = 0; i < LONG; i++)
        assert_true(text_equal(written[i], gold[i]));
    assert_true(labels_write(&labels, choice, 0, &work, written, &err));
    labels_end(&labels, &work);
}

/* One label, as the corpus would write it behind another. */
TEST(a_label_is_spelled_as_its_neighbour_asks)
{
    static const struct {
        enum scheme inner, outer;
        const char *before, *label, *expected;
    } table[] = {
        {SCHEME_BIOES, SCHEME_IOB2, "O", "S-X", "B-X"},   {SCHEME_BIOES, SCHEME_IOB2, "B-X", "E-X", "I-X"},
        {SCHEME_BIOES, SCHEME_IOB2, "B-X", "I-X", "I-X"}, {SCHEME_BIOES, SCHEME_IOB2, "O", "I-X", "B-X"},
        {SCHEME_BIOES, SCHEME_IOB2, "S-X", "B-X", "B-X"}, {SCHEME_BIOES, SCHEME_IOB2, NULL, "E-X", "B-X"},
        {SCHEME_BIOES, SCHEME_IOB1, "O", "S-X", "I-X"},   {SCHEME_BIOES, SCHEME_IOB1, "S-X", "S-X", "B-X"},
        {SCHEME_IOB2, SCHEME_IOB1, "O", "B-X", "I-X"},    {SCHEME_IOB2, SCHEME_IOB1, "I-X", "B-X", "B-X"},
        {SCHEME_IOB2, SCHEME_IOB1, "I-X", "I-X", "I-X"},  {SCHEME_IOB2, SCHEME_IOB1, "B-X", "O", "O"},
        {SCHEME_BIOES, SCHEME_BIOES, "O", "S-X", "S-X"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct tag_labels labels = {.inner = table[i].inner, .outer = table[i].outer};
        struct span_rules rules;
        struct vouch_error err = {0};
        static const char *const names[] = {"O", "B-X", "I-X", "E-X", "S-X"};
        for (size_t n = 0; n < 5; n++)
            assert_true(dictionary_add(&labels.names, text_of(names[n]), &err) != 0);
        assert_true(labels_close(&labels, &err) && labels_span_rules(&labels, &rules, &err));
        uint32_t before = table[i].before ? choice_of(&labels, text_of(table[i].before)) : NO_LABEL;
        uint32_t label = choice_of(&labels, text_of(table[i].label));
        assert_true(text_is(labels_spelled(&labels, before, label), table[i].expected));
        /* Written alike is what is spelled the same. */
        for (uint32_t y = 0; y < 5; y++) {
            bool same = text_equal(labels_spelled(&labels, before, label), labels_spelled(&labels, before, y));
            assert_true(span_alike(&rules, before == NO_LABEL ? 5 : before, label, y) == same);
        }
        span_rules_release(&rules);
        labels_release(&labels);
    }
}

/* Chooses the labels of a sentence in which "?" is open; `spelled` becomes the inner names. */
static bool choose_partly(enum scheme inner, enum scheme outer, const char *gold, char *spelled)
{
    struct tag_labels labels = labels_start(inner, outer);
    struct label_work work = {0};
    struct vouch_error err = {0};
    struct text label[MOST_WORDS];
    uint32_t choice[MOST_WORDS], N = words_of(gold, label);
    for (uint32_t i = 0; i < N; i++)
        label[i].length = text_is(label[i], "?") ? 0 : label[i].length;
    bool ok = labels_choose(&labels, &labels.names, label, N, &work, choice, &err);
    spelled[0] = 0;
    for (uint32_t i = 0; ok && i < N; i++) {
        struct text name = choice[i] == OPEN_CHOICE ? text_of("?") : labels_name(&labels, choice[i]);
        sprintf(spelled + strlen(spelled), "%s%.*s", i ? " " : "", (int)name.length, name.at);
    }
    assert_true(ok || (err.status == VOUCH_ERR_FORMAT && strstr(err.message, "in a sentence with open labels")));
    labels_end(&labels, &work);
    return ok;
}

TEST(a_sentence_with_open_labels_is_in_iob2_or_bioes)
{
    static const struct {
        enum scheme inner, outer;
        const char *gold, *expected; /* NULL: refused */
    } table[] = {
        {SCHEME_NONE, SCHEME_NONE, "N ? V", "N ? V"},
        {SCHEME_IOB2, SCHEME_IOB2, "? I-X B-X O", "? I-X B-X O"},
        {SCHEME_IOB2, SCHEME_IOB1, "? I-X O I-X B-X", "? I-X O B-X B-X"}, /* I-X after O begins a chunk */
        {SCHEME_IOB2, SCHEME_IOB1, "I-X I-X ? I-Y I-X", "B-X I-X ? I-Y B-X"},
        {SCHEME_IOB2, SCHEME_IOB1, "I-X O I-X B-X", "B-X O B-X B-X"}, /* nothing is open: read as IOB1 */
        {SCHEME_IOB2, SCHEME_BIOES, "? E-X S-X I-X", "? I-X B-X B-X"},
        {SCHEME_BIOES, SCHEME_BIOES, "? E-X S-X B-X ?", "? E-X S-X B-X ?"},
        {SCHEME_BIOES, SCHEME_IOB2, "? O ?", "? O ?"},
        {SCHEME_BIOES, SCHEME_IOB2, "B-X ?", NULL},
        {SCHEME_IOB1, SCHEME_IOB1, "? O", "? O"},
        {SCHEME_IOB1, SCHEME_IOB1, "? B-X", NULL},
        {SCHEME_IOB2, SCHEME_IOB2, "? ?", "? ?"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char spelled[400];
        assert_true(choose_partly(table[i].inner, table[i].outer, table[i].gold, spelled) == !!table[i].expected);
        if (table[i].expected)
            assert_string_equal(spelled, table[i].expected);
    }
}
