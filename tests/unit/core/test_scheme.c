/* Tests label schemes: taking labels apart, telling schemes apart, and converting between them. */
#include "core/scheme.h"

#include "test.h"
#include "words_of.h"

#define MOST_WORDS 40

static void expect_split(const char *label, char prefix, const char *type)
{
    struct text found;
    assert_int_equal(scheme_split(text_of(label), &found), prefix);
    assert_true(text_is(found, type));
}

TEST(labels_are_taken_apart)
{
    expect_split("B-PER", 'B', "PER");
    expect_split("I-B-NP", 'I', "B-NP");
    expect_split("E-X", 'E', "X");
    expect_split("S-X", 'S', "X");
    expect_split("O", 'O', "");
    expect_split("L-X", 'E', "X");
    expect_split("U-X", 'S', "X");
    expect_split("M-X", 'I', "X");
    expect_split("NN", 0, "NN");
    expect_split("B", 0, "B");
    expect_split("B-", 0, "B-");
    expect_split("b-X", 0, "b-X");
    expect_split("X-Y", 0, "X-Y");
    expect_split("O-X", 0, "O-X");
    expect_split("OO", 0, "OO");
    expect_split("", 0, "");
}

/* Sentences are separated by '/'. */
static enum scheme decide(const char *labels)
{
    struct scheme_watch watch = {0};
    char copy[400];
    snprintf(copy, sizeof copy, "%s", labels);
    for (char *sentence = copy, *slash; sentence; sentence = slash) {
        struct text label[MOST_WORDS];
        slash = strchr(sentence, '/');
        if (slash)
            *slash++ = '\0';
        scheme_see(&watch, label, words_of(sentence, label));
    }
    return scheme_decide(&watch);
}

TEST(schemes_are_recognised)
{
    assert_int_equal(decide("B-X I-X O B-Y B-Y"), SCHEME_IOB2);
    assert_int_equal(decide("O O/O"), SCHEME_IOB2);
    assert_int_equal(decide("I-X I-X O I-Y B-Y I-Y"), SCHEME_IOB1);
    assert_int_equal(decide("I-X I-Y"), SCHEME_IOB1);
    assert_int_equal(decide("O I-X/I-X O"), SCHEME_IOB1);
    assert_int_equal(decide("B-X E-X O S-Y"), SCHEME_BIOES);
    assert_int_equal(decide("B-X I-X L-X O U-Y"), SCHEME_BIOES);
    assert_int_equal(decide("B-X M-X E-X O S-Y"), SCHEME_BIOES);
    assert_int_equal(decide("I-X/B-X O"), SCHEME_IOB2);
    assert_int_equal(decide(""), SCHEME_NONE);
    assert_int_equal(decide("NN VBZ"), SCHEME_NONE);
    assert_int_equal(decide("B-X I-X O/O NN"), SCHEME_NONE);
}

TEST(what_was_seen_is_counted)
{
    struct text label[MOST_WORDS];
    struct scheme_watch watch = {0};
    scheme_see(&watch, label, words_of("I-X I-X B-X B-Y I-X O I-Z", label));
    scheme_see(&watch, label, words_of("B-X E-X I-X S-Q NN", label));
    assert_int_equal(watch.words, 12);
    assert_int_equal(watch.plain, 1);
    assert_int_equal(watch.single_or_end, 2);
    assert_int_equal(watch.opens_with_i, 4);
    assert_int_equal(watch.needless_b, 2);
}

static void expect_prefixes(const char *labels, enum scheme to, const char *expected)
{
    struct text label[MOST_WORDS];
    char prefix[MOST_WORDS + 1];
    uint32_t N = words_of(labels, label);
    scheme_convert(label, N, to, prefix);
    prefix[N] = '\0';
    assert_string_equal(prefix, expected);
}

/* The labels in any scheme, and the same chunks in all three. */
static void expect_conversions(const char *labels, const char *iob1, const char *iob2, const char *bioes)
{
    expect_prefixes(labels, SCHEME_IOB1, iob1);
    expect_prefixes(labels, SCHEME_IOB2, iob2);
    expect_prefixes(labels, SCHEME_BIOES, bioes);
}

TEST(chunks_are_spelled_in_every_scheme)
{
    expect_conversions("B-X I-X O B-Y B-Y I-Y I-Y O", "IIOIBIIO", "BIOBBIIO", "BEOSBIEO");
    expect_conversions("I-X I-X O I-Y B-Y I-Y I-Y O", "IIOIBIIO", "BIOBBIIO", "BEOSBIEO");
    expect_conversions("B-X E-X O S-Y B-Y I-Y E-Y O", "IIOIBIIO", "BIOBBIIO", "BEOSBIEO");
    expect_conversions("B-X L-X O U-Y B-Y M-Y L-Y O", "IIOIBIIO", "BIOBBIIO", "BEOSBIEO");
    expect_conversions("", "", "", "");
    expect_conversions("O", "O", "O", "O");
    expect_conversions("I-X", "I", "B", "S");
}

