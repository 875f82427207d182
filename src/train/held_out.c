/*
 * Learns on all but a part: see held_out.h. Small corpora are held out in longer blocks: with 200 sentences in blocks
 * of five, models knew names from the sentences next door, and sentences of English names were too sure by 0.14; with
 * blocks of forty, by 0.08. Nodes of the tree lie in the order of their levels; there is a job for each
 * voice of each layer of each node, which needs that of the parent. The second child takes the parent's voice over if
 * the first has copied it.
 */
#include "train/held_out.h"

#include "base/parallel.h"
#include "base/random.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK_LEAST = 50 }; /* sentences in a block, if there are enough of them */

/*
 * A set of voices that holds out the parts from..to-1: it has learned what its parent has, and then what that holds out
 * and it does not. Without a parent, it starts from nothing and learns all other parts.
 */
struct node {
    uint32_t from, to;
    struct node *parent;
    struct node_voice {
        struct voice voice;
        uint32_t waiting; /* children that have not got the voice yet */

        /* Of the checkpoint: whether the voice is in it, or both children's are, and how many children's are. */
        bool kept;
        uint32_t kept_children;
    } slot[MAX_LAYERS][MAX_VOICES];
};

struct holding_out {
    const struct held_out_plan *plan;
    const struct learning *learning;
    const struct dataset *dataset;
    struct held_out *held;
    uint32_t *part;    /* [sentences] which part each belongs to */
    struct node *node; /* [nodes] */
    uint32_t nodes;
    struct turns *turns; /* guards what waits for a node's voices */
    struct shared_tally *tally;
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
    struct rng rng = rng_new(plan->learning->work.seed, 0);
    if (part && plan->scattered)
        rng_shuffle(&rng, part, count);
    return part;
}

/* One voice being learned. */
struct voice_run {
    const struct holding_out *work;
    struct node *node;
    uint32_t layer, voice;
    struct followed *sum; /* [words] sums over gold choices; NULL: not wanted */
    struct checkpoint_voice kept;
};

static bool carry_on(void *context, const struct training *training)
{
    const struct holding_out *work = ((const struct voice_run *)context)->work;
    if (training->seen == training->examples)
        tally_step(work->tally);
    return !watch_stops(work->learning->work.watch);
}

static void follow(void *context, uint32_t number, const struct example *example, const struct scores *marginal)
{
    const struct voice_run *run = context;
    const struct dataset *dataset = run->work->dataset;
    struct followed *sum = run->sum + dataset->words_before(dataset->self, false, number);
    size_t options = (size_t)marginal->G * marginal->width / example->parts.N;
    for (uint32_t n = 0; n < example->parts.N; n++) {
        if (example->gold[n] == OPEN_CHOICE)
            continue;
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
    for (uint32_t v = 0; v < plan->learning->voices; v++)
        learner[v] = plan->learning->trial[layer][v].learner;
    return probable_voice(learner, plan->learning->voices);
}

static bool is_in(uint32_t part, const struct node *node)
{
    return part >= node->from && part < node->to;
}

/* Lists what the node learns: what it does not hold out, and has not learned as part of its parent. */
static uint32_t list_to_learn(const struct holding_out *work, const struct node *node, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < work->dataset->layer[0].examples.count; i++)
        if (!is_in(work->part[i], node) && (!node->parent || is_in(work->part[i], node->parent)))
            list[count++] = i;
    return count;
}

static struct node_voice *slot_of(const struct voice_run *run, struct node *node)
{
    return &node->slot[run->layer][run->voice];
}

static uint32_t passes_of(const struct voice_run *run)
{
    return run->node->parent ? run->work->plan->further : run->work->plan->passes;
}

/* Does without the parent's voice from now on; the last child frees it. */
static void leave_parent(const struct voice_run *run)
{
    if (!run->node->parent)
        return;
    struct node_voice *parent = slot_of(run, run->node->parent);
    turns_take(run->work->turns);
    bool last = --parent->waiting == 0;
    turns_leave(run->work->turns);
    if (last)
        voice_release(&parent->voice);
}

