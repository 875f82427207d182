/*
 * Prints an evaluation as text, and writes the points of its curves.
 *
 * A table of columns tells what each shows, with how many digits, and whether more or less is better; rows are methods,
 * or in the brief report what is judged.
 */
#include "cli/eval_report.h"

#include "base/elementary.h"
#include "base/output.h"
#include "cli/cli.h"
#include "confidence/evidence.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

/* Labels and trees. */

static bool print_score(const struct tag_score *score, bool quiet, struct vouch_error *err)
{
    struct buffer text = {0};
    bool ok = tag_score_report(score, &text, err);
    if (ok)
        show_text(stdout, buffer_text(&text), "\n");
    free(text.bytes);
    if (ok && !quiet) {
        fflush(stdout);
        showf(stderr, "%s all right: %llu of %llu (%.2f%%)\n", score->unit == TAG_SPANS ? "texts" : "sentences",
              (unsigned long long)score->right_sentences, (unsigned long long)score->sentences,
              tag_percent(score->right_sentences, score->sentences));
    }
    return ok;
}

/* Returns the width of a column that has room for one more name. */
static int wider(int width, struct text name)
{
    int more = name_width(name);
    return more > width ? more : width;
}

static void print_attachment(const char *name, uint64_t all, uint64_t words_only, const struct tree_score *score)
{
    printf("%-24s %9.2f %19.2f\n", name, tag_percent(all, score->all.words),
           tag_percent(words_only, score->words_only.words));
}

static void print_relations(const struct tree_score *score, bool labelled)
{
    printf("\n%-12s %8s %8s%s\n", "distance", "words", "UAS", labelled ? "      LAS" : "");
    for (uint32_t d = 0; d < DISTANCES; d++) {
        const struct attachment *a = &score->distance[d];
        printf("%-12s %8llu %8.2f", tree_distance_name[d], (unsigned long long)a->words,
               tag_percent(a->heads, a->words));
        if (labelled)
            printf(" %8.2f", tag_percent(a->labelled, a->words));
        putchar('\n');
    }
    if (!labelled)
        return;
    int width = 20;
    for (size_t i = 0; i < score->rows; i++)
        width = wider(width, text_of(score->row[i].name));
    printf("\n%-*s %8s %8s %10s %8s\n", width, "relation", "words", "UAS", "precision", "recall");
    for (size_t i = 0; i < score->rows; i++) {
        const struct tag_row *row = &score->row[i];
        show_name(stdout, text_of(row->name), width);
        printf(" %8llu %8.2f %10.2f %8.2f\n", (unsigned long long)row->counts.gold,
               tag_percent(row->heads, row->counts.gold), tag_percent(row->counts.correct, row->counts.guessed),
               tag_percent(row->counts.correct, row->counts.gold));
    }
}

static void print_trees(const struct tree_score *score, bool labelled, bool more)
{
    printf("%llu sentences, %llu words\n", (unsigned long long)score->sentences, (unsigned long long)score->all.words);
    printf("%-24s %9s %19s\n", "", "all words", "without punctuation");
    print_attachment("UAS", score->all.heads, score->words_only.heads, score);
    if (labelled) {
        print_attachment("LAS", score->all.labelled, score->words_only.labelled, score);
        print_attachment("LAS, universal relations", score->all.universal, score->words_only.universal, score);
    }
    printf("%-24s %9.2f\n", "root", tag_percent(score->right_roots, score->sentences));
    printf("%-24s %9.2f\n", "complete trees", tag_percent(score->complete, score->sentences));
    if (labelled)
        printf("%-24s %9.2f\n", "complete with relations", tag_percent(score->complete_labelled, score->sentences));
    printf("%-24s %9.2f\n", "trees with one root", tag_percent(score->one_root, score->sentences));
    if (more)
        print_relations(score, labelled);
}

/* Confidence. */

enum { STATE_WIDTH = 10, FIGURE_WIDTH = 8 };

#define FIGURE(field) offsetof(struct method_eval, quality.field)
#define TESTED(field) offsetof(struct method_eval, intervals.calibration.field)
#define INTERVAL(field) offsetof(struct method_eval, intervals.field)

