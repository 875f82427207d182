/*
 * Decisions, and what follows from them: states. See store.h.
 *
 * A decision is written in one transaction, which first reads what stood, so that `before` and `changed` are facts of
 * the store, whatever the client believes. Heads must stay without a cycle: the answer that stands afterwards is looked
 * at before the commit, which also refuses an undo that would leave none.
 */
#include "base/json_read.h"
#include "store/sql.h"

#include <inttypes.h>
#include <math.h>

static const char *const kind_names[DECISION_KINDS] = {"accept",  "edit",        "skip", "flag",
                                                       "comment", "acknowledge", "undo", "redo"};
static const char *const state_names[SENTENCE_STATES] = {"unseen", "unchanged", "changed", "skipped", "flagged"};

const char *decision_kind_name(enum decision_kind kind)
{
    return kind_names[kind];
}

bool decision_kind_named(const char *name, enum decision_kind *kind)
{
    for (int i = 0; i < DECISION_KINDS; i++)
        if (strcmp(kind_names[i], name) == 0) {
            *kind = (enum decision_kind)i;
            return true;
        }
    return false;
}

const char *sentence_state_name(enum sentence_state state)
{
    return state_names[state];
}

enum sentence_state state_after(enum decision_kind kind, bool changed)
{
    if (kind == DECISION_SKIP)
        return STATE_SKIPPED;
    if (kind == DECISION_FLAG)
        return STATE_FLAGGED;
    return changed ? STATE_CHANGED : STATE_UNCHANGED;
}

/* ---- Deciding ---- */

/* A decision on its way, and the sentence that it is about. */
struct deciding {
    struct store *store;
    struct store_decision decision;
    uint32_t words;
    bool trees, spaced; /* it is a tree; labels may have blanks */
    struct answer_room room;
    struct store_answer given;
    struct answer_build whole; /* scratch: an answer over the given one */
    char *before, *after, *shown; /* as JSON */
    uint32_t cycle;
};

static void deciding_release(struct deciding *d)
{
    answer_room_release(&d->room);
    answer_build_release(&d->whole);
    free(d->before);
    free(d->after);
    free(d->shown);
}

#define refuse(err, ...) fail(err, VOUCH_ERR_ARGUMENT, __VA_ARGS__)

static bool find_sentence(struct deciding *d, struct vouch_error *err)
{
    struct sql sql;
    enum reading state = READ_FAILED;
    bool ok = sql_open(&sql, d->store, err,
                       "SELECT s.words, s.given, c.trees, c.format = 'jsonl' FROM sentences AS s JOIN documents AS c "
                       "ON c.id = s.document WHERE s.id = ? AND s.place IS NOT NULL",
                       "i", d->decision.sentence) &&
              (state = sql_row(&sql, err)) != READ_FAILED;
    if (ok && state == READ_END)
        ok = refuse(err, "expected a sentence of the store, found number %" PRId64, d->decision.sentence);
    if (ok) {
        d->words = (uint32_t)sql_whole(&sql, 0);
        d->trees = sql_whole(&sql, 2);
        d->spaced = sql_whole(&sql, 3);
        ok = answer_in_row(&d->room, &sql, 1, d->words, &d->given, err);
    }
    /* The labels that were read are in d->room, not in the row. */
    sql_close(&sql);
    return ok;
}

/* A label that would not be read again as it was written is none. */
static bool check_label(const struct deciding *d, uint32_t word, struct text label, struct vouch_error *err)
{
    bool sound = label.length > 0 && utf8_check(label.at, label.length) == label.length;
    for (uint32_t i = 0; sound && i < label.length; i++)
        sound = (unsigned char)label.at[i] > ' ' || (d->spaced && label.at[i] == ' ');
    return sound || refuse(err, "word %" PRIu32 ": expected a label without blanks, found \"%.*s\"", word + 1,
                           excerpt(label), label.at);
}

static bool check_head(const struct deciding *d, uint32_t word, uint32_t head, struct vouch_error *err)
{
    return (head <= d->words && head != word + 1) ||
           refuse(err, "word %" PRIu32 ": expected another word from 1 to %" PRIu32 " or 0 as its head, found %" PRIu32,
                  word + 1, d->words, head);
}

