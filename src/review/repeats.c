/*
 * Finds the same words elsewhere in a corpus: see repeats.h.
 *
 * Words come as hashes of 32 bits, contexts as hashes of two to six of them.
 * Labels of chunks are compared by their type, so that the spelling of a chunk
 * does not matter, and heads by the word that is the head and its side.
 *
 * For chunks, all runs of up to LONGEST words are counted, each under the type of the chunk that it is, or as outside
 * of chunks; runs that are neither, such as parts of chunks, do not count. Occurrences are dealt to buckets by the
 * first bits of their contexts, and each bucket is sorted and counted by itself. O(n log n).
 */
#include "review/repeats.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "review/review.h"

#include <math.h>
#include <stdlib.h>

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
    return repeat->others ? log((repeat->same + 0.5) / (repeat->others - repeat->same + 0.5)) : 0;
}

void repeats_release(struct repeats *repeats)
{
    free(repeats->form);
    free(repeats->tag);
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        for (int k = 0; k < REPEAT_KINDS; k++)
            free(repeats->of[l][k]);
    *repeats = (struct repeats){0};
}

/* The state of counting in a corpus. */
struct counting {
    struct repeats *to;
    const struct held_out *held;
    const struct dataset *dataset;
    struct finding *const *finding;
    uint32_t sentences;
    size_t words;
    struct occurrence *occurrence; /* [room] */
    size_t count;
    uint32_t threads;
    bool nameless;
};

static size_t first_word(const struct counting *c, uint32_t i)
{
    return c->dataset->words_before(c->dataset->self, c->held->dev, i);
}

static bool take_names(struct counting *c, struct vouch_error *err)
{
    const struct examples *examples = c->held->dev ? &c->dataset->layer[0].dev : &c->dataset->layer[0].examples;
    struct scratch scratch = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->sentences; i++) {
        struct example example;
        ok = examples->get(examples->self, i, &scratch, &example, err);
        const struct word_names *names = &example.parts.names;
        c->nameless = c->nameless || (ok && !names->name);
        for (uint32_t n = 0; ok && names->name && n < example.parts.N; n++) {
            const uint32_t *name = names->name + (size_t)n * names->stride;
            c->to->form[first_word(c, i) + n] = name[0];
            c->to->tag[first_word(c, i) + n] = !names->heads ? 0 : name[3] ? name[3] : name[2];
        }
    }
    scratch_release(&scratch);
    return ok;
}

/* Returns what a label is called: its type in chunks, else itself. */
static uint64_t name_of(const struct counting *c, uint32_t choice)
{
    const struct span_rules *rules = c->dataset->rules;
    return !rules ? choice : choice >= rules->labels ? NO_NAME : rules->type[choice];
}

/* Returns the hash of the word with both neighbours. */
static uint64_t near_context(const uint32_t *form, uint32_t N, uint32_t n)
{
    uint64_t before = n > 0 ? form[n - 1] : 0, behind = n + 1 < N ? form[n + 1] : 0;
    return hash_mix(hash_mix(before << 32 | behind, form[n]), (n == 0) + 2 * (n + 1 == N));
}

static struct occurrence label_near(const struct counting *c, size_t first, uint32_t N, uint32_t n)
{
    return (struct occurrence){near_context(c->to->form + first, N, n), name_of(c, c->finding[0][first + n].given),
                               first + n};
}

static struct occurrence head_near(const struct counting *c, size_t first, uint32_t N, uint32_t n)
{
    uint32_t head = c->finding[0][first + n].given;
    uint64_t name = head == 0 || head > N ? 0 : hash_mix(c->to->form[first + head - 1], head > n + 1);
    return (struct occurrence){near_context(c->to->form + first, N, n), name, first + n};
}

static struct occurrence relation_near(const struct counting *c, size_t first, uint32_t N, uint32_t n)
{
    uint32_t head = c->finding[0][first + n].given;
    uint64_t form = head == 0 || head > N ? 0 : c->to->form[first + head - 1];
    return (struct occurrence){hash_mix(form << 32 | c->to->form[first + n], 1 + (head > n + 1)),
                               c->finding[1][first + n].given, first + n};
}

static bool count_near(struct counting *c, uint32_t layer, struct vouch_error *err)
{
    struct repeat *repeat = c->to->of[layer][REPEAT_NEAR] = new_array(c->words + 1, sizeof *repeat, err);
    c->count = 0;
    for (uint32_t i = 0; repeat && i < c->sentences; i++) {
        size_t first = first_word(c, i);
        uint32_t N = (uint32_t)(first_word(c, i + 1) - first);
        for (uint32_t n = 0; n < N; n++)
            c->occurrence[c->count++] = (layer == 1          ? relation_near
                                         : c->dataset->given ? head_near
                                                             : label_near)(c, first, N, n);
    }
    return repeat && repeats_count(c->occurrence, c->count, c->threads, repeat, err);
}

