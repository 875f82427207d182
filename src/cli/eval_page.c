/*
 * Writes a page about one evaluation: tables and figures of what eval_print.c prints, and words to look at, which are
 * collected while the files are answered.
 */
#include "cli/eval_report.h"

#include "base/buffer.h"
#include "report/document.h"
#include "report/page.h"
#include "report/prose.h"

#include <math.h>
#include <stdio.h>

enum { MOST_LINES = 6, AROUND = 8 }; /* methods that can be told apart in a figure; words on either side */
#define MOST_SHOWN 0.999             /* no probability is shown as certainty */

/* Words to look at. */

/* An answer that is being looked at. */
struct seen {
    const struct eval_report *report;
    const struct sentence *sentence;
    const struct text *gold;
    const struct vouch_answer *answer;
};

static struct text form(const struct sentence *s, uint32_t i)
{
    struct text word = sentence_form(s, i);
    return word.length ? word : text_of("_");
}

/* Writes words from .. to - 1. */
static void put_words(struct output *out, const struct sentence *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        output_printf(out, i > from ? " " : "");
        page_text(out, form(s, i));
    }
}

/* Writes the word of the head, whose confidence it is; without heads, the label. */
static void put_choice(struct output *out, const struct sentence *s, const uint32_t *head, const struct text *label,
                       uint32_t i)
{
    page_text(out, !head ? label[i] : head[i] ? form(s, head[i] - 1) : text_of("ROOT"));
    output_printf(out, "</span>");
}

static void put_word(struct output *out, const struct seen *v, uint32_t i, double confidence, bool right)
{
    const struct sentence *s = v->sentence;
    const struct vouch_answer *answer = v->answer;
    const char *file = v->report->file;
    uint32_t from = i > AROUND ? i - AROUND : 0, to = s->N - i - 1 > AROUND ? i + 1 + AROUND : s->N;
    output_printf(out, "<li><div>");
    if (v->report->evaluation->confidence_eval.rows[ASPECT_WORDS].method_eval[0].calibrated)
        output_printf(out, "<b>%s%.1f %%</b><span class=\"bar sure\" style=\"--share:%.0f\"></span>",
                      confidence > MOST_SHOWN ? "&gt; " : confidence < 1 - MOST_SHOWN ? "&lt; " : "",
                      100 * fmin(fmax(confidence, 1 - MOST_SHOWN), MOST_SHOWN), 100 * confidence);
    else
        output_printf(out, "<b>%.4g</b>", confidence);
    output_printf(out, "</div>\n<div><p dir=\"auto\">%s", from > 0 ? "\xe2\x80\xa6 " : "");
    put_words(out, s, from, i);
    output_printf(out, " <mark>");
    page_text(out, form(s, i));
    output_printf(out, "</mark> ");
    put_words(out, s, i + 1, to);
    output_printf(out, "%s</p>\n<p>%s<span class=\"label %s\" title=\"the answer\">", to < s->N ? " \xe2\x80\xa6" : "",
                  answer->head ? "<span class=\"soft\">depends on</span> " : "", right ? "cool" : "warm");
    put_choice(out, s, answer->head, answer->label, i);
    if (right) {
        output_printf(out, " <span class=\"soft\">right");
    } else {
        output_printf(out, " <span class=\"soft\">wrong, it is</span> <span class=\"label cool\" title=\"gold\">");
        put_choice(out, s, answer->head ? s->head : NULL, v->gold, i);
        output_printf(out, " <span class=\"soft\">");
    }
    output_printf(out, " \xC2\xB7 ");
    if (file)
        page_put(out, "", file, ", ");
    output_printf(out, "line %llu</span></p></div></li>\n", (unsigned long long)s->number);
}

