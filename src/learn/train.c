/*
 * Runs the training loop, one for all learners, structures and tasks:
 *
 *     for every pass, for every sentence in a seeded random order:
 *         score the parts, decode what the learner needs,
 *         build the difference vectors, let the learner update.
 *
 * It is sequential and exact: the same seed gives the same voice, bit for bit. Small coefficients of gradients are
 * dropped: half the time, the same F1.
 */
#include "learn/sentence_loop.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* Coefficients of groups smaller than this are left out of the gradient: they cost time and change nothing. */
#define NEGLIGIBLE 1e-3f

bool sentence_loop_init(struct sentence_loop *loop, const struct examples *examples,
                        const struct training_options *options, struct voice *voice, struct vouch_error *err)
{
    *loop = (struct sentence_loop){.examples = examples, .options = options, .voice = voice};
    return diff_init(&loop->diff, &examples->space, err);
}

void sentence_loop_release(struct sentence_loop *loop)
{
    diff_release(&loop->diff);
    scores_release(&loop->scores);
    scores_release(&loop->coefficient);
    scores_release(&loop->agreeing);
    scores_release(&loop->expected);
    scratch_release(&loop->decoding);
    scratch_release(&loop->fetching);
    scratch_release(&loop->work);
    arena_release(&loop->arena);
}

/* Adds the lane target minus `choice`; all coefficients are zero before and after. */
static bool add_lane(struct sentence_loop *loop, uint32_t lane, const struct example *example, const uint32_t *target,
                     const uint32_t *choice, struct vouch_error *err)
{
    struct scores *coefficient = &loop->coefficient;
    struct contrast *rows = &loop->rows;
    size_t width = coefficient->width;
    loop->examples->structure->contrast(target, choice, coefficient, rows);
    bool ok = diff_add_some(&loop->diff, lane, &example->parts, coefficient, rows, err);
    for (uint32_t i = 0; i < rows->nodes; i++)
        memset(coefficient->node + rows->node[i] * width, 0, width * sizeof *coefficient->node);
    for (uint32_t i = 0; i < rows->edges; i++)
        memset(coefficient->edge + rows->edge[i] * width * width, 0, width * width * sizeof *coefficient->edge);
    return ok;
}

/* Adds the lines of all blocks of the difference. */
static void mark_changed(const struct diff *diff, line_bits *changed)
{
    FOR_BLOCKS(diff, blocks, b)
    {
        size_t at = block_at(blocks, b);
        for (size_t line = at / LINE; line <= (at + blocks->width - 1) / LINE; line++)
            changed[line / 64] |= UINT64_C(1) << line % 64;
    }
}

static bool apply_update(struct sentence_loop *loop, struct vouch_error *err)
{
    if (loop->changed)
        mark_changed(&loop->diff, loop->changed);
    return loop->options->learner->update(&loop->options->parameters, loop->voice, &loop->diff, loop->loss, &loop->work,
                                          err);
}

/* Learns from the best choice, or the K best; *wrong becomes the number of wrong words of the best. */
static bool learn_from_choices(struct sentence_loop *loop, const struct example *example, double *wrong,
                               struct vouch_error *err)
{
    const struct structure *structure = loop->examples->structure;
    uint32_t N = example->parts.N, found = 1;
    uint32_t K = loop->options->parameters.K;
    if (!ARENA_ARRAY(loop->choice, (size_t)K * N, &loop->arena, err) ||
        !ARENA_ARRAY(loop->score, K, &loop->arena, err) || !ARENA_ARRAY(loop->loss, K, &loop->arena, err))
        return false;
    if (K > 1 ? !structure->kbest(&loop->scores, K, &loop->decoding, loop->choice, loop->score, &found, err)
              : !structure->best(&loop->scores, &loop->decoding, loop->choice, loop->score, err))
        return false;
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < found; k++) {
        loop->loss[k] = wrong_decided(example->gold, loop->choice + (size_t)k * N, N);
        lanes += loop->loss[k] > 0;
    }
    *wrong = loop->loss[0];
    if (!lanes)
        return true;
    const uint32_t *target = learning_target(loop, example, err);
    if (!target || !scores_zero_like(&loop->coefficient, &loop->scores, err) ||
        !ARENA_ARRAY(loop->rows.node, 2 * (size_t)N, &loop->arena, err) ||
        !ARENA_ARRAY(loop->rows.edge, N, &loop->arena, err))
        return false;
    diff_clear(&loop->diff, lanes);
    for (uint32_t k = 0, lane = 0; k < found; k++) {
        if (loop->loss[k] == 0) /* the right one makes no lane */
            continue;
        if (!add_lane(loop, lane, example, target, loop->choice + (size_t)k * N, err))
            return false;
        loop->loss[lane++] = loop->loss[k];
    }
    return apply_update(loop, err);
}

