/*
 * Finds what else a word may be: see choice_sets.h.
 *
 * The set of a word is its answer and every other choice whose probability is at least a threshold, which was found by
 * calibration (tune/tuning.c), for all choices or for each label. A label is in it as the corpus writes it: a label
 * inside of a chunk as such, whatever the answer's word before is; one that starts a chunk as it is written after that
 * word. The probabilities of labels that are written alike are added up.
 *
 * A reading of a chunk of the answer is what its words may be as one chunk: the type of a chunk of just these words, or
 * O if the truth has no chunk of just these words. Types have their exact probabilities by the marginals
 * (marginal_of_chunk()), O has what is left of 1; then the answer's reading gets its confidence, and the others share
 * the rest.
 *
 * The relations of a word are those to the head that it has in the answer, right or wrong.
 *
 * Cost: O(options) for a word, O(types Y^2) for a word of a chunk.
 */
#include "answer/choice_sets.h"

#include "confidence/expected_counts.h"

#include <math.h>

#define NEGLIGIBLE 1e-6 /* choices with less are not listed */

/* Finds the method's distribution over a word's choices, before calibration; [options] in `p`. */
static void spread(const struct estimation *h, uint32_t n, double *p)
{
    const struct chosen_method *chosen = &h->layer->chosen[h->j];
    const struct evidence *e = &h->workspace->evidence[chosen->voice];
    for (size_t y = 0; y < e->options; y++)
        p[y] = 0;
    if (!chosen->method || !chosen->method->votes) {
        for (size_t y = 0; y < e->options; y++)
            p[y] = evidence_marginal(e, n, (uint32_t)y);
        return;
    }
    struct answers answers = answers_of(chosen->method, e);
    double all = 0;
    for (uint32_t i = 0; answers.weight && i < answers.count; i++)
        all += fmax(0, answers.weight[i]);
    for (uint32_t i = 0; i < answers.count; i++)
        p[answers.choice[(size_t)i * e->N + n]] += all > 0 ? fmax(0, answers.weight[i]) / all : 1.0 / answers.count;
}

/*
 * Adds up the probabilities of choices of word n that the corpus writes alike, in p under the first of them, and leaves
 * the others 0; the answer's own choice comes first.
 */
static void join_spellings(const struct estimation *h, uint32_t n, double *p)
{
    const struct span_rules *rules = &h->estimator->rules;
    const uint32_t *choice = h->workspace->choice;
    uint32_t before = n > 0 ? choice[n - 1] : rules->labels;
    if (!rules->respelled)
        return;
    for (uint32_t y = 0; y < rules->labels; y++) {
        uint32_t first = choice[n];
        if (!span_alike(rules, before, first, y))
            for (first = 0; !span_alike(rules, before, first, y);)
                first++;
        if (first != y) {
            p[first] += p[y];
            p[y] = 0;
        }
    }
}

/* Returns the label of choice y of word n as the corpus would write it behind the answer's word before. */
static struct text choice_written(const struct estimation *h, uint32_t n, uint32_t y)
{
    return labels_spelled(h->estimator->labels, n > 0 ? h->workspace->choice[n - 1] : NO_LABEL, y);
}

/*
 * Finds method j's distribution over the choices of word n, before calibration. Choices that the corpus writes alike
 * are added up under one of them: the answer, if it is among them.
 */
static void choice_spread(const struct estimation *h, uint32_t n, double *p)
{
    spread(h, n, p);
    join_spellings(h, n, p);
}

/*
 * Finds the first method's distribution over the choices of word n: the answer has its confidence, the others share the
 * rest in proportion.
 */
static void choice_probabilities(const struct estimation *h, uint32_t n, double *p)
{
    uint32_t chosen = h->workspace->choice[n];
    size_t options = h->workspace->evidence[0].options;
    const struct chosen_method *first = &h->layer->chosen[0];
    const struct evidence *e = &h->workspace->evidence[first->voice];
    bool own_number =
        chosen_is_calibrated(h->estimator, 0) || /* votes that are moved towards their limit are no shares */
        (first->method && first->method->votes && answers_of(first->method, e).limit);
    double others = 0;
    choice_spread(h, n, p);
    for (size_t y = 0; y < options; y++)
        others += y == chosen ? 0 : p[y];
    double own = own_number ? h->estimates->by_method[0].word[n] : p[chosen] / (p[chosen] + others);
    double rest = others > 0 ? (1 - own) / others : 0;
    for (size_t y = 0; y < options; y++)
        p[y] = y == chosen ? own : p[y] * rest;
}

static struct alternative choice_of(const struct estimation *h, uint32_t n, uint32_t y, double probability)
{
    struct alternative one = {.head = y, .probability = probability};
    if (h->estimator->labels)
        one.label = choice_written(h, n, y);
    return one;
}

/* Inserts a choice where it belongs among the likeliest. */
static void insert(struct alternative *list, uint32_t *found, uint32_t most, struct alternative one)
{
    uint32_t at = *found < most ? (*found)++ : most;
    while (at > 0 && list[at - 1].probability < one.probability) {
        if (at < most)
            list[at] = list[at - 1];
        at--;
    }
    if (at < most)
        list[at] = one;
}