/* Goes on from the parent's voice, by a copy if other nodes need it, too. */
static bool inherit(const struct voice_run *run, struct vouch_error *err)
{
    struct node_voice *parent = slot_of(run, run->node->parent);
    struct voice *voice = &slot_of(run, run->node)->voice;
    turns_take(run->work->turns);
    bool last = parent->waiting == 1;
    turns_leave(run->work->turns);
    if (last) {
        *voice = parent->voice;
        parent->voice = (struct voice){0};
        voice_restart(voice);
        return true;
    }
    bool ok = voice_go_on(voice, &parent->voice, err);
    leave_parent(run);
    return ok;
}

/* ---- Checkpoints ---- */

static void name_voice(const struct voice_run *run, const struct node *node, char *name, size_t room)
{
    const struct learning *learning = run->work->learning;
    snprintf(name, room, "held-out-%02u-%02u-%s-%s", node->from, node->to - 1,
             learning->dataset->layer[run->layer].name, learning->trial[run->layer][run->voice].learner->name);
}

static bool is_leaf(const struct node *node)
{
    return node->to - node->from == 1;
}

/* Notes that a voice is in the checkpoint. The parent's is not needed any more once both children's are. */
static void note_kept(const struct voice_run *run)
{
    struct node *parent = run->node->parent;
    struct node_voice *slot = slot_of(run, run->node);
    turns_take(run->work->turns);
    bool both = !slot->kept && parent && ++slot_of(run, parent)->kept_children == 2;
    slot->kept = true;
    turns_leave(run->work->turns);
    if (!both)
        return;
    struct checkpoint_voice useless = {.checkpoint = run->work->learning->checkpoint};
    name_voice(run, parent, useless.name, sizeof useless.name);
    checkpoint_voice_drop(&useless);
}

/* Finds what the checkpoint has, from the leaves to the root. */
static void find_kept(const struct holding_out *work)
{
    for (uint32_t i = work->nodes; i-- > 0;)
        for (uint32_t l = 0; l < work->held->layers; l++)
            for (uint32_t v = 0; v < work->learning->voices; v++) {
                struct voice_run run = {work, &work->node[i], l, v, NULL, {.checkpoint = work->learning->checkpoint}};
                name_voice(&run, run.node, run.kept.name, sizeof run.kept.name);
                if (slot_of(&run, run.node)->kept_children == 2 || checkpoint_voice_exists(&run.kept))
                    note_kept(&run);
            }
}

static bool recall_voice(void *self, struct voice *voice, uint32_t *pass, struct vouch_error *err)
{
    const struct voice_run *run = self;
    struct voice_state state = {.voice = voice};
    bool ok = voice_state_recall(&run->kept, &state, err);
    *pass = state.pass;
    for (uint32_t i = 0; ok && i < state.pass; i++)
        tally_step(run->work->tally);
    json_decref(state.note);
    return ok;
}

static bool keep_voice(void *self, struct voice *voice, uint32_t pass, struct vouch_error *err)
{
    struct voice_run *run = self;
    struct voice_state state = {
        .voice = voice, .last = is_leaf(run->node) && pass == passes_of(run), .pass = pass, .note = json_object()};
    bool ok = (state.note || fail_memory(err)) && voice_state_keep(&run->kept, &state, err);
    json_decref(state.note);
    if (ok && run->kept.written > 0)
        note_kept(run);
    return ok;
}

/* Passes over a voice that both children have gone on from, as the checkpoint has it. */
static bool skip(const struct voice_run *run)
{
    for (uint32_t i = 0; i < passes_of(run); i++)
        tally_step(run->work->tally);
    leave_parent(run);
    return true;
}

