/*
 * Finds what the same words are called around a sentence, and makes features of it: see label_context.h.
 */
#include "task/label_context.h"

#include <string.h>

enum { PLACES = 2 * CONTEXT_REACH + 1 };

/* Numbers the types of the labels from 0 on, in the order of the labels. */
static void number_types(struct label_context *c, const struct span_rules *rules)
{
    for (uint32_t y = 0; y < c->labels; y++) {
        uint32_t first = rules->labels ? rules->type[y] : y;
        c->type[y] = first == c->labels ? UINT32_MAX : first < y ? c->type[first] : c->types++;
    }
    for (uint32_t y = 0; y < c->labels; y++)
        c->type[y] = c->type[y] == UINT32_MAX ? c->types : c->type[y];
}

bool label_context_init(struct label_context *c, uint32_t sentences, const struct tag_labels *labels,
                        struct vouch_error *err)
{
    struct span_rules rules = {0};
    *c = (struct label_context){.sentences = sentences, .labels = labels_count(labels)};
    c->type = new_array(c->labels, sizeof *c->type, err);
    bool ok = c->type && labels_span_rules(labels, &rules, err);
    if (ok)
        number_types(c, &rules);
    span_rules_release(&rules);
    ok = ok && (c->feature = new_array(label_context_features(c), sizeof *c->feature, err));
    return ok;
}

void label_context_release(struct label_context *c)
{
    free(c->type);
    free(c->feature);
    *c = (struct label_context){0};
}

static uint32_t values(const struct label_context *c)
{
    return 1 + 3 * c->types;
}

uint32_t label_context_features(const struct label_context *c)
{
    return c->sentences ? PLACES * values(c) : 0;
}

void context_work_release(struct context_work *work)
{
    free(work->slot);
    free(work->word);
    free(work->times);
    free(work->value);
    *work = (struct context_work){0};
}

static uint32_t lower_case(const struct first_answer *a, uint32_t n)
{
    return a->word[(size_t)n * a->stride];
}

/* Returns where a word is noted, or where it would be; `slots` is a power of two. */
static uint32_t slot_of(const struct context_work *w, const struct first_answer *own, size_t slots, uint32_t word)
{
    size_t at = (word * UINT32_C(0x9E3779B1)) & (slots - 1);
    while (w->slot[at] && lower_case(own, w->slot[at] - 1) != word)
        at = (at + 1) & (slots - 1);
    return (uint32_t)at;
}

/* Numbers the words of a sentence by their first place. */
static size_t note_words(struct context_work *w, const struct label_context *c, const struct first_answer *own,
                         struct vouch_error *err)
{
    size_t slots = 16, row = (size_t)c->types + 1;
    while (slots < 2 * (size_t)own->N)
        slots *= 2;
    if (!RESERVE(w->slot, w->slot_capacity, slots, err) || !RESERVE(w->word, w->word_capacity, own->N + 1, err) ||
        !RESERVE(w->value, w->value_capacity, own->N + 1, err) ||
        !RESERVE(w->times, w->times_capacity, own->N * row + 1, err))
        return 0;
    memset(w->slot, 0, slots * sizeof *w->slot);
    memset(w->times, 0, own->N * row * sizeof *w->times);
    for (uint32_t n = 0; n < own->N; n++) {
        uint32_t at = slot_of(w, own, slots, lower_case(own, n));
        if (!w->slot[at])
            w->slot[at] = n + 1;
        w->word[n] = w->slot[at] - 1;
    }
    return slots;
}

/* Counts the words of another sentence that are in this one. */
static void count_words(struct context_work *w, const struct label_context *c, const struct first_answer *own,
                        size_t slots, const struct first_answer *other)
{
    for (uint32_t n = 0; n < other->N; n++) {
        uint32_t first = w->slot[slot_of(w, own, slots, lower_case(other, n))];
        if (first)
            w->times[(size_t)(first - 1) * (c->types + 1) + c->type[other->label[n]]]++;
    }
}

/* Returns v of a word, by how often it is in each type; V if it is nowhere. */
static uint32_t value_of(const struct label_context *c, const uint32_t *times)
{
    uint32_t all = 0, inside = 0, top = 0;
    for (uint32_t t = 0; t <= c->types; t++) {
        all += times[t];
        inside += t < c->types ? times[t] : 0;
        top = t < c->types && times[t] > times[top] ? t : top;
    }
    if (all == 0)
        return values(c);
    return inside == 0 ? 0 : 1 + 3 * top + (inside == all ? 2 : 2 * inside >= all);
}

/* Writes the features of word n. */
static void write_features(const struct label_context *c, const uint32_t *value, uint32_t n, struct further_rows *rows)
{
    uint32_t V = values(c), count = rows->start[n];
    for (uint32_t place = 0; place < PLACES; place++) {
        int64_t at = (int64_t)n + place - CONTEXT_REACH;
        uint32_t v = at >= 0 && at < rows->N ? value[at] : V, f = v < V ? c->feature[place * V + v] : NO_FEATURE;
        if (f != NO_FEATURE)
            rows->feature[count++] = f;
    }
    rows->start[n + 1] = count;
}

bool label_context_run(const struct label_context *c, const struct first_answer *around, uint32_t count, uint32_t own,
                       struct context_work *w, struct further_rows *rows, struct vouch_error *err)
{
    const struct first_answer *self = &around[own];
    size_t slots = note_words(w, c, self, err);
    if (!slots || !RESERVE(rows->start, rows->start_capacity, (size_t)self->N + 1, err) ||
        !RESERVE(rows->feature, rows->feature_capacity, (size_t)self->N * PLACES + 1, err))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (i != own && around[i].document == self->document)
            count_words(w, c, self, slots, &around[i]);
    for (uint32_t n = 0; n < self->N; n++)
        w->value[n] = value_of(c, w->times + (size_t)w->word[n] * (c->types + 1));
    rows->N = self->N;
    rows->start[0] = 0;
    for (uint32_t n = 0; n < self->N; n++)
        write_features(c, w->value, n, rows);
    return true;
}

bool join_rows(struct joined_rows *joined, const struct further_rows *further, struct rows *node,
               struct vouch_error *err)
{
    size_t features = (size_t)node->start[node->count] + further->start[node->count], count = 0;
    if (!RESERVE(joined->start, joined->start_capacity, (size_t)node->count + 1, err) ||
        !RESERVE(joined->feature, joined->feature_capacity, features + 1, err) ||
        (node->value && !RESERVE(joined->value, joined->value_capacity, features + 1, err)))
        return false;
    joined->start[0] = 0;
    for (uint32_t n = 0; n < node->count; n++) {
        for (uint32_t i = node->start[n]; i < node->start[n + 1]; i++, count++) {
            joined->feature[count] = node->feature[i];
            if (node->value)
                joined->value[count] = node->value[i];
        }
        for (uint32_t i = further->start[n]; i < further->start[n + 1]; i++, count++) {
            joined->feature[count] = further->feature[i];
            if (node->value)
                joined->value[count] = 1;
        }
        joined->start[n + 1] = (uint32_t)count;
    }
    *node = (struct rows){node->count, joined->start, joined->feature, node->value ? joined->value : NULL};
    return true;
}

void joined_rows_release(struct joined_rows *joined)
{
    free(joined->start);
    free(joined->feature);
    free(joined->value);
    *joined = (struct joined_rows){0};
}