/* clang-format off */
const struct eval_figure eval_figures[] = {
    {"AP", "average precision", NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS | IN_BRIEF,
     FIGURE(ranking.average_precision), INTERVAL(average_precision)},
    {"AUROC", "area under ROC", NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.area_under_roc), 0},
    {"10 %", NULL, "precision at recall", 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.precision[0]), 0},
    {"50 %", NULL, NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.precision[4]), 0},
    {"90 %", NULL, NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.precision[8]), 0},
    {"1 %", "errors found in the first 1 %", "found in the first", 3, BETTER_HIGHER, TO_FIND_ERRORS,
     FIGURE(ranking.found[0]), 0},
    {"5 %", "in the first 5 %", NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.found[1]), 0},
    {"10 %", "in the first 10 %", NULL, 3, BETTER_HIGHER, TO_FIND_ERRORS, FIGURE(ranking.found[2]), 0},
    {"AURC", NULL, NULL, 4, BETTER_LOWER, TO_FIND_ERRORS | IN_BRIEF, FIGURE(ranking.area_under_risk_coverage), 0},
    {"AUGRC", NULL, NULL, 4, BETTER_LOWER, TO_FIND_ERRORS, FIGURE(ranking.area_under_generalised_risk), 0},
    {"RMSE", "RMSE over bins", NULL, 4, BETTER_LOWER, AS_PROBABILITY | IN_BRIEF, FIGURE(reliability.rmse), 0},
    {"floor", NULL, NULL, 4, BETTER_NEITHER, AS_PROBABILITY | IN_BRIEF, FIGURE(reliability.rmse_floor), 0},
    {"ECE", "expected calibration error", NULL, 4, BETTER_LOWER, AS_PROBABILITY | IN_BRIEF,
     FIGURE(reliability.ece), 0},
    {"limit", NULL, NULL, 4, BETTER_NEITHER, AS_PROBABILITY | IN_BRIEF | IF_RESAMPLED, TESTED(limit), 0},
    {"p", NULL, NULL, 3, BETTER_NEITHER, AS_PROBABILITY | IF_RESAMPLED, TESTED(p), 0},
    {"by mass", NULL, NULL, 4, BETTER_LOWER, AS_PROBABILITY, FIGURE(reliability.ece_equal_mass), 0},
    {"Brier", "Brier score", NULL, 4, BETTER_LOWER, AS_PROBABILITY, FIGURE(reliability.brier), 0},
    {NULL, "log loss", NULL, 4, BETTER_LOWER, AS_PROBABILITY, FIGURE(reliability.log_loss), 0},
    {0},
};
/* clang-format on */

/* Returns the figure rounded as it is printed, so that numbers that look equal are equal. */
static double rounded(double figure, const struct eval_figure *column)
{
    return nearbyint(figure * ten_to(column->digits));
}

bool is_chance(const struct method_eval *method_eval)
{
    size_t length = strlen(random_method.name);
    return strncmp(method_eval->method, random_method.name, length) == 0 &&
           (method_eval->method[length] == '\0' || method_eval->method[length] == '@');
}

/* Whether a method can be the best of a column: one that always gives the same number is well calibrated, too. */
static bool competes(const struct method_eval *method_eval, const struct eval_figure *column)
{
    return !is_chance(method_eval) && !isnan(figure_of(method_eval, column));
}

/* Whether method j is the best of a column in which at least two take part. */
static bool is_best(const struct method_eval *method_eval, uint32_t rivals, uint32_t j,
                    const struct eval_figure *column)
{
    double mine = rounded(figure_of(&method_eval[j], column), column);
    uint32_t others = 0;
    if (column->better == BETTER_NEITHER || !competes(&method_eval[j], column))
        return false;
    for (uint32_t other = 0; other < rivals; other++) {
        double its = rounded(figure_of(&method_eval[other], column), column);
        if (other == j || !competes(&method_eval[other], column))
            continue;
        if (column->better == BETTER_HIGHER ? its > mine : its < mine)
            return false;
        others++;
    }
    return others > 0;
}

/* A line without blanks at its end. */
struct line {
    char text[512];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line->text + line->length, sizeof line->text - line->length, format, args);
    va_end(args);
    if (more > 0 && (size_t)more < sizeof line->text - line->length)
        line->length += (size_t)more;
}

static void end(struct line *line)
{
    while (line->length && line->text[line->length - 1] == ' ')
        line->length--;
    showf(stdout, "%.*s\n", (int)line->length, line->text);
    line->length = 0;
}

