/*
 * Tests features of arcs and of their relations: which rows there are, what is
 * in them, and what they depend on.
 */
#include "base/random.h"
#include "task/arc_features.h"
#include "tree/tree.h"

#include "simd_sets.h"
#include "test.h"

enum { LONGEST = 30, COLUMNS = 10, BITS = 20 };

/* The content of the columns that are looked at. */
struct token {
    const char *form, *lemma, *coarse, *fine, *feats;
};

static const struct token ada[] = {
    {"Ada", "Ada", "PROPN", "NNP", "Number=Sing"},
    {"saw", "see", "VERB", "VBD", "Tense=Past"},
    {"the", "the", "DET", "DT", "_"},
    {"old", "old", "ADJ", "JJ", "Degree=Pos"},
    {"bridge", "bridge", "NOUN", "NN", "_"},
    {"of", "of", "ADP", "IN", "_"},
    {"Łódź", "Łódź", "PROPN", "NNP", "_"},
    {".", ".", "PUNCT", ".", "_"},
};
enum { ADA = sizeof ada / sizeof *ada };

static struct vouch_error err;

/* The words of a sentence of ten columns. */
static void observe(const struct token *token, uint32_t N, struct arc_word *word)
{
    static uint32_t first[LONGEST + 1];
    static struct text cell[LONGEST * COLUMNS];
    struct sentence sentence = {.N = N, .first = first, .cell = cell, .tree = true};
    assert_true(N <= LONGEST);
    for (uint32_t i = 0; i < N; i++) {
        const char *cells[COLUMNS] = {
            "1", token[i].form, token[i].lemma, token[i].coarse, token[i].fine, token[i].feats, "_", "_", "_", "_"};
        first[i] = i * COLUMNS;
        for (uint32_t c = 0; c < COLUMNS; c++)
            cell[i * COLUMNS + c] = text_of(cells[c]);
    }
    first[N] = N * COLUMNS;
    arc_observe(&sentence, word);
}

/* Parts with the memory that they lie in, and all of their rows. */
struct built {
    struct parts parts;
    struct scratch scratch;
    struct rows rows;
    uint32_t *start, *feature;
};

/* Copies all rows, which come in pieces. */
static void keep_rows(struct built *built)
{
    uint32_t groups = built->parts.node.count, count = 0;
    struct rows rows;
    built->start = realloc(built->start, sizeof *built->start * (groups + 1));
    built->start[0] = 0;
    for (uint32_t g = 0; g < groups; g += rows.count) {
        rows = parts_rows(&built->parts, g, groups);
        uint32_t more = rows.start[rows.count] - rows.start[0];
        built->feature = realloc(built->feature, sizeof *built->feature * (count + more + 1));
        memcpy(built->feature + count, rows.feature + rows.start[0], sizeof *rows.feature * more);
        for (uint32_t i = 0; i < rows.count; i++)
            built->start[g + i + 1] = count + rows.start[i + 1] - rows.start[0];
        count += more;
    }
    built->rows = (struct rows){groups, built->start, built->feature, built->parts.node.value};
}

static void let_go(struct built *built)
{
    scratch_release(&built->scratch);
    free(built->start);
    free(built->feature);
}

static struct built arcs_of(const struct token *token, uint32_t N, uint32_t bits)
{
    struct arc_word word[LONGEST];
    struct built built = {0};
    observe(token, N, word);
    assert_true(arc_parts(word, N, bits, &built.scratch, &built.parts, &err));
    keep_rows(&built);
    return built;
}

static struct built relations_of(const struct token *token, const uint32_t *head, uint32_t N, uint32_t bits)
{
    struct arc_word word[LONGEST];
    struct built built = {0};
    observe(token, N, word);
    assert_true(relation_parts(word, head, N, bits, &built.scratch, &built.parts, &err));
    keep_rows(&built);
    return built;
}

/* The features of one row. */
struct row {
    const uint32_t *feature;
    uint32_t count;
};

static struct row row_at(const struct built *built, size_t g)
{
    const struct rows *rows = &built->rows;
    assert_true(g < rows->count);
    return (struct row){rows->feature + rows->start[g], rows->start[g + 1] - rows->start[g]};
}

/* Returns the row of the arc from `head` (0 the root) to `word`, both counted from 1. */
static struct row arc(const struct built *built, uint32_t head, uint32_t word)
{
    return row_at(built, tree_group(built->parts.N, word - 1, head));
}

