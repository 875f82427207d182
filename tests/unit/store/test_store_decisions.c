/*
 * Tests decisions against a plain list of them in memory: what stands, states, counts, the queue and merged answers are
 * computed here from the whole list, after random decisions, undoes and redoes of several annotators.
 */
#include "stored.h"

#include "base/random.h"

static const struct reader_options usual = {0}, trees = {.trees = true};

enum { SENTENCES = 4, ANNOTATORS = 3, WORDS = 3, LABELS = 3 };

/* A decision as the test remembers it. */
struct remembered {
    int64_t id, annotator, sentence;
    enum decision_kind kind;
    int label[WORDS]; /* -1: open */
    bool stands, changed, blind;
};

static struct remembered list[1000];
static size_t listed;
static const char *const label_names[LABELS] = {"X", "Y", "Z"};
static const int given[SENTENCES][WORDS] = {{0, 1, 2}, {0, 0, 0}, {2, 1, 0}, {1, 1, 2}};

static struct store *make_world(int64_t annotator[ANNOTATORS])
{
    static const char names[ANNOTATORS][2] = {"a", "b", "c"};
    struct store *store = open_store();
    char text[SENTENCES * WORDS * 8] = "";
    for (int s = 0; s < SENTENCES; s++) {
        for (int w = 0; w < WORDS; w++)
            snprintf(text + strlen(text), 8, "w %s\n", label_names[given[s][w]]);
        strcat(text, "\n");
    }
    add_text(store, "corpus", text, &usual);
    for (int a = 0; a < ANNOTATORS; a++)
        annotator[a] = add_annotator(store, names[a]);
    listed = 0;
    return store;
}

/* What an annotator (0: all, the latest) says of a word by what stands; -1: nothing. */
static int said(int64_t annotator, int64_t sentence, int word)
{
    int label = -1;
    for (size_t i = 0; i < listed; i++)
        if (list[i].stands && list[i].sentence == sentence && (!annotator || list[i].annotator == annotator) &&
            (list[i].kind == DECISION_ACCEPT || list[i].kind == DECISION_EDIT) && list[i].label[word] >= 0)
            label = list[i].label[word];
    return label;
}

static enum sentence_state state_of(int64_t annotator, int64_t sentence)
{
    enum sentence_state state = STATE_UNSEEN;
    bool changed = false;
    for (size_t i = 0; i < listed; i++) {
        const struct remembered *r = &list[i];
        if (!r->stands || r->sentence != sentence || (annotator && r->annotator != annotator) ||
            r->kind > DECISION_FLAG)
            continue;
        changed = changed || r->changed;
        state = r->kind == DECISION_SKIP ? STATE_SKIPPED
                : r->kind == DECISION_FLAG ? STATE_FLAGGED
                : changed ? STATE_CHANGED : STATE_UNCHANGED;
    }
    return state;
}

static void remember_answer(struct rng *random, struct store *store, struct remembered *r)
{
    char text[64] = "";
    struct typed_answer room, shown;
    bool any = false, accepts = r->kind == DECISION_ACCEPT;
    struct store_decision d = {
        .annotator = r->annotator, .sentence = r->sentence, .kind = r->kind, .confidence = 0.5, .seconds = NAN};
    for (int w = 0; w < WORDS; w++) {
        r->label[w] = rng_below(random, 3) || (w + 1 == WORDS && !any) ? (int)rng_below(random, LABELS) : -1;
        any = any || r->label[w] >= 0;
        snprintf(text + strlen(text), 8, "%s%s", w ? " " : "", r->label[w] < 0 ? "?" : label_names[r->label[w]]);
        int before = said(r->annotator, r->sentence, w);
        if (before < 0)
            before = given[r->sentence - 1][w];
        r->changed = r->changed || (r->label[w] >= 0 && r->label[w] != before);
    }
    d.blind = r->blind = rng_below(random, 3) == 0;
    d.after = typed(&room, text);
    if (accepts && !d.blind) { /* what was shown is what is accepted */
        d.shown = typed(&shown, text);
        r->changed = false;
    }
    MUST(store_decide(store, &d, &r->id, &err));
}