/* Puts word i where it belongs in the list, after all that are no worse, if there is room for it. */
static bool consider(struct eval_list *list, const struct seen *v, uint32_t i, bool right, struct vouch_error *err)
{
    double confidence = v->answer->confidences->by_method[0].word[i];
    size_t at = list->count, length;
    while (at > 0 && (list->surest ? confidence > list->confidence[at - 1] : confidence < list->confidence[at - 1]))
        at--;
    if (isnan(confidence) || at == LISTED_WORDS)
        return true;
    struct output *out = output_open_memory(err);
    if (!out)
        return false;
    put_word(out, v, i, confidence, right);
    const char *text = output_text(out, &length);
    char *item = text ? new_string(text, length, err) : NULL;
    output_discard(out);
    if (!item)
        return fail_memory(err);
    if (list->count == LISTED_WORDS)
        free(list->item[--list->count]);
    for (size_t j = list->count++; j > at; j--) {
        list->item[j] = list->item[j - 1];
        list->confidence[j] = list->confidence[j - 1];
    }
    list->item[at] = item;
    list->confidence[at] = confidence;
    return true;
}

bool eval_report_see(void *report, const struct sentence *sentence, const struct text *gold,
                     const struct vouch_answer *answer, struct vouch_error *err)
{
    struct eval_report *r = report;
    const struct seen seen = {r, sentence, gold, answer};
    r->mistaken.surest = true;
    for (uint32_t i = 0; i < sentence->N; i++) {
        bool right = answer->head ? answer->head[i] == sentence->head[i] : text_equal(answer->label[i], gold[i]);
        if (!consider(&r->doubtful, &seen, i, right, err) || (!right && !consider(&r->mistaken, &seen, i, right, err)))
            return false;
    }
    return true;
}

void eval_report_release(struct eval_report *r)
{
    for (size_t i = 0; i < LISTED_WORDS; i++) {
        free(i < r->doubtful.count ? r->doubtful.item[i] : NULL);
        free(i < r->mistaken.count ? r->mistaken.item[i] : NULL);
    }
}

/* ---- Precision, recall and attachment ---- */

static void put_rates(struct table *t, const char *name, struct tag_counts counts)
{
    struct tag_rates rates = tag_rates(counts);
    table_add_row(t, name, false);
    table_put(t, 0, rates.precision);
    table_put(t, 1, rates.recall);
    table_put(t, 2, rates.f1);
    table_put(t, 3, (double)counts.gold);
    table_put(t, 4, (double)counts.guessed);
}

static void put_labels(struct document *d, const struct tag_score *s)
{
    static const char *const columns[] = {"precision", "recall", "F1", "in gold", "in the answers"};
    struct table t;
    bool chunks = s->unit == TAG_CHUNKS;
    table_init(&t, "labels", chunks ? "Spans, in percent" : "Labels, in percent", chunks ? "type" : "label",
               BETTER_NEITHER);
    prose_begin(&t.says);
    for (size_t j = 0; j < 5; j++)
        table_add_column(&t, (struct table_column){.name = columns[j], .digits = j < 3 ? 2 : 0});
    for (size_t i = 0; i < s->rows; i++)
        put_rates(&t, s->row[i].length ? s->row[i].name : "(no type)", s->row[i].counts);
    if (s->rows != 1) {
        put_rates(&t, "all", s->all);
        if (!t.broken)
            t.row[t.rows - 1].mean = true;
    }
    prose_say(&t.says, "%.2f %% of %s words are right, and all words in %.2f %% of %s sentences.",
              tag_percent(s->right_words, s->words), SHOWN(s->words), tag_percent(s->right_sentences, s->sentences),
              SHOWN(s->sentences));
    document_table(d, &t);
}

static void put_attachment(struct table *t, const char *name, const struct attachment *a, bool relations)
{
    table_add_row(t, name, false);
    table_put(t, 0, tag_percent(a->heads, a->words));
    if (relations) {
        table_put(t, 1, tag_percent(a->labelled, a->words));
        table_put(t, 2, tag_percent(a->universal, a->words));
    }
    table_put(t, 3, (double)a->words);
}

static void put_trees(struct document *d, const struct tree_score *s, bool relations)
{
    struct table t;
    table_init(&t, "trees", "Attachment, in percent", "words", BETTER_NEITHER);
    prose_begin(&t.says);
    table_add_column(&t, (struct table_column){.name = "right head", .digits = 2});
    table_add_column(&t, (struct table_column){.name = "and relation", .digits = 2});
    table_add_column(&t, (struct table_column){.name = "and universal relation", .digits = 2});
    table_add_column(&t, (struct table_column){.name = "words"});
    put_attachment(&t, "all", &s->all, relations);
    put_attachment(&t, "without punctuation", &s->words_only, relations);
    prose_say(&t.says, "%.2f %% of %s trees are right in all heads.", tag_percent(s->complete, s->sentences),
              SHOWN(s->sentences));
    document_table(d, &t);
}

