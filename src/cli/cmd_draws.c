/* Implements vouch draws: how many draws are enough, and how far off their share may be. */
#include "cli/cli.h"
#include "report/chart.h"

#include "core/lanes.h"
#include "measure/intervals.h"
#include "options/rows.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct draws_options {
    struct options common;
    uint64_t words;
    double epsilon, delta;
    const char *draw_list, *plot;
    bool json;
};
#define OPTIONS struct draws_options

enum {
    MAX_NUMBERS = 6, /* of --draws: more could not be told apart in a figure */
    MOST_DRAWS = 1000000000,
    STEPS = 20,  /* of probabilities in the table */
    WIDTH = 41,  /* of a row's drawing, in characters */
    CURVE = 201, /* points of a line in the figure */
};

/* The report tells what the first probability can be confused with, and how many draws the others need. */
static const double high = 0.95;
static const double needy[] = {0.5, 0.75, 0.9, 0.95, 0.99};
enum { NEEDY = sizeof needy / sizeof *needy };

static const struct option_spec draws_rows[] = {
    INTEGER("words", 0, words, "N", 1, 1e15, OPTION_MATTERS,
            "bound the error of all of N words at once; 1 is each word by itself"),
    REAL("epsilon", 0, epsilon, "X", 1e-6, 1, OPTION_MATTERS, "the error that is allowed"),
    REAL("delta", 0, delta, "X", 1e-12, 0.99, OPTION_MATTERS, "the probability with which it may be larger"),
    TEXT("draws", 0, draw_list, "K,...", OPTION_MATTERS,
         "show where the share of K draws may fall; up to six numbers, separated by commas"),
    TEXT("plot", 0, plot, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_FIGURE,
         "draw that as an SVG, by gnuplot, and write its numbers beside it (.dat)"),
    OPTION_JSON,
    OPTIONS_END,
};

/* One run of the command. */
struct question {
    const struct draws_options *settings;
    double L;
    double K[MAX_NUMBERS];
    size_t numbers;
};

static double probability(int step)
{
    return (double)step / STEPS;
}

/* Reads "50,500" as numbers; false if it is something else. */
static bool read_numbers(struct question *q, const char *list)
{
    for (q->numbers = 0; q->numbers < MAX_NUMBERS;) {
        char *end;
        errno = 0;
        long long number = strtoll(list, &end, 10);
        if (errno || end == list || number < 1 || number > MOST_DRAWS || (*end && *end != ','))
            return false;
        q->K[q->numbers++] = (double)number;
        if (!*end)
            return true;
        list = end + 1;
    }
    return false;
}

static const char *noun(double K)
{
    return K == 1 ? "draw" : "draws";
}

static void print_needs(const struct question *q)
{
    const struct draws_options *s = q->settings;
    if (s->words == 1)
        printf("Draws after which a word's share of them is within %g of its probability,\nwith probability %g:\n\n",
               s->epsilon, 1 - s->delta);
    else
        printf("Draws after which the share of them is within %g of the probability for all of\n%lld words at once, "
               "with probability %g:\n\n",
               s->epsilon, (long long)s->words, 1 - s->delta);
    printf("%-10s  %11s  %14s\n", "bound", "probability", "draws");
    printf("%-10s  %11s  %14.0f\n", "Hoeffding", "any", hoeffding_draws(q->L, s->epsilon));
    for (int i = 0; i < NEEDY; i++)
        printf("%-10s  %11.2f  %14.0f\n", "Bernstein", needy[i], bernstein_draws(q->L, s->epsilon, needy[i]));
}

/* Draws a row of WIDTH characters from 0 to 1: "=" where the share may fall, "o" the probability itself. */
static void draw_interval(struct interval interval, double gamma, char *row)
{
    int from = (int)lround(interval.low * (WIDTH - 1)), to = (int)lround(interval.high * (WIDTH - 1));
    for (int i = 0; i < WIDTH; i++)
        row[i] = i >= from && i <= to ? '=' : ' ';
    row[lround(gamma * (WIDTH - 1))] = 'o';
    row[WIDTH] = '\0';
}

