/*
 * What a call that answers sentences works with. It is kept by the request for the next call: see py_request.c.
 */
#ifndef PY_ANSWERING_H
#define PY_ANSWERING_H

#include "py_draft.h"
#include "py_stretches.h"

/* One thread's share of a call. */
struct lane {
    struct stretch stretch; /* names are the model's labels and types first */
    vouch_worker *worker;   /* kept like all that follows; NULL: none was needed yet */
    vouch_sentence *sentence;
    struct filler filler;
    bool filling; /* it failed in filling the sentence, not in answering it */
};

struct station {
    struct draft draft;
    struct lane *lane; /* [lanes] */
    size_t lanes;
    size_t known;       /* names that the model alone determines; 0: not counted yet */
    PyObject *as_tuple; /* these names */
    struct station *next;
};
void station_free(struct station *station); /* with the GIL */

/* What a call is about: sentences of Python, and beside them what each may be NULL or None for none. */
struct asked {
    PyObject *sentences;
    PyObject *vectors;        /* of all words, as pieces of floats (py_floats.h) */
    PyObject *labels, *heads; /* that are known (py_known.h) */
    size_t most;              /* of the best answers to each sentence; 0: the answer, judged */
};

/*
 * Answers sentences: new Arrays, or a list of the best answers to each; NULL with an exception. `threads` of 0 stands
 * for a request that must see all sentences as one text.
 */
PyObject *answer_sentences(const struct core *core, const vouch_model *model, const vouch_request *request,
                           unsigned threads, struct station *station, const struct asked *asked);

/* Returns the best answers to a sentence of a draft as a list; NULL with an exception: py_best.c */
PyObject *best_of_sentence(const struct core *core, const struct draft *draft, size_t at, struct lane *lane,
                           size_t most, bool trees);

#endif
