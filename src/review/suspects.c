/*
 * Makes a list of findings, most suspect first.
 *
 * Given and proposed chunks that overlap are one item, so that a moved boundary, another type or a chunk that is
 * missing on one side is one thing to look at.
 *
 * The probability of an error is a function of the odds alone, so that it falls along the list: a curve that is fitted
 * to the list and to the same list of planted errors; or, after decisions, the curve fitted to these (rerank.c). O(n
 * log n).
 */
#include "review/review.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of a list while it is made. */
struct gathering {
    const struct review *review;
    const struct finding *finding[MAX_LAYERS];
    struct suspect *suspect;
    size_t count, capacity;
    uint32_t *choice;
    size_t choice_capacity;
};

/* Whether a person has decided on it: on a word of it; for a sentence, on all words. */
static bool is_known(const struct review *r, size_t first, struct extent span)
{
    uint32_t decided = 0;
    for (uint32_t n = span.from; n < span.to; n++)
        decided += decided_state(r, first + n) != DECIDED_NOT;
    return decided > 0 && (r->level != REVIEW_SENTENCES || decided == span.to - span.from);
}

/* Adds words from .. to - 1 of a sentence. */
static bool add(struct gathering *l, uint32_t sentence, struct extent span, struct vouch_error *err)
{
    size_t first = l->review->first[sentence];
    if (is_known(l->review, first, span))
        return true;
    if (!RESERVE(l->suspect, l->capacity, l->count + 1, err))
        return false;
    struct suspect *s = &l->suspect[l->count++];
    *s = (struct suspect){.sentence = sentence,
                          .from = span.from,
                          .to = span.to,
                          .worst = span.from,
                          .odds = INFINITY,
                          .margin = INFINITY};
    for (uint32_t n = span.from; n < span.to; n++)
        for (uint32_t layer = 0; layer < l->review->layers; layer++) {
            if (decided_state(l->review, first + n) != DECIDED_NOT)
                continue;
            const struct finding *f = &l->finding[layer][first + n];
            s->differs = s->differs || f->given != f->proposed;
            if ((double)f->odds < s->odds || ((double)f->odds == s->odds && (double)f->margin < s->margin)) {
                s->odds = (double)f->odds;
                s->margin = (double)f->margin;
                s->layer = layer;
                s->worst = n;
            }
        }
    return true;
}

/* Finds the next chunk from word `from` on; a label that the model does not have is a chunk by itself. */
static bool next_chunk(const struct span_rules *rules, const uint32_t *choice, uint32_t N, uint32_t from,
                       struct extent *span)
{
    uint32_t unknown = from;
    while (unknown < N && choice[unknown] < rules->labels)
        unknown++;
    if (span_next(rules, choice, unknown, from, span))
        return true;
    *span = (struct extent){unknown, unknown + 1};
    return unknown < N;
}

static bool add_chunks(struct gathering *l, uint32_t i, uint32_t N, struct vouch_error *err)
{
    const struct span_rules *rules = l->review->dataset->rules;
    if (!RESERVE(l->choice, l->choice_capacity, (size_t)N * 2 + 1, err))
        return false;
    uint32_t *choice[2] = {l->choice, l->choice + N}; /* given and proposed */
    for (uint32_t n = 0; n < N; n++) {
        const struct finding *f = &l->finding[0][l->review->first[i] + n];
        choice[0][n] = f->given;
        choice[1][n] = f->proposed;
    }
    struct extent next[2];
    bool more[2];
    for (int c = 0; c < 2; c++)
        more[c] = next_chunk(rules, choice[c], N, 0, &next[c]);
    while (more[0] || more[1]) {
        struct extent all = next[!more[0] || (more[1] && next[1].from < next[0].from)];
        for (bool grows = true; grows;) {
            grows = false;
            for (int c = 0; c < 2; c++)
                while (more[c] && next[c].from < all.to) {
                    all.to = next[c].to > all.to ? next[c].to : all.to;
                    more[c] = next_chunk(rules, choice[c], N, next[c].to, &next[c]);
                    grows = true;
                }
        }
        if (!add(l, i, all, err))
            return false;
    }
    return true;
}

static bool add_sentence(struct gathering *l, uint32_t i, struct vouch_error *err)
{
    uint32_t N = words_of(l->review, i);
    if (l->review->level == REVIEW_CHUNKS)
        return add_chunks(l, i, N, err);
    if (l->review->level == REVIEW_SENTENCES)
        return N == 0 || add(l, i, (struct extent){0, N}, err);
    for (uint32_t n = 0; n < N; n++)
        if (!add(l, i, (struct extent){n, n + 1}, err))
            return false;
    return true;
}