static bool same(struct row a, struct row b)
{
    return a.count == b.count && memcmp(a.feature, b.feature, sizeof *a.feature * a.count) == 0;
}

static void expect_shape(const struct built *built, uint32_t groups, uint32_t bits)
{
    const struct rows *rows = &built->rows;
    assert_int_equal(rows->count, groups);
    assert_int_equal(rows->start[0], 0);
    assert_null(rows->value);
    assert_int_equal(built->parts.edge.count, 0);
    for (uint32_t g = 0; g < groups; g++)
        assert_true(rows->start[g] <= rows->start[g + 1]);
    for (uint32_t i = 0; i < rows->start[groups]; i++)
        assert_true(rows->feature[i] < UINT32_C(1) << bits);
}

TEST(every_word_and_head_have_a_row_and_self_rows_are_empty)
{
    static const uint32_t bits[] = {4, 10, 18, 28};
    for (uint32_t N = 0; N <= ADA; N++)
        for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
            struct built built = arcs_of(ada, N, bits[b]);
            assert_int_equal(built.parts.N, N);
            expect_shape(&built, N * (N + 1), bits[b]);
            for (uint32_t m = 1; m <= N; m++)
                for (uint32_t h = 0; h <= N; h++)
                    assert_int_equal(arc(&built, h, m).count > 0, h != m);
            let_go(&built);
        }
}

TEST(the_same_words_have_the_same_features)
{
    struct built once = arcs_of(ada, ADA, BITS), again = arcs_of(ada, ADA, BITS);
    for (uint32_t g = 0; g < ADA * (ADA + 1); g++)
        assert_true(same(row_at(&once, g), row_at(&again, g)));
    let_go(&once);
    let_go(&again);
}

/* Memory that was used for a longer sentence leaves no trace. */
TEST(memory_is_used_again)
{
    struct arc_word word[LONGEST];
    struct built fresh = arcs_of(ada, 3, BITS), used = arcs_of(ada, ADA, BITS);
    observe(ada, 3, word);
    assert_true(arc_parts(word, 3, BITS, &used.scratch, &used.parts, &err));
    keep_rows(&used);
    expect_shape(&used, 12, BITS);
    for (uint32_t g = 0; g < 12; g++)
        assert_true(same(row_at(&fresh, g), row_at(&used, g)));
    let_go(&fresh);
    let_go(&used);
}

/* The place of an arc in the sentence does not matter, only what is around its ends. */
TEST(an_arc_has_the_same_features_wherever_it_stands)
{
    struct token twice[2 * ADA];
    memcpy(twice, ada, sizeof ada);
    memcpy(twice + ADA, ada, sizeof ada);
    struct built built = arcs_of(twice, 2 * ADA, BITS);
    for (uint32_t m = 3; m + 1 < ADA; m++)
        for (uint32_t h = 3; h + 1 < ADA; h++)
            assert_true(same(arc(&built, h, m), arc(&built, h + ADA, m + ADA)));
    let_go(&built);
}

TEST(direction_distance_and_the_root_are_seen)
{
    struct token alike[LONGEST];
    for (uint32_t i = 0; i < LONGEST; i++)
        alike[i] = ada[2];
    struct built built = arcs_of(alike, LONGEST, BITS);
    assert_false(same(arc(&built, 10, 11), arc(&built, 11, 10)));
    assert_false(same(arc(&built, 0, 11), arc(&built, 10, 11)));
    for (uint32_t far = 1; far < 6; far++)
        assert_false(same(arc(&built, 10, 10 + far), arc(&built, 10, 11 + far)));
    assert_false(same(arc(&built, 5, 15), arc(&built, 5, 16))); /* 10 and 11 apart */
    assert_true(same(arc(&built, 5, 12), arc(&built, 5, 13)));  /* 7 and 8 apart: both are six to ten */
    let_go(&built);
}