/* Learns a voice of the node: it goes on from the parent's, unless the checkpoint has it. */
static bool learn_on(struct voice_run *run, struct subset subset, struct vouch_error *err)
{
    const struct learning *learning = run->work->learning;
    const struct examples *examples = &learning->dataset->layer[run->layer].examples;
    struct node_voice *slot = slot_of(run, run->node);
    struct voice *voice = &slot->voice;
    struct training_options options =
        learning_options(learning, &learning->trial[run->layer][run->voice], passes_of(run), true);
    struct voice_checkpoint checkpoint = {run, recall_voice, keep_voice};
    bool stopped = false, kept = slot->kept;
    char name[64];
    options.tell = carry_on;
    options.show = run->sum ? follow : NULL;
    options.context = run;
    options.checkpoint = learning->checkpoint ? &checkpoint : NULL;
    name_voice(run, run->node, name, sizeof name);
    run->kept = checkpoint_voice(learning->checkpoint, name, &options, subset, &examples->space);
    if (kept)
        leave_parent(run);
    if (run->node->parent && !kept ? !inherit(run, err) : !voice_start(examples, &options, voice, err))
        return false;
    return train_on(examples, subset, &options, voice, &stopped, err) &&
           (!stopped || fail(err, VOUCH_ERR_STOPPED, "interrupted"));
}

/* Learns a voice, and keeps it if it holds out a single part. */
static bool learn_voice(struct voice_run *run, struct vouch_error *err)
{
    const struct holding_out *work = run->work;
    const struct node *node = run->node;
    struct voice *voice = &slot_of(run, run->node)->voice;
    uint32_t *list = new_array(work->dataset->layer[0].examples.count, sizeof *list, err);
    bool ok = list && learn_on(run, (struct subset){list, list_to_learn(work, node, list)}, err);
    free(list);
    if (!ok)
        return false;
    if (!is_leaf(node))
        return true;
    struct model_layer *layer = &work->held->part[node->from].layer[run->layer];
    struct model_voice *kept = &layer->voice[run->voice];
    ok = model_voice_keep(kept, voice, work->learning->trial[run->layer][run->voice].learner->name, err) &&
         (!work->dataset->trees || run->layer > 0 || model_voice_count_steps(kept, &layer->space, err));
    voice_release(voice);
    return ok;
}

/* Says whether the parent's voice has been learned; side jobs need nothing. */
static bool is_ready(const void *context, uint32_t job, const bool *done)
{
    const struct holding_out *work = context;
    uint32_t side = work->plan->side_jobs.jobs, each = work->held->layers * work->learning->voices;
    const struct node *parent = job < side ? NULL : work->node[(job - side) / each].parent;
    return !parent || done[side + (uint32_t)(parent - work->node) * each + (job - side) % each];
}

static bool learn_part(const struct holding_out *work, uint32_t job, struct vouch_error *err)
{
    const struct held_out_plan *plan = work->plan;
    uint32_t each = work->held->layers * plan->learning->voices;
    struct voice_run run = {.work = work,
                            .node = &work->node[job / each],
                            .layer = job % each / plan->learning->voices,
                            .voice = job % plan->learning->voices};
    struct held_part *part = &work->held->part[run.node->from];
    if (!ranks_do(ranks_apart(plan->learning), run.node->from))
        return true;
    if (slot_of(&run, run.node)->kept_children == 2)
        return skip(&run);
    if (plan->follow && run.voice == find_probable(plan, run.layer)) {
        run.sum = new_array(dataset_words(work->dataset, false) + 1, sizeof *run.sum, err);
        part->learned[run.layer] = run.sum;
        if (!run.sum)
            return false;
    }
    return learn_voice(&run, err);
}

static bool learn_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct holding_out *work = context;
    const struct side_jobs *side = &work->plan->side_jobs;
    (void)thread;
    if (job < side->jobs)
        return side->run(side->context, job, err);
    bool ok = learn_part(work, job - side->jobs, err);
    if (!ok && side->jobs)
        side->give_up(side->context, err);
    return ok;
}

