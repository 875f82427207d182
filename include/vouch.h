/*
 * vouch: labels and parses text, and says how far each answer can be trusted.
 *
 * The public interface, in one header. It climbs from one call to everything that the program can do:
 *
 *     one call                a sentence in, labels and confidences out
 *     models                  from a file or from memory; what they are
 *     options                 by name, from the same tables as the command line
 *     sentences               from the caller's cells, from files, from memory
 *     requests and workers    what is asked of a model, shared by threads; one worker for each
 *     answers                 labels or trees, with confidences of words, chunks and sentences
 *     batches                 many sentences over the library's own threads, answered in order
 *
 * The library never prints, exits or aborts, and keeps no global state.
 *
 * Errors. A function that can fail returns a status, or a pointer that is then NULL, and leaves the reason in the
 * caller's error object; `err` may be NULL everywhere. A failed call changes nothing that the caller can see, unless it
 * says so.
 *
 * Ownership. What comes from a function called _new or _open is the caller's, who gives it back to the _free or _close
 * of the same name, which take NULL as well. Strings that functions return belong to the object they were asked of, are
 * terminated and in UTF-8. Strings and arrays that the caller passes are copied, or not needed after the call, unless
 * it says otherwise.
 *
 * Threads. An object that is passed as const may be used by any number of threads at once. Any other object is to be
 * used by one thread at a time.
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

/* The library's version, such as "0.1.0". Static storage. */
VOUCH_API const char *vouch_version(void);

/*
 * One call
 *
 *     struct vouch_error err = {0};
 *     vouch_model *model = vouch_model_open("ner.vouch", &err);
 *     const char *words[] = {"Ada", "lives", "in", "Paris"}, *labels[4];
 *     double confidence[4];
 *     if (!model || vouch_model_label(model, words, 4, 1, labels, confidence, &err) != VOUCH_OK)
 *         fprintf(stderr, "%s\n", err.message);
 *     vouch_model_close(model);
 */

/* A model that labels or parses. Read-only once open, and shared by threads. */
typedef struct vouch_model vouch_model;

/*
 * Reads the model file at `path` into memory, and does not look at it again: it may be replaced, written over or
 * removed meanwhile.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open(const char *path, struct vouch_error *err);

/* Frees a model, of which nothing may be in use any more; NULL is allowed. */
VOUCH_API void vouch_model_close(vouch_model *model);

/*
 * Labels one sentence. `cells` holds `words` rows of `columns` strings, row by row: the word first, then what the model
 * was trained with, which vouch_model_columns() counts; further columns are passed over. Writes `words` pointers to
 * `labels`; the strings are owned by the model.
 *
 * If `confidence` is not NULL, it gets `words` numbers: the probability that each label is right, by the method that
 * was found best when the model was calibrated, or NAN if it was not. The labels are the same, but take longer.
 *
 * Every call prepares all that it needs: for more than a few sentences, use a request and a worker.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells,
                                                               size_t words, size_t columns, const char **labels,
                                                               double *confidence, struct vouch_error *err);

/*
 * Models
 */

/* The same as vouch_model_open() for the bytes of such a file, which are copied. */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open_memory(const void *bytes, size_t length,
                                                                struct vouch_error *err);

/* Writes the model to a file, byte for byte as it was opened. The file appears whole or not at all. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_save(const vouch_model *model, const char *path,
                                                              struct vouch_error *err);

/* Compares every section of the model with its checksum. Opening checks only what it needs. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_verify(const vouch_model *model, struct vouch_error *err);

/* The model's task: "np", "chunk", "ner", "pos", or "dep" for trees. Owned by the model. */
VOUCH_API const char *vouch_model_task(const vouch_model *model);

/* 1 if the model parses: its answers are trees, and labels are relations. 0 if it labels. */
VOUCH_API int vouch_model_parses(const vouch_model *model);

/* The model's header as JSON text: every parameter and its provenance. Owned by the model. */
VOUCH_API const char *vouch_model_header(const vouch_model *model);

/*
 * The number of labels or relations, and the name of each as it was learned: a model of a corpus in IOB1 may list the
 * labels of IOB2, though it answers in IOB1. Names are owned by the model; NULL out of range.
 */
VOUCH_API size_t vouch_model_label_count(const vouch_model *model);
VOUCH_API const char *vouch_model_label_name(const vouch_model *model, size_t label);

