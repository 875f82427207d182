/*
 * Tests simulated active learning: the learner, which sentences are labelled,
 * and the summary of the curves.
 */
#include "base/random.h"
#include "simulation/simulation.h"

#include "folder.h"
#include "small_models.h"

#include "must.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { SENTENCES = 120, LONGEST = 6, BITS = 12, WAYS = 4 };

/* Writes names after a title, which are more or less hard: a few titles are rare, and mean something else. */
static void write_tags(char *to)
{
    static const char *const title[] = {"Mr", "Mr", "Mr", "in", "in", "Dr"};
    for (int i = 0; i < SENTENCES; i++) {
        const char *before = title[i % 6];
        for (int n = 0; n < i % LONGEST; n++)
            to += sprintf(to, "w%d NN O\n", (i * 7 + n * 3) % 11);
        to += sprintf(to, "%s NN O\nname%d NN %s\n\n", before, i % 40, before[0] == 'i' ? "B-LOC" : "B-PER");
    }
}

static void write_trees(char *to)
{
    for (int i = 0; i < SENTENCES; i++) {
        int N = 2 + i % LONGEST;
        for (int n = 1; n < N; n++)
            to += sprintf(to, "%d\tw%d\t_\t%s\tX\t_\t%d\t%s\t_\t_\n", n, (i * 5 + n) % 13, n % 2 ? "A" : "B",
                          i % 2 ? N : n + 1, n % 2 ? "case" : "obj");
        to += sprintf(to, "%d\tv%d\t_\tV%d\tY\t_\t0\troot\t_\t_\n\n", N, i % 17, i % 2);
    }
}

struct stage {
    struct corpus tags;
    struct corpus trees;
    struct dataset dataset;
    struct trial trial[2];
    struct query_strategy strategy[WAYS];
    struct active_plan plan;
};

static const char *const ways[WAYS] = {"kd-fix", "gamma/mean", "committee", "random"};

static void set_up(struct stage *s, bool trees)
{
    static char text[1 << 16];
    *s = (struct stage){0};
    if (trees) {
        struct corpus_plan plan = {.arc_bits = BITS, .relation_bits = BITS, .reading = {.trees = true}};
        write_trees(text);
        small_tree_corpus(&s->trees, text, BITS);
        MUST(corpus_read_dev(&s->trees, &plan, folder_file("trees"), &err));
        s->dataset = s->trees.dataset;
    } else {
        struct corpus_plan plan = {.reading = {FORMAT_CONLL, GOLD_LAST}};
        write_tags(text);
        small_tag_corpus(&s->tags, text);
        MUST(corpus_read_dev(&s->tags, &plan, folder_file("tags"), &err));
        s->dataset = s->tags.dataset;
    }
    s->trial[0] = (struct trial){&confidence_weighted, small_parameters()};
    s->trial[1] = (struct trial){&log_likelihood, small_parameters()};
    struct model_layer layer;
    query_strategy_voices(&layer, s->trial, 2);
    for (int w = 0; w < WAYS; w++)
        MUST(query_strategy_parse(&s->strategy[w], ways[w], &layer, &err));
    s->plan = (struct active_plan){.dataset = &s->dataset,
                                   .trial = s->trial,
                                   .voices = 2,
                                   .strategy = s->strategy,
                                   .strategies = WAYS,
                                   .options = {.common.work = {.seed = 1, .threads = 1},
                                               .learner.passes = 2,
                                               .initial = 5,
                                               .candidates = 30,
                                               .choose = 4,
                                               .every = 10,
                                               .most = 38,
                                               .repeats = 2}};
}

static void clear(struct stage *s)
{
    if (s->dataset.layers == 2)
        corpus_release(&s->trees);
    else
        corpus_release(&s->tags);
}

/* --- the learner ---------------------------------------------------- */

static struct active_learner *active_learner_of(const struct stage *s, int way)
{
    struct active_plan plan = {.dataset = &s->dataset, .trial = s->trial, .voices = 2, .options.learner.passes = 3};
    struct active_learner *a = active_learner_new(&plan, &s->strategy[way], 1, NULL, &err);
    MUST(a);
    return a;
}

static const uint32_t some[] = {3, 1, 4, 15, 92, 65, 35, 89};

