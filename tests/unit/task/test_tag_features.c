/* Tests words to features: which ones appear, and the same ones in a vocabulary that no longer grows. */
#include "base/parallel.h"
#include "base/random.h"
#include "task/tag_features.h"

#include "test.h"

enum { MOST_WORDS = 40, MOST_CELLS = 200, MOST_FEATURES = 60, MOST_TEXT = 2000 };

/* A sentence with its own memory. */
struct written {
    struct sentence sentence;
    char text[MOST_TEXT];
    uint32_t first[MOST_WORDS + 1];
    struct text cell[MOST_CELLS];
    float value[MOST_CELLS];
};

/* "the|DT dog|NN" is two words of two cells. */
static struct sentence *write_sentence(struct written *w, const char *text)
{
    struct sentence *s = &w->sentence;
    *s = (struct sentence){.first = w->first, .cell = w->cell, .value = w->value, .number = 1};
    snprintf(w->text, sizeof w->text, "%s", text);
    uint32_t cells = 0;
    for (char *at = w->text; *at;) {
        w->first[s->N++] = cells;
        for (bool more = true; more; cells++) {
            size_t length = strcspn(at, "| ");
            w->cell[cells] = (struct text){at, (uint32_t)length};
            w->value[cells] = 1;
            more = at[length] == '|';
            at += length + (at[length] != '\0');
        }
    }
    w->first[s->N] = cells;
    return s;
}

/* Encodes sentences of its own with an encoder of its own, job by job. */
struct shared_vocabulary {
    const struct templates *templates;
    const struct vocabulary *vocabulary;
    uint32_t features[64];
};

static bool encode_words(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    (void)thread;
    struct shared_vocabulary *shared = context;
    struct encoder *encoder = encoder_new(shared->templates, shared->vocabulary, err);
    bool ok = encoder != NULL;
    for (uint32_t i = 0; ok && i < 200; i++) {
        struct written w;
        struct parts parts;
        char text[80];
        snprintf(text, sizeof text, "word%u word%u unseen%u", (i + job) % 300, i, i);
        ok = encoder_run(encoder, write_sentence(&w, text), &parts, err);
        if (ok)
            shared->features[job] += parts.node.start[3];
    }
    encoder_free(encoder);
    return ok;
}

struct world {
    struct templates templates;
    struct vocabulary vocabulary;
    struct encoder *grown, *frozen; /* two encoders over the vocabulary; `frozen` is made when it is first used */
    struct written written;
};

static void world_start(struct world *world, const char *rules)
{
    struct vouch_error err = {0};
    memset(world, 0, sizeof *world);
    assert_true(templates_parse(&world->templates, &(struct template_source){rules, "rules", NULL}, &err));
    world->grown = encoder_new_growing(&world->templates, &world->vocabulary, &err);
    assert_non_null(world->grown);
}

static void world_end(struct world *world)
{
    encoder_free(world->grown);
    encoder_free(world->frozen);
    vocabulary_release(&world->vocabulary);
    templates_release(&world->templates);
}

static struct parts encode(struct world *world, bool grow, const struct sentence *sentence)
{
    struct vouch_error err = {0};
    struct parts parts;
    if (!grow && !world->frozen)
        world->frozen = encoder_new(&world->templates, &world->vocabulary, &err);
    struct encoder *encoder = grow ? world->grown : world->frozen;
    assert_non_null(encoder);
    assert_true(encoder_run(encoder, sentence, &parts, &err));
    assert_int_equal(parts.N, sentence->N);
    assert_int_equal(parts.node.count, sentence->N);
    return parts;
}

static struct parts learn(struct world *world, const char *text)
{
    return encode(world, true, write_sentence(&world->written, text));
}

static struct parts look_up(struct world *world, const char *text)
{
    return encode(world, false, write_sentence(&world->written, text));
}

