/*
 * Tests joint probabilities: never above a part, calibrated, near the base rate
 * where there is little to learn from; and that what is called held out is.
 */
#include "base/random.h"
#include "train/calibration.h"
#include "confidence/joint.h"
#include "measure/quality.h"

#include "must.h"
#include "test.h"

/* Wholes of two to six independent parts. */
enum { F = JOINT_SIGNALS };
struct wholes {
    size_t n;
    double *x, *least, *truth, *held;
    bool *right;
    uint32_t *group;
};

static struct wholes wholes_new(size_t n, uint64_t seed)
{
    struct rng rng = rng_new(seed, 0);
    struct wholes w = {.n = n,
                       .x = calloc(n * F, sizeof *w.x),
                       .least = calloc(n, sizeof *w.least),
                       .truth = calloc(n, sizeof *w.truth),
                       .held = calloc(n, sizeof *w.held),
                       .right = calloc(n, sizeof *w.right),
                       .group = calloc(n, sizeof *w.group)};
    for (size_t i = 0; i < n; i++) {
        double word[6];
        uint32_t N = 2 + rng_below(&rng, 5);
        w.truth[i] = 1;
        for (uint32_t j = 0; j < N; j++) {
            word[j] = 1 - 0.5 * pow(rng_uniform(&rng), 3) - 1e-3;
            w.truth[i] *= word[j];
        }
        w.least[i] = joint_of_sentence(word, N, NULL, NULL, 0, w.x + i * F);
        w.right[i] = rng_uniform(&rng) < w.truth[i];
        w.group[i] = (uint32_t)(i / 3);
    }
    return w;
}

static struct logistic_rows rows_of(const struct wholes *w)
{
    return (struct logistic_rows){w->x, w->right, w->least, w->n, F, w->group};
}

static void wholes_free(struct wholes *w)
{
    free(w->x);
    free(w->least);
    free(w->truth);
    free(w->held);
    free(w->right);
    free(w->group);
}

TEST(wholes_are_below_their_parts_and_calibrated)
{
    struct wholes w = wholes_new(6000, 1);
    struct logistic_rows rows = rows_of(&w);
    struct logistic fitted;
    MUST(joint_fit(&rows, 1, &fitted, w.held, &err));
    double off = 0, said = 0, true_ones = 0;
    for (size_t i = 0; i < w.n; i++) {
        double p = joint_apply(&fitted, w.least[i], w.x + i * F);
        assert_true(p > 0 && p <= w.least[i] && w.held[i] > 0 && w.held[i] <= w.least[i]);
        off += fabs(p - w.truth[i]) / (double)w.n;
        said += w.held[i] / (double)w.n;
        true_ones += w.right[i] / (double)w.n;
    }
    assert_true(off < 0.03);
    assert_true(fabs(said - true_ones) < 0.01);
    logistic_release(&fitted);
    wholes_free(&w);
}

/* Returns a prior that depends on the rows: those that are held out must not be among them. */
static double errors_of(double right, double wrong)
{
    (void)right;
    return wrong + 1;
}

/* The numbers of a group do not change with the truth about it. */
TEST(what_is_held_out_is_not_learned_from)
{
    struct wholes w = wholes_new(300, 2);
    double *before = calloc(w.n, sizeof *before), *after = calloc(w.n, sizeof *after);
    double *raw = calloc(w.n, sizeof *raw);
    for (size_t i = 0; i < w.n; i++)
        raw[i] = sigmoid(w.x[i * F]);
    for (int what = 0; what < 4; what++)
        for (uint32_t g = 0; g < 100; g += 17) {
            for (int turn = 0; turn < 2; turn++) {
                struct logistic_rows rows = rows_of(&w);
                struct logistic_rows words = {w.x, w.right, NULL, w.n, F, w.group, NULL};
                struct logistic fitted = {0};
                double *held = turn ? after : before;
                if (what == 0)
                    MUST(joint_fit(&rows, 1, &fitted, held, &err));
                else if (what < 3)
                    MUST(calibration_hold_out(what == 1 ? CALIBRATE_ISOTONIC : CALIBRATE_BETA,
                                              &(struct calibration_rows){raw, w.right, w.group, w.n}, 1, held, &err));
                else
                    MUST(logistic_cross_fit(&words, errors_of, 1, &fitted, held, &err));
                logistic_release(&fitted);
                for (size_t i = 0; i < w.n; i++)
                    if (w.group[i] == g)
                        w.right[i] = !w.right[i];
            }
            bool changed = false;
            for (size_t i = 0; i < w.n; i++) {
                assert_true(w.group[i] != g || fabs(before[i] - after[i]) < 1e-5);
                changed = changed || fabs(before[i] - after[i]) > 1e-4;
            }
            assert_true(changed); /* others learn from it */
        }
    free(before);
    free(after);
    free(raw);
    wholes_free(&w);
}

/* A signal that tells right from wrong is trusted the more, the more rows there are; little else than the base rate
 * is left of few. */
