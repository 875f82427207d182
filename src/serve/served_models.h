/*
 * The models that are served. A model is replaced as a whole while requests run: a request takes the model that is
 * there when it begins and keeps it until it is done; the last one to leave a model that was replaced frees it.
 *
 * What a request costs besides answering is its preparation: methods looked up, calibrations read from the model's
 * header, working memory. An asked model keeps that for the next request with the same options.
 */
#ifndef VOUCH_SERVE_SERVED_MODELS_H
#define VOUCH_SERVE_SERVED_MODELS_H

#include "options/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A model that is served, at one version. It never changes. */
struct served_model {
    const vouch_model *model;
    const char *name;        /* by which it is asked for: that of its file, without folder and ending */
    const char *path;        /* of its file; NULL: it was learned here and not saved */
    char version[32];        /* the digest of its file, in hexadecimal digits: another one after every training */
    uint64_t number;         /* of replacements of this name, from 0 */
    struct held_model *held; /* of served_models.c */
};

/* Those that were given, and those that are learned from projects of other tools. */
enum { MOST_MODELS = 1024 };

struct models;
struct models *models_new(struct vouch_error *err);
void models_free(struct models *models); /* NULL is allowed; every model that was taken must have been left */

/* Writes the name that a file is served by: without folder, and without ".vouch" and what follows it. */
void models_name(const char *path, char *name, size_t room);

/*
 * Writing a model's file and serving it, or reading the file and serving that, is done between these two, so that
 * what is served last is what the file has. models_open() and models_reload() do it themselves.
 */
void models_replace_begin(struct models *models);
void models_replace_end(struct models *models);

/* Opens a file, under its name or that of an earlier file of the same name, which it replaces. */
bool models_open(struct models *models, const char *path, struct vouch_error *err);
bool models_open_as(struct models *models, const char *name, const char *path, struct vouch_error *err);

/* Serves a model under that name from now on, in place of one of the same name; takes it over, also on failure. */
bool models_put(struct models *models, const char *name, vouch_model *model, const char *path, struct vouch_error *err);

/*
 * Opens all files again, and then replaces those models whose files have changed. One that cannot be read stays as it
 * was, and the call fails with the first such.
 */
bool models_reload(struct models *models, struct vouch_error *err);

/* What a request may leave open: the kind of model that it needs. */
enum model_kind { ANY_MODEL, LABELS_MODEL, TREES_MODEL };

/*
 * Takes the model of that name; NULL: the first of that kind. Leave it afterwards. NULL if there is none: the error
 * lists those that there are.
 */
const struct served_model *models_take(struct models *models, const char *name, enum model_kind kind,
                                       struct vouch_error *err);
void models_leave(struct models *models, const struct served_model *model);

/* Takes all models, in the order in which they were given. Leave each. Returns how many there are. */
size_t models_take_all(struct models *models, const struct served_model *to[MOST_MODELS]);

/*
 * A worker for a model and options: vouch.h's, with its request. Made when it is first needed, then lent out again.
 * `options` are those of vouch tag or parse by name, "alternatives=3&confidence=kd-fix", in any order, with & and % in
 * values as %26 and %25. Those of the program alone, and those that name files or say how to work, are refused: they
 * may come from a client.
 */
struct answer_options;
struct sentence;
struct lent_worker {
    vouch_worker *worker;
    const vouch_request *request;
    const struct answer_options *settings; /* the options, as answer/request.h has them */
    struct sentence *sentence;             /* memory for one, which is kept with the worker */
    void *private;
};
bool models_lend(struct models *models, const struct served_model *model, const char *options, struct lent_worker *to,
                 struct vouch_error *err);
void models_return(struct models *models, struct lent_worker *lent); /* before the model is left; 0 is allowed */

/* Whether clients may set an option: files, and what is the program's own, are nothing for a request. */
static inline bool option_is_for_clients(const struct option_spec *spec)
{
    return !(spec->role & (OPTION_OF_PROGRAM | OPTION_READ | OPTION_WRITTEN | OPTION_INCIDENTAL));
}

/* Sets an option that a client names, unless it is one of those that are refused. */
bool option_from_client(const struct option_table *table, vouch_options *options, const char *name, const char *value,
                        struct vouch_error *err);

#endif
