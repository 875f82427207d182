/* Tests an encoded corpus: its rows and gold labels, the cut-off, and what learning gets to see. */
#include "base/hash.h"
#include "base/random.h"
#include "task/tag_set.h"

#include "test.h"
#include "words_of.h"

enum { MOST_WORDS = 16, MOST_FEATURES = 64, MOST_SENTENCES = 40 };

/* Rows made by hand, with memory of their own. */
struct row_store {
    uint32_t start[MOST_WORDS + 1], feature[MOST_WORDS * MOST_FEATURES];
    float value[MOST_WORDS * MOST_FEATURES];
};

struct example_store {
    struct row_store node, edge;
    struct parts parts;
};

/* "0 1,2 0" is three rows, of one, two and one features. */
static struct rows rows_of(struct row_store *store, const char *text)
{
    uint32_t count = 0, at = 0;
    store->start[0] = 0;
    while (*text) {
        char *end;
        store->feature[at] = (uint32_t)strtoul(text, &end, 10);
        store->value[at] = (float)(at + 2);
        at++;
        if (*end != ',')
            store->start[++count] = at;
        text = end + (*end != '\0');
    }
    return (struct rows){count, store->start, store->feature, NULL};
}

static const struct parts *parts_of(struct example_store *store, const char *node, const char *edge, bool values)
{
    store->parts = (struct parts){.node = rows_of(&store->node, node), .edge = rows_of(&store->edge, edge)};
    store->parts.N = store->parts.node.count;
    if (values)
        store->parts.node.value = store->node.value;
    return &store->parts;
}

static void add(struct tag_set *set, const struct parts *parts, const char *gold)
{
    struct vouch_error err = {0};
    struct text label[MOST_WORDS];
    assert_int_equal(words_of(gold, label), parts->N);
    assert_true(tag_set_add(set, parts, label, &err));
}

static struct example get(const struct examples *examples, uint32_t i, struct scratch *scratch)
{
    struct example example;
    struct vouch_error err = {0};
    assert_true(examples->get(examples->self, i, scratch, &example, &err));
    return example;
}

static void expect_rows(const struct rows *found, const struct rows *expected)
{
    assert_int_equal(found->count, expected->count);
    for (uint32_t g = 0; g < expected->count; g++) {
        assert_int_equal(found->start[g + 1] - found->start[g], expected->start[g + 1] - expected->start[g]);
        for (uint32_t i = 0; i < expected->start[g + 1] - expected->start[g]; i++) {
            uint32_t f = found->start[g] + i, e = expected->start[g] + i;
            assert_int_equal(found->feature[f], expected->feature[e]);
            assert_true((found->value ? found->value[f] : 1) == (expected->value ? expected->value[e] : 1));
        }
    }
}

static const struct structure no_structure = {.name = "none"};

static void fill_vocabulary(struct vocabulary *vocabulary, uint32_t nodes, uint32_t edges)
{
    struct vouch_error err = {0};
    for (uint32_t i = 0; i < nodes; i++)
        assert_int_equal(feature_index_add(&vocabulary->node, hash_mix(1, i), (uint32_t[]){i, 1}, 2, &err), i);
    for (uint32_t i = 0; i < edges; i++)
        assert_int_equal(feature_index_add(&vocabulary->edge, hash_mix(2, i), (uint32_t[]){i, 1}, 2, &err), i);
}