TEST(every_column_that_is_looked_at_makes_a_difference)
{
    struct token changed[5][ADA];
    for (int i = 0; i < 5; i++)
        memcpy(changed[i], ada, sizeof ada);
    changed[0][4].form = "tower";
    changed[1][4].lemma = "tower";
    changed[2][4].coarse = "X";
    changed[3][4].fine = "NNS";
    changed[4][4].feats = "Number=Plur";
    struct built before = arcs_of(ada, ADA, 28);
    for (int i = 0; i < 5; i++) {
        struct built after = arcs_of(changed[i], ADA, 28);
        for (uint32_t other = 1; other <= ADA; other++)
            if (other != 5) {
                assert_false(same(arc(&before, 5, other), arc(&after, 5, other)));
                assert_false(same(arc(&before, other, 5), arc(&after, other, 5)));
            }
        if (i != 2 && i != 3) /* tags are seen by neighbours, and by arcs that cover them; the others are not */
            assert_true(same(arc(&before, 1, 7), arc(&after, 1, 7)));
        let_go(&after);
    }
    let_go(&before);
}

/* "_" is nothing: features that would need it are not there. */
TEST(what_is_not_there_has_no_features)
{
    struct token bare[2] = {ada[0], ada[1]};
    struct built full = arcs_of(bare, 2, BITS);
    bare[0].feats = "_";
    struct built less = arcs_of(bare, 2, BITS);
    bare[0].lemma = bare[1].lemma = bare[1].feats = "_";
    struct built least = arcs_of(bare, 2, BITS);
    assert_true(arc(&less, 1, 2).count < arc(&full, 1, 2).count);
    assert_true(arc(&least, 1, 2).count < arc(&less, 1, 2).count);
    let_go(&full);
    let_go(&less);
    let_go(&least);
}

TEST(each_tag_stands_in_for_the_other)
{
    static const struct token fine[] = {{"a", "_", "_", "DT", "_"}}, coarse[] = {{"a", "_", "DT", "_", "_"}},
                              both[] = {{"a", "_", "DT", "DT", "_"}}, none[] = {{"a", "_", "_", "_", "_"}};
    struct arc_word word[4];
    observe(fine, 1, &word[0]);
    observe(coarse, 1, &word[1]);
    observe(both, 1, &word[2]);
    observe(none, 1, &word[3]);
    assert_true(word[2].tag != 0);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(&word[i], &word[2], sizeof *word);
    assert_true(word[3].tag == 0 && word[3].fine == 0 && word[3].lemma == 0 && word[3].feats == 0);
    assert_true(word[3].form != 0);
}

/* A word that is spelled "_" is a word. */
TEST(an_underscore_may_be_a_form)
{
    static const struct token underscore[] = {{"_", "_", "SYM", "_", "_"}};
    struct arc_word word;
    observe(underscore, 1, &word);
    assert_true(word.form != 0);
}

/* Words that end alike share the ending, counted in characters; the rest of them differs. */
TEST(the_ending_is_three_characters)
{
    static const struct token token[] = {{"nation", "_", "_", "NN", "_"},
                                         {"motion", "_", "_", "NN", "_"},
                                         {"Łódź", "_", "_", "NN", "_"},
                                         {"ódź", "_", "_", "NN", "_"},
                                         {"dź", "_", "_", "NN", "_"}};
    struct arc_word word[5];
    observe(token, 5, word);
    assert_true(word[0].ending == word[1].ending && word[0].form != word[1].form);
    assert_true(word[2].ending == word[3].ending && word[2].form != word[3].form);
    assert_true(word[3].ending != word[4].ending && word[0].ending != word[2].ending);
}

/* Tags between head and modifier count once each, and no more than a dozen. */
TEST(the_tags_between_are_counted_once)
{
    static const char *const tags[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I", "J",
                                       "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T"};
    struct token alike[22], various[22];
    for (uint32_t i = 0; i < 22; i++) {
        alike[i] = various[i] = ada[2];
        if (i > 0 && i < 21)
            various[i].coarse = tags[i - 1];
    }
    struct built a = arcs_of(alike, 22, BITS), b = arcs_of(various, 22, BITS);
    uint32_t none = arc(&a, 1, 2).count;
    assert_int_equal(arc(&a, 1, 3).count, none + 1);
    assert_int_equal(arc(&a, 1, 22).count, none + 1);
    assert_int_equal(arc(&a, 22, 1).count, none + 1);
    for (uint32_t between = 0; between <= 20; between++)
        assert_int_equal(arc(&b, 1, between + 2).count, none + (between < 12 ? between : 12));
    let_go(&a);
    let_go(&b);
}

