/* Defines the options of the commands that the library has as well. */
#include "options/settings.h"

#define OPTIONS struct settings
const struct settings usual_settings = {USUAL_SETTINGS, USUAL_REST};

static const struct option_spec train[] = {
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS,
     "what to learn: np, chunk, ner, pos, or dep for trees; sets features and labels"),
    OPTION_OUTPUT_MODEL,
    TEXT("from", 0, from, "MODEL", OPTION_READ,
     "go on from MODEL, which decides what is learned and how; 3 passes by default"),
    OPTIONS_LEARNING,
    INTEGER("shards", 0, shards, "S", 1, 4096, OPTION_MATTERS,
     "cut the corpus into S shards that learn side by side, on --threads, and are mixed after every pass"),
    TEXT("dev", 'd', dev, "FILE", OPTION_READ, "measure on FILE after every pass"),
    FLAG("best-pass", 0, best_pass, OPTION_MATTERS,
     "keep each voice as it was after the pass that does best on --dev, not the last"),
    TEXT("log", 0, log, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
     "write a log of the passes to FILE, as JSON lines"),
    TEXT("checkpoint", 0, checkpoint, "FOLDER", OPTION_INCIDENTAL | OPTION_WRITTEN | OPTION_FOLDER,
     "keep what was learned in FOLDER after every pass, until the model is written"),
    FLAG("resume", 0, resume, OPTION_INCIDENTAL,
     "go on with what --checkpoint has, MODEL.checkpoint by default; the model is the same"),
    FLAG("no-calibrate", 0, no_calibrate, OPTION_MATTERS,
     "do not calibrate confidence after training"),
    TEXT("grid", 0, grid, "NAME", OPTION_MATTERS,
     "values to try for the methods of confidence: quick, a few; full, as many as in the paper, in units of the "
     "weights; paper, the paper's own"),
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
static const struct settings usual_train = {
    USUAL_SETTINGS, .learner = {USUAL_LEARNER("crf", 10)}, .grid = "quick", .repeats = 1};

static const struct option_group train_groups[] = {
    {"what to learn", "task output from features template vectors vector-window vector-length cutoff learn-as "
                      "unlabelled multi-root bits"},
    {"how to learn", "algorithm passes k-best C phi covariance variance rate l2 tune shards no-calibrate grid seed"},
    {"reading and reporting",
     "dev best-pass log checkpoint resume format column gold threads quiet verbose help usage"},
    {0},
};

const struct option_table train_options = {"train", train, &usual_train, sizeof usual_train, train_groups, NULL};

