/* Implements vouch split: a corpus divided in two, to learn from and to test on. */
#include "cli/cli.h"

#include "text/split.h"
#include "options/rows.h"

#include <stdio.h>
#include <string.h>

struct split_options {
    struct options common;
    struct reading_values reading;
    const char *output, *rest;
    double share;
    uint64_t count;
    bool json;
};
#define OPTIONS struct split_options

static const struct option_spec rows[] = {
    TEXT("output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
         "where the chosen sentences go; appears whole or not at all"),
    TEXT("rest", 0, rest, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
         "where all others go; not written by default"),
    REAL("share", 0, share, "X", 0, 1, OPTION_MATTERS, "the share of the sentences that are chosen"),
    INTEGER("count", 0, count, "N", 0, 4e9, OPTION_MATTERS,
            "choose N sentences instead, or all if there are fewer; with 0 the share decides"),
    OPTION_FORMAT,
    OPTION_SEED,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

static json_t *part_json(const char *file, const struct split_part *part)
{
    return json_pack("{s:o, s:I, s:I}", "file", file ? saving_text(file) : json_null(), "sentences",
                     (json_int_t)part->sentences, "words", (json_int_t)part->words);
}

static void report(const struct split_options *s, const struct split_part part[2])
{
    if (s->json)
        show_json(
            json_pack("{s:o, s:o}", "chosen", part_json(s->output, &part[0]), "rest", part_json(s->rest, &part[1])), 6);
    if (s->common.quiet)
        return;
    fflush(stdout);
    showf(stderr, "%llu sentences, %llu words: %s\n", (unsigned long long)part[0].sentences,
          (unsigned long long)part[0].words, s->output);
    showf(stderr, "%llu sentences, %llu words: %s\n", (unsigned long long)part[1].sentences,
          (unsigned long long)part[1].words, s->rest ? s->rest : "left out");
    showf(stderr, "learn from one with 'vouch train', and measure on the other with 'vouch eval'\n");
}

static int split(const struct command *command, void *options)
{
    const struct split_options *s = options;
    struct vouch_error err = {0};
    if (!s->output || strcmp(s->output, "-") == 0 || (s->rest && strcmp(s->rest, "-") == 0))
        return misuse(command, "expected -o FILE, and --rest FILE for the others");
    if (s->common.arguments == 0)
        return misuse(command, "expected at least one file to divide");
    int status = files_check(command, s);
    if (status != EXIT_DONE)
        return status;
    struct split_plan plan = {.file = s->common.argument,
                              .files = s->common.arguments,
                              .format = s->reading.format,
                              .share = s->share,
                              .count = s->count,
                              .seed = s->common.work.seed,
                              .first = s->output,
                              .rest = s->rest};
    struct split_part part[2];
    if (!saving_possible(s->output, s, &err) || !saving_possible(s->rest, s, &err) || !split_corpus(&plan, part, &err))
        return failed(command, &err);
    report(s, part);
    return EXIT_DONE;
}

static const struct split_options usual = {.common = USUAL_COMMON, .share = 0.8};
static const struct option_table split_table = {"split", rows, &usual, sizeof usual, NULL, NULL};

const struct command split_command = {
    .name = "split",
    .arguments = "-o FILE --rest FILE CORPUS...",
    .summary = "divide a corpus in two, at random",
    .about = "Divides the sentences of all files in two at random, four fifths and one fifth by default, to "
             "learn from and to test on. Sentences are written as they were read, in the order in which they were "
             "read; document marks are left out. The same seed divides in the same way.",
    .example = "  vouch split -o train.txt --rest test.txt corpus.txt\n"
               "  vouch split --count 200 --seed 7 -o some.conllu corpus.conllu\n",
    .table = &split_table,
    .run = split,
};
