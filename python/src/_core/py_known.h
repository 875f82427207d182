/* What is known of the answers to the sentences of a call. */
#ifndef PY_KNOWN_H
#define PY_KNOWN_H

#include "py_core.h"

/* Zero it before first use. */
struct known {
    const char **label; /* [words] of all sentences; NULL where it is not known; NULL: none is */
    size_t *head;       /* [words] likewise, (size_t)-1 */
};
void known_release(struct known *known);

/* Takes tuples with an item for each of the words, or None; they must stay. False with an exception. */
bool known_take(struct known *known, PyObject *labels, PyObject *heads, size_t words);

/* Tells a sentence what is known of it, whose first word is number `first` of all. False with the reason. */
bool known_tell(const struct known *known, size_t first, vouch_sentence *sentence, struct vouch_error *err);

#endif
