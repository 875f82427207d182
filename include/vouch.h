/*
 * vouch labels and parses text, and tells how far each answer can be trusted.
 *
 * This is the public interface, in one header. It climbs from one call to everything that the program can do:
 *
 *     one call                a sentence in, labels and confidences out
 *     models                  from a file or from memory; what they are
 *     options                 by name, from the same tables as the command line
 *     sentences               from the caller's cells, from files, from memory
 *     requests and workers    what is asked of a model, shared by threads; one worker for each
 *     answers                 labels or trees, with confidences of words, chunks and sentences
 *     batches                 many sentences over the library's own threads, answered in order
 *     training and tuning     from labelled files to a model; what its confidence is worth; cross-validation
 *     evaluation and use      how good a model is, precision against recall, what to label next
 *     measures                how good confidences are that any program gave
 *     answers of others       those in files: measured, calibrated, traded and counted as votes
 *     review                  what in a labelled corpus is probably wrong
 *     annotators              how far several agree; texts from and for the tools that they work with
 *     scores from elsewhere   scores of another model in, answers with confidences out
 *
 * The library never prints, exits or aborts, and keeps no global state.
 *
 * Errors. A function that can fail returns a status, or a pointer that is then NULL, and leaves the reason in the
 * caller's error object; `err` may be NULL everywhere. A failed call changes nothing that the caller can see, unless
 * its comment says so.
 *
 * NULL. A function that can fail answers NULL, in place of an object, an array, a string or a structure that it needs,
 * with VOUCH_ERR_ARGUMENT; its comment says where NULL has a meaning. Functions that cannot fail, which take no `err`,
 * do not look: they need an object, and NULL in its place is undefined, except in those called _free and _close, in
 * vouch_free() and in vouch_options_count(). Pointers to numbers and strings that they fill in may be NULL.
 *
 * Ownership. The caller owns what a function called _new or _open returns, and frees it with the function called _free
 * or _close of the same type, which accepts NULL. Strings that a function returns are terminated, in UTF-8, and owned
 * by the object that was passed, unless the function's comment says otherwise. Strings and arrays that the caller
 * passes are copied, or not needed after the call, unless the comment says otherwise.
 *
 * Threads. Any number of threads may use an object at once in calls that take it as const. A call that takes an object
 * without const must be the only call that uses it meanwhile.
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

/* The kinds of errors. The values are part of the interface and never change. */
enum vouch_status {
    VOUCH_OK = 0,
    VOUCH_ERR_MEMORY = 1,   /* an allocation failed */
    VOUCH_ERR_IO = 2,       /* a file could not be read or written */
    VOUCH_ERR_FORMAT = 3,   /* a file does not have the expected content */
    VOUCH_ERR_ARGUMENT = 4, /* an argument is wrong, or asks for something impossible */
    VOUCH_ERR_STOPPED = 5   /* a callback or a signal asked to stop */
};

/* Owned by the caller; zero it before first use. Each thread needs one of its own. */
struct vouch_error {
    enum vouch_status status;
    char message[500]; /* lower case, no full stop, always terminated */
};

/* Returns the library's version, such as "0.1.0", in static storage. */
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

/* A model that labels or parses. It never changes once it is open, and threads may share it. */
typedef struct vouch_model vouch_model;

/*
 * Reads the model file at `path` into memory, and does not look at the file again, which may then be replaced, written
 * over or removed. Close the model with vouch_model_close().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open(const char *path, struct vouch_error *err);

/* Frees a model; NULL is allowed. Free its requests and their workers first: strings that it owns go with it. */
VOUCH_API void vouch_model_close(vouch_model *model);

/*
 * Labels one sentence. `cells` holds `words` rows of `columns` strings, row by row: the word first, then the columns
 * that the model was trained with, whose number vouch_model_columns() returns; further columns are ignored. Writes
 * `words` pointers to `labels`; the strings are owned by the model.
 *
 * If `confidence` is not NULL, it gets `words` numbers: the probability that each label is right, by the method that
 * calibration found best, or NAN if the model was not calibrated. It does not change the labels, but takes time.
 *
 * Every call prepares everything that it needs: for more than a few sentences, use a request and a worker.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_label(const vouch_model *model, const char *const *cells,
                                                               size_t words, size_t columns, const char **labels,
                                                               double *confidence, struct vouch_error *err);

/*
 * Models
 *
 * Functions without `err` need a model, not NULL.
 */

/* Does what vouch_model_open() does for the bytes of such a file, which are copied. */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open_memory(const void *bytes, size_t length,
                                                                struct vouch_error *err);

/*
 * Makes a model of another program's linear-chain CRF, in the file at `path`. `from` is the program: "crfsuite", whose
 * models take ready-made attributes, "crfpp" for a text model of CRF++, or "wapiti". Answers and marginals are the
 * same: see vouch-import(1).
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_import(const char *from, const char *path, struct vouch_error *err);

/* Writes the model to a file, byte for byte as it was opened. The file appears whole or not at all. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_save(const vouch_model *model, const char *path,
                                                              struct vouch_error *err);

/* Writes the model as text, as vouch dump does; vouch-model(5) describes it. The file appears whole or not at all. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_dump(const vouch_model *model, const char *path,
                                                              struct vouch_error *err);

/* Compares every section of the model with its checksum, once more: opening has done so. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_verify(const vouch_model *model, struct vouch_error *err);

/* Returns the model's task: "np", "chunk", "ner", "pos", or "dep" for trees. Owned by the model. */
VOUCH_API const char *vouch_model_task(const vouch_model *model);

/* Returns 1 if the model parses: its answers are trees, and labels are relations. 0 if it labels. */
VOUCH_API int vouch_model_parses(const vouch_model *model);

/* Returns the model's header as JSON text: every parameter and its provenance. Owned by the model. */
VOUCH_API const char *vouch_model_header(const vouch_model *model);

/*
 * Return the number of labels or relations, and the name of each as it was learned: a model of a corpus in IOB1 may
 * list the labels of IOB2, though it answers in IOB1. Names are owned by the model; NULL out of range.
 */
VOUCH_API size_t vouch_model_label_count(const vouch_model *model);
VOUCH_API const char *vouch_model_label_name(const vouch_model *model, size_t label);

/*
 * Returns how many columns a word must have: 1 for the form alone, 2 for form and part of speech, ... It is 1 for a
 * parser, which also uses lemma, universal part of speech, the corpus's own part of speech, and features if they follow
 * the form.
 */
