/* A store in the test's folder, and short ways to decide in it. */
#ifndef VOUCH_TESTS_STORED_H
#define VOUCH_TESTS_STORED_H

#include "store/store.h"

#include "folder.h"
#include "must.h"

enum { STORED_WORDS = 16 };

/* An answer of labels separated by blanks, in which "?" is open; or of heads with relations, as in "2:obj". */
struct typed_answer {
    struct text label[STORED_WORDS];
    uint32_t head[STORED_WORDS];
    struct store_answer answer;
};

static inline struct store_answer typed(struct typed_answer *into, const char *text)
{
    bool trees = strchr(text, ':') != NULL;
    struct text rest = text_of(text);
    uint32_t words = 0;
    while (rest.length > 0 && words < STORED_WORDS) {
        struct text item = text_cut(&rest, ' '), head = trees ? text_cut(&item, ':') : item;
        bool open = text_is(head, "?");
        into->head[words] = HEAD_OPEN;
        if (trees && !open)
            assert_true(text_whole(head, &into->head[words]));
        into->label[words++] = open ? (struct text){NULL, 0} : item;
    }
    into->answer = (struct store_answer){.words = words, .label = into->label, .head = trees ? into->head : NULL};
    return into->answer;
}

/* Writes an answer the same way. */
static inline const char *spelled(const struct store_answer *answer)
{
    static char room[4][512];
    static int next;
    char *at = room[next++ % 4];
    size_t used = 0;
    at[0] = '\0';
    for (uint32_t i = 0; i < answer->words; i++) {
        const char *gap = i ? " " : "";
        if (answer_open(answer, i))
            used += (size_t)snprintf(at + used, 512 - used, "%s?", gap);
        else if (answer->head)
            used += (size_t)snprintf(at + used, 512 - used, "%s%u:%.*s", gap, answer->head[i],
                                     answer->label ? (int)answer->label[i].length : 0,
                                     answer->label ? answer->label[i].at : "");
        else
            used += (size_t)snprintf(at + used, 512 - used, "%s%.*s", gap, (int)answer->label[i].length,
                                     answer->label[i].at);
    }
    return at;
}

static inline struct store *open_store(void)
{
    struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &err);
    MUST(store);
    return store;
}

static inline int64_t add_text(struct store *store, const char *name, const char *text,
                               const struct reader_options *reading)
{
    int64_t id;
    MUST(store_add_bytes(store, text, strlen(text), name, reading, &id, &err));
    return id;
}

static inline int64_t add_annotator(struct store *store, const char *name)
{
    int64_t id;
    MUST(store_add_annotator(store, name, NULL, &id, &err));
    return id;
}

/* Decides on a sentence; `after` NULL: without an answer. */
static inline int64_t decide(struct store *store, int64_t annotator, int64_t sentence, enum decision_kind kind,
                             const char *after)
{
    struct typed_answer room;
    struct store_decision decision = {
        .annotator = annotator, .sentence = sentence, .kind = kind, .confidence = NAN, .seconds = 1.5};
    int64_t id;
    if (after)
        decision.after = typed(&room, after);
    MUST(store_decide(store, &decision, &id, &err));
    assert_true(id > 0);
    return id;
}

/* Takes a decision back, or makes it again; returns whether that could be done. */
static inline bool take_back(struct store *store, int64_t annotator, enum decision_kind kind, int64_t of)
{
    struct store_decision decision = {
        .annotator = annotator, .kind = kind, .of = of, .confidence = NAN, .seconds = NAN};
    int64_t id;
    return store_decide(store, &decision, &id, &err);
}

/* Counts what a check finds. */
static inline bool count_problem(void *context, const char *problem, struct vouch_error *unused)
{
    (void)unused;
    (void)problem;
    ++*(size_t *)context;
    return true;
}

static inline size_t problems_of(struct store *store)
{
    size_t count = 0;
    MUST(store_check(store, count_problem, &count, &err));
    return count;
}

#endif
