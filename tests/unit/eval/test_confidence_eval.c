/* Tests rows of judged answers: what counts as right, and what becomes of the numbers. */
#include "eval/evaluation.h"

#include "test.h"

enum { MOST = 8 };

/* An answer with two methods, the first bounded, the second a margin. */
struct case_of {
    struct text gold[MOST], label[MOST];
    struct span span[MOST];
    double word[2][MOST], relation[2][MOST], part[2][MOST];
    struct method_confidence by_method[2];
    struct confidences confidences;
    struct vouch_answer answer;
    uint32_t N;
};

static uint32_t split_words(char *words, struct text *text)
{
    uint32_t n = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        text[n++] = text_of(word);
    return n;
}

/* The spans of the answer are given, as the estimator would find them. */
static void make(struct case_of *c, char *gold, char *label, const struct span *span, uint32_t spans)
{
    c->N = split_words(gold, c->gold);
    assert_int_equal(split_words(label, c->label), c->N);
    for (uint32_t j = 0; j < 2; j++) {
        for (uint32_t n = 0; n < MOST; n++) {
            c->word[j][n] = 0.1 * (n + 1) + 10 * j;
            c->relation[j][n] = 0.01 * (n + 1) + 10 * j;
            c->part[j][n] = 0.5 + 10 * j;
        }
        c->by_method[j] = (struct method_confidence){
            .word = c->word[j], .relation = c->relation[j], .span = c->part[j], .sentence = 0.25 + 10 * j};
    }
    for (uint32_t i = 0; i < spans; i++)
        c->span[i] = span[i];
    c->confidences = (struct confidences){.by_method = c->by_method, .methods = 2, .span = c->span, .spans = spans};
    c->answer = (struct vouch_answer){.label = c->label, .confidences = &c->confidences};
}

static void start(struct confidence_eval *c, bool spans, bool relations)
{
    struct vouch_error err = {0};
    *c = (struct confidence_eval){.methods = 2, .trees = relations};
    c->rows[ASPECT_WORDS].present = c->rows[ASPECT_SENTENCES].present = true;
    c->rows[ASPECT_INSIDE].present = c->rows[ASPECT_SPANS].present = spans;
    c->rows[ASPECT_RELATIONS].present = relations;
    for (enum aspect a = 0; a < ASPECTS; a++) {
        c->rows[a].method_eval = new_array(2, sizeof *c->rows[a].method_eval, &err);
        assert_non_null(c->rows[a].method_eval);
        c->rows[a].method_eval[0].bounded = true;
    }
}

static void expect(const struct confidence_eval_rows *rows, const char *verdicts)
{
    assert_int_equal(rows->rows.count, strlen(verdicts));
    uint64_t wrong = 0;
    for (size_t i = 0; i < rows->rows.count; i++) {
        assert_int_equal(rows->rows.right[i], verdicts[i] == '+');
        wrong += verdicts[i] == '-';
    }
    assert_int_equal(rows->wrong, wrong);
}

TEST(words_are_right_to_the_letter)
{
    struct vouch_error err = {0};
    struct confidence_eval c;
    struct case_of one, two;
    char gold1[] = "N V N", label1[] = "N V n", gold2[] = "X N", label2[] = "X N";
    start(&c, false, false);
    make(&one, gold1, label1, NULL, 0);
    make(&two, gold2, label2, NULL, 0);
    assert_true(confidence_eval_add(&c, one.gold, NULL, one.N, &one.answer, &err));
    assert_true(confidence_eval_add(&c, two.gold, NULL, two.N, &two.answer, &err));
    expect(&c.rows[ASPECT_WORDS], "++-++");
    expect(&c.rows[ASPECT_SENTENCES], "-+");
    expect(&c.rows[ASPECT_SPANS], "");
    assert_int_equal(c.rows[ASPECT_WORDS].rows.sentence[2], 0);
    assert_int_equal(c.rows[ASPECT_WORDS].rows.sentence[3], 1);
    assert_true(c.rows[ASPECT_WORDS].rows.value[2 * 2] == one.word[0][2]);
    assert_true(c.rows[ASPECT_WORDS].rows.value[2 * 2 + 1] == one.word[1][2]);
    assert_true(c.rows[ASPECT_SENTENCES].rows.value[3] == 10.25);
    confidence_eval_release(&c);
}