/* ---- Confidence as a ranking and as a probability ---- */

/* Adds a row of the grid: a number for each kind of answers, written with so many digits. */
static void put_grid_row(struct table *t, const struct confidence_eval *c, const char *name, int digits,
                         double (*number)(const struct confidence_eval_rows *rows, const void *which),
                         const void *which)
{
    uint32_t column = 0;
    table_add_row(t, name, false);
    for (enum aspect a = 0; a < ASPECTS; a++) {
        double value = c->rows[a].present ? number(&c->rows[a], which) : NAN;
        if (c->rows[a].present)
            table_put_text(t, column++,
                           isnan(value) ? "\xe2\x80\x93" : prose_number(&(struct shown_number){""}, value, digits));
    }
}

static double how_many(const struct confidence_eval_rows *rows, const void *which)
{
    (void)which;
    return (double)rows->rows.count;
}

static double percent_wrong(const struct confidence_eval_rows *rows, const void *which)
{
    (void)which;
    return rows->rows.count ? 100.0 * (double)rows->wrong / (double)rows->rows.count : NAN;
}

static double figure_in(const struct confidence_eval_rows *rows, const void *figure)
{
    const struct eval_figure *f = figure;
    bool known = (f->use & TO_FIND_ERRORS) || rows->method_eval[0].bounded;
    return known ? figure_of(&rows->method_eval[0], f) : NAN;
}

static double exact_limit(const struct confidence_eval_rows *rows, const void *which)
{
    (void)which;
    return rows->method_eval[0].intervals.calibration.limit;
}

/* The name of such answers at the head of a column. */
static const char *aspect_title(enum aspect a)
{
    return a == ASPECT_INSIDE ? "words in spans" : aspect_names[a];
}

/* Adds the grid: figures of the first method, a row each, for words, spans and sentences. */
static void put_grid(struct document *d, const struct confidence_eval *c)
{
    struct table t;
    char title[METHOD_NAME + 16];
    snprintf(title, sizeof title, "Confidence by %s", c->rows[ASPECT_WORDS].method_eval[0].method);
    table_init(&t, "grid", title, "figure", BETTER_NEITHER);
    prose_begin(&t.says);
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (c->rows[a].present)
            table_add_column(&t, (struct table_column){.name = aspect_title(a)});
    put_grid_row(&t, c, "answers", 0, how_many, NULL);
    put_grid_row(&t, c, "wrong, %", 2, percent_wrong, NULL);
    for (enum eval_use use = TO_FIND_ERRORS; use <= AS_PROBABILITY; use++)
        for (const struct eval_figure *f = eval_figures; f->use; f++)
            if (f->name && (f->use & use))
                put_grid_row(&t, c, f->name, f->digits, figure_in, f);
    if (c->resamples) {
        put_grid_row(&t, c, "limit of the calibration error", 4, exact_limit, NULL);
        prose_say(&t.says, "Probabilities that are exactly right would have an expected calibration error below the "
                           "limit in 95 of 100 samples.");
    }
    document_table(d, &t);
}

/* Adds a row for each method: how well it finds errors, and how far it is a probability. */
static void put_methods(struct document *d, const struct confidence_eval *c)
{
    struct table t;
    uint32_t column = 0;
    table_init(&t, "methods", "Methods compared", "method", BETTER_NEITHER);
    prose_begin(&t.says);
    prose_say(&t.says, "AP: average precision of finding errors, the higher the better. ECE: expected calibration "
                       "error, the lower the better.");
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (c->rows[a].present) {
            table_add_column(&t, (struct table_column){.name = "AP", .group = aspect_title(a), .digits = 3});
            table_add_column(&t, (struct table_column){.name = "ECE", .group = aspect_title(a), .digits = 4});
        }
    for (uint32_t j = 0; j < c->methods; j++, column = 0) {
        table_add_row(&t, c->rows[ASPECT_WORDS].method_eval[j].method, false);
        for (enum aspect a = 0; a < ASPECTS; a++)
            if (c->rows[a].present) {
                const struct method_eval *e = &c->rows[a].method_eval[j];
                table_put(&t, column++, e->quality.ranking.average_precision);
                table_put(&t, column++, e->bounded ? e->quality.reliability.ece : NAN);
            }
    }
    document_table(d, &t);
}

