/*
 * Finds how figures follow the model's own probabilities when text is unlike the training text.
 *
 * Held-out sentences are answered as they are, and again with more and more losses, as the model knows less of new
 * text. Two kinds of loss are simulated: features are forgotten, wherever they occur, like those of words that were
 * never seen; and words are mistaken for others with all of their features (losses.h). For every figure y (a share of
 * right answers) and the share x that probabilities lead to expect,
 *
 *     logit y = logit y0 + slope * (logit x - logit x0),
 *
 * where (x0, y0) are those of the sentences as they are, and each kind has a slope of its own, by least squares over
 * its levels. Cf. Guillory et al. 2021, who forecast by differences of confidences.
 *
 * Sentences are dealt to blocks; every (level, block) is one job with a place of its own for what it counts, so that
 * results do not depend on threads. Cost: the held-out sentences once, and at most SIMULATED_WORDS of them for every
 * level of every kind, by marginals of the first voice alone.
 */
#include "base/elementary.h"
#include "train/calibration.h"

#include "base/parallel.h"
#include "train/losses.h"
#include "measure/intervals.h"
#include "answer/layer_voices.h"
#include "tree/tree.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 50, SIMULATED_WORDS = 12000, SIMULATED_HEADS = 3000, RUN = 6 };

/* The levels of loss: nothing first, then features, then words. */
static const struct loss levels[] = {
    {0, 0, NULL},    {0.15, 0, NULL}, {0.3, 0, NULL}, {0.45, 0, NULL}, {0.6, 0, NULL}, {0.75, 0, NULL},
    {0, 0.05, NULL}, {0, 0.1, NULL},  {0, 0.2, NULL}, {0, 0.35, NULL}, {0, 0.5, NULL},
};
enum { LEVELS = sizeof levels / sizeof *levels, FORGET = 0, MISTAKE = 1 };

/* For a block: the counts that probabilities lead to expect, and those that were found. */
struct counted {
    struct expected_counts expected, measured;
};

/* One thread's working memory. */
struct simulator {
    struct workspace workspace;
    struct scratch fetching;
    bool *right;
    struct lossy lossy;
    uint32_t *gold;
    size_t right_capacity, gold_capacity;
};

struct simulation {
    const struct held_out *held;
    const struct method_params *params;
    const struct work *work;
    const struct examples *examples;
    const struct held_part *part;
    struct voice_set voice_set;
    uint32_t blocks;             /* of the part */
    uint32_t every;              /* one of so many blocks is answered at every level but the first */
    struct simulator *simulator; /* [threads] */
    struct counted *counted;     /* [LEVELS][blocks] */
    struct losses losses;
};

/* Counts the chunks of the answer that gold has, and those of gold. Unknown gold labels count as outside. */
static bool count_chunks(const struct simulation *s, struct simulator *c, const uint32_t *gold,
                         struct expected_counts *measured, struct vouch_error *err)
{
    const struct span_rules *rules = s->voice_set.rules;
    uint32_t N = c->workspace.N, outside = 0;
    struct extent span = {0, 0};
    if (!RESERVE(c->gold, c->gold_capacity, (size_t)N + 1, err))
        return false;
    while (outside + 1 < rules->labels && rules->type[outside] < rules->labels)
        outside++;
    for (uint32_t n = 0; n < N; n++)
        c->gold[n] = gold[n] < rules->labels ? gold[n] : outside;
    for (; span_next(rules, c->workspace.choice, N, span.to, &span); measured->chunks++)
        measured->chunks_right += span_agrees(rules, c->workspace.choice, c->gold, N, span);
    for (span.to = 0; span_next(rules, c->gold, N, span.to, &span);)
        measured->chunks_gold++;
    return true;
}

static bool ask(const struct simulation *s, struct simulator *c, uint32_t level, uint32_t i, struct counted *to,
                struct vouch_error *err)
{
    static const unsigned needs[MAX_VOICE_VIEWS] = {EVIDENCE_MARGINALS};
    const struct held_out *held = s->held;
    const struct dataset *dataset = held->dataset;
    struct example example;
    struct expected_counts expected, measured = {.sentences = 1};
    if (!s->examples->get(s->examples->self, i, &c->fetching, &example, err))
        return false;
    struct parts parts = example.parts;
    if (!losses_apply_to(&parts) || example_open(s->examples, &example))
        return true;
    if ((level > 0 && !losses_take(&s->losses, &levels[level], i, &c->lossy, &parts, err)) ||
        !voice_set_open(&s->voice_set, &c->workspace, &parts, needs, err) ||
        !voice_set_gather(&c->workspace, &parts, needs, err) ||
        !expected_counts_of(&expected, &c->workspace.evidence[0], level > 0 ? NULL : &parts, s->voice_set.rules, err))
        return false;
    struct example_answer answer = {0, held->dev, i, c->workspace.choice};
    if (!RESERVE(c->right, c->right_capacity, (size_t)parts.N + 1, err) ||
        !dataset->compare(dataset->self, &answer, c->right, err) ||
        (s->voice_set.rules && !count_chunks(s, c, example.gold, &measured, err)))
        return false;
    measured.words = parts.N;
    for (uint32_t n = 0; n < parts.N; n++)
        measured.words_right += c->right[n];
    expected_counts_add(&to->expected, &expected);
    expected_counts_add(&to->measured, &measured);
    return true;
}

