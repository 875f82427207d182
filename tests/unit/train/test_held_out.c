/*
 * Tests held-out answers: which sentences are held out, that no model answers a
 * sentence that it has learned from, and the numbers of the methods.
 */
#include "train/held_out_scores.h"
#include "chain/chain.h"
#include "train/held_out.h"

#include "folder.h"
#include "small_models.h"

#include "must.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { SENTENCES = 40, PARTS = 4, LONGEST = 5, VOICES = 2, BITS = 16 };

/* Corpora in which every sentence has a word of its own, and sentence i has 1 + i % 5 words. */

static void write_tags(char *to)
{
    for (int i = 0; i < SENTENCES; i++) {
        for (int n = 0; n < i % LONGEST; n++)
            to += sprintf(to, "%s NN %s\n", n % 2 ? "of" : "name", n % 2 ? "O" : i % 3 ? "B-PER" : "B-LOC");
        to += sprintf(to, "own%d NN %s\n\n", i, i % 4 ? "O" : "B-LOC");
    }
}

static void write_trees(char *to)
{
    for (int i = 0; i < SENTENCES; i++) {
        int N = 1 + i % LONGEST;
        for (int n = 1; n < N; n++)
            to += sprintf(to, "%d\t%s\t_\tX\tX\t_\t%d\t%s\t_\t_\n", n, n % 2 ? "of" : "name", i % 2 ? N : n + 1,
                          n % 2 ? "case" : "obj");
        to += sprintf(to, "%d\town%d\t_\tY%d\tY\t_\t0\troot\t_\t_\n\n", N, i, i);
    }
}

struct stage {
    struct corpus tags;
    struct corpus trees;
    struct dataset dataset;
    struct learning learning;
    struct held_out_plan plan;
};

static void set_up(struct stage *s, bool trees)
{
    static char text[1 << 16];
    *s = (struct stage){0};
    if (trees) {
        write_trees(text);
        small_tree_corpus(&s->trees, text, BITS);
        MUST(corpus_read_dev(&s->trees,
                             &(struct corpus_plan){.arc_bits = BITS, .relation_bits = BITS, .reading = {.trees = true}},
                             folder_put("dev", SMALL_TREES), &err));
        s->dataset = s->trees.dataset;
    } else {
        write_tags(text);
        small_tag_corpus(&s->tags, text);
        s->dataset = s->tags.dataset;
    }
    for (int l = 0; l < MAX_LAYERS; l++) {
        s->learning.trial[l][0] = (struct trial){&confidence_weighted, small_parameters()};
        s->learning.trial[l][1] = (struct trial){&log_likelihood, small_parameters()};
    }
    s->learning.dataset = &s->dataset;
    s->learning.voices = VOICES;
    s->learning.work = (struct work){.seed = 1, .threads = 1};
    s->plan = (struct held_out_plan){.learning = &s->learning, .passes = 3, .parts = PARTS, .held = PARTS};
}

static void clear(struct stage *s)
{
    if (s->dataset.layers == 2)
        corpus_release(&s->trees);
    else
        corpus_release(&s->tags);
}

TEST(each_sentence_is_held_out_once)
{
    for (int trees = 0; trees < 2; trees++)
        for (uint32_t parts = 2; parts <= 5; parts++) {
            struct stage s;
            struct held_out held;
            uint32_t seen[SENTENCES] = {0};
            set_up(&s, trees);
            s.plan.scattered = parts % 2;
            s.plan.parts = s.plan.held = parts;
            MUST(held_out_learn(&held, &s.plan, &err));
            assert_int_equal(held.parts, parts);
            assert_int_equal(held.layers, s.dataset.layers);
            assert_false(held.dev);
            for (uint32_t p = 0; p < held.parts; p++) {
                assert_true(held.part[p].count > 0);
                for (uint32_t i = 0; i < held.part[p].count; i++)
                    seen[held.part[p].sentence[i]]++;
            }
            for (uint32_t i = 0; i < SENTENCES; i++)
                assert_int_equal(seen[i], 1);
            held_out_release(&held);
            clear(&s);
        }
}