/* Verbs, marks and conjunctions between head and modifier are counted, up to three of each. */
TEST(words_between_are_counted_by_kind)
{
    static const struct token kinds[] = {{"go", "go", "VERB", "VB", "_"},
                                         {"is", "be", "AUX", "VB", "_"},
                                         {",", ",", "X", "X", "_"},
                                         {"and", "and", "CCONJ", "CC", "_"},
                                         {"if", "if", "SCONJ", "IN", "_"}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct token token[20];
        struct built built[6];
        for (uint32_t i = 0; i < 20; i++)
            token[i] = ada[2];
        for (uint32_t count = 0; count < 6; count++) {
            built[count] = arcs_of(token, 20, BITS);
            token[6 + count] = kinds[k];
        }
        for (uint32_t count = 1; count < 6; count++) /* from one on, the same tags lie between */
            assert_int_equal(same(arc(&built[count], 1, 20), arc(&built[count - 1], 1, 20)), count > 3);
        for (uint32_t count = 0; count < 6; count++)
            let_go(&built[count]);
    }
}

/* Agreement: every morphological feature of the head with every one of the modifier, of four each. */
TEST(morphology_is_seen_in_pairs)
{
    static const char *const feats[] = {"A=1", "A=1|B=2", "A=1|B=2|C=3", "A=1|B=2|C=3|D=4", "A=1|B=2|C=3|D=4|E=5"};
    struct token token[] = {ada[0], ada[1]};
    token[0].feats = token[1].feats = feats[0];
    struct built one = arcs_of(token, 2, BITS);
    for (uint32_t a = 0; a < 5; a++)
        for (uint32_t b = 0; b < 5; b++) {
            token[0].feats = feats[a];
            token[1].feats = feats[b];
            struct built built = arcs_of(token, 2, BITS);
            uint32_t pairs = (a < 4 ? a + 1 : 4) * (b < 4 ? b + 1 : 4);
            assert_int_equal(arc(&built, 1, 2).count, arc(&one, 1, 2).count - 1 + pairs);
            assert_int_equal(arc(&built, 0, 2).count, arc(&one, 0, 2).count); /* the root has none */
            let_go(&built);
        }
    let_go(&one);
}

/* A block's number is made of the first bits of a hash: a smaller table folds a larger one, but for the distance. */
TEST(fewer_bits_fold_the_blocks)
{
    struct built large = arcs_of(ada, ADA, 24), small = arcs_of(ada, ADA, 10);
    assert_int_equal(small.start[small.rows.count], large.start[large.rows.count]);
    for (uint32_t m = 1; m <= ADA; m++) {
        struct row from = arc(&large, 0, m), to = arc(&small, 0, m);
        for (uint32_t i = 0; i < from.count; i++)
            assert_int_equal(to.feature[i], from.feature[i] >> 14);
    }
    let_go(&large);
    let_go(&small);
}

/* The features of both words come first, then the same with the distance: in the same eight blocks. */
TEST(distance_stays_within_a_cache_line)
{
    struct token alike[LONGEST];
    for (uint32_t i = 0; i < LONGEST; i++)
        alike[i] = ada[2]; /* without morphology: 42 templates, 7 of one word; and 4 counts of words between */
    struct built built = arcs_of(alike, LONGEST, BITS);
    for (uint32_t far = 1; far < 15; far++) {
        struct row row = arc(&built, 10, 10 + far);
        uint32_t step = far <= 5 ? far : far <= 10 ? 6 : 7;
        assert_int_equal(row.count, 2 * 42 + 2 * 7 + 4 + (far > 1));
        for (uint32_t i = 0; i < 42; i++)
            assert_int_equal(row.feature[42 + i], row.feature[i] ^ step);
    }
    let_go(&built);
}

/* Blocks are used evenly: no half of the table is left out. */
TEST(features_are_spread_over_the_table)
{
    struct built built = arcs_of(ada, ADA, 8);
    uint32_t features = built.start[built.rows.count], seen[256] = {0}, used = 0;
    for (uint32_t i = 0; i < features; i++)
        used += seen[built.feature[i]]++ == 0;
    assert_true(features > 2000);
    assert_true(used > 250);
    let_go(&built);
}

