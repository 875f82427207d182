/*
 * Gives things the same numbers on all ranks.
 *
 * A thing is an entry in a list of bytes: a name, or the record of a feature. A rank makes one list for every rank; the
 * hash of a thing, modulo the number of ranks, tells to which it goes, so equal things of all ranks go to the same one.
 */
#include "task/common_numbering.h"

#include "base/buffer.h"
#include "base/hash.h"

#include <string.h>

bool growth_note(struct growth *growth, uint32_t sentence, uint32_t size, struct vouch_error *err)
{
    uint32_t before = growth->count ? growth->after[growth->count - 1].size : 0;
    if (size == before)
        return true;
    if (!RESERVE(growth->after, growth->capacity, growth->count + 1, err))
        return false;
    growth->after[growth->count].sentence = sentence;
    growth->after[growth->count++].size = size;
    return true;
}

void growth_release(struct growth *growth)
{
    free(growth->after);
    *growth = (struct growth){0};
}

/* ---- One list of the ranks' lists ---- */

/* What comes before the bytes of an entry. */
struct entry_head {
    uint32_t sentence, turn; /* the turn among the new things of this sentence, counted by the rank that holds it */
    uint32_t length;
};

struct entry {
    uint64_t hash;
    const char *bytes; /* in the list */
    struct entry_head head;
};

/* The entries that were received. */
struct entries {
    struct gathered gathered;
    struct entry *entry; /* [count] */
    size_t count;
};

/* What a rank sends: one list for each rank. */
struct lists {
    struct buffer *of; /* [ranks] */
    uint32_t ranks;
};

static bool lists_init(struct lists *lists, const struct ranks *ranks, struct vouch_error *err)
{
    lists->ranks = ranks_count(ranks);
    lists->of = new_array(lists->ranks, sizeof *lists->of, err);
    return lists->of != NULL;
}

static void lists_release(struct lists *lists)
{
    for (uint32_t r = 0; lists->of && r < lists->ranks; r++)
        free(lists->of[r].bytes);
    free(lists->of);
}

static bool add_entry(struct buffer *list, const struct entry_head *head, const char *bytes, struct vouch_error *err)
{
    return buffer_add_bytes(list, head, sizeof *head, err) && buffer_add_bytes(list, bytes, head->length, err);
}

/* Not inlined: gcc warns of branches of the hash for things that are longer than any record. */
__attribute__((noinline)) static uint64_t hash_of(const char *bytes, uint32_t length)
{
    return hash_bytes(bytes, length);
}

/* Adds a thing to the list of the rank that its hash chooses. */
static bool list_entry(struct lists *lists, struct entry_head head, const void *bytes, struct vouch_error *err)
{
    return add_entry(&lists->of[hash_of(bytes, head.length) % lists->ranks], &head, bytes, err);
}

/* Orders by hash and bytes; 0: the same thing. */
static int compare_things(const struct entry *x, const struct entry *y)
{
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->head.length != y->head.length)
        return x->head.length < y->head.length ? -1 : 1;
    return memcmp(x->bytes, y->bytes, x->head.length);
}

static int by_thing(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int differ = compare_things(x, y);
    return differ ? differ : (x->head.sentence > y->head.sentence) - (x->head.sentence < y->head.sentence);
}

static int by_turn(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->head.sentence != y->head.sentence)
        return x->head.sentence < y->head.sentence ? -1 : 1;
    return (x->head.turn > y->head.turn) - (x->head.turn < y->head.turn);
}

/* Reads the next entry of a list, at *at. */
static struct entry next_entry(const char *list, uint64_t *at)
{
    struct entry entry = {.bytes = list + *at + sizeof entry.head};
    memcpy(&entry.head, list + *at, sizeof entry.head);
    entry.hash = hash_of(entry.bytes, entry.head.length);
    *at += sizeof entry.head + entry.head.length;
    return entry;
}

/* Reads what was gathered, and sorts it. Release in any case. */
static bool read_entries(struct entries *entries, int (*order)(const void *, const void *), struct vouch_error *err)
{
    const struct gathered *gathered = &entries->gathered;
    uint64_t end = gathered->start[gathered->count];
    entries->count = 0;
    for (uint64_t at = 0; at < end; entries->count++)
        next_entry(gathered->bytes, &at);
    entries->entry = new_array(entries->count, sizeof *entries->entry, err);
    if (!entries->entry)
        return false;
    for (uint64_t at = 0, i = 0; at < end; i++)
        entries->entry[i] = next_entry(gathered->bytes, &at);
    qsort(entries->entry, entries->count, sizeof *entries->entry, order);
    return true;
}

