/*
 * Tests judges of scores from elsewhere, through vouch.h: against a list of all
 * answers; against a model's own path; what is refused; noise, and threads.
 */
#include "base/parallel.h"
#include "base/random.h"
#include "answer/estimator.h"
#include "task/arc_features.h"

#include "small_models.h"

#include "must.h"
#include "test.h"
#include "answer/predictor.h"

enum { LONGEST = 4, MOST_LABELS = 5, MOST_SETS = 3, MOST_LISTED = 1024, BEST = 3 };

static const char *const names[MOST_LABELS] = {"O", "B-PER", "I-PER", "B-LOC", "I-LOC"};

/* Scores of one sentence, of a chain or a tree, and every answer to them. */
struct world {
    bool tree, constrained;
    uint32_t N, options, sets;
    int edges; /* 0 none, 1 shared, 2 one for each pair of neighbours */
    float node[MOST_SETS * (LONGEST + 1) * (LONGEST + 1) * MOST_LABELS];
    float edge[MOST_SETS * LONGEST * MOST_LABELS * MOST_LABELS];
    uint32_t listed, possible; /* possible in the mean */
    struct listed {
        uint32_t choice[LONGEST];
        double mean, set[MOST_SETS];
    } list[MOST_LISTED]; /* the best first */
};

static float random_score(struct rng *rng, bool impossible)
{
    if (impossible && rng_below(rng, 6) == 0)
        return -INFINITY;
    return (float)(6 * rng_uniform(rng) - 3);
}

/* Returns the score that a set gives to an answer. */
static double score_by(const struct world *w, uint32_t k, const uint32_t *choice)
{
    uint32_t N = w->N, Y = w->options;
    double sum = 0;
    for (uint32_t n = 0; n < N; n++) {
        if (w->tree)
            sum += (double)w->node[(k * (N + 1) + choice[n]) * (N + 1) + n + 1];
        else
            sum += (double)w->node[(k * N + n) * Y + choice[n]];
        if (n > 0 && w->edges) {
            size_t block = w->edges == 1 ? k : k * (N - 1) + n - 1;
            sum += (double)w->edge[(block * Y + choice[n - 1]) * Y + choice[n]];
        }
    }
    return sum;
}

/* IOB2 by its definition: I-X comes only after B-X or I-X. Labels are those of `names`. */
static bool iob2_writes(uint32_t before, uint32_t here)
{
    return (here != 2 && here != 4) || before == here || before == here - 1;
}

static bool is_answer(const struct world *w, const uint32_t *choice)
{
    uint32_t roots = 0;
    for (uint32_t n = 0; !w->tree && w->constrained && n < w->N; n++)
        if (!iob2_writes(n ? choice[n - 1] : 0, choice[n]))
            return false;
    for (uint32_t n = 0; w->tree && n < w->N; n++) {
        uint32_t at = n + 1, steps = 0;
        while (at && steps++ <= w->N)
            at = choice[at - 1];
        if (at)
            return false;
        roots += choice[n] == 0;
    }
    return !w->tree || roots == 1;
}

static int by_score(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    return x->mean > y->mean ? -1 : x->mean < y->mean;
}

static void list_answers(struct world *w)
{
    uint32_t all = 1;
    for (uint32_t n = 0; n < w->N; n++)
        all *= w->options;
    for (uint32_t i = 0; i < all; i++) {
        struct listed one = {.mean = 0};
        uint32_t rest = i;
        for (uint32_t n = 0; n < w->N; n++, rest /= w->options)
            one.choice[n] = rest % w->options;
        if (!is_answer(w, one.choice))
            continue;
        for (uint32_t k = 0; k < w->sets; k++)
            one.mean += (one.set[k] = score_by(w, k, one.choice)) / w->sets;
        w->possible += one.mean > -INFINITY;
        w->list[w->listed++] = one;
    }
    qsort(w->list, w->listed, sizeof *w->list, by_score);
}

