/*
 * The values of the options of every command whose room has no struct of its own yet.
 */
#ifndef VOUCH_OPTIONS_SETTINGS_H
#define VOUCH_OPTIONS_SETTINGS_H

#include "options/rows.h"

struct settings {
    struct options common;
    struct reading_values reading;
    struct learner_values learner;
    struct confidence_values confidence;
    struct doubt_values doubt;
    struct score_values source;
    const char *dev, *log, *from;
    const char *model, *output, *csv, *grid, *plot, *answers, *columns, *checkpoint;
    double noise, coverage;
    int64_t folds, repeats, shards;
    enum row_sentences rows;
    bool best_pass, no_calibrate, json, resume;
};

extern const struct option_table train_options, tune_options;

/* The values of options that are not given, unless a command has its own. */
#define USUAL_SETTINGS .common = USUAL_COMMON, .doubt = USUAL_DOUBT, .shards = 1
#define USUAL_REST .learner = {USUAL_LEARNER("crf", 10)}, .grid = "full", .repeats = 1
extern const struct settings usual_settings;

#endif
