/*
 * Plants errors in a copy of a corpus's labels, to learn how errors look.
 *
 * Places are drawn from all words; each sentence has at most one error.
 *
 * Errors in chunks are of six kinds, in turn. Four are random: the chunk gets the type of another; one of its ends
 * moves by a word; it is dropped; it stays, and one to three words outside all chunks of its sentence become one. Two
 * are regular, like those of a careless annotator or of a weak tagger, which models learn and take for right: the chunk
 * gets the type of another, and so do the same words in up to REPEATS other places; a word is called what it is mostly
 * called elsewhere, where that is wrong, as by a tagger that knows nothing but frequencies. How a type spells chunks is
 * taken from those of the corpus. Other labels and relations become that of another word of the corpus. Arcs move in
 * three ways, a third each: to any other word, to one beside the head, to the head's head. Trees stay trees.
 *
 * Errors that were found in an earlier round are put back where they were: they are real errors, and are judged as if
 * they had not been found. Sentences with words that were decided on get no others.
 *
 * O(words + errors * the words of a sentence).
 */
#include "review/review.h"

#include "base/random.h"

#include <string.h>

enum {
    SHARE = 40,      /* errors are planted in one of this many sentences, */
    ENOUGH = 100,    /* or in this many, if that is more, */
    LARGE_SHARE = 4, /* but not in more than one of this many; */
    MANY = 400,      /* if nothing is learned from them, in this many */
    TRIES = 100,     /* for each error, and for a kind before it is the next one's turn */
    REPEATS = 3      /* other places with the same error */
};

/* The kind of an error: in chunks, of which the last two need to know which words are the same; in arcs, and others. */
enum { OTHER_TYPE, MOVED_END, DROPPED, INVENTED, RANDOM_KINDS, REPEATED = RANDOM_KINDS, AS_USUAL, CHUNK_KINDS };
enum { ANYWHERE, BESIDE, ABOVE, LABEL };
_Static_assert((int)CHUNK_KINDS <= (int)ERROR_KINDS, "every kind has a curve");

/* How a type of chunks is spelled: labels of a word alone, and of the first, the inner and the last one of several. */
enum { ALONE, FIRST, INNER, LAST, PLACES };

struct planting {
    const struct review *review;
    struct planted *to;
    uint32_t layer;
    uint32_t options;               /* the number of choices; of heads any number may be one */
    const struct span_rules *rules; /* chunks are changed as a whole; NULL: single words are */
    bool (*corrupt)(struct planting *p, uint32_t *choice, uint32_t N, uint32_t n); /* false: word n is not suitable */
    uint32_t *given;                                                               /* [words] */
    struct rng rng;
    uint32_t kind;                /* whose turn it is, of those in chunks */
    uint32_t made;                /* errors */
    struct repeat *elsewhere;     /* [words] what the word is called in other places; NULL: not known */
    bool *is_taken;               /* [sentences] */
    bool *has_own;                /* [sentences] an error that was put back */
    uint32_t (*spelling)[PLACES]; /* [labels] of each type; where a type has no such chunk, any label that it has */
    uint32_t *types, type_count, outside;
};

/* Returns which place in its chunk word n has. */
static int place_of(struct extent span, uint32_t n)
{
    return span.to - span.from == 1 ? ALONE : n == span.from ? FIRST : n + 1 == span.to ? LAST : INNER;
}

/* Notes how the chunks of a sentence are spelled; the first of each kind counts. */
static void see_chunks(struct planting *p, const uint32_t *choice, uint32_t N)
{
    const struct span_rules *rules = p->rules;
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
    uint32_t none = p->rules->labels, seen[PLACES];
    memcpy(seen, spelling, sizeof seen);
    for (int place = 0; place < PLACES; place++)
        for (int k = 0; k < PLACES - 1 && spelling[place] == none; k++)
            spelling[place] = seen[instead[place][k]];
}

static bool all_known(const struct planting *p, const uint32_t *choice, uint32_t N)
{
    for (uint32_t n = 0; n < N; n++)
        if (choice[n] >= p->options)
            return false;
    return true;
}

