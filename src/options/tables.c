/* Defines the options of the commands that the library has as well: see settings.h. */
#include "options/common_options.h"

static const struct option_spec train[] = {
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, OPTION_MATTERS,
     "what to learn: np, chunk, ner, pos, or dep for trees; sets features and labels"},
    OPTION_OUTPUT_MODEL,
    {"from", 0, OPTION_TEXT, AT(from), "MODEL", 0, 0, OPTION_MATTERS,
     "go on from MODEL, which decides what is learned and how; 3 passes by default"},
    OPTIONS_LEARNING,
    {"shards", 0, OPTION_INTEGER, AT(shards), "S", 1, 4096, OPTION_MATTERS,
     "cut the corpus into S shards that learn side by side, on --threads, and are mixed after every pass"},
    {"dev", 'd', OPTION_TEXT, AT(dev), "FILE", 0, 0, OPTION_MATTERS, "measure on FILE after every pass"},
    {"best-pass", 0, OPTION_FLAG, AT(best_pass), NULL, 0, 0, OPTION_MATTERS,
     "keep each voice as it was after the pass that does best on --dev, not the last"},
    {"log", 0, OPTION_TEXT, AT(log), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "write a log of the passes to FILE, as JSON lines"},
    {"checkpoint", 0, OPTION_TEXT, AT(checkpoint), "FOLDER", 0, 0, OPTION_INCIDENTAL,
     "keep what was learned in FOLDER after every pass, until the model is written"},
    {"resume", 0, OPTION_FLAG, AT(resume), NULL, 0, 0, OPTION_INCIDENTAL,
     "go on with what --checkpoint has, MODEL.checkpoint by default; the model is the same"},
    {"no-calibrate", 0, OPTION_FLAG, AT(no_calibrate), NULL, 0, 0, OPTION_MATTERS,
     "do not calibrate confidence after training"},
    {"grid", 0, OPTION_TEXT, AT(grid), "NAME", 0, 0, OPTION_MATTERS,
     "values to try for the methods of confidence: quick, a few; full, as many as in the paper, in units of the "
     "weights; paper, the paper's own"},
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

/* Training is done often, so it tries only a few values. */
static void train_adjust(struct settings *settings)
{
    settings->grid = "quick";
}

static const struct option_group train_groups[] = {
    {"what to learn", "task output from features template vectors vector-window vector-length cutoff learn-as "
                      "unlabelled multi-root bits"},
    {"how to learn", "algorithm passes k-best C phi covariance variance rate l2 tune shards no-calibrate grid seed"},
    {"reading and reporting",
     "dev best-pass log checkpoint resume format column gold threads quiet verbose help usage"},
    {0},
};

const struct option_table train_options = {"train", train, train_adjust, train_groups};

static const struct option_spec tune[] = {
    {"answers", 0, OPTION_TEXT, AT(answers), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "calibrate another program's numbers instead: FILE holds gold, guess and confidence, or answers to the file GOLD"},
    OPTION_COLUMNS,
    OPTION_ROWS,
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, "the model to tune"},
    OPTION_SCORES,
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "the model file to write, whole or not at all; if not given, the model itself is replaced; with --answers, the "
     "calibration to write"},
    {"grid", 0, OPTION_TEXT, AT(grid), "NAME", 0, 0, OPTION_MATTERS,
     "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a "
     "few, as training does"},
    {"draws", 0, OPTION_INTEGER, AT(draws), "K", 0, MAX_DRAWS, OPTION_MATTERS,
     "models to draw for kd-fix and kd-pc; 0 is 50"},
    {"coverage", 0, OPTION_REAL, AT(coverage), "C", 0, 1, OPTION_MATTERS,
     "instead: find out how large sets of choices must be to hold the right one with the probability C, for 'vouch tag "
     "--sets' and 'vouch parse --sets'; 0 is no"},
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const struct option_table tune_options = {"tune", tune, NULL, NULL};

