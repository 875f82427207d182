/*
 * Writes a page about one model on one test set: what it gets right, how good its confidence is, and words to look at.
 */
#ifndef VOUCH_CLI_EVAL_REPORT_H
#define VOUCH_CLI_EVAL_REPORT_H

#include "cli/eval_words.h"
#include "eval/evaluation.h"

struct eval_page {
    const char *model, *command; /* as they were given */
    const char *const *file;     /* [files] none: standard input */
    size_t files;
    const struct evaluation *evaluation;
    const struct eval_words *words;
};

/* Writes the page whole or not at all. Without gnuplot it has no figures, and tells this. */
bool eval_report_write(const struct eval_page *page, const char *path, struct vouch_error *err);

#endif