VOUCH_API size_t vouch_model_columns(const vouch_model *model);

/* Returns 1 if the model was learned from ready-made attributes (see vouch_sentence_set_attributes()), else 0. */
VOUCH_API int vouch_model_takes_attributes(const vouch_model *model);

/* Returns the dimensions of the vectors that words must have (see vouch_sentence_set_vectors()); 0 if none. */
VOUCH_API size_t vouch_model_dimensions(const vouch_model *model);

/*
 * Options
 *
 * The options of a command are set by their names on the command line without dashes; vouch COMMAND --help and the
 * manual describe them. Options that only concern the program, such as "quiet" and "output", are left out. Wherever a
 * function takes options, NULL stands for the usual ones.
 *
 *     vouch_options *options = vouch_options_new("tag", &err);
 *     if (!options || vouch_options_set(options, "confidence", "kd-fix,committee", &err) != VOUCH_OK) ...
 */
typedef struct vouch_options vouch_options;

/*
 * Makes the usual options of a command: "tag", "parse", "train", "tune", "eval", "forecast", "review", "trade",
 * "active", "vote", "agree", "convert" or "cluster". Free them with vouch_options_free().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_options *vouch_options_new(const char *command, struct vouch_error *err);
VOUCH_API void vouch_options_free(vouch_options *options);

/*
 * Sets an option to the value that would be typed, which is copied. Flags take "true" or "false"; an empty text sets an
 * option that is a text back to its default. An unknown name, a number out of range and a word that is none of the
 * option's choices, such as a format, are argument errors; names of methods, tasks, files and the like are checked
 * where they are used. "decided" of "review" names one more table each time that it is set, and none
 * after an empty text.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_options_set(vouch_options *options, const char *name,
                                                               const char *value, struct vouch_error *err);

/*
 * Writes the value of an option, as vouch_options_set() takes it, to `text`, which has room for `room` bytes: an empty
 * one for a text that has no value. It is an argument error if the value does not fit.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_options_get(const vouch_options *options, const char *name,
                                                               char *text, size_t room, struct vouch_error *err);

enum vouch_option_kind {
    VOUCH_OPTION_FLAG = 0,
    VOUCH_OPTION_TEXT = 1,
    VOUCH_OPTION_INTEGER = 2,
    VOUCH_OPTION_REAL = 3
};

/* The description of an option. Strings have static storage. */
struct vouch_option {
    size_t size; /* sizeof(struct vouch_option), set by the caller */
    const char *name;
    enum vouch_option_kind kind;
    const char *argument; /* what help calls its value, such as "FILE"; NULL for flags */
    const char *help;     /* one line */
    double least, most;   /* the range of a number */
    char usual[64];       /* the value if it is not set; empty if there is none */
    const char *choices;  /* of a text that must be one of some words, these: "skip, keep or attach"; else NULL */
};

/* Return how many options a command has, 0 if there is no such command; and describe each, `index` from 0. */
VOUCH_API size_t vouch_options_count(const char *command);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_options_describe(const char *command, size_t index, struct vouch_option *option, struct vouch_error *err);

/*
 * Sentences
 *
 * A sentence owns its memory, which only grows: use one again for the next sentence. Functions without `err` need a
 * sentence, not NULL; vouch_sentence_free() takes both.
 */
typedef struct vouch_sentence vouch_sentence;

VOUCH_API VOUCH_MUST_CHECK vouch_sentence *vouch_sentence_new(struct vouch_error *err);
VOUCH_API void vouch_sentence_free(vouch_sentence *sentence);

/*
 * Fills a sentence with copies of the caller's cells: `words` rows of `columns` strings, row by row, none of them
 * empty. For a model that labels, the word comes first and then the columns that it was trained with; for a parser, the
 * first five columns are form, lemma, universal part of speech, the corpus's own part of speech, and features, of which
 * only the form is needed ("_" stands for unknown). If it fails, the sentence has no words.
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
 * Adds a vector for each word to a sentence whose cells or attributes have been set: `words` rows of `dimensions`
 * numbers, all finite, which are copied, for models that were learned with vectors (the option "vectors"). They are the
 * vectors themselves, as they were in the files learned from: the model scales them. Setting cells anew removes them.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_vectors(vouch_sentence *sentence, const float *vectors,
                                                                        size_t words, size_t dimensions,
                                                                        struct vouch_error *err);

/*
 * Adds the right answer to a sentence whose cells have been set: a label for each word, and in a tree a head for each
 * (0 for the root, else a word's number from 1), to which the labels are then the relations. One of the two may be
 * NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_gold(vouch_sentence *sentence,
                                                                     const char *const *labels, const size_t *heads,
                                                                     struct vouch_error *err);

/*
 * Adds what is known of the answer, by a person or another program: a label for some words, NULL for the others; and in
 * a tree a head for some, (size_t)-1 for the others, the labels then being relations. NULL: none is known. Answers to
 * this sentence are the best of those that agree with it, and confidences are about the rest: a word of which all is
 * known has no other choice. Labels are in IOB2, or in BIOES if the model's are, and so spelled that they may stand
 * alone: B-X begins a chunk, I-X goes on with one. A label that the model does not have is an error when it answers.
 * Setting cells or reading anew forgets what was known.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_sentence_set_known(vouch_sentence *sentence,
                                                                      const char *const *labels, const size_t *heads,
                                                                      struct vouch_error *err);

VOUCH_API size_t vouch_sentence_words(const vouch_sentence *sentence);

/*
 * Returns the text of word `word`, from 0: *length bytes that are NOT terminated (`length` may be NULL), valid until
 * the sentence is filled again. NULL out of range.
 */
VOUCH_API const char *vouch_sentence_word(const vouch_sentence *sentence, size_t word, size_t *length);

/*
 * Returns why a sentence, which then has no words, could not be read; NULL if it could. Only a reader whose option
 * "on-error" is "report" gives such sentences.
 */
VOUCH_API const char *vouch_sentence_fault(const vouch_sentence *sentence);

/* Returns 1 for the mark between two documents, -DOCSTART-, which is read as a sentence but not answered; else 0. */
VOUCH_API int vouch_sentence_is_mark(const vouch_sentence *sentence);

/* Reads sentences in any format of the program, compressed or not. */
typedef struct vouch_reader vouch_reader;

