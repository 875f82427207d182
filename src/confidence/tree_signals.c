/* Measures how an arc fits into its tree: see tree_signals.h. */
#include "confidence/tree_signals.h"

#include "fit/logistic.h"
#include "core/exp_log.h"

#include <math.h>

#define LEAST 1e-9 /* the probability of a rival that has none */

/* Finds the likeliest head of word n other than its own; *p becomes its probability. */
static uint32_t find_rival(const struct workspace *s, uint32_t n, double *p)
{
    const struct evidence *e = &s->evidence[0];
    uint32_t rival = 0;
    *p = -1;
    for (uint32_t y = 0; y < e->options; y++)
        if (y != s->choice[n] && y != n + 1 && evidence_marginal(e, n, y) > *p) {
            *p = evidence_marginal(e, n, y);
            rival = y;
        }
    return rival;
}

/* Whether two arcs cross: of their four ends, in order, every other one is the same arc's. */
static bool cross(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t from = a < b ? a : b, to = a < b ? b : a, low = c < d ? c : d, high = c < d ? d : c;
    return (from < low && low < to && to < high) || (low < from && from < high && high < to);
}

static double odds_of(struct column odds, uint32_t n)
{
    return odds.first[n * odds.stride];
}

/*
 * Adds the arc's length, the number of arcs that it crosses, and how sure the arcs beside it are: of the head, of
 * dependents, of siblings.
 */
static double *look_around(const struct workspace *s, uint32_t n, struct column odds, double *x)
{
    uint32_t head = s->choice[n], crossed = 0, dependents = 0;
    double surest = fine_log_odds(1), dependent = surest, sibling = surest;
    for (uint32_t m = 0; m < s->N; m++) {
        crossed += cross(head, n + 1, s->choice[m], m + 1);
        if (s->choice[m] == n + 1) {
            dependents++;
            dependent = fmin(dependent, odds_of(odds, m));
        } else if (m != n && s->choice[m] == head)
            sibling = fmin(sibling, odds_of(odds, m));
    }
    *x++ = head ? (double)head - (double)(n + 1) : 0;
    *x++ = crossed;
    *x++ = head ? odds_of(odds, head - 1) : surest;
    *x++ = dependents;
    *x++ = dependent;
    *x++ = sibling;
    return x;
}

/* What is looked up for a word: the contexts of its arc, and of the arc to its likeliest other head. */
struct lookup {
    uint32_t rival;
    double p; /* of the rival */
    struct context_hashes own, other;
};

static void begin(const struct workspace *s, uint32_t n, struct lookup *lookup)
{
    struct lexicon_answer answer = {s->names, s->N, s->choice, NULL};
    lookup->rival = find_rival(s, n, &lookup->p);
    lexicon_find_contexts(s->voice_set->lexicon, &answer, n, s->choice[n], &lookup->own);
    lexicon_find_contexts(s->voice_set->lexicon, &answer, n, lookup->rival, &lookup->other);
}

static void tell(const struct workspace *s, uint32_t n, const struct lookup *lookup, struct column odds, double *x)
{
    struct context_signals own = lexicon_contexts(s->voice_set->lexicon, &lookup->own);
    struct context_signals other = lexicon_contexts(s->voice_set->lexicon, &lookup->other);
    x = look_around(s, n, odds, x);
    *x++ = fine_log_odds(fmax(lookup->p, LEAST));
    *x++ = lookup->rival ? (double)lookup->rival - (double)s->choice[n] : 0;
    x[0] = 1.0 + own.times[CONTEXT_GRANDPARENT];
    x[1] = 1.0 + own.times[CONTEXT_LEMMA];
    x[2] = 1.0 + own.times[CONTEXT_WORD_GRANDPARENT];
    for (uint32_t c = 0; c < TREE_CONTEXTS; c++) {
        x[TREE_SEEN + 2 * c] = own.odds[c];
        x[TREE_SEEN + 2 * c + 1] = other.odds[c];
    }
    log_all(x, TREE_SEEN + 2 * TREE_CONTEXTS);
}

void tree_signals(const struct workspace *s, struct column odds, double *signal)
{
    struct lookup lookup[2]; /* of this word, and of the next: memory is slow */
    for (uint32_t n = 0; n <= s->N; n++) {
        if (n < s->N)
            begin(s, n, &lookup[n % 2]);
        if (n > 0)
            tell(s, n - 1, &lookup[(n - 1) % 2], odds, signal + (n - 1) * odds.stride);
    }
}
