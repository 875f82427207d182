/*
 * Tests the calibration of scores from elsewhere, on made-up data whose truth
 * is drawn from known probabilities: scores that are far too sure become
 * probabilities, which do not contradict each other, whatever the threads, and
 * survive being saved.
 */
#include "base/random.h"
#include "vouch.h"

#include "must.h"
#include "test.h"

enum { LABELS = 3, WORDS = 6, SETS = 2, BINS = 10, LEARNED = 200, TESTED = 600 };

static const char *const names[LABELS] = {"O", "B-X", "I-X"};

/* A sentence: its scores are three times as sure as they should be. */
struct made {
    float node[SETS * WORDS * LABELS], arc[SETS * (WORDS + 1) * (WORDS + 1)];
    uint32_t truth[WORDS];
    const char *gold[WORDS];
    size_t head[WORDS];
    bool forced[WORDS];
};

static uint32_t draw(struct rng *rng, const double *p, uint32_t count)
{
    double all = 0, at;
    for (uint32_t y = 0; y < count; y++)
        all += p[y];
    at = rng_uniform(rng) * all;
    uint32_t y = 0;
    while (y + 1 < count && at >= p[y])
        at -= p[y++];
    return y;
}

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(1 - rng_uniform(rng))) * cos(6.283185307179586 * rng_uniform(rng));
}

/* Truths are drawn with exp(x), scores are 3 x, and the sets lie around them. One word in eight has no choice. */
static void make_chain(struct made *made, struct rng *rng)
{
    for (uint32_t n = 0; n < WORDS; n++) {
        double p[LABELS];
        made->forced[n] = rng_below(rng, 8) == 0;
        for (uint32_t y = 0; y < LABELS; y++) {
            double x = 2 * normal(rng);
            bool impossible = made->forced[n] && y > 0;
            p[y] = impossible ? 0 : exp(x);
            for (uint32_t k = 0; k < SETS; k++)
                made->node[(k * WORDS + n) * LABELS + y] = impossible ? -INFINITY : (float)(3 * x + normal(rng) / 2);
        }
        made->truth[n] = draw(rng, p, LABELS);
        made->gold[n] = names[made->truth[n]];
    }
}

static struct vouch_chain_scores chain_of(const struct made *made)
{
    return (struct vouch_chain_scores){
        .size = sizeof(struct vouch_chain_scores), .words = WORDS, .labels = LABELS, .sets = SETS, .node = made->node};
}

/* What a watch is told, and when it stops. */
struct seen {
    uint64_t steps, of, tried, stop_at;
};

static void take_event(void *context, const struct vouch_event *event)
{
    struct seen *seen = context;
    seen->tried += event->kind == VOUCH_EVENT_TRIED;
    if (event->kind == VOUCH_EVENT_CALIBRATING) {
        seen->steps = event->done;
        seen->of = event->of;
    }
}

static int stops(void *context)
{
    const struct seen *seen = context;
    return seen->steps >= seen->stop_at;
}