/*
 * Opens a file; "-" is standard input. `model` (NULL: none) settles what the options leave open, such as the column of
 * the labels and whether sentences are trees, and must be able to read the file. `options` are those of any command,
 * of which "format", "column", "gold" and "on-error" matter, or NULL: those of "parse" for a model that parses, else of
 * "tag". Neither is needed after the call. A reader of trees is for models that parse, any other for models that label.
 * Close it with vouch_reader_close().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_reader *vouch_reader_open(const char *path, const vouch_model *model,
                                                           const vouch_options *options, struct vouch_error *err);

/* Does the same for the bytes of such a file, which must stay as they are until the reader is closed. */
VOUCH_API VOUCH_MUST_CHECK vouch_reader *vouch_reader_open_memory(const void *bytes, size_t length,
                                                                  const vouch_model *model,
                                                                  const vouch_options *options,
                                                                  struct vouch_error *err);
VOUCH_API void vouch_reader_close(vouch_reader *reader);

/*
 * Fills `sentence` with the next one and returns 1; or returns 0 at the end, or -1 with the reason in `err`. The
 * sentence is a copy that the caller owns; after 0 and -1 it has no words.
 */
VOUCH_API VOUCH_MUST_CHECK int vouch_reader_next(vouch_reader *reader, vouch_sentence *sentence,
                                                 struct vouch_error *err);

/*
 * Requests and workers
 *
 * A request holds the options of answering: methods of confidence, calibrated or raw, alternatives, sets, draws, a
 * threshold, the model's operating point. It is read-only, and shared by threads; each thread has a worker of its own.
 */
typedef struct vouch_request vouch_request;

/*
 * Makes a request. `options` are those of "tag", or of "parse" if the model parses, and are not needed after the call.
 * The model must outlive the request. Free it with vouch_request_free().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_request *vouch_request_new(const vouch_model *model, const vouch_options *options,
                                                            struct vouch_error *err);
VOUCH_API void vouch_request_free(vouch_request *request);

/*
 * Return the number of methods in answers, their names, and whether their numbers are probabilities; NULL and 0 out of
 * range. They need a request, not NULL.
 */
VOUCH_API size_t vouch_request_methods(const vouch_request *request);
VOUCH_API const char *vouch_request_method_name(const vouch_request *request, size_t method);
VOUCH_API int vouch_request_is_calibrated(const vouch_request *request, size_t method);

/* One thread's working memory for a request, which must outlive it. Free it with vouch_worker_free(). */
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
 * An answer is the labels or the tree of one sentence, and how far they can be trusted. Words, chunks, methods and
 * alternatives are numbered from 0. Out of range, and for numbers that were not computed, functions return NAN, NULL or
 * 0. Strings belong to the model or to the answer: use them only while both are valid. All of them need an answer, not
 * NULL.
 */
VOUCH_API size_t vouch_answer_words(const vouch_answer *answer);

/* Returns the word's label, or in a tree the relation to its head; NULL if there is none. */
VOUCH_API const char *vouch_answer_label(const vouch_answer *answer, size_t word);

/* Returns the word's head in a tree: 0 the root, else a word's number from 1; (size_t)-1 if the answer is no tree. */
VOUCH_API size_t vouch_answer_head(const vouch_answer *answer, size_t word);

/* Return the methods of confidence in the order of the request: none if the model was not calibrated. */
VOUCH_API size_t vouch_answer_methods(const vouch_answer *answer);
VOUCH_API const char *vouch_answer_method_name(const vouch_answer *answer, size_t method);

/* Returns 1 if the method's numbers are probabilities of being right; 0 if they only rank. */
VOUCH_API int vouch_answer_is_calibrated(const vouch_answer *answer, size_t method);

/*
 * Return the confidence in a word's label or head; in the relation, given the head; in the whole answer. An operating
 * point or the option "replace" changes labels, but not these numbers, which are about the model's own answer.
 */
VOUCH_API double vouch_answer_confidence(const vouch_answer *answer, size_t method, size_t word);
VOUCH_API double vouch_answer_relation_confidence(const vouch_answer *answer, size_t method, size_t word);
VOUCH_API double vouch_answer_sentence_confidence(const vouch_answer *answer, size_t method);

/*
 * Return the chunks that the labels spell: words from .. to - 1, and their type. vouch_answer_span() returns 1, or 0
 * out of range; each pointer may be NULL. Their confidence is that boundaries and type are right; NAN for a chunk that
 * the model's own labels did not have.
 */
VOUCH_API size_t vouch_answer_spans(const vouch_answer *answer);
VOUCH_API int vouch_answer_span(const vouch_answer *answer, size_t span, size_t *from, size_t *to, const char **type);
VOUCH_API double vouch_answer_span_confidence(const vouch_answer *answer, size_t method, size_t span);

/*
 * Return the likeliest labels of a word, or in a tree heads, the likeliest first, by the first method, as many as the
 * option "alternatives" asks for. A label has the head (size_t)-1, a head the label NULL. vouch_answer_alternative()
 * returns 1, or 0 out of range; each pointer may be NULL.
 */
VOUCH_API size_t vouch_answer_alternatives(const vouch_answer *answer, size_t word);
VOUCH_API int vouch_answer_alternative(const vouch_answer *answer, size_t word, size_t alternative, const char **label,
                                       size_t *head, double *probability);

/*
 * Return, with the option "sets" and a model with a coverage (vouch_tune() with the option "coverage"), choices of a
 * word that hold the right one as often as that coverage, likeliest first, the answer's among them. As above.
 */
VOUCH_API size_t vouch_answer_set(const vouch_answer *answer, size_t word);
VOUCH_API int vouch_answer_set_member(const vouch_answer *answer, size_t word, size_t member, const char **label,
                                      size_t *head, double *probability);

/* Return the same for the relation of a word in a tree to the head that it has in the answer. */
VOUCH_API size_t vouch_answer_relations(const vouch_answer *answer, size_t word);
VOUCH_API int vouch_answer_relation(const vouch_answer *answer, size_t word, size_t member, const char **relation,
                                    double *probability);

/*
 * Return the same for a chunk: what its words may be as one chunk, the type of a chunk of just these words, or "O" if
 * there is none. A chunk that an operating point or a replacement made has no readings.
 */
VOUCH_API size_t vouch_answer_readings(const vouch_answer *answer, size_t span);
VOUCH_API int vouch_answer_reading(const vouch_answer *answer, size_t span, size_t reading, const char **type,
                                   double *probability);

/*
 * Returns 1 if the confidence in the word, by the first method, is below the option "threshold"; else 0. A chunk is
 * doubtful as a whole, and an arc if its head or its relation is.
 */
VOUCH_API int vouch_answer_is_doubtful(const vouch_answer *answer, size_t word);

