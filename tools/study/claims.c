/*
 * Judges the claims, one function each: see claims.h.
 *
 * A function adds up comparisons over the datasets of a kind, writes the numbers, and returns the verdict.
 */
#include "study/claims.h"

#include "report/prose.h"
#include "study/chapters.h"
#include "study/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const verdict_names[] = {"not tested here", "does not hold", "cannot be told apart", "holds in part",
                                     "holds"};

static const char cw[] = "cw+crf", pa[] = "pa+crf", precision[] = "average_precision";

/* Returns a figure of one dataset. */
typedef double figure_of(const struct results *r, const struct result_set *set, const void *what);

/* Returns the interval of the difference of two such figures. */
typedef struct gap gap_between(const struct results *r, const struct result_set *set, const void *a, const void *b);

/* Two figures to be compared. */
struct match {
    figure_of *figure;
    gap_between *gap;
    const void *first, *second;
    bool lower; /* is better */
};

/* Compares two figures over all treebanks, or all other datasets. */
static struct comparison hold(const struct results *r, bool trees, const struct match *m)
{
    struct comparison c = {.lower = m->lower};
    for (EACH_SET(set, r, trees)) {
        comparison_add_gap(&c, m->figure(r, set, m->first), m->figure(r, set, m->second),
                           m->gap(r, set, m->first, m->second));
    }
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

/* Writes "sequences: CW 91.2, PA 90.8 (2:0 of 3)": means, and on how many datasets the first is better or worse. */
static void say_comparison(struct prose *says, const struct comparison *c, bool trees, const char *first,
                           const char *second, int digits)
{
    if (c->n == 0)
        return;
    prose_say(says, "%s%s: %s %.*f, %s%s %.*f", says->length ? "; " : "", trees ? "trees" : "sequences", first, digits,
              comparison_first(c), alike(c), second, digits, comparison_second(c));
    say_tally(says, c);
}

/* Prediction. */

static double score(const struct results *r, const struct result_set *set, const void *algorithm)
{
    double found = score_of(r, set, algorithm);
    return found > 0 ? found : NAN; /* if nothing is right, the figures tell nothing about learners */
}

static double score_after_one(const struct results *r, const struct result_set *set, const void *algorithm)
{
    double found = score_after_pass(r, set, algorithm, 1);
    return found > 0 ? found : NAN;
}

static struct gap score_gap(const struct results *r, const struct result_set *set, const void *a, const void *b)
{
    return gap_of_scores(r, set, a, b, 0);
}

static struct gap gap_after_one(const struct results *r, const struct result_set *set, const void *a, const void *b)
{
    return gap_of_scores(r, set, a, b, 1);
}

/* Compares one algorithm with another, on one kind of data, and judges. */
static enum verdict is_ahead(const struct results *r, struct prose *says, bool trees, const struct match *m)
{
    char label[2][LABEL_SIZE];
    struct comparison c = hold(r, trees, m);
    say_comparison(says, &c, trees, label_of_algorithm(m->first, label[0]), label_of_algorithm(m->second, label[1]), 2);
    return comparison_verdict(&c);
}

/* Compares CW with PA, on both kinds of data, and once more for models that learned from other numbers of answers. */
static enum verdict cw_is_ahead(const struct results *r, struct prose *says, figure_of *figure, gap_between *gap)
{
    enum verdict verdict = NOT_TESTED;
    for (int trees = 0; trees < 2; trees++) {
        verdict = verdict_join(verdict, is_ahead(r, says, trees, &(struct match){figure, gap, "cw", "pa", false}));
        for (size_t i = 0; i < r->others; i++) {
            char mine[16], other[16];
            snprintf(mine, sizeof mine, "cw-k%u", r->other_k[i]);
            snprintf(other, sizeof other, trees ? "pa" : "pa-k%u", r->other_k[i]);
            verdict = verdict_join(verdict, is_ahead(r, says, trees, &(struct match){figure, gap, mine, other, false}));
        }
    }
    return verdict;
}

static enum verdict cw_predicts_best(const struct results *r, struct prose *says)
{
    enum verdict verdict = cw_is_ahead(r, says, score, score_gap);
    return verdict_join(verdict,
                        is_ahead(r, says, false, &(struct match){score, score_gap, "pa", "perceptron", false}));
}

static enum verdict cw_learns_fastest(const struct results *r, struct prose *says)
{
    return cw_is_ahead(r, says, score_after_one, gap_after_one);
}

/* Ranking. */

/* One method on one model's answers. */
struct model_method {
    const char *voices, *method;
};

static double ranking(const struct results *r, const struct result_set *set, const void *what)
{
    const struct model_method *about = what;
    return ranking_of(r, set, about->voices, about->method, precision);
}

static double raw_rmse(const struct results *r, const struct result_set *set, const void *what)
{
    const struct model_method *about = what;
    return rmse_of(r, set, about->voices, false, about->method);
}

static struct gap ranking_gap(const struct results *r, const struct result_set *set, const void *a, const void *b)
{
    const struct model_method *first = a, *second = b;
    return gap_of_methods(r, set, first->voices, first->method, second->method, precision);
}

static struct gap rmse_gap(const struct results *r, const struct result_set *set, const void *a, const void *b)
{
    const struct model_method *first = a, *second = b;
    return gap_of_methods(r, set, first->voices, first->method, second->method, "rmse");
}

/* A claim that one method is better than others in some figure. */
struct rivalry {
    figure_of *figure;
    bool lower; /* is better */
    struct model_method mine;
    const char *const *others; /* methods, ended by NULL */
};

/*
 * Whether `mine` is better than each of `others` that the paper has: the worst of the verdicts, since one that is
 * better is enough to refute it. "sequences: KD-Fix 0.379, Delta 0.352 (2:0 of 3), ..."
 */
static enum verdict is_best(const struct results *r, struct prose *says, bool trees, const struct rivalry *rivals)
{
    enum verdict worst = NOT_TESTED;
    const int digits = rivals->lower ? 4 : 3; /* errors of probabilities differ little */
    for (const char *const *method = rivals->others; *method; method++) {
        const struct model_method other = {rivals->mine.voices, *method};
        struct comparison c = hold(r, trees,
                                   &(struct match){.figure = rivals->figure,
                                                   .gap = rivals->lower ? rmse_gap : ranking_gap,
                                                   .first = &rivals->mine,
                                                   .second = &other,
                                                   .lower = rivals->lower});
        enum verdict verdict = comparison_verdict(&c);
        if (verdict == NOT_TESTED || !is_the_papers(*method, trees))
            continue;
        if (worst == NOT_TESTED)
            prose_say(says, "%s%s: %s %.*f", says->length ? "; " : "", trees ? "trees" : "sequences",
                      label_of(rivals->mine.method), digits, comparison_first(&c));
        prose_say(says, ", %s%s %.*f", alike(&c), label_of(*method), digits, comparison_second(&c));
        say_tally(says, &c);
        worst = worst == NOT_TESTED || verdict < worst ? verdict : worst;
    }
    return worst;
}

/* Judges on sequences and on trees. */
static enum verdict is_best_of_both(const struct results *r, struct prose *says, const struct rivalry *rivals)
{
    enum verdict verdict = is_best(r, says, false, rivals);
    return verdict_join(verdict, is_best(r, says, true, rivals));
}

static const char *const without_draws[] = {"delta", "gamma", "wkb", "kb", NULL};

static enum verdict draws_rank_best(const struct results *r, struct prose *says)
{
    enum verdict verdict = NOT_TESTED;
    for (int trees = 0; trees < 2; trees++) {
        bool pc = ranking_mean(r, trees, cw, "kd-pc", precision) > ranking_mean(r, trees, cw, "kd-fix", precision);
        const struct rivalry rivals = {ranking, false, {cw, pc ? "kd-pc" : "kd-fix"}, without_draws};
        verdict = verdict_join(verdict, is_best(r, says, trees, &rivals));
    }
    return verdict;
}

static enum verdict draws_rank_best_with_pa(const struct results *r, struct prose *says)
{
    const struct rivalry rivals = {ranking, false, {pa, "kd-fix"}, without_draws};
    return is_best_of_both(r, says, &rivals);
}

static enum verdict sum_ranks_trees_best(const struct results *r, struct prose *says)
{
    static const char *const others[] = {"kd-fix", "kd-pc", "delta", "wkb", "kb", NULL};
    return is_best(r, says, true, &(struct rivalry){ranking, false, {cw, "kd-fix+delta"}, others});
}

static enum verdict weights_help_k_best(const struct results *r, struct prose *says)
{
    static const char *const kb[] = {"kb", NULL};
    const struct rivalry rivals = {ranking, false, {cw, "wkb"}, kb};
    return is_best_of_both(r, says, &rivals);
}

/* Calibration. */

static enum verdict pc_is_calibrated_best(const struct results *r, struct prose *says)
{
    static const char *const others[] = {"kd-fix", "gamma", "wkb", NULL};
    return is_best(r, says, false, &(struct rivalry){raw_rmse, true, {cw, "kd-pc"}, others});
}

static enum verdict fix_is_calibrated_best(const struct results *r, struct prose *says)
{
    static const char *const others[] = {"kd-pc", "wkb", NULL};
    return is_best(r, says, true, &(struct rivalry){raw_rmse, true, {cw, "kd-fix"}, others});
}

static double of_wkb(const struct results *r, const struct result_set *set, const void *path)
{
    return figure_at(r, set, JUDGED, cw, "raw", "wkb", (const char *)path);
}

/* Returns how far confidence is from accuracy, whose error is that of a share of independent words. */
static struct gap gap_of_wkb(const struct results *r, const struct result_set *set, const void *a, const void *b)
{
    double confidence = of_wkb(r, set, a), accuracy = of_wkb(r, set, b),
           words = figure_at(r, set, "ranking/@/cw+crf/raw:confidence.words.count");
    double half = 1.96 * sqrt(accuracy * (1 - accuracy) / words);
    return (struct gap){confidence - accuracy - half, confidence - accuracy + half};
}

static enum verdict wkb_is_pessimistic(const struct results *r, struct prose *says)
{
    enum verdict verdict = NOT_TESTED;
    for (int trees = 0; trees < 2; trees++) {
        struct comparison c =
            hold(r, trees, &(struct match){of_wkb, gap_of_wkb, "reliability.confidence", "reliability.accuracy", true});
        say_comparison(says, &c, trees, "confidence", "accuracy", 3);
        verdict = verdict_join(verdict, comparison_verdict(&c));
    }
    return verdict;
}

/* Draws. */

static enum verdict fifty_draws_are_enough(const struct results *r, struct prose *says)
{
    const double flat = 0.01;
    struct comparison more = {.lower = true};
    double first = 0, middle = 0, last = 0;
    for (size_t i = 0; i < r->sets; i++) {
        double few = precision_with_draws(r, &r->set[i], 2), fifty = precision_with_draws(r, &r->set[i], 50);
        double many = precision_with_draws(r, &r->set[i], 80);
        if (isnan(few) || isnan(fifty) || isnan(many))
            continue;
        comparison_add(&more, many - fifty, flat);
        first += few;
        middle += fifty;
        last += many;
    }
    if (more.n)
        prose_say(
            says,
            "average precision %.3f with 2 draws, %.3f with 50, %.3f with 80%s; the last 30 draws add less than %.2f "
            "on %zu of %zu",
            first / (double)more.n, middle / (double)more.n, last / (double)more.n, in_the_mean(more.n), flat, more.won,
            more.n);
    enum verdict verdict = comparison_verdict(&more);
    return verdict == HOLDS && !(middle > first) ? HOLDS_IN_PART : verdict;
}

/* Applications. */

/* An amount that was claimed: half of it holds in part. */
struct amount {
    double claimed;
    struct comparison all, half;
};

static void amount_add(struct amount *amount, double reached)
{
    comparison_add(&amount->all, reached, amount->claimed);
    comparison_add(&amount->half, reached, amount->claimed / 2);
}

static enum verdict amount_verdict(const struct amount *amount)
{
    enum verdict verdict = comparison_verdict(&amount->all);
    return verdict == DOES_NOT_HOLD && comparison_verdict(&amount->half) == HOLDS ? HOLDS_IN_PART : verdict;
}

/* Judges what KD-Fix gains in a figure while F1 falls by less than one point: the claim is two points. */
static enum verdict trade_gains(const struct results *r, struct prose *says, const char *step, const char *figure,
                                const char *lead)
{
    struct amount points = {.claimed = 2};
    double missing = 0;
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "curves[kd-fix,%s].within_one_point_of_f1.%s", figure, figure);
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *result = part_at(r, &r->set[i], "tradeoff/@/%s", step);
        double start = number_at(json_object_get(result, "unchanged"), figure);
        double gain = number_at(result, path) - start;
        if (isnan(gain) || 100 - start < points.claimed / 2)
            continue; /* there is nothing to gain */
        amount_add(&points, gain);
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

static enum verdict precision_rises(const struct results *r, struct prose *says)
{
    enum verdict wholes = trade_gains(r, says, "raw", "precision", "");
    return verdict_join(wholes, trade_gains(r, says, "words", "precision", says->length ? "; word by word " : ""));
}

static enum verdict recall_rises(const struct results *r, struct prose *says)
{
    return trade_gains(r, says, "merged", "recall", "");
}

/* Whether both ways of choosing ended with the same words: all there were, so that neither could save any. */
static bool ran_out(const json_t *a, const json_t *b)
{
    const json_t *first = json_object_get(a, "mean"), *second = json_object_get(b, "mean");
    size_t m = json_array_size(first), n = json_array_size(second);
    return m && n &&
           number_at(json_array_get(first, m - 1), "words") == number_at(json_array_get(second, n - 1), "words");
}

static enum verdict quarter_is_saved(const struct results *r, struct prose *says)
{
    struct amount percent = {.claimed = 25};
    for (size_t i = 0; i < r->sets; i++) {
        const json_t *ways = part_at(r, &r->set[i], "active/@");
        const json_t *way = part_in(ways, "methods[kd-fix]");
        double saved = number_at(way, "saved");
        if (!way || ran_out(way, part_in(ways, "methods[random]")))
            continue;
        amount_add(&percent, isnan(saved) ? 0 : saved); /* it may never have reached the score of random */
    }
    const struct comparison *c = &percent.all;
    if (c->n)
        prose_say(says, "%.0f %% of the words saved%s, a quarter or more on %zu of %zu", comparison_first(c),
                  in_the_mean(c->n), c->won, c->n);
    return amount_verdict(&percent);
}

static const struct {
    const char *text, *where;
    enum verdict (*judge)(const struct results *r, struct prose *says);
} claims[CLAIMS] = {
    {"CW predicts at least as well as PA, and PA, on sequences, as the perceptron", "Tables 4 and 5", cw_predicts_best},
    {"CW is ahead of PA after one pass", "convergence figures", cw_learns_fastest},
    {"Drawn models (KD-Fix, KD-PC) rank errors best", "Tables 6 and 7", draws_rank_best},
    {"KD-Fix ranks errors best with PA, too", "Table 8", draws_rank_best_with_pa},
    {"KD-Fix with Delta to break ties is best for trees", "Tables 7 and 8", sum_ranks_trees_best},
    {"Weighting the K best answers ranks better than counting them", "Tables 7 and 8", weights_help_k_best},
    {"KD-PC is the best probability for sequences", "Table 9", pc_is_calibrated_best},
    {"KD-Fix is the best probability for trees", "Table 10", fix_is_calibrated_best},
    {"WKB is too pessimistic", "figures of bins", wkb_is_pessimistic},
    {"More than 50 draws add little", "effect of K", fifty_draws_are_enough},
    {"Precision rises at the cost of recall while F1 stays nearly the same", "trade-off figures", precision_rises},
    {"Recall rises at the cost of precision while F1 stays nearly the same (words in entities, types merged)",
     "trade-off figures", recall_rises},
    {"Active learning with KD-Fix saves a quarter of the words or more", "Table 12", quarter_is_saved},
};

bool claims_judge(const struct results *r, struct claim claim[CLAIMS], struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; i < CLAIMS; i++) {
        struct prose says = {0};
        claim[i] = (struct claim){.text = claims[i].text, .where = claims[i].where};
        claim[i].verdict = claims[i].judge(r, &says);
        claim[i].evidence = prose_take(&says, err);
        ok = ok && claim[i].evidence;
    }
    return ok;
}

void claims_release(struct claim claim[CLAIMS])
{
    for (size_t i = 0; i < CLAIMS; i++) {
        free(claim[i].evidence);
        claim[i].evidence = NULL;
    }
}