static bool learn_spelling(struct planting *p, struct vouch_error *err)
{
    uint32_t Y = p->rules->labels;
    p->outside = Y;
    p->spelling = new_array((size_t)Y + 1, sizeof *p->spelling, err);
    p->types = p->spelling ? new_array((size_t)Y + 1, sizeof *p->types, err) : NULL;
    if (!p->types)
        return false;
    for (uint32_t y = 0; y <= Y; y++)
        for (int place = 0; place < PLACES; place++)
            p->spelling[y][place] = Y;
    for (uint32_t i = 0; i < p->review->sentences; i++)
        if (all_known(p, p->given + p->review->first[i], words_of(p->review, i)))
            see_chunks(p, p->given + p->review->first[i], words_of(p->review, i));
    for (uint32_t t = 0; t < p->type_count; t++)
        fill_spelling(p, p->spelling[p->types[t]]);
    return true;
}

/* Makes words a chunk of that type; of type `labels`, outside of chunks. */
static void write_chunk(const struct planting *p, uint32_t *choice, struct extent span, uint32_t type)
{
    for (uint32_t n = span.from; n < span.to; n++)
        choice[n] = type == p->rules->labels ? p->outside : p->spelling[type][place_of(span, n)];
}

static bool is_outside(const struct planting *p, const uint32_t *choice, struct extent span)
{
    const struct span_rules *rules = p->rules;
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
    write_chunk(p, choice, span, p->rules->labels);
    write_chunk(p, choice, moved, type);
    return true;
}

static size_t number_of(const struct planting *p, const uint32_t *choice, uint32_t n)
{
    return (size_t)(choice - p->to->choice) + n;
}

/* Calls the chunk at word n, or the word alone, what the word is mostly called elsewhere; false if it is already. */
static bool call_as_usual(struct planting *p, uint32_t *choice, struct extent span, uint32_t n)
{
    const struct repeat *elsewhere = &p->elsewhere[number_of(p, choice, n)];
    uint32_t usual = p->given[elsewhere->example], none = p->rules->labels;
    if (elsewhere->rival <= elsewhere->same || usual >= none)
        return false;
    uint32_t type = p->rules->type[usual];
    if (type != none && p->spelling[type][ALONE] == none) /* it occurs beside unknown labels alone */
        return false;
    write_chunk(p, choice, span.from == n ? span : (struct extent){n, n + 1}, type);
    return true;
}

/* Gives the same words in other sentences the same type, where they are a chunk. */
static void repeat_error(struct planting *p, const uint32_t *choice, struct extent span, uint32_t other)
{
    const struct review *r = p->review;
    size_t at = number_of(p, choice, span.from);
    uint32_t length = span.to - span.from, left = REPEATS;
    for (size_t w = 0; w < r->words && left > 0; w++) {
        uint32_t i = r->sentence_of[w], N = words_of(r, i), n = (uint32_t)(w - r->first[i]);
        uint32_t *there = p->to->choice + r->first[i];
        struct extent found;
        if (r->form[w] != r->form[at] || p->is_taken[i] || i == r->sentence_of[at] || !all_known(p, there, N) ||
            !span_next(p->rules, there, N, n, &found) || found.from != n || found.to - n != length ||
            memcmp(r->form + w, r->form + at, sizeof *r->form * length) != 0)
            continue;
        write_chunk(p, there, found, other);
        p->is_taken[i] = true;
        p->to->kind[i] = REPEATED;
        p->made++;
        left--;
    }
}

