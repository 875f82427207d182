/*
 * Judges the claims, one function each: see claims.h.
 *
 * A function adds up comparisons over the datasets of a kind, writes the numbers, and returns the verdict.
 */
#include "study/claims.h"

#include "study/chapters.h"
#include "study/paper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const verdict_names[] = {"not tested here", "does not hold", "cannot be told apart", "holds in part",
                                     "holds"};

static const char pa[] = "pa+crf", precision[] = "average_precision";

/* Comparisons. */

void comparison_add(struct comparison *c, double first, double second, struct gap gap)
{
    if (isnan(first) || isnan(second))
        return;
    double low = c->lower ? -gap.high : gap.low, high = c->lower ? -gap.low : gap.high, difference = first - second;
    c->n++;
    c->won += (c->lower ? -difference : difference) >= -c->margin;
    c->first += first;
    c->second += second;
    if (isnan(low) || isnan(high))
        return;
    c->known++;
    c->better += low > -c->margin;
    c->worse += low <= -c->margin && high < 0;
    c->down += (difference - gap.low) * (difference - gap.low);
    c->up += (gap.high - difference) * (gap.high - difference);
}

bool comparison_is_sure(const struct comparison *c)
{
    return c->n > 0 && c->known == c->n;
}

int comparison_sign(const struct comparison *c)
{
    bool sure = comparison_is_sure(c);
    double ahead = c->lower ? c->second - c->first : c->first - c->second;
    double below = sure ? sqrt(c->lower ? c->up : c->down) : 0, above = sure ? sqrt(c->lower ? c->down : c->up) : 0;
    return ahead - below > -c->margin * (double)c->n ? 1 : ahead + above < 0 ? -1 : 0;
}

double comparison_first(const struct comparison *c)
{
    return c->n ? c->first / (double)c->n : NAN;
}

double comparison_second(const struct comparison *c)
{
    return c->n ? c->second / (double)c->n : NAN;
}