static const struct option_spec tag[] = {
    OPTION_MODEL,
    {"answers", 0, OPTION_TEXT, AT(answers), "FILE", 0, 0, OPTION_OF_PROGRAM,
     "instead: complete another program's answers by probabilities, made of its numbers by what 'vouch tune --answers' "
     "wrote"},
    OPTION_COLUMNS,
    OPTION_SCORES,
    OPTION_OUTPUT,
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_COLUMN,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    OPTION_DOUBT,
    {"operating-point", 0, OPTION_FLAG, AT(operating_point), NULL, 0, 0, OPTION_MATTERS,
     "leave out doubtful entities, or add words, by the threshold that 'vouch trade' kept in the model"},
    {"header", 0, OPTION_FLAG, AT(header), NULL, 0, 0, OPTION_OF_PROGRAM,
     "begin CoNLL columns with a comment that names the methods"},
    {"colour", 0, OPTION_FLAG, AT(colour), NULL, 0, 0, OPTION_OF_PROGRAM,
     "show sentences in colour, one a line, instead of completing the input; also --color"},
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

const struct option_table tag_options = {"tag", tag, NULL, NULL};

static const struct option_spec parse[] = {
    OPTION_MODEL,
    OPTION_SCORES,
    OPTION_OUTPUT,
    OPTION_FORMAT,
    OPTION_ON_ERROR,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    OPTION_DOUBT,
    {"colour", 0, OPTION_FLAG, AT(colour), NULL, 0, 0, OPTION_OF_PROGRAM,
     "show sentences in colour, one a line, words with doubtful heads marked; also --color"},
    {"draw", 0, OPTION_TEXT, AT(draw), "HOW", 0, 0, OPTION_OF_PROGRAM,
     "draw the trees instead: text for a terminal, svg for a page (the first sentence)"},
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_VERBOSE,
    OPTION_HELP,
    {0},
};

const struct option_table parse_options = {"parse", parse, NULL, NULL};

static const struct option_spec eval[] = {
    OPTION_MODEL,
    OPTION_SCORES,
    {"answers", 0, OPTION_TEXT, AT(answers), "FILE", 0, 0, OPTION_OF_PROGRAM,
     "measure another program's gold, guess and confidence: columns, CSV, CoNLL-U or JSON lines; or its answers to "
     "GOLD; with -m, calibrated by what 'vouch tune --answers' wrote"},
    OPTION_COLUMNS,
    OPTION_ROWS,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    {"resamples", 0, OPTION_INTEGER, AT(resamples), "N", 0, 100000, OPTION_MATTERS,
     "samples of the sentences for the intervals; 0 for no intervals"},
    {"csv", 0, OPTION_TEXT, AT(csv), "DIR", 0, 0, OPTION_OF_PROGRAM,
     "write curves and bins of confidence into this folder"},
    {"report", 0, OPTION_TEXT, AT(report), "FILE", 0, 0, OPTION_OF_PROGRAM,
     "write a page of all this, with figures and words to look at, to this HTML file"},
    {"folds", 0, OPTION_INTEGER, AT(folds), "N", 2, 1000, OPTION_MATTERS,
     "cross-validate the files in N parts instead; several algorithms are compared"},
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, OPTION_MATTERS,
     "with --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun phrases"},
    OPTIONS_LEARNING,
    OPTION_VECTORS,
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

const struct option_table eval_options = {"eval", eval, NULL, NULL};

static const struct option_spec forecast[] = {
    OPTION_MODEL, OPTION_VECTORS, OPTION_FORMAT, OPTION_JSON, OPTION_THREADS, OPTION_QUIET, OPTION_HELP, {0},
};

const struct option_table forecast_options = {"forecast", forecast, NULL, NULL};

static const struct option_spec trade[] = {
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM, "the model to use"},
    OPTION_SCORES,
    OPTION_CONFIDENCE,
    {"direction", 0, OPTION_TEXT, AT(direction), "WHICH", 0, 0, OPTION_MATTERS,
     "precision: leave out entities of low confidence; recall: label words that are outside with low confidence; or "
     "both"},
    {"merge-types", 0, OPTION_FLAG, AT(merge_types), NULL, 0, 0, OPTION_MATTERS, "read all types of entities as one"},
    {"by", 0, OPTION_TEXT, AT(by), "WHAT", 0, 0, OPTION_MATTERS,
     "what becomes O: whole entities, or single words, as in the paper"},
    {"unit", 0, OPTION_TEXT, AT(unit), "WHAT", 0, 0, OPTION_MATTERS, "what to count: entities, or the words in them"},
    {"precision", 0, OPTION_REAL, AT(precision), "P", 0, 1, OPTION_MATTERS,
     "choose the threshold of the most recall with at least this precision, and keep it in the model"},
    {"recall", 0, OPTION_REAL, AT(recall), "R", 0, 1, OPTION_MATTERS,
     "choose that of the most precision with at least this recall"},
    {"guarantee", 0, OPTION_REAL, AT(guarantee), "G", 0, 1, OPTION_MATTERS,
     "with --precision or --recall: choose a threshold that has this much on text from the same source, with the "
     "probability G; 0 is none"},
    {"output", 'o', OPTION_TEXT, AT(output), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "with --precision or --recall: the model file to write, whole or not at all; if not given, the model itself is "
     "replaced"},
    {"csv", 0, OPTION_TEXT, AT(csv), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "write all points of all curves into this file"},
    {"plot", 0, OPTION_TEXT, AT(plot), "FILE", 0, 0, OPTION_INCIDENTAL | OPTION_OF_PROGRAM,
     "draw precision over recall as an SVG, by gnuplot, and write its numbers beside it (.dat)"},
    OPTION_VECTORS,
    {"format", 0, OPTION_TEXT, AT(format), "NAME", 0, 0, OPTION_MATTERS,
     "input format: conll, crfsuite, jsonl or conllu; auto recognises it"},
    OPTION_COLUMN,
    {"gold", 0, OPTION_INTEGER, AT(gold), "N", 0, 65536, OPTION_MATTERS,
     "column of the gold label, from 1 (CoNLL columns); 0 is the one that training took"},
    OPTION_JSON,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const struct option_table trade_options = {"trade", trade, NULL, NULL};

static const struct option_spec review[] = {
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, OPTION_OF_PROGRAM,
     "judge by this model, which must not have been trained on the files"},
    OPTION_SCORES,
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, OPTION_MATTERS,
     "or learn to judge from the files themselves: np, chunk, ner, pos, or dep for trees"},
    {"level", 0, OPTION_TEXT, AT(level), "WHAT", 0, 0, OPTION_MATTERS,
     "what to list: word, chunk (or entity), or sentence"},
    {"inspect", 0, OPTION_TEXT, AT(inspect), "N", 0, 0, OPTION_MATTERS,
     "how many of them to list: a number, a share as in 5%, or all"},
    {"as", 0, OPTION_TEXT, AT(as), "FORMAT", 0, 0, OPTION_OF_PROGRAM,
     "write a table (tsv), JSON lines (jsonl) or a page (html)"},
    OPTION_OUTPUT,
    {"apply", 0, OPTION_TEXT, AT(apply), "FILE", 0, 0, OPTION_OF_PROGRAM,
     "instead: write the corpus with what was decided in this edited table"},
    {"new-labels", 0, OPTION_FLAG, AT(new_labels), NULL, 0, 0, OPTION_OF_PROGRAM,
     "with --apply or --decided: decisions may have labels that the corpus does not have"},
    {"decided", 0, OPTION_TEXT, AT(decided), "FILE", 0, 0, OPTION_MATTERS | OPTION_REPEATS,
     "learn from what was decided in this edited table, and list the rest; may be given once for each round"},
    {"folds", 0, OPTION_INTEGER, AT(folds), "N", 2, 1000, OPTION_MATTERS,
     "with --task: judge each of N parts by what was learned from the others"},
    OPTIONS_LEARNER,
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

