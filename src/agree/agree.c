/*
 * Takes annotators' answers, measures how far they agree, and asks what a model thinks: see agree.h.
 * Time: O(resamples A^2 units).
 */
#include "agree/agree.h"

#include "answer/answer.h"
#include "core/scheme.h"

#include <math.h>
#include <string.h>

const char *const agreement_level_names[AGREEMENT_LEVELS] = {"words", "spans", "overlap", "heads", "arcs"};
const char *const agreement_measure_names[AGREEMENT_MEASURES] = {"alpha", "kappa", "f1"};

size_t agreement_pairs(const struct agreement *g)
{
    return (size_t)g->annotators * (g->annotators - 1) / 2;
}

void agreement_release(struct agreement *g)
{
    dictionary_release(&g->labels);
    free(g->label);
    free(g->head);
    free(g->first);
    for (int l = 0; l < AGREEMENT_LEVELS; l++) {
        agreement_units_release(&g->units[l]);
        for (size_t pair = 0; g->pair_units[l] && pair < agreement_pairs(g); pair++)
            agreement_units_release(&g->pair_units[l][pair]);
        free(g->pair_units[l]);
        free(g->matches[l]);
    }
    free(g->figure);
    free(g->disagreement);
    for (size_t i = 0; i < g->readings; i++)
        free(g->reading[i]);
    free(g->reading);
    free(g->probability);
}

/* ---- Adding ---- */

bool agreement_add(struct agreement *g, uint32_t N, const struct annotation *by, struct vouch_error *err)
{
    size_t from = g->sentences ? g->first[g->sentences] : 0, A = g->annotators;
    if (!RESERVE(g->first, g->first_capacity, (size_t)g->sentences + 2, err) ||
        !RESERVE(g->label, g->label_capacity, (from + N) * A + 1, err) ||
        !RESERVE(g->head, g->head_capacity, (from + N) * A + 1, err))
        return false;
    g->first[0] = 0;
    for (size_t i = 0; i < N; i++)
        for (size_t a = 0; a < A; a++) {
            size_t at = (from + i) * A + a;
            const struct text *label = by[a].label;
            g->head[at] = by[a].head ? by[a].head[i] : NO_VALUE;
            g->label[at] = 0;
            if (label && label[i].at && !(g->label[at] = dictionary_add(&g->labels, label[i], err)))
                return false;
        }
    g->first[++g->sentences] = from + N;
    return true;
}

uint32_t agreement_words(const struct agreement *g, uint32_t sentence)
{
    return (uint32_t)(g->first[sentence + 1] - g->first[sentence]);
}

size_t agreement_place(const struct agreement *g, uint32_t sentence, uint32_t word, uint32_t a)
{
    return (g->first[sentence] + word) * g->annotators + a;
}

struct text agreement_label(const struct agreement *g, uint32_t sentence, uint32_t word, uint32_t a)
{
    uint32_t id = g->label[agreement_place(g, sentence, word, a)];
    return id ? dictionary_text(&g->labels, id) : text_of("O");
}

/* ---- Figures ---- */

/* Whether all labels spell chunks, and there is one. */
static bool are_chunks(const struct agreement *g)
{
    bool inside = false;
    struct text type;
    for (uint32_t id = 1; id <= g->labels.table.count; id++) {
        char prefix = scheme_split(dictionary_text(&g->labels, id), &type);
        if (!prefix)
            return false;
        inside = inside || prefix != 'O';
    }
    return inside && !g->trees;
}

static bool add_figure(struct agreement *g, struct agreement_figure figure, struct vouch_error *err)
{
    if (!RESERVE(g->figure, g->figure_capacity, g->figures + 1, err))
        return false;
    g->figure[g->figures++] = figure;
    return true;
}

static size_t pair_of(const struct agreement *g, const struct agreement_figure *figure)
{
    size_t pair = figure->b - figure->a - 1;
    for (uint32_t a = 0; a < figure->a; a++)
        pair += g->annotators - a - 1;
    return pair;
}

static const struct agreement_matches *matches_of(const struct agreement *g, const struct agreement_figure *figure)
{
    return g->matches[figure->level] + pair_of(g, figure) * g->sentences;
}

/* Finds the units that a figure is about, and which of their annotators. */
static const struct agreement_units *find_units(const struct agreement *g, const struct agreement_figure *figure,
                                                uint32_t *a, uint32_t *b)
{
    *a = figure->a;
    *b = figure->b;
    if (figure->measure == MEASURE_ALPHA || !g->pair_units[figure->level])
        return &g->units[figure->level];
    *a = 0;
    *b = 1;
    return &g->pair_units[figure->level][pair_of(g, figure)];
}

static double value_of(const struct agreement *g, const struct agreement_figure *figure, const uint32_t *times,
                       double *count)
{
    uint32_t a, b;
    const struct agreement_units *units = find_units(g, figure, &a, &b);
    if (figure->measure == MEASURE_F1)
        return matches_f1(matches_of(g, figure), g->sentences, times);
    return figure->measure == MEASURE_ALPHA ? krippendorff_alpha(units, times, count)
                                            : cohen_kappa(units, a, b, times, count);
}

static uint64_t units_of(const struct agreement *g, const struct agreement_figure *figure)
{
    double spans = 0;
    uint32_t a, b;
    const struct agreement_units *units = find_units(g, figure, &a, &b);
    if (figure->measure != MEASURE_F1)
        return agreement_units_count(units, a, b);
    for (uint32_t s = 0; s < g->sentences; s++)
        spans += matches_of(g, figure)[s].first + matches_of(g, figure)[s].second;
    return (uint64_t)(g->trees ? spans / 2 : spans);
}