static enum verdict sure_verdict(const struct comparison *c)
{
    int sign = comparison_sign(c);
    if (sign == 0)
        return c->better && c->worse ? HOLDS_IN_PART : UNDECIDED;
    if (sign > 0)
        return c->better >= c->worse ? HOLDS : HOLDS_IN_PART;
    return c->better > c->worse ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

enum verdict comparison_verdict(const struct comparison *c)
{
    if (c->n == 0)
        return NOT_TESTED;
    if (comparison_is_sure(c))
        return sure_verdict(c);
    bool mean = comparison_sign(c) >= 0, most = 2 * c->won > c->n;
    return mean && most ? HOLDS : mean || most ? HOLDS_IN_PART : DOES_NOT_HOLD;
}

enum verdict verdict_join(enum verdict a, enum verdict b)
{
    if (a == NOT_TESTED || a == b)
        return b;
    if (b == NOT_TESTED)
        return a;
    bool undecided = a == UNDECIDED || b == UNDECIDED, refuted = a == DOES_NOT_HOLD || b == DOES_NOT_HOLD;
    return undecided && refuted ? DOES_NOT_HOLD : HOLDS_IN_PART;
}

/*
 * Compares two algorithms over all treebanks, or all other datasets: after a pass, or in the end if that is 0, where
 * the first is to be at least as good.
 */
static struct comparison compare_scores(const struct results *r, bool trees, const char *first, const char *second,
                                        size_t pass)
{
    struct comparison c = {.margin = pass ? 0 : SCORE_MARGIN};
    for (EACH_SET(set, r, trees)) {
        double a = score_of(set, first, pass), b = score_of(set, second, pass);
        if (a > 0 && b > 0) /* if nothing is right, the figures tell nothing about learners */
            comparison_add(&c, a, b, gap_of_scores(set, first, second, pass));
    }
    return c;
}

/* Compares two methods on the answers of a model: how they rank, or if `lower` is better their errors. */
static struct comparison compare_methods(const struct results *r, bool trees, const char *voices, const char *first,
                                         const char *second, bool lower)
{
    struct comparison c = {.lower = lower};
    for (EACH_SET(set, r, trees))
        comparison_add(
            &c, lower ? figure_at(set, JUDGED, voices, "raw", first, RMSE) : ranking_of(set, voices, first, precision),
            lower ? figure_at(set, JUDGED, voices, "raw", second, RMSE) : ranking_of(set, voices, second, precision),
            gap_of_methods(set, voices, first, second, lower ? "rmse" : precision));
    return c;
}

/* Writes "(2:0 of 3)": clearly better on two, worse on none; without intervals "(2/3)": as good or better on two. */
static void say_tally(struct prose *says, const struct comparison *c)
{
    if (comparison_is_sure(c))
        prose_say(says, " (%zu:%zu of %zu)", c->better, c->worse, c->n);
    else
        prose_say(says, " (%zu/%zu)", c->won, c->n);
}

/* Returns a sign to put before the second of two figures if their means cannot be told apart. */
static const char *alike(const struct comparison *c)
{
    return comparison_is_sure(c) && comparison_sign(c) == 0 ? "\xe2\x89\x88 " : "";
}

/* Judges, and writes "sequences: CW 91.2, PA 90.8 (2:0 of 3)": means, and where the first is better or worse. */
static enum verdict judge(struct prose *says, const struct comparison *c, bool trees, const char *first,
                          const char *second, int digits)
{
    if (c->n) {
        prose_say(says, "%s%s: %s %.*f, %s%s %.*f", says->length ? "; " : "", trees ? "trees" : "sequences", first,
                  digits, comparison_first(c), alike(c), second, digits, comparison_second(c));
        say_tally(says, c);
    }
    return comparison_verdict(c);
}

/* A claim as a row: its judge; or, if that is NULL, which learner or method is better than which others. */
struct claim_row {
    const char *text, *where;
    enum verdict (*judge)(const struct results *r, const struct setting *setting, struct prose *says);
    const char *voices, *mine; /* a model, NULL: the setting's, and a method on its answers; */
    const char *others[6];     /* methods that it is better than, ended by NULL */
    int kind;                  /* of datasets: enum kind */
    bool lower;                /* in RMSE, not in average precision */
    const char *learner;       /* or a learner, NULL: the setting's CW, */
    const char *rival;         /* that predicts at least as well as this one; NULL: the claim is about methods */
    size_t pass;               /* or better after this pass */
    struct {
        unsigned table;
        const char *row;        /* NULL: the mean of all rows */
        const char *columns[6]; /* as paper.h names them, ended by NULL */
    } published;                /* numbers of the paper beside it; of table 0 without columns: none */
};

/* Prediction. */

static enum verdict is_ahead(const struct results *r, const struct setting *setting, struct prose *says,
                             const struct claim_row *row)
{
    const bool trees = row->kind == OF_TREES;
    const char *first = row->learner ? row->learner : setting->cw;
    char label[2][LABEL_SIZE];
    struct comparison c = compare_scores(r, trees, first, row->rival, row->pass);
    return judge(says, &c, trees, label_of_algorithm(first, label[0]), label_of_algorithm(row->rival, label[1]), 2);
}

/* Ranking and calibration. */

/*
 * Whether `mine` is better than each of the others that the paper has: the worst of the verdicts, since one that is
 * better is enough to refute it. "sequences: KD-Fix 0.379, Delta 0.352 (2:0 of 3), ..."
 */
static enum verdict is_best_of(const struct results *r, struct prose *says, const struct claim_row *row, bool trees,
                               const char *voices, const char *mine)
{
    enum verdict worst = NOT_TESTED;
    const int digits = row->lower ? 4 : 3; /* errors of probabilities differ little */
    for (const char *const *method = row->others; *method; method++) {
        struct comparison c = compare_methods(r, trees, voices, mine, *method, row->lower);
        enum verdict verdict = comparison_verdict(&c);
        if (verdict == NOT_TESTED || !is_the_papers(*method, trees))
            continue;
        if (worst == NOT_TESTED)
            prose_say(says, "%s%s: %s %.*f", says->length ? "; " : "", trees ? "trees" : "sequences", label_of(mine),
                      digits, comparison_first(&c));
        prose_say(says, ", %s%s %.*f", alike(&c), label_of(*method), digits, comparison_second(&c));
        say_tally(says, &c);
        worst = worst == NOT_TESTED || verdict < worst ? verdict : worst;
    }
    return worst;
}

/* Judges on each kind of data; of drawn models, which have no name of their own, by the one with the higher mean. */
static enum verdict is_best(const struct results *r, const struct setting *setting, struct prose *says,
                            const struct claim_row *row)
{
    enum verdict verdict = NOT_TESTED;
    const char *voices = row->voices ? row->voices : setting->voices;
    for (int trees = 0; trees < 2; trees++) {
        if (row->kind != OF_ANY && row->kind != trees)
            continue;
        bool pc =
            ranking_mean(r, trees, voices, "kd-pc", precision) > ranking_mean(r, trees, voices, "kd-fix", precision);
        const char *mine = row->mine ? row->mine : pc ? "kd-pc" : "kd-fix";
        verdict = verdict_join(verdict, is_best_of(r, says, row, trees, voices, mine));
    }
    return verdict;
}

/* Compares confidence with accuracy, whose error is that of a share of independent words. */
static enum verdict wkb_is_pessimistic(const struct results *r, const struct setting *setting, struct prose *says)
{
    enum verdict verdict = NOT_TESTED;
    for (int trees = 0; trees < 2; trees++) {
        struct comparison c = {.lower = true};
        for (EACH_SET(set, r, trees)) {
            const json_t *wkb = part_at(set, JUDGED, setting->voices, "raw", "wkb", "reliability");
            double confidence = number_at(wkb, "confidence"), accuracy = number_at(wkb, "accuracy");
            double words = figure_at(set, "ranking/@/%s/raw:confidence.words.count", setting->voices);
            double half = 1.96 * sqrt(accuracy * (1 - accuracy) / words);
            comparison_add(&c, confidence, accuracy,
                           (struct gap){confidence - accuracy - half, confidence - accuracy + half});
        }
        verdict = verdict_join(verdict, judge(says, &c, trees, "confidence", "accuracy", 3));
    }
    return verdict;
}

/* Draws. */

/* Whether 80 draws find errors better than 50 by less than a hundredth; intervals are over the seeds of the draws. */
static enum verdict fifty_draws_are_enough(const struct results *r, const struct setting *setting, struct prose *says)
{
    static const unsigned drawn[] = {2, 50, 80, 200};
    const double flat = 0.01;
    struct comparison more = {.lower = true};
    double sum[4] = {0};
    for (EACH_SET(set, r, OF_ANY)) {
        double with[4];
        for (size_t k = 0; k < 4; k++)
            with[k] = precision_with_draws(set, drawn[k], setting->suffix);
        if (isnan(with[0]) || isnan(with[1]) || isnan(with[2]))
            continue;
        struct gap gap = gap_of_draws(set, 50, 80, setting->suffix);
        comparison_add(&more, with[2] - with[1], flat, (struct gap){gap.low - flat, gap.high - flat});
        for (size_t k = 0; k < 4; k++)
            sum[k] += with[k];
    }
    double n = (double)more.n;
    if (more.n) {
        prose_say(says, "average precision %.3f with 2 draws, %.3f with 50, %.3f with 80", sum[0] / n, sum[1] / n,
                  sum[2] / n);
        if (!isnan(sum[3]))
            prose_say(says, ", %.3f with 200", sum[3] / n);
        prose_say(says, "%s; from 50 to 80 %+.3f", in_the_mean(more.n), comparison_first(&more));
        if (comparison_is_sure(&more))
            prose_say(says, " \xc2\xb1%.3f", sqrt(more.up) / n);
        prose_say(says, "; less than %.2f", flat);
        say_tally(says, &more);
    }
    enum verdict verdict = comparison_verdict(&more);
    return verdict == HOLDS && !(sum[1] > sum[0]) ? HOLDS_IN_PART : verdict;
}

/* Applications. */

/* An amount that was claimed: half of it holds in part. */
struct amount {
    double claimed;
    struct comparison all, half;
};

/* Adds what one dataset reached, give or take `half` if that is known. */
static void amount_add(struct amount *amount, double reached, double half)
{
    for (int part = 1; part <= 2; part++) {
        double claimed = amount->claimed / part, more = reached - claimed;
        comparison_add(part == 1 ? &amount->all : &amount->half, reached, claimed,
                       (struct gap){more - half, more + half});
    }
}

static enum verdict amount_verdict(const struct amount *amount)
{
    enum verdict verdict = comparison_verdict(&amount->all);
    return verdict == DOES_NOT_HOLD && comparison_verdict(&amount->half) == HOLDS ? HOLDS_IN_PART : verdict;
}

/* Judges what KD-Fix gains in a figure while F1 falls by less than one point: the claim is two points. */
static enum verdict trade_gains(const struct results *r, const struct setting *setting, struct prose *says,
                                const char *step, const char *figure, const char *lead)
{
    struct amount points = {.claimed = 2};
    double missing = 0;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "curves[kd-fix,%s].within_one_point_of_f1.%s", figure, figure);
    for (EACH_SET(set, r, OF_ANY)) {
        const json_t *result = part_at(set, "tradeoff/@/%s%s", step, setting->suffix);
        double start = number_at(json_object_get(result, "unchanged"), figure);
        double gain = number_at(result, path) - start;
        if (isnan(gain) || 100 - start < points.claimed / 2)
            continue; /* there is nothing to gain */
        amount_add(&points, gain, NAN);
        missing += 100 - start;
    }
    const struct comparison *c = &points.all;
    if (c->n)
        prose_say(
            says,
            "%s%.1f points of %s gained%s, of %.1f that were missing, for less than one of F1; two or more on %zu of "
            "%zu",
            lead, comparison_first(c), figure, in_the_mean(c->n), missing / (double)c->n, c->won, c->n);
    return amount_verdict(&points);
}