static bool ask_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct simulation *s = context;
    uint32_t level = job / s->blocks, block = job % s->blocks;
    if (level > 0 && block % s->every)
        return true;
    for (uint32_t k = block * BLOCK; k < s->part->count && k < (block + 1) * BLOCK; k++)
        if (!ask(s, &s->simulator[thread], level, s->part->sentence[k], &s->counted[job], err))
            return false;
    return true;
}

/* The counts of all parts. */
struct found {
    struct counted *block; /* [blocks] of the text as it is */
    size_t blocks, capacity;
    struct counted level[LEVELS]; /* sums over the blocks that are answered at every level */
};

static bool gather(const struct simulation *s, struct found *found, struct vouch_error *err)
{
    if (!RESERVE(found->block, found->capacity, found->blocks + s->blocks, err))
        return false;
    memcpy(found->block + found->blocks, s->counted, sizeof *s->counted * s->blocks);
    found->blocks += s->blocks;
    for (uint32_t level = 0; level < LEVELS; level++)
        for (uint32_t b = 0; b < s->blocks; b += s->every) {
            expected_counts_add(&found->level[level].expected, &s->counted[(size_t)level * s->blocks + b].expected);
            expected_counts_add(&found->level[level].measured, &s->counted[(size_t)level * s->blocks + b].measured);
        }
    return true;
}

static bool ask_part(struct simulation *s, uint32_t p, struct found *found, struct vouch_error *err)
{
    const struct held_out *held = s->held;
    s->part = &held->part[p];
    s->blocks = (s->part->count + BLOCK - 1) / BLOCK;
    if (s->blocks == 0)
        return true;
    layer_voice_set(&s->part->layer[0], 0, s->examples->structure, s->params, NULL, held->dataset->rules,
                    &s->voice_set);
    s->counted = new_array((size_t)LEVELS * s->blocks, sizeof *s->counted, err);
    bool ok = s->counted && losses_survey(&s->losses, s->part, s->examples, 1, s->work->threads, err) &&
              parallel_run(s->work->threads, LEVELS * s->blocks, ask_block, s, err) && gather(s, found, err);
    free(s->counted);
    return ok;
}

static double share_log_odds(const struct expected_counts *t, enum share share)
{
    double count, p = expected_share(t, share, &count);
    return log_of((p * count + 0.5) / (count - p * count + 0.5));
}

/*
 * Returns the slope of what is measured over what is expected, for one kind of loss: a line through the text as it is,
 * by least squares.
 */
static double fit_slope(const struct found *found, uint32_t kind, enum share share)
{
    double xx = 0, xy = 0, count;
    for (uint32_t level = 1; level < LEVELS; level++) {
        const struct counted *c = &found->level[level], *whole = &found->level[0];
        expected_share(&c->expected, share, &count);
        if ((levels[level].mistaken > 0 ? MISTAKE : FORGET) != (int)kind || !(count > 0))
            continue;
        double x = share_log_odds(&c->expected, share) - share_log_odds(&whole->expected, share);
        double y = share_log_odds(&c->measured, share) - share_log_odds(&whole->measured, share);
        xx += x * x;
        xy += x * y;
    }
    return xx > 1e-3 ? fmin(fmax(xy / xx, 0.5), 4) : 1;
}

/* Returns how much more blocks differ than independent answers would, given what is expected of each. */
static double fit_spread(const struct found *found, const struct forecast_line *line, enum share share)
{
    double sum = 0, blocks = 0;
    for (size_t b = 0; b < found->blocks; b++) {
        const struct counted *c = &found->block[b];
        double count, measured = expected_share(&c->measured, share, &count),
                      expected = expected_share(&c->expected, share, NULL);
        if (isnan(measured) || isnan(expected))
            continue;
        double x = share_log_odds(&c->expected, share) - line->expected;
        double usual = 1 / (1 + exp_of(-line->measured - x)), away = measured - usual; /* by the line of all blocks */
        sum += away * away * count / (usual * (1 - usual));
        blocks++;
    }
    return blocks > 1 ? fmax(1, sum / (blocks - 1)) : 1;
}