TEST(heads_and_relations_are_judged_apart)
{
    struct vouch_error err = {0};
    struct confidence_eval c;
    struct case_of one;
    char gold[] = "nsubj root obj", label[] = "nsubj root iobj";
    const uint32_t gold_head[] = {2, 0, 2}, head[] = {3, 0, 2};
    start(&c, false, true);
    make(&one, gold, label, NULL, 0);
    one.answer.head = head;
    assert_true(confidence_eval_add(&c, one.gold, gold_head, one.N, &one.answer, &err));
    expect(&c.rows[ASPECT_WORDS], "-++");
    expect(&c.rows[ASPECT_RELATIONS], "++-");
    expect(&c.rows[ASPECT_SENTENCES], "-");
    assert_true(c.rows[ASPECT_RELATIONS].rows.value[4] == one.relation[0][2]);
    confidence_eval_release(&c);
}

/* Each pair of labellings, the first chunk of the answer, and whether gold has it. */
TEST(chunks_are_right_if_gold_has_them)
{
    static const struct {
        const char *gold, *label;
        struct span span;
        bool right;
    } try[] = {
        {"B-A I-A O", "B-A I-A O", {0, 2, {"A", 1}}, true},
        {"B-A I-A I-A", "B-A I-A O", {0, 2, {"A", 1}}, false}, /* gold's is longer */
        {"B-A O O", "B-A I-A O", {0, 2, {"A", 1}}, false},     /* shorter */
        {"B-A B-A O", "B-A I-A O", {0, 2, {"A", 1}}, false},   /* two of them */
        {"B-A I-B O", "B-A I-A O", {0, 2, {"A", 1}}, false},
        {"B-B I-B O", "B-A I-A O", {0, 2, {"A", 1}}, false}, /* of another type */
        {"I-A I-A O", "B-A I-A O", {0, 2, {"A", 1}}, true},  /* another spelling of the same */
        {"O I-A B-A", "O I-A B-A", {1, 2, {"A", 1}}, true},  /* IOB1 */
        {"I-A I-A O", "O I-A O", {1, 2, {"A", 1}}, false},   /* gold's began before */
        {"O B-A E-A", "O B-A E-A", {1, 3, {"A", 1}}, true},  /* at the end */
        {"S-A S-A O", "S-A O O", {0, 1, {"A", 1}}, true},
        {"O O O", "B-A O O", {0, 1, {"A", 1}}, false},
        {"A A A", "B-A O O", {0, 1, {"A", 1}}, false}, /* a label of no scheme spells no chunk */
    };
    for (size_t i = 0; i < sizeof try / sizeof *try; i++) {
        struct vouch_error err = {0};
        struct confidence_eval c;
        struct case_of one;
        char gold[32], label[32];
        strcpy(gold, try[i].gold);
        strcpy(label, try[i].label);
        start(&c, true, false);
        make(&one, gold, label, &try[i].span, 1);
        assert_true(confidence_eval_add(&c, one.gold, NULL, one.N, &one.answer, &err));
        expect(&c.rows[ASPECT_SPANS], try[i].right ? "+" : "-");
        confidence_eval_release(&c);
    }
}

TEST(what_was_not_computed_is_left_out)
{
    struct vouch_error err = {0};
    struct confidence_eval c;
    struct case_of one;
    size_t n;
    char gold[] = "a b c", label[] = "a x c";
    start(&c, false, false);
    make(&one, gold, label, NULL, 0);
    one.word[0][0] = 1 + 1e-12; /* a sum of shares */
    one.word[0][2] = NAN;
    one.word[1][1] = INFINITY;
    assert_true(confidence_eval_add(&c, one.gold, NULL, one.N, &one.answer, &err));
    struct judged *judged = confidence_eval_judged(&c, ASPECT_WORDS, 0, &n, &err);
    assert_non_null(judged);
    assert_int_equal(n, 2);
    assert_true(judged[0].confidence == 1 && judged[0].right && !judged[1].right);
    free(judged);
    judged = confidence_eval_judged(&c, ASPECT_WORDS, 1, &n, &err);
    assert_int_equal(n, 3);
    assert_true(isinf(judged[1].confidence));
    free(judged);
    confidence_eval_release(&c);
}

