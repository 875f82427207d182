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
        output_printf(out, "<b>%.1f%%</b><span class=\"bar\" style=\"--share:%.0f\"></span>", 100 * confidence,
                      100 * confidence);
    else
        output_printf(out, "<b>%.4g</b>", confidence);
    output_printf(out, "</div>\n<div><p>%s", from > 0 ? "\xe2\x80\xa6 " : "");
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
    table_init(&t, "labels", chunks ? "Phrases, in percent" : "Labels, in percent", chunks ? "type" : "label",
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

/* Tells what a random order would reach. */
static void say_chance(struct prose *says, const struct confidence_eval *c)
{
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    const struct answer_names *called = answers_called(c);
    if (rows->rows.count)
        prose_say(says, "%s of %s words %s: chance would have an average precision of about %.3f.",
                  SHOWN(rows->wrong), SHOWN(rows->rows.count),
                  rows->wrong == 1 ? called->is_wrong : called->are_wrong,
                  (double)rows->wrong / (double)rows->rows.count);
}

static void say_floor(struct prose *says, const struct confidence_eval *c)
{
    const struct method_eval *first = &c->rows[ASPECT_WORDS].method_eval[0];
    if (first->bounded && !isnan(first->quality.reliability.rmse_floor))
        prose_say(says,
                  "Exact probabilities would have an RMSE of %.4f (words, %s), since they are not at the centres of "
                  "their bins.",
                  first->quality.reliability.rmse_floor, first->method);
}

/* Tells whether the first method's numbers may be exact. */
static void say_test(struct prose *says, const struct confidence_eval *c)
{
    for (enum aspect a = 0; a < ASPECTS; a++) {
        const struct method_eval *first = c->rows[a].method_eval;
        if (!c->rows[a].present || isnan(first->intervals.calibration.p))
            continue;
        double ece = first->quality.reliability.ece, limit = first->intervals.calibration.limit;
        prose_say(says,
                  " The ECE of %s by %s is %.4f; exact probabilities would stay below %.4f in 95 of 100 samples%s.",
                  aspect_names[a], first->method, ece, limit, ece > limit ? ", so these are not exact" : "");
    }
}

/* Adds a row for each figure of each kind of row, a column for each method. */
static void put_figures_for(struct document *d, const struct confidence_eval *c, enum eval_use use, const char *title)
{
    enum better better = use == TO_FIND_ERRORS ? BETTER_HIGHER : BETTER_LOWER;
    struct table t;
    char name[128];
    table_init(&t, better == BETTER_HIGHER ? "finding" : "believing", title, "", better);
    prose_begin(&t.says);
    for (uint32_t j = 0; j < c->methods; j++) {
        const struct method_eval *method_eval = &c->rows[ASPECT_WORDS].method_eval[j];
        table_add_column(&t, (struct table_column){.name = method_eval->method,
                                                   .digits = better == BETTER_HIGHER ? 3 : 4,
                                                   .rival = !is_chance(method_eval)});
    }
    for (enum aspect a = 0; a < ASPECTS; a++)
        for (const struct eval_figure *f = eval_figures; c->rows[a].present && f->use; f++) {
            if (!f->name || !(f->use & use))
                continue;
            snprintf(name, sizeof name, "%s: %s", aspect_names[a], f->name);
            table_add_row(&t, name, false);
            for (uint32_t j = 0; j < c->methods; j++)
                if (better == BETTER_HIGHER || c->rows[a].method_eval[j].bounded)
                    table_put(&t, j, figure_of(&c->rows[a].method_eval[j], f));
        }
    if (better == BETTER_HIGHER)
        say_chance(&t.says, c);
    else
        say_floor(&t.says, c);
    if (better == BETTER_LOWER)
        say_test(&t.says, c);
    document_table(d, &t);
}

/* Adds a row for each label of each kind of row, by the first method. */
static void put_by_label(struct document *d, const struct confidence_eval *c)
{
    static const char *const columns[] = {"answers", "confidence, %", "right, %", "ECE", "limit"};
    struct table t;
    char name[128];
    table_init(&t, "by-label", "By label, relation and type of chunk", "", BETTER_NEITHER);
    prose_begin(&t.says);
    for (size_t j = 0; j < 5; j++)
        table_add_column(&t, (struct table_column){.name = columns[j], .digits = j == 0 ? 0 : j < 3 ? 2 : 4});
    for (enum aspect a = 0; a < ASPECTS; a++)
        for (uint32_t k = 0; c->rows[a].present && c->rows[a].method_eval->by_label && k < c->labels; k++) {
            const struct label_eval *label = &c->rows[a].method_eval->by_label[k];
            const double figure[] = {(double)label->count, 100 * label->confidence, 100 * label->accuracy, label->ece,
                                     label->calibration.limit};
            if (!label->count)
                continue;
            snprintf(name, sizeof name, "%s: %.*s", aspect_names[a], (int)c->label[k].name.length,
                     c->label[k].name.at);
            table_add_row(&t, name, false);
            for (size_t j = 0; j < 5; j++)
                table_put(&t, (uint32_t)j, figure[j]);
        }
    prose_say(&t.says, "By %s. A probability may be right over all answers, and too high or too low for each label.",
              c->rows[ASPECT_WORDS].method_eval->method);
    document_table(d, &t);
}

static void chart_of_bins(struct figure *f, const struct confidence_eval *c)
{
    struct chart *chart = figure_add(f, "accuracy", "Accuracy by confidence", "confidence", "share that is right");
    chart->x_from = chart->y_from = 0;
    chart->x_to = chart->y_to = 1;
    chart_add_guide(chart, 0, 0, 1, 1);
    for (uint32_t j = 0; j < c->methods && j < MOST_LINES; j++) {
        const struct method_eval *method_eval = &c->rows[ASPECT_WORDS].method_eval[j];
        chart_add_series(chart, method_eval->method);
        for (size_t b = 0; method_eval->bounded && b < RELIABILITY_BINS; b++)
            if (method_eval->quality.reliability.bin[b].words)
                chart_add_point(chart, method_eval->quality.reliability.bin[b].confidence,
                                method_eval->quality.reliability.bin[b].accuracy);
    }
}

/* Draws, for the first method, shares of all words, of the wrong and of the right. */
static void chart_of_population(struct figure *f, const struct confidence_eval *c)
{
    static const char *const names[] = {"all", "wrong", "right"};
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    const struct reliability_bin *bin = rows->method_eval[0].quality.reliability.bin;
    const double all = (double)rows->rows.count, wrong = (double)rows->wrong;
    char title[96];
    snprintf(title, sizeof title, "Words by confidence (%s)", rows->method_eval[0].method);
    struct chart *chart = figure_add(f, "population", title, "confidence", "share of the words, %");
    chart->bars = 1.0 / RELIABILITY_BINS;
    chart->x_from = chart->y_from = 0;
    chart->x_to = 1;
    chart->y_to = 100;
    for (int s = 0; s < 3; s++) {
        chart_add_series(chart, names[s]);
        for (size_t b = 0; rows->method_eval[0].bounded && b < RELIABILITY_BINS; b++) {
            double n = (double)bin[b].words, right = (double)bin[b].right;
            double part = s == 0 ? n : s == 1 ? n - right : right, whole = s == 0 ? all : s == 1 ? wrong : all - wrong;
            chart_add_point(chart, ((double)b + 0.5) / RELIABILITY_BINS, whole > 0 ? 100 * part / whole : NAN);
        }
    }
}

/* Describes the words in the top bin. */
static void say_top_bin(struct prose *says, const struct confidence_eval *c)
{
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    const struct reliability_bin *top = &rows->method_eval[0].quality.reliability.bin[RELIABILITY_BINS - 1];
    if (rows->method_eval[0].bounded && top->words && rows->rows.count)
        prose_say(
            says, "By %s, %.1f %% of the words have a confidence of 0.95 or more, and %.2f %% of these are right.",
            rows->method_eval[0].method, 100.0 * (double)top->words / (double)rows->rows.count, 100 * top->accuracy);
}

typedef size_t curve_function(const struct levels *levels, struct curve_point *point, size_t most);

static const struct curve_of {
    const char *name, *title, *x, *y;
    curve_function *curve;
} risk = {"risk-coverage", "Errors among the surest words", "words kept, surest first, %", "wrong among them, %",
          risk_coverage_curve},
  recall = {"precision-recall", "Finding the errors", "errors found, %", "wrong among the inspected, %",
            precision_recall_curve};

static bool chart_of_curve(struct figure *f, const struct confidence_eval *c, const struct curve_of *of,
                           struct vouch_error *err)
{
    struct curve_point *point = new_array(CURVE_POINTS, sizeof *point, err);
    struct chart *chart = figure_add(f, of->name, of->title, of->x, of->y);
    bool ok = point;
    chart->x_from = chart->y_from = 0;
    chart->x_to = 100;
    for (uint32_t j = 0; ok && j < c->methods && j < MOST_LINES; j++) {
        struct levels levels = {0};
        size_t n;
        struct judged *judged = confidence_eval_judged(c, ASPECT_WORDS, j, &n, err);
        ok = judged && levels_init(&levels, judged, n, err);
        chart_add_series(chart, c->rows[ASPECT_WORDS].method_eval[j].method);
        size_t points = ok ? of->curve(&levels, point, 200) : 0;
        for (size_t i = 0; i < points; i++)
            chart_add_point(chart, 100 * point[i].x, 100 * point[i].y);
        levels_release(&levels);
        free(judged);
    }
    free(point);
    return ok;
}

static bool put_figures(struct document *d, const struct confidence_eval *c)
{
    struct figure bins = {0}, curves = {0};
    const struct method_eval *first = &c->rows[ASPECT_WORDS].method_eval[0];
    chart_of_bins(&bins, c);
    chart_of_population(&bins, c);
    say_top_bin(&bins.says, c);
    bins.title = "Is it a probability?";
    document_figure(d, &bins);
    bool ok = chart_of_curve(&curves, c, &risk, d->err) && chart_of_curve(&curves, c, &recall, d->err);
    if (!isnan(first->quality.ranking.found[2]))
        prose_say(&curves.says, "By %s, the least sure tenth of the words holds %.0f %% of the errors.", first->method,
                  100 * first->quality.ranking.found[2]);
    curves.title = "Does it find the errors?";
    document_figure(d, &curves);
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

static char *lead_of(const struct eval_report *r, struct vouch_error *err)
{
    struct prose says = {0};
    const struct evaluation *e = r->evaluation;
    const struct eval_options *set = e->options;
    const struct answer_names *called = answers_called(&e->confidence_eval);
    const struct method_eval *first = &e->confidence_eval.rows[ASPECT_WORDS].method_eval[0];
    uint64_t words = e->score.words + e->trees.all.words, right = e->score.right_words + e->trees.all.heads;
    size_t files = set->answers ? 1 : set->common.arguments;
    prose_say(&says, "On ");
    for (size_t i = 0; i < files; i++)
        prose_say(&says, "%s%s", prose_comma(i, files), path_name(set->answers ? r->name : set->common.argument[i]));
    prose_say(&says, "%s: %.2f %% of %s words %s. Confidence%s by %s, %s.", files ? "" : "standard input",
              tag_percent(right, words), SHOWN(words), called->are_right, called->in_them, first->method,
              first->calibrated ? "calibrated" : "as it comes");
    return prose_take(&says, err);
}

static bool put_page(struct document *d, const struct eval_report *r, const char *command)
{
    const struct evaluation *e = r->evaluation;
    const struct confidence_eval *c = &e->confidence_eval;
    document_heading(d, NULL, "What it gets right");
    if (e->parses)
        put_trees(d, &e->trees, e->labelled);
    else
        put_labels(d, &e->score);
    document_heading(d, NULL, "How far its confidence can be believed");
    put_figures_for(d, c, TO_FIND_ERRORS, "To find errors, least sure first");
    put_figures_for(d, c, AS_PROBABILITY, "To be the probability of being right");
    if (c->rows[ASPECT_WORDS].method_eval->by_label)
        put_by_label(d, c);
    if (d->ok && !put_figures(d, c))
        return false;
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
