/*
 * Tests refitting to decisions: nothing decided changes nothing; closed forms
 * with one weight; the gradient is 0 at the end; more decisions move it
 * further, and never further than their share.
 */
#include "review/review.h"

#include "base/random.h"
#include "fit/logistic.h"

#include "must.h"
#include "test.h"

enum { ROWS = 60, KEYS = 9, EACH = 3 };

TEST(without_decisions_nothing_changes)
{
    struct refit refit;
    struct refit_rows none = {0};
    struct refit_feature any[] = {{1, 1, 1, 0}, {7, -2.5, 0.1, 0}};
    MUST(refit_fit(&refit, &none, &err));
    assert_int_equal(refit.count, 0);
    assert_true(refit_apply(&refit, any, 2) == 0);
    refit_release(&refit);
}

/* `wrong` of `n` rows with one feature of value 1: the log-odds that are added. */
static double shift(size_t wrong, size_t n, double offset, double spread)
{
    struct refit_row row[ROWS];
    struct refit_feature feature[ROWS], one = {5, 1, spread, 0};
    for (size_t i = 0; i < n; i++) {
        row[i] = (struct refit_row){offset, i < wrong};
        feature[i] = one;
        feature[i].row = i;
    }
    struct refit refit;
    struct refit_rows rows = {row, n, feature, n};
    MUST(refit_fit(&refit, &rows, &err));
    double found = refit_apply(&refit, &one, 1);
    refit_release(&refit);
    return found;
}

TEST(one_weight_has_a_closed_form)
{
    /* With a wide prior the share itself: log-odds of 3/4, whatever was thought before. */
    assert_float_equal(shift(15, 20, 0, 1e4), log(3), 1e-5);
    assert_float_equal(shift(15, 20, -2, 1e4), log(3) + 2, 1e-5);
    /* What was thought and what was decided agree: nothing is added. */
    assert_float_equal(shift(10, 20, 0, 1), 0, 1e-9);
    assert_float_equal(shift(15, 20, log(3), 0.5), 0, 1e-6);
    /* A narrow prior hardly moves; one wrong row of weight w: w = spread^2 * (1 - sigmoid(w)). */
    assert_true(fabs(shift(20, 20, 0, 1e-4)) < 1e-6);
    double w = shift(1, 1, 0, 1.5);
    assert_float_equal(w, 1.5 * 1.5 * (1 - sigmoid(w)), 1e-6);
    /* More of the same moves further, and both directions alike. */
    for (size_t n = 1; n < 20; n++) {
        assert_true(shift(n + 1, n + 1, 0, 1) > shift(n, n, 0, 1));
        assert_float_equal(shift(n, n, 0, 1), -shift(0, n, 0, 1), 1e-9);
    }
}

/* Rows with EACH random features; all of a key share a spread. */
struct sample {
    struct refit_row row[ROWS];
    struct refit_feature feature[ROWS * EACH];
};

static void draw(struct sample *s, uint64_t seed)
{
    struct rng rng = rng_new(seed, 3);
    for (size_t i = 0; i < ROWS; i++) {
        s->row[i].offset = (rng_below(&rng, 100) - 50.0) / 20;
        s->row[i].wrong = rng_below(&rng, 2);
        for (size_t k = 0; k < EACH; k++) {
            uint64_t key = 3 * rng_below(&rng, KEYS / 3) + k;
            s->feature[i * EACH + k] =
                (struct refit_feature){key * 1000003, (rng_below(&rng, 100) - 30.0) / 40, 0.3 + 0.2 * (double)key, i};
        }
    }
}

TEST(the_gradient_is_zero_at_the_end)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct sample s;
        struct refit refit;
        draw(&s, seed);
        struct refit_rows rows = {s.row, ROWS, s.feature, ROWS * EACH};
        MUST(refit_fit(&refit, &rows, &err));
        for (size_t f = 0; f < refit.count; f++) {
            double gradient = 0;
            assert_true(f == 0 || refit.key[f - 1] < refit.key[f]);
            for (size_t i = 0; i < ROWS; i++)
                for (size_t k = i * EACH; k < (i + 1) * EACH; k++)
                    if (s.feature[k].key == refit.key[f]) {
                        double z = s.row[i].offset + refit_apply(&refit, s.feature + i * EACH, EACH);
                        gradient += s.feature[k].value * ((s.row[i].wrong ? 1 : 0) - sigmoid(z));
                    }
            double spread = 0.3 + 0.2 * (double)(refit.key[f] / 1000003);
            assert_float_equal(gradient, refit.weight[f] / (spread * spread), 1e-4);
        }
        refit_release(&refit);
    }
}

TEST(what_never_occurred_has_no_weight)
{
    struct sample s;
    struct refit refit;
    draw(&s, 5);
    struct refit_rows rows = {s.row, ROWS, s.feature, ROWS * EACH};
    struct refit_feature other = {77, 3, 1, 0};
    MUST(refit_fit(&refit, &rows, &err));
    assert_true(refit_apply(&refit, &other, 1) == 0);
    assert_true(refit_apply(&refit, s.feature, EACH) != 0);
    refit_release(&refit);
}