TEST(relations_have_one_row_a_word)
{
    static const uint32_t head[] = {2, 0, 5, 5, 2, 7, 5, 2};
    static const uint32_t bits[] = {4, 18, 28};
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        struct built built = relations_of(ada, head, ADA, bits[b]);
        assert_int_equal(built.parts.N, ADA);
        expect_shape(&built, ADA, bits[b]);
        for (uint32_t m = 0; m < ADA; m++)
            assert_true(row_at(&built, m).count > 0);
        let_go(&built);
    }
    struct built none = relations_of(ada, head, 0, BITS);
    expect_shape(&none, 0, BITS);
    let_go(&none);
}

/* A relation is known by the features of its arc, but for those of the words between, and by others. */
TEST(a_relation_has_the_features_of_its_arc)
{
    static const uint32_t head[] = {2, 0, 5, 5, 2, 7, 5, 2};
    struct built relations = relations_of(ada, head, ADA, BITS), arcs = arcs_of(ada, ADA, BITS);
    for (uint32_t m = 1; m <= ADA; m++) {
        struct row relation = row_at(&relations, m - 1), whole = arc(&arcs, head[m - 1], m);
        uint32_t alike = 0;
        while (alike < whole.count && whole.feature[alike] == relation.feature[alike])
            alike++;
        assert_true(alike >= (head[m - 1] ? 2 * 42 + 14 : 42 + 14));
        assert_true(relation.count > alike);
    }
    let_go(&relations);
    let_go(&arcs);
}

/* The sixth word moves from the seventh to the fifth: both, and the children of the fifth, have another tree around. */
TEST(another_head_changes_the_rows_of_those_around_it)
{
    static const uint32_t head[] = {2, 0, 5, 5, 2, 7, 5, 2}, other[] = {2, 0, 5, 5, 2, 5, 5, 2};
    static const bool changed[] = {false, false, true, true, true, true, true, false};
    struct built a = relations_of(ada, head, ADA, BITS), b = relations_of(ada, other, ADA, BITS);
    for (uint32_t m = 0; m < ADA; m++)
        assert_int_equal(same(row_at(&a, m), row_at(&b, m)), !changed[m]);
    let_go(&a);
    let_go(&b);
}

/* A relation sees the words around it in the tree, however far they are in the sentence, and no others. */
TEST(a_relation_sees_children_siblings_and_grandparent)
{
    /* the chain 1 <- 2 <- 3 <- 4 of heads, and 5 to 8 below the last */
    static const uint32_t head[] = {2, 3, 4, 0, 4, 4, 4, 4};
    static const bool seen[ADA][ADA] = {
        [0] = {[0] = true, [1] = true, [2] = true}, [1] = {[0] = true, [1] = true, [2] = true, [3] = true}};
    struct built before = relations_of(ada, head, ADA, 28);
    for (uint32_t i = 0; i < ADA; i++) {
        struct token changed[ADA];
        memcpy(changed, ada, sizeof ada);
        changed[i].lemma = "other";
        struct built after = relations_of(changed, head, ADA, 28);
        for (uint32_t m = 0; m < 2; m++)
            assert_int_equal(same(row_at(&before, m), row_at(&after, m)), !seen[m][i]);
        for (uint32_t m = 4; m < ADA; m++) /* siblings: each sees the others, their head, and no word below it */
            assert_int_equal(same(row_at(&before, m), row_at(&after, m)), i < 2);
        let_go(&after);
    }
    let_go(&before);
}

/* Words of a few tags, some of which come seldom, and of columns that are missing now and then. */
static void make_words(struct arc_word *word, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++) {
        uint32_t x = (i * 2654435761u) >> 16, tag = x % 97 == 0 ? 40 + x % 11 : 10 + x % 7;
        word[i] = (struct arc_word){.form = 1 + x % 211, .lemma = 1 + x % 190, .tag = tag, .ending = 1 + x % 31};
        for (uint32_t k = 0; k < x % 5; k++)
            word[i].morph[k] = 1 + (x + k) % 9;
        word[i].feats = x % 5;
        word[i].fine = x % 13 ? tag + x % 3 : 0;
    }
}

