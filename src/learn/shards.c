/*
 * Learns in shards by iterative parameter mixing (McDonald, Hall and Mann 2010).
 *
 * Sentence i of the corpus belongs to shard i mod S, also where only a part of the corpus is learned. In every pass
 * each shard learns alone from the mixed voice; then the changes of every weight are averaged over the shards that
 * changed it, each with the share of its sentences:
 *
 *     mean   += sum of share_s (mean_s - mean)       / w      w = sum of share_s, over the shards s that changed it
 *     1/var   = sum of share_s / var_s               / w
 *     square += sum of share_s (square_s - square)   / w
 *
 * McDonald et al. divide by 1 instead of w. Then a weight that only one of 64 shards changes moves by a 64th of what
 * that shard learned: F1 of Spanish names is 65.6 in this way, and 73.5 with w. Adding the changes up instead of
 * averaging them counts what all shards learned S times, and is much worse.
 *
 * The answer is the average over the second half of the passes, in all steps of all shards. With n steps a pass, T
 * steps since averaging began, and average_s the average of shard s in this pass, the sum of core/voice.h becomes
 *
 *     late   += T (change of mean) - n * sum of share_s (average_s - mean before) / w
 *
 * Until then nothing is summed for it: late is zero, and the average is the last mixed voice.
 *
 * All of these are sums of changes. Every thread has a voice of its own, a copy of the mixed one when a pass begins.
 * The lines of weights that a sentence changes are marked; after a shard, the changes of these lines are added to the
 * sums and undone, so that the next shard starts from the mixed voice again. Sums are of integers, in steps of 2^-34 or
 * 2^-24, and so exact: the result depends neither on their order nor on the number of threads. With ranks, each learns
 * some of the shards, and the sums of the lines that any rank has changed are added up.
 *
 * Time: that of learning, the lines that every shard changes, and all weights for every thread in every pass; threads
 * share all of it. Memory: a voice for every thread, and 28 bytes a weight for the sums.
 */

#include "base/parallel.h"
#include "base/random.h"
#include "core/simd.h"
#include "learn/sentence_loop.h"

#include <string.h>

enum {
    STRIPES = 64,    /* parts of the sums, each of which one thread at a time adds to */
    PARCEL = 1 << 14 /* lines whose sums ranks add up at once */
};

#define MEAN_STEP 0x1p-34
#define SPREAD_STEP 0x1p-24

struct shard {
    uint32_t number;
    uint32_t *order; /* [count] its sentences */
    uint32_t count;  /* at least one */
    double loss;
    uint64_t words;
};

/* The sums of a line of weights, over the shards. */
struct sums {
    int64_t mean[LINE], average[LINE]; /* in MEAN_STEP */
    int64_t spread[LINE];              /* of variances or squares, in SPREAD_STEP */
    uint32_t count[LINE];              /* sentences of the shards that changed the weight */
};

/* The memory of one thread. Before and after each shard its voice equals the mixed one. */
struct worker {
    struct voice voice;
    struct sentence_loop loop;
    line_bits *changed; /* [words] by the shard that it learns */
    uint32_t pass;      /* the pass for which the mixed voice was copied */
};