TEST(learning_on_from_nothing_new_changes_nothing)
{
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        set_up(&s, trees);
        struct active_learner *a = active_learner_of(&s, 2), *b = active_learner_of(&s, 2);
        MUST(active_learner_learn(a, some, 8, &err) && active_learner_learn(b, some, 8, &err));
        MUST(active_learner_learn_on(b, some, 0, &err));
        for (int v = 0; v < 2; v++) {
            const struct voice *x = active_learner_voice(a, 0, (uint32_t)v),
                               *y = active_learner_voice(b, 0, (uint32_t)v);
            assert_int_equal(x->size, y->size);
            assert_memory_equal(x->mean, y->mean, sizeof *x->mean * (x->size + SLACK));
            if (v == 0)
                assert_memory_equal(x->var, y->var, sizeof *x->var * x->size);
        }
        active_learner_free(a);
        active_learner_free(b);
        clear(&s);
    }
}

TEST(an_active_learner_answers_with_averaged_weights)
{
    struct stage s;
    set_up(&s, false);
    struct training_options options = {
        .learner = s.trial[0].learner, .parameters = small_parameters(), .passes = 3, .seed = 1};
    struct active_learner *a = active_learner_of(&s, 0);
    struct voice voice;
    bool stopped;
    MUST(active_learner_learn(a, some, 8, &err));
    MUST(train_voice(&s.dataset.layer[0].examples, (struct subset){some, 8}, &options, &voice, &stopped, &err));
    float *average = new_array(voice.size + SLACK, sizeof *average, &err);
    voice_average(&voice, average);
    assert_memory_equal(active_learner_voice(a, 0, 0)->mean, average, sizeof *average * (voice.size + SLACK));
    double figure;
    struct layer_score score;
    MUST(active_learner_measure(a, &figure, &err));
    MUST(s.dataset.measure(s.dataset.self, &(struct test_set){.dev = true}, average, &score, &err));
    assert_true(figure == score.figure);
    free(average);
    voice_release(&voice);
    active_learner_free(a);
    clear(&s);
}

/* The learner is better at what it learned last than before. */
TEST(learning_on_learns)
{
    struct stage s;
    set_up(&s, false);
    struct active_learner *a = active_learner_of(&s, 1);
    double before, after;
    uint32_t rare = 5; /* the first "Dr" */
    MUST(active_learner_learn(a, (const uint32_t[]){3, 4, 9, 10}, 4, &err));
    MUST(active_learner_ask(a, rare, &before, &err));
    MUST(active_learner_learn_on(a, &rare, 1, &err));
    MUST(active_learner_ask(a, rare, &after, &err));
    assert_true(after > before);
    active_learner_free(a);
    clear(&s);
}

/* Heads and relations: as many words as are right in both, counted one by one. */
TEST(trees_are_right_in_both)
{
    struct stage s;
    set_up(&s, true);
    struct active_learner *a = active_learner_of(&s, 0);
    struct layer_score heads;
    double both;
    MUST(active_learner_learn(a, some, 8, &err));
    MUST(active_learner_measure(a, &both, &err));
    MUST(s.dataset.measure(s.dataset.self, &(struct test_set){.dev = true}, active_learner_voice(a, 0, 0)->mean, &heads,
                           &err));
    assert_true(both <= heads.figure);
    assert_true(both > 0);
    const struct arc_set *dev = &s.trees.dev_arcs;
    uint32_t *answer = new_array(dev->words, sizeof *answer, &err);
    struct answering work = {0};
    struct example example;
    for (uint32_t i = 0; i < dev->count; i++) {
        MUST(examples_answer(&s.dataset.layer[0].dev, i, active_learner_voice(a, 0, 0)->mean, &work, &example, &err));
        memcpy(answer + dev->item[i].first, work.choice, sizeof *answer * dev->item[i].N);
    }
    struct examples given;
    void *owned;
    MUST(s.dataset.relations_for_heads(s.dataset.self, true, answer, &given, &owned, &err));
    uint32_t right = 0;
    for (uint32_t i = 0; i < dev->count; i++) {
        MUST(examples_answer(&given, i, active_learner_voice(a, 1, 0)->mean, &work, &example, &err));
        for (uint32_t n = 0; n < dev->item[i].N; n++)
            right += answer[dev->item[i].first + n] == dev->head[dev->item[i].first + n] &&
                     work.choice[n] == dev->relation[dev->item[i].first + n];
    }
    assert_true(both == 100 * (double)right / (double)dev->words);
    free(owned);
    free(answer);
    answering_release(&work);
    active_learner_free(a);
    clear(&s);
}