/* Lists the figures: of each level first that of all annotators, then those of pairs. */
static bool list_figures(struct agreement *g, struct vouch_error *err)
{
    bool ok = true;
    for (enum agreement_level l = 0; ok && l < AGREEMENT_LEVELS; l++) {
        if (!agreement_has(g, l))
            continue;
        ok = add_figure(g, (struct agreement_figure){.level = l, .measure = MEASURE_ALPHA}, err);
        for (uint32_t a = 0; ok && a < g->annotators; a++)
            for (uint32_t b = a + 1; ok && b < g->annotators; b++)
                ok = add_figure(g, (struct agreement_figure){.level = l, .measure = MEASURE_KAPPA, .a = a, .b = b},
                                err) &&
                     (!g->matches[l] ||
                      add_figure(g, (struct agreement_figure){.level = l, .measure = MEASURE_F1, .a = a, .b = b}, err));
    }
    return ok;
}

/* Measures all figures, and again in every resample. */
static bool measure_figures(struct agreement *g, uint32_t resamples, uint64_t seed, struct vouch_error *err)
{
    uint32_t categories = g->labels.table.count + 1;
    double *count = new_array(2 * (size_t)categories, sizeof *count, err);
    uint32_t *times = new_array(g->sentences, sizeof *times, err);
    double *values = new_array(g->figures * (size_t)resamples, sizeof *values, err);
    bool ok = count && times && values;
    for (size_t f = 0; ok && f < g->figures; f++) {
        g->figure[f].value = value_of(g, &g->figure[f], NULL, count);
        g->figure[f].units = units_of(g, &g->figure[f]);
    }
    for (uint32_t r = 0; ok && r < resamples; r++) {
        resample_sentences(seed, r, g->sentences, times);
        for (size_t f = 0; f < g->figures; f++)
            values[f * resamples + r] = value_of(g, &g->figure[f], times, count);
    }
    for (size_t f = 0; ok && f < g->figures; f++)
        g->figure[f].interval = resampled_interval(values + f * resamples, resamples, 0.95, g->figure[f].value);
    free(count);
    free(times);
    free(values);
    return ok;
}

bool agreement_measure(struct agreement *g, uint32_t resamples, uint64_t seed, struct vouch_error *err)
{
    g->chunks = are_chunks(g);
    return agreement_make_units(g, err) && list_figures(g, err) && measure_figures(g, resamples, seed, err);
}

/* ---- What a model thinks ---- */

/* Returns the probability of what an annotator says of a word; NAN if the model has no such choice. */
static double probability_of(const struct agreement *g, const struct disagreement *d, uint32_t word, uint32_t a,
                             const struct confidences *c)
{
    size_t at = agreement_place(g, d->sentence, word, a);
    struct text label = agreement_label(g, d->sentence, word, a);
    for (uint32_t k = 0; k < c->found[word]; k++) {
        const struct alternative *other = &c->alternative[(size_t)word * c->alternatives + k];
        if (g->trees ? other->head == g->head[at] : text_equal(other->label, label))
            return other->probability;
    }
    return NAN;
}

/* Finds by how much the likeliest reading leads the next of those that differ from it. */
static double lead_of(const struct agreement *g, const struct disagreement *d)
{
    char *const *reading = g->reading + d->readings;
    const double *p = g->probability + d->readings;
    double best = -1, next = 0;
    uint32_t first = 0;
    for (uint32_t a = 0; a < g->annotators; a++)
        if (p[a] > best) {
            best = p[a];
            first = a;
        }
    for (uint32_t a = 0; a < g->annotators && best >= 0; a++)
        if (reading[a] && strcmp(reading[a], reading[first]) != 0 && p[a] > next)
            next = p[a];
    return best < 0 ? NAN : best - next;
}

/* Returns the probability of what an annotator says of all the words: that of the least likely of them. */
static double probability_of_all(const struct agreement *g, const struct disagreement *d, uint32_t a,
                                 const struct confidences *c)
{
    double least = INFINITY;
    for (uint32_t w = d->from; g->reading[d->readings + a] && w < d->to; w++) {
        double p = probability_of(g, d, w, a, c);
        if (isnan(p))
            return NAN;
        least = p < least ? p : least;
    }
    return isinf(least) ? NAN : least;
}

/* Returns the first disagreement in this sentence or a later one. */
static size_t first_in(const struct agreement *g, uint32_t sentence)
{
    size_t low = 0, high = g->disagreements;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (g->disagreement[middle].sentence < sentence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void agreement_think(struct agreement *g, uint32_t sentence, const struct vouch_answer *answer)
{
    const struct confidences *c = answer->confidences;
    if (!c || !c->alternative || answer->N != agreement_words(g, sentence))
        return;
    for (size_t i = first_in(g, sentence); i < g->disagreements && g->disagreement[i].sentence == sentence; i++) {
        struct disagreement *d = &g->disagreement[i];
        for (uint32_t a = 0; a < g->annotators; a++)
            g->probability[d->readings + a] = probability_of_all(g, d, a, c);
        d->lead = lead_of(g, d);
    }
}

static int by_lead(const void *a, const void *b)
{
    const struct disagreement *x = a, *y = b;
    double p = isnan(x->lead) ? -1 : x->lead, q = isnan(y->lead) ? -1 : y->lead;
    if (p != q)
        return p > q ? -1 : 1;
    return (x->readings > y->readings) - (x->readings < y->readings); /* as in the text */
}

void agreement_sort(struct agreement *g)
{
    if (g->disagreements)
        qsort(g->disagreement, g->disagreements, sizeof *g->disagreement, by_lead);
}
