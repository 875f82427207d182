/*
 * Tests the calibration of spans on files whose truth is planted: a span of score p is right with a probability that
 * the test knows.
 */
#include "eval/file_comparison.h"

#include "base/random.h"

#include "folder.h"
#include "must.h"
#include "test.h"

enum { TEXTS = 1500, SPANS = 3 };

/* What the probability of a span depends on, beside its score. */
enum planted { NOTHING, TYPES, WORDS };

static double planted_probability(enum planted planted, double score, bool type, bool word)
{
    double odds = score / (1 - score);
    if ((planted == TYPES && type) || (planted == WORDS && word))
        odds /= 8;
    return odds / (1 + odds);
}

/* Writes a file of such spans. */
static const char *write_spans(const char *name, enum planted planted, uint64_t seed)
{
    static char bytes[1 << 20];
    size_t length = 0;
    struct rng random = rng_new(seed, 0);
    for (int i = 0; i < TEXTS; i++) {
        char gold[512] = "";
        size_t used = 0;
        length += (size_t)sprintf(bytes + length, "{\"text\": \"aa 12 cc\", \"spans\": [");
        for (int s = 0; s < SPANS; s++) {
            double score = 0.05 + 0.9 * rng_uniform(&random);
            bool type = rng_below(&random, 2), word = s == 1;
            double p = planted_probability(planted, score, type, word);
            char span[80];
            sprintf(span, "\"start\": %d, \"end\": %d, \"label\": \"%c\"", 3 * s, 3 * s + 2, type ? 'B' : 'A');
            length += (size_t)sprintf(bytes + length, "%s{%s, \"score\": %.6f}", s ? ", " : "", span, score);
            if (rng_uniform(&random) < p)
                used += (size_t)sprintf(gold + used, "%s{%s}", used ? ", " : "", span);
        }
        length += (size_t)sprintf(bytes + length, "], \"gold\": [%s]}\n", gold);
    }
    return folder_put_bytes(name, bytes, length);
}

static struct answer_file *open_spans(const char *path)
{
    const struct answer_file_options options = {.foreign = true};
    struct answer_file *file = answer_file_open(path, &options, &err);
    MUST(file);
    assert_true(file->spans);
    return file;
}

static void fit(struct answer_calibration *c, const char *path)
{
    const struct work work = {.seed = 1, .threads = 1};
    struct answer_file *file = open_spans(path);
    *c = (struct answer_calibration){0};
    MUST(answer_calibration_fit_spans(c, file, &work, &err));
    answer_file_close(file);
}

/* Returns the mean distance of the probabilities of fresh spans from the planted ones. */
static double distance(const struct answer_calibration *c, enum planted planted)
{
    struct answer_file *file = open_spans(write_spans("fresh", planted, 77));
    double *p = answer_calibration_of_spans(c, file, "calibration", &err), sum = 0;
    size_t n = 0;
    MUST(p);
    for (size_t i = 0; i < file->rows; i++)
        if (file->row[i].items) {
            bool type = file->row[i].guess.at[2] == 'B', word = file->row[i].from == 3;
            sum += fabs(p[i] - planted_probability(planted, file->row[i].confidence, type, word));
            n++;
        }
    free(p);
    answer_file_close(file);
    return sum / (double)n;
}

TEST_IN_FOLDER(what_the_truth_depends_on_is_found)
{
    static const enum span_way expected[] = {SPANS_BY_SCORE, SPANS_BY_TYPE, SPANS_BY_SIGNALS};
    static const double near[] = {0.01, 0.02, 0.07}; /* the prior on signals keeps probabilities near those of all */
    takes_long();
    for (enum planted planted = NOTHING; planted <= WORDS; planted++) {
        struct answer_calibration c;
        fit(&c, write_spans("spans", planted, 5));
        assert_int_equal(c.spans.way, expected[planted]);
        assert_true(distance(&c, planted) < near[planted]);
        answer_calibration_release(&c);
    }
}

/* Writes 400 spans of type A, of which three in four are right, and some of type B, all wrong. */
static const char *write_rare(const char *name, int rare)
{
    static char bytes[1 << 18];
    size_t length = 0;
    for (int i = 0; i < 400 + rare; i++)
        length += (size_t)sprintf(bytes + length,
                                  "{\"spans\": [{\"start\": 0, \"end\": 2, \"label\": \"%c\", \"score\": 0.%d}], "
                                  "\"gold\": [%s]}\n",
                                  i < 400 ? 'A' : 'B', 5 + i % 5,
                                  i < 400 && i % 4 ? "{\"start\": 0, \"end\": 2, \"label\": \"A\"}" : "");
    return folder_put_bytes(name, bytes, length);
}

/* Returns how far a type's log-odds are from those of all, which are about those of three in four. */
static double moved(const struct span_calibration *c, uint32_t type)
{
    return c->constant[type] + (c->slope[type] - 1) * log_odds(0.75);
}

TEST_IN_FOLDER(rare_types_are_drawn_towards_all)
{
    double before = 0;
    for (int rare = 1; rare <= 64; rare *= 4) {
        struct answer_calibration c;
        fit(&c, write_rare("spans", rare));
        assert_int_equal(c.spans.types, 2);
        assert_true(fabs(moved(&c.spans, 0)) < 0.5); /* the type of most spans is like all */
        assert_true(moved(&c.spans, 1) < before);    /* the more wrong ones were seen, the further it goes */
        assert_true(rare > 1 || moved(&c.spans, 1) > -1);
        before = moved(&c.spans, 1);
        answer_calibration_release(&c);
    }
    assert_true(before < -1.5);
}

TEST_IN_FOLDER(a_calibration_is_the_same_when_read_again)
{
    struct answer_calibration c, again = {0};
    struct answer_file *file = open_spans(write_spans("fresh", WORDS, 9));
    fit(&c, write_spans("spans", WORDS, 5));
    struct output *out = output_open_memory(&err);
    size_t length;
    MUST(out && answer_calibration_write(&c, "spans", "test", out, &err));
    const char *text = output_text(out, &length);
    char *whole = strndup(text, length);
    MUST(answer_calibration_parse(&again, whole, &err));
    double *p = answer_calibration_of_spans(&c, file, "one", &err);
    double *q = answer_calibration_of_spans(&again, file, "other", &err);
    MUST(p && q);
    for (size_t i = 0; i < file->rows; i++)
        assert_true(p[i] == q[i] || (isnan(p[i]) && isnan(q[i])));
    free(p);
    free(q);
    free(whole);
    output_discard(out);
    answer_file_close(file);
    answer_calibration_release(&c);
    answer_calibration_release(&again);
}

TEST_IN_FOLDER(rows_of_gold_that_was_missed_have_no_number)
{
    struct answer_file *file =
        open_spans(folder_put("few", "{\"spans\": [{\"start\": 1, \"end\": 2, \"label\": \"A\", \"score\": 0.5}], "
                                     "\"gold\": [{\"start\": 0, \"end\": 2, \"label\": \"A\"}]}\n"));
    struct answer_calibration c;
    fit(&c, write_spans("spans", WORDS, 5));
    double *p = answer_calibration_of_spans(&c, file, "calibration", &err);
    MUST(p);
    assert_int_equal(file->rows, 2);
    assert_true(p[0] > 0 && p[0] < 1);
    assert_true(isnan(p[1]));
    free(p);
    answer_file_close(file);
    answer_calibration_release(&c);
}
