/*
 * Measures how often intervals of vouch forecast --labelled hold the truth, and how wide they are.
 *
 *     cmake --build --preset release --target bench_forecast_draws
 *     build/release/bench_forecast_draws MODEL TEXT [DRAWS [LABELLED]]
 *
 * TEXT is labelled, and answered once. DRAWS times (1000), LABELLED of its sentences (50) are taken at random, and the
 * figures of the others are forecast: without labels, by the labels, by both, and by the labels alone, with the
 * interval of a share in clusters (measure/intervals.h), as without this program. Beside them, "doc" is the difference
 * of confidences (Guillory et al. 2021), which has no interval: the figure on calibration text, less the fall of the
 * mean probability. With 0 draws, every sentence is printed as it counts.
 */
#include "base/random.h"
#include "forecast/text_forecast.h"
#include "measure/intervals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum way { WITHOUT, BY_LABELS, JOINED, ALONE, DOC, WAYS };
static const char *const way_names[WAYS] = {"without labels", "by the labels", "joined", "labels alone", "doc"};

/* What is counted for one figure by one way. */
struct tally {
    double draws, covered, width, square;
};

static void must(bool done, const struct vouch_error *err)
{
    if (done)
        return;
    fprintf(stderr, "bench_forecast_draws: %s\n", err->message);
    exit(1);
}

static double right_of(const struct expected_counts *c, enum share share)
{
    return share == SHARE_ACCURACY ? c->words_right : c->chunks_right;
}

static void note(struct tally *t, double truth, double value, double low, double high)
{
    if (isnan(value))
        return;
    t->draws++;
    t->covered += low <= truth && truth <= high;
    t->width += high - low;
    t->square += (value - truth) * (value - truth);
}

/* Forecasts the figures of all sentences but the first `labelled` in `order`, by these. */
static void draw(const struct text_forecast *f, const uint32_t *order, size_t labelled, struct tally (*tally)[WAYS])
{
    struct expected_counts expected = {0}, measured = {0};
    struct labelled_sentence *some = calloc(labelled, sizeof *some);
    for (size_t i = 0; some && i < labelled; i++)
        some[i] = f->sentence[order[i]];
    for (size_t i = labelled; some && i < f->sentences; i++) {
        expected_counts_add(&expected, &f->sentence[order[i]].expected);
        expected_counts_add(&measured, &f->sentence[order[i]].measured);
    }
    for (enum share share = 0; some && share < SHARES; share++) {
        const struct forecast_line *line = &f->calibrated.line[share];
        double truth = expected_share(&measured, share, NULL), count;
        struct forecast without = forecast_apply(&f->calibrated, &expected, share);
        struct labelled_forecast by = labelled_forecast(some, labelled, &expected, share);
        struct forecast joined = forecast_joined(&without, &by);
        struct clustered alone = {0};
        for (size_t i = 0; i < labelled; i++) {
            expected_share(&some[i].measured, share, &count);
            clustered_add(&alone, right_of(&some[i].measured, share), count);
        }
        struct interval interval = clustered_interval(&alone);
        double doc = 1 / (1 + exp(-line->measured)) - 1 / (1 + exp(-line->expected)) + without.expected;
        if (isnan(truth) || isnan(without.value))
            continue;
        note(&tally[share][WITHOUT], truth, without.value, without.low, without.high);
        note(&tally[share][BY_LABELS], truth, by.value, by.low, by.high);
        note(&tally[share][JOINED], truth, joined.value, joined.low, joined.high);
        note(&tally[share][ALONE], truth, clustered_share(&alone), interval.low, interval.high);
        note(&tally[share][DOC], truth, doc, NAN, NAN);
    }
    free(some);
}

static void print_sentences(const struct text_forecast *f)
{
    for (size_t i = 0; i < f->sentences; i++) {
        const struct expected_counts *p = &f->sentence[i].expected, *k = &f->sentence[i].measured;
        printf("%g %g %g %g %g %g %g %g\n", p->words, p->words_right, k->words_right, p->chunks, p->chunks_right,
               k->chunks_right, p->chunks_gold, k->chunks_gold);
    }
}

static void print_tallies(const vouch_model *model, struct tally (*tally)[WAYS])
{
    puts("| figure | forecast | covered | width | root mean square error |\n|---|---|--:|--:|--:|");
    for (enum share share = 0; share < SHARES; share++)
        for (enum way way = 0; way < WAYS; way++) {
            const struct tally *t = &tally[share][way];
            double error = 100 * sqrt(t->square / t->draws);
            if (t->draws > 0 && way == DOC)
                printf("| %s | %s | | | %.2f |\n", forecast_name(model, share), way_names[way], error);
            else if (t->draws > 0)
                printf("| %s | %s | %.3f | %.1f | %.2f |\n", forecast_name(model, share), way_names[way],
                       t->covered / t->draws, 100 * t->width / t->draws, error);
        }
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    struct tally tally[SHARES][WAYS] = {0};
    long draws = argc > 3 ? atol(argv[3]) : 1000;
    size_t labelled = argc > 4 ? (size_t)atol(argv[4]) : 50;
    if (argc < 3)
        return 2;
    struct forecast_options options = *(const struct forecast_options *)forecast_options.usual;
    options.labelled = argv[2];
    options.common.argument = argv + 2;
    options.common.arguments = 1;
    vouch_model *model = vouch_model_open(argv[1], &err);
    must(model, &err);
    struct text_forecast f = {.options = &options, .model = model};
    must(text_forecast_run(&f, &err), &err);
    uint32_t *order = calloc(f.sentences, sizeof *order);
    for (size_t i = 0; order && i < f.sentences; i++)
        order[i] = (uint32_t)i;
    if (draws == 0)
        print_sentences(&f);
    struct rng rng = rng_new(1, 0);
    for (long d = 0; order && labelled < f.sentences && d < draws; d++) {
        rng_shuffle(&rng, order, f.sentences);
        draw(&f, order, labelled, tally);
    }
    if (draws > 0)
        print_tallies(model, tally);
    free(order);
    text_forecast_release(&f);
    vouch_model_close(model);
    return 0;
}