/* "U01=the|DT": the rule's name and the strings that the feature stands for. */
static void feature_text(const struct world *world, bool edge, uint32_t feature, char *text, size_t room)
{
    const struct feature_index *index = edge ? &world->vocabulary.edge : &world->vocabulary.node;
    assert_true(feature < feature_index_count(index));
    const uint32_t *record = index->record + index->record_start[feature];
    uint64_t length = index->record_start[feature + 1] - index->record_start[feature];
    const struct rule *rule = edge ? world->templates.edge : world->templates.node;
    uint32_t rules = edge ? world->templates.edges : world->templates.nodes, r = 0;
    while (r < rules && rule[r].shape != record[0])
        r++;
    const char *name = r < rules ? rule[r].skeleton : "";
    size_t at = (size_t)snprintf(text, room, "%.*s", (int)strcspn(name, ":"), name);
    for (uint64_t i = 1; i < length && at < room; i++) {
        struct text value = dictionary_text(&world->vocabulary.strings, record[i]);
        at += (size_t)snprintf(text + at, room - at, "%s%.*s", i == 1 ? "=" : "|", (int)value.length, value.at);
    }
    assert_true(at < room);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The features of a row, in alphabetical order and separated by blanks. */
static void expect_row(const struct world *world, bool edge, const struct rows *rows, uint32_t g, const char *expected)
{
    char feature[MOST_FEATURES][100], found[MOST_TEXT] = "";
    assert_true(g < rows->count);
    uint32_t count = rows->start[g + 1] - rows->start[g];
    assert_true(count <= MOST_FEATURES);
    for (uint32_t i = 0; i < count; i++)
        feature_text(world, edge, rows->feature[rows->start[g] + i], feature[i], sizeof feature[i]);
    qsort(feature, count, sizeof feature[0], by_text);
    for (uint32_t i = 0; i < count; i++)
        strcat(strcat(found, i ? " " : ""), feature[i]);
    assert_string_equal(found, expected);
}

static void expect_node(const struct world *world, const struct parts *parts, uint32_t word, const char *expected)
{
    expect_row(world, false, &parts->node, word, expected);
}

static void expect_edge(const struct world *world, const struct parts *parts, uint32_t row, const char *expected)
{
    expect_row(world, true, &parts->edge, row, expected);
}

TEST(cells_around_the_word_become_features)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nU1:%x[-1,0]/%x[0,1]\nU2:%x[1,1]\n");
    struct parts parts = learn(&world, "the|DT old|JJ dog|NN");
    expect_node(&world, &parts, 0, "U0=the U1=_B-1|DT U2=JJ");
    expect_node(&world, &parts, 1, "U0=old U1=the|JJ U2=NN");
    expect_node(&world, &parts, 2, "U0=dog U1=old|NN U2=_B+1");
    assert_int_equal(parts.edge.count, 0);
    assert_null(parts.node.value);
    assert_int_equal(feature_index_count(&world.vocabulary.node), 9);
    world_end(&world);
}

TEST(outside_the_sentence_cells_are_counted_from_its_ends)
{
    static struct world world;
    world_start(&world, "U0:%x[-3,0]\nU1:%x[-1,0]\nU2:%x[2,0]\n");
    struct parts parts = learn(&world, "a b");
    expect_node(&world, &parts, 0, "U0=_B-3 U1=_B-1 U2=_B+1");
    expect_node(&world, &parts, 1, "U0=_B-2 U1=a U2=_B+2");
    parts = learn(&world, "c");
    expect_node(&world, &parts, 0, "U0=_B-3 U1=_B-1 U2=_B+2");
    world_end(&world);
}

TEST(the_widest_window_works)
{
    static struct world world;
    world_start(&world, "U0:%x[-16,0]/%x[16,0]\n");
    struct parts parts = learn(&world, "a b");
    expect_node(&world, &parts, 0, "U0=_B-16|_B+15");
    expect_node(&world, &parts, 1, "U0=_B-15|_B+16");
    world_end(&world);
}

TEST(a_view_that_shows_nothing_makes_no_feature)
{
    static struct world world;
    world_start(&world, "U0:%suffix2[0,0]\nU1:%lower[0,0]\nU2:%suffix2[0,0]/%x[0,0]\nU3:%suffix2[-1,0]/%x[0,0]\n");
    struct parts parts = learn(&world, "Of Time");
    expect_node(&world, &parts, 0, "U1=of U3=_B-1|Of");
    expect_node(&world, &parts, 1, "U0=me U1=time U2=me|Time");
    world_end(&world);
}

TEST(a_rule_without_macros_is_on_everywhere)
{
    static struct world world;
    world_start(&world, "U0\nU1:%x[0,0]\n");
    struct parts parts = learn(&world, "a b");
    expect_node(&world, &parts, 0, "U0 U1=a");
    expect_node(&world, &parts, 1, "U0 U1=b");
    world_end(&world);
}

