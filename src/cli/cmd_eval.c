/*
 * vouch eval: how good is a model, are answers in a file, is an algorithm? The options, and the choice among the three.
 */
#include "cli/answering.h"
#include "cli/evaluation.h"
#include "cli/learning.h"

static const struct option_spec options[] = {
    OPTION_MODEL,
    OPTION_CONFIDENCE,
    {"resamples", 0, OPTION_INTEGER, AT(resamples), "N", 0, 100000, false,
     "samples of the sentences for the intervals; 0 for no intervals"},
    {"csv", 0, OPTION_TEXT, AT(csv), "DIR", 0, 0, false, "write curves and bins of confidence into this folder"},
    {"report", 0, OPTION_TEXT, AT(report), "FILE", 0, 0, false,
     "write a page of all this, with figures and words to look at, to this HTML file"},
    {"folds", 0, OPTION_INTEGER, AT(folds), "N", 2, 1000, false,
     "cross-validate the files in N parts instead; several algorithms are compared"},
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, false,
     "with --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun phrases"},
    OPTIONS_LEARNING,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

static int eval(const struct command *command, struct settings *settings)
{
    if (!settings->folds)
        return settings->model ? eval_model(command, settings) : eval_files(command, settings);
    if (settings->model)
        return misuse(command, "expected -m or --folds, not both");
    if (settings->confidence || settings->raw || settings->csv || settings->report)
        return misuse(command, "--confidence, --raw, --csv and --report are for measuring answers, not for --folds");
    if (settings->arguments == 0)
        return misuse(command, "expected the files to cross-validate");
    return eval_folds(command, settings);
}

const struct command eval_command = {
    .name = "eval",
    .arguments = "-m MODEL TEST... | ANSWERS | GOLD SYSTEM | --folds N --task TASK FILE...",
    .summary = "measure a model, answers in files, or algorithms by cross-validation",
    .about = "With a model: labels TEST and prints precision, recall and F1 as conlleval does, and then, for a model "
             "that was calibrated or for the methods in --confidence, how well confidence finds the errors and how "
             "far it is a probability. Without: the same for answers that are in a file together with gold (columns "
             "as 'vouch tag' or others write them, gold and guess; JSON lines) or in a file SYSTEM of their own, "
             "labels or trees, and for the confidence that they come with. With --folds: learns on all parts but one "
             "and measures on that one, for every part and every algorithm (-a cw,pa,perceptron), and compares them "
             "by paired t-tests.",
    .example = "  vouch eval -m ner.vouch testb.txt\n"
               "  vouch eval -m ner.vouch --confidence all --csv curves testb.txt\n"
               "  vouch eval -m ner.vouch --report ner.html testb.txt\n"
               "  vouch tag -m ner.vouch testb.txt | vouch eval\n"
               "  vouch eval gold.conllu parsed.conllu\n"
               "  vouch eval --folds 10 --task ner -a cw,pa,perceptron train.txt testb.txt\n",
    .option = options,
    .run = eval,
};
