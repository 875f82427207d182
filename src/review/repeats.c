/*
 * Finds the same words elsewhere in a corpus.
 *
 * Words come as hashes of 32 bits, contexts as hashes of two to six of them. Labels of chunks are compared by their
 * type, so that the spelling of a chunk does not matter, and heads by the word that is the head and its side.
 *
 * For chunks, all runs of up to LONGEST words are counted, each under the type of the chunk that it is, or as outside
 * of chunks; runs that are neither, such as parts of chunks, do not count. Occurrences are dealt to buckets by the
 * first bits of their contexts, and each bucket is sorted and counted by itself. O(n log n).
 */
#include "base/elementary.h"
#include "review/review.h"

#include "base/hash.h"
#include "base/parallel.h"

#include <math.h>

enum { LONGEST = 5, BUCKET_BITS = 10, BUCKETS = 1 << BUCKET_BITS };
#define NO_NAME UINT64_MAX

static int compare_occurrences(const void *a, const void *b)
{
    const struct occurrence *x = a, *y = b;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Returns the end of the occurrences that share the context of o[from] and, if `named`, its name. */
static size_t end_of(const struct occurrence *o, size_t from, size_t count, bool named)
{
    size_t to = from + 1;
    while (to < count && o[to].context == o[from].context && (!named || o[to].name == o[from].name))
        to++;
    return to;
}

/* Whether the run from `a` with n places is a stronger rival than that from `b` with m. */
static bool is_stronger(const struct occurrence *o, size_t a, size_t n, size_t b, size_t m)
{
    return n > m || (n == m && n > 0 && o[a].place < o[b].place);
}

/* Counts the places of one context, o[from] .. o[to - 1], sorted by name. */
static void count_context(const struct occurrence *o, size_t from, size_t to, struct repeat *repeat)
{
    size_t best[2] = {from, from}, times[2] = {0, 0}; /* the two most frequent names */
    for (size_t i = from, next; i < to; i = next) {
        next = end_of(o, i, to, true);
        if (is_stronger(o, i, next - i, best[0], times[0])) {
            best[1] = best[0];
            times[1] = times[0];
            best[0] = i;
            times[0] = next - i;
        } else if (is_stronger(o, i, next - i, best[1], times[1])) {
            best[1] = i;
            times[1] = next - i;
        }
    }
    for (size_t i = from, next; i < to; i = next) {
        next = end_of(o, i, to, true);
        int rival = best[0] == i;
        for (size_t k = i; k < next; k++)
            repeat[o[k].place] = (struct repeat){.others = (uint32_t)(to - from - 1),
                                                 .same = (uint32_t)(next - i - 1),
                                                 .rival = (uint32_t)times[rival],
                                                 .example = times[rival] ? o[best[rival]].place : o[k].place};
    }
}

/* Occurrences by buckets: those of bucket b are occurrence[start[b]] .. occurrence[start[b + 1] - 1]. */
struct buckets {
    struct occurrence *occurrence;
    size_t start[BUCKETS + 1];
    struct repeat *repeat;
};

static bool count_bucket(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    const struct buckets *b = context;
    size_t from = b->start[job], to = b->start[job + 1];
    (void)thread;
    (void)err;
    if (from < to)
        qsort(b->occurrence + from, to - from, sizeof *b->occurrence, compare_occurrences);
    for (size_t i = from, next; i < to; i = next) {
        next = end_of(b->occurrence, i, to, false);
        count_context(b->occurrence, i, next, b->repeat);
    }
    return true;
}

bool repeats_count(const struct occurrence *occurrence, size_t count, uint32_t threads, struct repeat *repeat,
                   struct vouch_error *err)
{
    struct buckets b = {.occurrence = new_array(count + 1, sizeof *b.occurrence, err), .repeat = repeat};
    size_t end[BUCKETS];
    if (!b.occurrence)
        return false;
    for (size_t i = 0; i < count; i++)
        b.start[(occurrence[i].context >> (64 - BUCKET_BITS)) + 1]++;
    for (uint32_t k = 0; k < BUCKETS; k++) {
        end[k] = b.start[k];
        b.start[k + 1] += b.start[k];
    }
    for (size_t i = 0; i < count; i++)
        b.occurrence[end[occurrence[i].context >> (64 - BUCKET_BITS)]++] = occurrence[i];
    bool ok = parallel_run(threads, BUCKETS, count_bucket, &b, err);
    free(b.occurrence);
    return ok;
}

double repeat_odds(const struct repeat *repeat)
{
    return repeat->others ? log_of((repeat->same + 0.5) / (repeat->others - repeat->same + 0.5)) : 0;
}

/* The state of counting in a corpus. */
struct counting {
    struct review *review;
    struct occurrence *occurrence; /* as many as there can be */
    size_t count;
};

bool name_words(struct review *r, struct vouch_error *err)
{
    const struct examples *examples = r->dev ? &r->dataset->layer[0].dev : &r->dataset->layer[0].examples;
    struct scratch scratch = {0};
    r->form = new_array(r->words + 1, sizeof *r->form, err);
    r->tag = new_array(r->words + 1, sizeof *r->tag, err);
    bool ok = r->form && r->tag;
    r->named = ok;
    for (uint32_t i = 0; ok && i < r->sentences; i++) {
        struct example example;
        ok = examples->get(examples->self, i, &scratch, &example, err);
        const struct word_names *names = &example.parts.names;
        r->named = r->named && (!ok || names->name);
        for (uint32_t n = 0; ok && names->name && n < example.parts.N; n++) {
            const uint32_t *name = names->name + (size_t)n * names->stride;
            r->form[r->first[i] + n] = name[0];
            r->tag[r->first[i] + n] = !names->heads ? 0 : name[3] ? name[3] : name[2];
        }
    }
    scratch_release(&scratch);
    return ok;
}

/* Returns the word with its context, and what it is called: see enum repeat_kind. */
static struct occurrence occurrence_near(const struct review *r, uint32_t layer, size_t first, uint32_t N, uint32_t n)
{
    const struct span_rules *rules = r->dataset->rules;
    const uint32_t *form = r->form + first;
    uint32_t given = r->finding[layer][first + n].given, head = r->finding[0][first + n].given;
    bool hangs = r->trees && head > 0 && head <= N;
    if (layer == 1)
        return (struct occurrence){hash_mix((hangs ? (uint64_t)form[head - 1] : 0) << 32 | form[n], 1 + (head > n + 1)),
                                   given, first + n};
    uint64_t before = n > 0 ? form[n - 1] : 0, behind = n + 1 < N ? form[n + 1] : 0;
    uint64_t context = hash_mix(hash_mix(before << 32 | behind, form[n]), (n == 0) + 2 * (n + 1 == N));
    uint64_t name = given;
    if (r->trees)
        name = hangs ? hash_mix(form[head - 1], head > n + 1) : 0;
    else if (rules)
        name = given >= rules->labels ? NO_NAME : rules->type[given];
    return (struct occurrence){context, name, first + n};
}

static bool count_near(struct counting *c, uint32_t layer, struct vouch_error *err)
{
    struct review *r = c->review;
    struct repeat *repeat = r->repeat[layer][REPEAT_NEAR] = new_array(r->words + 1, sizeof *repeat, err);
    for (size_t w = 0; repeat && w < r->words; w++) {
        size_t first = r->first[r->sentence_of[w]];
        c->occurrence[w] = occurrence_near(r, layer, first, words_of(r, r->sentence_of[w]), (uint32_t)(w - first));
    }
    return repeat && repeats_count(c->occurrence, r->words, r->options->common.work.threads, repeat, err);
}

/* Adds all runs of a sentence, as places of an array with LONGEST of them for each word. */
static void add_runs(struct counting *c, const uint32_t *choice, size_t first, uint32_t N)
{
    const struct span_rules *rules = c->review->dataset->rules;
    struct extent chunk = {0};
    bool more = span_next(rules, choice, N, 0, &chunk);
    for (uint32_t from = 0; from < N; from++) {
        while (more && chunk.to <= from)
            more = span_next(rules, choice, N, chunk.to, &chunk);
        for (uint32_t to = from + 1; to <= N && to - from <= LONGEST; to++) {
            bool is_chunk = more && chunk.from == from && chunk.to == to, outside = !more || chunk.from >= to;
            uint64_t context = to - from;
            if (!is_chunk && !outside)
                continue;
            for (uint32_t n = from; n < to; n++)
                context = hash_mix(context, c->review->form[first + n]);
            c->occurrence[c->count++] =
                (struct occurrence){context, is_chunk ? rules->type[choice[from]] : rules->labels,
                                    (first + from) * LONGEST + to - from - 1};
        }
    }
}

/* Copies a run's counts to each of its words, where it is a given chunk, or a proposed one outside of those given. */
static void tell_words(struct review *r, const uint32_t *given, const uint32_t *chosen, size_t first, uint32_t N,
                       const struct repeat *run)
{
    const struct span_rules *rules = r->dataset->rules;
    struct extent span = {0};
    while (span_next(rules, chosen, N, span.to, &span)) {
        bool free_of_chunks = true;
        for (uint32_t n = span.from; n < span.to; n++)
            free_of_chunks = free_of_chunks && rules->type[given[n]] == rules->labels;
        for (uint32_t n = span.from; n < span.to && span.to - span.from <= LONGEST; n++)
            if (given == chosen || free_of_chunks) {
                struct repeat one = run[(first + span.from) * LONGEST + span.to - span.from - 1];
                one.example /= LONGEST;
                r->repeat[0][REPEAT_CHUNK][first + n] = one;
            }
    }
}

static bool count_chunks(struct counting *c, struct vouch_error *err)
{
    struct review *r = c->review;
    struct repeat *run = new_array(r->words * LONGEST + 1, sizeof *run, err);
    uint32_t *given = new_array(2 * r->words + 1, sizeof *given, err), *proposed = given ? given + r->words : NULL;
    bool *known = new_array((size_t)r->sentences + 1, sizeof *known, err);
    r->repeat[0][REPEAT_CHUNK] = new_array(r->words + 1, sizeof *run, err);
    bool ok = run && given && known && r->repeat[0][REPEAT_CHUNK];
    for (uint32_t i = 0; ok && i < r->sentences; i++) {
        known[i] = true;
        for (size_t w = r->first[i]; w < r->first[i + 1]; w++) {
            given[w] = r->finding[0][w].given;
            proposed[w] = r->finding[0][w].proposed;
            known[i] = known[i] && given[w] < r->dataset->rules->labels;
        }
        if (known[i])
            add_runs(c, given + r->first[i], r->first[i], words_of(r, i));
    }
    ok = ok && repeats_count(c->occurrence, c->count, r->options->common.work.threads, run, err);
    for (uint32_t i = 0; ok && i < r->sentences; i++)
        for (int chosen = 0; known[i] && chosen < 2; chosen++)
            tell_words(r, given + r->first[i], (chosen ? proposed : given) + r->first[i], r->first[i], words_of(r, i),
                       run);
    free(run);
    free(given);
    free(known);
    return ok;
}

bool find_repeats(struct review *r, struct vouch_error *err)
{
    struct counting c = {.review = r};
    bool chunks = r->dataset->rules != NULL;
    c.occurrence = new_array(r->words * (chunks ? LONGEST : 1) + 1, sizeof *c.occurrence, err);
    bool ok = c.occurrence != NULL;
    for (uint32_t l = 0; ok && r->named && l < r->layers; l++)
        ok = count_near(&c, l, err);
    ok = ok && (!chunks || !r->named || count_chunks(&c, err));
    free(c.occurrence);
    return ok;
}