bool list_alternatives(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t N = h->workspace->N, most = h->estimator->alternatives;
    size_t options = h->workspace->evidence[0].options;
    struct alternative *list;
    uint32_t *found;
    if (!ARENA_ARRAY(list, (size_t)N * most, &o->arena, err) || !ARENA_ARRAY(found, N, &o->arena, err))
        return false;
    for (uint32_t n = 0; n < N; n++) {
        choice_probabilities(h, n, o->signal);
        found[n] = 0;
        for (uint32_t y = 0; y < options; y++)
            if (o->signal[y] >= NEGLIGIBLE)
                insert(list + (size_t)n * most, &found[n], most, choice_of(h, n, y, o->signal[y]));
    }
    o->confidences.alternative = list;
    o->confidences.found = found;
    o->confidences.alternatives = most;
    return true;
}

bool list_others(struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t N = h->workspace->N;
    size_t options = h->workspace->evidence[0].options;
    for (h->j = 0; h->j < h->estimator->methods; h->j++) {
        struct text *other;
        if (!ARENA_ARRAY(other, N, &o->arena, err))
            return false;
        for (uint32_t n = 0; n < N; n++) {
            double most = 0;
            choice_spread(h, n, o->signal);
            other[n] = text_of("");
            for (uint32_t y = 0; y < options; y++)
                if (y != h->workspace->choice[n] && o->signal[y] > most) {
                    most = o->signal[y];
                    other[n] = choice_written(h, n, y);
                }
        }
        o->by_method[h->j].other = other;
    }
    return true;
}

bool list_starts(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    double *start;
    if (!ARENA_ARRAY(start, h->workspace->N, &o->arena, err) ||
        !chunk_starts(&h->workspace->evidence[h->layer->chosen[0].voice], &h->estimator->rules, start, err))
        return false;
    o->confidences.start = start;
    return true;
}

/* Puts a member into a list, at place `at`, behind which there is nothing yet. */
static bool put(struct member_list *list, uint32_t at, struct alternative one, struct vouch_error *err)
{
    if (!RESERVE(list->item, list->capacity, (size_t)at + 1, err))
        return false;
    list->item[at] = one;
    return true;
}

/* Puts the likeliest first; equals stay in order. Sets are short. */
static void sort_members(struct alternative *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct alternative one = list[i];
        uint32_t at = i;
        for (; at > 0 && list[at - 1].probability < one.probability; at--)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

/* Returns a label inside of a chunk as it is written there; others, and the answer, as after the word before. */
static struct text written_in_set(const struct estimation *h, uint32_t n, uint32_t y)
{
    const struct span_rules *rules = &h->estimator->rules;
    size_t Y = rules->labels;
    for (uint32_t left = 0; left < Y && y != h->workspace->choice[n]; left++)
        if (rules->type[y] < Y && rules->type[left] == rules->type[y] && !rules->opens[left * Y + y])
            return labels_spelled(h->estimator->labels, left, y);
    return choice_written(h, n, y);
}

/*
 * Lists the choices of a word that can be in its set, as members from *count on, the answer first; choices that are
 * written alike are one member.
 */
static bool list_choices(const struct estimation *h, uint32_t n, const double *p, uint32_t *count,
                         struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t begin = *count, chosen = h->workspace->choice[n];
    size_t options = h->workspace->evidence[0].options;
    if (!put(&o->members, (*count)++, choice_of(h, n, chosen, p[chosen]), err))
        return false;
    for (uint32_t y = 0; y < options; y++) {
        struct alternative one = {.head = y, .probability = p[y]};
        if (y == chosen || !(p[y] >= NEGLIGIBLE / 1000))
            continue;
        if (h->estimator->labels)
            one.label = written_in_set(h, n, y);
        uint32_t same = h->estimator->rules.respelled ? begin : *count;
        while (same < *count && !text_equal(o->members.item[same].label, one.label))
            same++;
        if (same < *count)
            o->members.item[same].probability += p[y];
        else if (!put(&o->members, (*count)++, one, err))
            return false;
    }
    return true;
}

/* Returns the least probability of a member with this label. */
static double least_of(const struct estimation *h, enum covered what, struct text label)
{
    const struct set_thresholds *least = &h->estimator->least;
    const json_t *own = json_object_getn(least->by_label[what], label.length ? label.at : "", label.length);
    return fmax(own ? json_number_value(own) : least->of[what], NEGLIGIBLE);
}

/*
 * Makes probabilities of the method's numbers for members, the first of which is the answer, and keeps the likely ones.
 */
static uint32_t keep_likely(const struct estimation *h, enum covered what, struct alternative *list, uint32_t count,
                            double own)
{
    double others = 0;
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++)
        others += list[i].probability;
    if (isnan(own))
        own = list[0].probability / (list[0].probability + others);
    list[0].probability = own;
    for (uint32_t i = 1; i < count; i++) {
        list[i].probability *= (1 - own) / others;
        if (list[i].probability >= least_of(h, what, list[i].label))
            list[kept++] = list[i];
    }
    sort_members(list, kept);
    return kept;
}