/* Returns the next figure in the text for a use, from `figure` on; NULL: there is none. */
static const struct eval_figure *in_text(const struct eval_figure *figure, enum eval_use use, bool resampled)
{
    while (figure->use && !(figure->use & use && figure->title && (resampled || !(figure->use & IF_RESAMPLED))))
        figure++;
    return figure->use ? figure : NULL;
}

/* Returns the width of an interval like [0.12-0.34]. */
static int interval_width(const struct eval_figure *figure, bool intervals)
{
    return figure->interval && intervals ? 2 * figure->digits + 7 : 0;
}

/* Prints the heading of the figures. */
static void add_titles(struct line *line, enum eval_use use, bool intervals)
{
    for (const struct eval_figure *f = eval_figures; (f = in_text(f, use, intervals)); f++)
        add(line, "%*s %-*s", FIGURE_WIDTH, f->title, interval_width(f, intervals),
            f->interval && intervals ? "95 %" : "");
    end(line);
}

/* Prints the upper line of the heading, each group over its first three columns. */
static void add_groups(struct line *line, enum eval_use use, bool intervals)
{
    for (const struct eval_figure *f = eval_figures; (f = in_text(f, use, intervals)); f += f->group ? 3 : 1) {
        int room = FIGURE_WIDTH + 1 + interval_width(f, intervals);
        if (f->group)
            add(line, "%*s ", 3 * room - 1, f->group);
        else
            add(line, "%*s", room, "");
    }
    end(line);
}

/* Prints the figures of method `j` of the `rivals` in `method_eval`, the best of which are marked. */
static void add_figures(struct line *line, const struct method_eval *method_eval, uint32_t rivals, uint32_t j,
                        enum eval_use use, bool intervals)
{
    for (const struct eval_figure *f = eval_figures; (f = in_text(f, use, intervals)); f++) {
        double figure = figure_of(&method_eval[j], f);
        const struct interval *interval = (const struct interval *)((const char *)&method_eval[j] + f->interval);
        if (isnan(figure))
            add(line, "%*s ", FIGURE_WIDTH, "-");
        else
            add(line, "%*.*f%c", FIGURE_WIDTH, f->digits, figure, is_best(method_eval, rivals, j, f) ? '*' : ' ');
        if (!f->interval || !intervals)
            continue;
        if (isnan(interval->low))
            add(line, "%*s", interval_width(f, true), "");
        else
            add(line, "[%.*f-%.*f]", f->digits, interval->low, f->digits, interval->high);
    }
    end(line);
}

static const char *state_of(const struct method_eval *method_eval)
{
    return method_eval->unstated ? "unstated" : method_eval->calibrated ? "calibrated" : "raw";
}

static int method_width(const struct confidence_eval *c)
{
    size_t width = strlen("to find errors");
    for (enum aspect a = 0; a < ASPECTS; a++)
        for (uint32_t j = 0; c->rows[a].present && j < c->methods; j++) {
            size_t length = strlen(c->rows[a].method_eval[j].method) + 1;
            width = length > width ? length : width;
        }
    return (int)width;
}

const struct answer_names *answers_called(const struct confidence_eval *c)
{
    static const struct answer_names labels = {"label", "labels", "are right", "is wrong", "are wrong", ""};
    static const struct answer_names heads = {
        "head", "heads", "have the right head", "has a wrong head", "have a wrong head", " in heads"};
    return c->trees ? &heads : &labels;
}

/* Prints what is judged, how many there are and how many are wrong. */
static void print_units(const struct confidence_eval *c, enum aspect a)
{
    const char *const of[ASPECTS] = {answers_called(c)->many, "relations", "labels of words in chunks",
                                     c->spans ? "spans" : "chunks", "sentences"};
    const struct confidence_eval_rows *r = &c->rows[a];
    printf("\n%s: confidence in %zu %s, %llu ", aspect_names[a], r->rows.count, of[a], (unsigned long long)r->wrong);
    if (a == ASPECT_SENTENCES)
        printf("with a wrong %s", answers_called(c)->one);
    else
        printf("wrong");
    printf(" (%.2f%%)\n", r->rows.count ? 100 * (double)r->wrong / (double)r->rows.count : 0);
}

