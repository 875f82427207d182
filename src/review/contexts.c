/*
 * Doubts words that have the same label in all of their places, by the contexts of these.
 *
 * A name that is always labelled wrongly confirms its own label: every model has learned the error from the name's
 * other places. But the words around it were learned from other names as well. So each sentence is judged once more
 * without the features that a word owns, those of which more than half of all occurrences are at that word: the word
 * itself, its beginning, or a neighbour that only it has. The features that are left are its context, such as "said"
 * behind it, a frequent ending or a capital letter. They give each type a probability.
 *
 * One place tells little; all of them together tell much. Let n places of a word have type g, and let p_i(t) be the
 * probability of type t in place i. Then
 *
 *     lead = sum over i of log(p_i(g) + 1/20)  -  the largest such sum for another type
 *
 * is how far the contexts support the given type. Where it is below -n, the odds of each place are at most
 *
 *     10 + 2 lead.
 *
 * The twentieth limits the weight of a single place. The limit of one unit a place keeps many places that tell nothing,
 * such as those of a word that owns all of its features, from adding up. The two other numbers say when a word as a
 * whole is more suspect than any of its places alone. They were chosen on planted errors (docs/MEASUREMENTS.md), as
 * were the rules that n is at least 3, and that at least three in ten of all places of the word have this type: "of" in
 * a name is rare and right.
 *
 * It is done if it is asked for (--names): what it adds in the case of such names it takes from the order of real
 * errors, of which few are of that kind (docs/MEASUREMENTS.md).
 *
 * Vectors of words stay: with --vectors, a name that has one can still confirm its label.
 *
 * Errors that are planted in the copy are judged by the probabilities of the corpus itself, since these depend on the
 * words around them, of which few are planted. All this is done where most words are outside of chunks, as with names.
 * Parts of speech and base phrases follow from words such as "of" and "up" far more than from their neighbours.
 *
 * O(features of all words), one more pass with marginals, and O(words log words + words * types).
 */
#include "base/elementary.h"
#include "review/review.h"

#include <math.h>
#include <string.h>

enum { LEAST_PLACES = 3 };
static const double least_share = 0.3, may_be_wrong = 0.05, least_each = 1, highest = 10, times_lead = 2;

void contexts_release(struct contexts *c)
{
    free(c->owner);
    free(c->type_of);
    free(c->label_of);
    free(c->probability);
    *c = (struct contexts){0};
}

/* How often a feature occurs: in all, and at the word that may own it. */
struct feature_use {
    uint32_t form, lead, own, all; /* lead: occurrences at `form` that no other word has made up for so far */
};

/* Counts a feature of a word: first finds the one word that can have more than half (Boyer and Moore), then checks. */
static void count_use(struct feature_use *use, uint32_t form, bool checks)
{
    if (checks) {
        use->all++;
        use->own += use->form == form;
        return;
    }
    if (use->lead == 0)
        use->form = form;
    use->lead += use->form == form ? 1 : (uint32_t)-1;
}

static bool count_uses(const struct review *r, struct feature_use *use, bool checks, struct vouch_error *err)
{
    const struct examples *examples = &r->dataset->layer[0].examples;
    struct scratch scratch = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->sentences; i++) {
        struct example example;
        ok = examples->get(examples->self, i, &scratch, &example, err);
        const struct rows *node = &example.parts.node;
        for (uint32_t n = 0; ok && n < example.parts.N; n++)
            for (uint32_t k = node->start[n]; k < node->start[n + 1]; k++)
                count_use(&use[node->feature[k]], r->form[r->first[i] + n], checks);
    }
    scratch_release(&scratch);
    return ok;
}

static bool find_owners(struct review *r, struct vouch_error *err)
{
    uint32_t features = r->dataset->layer[0].examples.space.nodes;
    struct feature_use *use = new_array((size_t)features + 1, sizeof *use, err);
    uint32_t *owner = r->contexts.owner = new_array((size_t)features + 1, sizeof *owner, err);
    bool ok = use && owner && count_uses(r, use, false, err) && count_uses(r, use, true, err);
    for (uint32_t f = 0; ok && f < features; f++)
        owner[f] = use[f].own > use[f].all - use[f].own ? use[f].form : NO_OWNER;
    free(use);
    return ok;
}

/* Numbers the types of chunks, and what is outside of them. */
static bool number_types(struct review *r, struct vouch_error *err)
{
    const struct span_rules *rules = r->dataset->rules;
    struct contexts *c = &r->contexts;
    c->type_of = new_array((size_t)rules->labels + 1, sizeof *c->type_of, err);
    c->label_of = new_array((size_t)rules->labels + 1, sizeof *c->label_of, err);
    if (!c->type_of || !c->label_of)
        return false;
    for (uint32_t y = 0; y < rules->labels; y++) {
        uint32_t t = 0;
        while (t < c->types && rules->type[c->label_of[t]] != rules->type[y])
            t++;
        if (t == c->types)
            c->label_of[c->types++] = y;
        c->type_of[y] = t;
    }
    c->probability = new_array(r->words * c->types + 1, sizeof *c->probability, err);
    return c->probability != NULL;
}