TEST(fewer_parts_may_be_held_out)
{
    struct stage s;
    struct held_out held;
    uint32_t seen[SENTENCES] = {0}, all = 0;
    set_up(&s, false);
    s.plan.held = 2;
    MUST(held_out_learn(&held, &s.plan, &err));
    assert_int_equal(held.parts, 2);
    for (uint32_t p = 0; p < held.parts; p++)
        for (uint32_t i = 0; i < held.part[p].count; i++, all++)
            assert_int_equal(++seen[held.part[p].sentence[i]], 1);
    assert_true(all >= SENTENCES / PARTS && all <= SENTENCES - SENTENCES / PARTS);
    held_out_release(&held);
    clear(&s);
}

/* Finds the features of one example alone: owner[f] is that example, or count if there are several or none. */
static uint32_t *find_owners(const struct examples *examples)
{
    struct scratch scratch = {0};
    uint32_t *owner = calloc(examples->space.nodes, sizeof *owner), none = examples->count;
    for (uint32_t f = 0; f < examples->space.nodes; f++)
        owner[f] = none + 1; /* no owner yet */
    for (uint32_t i = 0; i < examples->count; i++) {
        struct example example;
        MUST(examples->get(examples->self, i, &scratch, &example, &err));
        struct rows rows;
        for (uint32_t g = 0; g < example.parts.node.count; g += rows.count) {
            rows = parts_rows(&example.parts, g, example.parts.node.count);
            for (uint32_t k = rows.start[0]; k < rows.start[rows.count]; k++) {
                uint32_t *of = &owner[rows.feature[k]];
                *of = *of == none + 1 || *of == i ? i : none;
            }
        }
    }
    scratch_release(&scratch);
    return owner;
}

/* Whether a weight is other than zero of those features that example `i` alone has. */
static bool has_learned(const struct model_voice *voice, const struct space *space, const uint32_t *owner, uint32_t i)
{
    for (uint32_t f = 0; f < space->nodes; f++)
        for (uint32_t j = 0; owner[f] == i && j < space->width; j++)
            if (voice->mean[space_node(space, f) + j] != 0)
                return true;
    return false;
}

static void check_part(const struct held_part *part, uint32_t l, const uint32_t *owner, uint32_t *learned)
{
    bool mine[SENTENCES] = {0};
    for (uint32_t i = 0; i < part->count; i++)
        mine[part->sentence[i]] = true;
    assert_int_equal(part->layer[l].voices, VOICES);
    for (uint32_t v = 0; v < VOICES; v++)
        for (uint32_t i = 0; i < SENTENCES; i++) {
            bool known = has_learned(&part->layer[l].voice[v], &part->layer[l].space, owner, i);
            assert_false(mine[i] && known);
            *learned += known;
        }
}

TEST(no_model_has_learned_from_its_own_part)
{
    for (int trees = 0; trees < 2; trees++)
        for (uint32_t further = 0; further < 3; further++) {
            struct stage s;
            struct held_out held;
            set_up(&s, trees);
            s.plan.scattered = trees;
            s.plan.further = further;
            MUST(held_out_learn(&held, &s.plan, &err));
            for (uint32_t l = 0; l < s.dataset.layers; l++) {
                uint32_t *owner = find_owners(&s.dataset.layer[l].examples), learned = 0;
                for (uint32_t p = 0; p < held.parts; p++)
                    check_part(&held.part[p], l, owner, &learned);
                assert_true(learned > SENTENCES); /* of the others it has */
                free(owner);
            }
            held_out_release(&held);
            clear(&s);
        }
}

/* Counts, in the weights, how often each feature was learned from; they stay so small that nothing else changes. */
static const float COUNTED = 0x1p-20f;

static bool count_update(const struct learner_options *options, struct voice *voice, const struct diff *diff,
                         const double *loss, struct scratch *work, struct vouch_error *error)
{
    (void)options, (void)loss, (void)work, (void)error;
    FOR_BLOCKS(diff, blocks, b)
    voice->mean[block_at(blocks, b)] += COUNTED;
    return true;
}

static const struct learner counting = {.name = "count", .need = NEED_MARGINALS, .update = count_update};

/* Returns how often a feature of example `i` alone was learned from. */
static uint32_t updates_of(const struct model_voice *voice, const struct space *space, const uint32_t *owner,
                           uint32_t i)
{
    for (uint32_t f = 0; f < space->nodes; f++)
        if (owner[f] == i)
            return (uint32_t)(voice->mean[space_node(space, f)] / COUNTED);
    fail_msg("sentence %u has no feature of its own", i);
    return 0;
}

