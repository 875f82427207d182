/*
 * Chooses sentences to label: scores, their order, which are passed over, a shortlist of a stream, and the time it
 * takes.
 *
 * A shortlist of n takes up to 2n sentences, then sorts them and drops half: O(log n) for a sentence that is kept, O(1)
 * for one that is not. Of sentences that are known, a dictionary keeps the digests of their words.
 */
#include "active/selection.h"

#include "base/hash.h"
#include "base/order.h"
#include "confidence/evidence.h"
#include "task/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const score_suffix[SCORES] = {"", "/mean", "/length", "/bald", "/entities", "/density"};

bool score_parse(const char *name, char *method, size_t room, enum sentence_score *score, struct vouch_error *err)
{
    size_t length = strcspn(name, "/");
    for (*score = 0; length < room && *score < SCORES; (*score)++)
        if (strcmp(name + length, score_suffix[*score]) == 0) {
            memcpy(method, name, length);
            method[length] = '\0';
            return true;
        }
    return fail(err, VOUCH_ERR_ARGUMENT, "expected a method, alone or with " SCORE_NAMES ", found '%.60s'", name);
}

bool query_score_suits(const char *name, const struct method *method, enum sentence_score score,
                       struct vouch_error *err)
{
    if (method == &random_method && score != SCORE_LEAST)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected random alone, which looks at no words", name);
    if (score == SCORE_BALD && !(method && method->needs & (EVIDENCE_FIX | EVIDENCE_PC)))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a method that draws models, as in kd-fix/bald", name);
    if (score_counts_chunks(score) && method && !(method->needs & EVIDENCE_MARGINALS))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected probabilities of labels, as in gamma/density", name);
    return true;
}

void sureness_add(struct sureness *s, double number)
{
    if (!isfinite(number))
        return;
    if (s->words == 0 || number < s->least)
        s->least = number;
    s->sum += number;
    s->words++;
}

void sureness_add_start(struct sureness *s, double start)
{
    s->chunks += start;
    s->places++;
}

double sureness_of(const struct sureness *s, enum sentence_score score)
{
    if (score_counts_chunks(score))
        return s->places == 0 ? INFINITY : score == SCORE_DENSITY ? -s->chunks / s->places : -s->chunks;
    if (s->words == 0)
        return INFINITY;
    if (score == SCORE_MEAN)
        return s->sum / s->words;
    return score == SCORE_LENGTH ? s->least * (s->words + 1.0) : s->least;
}

/* Whether `a` comes before `b`; no two of different index are equal. */
static bool candidate_before(const struct candidate *a, const struct candidate *b)
{
    if (a->number != b->number)
        return a->number < b->number;
    return a->words != b->words ? a->words < b->words : a->index < b->index;
}

static int compare_candidates(const void *a, const void *b)
{
    return candidate_before(a, b) ? -1 : candidate_before(b, a);
}

void candidates_rank(struct candidate *candidate, size_t count)
{
    qsort(candidate, count, sizeof *candidate, compare_candidates);
}

bool number_set_fill(struct number_set *set, const uint32_t *number, size_t count, struct vouch_error *err)
{
    set->count = 0;
    if (!RESERVE(set->item, set->capacity, count + 1, err))
        return false;
    if (count)
        memcpy(set->item, number, sizeof *number * count);
    qsort(set->item, count, sizeof *set->item, ascending_u32);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || set->item[i] != set->item[set->count - 1])
            set->item[set->count++] = set->item[i];
    return true;
}

void number_set_release(struct number_set *set)
{
    free(set->item);
    *set = (struct number_set){0};
}

double number_set_overlap(const struct number_set *a, const struct number_set *b)
{
    size_t i = 0, j = 0, shared = 0;
    while (i < a->count && j < b->count) {
        uint32_t x = a->item[i], y = b->item[j];
        shared += x == y;
        i += x <= y;
        j += y <= x;
    }
    size_t all = a->count + b->count - shared;
    return all ? (double)shared / (double)all : 0;
}

bool candidates_choose(const struct candidate *ranked, size_t count, uint32_t wanted, const struct variety *variety,
                       uint32_t *chosen, uint32_t *found, struct vouch_error *err)
{
    struct number_set *set = new_array((size_t)wanted + 1, sizeof *set, err); /* of those chosen, and one to compare */
    bool *passed = new_array(count, sizeof *passed, err), ok = set && passed;
    uint32_t n = 0;
    for (size_t i = 0; ok && i < count && n < wanted; i++) {
        ok = !(variety->most > 0) || variety->numbers_of(variety->context, ranked[i].index, &set[n], err);
        for (uint32_t j = 0; ok && variety->most > 0 && j < n && !passed[i]; j++)
            passed[i] = number_set_overlap(&set[j], &set[n]) > variety->most;
        if (ok && !passed[i])
            chosen[n++] = ranked[i].index;
    }
    *found = n;
    for (size_t i = 0; ok && variety->fill && i < count && *found < wanted; i++)
        if (passed[i])
            chosen[(*found)++] = ranked[i].index;
    for (uint32_t i = 0; set && i <= n; i++)
        number_set_release(&set[i]);
    free(set);
    free(passed);
    return ok;
}

/* The time that labelling takes. */

bool labelling_cost_parse(struct labelling_cost *cost, const char *text, struct vouch_error *err)
{
    char more;
    bool ok = sscanf(text, "%lf,%lf,%lf%c", &cost->sentence, &cost->word, &cost->change, &more) == 3;
    return (ok && isfinite(cost->sentence + cost->word + cost->change) && cost->sentence >= 0 && cost->word >= 0 &&
            cost->change >= 0) ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "--cost: expected seconds for a sentence, a word and a change, such as 13,3.8,5.4, found '%.60s'",
                text);
}