TEST(broken_sequences_are_read_as_conlleval_reads_them)
{
    expect_conversions("I-X I-Y", "II", "BB", "SS");
    expect_conversions("B-X I-Y I-Y", "III", "BBI", "SBE");
    expect_conversions("O E-X E-X", "OIB", "OBB", "OSS");
    expect_conversions("E-X I-X", "IB", "BB", "SS");
    expect_conversions("S-X I-X E-X", "IBI", "BBI", "SBE");
    expect_conversions("B-X NN I-X", "IOI", "BOB", "SOS");
}

/* Every sequence of five labels over two types keeps its chunks through any chain of schemes. */
TEST(conversion_and_back_changes_nothing)
{
    static const char *const letters[] = {"O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"};
    for (uint32_t code = 0; code < 9 * 9 * 9 * 9 * 9; code++) {
        struct text label[5], again[5];
        char expected[5], prefix[5], spelled[5][4];
        for (uint32_t i = 0, rest = code; i < 5; i++, rest /= 9)
            label[i] = text_of(letters[rest % 9]);
        scheme_convert(label, 5, SCHEME_IOB2, expected);
        for (enum scheme by = SCHEME_IOB1; by <= SCHEME_BIOES; by++) {
            scheme_convert(label, 5, by, prefix);
            for (uint32_t i = 0; i < 5; i++) {
                memcpy(spelled[i], label[i].at, label[i].length);
                spelled[i][0] = prefix[i];
                again[i] = (struct text){spelled[i], label[i].length};
            }
            scheme_convert(again, 5, SCHEME_IOB2, prefix);
            assert_memory_equal(prefix, expected, 5);
        }
    }
}

/* A scheme allows a sequence of its own letters if it would write the same chunks just so. */
TEST(what_a_scheme_writes_is_allowed_and_nothing_else)
{
    static const char *const letters[] = {"O", "B-X", "I-X", "B-Y", "I-Y", "E-X", "S-X", "E-Y", "S-Y"};
    for (enum scheme by = SCHEME_IOB1; by <= SCHEME_BIOES; by++) {
        uint32_t own = by == SCHEME_BIOES ? 9 : 5;
        for (uint32_t code = 0; code < own * own * own * own; code++) {
            struct text label[4];
            char prefix[4];
            bool same = true, allowed = true;
            for (uint32_t i = 0, rest = code; i < 4; i++, rest /= own)
                label[i] = text_of(letters[rest % own]);
            scheme_convert(label, 4, by, prefix);
            for (uint32_t i = 0; i <= 4; i++) {
                same = same && (i == 4 || prefix[i] == label[i].at[0]);
                allowed =
                    allowed && scheme_allows(by, i > 0 ? label[i - 1] : text_of("O"), i < 4 ? label[i] : text_of("O"));
            }
            assert_int_equal(same, allowed);
        }
    }
    assert_true(scheme_allows(SCHEME_NONE, text_of("O"), text_of("I-X")));
}

static void expect_scheme_of(const char *names, enum scheme scheme)
{
    struct text label[8];
    uint32_t count = 0;
    for (const char *at = names; *at; at += strcspn(at, " "), at += *at == ' ')
        label[count++] = (struct text){at, (uint32_t)strcspn(at, " ")};
    assert_int_equal(scheme_of_labels(label, count), scheme);
}

TEST(schemes_are_known_by_all_labels)
{
    expect_scheme_of("O B-X I-X B-Y I-Y", SCHEME_IOB2);
    expect_scheme_of("O I-X I-Y", SCHEME_IOB1);
    expect_scheme_of("O I-X I-Y B-Y", SCHEME_IOB1);
    expect_scheme_of("O B-X B-Y I-Y", SCHEME_IOB2);
    expect_scheme_of("O B-X I-X E-X S-X", SCHEME_BIOES);
    expect_scheme_of("O B-X L-X U-X", SCHEME_BIOES);
    expect_scheme_of("NN VB O", SCHEME_NONE);
}

TEST(schemes_have_names)
{
    assert_string_equal(scheme_name(SCHEME_NONE), "none");
    assert_string_equal(scheme_name(SCHEME_IOB1), "IOB1");
    assert_string_equal(scheme_name(SCHEME_IOB2), "IOB2");
    assert_string_equal(scheme_name(SCHEME_BIOES), "BIOES");
}

TEST(sentences_with_open_labels_do_not_tell_iob1_from_iob2)
{
    const struct text iob1[] = {text_of("O"), text_of("I-X"), text_of("I-X")};
    const struct text iob2[] = {text_of("O"), text_of("B-X"), text_of(""), text_of("I-X"), text_of("")};
    const struct text plain[] = {text_of(""), text_of("NOUN")}, last[] = {text_of(""), text_of("E-X")};
    struct scheme_watch watch = {0};
    scheme_see(&watch, iob2, 5);
    assert_int_equal(scheme_decide(&watch), SCHEME_IOB2); /* by rule */
    assert_int_equal(watch.i_after_open, 1);
    assert_int_equal(watch.words, 3);
    scheme_see(&watch, iob1, 3);
    assert_int_equal(scheme_decide(&watch), SCHEME_IOB1);
    scheme_see(&watch, last, 2);
    assert_int_equal(scheme_decide(&watch), SCHEME_BIOES);
    scheme_see(&watch, plain, 2);
    assert_int_equal(scheme_decide(&watch), SCHEME_NONE);
}
