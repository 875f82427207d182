/* Tests tag score: every rule of conlleval by hand, the conversion of richer schemes, and the reports to the byte. */
#include "measure/tag_score.h"

#include "test.h"

enum { LONGEST = 32 };

/* Splits `labels` at spaces; the views point into it. */
static uint32_t words_of(const char *labels, struct text *word)
{
    uint32_t N = 0;
    while (*labels) {
        size_t length = strcspn(labels, " ");
        assert_true(N < LONGEST);
        word[N++] = (struct text){labels, (uint32_t)length};
        labels += length + (labels[length] == ' ');
    }
    return N;
}

static void add(struct tag_score *score, const char *gold, const char *guess)
{
    struct text a[LONGEST], b[LONGEST];
    uint32_t N = words_of(gold, a);
    assert_int_equal(N, words_of(guess, b));
    struct vouch_error err = {0};
    assert_true(tag_score_add(score, a, b, N, &err));
}

static void add_times(struct tag_score *score, unsigned times, const char *gold, const char *guess)
{
    while (times--)
        add(score, gold, guess);
}

static void assert_report(const struct tag_score *score, const char *expected)
{
    struct buffer text = {0};
    struct vouch_error err = {0};
    assert_true(tag_score_report(score, &text, &err));
    assert_string_equal(text.bytes, expected);
    free(text.bytes);
}

/* One sentence has so many phrases in the gold labels, in the guess, and in both, and so many right words. */
static void expect(const char *gold, const char *guess, struct tag_counts counts, uint64_t right)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add(&score, gold, guess);
    assert_int_equal(score.all.gold, counts.gold);
    assert_int_equal(score.all.guessed, counts.guessed);
    assert_int_equal(score.all.correct, counts.correct);
    assert_int_equal(score.right_words, right);
    tag_score_release(&score);
}

/* A labelling has so many phrases, and agrees with itself. */
static void expect_phrases(const char *labels, uint64_t phrases)
{
    struct text word[LONGEST];
    expect(labels, labels, (struct tag_counts){phrases, phrases, phrases}, words_of(labels, word));
}

TEST(chunks_start_at_b_at_i_after_o_and_at_a_change_of_type)
{
    expect_phrases("O O O", 0);
    expect_phrases("B-X I-X O", 1);
    expect_phrases("O I-X I-X", 1);
    expect_phrases("I-X O I-X", 2);
    expect_phrases("B-X I-Y I-Y", 2);
    expect_phrases("I-X I-Y I-X", 3);
    expect_phrases("I-X B-X I-X", 2);
    expect_phrases("B-X B-X B-X", 3);
    expect_phrases("B-X O B-X", 2);
}

TEST(a_chunk_is_correct_only_if_start_end_and_type_agree)
{
    expect("B-X I-X O", "B-X I-X O", (struct tag_counts){1, 1, 1}, 3);
    expect("B-X I-X O", "O B-X O", (struct tag_counts){1, 1, 0}, 1);
    expect("B-X I-X O", "B-X O O", (struct tag_counts){1, 1, 0}, 2);
    expect("B-X I-X O", "B-X I-X I-X", (struct tag_counts){1, 1, 0}, 2);
    expect("B-X I-X O", "B-Y I-Y O", (struct tag_counts){1, 1, 0}, 1);
    expect("B-X I-X O", "B-X I-Y O", (struct tag_counts){1, 2, 0}, 2);
    expect("B-X I-X I-X", "B-X B-X I-X", (struct tag_counts){1, 2, 0}, 2);
    expect("B-X O B-Y", "O O B-Y", (struct tag_counts){2, 1, 1}, 2);
    expect("O O O", "B-X O O", (struct tag_counts){0, 1, 0}, 2);
}

TEST(adjacent_chunks_are_judged_one_by_one)
{
    expect("B-X I-X B-X I-X", "B-X I-X I-X I-X", (struct tag_counts){2, 1, 0}, 3);
    expect("B-X B-X B-Y", "B-X B-X I-Y", (struct tag_counts){3, 3, 3}, 2);
    expect("B-X I-X B-X", "B-X I-X B-Y", (struct tag_counts){2, 2, 1}, 2);
}

TEST(iob1_and_iob2_spell_the_same_chunks)
{
    expect("B-X I-X B-X O B-Y", "I-X I-X B-X O I-Y", (struct tag_counts){3, 3, 3}, 3);
}

TEST(e_ends_a_chunk_in_ioe)
{
    expect_phrases("I-X E-X I-X E-X", 2);
    expect_phrases("E-X E-X", 2);
    expect("I-X E-X I-X E-X", "I-X I-X I-X E-X", (struct tag_counts){2, 1, 0}, 3);
    /* Without a hyphen a tag is of no scheme, and the rules of the script apply as they are. */
    expect_phrases("I E I E O E E", 4);
    expect_phrases("B I B O B", 3);
    expect("I E I", "I E E", (struct tag_counts){2, 2, 2}, 2);
}

TEST(bioes_is_read_as_the_chunks_it_means)
{
    expect_phrases("B-X E-X B-X E-X", 2);
    expect_phrases("S-X S-X O S-Y", 3);
    expect("B-X E-X B-X E-X", "B-X I-X I-X E-X", (struct tag_counts){2, 1, 0}, 3);
    expect("S-X B-X E-X", "B-X E-X S-X", (struct tag_counts){2, 2, 0}, 1);
    expect("B-X I-X E-X O S-Y", "B-X I-X I-X O B-Y", (struct tag_counts){2, 2, 2}, 5);
    expect("B-X-1 E-X-1 O", "B-X-1 E-X-1 S-X-2", (struct tag_counts){1, 2, 1}, 2);
}

