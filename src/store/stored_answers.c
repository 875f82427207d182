/*
 * Answers: as JSON in the store, word by word in memory, and merged over annotators.
 *
 * Merging a sentence that K annotators decided on in D decisions costs O(N (D + K^2)). A word has a vote for each
 * annotator: the last that he said of it in a decision that stands. Heads and relations of a word go together, as one
 * vote.
 */
#include "base/json_read.h"
#include "store/sql.h"

#include <inttypes.h>

/* ---- As JSON ---- */

void answer_room_release(struct answer_room *room)
{
    json_decref(room->json);
    free(room->label);
    free(room->head);
    *room = (struct answer_room){0};
}

static bool fail_answer(struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "expected an answer, {\"labels\": [...]} or {\"heads\": [...], \"relations\": "
                                       "[...]}, found other JSON");
}

static bool read_labels(struct answer_room *room, const json_t *list, struct vouch_error *err)
{
    size_t count = json_array_size(list);
    if (!RESERVE(room->label, room->label_capacity, count + 1, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_string(item) && !json_is_null(item))
            return fail_answer(err);
        room->label[i] = (struct text){json_string_value(item), (uint32_t)json_string_length(item)};
    }
    return true;
}

static bool read_heads(struct answer_room *room, const json_t *list, struct vouch_error *err)
{
    size_t count = json_array_size(list);
    if (!RESERVE(room->head, room->head_capacity, count + 1, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *item = json_array_get(list, i);
        json_int_t head = json_integer_value(item);
        if ((!json_is_integer(item) && !json_is_null(item)) || head < 0 || head > (json_int_t)count)
            return fail_answer(err);
        room->head[i] = json_is_null(item) ? HEAD_OPEN : (uint32_t)head;
    }
    return true;
}

bool answer_read(struct answer_room *room, struct text json, struct store_answer *answer, struct vouch_error *err)
{
    json_error_t error;
    *answer = (struct store_answer){0};
    json_decref(room->json);
    room->json = NULL;
    if (!json.at)
        return true;
    room->json = json_read(json.at, json.length, JSON_DECODE_ANY, &error);
    if (!room->json)
        return json_lacked_memory(&error) ? fail_memory(err) : fail_answer(err);
    if (json_is_null(room->json))
        return true;
    const json_t *heads = json_object_get(room->json, "heads");
    const json_t *labels = json_object_get(room->json, heads ? "relations" : "labels");
    const json_t *first = heads ? heads : labels;
    bool sound = json_is_array(first) && (!labels || json_is_array(labels)) &&
                 (!labels || json_array_size(labels) == json_array_size(first));
    if (!sound)
        return fail_answer(err);
    if ((labels && !read_labels(room, labels, err)) || (heads && !read_heads(room, heads, err)))
        return false;
    *answer = (struct store_answer){.words = (uint32_t)json_array_size(first),
                                    .label = labels ? room->label : NULL,
                                    .head = heads ? room->head : NULL};
    return true;
}

bool answer_in_row(struct answer_room *room, const struct sql *sql, int column, int64_t words,
                   struct store_answer *answer, struct vouch_error *err)
{
    if (!answer_read(room, sql_text(sql, column), answer, err))
        return fail_within(err, "%s", sql->store->path);
    return answer->words == 0 || answer->words == words ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected an answer for %" PRId64 " words, found %" PRIu32, sql->store->path,
                words, answer->words);
}

/* Appends a value, or null if it is open; false without memory. */
static bool append(json_t *list, bool open, json_t *value)
{
    return json_array_append_new(list, open ? json_null() : value) == 0;
}

json_t *store_answer_json(const struct store_answer *answer)
{
    if (answer->words == 0)
        return json_null();
    json_t *object = json_object(), *heads = answer->head ? json_array() : NULL, *labels = json_array();
    bool ok = true;
    for (uint32_t i = 0; i < answer->words; i++) {
        struct text label = answer->label ? answer->label[i] : (struct text){NULL, 0};
        ok = append(labels, !label.at, label.at ? json_stringn(label.at, label.length) : NULL) && ok;
        bool open = answer->head && answer->head[i] == HEAD_OPEN;
        ok = (!heads || append(heads, open, open ? NULL : json_integer(answer->head[i]))) && ok;
    }
    ok = (!answer->head || json_object_set_new(object, "heads", heads) == 0) && ok;
    ok = json_object_set_new(object, answer->head ? "relations" : "labels", labels) == 0 && ok;
    if (ok)
        return object;
    json_decref(object);
    return NULL;
}