/*
 * The best whole answers to a sentence, the best first: labels of all words, or trees, each with the best relations of
 * its arcs. The first is the model's own answer, whatever an operating point or a replacement makes of it.
 */
typedef struct vouch_best vouch_best;

/*
 * Finds the `most` best answers, from 1 to 1000; fewer only if there are no more. They are owned by the worker and
 * valid until its next call, or until it is freed. NULL on failure.
 */
VOUCH_API VOUCH_MUST_CHECK const vouch_best *vouch_worker_best(vouch_worker *worker, const vouch_sentence *sentence,
                                                               size_t most, struct vouch_error *err);

/*
 * Return how many there are; a word's label, or in a tree its relation, in the answer of a rank, from 0; its head; and
 * the probability that all labels of the answer are right, or in a tree all heads. Out of range, NULL, (size_t)-1 and
 * NAN, as above.
 */
VOUCH_API size_t vouch_best_count(const vouch_best *best);
VOUCH_API const char *vouch_best_label(const vouch_best *best, size_t rank, size_t word);
VOUCH_API size_t vouch_best_head(const vouch_best *best, size_t rank, size_t word);
VOUCH_API double vouch_best_probability(const vouch_best *best, size_t rank);

/*
 * Batches
 *
 * Many sentences are answered on the library's own threads, as many as the option "threads" of the request. Answers
 * come in order, on the caller's thread, and are the same for any number of threads. Memory does not grow with the
 * sentences.
 */

/*
 * Gets a sentence and its answer, both owned by the library and valid until it returns. It returns 0 to continue,
 * anything else to stop.
 */
typedef int (*vouch_answer_callback)(void *context, const vouch_sentence *sentence, const vouch_answer *answer);

/*
 * Answers all that a reader has still to read. Sentences before one that cannot be read or answered are handed on
 * before the error. VOUCH_ERR_STOPPED if the callback stopped it.
 *
 * With the option "consistency", or the method "committee+text", stretches of at most 500 sentences are read and
 * answered as a whole before the first answer of each is handed on, also while the input waits for more. A model that
 * was learned with the option "context" sees N sentences around each in its document, so that answers come N later.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answer_stream(const vouch_request *request, vouch_reader *reader,
                                                                 vouch_answer_callback callback, void *context,
                                                                 struct vouch_error *err);

/*
 * Does the same for `count` sentences of the caller, which must stay as they are meanwhile. They are the text that
 * "consistency" is about; a worker, which sees one sentence at a time, refuses such a request. A model of "context"
 * takes them for a document, and what a worker answers for one of a single sentence.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answer_batch(const vouch_request *request,
                                                                vouch_sentence *const *sentences, size_t count,
                                                                vouch_answer_callback callback, void *context,
                                                                struct vouch_error *err);

/*
 * Training and tuning
 *
 *     vouch_options *options = vouch_options_new("train", &err);
 *     const char *files[] = {"train.txt"};
 *     if (options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK)
 *         model = vouch_train(options, files, 1, NULL, &err);
 *
 * Training may take minutes or hours, so it can be watched and stopped: pass a struct vouch_watch, or NULL. Files are
 * read in any format of the program, compressed or not. A wrong option, or no file, is VOUCH_ERR_ARGUMENT.
 */

/* The kinds of events. New kinds may be added: ignore those that you do not know. */
enum vouch_event_kind {
    VOUCH_EVENT_NOTE = 0,         /* a note: see `text` */
    VOUCH_EVENT_WARNING = 1,      /* a warning of a probable mistake: see `text` */
    VOUCH_EVENT_READING = 2,      /* progress: sentences */
    VOUCH_EVENT_READ = 3,         /* all files have been read: `done` sentences */
    VOUCH_EVENT_LEARNING = 4,     /* progress: sentences of a pass; `number` is the loss so far */
    VOUCH_EVENT_PASS = 5,         /* a pass is over: number `done` of `of`; `number` is its loss */
    VOUCH_EVENT_KEPT = 6,         /* of the option "best-pass": pass `done` is the one that was kept */
    VOUCH_EVENT_TUNING = 7,       /* progress: values of a parameter of learning */
    VOUCH_EVENT_TRIED = 8,        /* a value that was tried, in tuning or in calibrating: `number` */
    VOUCH_EVENT_TUNED = 9,        /* the value that was chosen: `number` */
    VOUCH_EVENT_HOLDING_OUT = 10, /* progress: learning on parts of the corpus, to calibrate on the others */
    VOUCH_EVENT_CALIBRATING = 11, /* progress: steps of calibrating */
    VOUCH_EVENT_CALIBRATED = 12,  /* a layer of the model has been calibrated: `number` is the average precision */
    VOUCH_EVENT_FOLDS = 13,       /* progress: runs of a cross-validation */
    VOUCH_EVENT_JUDGING = 14,     /* progress: judging the labels of a corpus, in a review */
    VOUCH_EVENT_ROUNDS = 15,      /* progress: rounds of active learning, in a simulation */
    VOUCH_EVENT_CLUSTERING = 16   /* progress: rounds of finding classes of words */
};

/* Something that happened, or the progress of something. Its strings are valid until the callback returns. */
struct vouch_event {
    size_t size; /* of this structure, as the library knows it; later versions may append to it */
    enum vouch_event_kind kind;
    const char *what;   /* what it is about: "reading", "cw         pass  2/10", a voice, a layer. Never NULL */
    uint64_t done, of;  /* how much is done, of how much; `of` is 0 if that is not known */
    double number;      /* see the kinds; NAN if there is none */
    const char *note;   /* to show behind a progress bar, such as " loss 0.01234". Never NULL */
    const char *text;   /* one line to show and keep, in UTF-8 but for names of files; NULL for mere progress */
    const char *record; /* the same for machines, as a JSON object with all its figures; NULL: none */
};

/* Callbacks of the caller. Set `size` to sizeof(struct vouch_watch); each function may be NULL. */
struct vouch_watch {
    size_t size;
    void *context; /* passed to both */

    /* Called at every event, on any thread of the library, but never on two of them at once. */
    void (*tell)(void *context, const struct vouch_event *event);

    /* Whether to stop: called often, and by several threads at once. After it has returned 1 it must not return 0. */
    int (*stop)(void *context);
};

