/* Runs vouch review --apply: writes decisions from an edited list into the corpus. */
#include "cli/review_apply.h"

#include "cli/saving.h"
#include "review/decisions.h"
#include "options/settings.h"
#include "task/task.h"

#include <inttypes.h>
#include <stdio.h>

/* Fails if no decision is about the file that is to be corrected. */
static bool rows_about(struct decisions *d, const char *path, struct vouch_error *err)
{
    if (!decisions_about(d, path, err))
        return false;
    return d->rows == 0 || d->elsewhere < d->rows ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about %s, found some about %s alone", d->path, path,
                d->row[0].file);
}

/* Writes the corpus with the decided rows of this file. */
static bool write_corpus(const struct decisions *d, const struct settings *s, struct reader_options *reading,
                         struct amended *done, struct vouch_error *err)
{
    size_t count = d->rows - d->elsewhere;
    struct amendment *list = new_array(count, sizeof *list, err);
    for (size_t i = 0; list && i < count; i++)
        list[i] = d->row[i].amendment;
    struct amendments asked = {.list = list, .count = count, .new_labels = s->new_labels};
    struct output *out = list ? output_open(s->output, err) : NULL;
    reading->trees = d->trees || (reading->format == FORMAT_CONLLU && !reading->column) ||
                     (s->learner.task && task_or_any(s->learner.task)->trees);
    bool ok = out && amend(out, s->common.argument[0], reading, &asked, done, err);
    free(list);
    return output_close(out, ok, err);
}

/* Warns of chunks that begin in the middle after decisions about single words. */
static void warn_of_scheme(const struct amended *done)
{
    bool one = done->faults == 1;
    if (done->faults == 0)
        return;
    if (done->scheme == SCHEME_IOB2)
        showf(stderr, "warning: %" PRIu64 " chunk%s now begin%s with I-", done->faults, one ? "" : "s", one ? "s" : "");
    else
        showf(stderr, "warning: %" PRIu64 " label%s now %s not as %s spells chunks", done->faults, one ? "" : "s",
              one ? "is" : "are", scheme_name(done->scheme));
    showf(stderr, ": --level chunk decides about whole entities\n");
}

static void say(const struct decisions *d, const struct settings *s, const struct amended *done)
{
    uint64_t changed = done->changed;
    size_t used = d->rows - d->elsewhere;
    bool named = s->output && strcmp(s->output, "-") != 0;
    showf(stderr,
          "%s %s: %" PRIu64 " word%s changed by %zu decision%s; %" PRIu64 " row%s left as given, %" PRIu64
          " not decided\n",
          named ? "wrote" : "wrote to", named ? s->output : "standard output", changed, changed == 1 ? "" : "s", used,
          used == 1 ? "" : "s", d->kept, d->kept == 1 ? "" : "s", d->open);
    warn_of_scheme(done);
    if (d->elsewhere)
        showf(stderr, "%" PRIu64 " decision%s about other files: give --apply each of them in its turn\n", d->elsewhere,
              d->elsewhere == 1 ? " is" : "s are");
    if (changed)
        showf(stderr, "next: train on the corrected file, or review it again: with fewer errors to learn from, others "
                      "come to light\n");
    else
        showf(stderr, "next: put + or a label into the decision column of %s where the corpus is wrong\n", d->path);
}

int review_apply(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct decisions d = {0};
    struct reader_options reading;
    struct amended done = {0};
    if (settings->model)
        return misuse(command, "--apply needs no model: expected no -m");
    if (settings->common.arguments != 1)
        return misuse(command, "expected the one file to correct, found %zu", settings->common.arguments);
    if (!reading_options(&settings->reading, &reading, &err))
        return misused(command, &err);
    bool named = settings->output && strcmp(settings->output, "-") != 0;
    bool ok = (!named || saving_possible(settings->output, settings, &err)) &&
              decisions_read(&d, settings->apply, &err) && rows_about(&d, settings->common.argument[0], &err) &&
              write_corpus(&d, settings, &reading, &done, &err);
    if (ok && !settings->common.quiet)
        say(&d, settings, &done);
    if (!ok && done.refusals > 1)
        showf(stderr, "%.*s", (int)done.refused.length, done.refused.bytes);
    amended_release(&done);
    decisions_release(&d);
    return ok ? EXIT_DONE : failed(command, &err);
}
