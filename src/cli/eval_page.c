/*
 * Writes a page about one evaluation: tables and figures of what eval_print.c prints, and words to look at, which are
 * collected while the files are answered.
 */
#include "cli/eval_report.h"

#include "base/path.h"
#include "report/document.h"
#include "report/page.h"
#include "report/prose.h"

#include <math.h>
#include <stdio.h>

enum { MOST_LINES = 6, AROUND = 8 }; /* methods that can be told apart in a figure; words on either side */

/* Words to look at. */

/* A sentence that is being looked at. */
struct seen {
    const struct sentence *sentence;
    const struct text *gold;
    const struct answer *answer;
    const char *file;
};

static struct text form(const struct sentence *s, uint32_t i)
{
    struct text word = sentence_form(s, i);
    return word.length ? word : text_of("_");
}

static void say_text(struct prose *prose, struct text text)
{
    prose_say(prose, "%.*s", (int)text.length, text.at);
}

/* Writes words from .. to - 1. */
static void say_words(struct prose *prose, const struct sentence *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        prose_say(prose, i > from ? " " : "");
        say_text(prose, form(s, i));
    }
}

/* Returns the words before word i, with dots for those that are left out. */
static char *say_before(const struct sentence *s, uint32_t i, struct vouch_error *err)
{
    struct prose prose = {0};
    uint32_t from = i > AROUND ? i - AROUND : 0;
    prose_say(&prose, from > 0 ? "\xe2\x80\xa6 " : "");
    say_words(&prose, s, from, i);
    return prose_take(&prose, err);
}

static char *say_after(const struct sentence *s, uint32_t i, struct vouch_error *err)
{
    struct prose prose = {0};
    uint32_t to = s->N - i - 1 > AROUND ? i + 1 + AROUND : s->N;
    say_words(&prose, s, i + 1, to);
    prose_say(&prose, to < s->N ? " \xe2\x80\xa6" : "");
    return prose_take(&prose, err);
}

/* Returns the word of the head, whose confidence it is; without heads, the label. */
static char *say_choice(const struct sentence *s, const uint32_t *head, const struct text *label, uint32_t i,
                        struct vouch_error *err)
{
    struct text choice = !head ? label[i] : head[i] ? form(s, head[i] - 1) : text_of("ROOT");
    return new_string(choice.at, choice.length, err);
}

static void word_release(struct eval_word *word)
{
    free(word->before);
    free(word->word);
    free(word->after);
    free(word->answer);
    free(word->gold);
}

static bool describe(struct eval_word *word, const struct seen *v, uint32_t i, struct vouch_error *err)
{
    const struct sentence *s = v->sentence;
    struct text own = form(s, i);
    word->file = v->file;
    word->line = s->number;
    word->before = say_before(s, i, err);
    word->word = new_string(own.at, own.length, err);
    word->after = say_after(s, i, err);
    word->answer = say_choice(s, v->answer->head, v->answer->label, i, err);
    word->gold = say_choice(s, v->answer->head ? s->head : NULL, v->gold, i, err);
    return word->before && word->word && word->after && word->answer && word->gold;
}

/* Returns where in the list a word of this confidence belongs: after all that are no worse. */
static size_t place_of(const struct eval_list *list, double confidence)
{
    size_t at = list->count;
    while (at > 0 &&
           (list->surest ? confidence > list->word[at - 1].confidence : confidence < list->word[at - 1].confidence))
        at--;
    return at;
}

static bool consider(struct eval_list *list, const struct seen *v, uint32_t i, bool right, struct vouch_error *err)
{
    double confidence = v->answer->confidences->by_method[0].word[i];
    size_t at = place_of(list, confidence);
    if (isnan(confidence) || at == LISTED_WORDS)
        return true;
    struct eval_word word = {.confidence = confidence, .right = right};
    if (!describe(&word, v, i, err)) {
        word_release(&word);
        return false;
    }
    if (list->count == LISTED_WORDS)
        word_release(&list->word[--list->count]);
    for (size_t j = list->count; j > at; j--)
        list->word[j] = list->word[j - 1];
    list->word[at] = word;
    list->count++;
    return true;
}