/* Fails unless an answer fits the sentence; `of` says which one it is. */
static bool check_answer(const struct deciding *d, const struct store_answer *answer, const char *of,
                         struct vouch_error *err)
{
    if (answer->words == 0)
        return true;
    if (answer->words != d->words)
        return refuse(err, "expected an answer (%s) for %" PRIu32 " words, found one for %" PRIu32, of, d->words,
                      answer->words);
    if ((answer->head != NULL) != d->trees)
        return refuse(err, "expected %s (%s), found %s", d->trees ? "heads" : "labels", of,
                      d->trees ? "labels" : "heads");
    bool ok = true;
    for (uint32_t i = 0; ok && i < d->words; i++) {
        if (answer_open(answer, i))
            continue;
        ok = (!answer->head || check_head(d, i, answer->head[i], err)) &&
             (!answer->label || !answer->label[i].at || check_label(d, i, answer->label[i], err));
    }
    return ok;
}

static bool check_details(const char *details, struct vouch_error *err)
{
    json_error_t error;
    json_t *value = details ? json_read_string(details, JSON_DECODE_ANY, &error) : NULL;
    if (details && !value)
        return json_lacked_memory(&error) ? fail_memory(err)
                                          : refuse(err, "expected details as JSON, found other text: %s", error.text);
    json_decref(value);
    return true;
}

static bool takes_back(enum decision_kind kind)
{
    return kind == DECISION_UNDO || kind == DECISION_REDO;
}

static bool check_decision(const struct deciding *d, struct vouch_error *err)
{
    const struct store_decision *made = &d->decision;
    bool answers = decision_answers(made->kind), decided = false;
    if (answers && made->after.words == 0)
        return refuse(err, "expected an answer, found none");
    if (!answers && made->after.words)
        return refuse(err, "expected no answer with a decision to %s", kind_names[made->kind]);
    if (made->blind && made->shown.words)
        return refuse(err, "expected a blind decision to have been shown nothing, found an answer");
    if (made->from > made->to || made->to > d->words)
        return refuse(err, "expected words from 0 to %" PRIu32 ", found %" PRIu32 " to %" PRIu32, d->words, made->from,
                      made->to);
    if (!check_answer(d, &made->after, "after", err) || !check_answer(d, &made->shown, "shown", err) ||
        !check_details(made->details, err))
        return false;
    for (uint32_t i = 0; i < made->after.words; i++)
        decided = decided || !answer_open(&made->after, i);
    return decided || !answers || refuse(err, "expected a word that was decided on, found all open");
}

/* Fails unless the decision that is to be undone is the annotator's and stands, or was undone if it is to be redone. */
static bool check_taken_back(struct deciding *d, struct vouch_error *err)
{
    struct store_decision *made = &d->decision;
    struct sql sql;
    enum reading state = READ_FAILED;
    if (!sql_open(&sql, d->store, err,
                  "SELECT annotator, sentence, kind IN ('undo', 'redo'), id IN (SELECT id FROM standing WHERE id = ?1) "
                  "FROM decisions WHERE id = ?1",
                  "i", made->of) ||
        (state = sql_row(&sql, err)) == READ_FAILED) {
        sql_close(&sql);
        return false;
    }
    bool found = state == READ_SENTENCE && sql_whole(&sql, 0) == made->annotator && !sql_whole(&sql, 2);
    bool stands = found && sql_whole(&sql, 3);
    if (found)
        made->sentence = sql_whole(&sql, 1);
    sql_close(&sql);
    if (!found)
        return refuse(err, "expected a decision of this annotator to %s, found number %" PRId64, kind_names[made->kind],
                      made->of);
    return stands == (made->kind == DECISION_UNDO) ||
           refuse(err, "decision %" PRId64 " %s", made->of, stands ? "stands: there is nothing to redo"
                                                                   : "was undone already");
}

/* Puts `decided` over the answer that was given. */
static bool overlay(struct deciding *d, const struct store_answer *decided, struct vouch_error *err)
{
    if (!answer_build_begin(&d->whole, d->words, d->trees, err))
        return false;
    answer_build_take_all(&d->whole, &d->given);
    if (decided)
        answer_build_take_all(&d->whole, decided);
    return true;
}

