/*
 * Trades precision against recall: what becomes of answers whose truth is known at every threshold of every method,
 * and the threshold that keeps one figure and has most of the other.
 *
 *     trade_prepare() -> trade_open() -> trade_run() -> curves, and an operating point if one was asked for
 *
 *     trade.c         the table of options; answers the files, chooses the point; what reports show, and JSON
 *     trade_curves.c  counts what is right at every threshold
 *     guarantee.c     finds a point whose precision or recall holds on other text, with a given probability
 *     trade_groups.c  does the same for each type of entities, or each value of a column
 *     span_trade.c    spans of another program, which are in a file, in the place of a model's answers
 */
#ifndef VOUCH_TRADE_TRADE_H
#define VOUCH_TRADE_TRADE_H

#include "answer/answer_stream.h"
#include "answer/measured_text.h"
#include "answer/operating_point.h"
#include "answers/answer_file.h"
#include "measure/intervals.h"
#include "options/rows.h"
#include "task/dictionary.h"
#include "task/task.h"

struct answer_calibration;

struct trade_options {
    struct options common;
    struct reading_values reading;
    struct confidence_values confidence;
    struct score_values source;
    const char *model, *output, *csv, *plot, *answers, *columns;
    enum direction direction; /* DIRECTIONS: both */
    enum trade_unit unit, drop;
    const char *by; /* what a threshold of its own is for: "type", or a column's number; NULL: none */
    double precision, recall; /* that a point is to have; below 0: not asked for */
    double guarantee;
    bool merge_types, in_place, json, log;
};
extern const struct option_table trade_options;

struct trade_point {
    double threshold; /* of at most nine digits, so that printing and reading keep it */
    struct tag_counts counts;
    uint64_t changed; /* words */
};

/* One method in one direction, from the unchanged answer on; thresholds ascend. */
struct trade_curve {
    enum direction direction;
    uint32_t method;
    struct trade_point *point; /* [points], at least 1; NULL: was not asked for */
    size_t points;
};

/* The words that the answer leaves outside of chunks and for which one method has numbers. */
struct trade_outside {
    uint64_t words;
    double sum; /* of the numbers */
};

/* Set the first fields, the model only for trade_open(), and zero the rest. Release in any case. */
struct trade {
    const struct trade_options *options;
    const struct vouch_model *model;
    const struct score_files *scores; /* of a model without weights; else NULL */
    const struct answer_calibration *calibration; /* of spans; else NULL */
    struct reader_options reading;
    struct answer_file *answers; /* spans of another program; NULL: the model answers */

    struct estimator *estimator;
    const struct task *task;
    bool towards[DIRECTIONS];
    enum scheme scheme; /* that answers are written in */
    enum trade_unit unit;
    bool merge_types, by_words; /* as in struct operating_point */
    uint32_t methods;
    const char *name[MAX_METHODS]; /* [methods] */

    /* The answers. */
    uint32_t sentences;
    size_t words;
    size_t *first;      /* [sentences + 1] words before each */
    uint32_t *document; /* [sentences] the document of each, if there are any */
    struct measured_text text;
    struct text *label;                           /* [words] */
    struct dictionary gold;                       /* its labels, */
    uint32_t *gold_number;                        /* [words] */
    double *least;                                /* [sentences] of [methods][N] */
    struct text *other;                           /* [sentences] of [methods][N]; empty if there is none */
    struct trade_outside outside[MAX_METHODS][2]; /* [methods] wrongly, rightly */
    size_t first_capacity, document_capacity, label_capacity, gold_capacity, least_capacity, other_capacity,
        group_capacity;
    uint64_t known; /* words whose gold label the model knows */
    uint32_t column;              /* whose values are groups, from 1; 0: there are none, or types are */
    struct dictionary group_name; /* of groups, */
    uint32_t *group_of;           /* [sentences] if a column names them */

    /* The results. */
    struct trade_curve *curve; /* [methods][DIRECTIONS], once measured */
    bool chosen;               /* a point was asked for, and found: */
    struct operating_point point;
    struct trade_group *group; /* [groups] in the order of their names, if a point was asked for by groups */
    uint32_t groups;
    json_t *point_groups; /* the same as the point has it */

    struct text *gold_text; /* of the sentence at hand */
    size_t gold_text_capacity;
};
void trade_release(struct trade *trade);

/* Whether the options ask for an operating point. */
bool trade_wants_point(const struct trade_options *options);

/* Checks the options, and settles how files are read. */
bool trade_prepare(struct trade *trade, struct vouch_error *err);

/* Makes the estimator of the model's confidence. Fails if the model labels no chunks. */
bool trade_open(struct trade *trade, struct vouch_error *err);

/* Opens the spans of another program that the options name, and reads them: span_trade.c. */
bool trade_open_spans(struct trade *trade, struct vouch_error *err);
bool trade_read_spans(struct trade *trade, struct vouch_error *err);

/* Answers the files, measures all curves, and chooses the point that was asked for. */
bool trade_run(struct trade *trade, struct vouch_error *err);

/* Returns the point that was chosen, as a model's header keeps it. NULL with an error. */
json_t *trade_record(const struct trade *trade, struct vouch_error *err);

/* Returns everything that was found: the curves, and `record`, unless it is NULL. NULL if there is no memory. */
json_t *trade_json(const struct trade *trade, json_t *record);

/* What reports show. */

enum { TRADE_ROWS = 11 };

/* Returns the unchanged answer, which is where all curves start. */
const struct trade_point *trade_unchanged(const struct trade *trade);

