/*
 * Tests agreement against published examples, and against the definitions computed another way: alpha from the matrix
 * of coincidences, kappa from the table of both annotators' values, resamples from units that are written out again.
 */
#include "measure/agreement.h"

#include "base/memory.h"
#include "base/random.h"

#include "must.h"
#include "test.h"

enum { MOST = 64 };

/* Makes units of strings, a line an annotator, a character a unit; '.' is no value. */
static struct agreement_units units_from(const char *const *line, uint32_t annotators)
{
    struct agreement_units units = {.annotators = annotators, .categories = 128};
    for (uint32_t u = 0; line[0][u]; u++) {
        uint32_t *value = agreement_units_add(&units, u, &err);
        MUST(value);
        for (uint32_t a = 0; a < annotators; a++)
            value[a] = line[a][u] == '.' ? NO_VALUE : (uint32_t)line[a][u];
    }
    return units;
}

static double alpha_of(const char *const *line, uint32_t annotators)
{
    double count[128];
    struct agreement_units units = units_from(line, annotators);
    double alpha = krippendorff_alpha(&units, NULL, count);
    agreement_units_release(&units);
    return alpha;
}

TEST(alpha_has_the_values_of_krippendorffs_examples)
{
    /* Krippendorff 2011: two observers of binary data, of nominal data, */
    assert_float_equal(alpha_of((const char *[]){"0100000010", "1110010000"}, 2), 0.095, 0.0005);
    assert_float_equal(alpha_of((const char *[]){"aabbdcccedda", "babbbccceddd"}, 2), 0.692, 0.0005);
    /* and four observers who left values out. */
    assert_float_equal(
        alpha_of((const char *[]){"123321412...", "1233224125.3", ".3332342251.", "12332441251."}, 4), 0.743, 0.0005);
}

TEST(kappa_has_the_value_of_a_textbook_example)
{
    /* Of fifty: both say yes to 20, one alone to 5, the other alone to 10, nobody to 15. */
    double count[256];
    char a[51] = "", b[51] = "";
    for (int i = 0; i < 50; i++) {
        a[i] = i < 25 ? 'y' : 'n';
        b[i] = i < 20 || (i >= 25 && i < 35) ? 'y' : 'n';
    }
    struct agreement_units units = units_from((const char *[]){a, b}, 2);
    assert_float_equal(cohen_kappa(&units, 0, 1, NULL, count), 0.4, 1e-12);
    assert_int_equal(agreement_units_count(&units, 0, 1), 50);
    agreement_units_release(&units);
}

enum { VALUES = 3, ANNOTATORS = 4, UNITS = 12, SENTENCES = 5 };

/* Makes units at random, in sentences; some values are missing. */
static struct agreement_units random_units(struct rng *random)
{
    struct agreement_units units = {.annotators = ANNOTATORS, .categories = VALUES};
    for (uint32_t u = 0; u < UNITS; u++) {
        uint32_t *value = agreement_units_add(&units, u % SENTENCES, &err);
        uint32_t truth = rng_below(random, VALUES);
        MUST(value);
        for (uint32_t a = 0; a < ANNOTATORS; a++) {
            uint32_t said = rng_below(random, 3) ? truth : rng_below(random, VALUES);
            value[a] = rng_below(random, 5) ? said : NO_VALUE;
        }
    }
    return units;
}

/* By the matrix of coincidences: o[c][k], the weight of pairs of values c and k. */
static double alpha_by_coincidences(const struct agreement_units *units)
{
    double o[VALUES][VALUES] = {{0}}, of[VALUES] = {0}, n = 0, equal = 0, chance = 0;
    for (size_t u = 0; u < units->units; u++) {
        const uint32_t *value = units->value + u * ANNOTATORS;
        double m = 0;
        for (int a = 0; a < ANNOTATORS; a++)
            m += value[a] != NO_VALUE;
        for (int a = 0; a < ANNOTATORS; a++)
            for (int b = 0; b < ANNOTATORS; b++)
                if (a != b && value[a] != NO_VALUE && value[b] != NO_VALUE)
                    o[value[a]][value[b]] += 1 / (m - 1);
    }
    for (int c = 0; c < VALUES; c++)
        for (int k = 0; k < VALUES; k++)
            of[c] += o[c][k];
    for (int c = 0; c < VALUES; c++) {
        n += of[c];
        equal += o[c][c];
        chance += of[c] * (of[c] - 1);
    }
    return ((n - 1) * equal - chance) / (n * (n - 1) - chance); /* another form of the same (Krippendorff 2011) */
}

