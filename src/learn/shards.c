/*
 * Learns in shards by iterative parameter mixing (McDonald, Hall and Mann 2010): see shards.h.
 *
 * Sentence i of the corpus belongs to shard i mod S, also where only a part of the corpus is learned. In every pass
 * each shard learns alone from the mixed voice; then the changes of every weight are averaged over the shards that
 * changed it, each with the share of its sentences:
 *
 *     mean   += sum of share_s (mean_s - mean)       / w      w = sum of share_s, over the shards s that changed it
 *     1/var   = sum of share_s / var_s               / w
 *     square += sum of share_s (square_s - square)   / w
 *
 * McDonald et al. divide by 1 instead of w. Then a weight that a single one of 64 shards knows moves by a 64th of what
 * that shard learned: of Spanish names, F1 is 65.6 then, and 73.5 so. To add the changes up instead of averaging counts
 * what all shards learned S times over, and is much worse.
 *
 * The answer is the average over the second half of the passes, in all steps of all shards. With n steps a pass, T
 * steps since averaging began, and average_s the average of shard s in this pass, the sum of core/voice.h becomes
 *
 *     late   += T (change of mean) - n * sum of share_s (average_s - mean before) / w
 *
 * All of these are sums of changes, and a shard changes nothing but weights of its own features. So it copies, learns
 * and mixes only the lines of weights that its features touch, which are found once. Sums are of integers, in steps of
 * 2^-40 or 2^-32: they are exact, so that neither their order nor the number of threads matters.
 *
 * Time: that of learning, shared by the threads, and the touched weights of every shard in every pass. Memory: a voice
 * for every thread, 32 bytes a weight for the sums, and a bit for every line and shard.
 */
#include "learn/shards.h"

#include "base/parallel.h"
#include "base/random.h"
#include "learn/sentence_loop.h"

#include <math.h>
#include <string.h>

enum {
    LINE = 16,        /* weights of a line */
    PARCEL = 1 << 18, /* weights whose changes ranks add up at once */
    STRIPES = 64      /* parts of the sums, each of which one thread at a time adds to */
};

#define MEAN_STEP 0x1p-40
#define SPREAD_STEP 0x1p-32

/* A set of lines: bit l % 64 of word l / 64. */
typedef uint64_t line_bits;

struct shard {
    uint32_t number;
    uint32_t *order; /* [count] its sentences */
    uint32_t count;  /* at least one */
    line_bits *touched;
    double share, loss;
    uint64_t words;
};

/* The sums of a weight. */
struct change {
    int64_t mean, average; /* in MEAN_STEP */
    int64_t spread;        /* of variances or squares, in SPREAD_STEP */
    int64_t share;         /* w, in MEAN_STEP */
};

/* What one thread has: a voice for the shard that it learns. */
struct worker {
    struct voice voice;
    struct sentence_loop loop;
};

struct mixing {
    const struct examples *examples;
    const struct training_options *options;
    struct voice *voice; /* the mixed one */
    uint32_t shards; /* that have a sentence */
    uint32_t threads, count;
    uint32_t *order;       /* [count] of all shards */
    struct shard *shard;   /* [shards] */
    struct worker *worker; /* [threads] */
    line_bits *touched;    /* [shards + 1][words]: of each shard, then of all */
    line_bits *changed;    /* [words] lines that some rank changed in this pass; NULL: there is one rank */
    size_t words;          /* of a set of lines */
    struct change *change; /* [size] */
    struct turns *stripe[STRIPES], *telling;
    struct training now;
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

/* ---- Lines ---- */

static void touch(line_bits *touched, size_t from, size_t count)
{
    for (size_t line = from / LINE; count && line <= (from + count - 1) / LINE; line++)
        touched[line / 64] |= UINT64_C(1) << line % 64;
}

static void touch_rows(const struct rows *rows, line_bits *touched, size_t base, size_t width)
{
    for (uint32_t g = 0; g < rows->count; g++)
        for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++)
            touch(touched, base + rows->feature[i] * width, width);
}

static void touch_parts(const struct parts *parts, const struct space *space, line_bits *touched)
{
    struct rows rows;
    for (uint32_t g = 0; g < parts->node.count; g += rows.count) {
        rows = parts_rows(parts, g, parts->node.count);
        touch_rows(&rows, touched, 0, space->width);
    }
    touch(touched, 0, (size_t)dense_features(&parts->dense) * space->width);
    touch_rows(&parts->edge, touched, space_edge(space, 0), (size_t)space->width * space->width);
}

