/*
 * A page about one model on one test set: what it gets right, how far its confidence can be believed, and words to
 * look at.
 */
#ifndef VOUCH_CLI_EVAL_REPORT_H
#define VOUCH_CLI_EVAL_REPORT_H

#include "calibrate/confidence_eval.h"
#include "cli/eval_words.h"
#include "measure/tag_score.h"
#include "measure/tree_score.h"

struct eval_page {
    const char *model, *command; /* as they were given */
    char *const *file;           /* [files] none: standard input */
    size_t files;
    const struct tag_score *score;  /* NULL for a parser */
    const struct tree_score *trees; /* NULL for a tagger */
    bool relations;                 /* for a parser: the model knows relations */
    const struct confidence_eval *confidence_eval;
    const struct eval_words *words;
};

/* Writes the page whole or not at all. Without gnuplot it has no figures, and says so. */
bool eval_report_write(const struct eval_page *page, const char *path, struct vouch_error *err);

#endif