/* Adds the parts of gold to the coefficients; *score becomes that of gold, or of all answers that agree with it. */
static bool add_gold(struct sentence_loop *loop, const struct example *example, double *score, struct vouch_error *err)
{
    const struct structure *structure = loop->examples->structure;
    if (example_open(loop->examples, example))
        return add_expected_of_agreeing(loop, example, score, err);
    *score = structure->score(&loop->scores, example->gold);
    structure->mark(example->gold, 1, &loop->coefficient);
    return true;
}

/* Learns from coefficient = gold - marginals; the loss is the negative log-likelihood. */
static bool learn_from_marginals(struct sentence_loop *loop, uint32_t number, const struct example *example,
                                 double *nats, struct vouch_error *err)
{
    const struct structure *structure = loop->examples->structure;
    struct scores *coefficient = &loop->coefficient;
    double log_z, score;
    if (!ARENA_ARRAY(loop->loss, 1, &loop->arena, err) ||
        !structure->marginals(&loop->scores, 1, &loop->decoding, coefficient, &log_z, err))
        return false;
    if (loop->options->show)
        loop->options->show(loop->options->context, number, example, coefficient);
    size_t nodes = (size_t)coefficient->G * coefficient->width;
    size_t edges = (size_t)coefficient->E * coefficient->width * coefficient->width;
    for (size_t i = 0; i < nodes; i++)
        coefficient->node[i] = -coefficient->node[i];
    for (size_t i = 0; i < edges; i++)
        coefficient->edge[i] = -coefficient->edge[i];
    if (!add_gold(loop, example, &score, err))
        return false;
    *nats = log_z - score;
    for (size_t i = 0; i < nodes; i++)
        if (fabsf(coefficient->node[i]) < NEGLIGIBLE)
            coefficient->node[i] = 0;
    diff_clear(&loop->diff, 1);
    loop->loss[0] = *nats;
    return diff_add(&loop->diff, 0, &example->parts, coefficient, err) && apply_update(loop, err);
}

bool sentence_loop_learn(struct sentence_loop *loop, uint32_t number, double *loss, uint64_t *words,
                         struct vouch_error *err)
{
    const struct examples *examples = loop->examples;
    struct example example;
    arena_reset(&loop->arena);
    if (!examples->get(examples->self, number, &loop->fetching, &example, err))
        return false;
    uint32_t decided = example.parts.N - example_open(examples, &example);
    if (examples->partial && decided == 0)
        return true;
    example.parts.transitions = NULL; /* answers have some alone, but learning from all of them is better */
    if (!parts_score(&example.parts, &examples->space, loop->voice->mean, &loop->scores, err))
        return false;
    voice_tick(loop->voice);
    double suffered = 0;
    bool ok = loop->options->learner->need == NEED_MARGINALS
                  ? learn_from_marginals(loop, number, &example, &suffered, err)
                  : learn_from_choices(loop, &example, &suffered, err);
    *loss += suffered;
    *words += decided;
    return ok;
}

/* ---- All sentences ---- */