static void print_intervals(const struct question *q, double K)
{
    printf("\nWhere the share of %.0f %s may fall:\n\n", K, noun(K));
    printf("probability %11s %11s  0%*s%*s\n", "Bernstein", "Hoeffding", WIDTH / 2 + 1, "0.5", WIDTH / 2 - 1, "1");
    for (int i = 0; i <= STEPS; i++) {
        char row[WIDTH + 1];
        double gamma = probability(i);
        struct interval b = interval_around(gamma, bernstein_error(q->L, K, gamma));
        struct interval h = interval_around(gamma, hoeffding_error(q->L, K));
        draw_interval(draws_interval(q->L, K, gamma), gamma, row);
        printf("%11.2f %.3f-%.3f %.3f-%.3f |%s|\n", gamma, b.low, b.high, h.low, h.high, row);
    }
    double from = confused_from(q->L, K, high), least = draws_interval(q->L, K, high).low;
    printf("\nAfter %.0f %s a word of probability %.2f may have a share of only %.3f.\n", K, noun(K), high, least);
    if (from > 0)
        printf("Words of probability %.3f and more may have that, too: these can be confused.\n", from);
    else
        printf("Words of any probability may have that, too: all can be confused.\n");
}

static json_t *number_json(const struct question *q, double K)
{
    json_t *rows = json_array();
    for (int i = 0; i <= STEPS; i++) {
        double gamma = probability(i), error = bernstein_error(q->L, K, gamma);
        struct interval b = interval_around(gamma, error), h = interval_around(gamma, hoeffding_error(q->L, K));
        json_array_append_new(rows, json_pack("{s:f, s:f, s:[f, f], s:[f, f]}", "probability", gamma, "epsilon", error,
                                              "bernstein", b.low, b.high, "hoeffding", h.low, h.high));
    }
    return json_pack("{s:I, s:f, s:o, s:{s:f, s:f, s:f}}", "draws", (json_int_t)K, "hoeffding_epsilon",
                     hoeffding_error(q->L, K), "intervals", rows, "confused", "probability", high, "least_share",
                     draws_interval(q->L, K, high).low, "from", confused_from(q->L, K, high));
}

static void print_json(const struct question *q)
{
    const struct draws_options *s = q->settings;
    json_t *needs = json_array(), *numbers = json_array();
    for (int i = 0; i < NEEDY; i++)
        json_array_append_new(needs, json_pack("{s:f, s:I}", "probability", needy[i], "draws",
                                               (json_int_t)bernstein_draws(q->L, s->epsilon, needy[i])));
    for (size_t i = 0; i < q->numbers; i++)
        json_array_append_new(numbers, number_json(q, q->K[i]));
    json_t *result = json_pack("{s:I, s:f, s:f, s:{s:I, s:o}, s:o}", "words", (json_int_t)s->words, "epsilon",
                               s->epsilon, "delta", s->delta, "needed", "hoeffding",
                               (json_int_t)hoeffding_draws(q->L, s->epsilon), "bernstein", needs, "shares", numbers);
    show_json(result, 6);
}

/*
 * Draws three lines for each number of draws, of one look: the lower ends of the intervals with a band, all numbers
 * after each other, then the upper ends, and the least probability confused with a high one.
 */
