/* Tests claims: every verdict can come out, from results made by hand. */
#include "study/claims.h"

#include "test.h"

static struct vouch_error err;
static json_t *root;

/* Makes three datasets, a and b of labels, t of trees, and no steps. */
FIXTURE(begin)
{
    root = json_pack("{s:[{s:s,s:s},{s:s,s:s},{s:s,s:s}],s:{}}", "datasets", "key", "a", "task", "ner", "key", "b",
                     "task", "np", "key", "t", "task", "dep", "steps");
    return root ? 0 : -1;
}

/* Returns the result of a step, made if it is not there. */
static json_t *step(const char *name)
{
    json_t *steps = json_object_get(root, "steps");
    if (!json_object_get(steps, name))
        json_object_set_new(steps, name, json_pack("{s:[], s:f, s:{}}", "command", "seconds", 1.0, "result"));
    return json_object_get(json_object_get(steps, name), "result");
}

/* Returns the array under a path of keys with dots between, made if it is not there. */
static json_t *array_in(json_t *object, const char *path)
{
    char key[64];
    for (const char *dot; (dot = strchr(path, '.')); path = dot + 1) {
        snprintf(key, sizeof key, "%.*s", (int)(dot - path), path);
        if (!json_object_get(object, key))
            json_object_set_new(object, key, json_object());
        object = json_object_get(object, key);
    }
    if (!json_object_get(object, path))
        json_object_set_new(object, path, json_array());
    return json_object_get(object, path);
}

static void predict(const char *set, const char *algorithm, double score, double after_one)
{
    char name[64];
    if (strcmp(set, "t") == 0) {
        snprintf(name, sizeof name, "prediction/%s/%s/eval", set, algorithm);
        json_object_set_new(step(name), "all", json_pack("{s:f}", "uas", score));
        snprintf(name, sizeof name, "prediction/%s/%s", set, algorithm);
        json_array_append_new(array_in(step(name), "passes"), json_pack("{s:f}", "accuracy", after_one));
        return;
    }
    snprintf(name, sizeof name, "prediction/%s/folds", set);
    json_array_append_new(array_in(step(name), "algorithms"),
                          json_pack("{s:s, s:f, s:[{s:f, s:f}]}", "algorithm", algorithm, "mean", score, "passes", "f1",
                                    after_one, "accuracy", 99.0));
}

static void rank(const char *set, const char *voices, const char *method, double precision, double rmse)
{
    char name[64];
    snprintf(name, sizeof name, "ranking/%s/%s/raw", set, voices);
    json_array_append_new(array_in(step(name), "confidence.words.methods"),
                          json_pack("{s:s, s:f, s:{s:f, s:f, s:f}}", "method", method, "average_precision", precision,
                                    "reliability", "rmse", rmse, "confidence", 0.9 - rmse, "accuracy", 0.85));
}

/* Adds the interval of a difference of two methods on the same words, in both figures. */
static void tell_apart(const char *set, const char *first, const char *second, double low, double high)
{
    char name[64];
    snprintf(name, sizeof name, "ranking/%s/cw+crf/raw", set);
    json_array_append_new(array_in(step(name), "confidence.words.differences"),
                          json_pack("{s:s, s:s, s:[f,f], s:[f,f]}", "first", first, "second", second,
                                    "average_precision_interval", low, high, "rmse_interval", low, high));
}

static void draw(const char *set, unsigned K, double precision)
{
    char name[64];
    snprintf(name, sizeof name, "effect-of-k/%s/%u", set, K);
    json_array_append_new(array_in(step(name), "confidence.words.methods"),
                          json_pack("{s:s, s:f}", "method", "kd-fix", "average_precision", precision));
}

static void trade_from(double start, const char *set, const char *what, const char *direction, double gain)
{
    char name[64];
    snprintf(name, sizeof name, "tradeoff/%s/%s", set, what);
    json_object_set_new(step(name), "unchanged", json_pack("{s:f, s:f}", "precision", start, "recall", start));
    json_array_append_new(array_in(step(name), "curves"),
                          json_pack("{s:s, s:s, s:{s:f}}", "method", "kd-fix", "direction", direction,
                                    "within_one_point_of_f1", direction, start + gain));
}

