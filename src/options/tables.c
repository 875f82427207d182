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