/*
 * How many columns a word must have: 1 for the form alone, 2 for form and part of speech, ... A parser says 1, but
 * knows more if lemma, universal part of speech, the corpus's own part of speech, and features follow the form.
 */
VOUCH_API size_t vouch_model_columns(const vouch_model *model);

/* 1 if the model was learned from ready-made attributes (see vouch_sentence_set_attributes()), else 0. */
VOUCH_API int vouch_model_takes_attributes(const vouch_model *model);

/*
 * Options
 *
 * The options of a command, by their names on the command line without dashes; vouch COMMAND --help and the manual
 * describe them. Options of the program alone, such as "quiet" and "output", are not there.
 *
 *     vouch_options *options = vouch_options_new("tag", &err);
 *     if (!options || vouch_options_set(options, "confidence", "kd-fix,committee", &err) != VOUCH_OK) ...
 */
typedef struct vouch_options vouch_options;

/* The usual options of a command: "tag", "parse", "train", "tune", "eval", "review", "trade" or "active". */
VOUCH_API VOUCH_MUST_CHECK vouch_options *vouch_options_new(const char *command, struct vouch_error *err);
VOUCH_API void vouch_options_free(vouch_options *options);

/*
 * Sets an option to what would be typed; the text is copied. Flags take "true" or "false". A name that there is not,
 * and a number out of range, are refused; names of formats, methods and the like are checked where they are used.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_options_set(vouch_options *options, const char *name,
                                                               const char *value, struct vouch_error *err);

/* Writes the value of an option to `text`, which has room for `room` bytes; empty for a text that is not set. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_options_get(const vouch_options *options, const char *name,
                                                               char *text, size_t room, struct vouch_error *err);

enum vouch_option_kind {
    VOUCH_OPTION_FLAG = 0,
    VOUCH_OPTION_TEXT = 1,
    VOUCH_OPTION_INTEGER = 2,
    VOUCH_OPTION_REAL = 3
};

/* What an option is. Strings have static storage. */
struct vouch_option {
    size_t size; /* sizeof(struct vouch_option), set by the caller */
    const char *name;
    enum vouch_option_kind kind;
    const char *argument; /* what help calls its value, such as "FILE"; NULL for flags */
    const char *help;     /* one line */
    double least, most;   /* the range of a number */
    char usual[64];       /* the value if it is not set; empty if there is none */
};

/* How many options a command has, 0 if there is no such command; and what each is, `index` from 0. */
VOUCH_API size_t vouch_options_count(const char *command);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_options_describe(const char *command, size_t index, struct vouch_option *option, struct vouch_error *err);

/*
 * Sentences
 *
 * A sentence owns its memory, which only grows: use one again for the next sentence.
 */
typedef struct vouch_sentence vouch_sentence;

VOUCH_API VOUCH_MUST_CHECK vouch_sentence *vouch_sentence_new(struct vouch_error *err);
VOUCH_API void vouch_sentence_free(vouch_sentence *sentence);

/*
 * Fills a sentence with copies of the caller's cells: `words` rows of `columns` strings, row by row, none of them
 * empty. For a model that labels, the word comes first and then what the model was trained with; for a parser, the
 * first five columns are form, lemma, universal part of speech, the corpus's own part of speech, and features, of which
 * only the form is needed ("_" stands for what is not known). If it fails, the sentence has no words.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_cells(vouch_sentence *sentence,
                                                                      const char *const *cells, size_t words,
                                                                      size_t columns, struct vouch_error *err);

/*
 * Fills a sentence with ready-made attributes, for models that were learned from CRFsuite's lines: up to `columns` of
 * them for each word, row by row; NULL stands for none. `values` has a weight for each of them, or is NULL: all are 1.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_attributes(vouch_sentence *sentence,
                                                                           const char *const *attributes,
                                                                           const float *values, size_t words,
                                                                           size_t columns, struct vouch_error *err);

/*
 * Adds what is right, after the cells: a label for each word, and in a tree a head (0 the root, else a word's number
 * from 1), of which the labels are then the relations. One of the two may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_gold(vouch_sentence *sentence,
                                                                     const char *const *labels, const size_t *heads,
                                                                     struct vouch_error *err);

VOUCH_API size_t vouch_sentence_words(const vouch_sentence *sentence);

/*
 * What word `word`, from 0, is called: *length bytes that are NOT terminated (`length` may be NULL), valid until the
 * sentence is filled again. NULL out of range.
 */
VOUCH_API const char *vouch_sentence_word(const vouch_sentence *sentence, size_t word, size_t *length);