/* Margins have a ranking alone; without resamples there are no intervals; threads change nothing. */
TEST(every_method_is_measured)
{
    struct quality_intervals first[2] = {0};
    for (uint32_t threads = 1; threads <= 2; threads++) {
        struct vouch_error err = {0};
        struct confidence_eval c;
        start(&c, true, false);
        for (int i = 0; i < 20; i++) {
            struct case_of one;
            char gold[] = "a b c d", label[] = "a b x d";
            label[4] = i % 3 ? 'x' : 'c';
            make(&one, gold, label, NULL, 0);
            assert_true(confidence_eval_add(&c, one.gold, NULL, one.N, &one.answer, &err));
        }
        assert_true(confidence_eval_measure(&c, 0, &(struct work){.seed = 1, .threads = threads}, &err));
        const struct method_eval *words = c.rows[ASPECT_WORDS].method_eval;
        assert_int_equal(words[0].quality.words, 80);
        assert_int_equal(words[0].quality.errors, 13);
        assert_true(words[0].quality.ranking.average_precision == words[1].quality.ranking.average_precision);
        assert_false(isnan(words[0].quality.reliability.brier));
        assert_true(isnan(words[1].quality.reliability.brier));
        assert_true(isnan(words[0].intervals.average_precision.low));
        assert_int_equal(c.rows[ASPECT_SPANS].method_eval[0].quality.words, 0);
        assert_true(isnan(c.rows[ASPECT_SPANS].method_eval[0].quality.reliability.ece));

        assert_true(confidence_eval_measure(&c, 50, &(struct work){.seed = 1, .threads = threads}, &err));
        assert_true(words[0].intervals.calibration.limit > 0 && words[0].intervals.calibration.p <= 1);
        assert_true(isnan(words[1].intervals.calibration.p));
        assert_true(words[0].intervals.average_precision.low < words[0].intervals.average_precision.high);
        first[threads - 1] = words[0].intervals;
        confidence_eval_release(&c);
    }
    assert_memory_equal(&first[0], &first[1], sizeof first[0]);
}

/* Words inside of chunks leave rows of their own; each label's answers are measured by themselves. */
TEST(labels_are_measured_one_by_one)
{
    struct vouch_error err = {0};
    struct confidence_eval c;
    struct case_of one;
    char gold[] = "B-X I-X O B-Y O", label[] = "B-X O O B-X B-Y";
    const struct span span[] = {{0, 1, text_of("X")}, {3, 4, text_of("X")}, {4, 5, text_of("Y")}};
    static const char *const names[] = {"B-X", "B-Y", "O", "X", "Y"};
    static const uint64_t words[][2] = {{2, 1}, {1, 1}, {2, 1}, {0, 0}, {0, 0}};
    static const uint64_t spans[][2] = {{0, 0}, {0, 0}, {0, 0}, {2, 2}, {1, 1}};
    start(&c, true, false);
    make(&one, gold, label, span, 3);
    assert_true(confidence_eval_add(&c, one.gold, NULL, one.N, &one.answer, &err));
    expect(&c.rows[ASPECT_WORDS], "+-+--");
    expect(&c.rows[ASPECT_INSIDE], "+--");
    expect(&c.rows[ASPECT_SPANS], "---");
    assert_true(c.rows[ASPECT_INSIDE].rows.value[2] == one.word[0][3]);
    for (uint32_t resamples = 0; resamples < 20; resamples += 10) {
        assert_true(confidence_eval_measure(&c, resamples, &(struct work){.seed = 1, .threads = 2}, &err));
        assert_int_equal(c.labels, 5);
        const struct label_eval *word = c.rows[ASPECT_WORDS].method_eval[0].by_label;
        const struct label_eval *chunk = c.rows[ASPECT_SPANS].method_eval[0].by_label;
        for (uint32_t k = 0; k < c.labels; k++) {
            assert_true(text_is(c.label[k].name, names[k]));
            assert_true(word[k].count == words[k][0] && word[k].wrong == words[k][1]);
            assert_true(chunk[k].count == spans[k][0] && chunk[k].wrong == spans[k][1]);
        }
        /* B-X: 0.1 and right, 0.4 and wrong. */
        assert_true(fabs(word[0].confidence - 0.25) < 1e-12 && fabs(word[0].accuracy - 0.5) < 1e-12);
        assert_true(fabs(word[0].ece - 0.65) < 1e-12);
        assert_int_equal(isnan(word[0].calibration.p), resamples == 0);
        assert_null(c.rows[ASPECT_WORDS].method_eval[1].by_label); /* margins */
        assert_null(c.rows[ASPECT_INSIDE].method_eval[0].by_label);
    }
    confidence_eval_release(&c);
}