/* Says whether the confidence in a label is what it is right, in points where it is not. */
static void put_verdict(struct table *t, size_t column, const struct label_eval *label)
{
    enum { FEW = 30 };
    char says[64];
    double over = 100 * (label->confidence - label->accuracy);
    snprintf(says, sizeof says, over > 0 ? "too high by %.1f" : "too low by %.1f", fabs(over));
    if (!isnan(label->calibration.limit))
        table_put_text(t, column,
                       label->count < FEW                       ? "too few to tell"
                       : label->ece <= label->calibration.limit ? "right, as far as can be told"
                                                                : says);
}

/* Adds a row for each label of one kind of answers, by the first method. */
static void put_by_label(struct document *d, const struct confidence_eval *c, enum aspect a)
{
    static const char *const columns[] = {"answers", "confidence, %", "right, %", "ECE", "limit", "confidence is"};
    const struct method_eval *e = c->rows[a].method_eval;
    struct table t;
    char name[64], title[64];
    snprintf(name, sizeof name, "by-label-%s", aspect_names[a]);
    snprintf(title, sizeof title, "Confidence in %s, by %s", aspect_title(a),
             a == ASPECT_SPANS ? "type" : a == ASPECT_RELATIONS ? "relation" : "label");
    table_init(&t, name, title, a == ASPECT_SPANS ? "type" : a == ASPECT_RELATIONS ? "relation" : "label",
               BETTER_NEITHER);
    for (size_t j = 0; j < 6; j++)
        table_add_column(&t, (struct table_column){.name = columns[j], .digits = j == 0 ? 0 : j < 3 ? 2 : 4});
    for (uint32_t k = 0; c->rows[a].present && e->by_label && k < c->labels; k++) {
        const struct label_eval *label = &e->by_label[k];
        const double figure[] = {(double)label->count, 100 * label->confidence, 100 * label->accuracy, label->ece,
                                 label->calibration.limit};
        if (!label->count)
            continue;
        char *shown = new_string(c->label[k].name.at, c->label[k].name.length, NULL);
        t.broken |= !shown;
        table_add_row(&t, shown ? shown : "", false);
        free(shown);
        for (size_t j = 0; j < 5; j++)
            table_put(&t, j, figure[j]);
        put_verdict(&t, 5, label);
    }
    document_table(d, &t);
}

/* ---- Pictures ---- */

/* Which answers are drawn: those that count words inside of chunks alone would be drawn twice. */
static bool is_drawn(const struct confidence_eval *c, enum aspect a)
{
    return c->rows[a].present && a != ASPECT_INSIDE && c->rows[a].rows.count > 0;
}

/* Draws the share that is right in each tenth of confidence; intervals go by sentences, which come one by one. */
static void draw_bins(struct chart *chart, const struct judged *judged, size_t n)
{
    enum { TENTHS = 10 };
    struct clustered sum[TENTHS] = {0};
    double right[TENTHS] = {0}, of[TENTHS] = {0}, all[TENTHS] = {0}, all_right[TENTHS] = {0}, total[TENTHS] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t b = (size_t)fmin(fmax(judged[i].confidence, 0) * TENTHS, TENTHS - 1);
        of[b]++;
        right[b] += judged[i].right;
        total[b] += judged[i].confidence;
        if (i + 1 < n && judged[i + 1].sentence == judged[i].sentence)
            continue;
        for (b = 0; b < TENTHS; b++) {
            if (of[b] > 0)
                clustered_add(&sum[b], right[b], of[b]);
            all[b] += of[b];
            all_right[b] += right[b];
            right[b] = of[b] = 0;
        }
    }
    for (size_t b = 0; b < TENTHS; b++) {
        struct interval band = clustered_interval(&sum[b]);
        if (all[b] > 0)
            chart_add_whisker(chart, total[b] / all[b], all_right[b] / all[b], band.low, band.high, all[b]);
    }
}

