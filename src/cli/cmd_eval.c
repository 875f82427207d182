/* Implements vouch eval: the options, and the choice among a model, answers in files, and algorithms. */
#include "cli/answering.h"
#include "cli/eval_output.h"

/* Options that only some forms of the command use. */
static const char *const of_answers[] = {"columns", "rows", NULL};
static const char *const of_scores[] = {"scores", "offsets", NULL};
static const char *const of_learning[] = {
    "algorithm",  "passes",   "features", "template", "cutoff",        "learn-as",      "k-best",     "C",    "phi",
    "covariance", "variance", "rate",     "l2",       "vector-window", "vector-length", "unlabelled", "bits", "tune",
    "multi-root", NULL};

/* Refuses options that would do nothing. */
static int check_form(const struct command *command, const struct settings *s)
{
    int status = EXIT_DONE;
    if (!s->answers)
        status = options_refuse(command, s, of_answers, true, "is about a file of answers: expected --answers FILE");
    if (status == EXIT_DONE && (s->answers || !s->model))
        status = options_refuse(command, s, of_scores, true, "is for a model without weights: expected -m MODEL alone");
    if (status == EXIT_DONE && !s->folds)
        status = options_refuse(command, s, of_learning, true, "is for learning: expected --folds with it");
    return status;
}

static int eval(const struct command *command, struct settings *settings)
{
    if (settings->answers && settings->folds)
        return misuse(command, "expected --answers or --folds, not both");
    int status = check_form(command, settings);
    if (status != EXIT_DONE)
        return status;
    if (settings->ranks && !settings->folds)
        return misuse(command, "ranks share --folds alone: run 'vouch eval', without mpirun");
    if (!settings->folds)
        return settings->model && !settings->answers ? eval_model(command, settings) : eval_files(command, settings);
    if (settings->model)
        return misuse(command, "expected -m or --folds, not both");
    return eval_folds(command, settings);
}

const struct command eval_command = {
    .name = "eval",
    .arguments = "-m MODEL TEST... | ANSWERS | GOLD SYSTEM | --answers FILE [GOLD] | --folds N --task TASK FILE...",
    .summary = "measure a model, answers in files, or algorithms by cross-validation",
    .about = "With a model: labels TEST and prints precision, recall and F1 as conlleval does, and then, for a model "
             "that was calibrated or for the methods in --confidence, how well confidence finds the errors and how "
             "far it is a probability. Without: the same for answers that are in a file together with gold (columns "
             "as 'vouch tag' or others write them, gold and guess; JSON lines) or in a file SYSTEM of their own, "
             "labels or trees, and for the confidence that they come with. With --answers: the same for any other "
             "program's gold, guess and confidence, in columns, CSV, CoNLL-U or JSON lines, and with -m for the "
             "probabilities that a calibration makes of them. With --folds: learns on all parts but one and measures "
             "on that one, for every part and every algorithm (-a cw,pa,perceptron), and compares them "
             "by paired t-tests.",
    .example = "  vouch eval -m ner.vouch testb.txt\n"
               "  vouch eval -m ner.vouch --confidence all --csv curves testb.txt\n"
               "  vouch eval -m ner.vouch --report ner.html testb.txt\n"
               "  vouch tag -m ner.vouch testb.txt | vouch eval\n"
               "  vouch eval gold.conllu parsed.conllu\n"
               "  vouch eval --answers scored.csv --columns label,prediction,probability\n"
               "  vouch eval --folds 10 --task ner -a cw,pa,perceptron train.txt testb.txt\n",
    .table = &eval_options,
    .run = eval,
    .on_ranks = true,
};