static void print_aspect(const struct confidence_eval *c, enum aspect a, int width)
{
    const struct method_eval *method_eval = c->rows[a].method_eval;
    bool intervals = c->resamples > 0;
    struct line line = {.length = 0};
    print_units(c, a);
    add(&line, "%-*s", width, "");
    add_groups(&line, TO_FIND_ERRORS, intervals);
    add(&line, "%-*s", width, "to find errors");
    add_titles(&line, TO_FIND_ERRORS, intervals);
    for (uint32_t j = 0; j < c->methods; j++) {
        add(&line, "%-*s", width, method_eval[j].method);
        add_figures(&line, method_eval, c->methods, j, TO_FIND_ERRORS, intervals);
    }
    add(&line, "%-*s", width + STATE_WIDTH, "as a probability");
    add_titles(&line, AS_PROBABILITY, intervals);
    for (uint32_t j = 0; j < c->methods; j++) {
        add(&line, "%-*s%-*s", width, method_eval[j].method, STATE_WIDTH, state_of(&method_eval[j]));
        add_figures(&line, method_eval, c->methods, j, AS_PROBABILITY, intervals);
    }
}

#define EXPLAIN_FLOOR                                                                                                  \
    "floor: the RMSE of numbers that are exactly right, since they do not lie at the centres of their bins\n"

#define EXPLAIN_LIMIT                                                                                                  \
    "limit: probabilities that are exactly right stay below this ECE in 95 of 100 samples of such answers\n"

static void print_methods(const struct confidence_eval *c)
{
    int width = method_width(c);
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (c->rows[a].present)
            print_aspect(c, a, width);
    printf("\nAP, AUROC: errors ranked, least confident first; AURC: mean share of errors among the most confident\n"
           "AUGRC: the same errors as a share of all answers\n"
           "RMSE: accuracy of 20 bins of confidence against the bins' centres\n" EXPLAIN_FLOOR
           "ECE: accuracy of the bins against their mean confidence; by mass: with bins of equally many %s\n",
           c->spans ? "spans" : "words");
    if (c->resamples)
        printf(EXPLAIN_LIMIT "p: the share of samples of exact probabilities whose ECE is as large\n");
    if (c->methods > 1)
        printf("*: the best of the column\n");
    if (c->resamples)
        printf("95 %%: intervals from %u resamples of the %s\n", c->resamples, c->spans ? "texts" : "sentences");
}

/* Prints, for the first method, how far the numbers of each label's answers are probabilities. */
static void print_labels(const struct confidence_eval *c, enum aspect a)
{
    static const char *const what[ASPECTS] = {"label", "relation", NULL, "type", NULL};
    const struct method_eval *first = c->rows[a].method_eval;
    int width = 20;
    for (uint32_t k = 0; k < c->labels; k++)
        width = first->by_label[k].count ? wider(width, c->label[k].name) : width;
    showf(stdout, "\n%s by %s, %s\n", aspect_names[a], c->trees ? "relation" : what[a], first->method);
    printf("%-*s %8s %8s %10s %8s %8s %8s%s\n", width, c->trees ? "relation" : what[a], "of", "wrong", "confidence",
           "right", "too sure", "ECE", c->resamples ? "    limit       p" : "");
    for (uint32_t k = 0; k < c->labels; k++) {
        const struct label_eval *label = &first->by_label[k];
        if (!label->count)
            continue;
        show_name(stdout, c->label[k].name, width);
        printf(" %8llu %8llu %10.4f %8.4f %+8.4f %8.4f", (unsigned long long)label->count,
               (unsigned long long)label->wrong, label->confidence, label->accuracy,
               label->confidence - label->accuracy, label->ece);
        if (c->resamples)
            printf(" %8.4f %7.3f", label->calibration.limit, label->calibration.p);
        putchar('\n');
    }
}

static void print_all_labels(const struct confidence_eval *c)
{
    for (enum aspect a = 0; a < ASPECTS; a++)
        if (c->rows[a].present && c->rows[a].method_eval->by_label)
            print_labels(c, a);
}

