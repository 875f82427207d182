/*
 * Makes a list of findings, most suspect first: see review.h.
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
    const struct dataset *dataset;
    bool sentences; /* sentences are listed */
    struct suspect *suspect;
    size_t count, capacity;
    uint32_t *choice;
    size_t choice_capacity;
};

/* Whether a person has decided on it: on a word of it; for a sentence, on all words. */
static bool is_known(const struct gathering *l, size_t first, struct extent span)
{
    uint32_t decided = 0;
    for (uint32_t n = span.from; n < span.to; n++)
        decided += decided_state(l->review->decided, first + n) != DECIDED_NOT;
    return decided > 0 && (!l->sentences || decided == span.to - span.from);
}

/* Adds words from .. to - 1 of a sentence whose first word is `first` in the whole corpus. */
static bool add(struct gathering *l, uint32_t sentence, size_t first, struct extent span, struct vouch_error *err)
{
    if (is_known(l, first, span))
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
            if (decided_state(l->review->decided, first + n) != DECIDED_NOT)
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

static bool add_words(struct gathering *l, uint32_t i, size_t first, uint32_t N, struct vouch_error *err)
{
    for (uint32_t n = 0; n < N; n++)
        if (!add(l, i, first, (struct extent){n, n + 1}, err))
            return false;
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

static bool add_chunks(struct gathering *l, uint32_t i, size_t first, uint32_t N, struct vouch_error *err)
{
    const struct span_rules *rules = l->dataset->rules;
    if (!RESERVE(l->choice, l->choice_capacity, (size_t)N * 2 + 1, err))
        return false;
    uint32_t *given = l->choice, *proposed = l->choice + N;
    for (uint32_t n = 0; n < N; n++) {
        given[n] = l->finding[0][first + n].given;
        proposed[n] = l->finding[0][first + n].proposed;
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

static bool add_sentence(struct gathering *l, const struct held_out *held, enum review_level level, uint32_t i,
                         struct vouch_error *err)
{
    size_t first = l->dataset->words_before(l->dataset->self, held->dev, i);
    uint32_t N = (uint32_t)(l->dataset->words_before(l->dataset->self, held->dev, i + 1) - first);
    if (level == REVIEW_WORDS)
        return add_words(l, i, first, N, err);
    if (level == REVIEW_CHUNKS)
        return add_chunks(l, i, first, N, err);
    return N == 0 || add(l, i, first, (struct extent){0, N}, err);
}

static bool holds_change(const struct planted *planted, const struct suspect *s, size_t first)
{
    for (uint32_t n = s->from; n < s->to; n++)
        if (planted->changed[first + n])
            return true;
    return false;
}

/* Lists the items that hold a planted error, all layers together. */
static bool list_planted(struct gathering *l, const struct held_out *held, enum review_level level,
                         struct vouch_error *err)
{
    const struct review *review = l->review;
    size_t kept = 0;
    for (uint32_t layer = 0; layer < review->layers; layer++) {
        const struct planted *planted = &review->planted[layer];
        for (uint32_t other = 0; other < review->layers; other++)
            l->finding[other] = other == layer ? review->trial[layer] : review->finding[other];
        for (uint32_t k = 0; k < planted->count; k++) {
            size_t first = l->dataset->words_before(l->dataset->self, held->dev, planted->sentence[k]);
            if (!add_sentence(l, held, level, planted->sentence[k], err))
                return false;
            for (size_t i = kept, end = l->count; i < end; i++)
                if (holds_change(planted, &l->suspect[i], first))
                    l->suspect[kept++] = l->suspect[i];
            l->count = kept;
        }
    }
    return true;
}

static struct rated *rate_all(const struct suspect *suspect, size_t count, struct vouch_error *err)
{
    struct rated *rated = new_array(count + 1, sizeof *rated, err);
    for (size_t i = 0; rated && i < count; i++)
        rated[i] = (struct rated){suspect[i].odds, suspect[i].sentence};
    return rated;
}

/*
 * Fits the curve to the list and to what was planted, and reads every probability off it. With decisions the odds are
 * those of probabilities already.
 */
static bool estimate_errors(struct suspects *list, const struct gathering *planted, struct vouch_error *err)
{
    const struct review *review = planted->review;
    struct rated *given = rate_all(list->item, list->count, err);
    struct rated *wrong = rate_all(planted->suspect, planted->count, err);
    bool ok = given && wrong;
    if (ok && review->decided)
        list->curve = review->curve;
    else
        ok = ok && error_curve_fit(&list->curve, given, list->count, wrong, planted->count, err);
    for (size_t i = 0; ok && i < list->count; i++)
        list->item[i].error = error_curve_at(&list->curve, list->item[i].odds);
    free(given);
    free(wrong);
    return ok;
}

bool review_list(const struct review *review, const struct held_out *held, enum review_level level,
                 struct suspects *list, struct vouch_error *err)
{
    const struct dataset *dataset = held->dataset;
    struct gathering l = {.review = review, .dataset = dataset, .sentences = level == REVIEW_SENTENCES}, planted = l;
    uint32_t sentences = held->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    memcpy(l.finding, review->finding, sizeof l.finding);
    bool ok = level != REVIEW_CHUNKS || dataset->rules ||
              fail(err, VOUCH_ERR_ARGUMENT, "these labels spell no chunks: expected words or sentences");
    for (uint32_t i = 0; ok && i < sentences; i++)
        ok = add_sentence(&l, held, level, i, err);
    *list = (struct suspects){.item = l.suspect, .count = l.count};
    if (ok && l.count)
        qsort(l.suspect, l.count, sizeof *l.suspect, compare);
    ok = ok && list_planted(&planted, held, level, err) && estimate_errors(list, &planted, err);
    free(l.choice);
    free(planted.choice);
    free(planted.suspect);
    return ok;
}

bool review_expect(const struct suspects *list, size_t count, struct expected_errors *expected, struct vouch_error *err)
{
    struct rated *rated = rate_all(list->item, count, err);
    if (rated)
        *expected = error_curve_expect(&list->curve, rated, count);
    free(rated);
    return rated != NULL;
}

void suspects_release(struct suspects *list)
{
    free(list->item);
    *list = (struct suspects){0};
}
