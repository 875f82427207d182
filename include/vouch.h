/*
 * vouch: labels text and says, of every word, how far the label can be trusted.
 *
 * The public interface, in one header. It climbs from one call to many:
 *
 *     struct vouch_error err = {0};
 *     vouch_model *model = vouch_model_open("ner.vouch", &err);
 *     const char *words[] = {"Ada", "lives", "in", "Paris"};
 *     const char *labels[4];
 *     if (!model || vouch_model_label(model, words, 4, 1, labels, &err) != VOUCH_OK)
 *         fprintf(stderr, "%s\n", err.message);
 *     vouch_model_close(model);
 *
 * The library never prints, exits or aborts, and keeps no global state. A
 * function that can fail returns a status (or NULL) and, where `err` is not
 * NULL, leaves the reason in the caller's error object.
 */
#ifndef VOUCH_H
#define VOUCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define VOUCH_API __attribute__((visibility("default")))
#define VOUCH_MUST_CHECK __attribute__((warn_unused_result))
#else
#define VOUCH_API
#define VOUCH_MUST_CHECK
#endif

/* What went wrong. The values are part of the interface and never change. */
enum vouch_status {
    VOUCH_OK = 0,
    VOUCH_ERR_MEMORY = 1,   /* an allocation failed */
    VOUCH_ERR_IO = 2,       /* a file could not be read or written */
    VOUCH_ERR_FORMAT = 3,   /* a file is not what it should be */
    VOUCH_ERR_ARGUMENT = 4, /* the caller asked for something impossible */
    VOUCH_ERR_STOPPED = 5   /* a callback or a signal asked to stop */
};

/* Owned by the caller; zero it before first use. */
struct vouch_error {
    enum vouch_status status;
    char message[500]; /* lower case, no full stop, always terminated */
};

/* A model, read-only once open: any number of threads may use one at once. */
typedef struct vouch_model vouch_model;

/* One thread's working memory over a model. Must not outlive the model. */
typedef struct vouch_tagger vouch_tagger;

/* The library's version, such as "0.1.0". Static storage. */
VOUCH_API const char *vouch_version(void);

/*
 * Reads the model file at `path` into memory, and does not look at it again: it
 * may be replaced, written over or removed meanwhile. Returns a handle to pass to vouch_model_close(), or NULL.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open(const char *path, struct vouch_error *err);

/* Releases a model; NULL is allowed. */
VOUCH_API void vouch_model_close(vouch_model *model);

/* Reads the whole file once and compares every section with its checksum. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_verify(const vouch_model *model, struct vouch_error *err);

/* The model's task ("np", "chunk", "ner", "pos"). Owned by the model. */
VOUCH_API const char *vouch_model_task(const vouch_model *model);

/* The model's header as JSON text: every parameter and its provenance. Owned by the model. */
VOUCH_API const char *vouch_model_header(const vouch_model *model);

/*
 * The number of labels, and the name of each as it was learned: a model of a corpus in IOB1 may list the labels of
 * IOB2, though it answers in IOB1. Names are owned by the model; NULL out of range.
 */
VOUCH_API size_t vouch_model_label_count(const vouch_model *model);
VOUCH_API const char *vouch_model_label_name(const vouch_model *model, size_t label);

/* How many columns a word must have: 1 for the form alone, 2 for form and part of speech, ... */
VOUCH_API size_t vouch_model_columns(const vouch_model *model);

/*
 * Labels one sentence. `cells` holds `words` rows of `columns` strings in
 * UTF-8, row by row: form first, then what the model was trained with. Writes
 * `words` pointers to `labels`; the strings are owned by the model.
 * Safe to call from many threads on one model.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells,
                                                               size_t words, size_t columns, const char **labels,
                                                               struct vouch_error *err);

/*
 * The same, many times over, without allocating each time: make a tagger for
 * each thread. Free it with vouch_tagger_free(); NULL is allowed there.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_tagger *vouch_tagger_new(const vouch_model *model, struct vouch_error *err);
VOUCH_API void vouch_tagger_free(vouch_tagger *tagger);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_tagger_label(vouch_tagger *tagger, const char *const *cells,
                                                                size_t words, size_t columns, const char **labels,
                                                                struct vouch_error *err);

/*
 * The same, and how far each label can be trusted: writes `words` numbers to
 * `confidence`, each the probability that the label is right, by the method that
 * was found best when the model was calibrated (vouch train and vouch tune do
 * that). NAN for all words if it was not. The labels are the same, but take
 * longer.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_tagger_judge(vouch_tagger *tagger, const char *const *cells,
                                                                size_t words, size_t columns, const char **labels,
                                                                double *confidence, struct vouch_error *err);

typedef struct vouch_answer vouch_answer;

/*
 * Answers
 *
 * What was answered to one sentence, and how far it can be trusted. Words, chunks, methods and alternatives are
 * numbered from 0. What is out of range, or was not computed, is NAN, NULL or 0. Strings belong to the model or to the
 * answer.
 */