bool eval_words_take(struct eval_words *words, const struct sentence *sentence, const struct text *gold,
                     const struct answer *answer, struct vouch_error *err)
{
    const struct seen seen = {sentence, gold, answer, words->file};
    words->mistaken.surest = true;
    for (uint32_t i = 0; i < sentence->N; i++) {
        bool right = answer->head ? answer->head[i] == sentence->head[i] : text_equal(answer->label[i], gold[i]);
        if (!consider(&words->doubtful, &seen, i, right, err) ||
            (!right && !consider(&words->mistaken, &seen, i, right, err)))
            return false;
    }
    return true;
}

static void list_release(struct eval_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        word_release(&list->word[i]);
    list->count = 0;
}

void eval_words_release(struct eval_words *words)
{
    list_release(&words->doubtful);
    list_release(&words->mistaken);
}

/* What it gets right. */

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
    prose_say(&t.says, "%.2f %% of %llu words are right, and all words in %.2f %% of %llu sentences.",
              tag_percent(s->right_words, s->words), (unsigned long long)s->words,
              tag_percent(s->right_sentences, s->sentences), (unsigned long long)s->sentences);
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
    prose_say(&t.says, "%.2f %% of %llu trees are right in all heads.", tag_percent(s->complete, s->sentences),
              (unsigned long long)s->sentences);
    document_table(d, &t);
}

/* How good its confidence is. */

/* A figure of a method on one kind of row: where it is in struct method_eval. */
struct measure {
    const char *name;
    size_t offset;
};
#define MEASURE(field) offsetof(struct method_eval, quality.field)

static const struct measure finding[] = {
    {"average precision", MEASURE(ranking.average_precision)},
    {"area under ROC", MEASURE(ranking.area_under_roc)},
    {"errors found in the first 1 %", MEASURE(ranking.found[0])},
    {"in the first 5 %", MEASURE(ranking.found[1])},
    {"in the first 10 %", MEASURE(ranking.found[2])},
};

static const struct measure believing[] = {
    {"RMSE over bins", MEASURE(reliability.rmse)},
    {"expected calibration error", MEASURE(reliability.ece)},
    {"Brier score", MEASURE(reliability.brier)},
    {"log loss", MEASURE(reliability.log_loss)},
};

static double measured(const struct method_eval *c, const struct measure *m)
{
    return *(const double *)((const char *)c + m->offset);
}