/*
 * Learns a model from labelled files, as vouch train does: `options` are those of "train", of which "task" must be set,
 * or "from", the path of a model to go on from. The model is in memory, with the same bytes as the program would write;
 * vouch_model_save() writes it. Free it with vouch_model_close().
 *
 * If the watch asks to stop, the result is what was learned until then, without a fresh calibration, and err->status is
 * VOUCH_ERR_STOPPED although there is a model; NULL if nothing was learned yet.
 *
 * Options, files and watch are not needed after the call. Any number of threads may train at once, each with a watch
 * of its own; the option "threads" sets how many each call uses, on which the result does not depend.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_train(const vouch_options *options, const char *const *files,
                                                    size_t count, const struct vouch_watch *watch,
                                                    struct vouch_error *err);

/*
 * Calibrates a model's confidence, as vouch tune does, on labelled files that it was not trained on, with the options
 * of "tune". The result is a new model that gives the same answers with new confidence; the old one does not change.
 * Free it with vouch_model_close(). If the watch asks to stop, the result is NULL: VOUCH_ERR_STOPPED. Model, options,
 * files and watch are not needed after the call. With the option "coverage", confidence stays as it is, and the new
 * model gets the thresholds of sets instead.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_tune(const vouch_model *model, const vouch_options *options,
                                                   const char *const *files, size_t count,
                                                   const struct vouch_watch *watch, struct vouch_error *err);

/*
 * Cross-validates algorithms, as vouch eval --folds does: `options` are those of "eval", of which "folds" and "task"
 * must be set; "algorithm" may name several, separated by commas. *json is what the program prints with --json: for
 * each algorithm the scores of every fold and pass, and a paired t-test of every two. Free it with vouch_free(); NULL
 * after a failure. If the watch asks to stop, there is none: VOUCH_ERR_STOPPED.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_cross_validate(const vouch_options *options,
                                                                  const char *const *files, size_t count,
                                                                  const struct vouch_watch *watch, char **json,
                                                                  struct vouch_error *err);

/* Frees text that a function has returned through a char **; NULL is allowed. */
VOUCH_API void vouch_free(void *text);

/*
 * Evaluation, forecasts, trading, and what to label next
 *
 * These functions work on files, in any format of the program, and can be watched and stopped as training can: after a
 * stop there is no result, and the status is VOUCH_ERR_STOPPED. Models, options, files and watch are not needed after
 * the call. The caller owns the texts that they return, and frees them with vouch_free().
 */

/* The usual figures of an evaluation. Those that do not apply are NAN; rates are in percent. */
struct vouch_evaluation {
    size_t size; /* sizeof(struct vouch_evaluation), set by the caller */
    uint64_t sentences, words;
    double accuracy;              /* words with the right label, or head */
    double labelled_accuracy;     /* in trees, words with the right head and relation */
    double precision, recall, f1; /* of chunks, as conlleval counts them */
    double average_precision;     /* how well the confidence of words finds the wrong ones, by the first method */
    double risk_coverage;         /* area under the risk-coverage curve, by the same */
    double calibration_error;     /* expected calibration error, by the same */
    double calibration_error_inside; /* that of words which the answers put inside of chunks; this and the next are left
                                        out if `size` ends before them */
    double calibration_error_chunks; /* that of chunks */
};

/*
 * Lets a model answer labelled files and compares, as vouch eval -m does, with the options of "eval". `result` gets the
 * usual figures, *json what the program prints with --json; either may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_evaluate(const vouch_model *model, const vouch_options *options, const char *const *files, size_t count,
               const struct vouch_watch *watch, struct vouch_evaluation *result, char **json, struct vouch_error *err);

/* An expected share in percent, and an interval that holds it with a probability of 0.9. NAN: it does not apply. */
struct vouch_expected {
    double value, low, high;
};

/* How good a model's answers to some text will be. */
struct vouch_outlook {
    size_t size; /* sizeof(struct vouch_outlook), set by the caller */
    uint64_t sentences, words;
    struct vouch_expected accuracy;              /* words with the right label, or head */
    struct vouch_expected precision, recall, f1; /* of chunks */
    uint64_t sentences_to_label; /* how many, taken at random, would halve the interval of F1, or else of accuracy */
    int unlike;                  /* 1 if the text is unlike the one that the model was calibrated on, else 0 */
};

/*
 * Estimates how good a model's answers to unlabelled files are going to be, as vouch forecast does, with the options of
 * "forecast". Labels in the files are not looked at. `result` gets the usual figures, *json what the program prints
 * with --json; either may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_forecast(const vouch_model *model, const vouch_options *options, const char *const *files, size_t count,
               const struct vouch_watch *watch, struct vouch_outlook *result, char **json, struct vouch_error *err);

/*
 * Trades precision against recall on labelled files, as vouch trade does, with the options of "trade". *json gets what
 * the program prints with --json: the curves, and the operating point that was chosen. If "precision" or "recall" is
 * set, *chosen gets a new model that keeps the operating point, to be closed by vouch_model_close(); else NULL. With
 * "guarantee" the figure holds on other text from the same source with that probability; VOUCH_ERR_ARGUMENT if no point
 * has it. Either pointer may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_trade(const vouch_model *model, const vouch_options *options,
                                                         const char *const *files, size_t count,
                                                         const struct vouch_watch *watch, vouch_model **chosen,
                                                         char **json, struct vouch_error *err);

/*
 * Chooses the sentences of the file `pool` that the model is least sure of, as vouch active next does, with the options
 * of "active": "confidence" sets how they are chosen (by "gamma/density", for example), "number" how many, "predict"
 * whether they come with the model's labels. Sentences that are in one of the `count` files `labelled` (`count` may be
 * 0), and those that the model has learned from, are left out. *text gets the chosen ones as the program writes them,
 * in the format of the pool; *chosen, unless it is NULL, how many there are.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_choose_next(const vouch_model *model, const vouch_options *options,
                                                               const char *pool, const char *const *labelled,
                                                               size_t count, const struct vouch_watch *watch,
                                                               size_t *chosen, char **text, struct vouch_error *err);

/*
 * Measures
 *
 * Confidences of any program in answers that are known to be right or wrong, measured as vouch eval does.
 */

/* Answers with a confidence from j/20 up to (j+1)/20; those with 1 are in the last bin. */
struct vouch_bin {
    uint64_t answers, right;
    double confidence, accuracy; /* mean confidence, and share of right answers; NAN if there are no answers */
};