/* Finds the lines that the features of a shard touch. */
static bool find_touched(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct mixing *m = context;
    const struct shard *shard = &m->shard[job];
    struct scratch *scratch = &m->worker[thread].loop.fetching;
    for (uint32_t i = 0; i < shard->count; i++) {
        struct example example;
        if (!m->examples->get(m->examples->self, shard->order[i], scratch, &example, err))
            return false;
        touch_parts(&example.parts, &m->examples->space, shard->touched);
    }
    return true;
}

/* Calls `visit` for the weights at .. at+n-1 of every line of words `from` to `to` - 1 of a set. */
struct visit {
    void (*visit)(const struct visit *visit, size_t at, size_t n);
    struct mixing *mixing;
    const struct shard *shard;
    struct voice *own; /* of the thread */
};

static void visit_lines(const struct visit *v, const line_bits *set, size_t from, size_t to)
{
    for (size_t word = from; word < to; word++)
        for (line_bits bits = set[word]; bits; bits &= bits - 1) {
            size_t at = (word * 64 + (size_t)__builtin_ctzll(bits)) * LINE;
            v->visit(v, at, least(LINE, v->mixing->voice->size - at));
        }
}

/* ---- One shard ---- */

/* Lets the thread's voice begin where the mixed one is. */
static void copy_line(const struct visit *v, size_t at, size_t n)
{
    const struct voice *mixed = v->mixing->voice;
    memcpy(v->own->mean + at, mixed->mean + at, sizeof *mixed->mean * n);
    memset(v->own->late + at, 0, sizeof *mixed->late * n);
    if (mixed->var)
        memcpy(v->own->var + at, mixed->var + at, sizeof *mixed->var * n);
    if (mixed->square)
        memcpy(v->own->square + at, mixed->square + at, sizeof *mixed->square * n);
}

static int64_t in_steps(double x, double step)
{
    const double most = 0x1p56; /* 64 of which fit into the sum */
    double steps = x / step;
    steps = steps > most ? most : steps < -most ? -most : steps;
    return (int64_t)(steps + (steps < 0 ? -0.5 : 0.5));
}

static void add_line(const struct visit *v, size_t at, size_t n)
{
    const struct voice *mixed = v->mixing->voice, *own = v->own;
    double share = v->shard->share, each = own->steps ? 1 / (double)own->steps : 0;
    for (size_t i = at; i < at + n; i++) {
        struct change *change = &v->mixing->change[i];
        double by = (double)own->mean[i] - (double)mixed->mean[i];
        if (by == 0 && own->late[i] == 0)
            continue;
        change->share += in_steps(share, MEAN_STEP);
        change->mean += in_steps(share * by, MEAN_STEP);
        change->average += in_steps(share * (by - (double)own->late[i] * each), MEAN_STEP);
        if (own->var)
            change->spread += in_steps(share * ((double)mixed->var[i] / (double)own->var[i] - 1), SPREAD_STEP);
        if (own->square)
            change->spread += in_steps(share * ((double)own->square[i] - (double)mixed->square[i]), SPREAD_STEP);
    }
}

