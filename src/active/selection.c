/* Chooses sentences to label: see selection.h. */
#include "active/selection.h"

#include <math.h>
#include <string.h>

bool score_parse(const char *name, char *method, size_t room, enum sentence_score *score, struct vouch_error *err)
{
    static const struct {
        const char *suffix;
        enum sentence_score score;
    } known[] = {{"", SCORE_LEAST},     {"/mean", SCORE_MEAN},         {"/length", SCORE_LENGTH},
                 {"/bald", SCORE_BALD}, {"/entities", SCORE_ENTITIES}, {"/density", SCORE_DENSITY}};
    size_t length = strcspn(name, "/");
    for (size_t i = 0; length < room && i < sizeof known / sizeof *known; i++)
        if (strcmp(name + length, known[i].suffix) == 0) {
            memcpy(method, name, length);
            method[length] = '\0';
            *score = known[i].score;
            return true;
        }
    return fail(err, VOUCH_ERR_ARGUMENT, "expected a method, alone or with " SCORE_NAMES ", found '%.60s'", name);
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

bool candidate_before(const struct candidate *a, const struct candidate *b)
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

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool number_set_fill(struct number_set *set, const uint32_t *number, size_t count, struct vouch_error *err)
{
    set->count = 0;
    if (!RESERVE(set->item, set->capacity, count + 1, err))
        return false;
    if (count)
        memcpy(set->item, number, sizeof *number * count);
    qsort(set->item, count, sizeof *set->item, compare_numbers);
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

/* The sets of the candidates chosen so far, and one to compare with them. */
struct company {
    const struct variety *variety;
    struct number_set *set; /* [wanted + 1] */
    uint32_t count, wanted;
    bool *passed; /* [ranked] whether it was passed over */
};

/* Finds out whether candidate `index` is unlike all that were chosen; if so, adds it to them. */
static bool join(struct company *c, uint32_t index, bool *unlike, struct vouch_error *err)
{
    const struct variety *variety = c->variety;
    struct number_set *own = &c->set[c->count];
    if (!variety->look(variety->context, index, own, err))
        return false;
    *unlike = true;
    for (uint32_t i = 0; i < c->count && *unlike; i++)
        *unlike = number_set_overlap(&c->set[i], own) <= variety->most;
    c->count += *unlike;
    return true;
}

/* Does the work of candidates_choose(), and marks candidates that are passed over. */
static bool choose_unlike(struct company *c, const struct candidate *ranked, size_t count, uint32_t *chosen,
                          struct vouch_error *err)
{
    for (size_t i = 0; i < count && c->count < c->wanted; i++) {
        bool unlike;
        if (!join(c, ranked[i].index, &unlike, err))
            return false;
        c->passed[i] = !unlike;
        if (unlike)
            chosen[c->count - 1] = ranked[i].index;
    }
    return true;
}

bool candidates_choose(const struct candidate *ranked, size_t count, uint32_t wanted, const struct variety *variety,
                       uint32_t *chosen, uint32_t *found, struct vouch_error *err)
{
    *found = 0;
    if (!(variety->most > 0)) {
        while (*found < wanted && *found < count) {
            chosen[*found] = ranked[*found].index;
            (*found)++;
        }
        return true;
    }
    struct company company = {.variety = variety,
                              .wanted = wanted,
                              .set = new_array((size_t)wanted + 1, sizeof *company.set, err),
                              .passed = new_array(count, sizeof *company.passed, err)};
    bool ok = company.set && company.passed && choose_unlike(&company, ranked, count, chosen, err);
    *found = company.count;
    for (size_t i = 0; ok && variety->fill && i < count && *found < wanted; i++)
        if (company.passed[i])
            chosen[(*found)++] = ranked[i].index;
    for (uint32_t i = 0; company.set && i <= wanted; i++)
        number_set_release(&company.set[i]);
    free(company.set);
    free(company.passed);
    return ok;
}