/* Figures that do not apply are NAN: all of them without answers, most of the first three without a wrong one. */
struct vouch_measures {
    size_t size; /* sizeof(struct vouch_measures), set by the caller */
    uint64_t answers, wrong;
    double average_precision;      /* wrong answers ranked, least confident first */
    double roc_area;               /* the probability that a wrong answer is less confident than a right one */
    double risk_coverage;          /* mean share of wrong answers among the most confident */
    double calibration_error;      /* expected calibration error, by the bins below; this and all that follow need
                                      probabilities: NAN, and bins empty, if a confidence is not from 0 to 1 */
    double calibration_error_mass; /* the same by 20 bins of equally many answers */
    double rmse, rmse_floor;       /* of the bins' centres, as the paper has it, and what it is at best */
    double brier, log_loss;
    struct vouch_bin bin[20];
    double generalised_risk; /* AUGRC: mean number of wrong answers among the most confident, as a share of all answers;
                                it needs no probabilities, and is left out if `size` ends before it */
};

/*
 * Measures `count` confidences, none of them NAN; right[i] is 0 for a wrong answer. Answers of the same confidence
 * count as in random order. It takes time in proportion to count * log(count).
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_measure(const double *confidence, const unsigned char *right,
                                                           size_t count, struct vouch_measures *result,
                                                           struct vouch_error *err);

/* Whether a calibration error is more than chance gives. */
struct vouch_calibration_test {
    size_t size;              /* sizeof(struct vouch_calibration_test), set by the caller */
    double calibration_error; /* as in struct vouch_measures */
    double limit;             /* probabilities that are exactly right have less in 95 of 100 samples */
    double p;                 /* the share of samples of exact probabilities that have as much */
};

/*
 * Tests whether confidences are calibrated, as vouch eval does: `samples` times (0: 200) answers of these confidences
 * are drawn right as often as they say, and as much together within sentences as the given ones are; a p below 0.05
 * says that they are not. sentence[i] is any number, the same for all answers of a sentence; NULL: answers are
 * independent of each other. The same seed gives the same result. All figures are NAN without answers, and if a
 * confidence is not from 0 to 1. It takes time in proportion to count * samples.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_test_calibration(const double *confidence, const unsigned char *right, const uint32_t *sentence, size_t count,
                       uint32_t samples, uint64_t seed, struct vouch_calibration_test *result, struct vouch_error *err);

/*
 * Answers of other programs
 *
 * Answers that are in files, with gold and a number for each: labels, trees, or spans of texts, in the formats that
 * vouch-eval(1) lists under "ANSWERS OF OTHER PROGRAMS". `gold` is the file that holds the right answers, NULL if the
 * file of answers does. A calibration is a text, JSON, with the bytes that vouch tune --answers writes to a file.
 * Results are texts, to be freed by vouch_free().
 */

/*
 * Measures answers, and how far their numbers are to be trusted, as vouch eval --answers does, with the options of
 * "eval"; with a calibration, the probabilities that it makes of the numbers. *json gets what the program prints with
 * --json, without "answers".
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answers_measure(const vouch_options *options, const char *answers,
                                                                   const char *gold, const char *calibration,
                                                                   const struct vouch_watch *watch, char **json,
                                                                   struct vouch_error *err);

/* Calibrates their numbers, as vouch tune --answers does, with the options of "tune". */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answers_tune(const vouch_options *options, const char *answers,
                                                                const char *gold, const struct vouch_watch *watch,
                                                                char **calibration, struct vouch_error *err);

/*
 * Adds probabilities to answers, as vouch tag --answers does, with the options of "tag", of which "threshold",
 * "operating-point" and "log" count. *text gets the file, completed.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answers_apply(const vouch_options *options, const char *answers,
                                                                 const char *calibration, char **text,
                                                                 struct vouch_error *err);

/*
 * Trades precision against recall by spans, as vouch trade --answers does, with the options of "trade". The calibration
 * may be NULL. If "precision" or "recall" is set, *chosen gets the calibration with the operating point; else NULL.
 * Either pointer may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_answers_trade(const vouch_options *options, const char *answers,
                                                                 const char *gold, const char *calibration,
                                                                 const struct vouch_watch *watch, char **chosen,
                                                                 char **json, struct vouch_error *err);

/*
 * Finds classes of words, as vouch cluster does, with the options of "cluster": `files` are texts, of which there are
 * none if "vectors" is set. *text is the lexicon, to vouch_free().
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_cluster(const vouch_options *options, const char *const *files,
                                                           size_t count, const struct vouch_watch *watch, char **text,
                                                           struct vouch_error *err);

/* Makes one answer of several, with shares of votes as scores, as vouch vote does, with the options of "vote". */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_vote(const vouch_options *options, const char *const *files,
                                                        size_t count, char **text, struct vouch_error *err);

/*
 * Review
 *
 * Finds what in a labelled corpus is probably wrong, and what it should be instead. It can be watched and stopped as
 * training can.
 */

/* A list of suspects, the most suspect first. It never changes, and threads may share it. */
typedef struct vouch_suspects vouch_suspects;

/*
 * Judges every label of labelled files by models that did not learn from its sentence, as vouch review does, with the
 * options of "review": by `model`, which must not have been trained on the files, or, if that is NULL, by models that
 * are learned for the option "task" on the other parts of the files. "level" sets what is listed: words, chunks or
 * sentences; "inspect" how many; "audit" has them drawn at random. Order and numbers are the program's. Free the list
 * with vouch_suspects_free().
 *
 * The files are read twice. Model, options, files and watch are not needed after the call. If the watch asks to stop,
 * the result is NULL: VOUCH_ERR_STOPPED.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_suspects *vouch_review(const vouch_model *model, const vouch_options *options,
                                                        const char *const *files, size_t count,
                                                        const struct vouch_watch *watch, struct vouch_error *err);
VOUCH_API void vouch_suspects_free(vouch_suspects *suspects);

/*
 * A word, a chunk or a sentence. Strings belong to the list and are never NULL; `text`, `given` and `proposed` have one
 * item for each of its words, separated by blanks. `confidence`, `margin`, `votes` and `learned` are those of the most
 * suspect of its words, and NAN if they are not known.
 */