/*
 * There are two voices: cw proposes, and crf has probabilities. There are few passes, so that the models do not learn
 * the errors by heart.
 */
static void review_adjust(struct settings *settings)
{
    settings->algorithm = "cw+crf";
    settings->passes = 3;
    settings->folds = 5;
    settings->multi_root = "keep"; /* every sentence of the file is judged */
}

const struct option_table review_options = {"review", review, review_adjust, NULL};

static const struct option_spec active[] = {
    {"pool", 0, OPTION_TEXT, AT(pool), "FILE", 0, 0, OPTION_MATTERS, "the sentences to choose from"},
    {"confidence", 'c', OPTION_TEXT, AT(confidence), "METHODS", 0, 0, OPTION_MATTERS,
     "choose by these methods of confidence, each also as METHOD/mean or METHOD/length, with probabilities as "
     "METHOD/entities or "
     "METHOD/density, and with drawn models as METHOD/bald; or by fluctuation; a simulation compares kd-fix, kd-pc, "
     "delta, gamma, committee and random by default, next uses the one that the model prefers, as /mean, or of trees "
     "as /length"},
    {"draws", 0, OPTION_INTEGER, AT(draws), "K", 0, MAX_DRAWS, OPTION_MATTERS,
     "models to draw for kd-fix and kd-pc; 0 is 50, or what the model was tuned with"},
    {"diversity", 0, OPTION_REAL, AT(diversity), "T", 0, 1, OPTION_MATTERS,
     "skip a sentence that shares more than this part of its features (next: words) with one that is already "
     "chosen; 0 skips none"},
    {"cost", 0, OPTION_TEXT, AT(cost), "S,W,C", 0, 0, OPTION_MATTERS,
     "seconds that labelling takes for a sentence, for each of its words, and for each chunk to mark or label or head "
     "to correct"},
    {"task", 't', OPTION_TEXT, AT(task), "NAME", 0, 0, OPTION_MATTERS, "what to learn: np, chunk, ner, pos or dep"},
    {"test", 0, OPTION_TEXT, AT(test), "FILE", 0, 0, OPTION_MATTERS, "labelled sentences to measure on"},
    {"initial", 0, OPTION_INTEGER, AT(initial), "N", 1, 1e9, OPTION_MATTERS,
     "sentences labelled at random to begin with"},
    {"candidates", 0, OPTION_INTEGER, AT(candidates), "N", 1, 1e9, OPTION_MATTERS,
     "random sentences to choose from in a round"},
    {"choose", 0, OPTION_INTEGER, AT(choose), "N", 1, 1e9, OPTION_MATTERS, "how many of them are labelled"},
    {"every", 0, OPTION_INTEGER, AT(every), "N", 1, 1e9, OPTION_MATTERS, "measure after every N further sentences"},
    {"most", 0, OPTION_INTEGER, AT(most), "N", 1, 1e9, OPTION_MATTERS, "sentences to label in all"},
    {"repeats", 0, OPTION_INTEGER, AT(repeats), "N", 1, 1000, OPTION_MATTERS,
     "repeat all of it with other random choices"},
    {"scratch", 0, OPTION_FLAG, AT(scratch), NULL, 0, 0, OPTION_MATTERS,
     "learn from nothing in every round, not only where it is measured"},
    {"csv", 0, OPTION_TEXT, AT(csv), "FILE", 0, 0, OPTION_OF_PROGRAM, "write every measurement to this file"},
    {"plot", 0, OPTION_TEXT, AT(plot), "FILE", 0, 0, OPTION_OF_PROGRAM, "draw the curves to this SVG file"},
    OPTION_JSON,
    OPTIONS_LEARNER_WITH(0),
    OPTION_MULTI_ROOT,
    {"model", 'm', OPTION_TEXT, AT(model), "FILE", 0, 0, OPTION_OF_PROGRAM, "the model that is asked"},
    OPTION_SCORES,
    {"number", 'n', OPTION_INTEGER, AT(number), "N", 1, 1e9, OPTION_MATTERS, "how many sentences to choose"},
    {"predict", 0, OPTION_FLAG, AT(predict), NULL, 0, 0, OPTION_MATTERS,
     "write the sentences with the model's labels, to be corrected"},
    OPTION_OUTPUT,
    OPTION_VECTORS,
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

static const struct option_group active_groups[] = {
    {"choosing", "pool confidence draws diversity cost vectors format seed threads quiet help usage"},
    {"simulation", "task test initial candidates choose every most repeats scratch csv plot json column gold algorithm "
                   "passes features template vector-window vector-length cutoff learn-as k-best C phi covariance "
                   "variance rate l2 unlabelled multi-root bits"},
    {"next", "model scores offsets number predict output"},
    {0},
};

/* With few sentences, confidence-weighted learning predicts best (docs/MEASUREMENTS.md). */
static void active_adjust(struct settings *settings)
{
    settings->algorithm = "cw";
}

const struct option_table active_options = {"active", active, active_adjust, active_groups};