static void entries_release(struct entries *entries)
{
    gathered_release(&entries->gathered);
    free(entries->entry);
}

/* Receives the things whose hashes chose this rank, and lists each once, as it was met first. */
static bool merge_own(const struct ranks *ranks, struct lists *lists, struct buffer *merged, struct vouch_error *err)
{
    struct entries entries = {0};
    bool ok = true;
    for (uint32_t r = 0; ok && r < lists->ranks; r++) {
        struct gathered gathered;
        ok = ranks_gather(ranks, lists->of[r].bytes, lists->of[r].length, r, &gathered, err);
        free(lists->of[r].bytes); /* it was sent, and what is received needs memory */
        lists->of[r] = (struct buffer){0};
        if (r == ranks_own(ranks))
            entries.gathered = gathered;
        else
            gathered_release(&gathered);
    }
    ok = ok && read_entries(&entries, by_thing, err);
    for (size_t i = 0; ok && i < entries.count; i++)
        if (i == 0 || compare_things(&entries.entry[i - 1], &entries.entry[i]) != 0)
            ok = add_entry(merged, &entries.entry[i].head, entries.entry[i].bytes, err);
    entries_release(&entries);
    return ok;
}

/* Collects every thing that some rank has met, once, in the order in which the corpus has them. Release in any case. */
static bool merge_all(const struct ranks *ranks, struct lists *lists, struct entries *all, struct vouch_error *err)
{
    struct buffer merged = {0};
    bool ok = merge_own(ranks, lists, &merged, err) &&
              ranks_gather(ranks, merged.bytes, merged.length, FOR_ALL, &all->gathered, err) &&
              read_entries(all, by_turn, err);
    free(merged.bytes);
    return ok;
}

/* ---- Names ---- */

static bool list_names(const struct dictionary *names, uint32_t known, const struct growth *growth, struct lists *lists,
                       struct vouch_error *err)
{
    uint32_t id = known + 1;
    for (size_t g = 0; g < growth->count; g++)
        for (; id <= growth->after[g].size; id++) {
            struct text name = dictionary_text(names, id);
            if (!list_entry(lists, (struct entry_head){growth->after[g].sentence, id, name.length}, name.at, err))
                return false;
        }
    return true;
}

/* Makes a dictionary of the first `known` names and of all that were met. */
static bool number_names(struct dictionary *common, const struct dictionary *names, uint32_t known,
                         const struct entries *all, struct vouch_error *err)
{
    for (uint32_t id = 1; id <= known; id++)
        if (!dictionary_add(common, dictionary_text(names, id), err))
            return false;
    for (size_t i = 0; i < all->count; i++)
        if (!dictionary_add(common, (struct text){all->entry[i].bytes, all->entry[i].head.length}, err))
            return false;
    return true;
}

bool number_names_alike(const struct ranks *ranks, struct dictionary *names, uint32_t known,
                        const struct growth *growth, uint32_t *renamed, struct vouch_error *err)
{
    struct lists lists = {0};
    struct entries all = {0};
    struct dictionary common = {0};
    bool ok = lists_init(&lists, ranks, err) && list_names(names, known, growth, &lists, err) &&
              merge_all(ranks, &lists, &all, err) && number_names(&common, names, known, &all, err);
    for (uint32_t id = 1; ok && id <= names->table.count; id++)
        renamed[id] = dictionary_find(&common, dictionary_text(names, id));
    dictionary_release(ok ? names : &common);
    if (ok)
        *names = common;
    entries_release(&all);
    lists_release(&lists);
    return ok;
}

/* ---- Features ---- */

/* Features of words, or of edges, while strings get the numbers `string`. */
struct features {
    const struct templates *templates;
    struct feature_index *index;
    uint32_t known;
    bool edge;
    const uint32_t *string;
};