/* Undoes or redoes a decision, which must fail where it makes no sense. */
static void take_one_back(struct rng *random, struct store *store)
{
    struct remembered *of = &list[rng_below(random, (uint32_t)listed)];
    bool undo = rng_below(random, 2);
    bool sense = of->stands == undo;
    assert_int_equal(take_back(store, of->annotator, undo ? DECISION_UNDO : DECISION_REDO, of->id), sense);
    assert_false(take_back(store, of->annotator % ANNOTATORS + 1, undo ? DECISION_UNDO : DECISION_REDO, of->id));
    if (sense)
        of->stands = !undo;
}

static void decide_at_random(struct rng *random, struct store *store)
{
    if (listed > 0 && rng_below(random, 3) == 0) {
        take_one_back(random, store);
        return;
    }
    struct remembered *r = &list[listed];
    *r = (struct remembered){.annotator = 1 + (int64_t)rng_below(random, ANNOTATORS),
                             .sentence = 1 + (int64_t)rng_below(random, SENTENCES),
                             .kind = (enum decision_kind)rng_below(random, DECISION_COMMENT + 1),
                             .stands = true};
    if (r->kind == DECISION_ACCEPT || r->kind == DECISION_EDIT)
        remember_answer(random, store, r);
    else
        r->id = decide(store, r->annotator, r->sentence, r->kind, NULL);
    listed++;
}

static bool compare_decision(void *context, const struct store_decision *d, struct vouch_error *e)
{
    size_t *next = context;
    (void)e;
    if (d->kind == DECISION_UNDO || d->kind == DECISION_REDO) {
        assert_true(d->stands && d->of > 0);
        return true;
    }
    const struct remembered *r = &list[(*next)++];
    assert_true(d->id == r->id && d->annotator == r->annotator && d->sentence == r->sentence && d->kind == r->kind);
    assert_true(d->stands == r->stands && d->changed == r->changed && d->blind == r->blind);
    for (uint32_t w = 0; w < d->after.words; w++)
        assert_true(answer_open(&d->after, w) == (r->label[w] < 0));
    return true;
}

static void compare_states(struct store *store, int64_t annotator)
{
    uint64_t expected[SENTENCE_STATES] = {0}, count[SENTENCE_STATES];
    for (int64_t s = 1; s <= SENTENCES; s++) {
        enum sentence_state state = state_of(annotator, s), found;
        expected[state]++;
        if (annotator) {
            MUST(store_state(store, s, annotator, &found, &err));
            assert_int_equal(found, state);
        }
    }
    MUST(store_count_states(store, annotator, count, &err));
    assert_memory_equal(count, expected, sizeof count);
}

struct comparing {
    enum store_merge merge;
    int64_t annotator;
    bool seen[SENTENCES];
};

/* What all say who say something; -1 if they differ or nobody does. With `most`, what more say than anything else. */
static int voted(int64_t sentence, int word, bool most)
{
    int count[LABELS] = {0}, voters = 0, best = -1, winners = 0;
    for (int64_t a = 1; a <= ANNOTATORS; a++) {
        int label = said(a, sentence, word);
        voters += label >= 0;
        if (label >= 0)
            count[label]++;
    }
    for (int l = 0; l < LABELS; l++)
        if (count[l] > 0 && (best < 0 || count[l] > count[best]))
            best = l;
    for (int l = 0; l < LABELS && best >= 0; l++)
        winners += count[l] == count[best];
    return best >= 0 && (most ? winners == 1 : count[best] == voters) ? best : -1;
}

static bool compare_answer(void *context, const struct stored_answer *answer, struct vouch_error *e)
{
    struct comparing *c = context;
    (void)e;
    assert_false(c->seen[answer->sentence - 1]);
    c->seen[answer->sentence - 1] = true;
    assert_int_equal(answer->state, state_of(c->annotator, answer->sentence));
    for (int w = 0; w < WORDS; w++) {
        int label = c->annotator || c->merge == MERGE_LATEST ? said(c->annotator, answer->sentence, w)
                                                             : voted(answer->sentence, w, c->merge == MERGE_MAJORITY);
        assert_int_equal(answer_open(answer->decided, (uint32_t)w), label < 0);
        if (label >= 0)
            assert_true(text_is(answer->decided->label[w], label_names[label]));
        assert_true(text_is(answer->given->label[w], label_names[given[answer->sentence - 1][w]]));
    }
    return true;
}

static void compare_answers(struct store *store, int64_t annotator, enum store_merge merge)
{
    struct comparing c = {.merge = merge, .annotator = annotator};
    struct answer_query query = {.annotator = annotator, .merge = merge};
    MUST(store_answers(store, &query, compare_answer, &c, &err));
    for (int64_t s = 1; s <= SENTENCES; s++) {
        bool decided = false;
        for (int w = 0; w < WORDS; w++)
            decided = decided || said(annotator, s, w) >= 0;
        assert_int_equal(decided, c.seen[s - 1]);
    }
}