/* Adds what the shard has changed, stripe by stripe, beginning at another one than its neighbours do. */
static void add_changes(struct mixing *m, const struct shard *shard, struct voice *own)
{
    struct visit add = {add_line, m, shard, own};
    size_t each = (m->words + STRIPES - 1) / STRIPES, first = 7 * (size_t)(shard - m->shard);
    for (size_t k = 0; k < STRIPES; k++) {
        size_t stripe = (first + k) % STRIPES, from = least(stripe * each, m->words);
        turns_take(m->stripe[stripe]);
        visit_lines(&add, shard->touched, from, least(from + each, m->words));
        turns_leave(m->stripe[stripe]);
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
    struct visit copy = {copy_line, m, shard, &worker->voice};
    draw_order(m, job, m->now.pass);
    visit_lines(&copy, shard->touched, 0, m->words);
    worker->voice.steps = 0;
    shard->loss = 0;
    shard->words = 0;
    for (uint32_t i = 0; i < shard->count; i++) {
        if (!sentence_loop_learn(&worker->loop, shard->order[i], &shard->loss, &shard->words, err))
            return false;
        if ((i + 1) % TELL_EVERY == 0 && !tell(m, TELL_EVERY))
            break;
    }
    add_changes(m, shard, &worker->voice);
    return true;
}

/* ---- All ranks ---- */

/* Notes that a line was changed in this pass. */
static void note_line(const struct visit *v, size_t at, size_t n)
{
    for (size_t i = at; i < at + n; i++)
        if (v->mixing->change[i].share)
            v->mixing->changed[at / LINE / 64] |= UINT64_C(1) << at / LINE % 64;
}

/* The lines that some rank has changed, packed to be added up. */
struct parcel {
    struct change *change; /* [room] */
    size_t room, count;
    size_t *at; /* [room / LINE] where each line belongs */
    size_t lines;
};

/* Adds up what was packed, and puts it back. */
static bool sum_parcel(struct mixing *m, struct parcel *parcel, struct vouch_error *err)
{
    if (!ranks_sum(m->examples->own.ranks, &parcel->change->mean,
                   parcel->count * (sizeof *parcel->change / sizeof(int64_t)), err))
        return false;
    for (size_t l = 0; l < parcel->lines; l++)
        memcpy(m->change + parcel->at[l], parcel->change + l * LINE,
               sizeof *m->change * least(LINE, m->voice->size - parcel->at[l]));
    parcel->count = parcel->lines = 0;
    return true;
}

/* Adds up the changes of all ranks, a parcel of lines at a time. */
static bool sum_changes(struct mixing *m, struct parcel *parcel, struct vouch_error *err)
{
    for (size_t word = 0; word < m->words; word++)
        for (line_bits bits = m->changed[word]; bits; bits &= bits - 1) {
            size_t at = (word * 64 + (size_t)__builtin_ctzll(bits)) * LINE;
            memcpy(parcel->change + parcel->count, m->change + at,
                   sizeof *m->change * least(LINE, m->voice->size - at));
            parcel->at[parcel->lines++] = at;
            parcel->count += LINE;
            if (parcel->count == parcel->room && !sum_parcel(m, parcel, err))
                return false;
        }
    return sum_parcel(m, parcel, err);
}

/* Lets every rank have the sums of all. Only lines that were changed in this pass travel. */
static bool exchange(struct mixing *m, struct vouch_error *err)
{
    struct visit note = {note_line, m, NULL, NULL};
    const struct ranks *ranks = m->examples->own.ranks;
    if (!ranks)
        return true;
    memset(m->changed, 0, sizeof *m->changed * m->words);
    visit_lines(&note, m->touched + m->shards * m->words, 0, m->words);
    struct parcel parcel = {.room = PARCEL,
                            .change = new_array(PARCEL, sizeof *parcel.change, err),
                            .at = new_array(PARCEL / LINE, sizeof *parcel.at, err)};
    bool ok = parcel.change && parcel.at && ranks_unite(ranks, m->changed, m->words, err) &&
              sum_changes(m, &parcel, err);
    free(parcel.change);
    free(parcel.at);
    return ok;
}

/* ---- All shards ---- */

/* Takes the sums over into the mixed voice, and clears them. */
static void mix_line(const struct visit *v, size_t at, size_t n)
{
    struct voice *voice = v->mixing->voice;
    double steps = v->mixing->count, T = (double)voice->steps;
    for (size_t i = at; i < at + n; i++) {
        struct change *change = &v->mixing->change[i];
        if (change->share == 0)
            continue;
        double w = (double)change->share * MEAN_STEP, by = (double)change->mean * MEAN_STEP / w;
        double average = (double)change->average * MEAN_STEP / w, spread = (double)change->spread * SPREAD_STEP / w;
        voice->mean[i] += (float)by;
        voice->late[i] += (float)(T * by - steps * average);
        if (voice->var)
            voice->var[i] = (float)((double)voice->var[i] / (1 + spread));
        if (voice->square)
            voice->square[i] += (float)spread;
        *change = (struct change){0};
    }
}

/* Adds the losses up in the order of the shards, on whatever ranks they are, and finds the loss of a word. */
static bool sum_losses(struct mixing *m, struct vouch_error *err)
{
    uint32_t S = m->options->shards;
    int64_t *bits = new_array((size_t)S + 1, sizeof *bits, err); /* of one number or 0: their sum is that number */
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

static bool run_pass(struct mixing *m, struct vouch_error *err)
{
    const struct training_options *options = m->options;
    struct visit mix = {mix_line, m, NULL, NULL};
    m->now.seen = 0;
    if (!parallel_run(m->threads, m->shards, learn_shard, m, err) || !exchange(m, err))
        return false;
    m->voice->steps += m->count;
    m->voice->now = (float)(m->voice->steps - 1);
    visit_lines(&mix, m->changed ? m->changed : m->touched + m->shards * m->words, 0, m->words);
    if (*m->stopped)
        return true;
    if (options->learner->end_pass)
        options->learner->end_pass(&options->parameters, m->voice);
    if (!sum_losses(m, err))
        return false;
    m->now.seen = m->count;
    if (options->tell)
        *m->stopped = !options->tell(options->context, &m->now);
    return lesson_keep(options->keeper, m->voice, m->now.pass, err);
}

/* Deals out the sentences, and drops the shards that get none, and those of other ranks. */
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
        m->shard[s] = (struct shard){.number = s, .order = m->order + at, .share = (double)count / (double)m->count};
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

static bool prepare(struct mixing *m, struct subset subset, struct vouch_error *err)
{
    size_t size = m->voice->size;
    if (!cut(m, subset, err))
        return false;
    m->words = (size + 64 * LINE - 1) / (64 * LINE);
    m->threads = m->options->threads < m->shards ? m->options->threads : m->shards;
    m->threads = m->threads ? m->threads : 1;
    m->worker = new_array(m->threads, sizeof *m->worker, err);
    m->touched = new_large_array((m->shards + (size_t)1) * m->words, sizeof *m->touched, err);
    m->change = new_large_array(size, sizeof *m->change, err);
    m->telling = turns_open(err);
    bool ok = m->worker && m->touched && m->change && m->telling;
    if (ok && m->examples->own.ranks)
        ok = (m->changed = new_array(m->words, sizeof *m->changed, err)) != NULL;
    for (uint32_t i = 0; ok && i < STRIPES; i++)
        ok = (m->stripe[i] = turns_open(err)) != NULL;
    for (uint32_t t = 0; ok && t < m->threads; t++) {
        struct worker *worker = &m->worker[t];
        ok = voice_start(m->examples, m->options, &worker->voice, err) &&
             sentence_loop_init(&worker->loop, m->examples, m->options, &worker->voice, err);
    }
    if (!ok)
        return false;
    for (uint32_t s = 0; s < m->shards; s++)
        m->shard[s].touched = m->touched + s * m->words;
    if (!parallel_run(m->threads, m->shards, find_touched, m, err))
        return false;
    line_bits *all = m->touched + m->shards * m->words;
    for (size_t i = 0; i < m->shards * m->words; i++)
        all[i % m->words] |= m->touched[i];
    return true;
}

static void release(struct mixing *m)
{
    for (uint32_t t = 0; m->worker && t < m->threads; t++) {
        sentence_loop_release(&m->worker[t].loop);
        voice_release(&m->worker[t].voice);
    }
    for (uint32_t i = 0; i < STRIPES; i++)
        turns_close(m->stripe[i]);
    turns_close(m->telling);
    free(m->shard);
    free(m->worker);
    free(m->order);
    free(m->touched);
    free(m->changed);
    free(m->change);
}

/* Fails if the ranks have recalled different passes: they do not see one and the same checkpoint. */
static bool recalled_alike(const struct ranks *ranks, uint32_t pass, struct vouch_error *err)
{
    int64_t sum[2] = {pass, (int64_t)pass * pass};
    if (!ranks)
        return true;
    return ranks_sum(ranks, sum, 2, err) &&
           (sum[0] * sum[0] == sum[1] * ranks->count ||
            fail(err, VOUCH_ERR_IO, "expected a checkpoint that all ranks see, found different ones"));
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
    uint32_t kept;
    *stopped = false;
    if (!lesson_recall(options->keeper, voice, &kept, err) || !recalled_alike(examples->own.ranks, kept, err))
        return false;
    if (kept >= options->passes)
        return true;
    bool ok = prepare(&m, subset, err);
    for (uint32_t pass = 1; ok && pass <= kept; pass++)
        for (uint32_t s = 0; s < m.shards; s++)
            draw_order(&m, s, pass);
    for (uint32_t pass = kept + 1; ok && subset.count && pass <= options->passes && !*stopped; pass++) {
        if (pass == options->passes / 2 + 1)
            voice_restart(voice);
        m.now.pass = pass;
        ok = run_pass(&m, err);
    }
    release(&m);
    return ok;
}