/* Whether a word that was decided on differs from what was shown or, if nothing was, from what stood before. */
static bool is_changed(const struct deciding *d)
{
    const struct store_answer *after = &d->decision.after;
    const struct store_answer *against = d->decision.shown.words ? &d->decision.shown : &d->whole.answer;
    for (uint32_t i = 0; i < after->words; i++)
        if (!answer_open(after, i) && !answer_same(after, against, i))
            return true;
    return false;
}

/* Notes what stood before; `decided` NULL: nothing was decided by this annotator. */
static bool note_before(struct deciding *d, const struct store_answer *decided, struct vouch_error *err)
{
    if (!overlay(d, decided, err))
        return false;
    d->decision.changed = is_changed(d);
    bool any = decided || d->given.words;
    return !any || answer_write(&d->whole.answer, &d->before, err);
}

static bool on_before(void *context, const struct stored_answer *answer, struct vouch_error *err)
{
    return note_before(context, answer->decided, err);
}

/* Looks for a cycle in the answer that stands now. */
static bool on_after(void *context, const struct stored_answer *answer, struct vouch_error *err)
{
    struct deciding *d = context;
    return overlay(d, answer->decided, err) && answer_build_cycle(&d->whole, &d->cycle, err);
}

static bool insert(struct deciding *d, int64_t *id, struct vouch_error *err)
{
    const struct store_decision *made = &d->decision;
    bool ok = sql_run(d->store, err,
                      "INSERT INTO decisions (made, annotator, sentence, kind, of, key, after, first, last, note, "
                      "shown, blind, queue, rank, reason, model, confidence, seconds, details, before, changed) VALUES "
                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                      "iiitnttiittitnttddtti", made->when ? made->when : time_now(), made->annotator, made->sentence,
                      kind_names[made->kind], made->of, made->key, d->after, (int64_t)made->from, (int64_t)made->to,
                      made->note, d->shown, (int64_t)made->blind, made->order, (int64_t)made->rank, made->reason,
                      made->model, made->confidence, made->seconds, made->details, d->before, (int64_t)made->changed);
    *id = sqlite3_last_insert_rowid(d->store->db);
    return ok;
}

/* Does all of it within a transaction. */
static bool decide(struct deciding *d, int64_t *id, struct vouch_error *err)
{
    const struct store_decision *made = &d->decision;
    struct answer_query own = {.annotator = made->annotator};
    int64_t known;
    if (!sql_find(d->store, &known, err, "SELECT id FROM annotators WHERE id = ?", "i", made->annotator) ||
        (!known && !refuse(err, "expected an annotator of the store, found number %" PRId64, made->annotator)) ||
        (takes_back(made->kind) && !check_taken_back(d, err)) || !find_sentence(d, err) || !check_decision(d, err) ||
        !answers_of_sentence(d->store, &own, made->sentence, on_before, d, err) ||
        (!d->before && !note_before(d, NULL, err)) || !answer_write(&made->after, &d->after, err) ||
        !answer_write(&made->shown, &d->shown, err) || !insert(d, id, err))
        return false;
    if (d->trees && !answers_of_sentence(d->store, &own, made->sentence, on_after, d, err))
        return false;
    return d->cycle == 0 || refuse(err, "expected a tree, found heads that lead from word %" PRIu32 " back to it",
                                   d->cycle);
}

bool store_decide(struct store *store, const struct store_decision *decision, int64_t *id, struct vouch_error *err)
{
    struct deciding d = {.store = store, .decision = *decision};
    d.decision.changed = false;
    *id = 0;
    if (!sql_begin(store, err))
        return false;
    bool ok = !decision->key || sql_find(store, id, err, "SELECT id FROM decisions WHERE annotator = ? AND key = ?",
                                         "it", decision->annotator, decision->key);
    if (ok && *id == 0)
        ok = decide(&d, id, err);
    ok = sql_end(store, ok, err);
    deciding_release(&d);
    if (!ok)
        *id = 0;
    return ok;
}

/*
 * Undoes or redoes the decision that `text` finds: *taken is its number, 0 if there is none. What was asked for with
 * that key before is not done again.
 */