/* Draws what is wrong among the surest; the axis leaves out where that is next to nothing. */
static void draw_risk(struct chart *chart, const struct levels *levels, bool first)
{
    static const double from[] = {90, 80, 50, 0};
    struct curve_point point[200];
    size_t points = risk_coverage_curve(levels, point, 200), k = 0;
    for (size_t i = 0; i < points; i++)
        chart_add_point(chart, 100 * point[i].x, 100 * point[i].y);
    for (size_t i = 0; first && i < points; i++)
        while (from[k] > 0 && 100 * point[i].x <= from[k] && point[i].y > 0.1 * point[points - 1].y)
            k++;
    chart->x_from = first ? from[k] : chart->x_from;
}

/* Draws what is found among the least sure; the axis ends where that is nearly all. */
static void draw_found(struct chart *chart, const struct levels *levels, bool first)
{
    static const double to[] = {10, 20, 50, 100};
    size_t k = 0;
    for (int i = 0; i <= 200; i++)
        chart_add_point(chart, i / 2.0, 100 * errors_found(levels, i / 200.0));
    while (to[k] < 100 && !(errors_found(levels, to[k] / 100) >= 0.9))
        k++;
    chart->x_to = first ? to[k] : chart->x_to;
}

/* Each has a picture, with a panel for words, for spans and for sentences. */
enum question { RELIABILITY, RISK, FOUND, QUESTIONS };

/* Adds the lines of one method to the panels of an aspect. */
static bool draw_method(struct chart *chart[QUESTIONS], const struct confidence_eval *c, enum aspect a, uint32_t j,
                        struct vouch_error *err)
{
    const struct method_eval *e = &c->rows[a].method_eval[j];
    struct levels levels = {0};
    size_t n;
    struct judged *judged = confidence_eval_judged(c, a, j, &n, err);
    bool ok = judged && levels_init(&levels, judged, n, err);
    for (enum question p = j == 0 ? RELIABILITY : RISK; ok && p < QUESTIONS; p++)
        chart_add_series(chart[p], c->methods > 1 && p != RELIABILITY ? e->method : "");
    if (ok && j == 0 && e->bounded) /* bins of several methods cannot be told apart */
        draw_bins(chart[RELIABILITY], judged, n);
    if (ok && n) {
        draw_risk(chart[RISK], &levels, j == 0);
        draw_found(chart[FOUND], &levels, j == 0);
    }
    levels_release(&levels);
    free(judged);
    return ok;
}

static bool draw_aspect(struct figure figure[QUESTIONS], const struct confidence_eval *c, enum aspect a,
                        struct vouch_error *err)
{
    static const struct {
        const char *name, *x, *y;
    } axes[QUESTIONS] = {{"reliability", "confidence", "share that is right"},
                        {"risk-coverage", "kept, surest first, %", "wrong among them, %"},
                        {"errors-found", "read, least sure first, %", "errors found, %"}};
    struct chart *chart[QUESTIONS];
    bool ok = true;
    for (enum question p = 0; p < QUESTIONS; p++) {
        char name[64], x[64];
        snprintf(name, sizeof name, "%s-%s", axes[p].name, aspect_names[a]);
        snprintf(x, sizeof x, p == RELIABILITY ? "%.0s%s" : "%s %s", aspect_names[a], axes[p].x);
        chart[p] = figure_add(&figure[p], name, aspect_names[a], x, axes[p].y);
        chart[p]->x_from = chart[p]->y_from = 0;
        chart[p]->x_to = p == RELIABILITY ? 1 : 100;
        chart[p]->y_to = p == RELIABILITY ? 1 : p == FOUND ? 100 : NAN;
        if (p != RISK)
            chart_add_guide(chart[p], 0, 0, chart[p]->x_to, chart[p]->y_to);
    }
    for (uint32_t j = 0; ok && j < c->methods && j < MOST_LINES; j++)
        ok = draw_method(chart, c, a, j, err);
    return ok;
}