static vouch_judge *calibrated_judge(const char *methods, int constraints, unsigned threads)
{
    struct vouch_judge_options options = {.size = sizeof options,
                                          .methods = methods,
                                          .sets = SETS,
                                          .alternatives = 2,
                                          .draws = 20,
                                          .constraints = constraints};
    struct rng rng = rng_new(1, 1);
    vouch_judge *judge = vouch_judge_new(names, LABELS, &options, &err);
    vouch_judge_gold *gold = judge ? vouch_judge_gold_new(judge, &err) : NULL;
    MUST(gold);
    assert_null(vouch_judge_calibrate(judge, gold, 1, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    for (int i = 0; i < LEARNED; i++) {
        struct made made;
        make_chain(&made, &rng);
        struct vouch_chain_scores scores = chain_of(&made);
        MUST(vouch_judge_gold_chain(gold, &scores, made.gold, &err) == VOUCH_OK);
    }
    err = (struct vouch_error){0};
    assert_false(vouch_judge_is_calibrated(judge));
    struct seen seen = {.stop_at = 3};
    struct vouch_watch watch = {.size = sizeof watch, .context = &seen, .tell = take_event, .stop = stops};
    assert_null(vouch_judge_calibrate(judge, gold, threads, &watch, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    assert_int_equal(seen.steps, 3);
    watch.size = 4;
    assert_null(vouch_judge_calibrate(judge, gold, threads, &watch, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    watch.size = sizeof watch;
    seen = (struct seen){.stop_at = UINT64_MAX};
    err = (struct vouch_error){0};
    vouch_judge *calibrated = vouch_judge_calibrate(judge, gold, threads, &watch, &err);
    assert_true(seen.tried > 0 && seen.steps > 3 && seen.steps == seen.of);
    MUST(calibrated);
    assert_true(vouch_judge_is_calibrated(calibrated));
    vouch_judge_gold_free(gold);
    vouch_judge_free(judge);
    return calibrated;
}

/* Expected calibration error, in equal bins. */
struct reliability {
    double sum[BINS], right[BINS], count;
};

static void see(struct reliability *r, double p, bool right)
{
    int bin = (int)fmin(p * BINS, BINS - 1);
    r->sum[bin] += p;
    r->right[bin] += right;
    r->count++;
}

static double ece(const struct reliability *r)
{
    double sum = 0;
    for (int b = 0; b < BINS; b++)
        sum += fabs(r->sum[b] - r->right[b]);
    return sum / r->count;
}

/* Checks the promises for one answer, by one method. */
static void expect_coherent(const vouch_answer *answer, size_t m, const struct made *made)
{
    double least = 1, sentence = vouch_answer_sentence_confidence(answer, m);
    for (uint32_t n = 0; n < WORDS; n++) {
        double p = vouch_answer_confidence(answer, m, n);
        assert_true(p > 0 && (p < 1 || made->forced[n]));
        assert_true(p == 1 || !made->forced[n]);
        least = fmin(least, p);
    }
    for (size_t s = 0; s < vouch_answer_spans(answer); s++) {
        size_t from, to;
        const char *type;
        assert_true(vouch_answer_span(answer, s, &from, &to, &type));
        double p = vouch_answer_span_confidence(answer, m, s);
        assert_string_equal(type, "X");
        assert_true(p > 0 && p < 1);
        for (size_t n = from; n < to; n++)
            assert_true(p <= vouch_answer_confidence(answer, m, n));
        least = fmin(least, p);
    }
    assert_true(sentence > 0 && sentence <= least);
}

/* Marginals of scores that are three times too sure are far from the truth before they are calibrated. */
TEST(made_up_scores_are_too_sure)
{
    struct vouch_judge_options options = {.size = sizeof options, .sets = SETS};
    vouch_judge *judge = vouch_judge_new(names, LABELS, &options, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    struct reliability word = {0};
    struct rng rng = rng_new(2, 1);
    MUST(worker);
    for (int i = 0; i < TESTED; i++) {
        struct made made;
        make_chain(&made, &rng);
        struct vouch_chain_scores scores = chain_of(&made);
        const vouch_answer *answer = vouch_judge_chain(worker, &scores, &err);
        MUST(answer);
        assert_string_equal(vouch_answer_method_name(answer, 0), "gamma");
        for (uint32_t n = 0; n < WORDS; n++)
            if (!made.forced[n])
                see(&word, vouch_answer_confidence(answer, 0, n),
                    strcmp(vouch_answer_label(answer, n), made.gold[n]) == 0);
    }
    assert_true(ece(&word) > 0.08);
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

TEST(made_up_scores_become_probabilities)
{
    vouch_judge *judge = calibrated_judge("gamma,delta,kd-fix+delta,votes+delta,committee", 0, 2);
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    struct reliability word[5] = {0}, sentence[5] = {0};
    struct rng rng = rng_new(2, 1);
    MUST(worker);
    for (int i = 0; i < TESTED; i++) {
        struct made made;
        make_chain(&made, &rng);
        struct vouch_chain_scores scores = chain_of(&made);
        const vouch_answer *answer = vouch_judge_chain(worker, &scores, &err);
        MUST(answer);
        bool right[WORDS], all = true;
        for (uint32_t n = 0; n < WORDS; n++) {
            right[n] = strcmp(vouch_answer_label(answer, n), made.gold[n]) == 0;
            all = all && right[n];
        }
        for (size_t m = 0; m < 5; m++) {
            expect_coherent(answer, m, &made);
            for (uint32_t n = 0; n < WORDS; n++)
                if (!made.forced[n])
                    see(&word[m], vouch_answer_confidence(answer, m, n), right[n]);
            see(&sentence[m], vouch_answer_sentence_confidence(answer, m), all);
        }
    }
    for (size_t m = 0; m < 5; m++) {
        assert_true(ece(&word[m]) < 0.05);
        assert_true(ece(&sentence[m]) < 0.1);
    }
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
}

/* One thread and three fit the same, and what is read back says the same as what was written. */
TEST(a_judge_is_the_same_by_any_threads_and_when_read_back)
{
    vouch_judge *one = calibrated_judge("gamma,committee", 1, 1), *three = calibrated_judge("gamma,committee", 1, 3);
    struct vouch_judge_options options = {.size = sizeof options, .methods = "gamma,committee", .alternatives = 2};
    assert_string_equal(vouch_judge_json(one), vouch_judge_json(three));
    vouch_judge *read = vouch_judge_from_json(vouch_judge_json(one), &options, &err);
    MUST(read);
    assert_string_equal(vouch_judge_json(one), vouch_judge_json(read));
    assert_true(vouch_judge_is_calibrated(read));
    vouch_judge_worker *a = vouch_judge_worker_new(one, &err), *b = vouch_judge_worker_new(read, &err);
    struct rng rng = rng_new(3, 1);
    MUST(a && b);
    for (int i = 0; i < 50; i++) {
        struct made made;
        make_chain(&made, &rng);
        struct vouch_chain_scores scores = chain_of(&made);
        const vouch_answer *x = vouch_judge_chain(a, &scores, &err), *y = vouch_judge_chain(b, &scores, &err);
        MUST(x && y);
        for (uint32_t n = 0; n < WORDS; n++) {
            assert_true(n == 0 ? strcmp(vouch_answer_label(x, n), "I-X") != 0 : true); /* as IOB2 has it */
            assert_string_equal(vouch_answer_label(x, n), vouch_answer_label(y, n));
            for (size_t m = 0; m < 2; m++)
                assert_true(vouch_answer_confidence(x, m, n) == vouch_answer_confidence(y, m, n));
        }
        assert_true(vouch_answer_sentence_confidence(x, 1) == vouch_answer_sentence_confidence(y, 1));
    }
    options.constraints = 1;
    err = (struct vouch_error){0};
    assert_null(vouch_judge_from_json(vouch_judge_json(one), &options, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_null(vouch_judge_from_json(vouch_judge_json(one) + 1, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    vouch_judge_worker_free(a);
    vouch_judge_worker_free(b);
    vouch_judge_free(one);
    vouch_judge_free(three);
    vouch_judge_free(read);
}

/* Every word hangs on the one before with a random score, or on the root: arcs whose truth is drawn with exp(x). */
static void make_tree(struct made *made, struct rng *rng)
{
    memset(made->arc, 0, sizeof made->arc);
    for (uint32_t n = 0; n < WORDS; n++) {
        double p[WORDS + 1] = {0};
        for (uint32_t h = 0; h < n + (n == 0); h++) { /* heads to the left alone: any choice is a tree */
            uint32_t head = n == 0 ? 0 : h + 1;
            double x = 1.5 * normal(rng);
            p[head] = exp(x);
            made->arc[head * (WORDS + 1) + n + 1] = (float)(3 * x);
        }
        for (uint32_t h = 0; h <= WORDS; h++)
            if (p[h] == 0)
                made->arc[h * (WORDS + 1) + n + 1] = -INFINITY;
        made->head[n] = draw(rng, p, WORDS + 1);
    }
}

TEST(made_up_arcs_become_probabilities)
{
    struct vouch_judge_options options = {.size = sizeof options, .methods = "gamma,committee", .draws = 20};
    struct rng rng = rng_new(4, 1);
    vouch_judge *plain = vouch_judge_new_tree(&options, &err);
    vouch_judge_gold *gold = plain ? vouch_judge_gold_new(plain, &err) : NULL;
    struct vouch_tree_scores scores = {.size = sizeof scores, .words = WORDS, .sets = 1};
    struct made made;
    MUST(gold);
    for (int i = 0; i < LEARNED; i++) {
        make_tree(&made, &rng);
        scores.arc = made.arc;
        MUST(vouch_judge_gold_tree(gold, &scores, made.head, &err) == VOUCH_OK);
    }
    made.head[1] = 2;
    assert_int_equal(vouch_judge_gold_tree(gold, &scores, made.head, &err), VOUCH_ERR_ARGUMENT);
    vouch_judge *judge = vouch_judge_calibrate(plain, gold, 1, NULL, &err);
    vouch_judge_worker *worker = judge ? vouch_judge_worker_new(judge, &err) : NULL;
    struct reliability word[2] = {0};
    MUST(worker);
    for (int i = 0; i < TESTED; i++) {
        make_tree(&made, &rng);
        scores.arc = made.arc;
        const vouch_answer *answer = vouch_judge_tree(worker, &scores, &err);
        MUST(answer);
        assert_true(vouch_answer_confidence(answer, 0, 0) == 1); /* the first word has the root alone */
        for (size_t m = 0; m < 2; m++)
            for (uint32_t n = 2; n < WORDS; n++) {
                double p = vouch_answer_confidence(answer, m, n);
                assert_true(p > 0 && p < 1 && vouch_answer_sentence_confidence(answer, m) <= p);
                see(&word[m], p, vouch_answer_head(answer, n) == made.head[n]);
            }
    }
    assert_true(ece(&word[0]) < 0.05 && ece(&word[1]) < 0.05);
    vouch_judge_worker_free(worker);
    vouch_judge_free(judge);
    vouch_judge_gold_free(gold);
    vouch_judge_free(plain);
}