static const struct option_spec tune[] = {
    TEXT("answers", 0, answers, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ,
     "calibrate another program's numbers instead: FILE holds gold, guess and confidence, or answers to the file GOLD"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    TEXT("model", 'm', model, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_READ, "the model to tune"),
    OPTION_SCORES,
    TEXT("output", 'o', output, "FILE", OPTION_INCIDENTAL | OPTION_OF_PROGRAM | OPTION_WRITTEN,
     "the model file to write, whole or not at all; if not given, the model itself is replaced; with --answers, the "
     "calibration to write"),
    TEXT("grid", 0, grid, "NAME", OPTION_MATTERS,
     "values to try: full, as many as in the paper, in units of the weights; paper, the paper's own; or quick, a "
     "few, as training does"),
    INTEGER("draws", 0, confidence.draws, "K", 0, MAX_DRAWS, OPTION_MATTERS,
     "models to draw for kd-fix and kd-pc; 0 is 50"),
    REAL("coverage", 0, coverage, "C", 0, 1, OPTION_MATTERS,
     "instead: find out how large sets of choices must be to hold the right one with the probability C, for 'vouch tag "
     "--sets' and 'vouch parse --sets'; 0 is no"),
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

const struct option_table tune_options = {"tune", tune, &usual_settings, sizeof usual_settings, NULL, NULL};

static const struct option_spec eval[] = {
    OPTION_MODEL,
    OPTION_SCORES,
    TEXT("answers", 0, answers, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
     "measure another program's gold, guess and confidence: columns, CSV, CoNLL-U or JSON lines; or its answers to "
     "GOLD; with -m, calibrated by what 'vouch tune --answers' wrote"),
    OPTION_COLUMNS,
    OPTION_ROWS,
    OPTION_CONFIDENCE,
    OPTION_CONSISTENCY,
    INTEGER("resamples", 0, resamples, "N", 0, 100000, OPTION_MATTERS,
     "samples of the sentences for the intervals; 0 for no intervals"),
    TEXT("csv", 0, csv, "DIR", OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_FOLDER,
     "write curves and bins of confidence into this folder"),
    TEXT("report", 0, report, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN,
     "write a page of all this, with figures and words to look at, to this HTML file"),
    INTEGER("folds", 0, folds, "N", 2, 1000, OPTION_MATTERS,
     "cross-validate the files in N parts instead; several algorithms are compared"),
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS,
     "with --folds: what to learn: np, chunk, ner, pos or dep; for answers in files: np counts only noun phrases"),
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

const struct option_table eval_options = {"eval", eval, &usual_settings, sizeof usual_settings, NULL, NULL};

static const struct option_spec active[] = {
    TEXT("pool", 0, pool, "FILE", OPTION_READ, "the sentences to choose from"),
    TEXT("confidence", 'c', confidence.methods, "METHODS", OPTION_MATTERS,
     "choose by these methods of confidence, each also as METHOD/mean or METHOD/length, with probabilities as "
     "METHOD/entities or "
     "METHOD/density, and with drawn models as METHOD/bald; or by fluctuation; a simulation compares kd-fix, kd-pc, "
     "delta, gamma, committee and random by default, next uses the one that the model prefers, as /mean, or of trees "
     "as /length"),
    INTEGER("draws", 0, confidence.draws, "K", 0, MAX_DRAWS, OPTION_MATTERS,
     "models to draw for kd-fix and kd-pc; 0 is 50, or what the model was tuned with"),
    REAL("diversity", 0, diversity, "T", 0, 1, OPTION_MATTERS,
     "skip a sentence that shares more than this part of its features (next: words) with one that is already "
     "chosen; 0 skips none"),
    TEXT("cost", 0, cost, "S,W,C", OPTION_MATTERS,
     "seconds that labelling takes for a sentence, for each of its words, and for each chunk to mark or label or head "
     "to correct"),
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS, "what to learn: np, chunk, ner, pos or dep"),
    TEXT("test", 0, test, "FILE", OPTION_READ, "labelled sentences to measure on"),
    INTEGER("initial", 0, initial, "N", 1, 1e9, OPTION_MATTERS,
     "sentences labelled at random to begin with"),
    INTEGER("candidates", 0, candidates, "N", 1, 1e9, OPTION_MATTERS,
     "random sentences to choose from in a round"),
    INTEGER("choose", 0, choose, "N", 1, 1e9, OPTION_MATTERS, "how many of them are labelled"),
    INTEGER("every", 0, every, "N", 1, 1e9, OPTION_MATTERS, "measure after every N further sentences"),
    INTEGER("most", 0, most, "N", 1, 1e9, OPTION_MATTERS, "sentences to label in all"),
    INTEGER("repeats", 0, repeats, "N", 1, 1000, OPTION_MATTERS,
     "repeat all of it with other random choices"),
    FLAG("scratch", 0, scratch, OPTION_MATTERS,
     "learn from nothing in every round, not only where it is measured"),
    TEXT("csv", 0, csv, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN, "write every measurement to this file"),
    TEXT("plot", 0, plot, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN, "draw the curves to this SVG file"),
    OPTION_JSON,
    OPTIONS_LEARNER_WITH(0),
    OPTION_MULTI_ROOT,
    TEXT("model", 'm', model, "FILE", OPTION_OF_PROGRAM | OPTION_READ, "the model that is asked"),
    OPTION_SCORES,
    INTEGER("number", 'n', number, "N", 1, 1e9, OPTION_MATTERS, "how many sentences to choose"),
    FLAG("predict", 0, predict, OPTION_MATTERS,
     "write the sentences with the model's labels, to be corrected"),
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
static const struct settings usual_active = {
    USUAL_SETTINGS, .learner = {USUAL_LEARNER("cw", 10)}, .grid = "full", .repeats = 1};

const struct option_table active_options = {"active", active, &usual_active, sizeof usual_active, active_groups, NULL};
