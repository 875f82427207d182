/*
 * Writes the short answer from the numbers: see claims.h.
 *
 * It tells how well learners predict, which method finds errors best and by how much, how far a figure may be off by
 * chance, and how well confidence is a probability. Every sentence is made of figures of the results: where one was not
 * measured, its sentence is left out.
 */
#include "study/claims.h"

#include "base/order.h"
#include "study/chapters.h"

#include <math.h>
#include <stdlib.h>

static const char cw[] = "cw+crf", pa[] = "pa+crf", precision[] = "average_precision";

/* Returns which of the paper's methods is best in the mean; NULL: none was measured. */
static const char *best_of_the_paper(const struct results *r, bool trees, const char *voices, double *best)
{
    static const char *const methods[] = {"kd-fix", "kd-pc", "delta", "gamma", "wkb", "kb", "kd-fix+delta", NULL};
    struct best found = {0};
    for (size_t j = 0; methods[j]; j++)
        if (is_the_papers(methods[j], trees))
            best_offer(&found, j, ranking_mean(r, trees, voices, methods[j], precision));
    *best = found.score;
    return found.any ? methods[found.row] : NULL;
}

/* Compares how `ours` and `theirs` rank, over all datasets. */
static struct comparison against(const struct results *r, bool trees, const char *ours, const char *theirs)
{
    struct comparison c = {0};
    for (EACH_SET(set, r, trees))
        comparison_add(&c, ranking_of(set, cw, ours, precision), ranking_of(set, cw, theirs, precision), NO_GAP);
    return c;
}

/* Tells what margins and what was counted in training add to a CRF's marginals: the committee uses both. */
static void say_addition(struct prose *says, const struct results *r, bool trees)
{
    struct comparison c = against(r, trees, "committee", "gamma@crf");
    double gain = comparison_first(&c) - comparison_second(&c);
    prose_say(
        says,
        " Beside the CRF's marginals the committee uses margins and what was counted in training: %.3f %s, on %zu "
        "of %zu.",
        fabs(gain), gain >= 0 ? "higher" : "lower", gain >= 0 ? c.won : c.n - c.won, c.n);
}

/* Tells the same for the answers of PA, and for a CRF that judges its own. */
static void say_other_answers(struct prose *says, const struct results *r, bool trees)
{
    double best, alone = ranking_mean(r, trees, "crf", "gamma", precision);
    const char *name = best_of_the_paper(r, trees, pa, &best);
    double marginals = ranking_mean(r, trees, pa, "gamma@crf", precision);
    double committee = ranking_mean(r, trees, pa, "committee", precision);
    if (name && !isnan(marginals) && !isnan(committee))
        prose_say(says, " On PA's answers: %s %.3f, CRF marginals %.3f, committee %.3f.", label_of(name), best,
                  marginals, committee);
    if (!isnan(alone))
        prose_say(says, " A CRF alone, on its own answers and errors: %.3f.", alone);
    /* Models with different answers are compared by risk: the share of errors among the most confident answers. */
    static const char area[] = "area_under_risk_coverage";
    double by_cw = 100 * ranking_mean(r, trees, cw, "committee", area);
    double by_pa = 100 * ranking_mean(r, trees, pa, "committee", area);
    double by_crf = 100 * ranking_mean(r, trees, "crf", "gamma", area);
    if (!isnan(by_cw) && !isnan(by_pa) && !isnan(by_crf))
        prose_say(says,
                  " Average precision does not compare these, whose errors differ; the area under the risk-coverage "
                  "curve does, the lower the better: committee on CW's answers %.3f %%, on PA's %.3f %%, CRF alone "
                  "%.3f %%.",
                  by_cw, by_pa, by_crf);
}

