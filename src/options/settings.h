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
    const char *model, *output, *cost, *csv, *grid, *plot, *direction, *unit, *by,
        *pool, *test, *report, *answers, *columns, *rows,
        *checkpoint;
    double noise, precision, recall, diversity, guarantee, coverage;
    int64_t folds, resamples, initial, candidates, choose, every, most, repeats, number,
        shards;
    bool best_pass, no_calibrate, json, merge_types,
        scratch, predict, resume;
};

extern const struct option_table train_options, tune_options, eval_options, active_options;

/* The values of options that are not given, unless a command has its own. */
#define USUAL_SETTINGS \
    .common = USUAL_COMMON, .doubt = USUAL_DOUBT, .rows = "apart", .precision = -1, \
    .recall = -1, .direction = "both", .unit = "entities", .by = "entities", .resamples = 200, \
    .shards = 1, .initial = 50, \
    .candidates = 1000, .choose = 10, .every = 100, .most = 5000, .number = 20, .cost = "13,3.8,5.4"
#define USUAL_REST .learner = {USUAL_LEARNER("crf", 10)}, .grid = "full", .repeats = 1
extern const struct settings usual_settings;

#endif