bool answer_write(const struct store_answer *answer, char **json, struct vouch_error *err)
{
    *json = NULL;
    if (answer->words == 0)
        return true;
    json_t *value = store_answer_json(answer);
    *json = value ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    return *json || fail_memory(err);
}

/* ---- Word by word ---- */

bool answer_open(const struct store_answer *answer, uint32_t word)
{
    if (word >= answer->words)
        return true;
    if (answer->head)
        return answer->head[word] == HEAD_OPEN;
    return !answer->label || !answer->label[word].at;
}

bool answer_whole(const struct store_answer *answer)
{
    for (uint32_t i = 0; i < answer->words; i++)
        if (answer_open(answer, i) ||
            (answer->label && (text_is(answer->label[i], "_") || text_is(answer->label[i], "?"))))
            return false;
    return answer->words > 0;
}

static struct text label_of(const struct store_answer *answer, uint32_t word)
{
    return answer->label && answer->label[word].at ? answer->label[word] : (struct text){"", 0};
}

bool answer_same(const struct store_answer *a, const struct store_answer *b, uint32_t word)
{
    if (answer_open(a, word) || answer_open(b, word))
        return answer_open(a, word) && answer_open(b, word);
    uint32_t first = a->head ? a->head[word] : 0, second = b->head ? b->head[word] : 0;
    return first == second && text_equal(label_of(a, word), label_of(b, word));
}

void answer_build_release(struct answer_build *build)
{
    free(build->label);
    free(build->head);
    free(build->walk);
    *build = (struct answer_build){0};
}

bool answer_build_begin(struct answer_build *build, uint32_t words, bool trees, struct vouch_error *err)
{
    if (!RESERVE(build->label, build->label_capacity, (size_t)words + 1, err) ||
        (trees && !RESERVE(build->head, build->head_capacity, (size_t)words + 1, err)))
        return false;
    for (uint32_t i = 0; i < words; i++) {
        build->label[i] = (struct text){NULL, 0};
        if (trees)
            build->head[i] = HEAD_OPEN;
    }
    build->answer = (struct store_answer){.words = words, .label = build->label, .head = trees ? build->head : NULL};
    return true;
}

/* A head that comes without a relation leaves the one that is there. */
void answer_build_take(struct answer_build *build, const struct store_answer *from, uint32_t word)
{
    if (answer_open(from, word))
        return;
    if (build->answer.head)
        build->head[word] = from->head ? from->head[word] : HEAD_OPEN;
    if (from->label && from->label[word].at)
        build->label[word] = from->label[word];
}

void answer_build_take_all(struct answer_build *build, const struct store_answer *from)
{
    for (uint32_t i = 0; i < from->words && i < build->answer.words; i++)
        answer_build_take(build, from, i);
}

bool answer_build_cycle(struct answer_build *build, uint32_t *word, struct vouch_error *err)
{
    uint32_t N = build->answer.words;
    *word = 0;
    if (!build->answer.head)
        return true;
    if (!RESERVE(build->walk, build->walk_capacity, 2 * ((size_t)N + 1), err))
        return false;
    uint32_t *known = build->walk + N + 1;
    for (uint32_t i = 0; i < N; i++)
        known[i] = build->head[i] == HEAD_OPEN ? 0 : build->head[i];
    *word = heads_cycle(known, N, build->walk);
    return true;
}

/* ---- Merged ---- */

/* A decision about the sentence at hand. */
struct vote {
    int64_t id, annotator;
    bool blind;
    struct store_answer answer;
    struct answer_room room;
};

struct merging {
    const struct answer_query *query;
    struct stored_answer answer; /* of the sentence at hand */
    uint32_t words;
    bool trees, changed;
    struct vote *vote; /* [votes] of the sentence at hand, by number */
    size_t votes, capacity;
    struct store_answer given;
    struct answer_room given_room;
    struct answer_build merged;
    struct answer_build *said; /* [annotators] what each says */
    int64_t *who;              /* [annotators] */
    struct store_answer *by;   /* [annotators] `said`, without its memory */
    size_t annotators, said_capacity, who_capacity, by_capacity;
};

static void merging_release(struct merging *m)
{
    for (size_t i = 0; i < m->capacity; i++)
        answer_room_release(&m->vote[i].room);
    for (size_t i = 0; i < m->said_capacity; i++)
        answer_build_release(&m->said[i]);
    answer_room_release(&m->given_room);
    answer_build_release(&m->merged);
    free(m->vote);
    free(m->said);
    free(m->who);
    free(m->by);
}

