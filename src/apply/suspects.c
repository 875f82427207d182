/*
 * From findings to a list, most suspect first: see review.h.
 *
 * Chunks given and chunks proposed are thrown together where they overlap, so
 * that a moved boundary, another type or a chunk that is missing on one side
 * is one thing to look at. O(n log n).
 */
#include "apply/review.h"

#include <math.h>
#include <stdlib.h>

/* A list being made. */
struct listing {
    const struct review *review;
    const struct subject *subject;
    struct suspect *suspect;
    size_t count, capacity;
    uint32_t *choice;
    size_t choice_capacity;
};

/* Words from .. to - 1 of a sentence whose first word is `first` in the whole corpus. */
static bool add(struct listing *l, uint32_t sentence, size_t first, struct extent span, struct vouch_error *err)
{
    if (!RESERVE(l->suspect, l->capacity, l->count + 1, err))
        return false;
    struct suspect *s = &l->suspect[l->count++];
    *s = (struct suspect){.sentence = sentence,
                          .from = span.from,
                          .to = span.to,
                          .worst = span.from,
                          .trust = INFINITY,
                          .margin = INFINITY};
    double right = 1;
    for (uint32_t n = span.from; n < span.to; n++)
        for (uint32_t layer = 0; layer < l->review->layers; layer++) {
            const struct finding *f = &l->review->finding[layer][first + n];
            right *= 1 - (double)f->error;
            s->differs = s->differs || f->given != f->proposed;
            if ((double)f->trust < s->trust || ((double)f->trust == s->trust && (double)f->margin < s->margin)) {
                s->trust = (double)f->trust;
                s->margin = (double)f->margin;
                s->layer = layer;
                s->worst = n;
            }
        }
    s->error = 1 - right;
    return true;
}

static bool add_words(struct listing *l, uint32_t i, size_t first, uint32_t N, struct vouch_error *err)
{
    for (uint32_t n = 0; n < N; n++)
        if (!add(l, i, first, (struct extent){n, n + 1}, err))
            return false;
    return true;
}

/* The next chunk from word `from` on; what the model does not know is a chunk by itself. */
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

static bool add_chunks(struct listing *l, uint32_t i, size_t first, uint32_t N, struct vouch_error *err)
{
    const struct span_rules *rules = l->subject->rules;
    if (!RESERVE(l->choice, l->choice_capacity, (size_t)N * 2 + 1, err))
        return false;
    uint32_t *given = l->choice, *proposed = l->choice + N;
    for (uint32_t n = 0; n < N; n++) {
        given[n] = l->review->finding[0][first + n].given;
        proposed[n] = l->review->finding[0][first + n].proposed;
    }
    struct extent a, b;
    bool in_a = next_chunk(rules, given, N, 0, &a), in_b = next_chunk(rules, proposed, N, 0, &b);
    while (in_a || in_b) {
        struct extent all = !in_b || (in_a && a.from <= b.from) ? a : b;
        while ((in_a && a.from < all.to) || (in_b && b.from < all.to)) {
            if (in_a && a.from < all.to) {
                all.to = a.to > all.to ? a.to : all.to;
                in_a = next_chunk(rules, given, N, a.to, &a);
            } else {
                all.to = b.to > all.to ? b.to : all.to;
                in_b = next_chunk(rules, proposed, N, b.to, &b);
            }
        }
        if (!add(l, i, first, all, err))
            return false;
    }
    return true;
}

/* The least trusted first, then those furthest behind; then in the order of the corpus. */
static int compare(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    if (x->trust != y->trust)
        return x->trust < y->trust ? -1 : 1;
    if (x->margin != y->margin)
        return x->margin < y->margin ? -1 : 1;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

bool review_list(const struct review *review, const struct held_out *held, enum review_level level,
                 struct suspect **list, size_t *count, struct vouch_error *err)
{
    const struct subject *subject = held->subject;
    struct listing l = {.review = review, .subject = subject};
    uint32_t sentences = held->dev ? subject->layer[0].dev.count : subject->layer[0].examples.count;
    bool ok = level != REVIEW_CHUNKS || subject->rules ||
              fail(err, VOUCH_ERR_ARGUMENT, "these labels spell no chunks: expected words or sentences");
    for (uint32_t i = 0; ok && i < sentences; i++) {
        size_t first = subject->words_before(subject->self, held->dev, i);
        uint32_t N = (uint32_t)(subject->words_before(subject->self, held->dev, i + 1) - first);
        ok = level == REVIEW_WORDS    ? add_words(&l, i, first, N, err)
             : level == REVIEW_CHUNKS ? add_chunks(&l, i, first, N, err)
                                      : N == 0 || add(&l, i, first, (struct extent){0, N}, err);
    }
    free(l.choice);
    if (ok && l.count)
        qsort(l.suspect, l.count, sizeof *l.suspect, compare);
    if (!ok)
        free(l.suspect);
    *list = ok ? l.suspect : NULL;
    *count = ok ? l.count : 0;
    return ok;
}

double review_expect(const struct suspect *list, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += list[i].error;
    return sum;
}