TEST_IN_FOLDER(everything_follows_from_the_list_of_decisions)
{
    struct rng random = rng_new(7, 0);
    int64_t annotator[ANNOTATORS];
    struct store *store = make_world(annotator);
    for (int round = 0; round < (in_a_hurry() ? 40 : 150); round++) {
        decide_at_random(&random, store);
        size_t next = 0;
        struct decision_query all = {0};
        MUST(store_decisions(store, &all, compare_decision, &next, &err));
        assert_int_equal(next, listed);
        for (int64_t a = 0; a <= ANNOTATORS; a++) {
            compare_states(store, a);
            compare_answers(store, a, MERGE_LATEST);
        }
        compare_answers(store, 0, MERGE_AGREED);
        compare_answers(store, 0, MERGE_MAJORITY);
    }
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}

TEST_IN_FOLDER(undo_and_redo_walk_back_and_forth)
{
    int64_t annotator[ANNOTATORS], taken;
    struct store *store = make_world(annotator);
    int64_t first = decide(store, 1, 1, DECISION_EDIT, "Z Z Z"), second = decide(store, 1, 2, DECISION_SKIP, NULL);
    decide(store, 2, 1, DECISION_ACCEPT, "X Y Z");
    decide(store, 1, 3, DECISION_COMMENT, NULL);
    MUST(store_undo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, second);
    MUST(store_undo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, first);
    MUST(store_undo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, 0);
    MUST(store_redo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, first);
    MUST(store_redo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, second);
    MUST(store_redo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, 0);
    MUST(store_undo_last(store, 1, NULL, &taken, &err));
    decide(store, 1, 3, DECISION_FLAG, NULL); /* what was undone is gone for good */
    MUST(store_redo_last(store, 1, NULL, &taken, &err));
    assert_int_equal(taken, 0);
    store_close(store);
}

TEST_IN_FOLDER(an_undo_that_is_sent_twice_is_one)
{
    int64_t annotator[ANNOTATORS], taken;
    struct store *store = make_world(annotator);
    int64_t first = decide(store, 1, 1, DECISION_EDIT, "Z Z Z"), second = decide(store, 1, 2, DECISION_SKIP, NULL);
    for (int i = 0; i < 2; i++) {
        MUST(store_undo_last(store, 1, "u", &taken, &err));
        assert_int_equal(taken, second);
    }
    for (int i = 0; i < 2; i++) {
        MUST(store_redo_last(store, 1, "r", &taken, &err));
        assert_int_equal(taken, second);
    }
    MUST(store_undo_last(store, 1, "v", &taken, &err));
    assert_int_equal(taken, second);
    MUST(store_undo_last(store, 1, "w", &taken, &err));
    assert_int_equal(taken, first);
    store_close(store);
}

TEST_IN_FOLDER(a_decision_that_is_sent_twice_is_one)
{
    int64_t annotator[ANNOTATORS], first, again, other;
    struct store *store = make_world(annotator);
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = DECISION_SKIP, .key = "k1",
                               .confidence = NAN, .seconds = NAN};
    uint64_t count;
    MUST(store_decide(store, &d, &first, &err));
    MUST(store_decide(store, &d, &again, &err));
    assert_int_equal(first, again);
    d.annotator = 2;
    MUST(store_decide(store, &d, &other, &err));
    assert_int_not_equal(first, other);
    MUST(store_last_decision(store, &again, &count, &err));
    assert_int_equal(count, 2);
    assert_int_equal(again, other);
    store_close(store);
}

static bool note_before(void *context, const struct store_decision *d, struct vouch_error *e)
{
    (void)e;
    snprintf(context, 64, "%s", spelled(&d->before));
    return true;
}

TEST_IN_FOLDER(the_answer_before_is_the_annotators_own)
{
    int64_t annotator[ANNOTATORS];
    char before[64];
    struct store *store = make_world(annotator);
    struct decision_query last = {.newest = true, .limit = 1};
    decide(store, 2, 1, DECISION_EDIT, "Z Z Z");
    decide(store, 1, 1, DECISION_EDIT, "? Z ?");
    MUST(store_decisions(store, &last, note_before, before, &err));
    assert_string_equal(before, "X Y Z");
    decide(store, 1, 1, DECISION_EDIT, "Y ? ?");
    MUST(store_decisions(store, &last, note_before, before, &err));
    assert_string_equal(before, "X Z Z");
    store_close(store);
}