static bool take_back(struct store *store, int64_t annotator, const char *key, enum decision_kind kind,
                      const char *text, int64_t *taken, struct vouch_error *err)
{
    struct store_decision d = {.annotator = annotator, .key = key, .kind = kind, .confidence = NAN, .seconds = NAN};
    int64_t id;
    *taken = 0;
    if (key && !sql_find(store, taken, err, "SELECT of FROM decisions WHERE annotator = ? AND key = ?", "it", annotator,
                         key))
        return false;
    if (*taken)
        return true;
    if (!sql_find(store, taken, err, text, "i", annotator))
        return false;
    d.of = *taken;
    return *taken == 0 || store_decide(store, &d, &id, err);
}

bool store_undo_last(struct store *store, int64_t annotator, const char *key, int64_t *undone, struct vouch_error *err)
{
    static const char last[] = "SELECT id FROM standing WHERE annotator = ? AND kind IN " STATE_KINDS
                               " ORDER BY id DESC LIMIT 1";
    return take_back(store, annotator, key, DECISION_UNDO, last, undone, err);
}

bool store_redo_last(struct store *store, int64_t annotator, const char *key, int64_t *redone, struct vouch_error *err)
{
    static const char last[] =
        "SELECT u.of FROM decisions AS u WHERE annotator = ?1 AND kind = 'undo' AND id > (SELECT coalesce(max(id), 0) "
        "FROM decisions WHERE annotator = ?1 AND kind IN " STATE_KINDS ") AND NOT EXISTS (SELECT 1 FROM decisions AS r "
        "WHERE r.of = u.of AND r.id > u.id AND r.kind IN ('undo', 'redo')) ORDER BY id DESC LIMIT 1";
    return take_back(store, annotator, key, DECISION_REDO, last, redone, err);
}

/* ---- Reading them ---- */

/* Fills in a decision from a row, with its answers in three rooms. */
static bool read_decision(const struct sql *sql, struct store_decision *d, struct answer_room room[3],
                          struct vouch_error *err)
{
    *d = (struct store_decision){.id = sql_whole(sql, 0),
                                 .when = sql_whole(sql, 1),
                                 .annotator = sql_whole(sql, 2),
                                 .sentence = sql_whole(sql, 3),
                                 .of = sql_whole(sql, 5),
                                 .key = sql_string(sql, 6),
                                 .from = (uint32_t)sql_whole(sql, 8),
                                 .to = (uint32_t)sql_whole(sql, 9),
                                 .note = sql_string(sql, 10),
                                 .blind = sql_whole(sql, 12),
                                 .order = sql_string(sql, 13),
                                 .rank = (uint64_t)sql_whole(sql, 14),
                                 .reason = sql_string(sql, 15),
                                 .model = sql_string(sql, 16),
                                 .confidence = sql_real(sql, 17),
                                 .seconds = sql_real(sql, 18),
                                 .details = sql_string(sql, 19),
                                 .changed = sql_whole(sql, 21),
                                 .stands = sql_whole(sql, 22)};
    decision_kind_named(sql_string(sql, 4), &d->kind);
    int64_t words = sql_whole(sql, 23);
    return answer_in_row(&room[0], sql, 7, words, &d->after, err) &&
           answer_in_row(&room[1], sql, 11, words, &d->shown, err) &&
           answer_in_row(&room[2], sql, 20, words, &d->before, err);
}

/* Appends the conditions of a query; its numbers need no quoting. */
static bool spell_query(struct buffer *text, const struct decision_query *q, struct vouch_error *err)
{
    static const char *const blind[] = {"", " AND d.blind = 1", " AND d.blind = 0"};
    bool ok = buffer_print(text, err,
                           "SELECT d.id, d.made, d.annotator, d.sentence, d.kind, d.of, d.key, d.after, d.first, "
                           "d.last, d.note, d.shown, d.blind, d.queue, d.rank, d.reason, d.model, d.confidence, "
                           "d.seconds, d.details, d.before, d.changed, d.kind IN ('undo', 'redo') OR EXISTS (SELECT 1 "
                           "FROM standing AS t WHERE t.id = d.id) AS stands, (SELECT words FROM sentences WHERE id = "
                           "d.sentence) FROM decisions AS d WHERE d.id > %" PRId64 "%s",
                           q->after_id, blind[q->blind]);
    if (q->annotator)
        ok = ok && buffer_print(text, err, " AND d.annotator = %" PRId64, q->annotator);
    if (q->sentence)
        ok = ok && buffer_print(text, err, " AND d.sentence = %" PRId64, q->sentence);
    if (q->document)
        ok = ok && buffer_print(text, err, " AND d.sentence IN (SELECT id FROM sentences WHERE document = %" PRId64 ")",
                                q->document);
    if (q->kinds) {
        ok = ok && buffer_print(text, err, " AND d.kind IN (''");
        for (int i = 0; ok && i < DECISION_KINDS; i++)
            ok = !(q->kinds >> i & 1) || buffer_print(text, err, ", '%s'", kind_names[i]);
        ok = ok && buffer_print(text, err, ")");
    }
    if (q->standing)
        ok = ok && buffer_print(text, err, " AND stands AND d.kind NOT IN ('undo', 'redo')");
    ok = ok && buffer_print(text, err, " ORDER BY d.id%s", q->newest ? " DESC" : "");
    if (q->limit)
        ok = ok && buffer_print(text, err, " LIMIT %" PRIu64, q->limit);
    return ok;
}

