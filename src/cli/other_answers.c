/* Runs vouch tune --answers, which calibrates another program's numbers, and vouch tag --answers, which applies it. */
#include "cli/shared.h"

#include "answer/request.h"
#include "tune/tuning.h"
#include "eval/file_comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_figures(const char *name, const struct answer_figures *f, const char *remark)
{
    printf("%-12s", name);
    if (isnan(f->log_loss))
        printf("%8s %8s  these numbers are no probabilities\n", "-", "-");
    else
        printf("%8.4f %8.4f%s\n", f->log_loss, f->ece, remark);
}

/* Prints the ways in which probabilities of spans were made, on texts that were held out, and which is taken. */
static void print_ways(const struct answer_calibration *c)
{
    const struct span_calibration *s = &c->spans;
    static const char *const names[SPAN_WAYS] = {NULL, "score, type", "all signals"};
    print_figures(s->way == SPANS_BY_SCORE ? answer_calibration_kind(c, 0) : names[s->way], &c->held[0],
                  "  on texts that were held out");
    for (enum span_way way = 0; way < SPAN_WAYS; way++)
        if (way != s->way && !isnan(s->loss[way]))
            printf("%-12s%8.4f %8s  not taken\n", way ? names[way] : answer_calibration_kind(c, 0), s->loss[way], "-");
}

static void print_fit(const struct answer_calibration *c)
{
    for (enum aspect u = 0; u < CALIBRATED_ASPECTS; u++) {
        if (c->of[u].kind == CALIBRATE_NONE)
            continue;
        printf("%s%s: %llu, of which %llu are wrong\n\n", u ? "\n" : "",
               u ? "relations" : answer_kind_names[c->about], (unsigned long long)c->count[u],
               (unsigned long long)c->wrong[u]);
        printf("%-12s%8s %8s\n", "numbers", "log loss", "ECE");
        print_figures("as given", &c->raw[u], "");
        if (c->about == ABOUT_SPANS)
            print_ways(c);
        else
            print_figures(answer_calibration_kind(c, u), &c->held[u], "  on sentences that were held out");
    }
}

static void warn_of_few(const struct answer_calibration *c)
{
    uint64_t wrong = c->wrong[ASPECT_WORDS], right = c->count[ASPECT_WORDS] - wrong;
    uint64_t least = wrong < right ? wrong : right;
    if (least < ERRORS_ENOUGH)
        showf(stderr,
              "warning: %llu %s answers are few to learn from: probabilities will tell little more than the share of "
              "errors\n",
              (unsigned long long)least, wrong < right ? "wrong" : "right");
}

static bool save(const struct tune_options *s, const struct answer_calibration *c, struct vouch_error *err)
{
    char *line = options_provenance(s);
    struct output *out = line ? output_open(s->output, err) : NULL;
    bool ok = out && answer_calibration_write(c, s->answers, line, out, err);
    ok = line ? output_close(out, ok, err) : fail_memory(err);
    free(line);
    return ok;
}

int tune_answers(const struct tune_options *settings, struct vouch_error *err)
{
    struct answer_calibration found = {0};
    if (!answers_tunable(settings, err))
        return EXIT_MISUSE;
    bool ok = saving_possible(settings, err) && answers_tune(settings, &found, err) && save(settings, &found, err);
    if (ok && settings->json)
        show_json(answer_calibration_json(&found), 6);
    else if (ok)
        print_fit(&found);
    if (ok && !settings->common.quiet) {
        fflush(stdout);
        warn_of_few(&found);
        showf(stderr,
              "wrote %s: 'vouch eval --answers FILE -m %s' measures it, and 'vouch tag' with the same options writes "
              "the probabilities\n",
              settings->output, settings->output);
    }
    answer_calibration_release(&found);
    return done_if(ok);
}

int tag_answers(const struct answer_options *settings, struct vouch_error *err)
{
    struct answer_calibration c = {0};
    struct reader_options reading;
    if (!reading_options(&settings->reading, &reading, err))
        return EXIT_MISUSE;
    bool ok = saving_possible(settings, err) && answer_calibration_read(&c, settings->model, err);
    struct output *out = ok ? output_open(settings->output, err) : NULL;
    ok = output_close(out, out && answers_complete(settings, &c, settings->model, out, err), err);
    answer_calibration_release(&c);
    return done_if(ok);
}