static void trade(const char *set, const char *what, const char *direction, double gain)
{
    trade_from(80, set, what, direction, gain);
}

/* Adds an active learning by KD-Fix: what it saved, and the words that both ways of choosing ended with. */
static void save_until(const char *set, double saved, double words, double random_words)
{
    char name[64];
    snprintf(name, sizeof name, "active/%s", set);
    json_array_append_new(array_in(step(name), "methods"),
                          json_pack("{s:s, s:o, s:[{s:f}]}", "method", "kd-fix", "saved",
                                    isnan(saved) ? json_null() : json_real(saved), "mean", "words", words));
    json_array_append_new(array_in(step(name), "methods"),
                          json_pack("{s:s, s:[{s:f}]}", "method", "random", "mean", "words", random_words));
}

static void save(const char *set, double saved)
{
    save_until(set, saved, 900, 800);
}

/* Judges, and drops the results; the claim is the one whose text begins so. */
static void expect(const char *text, enum verdict verdict, const char *evidence)
{
    struct results results;
    struct claim claim[CLAIMS];
    void *again = NULL;
    size_t found = 0;
    assert_true(results_take(&results, root, "here", &err));
    assert_true(claims_judge(&results, claim, &err));
    for (size_t i = 0; i < CLAIMS; i++) {
        if (strncmp(claim[i].text, text, strlen(text)) != 0)
            continue;
        found++;
        if (claim[i].verdict != verdict)
            fail_msg("%s: %s, not %s: %s", text, verdict_names[claim[i].verdict], verdict_names[verdict],
                     claim[i].evidence);
        if (!strstr(claim[i].evidence, evidence))
            fail_msg("%s: '%s' is not in '%s'", text, evidence, claim[i].evidence);
    }
    assert_int_equal(found, 1);
    claims_release(claim);
    results_release(&results);
    begin(&again);
}

FIXTURE(end)
{
    json_decref(root);
    return 0;
}

TEST(a_comparison_wants_mean_and_majority)
{
    struct comparison c = {0};
    assert_int_equal(comparison_verdict(&c), NOT_TESTED);
    comparison_add(&c, NAN, 1, NO_GAP);
    assert_int_equal(comparison_verdict(&c), NOT_TESTED);
    comparison_add(&c, 5, 1, NO_GAP);
    assert_int_equal(comparison_verdict(&c), HOLDS);
    comparison_add(&c, 1, 2, NO_GAP); /* one of two, but better in the mean */
    assert_int_equal(comparison_verdict(&c), HOLDS_IN_PART);
    comparison_add(&c, 1, 9, NO_GAP); /* one of three, and worse in the mean */
    assert_int_equal(comparison_verdict(&c), DOES_NOT_HOLD);
    comparison_add(&c, 1, 1, NO_GAP); /* a tie is at least as good */
    comparison_add(&c, 1, 1, NO_GAP); /* three of five, and still worse in the mean */
    assert_int_equal(comparison_verdict(&c), HOLDS_IN_PART);
    assert_true(fabs(comparison_first(&c) - 1.8) < 1e-12 && fabs(comparison_second(&c) - 2.8) < 1e-12);
    struct comparison lower = {.lower = true};
    comparison_add(&lower, 1, 2, NO_GAP);
    assert_int_equal(comparison_verdict(&lower), HOLDS);
    comparison_add(&lower, 4, 2, NO_GAP);
    assert_int_equal(comparison_verdict(&lower), DOES_NOT_HOLD);
}

