/*
 * Models that are learned here from what other tools send. They are kept beside the store, or else beside the first
 * model, so that they are there after a restart. Without either there is no place for them.
 */
#ifndef VOUCH_SERVE_KEPT_MODELS_H
#define VOUCH_SERVE_KEPT_MODELS_H

#include "serve/server.h"

/* Returns where a file is kept, to free(); NULL without a place, or without memory. */
char *kept_path(const struct server *server, const char *file, const char *ending);

/* Serves a model under that name, which it takes over, and keeps it as FILE.vouch; only warns if that fails. */
bool kept_serve(const struct server *server, const char *name, const char *file, vouch_model *model,
                struct vouch_error *err);

/* Serves the model that was kept as FILE.vouch. False if there is none, or, with a warning, if it cannot be read. */
bool kept_open(const struct server *server, const char *name, const char *file);

#endif