/* Finds whether most words are outside of chunks. */
static bool are_names(const struct review *r, bool *names, struct vouch_error *err)
{
    const struct examples *examples = &r->dataset->layer[0].examples;
    const struct span_rules *rules = r->dataset->rules;
    struct scratch scratch = {0};
    size_t outside = 0;
    bool ok = true;
    for (uint32_t i = 0; rules && ok && i < r->sentences; i++) {
        struct example example;
        ok = examples->get(examples->self, i, &scratch, &example, err);
        for (uint32_t n = 0; ok && n < example.parts.N; n++)
            outside += example.gold[n] < rules->labels && rules->type[example.gold[n]] == rules->labels;
    }
    scratch_release(&scratch);
    *names = outside > r->words / 2;
    return ok;
}

bool contexts_open(struct review *r, struct vouch_error *err)
{
    bool names = false;
    return (!r->options->names || are_names(r, &names, err)) &&
           (!names || !r->named || (find_owners(r, err) && number_types(r, err)));
}

bool contexts_strip(const struct review *r, const struct parts *parts, size_t first, struct stripped *to,
                    struct vouch_error *err)
{
    const struct rows *node = &parts->node;
    uint32_t features = node->start[parts->N], kept = 0;
    to->parts = *parts;
    if (!RESERVE(to->start, to->start_capacity, (size_t)parts->N + 1, err) ||
        !RESERVE(to->feature, to->feature_capacity, (size_t)features + 1, err) ||
        !RESERVE(to->value, to->value_capacity, (size_t)features + 1, err))
        return false;
    to->start[0] = 0;
    for (uint32_t n = 0; n < parts->N; n++) {
        for (uint32_t k = node->start[n]; k < node->start[n + 1]; k++)
            if (r->contexts.owner[node->feature[k]] != r->form[first + n]) {
                to->feature[kept] = node->feature[k];
                to->value[kept++] = node->value ? node->value[k] : 1;
            }
        to->start[n + 1] = kept;
    }
    to->parts.node = (struct rows){node->count, to->start, to->feature, node->value ? to->value : NULL};
    return true;
}

void stripped_release(struct stripped *s)
{
    free(s->start);
    free(s->feature);
    free(s->value);
}

/* A place of a word, and its type. */
struct place {
    uint32_t form, type;
    size_t word;
};

static int compare(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->form != y->form)
        return x->form < y->form ? -1 : 1;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

/* Returns how far the contexts of `n` places support their type, and which other type they support most. */
static double lead_of(const struct contexts *c, const struct place *place, size_t n, uint32_t *rival)
{
    double own = 0, best = -INFINITY;
    for (uint32_t t = 0; t < c->types; t++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += log_of((double)c->probability[place[i].word * c->types + t] + may_be_wrong);
        if (t == place->type)
            own = sum;
        else if (sum > best) {
            best = sum;
            *rival = t;
        }
    }
    return own - best;
}

static void doubt_places(const struct contexts *c, const struct place *place, size_t n, struct finding *finding)
{
    uint32_t rival = 0;
    double lead = lead_of(c, place, n, &rival);
    float odds = (float)(highest + times_lead * lead);
    for (size_t i = 0; i < n && lead < -least_each * (double)n; i++) {
        struct finding *f = &finding[place[i].word];
        if (odds < f->odds) {
            f->odds = odds;
            f->places = (uint32_t)n;
            f->suggested = c->label_of[rival];
        }
    }
}

bool contexts_doubt(const struct review *r, struct finding *finding, struct vouch_error *err)
{
    const struct contexts *c = &r->contexts;
    struct place *place = c->types > 1 ? new_array(r->words + 1, sizeof *place, err) : NULL;
    size_t count = 0;
    if (!place)
        return c->types <= 1;
    for (size_t w = 0; w < r->words; w++)
        if (finding[w].given < r->dataset->rules->labels)
            place[count++] = (struct place){r->form[w], c->type_of[finding[w].given], w};
    if (count > 0)
        qsort(place, count, sizeof *place, compare);
    for (size_t from = 0, end, next; from < count; from = end) {
        for (end = from + 1; end < count && place[end].form == place[from].form;)
            end++;
        for (size_t i = from; i < end; i = next) {
            for (next = i + 1; next < end && place[next].type == place[i].type;)
                next++;
            if (next - i >= LEAST_PLACES && (double)(next - i) >= least_share * (double)(end - from))
                doubt_places(c, place + i, next - i, finding);
        }
    }
    free(place);
    return true;
}