/* Corrupts the chunk that starts at word n; false if there is none, or the change is not possible. */
static bool corrupt_chunk(struct planting *p, uint32_t *choice, uint32_t N, uint32_t n)
{
    const struct span_rules *rules = p->rules;
    struct extent span = {N, N};
    if (p->type_count == 0 || p->outside == rules->labels)
        return false;
    bool chunk = span_next(rules, choice, N, n, &span) && span.from == n;
    if (p->kind == AS_USUAL)
        return (chunk || is_outside(p, choice, (struct extent){n, n + 1})) && call_as_usual(p, choice, span, n);
    if (!chunk)
        return false;
    uint32_t type = rules->type[choice[n]], other = p->types[rng_below(&p->rng, p->type_count)];
    switch (p->kind) {
    case MOVED_END:
        return move_end(p, choice, N, span, type);
    case DROPPED:
        write_chunk(p, choice, span, rules->labels);
        return true;
    case INVENTED:
        return invent_chunk(p, choice, N);
    default:
        if (other != type && p->kind == REPEATED)
            repeat_error(p, choice, span, other);
        write_chunk(p, choice, span, other);
        return other != type;
    }
}

/* Hangs word n elsewhere; false if that would close a cycle, or change nothing. */
static bool corrupt_arc(struct planting *p, uint32_t *head, uint32_t N, uint32_t n)
{
    uint32_t before = head[n], after;
    if (before == 0)
        return false;
    p->kind = ANYWHERE + rng_below(&p->rng, LABEL - ANYWHERE);
    after = p->kind == ANYWHERE ? 1 + rng_below(&p->rng, N)
            : p->kind == BESIDE ? before + (rng_below(&p->rng, 2) ? 1 : (uint32_t)-1)
                                : head[before - 1];
    if (after == before || after == 0 || after > N)
        return false;
    for (uint32_t at = after, steps = 0; at > 0 && steps <= N; at = head[at - 1], steps++)
        if (at == n + 1)
            return false;
    head[n] = after;
    return true;
}

/* Gives word n the label, or relation, of another word. */
static bool corrupt_label(struct planting *p, uint32_t *choice, uint32_t N, uint32_t n)
{
    (void)N;
    p->kind = LABEL;
    uint32_t other = p->given[rng_below(&p->rng, (uint32_t)p->review->words)], before = choice[n];
    if (other >= p->options)
        return false;
    choice[n] = other;
    return other != before;
}

/* Plants one error at a random place; false if the place is not suitable. */
static bool plant_one(struct planting *p)
{
    const struct review *r = p->review;
    uint32_t at = rng_below(&p->rng, (uint32_t)r->words), i = r->sentence_of[at], N = words_of(r, i);
    size_t first = r->first[i];
    uint32_t *choice = p->to->choice + first;
    if (p->is_taken[i] || !all_known(p, choice, N))
        return false;
    if (p->corrupt(p, choice, N, (uint32_t)(at - first)) && memcmp(choice, p->given + first, sizeof *choice * N) != 0) {
        p->to->kind[i] = (unsigned char)p->kind;
        return p->is_taken[i] = true;
    }
    memcpy(choice, p->given + first, sizeof *choice * N);
    return false;
}

/* Puts back labels that were decided to be wrong, as far as the model has them; their sentences are taken. */
static void restore_decided(struct planting *p)
{
    const struct review *r = p->review;
    for (size_t w = 0; w < r->words; w++) {
        uint32_t i = r->sentence_of[w], before = r->decided.before[p->layer][w];
        enum decided_state state = decided_state(r, w);
        p->is_taken[i] = p->is_taken[i] || state != DECIDED_NOT;
        if (state != DECIDED_WRONG || before == p->given[w] || before >= p->options)
            continue;
        p->to->choice[w] = before;
        p->to->restored[w] = p->has_own[i] = true;
    }
}

static void note_changes(struct planting *p)
{
    const struct review *r = p->review;
    for (uint32_t i = 0; i < r->sentences; i++) {
        bool some = p->has_own[i];
        for (size_t w = r->first[i]; w < r->first[i + 1]; w++) {
            p->to->changed[w] = p->to->choice[w] != p->given[w] && !p->to->restored[w];
            some = some || p->to->changed[w];
        }
        if (some)
            p->to->sentence[p->to->count++] = i;
    }
}

