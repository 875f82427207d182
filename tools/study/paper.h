/*
 * Holds the published numbers, to show beside those that were measured: Avihai Mejer and Koby Crammer, "Confidence
 * Estimation in Structured Prediction", Tables 2 to 12 and numbers in its text.
 */
#ifndef VOUCH_STUDY_PAPER_H
#define VOUCH_STUDY_PAPER_H

#include <stddef.h>

enum {
    PAPER_TEXT = 0,  /* the number of the table for numbers in the text alone */
    PAPER_NONE = 99, /* no table has this number */
};

/*
 * Returns the number of a table, row and column, as printed: shares between 0 and 1, words and sentences in ones; the
 * case of letters does not matter. NAN if there is none. Columns are named as algorithms and methods are here:
 *
 *   2, 3    sentences, words, features; a row for each dataset
 *   4       cw, pa, perceptron (F1)
 *   5       cw, pa (right heads), "cw complete", "pa complete" (whole trees)
 *   6       rows "1", "5", "10" (percent of the words): kd-fix, delta, random (share of the errors found)
 *   7       methods (average precision), with a row "average"
 *   8       methods; rows "average precision", "precision at 10", "precision at 90", "average precision pa"
 *   9, 10   methods (RMSE), with a row "average"
 *   11      methods (RMSE); rows "sequences cw", "sequences pa", "trees cw", "trees pa"
 *   12      random, kd-fix (words), saved (share)
 *   text    "trees after one pass": cw, pa; of NER datasets: f1, "traded precision" and "traded recall" (as far as F1
 *           does not change, with kd-fix), "merged f1" (all types made one), "merged traded recall" and "merged
 *           traded precision"; "most precision kd-fix", "most precision gamma", "most recall kd-fix" (types made one);
 *           "recall gained" and "precision lost" at most where types are kept; "outside wrongly" and "outside rightly",
 *           the mean confidence by kd-fix of words without a tag
 */
double paper_number(unsigned table, const char *row, const char *column);

/* Returns the name of row i of a table, from 0; NULL: it has fewer. */
const char *paper_row(unsigned table, size_t i);

#endif