static void print_first_method(const struct confidence_eval *c)
{
    int width = method_width(c);
    bool intervals = c->resamples > 0;
    struct line line = {.length = 0};
    add(&line, "%-11s%-*s%8s%8s", "confidence", width + STATE_WIDTH, "by", "of", "wrong");
    putchar('\n');
    add_titles(&line, IN_BRIEF, intervals);
    for (enum aspect a = 0; a < ASPECTS; a++) {
        const struct confidence_eval_rows *r = &c->rows[a];
        if (!r->present)
            continue;
        add(&line, "%-11s%-*s%-*s%8zu%8llu", aspect_names[a], width, r->method_eval->method, STATE_WIDTH,
            state_of(r->method_eval), r->rows.count, (unsigned long long)r->wrong);
        add_figures(&line, r->method_eval, 1, 0, IN_BRIEF, intervals);
    }
    printf("AP: errors ranked, least confident first; AURC: mean share of errors among the most confident\n"
           "RMSE, ECE: how far the numbers are from being probabilities\n" EXPLAIN_FLOOR "%s",
           intervals ? EXPLAIN_LIMIT : "");
}

/* Prints the heading of coverage by units, behind as much room as rows need for their names. */
static void print_set_titles(enum covered_unit unit, int room)
{
    const char *units = covered_unit_names[unit];
    printf("\n%*s %9s %9s  by %s %% %9s   %-16s %9s %8s\n", room, "", units, "of", units, "of all %", "90 % interval",
           "mean size", "of one %");
}

static void print_set_figures(const struct covered_tally *tally, enum covered_unit unit)
{
    struct coverage_figures f = coverage_figures(tally, unit);
    printf(" %9.0f %9.0f %15.2f %9.2f   %6.2f to %-6.2f %9.3f %8.2f\n", f.units, f.count, f.mean, f.share, f.low,
           f.high, f.size, f.single);
}

static void print_set_row(const char *what, struct text label, int width, const struct covered_tally *tally,
                          enum covered_unit unit)
{
    printf("%-9s ", what);
    show_name(stdout, label, width);
    print_set_figures(tally, unit);
}

/* Prints coverage by the right label. */
static void print_sets_by_label(const struct evaluation *e, enum covered_unit unit)
{
    const struct coverage_tally *t = &e->tally;
    uint32_t labels = t->labels.table.count;
    int width = 8;
    for (uint32_t k = 0; k < labels; k++)
        width = wider(width, t->label[k].name);
    print_set_titles(unit, 10 + width);
    for (enum covered what = 0; what < COVERED; what++) {
        const char *name = covered_name(what, e->parses);
        for (uint32_t k = 0; k < labels; k++)
            if (coverage_of_label(t, what, k)) {
                print_set_row(name, t->label[k].name, width, coverage_of_label(t, what, k), unit);
                name = "";
            }
        if (t->others[what].choices > 0)
            print_set_row("", text_of("(others)"), width, &t->others[what], unit);
    }
    if (t->others[COVERED_WORDS].choices + t->others[COVERED_CHUNKS].choices + t->others[COVERED_RELATIONS].choices > 0)
        printf("(others): labels without a threshold of their own, for which the coverage is promised together\n");
}

/* Prints whether sets hold the right choices as often as they should, and how large they are. */
static void print_sets(const struct evaluation *e)
{
    bool by_label = e->coverage.least.by_label[COVERED_WORDS] || e->coverage.least.by_label[COVERED_RELATIONS];
    enum covered_unit last = has_documents(&e->tally.documents) ? BY_DOCUMENTS : BY_SENTENCES;
    printf("\nsets, for a coverage of %.9g %%%s, in the mean over %s\n", 100 * e->coverage.target,
           by_label ? " of every label" : "", covered_unit_names[e->coverage.documents ? BY_DOCUMENTS : BY_SENTENCES]);
    for (enum covered_unit unit = 0; unit <= last; unit++) {
        print_set_titles(unit, 9);
        for (enum covered what = 0; what < COVERED; what++)
            if (e->tally.all[what].choices > 0) {
                printf("%-9s", covered_name(what, e->parses));
                print_set_figures(&e->tally.all[what], unit);
            }
    }
    if ((by_label || e->options->common.verbose) && e->tally.labels.table.count > 0)
        print_sets_by_label(e, last);
}

/* Tells what the numbers and sentences of another program's table were taken for. */
static void print_table(const struct answer_file *t)
{
    static const char *const told_apart[] = {
        "every row, as no blank lines or column tell them apart (--rows together: one); chunks are not counted",
        "rows between blank lines", "rows with the same sentence", "lines of JSON", "all rows are one"};
    if (t->spans)
        printf("\ntexts: lines of JSON; %zu, of which those without spans in gold and answers are not counted\n",
               t->texts);
    else
        printf("\nsentences: %s\n", told_apart[t->boundaries]);
    if (t->outside)
        printf("numbers: %zu of %zu are outside 0 to 1 (the first: %.6g, line %llu), so they are no probabilities; "
               "only\ntheir order is measured\n",
               t->outside, t->rows, t->row[t->example].confidence, (unsigned long long)t->row[t->example].line);
}

