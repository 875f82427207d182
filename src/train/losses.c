/*
 * Simulates losses: see losses.h.
 *
 * Whether a feature or word is lost is drawn from a hash of it and the seed, not from a stream of random numbers: it is
 * then lost wherever it occurs, whatever the threads. How frequent features are is counted in one pass over the
 * held-out sentences. Cost: a copy of the rows of a sentence, and that pass.
 */
#include "train/losses.h"

#include "base/hash.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

/* A feature in more than one of COMMON rows is never forgotten, nor a word that is more than one of COMMON_WORD. */
enum { COMMON = 50, COMMON_WORD = 1000, NAMED = 1 << 16, FEATURE = 0, WORD = 1, PLACE = 2 };

/* Threads that count, each with a table of its own. */
enum { MOST_SHARES = 4 };

/* Words of a sentence whose rows are copied, if they are not kept: 80 megabytes. */
enum { LONGEST = 300 };

static bool is_lost(const struct losses *t, double share, uint64_t kind, uint64_t a, uint64_t b)
{
    uint64_t hash = hash_mix(hash_mix(hash_mix(t->seed, kind), a), b);
    return (double)(hash >> 11) * 0x1p-53 < share;
}

/* Returns the word for which word n of sentence i is taken: itself, unless it is mistaken. */
static uint32_t taken_for(const struct losses *t, const struct loss *loss, uint32_t i, uint32_t N, uint32_t n)
{
    if (!is_lost(t, loss->mistaken, PLACE, i, n))
        return n;
    uint32_t other = (uint32_t)(hash_mix(hash_mix(t->seed, i), n) % N), tries = 0;
    while (loss->gold && tries++ < N && loss->gold[other] == loss->gold[n])
        other = (other + 1) % N;
    return other;
}

bool losses_apply_to(const struct parts *parts)
{
    return parts->N > 0 && !parts->score_source && parts->node.count >= parts->N &&
           (!parts->make || parts->N <= LONGEST);
}

/* Returns the name by which a word is recognised: its form in lower case, or that of a word in a tree. */
static uint32_t known_by(const struct word_names *names, uint32_t n)
{
    return names->name[(size_t)n * names->stride + !names->heads];
}

static void survey_example(struct losses *t, const struct parts *parts)
{
    struct rows rows;
    t->rows += parts->node.count;
    for (uint32_t g = 0; g < parts->node.count; g += rows.count) {
        rows = parts_rows(parts, g, parts->node.count);
        for (uint32_t k = rows.start[0]; k < rows.start[rows.count]; k++)
            t->seen[rows.feature[k]]++;
    }
    t->words += parts->N;
    for (uint32_t n = 0; parts->names.name && n < parts->N; n++)
        t->named[known_by(&parts->names, n) % NAMED]++;
}

/* Sentences dealt out to shares, each of which is counted by itself. */
struct survey {
    const struct held_part *part;
    const struct examples *examples;
    uint32_t every, shares;
    struct losses share[MOST_SHARES];
};

static bool survey_share(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct survey *s = context;
    struct losses *t = &s->share[job];
    struct scratch scratch = {0};
    struct example example;
    (void)thread;
    t->seen = new_array((size_t)s->examples->space.nodes + 1, sizeof *t->seen, err);
    t->named = new_array(NAMED, sizeof *t->named, err);
    bool ok = t->seen && t->named;
    for (uint64_t k = (uint64_t)job * s->every; ok && k < s->part->count; k += (uint64_t)s->shares * s->every) {
        ok = s->examples->get(s->examples->self, s->part->sentence[k], &scratch, &example, err);
        if (ok && losses_apply_to(&example.parts))
            survey_example(t, &example.parts);
    }
    scratch_release(&scratch);
    return ok;
}

static void add_share(struct losses *t, const struct losses *share, uint32_t nodes)
{
    for (size_t i = 0; i <= nodes; i++)
        t->seen[i] += share->seen[i];
    for (size_t i = 0; i < NAMED; i++)
        t->named[i] += share->named[i];
    t->rows += share->rows;
    t->words += share->words;
}

bool losses_init(struct losses *t, const struct dataset *dataset, uint64_t seed, struct vouch_error *err)
{
    uint32_t count;
    *t = (struct losses){.seed = seed};
    return !dataset->feature_names || (t->name = dataset->feature_names(dataset->self, &count, err));
}

bool losses_survey(struct losses *t, const struct held_part *part, const struct examples *examples, uint32_t every,
                   uint32_t threads, struct vouch_error *err)
{
    struct losses bare = {.seed = t->seed, .name = t->name};
    struct survey s = {part, examples, every, threads < MOST_SHARES ? threads : MOST_SHARES, {{0}}};
    t->name = NULL;
    losses_release(t);
    s.share[0] = bare;
    bool ok = parallel_run(s.shares, s.shares, survey_share, &s, err);
    *t = s.share[0];
    for (uint32_t i = 1; i < s.shares; i++) {
        if (ok)
            add_share(t, &s.share[i], examples->space.nodes);
        losses_release(&s.share[i]);
    }
    return ok;
}

void losses_release(struct losses *t)
{
    free(t->name);
    free(t->seen);
    free(t->named);
    *t = (struct losses){0};
}