/* Every model has learned from all sentences but its own: `passes` times if no part holds it out, else `further`. */
TEST(the_rest_is_learned_once_and_then_halves)
{
    for (uint32_t parts = 2; parts <= 5; parts++)
        for (uint32_t held_out = 1; held_out <= parts; held_out++)
            for (uint32_t threads = 1; threads <= 3; threads++) {
                struct stage s;
                struct held_out held;
                set_up(&s, false);
                s.learning.trial[0][0].learner = &counting;
                s.learning.voices = 1;
                s.plan.parts = parts;
                s.plan.held = held_out;
                s.plan.further = 2;
                s.learning.work.threads = threads;
                MUST(held_out_learn(&held, &s.plan, &err));
                uint32_t *owner = find_owners(&s.dataset.layer[0].examples), part[SENTENCES];
                for (uint32_t i = 0; i < SENTENCES; i++)
                    part[i] = held_out;
                for (uint32_t p = 0; p < held.parts; p++)
                    for (uint32_t k = 0; k < held.part[p].count; k++)
                        part[held.part[p].sentence[k]] = p;
                for (uint32_t p = 0; p < held.parts; p++)
                    for (uint32_t i = 0; i < SENTENCES; i++)
                        assert_int_equal(
                            updates_of(&held.part[p].layer[0].voice[0], &held.part[p].layer[0].space, owner, i),
                            part[i] == held_out ? s.plan.passes
                            : part[i] == p      ? 0
                                                : s.plan.further);
                free(owner);
                held_out_release(&held);
                clear(&s);
            }
}

TEST(threads_change_nothing)
{
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        struct held_out one, both;
        set_up(&s, trees);
        s.plan.further = trees; /* both ways */
        MUST(held_out_learn(&one, &s.plan, &err));
        s.learning.work.threads = 2 + trees;
        MUST(held_out_learn(&both, &s.plan, &err));
        for (uint32_t p = 0; p < PARTS; p++)
            for (uint32_t l = 0; l < s.dataset.layers; l++)
                for (uint32_t v = 0; v < VOICES; v++)
                    assert_memory_equal(one.part[p].layer[l].voice[v].mean, both.part[p].layer[l].voice[v].mean,
                                        sizeof(float) * space_size(&one.part[p].layer[l].space));
        held_out_release(&one);
        held_out_release(&both);
        clear(&s);
    }
}

TEST(too_few_sentences_are_refused)
{
    struct stage s;
    struct held_out held;
    set_up(&s, false);
    s.plan.parts = s.plan.held = SENTENCES / HELD_OUT_LEAST + 1;
    err = (struct vouch_error){0};
    assert_false(held_out_learn(&held, &s.plan, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    held_out_release(&held);
    clear(&s);
}

static int at_once(void *context)
{
    (void)context;
    return 1;
}

TEST(learning_can_be_stopped)
{
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct stage s;
        struct held_out held;
        set_up(&s, false);
        struct vouch_watch watch = {.size = sizeof watch, .stop = at_once};
        s.learning.work.watch = &watch;
        s.learning.work.threads = threads;
        s.plan.further = threads - 1;
        err = (struct vouch_error){0};
        assert_false(held_out_learn(&held, &s.plan, &err));
        assert_int_equal(err.status, VOUCH_ERR_STOPPED);
        held_out_release(&held);
        clear(&s);
    }
}

/* Held-out scores. */

static const struct voice_method asked[] = {
    {&delta_method, 0}, {&gamma_method, 1}, {&kb_method, 0}, {&kd_fix_method, 1}, {&kd_pc_method, 0}};
enum { ASKED = 5 };

static void take(struct held_out_scores *t, const struct held_out *held, uint32_t layer, uint32_t threads)
{
    struct method_params params[VOICES] = {default_method_params, default_method_params};
    struct noise *noise = noise_new(5, &err);
    struct first_answers first;
    struct score_plan plan = {.layer = layer,
                              .first = &first,
                              .chosen = asked,
                              .methods = ASKED,
                              .params = params,
                              .noise = noise,
                              .committee = true,
                              .wholes = layer == 0,
                              .work = &(struct work){.threads = threads}};
    MUST(noise);
    MUST(first_answers_init(&first, held, &err));
    MUST(held_out_scores_take(t, held, &plan, &err));
    first_answers_release(&first);
    noise_free(noise);
}

static void must_be_alike(const struct score_rows *a, const struct score_rows *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->methods, b->methods);
    assert_int_equal(a->signals, b->signals);
    if (a->count == 0)
        return;
    assert_memory_equal(a->right, b->right, sizeof *a->right * a->count);
    assert_memory_equal(a->sentence, b->sentence, sizeof *a->sentence * a->count);
    assert_memory_equal(a->value, b->value, sizeof *a->value * a->count * a->methods);
    if (a->signals)
        assert_memory_equal(a->signal, b->signal, sizeof *a->signal * a->count * a->signals);
    assert_int_equal(a->profile_width, b->profile_width);
    if (a->profile_width)
        assert_memory_equal(a->profile, b->profile, sizeof *a->profile * a->count * a->profile_width);
}