static struct active_learner *asked_by(const struct stage *s, const char *name)
{
    static struct query_strategy strategy;
    struct model_layer layer;
    query_strategy_voices(&layer, s->trial, 2);
    MUST(query_strategy_parse(&strategy, name, &layer, &err));
    struct active_plan plan = {.dataset = &s->dataset, .trial = s->trial, .voices = 2, .options.learner.passes = 4};
    struct active_learner *a = active_learner_new(&plan, &strategy, 1, NULL, &err);
    MUST(a);
    return a;
}

/* Finds how steady the words of example i are under the weights of these passes, answered one by one. */
static double steadiness_by_hand(const struct examples *examples, uint32_t i, float *const *weights, uint32_t passes,
                                 uint32_t word)
{
    struct answering work = {0};
    struct example example;
    uint32_t before = 0, changed = 0;
    for (uint32_t p = 0; p < passes; p++) {
        MUST(examples_answer(examples, i, weights[p], &work, &example, &err));
        changed += p > 0 && work.choice[word] != before;
        before = work.choice[word];
    }
    answering_release(&work);
    return 1 - changed / (passes - 1.0);
}

TEST(fluctuation_counts_the_passes_that_changed_an_answer)
{
    enum { PASSES = 4 };
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        set_up(&s, trees);
        const struct examples *examples = &s.dataset.layer[0].examples;
        size_t size = space_size(&examples->space) + SLACK;
        struct rng rng = rng_new(5, 1);
        struct fluctuation f = {0};
        struct scratch fetching = {0};
        float *weights[PASSES];
        double unsteady = 0, steady[LONGEST + 2];
        MUST(fluctuation_begin(&f, size, PASSES, &err));
        for (int p = 0; p < PASSES; p++) {
            weights[p] = new_array(size, sizeof *weights[p], &err);
            for (size_t at = 0; at < size; at++)
                weights[p][at] = (p ? weights[p - 1][at] : 0) + (float)(rng_uniform(&rng) - 0.5);
            fluctuation_keep(&f, weights[p]);
        }
        for (uint32_t i = 0; i < 30; i++) {
            struct example example;
            MUST(examples->get(examples->self, i, &fetching, &example, &err));
            MUST(fluctuation_words(&f, examples, &example.parts, steady, &err));
            for (uint32_t n = 0; n < example.parts.N; n++) {
                assert_true(fabs(steady[n] - steadiness_by_hand(examples, i, weights, PASSES, n)) < 1e-9);
                unsteady += steady[n] < 1;
            }
        }
        assert_true(unsteady > 0);
        for (int p = 0; p < PASSES; p++)
            free(weights[p]);
        scratch_release(&fetching);
        fluctuation_release(&f);
        clear(&s);
    }
}

TEST(what_was_learned_at_once_does_not_fluctuate)
{
    struct stage s;
    set_up(&s, false);
    struct active_learner *a = asked_by(&s, "fluctuation/mean");
    double number;
    MUST(active_learner_learn(a, some, 8, &err));
    MUST(active_learner_ask(a, some[0], &number, &err));
    assert_true(number == 1);
    active_learner_free(a);
    clear(&s);
}

/* Names are all of one word: as many are to be marked as there are labels that are not O. */
TEST(what_is_to_be_changed_is_counted)
{
    struct stage s;
    set_up(&s, false);
    struct active_learner *a = active_learner_of(&s, 0);
    uint32_t changes;
    for (uint32_t i = 0; i < 20; i++) {
        MUST(active_learner_changes(a, i, &changes, &err));
        assert_int_equal(changes, 1);
    }
    active_learner_free(a);
    clear(&s);

    set_up(&s, true);
    a = active_learner_of(&s, 0);
    const struct arc_set *trees = &s.trees.arcs;
    struct answering work = {0};
    struct example example;
    MUST(active_learner_changes(a, 7, &changes, &err));
    assert_int_equal(changes, trees->item[7].N); /* nothing is learned yet: every head */
    MUST(active_learner_learn(a, some, 8, &err));
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 20; i++) {
        uint32_t wrong = 0;
        MUST(examples_answer(&s.dataset.layer[0].examples, i, active_learner_voice(a, 0, 0)->mean, &work, &example,
                             &err));
        for (uint32_t n = 0; n < example.parts.N; n++)
            wrong += work.choice[n] != example.gold[n];
        MUST(active_learner_changes(a, i, &changes, &err));
        assert_int_equal(changes, wrong);
        sum += wrong;
    }
    assert_true(sum > 0);
    answering_release(&work);
    active_learner_free(a);
    clear(&s);
}