/* A difference counts if its interval does not hold 0, on a dataset as in the mean. */
TEST_WITH(intervals_decide_where_they_are_known, begin, end)
{
    struct comparison c = {0};
    comparison_add(&c, 5, 4, (struct gap){-1, 3});
    assert_int_equal(comparison_verdict(&c), UNDECIDED);
    comparison_add(&c, 5, 4, (struct gap){-1, 3});
    comparison_add(&c, 5, 4, (struct gap){-1, 3});
    comparison_add(&c, 5, 4, (struct gap){-1, 3}); /* 1 +- 2 four times: the mean is 1 +- 1 */
    assert_int_equal(comparison_sign(&c), 0);
    assert_int_equal(comparison_verdict(&c), UNDECIDED);
    comparison_add(&c, 5, 4, (struct gap){-1, 3}); /* and now 1 +- 0.9, though it is clear nowhere */
    assert_int_equal(comparison_verdict(&c), HOLDS);
    comparison_add(&c, 4.5, 5, (struct gap){-0.6, -0.4}); /* clear on one, which is against the mean */
    assert_int_equal(comparison_verdict(&c), HOLDS_IN_PART);
    comparison_add(&c, 9, 4, (struct gap){4, 6});
    assert_int_equal(comparison_verdict(&c), HOLDS);
    assert_true(c.better == 1 && c.worse == 1 && c.n == 7);

    struct comparison split = {0}, lower = {.lower = true}, blind = {0};
    comparison_add(&split, 5, 4, (struct gap){0.5, 1.5});
    comparison_add(&split, 4, 5, (struct gap){-1.5, -0.5});
    assert_int_equal(comparison_verdict(&split), HOLDS_IN_PART); /* datasets disagree, and each is sure */
    comparison_add(&split, 2, 5, (struct gap){-3.5, -2.5});
    assert_int_equal(comparison_verdict(&split), DOES_NOT_HOLD);
    comparison_add(&lower, 1, 2, (struct gap){-1.5, -0.5});
    assert_int_equal(comparison_verdict(&lower), HOLDS);
    comparison_add(&lower, 3, 2, (struct gap){0.5, 1.5});
    assert_int_equal(comparison_verdict(&lower), HOLDS_IN_PART);
    comparison_add(&blind, 5, 4, (struct gap){-1, 3}); /* where one is not known, numbers decide */
    comparison_add(&blind, 5, 4, NO_GAP);
    assert_int_equal(comparison_verdict(&blind), HOLDS);
}

TEST(two_claims_in_one)
{
    assert_int_equal(verdict_join(HOLDS, UNDECIDED), HOLDS_IN_PART);
    assert_int_equal(verdict_join(UNDECIDED, DOES_NOT_HOLD), DOES_NOT_HOLD);
    assert_int_equal(verdict_join(UNDECIDED, UNDECIDED), UNDECIDED);
    assert_int_equal(verdict_join(NOT_TESTED, UNDECIDED), UNDECIDED);
    assert_int_equal(verdict_join(NOT_TESTED, HOLDS), HOLDS);
    assert_int_equal(verdict_join(DOES_NOT_HOLD, NOT_TESTED), DOES_NOT_HOLD);
    assert_int_equal(verdict_join(NOT_TESTED, NOT_TESTED), NOT_TESTED);
    assert_int_equal(verdict_join(HOLDS, HOLDS), HOLDS);
    assert_int_equal(verdict_join(HOLDS, DOES_NOT_HOLD), HOLDS_IN_PART);
    assert_int_equal(verdict_join(HOLDS_IN_PART, DOES_NOT_HOLD), HOLDS_IN_PART);
    assert_int_equal(verdict_join(DOES_NOT_HOLD, DOES_NOT_HOLD), DOES_NOT_HOLD);
}

TEST_WITH(of_nothing_nothing_is_known, begin, end)
{
    struct results results;
    struct claim claim[CLAIMS];
    assert_true(results_take(&results, json_incref(root), "here", &err));
    assert_true(claims_judge(&results, claim, &err));
    for (size_t i = 0; i < CLAIMS; i++) {
        assert_int_equal(claim[i].verdict, NOT_TESTED);
        assert_string_equal(claim[i].evidence, "");
    }
    claims_release(claim);
    results_release(&results);
}