TEST(sentences_come_back_as_they_were_added)
{
    static struct example_store a, b, c;
    struct tag_set set = {0};
    struct tag_labels labels = {0};
    struct vocabulary vocabulary = {0};
    struct scratch scratch = {0};
    struct vouch_error err = {0};
    fill_vocabulary(&vocabulary, 6, 3);
    add(&set, parts_of(&a, "0,1 2 3,1,1", "0", false), "NN VB NN");
    add(&set, parts_of(&b, "5", "", false), "DT");
    add(&set, parts_of(&c, "4,2 0 1 2", "1,2 0 2", false), "VB DT NN VB");
    assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
    assert_int_equal(set.count, 3);
    assert_int_equal(set.words, 8);

    struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
    assert_ptr_equal(examples.structure, &no_structure);
    assert_int_equal(examples.count, 3);
    assert_int_equal(examples.space.width, 3);
    assert_int_equal(examples.space.nodes, 6);
    assert_int_equal(examples.space.edges, 3);
    static const struct example_store *const added[] = {&a, &b, &c};
    static const uint32_t gold[3][4] = {{0, 1, 0}, {2}, {1, 2, 0, 1}};
    for (uint32_t round = 0; round < 6; round++) {
        uint32_t i = round * 2 % 3;
        struct example example = get(&examples, i, &scratch);
        assert_int_equal(example.parts.N, added[i]->parts.N);
        expect_rows(&example.parts.node, &added[i]->parts.node);
        expect_rows(&example.parts.edge, &added[i]->parts.edge);
        assert_memory_equal(example.gold, gold[i], example.parts.N * sizeof *example.gold);
    }
    scratch_release(&scratch);
    tag_set_release(&set);
    labels_release(&labels);
    vocabulary_release(&vocabulary);
}

/* Values may begin with any sentence; those without have the value 1 throughout. */
TEST(weighted_sentences_mix_with_others)
{
    for (uint32_t pattern = 0; pattern < 32; pattern++) {
        static struct example_store store[5];
        struct tag_set set = {0};
        struct tag_labels labels = {0};
        struct vocabulary vocabulary = {0};
        struct scratch scratch = {0};
        struct vouch_error err = {0};
        static const char *const nodes[] = {"0,1 2", "3", "1,1,4 0", "2 2,3 0", "4,0"};
        static const char *const gold[] = {"A B", "A", "B B", "A A B", "B"};
        fill_vocabulary(&vocabulary, 5, 1);
        for (uint32_t i = 0; i < 5; i++)
            add(&set, parts_of(&store[i], nodes[i], "0", pattern >> i & 1), gold[i]);
        assert_true(tag_set_cut(&set, &vocabulary, NULL, 1, &err));
        assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
        assert_int_equal(set.weighted, pattern != 0);
        struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
        for (uint32_t i = 0; i < 5; i++) {
            struct example example = get(&examples, i, &scratch);
            expect_rows(&example.parts.node, &store[i].parts.node);
            expect_rows(&example.parts.edge, &store[i].parts.edge);
        }
        scratch_release(&scratch);
        tag_set_release(&set);
        labels_release(&labels);
        vocabulary_release(&vocabulary);
    }
}

/* Features keep their order when others are dropped: what is left is numbered from 0 again. */
TEST(rare_features_are_dropped)
{
    static struct example_store a, b, left_a, left_b;
    struct tag_set set = {0};
    struct tag_labels labels = {0};
    struct vocabulary vocabulary = {0};
    struct scratch scratch = {0};
    struct vouch_error err = {0};
    fill_vocabulary(&vocabulary, 6, 1);
    /* 0 and 4 occur once, 1 three times, 2 never, 3 twice in one row, 5 twice */
    add(&set, parts_of(&a, "0,1 3,1,3 5", "0 0", true), "A B A");
    add(&set, parts_of(&b, "4 1,5", "0", false), "B A");
    assert_true(tag_set_cut(&set, &vocabulary, NULL, 2, &err));
    assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
    assert_int_equal(feature_index_count(&vocabulary.node), 3);
    struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
    assert_int_equal(examples.space.nodes, 3);

    struct example example = get(&examples, 0, &scratch);
    parts_of(&left_a, "0 1,0,1 2", "0 0", true);
    static const float value[] = {3, 4, 5, 6, 7};
    memcpy(left_a.node.value, value, sizeof value);
    expect_rows(&example.parts.node, &left_a.parts.node);
    expect_rows(&example.parts.edge, &left_a.parts.edge);
    example = get(&examples, 1, &scratch);
    static const uint32_t start[] = {0, 0, 2};
    parts_of(&left_b, "0,2", "", false);
    left_b.parts.node = (struct rows){2, start, left_b.node.feature, NULL};
    expect_rows(&example.parts.node, &left_b.parts.node);

    static const uint32_t kept[] = {1, 3, 5};
    for (uint32_t f = 0; f < 3; f++) {
        assert_int_equal(feature_index_find(&vocabulary.node, hash_mix(1, kept[f])), f);
        assert_int_equal(vocabulary.node.record[vocabulary.node.record_start[f]], kept[f]);
    }
    assert_int_equal(feature_index_find(&vocabulary.node, hash_mix(1, 0)), NO_FEATURE);
    scratch_release(&scratch);
    tag_set_release(&set);
    labels_release(&labels);
    vocabulary_release(&vocabulary);
}