struct vouch_suspect {
    size_t size;          /* sizeof(struct vouch_suspect), set by the caller */
    const char *file;     /* as it was passed */
    uint64_t line;        /* of its first word; in JSON lines, of the sentence */
    size_t word, words;   /* its first word in the sentence, from 0, and how many it has */
    const char *text;     /* its words */
    const char *given;    /* their labels in the corpus; in trees HEAD:RELATION, or HEAD */
    const char *proposed; /* what they should be, spelled likewise; the same as `given` if nothing else is proposed */
    double error;         /* the probability that anything in it is wrong */
    double confidence;    /* the probability of the given label, by the models that judge it */
    double margin;        /* how far the given label is ahead of all others; negative: behind */
    double votes;         /* the share of drawn models that agree with the given label */
    double learned;       /* mean probability of the given label while models learned from it */
    const char *layer;    /* "label"; in trees "arc" or "relation" */
    const char *why;      /* why it is suspect, in a phrase */
    const char *context;  /* the sentence around it, shortened, with the suspect in brackets */
    const char *also;     /* arcs that change with the proposal, so that the tree stays one, as "7:0:root->3:obj" */
    const char *audit;    /* with "audit": how it was drawn, as the table of decisions needs it; else empty */
};

/* Returns how many suspects a list, which must not be NULL, has. */
VOUCH_API size_t vouch_suspects_count(const vouch_suspects *suspects);

/* Fills in suspect number `index`, from 0. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_suspects_get(const vouch_suspects *suspects, size_t index,
                                                                struct vouch_suspect *suspect, struct vouch_error *err);

/*
 * How many suspects there are and, where a table of "decided" has decisions about an audit, how many errors. Its
 * interval holds with probability 0.9 at least, whatever the errors are like. Decisions that are missing widen it;
 * those about other suspects do not change it.
 */
struct vouch_review_totals {
    size_t size;             /* sizeof(struct vouch_review_totals), set by the caller */
    uint64_t judged, listed; /* words, chunks or sentences of the files, and those of them that are listed */
    uint64_t audited;        /* words, chunks or sentences that the audit was drawn from; 0: there is none */
    uint64_t drawn, decided; /* of these: drawn, and decided on */
    double errors;           /* among those audited, unbiased; NAN unless all that were drawn are decided */
    double errors_least, errors_most;
};
VOUCH_API VOUCH_MUST_CHECK enum vouch_status
vouch_suspects_totals(const vouch_suspects *suspects, struct vouch_review_totals *totals, struct vouch_error *err);

/*
 * Annotators
 *
 * Measures how far several annotators of the same text agree, as vouch agree does, with the options of "agree": one
 * file of each, at least two. *json gets what the program prints with --json, to be freed by vouch_free(): alpha, kappa
 * and F1 with intervals, and where they differ; with a model, which may be NULL, what it thinks of each answer. If the
 * watch asks to stop, there is no result: VOUCH_ERR_STOPPED.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_agree(const vouch_model *model, const vouch_options *options,
                                                         const char *const *files, size_t count,
                                                         const struct vouch_watch *watch, char **json,
                                                         struct vouch_error *err);

/*
 * Writes annotated texts of other tools in another format, as vouch convert does, with the options of "convert", of
 * which "to" must be set; the format of each file is recognised, or named by "from". `path` names the file to write,
 * which appears whole or not at all; or a folder, where every document is files of its own (brat, WebAnno TSV). If it
 * is NULL, *text gets what would be in the file. *json gets what the program prints with --json: how much was read and
 * written, and what was lost, as the format cannot hold it. Free both with vouch_free(); either pointer may be NULL.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_convert(const vouch_options *options, const char *const *files,
                                                           size_t count, const char *path, char **text, char **json,
                                                           struct vouch_error *err);

/*
 * Scores from elsewhere
 *
 * A model of the caller gives scores to labels or arcs; the library finds the best answer and tells how far it can be
 * trusted, by the same methods as for its own models ('vouch help confidence'). Scores are logits, log-probabilities or
 * margins: the larger, the better, and the score of an answer is the sum of the scores of its parts. -INFINITY stands
 * for "impossible"; NAN, +INFINITY, scores beyond 1e30 in size, and a word for which everything is impossible are
 * argument errors.
 *
 * Several sets of scores (of an ensemble, or of passes with dropout) are treated as K draws of a model: the answer, and
 * the evidence of most methods, is that of their mean; `votes` counts the sets whose own best answer agrees with it,
 * and `kd-fix` adds noise to the mean. What is impossible in one set is impossible in the mean.
 *
 * A judge of trees judges heads alone. Relations, once there are heads, are a chain without edges: give their scores to
 * a judge of chains, with relations for labels and `edge` NULL.
 *
 * Structures carry their own size as first member, so that programs still work when they grow: set it to sizeof, and
 * all members that you do not need to 0. A member that this version does not know yet must be 0.
 */
struct vouch_chain_scores {
    size_t size;       /* sizeof(struct vouch_chain_scores) */
    size_t words;      /* N */
    size_t labels;     /* Y, the judge's */
    size_t sets;       /* K, the judge's */
    const float *node; /* [K][N][Y] a label of a word */
    const float *edge; /* [K][Y][Y] a label (the second index) after another (the first); NULL: all are 0 */
    int edge_per_word; /* not 0: `edge` is [K][N-1][Y][Y], and the first block scores the step from word 0 to word 1 */
};

struct vouch_tree_scores {
    size_t size;      /* sizeof(struct vouch_tree_scores) */
    size_t words;     /* N */
    size_t sets;      /* K, the judge's */
    const float *arc; /* [K][N+1][N+1] arc[head][modifier]; 0 is the root, words count from 1. Column 0 (heads of the
                         root) and the diagonal are ignored. In a tree, exactly one word has the root as its head */
};

struct vouch_judge_options {
    size_t size;         /* sizeof(struct vouch_judge_options) */
    const char *methods; /* names separated by commas; "all"; NULL: the best, if calibrated, else gamma */
    size_t alternatives; /* of every word; 0: none */
    size_t sets;         /* K of the scores; 0: 1 */
    size_t best;         /* K of kb and wkb, up to 1000; 0: 20 */
    size_t draws;        /* K of kd-fix, up to 1024; 0: 50 */
    double c;            /* scale of the scores in probabilities, which are proportional to exp(c * score); 0: 1 */
    double s;            /* variance of the noise of kd-fix; 0: pi^2 / (6 c^2), which makes its votes close to gamma */
    uint64_t seed;       /* of the noise; 0: 1 */
    const char *scheme;  /* "IOB1", "IOB2", "BIOES" or "none"; NULL: as the labels look, IOB2 if IOB1 is possible */
    int constraints;     /* not 0: only labels that the scheme allows may follow each other (IOB2: no I-X after O) */
    int raw;             /* not 0: the methods' own numbers, even if the judge is calibrated */
    double threshold;    /* words with a lower confidence are doubtful: see vouch_answer_is_doubtful(); 0: none */
    const char *replace; /* with a threshold: the label instead of doubtful ones; NULL: they stay */
    int choices;         /* not 0: sets of choices of every word, for a judge with a coverage; see vouch_answer_set() */
    int operating_point; /* not 0: labels are changed by the judge's operating point, which vouch_trade() has chosen;
                            with `methods`, `draws`, `raw` and `threshold` of its own. This and the three above are left
                            out if `size` ends before them */
};