/* Adds two halves for each node that holds out more than one part. */
static void halve(struct holding_out *work)
{
    struct node *node = work->node;
    for (uint32_t i = 0; i < work->nodes; i++) {
        uint32_t middle = node[i].from + (node[i].to - node[i].from) / 2;
        if (middle == node[i].from)
            continue;
        node[work->nodes++] = (struct node){.from = node[i].from, .to = middle, .parent = &node[i]};
        node[work->nodes++] = (struct node){.from = middle, .to = node[i].to, .parent = &node[i]};
        for (uint32_t l = 0; l < MAX_LAYERS; l++)
            for (uint32_t v = 0; v < MAX_VOICES; v++)
                node[i].slot[l][v].waiting = 2;
    }
}

/* Learns each part on its own, or what no part holds out and then halves. */
static bool learn_nodes(struct holding_out *work, struct vouch_error *err)
{
    const struct held_out_plan *plan = work->plan;
    uint32_t each = work->held->layers * plan->learning->voices;
    work->node = new_array(2 * (size_t)plan->held, sizeof *work->node, err);
    work->turns = turns_open(err);
    bool ok = work->node && work->turns;
    work->nodes = plan->further ? 1 : plan->held;
    for (uint32_t p = 0; ok && p < work->nodes; p++)
        work->node[p] = (struct node){.from = p, .to = plan->further ? plan->held : p + 1};
    if (ok)
        halve(work);
    if (ok && plan->learning->checkpoint)
        find_kept(work);
    uint32_t threads = learns_together(work->learning) ? 1 : work->learning->work.threads;
    ok = ok && parallel_run_when(threads, plan->side_jobs.jobs + work->nodes * each, is_ready, learn_job, work, err);
    for (uint32_t i = 0; work->node && i < work->nodes; i++)
        for (uint32_t l = 0; l < MAX_LAYERS; l++)
            for (uint32_t v = 0; v < MAX_VOICES; v++)
                voice_release(&work->node[i].slot[l][v].voice);
    turns_close(work->turns);
    free(work->node);
    return ok;
}

/* Is called by one thread at a time, after every pass: the watch hears of it, and of a checkpoint that has failed. */
static void tell_pass(void *context, uint32_t done, uint32_t of)
{
    const struct holding_out *work = context;
    struct step_watch step = {work->learning->work.watch, VOUCH_EVENT_HOLDING_OUT, work->plan->what};
    checkpoint_warn(work->learning->checkpoint, step.watch);
    step_tell(&step, done, of);
}

/* Returns how many passes are made in all, by this rank. */
static uint32_t all_passes(const struct held_out_plan *plan)
{
    uint32_t each = plan->learning->dataset->layers * plan->learning->voices;
    uint32_t own = ranks_share(ranks_apart(plan->learning), plan->held);
    return each * (plan->further ? plan->passes + (2 * plan->held - 2) * plan->further : own * plan->passes);
}

/* A sum of what models have noted. */
struct followed_sum {
    double probability, margin;
};

/* Adds what the models of part p have noted, on whichever rank; in the order of parts, as sums depend on it. */
static bool add_part(const struct holding_out *work, uint32_t l, uint32_t p, size_t words, struct followed_sum *sum,
                     struct vouch_error *err)
{
    const struct ranks *ranks = ranks_apart(work->learning);
    const struct followed *learned = work->held->part[p].learned[l];
    struct gathered all = {0};
    bool ok = !ranks || ranks_gather(ranks, learned, learned ? words * sizeof *learned : 0, FOR_ALL, &all, err);
    for (size_t w = 0; ok && w < words; w++) {
        struct followed one;
        memcpy(&one, ranks ? all.bytes + w * sizeof one : (const char *)&learned[w], sizeof one);
        sum[w].probability += (double)one.probability;
        sum[w].margin += (double)one.margin;
    }
    gathered_release(&all);
    return ok;
}