TEST(few_rows_stay_near_the_base_rate)
{
    double reach[3];
    static const size_t counts[3] = {6, 40, 4000};
    for (int c = 0; c < 3; c++) {
        double x[4000], least[4000], held[4000];
        bool right[4000];
        uint32_t group[4000];
        for (size_t i = 0; i < counts[c]; i++) {
            right[i] = i % 3 != 0;
            x[i] = right[i] ? 1 : -1;
            least[i] = 1;
            group[i] = (uint32_t)i;
        }
        struct logistic_rows rows = {x, right, least, counts[c], 1, group};
        struct logistic fitted;
        MUST(joint_fit(&rows, 1, &fitted, held, &err));
        double low = -1, high = 1;
        reach[c] = joint_apply(&fitted, 1, &high) - joint_apply(&fitted, 1, &low);
        logistic_release(&fitted);
    }
    assert_true(reach[0] < 0.5 && reach[0] < reach[1] && reach[1] < reach[2] && reach[2] > 0.97);
}

/* Scores of `sentences` of eight words, of which the first three are a chunk; signals are nothing but noise. */
static void make_scores(struct held_out_scores *t, uint32_t sentences, uint32_t signals)
{
    struct rng rng = rng_new(9, 0);
    *t = (struct held_out_scores){.word.signals = signals, .span.signals = 1, .sentence.signals = 1};
    for (uint32_t i = 0; i < sentences; i++) {
        double *value, *signal;
        bool chunk = true, all = true;
        for (uint32_t n = 0; n < 8; n++) {
            bool right = rng_below(&rng, 4) > 0;
            MUST(score_rows_add(&t->word, i, right, &value, &signal, &err));
            t->word.extent[t->word.count - 1] = (struct extent){n, n + 1};
            for (uint32_t s = 0; s < signals; s++)
                signal[s] = rng_uniform(&rng);
            chunk = chunk && (right || n > 2);
            all = all && right;
        }
        MUST(score_rows_add(&t->span, i, chunk, &value, &signal, &err));
        t->span.extent[i] = (struct extent){0, 3};
        signal[0] = 0;
        MUST(score_rows_add(&t->sentence, i, all, &value, &signal, &err));
        t->sentence.extent[i] = (struct extent){0, 8};
        signal[0] = 0;
    }
}

/* A forecaster overfits noise, and its numbers for its own words would make chunks look predictable. */
TEST(wholes_learn_from_words_that_were_held_out)
{
    struct held_out_scores t;
    struct confidence_model confidence_model;
    confidence_model_init(&confidence_model);
    confidence_model.count = 1; /* the committee */
    make_scores(&t, 60, 24);
    double loss;
    MUST(methods_fit(&confidence_model, &(struct method_rows){&t, &t, &(struct work){.seed = 1, .threads = 1}}, &loss,
                     &err));
    assert_true(loss == confidence_model.method_model[0].figure[UNIT_WORD][FIGURE_LOSS]);
    const struct score_rows *rows;
    for (enum unit u = 0; u < UNITS; u++) {
        rows = u == UNIT_WORD ? &t.word : u == UNIT_SPAN ? &t.span : &t.sentence;
        double rate = 0, *figure = confidence_model.method_model[0].figure[u];
        for (size_t i = 0; i < rows->count; i++)
            rate += rows->right[i] / (double)rows->count;
        double chance = -rate * log(rate) - (1 - rate) * log(1 - rate);
        assert_int_equal(figure[FIGURE_COUNT], rows->count);
        assert_true(figure[FIGURE_LOSS] > 0.98 * chance); /* no forecaster can do better */
        assert_true(u == UNIT_WORD || confidence_model.method_model[0].joint[u].features == 1 + JOINT_SIGNALS);
    }
    score_rows_release(&t.word);
    score_rows_release(&t.span);
    score_rows_release(&t.sentence);
    confidence_model_release(&confidence_model);
}

/* Of two scales, the one that saturates ranks the worst words better, and gives nine in ten others one number. */
TEST(a_scale_that_saturates_is_not_chosen)
{
    struct score_rows u = {.methods = 2};
    struct rng rng = rng_new(4, 0);
    for (uint32_t i = 0; i < 8000; i++) {
        double *value, *signal, z = 8 * rng_uniform(&rng);
        bool right = rng_uniform(&rng) < sigmoid(z);
        MUST(score_rows_add(&u, i / 10, right, &value, &signal, &err));
        value[0] = sigmoid(z);
        value[1] = z > 0.8 ? 1 : sigmoid(z + (right ? 0.1 : -0.1));
    }
    double graded, saturated;
    MUST(calibrated_loss(&u, 0, 1, &graded, &err));
    MUST(calibrated_loss(&u, 1, 1, &saturated, &err));
    double precision[2];
    for (size_t k = 0; k < 2; k++) {
        size_t n;
        struct quality quality;
        struct judged *judged = score_rows_column(&u, u.value, 2, k, &n, &err);
        MUST(judged && quality_measure(judged, n, false, &quality, &err));
        precision[k] = quality.ranking.average_precision;
        free(judged);
    }
    assert_true(precision[1] > precision[0]);
    assert_true(graded < saturated);
    score_rows_release(&u);
}