const struct learner *const learners[] = {
    &confidence_weighted, &passive_aggressive, &perceptron, &log_likelihood, NULL,
};

const struct learner *learner_named(const char *name)
{
    for (const struct learner *const *l = learners; *l; l++)
        if (strcmp((*l)->name, name) == 0)
            return *l;
    return NULL;
}

uint32_t probable_voice(const struct learner *const *learner, uint32_t count)
{
    uint32_t v = 0;
    while (v < count && !(learner[v] && learner[v]->need == NEED_MARGINALS))
        v++;
    return v;
}

static bool run_pass(struct sentence_loop *loop, const uint32_t *order, uint32_t count, uint32_t pass, bool *stopped,
                     struct vouch_error *err)
{
    const struct training_options *options = loop->options;
    struct training now = {.pass = pass, .passes = options->passes, .examples = count, .voice = loop->voice};
    double loss = 0;
    uint64_t words = 0;
    for (uint32_t i = 0; i < count && !*stopped; i++) {
        if (!sentence_loop_learn(loop, order[i], &loss, &words, err))
            return false;
        if ((i + 1) % TELL_EVERY == 0 && i + 1 < count && options->tell) {
            now.seen = i + 1;
            now.loss = loss / (double)(words ? words : 1);
            *stopped = !options->tell(options->context, &now);
        }
    }
    if (*stopped)
        return true;
    if (options->learner->end_pass)
        options->learner->end_pass(&options->parameters, loop->voice);
    now.seen = count;
    now.loss = loss / (double)(words ? words : 1);
    if (options->tell)
        *stopped = !options->tell(options->context, &now);
    const struct voice_checkpoint *checkpoint = options->checkpoint;
    return !checkpoint || checkpoint->save(checkpoint->self, loop->voice, pass, err);
}

bool voice_start(const struct examples *examples, const struct training_options *options, struct voice *voice,
                 struct vouch_error *err)
{
    const struct learner *learner = options->learner;
    struct voice_needs needs = learner->keeps ? learner->keeps(&options->parameters) : (struct voice_needs){0};
    return voice_init(voice, &examples->space, &needs, err);
}

void voice_resume(struct voice *voice, const struct learner *learner, const struct space *from, const float *mean,
                  const float *var)
{
    voice_recall(voice, from, mean, var);
    if (learner->resume)
        learner->resume(voice);
}

bool train_on(const struct examples *examples, struct subset subset, const struct training_options *options,
              struct voice *voice, bool *stopped, struct vouch_error *err)
{
    if (options->shards > 1)
        return train_shards(examples, subset, options, voice, stopped, err);
    const struct voice_checkpoint *checkpoint = options->checkpoint;
    struct sentence_loop loop;
    uint32_t count = subset.count, kept = 0;
    uint32_t *order = new_array(count, sizeof *order, err);
    bool ok = sentence_loop_init(&loop, examples, options, voice, err) && order &&
              (!checkpoint || checkpoint->restore(checkpoint->self, voice, &kept, err));
    *stopped = false;
    for (uint32_t i = 0; ok && i < count; i++)
        order[i] = subset.index ? subset.index[i] : i;
    for (uint32_t pass = 1; ok && pass <= options->passes && !*stopped; pass++) {
        struct rng rng = rng_new(options->seed, pass);
        rng_shuffle(&rng, order, count); /* of the order of the pass before, be it restored or run */
        ok = pass <= kept || run_pass(&loop, order, count, pass, stopped, err);
    }
    free(order);
    sentence_loop_release(&loop);
    return ok;
}

bool train_voice(const struct examples *examples, struct subset subset, const struct training_options *options,
                 struct voice *voice, bool *stopped, struct vouch_error *err)
{
    if (!voice_start(examples, options, voice, err))
        return false;
    bool ok = train_on(examples, subset, options, voice, stopped, err);
    if (!ok)
        voice_release(voice);
    return ok;
}
