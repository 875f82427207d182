/* Writes a model as text, and reads it back: vouch-model(5) describes the lines. */
#ifndef VOUCH_MODEL_DUMP_H
#define VOUCH_MODEL_DUMP_H

#include "model/model.h"

/* Writes every string, feature and weight; floats in hexadecimal, so that nothing is lost. */
bool model_dump(const struct vouch_model *model, struct output *out, struct vouch_error *err);

/* Reads such a text from `path` (NULL: standard input) and writes the model that it describes, byte for byte. */
bool model_load(const char *path, struct output *out, struct vouch_error *err);

#endif
