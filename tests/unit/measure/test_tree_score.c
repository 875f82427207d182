/* Tests tree scores against counts made by hand. */
#include "measure/tree_score.h"

#include "test.h"

enum { MOST = 40 };

/* A sentence: heads, and relations as one string with blanks between. */
struct tree {
    uint32_t head[MOST];
    const char *relation;
};

static struct vouch_error err;

static void split(const char *words, struct text *word)
{
    for (uint32_t i = 0; *words; i++) {
        size_t length = strcspn(words, " ");
        word[i] = (struct text){words, (uint32_t)length};
        words += length + (words[length] == ' ');
    }
}

/* `marks`: a '.' for every word that is punctuation, anything else for the others. */
static void add(struct tree_score *score, const char *marks, const struct tree *gold, const struct tree *guess)
{
    struct text relation[2][MOST];
    bool punctuation[MOST];
    struct tree_pair pair = {.N = (uint32_t)strlen(marks),
                             .gold_head = gold->head,
                             .head = guess->head,
                             .gold_relation = gold->relation ? relation[0] : NULL,
                             .relation = guess->relation ? relation[1] : NULL,
                             .punctuation = punctuation};
    if (gold->relation)
        split(gold->relation, relation[0]);
    if (guess->relation)
        split(guess->relation, relation[1]);
    for (uint32_t i = 0; i < pair.N; i++)
        punctuation[i] = marks[i] == '.';
    assert_true(tree_score_add(score, &pair, &err));
}

static void expect_attachment(const struct attachment *a, uint64_t words, uint64_t heads, uint64_t labelled,
                              uint64_t universal)
{
    assert_int_equal(a->words, words);
    assert_int_equal(a->heads, heads);
    assert_int_equal(a->labelled, labelled);
    assert_int_equal(a->universal, universal);
}

static const struct tag_row *row_named(const struct tree_score *score, const char *name)
{
    for (size_t i = 0; i < score->rows; i++)
        if (strcmp(score->row[i].name, name) == 0)
            return &score->row[i];
    fail_msg("no row '%s'", name);
    return NULL;
}

static void expect_row(const struct tree_score *score, const char *name, uint64_t gold, uint64_t guessed,
                       uint64_t heads, uint64_t correct)
{
    const struct tag_row *row = row_named(score, name);
    assert_int_equal(row->length, strlen(name));
    assert_int_equal(row->counts.gold, gold);
    assert_int_equal(row->counts.guessed, guessed);
    assert_int_equal(row->heads, heads);
    assert_int_equal(row->counts.correct, correct);
}

TEST(heads_and_relations_are_counted_over_all_words_and_without_punctuation)
{
    static const struct tree gold = {{2, 0, 4, 2, 2}, "nsubj root det obj punct"};
    static const struct tree guess = {{2, 0, 2, 2, 4}, "obj root det obj punct"};
    struct tree_score score = {0};
    add(&score, "wwww.", &gold, &guess);
    expect_attachment(&score.all, 5, 3, 2, 2);        /* words 1, 2 and 4; 2 and 4 with the relation */
    expect_attachment(&score.words_only, 4, 3, 2, 2); /* the wrong full stop is left out */
    assert_int_equal(score.sentences, 1);
    assert_int_equal(score.complete, 0);
    assert_int_equal(score.complete_labelled, 0);
    tree_score_release(&score);
}

TEST(a_right_relation_on_a_wrong_head_is_wrong)
{
    static const struct tree gold = {{2, 0, 2}, "det root obj"}, guess = {{3, 0, 2}, "det root obj"};
    struct tree_score score = {0};
    add(&score, "www", &gold, &guess);
    expect_attachment(&score.all, 3, 2, 2, 2);
    expect_row(&score, "det", 1, 1, 0, 0);
    expect_row(&score, "obj", 1, 1, 1, 1);
    tree_score_release(&score);
}

/* What stands before the colon is compared for the universal score, to the letter for the other. */
TEST(subtypes_count_for_the_universal_relation)
{
    static const struct tree gold = {{5, 5, 5, 5, 0, 5}, "nsubj:pass obl nmod:poss aux:pass root nsubj"};
    static const struct tree guess = {{5, 5, 5, 5, 0, 5}, "nsubj obl:agent nmod:poss aux: root nsub"};
    struct tree_score score = {0};
    add(&score, "wwwwww", &gold, &guess);
    expect_attachment(&score.all, 6, 6, 2, 5); /* nmod:poss and root; all but nsub */
    assert_int_equal(score.complete, 1);
    assert_int_equal(score.complete_labelled, 0);
    tree_score_release(&score);
}

TEST(complete_trees_are_right_in_every_word)
{
    static const struct tree gold = {{2, 0, 2}, "det root punct"};
    static const struct tree other = {{2, 0, 2}, "amod root punct"}, wrong = {{2, 0, 1}, "det root punct"};
    struct tree_score score = {0};
    add(&score, "ww.", &gold, &gold);
    add(&score, "ww.", &gold, &other);
    add(&score, "ww.", &gold, &wrong); /* punctuation counts here */
    assert_int_equal(score.sentences, 3);
    assert_int_equal(score.complete, 2);
    assert_int_equal(score.complete_labelled, 1);
    expect_attachment(&score.all, 9, 8, 7, 7);
    expect_attachment(&score.words_only, 6, 6, 5, 5);
    tree_score_release(&score);
}