/* Returns the deviation, over runs of RUN blocks, of the log-odds that are measured, beyond what chance gives. */
static double fit_drift(const struct found *found, const struct forecast_line *line, enum share share)
{
    double sum = 0, runs = 0;
    for (size_t first = 0; first + RUN <= found->blocks; first += RUN) {
        struct counted run = {0};
        double count;
        for (size_t b = first; b < first + RUN; b++) {
            expected_counts_add(&run.expected, &found->block[b].expected);
            expected_counts_add(&run.measured, &found->block[b].measured);
        }
        double measured = expected_share(&run.measured, share, &count);
        if (!(measured > 0 && measured < 1) || isnan(expected_share(&run.expected, share, NULL)))
            continue;
        double away = share_log_odds(&run.measured, share) - line->measured -
                      (share_log_odds(&run.expected, share) - line->expected);
        sum += away * away - line->spread / (count * measured * (1 - measured));
        runs++;
    }
    return runs > 0 ? sqrt(fmax(0, sum / runs)) : 0;
}

static void fit_line(const struct found *found, const struct counted *all, enum share share, struct forecast_line *line)
{
    double count;
    *line = (struct forecast_line){0};
    if (isnan(expected_share(&all->expected, share, NULL)) || isnan(expected_share(&all->measured, share, &count)))
        return;
    line->expected = share_log_odds(&all->expected, share);
    line->measured = share_log_odds(&all->measured, share);
    line->count = count;
    line->spread = fit_spread(found, line, share);
    line->drift = fit_drift(found, line, share);
    for (uint32_t kind = 0; kind < SHIFTS; kind++)
        line->slope[kind] = fit_slope(found, kind, share);
}

static bool fit_norms(const struct found *found, struct forecast_model *model, struct vouch_error *err)
{
    double *x = new_array(found->blocks + 1, sizeof *x, err);
    for (enum likeness l = 0; x && l < LIKENESSES; l++) {
        size_t n = 0;
        for (size_t b = 0; b < found->blocks; b++)
            if (found->block[b].expected.words > 0)
                x[n++] = likeness_of(&found->block[b].expected, l);
        model->norm[l] = (struct forecast_norm){n ? sample_mean(x, n) : 0, n > 1 ? sample_deviation(x, n) : 0};
    }
    free(x);
    return x != NULL;
}

static bool fit(const struct found *found, struct forecast_model *model, struct vouch_error *err)
{
    struct counted all = {0};
    for (size_t b = 0; b < found->blocks; b++) {
        expected_counts_add(&all.expected, &found->block[b].expected);
        expected_counts_add(&all.measured, &found->block[b].measured);
    }
    *model = (struct forecast_model){.fitted = all.expected.words > 0};
    if (!model->fitted)
        return true;
    model->block = all.expected.words / (double)found->blocks;
    for (enum share f = 0; f < SHARES; f++)
        fit_line(found, &all, f, &model->line[f]);
    return fit_norms(found, model, err);
}

/* Returns `every`, such that about as many words as are wanted are answered at every level. */
static uint32_t thinning(const struct held_out *held, const struct examples *examples)
{
    const struct dataset *dataset = held->dataset;
    size_t words = 0, most = examples->structure == &tree_structure ? SIMULATED_HEADS : SIMULATED_WORDS;
    for (uint32_t p = 0; p < held->parts; p++)
        for (uint32_t k = 0; k < held->part[p].count; k++)
            words += dataset->words_of(dataset->self, held->dev, held->part[p].sentence[k]);
    return (uint32_t)(words / most) + 1;
}

bool shift_fit(const struct held_out *held, const struct method_params *params, const struct work *work,
               struct forecast_model *model, struct vouch_error *err)
{
    const struct examples *examples = dataset_examples(held->dataset, 0, held->dev);
    struct simulation s = {.held = held,
                           .params = params,
                           .work = work,
                           .examples = examples,
                           .every = thinning(held, examples)};
    struct found found = {0};
    s.simulator = new_array(work->threads, sizeof *s.simulator, err);
    bool ok = s.simulator && losses_init(&s.losses, held->dataset, work->seed, err);
    for (uint32_t p = 0; ok && p < held->parts; p++)
        ok = ask_part(&s, p, &found, err);
    ok = ok && fit(&found, model, err);
    for (uint32_t i = 0; s.simulator && i < work->threads; i++) {
        struct simulator *c = &s.simulator[i];
        workspace_release(&c->workspace);
        scratch_release(&c->fetching);
        lossy_release(&c->lossy);
        free(c->right);
        free(c->gold);
    }
    free(s.simulator);
    losses_release(&s.losses);
    free(found.block);
    return ok;
}
