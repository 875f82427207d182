/* Implements vouch split: a corpus divided in two, to learn from and to test on. */
#include "cli/cli.h"

#include "text/split.h"
#include "options/rows.h"

#include <stdio.h>

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
    OPTION_OUTPUT_WITH("where the chosen sentences go; appears whole or not at all"),
    TEXT("rest", 0, rest, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
         "where all others go; not written by default"),
    REAL("share", 0, share, "X", 0, 1, OPTION_MATTERS, "the share of the sentences that are chosen"),
    INTEGER("count", 0, count, "N", 0, 4e9, OPTION_MATTERS,
            "choose N sentences instead, or all if there are fewer; with 0 the share decides"),
    OPTION_FORMAT,
    OPTION_SEED,
    OPTION_JSON,
    OPTIONS_END,
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
    if (s->rest)
        showf(stderr, "learn from one with 'vouch train', and measure on the other with 'vouch eval'\n");
}

static int split(void *options, struct vouch_error *err)
{
    const struct split_options *s = options;
    struct split_plan plan = {.file = s->common.argument,
                              .files = s->common.arguments,
                              .format = s->reading.format,
                              .share = s->share,
                              .count = s->count,
                              .seed = s->common.work.seed,
                              .first = s->output,
                              .rest = s->rest};
    struct split_part part[2];
    if (!saving_possible(s, err) || !split_corpus(&plan, part, err))
        return EXIT_FAILED;
    report(s, part);
    return EXIT_DONE;
}

static const struct split_options usual = {.common = USUAL_COMMON, .share = 0.8};
static const struct option_rule rules[] = {
    {NULL, "output", "output=- rest=-", "expected -o FILE, and --rest FILE for the others"},
    {NULL, "file", NULL, "expected at least one file to divide"},
    {0},
};
static const struct option_table split_table = {"split", rows, &usual, sizeof usual, NULL, rules};

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
    .reads_twice = true,
};
