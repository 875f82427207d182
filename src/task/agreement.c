/* Lets ranks number things alike: see agreement.h. */
#include "task/agreement.h"

#include "base/buffer.h"
#include "base/hash.h"

#include <string.h>

/* ---- How things grew ---- */

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

/* What a rank tells of a thing that it has met, before its bytes. */
struct telling {
    uint32_t sentence, turn; /* turns of one sentence are counted by one rank: that which has the sentence */
    uint32_t length;
};

/* A thing that was told; its bytes lie in the list. */
struct met {
    uint64_t hash;
    const char *bytes;
    struct telling told;
};

struct meeting {
    struct gathered gathered;
    struct met *met; /* [count] */
    size_t count;
};

/* The lists of a rank: things whose hashes leave the remainder r go to rank r, which finds those that are the same. */
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

static bool add_telling(struct buffer *list, const struct telling *told, const char *bytes, struct vouch_error *err)
{
    return buffer_add(list, (struct text){(const char *)told, sizeof *told}, err) &&
           buffer_add(list, (struct text){bytes, told->length}, err);
}

/* Not inlined: gcc warns of branches of the hash for things that are longer than any record. */
__attribute__((noinline)) static uint64_t hash_of(const char *bytes, uint32_t length)
{
    return hash_bytes(bytes, length);
}

/* Adds a thing to the list of the rank that is to hear of it. */
static bool tell(struct lists *lists, struct telling told, const void *bytes, struct vouch_error *err)
{
    return add_telling(&lists->of[hash_of(bytes, told.length) % lists->ranks], &told, bytes, err);
}

static int by_hash(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->told.length != y->told.length)
        return x->told.length < y->told.length ? -1 : 1;
    int differ = memcmp(x->bytes, y->bytes, x->told.length);
    return differ ? differ : (x->told.sentence > y->told.sentence) - (x->told.sentence < y->told.sentence);
}

static int by_turn(const void *a, const void *b)
{
    const struct met *x = a, *y = b;
    if (x->told.sentence != y->told.sentence)
        return x->told.sentence < y->told.sentence ? -1 : 1;
    return (x->told.turn > y->told.turn) - (x->told.turn < y->told.turn);
}

/* Reads the next thing of a list, at *at. */
static struct met next_met(const char *list, uint64_t *at)
{
    struct met met = {.bytes = list + *at + sizeof met.told};
    memcpy(&met.told, list + *at, sizeof met.told);
    met.hash = hash_of(met.bytes, met.told.length);
    *at += sizeof met.told + met.told.length;
    return met;
}

/* Reads what was gathered. Release in any case. */
static bool read_meeting(struct meeting *meeting, struct vouch_error *err)
{
    const struct gathered *gathered = &meeting->gathered;
    uint64_t end = gathered->start[gathered->count];
    meeting->count = 0;
    for (uint64_t at = 0; at < end; meeting->count++)
        next_met(gathered->bytes, &at);
    meeting->met = new_array(meeting->count, sizeof *meeting->met, err);
    for (uint64_t at = 0, i = 0; meeting->met && at < end; i++)
        meeting->met[i] = next_met(gathered->bytes, &at);
    return meeting->met != NULL;
}

static void meeting_release(struct meeting *meeting)
{
    gathered_release(&meeting->gathered);
    free(meeting->met);
    *meeting = (struct meeting){0};
}

static bool same_thing(const struct met *a, const struct met *b)
{
    return a->hash == b->hash && a->told.length == b->told.length && memcmp(a->bytes, b->bytes, a->told.length) == 0;
}

/* Hears of the things that are this rank's to tell apart, and lists each once, where it was met first. */
static bool hear(const struct ranks *ranks, const struct lists *lists, struct buffer *heard, struct vouch_error *err)
{
    struct meeting meeting = {0};
    bool ok = true;
    for (uint32_t r = 0; ok && r < lists->ranks; r++) {
        struct gathered gathered;
        ok = ranks_gather(ranks, lists->of[r].bytes, lists->of[r].length, r, &gathered, err);
        if (r == ranks_own(ranks))
            meeting.gathered = gathered;
        else
            gathered_release(&gathered);
    }
    ok = ok && read_meeting(&meeting, err);
    if (ok)
        qsort(meeting.met, meeting.count, sizeof *meeting.met, by_hash);
    for (size_t i = 0; ok && i < meeting.count; i++)
        if (i == 0 || !same_thing(&meeting.met[i - 1], &meeting.met[i]))
            ok = add_telling(heard, &meeting.met[i].told, meeting.met[i].bytes, err);
    meeting_release(&meeting);
    return ok;
}

/* Collects every thing that some rank has met, once, in the order in which the corpus has them. Release in any case. */
static bool meet(const struct ranks *ranks, const struct lists *lists, struct meeting *meeting, struct vouch_error *err)
{
    struct buffer heard = {0};
    *meeting = (struct meeting){0};
    bool ok = hear(ranks, lists, &heard, err) &&
              ranks_gather(ranks, heard.bytes, heard.length, FOR_ALL, &meeting->gathered, err) &&
              read_meeting(meeting, err);
    if (ok)
        qsort(meeting->met, meeting->count, sizeof *meeting->met, by_turn);
    free(heard.bytes);
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
            if (!tell(lists, (struct telling){growth->after[g].sentence, id, name.length}, name.at, err))
                return false;
        }
    return true;
}