/* Gives a method figures, as if it had been measured. */
static void measured(struct method_eval *m, const char *name, double precision, double rmse)
{
    snprintf(m->method, sizeof m->method, "%s", name);
    m->quality.ranking.average_precision = precision;
    m->quality.reliability.rmse = rmse;
}

/* Figures of a method that draws become means; intervals by sentences and by seeds add up in squares. */
TEST(the_luck_of_draws_is_in_intervals)
{
    struct confidence_eval c, other[2];
    start(&c, false, false);
    measured(&c.rows[ASPECT_WORDS].method_eval[0], "kd-fix", 0.4, 0.05);
    measured(&c.rows[ASPECT_WORDS].method_eval[1], "delta", 0.3, NAN);
    struct method_eval *fix = &c.rows[ASPECT_WORDS].method_eval[0], *delta = fix + 1;
    fix->intervals.average_precision = (struct interval){0.3, 0.45};
    delta->intervals.average_precision = (struct interval){0.2, 0.4};
    struct comparison pair = {
        .first = 0, .second = 1, .difference = {0.1, NAN}, .interval = {{0.02, 0.16}, {NAN, NAN}}};
    c.comparison = new_array(1, sizeof *c.comparison, NULL);
    c.comparison[0] = pair;
    c.comparisons = 1;
    for (int i = 0; i < 2; i++) {
        start(&other[i], false, false);
        other[i].methods = 1;
        measured(&other[i].rows[ASPECT_WORDS].method_eval[0], "kd-fix", i ? 0.44 : 0.42, 0.06);
        confidence_eval_add_seed(&c, &other[i]);
        confidence_eval_release(&other[i]);
    }
    confidence_eval_settle_seeds(&c);
    double half = student_critical(0.05, 2) * 0.02 / sqrt(3); /* 0.40, 0.42, 0.44 deviate by 0.02 */
    assert_int_equal(fix->seeds, 3);
    assert_true(fabs(fix->quality.ranking.average_precision - 0.42) < 1e-12);
    assert_true(fabs(fix->quality.reliability.rmse - 0.17 / 3) < 1e-12);
    assert_true(fabs(fix->intervals.average_precision.low - (0.42 - sqrt(0.01 + half * half))) < 1e-12);
    assert_true(fabs(fix->intervals.average_precision.high - (0.42 + sqrt(0.0025 + half * half))) < 1e-12);
    assert_true(delta->seeds == 0 && delta->quality.ranking.average_precision == 0.3);
    assert_true(delta->intervals.average_precision.low == 0.2);
    assert_true(fabs(c.comparison[0].difference[PAIRED_PRECISION] - 0.12) < 1e-12);
    assert_true(fabs(c.comparison[0].interval[PAIRED_PRECISION].low - (0.12 - sqrt(0.0064 + half * half))) < 1e-12);
    assert_true(isnan(c.comparison[0].interval[PAIRED_RMSE].low));
    confidence_eval_release(&c);
}