/* Returns the record of a feature, with the numbers that strings have now. */
static uint32_t rewrite(const struct features *f, uint32_t feature, uint32_t record[1 + MAX_MACROS])
{
    uint64_t from = f->index->record_start[feature];
    uint32_t length = (uint32_t)(f->index->record_start[feature + 1] - from);
    memcpy(record, f->index->record + from, sizeof *record * length);
    for (uint32_t i = 1; i < length; i++)
        record[i] = f->string[record[i]];
    return length;
}

static bool list_features(const struct features *f, const struct growth *growth, struct lists *lists,
                          struct vouch_error *err)
{
    uint32_t feature = f->known, record[1 + MAX_MACROS];
    for (size_t g = 0; g < growth->count; g++)
        for (; feature < growth->after[g].size; feature++) {
            uint32_t size = rewrite(f, feature, record) * (uint32_t)sizeof *record;
            if (!list_entry(lists, (struct entry_head){growth->after[g].sentence, feature, size}, record, err))
                return false;
        }
    return true;
}

/* Makes an index of the first `known` features and of all that were met. */
static bool number_features(const struct features *f, struct feature_index *common, const struct entries *all,
                            struct vouch_error *err)
{
    uint32_t record[1 + MAX_MACROS], length;
    uint64_t key;
    for (size_t i = 0; i < f->known + all->count; i++) {
        if (i < f->known)
            length = rewrite(f, (uint32_t)i, record);
        else {
            const struct entry *entry = &all->entry[i - f->known];
            memcpy(record, entry->bytes, entry->head.length);
            length = entry->head.length / (uint32_t)sizeof *record;
        }
        if (!tag_feature_key(f->templates, f->edge, record, length, &key))
            return fail(err, VOUCH_ERR_FORMAT, "another rank has features of other templates");
        if (feature_index_add(common, key, record, length, err) == NO_FEATURE)
            return false;
    }
    return true;
}

static bool number_features_alike(const struct ranks *ranks, const struct features *f, const struct growth *growth,
                                  uint32_t **renamed, struct vouch_error *err)
{
    struct lists lists = {0};
    struct entries all = {0};
    struct feature_index common = {0};
    uint32_t record[1 + MAX_MACROS], count = feature_index_count(f->index);
    *renamed = new_array(count, sizeof **renamed, err);
    bool ok = *renamed && lists_init(&lists, ranks, err) && list_features(f, growth, &lists, err) &&
              merge_all(ranks, &lists, &all, err) && number_features(f, &common, &all, err);
    for (uint32_t feature = 0; ok && feature < count; feature++) {
        uint64_t key = 0;
        uint32_t length = rewrite(f, feature, record);
        tag_feature_key(f->templates, f->edge, record, length, &key);
        (*renamed)[feature] = feature_index_find(&common, key);
    }
    feature_index_release(ok ? f->index : &common);
    if (ok)
        *f->index = common;
    entries_release(&all);
    lists_release(&lists);
    return ok;
}

/* ---- Vocabularies ---- */

bool vocabulary_growth_note(struct vocabulary_growth *growth, uint32_t sentence, struct vouch_error *err)
{
    const struct vocabulary *v = growth->vocabulary;
    return growth_note(&growth->strings, sentence, v->strings.table.count, err) &&
           growth_note(&growth->node, sentence, feature_index_count(&v->node), err) &&
           growth_note(&growth->edge, sentence, feature_index_count(&v->edge), err);
}

void vocabulary_growth_release(struct vocabulary_growth *growth)
{
    growth_release(&growth->strings);
    growth_release(&growth->node);
    growth_release(&growth->edge);
}

bool number_vocabulary_alike(const struct ranks *ranks, struct vocabulary_growth *growth, uint32_t **node,
                             uint32_t **edge, struct vouch_error *err)
{
    struct vocabulary *own = growth->vocabulary;
    static const struct vocabulary nothing;
    const struct vocabulary *known = growth->known ? growth->known : &nothing;
    uint32_t *string = new_array((size_t)own->strings.table.count + 1, sizeof *string, err);
    struct features of_words = {growth->templates, &own->node, feature_index_count(&known->node), false, string};
    struct features of_edges = {growth->templates, &own->edge, feature_index_count(&known->edge), true, string};
    bool ok = string &&
              number_names_alike(ranks, &own->strings, known->strings.table.count, &growth->strings, string, err) &&
              number_features_alike(ranks, &of_words, &growth->node, node, err) &&
              number_features_alike(ranks, &of_edges, &growth->edge, edge, err);
    free(string);
    return ok;
}