/* As in CRF++: the same word before or after is the same feature, and counts twice if it is there twice. */
TEST(a_bag_of_words_shares_its_features)
{
    static struct world world;
    world_start(&world, "U:%x[-1,0]\nU:%x[1,0]\nU7:%x[0,0]\n");
    struct parts parts = learn(&world, "a b a c");
    expect_node(&world, &parts, 0, "U7=a U=_B-1 U=b");
    expect_node(&world, &parts, 1, "U7=b U=a U=a");
    expect_node(&world, &parts, 2, "U7=a U=b U=c");
    expect_node(&world, &parts, 3, "U7=c U=_B+1 U=a");
    assert_int_equal(feature_index_count(&world.vocabulary.node), 5 + 3);
    world_end(&world);
}

TEST(rules_do_not_share_unless_they_are_alike)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nU1:%x[0,0]\nU2:%lower[0,0]\nU3:%x[0,0]/%x[1,0]\nU4:%x[1,0]/%x[0,0]\n");
    learn(&world, "a a a");
    assert_int_equal(feature_index_count(&world.vocabulary.node), 3 + 2 + 2);
    world_end(&world);
}

/* "a" then "bc" is not "ab" then "c", and the order of the values matters. */
TEST(values_are_kept_apart)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]/%x[0,1]\n");
    learn(&world, "a|bc ab|c bc|a c|ab");
    assert_int_equal(feature_index_count(&world.vocabulary.node), 4);
    world_end(&world);
}

TEST(a_plain_pair_of_labels_is_one_row_for_all)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nB\n");
    static const char *const texts[] = {"a", "a b", "a b c d"};
    for (int i = 0; i < 3; i++) {
        struct parts parts = learn(&world, texts[i]);
        assert_int_equal(parts.edge.count, 1);
        expect_edge(&world, &parts, 0, "B");
        assert_null(parts.edge.value);
    }
    assert_int_equal(feature_index_count(&world.vocabulary.edge), 1);
    world_end(&world);
}

/* Row r is between words r and r + 1, and its macros count from the right one, as in CRF++. */
TEST(pairs_of_labels_may_look_at_the_words)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nB\nB1:%x[0,0]\nB2:%x[-1,0]/%x[1,0]\n");
    struct parts parts = learn(&world, "a b c");
    assert_int_equal(parts.edge.count, 2);
    expect_edge(&world, &parts, 0, "B B1=b B2=a|c");
    expect_edge(&world, &parts, 1, "B B1=c B2=b|_B+1");
    parts = learn(&world, "a");
    assert_int_equal(parts.edge.count, 0);
    parts = learn(&world, "c a");
    assert_int_equal(parts.edge.count, 1);
    expect_edge(&world, &parts, 0, "B B1=a B2=c|_B+1");
    world_end(&world);
}

TEST(the_empty_sentence_has_no_parts)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nB\nB1:%x[0,0]\n");
    struct parts parts = learn(&world, "");
    assert_int_equal(parts.N, 0);
    assert_int_equal(parts.node.count, 0);
    assert_int_equal(parts.edge.count, 0);
    world_end(&world);
}

/* Keeps what a call gave, since the next call overwrites it. */
struct kept {
    uint32_t rows, start[MOST_WORDS + 1], feature[MOST_WORDS * MOST_FEATURES];
};

static void keep(struct kept *kept, const struct rows *rows)
{
    kept->rows = rows->count;
    memcpy(kept->start, rows->start, (rows->count + 1) * sizeof *rows->start);
    memcpy(kept->feature, rows->feature, rows->start[rows->count] * sizeof *rows->feature);
}

static void expect_kept(const struct kept *kept, const struct rows *rows)
{
    assert_int_equal(rows->count, kept->rows);
    assert_memory_equal(rows->start, kept->start, (kept->rows + 1) * sizeof *rows->start);
    assert_memory_equal(rows->feature, kept->feature, kept->start[kept->rows] * sizeof *rows->feature);
}

TEST(a_frozen_vocabulary_gives_the_same_features)
{
    static const char *const sets[] = {"np", "chunk", "ner", "pos"};
    static const char text[] = "The|DT old|JJ Dog|NN 's|POS \xC3\x89t\xC3\xA9|NN 12.50|CD a|DT .|.";
    for (int i = 0; i < 4; i++) {
        static struct world world;
        static struct kept node, edge;
        world_start(&world, template_builtin(sets[i]));
        struct parts parts = learn(&world, text);
        keep(&node, &parts.node);
        keep(&edge, &parts.edge);
        uint32_t strings = world.vocabulary.strings.table.count;
        uint32_t nodes = feature_index_count(&world.vocabulary.node);
        for (int grow = 0; grow <= 1; grow++) {
            look_up(&world, "never|XX seen|YY before|ZZ");
            parts = grow ? learn(&world, text) : look_up(&world, text);
            expect_kept(&node, &parts.node);
            expect_kept(&edge, &parts.edge);
            assert_int_equal(world.vocabulary.strings.table.count, strings);
            assert_int_equal(feature_index_count(&world.vocabulary.node), nodes);
        }
        world_end(&world);
    }
}

