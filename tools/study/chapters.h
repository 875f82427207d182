/*
 * Declares the chapters of the report, in the paper's order, and what they share.
 *
 * A chapter makes its tables and figures of the results and puts them into the document, each with a sentence on what
 * it shows. It shows what was measured: a dataset, a method or a whole table for which there are no numbers is left
 * out.
 */
#ifndef VOUCH_STUDY_CHAPTERS_H
#define VOUCH_STUDY_CHAPTERS_H

#include "report/document.h"
#include "study/results.h"

void chapter_data(struct document *document, const struct results *results);
void chapter_prediction(struct document *document, const struct results *results);
void chapter_ranking(struct document *document, const struct results *results);
void chapter_calibration(struct document *document, const struct results *results);
void chapter_draws(struct document *document, const struct results *results);
void chapter_tradeoff(struct document *document, const struct results *results);
void chapter_active(struct document *document, const struct results *results);

/* Returns the label of a method or an algorithm: the paper's name, or ours for those that we add. */
const char *label_of(const char *name);

/* Returns that of an algorithm: "CW", or "CW, 1-best" for "cw-k1"; `label` is room for it. */
enum { LABEL_SIZE = 48 };
const char *label_of_algorithm(const char *name, char label[LABEL_SIZE]);

/* Adds a series of a method or an algorithm, which looks the same in all charts. */
void add_line(struct chart *chart, const char *name);

/* Names, ended by NULL: the paper's methods in its order, then ours. `random` is the last of the paper's. */
extern const char *const all_methods[];
extern const char *const drawn_methods[]; /* few enough to be told apart in a figure */
extern const char *const algorithms[];

/* The place of the paper's number to compare with; ours is in the unit of theirs times `scale`. */
struct published {
    unsigned table;
    const char *column;
    double scale;
};

/* Puts a number, and the published one beside it, into the last row. */
void put_with_published(struct table *table, size_t column, double number, const struct result_set *set,
                        struct published published);

/* Adds the row of a dataset. */
void add_set(struct table *table, const struct result_set *set);

/* Adds a column for every method in the list; `random` is never marked as best. */
void add_methods(struct table *table, const char *group, const char *const *methods, int digits);

/* Tells in *prose, after `lead`, which columns of `group` are best in the mean and which is best most often. */
void say_best(struct prose *prose, const struct table *table, const char *group, const char *lead);

/* Tells which column is best in each row, by name: "LEAD row: column; row: column." */
void say_best_of_rows(struct prose *prose, const struct table *table, const char *lead);

/* Adds a chart of one dataset, with the name "NAME-KEY". */
struct chart *add_set_chart(struct figure *figure, const char *name, const struct result_set *set, const char *x_label,
                            const char *y_label);

/* Whether the paper has the method for that kind of data: it has no Gamma for trees. */
bool is_the_papers(const char *method, bool trees);

/* Whether any dataset of a kind is compared with one of the paper's. */
bool any_of_the_paper(const struct results *results, bool trees);

/* Return how many datasets are trees, or are not; and whether they are all of the paper's and no others. */
size_t sets_of(const struct results *results, bool trees);
bool are_the_papers(const struct results *results, bool trees);

/* Returns "dataset" or "datasets", by number; for trees "treebank". */
const char *noun_of(size_t n, bool trees);

/* Returns " in the mean", if there is more than one to average. */
const char *in_the_mean(size_t n);

/* Returns the name of the score of sequences: F1, or accuracy if there are parts of speech among them. */
const char *score_name(const struct results *results);

#endif
