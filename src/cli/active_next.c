/* Runs vouch active next: see active_next.h. */
#include "cli/active_next.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "options/settings.h"
#include "scores/score_files.h"
#include "active/next_sentences.h"

#include <stdio.h>

static bool write_list(const struct next_sentences *c, struct vouch_error *err)
{
    struct output *out = output_open(c->settings->output, err);
    for (uint32_t i = 0; out && i < c->count; i++) {
        size_t length;
        const char *text = shortlist_text(c->list, i, &length);
        output_write(out, text, length);
    }
    return output_close(out, out != NULL, err);
}

static void say_next(const struct next_sentences *c)
{
    const struct settings *s = c->settings;
    uint32_t count = c->count;
    double minutes = c->seconds / 60;
    showf(stderr, "chose %u of %llu sentences", count, (unsigned long long)c->seen);
    if (c->known)
        showf(stderr, ", %llu of them labelled or repeated", (unsigned long long)c->known);
    showf(stderr, ", by %s", c->name);
    if (count == 0)
        showf(stderr, ": nothing is left to label\n");
    else {
        showf(stderr, "; %.0f words, about %.0f %s of labelling: %s them", c->labelling.words,
              minutes < 2 ? c->seconds : minutes, minutes < 2 ? "s" : "min", s->predict ? "correct" : "label");
        if (model_lacks_weights(c->model))
            showf(stderr, ", then train the model that gives the scores on them\n");
        else
            showf(stderr, ", then go on with 'vouch train --from %s -o NEW FILE'\n", s->model);
    }
}

int active_next(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, settings);
    struct next_sentences c = {.settings = settings, .watch = &watch};
    if (!settings->model)
        return misuse(command, "expected -m MODEL, the model that is asked");
    if (!reading_options(&settings->reading, &c.reading, &err))
        return misused(command, &err);
    c.reading.gold = GOLD_NONE;
    if (settings->output && !saving_possible(settings->output, settings, &err))
        return failed(command, &err);
    vouch_model *model = vouch_model_open(settings->model, &err);
    c.model = model;
    interrupt_catch();
    bool ok = model && score_files_bind(model, settings, &err) &&
              next_sentences_choose(&c, settings->pool, settings->common.argument + 1, settings->common.arguments - 1,
                                    &err) &&
              write_list(&c, &err);
    if (ok && !settings->common.quiet)
        say_next(&c);
    next_sentences_release(&c);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(command, &err);
}
