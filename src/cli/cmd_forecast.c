/* Implements vouch forecast: how good answers to unlabelled text are going to be: see man/vouch-forecast.1. */
#include "base/elementary.h"
#include "cli/cli.h"

#include "report/prose.h"
#include "forecast/text_forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_shares(const struct text_forecast *f)
{
    printf("%-10s %8s   %-16s %s\n", "", "forecast", "90 % interval", "mean probability");
    for (enum share share = 0; share < SHARES; share++) {
        const struct forecast *of = &f->forecast[share];
        if (!isnan(of->value))
            printf("%-10s %8.1f   %5.1f to %-7.1f %8.1f\n", forecast_name(f->model, share), 100 * of->value,
                   100 * of->low, 100 * of->high, 100 * of->expected);
    }
}

/* Says what must be true for the intervals to hold. */
static void print_assumption(const struct text_forecast *f)
{
    if (f->options->labelled)
        printf("the intervals assume that the %zu labelled sentences were chosen at random from this text, and that\n"
               "it differs from the calibration text as simulated losses do, unless labels contradict that\n",
               f->sentences);
    else
        puts("the intervals assume that this text differs from the calibration text as simulated losses do");
}

static void print_likeness(const struct text_forecast *f)
{
    double known = likeness_of(&f->counts, LIKENESS_FEATURES), usual = f->calibrated.norm[LIKENESS_FEATURES].mean;
    double doubt = exp_of(likeness_of(&f->counts, LIKENESS_DOUBT));
    double before = exp_of(f->calibrated.norm[LIKENESS_DOUBT].mean);
    printf("\n%-34s %8s   %-18s %s\n", "", "here", "calibration text", "deviations");
    if (!f->model->trees)
        printf("%-34s %8.1f   %-18s %s\n", "words never seen in training, %",
               100 * (double)f->unknown / f->counts.words, "-", "-");
    if (!isnan(known))
        printf("%-34s %8.1f   %-18.1f %.1f\n", "known features a word", known, usual, f->unlike[LIKENESS_FEATURES]);
    printf("%-34s %8.2f   %-18.2f %.1f\n", "words expected to be wrong, %", 100 * doubt, 100 * before,
           f->unlike[LIKENESS_DOUBT]);
}

/* Prints a command that writes sentences to label. It takes one file: if the text is not one, it is called FILE. */
static void print_command(const struct text_forecast *f, const char *options)
{
    const struct forecast_options *s = f->options;
    struct prose prose = {0};
    prose_say(&prose, "    vouch active next%s -m ", options);
    prose_say_argument(&prose, s->model);
    prose_say(&prose, " --pool ");
    prose_say_argument(&prose, s->common.arguments == 1 ? s->common.argument[0] : "FILE");
    char *line = prose_take(&prose, NULL);
    if (line)
        puts(line);
    free(line);
}

/* Prints what to do to get better figures. */
static void print_advice(const struct text_forecast *f)
{
    enum share share = forecast_main(f);
    double wanted = f->forecast[share].to_label;
    char options[64];
    printf("\n%.0f sentence%s, %.0f word%s: %s what the model was calibrated on\n", f->counts.sentences,
           s_if_many((uint64_t)f->counts.sentences), f->counts.words, s_if_many((uint64_t)f->counts.words),
           f->is_unlike ? "unlike" : "like");
    if (!isfinite(wanted) || f->options->labelled)
        ;
    else if (wanted >= f->counts.sentences)
        printf("an interval half as wide for %s would take the labels of more sentences than there are\n",
               forecast_name(f->model, share));
    else {
        printf("an interval half as wide for %s: label %.0f sentence%s chosen at random\n",
               forecast_name(f->model, share), wanted, s_if_many((uint64_t)wanted));
        snprintf(options, sizeof options, " --confidence random -n %.0f", wanted);
        print_command(f, options);
    }
    if (f->is_unlike) {
        puts("better answers: label those that the model is least sure of, and go on training");
        print_command(f, "");
    }
}

static int run(void *options, struct vouch_error *err)
{
    struct forecast_options *s = options;
    vouch_model *model = vouch_model_open(s->model, err);
    struct text_forecast f = {.options = s, .model = model};
    interrupt_catch();
    bool ok = model && text_forecast_run(&f, err);
    if (ok && s->json)
        show_json(text_forecast_json(&f), 6);
    else if (ok) {
        print_shares(&f);
        print_assumption(&f);
        print_likeness(&f);
        print_advice(&f);
    }
    text_forecast_release(&f);
    vouch_model_close(model);
    return done_if(ok);
}

const struct command forecast_command = {
    .name = "forecast",
    .arguments = "-m MODEL [FILE...]",
    .summary = "estimate how good answers to new text will be",
    .about = "Estimates how good the model's answers to the sentences of FILE (standard input if not given) are going "
             "to be, without labels: precision, recall and F1 of chunks, accuracy of labels, or attachment of heads, "
             "each with an interval. Probabilities promise too much of text that is unlike the training text; how much "
             "too much was measured when the model was calibrated, by hiding what it knows of held-out sentences. Also "
             "says how unlike the text is, and how many sentences to label to know better. Labels in FILE are not "
             "looked at; those of some fifty sentences in the file of --labelled are, and make the intervals narrower.",
    .example = "  vouch forecast -m ner.vouch tweets.txt\n"
               "  vouch forecast -m ner.vouch --labelled fifty.txt tweets.txt\n"
               "  vouch forecast -m ner.vouch --json tweets.txt\n",
    .table = &forecast_options,
    .run = run,
};
