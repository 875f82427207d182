/* Implements vouch active: what to label next, and whether choosing pays: see man/vouch-active.1. */
#include "cli/active_next.h"
#include "simulation/active_report.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "base/clock.h"
#include "simulation/simulating.h"

#include <stdio.h>
#include <string.h>

/* Options that both forms have. Of the others, those below are for next alone, and the rest for a simulation. */
static const char *const for_both[] = {"pool", "confidence", "draws", "diversity", "cost",  "format", "vectors",
                                       "seed", "threads",    "quiet", "help",      "usage", NULL};
static const char *const for_next[] = {"model", "scores", "offsets", "number", "predict", "output", NULL};

/* Refuses options of the other form. */
static int check_form(const struct command *command, const struct settings *settings, bool next)
{
    for (const struct option_spec *spec = command->table->option; spec->name; spec++)
        if (!option_among(spec->name, for_both) && option_among(spec->name, for_next) != next &&
            settings_given(settings, command->table, spec->name))
            return misuse(command,
                          next ? "--%s is for a simulation, not for 'vouch active next'"
                               : "--%s is for 'vouch active next', not for a simulation",
                          spec->name);
    return settings->pool ? EXIT_DONE : misuse(command, "expected --pool FILE, the sentences to choose from");
}

/* Prints what follows from the result, and what to do next. */
static void say_next(const struct simulating *s, double seconds)
{
    const struct active_summary *summary = &s->summary;
    uint32_t best = summary->ways;
    for (uint32_t w = 0; w < summary->ways; w++)
        if (summary->way[w].saved > 0 && (best == summary->ways || summary->way[w].saved > summary->way[best].saved))
            best = w;
    fflush(stdout);
    showf(stderr, "%.1f s; ", seconds);
    if (s->outcome.stopped)
        showf(stderr, "interrupted: this is what was measured before; --most and --repeats make it shorter\n");
    else if (best < summary->ways)
        showf(stderr,
              "%s saved %.0f %% of the words: choose real sentences with 'vouch active next --confidence %s "
              "-m MODEL --pool FILE'\n",
              s->strategy[best].name, summary->way[best].saved, s->strategy[best].name);
    else
        showf(stderr, "no method is known to save words here: %s\n",
              summary->random < summary->ways ? "label sentences at random, or try --repeats for a clearer picture"
                                              : "add random to --confidence to see what choosing is worth");
}

static bool report(const struct simulating *s, double seconds, struct vouch_error *err)
{
    const struct settings *set = s->settings;
    struct active_report r = {
        .plan = &s->plan, .outcome = &s->outcome, .summary = &s->summary, .task = set->task, .score = s->score};
    if ((set->csv && !active_report_csv(&r, set->csv, err)) || (set->plot && !active_report_plot(&r, set->plot, err)))
        return false;
    if (set->json)
        active_report_json(&r);
    else
        active_report_print(&r);
    if (!set->quiet)
        say_next(s, seconds);
    return true;
}

static bool outputs_possible(const struct settings *s, struct vouch_error *err)
{
    return (!s->csv || saving_possible(s->csv, s, err)) && (!s->plot || saving_figure_possible(s->plot, s, err));
}

static bool run_simulation(struct simulating *s, struct teller *teller, struct vouch_error *err)
{
    double started = seconds_now();
    if (!outputs_possible(s->settings, err) || !simulating_read(s, err))
        return false;
    progress_start(&teller->progress, s->settings);
    interrupt_catch();
    bool ok = simulating_run(s, err);
    progress_clear(&teller->progress);
    return ok && report(s, seconds_now() - started, err);
}

static int simulate(const struct command *command, const struct settings *settings)
{
    struct vouch_error err = {0};
    struct teller teller = {0};
    struct vouch_watch watch = teller_watch(&teller, settings);
    struct simulating s = {.settings = settings, .watch = &watch};
    int status = EXIT_DONE;
    if (settings->arguments)
        return misuse(command, "expected 'next' or options alone, found '%s'", settings->argument[0]);
    if (!settings->test)
        return misuse(command, "expected --test FILE, labelled sentences to measure on");
    if (!simulating_prepare(&s, &err))
        status = misused(command, &err);
    else if (!run_simulation(&s, &teller, &err))
        status = failed(command, &err);
    else if (s.outcome.stopped)
        status = EXIT_INTERRUPTED;
    simulating_release(&s);
    return status;
}

static int active(const struct command *command, struct settings *settings)
{
    bool next = settings->arguments > 0 && strcmp(settings->argument[0], "next") == 0;
    int status = check_form(command, settings, next);
    if (status != EXIT_DONE)
        return status;
    return next ? active_next(command, settings) : simulate(command, settings);
}

const struct command active_command = {
    .name = "active",
    .arguments = "--task TASK --pool FILE --test FILE | next -m MODEL --pool FILE [LABELLED...]",
    .summary = "choose what to label next",
    .about = "Chooses the sentences that a model is least sure of: labelling those teaches it more than labelling as "
             "many at random. A simulation finds out how much, on sentences whose labels are known: beginning with a "
             "few random ones, it asks about a random thousand in every round, labels the ten least sure, and measures "
             "every hundred; it prints learning curves, and how many words each method needs to be as good as random "
             "is in the end. With next, prints the sentences of FILE to label next, least sure first, as they were "
             "read: none that the model learned from, none whose words are in LABELLED, and none twice. Ctrl-C ends a "
             "simulation with what was measured.",
    .example = "  vouch active --task np --pool train.txt --test test.txt --repeats 5 --plot curves.svg\n"
               "  vouch active next -m ner.vouch --pool raw.txt -n 50 --predict train.txt > to-label.txt\n",
    .table = &active_options,
    .run = active,
};