static enum verdict precision_rises(const struct results *r, const struct setting *setting, struct prose *says)
{
    enum verdict wholes = trade_gains(r, setting, says, "raw", "precision", "");
    return verdict_join(
        wholes, trade_gains(r, setting, says, "words", "precision", says->length ? "; word by word " : ""));
}

static enum verdict recall_rises(const struct results *r, const struct setting *setting, struct prose *says)
{
    return trade_gains(r, setting, says, "merged", "recall", "");
}

/* Whether both ways of choosing ended with the same words: all there were, so that neither could save any. */
static bool ran_out(const json_t *a, const json_t *b)
{
    const json_t *first = json_object_get(a, "mean"), *second = json_object_get(b, "mean");
    size_t m = json_array_size(first), n = json_array_size(second);
    return m && n &&
           number_at(json_array_get(first, m - 1), "words") == number_at(json_array_get(second, n - 1), "words");
}

static enum verdict quarter_is_saved(const struct results *r, const struct setting *setting, struct prose *says)
{
    struct amount percent = {.claimed = 25};
    for (EACH_SET(set, r, OF_ANY)) {
        const json_t *ways = part_at(set, "active/@%s", setting->suffix);
        const json_t *way = part_in(ways, "methods[kd-fix]");
        double saved = number_at(way, "saved");
        if (!way || ran_out(way, part_in(ways, "methods[random]")))
            continue;
        amount_add(&percent, isnan(saved) ? 0 : saved, /* it may never have reached the score of random */
                   number_at(way, "saved_interval"));
    }
    const struct comparison *c = &percent.all;
    if (c->n)
        prose_say(says, "%.0f %% of the words saved%s, a quarter or more on %zu of %zu", comparison_first(c),
                  in_the_mean(c->n), c->won, c->n);
    if (comparison_is_sure(c))
        prose_say(says, "; the mean \xc2\xb1%.0f %%, clearly more", sqrt(c->up) / (double)c->n);
    if (comparison_is_sure(c))
        say_tally(says, c);
    return amount_verdict(&percent);
}