TEST_WITH(prediction, begin, end)
{
    const char text[] = "On sequences, CW predicts";
    predict("a", "cw", 90, 80);
    predict("a", "pa", 90, 80);
    expect(text, HOLDS, "sequences: CW 90.00, PA 90.00 (1/1)");
    predict("a", "pa", 89, 80);
    predict("a", "perceptron", 89.5, 70);
    expect("On sequences, PA predicts", DOES_NOT_HOLD, "PA 89.00, Perceptron 89.50 (0/1)");
    predict("a", "cw", 89, 80);
    predict("a", "pa", 88, 80);
    predict("t", "cw", 80, 80);
    predict("t", "pa", 81, 80);
    expect("On trees, CW predicts", DOES_NOT_HOLD, "trees: CW 80.00, PA 81.00 (0/1)");
    predict("a", "cw", 0, 0); /* no algorithm found anything */
    predict("a", "pa", 0, 0);
    expect(text, NOT_TESTED, "");
}

TEST_WITH(first_pass, begin, end)
{
    const char text[] = "On sequences, CW is ahead";
    predict("a", "cw", 90, 85);
    predict("a", "pa", 90, 84);
    predict("t", "cw", 80, 80);
    predict("t", "pa", 81, 80.5);
    expect(text, HOLDS, "sequences: CW 85.00, PA 84.00 (1/1)");
    predict("t", "cw", 80, 80);
    predict("t", "pa", 81, 75);
    expect("On trees, CW is ahead", HOLDS, "trees: CW 80.00, PA 75.00 (1/1)");
    predict("a", "cw", 90, 83);
    predict("a", "pa", 90, 84);
    expect(text, DOES_NOT_HOLD, "");
}

/* Adds all methods of one dataset, with the same RMSE. */
static void rank_all(const char *set, const char *voices, double fix, double pc, double delta, double gamma)
{
    rank(set, voices, "kd-fix", fix, 0.05);
    rank(set, voices, "kd-pc", pc, 0.05);
    rank(set, voices, "delta", delta, 0.05);
    rank(set, voices, "gamma", gamma, 0.05);
    rank(set, voices, "wkb", 0.2, 0.05);
    rank(set, voices, "kb", 0.1, 0.05);
}

TEST_WITH(draws_rank, begin, end)
{
    const char text[] = "Drawn models";
    rank_all("a", "cw+crf", 0.4, 0.5, 0.45, 0.3);
    expect(text, HOLDS,
           "sequences: KD-PC 0.500, Delta 0.450 (1/1), Gamma 0.300 (1/1), WKB 0.200 (1/1), KB 0.100 (1/1)");
    rank_all("a", "cw+crf", 0.4, 0.3, 0.3, 0.5); /* one that is better is enough */
    expect(text, DOES_NOT_HOLD, "Gamma 0.500 (0/1)");
    rank_all("a", "cw+crf", 0.4, 0.3, 0.3, 0.5);
    rank_all("t", "cw+crf", 0.4, 0.3, 0.3, 0.3);
    expect(text, HOLDS_IN_PART, "trees: KD-Fix 0.400");
    rank_all("a", "pa+crf", 0.5, NAN, 0.45, 0.3);
    expect("KD-Fix ranks errors best with PA", HOLDS, "KD-Fix 0.500");
    rank_all("t", "pa+crf", 0.4, NAN, 0.45, 0.3);
    expect("KD-Fix ranks errors best with PA", DOES_NOT_HOLD, "trees");
}

TEST_WITH(ties_broken_by_margins, begin, end)
{
    const char text[] = "KD-Fix with Delta";
    rank_all("t", "cw+crf", 0.4, 0.3, 0.3, 0.3);
    rank("t", "cw+crf", "kd-fix+delta", 0.45, 0.1);
    expect(text, HOLDS, "trees: KD-Fix+Delta 0.450, KD-Fix 0.400 (1/1)");
    rank_all("t", "cw+crf", 0.4, 0.3, 0.3, 0.3);
    rank("t", "cw+crf", "kd-fix+delta", 0.35, 0.1);
    expect(text, DOES_NOT_HOLD, "");
    rank_all("a", "cw+crf", 0.4, 0.3, 0.3, 0.3);
    rank("a", "cw+crf", "kd-fix+delta", 0.45, 0.1);
    expect(text, NOT_TESTED, ""); /* it is about trees */
}

