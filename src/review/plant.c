/*
 * Plants errors in a copy of a corpus's labels: see plant.h.
 *
 * Places are drawn from all words; each sentence has at most one error.
 *
 * Errors in chunks are of four kinds, a quarter each: the chunk gets the type
 * of another; one of its ends moves by a word; it is dropped; it stays, and one
 * to three words outside all chunks of its sentence become one. How a type
 * spells chunks is taken from those of the corpus. Other labels and relations
 * become that of another word of the corpus. Arcs move in three ways, a third
 * each: to any other word, to one beside the head, to the head's head. Trees
 * stay trees.
 *
 * Errors that were found in an earlier round are put back where they were: they
 * are real errors, and are judged as if they had not been found.
 *
 * O(words + errors * the words of a sentence).
 */
#include "review/plant.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 30 };

/* How a type of chunks is spelled: labels of a word alone, and of the first, the inner and the last one of several. */
enum { ALONE, FIRST, INNER, LAST, PLACES };

struct planting {
    const struct plant_plan *plan;
    struct planted *to;
    const uint32_t *given;
    struct rng rng;
    size_t words;
    uint32_t *sentence_of;        /* [words] */
    bool *is_taken;               /* [sentences] */
    bool *has_own;                /* [sentences] an error that was put back */
    uint32_t (*spelling)[PLACES]; /* [labels] of each type; where a type has no such chunk, any label that it has */
    uint32_t *types, type_count, outside;
};

static size_t first_word(const struct planting *p, uint32_t i)
{
    return p->plan->dataset->words_before(p->plan->dataset->self, p->plan->dev, i);
}

/* Returns which place in its chunk word n has. */
static int place_of(struct extent span, uint32_t n)
{
    return span.to - span.from == 1 ? ALONE : n == span.from ? FIRST : n + 1 == span.to ? LAST : INNER;
}

/* Notes how the chunks of a sentence are spelled; the first of each kind counts. */
static void see_chunks(struct planting *p, const uint32_t *choice, uint32_t N)
{
    const struct span_rules *rules = p->plan->rules;
    struct extent span = {0};
    for (uint32_t n = 0; n < N; n++)
        if (rules->type[choice[n]] == rules->labels && p->outside == rules->labels)
            p->outside = choice[n];
    while (span_next(rules, choice, N, span.to, &span)) {
        uint32_t type = rules->type[choice[span.from]];
        uint32_t *spelling = p->spelling[type];
        if (spelling[ALONE] + spelling[FIRST] == 2 * rules->labels)
            p->types[p->type_count++] = type;
        for (uint32_t n = span.from; n < span.to; n++)
            if (spelling[place_of(span, n)] == rules->labels)
                spelling[place_of(span, n)] = choice[n];
    }
}

/* Spells the places that a type never had like the nearest one that it has. */
static void fill_spelling(struct planting *p, uint32_t *spelling)
{
    static const int instead[PLACES][PLACES - 1] = {
        {FIRST, LAST, INNER}, {ALONE, INNER, LAST}, {LAST, FIRST, ALONE}, {INNER, FIRST, ALONE}};
    uint32_t none = p->plan->rules->labels, seen[PLACES];
    memcpy(seen, spelling, sizeof seen);
    for (int place = 0; place < PLACES; place++)
        for (int k = 0; k < PLACES - 1 && spelling[place] == none; k++)
            spelling[place] = seen[instead[place][k]];
}

static bool all_known(const struct planting *p, const uint32_t *choice, uint32_t N)
{
    for (uint32_t n = 0; n < N; n++)
        if (choice[n] >= p->plan->options && !p->plan->heads)
            return false;
    return true;
}

static bool learn_spelling(struct planting *p, struct vouch_error *err)
{
    uint32_t Y = p->plan->rules->labels;
    p->outside = Y;
    p->spelling = new_array((size_t)Y + 1, sizeof *p->spelling, err);
    p->types = p->spelling ? new_array((size_t)Y + 1, sizeof *p->types, err) : NULL;
    if (!p->types)
        return false;
    for (uint32_t y = 0; y <= Y; y++)
        for (int place = 0; place < PLACES; place++)
            p->spelling[y][place] = Y;
    for (uint32_t i = 0; i < p->plan->sentences; i++) {
        size_t first = first_word(p, i);
        uint32_t N = (uint32_t)(first_word(p, i + 1) - first);
        if (all_known(p, p->given + first, N))
            see_chunks(p, p->given + first, N);
    }
    for (uint32_t t = 0; t < p->type_count; t++)
        fill_spelling(p, p->spelling[p->types[t]]);
    return true;
}