TEST(ways_that_cannot_be_are_refused)
{
    struct stage s;
    struct query_strategy strategy;
    struct model_layer layer;
    set_up(&s, false);
    query_strategy_voices(&layer, s.trial, 2);
    MUST(query_strategy_parse(&strategy, "gamma@crf/mean", &layer, &err));
    assert_int_equal(strategy.voice, 1);
    assert_ptr_equal(strategy.method, &gamma_method);
    MUST(query_strategy_parse(&strategy, "kd-pc+delta/bald", &layer, &err));
    MUST(query_strategy_parse(&strategy, "committee/density", &layer, &err));
    assert_true(query_strategy_is_committee(&strategy));
    MUST(query_strategy_parse(&strategy, "fluctuation/mean", &layer, &err));
    assert_true(strategy.fluctuation && !query_strategy_is_committee(&strategy));
    static const char *const wrong[][2] = {
        {"kd-pc@crf", "kd-pc needs a confidence-weighted voice (-a cw), found crf"},
        {"gamma/bald", "gamma/bald: expected a method that draws models, as in kd-fix/bald"},
        {"kb/bald", "kb/bald: expected a method that draws models, as in kd-fix/bald"},
        {"committee/bald", "committee/bald: expected a method that draws models, as in kd-fix/bald"},
        {"random/mean", "random/mean: expected random alone, which looks at no words"},
        {"delta/density", "delta/density: expected probabilities of labels, as in gamma/density"},
        {"kd-fix/entities", "kd-fix/entities: expected probabilities of labels, as in gamma/density"},
        {"fluctuation/density", "fluctuation/density: expected fluctuation or fluctuation/mean"},
        {"luck", "expected a method of confidence (see 'vouch help confidence'), found 'luck'"},
        {"gamma@pa", "expected a voice of the model after '@', found 'gamma@pa'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(query_strategy_parse(&strategy, wrong[i][0], &layer, &err));
        assert_string_equal(err.message, wrong[i][1]);
    }
    clear(&s);
}

/* --- the protocol ------------------------------------------------------- */

static void expect_same_point(const struct active_point *a, const struct active_point *b)
{
    assert_int_equal(a->sentences, b->sentences);
    assert_int_equal(a->words, b->words);
    assert_true(a->score == b->score);
    assert_true(a->seconds == b->seconds);
}

TEST(all_curves_are_measured_after_the_same_sentences)
{
    const uint32_t expected[] = {5, 15, 25, 35, 38};
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        struct active_outcome o;
        set_up(&s, trees);
        MUST(active_run(&s.plan, &o, &err));
        assert_int_equal(o.runs, WAYS * 2);
        assert_int_equal(o.points, 5);
        assert_int_equal(o.chunks, !trees);
        assert_false(o.stopped);
        for (uint32_t i = 0; i < o.runs; i++) {
            assert_int_equal(o.curve[i].points, 5);
            for (int p = 0; p < 5; p++) {
                assert_int_equal(o.curve[i].point[p].sentences, expected[p]);
                assert_true(p == 0 || o.curve[i].point[p].words > o.curve[i].point[p - 1].words);
            }
        }
        active_release(&o);
        clear(&s);
    }
}

/* Ways share their luck; repeats do not. */
TEST(ways_begin_alike_and_repeats_do_not)
{
    struct stage s;
    struct active_outcome o;
    set_up(&s, false);
    s.plan.options.initial = 20;
    MUST(active_run(&s.plan, &o, &err));
    for (uint32_t w = 1; w < WAYS; w++)
        for (uint32_t r = 0; r < 2; r++)
            expect_same_point(&o.curve[w * 2 + r].point[0], &o.curve[r].point[0]);
    assert_int_not_equal(o.curve[0].point[0].words, o.curve[1].point[0].words);
    active_release(&o);
    clear(&s);
}