static uint64_t text_context(const uint32_t *form, struct extent span)
{
    uint64_t hash = span.to - span.from;
    for (uint32_t n = span.from; n < span.to; n++)
        hash = hash_mix(hash, form[n]);
    return hash;
}

/* Adds all runs of a sentence, as places of an array with LONGEST of them for each word. */
static void add_runs(struct counting *c, const uint32_t *choice, size_t first, uint32_t N)
{
    const struct span_rules *rules = c->dataset->rules;
    struct extent chunk = {0};
    bool more = span_next(rules, choice, N, 0, &chunk);
    for (uint32_t from = 0; from < N; from++) {
        while (more && chunk.to <= from)
            more = span_next(rules, choice, N, chunk.to, &chunk);
        for (uint32_t to = from + 1; to <= N && to - from <= LONGEST; to++) {
            bool is_chunk = more && chunk.from == from && chunk.to == to, outside = !more || chunk.from >= to;
            if (is_chunk || outside)
                c->occurrence[c->count++] = (struct occurrence){
                    text_context(c->to->form + first, (struct extent){from, to}),
                    is_chunk ? rules->type[choice[from]] : rules->labels, (first + from) * LONGEST + to - from - 1};
        }
    }
}

static bool all_known(const struct counting *c, const struct finding *f, uint32_t N, uint32_t *given,
                      uint32_t *proposed)
{
    bool known = true;
    for (uint32_t n = 0; n < N; n++) {
        given[n] = f[n].given;
        proposed[n] = f[n].proposed;
        known = known && given[n] < c->dataset->rules->labels;
    }
    return known;
}

/* Copies a run's counts to each of its words, where it is a given chunk, or a proposed one outside of those given. */
static void tell_words(const struct counting *c, const uint32_t *given, const uint32_t *chosen, size_t first,
                       uint32_t N, const struct repeat *run)
{
    const struct span_rules *rules = c->dataset->rules;
    struct extent span = {0};
    while (span_next(rules, chosen, N, span.to, &span)) {
        bool free_of_chunks = true;
        for (uint32_t n = span.from; n < span.to; n++)
            free_of_chunks = free_of_chunks && rules->type[given[n]] == rules->labels;
        for (uint32_t n = span.from; n < span.to && span.to - span.from <= LONGEST; n++)
            if (given == chosen || free_of_chunks) {
                struct repeat one = run[(first + span.from) * LONGEST + span.to - span.from - 1];
                one.example /= LONGEST;
                c->to->of[0][REPEAT_CHUNK][first + n] = one;
            }
    }
}

static bool count_chunks(struct counting *c, struct vouch_error *err)
{
    struct repeat *run = new_array(c->words * LONGEST + 1, sizeof *run, err);
    uint32_t *choice = new_array(2 * c->words + 1, sizeof *choice, err), *proposed = choice ? choice + c->words : NULL;
    c->to->of[0][REPEAT_CHUNK] = new_array(c->words + 1, sizeof *run, err);
    bool ok = run && choice && c->to->of[0][REPEAT_CHUNK];
    c->count = 0;
    for (int pass = 0; ok && pass < 2; pass++) {
        for (uint32_t i = 0; i < c->sentences; i++) {
            size_t first = first_word(c, i);
            uint32_t N = (uint32_t)(first_word(c, i + 1) - first);
            if (!all_known(c, c->finding[0] + first, N, choice + first, proposed + first))
                continue;
            if (pass == 0) {
                add_runs(c, choice + first, first, N);
                continue;
            }
            tell_words(c, choice + first, choice + first, first, N, run);
            tell_words(c, choice + first, proposed + first, first, N, run);
        }
        if (pass == 0)
            ok = repeats_count(c->occurrence, c->count, c->threads, run, err);
    }
    free(run);
    free(choice);
    return ok;
}

bool repeats_find(struct repeats *repeats, const struct held_out *held, struct finding *const *finding,
                  uint32_t threads, struct vouch_error *err)
{
    const struct dataset *dataset = held->dataset;
    struct counting c = {.to = repeats, .held = held, .dataset = dataset, .finding = finding, .threads = threads};
    *repeats = (struct repeats){0};
    c.sentences = held->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    c.words = first_word(&c, c.sentences);
    bool chunks = dataset->rules != NULL;
    repeats->form = new_array(c.words + 1, sizeof *repeats->form, err);
    repeats->tag = new_array(c.words + 1, sizeof *repeats->tag, err);
    c.occurrence = new_array(c.words * (chunks ? LONGEST : 1) + 1, sizeof *c.occurrence, err);
    bool ok = repeats->form && repeats->tag && c.occurrence && take_names(&c, err);
    for (uint32_t l = 0; ok && !c.nameless && l < held->layers; l++)
        ok = count_near(&c, l, err);
    ok = ok && (!chunks || c.nameless || count_chunks(&c, err));
    free(c.occurrence);
    return ok;
}
