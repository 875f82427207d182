/*
 * Makes units of what annotators said, finds what matches, and lists what they differ in: see agree.h.
 *
 * Chance agreement on spans cannot be had from the text: unmarked extents have no number. The units of
 * spans are therefore those that an annotator marked, as annotation tools count them; kappa and alpha of them are lower
 * than those of words, where all O count, and may be below 0. F1 has no chance in it. Of heads, categories are
 * distances: numbers of words would have no meaning from one sentence to the next.
 *
 * Words that an annotator left open are compared with nothing. A span that has one of them, or is beside one, might be
 * longer or shorter: it is left out for this annotator, and for F1 with him.
 *
 * Spans of a sentence are compared with each other: O((A spans)^2).
 */
#include "agree/agree.h"

#include "core/scheme.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whether an annotator said nothing of a word. */
static bool is_open(const struct agreement *g, uint32_t sentence, uint32_t word, uint32_t a)
{
    size_t at = agreement_place(g, sentence, word, a);
    return g->trees ? g->head[at] == NO_VALUE : g->label[at] == 0;
}

static bool any_open(const struct agreement *g, uint32_t sentence, uint32_t from, uint32_t to, uint32_t a)
{
    for (uint32_t i = from; i < to; i++)
        if (is_open(g, sentence, i, a))
            return true;
    return false;
}

/* Whether a span could have these words, or more of them: one of them, or a neighbour, is open. */
static bool is_unsure(const struct agreement *g, uint32_t sentence, uint32_t from, uint32_t to, uint32_t a)
{
    return any_open(g, sentence, from - (from > 0), to + (to < agreement_words(g, sentence)), a);
}

/* ---- The sentence at hand ---- */

struct annotators_span {
    uint32_t from, to, annotator, type; /* `type`: a number of the dictionary */
};

struct measuring {
    struct agreement *g;
    struct text *label; /* [N] of one annotator */
    char *prefix;       /* [A][N] as IOB2 */
    struct annotators_span *span; /* [spans] of all annotators, by their beginning */
    size_t spans, label_capacity, prefix_capacity, span_capacity;
    struct annotators_span *pick; /* [picked] those of some annotators, picker[k], who are numbered k there */
    size_t picked, pick_capacity;
    uint32_t picker[MOST_ANNOTATORS], pickers;
    struct buffer room;
};

static void measuring_release(struct measuring *m)
{
    free(m->label);
    free(m->prefix);
    free(m->span);
    free(m->pick);
    free(m->room.bytes);
}

/* Returns the number of a printed name; 0 with the error set. */
static uint32_t number_of(struct measuring *m, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    m->room.length = 0;
    va_start(args, format);
    bool ok = buffer_print_list(&m->room, err, format, args);
    va_end(args);
    return ok ? dictionary_add(&m->g->labels, buffer_text(&m->room), err) : 0;
}

static int by_beginning(const void *a, const void *b)
{
    const struct annotators_span *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->annotator != y->annotator)
        return x->annotator < y->annotator ? -1 : 1;
    return (x->type > y->type) - (x->type < y->type);
}

/* Finds the chunks of an annotator, and how they are spelled in IOB2; what was left open is outside. */
static bool find_chunks(struct measuring *m, uint32_t sentence, uint32_t a, struct vouch_error *err)
{
    struct agreement *g = m->g;
    uint32_t N = agreement_words(g, sentence), to;
    char *prefix = m->prefix + (size_t)a * N;
    for (uint32_t i = 0; i < N; i++)
        m->label[i] = agreement_label(g, sentence, i, a);
    scheme_convert(m->label, N, SCHEME_IOB2, prefix);
    for (uint32_t from = 0; from < N; from = to) {
        to = from + 1;
        if (prefix[from] != 'B')
            continue;
        while (to < N && prefix[to] == 'I')
            to++;
        struct text type;
        if (is_unsure(g, sentence, from, to, a))
            continue;
        scheme_split(m->label[from], &type);
        uint32_t id = number_of(m, err, "%.*s", (int)type.length, type.at);
        if (!id || !RESERVE(m->span, m->span_capacity, m->spans + 1, err))
            return false;
        for (uint32_t i = 0; i < N; i++) /* the dictionary may have moved */
            m->label[i] = agreement_label(g, sentence, i, a);
        m->span[m->spans++] = (struct annotators_span){from, to, a, id};
    }
    return true;
}

static bool look_at_sentence(struct measuring *m, uint32_t sentence, struct vouch_error *err)
{
    uint32_t N = agreement_words(m->g, sentence), A = m->g->annotators;
    m->spans = 0;
    if (!m->g->chunks)
        return true;
    if (!RESERVE(m->label, m->label_capacity, (size_t)N + 1, err) ||
        !RESERVE(m->prefix, m->prefix_capacity, (size_t)N * A + 1, err))
        return false;
    for (uint32_t a = 0; a < A; a++)
        if (!find_chunks(m, sentence, a, err))
            return false;
    if (m->spans)
        qsort(m->span, m->spans, sizeof *m->span, by_beginning);
    return true;
}