/* Where the next rows are. */
struct place {
    size_t word, span, sentence;
};

/* The rows of one sentence against its answer, worked out here. */
static void check_sentence(const struct held_out_scores *t, const struct span_rules *rules, uint32_t i,
                           const uint32_t *choice, const struct example *example, struct place *at)
{
    uint32_t N = example->parts.N;
    struct extent span = {0, 0};
    bool all = true;
    for (uint32_t n = 0; n < N; n++, at->word++) {
        assert_int_equal(t->word.sentence[at->word], i);
        assert_int_equal(t->word.right[at->word], choice[n] == example->gold[n]);
        all = all && t->word.right[at->word];
    }
    assert_int_equal(t->sentence.sentence[at->sentence], i);
    assert_int_equal(t->sentence.extent[at->sentence].to, N);
    assert_int_equal(t->sentence.right[at->sentence++], all);
    for (; rules && span_next(rules, choice, N, span.to, &span); at->span++) {
        assert_int_equal(t->span.sentence[at->span], i);
        assert_memory_equal(&t->span.extent[at->span], &span, sizeof span);
        assert_int_equal(t->span.right[at->span], span_agrees(rules, choice, example->gold, N, span));
    }
}

/* A tree of one word could not be another. */
static bool teaches(const struct dataset *dataset, uint32_t N)
{
    return dataset->rules || N > 1;
}

/* Returns the words of all sentences that teach, of the training or the development ones. */
static size_t words_that_teach(const struct dataset *dataset, bool dev, uint32_t layer, uint32_t sentences)
{
    size_t words = 0;
    for (uint32_t i = 0; i < sentences; i++) {
        size_t N = dataset->words_before(dataset->self, dev, i + 1) - dataset->words_before(dataset->self, dev, i);
        words += layer > 0 || teaches(dataset, (uint32_t)N) ? N : 0;
    }
    return words;
}

static void check_rows(const struct held_out_scores *t, const struct held_out *held, const struct examples *examples)
{
    struct answering work = {0};
    struct place at = {0};
    for (uint32_t p = 0; p < held->parts; p++)
        for (uint32_t k = 0; k < held->part[p].count; k++) {
            uint32_t i = held->part[p].sentence[k];
            struct example example;
            assert_true(k == 0 || i > held->part[p].sentence[k - 1]);
            MUST(examples_answer(examples, i, held->part[p].layer[0].voice[0].mean, &work, &example, &err));
            if (teaches(held->dataset, example.parts.N))
                check_sentence(t, held->dataset->rules, i, work.choice, &example, &at);
        }
    assert_int_equal(t->word.count, at.word);
    assert_int_equal(t->sentence.count, at.sentence);
    assert_int_equal(t->span.count, at.span);
    answering_release(&work);
}

static void check_values(const struct score_rows *rows)
{
    assert_int_equal(rows->methods, ASKED);
    for (size_t i = 0; i < rows->count; i++) {
        for (uint32_t q = 0; q < ASKED; q++) {
            double value = rows->value[i * ASKED + q];
            assert_true(isnan(value) || value >= 0);
            assert_true(!asked[q].method->bounded || !(value > 1));
        }
        for (uint32_t j = 0; j < rows->signals; j++)
            assert_true(isfinite(rows->signal[i * rows->signals + j]));
    }
}