static bool list_word_sets(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t N = h->workspace->N, count = 0;
    bool calibrated = chosen_is_calibrated(h->estimator, 0);
    uint32_t *first;
    if (!ARENA_ARRAY(first, (size_t)N + 1, &o->arena, err) || !RESERVE(o->members.item, o->members.capacity, 1, err))
        return false;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t begin = first[n] = count;
        spread(h, n, o->signal);
        if (!list_choices(h, n, o->signal, &count, err))
            return false;
        count = begin + keep_likely(h, COVERED_WORDS, o->members.item + begin, count - begin,
                                    calibrated ? o->by_method[0].word[n] : NAN);
    }
    first[N] = count;
    o->confidences.set = (struct choice_sets){.choice = o->members.item, .first = first, .asked = true};
    return true;
}

/* Lists the readings of span i, as members from *count on, the answer's first. */
static bool list_readings(const struct estimation *h, uint32_t i, uint32_t *count, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    struct evidence *e = &h->workspace->evidence[h->layer->chosen[0].voice];
    const struct span_rules *rules = &h->estimator->rules;
    struct extent at = o->extent[i];
    uint32_t own = rules->type[h->workspace->choice[at.from]], begin = *count;
    double p, left = 1;
    (*count)++; /* the place of the answer's */
    for (uint32_t y = 0; y < rules->labels; y++) {
        uint32_t type = rules->type[y], first = 0;
        while (rules->type[first] != type)
            first++;
        if (first != y || type == rules->labels)
            continue;
        struct alternative one = {.head = y};
        scheme_split(labels_name(h->estimator->labels, y), &one.label);
        if (!marginal_of_chunk(e, rules, at, type, &p, err) ||
            !put(&o->readings, type == own ? begin : *count, one, err))
            return false;
        o->readings.item[type == own ? begin : (*count)++].probability = p;
        left -= p;
    }
    return put(&o->readings, (*count)++,
               (struct alternative){.label = text_of("O"), .head = NO_LABEL, .probability = fmax(left, 1e-12)}, err);
}

static bool list_span_sets(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t spans = o->confidences.spans, count = 0;
    bool calibrated = chosen_is_calibrated_for(h->estimator, 0, 0, UNIT_SPAN);
    uint32_t *first;
    if (!ARENA_ARRAY(first, (size_t)spans + 1, &o->arena, err) ||
        !RESERVE(o->readings.item, o->readings.capacity, 1, err))
        return false;
    for (uint32_t i = 0; i < spans; i++) {
        uint32_t begin = first[i] = count;
        if (!list_readings(h, i, &count, err))
            return false;
        count = begin + keep_likely(h, COVERED_CHUNKS, o->readings.item + begin, count - begin,
                                    calibrated ? o->by_method[0].span[i] : NAN);
    }
    first[spans] = count;
    o->confidences.reading = (struct choice_sets){.choice = o->readings.item, .first = first, .asked = true};
    return true;
}

bool list_sets(const struct estimation *h, struct vouch_error *err)
{
    return list_word_sets(h, err) && (!h->estimator->rules.labels || list_span_sets(h, err));
}

/* Lists the relations of a word by their probabilities, as members from *count on, the answer's first. */
static bool list_relations(const struct estimation *h, uint32_t n, const double *p, uint32_t *count,
                           struct vouch_error *err)
{
    struct member_list *list = &h->estimates->relations;
    const struct tag_labels *labels = &h->estimator->model->labels;
    uint32_t chosen = h->workspace->choice[n], begin = (*count)++;
    for (uint32_t y = 0; y < h->workspace->evidence[0].options; y++) {
        struct alternative one = {.label = labels_name(labels, y), .head = y, .probability = p[y]};
        if ((y == chosen || p[y] >= NEGLIGIBLE / 1000) && !put(list, y == chosen ? begin : (*count)++, one, err))
            return false;
    }
    return true;
}

bool list_relation_sets(const struct estimation *h, struct vouch_error *err)
{
    struct estimates *o = h->estimates;
    uint32_t N = h->workspace->N, count = 0, *first;
    bool calibrated = chosen_is_calibrated_for(h->estimator, h->l, 0, UNIT_WORD);
    double *p;
    if (!ARENA_ARRAY(first, (size_t)N + 1, &o->arena, err) ||
        !ARENA_ARRAY(p, h->workspace->evidence[0].options, &o->arena, err) ||
        !RESERVE(o->relations.item, o->relations.capacity, 1, err))
        return false;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t begin = first[n] = count;
        spread(h, n, p);
        if (!list_relations(h, n, p, &count, err))
            return false;
        count = begin + keep_likely(h, COVERED_RELATIONS, o->relations.item + begin, count - begin,
                                    calibrated ? o->by_method[0].relation[n] : NAN);
    }
    first[N] = count;
    o->confidences.relation_set = (struct choice_sets){.choice = o->relations.item, .first = first, .asked = true};
    return true;
}