/* Makes room for one more, whose memory is zeroed when it is new. */
static bool more_votes(struct merging *m, struct vouch_error *err)
{
    size_t before = m->capacity;
    if (!RESERVE(m->vote, m->capacity, m->votes + 1, err))
        return false;
    memset(m->vote + before, 0, (m->capacity - before) * sizeof *m->vote);
    return true;
}

static bool more_annotators(struct merging *m, struct vouch_error *err)
{
    size_t before = m->said_capacity;
    if (!RESERVE(m->who, m->who_capacity, m->annotators + 1, err) ||
        !RESERVE(m->by, m->by_capacity, m->annotators + 1, err) ||
        !RESERVE(m->said, m->said_capacity, m->annotators + 1, err))
        return false;
    memset(m->said + before, 0, (m->said_capacity - before) * sizeof *m->said);
    return true;
}

/* Puts the votes of each annotator together. */
static bool gather(struct merging *m, struct vouch_error *err)
{
    m->annotators = 0;
    for (size_t v = 0; v < m->votes; v++) {
        size_t a = 0;
        while (a < m->annotators && m->who[a] != m->vote[v].annotator)
            a++;
        if (a == m->annotators) {
            if (!more_annotators(m, err) || !answer_build_begin(&m->said[a], m->words, m->trees, err))
                return false;
            m->who[a] = m->vote[v].annotator;
            m->annotators++;
        }
        answer_build_take_all(&m->said[a], &m->vote[v].answer);
    }
    return true;
}

/* Takes what most annotators say of a word, if more than any other answer; with `all`, if none says another. */
static void take_vote(struct merging *m, uint32_t word, bool all)
{
    size_t best = 0, most = 0, second = 0, voters = 0;
    for (size_t a = 0; a < m->annotators; a++) {
        size_t count = 0, earlier = 0;
        if (answer_open(&m->said[a].answer, word))
            continue;
        voters++;
        for (size_t b = 0; b < m->annotators; b++) {
            bool same = answer_same(&m->said[a].answer, &m->said[b].answer, word);
            count += same;
            earlier += same && b < a;
        }
        if (earlier > 0)
            continue; /* counted already */
        if (count > most) {
            second = most;
            most = count;
            best = a;
        } else if (count > second) {
            second = count;
        }
    }
    if (most > (all ? voters - 1 : second))
        answer_build_take(&m->merged, &m->said[best].answer, word);
}

/* Merges the latest votes: by number, so that the last one wins. */
static void take_latest(struct merging *m, int64_t annotator)
{
    for (size_t v = 0; v < m->votes; v++)
        if (annotator == 0 || m->vote[v].annotator == annotator)
            answer_build_take_all(&m->merged, &m->vote[v].answer);
}

/* Whether the merged heads, over the given ones, have a cycle. */
static bool has_cycle(struct merging *m, bool *cycle, struct vouch_error *err)
{
    uint32_t word = 0;
    struct answer_build whole = {0};
    bool ok = answer_build_begin(&whole, m->words, m->trees, err);
    if (ok) {
        answer_build_take_all(&whole, &m->given);
        answer_build_take_all(&whole, &m->merged.answer);
        ok = answer_build_cycle(&whole, &word, err);
    }
    answer_build_release(&whole);
    *cycle = word != 0;
    return ok;
}

static bool merge(struct merging *m, struct vouch_error *err)
{
    bool cycle = false;
    if (!gather(m, err) || !answer_build_begin(&m->merged, m->words, m->trees, err))
        return false;
    for (uint32_t i = 0; i < m->words && m->query->merge != MERGE_LATEST; i++)
        take_vote(m, i, m->query->merge == MERGE_AGREED);
    if (m->query->merge == MERGE_LATEST)
        take_latest(m, 0);
    if (m->trees && m->annotators > 1 && !has_cycle(m, &cycle, err))
        return false;
    if (!cycle)
        return true;
    if (!answer_build_begin(&m->merged, m->words, m->trees, err))
        return false;
    take_latest(m, m->vote[m->votes - 1].annotator);
    return true;
}

/* Hands over the sentence at hand, if a word of it was decided on. */
static bool hand_over(struct merging *m, stored_answer_visit visit, void *context, struct vouch_error *err)
{
    if (m->votes == 0)
        return true;
    if (!merge(m, err))
        return false;
    m->answer.given = &m->given;
    m->answer.decided = &m->merged.answer;
    m->answer.annotators = (uint32_t)m->annotators;
    m->answer.annotator = m->who;
    m->answer.by = m->by;
    for (size_t a = 0; a < m->annotators; a++)
        m->by[a] = m->said[a].answer;
    m->answer.blind = false;
    for (size_t v = 0; v < m->votes; v++)
        m->answer.blind = m->answer.blind || m->vote[v].blind;
    return visit(context, &m->answer, err);
}

