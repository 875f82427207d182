/* What the files of this room share. Everything in a struct desk is guarded by its lock, unless it never changes. */
#ifndef VOUCH_DESK_DESK_ROOM_H
#define VOUCH_DESK_DESK_ROOM_H

#include "answer/predictor.h"
#include "desk/corpus_review.h"
#include "desk/desk.h"
#include "desk/material.h"
#include "desk/outlook.h"
#include "desk/reliability.h"
#include "store/store.h"

#include <pthread.h>

/* The orders of the queue. */
enum queue_order { ORDER_LEARNING, ORDER_DOUBT, ORDER_SUSPECTS, ORDER_DISAGREEMENT, ORDER_DOCUMENT, ORDERS };
extern const char *const order_name[ORDERS];

/* A sentence of the store. */
struct place {
    int64_t id, document;
    uint64_t place;  /* in its document */
    uint64_t digest; /* of its words */
    uint64_t chance; /* a hash of the seed and the digest: the order in which blind ones are asked */
    uint32_t words;
    uint32_t marks;  /* the first of its marks, from 1; 0: there is none */
    bool blind, twice;
    bool given; /* the corpus has labels for it */
};

/* What an annotator has done with a sentence: a list for each sentence. */
struct mark {
    int64_t annotator;
    enum sentence_state state;
    uint32_t next; /* from 1; 0: the last */
};

/* Sentences that an annotator has in sight, so that no other gets them until so many seconds after the last request. */
enum { MOST_HELD = 50, HELD_FOR = 600 };
struct seat {
    int64_t annotator;
    enum queue_order order;
    uint32_t held[MOST_HELD];
    uint32_t count;
    uint64_t ranking; /* by which they were chosen, but for the first */
    double seen;      /* when the annotator last asked or decided */
    uint64_t asked;   /* sentences that the annotator was given in all: what the shares of blind and double go by */
};

/* A model with what is needed to ask it. One thread at a time. */
struct answerer {
    vouch_model *model;
    struct vouch_request *request;
    struct predictor *predictor;
    struct vouch_answer answer;
    char digest[32];
};

/* Every sentence, scored by one model. */
struct ranking {
    uint64_t number;         /* of rankings, from 1 */
    uint32_t *order[ORDERS]; /* [places] the first to be asked first; NULL: there is none */
    float *doubt;            /* [places] the least confidence of a word */
    uint64_t *first;         /* [places + 1] the first word of each */
    uint32_t *form;          /* [words] hashes of words */
    uint16_t *label;         /* [words] what the model calls them: numbers of desk->label; of trees all 0 */
    struct type_doubt {
        uint64_t things, doubtful;
    } *type; /* [labels] chunks, or words, that the model puts there, and how many it doubts */
};

/* What was counted on the blind sentences that are decided: blind_set.c. Zero it first. */
struct blind_set {
    struct blind_counts *count[2]; /* [sentences] as count_right() has them */
    struct blind_item {
        int64_t sentence, last; /* the last decision about it */
        size_t rated;           /* the first of its things */
    } *item;                    /* [sentences] */
    struct rated *rated;        /* [things] that the model put a probability on */
    size_t sentences, things, capacity[2], item_capacity, rated_capacity;
};

enum { AHEAD = 8 };

struct desk {
    pthread_mutex_t lock;
    struct desk_options options;
    char *path;       /* of the store */
    char *stem;       /* of the files beside it that learning makes: without their endings */
    char *model_path; /* of the model that is learned, */
    char *served_as;  /* and the name under which it is published */
    char *base;       /* the file of the model to go on from; NULL */
    char parent[32];  /* its digest */
    char *task;
    const char *telling; /* the corpus that tells the task: the first with a sentence; NULL: there is none */
    bool trees;
    enum scheme scheme; /* of the labels */
    struct store *store;
    struct learner *learner;

    struct place *place; /* [places] in the order of documents */
    size_t places, place_capacity;
    uint32_t *by_id; /* [places] sorted by id */
    uint32_t *blind; /* [blinds] in the order in which they are asked */
    size_t blinds;
    struct mark *mark;
    size_t marks, mark_capacity;
    struct seat *seat;
    size_t seats, seat_capacity;
    struct document {
        int64_t id;
        char *name;
        uint64_t sentences;
    } *document; /* [documents] in order */
    size_t documents, document_capacity;
    char **label; /* [labels] to choose from: types of chunks, labels or relations */
    size_t labels, label_capacity;

