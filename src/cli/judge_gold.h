/*
 * Calibrates the scores of another program on a labelled file: vouch judge --gold.
 */
#ifndef VOUCH_CLI_JUDGE_GOLD_H
#define VOUCH_CLI_JUDGE_GOLD_H

#include "text/reader.h"
#include "model/model.h"
#include "options/settings.h"

struct judge_gold {
    const struct settings *settings;
    const struct vouch_watch *watch;
    struct reader_options reading;
    /* found: */
    uint64_t sentences, words;
    json_t *header;          /* of the model, calibrated */
    const char *header_text; /* the same as text; the judge's */
    vouch_judge *calibrated;
};

/* Reads --gold, and calibrates the model, whose files of scores were given to it. Release in any case. */
bool judge_gold_run(struct judge_gold *gold, const struct vouch_model *model, struct vouch_error *err);
void judge_gold_release(struct judge_gold *gold);

#endif