/* ---- Units ---- */

/* The category of a word: its label, in IOB2 if it is one of chunks; or its distance to the head, and the relation. */
static bool category_of(struct measuring *m, enum agreement_level level, uint32_t sentence, uint32_t word, uint32_t a,
                        uint32_t *category, struct vouch_error *err)
{
    struct agreement *g = m->g;
    size_t at = agreement_place(g, sentence, word, a);
    struct text label = agreement_label(g, sentence, word, a), type;
    *category = g->label[at];
    if (is_open(g, sentence, word, a)) {
        *category = NO_VALUE;
        return true;
    }
    if (g->trees) {
        int64_t distance = (int64_t)g->head[at] - (word + 1);
        bool arc = level == LEVEL_ARCS, root = g->head[at] == 0;
        if (root)
            *category = number_of(m, err, "root%s%.*s", arc ? ":" : "", arc ? (int)label.length : 0, label.at);
        else
            *category = number_of(m, err, "%" PRId64 "%s%.*s", distance, arc ? ":" : "", arc ? (int)label.length : 0,
                                  label.at);
    } else if (g->chunks) {
        char prefix = m->prefix[(size_t)a * agreement_words(g, sentence) + word];
        scheme_split(label, &type);
        *category = prefix == 'O' ? number_of(m, err, "O")
                                  : number_of(m, err, "%c-%.*s", prefix, (int)type.length, type.at);
    }
    return *category != 0;
}

static bool add_words(struct measuring *m, enum agreement_level level, uint32_t sentence, struct vouch_error *err)
{
    struct agreement *g = m->g;
    for (uint32_t i = 0; i < agreement_words(g, sentence); i++) {
        uint32_t *value = agreement_units_add(&g->units[level], sentence, err);
        for (uint32_t a = 0; value && a < g->annotators; a++)
            if (!category_of(m, level, sentence, i, a, &value[a], err))
                return false;
        if (!value)
            return false;
    }
    return true;
}

/* Takes the spans of some annotators, all or two: units of a pair must not depend on the others. */
static bool pick(struct measuring *m, const uint32_t *who, uint32_t count, struct vouch_error *err)
{
    m->pickers = count;
    m->picked = 0;
    memcpy(m->picker, who, count * sizeof *who);
    if (!RESERVE(m->pick, m->pick_capacity, m->spans + 1, err))
        return false;
    for (size_t s = 0; s < m->spans; s++)
        for (uint32_t k = 0; k < count; k++)
            if (m->span[s].annotator == who[k]) {
                m->pick[m->picked] = m->span[s];
                m->pick[m->picked++].annotator = k;
            }
    return true;
}

/* Adds a unit of words from .. to - 1: nothing is marked there at first, or nothing is known. */
static uint32_t *add_unit(const struct measuring *m, struct agreement_units *units, uint32_t sentence, uint32_t from,
                          uint32_t to, struct vouch_error *err)
{
    uint32_t *value = agreement_units_add(units, sentence, err);
    for (uint32_t k = 0; value && k < m->pickers; k++)
        value[k] = is_unsure(m->g, sentence, from, to, m->picker[k]) ? NO_VALUE : 0;
    return value;
}

/* Adds a unit for each extent that was marked. */
static bool add_extents(struct measuring *m, struct agreement_units *units, uint32_t sentence, struct vouch_error *err)
{
    uint32_t *value = NULL;
    for (size_t s = 0; s < m->picked; s++) {
        const struct annotators_span *span = &m->pick[s];
        if ((s == 0 || span->from != span[-1].from || span->to != span[-1].to) &&
            !(value = add_unit(m, units, sentence, span->from, span->to, err)))
            return false;
        if (value[span->annotator] != NO_VALUE)
            value[span->annotator] = span->type;
    }
    return true;
}

/* Returns the end of the spans from `first` on that hang together by overlapping; *to is the end of their words. */
static size_t end_of_cluster(const struct annotators_span *span, size_t spans, size_t first, uint32_t *to)
{
    size_t last = first;
    *to = span[first].to;
    while (last + 1 < spans && span[last + 1].from < *to) {
        last++;
        if (span[last].to > *to)
            *to = span[last].to;
    }
    return last + 1;
}

