/*
 * vouch active: what to label next, and whether choosing pays: see man/vouch-active.1.
 */
#include "cli/active_next.h"
#include "cli/active_report.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "base/clock.h"
#include "core/lanes.h"
#include "train/learned_corpus.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WAYS = 16 };

/* Options that both forms have. Of the others those below are for next alone, and all else for a simulation. */
static const char *const for_both[] = {"pool",    "confidence", "draws", "diversity", "format", "seed",
                                       "threads", "quiet",      "help",  "usage",     NULL};
static const char *const for_next[] = {"model", "number", "predict", "output", NULL};

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

/* One run of a simulation. */
struct simulating {
    const struct command *command;
    struct settings settings; /* in which the pool is the training file, and the test file the development file */
    char *pool[1];
    struct learning learning;
    struct learned_corpus corpus;
    struct query_strategy strategy[MOST_WAYS];
    uint32_t strategies;
    struct active_plan plan;
    struct teller teller;
    struct vouch_watch watch;
};

static bool add_strategy(struct simulating *s, const char *name, struct vouch_error *err)
{
    struct model_layer layer;
    struct query_strategy strategy;
    query_strategy_voices(&layer, s->learning.trial, s->learning.trials);
    if (!query_strategy_parse(&strategy, name, &layer, err))
        return false;
    for (uint32_t i = 0; i < s->strategies; i++)
        if (strcmp(s->strategy[i].name, name) == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "'%s' is there twice", name);
    if (s->strategies == MOST_WAYS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d methods", MOST_WAYS);
    s->strategy[s->strategies++] = strategy;
    return true;
}

/* The paper's methods and the committee, as far as the first voice can serve them. */
static bool add_usual(struct simulating *s, struct vouch_error *err)
{
    static const char *const usual[] = {"kd-fix", "kd-pc", "delta", "gamma", "committee", "random", NULL};
    struct model_layer layer;
    query_strategy_voices(&layer, s->learning.trial, s->learning.trials);
    for (size_t i = 0; usual[i]; i++)
        if ((layer.voice[0].var || strcmp(usual[i], kd_pc_method.name) != 0) && !add_strategy(s, usual[i], err))
            return false;
    return true;
}

static bool find_strategies(struct simulating *s, struct vouch_error *err)
{
    const char *names = s->settings.confidence;
    if (!names)
        return add_usual(s, err);
    for (const char *at = names;; at++) {
        size_t length = strcspn(at, ",");
        char name[sizeof s->strategy[0].name];
        if (length == 0 || length >= sizeof name)
            return fail(err, VOUCH_ERR_ARGUMENT, "expected names of methods separated by commas, found '%.60s'", names);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (!add_strategy(s, name, err))
            return false;
        at += length;
        if (!*at)
            return true;
    }
}

static void lay_out_plan(struct simulating *s)
{
    const struct settings *set = &s->settings;
    s->plan = (struct active_plan){.dataset = &s->corpus.dataset,
                                   .trial = s->learning.trial,
                                   .voices = s->learning.trials,
                                   .strategy = s->strategy,
                                   .strategies = s->strategies,
                                   .initial = (uint32_t)set->initial,
                                   .candidates = (uint32_t)set->candidates,
                                   .choose = (uint32_t)set->choose,
                                   .every = (uint32_t)set->every,
                                   .most = (uint32_t)set->most,
                                   .repeats = (uint32_t)set->repeats,
                                   .passes = (uint32_t)set->passes,
                                   .scratch = set->scratch,
                                   .diversity = set->diversity,
                                   .draws = (uint32_t)set->draws,
                                   .seed = (uint64_t)set->seed,
                                   .threads = (uint32_t)set->threads,
                                   .watch = &s->watch};
}

/* Says what follows from the result, and what to do next. */
static void say_next(const struct simulating *s, const struct active_summary *summary, bool stopped, double seconds)
{
    uint32_t best = summary->ways;
    for (uint32_t w = 0; w < summary->ways; w++)
        if (summary->way[w].saved > 0 && (best == summary->ways || summary->way[w].saved > summary->way[best].saved))
            best = w;
    fflush(stdout);
    showf(stderr, "%.1f s; ", seconds);
    if (stopped)
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

static bool report(const struct simulating *s, const struct active_outcome *outcome, double seconds,
                   struct vouch_error *err)
{
    struct active_summary summary = {0};
    struct active_report r = {.plan = &s->plan,
                              .outcome = outcome,
                              .summary = &summary,
                              .task = s->settings.task,
                              .score = outcome->chunks                ? "F1"
                                       : !s->learning.parses          ? "accuracy"
                                       : s->corpus.dataset.layers > 1 ? "LAS"
                                                                      : "UAS"};
    bool ok = active_summarise(&summary, &s->plan, outcome, err) &&
              (!s->settings.csv || active_report_csv(&r, s->settings.csv, err)) &&
              (!s->settings.plot || active_report_plot(&r, s->settings.plot, err));
    if (ok && s->settings.json)
        active_report_json(&r);
    else if (ok)
        active_report_print(&r);
    if (ok && !s->settings.quiet)
        say_next(s, &summary, outcome->stopped, seconds);
    active_summary_release(&summary);
    return ok;
}

static bool measured_anything(const struct active_outcome *outcome)
{
    for (uint32_t i = 0; i < outcome->runs; i++)
        if (outcome->curve[i].points)
            return true;
    return false;
}

static bool outputs_possible(const struct settings *s, struct vouch_error *err)
{
    return (!s->csv || saving_possible(s->csv, s, err)) && (!s->plot || saving_figure_possible(s->plot, s, err));
}

static int run_simulation(struct simulating *s)
{
    struct vouch_error err = {0};
    struct active_outcome outcome = {0};
    double started = seconds_now();
    struct labelled_files files = {s->settings.argument, s->settings.arguments, s->settings.dev};
    s->watch = teller_watch(&s->teller, &s->settings);
    if (!outputs_possible(&s->settings, &err) ||
        !learned_corpus_read(&s->corpus, &s->learning, &files, &s->watch, &err))
        return failed(s->command, &err);
    learned_corpus_tell(&s->corpus, &s->learning, &s->watch);
    lay_out_plan(s);
    interrupt_catch();
    bool ok = active_run(&s->plan, &outcome, &err);
    progress_clear(&s->teller.progress);
    if (ok && !measured_anything(&outcome))
        ok = fail(&err, VOUCH_ERR_STOPPED, "interrupted before anything was measured");
    bool stopped = outcome.stopped;
    ok = ok && report(s, &outcome, seconds_now() - started, &err);
    active_release(&outcome);
    if (!ok)
        return failed(s->command, &err);
    return stopped ? EXIT_INTERRUPTED : EXIT_DONE;
}

static int simulate(const struct command *command, const struct settings *settings)
{
    struct simulating s = {.command = command, .settings = *settings};
    struct vouch_error err = {0};
    if (settings->arguments)
        return misuse(command, "expected 'next' or options alone, found '%s'", settings->argument[0]);
    if (!settings->test)
        return misuse(command, "expected --test FILE, labelled sentences to measure on");
    if (settings->candidates < settings->choose)
        return misuse(command, "--candidates: expected at least as many as --choose, %lld, found %lld",
                      (long long)settings->choose, (long long)settings->candidates);
    s.pool[0] = new_string(settings->pool, strlen(settings->pool), &err);
    if (!s.pool[0])
        return failed(command, &err);
    s.settings.argument = s.pool;
    s.settings.arguments = 1;
    s.settings.dev = settings->test;
    int status = EXIT_DONE;
    if (!learning_prepare(&s.learning, settings, '+', MAX_VOICES, &err))
        status = misused(command, &err);
    else if (!find_strategies(&s, &err))
        status = misuse(command, "--confidence: %s", err.message);
    if (status == EXIT_DONE)
        status = run_simulation(&s);
    learned_corpus_release(&s.corpus);
    learning_release(&s.learning);
    free(s.pool[0]);
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