/* Tells what a random order would reach. */
static void say_chance(struct prose *says, const struct confidence_eval *c)
{
    const struct confidence_eval_rows *rows = &c->rows[ASPECT_WORDS];
    const struct answer_names *called = answers_called(c);
    if (rows->rows.count)
        prose_say(says, "%llu of %zu words %s: chance would have an average precision of about %.3f.",
                  (unsigned long long)rows->wrong, rows->rows.count,
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

/* Adds a row for each measure of each kind of row, a column for each method. */
static void put_measures(struct document *d, const struct confidence_eval *c, const struct measure *m, size_t n,
                         enum better better, const char *title)
{
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
        for (size_t i = 0; c->rows[a].present && i < n; i++) {
            snprintf(name, sizeof name, "%s: %s", aspect_names[a], m[i].name);
            table_add_row(&t, name, false);
            for (uint32_t j = 0; j < c->methods; j++)
                if (better == BETTER_HIGHER || c->rows[a].method_eval[j].bounded)
                    table_put(&t, j, measured(&c->rows[a].method_eval[j], &m[i]));
        }
    if (better == BETTER_HIGHER)
        say_chance(&t.says, c);
    else
        say_floor(&t.says, c);
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
    figure_title(&bins, "Is it a probability?");
    document_figure(d, &bins);
    bool ok = chart_of_curve(&curves, c, &risk, d->err) && chart_of_curve(&curves, c, &recall, d->err);
    if (!isnan(first->quality.ranking.found[2]))
        prose_say(&curves.says, "By %s, the least sure tenth of the words holds %.0f %% of the errors.", first->method,
                  100 * first->quality.ranking.found[2]);
    figure_title(&curves, "Does it find the errors?");
    document_figure(d, &curves);
    return ok;
}

static void put_label(struct output *out, const char *kind, const char *says, const char *text)
{
    output_printf(out, "<span class=\"label %s\" title=\"%s\"", kind, says);
    page_put(out, ">", text, "</span>");
}

static void put_word(struct output *out, const struct eval_word *word, const struct confidence_eval *c)
{
    output_printf(out, "<li><div>");
    if (c->rows[ASPECT_WORDS].method_eval[0].calibrated)
        output_printf(out, "<b>%.1f%%</b><span class=\"bar\" style=\"--share:%.0f\"></span>", 100 * word->confidence,
                      100 * word->confidence);
    else
        output_printf(out, "<b>%.4g</b>", word->confidence);
    output_printf(out, "</div>\n<div><p>");
    page_put(out, "", word->before, "");
    page_put(out, " <mark>", word->word, "</mark> ");
    page_put(out, "", word->after, "</p>\n");
    output_printf(out, "<p>%s", c->trees ? "<span class=\"soft\">depends on</span> " : "");
    put_label(out, word->right ? "cool" : "warm", "the answer", word->answer);
    if (word->right) {
        output_printf(out, " <span class=\"soft\">right");
    } else {
        output_printf(out, " <span class=\"soft\">wrong, it is</span> ");
        put_label(out, "cool", "gold", word->gold);
        output_printf(out, " <span class=\"soft\">");
    }
    output_printf(out, " \xC2\xB7 ");
    if (word->file)
        page_put(out, "", word->file, ", ");
    output_printf(out, "line %llu</span></p></div></li>\n", (unsigned long long)word->line);
}

static void put_list(struct document *d, const struct eval_list *list, const struct confidence_eval *c,
                     const char *title, const char *about)
{
    document_heading(d, 2, NULL, title);
    document_say(d, NULL, list->count ? about : "There are none.");
    if (!d->ok || !list->count)
        return;
    output_printf(d->page, "<ol class=\"items\">\n");
    for (size_t i = 0; i < list->count; i++)
        put_word(d->page, &list->word[i], c);
    output_printf(d->page, "</ol>\n");
}

static char *lead_of(const struct eval_page *p, struct vouch_error *err)
{
    struct prose says = {0};
    const struct evaluation *e = p->evaluation;
    const struct answer_names *called = answers_called(&e->confidence_eval);
    const struct method_eval *first = &e->confidence_eval.rows[ASPECT_WORDS].method_eval[0];
    uint64_t words = e->score.words + e->trees.all.words, right = e->score.right_words + e->trees.all.heads;
    prose_say(&says, "On ");
    for (size_t i = 0; i < p->files; i++)
        prose_say(&says, "%s%s", prose_comma(i, p->files), path_name(p->file[i]));
    prose_say(&says, "%s: %.2f %% of %llu words %s. Confidence%s by %s, %s.", p->files ? "" : "standard input",
              tag_percent(right, words), (unsigned long long)words, called->are_right, called->in_them, first->method,
              first->calibrated ? "calibrated" : "as it comes");
    return prose_take(&says, err);
}

static bool put_page(struct document *d, const struct eval_page *p)
{
    const struct confidence_eval *c = &p->evaluation->confidence_eval;
    document_heading(d, 2, NULL, "What it gets right");
    if (p->evaluation->parses)
        put_trees(d, &p->evaluation->trees, p->evaluation->labelled);
    else
        put_labels(d, &p->evaluation->score);
    document_heading(d, 2, NULL, "How far its confidence can be believed");
    put_measures(d, c, finding, sizeof finding / sizeof *finding, BETTER_HIGHER, "To find errors, least sure first");
    put_measures(d, c, believing, sizeof believing / sizeof *believing, BETTER_LOWER,
                 "To be the probability of being right");
    if (d->ok && !put_figures(d, c))
        return false;
    put_list(d, &p->words->doubtful, c, "The words it is least sure of",
             "Least sure first: this is where a second look pays.");
    put_list(d, &p->words->mistaken, c, "The mistakes it is surest of",
             "Surest first: what confidence cannot find. Some of these may be mistakes of the corpus.");
    document_heading(d, 2, NULL, "Where the numbers come from");
    if (d->ok)
        page_put(d->page, "<pre>", p->command, "</pre>\n");
    return true;
}

bool eval_page_write(const struct eval_page *p, const char *path, struct vouch_error *err)
{
    struct document d;
    struct prose title = {0};
    prose_say(&title, "Evaluation of %s", path_name(p->model));
    char *heading = prose_take(&title, err), *lead = heading ? lead_of(p, err) : NULL;
    bool ok = lead;
    if (ok) {
        document_begin(&d, path, NULL, heading, lead, err);
        d.ok = put_page(&d, p) && d.ok;
        ok = document_end(&d);
    }
    free(heading);
    free(lead);
    return ok;
}
