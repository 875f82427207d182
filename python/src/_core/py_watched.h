/*
 * The arguments of a call that works on files, and by which it is watched: see py_training.c.
 */
#ifndef PY_WATCHED_H
#define PY_WATCHED_H

#include "py_core.h"

struct watched {
    vouch_options *options;
    PyObject *paths; /* a tuple of bytes */
    const char **file;
    size_t count;
    PyObject *tell; /* borrowed: a callable, or None */
    Py_buffer byte; /* the bytearray's; it is exported, so it stays */
    char *stop;     /* its first byte */
    struct vouch_watch watch;
};

/*
 * Takes the options of a command, files, `tell` and `stop` from the arguments; false with an exception. The structure,
 * which must have been zero, is released in any case, and not moved before.
 */
bool watched_take(struct watched *call, const struct core *core, const char *command, PyObject *args);
/* Takes the last two alone. */
bool watched_by(struct watched *call, PyObject *tell, PyObject *stop);
void watched_release(struct watched *call);

/*
 * Does what watched_take() does for the arguments after the first, which is a Model or None: *model becomes that, or
 * NULL. False with an exception.
 */
bool watched_take_with_model(struct watched *call, const struct core *core, const char *command, PyObject *args,
                             const vouch_model **model);

#endif
