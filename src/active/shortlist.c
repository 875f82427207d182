/*
 * Keeps a shortlist: see shortlist.h.
 *
 * The n best are a heap with the surest on top, which makes room for one that
 * is less sure. Known words are a table of their digests, open addressing with
 * linear steps, never more than half full; digests are hashes already. O(log n)
 * for a sentence that is kept, O(1) for one that is not.
 */
#include "active/shortlist.h"

#include "base/hash.h"

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
    struct entry *entry; /* [count] */
    size_t count, capacity;
    uint32_t offered;
    uint64_t *known; /* [slots] digests; 0 is an empty slot */
    size_t slots, used;
    uint32_t *chosen; /* [found] places in `entry` */
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
    free(list->known);
    free(list->chosen);
    free(list->hash);
    free(list);
}

/* Returns the slot of a digest: where it is, or where it would go. */
static size_t slot_of(const uint64_t *known, size_t slots, uint64_t digest)
{
    size_t at = (size_t)digest & (slots - 1);
    while (known[at] && known[at] != digest)
        at = (at + 1) & (slots - 1);
    return at;
}

static bool grow_known(struct shortlist *list, struct vouch_error *err)
{
    size_t slots = list->slots ? list->slots * 2 : 1024;
    uint64_t *known = new_array(slots, sizeof *known, err);
    if (!known)
        return false;
    for (size_t i = 0; i < list->slots; i++)
        if (list->known[i])
            known[slot_of(known, slots, list->known[i])] = list->known[i];
    free(list->known);
    list->known = known;
    list->slots = slots;
    return true;
}

bool shortlist_know(struct shortlist *list, const struct sentence *sentence, bool *new, struct vouch_error *err)
{
    uint64_t digest = sentence_words_digest(sentence);
    digest += digest == 0;
    if (list->used * 2 >= list->slots && !grow_known(list, err))
        return false;
    size_t at = slot_of(list->known, list->slots, digest);
    *new = !list->known[at];
    list->used += *new;
    list->known[at] = digest;
    return true;
}

static bool is_heap(const struct shortlist *list)
{
    return !(list->diversity > 0);
}

bool shortlist_wants(const struct shortlist *list, double number, uint32_t words)
{
    struct candidate one = {.number = number, .words = words, .index = list->offered};
    return !is_heap(list) || list->count < list->n || candidate_before(&one, &list->entry[0].candidate);
}

static void swap(struct entry *a, struct entry *b)
{
    struct entry kept = *a;
    *a = *b;
    *b = kept;
}

/* Whether entry i is surer than entry j, and so belongs above it. */
static bool surer(const struct shortlist *list, size_t i, size_t j)
{
    return candidate_before(&list->entry[j].candidate, &list->entry[i].candidate);
}

static void rise(struct shortlist *list, size_t i)
{
    for (; i > 0 && surer(list, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(&list->entry[i], &list->entry[(i - 1) / 2]);
}

static void sink(struct shortlist *list, size_t i)
{
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < list->count && surer(list, child + 1, child))
            child++;
        if (child >= list->count || !surer(list, child, i))
            return;
        swap(&list->entry[i], &list->entry[child]);
        i = child;
    }
}

/* Collects the hashes of the sentence's different words. */
static bool look_at_words(struct shortlist *list, const struct sentence *s, struct number_set *set,
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
        (!is_heap(list) && !look_at_words(list, sentence, &entry.words, err))) {
        entry_release(&entry);
        return false;
    }
    if (is_heap(list) && list->count == list->n) {
        entry_release(&list->entry[0]);
        list->entry[0] = entry;
        sink(list, 0);
        return true;
    }
    list->entry[list->count++] = entry;
    if (is_heap(list))
        rise(list, list->count - 1);
    return true;
}

static bool look(void *context, uint32_t index, struct number_set *set, struct vouch_error *err)
{
    const struct shortlist *list = context;
    return number_set_fill(set, list->entry[index].words.item, list->entry[index].words.count, err);
}

static int compare_entries(const void *a, const void *b)
{
    const struct candidate *x = &((const struct entry *)a)->candidate, *y = &((const struct entry *)b)->candidate;
    return candidate_before(x, y) ? -1 : candidate_before(y, x);
}

bool shortlist_close(struct shortlist *list, uint32_t *count, struct vouch_error *err)
{
    struct candidate *ranked = new_array(list->count, sizeof *ranked, err);
    struct variety variety = {.most = list->diversity, .look = look, .context = list};
    uint32_t wanted = list->n < list->count ? list->n : (uint32_t)list->count;
    list->chosen = new_array(wanted, sizeof *list->chosen, err);
    bool ok = ranked && list->chosen;
    if (list->count)
        qsort(list->entry, list->count, sizeof *list->entry, compare_entries);
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