/* Makes a dictionary of the first `known` names and of what was met. */
static bool number_names(struct dictionary *agreed, const struct dictionary *names, uint32_t known,
                         const struct meeting *meeting, struct vouch_error *err)
{
    for (uint32_t id = 1; id <= known; id++)
        if (!dictionary_add(agreed, dictionary_text(names, id), err))
            return false;
    for (size_t i = 0; i < meeting->count; i++)
        if (!dictionary_add(agreed, (struct text){meeting->met[i].bytes, meeting->met[i].told.length}, err))
            return false;
    return true;
}

bool agree_on_names(const struct ranks *ranks, struct dictionary *names, uint32_t known, const struct growth *growth,
                    uint32_t *renamed, struct vouch_error *err)
{
    struct lists lists = {0};
    struct meeting meeting = {0};
    struct dictionary agreed = {0};
    bool ok = lists_init(&lists, ranks, err) && list_names(names, known, growth, &lists, err) &&
              meet(ranks, &lists, &meeting, err) && number_names(&agreed, names, known, &meeting, err);
    for (uint32_t id = 1; ok && id <= names->table.count; id++)
        renamed[id] = dictionary_find(&agreed, dictionary_text(names, id));
    if (ok) {
        dictionary_release(names);
        *names = agreed;
    } else
        dictionary_release(&agreed);
    meeting_release(&meeting);
    lists_release(&lists);
    return ok;
}

/* ---- Features ---- */

/* Features of words, or of edges, while strings get the numbers `string`. */
struct features {
    const struct templates *templates;
    const struct feature_index *index;
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
            if (!tell(lists, (struct telling){growth->after[g].sentence, feature, size}, record, err))
                return false;
        }
    return true;
}

static bool number_feature(const struct features *f, struct feature_index *agreed, const uint32_t *record,
                           uint32_t length, struct vouch_error *err)
{
    uint64_t key;
    return (tag_feature_key(f->templates, f->edge, record, length, &key) ||
            fail(err, VOUCH_ERR_FORMAT, "another rank has features of other templates")) &&
           feature_index_add(agreed, key, record, length, err) != NO_FEATURE;
}

static bool number_features(const struct features *f, struct feature_index *agreed, const struct meeting *meeting,
                            struct vouch_error *err)
{
    uint32_t record[1 + MAX_MACROS];
    for (uint32_t feature = 0; feature < f->known; feature++) {
        uint32_t length = rewrite(f, feature, record);
        if (!number_feature(f, agreed, record, length, err))
            return false;
    }
    for (size_t i = 0; i < meeting->count; i++) {
        const struct met *met = &meeting->met[i];
        memcpy(record, met->bytes, met->told.length);
        if (!number_feature(f, agreed, record, met->told.length / (uint32_t)sizeof *record, err))
            return false;
    }
    return true;
}

static void find_renamed(const struct features *f, const struct feature_index *agreed, uint32_t *renamed)
{
    uint32_t record[1 + MAX_MACROS];
    for (uint32_t feature = 0; feature < feature_index_count(f->index); feature++) {
        uint64_t key = 0;
        uint32_t length = rewrite(f, feature, record);
        tag_feature_key(f->templates, f->edge, record, length, &key);
        renamed[feature] = feature_index_find(agreed, key);
    }
}

static bool agree_on_features(const struct ranks *ranks, const struct features *f, struct feature_index *index,
                              const struct growth *growth, uint32_t **renamed, struct vouch_error *err)
{
    struct lists lists = {0};
    struct meeting meeting = {0};
    struct feature_index agreed = {0};
    *renamed = new_array(feature_index_count(index), sizeof **renamed, err);
    bool ok = *renamed && lists_init(&lists, ranks, err) && list_features(f, growth, &lists, err) &&
              meet(ranks, &lists, &meeting, err) && number_features(f, &agreed, &meeting, err);
    if (ok) {
        find_renamed(f, &agreed, *renamed);
        feature_index_release(index);
        *index = agreed;
    } else
        feature_index_release(&agreed);
    meeting_release(&meeting);
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

bool agree_on_vocabulary(const struct ranks *ranks, struct vocabulary_growth *growth, uint32_t **node, uint32_t **edge,
                         struct vouch_error *err)
{
    struct vocabulary *own = growth->vocabulary;
    const struct vocabulary *known = growth->known;
    uint32_t *string = new_array((size_t)own->strings.table.count + 1, sizeof *string, err);
    struct features of_words = {growth->templates, &own->node, known ? feature_index_count(&known->node) : 0, false,
                                string};
    struct features of_edges = {growth->templates, &own->edge, known ? feature_index_count(&known->edge) : 0, true,
                                string};
    bool ok = string &&
              agree_on_names(ranks, &own->strings, known ? known->strings.table.count : 0, &growth->strings, string,
                             err) &&
              agree_on_features(ranks, &of_words, &own->node, &growth->node, node, err) &&
              agree_on_features(ranks, &of_edges, &own->edge, &growth->edge, edge, err);
    free(string);
    return ok;
}