/* Rules such as B1:%x[0,0] make rare features too, each with a block of width * width. */
TEST(rare_features_of_edges_are_dropped)
{
    static struct example_store store, left;
    struct tag_set set = {0};
    struct tag_labels labels = {0};
    struct vocabulary vocabulary = {0};
    struct scratch scratch = {0};
    struct vouch_error err = {0};
    fill_vocabulary(&vocabulary, 1, 4);
    add(&set, parts_of(&store, "0 0 0 0", "1,3 0,1 3,2,1", false), "A B A B");
    assert_true(tag_set_cut(&set, &vocabulary, NULL, 2, &err));
    assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
    struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
    struct example example = get(&examples, 0, &scratch);
    uint32_t edges = feature_index_count(&vocabulary.edge);
    uint32_t one = feature_index_find(&vocabulary.edge, hash_mix(2, 1));
    uint32_t zero = feature_index_find(&vocabulary.edge, hash_mix(2, 0));
    struct rows found = example.parts.edge;
    parts_of(&left, "0 0 0 0", "0,1 0 1,0", false);
    if (edges == 2)
        expect_rows(&found, &left.parts.edge);
    scratch_release(&scratch);
    tag_set_release(&set);
    labels_release(&labels);
    vocabulary_release(&vocabulary);
    assert_int_equal(edges, 2);
    assert_int_equal(one, 0);
    assert_int_equal(zero, NO_FEATURE);
}

TEST(a_low_cutoff_changes_nothing)
{
    for (uint32_t cutoff = 0; cutoff <= 1; cutoff++) {
        static struct example_store a;
        struct tag_set set = {0};
        struct tag_labels labels = {0};
        struct vocabulary vocabulary = {0};
        struct scratch scratch = {0};
        struct vouch_error err = {0};
        fill_vocabulary(&vocabulary, 4, 2);
        add(&set, parts_of(&a, "0,1 2 3,1,1", "0 1", false), "A B A");
        assert_true(tag_set_cut(&set, &vocabulary, NULL, cutoff, &err));
        assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
        assert_int_equal(feature_index_count(&vocabulary.node), 4);
        assert_int_equal(feature_index_count(&vocabulary.edge), 2);
        struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
        struct example example = get(&examples, 0, &scratch);
        expect_rows(&example.parts.node, &a.parts.node);
        expect_rows(&example.parts.edge, &a.parts.edge);
        scratch_release(&scratch);
        tag_set_release(&set);
        labels_release(&labels);
        vocabulary_release(&vocabulary);
    }
}

/* A corpus of words, encoded by rules. */
struct corpus {
    struct templates templates;
    struct vocabulary vocabulary;
    struct tag_set set;
    uint32_t N[MOST_SENTENCES];
    char word[MOST_SENTENCES][MOST_WORDS][8];
    char gold[MOST_SENTENCES][MOST_WORDS][4];
};

