/*
 * Reports the evaluation of a model's confidence: as a table, and as files of
 * points to draw.
 */
#ifndef VOUCH_CLI_CONFIDENCE_REPORT_H
#define VOUCH_CLI_CONFIDENCE_REPORT_H

#include "eval/confidence_eval.h"

/* The words of reports for what is judged: labels, or the heads of trees. */
struct answer_names {
    const char *one, *many;
    const char *are_right, *is_wrong, *are_wrong; /* continuations of a sentence about words */
    const char *in_them;                          /* after "confidence" */
};
const struct answer_names *answers_called(const struct confidence_eval *confidence_eval);

/* Prints two tables for words, relations, chunks and sentences each: finding what is wrong, and being a probability. */
void confidence_report_print(const struct confidence_eval *confidence_eval);

/* Prints one table for the first method, a line for each of these. */
void confidence_report_brief(const struct confidence_eval *confidence_eval);

/*
 * Writes files FOLDER/ASPECT-METHOD-bins.csv (of probabilities alone), ...-precision-recall.csv and
 * ...-risk-coverage.csv. The folder is made if it is not there.
 */
bool confidence_report_csv(const struct confidence_eval *confidence_eval, const char *folder, struct vouch_error *err);

#endif