    struct answerer *answerer; /* NULL: there is no model yet */
    struct ranking *ranking;   /* NULL: none yet */
    struct blind_set measured; /* by the answerer, when figures were last asked for */
    struct student student;    /* who learns; and who finds out what more labels would bring: */
    struct student forecaster;
    struct corpus_review review; /* what is probably wrong in the corpora's own labels */
    double before;             /* sentences that the model to go on from has learned from, */
    double words_before;       /* and words */
    uint64_t fresh;            /* decisions to learn from since learning was last asked for */
    struct foresight {
        struct figure gain;         /* what a hundred more decisions would bring, by */
        uint64_t blind;             /* so many blind sentences, */
        uint64_t decided;           /* when so many were decided on */
        struct figure worth;        /* after how many more it hardly pays, as far as `far` */
        double far;                 /* where words are twice those learned from, or all that is left */
        struct figure ahead[AHEAD]; /* gains by so many more: far / AHEAD, 2 far / AHEAD and so on, */
        double learned[AHEAD];      /* of which so many are learned from */
    } foresight;
    struct wanted {
        char digest[32]; /* the earlier model that is to be served again; "" if none is */
        int64_t upto;
        bool newest;
    } wanted;
    int64_t learned_upto; /* the last decision that the model in use has learned from; 0: it was opened */
    bool pinned; /* an earlier model is served, until learning is asked for */
};

/* Sorts numbers by their keys, the smallest first; equal ones keep their order. */
bool sort_numbers(uint32_t *number, size_t count, uint64_t (*key)(const void *context, uint32_t number),
                  const void *context, struct vouch_error *err);

void desk_enter(struct desk *desk);
void desk_leave(struct desk *desk);

/* ---- desk.c ---- */

/* Returns the number of the sentence in desk->place; false, with the error set, if there is none. */
bool desk_find(const struct desk *desk, int64_t sentence, uint32_t *number, struct vouch_error *err);

/* Returns the name of a document, "" if there is none; and the document of a name, or NULL. */
const char *desk_document(const struct desk *desk, int64_t id);
const struct document *desk_document_named(const struct desk *desk, const char *name);

/* Finds an annotator by name, who is added if new. */
bool desk_annotator(struct desk *desk, const char *name, int64_t *annotator, struct vouch_error *err);

/* Returns the label's number; SIZE_MAX if it is not there. */
size_t desk_label(const struct desk *desk, struct text label);

/* The type of a label that spells chunks, "" for O; else the label itself. */
struct text desk_type(const struct desk *desk, struct text label);

/* Notes the state of a sentence for an annotator, as the store has it. */
bool desk_note_state(struct desk *desk, uint32_t place, int64_t annotator, struct vouch_error *err);

/* ---- desk_answers.c ---- */

/* Takes the model over, also on failure. */
struct answerer *answerer_new(vouch_model *model, double threshold, struct vouch_error *err);
void answerer_free(struct answerer *answerer);
const vouch_answer *answerer_ask(struct answerer *answerer, const struct sentence *sentence, struct vouch_error *err);

/* Views a model's answer as the store's. */
static inline struct store_answer stored_view(const vouch_answer *answer)
{
    return (struct store_answer){.words = answer->N, .label = answer->label, .head = answer->head};
}

/*
 * Counts what is right in an answer to a sentence whose answer is known: of chunks or labels; or of heads, and of heads
 * with relations.
 */
bool count_right(const struct desk *desk, const struct store_answer *known, const struct store_answer *answer,
                 struct blind_counts to[2], struct vouch_error *err);

/* ---- ranking.c ---- */

/* Ranks all sentences by a model, through a store of its own, without the lock. NULL on failure. */
struct ranking *ranking_new(struct desk *desk, struct answerer *answerer, struct store *store, struct vouch_error *err);
void ranking_free(struct ranking *ranking);

/* ---- queue.c ---- */

