/* Learning on all but a part: see held_out.h. One job for each voice of each layer of each part. */
#include "apply/held_out.h"

#include "base/parallel.h"

struct work {
    const struct held_out_plan *plan;
    struct held_out *held;
    struct tally_keeper *tally;
};

/* Which part a sentence belongs to. */
static uint32_t part_of(const struct held_out_plan *plan, uint32_t sentence, uint32_t count)
{
    uint32_t blocks = plan->parts * HELD_OUT_LEAST;
    return (uint32_t)((uint64_t)sentence * blocks / count) % plan->parts;
}

static bool carry_on(void *context, const struct training *training)
{
    const struct work *work = context;
    if (training->seen == training->examples)
        tally_step(work->tally);
    return !work->plan->stop || !work->plan->stop();
}

static bool learn_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct work *work = context;
    const struct held_out_plan *plan = work->plan;
    uint32_t p = job % plan->held, v = job / plan->held % plan->voices, l = job / plan->held / plan->voices;
    const struct examples *examples = &plan->subject->layer[l].examples;
    const struct trial *trial = &plan->trial[l][v];
    uint32_t count = 0, *rest = new_array(examples->count, sizeof *rest, err);
    (void)thread;
    for (uint32_t i = 0; rest && i < examples->count; i++)
        if (part_of(plan, i, examples->count) != p)
            rest[count++] = i;
    struct training_options options = {.learner = trial->learner,
                                       .parameters = trial->parameters,
                                       .passes = plan->passes,
                                       .seed = plan->seed,
                                       .tell = carry_on,
                                       .context = work};
    struct voice voice;
    bool stopped, ok = rest && train_voice(examples, rest, count, &options, &voice, &stopped, err);
    free(rest);
    if (!ok)
        return false;
    ok = (!stopped || fail(err, VOUCH_ERR_STOPPED, "interrupted")) &&
         model_voice_keep(&work->held->part[p].layer[l].voice[v], &voice, trial->learner->name, err);
    voice_release(&voice);
    return ok;
}

static bool lay_out(struct held_out *held, const struct held_out_plan *plan, struct vouch_error *err)
{
    uint32_t count = plan->subject->layer[0].examples.count;
    if (count < plan->parts * HELD_OUT_LEAST)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u",
                    plan->parts * HELD_OUT_LEAST, count);
    *held =
        (struct held_out){.subject = plan->subject, .parts = plan->held, .layers = plan->subject->layers, .owns = true};
    held->part = new_array(plan->held, sizeof *held->part, err);
    for (uint32_t p = 0; held->part && p < plan->held; p++) {
        struct held_part *part = &held->part[p];
        part->sentence = new_array(count, sizeof *part->sentence, err);
        if (!part->sentence)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (part_of(plan, i, count) == p)
                part->sentence[part->count++] = i;
        for (uint32_t l = 0; l < held->layers; l++) {
            part->layer[l].space = plan->subject->layer[l].examples.space;
            part->layer[l].voices = plan->voices;
            snprintf(part->layer[l].name, sizeof part->layer[l].name, "%s", plan->subject->layer[l].name);
        }
    }
    return held->part != NULL;
}

bool held_out_learn(struct held_out *held, const struct held_out_plan *plan, struct vouch_error *err)
{
    *held = (struct held_out){0};
    if (!lay_out(held, plan, err))
        return false;
    uint32_t jobs = plan->held * plan->voices * held->layers;
    struct work work = {.plan = plan, .held = held};
    work.tally = tally_open((struct tally){plan->tell, plan->context, jobs * plan->passes}, err);
    bool ok = work.tally && parallel_run(plan->threads, jobs, learn_job, &work, err);
    tally_close(work.tally);
    return ok;
}

bool held_out_dev(struct held_out *held, const struct subject *subject, const struct model_layer *layer,
                  struct vouch_error *err)
{
    uint32_t count = subject->layer[0].dev.count;
    *held = (struct held_out){.subject = subject, .dev = true, .parts = 1, .layers = subject->layers};
    held->part = new_array(1, sizeof *held->part, err);
    if (!held->part)
        return false;
    held->part->sentence = new_array(count, sizeof *held->part->sentence, err);
    if (!held->part->sentence)
        return false;
    held->part->count = count;
    for (uint32_t i = 0; i < count; i++)
        held->part->sentence[i] = i;
    for (uint32_t l = 0; l < held->layers; l++)
        held->part->layer[l] = layer[l];
    return true;
}

void held_out_release(struct held_out *held)
{
    for (uint32_t p = 0; held->part && p < held->parts; p++) {
        struct held_part *part = &held->part[p];
        for (uint32_t l = 0; held->owns && l < MAX_LAYERS; l++)
            for (uint32_t v = 0; v < MAX_VOICES; v++)
                model_voice_release(&part->layer[l].voice[v]);
        free(part->sentence);
    }
    free(held->part);
    *held = (struct held_out){0};
}
