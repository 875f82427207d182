/* Learns on all but a part: see held_out.h. There is one job for each voice of each layer of each part. */
#include "train/held_out.h"

#include "base/parallel.h"
#include "base/random.h"
#include "train/count_words.h"

#include <math.h>

enum { BLOCK_LEAST = 50 }; /* sentences in a block, if there are enough of them */

struct work {
    const struct held_out_plan *plan;
    struct held_out *held;
    uint32_t *part; /* [sentences] which part each belongs to */
    struct tally_keeper *tally;
};

/*
 * Returns the number of blocks of neighbouring sentences. Eight for each part spread a part over the corpus. Small
 * corpora have fewer, so that no block is shorter than a document or two: otherwise models would have learned its names
 * from the sentences next to it.
 */
static uint64_t blocks_of(const struct held_out_plan *plan, uint32_t count)
{
    uint64_t most = (uint64_t)plan->parts * HELD_OUT_LEAST, blocks = count / BLOCK_LEAST;
    return blocks < plan->parts ? plan->parts : blocks < most ? blocks : most;
}

/* Deals the sentences out to parts. */
static uint32_t *deal(const struct held_out_plan *plan, uint32_t count, struct vouch_error *err)
{
    uint32_t *part = new_array(count, sizeof *part, err);
    uint64_t blocks = plan->scattered ? count : blocks_of(plan, count);
    for (uint32_t i = 0; part && i < count; i++)
        part[i] = (uint32_t)(i * blocks / count % plan->parts);
    struct rng rng = rng_new(plan->seed, 0);
    if (part && plan->scattered)
        rng_shuffle(&rng, part, count);
    return part;
}

/* One voice being learned. */
struct lesson {
    const struct work *work;
    uint32_t part, layer;
    struct watched *sum; /* [words] sums over given choices; NULL: not wanted */
};

static bool carry_on(void *context, const struct training *training)
{
    const struct work *work = ((const struct lesson *)context)->work;
    if (training->seen == training->examples)
        tally_step(work->tally);
    return !work->plan->stop || !work->plan->stop(work->plan->context);
}

static void watch(void *context, uint32_t number, const struct example *example, const struct scores *marginal)
{
    const struct lesson *lesson = context;
    const struct dataset *dataset = lesson->work->plan->dataset;
    struct watched *sum = lesson->sum + dataset->words_before(dataset->self, false, number);
    size_t options = (size_t)marginal->G * marginal->width / example->parts.N;
    for (uint32_t n = 0; n < example->parts.N; n++) {
        const float *p = marginal->node + n * options;
        float other = 0;
        for (size_t y = 0; y < options; y++)
            other = y != example->gold[n] && p[y] > other ? p[y] : other;
        sum[n].probability += p[example->gold[n]];
        sum[n].margin += p[example->gold[n]] - other;
    }
}

/* Returns the first voice that has probabilities; the number of voices if none has. */
static uint32_t find_probable(const struct held_out_plan *plan, uint32_t layer)
{
    const struct learner *learner[MAX_VOICES];
    for (uint32_t v = 0; v < plan->voices; v++)
        learner[v] = plan->trial[layer][v].learner;
    return probable_voice(learner, plan->voices);
}

static bool learn_voice(struct lesson *lesson, uint32_t v, struct vouch_error *err)
{
    const struct work *work = lesson->work;
    const struct held_out_plan *plan = work->plan;
    const struct examples *examples = &plan->dataset->layer[lesson->layer].examples;
    const struct trial *trial = &plan->trial[lesson->layer][v];
    uint32_t count = 0, *rest = new_array(examples->count, sizeof *rest, err);
    for (uint32_t i = 0; rest && i < examples->count; i++)
        if (work->part[i] != lesson->part)
            rest[count++] = i;
    struct training_options options = {.learner = trial->learner,
                                       .parameters = trial->parameters,
                                       .passes = plan->passes,
                                       .seed = plan->seed,
                                       .tell = carry_on,
                                       .show = lesson->sum ? watch : NULL,
                                       .context = lesson};
    struct voice voice;
    bool stopped, ok = rest && train_voice(examples, (struct subset){rest, count}, &options, &voice, &stopped, err);
    free(rest);
    if (!ok)
        return false;
    struct model_layer *layer = &work->held->part[lesson->part].layer[lesson->layer];
    ok = (!stopped || fail(err, VOUCH_ERR_STOPPED, "interrupted")) &&
         model_voice_keep(&layer->voice[v], &voice, trial->learner->name, err);
    voice_release(&voice);
    return ok;
}

static bool learn_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct work *work = context;
    const struct held_out_plan *plan = work->plan;
    uint32_t v = job / plan->held % plan->voices;
    struct lesson lesson = {.work = work, .part = job % plan->held, .layer = job / plan->held / plan->voices};
    struct held_part *part = &work->held->part[lesson.part];
    (void)thread;
    if (plan->watch && v == find_probable(plan, lesson.layer)) {
        uint32_t count = plan->dataset->layer[0].examples.count;
        lesson.sum =
            new_array(plan->dataset->words_before(plan->dataset->self, false, count) + 1, sizeof *lesson.sum, err);
        part->learned[lesson.layer] = lesson.sum;
        if (!lesson.sum)
            return false;
    }
    return learn_voice(&lesson, v, err);
}

