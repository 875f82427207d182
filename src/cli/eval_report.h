/*
 * Reports an evaluation: as text on standard output, as points of curves in files, and as a page.
 */
#ifndef VOUCH_CLI_EVAL_REPORT_H
#define VOUCH_CLI_EVAL_REPORT_H

#include "answers/answer_file.h"
#include "eval/evaluation.h"
#include "report/table.h"

/* The words of reports for what is judged: labels, or the heads of trees. */
struct answer_names {
    const char *one, *many;
    const char *are_right, *is_wrong, *are_wrong; /* continuations of a sentence about words */
    const char *in_them;                          /* after "confidence" */
};
const struct answer_names *answers_called(const struct confidence_eval *confidence_eval);

/* Where a figure is shown. */
enum eval_use { TO_FIND_ERRORS = 1, AS_PROBABILITY = 2, IN_BRIEF = 4, IF_RESAMPLED = 8 };

/* A figure of a method, in the text and on the page. */
struct eval_figure {
    const char *title; /* in the text; NULL: not there */
    const char *name;  /* on the page; NULL: not there */
    const char *group; /* in the text, a heading over it and the next two; NULL: none */
    int digits;        /* after the point */
    enum better better;
    unsigned use;
    size_t figure, interval; /* where in struct method_eval; interval 0: none */
};
extern const struct eval_figure eval_figures[]; /* the last has no use */

static inline double figure_of(const struct method_eval *method, const struct eval_figure *figure)
{
    return *(const double *)((const char *)method + figure->figure);
}

/* Whether the numbers of a method are random: there for comparison, it is never the best. */
bool is_chance(const struct method_eval *method);

enum { LISTED_WORDS = 20 };

/* Words worth a look, as items of the page. */
struct eval_list {
    bool surest; /* the most confident first; else the least */
    size_t count;
    double confidence[LISTED_WORDS];
    char *item[LISTED_WORDS];
};

/* What is reported. Set the first three fields; release it in any case. */
struct eval_report {
    const struct evaluation *evaluation;
    const char *name;                /* of what was measured */
    const struct answer_file *table; /* of another program, that was measured; NULL: it was something else */

    /* For the page: words that a model is least sure of, and those that it is sure of and wrong. */
    const char *file; /* being answered; NULL if there is only one */
    struct eval_list doubtful, mistaken;
};
void eval_report_release(struct eval_report *report);

/*
 * Considers all words of an answer for the lists, by the first method: on_answer() of an evaluation whose context is a
 * report. Each word is kept with its context; among equals the first is kept. O(words * LISTED_WORDS).
 */
bool eval_report_see(void *report, const struct sentence *sentence, const struct text *gold,
                     const struct vouch_answer *answer, struct vouch_error *err);

/*
 * Prints the usual report, then the quality of the confidence: of all methods if the options name some, else briefly of
 * the first; the coverage of sets; and what a table was taken for.
 */
bool eval_print(const struct eval_report *report, struct vouch_error *err);

/*
 * Writes files FOLDER/ASPECT-METHOD-bins.csv (of probabilities alone), ...-precision-recall.csv and
 * ...-risk-coverage.csv. The folder is made if it is not there.
 */
bool eval_write_csv(const struct confidence_eval *confidence_eval, const char *folder, struct vouch_error *err);

/*
 * Writes a page about one model on one test set, whole or not at all: what it gets right, how good its confidence is,
 * and words to look at. Without gnuplot it has no figures, and tells this. `command` made it.
 */
bool eval_write_page(const struct eval_report *report, const char *command, const char *path, struct vouch_error *err);

#endif