/* Averages how well each label was learned. The models of all parts but its own learned from a sentence. */
static bool sum_up(const struct holding_out *work, uint32_t l, struct vouch_error *err)
{
    const struct held_out_plan *plan = work->plan;
    const struct dataset *dataset = plan->learning->dataset;
    uint32_t count = dataset->layer[0].examples.count;
    size_t words = dataset_words(dataset, false), w = 0;
    struct followed_sum *sum = new_array(words + 1, sizeof *sum, err);
    struct followed *mean = work->held->learned[l] = new_array(words + 1, sizeof *mean, err);
    bool ok = sum && mean;
    for (uint32_t p = 0; ok && p < plan->held; p++)
        ok = add_part(work, l, p, words, sum, err);
    for (uint32_t i = 0; ok && i < count; i++) {
        uint32_t times = plan->passes * (plan->held - (work->part[i] < plan->held));
        for (; w < dataset->words_before(dataset->self, false, i + 1); w++) {
            mean[w].probability = times ? (float)(sum[w].probability / times) : NAN;
            mean[w].margin = times ? (float)(sum[w].margin / times) : NAN;
        }
    }
    free(sum);
    return ok;
}

static bool lay_out(struct held_out *held, const struct held_out_plan *plan, const uint32_t *dealt,
                    struct vouch_error *err)
{
    uint32_t count = plan->learning->dataset->layer[0].examples.count;
    *held = (struct held_out){.dataset = plan->learning->dataset,
                              .parts = plan->held,
                              .layers = plan->learning->dataset->layers,
                              .owns = true,
                              .ranks = ranks_apart(plan->learning)};
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
            part->layer[l].space = plan->learning->dataset->layer[l].examples.space;
            part->layer[l].voices = plan->learning->voices;
            snprintf(part->layer[l].name, sizeof part->layer[l].name, "%s", plan->learning->dataset->layer[l].name);
        }
    }
    return held->part != NULL;
}

/* The counts of a model, of which those of parts are made. */
struct counting {
    struct held_out *held;
    const struct model_layer *layer;
};

static bool count_part(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct counting *counting = context;
    uint32_t l = job / counting->held->parts;
    struct held_part *part = &counting->held->part[job % counting->held->parts];
    (void)thread;
    part->layer[l].counts = counting->layer[l].counts;
    part->layer[l].counts.own = NULL;
    part->layer[l].counts.except = &part->held[l];
    return count_words(counting->held->dataset, l, part->sentence, part->count, &part->held[l], err);
}

bool held_out_counts(struct held_out *held, const struct model_layer *layer, uint32_t threads, struct vouch_error *err)
{
    struct counting counting = {held, layer};
    return !held->owns || parallel_run(threads, held->layers * held->parts, count_part, &counting, err);
}

bool held_out_learn(struct held_out *held, const struct held_out_plan *plan, struct vouch_error *err)
{
    uint32_t count = plan->learning->dataset->layer[0].examples.count;
    *held = (struct held_out){0};
    assert(!plan->follow || plan->further == 0); /* sums are kept by part, and a shared model has no part of its own */
    assert(!ranks_apart(plan->learning) || plan->further == 0); /* nor has it a rank */
    assert(!plan->follow || !plan->learning->checkpoint);       /* which does not have the sums */
    if (count < plan->parts * HELD_OUT_LEAST)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at least %u sentences to hold some out, found %u",
                    plan->parts * HELD_OUT_LEAST, count);
    struct holding_out work = {.plan = plan,
                               .learning = plan->learning,
                               .dataset = plan->learning->dataset,
                               .held = held,
                               .part = deal(plan, count, err)};
    bool ok = work.part && lay_out(held, plan, work.part, err);
    work.tally = ok ? tally_open((struct tally){tell_pass, &work, all_passes(plan)}, err) : NULL;
    ok = work.tally && learn_nodes(&work, err);
    checkpoint_warn(plan->learning->checkpoint, plan->learning->work.watch); /* a pass is told before it is kept */
    for (uint32_t l = 0; ok && l < held->layers; l++)
        if (plan->follow && find_probable(plan, l) < plan->learning->voices)
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
            answer_counts_release(&part->held[l]);
            free(part->learned[l]);
        }
        free(part->sentence);
    }
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        free(held->learned[l]);
    free(held->part);
    *held = (struct held_out){0};
}