/* By the table of what one says where the other says something. */
static double kappa_by_table(const struct agreement_units *units, int a, int b)
{
    double table[VALUES][VALUES] = {{0}}, n = 0, p = 0, e = 0;
    for (size_t u = 0; u < units->units; u++) {
        const uint32_t *value = units->value + u * ANNOTATORS;
        if (value[a] != NO_VALUE && value[b] != NO_VALUE) {
            table[value[a]][value[b]]++;
            n++;
        }
    }
    for (int c = 0; c < VALUES; c++) {
        double row = 0, column = 0;
        for (int k = 0; k < VALUES; k++) {
            row += table[c][k];
            column += table[k][c];
        }
        p += table[c][c] / n;
        e += row / n * column / n;
    }
    return (p - e) / (1 - e);
}

/* Writes the units of each sentence out as often as it was drawn. */
static struct agreement_units written_out(const struct agreement_units *units, const uint32_t *times)
{
    struct agreement_units copy = {.annotators = ANNOTATORS, .categories = VALUES};
    for (size_t u = 0; u < units->units; u++)
        for (uint32_t k = 0; k < times[units->sentence[u]]; k++) {
            uint32_t *value = agreement_units_add(&copy, 0, &err);
            MUST(value);
            memcpy(value, units->value + u * ANNOTATORS, ANNOTATORS * sizeof *value);
        }
    return copy;
}

static void assert_same(double a, double b)
{
    if (isnan(a) || isnan(b))
        assert_true(isnan(a) && isnan(b));
    else
        assert_float_equal(a, b, 1e-9);
}

TEST(alpha_and_kappa_are_what_their_definitions_say)
{
    struct rng random = rng_new(11, 0);
    double count[2 * VALUES];
    for (int round = 0; round < fewer(300); round++) {
        uint32_t times[SENTENCES];
        struct agreement_units units = random_units(&random);
        resample_sentences(5, (uint64_t)round, SENTENCES, times);
        struct agreement_units again = written_out(&units, times);
        assert_same(krippendorff_alpha(&units, NULL, count), alpha_by_coincidences(&units));
        assert_same(krippendorff_alpha(&units, times, count), alpha_by_coincidences(&again));
        for (int a = 0; a < ANNOTATORS; a++)
            for (int b = 0; b < ANNOTATORS; b++) {
                uint32_t x = (uint32_t)a, y = (uint32_t)b;
                assert_same(cohen_kappa(&units, x, y, NULL, count), kappa_by_table(&units, a, b));
                assert_same(cohen_kappa(&units, x, y, times, count), kappa_by_table(&again, a, b));
            }
        agreement_units_release(&units);
        agreement_units_release(&again);
    }
}

TEST(nothing_to_compare_is_no_number)
{
    double count[256];
    assert_true(isnan(alpha_of((const char *[]){"1.", ".1"}, 2)));
    assert_true(isnan(alpha_of((const char *[]){"11", "11"}, 2))); /* one category: chance explains everything */
    struct agreement_units units = units_from((const char *[]){"1.", ".1"}, 2);
    assert_true(isnan(cohen_kappa(&units, 0, 1, NULL, count)));
    agreement_units_release(&units);
    assert_true(isnan(matches_f1(&(struct agreement_matches){0}, 1, NULL)));
}

TEST(f1_is_the_harmonic_mean_of_both_shares)
{
    struct agreement_matches matches[2] = {{4, 3, 5, 3}, {0, 0, 1, 0}};
    uint32_t times[2] = {2, 0};
    assert_float_equal(matches_f1(matches, 2, NULL), 2 * 3.0 / (4 + 6), 1e-12);
    assert_float_equal(matches_f1(matches, 2, times), 2 * 3.0 / (4 + 5), 1e-12);
    assert_float_equal(matches_f1(&matches[1], 1, NULL), 0, 0);
}

TEST(an_interval_leaves_out_as_many_on_both_sides)
{
    double values[101];
    for (int i = 0; i < 101; i++)
        values[i] = i == 50 ? NAN : (double)((i * 37) % 101);
    struct interval found = resampled_interval(values, 101, 0.9, 40);
    assert_true(found.low == 5 && found.high >= 95 && found.high <= 96);
    found = resampled_interval(values, 100, 0.9, 99.5);
    assert_true(found.high == 99.5); /* it holds the value itself */
}