VOUCH_API size_t vouch_answer_words(const vouch_answer *answer);

/* The word's label, or in a tree the relation to its head; NULL if there is none. */
VOUCH_API const char *vouch_answer_label(const vouch_answer *answer, size_t word);

/* The word's head in a tree: 0 the root, else a word's number from 1; (size_t)-1 if the answer is no tree. */
VOUCH_API size_t vouch_answer_head(const vouch_answer *answer, size_t word);

/* The methods of confidence in the order in which they were asked for: none if the model was not calibrated. */
VOUCH_API size_t vouch_answer_methods(const vouch_answer *answer);
VOUCH_API const char *vouch_answer_method_name(const vouch_answer *answer, size_t method);

/* 1 if the method's numbers are probabilities of being right; 0 if they only rank. */
VOUCH_API int vouch_answer_is_calibrated(const vouch_answer *answer, size_t method);

/*
 * How far it can be trusted: a word's label or head; the relation, given the head; all of the sentence. An operating
 * point or a replacement does not change these numbers, which are about what the model said before.
 */
VOUCH_API double vouch_answer_confidence(const vouch_answer *answer, size_t method, size_t word);
VOUCH_API double vouch_answer_relation_confidence(const vouch_answer *answer, size_t method, size_t word);
VOUCH_API double vouch_answer_sentence_confidence(const vouch_answer *answer, size_t method);

/*
 * The chunks that the labels spell: words from .. to - 1, and their type. Returns 1, or 0 out of range; each pointer
 * may be NULL. And how far the boundaries and the type together can be trusted; NAN of a chunk that an operating point
 * or a replacement made.
 */
VOUCH_API size_t vouch_answer_spans(const vouch_answer *answer);
VOUCH_API int vouch_answer_span(const vouch_answer *answer, size_t span, size_t *from, size_t *to, const char **type);
VOUCH_API double vouch_answer_span_confidence(const vouch_answer *answer, size_t method, size_t span);

/*
 * What a word might be, the likeliest first, by the first method, as many as the option "alternatives" asks for: a
 * label, or in a tree a head; the other one of the two is (size_t)-1 or NULL. Returns 1, or 0 out of range; each
 * pointer may be NULL.
 */
VOUCH_API size_t vouch_answer_alternatives(const vouch_answer *answer, size_t word);
VOUCH_API int vouch_answer_alternative(const vouch_answer *answer, size_t word, size_t alternative, const char **label,
                                       size_t *head, double *probability);

/*
 * 1 if the word is trusted less than the option "threshold" asks for, by the first method; else 0. A chunk stands or
 * falls as a whole, and an arc with its head and its relation.
 */
VOUCH_API int vouch_answer_is_doubtful(const vouch_answer *answer, size_t word);

/*
 * Scores from elsewhere
 *
 * Somebody else's model gives scores to labels or arcs; the library finds the best answer and says how far it can be
 * trusted, by the same methods as for its own models ('vouch help confidence'). Scores are logits, log-probabilities
 * or margins: the larger, the better, and the score of an answer is the sum of its parts'. -INFINITY is impossible;
 * NAN, +INFINITY, scores beyond 1e30 in size, and a word to which everything is impossible are argument errors.
 *
 * Several sets of scores (an ensemble, passes of dropout) are K models drawn by somebody else: their mean answers, and
 * is what the methods look at; `votes` counts the sets whose own best answer agrees, and `kd-fix` draws noise around
 * the mean. What one set calls impossible is impossible in the mean.
 *
 * Structures carry their own size as first member, so that programs go on working when they grow: set it to sizeof,
 * and everything that you do not need to 0. A member that this version does not know yet must be 0.
 */
struct vouch_chain_scores {
    size_t size;       /* sizeof(struct vouch_chain_scores) */
    size_t words;      /* N */
    size_t labels;     /* Y, the judge's */
    size_t sets;       /* K, the judge's */
    const float *node; /* [K][N][Y] a label of a word */
    const float *edge; /* [K][Y][Y] a label (the second index) behind another (the first); NULL: all the same */
    int edge_per_word; /* not 0: `edge` is [K][N-1][Y][Y], and the first block scores the step from word 0 to word 1 */
};

struct vouch_tree_scores {
    size_t size;      /* sizeof(struct vouch_tree_scores) */
    size_t words;     /* N */
    size_t sets;      /* K, the judge's */
    const float *arc; /* [K][N+1][N+1] arc[head][modifier]; 0 is the root, words count from 1. Column 0 (what the root
                         depends on) and the diagonal are not looked at. Exactly one word depends on the root */
};