static void write_chunk(const struct planting *p, uint32_t *choice, struct extent span, uint32_t type)
{
    for (uint32_t n = span.from; n < span.to; n++)
        choice[n] = p->spelling[type][place_of(span, n)];
}

static void clear_chunk(const struct planting *p, uint32_t *choice, struct extent span)
{
    for (uint32_t n = span.from; n < span.to; n++)
        choice[n] = p->outside;
}

static bool is_outside(const struct planting *p, const uint32_t *choice, struct extent span)
{
    const struct span_rules *rules = p->plan->rules;
    for (uint32_t n = span.from; n < span.to; n++)
        if (rules->type[choice[n]] != rules->labels)
            return false;
    return true;
}

/* Makes a chunk of one to three words where there was none. */
static bool invent_chunk(struct planting *p, uint32_t *choice, uint32_t N)
{
    struct extent span = {.from = rng_below(&p->rng, N)};
    span.to = span.from + 1 + rng_below(&p->rng, 3);
    if (span.to > N || !is_outside(p, choice, span))
        return false;
    write_chunk(p, choice, span, p->types[rng_below(&p->rng, p->type_count)]);
    return true;
}

static bool move_end(struct planting *p, uint32_t *choice, uint32_t N, struct extent span, uint32_t type)
{
    struct extent moved = span;
    bool grows = rng_below(&p->rng, 2), left = rng_below(&p->rng, 2);
    if ((!grows && span.to - span.from == 1) || (grows && (left ? span.from == 0 : span.to == N)))
        return false;
    if (left)
        moved.from += grows ? (uint32_t)-1 : 1;
    else
        moved.to += grows ? 1 : (uint32_t)-1;
    struct extent added = {left ? moved.from : span.to, left ? span.from : moved.to};
    if (grows && !is_outside(p, choice, added))
        return false;
    clear_chunk(p, choice, span);
    write_chunk(p, choice, moved, type);
    return true;
}

/* Spoils the chunk that starts at word n; false if there is none, or the change is not possible. */
static bool spoil_chunk(struct planting *p, uint32_t *choice, uint32_t N, uint32_t n)
{
    const struct span_rules *rules = p->plan->rules;
    struct extent span;
    if (!span_next(rules, choice, N, n, &span) || span.from != n)
        return false;
    uint32_t type = rules->type[choice[n]], other = p->types[rng_below(&p->rng, p->type_count)];
    switch (rng_below(&p->rng, 4)) {
    case 0:
        write_chunk(p, choice, span, other);
        return other != type;
    case 1:
        return move_end(p, choice, N, span, type);
    case 2:
        clear_chunk(p, choice, span);
        return true;
    default:
        return invent_chunk(p, choice, N);
    }
}

/* Hangs word n elsewhere; false if that would close a cycle, or change nothing. */
static bool spoil_arc(struct planting *p, uint32_t *head, uint32_t N, uint32_t n)
{
    uint32_t before = head[n], kind = rng_below(&p->rng, 3), after;
    if (before == 0)
        return false;
    after = kind == 0   ? 1 + rng_below(&p->rng, N)
            : kind == 1 ? before + (rng_below(&p->rng, 2) ? 1 : (uint32_t)-1)
                        : head[before - 1];
    if (after == before || after == 0 || after > N)
        return false;
    for (uint32_t at = after, steps = 0; at > 0 && steps <= N; at = head[at - 1], steps++)
        if (at == n + 1)
            return false;
    head[n] = after;
    return true;
}

static bool spoil(struct planting *p, uint32_t *choice, uint32_t N, uint32_t n)
{
    if (p->plan->rules)
        return p->type_count > 0 && p->outside < p->plan->rules->labels && spoil_chunk(p, choice, N, n);
    if (p->plan->heads)
        return spoil_arc(p, choice, N, n);
    uint32_t other = p->given[rng_below(&p->rng, (uint32_t)p->words)], before = choice[n];
    if (other >= p->plan->options)
        return false;
    choice[n] = other;
    return other != before;
}