TEST(what_is_unknown_is_left_out)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nU1:%x[-1,0]/%x[0,0]\nU2:%suffix2[0,0]\nB\nB1:%x[0,0]\n");
    learn(&world, "the dog barks");
    struct parts parts = look_up(&world, "the hog barks");
    expect_node(&world, &parts, 0, "U0=the U1=_B-1|the U2=he");
    expect_node(&world, &parts, 1, "U2=og");
    expect_node(&world, &parts, 2, "U0=barks U2=ks");
    expect_edge(&world, &parts, 0, "B");
    expect_edge(&world, &parts, 1, "B B1=barks");
    parts = look_up(&world, "barks the"); /* known words, unknown pairs */
    expect_node(&world, &parts, 0, "U0=barks U2=ks");
    expect_node(&world, &parts, 1, "U0=the U2=he");
    parts = look_up(&world, "xyz");
    expect_node(&world, &parts, 0, "");
    world_end(&world);
}

/* A string that is known from elsewhere does not make a feature known. */
TEST(a_known_string_in_a_new_place_is_no_feature)
{
    static struct world world;
    world_start(&world, "U0:%x[0,0]\nU1:%x[0,1]\n");
    learn(&world, "a|b");
    struct parts parts = look_up(&world, "b|a");
    expect_node(&world, &parts, 0, "");
    world_end(&world);
}

TEST(keys_can_be_made_again_from_records)
{
    static struct world world;
    world_start(&world, "U:%x[-1,0]\nU:%x[1,0]\nU1:%x[0,0]/%suffix1[0,0]\nU2\nB\nB1:%x[0,0]\n");
    learn(&world, "some words of a text");
    for (int edge = 0; edge <= 1; edge++) {
        const struct feature_index *index = edge ? &world.vocabulary.edge : &world.vocabulary.node;
        assert_true(feature_index_count(index) > 4);
        for (uint32_t f = 0; f < feature_index_count(index); f++) {
            const uint32_t *record = index->record + index->record_start[f];
            uint32_t length = (uint32_t)(index->record_start[f + 1] - index->record_start[f]);
            uint64_t key = 0;
            assert_true(tag_feature_key(&world.templates, edge, record, length, &key));
            assert_int_equal(feature_index_find(index, key), f);
            assert_false(tag_feature_key(&world.templates, edge, record, 0, &key));
            assert_false(tag_feature_key(&world.templates, edge, record, length + 1, &key));
            uint32_t foreign[1 + MAX_MACROS] = {1000000};
            assert_false(tag_feature_key(&world.templates, edge, foreign, length, &key));
        }
    }
    world_end(&world);
}

/* Features that mean the same in two vocabularies have one name, and only they, whatever their numbers are. */
static void compare_names(const struct world *a, const struct world *b)
{
    struct vouch_error err = {0};
    uint32_t *name[2] = {tag_feature_names(&a->templates, &a->vocabulary, &err),
                         tag_feature_names(&b->templates, &b->vocabulary, &err)};
    uint32_t nodes[2] = {feature_index_count(&a->vocabulary.node), feature_index_count(&b->vocabulary.node)};
    uint32_t all[2] = {nodes[0] + feature_index_count(&a->vocabulary.edge),
                       nodes[1] + feature_index_count(&b->vocabulary.edge)};
    uint32_t moved = 0;
    assert_non_null(name[0]);
    assert_non_null(name[1]);
    for (uint32_t f = 0; f < all[0]; f++)
        for (uint32_t g = 0; g < all[1]; g++) {
            char one[100], other[100];
            bool edge[2] = {f >= nodes[0], g >= nodes[1]};
            feature_text(a, edge[0], edge[0] ? f - nodes[0] : f, one, sizeof one);
            feature_text(b, edge[1], edge[1] ? g - nodes[1] : g, other, sizeof other);
            bool same = edge[0] == edge[1] && strcmp(one, other) == 0;
            assert_int_equal(name[0][f] == name[1][g], same);
            moved += same && f != g;
        }
    assert_true(moved > 0);
    free(name[0]);
    free(name[1]);
}