/* Averages how well each label was learned. The models of all parts but its own learned from a sentence. */
static bool sum_up(const struct work *work, uint32_t l, struct vouch_error *err)
{
    const struct held_out_plan *plan = work->plan;
    const struct dataset *dataset = plan->dataset;
    struct held_out *held = work->held;
    uint32_t count = dataset->layer[0].examples.count;
    size_t words = dataset->words_before(dataset->self, false, count), w = 0;
    held->learned[l] = new_array(words + 1, sizeof *held->learned[l], err);
    for (uint32_t i = 0; held->learned[l] && i < count; i++) {
        uint32_t lessons = plan->passes * (plan->held - (work->part[i] < plan->held));
        for (; w < dataset->words_before(dataset->self, false, i + 1); w++) {
            double sum = 0, margins = 0;
            for (uint32_t p = 0; p < plan->held; p++) {
                sum += (double)held->part[p].learned[l][w].probability;
                margins += (double)held->part[p].learned[l][w].margin;
            }
            held->learned[l][w].probability = lessons ? (float)(sum / lessons) : NAN;
            held->learned[l][w].margin = lessons ? (float)(margins / lessons) : NAN;
        }
    }
    return held->learned[l] != NULL;
}

static bool lay_out(struct held_out *held, const struct held_out_plan *plan, const uint32_t *dealt,
                    struct vouch_error *err)
{
    uint32_t count = plan->dataset->layer[0].examples.count;
    *held =
        (struct held_out){.dataset = plan->dataset, .parts = plan->held, .layers = plan->dataset->layers, .owns = true};
    held->part = new_array(plan->held, sizeof *held->part, err);
    for (uint32_t p = 0; held->part && p < plan->held; p++) {
        struct held_part *part = &held->part[p];
        part->sentence = new_array(count, sizeof *part->sentence, err);
        if (!part->sentence)
            return false;
        for (uint32_t i = 0; i < count; i++)
            if (dealt[i] == p)
                part->sentence[part->count++] = i;
        for (uint32_t l = 0; l < held->layers; l++) {
            part->layer[l].space = plan->dataset->layer[l].examples.space;
            part->layer[l].voices = plan->voices;
            snprintf(part->layer[l].name, sizeof part->layer[l].name, "%s", plan->dataset->layer[l].name);
        }
    }
    return held->part != NULL;
}

/* Makes the lexicon of each part, which leaves out the part's own sentences. */
static bool count_parts(struct held_out *held, struct vouch_error *err)
{
    for (uint32_t l = 0; l < held->layers; l++) {
        struct lexicon *all = &held->lexicon[l];
        if (!count_words(held->dataset, l, NULL, held->dataset->layer[l].examples.count, all, err) ||
            !lexicon_close(all, err))
            return false;
        for (uint32_t p = 0; p < held->parts; p++) {
            struct held_part *part = &held->part[p];
            if (!count_words(held->dataset, l, part->sentence, part->count, &part->held[l], err))
                return false;
            part->layer[l].lexicon =
                (struct lexicon){.slot = all->slot, .mask = all->mask, .count = all->count, .except = &part->held[l]};
        }
    }
    return true;
}

bool held_out_learn(struct held_out *held, const struct held_out_plan *plan, struct vouch_error *err)
{
    uint32_t count = plan->dataset->layer[0].examples.count;
    *held = (struct held_out){0};
    if (count < plan->parts * HELD_OUT_LEAST)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u",
                    plan->parts * HELD_OUT_LEAST, count);
    struct work work = {.plan = plan, .held = held, .part = deal(plan, count, err)};
    bool ok = work.part && lay_out(held, plan, work.part, err);
    uint32_t jobs = plan->held * plan->voices * held->layers;
    work.tally = ok ? tally_open((struct tally){plan->tell, plan->context, jobs * plan->passes}, err) : NULL;
    ok = work.tally && (!plan->words || count_parts(held, err)) &&
         parallel_run(plan->threads, jobs, learn_job, &work, err);
    for (uint32_t l = 0; ok && l < held->layers; l++)
        if (plan->watch && find_probable(plan, l) < plan->voices)
            ok = sum_up(&work, l, err);
    tally_close(work.tally);
    free(work.part);
    return ok;
}

bool held_out_dev(struct held_out *held, const struct dataset *dataset, const struct model_layer *layer,
                  struct vouch_error *err)
{
    uint32_t count = dataset->layer[0].dev.count;
    *held = (struct held_out){.dataset = dataset, .dev = true, .parts = 1, .layers = dataset->layers};
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
        for (uint32_t l = 0; l < MAX_LAYERS; l++) {
            lexicon_release(&part->held[l]);
            free(part->learned[l]);
        }
        free(part->sentence);
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++) {
        lexicon_release(&held->lexicon[l]);
        free(held->learned[l]);
    }
    free(held->part);
    *held = (struct held_out){0};
}
