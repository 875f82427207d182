/*
 * Runs the training loop, one for all learners, structures and tasks:
 *
 *     for every pass, for every sentence in a seeded random order:
 *         score the parts, decode what the learner needs,
 *         build the difference vectors, let the learner update.
 *
 * It is sequential and exact: the same seed gives the same voice, bit for bit.
 */
#include "base/random.h"
#include "learn/sentence_loop.h"
#include "learn/shards.h"

#include <string.h>

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
    return lesson_keep(options->keeper, loop->voice, pass, err);
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
    struct sentence_loop loop;
    uint32_t count = subset.count, kept = 0;
    uint32_t *order = new_array(count, sizeof *order, err);
    bool ok = sentence_loop_init(&loop, examples, options, voice, err) && order &&
              lesson_recall(options->keeper, voice, &kept, err);
    *stopped = false;
    for (uint32_t i = 0; ok && i < count; i++)
        order[i] = subset.index ? subset.index[i] : i;
    for (uint32_t pass = 1; ok && pass <= options->passes && !*stopped; pass++) {
        struct rng rng = rng_new(options->seed, pass);
        rng_shuffle(&rng, order, count); /* of the order before: also in a pass that was kept */
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
