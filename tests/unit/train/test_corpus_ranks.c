/*
 * Tests corpora that ranks hold between them: numbers, labels and examples are those of one process that holds all
 * sentences; so are the words that are counted, scores, what is sent to the first rank, and what is learned.
 */
#include "base/random.h"
#include "learn/learn.h"
#include "sample/sample.h"
#include "train/corpus.h"

#include "folder.h"

#include "test.h"
#include "thread_ranks.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { SENTENCES = 34, BITS = 10, PASSES = 2 };

#define RULES "U0:%x[0,0]\nU1:%x[-1,0]\nU2:%x[0,0]/%x[1,0]\nU3:%suffix2[0,0]\nB\n"

/* What is read: labels in columns, of IOB1; attributes, some of which have values; trees. */
enum kind { COLUMNS, ATTRIBUTES, TREES, KINDS };

static char *corpus_path;

static bool read_kind(struct corpus *corpus, enum kind kind, struct own_sentences own, struct vouch_error *err)
{
    char *paths[] = {corpus_path};
    struct corpus_plan trees = {.arc_bits = BITS, .relation_bits = BITS, .own = own, .reading = {.trees = true}};
    struct corpus_plan tags = {
        .task = task_named("ner"),
        .template = kind == COLUMNS ? RULES : template_builtin("attributes"),
        .template_name = "rules",
        .cutoff = 2,
        .inner = SCHEME_IOB2,
        .own = own,
        .reading = {.format = kind == COLUMNS ? FORMAT_CONLL : FORMAT_CRFSUITE, .gold = GOLD_LAST}};
    return corpus_read(corpus, kind == TREES ? &trees : &tags, paths, 1, NULL, err);
}

/* ---- Files ---- */