enum { COLUMN_SENTENCE, COLUMN_DOCUMENT, COLUMN_PLACE, COLUMN_WORDS, COLUMN_GIVEN, COLUMN_TREES, COLUMN_ID,
       COLUMN_ANNOTATOR, COLUMN_KIND, COLUMN_AFTER, COLUMN_BLIND, COLUMN_CHANGED };

static bool begin_sentence(struct merging *m, const struct sql *sql, struct vouch_error *err)
{
    m->answer = (struct stored_answer){.sentence = sql_whole(sql, COLUMN_SENTENCE),
                                       .document = sql_whole(sql, COLUMN_DOCUMENT),
                                       .place = (uint64_t)sql_whole(sql, COLUMN_PLACE)};
    m->words = (uint32_t)sql_whole(sql, COLUMN_WORDS);
    m->trees = sql_whole(sql, COLUMN_TREES);
    m->votes = 0;
    m->changed = false;
    return answer_in_row(&m->given_room, sql, COLUMN_GIVEN, m->words, &m->given, err);
}

/* Notes a decision about the sentence at hand. */
static bool add_vote(struct merging *m, const struct sql *sql, struct vouch_error *err)
{
    enum decision_kind kind = DECISION_SKIP;
    decision_kind_named(sql_string(sql, COLUMN_KIND), &kind);
    m->changed = m->changed || sql_whole(sql, COLUMN_CHANGED);
    m->answer.last = sql_whole(sql, COLUMN_ID);
    m->answer.state = state_after(kind, m->changed);
    if (!decision_answers(kind))
        return true;
    if (!more_votes(m, err))
        return false;
    struct vote *vote = &m->vote[m->votes++];
    vote->id = m->answer.last;
    vote->annotator = sql_whole(sql, COLUMN_ANNOTATOR);
    vote->blind = sql_whole(sql, COLUMN_BLIND);
    return answer_in_row(&vote->room, sql, COLUMN_AFTER, m->words, &vote->answer, err);
}

/* Decisions up to a number are what stood then: later undoes and redoes do not count either. */
#define VOTES(condition)                                                                                               \
    "SELECT s.id, s.document, s.place, s.words, s.given, c.trees, d.id, d.annotator, d.kind, d.after, d.blind, "       \
    "d.changed FROM decisions AS d JOIN sentences AS s ON s.id = d.sentence JOIN documents AS c ON c.id = "            \
    "s.document WHERE d.kind IN " STATE_KINDS " AND d.id <= ?1 AND (?2 = 0 OR d.annotator = ?2) AND (?3 = 0 OR "       \
    "d.blind = (?3 = 1)) AND " condition " AND coalesce((SELECT u.kind FROM decisions AS u WHERE u.of = d.id AND "     \
    "u.kind IN ('undo', 'redo') AND u.id <= ?1 ORDER BY u.id DESC LIMIT 1), 'redo') = 'redo' ORDER BY c.position, "    \
    "s.piece, d.id"

/* Visits the answers that `text` finds; `which` is the number in its condition. */
static bool visit_answers(struct store *store, const char *text, const struct answer_query *query, int64_t which,
                          stored_answer_visit visit, void *context, struct vouch_error *err)
{
    struct merging m = {.query = query};
    struct sql sql;
    bool ok = sql_open(&sql, store, err, text, "iiii", query->upto ? query->upto : INT64_MAX, query->annotator,
                       (int64_t)query->blind, which);
    while (sql_next(&sql, &ok, err)) {
        if (sql_whole(&sql, COLUMN_SENTENCE) != m.answer.sentence)
            ok = hand_over(&m, visit, context, err) && begin_sentence(&m, &sql, err);
        ok = ok && add_vote(&m, &sql, err);
    }
    ok = ok && hand_over(&m, visit, context, err);
    sql_close(&sql);
    merging_release(&m);
    return ok;
}

bool store_answers(struct store *store, const struct answer_query *query, stored_answer_visit visit, void *context,
                   struct vouch_error *err)
{
    return visit_answers(store, VOTES("(?4 = 0 OR s.document = ?4)"), query, query->document, visit, context, err);
}

bool answers_of_sentence(struct store *store, const struct answer_query *query, int64_t sentence,
                         stored_answer_visit visit, void *context, struct vouch_error *err)
{
    return visit_answers(store, VOTES("d.sentence = ?4"), query, sentence, visit, context, err);
}