struct mixing {
    const struct examples *examples;
    const struct training_options *options;
    struct voice *voice; /* the mixed one */
    uint32_t shards;     /* of this rank, that have a sentence */
    uint32_t threads, count;
    uint32_t *order;       /* [count] of all shards */
    struct shard *shard;   /* [shards] */
    struct worker *worker; /* [threads] */
    size_t words;          /* of a set of lines */
    line_bits *changed;    /* [words] in this pass, by any shard of any rank */
    struct sums *sums;     /* [64 words] zero in lines that are not changed */
    struct turns *stripe[STRIPES], *telling;
    struct training now;
    bool averaging; /* in this pass */
    bool *stopped;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The number in the corpus of a subset's sentence i. */
static uint32_t subset_number(struct subset subset, uint32_t i)
{
    return subset.index ? subset.index[i] : i;
}

/* The words from .. to - 1 of a set of lines. */
struct stripe {
    size_t from, to;
};

static struct stripe stripe_of(const struct mixing *m, size_t number)
{
    size_t each = (m->words + STRIPES - 1) / STRIPES;
    return (struct stripe){least(number * each, m->words), least((number + 1) * each, m->words)};
}

/* ---- One shard ---- */

/* The same weights of the mixed voice and of a shard's, and what the shard's changes are multiplied by. */
struct adding {
    const float *mean, *var, *square; /* mixed; a learner that keeps neither of the last two has NULL */
    float *own_mean, *own_late, *own_var, *own_square;
    struct sums *sums;
    size_t n;                  /* LINE: loops to a constant would be unrolled, not vectorised */
    uint32_t count;            /* sentences of the shard */
    double in_mean, in_spread; /* its share, in steps */
    double each;               /* one by the steps of the shard; 0: no averages are summed */
};

/* Adds x, rounded to whole steps: a double beyond 2^52 has no fraction, and is an integer in its last bits. */
SIMD_BODY void add_steps(const double *x, size_t n, int64_t *sum)
{
    const double most = 0x1p50; /* 4096 times which is less than a sum can hold */
    const union number {
        double real;
        int64_t bits;
    } zero = {0x1.8p52};
    union number shifted[LINE];
    for (size_t i = 0; i < n; i++) {
        double above = x[i] > -most ? x[i] : -most;
        shifted[i].real = (above < most ? above : most) + zero.real;
    }
    for (size_t i = 0; i < n; i++)
        sum[i] += shifted[i].bits - zero.bits;
}

/* Adds the changes of a line. */
SIMD_BODY void add_line(const struct adding *a, size_t line)
{
    size_t at = line * LINE, n = a->n;
    struct sums *sums = &a->sums[line];
    const float *mean = a->mean + at, *own = a->own_mean + at, *late = a->own_late + at;
    double by[LINE], x[LINE];
    uint32_t changed[LINE]; /* all bits, or none */
    for (size_t i = 0; i < n; i++)
        changed[i] = ((own[i] != mean[i]) | (late[i] != 0)) ? UINT32_MAX : 0;
    for (size_t i = 0; i < n; i++)
        sums->count[i] += changed[i] & a->count;
    for (size_t i = 0; i < n; i++)
        by[i] = (double)own[i] - (double)mean[i];
    for (size_t i = 0; i < n; i++)
        x[i] = by[i] * a->in_mean;
    add_steps(x, n, sums->mean);
    if (a->each > 0) {
        for (size_t i = 0; i < n; i++)
            x[i] = (by[i] - (double)late[i] * a->each) * a->in_mean;
        add_steps(x, n, sums->average);
    }
    if (a->var) {
        for (size_t i = 0; i < n; i++)
            x[i] = changed[i] ? ((double)a->var[at + i] / (double)a->own_var[at + i] - 1) * a->in_spread : 0;
        add_steps(x, n, sums->spread);
    }
    if (a->square) {
        for (size_t i = 0; i < n; i++)
            x[i] = changed[i] ? ((double)a->own_square[at + i] - (double)a->square[at + i]) * a->in_spread : 0;
        add_steps(x, n, sums->spread);
    }
}

/* Copies a line of the mixed voice back to the shard's. */
SIMD_BODY void undo_line(const struct adding *a, size_t line)
{
    const size_t at = line * LINE, bytes = LINE * sizeof *a->mean;
    memcpy(a->own_mean + at, a->mean + at, bytes);
    memset(a->own_late + at, 0, bytes);
    if (a->var)
        memcpy(a->own_var + at, a->var + at, bytes);
    if (a->square)
        memcpy(a->own_square + at, a->square + at, bytes);
}

/* Adds the changes of the lines of one word of a set, and undoes them. */
SIMD_BODY void add_lines(const struct adding *a, size_t word, line_bits bits)
{
    for (; bits; bits &= bits - 1) {
        size_t line = word * 64 + (size_t)__builtin_ctzll(bits);
        add_line(a, line);
        undo_line(a, line);
    }
}

SIMD_KERNEL(add_lines, (const struct adding *a, size_t word, line_bits bits), (a, word, bits))

static struct adding adding_of(const struct mixing *m, const struct shard *shard, struct voice *own)
{
    double share = (double)shard->count / (double)m->count;
    return (struct adding){.mean = m->voice->mean,
                           .var = m->voice->var,
                           .square = m->voice->square,
                           .own_mean = own->mean,
                           .own_late = own->late,
                           .own_var = own->var,
                           .own_square = own->square,
                           .sums = m->sums,
                           .n = LINE,
                           .count = shard->count,
                           .in_mean = share / MEAN_STEP,
                           .in_spread = share / SPREAD_STEP,
                           .each = m->averaging && own->steps ? 1 / (double)own->steps : 0};
}

/* Adds what the shard has changed, stripe by stripe, beginning at another one than its neighbours do, and undoes it. */
static void add_changes(struct mixing *m, const struct shard *shard, struct worker *worker)
{
    struct adding adding = adding_of(m, shard, &worker->voice);
    enum simd set = simd_best();
    for (size_t k = 0; k < STRIPES; k++) {
        size_t number = (7 * (size_t)shard->number + k) % STRIPES;
        struct stripe stripe = stripe_of(m, number);
        turns_take(m->stripe[number]);
        for (size_t word = stripe.from; word < stripe.to; word++) {
            if (worker->changed[word])
                add_lines_for[set](&adding, word, worker->changed[word]);
            m->changed[word] |= worker->changed[word];
            worker->changed[word] = 0;
        }
        turns_leave(m->stripe[number]);
    }
}

/* Tells that some more sentences have been learned. False: stop. */
static bool tell(struct mixing *m, uint32_t more)
{
    const struct training_options *options = m->options;
    turns_take(m->telling);
    m->now.seen += more * ranks_count(m->examples->own.ranks); /* the others have about as many shards */
    if (options->tell && !*m->stopped && m->now.seen < m->count)
        *m->stopped = !options->tell(options->context, &m->now);
    bool goes_on = !*m->stopped;
    turns_leave(m->telling);
    return goes_on;
}

/* Copies the mixed voice to that of a thread. */
static void copy_voice(const struct voice *mixed, struct voice *own)
{
    size_t size = mixed->size;
    memcpy(own->mean, mixed->mean, sizeof *mixed->mean * size);
    if (mixed->var)
        memcpy(own->var, mixed->var, sizeof *mixed->var * size);
    if (mixed->square)
        memcpy(own->square, mixed->square, sizeof *mixed->square * size);
}

/* Draws the order of a pass, from that of the pass before. */
static void draw_order(struct mixing *m, uint32_t s, uint32_t pass)
{
    struct rng rng = rng_new(m->options->seed, ((uint64_t)m->shard[s].number + 1) << 32 | pass);
    rng_shuffle(&rng, m->shard[s].order, m->shard[s].count);
}

static bool learn_shard(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct mixing *m = context;
    struct shard *shard = &m->shard[job];
    struct worker *worker = &m->worker[thread];
    draw_order(m, job, m->now.pass);
    if (worker->pass != m->now.pass)
        copy_voice(m->voice, &worker->voice);
    worker->pass = m->now.pass;
    worker->voice.steps = 0;
    shard->loss = 0;
    shard->words = 0;
    for (uint32_t i = 0; i < shard->count; i++) {
        if (!sentence_loop_learn(&worker->loop, shard->order[i], &shard->loss, &shard->words, err))
            return false;
        if ((i + 1) % TELL_EVERY == 0 && !tell(m, TELL_EVERY))
            break;
    }
    add_changes(m, shard, worker);
    return true;
}

/* ---- All ranks ---- */

/* The sums of some lines, side by side, to be added up. */
struct parcel {
    int64_t *number; /* [PARCEL][fields][LINE] */
    size_t *line;    /* [PARCEL] which ones they are */
    size_t lines;
    uint32_t fields; /* counts and means; averages and spreads if there are any */
    bool averages, spreads;
};

static void pack(const struct sums *sums, struct parcel *parcel, size_t line)
{
    int64_t *to = parcel->number + parcel->lines * parcel->fields * LINE;
    parcel->line[parcel->lines++] = line;
    for (size_t i = 0; i < LINE; i++)
        to[i] = sums->count[i];
    memcpy(to += LINE, sums->mean, sizeof sums->mean);
    if (parcel->averages)
        memcpy(to += LINE, sums->average, sizeof sums->average);
    if (parcel->spreads)
        memcpy(to + LINE, sums->spread, sizeof sums->spread);
}

static void unpack(struct sums *sums, const struct parcel *parcel, size_t k)
{
    const int64_t *from = parcel->number + k * parcel->fields * LINE;
    for (size_t i = 0; i < LINE; i++)
        sums->count[i] = (uint32_t)from[i];
    memcpy(sums->mean, from += LINE, sizeof sums->mean);
    if (parcel->averages)
        memcpy(sums->average, from += LINE, sizeof sums->average);
    if (parcel->spreads)
        memcpy(sums->spread, from + LINE, sizeof sums->spread);
}

/* Adds up what was packed, over the ranks, and puts it back. */
static bool send_parcel(struct mixing *m, struct parcel *parcel, struct vouch_error *err)
{
    if (!ranks_sum(m->examples->own.ranks, parcel->number, parcel->lines * parcel->fields * LINE, err))
        return false;
    for (size_t k = 0; k < parcel->lines; k++)
        unpack(&m->sums[parcel->line[k]], parcel, k);
    parcel->lines = 0;
    return true;
}

static bool send_lines(struct mixing *m, struct parcel *parcel, struct vouch_error *err)
{
    for (size_t word = 0; word < m->words; word++)
        for (line_bits bits = m->changed[word]; bits; bits &= bits - 1) {
            size_t line = word * 64 + (size_t)__builtin_ctzll(bits);
            pack(&m->sums[line], parcel, line);
            if (parcel->lines == PARCEL && !send_parcel(m, parcel, err))
                return false;
        }
    return send_parcel(m, parcel, err);
}

/* Adds up the sums of all ranks. Only lines that some rank has changed in this pass are sent. */
static bool exchange(struct mixing *m, struct vouch_error *err)
{
    const struct ranks *ranks = m->examples->own.ranks;
    if (!ranks)
        return true;
    struct parcel parcel = {.averages = m->averaging, .spreads = m->voice->var || m->voice->square};
    parcel.fields = 2 + (uint32_t)parcel.averages + (uint32_t)parcel.spreads;
    parcel.number = new_array((size_t)PARCEL * parcel.fields * LINE, sizeof *parcel.number, err);
    parcel.line = new_array(PARCEL, sizeof *parcel.line, err);
    bool ok =
        parcel.number && parcel.line && ranks_unite(ranks, m->changed, m->words, err) && send_lines(m, &parcel, err);
    free(parcel.number);
    free(parcel.line);
    return ok;
}

/* Adds up the losses of all ranks, in the order of the shards, and finds the mean loss of a word. */
static bool sum_losses(struct mixing *m, struct vouch_error *err)
{
    uint32_t S = m->options->shards;
    int64_t *bits = new_array((size_t)S + 1, sizeof *bits, err); /* of doubles: all ranks but one have 0 */
    if (!bits)
        return false;
    for (uint32_t s = 0; s < m->shards; s++) {
        memcpy(&bits[m->shard[s].number], &m->shard[s].loss, sizeof *bits);
        bits[S] += (int64_t)m->shard[s].words;
    }
    double sum = 0, loss;
    bool ok = ranks_sum(m->examples->own.ranks, bits, (size_t)S + 1, err);
    for (uint32_t s = 0; ok && s < S; s++) {
        memcpy(&loss, &bits[s], sizeof loss);
        sum += loss;
    }
    m->now.loss = sum / (double)(bits[S] ? bits[S] : 1);
    free(bits);
    return ok;
}

/* ---- All shards ---- */

/* Adds the sums of a line to the mixed voice, and clears them. */
static void mix_line(struct mixing *m, size_t line)
{
    struct voice *voice = m->voice;
    struct sums *sums = &m->sums[line];
    double steps = m->count, T = (double)voice->steps;
    size_t n = least(LINE, voice->size - line * LINE);
    for (size_t k = 0, i = line * LINE; k < n; k++, i++) {
        if (sums->count[k] == 0)
            continue;
        double w = (double)sums->count[k] / steps, by = (double)sums->mean[k] * MEAN_STEP / w;
        double average = (double)sums->average[k] * MEAN_STEP / w, spread = (double)sums->spread[k] * SPREAD_STEP / w;
        voice->mean[i] += (float)by;
        if (m->averaging)
            voice->late[i] += (float)(T * by - steps * average);
        if (voice->var)
            voice->var[i] = (float)((double)voice->var[i] / (1 + spread));
        if (voice->square)
            voice->square[i] += (float)spread;
    }
    memset(sums, 0, sizeof *sums);
}

/* Calls the learner's end_pass() for the weights at .. at + n - 1. */
static void end_pass(const struct mixing *m, size_t at, size_t n)
{
    struct voice part = *m->voice;
    if (!m->options->learner->end_pass || *m->stopped || n == 0)
        return;
    part.size = n;
    part.mean += at;
    part.late += at;
    part.var = part.var ? part.var + at : NULL;
    part.square = part.square ? part.square + at : NULL;
    m->options->learner->end_pass(&m->options->parameters, &part);
}

static bool mix_stripe(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct mixing *m = context;
    struct stripe stripe = stripe_of(m, job);
    size_t first = least(stripe.from * 64 * LINE, m->voice->size), end = least(stripe.to * 64 * LINE, m->voice->size);
    (void)thread, (void)err;
    for (size_t word = stripe.from; word < stripe.to; word++) {
        for (line_bits bits = m->changed[word]; bits; bits &= bits - 1)
            mix_line(m, word * 64 + (size_t)__builtin_ctzll(bits));
        m->changed[word] = 0;
    }
    end_pass(m, first, end - first);
    return true;
}

static bool run_pass(struct mixing *m, struct vouch_error *err)
{
    const struct training_options *options = m->options;
    m->now.seen = 0;
    if (!parallel_run(m->threads, m->shards, learn_shard, m, err) || !exchange(m, err))
        return false;
    if (m->averaging) {
        m->voice->steps += m->count;
        m->voice->now = (float)(m->voice->steps - 1);
    }
    if (!parallel_run(m->threads, STRIPES, mix_stripe, m, err))
        return false;
    if (*m->stopped)
        return true;
    if (!sum_losses(m, err))
        return false;
    m->now.seen = m->count;
    if (options->tell)
        *m->stopped = !options->tell(options->context, &m->now);
    return !options->checkpoint || options->checkpoint->save(options->checkpoint->self, m->voice, m->now.pass, err);
}

/* Assigns the sentences to shards, and drops the shards that have none and those of other ranks. */
static bool cut(struct mixing *m, struct subset subset, struct vouch_error *err)
{
    uint32_t at = 0, S = m->options->shards;
    m->shard = new_array(S, sizeof *m->shard, err);
    m->order = new_array(m->count, sizeof *m->order, err);
    if (!m->shard || !m->order)
        return false;
    for (uint32_t i = 0; i < m->count; i++)
        m->shard[subset_number(subset, i) % S].count++;
    for (uint32_t s = 0; s < S; s++) {
        uint32_t count = m->shard[s].count;
        m->shard[s] = (struct shard){.number = s, .order = m->order + at};
        at += count;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        struct shard *shard = &m->shard[subset_number(subset, i) % S];
        shard->order[shard->count++] = subset_number(subset, i);
    }
    for (uint32_t s = 0; s < S; s++)
        if (m->shard[s].count && sentence_is_own(&m->examples->own, s))
            m->shard[m->shards++] = m->shard[s];
    return true;
}

/*
 * Makes the memory of a thread. Threads do it side by side, since the system maps pages when they are first written,
 * which takes time.
 */
static bool make_worker(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct mixing *m = context;
    struct worker *worker = &m->worker[job];
    (void)thread;
    worker->changed = new_array(m->words, sizeof *worker->changed, err);
    if (!worker->changed || !voice_start(m->examples, m->options, &worker->voice, err) ||
        !sentence_loop_init(&worker->loop, m->examples, m->options, &worker->voice, err))
        return false;
    worker->loop.changed = worker->changed;
    return true;
}

static bool clear_stripe(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct mixing *m = context;
    struct stripe stripe = stripe_of(m, job);
    (void)thread, (void)err;
    memset(m->sums + 64 * stripe.from, 0, sizeof *m->sums * 64 * (stripe.to - stripe.from));
    return true;
}

static bool prepare(struct mixing *m, struct subset subset, struct vouch_error *err)
{
    if (!cut(m, subset, err))
        return false;
    m->words = (m->voice->size + 64 * LINE - 1) / (64 * LINE);
    m->threads = m->options->threads < m->shards ? m->options->threads : m->shards;
    m->threads = m->threads ? m->threads : 1;
    m->worker = new_array(m->threads, sizeof *m->worker, err);
    m->changed = new_array(m->words, sizeof *m->changed, err);
    m->sums = new_block(sizeof *m->sums * 64 * m->words, err);
    m->telling = turns_open(err);
    bool ok = m->worker && m->changed && m->sums && m->telling;
    for (uint32_t i = 0; ok && i < STRIPES; i++)
        ok = (m->stripe[i] = turns_open(err)) != NULL;
    return ok && parallel_run(m->threads, m->threads, make_worker, m, err) &&
           parallel_run(m->threads, STRIPES, clear_stripe, m, err);
}

static void release(struct mixing *m)
{
    for (uint32_t t = 0; m->worker && t < m->threads; t++) {
        sentence_loop_release(&m->worker[t].loop);
        voice_release(&m->worker[t].voice);
        free(m->worker[t].changed);
    }
    for (uint32_t i = 0; i < STRIPES; i++)
        turns_close(m->stripe[i]);
    turns_close(m->telling);
    free(m->shard);
    free(m->worker);
    free(m->order);
    free(m->changed);
    free(m->sums);
}

bool train_shards(const struct examples *examples, struct subset subset, const struct training_options *options,
                  struct voice *voice, bool *stopped, struct vouch_error *err)
{
    struct mixing m = {.examples = examples,
                       .options = options,
                       .voice = voice,
                       .count = subset.count,
                       .stopped = stopped,
                       .now = {.passes = options->passes, .examples = subset.count, .voice = voice}};
    uint32_t kept = 0;
    *stopped = false;
    voice_restart(voice);
    if (options->checkpoint && !options->checkpoint->restore(options->checkpoint->self, voice, &kept, err))
        return false;
    if (kept >= options->passes)
        return true;
    bool ok = prepare(&m, subset, err);
    for (uint32_t pass = 1; ok && pass <= kept; pass++)
        for (uint32_t s = 0; s < m.shards; s++)
            draw_order(&m, s, pass);
    for (uint32_t pass = kept + 1; ok && subset.count && pass <= options->passes && !*stopped; pass++) {
        m.now.pass = pass;
        m.averaging = pass > options->passes / 2;
        ok = run_pass(&m, err);
    }
    release(&m);
    return ok;
}
