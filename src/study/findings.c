/* The short answer, made of numbers: see findings.h. */
#include "study/findings.h"

#include "report/prose.h"
#include "study/chapters.h"
#include "study/contest.h"

#include <math.h>
#include <stdlib.h>

static const char cw[] = "cw+crf", precision[] = "average_precision";

/* Which of the paper's methods is best in the mean; NULL: none was measured. */
static const char *best_of_the_paper(const struct results *r, bool trees, double *best)
{
    static const char *const methods[] = {"kd-fix", "kd-pc", "delta", "gamma", "wkb", "kb", "kd-fix+delta", NULL};
    const char *name = NULL;
    *best = NAN;
    for (size_t j = 0; methods[j]; j++) {
        double mean = ranking_mean(r, trees, cw, methods[j], precision);
        if (!isnan(mean) && !(mean <= *best)) {
            *best = mean;
            name = methods[j];
        }
    }
    return name;
}

/* On how many datasets `ours` ranks better than `theirs`. */
static struct contest against(const struct results *r, bool trees, const char *ours, const char *theirs)
{
    struct contest c = {0};
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees == trees)
            contest_add(&c, ranking_of(r, &r->set[i], cw, ours, precision),
                        ranking_of(r, &r->set[i], cw, theirs, precision));
    return c;
}

static void say_ours(struct prose *says, const struct results *r, bool trees, const char *ours, const char *theirs)
{
    struct contest c = against(r, trees, ours, theirs);
    if (c.n)
        prose_say(says, "%s %.3f (%+.3f, no lower on %zu of %zu)", label_of(ours), contest_first(&c),
                  contest_first(&c) - contest_second(&c), c.won, c.n);
}

/* What margins and drawn models add to a CRF's marginals: the committee hears both. */
static void say_addition(struct prose *says, const struct results *r, bool trees)
{
    struct contest c = against(r, trees, "committee", "gamma@crf");
    double gain = contest_first(&c) - contest_second(&c);
    prose_say(says, "The committee hears margins and drawn models beside the CRF's marginals: %s %.3f, on %zu of %zu.",
              gain >= 0 ? "they add" : "they cost", fabs(gain), gain >= 0 ? c.won : c.n - c.won, c.n);
}

static void say_ranking(struct prose *says, const struct results *r, bool trees)
{
    double best;
    const char *name = best_of_the_paper(r, trees, &best);
    if (!name)
        return;
    prose_say(says, "%sOf the paper's methods, %s finds the errors of %s best: average precision %.3f in the mean. ",
              says->length ? " " : "", label_of(name), trees ? "trees" : "sequences", best);
    if (against(r, trees, "committee", name).n && against(r, trees, "gamma@crf", name).n) {
        prose_say(says, "Added here: ");
        say_ours(says, r, trees, "gamma@crf", name);
        prose_say(says, ", ");
        say_ours(says, r, trees, "committee", name);
        prose_say(says, ". ");
        say_addition(says, r, trees);
    }
}

static void say_prediction(struct prose *says, const struct results *r, bool trees)
{
    struct contest c = {0};
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].trees == trees)
            contest_add(&c, score_of(r, &r->set[i], "crf"), score_of(r, &r->set[i], "cw"));
    if (c.n)
        prose_say(says,
                  "%s%s: the CRF, which the paper does not have, has %.2f in the mean, CW %.2f; it is no worse on "
                  "%zu of %zu.",
                  says->length ? " " : "", trees ? "Heads" : "Labels", contest_first(&c), contest_second(&c), c.won,
                  c.n);
}

static void say_calibration(struct prose *says, const struct results *r, bool trees)
{
    double fix = rmse_mean(r, trees, cw, false, "kd-fix"), pc = rmse_mean(r, trees, cw, false, "kd-pc");
    double fix_after = rmse_mean(r, trees, cw, true, "kd-fix"), pc_after = rmse_mean(r, trees, cw, true, "kd-pc");
    double committee = rmse_mean(r, trees, cw, true, "committee");
    if (isnan(fix) || isnan(pc) || isnan(fix_after) || isnan(pc_after) || isnan(committee))
        return;
    prose_say(says,
              "%sAs probabilities of right %s, KD-Fix has a mean RMSE of %.3f and KD-PC of %.3f as they come, %.3f and "
              "%.3f calibrated; the committee has %.3f.",
              says->length ? " " : "", trees ? "heads" : "labels", fix, pc, fix_after, pc_after, committee);
}

/* The claims with one verdict, one sentence after the other. */
static void say_claims(struct prose *says, const struct claim claim[CLAIMS], enum verdict verdict)
{
    for (size_t i = 0; i < CLAIMS; i++)
        if (claim[i].verdict == verdict)
            prose_say(says, "%s%s.", says->length ? " " : "", claim[i].text);
}

/* A paragraph that begins with a word or two in bold. */
static void put_paragraph(struct document *d, const char *lead, struct prose *says)
{
    char *text = prose_take(says, d->err);
    d->ok = d->ok && text;
    if (d->ok && *text)
        document_point(d, lead, text);
    free(text);
}

void findings_write(struct document *d, const struct results *r, const struct claim claim[CLAIMS])
{
    static const struct {
        const char *lead;
        void (*say)(struct prose *says, const struct results *r, bool trees);
    } parts[] = {
        {"Prediction.", say_prediction}, {"Finding errors.", say_ranking}, {"Probabilities.", say_calibration}};
    struct prose says = {0};
    say_claims(&says, claim, HOLDS);
    put_paragraph(d, "What holds:", &says);
    say_claims(&says, claim, HOLDS_IN_PART);
    put_paragraph(d, "What holds in part only:", &says);
    say_claims(&says, claim, DOES_NOT_HOLD);
    put_paragraph(d, "What does not hold here:", &says);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        parts[i].say(&says, r, false);
        parts[i].say(&says, r, true);
        put_paragraph(d, parts[i].lead, &says);
    }
}