static struct parts encode(const struct corpus *corpus, struct encoder *encoder, uint32_t i)
{
    struct vouch_error err = {0};
    struct parts parts;
    uint32_t first[MOST_WORDS + 1];
    struct text cell[MOST_WORDS];
    for (uint32_t w = 0; w <= corpus->N[i]; w++)
        first[w] = w;
    for (uint32_t w = 0; w < corpus->N[i]; w++)
        cell[w] = text_of(corpus->word[i][w]);
    struct sentence sentence = {.N = corpus->N[i], .first = first, .cell = cell};
    assert_true(encoder_run(encoder, &sentence, &parts, &err));
    return parts;
}

static void corpus_start(struct corpus *corpus, const char *rules)
{
    struct vouch_error err = {0};
    struct rng rng = rng_new(9, 9);
    memset(corpus, 0, sizeof *corpus);
    assert_true(templates_parse(&corpus->templates, &(struct template_source){rules, "rules", NULL}, &err));
    struct encoder *encoder = encoder_new_growing(&corpus->templates, &corpus->vocabulary, &err);
    assert_non_null(encoder);
    for (uint32_t i = 0; i < MOST_SENTENCES; i++) {
        struct text gold[MOST_WORDS];
        corpus->N[i] = 1 + rng_below(&rng, MOST_WORDS);
        for (uint32_t w = 0; w < corpus->N[i]; w++) {
            uint32_t range = 1 + rng_below(&rng, 60); /* low numbers are frequent */
            snprintf(corpus->word[i][w], 8, "w%u", rng_below(&rng, range));
            strcpy(corpus->gold[i][w], rng_below(&rng, 2) ? "I-X" : "O");
            gold[w] = text_of(corpus->gold[i][w]);
        }
        struct parts parts = encode(corpus, encoder, i);
        assert_true(tag_set_add(&corpus->set, &parts, gold, &err));
    }
    encoder_free(encoder);
}

static void corpus_end(struct corpus *corpus)
{
    tag_set_release(&corpus->set);
    vocabulary_release(&corpus->vocabulary);
    templates_release(&corpus->templates);
}

static const char *word_at(const struct corpus *corpus, uint32_t i, int64_t w)
{
    return w < 0 ? "_B-1" : w >= corpus->N[i] ? "_B+1" : corpus->word[i][w];
}

/*
 * Returns how often the pair (word before, word) occurs in the corpus, and the word alone, counted without the library.
 */
static uint32_t count_words(const struct corpus *corpus, const char *before, const char *word)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < MOST_SENTENCES; i++)
        for (uint32_t w = 0; w < corpus->N[i]; w++)
            count += strcmp(corpus->word[i][w], word) == 0 &&
                     (!before || strcmp(word_at(corpus, i, (int64_t)w - 1), before) == 0);
    return count;
}

static const char pair_rules[] = "U0:%x[0,0]\nU1:%x[-1,0]/%x[0,0]\nB1:%x[0,0]\n";

/* The number of features in each row is what a hand count of words and pairs says. */
TEST(the_cutoff_keeps_what_a_hand_count_keeps)
{
    for (uint32_t cutoff = 2; cutoff <= 5; cutoff++) {
        static struct corpus corpus;
        struct vouch_error err = {0};
        struct tag_labels labels = {0};
        struct scratch scratch = {0};
        corpus_start(&corpus, pair_rules);
        uint32_t before = feature_index_count(&corpus.vocabulary.node), dropped = 0;
        assert_true(tag_set_cut(&corpus.set, &corpus.vocabulary, NULL, cutoff, &err));
        assert_true(feature_index_count(&corpus.vocabulary.node) < before);
        assert_true(tag_set_close(&corpus.set, SCHEME_NONE, &labels, &err));
        struct examples examples = tag_set_examples(&corpus.set, &corpus.vocabulary, &labels, &no_structure);
        for (uint32_t i = 0; i < MOST_SENTENCES; i++) {
            struct example example = get(&examples, i, &scratch);
            for (uint32_t w = 0; w < corpus.N[i]; w++) {
                const char *word = corpus.word[i][w], *last = word_at(&corpus, i, (int64_t)w - 1);
                uint32_t expected =
                    (count_words(&corpus, NULL, word) >= cutoff) + (count_words(&corpus, last, word) >= cutoff);
                assert_int_equal(example.parts.node.start[w + 1] - example.parts.node.start[w], expected);
                dropped += 2 - expected;
            }
        }
        assert_true(dropped > 0);
        scratch_release(&scratch);
        labels_release(&labels);
        corpus_end(&corpus);
    }
}