/* Copies row r but for what is forgotten; returns how many features there are now. */
static uint32_t take_row(const struct losses *t, double forgotten, const struct rows *from, uint32_t r, struct lossy *c,
                         uint32_t kept)
{
    const uint32_t *feature = from->feature + from->start[r], size = from->start[r + 1] - from->start[r];
    const float *value = from->value ? from->value + from->start[r] : NULL;
    const uint64_t key = hash_mix(t->seed, FEATURE), rare = t->rows / COMMON;
    const uint64_t below = (uint64_t)ceil(forgotten * 0x1p53); /* is_lost(), for many features */
    for (uint32_t k = 0; k < size; k++) {
        bool lost = (hash_mix(hash_mix(key, t->name ? t->name[feature[k]] : feature[k]), 0) >> 11) < below;
        c->feature[kept] = feature[k];
        if (value)
            c->value[kept] = value[k];
        kept += !(lost & (t->seen[feature[k]] <= rare));
    }
    return kept;
}

/* Copies a row as it is. */
static uint32_t copy_row(const struct rows *from, uint32_t r, struct lossy *c, uint32_t kept)
{
    uint32_t first = from->start[r], size = from->start[r + 1] - first;
    memcpy(c->feature + kept, from->feature + first, sizeof *c->feature * size);
    if (from->value)
        memcpy(c->value + kept, from->value + first, sizeof *c->value * size);
    return kept + size;
}

static bool take_features(const struct losses *t, const struct loss *loss, uint32_t i, struct lossy *c,
                          struct parts *parts, struct vouch_error *err)
{
    uint32_t count = parts->node.count, each = count / parts->N, kept = 0;
    struct rows from;
    if (!RESERVE(c->start, c->start_capacity, (size_t)count + 1, err) ||
        (parts->offset && !RESERVE(c->offset, c->offset_capacity, (size_t)count + 1, err)))
        return false;
    for (uint32_t g = 0; g < count; g += from.count) {
        uint32_t row = taken_for(t, loss, i, parts->N, g / each) * each + g % each;
        from = parts_rows(parts, row, row + each - g % each);
        uint32_t size = from.start[from.count] - from.start[0];
        if (!RESERVE(c->feature, c->feature_capacity, (size_t)kept + size + 1, err) ||
            (from.value && !RESERVE(c->value, c->value_capacity, (size_t)kept + size + 1, err)))
            return false;
        for (uint32_t r = 0; r < from.count; r++) {
            c->start[g + r] = kept;
            if (parts->offset)
                c->offset[g + r] = parts->offset[row + r] * (float)(1 - loss->forgotten);
            kept = loss->forgotten > 0 ? take_row(t, loss->forgotten, &from, r, c, kept) : copy_row(&from, r, c, kept);
        }
    }
    c->start[count] = kept;
    parts->node = (struct rows){count, c->start, c->feature, parts->node.value ? c->value : NULL};
    parts->offset = parts->offset ? c->offset : NULL;
    parts->make = NULL;
    parts->sum = NULL;
    return true;
}

/* Gives a word that is forgotten names that no other word has; in a tree, it keeps its tags. */
static bool take_names(const struct losses *t, const struct loss *loss, uint32_t i, struct lossy *c,
                       struct parts *parts, struct vouch_error *err)
{
    struct word_names *names = &parts->names;
    if (!names->name)
        return true;
    if (!RESERVE(c->name, c->name_capacity, (size_t)parts->N * names->stride + 1, err))
        return false;
    for (uint32_t n = 0; n < parts->N; n++) {
        uint32_t as = taken_for(t, loss, i, parts->N, n), key = known_by(names, as);
        uint32_t *to = c->name + (size_t)n * names->stride;
        memcpy(to, names->name + (size_t)as * names->stride, sizeof *to * names->stride);
        if ((uint64_t)t->named[key % NAMED] * COMMON_WORD <= t->words && is_lost(t, loss->forgotten, WORD, key, 0))
            for (uint32_t k = 0; k < 2; k++)
                to[k] = (uint32_t)hash_mix(t->seed, to[k]);
    }
    names->name = c->name;
    return true;
}

/* Gives a word that is mistaken the vector of the other. */
static bool take_vectors(const struct losses *t, const struct loss *loss, uint32_t i, struct lossy *c,
                         struct parts *parts, struct vouch_error *err)
{
    size_t D = parts->dense.D;
    if (D == 0)
        return true;
    if (!RESERVE(c->vector, c->vector_capacity, parts->N * D + 1, err))
        return false;
    for (uint32_t n = 0; n < parts->N; n++)
        memcpy(c->vector + n * D, parts->dense.vector + taken_for(t, loss, i, parts->N, n) * D, sizeof *c->vector * D);
    parts->dense.vector = c->vector;
    return true;
}

bool losses_take(const struct losses *t, const struct loss *loss, uint32_t i, struct lossy *c, struct parts *parts,
                 struct vouch_error *err)
{
    return take_features(t, loss, i, c, parts, err) && take_names(t, loss, i, c, parts, err) &&
           take_vectors(t, loss, i, c, parts, err);
}

void lossy_release(struct lossy *c)
{
    free(c->start);
    free(c->feature);
    free(c->name);
    free(c->value);
    free(c->vector);
    free(c->offset);
    *c = (struct lossy){0};
}