/* With all sentences labelled there is nothing left to choose: every way has learned the same. */
TEST(ways_end_alike_when_the_pool_does)
{
    struct stage s;
    struct active_outcome o;
    set_up(&s, false);
    s.plan.options.most = 1000;
    s.plan.options.choose = 7;
    s.plan.options.every = 50;
    s.plan.options.repeats = 1;
    MUST(active_run(&s.plan, &o, &err));
    uint32_t last = o.points - 1;
    assert_int_equal(o.curve[0].point[last].sentences, SENTENCES);
    assert_int_equal(o.curve[0].point[last].words, s.tags.tags.words);
    for (uint32_t w = 1; w < WAYS; w++)
        expect_same_point(&o.curve[w].point[last], &o.curve[0].point[last]);
    active_release(&o);
    clear(&s);
}

static void expect_same(const struct active_outcome *a, const struct active_outcome *b)
{
    assert_int_equal(a->runs, b->runs);
    for (uint32_t i = 0; i < a->runs; i++) {
        assert_int_equal(a->curve[i].points, b->curve[i].points);
        for (uint32_t p = 0; p < a->curve[i].points; p++)
            expect_same_point(&a->curve[i].point[p], &b->curve[i].point[p]);
    }
}

TEST(threads_change_nothing)
{
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        struct active_outcome one, several;
        set_up(&s, trees);
        s.plan.options.diversity = 0.5;
        MUST(active_run(&s.plan, &one, &err));
        s.plan.options.common.work.threads = 3;
        MUST(active_run(&s.plan, &several, &err));
        expect_same(&one, &several);
        active_release(&several);
        s.plan.options.common.work.seed = 2;
        MUST(active_run(&s.plan, &several, &err));
        bool other = false;
        for (uint32_t i = 0; i < one.runs; i++)
            other = other || one.curve[i].point[0].words != several.curve[i].point[0].words;
        assert_true(other);
        active_release(&one);
        active_release(&several);
        clear(&s);
    }
}

/* Where it is measured after every round there is no learning on: learning anew each round is the same. */
TEST(learning_anew_is_what_measuring_does)
{
    struct stage s;
    struct active_outcome a, b;
    set_up(&s, false);
    s.plan.options.every = s.plan.options.choose;
    MUST(active_run(&s.plan, &a, &err));
    s.plan.options.scratch = true;
    MUST(active_run(&s.plan, &b, &err));
    expect_same(&a, &b);
    active_release(&a);
    active_release(&b);
    clear(&s);
}

/* The rounds are repeated by hand: the least sure of the candidates are labelled. */
TEST(the_least_sure_are_labelled)
{
    struct stage s;
    struct active_outcome o;
    set_up(&s, false);
    s.plan.strategy = &s.strategy[1]; /* gamma/mean */
    s.plan.strategies = s.plan.options.repeats = 1;
    s.plan.options.candidates = SENTENCES;
    s.plan.options.most = 9;
    s.plan.options.every = 4;
    MUST(active_run(&s.plan, &o, &err));
    /* The initial five are whichever five make up the words of the first point and, learned, its score. */
    struct rng rng = rng_new(1, UINT64_C(1) << 40);
    uint32_t order[SENTENCES];
    for (uint32_t i = 0; i < SENTENCES; i++)
        order[i] = i;
    rng_shuffle(&rng, order, SENTENCES);
    size_t words = 0;
    for (int k = 0; k < 5; k++)
        words += s.tags.tags.item[order[k]].N;
    assert_int_equal(o.curve[0].point[0].words, words);
    uint32_t known[9];
    bool labelled[SENTENCES] = {false};
    for (int k = 0; k < 5; k++)
        labelled[order[k]] = true;
    for (uint32_t i = 0, k = 0; i < SENTENCES; i++)
        if (labelled[i])
            known[k++] = i;
    struct active_plan plan = {.dataset = &s.dataset, .trial = s.trial, .voices = 2, .options.learner.passes = 2};
    struct active_learner *a = active_learner_new(&plan, &s.strategy[1], 1, NULL, &err);
    MUST(a && active_learner_learn(a, known, 5, &err));
    struct candidate candidate[SENTENCES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < SENTENCES; i++)
        if (!labelled[i]) {
            candidate[count] = (struct candidate){.words = s.tags.tags.item[i].N, .index = i};
            MUST(active_learner_ask(a, i, &candidate[count].number, &err));
            count++;
        }
    candidates_rank(candidate, count);
    for (int k = 0; k < 4; k++) {
        labelled[candidate[k].index] = true;
        words += candidate[k].words;
    }
    assert_int_equal(o.curve[0].point[1].words, words);
    for (uint32_t i = 0, k = 0; i < SENTENCES; i++)
        if (labelled[i])
            known[k++] = i;
    double score = 0;
    MUST(active_learner_learn(a, known, 9, &err) && active_learner_measure(a, &score, &err));
    assert_true(score == o.curve[0].point[1].score);
    active_learner_free(a);
    active_release(&o);
    clear(&s);
}