/* A new encoder over what is left finds in every sentence just what the set holds. */
TEST(what_is_left_is_found_again)
{
    for (uint32_t cutoff = 1; cutoff <= 4; cutoff++) {
        static struct corpus corpus;
        struct vouch_error err = {0};
        struct tag_labels labels = {0};
        struct scratch scratch = {0};
        corpus_start(&corpus, "U0:%x[0,0]\nU:%x[-1,0]\nU:%x[1,0]\nU2:%suffix1[0,0]/%x[1,0]\nB\nB1:%x[0,0]\n");
        assert_true(tag_set_cut(&corpus.set, &corpus.vocabulary, NULL, cutoff, &err));
        assert_true(tag_set_close(&corpus.set, SCHEME_NONE, &labels, &err));
        struct examples examples = tag_set_examples(&corpus.set, &corpus.vocabulary, &labels, &no_structure);
        struct encoder *encoder = encoder_new(&corpus.templates, &corpus.vocabulary, &err);
        assert_non_null(encoder);
        for (uint32_t i = 0; i < MOST_SENTENCES; i++) {
            struct parts parts = encode(&corpus, encoder, i);
            struct example example = get(&examples, i, &scratch);
            expect_rows(&example.parts.node, &parts.node);
            expect_rows(&example.parts.edge, &parts.edge);
        }
        encoder_free(encoder);
        scratch_release(&scratch);
        labels_release(&labels);
        corpus_end(&corpus);
    }
}

/* The corpus counts features; a feature whose kind no rule makes cannot be in the vocabulary any more. */
TEST(every_feature_that_is_left_has_its_key)
{
    static struct corpus corpus;
    struct vouch_error err = {0};
    corpus_start(&corpus, pair_rules);
    assert_true(tag_set_cut(&corpus.set, &corpus.vocabulary, NULL, 3, &err));
    for (int edge = 0; edge <= 1; edge++) {
        const struct feature_index *index = edge ? &corpus.vocabulary.edge : &corpus.vocabulary.node;
        assert_true(feature_index_count(index) > 5);
        for (uint32_t f = 0; f < feature_index_count(index); f++) {
            uint64_t key;
            uint32_t length = (uint32_t)(index->record_start[f + 1] - index->record_start[f]);
            assert_true(tag_feature_key(&corpus.templates, edge, index->record + index->record_start[f], length, &key));
            assert_int_equal(feature_index_find(index, key), f);
        }
    }
    corpus_end(&corpus);
}

static const char *const iob1[] = {"I-X I-X O I-Y", "I-X B-X I-X", "O", "I-Y I-X B-X O"};

static void add_iob1(struct tag_set *set)
{
    for (uint32_t i = 0; i < 4; i++) {
        static struct example_store store;
        struct text label[MOST_WORDS];
        uint32_t N = words_of(iob1[i], label);
        static const char *const rows[] = {"", "0", "0 0", "0 0 0", "0 0 0 0"};
        add(set, parts_of(&store, rows[N], "0", false), iob1[i]);
    }
}