/* Checks the rows of sentences that are scored once more, after losses, which check_rows() does not see. */
static void check_simulated(const struct held_out_scores *t)
{
    assert_true(t->simulated.count > 0 && t->simulated.count < t->word.count);
    assert_true(t->simulated.profile_width == PROFILE_SIGNALS && t->word.profile_width == PROFILE_SIGNALS);
    for (size_t i = 0; i < t->simulated.count * PROFILE_SIGNALS; i++)
        assert_true(isfinite(t->simulated.profile[i]));
}

TEST(scores_are_one_row_a_word_in_order)
{
    for (int trees = 0; trees < 2; trees++)
        for (uint32_t hold = 2; hold <= PARTS; hold += 2) {
            struct stage s;
            struct held_out held;
            set_up(&s, trees);
            s.plan.held = hold;
            MUST(held_out_learn(&held, &s.plan, &err));
            for (uint32_t l = 0; l < s.dataset.layers; l++) {
                struct held_out_scores one, two;
                take(&one, &held, l, 1);
                take(&two, &held, l, 2);
                must_be_alike(&one.word, &two.word);
                must_be_alike(&one.span, &two.span);
                must_be_alike(&one.sentence, &two.sentence);
                must_be_alike(&one.simulated, &two.simulated);
                check_simulated(&one);
                check_values(&one.word);
                check_values(&one.span);
                check_values(&one.sentence);
                assert_true(one.word.signals > 0 && (l > 0 || one.sentence.signals > 0));
                assert_true(trees ? one.span.count == 0 : one.span.count > 0);
                if (l == 0)
                    check_rows(&one, &held, &s.dataset.layer[0].examples);
                if (hold == PARTS)
                    assert_int_equal(one.word.count, words_that_teach(&s.dataset, false, l, SENTENCES));
                held_out_scores_release(&one);
                held_out_scores_release(&two);
            }
            held_out_release(&held);
            clear(&s);
        }
}

/* Joins the rows of `from` behind those of `to`. */
static void join(struct held_out_scores *to, const struct held_out_scores *from)
{
    MUST(score_rows_join(&to->word, &from->word, &err));
    MUST(score_rows_join(&to->span, &from->span, &err));
    MUST(score_rows_join(&to->sentence, &from->sentence, &err));
}

/* Each part is scored with working memory that no other model has used; together they share it. */
TEST(all_parts_together_say_what_each_says_alone)
{
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        struct held_out held;
        set_up(&s, trees);
        MUST(held_out_learn(&held, &s.plan, &err));
        for (uint32_t l = 0; l < s.dataset.layers; l++) {
            struct held_out_scores alone = {0};
            for (uint32_t p = 0; p < held.parts; p++) {
                struct held_out part = held;
                struct held_out_scores one;
                part.part = &held.part[p];
                part.parts = 1;
                take(&one, &part, l, 1);
                join(&alone, &one);
                held_out_scores_release(&one);
            }
            for (uint32_t threads = 1; threads <= 3; threads++) {
                struct held_out_scores together;
                take(&together, &held, l, threads);
                must_be_alike(&together.word, &alone.word);
                must_be_alike(&together.span, &alone.span);
                must_be_alike(&together.sentence, &alone.sentence);
                held_out_scores_release(&together);
            }
            held_out_scores_release(&alone);
        }
        held_out_release(&held);
        clear(&s);
    }
}

TEST(a_model_can_be_asked_about_other_sentences)
{
    static const char *const voices[] = {"cw", "crf", NULL};
    struct stage s;
    struct held_out held;
    struct model_layer layer[MAX_LAYERS];
    set_up(&s, true);
    small_layers(&s.dataset, voices, layer);
    MUST(held_out_dev(&held, &s.dataset, layer, &err));
    assert_true(held.dev);
    assert_int_equal(held.parts, 1);
    assert_int_equal(held.part[0].count, s.dataset.layer[0].dev.count);
    for (uint32_t l = 0; l < s.dataset.layers; l++) {
        struct held_out_scores t;
        take(&t, &held, l, 1);
        assert_int_equal(t.word.count, words_that_teach(&s.dataset, true, l, held.part[0].count));
        check_values(&t.word);
        if (l == 0)
            check_rows(&t, &held, &s.dataset.layer[0].dev);
        held_out_scores_release(&t);
    }
    held_out_release(&held);
    small_layers_free(layer, s.dataset.layers);
    clear(&s);
}