/* Finds what each word is called in other places: the type of its chunk, or none. */
static bool count_elsewhere(struct planting *p, struct vouch_error *err)
{
    const struct review *r = p->review;
    struct occurrence *occurrence = new_array(r->words + 1, sizeof *occurrence, err);
    p->elsewhere = occurrence ? new_array(r->words + 1, sizeof *p->elsewhere, err) : NULL;
    for (size_t w = 0; p->elsewhere && w < r->words; w++)
        occurrence[w] = (struct occurrence){
            r->form[w], p->given[w] < p->rules->labels ? p->rules->type[p->given[w]] : UINT64_MAX, w};
    bool ok = p->elsewhere &&
              repeats_count(occurrence, r->words, r->options->common.work.threads, p->elsewhere, err);
    free(occurrence);
    return ok;
}

/* Plants so many errors, in turn of each kind; a kind that is hard to place gives its turn to the next. */
static void plant_all(struct planting *p, uint32_t errors)
{
    uint32_t kinds = p->elsewhere ? CHUNK_KINDS : RANDOM_KINDS, failed = 0;
    for (uint64_t tries = 0; p->review->words > 0 && p->made < errors && tries < (uint64_t)TRIES * errors; tries++) {
        bool done = plant_one(p);
        p->made += done;
        failed = done ? 0 : failed + 1;
        if (done || failed == TRIES) {
            p->kind = (p->kind + 1) % kinds;
            failed = 0;
        }
    }
}

/* Copies the given choices, and counts what can be chosen. */
static bool lay_out(struct planting *p, struct vouch_error *err)
{
    const struct review *r = p->review;
    struct planted *to = p->to;
    p->given = new_array(r->words + 1, sizeof *p->given, err);
    to->choice = new_array(r->words + 1, sizeof *to->choice, err);
    to->changed = new_array(r->words + 1, sizeof *to->changed, err);
    to->restored = new_array(r->words + 1, sizeof *to->restored, err);
    to->sentence = new_array((size_t)r->sentences + 1, sizeof *to->sentence, err);
    to->kind = new_array((size_t)r->sentences + 1, sizeof *to->kind, err);
    p->has_own = new_array((size_t)r->sentences + 1, sizeof *p->has_own, err);
    p->is_taken = new_array((size_t)r->sentences + 1, sizeof *p->is_taken, err);
    if (!p->given || !to->choice || !to->changed || !to->restored || !to->sentence || !to->kind || !p->is_taken ||
        !p->has_own)
        return false;
    for (size_t w = 0; w < r->words; w++) {
        p->given[w] = to->choice[w] = r->finding[p->layer][w].given;
        if (p->given[w] != UINT32_MAX && p->given[w] >= p->options)
            p->options = p->given[w] + 1;
    }
    return true;
}

bool plant_errors(struct review *r, uint32_t layer, struct vouch_error *err)
{
    struct planting p = {.review = r,
                         .to = &r->planted[layer],
                         .layer = layer,
                         .rules = layer == 0 ? r->dataset->rules : NULL,
                         .rng = rng_new(r->options->common.work.seed + layer, 1)};
    p.options = chooses_heads(r, layer) ? UINT32_MAX : 0;
    p.corrupt = p.rules ? corrupt_chunk : chooses_heads(r, layer) ? corrupt_arc : corrupt_label;
    bool learns = learns_planted(r);
    uint32_t most = learns ? r->sentences / LARGE_SHARE : r->sentences, enough = learns ? ENOUGH : MANY;
    uint32_t errors = r->sentences / SHARE > enough ? r->sentences / SHARE : enough;
    errors = errors < most ? errors : most;
    bool ok = lay_out(&p, err) && (!p.rules || learn_spelling(&p, err)) &&
              (!p.rules || !r->named || count_elsewhere(&p, err));
    if (ok && r->decided.state)
        restore_decided(&p);
    if (ok) {
        plant_all(&p, errors);
        note_changes(&p);
    }
    free(p.given);
    free(p.elsewhere);
    free(p.is_taken);
    free(p.has_own);
    free(p.spelling);
    free(p.types);
    return ok;
}