static void make_world(struct world *w, struct rng *rng, bool tree, bool impossible)
{
    *w = (struct world){.tree = tree, .sets = 1 + rng_below(rng, MOST_SETS), .N = 1 + rng_below(rng, LONGEST)};
    w->options = tree ? w->N + 1 : 1 + rng_below(rng, MOST_LABELS);
    w->edges = tree ? 0 : (int)rng_below(rng, 3);
    w->constrained = !tree && rng_below(rng, 2);
    for (size_t i = 0; i < sizeof w->node / sizeof *w->node; i++)
        w->node[i] = random_score(rng, impossible);
    for (size_t i = 0; i < sizeof w->edge / sizeof *w->edge; i++)
        w->edge[i] = random_score(rng, impossible);
    list_answers(w);
}

static vouch_judge *must_judge(const struct world *w, struct vouch_judge_options options)
{
    options.size = sizeof options;
    options.sets = w->sets;
    options.constraints = w->constrained;
    err = (struct vouch_error){0};
    vouch_judge *judge =
        w->tree ? vouch_judge_new_tree(&options, &err) : vouch_judge_new(names, w->options, &options, &err);
    MUST(judge);
    return judge;
}

static const vouch_answer *ask(vouch_judge_worker *worker, const struct world *w)
{
    struct vouch_chain_scores chain = {.size = sizeof chain,
                                       .words = w->N,
                                       .labels = w->options,
                                       .sets = w->sets,
                                       .node = w->node,
                                       .edge = w->edges ? w->edge : NULL,
                                       .edge_per_word = w->edges == 2};
    struct vouch_tree_scores tree = {.size = sizeof tree, .words = w->N, .sets = w->sets, .arc = w->node};
    err = (struct vouch_error){0};
    return w->tree ? vouch_judge_tree(worker, &tree, &err) : vouch_judge_chain(worker, &chain, &err);
}

static uint32_t choice_of(const struct world *w, const vouch_answer *answer, uint32_t n)
{
    if (w->tree)
        return (uint32_t)vouch_answer_head(answer, n);
    uint32_t y = 0;
    while (strcmp(names[y], vouch_answer_label(answer, n)) != 0)
        y++;
    return y;
}

/* Margin, marginal and shares of the K best and of the sets, by their definitions. */
static void expect_numbers(const struct world *w, const vouch_answer *answer, uint32_t n)
{
    const struct listed *top = &w->list[0];
    double without = -INFINITY, all = 0, own = 0, votes = 0;
    uint32_t best = w->possible < BEST ? w->possible : BEST, share = 0;
    for (uint32_t i = 0; i < w->possible; i++) {
        bool same = w->list[i].choice[n] == top->choice[n];
        double p = exp(0.5 * (w->list[i].mean - top->mean));
        all += p;
        own += same ? p : 0;
        if (!same && w->list[i].mean > without)
            without = w->list[i].mean;
        share += i < best && same;
    }
    for (uint32_t k = 0; k < w->sets; k++) {
        uint32_t at = UINT32_MAX;
        double most = -INFINITY;
        for (uint32_t i = 0; i < w->listed; i++)
            if (w->list[i].set[k] > most) {
                most = w->list[i].set[k];
                at = i;
            }
        votes += w->list[at].choice[n] == top->choice[n];
    }
    bool forced = without == -INFINITY;
    if (forced) {
        assert_true(isinf(vouch_answer_confidence(answer, 0, n)));
        for (size_t m = 1; m < vouch_answer_methods(answer); m++)
            assert_true(vouch_answer_confidence(answer, m, n) == 1);
        return;
    }
    assert_float_equal(vouch_answer_confidence(answer, 0, n), top->mean - without, 1e-4);
    assert_float_equal(vouch_answer_confidence(answer, 1, n), own / all, 1e-5);
    assert_float_equal(vouch_answer_confidence(answer, 2, n), (double)share / best, 1e-9);
    if (w->sets > 1)
        assert_float_equal(vouch_answer_confidence(answer, 3, n), votes / w->sets, 1e-9);
}