/* The seat of an annotator who asks or decides now. */
struct seat *desk_seat(struct desk *desk, int64_t annotator, struct vouch_error *err);

/* Puts a sentence in sight of an annotator, before all others; takes it out. */
void seat_show(struct seat *seat, uint32_t place);
void seat_drop(struct seat *seat, uint32_t place);

bool held_by_others(const struct desk *desk, int64_t annotator, uint32_t place); /* in sight of somebody else */

/* Returns the annotator's own state of a sentence, and how many others have decided on it. */
enum sentence_state state_of(const struct desk *desk, uint32_t place, int64_t annotator, uint32_t *others);
bool is_decided(enum sentence_state state); /* accepted, edited or flagged */

/* Which sentences come next in the order that was asked for last; `words`, which `next` points to, is the caller's. */
bool queue_ahead(const struct desk *desk, double **words, struct upcoming *next, struct vouch_error *err);

/* ---- settling.c ---- */

/* Sentences on which annotators differ, as items with all answers: those of which the model is surest first. */
json_t *disagreement_items(struct desk *desk, int64_t annotator, uint32_t limit, struct vouch_error *err);

/* ---- blind_set.c ---- */

/* Measures a model; `before` may be a set of the same model, so that less is asked, or NULL. */
bool blind_measure(const struct desk *desk, struct store *store, struct answerer *answerer,
                   const struct blind_set *before, struct blind_set *set, struct vouch_error *err);
void blind_set_release(struct blind_set *set);

/* The names of the figures that count_right() counts: how many there are. */
size_t figure_names(const struct desk *desk, const char *name[2]);

/* ---- item.c ---- */

struct item_request {
    uint32_t place;
    int64_t annotator;
    enum queue_order order;
    uint64_t rank; /* from 1; 0: it was looked up */
};
json_t *item_json(struct desk *desk, const struct item_request *request, struct vouch_error *err);
/* A model's answer with its confidence and alternatives, as an item and the best tree with given heads have it. */
json_t *model_answer_json(const struct desk *desk, const vouch_answer *answer);
json_t *words_json(const struct sentence *s);
json_t *own_json(struct desk *desk, uint32_t place, int64_t annotator, struct vouch_error *err); /* values, or null */
json_t *interval_json(struct figure figure);                /* null if it is NAN */

/* ---- context.c ---- */

/* How many sentences away others tell something about a word. */
enum { NEARBY = 30 };

/* Whether what the model calls words there may be told beside a sentence. */
static inline bool is_nearby(const struct desk *desk, uint32_t other, uint32_t place)
{
    return other != place && desk->place[other].document == desk->place[place].document && !desk->place[other].blind;
}

/* The sentences before (step -1) or after (1), each with an answer if one may be shown. It asks the model. */
json_t *neighbours_json(struct desk *desk, const struct item_request *q, int step);

/* What the doubtful words of an answer are called in other sentences; NULL if there is nothing to tell. */
json_t *same_words_json(struct desk *desk, const struct item_request *q, const struct sentence *s,
                        const json_t *answer);

/* ---- decide.c ---- */

/*
 * Reads an answer of a client: {"labels": [...]}, {"spans": [...]} or {"heads": [...], "relations": [...]}, with null
 * for words that are not decided on; `decided`, unless it is NULL, lists those that are. With `check`, it must follow
 * the rules: known labels, their scheme, one root, no cycle. Its arrays are in the arena and in the JSON.
 */
bool client_answer(struct desk *desk, const json_t *value, const json_t *decided, uint32_t words, bool check,
                 struct arena *arena, struct store_answer *to, struct vouch_error *err);

/* ---- rounds.c ---- */

/*
 * Begins with the model that was learned last from this store, with the given one (NULL: none), which it takes over,
 * or with one that is learned from the corpora's own labels.
 */
bool rounds_begin(struct desk *desk, vouch_model *model, struct vouch_error *err);

/* Counts a decision to learn from, and asks for learning if it is time. With the lock. */
void rounds_count(struct desk *desk, bool blind);

/* Whether decisions about a sentence wait for its second annotator, who must not see them in a model's answers. */
bool waits_for_second(const struct desk *desk, uint32_t place, uint32_t annotators);

#endif