TEST(there_must_be_something_to_choose)
{
    struct stage s;
    struct active_outcome o;
    set_up(&s, false);
    s.plan.options.initial = SENTENCES;
    s.plan.options.most = 1000;
    assert_false(active_run(&s.plan, &o, &err));
    assert_string_equal(err.message, "expected more than the 120 initial sentences to choose from, found 120");
    active_release(&o);
    s.plan.options.initial = 10;
    s.plan.options.most = 10;
    assert_false(active_run(&s.plan, &o, &err));
    active_release(&o);
    clear(&s);
}

static uint64_t rounds_told;

static void count_rounds(void *context, const struct vouch_event *event)
{
    (void)context;
    rounds_told = event->done;
    assert_int_equal(event->kind, VOUCH_EVENT_ROUNDS);
    assert_int_equal(event->of,
                     WAYS * 2 * 10); /* three times 10 sentences and once 3, by fours: 3 + 3 + 3 + 1 rounds */
}

static int stop_in_time(void *context)
{
    (void)context;
    return rounds_told >= 14;
}

TEST(it_can_be_stopped_and_keeps_what_was_measured)
{
    struct stage s;
    struct active_outcome o;
    set_up(&s, false);
    struct vouch_watch watch = {.size = sizeof watch, .tell = count_rounds};
    s.plan.options.common.work.watch = &watch;
    rounds_told = 0;
    MUST(active_run(&s.plan, &o, &err));
    assert_int_equal(rounds_told, WAYS * 2 * 10);
    active_release(&o);
    watch.stop = stop_in_time;
    rounds_told = 0;
    MUST(active_run(&s.plan, &o, &err));
    assert_true(o.stopped);
    assert_int_equal(o.curve[0].points, 5); /* the first way of the first repeat */
    assert_int_equal(o.curve[2].points, 2); /* the second one had three rounds more, then one of the next ten */
    struct active_summary summary;
    MUST(active_summarise(&summary, &s.plan, &o, &err));
    assert_int_equal(summary.repeats, 1);
    assert_int_equal(summary.way[0].points, 5);
    assert_int_equal(summary.way[1].points, 2);
    assert_int_equal(summary.way[3].points, 0);
    assert_true(isnan(summary.target));
    assert_true(isnan(summary.way[0].saved));
    active_summary_release(&summary);
    active_release(&o);
    clear(&s);
}

/* --- the summary -------------------------------------------------------- */

