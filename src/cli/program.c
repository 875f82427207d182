/* Runs the command that is asked for: the table of commands, and the help that is about all of them. */
#include "cli/cli.h"

#include "base/memory.h"

#include "base/spelling.h"
#include "confidence/evidence.h"
#include "task/task.h"
#include "task/template.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The commands, grouped as in vouch(1). */
static const struct command_group {
    const char *title;
    const struct command *command[10]; /* the last is NULL */
} groups[] = {
    {"learning", {&train_command, &tune_command, &cluster_command}},
    {"answering", {&tag_command, &parse_command, &judge_command, &vote_command, &serve_command}},
    {"measuring", {&eval_command, &forecast_command, &trade_command, &draws_command, &experiment_command}},
    {"working on a corpus", {&review_command, &active_command, &agree_command, &convert_command, &store_command,
                             &sample_command, &split_command}},
    {"looking into a model", {&info_command, &dump_command, &load_command, &import_command}},
};
enum { GROUPS = sizeof groups / sizeof *groups };

const struct command *command_named(const char *name)
{
    for (size_t g = 0; g < GROUPS; g++)
        for (const struct command *const *c = groups[g].command; *c; c++)
            if (strcmp((*c)->name, name) == 0)
                return *c;
    return NULL;
}

/*
 * Reports an unknown command; `others` are the words, not commands with options, that are also accepted in this place.
 */
static int misuse_command(const char *name, const char *others)
{
    struct spelling spelling = {.typed = name};
    char hint[SPELLING_HINT];
    for (size_t g = 0; g < GROUPS; g++)
        for (const struct command *const *c = groups[g].command; *c; c++)
            spelling_try(&spelling, (*c)->name, strlen((*c)->name));
    spelling_try_words(&spelling, others);
    showf(stderr, "vouch: unknown command '%s'%s\ntry 'vouch help'\n", name,
          spelling_hint(&spelling, "", hint, sizeof hint));
    return EXIT_MISUSE;
}

static void print_overview(FILE *out)
{
    fprintf(out,
            "vouch %s: labels and parses text, says how sure it is, and learns from examples\n\n"
            "usage: vouch COMMAND [options] [FILE ...]\n",
            vouch_version());
    for (size_t g = 0; g < GROUPS; g++) {
        fprintf(out, "\n%s:\n", groups[g].title);
        for (const struct command *const *c = groups[g].command; *c; c++)
            fprintf(out, "  %-10s  %s\n", (*c)->name, (*c)->summary);
    }
    fprintf(out, "\nhelp:\n  %-10s  %s\n  %-10s  %s\n", "help", "list the commands, or explain one", "version",
            "print the version");
    fprintf(out, "\n'vouch COMMAND --help' explains a command, 'vouch help features' shows the built-in\nfeatures, "
                 "'vouch help confidence' the methods of confidence, 'man vouch' is the manual\n");
}

static void print_feature_sets(void)
{
    printf("The built-in feature sets, as templates (see vouch-formats(5)). Lines whose\n"
           "column is not in the data are left out.\n");
    for (const struct task *task = tasks; task->features; task++)
        printf("\n# %s: %s\n%s", task->features, task->about, template_builtin(task->features));
}

static void print_method(const char *name, const char *summary, const char *formula, const char *cost, const char *use,
                         const char *params)
{
    printf("\n%s: %s\n    number  %s\n    cost    %s\n    use     %s\n", name, summary, formula, cost, use);
    if (*params)
        printf("    tuned   %s\n", params);
}

static void print_methods(void)
{
    printf("How far an answer can be trusted: the methods of --confidence. Several may be named,\n"
           "separated by commas; all stands for all that the model can serve but committee+text, none\n"
           "for nothing. A method works with the model's first voice; METHOD@VOICE asks another, as in\n"
           "gamma@crf. Numbers are probabilities of being right if the model was calibrated (vouch\n"
           "train does it by itself, vouch tune on data of yours); --raw shows the methods' own. See\n"
           "vouch-confidence(7).\n");
    for (size_t i = 0; methods[i]; i++)
        print_method(methods[i]->name, methods[i]->summary, methods[i]->formula, methods[i]->cost, methods[i]->use,
                     methods[i]->params);
    print_method(
        "committee", "how far the voices agree, and what the word was called in training",
        "a small model of margins, marginals, entropies, neighbours, length, and of how often training saw the word, "
        "and with which labels or heads; of votes of draws as well if no voice is of crf; fitted on held-out answers; "
        "without it, the mean of marginals",
        "delta and gamma of every voice; draws of every voice if none is of crf",
        "always, unless speed matters more (gamma) or the paper's own methods are wanted; the default unless another "
        "method predicts held-out errors clearly better",
        "");
    print_method("committee+text", "the committee, and what the same words are called in the text around",
                 "the signals of committee, and how often the word stands in some hundreds of sentences around, and "
                 "which labels or heads the model gives it there; fitted on held-out answers",
                 "that of committee, and decoding every sentence twice; answers come in stretches of 500 sentences",
                 "for whole documents: --consistency", "");
}

/* Checks that everything was printed: running out of memory, a full disk and a closed pipe are failures. */
static int finish(int status)
{
    struct vouch_error err;
    if (status == EXIT_DONE && !saving_whole(&err)) {
        showf(stderr, "vouch: %s\n", err.message);
        status = EXIT_FAILED;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        showf(stderr, "vouch: standard output: cannot write\n");
        return EXIT_FAILED;
    }
    return status;
}