TEST(roots_must_be_the_same_words)
{
    static const struct tree one = {{2, 0, 2}, "a b c"}, other = {{0, 1, 2}, "a b c"}, two = {{0, 0, 2}, "a b c"};
    struct tree_score score = {0};
    add(&score, "www", &one, &one);
    add(&score, "www", &one, &other);
    add(&score, "www", &one, &two); /* one of two is right: that is not right */
    add(&score, "www", &two, &one);
    add(&score, "www", &two, &two);
    assert_int_equal(score.right_roots, 2);
    assert_int_equal(score.one_root, 3); /* in the guesses */
    tree_score_release(&score);
}

/* Rows go by the length of the gold arc, whatever was guessed. */
TEST(arcs_are_counted_by_their_length)
{
    static const char *const names[] = {"root", "1", "2", "3", "4-6", "7-10", "11-20", "21+"};
    static const uint32_t length[] = {1, 2, 3, 4, 6, 7, 10, 11, 20, 21, 30};
    static const uint64_t words[DISTANCES] = {1, 1, 1, 1, 2, 2, 2, 2};
    struct tree gold = {{0}, NULL}, guess = {{0}, NULL};
    char marks[MOST] = "";
    struct tree_score score = {0};
    for (uint32_t i = 0; i < 31; i++) {
        gold.head[i] = i == 0 ? 0 : 1; /* arcs of length 1, 2, ... 30 */
        guess.head[i] = i == 20 ? 20 : gold.head[i];
        strcat(marks, "w");
    }
    add(&score, marks, &gold, &guess);
    uint64_t all[DISTANCES] = {1, 1, 1, 1, 3, 4, 10, 10};
    for (uint32_t d = 0; d < DISTANCES; d++) {
        assert_string_equal(tree_distance_name[d], names[d]);
        assert_int_equal(score.distance[d].words, all[d]);
        assert_int_equal(score.distance[d].heads, all[d] - (d == 6)); /* word 21 is 20 away */
    }
    tree_score_release(&score);

    /* The same to the right of the modifier, at the bounds of each row. */
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        struct tree right = {{0}, NULL};
        memset(marks, 'w', MOST - 1);
        marks[length[i] + 1] = '\0';
        for (uint32_t w = 0; w <= length[i]; w++)
            right.head[w] = w == 0 ? length[i] + 1 : 0;
        add(&score, marks, &right, &right);
    }
    for (uint32_t d = 1; d < DISTANCES; d++)
        assert_int_equal(score.distance[d].words, words[d]);
    tree_score_release(&score);
}

TEST(relations_are_listed_by_name)
{
    static const struct tree gold = {{3, 3, 0, 3}, "nsubj det root nsubj:pass"};
    static const struct tree guess = {{3, 3, 0, 2}, "nsubj nsubj root nsubj:pass"};
    static const char *const names[] = {"det", "nsubj", "nsubj:pass", "root"};
    struct tree_score score = {0};
    add(&score, "wwww", &gold, &guess);
    assert_int_equal(score.rows, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(score.row[i].name, names[i]);
    expect_row(&score, "det", 1, 0, 1, 0);
    expect_row(&score, "nsubj", 1, 2, 1, 1);
    expect_row(&score, "nsubj:pass", 1, 1, 0, 0);
    expect_row(&score, "root", 1, 1, 1, 1);
    tree_score_release(&score);
}

/* Many relations, in an order that makes rows move. */
TEST(rows_keep_their_counts_when_others_come)
{
    struct tree_score score = {0};
    char name[16];
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 200; i++) {
            snprintf(name, sizeof name, "r%03d", i * 77 % 200);
            struct tree one = {{0}, name};
            add(&score, "w", &one, &one);
        }
    assert_int_equal(score.rows, 200);
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "r%03d", i);
        assert_string_equal(score.row[i].name, name);
        expect_row(&score, name, 3, 3, 3, 3);
    }
    tree_score_release(&score);
}

TEST(without_relations_heads_alone_count)
{
    static const struct tree gold = {{2, 0, 2}, "det root obj"}, guess = {{2, 0, 1}, NULL};
    struct tree_score score = {0};
    add(&score, "ww.", &gold, &guess);
    assert_int_equal(score.all.words, 3);
    assert_int_equal(score.all.heads, 2);
    assert_int_equal(score.words_only.words, 2);
    assert_int_equal(score.words_only.heads, 2);
    assert_int_equal(score.rows, 0);
    tree_score_release(&score);
}

TEST(sentences_add_up)
{
    static const struct tree gold = {{2, 0, 2}, "det root obj"}, guess = {{2, 0, 1}, "det root obj"};
    struct tree_score once = {0}, often = {0};
    add(&once, "ww.", &gold, &guess);
    for (int i = 0; i < 1000; i++)
        add(&often, "ww.", &gold, &guess);
    assert_int_equal(often.sentences, 1000 * once.sentences);
    expect_attachment(&often.all, 1000 * once.all.words, 1000 * once.all.heads, 1000 * once.all.labelled,
                      1000 * once.all.universal);
    assert_int_equal(often.rows, once.rows);
    tree_score_release(&once);
    tree_score_release(&often);
    assert_int_equal(often.rows, 0);
    tree_score_release(&often);
}