/* Describes the words in the top bin. */
static void say_top_bin(struct prose *says, const struct confidence_eval *c)
{
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    const struct reliability_bin *top = &rows->method_eval[0].quality.reliability.bin[RELIABILITY_BINS - 1];
    prose_say(says, "On the line, confidence is the probability of being right. A point stands for a tenth of the "
                    "scale, with a 90 %% interval by sentences; the numbers above count the answers.");
    if (rows->method_eval[0].bounded && top->words && rows->rows.count)
        prose_say(says, " By %s, %.1f %% of the words have 0.95 or more, and %.2f %% of these are right.",
                  rows->method_eval[0].method, 100.0 * (double)top->words / (double)rows->rows.count,
                  100 * top->accuracy);
}

static void say_found(struct prose *says, const struct confidence_eval *c)
{
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    prose_say(says, "The straight line is a random order. The axis ends where nearly all are found.");
    if (!isnan(rows->method_eval[0].quality.ranking.found[2]))
        prose_say(says, " By %s, the least sure tenth of the words holds %.0f %% of the %s errors.",
                  rows->method_eval[0].method, 100 * rows->method_eval[0].quality.ranking.found[2],
                  SHOWN(rows->wrong));
}

static bool put_pictures(struct document *d, const struct confidence_eval *c)
{
    struct figure figure[QUESTIONS] = {{.title = "Is it a probability?"},
                                      {.title = "How many errors are left among the surest?"},
                                      {.title = "How soon are the errors found?"}};
    bool ok = true;
    for (enum aspect a = 0; ok && a < ASPECTS; a++)
        ok = !is_drawn(c, a) || draw_aspect(figure, c, a, d->err);
    say_top_bin(&figure[RELIABILITY].says, c);
    prose_say(&figure[RISK].says, "The axis leaves out the surest answers where almost none is wrong.");
    say_found(&figure[FOUND].says, c);
    for (enum question p = 0; p < QUESTIONS; p++)
        document_figure(d, &figure[p]);
    return ok;
}

static void put_list(struct document *d, const struct eval_list *list, const char *title, const char *about)
{
    document_heading(d, NULL, title);
    document_say(d, NULL, list->count ? about : "There are none.");
    if (!d->ok || !list->count)
        return;
    output_printf(d->page, "<ol class=\"items\">\n");
    for (size_t i = 0; i < list->count; i++)
        output_printf(d->page, "%s", list->item[i]);
    output_printf(d->page, "</ol>\n");
}

/* Adds one of the figures at the top: its name, the number as `format` has it, and a line about it. */
static void put_headline(struct document *d, const char *name, const char *format, double number, struct prose *about)
{
    char shown[64];
    char *says = prose_take(about, d->err);
    snprintf(shown, sizeof shown, format, number);
    d->ok = d->ok && says;
    if (d->ok && !isnan(number)) {
        page_put(d->page, "<div class=\"card\"><dt>", name, "</dt>");
        page_put(d->page, "<dd><b>", shown, "</b> ");
        page_put(d->page, "<span class=\"soft\">", says, "</span></dd></div>\n");
    }
    free(says);
}

static void put_headlines_of_trees(struct document *d, const struct tree_score *s, bool labelled)
{
    struct prose about = {0};
    prose_say(&about, "of the words have the right head and relation");
    put_headline(d, "LAS", "%.2f %%", labelled ? tag_percent(s->all.labelled, s->all.words) : NAN, &about);
    prose_say(&about, "of %s words have the right head", SHOWN(s->all.words));
    put_headline(d, "UAS", "%.2f %%", tag_percent(s->all.heads, s->all.words), &about);
    prose_say(&about, "of %s have all heads right", SHOWN(s->sentences));
    put_headline(d, "Whole trees", "%.2f %%", tag_percent(s->complete, s->sentences), &about);
}