static bool draw_figure(const struct question *q, struct vouch_error *err)
{
    const struct draws_options *s = q->settings;
    struct chart chart;
    char text[160];
    snprintf(text, sizeof text, "Where the share of draws may fall (%lld word%s, delta %g)", (long long)s->words,
             s->words == 1 ? "" : "s", s->delta);
    chart_init(&chart, "", text, "probability that a draw agrees", "share of draws that agree");
    chart.x_from = chart.y_from = 0;
    chart.x_to = chart.y_to = 1;
    for (int end = 0; end < 2; end++)
        for (size_t i = 0; i < q->numbers; i++) {
            snprintf(text, sizeof text, "%.0f %s", q->K[i], noun(q->K[i]));
            if (end == 0)
                chart_add_series(&chart, text);
            else
                chart_add_part(&chart, i);
            for (int j = 0; j < CURVE; j++) {
                double x = (double)j / (CURVE - 1);
                struct interval at = draws_interval(q->L, q->K[i], x);
                chart_add_band(&chart, x, end ? at.high : at.low, end ? NAN : at.low, end ? NAN : at.high);
            }
        }
    for (size_t i = 0; i < q->numbers; i++) {
        double share = draws_interval(q->L, q->K[i], high).low;
        chart_add_part(&chart, i);
        chart_add_band(&chart, confused_from(q->L, q->K[i], high), share, NAN, NAN);
        chart_add_band(&chart, high, share, NAN, NAN);
    }
    bool ok = chart_draw(&chart, s->plot, err);
    chart_release(&chart);
    return ok;
}

/* Prints what to do with the result. */
static void print_advice(const struct question *q)
{
    const struct draws_options *s = q->settings;
    double need = hoeffding_draws(q->L, s->epsilon);
    fflush(stdout);
    if (s->plot)
        showf(stderr, "wrote %s, and its numbers beside it\n", s->plot);
    if (need <= MAX_DRAWS)
        showf(stderr,
              "next: vouch tag --draws %.0f, or vouch tune --in-place --draws %.0f to keep it in the model; to rank "
              "errors, 50 draws are enough in practice\n",
              need, need);
    else
        showf(stderr,
              "next: vouch draws --epsilon %.2f, as vouch tag --draws ends at %d; to rank errors, 50 draws are enough "
              "in practice\n",
              ceil(100 * hoeffding_error(q->L, MAX_DRAWS)) / 100, MAX_DRAWS);
}

static int draws(void *options, struct vouch_error *err)
{
    struct draws_options *settings = options;
    struct question q = {.settings = settings, .L = bound_of((double)settings->words, settings->delta)};
    if (!read_numbers(&q, settings->draw_list)) {
        fail(err, VOUCH_ERR_ARGUMENT,
             "--draws: expected one to %d whole numbers from 1 to %d, separated by commas, found '%s'", MAX_NUMBERS,
             MOST_DRAWS, settings->draw_list);
        return EXIT_MISUSE;
    }
    if (settings->plot && !draw_figure(&q, err))
        return EXIT_FAILED;
    if (settings->json) {
        print_json(&q);
    } else {
        print_needs(&q);
        for (size_t i = 0; i < q.numbers; i++)
            print_intervals(&q, q.K[i]);
    }
    if (!settings->common.quiet)
        print_advice(&q);
    return EXIT_DONE;
}

static const struct draws_options usual = {
    .common = USUAL_COMMON, .words = 1, .epsilon = 0.05, .delta = 0.05, .draw_list = "50"};
static const struct option_rule draws_rules[] = {{.excludes = "file", .message = "expected no arguments, found '%s'"},
                                                 {0}};
static const struct option_table draws_table = {"draws", draws_rows, &usual, sizeof usual, NULL, draws_rules};

const struct command draws_command = {
    .name = "draws",
    .arguments = "",
    .summary = "say how many draws are enough",
    .about = "The confidence of kd-fix and kd-pc is the share of K drawn models that agree with an answer: an estimate "
             "of the probability that one agrees. Says how many draws bring it within epsilon of that probability but "
             "for a chance of delta, by the inequalities of Hoeffding and of Bernstein, where the share may fall "
             "after a given number of draws, and which probabilities that number cannot tell apart.",
    .example = "  vouch draws\n"
               "  vouch draws --words 500000 --epsilon 0.05 --delta 0.05\n"
               "  vouch draws --draws 50,500 --plot draws.svg\n",
    .table = &draws_table,
    .run = draws,
};