bool eval_print(const struct eval_report *r, struct vouch_error *err)
{
    const struct evaluation *e = r->evaluation;
    const struct eval_options *s = e->options;
    if (e->parses)
        print_trees(&e->trees, e->labelled, s->common.verbose);
    else if (!print_score(&e->score, s->common.quiet, err))
        return false;
    if (e->judged && (s->confidence.methods || s->answers))
        print_methods(&e->confidence_eval);
    else if (e->judged)
        print_first_method(&e->confidence_eval);
    if (e->judged && s->common.verbose)
        print_all_labels(&e->confidence_eval);
    if (e->covers)
        print_sets(e);
    if (r->table)
        print_table(r->table);
    return true;
}

/* Points of curves. */

/* The method whose points these are, and where they are written. */
struct source {
    const char *folder, *aspect;
    const struct method_eval *method_eval;
};

static struct output *open_file(const struct source *s, const char *what, struct vouch_error *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s-%s-%s.csv", s->folder, s->aspect, s->method_eval->method, what);
    if (length < 0 || (size_t)length >= sizeof path) {
        fail(err, VOUCH_ERR_ARGUMENT, "%.100s...: the name of the folder is too long", s->folder);
        return NULL;
    }
    return output_open(path, err);
}

static bool write_bins(const struct source *s, struct vouch_error *err)
{
    struct output *out = open_file(s, "bins", err);
    if (!out)
        return false;
    output_printf(out, "from,to,count,right,confidence,accuracy\n");
    for (size_t i = 0; i < RELIABILITY_BINS; i++) {
        const struct reliability_bin *bin = &s->method_eval->quality.reliability.bin[i];
        output_printf(out, "%.2f,%.2f,%llu,%llu,", (double)i / RELIABILITY_BINS, (double)(i + 1) / RELIABILITY_BINS,
                      (unsigned long long)bin->words, (unsigned long long)bin->right);
        if (bin->words)
            output_printf(out, "%.6f,%.6f", bin->confidence, bin->accuracy);
        else
            output_printf(out, ",");
        output_printf(out, "\n");
    }
    return output_commit(out, err);
}

static bool write_curve(const struct source *s, const char *what, const char *header, const struct curve_point *point,
                        size_t points, struct vouch_error *err)
{
    struct output *out = open_file(s, what, err);
    if (!out)
        return false;
    output_printf(out, "%s\n", header);
    for (size_t i = 0; i < points; i++)
        output_printf(out, "%.6f,%.6f,%.6g\n", point[i].x, point[i].y, point[i].confidence);
    return output_commit(out, err);
}

static bool write_curves(const struct source *s, const struct levels *levels, struct vouch_error *err)
{
    struct curve_point *point = new_array(CURVE_POINTS, sizeof *point, err);
    bool ok = point && write_curve(s, "precision-recall", "recall,precision,confidence", point,
                                   precision_recall_curve(levels, point, CURVE_POINTS), err);
    ok = ok && write_curve(s, "risk-coverage", "coverage,risk,confidence", point,
                           risk_coverage_curve(levels, point, CURVE_POINTS), err);
    free(point);
    return ok;
}

static bool write_method(const struct confidence_eval *c, enum aspect a, uint32_t j, const char *folder,
                         struct vouch_error *err)
{
    struct source source = {folder, aspect_names[a], &c->rows[a].method_eval[j]};
    struct levels levels = {0};
    size_t n;
    struct judged *judged = confidence_eval_judged(c, a, j, &n, err);
    bool ok = judged && levels_init(&levels, judged, n, err) && write_curves(&source, &levels, err) &&
              (!source.method_eval->bounded || write_bins(&source, err));
    levels_release(&levels);
    free(judged);
    return ok;
}

bool eval_write_csv(const struct confidence_eval *c, const char *folder, struct vouch_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", folder, strerror(errno));
    for (enum aspect a = 0; a < ASPECTS; a++)
        for (uint32_t j = 0; c->rows[a].present && j < c->methods; j++)
            if (!write_method(c, a, j, folder, err))
                return false;
    return true;
}
