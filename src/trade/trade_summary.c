/*
 * Summarises curves: see trade_summary.h.
 *
 * A row answers a question: how much of one figure can be gained for so many points of the other?
 */
#include "trade/trade_summary.h"

#include <math.h>

#define POINT_OF_F1 1.0

static const double losses[TRADE_ROWS] = {0.5, 1, 2, 3, 5, 7.5, 10, 15, 20, 30, 50}; /* points of the other figure */

const struct trade_point *trade_unchanged(const struct trade *t)
{
    const struct trade_curve *first = trade_curve(t, 0, TOWARDS_PRECISION);
    return first->points ? first->point : trade_curve(t, 0, TOWARDS_RECALL)->point;
}

const struct trade_point *trade_within_a_point(const struct trade *t, const struct trade_curve *curve)
{
    return trade_best(curve, curve->direction, tag_rates(trade_unchanged(t)->counts).f1 - POINT_OF_F1, 0);
}

size_t trade_rows(const struct trade_curve *curve, const struct trade_point **row)
{
    struct tag_rates base = tag_rates(curve->point[0].counts);
    double other = curve->direction == TOWARDS_PRECISION ? base.recall : base.precision;
    size_t rows = 0;
    for (size_t i = 0; i < TRADE_ROWS && losses[i] < other; i++) {
        const struct trade_point *point = trade_best(curve, curve->direction, 0, other - losses[i]);
        if (point != curve->point && (rows == 0 || point != row[rows - 1]))
            row[rows++] = point;
    }
    return rows;
}

double trade_mean_outside(const struct trade *t, uint32_t method, bool rightly)
{
    const struct trade_outside *outside = &t->outside[method][rightly];
    return outside->words ? outside->sum / (double)outside->words : NAN;
}

static json_t *point_json(const struct trade_point *point)
{
    struct tag_rates rates = tag_rates(point->counts);
    return json_pack("{s:f, s:f, s:f, s:f, s:I, s:I, s:I}", "threshold", point->threshold, "precision", rates.precision,
                     "recall", rates.recall, "f1", rates.f1, "guessed", (json_int_t)point->counts.guessed, "correct",
                     (json_int_t)point->counts.correct, "changed", (json_int_t)point->changed);
}

/* Returns the curve without points that differ too little from the last one to be seen in a plot. */
static json_t *line_json(const struct trade_curve *curve)
{
    const double visible = 0.25; /* points of precision or recall */
    struct tag_rates last = {0};
    json_t *line = json_array();
    for (size_t i = 0; i < curve->points; i++) {
        struct tag_rates now = tag_rates(curve->point[i].counts);
        if (i > 0 && i + 1 < curve->points && fabs(now.precision - last.precision) < visible &&
            fabs(now.recall - last.recall) < visible)
            continue;
        last = now;
        json_array_append_new(line, json_pack("{s:f, s:f, s:f, s:f}", "threshold", curve->point[i].threshold,
                                              "precision", now.precision, "recall", now.recall, "f1", now.f1));
    }
    return line;
}

static json_t *curve_json(const struct trade *t, const struct trade_curve *curve)
{
    const struct trade_point *row[TRADE_ROWS];
    size_t rows = trade_rows(curve, row);
    json_t *points = json_array();
    for (size_t i = 0; i < rows; i++)
        json_array_append_new(points, point_json(row[i]));
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o}", "method", t->name[curve->method], "direction",
                     direction_names[curve->direction], "points", points, "within_one_point_of_f1",
                     point_json(trade_within_a_point(t, curve)), "last", point_json(&curve->point[curve->points - 1]),
                     "curve", line_json(curve));
}

/*
 * Returns {"method", "rightly": {"words", "confidence"}, "wrongly": {...}} of every method; confidence is null if it
 * has no mean.
 */
static json_t *outside_json(const struct trade *t)
{
    static const char *const names[] = {"wrongly", "rightly"};
    json_t *each = json_array();
    for (uint32_t m = 0; m < t->methods; m++) {
        json_t *method = json_pack("{s:s}", "method", t->name[m]);
        for (int rightly = 1; rightly >= 0; rightly--) {
            double mean = trade_mean_outside(t, m, rightly);
            json_object_set_new(method, names[rightly],
                                json_pack("{s:I, s:o}", "words", (json_int_t)t->outside[m][rightly].words, "confidence",
                                          isfinite(mean) ? json_real(mean) : json_null()));
        }
        json_array_append_new(each, method);
    }
    return each;
}

json_t *trade_json(const struct trade *t)
{
    json_t *curves = json_array();
    for (enum direction d = 0; d < DIRECTIONS; d++)
        for (uint32_t m = 0; trade_curve(t, 0, d)->points && m < t->methods; m++)
            json_array_append_new(curves, curve_json(t, trade_curve(t, m, d)));
    return json_pack("{s:I, s:I, s:s, s:s, s:b, s:I, s:o, s:o, s:o}", "sentences", (json_int_t)t->sentences, "words",
                     (json_int_t)t->words, "unit", trade_unit_names[t->unit], "by",
                     trade_unit_names[t->by_words ? TRADE_WORDS : TRADE_ENTITIES], "merge_types", t->merge_types,
                     "gold", (json_int_t)trade_unchanged(t)->counts.gold, "unchanged", point_json(trade_unchanged(t)),
                     "outside", outside_json(t), "curves", curves);
}