/* Returns a number of the paper, or the mean of a column. */
static double published_number(unsigned table, const char *row, const char *column)
{
    double sum = 0;
    size_t rows = 0;
    if (row)
        return paper_number(table, row, column);
    for (; paper_row(table, rows); rows++)
        sum += paper_number(table, paper_row(table, rows), column);
    return sum / (double)rows;
}

/* Writes the paper's numbers: "CW 84.6, PA 84.3". Scores are in percent, as here. */
static void say_published(struct prose *says, const struct claim_row *row)
{
    bool percent = row->rival || row->published.table == 12;
    for (size_t i = 0; row->published.columns[i]; i++) {
        const char *column = row->published.columns[i];
        char label[LABEL_SIZE];
        double number = published_number(row->published.table, row->published.row, column);
        const char *name = row->published.table == 12 ? "words saved"
                           : row->rival               ? label_of_algorithm(column, label)
                                                      : label_of(column);
        prose_say(says, "%s%s %.*f%s", i ? ", " : "", name, percent ? 1 : 3, percent ? 100 * number : number,
                  row->published.table == 12 ? " %" : "");
    }
    prose_begin(says);
}

#define WITHOUT_DRAWS                                                                                                  \
    {                                                                                                                  \
        "delta", "gamma", "wkb", "kb"                                                                                  \
    }