/* Rows do not depend on how many are asked for, nor on what columns are missing elsewhere in the sentence. */
TEST(rows_of_long_sentences_are_those_of_short_ones)
{
    enum { SHORT = 60, LONG = 110 };
    static struct arc_word word[LONG];
    struct built some = {0}, all = {0};
    make_words(word, LONG);
    for (uint32_t i = 0; i < SHORT; i++)
        word[i].fine = 7 + i % 5; /* no short sentence lacks it, the long one does */
    assert_true(arc_parts(word, SHORT, BITS, &some.scratch, &some.parts, &err));
    assert_true(arc_parts(word, LONG, BITS, &all.scratch, &all.parts, &err));
    keep_rows(&some);
    uint32_t groups = all.parts.node.count;
    struct rows rows;
    assert_int_equal(groups, LONG * (LONG + 1));
    for (uint32_t g = 0; g < groups; g += rows.count) {
        uint32_t to = g + 1 + (g * 7919u) % 300; /* pieces of any size, within a word and across words */
        rows = parts_rows(&all.parts, g, to < groups ? to : groups);
        assert_true(rows.count >= 1 && g + rows.count <= to);
        for (uint32_t i = 0; i < rows.count; i++) {
            uint32_t head = (g + i) % (LONG + 1), m = (g + i) / (LONG + 1) + 1;
            struct row one = {rows.feature + rows.start[i], rows.start[i + 1] - rows.start[i]};
            if (head + 1 < SHORT && m + 1 < SHORT && !same(one, arc(&some, head, m)))
                fail_msg("the arc from %u to %u has other features in a longer sentence", head, m);
            assert_true(one.count > 0 || head == m);
        }
    }
    let_go(&some);
    let_go(&all);
}

/* All instruction sets that the processor has make the same rows, of any number of words and any columns. */
TEST(instruction_sets_make_the_same_rows)
{
    enum { MOST = 40 };
    static struct arc_word word[MOST];
    for (uint32_t N = 1; N <= MOST; N++) {
        make_words(word, N);
        for (uint32_t i = 0; i < N; i++) {
            word[i].lemma = N % 3 == 0 ? 0 : word[i].lemma;
            word[i].fine = N % 5 == 0 ? 0 : word[i].fine;
        }
        struct built plain = {0}, other = {0};
        EACH_SIMD_SET
        {
            struct built *built = simd_set == SIMD_PLAIN ? &plain : &other;
            assert_true(arc_parts(word, N, BITS, &built->scratch, &built->parts, &err));
            keep_rows(built);
            for (uint32_t g = 0; g < N * (N + 1); g++)
                assert_true(same(row_at(&plain, g), row_at(built, g)));
        }
        let_go(&plain);
        let_go(&other);
    }
}

/* A finished model's weights, at most 2^15 steps each, are summed up to what the rows give, to the last bit. */
TEST(sums_of_steps_are_the_scores_of_rows)
{
    enum { MOST = 40, SIZE = 1 << BITS };
    static struct arc_word word[MOST];
    static float weight[SIZE + SLACK];
    static int16_t count[SIZE + SLACK];
    const struct weight_steps steps = {count, 0.125f}, none = {0};
    const struct space space = {.width = 1, .nodes = SIZE};
    struct rng rng = rng_new(6, 1);
    struct built built = {0};
    struct scores scores = {0}, sums = {0};
    for (size_t i = 0; i < SIZE; i++) {
        count[i] = (int16_t)((int32_t)rng_below(&rng, i % 2 ? 1 << 16 : 100) - (i % 2 ? 1 << 15 : 50));
        weight[i] = (float)count[i] * steps.step;
    }
    for (uint32_t N = 1; N <= MOST; N++) {
        make_words(word, N);
        for (uint32_t i = 0; i < N; i++) {
            word[i].lemma = N % 3 == 0 ? 0 : word[i].lemma;
            word[i].fine = N % 5 == 0 ? 0 : word[i].fine;
            word[i].feats = N % 7 == 0 ? 0 : word[i].feats;
        }
        assert_true(arc_parts(word, N, BITS, &built.scratch, &built.parts, &err));
        assert_true(parts_score_steps(&built.parts, &space, weight, &none, &scores, &err));
        EACH_SIMD_SET
        {
            assert_true(arc_parts(word, N, BITS, &built.scratch, &built.parts, &err));
            assert_true(parts_score_steps(&built.parts, &space, weight, &steps, &sums, &err));
            assert_int_equal(sums.G, N * (N + 1));
            assert_memory_equal(sums.node, scores.node, sizeof *sums.node * sums.G);
        }
    }
    scores_release(&scores);
    scores_release(&sums);
    scratch_release(&built.scratch);
}