TEST(names_of_features_do_not_depend_on_numbers)
{
    static const char *const rules[] = {"U00:%x[0,0]\nU01:%x[-1,0]\nU02:%x[0,0]/%x[1,0]\nU03:%x[0,0]\nB\nB01:%x[0,0]\n",
                                        "attributes\nB\n"};
    for (int i = 0; i < 2; i++) {
        static struct world a, b;
        world_start(&a, rules[i]);
        world_start(&b, rules[i]);
        learn(&a, "the dog saw the cat");
        learn(&b, "a cat saw");
        learn(&b, "the dog saw the cat");
        compare_names(&a, &b);
        world_end(&a);
        world_end(&b);
    }
}

TEST(attributes_are_features_by_themselves)
{
    static struct world world;
    world_start(&world, template_builtin("attributes"));
    struct parts parts = learn(&world, "w=the|cap w=dog w=the|p=DT|cap");
    assert_null(parts.node.value);
    static const uint32_t start[] = {0, 2, 3, 6};
    assert_memory_equal(parts.node.start, start, sizeof start);
    expect_node(&world, &parts, 0, "=cap =w=the");
    expect_node(&world, &parts, 1, "=w=dog");
    expect_node(&world, &parts, 2, "=cap =p=DT =w=the");
    assert_int_equal(feature_index_count(&world.vocabulary.node), 4);
    parts = look_up(&world, "w=the|unknown|p=DT w=new");
    expect_node(&world, &parts, 0, "=p=DT =w=the");
    expect_node(&world, &parts, 1, "");
    world_end(&world);
}

