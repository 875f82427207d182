/* A review as a list of dicts, the most suspect first, and a dict of totals. */
#include "py_watched.h"

static PyObject *dict_of_suspect(const struct vouch_suspect *s)
{
    return Py_BuildValue("{s:N,s:K,s:n,s:n,s:N,s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:N,s:N,s:N,s:N,s:N}", "file",
                         PyUnicode_DecodeFSDefault(s->file), "line", (unsigned long long)s->line, "word",
                         (Py_ssize_t)s->word, "words", (Py_ssize_t)s->words, "text", text_or_none(s->text), "given",
                         text_or_none(s->given), "proposed", text_or_none(s->proposed), "error", s->error,
                         "confidence", s->confidence, "margin", s->margin, "votes", s->votes, "learned", s->learned,
                         "layer", text_or_none(s->layer), "why", text_or_none(s->why), "context",
                         text_or_none(s->context), "also", text_or_none(s->also), "audit", text_or_none(s->audit));
}

static PyObject *list_of_suspects(const struct core *core, const vouch_suspects *suspects)
{
    struct vouch_error err = {0};
    struct vouch_suspect suspect = {.size = sizeof suspect};
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < vouch_suspects_count(suspects); i++) {
        PyObject *dict = vouch_suspects_get(suspects, i, &suspect, &err) == VOUCH_OK ? dict_of_suspect(&suspect)
                                                                                     : raise_error(core, &err);
        if (!dict || PyList_Append(list, dict) != 0)
            Py_CLEAR(list);
        Py_XDECREF(dict);
    }
    return list;
}

static PyObject *dict_of_totals(const struct core *core, const vouch_suspects *suspects)
{
    struct vouch_error err = {0};
    struct vouch_review_totals t = {.size = sizeof t};
    if (vouch_suspects_totals(suspects, &t, &err) != VOUCH_OK)
        return raise_error(core, &err);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:d,s:d,s:d}", "judged", (unsigned long long)t.judged, "listed",
                         (unsigned long long)t.listed, "audited", (unsigned long long)t.audited, "drawn",
                         (unsigned long long)t.drawn, "decided", (unsigned long long)t.decided, "errors", t.errors,
                         "errors_least", t.errors_least, "errors_most", t.errors_most);
}

/* review(model or None, options, files, tell, stop) */
PyObject *core_review(PyObject *module, PyObject *args)
{
    const struct core *core = PyModule_GetState(module);
    struct watched call = {0};
    struct vouch_error err = {0};
    vouch_suspects *suspects = NULL;
    const vouch_model *judge = NULL;
    PyObject *result = NULL;
    if (watched_take_with_model(&call, core, "review", args, &judge)) {
        PyThreadState *saved = PyEval_SaveThread();
        suspects = vouch_review(judge, call.options, call.file, call.count, &call.watch, &err);
        PyEval_RestoreThread(saved);
        if (!suspects)
            raise_error(core, &err);
    }
    PyObject *list = suspects ? list_of_suspects(core, suspects) : NULL;
    PyObject *totals = list ? dict_of_totals(core, suspects) : NULL;
    if (totals)
        result = Py_BuildValue("(OO)", list, totals);
    Py_XDECREF(list);
    Py_XDECREF(totals);
    vouch_suspects_free(suspects);
    watched_release(&call);
    return result;
}