/*
 * Leaves speaking and writing to the first rank: the others do the same work, and their standard output goes nowhere.
 */
static void leave_output_to_first(struct options *options)
{
    if (ranks_first(options->work.ranks))
        return;
    options->quiet = true;
    for (const struct option_spec *spec = options->table->option; spec->name; spec++)
        if ((spec->role & OPTION_WRITTEN) && !(spec->role & OPTION_ALL_RANKS))
            *(const char **)(void *)((char *)options + spec->offset) = NULL;
}

/* Whether a file is not standard input, nor a pipe or device: several processes can read it, or one can do so twice. */
static bool is_at_rest(const char *path, bool folders)
{
    struct stat about;
    return strcmp(path, "-") != 0 &&
           (stat(path, &about) != 0 || S_ISREG(about.st_mode) || (folders && S_ISDIR(about.st_mode)));
}

/* Refuses files that cannot be read as often as this needs. */
static bool check_files(const struct command *command, const struct options *options, struct vouch_error *err)
{
    const bool ranks = options->work.ranks != NULL;
    for (size_t i = 0; i < options->arguments; i++) {
        const char *path = options->argument[i];
        if (ranks && !is_at_rest(path, true))
            return fail(err, VOUCH_ERR_ARGUMENT, "expected a file that all ranks can read, found %s", path);
        if (command->reads_twice && !is_at_rest(path, false))
            return fail(err, VOUCH_ERR_ARGUMENT, "expected files that can be read twice, found '%s'", path);
    }
    for (const struct option_spec *spec = options->table->option; ranks && spec->name; spec++)
        for (size_t i = 0; (spec->role & OPTION_READ) && option_file(options, spec, i); i++)
            if (!is_at_rest(option_file(options, spec, i), true))
                return fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a file that all ranks can read, found %s",
                            spec->name, option_file(options, spec, i));
    return true;
}

static int run_with(const struct command *command, struct options *options, int argc, char **argv,
                    const struct ranks *ranks, struct vouch_error *err)
{
    struct event_printer printer;
    if (!options_parse(command->table, argc, argv, options, err))
        return EXIT_MISUSE;
    options->work.ranks = ranks;
    if (options->help || options->short_help) {
        options_help(command, options->help);
        return EXIT_DONE;
    }
    if (!options_agree(options, err) || !saving_apart(options, err) || !check_files(command, options, err))
        return EXIT_MISUSE;
    leave_output_to_first(options); /* after the checks, which see the same command line on every rank */
    struct vouch_watch watch = event_printer_watch(&printer, options);
    options->work.watch = &watch;
    return command->run(options, err);
}

/* Runs a command, and prints why it failed. An error that is no wrong argument is not a misuse. */
static int run_command(const struct command *command, int argc, char **argv, const struct ranks *ranks)
{
    struct vouch_error err = {0};
    int status = EXIT_FAILED;
    void *options = NULL;
    if (ranks)
        interrupt_leave(); /* signals end all ranks: what was learned is in a checkpoint */
    if (!command->table) {
        fail(&err, VOUCH_ERR_ARGUMENT, "%s", command->about);
    } else if (ranks && !command->on_ranks) {
        fail(&err, VOUCH_ERR_ARGUMENT, "expected no ranks: run 'vouch %s', without mpirun", command->name);
        status = EXIT_MISUSE;
    } else if ((options = new_block(command->table->size, &err)))
        status = run_with(command, options, argc, argv, ranks, &err);
    free(options);
    if (status == EXIT_MISUSE && err.status != VOUCH_ERR_ARGUMENT)
        status = EXIT_FAILED;
    if (status != EXIT_MISUSE && (status != EXIT_FAILED || err.status == VOUCH_OK))
        return status;
    fflush(stdout);
    showf(stderr, "vouch %s: ", command->name);
    show_text(stderr, text_of(err.message), "");
    showf(stderr, status == EXIT_MISUSE ? "\ntry 'vouch %s --help'\n" : "\n", command->name);
    return status;
}

static int help(int argc, char **argv)
{
    const char *topic = argc > 2 ? argv[2] : "help";
    const struct command *command = command_named(topic);
    if (command && !command->table)
        return run_command(command, argc, argv, NULL);
    if (command)
        options_help(command, true);
    else if (strcmp(topic, "features") == 0)
        print_feature_sets();
    else if (strcmp(topic, "confidence") == 0)
        print_methods();
    else if (strcmp(topic, "help") == 0 || strcmp(topic, "version") == 0)
        print_overview(stdout);
    else
        return misuse_command(topic, "help version features confidence");
    return EXIT_DONE;
}

int command_run(int argc, char **argv, const struct ranks *ranks)
{
    const struct command *command = command_named(argv[0]);
    if (!command)
        return misuse_command(argv[0], "help version");
    return finish(run_command(command, argc, argv, ranks));
}

int program_run(int argc, char **argv, const struct ranks *ranks)
{
    signal(SIGXFSZ, SIG_IGN); /* at a limit on the size of files, write() then fails instead of ending the program */
    saving_watch_memory();
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_MISUSE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return finish(help(argc, argv));
    if (strcmp(argv[1], "version") == 0 || strcmp(argv[1], "--version") == 0) {
        printf("vouch %s\n", vouch_version());
        return finish(EXIT_DONE);
    }
    if (strcmp(argv[1], "step") == 0)
        return step_run(argc - 2, argv + 2);
    return command_run(argc - 1, argv + 1, ranks);
}