/* Expects a refusal of a decision about sentence 1 by annotator 1. */
static void refused(struct store *store, enum decision_kind kind, const char *after, const char *message)
{
    struct typed_answer room;
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = kind, .confidence = NAN, .seconds = NAN};
    int64_t id, last;
    uint64_t before, count;
    if (after)
        d.after = typed(&room, after);
    MUST(store_last_decision(store, &last, &before, &err));
    assert_false(store_decide(store, &d, &id, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    MUST(store_last_decision(store, &last, &count, &err));
    assert_int_equal(before, count);
}

TEST_IN_FOLDER(wrong_decisions_are_refused)
{
    int64_t annotator[ANNOTATORS], id;
    struct store *store = make_world(annotator);
    refused(store, DECISION_EDIT, NULL, "expected an answer, found none");
    refused(store, DECISION_EDIT, "? ? ?", "all open");
    refused(store, DECISION_EDIT, "X Y", "expected an answer (after) for 3 words, found one for 2");
    refused(store, DECISION_EDIT, "0:a 1:b 1:c", "expected labels (after), found heads");
    refused(store, DECISION_SKIP, "X Y Z", "expected no answer");
    refused(store, DECISION_EDIT, "X Y\tY Z", "expected a label without blanks");
    struct store_decision nobody = {.annotator = 99, .sentence = 1, .kind = DECISION_SKIP};
    assert_false(store_decide(store, &nobody, &id, &err));
    struct store_decision nowhere = {.annotator = 1, .sentence = 99, .kind = DECISION_SKIP};
    assert_false(store_decide(store, &nowhere, &id, &err));
    struct store_decision details = {.annotator = 1, .sentence = 1, .kind = DECISION_SKIP, .details = "{"};
    assert_false(store_decide(store, &details, &id, &err));
    store_close(store);
}

TEST_IN_FOLDER(heads_stay_without_a_cycle)
{
    struct store *store = open_store();
    add_text(store, "trees", "1\ta\t_\tX\t_\t_\t2\ta\t_\t_\n2\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n", &trees);
    add_annotator(store, "a");
    refused(store, DECISION_EDIT, "2:a 1:b", "expected a tree");
    refused(store, DECISION_EDIT, "? 1:b", "expected a tree");
    refused(store, DECISION_EDIT, "1:a ?", "expected another word");
    refused(store, DECISION_EDIT, "3:a ?", "expected another word");
    refused(store, DECISION_EDIT, "X Y", "expected heads");
    int64_t first = decide(store, 1, 1, DECISION_EDIT, "0:root ?");
    decide(store, 1, 1, DECISION_EDIT, "? 1:b");
    assert_false(take_back(store, 1, DECISION_UNDO, first)); /* 1 would lead to 2 again, and 2 to 1 */
    assert_non_null(strstr(err.message, "expected a tree"));
    store_close(store);
}

static bool note_answer(void *context, const struct stored_answer *answer, struct vouch_error *e)
{
    (void)e;
    snprintf(context, 64, "%s", spelled(answer->decided));
    return true;
}

TEST_IN_FOLDER(trees_that_do_not_fit_together_are_not_merged)
{
    struct store *store = open_store();
    char answer[64] = "";
    struct answer_query query = {.merge = MERGE_LATEST};
    add_text(store, "trees",
             "1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tx\t_\t_\n3\tc\t_\tX\t_\t_\t1\tx\t_\t_\n\n", &trees);
    add_annotator(store, "a");
    add_annotator(store, "b");
    decide(store, 1, 1, DECISION_EDIT, "? 3:p ?");
    MUST(store_answers(store, &query, note_answer, answer, &err));
    assert_string_equal(answer, "? 3:p ?");
    decide(store, 2, 1, DECISION_EDIT, "0:root ? 1:q");
    MUST(store_answers(store, &query, note_answer, answer, &err));
    assert_string_equal(answer, "0:root 3:p 1:q");
    decide(store, 2, 1, DECISION_EDIT, "? ? 2:q"); /* with 3:p a cycle */
    MUST(store_answers(store, &query, note_answer, answer, &err));
    assert_string_equal(answer, "0:root ? 2:q");
    store_close(store);
}
