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

/* The same as vouch_model_open() for the bytes of such a file, which are copied. */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_model_open_memory(const void *bytes, size_t length,
                                                                struct vouch_error *err);

/* Writes the model to a file, byte for byte as it was opened. The file appears whole or not at all. */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_model_save(const vouch_model *model, const char *path,
                                                              struct vouch_error *err);

/*
 * Options
 *
 * The options of a command, by their names on the command line without dashes.
 */
typedef struct vouch_options vouch_options;

/* The usual options of a command. */
VOUCH_API VOUCH_MUST_CHECK vouch_options *vouch_options_new(const char *command, struct vouch_error *err);
VOUCH_API void vouch_options_free(vouch_options *options);

/* Sets an option to what would be typed; the text is copied. Flags take "true" or "false". */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_options_set(vouch_options *options, const char *name,
                                                               const char *value, struct vouch_error *err);

/*
 * Training and tuning
 *
 *     vouch_options *options = vouch_options_new("train", &err);
 *     const char *files[] = {"train.txt"};
 *     if (options && vouch_options_set(options, "task", "ner", &err) == VOUCH_OK)
 *         model = vouch_train(options, files, 1, NULL, &err);
 *
 * It takes minutes or hours, so it can be watched and stopped: pass a struct vouch_watch, or NULL. Files are read in
 * any format that the program knows, compressed or not. A wrong option, or no file, is VOUCH_ERR_ARGUMENT.
 */

/* What an event is about. New kinds may be added: pass over those that you do not know. */
enum vouch_event_kind {
    VOUCH_EVENT_NOTE = 0,         /* something worth knowing: see `text` */
    VOUCH_EVENT_WARNING = 1,      /* something that is probably a mistake: see `text` */
    VOUCH_EVENT_READING = 2,      /* progress: sentences */
    VOUCH_EVENT_READ = 3,         /* all files have been read: `done` sentences */
    VOUCH_EVENT_LEARNING = 4,     /* progress: sentences of a pass; `number` is the loss so far */
    VOUCH_EVENT_PASS = 5,         /* a pass is over: number `done` of `of`; `number` is its loss */
    VOUCH_EVENT_KEPT = 6,         /* of the option "best-pass": pass `done` is the one that was kept */
    VOUCH_EVENT_TUNING = 7,       /* progress: values of a parameter of learning */
    VOUCH_EVENT_TRIED = 8,        /* a value that was tried, be it in tuning or in calibrating: `number` */
    VOUCH_EVENT_TUNED = 9,        /* the value that was chosen: `number` */
    VOUCH_EVENT_HOLDING_OUT = 10, /* progress: learning on parts of the corpus, to calibrate on the others */
    VOUCH_EVENT_CALIBRATING = 11, /* progress: steps of calibrating */
    VOUCH_EVENT_CALIBRATED = 12,  /* a layer of the model has been calibrated: `number` is the average precision */
    VOUCH_EVENT_FOLDS = 13        /* progress: runs of a cross-validation */
};

/* Something that happened, or how far something is. Its strings are only there while it is told. */
struct vouch_event {
    size_t size; /* of this structure, as the library knows it; later versions may append to it */
    enum vouch_event_kind kind;
    const char *what;   /* what it is about: "reading", "cw         pass  2/10", a voice, a layer. Never NULL */
    uint64_t done, of;  /* how far it is; `of` is 0 where nobody knows how much there is */
    double number;      /* see the kinds; NAN if there is none */
    const char *note;   /* behind a bar of progress, such as " loss 0.01234". Never NULL */
    const char *text;   /* one line to show and keep, in UTF-8 but for names of files; NULL: mere progress */
    const char *record; /* the same for machines, as a JSON object with all its figures; NULL: none */
};

/* Who watches. Set `size` to sizeof(struct vouch_watch); each function may be NULL. */
struct vouch_watch {
    size_t size;
    void *context; /* handed to both */

    /* Called at every event, from any thread of the library's, but never by two of them at once. */
    void (*tell)(void *context, const struct vouch_event *event);

    /* Asked often, also by several threads at once: whether to stop. Must go on saying so once it has. */
    int (*stop)(void *context);
};

/*
 * Learns a model from labelled files, as vouch train does: `options` are those of "train", of which "task" must be set,
 * or "from", the path of a model to go on from. The model is in memory, with the same bytes as the program would write;
 * vouch_model_save() writes it. Free it with vouch_model_close().
 *
 * If the watch asks to stop, what was learned until then is the result, not calibrated or not freshly, and err->status
 * is VOUCH_ERR_STOPPED beside it; NULL if nothing was learned yet.
 *
 * Options, files and watch are not needed after the call. Any number of threads may train at once, each with a watch
 * of its own; the option "threads" sets how many each call uses, on which the result does not depend.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_train(const vouch_options *options, const char *const *files,
                                                    size_t count, const struct vouch_watch *watch,
                                                    struct vouch_error *err);

/*
 * Finds out how far the model's answers can be trusted, as vouch tune does: on labelled files that it was not trained
 * on, with the options of "tune". The result is a new model that answers as the old one, which stays as it is, with
 * fresh confidence. Free it with vouch_model_close(). If the watch asks to stop, there is none: VOUCH_ERR_STOPPED.
 */
VOUCH_API VOUCH_MUST_CHECK vouch_model *vouch_tune(const vouch_model *model, const vouch_options *options,
                                                   const char *const *files, size_t count,
                                                   const struct vouch_watch *watch, struct vouch_error *err);

/*
 * Cross-validates algorithms, as vouch eval --folds does: `options` are those of "eval", of which "folds" and "task"
 * must be set; "algorithm" may name several, separated by commas. *json is what the program prints with --json: of each
 * algorithm the scores of every fold and pass, and a paired t-test of every two. Free it with vouch_free(); NULL after
 * a failure. If the watch asks to stop, there is none: VOUCH_ERR_STOPPED.
 */
VOUCH_API VOUCH_MUST_CHECK enum vouch_status vouch_cross_validate(const vouch_options *options,
                                                                  const char *const *files, size_t count,
                                                                  const struct vouch_watch *watch, char **json,
                                                                  struct vouch_error *err);

/* Frees text that a function has returned in a pointer of the caller's; NULL is allowed. */
VOUCH_API void vouch_free(void *text);

#ifdef __cplusplus
}
#endif

#endif