static void say_ranking(struct prose *says, const struct results *r, bool trees)
{
    double best;
    const char *name = best_of_the_paper(r, trees, cw, &best);
    if (!name)
        return;
    prose_say(says, "Of the paper's methods, %s finds the errors of CW's %s best: average precision %.3f%s.",
              label_of(name), trees ? "trees" : "labels", best, in_the_mean(sets_of(r, trees)));
    double paper_best;
    const char *paper_name = best_of_the_paper(r, trees, r->setting[0].voices, &paper_best);
    if (r->settings > 1 && paper_name)
        prose_say(says, " If CW learns from the best answer, as in the paper: %s, %.3f.", label_of(paper_name),
                  paper_best);
    if (against(r, trees, "committee", name).n && against(r, trees, "gamma@crf", name).n) {
        static const char *const ours[] = {"gamma", "gamma@crf", "committee"}; /* for trees the paper has no Gamma */
        prose_say(says, " Added here: ");
        for (size_t i = trees ? 0 : 1; i < 3; i++) {
            struct comparison c = against(r, trees, ours[i], name);
            if (c.n)
                prose_say(says, "%s %.3f (%+.3f, no lower on %zu of %zu)%s", label_of(ours[i]), comparison_first(&c),
                          comparison_first(&c) - comparison_second(&c), c.won, c.n, i < 2 ? ", " : ".");
        }
        say_addition(says, r, trees);
    }
    say_other_answers(says, r, trees);
}

static void say_prediction(struct prose *says, const struct results *r, bool trees)
{
    struct comparison c = {0};
    for (EACH_SET(set, r, trees))
        comparison_add(&c, score_of(set, "crf", 0), score_of(set, "cw", 0), NO_GAP);
    if (c.n)
        prose_say(
            says,
            "%s%s: the CRF, which the paper does not have, has %.2f%s, CW %.2f; the CRF is no worse on %zu of %zu.",
            says->length ? " " : "", trees ? "Heads" : "Labels", comparison_first(&c), in_the_mean(c.n),
            comparison_second(&c), c.won, c.n);
}

static void say_calibration(struct prose *says, const struct results *r, bool trees)
{
    static const struct {
        const char *numbers, *method;
    } figures[] = {{"raw", "kd-fix"},
                   {"raw", "kd-pc"},
                   {"calibrated", "kd-fix"},
                   {"calibrated", "kd-pc"},
                   {"calibrated", "committee"}};
    double rmse[5];
    for (size_t i = 0; i < 5; i++) {
        rmse[i] = judged_mean(r, trees, cw, figures[i].numbers, figures[i].method, RMSE);
        if (isnan(rmse[i]))
            return;
    }
    prose_say(says,
              "%sAs probabilities of right %s, KD-Fix has an RMSE of %.3f%s and KD-PC of %.3f as they come, %.3f and "
              "%.3f calibrated; the committee has %.3f.",
              says->length ? " " : "", kind_words[trees].answers, rmse[0], in_the_mean(sets_of(r, trees)), rmse[1],
              rmse[2], rmse[3], rmse[4]);
}

/* Tells how far a single figure may be off by chance. */
static void say_doubt(struct prose *says, const struct results *r)
{
    for (int trees = 0; trees < 2; trees++) {
        double half = half_interval(r, trees, cw);
        if (!isnan(half))
            prose_say(says, "%s \xc2\xb1%.3f for %s",
                      says->length ? " and" : "A 95 % interval of one average precision is", half,
                      kind_words[trees].answers);
    }
    prose_end(says, ": on one dataset, smaller differences between methods may be luck.");
}

void findings_write(struct document *d, const struct results *r)
{
    struct prose says = {0};
    say_prediction(&says, r, false);
    say_prediction(&says, r, true);
    document_point_prose(d, "Prediction.", &says);
    say_ranking(&says, r, false);
    document_point_prose(d, "Finding wrong labels.", &says);
    say_ranking(&says, r, true);
    document_point_prose(d, "Finding wrong heads.", &says);
    say_doubt(&says, r);
    document_point_prose(d, "How sure.", &says);
    say_calibration(&says, r, false);
    say_calibration(&says, r, true);
    document_point_prose(d, "Probabilities.", &says);
}