TEST_WITH(weights, begin, end)
{
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    expect("Weighting", HOLDS, "WKB 0.300, KB 0.200");
    rank("a", "cw+crf", "wkb", 0.1, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    expect("Weighting", DOES_NOT_HOLD, "");
}

TEST_WITH(probabilities, begin, end)
{
    rank("a", "cw+crf", "kd-pc", 0.3, 0.02);
    rank("a", "cw+crf", "kd-fix", 0.3, 0.03);
    rank("a", "cw+crf", "gamma", 0.3, 0.04);
    expect("KD-PC is the best", HOLDS, "KD-PC 0.0200, KD-Fix 0.0300 (1/1), Gamma 0.0400 (1/1)");
    rank("a", "cw+crf", "kd-pc", 0.3, 0.02);
    rank("a", "cw+crf", "kd-fix", 0.3, 0.01);
    expect("KD-PC is the best", DOES_NOT_HOLD, "");
    rank("t", "cw+crf", "kd-fix", 0.3, 0.02);
    rank("t", "cw+crf", "kd-pc", 0.3, 0.03);
    rank("t", "cw+crf", "wkb", 0.3, 0.1);
    expect("KD-Fix is the best probability", HOLDS, "trees: KD-Fix 0.0200, KD-PC 0.0300 (1/1), WKB 0.1000 (1/1)");
    rank("t", "cw+crf", "kd-fix", 0.3, 0.2);
    rank("t", "cw+crf", "wkb", 0.3, 0.1);
    expect("KD-Fix is the best probability", DOES_NOT_HOLD, "");
}

/* rank() has a confidence of 0.9 - rmse and an accuracy of 0.85. */
TEST_WITH(pessimism, begin, end)
{
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    expect("WKB is too pessimistic", HOLDS, "sequences: confidence 0.800, accuracy 0.850 (1/1)");
    rank("a", "cw+crf", "wkb", 0.3, 0.01);
    expect("WKB is too pessimistic", DOES_NOT_HOLD, "confidence 0.890");
    rank("a", "cw+crf", "wkb", 0.3, 0.01);
    rank("t", "cw+crf", "wkb", 0.3, 0.1);
    expect("WKB is too pessimistic", HOLDS_IN_PART, "trees");
}

TEST_WITH(enough_draws, begin, end)
{
    const char text[] = "More than 50 draws";
    draw("a", 2, 0.2);
    draw("a", 50, 0.4);
    draw("a", 80, 0.405);
    expect(text, HOLDS, "average precision 0.200 with 2 draws, 0.400 with 50, 0.405 with 80");
    draw("a", 2, 0.2);
    draw("a", 50, 0.4);
    draw("a", 80, 0.45);
    expect(text, DOES_NOT_HOLD, "from 50 to 80 +0.050; less than 0.01 (0/1)");
    draw("a", 2, 0.5); /* flat from the beginning */
    draw("a", 50, 0.4);
    draw("a", 80, 0.4);
    expect(text, HOLDS_IN_PART, "");
    draw("a", 2, 0.2);
    draw("a", 50, 0.4);
    expect(text, NOT_TESTED, "");
}

/* Draws with three seeds: the mean, and each of them. */
static void draw_seeds(unsigned K, double first, double second, double third)
{
    char name[64];
    snprintf(name, sizeof name, "effect-of-k/a/%u", K);
    json_array_append_new(array_in(step(name), "confidence.words.methods"),
                          json_pack("{s:s, s:f, s:{s:[f,f,f]}}", "method", "kd-fix", "average_precision",
                                    (first + second + third) / 3, "by_seed", "average_precision", first, second,
                                    third));
}

/* What more draws add is known as far as seeds agree on it. */
TEST_WITH(luck_of_draws_counts, begin, end)
{
    const char text[] = "More than 50 draws";
    draw_seeds(2, 0.2, 0.2, 0.2);
    draw_seeds(50, 0.4, 0.42, 0.41);
    draw_seeds(80, 0.402, 0.423, 0.411);
    expect(text, HOLDS, "from 50 to 80 +0.002 \xc2\xb1" "0.002; less than 0.01 (1:0 of 1)");
    draw_seeds(2, 0.2, 0.2, 0.2);
    draw_seeds(50, 0.4, 0.42, 0.41);
    draw_seeds(80, 0.42, 0.40, 0.42);
    expect(text, UNDECIDED, "(0:0 of 1)");
    draw_seeds(2, 0.2, 0.2, 0.2);
    draw_seeds(50, 0.4, 0.42, 0.41);
    draw_seeds(80, 0.43, 0.451, 0.439);
    expect(text, DOES_NOT_HOLD, "(0:1 of 1)");
}

TEST_WITH(trades, begin, end)
{
    trade("a", "raw", "precision", 5);
    trade("b", "raw", "precision", 3);
    expect("Precision rises", HOLDS, "4.0 points of precision gained in the mean");
    trade("a", "raw", "precision", 1.5); /* more than F1 may lose */
    expect("Precision rises", HOLDS_IN_PART, "1.5 points of precision gained, of 20.0 that were missing");
    trade("a", "raw", "precision", 0.5);
    expect("Precision rises", DOES_NOT_HOLD, "0 of 1");
    trade("a", "raw", "precision", 9);
    trade("b", "raw", "precision", 0);
    expect("Precision rises", HOLDS_IN_PART, "1 of 2");
    trade("a", "merged", "recall", 2.5);
    expect("Recall rises", HOLDS, "2.5 points of recall");
    trade("a", "merged", "recall", 0);
    expect("Recall rises", DOES_NOT_HOLD, "");
    trade_from(99.5, "a", "merged", "recall", 0.4); /* there is nothing to gain */
    expect("Recall rises", NOT_TESTED, "");
}

/* The intervals of the results are those that claims respect. */
TEST_WITH(what_cannot_be_told_apart_is_not_claimed, begin, end)
{
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    tell_apart("a", "wkb", "kb", -0.05, 0.25);
    expect("Weighting", UNDECIDED, "WKB 0.300, \xe2\x89\x88 KB 0.200 (0:0 of 1)");
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    tell_apart("a", "kb", "wkb", -0.15, -0.05); /* the other way round */
    expect("Weighting", HOLDS, "WKB 0.300, KB 0.200 (1:0 of 1)");
    rank("a", "cw+crf", "wkb", 0.1, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    tell_apart("a", "wkb", "kb", -0.2, 0.01);
    expect("Weighting", UNDECIDED, "");
    /* The best method is better than each of the others: one that cannot be told apart is enough for it not to be. */
    rank("a", "cw+crf", "kd-pc", 0.3, 0.02);
    rank("a", "cw+crf", "kd-fix", 0.3, 0.03);
    rank("a", "cw+crf", "gamma", 0.3, 0.04);
    tell_apart("a", "kd-pc", "kd-fix", -0.02, 0.001);
    tell_apart("a", "kd-pc", "gamma", -0.03, -0.01);
    expect("KD-PC is the best", UNDECIDED, "\xe2\x89\x88 KD-Fix 0.0300 (0:0 of 1), Gamma 0.0400 (1:0 of 1)");
}

/* Folds give the interval of labels, words that of heads. */
static void predict_folds(const char *algorithm, double first, double second, double third)
{
    json_array_append_new(array_in(step("prediction/a/folds"), "algorithms"),
                          json_pack("{s:s, s:f, s:[{s:f}, {s:f}, {s:f}]}", "algorithm", algorithm, "mean",
                                    (first + second + third) / 3, "folds", "score", first, "score", second, "score",
                                    third));
}

/* Parses four sentences of ten words each, of which so many are right. */
static void parse(const char *algorithm, int a, int b, int c, int d)
{
    char name[64];
    predict("t", algorithm, 2.5 * (a + b + c + d), NAN);
    snprintf(name, sizeof name, "prediction/t/%s/eval", algorithm);
    json_object_set_new(json_object_get(step(name), "all"), "words", json_integer(40));
    json_object_set_new(step(name), "right_by_sentence", json_pack("[i,i,i,i]", a, b, c, d));
}

TEST_WITH(scores_have_intervals, begin, end)
{
    predict_folds("cw", 90, 92, 94);
    predict_folds("pa", 89, 90.9, 93.1);
    expect("On sequences, CW predicts", HOLDS, "CW 92.00, PA 91.00 (1:0 of 1)");
    predict_folds("cw", 90, 92, 94);
    predict_folds("pa", 85, 93, 95);
    expect("On sequences, CW predicts", UNDECIDED, "CW 92.00, \xe2\x89\x88 PA 91.00 (0:0 of 1)");
    parse("cw", 8, 7, 9, 8); /* right heads of sentences of ten words */
    parse("pa", 8, 8, 9, 4);
    expect("On trees, CW predicts", UNDECIDED, "trees: CW 80.00, \xe2\x89\x88 PA 72.50 (0:0 of 1)");
    parse("cw", 8, 7, 9, 8);
    parse("pa", 7, 6, 8, 7); /* the same in all sentences, though sentences differ */
    expect("On trees, CW predicts", HOLDS, "trees: CW 80.00, PA 70.00 (1:0 of 1)");
    expect("On trees, CW is ahead", NOT_TESTED, "");
}

/* At least as good is not better: what is worse by less than the margin holds, what is clearly worse does not. */
TEST_WITH(a_margin_of_equivalence, begin, end)
{
    predict_folds("cw", 90, 92, 94);
    predict_folds("pa", 90.05, 92.1, 94.06);
    expect("On sequences, CW predicts", HOLDS, "CW 92.00, PA 92.07 (1:0 of 1)");
    predict_folds("cw", 90, 92, 94);
    predict_folds("pa", 90.5, 92.6, 94.55);
    expect("On sequences, CW predicts", DOES_NOT_HOLD, "CW 92.00, PA 92.55 (0:1 of 1)");
    predict_folds("cw", 90, 92, 94);
    predict_folds("pa", 90, 92.6, 93.9); /* the interval reaches from below the margin to above 0 */
    expect("On sequences, CW predicts", UNDECIDED, "(0:0 of 1)");

    struct comparison lower = {.lower = true, .margin = 1};
    comparison_add(&lower, 2.5, 2, (struct gap){0.2, 0.8});
    assert_int_equal(comparison_verdict(&lower), HOLDS);
    comparison_add(&lower, 5, 2, (struct gap){2.5, 3.5});
    assert_int_equal(comparison_verdict(&lower), DOES_NOT_HOLD);
    assert_true(lower.better == 1 && lower.worse == 1 && lower.won == 1);
}

/* The paper's setting decides; ours is beside it, and alone where the paper's was not run. */
TEST_WITH(the_papers_setting_comes_first, begin, end)
{
    json_object_set_new(root, "settings", json_pack("{s:s}", "k_best", "0,1"));
    rank("a", "cw-k1", "wkb", 0.1, 0.1);
    rank("a", "cw-k1", "kb", 0.2, 0.1);
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    expect("Weighting", DOES_NOT_HOLD,
           "As in the paper: sequences: WKB 0.100, KB 0.200 (0/1). As usual here: sequences: WKB 0.300, KB 0.200 "
           "(1/1)");
    json_object_set_new(root, "settings", json_pack("{s:s}", "k_best", "0,1"));
    rank("a", "cw+crf", "wkb", 0.3, 0.1);
    rank("a", "cw+crf", "kb", 0.2, 0.1);
    expect("Weighting", HOLDS, "As usual here: sequences: WKB 0.300, KB 0.200 (1/1)");
    json_object_set_new(root, "settings", json_pack("{s:s}", "k_best", "0,1"));
    predict("a", "cw", 91, 80);
    predict("a", "pa", 90, 80);
    json_array_append_new(array_in(step("prediction/a/folds-k1"), "algorithms"),
                          json_pack("{s:s, s:f}", "algorithm", "cw", "mean", 89.0));
    json_array_append_new(array_in(step("prediction/a/folds-k1"), "algorithms"),
                          json_pack("{s:s, s:f}", "algorithm", "pa", "mean", 88.0));
    expect("On sequences, CW predicts", DOES_NOT_HOLD,
           "As in the paper: sequences: CW, 1-best 89.00, PA 90.00 (0/1). As usual");
}

TEST_WITH(savings, begin, end)
{
    const char text[] = "Active learning";
    save("a", 30);
    save("b", 25);
    expect(text, HOLDS, "28 % of the words saved in the mean, a quarter or more on 2 of 2");
    save("a", 15);
    expect(text, HOLDS_IN_PART, "0 of 1");
    save("a", 10);
    expect(text, DOES_NOT_HOLD, "10 %");
    save_until("a", 0, 900, 900); /* both took all there was */
    expect(text, NOT_TESTED, "");
    save("a", NAN); /* it never got there */
    expect(text, DOES_NOT_HOLD, "0 %");
    save("a", 30);
    json_object_set_new(json_array_get(array_in(step("active/a"), "methods"), 0), "saved_interval", json_real(10));
    expect(text, UNDECIDED, "the mean \xc2\xb1" "10 %, clearly more (0:0 of 1)");
    save("a", 40);
    json_object_set_new(json_array_get(array_in(step("active/a"), "methods"), 0), "saved_interval", json_real(10));
    expect(text, HOLDS, "(1:0 of 1)");
}

TEST(broken_results_are_refused)
{
    struct results results;
    assert_false(results_take(&results, json_pack("{s:[]}", "datasets"), "r.json", &err));
    assert_string_equal(err.message, "r.json: expected the results of a study, with \"datasets\" and \"steps\"");
    results_release(&results);
    assert_false(
        results_take(&results, json_pack("{s:[{s:s}], s:{}}", "datasets", "key", "a", "steps"), "r.json", &err));
    assert_string_equal(err.message, "r.json: dataset 1: expected \"key\" and \"task\"");
    results_release(&results);
    assert_false(results_read(&results, "/nowhere/r.json", &err));
    assert_non_null(strstr(err.message, "/nowhere/r.json"));
    results_release(&results);
}

/* A path goes through objects, and through arrays by the strings of their elements. */
TEST_WITH(a_path_finds_a_number, begin, NULL)
{
    struct results results;
    json_object_set_new(step("x/b/1"), "list",
                        json_pack("[{s:s, s:s, s:f}, {s:s, s:s, s:{s:f}}]", "m", "p", "d", "up", "v", 1.0, "m", "p",
                                  "d", "down", "deep", "v", 2.0));
    assert_true(results_take(&results, root, "here", &err));
    const struct result_set *b = &results.set[1];
    assert_true(figure_at(b, "x/@/%d:list[p].v", 1) == 1);
    assert_true(figure_at(b, "x/@/1:list[p,%s].deep.v", "down") == 2);
    assert_true(number_at(step_result(&results, "x/b/1"), "list[down,p].deep.v") == 2);
    assert_true(isnan(figure_at(b, "x/@/1:list[p,sideways].v")));
    assert_true(isnan(figure_at(b, "x/@/1:list[down].deep")));
    assert_true(isnan(figure_at(&results.set[0], "x/@/1:list[p].v")));
    assert_non_null(part_at(b, "x/@/1"));
    results_release(&results);
}