/* Adds a unit for each cluster; an annotator with several spans in it has their types, in order. */
static bool add_clusters(struct measuring *m, struct agreement_units *units, uint32_t sentence, struct vouch_error *err)
{
    struct agreement *g = m->g;
    uint32_t to;
    for (size_t first = 0, end; first < m->picked; first = end) {
        end = end_of_cluster(m->pick, m->picked, first, &to);
        uint32_t *value = add_unit(m, units, sentence, m->pick[first].from, to, err);
        if (!value)
            return false;
        for (size_t s = first; s < end; s++) {
            uint32_t *of = &value[m->pick[s].annotator];
            struct text before = dictionary_text(&g->labels, *of), type = dictionary_text(&g->labels, m->pick[s].type);
            if (*of == NO_VALUE)
                continue;
            *of = *of == 0 ? m->pick[s].type
                           : number_of(m, err, "%.*s+%.*s", (int)before.length, before.at, (int)type.length, type.at);
            if (!*of)
                return false;
        }
    }
    return true;
}

/* Adds the units of spans, of all annotators and of each pair. */
static bool add_spans(struct measuring *m, enum agreement_level level, uint32_t sentence, struct vouch_error *err)
{
    struct agreement *g = m->g;
    bool (*add)(struct measuring *, struct agreement_units *, uint32_t, struct vouch_error *) =
        level == LEVEL_SPANS ? add_extents : add_clusters;
    uint32_t who[MOST_ANNOTATORS];
    for (uint32_t a = 0; a < g->annotators; a++)
        who[a] = a;
    bool ok = pick(m, who, g->annotators, err) && add(m, &g->units[level], sentence, err);
    size_t pair = 0;
    for (uint32_t a = 0; ok && a < g->annotators; a++)
        for (uint32_t b = a + 1; ok && b < g->annotators; b++)
            ok = pick(m, (uint32_t[]){a, b}, 2, err) && add(m, &g->pair_units[level][pair++], sentence, err);
    return ok;
}

/* ---- Matches of pairs ---- */

/* Whether annotator `by` has a span like this one: the same words, or with `overlap` one of them, and type. */
static bool has_span(const struct measuring *m, const struct annotators_span *span, uint32_t by, bool overlap)
{
    for (size_t s = 0; s < m->spans; s++) {
        const struct annotators_span *other = &m->span[s];
        bool same = overlap ? other->from < span->to && span->from < other->to
                            : other->from == span->from && other->to == span->to;
        if (other->annotator == by && same && other->type == span->type)
            return true;
    }
    return false;
}

static void match_spans(const struct measuring *m, uint32_t sentence, uint32_t a, uint32_t b, bool overlap,
                        struct agreement_matches *into)
{
    for (size_t s = 0; s < m->spans; s++) {
        const struct annotators_span *span = &m->span[s];
        bool first = span->annotator == a;
        if ((!first && span->annotator != b) || is_unsure(m->g, sentence, span->from, span->to, first ? b : a))
            continue;
        *(first ? &into->first : &into->second) += 1;
        *(first ? &into->first_found : &into->second_found) += has_span(m, span, first ? b : a, overlap);
    }
}

static void match_arcs(const struct agreement *g, uint32_t sentence, uint32_t a, uint32_t b, bool labelled,
                       struct agreement_matches *into)
{
    for (uint32_t i = 0; i < agreement_words(g, sentence); i++) {
        size_t x = agreement_place(g, sentence, i, a), y = agreement_place(g, sentence, i, b);
        if (g->head[x] == NO_VALUE || g->head[y] == NO_VALUE)
            continue;
        bool same = g->head[x] == g->head[y] && (!labelled || g->label[x] == g->label[y]);
        into->first += 1;
        into->second += 1;
        into->first_found += same;
        into->second_found += same;
    }
}

static void match_pairs(struct measuring *m, enum agreement_level level, uint32_t sentence)
{
    struct agreement *g = m->g;
    size_t pair = 0;
    for (uint32_t a = 0; a < g->annotators; a++)
        for (uint32_t b = a + 1; b < g->annotators; b++, pair++) {
            struct agreement_matches *into = &g->matches[level][pair * g->sentences + sentence];
            if (g->trees)
                match_arcs(g, sentence, a, b, level == LEVEL_ARCS, into);
            else
                match_spans(m, sentence, a, b, level == LEVEL_OVERLAP, into);
        }
}

/* ---- What differs ---- */

/* Says what an annotator thinks of words from .. to - 1: *reading is to be freed, and NULL if that is nothing. */
static bool spell_reading(struct measuring *m, uint32_t sentence, uint32_t from, uint32_t to, uint32_t a,
                          char **reading, struct vouch_error *err)
{
    struct agreement *g = m->g;
    struct buffer *room = &m->room;
    bool ok = true;
    *reading = NULL;
    room->length = 0;
    if (any_open(g, sentence, from, to, a))
        return true;
    for (uint32_t i = from; ok && i < to; i++) {
        struct text label = agreement_label(g, sentence, i, a);
        if (g->trees && !g->label[agreement_place(g, sentence, i, a)])
            label.length = 0;
        ok = (i == from || buffer_put(room, ' ', err)) &&
             (!g->trees || buffer_print(room, err, "%" PRIu32 "%s", g->head[agreement_place(g, sentence, i, a)],
                                        label.length ? ":" : "")) &&
             buffer_add(room, label, err);
    }
    *reading = ok ? new_string(buffer_text(room).at, room->length, err) : NULL;
    return *reading != NULL;
}