bool store_decisions(struct store *store, const struct decision_query *query, store_decision_visit visit, void *context,
                     struct vouch_error *err)
{
    struct sql sql = {0};
    struct buffer text = {0};
    struct answer_room room[3] = {{0}};
    struct store_decision decision;
    bool ok = spell_query(&text, query, err) && sql_open(&sql, store, err, text.bytes, "");
    while (sql_next(&sql, &ok, err))
        ok = read_decision(&sql, &decision, room, err) && visit(context, &decision, err);
    sql_close(&sql);
    for (int i = 0; i < 3; i++)
        answer_room_release(&room[i]);
    free(text.bytes);
    return ok;
}

bool store_last_decision(struct store *store, int64_t *id, uint64_t *count, struct vouch_error *err)
{
    int64_t all;
    bool ok = sql_find(store, id, err, "SELECT coalesce(max(id), 0) FROM decisions", "") &&
              sql_find(store, &all, err, "SELECT count(*) FROM decisions", "");
    *count = ok ? (uint64_t)all : 0;
    return ok;
}

/* ---- States ---- */

bool store_state(struct store *store, int64_t sentence, int64_t annotator, enum sentence_state *state,
                 struct vouch_error *err)
{
    struct sql sql;
    bool changed = false;
    *state = STATE_UNSEEN;
    bool ok = sql_open(&sql, store, err,
                       "SELECT kind, changed FROM standing WHERE sentence = ? AND annotator = ? AND kind IN " //
                       STATE_KINDS " ORDER BY id",
                       "ii", sentence, annotator);
    while (sql_next(&sql, &ok, err)) {
        enum decision_kind kind = DECISION_SKIP;
        decision_kind_named(sql_string(&sql, 0), &kind);
        changed = changed || sql_whole(&sql, 1);
        *state = state_after(kind, changed);
    }
    sql_close(&sql);
    return ok;
}

bool store_count_states(struct store *store, int64_t annotator, uint64_t count[SENTENCE_STATES],
                        struct vouch_error *err)
{
    struct sql sql;
    int64_t all;
    for (int i = 0; i < SENTENCE_STATES; i++)
        count[i] = 0;
    if (!sql_find(store, &all, err, "SELECT count(*) FROM sentences WHERE place IS NOT NULL AND words > 0", ""))
        return false;
    bool ok = sql_open(&sql, store, err,
                       "WITH latest AS (SELECT max(id) AS id, max(changed) AS changed FROM standing WHERE kind IN " //
                       STATE_KINDS " AND (?1 = 0 OR annotator = ?1) GROUP BY sentence) SELECT d.kind, "
                       "latest.changed, count(*) FROM latest JOIN decisions AS d ON d.id = latest.id GROUP BY 1, 2",
                       "i", annotator);
    while (sql_next(&sql, &ok, err)) {
        enum decision_kind kind = DECISION_SKIP;
        decision_kind_named(sql_string(&sql, 0), &kind);
        uint64_t found = (uint64_t)sql_whole(&sql, 2);
        count[state_after(kind, sql_whole(&sql, 1))] += found;
        all -= (int64_t)found;
    }
    count[STATE_UNSEEN] = (uint64_t)all;
    sql_close(&sql);
    return ok;
}