static void put_headlines_of_labels(struct document *d, const struct tag_score *s)
{
    struct prose about = {0};
    struct tag_rates rates = tag_rates(s->all);
    prose_say(&about, "precision %.2f, recall %.2f", rates.precision, rates.recall);
    put_headline(d, "F1 of spans", "%.2f", s->unit == TAG_CHUNKS ? rates.f1 : NAN, &about);
    prose_say(&about, "of %s are right", SHOWN(s->words));
    put_headline(d, "Words", "%.2f %%", tag_percent(s->right_words, s->words), &about);
    prose_say(&about, "of %s are right", SHOWN(s->sentences));
    put_headline(d, "Whole sentences", "%.2f %%", tag_percent(s->right_sentences, s->sentences), &about);
}

/* Adds the figures that one looks for first. */
static void put_headlines(struct document *d, const struct evaluation *e)
{
    const struct confidence_eval_rows *rows = &e->confidence_eval.rows[ASPECT_WORDS];
    const struct method_eval *m = &rows->method_eval[0];
    struct prose about = {0};
    if (!d->ok)
        return;
    output_printf(d->page, "<dl class=\"headlines\">\n");
    if (e->parses)
        put_headlines_of_trees(d, &e->trees, e->labelled);
    else
        put_headlines_of_labels(d, &e->score);
    prose_say(&about, "of %s, in the least sure tenth of the words", SHOWN(rows->wrong));
    put_headline(d, "Errors found", "%.0f %%", 100 * m->quality.ranking.found[2], &about);
    prose_say(&about, "in the mean over the words (ECE)");
    if (!isnan(m->intervals.calibration.limit))
        prose_say(&about, "; chance alone: up to %.4f", m->intervals.calibration.limit);
    put_headline(d, "Confidence is off by", "%.4f", m->bounded ? m->quality.reliability.ece : NAN, &about);
    if (d->ok)
        output_printf(d->page, "</dl>\n");
}

static char *lead_of(const struct eval_report *r, struct vouch_error *err)
{
    struct prose says = {0};
    const struct evaluation *e = r->evaluation;
    const struct eval_options *set = e->options;
    const struct answer_names *called = answers_called(&e->confidence_eval);
    const struct method_eval *first = &e->confidence_eval.rows[ASPECT_WORDS].method_eval[0];
    size_t files = set->answers ? 1 : set->common.arguments;
    prose_say(&says, "On ");
    for (size_t i = 0; i < files; i++)
        prose_say(&says, "%s%s", prose_comma(i, files), path_name(set->answers ? r->name : set->common.argument[i]));
    prose_say(&says, "%s. Confidence%s by %s, %s.", files ? "" : "standard input", called->in_them, first->method,
              first->calibrated ? "calibrated" : "as it comes");
    return prose_take(&says, err);
}

static bool put_page(struct document *d, const struct eval_report *r, const char *command)
{
    const struct evaluation *e = r->evaluation;
    const struct confidence_eval *c = &e->confidence_eval;
    put_headlines(d, e);
    if (d->ok && !put_pictures(d, c))
        return false;
    document_heading(d, NULL, "In numbers");
    document_beside(d, true);
    put_grid(d, c);
    if (e->parses)
        put_trees(d, &e->trees, e->labelled);
    else
        put_labels(d, &e->score);
    document_beside(d, false);
    if (c->methods > 1)
        put_methods(d, c);
    document_heading(d, NULL, e->parses ? "By relation" : "By label");
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (is_drawn(c, a))
            put_by_label(d, c, a);
    put_list(d, &r->doubtful, "The words it is least sure of", "Least sure first: this is where a second look pays.");
    put_list(d, &r->mistaken, "The mistakes it is surest of",
             "Surest first: what confidence cannot find. Some of these may be mistakes of the corpus.");
    document_heading(d, NULL, "Where the numbers come from");
    if (d->ok)
        page_put(d->page, "<pre>", command, "</pre>\n");
    return true;
}

bool eval_write_page(const struct eval_report *r, const char *command, const char *path, struct vouch_error *err)
{
    struct document d;
    struct prose title = {0};
    prose_say(&title, "Evaluation of %s", path_name(r->name));
    char *heading = prose_take(&title, err), *lead = heading ? lead_of(r, err) : NULL;
    bool ok = lead;
    if (ok) {
        document_begin(&d, path, NULL, heading, lead, err);
        d.ok = put_page(&d, r, command) && d.ok;
        ok = document_end(&d);
    }
    free(heading);
    free(lead);
    return ok;
}
