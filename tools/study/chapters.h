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
#include "study/paper.h"
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

/* Adds points to it: two figures of every element of an array. */
void add_points(struct chart *chart, const json_t *list, const char *x, const char *y);

/* Names, ended by NULL: the paper's methods in its order, then ours. `random` is the last of the paper's. */
extern const char *const all_methods[];
extern const char *const drawn_methods[]; /* few enough to be told apart in a figure */
extern const char *const algorithms[];

enum { PATH_SIZE = 128 };

/* The words for a kind of data: [0] sequences, [1] trees. */
struct kind_words {
    const char *many, *answers, *set; /* sequences, labels, dataset; trees, heads, treebank */
    unsigned sizes;                   /* the paper's table of them */
};
extern const struct kind_words kind_words[2];

/*
 * Columns of a table that has a row for each dataset: one for every name, of a method or a learner. Where its number is
 * tells a path (see results.h), in which * is the name, ^ the name of a learner without "-k1", $ that ending, and ? the
 * numbers that rank.
 */
struct columns {
    const char *group;                        /* or NULL */
    const char *const *names, *const *labels; /* ended by NULL; labels are NULL for those of label_of_algorithm() */
    const char *path;
    int digits, published_digits;
    bool rivals;
    struct { /* the paper's numbers, beside ours */
        unsigned table;
        const char *column; /* the signs are as in a path */
        double scale;       /* 0: none is shown */
        const char *only;   /* the names that have it, separated by blanks; NULL: every name */
        bool always;        /* also where ours was not measured */
    } published;
};

enum { COLUMN_GROUPS = 4 }; /* at most */
struct set_table {
    const char *name, *title;
    int kind; /* of datasets */
    enum better better;
    const char *rows, *voices; /* datasets without this path, or that this model did not rank, have no row; */
    bool measured;             /* nor have those without any number */
    bool no_means;
    struct columns columns[COLUMN_GROUPS];
};

/* The path of a figure of all words of a model: see JUDGED. */
#define JUDGED_BY(voices, numbers, figure) "ranking/@/" voices "/" numbers ":confidence.words.methods[*]." figure

/* Makes the table, with means as the last row. */
void set_table(struct table *table, const struct results *results, const struct set_table *set_table);

/* Begins a table that is not by dataset, and can be spoken of. */
void begin_table(struct table *table, const char *name, const char *title, const char *corner, enum better better);

/* Adds a column for every method in the list; `random` is never marked as best. */
void add_methods(struct table *table, const char *group, const char *const *methods, int digits);

/* Whether a blank-separated list has the word. */
bool has_word(const char *list, const char *word);

/*
 * Tells of a value that was chosen at an end of what was tried, where the best may lie beyond: adds "NAME (VALUE)" to a
 * list of such.
 */
void say_edge(struct prose *edges, const char *name, double value, double lowest, double highest);

/* Ends that list, after the sentences of a table. */
void put_edges(struct table *table, struct prose *edges);

/* Tells, after `lead`, which columns of `group` are best in the mean and which is best most often. */
void say_best(struct table *table, const char *group, const char *lead);

/* Tells which column is best in each row, by name: "LEAD row: column; row: column." */
void say_best_of_rows(struct table *table, const char *lead);

/* Adds a chart of one dataset, with the name "NAME-KEY". */
struct chart *add_set_chart(struct figure *figure, const char *name, const struct result_set *set, const char *x_label,
                            const char *y_label);

/* Sets the ranges of both axes. */
void set_ranges(struct chart *chart, double x_from, double x_to, double y_from, double y_to);

/* Whether the paper has the method for that kind of data: it has no Gamma for trees. */
bool is_the_papers(const char *method, bool trees);

/* Whether any dataset of a kind is compared with one of the paper's. */
bool any_of_the_paper(const struct results *results, bool trees);

/* Return how many datasets are trees, or are not; and whether they are all of the paper's and no others. */
size_t sets_of(const struct results *results, bool trees);
bool are_the_papers(const struct results *results, bool trees);

/* Returns " in the mean", if there is more than one to average. */
const char *in_the_mean(size_t n);

/* Returns the name of the score of sequences: F1, or accuracy if there are parts of speech among them. */
const char *score_name(const struct results *results);

#endif