/* Adds words to the list, if annotators differ there. */
static bool add_disagreement(struct measuring *m, uint32_t sentence, uint32_t from, uint32_t to,
                             struct vouch_error *err)
{
    struct agreement *g = m->g;
    size_t A = g->annotators, at = g->readings;
    const char *first = NULL;
    bool differ = false;
    if (!RESERVE(g->reading, g->reading_capacity, at + A, err) ||
        !RESERVE(g->probability, g->probability_capacity, at + A, err) ||
        !RESERVE(g->disagreement, g->disagreement_capacity, g->disagreements + 1, err))
        return false;
    for (uint32_t a = 0; a < A; a++, g->readings++) {
        if (!spell_reading(m, sentence, from, to, a, &g->reading[at + a], err))
            return false;
        const char *reading = g->reading[at + a];
        g->probability[at + a] = NAN;
        differ = differ || (first && reading && strcmp(first, reading) != 0);
        first = first ? first : reading;
    }
    if (differ)
        g->disagreement[g->disagreements++] = (struct disagreement){sentence, from, to, NAN, at};
    while (!differ && g->readings > at)
        free(g->reading[--g->readings]);
    return true;
}

/* Finds what differs: in chunks what overlaps is one thing. */
static bool find_disagreements(struct measuring *m, uint32_t sentence, struct vouch_error *err)
{
    uint32_t to;
    if (m->g->chunks) {
        for (size_t first = 0, end; first < m->spans; first = end) {
            end = end_of_cluster(m->span, m->spans, first, &to);
            if (!add_disagreement(m, sentence, m->span[first].from, to, err))
                return false;
        }
        return true;
    }
    for (uint32_t i = 0; i < agreement_words(m->g, sentence); i++)
        if (!add_disagreement(m, sentence, i, i + 1, err))
            return false;
    return true;
}

/* ---- All of it ---- */

bool agreement_has(const struct agreement *g, enum agreement_level level)
{
    if (g->trees)
        return level == LEVEL_HEADS || level == LEVEL_ARCS;
    return level == LEVEL_WORDS || (g->chunks && level <= LEVEL_OVERLAP);
}

static bool is_of_spans(enum agreement_level level)
{
    return level == LEVEL_SPANS || level == LEVEL_OVERLAP;
}

static bool make_room(struct agreement *g, enum agreement_level level, struct vouch_error *err)
{
    g->units[level].annotators = g->annotators;
    if (!agreement_has(g, level) || level == LEVEL_WORDS)
        return true;
    g->matches[level] = new_array(agreement_pairs(g) * g->sentences, sizeof **g->matches, err);
    if (!g->matches[level] || !is_of_spans(level))
        return g->matches[level] != NULL;
    g->pair_units[level] = new_array(agreement_pairs(g), sizeof **g->pair_units, err);
    for (size_t pair = 0; g->pair_units[level] && pair < agreement_pairs(g); pair++)
        g->pair_units[level][pair].annotators = 2;
    return g->pair_units[level] != NULL;
}

/* Makes the units and matches of all levels, and the list of what differs. */
static bool make_units(struct measuring *m, struct vouch_error *err)
{
    struct agreement *g = m->g;
    for (enum agreement_level l = 0; l < AGREEMENT_LEVELS; l++)
        if (!make_room(g, l, err))
            return false;
    for (uint32_t s = 0; s < g->sentences; s++) {
        if (!look_at_sentence(m, s, err) || !find_disagreements(m, s, err))
            return false;
        for (enum agreement_level l = 0; l < AGREEMENT_LEVELS; l++) {
            if (agreement_has(g, l) && !(is_of_spans(l) ? add_spans(m, l, s, err) : add_words(m, l, s, err)))
                return false;
            if (g->matches[l])
                match_pairs(m, l, s);
        }
    }
    for (enum agreement_level l = 0; l < AGREEMENT_LEVELS; l++) {
        g->units[l].categories = g->labels.table.count + 1;
        for (size_t pair = 0; g->pair_units[l] && pair < agreement_pairs(g); pair++)
            g->pair_units[l][pair].categories = g->labels.table.count + 1;
    }
    return true;
}

bool agreement_make_units(struct agreement *g, struct vouch_error *err)
{
    struct measuring m = {.g = g};
    bool ok = make_units(&m, err);
    measuring_release(&m);
    return ok;
}