/* Alternatives are what the marginals say, the likeliest first. */
static void expect_alternatives(const vouch_answer *answer, uint32_t n)
{
    double sum = 0, last = 1;
    assert_true(vouch_answer_alternatives(answer, n) >= 1);
    for (size_t k = 0; k < vouch_answer_alternatives(answer, n); k++) {
        const char *label;
        size_t head;
        double p;
        assert_true(vouch_answer_alternative(answer, n, k, &label, &head, &p));
        assert_true(p <= last + 1e-9 && (label != NULL) == (head == (size_t)-1));
        sum += last = p;
    }
    assert_true(sum <= 1 + 1e-6);
}

static void compare_with_list(const struct world *w)
{
    struct vouch_judge_options options = {
        .methods = w->sets > 1 ? "delta,gamma,kb,votes" : "delta,gamma,kb", .alternatives = 3, .best = BEST, .c = 0.5};
    vouch_judge *judge = must_judge(w, options);
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    MUST(worker);
    const vouch_answer *answer = ask(worker, w);
    if (w->possible == 0) {
        assert_null(answer);
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    } else {
        MUST(answer);
        assert_int_equal(vouch_answer_words(answer), w->N);
        for (uint32_t n = 0; n < w->N; n++) {
            assert_int_equal(choice_of(w, answer, n), w->list[0].choice[n]);
            expect_numbers(w, answer, n);
            expect_alternatives(answer, n);
        }
        assert_null(vouch_answer_label(answer, w->N));
        assert_true(isnan(vouch_answer_confidence(answer, 0, w->N)));
    }
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

TEST(answers_and_numbers_are_those_of_all_answers_listed)
{
    struct rng rng = rng_new(3, 1);
    static struct world w;
    uint32_t impossible = 0;
    for (int i = 0; i < 300; i++) {
        make_world(&w, &rng, i % 3 == 0, i % 2);
        impossible += w.possible == 0;
        compare_with_list(&w);
    }
    assert_true(impossible > 5 && impossible < 150);
}

/* The largest scores that there may be: sums stay finite, and every number is one. */
TEST(huge_scores_give_numbers)
{
    struct rng rng = rng_new(7, 1);
    static struct world w;
    for (int i = 0; i < 60; i++) {
        make_world(&w, &rng, i % 3 == 0, false);
        for (size_t j = 0; j < sizeof w.node / sizeof *w.node; j++)
            w.node[j] *= 1e30f / 3;
        for (size_t j = 0; j < sizeof w.edge / sizeof *w.edge; j++)
            w.edge[j] *= 1e30f / 3;
        vouch_judge *judge = must_judge(&w, (struct vouch_judge_options){.methods = "all", .alternatives = 2});
        vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
        const vouch_answer *answer = worker ? ask(worker, &w) : NULL;
        MUST(answer);
        for (size_t m = 0; m < vouch_answer_methods(answer); m++)
            for (uint32_t n = 0; n < w.N; n++)
                assert_true(vouch_answer_confidence(answer, m, n) >= 0);
        vouch_judge_worker_free(worker);
        vouch_judge_free(judge);
    }
}

/* Returns a chain of one set, without edges. */
static struct vouch_chain_scores plain_chain(const float *node, size_t words, size_t labels)
{
    return (struct vouch_chain_scores){
        .size = sizeof(struct vouch_chain_scores), .words = words, .labels = labels, .sets = 1, .node = node};
}

static void refuses(vouch_judge_worker *worker, struct vouch_chain_scores scores, const char *message)
{
    err = (struct vouch_error){0};
    assert_null(vouch_judge_chain(worker, &scores, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s' in '%s'", message, err.message);
}

/* A structure of a later version is accepted unless it uses a member that this one does not know. */
static void refuses_grown(vouch_judge_worker *worker, const struct vouch_chain_scores *scores)
{
    err = (struct vouch_error){0};
    assert_null(vouch_judge_chain(worker, scores, NULL));
    assert_null(vouch_judge_chain(worker, scores, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
}

TEST(scores_that_are_none_are_refused)
{
    struct world w = {.sets = 1, .options = 2, .N = 2};
    vouch_judge *judge = must_judge(&w, (struct vouch_judge_options){0});
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    float node[4] = {0, 1, 2, 3}, edge[4] = {0};
    struct vouch_chain_scores scores = plain_chain(node, 2, 2), bad;
    MUST(worker && vouch_judge_chain(worker, &scores, &err));
    for (int i = 0; i < 4; i++) {
        const float faults[] = {NAN, INFINITY, 2e30f, -2e30f};
        node[3] = faults[i];
        refuses(worker, scores, "word 2, label B-PER: expected -inf or a score");
        node[3] = 3;
        edge[1] = faults[i];
        bad = scores;
        bad.edge = edge;
        refuses(worker, bad, "word 2, label B-PER behind O");
    }
    node[0] = node[1] = -INFINITY;
    refuses(worker, scores, "word 1: expected at least one label that is possible");
    node[0] = 0;
    edge[0] = edge[1] = -INFINITY;
    bad = scores;
    bad.edge = edge;
    refuses(worker, bad, "leave an answer possible"); /* O is the only first label, and nothing may follow it */
    bad = scores;
    bad.labels = 3;
    refuses(worker, bad, "expected scores of 2 labels, found 3");
    bad = scores;
    bad.sets = 0;
    refuses(worker, bad, "expected 1 set of scores, found 0");
    bad = scores;
    bad.size = 8;
    refuses(worker, bad, "own size");
    struct {
        struct vouch_chain_scores known;
        size_t later;
    } grown = {.known = scores};
    grown.known.size = sizeof grown;
    MUST(vouch_judge_chain(worker, &grown.known, &err));
    grown.later = 1;
    refuses_grown(worker, &grown.known);
    bad = scores;
    bad.words = SIZE_MAX / 2;
    refuses(worker, bad, "at most 2^20 words");
    bad = scores;
    bad.node = NULL;
    refuses(worker, bad, "found none");
    bad = scores;
    bad.edge_per_word = 1;
    refuses(worker, bad, "every pair of neighbours");
    struct vouch_tree_scores tree = {.size = sizeof tree, .words = 1, .sets = 1, .arc = node};
    err = (struct vouch_error){0};
    assert_null(vouch_judge_tree(worker, &tree, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    scores.words = 0;
    const vouch_answer *empty = vouch_judge_chain(worker, &scores, &err);
    MUST(empty);
    assert_int_equal(vouch_answer_words(empty), 0);
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

TEST(arcs_are_refused_by_head_and_word)
{
    struct world w = {.tree = true, .sets = 2};
    vouch_judge *judge = must_judge(&w, (struct vouch_judge_options){0});
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    float arc[18] = {0};
    struct vouch_tree_scores scores = {.size = sizeof scores, .words = 2, .sets = 2, .arc = arc};
    arc[0] = arc[3] = arc[4] = NAN; /* never looked at: what the root depends on, and a word that depends on itself */
    MUST(worker && vouch_judge_tree(worker, &scores, &err));
    arc[9 + 3 + 2] = NAN;
    assert_null(vouch_judge_tree(worker, &scores, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "set 2, word 2, head 1:"));
    arc[9 + 3 + 2] = arc[2] = -INFINITY; /* one set forbids the one head of word 2, the other the other */
    assert_null(vouch_judge_tree(worker, &scores, &err));
    assert_non_null(strstr(err.message, "word 2: expected at least one head that is possible in all sets"));
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

static void refuses_options(struct vouch_judge_options options, const char *const *labels, size_t count,
                            const char *message)
{
    err = (struct vouch_error){0};
    options.size = sizeof options;
    assert_null(vouch_judge_new(labels, count, &options, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s' in '%s'", message, err.message);
}

TEST(options_that_make_no_sense_are_refused)
{
    const char *const twice[] = {"O", "B", "O"}, *const empty[] = {"O", ""}, *const bytes[] = {"\xff"};
    refuses_options((struct vouch_judge_options){0}, NULL, 0, "labels, found 0");
    refuses_options((struct vouch_judge_options){0}, twice, 3, "label 3: expected a new name");
    refuses_options((struct vouch_judge_options){0}, empty, 2, "label 2");
    refuses_options((struct vouch_judge_options){0}, bytes, 1, "label 1");
    refuses_options((struct vouch_judge_options){.c = NAN}, names, 2, "scale c");
    refuses_options((struct vouch_judge_options){.c = -1}, names, 2, "scale c");
    refuses_options((struct vouch_judge_options){.s = INFINITY}, names, 2, "variance s");
    refuses_options((struct vouch_judge_options){.sets = 5000}, names, 2, "1024 sets");
    refuses_options((struct vouch_judge_options){.scheme = "IOB3"}, names, 2, "expected a scheme");
    const char *const iob[] = {"O", "B-X", "I-X"}, *const open[] = {"O", "I-X"}, *const words[] = {"NN", "VB"};
    refuses_options((struct vouch_judge_options){.scheme = "BIOES"}, iob, 3, "B-X and E-X, or S-X");
    refuses_options((struct vouch_judge_options){.scheme = "IOB2"}, open, 2, "expected a label B-X");
    refuses_options((struct vouch_judge_options){.scheme = "IOB1"}, iob, 2, "expected a label I-X");
    refuses_options((struct vouch_judge_options){.constraints = 1}, words, 2, "constraints are those of a scheme");
    refuses_options((struct vouch_judge_options){.constraints = 1, .scheme = "none"}, iob, 3, "constraints are those");
    refuses_options((struct vouch_judge_options){.methods = "gama"}, names, 2, "gamma");
    refuses_options((struct vouch_judge_options){.methods = "votes"}, names, 2, "several sets");
    refuses_options((struct vouch_judge_options){.methods = "kd-pc"}, names, 2, "kd-pc needs");
    err = (struct vouch_error){0};
    assert_null(vouch_judge_from_json("[]", NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    assert_null(vouch_judge_from_json("{\"task\": \"dep\"}", NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
}

/* One word, two labels whose scores differ by d: kd-fix is the normal distribution at d over the noise's deviation. */
TEST(objects_that_are_missing_are_refused)
{
    struct vouch_chain_scores chain = {.size = sizeof chain};
    struct vouch_tree_scores tree = {.size = sizeof tree};
    const char *const label[] = {"O"};
    const size_t head[] = {0};
    vouch_judge *judge = vouch_judge_new_tree(NULL, &err);
    MUST(judge);
    assert_null(vouch_judge_worker_new(NULL, &err));
    assert_string_equal(err.message, "expected a judge, found NULL");
    assert_null(vouch_judge_gold_new(NULL, NULL));
    assert_null(vouch_judge_chain(NULL, &chain, &err));
    assert_string_equal(err.message, "expected a worker, found NULL");
    assert_null(vouch_judge_tree(NULL, &tree, NULL));
    assert_int_equal(vouch_judge_gold_chain(NULL, &chain, label, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "expected gold, found NULL");
    assert_int_equal(vouch_judge_gold_tree(NULL, &tree, head, NULL), VOUCH_ERR_ARGUMENT);
    assert_null(vouch_judge_calibrate(judge, NULL, 1, NULL, &err));
    assert_string_equal(err.message, "expected gold, found NULL");
    assert_int_equal(vouch_scores_chain(NULL, 0, &chain, &err), VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message, "expected scores, found NULL");
    assert_int_equal(vouch_scores_tree(NULL, 0, &tree, NULL), VOUCH_ERR_ARGUMENT);
    vouch_judge_free(judge);
}

TEST(noise_on_scores_is_gaussian)
{
    const double gaps[] = {0, 0.5, 1, 2, 4};
    struct vouch_judge_options options = {.size = sizeof options, .methods = "kd-fix", .draws = 1000, .s = 1};
    vouch_judge *judge = vouch_judge_new(names, 2, &options, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    MUST(worker);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        double mean = 0;
        enum { TIMES = 16 };
        for (int t = 0; t < TIMES; t++) { /* noise depends on the scores */
            float node[4] = {(float)t * 0.25f, (float)t * 0.25f + (float)gaps[i], 0, 0};
            struct vouch_chain_scores scores = plain_chain(node, 2, 2);
            const vouch_answer *answer = vouch_judge_chain(worker, &scores, &err);
            MUST(answer);
            mean += vouch_answer_confidence(answer, 0, 0) / TIMES;
            assert_float_equal(vouch_answer_confidence(answer, 0, 1), 0.5, 0.08); /* scores of 0 are drawn, too */
        }
        assert_float_equal(mean, 0.5 * erfc(-gaps[i] / 2), 0.03);
    }
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

/* Expects the numbers of a model from the parts' scores by its first voice, given as those of another model. */
static void expect_same(const vouch_answer *answer, const struct confidences *own, uint32_t N)
{
    assert_int_equal(vouch_answer_methods(answer), own->methods);
    assert_int_equal(vouch_answer_spans(answer), own->spans);
    for (uint32_t m = 0; m < own->methods; m++) {
        assert_string_equal(vouch_answer_method_name(answer, m), own->by_method[m].method);
        for (uint32_t n = 0; n < N; n++)
            if (isinf(own->by_method[m].word[n]))
                assert_true(isinf(vouch_answer_confidence(answer, m, n)));
            else
                assert_float_equal(vouch_answer_confidence(answer, m, n), own->by_method[m].word[n], 1e-6);
        for (uint32_t s = 0; s < own->spans; s++) {
            size_t from, to;
            const char *type;
            assert_true(vouch_answer_span(answer, s, &from, &to, &type));
            assert_int_equal(from, own->span[s].from);
            assert_int_equal(to, own->span[s].to);
            assert_true(text_is(own->span[s].type, type));
            assert_float_equal(vouch_answer_span_confidence(answer, m, s), own->by_method[m].span[s], 1e-6);
        }
        if (isfinite(own->by_method[m].sentence))
            assert_float_equal(vouch_answer_sentence_confidence(answer, m), own->by_method[m].sentence, 1e-6);
    }
}

static struct sentence *next_sentence(struct reader *reader)
{
    static struct sentence sentence;
    if (reader_next(reader, &sentence, &err) == READ_SENTENCE)
        return &sentence;
    sentence_release(&sentence);
    return NULL;
}

static const struct estimate_request score_methods = {.methods = "delta,gamma,kb,wkb"};

TEST_IN_FOLDER(scores_of_a_tagger_give_what_the_tagger_gives)
{
    static const char *const voices[] = {"cw", NULL};
    vouch_model *model = vouch_model_open(small_tagger("tagger", voices, NULL), &err);
    MUST(model);
    struct estimator *estimator = estimator_new(model, &score_methods, &err);
    struct predictor *tagger = predictor_new(&(struct vouch_request){.model = model, .estimator = estimator}, &err);
    struct vocabulary vocabulary = model->vocabulary;
    struct encoder *encoder = encoder_new(&model->templates, &vocabulary, &err);
    const char *labels[16];
    for (uint32_t y = 0; y < labels_count(&model->labels); y++)
        labels[y] = vouch_model_label_name(model, y);
    struct vouch_judge_options options = {.size = sizeof options, .methods = score_methods.methods};
    vouch_judge *judge = vouch_judge_new(labels, labels_count(&model->labels), &options, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    struct reader_options reading = {.format = FORMAT_CONLL};
    struct reader *reader = reader_open(folder_file("tags"), &reading, &err);
    MUST(tagger && encoder && worker && reader);
    struct vouch_answer prediction = {0};
    struct scores scores = {0};
    for (struct sentence *s; (s = next_sentence(reader));) {
        struct parts parts;
        MUST(predictor_answer(tagger, s, &prediction, &err) && encoder_run(encoder, s, &parts, &err));
        MUST(parts_score(&parts, &model->layer[0].space, model->layer[0].voice[0].mean, &scores, &err));
        struct vouch_chain_scores given = plain_chain(scores.node, s->N, scores.width);
        given.edge = scores.E ? scores.edge : NULL;
        const vouch_answer *answer = vouch_judge_chain(worker, &given, &err);
        MUST(answer);
        for (uint32_t n = 0; n < s->N; n++)
            assert_true(text_is(prediction.label[n], vouch_answer_label(answer, n)));
        expect_same(answer, prediction.confidences, s->N);
    }
    reader_close(reader);
    scores_release(&scores);
    answer_release(&prediction);
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
    encoder_free(encoder);
    predictor_free(tagger);
    estimator_free(estimator);
    vouch_model_close(model);
}

/* Rows of heads a word, as the library has them, to arc[head][modifier]. */
static void turn_arcs(const struct scores *scores, float *arc)
{
    size_t N = scores->N, nodes = N + 1;
    for (size_t m = 0; m < N; m++)
        for (size_t h = 0; h <= N; h++)
            arc[h * nodes + m + 1] = h == m + 1 ? NAN : scores->node[m * nodes + h];
}

TEST_IN_FOLDER(scores_of_a_parser_give_what_the_parser_gives)
{
    static const char *const voices[] = {"cw", NULL};
    vouch_model *model = vouch_model_open(small_parser("parser", voices, NULL), &err);
    MUST(model);
    struct estimator *estimator = estimator_new(model, &score_methods, &err);
    struct predictor *parser = predictor_new(&(struct vouch_request){.model = model, .estimator = estimator}, &err);
    struct vouch_judge_options options = {.size = sizeof options, .methods = score_methods.methods};
    vouch_judge *judge = vouch_judge_new_tree(&options, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    struct reader_options reading = {.format = FORMAT_CONLLU, .trees = true};
    struct reader *reader = reader_open(folder_file("trees"), &reading, &err);
    MUST(parser && worker && reader);
    struct vouch_answer prediction = {0};
    struct scores scores = {0};
    struct scratch scratch = {0};
    for (struct sentence *s; (s = next_sentence(reader));) {
        struct arc_word word[16];
        float arc[17 * 17];
        struct parts parts;
        MUST(predictor_answer(parser, s, &prediction, &err));
        arc_observe(s, word);
        MUST(arc_parts(word, s->N, model->bits[0], &scratch, &parts, &err));
        MUST(parts_score(&parts, &model->layer[0].space, model->layer[0].voice[0].mean, &scores, &err));
        turn_arcs(&scores, arc);
        struct vouch_tree_scores given = {.size = sizeof given, .words = s->N, .sets = 1, .arc = arc};
        const vouch_answer *answer = vouch_judge_tree(worker, &given, &err);
        MUST(answer);
        for (uint32_t n = 0; n < s->N; n++)
            assert_int_equal(prediction.head[n], vouch_answer_head(answer, n));
        expect_same(answer, prediction.confidences, s->N);
    }
    reader_close(reader);
    scratch_release(&scratch);
    scores_release(&scores);
    answer_release(&prediction);
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
    predictor_free(parser);
    estimator_free(estimator);
    vouch_model_close(model);
}

/* Threads judge sentences of their own with one judge. */
struct sharing {
    vouch_judge *judge;
    struct world world[16];
    double number[16][8 * LONGEST];
};

static bool judge_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *problem)
{
    struct sharing *s = context;
    struct world *w = &s->world[job];
    vouch_judge_worker *worker = vouch_judge_worker_new(s->judge, problem);
    struct vouch_chain_scores scores = plain_chain(w->node, w->N, 5);
    scores.sets = 2;
    const vouch_answer *answer = worker ? vouch_judge_chain(worker, &scores, problem) : NULL;
    (void)thread;
    for (uint32_t m = 0; answer && m < vouch_answer_methods(answer) && m < 8; m++)
        for (uint32_t n = 0; n < w->N; n++)
            s->number[job][m * LONGEST + n] = vouch_answer_confidence(answer, m, n);
    vouch_judge_worker_free(worker);
    return answer != NULL;
}

TEST(threads_share_a_judge)
{
    static struct sharing one, three;
    struct rng rng = rng_new(5, 1);
    struct vouch_judge_options options = {
        .size = sizeof options, .methods = "gamma,kd-fix,kd-fix+delta,votes,votes+delta,committee,random", .sets = 2};
    one.judge = vouch_judge_new(names, 5, &options, &err);
    MUST(one.judge);
    for (int i = 0; i < 16; i++) {
        make_world(&one.world[i], &rng, false, false);
        one.world[i].N = 1 + (uint32_t)i % LONGEST;
    }
    three = one;
    MUST(parallel_run(1, 16, judge_job, &one, &err) && parallel_run(3, 16, judge_job, &three, &err));
    assert_memory_equal(one.number, three.number, sizeof one.number);
    vouch_judge_free(one.judge);
}