/* Orders by odds, the lowest first; then by margin, the furthest behind first; then as in the corpus. */
static int compare(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    if (x->odds != y->odds)
        return x->odds < y->odds ? -1 : 1;
    if (x->margin != y->margin)
        return x->margin < y->margin ? -1 : 1;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Takes the odds of items that hold a planted error, all layers together. */
static bool rate_planted(struct gathering *l, struct planted_odds *odds, struct vouch_error *err)
{
    const struct review *r = l->review;
    for (uint32_t layer = 0; layer < r->layers; layer++) {
        const struct planted *planted = &r->planted[layer];
        for (uint32_t other = 0; other < r->layers; other++)
            l->finding[other] = other == layer ? r->trial_finding[layer] : r->finding[other];
        for (uint32_t k = 0; k < planted->count; k++) {
            uint32_t sentence = planted->sentence[k];
            const bool *changed = planted->changed + r->first[sentence];
            l->count = 0;
            if (!add_sentence(l, sentence, err))
                return false;
            for (const struct suspect *s = l->suspect; s < l->suspect + l->count; s++)
                if (memchr(changed + s->from, true, s->to - s->from)) {
                    odds->odds[odds->count] = s->odds;
                    odds->kind[odds->count++] = planted->kind[sentence];
                }
        }
    }
    return true;
}

/* Fits the curve to the list and to the list of what was planted. */
static bool fit_curve(struct review *r, struct vouch_error *err)
{
    struct gathering l = {.review = r};
    struct planted_odds planted;
    double *given = new_array(r->suspects + 1, sizeof *given, err);
    bool ok = planted_odds_init(&planted, r->words * r->layers, err) && given && rate_planted(&l, &planted, err);
    for (size_t i = 0; ok && i < r->suspects; i++)
        given[i] = r->suspect[i].odds;
    ok = ok && error_curve_fit(&r->curve, given, r->suspects, &planted, err);
    planted_odds_release(&planted);
    free(given);
    free(l.choice);
    free(l.suspect);
    return ok;
}

bool list_suspects(struct review *r, struct vouch_error *err)
{
    struct gathering l = {.review = r};
    memcpy(l.finding, r->finding, sizeof l.finding);
    bool ok = r->level != REVIEW_CHUNKS || r->dataset->rules ||
              fail(err, VOUCH_ERR_ARGUMENT, "these labels spell no chunks: expected words or sentences");
    for (uint32_t i = 0; ok && i < r->sentences; i++)
        ok = add_sentence(&l, i, err);
    free(l.choice);
    free(r->suspect);
    r->suspect = l.suspect;
    r->suspects = l.count;
    if (ok && l.count)
        qsort(l.suspect, l.count, sizeof *l.suspect, compare);
    ok = ok && (r->decided.state || fit_curve(r, err)); /* with decisions the odds are those of probabilities already */
    for (size_t i = 0; ok && i < r->suspects; i++)
        r->suspect[i].error = error_curve_at(&r->curve, r->suspect[i].odds);
    return ok;
}

bool draw_audit(struct review *r, struct vouch_error *err)
{
    unsigned char *stratum = new_array(r->suspects + 1, sizeof *stratum, err);
    struct suspect *ordered = stratum ? new_array(r->suspects + 1, sizeof *ordered, err) : NULL;
    double expected = 0;
    if (!ordered) {
        free(stratum);
        return false;
    }
    for (size_t i = 0; i < r->suspects; i++)
        expected += r->suspect[i].error;
    r->list.audit = audit_plan(r->suspects, expected, r->options->audit);
    r->list.audit.unit = r->level == REVIEW_SENTENCES ? AUDIT_SENTENCES
                         : r->level == REVIEW_CHUNKS  ? AUDIT_CHUNKS
                                                      : AUDIT_WORDS;
    audit_draw(&r->list.audit, r->options->common.work.seed, r->decided.kept + r->decided.changed, stratum);
    size_t to = 0;
    for (int drawn = 1; drawn >= 0; drawn--)
        for (size_t i = 0; i < r->suspects; i++)
            if ((stratum[i] > 0) == drawn) {
                ordered[to] = r->suspect[i];
                ordered[to++].stratum = stratum[i];
            }
    free(r->suspect);
    r->suspect = ordered;
    free(stratum);
    return true;
}

size_t *suspects_by_sentence(const struct review *r, size_t count, struct vouch_error *err)
{
    size_t *start = new_array((size_t)r->sentences + 1, sizeof *start, err);
    size_t *order = start ? new_array(count + 1, sizeof *order, err) : NULL;
    for (size_t i = 0; order && i < count; i++)
        start[r->suspect[i].sentence + 1]++;
    for (uint32_t i = 0; order && i < r->sentences; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; order && i < count; i++)
        order[start[r->suspect[i].sentence]++] = i;
    free(start);
    return order;
}