double labelling_seconds(const struct labelling_cost *cost, const struct labelling *labelling)
{
    return cost->sentence * labelling->sentences + cost->word * labelling->words + cost->change * labelling->changes;
}

/* A shortlist. */

struct entry {
    struct candidate candidate; /* its index is the sentence's place in the stream */
    double changes;
    char *text;
    size_t length;
    struct number_set words; /* if near-duplicates are passed over */
};

struct shortlist {
    uint32_t n;
    double diversity;
    struct entry *entry; /* [count] the n best first, if full */
    size_t count, capacity;
    bool full; /* there are n, and what is behind the n-th is not wanted */
    uint32_t offered;
    struct dictionary known; /* digests of sentences, as strings of eight bytes */
    uint32_t *chosen;        /* [found] places in `entry` */
    uint32_t found;
    uint32_t *hash; /* of the words at hand */
    size_t hash_capacity;
};

struct shortlist *shortlist_new(uint32_t n, double diversity, struct vouch_error *err)
{
    struct shortlist *list = new_array(1, sizeof *list, err);
    if (list)
        *list = (struct shortlist){.n = n, .diversity = diversity};
    return list;
}

static void entry_release(struct entry *entry)
{
    free(entry->text);
    number_set_release(&entry->words);
}

void shortlist_free(struct shortlist *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++)
        entry_release(&list->entry[i]);
    free(list->entry);
    dictionary_release(&list->known);
    free(list->chosen);
    free(list->hash);
    free(list);
}

bool shortlist_know(struct shortlist *list, const struct sentence *sentence, bool *new, struct vouch_error *err)
{
    uint64_t digest = sentence_words_digest(sentence);
    uint32_t before = list->known.table.count;
    bool ok = dictionary_add(&list->known, (struct text){(const char *)&digest, sizeof digest}, err);
    *new = list->known.table.count > before;
    return ok;
}

static int compare_entries(const void *a, const void *b)
{
    return compare_candidates(&((const struct entry *)a)->candidate, &((const struct entry *)b)->candidate);
}

/* Sorts the entries and drops those behind the n best, unless near-duplicates of these may make room for them. */
static void tidy(struct shortlist *list)
{
    if (list->count)
        qsort(list->entry, list->count, sizeof *list->entry, compare_entries);
    while (!(list->diversity > 0) && list->count > list->n)
        entry_release(&list->entry[--list->count]);
    list->full = list->count == list->n;
}

bool shortlist_wants(const struct shortlist *list, double number, uint32_t words)
{
    struct candidate one = {.number = number, .words = words, .index = list->offered};
    return list->diversity > 0 || !list->full || candidate_before(&one, &list->entry[list->n - 1].candidate);
}

/* Collects the hashes of the sentence's different words. */
static bool hash_words(struct shortlist *list, const struct sentence *s, struct number_set *set,
                       struct vouch_error *err)
{
    size_t count = 0;
    if (!RESERVE(list->hash, list->hash_capacity, (size_t)s->first[s->N] + 1, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        uint32_t from, to;
        sentence_tell_apart(s, i, &from, &to);
        for (uint32_t c = from; c < to; c++)
            list->hash[count++] = (uint32_t)hash_bytes(s->cell[c].at, s->cell[c].length);
    }
    return number_set_fill(set, list->hash, count, err);
}

bool shortlist_add(struct shortlist *list, const struct sentence *sentence, const struct offer *offer,
                   struct vouch_error *err)
{
    struct entry entry = {.candidate = {.number = offer->number, .words = sentence->N, .index = list->offered++},
                          .changes = offer->changes,
                          .text = new_string(offer->text, offer->length, err),
                          .length = offer->length};
    if (!entry.text || !RESERVE(list->entry, list->capacity, list->count + 1, err) ||
        (list->diversity > 0 && !hash_words(list, sentence, &entry.words, err))) {
        entry_release(&entry);
        return false;
    }
    list->entry[list->count++] = entry;
    if (!(list->diversity > 0) && list->count == 2 * (size_t)list->n)
        tidy(list);
    return true;
}

static bool words_of_entry(void *context, uint32_t index, struct number_set *set, struct vouch_error *err)
{
    const struct shortlist *list = context;
    return number_set_fill(set, list->entry[index].words.item, list->entry[index].words.count, err);
}

bool shortlist_close(struct shortlist *list, uint32_t *count, struct vouch_error *err)
{
    tidy(list);
    struct candidate *ranked = new_array(list->count, sizeof *ranked, err);
    struct variety variety = {.most = list->diversity, .numbers_of = words_of_entry, .context = list};
    uint32_t wanted = list->n < list->count ? list->n : (uint32_t)list->count;
    list->chosen = new_array(wanted, sizeof *list->chosen, err);
    bool ok = ranked && list->chosen;
    for (size_t i = 0; ok && i < list->count; i++)
        ranked[i] = (struct candidate){.index = (uint32_t)i};
    ok = ok && candidates_choose(ranked, list->count, wanted, &variety, list->chosen, &list->found, err);
    free(ranked);
    *count = list->found;
    return ok;
}

const char *shortlist_text(const struct shortlist *list, uint32_t i, size_t *length)
{
    const struct entry *entry = &list->entry[list->chosen[i]];
    *length = entry->length;
    return entry->text;
}

struct labelling shortlist_labelling(const struct shortlist *list)
{
    struct labelling all = {.sentences = list->found};
    for (uint32_t i = 0; i < list->found; i++) {
        all.words += list->entry[list->chosen[i]].candidate.words;
        all.changes += list->entry[list->chosen[i]].changes;
    }
    return all;
}