struct vouch_judge_options {
    size_t size;         /* sizeof(struct vouch_judge_options) */
    const char *methods; /* names separated by commas; "all"; NULL: the best, if calibrated, else gamma */
    size_t alternatives; /* of every word; 0: none */
    size_t sets;         /* K of the scores; 0: 1 */
    size_t best;         /* K of kb and wkb, up to 1000; 0: 20 */
    size_t draws;        /* K of kd-fix, up to 1024; 0: 50 */
    double c;            /* scale of the scores in probabilities, which are proportional to exp(c * score); 0: 1 */
    double s;            /* variance of the noise of kd-fix; 0: pi^2 / (6 c^2), with which votes are near to gamma */
    uint64_t seed;       /* of the noise; 0: 1 */
    const char *scheme;  /* "IOB1", "IOB2", "BIOES" or "none"; NULL: as the labels look, IOB2 if IOB1 is possible */
    int constraints;     /* not 0: labels follow each other as the scheme writes them (IOB2: no I-X behind O) */
    int raw;             /* not 0: numbers as the methods have them, calibrated or not */
};

/* A judge of such scores: read-only once made, any number of threads may use one at once. */
typedef struct vouch_judge vouch_judge;

/*
 * Makes a judge of chains with these labels, in the order in which scores have them, or of trees. `options` may be
 * NULL; nothing that is given is kept. Returns a judge for vouch_judge_free() (NULL is allowed there), or NULL.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_new(const char *const *labels, size_t count,
                                                        const struct vouch_judge_options *options,
                                                        struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_new_tree(const struct vouch_judge_options *options,
                                                             struct vouch_error *err);
VOUCH_API void vouch_judge_free(vouch_judge *judge);

/*
 * All that a judge is, calibration included, as JSON: a model without weights. Owned by the judge.
 * vouch_judge_from_json() makes the same judge of it again; of the options it takes `methods`, `alternatives`, `draws`
 * and `raw`, the others are in the JSON and must be 0. Text that is no judge's is a format error.
 */
VOUCH_API const char *vouch_judge_json(const vouch_judge *judge);
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_from_json(const char *json,
                                                              const struct vouch_judge_options *options,
                                                              struct vouch_error *err);

/* Whether all its numbers are probabilities of being right. */
VOUCH_API int vouch_judge_is_calibrated(const vouch_judge *judge);

/* One thread's working memory over a judge, which must outlive it. Free it with vouch_judge_worker_free(). */
typedef struct vouch_judge_worker vouch_judge_worker;
VOUCH_API VOUCH_MUST_CHECK vouch_judge_worker *vouch_judge_worker_new(const vouch_judge *judge,
                                                                      struct vouch_error *err);
VOUCH_API void vouch_judge_worker_free(vouch_judge_worker *worker);

/*
 * The best answer to one sentence, and how far it can be trusted; the scores are not looked at any more afterwards.
 * The answer is the worker's own and valid until it is asked again. NULL if that failed. The same scores get the same
 * answer from every worker, in any order.
 */
VOUCH_API VOUCH_MUST_CHECK const vouch_answer *
vouch_judge_chain(vouch_judge_worker *worker, const struct vouch_chain_scores *scores, struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK const vouch_answer *
vouch_judge_tree(vouch_judge_worker *worker, const struct vouch_tree_scores *scores, struct vouch_error *err);

/*
 * Sentences whose truth is known, to calibrate a judge on: its model must not have learned from them. Scores and gold
 * are copied. The judge must outlive it; one thread at a time. A gold label that the judge does not have is one that
 * no answer gets right. Heads: 0 the root, else a word from 1.
 */
typedef struct vouch_judge_gold vouch_judge_gold;
VOUCH_API VOUCH_MUST_CHECK vouch_judge_gold *vouch_judge_gold_new(const vouch_judge *judge, struct vouch_error *err);
VOUCH_API void vouch_judge_gold_free(vouch_judge_gold *gold);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_judge_gold_chain(vouch_judge_gold *gold,
                                                                    const struct vouch_chain_scores *scores,
                                                                    const char *const *labels /* [N] */,
                                                                    struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_judge_gold_tree(vouch_judge_gold *gold,
                                                                   const struct vouch_tree_scores *scores,
                                                                   const size_t *heads /* [N] */,
                                                                   struct vouch_error *err);

/*
 * A judge like this one, but calibrated: its numbers are probabilities of being right, of words, chunks and sentences;
 * a chunk is never surer than a word of it, a sentence never surer than a chunk or word of it, and nothing is 0, or 1
 * unless there is no other choice. c, s and `best` become what predicts the truth best. Every method is calibrated; of
 * the options, `methods`, `alternatives` and `raw` stay. Works on up to `threads` threads (0: one), with the same
 * result. The judge stays as it is, and the gold may be freed afterwards.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_calibrate(const vouch_judge *judge, const vouch_judge_gold *gold,
                                                              unsigned threads, struct vouch_error *err);

#ifdef __cplusplus
}
#endif

#endif