/* Two ways, two repeats; the second is random. */
TEST(saved_words_are_worked_by_hand)
{
    struct active_point point[4][3] = {
        {{10, 100, 50, 1000}, {20, 300, 70, 2000}, {30, 500, 80, 4000}},
        {{10, 120, 52, 1200}, {20, 320, 72, 2400}, {30, 520, 82, 4800}},
        {{10, 100, 50, 1000}, {20, 200, 60, 1900}, {30, 300, 69, 2800}},
        {{10, 120, 52, 1200}, {20, 220, 62, 2100}, {30, 320, 71, 3000}},
    };
    struct active_curve curve[4];
    for (int i = 0; i < 4; i++)
        curve[i] = (struct active_curve){point[i], 3};
    struct query_strategy strategy[2] = {{.method = &delta_method}, {.method = &random_method}};
    struct active_plan plan = {.strategy = strategy, .strategies = 2, .options.repeats = 2};
    struct active_outcome outcome = {.curve = curve, .runs = 4, .points = 3};
    struct active_summary s;
    MUST(active_summarise(&s, &plan, &outcome, &err));
    assert_int_equal(s.repeats, 2);
    assert_int_equal(s.random, 1);
    assert_true(s.target == 70); /* the mean of 69 and 71 */
    assert_true(s.way[0].mean[1].cost == 310 && s.way[0].mean[1].score == 71);
    /* From 110 words and 51 to 310 and 71: 70 is reached after 300. Random needs all of its 310. */
    assert_true(fabs(s.way[0].reach - 300) < 1e-9);
    assert_true(fabs(s.way[1].reach - 310) < 1e-9);
    assert_true(fabs(s.way[0].saved - 100 * (1 - 300.0 / 310)) < 1e-9);
    assert_true(isnan(s.way[1].saved));
    /*
     * Without the first repeat, from 120 words and 52 to 320 and 72, 71 is reached after 310 of random's 320; without
     * the second, 69 after 290 of 300. Two values have a deviation of their difference over the root of two.
     */
    double others = 100 * (290.0 / 300 - 310.0 / 320);
    assert_true(fabs(s.way[0].saved_interval - 12.7062 * fabs(others) / 2) < 1e-3);
    assert_true(isnan(s.way[1].saved_interval));
    /* In seconds, from 1100 and 51 to 2200 and 71: 70 is reached after 2145, of random's 2900. */
    assert_true(s.way[0].time[1].cost == 2200 && s.way[0].time[1].score == 71);
    assert_true(fabs(s.way[0].reach_seconds - 2145) < 1e-9);
    assert_true(fabs(s.way[0].saved_seconds - 100 * (1 - 2145.0 / 2900)) < 1e-9);
    assert_true(isnan(s.way[1].saved_seconds));
    /* Half of the difference, times t of one degree of freedom over the root of two, is 12.706. */
    assert_true(fabs(s.way[0].interval[0] - 12.7062) < 1e-3);
    /* Up to 300 and 320 words: (50 + 70) / 2 and (52 + 72) / 2. */
    assert_true(fabs(s.way[0].area - 61) < 1e-9);
    assert_true(fabs(s.way[1].area - (0.5 * (55 + 64.5) + 0.5 * (57 + 66.5)) / 2) < 1e-9);
    assert_true(s.area_to == 310);
    assert_true(s.way[0].p < 1e-6); /* the same difference in both repeats */
    active_summary_release(&s);

    /* One repeat alone has no interval. */
    plan.options.repeats = 1;
    struct active_curve alone[2] = {curve[0], curve[2]};
    outcome = (struct active_outcome){.curve = alone, .runs = 2, .points = 3};
    MUST(active_summarise(&s, &plan, &outcome, &err));
    assert_true(isnan(s.way[0].interval[0]));
    assert_true(isnan(s.way[0].saved_interval));
    assert_true(isnan(s.way[0].p));
    active_summary_release(&s);
}

TEST(repeats_that_are_not_complete_do_not_count)
{
    struct active_point point[2] = {{10, 100, 50, 1}, {20, 200, 60, 2}}, other[2] = {{10, 50, 10, 1}, {20, 99, 20, 2}};
    struct active_curve curve[4] = {{other, 2}, {point, 2}, {other, 1}, {point, 2}};
    struct query_strategy strategy[2] = {{.method = &delta_method}, {.method = &random_method}};
    struct active_plan plan = {.strategy = strategy, .strategies = 2, .options.repeats = 2};
    struct active_outcome outcome = {.curve = curve, .runs = 4, .points = 2, .stopped = true};
    struct active_summary s;
    MUST(active_summarise(&s, &plan, &outcome, &err));
    assert_int_equal(s.repeats, 1);
    assert_true(s.way[0].mean[1].score == 60);
    active_summary_release(&s);
    curve[3].points = 0;
    MUST(active_summarise(&s, &plan, &outcome, &err));
    assert_int_equal(s.repeats, 1);
    assert_int_equal(s.way[0].points, 2);
    assert_true(s.way[0].mean[1].score == 20);
    assert_int_equal(s.way[1].points, 1);
    assert_true(isnan(s.way[0].area));
    active_summary_release(&s);
}
