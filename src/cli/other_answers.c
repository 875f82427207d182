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
    printf("%-10s", name);
    if (isnan(f->log_loss))
        printf("%10s %8s  these numbers are no probabilities\n", "-", "-");
    else
        printf("%10.4f %8.4f%s\n", f->log_loss, f->ece, remark);
}

static void print_fit(const struct answer_calibration *c)
{
    for (enum aspect u = 0; u < CALIBRATED_ASPECTS; u++) {
        if (c->of[u].kind == CALIBRATE_NONE)
            continue;
        printf("%s%s: %llu, of which %llu are wrong\n\n", u ? "\n" : "",
               u ? "relations" : answer_calibration_about(c->trees), (unsigned long long)c->count[u],
               (unsigned long long)c->wrong[u]);
        printf("%-10s%10s %8s\n", "numbers", "log loss", "ECE");
        print_figures("as given", &c->raw[u], "");
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
    struct eval_options as_read = {.common = settings->common,
                                   .reading = settings->reading,
                                   .answers = settings->answers,
                                   .columns = settings->columns,
                                   .rows = settings->rows};
    struct file_comparison c = {.e = {.options = &as_read}};
    struct answer_calibration found = {0};
    if (!file_comparison_prepare(&c, err))
        return EXIT_MISUSE;
    bool ok = saving_possible(settings, err) && file_comparison_open(&c, err) && file_comparison_run(&c, err);
    if (ok && c.methods != 1)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected one number a word to calibrate, found %u", c.answers->path,
                  c.methods);
    ok = ok && answer_calibration_fit(&found, &c.e.confidence_eval, (uint64_t)settings->common.work.seed, err) &&
         save(settings, &found, err);
    if (ok && settings->json)
        show_json(answer_calibration_json(&found), 6);
    else if (ok)
        print_fit(&found);
    if (ok && !settings->common.quiet) {
        fflush(stdout);
        warn_of_few(&found);
        showf(stderr, "wrote %s: 'vouch eval --answers FILE -m %s' measures it%s\n", settings->output, settings->output,
              found.trees ? "" : ", and 'vouch tag' with the same options writes the probabilities");
    }
    answer_calibration_release(&found);
    file_comparison_release(&c);
    return done_if(ok);
}

/* Finds the probabilities of all rows. Returns them, to free(). */
static double *calibrate_rows(const struct answer_file *t, const struct answer_calibration *c, const char *name,
                              struct vouch_error *err)
{
    double *probability = new_array(t->rows + 1, sizeof *probability, err);
    for (size_t i = 0; probability && i < t->rows; i++)
        if (!answer_calibration_apply(c, ASPECT_WORDS, t->row[i].confidence, &probability[i])) {
            fail(err, VOUCH_ERR_FORMAT,
                 "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g", t->path,
                 (unsigned long long)t->row[i].line, name, t->row[i].confidence);
            free(probability);
            return NULL;
        }
    return probability;
}

static bool complete(const struct answer_options *s, enum format format, struct vouch_error *err)
{
    struct answer_calibration c = {0};
    const struct answer_file_options options = {
        .format = format, .foreign = true, .columns = s->columns, .added = "calibrated"};
    struct answer_file *table = NULL;
    bool ok =
        answer_calibration_read(&c, s->model, err) && (table = answer_file_open(s->answers, &options, err)) &&
        (!c.trees || fail(err, VOUCH_ERR_FORMAT, "%s: expected a calibration of labels, found one of heads", s->model));
    double *probability = ok ? calibrate_rows(table, &c, s->model, err) : NULL;
    struct output *out = probability ? output_open(s->output, err) : NULL;
    ok = out && answer_file_complete(table, probability, out, err);
    ok = output_close(out, ok, err) && ok;
    free(probability);
    answer_file_close(table);
    answer_calibration_release(&c);
    return ok;
}

int tag_answers(const struct answer_options *settings, struct vouch_error *err)
{
    struct reader_options reading;
    if (!reading_options(&settings->reading, &reading, err))
        return EXIT_MISUSE;
    return done_if(saving_possible(settings, err) && complete(settings, reading.format, err));
}