static void put_columns(void)
{
    struct rng rng = rng_new(3, 1);
    static const char *const types[] = {"PER", "LOC", "ORG"};
    FILE *file = fopen(corpus_path, "w");
    for (uint32_t i = 0; i < SENTENCES; i++) {
        const char *before = "";
        for (uint32_t n = rng_below(&rng, 9) + 1; n > 0; n--) {
            const char *type = types[rng_below(&rng, 1 + i / 12)]; /* types that come late: the last, in few shards */
            uint32_t name = rng_below(&rng, 3), again = *before && name == 2;
            if (!name)
                fprintf(file, "w%u O\n", rng_below(&rng, 20));
            else
                fprintf(file, "%c%u %s-%s\n", *type, rng_below(&rng, 5), again ? "B" : "I", again ? before : type);
            before = name ? again ? before : type : "";
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

/* Only one sentence has values, and another no attributes at all. */
static void put_attributes(void)
{
    struct rng rng = rng_new(3, 2);
    FILE *file = fopen(corpus_path, "w");
    for (uint32_t i = 0; i < SENTENCES; i++) {
        for (uint32_t n = rng_below(&rng, 6) + 1; n > 0; n--) {
            fprintf(file, "%s", rng_below(&rng, 2) ? "NN" : "VB");
            for (uint32_t a = rng_below(&rng, 4); a > 0 && i != 5; a--)
                fprintf(file, "\ta%u%s", rng_below(&rng, 30), i == 17 ? ":0.25" : "");
            fprintf(file, "\n");
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

static void put_trees(void)
{
    struct vouch_error err = {0};
    struct sample_options options = {.seed = 1, .kind = SAMPLE_DEP, .noise = 0.02};
    struct sample_sentence sentence = {0};
    struct buffer text = {0};
    for (uint64_t i = 0; i < SENTENCES; i++)
        assert_true(sample_sentence(&options, i, &sentence, &err) && sample_write(&sentence, SAMPLE_DEP, &text, &err));
    folder_put_bytes("corpus", text.bytes, text.length);
    sample_release(&sentence);
    free(text.bytes);
}

static void put(enum kind kind)
{
    corpus_path = strdup(folder_file("corpus"));
    if (kind == COLUMNS)
        put_columns();
    else if (kind == ATTRIBUTES)
        put_attributes();
    else
        put_trees();
}

/* ---- Comparing ---- */

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_strings(const struct dictionary *a, const struct dictionary *b, struct vouch_error *err)
{
    SAY(a->table.count == b->table.count && a->size == b->size);
    SAY(same_bytes(a->bytes, b->bytes, a->size));
    return true;
}

static bool same_features(const struct feature_index *a, const struct feature_index *b, struct vouch_error *err)
{
    SAY(feature_index_count(a) == feature_index_count(b) && a->records == b->records);
    SAY(same_bytes(a->record, b->record, sizeof *a->record * a->records));
    return true;
}

static bool same_rows(const struct parts *parts, const struct parts *expected, bool edge, struct vouch_error *err)
{
    struct rows a = edge ? parts->edge : parts->node, b = edge ? expected->edge : expected->node;
    SAY(a.count == b.count);
    for (uint32_t g = 0; g < a.count; g++) {
        SAY(a.start[g + 1] - a.start[g] == b.start[g + 1] - b.start[g]);
        for (uint32_t k = 0; k < a.start[g + 1] - a.start[g]; k++) {
            uint32_t i = a.start[g] + k, j = b.start[g] + k;
            SAY(a.feature[i] == b.feature[j]);
            SAY((a.value ? a.value[i] : 1) == (b.value ? b.value[j] : 1));
        }
    }
    return true;
}

/* Rows of arcs are made when they are needed: gold and the number of words are compared; learning tells the rest. */
static bool same_example(const struct examples *examples, const struct examples *expected, uint32_t i,
                         struct vouch_error *err)
{
    struct scratch one = {0}, other = {0};
    struct example a = {0}, b = {0};
    bool ok = examples->get(examples->self, i, &one, &a, err) && expected->get(expected->self, i, &other, &b, err);
    if (ok && (a.parts.N != b.parts.N || !same_bytes(a.gold, b.gold, sizeof *a.gold * a.parts.N)))
        ok = rank_fails(err, "another gold", __LINE__);
    if (ok && a.parts.node.start && b.parts.node.start)
        ok = same_rows(&a.parts, &b.parts, false, err) && same_rows(&a.parts, &b.parts, true, err);
    scratch_release(&one);
    scratch_release(&other);
    return ok;
}

/* ---- What is held ---- */

struct rank_work {
    const struct corpus *expected;
    enum kind kind;
    uint32_t shards, threads;
    struct subset subset;
    const struct learner *learner;
    const struct voice *voice; /* [layers] what threads have learned */
};

static bool check_tags(const struct corpus *own, const struct corpus *expected, struct vouch_error *err)
{
    SAY(own->tags.sentences == expected->tags.count && own->tags.all_words == expected->tags.words);
    SAY(own->labels.inner == expected->labels.inner && own->labels.outer == expected->labels.outer);
    SAY(own->tags.weighted == expected->tags.weighted);
    return same_strings(&own->vocabulary.strings, &expected->vocabulary.strings, err) &&
           same_features(&own->vocabulary.node, &expected->vocabulary.node, err) &&
           same_features(&own->vocabulary.edge, &expected->vocabulary.edge, err);
}

static bool check_corpus(const struct corpus *own, const struct corpus *expected, struct vouch_error *err)
{
    SAY(own->arcs.sentences == expected->arcs.count && own->arcs.all_words == expected->arcs.words);
    SAY(own->digest == expected->digest && own->multi_root == expected->multi_root);
    return same_strings(&own->labels.names, &expected->labels.names, err) &&
           (own->dataset.trees || check_tags(own, expected, err));
}

/* Compares those examples of a corpus that are, or should be, here; returns how many in *here. */
static bool check_examples(const struct corpus *own, const struct corpus *expected, uint32_t *here,
                           struct vouch_error *err)
{
    *here = 0;
    SAY(own->dataset.layers == expected->dataset.layers && own->dataset.words == expected->dataset.words);
    for (uint32_t l = 0; l < own->dataset.layers; l++) {
        const struct examples *examples = &own->dataset.layer[l].examples, *all = &expected->dataset.layer[l].examples;
        SAY(examples->count == all->count && same_bytes(&examples->space, &all->space, sizeof all->space));
        for (uint32_t i = 0; i < all->count; i++) {
            if (sentence_place(&examples->own, i) == NOT_HERE)
                continue;
            *here += l == 0;
            if (!same_example(examples, all, i, err))
                return false;
        }
    }
    return true;
}

static bool hold(const struct ranks *ranks, struct rank_work *work, struct corpus *own, struct vouch_error *err)
{
    uint32_t here, due = 0, sent[SENTENCES], count = 0;
    if (!check_corpus(own, work->expected, err) || !check_examples(own, work->expected, &here, err))
        return false;
    for (uint32_t i = 0; i < SENTENCES; i++)
        due += i % work->shards % ranks->count == ranks->rank;
    SAY(here == due);
    for (uint32_t i = 0; i < SENTENCES; i += 1 + i % 3)
        sent[count++] = i;
    for (uint32_t k = 0; k < count && ranks_first(ranks); k++)
        due += sent[k] % work->shards % ranks->count != 0;
    if (!corpus_send(own, sent, count, err) || !check_examples(own, work->expected, &here, err))
        return false;
    SAY(here == due);
    return true;
}

static bool with_corpus(const struct ranks *ranks, void *memory, struct vouch_error *err,
                        bool (*check)(const struct ranks *, struct rank_work *, struct corpus *, struct vouch_error *))
{
    struct rank_work *work = memory;
    struct corpus own;
    bool ok = read_kind(&own, work->kind, (struct own_sentences){.ranks = ranks, .shards = work->shards}, err) &&
              check(ranks, work, &own, err);
    corpus_release(&own);
    return ok;
}

static bool hold_on_rank(const struct ranks *ranks, void *memory, struct vouch_error *err)
{
    return with_corpus(ranks, memory, err, hold);
}

static struct training_options options_of(const struct rank_work *work)
{
    return (struct training_options){.learner = work->learner,
                                     .parameters = {.C = 0.1, .phi = 1, .variance = 1, .rate = 0.2, .l2 = 0.5, .K = 3},
                                     .passes = PASSES,
                                     .seed = 1,
                                     .shards = work->shards,
                                     .threads = work->threads};
}

static bool learn_layer(const struct corpus *corpus, const struct rank_work *work, uint32_t layer, struct voice *voice,
                        struct vouch_error *err)
{
    struct training_options options = options_of(work);
    bool stopped;
    return train_voice(&corpus->dataset.layer[layer].examples, work->subset, &options, voice, &stopped, err);
}

/* Runs the check on several ranks. */
static void on_ranks(bool (*run)(const struct ranks *, void *, struct vouch_error *), struct rank_work pattern)
{
    static const uint32_t rank_counts[] = {1, 2, 3, 5};
    struct voice voice[MAX_LAYERS] = {0};
    struct vouch_error err = {0};
    for (uint32_t l = 0; l < pattern.expected->dataset.layers && pattern.learner; l++)
        if (!learn_layer(pattern.expected, &pattern, l, &voice[l], &err))
            fail_msg("%s", err.message);
    pattern.voice = voice;
    for (uint32_t r = 0; r < 4; r++) {
        struct rank_work work[MOST_RANKS];
        for (uint32_t i = 0; i < rank_counts[r]; i++)
            work[i] = pattern;
        ON_RANKS(rank_counts[r], run, work);
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        voice_release(&voice[l]);
}

/* Does so for corpora of all kinds, with that number of shards. */
static void with_ranks(bool (*run)(const struct ranks *, void *, struct vouch_error *), struct rank_work pattern)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct vouch_error err = {0};
        struct corpus expected;
        put((enum kind)kind);
        if (!read_kind(&expected, (enum kind)kind, (struct own_sentences){0}, &err))
            fail_msg("%s", err.message);
        pattern.expected = &expected;
        pattern.kind = (enum kind)kind;
        on_ranks(run, pattern);
        corpus_release(&expected);
        free(corpus_path);
    }
}

TEST(sentences_are_those_of_one_process)
{
    with_ranks(hold_on_rank, (struct rank_work){.shards = 7});
    with_ranks(hold_on_rank, (struct rank_work){.shards = 50});
}

/* ---- Words that are counted ---- */

static bool count(const struct ranks *ranks, struct rank_work *work, struct corpus *own, struct vouch_error *err)
{
    for (uint32_t l = 0; l < own->dataset.layers; l++) {
        struct answer_counts counts = {0}, expected = {0};
        bool ok = count_all_words(&own->dataset, l, &counts, err) &&
                  count_words(&work->expected->dataset, l, NULL, SENTENCES, &expected, err) &&
                  answer_counts_close(&counts, err) && answer_counts_close(&expected, err);
        if (ok && !ranks_first(ranks) && counts.count)
            ok = rank_fails(err, "a counts that is for the first", __LINE__);
        if (ok && ranks_first(ranks) &&
            (counts.count != expected.count || counts.mask != expected.mask || !counts.slot != !expected.slot ||
             (expected.slot && !same_bytes(counts.slot, expected.slot, sizeof *counts.slot * (counts.mask + 1)))))
            ok = rank_fails(err, "another counts", __LINE__);
        answer_counts_release(&counts);
        answer_counts_release(&expected);
        if (!ok)
            return false;
    }
    return true;
}

static bool count_on_rank(const struct ranks *ranks, void *memory, struct vouch_error *err)
{
    return with_corpus(ranks, memory, err, count);
}

TEST(words_are_counted_on_the_first)
{
    with_ranks(count_on_rank, (struct rank_work){.shards = 7});
}

/* ---- Learning ---- */

static bool same_voice(const struct voice *a, const struct voice *b, struct vouch_error *err)
{
    size_t size = sizeof(float) * a->size;
    SAY(a->size == b->size && a->steps == b->steps && !a->var == !b->var && !a->square == !b->square);
    SAY(same_bytes(a->mean, b->mean, size));
    SAY(same_bytes(a->late, b->late, size));
    SAY(!a->var || same_bytes(a->var, b->var, size));
    SAY(!a->square || same_bytes(a->square, b->square, size));
    return true;
}

/* Scores of the averaged weights, on the sentences that were learned from. */
static bool same_score(const struct corpus *own, const struct rank_work *work, uint32_t layer,
                       const struct voice *voice, struct vouch_error *err)
{
    struct test_set part = {.layer = layer, .subset = work->subset};
    struct layer_score score = {0}, expected = {0};
    float *average = calloc(voice->size + SLACK, sizeof *average);
    voice_average(voice, average);
    const struct dataset *dataset = &own->dataset, *all = &work->expected->dataset;
    bool ok = dataset->measure(dataset->self, &part, average, &score, err) &&
              all->measure(all->self, &part, average, &expected, err);
    free(average);
    if (!ok)
        return false;
    SAY(score.figure == expected.figure && score.accuracy == expected.accuracy && score.chunks == expected.chunks);
    SAY(!score.chunks || (score.precision == expected.precision && score.recall == expected.recall));
    return true;
}

static bool learn(const struct ranks *ranks, struct rank_work *work, struct corpus *own, struct vouch_error *err)
{
    (void)ranks;
    for (uint32_t l = 0; l < own->dataset.layers; l++) {
        struct voice voice = {0};
        bool ok = learn_layer(own, work, l, &voice, err) && same_voice(&voice, &work->voice[l], err) &&
                  same_score(own, work, l, &voice, err);
        voice_release(&voice);
        if (!ok)
            return false;
    }
    return true;
}

static bool learn_on_rank(const struct ranks *ranks, void *memory, struct vouch_error *err)
{
    return with_corpus(ranks, memory, err, learn);
}

/* There are more shards than sentences. */
TEST(voices_are_those_of_threads)
{
    takes_long();
    for (const struct learner *const *learner = learners; *learner; learner++)
        with_ranks(learn_on_rank,
                   (struct rank_work){.learner = *learner, .subset = {NULL, SENTENCES}, .shards = 50, .threads = 2});
}

/* Of seven shards, two have none of these sentences: on five ranks, one has nothing to learn. */
TEST(so_are_voices_of_some_sentences)
{
    static const uint32_t some[] = {0, 2, 4, 5, 9, 13, 20, 23, 26, 30, 33};
    for (const struct learner *const *learner = learners; *learner; learner++)
        with_ranks(learn_on_rank,
                   (struct rank_work){.learner = *learner, .subset = {some, 11}, .shards = 7, .threads = 1});
}