TEST(attributes_have_no_columns_to_look_at)
{
    struct templates templates;
    struct vocabulary vocabulary = {0};
    struct vouch_error err = {0};
    assert_true(templates_parse(&templates, &(struct template_source){"attributes\nB:%x[0,0]\n", "rules", NULL}, &err));
    assert_null(encoder_new_growing(&templates, &vocabulary, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_null(encoder_new(&templates, &vocabulary, &err));
    vocabulary_release(&vocabulary);
    templates_release(&templates);
}

static float value_of(const struct world *world, const struct parts *parts, uint32_t word, const char *name)
{
    for (uint32_t i = parts->node.start[word]; i < parts->node.start[word + 1]; i++) {
        char text[100];
        feature_text(world, false, parts->node.feature[i], text, sizeof text);
        if (strcmp(text + 1, name) == 0)
            return parts->node.value[i];
    }
    fail_msg("no feature %s", name);
    return 0;
}

TEST(attributes_carry_their_values)
{
    static struct world world;
    world_start(&world, template_builtin("attributes"));
    struct sentence *sentence = write_sentence(&world.written, "a|b b|c|a d");
    static const float value[] = {2, -0.5f, 3, 0, 1, 7};
    memcpy(world.written.value, value, sizeof value);
    sentence->weighted = true;
    for (int grow = 1; grow >= 0; grow--) {
        struct parts parts = encode(&world, grow, sentence);
        assert_non_null(parts.node.value);
        assert_true(value_of(&world, &parts, 0, "a") == 2);
        assert_true(value_of(&world, &parts, 0, "b") == -0.5f);
        assert_true(value_of(&world, &parts, 1, "b") == 3);
        assert_true(value_of(&world, &parts, 1, "c") == 0);
        assert_true(value_of(&world, &parts, 1, "a") == 1);
        assert_true(value_of(&world, &parts, 2, "d") == 7);
    }
    /* An unknown attribute takes its value with it. */
    sentence = write_sentence(&world.written, "zzz|b a");
    static const float other[] = {9, 4, 5};
    memcpy(world.written.value, other, sizeof other);
    sentence->weighted = true;
    struct parts parts = encode(&world, false, sentence);
    assert_int_equal(parts.node.start[1], 1);
    assert_true(value_of(&world, &parts, 0, "b") == 4);
    assert_true(value_of(&world, &parts, 1, "a") == 5);
    world_end(&world);
}

TEST(too_few_columns_are_an_error)
{
    static struct world world;
    struct parts parts;
    struct vouch_error err = {0};
    world_start(&world, "U0:%x[0,0]\nU1:%x[0,2]\n");
    assert_false(encoder_run(world.grown, write_sentence(&world.written, "a|b|c d|e"), &parts, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_non_null(strstr(err.message, "3 columns"));
    assert_non_null(strstr(err.message, "found 2"));
    parts = learn(&world, "a|b|c d|e|f|g"); /* the encoder goes on, and more columns do not matter */
    expect_node(&world, &parts, 1, "U0=d U1=f");
    world_end(&world);
}

/* Of the first one, only the names of the words are. */
TEST(columns_between_may_be_of_no_interest)
{
    static struct world world;
    world_start(&world, "U0:%x[0,2]\nU1:%lower[-1,4]/%x[0,2]\nB:%x[0,4]\n");
    for (int grow = 1; grow >= 0; grow--) {
        struct parts parts = encode(&world, grow, write_sentence(&world.written, "a|b|c|d|E f|g|h|i|J|k"));
        expect_node(&world, &parts, 0, "U0=c U1=_B-1|c");
        expect_node(&world, &parts, 1, "U0=h U1=e|h");
        expect_edge(&world, &parts, 0, "B=J");
        assert_true(parts.names.name[0] != parts.names.name[parts.names.stride]);
    }
    world_end(&world);
}

/* Writes eight words, the i-th eight of all at first, then any. */
static void write_words(struct rng *rng, int i, int all, char *text, size_t room)
{
    size_t at = 0;
    for (int w = 0; w < 8; w++) {
        uint32_t word = i < all / 8 ? (uint32_t)(i * 8 + w) : rng_below(rng, (uint32_t)all);
        at += (size_t)snprintf(text + at, room - at, "%sW%u|P%u", w ? " " : "", word, word % 9001 * 7);
    }
}

/*
 * Far more words and pairs than any cache holds, in an order that comes back to
 * old ones, all written to the same place in memory: an encoder that remembers
 * must agree with one that looks everything up, and with one that has just been
 * made. Half of the sentences are new when features are only looked up.
 */
TEST(remembering_words_changes_nothing)
{
    enum { WORDS = 30000, SENTENCES = 6000 };
    static struct world world;
    static struct kept node;
    char text[300];
    world_start(&world, "U0:%x[0,0]\nU1:%suffix3[0,0]\nU2:%lower[-1,0]\nU3:%prefix2[0,1]\nU4:%x[0,1]\n"
                        "U5:%x[0,1]/%x[1,1]\nU6:%x[-1,1]/%x[0,1]\nU7:%x[-2,1]/%x[-1,1]\nU8:%x[0,0]/%x[0,1]\nU9\n");
    struct rng rng = rng_new(4, 0);
    for (int i = 0; i < SENTENCES; i++) {
        write_words(&rng, i, WORDS, text, sizeof text);
        learn(&world, text);
    }
    uint32_t features = feature_index_count(&world.vocabulary.node);
    rng = rng_new(4, 0);
    for (int i = 0; i < SENTENCES; i++) {
        write_words(&rng, i, WORDS, text, sizeof text);
        struct parts parts = learn(&world, text);
        keep(&node, &parts.node);
        parts = look_up(&world, text);
        expect_kept(&node, &parts.node);
        char first[100], expected[100];
        snprintf(expected, sizeof expected, "U0=%.*s", (int)strcspn(text, "|"), text);
        feature_text(&world, false, parts.node.feature[0], first, sizeof first);
        assert_string_equal(first, expected);
    }
    assert_int_equal(feature_index_count(&world.vocabulary.node), features);
    for (int i = 0; i < SENTENCES / 8; i++) {
        struct encoder *remembers = world.frozen;
        write_words(&rng, SENTENCES + i, WORDS, text, sizeof text);
        struct parts parts = look_up(&world, text);
        keep(&node, &parts.node);
        world.frozen = NULL;
        parts = look_up(&world, text);
        expect_kept(&node, &parts.node);
        encoder_free(world.frozen);
        world.frozen = remembers;
    }
    assert_int_equal(feature_index_count(&world.vocabulary.edge), 0);
    world_end(&world);
}

TEST(many_threads_may_read_one_vocabulary)
{
    static struct world world;
    static struct shared_vocabulary shared;
    struct vouch_error err = {0};
    world_start(&world, "U0:%x[0,0]\nU1:%suffix2[0,0]\nU2:%lower[0,0]\n");
    for (uint32_t i = 0; i < 500; i++) {
        char word[20];
        snprintf(word, sizeof word, "word%u", i);
        learn(&world, word);
    }
    shared = (struct shared_vocabulary){&world.templates, &world.vocabulary, {0}};
    assert_true(parallel_run(4, 64, encode_words, &shared, &err));
    for (uint32_t job = 1; job < 64; job++)
        assert_int_equal(shared.features[job], shared.features[0]);
    world_end(&world);
}