/* Plants one error at a random place; false if the place is not suitable. */
static bool plant_one(struct planting *p)
{
    uint32_t at = rng_below(&p->rng, (uint32_t)p->words), i = p->sentence_of[at];
    size_t first = first_word(p, i);
    uint32_t N = (uint32_t)(first_word(p, i + 1) - first), *choice = p->to->choice + first;
    bool some = false;
    if (p->is_taken[i] || !all_known(p, choice, N))
        return false;
    bool ok = spoil(p, choice, N, (uint32_t)(at - first));
    for (uint32_t n = 0; n < N; n++)
        some = some || choice[n] != p->given[first + n];
    if (!ok || !some)
        memcpy(choice, p->given + first, sizeof *choice * N);
    p->is_taken[i] = ok && some;
    return ok && some;
}

/* Puts back labels that were decided to be wrong, as far as the model has them. */
static void restore(struct planting *p, uint32_t i)
{
    const struct plant_plan *plan = p->plan;
    for (size_t w = first_word(p, i); w < first_word(p, i + 1); w++) {
        uint32_t before = plan->decided->before[plan->layer][w];
        bool wrong = decided_state(plan->decided, w) == DECIDED_WRONG && before != p->given[w];
        if (!wrong || (!plan->heads && before >= plan->options))
            continue;
        p->to->choice[w] = before;
        p->to->restored[w] = true;
        p->has_own[i] = true;
    }
}

/* Takes sentences with decisions out of those that errors are planted in. */
static void use_decided(struct planting *p)
{
    for (uint32_t i = 0; i < p->plan->sentences; i++) {
        for (size_t w = first_word(p, i); w < first_word(p, i + 1); w++)
            p->is_taken[i] = p->is_taken[i] || decided_state(p->plan->decided, w) != DECIDED_NOT;
        if (p->is_taken[i])
            restore(p, i);
    }
}

static bool has_change(const struct planting *p, uint32_t i)
{
    for (size_t w = first_word(p, i); w < first_word(p, i + 1); w++)
        if (p->to->changed[w])
            return true;
    return false;
}

static void note_changes(struct planting *p)
{
    for (size_t w = 0; w < p->words; w++)
        p->to->changed[w] = p->to->choice[w] != p->given[w] && !p->to->restored[w];
    for (uint32_t i = 0; i < p->plan->sentences; i++)
        if (p->has_own[i] || (p->is_taken[i] && has_change(p, i)))
            p->to->sentence[p->to->count++] = i;
}

static bool lay_out(struct planting *p, struct vouch_error *err)
{
    uint32_t sentences = p->plan->sentences;
    p->words = first_word(p, sentences);
    p->to->choice = new_array(p->words + 1, sizeof *p->to->choice, err);
    p->to->changed = new_array(p->words + 1, sizeof *p->to->changed, err);
    p->to->restored = new_array(p->words + 1, sizeof *p->to->restored, err);
    p->to->sentence = new_array((size_t)sentences + 1, sizeof *p->to->sentence, err);
    p->sentence_of = new_array(p->words + 1, sizeof *p->sentence_of, err);
    p->has_own = new_array((size_t)sentences + 1, sizeof *p->has_own, err);
    p->is_taken = new_array((size_t)sentences + 1, sizeof *p->is_taken, err);
    if (!p->to->choice || !p->to->changed || !p->to->restored || !p->to->sentence || !p->sentence_of || !p->is_taken ||
        !p->has_own)
        return false;
    memcpy(p->to->choice, p->given, sizeof *p->given * p->words);
    for (uint32_t i = 0; i < sentences; i++)
        for (size_t w = first_word(p, i); w < first_word(p, i + 1); w++)
            p->sentence_of[w] = i;
    return true;
}

bool plant_errors(struct planted *planted, const struct plant_plan *plan, const uint32_t *given,
                  struct vouch_error *err)
{
    struct planting p = {.plan = plan, .to = planted, .given = given, .rng = rng_new(plan->seed, 1)};
    *planted = (struct planted){0};
    bool ok = lay_out(&p, err) && (!plan->rules || learn_spelling(&p, err));
    if (ok && plan->decided)
        use_decided(&p);
    uint32_t made = 0;
    uint64_t most = ok && p.words > 0 ? (uint64_t)TRIES * plan->errors : 0;
    for (uint64_t tries = 0; made < plan->errors && tries < most; tries++)
        made += plant_one(&p);
    if (ok)
        note_changes(&p);
    free(p.sentence_of);
    free(p.is_taken);
    free(p.has_own);
    free(p.spelling);
    free(p.types);
    return ok;
}

void planted_release(struct planted *planted)
{
    free(planted->choice);
    free(planted->changed);
    free(planted->restored);
    free(planted->sentence);
    *planted = (struct planted){0};
}