/* Returns the point that is furthest along a curve and has lost at most one point of F1. */
const struct trade_point *trade_within_a_point(const struct trade *trade, const struct trade_curve *curve);

/* Finds the points of a curve that are worth a row, [TRADE_ROWS]; returns how many there are. */
size_t trade_rows(const struct trade_curve *curve, const struct trade_point **row);

/* Returns the mean of a method's numbers for words rightly, or wrongly, outside of entities; NAN: there are none. */
double trade_mean_outside(const struct trade *trade, uint32_t method, bool rightly);

/* Curves: trade_curves.c. */

/*
 * Adds an answer with the confidence of those methods; towards recall, also their likeliest other labels. Its labels
 * and theirs must stay where they are; `gold` [N] is copied.
 */
bool trade_add(struct trade *trade, const struct text *gold, uint32_t N, const struct vouch_answer *answer,
               struct vouch_error *err);

/* Measures all curves of the directions that are true. The result is the same for any number of threads. */
bool trade_measure(struct trade *trade, uint32_t threads, struct vouch_error *err);

/* Units are what is independent: documents where marks divide the files into several, else sentences. */
static inline uint32_t trade_units(const struct trade *trade)
{
    return has_documents(&trade->text.documents) ? trade->text.documents.documents : trade->sentences;
}

static inline uint32_t trade_unit_of(const struct trade *trade, uint32_t sentence)
{
    return has_documents(&trade->text.documents) ? trade->document[sentence] : sentence;
}

/* Returns "document", "sentence" or, of spans, "text". */
static inline const char *trade_unit_called(const struct trade *trade)
{
    return has_documents(&trade->text.documents) ? "document" : trade->answers ? "text" : "sentence";
}

/* Returns what is counted: "entities", "words" or "spans". */
static inline const char *trade_counted(const struct trade *trade)
{
    return trade->answers ? "spans" : trade_unit_names[trade->unit];
}

/*
 * Counts each unit at each threshold of the caller's curve, whose method and direction are set. Returns
 * [curve->points][units], to free(); NULL with an error. If the curve has no points, it gets about a hundred, which
 * are chosen by the numbers of every `every`th unit alone. Free curve->point in any case.
 */
struct tag_counts *trade_count_units(const struct trade *trade, struct trade_curve *curve, uint32_t every,
                                     struct vouch_error *err);

static inline const struct trade_curve *trade_curve(const struct trade *trade, uint32_t method, enum direction towards)
{
    return &trade->curve[method * DIRECTIONS + towards];
}

/* Returns precision or recall. */
static inline double rate_of(struct tag_rates rates, enum direction which)
{
    return which == TOWARDS_PRECISION ? rates.precision : rates.recall;
}

/*
 * Returns the point of a curve with the largest `which` whose F1 is at least `f1` and whose other figure is at least
 * `cost`: pass 0 for what does not matter. Among equals the one of the better F1 counts, then the first. NULL if there
 * is none.
 */
const struct trade_point *trade_best(const struct trade_curve *curve, enum direction which, double f1, double cost);

/*
 * Returns the point of all curves with at least `target` percent of `wanted` and the largest other figure. NULL if
 * there is none. *reach is that point, or the one that comes nearest, and *from its curve.
 */
const struct trade_point *trade_find(const struct trade *trade, enum direction wanted, double target,
                                     const struct trade_curve **from, const struct trade_point **reach);

/* An operating point with a guarantee: guarantee.c. */

struct guarantee {
    enum direction wanted; /* the figure to guarantee, */
    double target;         /* which must be at least this, from 0 to 1, */
    double level;          /* but for an error of this probability */
};

/* The point that was found, and its figures on all sentences. */
struct guaranteed {
    uint32_t method;
    enum direction direction;
    double threshold;
    struct tag_counts counts;
    uint32_t cap; /* at most so many errors of one unit count */
    bool found;   /* if not, only this is known: */
    double best;  /* about the largest target that would have been met; 0: none */
};

/*
 * Finds the point with the most of the other figure whose precision, or recall, on text from the same source is at
 * least the target, with the probability 1 - level.
 */
bool guarantee_find(const struct trade *trade, const struct guarantee *asked, struct guaranteed *found,
                    struct vouch_error *err);

/* Finds the method that would be planned for it. */
bool guarantee_plan(const struct trade *trade, const struct guarantee *asked, uint32_t *method,
                    struct vouch_error *err);

/* Finds the 90 % interval of a figure at a threshold, by units: from 0 to 1. */
bool guarantee_interval(const struct trade *trade, const struct guaranteed *at, enum direction which,
                        struct interval *interval, struct vouch_error *err);

/* A threshold for each group of answers: trade_groups.c. */

struct trade_group {
    struct text name;
    uint32_t number;             /* in trade->group_name */
    struct guaranteed at;        /* a threshold of INFINITY, if none is found: all of the group becomes O */
    struct interval interval;    /* of the figure that was asked for, from 0 to 1 */
    struct tag_counts unchanged; /* of the answer as it is */
};

/* Returns the share of the group's answers that are left, in percent. */
double trade_group_kept(const struct trade_group *group);

/*
 * Finds the thresholds of all groups, which go by one method: all->method; all->counts become those of all groups
 * together. Fails if no group has what was asked for, or if it is a recall that one of them lacks.
 */
bool trade_choose_groups(struct trade *trade, const struct guarantee *asked, struct guaranteed *all,
                         struct vouch_error *err);
void trade_groups_release(struct trade *trade);

#endif