/* Why a sentence could not be read, where the option "on-error" is "report": it then has no words. Else NULL. */
VOUCH_API const char *vouch_sentence_fault(const vouch_sentence *sentence);

/* 1 for the mark between two documents, -DOCSTART-, which is read as a sentence but not answered; else 0. */
VOUCH_API int vouch_sentence_is_mark(const vouch_sentence *sentence);

/* Reads sentences in any format that the program knows, compressed or not. */
typedef struct vouch_reader vouch_reader;

/*
 * Opens a file; "-" is standard input. `model` (NULL: none) settles what the options leave open, such as the column of
 * the labels and whether sentences are trees, and must be able to read the file. `options` are those of any command,
 * of which "format", "column", "gold" and "on-error" matter, or NULL: those of "parse" for a model that parses, else of
 * "tag". Neither is needed after the call.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_reader *vouch_reader_open(const char *path, const vouch_model *model,
                                                           const vouch_options *options, struct vouch_error *err);

/* The same for the bytes of such a file, which must stay as they are until the reader is closed. */
VOUCH_API VOUCH_MUST_CHECK vouch_reader *vouch_reader_open_memory(const void *bytes, size_t length,
                                                                  const vouch_model *model,
                                                                  const vouch_options *options,
                                                                  struct vouch_error *err);
VOUCH_API void vouch_reader_close(vouch_reader *reader);

/* Reads the next sentence: 1, or 0 at the end, or -1 with the reason in `err`. Only after 1 does it have words. */
VOUCH_API VOUCH_MUST_CHECK int vouch_reader_next(vouch_reader *reader, vouch_sentence *sentence,
                                                 struct vouch_error *err);

/*
 * Requests and workers
 *
 * A request says what is asked of a model: methods of confidence, calibrated or raw, alternatives, draws, a threshold,
 * the model's operating point. It is read-only, and shared by threads; each thread has a worker of its own.
 */
typedef struct vouch_request vouch_request;

/*
 * `options` are those of "tag", or of "parse" if the model parses, and are not needed after the call; NULL stands for
 * the usual ones. The model must outlive the request.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_request *vouch_request_new(const vouch_model *model, const vouch_options *options,
                                                            struct vouch_error *err);
VOUCH_API void vouch_request_free(vouch_request *request);

/* The methods that answers will have, their names, and whether their numbers are probabilities; see answers below. */
VOUCH_API size_t vouch_request_methods(const vouch_request *request);
VOUCH_API const char *vouch_request_method_name(const vouch_request *request, size_t method);
VOUCH_API int vouch_request_is_calibrated(const vouch_request *request, size_t method);

/* One thread's working memory over a request, which must outlive it. */
typedef struct vouch_worker vouch_worker;
typedef struct vouch_answer vouch_answer;

VOUCH_API VOUCH_MUST_CHECK vouch_worker *vouch_worker_new(const vouch_request *request, struct vouch_error *err);
VOUCH_API void vouch_worker_free(vouch_worker *worker);

/*
 * Answers a sentence. The answer is owned by the worker and valid until its next call, or until it is freed; the
 * sentence is not needed any more. NULL on failure. The same sentence gets the same answer from every worker.
 */
VOUCH_API VOUCH_MUST_CHECK const vouch_answer *vouch_worker_answer(vouch_worker *worker, const vouch_sentence *sentence,
                                                                   struct vouch_error *err);

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
 * Batches
 *
 * Many sentences over the library's own threads, as many as the option "threads" of the request says. Answers come in
 * order, on the caller's thread, and are the same for any number of threads. Memory does not grow with the sentences.
 */

/* Gets a sentence and its answer, both valid until it returns: 0 to go on, anything else to stop. */
typedef int (*vouch_answer_callback)(void *context, const vouch_sentence *sentence, const vouch_answer *answer);

/*
 * Answers all that a reader has still to read. What stands in front of a sentence that cannot be read or answered is
 * handed on before the error. VOUCH_ERR_STOPPED if the callback stopped it.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answer_stream(const vouch_request *request, vouch_reader *reader,
                                                                 vouch_answer_callback callback, void *context,
                                                                 struct vouch_error *err);

/* The same for `count` sentences that the caller has, and which must stay as they are meanwhile. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answer_batch(const vouch_request *request,
                                                                vouch_sentence *const *sentences, size_t count,
                                                                vouch_answer_callback callback, void *context,
                                                                struct vouch_error *err);

#ifdef __cplusplus
}
#endif

#endif
