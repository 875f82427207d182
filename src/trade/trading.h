/*
 * Trades precision against recall on labelled files: from options and a model to curves, and to an operating point.
 */
#ifndef VOUCH_TRADE_TRADING_H
#define VOUCH_TRADE_TRADING_H

#include "options/settings.h"
#include "trade/trade.h"

/* Set the first four fields, the model only for trading_open(), and zero the rest. Release in any case. */
struct trading {
    const struct settings *settings;
    const struct vouch_model *model;
    struct reader_options reading;
    const struct vouch_watch *watch; /* may be NULL */

    struct estimator *estimator;
    struct trade trade; /* the curves */
    bool towards[DIRECTIONS];
    uint64_t known; /* words whose gold label the model knows */
    bool chosen;    /* a point was asked for, and found: */
    struct operating_point point;

    const struct task *task;
    struct text *gold;
    size_t gold_capacity;
};

/* Whether the options ask for an operating point. */
bool trading_wants_point(const struct settings *settings);

/* Checks the options. */
bool trading_prepare(struct trading *trading, struct vouch_error *err);

/*
 * Makes the estimator of the model's confidence, and settles how files are read. Fails if the model labels no chunks.
 */
bool trading_open(struct trading *trading, struct vouch_error *err);

/* Answers the files, measures all curves, and chooses the point that was asked for. */
bool trading_run(struct trading *trading, struct vouch_error *err);

/* Returns the point that was chosen, as a model's header keeps it. NULL with an error. */
json_t *trading_record(const struct trading *trading, struct vouch_error *err);

/* Returns everything that was found: the curves, and `record`, unless it is NULL. NULL if there is no memory. */
json_t *trading_json(const struct trading *trading, json_t *record);
void trading_release(struct trading *trading);

#endif