/* clang-format off */
static const struct claim_row claims[CLAIMS] = {
    {"On sequences, CW predicts at least as well as PA", "Table 4", .kind = OF_LABELS, .rival = "pa",
     .published = {4, NULL, {"cw", "pa"}}},
    {"On sequences, PA predicts at least as well as the perceptron", "Table 4", .kind = OF_LABELS, .learner = "pa",
     .rival = "perceptron", .published = {4, NULL, {"pa", "perceptron"}}},
    {"On trees, CW predicts at least as well as PA", "Table 5", .kind = OF_TREES, .rival = "pa",
     .published = {5, "average", {"cw", "pa"}}},
    {"On sequences, CW is ahead of PA after one pass", "convergence figures", .kind = OF_LABELS, .rival = "pa",
     .pass = 1},
    {"On trees, CW is ahead of PA after one pass", "convergence figures", .kind = OF_TREES, .rival = "pa",
     .pass = 1, .published = {PAPER_TEXT, "trees after one pass", {"cw", "pa"}}},
    {"Drawn models (KD-Fix, KD-PC) rank errors best", "Tables 6 and 7", NULL, NULL, NULL, WITHOUT_DRAWS,
     .kind = OF_ANY, .published = {7, "average", {"kd-fix", "kd-pc", "delta", "wkb", "kb"}}},
    {"KD-Fix ranks errors best with PA, too", "Table 8", NULL, pa, "kd-fix", WITHOUT_DRAWS, .kind = OF_ANY,
     .published = {8, "average precision pa", {"kd-fix", "delta", "wkb", "kb"}}},
    {"KD-Fix with Delta to break ties is best for trees", "Tables 7 and 8", NULL, NULL, "kd-fix+delta",
     {"kd-fix", "kd-pc", "delta", "wkb", "kb"}, .kind = OF_TREES,
     .published = {7, "average", {"kd-fix+delta", "kd-fix", "kd-pc", "delta", "wkb"}}},
    {"Weighting the K best answers ranks better than counting them", "Tables 7 and 8", NULL, NULL, "wkb", {"kb"},
     .kind = OF_ANY, .published = {7, "average", {"wkb", "kb"}}},
    {"KD-PC is the best probability for sequences", "Table 9", NULL, NULL, "kd-pc", {"kd-fix", "gamma", "wkb"},
     .kind = OF_LABELS, .lower = true, .published = {9, "average", {"kd-pc", "kd-fix", "gamma", "wkb"}}},
    {"KD-Fix is the best probability for trees", "Table 10", NULL, NULL, "kd-fix", {"kd-pc", "wkb"},
     .kind = OF_TREES, .lower = true, .published = {10, "average", {"kd-fix", "kd-pc", "wkb"}}},
    {"WKB is too pessimistic", "figures of bins", .judge = wkb_is_pessimistic},
    {"More than 50 draws add little", "effect of K", .judge = fifty_draws_are_enough},
    {"Precision rises at the cost of recall while F1 stays nearly the same",
     "trade-off figures", .judge = precision_rises},
    {"Recall rises at the cost of precision while F1 stays nearly the same (words in entities, types merged)",
     "trade-off figures", .judge = recall_rises},
    {"Active learning with KD-Fix saves a quarter of the words or more", "Table 12", .judge = quarter_is_saved,
     .published = {12, NULL, {"saved"}}},
};
/* clang-format on */

/* Judges one claim in every setting that it can be judged in, the paper's first; PA learns the same in all of them. */
static void judge_claim(const struct results *r, const struct claim_row *row, struct claim *claim, struct prose *says)
{
    const size_t settings = row->voices || row->learner ? 1 : r->settings;
    for (size_t i = 0; i < settings; i++) {
        const struct setting *setting = &r->setting[i];
        const char *lead = settings == 1 ? "" : i == 0 ? "As in the paper: " : "As usual here: ";
        struct prose numbers = {0};
        enum verdict verdict = row->judge   ? row->judge(r, setting, &numbers)
                               : row->rival ? is_ahead(r, setting, &numbers, row)
                                            : is_best(r, setting, &numbers, row);
        if (numbers.length)
            prose_say(says, "%s%s%s", says->length ? ". " : "", lead, numbers.text);
        says->broken |= numbers.broken;
        *(claim->verdict == NOT_TESTED ? &claim->verdict : &claim->ours) = verdict;
        prose_release(&numbers);
    }
}

bool claims_judge(const struct results *r, struct claim claim[CLAIMS], struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < CLAIMS; i++) {
        struct prose says = {0}, published = {0};
        claim[i] = (struct claim){.text = claims[i].text, .where = claims[i].where};
        judge_claim(r, &claims[i], &claim[i], &says);
        claim[i].evidence = prose_take(&says, err);
        say_published(&published, &claims[i]);
        claim[i].published = prose_take(&published, err);
        ok = ok && claim[i].evidence && claim[i].published;
    }
    return ok;
}

void claims_release(struct claim claim[CLAIMS])
{
    for (size_t i = 0; i < CLAIMS; i++) {
        free(claim[i].evidence);
        free(claim[i].published);
        claim[i].evidence = claim[i].published = NULL;
    }
}