TEST(bilou_and_bmes_are_bioes_by_other_letters)
{
    expect_phrases("B-X L-X B-X I-X L-X U-X", 3);
    expect_phrases("B-X M-X E-X S-X", 2);
    expect("B-X I-X L-X U-Y", "B-X M-X E-X S-Y", (struct tag_counts){2, 2, 2}, 4);
    expect("B-X I-X B-Y O", "B-X L-X U-Y O", (struct tag_counts){2, 2, 2}, 4);
}

TEST(labels_of_no_scheme_survive_the_conversion)
{
    expect("S-X O NN O Q-Y", "S-X O VB O Q-Y", (struct tag_counts){2, 2, 2}, 4);
}

TEST(every_sentence_stands_alone)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add(&score, "O B-X", "O B-X");
    add(&score, "I-X O", "I-X O");
    add(&score, "", "");
    add(&score, "B-X I-X", "B-X B-X");
    assert_int_equal(score.all.gold, 3);
    assert_int_equal(score.all.guessed, 4);
    assert_int_equal(score.all.correct, 2);
    assert_int_equal(score.words, 6);
    assert_int_equal(score.right_words, 5);
    assert_int_equal(score.sentences, 3);
    assert_int_equal(score.right_sentences, 2);
    tag_score_release(&score);
}

TEST(labels_are_split_at_the_first_hyphen)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add(&score, "B-NP-SBJ I-NP-SBJ B-NP", "B-NP-SBJ I-NP-SBJ B-NP");
    assert_int_equal(score.rows, 2);
    assert_string_equal(score.row[0].name, "NP");
    assert_string_equal(score.row[1].name, "NP-SBJ");
    assert_int_equal(score.row[1].counts.correct, 1);
    tag_score_release(&score);
    expect("B- I-", "B I", (struct tag_counts){1, 1, 1}, 2);
}

TEST(rows_are_the_types_of_either_side_in_byte_order)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add(&score, "B-b B-Z O B-ab B-a", "B-b O B-\xc3\xa9 B-ab O");
    assert_report(&score, "processed 5 tokens with 4 phrases; found: 3 phrases; correct: 2.\n"
                          "accuracy:  40.00%; precision:  66.67%; recall:  50.00%; FB1:  57.14\n"
                          "                Z: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n"
                          "                a: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n"
                          "               ab: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
                          "                b: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
                          "               \xc3\xa9: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n");
    tag_score_release(&score);
}

TEST(the_report_has_the_published_layout)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add_times(&score, 371, "B-NP", "B-NP");
    add_times(&score, 15, "B-NP I-NP", "B-NP B-NP");
    add_times(&score, 73, "B-NP I-NP", "B-NP O");
    add_times(&score, 64, "O", "B-NP");
    add_times(&score, 1, "O", "B-ADJP");
    add_times(&score, 349, "O", "O");
    assert_report(&score, "processed 961 tokens with 459 phrases; found: 539 phrases; correct: 371.\n"
                          "accuracy:  84.08%; precision:  68.83%; recall:  80.83%; FB1:  74.35\n"
                          "             ADJP: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n"
                          "               NP: precision:  68.96%; recall:  80.83%; FB1:  74.42  538\n");
    tag_score_release(&score);
}

TEST(nothing_at_all_is_one_line)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    assert_report(&score, "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.\n");
    tag_score_init(&score, TAG_LABELS);
    assert_report(&score, "processed 0 tokens in 0 sentences; 0 correct.\n");
}

TEST(parts_of_speech_are_no_chunks)
{
    struct tag_score score;
    tag_score_init(&score, TAG_CHUNKS);
    add(&score, "NN VB NN", "NN NN NN");
    assert_report(&score, "processed 3 tokens with 0 phrases; found: 0 phrases; correct: 0.\n"
                          "accuracy:  66.67%; precision:   0.00%; recall:   0.00%; FB1:   0.00\n");
    tag_score_release(&score);
}

TEST(labels_that_stand_for_themselves_are_counted_word_by_word)
{
    struct tag_score score;
    tag_score_init(&score, TAG_LABELS);
    add(&score, "NN VB NN", "NN NN NN");
    add(&score, "S-X O", "S-X O");
    add(&score, "VB", "JJ");
    assert_int_equal(score.all.gold, 6);
    assert_int_equal(score.all.guessed, 6);
    assert_int_equal(score.all.correct, 4);
    assert_int_equal(score.right_sentences, 1);
    assert_report(&score, "processed 6 tokens in 3 sentences; 4 correct.\n"
                          "accuracy:  66.67%; sentences:  33.33%\n"
                          "               JJ: precision:   0.00%; recall:   0.00%; FB1:   0.00  1\n"
                          "               NN: precision:  66.67%; recall: 100.00%; FB1:  80.00  3\n"
                          "                O: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
                          "              S-X: precision: 100.00%; recall: 100.00%; FB1: 100.00  1\n"
                          "               VB: precision:   0.00%; recall:   0.00%; FB1:   0.00  0\n");
    tag_score_release(&score);
}

TEST(a_report_replaces_the_one_before)
{
    struct tag_score many, none;
    tag_score_init(&many, TAG_CHUNKS);
    tag_score_init(&none, TAG_CHUNKS);
    add(&many, "B-X B-Y", "B-X B-Z");
    struct buffer text = {0};
    struct vouch_error err = {0};
    assert_true(tag_score_report(&many, &text, &err));
    text.length = 0;
    assert_true(tag_score_report(&none, &text, &err));
    assert_string_equal(text.bytes, "processed 0 tokens with 0 phrases; found: 0 phrases; correct: 0.\n");
    free(text.bytes);
    tag_score_release(&many);
    tag_score_release(&none);
}