/* What learning sees in scheme `inner`, sentence by sentence; written back it is what was read. */
static void expect_learned(enum scheme inner, enum scheme expected, const char *const *spelled)
{
    struct tag_set set = {0};
    struct tag_labels labels = {0};
    struct vocabulary vocabulary = {0};
    struct scratch scratch = {0};
    struct vouch_error err = {0};
    fill_vocabulary(&vocabulary, 1, 1);
    add_iob1(&set);
    assert_true(tag_set_close(&set, inner, &labels, &err));
    assert_int_equal(labels.outer, SCHEME_IOB1);
    assert_int_equal(labels.inner, expected);
    struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
    assert_int_equal(examples.space.width, labels_count(&labels));
    for (uint32_t i = 0; i < 4; i++) {
        struct text inside[MOST_WORDS], outside[MOST_WORDS], written[MOST_WORDS];
        uint32_t N = words_of(spelled[i], inside);
        struct label_work work = {0};
        words_of(iob1[i], outside);
        struct example example = get(&examples, i, &scratch);
        assert_int_equal(example.parts.N, N);
        assert_true(labels_write(&labels, example.gold, N, &work, written, &err));
        for (uint32_t w = 0; w < N; w++) {
            assert_true(text_equal(labels_name(&labels, example.gold[w]), inside[w]));
            assert_true(text_equal(tag_set_gold(&set, i, w), outside[w]));
            assert_true(text_equal(written[w], outside[w]));
        }
        label_work_release(&work);
    }
    scratch_release(&scratch);
    tag_set_release(&set);
    labels_release(&labels);
    vocabulary_release(&vocabulary);
}

TEST(a_corpus_in_iob1_is_learned_as_asked_and_written_back)
{
    static const char *const iob2[] = {"B-X I-X O B-Y", "B-X B-X I-X", "O", "B-Y B-X B-X O"};
    static const char *const bioes[] = {"B-X E-X O S-Y", "S-X B-X E-X", "O", "S-Y S-X S-X O"};
    expect_learned(SCHEME_NONE, SCHEME_IOB1, iob1);
    expect_learned(SCHEME_IOB1, SCHEME_IOB1, iob1);
    expect_learned(SCHEME_IOB2, SCHEME_IOB2, iob2);
    expect_learned(SCHEME_BIOES, SCHEME_BIOES, bioes);
}

/* Labels that are not chunks have no other spelling, whatever is asked for. */
TEST(labels_without_a_scheme_are_learned_as_they_are)
{
    for (enum scheme inner = SCHEME_NONE; inner <= SCHEME_BIOES; inner++) {
        static struct example_store store;
        struct tag_set set = {0};
        struct tag_labels labels = {0};
        struct vouch_error err = {0};
        add(&set, parts_of(&store, "0 0 0 0", "0", false), "NN VB B-X NN");
        assert_true(tag_set_close(&set, inner, &labels, &err));
        assert_int_equal(labels.outer, SCHEME_NONE);
        assert_int_equal(labels.inner, SCHEME_NONE);
        assert_int_equal(labels_count(&labels), 3);
        assert_true(text_is(labels_name(&labels, 2), "B-X"));
        assert_true(text_is(tag_set_gold(&set, 0, 3), "NN"));
        tag_set_release(&set);
        labels_release(&labels);
    }
}

/* Templates without B lines, and words without any feature. */
TEST(a_corpus_may_have_no_edges_and_no_features)
{
    static struct example_store store;
    static const uint32_t none[] = {0, 0, 0};
    struct tag_set set = {0};
    struct tag_labels labels = {0};
    struct vocabulary vocabulary = {0};
    struct scratch scratch = {0};
    struct vouch_error err = {0};
    parts_of(&store, "0 0", "", false);
    store.parts.node = (struct rows){2, none, store.node.feature, NULL};
    add(&set, &store.parts, "A B");
    add(&set, &store.parts, "B B");
    assert_true(tag_set_cut(&set, &vocabulary, NULL, 2, &err));
    assert_true(tag_set_close(&set, SCHEME_NONE, &labels, &err));
    struct examples examples = tag_set_examples(&set, &vocabulary, &labels, &no_structure);
    assert_int_equal(space_size(&examples.space), 0);
    struct example example = get(&examples, 1, &scratch);
    assert_int_equal(example.parts.edge.count, 0);
    assert_int_equal(example.parts.node.start[2], 0);
    assert_int_equal(example.gold[0], 1);
    scratch_release(&scratch);
    tag_set_release(&set);
    labels_release(&labels);
}