/* A judge of such scores. It never changes, and threads may share it. */
typedef struct vouch_judge vouch_judge;

/*
 * Makes a judge of chains with these labels, in the order in which scores have them, or of trees. `options` may be
 * NULL; labels and options are copied. Free the judge with vouch_judge_free().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_new(const char *const *labels, size_t count,
                                                        const struct vouch_judge_options *options,
                                                        struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_new_tree(const struct vouch_judge_options *options,
                                                             struct vouch_error *err);
VOUCH_API void vouch_judge_free(vouch_judge *judge);

/*
 * Returns a judge, which must not be NULL, as JSON, calibration included: a model without weights. Owned by the judge.
 * vouch_judge_from_json() makes the same judge of it again, to be freed with vouch_judge_free(); of the options it
 * takes what is asked of answers (`methods`, `alternatives`, `draws`, `raw` and those from `threshold` on), the others
 * are in the JSON and must be 0. Any other text, and NULL, is a format error.
 */
VOUCH_API const char *vouch_judge_json(const vouch_judge *judge);
VOUCH_API VOUCH_MUST_CHECK vouch_judge *
vouch_judge_from_json(const char *json, const struct vouch_judge_options *options, struct vouch_error *err);

/*
 * Write a judge as a model file, which 'vouch judge', and other commands with --scores, take, and make a judge of such
 * a file, as vouch_judge_from_json() does. Opened by vouch_model_open(), the file is a model for vouch_evaluate(),
 * vouch_trade(), vouch_review(), vouch_choose_next(), and for vouch_tune() with "coverage": their option "scores" names
 * the scores of the sentences in the one file that they are given.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_judge_save(const vouch_judge *judge, const char *path,
                                                              struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_open(const char *path, const struct vouch_judge_options *options,
                                                         struct vouch_error *err);

/* Returns 1 if all numbers of a judge, which must not be NULL, are probabilities of being right; else 0. */
VOUCH_API int vouch_judge_is_calibrated(const vouch_judge *judge);

/* One thread's working memory for a judge, which must outlive it. Free it with vouch_judge_worker_free(). */
typedef struct vouch_judge_worker vouch_judge_worker;
VOUCH_API VOUCH_MUST_CHECK vouch_judge_worker *vouch_judge_worker_new(const vouch_judge *judge,
                                                                      struct vouch_error *err);
VOUCH_API void vouch_judge_worker_free(vouch_judge_worker *worker);

/*
 * Find the best answer to one sentence, and how far it can be trusted; the scores are not needed after the call. The
 * answer is owned by the worker and valid until its next call, or until it is freed. NULL on failure. The same scores
 * get the same answer from every worker, in any order.
 */
VOUCH_API VOUCH_MUST_CHECK const vouch_answer *
vouch_judge_chain(vouch_judge_worker *worker, const struct vouch_chain_scores *scores, struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK const vouch_answer *
vouch_judge_tree(vouch_judge_worker *worker, const struct vouch_tree_scores *scores, struct vouch_error *err);

/*
 * Sentences whose right answers are known, to calibrate a judge on: the model that gave the scores must not have
 * learned from them. Scores and gold are copied. The judge must outlive the gold, which is freed with
 * vouch_judge_gold_free(). If the judge does not have a gold label, every answer to that word is wrong. A head is 0 for
 * the root, else a word from 1.
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
 * Makes a judge like this one, but calibrated: its numbers are the probabilities that words, chunks and sentences are
 * right. The probability of a chunk is never above that of a word in it, that of a sentence never above those of its
 * chunks and words; none is 0, and none is 1 unless there is no other choice. c, s and `best` become the values that
 * predict the gold best. Every method is calibrated; what is asked of answers stays, but for `choices` and
 * `operating_point`, since coverage and operating point must be found anew. It works on up to `threads` threads (0:
 * one), with the same result. The old judge does not change, and neither it nor the gold is needed after the call. It
 * is watched as vouch_tune() is; if the watch asks to stop, the result is NULL: VOUCH_ERR_STOPPED. Free the new judge
 * with vouch_judge_free().
 */
VOUCH_API VOUCH_MUST_CHECK vouch_judge *vouch_judge_calibrate(const vouch_judge *judge, const vouch_judge_gold *gold,
                                                              unsigned threads, const struct vouch_watch *watch,
                                                              struct vouch_error *err);

/*
 * Scores in files: .npy, .npz, safetensors or JSON lines, as vouch-formats(5) describes them. Files are mapped, and the
 * scores of a sentence are read when they are asked for.
 */
struct vouch_score_files {
    size_t size;             /* sizeof(struct vouch_score_files) */
    const char *scores;      /* path */
    const char *offsets;     /* path; NULL: the scores tell how long sentences are */
    const char *transitions; /* path; NULL: none but those beside the scores */
    size_t labels;           /* Y; 0: the scores are of arcs */
    int padded;              /* not 0: those of labels are [S, L, Y] */
    int modifier_first;      /* not 0: those of arcs are [modifier][head] */
    int diagonal;            /* not 0: the arc of a word to itself is the root's */
};

/* Open files. One thread at a time may use them. Close them with vouch_scores_close(). */
typedef struct vouch_scores vouch_scores;
VOUCH_API VOUCH_MUST_CHECK vouch_scores *vouch_scores_open(const struct vouch_score_files *files,
                                                           struct vouch_error *err);
VOUCH_API void vouch_scores_close(vouch_scores *scores); /* NULL is allowed */

/* Return how many sets of scores the files have, K, and how many sentences. They need open files, not NULL. */
VOUCH_API size_t vouch_scores_sets(const vouch_scores *scores);
VOUCH_API size_t vouch_scores_sentences(const vouch_scores *scores);

/* Read the scores of a sentence, from 0; the arrays are owned by `scores`, and valid until its next call. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_scores_chain(vouch_scores *scores, size_t sentence,
                                                                struct vouch_chain_scores *to, struct vouch_error *err);
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_scores_tree(vouch_scores *scores, size_t sentence,
                                                               struct vouch_tree_scores *to, struct vouch_error *err);

#ifdef __cplusplus
}
#endif

#endif
